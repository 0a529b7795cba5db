//! The list of functions with their statistics over the whole trace.

use std::cmp::Reverse;

use serde::Serialize;

use super::ids::{CallId, Owner};
use super::page::{self, Cursor};
use super::protocol::{Answer, Stored};
use super::request::Params;
use super::{ExploreError, answer_json};
use crate::rollup::quantiles;
use crate::store::read::dictionaries::{self, Dictionary, FunctionStat, Symbol, Task};
use crate::store::tables;

const MAX_SEARCH_CHARS: usize = 200;

/// A column to sort by. Ties are in the order of names, so that pages neither repeat nor skip.
#[derive(Clone, Copy, Debug)]
enum SortKey {
    Name,
    Column(Column),
}

type Column = fn(&FunctionStat) -> i64;

#[derive(Clone, Copy, Debug)]
struct Sort {
    key: SortKey,
    descending: bool,
}

impl Sort {
    /// `total`, or `-total` for the largest first.
    fn from_params(params: &Params) -> Result<Self, ExploreError> {
        let text = params.text("sort", 32)?.unwrap_or_else(|| "-total".to_owned());
        let (name, descending) = match text.strip_prefix('-') {
            Some(name) => (name, true),
            None => (text.as_str(), false),
        };
        let columns: [(&str, Column); 7] = [
            ("total", |stat| stat.total_ns),
            ("self", |stat| stat.self_ns),
            ("count", |stat| stat.count),
            ("min", |stat| stat.min_ns),
            ("p50", |stat| stat.p50_ns),
            ("p99", |stat| stat.p99_ns),
            ("max", |stat| stat.max_ns),
        ];
        if name == "name" {
            return Ok(Self { key: SortKey::Name, descending });
        }
        let column = columns.iter().find(|(known, _)| *known == name).map(|(_, column)| *column);
        let column = column.ok_or_else(|| {
            let expected =
                "total, self, count, min, p50, p99, max or name, with - before it for the largest first";
            ExploreError::bad("sort", format!("{text:?} is no order; expected {expected}"))
        })?;
        Ok(Self { key: SortKey::Column(column), descending })
    }
}

#[derive(Serialize)]
struct Functions {
    items: Vec<Function>,
    next: Option<Cursor>,
}

#[derive(Serialize)]
struct Function {
    symbol: String,
    module: Option<String>,
    count: i64,
    total_ns: i64,
    self_ns: i64,
    min_ns: i64,
    p50_ns: i64,
    p99_ns: i64,
    max_ns: i64,
    percentile_error_ppm: i64,
    slowest: Slowest,
}

#[derive(Serialize)]
struct Slowest {
    id: CallId,
    t: i64,
    cpu: i16,
    pid: Option<i32>,
    comm: Option<String>,
}

/// GET functions: a page of them; `q` is a part of the name or module, in any case of letters.
pub async fn functions(stored: Stored) -> Answer {
    let params = stored.params().await?;
    let [function_stat, task, symbol] =
        stored.whole([&tables::FUNCTION_STAT, &tables::TASK, &tables::SYMBOL]).await;
    let sort = Sort::from_params(&params)?;
    let search = params.text("q", MAX_SEARCH_CHARS)?.map(|text| text.to_lowercase());
    let limit = page::limit(&params)?;
    let first = Cursor::from_params(&params)?.map_or(0, |cursor| cursor.0);
    let tasks = dictionaries::read_tasks(&task)?;
    let symbols = dictionaries::read_symbols(&symbol)?;
    let stats = dictionaries::read_function_stats(&function_stat)?;
    let mut found: Vec<(String, &FunctionStat)> = stats
        .iter()
        .filter_map(|stat| Some((symbols.get(stat.symbol_idx)?.display(), stat)))
        .filter(|(name, _)| search.as_ref().is_none_or(|part| name.to_lowercase().contains(part)))
        .collect();
    order(&mut found, sort);
    let page = found.iter().skip(first).take(limit);
    let items: Vec<Function> =
        page.filter_map(|(_, stat)| function(stat, symbols.get(stat.symbol_idx)?, &tasks)).collect();
    let end = first.saturating_add(limit);
    answer_json(&Functions { items, next: (end < found.len()).then_some(Cursor(end)) })
}

fn order(found: &mut [(String, &FunctionStat)], sort: Sort) {
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    match (sort.key, sort.descending) {
        (SortKey::Name, false) => {}
        (SortKey::Name, true) => found.reverse(),
        (SortKey::Column(column), false) => found.sort_by_key(|(_, stat)| column(stat)),
        (SortKey::Column(column), true) => found.sort_by_key(|(_, stat)| Reverse(column(stat))),
    }
}

fn function(stat: &FunctionStat, symbol: &Symbol<'_>, tasks: &Dictionary<Task<'_>>) -> Option<Function> {
    let task = stat.slowest_task_idx.and_then(|idx| tasks.get(idx));
    let id = CallId {
        owner: Owner::new(task, stat.slowest_cpu),
        start_ns: stat.slowest_start_ns,
        depth: stat.slowest_depth,
    };
    Some(Function {
        symbol: symbol.name.to_owned(),
        module: symbol.module.map(str::to_owned),
        count: stat.count,
        total_ns: stat.total_ns,
        self_ns: stat.self_ns,
        min_ns: stat.min_ns,
        p50_ns: stat.p50_ns,
        p99_ns: stat.p99_ns,
        max_ns: stat.max_ns,
        percentile_error_ppm: quantiles::error_ppm(stat.count),
        slowest: Slowest {
            id,
            t: stat.slowest_start_ns,
            cpu: stat.slowest_cpu,
            pid: task.and_then(|task| task.pid),
            comm: task.map(|task| task.comm.to_owned()),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{function_stats, symbols, tasks};
    use super::super::protocol::{Shelf, ask};
    use super::*;

    /// Names on a page over four functions, and its next cursor.
    fn check(request: &str, expected: &str) {
        let stats = function_stats(&[(0, 5, 100), (1, 9, 50), (2, 1, 100), (3, 2, 7)]);
        let symbols = symbols(&[("read", None), ("write", Some("ext4")), ("Poll", None), ("idle", None)]);
        let shelf = Shelf::default()
            .with(&tables::FUNCTION_STAT, stats)
            .with(&tables::TASK, tasks(&[(Some(7), None, "sh")]))
            .with(&tables::SYMBOL, symbols);
        let found = ask("functions", request, &shelf).map(|json| {
            let page: serde_json::Value = serde_json::from_slice(&json).unwrap();
            let names = page["items"].as_array().unwrap().iter().map(|item| item["symbol"].as_str().unwrap());
            format!("{} next {}", names.collect::<Vec<_>>().join(" "), page["next"])
        });
        assert_eq!(found.unwrap_or_else(|error| error.to_string()), expected);
    }

    #[test]
    fn functions_are_sorted_with_ties_by_name() {
        check("{}", "Poll read write idle next null");
        check(r#"{"sort":"count"}"#, "Poll idle read write next null");
        check(r#"{"sort":"-name"}"#, "write read idle Poll next null");
    }

    #[test]
    fn pages_follow_each_other() {
        check(r#"{"limit":3}"#, "Poll read write next \"at-3\"");
        check(r#"{"limit":3,"cursor":"at-3"}"#, "idle next null");
        check(r#"{"cursor":"at-99"}"#, " next null");
    }

    #[test]
    fn search_finds_parts_of_names_and_modules() {
        check(r#"{"q":"pol"}"#, "Poll next null");
        check(r#"{"q":"EXT4"}"#, "write next null");
    }

    #[test]
    fn bad_parameters_are_named() {
        check(
            r#"{"sort":"-best"}"#,
            "sort: \"-best\" is no order; expected total, self, count, min, p50, p99, max or name, with - before \
             it for the largest first",
        );
        check(r#"{"limit":8193}"#, "limit: \"8193\" is no integer from 1 to 8192");
        check(r#"{"cursor":"3"}"#, "cursor: not a cursor of this list; hand back `next` as it was given");
    }
}
