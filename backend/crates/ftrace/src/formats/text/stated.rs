//! Checks lines that have a fixed layout: frames, stacks, arrays, legends, exits of calls.

use super::{annotation, line_form, scan};

/// True for the frame of a stack (`=> do_idle (ffffffff84a0012f)`, without the arrow) that is not one word with
/// its module, offset or address in brackets: a piece of a line.
pub fn is_odd_frame(frame: &[u8]) -> bool {
    let text = scan::trim(frame);
    let is_in_brackets = |word: &[u8]| {
        [(b'[', b']'), (b'(', b')'), (b'<', b'>')]
            .iter()
            .any(|(open, close)| word.first() == Some(open) && word.last() == Some(close))
    };
    if text == b"[FTRACE TRAMPOLINE]"
        || text.starts_with(b"<") && is_in_brackets(text) && !text.contains(&b' ')
    {
        return false;
    }
    let (symbol, mut rest) = scan::word(text);
    let is_mark =
        |byte: &u8| matches!(byte, b'(' | b')' | b'<' | b'>' | b'=' | b',' | b';' | b'|' | b'{' | b'}');
    if symbol.iter().any(is_mark) {
        return true;
    }
    while !rest.is_empty() {
        let (word, behind) = scan::word(scan::skip_blanks(rest));
        if !is_in_brackets(word) {
            return true;
        }
        rest = behind;
    }
    false
}

/// What is the same in every frame of a recording: whether it has an address, and how long that is.
pub fn frame_columns(frame: &[u8]) -> &'static [u8] {
    const WIDTHS: [&[u8]; 17] = [
        b"a0=", b"a1=", b"a2=", b"a3=", b"a4=", b"a5=", b"a6=", b"a7=", b"a8=", b"a9=", b"a10=", b"a11=",
        b"a12=", b"a13=", b"a14=", b"a15=", b"a16=",
    ];
    let address = memchr::memmem::rfind(frame, b" (").and_then(|at| frame.get(at.saturating_add(2)..));
    match address.and_then(|address| address.strip_suffix(b")")) {
        Some(address) => WIDTHS.get(address.len()).copied().unwrap_or(b"long="),
        None => b"",
    }
}

/// True for text after the name of a stack that is neither its title, nor a frame, nor its fields.
pub fn is_odd_stack(args: &[u8]) -> bool {
    let titles = [&b"<stack trace"[..], b"<user stack trace"];
    let is_title = titles.iter().any(|title| {
        let behind = args.strip_prefix(*title).map(scan::skip_blanks);
        behind.is_some_and(|behind| behind.starts_with(b">"))
    });
    if is_title || args.is_empty() || annotation::frame(args).is_some() {
        return false;
    }
    !args.contains(&b'=') || has_odd_array(args)
}

/// True for an array of bytes that does not end, has not begun, or holds something else.
pub fn has_odd_array(args: &[u8]) -> bool {
    let mut rest = args;
    while let Some((before, array)) = scan::split_once(rest, b"ARRAY[") {
        if ends_array(before) || line_form::array_length(array).is_none() {
            return true;
        }
        rest = scan::split_once(array, b"]").map(|(_, behind)| behind).unwrap_or_default();
    }
    ends_array(rest)
}

/// `c0, 00, 00] freq=1`, after the end of an array or without its beginning.
fn ends_array(text: &[u8]) -> bool {
    memchr::memchr_iter(b']', text).any(|close| {
        let before = text.get(..close).unwrap_or_default();
        let open = memchr::memrchr(b'[', before);
        let is_begun = open.is_some_and(|at| before.get(at.saturating_add(1)).is_some_and(u8::is_ascii_hexdigit));
        let is_opened = is_begun && open > memchr::memrchr(b']', before);
        let is_element = matches!(before, [.., b',', b' ', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit());
        is_element && !is_opened
    })
}

/// Lines in words, indented as legends are, of an empty snapshot.
/// Source: kernel/trace/trace.c (`print_snapshot_help`), Linux 5.10 to 7.3.
const IN_WORDS: [&[u8]; 5] = [
    b"Takes a snapshot of the main buffer.",
    b"Takes a snapshot of this cpu.",
    b"(Must use main snapshot file to allocate)",
    b"(Doesn't have to be '2' works with any number that",
    b"is not a '0' or '1')",
];

/// True for a line between a header's first and the records that is no rule, legend or statement of a header.
pub fn is_odd_header(comment: &[u8]) -> bool {
    if let Some(tracer) = comment.strip_prefix(b" tracer: ") {
        return !scan::trim(tracer).iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    }
    let text = scan::trim(comment);
    if IN_WORDS.contains(&text) {
        return false;
    }
    if text.starts_with(b"---") {
        let behind =
            scan::trim(text.get(text.iter().take_while(|byte| **byte == b'-').count()..).unwrap_or_default());
        return !(behind.is_empty() || behind.starts_with(b"#"));
    }
    let is_legend =
        comment.starts_with(b"  ") || comment.starts_with(b"\t") || memchr::memchr(b'|', comment).is_some();
    let states = [&b"| task: "[..], b"=> started at: ", b"=> ended at: ", b"latency: ", b"entries-in"];
    is_legend
        && !states.iter().any(|state| memchr::memmem::find(text, state).is_some())
        && text.split(|byte| scan::is_blank(*byte)).any(|word| !is_of_legend(word))
}

/// True for a line of a header after its first that does not state what the kernel does, and is no rule or legend; and for
/// the one before the number of entries: `function latency trace v1.1.5 on 6.12`.
pub fn is_other_statement(comment: &[u8]) -> bool {
    let is_legend = comment.starts_with(b"  ") || comment.starts_with(b"\t");
    let begins = [&b" tracer: "[..], b" latency: ", b" entries-in", b" --", b" =>"];
    !is_legend
        && !begins.iter().any(|begin| comment.starts_with(begin))
        && comment.split(|byte| scan::is_blank(*byte)).any(|word| !is_of_legend(word))
}

/// `_-----=>`, `|||`, `need-resched`, `irqs-off/BH-disabled`, `TASK-PID`, `CPU#`, `counters:`
fn is_of_legend(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 9] =
        [b"delay", b"cmd", b"pid", b"time", b"caller", b"counters:", b"Interference", b"%%", b"%"];
    let is_drawn =
        word.iter().all(|byte| matches!(byte, b'|' | b'/' | b'\\' | b'_' | b'-' | b'+' | b'=' | b'>'));
    // `|----`: a column, and the rule of a banner. `_-----=>` is an arrow, `+----+` is above columns of osnoise.
    let dash = word.iter().position(|byte| *byte == b'-');
    let before = dash.and_then(|dash| dash.checked_sub(1)).and_then(|at| word.get(at));
    let is_joined = is_drawn && dash.is_some() && !matches!(before, Some(b'_' | b'+'));
    let is_title =
        word.iter().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'#' | b'/' | b'-' | b':' | b'|'));
    let is_flag = word.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'/'))
        && word.iter().any(|byte| matches!(byte, b'-' | b'/'));
    !is_joined && (is_drawn || is_title || is_flag || WORDS.contains(&word))
}

/// True where what follows the `}` of a graph line is no comment, depth or note: `}d/* f */`, `}  */`, `} ---`.
pub fn is_odd_exit(behind: &[u8]) -> bool {
    let text = scan::trim(behind);
    let Some(comment) = text.strip_prefix(b"/*") else {
        let is_note = matches!(text.first(), None | Some(b'(' | b'<' | b'-'));
        let is_rule = !text.is_empty() && text.iter().all(|byte| *byte == b'-');
        return is_rule
            || memchr::memmem::find(text, b"/*").is_some()
            || !is_note && text.iter().any(|byte| matches!(byte, b'*' | b'/' | b'|' | b'{' | b'}' | b';'))
            || text.first().is_some_and(|byte| byte.is_ascii_control() || !byte.is_ascii());
    };
    let comment = scan::split_once(comment, b"*/").map_or(comment, |(comment, _)| comment);
    !text.starts_with(b"/* ") || !comment.ends_with(b" ") || is_odd_comment_of_call(comment)
}

/// True for the comment of a call, `f [mod] = -22`, `= 0x0`, `f ret=0x0`, `<-caller+0x1/0x2 ret=0x0`, that is put together
/// from two: `f _g`, `f [4_g [mod]`, `= 0x0ccount_f = 0x0`.
pub fn is_odd_comment_of_call(comment: &[u8]) -> bool {
    let (first, mut rest) = scan::word(scan::trim(comment));
    // A value alone: the call's name is before the comment.
    if first == b"=" {
        rest = scan::trim(comment);
    }
    let is_odd = |byte: &u8| matches!(byte, b'|' | b'*' | b';' | b'{' | b'}');
    let mut is_odd = first.iter().any(is_odd);
    while !is_odd && !rest.is_empty() {
        let (word, behind) = scan::word(scan::skip_blanks(rest));
        rest = behind;
        is_odd = match word {
            b"=" => {
                let (value, behind) = scan::word(scan::skip_blanks(rest));
                rest = behind;
                let digits = value.strip_prefix(b"-").unwrap_or(value);
                scan::parse_hex(digits.strip_prefix(b"0x").unwrap_or(digits)).is_none()
                    || !scan::trim(rest).is_empty()
            }
            [b'[', module @ .., b']'] => module.iter().any(|byte| matches!(byte, b'[' | b']')),
            _ => !word.starts_with(b"ret=") && !word.starts_with(b"<-"),
        };
    }
    is_odd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_symbols_with_brackets() {
        for frame in [
            "do_idle",
            "do_idle+0x1a/0x40 [mod]",
            "do_idle (ffffffff84a0012f)",
            "<00007fbba3d62545>",
            "/lib/x.so[+0x1234] <00007fbba3d62545>",
            "[FTRACE TRAMPOLINE]",
            "0xffffffffc0a01234",
        ] {
            assert!(!is_odd_frame(frame.as_bytes()), "{frame}");
        }
        for frame in [
            "worker_thread (fffffck trace >",
            "sy<stack trace >",
            "mlock_batch     <stack trace >",
            "f83d12ee)",
        ] {
            assert!(is_odd_frame(frame.as_bytes()), "{frame}");
        }
        assert_ne!(frame_columns(b"do_idle (ffffffff84a0012f)"), frame_columns(b"do_idle (ffff84a0012f)"));
    }

    #[test]
    fn the_comment_of_a_call_has_one_value() {
        for comment in
            [" = 0x0 ", " = -22 ", " ret=0x0 ", " <-f+0x1/0x2 ret=0x0 ", " f [mod] ", " <-f [mod] "]
        {
            assert!(!is_odd_comment_of_call(comment.as_bytes()), "{comment}");
        }
        for comment in [" = 0x0ccount_f = 0xf4240 ", " = 0x0 0x1 ", " = ", " f = x "] {
            assert!(is_odd_comment_of_call(comment.as_bytes()), "{comment}");
        }
    }

    #[test]
    fn arrays_begin_and_end() {
        for args in
            ["a=ARRAY[0f, 00] b=ARRAY[02]", "[FAILED TO PARSE] a=ARRAY[0f, 00]", "mac=[0a, 0b]", "a=1"]
        {
            assert!(!has_odd_array(args.as_bytes()), "{args}");
        }
        for args in [
            "a=ARRAY[0f, 00] b=ARRAY[0=2 c=3",
            "[FAILED TO PARSE] c0, 00, 00] b=ARRAY[02]",
            "a=ARRAY[0f, 00] 00, 00] b=1",
            "[ 00, 00] b=1 c=ARRAY[02]",
        ] {
            assert!(has_odd_array(args.as_bytes()), "{args}");
        }
    }

    #[test]
    fn stacks_have_titles_frames_or_fields() {
        for args in ["<stack trace>", "<stack trace >", "", "=> do_idle", "size=1 caller=ARRAY[1, 2]"] {
            let is_odd = is_odd_stack(args.as_bytes());
            assert_eq!(is_odd, args.contains("1, 2"), "{args}");
        }
        assert!(is_odd_stack(b"YSCALL_64_after_hwframe (ffffffff84a0012f)"));
        assert!(is_odd_stack(b"<st schedule (ffffffff848d8ed7)"));
    }

    #[test]
    fn legends_have_words_of_their_own() {
        for line in [
            "                              _-----=> irqs-off/BH-disabled",
            "           TASK-PID      CPU# |||||   TIMESTAMP    IN US       IN US  AVAILABLE  IN US     HW    NMI",
            "                                            NOISE          %% OF CPU  MAX SINGLE Interference counters:",
            "  cmd     pid   ||||| time  |   caller",
            "     \\   /      |||||  \\    |   /",
            " --------------------------------------------------------------------",
            "    | task: dd-191 (uid:0 nice:0 policy:0 rt_prio:0)",
            "                |||| /_--=> lock-depth       ",
            "  => started at: sysvec_apic_timer_interrupt",
            " tracer: function_graph",
            "",
        ] {
            assert!(!is_odd_header(line.as_bytes()), "{line}");
        }
        for line in [
            "              hread_noise:     head:605 start 117.095384089 duration 16184230 ns",
            "              | |         |   |||||      |           |     8 ns",
            "                         =215 next_prio=100",
            " -----------------------t <-_raw_spin_lock_irq",
            " tracer: tie local_timer",
            "   |   |                     |   |   |   |----------------------",
            "   |   |         ----------------------------------------",
        ] {
            assert!(is_odd_header(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn a_header_states_few_things() {
        for line in [
            " tracer: nop",
            "",
            " ",
            "   => started at: x",
            " latency: 0 us, #47/47",
            " --------",
            "##########",
            " |   |",
            " CPU  TASK/PID        DURATION                  FUNCTION CALLS",
        ] {
            assert!(!is_other_statement(line.as_bytes()), "{line}");
        }
        for line in [
            " fumer_interrupt",
            "120",
            "4362834 duration 117865 ns",
            " function latency trace v1.1.5 on 6.12",
        ] {
            assert!(is_other_statement(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn behind_a_closing_brace_stands_the_function_or_a_note() {
        for behind in [
            "",
            " /* do_idle */",
            " /* f [mod] = -22 */",
            " /* f ret=0x1 */",
            " (2)",
            "  <--- slow",
            " /* f */ (ret=0x0)",
        ] {
            assert!(!is_odd_exit(behind.as_bytes()), "{behind}");
        }
        for behind in [
            "d/* f */",
            "  */",
            " /hrtimer_wakeup */",
            " /* a     |   7.432 us    |      } /* b */",
            " /* do_sys_openat __x64_sys_open */",
            " /* ext4_put_io_end [4_end_io_dio [ext4] */",
            " /* f  DURATION                  FUirq_exit_rcu */",
            " ---",
            "-/* do_IRQ */",
            " /* cpu_st*/",
            "([ /* _raw_spin_unlock */",
        ] {
            assert!(is_odd_exit(behind.as_bytes()), "{behind}");
        }
    }
}
