//! The names of softirq vectors.

use super::Emit;
use crate::model::ReadError;

/// Source: `softirq_to_name` in kernel/softirq.c, Linux 6.12.
const VECTORS: &[&str] =
    &["HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"];

/// The name of a vector, for every analysis that shows one.
pub fn symbol_of(vector: i64, action: &[u8], emit: &mut dyn Emit) -> Result<u32, ReadError> {
    let known = usize::try_from(vector).ok().and_then(|vector| VECTORS.get(vector));
    match known {
        _ if !action.is_empty() => emit.symbol(action),
        Some(name) => emit.symbol(name.as_bytes()),
        None => emit.symbol(format!("softirq {vector}").as_bytes()),
    }
}
