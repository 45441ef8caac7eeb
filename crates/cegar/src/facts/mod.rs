//! Invariants that are guessed and checked.
//!
//! [Candidates](tamis_system::Candidates) for each point come from sources that can be switched one by one ([`FactSource`]): guesses
//! of the formalism, conditions of the text, and what fits sampled executions. Candidates that a sampled state contradicts
//! are dropped at once, and of the others those are kept that hold by induction together ([`houdini`]). If these facts
//! exclude the error, they are a proof. If not, they strengthen other searches: the loop ([`Board`]) and k-induction.

mod board;
mod fit;
mod houdini;
mod instances;
mod relations;
mod room;
mod shapes;

pub(crate) use board::{Board, Seen, adopted};

use crate::strategy::FactSource;
use houdini::houdini;
use instances::assumed;
use rustc_hash::FxHashSet;
use shapes::Table;
use std::time::Duration;
use tamis_logic::{Bits, Model, Op, Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_system::{Candidates, Domains, Elements, Invariants, Point, StepId, System};

/// So many states are sampled at each point.
const SAMPLES: usize = 160;

/// So many conditions of the text are looked at for each point.
const CONDITIONS: usize = 40;

/// So many assignments of the text are looked at.
const ASSIGNMENTS: usize = 100;

/// So many conditions of the text split samples, whose parts may have relations of their own.
const SPLITS: usize = 6;

/// So long one portion of candidates may take, the search for linear relations, a portion about elements of arrays, the question
/// whether facts exclude the error, and what makes facts fewer.
const PORTION: Duration = Duration::from_secs(5);
const RELATIONS: Duration = Duration::from_secs(2);
const ELEMENTS: Duration = Duration::from_secs(12);
const LAST_QUESTION: Duration = Duration::from_secs(3);
const SIMPLIFYING: Duration = Duration::from_millis(200);

/// More candidates than this are not looked at, at a point.
const MOST: usize = 400;

/// Guesses facts, and checks them. They are told in portions, those that cost least first; each portion has the ones before.
pub(crate) struct Facts<'a, S: System> {
    system: &'a S,
    source: &'a dyn Candidates,
    samples: Vec<Vec<Model>>,
    conditions: Vec<Vec<Term>>,
    /// Equations that assignments leave behind.
    assigned: Vec<Vec<Term>>,
    numbers: Vec<Bits>,
    /// What has been shown.
    known: Vec<Vec<Term>>,
    /// What is to be tried, the last first.
    portions: Vec<Portion>,
}

/// Candidates that are tried together.
#[derive(Clone, Copy)]
enum Portion {
    /// Conditions of the text, linear relations, bounds and orders.
    Simple,
    /// What is yet to be done, and the room that is left for it.
    Room,
    /// The strongest linear relations that hold by induction.
    Relations,
    /// What holds of all elements of arrays that loops have come by, or have yet to.
    Elements(Elements),
    /// Relations between products.
    Products,
    /// What holds of a part of the samples.
    Parts,
}

impl<'a, S: System> Facts<'a, S> {
    /// Looks for candidates; `None` if the system has no ideas.
    pub fn new(
        terms: &mut Terms,
        system: &'a S,
        sources: &[FactSource],
        budget: &Budget,
    ) -> Result<Option<Facts<'a, S>>, Stop> {
        let Some(source) = system.candidates() else { return Ok(None) };
        let stop = || budget.check().is_err();
        let has = |source: FactSource| sources.contains(&source);
        let nothing = || vec![Vec::new(); system.points()];
        let domains = Domains {
            intervals: has(FactSource::Intervals),
            zones: has(FactSource::Zones),
            rounds: has(FactSource::Rounds),
        };
        let interpreted = match domains.intervals || domains.zones || domains.rounds {
            true => source.interpreted(terms, domains, &stop),
            false => nothing(),
        };
        let samples = if has(FactSource::Samples) {
            source.executed(terms, SAMPLES, &stop)
        } else {
            vec![Vec::new(); system.points()]
        };
        let conditions =
            if has(FactSource::Text) { source.written(terms, CONDITIONS, &stop) } else { nothing() };
        let assigned = if has(FactSource::Text) { source.assigned(terms, ASSIGNMENTS) } else { nothing() };
        budget.check()?;
        let numbers = numbers(terms, &conditions);
        let mut facts = Facts {
            system,
            source,
            samples,
            conditions,
            assigned,
            numbers,
            known: nothing(),
            portions: Vec::new(),
        };
        facts.keep(terms, interpreted, budget)?;
        facts.portions = vec![Portion::Parts, Portion::Products];
        if has(FactSource::Arrays) {
            for (all, conditional) in [(true, true), (true, false), (false, true), (false, false)] {
                facts.portions.push(Portion::Elements(Elements { all, conditional }));
            }
        }
        if has(FactSource::Relations) {
            facts.portions.push(Portion::Relations);
        }
        if has(FactSource::Text) {
            facts.portions.push(Portion::Room);
        }
        facts.portions.push(Portion::Simple);
        Ok(Some(facts))
    }

    /// Tries the next portion; `false` if there is none left.
    pub fn more(&mut self, terms: &mut Terms, budget: &Budget) -> Result<bool, Stop> {
        let Some(portion) = self.portions.pop() else { return Ok(false) };
        let time = if matches!(portion, Portion::Elements(_)) { ELEMENTS } else { PORTION };
        let (all, budget) = (budget, &budget.child_with_timeout(time));
        let mut candidates = vec![Vec::new(); self.system.points()];
        if let Portion::Elements(which) = portion {
            let stop = || budget.check().is_err();
            candidates = self.source.elements(terms, which, &stop);
        }
        if let Portion::Relations = portion {
            let inner = 1..self.system.points() - 1;
            let tables = (0..self.system.points()).map(|p| {
                if !inner.contains(&p) {
                    return Vec::new();
                }
                let mut variables = self.variables(terms, Point(p as u32));
                variables.truncate(relations::MOST_VARIABLES);
                Table::of(terms, &variables, &self.samples[p].iter().collect::<Vec<_>>())
            });
            let tables = tables.collect();
            let budget = budget.child_with_timeout(RELATIONS);
            candidates = relations::relations(terms, self.system, &self.known, tables, &budget)?;
        }
        for point in (1..self.system.points() as u32 - 1).map(Point) {
            all.check()?;
            candidates[point.index()] = match portion {
                Portion::Simple => self.simple(terms, point),
                Portion::Room => {
                    let variables = self.variables(terms, point);
                    room::candidates(terms, &self.conditions[point.index()], &variables)
                }
                Portion::Elements(_) | Portion::Relations => continue,
                Portion::Products => self.products(terms, point),
                Portion::Parts => self.implied_by_parts(terms, point),
            };
        }
        // A portion that takes too long is left out.
        let before = self.count();
        match self.keep(terms, candidates, budget) {
            Ok(()) | Err(Stop::Timeout) => all.check()?,
            Err(stop) => return Err(stop),
        }
        if matches!(portion, Portion::Relations) && self.count() > before {
            // What is not inductive by itself may be so with the relations.
            self.portions.push(Portion::Simple);
        }
        Ok(true)
    }

    /// The facts so far that have no index variables.
    pub fn plain(&self, terms: &mut Terms) -> Invariants {
        let facts: Invariants = self.invariants(terms);
        facts.iter().map(|(_, fact)| without_indices(terms, fact)).collect()
    }

    /// The facts so far. What has index variables is meant for all their values.
    pub fn invariants(&self, terms: &mut Terms) -> Invariants {
        let error = self.system.error();
        (0..self.system.points() as u32)
            .map(Point)
            .map(|p| if p == error { terms.fals() } else { terms.and(&self.known[p.index()]) })
            .collect()
    }

    /// How many facts there are.
    pub fn count(&self) -> usize {
        self.known.iter().map(Vec::len).sum()
    }

    /// Whether the facts exclude the error.
    pub fn exclude_the_error(&self, terms: &mut Terms, budget: &Budget) -> Result<bool, Stop> {
        let (all, budget) = (budget, &budget.child_with_timeout(LAST_QUESTION));
        match self.all_exclude_the_error(terms, budget) {
            Err(Stop::Timeout) => all.check().map(|()| false),
            answer => answer,
        }
    }

    fn all_exclude_the_error(&self, terms: &mut Terms, budget: &Budget) -> Result<bool, Stop> {
        let error = self.system.error();
        for (i, step) in self.system.steps().iter().enumerate().filter(|(_, step)| step.to == error) {
            let formula = self.system.encode(terms, StepId(i as u32), &self.system.symbolic());
            let mut solver = Solver::new(budget);
            let known = assumed(terms, &self.known[step.from.index()], &formula.constraints);
            formula.constraints.iter().chain(&known).for_each(|&c| solver.assert(terms, c));
            if solver.check(terms, &[])? == Answer::Sat {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Keeps the candidates that hold by induction.
    fn keep(&mut self, terms: &mut Terms, candidates: Vec<Vec<Term>>, budget: &Budget) -> Result<(), Stop> {
        let mut new = Vec::with_capacity(candidates.len());
        for (p, candidates) in candidates.into_iter().enumerate() {
            let mut seen: FxHashSet<Term> = self.known[p].iter().copied().collect();
            let fresh: Vec<Term> =
                candidates.into_iter().filter(|&c| !terms.is_true(c) && seen.insert(c)).take(MOST).collect();
            new.push(agreeing(terms, fresh, &self.samples[p]));
        }
        if new.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let kept = houdini(terms, self.system, &self.known, new, budget)?;
        for (known, kept) in self.known.iter_mut().zip(kept) {
            known.extend(kept);
            *known = without_implied(terms, std::mem::take(known), budget)?;
        }
        Ok(())
    }

    /// Conditions of the text, the linear relations of the samples, bounds and orders.
    fn simple(&self, terms: &mut Terms, point: Point) -> Vec<Term> {
        let mut found = self.assigned[point.index()].clone();
        for condition in self.conditions[point.index()].clone() {
            found.extend([condition, terms.not(condition)]);
            found.extend(relaxed(terms, condition));
        }
        for table in self.tables(terms, point, &|_| true) {
            found.extend(table.linear(terms));
            found.extend(table.bounds(terms, &self.numbers));
            found.extend(table.orders(terms));
        }
        found
    }

    /// Relations between products.
    fn products(&self, terms: &mut Terms, point: Point) -> Vec<Term> {
        let tables = self.tables(terms, point, &|_| true);
        tables.iter().flat_map(|table| table.quadratic(terms)).collect()
    }

    /// What holds of the samples of which a condition of the text does, or does not.
    fn implied_by_parts(&self, terms: &mut Terms, point: Point) -> Vec<Term> {
        let mut found = Vec::new();
        for condition in self.conditions[point.index()].iter().take(SPLITS).copied().collect::<Vec<_>>() {
            for value in [true, false] {
                let premise = if value { condition } else { terms.not(condition) };
                let part = |terms: &Terms, model: &Model| terms.eval(condition, model).as_bool() == value;
                let samples: Vec<&Model> =
                    self.samples[point.index()].iter().filter(|m| part(terms, m)).collect();
                let mut conclusions = Vec::new();
                if samples.is_empty() {
                    // Executions may come there late: what is compared may be even or odd then.
                    conclusions
                        .extend(terms.free_vars(condition).into_iter().flat_map(|v| parities(terms, v)));
                } else if samples.len() < self.samples[point.index()].len() {
                    let variables = self.variables(terms, point);
                    for table in Table::of(terms, &variables, &samples) {
                        conclusions.extend(table.linear(terms));
                        conclusions.extend(table.orders(terms));
                    }
                }
                for conclusion in conclusions {
                    found.push(terms.implies(premise, conclusion));
                }
            }
        }
        found
    }

    /// The live variables, those first that conditions are about.
    fn variables(&self, terms: &Terms, point: Point) -> Vec<Term> {
        let compared: FxHashSet<Term> =
            terms.free_vars_of(&self.conditions[point.index()]).into_iter().collect();
        let mut live = self.source.live(point);
        live.sort_by_key(|v| !compared.contains(v));
        live
    }

    fn tables(&self, terms: &Terms, point: Point, keep: &dyn Fn(&Model) -> bool) -> Vec<Table> {
        let samples: Vec<&Model> = self.samples[point.index()].iter().filter(|m| keep(m)).collect();
        if samples.is_empty() {
            return Vec::new();
        }
        Table::of(terms, &self.variables(terms, point), &samples)
    }
}

/// The formulas that the others do not imply.
fn without_implied(terms: &mut Terms, mut formulas: Vec<Term>, budget: &Budget) -> Result<Vec<Term>, Stop> {
    let mut solver = Solver::new(&budget.child_with_timeout(SIMPLIFYING));
    let mut i = formulas.len();
    // Later ones come from bolder guesses.
    while i > 0 {
        i -= 1;
        let formula = formulas.remove(i);
        let mut others = formulas.clone();
        others.push(terms.not(formula));
        match solver.check(terms, &others) {
            Ok(Answer::Unsat) => {}
            Ok(Answer::Sat) => formulas.insert(i, formula),
            Err(stop) => {
                formulas.insert(i, formula);
                return if stop == Stop::Timeout { budget.check().map(|()| formulas) } else { Err(stop) };
            }
        }
    }
    Ok(formulas)
}

/// The conjuncts without index variables.
fn without_indices(terms: &mut Terms, formula: Term) -> Term {
    let conjuncts: Vec<Term> =
        terms.conjuncts(&[formula]).into_iter().filter(|&c| terms.index_variables(c).is_empty()).collect();
    terms.and(&conjuncts)
}

/// The candidates that no sample contradicts.
fn agreeing(terms: &Terms, candidates: Vec<Term>, samples: &[Model]) -> Vec<Term> {
    let (indexed, mut candidates): (Vec<Term>, Vec<Term>) =
        candidates.into_iter().partition(|&c| !terms.index_variables(c).is_empty());
    for sample in samples {
        let values = terms.eval_all(&candidates, sample);
        let mut values = values.iter();
        candidates.retain(|_| values.next().is_some_and(|v| v.as_bool()));
    }
    candidates.extend(indexed);
    candidates
}

/// Conditions that a strict order makes when it ends to hold by one, and what is left of an equation.
fn relaxed(terms: &mut Terms, condition: Term) -> Vec<Term> {
    let (op, args) = (terms.op(condition), terms.args(condition).to_vec());
    let &[a, b] = &args[..] else { return Vec::new() };
    match op {
        Op::Ult => vec![terms.ule(a, b), terms.ule(b, a)],
        Op::Slt => {
            let one = terms.bits(terms.width(a), 1);
            let more = terms.add(a, one);
            vec![terms.sle(a, b), terms.sle(b, a), terms.sle(b, more)]
        }
        Op::Eq if terms.sort(a).width().is_some() => {
            vec![terms.sle(a, b), terms.sle(b, a), terms.ule(a, b), terms.ule(b, a)]
        }
        _ => Vec::new(),
    }
}

/// That a number is even, and that it is odd.
fn parities(terms: &mut Terms, v: Term) -> Vec<Term> {
    if terms.sort(v).width().is_none() {
        return Vec::new();
    }
    let last = terms.extract(0, 0, v);
    let zero = terms.bits(1, 0);
    let even = terms.eq(last, zero);
    vec![even, terms.not(even)]
}

/// The numbers in conditions.
fn numbers(terms: &Terms, conditions: &[Vec<Term>]) -> Vec<Bits> {
    let roots: Vec<Term> = conditions.iter().flatten().copied().collect();
    let mut numbers: Vec<Bits> = Vec::new();
    for t in terms.post_order(&roots) {
        match terms.bits_constant(t) {
            Some(bits) if bits.width() <= 64 && !numbers.contains(&bits) => numbers.push(bits),
            _ => {}
        }
    }
    numbers
}
