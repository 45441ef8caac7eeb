//! The lines that the program passes: on the inputs of an execution of its automaton, which need not violate anything, or on random
//! ones.

use super::{STATEMENTS, STATEMENTS_AT_LEAST, inputs};
use crate::interpreter::{Event, Inputs, Interpreter, Limits, Moment, Observer};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tamis_evidence::Replay;
use tamis_front_c::tree::{Position, Unit};
use tamis_program::Program;

/// Takes note of the lines of a run.
#[derive(Default)]
struct Visited {
    lines: FxHashSet<(u32, u32)>,
}

impl Observer for Visited {
    fn event(&mut self, moment: &Moment, _: &Event<'_>) -> ControlFlow<()> {
        self.lines.insert((moment.at.file, moment.at.line));
        ControlFlow::Continue(())
    }
}

/// The lines that a run passes on the inputs of an execution; none if they cannot be given to it.
pub fn lines_of(program: &Program, unit: &Unit, replay: &Replay, time: Option<Duration>) -> Vec<Position> {
    let Ok((inputs, arguments)) = inputs(program, unit, replay) else { return Vec::new() };
    let steps = (replay.steps.len() as u64 * STATEMENTS).max(STATEMENTS_AT_LEAST);
    let limits = Limits { steps: Some(steps), time, ..Limits::default() };
    let mut visited = Visited::default();
    Interpreter::new(unit, inputs, limits).with_arguments(arguments).run(&mut visited, &mut Vec::new());
    visited.lines.into_iter().map(|(file, line)| Position { file, line, column: 1 }).collect()
}

/// A run on random inputs has so many statements and bytes at most.
const SHORT: u64 = 20_000;
const SMALL: u64 = 64 << 20;

/// The lines that runs on random inputs pass, which are the same ones each time, as many as end in a time.
pub fn lines_of_runs(unit: &Unit, runs: u64, time: Duration) -> Vec<Position> {
    let start = Instant::now();
    let mut visited = Visited::default();
    for seed in 0..runs {
        let left = time.saturating_sub(start.elapsed());
        if left.is_zero() {
            break;
        }
        let limits = Limits { steps: Some(SHORT), memory: SMALL, time: Some(left), ..Limits::default() };
        Interpreter::new(unit, Inputs::seed(seed), limits).run(&mut visited, &mut Vec::new());
    }
    visited.lines.into_iter().map(|(file, line)| Position { file, line, column: 1 }).collect()
}
