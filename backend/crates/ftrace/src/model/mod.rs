//! The normalized shapes that every format produces and every analysis consumes.

mod about;
mod diagnostic;
mod excerpt;
mod facts;
mod flags;
mod grouped;
mod idle_task;
mod limits;
mod ns;
mod priority;
mod read_error;
mod recent;
mod record;
mod similar_name;
mod sink;
mod time;

pub use about::About;
pub use diagnostic::{Code, Diagnostic, Place, Severity};
pub use excerpt::may_be_excerpt;
pub use facts::Facts;
pub use flags::Flags;
pub use grouped::grouped;
pub use idle_task::{IDLE_TASK_PREFIX, idle_task_cpu};
pub use limits::Limits;
pub use ns::Ns;
pub use priority::priority_text;
pub use read_error::{FailureClass, ReadError, Stop};
pub use recent::Recent;
pub use record::{
    CallRecord, EventKind, EventRecord, GraphPoint, LossCause, LossRecord, NoteRecord, StackKind,
    StackRecord, TaskRef,
};
pub use similar_name::is_similar_name;
pub use sink::Sink;
pub use time::{TimeOrigin, TimeUnit, Timestamp, parse_seconds};
