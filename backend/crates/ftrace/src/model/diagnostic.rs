//! Problems met while reading: one table of codes, each with its severity, sentence and remedy.

use serde::{Deserialize, Serialize};

/// How much a diagnostic matters to a reader of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Nothing is missing; the file was decoded or repaired in a way that is worth knowing.
    Info,
    /// Something in the file, or of the recording, is not in the trace.
    DataLoss,
    /// The file could not be read.
    Error,
}

/// Where something is in the expanded input, or in the file as uploaded for what is wrong with its
/// compression. Lines count from 1, bytes from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub line: Option<u64>,
    pub byte_offset: u64,
}

impl Place {
    /// A line, counted from 1, and the offset of its first byte.
    pub fn line(line: u64, byte_offset: u64) -> Self {
        Self { line: Some(line), byte_offset }
    }

    /// An offset in a file that has no lines.
    pub fn byte(byte_offset: u64) -> Self {
        Self { line: None, byte_offset }
    }
}

/// One occurrence of a problem. `sample` is an excerpt of the input; it is cut and escaped on storing.
#[derive(Clone, Copy, Debug)]
pub struct Diagnostic<'a> {
    pub code: Code,
    pub place: Place,
    pub sample: &'a [u8],
    /// How many occurrences this stands for; 1 for a line, n for `n bytes skipped`.
    pub count: u64,
}

macro_rules! codes {
    ($( $variant:ident $name:literal $severity:ident $sentence:literal $remedy:literal; )*) => {
        /// A stable name for a kind of problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        pub enum Code { $( #[serde(rename = $name)] $variant, )* }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Code] = &[ $( Code::$variant, )* ];

            /// The stable name that the API shows: `unparsed_lines`.
            pub fn name(self) -> &'static str { match self { $( Code::$variant => $name, )* } }

            pub fn severity(self) -> Severity { match self { $( Code::$variant => Severity::$severity, )* } }

            /// What happened, in one plain sentence.
            pub fn sentence(self) -> &'static str { match self { $( Code::$variant => $sentence, )* } }

            /// What a person can do about it.
            pub fn remedy(self) -> &'static str { match self { $( Code::$variant => $remedy, )* } }
        }
    };
}

codes! {
    EmptyFile "empty_file" Error "The file is empty." "Check that the recording had ended before it was copied.";
    UnknownFormat "unknown_format" Error "This is not a recording that Jitterscope reads." "Use trace.dat, the text of tracefs' trace file, or the output of trace-cmd report.";
    ArchiveNotSupported "archive_not_supported" Error "This is an archive of files." "Unpack it and use the recordings in it.";
    PerfScriptText "perf_script_text" Error "This is the output of perf script." "Record with trace-cmd or tracefs; perf's own tools read perf data.";
    JsonTrace "json_trace" Error "This is a JSON trace of Chrome or Perfetto." "Use the ftrace text or trace.dat that it was made from.";
    TracefsDescription "tracefs_description" Error "This file of tracefs describes or counts events; it holds no recording." "Use tracefs' trace file, trace.dat, or the output of trace-cmd report.";
    NestedCompression "nested_compression" Error "The file is compressed more than once." "Unpack one layer and use the result.";
    DecoderMemory "decoder_memory" Error "Decompressing this file needs more memory than is allowed." "Compress it again with a smaller window or dictionary.";
    ExpandedTooLarge "expanded_too_large" Error "The file expands past the size limit." "Use a shorter recording, or raise max_expanded_bytes.";
    ExpansionRatio "expansion_ratio" Error "The file expands to far more than its own size, as only bombs do." "Unpack it first if it is a real recording.";
    CompressedTruncated "compressed_truncated" DataLoss "The compressed file ends before its data does." "Copy it again; the transfer was cut.";
    ChecksumMismatch "checksum_mismatch" DataLoss "A checksum in the compressed file does not fit its data, which was left out." "Copy it again; it was damaged on the way. To look at doubtful data all the same, unpack it (gzip -dc) and use that.";
    CompressedCorrupt "compressed_corrupt" DataLoss "Part of the compressed file is damaged and was left out." "Copy it again; it was damaged on the way.";
    UnsupportedVersion "unsupported_version" Error "This version of trace.dat is not known." "Convert it with trace-cmd convert --file-version 7.";
    BadPageSize "bad_page_size" Error "The page size in the header cannot be right." "The file is damaged; record again.";
    TruncatedFormats "truncated_formats" Error "The file ends inside its event formats." "Copy it again; the transfer was cut.";
    SizeOutOfRange "size_out_of_range" Error "A size or count in the header cannot be right." "The file is damaged; record again.";
    SizePastEof "size_past_eof" Error "A section claims to be longer than the file." "Copy it again; the transfer was cut.";
    TooManyCpus "too_many_cpus" Error "The file claims more CPUs than the limit." "Raise max_cpus if the machine is real.";
    OptionLoop "option_loop" Error "The option sections point at each other in a circle." "The file is damaged; record again.";
    TooManyUnparsed "too_many_unparsed" Error "Most lines could not be read." "Check that the file is ftrace text, not another tool's.";
    ReadFailed "read_failed" Error "The stored file could not be read." "Look at the server's disk, then load the trace again.";
    NoEvents "no_events" Info "The file has a header but no event." "Check that tracing was on (tracing_on) while the workload ran.";
    Utf16Decoded "utf16_decoded" Info "The text was UTF-16 and was decoded." "";
    QuotedPrintableDecoded "quoted_printable_decoded" Info "The text was quoted-printable mail and was decoded." "";
    QuoteMarksRemoved "quote_marks_removed" Info "Quote or diff marks before the lines were removed." "";
    HtmlUnescaped "html_unescaped" Info "HTML entities were turned back into characters." "";
    ColoursRemoved "colours_removed" Info "Colours of a terminal were removed." "";
    ControlChars "control_chars" Info "A name or a printed text holds control characters; they are shown escaped." "";
    NonUtf8Name "non_utf8_name" Info "A name is not UTF-8; its bytes are shown as \\xNN." "";
    NulByte "nul_byte" Info "A line holds a NUL byte; it is shown escaped." "";
    TimestampOutOfRange "timestamp_out_of_range" DataLoss "A time stamp is past the range of 64-bit nanoseconds; the record was dropped." "The line or page is damaged; record again if it matters.";
    BadTimestamp "bad_timestamp" DataLoss "A time stamp could not be read; the record was dropped." "Look at the line: it was cut or edited, or ftrace did not write it.";
    OutOfOrder "out_of_order" Info "Time runs backwards." "Record with the global or mono clock if CPUs disagree. If they do not, lines of a text were moved, or come from another recording.";
    ClockCountsEvents "clock_counts_events" Info "The clock of this recording counts events, so durations mean nothing: there are no latencies, only the order." "Record with the clock mono or local (trace-cmd record -C mono).";
    UnpairedEvent "unpaired_event" Info "The end of an interval has no beginning, so it has no duration." "Start recording before the workload.";
    CpuOutOfRange "cpu_out_of_range" DataLoss "A CPU number is past the limit; the record was dropped." "Raise max_cpus if the machine is real.";
    LostEvents "lost_events" DataLoss "The kernel overwrote events before they were read." "Record with a larger buffer (trace-cmd record -b) or fewer events.";
    LineTooLong "line_too_long" DataLoss "A line is longer than the limit and was cut." "Raise max_line_bytes if the line is a real event.";
    TruncatedLastLine "truncated_last_line" DataLoss "The file ends within a line, which was dropped; everything after it is missing." "Copy the recording again after it has ended; if only the final line feed is missing, add it.";
    EndsEarly "ends_early" DataLoss "The file ends too early; the rest is missing." "Copy it again after the program has ended.";
    HeaderMismatch "header_mismatch" DataLoss "The file has fewer or more entries than its header announces." "Copy the recording again: it was cut or edited. The header of a per-CPU file (per_cpu/cpu0/trace) announces the entries of all CPUs.";
    OneCpuOnly "one_cpu_only" Info "The text has fewer entries than its header announces, all of one CPU: either this is the file of that CPU (per_cpu/cpu0/trace), or entries are missing." "If it was copied from tracefs' trace file, copy it again.";
    SecondRecord "second_record" DataLoss "A line holds the columns of a second record, which was read as text of the first." "Look at the line: it has lost a line feed, or a program wrote the text of a trace into trace_marker.";
    OddFields "odd_fields" DataLoss "The fields of an event are not those of its type." "Look at the line: part of it may be missing, or two lines may have been joined.";
    DoubtfulText "doubtful_text" Info "The text of a record may be damaged: the kernel prints it differently, or other records differ." "Look at the line: part of it may have been overwritten, or a program wrote it that way.";
    DoubtfulValue "doubtful_value" Info "A record holds a value that the kernel does not give, or that other records contradict." "Look at the record: part of it may have been overwritten.";
    MissingSamples "missing_samples" DataLoss "The numbers of a tracer's samples have a gap; the samples between are missing." "Copy the recording again; if that does not help, record with a larger buffer.";
    MissingPartner "missing_partner" DataLoss "A wakeup, a system call, a timer or a soft interrupt has only half of its records, where nearly all others have both." "Copy the recording again: a line or a page may be gone. If that does not help, record with a larger buffer.";
    MissingSwitch "missing_switch" DataLoss "A CPU runs a task that no switch led to; a record of a switch is missing." "This is expected if a filter (set_event_pid) selected the switches. Otherwise copy the recording again, or record with a larger buffer.";
    OtherCpu "other_cpu" DataLoss "Switches of a CPU name the idle task of another one; records may be listed under the wrong CPU." "Copy the recording again; its CPU numbers are damaged.";
    SeveralRecordings "several_recordings" Info "The text seems to hold more than one recording: a second header, lines with other columns, or a pause far longer than all others." "Load each recording as a separate file; if only one line has other columns, it may be damaged.";
    RepeatedLine "repeated_line" Info "A record appears twice, one right after the other, with the same time and values." "Look at the lines: the text may have been put together from pieces.";
    StrayComment "stray_comment" Info "A comment appears between records, hides one, or is of a header that has lost its first line." "Look at the line: a damaged record may have become a comment.";
    StrayStack "stray_stack" DataLoss "Stack frames follow a record that has no stack." "Look at the line: the record before the frames may be missing.";
    LinesJoined "lines_joined" Info "Lines without the columns of a record were read as the rest of the record before them." "Look at the lines: a damaged record may be among them.";
    UnparsedLines "unparsed_lines" DataLoss "A line could not be read." "Look at the lines: those that ftrace did not write can be removed or left in place.";
    TooManyTasks "too_many_tasks" DataLoss "The trace has more tasks than the limit; the others are counted together." "Raise max_tasks.";
    TooManyNames "too_many_names" DataLoss "The trace has more names than the limit; the others are counted together." "Raise max_names.";
    DepthLimit "depth_limit" DataLoss "Calls nested deeper than the limit were folded into their caller." "Raise max_depth.";
    UnbalancedClose "unbalanced_close" Info "A call ends whose beginning was not recorded." "Start recording before the workload.";
    OnlyEnds "only_ends" Info "Only the ends of calls were recorded, as tracing_thresh does; each call has the duration that the kernel measured, and no calls inside it that took less." "To see what a slow call did, record it without tracing_thresh.";
    UnclosedCall "unclosed_call" Info "The end of a call was not recorded; it is drawn to the last line of its task." "";
    GraphOfAnotherBuffer "graph_of_another_buffer" DataLoss "Two trace instances recorded a call graph; only the one that began first was read." "Record function_graph in one instance at a time.";
    BadDuration "bad_duration" DataLoss "A duration could not be read; the call was dropped." "Look at the line: it was cut or edited.";
    ChildExceedsParent "child_exceeds_parent" Info "Calls are longer than the call that contains them; its self time is set to zero." "";
    NoteKept "note_kept" Info "A hand-written note was kept at the time of its line." "";
    ElidedCalls "elided_calls" Info "Lines were left out by hand (...)." "";
    BadFormat "bad_format" DataLoss "The description of an event does not fit its records; the event was skipped." "The file is damaged, or was written by another kernel than the one that it describes.";
    PrintFmtTooDeep "print_fmt_too_deep" Info "The print format of an event is nested too deeply; its raw fields are shown." "";
    PrintFmtUnknown "print_fmt_unknown" Info "The print format of an event uses symbols that the file does not define; numbers or raw fields are shown." "";
    UnknownOwnEntry "unknown_own_entry" Info "One of ftrace's own entry types is unknown; its raw fields are shown." "";
    FunctionArgsLeftOut "function_args_left_out" Info "Functions were recorded with their arguments; the kernel's types (BTF), which explain them, are missing or damaged." "Record with trace-cmd 3.4 or later, which stores the types in files of version 7.";
    OptionNotRead "option_not_read" Info "The file describes the recording in options that are not read." "";
    BadCommit "bad_commit" DataLoss "A ring-buffer page has an impossible length; it was skipped." "Copy the file again; if that does not help, record again.";
    BadEventLength "bad_event_length" DataLoss "A record in a ring-buffer page has an impossible length; the rest of the page was skipped." "Copy the file again; if that does not help, record again.";
    BadPage "bad_page" DataLoss "A ring-buffer page is damaged; it was skipped." "Copy the file again; if that does not help, record again.";
    StrayPage "stray_page" DataLoss "A ring-buffer page is of another CPU, or is in the wrong place; it was skipped." "Copy the file again; if that does not help, record again.";
    UnknownEvent "unknown_event" DataLoss "Records have an event type that the file does not describe." "Record with trace-cmd, which stores the format of every event, modules loaded.";
    DataLocOutOfRecord "data_loc_out_of_record" DataLoss "A field points outside its record and is shown as missing." "The record is damaged; the other fields are read.";
    BadChunk "bad_chunk" DataLoss "A compressed stretch of ring-buffer pages is damaged; it was skipped." "Copy the file again; if that does not help, record again.";
    BadSection "bad_section" DataLoss "A section of the file is damaged; what it describes is missing." "Copy the file again; if that does not help, record again.";
    EmptyPage "empty_page" DataLoss "A ring-buffer page is empty; no recorder writes such a page." "Copy the file again: the contents of the page were overwritten.";
    JunkOnPage "junk_on_page" DataLoss "Bytes after the last record of a ring-buffer page were skipped." "Copy the file again; if that does not help, record again.";
    RecordTooLong "record_too_long" DataLoss "A record is longer than its event's fields; others may be hidden in it." "Copy the file again; if that does not help, record again.";
    FewerThanStated "fewer_than_stated" DataLoss "A CPU has fewer events than the recording's own statistics state." "Copy the file again; if that does not help, record again.";
    UnreadBytes "unread_bytes" DataLoss "Bytes that nothing in the file points to were skipped." "Copy the file again; if that does not help, record again.";
    DiscardedRecords "discarded_records" Info "The kernel took records back after it had written them, as filters and triggers do." "";
    CpuDataOverlap "cpu_data_overlap" DataLoss "Two CPUs claim the same bytes; they were read once." "The table of CPUs is damaged; record again if a CPU is missing.";
    CpuDataTruncated "cpu_data_truncated" DataLoss "The file ends inside the data of a CPU." "Copy it again; the transfer was cut.";
    RawText "raw_text" Info "The text was recorded with an option that prints numbers in place of names (raw, hex, bin)." "Record without the raw, hex and bin options.";
    NoTime "no_time" DataLoss "Lines without a time (nocontext-info) cannot be placed." "Record with the context-info option.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_own_name_and_a_sentence() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
        assert!(Code::ALL.iter().all(|code| code.sentence().ends_with('.')));
    }

    #[test]
    fn whatever_costs_a_reader_something_says_what_to_do() {
        let silent: Vec<_> = Code::ALL
            .iter()
            .filter(|code| code.severity() != Severity::Info && code.remedy().is_empty())
            .map(|code| code.name())
            .collect();
        assert_eq!(silent, [""; 0]);
    }
}
