//! How deep a graph line is: from its indentation, or from the brackets before it.

use hashbrown::HashMap;

use super::graph::GraphLine;
use super::graph_call::GraphCall;

/// A lone line that is deeper than those around it by more calls is out of its place.
const MAX_RISE: u16 = 1;
/// Calls that the kernel keeps open for a task at most (FTRACE_RETFUNC_DEPTH).
const MAX_JUMP: u16 = 50;

/// Follows both until the indentation has shown that it says something.
///
/// A file whose lines all start in the first column has lost its blanks on the way; then brackets are
/// all there is. The first deeper line shows that the blanks are there, and is believed from then on.
#[derive(Debug, Default)]
pub struct Indentation {
    is_trusted: bool,
    cpus: HashMap<u16, Cpu>,
}

/// What is known of a CPU after its last line.
#[derive(Clone, Copy, Debug, Default)]
struct Cpu {
    /// Calls that are open, by their brackets or by the indentation.
    open: u16,
    /// The same before that line, where it is less deep though what was open had not ended.
    fell_from: Option<u16>,
    /// The same before that line, where it is deeper though nothing had begun, and begins nothing itself.
    rose_over: Option<u16>,
    /// A call has begun: tracers may leave out all beginnings, but not some of them.
    has_begun: bool,
    /// Of the task, where lines say it.
    pid: Option<i32>,
}

/// The depth of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// For the call builder: with `None`, it matches brackets.
    pub trusted: Option<u16>,
    /// The best that is known.
    pub likely: u16,
    /// Deeper than calls of the kernel can be below the line before.
    is_jump: bool,
    /// Deeper than the line before has calls open. A recording may have lost what opened them.
    pub is_deeper: bool,
    /// As deep as before the last line, which was less deep, or deeper, alone: that one has lost its beginning or its end.
    is_back: bool,
}

impl Depth {
    /// Whether calls of one task on one CPU cannot follow one another like this.
    pub fn is_impossible(&self) -> bool {
        self.is_jump || self.is_back
    }
}

impl Indentation {
    /// The depth of a line on `cpu`.
    pub fn depth(&mut self, cpu: u16, line: &GraphLine<'_>) -> Depth {
        let (indented, call) = (line.depth, &line.call);
        let is_call =
            matches!(call, GraphCall::Enter { .. } | GraphCall::Leaf { .. } | GraphCall::Exit { .. });
        if is_call && indented.is_some_and(|depth| depth > 0) {
            self.is_trusted = true;
        }
        let trusted = indented.filter(|_| self.is_trusted);
        let is_first = !self.cpus.contains_key(&cpu);
        let of_cpu = self.cpus.entry(cpu).or_default();
        let pid = line.task.and_then(|task| task.pid);
        if of_cpu.pid != pid {
            of_cpu.forget();
            of_cpu.pid = pid;
        }
        let Cpu { open, fell_from, rose_over, has_begun, .. } = of_cpu;
        let is_below = |limit: u16| !is_first && indented.is_some_and(|depth| depth > limit);
        let (is_jump, is_deeper) = (is_below(open.saturating_add(MAX_JUMP)), is_below(*open));
        let is_back_up =
            is_deeper && fell_from.is_some_and(|before| indented.is_some_and(|depth| depth >= before));
        let is_back_down =
            is_call && rose_over.is_some_and(|before| trusted.is_some_and(|depth| depth <= before));
        let is_back = is_back_up || is_back_down;
        let likely = match (trusted, call) {
            (Some(depth), _) => depth,
            (None, GraphCall::Exit { .. }) => open.saturating_sub(1),
            (None, _) => *open,
        };
        if is_call {
            let is_entry = matches!(call, GraphCall::Enter { .. });
            // An end closes one call more.
            let least = open.saturating_sub(u16::from(matches!(call, GraphCall::Exit { .. })));
            let is_less = !is_entry && trusted.is_some_and(|depth| depth < least);
            *fell_from = Some(*open).filter(|_| is_less && *has_begun);
            let is_risen = line.is_indented && is_below(open.saturating_add(MAX_RISE));
            *rose_over = Some(*open).filter(|_| is_risen && !is_entry && *has_begun);
            *has_begun |= is_entry;
            *open = likely.saturating_add(u16::from(is_entry));
        } else if matches!(call, GraphCall::Elided) {
            (*fell_from, *rose_over) = (None, None);
        }
        Depth { trusted, likely, is_jump, is_deeper, is_back }
    }

    /// Another task runs on `cpu`, or records of it are missing: its calls say nothing about the next ones.
    pub fn forget(&mut self, cpu: u16) {
        if let Some(cpu) = self.cpus.get_mut(&cpu) {
            cpu.forget();
        }
    }
}

impl Cpu {
    fn forget(&mut self) {
        (self.fell_from, self.rose_over, self.has_begun) = (None, None, false);
    }
}
