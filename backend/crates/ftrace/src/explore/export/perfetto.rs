//! Perfetto's protobuf trace: events as ftrace bundles, from which Perfetto computes scheduling, wakeups, thread states,
//! interrupts and counters; calls as track events of their threads.
//!
//! Source: protos/perfetto/trace/trace_packet.proto and what it includes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use hashbrown::{HashMap, HashSet};

use super::super::ExploreError;
use super::super::ids::Owner;
use super::super::protocol::{Answer, Stored};
use super::ExportFormat;
use super::call_edges::CallEdges;
use super::event_blocks::EventBlocks;
use super::names::{NameTables, Names};
use super::numbering::Numbering;
use super::out::Out;
use super::perfetto_event::{TaskStates, fill, role_with_message};
use super::protobuf::Message;
use super::scope::Scope;
use crate::events::Role;
use crate::store::read::blocks::EventBlock;
use crate::store::read::dictionaries;
use crate::store::read::read_rows;
use crate::store::tables;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "perfetto",
    title: "Perfetto",
    reader: "scheduling, wakeups, interrupts, counters and calls, for ui.perfetto.dev and its trace processor",
    extension: "perfetto-trace",
    media_type: "application/octet-stream",
    is_of_calls: false,
    write: |stored, scope| Box::pin(write(stored, scope)),
};

/// The field of Trace.
const PACKET: u32 = 1;
// Fields of TracePacket.
const FTRACE_EVENTS: u32 = 1;
const PROCESS_TREE: u32 = 2;
const CLOCK_SNAPSHOT: u32 = 6;
const TIMESTAMP: u32 = 8;
const SEQUENCE_ID: u32 = 10;
const TRACK_EVENT: u32 = 11;
const INTERNED_DATA: u32 = 12;
const SEQUENCE_FLAGS: u32 = 13;
const SYSTEM_INFO: u32 = 45;
const TRACK_DESCRIPTOR: u32 = 60;

const CLOCK_MONOTONIC: u64 = 3;
/// The clock of what states none.
const CLOCK_BOOTTIME: u64 = 6;
const STATE_CLEARED: u64 = 1;
const NEEDS_STATE: u64 = 2;
const SLICE_BEGIN: u64 = 1;
const SLICE_END: u64 = 2;

/// A bundle is handed on at this size, and all of them when they have it together.
const BUNDLE_BYTES: usize = 32 << 10;
const BUNDLES_BYTES: usize = 1 << 20;

async fn write(stored: Stored, scope: Scope) -> Answer {
    let name_tables = NameTables::fetch(&stored).await;
    let names = Names::read(&name_tables)?;
    let mut out = Out::new(&stored);
    about(&mut out, &scope);
    tasks(&stored, &mut out).await?;
    events(&stored, &scope, &names, &mut out).await?;
    calls(&stored, &scope, &names, &mut out).await?;
    Ok(out.rest())
}

fn packet(out: &mut Out<'_>, fill: impl FnOnce(&mut Message)) {
    let mut trace = Message(std::mem::take(&mut out.bytes));
    trace.message(PACKET, fill);
    out.bytes = trace.0;
}

fn stamp(scope: &Scope, t_ns: i64) -> u64 {
    scope.stamp(t_ns).max(0).unsigned_abs()
}

fn about(out: &mut Out<'_>, scope: &Scope) {
    packet(out, |packet| {
        packet.message(CLOCK_SNAPSHOT, |snapshot| {
            for clock in [CLOCK_BOOTTIME, CLOCK_MONOTONIC] {
                snapshot.message(1, |one| _ = one.number(1, clock).number(2, stamp(scope, 0)));
            }
            snapshot.number(2, CLOCK_BOOTTIME);
        });
    });
    packet(out, |packet| {
        packet.message(SYSTEM_INFO, |system| {
            if let Some(release) = release(scope) {
                system.message(1, |name| _ = name.text(1, "Linux").text(3, release));
            }
            if let Some(count) = scope.recording.cpu_count {
                system.number(8, u64::from(count));
            }
        });
    });
}

fn release(scope: &Scope) -> Option<&str> {
    scope.recording.kernel.as_deref()?.split_whitespace().next()
}

/// Threads with their names. A task of which the file does not say the process is taken as one of its own.
async fn tasks(stored: &Stored, out: &mut Out<'_>) -> Result<(), ExploreError> {
    let [task] = stored.whole([&tables::TASK]).await;
    let mut known: BTreeSet<i32> = BTreeSet::new();
    let rows = read_rows(&tables::TASK, &task, |row| {
        row.skip("trace_key")?;
        row.skip("idx")?;
        let pid: Option<i32> = row.optional_int("pid")?;
        row.skip("cpu")?;
        let tgid: Option<i32> = row.optional_int("tgid")?;
        Ok((pid, tgid, row.text("comm")?))
    })?;
    packet(out, |packet| {
        packet.message(PROCESS_TREE, |tree| {
            for (pid, tgid, comm) in rows {
                let Some(pid) = pid.filter(|pid| *pid > 0 && known.insert(*pid)) else { continue };
                let tgid = tgid.unwrap_or(pid);
                if tgid == pid {
                    tree.message(1, |process| _ = process.signed(1, i64::from(pid)).text(3, comm));
                }
                tree.message(2, |thread| {
                    thread.signed(1, i64::from(pid)).text(2, comm).signed(3, i64::from(tgid));
                });
            }
        });
    });
    Ok(())
}

/// The events of each CPU that wait to be handed on.
#[derive(Default)]
struct Bundles {
    by_cpu: BTreeMap<i16, Bundle>,
    byte_count: usize,
}

#[derive(Default)]
struct Bundle {
    events: Message,
    has_lost: bool,
}

impl Bundles {
    fn flush(&mut self, out: &mut Out<'_>, cpu: i16) {
        let Some(Bundle { events, has_lost }) = self.by_cpu.remove(&cpu) else { return };
        self.byte_count = self.byte_count.saturating_sub(events.0.len());
        if events.0.is_empty() && !has_lost {
            return;
        }
        packet(out, |packet| {
            packet.message(FTRACE_EVENTS, |bundle| {
                bundle.number(1, u64::from(cpu.unsigned_abs()));
                bundle.0.extend_from_slice(&events.0);
                if has_lost {
                    bundle.number(3, 1);
                }
            });
        });
    }

    fn flush_all(&mut self, out: &mut Out<'_>) {
        while let Some((cpu, _)) = self.by_cpu.first_key_value() {
            let cpu = *cpu;
            self.flush(out, cpu);
        }
    }
}

async fn events(
    stored: &Stored,
    scope: &Scope,
    names: &Names<'_>,
    out: &mut Out<'_>,
) -> Result<(), ExploreError> {
    let mut losses = loss_ends(stored, scope).await?;
    let states = TaskStates::of_kernel(release(scope));
    let roles: HashMap<i32, Role> = names
        .types
        .iter()
        .filter_map(|(idx, event_type)| Some((idx, role_with_message(event_type)?)))
        .collect();
    let mut bundles = Bundles::default();
    let mut blocks = EventBlocks::plan(stored, scope).await?;
    while let Some(part) = blocks.next(stored).await {
        for block in &read_rows(EventBlock::TABLE, &part, EventBlock::read)? {
            let rows = block.type_idx.iter().enumerate();
            for (type_idx, event) in
                rows.filter_map(|(row, type_idx)| Some((*type_idx, names.event(scope, block, row)?)))
            {
                if lost_before(&mut losses, event.cpu, event.t_ns) {
                    bundles.flush(out, event.cpu);
                    bundles.by_cpu.entry(event.cpu).or_default().has_lost = true;
                }
                let bundle = bundles.by_cpu.entry(event.cpu).or_default();
                let before = bundle.events.0.len();
                let (stamp, role) = (stamp(scope, event.t_ns), roles.get(&i32::from(type_idx)).copied());
                bundle.events.message(2, |message| fill(message, &event, role, stamp, states));
                let after = bundle.events.0.len();
                bundles.byte_count = bundles.byte_count.saturating_add(after.saturating_sub(before));
                if after >= BUNDLE_BYTES {
                    bundles.flush(out, event.cpu);
                }
                if bundles.byte_count >= BUNDLES_BYTES {
                    bundles.flush_all(out);
                }
                out.pass().await;
            }
        }
    }
    bundles.flush_all(out);
    Ok(())
}

/// By CPU, when losses ended.
async fn loss_ends(stored: &Stored, scope: &Scope) -> Result<BTreeMap<i16, VecDeque<i64>>, ExploreError> {
    let [loss] = stored.whole([&tables::LOSS]).await;
    let mut ends: BTreeMap<i16, Vec<i64>> = BTreeMap::new();
    for loss in dictionaries::read_losses(&loss)? {
        if let Some(cpu) = loss.cpu.filter(|_| scope.window.contains(loss.end_ns)) {
            ends.entry(cpu).or_default().push(loss.end_ns);
        }
    }
    let sorted = |mut ends: Vec<i64>| {
        ends.sort_unstable();
        VecDeque::from(ends)
    };
    Ok(ends.into_iter().map(|(cpu, ends)| (cpu, sorted(ends))).collect())
}

fn lost_before(losses: &mut BTreeMap<i16, VecDeque<i64>>, cpu: i16, t_ns: i64) -> bool {
    let Some(ends) = losses.get_mut(&cpu) else { return false };
    let past = ends.partition_point(|end_ns| *end_ns <= t_ns);
    ends.drain(..past);
    past > 0
}

async fn calls(
    stored: &Stored,
    scope: &Scope,
    names: &Names<'_>,
    out: &mut Out<'_>,
) -> Result<(), ExploreError> {
    let mut edges = CallEdges::plan(stored, scope).await?;
    let mut described: HashSet<Owner> = HashSet::new();
    let mut interned = Numbering::default();
    let mut has_begun = false;
    while let Some(more) = edges.next(stored, scope, names).await? {
        for edge in more {
            if described.insert(edge.owner) {
                packet(out, |packet| {
                    packet.number(SEQUENCE_ID, 1);
                    packet.message(TRACK_DESCRIPTOR, |track| {
                        describe(track, edge.owner, names, edge.call.task_idx)
                    });
                });
            }
            let symbol_idx = edge.call.symbol_idx;
            let (number, is_new) = if edge.is_enter { interned.number(symbol_idx) } else { (0, false) };
            // An interned name has a number that is not zero.
            let name_iid = u64::from(number).saturating_add(1);
            packet(out, |packet| {
                packet.number(TIMESTAMP, stamp(scope, edge.t_ns)).number(SEQUENCE_ID, 1);
                packet.number(
                    SEQUENCE_FLAGS,
                    if has_begun { NEEDS_STATE } else { STATE_CLEARED | NEEDS_STATE },
                );
                if is_new {
                    let name =
                        names.symbols.get(symbol_idx).map(|symbol| symbol.display()).unwrap_or_default();
                    packet.message(INTERNED_DATA, |data| {
                        data.message(2, |entry| _ = entry.number(1, name_iid).text(2, &name));
                    });
                }
                packet.message(TRACK_EVENT, |event| {
                    event.number(9, if edge.is_enter { SLICE_BEGIN } else { SLICE_END });
                    if edge.is_enter {
                        event.number(10, name_iid);
                    }
                    event.number(11, uuid(edge.owner));
                });
            });
            has_begun = true;
            out.pass().await;
        }
    }
    Ok(())
}

/// The track of a thread; an idle task has none, because Perfetto could not distinguish it from those of other CPUs.
fn describe(track: &mut Message, owner: Owner, names: &Names<'_>, task_idx: i32) {
    track.number(1, uuid(owner));
    match owner {
        Owner::Pid(pid) => {
            let comm = names.tasks.get(task_idx).map_or("", |task| task.comm);
            track.message(4, |thread| {
                thread.signed(1, i64::from(pid)).signed(2, i64::from(pid)).text(5, comm);
            });
        }
        Owner::Cpu(cpu) => _ = track.text(2, &format!("swapper/{cpu} calls")),
    }
}

fn uuid(owner: Owner) -> u64 {
    match owner {
        Owner::Pid(pid) => u64::from(pid.unsigned_abs()).saturating_add(1),
        Owner::Cpu(cpu) => (1 << 40_u64) + u64::from(cpu.unsigned_abs()),
    }
}
