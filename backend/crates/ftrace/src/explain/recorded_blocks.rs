//! Decoded blocks of slices and of events, with what is asked of them again and again.

use std::ops::Range;

use super::span::Span;
use crate::analyses::{SliceFlags, SliceKind};
use crate::store::read::blocks::{EventBlock, SliceBlock};

/// Slices of one kind.
pub struct Slices<'a> {
    pub kind: SliceKind,
    pub columns: SliceBlock,
    pub args: Vec<&'a str>,
    pub first_ns: i64,
    pub last_ns: i64,
    pub longest_ns: i64,
}

/// Events in the order of the trace.
pub struct Events<'a> {
    pub columns: EventBlock<'a>,
    pub first_ns: i64,
    pub last_ns: i64,
    /// No event comes before an earlier one.
    pub is_sorted: bool,
}

impl<'a> Slices<'a> {
    /// A block of slices with the times between which its slices lie. An empty block touches nothing.
    pub fn new((kind, (columns, args)): (SliceKind, (SliceBlock, Vec<&'a str>))) -> Self {
        let ends = columns.start_ns.iter().zip(&columns.duration_ns);
        let last_ns = ends.map(|(start_ns, duration_ns)| start_ns.saturating_add(*duration_ns)).max();
        let first_ns = columns.start_ns.iter().min().copied();
        let (first_ns, last_ns) = (first_ns.unwrap_or(0), last_ns.unwrap_or(-1));
        let longest_ns = columns.duration_ns.iter().max().copied().unwrap_or(0);
        Self { kind, columns, args, first_ns, last_ns, longest_ns }
    }

    /// True where a slice of the block may have an instant in [start, end].
    pub fn touches(&self, start_ns: i64, end_ns: i64) -> bool {
        self.first_ns <= end_ns && self.last_ns >= start_ns
    }

    /// The slices with an instant in [start, end], in the order of their starts.
    pub fn spans(&self, start_ns: i64, end_ns: i64) -> impl Iterator<Item = Span<'a>> {
        // Sorted by start, so that slices after the window, and those that ended before it, are skipped.
        let starts = &self.columns.start_ns;
        let first = starts.partition_point(|t_ns| t_ns.saturating_add(self.longest_ns) < start_ns);
        let rows = first..starts.partition_point(|t_ns| *t_ns <= end_ns);
        rows.filter_map(|row| self.span(row)).filter(move |span| span.end_ns >= start_ns)
    }

    fn span(&self, row: usize) -> Option<Span<'a>> {
        let columns = &self.columns;
        let start_ns = *columns.start_ns.get(row)?;
        Some(Span {
            kind: self.kind,
            start_ns,
            end_ns: start_ns.saturating_add(*columns.duration_ns.get(row)?),
            self_ns: *columns.self_ns.get(row)?,
            cpu: *columns.cpu.get(row)?,
            task_idx: *columns.task_idx.get(row)?,
            symbol_idx: *columns.symbol_idx.get(row)?,
            depth: *columns.depth.get(row)?,
            flags: SliceFlags(columns.flags.get(row)?.cast_unsigned()),
            args: self.args.get(row).copied().unwrap_or_default(),
        })
    }
}

impl<'a> Events<'a> {
    /// `None` where there are none.
    pub fn new(columns: EventBlock<'a>) -> Option<Self> {
        let first_ns = *columns.t_ns.iter().min()?;
        let last_ns = *columns.t_ns.iter().max()?;
        let is_sorted = columns.t_ns.is_sorted();
        Some(Self { columns, first_ns, last_ns, is_sorted })
    }

    /// Rows among which are all of [start, end].
    pub fn rows(&self, start_ns: i64, end_ns: i64) -> Range<usize> {
        let t_ns = &self.columns.t_ns;
        if !self.is_sorted {
            return 0..t_ns.len();
        }
        t_ns.partition_point(|t_ns| *t_ns < start_ns)..t_ns.partition_point(|t_ns| *t_ns <= end_ns)
    }
}
