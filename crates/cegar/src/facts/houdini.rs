//! The largest set of candidates that holds by induction: Flanagan and Leino, *Houdini, an annotation assistant for ESC/Java*, FME
//! 2001.
//!
//! A candidate that a step does not preserve, from a state in which all others hold that are left, is dropped, until none is. One
//! model drops all candidates that it contradicts. What the solver cannot decide in time is dropped too, which is sound: any
//! set that is left in the end is inductive.
//!
//! A candidate may have index variables and is meant for all their values then. Before a step its instances are assumed
//! ([`assumed`]), and after the step it is shown for values that nothing is known of.
//!
//! The checker has the same idea for candidates of witnesses (`evidence::inductive`), on conditions of its own: what is trusted
//! shares nothing with what searches.

use super::instances::{assumed, refuted};
use rustc_hash::FxHashMap;
use std::time::Duration;
use tamis_logic::{Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_system::{Point, StepId, System};

/// A question about all candidates at once may take so long; then they are asked about one by one.
const TOGETHER: Duration = Duration::from_millis(1500);

/// A question about one candidate may take so long.
const ALONE: Duration = Duration::from_millis(300);

/// A question about one that is meant for all elements of arrays may take so long.
const ALONE_OF_ALL: Duration = Duration::from_secs(1);

/// The candidates at each point that hold by induction, together with what is `known` there already.
pub(crate) fn houdini<S: System>(
    terms: &mut Terms,
    system: &S,
    known: &[Vec<Term>],
    candidates: Vec<Vec<Term>>,
    budget: &Budget,
) -> Result<Vec<Vec<Term>>, Stop> {
    let mut left = candidates;
    // At the first point there is any state, and no state is at the error.
    for point in [Point::INITIAL, system.error()] {
        left[point.index()].clear();
    }
    let steps = system.steps();
    let mut open: Vec<bool> = steps.iter().map(|step| !left[step.to.index()].is_empty()).collect();
    let mut solvers: Vec<Option<Step<S>>> = steps.iter().map(|_| None).collect();
    while let Some(i) = open.iter().position(|&open| open) {
        open[i] = false;
        let (from, to) = (steps[i].from, steps[i].to);
        if left[to.index()].is_empty() {
            continue;
        }
        let here = std::mem::take(&mut left[from.index()]);
        let goals = if from == to { here.clone() } else { std::mem::take(&mut left[to.index()]) };
        let step = StepId(i as u32);
        let kept = preserved(
            terms,
            system,
            (step, &known[from.index()]),
            &mut solvers[i],
            &here,
            goals.clone(),
            budget,
        )?;
        left[from.index()] = here;
        let fewer = kept.len() < goals.len();
        left[to.index()] = kept;
        if fewer {
            for (j, step) in steps.iter().enumerate() {
                open[j] |= step.from == to;
            }
        }
    }
    Ok(left)
}

/// A solver that holds the formula of a step, and the candidates read at its end.
struct Step<S: System> {
    solver: Solver,
    post: S::State,
    /// What is assumed for candidates at its start that have index variables.
    instances: FxHashMap<Term, Term>,
    /// The time that it has.
    time: Budget,
}

impl<S: System> Step<S> {
    /// A solver for questions whether `goals` hold after a step from where `here` may hold.
    fn new(
        terms: &mut Terms,
        system: &S,
        (step, known): (StepId, &[Term]),
        (here, goals): (&[Term], &[Term]),
        budget: &Budget,
        time: Duration,
    ) -> Step<S> {
        let formula = system.encode(terms, step, &system.symbolic());
        let mut post = formula.post;
        let mut roots = formula.constraints.clone();
        roots.extend(goals.iter().map(|&goal| failure(terms, system, &mut post, goal)));
        let all = assumed(terms, &[known, here].concat(), &roots);
        let (known, instances) = all.split_at(known.len());
        let time = budget.child_with_timeout(time);
        let mut solver = Solver::new(&time);
        formula.constraints.iter().chain(known).for_each(|&c| solver.assert(terms, c));
        let instances = std::iter::zip(here, instances).map(|(&c, &instances)| (c, instances)).collect();
        Step { solver, post, instances, time }
    }

    /// What is assumed for candidates.
    fn assumed(&self, here: &[Term]) -> Vec<Term> {
        here.iter().map(|c| self.instances.get(c).copied().unwrap_or(*c)).collect()
    }
}

/// That a candidate does not hold after a step.
fn failure<S: System>(terms: &mut Terms, system: &S, post: &mut S::State, goal: Term) -> Term {
    let after = system.read(terms, post, goal);
    refuted(terms, after)
}

/// Those of `goals` that hold after a step from a state in which `here` holds.
fn preserved<S: System>(
    terms: &mut Terms,
    system: &S,
    (step, known): (StepId, &[Term]),
    prepared: &mut Option<Step<S>>,
    here: &[Term],
    goals: Vec<Term>,
    budget: &Budget,
) -> Result<Vec<Term>, Stop> {
    // A solver that has little time left is made anew.
    if prepared.as_ref().is_some_and(|p| p.time.is_half_spent()) {
        *prepared = None;
    }
    let made = prepared
        .get_or_insert_with(|| Step::new(terms, system, (step, known), (here, &goals), budget, TOGETHER));
    let mut assumptions = made.assumed(here);
    let Step { solver, post, .. } = made;
    let mut left: Vec<(Term, Term)> = Vec::with_capacity(goals.len());
    for goal in goals {
        left.push((goal, failure(terms, system, post, goal)));
    }
    loop {
        let failures: Vec<Term> = left.iter().map(|&(_, failure)| failure).collect();
        let some = terms.or(&failures);
        if terms.is_false(some) {
            break;
        }
        assumptions.push(some);
        let answer = solver.check(terms, &assumptions);
        assumptions.pop();
        match answer {
            Ok(Answer::Unsat) => break,
            Ok(Answer::Sat) => {
                let before = left.len();
                left.retain(|&(_, failure)| !solver.value(terms, failure).as_bool());
                debug_assert!(left.len() < before, "a model of a failure contradicts a candidate");
            }
            Err(stop) => {
                budget.check()?;
                if stop != Stop::Timeout {
                    return Err(stop);
                }
                // That solver is of no more use.
                *prepared = None;
                return one_by_one(terms, system, (step, known), here, &left, budget);
            }
        }
    }
    Ok(left.into_iter().map(|(goal, _)| goal).collect())
}

/// The same, where questions are hard.
fn one_by_one<S: System>(
    terms: &mut Terms,
    system: &S,
    (step, known): (StepId, &[Term]),
    here: &[Term],
    goals: &[(Term, Term)],
    budget: &Budget,
) -> Result<Vec<Term>, Stop> {
    let mut kept = Vec::new();
    for &(goal, _) in goals {
        budget.check()?;
        let time = if terms.index_variables(goal).is_empty() { ALONE } else { ALONE_OF_ALL };
        let mut made = Step::new(terms, system, (step, known), (here, &[goal]), budget, time);
        let mut assumptions = made.assumed(here);
        assumptions.push(failure(terms, system, &mut made.post, goal));
        match made.solver.check(terms, &assumptions) {
            Ok(Answer::Unsat) => kept.push(goal),
            Ok(Answer::Sat) | Err(Stop::Timeout) => {}
            Err(stop) => return Err(stop),
        }
    }
    budget.check()?;
    Ok(kept)
}
