//! Chrome's trace event format: what ran on each CPU, calls by task, counters, and events as instants.
//!
//! Source: "Trace Event Format", <https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>.

use super::super::filter::EventParts;
use super::super::ids::Owner;
use super::super::kind;
use super::super::protocol::{Answer, Stored};
use super::super::request::Window;
use super::super::{ExploreError, answer_json};
use super::ExportFormat;
use super::call_edges::CallEdges;
use super::event_blocks::EventBlocks;
use super::names::{NameTables, Names};
use super::out::Out;
use super::scope::Scope;
use super::slice_blocks::SliceBlocks;
use crate::analyses::SliceKind;
use crate::store::read::blocks::{CounterBlock, EventBlock, SliceBlock};
use crate::store::read::dictionaries::{self, Counter, Dictionary, Task};
use crate::store::read::read_rows;
use crate::store::tables;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "chrome",
    title: "Chrome JSON",
    reader: "running tasks, interrupts, calls, counters and events, for chrome://tracing and everything that reads its format",
    extension: "chrome.json",
    media_type: "application/json",
    is_of_calls: false,
    write: |stored, scope| Box::pin(write(stored, scope)),
};

/// The processes that lanes are grouped by.
const CPUS: i64 = 1;
const CALLS: i64 = 2;
const EVENTS: i64 = 3;
/// Threads of CPUs begin here in the group of calls: no task has a pid that large.
const IDLE_TID: i64 = 1 << 23;

async fn write(stored: Stored, scope: Scope) -> Answer {
    let name_tables = NameTables::fetch(&stored).await;
    let names = Names::read(&name_tables)?;
    let mut out = Out::new(&stored);
    out.text("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"Jitterscope\",\"origin_ns\":\"");
    out.number(scope.origin_ns);
    out.text("\"},\"traceEvents\":[");
    metadata(&mut out, &scope, &names)?;
    slices(&stored, &scope, &names, &mut out).await?;
    calls(&stored, &scope, &names, &mut out).await?;
    counters(&stored, &scope, &mut out).await?;
    let mut blocks = EventBlocks::plan(&stored, &scope).await?;
    while let Some(part) = blocks.next(&stored).await {
        for block in &read_rows(EventBlock::TABLE, &part, EventBlock::read)? {
            for event in (0..block.t_ns.len()).filter_map(|row| names.event(&scope, block, row)) {
                instant(&mut out, &event)?;
                out.pass().await;
            }
        }
    }
    out.text("\n]}");
    Ok(out.rest())
}

/// Names of groups and lanes. All other events begin with a comma.
fn metadata(out: &mut Out<'_>, scope: &Scope, names: &Names<'_>) -> Result<(), ExploreError> {
    out.text("\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"CPUs\"}}");
    for (pid, name) in [(CALLS, "Calls"), (EVENTS, "Events")] {
        named(out, "process_name", pid, 0, name)?;
    }
    for cpu in scope.trace.cpus.iter().copied().filter(|cpu| scope.has_cpu(*cpu)) {
        for kind in SliceKind::ALL.iter().filter(|kind| kind.is_of_cpu() && **kind != SliceKind::Call) {
            named(out, "thread_name", CPUS, lane(cpu, kind.code()), &format!("CPU {cpu} {}", kind.lane()))?;
        }
        named(out, "thread_name", EVENTS, i64::from(cpu), &format!("CPU {cpu}"))?;
        named(out, "thread_name", CALLS, stack(Owner::Cpu(cpu)), &format!("idle task of CPU {cpu}"))?;
    }
    for (_, task) in names.tasks.iter() {
        if let Some(pid) = task.pid.filter(|pid| *pid > 0) {
            named(out, "thread_name", CALLS, stack(Owner::Pid(pid)), &title(task))?;
        }
    }
    Ok(())
}

fn named(out: &mut Out<'_>, what: &str, pid: i64, tid: i64, name: &str) -> Result<(), ExploreError> {
    out.text(",\n{\"ph\":\"M\",\"name\":\"");
    out.text(what);
    place(out, pid, tid);
    out.text("\"args\":{\"name\":");
    out.bytes.extend(answer_json(&name)?);
    out.text("}}");
    Ok(())
}

/// Ends a name, and says on which lane it is.
fn place(out: &mut Out<'_>, pid: i64, tid: i64) {
    out.text("\",\"pid\":");
    out.number(pid);
    out.text(",\"tid\":");
    out.number(tid);
    out.byte(b',');
}

fn lane(cpu: i16, kind: i16) -> i64 {
    i64::from(cpu).saturating_mul(16).saturating_add(i64::from(kind))
}

fn stack(owner: Owner) -> i64 {
    match owner {
        Owner::Pid(pid) => i64::from(pid),
        Owner::Cpu(cpu) => IDLE_TID.saturating_add(i64::from(cpu)),
    }
}

fn title(task: &Task<'_>) -> String {
    match task.pid {
        Some(pid) => format!("{}-{pid}", task.comm),
        None => task.comm.to_owned(),
    }
}

async fn slices(
    stored: &Stored,
    scope: &Scope,
    names: &Names<'_>,
    out: &mut Out<'_>,
) -> Result<(), ExploreError> {
    let mut blocks = SliceBlocks::plan(stored, scope).await?;
    while let Some(part) = blocks.next(stored).await {
        for block in read_rows(SliceBlock::TABLE, &part, SliceBlock::read)? {
            let columns = block.start_ns.iter().zip(&block.duration_ns).zip(&block.cpu);
            for (((start_ns, duration_ns), cpu), (task, symbol)) in
                columns.zip(block.task_idx.iter().zip(&block.symbol_idx))
            {
                if !(scope.window.touches(*start_ns, *duration_ns) && scope.has_cpu(*cpu)) {
                    continue;
                }
                let task = names.tasks.get(*task).map(title);
                let symbol = names.symbols.get(*symbol).map(|symbol| symbol.display());
                let name =
                    if block.kind == kind::SCHED { task.clone().or(symbol) } else { symbol.or(task.clone()) };
                let name = name.as_deref().unwrap_or(kind::name(block.kind));
                complete(
                    out,
                    name,
                    kind::name(block.kind),
                    (CPUS, lane(*cpu, block.kind)),
                    (*start_ns, *duration_ns),
                )?;
                out.pass().await;
            }
        }
    }
    Ok(())
}

async fn calls(
    stored: &Stored,
    scope: &Scope,
    names: &Names<'_>,
    out: &mut Out<'_>,
) -> Result<(), ExploreError> {
    let mut edges = CallEdges::plan(stored, scope).await?;
    while let Some(more) = edges.next(stored, scope, names).await? {
        for edge in more.iter().filter(|edge| edge.is_enter) {
            let name =
                names.symbols.get(edge.call.symbol_idx).map(|symbol| symbol.display()).unwrap_or_default();
            let times = (edge.call.start_ns, edge.call.duration_ns);
            complete(out, &name, "call", (CALLS, stack(edge.owner)), times)?;
            out.pass().await;
        }
    }
    Ok(())
}

/// `{"ph":"X","name":"cyclictest-371","cat":"sched","pid":1,"tid":17,"ts":1.500,"dur":0.250}`
fn complete(
    out: &mut Out<'_>,
    name: &str,
    category: &str,
    (pid, tid): (i64, i64),
    (start_ns, duration_ns): (i64, i64),
) -> Result<(), ExploreError> {
    out.text(",\n{\"ph\":\"X\",\"name\":");
    out.bytes.extend(answer_json(&name)?);
    out.text(",\"cat\":\"");
    out.text(category);
    place(out, pid, tid);
    out.text("\"ts\":");
    micros(out, start_ns);
    out.text(",\"dur\":");
    micros(out, duration_ns);
    out.byte(b'}');
    Ok(())
}

async fn counters(stored: &Stored, scope: &Scope, out: &mut Out<'_>) -> Result<(), ExploreError> {
    let [counter] = stored.whole([&tables::COUNTER]).await;
    let names = dictionaries::read_counters(&counter)?;
    for piece in EventBlocks::plan(stored, scope).await?.pieces(scope.window) {
        let part = stored.part(stored.touching(CounterBlock::TABLE, piece)).await;
        if !part.is_empty() {
            for block in read_rows(CounterBlock::TABLE, &part, CounterBlock::read)? {
                changes(out, scope, &names, &block, piece).await?;
            }
        }
    }
    Ok(())
}

/// `{"ph":"C","name":"CPU 1 cpu_frequency","pid":1,"ts":1.500,"args":{"kHz":1200000}}`
async fn changes(
    out: &mut Out<'_>,
    scope: &Scope,
    names: &Dictionary<Counter<'_>>,
    block: &CounterBlock,
    piece: Window,
) -> Result<(), ExploreError> {
    let columns = block.t_ns.iter().zip(&block.counter_idx).zip(&block.cpu).zip(&block.value);
    for (((t_ns, counter_idx), cpu), value) in columns {
        let Some(counter) = names.get(i32::from(*counter_idx)) else { continue };
        if !(piece.contains(*t_ns) && (*cpu < 0 || scope.has_cpu(*cpu))) {
            continue;
        }
        let unit = counter.unit.unwrap_or("value");
        let name = if *cpu < 0 { counter.name.to_owned() } else { format!("CPU {cpu} {}", counter.name) };
        out.text(",\n{\"ph\":\"C\",\"name\":");
        out.bytes.extend(answer_json(&name)?);
        out.text(",\"pid\":1,\"ts\":");
        micros(out, *t_ns);
        out.text(",\"args\":{");
        out.bytes.extend(answer_json(&unit)?);
        out.byte(b':');
        out.number(*value);
        out.text("}}");
        out.pass().await;
    }
    Ok(())
}

/// `{"ph":"i","s":"t","name":"sched_waking","pid":3,"tid":1,"ts":1.500,"args":{"comm":"sh","pid":7,"text":"..."}}`
fn instant(out: &mut Out<'_>, event: &EventParts<'_>) -> Result<(), ExploreError> {
    out.text(",\n{\"ph\":\"i\",\"s\":\"t\",\"name\":");
    out.bytes.extend(answer_json(&event.event)?);
    out.text(",\"cat\":\"event");
    place(out, EVENTS, i64::from(event.cpu));
    out.text("\"ts\":");
    micros(out, event.t_ns);
    out.text(",\"args\":{\"comm\":");
    out.bytes.extend(answer_json(&event.comm)?);
    out.text(",\"pid\":");
    out.bytes.extend(answer_json(&event.pid)?);
    out.text(",\"text\":");
    out.bytes.extend(answer_json(&event.text)?);
    out.text("}}");
    Ok(())
}

/// Microseconds with three digits after the point, as the format counts time.
fn micros(out: &mut Out<'_>, t_ns: i64) {
    if t_ns < 0 {
        out.byte(b'-');
    }
    out.padded(t_ns.unsigned_abs() / 1_000, 1);
    out.byte(b'.');
    out.padded(t_ns.unsigned_abs() % 1_000, 3);
}
