//! From formulas to diagrams: one for each conjunct and each predicate.

use rustc_hash::{FxHashMap, FxHashSet};
use tamis_diagram::linear::{self, BoolVar, Domain, Expression, Ldd, LinearDiagrams, NumVar};
use tamis_logic::{Linear, Op, RBig, Sort, Term, Terms};

/// A query as a conjunction of diagrams.
pub(super) struct Built {
    pub parts: Vec<Ldd>,
    /// The variables that stand for the predicates.
    pub predicates: Vec<BoolVar>,
}

pub(super) enum Failure {
    NotLinear(Term),
    Diagram(linear::Failure),
}

impl From<linear::Failure> for Failure {
    fn from(failure: linear::Failure) -> Failure {
        Failure::Diagram(failure)
    }
}

pub(super) struct Builder<'a> {
    terms: &'a mut Terms,
    diagrams: &'a mut LinearDiagrams,
    formulas: FxHashMap<Term, Ldd>,
    /// The values of numeric terms that are no sums.
    numbers: FxHashMap<Term, Expression>,
    /// Atoms with an if-then-else.
    atoms: FxHashMap<AtomKey, Ldd>,
    /// What the variables that were made for such terms must satisfy.
    parts: Vec<Ldd>,
}

impl<'a> Builder<'a> {
    pub fn new(terms: &'a mut Terms, diagrams: &'a mut LinearDiagrams) -> Builder<'a> {
        let (formulas, numbers) = (FxHashMap::default(), FxHashMap::default());
        Builder { terms, diagrams, formulas, numbers, atoms: FxHashMap::default(), parts: Vec::new() }
    }

    /// The diagrams, with those of the variables in `first` that occur at the top of the order: of a choice between
    /// alternatives, what is decided before the choice has to be remembered for each of them.
    pub fn build(
        mut self,
        first: &[Term],
        conjuncts: &[Term],
        predicates: &[Term],
    ) -> Result<Built, Failure> {
        let all: Vec<Term> = conjuncts.iter().chain(predicates).copied().collect();
        let occurring: FxHashSet<Term> = self.terms.free_vars_of(&all).into_iter().collect();
        for choice in first.iter().filter(|choice| occurring.contains(choice)) {
            self.formula(*choice)?;
        }
        for &conjunct in conjuncts {
            let part = self.formula(conjunct)?;
            self.parts.push(part);
        }
        let mut variables = Vec::new();
        for &predicate in predicates {
            let meaning = self.formula(predicate)?;
            let variable = self.diagrams.new_bool_above(&meaning);
            let function = self.diagrams.var(variable)?;
            let part = self.diagrams.iff(&function, &meaning)?;
            self.parts.push(part);
            variables.push(variable);
        }
        Ok(Built { parts: self.parts, predicates: variables })
    }

    fn formula(&mut self, formula: Term) -> Result<Ldd, Failure> {
        let known = |t: Term| self.formulas.contains_key(&t) || self.numbers.contains_key(&t);
        for t in self.terms.post_order_until(&[formula], known) {
            if known_already(&self.formulas, &self.numbers, t) {
                continue;
            }
            match self.terms.sort(t) {
                Sort::Bool => {
                    let made = self.boolean(t)?;
                    self.formulas.insert(t, made);
                }
                Sort::Int | Sort::Real => self.number(t)?,
                _ => return Err(Failure::NotLinear(t)),
            }
        }
        Ok(self.formulas[&formula].clone())
    }

    fn boolean(&mut self, t: Term) -> Result<Ldd, Failure> {
        let args = self.terms.args(t).to_vec();
        Ok(match self.terms.op(t) {
            Op::Bool(true) => self.diagrams.tru(),
            Op::Bool(false) => self.diagrams.fals(),
            Op::Var(_) => {
                let variable = self.diagrams.new_bool();
                self.diagrams.var(variable)?
            }
            Op::Not => self.diagrams.not(&self.formulas[&args[0]]),
            Op::And => {
                let mut all = self.diagrams.tru();
                for a in &args {
                    all = self.diagrams.and(&all, &self.formulas[a])?;
                }
                all
            }
            Op::Or => {
                let mut some = self.diagrams.fals();
                for a in &args {
                    some = self.diagrams.or(&some, &self.formulas[a])?;
                }
                some
            }
            Op::Ite => {
                let f = |i: usize| &self.formulas[&args[i]];
                self.diagrams.ite(f(0), f(1), f(2))?
            }
            Op::Eq if self.terms.sort(args[0]) == Sort::Bool => {
                self.diagrams.iff(&self.formulas[&args[0]], &self.formulas[&args[1]])?
            }
            Op::Eq => {
                let difference = self.difference(args[0], args[1]);
                self.atom(difference, Relation::Equal)?
            }
            Op::Le => {
                let difference = self.difference(args[0], args[1]);
                self.atom(difference, Relation::AtMost)?
            }
            _ => return Err(Failure::NotLinear(t)),
        })
    }

    /// Gives a numeric term that is no sum its value.
    fn number(&mut self, t: Term) -> Result<(), Failure> {
        let args = self.terms.args(t).to_vec();
        let domain = if self.terms.sort(t) == Sort::Int { Domain::Integer } else { Domain::Real };
        let value = match self.terms.op(t) {
            // Taken apart where they are used.
            Op::Const(_) | Op::Plus | Op::Ite => return Ok(()),
            Op::Times if args.len() == 2 && self.terms.is_constant(args[0]) => return Ok(()),
            Op::Var(_) => Expression::var(self.diagrams.new_number(domain)),
            Op::ToReal => self.expression(args[0])?,
            Op::IntDiv | Op::Mod => {
                let Some(divisor) = self.terms.number_constant(args[1]) else {
                    return Err(Failure::NotLinear(t));
                };
                let dividend = self.expression(args[0])?;
                let quotient = self.quotient(&dividend, &divisor)?;
                match self.terms.op(t) {
                    Op::IntDiv => quotient,
                    _ => dividend.plus_multiple(&-divisor, &quotient),
                }
            }
            Op::ToInt => {
                let number = self.expression(args[0])?;
                self.quotient(&number, &RBig::ONE)?
            }
            _ => return Err(Failure::NotLinear(t)),
        };
        self.numbers.insert(t, value);
        Ok(())
    }

    /// The integer `q` with `q·divisor ≤ dividend < q·divisor + |divisor|`.
    fn quotient(&mut self, dividend: &Expression, divisor: &RBig) -> Result<Expression, Failure> {
        let fresh = self.fresh(Domain::Integer);
        let product = fresh.times(divisor);
        let magnitude = if *divisor < RBig::ZERO { -divisor.clone() } else { divisor.clone() };
        let low = self.diagrams.at_most(&product, dividend)?;
        let high = self.diagrams.less(dividend, &product.plus(&Expression::constant(magnitude)))?;
        let part = self.diagrams.and(&low, &high)?;
        self.parts.push(part);
        Ok(fresh)
    }

    fn fresh(&mut self, domain: Domain) -> Expression {
        let x: NumVar = self.diagrams.new_number(domain);
        Expression::var(x)
    }

    fn expression(&mut self, t: Term) -> Result<Expression, Failure> {
        let form = self.terms.linear(t);
        self.sum(&form)
    }

    fn sum(&mut self, form: &Linear) -> Result<Expression, Failure> {
        let mut sum = Expression::constant(form.constant.clone());
        for (&base, c) in &form.terms {
            if self.terms.op(base) == Op::Ite && !self.numbers.contains_key(&base) {
                self.name_ite(base)?;
            }
            let value = self.numbers.get(&base).ok_or(Failure::NotLinear(base))?;
            sum = sum.plus_multiple(c, value);
        }
        Ok(sum)
    }

    /// Gives an if-then-else a variable of its own.
    fn name_ite(&mut self, t: Term) -> Result<(), Failure> {
        let args = self.terms.args(t).to_vec();
        let domain = if self.terms.sort(t) == Sort::Int { Domain::Integer } else { Domain::Real };
        let fresh = self.fresh(domain);
        let (then, other) = (self.expression(args[1])?, self.expression(args[2])?);
        let then = self.diagrams.equal(&fresh, &then)?;
        let other = self.diagrams.equal(&fresh, &other)?;
        let part = self.diagrams.ite(&self.formulas[&args[0]], &then, &other)?;
        self.parts.push(part);
        self.numbers.insert(t, fresh);
        Ok(())
    }

    fn difference(&mut self, a: Term, b: Term) -> Linear {
        let mut left = self.terms.linear(a);
        let right = self.terms.linear(b);
        left.constant -= right.constant;
        for (t, c) in right.terms {
            add(&mut left, t, -c);
        }
        left
    }

    /// `difference = 0` or `≤ 0`. Of an if-then-else, both cases are put in its place, the outermost first: in formulas of
    /// programs this is the weakest precondition of the atom, branch after branch.
    fn atom(&mut self, difference: Linear, relation: Relation) -> Result<Ldd, Failure> {
        let is_ite = |t: &&Term| self.terms.op(**t) == Op::Ite && !self.numbers.contains_key(t);
        let Some(&ite) = difference.terms.keys().rev().find(is_ite) else {
            let sum = self.sum(&difference)?;
            let zero = Expression::default();
            return Ok(match relation {
                Relation::Equal => self.diagrams.equal(&sum, &zero)?,
                Relation::AtMost => self.diagrams.at_most(&sum, &zero)?,
            });
        };
        let key = (difference.terms.clone().into_iter().collect(), difference.constant.clone(), relation);
        if let Some(known) = self.atoms.get(&key) {
            return Ok(known.clone());
        }
        let args = self.terms.args(ite).to_vec();
        let mut cases = Vec::new();
        for &case in &args[1..] {
            let mut with = difference.clone();
            let c = with.terms.remove(&ite).unwrap_or_default();
            let value = self.terms.linear(case);
            with.constant += &c * value.constant;
            for (t, d) in value.terms {
                add(&mut with, t, &c * d);
            }
            cases.push(self.atom(with, relation)?);
        }
        let made = self.diagrams.ite(&self.formulas[&args[0]], &cases[0], &cases[1])?;
        self.atoms.insert(key, made.clone());
        Ok(made)
    }
}

fn add(sum: &mut Linear, t: Term, c: RBig) {
    let total = sum.terms.remove(&t).unwrap_or_default() + c;
    if !total.is_zero() {
        sum.terms.insert(t, total);
    }
}

/// How a sum is compared with 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Relation {
    Equal,
    AtMost,
}

/// An atom: the terms of its sum, the constant, and the relation.
type AtomKey = (Vec<(Term, RBig)>, RBig, Relation);

fn known_already(formulas: &FxHashMap<Term, Ldd>, numbers: &FxHashMap<Term, Expression>, t: Term) -> bool {
    formulas.contains_key(&t) || numbers.contains_key(&t)
}
