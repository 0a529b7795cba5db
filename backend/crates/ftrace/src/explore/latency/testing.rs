//! A small recording, and requests about it.

use crate::import::testing::Written;
use crate::store::tables::Table;

/// Three wakeups of two tasks; the longest migrates.
pub const LINES: &str = "
    <idle>-0 [0] 1.000000: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
    <idle>-0 [1] 1.000050: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
    rt-9     [1] 1.000060: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
    <idle>-0 [1] 1.000100: sched_waking: comm=rt pid=9 prio=89 target_cpu=001
    <idle>-0 [1] 1.000110: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=rt next_pid=9 next_prio=89
    <idle>-0 [0] 1.000200: sched_waking: comm=sh pid=7 prio=120 target_cpu=000
    <idle>-0 [0] 1.000230: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
    ";

/// The stream of a table that is written in one piece.
pub fn whole<'a>(written: &'a Written, table: &'static Table) -> &'a [u8] {
    written.streams(table).next().unwrap_or_default()
}

/// A request with these parameters, of a trace that begins at one second.
pub fn request(parameters: &str) -> String {
    let comma = if parameters.is_empty() { "" } else { "," };
    format!(
        r#"{{{parameters}{comma}"trace":{{"origin_ns":"1000000000","duration_ns":5000000,"url":"http://h/t/x"}}}}"#
    )
}
