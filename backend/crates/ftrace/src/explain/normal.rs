//! The samples that a case is best compared with.

use serde::{Deserialize, Serialize};

use crate::analyses::Subject;
use crate::store::read::samples::StoredLatency;

/// Fewer samples of one CPU than this are no picture of what is normal there.
const MIN_ON_CPU: usize = 3;

/// How much a normal case is like the abnormal one. All are of its kind and key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Likeness {
    /// Of the same task, where the kind is of tasks.
    Task,
    /// Of a task of the same name.
    Comm,
    /// Of another task on the same CPU.
    Cpu,
    /// Of any other task.
    Kind,
}

/// All other samples like one: of its task, where it has others; else of the next wider circle that has any.
///
/// `comm` names the task with an index, if it is known.
pub fn alike<'c>(
    subject: Subject,
    samples: &[StoredLatency],
    abnormal: &StoredLatency,
    comm: impl Fn(i32) -> Option<&'c str>,
) -> Option<(Likeness, Vec<usize>)> {
    let own_comm = comm(abnormal.task_idx);
    let is_like = |likeness: Likeness, sample: &StoredLatency| match likeness {
        _ if sample.symbol_idx != abnormal.symbol_idx => false,
        Likeness::Task => subject == Subject::Cpu || sample.task_idx == abnormal.task_idx,
        Likeness::Comm => own_comm.is_some() && comm(sample.task_idx) == own_comm,
        Likeness::Cpu => sample.cpu == abnormal.cpu,
        Likeness::Kind => true,
    };
    [Likeness::Task, Likeness::Comm, Likeness::Cpu, Likeness::Kind].into_iter().find_map(|likeness| {
        let others = samples.iter().enumerate().filter(|(_, sample)| *sample != abnormal);
        let found = others.filter(|(_, sample)| is_like(likeness, sample)).map(|(at, _)| at);
        let found: Vec<usize> = found.collect();
        (!found.is_empty()).then_some((likeness, found))
    })
}

/// The one of median duration: of those on a CPU where they are enough, else of all.
///
/// A bar of a histogram is one sample that counts as often as the bar says.
pub fn median_of(samples: &[StoredLatency], cpu: Option<i16>, mut alike: Vec<usize>) -> Option<usize> {
    let is_on_cpu = |at: &usize| samples.get(*at).map(|sample| sample.cpu) == cpu;
    if alike.iter().filter(|at| is_on_cpu(at)).count() >= MIN_ON_CPU {
        alike.retain(is_on_cpu);
    }
    let duration = |at: &usize| (samples.get(*at).map(|sample| sample.duration_ns), *at);
    let weight = |at: &usize| samples.get(*at).map_or(1, |sample| sample.weight.max(1));
    if alike.iter().all(|at| weight(at) == 1) {
        let middle = alike.len().checked_sub(1)?.div_euclid(2);
        let (_, at, _) = alike.select_nth_unstable_by_key(middle, duration);
        return Some(*at);
    }
    alike.sort_unstable_by_key(duration);
    let total = alike.iter().map(weight).fold(0, i64::saturating_add);
    let mut left = total.saturating_sub(1).div_euclid(2);
    alike.into_iter().find(|at| {
        left = left.saturating_sub(weight(at));
        left < 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CPU, task and duration of each sample; the case is the first. Tasks 20 and above are all `sh`.
    fn check(subject: Subject, samples: &[(i16, i32, i64)], expected: Option<(Likeness, i64)>) {
        let samples: Vec<StoredLatency> = samples
            .iter()
            .map(|(cpu, task_idx, duration_ns)| StoredLatency {
                task_idx: *task_idx,
                symbol_idx: 0,
                ..StoredLatency::new(*cpu, 0, *duration_ns)
            })
            .collect();
        let comm = |task_idx: i32| (task_idx >= 20).then_some("sh");
        let found = alike(subject, &samples, &samples[0], comm).and_then(|(likeness, found)| {
            Some((likeness, samples[median_of(&samples, Some(samples[0].cpu), found)?].duration_ns))
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn the_median_of_the_same_task_is_normal_on_the_same_cpu_first() {
        let task = Subject::Task;
        let own = |duration_ns| Some((Likeness::Task, duration_ns));
        check(task, &[(0, 7, 90), (0, 7, 5), (0, 7, 6), (0, 7, 30), (1, 7, 1), (0, 8, 2)], own(6));
        check(task, &[(0, 7, 90), (0, 7, 5), (1, 7, 6), (1, 7, 30), (0, 8, 2)], own(6));
    }

    #[test]
    fn a_task_with_one_case_is_compared_with_the_next_best() {
        let task = Subject::Task;
        check(task, &[(0, 20, 90), (1, 21, 5), (0, 7, 2)], Some((Likeness::Comm, 5)));
        check(task, &[(0, 6, 90), (0, 8, 2), (1, 9, 1)], Some((Likeness::Cpu, 2)));
        check(task, &[(0, 6, 90), (1, 9, 1)], Some((Likeness::Kind, 1)));
        check(task, &[(0, 6, 90)], None);
    }

    #[test]
    fn the_median_of_a_histogram_is_that_of_all_it_counts() {
        let bar = |duration_ns, weight| StoredLatency { weight, ..StoredLatency::new(0, 0, duration_ns) };
        let bars = [bar(38, 2), bar(7, 900), bar(9, 80), bar(3, 100), bar(88, 1)];
        assert_eq!(median_of(&bars, Some(0), (0..bars.len()).collect()), Some(1));
        assert_eq!(median_of(&bars, Some(0), vec![0, 2, 4]), Some(2));
        assert_eq!(median_of(&bars, Some(0), vec![0, 4]), Some(0));
        assert_eq!(median_of(&bars, Some(0), Vec::new()), None);
    }

    #[test]
    fn for_kinds_of_cpus_the_task_does_not_matter() {
        check(Subject::Cpu, &[(0, 7, 90), (0, 8, 2), (0, 9, 3)], Some((Likeness::Task, 2)));
    }
}
