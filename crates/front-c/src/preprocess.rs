//! The system's C compiler, as a preprocessor and as a second opinion.

use crate::options::{DataModel, Macro, Options};
use crate::standard_input::{file_name, is_standard_input};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;
use tamis_diagnostics::{Diagnostic, Error};

/// The name POSIX gives the system's C compiler.
const COMPILER: &str = "cc";

/// How long the output of a compiler that has ended may stay open. It is closed at that moment, unless another process has it.
const CLOSING: Duration = Duration::from_secs(5);

/// Preprocesses a file. Without a compiler, a file without directives is its own preprocessed text.
pub(crate) fn preprocess(path: &Path, source: &[u8], options: &Options) -> Result<Vec<u8>, Error> {
    let name = file_name(path);
    let unreadable = |message: String| Error::Unreadable(Diagnostic::about_file(name.clone(), message));
    let headers =
        match options.data_model {
            DataModel::Ilp32 => Some(StubHeaders::new().map_err(|e| {
                unreadable(format!("cannot write a temporary folder for the preprocessor: {e}"))
            })?),
            DataModel::Lp64 => None,
        };
    let mut command = compiler(options.data_model);
    command.args(["-E", "-x", "c"]);
    for folder in &options.include {
        command.arg("-I").arg(folder);
    }
    for definition in &options.macros {
        match definition {
            Macro::Define(definition) => command.arg("-D").arg(definition),
            Macro::Undefine(name) => command.arg("-U").arg(name),
        };
    }
    for header in &options.before {
        command.arg("-include").arg(header);
    }
    if let Some(standard) = &options.standard {
        command.arg(format!("-std={standard}"));
    }
    if let Some(headers) = &headers {
        command.arg("-idirafter").arg(&headers.folder);
        command.args(multiarch_folder().iter().flat_map(|folder| ["-idirafter", folder]));
    }
    let text = is_standard_input(path).then(|| source.to_vec());
    command.arg(if text.is_some() { path.to_owned() } else { not_an_option(path) });
    match output_for(&mut command, text) {
        Ok(output) if output.status.success() => Ok(output.stdout),
        Ok(output) => Err(Error::Unreadable(complaint(&name, &String::from_utf8_lossy(&output.stderr)))),
        Err(e) if e.kind() == io::ErrorKind::NotFound && is_plain(source, options) => Ok(source.to_vec()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Err(unreadable(format!(
            "has to be preprocessed, and there is no C compiler (`{COMPILER}`) on this machine to do it"
        ))),
        Err(e) => Err(unreadable(format!("cannot run `{COMPILER}`: {e}"))),
    }
}

/// Runs a command to its end. Unlike [`Command::output`], it does not wait for processes that the command leaves behind
/// with its output open.
fn output(command: &mut Command) -> io::Result<Output> {
    output_for(command, None)
}

/// The same, of a command that reads a text.
fn output_for(command: &mut Command, text: Option<Vec<u8>>) -> io::Result<Output> {
    if text.is_some() {
        command.stdin(Stdio::piped());
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let (Some(mut stdin), Some(text)) = (child.stdin.take(), text) {
        // In a thread of its own, since the command writes while it reads. One that stops reading has said why.
        std::thread::spawn(move || {
            let _ = stdin.write_all(&text);
        });
    }
    let (stdout, stderr) = (contents(child.stdout.take()), contents(child.stderr.take()));
    let status = child.wait()?;
    let whole = |stream: mpsc::Receiver<io::Result<Vec<u8>>>| {
        stream.recv_timeout(CLOSING).unwrap_or_else(|_| Err(io::Error::other("it leaves its output open")))
    };
    Ok(Output { status, stdout: whole(stdout)?, stderr: whole(stderr)? })
}

/// Reads a stream to its end, in a thread of its own.
fn contents(stream: Option<impl Read + Send + 'static>) -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stream.map_or(Ok(0), |mut stream| stream.read_to_end(&mut bytes));
        // Nobody may be waiting any more.
        let _ = sender.send(read.map(|_| bytes));
    });
    receiver
}

/// Whether the system's compiler takes preprocessed text: what it takes is C.
pub(crate) fn compiler_accepts(text: &str, model: DataModel) -> bool {
    let mut command = compiler(model);
    command.args(["-fsyntax-only", "-w", "-x", "cpp-output", "-"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        // A compiler that stops reading has seen an error: its exit code says so.
        let _ = stdin.write_all(text.as_bytes());
    }
    child.wait().is_ok_and(|status| status.success())
}

fn compiler(model: DataModel) -> Command {
    let mut command = Command::new(COMPILER);
    if model == DataModel::Ilp32 {
        command.arg("-m32");
    }
    // The messages are read.
    command.env("LC_ALL", "C").stdin(Stdio::null());
    command
}

/// Where Debian and its kin keep the headers that depend on the machine. With `-m32` the compiler looks for them in the
/// 32-bit folder only, which is missing without the 32-bit C library; the 64-bit ones ask for the width themselves.
fn multiarch_folder() -> Option<String> {
    let output = output(Command::new(COMPILER).arg("-print-multiarch").stdin(Stdio::null())).ok()?;
    let name = String::from_utf8(output.stdout).ok()?;
    let folder = format!("/usr/include/{}", name.trim());
    (!name.trim().is_empty() && Path::new(&folder).is_dir()).then_some(folder)
}

/// The path in a form that the compiler does not take for an option.
fn not_an_option(path: &Path) -> PathBuf {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    }
}

/// Whether a file is its own preprocessed text.
fn is_plain(source: &[u8], options: &Options) -> bool {
    !has_directives(source) && options.macros.is_empty() && options.before.is_empty()
}

fn has_directives(source: &[u8]) -> bool {
    source.split(|&b| b == b'\n').any(|line| line.trim_ascii_start().starts_with(b"#"))
}

/// The first error in what the preprocessor wrote: `file:line:column: fatal error: message`.
fn complaint(name: &str, stderr: &str) -> Diagnostic {
    for line in stderr.lines() {
        for mark in [": fatal error: ", ": error: "] {
            let Some((place, message)) = line.split_once(mark) else { continue };
            let mut parts = place.rsplitn(3, ':');
            let (column, line, file) = (parts.next(), parts.next(), parts.next());
            if let (Some(Ok(column)), Some(Ok(line)), Some(file)) =
                (column.map(str::parse), line.map(str::parse), file)
            {
                let source_line = line_of(Path::new(file), line);
                let (file, message) = (file.to_owned(), message.to_owned());
                return Diagnostic { file, line, column, message, source_line };
            }
            return Diagnostic::about_file(name, message);
        }
    }
    Diagnostic::about_file(name, stderr.lines().next().unwrap_or("the preprocessor failed"))
}

/// A line of a file, if it is there.
fn line_of(path: &Path, line: u32) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    let line = bytes.split(|&b| b == b'\n').nth((line as usize).checked_sub(1)?)?;
    Some(String::from_utf8_lossy(line).trim_end_matches('\r').to_owned())
}

/// A folder with an empty `gnu/stubs-32.h`: on a 64-bit machine without the 32-bit C library, that header is missing,
/// and it declares nothing.
struct StubHeaders {
    folder: PathBuf,
}

impl StubHeaders {
    fn new() -> io::Result<StubHeaders> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let unique = format!("tamis-headers-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let headers = StubHeaders { folder: std::env::temp_dir().join(unique) };
        fs::create_dir_all(headers.folder.join("gnu"))?;
        fs::write(headers.folder.join("gnu").join("stubs-32.h"), "")?;
        Ok(headers)
    }
}

impl Drop for StubHeaders {
    fn drop(&mut self) {
        // If the folder cannot be removed, it stays in the temporary directory, which does no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_complaint_is_located() {
        let stderr = "In file included from a.c:1:\na.c:3:10: fatal error: x.h: No such file\ncompilation terminated.\n";
        let d = complaint("a.c", stderr);
        assert_eq!((d.file.as_str(), d.line, d.column), ("a.c", 3, 10));
        assert_eq!(d.message, "x.h: No such file");
    }

    #[test]
    fn a_complaint_without_a_place_is_about_the_file() {
        let d = complaint("a.c", "cc: error: unrecognized option\n");
        assert_eq!((d.line, d.message.as_str()), (0, "unrecognized option"));
    }

    #[test]
    fn directives_are_seen_after_blanks() {
        assert!(has_directives(b"int a;\n  # include <x>\n"));
        assert!(!has_directives(b"int a; // #\n"));
    }
}
