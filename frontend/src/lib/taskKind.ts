// A trace holds no flag for it, so the names that the kernel gives its threads decide.
const KERNEL_THREAD =
  /^(?:kworker|ksoftirqd|ktimers|migration|rcu|irq\/|kthreadd|cpuhp|idle_inject|kswapd|kcompactd|khugepaged|ksmd|kblockd|watchdog|jbd2|kauditd|khungtaskd|oom_reaper|writeback|scsi_|nvme|posixcputmr|backlog_napi|napi\/|kdevtmpfs|xfs|dmcrypt|vhost-|kthrotld|inet_frag|mm_percpu|pr\/)/;

/** Whether a task of this name is one of the kernel's own threads, judged by its name. */
export function isKernelThread(comm: string): boolean {
  return KERNEL_THREAD.test(comm);
}

/** How the timeline and tables name a task: `cyclictest-1213`, or `pid 1213` where the file has no names. */
export function taskLabel(comm: string | null, pid: number | null): string {
  if (comm === '' && pid !== null) return `pid ${pid}`;
  return pid === null ? (comm ?? '?') : `${comm ?? '<...>'}-${pid}`;
}
