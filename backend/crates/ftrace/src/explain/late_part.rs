//! The late part of a case: what took most of its chain.

use std::collections::BTreeMap;

use super::surroundings::Surroundings;
use super::why::{Link, Mechanism, Subject};

/// What links of one group have in common: one mechanism about one subject, or about tasks of one name.
type Group = (Mechanism, Option<(&'static str, String)>, bool);

/// The links of the group that took most, the first of equals: what the verdict is about.
pub fn late_links<'l, 'a>(chain: &'l [Link<'a>], around: &Surroundings<'_, '_>) -> Vec<&'l Link<'a>> {
    let mut groups: BTreeMap<Group, Vec<&Link<'a>>> = BTreeMap::new();
    for link in chain {
        groups.entry(group(link, around)).or_default().push(link);
    }
    let total_ns =
        |links: &[&Link<'_>]| links.iter().fold(0_i64, |sum, link| sum.saturating_add(link.duration_ns()));
    let first_ns = |links: &[&Link<'_>]| links.first().map(|link| link.start_ns);
    groups.into_values().min_by_key(|links| (-total_ns(links), first_ns(links))).unwrap_or_default()
}

fn group(link: &Link<'_>, around: &Surroundings<'_, '_>) -> Group {
    let subject = link.subject.map(|subject| {
        let mut name = subject.name(around, link.end_ns);
        if let Subject::Task(idx) = subject
            && let Some(pid) = around.pid(idx)
            && let Some(comm) = name.strip_suffix(&format!("-{pid}"))
        {
            name.truncate(comm.len());
        }
        (subject.kind(), name)
    });
    (link.mechanism, subject, link.deeper.is_empty())
}
