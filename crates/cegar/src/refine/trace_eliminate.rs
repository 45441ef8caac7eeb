//! *TraceEliminate*: do predicates eliminate a trace? [MIN] section 2.4, Fig. 4.
//!
//! The paper computes the abstract states along the trace. With an exact abstraction there is a shorter way. The
//! abstract model has a trace along a path if and only if the path's segments can be executed, each from a state of its
//! own, such that where one ends and the next one starts the two states agree on the predicates there. That is one
//! formula, in which every candidate has a literal that makes the states agree on its predicates: the elimination by a
//! set of candidates is the unsatisfiability under the assumption of their literals, and one solver serves all sets.

use super::path::Path;
use super::proposal::{CandidateId, Pool};
use super::trace_images::TraceImages;
use crate::cegar::Run;
use crate::system::{Point, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_logic::{Sort, Term, Terms};
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Budget, Solver};

/// Checks the elimination of paths.
pub struct TraceEliminate<S: System> {
    paths: FxHashMap<Box<[S::Edge]>, Agreement<S>>,
    /// For engines that are not exact.
    images: TraceImages<S>,
}

/// Of so few candidates the states along a path are computed: their images recur from path to path, while the formula of
/// a path and all that it says of a candidate is about that path alone.
const FEW: usize = 2;

/// With more paths than this, what is known of them is forgotten: memory does not grow with the iterations.
const MAX_PATHS: usize = 24;

impl<S: System> Default for TraceEliminate<S> {
    fn default() -> TraceEliminate<S> {
        TraceEliminate { paths: FxHashMap::default(), images: TraceImages::default() }
    }
}

impl<S: System> TraceEliminate<S> {
    /// Whether the abstract model with the predicates of `chosen` has no trace along `path`.
    pub fn eliminates(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
    ) -> Result<bool, Interrupted> {
        if !run.engine().is_exact() || chosen.len() <= FEW {
            return self.images.eliminates(run, path, pool, chosen);
        }
        run.budget.check()?;
        if !self.paths.contains_key(path.edges.as_slice()) {
            if self.paths.len() >= MAX_PATHS {
                self.paths.clear();
            }
            let agreement = Agreement::new(run.terms, run.abstraction.system, run.budget, path);
            self.paths.insert(path.edges.as_slice().into(), agreement);
        }
        let agreement = self.paths.get_mut(path.edges.as_slice()).expect("just made");
        let system = run.abstraction.system;
        let assumptions: Vec<Term> =
            chosen.iter().map(|&id| agreement.literal(run.terms, system, pool, id)).collect();
        Ok(agreement.solver.check(run.terms, &assumptions)? == Answer::Unsat)
    }

    /// Forgets what was computed with an engine that is no longer used.
    pub fn forget(&mut self) {
        self.images.forget();
    }
}

/// The segments of a path with a state of its own for each.
struct Agreement<S: System> {
    solver: Solver,
    segments: Vec<Segment<S::State>>,
    literals: FxHashMap<CandidateId, Term>,
}

struct Segment<T> {
    /// Where it starts.
    from: Point,
    /// The state after it, in terms of the state variables before it.
    post: T,
    /// What stands for the state variables before it.
    names: Names,
}

/// Fresh names for state variables.
struct Names {
    variables: FxHashSet<Term>,
    fresh: FxHashMap<Term, Term>,
}

impl Names {
    fn rename(&mut self, terms: &mut Terms, t: Term) -> Term {
        for v in terms.free_vars(t) {
            if self.variables.contains(&v) && !self.fresh.contains_key(&v) {
                let name = terms.fresh("state", terms.sort(v));
                self.fresh.insert(v, name);
            }
        }
        terms.substitute_with(t, |v| self.fresh.get(&v).copied())
    }
}

impl<S: System> Agreement<S> {
    fn new(terms: &mut Terms, system: &S, budget: &Budget, path: &Path<S::Edge>) -> Agreement<S> {
        let variables: FxHashSet<Term> = system.state_variables().into_iter().collect();
        let mut solver = Solver::new(budget);
        let mut segments = Vec::with_capacity(path.cuts.len());
        for (cut, &(_, from)) in path.cuts.iter().enumerate() {
            let followed = system.follow(terms, path.segment(cut), &system.symbolic());
            let mut names = Names { variables: variables.clone(), fresh: FxHashMap::default() };
            for &(_, guard) in &followed.condition.guards {
                let guard = names.rename(terms, guard);
                solver.assert(terms, guard);
            }
            segments.push(Segment { from, post: followed.post, names });
        }
        Agreement { solver, segments, literals: FxHashMap::default() }
    }

    /// The literal that makes the states agree on a candidate's predicates.
    fn literal(&mut self, terms: &mut Terms, system: &S, pool: &Pool, id: CandidateId) -> Term {
        if let Some(&literal) = self.literals.get(&id) {
            return literal;
        }
        let literal = terms.fresh("agree", Sort::Bool);
        let predicates = &pool.get(id).predicates;
        for cut in 1..self.segments.len() {
            let point = self.segments[cut].from;
            for &(_, p) in predicates.iter().filter(|(at, _)| *at == point) {
                let [.., before, after] = &mut self.segments[..=cut] else { continue };
                let ended = system.read(terms, &mut before.post, p);
                let ended = before.names.rename(terms, ended);
                let started = after.names.rename(terms, p);
                let same = terms.eq(ended, started);
                self.solver.assert_under(terms, literal, same);
            }
        }
        self.literals.insert(id, literal);
        literal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{Explicit, Exploration};
    use crate::system::BranchId;
    use crate::trace_check::{Blocks, Checked, Simulation, TraceCheck, WeakestPrecondition};
    use crate::{ProgramSystem, Silent, Strategy};
    use tamis_logic::Terms;
    use tamis_program::{Builder, Command, Event, IntType, Program, Source, SummaryKind};
    use tamis_solver::Budget;

    /// [MIN]'s running example, with another variable and a branch that has nothing to do with it.
    fn running_example(terms: &mut Terms) -> Program {
        let mut b = Builder::new();
        let (file, main) = (b.file("f.c"), b.frame("main", None));
        let at = Source { file, line: 1, column: 1 };
        let int = IntType { bits: 32, signed: true };
        let [x, y, z] = ["x", "y", "z"].map(|name| b.variable(terms, name, int, None));
        let [l0, l1, l2, between, l3, l4] = std::array::from_fn(|_| b.location(main));
        let (one, equal) = (terms.bits(32, 1), terms.eq(b.term(x), b.term(y)));
        let (unequal, z_is_1) = (terms.not(equal), terms.eq(b.term(z), one));
        let z_is_not_1 = terms.not(z_is_1);
        b.edge(l0, l1, Command::Assign(x, one), at, Event::Step);
        b.edge(l1, between, Command::Assign(y, one), at, Event::Step);
        b.edge(between, l2, Command::Assume(z_is_1), at, Event::Branch(true));
        b.edge(between, l2, Command::Assume(z_is_not_1), at, Event::Branch(false));
        b.edge(l2, l3, Command::Assume(equal), at, Event::Branch(true));
        b.edge(l2, l4, Command::Assume(unequal), at, Event::Branch(false));
        b.finish(l0, l4)
    }

    #[test]
    fn the_branch_of_the_running_example_eliminates_its_trace() {
        let mut terms = Terms::new();
        let program = running_example(&mut terms);
        let system = ProgramSystem::over(&terms, &program, SummaryKind::Sbe);
        let (budget, strategy, mut silent) = (Budget::unlimited(), Strategy::default(), Silent);
        let mut run = Run::new(&mut terms, &system, &strategy, &budget, &mut silent);
        let trace = Explicit::new(&run).explore(&mut run).unwrap().expect("nothing excludes L4 yet");
        let path = Path::new(&system, &trace);

        let mut pool = Pool::default();
        let mut candidate = |run: &mut Run<'_, _>, b| pool.branch(run.terms, &system, BranchId(b), 8);
        let (of_x, of_z) = (candidate(&mut run, 0), candidate(&mut run, 1));
        let of_xy = if system.branch_location(BranchId(0))
            == program.edge(program.incoming(program.error())[0]).from
        {
            of_x
        } else {
            of_z
        };
        let other = of_x + of_z - of_xy;
        let (mut at_once, mut images) = (TraceEliminate::default(), TraceImages::default());
        let mut eliminates = |run: &mut Run<'_, _>, set: &[CandidateId]| {
            let set = set.iter().copied().collect();
            let answer = at_once.eliminates(run, &path, &pool, &set).unwrap();
            assert_eq!(images.eliminates(run, &path, &pool, &set).unwrap(), answer);
            answer
        };
        assert!(!eliminates(&mut run, &[]));
        assert!(!eliminates(&mut run, &[other]));
        assert!(eliminates(&mut run, &[of_xy]));
        assert!(eliminates(&mut run, &[of_xy, other]));
    }

    #[test]
    fn all_checks_refute_the_trace_and_simulation_names_the_guard() {
        let mut terms = Terms::new();
        let program = running_example(&mut terms);
        let system = ProgramSystem::over(&terms, &program, SummaryKind::Sbe);
        let (budget, strategy, mut silent) = (Budget::unlimited(), Strategy::default(), Silent);
        let mut run = Run::new(&mut terms, &system, &strategy, &budget, &mut silent);
        let trace = Explicit::new(&run).explore(&mut run).unwrap().expect("nothing excludes L4 yet");
        let last = trace.steps.len() - 1;
        let path = Path::new(&system, &trace);
        let mut spurious = |check: &mut dyn TraceCheck<_>| match check.check(&mut run, &trace).unwrap() {
            Checked::Spurious(why) => why,
            Checked::Real(_) => panic!("L4 is not reachable"),
        };
        let blocks = || Blocks::new(&system, &budget);
        assert_eq!(spurious(&mut blocks()).step, None);
        // X becomes FALSE when both assignments have been passed: in the first block.
        assert_eq!(spurious(&mut WeakestPrecondition::new(blocks())).step, Some(0));
        // Forward it is the branch to L4, the last edge of the path.
        let why = spurious(&mut Simulation::new(blocks()));
        assert_eq!((why.step, why.guard), (Some(last), Some(path.edges.len() - 1)));
    }
}
