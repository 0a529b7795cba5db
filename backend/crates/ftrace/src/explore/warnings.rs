//! What was wrong with a recording, or odd in it, one item a kind of problem.

use serde::Serialize;

use super::answer_json;
use super::protocol::{Answer, Stored};
use crate::model::Code;
use crate::store::read::read_rows;
use crate::store::tables;

#[derive(Serialize)]
struct Warnings<'a> {
    items: Vec<Warning<'a>>,
}

/// As `warnings` of `GET /traces/{id}` has it.
#[derive(Serialize)]
struct Warning<'a> {
    code: &'a str,
    severity: &'a str,
    count: i64,
    first_line: Option<i64>,
    first_byte_offset: i64,
    sample: &'a str,
    sentence: &'static str,
    remedy: &'static str,
}

/// The problems that were met while reading, in the order of their first places in the file.
pub async fn warnings(stored: Stored) -> Answer {
    let [diagnostic] = stored.whole([&tables::DIAGNOSTIC]).await;
    let mut items = read_rows(&tables::DIAGNOSTIC, &diagnostic, |row| {
        row.skip("trace_key")?;
        let code = row.text("code")?;
        let known = Code::ALL.iter().find(|known| known.name() == code);
        Ok(Warning {
            code,
            severity: row.text("severity")?,
            count: row.int("count")?,
            first_line: row.optional_int("first_line")?,
            first_byte_offset: row.int("first_byte_offset")?,
            sample: row.text("sample")?,
            sentence: known.map_or("", |known| known.sentence()),
            remedy: known.map_or("", |known| known.remedy()),
        })
    })?;
    items.sort_by_key(|warning| (warning.first_byte_offset, warning.code));
    answer_json(&Warnings { items })
}

#[cfg(test)]
mod tests {
    use crate::explore::protocol::{Shelf, ask};
    use crate::import::testing::import_file;

    #[test]
    fn problems_are_listed_in_the_order_of_their_first_places() {
        let text = "          <idle>-0     [000] d..1.     1.000001: sched_wakeup: comm=a pid=1 prio=120 target_cpu=000\n\
            no line of a trace\n\
            CPU:1 [LOST 12 EVENTS]\n\
            no line of a trace, too\n\
                      <idle>-0     [000] d..1.     1.000002: sched_wakeup: comm=b pid=2 prio=120 target_cpu=000\n";
        let answer = ask("warnings", "{}", &Shelf::of(&import_file(text).0)).unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap();
        let told: Vec<_> = answer["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["code"].as_str().unwrap(), one["count"].as_i64(), one["first_line"].as_i64()))
            .collect();
        assert_eq!(
            told,
            [
                ("unparsed_lines", Some(2), Some(2)),
                ("lost_events", Some(12), Some(3)),
                ("truncated_last_line", Some(1), Some(5)),
            ]
        );
        assert_eq!(answer["items"][1]["sentence"], crate::model::Code::LostEvents.sentence());
    }
}
