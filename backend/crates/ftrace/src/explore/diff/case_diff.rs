//! The comparison of two latency cases by their events.

use super::answer::Shown;
use super::comparison::{Comparison, SideTrees};
use super::event_tree::event_tree;
use super::guard::{Circumstances, Difference, differences};
use super::instance_sets::{MOST_EVENTS, member_trees, most_of_each};
use super::instances::Spread;
use super::normal_calls::Pick;
use super::normal_cases::{AbnormalCases, ChosenCases, choose_cases};
use super::side::{Recording, Side};
use super::sides::{Normal, Ref, page_url};
use crate::diff::{Names, Tree};
use crate::explain::{Case, Likeness, Surroundings, route};
use crate::explore::ExploreError;
use crate::explore::latency::{CaseParts, CaseRecord, Located, interval, located_case, params_with_series};
use crate::explore::protocol::{Answer, Stored};
use crate::explore::request::Params;

/// A side as it was fetched.
struct FoundCases {
    trace: Recording,
    params: Params,
    located: Located,
    chosen: Option<ChosenCases>,
    parts: CaseParts,
}

impl FoundCases {
    /// The case that a side names; of a group, all of them.
    async fn named(stored: &Stored, side: &Ref) -> Result<Self, ExploreError> {
        let stored = side.stored(stored)?;
        if side.is_group() {
            return Self::of_group(&stored, side, Pick::All, &AbnormalCases::default()).await;
        }
        let params = params_with_series(&stored).await?;
        let located = located_case(&stored, &params).await?;
        let parts = CaseParts::fetch(&stored, &located.needs, true).await;
        Ok(Self { trace: Recording::fetch(&stored).await?, params, located, chosen: None, parts })
    }

    /// The cases of a group, without the abnormal one or its group. `stored` names the group.
    async fn of_group(
        stored: &Stored,
        side: &Ref,
        pick: Pick,
        abnormal: &AbnormalCases<'_>,
    ) -> Result<Self, ExploreError> {
        let params = params_with_series(stored).await?;
        let Some(chosen) = choose_cases(stored, &params, pick, abnormal).await? else {
            let is_other = abnormal.located.is_some() || abnormal.group.is_some();
            let what =
                if is_other { "other case like that".to_owned() } else { format!("case of {:?}", side.what) };
            let trace = stored.trace_id();
            return Err(ExploreError::Missing(format!(
                "There is no {what} in the trace {trace:?}; name a case to compare with (normal=<trace>/<case>)."
            )));
        };
        let parts = CaseParts::fetch(stored, &chosen.needs, true).await;
        let (trace, located) = (Recording::fetch(stored).await?, chosen.median.clone());
        Ok(Self { trace, params, located, chosen: Some(chosen), parts })
    }

    fn read(&self) -> Result<CaseSide<'_>, ExploreError> {
        let record = CaseRecord::read(&self.params, self.located.clone(), &self.parts)?;
        Ok(CaseSide { trace: &self.trace, record, chosen: self.chosen.as_ref() })
    }
}

/// A side with the cases behind it, where it is a set.
struct CaseSide<'a> {
    trace: &'a Recording,
    record: CaseRecord<'a>,
    chosen: Option<&'a ChosenCases>,
}

impl CaseSide<'_> {
    fn spread(&self) -> Option<Spread> {
        self.chosen.and_then(|chosen| chosen.spread)
    }

    /// The events of each case of the set.
    fn member_trees(
        &self,
        compared: (&Tree, &Tree),
        most_nodes: usize,
        names: &mut Names,
    ) -> Result<Vec<Tree>, ExploreError> {
        let set = self.chosen.filter(|chosen| chosen.spread.is_some());
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

/// The comparison of two cases of one kind, of one and a set, or of two sets.
pub async fn diff_cases(stored: &Stored, left: &Ref, right: &Normal, shown: Shown) -> Answer {
    let abnormal = FoundCases::named(stored, left).await.map_err(|error| left.refused(error))?;
    let (normal_ref, pick) = normal_ref(left, right, &abnormal)?;
    let found = match pick {
        None => FoundCases::named(stored, &normal_ref).await,
        Some(pick) => {
            let is_picked = matches!(right, Normal::Picked(_));
            let request = if is_picked { left.request_of_kind() } else { normal_ref.request() }?;
            let own = match (normal_ref.trace == left.trace, &abnormal.chosen) {
                (false, _) => AbnormalCases::default(),
                (true, None) => AbnormalCases { located: Some(&abnormal.located), group: None },
                (true, Some(_)) => AbnormalCases { located: None, group: Some(abnormal.params.clone()) },
            };
            FoundCases::of_group(&stored.about(&normal_ref.trace, request), &normal_ref, pick, &own).await
        }
    };
    let normal = found.map_err(|error| normal_ref.refused(error))?;
    let url = page_url(&abnormal.trace.url, &left.to_string(), &right.to_string());
    answer(&abnormal.read()?, &normal.read()?, url, shown)
}

/// Where the normal cases are, and whether one or all of them are wanted; `None` for a case by its name.
fn normal_ref(
    left: &Ref,
    right: &Normal,
    abnormal: &FoundCases,
) -> Result<(Ref, Option<Pick>), ExploreError> {
    let pick = match right {
        Normal::Named(side) => return Ok((side.clone(), side.is_group().then_some(Pick::All))),
        Normal::Picked(pick) => *pick,
    };
    if pick == Pick::One && abnormal.chosen.is_none() {
        let Some(normal) = &abnormal.located.normal else {
            let (what, trace) = (&left.what, &left.trace);
            return Err(ExploreError::Missing(format!(
                "There is no other case like {what:?} in the trace {trace:?}; name a case to compare with \
                 (normal=<trace>/<case>)."
            )));
        };
        return Ok((Ref::new("normal", &left.trace, normal.clone()), None));
    }
    let kind = format!("cases:{}", abnormal.located.kind.name);
    Ok((Ref::new("normal", &left.trace, kind), Some(pick)))
}

fn answer(abnormal: &CaseSide<'_>, normal: &CaseSide<'_>, url: String, shown: Shown) -> Answer {
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
    let a_side = side(abnormal.trace, a_record, &a_case);
    let b_side = side(normal.trace, b_record, &b_case);
    let mut guard = differences(
        &circumstances(abnormal.trace, &a_side, &a_case, &a_around),
        &circumstances(normal.trace, &b_side, &b_case, &b_around),
    );
    guard.extend(unlike(abnormal, normal, &a_side, &b_side));
    let is_cut = a_record.unseen.is_some() || b_record.unseen.is_some();
    let chosen = abnormal.chosen.iter().chain(normal.chosen.iter());
    let notes = chosen.flat_map(|chosen| chosen.notes.clone());
    let notes = notes.chain(is_cut.then(|| CUT.to_owned())).collect();
    Comparison { kind: "events", guard, notes, url }.answer(
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
    let likeness = normal.chosen.map_or(of_one, |chosen| chosen.likeness)?;
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

fn side(trace: &Recording, record: &CaseRecord<'_>, case: &Case<'_>) -> Side {
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
    trace: &'s Recording,
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
