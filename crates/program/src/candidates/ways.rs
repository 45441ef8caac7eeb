//! The paths of blocks, followed symbolically.

use crate::automaton::{EdgeId, Location, Var};
use crate::encode::State;
use crate::summary::Block;
use crate::system::ProgramSystem;
use rustc_hash::FxHashMap;
use tamis_logic::{Op, Substitution, Term, Terms};
use tamis_system::{Point, System};

/// So many paths of one block are followed, and of all.
const MOST_PATHS: usize = 16;
const MOST_WAYS: usize = 160;

/// A path through a block: when it is taken, over the values at its start and what is chosen on the way, and the values at its
/// end.
pub(super) struct Way {
    pub from: Point,
    pub to: Point,
    pub guards: Vec<Term>,
    pub inputs: Vec<Term>,
    pub post: State,
    /// Where it reads and writes which arrays, but what is chosen on the way.
    pub sites: Vec<(Term, Term)>,
}

impl Way {
    /// A variable's value at the end.
    pub fn after(&self, terms: &mut Terms, system: &ProgramSystem<'_>, v: Var) -> Term {
        self.post.clone().value(terms, system.program(), v)
    }

    /// A formula, read at the end.
    pub fn read(&self, terms: &mut Terms, system: &ProgramSystem<'_>, formula: Term) -> Term {
        system.read(terms, &mut self.post.clone(), formula)
    }

    /// A term over the values at the start and what is chosen, with variables that have the chosen values at the end in place of
    /// these.
    pub fn told_after(&self, terms: &mut Terms, system: &ProgramSystem<'_>, t: Term) -> Term {
        if !self.is_chosen(terms, t) {
            return t;
        }
        let program = system.program();
        let mut told = Substitution::new();
        for v in system.live_at(system.location(self.to)).filter_map(|v| program.var_of(v)) {
            let after = self.after(terms, system, v);
            if self.inputs.contains(&after) {
                told.insert(after, program.term(v));
            }
        }
        terms.substitute(t, &told)
    }

    /// Whether a term has what is chosen on the way.
    pub fn is_chosen(&self, terms: &Terms, t: Term) -> bool {
        let program_knows = |v: &Term| self.inputs.contains(v);
        terms.free_vars(t).iter().any(program_knows)
    }

    /// What the way stores in an array, the last first: where, and what is there at the end. Nothing if the array was not made by
    /// stores from what it was.
    pub fn stores(&self, terms: &mut Terms, array: Term, after: Term) -> Vec<(Term, Term)> {
        let (mut stores, mut inner) = (Vec::new(), after);
        while terms.op(inner) == Op::Store {
            let &[before, index, _] = terms.args(inner) else { break };
            stores.push(index);
            inner = before;
        }
        if inner != array {
            return Vec::new();
        }
        stores.into_iter().map(|index| (index, terms.select(after, index))).collect()
    }
}

/// The ways of a system, no more than so many of each block.
pub(super) fn ways(terms: &mut Terms, system: &ProgramSystem<'_>, stop: &dyn Fn() -> bool) -> Vec<Way> {
    let mut ways = Vec::new();
    for (i, step) in system.steps().iter().enumerate() {
        for path in paths(system, system.block(i)) {
            if ways.len() >= MOST_WAYS || stop() {
                return ways;
            }
            let followed = system.follow(terms, &path, &system.symbolic());
            let guards: Vec<Term> = followed.condition.terms().collect();
            let guards = terms.conjuncts(&guards);
            if guards.iter().any(|&g| terms.is_false(g)) {
                continue;
            }
            let inputs = followed.condition.inputs;
            let mut way =
                Way { from: step.from, to: step.to, guards, inputs, post: followed.post, sites: Vec::new() };
            way.sites = sites(terms, system, &way);
            ways.push(way);
        }
    }
    ways
}

/// Where a way reads and writes which arrays.
fn sites(terms: &mut Terms, system: &ProgramSystem<'_>, way: &Way) -> Vec<(Term, Term)> {
    let program = system.program();
    let live: Vec<Term> = system.live_at(system.location(way.to)).collect();
    let mut roots = way.guards.clone();
    for v in live.into_iter().filter_map(|v| program.var_of(v)) {
        roots.push(way.after(terms, system, v));
    }
    let mut sites = Vec::new();
    for t in terms.post_order(&roots) {
        let &[array, index, ..] = terms.args(t) else { continue };
        if !matches!(terms.op(t), Op::Select | Op::Store) || way.is_chosen(terms, index) {
            continue;
        }
        let mut array = array;
        while terms.op(array) == Op::Store {
            array = terms.args(array)[0];
        }
        if !sites.contains(&(array, index)) {
            sites.push((array, index));
        }
    }
    sites
}

/// Paths through a block.
fn paths(system: &ProgramSystem<'_>, block: &Block) -> Vec<Vec<EdgeId>> {
    let mut outgoing: FxHashMap<Location, Vec<EdgeId>> = FxHashMap::default();
    for edge in block.edges() {
        outgoing.entry(system.program().edge(edge).from).or_default().push(edge);
    }
    let mut found = Vec::new();
    let mut open: Vec<Vec<EdgeId>> = vec![Vec::new()];
    while let Some(path) = open.pop() {
        let at = path.last().map_or(block.from, |&e| system.program().edge(e).to);
        if at == block.to && !path.is_empty() {
            found.push(path);
            if found.len() >= MOST_PATHS {
                break;
            }
            continue;
        }
        for &edge in outgoing.get(&at).into_iter().flatten() {
            let mut longer = path.clone();
            longer.push(edge);
            open.push(longer);
        }
    }
    found
}
