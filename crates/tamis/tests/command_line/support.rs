//! Running the program as a user does, on files that a test writes.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// After this a run counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder of a test's own, removed at its end.
pub struct Folder {
    pub path: PathBuf,
}

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let unique = format!("tamis-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(unique);
        fs::create_dir_all(&path).expect("a temporary folder");
        Folder { path }
    }

    /// A folder with one file in it.
    pub fn with(name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Folder {
        let folder = Folder::new();
        fs::write(folder.path.join(name), content).expect("a written file");
        folder
    }

    /// Runs the program in this folder. Its output goes through files: a full pipe would look like a hang.
    pub fn run(&self, arguments: &[impl AsRef<OsStr>]) -> Run {
        self.run_in(arguments, &[])
    }

    /// Runs it with some variables of the environment.
    pub fn run_in(&self, arguments: &[impl AsRef<OsStr>], environment: &[(&str, &str)]) -> Run {
        let (out, err) = (self.path.join(".stdout"), self.path.join(".stderr"));
        let start = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_tamis"))
            .current_dir(&self.path)
            .args(arguments)
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(File::create(&out).expect("a file"))
            .stderr(File::create(&err).expect("a file"))
            .spawn()
            .expect("the program starts");
        let exit = loop {
            match child.try_wait().expect("a child") {
                Some(status) => break status.code(),
                None if start.elapsed() > PATIENCE => {
                    let _ = child.kill();
                    let _ = child.wait();
                    panic!("the run hangs");
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let text = |path| String::from_utf8_lossy(&fs::read(path).expect("the output")).into_owned();
        Run { exit, stdout: text(out), stderr: text(err), took: start.elapsed() }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    pub exit: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

impl Run {
    /// The verdict is the only line on stdout, and comes with its exit code.
    #[track_caller]
    pub fn ends_with(&self, exit: i32, verdict: &str) {
        assert_eq!(self.stdout, format!("VERDICT: {verdict}\n"), "{}", self.stderr);
        assert_eq!(self.exit, Some(exit), "{}", self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }

    #[track_caller]
    pub fn says(&self, message: &str) {
        assert!(self.stderr.contains(message), "no '{message}' in:\n{}", self.stderr);
    }
}
