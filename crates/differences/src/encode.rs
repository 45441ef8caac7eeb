//! Formulas to literals and clauses.
//!
//! A gate's clauses are made for the polarities in which it is needed [Plaisted, Greenbaum 1986]: that a disjunction of
//! a thousand cubes is true needs nothing of the cubes that are not chosen. Clauses that propagation does not satisfy by
//! itself are remembered with the literal that needs them, so that the search decides nothing else: atoms of
//! alternatives that are not taken stay open, and the theory is not asked about them.

use crate::clauses::Lit;
use crate::number::{Compared, Number};
use crate::{Encoded, Formulas, Unfit};
use std::sync::Arc;
use tamis_logic::{Op, Sort, Term, Terms};

/// What a variable is defined as.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Gate {
    And(Arc<[Lit]>),
    Ite(Lit, Lit, Lit),
}

impl Formulas {
    /// The literal of a formula.
    pub(crate) fn literal(&mut self, terms: &Terms, t: Term) -> Result<Lit, Unfit> {
        self.encode(terms, &[t])?;
        self.known_literal(t)
    }

    pub(crate) fn known_literal(&self, t: Term) -> Result<Lit, Unfit> {
        match self.encoded.get(&t) {
            Some(&Encoded::Truth(lit)) => Ok(lit),
            _ => Err(Unfit),
        }
    }

    /// Encodes terms and all that they are made of.
    pub(crate) fn encode(&mut self, terms: &Terms, roots: &[Term]) -> Result<(), Unfit> {
        let mut open = std::mem::take(&mut self.unencoded);
        open.clear();
        open.extend(roots.iter().rev());
        while let Some(&t) = open.last() {
            if self.encoded.contains_key(&t) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(terms.args(t).iter().rev().filter(|a| !self.encoded.contains_key(a)));
            if open.len() == before {
                let encoded = self.encode_one(terms, t)?;
                self.encoded.insert(t, encoded);
                open.pop();
            }
        }
        self.unencoded = open;
        Ok(())
    }

    /// Encodes a term whose arguments are.
    fn encode_one(&mut self, terms: &Terms, t: Term) -> Result<Encoded, Unfit> {
        let args = terms.args(t);
        let sort = terms.sort(t);
        if sort != Sort::Bool {
            return self.encode_number(terms, t);
        }
        let lit = match terms.op(t) {
            Op::Bool(value) => Lit::constant(value),
            Op::Var(_) => Lit::new(self.search.variable(), true),
            Op::Not => !self.known_literal(args[0])?,
            Op::And | Op::Or => {
                let is_or = terms.op(t) == Op::Or;
                let mut lits = Vec::with_capacity(args.len());
                for &arg in args {
                    lits.push(self.known_literal(arg)?.flip_if(is_or));
                }
                self.and(lits).flip_if(is_or)
            }
            Op::Ite => {
                let [c, a, b] = [0, 1, 2].map(|i| self.known_literal(args[i]));
                self.ite(c?, a?, b?)
            }
            Op::Eq if terms.sort(args[0]) == Sort::Bool => {
                let (a, b) = (self.known_literal(args[0])?, self.known_literal(args[1])?);
                self.ite(a, b, !b)
            }
            Op::Eq => {
                let compared = self.sides(terms, args[0], args[1])?;
                self.equal(compared)?
            }
            Op::Le => {
                let compared = self.sides(terms, args[0], args[1])?;
                self.at_most(compared)?
            }
            Op::Apply(f) => self.apply_truth(terms, f, args)?,
            _ => return Err(Unfit),
        };
        Ok(Encoded::Truth(lit))
    }

    fn encode_number(&mut self, terms: &Terms, t: Term) -> Result<Encoded, Unfit> {
        let args = terms.args(t);
        if !matches!(terms.sort(t), Sort::Int | Sort::Uninterpreted(_)) {
            return Err(Unfit);
        }
        let number = match terms.op(t) {
            Op::Const(_) => self.constant(terms, t)?,
            Op::Var(_) => {
                let vertex = self.vertex()?;
                self.leaf(vertex, 0)?
            }
            Op::Ite => {
                let c = self.known_literal(args[0])?;
                let (Some(a), Some(b)) = (self.number(args[1]), self.number(args[2])) else {
                    return Err(Unfit);
                };
                self.choice(c, a, b)?
            }
            Op::Apply(f) => self.apply_number(terms, f, args)?,
            // A sum of a number and a constant is a number; others only make sense where they are compared.
            Op::Plus => match self.sum(terms, t) {
                Some(number) => number?,
                None => return Ok(Encoded::Composite),
            },
            Op::Times => return Ok(Encoded::Composite),
            _ => return Err(Unfit),
        };
        Ok(Encoded::Number(number))
    }

    /// Both sides of a comparison, as `positive - negative` and a constant.
    fn sides(&mut self, terms: &Terms, left: Term, right: Term) -> Result<Compared, Unfit> {
        let mut compared = Compared { positive: None, negative: None, bound: 0 };
        for (side, flip) in [(left, false), (right, true)] {
            let parts = if terms.op(side) == Op::Plus { terms.args(side) } else { &[side][..] };
            for &part in parts {
                self.add_part(terms, &mut compared, part, flip)?;
            }
        }
        Ok(compared)
    }

    fn add_part(
        &mut self,
        terms: &Terms,
        compared: &mut Compared,
        part: Term,
        mut flip: bool,
    ) -> Result<(), Unfit> {
        if terms.is_constant(part) && terms.sort(part) == Sort::Int {
            let constant = constant_of(terms, part)?;
            compared.bound =
                compared.bound.checked_add(if flip { constant } else { -constant }).ok_or(Unfit)?;
            return Ok(());
        }
        let mut base = part;
        if terms.op(part) == Op::Times {
            let &[c, rest] = terms.args(part) else { return Err(Unfit) };
            match constant_of(terms, c)? {
                1 => {}
                -1 => flip = !flip,
                _ => return Err(Unfit),
            }
            base = rest;
        }
        let number = self.number(base).ok_or(Unfit)?;
        let side = if flip { &mut compared.negative } else { &mut compared.positive };
        match side.replace(number) {
            None => Ok(()),
            Some(_) => Err(Unfit),
        }
    }

    /// The conjunction of literals.
    pub(crate) fn and(&mut self, mut lits: Vec<Lit>) -> Lit {
        lits.sort_unstable();
        lits.dedup();
        lits.retain(|&lit| lit != Lit::TRUE);
        if lits.contains(&Lit::FALSE) || lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::FALSE;
        }
        match lits[..] {
            [] => Lit::TRUE,
            [only] => only,
            _ => self.gate(Gate::And(lits.into())),
        }
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(vec![!a, !b])
    }

    /// `if c then a else b`.
    pub(crate) fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let (c, a, b) = if c.is_positive() { (c, a, b) } else { (!c, b, a) };
        if c == Lit::TRUE || a == b {
            return a;
        }
        let a = if a == c {
            Lit::TRUE
        } else if a == !c {
            Lit::FALSE
        } else {
            a
        };
        let b = if b == c {
            Lit::FALSE
        } else if b == !c {
            Lit::TRUE
        } else {
            b
        };
        match (a, b) {
            (Lit::TRUE, Lit::FALSE) => c,
            (Lit::FALSE, Lit::TRUE) => !c,
            (Lit::TRUE, _) => self.or(c, b),
            (Lit::FALSE, _) => self.and(vec![!c, b]),
            (_, Lit::TRUE) => self.or(!c, a),
            (_, Lit::FALSE) => self.and(vec![c, a]),
            _ if a.is_positive() => self.gate(Gate::Ite(c, a, b)),
            _ => !self.gate(Gate::Ite(c, !a, !b)),
        }
    }

    fn gate(&mut self, gate: Gate) -> Lit {
        if let Some(&known) = self.gate_ids.get(&gate) {
            return known;
        }
        let var = self.search.variable();
        self.gates.resize(var as usize + 1, None);
        self.gates[var as usize] = Some(gate.clone());
        let lit = Lit::new(var, true);
        self.gate_ids.insert(gate, lit);
        lit
    }

    /// Makes the clauses that say what it takes for a literal to be true.
    pub(crate) fn demand(&mut self, lit: Lit) {
        if self.demanded.get(lit.index()) == Some(&true) {
            return;
        }
        let mut pending = std::mem::take(&mut self.pending);
        pending.push(lit);
        while let Some(lit) = pending.pop() {
            if self.demanded.len() <= lit.index() | 1 {
                self.demanded.resize((lit.index() | 1) + 1, false);
            }
            if std::mem::replace(&mut self.demanded[lit.index()], true) {
                continue;
            }
            // Taken out for a while: its clauses are made below.
            let Some(gate) = self.gates.get_mut(lit.var() as usize).and_then(Option::take) else { continue };
            match &gate {
                Gate::And(inputs) if lit.is_positive() => {
                    for &input in inputs.iter() {
                        self.search.add_clause(&[!lit, input]);
                        pending.push(input);
                    }
                }
                Gate::And(inputs) => {
                    let clause: Vec<Lit> = std::iter::once(!lit).chain(inputs.iter().map(|&i| !i)).collect();
                    self.search.add_need(lit, &clause);
                    pending.extend(inputs.iter().map(|&input| !input));
                }
                &Gate::Ite(c, a, b) => {
                    let (a, b) = (a.flip_if(!lit.is_positive()), b.flip_if(!lit.is_positive()));
                    self.search.add_need(lit, &[!lit, !c, a]);
                    self.search.add_need(lit, &[!lit, c, b]);
                    self.search.add_clause(&[!lit, a, b]);
                    pending.extend([c, !c, a, b]);
                }
            }
            self.gates[lit.var() as usize] = Some(gate);
        }
        self.pending = pending;
    }

    /// Asserts a clause, of which one literal has to be made true.
    pub(crate) fn assert_clause(&mut self, clause: &[Lit]) {
        let shortened = self.shortened(clause);
        let clause = shortened.as_deref().unwrap_or(clause);
        if self.assert_choice(clause) {
            return;
        }
        clause.iter().for_each(|&lit| self.demand(lit));
        self.asserted_clauses.push(clause.into());
        self.search.add_need(Lit::TRUE, clause);
    }

    /// The number of a term that has one.
    pub(crate) fn number(&self, t: Term) -> Option<Number> {
        match self.encoded.get(&t) {
            Some(&Encoded::Number(number)) => Some(number),
            _ => None,
        }
    }
}

/// The value of an integer constant that is not too large.
pub(crate) fn constant_of(terms: &Terms, t: Term) -> Result<i64, Unfit> {
    let value = terms.constant(t).ok_or(Unfit)?;
    match value {
        tamis_logic::Value::Int(n) => {
            i64::try_from(&n).ok().filter(|n| n.abs() < crate::limits::CONSTANT).ok_or(Unfit)
        }
        _ => Err(Unfit),
    }
}
