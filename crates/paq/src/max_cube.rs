//! Clauses of bounded size: the maximum cube length of \[SMC\] section 4.4, as \[CTL\] section 2.2 uses it.

use crate::{Abstraction, Context, Engine, Interrupted, Predicate};
use tamis_diagram::{Bdd, Diagrams};
use tamis_logic::{Term, Terms};
use tamis_solver::{Answer, Solver};

/// The strongest conjunction of clauses of at most so many literals over the predicates that the formula implies.
///
/// Clauses are tried by growing size. Most are settled without the solver: a model that was found before falsifies the
/// clause, or it follows from those that hold. Exact if there are no more predicates than literals in a clause.
#[derive(Clone, Copy, Debug)]
pub struct MaxCube {
    /// The most literals of a clause.
    pub size: usize,
}

impl Engine for MaxCube {
    fn name(&self) -> &'static str {
        "maxcube"
    }

    fn abstraction(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Abstraction, Interrupted> {
        let Context { terms, diagrams, solver, .. } = context;
        let exact = predicates.len() <= self.size;
        let answer = |function| Abstraction { function, exact, engine: "maxcube" };
        if solver.check(terms, assumptions)? == Answer::Unsat {
            return Ok(answer(diagrams.fals()));
        }
        let tru = diagrams.tru();
        let mut clauses = Clauses::new(terms, diagrams, solver, assumptions, predicates);
        Ok(answer(clauses.up_to(self.size, &Every, tru)?))
    }

    fn is_exact(&self) -> bool {
        false
    }
}

/// A literal: the position of the predicate and its value.
pub(crate) type Literal = (usize, bool);

/// Which clauses are tried.
pub(crate) trait Wanted {
    /// Whether a clause may have these literals, among others that come after them.
    fn admits(&self, literals: &[Literal]) -> bool;

    /// Whether a clause that is admitted is asked about, rather than known to be implied or not by what was found before.
    fn is_asked(&self, clause: &[Literal]) -> bool;
}

/// All clauses.
struct Every;

impl Wanted for Every {
    fn admits(&self, _: &[Literal]) -> bool {
        true
    }

    fn is_asked(&self, _: &[Literal]) -> bool {
        true
    }
}

/// The clauses over predicates that a satisfiable formula implies.
pub(crate) struct Clauses<'a> {
    terms: &'a Terms,
    diagrams: &'a Diagrams,
    solver: &'a mut Solver,
    assumptions: &'a [Term],
    predicates: &'a [Predicate],
    /// The predicates' negations.
    negated: Vec<Term>,
    samples: Samples,
}

impl<'a> Clauses<'a> {
    /// Right after the solver has found that the formula is satisfiable.
    pub fn new(
        terms: &'a mut Terms,
        diagrams: &'a Diagrams,
        solver: &'a mut Solver,
        assumptions: &'a [Term],
        predicates: &'a [Predicate],
    ) -> Clauses<'a> {
        let negated = predicates.iter().map(|p| terms.not(p.formula)).collect();
        let mut samples = Samples::default();
        samples.record(terms, solver, predicates);
        Clauses { terms, diagrams, solver, assumptions, predicates, negated, samples }
    }

    /// The conjunction of `function`, which the formula implies, and all wanted clauses of at most `size` literals that it
    /// implies.
    pub fn up_to(
        &mut self,
        size: usize,
        wanted: &impl Wanted,
        mut function: Bdd,
    ) -> Result<Bdd, Interrupted> {
        for size in 1..=size.min(self.predicates.len()) {
            function = self.of_size(size, wanted, function)?;
        }
        Ok(function)
    }

    /// The conjunction of `function` and all wanted clauses of `size` literals that the formula implies.
    fn of_size(&mut self, size: usize, wanted: &impl Wanted, mut function: Bdd) -> Result<Bdd, Interrupted> {
        // Samples that falsify the first literals of the clause, by their number.
        let mut clause: Vec<Literal> = Vec::with_capacity(size);
        let mut falsified = vec![self.samples.all()];
        let mut next = Some((0, true));
        loop {
            match next {
                Some((place, value)) if place + size <= self.predicates.len() + clause.len() => {
                    clause.push((place, value));
                    let left = self.samples.falsify(&falsified[clause.len() - 1], (place, value));
                    falsified.push(left);
                    let admitted = wanted.admits(&clause);
                    let possible = falsified[clause.len()].iter().all(|&word| word == 0);
                    // A shorter clause that was asked about and that no sample falsifies holds: what it is in follows.
                    if admitted && clause.len() < size && !(possible && wanted.is_asked(&clause)) {
                        next = Some((place + 1, true));
                        continue;
                    }
                    let asked = admitted && clause.len() == size && possible && wanted.is_asked(&clause);
                    if asked && self.follows_not(&function, &clause)? {
                        if self.holds(&clause)? {
                            let literals = clause.iter().map(|&(p, value)| (self.predicates[p].var, !value));
                            let outside = self.diagrams.cube(&literals.collect::<Vec<_>>())?;
                            function = self.diagrams.minus(&function, &outside)?;
                        } else {
                            self.refresh(&clause, &mut falsified);
                        }
                    }
                }
                _ => {}
            }
            falsified.truncate(clause.len());
            // The other value of the last literal, or the next predicate.
            match clause.pop() {
                None => return Ok(function),
                Some((place, true)) => next = Some((place, false)),
                Some((place, false)) => next = Some((place + 1, true)),
            }
            falsified.truncate(clause.len() + 1);
        }
    }

    /// Whether the clause does not follow from `function`.
    fn follows_not(&self, function: &Bdd, clause: &[Literal]) -> Result<bool, Interrupted> {
        let outside: Vec<_> = clause.iter().map(|&(p, value)| (self.predicates[p].var, !value)).collect();
        let outside = self.diagrams.cube(&outside)?;
        Ok(!self.diagrams.is_subset(function, &self.diagrams.not(&outside)))
    }

    /// Whether the formula implies the clause; if not, there is a sample more.
    fn holds(&mut self, clause: &[Literal]) -> Result<bool, Interrupted> {
        let falsified =
            clause.iter().map(|&(p, value)| if value { self.negated[p] } else { self.predicates[p].formula });
        let assumptions: Vec<Term> = self.assumptions.iter().copied().chain(falsified).collect();
        if self.solver.check(self.terms, &assumptions)? == Answer::Unsat {
            return Ok(true);
        }
        self.samples.record(self.terms, self.solver, self.predicates);
        Ok(false)
    }

    /// Recomputes which samples falsify the prefixes of the clause.
    fn refresh(&self, clause: &[Literal], falsified: &mut Vec<Vec<u64>>) {
        falsified.clear();
        falsified.push(self.samples.all());
        for &literal in clause {
            let left = self.samples.falsify(&falsified[falsified.len() - 1], literal);
            falsified.push(left);
        }
    }
}

/// Values of the predicates in models of the formula, as a bit for each sample.
#[derive(Default)]
struct Samples {
    count: usize,
    /// For each predicate, the samples in which it holds.
    holds: Vec<Vec<u64>>,
}

impl Samples {
    fn record(&mut self, terms: &Terms, solver: &mut Solver, predicates: &[Predicate]) {
        self.holds.resize(predicates.len(), Vec::new());
        let (word, bit) = (self.count / 64, self.count % 64);
        for (holds, p) in self.holds.iter_mut().zip(predicates) {
            holds.resize(word + 1, 0);
            holds[word] |= u64::from(solver.value(terms, p.formula).as_bool()) << bit;
        }
        self.count += 1;
    }

    fn all(&self) -> Vec<u64> {
        let mut all = vec![u64::MAX; self.count.div_ceil(64)];
        if let (Some(last), rest) = (all.last_mut(), self.count % 64)
            && rest > 0
        {
            *last = (1 << rest) - 1;
        }
        all
    }

    /// Those of `among` in which the literal is false.
    fn falsify(&self, among: &[u64], (place, value): Literal) -> Vec<u64> {
        let holds = &self.holds[place];
        among.iter().zip(holds).map(|(&a, &h)| a & if value { !h } else { h }).collect()
    }
}
