//! What differs around two sides, and whether that makes their comparison doubtful.

use serde::Serialize;

use super::options;
use super::side::{Recording, Side};

/// A difference, with a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub name: &'static str,
    pub abnormal: Option<String>,
    pub normal: Option<String>,
    pub is_doubtful: bool,
    pub sentence: String,
}

impl Difference {
    /// Something that is known of both sides.
    pub fn of_sides(
        name: &'static str,
        abnormal: String,
        normal: String,
        is_doubtful: bool,
        sentence: String,
    ) -> Self {
        Self { name, abnormal: Some(abnormal), normal: Some(normal), is_doubtful, sentence }
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
    ("hostname", "They were recorded on different machines.", true),
    ("preemption_model", "The kernels preempt in different ways.", true),
    ("trace_cmd_version", "They were recorded by different versions of trace-cmd.", false),
];

/// Everything that differs, or that cannot be known where it matters.
pub fn differences(abnormal: &Circumstances<'_>, normal: &Circumstances<'_>) -> Vec<Difference> {
    let (a, b) = (abnormal.trace, normal.trace);
    let mut found = Vec::new();
    if a.id != b.id {
        found.extend(of_texts("kernel", a.kernel.as_deref(), b.kernel.as_deref(), true, |a, b| {
            format!("The kernels differ ({a} and {b}): calls may be missing because the code is another one.")
        }));
        found.extend(of_texts("tracer", a.tracer.as_deref(), b.tracer.as_deref(), true, |a, b| {
            format!("They were recorded by different tracers ({a} and {b}), which see different things.")
        }));
        found.extend(of_texts("clock", a.clock.as_deref(), b.clock.as_deref(), false, |a, b| {
            format!("The trace clocks differ ({a} and {b}).")
        }));
        found.extend(of_texts(
            "time_unit",
            Some(a.time_unit.name()),
            Some(b.time_unit.name()),
            true,
            |a, b| {
                format!("The clocks count in different units ({a} and {b}): durations cannot be compared.")
            },
        ));
        found.extend(of_texts(
            "time_origin",
            a.time_origin.as_deref(),
            b.time_origin.as_deref(),
            false,
            |_, _| "One recording has no stamps: where its calls begin is derived from durations.".to_owned(),
        ));
        for (name, sentence, is_doubtful) in FACTS {
            found.extend(of_texts(name, a.fact(name), b.fact(name), *is_doubtful, |_, _| {
                (*sentence).to_owned()
            }));
        }
        found.extend(options::options(a, b));
        found.extend(unknown_kernel(a, b));
        found.extend(cpu_counts(a, b));
    }
    found.extend(cpus(abnormal, normal));
    found.extend(frequencies(abnormal, normal));
    found.extend(depths(abnormal, normal));
    found.extend(incomplete("lost_events", abnormal.has_loss, normal.has_loss, "Events were lost"));
    found.extend(incomplete("cut", abnormal.is_cut, normal.is_cut, "A part was not recorded"));
    found
}

fn of_texts(
    name: &'static str,
    a: Option<&str>,
    b: Option<&str>,
    is_doubtful: bool,
    sentence: impl Fn(&str, &str) -> String,
) -> Option<Difference> {
    let (a, b) = a.zip(b).filter(|(a, b)| a != b)?;
    let sentence = sentence(a, b);
    Some(Difference { name, abnormal: Some(a.to_owned()), normal: Some(b.to_owned()), is_doubtful, sentence })
}

/// Two files that do not say of which kernel they are.
fn unknown_kernel(a: &Recording, b: &Recording) -> Option<Difference> {
    let whose = match (&a.kernel, &b.kernel) {
        (Some(_), Some(_)) => return None,
        (None, None) => "Neither recording says",
        (None, _) => "The abnormal one's recording does not say",
        (_, None) => "The normal one's recording does not say",
    };
    let sentence = format!("{whose} from which kernel it is: whether they are of the same one is not known.");
    Some(Difference {
        name: "kernel",
        abnormal: a.kernel.clone(),
        normal: b.kernel.clone(),
        is_doubtful: false,
        sentence,
    })
}

fn cpu_counts(a: &Recording, b: &Recording) -> Option<Difference> {
    let (a, b) = a.cpu_count.zip(b.cpu_count).filter(|(a, b)| a != b)?;
    Some(Difference {
        name: "cpu_count",
        abnormal: Some(a.to_string()),
        normal: Some(b.to_string()),
        is_doubtful: true,
        sentence: format!("The machines have different numbers of CPUs ({a} and {b})."),
    })
}

fn cpus(abnormal: &Circumstances<'_>, normal: &Circumstances<'_>) -> Option<Difference> {
    let (a, b) = (abnormal.side.cpu, normal.side.cpu);
    (a != b).then(|| Difference {
        name: "cpu",
        abnormal: Some(a.to_string()),
        normal: Some(b.to_string()),
        is_doubtful: false,
        sentence: format!("They ran on different CPUs ({a} and {b})."),
    })
}

fn frequencies(abnormal: &Circumstances<'_>, normal: &Circumstances<'_>) -> Option<Difference> {
    let (a, b) = abnormal.frequency_khz.zip(normal.frequency_khz).filter(|(a, b)| a != b)?;
    let mhz = |khz: i64| format!("{} MHz", khz.div_euclid(1_000));
    Some(Difference {
        name: "frequency",
        abnormal: Some(mhz(a)),
        normal: Some(mhz(b)),
        is_doubtful: true,
        sentence: format!(
            "Their CPUs ran at {} and {}: every call takes longer at the lower one.",
            mhz(a),
            mhz(b)
        ),
    })
}

/// What one recording left out, the other may show: `max_graph_depth`, or a filter.
fn depths(abnormal: &Circumstances<'_>, normal: &Circumstances<'_>) -> Option<Difference> {
    if abnormal.trace.id == normal.trace.id {
        return None;
    }
    let (a, b) = abnormal.deepest.zip(normal.deepest)?;
    let is_much = a.min(b).saturating_mul(2) <= a.max(b) && a.max(b) >= 4;
    is_much.then(|| Difference {
        name: "depth",
        abnormal: Some(a.to_string()),
        normal: Some(b.to_string()),
        is_doubtful: true,
        sentence: format!(
            "Their calls are {a} and {b} deep: one may have been recorded with a smaller max_graph_depth, or \
             other functions. The tracer's own cost is in every call that it records."
        ),
    })
}

fn incomplete(name: &'static str, a: bool, b: bool, what: &str) -> Option<Difference> {
    let whose = match (a, b) {
        (false, false) => return None,
        (true, true) => "both of them",
        (true, false) => "the abnormal one",
        (false, true) => "the normal one",
    };
    let yes_or_no = |is_it: bool| Some(if is_it { "yes" } else { "no" }.to_owned());
    let sentence = format!("{what} in {whose}: what is missing there may not be missing in fact.");
    Some(Difference { name, abnormal: yes_or_no(a), normal: yes_or_no(b), is_doubtful: true, sentence })
}
