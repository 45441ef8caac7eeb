//! Formulas to clauses: the connectives at the top become clauses without variables of their own.

use crate::blast::has_bits;
use crate::budget::Stop;
use crate::circuit::Lit;
use crate::encoding::Encoding;
use crate::limits;
use rustc_hash::FxHashSet;
use tamis_logic::{Op, Sort, Term, Terms};

/// A formula or its negation.
type Signed = (Term, bool);

/// A clause still in terms.
enum Part {
    /// A disjunction of literals.
    Clause(Vec<Signed>),
    /// The equality of two terms, or with `false` the inequality of two of sort `Bool`.
    Equal(Term, Term, bool),
}

/// The parts of a formula, their conjunction being the formula.
fn parts(terms: &Terms, formula: Term) -> Vec<Part> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<Signed> = FxHashSet::default();
    let mut pending = vec![(formula, true)];
    while let Some((t, sign)) = pending.pop() {
        if !seen.insert((t, sign)) {
            continue;
        }
        let args = terms.args(t);
        match (terms.op(t), sign) {
            (Op::Not, _) => pending.push((args[0], !sign)),
            (Op::And, true) | (Op::Or, false) => pending.extend(args.iter().map(|&a| (a, sign))),
            (Op::And, false) | (Op::Or, true) => found.push(Part::Clause(disjuncts(terms, (t, sign)))),
            (Op::Eq, _) if terms.sort(args[0]) == Sort::Bool || sign && has_bits(terms.sort(args[0])) => {
                found.push(Part::Equal(args[0], args[1], sign));
            }
            (Op::Ite, _) => {
                found.push(Part::Clause(vec![(args[0], false), (args[1], sign)]));
                found.push(Part::Clause(vec![(args[0], true), (args[2], sign)]));
            }
            _ => found.push(Part::Clause(vec![(t, sign)])),
        }
    }
    found
}

/// The literals of a disjunction, nested ones included.
fn disjuncts(terms: &Terms, root: Signed) -> Vec<Signed> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<Signed> = FxHashSet::default();
    let mut pending = vec![root];
    while let Some((t, sign)) = pending.pop() {
        if !seen.insert((t, sign)) {
            continue;
        }
        let args = terms.args(t);
        match (terms.op(t), sign) {
            (Op::Not, _) => pending.push((args[0], !sign)),
            (Op::Or, true) | (Op::And, false) => pending.extend(args.iter().map(|&a| (a, sign))),
            _ => found.push((t, sign)),
        }
    }
    found
}

impl Encoding {
    /// Adds `guard ⇒ formula`, or the formula itself if there is no guard.
    pub(crate) fn assert_guarded(
        &mut self,
        terms: &Terms,
        guard: Option<Term>,
        formula: Term,
    ) -> Result<(), Stop> {
        let parts = parts(terms, formula);
        let mut leaves: Vec<Term> = guard.into_iter().collect();
        for part in &parts {
            match part {
                Part::Clause(lits) => leaves.extend(lits.iter().map(|&(t, _)| t)),
                Part::Equal(a, b, _) => leaves.extend([a, b]),
            }
        }
        self.blast(terms, &leaves)?;
        let before = self.sat.variables();
        let guard: Vec<Lit> = guard.iter().map(|&g| !self.blaster.lit(terms, g)).collect();
        for (i, part) in parts.iter().enumerate() {
            if i % limits::TERMS_BETWEEN_POLLS == limits::TERMS_BETWEEN_POLLS - 1 {
                self.budget.check()?;
            }
            match part {
                Part::Clause(lits) => {
                    let lit = |&(t, sign): &Signed| self.blaster.lit(terms, t).flip_if(!sign);
                    let clause: Vec<Lit> = guard.iter().copied().chain(lits.iter().map(lit)).collect();
                    self.add_clause(&clause);
                }
                Part::Equal(a, b, sign) => {
                    let a = self.blaster.bits(terms, *a).to_vec();
                    let b = self.blaster.bits(terms, *b).to_vec();
                    for (&x, &y) in a.iter().zip(&b) {
                        self.add_equality(&guard, x, y.flip_if(!sign));
                    }
                }
            }
        }
        self.asserted.variables += self.sat.variables() - before;
        Ok(())
    }

    /// `x = y`, unless a literal of `guard` holds.
    pub(crate) fn add_equality(&mut self, guard: &[Lit], x: Lit, y: Lit) {
        if x == y {
            return;
        }
        let clause = |tail: &[Lit]| [guard, tail].concat();
        if x == !y {
            self.add_clause(guard);
            return;
        }
        self.add_clause(&clause(&[!x, y]));
        self.add_clause(&clause(&[x, !y]));
    }

    pub(crate) fn add_clause(&mut self, lits: &[Lit]) {
        self.asserted.push(lits);
        self.encoder.clause(&self.blaster.circuit, &mut self.sat, lits);
    }
}
