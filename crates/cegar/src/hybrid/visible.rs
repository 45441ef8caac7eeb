//! Which control variables are kept, and their relations: \[CTL\] section 3.2.

use super::clusters::Cluster;
use super::{Hybrid, bits_of};
use crate::abstraction::Abstraction;
use rustc_hash::FxHashSet;
use std::fmt;
use tamis_diagram::Bdd;
use tamis_logic::{Term, Terms};
use tamis_paq::{Interrupted, Predicate};
use tamis_system::{StepId, System};

/// What became of a control variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is kept: its cluster has so many predicates over so many bits, and its next value reads so many bits of inputs.
    Kept {
        /// Predicates of the cluster.
        predicates: usize,
        /// Bits of the cluster's variables.
        bits: usize,
        /// Bits of inputs that its next value reads.
        inputs: usize,
    },
    /// It is an input wherever it is read, since it has many bits.
    Data,
    /// It is an input, since its next value reads so many bits of inputs.
    ManyInputs(usize),
    /// It is an input, since its next value is not a function of finitely many bits: it reads a memory.
    Unbounded,
    /// It is kept, but the diagram of its next value is too large: it is abstracted as predicates are.
    TooLarge,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Kept { predicates, bits, inputs } => {
                write!(f, "kept: {predicates} predicates over {bits} bits, reads {inputs} bits of inputs")
            }
            Fate::Data => f.write_str("not kept: a word of data"),
            Fate::ManyInputs(bits) => write!(f, "not kept: reads {bits} bits of inputs"),
            Fate::Unbounded => f.write_str("not kept: reads a memory"),
            Fate::TooLarge => f.write_str("kept bit by bit: its next value has a large diagram"),
        }
    }
}

impl Hybrid<'_> {
    /// The control variables, each with the number of predicates and of bits of its cluster.
    pub(super) fn wanted(&self, terms: &Terms, clusters: &[Cluster]) -> Vec<(Term, usize, usize)> {
        let mut wanted = Vec::new();
        let mut once = FxHashSet::default();
        for cluster in clusters.iter().filter(|c| c.is_control(terms, &self.strategy)) {
            let bits = cluster.bits(terms).unwrap_or(0);
            let mut support: Vec<Term> = cluster.support.iter().copied().collect();
            support.sort_unstable();
            let new = support.into_iter().filter(|&v| once.insert(v));
            wanted.extend(new.map(|v| (v, cluster.predicates.len(), bits)));
        }
        wanted
    }

    /// Of the control variables, those to keep that are not kept yet, and what becomes of each. What one of them reads is no
    /// input if it is kept too: all are taken for kept at first, and those that read too much are given up, until none does.
    pub(super) fn choose(
        &mut self,
        terms: &mut Terms,
        about: &[(Predicate, Vec<Term>)],
        wanted: &[(Term, usize, usize)],
    ) -> (Vec<(Term, Fate)>, Vec<Term>) {
        let mut given_up: Vec<(Term, Fate)> = Vec::new();
        let mut fates: Vec<(Term, Fate)> = Vec::new();
        loop {
            let is_given_up = |v: Term| given_up.iter().any(|&(w, _)| w == v);
            let kept = self.kept.iter().map(|k| k.variable);
            let tried = wanted.iter().map(|&(v, ..)| v).filter(|&v| !is_given_up(v));
            let visible: FxHashSet<Term> = kept.chain(tried).collect();
            let formulas: Vec<Predicate> = about
                .iter()
                .filter(|(_, support)| !support.iter().all(|v| visible.contains(v)))
                .map(|&(p, _)| p)
                .collect();
            fates.clear();
            let mut changed = false;
            for &(v, predicates, bits) in wanted.iter().filter(|(v, ..)| visible.contains(v)) {
                let fate = match self.inputs_of(terms, v, &formulas, &visible) {
                    _ if bits_of(terms, v).is_some_and(|bits| bits > self.strategy.max_bits) => Fate::Data,
                    _ if self.cycles.iter().any(|&step| self.opaque.contains(&(step, v))) => Fate::TooLarge,
                    Some(inputs) if inputs <= self.strategy.max_inputs || self.is_kept(v) => {
                        Fate::Kept { predicates, bits, inputs }
                    }
                    Some(inputs) => Fate::ManyInputs(inputs),
                    None => Fate::Unbounded,
                };
                match fate {
                    Fate::Kept { .. } | Fate::TooLarge => fates.push((v, fate)),
                    Fate::Data | Fate::ManyInputs(_) | Fate::Unbounded => {
                        given_up.push((v, fate));
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let new = fates.iter().map(|&(v, _)| v).filter(|&v| !self.is_kept(v)).collect();
        fates.extend(given_up);
        (fates, new)
    }

    /// How many bits of inputs the next value of a variable reads; `None` if that is not finite.
    fn inputs_of(
        &mut self,
        terms: &mut Terms,
        variable: Term,
        formulas: &[Predicate],
        visible: &FxHashSet<Term>,
    ) -> Option<usize> {
        let mut most = 0;
        for &step in &self.cycles {
            let updates = self.registers.updates(step);
            let value = updates.iter().find(|u| u.variable == variable).and_then(|u| u.value);
            let Some(value) = value else { continue };
            let replaced = self.functions.replace(terms, value, formulas);
            let reads = self.functions.reads(terms, replaced, |v| visible.contains(&v));
            let bits: Option<usize> = reads.into_iter().map(|v| bits_of(terms, v)).sum();
            most = most.max(bits?);
        }
        Some(most)
    }

    /// The formula predicates in use.
    pub(super) fn formulas(&self) -> Vec<Predicate> {
        self.clusters.iter().flat_map(|c| c.predicates.iter().copied()).collect()
    }
}

impl<S: System> Abstraction<'_, S> {
    /// `R'_v = R_v[P_j ← B_j]` of each kept variable, and the conditions of the step, as far as they read few inputs.
    pub(super) fn functions_of(
        &mut self,
        terms: &mut Terms,
        hybrid: &mut Hybrid<'_>,
        step: StepId,
    ) -> Result<Vec<Bdd>, Interrupted> {
        let formulas = hybrid.formulas();
        let mut parts = Vec::new();
        hybrid.opaque.retain(|&(at, _)| at != step);
        for update in hybrid.registers.updates(step) {
            let Some(kept) = hybrid.kept.iter().find(|k| k.variable == update.variable) else { continue };
            let bits = kept.bits.clone();
            let Some(value) = update.value else { continue };
            let Some(functions) = self.function(terms, hybrid, value, &formulas)? else {
                hybrid.opaque.insert((step, update.variable));
                continue;
            };
            for (p, function) in bits.iter().zip(functions) {
                let primed = self.primed(p.var)?;
                parts.push(self.diagrams.iff(&self.diagrams.var(primed), &function)?);
            }
        }
        for condition in hybrid.registers.conditions(step) {
            parts.extend(self.function(terms, hybrid, condition, &formulas)?.into_iter().flatten());
        }
        Ok(parts)
    }

    /// The bits of a term with these formula predicates replaced, if it reads few inputs and they are small.
    fn function(
        &mut self,
        terms: &mut Terms,
        hybrid: &mut Hybrid<'_>,
        t: Term,
        formulas: &[Predicate],
    ) -> Result<Option<Vec<Bdd>>, Interrupted> {
        let replaced = hybrid.functions.replace(terms, t, formulas);
        let reads = hybrid.functions.reads(terms, replaced, |v| hybrid.is_kept(v));
        let inputs: Option<usize> = reads.into_iter().map(|v| bits_of(terms, v)).sum();
        if inputs.is_none_or(|bits| bits > hybrid.strategy.max_inputs) {
            return Ok(None);
        }
        let bits = hybrid.functions.bits(terms, &mut self.diagrams, &self.budget, &[t], formulas)?;
        Ok(bits.map(|words| words.into_iter().flatten().collect()))
    }
}
