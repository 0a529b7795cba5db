//! Who has each nanosecond of a CPU: of everything that overlaps there, the innermost.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use crate::analyses::Cause;
use crate::model::Ns;

/// An interval that wants its time, and how much of that it has.
#[derive(Clone, Copy, Debug)]
pub struct Claimant {
    /// The sum that it is added to.
    pub sum: usize,
    pub cause: Cause,
    pub start_ns: Ns,
    pub end_ns: Ns,
    pub net_ns: Ns,
    /// No more of it is its own.
    pub most_ns: Ns,
    /// The task that ran, or that carries a softirq and was switched out in it.
    task: Option<u32>,
    /// It is what a tracer states. Where the same is known by its own beginning and end, it is a second
    /// word about one thing.
    is_stated: bool,
    is_second: bool,
    is_suspended: bool,
}

impl Claimant {
    /// A claim on all of [start, end), which others may take time from.
    pub fn new(sum: usize, cause: Cause, start_ns: Ns, end_ns: Ns) -> Self {
        Self {
            sum,
            cause,
            start_ns,
            end_ns,
            net_ns: Ns::ZERO,
            most_ns: Ns::MAX,
            task: None,
            is_stated: false,
            is_second: false,
            is_suspended: false,
        }
    }

    /// The run of a task.
    pub fn run_by(self, task: Option<u32>) -> Self {
        Self { task, ..self }
    }

    /// A softirq that its task was switched out of, and how long it ran: other tasks then had the CPU.
    pub fn suspended(self, task: Option<u32>, ran_ns: Ns) -> Self {
        Self { task, most_ns: ran_ns, is_suspended: true, ..self }
    }

    /// The same as a tracer states it, who says how much of it is its own.
    pub fn stated(self, most_ns: Ns) -> Self {
        Self { most_ns, is_stated: true, ..self }
    }

    fn yields_to(&self, other: &Self) -> bool {
        if self.is_second || self.suspends(other) || other.suspends(self) {
            return self.is_second || other.suspends(self);
        }
        (other.cause, other.is_stated) < (self.cause, self.is_stated)
    }

    /// True for what ran while the other, a softirq, was suspended.
    fn suspends(&self, other: &Self) -> bool {
        self.cause == Cause::Task
            && other.is_suspended
            && self.task != other.task
            && self.start_ns > other.start_ns
    }

    fn is_second_to(&self, other: &Self) -> bool {
        self.cause == other.cause && self.is_stated && !other.is_stated
    }
}

/// A stretch that one claimant has.
#[derive(Clone, Copy, Debug)]
struct Held {
    start_ns: Ns,
    end_ns: Ns,
    /// The number of the claimant.
    owner: usize,
}

/// The number of stretches that are forgotten together.
const FORGOTTEN_TOGETHER: usize = 64;

/// Where nobody can lose time any more, but a long claimant can still get what is free.
#[derive(Clone, Copy, Debug)]
struct Forgotten {
    start_ns: Ns,
    end_ns: Ns,
    free_ns: Ns,
    held_count: usize,
}

/// The claimants of one CPU, which come in the order of their ends.
#[derive(Default)]
pub struct Claims {
    claimants: VecDeque<Claimant>,
    /// The number of the first of them; those before are settled.
    first: usize,
    /// In the order of time, without overlap.
    held: VecDeque<Held>,
    lifted: Vec<Held>,
    /// Of the time before `settled_ns`, the end of it.
    forgotten: Vec<Forgotten>,
    settled_ns: Option<Ns>,
}

impl Claims {
    /// How many claimants there are.
    pub fn count(&self) -> usize {
        self.claimants.len()
    }

    /// Gives a claimant all that is free, and what is held by such as it hides.
    pub fn add(&mut self, claimant: Claimant) {
        let start_ns = self.settled_ns.map_or(claimant.start_ns, |settled| settled.max(claimant.start_ns));
        self.lift(start_ns);
        if self.is_known(&claimant) {
            while let Some(held) = self.lifted.pop() {
                self.hold(held);
            }
            return;
        }
        let owner = self.first.saturating_add(self.claimants.len());
        let net_ns = self.take_forgotten(&claimant);
        self.claimants.push_back(Claimant { net_ns, ..claimant });
        let mut at_ns = start_ns;
        while let Some(held) = self.lifted.pop() {
            let until_ns = held.end_ns.min(claimant.end_ns);
            self.grant(owner, at_ns, held.start_ns.min(claimant.end_ns));
            if held.start_ns < until_ns && self.yields(held.owner, &claimant) {
                self.lose(held.owner, until_ns - held.start_ns);
                self.grant(owner, held.start_ns, until_ns);
                self.hold(Held { start_ns: until_ns, ..held });
            } else {
                self.hold(held);
            }
            at_ns = at_ns.max(held.end_ns);
        }
        self.grant(owner, at_ns, claimant.end_ns);
    }

    /// Settles the oldest until no more than `most` are left.
    pub fn settle(&mut self, most: usize, mut take: impl FnMut(&Claimant)) {
        let count = self.claimants.len().saturating_sub(most);
        let settled_ns = self.claimants.iter().take(count).map(|claimant| claimant.end_ns).max();
        let Some(settled_ns) = settled_ns.max(self.settled_ns) else { return };
        self.forget(settled_ns);
        self.settled_ns = Some(settled_ns);
        for claimant in self.claimants.drain(..count).filter(|claimant| !claimant.is_second) {
            take(&claimant);
        }
        self.first = self.first.saturating_add(count);
    }

    /// Takes up what is held after `start_ns`, the latest first.
    fn lift(&mut self, start_ns: Ns) {
        while let Some(held) = self.held.back().copied().filter(|held| held.end_ns > start_ns) {
            self.held.pop_back();
            if held.start_ns < start_ns {
                self.held.push_back(Held { end_ns: start_ns, ..held });
            }
            self.lifted.push(Held { start_ns: held.start_ns.max(start_ns), ..held });
        }
    }

    /// True for a second statement about what is known; marks those that are one about this.
    fn is_known(&mut self, claimant: &Claimant) -> bool {
        // What takes no time at all is there all the same.
        let end_ns = claimant.end_ns.max(claimant.start_ns + Ns(1));
        for held in self.lifted.iter().filter(|held| held.start_ns < end_ns) {
            let at = held.owner.checked_sub(self.first);
            let Some(owner) = at.and_then(|at| self.claimants.get_mut(at)) else { continue };
            if claimant.is_second_to(owner) {
                return true;
            }
            owner.is_second |= owner.is_second_to(claimant);
        }
        false
    }

    fn yields(&self, owner: usize, to: &Claimant) -> bool {
        let at = owner.checked_sub(self.first);
        at.and_then(|at| self.claimants.get(at)).is_some_and(|owner| owner.yields_to(to))
    }

    fn lose(&mut self, owner: usize, duration_ns: Ns) {
        if let Some(owner) = owner.checked_sub(self.first).and_then(|at| self.claimants.get_mut(at)) {
            owner.net_ns -= duration_ns;
        }
    }

    fn grant(&mut self, owner: usize, start_ns: Ns, end_ns: Ns) {
        if start_ns < end_ns {
            self.lose(owner, start_ns - end_ns);
            self.hold(Held { start_ns, end_ns, owner });
        }
    }

    fn hold(&mut self, held: Held) {
        match self.held.back_mut() {
            _ if held.start_ns >= held.end_ns => {}
            Some(last) if last.owner == held.owner && last.end_ns == held.start_ns => {
                last.end_ns = held.end_ns;
            }
            _ => self.held.push_back(held),
        }
    }

    fn forget(&mut self, until_ns: Ns) {
        while let Some(held) = self.held.pop_front() {
            let end_ns = held.end_ns.min(until_ns);
            if held.start_ns >= end_ns {
                self.held.push_front(held);
                break;
            }
            self.forget_held(&Held { end_ns, ..held });
            if held.end_ns > until_ns {
                self.held.push_front(Held { start_ns: until_ns, ..held });
                break;
            }
        }
    }

    fn forget_held(&mut self, held: &Held) {
        let at = held.owner.checked_sub(self.first);
        let owner = at.and_then(|at| self.claimants.get(at));
        if owner.is_some_and(|owner| owner.cause == Cause::Task && !owner.is_second) {
            // Tasks follow one another: nothing long that is still to come began before this one ended.
            self.forgotten.clear();
            let at_ns = held.end_ns;
            self.forgotten.push(Forgotten {
                start_ns: at_ns,
                end_ns: at_ns,
                free_ns: Ns::ZERO,
                held_count: 0,
            });
            return;
        }
        let is_full = |last: &Forgotten| last.held_count >= FORGOTTEN_TOGETHER;
        if self.forgotten.is_empty() {
            // From the beginning of the trace.
            let free_ns = held.start_ns.max(Ns::ZERO);
            let gap =
                Forgotten { start_ns: Ns::ZERO, end_ns: free_ns, free_ns, held_count: FORGOTTEN_TOGETHER };
            self.forgotten.push(gap);
        }
        let end_ns = self.forgotten.last().map_or(held.start_ns, |last| last.end_ns);
        if self.forgotten.last().is_none_or(is_full) {
            self.forgotten.push(Forgotten { start_ns: end_ns, end_ns, free_ns: Ns::ZERO, held_count: 0 });
        }
        if let Some(last) = self.forgotten.last_mut() {
            let free_until_ns =
                if owner.is_some_and(|owner| owner.is_second) { held.end_ns } else { held.start_ns };
            last.free_ns += last.end_ns.until(free_until_ns);
            last.end_ns = held.end_ns;
            last.held_count = last.held_count.saturating_add(1);
        }
    }

    /// What was still free where stretches are forgotten.
    fn take_forgotten(&mut self, claimant: &Claimant) -> Ns {
        let is_inside = |forgotten: &&mut Forgotten| claimant.start_ns <= forgotten.start_ns;
        let inside = self.forgotten.iter_mut().rev().take_while(is_inside);
        let free = inside.filter(|forgotten| forgotten.end_ns <= claimant.end_ns);
        free.map(|forgotten| std::mem::take(&mut forgotten.free_ns)).sum()
    }
}
