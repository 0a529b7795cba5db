//! Who takes time from whom, over a small recording.

use expect_test::{Expect, expect};

use super::fixture::readable;
use super::protocol::{Shelf, ask};
use crate::explain::is_listed;
use crate::import::testing::import_lines;

const LINES: &str = "
    sh-7     [0] 1.000010: local_timer_entry: vector=236
    sh-7     [0] 1.000012: irq_handler_entry: irq=34 name=eth0
    sh-7     [0] 1.000015: irq_handler_exit: irq=34 ret=handled
    sh-7     [0] 1.000020: local_timer_exit: vector=236
    sh-7     [0] 1.000030: local_timer_entry: vector=236
    sh-7     [0] 1.000039: local_timer_exit: vector=236
    sh-7     [0] 1.000040: sched_switch: prev_comm=sh prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=89
    rt-9     [0] 1.000041: local_timer_entry: vector=236
    rt-9     [0] 1.000043: local_timer_exit: vector=236
    rt-9     [0] 1.000045: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
    <idle>-0 [1] 1.000050: local_timer_entry: vector=236
    <idle>-0 [1] 1.000060: local_timer_exit: vector=236
    ";

fn check(parameters: &str, isolated: &str, expected: Expect) {
    check_lines(LINES, parameters, isolated, expected);
}

fn check_lines(lines: &str, parameters: &str, isolated: &str, expected: Expect) {
    let (written, _) = import_lines(lines);
    let request = format!(r#"{{{parameters}"trace":{{"duration_ns":50000}}}}"#);
    let mut shelf = Shelf::of(&written);
    shelf.isolated = isolated.to_owned();
    let json = ask("interference", &request, &shelf).unwrap();
    expected.assert_eq(&readable(&json));
}

#[test]
fn time_is_told_by_cpu_by_task_and_by_tick() {
    check(
        "",
        "nohz,1-3",
        expect![[r#"
            {"cpus":[
              {"cpu":0,"is_isolated":false,"span_ns":50000,"busy_ns":35000,"by":[
              {"cause":"irq","what":"local_timer","pid":null,"count":3,"total_ns":18000,"share":0.36,"max_ns":9000,"max_t":20000,"period_ns":15500},
              {"cause":"task","what":"sh","pid":7,"count":1,"total_ns":11000,"share":0.22,"max_ns":11000,"max_t":0,"period_ns":null},
              {"cause":"task","what":"rt","pid":9,"count":1,"total_ns":3000,"share":0.06,"max_ns":3000,"max_t":30000,"period_ns":null},
              {"cause":"irq","what":"eth0 [34]","pid":null,"count":1,"total_ns":3000,"share":0.06,"max_ns":3000,"max_t":2000,"period_ns":null}
            ]},
              {"cpu":1,"is_isolated":true,"span_ns":50000,"busy_ns":null,"by":[
              {"cause":"irq","what":"local_timer","pid":null,"count":1,"total_ns":10000,"share":0.2,"max_ns":10000,"max_t":40000,"period_ns":null}
            ]}
            ],
            "tasks":[
              {"pid":7,"comm":"sh","ran_ns":30000,"by":[
              {"cause":"irq","what":"local_timer","pid":null,"count":2,"total_ns":16000,"share":0.533333333,"max_ns":9000,"max_t":20000,"period_ns":20000},
              {"cause":"irq","what":"eth0 [34]","pid":null,"count":1,"total_ns":3000,"share":0.1,"max_ns":3000,"max_t":2000,"period_ns":null}
            ]},
              {"pid":9,"comm":"rt","ran_ns":5000,"by":[
              {"cause":"irq","what":"local_timer","pid":null,"count":1,"total_ns":2000,"share":0.4,"max_ns":2000,"max_t":31000,"period_ns":null}
            ]}
            ],
            "ticks":[
              {"cpu":0,"is_handler_known":false,"count":3,"mean_ns":7000,"max_ns":10000,"period_ns":15500,"rate_hz_milli":64516129,"share":0.42},
              {"cpu":1,"is_handler_known":false,"count":1,"mean_ns":10000,"max_ns":10000,"period_ns":null,"rate_hz_milli":null,"share":0.2}
            ]}"#]],
    );
}

#[test]
fn filters_choose_cpus_and_tasks() {
    check(
        r#""cpu":1,"#,
        "",
        expect![[r#"
            {"cpus":[
              {"cpu":1,"is_isolated":false,"span_ns":50000,"busy_ns":null,"by":[
              {"cause":"irq","what":"local_timer","pid":null,"count":1,"total_ns":10000,"share":0.2,"max_ns":10000,"max_t":40000,"period_ns":null}
            ]}
            ],
            "tasks":[],
            "ticks":[
              {"cpu":1,"is_handler_known":false,"count":1,"mean_ns":10000,"max_ns":10000,"period_ns":null,"rate_hz_milli":null,"share":0.2}
            ]}"#]],
    );
    check(
        r#""cpu":0,"pid":9,"#,
        "",
        expect![[r#"
            {"cpus":[
              {"cpu":0,"is_isolated":false,"span_ns":50000,"busy_ns":35000,"by":[
              {"cause":"irq","what":"local_timer","pid":null,"count":3,"total_ns":18000,"share":0.36,"max_ns":9000,"max_t":20000,"period_ns":15500},
              {"cause":"task","what":"sh","pid":7,"count":1,"total_ns":11000,"share":0.22,"max_ns":11000,"max_t":0,"period_ns":null},
              {"cause":"task","what":"rt","pid":9,"count":1,"total_ns":3000,"share":0.06,"max_ns":3000,"max_t":30000,"period_ns":null},
              {"cause":"irq","what":"eth0 [34]","pid":null,"count":1,"total_ns":3000,"share":0.06,"max_ns":3000,"max_t":2000,"period_ns":null}
            ]}
            ],
            "tasks":[
              {"pid":9,"comm":"rt","ran_ns":5000,"by":[
              {"cause":"irq","what":"local_timer","pid":null,"count":1,"total_ns":2000,"share":0.4,"max_ns":2000,"max_t":31000,"period_ns":null}
            ]}
            ],
            "ticks":[
              {"cpu":0,"is_handler_known":false,"count":3,"mean_ns":7000,"max_ns":10000,"period_ns":15500,"rate_hz_milli":64516129,"share":0.42}
            ]}"#]],
    );
}

#[test]
fn lists_of_cpus_are_read_as_the_kernel_writes_them() {
    let cpus = |list: &str| (0..9).filter(|cpu| is_listed(*cpu, list)).collect::<Vec<_>>();
    assert_eq!(cpus("2-3,5"), [2, 3, 5]);
    assert_eq!(cpus("managed_irq,domain,1"), [1]);
    assert_eq!(cpus("3-1,x,-4,99999"), [0_i16; 0]);
}

#[test]
fn where_handlers_are_recorded_other_timers_are_no_ticks() {
    let (written, _) = import_lines(
        "
        sh-7 [0] 1.000010: local_timer_entry: vector=236
        sh-7 [0] 1.000011: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_nohz_handler now=900
        sh-7 [0] 1.000020: local_timer_exit: vector=236
        sh-7 [0] 1.000025: local_timer_entry: vector=236
        sh-7 [0] 1.000026: hrtimer_expire_entry: hrtimer=00000000000000bb function=hrtimer_wakeup now=900
        sh-7 [0] 1.000027: local_timer_exit: vector=236
        sh-7 [0] 1.000030: local_timer_entry: vector=236
        sh-7 [0] 1.000031: hrtimer_expire_entry: hrtimer=00000000000000aa function=tick_nohz_handler now=900
        sh-7 [0] 1.000034: local_timer_exit: vector=236
        ",
    );
    let json = ask("interference", r#"{"trace":{"duration_ns":50000}}"#, &Shelf::of(&written)).unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!((&answer["ticks"][0]["count"], &answer["ticks"][0]["mean_ns"]), (&2.into(), &7_000.into()));
    assert_eq!(&answer["cpus"][0]["by"][0]["count"], 3);
}

#[test]
fn where_switches_are_missing_nobody_is_said_to_have_run() {
    // The switches to and from whoever ran between sh and rt are missing.
    let lines = "
        idle-0   [0] 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sh next_pid=7 next_prio=120
        sh-7     [0] 1.000010: sched_waking: comm=rt pid=9 prio=89 target_cpu=000
        rt-9     [0] 1.000030: sched_waking: comm=sh pid=7 prio=120 target_cpu=000
        rt-9     [0] 1.000040: sched_switch: prev_comm=rt prev_pid=9 prev_prio=89 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        ";
    check_lines(
        lines,
        "",
        "",
        expect![[r#"
        {"cpus":[
          {"cpu":0,"is_isolated":false,"span_ns":50000,"busy_ns":20000,"by":[
          {"cause":"unknown","what":null,"pid":null,"count":1,"total_ns":20000,"share":0.4,"max_ns":20000,"max_t":10000,"period_ns":null},
          {"cause":"task","what":"sh","pid":7,"count":1,"total_ns":10000,"share":0.2,"max_ns":10000,"max_t":0,"period_ns":null},
          {"cause":"task","what":"rt","pid":9,"count":1,"total_ns":10000,"share":0.2,"max_ns":10000,"max_t":30000,"period_ns":null}
        ]}
        ],
        "tasks":[],
        "ticks":[]}"#]],
    );
}

#[test]
fn the_noise_of_a_thread_that_is_switched_out_in_a_softirq_is_no_other_run() {
    let lines = "
        idle-0   [0] d..2. 1.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=irq/28 next_pid=47 next_prio=49
        irq/28-47 [0] d.s2. 1.000020: sched_switch: prev_comm=irq/28 prev_pid=47 prev_prio=49 prev_state=R+ ==> next_comm=rt next_pid=9 next_prio=4
        irq/28-47 [0] d.s3. 1.000021: thread_noise: irq/28:47 start 0.999990109 duration 20430 ns
        rt-9     [0] ....1 1.000025: print: awake
        rt-9     [0] d..2. 1.000030: sched_switch: prev_comm=rt prev_pid=9 prev_prio=4 prev_state=S ==> next_comm=irq/28 next_pid=47 next_prio=49
        irq/28-47 [0] d..2. 1.000050: sched_switch: prev_comm=irq/28 prev_pid=47 prev_prio=49 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        ";
    let (written, _) = import_lines(lines);
    let json = ask("interference", r#"{"trace":{"duration_ns":50000}}"#, &Shelf::of(&written)).unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let causes = answer["cpus"][0]["by"].as_array().unwrap();
    assert!(causes.iter().all(|cause| !cause["pid"].is_null()), "{causes:?}");
    assert_eq!(answer["cpus"][0]["busy_ns"], 50_000);
}
