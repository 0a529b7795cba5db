//! Where the pages of a CPU are, after damage that moved, removed or replaced some of them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::byte_account::ByteAccount;
use super::page_owner::Owner;
use super::recording::{Buffer, CpuData};
use super::ring_page::{HEAD_BYTES, PageHead, PageLayout, RawRecord};
use crate::input::ReadAt;
use crate::model::{Code, ReadError};

/// Bytes that are looked at in one go.
const LOOK_BYTES: usize = 64 << 10;

/// The next part of a CPU's range of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A page, which may be damaged itself.
    Page(u64),
    /// Bytes that are no page of this CPU.
    Damaged { code: Code, start: u64, end: u64 },
}

/// Finds the pages of a file's CPUs.
pub struct Plans<'a> {
    file: &'a ByteAccount<'a>,
    layout: PageLayout,
    /// Numbers of the events that there are, in ascending order.
    event_ids: Vec<u16>,
    /// Where pages of some CPU begin.
    starts: BTreeSet<u64>,
    /// Something in the file is not as a recorder writes it.
    is_damaged: bool,
}

impl<'a> Plans<'a> {
    /// Looks once at where the file's pages begin.
    ///
    /// Errors: the file cannot be read.
    pub fn new(
        file: &'a ByteAccount<'a>,
        buffers: &[Buffer],
        layout: PageLayout,
        event_ids: Vec<u16>,
        is_damaged: bool,
    ) -> Result<Self, ReadError> {
        let all = || buffers.iter().flat_map(|buffer| buffer.cpus.iter().map(move |data| (buffer, data)));
        let starts = all().filter(|(_, data)| data.size > 0).map(|(_, data)| data.offset).collect();
        let mut plans = Self { file, layout, event_ids, starts, is_damaged };
        for (buffer, data) in all().filter(|(buffer, _)| buffer.codec.is_none()) {
            plans.is_damaged =
                plans.is_damaged || data.is_cut || !plans.of_cpu(data, buffer.page_bytes).is_regular()?;
        }
        Ok(plans)
    }

    /// The parts of a CPU's range, of pages that are not packed; `None` where nothing in the file is damaged, and
    /// page follows page.
    ///
    /// Where bytes were put in or are missing, the pages after them are found by what they look like. A page
    /// whose time does not fit in between those of the others, or that names another CPU's idle task, is not of
    /// this CPU.
    pub fn plan(&self, data: &CpuData, page_bytes: usize) -> Result<Option<Vec<Part>>, ReadError> {
        if !self.is_damaged {
            return Ok(None);
        }
        let (mut parts, stamps) = self.of_cpu(data, page_bytes).find_pages()?;
        let in_order = longest_rise(&stamps);
        for ((number, _), is_in_order) in stamps.iter().zip(in_order) {
            if let Some(part) = parts.get_mut(*number).filter(|_| !is_in_order)
                && let Part::Page(start) = *part
            {
                let end = start.saturating_add(page_bytes as u64);
                *part = Part::Damaged { code: Code::StrayPage, start, end };
            }
        }
        Ok(Some(parts))
    }

    fn of_cpu(&self, data: &CpuData, page_bytes: usize) -> Planner<'_> {
        let range = data.offset..data.offset.saturating_add(data.size);
        let has_next = self.starts.contains(&range.end);
        Planner { plans: self, cpu: data.cpu, range, page_bytes, has_next }
    }
}

/// Looks for the pages of one CPU.
struct Planner<'a> {
    plans: &'a Plans<'a>,
    cpu: u16,
    range: Range<u64>,
    page_bytes: usize,
    /// Another CPU's pages begin where the range ends.
    has_next: bool,
}

/// Parts of a range, and of the pages with records among them the number and the time of the first record.
type Found = (Vec<Part>, Vec<(usize, u64)>);

impl Planner<'_> {
    fn head_at(&self, at: u64) -> Result<Option<PageHead>, ReadError> {
        let mut head = [0; HEAD_BYTES];
        let count = self.plans.file.peek(at, &mut head)?;
        let head = self.plans.layout.head(head.get(..count).unwrap_or_default());
        Ok(head.filter(|head| head.used <= self.page_bytes))
    }

    /// Whether all pages begin as pages do, none earlier than the one before.
    fn is_regular(&self) -> Result<bool, ReadError> {
        let mut last = 0;
        let mut at = self.range.start;
        while at.saturating_add(self.page_bytes as u64) <= self.range.end {
            let Some(head) = self.head_at(at)? else { return Ok(false) };
            if head.used > 0 {
                // Clocks that count slowly give several pages one time.
                if head.stamp < last {
                    return Ok(false);
                }
                last = head.stamp;
            }
            at = at.saturating_add(self.page_bytes as u64);
        }
        let last = at.saturating_sub(self.page_bytes as u64);
        Ok(!self.has_next
            || last < self.range.start
            || self.is_whole(last)?
            || self.is_whole(self.range.end)?)
    }

    fn find_pages(&self) -> Result<Found, ReadError> {
        let (mut parts, mut stamps) = (Vec::new(), Vec::new());
        let (mut is_shifted, mut searched_until) = (false, 0);
        let mut at = self.range.start;
        while at < self.range.end {
            let next = at.saturating_add(self.page_bytes as u64);
            let is_fragment = next > self.range.end;
            if is_fragment && is_shifted && self.range.end < self.plans.file.len() {
                // It may be the beginning of the next CPU's first page.
                parts.push(Part::Damaged { code: Code::BadPage, start: at, end: self.range.end });
                break;
            }
            // A damaged page in its place costs itself. One after which no page begins was cut, or grew.
            if at >= searched_until && !is_fragment && !self.is_whole(at)? && !self.is_whole(next)? {
                let found = self.search(at.saturating_add(1))?;
                searched_until = found.unwrap_or(u64::MAX);
                let shift = found.map_or(0, |found| found.saturating_sub(at));
                let end = match found {
                    Some(found) if !shift.is_multiple_of(self.page_bytes as u64) => Some(found),
                    // The next CPU's first page is not where it should be, either.
                    None if next == self.range.end && self.has_next => Some(next),
                    _ => None,
                };
                if let Some(end) = end {
                    is_shifted = true;
                    parts.push(Part::Damaged { code: Code::BadPage, start: at, end });
                    at = end;
                    continue;
                }
            }
            let end = next.min(self.range.end);
            if self.is_of_another(at, end)? {
                parts.push(Part::Damaged { code: Code::StrayPage, start: at, end });
                at = next;
                continue;
            }
            if let Some(head) = self.head_at(at)?.filter(|head| head.used > 0) {
                stamps.push((parts.len(), head.stamp));
            }
            parts.push(Part::Page(at));
            at = next;
        }
        Ok((parts, stamps))
    }

    /// The first place from `at` on, within the range, of a whole page on which everything makes sense.
    fn search(&self, mut at: u64) -> Result<Option<u64>, ReadError> {
        let mut buffer = vec![0; LOOK_BYTES];
        while at.saturating_add(self.page_bytes as u64) <= self.range.end {
            let count = self.plans.file.peek(at, &mut buffer)?;
            let heads = buffer.get(..count).unwrap_or_default().windows(HEAD_BYTES);
            let step = heads.len().max(1) as u64;
            for (place, head) in (at..).zip(heads) {
                let is_page = self.plans.layout.head(head).is_some_and(|head| head.used > 0);
                let is_inside = place.saturating_add(self.page_bytes as u64) <= self.range.end;
                if is_page && is_inside && self.is_known(place)? {
                    return Ok(Some(place));
                }
            }
            at = at.saturating_add(step);
        }
        Ok(None)
    }

    /// Whether the page from `start` to `end` names another CPU's idle task, and not this one's.
    fn is_of_another(&self, start: u64, end: u64) -> Result<bool, ReadError> {
        let mut page = vec![0; usize::try_from(end.saturating_sub(start)).unwrap_or(0)];
        let count = self.plans.file.peek(start, &mut page)?;
        let owner = Owner::of(page.get(..count).unwrap_or_default());
        Ok(matches!(owner, Owner::Cpu(cpu) if cpu != self.cpu))
    }

    /// Whether all of the page at `place` makes sense.
    fn is_whole(&self, place: u64) -> Result<bool, ReadError> {
        self.records(place, |_, _| true)
    }

    /// Whether, too, all its records are of events that there are.
    fn is_known(&self, place: u64) -> Result<bool, ReadError> {
        self.records(place, |page, record| {
            let id = self.plans.layout.order.u16(page, record.start);
            id.is_some_and(|id| self.plans.event_ids.binary_search(&id).is_ok())
        })
    }

    /// Whether the page at `place` makes sense and `is_right` holds for all its records.
    fn records(&self, place: u64, is_right: impl Fn(&[u8], &RawRecord) -> bool) -> Result<bool, ReadError> {
        let mut page = vec![0; self.page_bytes];
        let count = self.plans.file.peek(place, &mut page)?;
        let page = page.get(..count).unwrap_or_default();
        Ok(self.plans.layout.all_records(page, |record| is_right(page, record)))
    }
}

/// Which of `stamps` are of the longest series in which none falls.
fn longest_rise(stamps: &[(usize, u64)]) -> Vec<bool> {
    // Of the series of each length that are there so far, the one with the least last stamp: its index.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; stamps.len()];
    let stamp_of = |index: usize| stamps.get(index).map_or(0, |(_, stamp)| *stamp);
    for (index, (_, stamp)) in stamps.iter().enumerate() {
        let length = ends.partition_point(|end| stamp_of(*end) <= *stamp);
        if let Some(slot) = before.get_mut(index) {
            *slot = length.checked_sub(1).and_then(|last| ends.get(last).copied());
        }
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut is_in = vec![false; stamps.len()];
    let mut at = ends.last().copied();
    while let Some(index) = at {
        if let Some(slot) = is_in.get_mut(index) {
            *slot = true;
        }
        at = before.get(index).copied().flatten();
    }
    is_in
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_falls_out_of_the_order_is_not_in_the_longest_rise() {
        for (stamps, expected) in [
            (&[][..], &[][..]),
            (&[1, 2, 2, 3], &[true, true, true, true]),
            (&[9, 1, 2, 3], &[false, true, true, true]),
            (&[1, 2, 3, 0], &[true, true, true, false]),
            (&[7, 8, 1, 2, 3, 90, 4], &[false, false, true, true, true, false, true]),
        ] {
            let stamps: Vec<_> = stamps.iter().map(|stamp| (0, *stamp)).collect();
            assert_eq!(longest_rise(&stamps), expected);
        }
    }
}
