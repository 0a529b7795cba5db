//! The filter language of the search box; its manual is `docs/filter.md`.
//!
//! A filter is a list of terms that must all hold. It is read once and tried on many events, in time
//! linear in their text: no term can be nested, repeated or backtracked.

mod parse;
mod term;

use std::cell::OnceCell;

pub use parse::FLAGS;
use term::{Term, Test};

use super::ExploreError;
use super::args::{Args, Value};
use super::request::{Params, Window};
use crate::model::Flags;

/// Bounds the terms, too: each takes two characters with the blank, and [`TermsInMessage`] has room for 128.
const MAX_CHARS: usize = 200;

/// Terms that must all hold.
#[derive(Debug, Default)]
pub struct Filter(Vec<Term>);

/// A bit for each term: whether its test holds for what a message says, which is the type of an event and its
/// text. Many events have the same.
pub type TermsInMessage = u128;

/// An event as terms look at it.
#[derive(Clone, Copy, Debug, Default)]
pub struct EventParts<'a> {
    pub t_ns: i64,
    pub cpu: i16,
    /// `None` for the top buffer.
    pub buffer: Option<&'a str>,
    pub pid: Option<i32>,
    /// `None` where the file does not name the task.
    pub comm: Option<&'a str>,
    pub event: &'a str,
    /// `event_type.kind`.
    pub kind: &'a str,
    pub flags: Flags,
    /// The printed arguments.
    pub text: &'a str,
}

/// [`EventParts`], and the typed arguments once a term asks for them.
pub struct EventView<'a> {
    pub parts: EventParts<'a>,
    args: OnceCell<Args<'a>>,
}

impl<'a> EventView<'a> {
    pub fn new(parts: EventParts<'a>) -> Self {
        Self { parts, args: OnceCell::new() }
    }

    /// The arguments as typed values, parsed at the first call.
    pub fn args(&self) -> &Args<'a> {
        self.args.get_or_init(|| Args::parse(self.parts.event, self.parts.kind, self.parts.text))
    }
}

impl Filter {
    /// The parameter `q`; nothing asks for everything.
    pub fn from_params(params: &Params) -> Result<Self, ExploreError> {
        match params.text("q", MAX_CHARS)? {
            Some(text) => parse::parse(&text, params).map(Self),
            None => Ok(Self::default()),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Which terms hold for the event's message.
    pub fn in_message(&self, event: &EventView<'_>) -> TermsInMessage {
        let bits = self.0.iter().enumerate().map(|(at, term)| u128::from(term.test.in_message(event)) << at);
        bits.fold(0, |all, bit| all | bit)
    }

    /// Whether all terms hold for an event with this message.
    pub fn holds(&self, event: &EventParts<'_>, in_message: TermsInMessage) -> bool {
        self.0.iter().enumerate().all(|(at, term)| term.holds(event, in_message >> at & 1 == 1))
    }

    /// The window without what no event can be in that passes.
    pub fn narrowed(&self, window: Window) -> Window {
        let times = self.0.iter().filter_map(|term| match &term.test {
            Test::Time(test) if !term.negated => Some(test.bounds()),
            _ => None,
        });
        times.fold(window, |window, (start_ns, end_ns)| Window {
            start_ns: window.start_ns.max(start_ns),
            end_ns: window.end_ns.min(end_ns),
        })
    }

    /// False where no event of the task can pass; `None` is what the file does not say.
    pub fn may_hold_for_task(&self, pid: Option<i32>, comm: Option<&str>) -> bool {
        self.may_hold(&EventParts { pid, comm, ..EventParts::default() }, |test| {
            matches!(test, Test::Pid(_) | Test::Comm(_))
        })
    }

    /// False where no event of the type can pass.
    pub fn may_hold_for_type(&self, event: &str) -> bool {
        self.may_hold(&EventParts { event, ..EventParts::default() }, |test| matches!(test, Test::Event(_)))
    }

    /// False where no event on the CPU can pass.
    pub fn may_hold_on_cpu(&self, cpu: i16) -> bool {
        self.may_hold(&EventParts { cpu, ..EventParts::default() }, |test| matches!(test, Test::Cpu(_)))
    }

    /// The CPU without which no event passes, if a term names one.
    pub fn only_cpu(&self) -> Option<i64> {
        self.0.iter().find_map(|term| match &term.test {
            Test::Cpu(test) if !term.negated => test.only(),
            _ => None,
        })
    }

    /// Whether the terms hold that look at nothing but the parts that are given.
    fn may_hold(&self, given: &EventParts<'_>, is_of_given: impl Fn(&Test) -> bool) -> bool {
        let event = EventView::new(*given);
        let terms = self.0.iter().filter(|term| is_of_given(&term.test));
        terms.into_iter().all(|term| term.holds(given, term.test.in_message(&event)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn filter(text: &str) -> Result<Filter, ExploreError> {
        let request = serde_json::json!({"q": text, "trace": {"origin_ns": "14372732649000"}});
        Filter::from_params(&Params::parse(&request.to_string()).unwrap())
    }

    fn passes(text: &str, event: &EventView<'_>) -> bool {
        let filter = filter(text).unwrap();
        filter.holds(&event.parts, filter.in_message(event))
    }

    /// Whether a switch from `foo bar` to the real-time task 1213 passes.
    fn check(text: &str, expected: bool) {
        let event = EventView::new(EventParts {
            t_ns: 5_000_001,
            cpu: 1,
            buffer: Some("rt"),
            pid: Some(12),
            comm: Some("foo bar"),
            event: "sched_switch",
            kind: "tracepoint",
            flags: Flags(Flags::KNOWN | Flags::IRQS_OFF | 2 << 8),
            text: "prev_comm=foo bar prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=RT next_pid=1213 next_prio=39",
        });
        assert_eq!(passes(text, &event), expected, "{text}");
    }

    fn check_error(text: &str, expected_column: usize, expected: &str) {
        match filter(text).unwrap_err() {
            ExploreError::Request { parameter: "q", code: "bad_filter", detail, column } => {
                assert_eq!((column, detail.as_str()), (Some(expected_column), expected), "{text}");
            }
            error => panic!("{text}: {error}"),
        }
    }

    #[test]
    fn all_terms_must_hold() {
        check("event:sched_switch next_pid=1213 t>5ms", true);
        check("event:sched_switch next_pid=1214 t>5ms", false);
        check("  cpu:1   pid:12 ", true);
        check("cpu>=1 cpu<2 pid!=13", true);
    }

    #[test]
    fn a_dash_turns_a_term_around() {
        check("-event:print", true);
        check("-cpu:1", false);
        check("-\"foo bar\"", false);
    }

    #[test]
    fn names_are_whole_and_parts_are_asked_for() {
        check("comm:\"foo bar\"", true);
        check("comm:foo", false);
        check("comm~FOO", true);
        check("event~switch event!=print", true);
        check("next_comm~r", true);
        check("next_comm:rt", false);
    }

    #[test]
    fn the_top_buffer_has_no_name() {
        check("buffer:rt", true);
        check("buffer~R -buffer:other", true);
        check("buffer:\"\"", false);
        check("-buffer:\"\"", true);
        check("buffer!=rt", false);
        let top = EventView::new(EventParts::default());
        assert!(passes("buffer:\"\" buffer!=rt", &top));
        assert!(!passes("buffer~r", &top));
    }

    #[test]
    fn fields_compare_as_numbers_or_text() {
        check("next_prio<50 prev_prio=0x78", true);
        // Of either task.
        check("event:sched_switch prio<50", true);
        check("prio=120", true);
        check("prio=121", false);
        check("-prio<50", false);
        check("io<50", false);
        check("prev_state:S", true);
        check("prev_state!=S", false);
        check("next_pid>1us", true);
        check("prev_state<5", false);
    }

    #[test]
    fn an_event_without_the_field_does_not_pass() {
        check("vec=1", false);
        check("vec!=1", false);
        check("-vec=1", true);
    }

    #[test]
    fn flags_are_asked_for_by_name() {
        check("flags:irqs_off -flags:hardirq preempt_depth>1", true);
        check("flags:need_resched", false);
    }

    #[test]
    fn times_may_be_stamps_of_the_file() {
        check("t>=14372.737649001", true);
        check("t>14372.737649001", false);
    }

    #[test]
    fn times_narrow_the_window() {
        let check = |text: &str, expected: (i64, i64)| {
            let found = filter(text).unwrap().narrowed(Window { start_ns: 10, end_ns: 90 });
            assert_eq!((found.start_ns, found.end_ns), expected, "{text}");
        };
        check("cpu:1 -t>50 t!=20", (10, 90));
        check("t>20 t<=70", (21, 71));
        check("t>=20 t<70", (20, 70));
        check("t:30", (30, 31));
        check("t>95", (96, 90));
    }

    #[test]
    fn as_many_terms_as_fit_are_all_tried() {
        let event = EventView::new(EventParts { text: "a", ..EventParts::default() });
        let words = "a ".repeat(99);
        assert!(passes(&format!("{words}a"), &event));
        assert!(!passes(&format!("{words}b"), &event));
    }

    #[test]
    fn bare_words_are_found_anywhere_in_any_case() {
        check("SWITCH", true);
        check("Foo ==>", true);
        check("\"prev_prio=120 prev\"", true);
        check("irq/24-eth0", false);
    }

    #[test]
    fn mistakes_are_named_with_their_column() {
        check_error("cpu:x", 5, "\"x\" is not a CPU number");
        check_error("event:sched_switch pid= cpu:1", 24, "expected a value for pid");
        check_error("é comm:\"foo", 8, "expected a second \" to end what begins here");
        check_error("comm:\"a\"b", 9, "expected a blank after the closing \"");
        check_error("comm:\"\"", 6, "expected text between the quotes");
        check_error("a - b", 4, "expected a word or key:value right after the -");
        check_error("comm<5", 6, "comm is text; expected one of : = != ~ before it");
        check_error("cpu~1", 5, "cpu is a number; expected one of : = != < <= > >= before it");
        check_error("prio<high", 6, "\"high\" is no number; expected 120, 0x1f, 50us or 5ms");
        check_error(
            "t>soon",
            3,
            "\"soon\" is not a time: 1500 or 5ms from trace start, or a stamp of the file",
        );
        check_error("flags>irqs_off", 7, "expected flags:name; - before it asks for the flag not to be set");
    }

    #[test]
    fn long_filters_are_refused() {
        let error = filter(&"a".repeat(201)).unwrap_err();
        assert_eq!(error.to_string(), "q: 201 characters; the limit is 200");
    }

    proptest! {
        #[test]
        fn any_text_is_a_filter_or_a_mistake_within_it(text in "[-a-z:=<>~!\"\\\\ é0-9.]{0,60}") {
            if let Err(ExploreError::Request { column, .. }) = filter(&text) {
                prop_assert!(column.is_some_and(|column| (1..=text.chars().count() + 1).contains(&column)));
            }
        }
    }
}
