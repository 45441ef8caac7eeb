//! The system's compiler makes an executable of a program and its harness.

use super::{Compiled, Harness, is_of_memory, text};
use crate::interpreter::Undefined;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tamis_front_c::Preprocessed;

/// A folder for temporary files, which goes when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Result<Folder, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let unique = format!("tamis-native-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(unique);
        fs::create_dir(&folder).map_err(|e| format!("a temporary folder cannot be made: {e}"))?;
        Ok(Folder(folder))
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.0.join(name);
        fs::write(&path, text).map_err(|e| format!("a temporary file cannot be written: {e}"))?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays behind; nothing depends on it.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The option that has accesses to memory checked.
const ADDRESS: &str = "-fsanitize=address";

/// What the compiler is told so that a behaviour ends the program.
pub fn sanitizers(wanted: &[Undefined]) -> Vec<&'static str> {
    let mut options: Vec<&str> = wanted
        .iter()
        .filter_map(|kind| match kind {
            Undefined::SignedOverflow => Some("-fsanitize=signed-integer-overflow"),
            Undefined::DivisionByZero => Some("-fsanitize=integer-divide-by-zero"),
            Undefined::ShiftOutOfRange => Some("-fsanitize=shift"),
            Undefined::NullAccess => Some("-fsanitize=null"),
            _ => None,
        })
        .collect();
    if !options.is_empty() {
        options.push("-fsanitize-undefined-trap-on-error");
    }
    if wanted.iter().any(|&kind| is_of_memory(kind)) {
        options.push(ADDRESS);
    }
    // With wrapping there is no overflow to be found.
    if !wanted.contains(&Undefined::SignedOverflow) {
        options.push("-fwrapv");
    }
    options
}

/// Makes the executable.
pub fn compile(
    folder: &Folder,
    program: &[Preprocessed],
    harness: &Harness,
    time: Duration,
) -> Result<(PathBuf, Compiled), String> {
    let mut files = Vec::new();
    for (number, part) in program.iter().enumerate() {
        files.push(folder.write(&format!("program-{number}.i"), &part.text)?);
    }
    let text_of_harness = folder.write("harness.c", &harness.text)?;
    let executable = folder.0.join("replay");
    let wants_checks = harness.options.iter().any(|option| option == ADDRESS);
    let compile = |zeroed: bool, checked: bool| -> Result<(), String> {
        let mut command = Command::new("cc");
        command.args(["-w", "-O0"]);
        command.args(harness.options.iter().filter(|&option| checked || option != ADDRESS));
        // What was never set is 0 in the interpreter unless the counterexample says more.
        if zeroed {
            command.arg("-ftrivial-auto-var-init=zero");
        }
        command.args(["-x", "cpp-output"]);
        for file in &files {
            command.arg(text(file)?);
        }
        command.args(["-x", "c", text(&text_of_harness)?, "-o", text(&executable)?, "-lm"]);
        run(command, &folder.0, time)
    };
    let tried = |checked| compile(true, checked).or_else(|_| compile(false, checked));
    match tried(wants_checks) {
        Ok(()) if wants_checks => Ok((executable, Compiled::Checked)),
        Ok(()) => Ok((executable, Compiled::Plain)),
        Err(_) if wants_checks => tried(false).map(|()| (executable, Compiled::Unchecked)),
        Err(why) => Err(why),
    }
}

/// Runs the compiler; its first complaint is the error.
fn run(mut command: Command, folder: &Path, time: Duration) -> Result<(), String> {
    let messages = folder.join("messages");
    let output =
        fs::File::create(&messages).map_err(|e| format!("a temporary file cannot be written: {e}"))?;
    command.env("LC_ALL", "C").current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(output);
    let mut compiler = command.spawn().map_err(|e| format!("the C compiler `cc` cannot be run: {e}"))?;
    let began = Instant::now();
    let status = loop {
        match compiler.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if began.elapsed() < time => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) => {
                let _ = compiler.kill().and_then(|()| compiler.wait());
                return Err("the C compiler takes too long".to_owned());
            }
            Err(e) => return Err(format!("the C compiler cannot be waited for: {e}")),
        }
    };
    if status.success() {
        return Ok(());
    }
    let said = fs::read(&messages).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let complaint = |line: &&str| {
        ["error: ", "undefined reference", "cannot find"].iter().any(|mark| line.contains(mark))
    };
    let first = said.lines().find(complaint).or_else(|| said.lines().next()).unwrap_or_default();
    let folder = format!("{}/", folder.display());
    Err(format!("the C compiler fails: {}", first.replace(&folder, "").trim()))
}
