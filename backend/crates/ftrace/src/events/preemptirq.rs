//! `irq_disable`, `irq_enable`, `preempt_disable` and `preempt_enable`.

use memchr::memmem;

use super::fields::{after_key, word};

/// Where in the code interrupts or preemption are switched off or on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site<'a> {
    /// The function that does it, with its offset: `console_unlock+0xc0/0x510`.
    pub caller: &'a [u8],
    /// The function that called that one.
    pub parent: &'a [u8],
}

/// The kernel's KSYM_NAME_LEN. Every CPU keeps the place of its open section, so that it has to end.
const MAX_FUNCTION_BYTES: usize = 512;

/// The place in printed arguments; `None` where they are of no known form.
///
/// Source: include/trace/events/preemptirq.h, Linux 4.15 to 6.18.
pub fn parse(args: &[u8]) -> Option<Site<'_>> {
    // caller=console_unlock+0xc0/0x510 parent=vprintk_emit+0x134/0x1d0
    // trace-cmd leaves out the functions' lengths; a module follows its function: `f+0x1/0x2 [mod]`.
    if let Some(caller) = after_key(args, b"caller") {
        let at = memmem::find(caller, b" parent=")?;
        let (caller, parent) = caller.split_at_checked(at)?;
        return Some(Site::new(caller, parent.strip_prefix(b" parent=")?.trim_ascii_end()));
    }
    // With the option `fields`, in any order: caller_offs=0x1e3f42 (1982274) parent_offs=0x10b (267)
    Some(Site::new(word(args, b"caller_offs")?, word(args, b"parent_offs")?))
}

impl<'a> Site<'a> {
    fn new(caller: &'a [u8], parent: &'a [u8]) -> Self {
        let cut = |function: &'a [u8]| function.get(..MAX_FUNCTION_BYTES).unwrap_or(function);
        Self { caller: cut(caller), parent: cut(parent) }
    }

    /// Appends `console_unlock ← vprintk_emit` to `label`.
    pub fn write(&self, label: &mut Vec<u8>) {
        write_function(self.caller, label);
        label.extend_from_slice(" ← ".as_bytes());
        write_function(self.parent, label);
    }

    /// True where the function's name begins with one of `names`.
    pub fn is_in(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.caller.starts_with(name.as_bytes()))
    }
}

/// Appends the function's name and module, without the offset.
pub fn write_function(function: &[u8], label: &mut Vec<u8>) {
    let end = memchr::memchr(b'+', function).unwrap_or(function.len());
    let (name, rest) = function.split_at_checked(end).unwrap_or((function, b""));
    label.extend_from_slice(name);
    if let Some(module) = memmem::find(rest, b" [").and_then(|at| rest.get(at..)) {
        label.extend_from_slice(module);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(args: &str, expected: Option<&str>) {
        let label = parse(args.as_bytes()).map(|site| {
            let mut label = Vec::new();
            site.write(&mut label);
            String::from_utf8(label).unwrap()
        });
        assert_eq!(label.as_deref(), expected, "{args}");
    }

    #[test]
    fn a_function_without_end_is_cut() {
        let args = format!("caller={} parent=b+0x1/0x2", "a".repeat(10_000));
        assert_eq!(parse(args.as_bytes()).unwrap().caller.len(), MAX_FUNCTION_BYTES);
    }

    #[test]
    fn a_place_is_told_without_its_offsets() {
        check(
            "caller=console_unlock+0xc0/0x510 parent=vprintk_emit+0x134/0x1d0",
            Some("console_unlock ← vprintk_emit"),
        );
        check("caller=vfs_write+0x103 parent=vfs_write+0x125", Some("vfs_write ← vfs_write"));
        check(
            "caller=f.isra.0+0x1/0x2 [mod] parent=0xffffffffc0000000",
            Some("f.isra.0 [mod] ← 0xffffffffc0000000"),
        );
        check("caller_offs=0x1e3f42 (1982274) parent_offs=0x10b (267)", Some("0x1e3f42 ← 0x10b"));
        check("parent_offs=0x10b (267) caller_offs=0x1e3f42 (1982274)", Some("0x1e3f42 ← 0x10b"));
        check("caller=f", None);
        check("", None);
    }
}
