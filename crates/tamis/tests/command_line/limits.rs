//! Limits on time and memory hold, and an exhausted one is a verdict.

use crate::support::Folder;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::{Duration, Instant};

/// Finding the factors of a product of two large primes.
const FACTORING: &str = "extern void reach_error(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

int main(void)
{
    for (;;) {
        unsigned __int128 x = __VERIFIER_nondet_ulonglong();
        unsigned __int128 y = __VERIFIER_nondet_ulonglong();
        if (x > 1 && y > 1 && x * y == (unsigned __int128)4294967291u * 18446744073709551557u)
            reach_error();
    }
}
";

#[test]
fn a_hard_program_ends_with_its_time() {
    let run = Folder::with("hard.c", FACTORING).run(&["check", "hard.c", "--timeout", "1"]);
    run.ends_with(3, "unknown(timeout: 1 s)");
    assert!(run.took < Duration::from_secs(6), "it took {:?}", run.took);
}

#[test]
fn a_large_formula_ends_with_its_memory() {
    let mut text =
        "extern void reach_error(void);\nextern unsigned long long __VERIFIER_nondet_ulonglong(void);\n\
        int main(void)\n{\n    unsigned long long s = 1, x;\n"
            .to_owned();
    for _ in 0..400 {
        text += "    x = __VERIFIER_nondet_ulonglong();\n    s = s * x + (s ^ x) / (x | 3);\n";
    }
    text += "    if (s == 12345)\n        reach_error();\n    return 0;\n}\n";
    let run =
        Folder::with("large.c", text).run(&["check", "large.c", "--memory", "200MB", "--timeout", "50"]);
    run.ends_with(3, "unknown(memory limit: 200 MB)");
}

#[test]
fn limits_do_not_touch_a_run_that_stays_below() {
    let text = "int main(void) { return 0; }\n";
    let folder = Folder::with("small.c", text);
    folder.run(&["check", "small.c", "--timeout", "1min", "--memory", "1GB"]).ends_with(0, "true");
}

/// Arrays are handed over to their theory in the middle of the search here, when their atoms are not new any more.
const ALTERNATING_LIST: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned int);
struct cell { int mark; struct cell *next; };
int main(void) {
    struct cell *head = malloc(sizeof(struct cell));
    struct cell *last = head;
    int even = 1;
    while (__VERIFIER_nondet_int()) {
        if (even) { last->mark = 1; even = 0; } else { last->mark = 2; even = 1; }
        struct cell *more = malloc(sizeof(struct cell));
        last->next = more;
        last = more;
    }
    last->mark = 3;
    int expected = 1;
    struct cell *p = head;
    while (p->mark != 3) {
        if (p->mark != expected) reach_error();
        expected = 3 - expected;
        p = p->next;
    }
    return 0;
}
";

#[test]
fn arrays_that_are_handed_over_late_are_observed() {
    // It is right, but a proof says something of every cell of the list, which no predicate does: the time goes by.
    let run = Folder::with("list.c", ALTERNATING_LIST).run(&["check", "--32", "list.c", "--timeout", "6"]);
    run.ends_with(3, "unknown(timeout: 6 s)");
}

/// A preprocessor that waits for a named pipe ends with the run.
#[test]
fn nothing_is_left_of_a_run_whose_time_is_over() {
    let folder = Folder::with("waits.c", "#include \"pipe.h\"\nint main(void) { return 0; }\n");
    let pipe = folder.path.join("pipe.h");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("a named pipe");
    assert!(made.success());
    let file = folder.path.join("waits.c");
    let run = folder.run(&["check".as_ref(), file.as_os_str(), "--timeout".as_ref(), "1".as_ref()]);
    run.ends_with(3, "unknown(timeout: 1 s)");
    let preprocesses = |process: &fs::DirEntry| {
        let arguments = fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&arguments).contains(&*file.to_string_lossy())
    };
    let left = || fs::read_dir("/proc").expect("the processes").flatten().filter(preprocesses).count();
    let end = Instant::now() + Duration::from_secs(20);
    while left() > 0 {
        assert!(Instant::now() < end, "the preprocessor is still there");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A process that the preprocessor has left behind is not waited for, though it may still write.
#[test]
fn a_preprocessor_that_leaves_its_output_open_is_refused() {
    let folder = Folder::with("plain.c", "int main(void) { return 0; }\n");
    let compiler = folder.path.join("cc");
    let left = folder.path.join("left");
    let script = format!(
        "#!/bin/sh\nsleep 300 &\necho $! > {}\necho 'int main(void) {{ return 0; }}'\n",
        left.display()
    );
    fs::write(&compiler, script).expect("a script");
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).expect("permissions");
    let path = format!("{}:{}", folder.path.display(), std::env::var("PATH").unwrap_or_default());
    let run = folder.run_in(&["check", "plain.c", "--timeout", "50"], &[("PATH", &path)]);
    let id = fs::read_to_string(left).expect("the compiler ran");
    let ended = Command::new("kill").arg(id.trim()).status().expect("an end");
    assert!(ended.success(), "it was there until now");
    run.ends_with(4, "unknown(input: plain.c: cannot run `cc`: it leaves its output open)");
}
