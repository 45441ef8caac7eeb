//! Many rounds of a loop at once: ways from a cutpoint back to itself, with closed forms of what `k` rounds on one way do.
//!
//! This is acceleration as an under-approximation: of all that a loop may do, the executions that go the same way again and
//! again, with the same choices, are described without unrolling them. Every such description stands for rounds that can be made,
//! bit by bit as the machine computes; what has no [closed form](motion), such as a store to an array, is left to searches that
//! make one round after the other. A bounded search takes the descriptions as additional steps
//! and tells what it finds as single rounds, so nothing that checks or shows an execution knows of them.
//!
//! A way is a path of a block, or a *word* of several that [executions repeat](words): nine rounds on one path and then one on
//! another, as a counter does that is reset, or a round of a loop with another loop in it.

mod course;
mod motion;
mod throughout;
mod words;

use crate::automaton::EdgeId;
use crate::encode::State;
use crate::summary::Block;
use crate::system::ProgramSystem;
use course::Course;
use rustc_hash::FxHashSet;
use tamis_logic::{Term, Terms};
use tamis_system::{Accelerated, Rounds, System};

/// So many paths of a block are tried: a body with ten independent branches has a thousand.
const MAX_PATHS: usize = 32;

/// A path of more edges is none of a simple loop.
const MAX_EDGES: usize = 400;

impl Accelerated for ProgramSystem<'_> {
    type State = State;
    type Edge = EdgeId;

    fn rounds(&self, terms: &mut Terms, stop: &dyn Fn() -> bool) -> Vec<Rounds<EdgeId>> {
        let mut rounds = Vec::new();
        for (step, ends) in self.steps().iter().enumerate().filter(|(_, ends)| ends.from == ends.to) {
            for path in self.paths(self.block(step)) {
                if stop() {
                    return rounds;
                }
                let course = Course::new(self).then(terms, self, &path);
                rounds.extend(course.again(terms, self, ends.from));
            }
        }
        for word in words::repeated(terms, self, stop) {
            if stop() {
                break;
            }
            let point = self.point(self.program().edge(word[0].path[0]).from);
            if let Some((point, course)) = point.zip(Course::of_word(terms, self, &word)) {
                rounds.extend(course.again(terms, self, point));
            }
        }
        rounds
    }

    fn assign(&self, state: &mut State, variable: Term, value: Term) {
        if let Some(v) = self.program().var_of(variable) {
            state.assign(v, value);
        }
    }
}

impl ProgramSystem<'_> {
    /// The paths of a block, depth first, at most [`MAX_PATHS`].
    fn paths(&self, block: &Block) -> Vec<Vec<EdgeId>> {
        let program = self.program();
        let inside: FxHashSet<EdgeId> = block.edges().collect();
        let ways = |l| program.outgoing(l).iter().copied().filter(|e| inside.contains(e)).collect::<Vec<_>>();
        let mut found = Vec::new();
        let mut path: Vec<EdgeId> = Vec::new();
        let mut open = vec![ways(block.from)];
        while let Some(here) = open.last_mut() {
            let Some(edge) = here.pop() else {
                open.pop();
                path.pop();
                continue;
            };
            let to = program.edge(edge).to;
            path.push(edge);
            if to != block.to && path.len() < MAX_EDGES {
                open.push(ways(to));
                continue;
            }
            if to == block.to {
                found.push(path.clone());
            }
            if found.len() == MAX_PATHS {
                break;
            }
            path.pop();
        }
        found
    }
}
