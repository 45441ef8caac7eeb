//! Proofs by exhaustion are re-checked: all executions are followed to their ends.

use crate::certify::{Rejection, acyclic_order, on_a_way_to_error};
use crate::conditions::{Condition, Purpose};
use crate::names::Names;
use crate::strongest_post::{join, strongest_post};
use rustc_hash::FxHashSet;
use tamis_logic::{Substitution, Term, Terms};
use tamis_program::{Location, Program, back_edges};
use tamis_solver::{Answer, Budget, Solver};

/// Checks from the program alone that no execution passes loop heads more than `rounds` times, and none comes to the
/// error location. Executions are followed together from one loop head to the next, with values in terms of inputs; those
/// that can no longer come to the error location are left.
///
/// ```
/// use tamis_evidence::certify_exhausted;
/// use tamis_front_c::{Options, translate_source};
/// use tamis_logic::Terms;
/// use tamis_solver::Budget;
/// let text = "extern void reach_error(void);
///     int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += i; if (s != 3) reach_error(); return 0; }";
/// let mut terms = Terms::new();
/// let program = translate_source("sum.i", text, &Options::default(), &mut terms)?;
/// assert_eq!(certify_exhausted(&mut terms, &program, 4, &Budget::unlimited()), Ok(()));
/// assert!(certify_exhausted(&mut terms, &program, 2, &Budget::unlimited()).is_err());
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn certify_exhausted(
    terms: &mut Terms,
    program: &Program,
    rounds: usize,
    budget: &Budget,
) -> Result<(), Rejection> {
    exhaust(terms, program, rounds, budget).map(drop)
}

/// A way from one loop head to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Way {
    /// How many loop heads executions have passed before.
    pub round: usize,
    /// Where it starts: the entry or a loop head.
    pub from: Location,
    /// Where it ends: a loop head.
    pub to: Location,
}

/// A proof by exhaustion: the ways that executions go, of which each is followed by others or ends. There are no others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exhaustion {
    /// The ways, in the order in which executions come to them.
    pub ways: Vec<Way>,
}

/// Follows all executions to their ends, like [`certify_exhausted`], and notes where they go.
pub fn exhaust(
    terms: &mut Terms,
    program: &Program,
    rounds: usize,
    budget: &Budget,
) -> Result<Exhaustion, Rejection> {
    let mut deciding = Deciding { solver: Solver::new(budget), ways: Vec::new() };
    follow(terms, program, rounds, budget, &mut deciding)?;
    Ok(Exhaustion { ways: deciding.ways })
}

impl Exhaustion {
    /// The condition of the proof, from the program alone: that no execution goes other ways than these. If that is so, all
    /// executions have ended, and none in a violation; `Err` if a way leads to one.
    ///
    /// Values at loop heads have names, and are defined round by round: so the formula is linear in what there is to
    /// follow, and leaves all to be decided that values at loop heads decide.
    pub fn conditions(
        &self,
        terms: &mut Terms,
        program: &Program,
        budget: &Budget,
    ) -> Result<Vec<Condition>, Rejection> {
        let ways = self.ways.iter().copied().collect();
        let mut naming = Naming { ways, names: Names::default(), others: Vec::new() };
        // Each round but the last has a way.
        follow(terms, program, self.ways.len(), budget, &mut naming)?;
        Ok(vec![Condition {
            purpose: Purpose::Exhaustion,
            from: program.entry(),
            to: program.error(),
            before: terms.and(&naming.names.definitions),
            way: terms.or(&naming.others),
            failure: terms.tru(),
        }])
    }
}

/// What is done with executions while they are followed.
trait Follower {
    /// Whether executions go a way.
    fn goes(&mut self, terms: &mut Terms, way: Way, condition: Term) -> Result<bool, Rejection>;

    /// The executions at a loop head after some rounds: the condition of their ways there, and the values.
    fn enter(
        &mut self,
        terms: &mut Terms,
        program: &Program,
        at: Location,
        state: (Term, Substitution),
    ) -> (Term, Substitution);
}

/// Lets a solver decide.
struct Deciding {
    solver: Solver,
    ways: Vec<Way>,
}

impl Follower for Deciding {
    fn goes(&mut self, terms: &mut Terms, way: Way, condition: Term) -> Result<bool, Rejection> {
        let goes = self.solver.check(terms, &[condition])? == Answer::Sat;
        if goes {
            self.ways.push(way);
        }
        Ok(goes)
    }

    fn enter(
        &mut self,
        _: &mut Terms,
        _: &Program,
        _: Location,
        state: (Term, Substitution),
    ) -> (Term, Substitution) {
        state
    }
}

/// Takes some ways for granted, and collects the conditions of all others.
struct Naming {
    ways: FxHashSet<Way>,
    names: Names,
    others: Vec<Term>,
}

impl Follower for Naming {
    fn goes(&mut self, _: &mut Terms, way: Way, condition: Term) -> Result<bool, Rejection> {
        let goes = self.ways.contains(&way);
        if !goes {
            self.others.push(condition);
        }
        Ok(goes)
    }

    fn enter(
        &mut self,
        terms: &mut Terms,
        program: &Program,
        at: Location,
        state: (Term, Substitution),
    ) -> (Term, Substitution) {
        self.names.enter(terms, program, at, state)
    }
}

/// Follows executions round by round, where the follower says that they go, until none is left.
fn follow(
    terms: &mut Terms,
    program: &Program,
    rounds: usize,
    budget: &Budget,
    follower: &mut dyn Follower,
) -> Result<(), Rejection> {
    if program.entry() == program.error() {
        return Err(Rejection::Safety(program.entry()));
    }
    let heads: FxHashSet<Location> = back_edges(program).into_iter().map(|e| program.edge(e).to).collect();
    let is_cutpoint = |l: Location| l == program.error() || heads.contains(&l);
    let matters = on_a_way_to_error(program);
    let order = acyclic_order(program, &matters, &is_cutpoint).map_err(Rejection::UncutLoop)?;
    let mut here: Vec<(Location, Term, Substitution)> =
        vec![(program.entry(), terms.tru(), Substitution::new())];
    for round in 0..=rounds {
        let mut arriving: Vec<(Location, Vec<(Term, Substitution)>)> = Vec::new();
        for (from, condition, values) in here.drain(..) {
            budget.check()?;
            for arrival in strongest_post(terms, program, from, (condition, values), &order, &is_cutpoint) {
                let to = arrival.at;
                let way = Way { round, from, to };
                if !matters[to.index()] || !follower.goes(terms, way, arrival.condition)? {
                    continue;
                }
                if to == program.error() {
                    return Err(Rejection::Safety(from));
                }
                let way = (arrival.condition, arrival.values);
                match arriving.iter_mut().find(|(at, _)| *at == to) {
                    Some((_, ways)) => ways.push(way),
                    None => arriving.push((to, vec![way])),
                }
            }
        }
        if arriving.is_empty() {
            return Ok(());
        }
        // An execution is at one place after so many rounds, so what arrives by different ways excludes each other.
        for (at, ways) in arriving {
            let joined = join(terms, program, ways);
            let (condition, values) = follower.enter(terms, program, at, joined);
            here.push((at, condition, values));
        }
    }
    Err(Rejection::Unfinished)
}
