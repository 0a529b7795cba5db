//! The classes that the scheduler treats tasks in, and the parameter `priority_class`.

use serde::Serialize;

use super::ExploreError;
use super::request::Params;

/// What decides over a task before its priority does.
///
/// Source: include/linux/sched/prio.h, Linux 6.12: the kernel's numbers below 0 are deadline tasks, those below
/// 100 real-time ones, which begin at the highest priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PriorityClass {
    Deadline,
    RealTime,
    Fair,
}

const CLASSES: [(&str, PriorityClass); 3] = [
    ("deadline", PriorityClass::Deadline),
    ("real_time", PriorityClass::RealTime),
    ("fair", PriorityClass::Fair),
];

impl PriorityClass {
    /// The class of a task with this priority, as the kernel counts them.
    pub fn of(prio: i16) -> Self {
        match prio {
            ..0 => Self::Deadline,
            0..100 => Self::RealTime,
            100.. => Self::Fair,
        }
    }

    /// Those that the request names; empty where any will do.
    pub fn from_params(params: &Params) -> Result<Vec<Self>, ExploreError> {
        let known = |name: &String| {
            let found = CLASSES.iter().find(|(known, _)| known == name);
            found.map(|(_, class)| *class).ok_or_else(|| {
                ExploreError::bad(
                    "priority_class",
                    format!("{name:?} is no class; expected deadline, real_time or fair"),
                )
            })
        };
        params.names("priority_class")?.iter().map(known).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(request: &str, expected: Result<&[PriorityClass], &str>) {
        let found = PriorityClass::from_params(&Params::parse(request).unwrap());
        let found = found.map_err(|error| error.to_string());
        assert_eq!(found, expected.map(<[PriorityClass]>::to_vec).map_err(str::to_owned), "{request}");
    }

    #[test]
    fn the_kernels_numbers_fall_into_three_classes() {
        let classes = [-1, 0, 98, 100, 139].map(PriorityClass::of);
        use PriorityClass::{Deadline, Fair, RealTime};
        assert_eq!(classes, [Deadline, RealTime, RealTime, Fair, Fair]);
    }

    #[test]
    fn classes_are_named_in_requests() {
        check("{}", Ok(&[]));
        check(
            r#"{"priority_class":"real_time,deadline"}"#,
            Ok(&[PriorityClass::RealTime, PriorityClass::Deadline]),
        );
        check(
            r#"{"priority_class":"fifo"}"#,
            Err("priority_class: \"fifo\" is no class; expected deadline, real_time or fair"),
        );
    }
}
