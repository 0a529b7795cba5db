//! Whatever is recorded, what is said of a case adds up to it.

use std::fmt::Write;

use proptest::prelude::*;

use super::headline;
use crate::testing::explain::explain_all;

/// Two tasks and two CPUs at random, with every event that explanations look at.
fn line(kind: u8, cpu: u8, pid: u8, t_us: u64) -> String {
    let other = if pid == 0 { 9 } else { 0 };
    let event = match kind {
        0 => format!(
            "sched_switch: prev_comm=a prev_pid={pid} prev_prio=120 prev_state=R ==> next_comm=b next_pid={other} next_prio=89"
        ),
        1 => format!(
            "sched_switch: prev_comm=b prev_pid={other} prev_prio=89 prev_state=S ==> next_comm=a next_pid={pid} next_prio=120"
        ),
        2 => format!("sched_waking: comm=b pid=9 prio=89 target_cpu=00{}", pid % 2),
        3 => format!("sched_wakeup: comm=b pid=9 prio=89 target_cpu=00{}", pid % 2),
        4 => "local_timer_entry: vector=236".to_owned(),
        5 => "local_timer_exit: vector=236".to_owned(),
        6 => "softirq_entry: vec=1 [action=TIMER]".to_owned(),
        7 => "softirq_exit: vec=1 [action=TIMER]".to_owned(),
        8 => "cpu_idle: state=2 cpu_id=0".to_owned(),
        9 => "cpu_idle: state=4294967295 cpu_id=0".to_owned(),
        10 => format!(
            "hrtimer_start: hrtimer=00000000000000aa function=hrtimer_wakeup expires={} softexpires=0",
            t_us * 1000 + 20_000
        ),
        11 => format!(
            "hrtimer_expire_entry: hrtimer=00000000000000aa function=hrtimer_wakeup now={}",
            t_us * 1000
        ),
        12 => "sys_enter: NR 230 (1, 1, 0, 0, 0, 0)".to_owned(),
        13 => "sys_exit: NR 230 = 0".to_owned(),
        14 => format!("sched_migrate_task: comm=b pid=9 prio=89 orig_cpu={cpu} dest_cpu={}", pid % 2),
        15 => format!(
            "timerlat: #{pid}     context {} timer_latency {} ns",
            if cpu == 0 { "irq" } else { "thread" },
            t_us * 10
        ),
        16 => format!("irq_noise: local_timer:236 start 1.{t_us:06}000 duration {} ns", u64::from(pid) * 900),
        17 => format!("thread_noise: b:9 start 1.{t_us:06}000 duration {} ns", u64::from(pid) * 700),
        18 => format!("osnoise: 1000 {pid} 0.9 {pid} 1 0 2 3 4"),
        19 => "irq_disable: caller=a+0x1/0x2 parent=b+0x1/0x2".to_owned(),
        20 => "irq_enable: caller=c+0x1/0x2 parent=d+0x1/0x2".to_owned(),
        21 => return format!("LOST [{cpu}]"),
        _ => "hwlat: #1 inner/outer(us): 3/4 ts:1.0 count:1".to_owned(),
    };
    format!("a-{pid} [{cpu}] 1.{t_us:06}: {event}")
}

proptest! {
    #[test]
    fn everything_adds_up(events in prop::collection::vec((0_u8..23, 0_u8..2, 0_u8..11, 0_u64..40), 1..60)) {
        let mut text = String::new();
        let mut t_us = 0;
        for (kind, cpu, pid, distance_us) in events {
            t_us += distance_us;
            writeln!(text, "{}", line(kind, cpu, pid, t_us)).unwrap();
        }
        explain_all(&text, |_| true, |case, explanation, around| {
            let blamed: i64 = explanation.blame.iter().map(|blame| blame.duration_ns).sum();
            assert_eq!(blamed, case.duration_ns, "{case:?}\n{text}");
            assert!(explanation.blame.iter().all(|blame| blame.duration_ns > 0 && blame.longest_ns > 0));
            if !explanation.stages.is_empty() {
                let steps: i64 = explanation.stages.iter().map(|stage| stage.duration_ns).sum();
                assert_eq!(steps, case.duration_ns, "{case:?}\n{text}");
                assert!(explanation.stages.iter().all(|stage| stage.duration_ns >= 0));
            }
            let mut at_ns = case.start_ns;
            for link in &explanation.why {
                assert_eq!(link.start_ns, at_ns, "{case:?}\n{text}");
                assert!(link.start_ns < link.end_ns && !link.sentence.is_empty());
                at_ns = link.end_ns;
            }
            assert!(explanation.why.is_empty() || at_ns == case.end_ns(), "{case:?}\n{text}");
            assert!(explanation.evidence.iter().all(|evidence| evidence.overlap_ns > 0));
            assert!(!explanation.headline.is_empty());
            assert_eq!(headline(case, around), explanation.headline);
        });
    }
}
