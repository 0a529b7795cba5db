//! The function graph as trace-cmd report prints it, after `funcgraph_entry:` and `funcgraph_exit:`.

use super::scan;
use super::shapes::Shapes;
use crate::model::{CallRecord, GraphPoint, Ns};

/// `--> _raw_spin_unlock (1)` and
/// `<-- _raw_spin_unlock (1) (start: 282d906fd  end: 282d90cad) over: 1` (report -N, the kernel's own format).
pub fn kernel_format<'a>(text: &'a [u8], enter: bool, at: GraphPoint<'a>) -> Option<CallRecord<'a>> {
    let arrow = if enter { &b"-->"[..] } else { b"<--" };
    let rest = scan::skip_blanks(scan::trim(text).strip_prefix(arrow)?);
    let (symbol, rest) = scan::split_once(rest, b" (")?;
    let (depth, rest) = scan::number(rest)?;
    let at = GraphPoint { depth: u16::try_from(depth).ok(), ..at };
    if enter {
        return Some(CallRecord::Enter { at, symbol, args: b"" });
    }
    let stamp = |name: &[u8]| {
        let behind = scan::skip_blanks(scan::split_once(rest, name)?.1);
        let digits = behind.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        scan::parse_hex(behind.get(..digits)?)
    };
    let duration_ns = stamp(b"start: ")
        .zip(stamp(b"end: "))
        .and_then(|(start, end)| i64::try_from(end.checked_sub(start)?).ok().map(Ns));
    Some(CallRecord::Exit { at, symbol: Some(symbol), duration_ns, retval: b"" })
}

/// `func=finish_task_switch overrun=0x0 calltime=599e27ecd0 rettime=599e282b42 depth=0` (report -R).
pub fn raw_fields<'a>(text: &'a [u8], enter: bool, at: GraphPoint<'a>) -> Option<CallRecord<'a>> {
    let (mut symbol, mut depth, mut call_time, mut return_time, mut retval) =
        (None, None, None, None, &b""[..]);
    for field in scan::trim(text).split(|byte| *byte == b' ').take(64) {
        let Some((name, value)) = scan::split_once(field, b"=") else { continue };
        match name {
            b"func" => symbol = Some(value),
            b"depth" => depth = scan::parse_u64(value).and_then(|depth| u16::try_from(depth).ok()),
            b"calltime" => call_time = scan::parse_hex(value),
            b"rettime" => return_time = scan::parse_hex(value),
            b"retval" => retval = value,
            _ => {}
        }
    }
    let (symbol, at) = (symbol?, GraphPoint { depth, ..at });
    if enter {
        return Some(CallRecord::Enter { at, symbol, args: b"" });
    }
    let duration_ns = return_time
        .zip(call_time)
        .and_then(|(end, start)| i64::try_from(end.checked_sub(start)?).ok().map(Ns));
    Some(CallRecord::Exit { at, symbol: Some(symbol), duration_ns, retval })
}

/// True for raw fields with a word that is no field, or with a field twice: `func=f dept      func=g depth=4`.
pub fn are_odd_fields(text: &[u8]) -> bool {
    let mut words = text.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
    words.any(|word| memchr::memchr_iter(b'=', word).count() != 1) || Shapes::has_field_twice(text)
}

#[cfg(test)]
mod tests {
    use super::are_odd_fields;

    #[test]
    fn raw_fields_are_there_once() {
        assert!(!are_odd_fields(b"func=f calltime=0xa9 rettime=0xaa overrun=0x0 depth=8"));
        for text in [
            &b"func=0xffffffffbaxit:        func=0xffffffffba4e6a70 depth=8"[..],
            b"func=f calltime=599e30ce40 rettime=599e30ddb0 depth=af4c0 depth=5",
            b"func=0xffffffffba635d10 dept      func=0xffffffffba4bc5c0 depth=4",
        ] {
            assert!(are_odd_fields(text), "{}", String::from_utf8_lossy(text));
        }
    }
}
