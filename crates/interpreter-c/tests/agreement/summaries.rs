//! Every summary's formulas contain the steps of a run, composed.

use crate::automaton::Run;
use rustc_hash::FxHashMap;
use tamis_logic::{Model, Terms};
use tamis_program::{
    Block, Liveness, Location, Program, State, Summary, SummaryKind, encode, relevant_locations,
};
use tamis_solver::{Answer, Budget, Solver};

const KINDS: [SummaryKind; 3] = [SummaryKind::Sbe, SummaryKind::Rule, SummaryKind::Cutset];

/// Larger blocks are passed over.
const EDGES: usize = 20_000;

/// Checks at most `budget` traversals of blocks, each block at most twice; says how many, or where it fails.
pub fn check(terms: &mut Terms, program: &Program, run: &Run, budget: usize) -> Result<usize, String> {
    let live = Liveness::new(terms, program);
    let relevant = relevant_locations(program);
    let mut checked = 0;
    for kind in KINDS {
        let summary = Summary::of_kind(program, kind);
        let blocks: FxHashMap<(Location, Location), &Block> =
            summary.blocks().iter().map(|b| ((b.from, b.to), b)).collect();
        let mut is_cutpoint = vec![false; program.locations().count()];
        summary.cutpoints().iter().for_each(|l| is_cutpoint[l.index()] = true);
        let mut seen: FxHashMap<(Location, Location), u32> = FxHashMap::default();
        let mut state = run.initial.clone();
        let mut last = (program.entry(), state.clone());
        let mut left = budget;
        for step in &run.steps {
            if left == 0 {
                break;
            }
            step.apply(terms, program, &mut state);
            let at = program.edge(step.edge).to;
            // From where the error is out of reach there are no blocks, and the entry may be such a place.
            if !is_cutpoint[at.index()] || !relevant[at.index()] {
                continue;
            }
            let (from, before) = std::mem::replace(&mut last, (at, state.clone()));
            let Some(block) = blocks.get(&(from, at)) else {
                return Err(format!("{kind:?}: no block from {from:?} to {at:?}, which a run passes"));
            };
            let times = seen.entry((from, at)).or_default();
            *times += 1;
            if *times <= 2 && block.edges().count() <= EDGES {
                left -= 1;
                checked += 1;
                if !contains(terms, program, &live, block, &before, &state) {
                    return Err(format!("{kind:?}: the block from {from:?} to {at:?} excludes a run"));
                }
            }
        }
    }
    Ok(checked)
}

/// Whether a block's formula holds of two states.
fn contains(
    terms: &mut Terms,
    program: &Program,
    live: &Liveness,
    block: &Block,
    before: &Model,
    after: &Model,
) -> bool {
    let mut pre = State::symbolic(program);
    for v in program.vars() {
        if let Some(value) = before.get(program.term(v)) {
            pre.assign(v, terms.value(value.clone()));
        }
    }
    let mut encoded = encode(terms, program, live, block, &pre);
    let mut solver = Solver::new(&Budget::unlimited());
    for &c in &encoded.constraints {
        solver.assert(terms, c);
    }
    for v in program.vars().filter(|&v| live.is_live(block.to, v)) {
        if let Some(value) = after.get(program.term(v)) {
            let (is, value) = (encoded.post.value(terms, program, v), terms.value(value.clone()));
            let equal = terms.eq(is, value);
            solver.assert(terms, equal);
        }
    }
    solver.check(terms, &[]).expect("no limit") == Answer::Sat
}
