//! Every summary's formulas against all executions: a block's formula holds of two states exactly if an execution
//! leads from one to the other.

mod common;

use common::{Random, Values, initial_states, random_program, relation};
use std::collections::BTreeSet;
use tamis_logic::{Term, Terms, Value};
use tamis_program::{
    Block, Dominators, Encoded, Liveness, Location, LoopNest, Program, State, Summary, SummaryKind, Var,
    edge_query, encode,
};
use tamis_solver::{Answer, Budget, Solver};

const KINDS: [SummaryKind; 4] =
    [SummaryKind::Sbe, SummaryKind::Rule, SummaryKind::Cutset, SummaryKind::MinimumCutset];

/// A block as a solver that can be asked about pairs of states.
struct Asked {
    solver: Solver,
    before: Vec<Term>,
    /// The live variables after the block, and their terms.
    after: Vec<(Var, Term)>,
}

impl Asked {
    fn holds(&mut self, terms: &mut Terms, start: &Values, end: &Values) -> bool {
        let mut assumptions = Vec::new();
        let known = self.before.iter().zip(start);
        let wanted = self.after.iter().map(|&(v, t)| (t, &end[v.index()]));
        for (term, value) in known.map(|(&t, v)| (t, v)).chain(wanted) {
            let value = terms.value(value.clone());
            assumptions.push(terms.eq(term, value));
        }
        self.solver.check(terms, &assumptions).expect("no limit") == Answer::Sat
    }
}

fn live_at(program: &Program, live: &Liveness, l: Location) -> Vec<Var> {
    program.vars().filter(|&v| live.is_live(l, v)).collect()
}

fn asked(
    terms: &mut Terms,
    program: &Program,
    live: &Liveness,
    block: &Block,
    mut encoded: Encoded,
) -> Asked {
    let mut solver = Solver::new(&Budget::unlimited());
    for &c in &encoded.constraints {
        solver.assert(terms, c);
    }
    let after = live_at(program, live, block.to);
    let after = after.into_iter().map(|v| (v, encoded.post.value(terms, program, v))).collect();
    Asked { solver, before: program.vars().map(|v| program.term(v)).collect(), after }
}

fn project(pair: &(Values, Values), after: &[(Var, Term)]) -> (Values, Vec<Value>) {
    (pair.0.clone(), after.iter().map(|(v, _)| pair.1[v.index()].clone()).collect())
}

fn agree(
    terms: &mut Terms,
    program: &Program,
    asked: &mut Asked,
    pairs: &BTreeSet<(Values, Values)>,
    what: &str,
) {
    let mut random = Random::new(pairs.len() as u64 + 1);
    let states = initial_states(terms, program);
    let known: BTreeSet<_> = pairs.iter().map(|p| project(p, &asked.after)).collect();
    let mut questions: Vec<(Values, Values)> =
        pairs.iter().filter(|_| random.below(pairs.len()) < 12).cloned().collect();
    for _ in 0..12 {
        let mut pick = || states[random.below(states.len())].clone();
        questions.push((pick(), pick()));
    }
    for pair in questions {
        let expected = known.contains(&project(&pair, &asked.after));
        assert_eq!(asked.holds(terms, &pair.0, &pair.1), expected, "{what}: {pair:?}");
    }
}

#[test]
fn formulas_are_the_relations_of_their_blocks() {
    let mut blocks = 0;
    for seed in 0..90 {
        let mut terms = Terms::new();
        let program = random_program(&mut terms, seed);
        let live = Liveness::new(&terms, &program);
        for kind in KINDS {
            let summary = Summary::of_kind(&program, kind);
            for block in summary.blocks() {
                let pairs = relation(&terms, &program, block.from, block.to, summary.cutpoints());
                let what = format!("seed {seed}, {kind:?}, {:?} to {:?}", block.from, block.to);
                let substituted = encode(&mut terms, &program, &live, block, &State::symbolic(&program));
                let named = edge_query(&mut terms, &program, &live, block);
                for formula in [substituted, named] {
                    let mut asked = asked(&mut terms, &program, &live, block, formula);
                    agree(&mut terms, &program, &mut asked, &pairs, &what);
                }
                blocks += 1;
            }
        }
    }
    assert!(blocks > 500, "{blocks} blocks");
}

/// Every cycle passes a cutpoint, and the sizes are in the order that [SUM] section 3 gives.
#[test]
fn summaries_cut_all_cycles_and_shrink() {
    let mut strictly_smaller = [0; 3];
    for seed in 0..300 {
        let mut terms = Terms::new();
        let program = random_program(&mut terms, seed);
        let sizes = KINDS.map(|kind| {
            let summary = Summary::of_kind(&program, kind);
            let cut: BTreeSet<Location> = summary.cutpoints().iter().copied().collect();
            for block in summary.blocks() {
                assert!(block.inner.iter().all(|(l, _)| !cut.contains(l)));
                let place = |l: Location| block.inner.iter().position(|&(o, _)| o == l);
                for e in block.edges() {
                    let edge = program.edge(e);
                    if let (Some(from), Some(to)) = (place(edge.from), place(edge.to)) {
                        assert!(from < to, "seed {seed}, {kind:?}");
                    }
                }
            }
            cut.len()
        });
        for i in 0..3 {
            assert!(sizes[i] >= sizes[i + 1], "seed {seed}: {sizes:?}");
            strictly_smaller[i] += usize::from(sizes[i] > sizes[i + 1]);
        }
    }
    assert!(strictly_smaller.iter().all(|&n| n > 0), "{strictly_smaller:?}");
}

/// A minimum cutset is no larger than any: all subsets are tried.
#[test]
fn minimum_cutsets_are_minimum() {
    for seed in 0..150 {
        let mut terms = Terms::new();
        let program = random_program(&mut terms, seed);
        let relevant = tamis_program::relevant_locations(&program);
        let inner: Vec<Location> = program
            .locations()
            .filter(|&l| relevant[l.index()] && l != program.entry() && l != program.error())
            .collect();
        let found = Summary::of_kind(&program, SummaryKind::MinimumCutset).cutpoints().len() - 2;
        let acyclic_without = |cut: u32| {
            // Takes locations that nothing left leads to, until none is left.
            let mut left: Vec<Location> =
                inner.iter().enumerate().filter(|(i, _)| cut >> i & 1 == 0).map(|(_, &l)| l).collect();
            loop {
                let entered =
                    |l: &Location| program.incoming(*l).iter().any(|&e| left.contains(&program.edge(e).from));
                let still: Vec<Location> = left.iter().copied().filter(entered).collect();
                if still.len() == left.len() {
                    return left.is_empty();
                }
                left = still;
            }
        };
        let smallest = (0..1u32 << inner.len())
            .filter(|&cut| (cut.count_ones() as usize) < found || cut.count_ones() as usize == found)
            .filter(|&cut| acyclic_without(cut))
            .map(|cut| cut.count_ones() as usize)
            .min();
        assert_eq!(smallest, Some(found), "seed {seed}");
    }
}

/// Dominators against their definition: without the dominator there is no path.
#[test]
fn dominators_are_on_every_path() {
    for seed in 0..200 {
        let mut terms = Terms::new();
        let program = random_program(&mut terms, seed);
        let dominators = Dominators::new(&program);
        let reached_without = |gone: Option<Location>| {
            let (mut seen, mut pending) = (BTreeSet::new(), vec![program.entry()]);
            while let Some(l) = pending.pop() {
                if Some(l) != gone && seen.insert(l) {
                    pending.extend(program.outgoing(l).iter().map(|&e| program.edge(e).to));
                }
            }
            seen
        };
        let reached = reached_without(None);
        for a in program.locations() {
            let without = reached_without(Some(a));
            for &b in &reached {
                assert_eq!(dominators.dominates(a, b), !without.contains(&b), "seed {seed}: {a:?}, {b:?}");
            }
        }
    }
}

/// Every loop is strongly connected, entered at its heads alone, and contains the loops nested in it without them.
#[test]
fn loops_are_entered_at_their_heads() {
    let mut irreducible = 0;
    for seed in 0..300 {
        let mut terms = Terms::new();
        let program = random_program(&mut terms, seed);
        let nest = LoopNest::new(&program);
        for found in nest.loops() {
            irreducible += usize::from(!found.is_reducible());
            for &l in &found.body {
                let entered =
                    program.incoming(l).iter().any(|&e| !found.body.contains(&program.edge(e).from));
                assert!(!entered || found.heads.contains(&l), "seed {seed}");
                assert!(nest.depth(l) >= 1);
            }
            if let Some(parent) = found.parent {
                let around = &nest.loops()[parent.index()];
                assert!(found.body.iter().all(|l| around.body.contains(l) && !around.heads.contains(l)));
            }
        }
        // A back-edge closes a loop: both its ends are in one.
        for e in tamis_program::back_edges(&program) {
            let edge = program.edge(e);
            let closes = |l: &tamis_program::Loop| l.body.contains(&edge.from) && l.body.contains(&edge.to);
            assert!(nest.loops().iter().any(closes), "seed {seed}");
        }
    }
    assert!(irreducible > 5, "{irreducible} irreducible loops");
}
