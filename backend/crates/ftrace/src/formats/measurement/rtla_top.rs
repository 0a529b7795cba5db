//! The tables that rtla prints again and again, of which the last counts.

use std::collections::BTreeMap;

use super::out::Out;
use super::thread::Thread;
use super::whole_number;
use crate::model::Stop;

const NS_PER_US: i64 = 1_000;
const MAX_CPUS: usize = 8_192;
/// The contexts of timerlat, in the order of their columns.
const CONTEXTS: [&str; 3] = ["irq", "thread", "user"];

#[derive(Default)]
pub struct Top {
    /// By CPU and what it is of.
    rows: BTreeMap<(i64, &'static str), Thread>,
    unit_ns: Option<i64>,
}

impl Top {
    /// Takes a line; false where it is none of a table.
    pub fn line(&mut self, text: &str, out: &mut Out<'_>) -> bool {
        // duration:   0 00:00:02 | time is in us
        if let Some(duration) = text.strip_prefix("duration:") {
            out.fact("duration", duration.split('|').next().unwrap_or_default());
            return true;
        }
        let is_frame = text.starts_with("CPU COUNT")
            || text.starts_with("CPU Period")
            || text.starts_with("ALL #")
            || text.starts_with("----");
        if is_frame {
            return true;
        }
        // 0 00:00:02   |          IRQ Timer Latency (us)        |         Thread Timer Latency (us)
        if text.contains("IRQ Timer Latency (") {
            self.unit_ns = Some(if text.contains("(ns)") { 1 } else { NS_PER_US });
            return true;
        }
        self.row(text).is_some()
    }

    fn row(&mut self, text: &str) -> Option<()> {
        let (cpu, rest) = text.split_once('#')?;
        let cpu = whole_number(cpu.trim())?;
        if self.rows.len() > MAX_CPUS {
            return None;
        }
        match rest.split_once('|') {
            Some((count, contexts)) => self.timerlat(cpu, whole_number(count.trim())?, contexts),
            None => self.osnoise(cpu, rest),
        }
    }

    // 179         1         5       179 |       31        27        27        31
    fn timerlat(&mut self, cpu: i64, count: i64, contexts: &str) -> Option<()> {
        for (context, cells) in CONTEXTS.into_iter().zip(contexts.split('|')) {
            let cells: Vec<&str> = cells.split_ascii_whitespace().collect();
            let [last, min, average, max] = *cells.as_slice() else { return None };
            // Of what was not measured there are dashes.
            let (Some(min), Some(max)) = (whole_number(min), whole_number(max)) else { continue };
            let thread = Thread {
                count: Some(count),
                min: Some(min),
                last: whole_number(last),
                max: Some(max),
                average: Some(average.to_owned()),
                ..Thread::default()
            };
            self.rows.insert((cpu, context), thread);
        }
        Some(())
    }

    // 2           2014291       466144    76.85816      461902        24048           0            0          506
    fn osnoise(&mut self, cpu: i64, rest: &str) -> Option<()> {
        let cells: Vec<&str> = rest.split_ascii_whitespace().collect();
        let [periods, _runtime, _noise, _available, max_noise, max_single, ..] = *cells.as_slice() else {
            return None;
        };
        let periods = whole_number(periods)?;
        let longest = |max, count| Thread { count, max: Some(max), ..Thread::default() };
        let (noise, single) = (whole_number(max_noise)?, whole_number(max_single)?);
        self.rows.insert((cpu, "noise of a period"), longest(noise, Some(periods)));
        self.rows.insert((cpu, "single noise"), longest(single, None));
        Some(())
    }

    /// Emits the rows of the table, of each thread what its columns state.
    pub fn emit(&mut self, tool: &str, out: &mut Out<'_>) -> Result<(), Stop> {
        let unit_ns = self.unit_ns.unwrap_or(NS_PER_US);
        for ((cpu, context), thread) in &mut self.rows {
            if let Some(lane) = out.cpu(*cpu)? {
                thread.emit(lane, &format!("rtla {tool} {context}"), unit_ns, out)?;
            }
        }
        Ok(())
    }
}
