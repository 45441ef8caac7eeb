//! How far the run is, where the watchdog can see it.

use super::documents;
use super::report::{Report, overall};
use super::scene::{Film, Frame};
use super::statistics::{Numbers, Part, Times};
use crate::arguments::CheckOptions;
use crate::verdict::{ExitStatus, Verdict};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};
use tamis_cegar::Statistics;

/// What the threads of a run share.
pub struct Board {
    /// [`Formalism::NAME`](crate::formalism::Formalism::NAME).
    pub formalism: &'static str,
    pub options: CheckOptions,
    /// The names of the properties, with what is expected of them.
    wanted: Vec<(String, Option<bool>)>,
    pub start: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    done: Vec<Report>,
    property: String,
    phase: &'static str,
    numbers: Numbers,
    /// What is being done now, and since when.
    running: Option<(Part, Instant)>,
    /// The loops at which predicates were added lately, the busiest first.
    loops: Vec<String>,
    /// The iterations for the current property, if they are to be shown.
    film: Film,
}

impl Board {
    pub fn new(
        formalism: &'static str,
        options: CheckOptions,
        wanted: Vec<(String, Option<bool>)>,
        start: Instant,
    ) -> Board {
        Board { formalism, options, wanted, start, state: Mutex::default() }
    }

    /// Whether there is more than one property.
    pub fn is_one_of_several(&self) -> bool {
        self.wanted.len() > 1
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves nothing half-written here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A property's turn has come.
    pub fn begin(&self, property: &str) {
        let mut state = self.state();
        state.property = property.to_owned();
        (state.numbers, state.running) = (Numbers::default(), None);
        (state.loops, state.film) = (Vec::new(), Film::default());
        if self.is_one_of_several() && !self.options.quiet {
            eprintln!("property {property}");
        }
    }

    /// What the run does now.
    pub fn phase(&self, phase: &'static str) {
        self.state().phase = phase;
    }

    /// A part of the run begins.
    pub fn starts(&self, part: Part) {
        self.state().running = Some((part, Instant::now()));
    }

    /// It has ended: the times of all parts.
    pub fn ends(&self, times: Times) {
        let mut state = self.state();
        (state.numbers.times, state.running) = (times, None);
    }

    /// How far the search is.
    pub fn update(&self, statistics: &Statistics, loops: Vec<String>) {
        let mut state = self.state();
        state.numbers.counts = statistics.clone();
        state.loops = loops;
    }

    /// An iteration is over.
    pub fn iteration(&self, frame: Frame) {
        self.state().film.push(frame);
    }

    /// The name of the current property.
    pub fn current(&self) -> String {
        self.state().property.clone()
    }

    /// A name for the current property that no other property of the run has, and that can be a file's.
    pub fn label(&self) -> String {
        let state = self.state();
        let done = |(i, (name, _)): (usize, &(String, Option<bool>))| {
            i < state.done.len() && *name == state.property
        };
        match self.wanted.iter().enumerate().filter(|&entry| done(entry)).count() {
            0 => crate::output::file_name(&state.property),
            earlier => format!("{}-{}", crate::output::file_name(&state.property), earlier + 1),
        }
    }

    /// What stopped the current property, for people: what was being done, which loop kept it busy, and what to try.
    pub fn stopped(&self, reason: &str) -> Vec<String> {
        stopped(&self.state(), self.start, reason)
    }

    /// A property has its answer.
    pub fn finish(&self, report: Report) {
        report.print(self);
        let mut state = self.state();
        let film = std::mem::take(&mut state.film);
        state.done.push(Report { film, ..report });
    }

    /// The answers.
    pub fn take(&self) -> Vec<Report> {
        std::mem::take(&mut self.state().done)
    }

    /// Says what a run leaves unsaid that does not end by itself; `false` if it has ended after all.
    pub fn last_word(&self, reason: &str) -> bool {
        let Some(mut state) = self.patiently() else {
            return Verdict::announce(&Verdict::Unknown(reason.to_owned()), || {});
        };
        let done = state.done.len();
        let advice = stopped(&state, self.start, reason);
        let mut numbers = state.numbers.clone();
        if let Some((part, since)) = state.running {
            numbers.times.add(part, since.elapsed());
        }
        let unknown = |(property, expected): &(String, Option<bool>)| Report {
            expected: *expected,
            ..Report::unknown(property, reason, ExitStatus::Unknown)
        };
        let mut rest: Vec<Report> = self.wanted.iter().skip(done).map(unknown).collect();
        if let Some(first) = rest.first_mut() {
            (first.advice, first.numbers, first.interrupted) = (advice, numbers.at_end(self.start), true);
            first.film = std::mem::take(&mut state.film);
        }
        let mut reports = std::mem::take(&mut state.done);
        let (verdict, _) = overall(&[reports.as_slice(), &rest].concat());
        Verdict::announce(&verdict, || {
            rest.iter().for_each(|report| report.print(self));
            reports.append(&mut rest);
            documents::write(self, &reports, &verdict);
        })
    }

    /// The state, unless a thread that hangs has it.
    fn patiently(&self) -> Option<MutexGuard<'_, State>> {
        for _ in 0..50 {
            match self.state.try_lock() {
                Ok(state) => return Some(state),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(2)),
            }
        }
        None
    }
}

/// What stopped a run, and what to try: two lines.
fn stopped(state: &State, start: Instant, reason: &str) -> Vec<String> {
    let Numbers { total, memory, .. } = Numbers::default().at_end(start);
    let phase = if state.phase.is_empty() { "reading" } else { state.phase };
    let (seconds, megabytes) = (total.as_secs_f64(), memory / 1_000_000);
    let busy = super::advice::busy_loops(&state.loops);
    vec![
        format!("stopped while {phase}, after {seconds:.1} s, with {megabytes} MB{busy}"),
        super::advice::remedy(reason).to_owned(),
    ]
}
