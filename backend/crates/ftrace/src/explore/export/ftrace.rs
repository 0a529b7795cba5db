//! ftrace text: what tracefs prints, with calls as trace-cmd report prints them.

use std::collections::{BTreeMap, VecDeque};

use super::super::ExploreError;
use super::super::filter::EventParts;
use super::super::protocol::{Answer, Part, Stored};
use super::super::request::Window;
use super::ExportFormat;
use super::call_edges::{CallEdges, Edge};
use super::event_blocks::EventBlocks;
use super::ftrace_header::{Entries, header};
use super::ftrace_line::Columns;
use super::names::{NameTables, Names};
use super::out::Out;
use super::scope::Scope;
use crate::store::read::blocks::EventBlock;
use crate::store::read::dictionaries::{self, Loss, Stack};
use crate::store::read::read_rows;
use crate::store::tables;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "ftrace",
    title: "ftrace text",
    reader: "as tracefs prints it, for Perfetto, Jitterscope, and other readers of ftrace text",
    extension: "ftrace.txt",
    media_type: "text/plain; charset=utf-8",
    is_of_calls: false,
    write: |stored, scope| Box::pin(write(stored, scope)),
};

async fn write(stored: Stored, scope: Scope) -> Answer {
    let name_tables = NameTables::fetch(&stored).await;
    let names = Names::read(&name_tables)?;
    let [loss] = stored.whole([&tables::LOSS]).await;
    let mut losses = Losses::new(&dictionaries::read_losses(&loss)?, &scope);
    let mut events = EventBlocks::plan(&stored, &scope).await?;
    let mut calls = Edges { edges: CallEdges::plan(&stored, &scope).await?, next: Vec::new().into_iter() };
    let event_count = count_events(&stored, &scope, &names, events.clone()).await?;
    let in_buffer = event_count.saturating_add(calls.edges.recorded_count);
    let columns = columns(&scope, &events);
    let mut out = Out::new(&stored);
    out.text(&header(&scope, Entries { in_buffer, overwritten: losses.overwritten }));
    while let Some(part) = events.next(&stored).await {
        let blocks = read_rows(EventBlock::TABLE, &part, EventBlock::read)?;
        for block in &blocks {
            let stacks = Stacks::fetch(&stored, block).await;
            let mut stacks = Stacks::read(&stacks)?;
            for event in (0..block.t_ns.len()).filter_map(|row| names.event(&scope, block, row)) {
                while let Some(edge) = calls.before(event.t_ns, &stored, &scope, &names).await? {
                    losses.announce(&mut out, edge.call.cpu, edge.t_ns);
                    columns.call(&mut out, &scope, &names, &edge);
                    out.pass().await;
                }
                losses.announce(&mut out, event.cpu, event.t_ns);
                columns.event(&mut out, &scope, &event);
                if let Some(stack) = stacks.behind(&event) {
                    columns.stack(&mut out, &stack);
                }
                out.pass().await;
            }
        }
    }
    while let Some(edge) = calls.before(i64::MAX, &stored, &scope, &names).await? {
        losses.announce(&mut out, edge.call.cpu, edge.t_ns);
        columns.call(&mut out, &scope, &names, &edge);
        out.pass().await;
    }
    losses.announce_rest(&mut out);
    Ok(out.rest())
}

/// Six digits after the point if all times that are known beforehand need no more.
fn columns(scope: &Scope, events: &EventBlocks) -> Columns {
    let is_micros = |t_ns: i64| scope.stamp(t_ns) % 1_000 == 0;
    Columns {
        counts_ticks: scope.counts_ticks(),
        // `t1` is after the last record by one.
        is_micros: events
            .headers()
            .all(|header| is_micros(header.t0) && is_micros(header.t1.saturating_sub(1))),
    }
}

/// How many lines of events there will be; blocks are looked at only where not all of them are wanted.
async fn count_events(
    stored: &Stored,
    scope: &Scope,
    names: &Names<'_>,
    mut events: EventBlocks,
) -> Result<i64, ExploreError> {
    if scope.is_whole {
        return Ok(events.headers().map(|header| header.count).sum());
    }
    let mut count = 0_i64;
    while let Some(part) = events.next(stored).await {
        for block in read_rows(EventBlock::TABLE, &part, EventBlock::read)? {
            let rows = (0..block.t_ns.len()).filter(|row| names.event(scope, &block, *row).is_some());
            count = count.saturating_add(i64::try_from(rows.count()).unwrap_or(i64::MAX));
        }
    }
    Ok(count)
}

/// The lines of calls, one by one.
struct Edges {
    edges: CallEdges,
    next: std::vec::IntoIter<Edge>,
}

impl Edges {
    /// The next line to print before an event at this time.
    async fn before(
        &mut self,
        t_ns: i64,
        stored: &Stored,
        scope: &Scope,
        names: &Names<'_>,
    ) -> Result<Option<Edge>, ExploreError> {
        loop {
            match self.next.as_slice().first() {
                Some(edge) if edge.t_ns > t_ns => return Ok(None),
                Some(_) => {
                    let line =
                        self.next.next().filter(|edge| edge.call.is_recorded(edge.is_enter, scope.window));
                    if line.is_some() {
                        return Ok(line);
                    }
                }
                None => match self.edges.next(stored, scope, names).await? {
                    Some(more) => self.next = more.into_iter(),
                    None => return Ok(None),
                },
            }
        }
    }
}

/// Losses that are still to be announced, those of a CPU in the order of their ends.
struct Losses {
    by_cpu: BTreeMap<i16, VecDeque<Loss>>,
    /// Those of which only a total is known.
    overwritten: i64,
}

impl Losses {
    fn new(losses: &[Loss], scope: &Scope) -> Self {
        let mut by_cpu: BTreeMap<i16, VecDeque<Loss>> = BTreeMap::new();
        let mut overwritten = 0_i64;
        for loss in losses {
            let is_within = loss.end_ns >= scope.window.start_ns && loss.end_ns < scope.window.end_ns;
            match loss.cpu {
                Some(cpu) if is_within && scope.has_cpu(cpu) => {
                    by_cpu.entry(cpu).or_default().push_back(loss.clone());
                }
                None if scope.is_whole => {
                    overwritten = overwritten.saturating_add(loss.lost_count.unwrap_or(0));
                }
                _ => {}
            }
        }
        by_cpu.values_mut().for_each(|losses| losses.make_contiguous().sort_by_key(|loss| loss.end_ns));
        Self { by_cpu, overwritten }
    }

    /// `CPU:1 [LOST 228456 EVENTS]` before the first record after the gap.
    fn announce(&mut self, out: &mut Out<'_>, cpu: i16, t_ns: i64) {
        let Some(losses) = self.by_cpu.get_mut(&cpu) else { return };
        while let Some(loss) = losses.front().filter(|loss| loss.end_ns <= t_ns) {
            announce(out, cpu, loss);
            losses.pop_front();
        }
    }

    fn announce_rest(&self, out: &mut Out<'_>) {
        for (cpu, losses) in &self.by_cpu {
            losses.iter().for_each(|loss| announce(out, *cpu, loss));
        }
    }
}

fn announce(out: &mut Out<'_>, cpu: i16, loss: &Loss) {
    out.text("CPU:");
    out.number(i64::from(cpu));
    match loss.lost_count {
        Some(count) => {
            out.text(" [LOST ");
            out.number(count);
            out.text(" EVENTS]\n");
        }
        None => out.text(" [LOST EVENTS]\n"),
    }
}

/// The stacks recorded with the events of a block, by time and CPU.
struct Stacks<'a>(BTreeMap<(i64, Option<i16>), Vec<Stack<'a>>>);

impl<'a> Stacks<'a> {
    async fn fetch(stored: &Stored, block: &EventBlock<'_>) -> Part {
        let start_ns = block.t_ns.iter().copied().min().unwrap_or_default();
        let end_ns = block.t_ns.iter().copied().max().unwrap_or_default().saturating_add(1);
        stored.part(stored.touching(&tables::STACK, Window { start_ns, end_ns })).await
    }

    fn read(part: &'a [u8]) -> Result<Self, ExploreError> {
        let mut stacks: BTreeMap<_, Vec<Stack<'_>>> = BTreeMap::new();
        if !part.is_empty() {
            for stack in dictionaries::read_stacks(part)? {
                stacks.entry((stack.t_ns, stack.cpu)).or_default().push(stack);
            }
        }
        Ok(Self(stacks))
    }

    /// The stack that an event announces; those of several events of one moment follow one another as the events do.
    fn behind(&mut self, event: &EventParts<'_>) -> Option<Stack<'a>> {
        let is_announced = event.event.ends_with("_stack")
            || event.text.ends_with("STACK:")
            || event.text.contains("stack trace");
        let stacks = self.0.get_mut(&(event.t_ns, Some(event.cpu))).filter(|_| is_announced)?;
        let is_user = event.event.starts_with("user") || event.text.contains("user stack");
        let at = stacks.iter().position(|stack| (stack.kind == "user") == is_user)?;
        Some(stacks.remove(at))
    }
}
