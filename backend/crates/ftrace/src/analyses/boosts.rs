//! Priorities that tasks were lent: a task that holds a lock runs with the priority of the most important one that
//! waits for it.

use hashbrown::HashMap;

use super::{Analysis, AnalysisEntry, Emit, Event, Gap, Slice, SliceFlags, SliceKind, TraceEnd};
use crate::events::{Boost, Decoded, Role, SwitchTask};
use crate::model::{Ns, ReadError, TaskRef, priority_text};

pub static ENTRY: AnalysisEntry = AnalysisEntry {
    name: "boosts",
    title: "Priority inheritance",
    // Locks that lend priorities are rare: that nothing of it is recorded is no lack.
    needs: &[],
    roles: &[Role::SchedPiSetprio, Role::SchedSwitch],
    start: |limits| Box::new(Boosts { max_tasks: limits.max_tasks, ..Boosts::default() }),
};

/// `sched_pi_setprio` states the lent priority. In a recording without it, switches show that a task ran with a higher
/// priority for a while: perhaps somebody set it and set it back, so it is not called a boost.
#[derive(Default)]
struct Boosts {
    max_tasks: usize,
    lent: HashMap<i32, Lent>,
    seen: HashMap<i32, Seen>,
    are_recorded: bool,
}

/// A task that has more than its own priority.
#[derive(Clone, Copy)]
struct Lent {
    task: Option<u32>,
    own_prio: i32,
    prio: i32,
    since_ns: Ns,
    cpu: u16,
}

/// The priority of a task as switches show it.
#[derive(Clone, Copy)]
struct Seen {
    own_prio: i32,
    raised: Option<Lent>,
}

impl Boosts {
    /// More of it, less of it, or the end.
    fn boost(&mut self, event: &Event<'_>, boost: &Boost<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.are_recorded = true;
        self.seen.clear();
        let before = self.lent.remove(&boost.pid);
        if let Some(lent) = before {
            emit_boost(lent, event.t_ns, ("boosted", SliceFlags::default()), emit)?;
        }
        let own_prio = before.map_or(boost.old_prio, |lent| lent.own_prio);
        if boost.new_prio < own_prio && self.lent.len() < self.max_tasks {
            let task = TaskRef { pid: Some(boost.pid), comm: boost.comm, tgid: None };
            let task = emit.task(event.cpu, task)?;
            let (prio, since_ns, cpu) = (boost.new_prio, event.t_ns, event.cpu);
            self.lent.insert(boost.pid, Lent { task, own_prio, prio, since_ns, cpu });
        }
        Ok(())
    }

    fn see(&mut self, event: &Event<'_>, task: SwitchTask<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Some(prio) = task.prio.filter(|_| task.pid != 0 && !self.are_recorded) else { return Ok(()) };
        let Some(seen) = self.seen.get_mut(&task.pid) else {
            if self.seen.len() < self.max_tasks {
                self.seen.insert(task.pid, Seen { own_prio: prio, raised: None });
            }
            return Ok(());
        };
        match seen.raised {
            Some(raised) if prio == raised.prio => {}
            Some(raised) => {
                let is_back = prio == seen.own_prio;
                *seen = Seen { own_prio: prio, raised: None };
                if is_back {
                    let named = TaskRef { pid: Some(task.pid), comm: task.comm, tgid: None };
                    let raised = Lent { task: emit.task(event.cpu, named)?, ..raised };
                    return emit_boost(raised, event.t_ns, ("raised", SliceFlags::default()), emit);
                }
            }
            None if prio < seen.own_prio => {
                let own_prio = seen.own_prio;
                let (since_ns, cpu) = (event.t_ns, event.cpu);
                seen.raised = Some(Lent { task: None, own_prio, prio, since_ns, cpu });
            }
            None => seen.own_prio = prio,
        }
        Ok(())
    }

    /// Ends what is lent at this moment; in the order of pids, as a table has none.
    fn end_all(&mut self, t_ns: Ns, flag: SliceFlags, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let mut lent: Vec<(i32, Lent)> = self.lent.drain().collect();
        lent.sort_unstable_by_key(|(pid, _)| *pid);
        lent.into_iter().try_for_each(|(_, lent)| emit_boost(lent, t_ns, ("boosted", flag), emit))
    }
}

impl Analysis for Boosts {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        match &event.decoded {
            Decoded::Boost(boost) => self.boost(event, boost, emit),
            Decoded::Switch(switch) => {
                self.see(event, switch.prev, emit)?;
                self.see(event, switch.next, emit)
            }
            _ => Ok(()),
        }
    }

    fn gap(&mut self, gap: Gap, emit: &mut dyn Emit) -> Result<(), ReadError> {
        // On any CPU it may have been given back.
        self.seen.clear();
        self.end_all(gap.start_ns, SliceFlags::HAS_GAP, emit)
    }

    fn finish(&mut self, end: &TraceEnd, emit: &mut dyn Emit) -> Result<(), ReadError> {
        self.end_all(end.t_ns, SliceFlags::CUT_AT_END, emit)
    }
}

fn emit_boost(
    lent: Lent,
    end_ns: Ns,
    (how, flags): (&str, SliceFlags),
    emit: &mut dyn Emit,
) -> Result<(), ReadError> {
    if end_ns <= lent.since_ns || lent.task.is_none() {
        return Ok(());
    }
    let name = format!("{}, {how} to {}", priority_text(lent.own_prio), priority_text(lent.prio));
    let symbol = Some(emit.symbol(name.as_bytes())?);
    let slice = Slice::new(SliceKind::Boost, lent.cpu, lent.since_ns, end_ns);
    emit.slice(&Slice { task: lent.task, symbol, flags, ..slice })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_boosts as check;

    #[test]
    fn a_task_is_boosted_until_it_gives_the_priority_back() {
        check(
            "
            high-227 [1] d..3. 16.894967: sched_pi_setprio: comm=low pid=228 oldprio=89 newprio=49
            more-229 [1] d..3. 16.895000: sched_pi_setprio: comm=low pid=228 oldprio=49 newprio=19
            low-228  [1] d..3. 16.895523: sched_pi_setprio: comm=low pid=228 oldprio=19 newprio=89
            low-228  [1] d..3. 16.896000: sched_pi_setprio: comm=low pid=228 oldprio=89 newprio=120
            rt-230   [0] d..3. 16.897000: sched_pi_setprio: comm=dl pid=231 oldprio=120 newprio=-1
            ",
            expect![[r#"
                boost cpu 1 low-228 rt 10, boosted to rt 50 start 0 duration 33000
                boost cpu 1 low-228 rt 10, boosted to rt 80 start 33000 duration 523000
            "#]],
        );
    }

    #[test]
    fn what_is_not_given_back_is_cut_where_the_trace_ends_or_something_is_lost() {
        check(
            "
            high-227 [1] d..3. 16.000010: sched_pi_setprio: comm=low pid=228 oldprio=120 newprio=49
            high-227 [1] d..3. 16.000020: softirq_raise: vec=1
            LOST     [1]
            high-227 [1] d..3. 16.000040: sched_pi_setprio: comm=low pid=228 oldprio=49 newprio=120
            high-227 [1] d..3. 16.000050: sched_pi_setprio: comm=low pid=228 oldprio=120 newprio=49
            high-227 [1] d..3. 16.000070: softirq_raise: vec=1
            ",
            expect![[r#"
                boost cpu 1 low-228 nice 0, boosted to rt 50 start 0 duration 10000 gap
                boost cpu 1 low-228 nice 0, boosted to rt 50 start 40000 duration 20000 cut-at-end
            "#]],
        );
    }

    #[test]
    fn switches_show_a_priority_that_comes_back() {
        check(
            "
            a-1 [0] 1.000010: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=R ==> next_comm=b next_pid=2 next_prio=89
            b-2 [0] 1.000020: sched_switch: prev_comm=b prev_pid=2 prev_prio=89 prev_state=S ==> next_comm=a next_pid=1 next_prio=49
            a-1 [0] 1.000030: sched_switch: prev_comm=a prev_pid=1 prev_prio=49 prev_state=R ==> next_comm=b next_pid=2 next_prio=19
            b-2 [0] 1.000050: sched_switch: prev_comm=b prev_pid=2 prev_prio=19 prev_state=S ==> next_comm=a next_pid=1 next_prio=120
            ",
            expect![[r#"
                boost cpu 0 a-1 nice 0, raised to rt 50 start 10000 duration 30000
            "#]],
        );
    }
}
