//! The executable.

fn main() -> std::process::ExitCode {
    // SAFETY: no other thread runs yet.
    unsafe { tamis_diagram::use_small_worker_stacks() };
    tamis::main()
}
