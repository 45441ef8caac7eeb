//! Tools outside of the project that judge it in tests. A test that misses one says so and is skipped; where that must not
//! happen, as in continuous integration, it fails.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Command;
use std::sync::Mutex;

/// The variable with the names of the oracles that must be there, between spaces.
const REQUIRED: &str = "TAMIS_ORACLES_REQUIRED";

/// Says that a test is skipped as an oracle is missing, and why. It panics if that is one that must be there.
pub fn missing(oracle: &str, why: &str) {
    let required = std::env::var(REQUIRED).unwrap_or_default();
    assert!(!required.split(' ').any(|name| name == oracle), "{REQUIRED} names {oracle}, but {why}");
    // Not by `eprintln`, which is kept back where a test passes.
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "skipped, or a part of it: {test}: {why}");
}

/// The solver z3: the one that `TAMIS_Z3` names, or that in the path. Without one the test that asks is skipped.
pub fn z3() -> Option<String> {
    let path = std::env::var("TAMIS_Z3").unwrap_or_else(|_| "z3".to_owned());
    if Command::new(&path).arg("--version").output().is_ok_and(|out| out.status.success()) {
        return Some(path);
    }
    missing("z3", "there is no z3 in the path or in TAMIS_Z3");
    None
}

/// Yosys, which elaborates Verilog: the one that `TAMIS_YOSYS` names, or that in the path. Without one the test that asks is
/// skipped.
pub fn yosys() -> Option<String> {
    let path = std::env::var("TAMIS_YOSYS").unwrap_or_else(|_| "yosys".to_owned());
    if Command::new(&path).arg("-V").output().is_ok_and(|out| out.status.success()) {
        return Some(path);
    }
    missing("yosys", "there is no yosys in the path or in TAMIS_YOSYS");
    None
}

/// The simulator of BTOR2, which judges witnesses: the one that `TAMIS_BTORSIM` names, or that in the path. Without one the
/// test that asks is skipped.
pub fn btorsim() -> Option<String> {
    let path = std::env::var("TAMIS_BTORSIM").unwrap_or_else(|_| "btorsim".to_owned());
    if Command::new(&path).arg("-h").output().is_ok_and(|out| out.status.success()) {
        return Some(path);
    }
    missing("btorsim", "there is no btorsim in the path or in TAMIS_BTORSIM");
    None
}

/// The simulator of AIGER, which judges witnesses: the one that `TAMIS_AIGSIM` names, or that in the path. Without one the
/// test that asks is skipped.
pub fn aigsim() -> Option<String> {
    let path = std::env::var("TAMIS_AIGSIM").unwrap_or_else(|_| "aigsim".to_owned());
    if Command::new(&path).arg("-h").output().is_ok_and(|out| out.status.success()) {
        return Some(path);
    }
    missing("aigsim", "there is no aigsim in the path or in TAMIS_AIGSIM");
    None
}

/// A Python that has `distributed`, the package of Dask for clusters: the one that `TAMIS_PYTHON` names, or that in the path. Without
/// one the test that asks is skipped.
pub fn distributed() -> Option<String> {
    let path = std::env::var("TAMIS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&path).args(["-c", "import distributed"]).output();
    if found.is_ok_and(|out| out.status.success()) {
        return Some(path);
    }
    missing("distributed", "the Python in the path, or that of TAMIS_PYTHON, has no package `distributed`");
    None
}

/// A browser for tests of pages: chromium, and a Python that drives it with Playwright.
pub struct Browser {
    /// The executable of chromium: the one that `TAMIS_CHROMIUM` names, or that in the path.
    pub chromium: String,
    /// The executable of Python: the one that `TAMIS_PYTHON` names, or that in the path.
    pub python: String,
}

/// A browser, if there is one with what drives it. The oracle is called `chromium`.
pub fn browser() -> Option<Browser> {
    let named = |variable: &str, usual: &str| std::env::var(variable).unwrap_or_else(|_| usual.to_owned());
    let python = named("TAMIS_PYTHON", "python3");
    let chromium = named("TAMIS_CHROMIUM", "chromium");
    let works = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).output().ok().filter(|out| out.status.success())
    };
    if works(&chromium, &["--version"]).is_none() {
        missing("chromium", "there is no chromium in the path or in TAMIS_CHROMIUM");
        return None;
    }
    // Playwright wants the path.
    let script = "import playwright, shutil, sys; print(shutil.which(sys.argv[1]))";
    let Some(found) = works(&python, &["-c", script, &chromium]) else {
        missing("chromium", &format!("{python} has no playwright; TAMIS_PYTHON may name one that has"));
        return None;
    };
    Some(Browser { chromium: String::from_utf8_lossy(&found.stdout).trim().to_owned(), python })
}

/// Whether `cc` makes programs with the C library for the data model of a flag, `-m64` or `-m32`. The oracles are called
/// `cc-m64` and `cc-m32`.
pub fn cc(flag: &'static str) -> bool {
    static KNOWN: Mutex<BTreeMap<&str, bool>> = Mutex::new(BTreeMap::new());
    let works = match KNOWN.lock() {
        Ok(mut known) => *known.entry(flag).or_insert_with(|| compiles(flag)),
        Err(_) => compiles(flag),
    };
    if !works {
        missing(&format!("cc{flag}"), &format!("no program compiles with cc {flag}"));
    }
    works
}

/// Whether the smallest program with a header compiles.
fn compiles(flag: &str) -> bool {
    let name = format!("tamis-oracle-{}{flag}", std::process::id());
    let (source, program) = (std::env::temp_dir().join(format!("{name}.c")), std::env::temp_dir().join(name));
    let written = std::fs::write(&source, "#include <stdio.h>\nint main(void) { return 0; }\n");
    let compiled = Command::new("cc").arg(flag).arg("-o").arg(&program).arg(&source).output();
    let _ = (std::fs::remove_file(&source), std::fs::remove_file(&program));
    written.is_ok() && compiled.is_ok_and(|out| out.status.success())
}
