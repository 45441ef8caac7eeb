//! *TraceEliminate*: do predicates eliminate a trace? [MIN] section 2.4, Fig. 4.
//!
//! The paper computes the abstract states along the trace. With an exact abstraction there is a shorter way. The
//! abstract model has a trace along a path if and only if the path's segments can be executed, each from a state of its
//! own, such that where one ends and the next one starts the two states agree on the predicates there. That is one
//! formula, in which every candidate has a literal that makes the states agree on its predicates: the elimination by a
//! set of candidates is the unsatisfiability under the assumption of their literals, and one solver serves all sets.

use super::images::TraceImages;
use super::relations::TraceRelations;
use crate::cegar::Run;
use crate::refine::path::Path;
use crate::refine::proposal::{CandidateId, Pool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_logic::{Model, Sort, Term, Terms};
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Budget, Solver};
use tamis_system::{Point, System};

/// Checks the elimination of paths.
pub struct TraceEliminate<S: System> {
    paths: FxHashMap<Box<[S::Edge]>, Agreement<S>>,
    names: Names,
    /// For sets of candidates that very many sets are of.
    relations: Option<TraceRelations<S>>,
    /// For engines that are not exact.
    images: TraceImages<S>,
}

/// Of so few candidates the states along a path are computed: their images recur from path to path, while the formula of
/// a path and all that it says of a candidate is about that path alone.
const FEW: usize = 2;

/// With more pairs of states that have been made to agree on a predicate than this, what is known of paths is
/// forgotten: memory does not grow with the iterations.
const MAX_AGREEMENTS: usize = 1 << 15;

impl<S: System> Default for TraceEliminate<S> {
    fn default() -> TraceEliminate<S> {
        TraceEliminate {
            paths: FxHashMap::default(),
            names: Names::default(),
            relations: None,
            images: TraceImages::default(),
        }
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
        Ok(self.eliminating(run, path, pool, chosen)?.is_some())
    }

    /// Those of `chosen` by which the abstract model has no trace along `path`, if it has none; all of them where it is
    /// not known which.
    pub fn eliminating(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
    ) -> Result<Option<BTreeSet<CandidateId>>, Interrupted> {
        if !run.engine().is_exact() || chosen.len() <= FEW {
            let eliminated = self.images.eliminates(run, path, pool, chosen)?;
            return Ok(eliminated.then(|| chosen.clone()));
        }
        if let Some(relations) = self.relations.as_mut().filter(|relations| relations.knows(chosen)) {
            match relations.eliminates(run, path, pool, chosen) {
                Ok(eliminated) => return Ok(eliminated.then(|| chosen.clone())),
                Err(_) => relations.give_up(),
            }
        }
        let (agreement, literals) = self.agreement(run, path, pool, chosen)?;
        let assumptions: Vec<Term> = literals.iter().map(|&(literal, _)| literal).collect();
        if agreement.solver.check(run.terms, &assumptions)? == Answer::Sat {
            return Ok(None);
        }
        let core = agreement.solver.core();
        Ok(Some(literals.iter().filter(|(l, _)| core.contains(l)).map(|&(_, id)| id).collect()))
    }

    /// A trace along `path` that the exact abstract model with the predicates of `chosen` has, if it has one: for each
    /// cut that is asked about, the values of state variables where the segment before it ends.
    pub fn ends(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
        asked: &[(usize, &[Term])],
    ) -> Result<Option<Vec<Model>>, Interrupted> {
        let system = run.abstraction.system;
        let (agreement, literals) = self.agreement(run, path, pool, chosen)?;
        let assumptions: Vec<Term> = literals.iter().map(|&(literal, _)| literal).collect();
        if agreement.solver.check(run.terms, &assumptions)? == Answer::Unsat {
            return Ok(None);
        }
        let Agreement { solver, segments, .. } =
            self.paths.get_mut(path.edges.as_slice()).expect("just asked");
        let mut ends = Vec::with_capacity(asked.len());
        for &(cut, variables) in asked {
            let mut end = Model::new();
            for &v in variables {
                let value = system.read(run.terms, &mut segments[cut - 1].post, v);
                let value = self.names.rename(run.terms, cut - 1, value);
                end.set(v, solver.value(run.terms, value));
            }
            ends.push(end);
        }
        Ok(Some(ends))
    }

    /// What is known of a path, and the literals of candidates there.
    fn agreement(
        &mut self,
        run: &mut Run<'_, S>,
        path: &Path<S::Edge>,
        pool: &Pool,
        chosen: &BTreeSet<CandidateId>,
    ) -> Result<(&mut Agreement<S>, Literals), Interrupted> {
        run.budget.check()?;
        let (system, names) = (run.abstraction.system, &mut self.names);
        if !self.paths.contains_key(path.edges.as_slice()) {
            if self.paths.values().map(|agreement| agreement.size).sum::<usize>() >= MAX_AGREEMENTS {
                self.paths.clear();
            }
            let agreement = Agreement::new(run.terms, names, system, run.budget, path);
            self.paths.insert(path.edges.as_slice().into(), agreement);
        }
        let agreement = self.paths.get_mut(path.edges.as_slice()).expect("just made");
        let literals =
            chosen.iter().map(|&id| (agreement.literal(run.terms, names, system, pool, id), id)).collect();
        Ok((agreement, literals))
    }

    /// Whether it is practical to ask about many sets of the candidates that it has been prepared for.
    pub fn is_prepared(&self) -> bool {
        self.relations.as_ref().is_some_and(|relations| !relations.has_given_up())
    }

    /// Takes note that many sets of the candidates in `universe` are going to be asked about.
    pub fn prepare(&mut self, pool: &Pool, universe: &BTreeSet<CandidateId>) {
        if !self.relations.as_ref().is_some_and(|relations| relations.is_for(universe)) {
            self.relations = Some(TraceRelations::new(pool, universe));
        }
    }

    /// Forgets what was computed with an engine that is no longer used.
    pub fn forget(&mut self) {
        self.images.forget();
    }
}

/// Literals that make states agree on the predicates of candidates.
type Literals = Vec<(Term, CandidateId)>;

/// The segments of a path with a state of its own for each.
struct Agreement<S: System> {
    solver: Solver,
    segments: Vec<Segment<S::State>>,
    stated: FxHashSet<CandidateId>,
    /// How much it says.
    size: usize,
}

struct Segment<T> {
    /// Where it starts.
    from: Point,
    /// The state after it, in terms of the state variables before it.
    post: T,
}

/// Names for what the formulas of paths are about. All paths have the same ones, so that what they have in common is
/// one term, and the terms do not grow with the iterations.
#[derive(Default)]
struct Names {
    variables: FxHashSet<Term>,
    /// Of state variables where a path's segment of some number starts.
    states: FxHashMap<(usize, Term), Term>,
    /// Of what makes the states agree on a candidate's predicates.
    literals: FxHashMap<CandidateId, Term>,
}

impl Names {
    fn rename(&mut self, terms: &mut Terms, segment: usize, t: Term) -> Term {
        for v in terms.free_vars(t) {
            if self.variables.contains(&v) && !self.states.contains_key(&(segment, v)) {
                let name = terms.fresh("state", terms.sort(v));
                self.states.insert((segment, v), name);
            }
        }
        terms.substitute_with(t, |v| self.states.get(&(segment, v)).copied())
    }

    fn literal(&mut self, terms: &mut Terms, id: CandidateId) -> Term {
        *self.literals.entry(id).or_insert_with(|| terms.fresh("agree", Sort::Bool))
    }
}

impl<S: System> Agreement<S> {
    fn new(
        terms: &mut Terms,
        names: &mut Names,
        system: &S,
        budget: &Budget,
        path: &Path<S::Edge>,
    ) -> Agreement<S> {
        if names.variables.is_empty() {
            names.variables = system.state_variables().into_iter().collect();
        }
        let mut solver = Solver::new(budget);
        let mut segments = Vec::with_capacity(path.cuts.len());
        for (cut, &(_, from)) in path.cuts.iter().enumerate() {
            let followed = system.follow(terms, path.segment(cut), &system.symbolic());
            for guard in followed.condition.terms() {
                let guard = names.rename(terms, cut, guard);
                solver.assert(terms, guard);
            }
            segments.push(Segment { from, post: followed.post });
        }
        let size = segments.len();
        Agreement { solver, segments, stated: FxHashSet::default(), size }
    }

    /// The literal that makes the states agree on a candidate's predicates.
    fn literal(
        &mut self,
        terms: &mut Terms,
        names: &mut Names,
        system: &S,
        pool: &Pool,
        id: CandidateId,
    ) -> Term {
        let literal = names.literal(terms, id);
        if !self.stated.insert(id) {
            return literal;
        }
        let predicates = &pool.get(id).predicates;
        for cut in 1..self.segments.len() {
            let point = self.segments[cut].from;
            for &(_, p) in predicates.iter().filter(|(at, _)| *at == point) {
                let ended = system.read(terms, &mut self.segments[cut - 1].post, p);
                let ended = names.rename(terms, cut - 1, ended);
                let started = names.rename(terms, cut, p);
                let same = terms.eq(ended, started);
                self.solver.assert_under(terms, literal, same);
                self.size += 1;
            }
        }
        literal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{Explicit, Exploration};
    use crate::trace_check::{Blocks, Checked, Simulation, TraceCheck, WeakestPrecondition};
    use crate::{Silent, Strategy};
    use tamis_logic::Terms;
    use tamis_program::{Builder, Command, Event, IntType, Program, ProgramSystem, Source, SummaryKind};
    use tamis_solver::Budget;
    use tamis_system::{BranchId, GuardId};

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
        let mut relations = TraceRelations::new(&pool, &BTreeSet::from([of_x, of_z]));
        let mut eliminates = |run: &mut Run<'_, _>, set: &[CandidateId]| {
            let set = set.iter().copied().collect();
            let answer = at_once.eliminates(run, &path, &pool, &set).unwrap();
            assert_eq!(images.eliminates(run, &path, &pool, &set).unwrap(), answer);
            assert_eq!(relations.eliminates(run, &path, &pool, &set).unwrap(), answer);
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
        let guard = GuardId { edge: path.edges.len() - 1, index: 0 };
        assert_eq!((why.step, why.guard), (Some(last), Some(guard)));
    }
}
