//! The layouts in which a recording can arrive. One file or folder and one line in [`FORMATS`] each.

mod measurement;
mod refusal;
mod text;
#[cfg(test)]
pub use text::flag_word;
mod trace_dat;

use std::io::Read;

use crate::input::container::{self, Holes, Salvage};
use crate::input::{Input, ReadAt, Scratch};
use crate::model::{About, Limits, ReadError, Sink, Stop};

/// How much the head of a file looks like a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    No,
    Maybe,
    Sure,
}

/// How a format wants its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Stream,
    Random,
}

/// One layout of a recording.
pub trait TraceFormat: Sync {
    /// Stable name, as the API shows it: `trace_dat`.
    fn name(&self) -> &'static str;
    /// What a person calls it: `trace.dat (trace-cmd)`.
    fn title(&self) -> &'static str;
    /// How it is recognised and what is read, for the reference of formats.
    fn about(&self) -> About;
    fn access(&self) -> Access;
    /// Judged by content only; `head` is the first 64 KiB of the expanded file, or all of it.
    fn likeness(&self, head: &[u8]) -> Likeness;
    /// Why a head of this format is refused before anything is stored, such as a version that is not known.
    fn refusal(&self, _head: &[u8]) -> Option<ReadError> {
        None
    }
    /// Hands everything in the file to `sink`. Bad bytes become diagnostics and reading continues; an
    /// error means that nothing usable is there, or that the sink asked to stop.
    fn read(&self, input: Input<'_>, limits: &Limits, sink: &mut dyn Sink) -> Result<(), Stop>;
}

/// Every format. Order decides only between two that say the same.
pub static FORMATS: &[&dyn TraceFormat] = &[
    &trace_dat::TraceDat,
    &text::FUNCTION_GRAPH,
    &text::LATENCY,
    &text::REPORT,
    &text::TRACEFS,
    &text::SYSTRACE,
    &measurement::CYCLICTEST,
    &measurement::RT_TESTS_JSON,
    &measurement::RTLA,
    &measurement::OSLAT,
    &measurement::PTSEMATEST,
    &measurement::HACKBENCH,
    &measurement::HWLATDETECT,
    &measurement::PERF_TIMEHIST,
    &measurement::PERF_LATENCY,
    &measurement::SCHBENCH,
    &measurement::SCHBENCH_JSON,
    &measurement::STRESS_NG,
    &measurement::FTQ,
    &measurement::FWQ,
    &measurement::COLUMNS,
    &measurement::DURATION_LINES,
    &measurement::BARE_NUMBERS,
];

/// What [`likeness`](TraceFormat::likeness) is shown at most.
const HEAD_BYTES: usize = 64 << 10;

/// The format that the head of an expanded file looks most like.
///
/// Errors: what the file is instead where that is known (`perf_script_text`, `nested_compression`,
/// `archive_not_supported`), what its format refuses (`unsupported_version`), `unknown_format` otherwise.
pub fn detect(head: &[u8]) -> Result<&'static dyn TraceFormat, ReadError> {
    if let Some(error) = refusal::refused_wrapping(head) {
        return Err(error);
    }
    let format = FORMATS
        .iter()
        .map(|format| (format.likeness(head), *format))
        .filter(|(likeness, _)| *likeness > Likeness::No)
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, format)| format)
        .ok_or_else(|| refusal::refused_content(head))?;
    format.refusal(head).map_or(Ok(format), Err)
}

/// The format of a stored or half-uploaded file, by its first bytes.
///
/// A compressed file may be cut anywhere after them; [`read_any`] reports what is wrong further on.
pub fn sniff(file: &dyn ReadAt, limits: &Limits) -> Result<&'static dyn TraceFormat, ReadError> {
    let (_, mut expanded) = container::expand(file, limits)?;
    let head = read_head(&mut expanded).or_else(|error| {
        let salvage = container::salvage(file, limits, error)?;
        let mut expanded = salvage.expand(file, limits, Holes::LeftOut);
        read_head(&mut expanded)
    })?;
    detect(&head)
}

/// Reads any recording: takes off its wrapping, finds its format and hands everything in it to `sink`.
/// Returns the format.
///
/// `scratch` is filled only where a compressed recording needs random access.
/// Errors: those of [`detect`], of the wrapping, and of the format's own reading. Where the wrapping is
/// damaged, [`read_salvage`] reads what can be kept.
pub fn read_any(
    file: &dyn ReadAt,
    scratch: &mut dyn Scratch,
    limits: &Limits,
    sink: &mut dyn Sink,
) -> Result<&'static dyn TraceFormat, Stop> {
    let (is_wrapped, mut expanded) = container::expand(file, limits)?;
    let head = read_head(&mut expanded)?;
    let format = detect(&head)?;
    match (format.access(), is_wrapped) {
        (Access::Stream, _) => {
            let mut stream = head.as_slice().chain(expanded);
            format.read(Input::Stream(&mut stream), limits, sink)?;
        }
        (Access::Random, false) => format.read(Input::Random(file), limits, sink)?,
        (Access::Random, true) => {
            spool(head, &mut expanded, scratch)?;
            format.read(Input::Random(&*scratch), limits, sink)?;
        }
    }
    Ok(format)
}

/// Reads what can be kept of a compressed recording that has turned out to be damaged, as [`read_any`] does.
pub fn read_salvage(
    file: &dyn ReadAt,
    salvage: &Salvage,
    scratch: &mut dyn Scratch,
    limits: &Limits,
    sink: &mut dyn Sink,
) -> Result<&'static dyn TraceFormat, Stop> {
    let mut expanded = salvage.expand(file, limits, Holes::LeftOut);
    let head = read_head(&mut expanded)?;
    let format = detect(&head)?;
    match format.access() {
        Access::Stream => {
            let gaps: Vec<u64> = salvage.damages().iter().map(|damage| damage.expanded_at).collect();
            let mut stream = head.as_slice().chain(expanded);
            format.read(Input::Broken(&mut stream, &gaps), limits, sink)?;
        }
        Access::Random => {
            spool(Vec::new(), &mut salvage.expand(file, limits, Holes::Filled), scratch)?;
            format.read(Input::Random(&*scratch), limits, sink)?;
        }
    }
    Ok(format)
}

/// The first bytes of an expanded file. An error after at least one byte is left in the stream, which
/// answers it again, so that everything before the damage is read.
fn read_head(expanded: &mut dyn Read) -> Result<Vec<u8>, ReadError> {
    let mut head = Vec::new();
    match expanded.take(HEAD_BYTES as u64).read_to_end(&mut head) {
        Err(error) if head.is_empty() => Err(container::read_error(error)),
        _ => Ok(head),
    }
}

fn spool(head: Vec<u8>, expanded: &mut dyn Read, scratch: &mut dyn Scratch) -> Result<(), ReadError> {
    scratch.append(&head)?;
    let mut buffer = head;
    buffer.resize(HEAD_BYTES, 0);
    loop {
        let count = expanded.read(&mut buffer).map_err(container::read_error)?;
        if count == 0 {
            return Ok(());
        }
        scratch.append(buffer.get(..count).unwrap_or_default())?;
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::model::{Code, Place};

    /// The recordings that come with the project, or those of the folder that `TRACES` names.
    fn recordings() -> Vec<PathBuf> {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../sample_traces");
        let folder = std::env::var_os("TRACES").map_or(samples, PathBuf::from);
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let is_recording = |path: &PathBuf| {
            path.is_file() && !path.extension().is_some_and(|name| name == "md" || name == "toml")
        };
        files.filter(is_recording).collect()
    }

    /// What claims a file, the likeliest first.
    fn claims(file: Vec<u8>) -> Result<Vec<(Likeness, &'static str)>, ReadError> {
        let (_, mut expanded) = container::expand(&file, &Limits::default())?;
        let head = read_head(&mut expanded)?;
        let likeness = |format: &&dyn TraceFormat| (format.likeness(&head), format.name());
        let mut claims: Vec<_> =
            FORMATS.iter().map(likeness).filter(|(likeness, _)| *likeness > Likeness::No).collect();
        claims.sort_unstable_by(|one, other| other.cmp(one));
        Ok(claims)
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the recordings are files")]
    fn one_format_claims_each_recording_and_no_other_as_much() {
        let paths = recordings();
        assert!(!paths.is_empty());
        let doubtful = paths.into_iter().filter_map(|path| {
            let claims = claims(std::fs::read(&path).unwrap());
            let is_clear = claims.as_ref().is_ok_and(|claims| match claims.as_slice() {
                [] => false,
                [_] => true,
                [best, next, ..] => best.0 > next.0,
            });
            (!is_clear).then(|| format!("{}: {claims:?}", path.display()))
        });
        assert_eq!(doubtful.collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn a_version_that_is_not_known_is_refused_by_its_head() {
        let error = detect(b"\x17\x08\x44tracing99\0\0\x08\0\x10\0\0").err();
        assert_eq!(
            error.map(|error| (error.code, error.place)),
            Some((Code::UnsupportedVersion, Place::byte(10)))
        );
    }
}
