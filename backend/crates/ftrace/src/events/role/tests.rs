use super::*;

fn check(name: &str, args: &str, expected: Option<Decoded<'_>>) {
    let actual = Role::by_name(name.as_bytes()).and_then(|role| decode(role, args.as_bytes()));
    assert_eq!(actual, expected, "{name}: {args}");
}

#[test]
fn interrupts_are_known_by_number_or_by_name() {
    let named = |name: &'static str| Interrupt::Named(name.as_bytes());
    let entry = |interrupt, handler: &'static str| {
        Some(Decoded::InterruptEntry { interrupt, handler: handler.as_bytes() })
    };
    check("irq_handler_entry", "irq=16 name=ehci hcd:usb1", entry(Interrupt::Line(16), "ehci hcd:usb1"));
    check(
        "irq_handler_exit",
        "irq=16 ret=unhandled",
        Some(Decoded::InterruptExit { interrupt: Interrupt::Line(16) }),
    );
    check("local_timer_entry", "vector=236", entry(named("local_timer"), ""));
    check("call_function_single_entry", "vector=251", entry(named("call_function_single"), ""));
    check("ipi_entry", "(Rescheduling interrupts)", entry(named("Rescheduling interrupts"), ""));
    check("vector_alloc_entry", "", None);
}

#[test]
fn softirqs_have_a_vector_and_perhaps_a_name() {
    check(
        "softirq_entry",
        "vec=1 [action=TIMER]",
        Some(Decoded::SoftirqEntry { vector: 1, action: b"TIMER" }),
    );
    check("softirq_entry", "vec=7", Some(Decoded::SoftirqEntry { vector: 7, action: b"" }));
    check("softirq_exit", "vec=1 [action=TIMER]", Some(Decoded::SoftirqExit { vector: 1 }));
}

#[test]
fn power_events_old_and_new_say_the_same() {
    check("cpu_idle", "state=4294967295 cpu_id=3", Some(Decoded::CpuIdle { state: None }));
    check("cpu_idle", "state=2 cpu_id=3", Some(Decoded::CpuIdle { state: Some(2) }));
    check("power_start", "type=1 state=2 cpu_id=0", Some(Decoded::CpuIdle { state: Some(2) }));
    check("power_start", "type=2 state=2 cpu_id=0", None);
    check("power_end", "cpu_id=0", Some(Decoded::CpuIdle { state: None }));
    check(
        "cpu_frequency",
        "state=1800000 cpu_id=3",
        Some(Decoded::CpuFrequency { cpu: Some(3), khz: 1_800_000 }),
    );
}
