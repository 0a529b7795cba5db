//! What an interrupt or softirq did, by what its events say: whom it woke, what it freed, queued or started.

use super::scene::Scene;
use crate::events::{Role, WakenTask};
use crate::explain::surroundings::Seen;
use crate::model::grouped;

/// Things done that a headline names at most.
const MAX_NAMED: usize = 3;

/// What an event says was done: once, several times, and while it was being done.
struct Phrase {
    event: &'static str,
    once: &'static str,
    /// Behind a number.
    often: (&'static str, &'static str),
    doing: &'static str,
}

const fn phrase(
    event: &'static str,
    once: &'static str,
    often: (&'static str, &'static str),
    doing: &'static str,
) -> Phrase {
    Phrase { event, once, often, doing }
}

const OBJECTS: (&str, &str) = ("freed", "objects");
const PAGES: (&str, &str) = ("freed", "pages");
const PACKETS_FREED: (&str, &str) = ("freed", "packets");
const PACKETS_RECEIVED: (&str, &str) = ("received", "packets");
const TIMERS: (&str, &str) = ("started", "timers");
const CALLBACKS: (&str, &str) = ("ran", "RCU callbacks");

/// Source: include/trace/events, Linux 6.12.
const PHRASES: &[Phrase] = &[
    phrase("sched_process_free", "freed an ended task", ("freed", "ended tasks"), "freeing an ended task"),
    phrase("workqueue_queue_work", "queued a work item", ("queued", "work items"), "queueing a work item"),
    phrase("softirq_raise", "raised a softirq", ("raised", "softirqs"), "raising a softirq"),
    phrase("timer_start", "started a timer", TIMERS, "starting a timer"),
    phrase("hrtimer_start", "started a timer", TIMERS, "starting a timer"),
    phrase("sched_migrate_task", "moved a task", ("moved", "tasks"), "moving a task"),
    phrase("kfree", "freed an object", OBJECTS, "freeing an object"),
    phrase("kmem_cache_free", "freed an object", OBJECTS, "freeing an object"),
    phrase("mm_page_free", "freed a page", PAGES, "freeing a page"),
    phrase("mm_page_free_batched", "freed a page", PAGES, "freeing a page"),
    phrase("consume_skb", "freed a packet", PACKETS_FREED, "freeing a packet"),
    phrase("kfree_skb", "freed a packet", PACKETS_FREED, "freeing a packet"),
    phrase("netif_receive_skb", "received a packet", PACKETS_RECEIVED, "receiving a packet"),
    phrase("napi_gro_receive_entry", "received a packet", PACKETS_RECEIVED, "receiving a packet"),
    phrase("net_dev_xmit", "sent a packet", ("sent", "packets"), "sending a packet"),
    phrase("rcu_invoke_callback", "ran an RCU callback", CALLBACKS, "running an RCU callback"),
    phrase("rcu_invoke_kvfree_callback", "ran an RCU callback", CALLBACKS, "running an RCU callback"),
    phrase("rcu_invoke_kfree_callback", "ran an RCU callback", CALLBACKS, "running an RCU callback"),
    phrase(
        "block_rq_complete",
        "completed a block request",
        ("completed", "block requests"),
        "completing a block request",
    ),
    phrase(
        "block_rq_issue",
        "issued a block request",
        ("issued", "block requests"),
        "issuing a block request",
    ),
    phrase("signal_generate", "sent a signal", ("sent", "signals"), "sending a signal"),
];

/// A task that was woken: from the first event of that to its last.
pub struct Waking<'a> {
    pub task: WakenTask<'a>,
    pub start_ns: i64,
    pub end_ns: i64,
    from: usize,
    to: usize,
    /// Its `sched_wakeup` is still to come.
    is_open: bool,
}

impl Waking<'_> {
    /// `rcu_preempt-16`
    pub fn name(&self) -> String {
        format!("{}-{}", String::from_utf8_lossy(self.task.comm), self.task.pid)
    }
}

/// What was done over some events of a CPU.
pub struct Deeds<'e, 's, 'a> {
    events: &'e [&'s Seen<'a>],
    names: Vec<&'a str>,
    pub wakings: Vec<Waking<'a>>,
}

impl<'e, 's, 'a> Deeds<'e, 's, 'a> {
    /// What `events`, which are of one CPU and in order, show that it did.
    pub fn of(scene: &Scene<'s, 'a>, events: &'e [&'s Seen<'a>]) -> Self {
        let names = events.iter().map(|event| scene.around.event_name(event)).collect();
        let mut wakings: Vec<Waking<'a>> = Vec::new();
        for (at, event) in events.iter().enumerate() {
            let new = |task: WakenTask<'a>, is_open: bool| {
                let (start_ns, end_ns) = (event.t_ns, event.t_ns);
                Waking { task, start_ns, end_ns, from: at, to: at, is_open }
            };
            if let Some(task) = event.waking() {
                wakings.push(new(task, true));
            } else if let Some(task) = event.wakeup() {
                match wakings.last_mut().filter(|last| last.is_open && last.task.pid == task.pid) {
                    Some(last) => (last.end_ns, last.to, last.is_open) = (event.t_ns, at, false),
                    None => wakings.push(new(task, false)),
                }
            }
        }
        Self { events, names, wakings }
    }

    fn place(&self, event: &Seen<'_>) -> Option<usize> {
        self.events.iter().position(|other| other.seq == event.seq)
    }

    /// The one that two events after each other belong to, both ends included.
    pub fn waking_around(&self, pair: [&Seen<'_>; 2]) -> Option<&Waking<'a>> {
        let [first, second] = [self.place(pair[0])?, self.place(pair[1])?];
        self.wakings.iter().find(|waking| waking.from <= first && second <= waking.to)
    }

    /// `waking rcu_preempt-16`, `freeing an ended task`; nothing of an event that says of nothing that it was done.
    pub fn doing(&self, event: &Seen<'_>) -> Option<String> {
        let at = self.place(event)?;
        if let Some(waking) = self.wakings.iter().find(|waking| waking.from <= at && at <= waking.to) {
            return Some(format!("waking {}", waking.name()));
        }
        self.phrase(at).map(|phrase| phrase.doing.to_owned())
    }

    fn phrase(&self, at: usize) -> Option<&'static Phrase> {
        let name = self.names.get(at)?;
        PHRASES.iter().find(|phrase| phrase.event == *name)
    }

    /// `it woke rcu_preempt-16, freed 3 ended tasks and raised softirq RCU`, in the order of the trace.
    pub fn in_words(&self) -> Option<String> {
        let mut done: Vec<String> = Vec::new();
        let is_waking = |at: usize| self.wakings.iter().any(|waking| waking.from <= at && at <= waking.to);
        let mut told: Vec<&str> = Vec::new();
        for at in 0..self.events.len() {
            if self.wakings.first().is_some_and(|first| first.from == at) {
                done.push(self.whom_it_woke());
            }
            let Some(phrase) = self.phrase(at).filter(|_| !is_waking(at)) else { continue };
            if !told.contains(&phrase.often.1) {
                told.push(phrase.often.1);
                let alike = (0..self.events.len()).filter(|other| {
                    !is_waking(*other) && self.phrase(*other).is_some_and(|one| one.often == phrase.often)
                });
                done.push(match alike.count() {
                    1 => self.once(at, phrase),
                    count => format!("{} {} {}", phrase.often.0, grouped(count), phrase.often.1),
                });
            }
        }
        done.truncate(MAX_NAMED);
        let last = done.pop()?;
        Some(match done.is_empty() {
            true => format!("it {last}"),
            false => format!("it {} and {last}", done.join(", ")),
        })
    }

    fn whom_it_woke(&self) -> String {
        match self.wakings.as_slice() {
            [one] => format!("woke {}", one.name()),
            many => format!("woke {} tasks", grouped(many.len())),
        }
    }

    fn once(&self, at: usize, phrase: &Phrase) -> String {
        let event = self.events.get(at).filter(|event| event.role == Some(Role::SoftirqRaise));
        let vector = event.and_then(|event| event.args.split_once("action="));
        match vector.and_then(|(_, name)| name.split(']').next()) {
            Some(name) => format!("raised softirq {name}"),
            None => phrase.once.to_owned(),
        }
    }
}
