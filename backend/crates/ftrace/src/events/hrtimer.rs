//! `hrtimer_start`, `hrtimer_expire_entry` and `hrtimer_expire_exit`, in the forms of the kernel and of
//! trace-cmd's plugin.

use super::fields::{number, word};
use super::number::parse_address;

/// A timer is armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimerStart<'a> {
    /// Its address, which the kernel may print hashed.
    pub timer: u64,
    pub function: &'a [u8],
    /// On the timer's own clock.
    pub expires_ns: i64,
    /// From when on the kernel may call its handler; before `expires_ns` where the timer has slack.
    pub soft_expires_ns: i64,
}

/// What the kernel calls when the timer of a sleep, or of a wait with a time-out, expires (`hrtimer_init_sleeper`,
/// kernel/time/hrtimer.c).
pub const SLEEP_HANDLER: &[u8] = b"hrtimer_wakeup";

/// Handlers of the timers that tick. A CPU without high-resolution timers ticks without one.
/// Source: kernel/time/tick-sched.c, Linux 3.0 to 6.18.
pub const TICK_HANDLERS: [&[u8]; 3] =
    [b"tick_sched_timer", b"tick_nohz_handler", b"tick_nohz_highres_handler"];

/// The handler of a timer is about to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimerExpiry<'a> {
    pub timer: u64,
    pub function: &'a [u8],
    /// When its interrupt read the timer's own clock.
    pub now_ns: i64,
}

// hrtimer=000000002ad8bc6a function=hrtimer_wakeup expires=6389900935569 softexpires=6389900935569 mode=ABS
/// Source: include/trace/events/timer.h, Linux 6.12; trace-cmd 3.1, plugin_hrtimer.c.
pub fn parse_start(args: &[u8]) -> Option<TimerStart<'_>> {
    let expires_ns = number(args, b"expires")?;
    let soft_expires_ns = number(args, b"softexpires").unwrap_or(expires_ns);
    Some(TimerStart { timer: address(args)?, function: function(args), expires_ns, soft_expires_ns })
}

// hrtimer=000000002ad8bc6a function=hrtimer_wakeup now=6389900945120
/// Source: include/trace/events/timer.h (hrtimer_expire_entry), Linux 6.12.
pub fn parse_expiry(args: &[u8]) -> Option<TimerExpiry<'_>> {
    Some(TimerExpiry { timer: address(args)?, function: function(args), now_ns: number(args, b"now")? })
}

/// The timer that an event is about.
pub fn address(args: &[u8]) -> Option<u64> {
    parse_address(word(args, b"hrtimer")?)
}

/// trace-cmd prints `hrtimer_wakeup/0x0`.
fn function(args: &[u8]) -> &[u8] {
    let function = word(args, b"function").unwrap_or_default();
    function.strip_suffix(b"/0x0").unwrap_or(function)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_start(args: &str, expected: Option<(u64, &str, i64, i64)>) {
        let expected = expected.map(|(timer, function, expires_ns, soft_expires_ns)| TimerStart {
            timer,
            function: function.as_bytes(),
            expires_ns,
            soft_expires_ns,
        });
        assert_eq!(parse_start(args.as_bytes()), expected, "{args}");
    }

    #[test]
    fn a_start_is_read_in_every_form() {
        check_start(
            "hrtimer=000000002ad8bc6a function=hrtimer_wakeup expires=6389900935569 softexpires=6389900000000 mode=ABS|HARD was_armed=0",
            Some((0x2ad8_bc6a, "hrtimer_wakeup", 6_389_900_935_569, 6_389_900_000_000)),
        );
        check_start(
            "hrtimer=0xffff8ee7b9d36a00 function=dl_task_timer/0x0 expires=11990009187 softexpires=11990009187",
            Some((0xffff_8ee7_b9d3_6a00, "dl_task_timer", 11_990_009_187, 11_990_009_187)),
        );
        check_start(
            "mode=0x0 (0) softexpires=0x7 (7) expires=0x297feefbd (11140001725) function=0xffffffff83dc92f0 (-2082696464) hrtimer=0xffff8e0479d26418 (-125325101865960)",
            Some((0xffff_8e04_79d2_6418, "0xffffffff83dc92f0", 11_140_001_725, 7)),
        );
        check_start("hrtimer=(____ptrval____) function=f expires=1 softexpires=1", None);
        check_start("hrtimer=2ad8bc6a function=f expires=9", Some((0x2ad8_bc6a, "f", 9, 9)));
        check_start("hrtimer=000000002ad8bc6a", None);
    }

    #[test]
    fn an_expiry_tells_its_own_clock() {
        let expiry = parse_expiry(b"hrtimer=0xffffcef9006d7b30 now=11040150991 function=hrtimer_wakeup/0x0");
        let expected =
            TimerExpiry { timer: 0xffff_cef9_006d_7b30, function: b"hrtimer_wakeup", now_ns: 11_040_150_991 };
        assert_eq!(expiry, Some(expected));
        assert_eq!(address(b"hrtimer=000000002ad8bc6a"), Some(0x2ad8_bc6a));
    }
}
