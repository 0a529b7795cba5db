//! The filter language of the search box; its manual is `docs/filter.md`.
//!
//! A filter is a list of terms that must all hold. It is read once and tried on many events, in time
//! linear in their text: no term can be nested, repeated or backtracked.

mod parse;
mod term;

use std::cell::OnceCell;

pub use parse::FLAGS;
use term::Term;

use super::ExploreError;
use super::args::{Args, Value};
use super::request::Params;
use crate::model::Flags;

const MAX_CHARS: usize = 200;

/// Terms that must all hold.
#[derive(Debug, Default)]
pub struct Filter(Vec<Term>);

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

    pub fn holds(&self, event: &EventView<'_>) -> bool {
        self.0.iter().all(|term| term.holds(event))
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
        assert_eq!(filter(text).unwrap().holds(&event), expected, "{text}");
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
        assert!(filter("buffer:\"\" buffer!=rt").unwrap().holds(&top));
        assert!(!filter("buffer~r").unwrap().holds(&top));
    }

    #[test]
    fn fields_compare_as_numbers_or_text() {
        check("next_prio<50 prev_prio=0x78", true);
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
        check_error("comm:\"a\"b", 9, "expected a blank behind the closing \"");
        check_error("comm:\"\"", 6, "expected text between the quotes");
        check_error("a - b", 4, "expected a word or key:value right behind the -");
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
