//! The parts of timerlat hits, compared with what rtla prints.

use expect_test::expect;

use crate::testing::explain::{check, explain_all};

#[test]
fn a_thread_waits_for_the_interrupt_that_woke_it() {
    check(
        "
        bash-183       [0] 133.031466: local_timer_entry: vector=236
        bash-183       [0] 133.043658: timerlat: #170   context    irq timer_latency  12251991 ns
        bash-183       [0] 133.043946: irq_noise: local_timer:236 start 133.031454066 duration 12483229 ns
        bash-183       [0] 133.043955: local_timer_exit: vector=236
        bash-183       [0] 133.044029: thread_noise:     bash:183 start 133.043653284 duration 85724 ns
        bash-183       [0] 133.044037: sched_switch: prev_comm=bash prev_pid=183 prev_prio=120 prev_state=R+ ==> next_comm=timerlat/0 next_pid=676 next_prio=4
        timerlat/0-676 [0] 133.044133: timerlat: #170   context thread timer_latency  12731678 ns
        ",
        "timerlat",
        expect![[r#"
            The timerlat thread on CPU 0 was 12.732 ms late: CPU 0 stood still for 12.192 ms
              expected expiry -> interrupt entry: 64678
              interrupt entry -> timer handler: 12192000
              timer handler -> switch: 379000
              switch -> thread: 96000
              irq local_timer: 12489000, in bash-183, pid 183, from 0, longest 12489000
              itself timerlat/0-676: 96000, pid 676, from 12571000, longest 96000
              task bash-183: 82000, nice 0, pid 183, from 12489000, longest 82000
              unknown not recorded: 64678, from -64678, longest 64678
              IRQ handler delay: Nanoseconds(48057) None Some(3774)
              IRQ latency: Nanoseconds(12251991) None None
              Timerlat IRQ duration: Nanoseconds(12483229) None Some(980485)
              Blocking thread: Nanoseconds(85724) Some("bash-183") Some(6733)
              Thread latency: Nanoseconds(12731678) None Some(1000000)
              unknown (inferred) 64678: the recording begins only after its first 64.7 µs
              stall (inferred) 12192000: CPU 0 stood still for 12.192 ms
              other_interrupt (recorded) 297000: interrupt local_timer ran for 297 µs
              not_preemptible (inferred) 82000: bash-183 (nice 0) could not be preempted for 82 µs
              kernel_exit (recorded) 96000: its return to user space took 96 µs
              behind: bash-183 (nice 0) ran for at least 12.571 ms
              behind: interrupt local_timer ran for 12.489 ms (in bash-183)
            The timerlat interrupt on CPU 0 was 12.252 ms late: CPU 0 stood still for 12.192 ms
              expected expiry -> interrupt entry: 59991
              interrupt entry -> timer handler: 12192000
              irq local_timer: 12192000, in bash-183, pid 183, from 0, longest 12192000
              unknown not recorded: 59991, from -59991, longest 59991
              IRQ handler delay: Nanoseconds(48057) None Some(3922)
              IRQ latency: Nanoseconds(12251991) None None
              Blocking thread: Text("bash-183") None None
              unknown (inferred) 59991: the recording begins only after its first 60 µs
              stall (inferred) 12192000: CPU 0 stood still for 12.192 ms
              behind: interrupt local_timer ran for 12.489 ms (in bash-183)
              behind: bash-183 (nice 0) ran for at least 12.571 ms
        "#]],
    );
}

#[test]
fn the_example_of_rtlas_documentation() {
    // IRQ handler delay:                  27.49 us (65.52 %)
    // IRQ latency:                        28.13 us
    // Timerlat IRQ duration:               9.59 us (22.85 %)
    // Blocking thread:                     3.79 us (9.03 %)
    //                objtool:49256         3.79 us
    // Thread latency:                     41.96 us (100%)
    check(
        "
        objtool-49256  [23] 10.000100: timerlat: #1     context    irq timer_latency     28130 ns
        objtool-49256  [23] 10.000109: irq_noise: local_timer:236 start 10.000099360 duration 9590 ns
        objtool-49256  [23] 10.000113: thread_noise:  objtool:49256 start 10.000100000 duration 3790 ns
        timerlat/23-9  [23] 10.000114: timerlat: #1     context thread timer_latency     41960 ns
        ",
        "timerlat",
        expect![[r#"
            The timerlat interrupt on CPU 23 was 28.1 µs late: the recording begins only after its first 27.5 µs
              expected expiry -> timer handler: 28130
              unknown not recorded: 27490, from -28130, longest 27490
              irq local_timer:236: 640, in objtool-49256, pid 49256, from -640, longest 640
              IRQ handler delay: Nanoseconds(27490) None Some(977248)
              IRQ latency: Nanoseconds(28130) None None
              Blocking thread: Text("objtool-49256") None None
              unknown (inferred) 27490: the recording begins only after its first 27.5 µs
              other_interrupt (recorded) 640: interrupt local_timer:236 ran for 640 ns
            The timerlat thread on CPU 23 was 42 µs late: the recording begins only after its first 27.3 µs, and interrupt local_timer:236 ran for 9.6 µs
              expected expiry -> timer handler: 27960
              timer handler -> thread: 14000
              unknown not recorded: 28320, from -27960, longest 27320
              irq local_timer:236: 9640, in objtool-49256, pid 49256, from -640, longest 9640
              task objtool-49256: 4000, pid 49256, from 9000, longest 4000
              IRQ handler delay: Nanoseconds(27490) None Some(655147)
              IRQ latency: Nanoseconds(28130) None None
              Timerlat IRQ duration: Nanoseconds(9590) None Some(228551)
              Blocking thread: Nanoseconds(3790) Some("objtool-49256") Some(90324)
              Thread latency: Nanoseconds(41960) None Some(1000000)
              unknown (inferred) 27320: the recording begins only after its first 27.3 µs
              other_interrupt (recorded) 9640: interrupt local_timer:236 ran for 9.6 µs
              unknown (inferred) 4000: objtool-49256 ran for 4.0 µs, and no record says why
              unknown (inferred) 1000: no record of what ran for 1.0 µs
        "#]],
    );
}

#[test]
fn whatever_interferes_is_added_up_by_its_kind() {
    check(
        "
        <idle>-0     [1] 10.000050: irq_noise: eth0:24 start 10.000030000 duration 20000 ns
        <idle>-0     [1] 10.000060: timerlat: #7     context    irq timer_latency     15000 ns
        <idle>-0     [1] 10.000066: irq_noise: local_timer:236 start 10.000050500 duration 15000 ns
        <idle>-0     [1] 10.000070: nmi_noise: start 10.000067000 duration 2000 ns
        <idle>-0     [1] 10.000075: irq_noise: eth0:24 start 10.000071000 duration 3000 ns
        <idle>-0     [1] 10.000078: irq_noise: reschedule:253 start 10.000076000 duration 1500 ns
        <idle>-0     [1] 10.000090: softirq_noise:   NET_RX:3 start 10.000079000 duration 10000 ns
        <idle>-0     [1] 10.000096: thread_noise: swapper/1:0 start 10.000050000 duration 4000 ns
        migration/1-18 [1] 10.000105: thread_noise: migration/1:18 start 10.000097000 duration 7000 ns
        timerlat/1-9 [1] 10.000110: timerlat: #7     context thread timer_latency     65000 ns
        ",
        "timerlat",
        expect![[r#"
            The timerlat interrupt on CPU 1 was 15 µs late: interrupt local_timer:236 ran for 9.5 µs, and interrupt eth0:24 ran for 5.0 µs
              expected expiry -> timer handler: 15000
              irq local_timer:236: 9500, in the idle task, from 500, longest 9500
              irq eth0:24: 5000, in the idle task, from -5000, longest 5000
              idle idle: 500, from 0, longest 500
              Previous IRQ interference, up to: Nanoseconds(20000) None None
              IRQ handler delay: Nanoseconds(5500) None Some(366666)
              IRQ latency: Nanoseconds(15000) None None
              Blocking thread: Text("the idle task") None None
              other_interrupt (recorded) 5000: interrupt eth0:24 ran for 5.0 µs
              idle_exit (recorded) 500: CPU 1 was idle and took 500 ns to notice
              other_interrupt (recorded) 9500: interrupt local_timer:236 ran for 9.5 µs
              behind: interrupt local_timer:236 ran for 15.5 µs (in the idle task)
              behind: interrupt eth0:24 ran for 20 µs (in the idle task)
            The timerlat thread on CPU 1 was 65 µs late: interrupts and softirqs ran for 40.5 µs, longest interrupt local_timer:236 for 15.5 µs
              expected expiry -> timer handler: 15000
              timer handler -> thread: 50000
              irq local_timer:236: 15500, in the idle task, from 500, longest 15500
              softirq NET_RX:3: 11000, in the idle task, from 29000, longest 11000
              idle idle: 10500, from 0, longest 6000
              irq eth0:24: 9000, in the idle task, from -5000, longest 5000
              task migration/1-18: 8000, pid 18, from 47000, longest 8000
              unknown not recorded: 6000, from 46000, longest 5000
              nmi NMI: 3000, in the idle task, from 17000, longest 3000
              irq reschedule:253: 2000, in the idle task, from 26000, longest 2000
              Previous IRQ interference, up to: Nanoseconds(20000) None None
              IRQ handler delay: Nanoseconds(5500) None Some(84615)
              IRQ latency: Nanoseconds(15000) None None
              Timerlat IRQ duration: Nanoseconds(15000) None Some(230769)
              Blocking thread: Nanoseconds(4000) Some("the idle task") Some(61538)
              NMI interference: Nanoseconds(2000) Some("NMI") Some(30769)
              IRQ interference: Nanoseconds(4500) Some("eth0:24") Some(69230)
              Softirq interference: Nanoseconds(10000) Some("NET_RX:3") Some(153846)
              Thread interference: Nanoseconds(7000) Some("migration/1-18") Some(107692)
              Thread latency: Nanoseconds(65000) None Some(1000000)
              other_interrupt (recorded) 5000: interrupt eth0:24 ran for 5.0 µs
              idle_exit (recorded) 500: CPU 1 was idle and took 500 ns to notice
              other_interrupt (recorded) 15500: interrupt local_timer:236 ran for 15.5 µs
              idle_exit (recorded) 1000: CPU 1 was idle and took 1.0 µs to notice
              other_interrupt (recorded) 3000: interrupt nmi ran for 3.0 µs
              idle_exit (recorded) 1000: CPU 1 was idle and took 1.0 µs to notice
              other_interrupt (recorded) 4000: interrupt eth0:24 ran for 4.0 µs
              idle_exit (recorded) 1000: CPU 1 was idle and took 1.0 µs to notice
              other_interrupt (recorded) 2000: interrupt reschedule:253 ran for 2.0 µs
              idle_exit (recorded) 1000: CPU 1 was idle and took 1.0 µs to notice
              other_interrupt (recorded) 11000: softirq NET_RX:3 ran for 11 µs
              idle_exit (recorded) 6000: CPU 1 was idle and took 6.0 µs to notice
              unknown (inferred) 1000: no record of what ran for 1.0 µs
              unknown (inferred) 8000: migration/1-18 ran for 8.0 µs, and no record says why
              unknown (inferred) 5000: no record of what ran for 5.0 µs
              behind: interrupt eth0:24 ran for 20 µs (in the idle task)
        "#]],
    );
}

#[test]
fn tracing_that_stops_in_the_interrupt_leaves_its_beginning() {
    check(
        "
        <idle>-0     [1] 10.000000: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
        <idle>-0     [1] 10.000150: local_timer_entry: vector=236
        <idle>-0     [1] 10.000180: timerlat: #7     context    irq timer_latency     60000 ns
        ",
        "timerlat",
        expect![[r#"
            The timerlat interrupt on CPU 1 was 60 µs late: CPU 1 was idle and took 30 µs to notice, and interrupt local_timer itself took 30 µs
              expected expiry -> interrupt entry: 30000
              interrupt entry -> timer handler: 30000
              unknown not recorded: 30000, from 120000, longest 30000
              irq local_timer: 30000, in the idle task, from 150000, longest 30000
              IRQ handler delay (exit from idle): Nanoseconds(30000) None Some(500000)
              IRQ latency: Nanoseconds(60000) None None
              IRQ latency from idle: Nanoseconds(60000) None None
              Blocking thread: Text("the idle task") None None
              idle_exit (recorded) 30000: CPU 1 was idle and took 30 µs to notice
              handler (recorded) 30000: interrupt local_timer itself took 30 µs
              behind: interrupt local_timer ran for at least 30 µs (in the idle task)
        "#]],
    );
}

#[test]
fn records_alone_say_on_which_side_of_the_interrupt_it_lies() {
    let told = |flags: &str, runner: &str, irq_ns: u32| {
        let text = format!(
            "
            b-9          [1] .... 9.990000: timerlat: #6     context    irq timer_latency      1000 ns
            {runner} [1] {flags} 10.000000: timerlat: #7     context    irq timer_latency     {irq_ns} ns
            timerlat/1-4 [1] .... 10.000060: timerlat: #7     context thread timer_latency     100000 ns
            "
        );
        let mut headlines = Vec::new();
        explain_all(
            &text,
            |kind| kind == "timerlat",
            |_, explanation, _| {
                headlines.push(explanation.headline.split_once(": ").unwrap().1.to_owned());
            },
        );
        headlines
    };
    let idle = told("d.h1", "<idle>-0", 90_000);
    assert!(
        idle.contains(&"its interrupt came while CPU 1 was idle, and no record says why".to_owned()),
        "{idle:?}"
    );
    let before = "90 µs of it before its interrupt, which came while CPU 1 was idle, and no record says why";
    assert!(idle.contains(&before.to_owned()), "{idle:?}");
    let busy = told("d.h1", "sh-7", 30_000);
    let behind = "70 µs of it after its interrupt, which came while sh-7 ran, and no record says why";
    assert!(busy.contains(&behind.to_owned()), "{busy:?}");
    let late = told("d.h1", "sh-7", 300_000);
    let kept_away = "interrupts were off or CPU 1 stood still for 300 µs: no event in between";
    assert!(late.contains(&kept_away.to_owned()), "{late:?}");
    let before = "interrupts were off or CPU 1 stood still; it came while sh-7 ran";
    assert!(late.contains(&format!("300 µs of it before its interrupt: {before}")), "{late:?}");
    let soft = told("d.H1", "sh-7", 90_000);
    assert!(soft.iter().any(|told| told.contains("which came into a softirq")), "{soft:?}");
}
