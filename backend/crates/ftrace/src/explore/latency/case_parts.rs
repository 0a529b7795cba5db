//! What explains cases, as it is fetched.

use super::needs::Needs;
use crate::analyses::SliceKind;
use crate::explain::{Recorded, TraceFacts};
use crate::explore::protocol::{Need, PartsByTable, Stored};
use crate::explore::request::{Params, Window};
use crate::store::decode::DecodeError;
use crate::store::read::read_rows;
use crate::store::tables;
use crate::store::tables::projections::ROLLUP_HEADER;

/// The rows around cases, and the names in them.
pub struct CaseParts(PartsByTable);

impl CaseParts {
    /// Of all that is needed, the stacks only where they are wanted.
    pub async fn fetch(stored: &Stored, needs: &Needs, has_stacks: bool) -> Self {
        Self(stored.parts_by_table(Self::needs(stored, needs, has_stacks)).await)
    }

    /// What [`Self::fetch`] fetches.
    pub fn needs(stored: &Stored, needs: &Needs, has_stacks: bool) -> Vec<Need> {
        let window = Window { start_ns: needs.start_ns, end_ns: needs.end_ns.saturating_add(1) };
        let stacks = has_stacks.then(|| stored.touching(&tables::STACK, window));
        let blocks = [
            stored.blocks(&tables::SLICE_BLOCK, &needs.slices),
            stored.numbered(&tables::EVENT_BLOCK, &needs.events),
            stored.touching(&tables::COUNTER_BLOCK, window),
        ];
        let whole = [
            &tables::LOSS,
            &tables::TASK,
            &tables::SYMBOL,
            &tables::EVENT_TYPE,
            &tables::COUNTER,
            &ROLLUP_HEADER,
        ];
        let whole = whole.map(|table| stored.all(table));
        blocks.into_iter().chain(stacks).chain(whole).collect()
    }

    /// Errors: rows that are not those of the tables that were asked for.
    pub fn recorded(&self, trace: TraceFacts) -> Result<Recorded<'_>, DecodeError> {
        Recorded::read(|table| self.0.of(table), trace)
    }

    /// What is known of the trace besides these rows. Slices that end before `known_from_ns` are not among them.
    pub fn trace_facts(&self, params: &Params, known_from_ns: i64) -> Result<TraceFacts, DecodeError> {
        let lanes = read_rows(&ROLLUP_HEADER, self.0.of(&ROLLUP_HEADER), |row| {
            row.skip("trace_key")?;
            let kind: i16 = row.int("kind")?;
            row.skip("level")?;
            Ok((kind, row.int("cpu")?))
        })?;
        let switched = lanes.into_iter().filter(|(kind, _)| *kind == SliceKind::Sched.code());
        Ok(TraceFacts {
            origin_ns: params.origin_ns(),
            time_unit: params.trace().time_unit,
            known_from_ns,
            switched_cpus: switched.map(|(_, cpu)| cpu).collect(),
            buffers: params.trace_buffers().to_vec(),
        })
    }
}
