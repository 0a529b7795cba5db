//! The comparison of two latency cases by their events.

use serde::Deserialize;

use super::answer::{Compared, DiffAnswer, Shown};
use super::event_tree::event_tree;
use super::guard::{Circumstances, differences};
use super::side::{Side, TraceOfSide};
use crate::diff::{Limits, Names, Tree, diff};
use crate::explain::{Case, ExplainTables, Surroundings, route};
use crate::explore::latency::CaseRecord;
use crate::explore::request::Params;
use crate::explore::{ExploreError, answer_json};

/// What is asked for on one side, as JSON: its trace, and what `locate_case` found, as JSON again.
#[derive(Deserialize)]
pub struct AskedCase {
    trace: TraceOfSide,
    located: String,
    known: String,
    origin_ns: String,
}

impl AskedCase {
    fn read<'a>(&self, tables: ExplainTables<'a>) -> Result<CaseRecord<'a>, ExploreError> {
        let bad = |_| ExploreError::bad("side", "origin_ns is no integer");
        let origin_ns = self.origin_ns.parse().map_err(bad)?;
        CaseRecord::read(origin_ns, &self.located, &self.known, tables)
    }
}

/// JSON answer of GET diff for cases. `url` is the page of the comparison.
pub fn diff_cases(
    request: &str,
    url: &str,
    (abnormal, abnormal_tables): (&str, ExplainTables<'_>),
    (normal, normal_tables): (&str, ExplainTables<'_>),
) -> Result<Vec<u8>, ExploreError> {
    let shown = Shown::from_params(&Params::parse(request)?)?;
    let parse = |json: &str| {
        serde_json::from_str::<AskedCase>(json).map_err(|error| ExploreError::bad("side", error.to_string()))
    };
    let (abnormal, normal) = (parse(abnormal)?, parse(normal)?);
    let (a_record, b_record) = (abnormal.read(abnormal_tables)?, normal.read(normal_tables)?);
    let (a_case, b_case) = (a_record.case(), b_record.case());
    if a_case.kind.name != b_case.kind.name {
        let (a, b) = (a_case.kind.name, b_case.kind.name);
        let detail = format!("a case of {b} is no normal one for a case of {a}; name one of the same kind");
        return Err(ExploreError::bad("normal", detail));
    }
    if a_record.sample.is_number() || b_record.sample.is_number() {
        return Err(ExploreError::bad(
            "abnormal",
            "the case is a number of an event, and nothing happens in it",
        ));
    }
    let a_around = a_record.recorded.around(&a_case, a_record.unseen);
    let b_around = b_record.recorded.around(&b_case, b_record.unseen);
    let mut names = Names::default();
    let a = tree("abnormal", &a_case, &a_around, a_record.unseen, &mut names)?;
    let b = tree("normal", &b_case, &b_around, b_record.unseen, &mut names)?;
    let compared = diff(&names, &a, &b, &Limits::default());
    let a_side = side(&abnormal.trace, &a_record, &a_case);
    let b_side = side(&normal.trace, &b_record, &b_case);
    let guard = differences(
        &circumstances(&abnormal.trace, &a_side, &a_case, &a_around),
        &circumstances(&normal.trace, &b_side, &b_case, &b_around),
    );
    let is_cut = a_record.unseen.is_some() || b_record.unseen.is_some();
    let notes = if is_cut { vec![CUT.to_owned()] } else { Vec::new() };
    answer_json(&DiffAnswer::new(
        Compared {
            names: &names,
            diff: &compared,
            abnormal: a_side,
            normal: b_side,
            set: None,
            kind: "events",
            guard,
            notes,
            url: url.to_owned(),
        },
        shown,
    ))
}

const CUT: &str = "Of a long case, only the events near its two ends are compared.";

fn tree(
    parameter: &'static str,
    case: &Case<'_>,
    around: &Surroundings<'_, '_>,
    unseen: Option<(i64, i64)>,
    names: &mut Names,
) -> Result<Tree, ExploreError> {
    event_tree(case, &route(case, around), around, unseen, names).map_err(|error| {
        ExploreError::too_large(parameter, format!("the case holds {error}; compare a shorter one"))
    })
}

fn side(trace: &TraceOfSide, record: &CaseRecord<'_>, case: &Case<'_>) -> Side {
    let whom = match (case.comm, case.pid) {
        (Some(comm), Some(pid)) if case.own_task_idx().is_some() => {
            format!("{comm}-{pid} on CPU {}", case.cpu)
        }
        _ => format!("CPU {}", case.cpu),
    };
    Side {
        trace: trace.id.clone(),
        trace_name: trace.name.clone(),
        id: record.id.to_string(),
        title: format!("{} of {whom}", case.kind.title),
        cpu: case.cpu,
        pid: case.pid,
        comm: case.comm.map(str::to_owned).filter(|comm| !comm.is_empty()),
        t: case.start_ns,
        duration_ns: case.duration_ns,
        url: format!("{}/cases/{}", trace.url, super::words::percent_encoded(&record.id.to_string())),
    }
}

fn circumstances<'s>(
    trace: &'s TraceOfSide,
    side: &'s Side,
    case: &Case<'_>,
    around: &Surroundings<'_, '_>,
) -> Circumstances<'s> {
    let losses: Vec<_> = around.losses(case.cpu).cloned().collect();
    let known = around.frequency_khz(case.cpu, case.end_ns());
    Circumstances {
        trace,
        side,
        has_loss: side.has_loss(&losses),
        is_cut: false,
        frequency_khz: known.or(case.frequency_khz.map(i64::from)),
        deepest: None,
    }
}
