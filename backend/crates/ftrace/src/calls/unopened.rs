//! Calls whose entry is not in the file, until it is known why.
//!
//! Those that were under way when the recording began are cut. A recording that has no entry at all was made with
//! `tracing_thresh`: the kernel records the end of a call that took long, with its duration, and nothing else
//! (kernel/trace/trace_functions_graph.c, `trace_graph_thresh_return`). Its calls are whole.

use super::CallBuilder;
use super::call::{CallFlags, CallSink};
use super::task_stack::OpenCall;
use crate::model::{Code, Diagnostic, Ns, Place};

/// Ends that wait for the first entry. A recording with more ends before it than this has none.
const HELD_LIMIT: usize = 65_536;

/// What a recording holds of its calls.
#[derive(Debug)]
pub(super) enum Recorded {
    /// Ends so far; there may be entries yet.
    Unknown(Held),
    Entries,
    OnlyEnds,
}

/// What waits for the decision.
#[derive(Debug, Default)]
pub(super) struct Held {
    calls: Vec<HeldCall>,
    /// Where an end without its entry is, and of what.
    ends: Vec<(Place, Vec<u8>)>,
}

#[derive(Debug)]
struct HeldCall {
    stack: usize,
    call: OpenCall,
    duration_ns: Ns,
    self_ns: Ns,
    retval: Vec<u8>,
}

impl Default for Recorded {
    fn default() -> Self {
        Self::Unknown(Held::default())
    }
}

impl CallBuilder<'_> {
    /// Reports the end of a call without its entry, once it is known what it means.
    pub(super) fn unopened(&mut self, place: Place, symbol: &[u8], out: &mut dyn CallSink) {
        match &mut self.recorded {
            Recorded::Unknown(held) => {
                held.ends.push((place, symbol.to_vec()));
                if held.ends.len() >= HELD_LIMIT {
                    self.decide(Recorded::OnlyEnds, out);
                }
            }
            Recorded::Entries => report(Code::UnbalancedClose, place, symbol, out),
            Recorded::OnlyEnds => report(Code::OnlyEnds, place, symbol, out),
        }
    }

    /// Decides what the recording holds, and hands on what waited for that.
    pub(super) fn decide(&mut self, recorded: Recorded, out: &mut dyn CallSink) {
        let Recorded::Unknown(held) = std::mem::replace(&mut self.recorded, recorded) else { return };
        for (place, symbol) in held.ends {
            self.unopened(place, &symbol, out);
        }
        for HeldCall { stack, call, duration_ns, self_ns, retval } in held.calls {
            self.emit(stack, &call, duration_ns, self_ns, &retval, out);
        }
    }

    /// Hands a finished call on, or keeps it until it is known whether it is cut.
    pub(super) fn hand_on(
        &mut self,
        stack: usize,
        call: &OpenCall,
        (duration_ns, self_ns): (Ns, Ns),
        retval: &[u8],
        out: &mut dyn CallSink,
    ) {
        match &mut self.recorded {
            Recorded::Unknown(held) if call.flags & CallFlags::STARTED_BEFORE != 0 => {
                let (call, retval) = (call.clone(), retval.to_vec());
                held.calls.push(HeldCall { stack, call, duration_ns, self_ns, retval });
            }
            _ => self.emit(stack, call, duration_ns, self_ns, retval, out),
        }
    }

    /// Of a finished call.
    pub(super) fn flags_of(&self, call: &OpenCall) -> CallFlags {
        match self.recorded {
            Recorded::OnlyEnds => {
                let outermost = if call.parent.is_none() { CallFlags::OUTERMOST } else { 0 };
                CallFlags(call.flags & !CallFlags::STARTED_BEFORE | outermost)
            }
            _ => CallFlags(call.flags),
        }
    }
}

fn report(code: Code, place: Place, sample: &[u8], out: &mut dyn CallSink) {
    out.diagnostic(Diagnostic { code, place, sample, count: 1 });
}
