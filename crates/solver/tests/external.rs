//! Other solvers: z3 if it is in the path or in `TAMIS_Z3`, and shell scripts that behave badly.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tamis_logic::{Sort, Terms};
use tamis_solver::external::{External, ExternalAnswer, ExternalError};

fn z3() -> Option<External> {
    tamis_testing::z3().and_then(|path| External::find(&path).ok())
}

/// A shell script as a solver, removed at the end.
struct Shell(PathBuf);

impl Shell {
    fn new(name: &str, script: &str) -> Shell {
        let path = std::env::temp_dir().join(format!("tamis-external-{}-{name}", std::process::id()));
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a written file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
        Shell(path)
    }

    fn solver(&self) -> External {
        External::find(self.0.to_str().expect("a path")).expect("the script")
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn z3_agrees_about_terms() {
    let Some(z3) = z3() else { return };
    let mut t = Terms::new();
    let (x, y) = (t.var("x", Sort::BitVec(32)), t.var("y", Sort::BitVec(32)));
    let sum = t.add(x, y);
    let (overflows, large) = (t.ult(sum, x), t.ult(x, y));
    assert_eq!(z3.check(&t, &[overflows, large]), Ok(ExternalAnswer::Sat));
    let same = t.ult(sum, y);
    let not_same = t.not(same);
    assert_eq!(z3.check(&t, &[overflows, not_same]), Ok(ExternalAnswer::Unsat));
}

#[test]
fn z3_reports_errors_and_all_answers() {
    let Some(z3) = z3() else { return };
    let run = z3.run("(check-sat) (assert false) (check-sat) (assert nonsense)").expect("a run");
    assert_eq!(run.answers, [ExternalAnswer::Sat, ExternalAnswer::Unsat]);
    assert_eq!(run.errors.len(), 1);
}

#[test]
fn z3_is_stopped_by_memory() {
    let Some(mut z3) = z3() else { return };
    z3.memory = Some(20_000_000);
    assert!(z3.run("(check-sat)").is_err(), "z3 needs more than 20 MB of address space");
}

#[test]
fn time_is_kept_against_a_solver_with_children() {
    let shell = Shell::new("sleeps", "sleep 50 & sleep 50");
    let mut solver = shell.solver();
    solver.timeout = Some(Duration::from_millis(200));
    let start = Instant::now();
    assert_eq!(solver.run("(check-sat)"), Err(ExternalError::Timeout(Duration::from_millis(200))));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_solver_that_reads_nothing_and_says_much() {
    let shell = Shell::new("floods", "yes '; comment' | head -n 300000; echo unsat");
    let script = "(check-sat)\n".repeat(100_000);
    let run = shell.solver().run(&script).expect("a run");
    assert_eq!(run.answers, [ExternalAnswer::Unsat]);
}

#[test]
fn output_comes_before_the_end() {
    let shell = Shell::new("stops", "echo sat; sleep 50");
    let mut solver = shell.solver();
    solver.timeout = Some(Duration::from_secs(1));
    let mut seen = Vec::new();
    let run = solver.run_with("(check-sat)", &mut |bytes| seen.extend_from_slice(bytes));
    assert_eq!(run, Err(ExternalError::Timeout(Duration::from_secs(1))));
    assert_eq!(seen, b"sat\n");
}

#[test]
fn refused_memory_is_told_from_a_crash() {
    let shell = Shell::new("greedy", "echo 'std::bad_alloc' >&2; kill -ABRT $$");
    let mut solver = shell.solver();
    assert!(
        matches!(solver.run(""), Err(ExternalError::Crashed(_))),
        "without a limit there is none to exhaust"
    );
    solver.memory = Some(50_000_000);
    assert_eq!(solver.run(""), Err(ExternalError::Memory(50_000_000)));
    let polite = Shell::new("polite", "echo '(error \"Out of memory\")'");
    let mut solver = polite.solver();
    solver.memory = Some(50_000_000);
    assert_eq!(solver.run(""), Err(ExternalError::Memory(50_000_000)));
}

#[test]
fn a_file_without_permission_is_no_program() {
    let shell = Shell::new("text", "echo sat");
    fs::set_permissions(&shell.0, fs::Permissions::from_mode(0o644)).expect("a file");
    assert!(matches!(External::find(shell.0.to_str().expect("a path")), Err(ExternalError::Io(_))));
}

#[test]
fn failures_have_names() {
    assert!(matches!(External::find("no-such-solver"), Err(ExternalError::NotFound(_))));
    assert!(matches!(External::find("/no/such/solver"), Err(ExternalError::NotFound(_))));
    let crashes = Shell::new("crashes", "kill -SEGV $$").solver().run("(check-sat)");
    assert!(matches!(crashes, Err(ExternalError::Crashed(_) | ExternalError::Io(_))));
    let shell = Shell::new("babbles", "echo whatever");
    let mut t = Terms::new();
    let p = t.var("p", Sort::Bool);
    let babble = shell.solver().check(&t, &[p]);
    assert_eq!(babble, Err(ExternalError::NotUnderstood("whatever".into())));
    let crash = Shell::new("fails", "echo oops >&2; exit 7");
    assert_eq!(crash.solver().run(""), Err(ExternalError::Crashed("exit status: 7: oops".into())));
}
