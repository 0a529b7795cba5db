//! Entries of ftrace itself, as the kernel's text prints them.
//!
//! Source: kernel/trace/trace_output.c, Linux 6.12.

use std::io::Write;

use super::bprint::print_packed;
use super::btf::FunctionArgs;
use super::event_format::{EventFormat, Field, Storage};
use super::event_types::{OwnEntry, number};
use super::print_fmt::PrintContext;
use super::print_fmt::number::push_decimal;
use super::print_fmt::pointer::push_address;
use super::print_fmt::spec::PointerKind;
use super::proc_maps::ProcMaps;
use super::text_tables::Cmdlines;
use crate::model::{EventKind, TaskRef};

/// What the entries need to know of the recording.
#[derive(Clone, Copy)]
pub struct OwnContext<'c> {
    pub print: PrintContext<'c>,
    pub cmdlines: &'c Cmdlines,
    pub proc_maps: &'c ProcMaps,
    pub function_args: &'c FunctionArgs,
}

/// A record of an entry with its format.
#[derive(Clone, Copy)]
pub struct OwnRecord<'r> {
    pub format: &'r EventFormat,
    pub record: &'r [u8],
    pub context: OwnContext<'r>,
}

impl OwnRecord<'_> {
    /// Appends what the kernel's text shows and answers what kind of event that is, with its name.
    ///
    /// `None` for entries that are no events: calls and stacks.
    pub fn print(&self, entry: OwnEntry, output: &mut Vec<u8>) -> Option<(EventKind, &'static [u8])> {
        Some(match entry {
            OwnEntry::Function | OwnEntry::FunctionRepeats => {
                self.function(output);
                if entry == OwnEntry::FunctionRepeats {
                    self.repeats(output);
                }
                (EventKind::Function, b"function")
            }
            OwnEntry::Print => {
                self.marker(output);
                (EventKind::Print, b"print")
            }
            OwnEntry::Bprint => {
                self.caller(output);
                let format = self.pointed_text(b"fmt");
                let packed = self.bytes(b"buf");
                match format {
                    Some(format) => print_packed(format, packed, self.context.print, output),
                    None => self.push_hex_field(b"fmt", output),
                }
                (EventKind::Bprint, b"bprint")
            }
            OwnEntry::Bputs => {
                self.caller(output);
                match self.pointed_text(b"str") {
                    Some(text) => output.extend_from_slice(text),
                    None => self.push_hex_field(b"str", output),
                }
                (EventKind::Bprint, b"bprint")
            }
            OwnEntry::ContextSwitch => {
                self.switch(b"==>", output);
                (EventKind::Tracer, b"context_switch")
            }
            OwnEntry::Wakeup => {
                self.switch(b"  +", output);
                (EventKind::Tracer, b"wakeup")
            }
            OwnEntry::Hwlat => {
                self.hwlat(output);
                (EventKind::Tracer, b"hwlat")
            }
            OwnEntry::Osnoise => {
                self.osnoise(output);
                (EventKind::Tracer, b"osnoise")
            }
            OwnEntry::Timerlat => {
                self.timerlat(output);
                (EventKind::Tracer, b"timerlat")
            }
            OwnEntry::GraphEntry | OwnEntry::GraphExit | OwnEntry::KernelStack | OwnEntry::UserStack => {
                return None;
            }
        })
    }

    /// Appends the symbol of the address in a field.
    pub fn push_symbol(&self, field: &[u8], output: &mut Vec<u8>) {
        push_address(output, self.unsigned(field), PointerKind::Symbol, &self.context.print);
    }

    /// The number in a field; 0 where the record has none.
    pub fn signed(&self, field: &[u8]) -> i64 {
        number(self.format, field, self.record, self.context.print.order).unwrap_or(0)
    }

    /// The number in a field, as unsigned; 0 where the record has none.
    pub fn unsigned(&self, field: &[u8]) -> u64 {
        self.signed(field).cast_unsigned()
    }

    /// The bytes of a field; empty where the record has none.
    pub fn bytes(&self, field: &[u8]) -> &[u8] {
        let field = self.format.field(field);
        field.and_then(|field| field.bytes(self.record, self.context.print.order)).unwrap_or_default()
    }

    /// Appends the arguments of the function whose address is in a field; false where they are not known.
    pub fn push_args(&self, function: &[u8], output: &mut Vec<u8>) -> bool {
        let is_args = |field: &&Field| field.name == b"args" && field.storage == Storage::Rest;
        let Some(args) = self.format.fields.last().filter(is_args) else { return false };
        let registers = self.record.get(args.offset..).unwrap_or_default();
        let symbol = || self.context.print.symbol(self.unsigned(function)).map(|symbol| symbol.name);
        self.context.function_args.push(symbol, registers, output)
    }

    /// `FUNC <-PARENT`, `FUNC(ARGS) <-PARENT`
    fn function(&self, output: &mut Vec<u8>) {
        self.push_symbol(b"ip", output);
        let symbol_bytes = output.len();
        output.push(b'(');
        match self.push_args(b"ip", output) {
            true => output.push(b')'),
            false => output.truncate(symbol_bytes),
        }
        output.extend_from_slice(b" <-");
        self.push_symbol(b"parent_ip", output);
    }

    /// ` (repeats: N, delta: -D)`: when the last of them was, before this record.
    fn repeats(&self, output: &mut Vec<u8>) {
        output.extend_from_slice(b" (repeats: ");
        push_decimal(output, self.unsigned(b"count"));
        output.extend_from_slice(b", delta: -");
        let high = self.unsigned(b"top_delta_ts") << 32;
        push_decimal(output, high | self.unsigned(b"bottom_delta_ts"));
        output.push(b')');
    }

    /// The text of a marker; of a trace_printk with its caller before it.
    fn marker(&self, output: &mut Vec<u8>) {
        let mut caller = Vec::new();
        let address = self.unsigned(b"ip");
        let symbol = self.context.print.symbol(address);
        if symbol.is_some_and(|symbol| symbol.name != b"tracing_mark_write") {
            push_address(&mut caller, address, PointerKind::Symbol, &self.context.print);
            output.extend_from_slice(&caller);
            output.extend_from_slice(b": ");
        }
        let text = self.bytes(b"buf");
        let length = memchr::memchr(0, text).unwrap_or(text.len());
        output.extend_from_slice(text.get(..length).unwrap_or_default());
    }

    fn caller(&self, output: &mut Vec<u8>) {
        self.push_symbol(b"ip", output);
        output.extend_from_slice(b": ");
    }

    /// The kernel's string that a field points at.
    fn pointed_text(&self, field: &[u8]) -> Option<&[u8]> {
        self.context.print.printk_formats?.find(self.unsigned(field))
    }

    fn push_hex_field(&self, field: &[u8], output: &mut Vec<u8>) {
        push_address(output, self.unsigned(field), PointerKind::Address, &self.context.print);
    }

    /// `  5882: 94:R   + [002]     0:120:R sleep`
    fn switch(&self, arrow: &[u8], output: &mut Vec<u8>) {
        let state = |name: &[u8]| {
            let state = self.unsigned(name);
            let letters = b"RSDTtXZPI";
            letters
                .get(usize::try_from(state).unwrap_or(usize::MAX))
                .map_or('?', |letter| char::from(*letter))
        };
        let next_pid = self.signed(b"next_pid");
        // Writing to memory cannot fail.
        let _ = write!(
            output,
            "{:5}:{:3}:{} {} [{:03}] {:5}:{:3}:{} ",
            self.signed(b"prev_pid"),
            self.signed(b"prev_prio"),
            state(b"prev_state"),
            String::from_utf8_lossy(arrow),
            self.signed(b"next_cpu"),
            next_pid,
            self.signed(b"next_prio"),
            state(b"next_state"),
        );
        let comm = i32::try_from(next_pid).map_or(&b""[..], |pid| self.context.cmdlines.name(pid));
        output.extend_from_slice(if comm.is_empty() { b"<...>" } else { comm });
    }

    /// `#7     inner/outer(us):   12/14    ts:1700000000.000000001 count:1`
    fn hwlat(&self, output: &mut Vec<u8>) {
        let _ = write!(
            output,
            "#{:<5} inner/outer(us): {:4}/{:<5} ts:{}.{:09}",
            self.unsigned(b"seqnum"),
            self.unsigned(b"duration"),
            self.unsigned(b"outer_duration"),
            self.signed(b"tv_sec"),
            self.signed(b"tv_nsec"),
        );
        if self.format.field(b"count").is_some() {
            let _ = write!(output, " count:{}", self.signed(b"count"));
        }
        if self.unsigned(b"nmi_count") > 0 {
            let _ = write!(output, " nmi-total:{}", self.unsigned(b"nmi_total_ts"));
            let _ = write!(output, " nmi-count:{}", self.unsigned(b"nmi_count"));
        }
    }

    /// `1000000     187   99.98130      23      0     0    5     3     0`
    fn osnoise(&self, output: &mut Vec<u8>) {
        let (runtime, noise) = (self.unsigned(b"runtime"), self.unsigned(b"noise"));
        let available = runtime.saturating_sub(noise).saturating_mul(10_000_000);
        let ratio = available.checked_div(runtime).unwrap_or(0);
        let _ = write!(
            output,
            "{runtime} {noise:10} {:3}.{:05} {:7}",
            ratio / 100_000,
            ratio % 100_000,
            self.unsigned(b"max_sample")
        );
        for count in [&b"hw_count"[..], b"nmi_count", b"irq_count", b"softirq_count", b"thread_count"] {
            let _ = write!(output, " {:6}", self.unsigned(count));
        }
    }

    /// `#7     context    irq timer_latency     33987 ns`
    fn timerlat(&self, output: &mut Vec<u8>) {
        let context = match self.signed(b"context") {
            0 => "irq",
            1 => "thread",
            2 => "user-ret",
            _ => "?",
        };
        let _ = write!(
            output,
            "#{:<5} context {context:>6} timer_latency {:9} ns",
            self.unsigned(b"seqnum"),
            self.unsigned(b"timer_latency"),
        );
    }

    /// `/lib/libc.so.6[+0x29d90]` where the file says what the process had mapped there, `<00007f...>` elsewhere.
    pub fn push_user_address(&self, address: u64, task: TaskRef<'_>, output: &mut Vec<u8>) {
        let process = number(self.format, b"tgid", self.record, self.context.print.order);
        let process = process.and_then(|pid| i32::try_from(pid).ok()).or(task.tgid).or(task.pid);
        match process.and_then(|pid| self.context.proc_maps.find(pid, address)) {
            Some((file, offset)) => {
                output.extend_from_slice(file);
                output.extend_from_slice(format!("[+{offset:#x}]").as_bytes());
            }
            None => output.extend_from_slice(format!("<{address:016x}>").as_bytes()),
        }
    }

    /// The return addresses of a stack entry, innermost first.
    pub fn frames(&self) -> Vec<u64> {
        let (order, long_bytes) = (self.context.print.order, self.context.print.long_bytes);
        let Some(field) = self.format.field(b"caller") else { return Vec::new() };
        // The array is as long as the stack, whatever size its declaration has.
        let bytes = match field.storage {
            Storage::Array | Storage::Rest => self.record.get(field.offset..).unwrap_or_default(),
            _ => self.bytes(b"caller"),
        };
        let limit = match number(self.format, b"size", self.record, order) {
            Some(count) => usize::try_from(count).unwrap_or(0),
            None => usize::MAX,
        };
        // All ones end a stack of old kernels, zeros fill one of user space.
        let last = if long_bytes == 4 { u64::from(u32::MAX) } else { u64::MAX };
        let frames = bytes.chunks_exact(long_bytes.max(1)).take(limit);
        frames
            .map_while(|frame| order.load(frame, 0, long_bytes))
            .take_while(|address| *address != last && *address != 0)
            .collect()
    }
}
