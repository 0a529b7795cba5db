//! How many events match, by CPU and by cell of a window: the ticks of a filter on the lanes.

use std::collections::BTreeMap;

use serde::Serialize;

use super::answer_json;
use super::event_plan::step;
use super::event_request::EventRequest;
use super::event_selection::Selection;
use super::grid::Grid;
use super::page::Cursor;
use super::protocol::{Answer, Stored};
use super::wanted::Wanted;
use crate::store::read::blocks::EventBlock;
use crate::store::read::dictionaries;
use crate::store::read::headers::read_events;
use crate::store::read::read_rows;
use crate::store::tables;
use crate::store::tables::projections::EVENT_HEADER;

/// GET event-counts: all matches of a window are counted. The caller may ask to continue from what was counted so far;
/// the parts of one window have the same cells, so that they can be added.
pub async fn event_counts(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let mut request = EventRequest::of_all(&params)?;
    let [headers, task, event_type] = stored.whole([&EVENT_HEADER, &tables::TASK, &tables::EVENT_TYPE]).await;
    let headers = read_events(&headers)?;
    let tasks = dictionaries::read_tasks(&task)?;
    let types = dictionaries::read_event_types(&event_type)?;
    let holding = Wanted::from_params(&params, &tasks, &types)?.event_blocks(&stored).await?;
    // The cells are those of the window as it was asked for: times in the filter only leave some of them empty.
    let mut counts = Counts::new(Grid::new(params.window()?, params.width()?, 1));
    loop {
        let step = step(&request, &headers, holding.as_ref());
        let event_block = stored.part(stored.numbered(EventBlock::TABLE, &step.blocks)).await;
        let blocks = read_rows(EventBlock::TABLE, &event_block, EventBlock::read)?;
        for (_, event) in Selection::new(&request, &tasks, &types).matches(&blocks) {
            counts.add(event.cpu, event.t_ns);
        }
        request.cursor = step.next_seq.and_then(|seq| usize::try_from(seq).ok()).map(Cursor);
        if request.cursor.is_none() || stored.is_late() {
            return counts.answer(request.cursor);
        }
    }
}

#[derive(Serialize)]
struct EventCounts {
    count: i64,
    cpus: Vec<CpuCounts>,
    next: Option<Cursor>,
}

/// The cells of one CPU in which anything matches.
#[derive(Serialize)]
struct CpuCounts {
    cpu: i16,
    count: i64,
    t: Vec<i64>,
    duration_ns: Vec<i64>,
    counts: Vec<i64>,
}

struct Counts {
    grid: Grid,
    by_cpu: BTreeMap<i16, Vec<i64>>,
}

impl Counts {
    fn new(grid: Grid) -> Self {
        Self { grid, by_cpu: BTreeMap::new() }
    }

    fn add(&mut self, cpu: i16, t_ns: i64) {
        let Self { grid, by_cpu } = self;
        let cells = by_cpu.entry(cpu).or_insert_with(|| vec![0; grid.cell_count]);
        if let Some(cell) = cells.get_mut(grid.cell_of(t_ns)) {
            *cell = cell.saturating_add(1);
        }
    }

    fn answer(self, next: Option<Cursor>) -> Answer {
        let Self { grid, by_cpu } = self;
        let cpus: Vec<CpuCounts> =
            by_cpu.into_iter().map(|(cpu, cells)| cpu_counts(cpu, &cells, grid)).collect();
        let count = cpus.iter().map(|cpu| cpu.count).sum();
        answer_json(&EventCounts { count, cpus, next })
    }
}

fn cpu_counts(cpu: i16, cells: &[i64], grid: Grid) -> CpuCounts {
    let mut found = CpuCounts { cpu, count: 0, t: Vec::new(), duration_ns: Vec::new(), counts: Vec::new() };
    for (cell, count) in cells.iter().copied().enumerate().filter(|(_, count)| *count > 0) {
        let (start_ns, end_ns) = grid.bounds(cell);
        found.count = found.count.saturating_add(count);
        found.t.push(start_ns);
        found.duration_ns.push(end_ns.saturating_sub(start_ns));
        found.counts.push(count);
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::ExploreError;
    use super::super::fixture::{Event, event_block, event_types, tasks};
    use super::super::protocol::{Shelf, ask};
    use super::*;

    /// Two blocks of events `(t, cpu, type)`.
    fn shelf(events: &[(i64, i16, i16)]) -> Shelf {
        let rows: Vec<Event<'_>> = events
            .iter()
            .map(|&(t, cpu, event_type)| Event {
                t,
                cpu,
                task: None,
                event_type,
                flags: 0,
                buffer: 0,
                text: "vec=1 [action=TIMER]",
            })
            .collect();
        let (first, second) = rows.split_at(rows.len() / 2);
        let second_seq = i64::try_from(first.len()).unwrap();
        let (head, tail) = (event_block(0, 0, first), event_block(1, second_seq, second));
        Shelf::default()
            .with(EventBlock::TABLE, [&head[..head.len() - 2], &tail[19..]].concat())
            .with(&tables::TASK, tasks(&[(Some(7), None, "sh")]))
            .with(&tables::EVENT_TYPE, event_types(&[("softirq_raise", "tracepoint"), ("print", "print")]))
    }

    fn counts(events: &[(i64, i16, i16)], request: &str) -> Result<serde_json::Value, ExploreError> {
        let request = format!(r#"{{"trace":{{"duration_ns":99,"buffers":[null]}},{request}}}"#);
        Ok(serde_json::from_slice(&ask("event_counts", &request, &shelf(events))?).unwrap())
    }

    fn check(request: &str, expected: &str) {
        let events = [(0, 0, 0), (5, 0, 0), (7, 0, 1), (60, 1, 0), (61, 1, 0), (99, 0, 0)];
        let found = counts(&events, request).map(|json| json.to_string());
        assert_eq!(found.unwrap_or_else(|error| error.to_string()), expected, "{request}");
    }

    #[test]
    fn matches_are_counted_by_cpu_and_cell() {
        check(
            r#""width":11,"q":"event:softirq_raise""#,
            r#"{"count":5,"cpus":[{"count":3,"counts":[2,1],"cpu":0,"duration_ns":[10,10],"t":[0,90]},{"count":2,"counts":[2],"cpu":1,"duration_ns":[10],"t":[60]}],"next":null}"#,
        );
        check(
            r#""width":11,"q":"vec=1 t<6","cpu":0"#,
            r#"{"count":2,"cpus":[{"count":2,"counts":[2],"cpu":0,"duration_ns":[10],"t":[0]}],"next":null}"#,
        );
        check(r#""width":11,"q":"event:nothing""#, r#"{"count":0,"cpus":[],"next":null}"#);
        check(r#""width":11,"q":"cpu:x""#, "q: \"x\" is not a CPU number");
    }

    proptest! {
        #[test]
        fn every_match_of_the_window_is_in_the_cell_of_its_time(
            mut events in proptest::collection::vec((0_i64..100, 0_i16..3, 0_i16..2), 2..40),
            start in 0_i64..50, length in 1_i64..60, width in 2_i64..40,
        ) {
            events.sort_unstable();
            let end = (start + length).min(100);
            let json = counts(&events, &format!(r#""start":{start},"end":{end},"width":{width},"q":"event:print""#)).unwrap();
            let is_match = |&&(t, _, event_type): &&(i64, i16, i16)| event_type == 1 && t >= start && t < end;
            let matches = events.iter().filter(is_match).count();
            prop_assert_eq!(json["count"].as_u64(), u64::try_from(matches).ok());
            for cpu in json["cpus"].as_array().unwrap() {
                for (cell, t) in cpu["t"].as_array().unwrap().iter().enumerate() {
                    let t = t.as_i64().unwrap();
                    let cell_end = t + cpu["duration_ns"][cell].as_i64().unwrap();
                    let inside = events.iter().filter(is_match).filter(|&&(at, on, _)| {
                        i64::from(on) == cpu["cpu"].as_i64().unwrap() && at >= t && at < cell_end
                    });
                    prop_assert_eq!(cpu["counts"][cell].as_u64(), u64::try_from(inside.count()).ok());
                }
            }
        }
    }
}
