//! Proofs by exhaustion are re-checked: all executions are followed to their ends.
//!
//! They are followed together, in the order of the program: at a place that several paths lead to, their values are joined, and a
//! loop is left only when no execution is to be followed in it any more. Each execution is on one path at a time, and is followed
//! edge by edge until it ends or has come back to a loop where the proof says that none does. So the proof holds if
//! no execution has come to such a place, and none to the error. The order matters for the size of the formula alone.
//!
//! What this shares with the search is how values are kept ([`Environment`]) and paths joined ([`Path`]), which
//! `logic/tests/environment.rs` holds against executions one by one.

use crate::certify::{Rejection, on_a_way_to_error};
use crate::conditions::{Condition, Purpose};
use std::collections::BTreeMap;
use std::ops::Range;
use tamis_logic::{Environment, Path, Sort, Term, Terms};
use tamis_program::{Command, EdgeId, Program, UnwindingOrder};
use tamis_solver::{Answer, Budget, Solver};

/// A proof by exhaustion: where loops and recursion end. When no path is left within a loop, and paths have come back to where it
/// starts, that is a *return*; and so is it when paths have come to a call of a function that is active already. They are counted
/// from 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exhaustion {
    /// The returns with which no execution comes back, in order.
    pub last: Vec<usize>,
    /// How many returns there are.
    pub returns: usize,
}

/// Finds a proof by exhaustion, in which loops have at most so many rounds each time that they are entered.
///
/// ```
/// use tamis_evidence::{Rejection, certify_exhausted, exhaust};
/// use tamis_front_c::{Options, translate_source};
/// use tamis_logic::Terms;
/// use tamis_solver::Budget;
/// let text = "extern void reach_error(void); extern unsigned char __VERIFIER_nondet_uchar(void);
///     int main(void) { int s = 0; unsigned char n = __VERIFIER_nondet_uchar();
///     n %= 4; for (int i = 0; i < n; i++) s += i; if (s > 3) reach_error(); return 0; }";
/// let mut terms = Terms::new();
/// let program = translate_source("sum.i", text, &Options::default(), &mut terms)?;
/// let proof = exhaust(&mut terms, &program, 4, &Budget::unlimited()).unwrap();
/// assert_eq!(proof.last, [3]);
/// assert_eq!(certify_exhausted(&mut terms, &program, &proof, &Budget::unlimited()), Ok(()));
/// assert_eq!(exhaust(&mut terms, &program, 2, &Budget::unlimited()), Err(Rejection::Unfinished));
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn exhaust(
    terms: &mut Terms,
    program: &Program,
    rounds: usize,
    budget: &Budget,
) -> Result<Exhaustion, Rejection> {
    let mut solver = Solver::new(budget);
    let mut proof = Exhaustion::default();
    let failing = follow(terms, program, budget, &mut |terms, back| {
        proof.returns += 1;
        let comes_back = solver.check(terms, &[back.condition])? == Answer::Sat;
        if !comes_back {
            proof.last.push(back.number);
        } else if back.round >= rounds {
            return Err(Rejection::Unfinished);
        }
        Ok(comes_back)
    })?;
    match solver.check(terms, &[failing])? {
        Answer::Unsat => Ok(proof),
        Answer::Sat => Err(Rejection::Safety(program.entry())),
    }
}

/// Checks a proof by exhaustion, from the program alone.
pub fn certify_exhausted(
    terms: &mut Terms,
    program: &Program,
    proof: &Exhaustion,
    budget: &Budget,
) -> Result<(), Rejection> {
    let conditions = proof.conditions(terms, program, budget)?;
    match crate::decide(terms, &conditions, budget)? {
        None => Ok(()),
        Some(failing) => Err(Rejection::of(failing)),
    }
}

impl Exhaustion {
    /// The condition of the proof, from the program alone: that no execution comes back to where loops have ended, and none to the
    /// error.
    pub fn conditions(
        &self,
        terms: &mut Terms,
        program: &Program,
        budget: &Budget,
    ) -> Result<Vec<Condition>, Rejection> {
        let failing = follow(terms, program, budget, &mut |_, back| {
            if back.number >= self.returns {
                return Err(Rejection::Unfinished);
            }
            Ok(self.last.binary_search(&back.number).is_err())
        })?;
        let truth = terms.tru();
        Ok(vec![Condition {
            purpose: Purpose::Exhaustion,
            from: program.entry(),
            to: program.error(),
            before: truth,
            way: failing,
            failure: truth,
        }])
    }
}

/// A return to a loop, or to a function.
struct Return {
    number: usize,
    /// How often the loop has been passed since it was entered.
    round: usize,
    /// That an execution comes back.
    condition: Term,
}

/// Decides whether executions come back.
type Goes<'a> = &'a mut dyn FnMut(&mut Terms, Return) -> Result<bool, Rejection>;

/// Follows all executions as far as they are said to go; the condition under which one goes further, or to the error.
fn follow(terms: &mut Terms, program: &Program, budget: &Budget, goes: Goes<'_>) -> Result<Term, Rejection> {
    if program.entry() == program.error() {
        return Err(Rejection::Safety(program.entry()));
    }
    let order = UnwindingOrder::new(program);
    let mut executions = Executions { program, order: &order, at: BTreeMap::new(), failing: Vec::new() };
    check_order(program, &order)?;
    // The loops around the place that was last looked at, the innermost last, with their rounds.
    let mut loops: Vec<(Range<usize>, usize)> = Vec::new();
    let (mut number, mut last) = (0, None);
    executions.at.entry(0).or_default().push((Path::default(), Environment::default()));
    while !executions.at.is_empty() {
        budget.check()?;
        let Some(next) = executions.next(loops.last().map(|(places, _)| places), last) else {
            let Some((places, round)) = loops.last_mut() else { return Err(Rejection::Unfinished) };
            *round += 1;
            let (places, round) = (places.clone(), *round);
            if executions.at.range(places.clone()).next().is_some() {
                let condition = executions.within(terms, &places);
                let back = Return { number, round, condition };
                number += 1;
                if goes(terms, back)? {
                    last = None;
                    continue;
                }
                executions.end(&places);
            }
            loops.pop();
            continue;
        };
        let around: Vec<Range<usize>> = order.loops_at(next).collect();
        for places in around[..around.len() - loops.len()].iter().rev() {
            loops.push((places.clone(), 0));
        }
        last = Some(next);
        if order.begins_recursion(next) {
            let call = next..next + 1;
            let condition = executions.within(terms, &call);
            let back = Return { number, round: 0, condition };
            number += 1;
            if !goes(terms, back)? {
                executions.end(&call);
                continue;
            }
        }
        executions.step(terms, next);
    }
    let failing = any(terms, &executions.failing);
    Ok(terms.in_normal_order(failing))
}

/// Each location that matters has to have a place, or executions would be lost.
fn check_order(program: &Program, order: &UnwindingOrder) -> Result<(), Rejection> {
    let matters = on_a_way_to_error(program);
    match program.locations().find(|&l| matters[l.index()] && order.place(l).is_none()) {
        Some(lost) => Err(Rejection::UncutLoop(lost)),
        None => Ok(()),
    }
}

/// Executions that are followed.
struct Executions<'a> {
    program: &'a Program,
    order: &'a UnwindingOrder,
    /// The paths that they have gone, by the places where they are.
    at: BTreeMap<usize, Vec<(Path, Environment)>>,
    /// The paths of those that are not to be.
    failing: Vec<Path>,
}

impl Executions<'_> {
    /// The place to go on at: the first after the last one, within a loop.
    fn next(&self, within: Option<&Range<usize>>, last: Option<usize>) -> Option<usize> {
        let first = last.map_or(0, |last| last + 1);
        let places = match within {
            Some(places) => first.max(places.start)..places.end,
            // Whatever is left then is behind all loops.
            None => 0..usize::MAX,
        };
        self.at.range(places).next().map(|(&place, _)| place)
    }

    /// That an execution is at one of some places.
    fn within(&self, terms: &mut Terms, places: &Range<usize>) -> Term {
        let here = self.at.range(places.clone()).flat_map(|(_, paths)| paths);
        let paths: Vec<Path> = here.map(|(path, _)| path.clone()).collect();
        any(terms, &paths)
    }

    /// Takes the executions at some places for ended; that they are not would be a failure.
    fn end(&mut self, places: &Range<usize>) {
        let ended: Vec<usize> = self.at.range(places.clone()).map(|(&place, _)| place).collect();
        for place in ended {
            let paths = self.at.remove(&place).unwrap_or_default();
            self.failing.extend(paths.into_iter().map(|(path, _)| path));
        }
    }

    /// Follows the executions at a place over one edge.
    fn step(&mut self, terms: &mut Terms, place: usize) {
        let paths = self.at.remove(&place).unwrap_or_default();
        let Some((path, values)) = Path::join(terms, paths) else { return };
        let error = self.order.place(self.program.error());
        for (edge, to, guard) in self.ways(terms, place, &path, &values) {
            let command = &self.program.edge(edge).command;
            let path = match command {
                Command::Assume(over_variables) => path.pass(terms, &values, *over_variables, guard),
                _ => path.meet(terms, guard),
            };
            let Some(path) = path else { continue };
            if Some(to) == error {
                self.failing.push(path);
                continue;
            }
            let mut values = values.clone();
            match command {
                Command::Assign(v, value) => values.assign(terms, &path, self.program.term(*v), *value),
                Command::Havoc(v, _) => {
                    let (var, line) = (self.program.term(*v), self.program.edge(edge).source.line);
                    let name = format!("{}@{line}", self.program.variable(*v).name);
                    let any = terms.fresh(&name, terms.sort(var));
                    values.assign(terms, &path, var, any);
                }
                Command::Assume(_) => {}
            }
            self.at.entry(to).or_default().push((path, values));
        }
    }

    /// The edges out of a place that can be passed, with where they lead and when they are the one that is.
    fn ways(
        &self,
        terms: &mut Terms,
        place: usize,
        path: &Path,
        values: &Environment,
    ) -> Vec<(EdgeId, usize, Term)> {
        let (mut ways, mut guards) = (Vec::new(), Vec::new());
        for (edge, to) in self.order.passages(self.program, place) {
            let guard = match self.program.edge(edge).command {
                Command::Assume(guard) => guard,
                _ => terms.tru(),
            };
            guards.push(guard);
            let guard = values.read(terms, path, guard);
            match path.decides(terms, guard) {
                Some(true) => ways.push((edge, to, terms.tru())),
                Some(false) => {}
                None => ways.push((edge, to, guard)),
            }
        }
        // A branch on a condition and its complement needs no choice, nor do cases. Other guards may overlap, and then inputs choose.
        if let [(_, _, a), (_, _, b)] = ways[..]
            && terms.not(a) == b
        {
            return ways;
        }
        if terms.exclude_each_other(&guards) {
            return ways;
        }
        let (mut others, count) = (terms.tru(), ways.len());
        for (i, (edge, _, guard)) in ways.iter_mut().enumerate() {
            let line = self.program.edge(*edge).source.line;
            let is_last = i + 1 == count;
            let this = if is_last { terms.tru() } else { terms.fresh(&format!("choice@{line}"), Sort::Bool) };
            *guard = terms.and(&[others, this, *guard]);
            let not_this = terms.not(this);
            others = terms.and2(others, not_this);
        }
        ways
    }
}

/// That an execution goes one of several paths.
fn any(terms: &mut Terms, paths: &[Path]) -> Term {
    let ways = paths.iter().map(|path| (path.clone(), Environment::default())).collect();
    match Path::join(terms, ways) {
        Some((path, _)) => path.term(terms),
        None => terms.fals(),
    }
}
