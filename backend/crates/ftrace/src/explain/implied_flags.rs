//! Which events lie in interrupts and softirqs where their flags are not recorded, by the entries and exits around them.

use std::collections::BTreeMap;

use crate::events::{Decoded, Role, TICK_HANDLERS, decode};
use crate::model::Flags;
use crate::store::read::blocks::EventBlock;
use crate::store::read::dictionaries::Loss;

/// Of timers whose functions run in a softirq (include/linux/interrupt.h, `HRTIMER_SOFTIRQ`).
const HRTIMER: i64 = 8;
/// Softirqs of a CPU that are switched out at most, as PREEMPT_RT does. More have lost their ends.
const MOST_SOFTIRQS: usize = 8;

/// Sets `HARDIRQ`, with interrupts off, and `SOFTIRQ` in events of blocks, in the order of the trace, whose flags are not known.
/// They stay unknown otherwise: an event without these may still lie in an interrupt that is not recorded.
///
/// `is_carrier` says of a task that it runs softirqs: where these are not recorded, a handler of a timer in it may be one.
pub fn imply_flags(
    blocks: &mut [EventBlock<'_>],
    roles: &[Option<Role>],
    losses: &[Loss],
    is_carrier: impl Fn(i32) -> bool,
) {
    let is_known = |flags: i32| Flags(flags.cast_unsigned()).has(Flags::KNOWN);
    if blocks.iter().all(|block| block.flags.iter().all(|flags| is_known(*flags))) {
        return;
    }
    let has_softirqs = roles.contains(&Some(Role::SoftirqEntry));
    let cuts = Cuts::of(losses);
    let mut cpus: BTreeMap<i16, Context> = BTreeMap::new();
    let mut next_seq = None;
    for block in blocks {
        // Nothing is known of what lies between two blocks.
        if next_seq != Some(block.first_seq) {
            cpus.clear();
        }
        next_seq = i64::try_from(block.t_ns.len()).ok().map(|count| block.first_seq.saturating_add(count));
        let rows = block.flags.iter_mut().zip(&block.t_ns).zip(&block.cpu);
        let rows = rows.zip(&block.type_idx).zip(&block.task_idx).zip(&block.args);
        for (((((flags, t_ns), cpu), type_idx), task_idx), args) in rows {
            if is_known(*flags) {
                continue;
            }
            let context = cpus.entry(*cpu).or_default();
            if cuts.lie_between(*cpu, context.last_ns, *t_ns) {
                *context = Context::default();
            }
            context.last_ns = *t_ns;
            let role = usize::try_from(*type_idx).ok().and_then(|idx| roles.get(idx)).copied().flatten();
            // Without softirqs it is not known which runs.
            let may_be_soft = !has_softirqs
                && role == Some(Role::HrtimerExpireEntry)
                && (is_carrier(*task_idx) || !is_called_hard(args));
            *flags |= context.at(role, *task_idx, args, may_be_soft).cast_signed();
        }
    }
}

/// True for a handler that runs in the interrupt itself. On PREEMPT_RT, the one that wakes a task without a real-time priority
/// runs in a thread.
fn is_called_hard(args: &str) -> bool {
    let expiry = decode(Role::HrtimerExpireEntry, args.as_bytes());
    let Some(Decoded::TimerExpiry(expiry)) = expiry else { return false };
    TICK_HANDLERS.contains(&expiry.function) || expiry.function == b"hrtimer_wakeup"
}

/// When losses end, of each CPU and of all, in their order.
struct Cuts(BTreeMap<Option<i16>, Vec<i64>>);

impl Cuts {
    fn of(losses: &[Loss]) -> Self {
        let mut ends: BTreeMap<Option<i16>, Vec<i64>> = BTreeMap::new();
        for loss in losses {
            ends.entry(loss.cpu).or_default().push(loss.end_ns);
        }
        ends.values_mut().for_each(|ends| ends.sort_unstable());
        Self(ends)
    }

    fn lie_between(&self, cpu: i16, last_ns: i64, t_ns: i64) -> bool {
        [Some(cpu), None].iter().filter_map(|whose| self.0.get(whose)).any(|ends| {
            ends.get(ends.partition_point(|end_ns| *end_ns <= last_ns)).is_some_and(|end_ns| *end_ns <= t_ns)
        })
    }
}

/// What a CPU is in after an event.
#[derive(Default)]
struct Context {
    last_ns: i64,
    /// Interrupts that came into each other.
    interrupts: u32,
    /// A handler of a timer runs, in an interrupt that may not be recorded.
    is_in_handler: bool,
    /// The timer whose handler was done in the last event.
    done: Option<u64>,
    /// The softirqs that have begun, by the tasks that carry them, and their vectors.
    softirqs: Vec<(i32, i64)>,
}

impl Context {
    /// The flags of the next event, which changes the context.
    fn at(&mut self, role: Option<Role>, task_idx: i32, args: &str, may_be_soft: bool) -> u32 {
        let before = self.flags(task_idx);
        let done = self.done.take();
        match role {
            Some(Role::IrqEntry | Role::VectorEntry(_) | Role::IpiEntry) => {
                self.interrupts = self.interrupts.saturating_add(1);
            }
            Some(Role::IrqExit | Role::VectorExit(_) | Role::IpiExit) => {
                self.interrupts = self.interrupts.saturating_sub(1);
                self.is_in_handler = false;
                return before | Flags::HARDIRQ | Flags::IRQS_OFF;
            }
            // They run when the interrupt that raised them is over.
            Some(role @ Role::SoftirqEntry) => {
                self.leave_interrupts();
                self.leave_softirq(task_idx);
                if let Some(Decoded::SoftirqEntry { vector, .. }) = decode(role, args.as_bytes()) {
                    self.softirqs.push((task_idx, vector));
                }
                if self.softirqs.len() > MOST_SOFTIRQS {
                    self.softirqs.remove(0);
                }
            }
            Some(Role::SoftirqExit) => {
                self.leave_interrupts();
                self.leave_softirq(task_idx);
                return Flags::SOFTIRQ;
            }
            Some(Role::HrtimerExpireEntry) => {
                let is_soft = self.vector(task_idx) == Some(HRTIMER);
                self.is_in_handler = self.interrupts > 0 || !is_soft && !may_be_soft;
            }
            Some(role @ Role::HrtimerExpireExit) => {
                self.done = address(role, args).filter(|_| self.is_in_handler);
                self.is_in_handler = false;
                return before;
            }
            // The interrupt starts it again as its handler asks for.
            Some(role @ Role::HrtimerStart) if done.is_some() && address(role, args) == done => {
                return before | Flags::HARDIRQ | Flags::IRQS_OFF;
            }
            Some(role @ Role::SchedSwitch) => {
                self.leave_interrupts();
                let sleeps = matches!(
                    decode(role, args.as_bytes()),
                    Some(Decoded::Switch(switch)) if switch.prev_state == b"S"
                );
                if sleeps {
                    self.leave_softirq(task_idx);
                }
            }
            Some(Role::CpuIdle | Role::SyscallEnter | Role::SyscallExit) => {
                self.leave_interrupts();
                self.leave_softirq(task_idx);
            }
            _ => {}
        }
        self.flags(task_idx)
    }

    fn flags(&self, task_idx: i32) -> u32 {
        let is_hard = self.interrupts > 0 || self.is_in_handler;
        let hard = if is_hard { Flags::HARDIRQ | Flags::IRQS_OFF } else { 0 };
        hard | if self.vector(task_idx).is_some() { Flags::SOFTIRQ } else { 0 }
    }

    fn vector(&self, task_idx: i32) -> Option<i64> {
        self.softirqs.iter().find(|(of, _)| *of == task_idx).map(|(_, vector)| *vector)
    }

    fn leave_interrupts(&mut self) {
        self.interrupts = 0;
        self.is_in_handler = false;
    }

    fn leave_softirq(&mut self, task_idx: i32) {
        self.softirqs.retain(|(of, _)| *of != task_idx);
    }
}

/// Where the timer of an `hrtimer_expire_exit` or an `hrtimer_start` is.
fn address(role: Role, args: &str) -> Option<u64> {
    match decode(role, args.as_bytes())? {
        Decoded::TimerDone { timer } => Some(timer),
        Decoded::TimerStart(start) => Some(start.timer),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EventKind;

    /// The flags that are implied for lines `task name arguments` of one CPU, one microsecond apart: `h`, `s`, `H` for both.
    fn implied(lines: &[&'static str], losses: &[Loss]) -> String {
        let mut names = Vec::new();
        let mut block = EventBlock::default();
        for (at, line) in (0_i64..).zip(lines) {
            let mut words = line.splitn(3, ' ');
            let mut word = || words.next().unwrap_or_default();
            let (task, name) = (word(), word());
            let type_idx = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            block.t_ns.push(at * 1_000);
            block.cpu.push(0);
            block.task_idx.push(task.parse().unwrap());
            block.type_idx.push(i16::try_from(type_idx).unwrap());
            block.flags.push(0);
            block.buffer.push(0);
            block.args.push(word());
        }
        let roles: Vec<_> = names.iter().map(|name| Role::of(EventKind::Tracer, name.as_bytes())).collect();
        let mut blocks = [block];
        imply_flags(&mut blocks, &roles, losses, |task_idx| task_idx == 20);
        let letter = |flags: &i32| {
            let flags = Flags(flags.cast_unsigned());
            match (flags.has(Flags::HARDIRQ), flags.has(Flags::SOFTIRQ)) {
                (true, true) => 'H',
                (true, false) => 'h',
                (false, true) => 's',
                (false, false) => '.',
            }
        };
        blocks[0].flags.iter().map(letter).collect()
    }

    #[test]
    fn events_between_an_entry_and_its_exit_lie_in_it() {
        let lines = [
            "1 sched_waking comm=a pid=9 prio=120 target_cpu=000",
            "1 local_timer_entry vector=236",
            "1 sched_waking comm=a pid=9 prio=120 target_cpu=000",
            "1 local_timer_exit vector=236",
            "1 softirq_entry vec=1 [action=TIMER]",
            "1 irq_handler_entry irq=5 name=eth0",
            "1 irq_handler_exit irq=5 ret=handled",
            "1 timer_expire_entry timer=00000000000000aa function=f now=1 baseclk=1",
            "1 softirq_exit vec=1 [action=TIMER]",
            "1 sched_waking comm=a pid=9 prio=120 target_cpu=000",
        ];
        assert_eq!(implied(&lines, &[]), ".hhhsHHss.");
    }

    #[test]
    fn handlers_of_timers_show_interrupts_that_are_not_recorded_but_not_those_of_softirqs() {
        let (entry, exit) =
            ("1 hrtimer_expire_entry hrtimer=aa function=f now=1", "1 hrtimer_expire_exit hrtimer=aa");
        let waking = "1 sched_waking comm=a pid=9 prio=120 target_cpu=000";
        let soft = ["1 softirq_entry vec=8 [action=HRTIMER]", "1 softirq_exit vec=8 [action=HRTIMER]"];
        assert_eq!(
            implied(&[entry, waking, exit, waking, soft[0], entry, waking, exit, soft[1]], &[]),
            "hhh.sssss"
        );
        assert_eq!(implied(&[entry, waking, exit], &[]), "...", "without softirqs it may be one");
        let again = "1 hrtimer_start hrtimer=aa function=tick_nohz_handler expires=2 softexpires=2";
        let tick = "1 hrtimer_expire_entry hrtimer=aa function=tick_nohz_handler now=1";
        assert_eq!(implied(&[tick, exit, again, waking], &[]), "hhh.");
        let sleeper = "20 hrtimer_expire_entry hrtimer=aa function=hrtimer_wakeup now=1";
        assert_eq!(implied(&[sleeper, exit], &[]), "..", "a thread that runs softirqs");
    }

    #[test]
    fn a_softirq_is_its_carriers_while_others_have_the_cpu_and_over_when_that_sleeps() {
        let preempted = "1 sched_switch prev_comm=ktimers/0 prev_pid=1 prev_prio=98 prev_state=R+ ==> next_comm=rt next_pid=2 next_prio=9";
        let back = "2 sched_switch prev_comm=rt prev_pid=2 prev_prio=9 prev_state=S ==> next_comm=ktimers/0 next_pid=1 next_prio=98";
        let sleeps = "1 sched_switch prev_comm=ktimers/0 prev_pid=1 prev_prio=98 prev_state=S ==> next_comm=rt next_pid=2 next_prio=9";
        let (mine, other) = (
            "1 sched_waking comm=a pid=9 prio=120 target_cpu=000",
            "2 sched_waking comm=a pid=9 prio=120 target_cpu=000",
        );
        let lines = ["1 softirq_entry vec=1 [action=TIMER]", preempted, other, back, mine, sleeps, mine];
        assert_eq!(implied(&lines, &[]), "ss..s..");
    }

    #[test]
    fn behind_lost_events_nothing_is_known() {
        let loss = Loss { cpu: Some(0), start_ns: 1_200, end_ns: 1_800, lost_count: None };
        let waking = "1 sched_waking comm=a pid=9 prio=120 target_cpu=000";
        assert_eq!(implied(&["1 local_timer_entry vector=236", waking, waking], &[loss]), "hh.");
    }
}
