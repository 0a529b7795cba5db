//! The comparison of two latency cases by their events.

use super::answer::Shown;
use super::causes::causes;
use super::clocks::refuse_other_clocks;
use super::comparison::{Comparison, SideTrees};
use super::event_tree::event_tree;
use super::guard::{Circumstances, Difference, differences};
use super::instance_sets::{MOST_EVENTS, member_trees, most_of_each};
use super::instances::Spread;
use super::normal_calls::Pick;
use super::normal_cases::{AbnormalCases, ChosenCases, choose_cases};
use super::refs::{Normal, Ref, page_url};
use super::several::{InTrace, Several};
use super::side::{Recording, Side};
use super::stage_pairs::stage_pairs;
use crate::diff::{Names, Sides, Tree};
use crate::explain::blame::blame;
use crate::explain::stages::stages;
use crate::explain::{Case, Likeness, Surroundings, route};
use crate::explore::ExploreError;
use crate::explore::latency::{CaseParts, CaseRecord, Located, interval, located_case, params_with_series};
use crate::explore::protocol::{Answer, Stored};
use crate::explore::request::Params;

/// A side as it was fetched.
struct SideCases {
    trace: Recording,
    params: Params,
    located: Located,
    chosen: Option<ChosenCases>,
    parts: CaseParts,
}

impl SideCases {
    /// The cases of a group, without the abnormal one or its group. `stored` names the group.
    async fn of_group(
        stored: &Stored,
        side: &Ref,
        pick: Pick,
        abnormal: &AbnormalCases<'_>,
    ) -> Result<Self, ExploreError> {
        let params = params_with_series(stored).await?;
        let Some(chosen) = choose_cases(stored, &params, pick, abnormal).await? else {
            let what = match abnormal {
                AbnormalCases::None => format!("case of {:?}", side.what),
                AbnormalCases::Elsewhere { .. } => "such case".to_owned(),
                _ => "other such case".to_owned(),
            };
            return Err(missing(stored.trace_id(), &what));
        };
        let parts = CaseParts::fetch(stored, &chosen.needs, true).await;
        let (trace, located) = (Recording::fetch(stored).await?, chosen.median.clone());
        Ok(Self { trace, params, located, chosen: Some(chosen), parts })
    }

    /// What cases of another trace are to be like.
    fn elsewhere(&self) -> Result<AbnormalCases<'static>, ExploreError> {
        let side = self.read()?;
        let case = side.record.case();
        let named = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        Ok(AbnormalCases::Elsewhere { key: named(case.key), comm: named(case.comm) })
    }

    fn read(&self) -> Result<CaseSide<'_>, ExploreError> {
        let record = CaseRecord::read(&self.params, self.located.clone(), &self.parts)?;
        Ok(CaseSide { trace: &self.trace, record, chosen: self.chosen.as_ref() })
    }
}

impl InTrace for SideCases {
    async fn named(stored: &Stored, side: &Ref) -> Result<Self, ExploreError> {
        let stored = side.stored(stored)?;
        if side.is_group() {
            return Self::of_group(&stored, side, Pick::All, &AbnormalCases::None).await;
        }
        let params = params_with_series(&stored).await?;
        let located = located_case(&stored, &params).await?;
        let parts = CaseParts::fetch(&stored, &located.needs, true).await;
        Ok(Self { trace: Recording::fetch(&stored).await?, params, located, chosen: None, parts })
    }

    fn trace(&self) -> &Recording {
        &self.trace
    }

    fn median_ns(&self) -> i64 {
        self.located.sample.duration_ns
    }

    fn spread(&self) -> Option<Spread> {
        self.chosen.as_ref().and_then(|chosen| chosen.spread)
    }

    fn durations_ns(&self) -> &[i64] {
        self.chosen.as_ref().map(|chosen| chosen.durations_ns.as_slice()).unwrap_or_default()
    }
}

/// A side with the cases behind it, where it is a set.
struct CaseSide<'a> {
    trace: &'a Recording,
    record: CaseRecord<'a>,
    chosen: Option<&'a ChosenCases>,
}

impl CaseSide<'_> {
    /// The events of each case of the set.
    fn member_trees(
        &self,
        compared: Sides<&Tree>,
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
pub async fn diff_cases(stored: &Stored, abnormal: &Ref, normal: &Normal, shown: Shown) -> Answer {
    let abnormal_cases: Several<SideCases> =
        Several::named(stored, abnormal).await.map_err(|error| abnormal.refused(error))?;
    let (normal_ref, pick) = normal_ref(abnormal, normal, &abnormal_cases.shown)?;
    let normal_cases = match pick {
        None => Several::named(stored, &normal_ref).await,
        Some(pick) => {
            let is_picked = matches!(normal, Normal::Picked(..));
            let request = if is_picked { abnormal.request_of_kind() } else { normal_ref.request() }?;
            let mut found = Vec::new();
            for part in normal_ref.parts() {
                let own = match abnormal_cases.in_trace_of(&part) {
                    None if is_picked => abnormal_cases.shown.elsewhere()?,
                    None => AbnormalCases::None,
                    Some(cases) if cases.chosen.is_none() => AbnormalCases::One(&cases.located),
                    Some(cases) => AbnormalCases::Group(&cases.params),
                };
                let stored = stored.about(&part.trace, request.clone());
                found.push(SideCases::of_group(&stored, &part, pick, &own).await);
            }
            Several::of(found, SideCases::median_ns)
        }
    };
    let normal_cases = normal_cases.map_err(|error| normal_ref.refused(error))?;
    let url = page_url(&abnormal_cases.shown.trace.url, abnormal, normal);
    let found = Sides { abnormal: &abnormal_cases, normal: &normal_cases };
    let spreads = found.map(Several::spread);
    let sides = found.try_map(|side| side.try_map(SideCases::read))?;
    answer(sides.as_ref(), spreads, url, shown)
}

/// Where the normal cases are, and whether one or all of them are wanted; `None` for a case by its name.
fn normal_ref(
    abnormal: &Ref,
    normal: &Normal,
    cases: &SideCases,
) -> Result<(Ref, Option<Pick>), ExploreError> {
    let (pick, trace) = match normal {
        Normal::Named(side) => return Ok((side.clone(), side.is_group().then_some(Pick::All))),
        Normal::Picked(pick, trace) => (*pick, trace.as_ref().unwrap_or(&abnormal.trace)),
    };
    if pick == Pick::One && cases.chosen.is_none() && *trace == abnormal.trace {
        let what = format!("other case like {:?}", abnormal.what);
        let normal = cases.located.normal.as_ref().ok_or_else(|| missing(trace, &what))?;
        return Ok((Ref::new("normal", trace, normal.clone()), None));
    }
    let kind = format!("cases:{}", cases.located.kind.latency().name);
    // All of its like are in the traces that it is of; the median one is in the first.
    let is_in_all = pick == Pick::All && *trace == abnormal.trace;
    let normal = if is_in_all { abnormal.naming("normal", kind) } else { Ref::new("normal", trace, kind) };
    Ok((normal, Some(pick)))
}

fn missing(trace: &str, what: &str) -> ExploreError {
    ExploreError::Missing(format!(
        "The trace {trace:?} has no {what}; compare with one of another trace (normal=<trace>/auto or \
         normal=<trace>/<case>)."
    ))
}

fn answer(
    found: Sides<&Several<CaseSide<'_>>>,
    spreads: Sides<Option<Spread>>,
    url: String,
    shown: Shown,
) -> Answer {
    let sides = found.map(|side| &side.shown);
    let records = sides.map(|side| &side.record);
    refuse_unlike(records)?;
    refuse_other_clocks(found.map(|side| side.iter().map(|part| part.trace)))?;
    let cases = records.map(CaseRecord::case);
    let around =
        records.zip(cases.as_ref()).map(|(record, case)| record.recorded.around(case, record.unseen));
    let legs = cases.as_ref().zip(around.as_ref()).map(|(case, around)| route(case, around));
    let all = cases.as_ref().zip(around.as_ref().zip(legs.as_ref()));
    let blame = all.map(|(case, (around, legs))| blame(case, legs, around, usize::MAX));
    let causes = causes(blame.as_ref().map(Vec::as_slice));
    let stages = cases.as_ref().zip(around.as_ref()).map(|(case, around)| stages(case, around));
    let stages = stage_pairs(stages.as_ref().map(Vec::as_slice));
    let mut names = Names::default();
    let parameters = Sides { abnormal: "abnormal", normal: "normal" };
    let trees = parameters.zip(records).zip(cases.as_ref().zip(around.as_ref())).try_map(
        |((parameter, record), (case, around))| tree(parameter, case, around, record.unseen, &mut names),
    )?;
    let most = most_of_each(MOST_EVENTS, spreads);
    let members = found.try_map(|side| {
        side.member_trees(most, |part, most| part.member_trees(trees.as_ref(), most, &mut names))
    })?;
    let shown_sides =
        sides.zip(cases.as_ref()).map(|(side, case)| self::side(side.trace, &side.record, case));
    let circumstances = sides
        .zip(shown_sides.as_ref())
        .zip(cases.as_ref().zip(around.as_ref()))
        .map(|((side, shown), (case, around))| circumstances(side.trace, shown, case, around));
    let mut guard = differences(circumstances.as_ref());
    guard.extend(unlike(sides, shown_sides.as_ref()));
    let is_cut = records.into_iter().any(|record| record.unseen.is_some());
    let chosen = found.into_iter().flat_map(Several::iter).filter_map(|side| side.chosen);
    let notes = chosen.flat_map(|chosen| chosen.notes.clone());
    let several = found.zip(parameters).into_iter().filter_map(|(side, which)| side.note(which));
    let notes = several.chain(notes).chain(is_cut.then(|| CUT.to_owned())).collect();
    let trees = spreads
        .zip(shown_sides)
        .zip(trees.zip(members))
        .map(|((spread, side), (tree, members))| SideTrees { side, tree, members, spread });
    let unit = sides.abnormal.trace.time_unit;
    Comparison { kind: "events", unit, guard, notes, url, causes, stages, shapes: Vec::new() }
        .answer(&names, trees, shown)
}

fn refuse_unlike(records: Sides<&CaseRecord<'_>>) -> Result<(), ExploreError> {
    let Sides { abnormal, normal } = records.map(|record| record.kind.latency().name);
    if abnormal != normal {
        let detail = format!(
            "a case of {abnormal} cannot be compared with one of {normal}; name a case of the same kind"
        );
        return Err(ExploreError::not_comparable("normal", detail));
    }
    if records.into_iter().any(|record| record.sample.is_number()) {
        let detail = "the case is a value of an event field, which has no events to compare";
        return Err(ExploreError::bad("abnormal", detail));
    }
    Ok(())
}

/// Says whose the normal cases are, where they are not of the abnormal case's task.
///
/// A set knows it itself; of a single case, the abnormal one knows how it was found.
fn unlike(cases: Sides<&CaseSide<'_>>, sides: Sides<&Side>) -> Option<Difference> {
    let Sides { abnormal, normal } = cases;
    let is_chosen = abnormal.record.normal.as_ref() == Some(&sides.normal.id)
        && sides.abnormal.trace == sides.normal.trace;
    let of_one = abnormal.record.likeness.filter(|_| is_chosen);
    let likeness = normal.chosen.map_or(of_one, |chosen| chosen.likeness)?;
    let kind = abnormal.record.kind.latency().title;
    let task = |side: &Side| {
        let comm = side.comm.as_deref().unwrap_or("<...>");
        side.pid.map_or_else(|| comm.to_owned(), |pid| format!("{comm}-{pid}"))
    };
    if sides.abnormal.trace != sides.normal.trace {
        return of_other_tasks(likeness, sides);
    }
    let whose = match likeness {
        Likeness::Task => return None,
        Likeness::Comm => "tasks of the same name",
        Likeness::Cpu => "other tasks on the same CPU",
        Likeness::Kind => "other tasks",
    };
    let tasks = sides.map(task);
    let sentence =
        format!("{} has no other case ({kind}), so it is compared with cases of {whose}.", tasks.abnormal);
    let is_doubtful = likeness != Likeness::Comm;
    Some(Difference { name: "task", values: tasks.map(Some), is_doubtful, sentence })
}

/// Says that the normal recording has no case of a task of the abnormal one's name.
fn of_other_tasks(likeness: Likeness, sides: Sides<&Side>) -> Option<Difference> {
    let values = sides.map(|side| side.comm.clone());
    (likeness == Likeness::Kind).then(|| Difference {
        name: "task",
        sentence: format!(
            "The normal recording has no such case of {}, so cases of other tasks are compared.",
            values.abnormal.as_deref().unwrap_or("<...>")
        ),
        is_doubtful: true,
        values,
    })
}

const CUT: &str = "The case is long: only events near its two ends are compared.";

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
            format!("of {comm}-{pid} on CPU {}", case.cpu)
        }
        _ => format!("on CPU {}", case.cpu),
    };
    Side {
        trace: trace.id.clone(),
        trace_name: trace.name.clone(),
        id: record.id.to_string(),
        title: format!("{} {whom}", case.latency().title),
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
