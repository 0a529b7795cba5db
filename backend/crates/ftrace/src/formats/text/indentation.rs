//! How deep a graph line is: from its indentation, or from the brackets before it.

use hashbrown::HashMap;

use super::graph_call::GraphCall;

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
    /// The same before that line, where it is a call without others in it and less deep, though nothing had ended.
    fell_from: Option<u16>,
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
    /// As deep as before the last line, which was less deep alone: that one has lost its beginning or its end.
    is_back: bool,
}

impl Depth {
    /// Whether calls of one task on one CPU cannot follow one another like this.
    pub fn is_impossible(&self) -> bool {
        self.is_jump || self.is_back
    }
}

impl Indentation {
    /// The depth of a line on `cpu` that is indented to `indented`.
    pub fn depth(&mut self, cpu: u16, indented: Option<u16>, call: &GraphCall<'_>) -> Depth {
        let is_call =
            matches!(call, GraphCall::Enter { .. } | GraphCall::Leaf { .. } | GraphCall::Exit { .. });
        if is_call && indented.is_some_and(|depth| depth > 0) {
            self.is_trusted = true;
        }
        let trusted = indented.filter(|_| self.is_trusted);
        let is_first = !self.cpus.contains_key(&cpu);
        let Cpu { open, fell_from } = self.cpus.entry(cpu).or_default();
        let is_below = |limit: u16| !is_first && indented.is_some_and(|depth| depth > limit);
        let (is_jump, is_deeper) = (is_below(open.saturating_add(MAX_JUMP)), is_below(*open));
        let is_back =
            is_deeper && fell_from.is_some_and(|before| indented.is_some_and(|depth| depth >= before));
        let likely = match (trusted, call) {
            (Some(depth), _) => depth,
            (None, GraphCall::Exit { .. }) => open.saturating_sub(1),
            (None, _) => *open,
        };
        if is_call {
            let is_less =
                matches!(call, GraphCall::Leaf { .. }) && trusted.is_some_and(|depth| depth < *open);
            *fell_from = Some(*open).filter(|_| is_less);
            *open = likely.saturating_add(u16::from(matches!(call, GraphCall::Enter { .. })));
        }
        Depth { trusted, likely, is_jump, is_deeper, is_back }
    }

    /// Another task runs on `cpu`, or records of it are missing: its calls say nothing about the next ones.
    pub fn forget(&mut self, cpu: u16) {
        if let Some(cpu) = self.cpus.get_mut(&cpu) {
            cpu.fell_from = None;
        }
    }
}
