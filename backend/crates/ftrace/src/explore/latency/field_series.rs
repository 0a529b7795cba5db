//! Any field of any event that holds a number, as samples: read from the events themselves.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::case_id::CaseId;

use crate::analyses::{IncompleteReason, SampleFlags, TraceClock, impossible};
use crate::events::{pair_number, pairs};
use crate::explore::ExploreError;
use crate::explore::protocol::Stored;
use crate::explore::request::Params;
use crate::kinds::FIELD;
use crate::model::Ns;
use crate::store::decode::DecodeError;
use crate::store::read::blocks::EventBlock;
use crate::store::read::dictionaries::{Dictionary, EventType, Symbol, read_event_fields, read_event_types};
use crate::store::read::name_idx::Name;
use crate::store::read::read_rows;
use crate::store::read::samples::StoredLatency;
use crate::store::tables;

const UNITS: [(&str, Option<i64>); 5] = [
    ("ns", Some(1)),
    ("us", Some(1_000)),
    ("ms", Some(1_000_000)),
    ("s", Some(1_000_000_000)),
    ("none", None),
];

/// One field of the events of one name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldSeries {
    /// `timer_start.timeout`
    pub name: String,
    event: String,
    field: String,
    /// The types of events that bear the name.
    pub types: Vec<i16>,
    /// `None` for bare numbers.
    pub unit_ns: Option<i64>,
    unit_source: String,
    /// The samples were made when the trace was loaded.
    pub is_stored: bool,
    /// The unit does not follow from the name.
    is_unit_in_id: bool,
}

/// What an answer says of the field that it is about.
#[derive(Clone, Debug, Serialize)]
pub struct FieldSummary {
    name: String,
    unit: &'static str,
    unit_source: String,
}

impl FieldSummary {
    /// True where the values are bare numbers, not durations.
    pub fn is_number(&self) -> bool {
        self.unit == "none"
    }
}

/// The parameters of a request with the field of events that it is about, if it is about one.
pub async fn params_with_series(stored: &Stored) -> Result<Params, ExploreError> {
    let params = stored.params().await?;
    let Some(wanted) = wanted(&params)? else { return Ok(params) };
    let [event_type, event_field] = stored.whole([&tables::EVENT_TYPE, &tables::EVENT_FIELD]).await;
    let series = field_series(wanted, &event_type, &event_field)?;
    Ok(params.with_series(series))
}

fn field_series(
    (name, unit): Wanted,
    event_type: &[u8],
    event_field: &[u8],
) -> Result<Option<FieldSeries>, ExploreError> {
    let types = read_event_types(event_type)?;
    let Some((event, field)) = split(&name, &types) else { return Ok(None) };
    let bearing = types.iter().filter(|(_, known)| known.name == event);
    let types: Vec<i16> = bearing.filter_map(|(idx, _)| i16::try_from(idx).ok()).collect();
    let fields = read_event_fields(event_field)?;
    if fields.is_empty() {
        // A trace that was loaded before fields were listed has what was stored with it.
        return Ok(None);
    }
    let known = fields.iter().find(|known| types.contains(&known.event_type) && known.name == field);
    let guessed_ns = known.and_then(|known| known.unit_ns);
    let is_sampled = known.is_some_and(|known| known.is_sampled);
    let unit_ns = unit.unwrap_or(guessed_ns);
    let source = match unit {
        Some(_) => "asked",
        None => known.and_then(|known| known.unit_source).unwrap_or("none"),
    };
    let is_stored = is_sampled && unit_ns == guessed_ns;
    Ok(Some(FieldSeries {
        event: event.to_owned(),
        field: field.to_owned(),
        types,
        unit_ns,
        unit_source: source.to_owned(),
        is_stored,
        is_unit_in_id: !is_stored && (is_sampled || unit_ns.is_some()),
        name: name.clone(),
    }))
}

/// The name of a field, and if it is given, the unit, which may be none.
type Wanted = (String, Option<Option<i64>>);

/// The name of the field, and the unit, that a request is about: its own, or those of its case.
fn wanted(params: &Params) -> Result<Option<Wanted>, ExploreError> {
    let options = UNITS.map(|(name, unit_ns)| (name, Some(unit_ns)));
    let unit = params.choice("unit", &options, None)?;
    if let [name] = params.name_or_list("field")?.as_slice() {
        return Ok(Some((name.clone(), unit)));
    }
    if unit.is_some() {
        return Err(ExploreError::bad("unit", "goes with one field"));
    }
    let id = params.text("case", super::case::MAX_ID_CHARS)?.and_then(|text| CaseId::parse(&text));
    let field = id.filter(|id| id.kind == FIELD.name).and_then(|id| id.field);
    Ok(field.map(|field| match field.split_once('~') {
        Some((name, unit)) => {
            let unit = UNITS.iter().find(|(known, _)| *known == unit).map(|(_, unit_ns)| *unit_ns);
            (name.to_owned(), unit)
        }
        None => (field, None),
    }))
}

/// Event and field; both may hold dots, but there is such an event.
fn split<'n>(name: &'n str, types: &Dictionary<EventType<'_>>) -> Option<(&'n str, &'n str)> {
    let dots = name.match_indices('.').filter_map(|(at, _)| Some((name.get(..at)?, name.get(at + 1..)?)));
    dots.into_iter().find(|(event, _)| types.iter().any(|(_, known)| known.name == *event))
}

/// The symbols with the name of the field whose samples are read from events.
pub fn symbols_with<'a>(
    symbols: Dictionary<Symbol<'a>>,
    series: Option<&'a FieldSeries>,
) -> Dictionary<Symbol<'a>> {
    match series {
        Some(series) => symbols.with(Symbol { name: &series.name, module: None }),
        None => symbols,
    }
}

impl FieldSeries {
    /// The one that was found for a request, if its samples are read from the events.
    pub fn of_events(params: &Params) -> Option<Self> {
        params.series().filter(|series| !series.is_stored).cloned()
    }

    /// True where the values are bare numbers, not durations.
    pub fn is_number(&self) -> bool {
        self.unit_ns.is_none()
    }

    /// What stands for it in names of cases: `timer_start.timeout~ms`.
    pub fn id_name(&self) -> String {
        if self.is_unit_in_id { format!("{}~{}", self.name, self.unit()) } else { self.name.clone() }
    }

    pub fn told(&self) -> FieldSummary {
        let Self { name, unit_source, .. } = self;
        FieldSummary { name: name.clone(), unit: self.unit(), unit_source: unit_source.clone() }
    }

    fn unit(&self) -> &'static str {
        UNITS.iter().find(|(_, unit_ns)| *unit_ns == self.unit_ns).map_or("ns", |(unit, _)| unit)
    }

    /// Hands out the samples of each block of events, with the number of the block, in the order of the
    /// events.
    pub fn each(
        &self,
        event_block: &[u8],
        clock: TraceClock,
        incomplete: &mut BTreeMap<IncompleteReason, i64>,
        mut take: impl FnMut(i32, &[StoredLatency]),
    ) -> Result<(), DecodeError> {
        let mut found = Vec::new();
        read_rows(EventBlock::TABLE, event_block, |row| {
            let block = EventBlock::read(row)?;
            found.clear();
            let times = block.t_ns.iter().zip(block.cpu.iter().zip(&block.task_idx));
            let rows = block.type_idx.iter().enumerate().zip(times.zip(&block.args));
            let is_meant =
                |row: usize, type_idx: &i16| self.types.contains(type_idx) && !block.is_repeated(row);
            for (_, ((t_ns, (cpu, task_idx)), text)) in
                rows.filter(|((row, type_idx), _)| is_meant(*row, type_idx))
            {
                let Some(value) = self.value(text) else { continue };
                match self.sample(*t_ns, value, clock) {
                    Ok(sample) => found.push(StoredLatency {
                        cpu: *cpu,
                        start_cpu: *cpu,
                        task_idx: *task_idx,
                        ..sample
                    }),
                    Err(reason) => *incomplete.entry(reason).or_default() += 1,
                }
            }
            take(block.number, &found);
            Ok(())
        })?;
        Ok(())
    }

    /// The samples of all of the blocks.
    pub fn all(&self, event_block: &[u8], clock: TraceClock) -> Result<Vec<StoredLatency>, DecodeError> {
        let mut all = Vec::new();
        let mut incomplete = BTreeMap::new();
        self.each(event_block, clock, &mut incomplete, |_, samples| all.extend_from_slice(samples))?;
        Ok(all)
    }

    /// The number that an event's text holds, in nanoseconds where the series has a unit; `Some(None)`
    /// where that is past 64 bits.
    fn value(&self, text: &str) -> Option<Option<i64>> {
        let pair = pairs(&self.event, text).find(|pair| pair.name == self.field)?;
        let number = pair_number(&pair)?;
        let printed_ns = number.unit_ns.filter(|_| self.unit_source != "asked");
        Some(match self.unit_ns {
            Some(unit_ns) => number.value.checked_mul(printed_ns.unwrap_or(unit_ns)),
            None => Some(number.value),
        })
    }

    fn sample(
        &self,
        t_ns: i64,
        value: Option<i64>,
        clock: TraceClock,
    ) -> Result<StoredLatency, IncompleteReason> {
        let value = value.ok_or(IncompleteReason::OutOfOrder)?;
        let sample = |start_ns: i64, flags: SampleFlags| StoredLatency {
            task_idx: 0,
            symbol_idx: Name::Added.idx(),
            flags,
            ..StoredLatency::new(0, start_ns, value)
        };
        if self.is_number() {
            return Ok(sample(t_ns, SampleFlags::NUMBER));
        }
        match impossible(clock, Ns(t_ns), Ns(value)) {
            Some(reason) => Err(reason),
            None => Ok(sample(t_ns.saturating_sub(value), SampleFlags::default())),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::scan::Purpose;
    use super::super::testing::{request, scanned};
    use super::field_series;
    use crate::import::testing::import_lines;
    use crate::store::tables;
    use crate::store::testing::Written;

    const LINES: &str = "
        sh-7 [0] 1.000000: print: begin
        sh-7 [0] 1.000100: timer_start: timer=1 timeout=4
        rt-9 [1] 1.000200: timer_start: timer=2 timeout=-3
        rt-9 [1] 1.000200: timer_start: timer=3 timeout=9
        sh-7 [0] 1.000300: hrtimer_cb: now: 300 [us] delta: 30
        sh-7 [0] 1.000400: hrtimer_cb: now: 400 [us] delta: 20
        ";

    /// The unit, what gave no number, and the list, the largest first.
    fn told(written: &Written, parameters: &str) -> String {
        let answer = |purpose| -> serde_json::Value {
            serde_json::from_slice(&scanned(purpose, &request(parameters), written).unwrap()).unwrap()
        };
        let (list, stats) = (answer(Purpose::List), answer(Purpose::Stats));
        let items = list["items"].as_array().unwrap().iter().map(|item| {
            let place = format!("{}..{} CPU {}", item["t"], item["end"], item["cpu"]);
            format!("{} {} {place} {} {}", item["duration_ns"], item["unit"], item["id"], item["headline"])
        });
        let incomplete = stats["incomplete"].as_array().unwrap().iter();
        let incomplete = incomplete.map(|found| format!("{} {}", found["count"], found["reason"]));
        let groups = stats["groups"].as_array().unwrap().iter();
        let groups = groups.map(|group| {
            format!("{} {} {} {}", group["count"], group["mean_ns"], group["p50_ns"], group["worst_id"])
        });
        let lines = [stats["unit"].to_string(), stats["field"].to_string()].into_iter();
        lines.chain(incomplete).chain(groups).chain(items).collect::<Vec<_>>().join("\n")
    }

    fn check(parameters: &str, expected: Expect) {
        let (written, _) = import_lines(LINES);
        expected.assert_eq(&told(&written, parameters));
    }

    #[test]
    fn a_bare_number_is_an_instant_with_a_value() {
        check(
            r#""field":"timer_start.timeout""#,
            expect![[r#"
            "none"
            {"name":"timer_start.timeout","unit":"none","unit_source":"none"}
            3 3 4 "field.timer_start.timeout-cpu1@1000200000"
            9 "none" 200000..200000 CPU 1 "field.timer_start.timeout-cpu1@1000200000" "CPU 1: timer_start.timeout is 9"
            4 "none" 100000..100000 CPU 0 "field.timer_start.timeout-cpu0@1000100000" "CPU 0: timer_start.timeout is 4"
            -3 "none" 200000..200000 CPU 1 "field.timer_start.timeout-cpu1@1000200000+1" "CPU 1: timer_start.timeout is -3""#]],
        );
        check(
            r#""field":"timer_start.timeout","min":"-3","max":4,"end":"150us""#,
            expect![[r#"
            "none"
            {"name":"timer_start.timeout","unit":"none","unit_source":"none"}
            1 4 4 "field.timer_start.timeout-cpu0@1000100000"
            4 "none" 100000..100000 CPU 0 "field.timer_start.timeout-cpu0@1000100000" "CPU 0: timer_start.timeout is 4""#]],
        );
    }

    #[test]
    fn in_a_unit_of_time_a_value_is_the_interval_that_ends_at_its_event() {
        check(
            r#""field":"timer_start.timeout","unit":"us""#,
            expect![[r#"
                "ns"
                {"name":"timer_start.timeout","unit":"us","unit_source":"asked"}
                1 "out_of_order"
                2 6500 4000 "field.timer_start.timeout~us-cpu1@1000200000"
                9000 "ns" 191000..200000 CPU 1 "field.timer_start.timeout~us-cpu1@1000200000" "timer_start.timeout on CPU 1 was 9.0 µs: no record of what ran then"
                4000 "ns" 96000..100000 CPU 0 "field.timer_start.timeout~us-cpu0@1000100000" "timer_start.timeout on CPU 0 was 4.0 µs: no record of what ran then""#]],
        );
    }

    #[test]
    fn what_was_found_at_load_is_read_from_there_in_its_own_unit() {
        check(
            r#""field":"hrtimer_cb.delta""#,
            expect![[r#"
                "ns"
                {"name":"hrtimer_cb.delta","unit":"us","unit_source":"event"}
                2 25000 20000 "field.hrtimer_cb.delta-cpu0@1000270000"
                30000 "ns" 270000..300000 CPU 0 "field.hrtimer_cb.delta-cpu0@1000270000" "hrtimer_cb on CPU 0 was 30 µs late: no record of what ran then"
                20000 "ns" 380000..400000 CPU 0 "field.hrtimer_cb.delta-cpu0@1000380000" "hrtimer_cb on CPU 0 was 20 µs late: no record of what ran then""#]],
        );
        check(
            r#""field":"hrtimer_cb.delta","unit":"ns""#,
            expect![[r#"
                "ns"
                {"name":"hrtimer_cb.delta","unit":"ns","unit_source":"asked"}
                2 25 20 "field.hrtimer_cb.delta~ns-cpu0@1000300000"
                30 "ns" 299970..300000 CPU 0 "field.hrtimer_cb.delta~ns-cpu0@1000300000" "hrtimer_cb on CPU 0 was 30 ns late: no record of what ran then"
                20 "ns" 399980..400000 CPU 0 "field.hrtimer_cb.delta~ns-cpu0@1000400000" "hrtimer_cb on CPU 0 was 20 ns late: no record of what ran then""#]],
        );
        check(
            r#""field":"hrtimer_cb.delta","unit":"none""#,
            expect![[r#"
            "none"
            {"name":"hrtimer_cb.delta","unit":"none","unit_source":"asked"}
            2 25 20 "field.hrtimer_cb.delta~none-cpu0@1000300000"
            30 "none" 300000..300000 CPU 0 "field.hrtimer_cb.delta~none-cpu0@1000300000" "CPU 0: hrtimer_cb.delta is 30"
            20 "none" 400000..400000 CPU 0 "field.hrtimer_cb.delta~none-cpu0@1000400000" "CPU 0: hrtimer_cb.delta is 20""#]],
        );
    }

    #[test]
    fn a_trace_without_a_list_of_fields_has_what_was_stored_with_it() {
        let (written, _) = import_lines(LINES);
        let types = written.whole(&tables::EVENT_TYPE);
        assert_eq!(field_series(("hrtimer_cb.delta".to_owned(), None), &types, b""), Ok(None));
    }

    #[test]
    fn bad_units_are_named() {
        let (written, _) = import_lines(LINES);
        let refused = |parameters: &str| {
            scanned(Purpose::List, &request(parameters), &written).unwrap_err().to_string()
        };
        assert_eq!(refused(r#""unit":"us""#), "unit: goes with one field");
        assert_eq!(
            refused(r#""field":"a.b","unit":"hours""#),
            "unit: \"hours\" is none of ns, us, ms, s, none"
        );
    }
}
