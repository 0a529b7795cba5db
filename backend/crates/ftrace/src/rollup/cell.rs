//! The cells of one lane.

use crate::analyses::Slice;

/// What happened on a lane between `bucket * width` and the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub bucket: i64,
    /// Slices that begin in it.
    pub slices: u32,
    /// Exact overlap of all slices with it.
    pub busy_ns: i64,
    /// The longest slice that touches it, as a whole.
    pub max_ns: i64,
    pub max_start_ns: i64,
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
    pub fn add(&mut self, slice: &Slice<'_>, width_ns: i64) -> usize {
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
    fn of(slice: &Slice<'_>, bucket: i64, width_ns: i64) -> Self {
        let start_ns = bucket.saturating_mul(width_ns);
        let end_ns = start_ns.saturating_add(width_ns);
        let slice_end_ns = slice.start_ns.saturating_add(slice.duration_ns);
        let busy_ns = slice_end_ns.min(end_ns).saturating_sub(slice.start_ns.max(start_ns));
        Self {
            bucket,
            slices: u32::from(start_ns <= slice.start_ns && slice.start_ns < end_ns),
            busy_ns: busy_ns.max(0),
            max_ns: slice.duration_ns,
            max_start_ns: slice.start_ns,
            task: slice.task,
            symbol: slice.symbol,
        }
    }

    /// Both together; of equally long slices, the earlier is told.
    fn with(&self, other: &Cell, bucket: i64) -> Self {
        let is_longer = (other.max_ns, self.max_start_ns) > (self.max_ns, other.max_start_ns);
        let longest = if is_longer { other } else { self };
        Self {
            bucket,
            slices: self.slices.saturating_add(other.slices),
            busy_ns: self.busy_ns.saturating_add(other.busy_ns),
            ..*longest
        }
    }
}

/// The first and the last bucket that a slice touches; one without length touches the one it stands in.
pub fn bucket_of(slice: &Slice<'_>, width_ns: i64) -> (i64, i64) {
    let last_ns = slice.start_ns.saturating_add(slice.duration_ns.saturating_sub(1).max(0));
    (slice.start_ns.div_euclid(width_ns), last_ns.div_euclid(width_ns))
}
