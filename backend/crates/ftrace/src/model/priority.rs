//! Priorities in words.

/// A priority as people set it: `rt 80`, `nice 0`, `deadline`. The kernel's number runs the other way: 19 is `rt 80`,
/// 120 is `nice 0`, -1 a deadline (include/linux/sched/prio.h).
pub fn priority_text(kernel: i32) -> String {
    match kernel {
        ..0 => "deadline".to_owned(),
        0..100 => format!("rt {}", 99_i32.saturating_sub(kernel)),
        _ => format!("nice {}", kernel.saturating_sub(120)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities_are_said_as_people_set_them() {
        assert_eq!(
            [-1, 0, 19, 98, 100, 120, 139].map(priority_text),
            ["deadline", "rt 99", "rt 80", "rt 1", "nice -20", "nice 0", "nice 19"]
        );
    }
}
