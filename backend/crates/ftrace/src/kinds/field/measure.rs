//! Durations that events state in their fields: those of unknown probes, and the
//! scheduler's and the block layer's statistics.

use hashbrown::HashMap;
use hashbrown::hash_map::EntryRef;

use super::{KIND, VOLUNTARY, WAIT};
use crate::analyses::stated::contradiction;
use crate::analyses::{Analysis, Emit, Event, IncompleteReason, Sample};
use crate::events::{Decoded, field_number, pairs, quantity, stated_duration, unit_beside};
use crate::model::{Limits, Ns, ReadError, TaskRef};

pub fn start(limits: &Limits) -> Box<dyn Analysis> {
    Box::new(Fields { max_types: limits.max_event_formats, field_count: 0, types: HashMap::new() })
}

/// Series in one trace.
const MAX_FIELDS: usize = 64;
/// Events of a type that are looked at for fields: one name may stand for several forms.
const LOOKED_AT: u8 = 64;
/// Values without a fall after which a field is taken to be a point in time.
const MAX_RISES: usize = 16;

struct Fields {
    max_types: usize,
    field_count: usize,
    types: HashMap<Box<str>, EventType>,
}

#[derive(Default)]
struct EventType {
    looked_at: u8,
    fields: Vec<Field>,
}

struct Field {
    name: Box<str>,
    unit_ns: i64,
    proof: Proof,
}

/// Whether the values are durations.
enum Proof {
    /// They are, under this name. It is interned as late as this, so that each of these names has samples.
    Given(u32),
    /// Only their unit says so. They are held back until one is smaller than the one before it.
    Open(Vec<Sample>),
    /// They only grow, as points in time do.
    Failed,
}

impl EventType {
    /// Finds fields that earlier events did not have.
    fn look(
        &mut self,
        event: &str,
        text: &str,
        room: usize,
        emit: &mut dyn Emit,
    ) -> Result<usize, ReadError> {
        self.looked_at = self.looked_at.saturating_add(1);
        let before = self.fields.len();
        let unit_beside_ns = unit_beside(event, text);
        for pair in pairs(event, text) {
            let is_known = self.fields.iter().any(|field| *field.name == *pair.name);
            let found = self.fields.len().saturating_sub(before);
            if is_known || found >= room {
                continue;
            }
            if let Some(stated) = stated_duration(&pair, unit_beside_ns) {
                let proof = match stated.is_named {
                    true => Proof::Given(emit.symbol(qualified(event, pair.name).as_bytes())?),
                    false => Proof::Open(Vec::new()),
                };
                self.fields.push(Field { name: pair.name.into(), unit_ns: stated.unit_ns, proof });
            }
        }
        Ok(self.fields.len().saturating_sub(before))
    }
}

/// `sched_stat_runtime.runtime`
fn qualified(event: &str, field: &str) -> String {
    format!("{event}.{field}")
}

impl Field {
    fn read(
        &mut self,
        event: &Event<'_>,
        name: &str,
        text: &str,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        if matches!(self.proof, Proof::Failed) {
            return Ok(());
        }
        let pair = pairs(name, text).find(|pair| *pair.name == *self.name);
        let Some(quantity) = pair.and_then(|pair| quantity(pair.value)) else { return Ok(()) };
        let duration_ns = quantity.value.checked_mul(quantity.unit_ns.unwrap_or(self.unit_ns)).map(Ns);
        let reason = match duration_ns {
            Some(duration_ns) => contradiction(event, duration_ns),
            None => Some(IncompleteReason::OutOfOrder),
        };
        match (duration_ns, reason) {
            (Some(duration_ns), None) => {
                let task = if name == WAIT { named_task(event, text, emit)? } else { None };
                let sample = sample(event, duration_ns);
                self.take(Sample { task: task.or(sample.task), ..sample }, name, emit)
            }
            (_, reason) => {
                emit.incomplete(&KIND, reason.unwrap_or(IncompleteReason::OutOfOrder));
                Ok(())
            }
        }
    }

    /// `event` is the name of the event type.
    fn take(&mut self, sample: Sample, event: &str, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let held = match &mut self.proof {
            Proof::Given(symbol) => return emit.sample(&Sample { symbol: Some(*symbol), ..sample }),
            Proof::Failed => return Ok(()),
            Proof::Open(held) => held,
        };
        let falls = held.last().is_some_and(|last| sample.duration_ns < last.duration_ns);
        held.push(sample);
        if falls {
            let symbol = emit.symbol(qualified(event, &self.name).as_bytes())?;
            let held = std::mem::take(held);
            self.proof = Proof::Given(symbol);
            return held
                .into_iter()
                .try_for_each(|sample| emit.sample(&Sample { symbol: Some(symbol), ..sample }));
        }
        if held.len() >= MAX_RISES {
            self.proof = Proof::Failed;
        }
        Ok(())
    }
}

/// The task that the arguments are about, which is seldom the one that ran.
fn named_task(event: &Event<'_>, text: &str, emit: &mut dyn Emit) -> Result<Option<u32>, ReadError> {
    let pid = field_number(WAIT, text, "pid").and_then(|pid| i32::try_from(pid).ok());
    // comm=Web Content pid=7 delay=0 [ns]
    let comm = text.split_once("comm=").and_then(|(_, rest)| rest.split_once(" pid=")).map(|(comm, _)| comm);
    match (pid, comm) {
        (Some(pid), Some(comm)) => {
            emit.task(event.cpu, TaskRef { pid: Some(pid), comm: comm.as_bytes(), tgid: None })
        }
        _ => Ok(None),
    }
}

fn sample(event: &Event<'_>, duration_ns: Ns) -> Sample {
    let start_ns = event.t_ns - duration_ns;
    Sample { duration_ns, task: event.task, ..Sample::new(&KIND, event.cpu, start_ns, event.t_ns) }
}

impl Fields {
    fn read(
        &mut self,
        event: &Event<'_>,
        name: &str,
        text: &str,
        emit: &mut dyn Emit,
    ) -> Result<(), ReadError> {
        let type_count = self.types.len();
        let event_type = match self.types.entry_ref(name) {
            EntryRef::Occupied(known) => known.into_mut(),
            EntryRef::Vacant(_) if type_count >= self.max_types => return Ok(()),
            EntryRef::Vacant(new) => new.insert(EventType::default()),
        };
        if event_type.looked_at < LOOKED_AT {
            let room = MAX_FIELDS.saturating_sub(self.field_count);
            let found = event_type.look(name, text, room, emit)?;
            self.field_count = self.field_count.saturating_add(found);
        }
        event_type.fields.iter_mut().try_for_each(|field| field.read(event, name, text, emit))
    }
}

/// The numbers are the events' own, so a gap takes none away; what is held back at the end was never proven.
impl Analysis for Fields {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Decoded::Other { args } = event.decoded else { return Ok(()) };
        match (str::from_utf8(event.name), str::from_utf8(args)) {
            (Ok(name), Ok(text)) if !VOLUNTARY.contains(&name) => self.read(event, name, text, emit),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_latencies;

    const KINDS: &[&str] = &["field"];

    #[test]
    fn a_probe_of_ones_own_states_a_duration() {
        check_latencies(
            KINDS,
            "
            <...>-6462 [6] 14372.732649: irq_disable: caller=console_unlock+0xc0/0x510 parent=vprintk_emit+0x134/0x1d0
            <...>-6462 [6] 14372.743618: hrtimer_cb: hrtimer stat: now: 14372743560 [us] expect_expires: 14372733903 [us], delta: 9656, next_expires: 14372744570
            <...>-6462 [6] 14372.743619: hrtimer_cb: 8 overruns
            ",
            expect![[r#"
                field cpu 6 -6462 hrtimer_cb.delta start 1313000 duration 9656000
            "#]],
        );
    }

    #[test]
    fn of_the_schedulers_statistics_only_the_wait_for_a_cpu_is_a_latency() {
        check_latencies(
            KINDS,
            "
            sh-7 [0] 5.000100: sched_stat_runtime: comm=a runtime=5 pid=7 runtime=12345 [ns] vruntime=400000 [ns]
            sh-7 [0] 5.000110: sched_stat_sleep: comm=a pid=8 delay=900000 [ns]
            sh-7 [0] 5.000120: sched_stat_blocked: comm=a pid=8 delay=900000 [ns]
            sh-7 [0] 5.000130: sched_stat_iowait: comm=a pid=8 delay=900000 [ns]
            sh-7 [0] 5.000200: sched_stat_wait: comm=my task pid=8 delay=0 [ns]
            ",
            expect![[r#"
                field cpu 0 my task-8 sched_stat_wait.delay start 100000 duration 0
            "#]],
        );
    }

    #[test]
    fn what_only_grows_is_a_point_in_time() {
        check_latencies(
            KINDS,
            "
            sh-7 [0] 5.000100: probe: mtime=100 [us] service=20 [us]
            sh-7 [0] 5.000200: probe: mtime=200 [us] service=40 [us]
            sh-7 [0] 5.000300: probe: mtime=300 [us] service=30 [us]
            ",
            expect![[r#"
                field cpu 0 sh-7 probe.service start -20000 duration 20000
                field cpu 0 sh-7 probe.service start 60000 duration 40000
                field cpu 0 sh-7 probe.service start 170000 duration 30000
            "#]],
        );
    }

    #[test]
    fn impossible_durations_are_counted() {
        check_latencies(
            KINDS,
            "
            sh-7 [0] 0.000100: probe: delta=-5 [us]
            sh-7 [0] 0.000200: probe: delta=201 [us]
            sh-7 [0] 0.000300: probe: delta=9223372036854775807 [us]
            sh-7 [0] 0.000400: probe: delta=400us
            ",
            expect![[r#"
                field cpu 0 sh-7 probe.delta start -100000 duration 400000
                field incomplete: 3 out_of_order
            "#]],
        );
    }
}
