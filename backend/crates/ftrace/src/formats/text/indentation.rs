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
    /// Calls that are open by their brackets only, per CPU.
    open: HashMap<u16, u16>,
}

/// The depth of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// For the call builder: with `None`, it matches brackets.
    pub trusted: Option<u16>,
    /// The best that is known.
    pub likely: u16,
    /// Deeper than calls of the kernel can be below the line before.
    pub is_jump: bool,
    /// Deeper than the line before has calls open. A recording may have lost what opened them.
    pub is_deeper: bool,
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
        let is_first = !self.open.contains_key(&cpu);
        let open = self.open.entry(cpu).or_default();
        let is_below = |limit: u16| !is_first && indented.is_some_and(|depth| depth > limit);
        let (is_jump, is_deeper) = (is_below(open.saturating_add(MAX_JUMP)), is_below(*open));
        let likely = match (trusted, call) {
            (Some(depth), _) => depth,
            (None, GraphCall::Exit { .. }) => open.saturating_sub(1),
            (None, _) => *open,
        };
        if is_call {
            *open = likely.saturating_add(u16::from(matches!(call, GraphCall::Enter { .. })));
        }
        Depth { trusted, likely, is_jump, is_deeper }
    }
}
