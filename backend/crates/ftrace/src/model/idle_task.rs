//! The names of idle tasks, of which every CPU has one.

/// Before the number of the CPU: `swapper/3`.
pub const IDLE_TASK_PREFIX: &[u8] = b"swapper/";

/// The CPU whose idle task has this name; `None` for other tasks, and for the `swapper` of a kernel with one CPU.
pub fn idle_task_cpu(comm: &[u8]) -> Option<u16> {
    let number = comm.strip_prefix(IDLE_TASK_PREFIX)?;
    let number = Some(number).filter(|number| number.iter().all(u8::is_ascii_digit))?;
    str::from_utf8(number).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_number_names_the_cpu() {
        assert_eq!((idle_task_cpu(b"swapper/3"), idle_task_cpu(b"swapper/12")), (Some(3), Some(12)));
        for other in ["swapper", "swapper/", "swapper/+3", "swapper/3/x", "swapper/99999", "bash"] {
            assert_eq!(idle_task_cpu(other.as_bytes()), None, "{other}");
        }
    }
}
