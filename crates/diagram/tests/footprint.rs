//! What a manager costs before it holds anything. Alone in its file: it changes the environment.
#![allow(clippy::unwrap_used)] // A test fails by panicking.
#![cfg(target_os = "linux")]

use tamis_diagram::{Diagrams, use_small_worker_stacks};

/// A field of this process's status, in megabytes.
fn megabytes(field: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() / 1024
}

#[test]
fn an_empty_manager_is_small() {
    // SAFETY: the only test of this program.
    unsafe { use_small_worker_stacks() };
    let (resident, reserved) = (megabytes("VmRSS:"), megabytes("VmSize:"));
    let d = Diagrams::new(Diagrams::DEFAULT_MAX_NODES);
    assert!(megabytes("VmRSS:") - resident < 16);
    // The threads' own allocation arenas take 64 MB of address space each.
    assert!(megabytes("VmSize:") - reserved < 400);
    assert_eq!(d.var_count(), 0);
}
