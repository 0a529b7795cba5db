//! How long stretches took all over the blocks around a case, sorted.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use hashbrown::HashMap;

use crate::events::{Decoded, Role, TICK_HANDLERS};
use crate::explain::surroundings::{Seen, Surroundings};
use crate::explain::why::doze::{ACCOUNT, is_sleep};
use crate::explain::why::stall::{is_behind_work, is_in_one_go, is_way_to_carrier};
use crate::model::{Flags, TimeUnit};

/// Events that are decoded at most to find out what is usual.
const MAX_EVENTS: usize = 8_192;

/// Two events after each other: their types, and of which section, interrupt or softirq.
pub type Pair = (i32, i32, u64);

pub fn pair_of([first, second]: [&Seen<'_>; 2]) -> Pair {
    // What sections do differs from place to place, and what handlers do from one to the other.
    let begins = matches!(
        first.role,
        Some(Role::IrqDisable | Role::PreemptDisable | Role::IrqEntry | Role::SoftirqEntry)
    );
    let whose = match second.role {
        _ if begins => hash(first.args),
        _ if let Some(expiry) = first.timer_expiry() => hash(expiry.function),
        Some(Role::IrqExit) => hash(second.args),
        _ => 0,
    };
    (first.type_idx, second.type_idx, whose)
}

fn hash(text: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

pub fn gaps(around: &Surroundings<'_, '_>) -> HashMap<Pair, Vec<i64>> {
    // The last event, and how many interrupts are open after it.
    let mut last: BTreeMap<i16, (Seen<'_>, u32)> = BTreeMap::new();
    let mut gaps: HashMap<_, Vec<i64>> = HashMap::new();
    for event in around.nearby_events() {
        let open = last.get(&event.cpu).map_or(0, |(_, open)| *open);
        let is_soft = matches!(event.role, Some(Role::SoftirqEntry | Role::SoftirqExit));
        let open_behind = match () {
            () if is_soft => open,
            () if event.begins_interrupt() => open.saturating_add(1),
            () if event.ends_interrupt() => open.saturating_sub(1),
            () => open,
        };
        let before = last.insert(event.cpu, (event, open_behind)).map(|(before, _)| before);
        // Where interrupts are not recorded, some of these have a task in between; they are few.
        let is_one = |before: &Seen<'_>| open > 0 || Flags(before.flags.cast_unsigned()).has(Flags::KNOWN);
        let is_way = |before: &Seen<'_>| {
            is_in_one_go(before, &event, is_one(before))
                || is_way_to_carrier(around, before, &event)
                || is_behind_work(around, before, &event)
        };
        if let Some(before) = before.filter(is_way) {
            let gap_ns = event.t_ns.saturating_sub(before.t_ns);
            gaps.entry(pair_of([&before, &event])).or_default().push(gap_ns);
        }
    }
    gaps.values_mut().for_each(|durations| durations.sort_unstable());
    gaps
}

/// From the last event of a task that is to leave its CPU to the switch; and the same of the idle task.
pub fn switches(around: &Surroundings<'_, '_>) -> [Vec<i64>; 2] {
    let mut last: BTreeMap<i16, Seen<'_>> = BTreeMap::new();
    let [mut busy, mut idle] = [Vec::new(), Vec::new()];
    for event in around.nearby_events().take(MAX_EVENTS) {
        let before = last.insert(event.cpu, event);
        let is_asked = |before: &Seen<'_>| Flags(before.flags.cast_unsigned()).needs_resched();
        if let Some(before) = before.filter(|before| before.task_idx == event.task_idx && is_asked(before))
            && let Some(switch) = event.switch()
        {
            let of = if switch.prev.pid == 0 { &mut idle } else { &mut busy };
            of.push(event.t_ns.saturating_sub(before.t_ns));
        }
    }
    [busy, idle].map(sorted)
}

/// From the start of the timer of a sleep to the switch, where nothing but the account of the task's time lies between.
pub fn sleeps(around: &Surroundings<'_, '_>) -> Vec<i64> {
    let mut started: BTreeMap<i16, i64> = BTreeMap::new();
    let mut sleeps = Vec::new();
    for event in around.nearby_events().take(MAX_EVENTS) {
        let since_ns = started.remove(&event.cpu);
        match since_ns {
            _ if is_sleep(around, &event) => _ = started.insert(event.cpu, event.t_ns),
            Some(since_ns) if around.event_name(&event) == ACCOUNT => {
                started.insert(event.cpu, since_ns);
            }
            Some(since_ns) if event.switch().is_some() => sleeps.push(event.t_ns.saturating_sub(since_ns)),
            _ => {}
        }
    }
    sorted(sleeps)
}

pub fn notices(around: &Surroundings<'_, '_>) -> Vec<i64> {
    let mut woken: HashMap<i32, i64> = HashMap::new();
    let mut notices = Vec::new();
    for event in around.nearby_events().take(MAX_EVENTS) {
        if let Some(task) = event.waking().or_else(|| event.wakeup()) {
            woken.entry(task.pid).or_insert(event.t_ns);
        } else if let Some(switch) = event.switch()
            && let Some(since_ns) = woken.remove(&switch.next.pid)
            && switch.prev.pid == 0
        {
            notices.push(event.t_ns.saturating_sub(since_ns));
        }
    }
    sorted(notices)
}

/// From the switch to a task to its return from the call in which it waited, with nothing in between.
pub fn returns(around: &Surroundings<'_, '_>) -> Vec<i64> {
    let mut switched: BTreeMap<i16, (i32, i64)> = BTreeMap::new();
    let mut returns = Vec::new();
    for event in around.nearby_events().take(MAX_EVENTS) {
        let before = switched.remove(&event.cpu);
        if let Some(switch) = event.switch() {
            switched.insert(event.cpu, (switch.next.pid, event.t_ns));
        } else if let Some((pid, since_ns)) = before
            && event.role == Some(Role::SyscallExit)
            && around.pid(event.task_idx) == Some(pid)
        {
            returns.push(event.t_ns.saturating_sub(since_ns));
        }
    }
    sorted(returns)
}

/// From the wakeup of a task by another CPU to the first event of an idle one.
pub fn signs(around: &Surroundings<'_, '_>) -> Vec<i64> {
    let mut is_idle: BTreeMap<i16, bool> = BTreeMap::new();
    let mut woken: BTreeMap<i16, i64> = BTreeMap::new();
    let mut signs = Vec::new();
    for event in around.nearby_events().take(MAX_EVENTS) {
        signs.extend(woken.remove(&event.cpu).map(|since_ns| event.t_ns.saturating_sub(since_ns)));
        let goes_idle = event.switch().map(|switch| switch.next.pid == 0);
        is_idle.insert(event.cpu, goes_idle.unwrap_or_else(|| around.is_idle_task(event.task_idx)));
        let target = event.wakeup().and_then(|task| i16::try_from(task.target_cpu?).ok());
        if let Some(cpu) = target.filter(|cpu| *cpu != event.cpu && is_idle.get(cpu) == Some(&true)) {
            woken.entry(cpu).or_insert(event.t_ns);
        }
    }
    sorted(signs)
}

pub fn ticks(around: &Surroundings<'_, '_>) -> Vec<i64> {
    // Since when an interrupt of a CPU is open, and whether it called the handler.
    let mut open: BTreeMap<i16, (i64, bool)> = BTreeMap::new();
    let mut ticks = Vec::new();
    for event in around.nearby_events() {
        let is_expiry = event.role == Some(Role::HrtimerExpireEntry);
        match event.decoded_if(is_expiry || event.begins_interrupt() || event.ends_interrupt()) {
            Some(Decoded::InterruptEntry { .. }) => {
                open.insert(event.cpu, (event.t_ns, false));
            }
            Some(Decoded::TimerExpiry(expiry)) if TICK_HANDLERS.contains(&expiry.function) => {
                open.entry(event.cpu).and_modify(|(_, is_tick)| *is_tick = true);
            }
            Some(Decoded::InterruptExit { .. }) => {
                let ended = open.remove(&event.cpu).filter(|(_, is_tick)| *is_tick);
                ticks.extend(ended.map(|(since_ns, _)| event.t_ns.saturating_sub(since_ns)));
            }
            _ => {}
        }
    }
    sorted(ticks)
}

/// How late the interrupts of timers came, on idle CPUs and on others, or else how late their handlers ran; that of the timerlat
/// tracer as it reports it.
pub fn expiries(around: &Surroundings<'_, '_>) -> [Vec<i64>; 2] {
    // When each is due, and since when.
    let mut armed: HashMap<u64, (i64, i64)> = HashMap::new();
    let mut entries: BTreeMap<i16, i64> = BTreeMap::new();
    let [mut idle, mut busy] = [Vec::new(), Vec::new()];
    for event in around.nearby_events().take(MAX_EVENTS) {
        if event.begins_interrupt() {
            entries.insert(event.cpu, event.t_ns);
        } else if event.ends_interrupt() {
            entries.remove(&event.cpu);
        } else if let Some(start) = event.timer_start() {
            armed.insert(start.timer, (start.expires_ns, event.t_ns));
        } else if let Some(expiry) = event.timer_expiry() {
            let late = if around.is_idle_task(event.task_idx) { &mut idle } else { &mut busy };
            let since_entry_ns =
                entries.get(&event.cpu).map_or(0, |entry_ns| event.t_ns.saturating_sub(*entry_ns));
            // A timer that was due before it was started is late from its start on.
            let late_ns = |(expires_ns, armed_ns)| {
                let late_ns = expiry.now_ns.saturating_sub(expires_ns);
                late_ns.min(event.t_ns.saturating_sub(armed_ns)).saturating_sub(since_entry_ns)
            };
            late.extend(armed.remove(&expiry.timer).map(|armed| late_ns(armed).max(0)));
        } else if let Some(Decoded::Timerlat(record)) = event.decoded()
            && record.context == b"irq"
        {
            let late = if around.is_idle_task(event.task_idx) { &mut idle } else { &mut busy };
            late.push(record.latency_ns.max(0));
        }
    }
    [idle, busy].map(sorted)
}

/// How many steps the clock of the trace made from the first timer's expiry to the last one, and how many nanoseconds the clock
/// of timers did; `None` where they are the same.
pub fn pace(around: &Surroundings<'_, '_>) -> Option<(i64, i64)> {
    if around.time_unit() != TimeUnit::Ticks {
        return None;
    }
    let mut read =
        around.nearby_events().filter_map(|event| Some((event.t_ns, event.timer_expiry()?.now_ns)));
    let first = read.next()?;
    let last = read.last()?;
    let (steps, ns) = (last.0.saturating_sub(first.0), last.1.saturating_sub(first.1));
    (steps > 0 && ns > 0).then_some((steps, ns))
}

fn sorted(mut durations: Vec<i64>) -> Vec<i64> {
    durations.sort_unstable();
    durations
}
