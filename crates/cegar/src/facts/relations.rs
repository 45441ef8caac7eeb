//! The strongest linear relations, modulo powers of two, that hold by induction: symbolic abstraction (Reps, Sagiv, Yorsh,
//! *Symbolic Implementation of the Best Transformer*, VMCAI 2004; for these relations King and Søndergaard, *Automatic Abstraction
//! for Congruences*, VMCAI 2010).
//!
//! At each point are the relations of the states that have been met there; where none has, nothing holds. While a step leads from a
//! state with the relations before it to one without those after it, that state is met as well, and the relations are fewer. So
//! what samples suggest by chance does not hide what holds: two counters that are both 0 in all samples, since no execution
//! gets out of an inner loop in time, come out as equal.

use super::shapes::Table;
use tamis_logic::{Model, Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_system::{Point, StepId, System};

/// Among so many variables of a point relations are looked for.
pub(super) const MOST_VARIABLES: usize = 16;

/// So many states are met at a point: each makes relations fewer, or weaker by a bit at least.
const MOST_MET: usize = 200;

/// What is known of the states at a point.
struct Here {
    tables: Vec<Table>,
    /// The relations; `false` alone if no state has been met.
    told: Vec<Term>,
    met: usize,
}

/// A solver with the formula of a step and what is known before it.
struct Step<S: System> {
    solver: Solver,
    post: S::State,
}

/// The relations at each point, from where the states of `tables` have been met. Ends early, with relations that need not hold, if
/// there is no time left.
pub(super) fn relations<S: System>(
    terms: &mut Terms,
    system: &S,
    known: &[Vec<Term>],
    tables: Vec<Vec<Table>>,
    budget: &Budget,
) -> Result<Vec<Vec<Term>>, Stop> {
    let inner = 1..system.points() - 1;
    let mut here: Vec<Here> = Vec::with_capacity(system.points());
    for tables in tables {
        let told = told(terms, &tables);
        here.push(Here { tables, told, met: 0 });
    }
    here[Point::INITIAL.index()].told.clear();
    let steps = system.steps();
    let mut solvers: Vec<Option<Step<S>>> = steps.iter().map(|_| None).collect();
    let mut open: Vec<bool> = steps.iter().map(|step| inner.contains(&step.to.index())).collect();
    while let Some(i) = open.iter().position(|&open| open) {
        open[i] = false;
        let (from, to) = (steps[i].from, steps[i].to);
        if here[from.index()].told.iter().any(|&t| terms.is_false(t)) {
            continue;
        }
        let step = solvers[i].get_or_insert_with(|| {
            let formula = system.encode(terms, StepId(i as u32), &system.symbolic());
            let mut solver = Solver::new(budget);
            let plain = known[from.index()].iter().filter(|&&c| terms.index_variables(c).is_empty());
            formula.constraints.iter().chain(plain).for_each(|&c| solver.assert(terms, c));
            Step { solver, post: formula.post }
        });
        let mut fewer = false;
        while !here[to.index()].told.is_empty() {
            match meet(terms, system, step, (&here[from.index()].told, &here[to.index()])) {
                Ok(None) => break,
                Ok(Some(state)) => {
                    fewer = true;
                    let here = &mut here[to.index()];
                    here.met += 1;
                    here.tables.iter_mut().for_each(|table| table.push(&state));
                    here.told = if here.met > MOST_MET { Vec::new() } else { told(terms, &here.tables) };
                }
                Err(Stop::Timeout) => return Ok(here.into_iter().map(|here| here.told).collect()),
                Err(stop) => return Err(stop),
            }
        }
        if fewer {
            for (j, step) in steps.iter().enumerate().filter(|(_, step)| step.from == to) {
                open[j] |= inner.contains(&step.to.index());
            }
        }
    }
    Ok(here.into_iter().map(|here| here.told).collect())
}

/// The relations of what has been met.
fn told(terms: &mut Terms, tables: &[Table]) -> Vec<Term> {
    if tables.iter().any(Table::is_empty) {
        return vec![terms.fals()];
    }
    tables.iter().flat_map(|table| table.all_linear(terms)).collect()
}

/// A state after a step from where some relations hold, in which not all of others do.
fn meet<S: System>(
    terms: &mut Terms,
    system: &S,
    step: &mut Step<S>,
    (before, after): (&[Term], &Here),
) -> Result<Option<Model>, Stop> {
    let mut assumptions = before.to_vec();
    let after_step: Vec<Term> = after.told.iter().map(|&t| system.read(terms, &mut step.post, t)).collect();
    let all = terms.and(&after_step);
    assumptions.push(terms.not(all));
    if step.solver.check(terms, &assumptions)? == Answer::Unsat {
        return Ok(None);
    }
    let mut state = Model::new();
    for v in after.tables.iter().flat_map(Table::variables) {
        let value = system.read(terms, &mut step.post, *v);
        state.set(*v, step.solver.value(terms, value));
    }
    Ok(Some(state))
}
