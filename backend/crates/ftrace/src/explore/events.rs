//! Events one by one: a page of them, filtered, in the order of the trace or backwards.

use super::event_item::EventItem;
use super::event_plan::{Step, step};
use super::event_request::EventRequest;
use super::event_selection::Selection;
use super::page::Cursor;
use super::protocol::{Answer, Stored};
use super::wanted::Wanted;
use super::{ExploreError, answer_json};
use crate::store::read::blocks::EventBlock;
use crate::store::read::dictionaries::{self, Dictionary, EventType, Task};
use crate::store::read::headers::read_events;
use crate::store::read::read_rows;
use crate::store::tables;
use crate::store::tables::projections::EVENT_HEADER;

/// GET events: a page of them. A rare match is searched for step by step, until the page is full, the trace ends,
/// or the caller prefers to continue from a short page.
pub async fn events(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let mut request = EventRequest::from_params(&params)?;
    let [headers, task, event_type] = stored.whole([&EVENT_HEADER, &tables::TASK, &tables::EVENT_TYPE]).await;
    let headers = read_events(&headers)?;
    let tasks = dictionaries::read_tasks(&task)?;
    let types = dictionaries::read_event_types(&event_type)?;
    let holding = Wanted::from_params(&params, &tasks, &types)?.event_blocks(&stored).await?;
    let mut page = Page::default();
    loop {
        let step = step(&request, &headers, holding.as_ref());
        let event_block = stored.part(stored.numbered(EventBlock::TABLE, &step.blocks)).await;
        page.add(&request, &step, &event_block, (&tasks, &types))?;
        request.limit = request.limit.saturating_sub(page.added);
        request.step = request.step.saturating_add(1);
        match page.next {
            Some(next) if request.limit > 0 && !stored.is_late() => request.cursor = Some(next),
            _ => return page.answer(),
        }
    }
}

/// A page in the making.
#[derive(Default)]
struct Page {
    /// JSON of the items, each followed by a comma.
    items: Vec<u8>,
    /// How many items the last step added.
    added: usize,
    next: Option<Cursor>,
}

impl Page {
    fn add(
        &mut self,
        request: &EventRequest,
        step: &Step,
        event_block: &[u8],
        (tasks, types): (&Dictionary<Task<'_>>, &Dictionary<EventType<'_>>),
    ) -> Result<(), ExploreError> {
        let mut blocks = read_rows(EventBlock::TABLE, event_block, EventBlock::read)?;
        blocks.sort_by_key(|block| block.first_seq);
        let selection = Selection::new(request, tasks, types);
        let mut matches = selection.matches(&blocks);
        self.added = 0;
        for (seq, event) in matches.by_ref().take(request.limit) {
            self.items.extend(answer_json(&EventItem::new(seq, event))?);
            self.items.push(b',');
            self.added = self.added.saturating_add(1);
        }
        // A page ends with a cursor only if something can follow it: a match, or blocks not looked at.
        let next_seq = matches.next().map(|(seq, _)| seq).or(step.next_seq);
        self.next = next_seq.and_then(|seq| usize::try_from(seq).ok()).map(Cursor);
        Ok(())
    }

    fn answer(self) -> Answer {
        let items = self.items.strip_suffix(b",").unwrap_or_default();
        let next = answer_json(&self.next)?;
        Ok([b"{\"items\":[", items, b"],\"next\":", &next, b"}"].concat())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::super::fixture::{Event, event_block, event_types, readable, tasks};
    use super::super::protocol::{Shelf, ask};
    use super::*;
    use crate::model::Flags;

    /// Five events a block. Times run backwards once, as they do in files.
    fn trace() -> Vec<u8> {
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
        let (first, second) = (event_block(0, 0, &rows[..5]), event_block(1, 5, &rows[5..]));
        // One stream ends with two bytes, the other begins with a header.
        [&first[..first.len() - 2], &second[19..]].concat()
    }

    fn answer(request: &str) -> Result<Vec<u8>, ExploreError> {
        let request = format!(r#"{{"trace":{{"duration_ns":50,"buffers":[null,"rt"]}},{request}}}"#);
        let shelf = Shelf::default()
            .with(EventBlock::TABLE, trace())
            .with(&tables::TASK, tasks(&[(Some(7), None, "sh"), (Some(0), Some(1), "<idle>")]))
            .with(&tables::EVENT_TYPE, event_types(&[("softirq_raise", "tracepoint"), ("print", "print")]));
        ask("events", &request, &shelf)
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
}
