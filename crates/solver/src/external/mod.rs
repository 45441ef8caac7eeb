//! Other solvers, over SMT-LIB pipes.
//!
//! A script goes in through the solver's standard input, answers come back on its standard output. The solver runs in
//! a process group of its own, which is killed as a whole when the time is over or its parent dies: solvers' own
//! limits of time differ in what they print, and some count in seconds. Memory is limited by the system, and by the
//! solver itself if it has an option for that: it ends better than one that is refused memory.

mod dialect;

use dialect::Dialect;
use std::fmt;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tamis_logic::{Term, Terms};

/// An SMT solver of which there is a program on this machine.
///
/// ```
/// use tamis_logic::{Sort, Terms};
/// use tamis_solver::external::{External, ExternalAnswer};
/// let mut t = Terms::new();
/// let x = t.var("x", Sort::BitVec(8));
/// let below_itself = t.ult(x, x);
/// if let Ok(z3) = External::find("z3") {
///     assert_eq!(z3.check(&t, &[below_itself]), Ok(ExternalAnswer::Unsat));
/// }
/// ```
#[derive(Clone, Debug)]
pub struct External {
    program: PathBuf,
    dialect: Dialect,
    /// After this time, the solver is killed.
    pub timeout: Option<Duration>,
    /// The solver gets no more memory than this, in bytes.
    pub memory: Option<u64>,
    /// The seed of the solver's random choices.
    pub seed: Option<u32>,
}

/// The answer of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExternalAnswer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver does not know.
    Unknown,
}

/// What a solver has said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalRun {
    /// The answers of the checks, in order.
    pub answers: Vec<ExternalAnswer>,
    /// The errors that it reports about the script.
    pub errors: Vec<String>,
    /// All of its standard output.
    pub output: String,
    /// How long it took.
    pub time: Duration,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExternalError {
    /// There is no such program.
    NotFound(String),
    /// The program could not be started or talked to.
    Io(String),
    /// The time is over.
    Timeout(Duration),
    /// The program ran out of the memory that it was given.
    Memory(u64),
    /// The program ended by a signal or with a failure and without an answer; with what it said last.
    Crashed(String),
    /// The program said something, but not what was asked for.
    NotUnderstood(String),
}

impl fmt::Display for ExternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExternalError::NotFound(name) if name.contains('/') => {
                write!(f, "no solver `{name}`: no such file")
            }
            ExternalError::NotFound(name) => write!(f, "no solver `{name}` was found in the PATH"),
            ExternalError::Io(error) => write!(f, "the solver cannot be run: {error}"),
            ExternalError::Timeout(limit) => write!(f, "timeout of the solver: {} s", limit.as_secs_f64()),
            ExternalError::Memory(limit) => write!(f, "memory limit of the solver: {} MB", limit / 1_000_000),
            ExternalError::Crashed(how) => write!(f, "the solver crashed: {how}"),
            ExternalError::NotUnderstood(said) => write!(f, "the solver's output is not understood: {said}"),
        }
    }
}

impl std::error::Error for ExternalError {}

/// More output than this is not read.
const MAX_OUTPUT: usize = 1 << 30;

const POLL: Duration = Duration::from_millis(2);

impl External {
    /// The solver of that name on the `PATH`, or the one at a path. What arguments a solver needs is known by its file
    /// name; one of an unknown name is started without any.
    pub fn find(name_or_path: &str) -> Result<External, ExternalError> {
        let given = Path::new(name_or_path);
        let missing = || ExternalError::NotFound(name_or_path.to_owned());
        let program = if name_or_path.contains('/') {
            given.to_owned()
        } else {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let on_path = std::env::split_paths(&path).map(|folder| folder.join(given));
            on_path.into_iter().find(|p| is_program(p)).ok_or_else(missing)?
        };
        if !program.is_file() {
            return Err(missing());
        }
        if !is_program(&program) {
            return Err(ExternalError::Io(format!("{} is not executable", program.display())));
        }
        let name = program.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let dialect = Dialect::of(name);
        Ok(External { program, dialect, timeout: None, memory: None, seed: None })
    }

    /// Whether the conjunction of `formulas` is satisfiable.
    pub fn check(&self, terms: &Terms, formulas: &[Term]) -> Result<ExternalAnswer, ExternalError> {
        let run = self.run(&terms.to_smtlib_script(formulas))?;
        match (&*run.answers, run.errors.first()) {
            (&[answer], None) => Ok(answer),
            (_, Some(error)) => Err(ExternalError::NotUnderstood(error.clone())),
            _ => Err(ExternalError::NotUnderstood(shortened(&run.output))),
        }
    }

    /// Runs a script.
    ///
    /// ```
    /// use tamis_solver::external::{External, ExternalAnswer};
    /// if let Ok(z3) = External::find("z3") {
    ///     let run = z3.run("(check-sat) (assert false) (check-sat)")?;
    ///     assert_eq!(run.answers, [ExternalAnswer::Sat, ExternalAnswer::Unsat]);
    /// }
    /// # Ok::<(), tamis_solver::external::ExternalError>(())
    /// ```
    pub fn run(&self, script: &str) -> Result<ExternalRun, ExternalError> {
        self.run_with(script, &mut |_| {})
    }

    /// Runs a script, and gives the output to `on_output` as it comes: what a solver has said before it fails is not
    /// lost.
    pub fn run_with(
        &self,
        script: &str,
        on_output: &mut (dyn FnMut(&[u8]) + Send),
    ) -> Result<ExternalRun, ExternalError> {
        let start = Instant::now();
        let mut child = self.command().spawn().map_err(|e| ExternalError::Io(e.to_string()))?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (status, output, complaints) = std::thread::scope(|scope| {
            // All three at once: whichever is waited for alone may wait for another one.
            scope.spawn(move || {
                if let Some(mut stdin) = stdin {
                    let prefix = self.seed.map(|seed| self.dialect.seed_command(seed)).unwrap_or_default();
                    // A solver that ends early does not read the rest.
                    let _ =
                        stdin.write_all(prefix.as_bytes()).and_then(|()| stdin.write_all(script.as_bytes()));
                }
            });
            let output = scope.spawn(move || read(stdout, on_output));
            let complaints = scope.spawn(move || read(stderr, &mut |_| {}));
            let status = self.wait(&mut child, start);
            (status, output.join().unwrap_or_default(), complaints.join().unwrap_or_default())
        });
        self.judge(status?, output, &complaints, start.elapsed())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.dialect.arguments(self.memory, self.seed)).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A solver that keeps to a limit of its own gets somewhat more from the system, so that it can say so.
        let slack = |bytes: u64| if self.dialect.limits_memory() { bytes / 4 } else { 0 };
        let memory = self.memory.map(|bytes| bytes.saturating_add(slack(bytes)));
        // SAFETY: only system calls that are allowed between fork and exec.
        unsafe {
            command.pre_exec(move || {
                #[cfg(target_os = "linux")]
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                if let Some(bytes) = memory {
                    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
                    if libc::setrlimit(libc::RLIMIT_AS, &limit) != 0 {
                        return Err(std::io::Error::last_os_error());
                    }
                }
                Ok(())
            });
        }
        command
    }

    /// Waits for the end, and brings it about when the time is over.
    fn wait(&self, child: &mut Child, start: Instant) -> Result<ExitStatus, ExternalError> {
        loop {
            match child.try_wait() {
                Ok(Some(status)) => {
                    // Helpers that the solver has left behind would keep its output open.
                    kill_group(child);
                    return Ok(status);
                }
                Ok(None) => {}
                Err(error) => return Err(ExternalError::Io(error.to_string())),
            }
            if let Some(limit) = self.timeout.filter(|&limit| start.elapsed() >= limit) {
                kill_group(child);
                let _ = child.wait();
                return Err(ExternalError::Timeout(limit));
            }
            std::thread::sleep(POLL);
        }
    }

    fn judge(
        &self,
        status: ExitStatus,
        output: Vec<u8>,
        complaints: &[u8],
        time: Duration,
    ) -> Result<ExternalRun, ExternalError> {
        let output = String::from_utf8_lossy(&output).into_owned();
        let (answers, errors) = answers(&output);
        let complaints = String::from_utf8_lossy(complaints);
        let said = if complaints.trim().is_empty() { &*output } else { &*complaints };
        let exhausted = if status.success() {
            errors.iter().any(|error| is_out_of_memory(error))
        } else {
            is_out_of_memory(&output) || is_out_of_memory(&complaints)
        };
        let failed = !status.success() && answers.is_empty() && errors.is_empty();
        if let Some(limit) = self.memory.filter(|_| exhausted) {
            return Err(ExternalError::Memory(limit));
        }
        if status.signal().is_some() || failed {
            return Err(ExternalError::Crashed(format!("{status}: {}", shortened(said))));
        }
        Ok(ExternalRun { answers, errors, output, time })
    }
}

/// Whether a solver says, or a library that it uses, that it gets no more memory.
fn is_out_of_memory(text: &str) -> bool {
    const SAID: [&str; 5] =
        ["out of memory", "bad_alloc", "memory exhausted", "memoryerror", "cannot allocate memory"];
    let text = text.to_ascii_lowercase();
    SAID.iter().any(|said| text.contains(said))
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Kills the child's process group; the child has not been waited for, or nothing else has its number yet.
fn kill_group(child: &Child) {
    if let Ok(id) = i32::try_from(child.id()) {
        // SAFETY: sends a signal.
        unsafe { libc::kill(-id, libc::SIGKILL) };
    }
}

fn read(stream: Option<impl Read>, on_output: &mut (dyn FnMut(&[u8]) + Send)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Some(mut stream) = stream else { return bytes };
    let mut chunk = [0; 1 << 14];
    while bytes.len() < MAX_OUTPUT {
        match stream.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => {
                on_output(&chunk[..count]);
                bytes.extend_from_slice(&chunk[..count]);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    bytes
}

/// The answers and the errors in the output: those on lines of their own.
fn answers(output: &str) -> (Vec<ExternalAnswer>, Vec<String>) {
    let (mut answers, mut errors) = (Vec::new(), Vec::new());
    for line in output.lines().map(str::trim) {
        match line {
            "sat" => answers.push(ExternalAnswer::Sat),
            "unsat" => answers.push(ExternalAnswer::Unsat),
            "unknown" | "timeout" => answers.push(ExternalAnswer::Unknown),
            _ if line.starts_with("(error") => errors.push(line.to_owned()),
            _ => {}
        }
    }
    (answers, errors)
}

/// The first line, or what fits on one.
fn shortened(text: &str) -> String {
    text.trim().lines().next().unwrap_or("nothing").chars().take(200).collect()
}
