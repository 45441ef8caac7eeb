//! The order in which a program is unwound: a weak topological order of its locations.
//!
//! F. Bourdoncle, *Efficient Chaotic Iteration Strategies with Widenings*, FMPA 1993: each location comes after those that lead to
//! it, but for edges that close a loop; the locations of a loop stand together, its head first, and those of a loop in it too.
//! Strongly connected parts are found one within the other (Tarjan's algorithm, on a stack of its own).

use crate::automaton::{EdgeId, Location, Program};
use crate::cutset::relevant_locations;
use std::ops::Range;

/// Locations in the order in which they are unwound: those that the entry leads to and that lead to the error.
#[derive(Clone, Debug)]
pub struct UnwindingOrder {
    locations: Vec<Location>,
    /// The place of each location, if it has one.
    places: Vec<Option<usize>>,
    /// The loops, as ranges of places, those within others after them.
    loops: Vec<Range<usize>>,
    /// Of each place, the innermost loop.
    innermost: Vec<Option<usize>>,
    /// Of each loop, the one around it.
    around: Vec<Option<usize>>,
    /// Of each place, whether a function is called there that is active already.
    recurs: Vec<bool>,
}

impl UnwindingOrder {
    /// The order for a program.
    pub fn new(program: &Program) -> UnwindingOrder {
        let relevant = relevant_locations(program);
        let mut search = Parts {
            program,
            within: relevant,
            component: vec![0; program.locations().count()],
            components: 1,
            number: vec![0; program.locations().count()],
        };
        let mut order = UnwindingOrder {
            locations: Vec::new(),
            places: vec![None; program.locations().count()],
            loops: Vec::new(),
            innermost: Vec::new(),
            around: Vec::new(),
            recurs: Vec::new(),
        };
        // Parts to put in order, the next one last; those of a loop are found when it comes to it.
        let mut pending: Vec<Task> = Vec::new();
        search.parts(program.entry(), None, 0, &mut pending);
        let mut open: Vec<usize> = Vec::new();
        while let Some(task) = pending.pop() {
            match task {
                Task::Location(l) => order.add(l, open.last().copied()),
                Task::End(number) => {
                    order.loops[number].end = order.locations.len();
                    open.pop();
                }
                Task::Loop(head, body) => {
                    let (number, start) = (order.loops.len(), order.locations.len());
                    order.loops.push(start..start);
                    order.around.push(open.last().copied());
                    open.push(number);
                    order.add(head, Some(number));
                    pending.push(Task::End(number));
                    search.inner(head, &body, &mut pending);
                }
            }
        }
        order.error_last(program);
        order.recurs = order.locations.iter().map(|&l| begins_recursion(program, l)).collect();
        order
    }

    fn add(&mut self, l: Location, innermost: Option<usize>) {
        self.places[l.index()] = Some(self.locations.len());
        self.locations.push(l);
        self.innermost.push(innermost);
    }

    /// The error is in no loop, so that it can stand behind all.
    fn error_last(&mut self, program: &Program) {
        let Some(at) = self.places[program.error().index()] else { return };
        let last = self.locations.len() - 1;
        self.locations[at..].rotate_left(1);
        self.innermost[at..].rotate_left(1);
        for (place, l) in self.locations.iter().enumerate().skip(at) {
            self.places[l.index()] = Some(place);
        }
        for range in &mut self.loops {
            if range.start > at {
                range.start -= 1;
            }
            if range.end > at {
                range.end -= 1;
            }
        }
        debug_assert_eq!(self.locations[last], program.error());
    }

    /// The locations, by their places.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// The place of a location; `None` for one that no execution to the error passes.
    pub fn place(&self, l: Location) -> Option<usize> {
        self.places[l.index()]
    }

    /// The loops that a place is in, as ranges of places, the innermost first.
    pub fn loops_at(&self, place: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let chain = std::iter::successors(self.innermost[place], |&i| self.around[i]);
        chain.map(|i| self.loops[i].clone())
    }

    /// Whether a place begins an activation of a function that is active already.
    pub fn begins_recursion(&self, place: usize) -> bool {
        self.recurs[place]
    }

    /// The edges out of a place that lead to others, with these.
    pub fn passages<'a>(
        &'a self,
        program: &'a Program,
        place: usize,
    ) -> impl Iterator<Item = (EdgeId, usize)> + 'a {
        let edges = program.outgoing(self.locations[place]).iter();
        edges.filter_map(|&e| Some((e, self.place(program.edge(e).to)?)))
    }
}

/// Whether a location is the first one of an activation, and another of the same function is around it.
fn begins_recursion(program: &Program, l: Location) -> bool {
    let frame = program.frame(program.frame_of(l));
    let Some((caller, _)) = frame.caller else { return false };
    let mut callers =
        std::iter::successors(Some(caller), |&f| program.frame(f).caller.map(|(caller, _)| caller));
    program.incoming(l).iter().any(|&e| program.frame_of(program.edge(e).from) == caller)
        && callers.any(|f| program.frame(f).function == frame.function)
}

enum Task {
    Location(Location),
    /// A loop: its head, and all its locations.
    Loop(Location, Vec<Location>),
    /// The end of a loop, by its number.
    End(usize),
}

/// Finds strongly connected parts among locations.
struct Parts<'a> {
    program: &'a Program,
    within: Vec<bool>,
    /// Which part each location is in, by numbers that are given once.
    component: Vec<usize>,
    components: usize,
    /// Tarjan's numbers: 0 for locations that have not been met.
    number: Vec<usize>,
}

impl Parts<'_> {
    /// The parts of a loop without the edges to its head.
    fn inner(&mut self, head: Location, body: &[Location], pending: &mut Vec<Task>) {
        self.components += 1;
        let own = self.components;
        for &l in body {
            self.component[l.index()] = own;
            self.number[l.index()] = 0;
        }
        let mut found = Vec::new();
        let heads: Vec<Location> =
            self.program.outgoing(head).iter().map(|&e| self.program.edge(e).to).collect();
        for to in heads.into_iter().rev() {
            let is_new =
                self.within[to.index()] && self.component[to.index()] == own && self.number[to.index()] == 0;
            if is_new && to != head {
                self.parts(to, Some(head), own, &mut found);
            }
        }
        pending.append(&mut found);
    }

    /// Adds the parts that a location leads to, within a part and without going to `without`, so that the first comes last.
    fn parts(&mut self, root: Location, without: Option<Location>, own: usize, pending: &mut Vec<Task>) {
        let mut low: Vec<(Location, usize, usize)> = vec![(root, 0, usize::MAX)];
        let (mut stack, mut next) = (Vec::new(), 1);
        while let Some(&(l, followed, least)) = low.last() {
            if followed == 0 {
                self.number[l.index()] = next;
                next += 1;
                stack.push(l);
            }
            let at = low.len() - 1;
            low[at].1 += 1;
            let edges = self.program.outgoing(l);
            // From the last edge on: what comes first is put in front of what comes later.
            if let Some(&e) = edges.len().checked_sub(followed + 1).and_then(|i| edges.get(i)) {
                let to = self.program.edge(e).to;
                let inside =
                    self.within[to.index()] && self.component[to.index()] == own && Some(to) != without;
                if inside && self.number[to.index()] == 0 {
                    low.push((to, 0, usize::MAX));
                } else if inside && self.number[to.index()] != usize::MAX {
                    low[at].2 = least.min(self.number[to.index()]);
                }
                continue;
            }
            low.pop();
            let least = least.min(self.number[l.index()]);
            if let Some((_, _, parent)) = low.last_mut() {
                *parent = (*parent).min(least);
            }
            if least < self.number[l.index()] {
                continue;
            }
            let start = stack.iter().rposition(|&s| s == l).unwrap_or(0);
            let part = stack.split_off(start);
            for p in &part {
                self.number[p.index()] = usize::MAX;
            }
            let loops = edges.iter().any(|&e| self.program.edge(e).to == l) && Some(l) != without;
            if part.len() > 1 || loops {
                pending.push(Task::Loop(l, part));
            } else {
                pending.push(Task::Location(l));
            }
        }
    }
}
