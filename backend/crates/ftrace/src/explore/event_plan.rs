//! Which blocks a page of events is made from.

use std::collections::VecDeque;

use hashbrown::HashSet;

use super::event_request::{EventRequest, Order};
use crate::store::read::headers::EventHeader;

/// The blocks of one step of a page.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    pub blocks: Vec<i32>,
    /// Where the search continues if these blocks do not fill the page; `None` where there are no more.
    pub next_seq: Option<i64>,
}

/// The blocks to look at next. `headers` are of all event blocks, because `seq` counts from the trace's first event;
/// `holding` are those that can hold a match, if not all of them.
pub fn step(request: &EventRequest, headers: &[EventHeader], holding: Option<&HashSet<i32>>) -> Step {
    let may_match = |block: i32| holding.is_none_or(|holding| holding.contains(&block));
    let mut first_seq = 0_i64;
    let mut wanted: VecDeque<(i32, i64, i64)> = VecDeque::new();
    for EventHeader { block, t0, t1, count } in headers.iter().copied() {
        let last_seq = first_seq.saturating_add(count).saturating_sub(1);
        let is_in_window = t0 < request.window.end_ns && t1 >= request.window.start_ns;
        if is_in_window && may_match(block) && (request.is_ahead(first_seq) || request.is_ahead(last_seq)) {
            match request.order {
                Order::Forwards => wanted.push_back((block, first_seq, count)),
                Order::Backwards => wanted.push_front((block, first_seq, count)),
            }
        }
        first_seq = first_seq.saturating_add(count);
    }
    let mut step = Step { blocks: Vec::new(), next_seq: None };
    let mut event_count = 0_i64;
    for (block, first_seq, count) in wanted {
        let last_seq = first_seq.saturating_add(count).saturating_sub(1);
        if event_count >= request.step_events() {
            step.next_seq = Some(if request.order == Order::Forwards { first_seq } else { last_seq });
            break;
        }
        step.blocks.push(block);
        event_count = event_count.saturating_add(request.events_ahead(first_seq, last_seq));
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::request::Params;

    fn request(params: &str) -> EventRequest {
        EventRequest::from_params(&Params::parse(params).unwrap()).unwrap()
    }

    /// A step over three blocks of `count` events and 10 ns each.
    fn step_of(params: &str, count: i64, holding: Option<&[i32]>) -> (Vec<i32>, Option<i64>) {
        let header = |block: i32| {
            let t0 = i64::from(block) * 10;
            EventHeader { block, t0, t1: t0 + 9, count }
        };
        let holding = holding.map(|blocks| blocks.iter().copied().collect());
        let Step { blocks, next_seq } = step(&request(params), &[0, 1, 2].map(header), holding.as_ref());
        (blocks, next_seq)
    }

    #[test]
    fn a_search_begins_with_a_block_and_says_where_to_go_on() {
        let step = |params: &str| step_of(params, 9_000, None);
        assert_eq!(step(r#"{"end":99,"cpu":1}"#), (vec![0], Some(9_000)));
        assert_eq!(step(r#"{"end":99,"q":"x","order":"desc"}"#), (vec![2], Some(17_999)));
        assert_eq!(step(r#"{"end":99,"q":"x","cursor":"at-18000"}"#), (vec![2], None));
        assert_eq!(step(r#"{"start":12,"end":15}"#), (vec![1], None));
    }

    #[test]
    fn later_steps_of_a_search_look_at_more_but_not_at_everything() {
        let headers: Vec<EventHeader> =
            (0..20).map(|block| EventHeader { block, t0: 0, t1: 9, count: 8_192 }).collect();
        let block_count = |number: i64| {
            let request = EventRequest { step: number, ..request(r#"{"end":99,"q":"x"}"#) };
            step(&request, &headers, None).blocks.len()
        };
        assert_eq!([0, 1, 2, 3, 4, i64::MAX].map(block_count), [1, 2, 4, 8, 8, 8]);
    }

    #[test]
    fn times_of_the_filter_leave_out_blocks() {
        assert_eq!(step_of(r#"{"end":99,"q":"t>=12 t<20"}"#, 5, None), (vec![1], None));
    }

    #[test]
    fn a_page_without_a_filter_takes_only_what_it_shows() {
        let step = |params: &str| step_of(params, 500, None);
        assert_eq!(step(r#"{"end":99}"#), (vec![0], Some(500)));
        assert_eq!(step(r#"{"end":99,"cursor":"at-450"}"#), (vec![0, 1], Some(1_000)));
        assert_eq!(step(r#"{"end":99,"order":"desc","cursor":"at-1010"}"#), (vec![2, 1], Some(499)));
    }

    #[test]
    fn blocks_that_hold_nothing_wanted_are_skipped() {
        let step = |holding: &[i32]| step_of(r#"{"end":99,"cpu":3}"#, 9_000, Some(holding));
        assert_eq!(step(&[]), (vec![], None));
        assert_eq!(step(&[2]), (vec![2], None));
        // Events in skipped blocks are numbered all the same.
        assert_eq!(step(&[1, 2]), (vec![1], Some(18_000)));
    }
}
