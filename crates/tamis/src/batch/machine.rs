//! What this machine has to share out.

use std::fs;
use std::num::NonZero;

/// Of the memory this part is shared out: the rest is for the system, and for what goes a little over its limit.
const SHARED_OUT: f64 = 0.75;

/// The numbers of the cores that this process may use.
pub fn cores() -> Vec<usize> {
    let listed = fs::read_to_string("/proc/self/status").ok().and_then(|status| {
        let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
        ranges(line.trim())
    });
    let count = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let mut cores = listed.unwrap_or_else(|| (0..count()).collect());
    // A quota on processor time counts too.
    cores.truncate(count());
    cores
}

/// Numbers as `0-3,8`.
fn ranges(text: &str) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for part in text.split(',') {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        all.extend(low.parse().ok()?..=high.parse::<usize>().ok()?);
    }
    Some(all)
}

/// How many bytes of memory may be used for checks.
pub fn shared_out() -> Option<u64> {
    Some((memory()? as f64 * SHARED_OUT) as u64)
}

/// How many bytes of memory there are.
pub fn memory() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let machine = line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024;
    let limit = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = limit.and_then(|text| text.trim().parse::<u64>().ok()).unwrap_or(u64::MAX);
    Some(machine.min(group))
}

#[cfg(test)]
mod tests {
    #[test]
    fn lists_of_cores() {
        assert_eq!(super::ranges("0-2,5"), Some(vec![0, 1, 2, 5]));
        assert_eq!(super::ranges("x"), None);
        assert!(!super::cores().is_empty());
    }
}
