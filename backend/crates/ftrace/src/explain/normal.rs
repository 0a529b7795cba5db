//! The sample that a case is best compared with.

use crate::analyses::Subject;
use crate::explore::latency::samples::StoredLatency;

/// Fewer samples of one CPU than this are no picture of what is normal there.
const MIN_ON_CPU: usize = 3;

/// The sample of median duration among others of the same task, for kinds of tasks, and the same key: of
/// the same CPU where there are enough, else of any.
pub fn normal(subject: Subject, samples: &[StoredLatency], case: usize) -> Option<usize> {
    let abnormal = samples.get(case)?;
    let names = |sample: &StoredLatency| {
        let task_idx = Some(sample.task_idx).filter(|_| subject == Subject::Task);
        (task_idx, sample.symbol_idx)
    };
    let alike = samples.iter().enumerate().filter(|(at, _)| *at != case);
    let mut alike: Vec<(i64, usize)> = alike
        .filter(|(_, sample)| names(sample) == names(abnormal))
        .map(|(at, sample)| (sample.duration_ns, at))
        .collect();
    let is_on_cpu = |at: usize| samples.get(at).is_some_and(|sample| sample.cpu == abnormal.cpu);
    if alike.iter().filter(|(_, at)| is_on_cpu(*at)).count() >= MIN_ON_CPU {
        alike.retain(|(_, at)| is_on_cpu(*at));
    }
    let middle = alike.len().checked_sub(1)?.div_euclid(2);
    let (_, (_, at), _) = alike.select_nth_unstable(middle);
    Some(*at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyses::SampleFlags;

    /// CPU, task and duration of each sample; the case is the first.
    fn check(subject: Subject, samples: &[(i16, i32, i64)], expected: Option<i64>) {
        let samples: Vec<StoredLatency> = samples
            .iter()
            .map(|(cpu, task_idx, duration_ns)| StoredLatency {
                start_ns: 0,
                duration_ns: *duration_ns,
                cpu: *cpu,
                start_cpu: *cpu,
                task_idx: *task_idx,
                symbol_idx: 0,
                flags: SampleFlags::default(),
                sleep_ns: None,
                frequency_khz: None,
                idle_state: None,
            })
            .collect();
        assert_eq!(normal(subject, &samples, 0).map(|at| samples[at].duration_ns), expected);
    }

    #[test]
    fn the_median_of_the_same_task_is_normal_on_the_same_cpu_first() {
        let task = Subject::Task;
        check(task, &[(0, 7, 90), (0, 7, 5), (0, 7, 6), (0, 7, 30), (1, 7, 1), (0, 8, 2)], Some(6));
        check(task, &[(0, 7, 90), (0, 7, 5), (1, 7, 6), (1, 7, 30), (0, 8, 2)], Some(6));
        check(task, &[(0, 7, 90), (0, 8, 2)], None);
    }

    #[test]
    fn for_kinds_of_cpus_the_task_does_not_matter() {
        check(Subject::Cpu, &[(0, 7, 90), (0, 8, 2), (0, 9, 3)], Some(2));
    }
}
