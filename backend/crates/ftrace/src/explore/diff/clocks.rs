//! Recordings whose times cannot be compared, because their clocks count different things.

use super::side::Recording;
use crate::diff::Sides;
use crate::explore::ExploreError;
use crate::model::TimeUnit;

/// All recordings of a comparison: those of the abnormal side, then those of the normal one.
///
/// Errors: the first one whose clock does not count what that of the first does.
pub fn refuse_other_clocks<'r>(
    sides: Sides<impl Iterator<Item = &'r Recording>>,
) -> Result<(), ExploreError> {
    let Sides { mut abnormal, normal } = sides;
    let Some(first) = abnormal.next() else { return Ok(()) };
    let others = abnormal.map(|trace| ("abnormal", trace)).chain(normal.map(|trace| ("normal", trace)));
    for (parameter, trace) in others {
        if !is_comparable(first, trace) {
            let detail = format!(
                "{:?} counts {} and {:?} {}: their durations cannot be compared; choose recordings with the same \
                 trace clock",
                first.name,
                counted(first),
                trace.name,
                counted(trace)
            );
            return Err(ExploreError::not_comparable(parameter, detail));
        }
    }
    Ok(())
}

/// A file that does not name its clock may have that of the other.
fn is_comparable(one: &Recording, other: &Recording) -> bool {
    let clocks = one.clock.as_ref().zip(other.clock.as_ref());
    one.time_unit == other.time_unit
        && (one.time_unit == TimeUnit::Ns || clocks.is_none_or(|(one, other)| one == other))
}

/// `nanoseconds`, `ticks of the clock x86-tsc`
fn counted(trace: &Recording) -> String {
    match (trace.time_unit, &trace.clock) {
        (TimeUnit::Ns, _) => "nanoseconds".to_owned(),
        (TimeUnit::Ticks, Some(clock)) => format!("ticks of the clock {clock}"),
        (TimeUnit::Ticks, None) => "ticks of a clock that it does not name".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(abnormal: &[(&str, TimeUnit)], normal: &[(&str, TimeUnit)], expected: &str) {
        let recordings = Sides { abnormal, normal }.map(|side| {
            let of = |(clock, time_unit): &(&str, TimeUnit)| Recording {
                name: format!("on {clock}"),
                clock: Some((*clock).to_owned()).filter(|clock| !clock.is_empty()),
                time_unit: *time_unit,
                ..Recording::default()
            };
            side.iter().map(of).collect::<Vec<_>>()
        });
        let refused = refuse_other_clocks(recordings.as_ref().map(|side| side.iter()));
        assert_eq!(refused.err().map(|error| error.to_string()).unwrap_or_default(), expected);
    }

    #[test]
    fn ticks_are_compared_with_those_of_the_same_clock() {
        use TimeUnit::{Ns, Ticks};
        check(&[("local", Ns)], &[("mono", Ns), ("", Ns)], "");
        check(&[("x86-tsc", Ticks)], &[("x86-tsc", Ticks), ("", Ticks)], "");
        check(
            &[("x86-tsc", Ticks)],
            &[("local", Ns)],
            "normal: \"on x86-tsc\" counts ticks of the clock x86-tsc and \"on local\" nanoseconds: their \
             durations cannot be compared; choose recordings with the same trace clock",
        );
        check(
            &[("local", Ns), ("", Ticks)],
            &[],
            "abnormal: \"on local\" counts nanoseconds and \"on \" ticks of a clock that it does not name: \
             their durations cannot be compared; choose recordings with the same trace clock",
        );
        check(
            &[("uptime", Ticks)],
            &[("x86-tsc", Ticks)],
            "normal: \"on uptime\" counts ticks of the clock uptime and \"on x86-tsc\" ticks of the clock x86-tsc: \
             their durations cannot be compared; choose recordings with the same trace clock",
        );
    }
}
