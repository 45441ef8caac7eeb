//! The batch as BenchExec's result XML, which its table-generator makes tables of.
//!
//! The vocabulary is that of `benchexec.result`: `true`, `false(unreach-call)`, `TIMEOUT`, `OUT OF MEMORY`, `ERROR (…)`, and the
//! categories `correct`, `wrong`, `unknown`, `error` and `missing`.

use crate::arguments::BatchOptions;
use crate::batch::judge::{Judgement, answer};
use crate::batch::ledger::Record;
use crate::batch::summary::reason;
use crate::check::documents::junit::escaped;
use std::fmt::Write;

/// The document.
pub fn document(records: &[Record], options: &BatchOptions) -> String {
    let names: Vec<String> = options.tasks.iter().map(|task| crate::batch::tasks::stem(task)).collect();
    let name = if names.is_empty() { "batch".to_owned() } else { names.join("-") };
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    text.push_str("<!DOCTYPE result PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN\" ");
    text.push_str("\"https://www.sosy-lab.org/benchexec/result-3.0.dtd\">\n");
    let limits = [
        options.limits.timeout.map(|time| format!(" timelimit=\"{}s\"", time.as_secs_f64())),
        options.limits.memory.map(|memory| format!(" memlimit=\"{memory}B\"")),
    ];
    let _ = writeln!(
        text,
        "<result benchmarkname=\"{}\" name=\"{}\" tool=\"Tamis\" toolmodule=\"contrib.benchexec_tamis\" version=\"{}\" \
         generator=\"tamis batch\" cpuCores=\"{}\"{} options=\"{}\">",
        escaped(&name),
        escaped(&name),
        env!("CARGO_PKG_VERSION"),
        options.cores,
        limits.into_iter().flatten().collect::<String>(),
        escaped(&options.options.join(" ")),
    );
    records.iter().for_each(|record| run(&mut text, record));
    text.push_str("</result>\n");
    text
}

fn run(text: &mut String, record: &Record) {
    let name = escaped(&record.task);
    let _ = write!(text, "  <run name=\"{name}\" files=\"[{name}]\"");
    if let Some(property) = &record.property {
        let _ = write!(text, " properties=\"{}\"", escaped(property));
    }
    if let Some(expected) = &record.expected {
        let _ = write!(text, " expectedVerdict=\"{}\"", escaped(expected.text()));
    }
    if let Some(preset) = &record.preset {
        let _ = write!(text, " runset=\"{}\"", escaped(preset));
    }
    text.push_str(">\n");
    column(text, "status", &status(record), false);
    column(text, "category", category(record), true);
    column(text, "cputime", &format!("{:.3}s", record.processor_seconds), false);
    column(text, "walltime", &format!("{:.3}s", record.seconds), false);
    column(text, "memory", &format!("{:.0}B", record.memory_mb * 1e6), false);
    if let Some(exit) = record.exit_code {
        column(text, "returnvalue", &exit.to_string(), true);
    }
    if let Some(worker) = &record.worker {
        column(text, "host", worker, true);
    }
    text.push_str("  </run>\n");
}

fn column(text: &mut String, title: &str, value: &str, hidden: bool) {
    let hidden = if hidden { " hidden=\"true\"" } else { "" };
    let _ = writeln!(text, "    <column title=\"{title}\" value=\"{}\"{hidden}/>", escaped(value));
}

fn status(record: &Record) -> String {
    let verdict = record.verdict.as_str();
    let why = reason(verdict);
    match (answer(verdict), record.judgement) {
        ("true" | "false", _) => verdict.to_owned(),
        (_, Judgement::Crash | Judgement::Unreadable) => format!("ERROR ({why})"),
        _ if why.starts_with("timeout") => "TIMEOUT".to_owned(),
        _ if why.starts_with("memory limit") => "OUT OF MEMORY".to_owned(),
        _ => format!("unknown ({why})"),
    }
}

fn category(record: &Record) -> &'static str {
    match (record.judgement, reason(&record.verdict)) {
        (Judgement::Right, _) => "correct",
        (Judgement::Wrong, _) => "wrong",
        (Judgement::Proved | Judgement::Violated, _) => "missing",
        (Judgement::Crash | Judgement::Unreadable, _) => "error",
        (Judgement::Unknown, why) if why.starts_with("timeout") || why.starts_with("memory limit") => "error",
        (Judgement::Unknown, _) => "unknown",
    }
}
