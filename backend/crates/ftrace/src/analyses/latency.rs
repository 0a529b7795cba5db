//! Latencies as analyses measure them. What each kind means is said in its own file.

use serde::{Deserialize, Serialize};

use super::{AnalysisEntry, SliceFlags, SliceKind};
use crate::model::Ns;

/// A kind of latency: declared once, in the file of the analysis that measures it.
#[derive(Debug)]
pub struct LatencyKind {
    /// The number that is stored. Never given to another kind.
    pub code: i16,
    /// The stable name that the API shows: `wakeup`.
    pub name: &'static str,
    pub title: &'static str,
    /// From what to what, in one sentence.
    pub definition: &'static str,
    /// What else the documentation says of it, in Markdown.
    pub note: &'static str,
    pub source: SampleSource,
    pub subject: Subject,
    /// What the symbol of a sample is: `irq`, `vector`, `caller`, `syscall` ...
    pub key_name: Option<&'static str>,
    pub lateness: Lateness,
    /// Samples say how long the task slept, and the frequency and idle state that it woke to.
    pub has_sleep: bool,
    pub analysis: AnalysisEntry,
}

/// What a long sample says, the worst news first: of the worst cases of a trace, that of the first kinds is its worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lateness {
    /// How late the thread was that somebody measured.
    Measured,
    /// How late something else was, or how long nothing could run.
    Late,
    /// How long something took, which often is no fault.
    Long,
    /// The same for what sleeps for a requested time.
    Asleep,
}

/// Where the samples of a kind are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleSource {
    /// They are emitted one by one.
    Samples,
    /// Every whole slice of that kind is one, so that nothing is stored twice.
    Slices(SliceKind),
    /// Every whole call without a caller is one.
    RootCalls,
}

impl SampleSource {
    /// The slices that hold the samples.
    pub fn slice_kind(self) -> Option<SliceKind> {
        match self {
            SampleSource::Samples => None,
            SampleSource::Slices(kind) => Some(kind),
            SampleSource::RootCalls => Some(SliceKind::Call),
        }
    }
}

/// Whom the name of a case speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    Task,
    Cpu,
}

/// What is special about a sample, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleFlags(pub u16);

impl SampleFlags {
    /// The task went to another CPU in between.
    pub const MIGRATED: SampleFlags = SampleFlags(1);
    /// The task was switched out in between.
    pub const BLOCKED: SampleFlags = SampleFlags(2);
    /// The number is the tracer's own, as its report states it.
    pub const REPORTED: SampleFlags = SampleFlags(4);
    /// The start is `sched_wakeup`, because no `sched_waking` was recorded.
    pub const FROM_WAKEUP: SampleFlags = SampleFlags(8);
    /// The end is the switch to the task, because the return of its system call was not recorded.
    pub const ENDS_AT_SWITCH: SampleFlags = SampleFlags(16);

    /// The value is a bare number of an event: no time, and no interval.
    pub const NUMBER: SampleFlags = SampleFlags(32);
    /// It took at least this long: when it really ended was not recorded.
    pub const AT_LEAST: SampleFlags = SampleFlags(64);
    /// It may be something else: the handler that would show it was not recorded.
    pub const HANDLER_UNKNOWN: SampleFlags = SampleFlags(128);
    /// Its task had just been made: it was due before the task got to begin it.
    pub const STARTING: SampleFlags = SampleFlags(256);

    /// Every flag with the name that the API shows.
    pub const NAMES: &'static [(SampleFlags, &'static str)] = &[
        (SampleFlags::MIGRATED, "migrated"),
        (SampleFlags::BLOCKED, "blocked"),
        (SampleFlags::REPORTED, "reported"),
        (SampleFlags::FROM_WAKEUP, "from_wakeup"),
        (SampleFlags::ENDS_AT_SWITCH, "ends_at_switch"),
        (SampleFlags::NUMBER, "number"),
        (SampleFlags::AT_LEAST, "at_least"),
        (SampleFlags::HANDLER_UNKNOWN, "handler_unknown"),
        (SampleFlags::STARTING, "starting"),
    ];

    /// What is special about the sample that a slice is.
    pub fn of(slice: SliceFlags) -> SampleFlags {
        if slice.has(SliceFlags::REPORTED) { SampleFlags::REPORTED } else { SampleFlags::default() }
    }

    pub fn with(self, flag: SampleFlags) -> SampleFlags {
        SampleFlags(self.0 | flag.0)
    }

    pub fn has(self, flag: SampleFlags) -> bool {
        self.0 & flag.0 != 0
    }
}

/// One measured latency, [start, start + duration). Tasks and symbols are indices that
/// [`Emit`](super::Emit) handed out.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub kind: &'static LatencyKind,
    pub start_ns: Ns,
    pub duration_ns: Ns,
    /// The CPU on which it ended.
    pub cpu: u16,
    /// The CPU on which it began, where that is another one.
    pub start_cpu: Option<u16>,
    pub task: Option<u32>,
    pub symbol: Option<u32>,
    pub flags: SampleFlags,
    /// How long the task had slept before.
    pub sleep_ns: Option<Ns>,
    /// The CPU's frequency at the end.
    pub frequency_khz: Option<i64>,
    /// The idle state that the CPU had to leave.
    pub idle_state: Option<i64>,
    /// How many equal measurements it stands for: more than one for a bar of a histogram.
    pub weight: i64,
}

impl Sample {
    /// A sample that says no more than its interval.
    pub fn new(kind: &'static LatencyKind, cpu: u16, start_ns: Ns, end_ns: Ns) -> Self {
        Self {
            kind,
            start_ns,
            duration_ns: start_ns.until(end_ns),
            cpu,
            start_cpu: None,
            task: None,
            symbol: None,
            flags: SampleFlags::default(),
            sleep_ns: None,
            frequency_khz: None,
            idle_state: None,
            weight: 1,
        }
    }
}

/// Why something that began or ended gives no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IncompleteReason {
    /// Events were lost between its ends.
    LostEvents,
    /// Its task was sent to a CPU of which nothing is recorded.
    Unrecorded,
    /// It had begun before anything was recorded.
    NoStart,
    /// The recording ends before it does, or its end was never recorded.
    NoEnd,
    /// Its ends lie in the wrong order.
    OutOfOrder,
    /// It is stated in nanoseconds, which the trace's clock does not count.
    TickClock,
    /// It is not within one call, and the recording has no times but the durations of calls.
    LaidOut,
    /// It was over before it could be late: a timer's slack lets it fire early.
    Early,
    /// Something else, as a signal, ended the sleep.
    Interrupted,
    /// The program that measured it states only how many there were.
    NotListed,
}

impl IncompleteReason {
    pub const ALL: &'static [IncompleteReason] = &[
        IncompleteReason::LostEvents,
        IncompleteReason::Unrecorded,
        IncompleteReason::NoStart,
        IncompleteReason::NoEnd,
        IncompleteReason::OutOfOrder,
        IncompleteReason::TickClock,
        IncompleteReason::LaidOut,
        IncompleteReason::Early,
        IncompleteReason::Interrupted,
        IncompleteReason::NotListed,
    ];

    /// The stable name that the API shows.
    pub fn name(self) -> &'static str {
        match self {
            IncompleteReason::LostEvents => "lost_events",
            IncompleteReason::Unrecorded => "unrecorded",
            IncompleteReason::NoStart => "no_start",
            IncompleteReason::NoEnd => "no_end",
            IncompleteReason::OutOfOrder => "out_of_order",
            IncompleteReason::TickClock => "tick_clock",
            IncompleteReason::LaidOut => "laid_out",
            IncompleteReason::Early => "early",
            IncompleteReason::Interrupted => "interrupted",
            IncompleteReason::NotListed => "not_listed",
        }
    }

    /// What happened, for people.
    pub fn sentence(self) -> &'static str {
        match self {
            IncompleteReason::LostEvents => "Events were lost between the start and the end.",
            IncompleteReason::Unrecorded => "The task was sent to a CPU of which nothing is recorded.",
            IncompleteReason::NoStart => "The start was not recorded.",
            IncompleteReason::NoEnd => "The end was not recorded.",
            IncompleteReason::OutOfOrder => "The end is stamped before the start.",
            IncompleteReason::TickClock => "The trace clock counts ticks instead of nanoseconds.",
            IncompleteReason::LaidOut => {
                "The recording has no times, only durations of calls, so nothing says how long it took."
            }
            IncompleteReason::Early => "The timer fired early, within its slack, so nothing was late.",
            IncompleteReason::Interrupted => {
                "A signal or another wakeup ended the sleep before its timer did."
            }
            IncompleteReason::NotListed => "The program counted it but did not print its value.",
        }
    }
}
