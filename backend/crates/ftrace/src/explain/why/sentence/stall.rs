//! How a CPU is said to have stood still.

use super::extent::{Extent, Length, is_one, normally, often, times};
use crate::explain::why::link::Link;
use crate::explain::why::meanwhile::{Meanwhile, meanwhile};
use crate::explain::why::mechanism::Mechanism;
use crate::explain::why::scene::Scene;
use crate::explain::why::stall::LONG_STALL_NS;
use crate::explain::words;

/// The sentence of a CPU that ran nothing: how long, how often, how long it normally does, and what its host
/// may have done.
pub fn stall<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> String {
    let often = often(link, extent);
    let host = if scene.is_guest() { host(scene, link, extent) } else { String::new() };
    // The case may contain only part of the stall: the sentence is about that part, but the whole is what is not
    // normal.
    let has_room = extent.length > Length::Short;
    let whole_ns = link
        .bounds
        .filter(|_| link.pieces <= 1 && has_room)
        .map(|(from_ns, to_ns)| to_ns.saturating_sub(from_ns));
    if let Some(whole_ns) =
        whole_ns.filter(|whole_ns| whole_ns.saturating_mul(50) >= extent.total_ns.saturating_mul(51))
    {
        let all = format!("{} in all", words::time(whole_ns));
        let all = match (Extent { total_ns: whole_ns, ..extent }).exceeded(link) {
            Some(usual) => format!("{all}, {}", usual.in_words()),
            None => all,
        };
        return format!("CPU {} stood still for {} ({all})", link.cpu, extent.time());
    }
    let times = if is_one(link, extent) { normally(link, extent) } else { times(link, extent) };
    format!("CPU {} stood still{often} for {}{times}{host}", link.cpu, extent.time())
}

/// What a guest's CPU is said to have been kept by that was idle, and took far too long to notice.
pub fn idle_host<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> String {
    let is_long = extent.total_ns >= LONG_STALL_NS && link.also.contains(&Mechanism::Stall);
    if !is_long || extent.length < Length::Full || !scene.is_guest() {
        return String::new();
    }
    match meanwhile(scene, link.cpu, link.start_ns, link.end_ns) {
        Some(Meanwhile::StoodStill(other, _)) => format!(", and CPU {other} stood still"),
        _ => ", as a guest's CPU does while its host runs something else".to_owned(),
    }
}

/// What the rest of the guest did then, or else what such a stall usually is.
fn host<'a>(scene: &Scene<'_, 'a>, link: &Link<'a>, extent: Extent) -> String {
    let is_one = extent.total_ns == link.duration_ns() && extent.length > Length::Short;
    let other = || meanwhile(scene, link.cpu, link.start_ns, link.end_ns);
    match if is_one { other() } else { None } {
        Some(Meanwhile::Ran(other)) => format!(" while CPU {other} ran"),
        Some(Meanwhile::StoodStill(other, still_ns)) => {
            let is_alike = still_ns.saturating_sub(extent.total_ns).abs().saturating_mul(10) <= still_ns;
            let long = if is_alike { String::new() } else { format!(", for {}", words::time(still_ns)) };
            format!(", and so did CPU {other}{long}")
        }
        None if extent.length == Length::Full => {
            ", as a guest's CPU does while its host runs something else".to_owned()
        }
        None => String::new(),
    }
}
