//! Work on several processors at once, with the outcome of one piece after the other.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Other questions want processors, too.
const MAX_THREADS: usize = 4;
/// Fewer pieces take less time than a thread needs to begin.
const MIN_PIECES: usize = 4;
/// As much as the threads have that ask.
const STACK_BYTES: usize = 8 << 20;

static THREADS: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS));

/// What `work` makes of each of the pieces, with what that cost, in their order; only of those before which all others
/// have cost less than `max_cost`.
pub fn side_by_side<P: Sync, T: Send>(
    pieces: &[P],
    max_cost: usize,
    work: impl Fn(&P) -> (usize, T) + Sync,
) -> Vec<(usize, T)> {
    side_by_side_on(if pieces.len() < MIN_PIECES { 1 } else { *THREADS }, pieces, max_cost, work)
}

fn side_by_side_on<P: Sync, T: Send>(
    threads: usize,
    pieces: &[P],
    max_cost: usize,
    work: impl Fn(&P) -> (usize, T) + Sync,
) -> Vec<(usize, T)> {
    let (next, spent) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // Pieces are taken in their order: where the limit is reached, all are done that count, and perhaps a few more.
    let work_on = || {
        let mut done = Vec::new();
        while spent.load(Ordering::Relaxed) < max_cost {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(at) else { break };
            let (cost, outcome) = work(piece);
            spent.fetch_add(cost, Ordering::Relaxed);
            done.push((at, cost, outcome));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let builder = || thread::Builder::new().stack_size(STACK_BYTES);
        // Where no thread can be had, this one does it all.
        let others: Vec<_> =
            (1..threads).filter_map(|_| builder().spawn_scoped(scope, work_on).ok()).collect();
        let mut done = work_on();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(at, ..)| *at);
    let mut before = 0_usize;
    let is_within = |(cost, _): &(usize, T)| {
        let is_within = before < max_cost;
        before = before.saturating_add(*cost);
        is_within
    };
    done.into_iter().map(|(_, cost, outcome)| (cost, outcome)).take_while(is_within).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_number_of_threads_has_the_same_outcome(
            costs in prop::collection::vec(0..50_usize, 0..40),
            max_cost in 0..600_usize,
            threads in 2..6_usize,
        ) {
            let pieces: Vec<(usize, usize)> = costs.into_iter().enumerate().collect();
            let work = |(number, cost): &(usize, usize)| (*cost, *number);
            let alone = side_by_side_on(1, &pieces, max_cost, work);
            let mut before = 0;
            for ((cost, at), (number, expected)) in alone.iter().zip(&pieces) {
                prop_assert_eq!((at, cost), (number, expected));
                prop_assert!(before < max_cost);
                before += cost;
            }
            prop_assert!(alone.len() == pieces.len() || before >= max_cost);
            prop_assert_eq!(side_by_side_on(threads, &pieces, max_cost, work), alone);
        }
    }

    #[test]
    #[should_panic(expected = "piece 3")]
    fn a_panic_is_not_lost() {
        side_by_side_on(3, &[1, 2, 3, 4, 5, 6], usize::MAX, |number| {
            assert_ne!(*number, 3, "piece 3");
            (1, ())
        });
    }
}
