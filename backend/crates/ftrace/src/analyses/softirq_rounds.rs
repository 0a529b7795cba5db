//! Which raise of a softirq each of its runs answers.

/// The kernel keeps the softirqs of a CPU that are pending as the bits of 32.
const MAX_VECTORS: usize = 32;

/// The vectors of a CPU, each with what is remembered of its raise. The kernel takes all that are pending at once,
/// and then runs one after the other: a vector that is raised in the meantime runs in the next round, also where it is
/// yet to run in this one.
///
/// Source: `handle_softirqs` in kernel/softirq.c, Linux 6.12.
pub struct SoftirqRounds<T> {
    vectors: [Vector<T>; MAX_VECTORS],
    /// The task in whose context the round runs. PREEMPT_RT runs the vectors of timers in their own thread.
    pid: Option<i32>,
}

#[derive(Clone, Copy)]
struct Vector<T> {
    raised: Option<T>,
    /// It is to run in the current round.
    is_taken: bool,
    /// Its raise for the next round.
    raised_again: Option<T>,
}

impl<T: Copy> Default for SoftirqRounds<T> {
    fn default() -> Self {
        let vector = Vector { raised: None, is_taken: false, raised_again: None };
        Self { vectors: [vector; MAX_VECTORS], pid: None }
    }
}

impl<T: Copy> SoftirqRounds<T> {
    fn get_mut(&mut self, vector: i64) -> Option<&mut Vector<T>> {
        self.vectors.get_mut(usize::try_from(vector).ok()?)
    }

    /// Takes note of a raise, which `run` gives back; the first of several until then counts.
    pub fn raise(&mut self, vector: i64, raised: T) {
        let Some(vector) = self.get_mut(vector) else { return };
        // What is pending already does not change by a second raise.
        let slot = if vector.is_taken { &mut vector.raised_again } else { &mut vector.raised };
        slot.get_or_insert(raised);
    }

    /// The raise of the vector that begins to run.
    pub fn run(&mut self, vector: i64, pid: Option<i32>) -> Option<T> {
        let goes_on = self.pid == pid && self.get_mut(vector)?.is_taken;
        if !goes_on {
            self.begin_round(vector);
            self.pid = pid;
        }
        let vector = self.get_mut(vector)?;
        vector.is_taken = false;
        std::mem::replace(&mut vector.raised, vector.raised_again.take())
    }

    /// What is pending is taken, but not what would have run before `first`: it was raised a moment later.
    fn begin_round(&mut self, first: i64) {
        for (number, vector) in (0_i64..).zip(&mut self.vectors) {
            let again = vector.raised_again.take();
            vector.raised = vector.raised.or(again);
            vector.is_taken = number >= first && vector.raised.is_some();
        }
    }

    /// Raises that nothing has answered.
    pub fn waiting(&self) -> impl Iterator<Item = T> {
        self.vectors.iter().flat_map(|vector| [vector.raised, vector.raised_again]).flatten()
    }
}
