//! What the osnoise tracer reports for each of its periods.

use super::KIND;
use crate::analyses::stated::emit_reported;
use crate::analyses::{Analysis, Emit, Event};
use crate::events::Decoded;
use crate::model::{Limits, Ns, ReadError};

pub fn start(_: &Limits) -> Box<dyn Analysis> {
    Box::new(Osnoise)
}

struct Osnoise;

impl Analysis for Osnoise {
    fn event(&mut self, event: &Event<'_>, emit: &mut dyn Emit) -> Result<(), ReadError> {
        let Decoded::Osnoise { noise_ns } = event.decoded else { return Ok(()) };
        emit_reported(&KIND, event, Ns(noise_ns), emit)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check_latencies;

    #[test]
    fn a_period_is_as_long_as_its_noise() {
        check_latencies(
            &["osnoise"],
            "
            osnoise/0-207 [0] 32.772479: osnoise: 1043767    1001980   4.00347  128678     82      0     99      0    284
            ",
            expect![[r#"
                osnoise cpu 0 start -1001980000 duration 1001980000 reported
            "#]],
        );
    }
}
