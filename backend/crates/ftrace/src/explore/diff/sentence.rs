//! One contribution in words.

use super::words::signed_time;
use crate::diff::{Contribution, Kind, NameId, Names, Repeat, Status, instances};
use crate::model::grouped;

/// `+8.369 µs: ktime_get, hrtimer_forward under enqueue_task_rt, only in the abnormal run`
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
        text += &format!(", {} times", grouped(one.count));
    }
    text += &what(names, one);
    if let Some(inside) = one.inside {
        let name = names.text(inside.name);
        text += &format!("; {} of it in {name}, only on this side", signed_time(inside.delta_ns));
    }
    if let Some(instances) = instances(one.spreads) {
        text += &format!(" (in {instances})");
    }
    text
}

fn what(names: &Names, one: &Contribution) -> String {
    let (own, other) = match one.status {
        Status::Removed => ("normal", "abnormal"),
        _ => ("abnormal", "normal"),
    };
    match (one.status, one.repeat) {
        // Only the median one of a set lacks it.
        (Status::Added, Repeat::New) if one.spreads.normal.is_some_and(|spread| spread.seen > 0) => {
            ", missing from the median normal instance".to_owned()
        }
        (Status::Added | Status::Removed, Repeat::New) => format!(", only in the {own} run"),
        (Status::Added | Status::Removed, Repeat::More)
            if one.count == 1 || one.passes == 1 && one.names.len() > 1 =>
        {
            format!(", once more than in the {other} run")
        }
        (Status::Added | Status::Removed, Repeat::More) => {
            let times = if one.names.len() > 1 { one.passes } else { one.count };
            format!(", {} times more than in the {other} run", grouped(times))
        }
        (Status::Added | Status::Removed, Repeat::Moved) => {
            format!(", elsewhere in the {other} run")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::{Sides, Spread};

    #[test]
    fn what_others_of_a_set_have_is_missing_from_the_median_one() {
        let mut names = Names::default();
        let h = names.intern("h");
        let added = |seen: u32| Contribution {
            names: vec![h],
            main_names: vec![h],
            status: Status::Added,
            kind: Kind::Call,
            repeat: Repeat::New,
            path: Vec::new(),
            row: 0,
            delta_ns: 8_000,
            count: 1,
            passes: 1,
            hit: Vec::new(),
            until: None,
            inside: None,
            spreads: Sides { abnormal: None, normal: Some(Spread { seen, of: 13, whole: None, own: None }) },
            distance_milli_mad: None,
        };
        let said = [0, 1].map(|seen| sentence(&names, &added(seen)));
        assert_eq!(said[0], "+8.000 µs: h, only in the abnormal run (in 0 of 13 normal instances)");
        assert_eq!(
            said[1],
            "+8.000 µs: h, missing from the median normal instance (in 1 of 13 normal instances)"
        );
    }
}
