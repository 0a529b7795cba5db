//! Statistics of every function over the whole trace.

use super::quantiles::Quantiles;
use crate::analyses::{Slice, SliceFlags};
use crate::model::{Ns, ReadError};
use crate::store::tables::FUNCTION_STAT;
use crate::store::writer::TableWriter;

/// One entry per symbol that has calls.
#[derive(Default)]
pub struct FunctionStats {
    by_symbol: Vec<Option<Box<FunctionStat>>>,
}

struct FunctionStat {
    count: i64,
    total_ns: Ns,
    self_ns: Ns,
    min_ns: Ns,
    max_ns: Ns,
    quantiles: Quantiles,
    slowest: Slowest,
}

#[derive(Clone, Copy)]
struct Slowest {
    call: i32,
    start_ns: Ns,
    cpu: i16,
    task: Option<i32>,
    depth: i16,
}

impl FunctionStats {
    /// Counts a call, unless the trace ends inside it: then its duration is not known.
    pub fn add(&mut self, call: &Slice<'_>) {
        let Some(symbol) = call.symbol.and_then(|symbol| usize::try_from(symbol).ok()) else { return };
        if call.flags.has(SliceFlags::CUT_AT_END) {
            return;
        }
        if symbol >= self.by_symbol.len() {
            self.by_symbol.resize_with(symbol.saturating_add(1), || None);
        }
        if let Some(entry) = self.by_symbol.get_mut(symbol) {
            entry.get_or_insert_with(|| Box::new(FunctionStat::new(call))).add(call);
        }
    }

    /// One row a function that was called.
    pub fn write(self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        for (symbol, stat) in (0_i32..).zip(self.by_symbol) {
            let Some(stat) = stat else { continue };
            let [p50_ns, p99_ns] = stat.quantiles.percentiles([50, 99]).unwrap_or_default();
            // The middle of a cell may lie past the samples in it.
            let held = |value: Ns| value.clamp(stat.min_ns, stat.max_ns);
            writer.row(&FUNCTION_STAT, |row| {
                row.int(symbol).int(stat.count).int(stat.total_ns).int(stat.self_ns).int(stat.min_ns);
                row.int(held(p50_ns)).int(held(p99_ns)).int(stat.max_ns);
                let slowest = stat.slowest;
                row.int(slowest.call).int(slowest.start_ns).int(slowest.cpu);
                row.optional_int(slowest.task).int(slowest.depth);
            })?;
        }
        Ok(())
    }
}

impl FunctionStat {
    fn new(call: &Slice<'_>) -> Self {
        Self {
            count: 0,
            total_ns: Ns::ZERO,
            self_ns: Ns::ZERO,
            min_ns: Ns::MAX,
            max_ns: Ns::ZERO,
            quantiles: Quantiles::default(),
            slowest: Slowest::new(call),
        }
    }

    fn add(&mut self, call: &Slice<'_>) {
        self.count = self.count.saturating_add(1);
        self.total_ns += call.duration_ns;
        self.self_ns += call.self_ns;
        self.min_ns = self.min_ns.min(call.duration_ns);
        // Of equally slow calls, the first is kept.
        if call.duration_ns > self.max_ns {
            self.max_ns = call.duration_ns;
            self.slowest = Slowest::new(call);
        }
        self.quantiles.add(call.duration_ns);
    }
}

impl Slowest {
    fn new(call: &Slice<'_>) -> Self {
        let narrow = |value| i16::try_from(value).unwrap_or(i16::MAX);
        Self {
            call: call.id.and_then(|id| i32::try_from(id).ok()).unwrap_or(i32::MAX),
            start_ns: call.start_ns,
            cpu: narrow(call.cpu),
            task: call.task.and_then(|task| i32::try_from(task).ok()),
            depth: narrow(call.depth),
        }
    }
}
