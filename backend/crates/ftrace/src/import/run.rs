//! A whole import: file in, frames out.

use std::cell::Cell;

use super::beginning::Beginning;
use super::file_progress::FileProgress;
use super::importer::Importer;
use crate::formats::{self, Access, TraceFormat};
use crate::input::container::{self, Holes, Salvage};
use crate::input::{ReadAt, Scratch};
use crate::model::{Diagnostic, Limits, Place, ReadError, Sink, Stop, Timestamp};
use crate::store::frames::{Frames, Output};

/// What to import, and under which key its rows are stored.
pub struct ImportRequest<'a> {
    pub file: &'a dyn ReadAt,
    pub scratch: &'a mut dyn Scratch,
    pub limits: &'a Limits,
    pub trace_key: i64,
    pub extent: Extent,
}

/// How much of a recording is found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    #[default]
    Whole,
    /// What lists, counts and explains latencies and events; not what is summed up for pages and for comparisons of
    /// many traces, which takes a third of the time.
    Cases,
}

/// Reads the file and writes its frames, the last of which is the summary, or the error for which the
/// file was not read.
///
/// Errors: only where `output` cannot be written to.
pub fn import(request: ImportRequest<'_>, output: &mut dyn Output) -> Result<(), ReadError> {
    match read(request, output) {
        Err(error) => Frames::new(output).error(&error),
        Ok(()) => Ok(()),
    }
}

fn read(mut request: ImportRequest<'_>, output: &mut dyn Output) -> Result<(), ReadError> {
    let mut previous = PreviousReading::default();
    loop {
        match attempt(&mut request, &previous, output) {
            Ok(()) => return Ok(()),
            Err(Stop::BeginsEarlier) => previous.origin = Some(beginning(&mut request, &previous)),
            Err(Stop::Failed(error)) if previous.salvage.is_some() => return Err(error),
            Err(Stop::Failed(error)) => {
                let salvage = container::salvage(request.file, request.limits, error)?;
                previous = PreviousReading { salvage: Some(salvage), origin: None };
            }
        }
        Frames::new(output).restart()?;
    }
}

/// What an attempt at reading has shown, for the next one.
#[derive(Default)]
struct PreviousReading {
    /// What can be kept of a compressed file that is damaged.
    salvage: Option<Salvage>,
    /// Of a file whose first record is not the earliest.
    origin: Option<Timestamp>,
}

impl PreviousReading {
    fn read(
        &self,
        file: &dyn ReadAt,
        scratch: &mut dyn Scratch,
        limits: &Limits,
        sink: &mut dyn Sink,
    ) -> Result<&'static dyn TraceFormat, Stop> {
        match &self.salvage {
            None => formats::read_any(file, scratch, limits, sink),
            Some(salvage) => formats::read_salvage(file, salvage, scratch, limits, sink),
        }
    }
}

/// The earliest moment of the file. The next reading reports whatever is wrong with it.
fn beginning(request: &mut ImportRequest<'_>, previous: &PreviousReading) -> Timestamp {
    request.scratch.clear();
    let mut beginning = Beginning::default();
    let ImportRequest { file, scratch, limits, .. } = request;
    let _format = previous.read(*file, *scratch, limits, &mut beginning);
    beginning.earliest.unwrap_or_default()
}

fn attempt(
    request: &mut ImportRequest<'_>,
    previous: &PreviousReading,
    output: &mut dyn Output,
) -> Result<(), Stop> {
    let ImportRequest { file, scratch, limits, trace_key, extent } = request;
    scratch.clear();
    let read_bytes = Cell::new(0);
    let counted = CountedFile { file: *file, read_bytes: &read_bytes };
    let scratch_bytes = Cell::new(0);
    let mut scratch = CountedScratch { scratch: &mut **scratch, written_bytes: &scratch_bytes };
    let progress =
        FileProgress { size_bytes: file.len(), read_bytes: &read_bytes, scratch_bytes: &scratch_bytes };
    let mut importer = Importer::new(output, *trace_key, limits, *extent, progress);
    if let Some(origin) = previous.origin {
        importer.begin_at(origin);
    }
    let salvage = previous.salvage.as_ref();
    for damage in salvage.map(Salvage::damages).unwrap_or_default() {
        let (code, place) = (damage.code, Place::byte(damage.start));
        let sample =
            if damage.bytes > 0 { format!("{} bytes were skipped", damage.bytes) } else { String::new() };
        importer.diagnostic(Diagnostic { code, place, sample: sample.as_bytes(), count: 1 })?;
    }
    let format = previous.read(&counted, &mut scratch, limits, &mut importer)?;
    if let Some(salvage) = salvage {
        let holes = if format.access() == Access::Random { Holes::Filled } else { Holes::LeftOut };
        importer.skip(salvage.skipped_bytes(holes));
        if importer.is_empty() {
            return Err(salvage.refusal().clone().into());
        }
    }
    let (mut frames, summary) = importer.finish(format.name())?;
    Ok(frames.summary(&summary)?)
}

/// Notes how far a file was read.
struct CountedFile<'a> {
    file: &'a dyn ReadAt,
    read_bytes: &'a Cell<u64>,
}

impl ReadAt for CountedFile<'_> {
    fn len(&self) -> u64 {
        self.file.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        let count = self.file.read_at(offset, buffer)?;
        let end = offset.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        self.read_bytes.set(self.read_bytes.get().max(end));
        Ok(count)
    }
}

/// Notes how much a file was expanded to before it is read.
struct CountedScratch<'a> {
    scratch: &'a mut dyn Scratch,
    written_bytes: &'a Cell<u64>,
}

impl Scratch for CountedScratch<'_> {
    fn append(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        let written = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.written_bytes.set(self.written_bytes.get().saturating_add(written));
        self.scratch.append(bytes)
    }

    fn clear(&mut self) {
        self.written_bytes.set(0);
        self.scratch.clear();
    }
}

impl ReadAt for CountedScratch<'_> {
    fn len(&self) -> u64 {
        self.scratch.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        self.scratch.read_at(offset, buffer)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::store::read::blocks::{EventBlock, SliceBlock};
    use crate::store::read::read_rows;
    use crate::store::tables;
    use crate::store::testing::{KEY, Written};

    /// Prints how often the file was begun, where it begins, and what is stored, with its times.
    fn check(text: &str, expected: Expect) {
        let (limits, file) = (Limits::default(), text.as_bytes().to_vec());
        let request = ImportRequest {
            file: &file,
            scratch: &mut Vec::new(),
            limits: &limits,
            trace_key: KEY,
            extent: Extent::Whole,
        };
        let mut written = Written::default();
        import(request, &mut written).unwrap();
        let frames = written.frames();
        let begun = 1 + frames.iter().filter(|(tag, _)| *tag == b'R').count();
        let (_, summary) = frames.last().unwrap();
        let summary: serde_json::Value = serde_json::from_slice(summary).unwrap();
        let mut lines = format!("begun {begun}, origin {}\n", summary["origin_ns"]);
        for stream in written.streams(&tables::EVENT_BLOCK) {
            for block in read_rows(&tables::EVENT_BLOCK, stream, EventBlock::read).unwrap() {
                for (t_ns, args) in block.t_ns.iter().zip(&block.args) {
                    lines += &format!("event {t_ns}: {args}\n");
                }
            }
        }
        for stream in written.streams(&tables::SLICE_BLOCK) {
            for block in read_rows(&tables::SLICE_BLOCK, stream, SliceBlock::read).unwrap() {
                for (start_ns, duration_ns) in block.start_ns.iter().zip(&block.duration_ns) {
                    lines += &format!("slice of kind {} {start_ns}+{duration_ns}\n", block.kind);
                }
            }
        }
        expected.assert_eq(&lines);
    }

    #[test]
    fn one_cpu_behind_the_other_begins_with_the_earliest_record() {
        check(
            "\
 bash-1 [000] 5.000002: a: x=1
 bash-1 [000] 5.000009: a: x=2
 bash-2 [001] 5.000003: a: x=3
 bash-2 [001] 5.000001: a: x=4
",
            expect![[r#"
                begun 2, origin "5000001000"
                event 1000: x=1
                event 8000: x=2
                event 2000: x=3
                event 0: x=4
            "#]],
        );
        check(
            " bash-1 [000] 5.000002: a: x=1\n bash-1 [000] 5.000009: a: x=2\n",
            expect![[r#"
            begun 1, origin "5000002000"
            event 0: x=1
            event 7000: x=2
        "#]],
        );
    }

    #[test]
    fn a_report_behind_other_lines_begins_where_its_section_does() {
        check(
            "\
 kswapd0-91 [004] d.... 518.224557: isolate_lru_folios: new
# tracer: irqsoff
# latency: 49040 us, #8/8, CPU#1 | (M:desktop VP:0, KP:0, SP:0 HP:0 #P:8)
#    | task: kswapd0-91 (uid:0 nice:0 policy:0 rt_prio:0)
#  => started at: _raw_spin_lock_irq+0x1a/0x40
#  => ended at:   shrink_inactive_list+0x165/0x420
 kswapd0-91        1d....    7us : _raw_spin_lock_irq+0x1a/0x40
",
            expect![[r#"
                begun 2, origin "0"
                event 7000: _raw_spin_lock_irq+0x1a/0x40
                event 518224557000: new
                slice of kind 6 0+49040000
            "#]],
        );
    }
}
