//! `tamis batch`: many checks, each a process of its own, here or on a cluster.
//!
//! [`tasks`] says what is to be checked, [`job`] gives each check a key that its answer hangs on, and the [`ledger`] keeps one result
//! for each key as results come, so that a run goes on where another was stopped, however it was. [`local`] runs the checks on this
//! machine, [`cluster`] through Dask, [`slurm`] as a job array. What comes of them is judged against what is expected, and told: by the
//! [`summary`], beside a [`baseline`], as [`documents`], as a [`page`].

mod baseline;
mod bundle;
mod cluster;
mod content;
mod documents;
mod job;
mod judge;
mod ledger;
mod local;
mod machine;
mod outcome;
mod page;
mod process;
mod progress;
mod slurm;
mod summary;
mod tasks;

use crate::arguments::BatchOptions;
use crate::interrupt;
use crate::refusal::Refusal;
use crate::verdict::ExitStatus;
use job::{Common, Job};
use judge::Judgement;
use ledger::{Ledger, Record};
use progress::Progress;
use std::io;
use std::path::{Path, PathBuf};

/// Who takes results.
trait Sink {
    /// Takes a result.
    fn result(&mut self, record: Record) -> io::Result<()>;
    /// Nothing came for a while.
    fn wait(&mut self);
    /// Says what is waited for.
    fn note(&mut self, note: &str);
}

/// Keeps results and tells of them.
struct Keeper {
    ledger: Ledger,
    progress: Progress,
}

impl Sink for Keeper {
    fn result(&mut self, record: Record) -> io::Result<()> {
        self.progress.add(&record);
        self.ledger.add(record)
    }

    fn wait(&mut self) {
        self.progress.show();
    }

    fn note(&mut self, note: &str) {
        self.progress.note(note);
    }
}

/// Runs the checks, and tells what came of them.
pub fn run(options: BatchOptions) -> ExitStatus {
    batch(&options).unwrap_or_else(|refusal| {
        refusal.print();
        refusal.status()
    })
}

fn batch(options: &BatchOptions) -> Result<ExitStatus, Refusal> {
    let before = match &options.baseline {
        Some(file) => {
            let unreadable = |e| Refusal::usage(format!("{} cannot be read: {e}", file.display()));
            Some(ledger::read(file).map_err(unreadable)?)
        }
        None => None,
    };
    let before = before.as_deref();
    if let Some(folder) = &options.collect {
        let (_, jobs) = bundle::read(folder)?;
        let records = slurm::collect(folder)?;
        let mut ledger = open(&options.results)?;
        for record in records {
            ledger.add(record).map_err(|e| unwritable(&options.results, &e))?;
        }
        return finish(options, before, &jobs, &mut ledger, None);
    }
    let prepared = options.tasks.first().filter(|folder| bundle::is_bundle(folder));
    let executable =
        process::executable(options).map_err(|e| Refusal::usage(format!("the executable: {e}")))?;
    let (common, jobs) = match prepared {
        Some(folder) => bundle::read(folder)?,
        None => {
            let hash = process::hash(&executable)
                .map_err(|e| Refusal::usage(format!("{}: {e}", executable.display())))?;
            let common = Common::new(options, hash)?;
            let jobs = job::jobs(&tasks::read(options)?, &options.preset, &common)?;
            (common, jobs)
        }
    };
    if options.emit.is_some() {
        return slurm::emit(options, &common, &jobs, &executable);
    }
    let mut jobs = part(jobs, options.part);
    if prepared.is_some() {
        // What could not be packed has its result already.
        jobs.retain(|job| !job.words.is_empty());
    }
    documents::probe(options)?;
    let ledger = open(&options.results)?;
    let open: Vec<Job> = jobs.iter().filter(|job| ledger.get(&job.key).is_none()).cloned().collect();
    let mut progress = Progress::new(jobs.len(), options.quiet);
    jobs.iter().filter_map(|job| ledger.get(&job.key)).for_each(|record| progress.known(record));
    if open.len() < jobs.len() && !options.quiet {
        eprintln!("{} of {} checks are done already", jobs.len() - open.len(), jobs.len());
    }
    let mut keeper = Keeper { ledger, progress };
    interrupt::listen();
    let stopped = if open.is_empty() {
        None
    } else if let Some(address) = &options.cluster {
        cluster::run(address, options, &common, &open, &executable, &mut keeper)?
    } else {
        locally(options, &common, &open, executable, prepared, &mut keeper)?
    };
    let stopped = if interrupt::asked() { Some("interrupted".to_owned()) } else { stopped };
    keeper.progress.finish();
    if let Some(why) = &stopped {
        eprintln!("{why}: {}", keeper.progress.text());
        eprintln!("the same command goes on from {}", options.results.display());
    }
    finish(options, before, &jobs, &mut keeper.ledger, stopped)
}

/// The checks of an element of a job array.
fn part(jobs: Vec<Job>, part: Option<(usize, usize)>) -> Vec<Job> {
    match part {
        None => jobs,
        Some((first, every)) => jobs.into_iter().skip(first).step_by(every).collect(),
    }
}

/// Runs checks on this machine: why not all were done, if so.
fn locally(
    options: &BatchOptions,
    common: &Common,
    open: &[Job],
    executable: PathBuf,
    prepared: Option<&PathBuf>,
    keeper: &mut Keeper,
) -> Result<Option<String>, Refusal> {
    let scratch = std::env::temp_dir().join(format!("tamis-batch-{}", std::process::id()));
    let local = local::Local {
        executable,
        common,
        shares: local::Shares::new(options, common),
        pages: page::folder(options)?,
        scratch: scratch.clone(),
        folder: prepared.map(PathBuf::as_path),
    };
    let done = local.run(open, keeper);
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(done.err().map(|e| format!("{} cannot be written: {e}", options.results.display())))
}

/// Tells what came of all checks.
fn finish(
    options: &BatchOptions,
    before: Option<&[Record]>,
    jobs: &[Job],
    ledger: &mut Ledger,
    stopped: Option<String>,
) -> Result<ExitStatus, Refusal> {
    let judged = |job: &Job| {
        let record = ledger.take(&job.key)?;
        // What is expected may have been corrected since.
        let judgement = Judgement::of(&record.verdict, record.exit_code, job.expected.as_ref());
        Some(Record { judgement, expected: job.expected.clone(), ..record })
    };
    let records: Vec<Record> = jobs.iter().filter_map(judged).collect();
    let now: Vec<&Record> = records.iter().collect();
    let changes = before.map(|before| baseline::compare(before, &now, options.slower));
    let missing = jobs.len() - records.len();
    print!("{}", summary::text(&records, changes.as_deref(), missing));
    documents::write(options, &records, before, changes.as_deref());
    Ok(match stopped {
        Some(_) => ExitStatus::Unknown,
        None => summary::status(&records, changes.as_deref(), missing),
    })
}

fn open(path: &Path) -> Result<Ledger, Refusal> {
    Ledger::open(path).map_err(|e| unwritable(path, &e))
}

fn unwritable(path: &Path, error: &io::Error) -> Refusal {
    Refusal::usage(format!("{} cannot be written: {error}", path.display()))
}
