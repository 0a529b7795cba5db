//! Pages whose times cannot be right, though nothing else on them is damaged.
//!
//! The time of a page is the one number that all its records hang on, and the first and the last page of a CPU have a
//! neighbour on one side only. The other CPUs recorded at the same time; and the kernel says when it was asked.

use super::cpu_stream::CpuStream;
use crate::model::{Code, Diagnostic, Place, Sink, Stop};

/// A page that lies this far from all others was moved, if the others lie much closer together.
const LEAST_DISTANCE_NS: u64 = 100_000_000_000;
const LEAST_RATIO: u64 = 1_000;

/// From the first to the last record, on the clock of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extent {
    start: u64,
    end: u64,
}

impl Extent {
    fn with(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    fn distance(self, other: Self) -> u64 {
        self.start.saturating_sub(other.end).max(other.start.saturating_sub(self.end))
    }

    fn length(self) -> u64 {
        self.end.saturating_sub(self.start)
    }
}

/// When the pages of a CPU were recorded: the first one, the last one, and those between.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageTimes {
    first: Option<(Extent, u64)>,
    middle: Option<Extent>,
    last: Option<(Extent, u64)>,
}

impl PageTimes {
    /// A page with records begins at `stamp`; it is at `byte_offset` of the file.
    pub fn begin(&mut self, stamp: u64, byte_offset: u64) {
        let page = (Extent { start: stamp, end: stamp }, byte_offset);
        let Some(before) = self.last.replace(page) else { return };
        if self.first.is_none() {
            self.first = Some(before);
        } else {
            self.middle = Some(self.middle.map_or(before.0, |middle| middle.with(before.0)));
        }
    }

    /// The page that began last has a record at `stamp`.
    pub fn see(&mut self, stamp: u64) {
        if let Some((page, _)) = &mut self.last {
            page.end = page.end.max(stamp);
        }
    }

    /// The first and the last page with their places, and those in between as one, without a place.
    fn extents(self) -> impl Iterator<Item = (Extent, Option<u64>)> {
        let at_place = |(extent, place): (Extent, u64)| (extent, Some(place));
        let middle = self.middle.map(|middle| (middle, None));
        [self.first.map(at_place), middle, self.last.map(at_place)].into_iter().flatten()
    }
}

/// Reports pages that lie far from all others.
pub fn report_far_pages(streams: &[CpuStream<'_>], sink: &mut dyn Sink) -> Result<(), Stop> {
    let extents: Vec<_> = streams.iter().flat_map(|stream| stream.pages.extents()).collect();
    for place in far_pages(&extents) {
        let (code, sample) = (Code::DoubtfulValue, b"the time of a page");
        sink.diagnostic(Diagnostic { code, place: Place::byte(place), sample, count: 1 })?;
    }
    Ok(())
}

fn far_pages(extents: &[(Extent, Option<u64>)]) -> Vec<u64> {
    // For the rest of each: what comes before it, and what comes after it.
    let union =
        |before: Option<Extent>, extent: Extent| Some(before.map_or(extent, |before| before.with(extent)));
    let mut behind = Vec::with_capacity(extents.len());
    let mut so_far = None;
    for (extent, _) in extents.iter().rev() {
        behind.push(so_far);
        so_far = union(so_far, *extent);
    }
    let mut before = None;
    let mut far = Vec::new();
    for ((extent, place), behind) in extents.iter().zip(behind.into_iter().rev()) {
        let others = match behind {
            Some(behind) => union(before, behind),
            None => before,
        };
        before = union(before, *extent);
        let Some((others, place)) = others.zip(*place) else { continue };
        let distance = extent.distance(others);
        if distance >= LEAST_DISTANCE_NS && distance / LEAST_RATIO >= others.length() {
            far.push(place);
        }
    }
    far
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// The places of those that lie far off, of CPUs with pages that begin at these milliseconds.
    fn far(cpus: &[&[u64]]) -> Vec<u64> {
        let mut extents = Vec::new();
        for (number, pages) in (0..).zip(cpus) {
            let mut times = PageTimes::default();
            for start_ms in *pages {
                times.begin(start_ms * MS, number * 100 + start_ms);
                times.see((start_ms + 1) * MS);
            }
            extents.extend(times.extents());
        }
        far_pages(&extents)
    }

    #[test]
    fn a_page_far_from_all_others_was_moved() {
        let hour = 3_600_000;
        assert_eq!(far(&[&[0, 1, 2], &[0, 3]]), Vec::<u64>::new());
        assert_eq!(far(&[&[0, 1, 2], &[0, hour]]), [100 + hour]);
        assert_eq!(far(&[&[1, hour, hour + 1, hour + 2]]), [1]);
    }

    #[test]
    fn long_pauses_are_none() {
        let second = 1_000;
        assert_eq!(far(&[&[0, 200 * second], &[0, 10 * second]]), Vec::<u64>::new());
        assert_eq!(far(&[&[0, 50 * second]]), Vec::<u64>::new());
    }
}
