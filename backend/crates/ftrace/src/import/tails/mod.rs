//! The tail profile: of all samples of each kind, what took their time, by how long they took.
//!
//! Slices come in at their ends, and a sample at its own, while a slice that covers both may still be open. So
//! slices wait until as many again have come, are swept as an explanation sweeps those around one case, and are kept
//! as stretches of time with one holder each; a sample is what its CPUs' stretches held between its ends. What a
//! later slice says of time that was swept is lost: but for running tasks and idle states, which are known from
//! their beginnings on, that takes a slice longer than all that is waiting.

mod cpu;
mod holder;
mod marks;
mod mechanism;
mod moves;
#[cfg(test)]
mod oracle_tests;
mod stages;
mod sums;
mod timeline;

use std::collections::VecDeque;

use hashbrown::HashMap;

use self::cpu::Cpu;
use self::holder::Holders;
use self::marks::{Instant, Marks};
use self::moves::Moves;
use self::stages::{Stage, stages};
use self::sums::{Share, Sums};
use super::tasks::Tasks;
use super::{narrow, stored};
use crate::analyses::{Cause, Event, Gap, Sample, SampleFlags, Slice, Subject};
use crate::events::{Decoded, Switch};
use crate::explain::route::is_stopper_comm;
use crate::explain::{Case, Kind, Leg};
use crate::kinds::KINDS;
use crate::model::ReadError;
use crate::store::writer::TableWriter;

/// Slices and samples are settled after this many more have come in.
const SETTLED_TOGETHER: usize = 1 << 14;

/// The tail profiles of one trace in the making.
pub struct Tails {
    cpus: HashMap<u16, Cpu>,
    holders: Holders,
    moves: Moves,
    marks: Marks,
    pending: VecDeque<Pending>,
    sums: Sums,
    /// Those of the sample that is being counted.
    shares: Vec<Share>,
    /// What has come in since `mark_ns`.
    since_mark: usize,
    mark_ns: i64,
    now_ns: i64,
    is_due: bool,
    /// By number of the kind.
    profiled: Vec<Option<&'static dyn Kind>>,
}

/// A sample whose CPUs are not settled yet.
struct Pending {
    kind: &'static dyn Kind,
    duration_ns: i64,
    end_ns: i64,
    /// Whose sample it is, where the kind is about tasks.
    subject: Option<u32>,
    /// The task whose own work is no delay.
    own_task: Option<u32>,
    prio: Option<i16>,
    /// From when on its task wanted a CPU, if it did.
    waits_from_ns: Option<i64>,
    /// A tracer's own number.
    is_reported: bool,
    leg: Leg<Option<i16>>,
    further_legs: Vec<Leg<Option<i16>>>,
    stages: Vec<Stage>,
}

impl Pending {
    /// Its CPUs one after the other, cut where it begins to wait for one, and whether it waits.
    fn stretches(&self) -> impl Iterator<Item = (Leg<Option<i16>>, bool)> {
        let cut =
            |leg: &Leg<_>| self.waits_from_ns.map_or(leg.end_ns, |t_ns| t_ns.clamp(leg.start_ns, leg.end_ns));
        let legs = std::iter::once(&self.leg).chain(&self.further_legs);
        let halves = legs.flat_map(move |leg| {
            let cut_ns = cut(leg);
            [(Leg { end_ns: cut_ns, ..*leg }, false), (Leg { start_ns: cut_ns, ..*leg }, true)]
        });
        halves.filter(|(leg, _)| leg.start_ns < leg.end_ns)
    }
}

impl Default for Tails {
    fn default() -> Self {
        Self {
            cpus: HashMap::new(),
            holders: Holders::default(),
            moves: Moves::default(),
            marks: Marks::default(),
            pending: VecDeque::new(),
            sums: Sums::default(),
            shares: Vec::new(),
            since_mark: 0,
            mark_ns: i64::MIN,
            now_ns: i64::MIN,
            is_due: false,
            profiled: profiled(),
        }
    }
}

/// The kinds that have profiles, by their numbers.
fn profiled() -> Vec<Option<&'static dyn Kind>> {
    let mut profiled: Vec<Option<&'static dyn Kind>> = Vec::new();
    for kind in KINDS.iter().copied().filter(|kind| kind.why_unprofiled().is_none()) {
        let code = usize::try_from(kind.latency().code).unwrap_or_default();
        profiled.resize(profiled.len().max(code.saturating_add(1)), None);
        if let Some(place) = profiled.get_mut(code) {
            *place = Some(kind);
        }
    }
    profiled
}

impl Tails {
    /// Takes note of what an event says of tasks and CPUs, before analyses conclude anything from it.
    pub fn event(&mut self, event: &Event<'_>) {
        let at = self.marks.event(event);
        match &event.decoded {
            Decoded::Switch(switch) => self.switch(event, switch, at),
            Decoded::CpuIdle { state } => {
                self.cpus.entry(event.cpu).or_default().idle_since_ns = state.map(|_| event.t_ns.0);
            }
            _ => self.moves.event(event, at),
        }
    }

    fn switch(&mut self, event: &Event<'_>, switch: &Switch<'_>, at: Instant) {
        let cpu = self.cpus.entry(event.cpu).or_default();
        if cpu.running.is_none() && switch.prev.pid != 0 && event.known_since_ns < event.t_ns {
            let since = Instant { t_ns: event.known_since_ns.0, ..at };
            self.moves.ran(switch.prev.pid, event.cpu, since, event.t_ns.0);
        }
        if is_stopper_comm(switch.prev.comm) {
            cpu.stopped(event.t_ns.0);
        }
        let prio = switch.next.prio.and_then(|prio| i16::try_from(prio).ok());
        cpu.switch(event.t_ns.0, switch.next.pid, prio);
        if switch.next.pid != 0 {
            self.moves.switch(switch.next.pid, prio, event.cpu, at);
        }
    }

    /// Records of a CPU are missing.
    pub fn gap(&mut self, gap: Gap) {
        let Some(cpu) = self.cpus.get_mut(&gap.cpu) else { return };
        if let Some(running) = cpu.forget_open().filter(|running| running.since_ns >= gap.start_ns.0) {
            // Of a run that is lost as it begins, nothing is known.
            self.moves.forget_switch(running.pid, running.since_ns);
        }
    }

    /// Events of a CPU were lost in [start, end).
    pub fn loss(&mut self, cpu: u16, start_ns: i64, end_ns: i64) {
        self.cpus.entry(cpu).or_default().lose(start_ns, end_ns);
        self.came(end_ns);
    }

    /// Takes what had a CPU, for the cases that it may lie in.
    pub fn slice(&mut self, slice: &Slice<'_>, tasks: &Tasks) {
        let Some(cause) = Cause::of_slice(slice.kind, slice.depth, slice.flags) else { return };
        let is_idle_task = slice.task.is_some_and(|task| tasks.pid(task) == Some(0));
        self.cpus.entry(slice.cpu).or_default().add(slice, cause, is_idle_task);
        self.came(slice.end_ns().0);
    }

    /// A slice that is a sample of a kind.
    pub fn slice_sample(&mut self, code: i16, slice: &Slice<'_>, tasks: &Tasks) {
        let flags = SampleFlags::of(slice.flags);
        let cpu = narrow(slice.cpu);
        self.add(code, (slice.start_ns.0, slice.duration_ns.0), (cpu, cpu), slice.task, flags, tasks);
    }

    /// Takes a case, which is summed up once all that lies in it is known.
    pub fn sample(&mut self, sample: &Sample, tasks: &Tasks) {
        let cpus = (narrow(sample.start_cpu.unwrap_or(sample.cpu)), narrow(sample.cpu));
        let times = (sample.start_ns.0, sample.duration_ns.0);
        self.add(sample.kind.code, times, cpus, sample.task, sample.flags, tasks);
    }

    fn add(
        &mut self,
        code: i16,
        (start_ns, duration_ns): (i64, i64),
        (start_cpu, cpu): (i16, i16),
        task: Option<u32>,
        flags: SampleFlags,
        tasks: &Tasks,
    ) {
        let Some(kind) = self.profiled.get(usize::try_from(code).unwrap_or(usize::MAX)).copied().flatten()
        else {
            return;
        };
        if flags.has(SampleFlags::NUMBER) {
            return;
        }
        let pid = task.and_then(|task| tasks.pid(task)).filter(|pid| *pid != 0);
        let case = Case {
            kind,
            start_ns,
            duration_ns,
            cpu,
            start_cpu,
            task_idx: task.map_or(-1, stored),
            symbol_idx: -1,
            pid,
            comm: None,
            key: None,
            flags,
            sleep_ns: None,
            frequency_khz: None,
            idle_state: None,
        };
        let end_ns = case.end_ns();
        let stopped_ns = || {
            let is_elsewhere = case.start_cpu != case.cpu;
            let cpu = u16::try_from(case.start_cpu).ok().filter(|_| is_elsewhere)?;
            self.cpus.get(&cpu)?.stopped_ns(case.start_ns, end_ns)
        };
        let (leg, further_legs) = self.moves.legs(&case, stopped_ns);
        let stages = stages(&case, pid.and_then(|pid| self.moves.steps(pid)), &self.marks);
        self.pending.push_back(Pending {
            kind,
            duration_ns,
            end_ns,
            subject: task.filter(|_| kind.latency().subject == Subject::Task),
            own_task: task.filter(|_| kind.is_of_task()),
            prio: pid.and_then(|pid| self.moves.prio(pid)),
            waits_from_ns: self.moves.waits_from_ns(&case),
            is_reported: flags.has(SampleFlags::REPORTED),
            leg,
            further_legs,
            stages,
        });
        self.came(end_ns);
    }

    fn came(&mut self, end_ns: i64) {
        self.now_ns = self.now_ns.max(end_ns);
        self.since_mark = self.since_mark.saturating_add(1);
        self.is_due |= self.since_mark >= SETTLED_TOGETHER;
    }

    /// Where enough has come in, settles what had come in when this was due the last time.
    pub fn settle_what_is_due(&mut self, tasks: &Tasks) {
        if !std::mem::take(&mut self.is_due) {
            return;
        }
        self.since_mark = 0;
        let until_ns = std::mem::replace(&mut self.mark_ns, self.now_ns);
        self.settle(Some(until_ns), tasks);
    }

    /// Everything up to a time, or all there is.
    fn settle(&mut self, until_ns: Option<i64>, tasks: &Tasks) {
        for cpu in self.cpus.values_mut() {
            cpu.settle(until_ns, &mut self.holders, tasks);
        }
        while self
            .pending
            .front()
            .is_some_and(|sample| until_ns.is_none_or(|until_ns| sample.end_ns <= until_ns))
            && let Some(sample) = self.pending.pop_front()
        {
            self.count(&sample, tasks);
        }
        let most = timeline::MAX_STRETCHES.checked_div(self.cpus.len()).unwrap_or(0);
        for cpu in self.cpus.values_mut() {
            cpu.timeline.forget(most);
        }
    }

    fn count(&mut self, sample: &Pending, tasks: &Tasks) {
        let Self { cpus, holders, shares, .. } = self;
        shares.clear();
        // What a report of a latency tracer says is read from its records when it is explained.
        let is_report =
            sample.is_reported && (sample.kind.waits_for_cpu() || sample.kind.slice_kind().is_some());
        let own = (sample.own_task, sample.kind.unrecorded());
        for (leg, waits) in sample.stretches() {
            let cpu = leg.cpu.and_then(|cpu| u16::try_from(cpu).ok()).and_then(|cpu| cpus.get(&cpu));
            let Some(cpu) = cpu.filter(|_| !is_report) else {
                shares.push(Share::unknown(leg.end_ns.saturating_sub(leg.start_ns)));
                continue;
            };
            let waits = waits.then_some(sample.prio);
            cpu.between(leg.start_ns, leg.end_ns, sample.is_reported, |part| {
                shares.push(match holders.get(part.occupant) {
                    Some(holder) => Share::of(holder, part.duration_ns, own, waits),
                    None => Share::other(part.duration_ns),
                });
            });
        }
        sums::merge(shares);
        let of = (sample.kind.latency(), sample.subject);
        self.sums.add(of, sample.duration_ns, &self.shares, &sample.stages, tasks);
    }

    /// Settles and writes everything; no slice or sample comes after this.
    pub fn write(
        &mut self,
        tasks: &Tasks,
        symbol: impl Fn(u32) -> Option<Vec<u8>>,
        writer: &mut TableWriter<'_>,
    ) -> Result<(), ReadError> {
        self.settle(None, tasks);
        std::mem::take(&mut self.sums).write(tasks, symbol, writer)
    }
}
