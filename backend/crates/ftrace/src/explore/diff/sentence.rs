//! One contribution in words.

use super::words::signed_time;
use crate::diff::{Contribution, Kind, NameId, Names, Repeat, Spread, Status};

/// `+8.369 µs: ktime_get, hrtimer_forward under enqueue_task_rt, only in the abnormal one`
pub fn sentence(names: &Names, one: &Contribution) -> String {
    let listed = |all: &[NameId]| all.iter().map(|name| names.text(*name)).collect::<Vec<_>>().join(", ");
    let mut text = format!("{}: {}", signed_time(one.delta_ns), listed(&one.names));
    if let Some(under) = one.path.last().filter(|_| one.kind == Kind::Call) {
        text += &format!(" under {}", names.text(*under));
    }
    if !one.hit.is_empty() {
        text += &format!(", which hit {}", listed(&one.hit));
    }
    let is_further = one.repeat == Repeat::More && one.status != Status::Matched;
    if one.count > 1 && one.names.len() == 1 && !is_further {
        text += &format!(", {} times", one.count);
    }
    text += &what(names, one);
    if let Some(inside) = one.inside {
        let name = names.text(inside.name);
        let has = if one.kind == Kind::Call { "calls" } else { "has" };
        text += &format!("; {} of it in {name}, which only this side {has}", signed_time(inside.delta_ns));
    }
    text + &seen(one)
}

fn what(names: &Names, one: &Contribution) -> String {
    let (own, other) = match one.status {
        Status::Removed => ("normal", "abnormal"),
        _ => ("abnormal", "normal"),
    };
    match (one.status, one.repeat) {
        (Status::Added | Status::Removed, Repeat::New) => format!(", only in the {own} one"),
        (Status::Added | Status::Removed, Repeat::More)
            if one.count == 1 || one.passes == 1 && one.names.len() > 1 =>
        {
            format!(", once more than in the {other} one")
        }
        (Status::Added | Status::Removed, Repeat::More) => {
            let times = if one.names.len() > 1 { one.passes } else { one.count };
            format!(", {times} times more than in the {other} one")
        }
        (Status::Added | Status::Removed, Repeat::Moved) => {
            format!(", at another place in the {other} one")
        }
        _ if one.kind == Kind::Event => {
            let until = one.until.map_or("the end", |until| names.text(until));
            let longer = if one.delta_ns > 0 { "longer" } else { "shorter" };
            format!(", {longer} until {until}")
        }
        _ if one.delta_ns > 0 => ", slower by itself".to_owned(),
        _ => ", faster by itself".to_owned(),
    }
}

/// ` (in 9 of 10 abnormal ones, in 0 of 4812 normal ones)`
fn seen(one: &Contribution) -> String {
    let in_set = |set: Option<Spread>, whose: &str| {
        set.map(|set| format!("in {} of {} {whose} ones", set.seen, set.of))
    };
    let sets = [in_set(one.spreads.abnormal, "abnormal"), in_set(one.spreads.normal, "normal")];
    let sets: Vec<String> = sets.into_iter().flatten().collect();
    if sets.is_empty() { String::new() } else { format!(" ({})", sets.join(", ")) }
}
