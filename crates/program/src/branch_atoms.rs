//! Predicates from branches: the atoms of the weakest preconditions of conditional branches, \[SUM\] section 5, step 4.

use crate::automaton::{Command, Location, Program};
use crate::wp::weakest_precondition;
use rustc_hash::FxHashSet;
use tamis_logic::{Term, Terms};

/// For each location the atoms of the weakest preconditions of the branches that can be reached from it, over the
/// program's variables, those of the nearest branches first, as many as `most`. Only atoms that `keep` accepts count. An
/// atom and its complement are one predicate.
///
/// Preconditions are carried backwards until nothing changes, at most `rounds` times over all locations, or until `stop` says so.
///
/// ```
/// use tamis_logic::Terms;
/// use tamis_program::{Builder, Command, Event, IntType, Source, branch_atoms};
/// let (mut terms, mut b) = (Terms::new(), Builder::new());
/// let (file, main) = (b.file("f.c"), b.frame("main", None));
/// let x = b.variable(&mut terms, "x", IntType { bits: 8, signed: false }, Some(main));
/// let [start, middle, error] = [0; 3].map(|_| b.location(main));
/// let source = Source { file, line: 1, column: 1 };
/// let (x_term, one, five) = (b.term(x), terms.bits(8, 1), terms.bits(8, 5));
/// let next = terms.add(x_term, one);
/// let guard = terms.eq(x_term, five);
/// b.edge(start, middle, Command::Assign(x, next), source, Event::Step);
/// b.edge(middle, error, Command::Assume(guard), source, Event::Branch(true));
/// let program = b.finish(start, error);
/// let atoms = branch_atoms(&mut terms, &program, (10, 2), &|| false, |_, _| true);
/// let four = terms.bits(8, 4);
/// assert_eq!(atoms[start.index()], [terms.eq(x_term, four)]);
/// ```
pub fn branch_atoms(
    terms: &mut Terms,
    program: &Program,
    (most, rounds): (usize, usize),
    stop: &dyn Fn() -> bool,
    mut keep: impl FnMut(&mut Terms, Term) -> bool,
) -> Vec<Vec<Term>> {
    let mut atoms: Vec<Vec<Term>> = vec![Vec::new(); program.locations().count()];
    let locations: Vec<Location> = program.locations().collect();
    for _ in 0..rounds {
        let mut changed = false;
        for &l in locations.iter().rev() {
            if stop() {
                return atoms;
            }
            let found = at(terms, program, l, most, &atoms, &mut keep);
            changed |= found != atoms[l.index()];
            atoms[l.index()] = found;
        }
        if !changed {
            break;
        }
    }
    atoms
}

fn at(
    terms: &mut Terms,
    program: &Program,
    l: Location,
    most: usize,
    atoms: &[Vec<Term>],
    keep: &mut impl FnMut(&mut Terms, Term) -> bool,
) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut found = Vec::new();
    let mut add = |terms: &mut Terms, formula: Term, found: &mut Vec<Term>| {
        for atom in terms.atoms(formula) {
            if found.len() < most && seen.insert(atom) && keep(terms, atom) {
                found.push(atom);
            }
        }
    };
    let edges = program.outgoing(l);
    for &e in edges {
        if let Command::Assume(guard) = program.edge(e).command {
            add(terms, guard, &mut found);
        }
    }
    // From all successors in turn, so that none crowds out the others.
    for rank in 0..most {
        for &e in edges {
            let edge = program.edge(e);
            let Some(&atom) = atoms[edge.to.index()].get(rank) else { continue };
            if let Some(before) = weakest_precondition(terms, program, &edge.command, atom) {
                add(terms, before, &mut found);
            }
        }
    }
    found
}
