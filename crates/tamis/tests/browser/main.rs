//! Pages as people use them: in a browser, by keys and by clicks, in light and in dark, in a small window. What is done with a page is
//! in `scenarios.py`; `page.py` has what holds of all: names and roles, contrast, the order of the focus, and no error on the
//! console.
//!
//! `TAMIS_SCREENSHOTS` may name a folder for screenshots, such as docs/.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use tamis_testing::browser;

const HERE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser");

/// A folder of a test's own, removed at its end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Checks an input and looks at the page of the run.
#[track_caller]
fn look(scenario: &str, screenshot: Option<&str>, (file, content): (&str, &str), options: &[&str]) {
    let Some(browser) = browser() else { return };
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let unique = format!("tamis-browser-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = Folder(std::env::temp_dir().join(unique));
    fs::create_dir_all(&folder.0).expect("a temporary folder");
    fs::write(folder.0.join(file), content).expect("a written file");
    let run = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .args(["check", file, "--report", "page.html", "--quiet", "--memory", "2GB"])
        .args(options)
        .current_dir(&folder.0)
        .output()
        .expect("tamis runs");
    let page = folder.0.join("page.html");
    assert!(page.exists(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut look = Command::new(browser.python);
    look.arg("-B").arg(Path::new(HERE).join("scenarios.py")).arg(scenario).arg(&page).arg(browser.chromium);
    if let (Some(name), Ok(shots)) = (screenshot, std::env::var("TAMIS_SCREENSHOTS")) {
        look.arg(Path::new(&shots).join(format!("report-{name}.png")));
    }
    let looked = look.output().expect("python runs");
    assert!(looked.status.success(), "{scenario}: {}", String::from_utf8_lossy(&looked.stderr));
}

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(HERE).join(name)).expect("a program of the test")
}

#[test]
fn a_bug_in_a_program() {
    look("bug", Some("bug"), ("ring.c", &read("ring.c")), &["--timeout", "60"]);
}

#[test]
fn a_proof_of_a_program() {
    look(
        "proof",
        Some("proof"),
        ("stack.c", &read("stack.c")),
        &["--preset", "lbe-allsat", "--timeout", "60"],
    );
}

#[test]
fn an_unknown() {
    look("unknown", Some("unknown"), ("collatz.c", &read("collatz.c")), &["--timeout", "4"]);
}

#[test]
fn an_unknown_with_a_doubtful_counterexample() {
    let program = "extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void)
{
    long double x = __VERIFIER_nondet_float();
    if (x * x == 2.0L)
        reach_error();
    return 0;
}
";
    look("unknown", None, ("float.c", program), &["--timeout", "60"]);
}

#[test]
fn several_properties_and_checks() {
    let options =
        ["--all", "--cover", "--property", "unreach-call", "--property", "no-overflow", "--timeout", "60"];
    look("several", None, ("checks.c", &read("checks.c")), &options);
}

#[test]
fn a_violated_design() {
    look("violated_design", Some("design"), ("fifo.btor2", &read("fifo.btor2")), &["--timeout", "60"]);
}

#[test]
fn a_proved_design() {
    let fixed = read("fifo.btor2").replace("; the guard\n16 const 1 1", "; the guard\n16 not 1 15");
    assert_ne!(fixed, read("fifo.btor2"));
    look("proved_design", None, ("fifo.btor2", &fixed), &["--timeout", "60"]);
}

#[test]
fn a_violated_rule() {
    look("rule", None, ("driver.c", &read("driver.c")), &["--rule", "locks", "--timeout", "60"]);
}

/// Names, texts and file names that try to be markup.
const HOSTILE: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
# 3 \"</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>.c\"
const char *text = \"</script><script>window.hacked=3</script><!--<b-hostile onclick='window.hacked=4'>\u{2028}<svg onload=window.hacked=5>\";
int main(void)
{
    int n = __VERIFIER_nondet_int();
    while (n > 42)
        n--;
    if (n == 42 && text[0] == '<')
        reach_error();
    return 0;
}
";

#[test]
fn a_hostile_program() {
    look("hostile", None, ("a<img src=x onerror=window.hacked=6>&quot;'.c", HOSTILE), &["--timeout", "60"]);
}

#[test]
fn the_policy_holds() {
    look("fenced", None, ("p.c", HOSTILE), &["--timeout", "60"]);
}

#[test]
fn a_large_program() {
    let mut program = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n".to_owned();
    for i in 0..3332 {
        let _ = write!(
            program,
            "/* number {i} */\nstatic int f{i}(int x)\n{{\n    int y = x + {i}; // a comment\n    return y * 2;\n}}\n"
        );
    }
    program.push_str("int main(void)\n{\n    if (f3(__VERIFIER_nondet_int()) == 84)\n        reach_error();\n    return 0;\n}\n");
    assert!(program.lines().count() >= 20_000);
    look("large", None, ("large.c", &program), &["--timeout", "60"]);
}
