//! The names behind the indices of blocks.

use super::super::ExploreError;
use super::super::filter::EventParts;
use super::super::protocol::{Part, Stored};
use super::scope::Scope;
use crate::model::Flags;
use crate::store::read::blocks::EventBlock;
use crate::store::read::dictionaries::{self, Dictionary, EventType, Symbol, Task};
use crate::store::tables;

/// Rows of the dictionaries.
pub struct NameTables {
    task: Part,
    event_type: Part,
    symbol: Part,
}

impl NameTables {
    /// The rows of the three dictionaries; [`Names::read`] decodes them.
    pub async fn fetch(stored: &Stored) -> Self {
        let [task, event_type, symbol] =
            stored.whole([&tables::TASK, &tables::EVENT_TYPE, &tables::SYMBOL]).await;
        Self { task, event_type, symbol }
    }
}

pub struct Names<'a> {
    pub tasks: Dictionary<Task<'a>>,
    pub types: Dictionary<EventType<'a>>,
    pub symbols: Dictionary<Symbol<'a>>,
}

impl<'a> Names<'a> {
    /// Errors: rows that are not those of the dictionaries' tables.
    pub fn read(tables: &'a NameTables) -> Result<Self, ExploreError> {
        Ok(Self {
            tasks: dictionaries::read_tasks(&tables.task)?,
            types: dictionaries::read_event_types(&tables.event_type)?,
            symbols: dictionaries::read_symbols(&tables.symbol)?,
        })
    }

    /// The event in a row of a block; `None` where it is outside of what is exported.
    pub fn event<'b>(
        &'b self,
        scope: &'b Scope,
        block: &'b EventBlock<'_>,
        row: usize,
    ) -> Option<EventParts<'b>> {
        let (t_ns, cpu) = (*block.t_ns.get(row)?, *block.cpu.get(row)?);
        if !(scope.window.contains(t_ns) && scope.has_cpu(cpu)) {
            return None;
        }
        let task = self.tasks.get(*block.task_idx.get(row)?);
        let event_type = self.types.get(i32::from(*block.type_idx.get(row)?));
        let buffer = usize::try_from(*block.buffer.get(row)?).ok();
        Some(EventParts {
            t_ns,
            cpu,
            buffer: buffer.and_then(|idx| scope.trace.buffers.get(idx)).and_then(Option::as_deref),
            pid: task.and_then(|task| task.pid),
            comm: task.map(|task| task.comm),
            event: event_type.map_or("", |event_type| event_type.name),
            kind: event_type.map_or("", |event_type| event_type.kind),
            flags: Flags(block.flags.get(row)?.cast_unsigned()),
            text: block.args.get(row).copied()?,
        })
    }
}
