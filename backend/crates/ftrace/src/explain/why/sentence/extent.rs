//! How much a clause is about, how much it may say, and what is normal of that.

use crate::explain::why::link::Link;
use crate::explain::why::usual::Usual;
use crate::explain::words;
use crate::model::grouped;

/// How much a clause may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Length {
    /// Tasks by pid, and nothing but the mechanism.
    Bare,
    /// What it was due to, in as few words as may be.
    Terse,
    /// Names without priorities, and times without what is normal.
    Short,
    /// What it was, without what explains it further.
    Brief,
    Full,
}

/// What a clause is about: several links of one mechanism, and of one name.
#[derive(Clone, Copy)]
pub struct Extent {
    pub total_ns: i64,
    pub subjects: usize,
    pub length: Length,
}

impl Extent {
    pub fn time(self) -> String {
        words::time(self.total_ns)
    }

    /// What is normal, where it took at least twice that and there is room to say so.
    pub fn exceeded(self, link: &Link<'_>) -> Option<Usual> {
        link.usual.filter(|usual| self.length > Length::Short && usual.is_exceeded_by(self.total_ns))
    }
}

/// ` twice`, unless one of them took nearly all of it.
pub fn often(link: &Link<'_>, extent: Extent) -> String {
    match link.pieces {
        _ if is_one(link, extent) => String::new(),
        0 | 1 => String::new(),
        2 => " twice".to_owned(),
        pieces => format!(" {} times", grouped(pieces)),
    }
}

/// ` (normally 6.1 µs)`, where it took at least twice that.
pub fn normally(link: &Link<'_>, extent: Extent) -> String {
    extent.exceeded(link).map_or_else(String::new, |usual| format!(" ({})", usual.in_words()))
}

/// ` (longest 4.000 ms, normally 14 µs)`
pub fn times(link: &Link<'_>, extent: Extent) -> String {
    if link.pieces <= 1 {
        return normally(link, extent);
    }
    if extent.length <= Length::Short {
        return String::new();
    }
    let longest = words::time(link.longest_ns);
    match link.usual.filter(|usual| usual.is_exceeded_by(link.longest_ns)) {
        Some(usual) => format!(" (longest {longest}, {})", usual.in_words()),
        None => format!(" (longest {longest})"),
    }
}

/// True where one took nearly all of it: the others are too short to be told.
pub fn is_one(link: &Link<'_>, extent: Extent) -> bool {
    link.longest_ns.saturating_mul(10) >= extent.total_ns.saturating_mul(9)
}
