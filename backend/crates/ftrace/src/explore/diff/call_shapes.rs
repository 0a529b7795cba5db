//! The shapes of the calls of a function, and which call of the nearest one is normal.

use hashbrown::{HashMap, HashSet};
use serde::Serialize;

use super::group::CallGroup;
use super::located::LocatedCall;
use super::normal_calls::{AbnormalCalls, ChosenCalls, MIN_ON_CPU, Pick, choose_calls};
use super::shapes::{NameSet, Shape, nearest, shapes, title};
use super::stored_calls::StoredCalls;
use crate::analyses::SliceFlags;
use crate::explore::ExploreError;
use crate::explore::protocol::Stored;
use crate::model::grouped;
use crate::store::read::dictionaries::{Dictionary, Symbol, read_symbols};
use crate::store::read::headers::BlockHeader;
use crate::store::tables;

/// Fewer calls of a shape are no picture of what is normal.
const MIN_OF_SHAPE: usize = 3;
/// Calls whose shapes are looked at, evenly over the recording.
pub const MOST_SHAPED: usize = 2_000;
/// Calls in the blocks that they lie in.
pub const MOST_SHAPED_RECORDS: i64 = 400_000;
/// Calls that one instance may make, to have a shape.
const MOST_NODES: usize = 100_000;

/// One shape as an answer shows it.
#[derive(Clone, Debug, Serialize)]
pub struct ShapeItem {
    /// Its median instance, as `normal` of a comparison.
    normal: String,
    /// What its instances call and most others do not, and the other way round.
    with: Vec<String>,
    without: Vec<String>,
    count: usize,
    median_ns: i64,
    /// It is the one that is compared with.
    is_compared: bool,
}

/// The calls of a function by their shapes.
pub struct CallShapes {
    calls: Vec<LocatedCall>,
    shapes: Vec<Shape>,
    titles: Vec<(Vec<String>, Vec<String>)>,
    numbers: HashMap<String, i32>,
    /// What was left out to find them.
    pub notes: Vec<String>,
}

impl CallShapes {
    /// Of the group that `choose_calls` finds; `None` where there is none besides the abnormal ones.
    pub async fn of(
        stored: &Stored,
        group: &CallGroup,
        abnormal: &AbnormalCalls,
        headers: &[BlockHeader],
    ) -> Result<Option<Self>, ExploreError> {
        let Some(chosen) = choose_calls(stored, group, Pick::Shaped, abnormal, headers).await? else {
            return Ok(None);
        };
        let ChosenCalls { members: calls, blocks, spread, mut notes, .. } = chosen;
        let all = spread.map_or(0, |spread| spread.count);
        if calls.len() < all {
            notes.push(format!(
                "Shapes are those of {} of {} calls of {}, sampled evenly over the recording.",
                grouped(calls.len()),
                grouped(all),
                group.function
            ));
        }
        let [slice_block, symbol] =
            stored.parts([stored.blocks(&tables::SLICE_BLOCK, &blocks), stored.all(&tables::SYMBOL)]).await;
        let symbols = read_symbols(&symbol)?;
        let stored_calls = StoredCalls::read(&slice_block)?;
        let mut times_ns: HashMap<i32, i64> = HashMap::new();
        let sets: Vec<NameSet> =
            calls.iter().map(|call| names_in(call, &stored_calls, &mut times_ns)).collect();
        let shapes = shapes(&sets);
        let time_ns = |name: i32| times_ns.get(&name).copied().unwrap_or(0);
        let named = |names: Vec<i32>| names.into_iter().map(|name| name_of(name, &symbols)).collect();
        let titles = (0..shapes.len()).map(|at| title(&shapes, at, time_ns));
        let titles = titles.map(|title| (named(title.with), named(title.without))).collect();
        let numbers = symbols.iter().map(|(number, symbol)| (symbol.display(), number)).collect();
        Ok(Some(Self { calls, shapes, titles, numbers, notes }))
    }

    /// The median call of the shape that is nearest to these functions; on the same CPU, where it has enough there.
    pub fn normal(&self, functions: &HashSet<String>, cpu: Option<i16>) -> Option<&LocatedCall> {
        let own = self.names_of(functions);
        let (at, _) = nearest(&self.shapes, &own, MIN_OF_SHAPE).or_else(|| nearest(&self.shapes, &own, 1))?;
        let mut calls: Vec<&LocatedCall> = self.members(at).collect();
        let on_cpu: Vec<&LocatedCall> = calls.iter().copied().filter(|call| Some(call.cpu) == cpu).collect();
        if on_cpu.len() >= MIN_ON_CPU {
            calls = on_cpu;
        }
        middle(calls)
    }

    /// The shapes, where there are several; `compared` is the call that is compared with.
    pub fn items(&self, trace: &str, compared: &LocatedCall, functions: &HashSet<String>) -> Vec<ShapeItem> {
        if self.shapes.len() < 2 {
            return Vec::new();
        }
        let is_in = |at: usize| self.members(at).any(|call| call.id == compared.id);
        let compared = (0..self.shapes.len()).find(|at| is_in(*at));
        let compared = compared.or_else(|| Some(nearest(&self.shapes, &self.names_of(functions), 1)?.0));
        let item = |(at, (with, without)): (usize, &(Vec<String>, Vec<String>))| {
            let median = middle(self.members(at).collect())?;
            Some(ShapeItem {
                normal: format!("{trace}/{}", median.id),
                with: with.clone(),
                without: without.clone(),
                count: self.members(at).count(),
                median_ns: median.duration_ns,
                is_compared: compared == Some(at),
            })
        };
        self.titles.iter().enumerate().filter_map(item).collect()
    }

    fn members(&self, at: usize) -> impl Iterator<Item = &LocatedCall> {
        let members = self.shapes.get(at).map(|shape| shape.members.as_slice()).unwrap_or_default();
        members.iter().filter_map(|member| self.calls.get(*member))
    }

    /// As this trace numbers them; those that it does not know are of no shape.
    fn names_of(&self, functions: &HashSet<String>) -> NameSet {
        let unknown = (1_i32..).map(std::ops::Neg::neg);
        let numbered = functions.iter().zip(unknown);
        let mut names: NameSet = numbered
            .map(|(function, unknown)| self.numbers.get(function).copied().unwrap_or(unknown))
            .collect();
        names.sort_unstable();
        names
    }
}

fn middle(mut calls: Vec<&LocatedCall>) -> Option<&LocatedCall> {
    calls.sort_by_key(|call| (call.duration_ns, call.t, call.number));
    calls.get(calls.len().checked_sub(1)?.div_euclid(2)).copied()
}

fn name_of(name: i32, symbols: &Dictionary<Symbol<'_>>) -> String {
    symbols.get(name).map(Symbol::display).unwrap_or_default()
}

/// The functions that a call calls, at any depth, by their names.
pub fn functions_in(
    call: &LocatedCall,
    calls: &StoredCalls,
    symbols: &Dictionary<Symbol<'_>>,
) -> HashSet<String> {
    let names = names_in(call, calls, &mut HashMap::new());
    names.into_iter().map(|name| name_of(name, symbols)).collect()
}

/// The same by number, with their times added up in `times_ns`. Interrupts strike at random, so that what they call is
/// of no shape.
fn names_in(call: &LocatedCall, calls: &StoredCalls, times_ns: &mut HashMap<i32, i64>) -> NameSet {
    let is_in_interrupt = SliceFlags(call.flags).has(SliceFlags::IN_INTERRUPT);
    let mut names: HashSet<i32> = HashSet::new();
    let mut open: Vec<i32> = vec![call.number];
    let mut seen = 0_usize;
    while let Some(number) = open.pop() {
        for callee in calls.children(number) {
            seen = seen.saturating_add(1);
            if seen > MOST_NODES || (callee.flags.has(SliceFlags::IN_INTERRUPT) && !is_in_interrupt) {
                continue;
            }
            names.insert(callee.symbol_idx);
            let time_ns = times_ns.entry(callee.symbol_idx).or_default();
            *time_ns = time_ns.saturating_add(callee.duration_ns);
            open.push(callee.number);
        }
    }
    let mut names: NameSet = names.into_iter().collect();
    names.sort_unstable();
    names
}
