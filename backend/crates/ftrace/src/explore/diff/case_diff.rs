//! The comparison of two latency cases by their events.

use serde::Deserialize;

use super::answer::Shown;
use super::comparison::{Comparison, SideTrees};
use super::event_tree::event_tree;
use super::guard::{Circumstances, Difference, differences};
use super::instance_sets::{MOST_EVENTS, member_trees, most_of_each};
use super::instances::Spread;
use super::normal_cases::ChosenCases;
use super::side::{Side, TraceOfSide};
use crate::diff::{Names, Tree};
use crate::explain::{Case, ExplainTables, Likeness, Surroundings, route};
use crate::explore::ExploreError;
use crate::explore::latency::{CaseRecord, interval};
use crate::explore::request::Params;

/// What is asked for on one side, as JSON: its trace, and what `locate_case` or `choose_cases` found, as JSON again.
#[derive(Deserialize)]
pub struct AskedCase {
    trace: TraceOfSide,
    located: Option<String>,
    chosen: Option<String>,
    known: String,
    origin_ns: String,
}

/// A side with the cases that stand behind it, where it is a set.
struct CaseSide<'a> {
    trace: TraceOfSide,
    record: CaseRecord<'a>,
    chosen: Option<ChosenCases>,
}

impl AskedCase {
    fn read<'a>(self, tables: ExplainTables<'a>) -> Result<CaseSide<'a>, ExploreError> {
        let bad = |_| ExploreError::bad("side", "origin_ns is no integer");
        let origin_ns = self.origin_ns.parse().map_err(bad)?;
        let bad = |error: serde_json::Error| ExploreError::bad("side", error.to_string());
        let chosen: Option<ChosenCases> =
            self.chosen.as_deref().map(serde_json::from_str).transpose().map_err(bad)?;
        let located = match (&chosen, self.located) {
            (Some(chosen), _) => serde_json::to_string(&chosen.median).map_err(bad)?,
            (None, located) => located.unwrap_or_default(),
        };
        let record = CaseRecord::read(origin_ns, &located, &self.known, tables)?;
        Ok(CaseSide { trace: self.trace, record, chosen })
    }
}

impl CaseSide<'_> {
    fn spread(&self) -> Option<Spread> {
        self.chosen.as_ref().and_then(|chosen| chosen.spread)
    }

    /// The events of each case of the set.
    fn member_trees(
        &self,
        compared: (&Tree, &Tree),
        most_nodes: usize,
        names: &mut Names,
    ) -> Result<Vec<Tree>, ExploreError> {
        let set = self.chosen.as_ref().filter(|chosen| chosen.spread.is_some());
        let members = set.map(|chosen| chosen.members.as_slice()).unwrap_or_default();
        let (record, recorded) = (&self.record, &self.record.recorded);
        member_trees(members, compared, most_nodes, |located| {
            let sample = interval(&located.sample);
            let case = Case::new(record.kind, &sample, &recorded.tasks, &recorded.symbols);
            let unseen = located.needs.unseen;
            tree("normal", &case, &recorded.around(&case, unseen), unseen, names)
        })
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
    let (abnormal, normal) = (parse(abnormal)?.read(abnormal_tables)?, parse(normal)?.read(normal_tables)?);
    let (a_record, b_record) = (&abnormal.record, &normal.record);
    let (a_case, b_case) = (a_record.case(), b_record.case());
    refuse_unlike(a_record, b_record)?;
    let a_around = a_record.recorded.around(&a_case, a_record.unseen);
    let b_around = b_record.recorded.around(&b_case, b_record.unseen);
    let mut names = Names::default();
    let a = tree("abnormal", &a_case, &a_around, a_record.unseen, &mut names)?;
    let b = tree("normal", &b_case, &b_around, b_record.unseen, &mut names)?;
    let most = most_of_each(MOST_EVENTS, [abnormal.spread(), normal.spread()]);
    let a_members = abnormal.member_trees((&a, &b), most, &mut names)?;
    let b_members = normal.member_trees((&a, &b), most, &mut names)?;
    let a_side = side(&abnormal.trace, a_record, &a_case);
    let b_side = side(&normal.trace, b_record, &b_case);
    let mut guard = differences(
        &circumstances(&abnormal.trace, &a_side, &a_case, &a_around),
        &circumstances(&normal.trace, &b_side, &b_case, &b_around),
    );
    guard.extend(unlike(&abnormal, &normal, &a_side, &b_side));
    let is_cut = a_record.unseen.is_some() || b_record.unseen.is_some();
    let chosen = abnormal.chosen.iter().chain(&normal.chosen);
    let notes = chosen.flat_map(|chosen| chosen.notes.clone());
    let notes = notes.chain(is_cut.then(|| CUT.to_owned())).collect();
    Comparison { kind: "events", guard, notes, url: url.to_owned() }.answer(
        &names,
        SideTrees { side: a_side, tree: a, members: a_members, spread: abnormal.spread() },
        SideTrees { side: b_side, tree: b, members: b_members, spread: normal.spread() },
        shown,
    )
}

fn refuse_unlike(abnormal: &CaseRecord<'_>, normal: &CaseRecord<'_>) -> Result<(), ExploreError> {
    if abnormal.kind.name != normal.kind.name {
        let (a, b) = (abnormal.kind.name, normal.kind.name);
        let detail = format!("a case of {b} is no normal one for a case of {a}; name one of the same kind");
        return Err(ExploreError::bad("normal", detail));
    }
    if abnormal.sample.is_number() || normal.sample.is_number() {
        let detail = "the case is a number of an event, and nothing happens in it";
        return Err(ExploreError::bad("abnormal", detail));
    }
    Ok(())
}

/// Says whose the normal cases are, where they are not of the abnormal one's task.
///
/// That of a set stands with the set, that of a single one where it was looked for: with the abnormal case.
fn unlike(abnormal: &CaseSide<'_>, normal: &CaseSide<'_>, a: &Side, b: &Side) -> Option<Difference> {
    let is_chosen = abnormal.record.normal.as_ref() == Some(&b.id) && a.trace == b.trace;
    let of_one = abnormal.record.likeness.filter(|_| is_chosen);
    let likeness = normal.chosen.as_ref().map_or(of_one, |chosen| chosen.likeness)?;
    let kind = abnormal.record.kind.title;
    let task = |side: &Side| {
        let comm = side.comm.as_deref().unwrap_or("<...>");
        side.pid.map_or_else(|| comm.to_owned(), |pid| format!("{comm}-{pid}"))
    };
    let whose = match likeness {
        Likeness::Task => return None,
        Likeness::Comm => "tasks of the same name",
        Likeness::Cpu => "other tasks on the same CPU",
        Likeness::Kind => "other tasks",
    };
    let sentence = format!("{} has no other case ({kind}): it is compared with cases of {whose}.", task(a));
    Some(Difference::of_sides("task", task(a), task(b), likeness != Likeness::Comm, sentence))
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
