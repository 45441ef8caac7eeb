//! Terms over bits, read in another algebra than that of clauses: as decision diagrams.
//!
//! The circuit of a term is the one that the SAT solver gets; here its gates are computed one by one, each once, inputs
//! first.

use crate::blast::has_bits;
use crate::budget::{Budget, Stop};
use crate::circuit::{Circuit, Gate, Lit};
use crate::netlist::Netlist;
use rustc_hash::FxHashMap;
use tamis_logic::{Term, Terms};

/// Where gates have values.
pub trait Algebra {
    /// What a bit is.
    type Value: Clone;
    /// Why a value cannot be computed.
    type Error: From<Stop>;

    /// A truth value.
    fn constant(&mut self, value: bool) -> Self::Value;
    /// A bit of a variable, the least significant being 0; the only one of a `Bool`.
    fn input(&mut self, variable: Term, bit: u32) -> Result<Self::Value, Self::Error>;
    /// Negation.
    fn not(&mut self, a: &Self::Value) -> Self::Value;
    /// Conjunction.
    fn and(&mut self, a: &Self::Value, b: &Self::Value) -> Result<Self::Value, Self::Error>;
    /// Exclusive or.
    fn xor(&mut self, a: &Self::Value, b: &Self::Value) -> Result<Self::Value, Self::Error>;
    /// If-then-else.
    fn ite(&mut self, c: &Self::Value, a: &Self::Value, b: &Self::Value) -> Result<Self::Value, Self::Error>;
}

/// The bits of terms in an algebra, the least significant first; `None` if a part of one of them is no circuit, such as a
/// memory.
///
/// # Errors
/// What stops the algebra, or the budget.
#[allow(clippy::type_complexity)]
pub fn evaluate<A: Algebra>(
    terms: &Terms,
    roots: &[Term],
    budget: &Budget,
    algebra: &mut A,
) -> Result<Option<Vec<Vec<A::Value>>>, A::Error> {
    let variables = terms.free_vars_of(roots);
    if !variables.iter().all(|&v| has_bits(terms.sort(v))) {
        return Ok(None);
    }
    let mut netlist = Netlist::default();
    let all: Vec<Term> = roots.iter().chain(&variables).copied().collect();
    let mut words = match netlist.bits(terms, &all, budget) {
        Err(Stop::Unsupported) => return Ok(None),
        words => words?,
    };
    let mut inputs: FxHashMap<usize, (Term, u32)> = FxHashMap::default();
    for (v, bits) in variables.into_iter().zip(words.split_off(roots.len())) {
        inputs.extend(bits.iter().enumerate().map(|(bit, lit)| (lit.gate(), (v, bit as u32))));
    }
    let mut reading = Reading { circuit: netlist.circuit(), inputs, values: FxHashMap::default(), algebra };
    let values = words.into_iter().map(|bits| bits.iter().map(|&lit| reading.value(lit, budget)).collect());
    values.collect::<Result<Vec<_>, _>>().map(Some)
}

/// A circuit whose gates are being computed.
struct Reading<'a, A: Algebra> {
    circuit: &'a Circuit,
    /// Which bit of which variable an input is.
    inputs: FxHashMap<usize, (Term, u32)>,
    values: FxHashMap<usize, A::Value>,
    algebra: &'a mut A,
}

impl<A: Algebra> Reading<'_, A> {
    fn value(&mut self, root: Lit, budget: &Budget) -> Result<A::Value, A::Error> {
        let mut open = vec![root.gate()];
        while let Some(&gate) = open.last() {
            let before = open.len();
            if !self.values.contains_key(&gate) {
                let values = &self.values;
                self.circuit.for_each_input(gate, |lit| {
                    if !values.contains_key(&lit.gate()) {
                        open.push(lit.gate());
                    }
                });
                if open.len() > before {
                    continue;
                }
                budget.check()?;
                let value = self.compute(gate)?;
                self.values.insert(gate, value);
            }
            open.pop();
        }
        Ok(self.signed(root))
    }

    /// The value of a gate whose inputs have theirs.
    fn compute(&mut self, gate: usize) -> Result<A::Value, A::Error> {
        match self.circuit.gate(gate) {
            Gate::True => Ok(self.algebra.constant(true)),
            Gate::Input => {
                let (variable, bit) = self.inputs[&gate];
                self.algebra.input(variable, bit)
            }
            Gate::And(a, b) => {
                let (a, b) = (self.signed(a), self.signed(b));
                self.algebra.and(&a, &b)
            }
            Gate::AndMany { first, count } => {
                let lits = self.circuit.inputs(first, count).to_vec();
                let mut all = self.algebra.constant(true);
                for lit in lits {
                    let value = self.signed(lit);
                    all = self.algebra.and(&all, &value)?;
                }
                Ok(all)
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.signed(a), self.signed(b));
                self.algebra.xor(&a, &b)
            }
            Gate::Xor3(a, b, c) => {
                let (a, b, c) = (self.signed(a), self.signed(b), self.signed(c));
                let two = self.algebra.xor(&a, &b)?;
                self.algebra.xor(&two, &c)
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (self.signed(a), self.signed(b), self.signed(c));
                let differ = self.algebra.xor(&a, &b)?;
                self.algebra.ite(&differ, &c, &a)
            }
            Gate::Ite(c, a, b) => {
                let (c, a, b) = (self.signed(c), self.signed(a), self.signed(b));
                self.algebra.ite(&c, &a, &b)
            }
        }
    }

    fn signed(&mut self, lit: Lit) -> A::Value {
        let value = self.values[&lit.gate()].clone();
        if lit.is_complement() { self.algebra.not(&value) } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_logic::{Bits, Model, Sort, Value};
    use tamis_testing::Random;

    /// Truth values, with those of the variables.
    struct Truth(Model);

    impl Algebra for Truth {
        type Value = bool;
        type Error = Stop;

        fn constant(&mut self, value: bool) -> bool {
            value
        }
        fn input(&mut self, variable: Term, bit: u32) -> Result<bool, Stop> {
            Ok(match self.0.get(variable) {
                Some(Value::Bits(bits)) => bits.bit(bit),
                _ => false,
            })
        }
        fn not(&mut self, a: &bool) -> bool {
            !a
        }
        fn and(&mut self, a: &bool, b: &bool) -> Result<bool, Stop> {
            Ok(*a && *b)
        }
        fn xor(&mut self, a: &bool, b: &bool) -> Result<bool, Stop> {
            Ok(a != b)
        }
        fn ite(&mut self, c: &bool, a: &bool, b: &bool) -> Result<bool, Stop> {
            Ok(if *c { *a } else { *b })
        }
    }

    #[test]
    fn gates_compute_what_terms_mean() {
        let mut random = Random::new(5);
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::BitVec(5)));
        let words = [
            terms.add(x, y),
            terms.mul(x, y),
            terms.udiv(x, y),
            terms.srem(x, y),
            terms.shl(x, y),
            terms.bv_xor(x, y),
        ];
        let conditions = [terms.ult(x, y), terms.slt(x, y), terms.eq(x, y)];
        let choice = terms.ite(conditions[1], words[1], words[0]);
        let roots: Vec<Term> = words.into_iter().chain(conditions).chain([choice]).collect();
        for _ in 0..200 {
            let value = |random: &mut Random| Value::Bits(Bits::new(5, random.below(32) as u128));
            let model: Model = [(x, value(&mut random)), (y, value(&mut random))].into_iter().collect();
            let mut truth = Truth(model.clone());
            let found = evaluate(&terms, &roots, &Budget::unlimited(), &mut truth).unwrap().unwrap();
            for (&root, bits) in roots.iter().zip(&found) {
                match terms.eval(root, &model) {
                    Value::Bool(value) => assert_eq!([value], bits[..]),
                    value => assert_eq!(*value.as_bits(), Bits::from_bits(bits)),
                }
            }
        }
    }
}
