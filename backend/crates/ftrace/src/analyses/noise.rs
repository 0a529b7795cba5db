//! What took a CPU from a thread, as the osnoise and timerlat tracers measure it.

use std::io::Write;

use hashbrown::HashMap;

use super::stated::contradiction;
use super::{Analysis, AnalysisEntry, Emit, Event, Slice, SliceKind};
use crate::events::{Decoded, Noise, NoiseEvent, NoiseSource, Role};
use crate::model::{Ns, ReadError, TaskRef};

pub static ENTRY: AnalysisEntry = AnalysisEntry {
    name: "noise",
    title: "Sources of noise",
    needs: &[
        &["irq_noise", "softirq_noise", "thread_noise", "nmi_noise"],
        &["irq_noise"],
        &["softirq_noise"],
        &["thread_noise"],
        &["nmi_noise"],
        &["sample_threshold"],
    ],
    roles: &[Role::Noise(NoiseEvent::Irq)],
    start: |_| Box::new(NoiseSlices::default()),
};

/// A stamp in microseconds may lie before an end in nanoseconds.
const STAMP_ROUNDING: Ns = Ns(1_000);
/// The event follows the end, but for noise that is nested in it.
const MAX_NESTED: Ns = Ns(100_000_000);

/// Noise of one kind does not overlap, and lies inside of that of the kinds before it: a lane each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseLane {
    Thread,
    Hardware,
    Softirq,
    Irq,
    Nmi,
}

impl NoiseLane {
    const ALL: [Self; 5] = [Self::Thread, Self::Hardware, Self::Softirq, Self::Irq, Self::Nmi];

    /// The labels of the rows of [`Self::ALL`].
    pub const ROWS: &[&str] = &["thread noise", "hw noise", "softirq noise", "irq noise", "nmi noise"];

    fn of(source: NoiseSource<'_>) -> Self {
        match source {
            NoiseSource::Thread { .. } => Self::Thread,
            NoiseSource::Hardware => Self::Hardware,
            NoiseSource::Softirq(_) => Self::Softirq,
            NoiseSource::Irq(_) => Self::Irq,
            NoiseSource::Nmi => Self::Nmi,
        }
    }

    /// The lane of a row, where rows are numbered as in [`Self::ROWS`].
    pub fn of_depth(depth: u16) -> Option<Self> {
        Self::ALL.get(usize::from(depth)).copied()
    }

    fn depth(self) -> u16 {
        let at = Self::ALL.iter().position(|lane| *lane == self);
        at.and_then(|at| u16::try_from(at).ok()).unwrap_or(u16::MAX)
    }
}

#[derive(Default)]
struct NoiseSlices {
    /// Where the last noise of each lane (CPU, depth) ended.
    ends: HashMap<(u16, u16), Ns>,
    name: Vec<u8>,
}

impl NoiseSlices {
    fn slice(&mut self, event: &Event<'_>, noise: &Noise<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let duration_ns = Ns(noise.duration_ns);
        if contradiction(event, duration_ns).is_some() {
            return Ok(());
        }
        let lane = NoiseLane::of(noise.source);
        let task = match noise.source {
            NoiseSource::Thread { comm, pid } => {
                emit.task(event.cpu, TaskRef { pid: Some(pid), comm, tgid: None })?
            }
            NoiseSource::Hardware => None,
            NoiseSource::Softirq(_) | NoiseSource::Irq(_) | NoiseSource::Nmi => event.task,
        };
        self.spell(noise.source);
        let symbol = Some(emit.symbol(&self.name)?);
        let stated_ns = start_on_trace_clock(event, noise);
        let end_ns = match lane {
            // A sample was not interrupted, and is recorded when there is time for it.
            NoiseLane::Hardware => (stated_ns + duration_ns).min(event.t_ns),
            // What is nested in it lies between its start and its event, and is not part of its duration.
            _ => event.t_ns,
        };
        let end_of_last_ns = self.ends.entry((event.cpu, lane.depth())).or_insert(Ns::MIN);
        // An event that is stamped in microseconds lies before the end that it states.
        let start_ns = stated_ns.min(end_ns - duration_ns).max(*end_of_last_ns).min(end_ns);
        *end_of_last_ns = end_ns.max(*end_of_last_ns);
        let slice = Slice::new(SliceKind::Noise, event.cpu, start_ns, end_ns);
        let self_ns = duration_ns.min(slice.duration_ns);
        emit.slice(&Slice { task, symbol, self_ns, depth: lane.depth(), ..slice })
    }

    /// `irq local_timer:236`, `thread bash-183`
    fn spell(&mut self, source: NoiseSource<'_>) {
        self.name.clear();
        let name = &mut self.name;
        let mut prefixed = |prefix: &[u8], rest: &[u8]| {
            name.extend_from_slice(prefix);
            name.extend_from_slice(rest);
        };
        match source {
            NoiseSource::Nmi => prefixed(b"nmi", b""),
            NoiseSource::Irq(irq) => prefixed(b"irq ", irq),
            NoiseSource::Softirq(vector) => prefixed(b"softirq ", vector),
            NoiseSource::Hardware => prefixed(b"hardware", b""),
            NoiseSource::Thread { comm, pid } => {
                prefixed(b"thread ", comm);
                // Writing to a Vec cannot fail.
                let _ = write!(self.name, "-{pid}");
            }
        }
    }
}

/// The tracers read the clock `local`. Where that is not the trace's own, the noise is reported to end at its
/// event, from which it is not far.
fn start_on_trace_clock(event: &Event<'_>, noise: &Noise<'_>) -> Ns {
    let (start_ns, duration_ns) = (Ns(noise.start_ns) - event.clock.origin_ns, Ns(noise.duration_ns));
    let behind_ns = event.t_ns - (start_ns + duration_ns);
    let fits = (-STAMP_ROUNDING..=MAX_NESTED).contains(&behind_ns);
    if fits { start_ns } else { event.t_ns - duration_ns }
}

impl Analysis for NoiseSlices {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match &event.decoded {
            Decoded::Noise(noise) => self.slice(event, noise, emit),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::NoiseLane;
    use crate::testing::check;

    #[test]
    fn noise_lies_where_its_event_says() {
        check(
            "
            bash-183 [0] 117.079363: timerlat: #23    context    irq timer_latency     56515 ns
            bash-183 [0] 117.079441: irq_noise: local_timer:236 start 117.079344896 duration 89982 ns
            bash-183 [0] 117.079444: softirq_noise:      RCU:9 start 117.079441000 duration 1080 ns
            bash-183 [0] 117.091592: thread_noise:     bash:183 start 117.079356116 duration 12142706 ns
            bash-183 [0] 117.091600: nmi_noise: start 117.091599000 duration 500 ns
            osn-207  [0] 117.091602: sample_threshold: start 117.091600600 duration 1303 ns interference 0
            osn-207  [0] 117.091702: sample_threshold: start 117.091602600 duration 90000 ns interference 1
            ",
            expect![[r#"
                noise cpu 0 bash-183 irq local_timer:236 depth 3 start -18104 duration 96104 self 89982
                noise cpu 0 bash-183 thread bash-183 start -6884 duration 12235884 self 12142706
                noise cpu 0 bash-183 softirq RCU:9 depth 2 start 78000 duration 3000 self 1080
                noise cpu 0 bash-183 nmi depth 4 start 12236000 duration 1000 self 500
                noise cpu 0 hardware depth 1 start 12237600 duration 1303
            "#]],
        );
    }

    #[test]
    fn noise_is_as_long_as_it_says_where_stamps_are_rounded() {
        check(
            "
            a-7 [6] 2932.676618: irq_noise: local_timer:236 start 2932.676615639 duration 2391 ns
            a-7 [6] 2932.676620: irq_noise: virtio0-output.0:47 start 2932.676620180 duration 86 ns
            ",
            expect![[r#"
                noise cpu 6 a-7 irq local_timer:236 depth 3 start -2391 duration 2391
                noise cpu 6 a-7 irq virtio0-output.0:47 depth 3 start 1914 duration 86
            "#]],
        );
    }

    #[test]
    fn every_lane_has_a_label() {
        assert_eq!(NoiseLane::ROWS.len(), NoiseLane::ALL.len());
    }

    #[test]
    fn noise_on_another_clock_ends_at_its_event() {
        check(
            "
            bash-183 [0] 500.000000: irq_noise: local_timer:236 start 117.079344896 duration 2000 ns
            ",
            expect![[r#"
                noise cpu 0 bash-183 irq local_timer:236 depth 3 start -2000 duration 2000
            "#]],
        );
    }
}
