//! Excerpts: recordings so short that a person may have left lines out on purpose, as documents do that quote one.

const MAX_EVENTS: u64 = 16;

/// True where a recording of this many events may be an excerpt, so that what it lacks is no damage.
pub fn may_be_excerpt(event_count: u64) -> bool {
    event_count <= MAX_EVENTS
}
