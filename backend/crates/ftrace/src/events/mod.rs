//! What recorded events mean: names to roles, printed arguments to values.

mod fields;
mod role;
mod switch;
mod wakeup;

pub use role::{Decoded, Interrupt, Role, decode};
pub use switch::{Switch, SwitchTask};
pub use wakeup::WakenTask;
