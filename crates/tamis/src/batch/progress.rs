//! How far the batch is: a line on a terminal, and lines now and then elsewhere.

use super::judge::Judgement;
use super::ledger::Record;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// Where nothing can be overwritten, a line comes so often.
const PAUSE: Duration = Duration::from_secs(30);

/// Counts results, and tells of them.
pub struct Progress {
    line: ProgressBar,
    quiet: bool,
    begun: Instant,
    told: Instant,
    /// All results, with those of earlier runs.
    total: usize,
    done: usize,
    right: usize,
    wrong: usize,
    unknown: usize,
    /// The results of this run.
    fresh: usize,
    /// What the batch waits for, if there is something to be said.
    note: String,
}

impl Progress {
    /// Of so many checks; a `quiet` one tells only what is wrong.
    pub fn new(total: usize, quiet: bool) -> Progress {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let line = ProgressBar::with_draw_target(Some(total as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            line.set_style(style);
        }
        line.enable_steady_tick(Duration::from_millis(250));
        let now = Instant::now();
        let (done, right, wrong, unknown, fresh, note) = (0, 0, 0, 0, 0, String::new());
        Progress { line, quiet, begun: now, told: now, total, done, right, wrong, unknown, fresh, note }
    }

    /// Counts a result of an earlier run.
    pub fn known(&mut self, record: &Record) {
        self.done += 1;
        match record.judgement {
            Judgement::Right | Judgement::Proved => self.right += 1,
            Judgement::Wrong | Judgement::Violated | Judgement::Crash => self.wrong += 1,
            Judgement::Unreadable | Judgement::Unknown => self.unknown += 1,
        }
    }

    /// Counts a new result. What is wrong is told at once.
    pub fn add(&mut self, record: &Record) {
        self.known(record);
        self.fresh += 1;
        if matches!(record.judgement, Judgement::Wrong | Judgement::Violated | Judgement::Crash) {
            let expected =
                record.expected.as_ref().map(|e| format!(", expected {}", e.text())).unwrap_or_default();
            let line =
                format!("{:10} {}: {}{expected}", record.judgement.word(), title(record), record.verdict);
            self.line.suspend(|| eprintln!("{line}"));
        }
        self.show();
    }

    /// Tells what the batch waits for; nothing if that is empty.
    pub fn note(&mut self, note: &str) {
        if note != self.note {
            self.note = note.to_owned();
            if self.line.is_hidden() && !self.quiet && !note.is_empty() {
                eprintln!("{note}");
            }
        }
        self.show();
    }

    /// Time passes.
    pub fn show(&mut self) {
        if self.quiet {
            return;
        }
        if !self.line.is_hidden() {
            self.line.set_message(self.text());
        } else if self.told.elapsed() >= PAUSE {
            self.told = Instant::now();
            eprintln!("{}", self.text());
        }
    }

    pub fn finish(&self) {
        self.line.finish_and_clear();
    }

    /// How far it is.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} of {}: {} right, {} wrong, {} unknown",
            self.done, self.total, self.right, self.wrong, self.unknown
        );
        let seconds = self.begun.elapsed().as_secs_f64();
        if self.fresh > 0 && seconds > 0.0 {
            let speed = self.fresh as f64 / seconds;
            let left = (self.total - self.done.min(self.total)) as f64 / speed;
            text += &format!("; {:.1} a minute, {} left", speed * 60.0, duration(left));
        }
        if !self.note.is_empty() {
            text += &format!("; {}", self.note);
        }
        text
    }
}

/// A check's name on a line.
pub fn title(record: &Record) -> String {
    let parts = [&record.property, &record.preset].into_iter().flatten();
    parts.fold(record.task.clone(), |title, part| title + " " + part)
}

/// A time for people.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
