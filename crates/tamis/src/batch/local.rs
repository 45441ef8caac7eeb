//! Checks on this machine: as many at a time as its cores allow, each with cores and a share of the memory of its own.

use super::job::{Common, Job};
use super::outcome::{self, Outcome};
use super::process::{Ended, Running};
use super::tasks::{Sources, database};
use super::{Sink, machine};
use crate::arguments::BatchOptions;
use crate::verdict::ExitStatus;
use crate::{interrupt, limits};
use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// A check ends by itself at its limit; one that does not is ended so much later.
const GRACE: Duration = Duration::from_secs(20);

/// How often signals and overdue checks are looked for.
const POLL: Duration = Duration::from_millis(50);

/// How the machine is shared out.
pub struct Shares {
    pub jobs: usize,
    /// Bytes for each check.
    pub memory: Option<u64>,
    /// The cores of each check, if there are enough for all.
    cores: Vec<Vec<usize>>,
}

impl Shares {
    pub fn new(options: &BatchOptions, common: &Common) -> Shares {
        let (cores, each) = (machine::cores(), options.cores as usize);
        let jobs = options.jobs.map_or(cores.len() / each, |jobs| jobs as usize).max(1);
        let memory = common.memory.or_else(|| limits::usual_memory().map(|all| all / jobs as u64));
        let own = if jobs * each <= cores.len() {
            cores.chunks_exact(each).map(<[_]>::to_vec).collect()
        } else {
            vec![]
        };
        Shares { jobs, memory, cores: own }
    }
}

/// What all checks share.
pub struct Local<'a> {
    pub executable: PathBuf,
    pub common: &'a Common,
    pub shares: Shares,
    /// The folder for the pages of checks, if they are asked for.
    pub pages: Option<PathBuf>,
    /// A folder for what checks are given.
    pub scratch: PathBuf,
    /// The folder that checks run in, if not this process's.
    pub folder: Option<&'a Path>,
}

impl Local<'_> {
    /// Runs checks in their order, and gives each result on.
    pub fn run(&self, jobs: &[Job], sink: &mut dyn Sink) -> io::Result<()> {
        let (running, next) = (Running::default(), AtomicUsize::new(0));
        let (sender, results) = mpsc::channel();
        std::thread::scope(|scope| {
            for slot in 0..self.shares.jobs.min(jobs.len()) {
                let (sender, running, next) = (sender.clone(), &running, &next);
                scope.spawn(move || {
                    while !interrupt::asked()
                        && let Some(job) = jobs.get(next.fetch_add(1, Ordering::SeqCst))
                        && sender.send((job, self.check(job, slot, running))).is_ok()
                    {}
                });
            }
            drop(sender);
            let mut done = Ok(());
            loop {
                match results.recv_timeout(POLL) {
                    // What is cut short has no result.
                    Ok(_) if interrupt::asked() || done.is_err() => {}
                    Ok((job, ended)) => {
                        done = sink.result(match ended {
                            Ok(ended) => of(ended).record(job),
                            Err(e) => outcome::failed(
                                job,
                                &format!("it cannot be started: {e}"),
                                ExitStatus::Internal,
                            ),
                        });
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => sink.wait(),
                    Err(mpsc::RecvTimeoutError::Disconnected) => return done,
                }
                running.end_overdue();
                if done.is_err() {
                    next.store(jobs.len(), Ordering::SeqCst);
                }
                if interrupt::asked() || done.is_err() {
                    running.end_all();
                }
            }
        })
    }

    fn check(&self, job: &Job, slot: usize, running: &Running) -> io::Result<Ended> {
        let mut command = Command::new(&self.executable);
        command.arg("check").args(self.files(job, slot)?);
        command.args(job.words.iter().map(super::job::Word::text));
        command.args(of_all(self.common.time, self.shares.memory));
        if let Some(pages) = &self.pages {
            command.arg("--report").arg(pages.join(super::page::name(job)));
        }
        if let Some(folder) = self.folder {
            command.current_dir(folder);
        }
        running.run(command, self.common.time + GRACE, self.shares.cores.get(slot).map(Vec::as_slice))
    }

    /// The files of a check. Each place has a database of its own to be overwritten.
    fn files(&self, job: &Job, slot: usize) -> io::Result<Vec<OsString>> {
        match &job.sources {
            Sources::Files(files) => Ok(files.iter().map(|file| not_an_option(file).into()).collect()),
            Sources::Compiled { entry, .. } => {
                let folder = self.scratch.join(slot.to_string());
                std::fs::create_dir_all(&folder)?;
                let database = folder.join("compile_commands.json");
                std::fs::write(&database, database::alone(entry))?;
                Ok(vec![database.into()])
            }
        }
    }
}

/// The options of a check that are the batch's.
pub fn of_all(time: Duration, memory: Option<u64>) -> Vec<OsString> {
    let mut words: Vec<OsString> =
        ["--no-config", "--quiet", "--json", "--timeout"].map(OsString::from).to_vec();
    words.push(format!("{}s", time.as_secs_f64()).into());
    if let Some(memory) = memory {
        words.extend(["--memory".into(), format!("{}MB", (memory / 1_000_000).max(1)).into()]);
    }
    words
}

/// A file whose name begins as an option does.
fn not_an_option(file: &Path) -> PathBuf {
    match file.as_os_str().as_encoded_bytes().first() {
        Some(b'-') => Path::new(".").join(file),
        _ => file.to_owned(),
    }
}

fn of(ended: Ended) -> Outcome {
    Outcome {
        exit_code: ended.status.code(),
        signal: ended.status.signal(),
        stdout: ended.stdout,
        stderr: ended.stderr,
        seconds: ended.seconds,
        processor_seconds: ended.processor_seconds,
        memory_mb: ended.memory_mb,
        overdue: ended.overdue,
        worker: None,
        page: None,
    }
}
