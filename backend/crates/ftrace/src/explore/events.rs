//! Events one by one: a page of them, filtered, in the order of the trace or backwards.

use std::collections::VecDeque;

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

use super::blocks::{EventBlock, read_rows};
use super::dictionaries::{self, Dictionary, EventType, Task};
use super::event_item::EventItem;
use super::filter::{EventParts, EventView, Filter};
use super::page::{self, Cursor};
use super::request::{Params, Window};
use super::{ExploreError, answer_json};
use crate::model::Flags;

/// Events that one step of a page looks at, so that a rare match does not hold up a request.
const STEP_EVENTS: i64 = 131_072;

/// `block, t0, t1, count` of an event block.
type BlockHeader = (i32, i64, i64, i64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Forwards,
    Backwards,
}

struct Request {
    window: Window,
    order: Order,
    limit: usize,
    cursor: Option<Cursor>,
    cpus: Vec<i16>,
    pids: Vec<i32>,
    events: Vec<String>,
    comms: Vec<String>,
    filter: Filter,
    buffers: Vec<Option<String>>,
}

impl Request {
    fn parse(request: &str) -> Result<Self, ExploreError> {
        let params = Params::parse(request)?;
        let orders = [("asc", Order::Forwards), ("desc", Order::Backwards)];
        Ok(Self {
            window: params.window()?,
            order: params.choice("order", &orders, Order::Forwards)?,
            limit: page::limit(&params)?,
            cursor: Cursor::from_params(&params)?,
            cpus: params.ints("cpu")?,
            pids: params.ints("pid")?,
            events: params.names("event")?,
            comms: params.name_or_list("comm")?,
            filter: Filter::from_params(&params)?,
            buffers: params.trace_buffers().to_vec(),
        })
    }

    /// Number of the event that the page begins at, counted from the trace's first.
    fn first_seq(&self) -> i64 {
        let end = if self.order == Order::Forwards { 0 } else { i64::MAX };
        self.cursor.map_or(end, |Cursor(seq)| i64::try_from(seq).unwrap_or(i64::MAX))
    }

    /// How many of a block's events stand on the page or after it.
    fn events_ahead(&self, first_seq: i64, last_seq: i64) -> i64 {
        let (low, high) = match self.order {
            Order::Forwards => (first_seq.max(self.first_seq()), last_seq),
            Order::Backwards => (first_seq, last_seq.min(self.first_seq())),
        };
        high.saturating_sub(low).saturating_add(1).max(0)
    }

    /// Events that one step looks at: where nothing is filtered, no more than the page holds.
    fn step_events(&self) -> i64 {
        let is_filtered = !(self.cpus.is_empty()
            && self.pids.is_empty()
            && self.events.is_empty()
            && self.comms.is_empty()
            && self.filter.is_empty());
        if is_filtered { STEP_EVENTS } else { i64::try_from(self.limit).unwrap_or(STEP_EVENTS) }
    }

    /// True where an event of this number stands on the page or after it.
    fn is_ahead(&self, seq: i64) -> bool {
        match self.order {
            Order::Forwards => seq >= self.first_seq(),
            Order::Backwards => seq <= self.first_seq(),
        }
    }
}

/// The blocks of one step of a page.
#[derive(Debug, Deserialize, Serialize)]
struct EventPlan {
    /// Block and number of its first event.
    blocks: Vec<(i32, i64)>,
    /// Where the search goes on if these blocks do not fill the page; `None` where there are no more.
    next_seq: Option<i64>,
}

/// What a block must hold for an event of it to match: one of each list that is there.
#[derive(Serialize)]
struct Wanted {
    cpus: Option<Vec<i16>>,
    tasks: Option<Vec<i32>>,
    types: Option<Vec<i32>>,
}

/// JSON `{"cpus": [..] | null, "tasks": .., "types": ..}`: which CPUs, and which indices of the dictionaries, the
/// parameters `cpu`, `pid`, `comm` and `event` leave; null where they leave all. A block without one of a list
/// has no match, be it of events or of latencies.
pub fn wanted_in_blocks(request: &str, task: &[u8], event_type: &[u8]) -> Result<Vec<u8>, ExploreError> {
    let params = Params::parse(request)?;
    let (cpus, pids, events) = (params.ints("cpu")?, params.ints("pid")?, params.names("event")?);
    let tasks = dictionaries::read_tasks(task)?;
    let types = dictionaries::read_event_types(event_type)?;
    let sorted = |indices: HashSet<i32>| {
        let mut indices: Vec<i32> = indices.into_iter().collect();
        indices.sort_unstable();
        indices
    };
    answer_json(&Wanted {
        cpus: (!cpus.is_empty()).then_some(cpus),
        tasks: task_indices(&tasks, &pids, &params.name_or_list("comm")?).map(sorted),
        types: type_indices(&types, &events).map(sorted),
    })
}

/// Indices of the tasks that are meant; `None` where all are.
fn task_indices(tasks: &Dictionary<Task<'_>>, pids: &[i32], comms: &[String]) -> Option<HashSet<i32>> {
    let is_wanted = |task: &Task<'_>| {
        (pids.is_empty() || task.pid.is_some_and(|pid| pids.contains(&pid)))
            && (comms.is_empty() || comms.iter().any(|comm| comm == task.comm))
    };
    let wanted = tasks.iter().filter(|(_, task)| is_wanted(task)).map(|(idx, _)| idx);
    (!pids.is_empty() || !comms.is_empty()).then(|| wanted.collect())
}

/// Indices of the event types that are meant; `None` where all are.
fn type_indices(types: &Dictionary<EventType<'_>>, names: &[String]) -> Option<HashSet<i32>> {
    let wanted = types.iter().filter(|(_, found)| names.iter().any(|name| name == found.name));
    (!names.is_empty()).then(|| wanted.map(|(idx, _)| idx).collect())
}

/// JSON plan of the blocks to look at, from `[[block, t0, t1, count], ...]` of all event blocks. `holding` is JSON
/// of the numbers of those that hold what [`wanted_in_blocks`] says, or null where that is not known.
pub fn plan_events(request: &str, headers: &str, holding: &str) -> Result<String, ExploreError> {
    let request = Request::parse(request)?;
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

#[derive(Serialize)]
struct EventPage<'a> {
    items: Vec<EventItem<'a>>,
    next: Option<Cursor>,
}

/// JSON page of events. A step can end before the page is full; `next` then goes on behind it.
pub fn events(
    request: &str,
    plan: &str,
    event_block: &[u8],
    task: &[u8],
    event_type: &[u8],
) -> Result<Vec<u8>, ExploreError> {
    let request = Request::parse(request)?;
    let plan: EventPlan =
        serde_json::from_str(plan).map_err(|error| ExploreError::bad("plan", error.to_string()))?;
    let tasks = dictionaries::read_tasks(task)?;
    let types = dictionaries::read_event_types(event_type)?;
    let mut blocks = read_rows(EventBlock::TABLE, event_block, EventBlock::read)?;
    blocks.sort_by_key(|block| block.first_seq);
    let selection = Selection::new(&request, &tasks, &types);
    let mut found = selection.matches(&blocks);
    let items: Vec<EventItem<'_>> =
        found.by_ref().take(request.limit).map(|(seq, event)| EventItem::new(seq, event)).collect();
    // A page ends with a cursor only if something can follow it: a match, or blocks not looked at.
    let next_seq = found.next().map(|(seq, _)| seq).or(plan.next_seq);
    let next = next_seq.and_then(|seq| usize::try_from(seq).ok()).map(Cursor);
    answer_json(&EventPage { items, next })
}

/// What a request asks for, in terms of the dictionaries' indices where that is cheaper.
struct Selection<'r, 'd, 'a> {
    request: &'r Request,
    tasks: &'d Dictionary<Task<'a>>,
    types: &'d Dictionary<EventType<'a>>,
    /// `None` where all are wanted.
    task_idx: Option<HashSet<i32>>,
    type_idx: Option<HashSet<i32>>,
}

impl<'r, 'd, 'a> Selection<'r, 'd, 'a> {
    fn new(
        request: &'r Request,
        tasks: &'d Dictionary<Task<'a>>,
        types: &'d Dictionary<EventType<'a>>,
    ) -> Self {
        let Request { pids, comms, events, .. } = request;
        let (task_idx, type_idx) = (task_indices(tasks, pids, comms), type_indices(types, events));
        Self { request, tasks, types, task_idx, type_idx }
    }

    /// Matching events with their numbers, in the request's order.
    fn matches<'b>(&'b self, blocks: &'b [EventBlock<'a>]) -> impl Iterator<Item = (i64, EventParts<'b>)> + 'b
    where
        'a: 'b,
    {
        let rows = blocks.iter().flat_map(|block| (0..block.t_ns.len()).map(move |row| (block, row)));
        let rows: Box<dyn Iterator<Item = _> + 'b> = match self.request.order {
            Order::Forwards => Box::new(rows),
            Order::Backwards => {
                let blocks = blocks.iter().rev();
                Box::new(blocks.flat_map(|block| (0..block.t_ns.len()).rev().map(move |row| (block, row))))
            }
        };
        rows.filter_map(|(block, row)| {
            let seq = block.first_seq.saturating_add(i64::try_from(row).ok()?);
            let event = self.request.is_ahead(seq).then(|| self.event(block, row))??;
            self.request.filter.holds(&EventView::new(event)).then_some((seq, event))
        })
    }

    /// The event in a row, unless the request's plain parameters leave it out.
    fn event<'b>(&'b self, block: &'b EventBlock<'a>, row: usize) -> Option<EventParts<'b>> {
        let request = self.request;
        let t_ns = *block.t_ns.get(row)?;
        let cpu = *block.cpu.get(row)?;
        let task_idx = *block.task_idx.get(row)?;
        let type_idx = i32::from(*block.type_idx.get(row)?);
        let is_wanted = request.window.contains(t_ns)
            && (request.cpus.is_empty() || request.cpus.contains(&cpu))
            && self.task_idx.as_ref().is_none_or(|wanted| wanted.contains(&task_idx))
            && self.type_idx.as_ref().is_none_or(|wanted| wanted.contains(&type_idx));
        if !is_wanted {
            return None;
        }
        let task = self.tasks.get(task_idx);
        let event_type = self.types.get(type_idx);
        let buffer = usize::try_from(*block.buffer.get(row)?).ok().and_then(|idx| request.buffers.get(idx));
        Some(EventParts {
            t_ns,
            cpu,
            buffer: buffer.and_then(Option::as_deref),
            pid: task.and_then(|task| task.pid),
            comm: task.map(|task| task.comm),
            event: event_type.map_or("", |event_type| event_type.name),
            kind: event_type.map_or("", |event_type| event_type.kind),
            flags: Flags(block.flags.get(row)?.cast_unsigned()),
            text: block.args.get(row).copied()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::super::fixture::{Event, event_block, event_types, readable, tasks};
    use super::*;

    /// Five events a block. Times run backwards once, as they do in files.
    fn trace() -> (Vec<Vec<u8>>, Vec<BlockHeader>) {
        let event = |t, cpu, event_type, text| Event {
            t,
            cpu,
            task: Some(i32::from(cpu)),
            event_type,
            flags: 0,
            buffer: cpu,
            text,
        };
        let known = Flags(Flags::KNOWN | Flags::IRQS_OFF).with_depths(2, 0, 0);
        let rows = [
            Event { flags: known.0.cast_signed(), ..event(0, 0, 0, "vec=1 [action=TIMER]") },
            event(10, 1, 1, "hello \u{1b}<b>"),
            event(5, 0, 0, "vec=9 [action=RCU]"),
            event(20, 1, 0, "vec=1 [action=TIMER]"),
            Event { task: None, ..event(30, 1, 0, "vec=3 [action=NET_RX]") },
            event(40, 0, 1, "B|7|work"),
            event(50, 1, 0, "vec=1 [action=TIMER]"),
        ];
        let blocks = [&rows[..5], &rows[5..]];
        let streams = blocks.iter().zip([(0, 0), (1, 5)]);
        let streams = streams.map(|(rows, (block, first_seq))| event_block(block, first_seq, rows)).collect();
        (streams, vec![(0, 0, 30, 5), (1, 40, 50, 2)])
    }

    fn answer(request: &str) -> Result<Vec<u8>, ExploreError> {
        let (streams, headers) = trace();
        let request = format!(r#"{{"trace":{{"duration_ns":50,"buffers":[null,"rt"]}},{request}}}"#);
        let plan = plan_events(&request, &serde_json::to_string(&headers).unwrap(), "null")?;
        let parsed: EventPlan = serde_json::from_str(&plan).unwrap();
        let rows: Vec<&[u8]> = parsed
            .blocks
            .iter()
            .map(|(block, _)| &streams[usize::try_from(*block).unwrap()])
            .map(|stream| &stream[19..stream.len() - 2])
            .collect();
        let stream = [&streams[0][..19], &rows.concat(), &[0xff, 0xff]].concat();
        let tasks = tasks(&[(Some(7), None, "sh"), (Some(0), Some(1), "<idle>")]);
        let types = event_types(&[("softirq_raise", "tracepoint"), ("print", "print")]);
        events(&request, &plan, &stream, &tasks, &types)
    }

    /// Numbers of the events on a page, and its next cursor.
    fn check(request: &str, expected: &str) {
        let found = answer(request).map(|json| {
            let page: serde_json::Value = serde_json::from_slice(&json).unwrap();
            let seqs = page["items"].as_array().unwrap().iter().map(|item| item["seq"].to_string());
            format!("{} next {}", seqs.collect::<Vec<_>>().join(" "), page["next"])
        });
        assert_eq!(found.unwrap_or_else(|error| error.to_string()), expected, "{request}");
    }

    #[test]
    fn items_hold_typed_fields_and_the_printed_text() {
        let expected: Expect = expect![[r#"
            {"items":[
              {"seq":0,"t":0,"cpu":0,"buffer":null,"pid":7,"comm":"sh","event":"softirq_raise","flags":{"irqs_off":true,"need_resched":false,"need_resched_lazy":false,"preempt_resched":false,"hardirq":false,"softirq":false,"nmi":false,"bh_off":false,"preempt_depth":2,"preempt_lazy_depth":0,"migrate_disable_depth":0},"args":{"vec":1,"action":"TIMER"},"raw":"vec=1 [action=TIMER]"},
              {"seq":1,"t":10,"cpu":1,"buffer":"rt","pid":0,"comm":"<idle>","event":"print","flags":null,"args":{},"raw":"hello \u001b<b>"}
            ],
            "next":"at-2"}"#]];
        expected.assert_eq(&readable(&answer(r#""limit":2"#).unwrap()));
    }

    #[test]
    fn pages_go_both_ways() {
        check(r#""limit":4"#, "0 1 2 3 next \"at-4\"");
        check(r#""limit":4,"cursor":"at-4""#, "4 5 6 next null");
        check(r#""limit":4,"order":"desc""#, "6 5 4 3 next \"at-2\"");
        check(r#""limit":4,"order":"desc","cursor":"at-2""#, "2 1 0 next null");
    }

    #[test]
    fn parameters_and_filter_must_all_hold() {
        check(r#""cpu":1,"event":"softirq_raise""#, "3 4 6 next null");
        check(r#""pid":"7""#, "0 2 5 next null");
        check(r#""comm":"<idle>","q":"vec=1""#, "3 6 next null");
        check(r#""start":5,"end":31"#, "1 2 3 4 next null");
        check(r#""q":"vec>1 -action:RCU","limit":1"#, "4 next null");
        check(r#""q":"buffer:rt vec=1""#, "3 6 next null");
        check(r#""event":["print"],"limit":1"#, "1 next \"at-5\"");
        check(r#""event":"nothing""#, " next null");
    }

    #[test]
    fn a_step_is_bounded_and_says_where_to_go_on() {
        let headers = r#"[[0,0,9,100000],[1,9,19,100000],[2,19,29,100000]]"#;
        let plan = |request: &str| plan_events(request, headers, "null").unwrap();
        assert_eq!(plan(r#"{"end":99,"cpu":1}"#), r#"{"blocks":[[0,0],[1,100000]],"next_seq":200000}"#);
        assert_eq!(
            plan(r#"{"end":99,"q":"x","order":"desc"}"#),
            r#"{"blocks":[[2,200000],[1,100000]],"next_seq":99999}"#
        );
        assert_eq!(plan(r#"{"end":99,"cursor":"at-200000"}"#), r#"{"blocks":[[2,200000]],"next_seq":null}"#);
        assert_eq!(plan(r#"{"start":12,"end":15}"#), r#"{"blocks":[[1,100000]],"next_seq":null}"#);
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

    proptest! {
        #[test]
        fn pages_hold_every_event_once(limit in 1_usize..9, backwards: bool, only in proptest::option::of(0_i16..2)) {
            let order = if backwards { "desc" } else { "asc" };
            let cpu = only.map_or("null".to_owned(), |cpu| cpu.to_string());
            let mut seen: Vec<i64> = Vec::new();
            let mut cursor = "null".to_owned();
            loop {
                let request = format!(r#""limit":{limit},"order":"{order}","cpu":{cpu},"cursor":{cursor}"#);
                let page: serde_json::Value = serde_json::from_slice(&answer(&request).unwrap()).unwrap();
                seen.extend(page["items"].as_array().unwrap().iter().map(|item| item["seq"].as_i64().unwrap()));
                if page["next"].is_null() { break; }
                cursor = page["next"].to_string();
            }
            if backwards { seen.reverse(); }
            let expected: &[i64] = match only { None => &[0, 1, 2, 3, 4, 5, 6], Some(0) => &[0, 2, 5], _ => &[1, 3, 4, 6] };
            prop_assert_eq!(seen, expected);
        }
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

    #[test]
    fn plain_parameters_say_what_a_block_must_hold() {
        let wanted = |request: &str| {
            let answer = wanted_in_blocks(
                request,
                &tasks(&[(Some(7), None, "sh")]),
                &event_types(&[("print", "print")]),
            )
            .unwrap();
            String::from_utf8(answer).unwrap()
        };
        assert_eq!(wanted(r#"{"end":99}"#), r#"{"cpus":null,"tasks":null,"types":null}"#);
        assert_eq!(wanted(r#"{"end":99,"cpu":1,"pid":999999}"#), r#"{"cpus":[1],"tasks":[],"types":null}"#);
        assert_eq!(wanted(r#"{"end":99,"comm":"sh"}"#), r#"{"cpus":null,"tasks":[0],"types":null}"#);
        assert_eq!(wanted(r#"{"end":99,"event":"nothing"}"#), r#"{"cpus":null,"tasks":null,"types":[]}"#);
    }
}
