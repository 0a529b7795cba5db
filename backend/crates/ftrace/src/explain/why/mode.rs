//! Whether a task was in the kernel, which alone can switch interrupts off.

/// Where a task executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Kernel,
    User,
    Unknown,
}

/// Names that the kernel gives its own threads, up to the first character that differs between them.
/// Sources: kernel/smpboot.c users, kernel/workqueue.c, kernel/rcu/, mm/, fs/jbd2, kernel/irq/manage.c, Linux 6.12.
const KERNEL_THREADS: &[&str] = &[
    "kworker/",
    "ksoftirqd/",
    "ktimers/",
    "migration/",
    "cpuhp/",
    "idle_inject/",
    "rcuc/",
    "rcub/",
    "rcuop/",
    "rcuog/",
    "rcuos/",
    "rcu_",
    "irq/",
    "irq_work/",
    "watchdog/",
    "jbd2/",
    "scsi_eh_",
    "scsi_tmf_",
    "kthreadd",
    "kswapd",
    "khugepaged",
    "kcompactd",
    "ksmd",
    "kauditd",
    "kdevtmpfs",
    "oom_reaper",
    "khungtaskd",
    "kblockd",
    "writeback",
    "pool_workqueue_",
    "backlog_napi/",
    "napi/",
    "xfsaild/",
    "nvme-",
    "dmcrypt_write/",
    "md",
    "stopper/",
    "posixcputmr/",
    "timerlat/",
    "osnoise/",
    "hwlatd",
    "mm_percpu_wq",
    "kpsmoused",
    "zswap-shrink",
];

/// How many characters of a name a latency tracer prints.
const CUT_AT: usize = 8;

/// True for names that only threads of the kernel bear as a rule, cut as a latency tracer cuts them or not.
pub fn is_kernel_thread_name(comm: &str) -> bool {
    KERNEL_THREADS.iter().any(|prefix| match *prefix {
        "md" => comm.strip_prefix("md").is_some_and(|rest| rest.contains("_raid")),
        prefix => comm.starts_with(prefix) || is_cut(comm, prefix),
    })
}

/// True for the beginning of a word that is longer than a latency tracer prints: `watchdog` is a whole one.
fn is_cut(comm: &str, prefix: &str) -> bool {
    let rest = prefix.strip_prefix(comm).filter(|_| comm.len() == CUT_AT);
    rest.is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::is_kernel_thread_name;

    #[test]
    fn names_of_kernel_threads_are_known_even_if_a_latency_tracer_cut_them() {
        for comm in ["ksoftirqd/3", "ksoftirq", "kworker/", "posixcpu", "kcompact", "rcu_pree", "md0_raid1"] {
            assert!(is_kernel_thread_name(comm), "{comm}");
        }
        for comm in ["watchdog", "irq_work", "ksoft", "md5sum", "kswap", "timerlat"] {
            assert!(!is_kernel_thread_name(comm), "{comm}");
        }
    }
}
