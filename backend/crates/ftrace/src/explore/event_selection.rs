//! The events that a request asks for, among those of the blocks at hand.

use hashbrown::{HashMap, HashSet};

use super::event_request::{EventRequest, Order};
use super::filter::{EventParts, EventView, TermsInMessage};
use super::wanted::{task_indices, type_indices};
use crate::model::Flags;
use crate::store::read::blocks::EventBlock;
use crate::store::read::dictionaries::{Dictionary, EventType, Task};

/// Which terms hold by messages of one block, each of which is kept once there: by the address of its text, and
/// its type.
type Messages = HashMap<(usize, i16), TermsInMessage>;

/// What a request asks for, in terms of the dictionaries' indices where that is cheaper.
pub struct Selection<'r, 'd, 'a> {
    request: &'r EventRequest,
    tasks: &'d Dictionary<Task<'a>>,
    types: &'d Dictionary<EventType<'a>>,
    /// `None` where all are wanted.
    task_idx: Option<HashSet<i32>>,
    type_idx: Option<HashSet<i32>>,
}

impl<'r, 'd, 'a> Selection<'r, 'd, 'a> {
    /// Looks up once which tasks and event types of this trace the request wants.
    pub fn new(
        request: &'r EventRequest,
        tasks: &'d Dictionary<Task<'a>>,
        types: &'d Dictionary<EventType<'a>>,
    ) -> Self {
        let EventRequest { pids, comms, events, filter, .. } = request;
        let task_idx = task_indices(tasks, pids, comms, filter);
        let type_idx = type_indices(types, events, filter);
        Self { request, tasks, types, task_idx, type_idx }
    }

    /// Matching events with their numbers, in the request's order.
    pub fn matches<'b>(
        &'b self,
        blocks: &'b [EventBlock<'a>],
    ) -> impl Iterator<Item = (i64, EventParts<'b>)> + 'b
    where
        'a: 'b,
    {
        let is_forwards = self.request.order == Order::Forwards;
        let blocks = in_order(blocks.iter(), is_forwards);
        blocks.flat_map(move |block| {
            let mut messages = HashMap::new();
            let rows = in_order(0..block.t_ns.len(), is_forwards);
            rows.filter_map(move |row| self.matching(block, row, &mut messages))
        })
    }

    fn matching<'b>(
        &'b self,
        block: &'b EventBlock<'a>,
        row: usize,
        messages: &mut Messages,
    ) -> Option<(i64, EventParts<'b>)> {
        let Self { request, .. } = self;
        let seq = block.first_seq.saturating_add(i64::try_from(row).ok()?);
        let event = request.is_ahead(seq).then(|| self.event(block, row))??;
        if !request.filter.is_empty() {
            let message = (event.text.as_ptr().addr(), *block.type_idx.get(row)?);
            let in_message =
                *messages.entry(message).or_insert_with(|| request.filter.in_message(&EventView::new(event)));
            request.filter.holds(&event, in_message).then_some(())?;
        }
        Some((seq, event))
    }

    /// The event in a row, unless the request's plain parameters leave it out.
    fn event<'b>(&'b self, block: &'b EventBlock<'a>, row: usize) -> Option<EventParts<'b>> {
        let request = self.request;
        let t_ns = *block.t_ns.get(row)?;
        let cpu = *block.cpu.get(row)?;
        let task_idx = *block.task_idx.get(row)?;
        let type_idx = i32::from(*block.type_idx.get(row)?);
        let is_wanted = request.window.contains(t_ns)
            && (request.cpus.is_empty() || request.cpus.contains(&cpu))
            && self.task_idx.as_ref().is_none_or(|wanted| wanted.contains(&task_idx))
            && self.type_idx.as_ref().is_none_or(|wanted| wanted.contains(&type_idx));
        if !is_wanted {
            return None;
        }
        let task = self.tasks.get(task_idx);
        let event_type = self.types.get(type_idx);
        let buffer = usize::try_from(*block.buffer.get(row)?).ok().and_then(|idx| request.buffers.get(idx));
        Some(EventParts {
            t_ns,
            cpu,
            buffer: buffer.and_then(Option::as_deref),
            pid: task.and_then(|task| task.pid),
            comm: task.map(|task| task.comm),
            event: event_type.map_or("", |event_type| event_type.name),
            kind: event_type.map_or("", |event_type| event_type.kind),
            flags: Flags(block.flags.get(row)?.cast_unsigned()),
            text: block.args.get(row).copied()?,
        })
    }
}

fn in_order<'i, T: 'i>(
    items: impl DoubleEndedIterator<Item = T> + 'i,
    is_forwards: bool,
) -> Box<dyn Iterator<Item = T> + 'i> {
    if is_forwards { Box::new(items) } else { Box::new(items.rev()) }
}
