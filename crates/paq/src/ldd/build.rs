//! From formulas to diagrams: one for each conjunct and each predicate.

use rustc_hash::FxHashMap;
use tamis_diagram::linear::{self, BoolVar, Domain, Expression, Ldd, LinearDiagrams, NumVar};
use tamis_logic::{Op, RBig, Sort, Term, Terms};

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
    /// What the variables that were made for such terms must satisfy.
    parts: Vec<Ldd>,
}

impl<'a> Builder<'a> {
    pub fn new(terms: &'a mut Terms, diagrams: &'a mut LinearDiagrams) -> Builder<'a> {
        let (formulas, numbers) = (FxHashMap::default(), FxHashMap::default());
        Builder { terms, diagrams, formulas, numbers, parts: Vec::new() }
    }

    pub fn build(mut self, conjuncts: &[Term], predicates: &[Term]) -> Result<Built, Failure> {
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
                let (a, b) = (self.expression(args[0])?, self.expression(args[1])?);
                self.diagrams.equal(&a, &b)?
            }
            Op::Le => {
                let (a, b) = (self.expression(args[0])?, self.expression(args[1])?);
                self.diagrams.at_most(&a, &b)?
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
            Op::Const(_) | Op::Plus => return Ok(()),
            Op::Times if args.len() == 2 && self.terms.is_constant(args[0]) => return Ok(()),
            Op::Var(_) => Expression::var(self.diagrams.new_number(domain)),
            Op::ToReal => self.expression(args[0])?,
            Op::Ite => {
                let fresh = self.fresh(domain);
                let (then, other) = (self.expression(args[1])?, self.expression(args[2])?);
                let then = self.diagrams.equal(&fresh, &then)?;
                let other = self.diagrams.equal(&fresh, &other)?;
                let part = self.diagrams.ite(&self.formulas[&args[0]], &then, &other)?;
                self.parts.push(part);
                fresh
            }
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
        let mut sum = Expression::constant(form.constant);
        for (base, c) in &form.terms {
            let value = self.numbers.get(base).ok_or(Failure::NotLinear(*base))?;
            sum = sum.plus_multiple(c, value);
        }
        Ok(sum)
    }
}

fn known_already(formulas: &FxHashMap<Term, Ldd>, numbers: &FxHashMap<Term, Expression>, t: Term) -> bool {
    formulas.contains_key(&t) || numbers.contains_key(&t)
}
