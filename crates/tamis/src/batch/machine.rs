//! The cores that are shared out.

use std::fs;
use std::num::NonZero;

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

#[cfg(test)]
mod tests {
    #[test]
    fn lists_of_cores() {
        assert_eq!(super::ranges("0-2,5"), Some(vec![0, 1, 2, 5]));
        assert_eq!(super::ranges("x"), None);
        assert!(!super::cores().is_empty());
    }
}
