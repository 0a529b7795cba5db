//! The sentences of the cases that an answer shows: those of the worst were made when the trace was loaded, those of
//! others are made when somebody asks.

use super::explaining::{Explaining, Unexplained};
use super::field_series::{FieldSeries, symbols_with};
use super::item::CaseItem;
use crate::explore::ExploreError;
use crate::explore::headers::Headers;
use crate::explore::protocol::Stored;
use crate::explore::request::Params;
use crate::store::read::dictionaries::{read_symbols, read_tasks};
use crate::store::tables;

/// What the sentences of one answer may cost, see [`Explaining::told`]: so much takes about a second.
const MAX_COST: usize = 4_000_000;

/// Gives each of the items the sentence of its explanation. They come in the order of their importance: when it
/// gets to be too much, the last ones keep a plain sentence, and say that they are not explained.
pub async fn tell(
    stored: &Stored,
    params: &Params,
    items: impl Iterator<Item = &mut CaseItem>,
) -> Result<(), ExploreError> {
    tell_within(stored, params, items, Some(MAX_COST)).await
}

async fn tell_within(
    stored: &Stored,
    params: &Params,
    items: impl Iterator<Item = &mut CaseItem>,
    max_cost: Option<usize>,
) -> Result<(), ExploreError> {
    let (cases, items): (Vec<Unexplained>, Vec<&mut CaseItem>) =
        items.filter_map(|item| Some((item.unexplained()?, item))).unzip();
    if items.is_empty() {
        return Ok(());
    }
    let [task, symbol] = stored.whole([&tables::TASK, &tables::SYMBOL]).await;
    let series = FieldSeries::of_events(params);
    let (tasks, symbols) = (read_tasks(&task)?, symbols_with(read_symbols(&symbol)?, series.as_ref()));
    let explaining = Explaining { stored, params, tasks: &tasks, symbols: &symbols };
    let sentences = async {
        let headers = Headers::fetch(stored).await?;
        explaining.told(&cases, &headers, max_cost, |explanation, _| explanation.headline).await
    };
    let sentences = match sentences.await {
        // What is shown is whole, and the page of the case names the damage around it.
        Err(ExploreError::Block(_)) => return Ok(()),
        sentences => sentences?,
    };
    for (item, sentence) in items.into_iter().zip(sentences) {
        if let Some(sentence) = sentence {
            item.explain(sentence);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use serde_json::Value;

    use super::super::item::{CaseItems, headlines};
    use super::super::testing::{LINES, request};
    use super::super::worst::read_worst;
    use super::*;
    use crate::explore::answer_json;
    use crate::explore::protocol::{Answering, Shelf, ask, ask_with};
    use crate::formats::read_any;
    use crate::import::testing::{import_lines, import_with};
    use crate::model::Limits;
    use crate::store::testing::Written;

    /// Cases of each kind that are looked at one by one: one of so many, and all in a folder that `TRACES` names.
    const ONE_OF: usize = 41;

    /// The recordings that come with the project, or those of the folder that `TRACES` names.
    #[expect(clippy::disallowed_methods, reason = "the recordings are files")]
    fn recordings() -> impl Iterator<Item = (PathBuf, Written)> {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../sample_traces");
        let folder = std::env::var_os("TRACES").map_or(samples, PathBuf::from);
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let is_recording = |path: &PathBuf| {
            path.is_file() && !path.extension().is_some_and(|name| name == "md" || name == "toml")
        };
        files.filter(is_recording).map(|path| {
            let file = std::fs::read(&path).unwrap();
            (path, imported(file))
        })
    }

    fn imported(file: Vec<u8>) -> Written {
        let limits = Limits::default();
        let (written, _) = import_with(&limits, |importer| {
            // Of a damaged one, what was read before.
            _ = read_any(&file, &mut Vec::new(), &limits, importer);
        });
        written
    }

    /// The answer about a trace of any length.
    fn asked(question: &str, parameters: &str, shelf: &Shelf) -> Value {
        let trace = r#"{"origin_ns":"0","duration_ns":1000000000000000,"url":"http://h/t/x"}"#;
        let answer = ask(question, &format!(r#"{{{parameters},"trace":{trace}}}"#), shelf).unwrap();
        serde_json::from_slice(&answer).unwrap()
    }

    /// The sentences that are kept when a trace is loaded, by case.
    fn kept(shelf: &Shelf) -> BTreeMap<String, Value> {
        let kept = asked("worst_cases", r#""limit":1"#, shelf);
        let kept = kept.as_array().unwrap().iter();
        kept.map(|one| (one["id"].as_str().unwrap().to_owned(), one["headline"].clone())).collect()
    }

    /// Compares the sentence of every `step`th case of each kind in a list with that of its page, and counts them;
    /// every sentence of a list is the one that is kept, too.
    fn check_list(name: &str, written: &Written, step: usize) -> usize {
        let shelf = Shelf::of(written);
        let kept = kept(&shelf);
        let mut count = 0;
        for kind in crate::kinds::latency_kinds().map(|kind| kind.name) {
            let listed = asked("latencies", &format!(r#""kind":"{kind}","limit":100"#), &shelf);
            for item in listed["items"].as_array().unwrap() {
                let said = kept.get(item["id"].as_str().unwrap());
                assert!(said.is_none_or(|said| *said == item["headline"]), "{name} {}: {said:?}", item["id"]);
            }
            for item in listed["items"].as_array().unwrap().iter().step_by(step) {
                let case = asked("latency_case", &format!(r#""case":{}"#, item["id"]), &shelf);
                let place = format!("{name} {}", item["id"]);
                assert_eq!(item["headline"], case["headline"], "{place}");
                assert_eq!(item["is_explained"], case["is_explained"], "{place}");
                let sentence = item["headline"].as_str().unwrap();
                assert!(!sentence.is_empty() && !sentence.contains(" us"), "{place}: {sentence}");
                count += 1;
            }
        }
        count
    }

    #[test]
    fn a_list_says_of_each_case_what_its_page_says() {
        let step = if std::env::var_os("TRACES").is_some() { 1 } else { ONE_OF };
        let counts =
            recordings().map(|(path, written)| check_list(&path.display().to_string(), &written, step));
        let count: usize = counts.sum();
        assert!(count > 80, "{count}");
    }

    /// A section is explained by the calls of its report, also beside other cases.
    #[test]
    fn a_list_explains_a_report_by_its_calls() {
        const REPORT: &str = "
# tracer: preemptirqsoff
#
# preemptirqsoff latency trace v1.1.5 on 6.12.95
# --------------------------------------------------------------------
# latency: 80 us, #6/6, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:1)
#    -----------------
#    | task: sh-7 (uid:0 nice:0 policy:0 rt_prio:0)
#    -----------------
#  => started at: __pte_offset_map_lock
#  => ended at:   _raw_spin_unlock
#
        0 us |   0)       sh-7     |  ...1. |   1.000 us    |  _raw_spin_lock();
        5 us |   0)       sh-7     |  ...2. |               |  munlock_folio() {
        6 us |   0)       sh-7     |  ...2. |  60.000 us    |    mlock_folio_batch();
       70 us |   0)       sh-7     |  ...1. |  65.000 us    |  }
       80 us |   0)       sh-7     |  ...1. |   0.500 us    |  _raw_spin_unlock();
";
        let written = imported(REPORT.trim_start().into());
        assert!(check_list("report", &written, 1) > 0);
        let listed = asked("latencies", r#""kind":"preemptoff""#, &Shelf::of(&written));
        let sentence = listed["items"][0]["headline"].as_str().unwrap();
        assert!(sentence.ends_with("60 µs in mlock_folio_batch"), "{sentence}");
    }

    /// The headlines of the wakeups of [`LINES`], the worst first, where their explanation may cost so much.
    fn told_within(max_cost: Option<usize>) -> Vec<(String, bool)> {
        let (written, _) = import_lines(LINES);
        let question = |stored: Stored| -> Answering {
            Box::pin(async move {
                let params = stored.params().await?;
                let [task, symbol, cases] =
                    stored.whole([&tables::TASK, &tables::SYMBOL, &tables::LATENCY_CASE]).await;
                let (tasks, symbols) = (read_tasks(&task)?, read_symbols(&symbol)?);
                let items = CaseItems::new(&params, headlines(b"")?, &tasks, &symbols);
                let kind = crate::kinds::find("wakeup").unwrap().latency();
                let worst = read_worst(&cases)?.remove(&kind.code).unwrap_or_default();
                let mut items = items.items(kind, &worst, &[0, 1, 2]);
                tell_within(&stored, &params, items.iter_mut(), max_cost).await?;
                answer_json(&items)
            })
        };
        let answer = ask_with(&request(""), &Shelf::of(&written), question, |_| ()).unwrap();
        let items: Vec<Value> = serde_json::from_slice(&answer).unwrap();
        let told =
            |item: &Value| (item["headline"].as_str().unwrap().to_owned(), item["is_explained"] == true);
        items.iter().map(told).collect()
    }

    #[test]
    fn too_much_work_leaves_plain_sentences() {
        let events = [
            "Wakeup of rt-9 on CPU 1 took 50 µs",
            "Wakeup of sh-7 on CPU 0 took 30 µs",
            "Wakeup of rt-9 on CPU 1 took 10 µs",
        ];
        let all = told_within(None);
        for ((sentence, is_explained), event) in all.iter().zip(events) {
            assert!(*is_explained && sentence.starts_with(event), "{sentence}");
        }
        let none = told_within(Some(0));
        assert_eq!(none, events.map(|event| (event.to_owned(), false)));
        // What is begun is finished, and the rest is left.
        let some = told_within(Some(1));
        assert_eq!(some.iter().filter(|(_, is_explained)| *is_explained).count(), 1);
        for (((sentence, is_explained), whole), plain) in some.iter().zip(&all).zip(&none) {
            assert_eq!(sentence, if *is_explained { &whole.0 } else { &plain.0 });
        }
    }
}
