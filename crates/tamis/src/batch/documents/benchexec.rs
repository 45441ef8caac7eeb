//! The batch as BenchExec's result XML, which its table-generator makes tables of.
//!
//! The vocabulary is that of `benchexec.result`: `true`, `false(unreach-call)`, `TIMEOUT`, `OUT OF MEMORY`, `ERROR (…)`, and the
//! categories `correct`, `wrong`, `unknown`, `error` and `missing`.

use crate::arguments::BatchOptions;
use crate::batch::judge::{Judgement, answer};
use crate::batch::ledger::Record;
use crate::batch::machine;
use crate::batch::summary::reason;
use crate::check::documents::junit::escaped;
use crate::limits;
use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// The document of the checks with one preset.
pub fn document(records: &[&Record], preset: &str, options: &BatchOptions) -> String {
    let names: Vec<String> = options.tasks.iter().map(|task| crate::batch::tasks::stem(task)).collect();
    let name = if names.is_empty() { "batch".to_owned() } else { names.join("-") };
    let words = options.options.join(" ");
    let words = if options.preset.is_empty() { words } else { format!("--preset {preset} {words}") };
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    text.push_str("<!DOCTYPE result PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN\" ");
    text.push_str("\"https://www.sosy-lab.org/benchexec/result-3.0.dtd\">\n");
    let limits = [
        options.limits.timeout.map(|time| format!(" timelimit=\"{}s\"", time.as_secs_f64())),
        options.limits.memory.map(|memory| format!(" memlimit=\"{memory}B\"")),
    ];
    let (day, time) = now();
    let _ = writeln!(
        text,
        "<result benchmarkname=\"{}\" name=\"{}\" starttime=\"{day}T{time}+00:00\" date=\"{day} {time} UTC\" \
         tool=\"Tamis\" toolmodule=\"contrib.benchexec_tamis\" version=\"{}\" generator=\"tamis batch\" \
         cpuCores=\"{}\"{} options=\"{}\">",
        escaped(&name),
        escaped(&if options.preset.len() > 1 { format!("{name}.{preset}") } else { name.clone() }),
        env!("CARGO_PKG_VERSION"),
        options.cores,
        limits.into_iter().flatten().collect::<String>(),
        escaped(words.trim_end()),
    );
    text.push_str("  <columns>\n");
    for title in ["status", "cputime", "walltime", "memory"] {
        let _ = writeln!(text, "    <column title=\"{title}\"/>");
    }
    text.push_str("  </columns>\n");
    system(&mut text);
    records.iter().for_each(|record| run(&mut text, record));
    text.push_str("</result>\n");
    text
}

/// What this machine is.
fn system(text: &mut String) {
    let read = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    let (host, release) = (read("/proc/sys/kernel/hostname"), read("/proc/sys/kernel/osrelease"));
    let cpu = read("/proc/cpuinfo");
    let model =
        cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map_or("", |(_, m)| m);
    let _ = writeln!(
        text,
        "  <systeminfo hostname=\"{}\">\n    <os name=\"Linux-{}\"/>\n    <cpu cores=\"{}\" model=\"{}\"/>\n    \
         <ram size=\"{}B\"/>\n    <environment/>\n  </systeminfo>",
        escaped(host.trim()),
        escaped(release.trim()),
        machine::cores().len(),
        escaped(model.trim()),
        limits::machine_memory().unwrap_or(0),
    );
}

/// Day and time of the world.
fn now() -> (String, String) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = date(since / 86_400);
    let (hour, minute, second) = (since / 3600 % 24, since / 60 % 60, since % 60);
    (format!("{year}-{month:02}-{day:02}"), format!("{hour:02}:{minute:02}:{second:02}"))
}

/// The date so many days after 1 January 1970. Years begin in March here, so that the day of a leap year is the last.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
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

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_776, (2026, 11, 19)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(date(days), expected, "{days}");
        }
    }
}
