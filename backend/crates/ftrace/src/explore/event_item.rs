//! One event as answers show it.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::args::Args;
use super::filter::{EventParts, FLAGS};
use crate::model::Flags;

#[derive(Serialize)]
pub struct EventItem<'a> {
    seq: i64,
    t: i64,
    cpu: i16,
    /// `None` for the top buffer.
    buffer: Option<&'a str>,
    pid: Option<i32>,
    comm: Option<&'a str>,
    event: &'a str,
    /// `None` where the file has no flag column.
    flags: Option<FlagsItem>,
    args: Args<'a>,
    /// The printed arguments.
    raw: &'a str,
}

impl<'a> EventItem<'a> {
    /// An event as JSON, with its arguments as typed values.
    pub fn new(seq: i64, event: EventParts<'a>) -> Self {
        Self {
            seq,
            t: event.t_ns,
            cpu: event.cpu,
            buffer: event.buffer,
            pid: event.pid,
            comm: event.comm,
            event: event.event,
            flags: event.flags.has(Flags::KNOWN).then_some(FlagsItem(event.flags)),
            args: Args::parse(event.event, event.kind, event.text),
            raw: event.text,
        }
    }
}

/// The flags by their names, and the depths.
struct FlagsItem(Flags);

impl Serialize for FlagsItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let depths = [
            ("preempt_depth", self.0.preempt_depth()),
            ("preempt_lazy_depth", self.0.preempt_lazy_depth()),
            ("migrate_disable_depth", self.0.migrate_disable_depth()),
        ];
        let mut map = serializer.serialize_map(Some(FLAGS.len().saturating_add(depths.len())))?;
        for (name, bit) in FLAGS {
            map.serialize_entry(name, &self.0.has(*bit))?;
        }
        for (name, depth) in depths {
            map.serialize_entry(name, &depth)?;
        }
        map.end()
    }
}
