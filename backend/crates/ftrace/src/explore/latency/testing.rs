//! A small recording, and requests about it.

use super::field_series::params_with_series;
use super::scan::{Purpose, ScanTables, scan};
use crate::explore::fixture::explanations;
use crate::explore::protocol::{Answer, Answering, Need, Shelf, Stored, ask_with};
use crate::store::tables::projections::EXPLANATION;
use crate::store::testing::Written;

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

/// A request with these parameters, of a trace that begins at one second.
pub fn request(parameters: &str) -> String {
    let comma = if parameters.is_empty() { "" } else { "," };
    format!(
        r#"{{{parameters}{comma}"trace":{{"origin_ns":"1000000000","duration_ns":5000000,"url":"http://h/t/x"}}}}"#
    )
}

/// The tables of a recording, one of whose cases was explained.
pub fn shelf(written: &Written) -> Shelf {
    let explained = explanations(&[("wakeup-7@1000200000", "sh was late")]);
    Shelf::of(written).with(&EXPLANATION, explained)
}

/// The answer from the samples themselves, whether or not less would do.
pub fn scanned(purpose: Purpose, request: &str, written: &Written) -> Answer {
    scanned_seen(purpose, request, &shelf(written), |_| ())
}

/// The same, with a look at everything that is needed on the way.
pub fn scanned_seen(purpose: Purpose, request: &str, shelf: &Shelf, see: impl FnMut(&Need)) -> Answer {
    let question = |stored: Stored| -> Answering {
        Box::pin(async move {
            let params = params_with_series(&stored).await?;
            let tables = ScanTables::fetch(&stored).await;
            scan(&stored, params, purpose, tables).await
        })
    };
    ask_with(request, shelf, question, see)
}
