//! The loop nest.
//!
//! A loop is a strongly connected part of the control flow. Its heads are the locations at which it is entered from
//! outside: one in a loop that the user wrote as such (a reducible loop), several where jumps lead into the middle of
//! it (Steensgaard's loops). Without the edges to its heads, what is still strongly connected in it are the loops
//! nested in it.

use crate::automaton::{EdgeId, Location, Program};
use crate::flow::{Flow, depth_first};
use rustc_hash::FxHashSet;

/// A loop, by its place in [`LoopNest::loops`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LoopId(u32);

impl LoopId {
    /// The id as an index, for tables beside the nest.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Where it is entered, in order; one location if the loop is reducible.
    pub heads: Vec<Location>,
    /// All its locations in order, the heads and those of nested loops included.
    pub body: Vec<Location>,
    /// The loop around it.
    pub parent: Option<LoopId>,
}

impl Loop {
    /// Whether it has a single head.
    pub fn is_reducible(&self) -> bool {
        self.heads.len() == 1
    }
}

/// The loops of a program, outer ones before those nested in them.
#[derive(Clone, Debug)]
pub struct LoopNest {
    loops: Vec<Loop>,
}

impl LoopNest {
    /// Finds the loops that the entry leads to.
    ///
    /// ```
    /// use tamis_logic::Terms;
    /// use tamis_program::{Builder, Command, Event, LoopNest, Source};
    /// let mut terms = Terms::new();
    /// let mut b = Builder::new();
    /// let (file, main) = (b.file("f.c"), b.frame("main", None));
    /// let at = Source { file, line: 1, column: 1 };
    /// let l: Vec<_> = (0..4).map(|_| b.location(main)).collect();
    /// for (from, to) in [(0, 1), (1, 2), (2, 1), (1, 3)] {
    ///     b.edge(l[from], l[to], Command::Assume(terms.tru()), at, Event::Step);
    /// }
    /// let nest = LoopNest::new(&b.finish(l[0], l[3]));
    /// assert_eq!(nest.loops()[0].heads, [l[1]]);
    /// assert_eq!(nest.loops()[0].body, [l[1], l[2]]);
    /// ```
    pub fn new(program: &Program) -> LoopNest {
        let mut nest = LoopNest { loops: Vec::new() };
        let all = depth_first(program, |_| true).order;
        let mut pending = vec![(None, all)];
        while let Some((parent, within)) = pending.pop() {
            let heads: &[Location] = match parent {
                Some(LoopId(p)) => &nest.loops[p as usize].heads,
                None => &[],
            };
            let heads: FxHashSet<Location> = heads.iter().copied().collect();
            for mut body in connected_parts(program, &within, &heads) {
                body.sort_unstable();
                let inside: FxHashSet<Location> = body.iter().copied().collect();
                let entered = |l: &Location| {
                    *l == program.entry() || program.predecessors(*l).any(|p| !inside.contains(&p))
                };
                let found = body.iter().copied().filter(entered).collect();
                nest.loops.push(Loop { heads: found, body: body.clone(), parent });
                pending.push((Some(LoopId(nest.loops.len() as u32 - 1)), body));
            }
        }
        nest
    }

    /// The loops.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// The innermost loop that a location is in.
    pub fn innermost(&self, l: Location) -> Option<LoopId> {
        // Nested loops come after those around them.
        let found = self.loops.iter().rposition(|of| of.body.binary_search(&l).is_ok());
        found.map(|i| LoopId(i as u32))
    }

    /// How many loops a location is in.
    pub fn depth(&self, l: Location) -> usize {
        let up = |&LoopId(i): &LoopId| self.loops[i as usize].parent;
        std::iter::successors(self.innermost(l), up).count()
    }
}

/// The back-edges that a depth-first search from the entry finds. In a program whose loops all have one head these
/// are the edges that close a loop; in another they depend on the order of edges.
pub fn back_edges(program: &Program) -> Vec<EdgeId> {
    depth_first(program, |_| true).back_edges
}

/// The strongly connected parts with a cycle among the locations `within`, edges to `without` apart (Tarjan's
/// algorithm, with its own stack).
fn connected_parts(
    program: &Program,
    within: &[Location],
    without: &FxHashSet<Location>,
) -> Vec<Vec<Location>> {
    const NEW: usize = usize::MAX;
    let inside: FxHashSet<Location> = within.iter().copied().collect();
    let mut number = vec![NEW; program.location_bound()];
    let mut low = number.clone();
    let mut on_stack = vec![false; number.len()];
    let (mut stack, mut parts, mut next) = (Vec::new(), Vec::new(), 0);
    for &root in within {
        if number[root.index()] != NEW {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some((l, followed)) = work.last_mut() {
            let (l, i) = (*l, *followed);
            if i == 0 {
                (number[l.index()], low[l.index()]) = (next, next);
                next += 1;
                stack.push(l);
                on_stack[l.index()] = true;
            }
            *followed += 1;
            if let Some(&e) = program.outgoing(l).get(i) {
                let to = program.edge(e).to;
                if !inside.contains(&to) || without.contains(&to) {
                    continue;
                }
                if number[to.index()] == NEW {
                    work.push((to, 0));
                } else if on_stack[to.index()] {
                    low[l.index()] = low[l.index()].min(number[to.index()]);
                }
                continue;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent.index()] = low[parent.index()].min(low[l.index()]);
            }
            if low[l.index()] == number[l.index()] {
                let start = stack.iter().rposition(|&s| s == l).unwrap_or(0);
                let part = stack.split_off(start);
                part.iter().for_each(|p| on_stack[p.index()] = false);
                let loops = program.successors(l).any(|to| to == l) && !without.contains(&l);
                if part.len() > 1 || loops {
                    parts.push(part);
                }
            }
        }
    }
    parts
}
