//! Comment lines and banners: what a recording says about itself.

use super::scan;
use crate::model::Facts;

/// Takes what `line` says into `facts`; false where it is no header line at all.
///
/// A legend is never trusted for the columns of the data: kernels print wrong ones, and people edit them.
pub fn read(line: &[u8], facts: &mut Facts) -> bool {
    let text = scan::trim(line);
    if let Some(comment) = text.strip_prefix(b"#") {
        comment_line(scan::skip_blanks(comment), facts);
        return true;
    }
    if let Some(count) = text.strip_prefix(b"cpus=").and_then(scan::parse_u64) {
        facts.cpu_count = u32::try_from(count).ok();
        return true;
    }
    if let Some(version) =
        text.strip_prefix(b"version = ").filter(|version| scan::parse_u64(version).is_some())
    {
        put(facts, "trace_dat_version", version);
        return true;
    }
    text.strip_prefix(b"CPU ").is_some_and(|rest| rest.ends_with(b" is empty"))
}

/// True for a comment that the kernel prints below `# tracer: `.
pub fn is_of_tracefs(comment: &[u8]) -> bool {
    let marks = [&b" latency trace v1.1.5 on "[..], b"=> irqs-off", b" TASK-PID "];
    !comment.starts_with(b" tracer: ")
        && marks.iter().any(|mark| memchr::memmem::find(comment, mark).is_some())
}

/// What a latency tracer's header says of the latency.
const REPORT: [&str; 5] = ["reported_latency_us", "reported_cpu", "reported_task", "started_at", "ended_at"];

fn comment_line(text: &[u8], facts: &mut Facts) {
    if let Some(tracer) = text.strip_prefix(b"tracer: ") {
        facts.tracer = Some(string(scan::trim(tracer)));
        // Another trace begins; what the one before it reported is not its own.
        facts.other.retain(|name, _| !REPORT.contains(&name.as_str()));
    } else if let Some((_, rest)) = scan::split_once(text, b"entries-in-buffer/entries-written: ") {
        buffer_fill(rest, facts);
    } else if let Some((_, release)) = scan::split_once(text, b"latency trace v1.1.5 on ") {
        facts.kernel = Some(string(scan::trim(release)));
    } else if let Some((_, rest)) = scan::split_once(text, b"latency: ") {
        latency(rest, facts);
    } else if let Some((_, task)) = scan::split_once(text, b"| task: ") {
        let task = scan::split_once(task, b" (uid:").map_or(task, |(task, _)| task);
        put(facts, "reported_task", scan::trim(task));
    } else if let Some((_, function)) = scan::split_once(text, b"=> started at: ") {
        put(facts, "started_at", scan::trim(function));
    } else if let Some((_, function)) = scan::split_once(text, b"=> ended at:") {
        put(facts, "ended_at", scan::trim(function));
    }
}

/// How many entries a header says that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announced {
    pub entries: u64,
    /// With those that were overwritten.
    pub written: Option<u64>,
    /// CPUs of the machine.
    pub cpus: u32,
    /// From the header of a latency tracer, or of the latency format.
    pub is_of_latency: bool,
}

impl Announced {
    /// As a header says it: `2160/2160`
    pub fn text(self) -> String {
        let Self { entries, written, .. } = self;
        format!("{entries}/{}", written.map_or_else(|| "?".to_owned(), |written| written.to_string()))
    }
}

/// What `# entries-in-buffer/entries-written: 2160/2160   #P:2` announces, and
/// `# latency: 139 us, #115/116, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:1)`.
pub fn announced(line: &[u8]) -> Option<Announced> {
    let comment = scan::skip_blanks(line.strip_prefix(b"#")?);
    let (fill, is_of_latency) = match scan::split_once(comment, b"entries-in-buffer/entries-written: ") {
        Some((_, fill)) => (fill, false),
        None => {
            let (_, rest) = scan::number(scan::split_once(comment, b"latency: ")?.1)?;
            (rest.strip_prefix(b" us, #")?, true)
        }
    };
    let mut facts = Facts::default();
    buffer_fill(fill, &mut facts);
    cpu_count(fill, &mut facts);
    let cpus = facts.cpu_count.unwrap_or(1);
    Some(Announced { entries: facts.entries_in_buffer?, written: facts.entries_written, cpus, is_of_latency })
}

/// `2160/2160   #P:2`
fn buffer_fill(text: &[u8], facts: &mut Facts) {
    let Some((in_buffer, rest)) = scan::number(text) else { return };
    facts.entries_in_buffer = Some(in_buffer);
    if let Some((written, rest)) = rest.strip_prefix(b"/").and_then(scan::number) {
        facts.entries_written = Some(written);
        cpu_count(rest, facts);
    }
}

/// `4504 us, #2044/2044, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:2)`
fn latency(text: &[u8], facts: &mut Facts) {
    let Some((_, rest)) = scan::number(text) else { return };
    let Some(fill) = rest.strip_prefix(b" us, #") else { return };
    put(facts, "reported_latency_us", scan::digits(text).0);
    buffer_fill(fill, facts);
    if let Some((_, cpu)) = scan::split_once(rest, b"CPU#") {
        put(facts, "reported_cpu", scan::digits(cpu).0);
    }
    if let Some((_, model)) = scan::split_once(rest, b"(M:") {
        put(facts, "preemption_model", scan::word(model).0);
    }
    cpu_count(rest, facts);
}

fn cpu_count(text: &[u8], facts: &mut Facts) {
    if let Some((count, _)) = scan::split_once(text, b"#P:").and_then(|(_, count)| scan::number(count)) {
        facts.cpu_count = u32::try_from(count).ok();
    }
}

/// Sets a fact, unless the file leaves it empty.
pub fn put(facts: &mut Facts, name: &str, value: &[u8]) {
    if !value.is_empty() {
        facts.other.insert(name.to_owned(), string(value));
    }
}

fn string(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.get(..256).unwrap_or(bytes)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(header: &str, expected: Expect) {
        let mut facts = Facts::default();
        for line in header.lines().map(str::trim).filter(|line| !line.is_empty()) {
            assert!(read(line.as_bytes(), &mut facts), "{line}");
        }
        expected.assert_eq(&format!(
            "{:?} {:?} {:?} {:?}/{:?} {:?}",
            facts.tracer,
            facts.kernel,
            facts.cpu_count,
            facts.entries_in_buffer,
            facts.entries_written,
            facts.other
        ));
    }

    #[test]
    fn a_latency_header_says_what_was_measured() {
        check(
            "
            # tracer: irqsoff
            # irqsoff latency trace v1.1.5 on 6.12.95-trace-preempt
            # --------------------------------------------------------------------# latency: 139 us, #115/116, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:1)
            #    | task: dd-191 (uid:0 nice:0 policy:0 rt_prio:0)
            #  => started at: sysvec_apic_timer_interrupt
            #  => ended at:   irq_exit_rcu
            ",
            expect![[
                r#"Some("irqsoff") Some("6.12.95-trace-preempt") Some(1) Some(115)/Some(116) {"ended_at": "irq_exit_rcu", "preemption_model": "preempt", "reported_cpu": "0", "reported_latency_us": "139", "reported_task": "dd-191", "started_at": "sysvec_apic_timer_interrupt"}"#
            ]],
        );
    }

    #[test]
    fn other_headers_say_how_full_the_buffer_was() {
        check(
            "
            # tracer: nop
            # entries-in-buffer/entries-written: 140080/250280   #P:4
            #              | |         |   |||||     |         |
            ",
            expect![[r#"Some("nop") None Some(4) Some(140080)/Some(250280) {}"#]],
        );
        check(
            "
            version = 6
            CPU 3 is empty
            cpus=6
            ",
            expect![[r#"None None Some(6) None/None {"trace_dat_version": "6"}"#]],
        );
    }
}
