//! A call that one side of a comparison names, found among the stored ones.

use hashbrown::HashSet;

use super::group::Standing;
use super::instances::Instance;
use crate::explore::ExploreError;
use crate::explore::call_filter::read_calls;
use crate::explore::headers::{self, slice_headers};
use crate::explore::ids::{CallId, Owner};
use crate::explore::kind::CALL;
use crate::explore::latency::located_case;
use crate::explore::protocol::Stored;
use crate::explore::request::{Params, Window};
use crate::model::grouped;
use crate::store::read::dictionaries::{Dictionary, Symbol, Task, read_symbols, read_tasks};
use crate::store::read::headers::BlockHeader;
use crate::store::tables;

/// Calls in the blocks that one side touches.
pub const MAX_SIDE_RECORDS: i64 = 1_000_000;

/// What is known of a call before its subtree is read.
#[derive(Clone, Debug)]
pub struct LocatedCall {
    pub id: String,
    pub symbol: String,
    pub t: i64,
    pub duration_ns: i64,
    pub cpu: i16,
    pub pid: Option<i32>,
    pub comm: Option<String>,
    pub is_root: bool,
    /// As it is stored.
    pub number: i32,
    pub flags: u16,
}

impl LocatedCall {
    /// The call with the names that the dictionaries have for its task and function.
    pub fn of(instance: &Instance, tasks: &Dictionary<Task<'_>>, symbols: &Dictionary<Symbol<'_>>) -> Self {
        let task = tasks.get(instance.task_idx);
        Self {
            id: instance.id(tasks).to_string(),
            symbol: symbols.get(instance.symbol_idx).map(Symbol::display).unwrap_or_default(),
            t: instance.start_ns,
            duration_ns: instance.duration_ns,
            cpu: instance.cpu,
            pid: task.and_then(|task| task.pid),
            comm: task.map(|task| task.comm.to_owned()).filter(|comm| !comm.is_empty()),
            is_root: instance.is_root(),
            number: instance.number,
            flags: instance.flags.0,
        }
    }

    pub fn end_ns(&self) -> i64 {
        self.t.saturating_add(self.duration_ns)
    }

    /// Where the call is; `None` where its id names no task and no CPU.
    pub fn standing(&self) -> Option<Standing> {
        let CallId { owner, start_ns, .. } = CallId::parse(&self.id)?;
        Some(Standing { owner, start_ns, end_ns: self.t.saturating_add(self.duration_ns.max(1)) })
    }
}

/// The call that the parameter `id` names, or that the case of the parameter `case` is, and the blocks that hold what it called. `headers` are of all blocks of
/// calls.
///
/// Errors: the trace has no such call; `window_too_large` if it spans more calls than a comparison may
/// read.
pub async fn located_call(
    stored: &Stored,
    params: &Params,
    headers: &[BlockHeader],
) -> Result<(LocatedCall, Vec<(i16, i32)>), ExploreError> {
    let wanted = Wanted::of(stored, params).await?;
    let start_ns = wanted.id.start_ns;
    let window = Window { start_ns, end_ns: start_ns.saturating_add(1) };
    let open = headers::touching(headers, CALL, window);
    let [slice_block, task, symbol] = stored
        .parts([
            stored.blocks(&tables::SLICE_BLOCK, &open),
            stored.all(&tables::TASK),
            stored.all(&tables::SYMBOL),
        ])
        .await;
    let (tasks, symbols) = (read_tasks(&task)?, read_symbols(&symbol)?);
    let found = wanted.find(&slice_block, &tasks)?;
    let instance = found.ok_or_else(|| ExploreError::no_call(&wanted.id.to_string(), stored.trace_id()))?;
    let call = LocatedCall::of(&instance, &tasks, &symbols);
    let blocks = blocks_of(&[&call], headers)?;
    Ok((call, blocks))
}

/// Headers of all blocks of calls.
pub async fn call_headers(stored: &Stored) -> Result<Vec<BlockHeader>, ExploreError> {
    let mut headers = slice_headers(stored).await?;
    headers.retain(|header| header.kind == CALL);
    Ok(headers)
}

/// The blocks that hold calls inside any of these.
///
/// Errors: `window_too_large`.
pub fn blocks_of(calls: &[&LocatedCall], headers: &[BlockHeader]) -> Result<Vec<(i16, i32)>, ExploreError> {
    let blocks = touching(calls, headers);
    let wanted: HashSet<(i16, i32)> = blocks.iter().copied().collect();
    let touched = headers.iter().filter(|header| wanted.contains(&header.id()));
    let count: i64 = touched.map(|header| header.count).sum();
    if count > MAX_SIDE_RECORDS {
        let message = format!(
            "this side spans blocks with {} calls; the limit is {}. Choose a call inside it, or narrow the group \
             (start, end, cpu, min)",
            grouped(count),
            grouped(MAX_SIDE_RECORDS)
        );
        return Err(ExploreError::too_large("abnormal", message));
    }
    Ok(blocks)
}

/// The blocks that touch any of these.
pub fn touching(calls: &[&LocatedCall], headers: &[BlockHeader]) -> Vec<(i16, i32)> {
    let touches = |t0: i64, t1: i64| calls.iter().any(|call| t0 <= call.end_ns() && t1 >= call.t);
    headers.iter().filter(|header| touches(header.t0, header.t1)).map(BlockHeader::id).collect()
}

/// The call that a side names.
struct Wanted {
    id: CallId,
    /// Of a case: its function and duration, which distinguish it from others that began when it did.
    of_case: Option<(i32, i64)>,
}

impl Wanted {
    /// Errors: the parameters name neither; the trace has no such case.
    async fn of(stored: &Stored, params: &Params) -> Result<Self, ExploreError> {
        if let Some(id) = params.call_id()? {
            return Ok(Self { id, of_case: None });
        }
        let located = located_case(stored, params).await?;
        let id = located.call_id().ok_or_else(|| ExploreError::bad("id", "the id of a call is missing"))?;
        Ok(Self { id, of_case: Some((located.sample.symbol_idx, located.sample.duration_ns)) })
    }

    fn find(
        &self,
        slice_block: &[u8],
        tasks: &Dictionary<Task<'_>>,
    ) -> Result<Option<Instance>, ExploreError> {
        let Self { id, of_case } = self;
        let is_it = |call: &Instance| {
            (call.start_ns, call.depth) == (id.start_ns, id.depth)
                && Owner::new(tasks.get(call.task_idx), call.cpu) == id.owner
                && of_case.is_none_or(|of_case| of_case == (call.symbol_idx, call.duration_ns))
        };
        let mut found: Option<Instance> = None;
        read_calls(slice_block, |block| {
            let in_block = Instance::all(block).filter(is_it);
            found = found.into_iter().chain(in_block).min_by_key(|call| call.number);
        })?;
        Ok(found)
    }
}
