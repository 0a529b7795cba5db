//! The chain of a case in the shape of the API.

use std::ptr;

use serde::Serialize;

use super::case_id::CaseId;
use crate::explain::{Link, LinkSubject, Mark, Seen, Surroundings, late_links};
use crate::explore::ids::Owner;
use crate::kinds::KINDS;

#[derive(Serialize)]
pub struct LinkItem<'a> {
    start: i64,
    duration_ns: i64,
    cpu: i16,
    mechanism: &'static str,
    also: Vec<&'static str>,
    subject: Option<SubjectItem>,
    sentence: String,
    is_late: bool,
    evidence: Vec<EvidenceItem<'a>>,
    certainty: &'static str,
    bounds: Option<BoundsItem>,
    normal: Option<NormalItem>,
    deeper: Option<DeeperItem<'a>>,
}

/// What a link hangs on.
#[derive(Serialize)]
struct DeeperItem<'a> {
    case: Option<CaseId>,
    url: Option<String>,
    links: Vec<LinkItem<'a>>,
}

#[derive(Serialize)]
struct SubjectItem {
    kind: &'static str,
    name: String,
    pid: Option<i32>,
    cpu: i16,
    prio: Option<i32>,
}

/// An event that the link was concluded from.
#[derive(Serialize)]
struct EvidenceItem<'a> {
    seq: i64,
    t: i64,
    cpu: i16,
    event: &'a str,
}

#[derive(Serialize)]
struct BoundsItem {
    from: i64,
    to: i64,
}

/// How long such a stretch usually takes.
#[derive(Serialize)]
struct NormalItem {
    count: usize,
    median_ns: i64,
    p99_ns: i64,
    rank: usize,
}

/// The links of a chain, with those under them.
pub fn why_items<'a>(chain: &[Link<'a>], around: &Surroundings<'_, 'a>) -> Vec<LinkItem<'a>> {
    let late = late_links(chain, around);
    let is_late = |link| late.iter().any(|one| ptr::eq(*one, link));
    chain.iter().map(|link| LinkItem::new(link, is_late(link), around)).collect()
}

impl<'a> LinkItem<'a> {
    fn new(link: &Link<'a>, is_late: bool, around: &Surroundings<'_, 'a>) -> Self {
        Self {
            start: link.start_ns,
            duration_ns: link.duration_ns(),
            cpu: link.cpu,
            mechanism: link.mechanism.name(),
            also: link.also.iter().map(|mechanism| mechanism.name()).collect(),
            subject: link.subject.map(|subject| SubjectItem::new(subject, link, around)),
            sentence: link.sentence.clone(),
            is_late,
            evidence: link.evidence.iter().map(|event| EvidenceItem::new(event, around)).collect(),
            certainty: link.certainty.name(),
            bounds: link.bounds.map(|(from, to)| BoundsItem { from, to }),
            normal: link.usual.map(|usual| NormalItem {
                count: usual.count,
                median_ns: usual.median_ns,
                p99_ns: usual.p99_ns,
                rank: usual.rank,
            }),
            deeper: (!link.deeper.is_empty()).then(|| {
                let links = why_items(&link.deeper, around);
                let case = link.hangs_on.and_then(|(pid, start_ns)| wakeup_id(pid, start_ns, around));
                DeeperItem { case, url: None, links }
            }),
        }
    }
}

/// The wakeup of a task, as a case of its own.
fn wakeup_id(pid: i32, start_ns: i64, around: &Surroundings<'_, '_>) -> Option<CaseId> {
    let wakeup = KINDS.iter().find(|kind| kind.waits_from() == Some(Mark::Waking))?;
    Some(CaseId {
        kind: wakeup.latency().name.to_owned(),
        field: None,
        owner: Owner::Pid(pid),
        start_ns: start_ns.saturating_add(around.origin_ns()),
        number: 0,
    })
}

impl SubjectItem {
    fn new(subject: LinkSubject, link: &Link<'_>, around: &Surroundings<'_, '_>) -> Self {
        let pid = match subject {
            LinkSubject::Task(idx) => around.pid(idx),
            _ => None,
        };
        let (kind, name) = (subject.kind(), subject.name(around, link.end_ns));
        Self { kind, name, pid, cpu: link.cpu, prio: link.subject_prio }
    }
}

impl<'a> EvidenceItem<'a> {
    fn new(event: &Seen<'a>, around: &Surroundings<'_, 'a>) -> Self {
        Self { seq: event.seq, t: event.t_ns, cpu: event.cpu, event: around.event_name(event) }
    }
}
