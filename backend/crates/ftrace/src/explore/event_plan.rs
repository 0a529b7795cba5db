//! Which blocks a page of events is made from.

use std::collections::VecDeque;

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

use super::event_request::{EventRequest, Order};
use super::{ExploreError, answer_json};

/// `block, t0, t1, count` of an event block.
pub type BlockHeader = (i32, i64, i64, i64);

/// The blocks of one step of a page.
#[derive(Debug, Deserialize, Serialize)]
pub struct EventPlan {
    /// Block and number of its first event.
    pub blocks: Vec<(i32, i64)>,
    /// Where the search goes on if these blocks do not fill the page; `None` where there are no more.
    pub next_seq: Option<i64>,
}

/// JSON plan of the blocks to look at, from `[[block, t0, t1, count], ...]` of all event blocks. `holding` is JSON
/// of the numbers of those that hold what [`wanted_in_blocks`](super::wanted_in_blocks) says, or null where that is not known.
pub fn plan_events(request: &str, headers: &str, holding: &str) -> Result<String, ExploreError> {
    let request = EventRequest::parse(request)?;
    let holding: Option<Vec<i32>> =
        serde_json::from_str(holding).map_err(|error| ExploreError::bad("holding", error.to_string()))?;
    let holding: Option<HashSet<i32>> = holding.map(|blocks| blocks.into_iter().collect());
    let may_match = |block: i32| holding.as_ref().is_none_or(|holding| holding.contains(&block));
    let headers: Vec<BlockHeader> =
        serde_json::from_str(headers).map_err(|error| ExploreError::bad("headers", error.to_string()))?;
    let mut first_seq = 0_i64;
    let mut wanted: VecDeque<(i32, i64, i64)> = VecDeque::new();
    for (block, t0, t1, count) in headers {
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
    let mut plan = EventPlan { blocks: Vec::new(), next_seq: None };
    let mut event_count = 0_i64;
    for (block, first_seq, count) in wanted {
        let last_seq = first_seq.saturating_add(count).saturating_sub(1);
        if event_count >= request.step_events() {
            plan.next_seq = Some(if request.order == Order::Forwards { first_seq } else { last_seq });
            break;
        }
        plan.blocks.push((block, first_seq));
        event_count = event_count.saturating_add(request.events_ahead(first_seq, last_seq));
    }
    answer_json(&plan).map(|json| String::from_utf8_lossy(&json).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_begins_with_a_block_and_says_where_to_go_on() {
        let headers = r#"[[0,0,9,9000],[1,9,19,9000],[2,19,29,9000]]"#;
        let plan = |request: &str| plan_events(request, headers, "null").unwrap();
        assert_eq!(plan(r#"{"end":99,"cpu":1}"#), r#"{"blocks":[[0,0]],"next_seq":9000}"#);
        assert_eq!(
            plan(r#"{"end":99,"q":"x","order":"desc"}"#),
            r#"{"blocks":[[2,18000]],"next_seq":17999}"#
        );
        assert_eq!(
            plan(r#"{"end":99,"q":"x","cursor":"at-18000"}"#),
            r#"{"blocks":[[2,18000]],"next_seq":null}"#
        );
        assert_eq!(plan(r#"{"start":12,"end":15}"#), r#"{"blocks":[[1,9000]],"next_seq":null}"#);
    }

    #[test]
    fn later_steps_of_a_search_look_at_more_but_not_at_everything() {
        let headers: Vec<BlockHeader> = (0..20).map(|block| (block, 0, 9, 8_192)).collect();
        let headers = serde_json::to_string(&headers).unwrap();
        let block_count = |step: i64| {
            let plan =
                plan_events(&format!(r#"{{"end":99,"q":"x","step":{step}}}"#), &headers, "null").unwrap();
            serde_json::from_str::<EventPlan>(&plan).unwrap().blocks.len()
        };
        assert_eq!([0, 1, 2, 3, 4, i64::MAX].map(block_count), [1, 2, 4, 8, 8, 8]);
    }

    #[test]
    fn times_of_the_filter_leave_out_blocks() {
        let headers = r#"[[0,0,9,5],[1,10,19,5],[2,20,29,5]]"#;
        let plan = plan_events(r#"{"end":99,"q":"t>=12 t<20"}"#, headers, "null").unwrap();
        assert_eq!(plan, r#"{"blocks":[[1,5]],"next_seq":null}"#);
    }

    #[test]
    fn a_page_without_a_filter_takes_only_what_it_shows() {
        let headers = r#"[[0,0,9,500],[1,9,19,500],[2,19,29,500]]"#;
        let plan = |request: &str| plan_events(request, headers, "null").unwrap();
        assert_eq!(plan(r#"{"end":99}"#), r#"{"blocks":[[0,0]],"next_seq":500}"#);
        assert_eq!(plan(r#"{"end":99,"cursor":"at-450"}"#), r#"{"blocks":[[0,0],[1,500]],"next_seq":1000}"#);
        assert_eq!(
            plan(r#"{"end":99,"order":"desc","cursor":"at-1010"}"#),
            r#"{"blocks":[[2,1000],[1,500]],"next_seq":499}"#
        );
    }

    #[test]
    fn blocks_that_hold_nothing_wanted_are_passed_over() {
        let headers = "[[0, 0, 9, 5], [1, 10, 19, 5], [2, 20, 29, 5]]";
        let plan = |holding: &str| plan_events(r#"{"end":99,"cpu":3}"#, headers, holding).unwrap();
        let numbers = |plan: String| serde_json::from_str::<EventPlan>(&plan).unwrap().blocks;
        // Numbers of events go on counting through what is passed over.
        assert_eq!(numbers(plan("[2]")), [(2, 10)]);
        assert_eq!(numbers(plan("[]")), []);
        assert_eq!(numbers(plan("null")), [(0, 0), (1, 5), (2, 10)]);
    }
}
