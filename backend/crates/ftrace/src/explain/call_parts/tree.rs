//! Calls under calls, and the walk down to those that took most.

use std::collections::BTreeMap;

use crate::explain::{Case, words};
use crate::model::grouped;

/// Of what took a third of a case a sentence speaks also where something else took more.
const MUCH: i64 = 3;
/// What has nine tenths of something says where it went.
const NEARLY_ALL_PERCENT: i64 = 90;

/// A call, as the tracer recorded it or as its records of functions show it.
#[derive(Clone, Copy)]
pub struct Call<'s> {
    pub name: &'s str,
    /// Of a call that the tracer recorded.
    pub symbol_idx: Option<i32>,
    pub start_ns: i64,
    pub end_ns: i64,
    pub depth: i32,
}

impl Call<'_> {
    fn duration_ns(&self) -> i64 {
        self.end_ns.saturating_sub(self.start_ns)
    }
}

/// The part of a case that its sentence names.
pub struct Part {
    pub duration_ns: i64,
    /// It is half of the case or more.
    pub is_most: bool,
    pub text: String,
}

/// The calls of one function under the calls of another.
#[derive(Clone)]
pub struct Callees<'s> {
    calls: Vec<Call<'s>>,
    total_ns: i64,
}

impl<'s> Callees<'s> {
    pub fn of(call: Call<'s>) -> Self {
        Self { calls: vec![call], total_ns: call.duration_ns() }
    }

    /// The one call among them that took nearly all of it, or all of them.
    fn or_longest(self) -> Self {
        let longest = self.calls.iter().copied().max_by_key(Call::duration_ns);
        let longest = longest.filter(|longest| is_nearly_all(longest.duration_ns(), self.total_ns));
        longest.map_or(self, Self::of)
    }
}

fn is_nearly_all(part_ns: i64, whole_ns: i64) -> bool {
    part_ns.saturating_mul(100) >= whole_ns.saturating_mul(NEARLY_ALL_PERCENT)
}

/// The calls of each function, those that took longest together first.
pub fn by_function<'c, 's: 'c>(calls: impl IntoIterator<Item = &'c Call<'s>>) -> Vec<Callees<'s>> {
    let mut of_function: BTreeMap<&str, Callees<'s>> = BTreeMap::new();
    for call in calls {
        let none = || Callees { calls: Vec::new(), total_ns: 0 };
        let callees = of_function.entry(call.name).or_insert_with(none);
        callees.calls.push(*call);
        callees.total_ns = callees.total_ns.saturating_add(call.duration_ns());
    }
    let mut all: Vec<Callees<'s>> = of_function.into_values().collect();
    all.sort_by_key(|callees| -callees.total_ns);
    all
}

/// All calls of a case.
pub struct Tree<'t, 's> {
    pub case: &'t Case<'t>,
    pub all: &'t [Call<'s>],
    /// How long such calls usually take, where that is known and far less than this one took.
    pub usual_ns: &'t dyn Fn(&Call<'_>) -> Option<i64>,
}

impl<'s> Tree<'_, 's> {
    /// Into which functions most of the case went: down from `below`, as long as one of them has half of it, or else the two
    /// that do together, or the largest of the many. `is_call` is true of a case that is a call itself.
    pub fn deepest(&self, is_call: bool, mut below: Vec<Callees<'s>>) -> Option<Part> {
        let most = |duration_ns: i64, text: String| Some(Part { duration_ns, is_most: true, text });
        let mut beside = Beside { tree: self, largest: None, own: None };
        let mut at: Option<Callees<'s>> = None;
        loop {
            let total_ns = at.as_ref().map_or(self.case.duration_ns, |at| at.total_ns);
            let called_ns = sum_ns(&below);
            let mut largest = below.into_iter();
            let (first, second) = (largest.next(), largest.next());
            let goes_down = |first: &Callees<'_>| {
                self.case.is_most(first.total_ns) || at.is_some() && is_nearly_all(first.total_ns, total_ns)
            };
            if let Some(first) = first.clone().filter(goes_down) {
                beside.callees(second);
                let caller = at.as_ref().and_then(|at| at.calls.first()).map(|call| call.name);
                if caller.is_some() || is_call {
                    beside.own(caller, total_ns.saturating_sub(called_ns));
                }
                let first = first.or_longest();
                below = self.below(&first);
                at = Some(first);
                continue;
            }
            let both_ns = sum_ns(first.iter().chain(&second));
            return match (first, second, at) {
                (Some(first), Some(second), _) if self.case.is_most(both_ns) => {
                    most(both_ns, format!("{} and {}", self.said(&first)?, self.said(&second)?))
                }
                (_, _, Some(at)) => most(at.total_ns, format!("{}{}", self.said(&at)?, beside.said())),
                (Some(first), _, None) => {
                    let text = format!("most of all {}", self.said(&first)?);
                    Some(Part { duration_ns: first.total_ns, is_most: false, text })
                }
                (None, _, None) => None,
            };
        }
    }

    /// The largest of the functions that a call called itself, and where it went, if it is much of the case. One that calls
    /// itself says nothing, nor does one of several without a name.
    pub fn largest_of(&self, root: Call<'s>) -> Option<String> {
        let below = self.below(&Callees::of(root)).into_iter();
        let is_other = |callees: &Callees<'_>| callees.calls.iter().all(|call| call.name != root.name);
        let first = { below }.next().filter(|first| self.is_much(first.total_ns) && is_other(first))?;
        self.said(&self.innermost(first))
    }

    /// The functions that these calls called themselves, the largest first.
    pub fn below(&self, at: &Callees<'s>) -> Vec<Callees<'s>> {
        let Some(first) = at.calls.first() else { return Vec::new() };
        let depth = first.depth.saturating_add(1);
        let mut callers = at.calls.clone();
        callers.sort_unstable_by_key(|call| call.start_ns);
        // Calls of one depth follow each other.
        let has_caller = |call: &Call<'_>| {
            let until = callers.partition_point(|caller| caller.start_ns <= call.start_ns);
            let caller = until.checked_sub(1).and_then(|last| callers.get(last));
            caller.is_some_and(|caller| call.end_ns <= caller.end_ns)
        };
        by_function(self.all.iter().filter(|call| call.depth == depth && has_caller(call)))
    }

    /// Down the tree, as long as one of the functions below has nearly all of it.
    fn innermost(&self, callees: Callees<'s>) -> Callees<'s> {
        let mut at = callees.or_longest();
        let first_below = |at: &Callees<'s>| {
            let first = self.below(at).into_iter().next();
            first.filter(|first| is_nearly_all(first.total_ns, at.total_ns))
        };
        while let Some(first) = first_below(&at) {
            at = first.or_longest();
        }
        at
    }

    /// `215 µs in tick_nohz_handler (normally 21 µs)`, `6.3 ms in 512 calls of munlock_folio`
    fn said(&self, callees: &Callees<'_>) -> Option<String> {
        let first = callees.calls.first()?;
        let (time, name) = (words::time(callees.total_ns), first.name);
        let normally = |ns: i64| format!(" (normally {})", words::time(ns));
        Some(match callees.calls.len() {
            1 => format!("{time} in {name}{}", (self.usual_ns)(first).map_or_else(String::new, normally)),
            count => format!("{time} in {} calls of {name}", grouped(count)),
        })
    }

    fn is_much(&self, ns: i64) -> bool {
        ns.saturating_mul(MUCH) >= self.case.duration_ns
    }
}

fn sum_ns<'c, 's: 'c>(all: impl IntoIterator<Item = &'c Callees<'s>>) -> i64 {
    all.into_iter().fold(0, |sum, callees| sum.saturating_add(callees.total_ns))
}

/// What else took a third of the case or more, beside what the sentence names first.
struct Beside<'b, 't, 's> {
    tree: &'b Tree<'t, 's>,
    largest: Option<Callees<'s>>,
    /// Of a function, or of the case itself.
    own: Option<(i64, Option<&'s str>)>,
}

impl<'s> Beside<'_, '_, 's> {
    fn callees(&mut self, callees: Option<Callees<'s>>) {
        let largest_ns = self.largest.as_ref().map_or(0, |largest| largest.total_ns);
        let is_larger = |callees: &Callees<'_>| callees.total_ns > largest_ns;
        let much = callees.filter(|callees| self.tree.is_much(callees.total_ns));
        self.largest = much.filter(is_larger).or(self.largest.take());
    }

    /// What a function spent in none of its recorded calls.
    fn own(&mut self, name: Option<&'s str>, ns: i64) {
        let is_larger = self.own.is_none_or(|(largest_ns, _)| ns > largest_ns);
        if is_larger && self.tree.is_much(ns) {
            self.own = Some((ns, name));
        }
    }

    /// `, and 426 µs in 2 calls of __hrtimer_run_queues`
    fn said(self) -> String {
        let own_ns = self.own.map_or(0, |(ns, _)| ns);
        let called = self.largest.filter(|largest| largest.total_ns > own_ns);
        let called = called.and_then(|largest| self.tree.said(&self.tree.innermost(largest)));
        let whose = |name: Option<&str>| name.map_or_else(String::new, |name| format!("{name} "));
        let own = || self.own.map(|(ns, name)| format!("{} in {}itself", words::time(ns), whose(name)));
        called.or_else(own).map_or_else(String::new, |said| format!(", and {said}"))
    }
}
