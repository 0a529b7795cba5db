//! What took the time of a window: slices of every kind, summed by CPU and name, to the nanosecond.

use std::cmp::Reverse;

use hashbrown::HashMap;
use serde::Serialize;

use super::headers::{slice_headers, touching};
use super::kind;
use super::lanes::{Item, items};
use super::names::{LocalNames, TaskName, symbol_names, task_names};
use super::page::Cursor;
use super::protocol::{Answer, Stored};
use super::request::{Params, Window};
use super::{ExploreError, answer_json};
use crate::analyses::SliceKind;
use crate::store::read::blocks::SliceBlock;
use crate::store::read::dictionaries::{self, Dictionary, Symbol, Task};
use crate::store::read::headers::BlockHeader;
use crate::store::read::read_rows;
use crate::store::tables;

/// Blocks that are read at once: a hundredth of a second or so of decoding.
const STEP_BLOCKS: usize = 16;
/// Rows of one answer, the largest: beyond them, what is left out is summed up.
const MAX_ROWS: usize = 10_000;

/// GET slice-totals: slices that reach over the edge of the window count with the part inside. The caller may rather
/// continue from what was summed up so far; the parts of one window can be added.
pub async fn slice_totals(stored: Stored) -> Answer {
    let request = Request::from_params(&stored.params().await?)?;
    let wanted = request.blocks(&slice_headers(&stored).await?);
    let [task, symbol] = stored.whole([&tables::TASK, &tables::SYMBOL]).await;
    let mut totals = Totals::new(request.window, request.cpus);
    let mut done = request.first.min(wanted.len());
    while let Some(rest) = wanted.get(done..).filter(|rest| !rest.is_empty()) {
        let step: Vec<(i16, i32)> = rest.iter().take(STEP_BLOCKS).copied().collect();
        let slice_block = stored.part(stored.blocks(SliceBlock::TABLE, &step)).await;
        for block in read_rows(SliceBlock::TABLE, &slice_block, SliceBlock::read)? {
            items(&block).for_each(|item| totals.add(block.kind, &item));
        }
        done = done.saturating_add(step.len());
        if stored.is_late() {
            break;
        }
    }
    let next = (done < wanted.len()).then_some(Cursor(done));
    totals.answer(&dictionaries::read_tasks(&task)?, &dictionaries::read_symbols(&symbol)?, next)
}

struct Request {
    window: Window,
    cpus: Vec<i16>,
    /// Place among the wanted blocks.
    first: usize,
}

impl Request {
    fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let first = Cursor::from_params(params)?.map_or(0, |cursor| cursor.0);
        Ok(Self { window: params.window()?, cpus: params.ints("cpu")?, first })
    }

    /// All that lanes of CPUs show, in an order that does not change; calls have pages of their own.
    fn blocks(&self, headers: &[BlockHeader]) -> Vec<(i16, i32)> {
        let shown = SliceKind::ALL.iter().map(|kind| kind.code()).filter(|code| *code != kind::CALL);
        let mut blocks: Vec<(i16, i32)> =
            shown.flat_map(|kind| touching(headers, kind, self.window)).collect();
        blocks.sort_unstable();
        blocks
    }
}

/// CPU, kind, and the task that ran, or the symbol of what else it is.
type Key = (i16, i16, i32);

#[derive(Clone, Copy, Default)]
struct Total {
    count: i64,
    total_ns: i64,
    max_ns: i64,
    max_start_ns: i64,
}

struct Totals {
    window: Window,
    cpus: Vec<i16>,
    by_key: HashMap<Key, Total>,
}

#[derive(Serialize)]
struct SliceTotals {
    tasks: Vec<TaskName>,
    symbols: Vec<String>,
    items: Vec<TotalItem>,
    left_out: LeftOut,
    next: Option<Cursor>,
}

#[derive(Serialize)]
struct TotalItem {
    cpu: i16,
    kind: &'static str,
    task_idx: Option<u32>,
    symbol_idx: Option<u32>,
    count: i64,
    total_ns: i64,
    max_ns: i64,
    max_start: i64,
}

#[derive(Default, Serialize)]
struct LeftOut {
    rows: usize,
    count: i64,
    total_ns: i64,
}

impl Totals {
    fn new(window: Window, cpus: Vec<i16>) -> Self {
        Self { window, cpus, by_key: HashMap::new() }
    }

    fn add(&mut self, kind: i16, item: &Item) {
        let Self { window, cpus, by_key } = self;
        let end_ns = item.start_ns.saturating_add(item.duration_ns);
        let is_instant_inside = item.duration_ns == 0 && window.contains(item.start_ns);
        let inside_ns = end_ns.min(window.end_ns).saturating_sub(item.start_ns.max(window.start_ns));
        let is_wanted = cpus.is_empty() || cpus.contains(&item.cpu);
        if !is_wanted || (inside_ns <= 0 && !is_instant_inside) {
            return;
        }
        let name_idx = if kind == kind::SCHED { item.task_idx } else { item.symbol_idx };
        let total = by_key.entry((item.cpu, kind, name_idx)).or_default();
        let is_longest = total.count == 0 || item.duration_ns > total.max_ns;
        total.count = total.count.saturating_add(1);
        total.total_ns = total.total_ns.saturating_add(inside_ns);
        if is_longest {
            total.max_ns = item.duration_ns;
            total.max_start_ns = item.start_ns;
        }
    }

    fn answer(
        self,
        tasks: &Dictionary<Task<'_>>,
        symbols: &Dictionary<Symbol<'_>>,
        next: Option<Cursor>,
    ) -> Answer {
        let mut rows: Vec<(Key, Total)> = self.by_key.into_iter().collect();
        rows.sort_unstable_by_key(|(key, total)| (Reverse(total.total_ns), *key));
        let mut left_out = LeftOut::default();
        for (_, total) in rows.iter().skip(MAX_ROWS) {
            left_out.rows = left_out.rows.saturating_add(1);
            left_out.count = left_out.count.saturating_add(total.count);
            left_out.total_ns = left_out.total_ns.saturating_add(total.total_ns);
        }
        rows.truncate(MAX_ROWS);
        let (mut tasks, mut symbols) = (LocalNames::new(tasks), LocalNames::new(symbols));
        let items = rows
            .into_iter()
            .filter_map(|((cpu, code, name_idx), total)| {
                let is_task = code == kind::SCHED;
                Some(TotalItem {
                    cpu,
                    kind: SliceKind::of_code(code)?.name(),
                    task_idx: is_task.then(|| tasks.number(name_idx)).flatten(),
                    symbol_idx: (!is_task).then(|| symbols.number(name_idx)).flatten(),
                    count: total.count,
                    total_ns: total.total_ns,
                    max_ns: total.max_ns,
                    max_start: total.max_start_ns,
                })
            })
            .collect();
        answer_json(&SliceTotals {
            items,
            tasks: task_names(&tasks),
            symbols: symbol_names(&symbols),
            left_out,
            next,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fixture::{Slice, slice_block, symbols, tasks};
    use super::super::protocol::{Shelf, ask};
    use super::*;

    fn slice(kind: i16, cpu: i16, (start, end): (i64, i64), name: i32) -> Slice {
        let (task, symbol) = if kind == kind::SCHED { (Some(name), None) } else { (None, Some(name)) };
        Slice { kind, start, duration: end - start, cpu, task, symbol, ..Slice::default() }
    }

    fn totals(slices: &[Slice], request: &str) -> serde_json::Value {
        let request = format!(r#"{{"trace":{{"duration_ns":100}},{request}}}"#);
        let shelf = Shelf::default()
            .with(SliceBlock::TABLE, slice_block(slices))
            .with(&tables::TASK, tasks(&[(Some(7), None, "sh"), (Some(0), Some(1), "<idle>")]))
            .with(&tables::SYMBOL, symbols(&[("timer", None), ("net", None)]));
        serde_json::from_slice(&ask("slice_totals", &request, &shelf).unwrap()).unwrap()
    }

    /// `cpu kind name count total longest` of each row.
    fn rows(json: &serde_json::Value) -> Vec<String> {
        let name = |item: &serde_json::Value| match item["task_idx"].as_u64() {
            Some(idx) => json["tasks"][usize::try_from(idx).unwrap()]["comm"].clone(),
            None => json["symbols"][usize::try_from(item["symbol_idx"].as_u64().unwrap()).unwrap()].clone(),
        };
        let row = |item: &serde_json::Value| {
            format!(
                "{} {} {} {} {} {}",
                item["cpu"],
                item["kind"].as_str().unwrap(),
                name(item).as_str().unwrap(),
                item["count"],
                item["total_ns"],
                item["max_ns"]
            )
        };
        json["items"].as_array().unwrap().iter().map(row).collect()
    }

    #[test]
    fn slices_count_with_their_part_inside_the_window() {
        let slices = [
            slice(kind::SCHED, 0, (0, 40), 0),
            slice(kind::SCHED, 1, (10, 30), 1),
            slice(kind::SCHED, 0, (60, 90), 0),
            slice(kind::IRQ, 0, (5, 8), 0),
            slice(kind::IRQ, 0, (20, 25), 0),
            slice(kind::SOFTIRQ, 0, (22, 22), 1),
        ];
        let json = totals(&slices, r#""start":6,"end":70"#);
        assert_eq!(
            rows(&json),
            ["0 sched sh 2 44 40", "1 sched <idle> 1 20 20", "0 irq timer 2 7 5", "0 softirq net 1 0 0"]
        );
        assert_eq!(json["next"], serde_json::Value::Null);
        assert_eq!(rows(&totals(&slices, r#""start":41,"end":60"#)), Vec::<String>::new());
        assert_eq!(rows(&totals(&slices, r#""cpu":1"#)), ["1 sched <idle> 1 20 20"]);
        assert_eq!(rows(&totals(&slices, r#""cursor":"at-99""#)), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn a_cut_window_adds_up_to_the_whole(
            spans in proptest::collection::vec((0_i64..90, 1_i64..10, 0_i16..2, 0_i32..2), 1..30), cut in 1_i64..100,
        ) {
            let slices: Vec<Slice> = spans
                .iter()
                .map(|&(start, length, cpu, task)| slice(kind::SCHED, cpu, (start, start + length), task))
                .collect();
            let total = |request: &str| -> i64 {
                let json = totals(&slices, request);
                json["items"].as_array().unwrap().iter().map(|item| item["total_ns"].as_i64().unwrap()).sum()
            };
            let expected: i64 = spans.iter().map(|(_, length, ..)| length).sum();
            prop_assert_eq!(total(r#""start":0,"end":101"#), expected);
            let halves = total(&format!(r#""start":0,"end":{cut}"#)) + total(&format!(r#""start":{cut},"end":101"#));
            prop_assert_eq!(halves, expected);
        }
    }
}
