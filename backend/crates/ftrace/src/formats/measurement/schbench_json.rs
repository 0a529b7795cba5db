//! What schbench writes with --json.
//!
//! Source: `write_json_stats` in schbench.c of <https://github.com/masoncl/schbench>. It states no counts.

use std::collections::BTreeMap;

use super::json::{Token, token};
use super::out::Out;
use super::schbench::emit_extremes;
use super::{MeasurementFormat, Program, sure_if, whole_number};
use crate::model::{About, Stop};

pub static SCHBENCH_JSON: MeasurementFormat = MeasurementFormat {
    name: "schbench_json",
    title: "schbench --json",
    about: About {
        recognised_by: "a JSON object with `\"normal\"` and `\"wakeup_latency_pct50.0\"`",
        reads: "the extremes of each latency, in microseconds",
        leaves_out: "percentiles, which are kept as facts, because nothing says of how many; requests a second",
    },
    likeness: |lines| {
        let head = lines.concat();
        sure_if(head.starts_with('{') && head.contains("\"normal\"") && head.contains("_latency_pct"))
    },
    start: || Box::new(SchbenchJson::default()),
};

const MAX_LATENCIES: usize = 64;

#[derive(Default)]
struct SchbenchJson {
    depth: usize,
    key: Option<String>,
    /// By name, the extremes.
    latencies: BTreeMap<String, (Option<i64>, Option<i64>)>,
}

impl Program for SchbenchJson {
    fn line(&mut self, text: &str, out: &mut Out<'_>) -> Result<bool, Stop> {
        let mut rest = text;
        loop {
            let (piece, after) = match token(rest) {
                Err(()) => return Ok(false),
                Ok(None) => return Ok(true),
                Ok(Some(found)) => found,
            };
            let is_whole = match piece {
                Token::Open => {
                    self.key = None;
                    self.depth = self.depth.saturating_add(1);
                    true
                }
                Token::Close => {
                    self.key = None;
                    self.depth = self.depth.saturating_sub(1);
                    true
                }
                Token::Sign => true,
                Token::Text(name) if self.key.is_none() => {
                    self.key = Some(name.to_owned());
                    true
                }
                Token::Text(value) | Token::Bare(value) => match self.key.take() {
                    Some(key) => self.member(&key, value, out),
                    None => false,
                },
            };
            if !is_whole {
                return Ok(false);
            }
            rest = after;
        }
    }

    fn finish(&mut self, out: &mut Out<'_>) -> Result<(), Stop> {
        for (name, (min, max)) in &self.latencies {
            emit_extremes(&format!("schbench {name}"), *min, *max, out)?;
        }
        Ok(())
    }

    fn ends_with(&self, text: &str) -> bool {
        text.ends_with('}')
    }

    fn is_whole(&self) -> bool {
        self.depth == 0
    }
}

impl SchbenchJson {
    fn member(&mut self, key: &str, value: &str, out: &mut Out<'_>) -> bool {
        let extreme = key.rsplit_once('_').filter(|(name, _)| name.ends_with("_latency"));
        let Some((name, which @ ("min" | "max"))) = extreme else {
            if key == "version" {
                out.facts.kernel = Some(value.to_owned());
            } else {
                out.fact(key, value);
            }
            return true;
        };
        let Some(number) = whole_number(value) else { return false };
        let name = name.replace('_', " ");
        let has_room = self.latencies.len() < MAX_LATENCIES || self.latencies.contains_key(&name);
        if has_room {
            let (min, max) = self.latencies.entry(name).or_default();
            *(if which == "min" { min } else { max }) = Some(number);
        }
        has_room
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_measurements as check;

    #[test]
    fn percentiles_without_a_count_are_facts() {
        check(
            r#"{"normal": {"version": "6.12.0","hostname": "box","sched_ext": "disabled","cmdline": "schbench -j -"},"int": {"time": 1732372922, "wakeup_latency_pct50.0": 9, "wakeup_latency_pct99.0": 12, "wakeup_latency_min": 1,"wakeup_latency_max": 55, "request_latency_min": 3000,"request_latency_max": x, "runtime": 30}}"#,
            expect![[r#"
                measured cpu 0 schbench request latency start 0 duration 3000000 reported
                measured cpu 0 schbench wakeup latency start 1 duration 1000 reported
                measured cpu 0 schbench wakeup latency start 2 duration 55000 reported
                ends_early: 1 from line 1
                unparsed_lines: 1 from line 1
                cmdline: schbench -j -
                hostname: box
                sched_ext: disabled
                time: 1732372922
                wakeup_latency_pct50.0: 9
                wakeup_latency_pct99.0: 12
            "#]],
        );
    }
}
