//! Names that older kernels left in print formats in place of their values.

/// The value of a constant of the kernel; `None` for a name that is not known.
///
/// Source: include/linux/interrupt.h, include/linux/hrtimer.h and include/linux/pm_qos.h, Linux 4.4 to 6.18.
pub fn constant(name: &[u8]) -> Option<i64> {
    Some(match name {
        b"NULL" | b"false" => 0,
        b"true" => 1,
        b"HI_SOFTIRQ" => 0,
        b"TIMER_SOFTIRQ" => 1,
        b"NET_TX_SOFTIRQ" => 2,
        b"NET_RX_SOFTIRQ" => 3,
        b"BLOCK_SOFTIRQ" => 4,
        b"IRQ_POLL_SOFTIRQ" | b"BLOCK_IOPOLL_SOFTIRQ" => 5,
        b"TASKLET_SOFTIRQ" => 6,
        b"SCHED_SOFTIRQ" => 7,
        b"HRTIMER_SOFTIRQ" => 8,
        b"RCU_SOFTIRQ" => 9,
        b"HRTIMER_NORESTART" => 0,
        b"HRTIMER_RESTART" => 1,
        b"HRTIMER_MODE_ABS" => 0,
        b"HRTIMER_MODE_REL" => 1,
        b"HRTIMER_MODE_ABS_PINNED" => 2,
        b"HRTIMER_MODE_REL_PINNED" => 3,
        b"HRTIMER_MODE_ABS_SOFT" => 4,
        b"HRTIMER_MODE_REL_SOFT" => 5,
        b"HRTIMER_MODE_ABS_PINNED_SOFT" => 6,
        b"HRTIMER_MODE_REL_PINNED_SOFT" => 7,
        b"HRTIMER_MODE_ABS_HARD" => 8,
        b"HRTIMER_MODE_REL_HARD" => 9,
        b"HRTIMER_MODE_ABS_PINNED_HARD" => 10,
        b"HRTIMER_MODE_REL_PINNED_HARD" => 11,
        b"PM_QOS_ADD_REQ" => 0,
        b"PM_QOS_UPDATE_REQ" => 1,
        b"PM_QOS_REMOVE_REQ" => 2,
        _ => return None,
    })
}
