//! What took a CPU from a thread, as the osnoise and timerlat tracers print it, under the kernel's field names.

use super::Args;
use super::value::Value;

/// True where `text` is of the form of a noise event, and its fields are in `args`.
///
/// Source: include/trace/events/osnoise.h, Linux 6.12.
pub fn parse<'a>(event: &str, text: &'a str, args: &mut Args<'a>) -> bool {
    let names = match event {
        "irq_noise" | "softirq_noise" => ("desc", "vector"),
        "thread_noise" => ("comm", "pid"),
        "nmi_noise" | "sample_threshold" => ("", ""),
        _ => return false,
    };
    fields(names, text, args).is_some()
}

//   local_timer:236 start 117.079344896 duration 89982 ns
// start 117.091600600 duration 1303 ns interference 0
fn fields<'a>((name, number): (&'a str, &'a str), text: &'a str, args: &mut Args<'a>) -> Option<()> {
    // A comm may hold anything; what follows it does not.
    let (source, times) = text.split_at_checked(text.rfind("start ")?)?;
    let (start, rest) = times.strip_prefix("start ")?.split_once(" duration ")?;
    let (duration, rest) = rest.split_once(" ns")?;
    if let Some((desc, value)) = source.trim().rsplit_once(':').filter(|_| !name.is_empty()) {
        args.push(name, Value::text(desc));
        args.push(number, Value::of(value));
    }
    args.push("start", Value::text(start));
    args.push("duration", Value::of(duration));
    if let Some(count) = rest.trim().strip_prefix("interference ") {
        args.push("interference", Value::of(count));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::Args;

    fn check(event: &str, text: &str, expected: &str) {
        let args = Args::parse(event, "tracepoint", text);
        assert_eq!(serde_json::to_string(&args).unwrap(), expected, "{text}");
    }

    #[test]
    fn noise_has_its_source_and_its_times() {
        check(
            "irq_noise",
            "virtio0-output.0:47 start 2932.676620180 duration 86 ns",
            r#"{"desc":"virtio0-output.0","vector":47,"start":"2932.676620180","duration":86}"#,
        );
        check(
            "softirq_noise",
            "     RCU:9 start 117.079441000 duration 1080 ns",
            r#"{"desc":"RCU","vector":9,"start":"117.079441000","duration":1080}"#,
        );
        check(
            "thread_noise",
            "a start b:183 start 117.079356116 duration 12142706 ns",
            r#"{"comm":"a start b","pid":183,"start":"117.079356116","duration":12142706}"#,
        );
        check(
            "sample_threshold",
            "start 117.091600600 duration 1303 ns interference 2",
            r#"{"start":"117.091600600","duration":1303,"interference":2}"#,
        );
        check("irq_noise", "vector=236 duration=5", r#"{"vector":236,"duration":5}"#);
    }
}
