//! The cells of one lane.

use crate::analyses::Slice;
use crate::model::Ns;

/// What happened on a lane between `bucket * width` and the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub bucket: i64,
    /// Slices that begin in it.
    pub slices: u32,
    /// Exact overlap of all slices with it.
    pub busy_ns: Ns,
    /// The longest slice that touches it, as a whole.
    pub max_ns: Ns,
    pub max_start_ns: Ns,
    pub task: Option<u32>,
    pub symbol: Option<u32>,
}

/// Cells in the order of time, empty ones left out.
#[derive(Default)]
pub struct Lane {
    pub cells: Vec<Cell>,
    pub slice_count: usize,
}

impl Lane {
    /// Adds a slice to each cell that it touches; answers how many cells were looked at.
    ///
    /// Slices come in the order of their ends. On a lane of one task they do not overlap, and only the
    /// last cell is touched again; calls of several tasks may reach back over many.
    pub fn add(&mut self, slice: &Slice<'_>, width_ns: Ns) -> usize {
        self.slice_count = self.slice_count.saturating_add(1);
        let (first, last) = bucket_of(slice, width_ns);
        let at = match self.cells.last_mut() {
            None => 0,
            Some(cell) if cell.bucket < first => self.cells.len(),
            Some(cell) if cell.bucket == first && first == last => {
                *cell = cell.with(&Cell::of(slice, first, width_ns), first);
                return 1;
            }
            Some(_) => self.cells.partition_point(|cell| cell.bucket < first),
        };
        let mut later = self.cells.split_off(at).into_iter().peekable();
        let work = later.len();
        for bucket in first..=last {
            let part = Cell::of(slice, bucket, width_ns);
            let held = later.next_if(|cell| cell.bucket == bucket);
            self.cells.push(held.map_or(part, |held| held.with(&part, bucket)));
        }
        self.cells.extend(later);
        let touched = usize::try_from(last.saturating_sub(first)).unwrap_or(usize::MAX);
        work.saturating_add(touched)
    }

    /// Makes one cell of each two.
    pub fn widen(&mut self) {
        self.cells.iter_mut().for_each(|cell| cell.bucket = cell.bucket.div_euclid(2));
        self.cells.dedup_by(|later, kept| {
            let is_same = later.bucket == kept.bucket;
            if is_same {
                *kept = kept.with(later, kept.bucket);
            }
            is_same
        });
    }
}

impl Cell {
    /// What a slice is to one cell.
    fn of(slice: &Slice<'_>, bucket: i64, width_ns: Ns) -> Self {
        let start_ns = width_ns * bucket;
        let end_ns = start_ns + width_ns;
        Self {
            bucket,
            slices: u32::from(start_ns <= slice.start_ns && slice.start_ns < end_ns),
            busy_ns: slice.start_ns.max(start_ns).until(slice.end_ns().min(end_ns)),
            max_ns: slice.duration_ns,
            max_start_ns: slice.start_ns,
            task: slice.task,
            symbol: slice.symbol,
        }
    }

    /// Both together; of equally long slices, the earlier wins.
    fn with(&self, other: &Cell, bucket: i64) -> Self {
        let is_longer = (other.max_ns, self.max_start_ns) > (self.max_ns, other.max_start_ns);
        let longest = if is_longer { other } else { self };
        Self {
            bucket,
            slices: self.slices.saturating_add(other.slices),
            busy_ns: self.busy_ns + other.busy_ns,
            ..*longest
        }
    }
}

/// The first and the last bucket that a slice touches; one without length touches the one it lies in.
pub fn bucket_of(slice: &Slice<'_>, width_ns: Ns) -> (i64, i64) {
    let last_ns = slice.start_ns + (slice.duration_ns - Ns(1)).max(Ns::ZERO);
    (slice.start_ns.bucket(width_ns), last_ns.bucket(width_ns))
}
