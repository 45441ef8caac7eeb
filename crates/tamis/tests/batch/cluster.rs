//! A cluster of Dask on this machine that fails in all ways: each check has one result whatever happens.

use crate::support::Folder;
use crate::{SAFE, instead, results, write};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Nothing here takes longer.
const PATIENCE: Duration = Duration::from_secs(150);

/// A process that is ended with the test.
struct Process(Child);

impl Process {
    fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A nanny ends its worker when it is asked to.
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let start = Instant::now();
        while matches!(self.0.try_wait(), Ok(None)) && start.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(20));
        }
        self.kill();
    }
}

struct Cluster<'a> {
    python: &'a str,
    folder: &'a Path,
    name: &'a str,
}

impl Cluster<'_> {
    fn start(&self, module: &str, name: &str, arguments: &[&str]) -> Process {
        let log = File::create(self.folder.join(format!("{}-{name}.log", self.name))).expect("a file");
        let child = Command::new(self.python)
            .args(["-m", module, "--no-dashboard", "--host", "127.0.0.1"])
            .args(arguments)
            .current_dir(self.folder)
            // A task is given up when it has killed two workers, to be done soon.
            .env("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        Process(child.expect("Python starts"))
    }

    /// A scheduler, and its address.
    fn scheduler(&self) -> (Process, String) {
        let file = format!("{}.json", self.name);
        let process = self.start(
            "distributed.cli.dask_scheduler",
            "scheduler",
            &["--port", "0", "--scheduler-file", &file],
        );
        let start = Instant::now();
        loop {
            let text = std::fs::read_to_string(self.folder.join(&file)).unwrap_or_default();
            if let Ok(scheduler) = serde_json::from_str::<serde_json::Value>(&text)
                && let Some(address) = scheduler["address"].as_str()
            {
                return (process, address.to_owned());
            }
            assert!(start.elapsed() < PATIENCE, "the scheduler does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn worker(&self, address: &str, name: &str, nanny: &str) -> Process {
        let local = format!("{}-{name}", self.name);
        let arguments =
            [address, "--nthreads", "2", "--memory-limit", "2GB", "--local-directory", &local, nanny];
        self.start("distributed.cli.dask_worker", name, &arguments)
    }
}

fn wait_for(folder: &Folder, count: usize, batch: &mut Child) {
    let start = Instant::now();
    while results(&folder.path.join("tamis-batch.jsonl")).len() < count {
        assert!(start.elapsed() < PATIENCE, "no results come");
        assert!(matches!(batch.try_wait(), Ok(None)), "the batch ended too early");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A worker is killed in the middle, then the scheduler, and a check kills its worker whenever it runs.
#[test]
fn whatever_fails_each_check_has_one_result() {
    let Some(python) = tamis_testing::distributed() else { return };
    let folder = Folder::new();
    const COUNT: usize = 24;
    for i in 0..COUNT {
        write(&folder, &format!("{i}.c"), &format!("#include \"h.h\"\n// {i}\n{SAFE}"));
    }
    write(&folder, "h.h", "int unused;\n");
    write(&folder, "killer.c", &format!("int killer;\n{SAFE}"));
    // The killer is the last, so that it is there when the rest is done, and in between.
    let names: String = (0..COUNT).map(|i| format!("{i}.c\n")).collect();
    write(&folder, "list.txt", &format!("{names}killer.c\n"));
    instead(&folder, "sleep 0.3; if grep -q killer \"$2\"; then kill -9 $PPID; sleep 9; fi");
    let arguments = |address: &str| {
        let words = [
            "batch",
            "list.txt",
            "--executable",
            "instead",
            "--memory",
            "500MB",
            "--timeout",
            "60",
            "--cores",
            "2",
        ];
        let words = words.into_iter().chain(["--python", &python, "--cluster", address]);
        words.map(str::to_owned).collect::<Vec<String>>()
    };
    let cluster = |name: &'static str| Cluster { python: &python, folder: &folder.path, name };

    let first = cluster("first");
    let (mut scheduler, address) = first.scheduler();
    let _a = first.worker(&address, "a", "--nanny");
    let mut b = first.worker(&address, "b", "--no-nanny");
    let mut batch = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .current_dir(&folder.path)
        .args(arguments(&address))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    wait_for(&folder, 4, &mut batch);
    b.kill();
    wait_for(&folder, 10, &mut batch);
    scheduler.kill();
    let output = batch.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("the scheduler is lost"), "{errors}");
    assert!(errors.contains("goes on from tamis-batch.jsonl"), "{errors}");
    let done = results(&folder.path.join("tamis-batch.jsonl")).len();
    assert!((10..COUNT).contains(&done), "{done}");

    let second = cluster("second");
    let (_scheduler, address) = second.scheduler();
    let _workers = [second.worker(&address, "c", "--nanny"), second.worker(&address, "d", "--nanny")];
    let start = Instant::now();
    let mut batch = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .current_dir(&folder.path)
        .args(arguments(&address))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(folder.path.join("second.err")).expect("a file"))
        .spawn()
        .expect("it starts");
    let status = loop {
        if let Some(status) = batch.try_wait().expect("a child") {
            break status;
        }
        if start.elapsed() > PATIENCE {
            let _ = batch.kill();
            panic!("the second batch hangs");
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let errors = std::fs::read_to_string(folder.path.join("second.err")).unwrap_or_default();
    assert_eq!(status.code(), Some(3), "one is unknown: {errors}");
    assert!(errors.contains(&format!("{done} of {} checks are done already", COUNT + 1)), "{errors}");
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for record in results(&folder.path.join("tamis-batch.jsonl")) {
        let text = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
        found.entry(text("task")).or_default().push(text("verdict"));
    }
    assert_eq!(found.len(), COUNT + 1);
    for (task, verdicts) in found {
        let expected = if task == "killer.c" { "unknown(killed its worker)" } else { "true" };
        assert_eq!(verdicts, [expected], "{task}");
    }
}

#[test]
fn what_is_missing_is_said() {
    let folder = Folder::with("a.c", SAFE);
    let run = folder.run(&["batch", "a.c", "--cluster", "tcp://127.0.0.1:9", "--python", "no-such-python"]);
    assert_eq!(run.exit, Some(2), "{run:?}");
    run.says("--cluster needs Python 3 with the package `distributed`");
    // A Python that finds no package at all.
    let found = Command::new("python3").arg("--version").output().is_ok_and(|out| out.status.success());
    if !found {
        return tamis_testing::missing("python3", "there is no python3");
    }
    crate::instead(&folder, "exec python3 -S -I \"$@\"");
    let run = folder.run(&["batch", "a.c", "--cluster", "tcp://127.0.0.1:9", "--python", "./instead"]);
    assert_eq!(run.exit, Some(2), "{run:?}");
    run.says("-m pip install distributed");
}

#[test]
fn where_no_scheduler_is_nothing_is_lost() {
    let Some(python) = tamis_testing::distributed() else { return };
    let folder = Folder::with("a.c", SAFE);
    // A port that nobody listens at.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("tcp://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let run = folder.run(&["batch", "a.c", "--cluster", &address, "--python", &python]);
    assert_eq!(run.exit, Some(3), "{run:?}");
    run.says("there is no scheduler at");
}
