//! Typed arguments from the printed text of an event.
//!
//! The text is all that every format has in common, and it is not quoted: a comm may hold blanks, `=`
//! and text that looks like the next field. Where a form is not known, pairs are taken as they come,
//! and the printed text is always there beside them.

mod noise;
mod pairs;
mod plugin;
mod syscall;
mod value;

use serde::ser::{Serialize, SerializeMap, Serializer};

pub use value::Value;

/// Fields in the order of the text, each name once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Args<'a>(Vec<(Name<'a>, Value<'a>)>);

/// The name of a field: as printed, or one that the printed text leaves out.
type Name<'a> = &'a str;

/// Forms other than pairs: each is true of a text whose fields it has added.
const FORMS: [for<'a> fn(&str, &'a str, &mut Args<'a>) -> bool; 3] =
    [syscall::parse, plugin::parse, noise::parse];

/// More fields than any kernel event prints; a marker's text can hold any number.
const MAX_FIELDS: usize = 64;

impl<'a> Args<'a> {
    /// The fields of an event of this name and kind (`event_type.kind`).
    pub fn parse(event: &str, kind: &str, text: &'a str) -> Self {
        let mut args = Self::default();
        if kind == "function" {
            args.function(text);
        } else if !FORMS.iter().any(|parse| parse(event, text, &mut args)) {
            pairs::parse(event, text, &mut args);
        }
        args
    }

    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        self.0.iter().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// The field of this name; without one, those of two tasks or CPUs whose names end with it: `prev_prio` and `next_prio`
    /// for `prio`.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Value<'a>> {
        let is_whole = self.get(name).is_some();
        let is_end = move |found: &str| found.strip_suffix(name).is_some_and(|before| before.ends_with('_'));
        let is_named = move |found: &str| if is_whole { found == name } else { is_end(found) };
        self.0.iter().filter(move |(found, _)| is_named(found)).map(|(_, value)| value)
    }

    /// The fields in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &Value<'a>)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }

    fn push(&mut self, name: Name<'a>, value: Value<'a>) {
        if self.0.len() < MAX_FIELDS && self.get(name).is_none() {
            self.0.push((name, value));
        }
    }

    // do_idle <-cpu_startup_entry
    fn function(&mut self, text: &'a str) {
        match text.split_once("<-") {
            Some((function, parent)) => {
                self.push("function", Value::text(function.trim()));
                // trace-cmd prints `<-- parent`.
                self.push("parent", Value::text(parent.trim_start_matches(['-', ' ']).trim_end()));
            }
            None => self.push("function", Value::text(text.trim())),
        }
    }
}

impl Serialize for Args<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(event: &str, text: &str, expected: &str) {
        let kind = if event == "function" { "function" } else { "tracepoint" };
        assert_eq!(serde_json::to_string(&Args::parse(event, kind, text)).unwrap(), expected, "{text}");
    }

    #[test]
    fn kernel_fields_are_typed() {
        check(
            "sched_switch",
            "prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89",
            r#"{"prev_comm":"sh","prev_pid":7,"prev_prio":120,"prev_state":"R+","next_comm":"rt","next_pid":9,"next_prio":89}"#,
        );
        check("softirq_entry", "vec=1 [action=TIMER]", r#"{"vec":1,"action":"TIMER"}"#);
        check(
            "sched_waking",
            "comm=a pid=9 prio=89 target_cpu=002",
            r#"{"comm":"a","pid":9,"prio":89,"target_cpu":2}"#,
        );
        check(
            "sched_stat_runtime",
            "comm=sh pid=7 runtime=12345 [ns]",
            r#"{"comm":"sh","pid":7,"runtime":12345}"#,
        );
        check(
            "hrtimer_start",
            "hrtimer=000000002ac33b2e function=tick_sched_timer expires=6389900935569 mode=ABS|PINNED",
            r#"{"hrtimer":"000000002ac33b2e","function":"tick_sched_timer","expires":6389900935569,"mode":"ABS|PINNED"}"#,
        );
        check("timer_start", "timer=0xffff8880 flags=D|P", r#"{"timer":4294936704,"flags":"D|P"}"#);
        check(
            "csd_function_entry",
            "func=do_it, csd=0000000000001234",
            r#"{"func":"do_it","csd":"0000000000001234"}"#,
        );
    }

    #[test]
    fn names_with_blanks_end_at_the_field_that_the_event_has_next() {
        check(
            "sched_wakeup",
            "comm=my pid=3 thread pid=12 prio=120",
            r#"{"comm":"my pid=3 thread","pid":12,"prio":120}"#,
        );
        check("irq_handler_entry", "irq=24 name=eth0 a=b rx", r#"{"irq":24,"name":"eth0 a=b rx"}"#);
        check(
            "sched_process_fork",
            "comm=a b pid=1 child_comm=c d child_pid=2",
            r#"{"comm":"a b","pid":1,"child_comm":"c d","child_pid":2}"#,
        );
        check(
            "sched_process_exec",
            "filename=/opt/my app pid=5 old_pid=5",
            r#"{"filename":"/opt/my app","pid":5,"old_pid":5}"#,
        );
    }

    #[test]
    fn trace_cmd_forms_have_the_kernels_field_names() {
        check(
            "sched_switch",
            "a:b c:4734 [120] R ==> migration/2:18 [0]",
            r#"{"prev_comm":"a:b c","prev_pid":4734,"prev_prio":120,"prev_state":"R","next_comm":"migration/2","next_pid":18,"next_prio":0}"#,
        );
        check(
            "sched_wakeup",
            "ls:4735 [120] success=1 CPU:002",
            r#"{"comm":"ls","pid":4735,"prio":120,"success":1,"target_cpu":2}"#,
        );
        check("function", "schedule <-- do_idle", r#"{"function":"schedule","parent":"do_idle"}"#);
        check("function", "schedule <-do_idle", r#"{"function":"schedule","parent":"do_idle"}"#);
    }

    #[test]
    fn system_calls_are_read_in_every_form() {
        check(
            "sys_enter",
            "NR 0 (3, 7ffd, ffffffffffffff9c)",
            r#"{"nr":0,"arg0":3,"arg1":32765,"arg2":-100}"#,
        );
        check("sys_exit", "NR 230 = -4", r#"{"nr":230,"ret":-4}"#);
        check(
            "sys_enter_openat",
            "sys_openat(dfd: ffffff9c, filename: 7f10, flags: 80000, mode: 0)",
            r#"{"dfd":4294967196,"filename":32528,"flags":524288,"mode":0}"#,
        );
        check(
            "sys_enter_openat",
            "sys_openat(dfd: 0xffffffffffffff9c, filename: 0x7f10 \"/etc, x: y\", flags: O_RDONLY|O_CLOEXEC, mode: 0644)",
            r#"{"dfd":-100,"filename":"0x7f10 \"/etc, x: y\"","flags":"O_RDONLY|O_CLOEXEC","mode":"0644"}"#,
        );
        check("sys_exit_openat", "sys_openat -> 0xfffffffffffffffe", r#"{"ret":-2}"#);
        check("sys_enter_clone", "clone_flags: 1200011, newsp: 0", r#"{"clone_flags":18874385,"newsp":0}"#);
        check("sys_exit_clone", "-> 0xff4", r#"{"ret":4084}"#);
        check("sys_enter", "id=0x2c (44) args=<INVALID-SIZE>", r#"{"id":44,"args":"<INVALID-SIZE>"}"#);
    }

    #[test]
    fn modules_of_ones_own_give_what_looks_like_numbers() {
        check(
            "hrtimer_cb",
            "hrtimer stat: now: 14372743560 [us] expect_expires: 14372733904 [us], delta: 9656",
            r#"{"now":14372743560,"expect_expires":14372733904,"delta":9656}"#,
        );
        check("custom", "state:7,x=-3; note: none at 12:30:45", r#"{"state":7,"x":-3}"#);
        check("rcu_utilization", "Start context switch", "{}");
    }

    #[test]
    fn integers_past_double_precision_are_text() {
        check(
            "x",
            "a=9007199254740991 b=9007199254740992 c=-9007199254740992",
            r#"{"a":9007199254740991,"b":"9007199254740992","c":"-9007199254740992"}"#,
        );
        check("x", "p=0xffff888012345678 d=1.5", r#"{"p":"0xffff888012345678","d":"1.5"}"#);
    }

    proptest! {
        #[test]
        fn any_text_is_survived(
            event in "(sched_switch|sched_wakeup|irq_handler_entry|sys_enter|x)",
            text in proptest::collection::vec(
                prop_oneof![Just("comm="), Just(" pid="), Just("NR "), Just(" ==> "), Just(": "), Just(" ["), Just("]"),
                    Just("="), Just("sys_a("), Just("("), Just(" -> "), Just("0x"), Just("9"), Just("é"), Just("k")], 0..24),
        ) {
            let text = text.concat();
            let args = Args::parse(&event, "tracepoint", &text);
            prop_assert!(serde_json::to_string(&args).is_ok());
        }
    }
}
