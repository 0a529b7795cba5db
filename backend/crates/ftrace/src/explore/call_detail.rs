//! One call by its public id, with the calls that it is in.

use std::collections::BTreeMap;

use serde::Serialize;

use super::headers::{slice_headers, touching};
use super::ids::{CallId, Owner};
use super::kind::CALL;
use super::protocol::{Answer, Stored};
use super::{ExploreError, answer_json};
use crate::calls::CallFlags;
use crate::store::read::blocks::{ABSENT, SliceBlock};
use crate::store::read::dictionaries::{self, Dictionary, Symbol, Task};
use crate::store::read::read_rows;
use crate::store::tables;

/// Callers that are shown; the recorder's own depth limit is below.
const MAX_CALLERS: usize = 1_024;

#[derive(Serialize)]
struct CallDetail {
    call: CallItem,
    /// From the innermost caller outwards.
    callers: Vec<CallItem>,
}

#[derive(Clone, Serialize)]
struct CallItem {
    id: CallId,
    symbol: String,
    t: i64,
    duration_ns: i64,
    self_ns: i64,
    depth: i16,
    cpu: i16,
    pid: Option<i32>,
    comm: Option<String>,
    /// The printed arguments and return value; empty where the file has none.
    args: String,
    retval: String,
    /// The file begins after the call did: `t` is its end less its duration.
    started_before: bool,
    /// The file ends before the call did.
    cut_at_end: bool,
    /// Events were lost inside it.
    has_gap: bool,
    #[serde(skip)]
    parent: i32,
}

/// GET calls/{id}: one call, with those that it lies in.
///
/// Errors: the trace has no such call.
pub async fn call(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let id = params.call_id()?.ok_or_else(|| ExploreError::bad("id", "the id of a call is missing"))?;
    // At the call's first nanosecond, it and all its callers are open.
    let open = touching(&slice_headers(&stored).await?, CALL, params.window()?);
    let [slice_block, task, symbol] = stored
        .parts([
            stored.blocks(SliceBlock::TABLE, &open),
            stored.all(&tables::TASK),
            stored.all(&tables::SYMBOL),
        ])
        .await;
    let tasks = dictionaries::read_tasks(&task)?;
    let symbols = dictionaries::read_symbols(&symbol)?;
    let mut open_calls = calls_at(id.start_ns, &slice_block, &tasks, &symbols)?;
    let found = open_calls.iter().find(|(_, call)| call.id == id).map(|(number, _)| *number);
    let Some(call) = found.and_then(|number| open_calls.remove(&number)) else {
        return Err(ExploreError::no_call(&id.to_string(), stored.trace_id()));
    };
    let mut callers: Vec<CallItem> = Vec::new();
    let mut parent = call.parent;
    while let Some(caller) = open_calls.remove(&parent).filter(|_| callers.len() < MAX_CALLERS) {
        parent = caller.parent;
        callers.push(caller);
    }
    answer_json(&CallDetail { call, callers })
}

/// Calls that are open at `t_ns`, by their stored number.
fn calls_at(
    t_ns: i64,
    slice_block: &[u8],
    tasks: &Dictionary<Task<'_>>,
    symbols: &Dictionary<Symbol<'_>>,
) -> Result<BTreeMap<i32, CallItem>, ExploreError> {
    let is_open = |start_ns: i64, duration_ns: i64| {
        start_ns == t_ns || (start_ns < t_ns && t_ns < start_ns.saturating_add(duration_ns))
    };
    let mut calls = BTreeMap::new();
    read_rows(SliceBlock::TABLE, slice_block, |row| {
        let block = SliceBlock::read(row)?;
        let texts = [row.texts("args")?, row.texts("retval")?];
        if block.kind == CALL {
            let times = block.start_ns.iter().zip(&block.duration_ns).enumerate();
            let open = times.filter(|(_, (start_ns, duration_ns))| is_open(**start_ns, **duration_ns));
            calls.extend(open.filter_map(|(at, _)| {
                let texts = texts.each_ref().map(|column| column.get(at).copied().unwrap_or_default());
                Some((*block.id.get(at)?, call_item(&block, at, texts, tasks, symbols)?))
            }));
        }
        Ok(())
    })?;
    Ok(calls)
}

/// The call in row `at` of a block; `None` where the block has no such row.
fn call_item(
    block: &SliceBlock,
    at: usize,
    [args, retval]: [&str; 2],
    tasks: &Dictionary<Task<'_>>,
    symbols: &Dictionary<Symbol<'_>>,
) -> Option<CallItem> {
    let (start_ns, cpu, depth) = (*block.start_ns.get(at)?, *block.cpu.get(at)?, *block.depth.get(at)?);
    let (number, parent, flags) = (*block.id.get(at)?, *block.parent.get(at)?, *block.flags.get(at)?);
    let task = tasks.get(*block.task_idx.get(at)?);
    let has = |flag: u8| flags & i16::from(flag) != 0;
    Some(CallItem {
        id: CallId { owner: Owner::new(task, cpu), start_ns, depth },
        symbol: symbols.get(*block.symbol_idx.get(at)?).map(Symbol::display).unwrap_or_default(),
        t: start_ns,
        duration_ns: *block.duration_ns.get(at)?,
        self_ns: *block.self_ns.get(at)?,
        depth,
        cpu,
        pid: task.and_then(|task| task.pid),
        comm: task.map(|task| task.comm.to_owned()),
        args: args.to_owned(),
        retval: retval.to_owned(),
        started_before: has(CallFlags::STARTED_BEFORE),
        cut_at_end: has(CallFlags::CUT_AT_END),
        has_gap: has(CallFlags::HAS_GAP),
        parent: if parent == number { ABSENT } else { parent },
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::fixture::{Slice, readable, slice_block, symbols, tasks};
    use super::super::protocol::{Shelf, ask};
    use super::*;

    fn check(id: &str, expected: Expect) {
        let call = Slice { kind: CALL, task: Some(0), ..Slice::default() };
        let slices = [
            Slice { start: 10, duration: 20, symbol: Some(1), depth: 1, id: 1, parent: Some(0), ..call },
            Slice { start: 0, duration: 100, symbol: Some(0), id: 0, ..call },
            Slice { start: 10, duration: 20, symbol: Some(1), id: 2, task: Some(1), ..call },
        ];
        let tasks = tasks(&[(Some(7), None, "sh"), (Some(0), Some(0), "<idle>")]);
        let symbols = symbols(&[("main", None), ("leaf", Some("mod"))]);
        let shelf = Shelf::default()
            .with(SliceBlock::TABLE, slice_block(&slices))
            .with(&tables::TASK, tasks)
            .with(&tables::SYMBOL, symbols);
        let answer = ask("call", &format!(r#"{{"id":"{id}"}}"#), &shelf).map(|json| readable(&json));
        expected.assert_eq(&answer.unwrap_or_else(|error| error.to_string()));
    }

    #[test]
    fn a_call_comes_with_its_callers() {
        check(
            "call-7@10.1",
            expect![[r#"
            {"call":{"id":"call-7@10.1","symbol":"leaf [mod]","t":10,"duration_ns":20,"self_ns":20,"depth":1,"cpu":0,"pid":7,"comm":"sh","args":"","retval":"","started_before":false,"cut_at_end":false,"has_gap":false},"callers":[
              {"id":"call-7@0.0","symbol":"main","t":0,"duration_ns":100,"self_ns":100,"depth":0,"cpu":0,"pid":7,"comm":"sh","args":"","retval":"","started_before":false,"cut_at_end":false,"has_gap":false}
            ]}"#]],
        );
    }

    #[test]
    fn idle_calls_are_found_by_their_cpu() {
        check(
            "call-cpu0@10.0",
            expect![[
                r#"{"call":{"id":"call-cpu0@10.0","symbol":"leaf [mod]","t":10,"duration_ns":20,"self_ns":20,"depth":0,"cpu":0,"pid":0,"comm":"<idle>","args":"","retval":"","started_before":false,"cut_at_end":false,"has_gap":false},"callers":[]}"#
            ]],
        );
    }

    #[test]
    fn an_id_that_nothing_has_is_missing() {
        check("call-7@11.1", expect![[r#"There is no call "call-7@11.1" in the trace "x"."#]]);
        check("call-7", expect![[r#"id: "call-7" is no call; expected call-1213@5000.3"#]]);
    }
}
