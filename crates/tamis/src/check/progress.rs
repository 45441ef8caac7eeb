//! The progress line on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;
use tamis_cegar::{Iteration, Observer, Statistics};
use tamis_diagram::Bdd;
use tamis_logic::Terms;
use tamis_solver::resident_memory;

/// A line on stderr that tells how far the run is; nothing when stderr is no terminal.
pub struct Progress {
    line: ProgressBar,
    images: usize,
    /// What the loop last told of itself.
    latest: Statistics,
}

impl Progress {
    /// A `quiet` line is never drawn.
    pub fn new(what: &str, quiet: bool) -> Progress {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let line = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed:>4} {wide_msg}") {
            line.set_style(style);
        }
        line.set_message(what.to_owned());
        line.enable_steady_tick(Duration::from_millis(120));
        Progress { line, images: 0, latest: Statistics::default() }
    }

    pub fn say(&self, what: &str) {
        self.line.set_message(what.to_owned());
    }

    /// Lets somebody else write to stderr.
    pub fn suspend(&self, write: impl FnOnce()) {
        self.line.suspend(write);
    }

    pub fn finish(&self) {
        self.line.finish_and_clear();
    }

    fn show(&self) {
        let Statistics { iterations, predicates, states, ref solver, .. } = self.latest;
        let memory = resident_memory().unwrap_or(0) / 1_000_000;
        let (images, solver) = (self.images, solver.time.as_secs_f64());
        self.line.set_message(format!(
            "iteration {iterations}, {predicates} predicates, {states} abstract states, {images} images, \
             solver {solver:.1} s, {memory} MB"
        ));
    }
}

impl Observer for Progress {
    fn image(&mut self, _: &Bdd) {
        self.images += 1;
        if !self.line.is_hidden() && self.images.is_multiple_of(16) {
            self.show();
        }
    }

    fn iteration(&mut self, _: &Terms, statistics: &Statistics, _: &Iteration) {
        self.latest = statistics.clone();
        if !self.line.is_hidden() {
            self.show();
        }
    }
}
