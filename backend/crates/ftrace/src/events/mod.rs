//! What recorded events mean: names to roles, printed arguments to values.

mod fields;
mod hrtimer;
mod preemptirq;
mod role;
mod switch;
mod syscall;
mod tracer_records;
mod wakeup;

pub use hrtimer::{TimerExpiry, TimerStart};
pub use preemptirq::{Site, write_function};
pub use role::{Decoded, Interrupt, Role, decode};
pub use switch::{Switch, SwitchTask};
pub use syscall::name_of as syscall_name;
pub use tracer_records::{Noise, NoiseEvent, NoiseSource, TimerlatRecord};
pub use wakeup::WakenTask;
