//! Dominators: which locations every path from the entry passes.
//!
//! By iteration over the depth-first order to a fixed point, with the dominator tree as the only data (Cooper, Harvey,
//! Kennedy: *A Simple, Fast Dominance Algorithm*).

use crate::automaton::{Location, Program};
use crate::flow::{Flow, depth_first};

/// The dominator tree of a program.
#[derive(Clone, Debug)]
pub struct Dominators {
    immediate: Vec<Option<Location>>,
    /// Each location's place in depth-first order; `usize::MAX` for one that the entry does not lead to.
    place: Vec<usize>,
    order: Vec<Location>,
}

impl Dominators {
    /// Computes the dominators of all locations.
    ///
    /// ```
    /// use tamis_logic::Terms;
    /// use tamis_program::{Builder, Command, Dominators, Event, Source};
    /// let mut terms = Terms::new();
    /// let mut b = Builder::new();
    /// let (file, main) = (b.file("f.c"), b.frame("main", None));
    /// let at = Source { file, line: 1, column: 1 };
    /// let l: Vec<_> = (0..4).map(|_| b.location(main)).collect();
    /// for (from, to) in [(0, 1), (0, 2), (1, 3), (2, 3)] {
    ///     b.edge(l[from], l[to], Command::Assume(terms.tru()), at, Event::Step);
    /// }
    /// let dominators = Dominators::new(&b.finish(l[0], l[3]));
    /// assert_eq!(dominators.immediate(l[3]), Some(l[0]));
    /// assert!(!dominators.dominates(l[1], l[3]));
    /// ```
    pub fn new(program: &Program) -> Dominators {
        let order = depth_first(program, |_| true).order;
        let mut place = vec![usize::MAX; program.location_bound()];
        for (i, l) in order.iter().enumerate() {
            place[l.index()] = i;
        }
        let mut this = Dominators { immediate: vec![None; place.len()], place, order };
        let mut changed = true;
        while changed {
            changed = false;
            for i in 1..this.order.len() {
                let l = this.order[i];
                let mut found: Option<Location> = None;
                for before in program.predecessors(l) {
                    let known = before == program.entry() || this.immediate[before.index()].is_some();
                    if known {
                        found = Some(found.map_or(before, |other| this.common(before, other)));
                    }
                }
                changed |= this.immediate[l.index()] != found;
                this.immediate[l.index()] = found;
            }
        }
        this
    }

    fn common(&self, mut a: Location, mut b: Location) -> Location {
        while a != b {
            let later = if self.place[a.index()] > self.place[b.index()] { &mut a } else { &mut b };
            // Only the entry has none, and nothing is before it.
            *later = self.immediate[later.index()].unwrap_or(self.order[0]);
        }
        a
    }

    /// The closest location, itself apart, that every path to `l` passes; `None` for the entry and for what it does
    /// not lead to.
    pub fn immediate(&self, l: Location) -> Option<Location> {
        self.immediate[l.index()]
    }

    /// Whether the entry leads to a location at all.
    pub fn is_reachable(&self, l: Location) -> bool {
        self.place[l.index()] != usize::MAX
    }

    /// Whether every path from the entry to `b` passes `a`.
    pub fn dominates(&self, a: Location, b: Location) -> bool {
        std::iter::successors(Some(b), |&l| self.immediate(l)).any(|l| l == a)
    }
}
