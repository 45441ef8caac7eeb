//! The batch in numbers, and how it ends.

use super::baseline::{Change, Changed};
use super::judge::{Judgement, answer};
use super::ledger::Record;
use super::progress::title;
use crate::verdict::ExitStatus;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// So many lines of one kind are printed.
const MOST: usize = 40;

/// The text: tables, what is wrong, why others are unknown, and what changed.
pub fn text(records: &[Record], changes: Option<&[Changed<'_>]>, missing: usize) -> String {
    let mut text = String::new();
    let presets: BTreeSet<&str> = records.iter().map(preset).collect();
    for preset in &presets {
        let of: Vec<&Record> = records.iter().filter(|record| self::preset(record) == *preset).collect();
        table(&mut text, if presets.len() > 1 { preset } else { "" }, &of);
    }
    listed(&mut text, records);
    reasons(&mut text, records);
    if let Some(changes) = changes {
        changed(&mut text, changes);
    }
    if missing > 0 {
        let _ = writeln!(text, "\n{missing} checks have no result yet");
    }
    text
}

/// The preset of a check.
pub fn preset(record: &Record) -> &str {
    record.preset.as_deref().unwrap_or("default")
}

fn table(text: &mut String, name: &str, records: &[&Record]) {
    let _ = writeln!(
        text,
        "{name:32}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>10}{:>11}{:>8}",
        "checks", "answers", "true", "false", "WRONG", "unknown", "seconds", "processor", "max MB"
    );
    let suites: BTreeSet<&str> = records.iter().filter_map(|record| record.suite.as_deref()).collect();
    let rows = suites.iter().filter(|_| suites.len() > 1).map(|suite| Some(*suite)).chain([None]);
    for suite in rows {
        let of = || records.iter().filter(|record| suite.is_none() || record.suite.as_deref() == suite);
        let count = |wanted: &dyn Fn(&Record) -> bool| of().filter(|record| wanted(record)).count();
        let answered = |record: &Record| record.judgement.is_answer();
        let sum = |number: fn(&Record) -> f64| of().map(|record| number(record)).sum::<f64>();
        let _ = writeln!(
            text,
            "{:32}{:8}{:8}{:8}{:8}{:8}{:8}{:10.1}{:11.1}{:8.0}",
            suite.unwrap_or("all"),
            of().count(),
            count(&answered),
            count(&|r| answered(r) && answer(&r.verdict) == "true"),
            count(&|r| answered(r) && answer(&r.verdict) == "false"),
            count(&|r| r.judgement == Judgement::Wrong),
            count(&|r| answer(&r.verdict) == "unknown"),
            sum(|r| r.seconds),
            sum(|r| r.processor_seconds),
            of().map(|record| record.memory_mb).fold(0.0, f64::max),
        );
    }
}

/// What should be looked at, the worst first.
fn listed(text: &mut String, records: &[Record]) {
    let mut bad: Vec<&Record> =
        records.iter().filter(|record| record.judgement <= Judgement::Unreadable).collect();
    bad.sort_by_key(|record| record.judgement);
    if !bad.is_empty() {
        text.push('\n');
    }
    for record in bad.iter().take(MOST) {
        let expected =
            record.expected.as_ref().map(|e| format!(", expected {}", e.text())).unwrap_or_default();
        let _ =
            writeln!(text, "{:10}  {}: {}{expected}", record.judgement.word(), title(record), record.verdict);
    }
    more(text, bad.len());
}

fn more(text: &mut String, count: usize) {
    if count > MOST {
        let _ = writeln!(text, "{:10}  and {} more", "", count - MOST);
    }
}

/// Why checks are unknown, without places and numbers.
fn reasons(text: &mut String, records: &[Record]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for record in records.iter().filter(|record| record.judgement == Judgement::Unknown) {
        *counts.entry(reason(&record.verdict).to_owned()).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    if !counts.is_empty() {
        text.push('\n');
    }
    for (reason, count) in counts.iter().take(MOST) {
        let _ = writeln!(text, "{count:6} unknown  {reason}");
    }
    more(text, counts.len());
}

/// The reason of an unknown up to the place that it names.
pub fn reason(verdict: &str) -> &str {
    let inner = verdict.strip_prefix("unknown(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(verdict);
    let inner = inner.split(", line ").next().unwrap_or(inner);
    let numbers = |c: char| c.is_ascii_digit() || ". :s".contains(c);
    if inner.starts_with("timeout") { inner.trim_end_matches(numbers) } else { inner }
}

fn changed(text: &mut String, changes: &[Changed<'_>]) {
    let count = |kind: Change| changes.iter().filter(|changed| changed.change == kind).count();
    let kinds = [Change::Lost, Change::Worse, Change::Slower, Change::Gained, Change::New];
    let counts: Vec<String> = kinds.iter().map(|kind| format!("{} {}", count(*kind), kind.word())).collect();
    let _ = writeln!(text, "\nagainst the baseline: {}", counts.join(", "));
    for kind in kinds.into_iter().filter(|kind| *kind != Change::New) {
        for changed in changes.iter().filter(|changed| changed.change == kind).take(MOST) {
            let Changed { before, now, .. } = changed;
            let before = before.map(|before| match kind {
                Change::Slower => format!("{:.1} s before", before.processor_seconds),
                _ => format!("{} before", before.verdict),
            });
            let after = match kind {
                Change::Slower => format!("{:.1} s", now.processor_seconds),
                _ => now.verdict.clone(),
            };
            let _ =
                writeln!(text, "{:10}  {}: {after}, {}", kind.word(), title(now), before.unwrap_or_default());
        }
        more(text, count(kind));
    }
}

/// How the process ends: the worst that there is.
pub fn status(records: &[Record], changes: Option<&[Changed<'_>]>, missing: usize) -> ExitStatus {
    let any = |judgement: Judgement| records.iter().any(|record| record.judgement == judgement);
    if let Some(changes) = changes {
        // Against a baseline it counts what became worse, and what is wrong whatever it was.
        return if any(Judgement::Wrong) || changes.iter().any(|changed| changed.change.is_bad()) {
            ExitStatus::False
        } else if missing > 0 {
            ExitStatus::Unknown
        } else {
            ExitStatus::True
        };
    }
    if any(Judgement::Wrong) || any(Judgement::Violated) {
        ExitStatus::False
    } else if any(Judgement::Crash) {
        ExitStatus::Internal
    } else if any(Judgement::Unreadable) {
        ExitStatus::Unreadable
    } else if any(Judgement::Unknown) || missing > 0 {
        ExitStatus::Unknown
    } else {
        ExitStatus::True
    }
}

#[cfg(test)]
mod tests {
    use super::reason;

    #[test]
    fn reasons_without_numbers() {
        assert_eq!(reason("unknown(timeout: 300 s)"), "timeout");
        assert_eq!(reason("unknown(unsupported: threads, line 12)"), "unsupported: threads");
        assert_eq!(reason("unknown(killed its worker)"), "killed its worker");
    }
}
