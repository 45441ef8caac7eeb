//! Proofs by k-induction about programs are re-checked.
//!
//! An execution goes from cutpoint to cutpoint, by ways that are free of cutpoints. The proof has three parts:
//!
//! - *Facts*: formulas at the cutpoints that are inductive by themselves. They need not exclude the error.
//! - *Base*: no execution comes to the error on one of its first k ways.
//! - *Step*: from no cutpoint, and no state there that fulfils the facts, k ways one after the other end in the error.
//!
//! An execution to the error of at most k ways contradicts the base, and the last k ways of a longer one contradict the step: they
//! start at a cutpoint, in a state that is reached and so fulfils the facts. A way that passes an assertion has found that it
//! held, so that k - 1 rounds of a loop in the step say what k-induction usually assumes. The step may ask that no state is
//! passed twice at a cutpoint: what lies between could be left out, so a shortest execution to the error passes none
//! twice.

use crate::certify::{Certificate, Rejection, acyclic_order, decide, on_a_way_to_error};
use crate::conditions::{Condition, Purpose, Ways};
use crate::names::Names;
use crate::strongest_post::{join, strongest_post};
use rustc_hash::FxHashMap;
use tamis_logic::{Substitution, Term, Terms};
use tamis_program::{Location, Program};
use tamis_solver::Budget;

/// A proof by k-induction.
#[derive(Clone, Debug)]
pub struct KInduction {
    /// How many ways between cutpoints the step looks at.
    pub k: usize,
    /// Whether the step needs that no state is passed twice.
    pub simple_path: bool,
    /// The cutpoints, and the facts at them.
    pub facts: Certificate,
}

/// Checks a proof by k-induction from the program alone.
///
/// ```
/// use tamis_evidence::{Certificate, KInduction, certify_k_inductive};
/// use tamis_front_c::{Options, translate_source};
/// use tamis_logic::Terms;
/// use tamis_program::back_edges;
/// use tamis_solver::Budget;
/// // That x is not 4 follows from what the last two rounds have seen, not from the last one.
/// let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
///     int main(void) { int x = 0, y = 1; while (__VERIFIER_nondet_int()) {
///         if (x == 4) reach_error(); int z = x; x = y; y = z; } return 0; }";
/// let mut terms = Terms::new();
/// let program = translate_source("swap.i", text, &Options::default(), &mut terms)?;
/// let mut cutpoints: Vec<_> = back_edges(&program).into_iter().map(|e| program.edge(e).to).collect();
/// cutpoints.dedup();
/// let invariants = cutpoints.into_iter().map(|l| (l, terms.tru())).collect();
/// let proof = |k| KInduction { k, simple_path: false, facts: Certificate { invariants: Vec::clone(&invariants) } };
/// assert!(certify_k_inductive(&mut terms, &program, &proof(1), &Budget::unlimited()).is_err());
/// assert_eq!(certify_k_inductive(&mut terms, &program, &proof(3), &Budget::unlimited()), Ok(()));
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn certify_k_inductive(
    terms: &mut Terms,
    program: &Program,
    proof: &KInduction,
    budget: &Budget,
) -> Result<(), Rejection> {
    let conditions = proof.conditions(terms, program, budget)?;
    match decide(terms, &conditions, budget)? {
        None => Ok(()),
        Some(failing) => Err(Rejection::of(failing)),
    }
}

impl KInduction {
    /// The conditions of the proof, from the program alone.
    pub fn conditions(
        &self,
        terms: &mut Terms,
        program: &Program,
        budget: &Budget,
    ) -> Result<Vec<Condition>, Rejection> {
        if program.entry() == program.error() {
            return Err(Rejection::Safety(program.entry()));
        }
        let ways = Ways::between(terms, program, self.facts.invariants.iter().map(|&(l, _)| l))?;
        let is_state = |v: Term| program.var_of(v).is_some();
        let mut conditions =
            ways.conditions(terms, (program.entry(), program.error()), &self.facts, &is_state);
        conditions.retain(|c| c.purpose != Purpose::Safety);
        let facts: FxHashMap<Location, Term> = self.facts.invariants.iter().copied().collect();
        let is_cutpoint =
            |l: Location| l == program.error() || l == program.entry() || facts.contains_key(&l);
        let matters = on_a_way_to_error(program);
        let order = acyclic_order(program, &matters, &is_cutpoint).map_err(Rejection::UncutLoop)?;
        let rounds =
            Rounds { program, facts: &facts, is_cutpoint: &is_cutpoint, order: &order, matters: &matters };
        let (entry, error) = (program.entry(), program.error());
        let mut condition = |terms: &mut Terms, purpose, from, (before, way): (Term, Term)| {
            let failure = terms.tru();
            conditions.push(Condition { purpose, from, to: error, before, way, failure });
        };
        let base = rounds.follow(terms, entry, self, Purpose::Base, budget)?;
        condition(terms, Purpose::Base, entry, base);
        // In the order of the proof, so that the conditions are the same each time. What starts at the entry is the base.
        for &(from, _) in self.facts.invariants.iter().filter(|&&(l, _)| l != entry && l != error) {
            if matters[from.index()] {
                let step = rounds.follow(terms, from, self, Purpose::Step, budget)?;
                condition(terms, Purpose::Step, from, step);
            }
        }
        Ok(conditions)
    }
}

struct Rounds<'a> {
    program: &'a Program,
    facts: &'a FxHashMap<Location, Term>,
    is_cutpoint: &'a dyn Fn(Location) -> bool,
    order: &'a [Location],
    matters: &'a [bool],
}

impl Rounds<'_> {
    /// Follows executions from a cutpoint over k ways: what is known of them, and that they come to the error, with the last way
    /// in a step and with any in the base.
    fn follow(
        &self,
        terms: &mut Terms,
        from: Location,
        proof: &KInduction,
        purpose: Purpose,
        budget: &Budget,
    ) -> Result<(Term, Term), Rejection> {
        let mut names = Names::default();
        let mut violated = Vec::new();
        let mut here = vec![(from, terms.tru(), Substitution::new())];
        let mut passed: Vec<(Location, Term, Substitution)> = Vec::new();
        self.assume(terms, &mut names, &here[0]);
        for round in 1..=proof.k {
            let mut arriving: Vec<(Location, Vec<(Term, Substitution)>)> = Vec::new();
            for (from, condition, values) in here.drain(..) {
                budget.check()?;
                let start = (condition, values.clone());
                passed.push((from, condition, values));
                for arrival in strongest_post(terms, self.program, from, start, self.order, self.is_cutpoint)
                {
                    if arrival.at == self.program.error() {
                        if round == proof.k || purpose == Purpose::Base {
                            violated.push(arrival.condition);
                        }
                        continue;
                    }
                    if !self.matters[arrival.at.index()] {
                        continue;
                    }
                    let way = (arrival.condition, arrival.values);
                    match arriving.iter_mut().find(|(at, _)| *at == arrival.at) {
                        Some((_, ways)) => ways.push(way),
                        None => arriving.push((arrival.at, vec![way])),
                    }
                }
            }
            // Where several ways are open, inputs choose one: those that arrive exclude each other.
            for (at, ways) in arriving {
                let joined = join(terms, self.program, ways);
                let (condition, values) = names.enter(terms, self.program, at, joined);
                let now = (at, condition, values);
                self.assume(terms, &mut names, &now);
                if proof.simple_path && purpose == Purpose::Step {
                    for before in passed.iter().filter(|(l, ..)| *l == at) {
                        let differ = self.differ(terms, before, &now);
                        names.definitions.push(differ);
                    }
                }
                here.push(now);
            }
        }
        Ok((terms.and(&names.definitions), terms.or(&violated)))
    }

    /// The facts hold where executions are.
    fn assume(
        &self,
        terms: &mut Terms,
        names: &mut Names,
        (at, here, values): &(Location, Term, Substitution),
    ) {
        if let Some(&fact) = self.facts.get(at) {
            let fact = terms.substitute(fact, values);
            let known = terms.implies(*here, fact);
            names.definitions.push(known);
        }
    }

    /// That executions which pass both have other values in the one than in the other.
    fn differ(
        &self,
        terms: &mut Terms,
        (_, here, one): &(Location, Term, Substitution),
        (_, there, other): &(Location, Term, Substitution),
    ) -> Term {
        let mut alternatives = vec![terms.not(*here), terms.not(*there)];
        for variable in self.program.variables() {
            let var = variable.term;
            let (a, b) = (one.get(var).unwrap_or(var), other.get(var).unwrap_or(var));
            alternatives.push(terms.ne(a, b));
        }
        terms.or(&alternatives)
    }
}
