//! Calls one by one, in the order in which they are stored: a block at a time, each by the start of its calls.

use serde::Serialize;

use super::call_filter::CallFilter;
use super::headers::slice_headers;
use super::ids::{CallId, Owner};
use super::kind::CALL;
use super::page::Cursor;
use super::protocol::{Answer, Stored};
use super::{ExploreError, answer_json};
use crate::store::read::blocks::SliceBlock;
use crate::store::read::dictionaries;
use crate::store::read::read_rows;
use crate::store::tables;

#[derive(Serialize)]
struct Page {
    items: Vec<Call>,
    next: Option<Cursor>,
}

#[derive(Serialize)]
struct Call {
    id: CallId,
    t: i64,
    duration_ns: i64,
    self_ns: i64,
    cpu: i16,
    pid: Option<i32>,
    comm: Option<String>,
    symbol: String,
    depth: i16,
    flags: i16,
}

/// The calls of a block that are wanted, and where the next block is.
pub async fn call_list(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let (window, filter) = (params.open_window()?, CallFilter::from_params(&params)?);
    if filter.root.is_some() {
        return Err(ExploreError::bad("root", "is for charts; a list of calls has those of all functions"));
    }
    let mut headers = slice_headers(&stored).await?;
    headers.retain(|block| block.kind == CALL && block.t0 < window.end_ns && block.t1 >= window.start_ns);
    let at = Cursor::from_params(&params)?.map_or(0, |cursor| cursor.0);
    let [task, symbol] = stored.whole([&tables::TASK, &tables::SYMBOL]).await;
    let tasks = dictionaries::read_tasks(&task)?;
    let symbols = dictionaries::read_symbols(&symbol)?;
    let wanted: Vec<(i16, i32)> = headers.get(at).map(|header| header.id()).into_iter().collect();
    let part = stored.part(stored.blocks(SliceBlock::TABLE, &wanted)).await;
    let mut items = Vec::new();
    for block in
        if part.is_empty() { Vec::new() } else { read_rows(SliceBlock::TABLE, &part, SliceBlock::read)? }
    {
        let times = block.start_ns.iter().zip(&block.duration_ns).zip(&block.self_ns);
        let names = block.task_idx.iter().zip(&block.symbol_idx);
        let rest = block.cpu.iter().zip(&block.depth).zip(&block.flags);
        for ((((t, duration_ns), self_ns), (task_idx, symbol_idx)), ((cpu, depth), flags)) in
            times.zip(names).zip(rest)
        {
            let task = tasks.get(*task_idx);
            let is_wanted = window.touches(*t, *duration_ns)
                && *duration_ns >= filter.min_ns
                && filter.has_cpu(*cpu)
                && filter.has_task(task);
            if is_wanted {
                items.push(Call {
                    id: CallId { owner: Owner::new(task, *cpu), start_ns: *t, depth: *depth },
                    t: *t,
                    duration_ns: *duration_ns,
                    self_ns: *self_ns,
                    cpu: *cpu,
                    pid: task.and_then(|task| task.pid),
                    comm: task.map(|task| task.comm.to_owned()),
                    symbol: symbols.get(*symbol_idx).map(|symbol| symbol.display()).unwrap_or_default(),
                    depth: *depth,
                    flags: *flags,
                });
            }
        }
    }
    let behind = at.saturating_add(1);
    answer_json(&Page { items, next: (behind < headers.len()).then_some(Cursor(behind)) })
}
