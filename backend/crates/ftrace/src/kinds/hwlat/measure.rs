//! What the hwlat tracer reports: time that went missing while nothing else could run.

use super::KIND;
use crate::analyses::stated::emit_reported;
use crate::analyses::{Analysis, Emit, Event};
use crate::events::Decoded;
use crate::model::{Limits, Ns, ReadError};

pub fn start(_: &Limits) -> Box<dyn Analysis> {
    Box::new(Hwlat)
}

struct Hwlat;

impl Analysis for Hwlat {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Decoded::Hwlat { longest_ns } = event.decoded else { return Ok(()) };
        emit_reported(&KIND, event, Ns(longest_ns), emit)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_latencies;

    #[test]
    fn the_longer_of_inner_and_outer_counts() {
        check_latencies(
            &["hwlat"],
            "
            <...>-993 [0] 301.584852: hwlat: #1     inner/outer(us): 17403/16024 ts:1795220337.000647021 count:180
            <...>-993 [1] 301.600000: hwlat: #2     inner/outer(us):   13/26    ts:1795220338.756522408
            ",
            expect![[r#"
                hwlat cpu 0 start -17403000 duration 17403000 reported
                hwlat cpu 1 start 15122000 duration 26000 reported
            "#]],
        );
    }
}
