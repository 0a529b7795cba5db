//! The lines of a file of measurements, each accounted for.

use std::io::Read;

use super::decimal::decimal;
use super::out::Out;
use super::surroundings::Surroundings;
use super::{MeasurementFormat, Program};
use crate::input::Input;
use crate::input::lines::{Line, LineReader};
use crate::model::{Code, Diagnostic, FailureClass, Limits, Place, ReadError, Sink, Stop};

/// Reads a file of `format` line by line, so that each byte counts as used or as skipped.
///
/// Errors: nothing in it is a measurement, or the sink has stopped.
pub fn read(
    input: Input<'_>,
    limits: &Limits,
    sink: &mut dyn Sink,
    format: &MeasurementFormat,
) -> Result<(), Stop> {
    let mut program = (format.start)();
    let program = program.as_mut();
    let (stream, mut gaps): (&mut dyn Read, &[u64]) = match input {
        Input::Stream(stream) => (stream, &[]),
        Input::Broken(stream, gaps) => (stream, gaps),
        Input::Random(_) => {
            let code = Code::ReadFailed;
            return Err(ReadError::new(FailureClass::Io, code, Place::default(), code.sentence()).into());
        }
    };
    let mut lines = LineReader::new(stream, limits.max_line_bytes)?;
    let mut used_bytes = lines.byte_offset();
    let mut skipped_bytes = 0_u64;
    let surroundings = Surroundings::of(lines.head(), format.likeness).1;
    let mut out = Out::new(sink, limits);
    if lines.is_utf16() {
        out.report(Code::Utf16Decoded, "")?;
    }
    let mut is_cut = false;
    while let Some(line) = lines.next_line()? {
        out.place = line.place;
        let end = line.place.byte_offset.saturating_add(line.used_bytes).saturating_add(line.cut_bytes);
        let passed = gaps.iter().take_while(|offset| **offset < end).count();
        gaps = gaps.get(passed..).unwrap_or_default();
        match problem(&line, passed > 0, &surroundings, program, &mut out)? {
            None => used_bytes = used_bytes.saturating_add(line.used_bytes),
            Some(code) => {
                let (place, sample) = (line.place, line.text);
                is_cut |= code == Code::TruncatedLastLine;
                out.sink.diagnostic(Diagnostic { code, place, sample, count: 1 })?;
                skipped_bytes = skipped_bytes.saturating_add(line.used_bytes).saturating_add(line.cut_bytes);
            }
        }
        out.sink.progress(used_bytes, skipped_bytes)?;
    }
    if !program.is_whole() && !is_cut {
        let (code, place) = (Code::EndsEarly, out.place);
        out.sink.diagnostic(Diagnostic { code, place, sample: b"", count: 1 })?;
    }
    program.finish(&mut out)?;
    surroundings.report(&mut out)?;
    out.finish()?;
    // An encoding of several bytes a character may end within one.
    let left = lines.byte_offset().saturating_sub(used_bytes).saturating_sub(skipped_bytes);
    sink.progress(used_bytes, skipped_bytes.saturating_add(left))
}

/// What is wrong with a line; `None` where the program takes it.
fn problem(
    line: &Line<'_>,
    has_gap: bool,
    surroundings: &Surroundings,
    program: &mut dyn Program,
    out: &mut Out<'_>,
) -> Result<Option<Code>, Stop> {
    if line.cut_bytes > 0 {
        return Ok(Some(Code::LineTooLong));
    }
    let Some(text) = str::from_utf8(surroundings.strip(line.text, line.place)).ok().filter(|_| !has_gap)
    else {
        let code = if line.is_complete { Code::UnparsedLines } else { Code::TruncatedLastLine };
        return Ok(Some(code));
    };
    let text = text.trim_end();
    if text.contains('\0') {
        return Ok(Some(Code::UnparsedLines));
    }
    if !line.is_complete && !program.ends_with(text) {
        return Ok(Some(Code::TruncatedLastLine));
    }
    // A program that prints over its line ends it with a carriage return.
    let mut is_taken = true;
    for part in text.split('\r').filter(|part| !part.is_empty()) {
        is_taken &= !is_hidden_row(part)
            && (program.has_comments() || !part.starts_with('#'))
            && program.line(part, out)?;
    }
    Ok((!is_taken).then_some(Code::UnparsedLines))
}

/// True for numbers after the sign of a comment, `#73\t49303022518\t263`: no program prints such a comment.
fn is_hidden_row(text: &str) -> bool {
    let Some(comment) = text.strip_prefix(['#', '%']) else { return false };
    let is_separator = |sign: char| matches!(sign, ',' | ';' | '"') || sign.is_ascii_whitespace();
    let mut words = comment.split(is_separator).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some() && words.all(|word| decimal(word, 1).is_some())
}
