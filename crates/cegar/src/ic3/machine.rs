//! A transition relation as bits: latches, each with a first and a next value, and the conditions of a step.

use super::transition::Transition;
use rustc_hash::FxHashSet;
use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};
use tamis_solver::{Budget, Circuit, Lit, Netlist, Stop};
use tamis_system::System;

/// A relation of more terms than this has more gates than fit beside other searches.
const MAX_TERMS: usize = 500_000;

/// A bit of the state, or of a function of the state.
pub(crate) struct Latch {
    /// Its value now: an input of the circuit if it is of the state.
    pub now: Lit,
    /// Its value in a first state.
    pub first: Lit,
    /// Its value after a step.
    pub next: Lit,
    /// The state variable that it is of, and which bit of it; `None` for a gate.
    pub bit: Option<Bit>,
}

/// A bit of a variable.
#[derive(Clone, Copy)]
pub(crate) struct Bit {
    /// The variable's place in a list.
    pub variable: usize,
    /// Which bit, from the least significant of a memory's first element.
    pub index: usize,
}

/// A transition relation over bits, as far as the error depends on it.
pub(crate) struct Machine {
    pub circuit: Circuit,
    pub latches: Vec<Latch>,
    /// Hold in first states.
    pub first_constraints: Vec<Lit>,
    /// Hold in every step.
    pub constraints: Vec<Lit>,
    /// Hold together in a step to the error.
    pub bad: Vec<Lit>,
    /// The bits that are always the same.
    pub stuck: Vec<(Bit, bool)>,
    /// What is chosen: for each bit of a variable that is no state variable, the circuit's input.
    inputs: Vec<(Term, usize, Lit)>,
}

impl Machine {
    /// The bits of a relation.
    pub fn new<S: System>(
        terms: &Terms,
        transition: &Transition<'_, S>,
        budget: &Budget,
    ) -> Result<Machine, Stop> {
        let mut roots = Vec::new();
        for choice in [&transition.first, &transition.next, &transition.bad] {
            roots.extend(choice.constraints.iter().chain(&choice.next).copied());
        }
        if terms.post_order(&roots).len() > MAX_TERMS {
            return Err(Stop::Unsupported);
        }
        let mut netlist = Netlist::default();
        let mut blast = |roots: &[Term]| netlist.bits(terms, roots, budget);
        let flat = |words: Vec<Vec<Lit>>| words.into_iter().flatten().collect::<Vec<Lit>>();
        let now = blast(&transition.state)?;
        let (first, next) = (blast(&transition.first.next)?, blast(&transition.next.next)?);
        let first_constraints = flat(blast(&transition.first.constraints)?);
        let constraints = flat(blast(&transition.next.constraints)?);
        let bad = flat(blast(&transition.bad.constraints)?);
        let mut variables = terms.free_vars_of(&roots);
        let state: FxHashSet<Term> = transition.state.iter().copied().collect();
        variables.retain(|v| !state.contains(v));
        let chosen = blast(&variables)?;
        let mut latches = Vec::new();
        for (variable, ((now, first), next)) in now.iter().zip(&first).zip(&next).enumerate() {
            for (index, ((&now, &first), &next)) in now.iter().zip(first).zip(next).enumerate() {
                latches.push(Latch { now, first, next, bit: Some(Bit { variable, index }) });
            }
        }
        let inputs = variables.iter().zip(chosen);
        let inputs =
            inputs.flat_map(|(&v, bits)| bits.into_iter().enumerate().map(move |(i, bit)| (v, i, bit)));
        let whole = Machine {
            circuit: netlist.circuit().clone(),
            latches,
            first_constraints,
            constraints,
            bad,
            stuck: Vec::new(),
            inputs: inputs.collect(),
        };
        budget.check()?;
        let values = whole.stuck_values();
        budget.check()?;
        Ok(whole.reduced(&values))
    }

    /// The latches that never change, as far as ternary simulation from the first states finds out.
    fn stuck_values(&self) -> Vec<Option<bool>> {
        let mut places = vec![usize::MAX; self.circuit.len()];
        for (i, latch) in self.latches.iter().enumerate() {
            places[latch.now.gate()] = i;
        }
        let at = |gates: &[Option<bool>], lit: Lit| gates[lit.gate()].map(|v| v != lit.is_complement());
        let gates = self.circuit.simulate(|_| None);
        let mut values: Vec<Option<bool>> = self.latches.iter().map(|l| at(&gates, l.first)).collect();
        loop {
            let gates = self.circuit.simulate(|lit| values.get(places[lit.gate()]).copied().flatten());
            let mut changed = false;
            for (value, latch) in values.iter_mut().zip(&self.latches) {
                if value.is_some() && *value != at(&gates, latch.next) {
                    *value = None;
                    changed = true;
                }
            }
            if !changed {
                return values;
            }
        }
    }

    /// What the error depends on, with latches that never change replaced by their values.
    fn reduced(&self, values: &[Option<bool>]) -> Machine {
        let mut places = vec![usize::MAX; self.circuit.len()];
        for (i, latch) in self.latches.iter().enumerate() {
            places[latch.now.gate()] = i;
        }
        let mut roots: Vec<Lit> = Vec::new();
        roots.extend(self.first_constraints.iter().chain(&self.constraints).chain(&self.bad));
        let mut needed = vec![false; self.circuit.len()];
        let mut pending = roots.clone();
        while let Some(lit) = pending.pop() {
            if std::mem::replace(&mut needed[lit.gate()], true) {
                continue;
            }
            self.circuit.for_each_input(lit.gate(), |input| pending.push(input));
            if let Some(latch) = self.latches.get(places[lit.gate()])
                && values[places[lit.gate()]].is_none()
            {
                pending.extend([latch.first, latch.next]);
                roots.extend([latch.now, latch.first, latch.next]);
            }
        }
        let copied = self.circuit.copy(&roots, |lit| values.get(places[lit.gate()]).copied().flatten());
        let image = |lit: Lit| copied.image(lit).expect("a root is copied");
        let images = |lits: &[Lit]| lits.iter().map(|&lit| image(lit)).collect::<Vec<Lit>>();
        let kept = self.latches.iter().zip(values).filter(|(l, v)| needed[l.now.gate()] && v.is_none());
        let latches = kept.map(|(l, _)| Latch {
            now: image(l.now),
            first: image(l.first),
            next: image(l.next),
            bit: l.bit,
        });
        let stuck = self.latches.iter().zip(values).filter_map(|(l, v)| l.bit.zip(*v));
        let inputs = self.inputs.iter().filter_map(|&(v, i, lit)| Some((v, i, copied.image(lit)?)));
        Machine {
            latches: latches.collect(),
            first_constraints: images(&self.first_constraints),
            constraints: images(&self.constraints),
            bad: images(&self.bad),
            stuck: stuck.collect(),
            inputs: inputs.collect(),
            circuit: copied.circuit,
        }
    }

    /// The variables that are chosen, with each of their bits.
    pub fn choices(&self) -> impl Iterator<Item = (Term, Lit)> + '_ {
        self.inputs.iter().map(|&(v, _, lit)| (v, lit))
    }

    /// The circuit's inputs that are chosen.
    pub fn inputs(&self) -> impl Iterator<Item = Lit> + '_ {
        self.inputs.iter().map(|&(_, _, lit)| lit)
    }

    /// The values of the variables in which these inputs of the circuit are set and all others are not.
    pub fn model(&self, terms: &Terms, is_set: impl Fn(Lit) -> bool) -> Model {
        let mut words: Vec<(Term, Vec<bool>)> = Vec::new();
        for &(v, index, lit) in &self.inputs {
            if words.last().is_none_or(|&(last, _)| last != v) {
                words.push((v, Vec::new()));
            }
            if let Some((_, word)) = words.last_mut() {
                word.resize(word.len().max(index + 1), false);
                word[index] = is_set(lit);
            }
        }
        words.into_iter().map(|(v, word)| (v, from_bits(terms, terms.sort(v), word))).collect()
    }
}

/// The value of a sort that has these bits; bits that are missing are not set.
fn from_bits(terms: &Terms, sort: Sort, mut bits: Vec<bool>) -> Value {
    let width = |sort: Sort| sort.width().unwrap_or(1) as usize;
    let scalar = |sort: Sort, bits: &[bool]| match sort {
        Sort::Bool => Value::Bool(bits[0]),
        _ => Value::Bits(Bits::from_bits(bits)),
    };
    let Some((index, element)) = terms.array_parts(sort) else {
        bits.resize(width(sort), false);
        return scalar(sort, &bits);
    };
    let mut array = terms.constant_array(sort, terms.default_value(element));
    bits.resize(width(element) << width(index), false);
    for (at, bits) in bits.chunks(width(element)).enumerate() {
        let place: Vec<bool> = (0..width(index)).map(|i| at >> i & 1 == 1).collect();
        array.store(scalar(index, &place), scalar(element, bits));
    }
    Value::Array(array.into())
}
