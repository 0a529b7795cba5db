//! Fields that every kernel prints with an event: where all of them are there but one, that one is gone or misspelt,
//! however few lines of the kind a text has.
//!
//! Sources: include/trace/events/{sched,irq,timer,power,preemptirq}.h, Linux 2.6.38 to 7.3.

use super::annotation;
use super::line_form;
use super::scan;
use super::unnamed::unnamed;
use crate::model::is_similar_name;

/// Names of events, and the fields that all kernels give them.
type Known = (&'static [&'static [u8]], &'static [&'static [u8]]);

static EVENTS: &[Known] = &[
    (
        &[b"sched_switch"],
        &[
            b"prev_comm=",
            b"prev_pid=",
            b"prev_prio=",
            b"prev_state=",
            b"next_comm=",
            b"next_pid=",
            b"next_prio=",
        ],
    ),
    (&[b"sched_waking"], &[b"comm=", b"pid=", b"prio=", b"target_cpu="]),
    // `target_cpu=`; of old kernels `cpu=`.
    (&[b"sched_wakeup", b"sched_wakeup_new"], &[b"comm=", b"pid=", b"prio=", b"cpu="]),
    (&[b"sched_migrate_task"], &[b"comm=", b"pid=", b"prio=", b"orig_cpu=", b"dest_cpu="]),
    (&[b"sched_stat_runtime"], &[b"comm=", b"pid=", b"runtime="]),
    (&[b"sched_stat_wait", b"sched_stat_sleep"], &[b"comm=", b"pid=", b"delay="]),
    (&[b"sched_stat_blocked", b"sched_stat_iowait"], &[b"comm=", b"pid=", b"delay="]),
    (&[b"sched_process_free", b"sched_process_exit", b"sched_process_wait"], &[b"comm=", b"pid=", b"prio="]),
    (&[b"sched_prepare_exec"], &[b"interp=", b"filename=", b"pid=", b"comm="]),
    (&[b"sched_process_exec"], &[b"filename=", b"pid=", b"old_pid="]),
    (&[b"sched_process_fork"], &[b"comm=", b"pid=", b"child_comm=", b"child_pid="]),
    (&[b"sched_pi_setprio"], &[b"comm=", b"pid=", b"oldprio=", b"newprio="]),
    (&[b"irq_handler_entry"], &[b"irq=", b"name="]),
    (&[b"irq_handler_exit"], &[b"irq=", b"ret="]),
    (&[b"hrtimer_init", b"hrtimer_setup"], &[b"hrtimer=", b"clockid=", b"mode="]),
    (&[b"hrtimer_start"], &[b"hrtimer=", b"function=", b"expires=", b"softexpires="]),
    (&[b"hrtimer_expire_entry"], &[b"hrtimer=", b"function=", b"now="]),
    (&[b"timer_start"], &[b"timer=", b"function=", b"expires="]),
    (&[b"timer_expire_entry"], &[b"timer=", b"function=", b"now="]),
    (&[b"cpu_idle", b"cpu_frequency"], &[b"state=", b"cpu_id="]),
    (&[b"irq_disable", b"irq_enable", b"preempt_disable", b"preempt_enable"], &[b"caller=", b"parent="]),
];

/// Events with one field, whatever prints them.
/// Sources: arch/x86/include/asm/trace/irq_vectors.h, include/trace/events/timer.h, Linux 3.10 to 7.3.
static SINGLE: &[Known] = &[
    (
        &[
            b"local_timer_entry",
            b"local_timer_exit",
            b"reschedule_entry",
            b"reschedule_exit",
            b"call_function_entry",
            b"call_function_exit",
            b"call_function_single_entry",
            b"call_function_single_exit",
            b"irq_work_entry",
            b"irq_work_exit",
        ],
        &[b"vector="],
    ),
    (&[b"hrtimer_cancel", b"hrtimer_expire_exit"], &[b"hrtimer="]),
    (&[b"timer_init", b"timer_cancel", b"timer_expire_exit"], &[b"timer="]),
];

/// Events whose text is a sentence instead of fields: its fixed pieces, in their order.
/// Sources: include/trace/events/{irq,tlb}.h, Linux 2.6.38 to 7.3.
static SENTENCES: &[Known] = &[
    // `vec=1 [action=TIMER]`; of old kernels `softirq=1 action=TIMER`.
    (&[b"softirq_entry", b"softirq_exit", b"softirq_raise"], &[b"=", b"action="]),
    (&[b"tlb_flush"], &[b"pages:", b" reason:", b" (", b")"]),
];

/// Source: include/trace/events/osnoise.h, Linux 5.14 to 7.3.
static NOISES: &[Known] =
    &[(&[b"irq_noise", b"softirq_noise", b"thread_noise", b"nmi_noise", b"sample_threshold"], &[])];

/// Letters of a name that are no coincidence.
const MIN_PART_BYTES: usize = 4;
/// The same of the event's own name, which words of its text may be like.
const MIN_OWN_BYTES: usize = 6;
/// People who shorten lines leave one field of two, and nothing else.
const MIN_FIELDS: usize = 3;
/// Signs `=` that events have besides those of the fields that all kernels print, with the arrow of a switch.
const MAX_OTHER_SIGNS: usize = 2;

/// True where one of the fields of the event `name` is missing. Without more of them it is printed in another way, as
/// trace-cmd's plugins do, or was shortened by hand; without any text it is a part of a line. `args` are without the
/// note of a person.
pub fn are_missing(name: &[u8], args: &[u8]) -> bool {
    // Most events are the scheduler's, and this is asked of every line.
    let is_of_scheduler = name.starts_with(b"sched_");
    if !is_of_scheduler {
        if let Some((_, fields)) = SINGLE.iter().find(|(names, _)| names.contains(&name)) {
            return !fields.iter().all(|field| is_one_value(args, field));
        }
        if let Some((_, pieces)) = SENTENCES.iter().find(|(names, _)| names.contains(&name)) {
            return !are_in_order(args, pieces) && !are_raw(args);
        }
    }
    let Some((_, fields)) = EVENTS.iter().find(|(names, _)| names.contains(&name)) else { return false };
    let found = fields.iter().filter(|field| has_field(args, field)).count();
    let is_one_word = memchr::memchr(b' ', args).is_none();
    args.is_empty()
        || found < fields.len() && go_on_as_others(args, fields)
        || found.saturating_add(1) == fields.len() && (fields.len() >= MIN_FIELDS || !is_one_word)
        || found < fields.len() && have_other_field(args, fields)
        || found == 0 && is_of_scheduler && is_one_word && is_field(args)
        // No plugin of trace-cmd prints these; a person may leave out all of it.
        || found == 0 && !is_of_scheduler && !args.contains(&b'=') && !annotation::is_elision(args)
        || found == fields.len() && (go_on_otherwise(args, fields) || begin_otherwise(args, fields))
        || (is_of_scheduler || is_of_timer(name)) && ends_otherwise(args, fields)
        || is_of_timer(name) && args.ends_with(b" [ns]")
        || !is_of_scheduler && has_gap(args, fields)
}

/// Whether all fields are there that every kernel prints with the event. None if it is unknown which these are, or if
/// there is none of them, as where a plugin of trace-cmd has printed the event.
pub fn extent(name: &[u8], args: &[u8]) -> Option<Extent> {
    let (_, fields) = EVENTS.iter().find(|(names, _)| names.contains(&name))?;
    let found = fields.iter().filter(|field| has_field(args, field)).count();
    let extent = if found == fields.len() { Extent::Whole } else { Extent::Shortened };
    (found > 0).then_some(extent)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Whole,
    Shortened,
}

fn is_of_timer(name: &[u8]) -> bool {
    name.starts_with(b"timer_") || name.starts_with(b"hrtimer_")
}

/// True for a field with one value, which the option `fields` prints twice: `vector=236lush` and `vector=236 <=h on task` go
/// on as another line.
fn is_one_value(args: &[u8], field: &[u8]) -> bool {
    args.strip_prefix(field).is_some_and(|value| {
        let more = scan::word(value).1;
        if !more.is_empty() && !more.starts_with(b" (") {
            return false;
        }
        let (_, behind) = scan::digits(value);
        field != b"vector=" || !behind.first().is_some_and(|byte| byte.is_ascii_alphabetic() && *byte != b'x')
    })
}

/// True where the name of a field that is missing goes on with other letters: the first one's, as in
/// `filenio1- pid=142`, or another's, behind the first, as in `filename=/bin/a pid_cpu=000`.
fn go_on_as_others(args: &[u8], fields: &[&[u8]]) -> bool {
    let first = fields.first().copied().unwrap_or_default();
    let same = first.iter().zip(args).take_while(|(one, other)| one == other).count();
    let word = args.split(|byte| *byte == b' ').next().unwrap_or_default();
    let is_of_missing = |key: &[u8]| {
        fields.iter().any(|field| {
            let name = field.strip_suffix(b"=").unwrap_or(field);
            key.len() > name.len() && key.starts_with(name) && !has_field(args, field)
        })
    };
    same >= MIN_PART_BYTES && same < first.len() && !is_field(word)
        || same == first.len() && line_form::keys(&unnamed(args)).any(is_of_missing)
}

/// True where an event begins as it should, and has a field of another one in place of its own after a word that is no
/// field: the end of its line is that of another line.
fn have_other_field(args: &[u8], fields: &[&[u8]]) -> bool {
    let args = &unnamed(args);
    let is_known = |key: &[u8]| fields.iter().any(|field| field.strip_suffix(b"=") == Some(key));
    let is_one_field = |word: &[u8]| memchr::memchr_iter(b'=', word).count() == 1 || word == b"==>";
    fields.first().is_some_and(|first| args.starts_with(first))
        && args.split(|byte| *byte == b' ').any(|word| !is_one_field(word))
        && line_form::keys(args).any(|key| !key.is_empty() && !is_known(key))
}

/// True where an event that has all its fields goes on with those of another one, as of `hrtimer_start`
/// `softexpires=6389900930 prev_state=R ==> next_comm=cyclictest next_pid=1213`.
fn go_on_otherwise(args: &[u8], fields: &[&[u8]]) -> bool {
    let sign_count = memchr::memchr_iter(b'=', args).count();
    if sign_count <= fields.len().saturating_add(MAX_OTHER_SIGNS) {
        return false;
    }
    let args = &unnamed(args);
    let is_in =
        |key: &[u8], fields: &[&[u8]]| fields.iter().any(|field| field.strip_suffix(b"=") == Some(key));
    let is_of_other =
        |key: &&[u8]| !is_in(key, fields) && EVENTS.iter().any(|(_, others)| is_in(key, others));
    line_form::keys(args).filter(is_of_other).nth(1).is_some()
}

/// True where a word that is no field comes first: `statele: state=1 cpu_id=0` of `cpu_idle`.
fn begin_otherwise(args: &[u8], fields: &[&[u8]]) -> bool {
    !fields.first().is_some_and(|first| args.starts_with(first)) && !is_field(scan::word(args).0)
}

/// True for a field: plugins print a task, and people who shorten lines leave some of the event's own.
fn is_field(word: &[u8]) -> bool {
    let name = scan::split_once(word, b"=").map(|(name, _)| name).unwrap_or_default();
    !name.is_empty() && name.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_')
}

/// True where fields are followed by something else: `target_cpu=00:         ksoftirqd/0:17 [120] CPU:000`.
fn ends_otherwise(args: &[u8], fields: &[&[u8]]) -> bool {
    let last = args.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
    let is_end = last.contains(&b'=') || matches!(last.first(), None | Some(b'[' | b'('));
    // A name may hold anything.
    let is_name = fields.last() == Some(&&b"comm="[..]);
    !is_end && !is_name && fields.first().is_some_and(|first| args.starts_with(first))
}

/// True where several blanks, as between the columns of a line, come before something else than the event's next field.
/// People who join lines that a mailer broke leave blanks before fields.
fn has_gap(args: &[u8], fields: &[&[u8]]) -> bool {
    if memchr::memmem::find(args, b"  ").is_none() {
        return false;
    }
    let args = &unnamed(args);
    memchr::memmem::find_iter(args, b"  ").any(|at| {
        let behind = scan::skip_blanks(args.get(at..).unwrap_or_default());
        !fields.iter().any(|field| behind.starts_with(field))
    })
}

/// True of fields in place of a sentence: `vec=7` of trace-cmd, `vec=0x7 (7)` of the option `fields`.
fn are_raw(args: &[u8]) -> bool {
    let is_raw = |word: &[u8]| {
        let name = memchr::memchr(b'=', word).and_then(|at| word.get(..at));
        name.is_some_and(|name| {
            !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        })
    };
    let mut words = args.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
    words.next().is_some_and(is_raw) && words.next().is_none_or(|word| is_raw(word) || word.starts_with(b"("))
}

fn are_in_order(args: &[u8], pieces: &[&[u8]]) -> bool {
    let mut rest = args;
    pieces.iter().all(|piece| {
        let end = memchr::memmem::find(rest, piece).map(|at| at.saturating_add(piece.len()));
        rest = end.and_then(|end| rest.get(end..)).unwrap_or_default();
        end.is_some()
    })
}

/// True where the text of the event `name` holds the end of another line: `irq_noise: local_timer:236 start …` at its
/// beginning, `parent=f+5: irq_handler_exit: irq=3` or `8 andler_exit: irq=3 ret=handled` after a part of its own, its
/// own name or the end of it, as in `next_expires43619: hrtimer_cb: 8 overruns` of `hrtimer_cb`, or, where its own fields
/// are known, those of another one after the last letters of a name: `runtime=28018l: hrtimer=0xff`.
pub fn hold_another_event(name: &[u8], args: &[u8]) -> bool {
    let tables = || [SINGLE, EVENTS, SENTENCES, NOISES].into_iter().flatten();
    // Asked only where there is a colon: most lines have none.
    let own_fields = || EVENTS.iter().find(|(names, _)| names.contains(&name)).map(|(_, fields)| *fields);
    let mut start = 0_usize;
    scan::places_of(args, *b": ").any(|colon| {
        let word = args.get(start..colon).unwrap_or_default();
        let behind = args.get(colon.saturating_add(2)..).unwrap_or_default();
        let is_first = std::mem::replace(&mut start, colon.saturating_add(2)) == 0;
        // A name that begins behind half a number, `now=6389exit: irq=3`, is the end of one.
        let last_word = word.rsplit(|byte| *byte == b' ' || byte.is_ascii_digit()).next().unwrap_or_default();
        // `delta: 96b: 8 overruns` of `hrtimer_cb`
        let is_number_and_end = last_word.len() < word.len()
            && !last_word.is_empty()
            && name.ends_with(last_word)
            && word.iter().rev().skip(last_word.len()).take(2).filter(|byte| byte.is_ascii_digit()).count()
                == 2;
        let common = |known: &[u8]| scan::common(known.iter().rev(), last_word.iter().rev());
        let is_end_of = |known: &[u8]| common(known) >= MIN_PART_BYTES;
        // `expect_exhrtimer_cb: 8 overruns`
        let is_end_of_own = !is_first && last_word != name && common(name) >= MIN_OWN_BYTES;
        // `sys_exit: NR 230 = 0`
        let is_call =
            behind.strip_prefix(b"NR ").is_some_and(|nr| nr.first().is_some_and(u8::is_ascii_digit));
        let is_of_other = |fields: &[&[u8]]| {
            let first = fields.first().filter(|first| scan::skip_blanks(behind).starts_with(first));
            first.is_some_and(|first| own_fields().is_some_and(|own| !own.contains(first)))
        };
        is_call
            || !is_first && (word == name || is_number_and_end)
            || is_end_of_own
            || last_word.len() >= MIN_PART_BYTES
                && (last_word.len() < word.len() || !is_first)
                && name.ends_with(last_word)
            || tables().any(|(names, fields)| {
                let has_fields = || fields.iter().all(|field| has_field(behind, field));
                names.contains(&word)
                    || !fields.is_empty() && names.iter().any(|known| is_end_of(known)) && has_fields()
                    || is_of_other(fields) && has_fields()
            })
    })
}

/// Names that are no events with fields.
/// Source: trace-cmd 3.4 and kernel/trace/trace_output.c, Linux 5.10 to 7.3.
static OTHERS: &[&[u8]] = &[
    b"function",
    b"funcgraph_entry",
    b"funcgraph_exit",
    b"kernel_stack",
    b"user_stack",
    b"tracing_mark_write",
    b"sys_enter",
    b"sys_exit",
];

/// True for a name that differs in one sign from that of an event with the same fields.
pub fn is_misspelt(name: &[u8], args: &[u8]) -> bool {
    let known = || {
        SINGLE.iter().chain(EVENTS).flat_map(|(names, fields)| names.iter().map(move |known| (known, fields)))
    };
    if OTHERS.contains(&name) || known().any(|(known, _)| *known == name) {
        return false;
    }
    let has_all = |fields: &[&[u8]]| fields.iter().all(|field| has_field(args, field));
    OTHERS.iter().any(|known| is_similar_name(name, known))
        || known().any(|(known, fields)| is_similar_name(name, known) && has_all(fields))
}

fn has_field(args: &[u8], field: &[u8]) -> bool {
    // `target_cpu=` of a wakeup is its `cpu=`; `old_pid=` is no `pid=`.
    let is_apart = |byte| byte == b' ' || byte == b'_' && field == b"cpu=";
    // A searcher for each of so many fields would cost more than the search.
    memchr::memchr_iter(field.last().copied().unwrap_or(b'='), args).any(|at| {
        let before = args.get(..=at).and_then(|key| key.strip_suffix(field));
        before.is_some_and(|before| before.last().is_none_or(|byte| is_apart(*byte)))
    })
}

#[cfg(test)]
#[path = "known_fields_tests.rs"]
mod tests;
