//! What recorded events mean: names to roles, printed arguments to values.

mod boost;
mod durations;
mod fields;
mod hrtimer;
mod ipi;
mod machine;
mod measured;
mod migration;
mod number;
mod pairs;
mod preemptirq;
mod role;
mod switch;
mod syscall;
mod timer_list;
mod tracer_records;
mod wakeup;
mod work;

pub use boost::Boost;
pub use durations::{UnitSource, pair_number, quantity, stated_duration, unit_beside};
pub use hrtimer::{SLEEP_HANDLER, TICK_HANDLERS, TimerExpiry, TimerStart};
pub use ipi::{IpiPurpose, IpiSend};
pub use machine::Machine;
pub use measured::{Measured, Quantity};
pub use migration::Migration;
pub use number::{hexadecimal_number, parse_number};
pub use pairs::{Pair, field_number, leading_number, pairs};
pub use preemptirq::{Site, write_function};
pub use role::{Decoded, Interrupt, Role, decode};
pub use switch::{Switch, SwitchTask};
pub use syscall::{
    NUMBERED as NUMBERED_SYSCALL, is_time_out, name_of as syscall_name, result as syscall_result,
};
pub use timer_list::ListTimer;
pub use tracer_records::{Noise, NoiseEvent, NoiseSource, TimerlatRecord};
pub use wakeup::WakenTask;
pub use work::Work;
