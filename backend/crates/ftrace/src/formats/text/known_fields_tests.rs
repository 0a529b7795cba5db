use super::*;

#[test]
fn an_event_has_all_its_fields_or_is_printed_in_another_way() {
    for (name, args) in [
        ("sched_waking", "comm=my task pid=5 prio=120 target_cpu=000"),
        ("sched_waking", "comm=a pid=5 prio=120 success=1 target_cpu=000"),
        ("sched_wakeup", "comm=nautilus pid=2043 prio=120 success=1 cpu=1"),
        ("sched_wakeup", "trace-cmd:4734 [120] success=1 CPU:002"),
        ("sched_switch", "swapper/1:0 [120] R ==> trace-cmd:4729 [120]"),
        ("irq_disable", "caller_offs=12 parent_offs=34"),
        ("hrtimer_expire_entry", "hrtimer=0xc now=5 function=f"),
        ("sched_switch", "prev_comm=a prev_prio=1 ==> next_comm=b next_prio=120"),
        ("my_event", "comm=a pid="),
        ("softirq_raise", "vec=1 [action=TIMER]"),
        ("softirq_raise", "vec=7"),
        ("tlb_flush", "reason=0 pages=1"),
        ("irq_handler_exit", "irq=26"),
        ("tlb_flush", "pages:0 reason:flush on task switch (0)"),
        ("softirq_raise", "vec=0x1 (1)"),
        ("hrtimer_start", "hrtimer=2a mode=ABS"),
        ("hrtimer_start", "..."),
        ("local_timer_entry", "vector=0xec (236)"),
        ("timer_start", "timer=2a function=f expires=5 [timeout=250] flags=D"),
        ("timer_start", "timer=2a function=f expires=5 [timeout=250]"),
        ("sched_prepare_exec", "interp=/bin/a filename=/bin/a pid=374 comm=my task"),
        ("sched_waking", "comm=0x61 pid=0x5 (5) prio=0x78 (120) target_cpu=0x1 (1)"),
        ("sched_wakeup", "comm=a pid=5   prio=120 success=1   cpu=1"),
        ("sched_stat_runtime", "comm=a  b pid=5 runtime=3 [ns]"),
    ] {
        assert!(!are_missing(name.as_bytes(), args.as_bytes()), "{name}: {args}");
    }
}

#[test]
fn a_sentence_has_all_its_pieces() {
    for (name, args) in [
        ("softirq_entry", "vec=1 [act"),
        ("hrtimer_init", "h.."),
        (
            "timer_start",
            "timer=2a function=f expires=5 [timeout=0] bucket_expiry=429374 runtime=2801860 [ns]",
        ),
        ("cpu_idle", "statele: state=4294967295 cpu_id=0"),
        ("softirq_entry", "1 [action=TIMER]"),
        ("irq_handler_exit", "irq=26 rz_handler/0x0"),
        ("irq_handler_entry", "irq=3 na43618: hrtimer_cb: 8 overruns"),
        ("tlb_flush", ""),
        ("tlb_flush", "pages:0 reason:flush on task switch (0bv: 8000000000000007"),
        ("local_timer_entry", "vector=236lush on task switch (0)"),
        ("local_timer_entry", "vector=236 <=h on task switch (0)"),
        ("tlb_flush", "pages:0 reason:flush on sr: c0000100, value 7fea2bcbc700"),
        ("sched_process_exec", "filenio1- pid=142 prio=49 target_cpu=000"),
        ("sched_process_exec", "filename=/usr/bin/cyclictest pid_cpu=000"),
        ("sched_process_free", "cction=RCU]"),
        ("sched_prepare_exec", "interp=/usr/bin/cyclictesme=/usr/bin/cyclictest pid=374 old_pid=374"),
        ("sched_prepare_exec", "interp=/usr/bin/cyclictest fiusr/bin/cyclictest pid=374 old_pid=374"),
        ("sched_waking", "comm=a pid=17 prio=120 target_cpu=00:         ksoftirqd/0:17 [120] CPU:000"),
        ("hrtimer_expire_entry", "hrtimer=0xff now=1 function=tick_nohz_handl        vec=9 [action=RCU]"),
        ("timer_start", "timer=2a function=f expires=5 [timeout=0] bucket_expiry=6 cpu=1 idx=2 flag"),
        (
            "hrtimer_start",
            "hrtimer=2a function=f expires=5 softexpires=6 prev_state=R ==> next_comm=rt next_pid=9 next_prio=19",
        ),
    ] {
        assert!(are_missing(name.as_bytes(), args.as_bytes()), "{name}: {args}");
    }
}

/// One sign more, less or other in any of the names, with its fields.
#[test]
fn an_event_with_known_fields_and_almost_its_name_is_misspelt() {
    for (names, fields) in EVENTS.iter().chain(SINGLE) {
        let args: Vec<u8> = fields.iter().flat_map(|field| [field, &b"1 "[..]].concat()).collect();
        for name in *names {
            assert!(!is_misspelt(name, &args));
            for at in 0..name.len() {
                let (mut less, mut other) = (name.to_vec(), name.to_vec());
                less.remove(at);
                other[at] = b'D';
                for misspelt in [less, other] {
                    assert!(is_misspelt(&misspelt, &args), "{}", String::from_utf8_lossy(&misspelt));
                }
            }
        }
    }
    assert!(is_misspelt(b"FUNCGRAPH_entry", b""));
    assert!(!is_misspelt(b"sched_wDking", b"value=1"));
}

#[test]
fn the_text_of_an_event_holds_no_other_event() {
    let noise: &[u8] = b"irq_noise: local_timer:236 start 1.000000000 duration 5 ns";
    assert!(hold_another_event(b"irq_noi7", noise));
    assert!(hold_another_event(b"x", b"sched_waking: comm=a"));
    assert!(hold_another_event(b"irq_disable", b"parent=f+5: irq_handler_exit: irq=3 ret=handled"));
    assert!(hold_another_event(b"hrtimer_cb", b"8 andler_exit: irq=3 ret=handled"));
    assert!(hold_another_event(b"hrtimer_cb", b"hrtimer stat: now: 5 [us] delta: 96b: 8 overruns"));
    assert!(hold_another_event(b"hrtimer_cb", b"hrtimer stat: now: 5 [us] expect_exhrtimer_cb: 8 overruns"));
    assert!(hold_another_event(b"hrtimer_cb", b"delta: 9656, next_expires:rtimer_cb: 8 overruns"));
    assert!(hold_another_event(b"hrtimer_cb", b"8 overruns_exit: irq=3 ret=handled"));
    assert!(hold_another_event(b"hrtimer_cb", b"8 ondler_exit: irq=3 ret=handled"));
    assert!(!hold_another_event(b"my_cb", b"on_exit: irq=3"));
    assert!(hold_another_event(b"hrtimer_cb", b"next_expires43619: hrtimer_cb: 8 overruns"));
    assert!(hold_another_event(b"hrtimer_cb", b"delta: 9656, next_expires: timer_cb: 8 overruns"));
    assert!(hold_another_event(b"hrtimer_cb", b"delta: 9656, next_expires: 1437r_cb: 8 overruns"));
    assert!(hold_another_event(b"hrtimer_cb", b"expect_expires: 1437273exit: irq=3 ret=handled"));
    assert!(!hold_another_event(b"hrtimer_cb", b"hrtimer stat: now: 5 [us] hrtimer_cb"));
    assert!(hold_another_event(b"sched_stat_runtime", b"comm=a pid=7 runtime=28018l:       hrtimer=0xff"));
    assert!(!hold_another_event(b"sched_stat_runtime", b"comm=a: b pid=7 runtime=28018 [ns]"));
    assert!(hold_another_event(b"tlb_flush", b"pages:0 reason:f: NR 230 = 0"));
    assert!(!hold_another_event(b"x", b"comm=sched_waking: pid=5"));
    assert!(!hold_another_event(b"x", b"my_event: a=1"));
}

/// Whatever is taken out of the name of a field.
#[test]
fn a_field_without_a_letter_of_its_name_is_missing() {
    assert!(are_missing(b"local_timer_entry", b"vect8212d9"));
    for (names, fields) in EVENTS {
        let whole: Vec<Vec<u8>> = fields.iter().map(|field| [field, &b"1"[..]].concat()).collect();
        let name = names[0];
        assert!(!are_missing(name, &whole.join(&b' ')));
        assert!(are_missing(name, b""));
        if fields.len() < MIN_FIELDS {
            continue;
        }
        for (number, field) in fields.iter().enumerate() {
            for at in 0..field.len() {
                let mut args = whole.clone();
                args[number].remove(at);
                let args = args.join(&b' ');
                assert!(are_missing(name, &args), "{}", String::from_utf8_lossy(&args));
            }
        }
    }
}
