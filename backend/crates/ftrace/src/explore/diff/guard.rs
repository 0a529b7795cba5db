//! What differs around two sides, and whether that makes their comparison doubtful.

use serde::Serialize;

use super::options::options;
use super::side::{Recording, Side};
use crate::diff::Sides;
use crate::model::TimeUnit;

/// A difference, with a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub name: &'static str,
    #[serde(flatten)]
    pub values: Sides<Option<String>>,
    pub is_doubtful: bool,
    pub sentence: String,
}

impl Difference {
    /// Something that is known of both sides, where it differs.
    fn between<T: PartialEq + ToString>(
        name: &'static str,
        values: Sides<Option<T>>,
        is_doubtful: bool,
        sentence: impl FnOnce(Sides<&str>) -> String,
    ) -> Option<Self> {
        let values = values.both().filter(|values| values.abnormal != values.normal)?;
        let values = values.map(|value| value.to_string());
        let sentence = sentence(values.as_ref().map(String::as_str));
        Some(Self { name, values: values.map(Some), is_doubtful, sentence })
    }
}

/// What is known of one side besides what it did.
#[derive(Clone, Debug)]
pub struct Circumstances<'s> {
    pub trace: &'s Recording,
    pub side: &'s Side,
    pub has_loss: bool,
    /// It began or ended outside of the recording.
    pub is_cut: bool,
    pub frequency_khz: Option<i64>,
    /// How deep its calls go; `None` for events.
    pub deepest: Option<u32>,
}

/// Facts of a trace that are compared as texts: name, what it means where it differs, whether that is doubtful.
const FACTS: &[(&str, &str, bool)] = &[
    ("hostname", "The recordings are from different machines.", true),
    ("preemption_model", "The kernels have different preemption models.", true),
    ("trace_cmd_version", "The recordings are from different versions of trace-cmd.", false),
];

/// Everything that differs, or that cannot be known where it matters.
pub fn differences(sides: Sides<&Circumstances<'_>>) -> Vec<Difference> {
    let traces = sides.map(|side| side.trace);
    let mut found = Vec::new();
    if traces.abnormal.id != traces.normal.id {
        found.extend(of_recordings(traces));
        found.extend(options(traces));
        found.extend(unknown_ticks(traces));
        found.extend(unknown_kernel(traces));
        found.extend(cpu_counts(traces));
    }
    found.extend(cpus(sides));
    found.extend(frequencies(sides));
    found.extend(depths(sides));
    found.extend(incomplete("lost_events", sides.map(|side| side.has_loss), "Events were lost in"));
    found.extend(incomplete("cut", sides.map(|side| side.is_cut), "The recording does not cover all of"));
    found
}

fn of_recordings(traces: Sides<&Recording>) -> Vec<Difference> {
    let known = [
        Difference::between(
            "kernel",
            traces.map(|trace| trace.kernel.as_deref()),
            true,
            |Sides { abnormal, normal }| {
                format!(
                    "The kernels differ ({abnormal} and {normal}): calls may be missing because the code differs."
                )
            },
        ),
        Difference::between(
            "tracer",
            traces.map(|trace| trace.tracer.as_deref()),
            true,
            |Sides { abnormal, normal }| {
                format!(
                    "The recordings are from different tracers ({abnormal} and {normal}), which record different things."
                )
            },
        ),
        Difference::between(
            "clock",
            traces.map(|trace| trace.clock.as_deref()),
            false,
            |Sides { abnormal, normal }| format!("The trace clocks differ ({abnormal} and {normal})."),
        ),
        Difference::between("time_origin", traces.map(|trace| trace.time_origin.as_deref()), false, |_| {
            "One recording has no timestamps: its calls are placed by their durations.".to_owned()
        }),
    ];
    let facts = FACTS.iter().map(|(name, sentence, is_doubtful)| {
        let values = traces.map(|trace| trace.fact(name));
        Difference::between(name, values, *is_doubtful, |_| (*sentence).to_owned())
    });
    known.into_iter().chain(facts).flatten().collect()
}

/// Two clocks of one name that only count.
fn unknown_ticks(traces: Sides<&Recording>) -> Option<Difference> {
    (traces.abnormal.time_unit == TimeUnit::Ticks).then(|| Difference {
        name: "clock_tick",
        values: traces.map(|trace| trace.clock.clone()),
        is_doubtful: false,
        sentence: "The clocks count ticks of unknown length, which may not be the same in both recordings."
            .to_owned(),
    })
}

/// Two files that do not say of which kernel they are.
fn unknown_kernel(traces: Sides<&Recording>) -> Option<Difference> {
    let kernels = traces.map(|trace| trace.kernel.clone());
    let whose = match &kernels {
        Sides { abnormal: Some(_), normal: Some(_) } => return None,
        Sides { abnormal: None, normal: None } => "Neither recording names its kernel",
        Sides { abnormal: None, .. } => "The abnormal recording does not name its kernel",
        Sides { normal: None, .. } => "The normal recording does not name its kernel",
    };
    let sentence = format!("{whose}, so the kernels may differ.");
    Some(Difference { name: "kernel", values: kernels, is_doubtful: false, sentence })
}

fn cpu_counts(traces: Sides<&Recording>) -> Option<Difference> {
    Difference::between(
        "cpu_count",
        traces.map(|trace| trace.cpu_count),
        true,
        |Sides { abnormal, normal }| {
            format!("The machines have different numbers of CPUs ({abnormal} and {normal}).")
        },
    )
}

fn cpus(sides: Sides<&Circumstances<'_>>) -> Option<Difference> {
    Difference::between("cpu", sides.map(|side| Some(side.side.cpu)), false, |Sides { abnormal, normal }| {
        format!("They ran on different CPUs ({abnormal} and {normal}).")
    })
}

fn frequencies(sides: Sides<&Circumstances<'_>>) -> Option<Difference> {
    let frequencies_khz = sides.map(|side| side.frequency_khz).both()?;
    // Two that differ by less than a MHz differ all the same.
    (frequencies_khz.abnormal != frequencies_khz.normal).then(|| {
        let values = frequencies_khz.map(|khz| format!("{} MHz", khz.div_euclid(1_000)));
        let sentence = format!(
            "Their CPUs ran at {} and {}: every call takes longer at the lower frequency.",
            values.abnormal, values.normal
        );
        Difference { name: "frequency", values: values.map(Some), is_doubtful: true, sentence }
    })
}

/// What one recording left out, the other may show: `max_graph_depth`, or a filter.
fn depths(sides: Sides<&Circumstances<'_>>) -> Option<Difference> {
    if sides.abnormal.trace.id == sides.normal.trace.id {
        return None;
    }
    let depths = sides.map(|side| side.deepest);
    let Sides { abnormal, normal } = depths.both()?;
    let is_much = abnormal.min(normal).saturating_mul(2) <= abnormal.max(normal) && abnormal.max(normal) >= 4;
    let difference = Difference::between("depth", depths, true, |Sides { abnormal, normal }| {
        format!(
            "Their calls are {abnormal} and {normal} deep: one may have been recorded with a smaller \
             max_graph_depth, or other functions. Tracing adds its own cost to every recorded call."
        )
    });
    difference.filter(|_| is_much)
}

fn incomplete(name: &'static str, sides: Sides<bool>, what: &str) -> Option<Difference> {
    let whose = match sides {
        Sides { abnormal: false, normal: false } => return None,
        Sides { abnormal: true, normal: true } => "both runs",
        Sides { abnormal: true, .. } => "the abnormal run",
        Sides { normal: true, .. } => "the normal run",
    };
    let values = sides.map(|is_it| Some(if is_it { "yes" } else { "no" }.to_owned()));
    let sentence = format!("{what} {whose}: calls that seem missing there may only be unrecorded.");
    Some(Difference { name, values, is_doubtful: true, sentence })
}
