//! Where a simplified edge comes from: the ways through the original program that it stands for.
//!
//! Passes put edges together. A trail remembers the parts, so that an execution of the simplified program can be
//! told as one of the original: with every statement that the user wrote, and replayed there.

use crate::automaton::{Command, EdgeId, Program};
use crate::encode::Execution;
use tamis_logic::{Model, Terms, Value};

/// A trail, by its place in [`Trails`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TrailId(u32);

/// The original edges behind a simplified one.
#[derive(Clone, Debug)]
enum Trail {
    /// One edge.
    Edge(EdgeId),
    /// One trail and then another.
    Then(TrailId, TrailId),
    /// One of several from and to the same locations: the first that can be passed, and in every state one can.
    Either(Vec<TrailId>),
}

/// The trails of a program under simplification. Parts are shared, so that the whole is linear in the number of edges
/// that were ever put together.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trails {
    trails: Vec<Trail>,
}

impl Trails {
    fn add(&mut self, trail: Trail) -> TrailId {
        self.trails.push(trail);
        TrailId(self.trails.len() as u32 - 1)
    }

    pub fn edge(&mut self, e: EdgeId) -> TrailId {
        self.add(Trail::Edge(e))
    }

    pub fn then(&mut self, first: TrailId, second: TrailId) -> TrailId {
        self.add(Trail::Then(first, second))
    }

    pub fn either(&mut self, ways: Vec<TrailId>) -> TrailId {
        self.add(Trail::Either(ways))
    }
}

/// An execution of the original program while it is told.
pub(crate) struct Walker<'a> {
    pub terms: &'a Terms,
    pub original: &'a Program,
    pub trails: &'a Trails,
    pub state: Model,
    pub path: Execution,
}

impl Walker<'_> {
    /// Follows a trail; `false` if a guard on it does not hold. `input` is what the `havoc` that the simplified edge
    /// kept chooses, and the original edge it was on; a `havoc` that was dropped chooses a default, as nothing
    /// depends on it.
    pub fn follow(&mut self, trail: TrailId, input: &Option<(EdgeId, Value)>) -> bool {
        let mut pending = vec![trail];
        while let Some(next) = pending.pop() {
            match &self.trails.trails[next.0 as usize] {
                Trail::Then(first, second) => pending.extend([*second, *first]),
                Trail::Edge(e) => {
                    if !self.pass(*e, input) {
                        return false;
                    }
                }
                Trail::Either(ways) => {
                    let (state, length) = (self.state.clone(), self.path.len());
                    let passed = ways.iter().any(|&way| {
                        self.state.clone_from(&state);
                        self.path.truncate(length);
                        self.follow(way, input)
                    });
                    if !passed {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn pass(&mut self, e: EdgeId, input: &Option<(EdgeId, Value)>) -> bool {
        let mut chosen = None;
        match &self.original.edge(e).command {
            Command::Assume(guard) => {
                if !self.terms.eval(*guard, &self.state).as_bool() {
                    return false;
                }
            }
            Command::Assign(v, value) => {
                let value = self.terms.eval(*value, &self.state);
                self.state.set(self.original.term(*v), value);
            }
            Command::Havoc(v, _) => {
                let var = self.original.term(*v);
                let value = match input {
                    Some((at, value)) if *at == e => value.clone(),
                    _ => self.terms.default_value(self.terms.sort(var)),
                };
                self.state.set(var, value.clone());
                chosen = Some(value);
            }
        }
        self.path.push((e, chosen));
        true
    }
}
