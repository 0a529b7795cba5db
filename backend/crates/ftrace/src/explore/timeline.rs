//! Lanes per CPU: running tasks, interrupts, idle states, counters, losses and notes of a window.

use std::collections::BTreeMap;

use serde::Serialize;

use super::counters::{CounterLane, counter_lanes};
use super::grid::Grid;
use super::kind;
use super::lanes::{AnswerNames, LaneColumns, Lanes, items};
use super::names::{LocalNames, TaskName, symbol_names, task_names};
use super::plan::Headers;
use super::protocol::{Answer, Part, PartsByTable, Stored};
use super::request::Window;
use super::task_lanes::{FinishedLane, LaneTask, TaskLanes, WantedTask, wanted_tasks};
use super::timeline_plan::{TimelinePlan, TimelineRequest};
use super::{ExploreError, answer_json};
use crate::store::read::blocks::{CounterBlock, RollupBlock, SliceBlock};
use crate::store::read::dictionaries::{self, Loss, Note};
use crate::store::read::read_rows;
use crate::store::tables;

/// GET timeline: what a screen of some width needs of a window, whatever the trace's size.
pub async fn timeline(stored: Stored) -> Answer {
    let request = TimelineRequest::from_params(&stored.params().await?)?;
    let headers = Headers::fetch(&stored, request.window).await?;
    let task =
        if request.pids.is_empty() { Part::empty() } else { stored.part(stored.all(&tables::TASK)).await };
    let wanted = wanted_tasks(&request.pids, &dictionaries::read_tasks(&task)?);
    let TimelinePlan { needs, kinds_by_slices } = request.plan(&stored, &headers, &wanted)?;
    let parts = stored.parts_by_table(needs).await;
    answer(&PlannedRequest { request, kinds_by_slices, wanted }, &parts)
}

/// The request, and what its plan found that it needs.
struct PlannedRequest {
    request: TimelineRequest,
    kinds_by_slices: Vec<i16>,
    wanted: Vec<WantedTask>,
}

#[derive(Serialize)]
struct Timeline<'a> {
    start: i64,
    end: i64,
    width: i64,
    cpus: Vec<i16>,
    tasks: Vec<TaskName>,
    symbols: Vec<String>,
    lanes: Vec<Lane>,
    counters: Vec<CounterLane>,
    losses: Vec<LossItem>,
    notes: Vec<NoteItem<'a>>,
}

#[derive(Serialize)]
struct Lane {
    /// `cpu0.irq`; the lanes of interrupts within interrupts are `cpu0.irq.1` and so on. `task1213`; what interrupted
    /// the task are `task1213.1`, and softirqs `task1213.2`.
    id: String,
    /// `None` for the lane of a task.
    cpu: Option<i16>,
    kind: &'static str,
    depth: i16,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<LaneTask>,
    #[serde(flatten)]
    columns: LaneColumns,
}

#[derive(Serialize)]
struct LossItem {
    cpu: Option<i16>,
    start: i64,
    end: i64,
    lost_count: Option<i64>,
}

#[derive(Serialize)]
struct NoteItem<'a> {
    t: i64,
    cpu: Option<i16>,
    text: &'a str,
}

/// CPU, depth: the lanes of one kind.
type LaneKey = (i16, i16);

/// JSON of the lanes of a window, bounded by lanes times pixels.
fn answer(planned: &PlannedRequest, parts: &PartsByTable) -> Answer {
    let request = &planned.request;
    let window = request.window;
    let tasks = dictionaries::read_tasks(parts.of(&tables::TASK))?;
    let symbols = dictionaries::read_symbols(parts.of(&tables::SYMBOL))?;
    let mut names = AnswerNames { tasks: LocalNames::new(&tasks), symbols: LocalNames::new(&symbols) };
    let lanes = slice_lanes(planned, parts, &mut names)?;
    let losses = dictionaries::read_losses(parts.of(&tables::LOSS))?;
    let notes = dictionaries::read_notes(parts.of(&tables::NOTE))?;
    answer_json(&Timeline {
        start: window.start_ns,
        end: window.end_ns,
        width: request.width_px,
        cpus: shown_cpus(request, &lanes),
        tasks: task_names(&names.tasks),
        symbols: symbol_names(&names.symbols),
        lanes,
        counters: counters(request, parts)?,
        losses: losses.iter().filter(|loss| touches(window, loss)).map(loss_item).collect(),
        notes: notes.iter().filter(|note| window.contains(note.t_ns)).map(note_item).collect(),
    })
}

fn slice_lanes(
    planned: &PlannedRequest,
    parts: &PartsByTable,
    names: &mut AnswerNames<'_, '_>,
) -> Result<Vec<Lane>, ExploreError> {
    let request = &planned.request;
    let mut tasks = TaskLanes::new(&planned.wanted, request.window, request.width_px);
    let mut kinds: BTreeMap<i16, Lanes<LaneKey>> = BTreeMap::new();
    read_rows(SliceBlock::TABLE, parts.of(SliceBlock::TABLE), |row| {
        let block = SliceBlock::read(row)?;
        tasks.add_slices(&block);
        if !planned.kinds_by_slices.contains(&block.kind) {
            return Ok(());
        }
        let grid = || Grid::new(request.window, request.width_px, 1);
        let lanes = kinds.entry(block.kind).or_insert_with(|| Lanes::new(grid()));
        for (item, depth) in items(&block).zip(&block.depth) {
            let is_seen = request.window.touches(item.start_ns, item.duration_ns);
            if is_seen && request.lanes.has_lane(item.cpu, block.kind) {
                lanes.add((item.cpu, *depth), item);
            }
        }
        Ok(())
    })?;
    read_rows(RollupBlock::TABLE, parts.of(RollupBlock::TABLE), |row| {
        let rollup = RollupBlock::read(row)?;
        if rollup.kind == kind::TASK {
            tasks.add_rollup(&rollup);
            return Ok(());
        }
        let grid = || Grid::new(request.window, request.width_px, rollup.width_ns);
        let lanes = kinds.entry(rollup.kind).or_insert_with(|| Lanes::new(grid()));
        if request.lanes.has_lane(rollup.cpu, rollup.kind) {
            lanes.add_rollup((rollup.cpu, rollup.depth), &rollup);
        }
        Ok(())
    })?;
    let mut answer = Vec::new();
    for (kind, lanes) in kinds {
        for ((cpu, depth), contents) in lanes.finish() {
            let columns = contents.columns(names, None);
            let kind = kind::name(kind);
            let id = if depth == 0 { format!("cpu{cpu}.{kind}") } else { format!("cpu{cpu}.{kind}.{depth}") };
            answer.push(Lane { id, cpu: Some(cpu), kind, depth, task: None, columns });
        }
    }
    answer.retain(|lane| !lane.columns.t.is_empty());
    // A stable sort: within a CPU, kinds and depths stay in their own order.
    answer.sort_by_key(|lane| lane.cpu);
    answer.extend(tasks.finish(names).into_iter().map(task_lane));
    Ok(answer)
}

fn task_lane(FinishedLane { task, depth, columns }: FinishedLane) -> Lane {
    let pid = task.pid;
    let id = if depth == 0 { format!("task{pid}") } else { format!("task{pid}.{depth}") };
    Lane { id, cpu: None, kind: kind::name(kind::TASK), depth, task: Some(task), columns }
}

fn counters(request: &TimelineRequest, parts: &PartsByTable) -> Result<Vec<CounterLane>, ExploreError> {
    let dictionary = dictionaries::read_counters(parts.of(&tables::COUNTER))?;
    let blocks = read_rows(CounterBlock::TABLE, parts.of(CounterBlock::TABLE), CounterBlock::read)?;
    let grid = Grid::new(request.window, request.width_px, 1);
    let mut lanes = counter_lanes(&blocks, &dictionary, &grid);
    lanes.retain(|lane| request.lanes.has_counters(lane.cpu));
    Ok(lanes)
}

/// The CPUs of the trace where the request says them, else those that have a lane.
fn shown_cpus(request: &TimelineRequest, lanes: &[Lane]) -> Vec<i16> {
    if !request.cpus.is_empty() {
        return request.cpus.clone();
    }
    let mut cpus: Vec<i16> = lanes.iter().filter_map(|lane| lane.cpu).collect();
    cpus.dedup();
    cpus
}

fn touches(window: Window, loss: &Loss) -> bool {
    window.touches(loss.start_ns, loss.end_ns.saturating_sub(loss.start_ns))
}

fn loss_item(loss: &Loss) -> LossItem {
    LossItem { cpu: loss.cpu, start: loss.start_ns, end: loss.end_ns, lost_count: loss.lost_count }
}

fn note_item<'a>(note: &Note<'a>) -> NoteItem<'a> {
    NoteItem { t: note.t_ns, cpu: note.cpu, text: note.text }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;
    use serde_json::Value;

    use super::super::fixture::{
        Rollup, Slice, block_headers, counter_block, rollup_block, slice_block, symbols, tasks,
    };
    use super::super::fixture::{counters, losses, notes, readable};
    use super::super::protocol::{Shelf, ask};
    use super::*;
    use crate::store::tables::projections::SLICE_HEADER;

    fn shelf() -> Shelf {
        Shelf::default()
            .with(CounterBlock::TABLE, counter_block(&[(5, 0, Some(1), 1_000), (600, 0, Some(1), 2_000)]))
            .with(&tables::TASK, tasks(&[(Some(7), None, "sh"), (Some(0), Some(1), "<idle>")]))
            .with(&tables::SYMBOL, symbols(&[("eth0", None), ("timer", None)]))
            .with(&tables::COUNTER, counters(&[("cpu_frequency", Some("kHz"))]))
            .with(&tables::LOSS, losses(&[(Some(1), 100, 200, None), (None, 990, 990, Some(3))]))
            .with(&tables::NOTE, notes(&[(50, None, "<b>here</b>"), (1_000, Some(0), "too late")]))
    }

    fn answer(request: &str, shelf: &Shelf) -> Result<String, ExploreError> {
        let request = format!(r#"{{"trace":{{"duration_ns":999}},{request}}}"#);
        Ok(readable(&ask("timeline", &request, shelf)?))
    }

    fn check(request: &str, shelf: &Shelf, expected: Expect) {
        expected.assert_eq(&answer(request, shelf).unwrap_or_else(|error| error.to_string()));
    }

    fn few() -> Shelf {
        let sched = Slice { kind: 1, cpu: 1, ..Slice::default() };
        let irq = Slice { kind: 2, cpu: 1, task: Some(0), ..Slice::default() };
        let slices = [
            Slice { start: -20, duration: 520, task: Some(0), ..sched },
            Slice { start: 500, duration: 500, task: Some(1), ..sched },
            Slice { start: 120, duration: 5, symbol: Some(1), depth: 1, ..irq },
            Slice { start: 110, duration: 20, self_ns: Some(15), symbol: Some(0), ..irq },
        ];
        shelf().with(SliceBlock::TABLE, slice_block(&slices))
    }

    #[test]
    fn few_slices_come_one_by_one() {
        check(
            r#""width":100"#,
            &few(),
            expect![[r#"
                {"start":0,"end":1000,"width":100,"cpus":[1],
                "tasks":[
                  {"pid":7,"comm":"sh"},
                  {"pid":0,"comm":"<idle>","cpu":1}
                ],
                "symbols":["eth0","timer"],
                "lanes":[
                  {"id":"cpu1.sched","cpu":1,"kind":"sched","depth":0,"detail":"slices","t":[-20,500],
                "duration_ns":[520,500],
                "task_idx":[0,1],
                "symbol_idx":[null,null],
                "self_ns":[520,500]},
                  {"id":"cpu1.irq","cpu":1,"kind":"irq","depth":0,"detail":"slices","t":[110],
                "duration_ns":[20],
                "task_idx":[0],
                "symbol_idx":[0],
                "self_ns":[15]},
                  {"id":"cpu1.irq.1","cpu":1,"kind":"irq","depth":1,"detail":"slices","t":[120],
                "duration_ns":[5],
                "task_idx":[0],
                "symbol_idx":[1],
                "self_ns":[5]}
                ],
                "counters":[
                  {"name":"cpu_frequency","unit":"kHz","cpu":1,"t":[5,600],
                "value":[1000,2000]}
                ],
                "losses":[
                  {"cpu":1,"start":100,"end":200,"lost_count":null},
                  {"cpu":null,"start":990,"end":990,"lost_count":3}
                ],
                "notes":[
                  {"t":50,"cpu":null,"text":"<b>here</b>"}
                ]}"#]],
        );
    }

    #[test]
    fn a_lane_with_more_slices_than_pixels_comes_in_buckets() {
        let irq = |start, duration| Slice { kind: 2, start, duration, symbol: Some(0), ..Slice::default() };
        let slices = [irq(0, 10), irq(20, 400), irq(430, 5), irq(440, 5), irq(990, 10)];
        let shelf = shelf().with(SliceBlock::TABLE, slice_block(&slices));
        check(
            r#""width":4,"lanes":"irq""#,
            &shelf,
            expect![[r#"
                {"start":0,"end":1000,"width":4,"cpus":[0],
                "tasks":[],
                "symbols":["eth0"],
                "lanes":[
                  {"id":"cpu0.irq","cpu":0,"kind":"irq","depth":0,"detail":"buckets","t":[0,334,668],
                "duration_ns":[334,334,332],
                "task_idx":[null,null,null],
                "symbol_idx":[0,0,0],
                "count":[2,2,1],
                "busy_ns":[324,96,10],
                "max_ns":[400,400,10],
                "max_start":[20,20,990]}
                ],
                "counters":[],
                "losses":[
                  {"cpu":1,"start":100,"end":200,"lost_count":null},
                  {"cpu":null,"start":990,"end":990,"lost_count":3}
                ],
                "notes":[
                  {"t":50,"cpu":null,"text":"<b>here</b>"}
                ]}"#]],
        );
    }

    #[test]
    fn rollups_are_merged_to_pixels() {
        let cell = |bucket, slices, busy_ns, max_ns, max_start_ns| Rollup {
            bucket,
            slices,
            busy_ns,
            max_ns,
            max_start_ns,
        };
        let cells =
            [cell(0, 2, 9, 8, 0), cell(1, 1, 5, 5, 12), cell(60, 3, 10, 40, 601), cell(61, 0, 10, 40, 601)];
        // More slices than are read one by one.
        let header = block_headers(&SLICE_HEADER, &[(3, 0, 0, 999, 100_000, 40)]);
        let shelf =
            shelf().with(RollupBlock::TABLE, rollup_block(3, 0, 10, &cells)).with(&SLICE_HEADER, header);
        check(
            r#""width":11,"lanes":"softirq""#,
            &shelf,
            expect![[r#"
                {"start":0,"end":1000,"width":11,"cpus":[0],
                "tasks":[],
                "symbols":["eth0"],
                "lanes":[
                  {"id":"cpu0.softirq","cpu":0,"kind":"softirq","depth":0,"detail":"buckets","t":[0,600],
                "duration_ns":[100,100],
                "task_idx":[null,null],
                "symbol_idx":[0,0],
                "count":[3,3],
                "busy_ns":[14,20],
                "max_ns":[8,40],
                "max_start":[0,601]}
                ],
                "counters":[],
                "losses":[
                  {"cpu":1,"start":100,"end":200,"lost_count":null},
                  {"cpu":null,"start":990,"end":990,"lost_count":3}
                ],
                "notes":[
                  {"t":50,"cpu":null,"text":"<b>here</b>"}
                ]}"#]],
        );
    }

    fn columns(lane: &Value, column: &str) -> Vec<i64> {
        lane[column].as_array().unwrap().iter().map(|value| value.as_i64().unwrap()).collect()
    }

    proptest! {
        #[test]
        fn buckets_lose_no_maximum_no_count_and_no_time(
            gaps in proptest::collection::vec((0_i64..40, 0_i64..300), 1..80), width in 2_i64..30,
        ) {
            let mut end = 0;
            let slices: Vec<Slice> = gaps.iter().map(|(gap, duration)| {
                let start = end + gap;
                end = start + duration;
                Slice { kind: 2, start, duration: *duration, ..Slice::default() }
            }).collect();
            let shelf = shelf().with(SliceBlock::TABLE, slice_block(&slices));
            let request = format!(r#""width":{width},"end":{},"lanes":"irq""#, end + 1);
            let answer: Value = serde_json::from_str(&answer(&request, &shelf).unwrap()).unwrap();
            let lane = &answer["lanes"][0];
            let longest = slices.iter().map(|slice| slice.duration).max();
            let busy: i64 = slices.iter().map(|slice| slice.duration).sum();
            if lane["detail"] == "buckets" {
                prop_assert!(columns(lane, "t").len() <= usize::try_from(width).unwrap());
                prop_assert_eq!(columns(lane, "max_ns").into_iter().max(), longest);
                prop_assert_eq!(columns(lane, "busy_ns").iter().sum::<i64>(), busy);
                prop_assert_eq!(columns(lane, "count").iter().sum::<i64>(), i64::try_from(slices.len()).unwrap());
            } else {
                prop_assert_eq!(columns(lane, "duration_ns").len(), slices.len());
            }
        }
    }
}
