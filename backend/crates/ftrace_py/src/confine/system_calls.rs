//! A list of the few system calls that reading a file needs; any other one kills the process.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter_all_threads,
};

/// Allowed with any arguments: they reach memory, open descriptors and the process's own signals only.
const ALLOWED: &[libc::c_long] = &[
    // Files that are open: the upload, the scratch file, the pipe, standard error.
    libc::SYS_read,
    libc::SYS_pread64,
    libc::SYS_write,
    libc::SYS_pwrite64,
    libc::SYS_writev,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_close,
    // Memory.
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    // Signals of its own, as a fault or the end of its time sends them.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    // Itself.
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_clock_gettime,
    libc::SYS_getrandom,
    libc::SYS_sched_yield,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Refused with an error: libraries try them and go on without. When memory runs out, for example, the
/// allocator looks for the number of CPUs, and that must end as what it is.
const REFUSED: &[libc::c_long] = &[
    libc::SYS_openat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_readlinkat,
    libc::SYS_faccessat,
    libc::SYS_ioctl,
    libc::SYS_prlimit64,
    libc::SYS_sched_getaffinity,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
];

/// Closes the process's way to the kernel. Returns the name of the wall, none where the kernel or this
/// program knows no filters for the processor.
pub fn close_all_but_a_few() -> Option<String> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH).ok()?;
    close(architecture).ok()?;
    Some("seccomp".to_owned())
}

fn close(architecture: TargetArch) -> Result<(), Error> {
    let refused = REFUSED.iter().map(|&call| (call, Vec::new()));
    let errors = SeccompFilter::new(
        refused.clone().collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EACCES.unsigned_abs()),
        architecture,
    )?;
    // The kernel asks both filters and takes the harder answer, so this one has to let the refused calls pass.
    let mut passed: BTreeMap<_, _> = refused.collect();
    passed.extend(ALLOWED.iter().map(|&call| (call, Vec::new())));
    passed.extend(conditional()?);
    let kills = SeccompFilter::new(passed, SeccompAction::KillProcess, SeccompAction::Allow, architecture)?;
    for filter in [errors, kills] {
        let program: BpfProgram = filter.try_into()?;
        apply_filter_all_threads(&program)?;
    }
    Ok(())
}

/// Calls that some arguments make dangerous.
fn conditional() -> Result<Vec<(libc::c_long, Vec<SeccompRule>)>, Error> {
    let never_executable = argument(2, SeccompCmpOp::MaskedEq(word(libc::PROT_EXEC)), 0)?;
    let private_flags = word(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME);
    let waiting = [libc::FUTEX_WAIT, libc::FUTEX_WAKE, libc::FUTEX_WAIT_BITSET, libc::FUTEX_WAKE_BITSET];
    let own_pid = u64::from(std::process::id());
    Ok(vec![
        (libc::SYS_mmap, vec![never_executable.clone()]),
        (libc::SYS_mprotect, vec![never_executable]),
        // Locks of the interpreter; the rest of futex(2) has a history of holes.
        (
            libc::SYS_futex,
            waiting
                .iter()
                .map(|&operation| {
                    let mask = u64::from(u32::MAX) & !private_flags;
                    argument(1, SeccompCmpOp::MaskedEq(mask), word(operation))
                })
                .collect::<Result<_, _>>()?,
        ),
        // A second descriptor for the same file. `F_SETOWN` would make the kernel send signals to others.
        (libc::SYS_fcntl, vec![argument(1, SeccompCmpOp::Eq, word(libc::F_DUPFD_CLOEXEC))?]),
        // abort(3).
        (libc::SYS_tgkill, vec![argument(0, SeccompCmpOp::Eq, own_pid)?]),
    ])
}

fn argument(index: u8, comparison: SeccompCmpOp, value: u64) -> Result<SeccompRule, Error> {
    let condition = SeccompCondition::new(index, SeccompCmpArgLen::Dword, comparison, value)?;
    Ok(SeccompRule::new(vec![condition])?)
}

fn word(value: libc::c_int) -> u64 {
    u64::from(value.unsigned_abs())
}
