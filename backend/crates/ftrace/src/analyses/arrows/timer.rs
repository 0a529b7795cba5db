//! From the start of a timer to its expiry.

use super::open::Open;
use super::{ArrowKind, emit_arrow, symbol_of};
use crate::analyses::{Analysis, AnalysisEntry, Emit, Event, Gap, SliceKind};
use crate::events::{Decoded, Role};
use crate::model::{Limits, ReadError};

pub static KIND: ArrowKind = ArrowKind {
    name: "timer",
    title: "Timers",
    forward: "sets timer",
    backward: "timer set by",
    events: &["hrtimer_start", "hrtimer_expire_entry"],
    slices: SliceKind::TimerArrow,
    analysis: AnalysisEntry {
        name: "timer_arrows",
        title: "Arrows of timers",
        needs: &[],
        roles: &[Role::HrtimerStart, Role::HrtimerExpireEntry, Role::ListTimerStart, Role::ListTimerExpiry],
        start,
    },
};

fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(Timers(Open::new(limits.max_tasks)))
}

/// The two kinds of timers of the kernel, each by its address.
#[derive(PartialEq, Eq, Hash)]
enum Timer {
    High(u64),
    List(u64),
}

/// Timers that were started. A cancellation says nothing: the kernel also records one for each that is about to
/// expire, and one that was really cancelled is started again before it can expire.
struct Timers(Open<Timer>);

impl Analysis for Timers {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.0.see(event);
        let (timer, function) = match &event.decoded {
            Decoded::TimerStart(start) => {
                self.0.begin(Timer::High(start.timer), event);
                return Ok(());
            }
            Decoded::ListTimerStart(start) => {
                self.0.begin(Timer::List(start.address), event);
                return Ok(());
            }
            Decoded::TimerExpiry(expiry) => (Timer::High(expiry.timer), expiry.function),
            Decoded::ListTimerExpiry(expiry) => (Timer::List(expiry.address), expiry.function),
            _ => return Ok(()),
        };
        let Some(origin) = self.0.end(&timer, event) else { return Ok(()) };
        let symbol = symbol_of(function, emit)?;
        emit_arrow(KIND.slices, origin, event, (event.task, symbol), emit)
    }

    fn gap(&mut self, gap: Gap, _emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.0.gap(gap);
        Ok(())
    }
}
