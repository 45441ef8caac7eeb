//! Checks on a cluster, through Dask.
//!
//! Dask has the scheduler, the workers and the connections; it does a killed worker's tasks again, and gives up on a task that kills its
//! workers. [`driver.py`](../driver.py) is its client, and this is what stands behind: it packs checks, sends them as there is room,
//! and keeps what comes back. A check that comes back twice counts once, by its key. If the scheduler is lost, what is done is in
//! the file.

mod address;

use super::bundle::{self, Parcel};
use super::job::{Common, Job};
use super::local::of_all;
use super::outcome::{self, Outcome};
use super::{Sink, page};
use crate::arguments::BatchOptions;
use crate::interrupt;
use crate::refusal::Refusal;
use crate::verdict::ExitStatus;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The client, which Python runs.
const DRIVER: &str = include_str!("driver.py");

/// A check ends by itself at its limit; one that does not is ended so much later.
const GRACE: f64 = 20.0;

const POLL: Duration = Duration::from_millis(100);

/// When the batch is interrupted, tasks are taken back from the scheduler in this time.
const FAREWELL: Duration = Duration::from_secs(5);

/// What the driver says.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum News {
    /// The package is not there.
    Missing { why: String },
    /// There is no scheduler.
    Unreachable { why: String },
    /// The scheduler is gone.
    Lost { why: String },
    /// How large the cluster is.
    Workers { workers: usize, able: usize, slots: usize },
    /// A check has ended.
    Result { id: usize, result: Outcome },
    /// A check cannot be done.
    Failed { id: usize, killed: bool, why: String },
}

/// Runs checks, and gives each result on: why not all were done, if so.
pub fn run(
    address: &str,
    options: &BatchOptions,
    common: &Common,
    jobs: &[Job],
    executable: &Path,
    sink: &mut dyn Sink,
) -> Result<Option<String>, Refusal> {
    if let Some(warning) = address::warning(address)? {
        eprintln!("warning: {warning}");
    }
    let memory = common.memory.unwrap_or(bundle::USUAL_MEMORY);
    let pages = page::folder(options)?;
    let config = json!({
        "address": address,
        "executable": executable,
        "name": format!("tamis-{}", &common.executable[..16.min(common.executable.len())]),
        "tls": tls(options),
        "cores": options.cores,
        "memory": memory,
        "page": pages.is_some(),
    });
    let mut driver = start(options, &config)?;
    let (sender, news) = mpsc::channel();
    let stdout = driver.stdout.take();
    std::thread::spawn(move || {
        for line in stdout.into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(Result::ok) {
            // What a library prints is no news.
            if let Ok(news) = serde_json::from_str::<News>(&line)
                && sender.send(news).is_err()
            {
                break;
            }
        }
    });
    let (refused, refusals) = mpsc::channel();
    let stdin = driver.stdin.take();
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            let refused = refused;
            // If the driver has ended, the news say why.
            let _ = stdin.map(|stdin| send(stdin, common, jobs, memory, &refused));
        });
        let ended = Reception { jobs, open: (0..jobs.len()).collect(), renamed: HashMap::new(), pages, sink }
            .run(&news, &refusals);
        // Without its reader the sender ends, too.
        part(&mut driver, matches!(ended, Ended::Done));
        ended
    });
    match ended {
        Ended::Done => Ok(None),
        Ended::Stopped(why) => Ok(Some(why)),
        Ended::Missing(why) => Err(Refusal::usage(format!(
            "--cluster needs Python with the package `distributed`: {why}; install it with `{} -m pip install distributed`",
            options.python.display()
        ))),
        Ended::Unreachable(why) => Ok(Some(format!(
            "there is no scheduler at {address}, or it does not take this connection: {why}"
        ))),
    }
}

fn tls(options: &BatchOptions) -> Value {
    match (&options.tls_ca, &options.tls_cert, &options.tls_key) {
        (Some(ca), Some(cert), Some(key)) => json!([ca, cert, key]),
        _ => Value::Null,
    }
}

fn start(options: &BatchOptions, config: &Value) -> Result<Child, Refusal> {
    let mut command = Command::new(&options.python);
    command.args(["-c", DRIVER, &config.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped());
    // What Dask logs is for its own users: what matters is news.
    command.stderr(Stdio::null());
    // Ctrl-C comes here first.
    command.process_group(0);
    command.spawn().map_err(|e| {
        let python = options.python.display();
        Refusal::usage(format!(
            "--cluster needs Python 3 with the package `distributed`: {python}: {e}; --python names another one"
        ))
    })
}

/// Sends checks as the driver takes them. What cannot be packed is told at once.
fn send(
    stdin: ChildStdin,
    common: &Common,
    jobs: &[Job],
    memory: u64,
    refused: &mpsc::Sender<Packing>,
) -> std::io::Result<()> {
    let mut to = BufWriter::new(stdin);
    for (id, job) in jobs.iter().enumerate() {
        if interrupt::asked() {
            break;
        }
        let Parcel { files, mut arguments, renamed } = match bundle::pack(job, common) {
            Ok(parcel) => parcel,
            Err(refusal) => {
                let _ = refused.send(Packing::Refused(id, refusal));
                continue;
            }
        };
        let _ = refused.send(Packing::Renamed(id, renamed));
        let limits = of_all(common.time, Some(memory));
        arguments.extend(limits.into_iter().map(|word| word.to_string_lossy().into_owned()));
        let files: Vec<Value> =
            files.iter().map(|file| json!({"name": file.name, "hex": hexadecimal(&file.contents)})).collect();
        let task = json!({
            "id": id,
            "key": job.key,
            "arguments": arguments,
            "files": files,
            "seconds": common.time.as_secs_f64() + GRACE,
        });
        serde_json::to_writer(&mut to, &task)?;
        to.write_all(b"\n")?;
        to.flush()?;
    }
    Ok(())
}

fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| DIGITS[usize::from(value)] as char;
    bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Ends the driver: politely if it has nothing to do any more. When its connection closes, the scheduler drops its tasks, and workers
/// end those that run.
fn part(driver: &mut Child, done: bool) {
    let until = Instant::now() + FAREWELL;
    while done && Instant::now() < until {
        if let Ok(Some(_)) = driver.try_wait() {
            return;
        }
        std::thread::sleep(POLL);
    }
    let _ = driver.kill();
    let _ = driver.wait();
}

/// What comes of packing a check.
enum Packing {
    /// Its files are called otherwise where it runs.
    Renamed(usize, Vec<(String, String)>),
    /// It cannot be packed.
    Refused(usize, Refusal),
}

/// Why there is no more news.
enum Ended {
    /// All checks have results.
    Done,
    /// Not all have.
    Stopped(String),
    /// The package is not there.
    Missing(String),
    /// There is no scheduler.
    Unreachable(String),
}

/// Who takes the news.
struct Reception<'a> {
    jobs: &'a [Job],
    /// The checks without results.
    open: BTreeSet<usize>,
    renamed: HashMap<usize, Vec<(String, String)>>,
    pages: Option<PathBuf>,
    sink: &'a mut dyn Sink,
}

impl Reception<'_> {
    fn run(&mut self, news: &mpsc::Receiver<News>, packing: &mpsc::Receiver<Packing>) -> Ended {
        while !self.open.is_empty() {
            if interrupt::asked() {
                return Ended::Stopped("interrupted".to_owned());
            }
            // A check is packed before there is news of it.
            let next = news.recv_timeout(POLL);
            let mut kept = packing.try_iter().try_for_each(|packing| self.packed(packing));
            match next {
                Ok(News::Missing { why }) => return Ended::Missing(why),
                Ok(News::Unreachable { why }) => return Ended::Unreachable(why),
                Ok(News::Lost { why }) => return Ended::Stopped(format!("the scheduler is lost: {why}")),
                Ok(News::Workers { workers, able, slots }) => self.sink.note(&size(workers, able, slots)),
                Ok(News::Result { id, result }) => kept = kept.and_then(|()| self.result(id, result)),
                Ok(News::Failed { id, killed, why }) => {
                    let (why, status) = match killed {
                        true => ("killed its worker".to_owned(), ExitStatus::Unknown),
                        false => (format!("its worker failed: {why}"), ExitStatus::Internal),
                    };
                    kept = kept.and_then(|()| self.failed(id, &why, status));
                }
                Err(RecvTimeoutError::Timeout) => self.sink.wait(),
                Err(RecvTimeoutError::Disconnected) => {
                    return Ended::Stopped("the Python driver has ended".to_owned());
                }
            }
            if let Err(e) = kept {
                return Ended::Stopped(format!("results cannot be written: {e}"));
            }
        }
        Ended::Done
    }

    fn packed(&mut self, packing: Packing) -> std::io::Result<()> {
        match packing {
            Packing::Renamed(id, renamed) => {
                self.renamed.insert(id, renamed);
                Ok(())
            }
            Packing::Refused(id, refusal) => self.failed(id, &refusal.reason(), refusal.status()),
        }
    }

    /// Each check has one result, however often it is told.
    fn result(&mut self, id: usize, mut outcome: Outcome) -> std::io::Result<()> {
        let Some(job) = self.jobs.get(id).filter(|_| self.open.remove(&id)) else { return Ok(()) };
        let job = Job { renamed: self.renamed.remove(&id).unwrap_or_default(), ..job.clone() };
        if let (Some(folder), Some(page)) = (&self.pages, outcome.page.take()) {
            let page = job.renamed.iter().fold(page, |page, (there, here)| page.replace(there, here));
            std::fs::write(folder.join(page::name(&job)), page)?;
        }
        self.sink.result(outcome.record(&job))
    }

    fn failed(&mut self, id: usize, why: &str, status: ExitStatus) -> std::io::Result<()> {
        let Some(job) = self.jobs.get(id).filter(|_| self.open.remove(&id)) else { return Ok(()) };
        self.sink.result(outcome::failed(job, why, status))
    }
}

/// What the user is told of the cluster.
fn size(workers: usize, able: usize, slots: usize) -> String {
    match (workers, able) {
        (0, _) => "waiting for workers".to_owned(),
        (_, 0) => {
            format!("waiting: none of {workers} workers has the cores and the memory that a check may use")
        }
        _ => format!("{workers} workers, {slots} checks at a time"),
    }
}
