//! The subtree of one call, as a side of a comparison.

use hashbrown::HashMap;

use super::located::LocatedCall;
use super::stored_calls::{StoredCall, StoredCalls};
use crate::analyses::SliceFlags;
use crate::calls::is_interrupt_entry;
use crate::diff::{Kind, Names, Tree, TreeBuilder, TreeError};
use crate::explore::ExploreError;
use crate::store::read::dictionaries::{Dictionary, Symbol};

/// Calls of one side.
pub const MAX_NODES: usize = 500_000;

/// Entry functions that others of the same interrupt call.
const INNER_ENTRIES: &[&str] = &["gic_handle_irq", "handle_IRQ", "__do_IRQ", "timer_interrupt"];

/// What the trees of one trace are made with.
pub struct CallTrees<'c, 'd, 'a> {
    pub calls: &'c StoredCalls,
    pub symbols: &'d Dictionary<Symbol<'a>>,
    known: HashMap<i32, Function>,
}

/// A function's name, and whether an interrupt begins with it.
struct Function {
    name: String,
    is_entry: bool,
}

/// A call whose callees are being added.
struct Open<'c> {
    rest: std::slice::Iter<'c, StoredCall>,
    flags: SliceFlags,
    is_entry: bool,
    /// Where in it calls were left out is not stored: anywhere.
    is_vague: bool,
}

impl<'c, 'd, 'a> CallTrees<'c, 'd, 'a> {
    pub fn new(calls: &'c StoredCalls, symbols: &'d Dictionary<Symbol<'a>>) -> Self {
        Self { calls, symbols, known: HashMap::new() }
    }

    /// Errors: `window_too_large` above [`MAX_NODES`] calls.
    pub fn tree(&mut self, root: &LocatedCall, names: &mut Names) -> Result<Tree, ExploreError> {
        let mut builder = TreeBuilder::new(names, MAX_NODES);
        self.build(root, &mut builder).and_then(|()| builder.finish()).map_err(|error| refusal(root, &error))
    }

    fn build(&mut self, root: &LocatedCall, builder: &mut TreeBuilder<'_>) -> Result<(), TreeError> {
        builder.open(&root.symbol, Kind::Call, 0, root.duration_ns)?;
        let bare = root.symbol.split(' ').next().unwrap_or_default();
        let mut open = vec![self.open(root.number, SliceFlags(root.flags), is_entry(bare))];
        while let Some(top) = open.last_mut() {
            let Some(call) = top.rest.next() else {
                if top.is_vague || top.flags.has(SliceFlags::ELIDED_LAST) {
                    builder.elided();
                }
                builder.close()?;
                open.pop();
                continue;
            };
            if top.is_vague || call.flags.has(SliceFlags::ELIDED_BEFORE) {
                builder.elided();
            }
            let symbols = self.symbols;
            let known =
                self.known.entry(call.symbol_idx).or_insert_with(|| Function::of(symbols, call.symbol_idx));
            let began = call.flags.has(SliceFlags::IN_INTERRUPT) && !top.flags.has(SliceFlags::IN_INTERRUPT);
            let kind = if began || known.is_entry && !top.is_entry { Kind::Interrupt } else { Kind::Call };
            builder.open(&known.name, kind, call.start_ns.saturating_sub(root.t), call.duration_ns)?;
            let is_entry = known.is_entry;
            open.push(self.open(call.number, call.flags, is_entry));
        }
        Ok(())
    }

    fn open(&self, number: i32, flags: SliceFlags, is_entry: bool) -> Open<'c> {
        let callees = self.calls.children(number);
        let is_placed = flags.has(SliceFlags::ELIDED_LAST)
            || callees.iter().any(|call| call.flags.has(SliceFlags::ELIDED_BEFORE));
        let is_vague = flags.has(SliceFlags::ELIDED_CHILDREN) && !is_placed;
        Open { rest: callees.iter(), flags, is_entry, is_vague }
    }
}

impl Function {
    fn of(symbols: &Dictionary<Symbol<'_>>, symbol_idx: i32) -> Self {
        let symbol = symbols.get(symbol_idx);
        let name = symbol.map(Symbol::display).unwrap_or_default();
        Self { name, is_entry: symbol.is_some_and(|symbol| is_entry(symbol.name)) }
    }
}

/// True where an interrupt begins with this function, even inside of another interrupt.
fn is_entry(symbol: &str) -> bool {
    is_interrupt_entry(symbol.as_bytes()) && !INNER_ENTRIES.contains(&symbol)
}

fn refusal(root: &LocatedCall, error: &TreeError) -> ExploreError {
    let detail = format!("{} ({}) holds {error}; compare a call inside it", root.id, root.symbol);
    ExploreError::too_large("abnormal", detail)
}
