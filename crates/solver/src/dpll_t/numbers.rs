//! Terms over integers and reals as linear forms, and their bounds.

use super::table::{EntryId, Kind, Meaning, Number};
use crate::budget::Stop;
use crate::circuit::Lit;
use crate::encoding::Encoding;
use tamis_logic::{IBig, Op, RBig, Sort, Term, Terms, Value};
use tamis_theories::arith::{LinearForm, Rational};

/// A number of the term language as one of arithmetic.
pub(super) fn rational(number: &RBig) -> Rational {
    let denominator = IBig::from(number.denominator().clone());
    Rational::big_ratio(number.numerator().clone(), denominator).unwrap_or(Rational::ZERO)
}

/// A number of arithmetic as a value of `sort`.
pub(super) fn value(sort: Sort, number: &Rational) -> Value {
    if sort == Sort::Int {
        return Value::Int(number.floor().numerator());
    }
    let denominator = number.denominator().into_parts().1;
    Value::Real(RBig::from_parts(number.numerator(), denominator))
}

pub(super) fn negated(number: &Number) -> Number {
    let mut negated = Number::default();
    negated.add(&Rational::from(-1), number);
    negated
}

impl Encoding {
    /// The number that an entry is.
    pub(super) fn number(&self, id: EntryId) -> Number {
        match &self.theories.table.get(id).kind {
            Kind::Number(number) => number.clone(),
            other => unreachable!("{other:?} where a number was expected"),
        }
    }

    /// The entry of a number that is no variable, no application and no if-then-else.
    pub(super) fn number_entry(&mut self, terms: &Terms, t: Term) -> Result<EntryId, Stop> {
        let sort = terms.sort(t);
        let args = terms.args(t);
        let number = match terms.op(t) {
            Op::Const(_) => {
                let constant = terms.number_constant(t).as_ref().map_or(Rational::ZERO, rational);
                Number { form: LinearForm::new(), constant }
            }
            Op::Plus => {
                let mut sum = Number::default();
                for &a in args {
                    sum.add(&Rational::ONE, &self.number_of(a));
                }
                sum
            }
            Op::Times if args.len() == 2 && terms.number_constant(args[0]).is_some() => {
                let factor = terms.number_constant(args[0]).as_ref().map_or(Rational::ZERO, rational);
                let mut product = Number::default();
                product.add(&factor, &self.number_of(args[1]));
                product
            }
            Op::ToReal => self.number_of(args[0]),
            Op::ToInt => {
                let of = self.theories.table.by_term[&args[0]];
                self.quotient(of, Rational::ONE)
            }
            op @ (Op::IntDiv | Op::Mod) if terms.number_constant(args[1]).is_some() => {
                let divisor = terms.number_constant(args[1]).as_ref().map_or(Rational::ONE, rational);
                let of = self.theories.table.by_term[&args[0]];
                let quotient = self.quotient(of, divisor.clone());
                if op == Op::IntDiv {
                    quotient
                } else {
                    let mut remainder = self.number(of);
                    remainder.add(&-divisor, &quotient);
                    remainder
                }
            }
            // Not linear: any number will do, and a model has to be looked at.
            _ => {
                self.theories.incomplete = true;
                self.fresh_number(sort)
            }
        };
        let node = if number.form.terms().is_empty() {
            self.value_node(value(sort, &number.constant))
        } else {
            self.theories.euf.constant()
        };
        Ok(self.theories.table.add(node, sort, Kind::Number(number)))
    }

    fn number_of(&self, t: Term) -> Number {
        self.number(self.theories.table.by_term[&t])
    }

    /// The integer `q` with `divisor · q ≤ of < divisor · q + divisor`; the divisor is positive.
    pub(super) fn quotient(&mut self, of: EntryId, divisor: Rational) -> Number {
        if let Some(&known) = self.theories.quotients.get(&(of, divisor.clone())) {
            return Number { form: LinearForm::from(known), constant: Rational::ZERO };
        }
        let quotient = self.fresh_number(Sort::Int);
        let var = quotient.form.terms()[0].0;
        self.theories.quotients.insert((of, divisor.clone()), var);
        let mut rest = self.number(of);
        rest.add(&-&divisor, &quotient);
        let not_negative = self.at_most_zero(&negated(&rest));
        rest.constant = &rest.constant - &divisor;
        // rest < divisor is the negation of divisor - rest ≤ 0.
        let too_much = self.at_most_zero(&negated(&rest));
        self.add_clause(&[not_negative]);
        self.add_clause(&[!too_much]);
        quotient
    }

    /// An if-then-else over numbers: a variable with bounds that the condition chooses.
    pub(super) fn choose_number(&mut self, terms: &Terms, t: Term) -> Result<EntryId, Stop> {
        let args = terms.args(t);
        let condition = self.condition(terms, args[0])?;
        let id = self.fresh_entry(terms.sort(t));
        let chosen = self.number(id);
        for (branch, against) in [(args[1], !condition), (args[2], condition)] {
            let branch = self.number_of(branch);
            for difference in [chosen.minus(&branch), branch.minus(&chosen)] {
                let bound = self.at_most_zero(&difference);
                self.add_clause(&[against, bound]);
            }
        }
        Ok(id)
    }

    /// The literal of `number ≤ 0`.
    pub(super) fn at_most_zero(&mut self, number: &Number) -> Lit {
        if number.form.terms().is_empty() {
            return Lit::constant(!number.constant.is_positive());
        }
        let (form, constant, flip) = self.oriented(number);
        if let Some(&known) = self.theories.bounds.get(&(form.clone(), constant.clone())) {
            return known.flip_if(flip);
        }
        let lit = self.blaster.circuit.input();
        self.add_bound(lit, form, constant);
        lit.flip_if(flip)
    }

    /// Makes `lit`, an input without meaning, mean `number ≤ 0`.
    pub(super) fn at_most_zero_at(&mut self, number: &Number, lit: Lit) {
        let (form, constant, flip) = self.oriented(number);
        let known = self.theories.bounds.contains_key(&(form.clone(), constant.clone()));
        if flip || known || form.terms().is_empty() {
            let bound = self.at_most_zero(number);
            self.define(lit, bound);
        } else {
            self.add_bound(lit, form, constant);
        }
    }

    fn add_bound(&mut self, lit: Lit, form: LinearForm, constant: Rational) {
        let atom = self.theories.atom(lit, Meaning::Bound);
        self.theories.arith.bound(atom, form.clone(), constant.clone());
        self.theories.bounds.insert((form, constant), lit);
    }

    /// `number ≤ 0` as `form ≤ constant`, or over the integers as the negation of that, so that both ways round share
    /// their atom.
    pub(super) fn oriented(&self, number: &Number) -> (LinearForm, Rational, bool) {
        let terms = number.form.terms();
        let whole = terms.iter().all(|(var, c)| c.is_integer() && self.theories.integers.contains(var));
        if whole && terms.first().is_some_and(|(_, c)| c.is_negative()) {
            // -f + k ≤ 0 is f ≥ k, the negation of f ≤ ⌈k⌉ - 1.
            let form = terms.iter().map(|(var, c)| (*var, -c)).collect();
            return (form, number.constant.ceil() - Rational::ONE, true);
        }
        let bound = -&number.constant;
        (number.form.clone(), if whole { bound.floor() } else { bound }, false)
    }
}
