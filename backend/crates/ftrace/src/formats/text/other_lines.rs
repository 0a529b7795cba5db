//! Lines without the columns of a record: text between records, and rare layouts.

use super::graph::Graph;
use super::reader::{TextReader, Verdict};
use super::{annotation, blk_classic, context, graph, header, mmiotrace, raw, scan, signs, stated};
use crate::model::{Code, EventKind, EventRecord, Place, StackKind, Stop};

/// The columns of a record take more than this.
const MIN_RECORD_BYTES: usize = 16;
/// Dashes above and below a banner of the function graph.
/// Source: kernel/trace/trace_functions_graph.c (`verif_pid`), Linux 2.6.30 to 7.3.
const BANNER_RULE_BYTES: usize = 42;

/// A line as the layouts below get it.
#[derive(Clone, Copy)]
pub struct OtherLine<'a> {
    pub text: &'a [u8],
    /// The same without blanks on either side.
    pub trimmed: &'a [u8],
    pub place: Place,
}

/// Reads a line; `None` where it is none of this layout.
type ReadLine = fn(&mut TextReader<'_>, &OtherLine<'_>) -> Result<Option<Verdict>, Stop>;

/// In the order in which they are tried.
static LAYOUTS: &[ReadLine] = &[
    |reader, line| reader.stack_frame(line),
    |reader, line| reader.loss_line(line),
    |reader, line| reader.banner_line(line),
    |reader, line| reader.verbose_line(line),
    |reader, line| reader.header_line(line),
    |reader, line| reader.raw_line(line.text, line.place),
    |reader, line| reader.mmiotrace_line(line.trimmed, line.place),
    |reader, line| reader.blk_classic_line(line),
    |reader, line| reader.filler(line),
    |reader, line| reader.go_on_with_text(line),
    |reader, line| reader.bare_graph_line(line.text, line.place),
    |reader, line| reader.line_without_columns(line.trimmed, line.place),
];

impl TextReader<'_> {
    /// Reads a line that is no record with its columns.
    pub(super) fn other_line(&mut self, line: &OtherLine<'_>) -> Result<Verdict, Stop> {
        for read in LAYOUTS {
            if let Some(verdict) = read(self, line)? {
                return Ok(verdict);
            }
        }
        self.tally.count_line();
        Ok(Verdict::Unparsed)
    }

    fn stack_frame(&mut self, line: &OtherLine<'_>) -> Result<Option<Verdict>, Stop> {
        let Some(frame) = annotation::frame(line.trimmed) else { return Ok(None) };
        self.pending.flush(self.sink)?;
        if !self.stack.is_expected()
            || signs::is_odd_frame(line.trimmed)
            || signs::has_blanks(line.text)
            || self.section.frames.is_other_function(line.trimmed)
        {
            self.section.suspect(Code::StrayStack, line.place, line.trimmed);
            self.stack.expect(StackKind::Kernel);
        }
        self.section.look(b"frame", stated::frame_columns(line.trimmed), line.place);
        self.stack.push(frame, self.last, line.place);
        Ok(Some(Verdict::Used))
    }

    fn loss_line(&mut self, line: &OtherLine<'_>) -> Result<Option<Verdict>, Stop> {
        let Some(loss) = annotation::loss(line.trimmed) else { return Ok(None) };
        self.flush()?;
        self.announce_loss(loss, line.place).map(Some)
    }

    fn banner_line(&mut self, line: &OtherLine<'_>) -> Result<Option<Verdict>, Stop> {
        let Some((cpu, prev, next)) = graph::banner(line.text) else { return Ok(None) };
        self.banner(cpu, prev, next, line.place).map(Some)
    }

    fn verbose_line(&mut self, line: &OtherLine<'_>) -> Result<Option<Verdict>, Stop> {
        let Some(context) = context::parse_verbose(line.text) else { return Ok(None) };
        self.context_line(&context, line.place).map(Some)
    }

    fn header_line(&mut self, line: &OtherLine<'_>) -> Result<Option<Verdict>, Stop> {
        let begins_header = [&b"#"[..], b"cpus=", b"version = "];
        if begins_header.iter().any(|begin| line.trimmed.starts_with(begin)) {
            self.flush()?;
        }
        self.begin_recording(line)?;
        self.begin_section(line.trimmed, line.place)?;
        if self.is_stray_comment(line) {
            self.section.suspect(Code::StrayComment, line.place, line.trimmed);
        } else if self.facts.tracer.is_some()
            && !self.section.has_records()
            && !annotation::is_filler(line.trimmed)
            && line.trimmed.strip_prefix(b"#").is_some_and(stated::is_other_statement)
        {
            self.section.other_comment.get_or_insert(line.place);
        }
        if !header::read(line.trimmed, &mut self.facts) {
            return Ok(None);
        }
        self.facts_changed = true;
        self.raw.header_line(line.trimmed);
        Ok(Some(Verdict::Used))
    }

    /// Reports a header after the records of another.
    fn begin_recording(&mut self, line: &OtherLine<'_>) -> Result<(), Stop> {
        let begins = [&b"# tracer: "[..], b"cpus=", b"version = "];
        let is_first = begins.iter().any(|begin| line.trimmed.starts_with(begin));
        if is_first && self.joined.has_lines() {
            self.report(Code::SeveralRecordings, line.place, line.trimmed)?;
            self.joined.begin();
        }
        if line.trimmed.starts_with(b"# tracer: ") {
            self.joined.begin_tracefs();
        } else if is_first {
            self.joined.begin_report();
        }
        Ok(())
    }

    /// A header precedes the records, and is none itself.
    fn is_stray_comment(&self, line: &OtherLine<'_>) -> bool {
        let Some(comment) = line.trimmed.strip_prefix(b"#") else { return false };
        let has = |mark: &[u8]| memchr::memmem::find(comment, mark).is_some();
        let is_announcement = has(b"#P:") || has(b"entries-in");
        if annotation::is_filler(line.trimmed) {
            // `# cat /tmp/trace_unlock <-rb_simple_write`
            return signs::is_like_record(comment);
        }
        self.section.has_records()
            || signs::is_odd_comment(comment)
            || (self.facts.tracer.is_some() || comment.starts_with(b" tracer: "))
                && stated::is_odd_header(comment)
            || self.facts.tracer.is_none() && header::is_of_tracefs(comment)
            || is_announcement && header::announced(line.trimmed).is_none()
            || matches!(graph::parse(comment), Graph::Line(_))
            || raw::is_record(comment)
            || mmiotrace::is_line(scan::trim(comment))
    }

    fn blk_classic_line(&mut self, line: &OtherLine<'_>) -> Result<Option<Verdict>, Stop> {
        let Some((context, device)) = blk_classic::parse(line.text) else { return Ok(None) };
        let args = [device, context.payload].join(&b' ');
        self.tally.count_line();
        let Some((ts, cpu)) = self.begin_record(&context, line.place)? else {
            return Ok(Some(Verdict::Dropped));
        };
        self.sink.event(&EventRecord {
            ts,
            cpu,
            buffer: context.buffer,
            task: context.task,
            flags: context.flags,
            kind: EventKind::Tracer,
            system: None,
            name: b"blk",
            args: &args,
            place: line.place,
        })?;
        Ok(Some(Verdict::Used))
    }

    /// Lines that carry nothing.
    fn filler(&mut self, line: &OtherLine<'_>) -> Result<Option<Verdict>, Stop> {
        if annotation::is_cut_line(line.trimmed) {
            self.tally.count_line();
            self.report(Code::LineTooLong, line.place, line.trimmed)?;
            return Ok(Some(Verdict::Dropped));
        }
        if annotation::is_elision(line.trimmed) {
            return self.cut(line.trimmed, line.place).map(Some);
        }
        if !line.trimmed.is_empty() && line.trimmed.iter().all(|byte| *byte == b'-') {
            self.section.look(b"rule", format!("{}=", line.trimmed.len()).as_bytes(), line.place);
            if line.trimmed.len() != BANNER_RULE_BYTES {
                self.section.odd_rule.get_or_insert((line.place, line.trimmed.len()));
            }
        }
        // A record that was overwritten with blanks; no tracer prints a line of them.
        let is_blank = line.trimmed.is_empty() && line.text.len() >= MIN_RECORD_BYTES;
        if is_blank && self.section.has_records() {
            self.section.doubt(line.place, line.text);
        }
        let is_filler = line.trimmed.is_empty() || annotation::is_filler(line.trimmed);
        Ok(is_filler.then_some(Verdict::Used))
    }

    /// Text of a print that holds a line end.
    fn go_on_with_text(&mut self, line: &OtherLine<'_>) -> Result<Option<Verdict>, Stop> {
        let goes_on = self.pending.is_waiting()
            && self.pending.go_on(line.text, line.trimmed, self.limits.max_line_bytes);
        if goes_on {
            let is_text = self.pending.is_print() && !self.pending.is_atrace();
            if !is_text || signs::is_like_record(line.trimmed) {
                self.section.suspect(Code::LinesJoined, line.place, line.trimmed);
            } else {
                self.section.texts.go_on(line.place, line.trimmed);
            }
            if line.trimmed.strip_prefix(b"<-").is_some_and(signs::is_odd_parent) {
                self.section.doubt(line.place, line.trimmed);
            }
            self.tally.count_line();
        }
        Ok(goes_on.then_some(Verdict::Used))
    }
}
