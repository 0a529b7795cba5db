//! The statistics of a CPU's buffer, as the kernel gave them when the recording ended.

/// What `per_cpu/cpuN/stats` counts as lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuStats {
    pub cpu: Option<u16>,
    /// Overwritten before they were read.
    pub overrun: u64,
    /// Not written because the buffer was full or a writer was interrupted.
    pub dropped: u64,
}

impl CpuStats {
    /// Lines of `CPU: 0`, `overrun: 12`, `commit overrun: 0`, `dropped events: 0` ...
    pub fn parse(text: &[u8]) -> Self {
        let mut stats = Self::default();
        for line in text.split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok()) {
            let Some((key, value)) = line.split_once(':') else { continue };
            let Ok(value) = value.trim_matches(|character: char| !character.is_ascii_digit()).parse::<u64>()
            else {
                continue;
            };
            match key.trim() {
                "CPU" | "cpu" => stats.cpu = u16::try_from(value).ok(),
                "overrun" => stats.overrun = value,
                "commit overrun" | "dropped events" => stats.dropped = stats.dropped.saturating_add(value),
                _ => {}
            }
        }
        stats
    }

    pub fn lost(&self) -> u64 {
        self.overrun.saturating_add(self.dropped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_summed() {
        let text = b"CPU: 3\nentries: 12\noverrun: 40\ncommit overrun: 1\nbytes: 900\n\
            oldest event ts:  5284.003\nnow ts:  5290.1\ndropped events: 2\nread events: 12\n";
        let stats = CpuStats::parse(text);
        assert_eq!(stats, CpuStats { cpu: Some(3), overrun: 40, dropped: 3 });
        assert_eq!(stats.lost(), 43);
    }
}
