//! What only a page shows beside a verdict: the automaton with the way of the counterexample, where the property may be violated,
//! what a proof consists of, and the iterations of the loop.

use serde::Serialize;
use std::collections::VecDeque;
use tamis_program::ErrorPoint;

/// A line of the input, and what is to be said of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Spot {
    pub file: String,
    pub line: u32,
    pub what: String,
}

impl From<ErrorPoint> for Spot {
    fn from(ErrorPoint { file, line, what }: ErrorPoint) -> Spot {
        Spot { file, line, what }
    }
}

/// What a model shows of itself and of what was found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Scene {
    /// Where the property may be violated, and how.
    pub checks: Vec<Spot>,
    /// The lines of functions that nothing calls, with their names.
    pub uncalled: Vec<Spot>,
    /// The lines that runs on random inputs pass, where there is no counterexample.
    pub reached: Vec<Lines>,
    /// The names of variables that live as long as the program.
    pub globals: Vec<String>,
    /// What had to be shown for the proof.
    pub conditions: Vec<Condition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automaton: Option<Automaton>,
}

/// A condition of a proof, in words.
#[derive(Clone, Debug, Serialize)]
pub struct Condition {
    /// `initiation`, `consecution`, `safety` and others: what it is for.
    pub kind: &'static str,
    pub says: String,
}

/// A picture of what was searched.
#[derive(Clone, Debug, Serialize)]
pub struct Automaton {
    /// How much there is of what.
    pub counts: String,
    /// The picture. Its nodes have the attribute `data-node`, its arrows `data-arrow`, with their numbers.
    pub svg: String,
    /// Where each node is.
    pub nodes: Vec<Spot>,
    /// The lines of each arrow.
    pub arrows: Vec<Vec<Lines>>,
    /// The arrows that the counterexample passes, in their order.
    pub path: Vec<usize>,
}

/// Lines of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Lines {
    pub file: String,
    pub first: u32,
    pub last: u32,
}

/// More conditions are not told one by one.
pub const MOST_CONDITIONS: usize = 500;

/// The iterations of the loop, as far as they are kept: the first ones and the last ones.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Film {
    /// How many iterations are left out between the first ones and the last ones.
    pub left_out: usize,
    pub frames: VecDeque<Frame>,
}

/// So many iterations are kept from the beginning, and so many from the end.
const FIRST: usize = 150;
const LAST: usize = 50;

impl Film {
    /// One more iteration.
    pub fn push(&mut self, frame: Frame) {
        self.frames.push_back(frame);
        if self.frames.len() > FIRST + LAST {
            self.frames.remove(FIRST);
            self.left_out += 1;
        }
    }
}

/// One iteration of abstraction and refinement.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    pub iteration: usize,
    /// How many predicates there are, at all points.
    pub predicates: usize,
    /// How many abstract states, or sets of them, there are.
    pub states: usize,
    /// Of which points predicates are new.
    pub gained: Vec<Gained>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Spurious>,
}

/// The predicates that a point has gained.
#[derive(Clone, Debug, Serialize)]
pub struct Gained {
    pub at: Spot,
    pub predicates: Vec<String>,
}

/// An abstract counterexample, and why no execution is like it.
#[derive(Clone, Debug, Serialize)]
pub struct Spurious {
    pub steps: Vec<AbstractState>,
    /// The step that cannot be executed, where one is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_step: Option<usize>,
    /// The condition that no execution passes, where one is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_guard: Option<String>,
}

/// A state of the abstraction: where, and which predicates hold.
#[derive(Clone, Debug, Serialize)]
pub struct AbstractState {
    pub at: Spot,
    pub predicates: Vec<(String, bool)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_film_keeps_its_ends() {
        let mut film = Film::default();
        for iteration in 1..=1000 {
            let (gained, counterexample) = (Vec::new(), None);
            film.push(Frame { iteration, predicates: 0, states: 0, gained, counterexample });
        }
        let kept: Vec<usize> = film.frames.iter().map(|frame| frame.iteration).collect();
        let expected: Vec<usize> = (1..=FIRST).chain(1001 - LAST..=1000).collect();
        assert_eq!((kept, film.left_out), (expected, 1000 - FIRST - LAST));
    }
}
