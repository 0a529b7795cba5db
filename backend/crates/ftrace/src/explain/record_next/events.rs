//! Events that a command line may name, with the systems that they belong to.

/// Every event that explanations use, by its system, in the order in which a command names them.
/// Sources: include/trace/events/*.h, arch/x86/include/asm/trace/irq_vectors.h, Linux 6.12.
const SYSTEMS: &[(&str, &[&str])] = &[
    (
        "sched",
        &[
            "sched_switch",
            "sched_waking",
            "sched_wakeup",
            "sched_wakeup_new",
            "sched_migrate_task",
            "sched_process_fork",
            "sched_process_exec",
            "sched_process_exit",
            "sched_pi_setprio",
        ],
    ),
    ("irq", &["irq_handler_entry", "irq_handler_exit", "softirq_raise", "softirq_entry", "softirq_exit"]),
    (
        "irq_vectors",
        &[
            "local_timer_entry",
            "local_timer_exit",
            "reschedule_entry",
            "reschedule_exit",
            "call_function_entry",
            "call_function_exit",
            "call_function_single_entry",
            "call_function_single_exit",
        ],
    ),
    ("ipi", &["ipi_raise", "ipi_entry", "ipi_exit"]),
    (
        "timer",
        &[
            "hrtimer_start",
            "hrtimer_expire_entry",
            "hrtimer_expire_exit",
            "hrtimer_cancel",
            "timer_start",
            "timer_expire_entry",
            "timer_expire_exit",
        ],
    ),
    ("workqueue", &["workqueue_queue_work", "workqueue_execute_start", "workqueue_execute_end"]),
    ("power", &["cpu_idle", "cpu_frequency"]),
    ("raw_syscalls", &["sys_enter", "sys_exit"]),
    (SECTIONS, &["irq_disable", "irq_enable", "preempt_disable", "preempt_enable"]),
];

/// The events of sections, which few kernels have, and which are frequent.
pub const SECTIONS: &str = "preemptirq";
/// From this many events of one system on, the system is named instead.
const WHOLE_SYSTEM: usize = 4;

/// What follows each `-e`: the events that are wanted, those of one system together.
pub fn arguments(is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut arguments = Vec::new();
    for (system, events) in SYSTEMS {
        let wanted: Vec<&str> = events.iter().copied().filter(|event| is_wanted(event)).collect();
        if wanted.len() >= WHOLE_SYSTEM {
            arguments.push((*system).to_owned());
        } else {
            arguments.extend(wanted.iter().map(|event| format!("{system}:{event}")));
        }
    }
    arguments
}
