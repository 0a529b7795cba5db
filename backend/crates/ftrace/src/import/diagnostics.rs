//! Problems met while reading: counted by code, the first of them kept.

use std::collections::BTreeMap;

use crate::model::{Code, Diagnostic, Place, ReadError, Severity};
use crate::store::tables::{DIAGNOSTIC, DIAGNOSTIC_LINE};
use crate::store::text::excerpt;
use crate::store::writer::TableWriter;

const SAMPLE_BYTES: usize = 160;

pub struct Diagnostics {
    max_kept: usize,
    by_code: BTreeMap<Code, Total>,
    kept: Vec<Kept>,
}

struct Total {
    count: u64,
    first: Place,
    sample: String,
}

struct Kept {
    code: Code,
    place: Place,
    sample: String,
}

impl Diagnostics {
    pub fn new(max_kept: usize) -> Self {
        Self { max_kept, by_code: BTreeMap::new(), kept: Vec::new() }
    }

    /// Counts a problem by its code. Past the limit, its place and sample are not kept.
    pub fn add(&mut self, diagnostic: &Diagnostic<'_>) {
        let Diagnostic { code, place, sample, count } = *diagnostic;
        let total = self.by_code.entry(code).or_insert_with(|| Total {
            count: 0,
            first: place,
            sample: excerpt(sample, SAMPLE_BYTES),
        });
        total.count = total.count.saturating_add(count);
        if self.kept.len() < self.max_kept {
            self.kept.push(Kept { code, place, sample: excerpt(sample, SAMPLE_BYTES) });
        }
    }

    pub fn has(&self, code: Code) -> bool {
        self.by_code.contains_key(&code)
    }

    /// One row a code that occurred, and one a problem that was kept.
    pub fn write(&self, writer: &mut TableWriter<'_>) -> Result<(), ReadError> {
        for (code, total) in &self.by_code {
            writer.row(&DIAGNOSTIC, |row| {
                row.text(code.name().as_bytes()).text(severity_name(code.severity()));
                row.int(stored(total.count)).optional_int(total.first.line.map(stored));
                row.int(stored(total.first.byte_offset)).excerpt(&total.sample);
            })?;
        }
        for (idx, kept) in (0_i32..).zip(&self.kept) {
            writer.row(&DIAGNOSTIC_LINE, |row| {
                row.int(idx).text(kept.code.name().as_bytes()).optional_int(kept.place.line.map(stored));
                row.int(stored(kept.place.byte_offset)).excerpt(&kept.sample);
            })?;
        }
        Ok(())
    }
}

fn severity_name(severity: Severity) -> &'static [u8] {
    match severity {
        Severity::Info => b"info",
        Severity::DataLoss => b"data_loss",
        Severity::Error => b"error",
    }
}

fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
