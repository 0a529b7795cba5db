//! Time of a task that its calls did not get: interrupts, softirqs, and stretches without a CPU.

use std::cmp::Reverse;

use hashbrown::HashMap;

use super::ExploreError;
use super::kind::{IRQ, SCHED, SOFTIRQ, TASK};
use super::request::Window;
use crate::store::read::blocks::{ABSENT, SliceBlock};
use crate::store::read::dictionaries::{Dictionary, Task};
use crate::store::read::read_rows;

/// Kinds of slices that it is read from.
const KINDS: [i16; 4] = [IRQ, SOFTIRQ, TASK, SCHED];

/// By task, the stretches in which something else had its CPU.
#[derive(Debug, Default)]
pub struct TimeAway {
    by_task: HashMap<i32, Stretches>,
}

impl TimeAway {
    /// What is stored of it, and these calls that enter interrupts, each with its task. Only what lies in
    /// `window` counts.
    pub fn read(
        slice_block: &[u8],
        interrupts: impl Iterator<Item = (i32, Span)>,
        window: Option<Window>,
        tasks: &Dictionary<Task<'_>>,
    ) -> Result<Self, ExploreError> {
        let idle_of_cpu = idle_tasks(tasks);
        let mut by_task: HashMap<i32, Vec<Stretch>> = HashMap::new();
        for (task_idx, Span { start_ns, end_ns }) in interrupts.filter(|(task_idx, _)| *task_idx != ABSENT) {
            by_task.entry(task_idx).or_default().push(Stretch { start_ns, end_ns, what: What::Entry });
        }
        read_rows(SliceBlock::TABLE, slice_block, |row| {
            let block = SliceBlock::read(row)?;
            if !KINDS.contains(&block.kind) {
                return Ok(());
            }
            let times = block.start_ns.iter().zip(&block.duration_ns);
            for ((start_ns, duration_ns), (cpu, task_idx)) in times.zip(block.cpu.iter().zip(&block.task_idx))
            {
                let task = tasks.get(*task_idx);
                let victim = match block.kind {
                    // While a task runs, the idle task of that CPU does not.
                    SCHED if task.is_some_and(|task| task.pid != Some(0)) => idle_of_cpu.get(cpu).copied(),
                    SCHED => None,
                    SOFTIRQ if task.is_some_and(|task| is_softirq_thread(task.comm)) => None,
                    _ => Some(*task_idx),
                };
                let end_ns = start_ns.saturating_add(*duration_ns);
                let what = if block.kind == IRQ { What::Interrupt } else { What::Other };
                if let Some(victim) = victim.filter(|victim| *victim != ABSENT) {
                    by_task.entry(victim).or_default().push(Stretch { start_ns: *start_ns, end_ns, what });
                }
            }
            Ok(())
        })?;
        let by_task = by_task.into_iter().map(|(task, found)| (task, Stretches::new(found, window)));
        Ok(Self { by_task: by_task.collect() })
    }

    /// Whether a call belongs to something that interrupted its caller, and not to that caller.
    pub fn is_apart(&self, task_idx: i32, caller: Span, call: Span) -> bool {
        let around = self.by_task.get(&task_idx).and_then(|stretches| stretches.around(call));
        around.is_some_and(|around| around > caller.key())
    }

    /// Nanoseconds inside the window that were taken from a call, of what began during it. What the call is part
    /// of, such as the interrupt whose handler it is, began before it.
    pub fn during(&self, task_idx: i32, call: Span) -> i64 {
        self.by_task.get(&task_idx).map_or(0, |stretches| stretches.during(call))
    }
}

/// From the start of a call to its end.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub start_ns: i64,
    pub end_ns: i64,
}

/// What holds others comes before them. Files print whole microseconds, so that many begin with what holds them.
type Key = (i64, Reverse<i64>);

impl Span {
    fn key(self) -> Key {
        (self.start_ns, Reverse(self.end_ns))
    }
}

/// The idle task of each CPU, by its stored index.
fn idle_tasks(tasks: &Dictionary<Task<'_>>) -> HashMap<i16, i32> {
    let idle = tasks.iter().filter(|(_, task)| task.pid == Some(0));
    idle.filter_map(|(idx, task)| Some((task.cpu?, idx))).collect()
}

/// Softirqs are the work of these threads; from all others they take time.
fn is_softirq_thread(comm: &str) -> bool {
    ["ksoftirqd/", "ktimers/", "ktimersoftd/"].iter().any(|name| comm.starts_with(name))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    start_ns: i64,
    end_ns: i64,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// A call of the function through which an interrupt enters.
    Entry,
    /// An interrupt as events say it: within an entry, the same one.
    Interrupt,
    Other,
}

/// Stretches that lie in one another or beside one another, as interrupts do.
#[derive(Debug, Default)]
struct Stretches {
    keys: Vec<Key>,
    /// Of the first so many stretches, what none inside them has: nested ones count once in a sum.
    own_ns: Vec<i64>,
    /// Where each ends, and the number of the one around it.
    ends: Vec<(i64, Option<usize>)>,
}

impl Stretches {
    fn new(mut found: Vec<Stretch>, window: Option<Window>) -> Self {
        found.sort_unstable_by_key(|stretch| (stretch.start_ns, Reverse(stretch.end_ns)));
        let mut all = Self::default();
        let mut around: Vec<(usize, i64, What)> = Vec::new();
        let mut own_ns: Vec<i64> = Vec::with_capacity(found.len());
        for Stretch { start_ns, end_ns, what } in found {
            let key = (start_ns, Reverse(end_ns));
            while around.pop_if(|(_, until_ns, _)| *until_ns <= start_ns).is_some() {}
            let outer = around.last().copied();
            if what == What::Interrupt && outer.is_some_and(|(.., outer)| outer == What::Entry) {
                continue;
            }
            // Two clock readings may make a nested stretch end after what it lies in.
            let end_ns = outer.map_or(end_ns, |(_, until_ns, _)| end_ns.min(until_ns));
            let inside_ns = clipped_ns(window, start_ns, end_ns);
            if let Some(outer) = outer.and_then(|(outer, ..)| own_ns.get_mut(outer)) {
                *outer = outer.saturating_sub(inside_ns);
            }
            around.push((own_ns.len(), end_ns, what));
            own_ns.push(inside_ns);
            all.keys.push(key);
            all.ends.push((end_ns, outer.map(|(number, ..)| number)));
        }
        let mut sum_ns = 0_i64;
        let sums = own_ns.into_iter().map(|own_ns| {
            sum_ns = sum_ns.saturating_add(own_ns);
            sum_ns
        });
        all.own_ns = std::iter::once(0).chain(sums).collect();
        all
    }

    /// The innermost stretch that holds a call.
    fn around(&self, call: Span) -> Option<Key> {
        let mut number = self.keys.partition_point(|key| *key <= call.key()).checked_sub(1);
        while let Some(at) = number {
            let (end_ns, outer) = self.ends.get(at).copied()?;
            if call.start_ns < end_ns {
                return self.keys.get(at).copied();
            }
            number = outer;
        }
        None
    }

    fn during(&self, call: Span) -> i64 {
        let up_to = |number: usize| self.own_ns.get(number).copied().unwrap_or(0);
        let first = self.keys.partition_point(|key| *key <= call.key());
        let last = self.keys.partition_point(|(start_ns, _)| *start_ns < call.end_ns);
        up_to(last).saturating_sub(up_to(first)).max(0)
    }
}

/// How much of a stretch lies in the window.
pub fn clipped_ns(window: Option<Window>, start_ns: i64, end_ns: i64) -> i64 {
    let (from_ns, to_ns) = window
        .map_or((start_ns, end_ns), |window| (start_ns.max(window.start_ns), end_ns.min(window.end_ns)));
    to_ns.saturating_sub(from_ns).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretches(spans: &[(i64, i64)], window: Option<Window>) -> Stretches {
        let found = spans.iter().map(|(start_ns, end_ns)| Stretch {
            start_ns: *start_ns,
            end_ns: *end_ns,
            what: What::Other,
        });
        Stretches::new(found.collect(), window)
    }

    fn span(start_ns: i64, end_ns: i64) -> Span {
        Span { start_ns, end_ns }
    }

    #[test]
    fn nested_stretches_count_once() {
        let away = stretches(&[(20, 30), (10, 50), (12, 25), (60, 70)], None);
        assert_eq!(away.during(span(0, 100)), 50);
        assert_eq!(away.during(span(0, 60)), 40);
        // A call of the handler: only what interrupts the handler is taken from it.
        assert_eq!(away.during(span(10, 50)), 13);
        assert_eq!(away.during(span(26, 50)), 0);
    }

    #[test]
    fn an_interrupt_within_its_entry_is_the_same_one() {
        let stretch = |start_ns, end_ns, what| Stretch { start_ns, end_ns, what };
        let away = Stretches::new(
            vec![
                stretch(10, 50, What::Entry),
                stretch(12, 40, What::Interrupt),
                stretch(20, 30, What::Other),
                stretch(60, 70, What::Interrupt),
            ],
            None,
        );
        assert_eq!((away.during(span(0, 100)), away.during(span(10, 50))), (50, 10));
        let around =
            [5, 10, 15, 25, 35, 50, 65].map(|t| away.around(span(t, t + 1)).map(|(start_ns, _)| start_ns));
        assert_eq!(around, [None, Some(10), Some(10), Some(20), Some(10), None, Some(60)]);
        // A call from the same instant on that is longer is interrupted, and not part of it.
        assert_eq!((away.around(span(10, 60)), away.during(span(10, 60))), (None, 40));
    }

    #[test]
    fn only_what_is_in_the_window_counts() {
        let window = Some(Window { start_ns: 40, end_ns: 65 });
        let away = stretches(&[(10, 50), (60, 70), (80, 90)], window);
        assert_eq!(away.during(span(0, 100)), 15);
        assert_eq!(away.during(span(30, 100)), 5);
    }

    /// Against the plain way: every nanosecond of the call that any stretch covers which began during it.
    #[test]
    fn sums_equal_those_of_single_nanoseconds() {
        let mut seed = 7_u64;
        let mut next = |below: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from(seed >> 33).unwrap().rem_euclid(below)
        };
        for _ in 0..500 {
            // Laminar: each is put into a random one, or beside all.
            let mut spans = vec![(0_i64, 1_000_i64)];
            for _ in 0..8 {
                let (from, to) = spans[usize::try_from(next(i64::try_from(spans.len()).unwrap())).unwrap()];
                if to - from < 4 {
                    continue;
                }
                let start = from + next(to - from - 2);
                let candidate = (start, start + 1 + next(to - start));
                let is_laminar = spans.iter().all(|(start, end)| {
                    candidate.1 <= *start
                        || candidate.0 >= *end
                        || (candidate.0 >= *start && candidate.1 <= *end)
                });
                if is_laminar {
                    spans.push(candidate);
                }
            }
            let away = stretches(&spans[1..], None);
            for (start, end) in &spans {
                let began =
                    |one: &&(i64, i64)| (one.0 > *start || one.0 == *start && one.1 < *end) && one.0 < *end;
                let covered = (*start..*end)
                    .filter(|t| spans[1..].iter().filter(began).any(|one| one.0 <= *t && *t < one.1));
                assert_eq!(
                    away.during(span(*start, *end)),
                    i64::try_from(covered.count()).unwrap(),
                    "{spans:?}"
                );
            }
        }
    }
}
