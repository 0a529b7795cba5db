//! Stretches on a CPU in which interrupts, or preemption, are off.
//!
//! The kernel records only the outermost ends, so that they alternate on a CPU: a second `*_disable` means
//! that the `*_enable` between them was not recorded. Source: kernel/trace/trace_preemptirq.c, Linux 6.12.
//!
//! A CPU that idles keeps nobody waiting, although it often does so with both off. As the kernel's own
//! tracer, which stops its clock there, the idle part is cut out of a section, and both pieces are measured.

use hashbrown::HashMap;

use super::{Emit, Event, Gap, IncompleteReason, LatencyKind, Slice, SliceFlags, SliceKind, TraceEnd};
use crate::events::Site;
use crate::model::{Code, Ns, ReadError};

/// The sections of one kind on every CPU.
pub struct OffSections {
    kind: SliceKind,
    latency: &'static LatencyKind,
    cpus: HashMap<u16, Cpu>,
    label: Vec<u8>,
}

#[derive(Default)]
struct Cpu {
    /// An end of a section was seen, so that it is known whether one is open.
    is_known: bool,
    open: Option<Open>,
    /// The places of the open section's ends, as they are stored.
    args: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Open {
    start_ns: Ns,
    symbol: u32,
    task: Option<u32>,
    /// The CPU idles; what came before is already measured.
    is_paused: bool,
}

impl OffSections {
    pub fn new(kind: SliceKind, latency: &'static LatencyKind) -> Self {
        Self { kind, latency, cpus: HashMap::new(), label: Vec::new() }
    }

    /// A section begins. One that was open has no known end, unless idling had paused it.
    pub fn switch_off(
        &mut self,
        event: &Event<'_>,
        site: &Site<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        self.label.clear();
        site.write(&mut self.label);
        let symbol = emit.symbol(&self.label)?;
        let cpu = self.cpus.entry(event.cpu).or_default();
        cpu.is_known = true;
        cpu.args.clear();
        write_site(&mut cpu.args, site, b"caller=", b" parent=");
        let open = Open { start_ns: event.t_ns, symbol, task: event.task, is_paused: false };
        match cpu.open.replace(open) {
            // The end of a section that idling cuts is not always recorded.
            Some(before) if !before.is_paused => {
                emit.incomplete(self.latency, IncompleteReason::NoEnd);
                emit.diagnostic(Code::UnpairedEvent)
            }
            _ => Ok(()),
        }
    }

    /// The open section ends, as a slice. Without one, its beginning was not recorded.
    pub fn switch_on(
        &mut self,
        event: &Event<'_>,
        site: &Site<'_>,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let cpu = self.cpus.entry(event.cpu).or_default();
        let was_known = std::mem::replace(&mut cpu.is_known, true);
        match cpu.open.take() {
            Some(open) if open.is_paused => Ok(()),
            Some(open) => {
                write_site(&mut cpu.args, site, b" end_caller=", b" end_parent=");
                emit.slice(&open.slice(self.kind, event.cpu, event.t_ns, &cpu.args))
            }
            None => {
                emit.incomplete(self.latency, IncompleteReason::NoStart);
                if was_known { emit.diagnostic(Code::UnpairedEvent) } else { Ok(()) }
            }
        }
    }

    /// Takes back the section that is open, because it is not known how long of it the CPU idled.
    pub fn give_up(&mut self, cpu: u16, emit: &mut dyn Emit) {
        if let Some(cpu) = self.cpus.get_mut(&cpu) {
            cpu.is_known = true;
            if cpu.open.take().is_some_and(|open| !open.is_paused) {
                emit.incomplete(self.latency, IncompleteReason::NoEnd);
            }
        }
    }

    /// The CPU begins to idle.
    pub fn pause(&mut self, cpu: u16, t_ns: Ns, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Some(Cpu { open: Some(open), args, .. }) = self.cpus.get_mut(&cpu) else { return Ok(()) };
        if open.is_paused {
            return Ok(());
        }
        open.is_paused = true;
        emit.slice(&open.slice(self.kind, cpu, t_ns, args))
    }

    /// The CPU continues after idling, with this task.
    pub fn resume(&mut self, cpu: u16, t_ns: Ns, task: Option<u32>) {
        if let Some(Cpu { open: Some(open), .. }) = self.cpus.get_mut(&cpu)
            && open.is_paused
        {
            *open = Open { start_ns: t_ns, task, is_paused: false, ..*open };
        }
    }

    /// Where the open section of `cpu` began, if it did not begin before the last pause.
    pub fn open_caller(&self, cpu: u16) -> Option<&[u8]> {
        let cpu = self.cpus.get(&cpu)?;
        cpu.open.as_ref().filter(|open| !open.is_paused)?;
        cpu.args.strip_prefix(b"caller=")
    }

    /// Cuts the open section of the CPU that lost events. Until its next end is seen, its state is unknown.
    pub fn gap(&mut self, gap: Gap, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match self.cpus.remove(&gap.cpu) {
            Some(state) => self.cut(gap.cpu, &state, gap.start_ns, SliceFlags::HAS_GAP, emit),
            None => Ok(()),
        }
    }

    /// Cuts the sections that are still open, each at its CPU's last record, in the order of CPUs.
    pub fn finish(&mut self, end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let mut cpus: Vec<_> = std::mem::take(&mut self.cpus).into_iter().collect();
        cpus.sort_unstable_by_key(|(cpu, _)| *cpu);
        for (cpu, state) in cpus {
            let last_ns = end.cpus.get(&cpu).copied().unwrap_or(end.t_ns);
            self.cut(cpu, &state, last_ns, SliceFlags::CUT_AT_END, emit)?;
        }
        Ok(())
    }

    fn cut(
        &self,
        cpu: u16,
        state: &Cpu,
        t_ns: Ns,
        flags: SliceFlags,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        match state.open {
            Some(open) if !open.is_paused => {
                emit.slice(&Slice { flags, ..open.slice(self.kind, cpu, t_ns, &state.args) })
            }
            _ => Ok(()),
        }
    }
}

impl Open {
    fn slice<'a>(&self, kind: SliceKind, cpu: u16, end_ns: Ns, args: &'a [u8]) -> Slice<'a> {
        let slice = Slice::new(kind, cpu, self.start_ns, end_ns);
        Slice { task: self.task, symbol: Some(self.symbol), args, ..slice }
    }
}

fn write_site(args: &mut Vec<u8>, site: &Site<'_>, caller: &[u8], parent: &[u8]) {
    for part in [caller, site.caller, parent, site.parent] {
        args.extend_from_slice(part);
    }
}
