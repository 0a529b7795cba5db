//! One line of ftrace text.

use super::super::filter::EventParts;
use super::call_edges::Edge;
use super::names::Names;
use super::out::Out;
use super::scope::Scope;
use crate::analyses::SliceFlags;
use crate::model::Flags;
use crate::store::read::dictionaries::Stack;

/// How the columns before the payload are written.
#[derive(Clone, Copy)]
pub struct Columns {
    /// The clock counts no seconds.
    pub counts_ticks: bool,
    /// Whether both ends of every block that is read are multiples of a microsecond.
    pub is_micros: bool,
}

impl Columns {
    /// `          <idle>-0       [001] d.h2.   166.727747: irq_handler_entry: irq=28 name=eth0`
    pub fn event(self, out: &mut Out<'_>, scope: &Scope, event: &EventParts<'_>) {
        if let Some(buffer) = event.buffer {
            clean(out, buffer);
            out.text(": ");
        }
        self.task(out, event.comm, event.pid, event.cpu);
        if event.flags.has(Flags::KNOWN) {
            out.byte(b' ');
            flags(out, event.flags);
        }
        self.time(out, scope.stamp(event.t_ns));
        match event.kind {
            "print" => out.text("tracing_mark_write: "),
            // tracefs prints only the caller and the text, which looks like an event to any reader.
            "bprint" => out.text("bprint: "),
            // `func <-parent`, `#7 context irq timer_latency 33987 ns`
            "function" | "tracer" | "unknown" => {}
            // `<stack trace>`
            _ if event.text.starts_with('<') && event.event.ends_with("_stack") => {}
            _ => {
                clean(out, event.event);
                out.text(": ");
            }
        }
        clean(out, event.text);
        out.byte(b'\n');
    }

    /// ` => do_idle`, a line for each frame.
    pub fn stack(self, out: &mut Out<'_>, stack: &Stack<'_>) {
        for frame in &stack.frames {
            out.text(" => ");
            clean(out, frame);
            out.byte(b'\n');
        }
    }

    /// `      cyclict-1213   [000]   835.160000: funcgraph_entry:                   |  do_idle() {`
    ///
    /// The layout of trace-cmd report: that of the tracer itself cuts names, and has no place for events.
    pub fn call(self, out: &mut Out<'_>, scope: &Scope, names: &Names<'_>, edge: &Edge) {
        let call = &edge.call;
        let task = names.tasks.get(call.task_idx);
        self.task(out, task.map(|task| task.comm), task.and_then(|task| task.pid), call.cpu);
        self.time(out, scope.stamp(edge.t_ns));
        if edge.is_enter {
            out.text("funcgraph_entry:                   |  ");
        } else {
            out.text("funcgraph_exit:   ");
            let duration_ns = call.duration_ns.unsigned_abs();
            out.padded(duration_ns / 1_000, 1);
            out.byte(b'.');
            out.padded(duration_ns % 1_000, 3);
            out.text(" us   |  ");
        }
        (0..call.depth.max(0)).for_each(|_| out.text("  "));
        let symbol = names.symbols.get(call.symbol_idx);
        let name = |out: &mut Out<'_>| {
            if let Some(symbol) = symbol {
                clean(out, symbol.name);
                if let Some(module) = symbol.module {
                    out.text(" [");
                    clean(out, module);
                    out.byte(b']');
                }
            }
        };
        if edge.is_enter {
            name(out);
            out.text("() {\n");
        } else {
            out.byte(b'}');
            // Nothing before it says whose end this is.
            if call.flags.has(SliceFlags::STARTED_BEFORE) || call.start_ns < scope.window.start_ns {
                out.text(" /* ");
                name(out);
                out.text(" */");
            }
            out.byte(b'\n');
        }
    }

    /// `            bash-394     [001]`
    fn task(self, out: &mut Out<'_>, comm: Option<&str>, pid: Option<i32>, cpu: i16) {
        let comm = comm.filter(|comm| !comm.is_empty()).unwrap_or("<...>");
        (comm.len()..16).for_each(|_| out.byte(b' '));
        clean(out, comm);
        out.byte(b'-');
        let before = out.bytes.len();
        out.number(i64::from(pid.unwrap_or(0)));
        (out.bytes.len().saturating_sub(before)..7).for_each(|_| out.byte(b' '));
        out.text(" [");
        out.padded(u64::from(cpu.unsigned_abs()), 3);
        out.byte(b']');
    }

    /// ` 14372.732649: `
    fn time(self, out: &mut Out<'_>, stamp: i64) {
        out.byte(b' ');
        let stamp = stamp.max(0).unsigned_abs();
        if self.counts_ticks {
            out.padded(stamp, 1);
        } else {
            out.padded(stamp / 1_000_000_000, 1);
            out.byte(b'.');
            let fraction = stamp % 1_000_000_000;
            if self.is_micros && fraction.is_multiple_of(1_000) {
                out.padded(fraction / 1_000, 6);
            } else {
                out.padded(fraction, 9);
            }
        }
        out.text(": ");
    }
}

/// `d.h2.`; with a lazy preempt depth the seven columns of kernels that have one.
///
/// Source: kernel/trace/trace_output.c (`trace_print_lat_fmt`), Linux 6.12, and RT patches of 5.x.
fn flags(out: &mut Out<'_>, flags: Flags) {
    let has = |bit| flags.has(bit);
    out.byte(match (has(Flags::IRQS_OFF), has(Flags::BH_OFF)) {
        (true, true) => b'D',
        (true, false) => b'd',
        (false, true) => b'b',
        (false, false) => b'.',
    });
    out.byte(match (has(Flags::NEED_RESCHED), has(Flags::NEED_RESCHED_LAZY), has(Flags::PREEMPT_RESCHED)) {
        (true, true, true) => b'B',
        (true, true, false) => b'b',
        (true, false, true) => b'N',
        (true, false, false) => b'n',
        (false, true, true) => b'L',
        (false, true, false) => b'l',
        (false, false, true) => b'p',
        (false, false, false) => b'.',
    });
    let is_lazy = flags.preempt_lazy_depth() > 0;
    if is_lazy {
        out.byte(b'.');
    }
    out.byte(match (has(Flags::NMI), has(Flags::HARDIRQ), has(Flags::SOFTIRQ)) {
        (true, true, _) => b'Z',
        (true, false, _) => b'z',
        (false, true, true) => b'H',
        (false, true, false) => b'h',
        (false, false, true) => b's',
        (false, false, false) => b'.',
    });
    depth(out, flags.preempt_depth());
    if is_lazy {
        depth(out, flags.preempt_lazy_depth());
    }
    depth(out, flags.migrate_disable_depth());
}

fn depth(out: &mut Out<'_>, depth: u32) {
    out.byte(match depth {
        0 => b'.',
        _ => char::from_digit(depth & 15, 16).and_then(|digit| u8::try_from(digit).ok()).unwrap_or(b'.'),
    });
}

/// Text on one line: a line of its own would be another record.
fn clean(out: &mut Out<'_>, text: &str) {
    if text.bytes().all(|byte| byte >= b' ' && byte != 0x7f || byte == b'\t') {
        return out.text(text);
    }
    let visible = |byte: u8| if byte < b' ' && byte != b'\t' || byte == 0x7f { b' ' } else { byte };
    out.bytes.extend(text.bytes().map(visible));
}
