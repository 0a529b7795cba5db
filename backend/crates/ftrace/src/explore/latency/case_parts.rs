//! What explains cases, as it is fetched.

use super::needs::Needs;
use crate::analyses::SliceKind;
use crate::explain::{ExplainTables, TraceFacts};
use crate::explore::protocol::{Part, Stored};
use crate::explore::request::{Params, Window};
use crate::store::decode::DecodeError;
use crate::store::read::read_rows;
use crate::store::tables;
use crate::store::tables::projections::ROLLUP_HEADER;

/// The rows around cases, and the names in them.
pub struct CaseParts {
    slice_block: Part,
    event_block: Part,
    counter_block: Part,
    stack: Part,
    loss: Part,
    task: Part,
    symbol: Part,
    event_type: Part,
    counter: Part,
    rollup_header: Part,
}

impl CaseParts {
    /// Of all that is needed, the stacks only where they are wanted.
    pub async fn fetch(stored: &Stored, needs: &Needs, has_stacks: bool) -> Self {
        let window = Window { start_ns: needs.start_ns, end_ns: needs.end_ns.saturating_add(1) };
        let stack = stored.touching(&tables::STACK, window);
        let [
            slice_block,
            event_block,
            counter_block,
            stack,
            loss,
            task,
            symbol,
            event_type,
            counter,
            rollup_header,
        ] = stored
            .parts([
                stored.blocks(&tables::SLICE_BLOCK, &needs.slices),
                stored.numbered(&tables::EVENT_BLOCK, &needs.events),
                stored.touching(&tables::COUNTER_BLOCK, window),
                if has_stacks { stack } else { stored.none(&tables::STACK) },
                stored.all(&tables::LOSS),
                stored.all(&tables::TASK),
                stored.all(&tables::SYMBOL),
                stored.all(&tables::EVENT_TYPE),
                stored.all(&tables::COUNTER),
                stored.all(&ROLLUP_HEADER),
            ])
            .await;
        Self {
            slice_block,
            event_block,
            counter_block,
            stack,
            loss,
            task,
            symbol,
            event_type,
            counter,
            rollup_header,
        }
    }

    pub fn tables(&self) -> ExplainTables<'_> {
        ExplainTables {
            slice_block: &self.slice_block,
            event_block: &self.event_block,
            counter_block: &self.counter_block,
            stack: &self.stack,
            loss: &self.loss,
            task: &self.task,
            symbol: &self.symbol,
            event_type: &self.event_type,
            counter: &self.counter,
        }
    }

    /// What is known of the trace besides these rows. Slices that end before `known_from_ns` are not among them.
    pub fn trace_facts(&self, params: &Params, known_from_ns: i64) -> Result<TraceFacts, DecodeError> {
        let lanes = read_rows(&ROLLUP_HEADER, &self.rollup_header, |row| {
            row.skip("trace_key")?;
            let kind: i16 = row.int("kind")?;
            row.skip("level")?;
            Ok((kind, row.int("cpu")?))
        })?;
        let switched = lanes.into_iter().filter(|(kind, _)| *kind == SliceKind::Sched.code());
        Ok(TraceFacts {
            origin_ns: params.origin_ns(),
            known_from_ns,
            switched_cpus: switched.map(|(_, cpu)| cpu).collect(),
            buffers: params.trace_buffers().to_vec(),
        })
    }
}
