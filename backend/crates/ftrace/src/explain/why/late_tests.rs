//! What made something late, on the few lines that prove it.

use crate::testing::explain::headlines;

/// A softirq raises itself again as it ends, and wakes `woken`.
fn raised_again(woken: &str) -> String {
    headlines(
        &format!(
            "
            a-7 [1] d..2. 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=7 next_prio=120
            a-7 [1] ..s.. 1.000090: softirq_entry: vec=9 [action=RCU]
            a-7 [1] d.s.. 1.000100: softirq_raise: vec=9 [action=RCU]
            a-7 [1] ..s.. 1.000101: softirq_exit: vec=9 [action=RCU]
            {woken}
            a-7 [1] d.h.. 1.003988: local_timer_entry: vector=236
            a-7 [1] dNh.. 1.003995: local_timer_exit: vector=236
            a-7 [1] .Ns.. 1.004000: softirq_entry: vec=9 [action=RCU]
            a-7 [1] .Ns.. 1.004010: softirq_exit: vec=9 [action=RCU]
            a-7 [1] d..2. 1.004020: sched_switch: prev_comm=a prev_pid=7 prev_prio=120 prev_state=R ==> next_comm=ksoftirqd/1 next_pid=22 next_prio=120
            "
        ),
        "softirq_raise",
    )
}

#[test]
fn softirqs_are_not_off_where_their_thread_was_woken_for_them() {
    let own = "a-7 [1] d.s2. 1.000102: sched_waking: comm=ksoftirqd/1 pid=22 prio=120 target_cpu=001";
    let said = raised_again(own);
    assert!(said.contains("to ksoftirqd/1-22, which waited"), "{said}");
    assert!(said.contains("behind a-7"), "{said}");
}
