//! Arrays whose indices and elements are bit-vectors, without a theory in the search.
//!
//! Preprocessing leaves reads of array variables and equalities between arrays (`preprocess::lower`). The bits of a read
//! and the truth value of an equality are inputs of the circuit. What holds of them is added when a model violates it:
//! - *congruence*: two reads of one variable at equal indices are equal;
//! - an *instance* of an equality: if two arrays are equal, so are their elements at some index;
//! - the *witness* of a disequality: if two arrays are not equal, they differ at a new index.
//!
//! The search is plain SAT with all its inprocessing, and goes on with what it has learned after each lemma. There are
//! finitely many lemmas of the first two kinds over given indices, and one witness for each equality, so this ends. It
//! suffices to look at indices that are read or written: all variables have 0 elsewhere.
//!
//! Where a formula uses arrays in another way (as arguments of functions, as elements of arrays, compared with an array
//! that has one element everywhere, or with so many writes that not all reads were expressed by them), all arrays are
//! handed over to the theory of arrays in `dpll_t`, for good.
//!
//! ## References
//! - R. Brummayer, A. Biere. *Lemmas on Demand for the Extensional Theory of Arrays*. JSAT 6, 2009.
//! - A. R. Bradley, Z. Manna, H. Sipma. *What's Decidable About Arrays?* VMCAI 2006: which indices suffice.

mod lemmas;
mod view;

pub(crate) use lemmas::{ArrayGuard, Found};
pub(crate) use view::View;

use crate::circuit::Lit;
use crate::sat::SatLit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use tamis_logic::{Op, Term, Terms, Value};

/// A bit in the search: a literal, or a constant.
pub(crate) type Bit = Result<SatLit, bool>;

/// An equality of arrays.
pub(crate) struct Equality {
    pub term: Term,
    /// The indices that are written in its sides.
    pub written: Vec<Term>,
    /// The indices it has been instantiated at.
    pub instances: Vec<Term>,
    pub has_witness: bool,
}

/// What is known of arrays beside their bits.
#[derive(Default)]
pub(crate) struct BitArrays {
    /// The reads and equalities that clauses mention; the others are of no account.
    active: FxHashSet<Term>,
    pub equalities: Vec<Equality>,
    /// Pairs of reads that are congruent already.
    congruent: FxHashSet<(Term, Term)>,
    /// How often the present question had to be asked again because of lemmas.
    pub rounds: u32,
    /// The elements of array variables in the last model.
    contents: FxHashMap<Term, Vec<(Value, Value)>>,
}

impl BitArrays {
    /// Whether no arrays have been met.
    pub fn is_empty(&self) -> bool {
        self.active.is_empty() && self.equalities.is_empty()
    }

    /// The array that a variable is in the last model; `None` if it is not read.
    pub fn value(&self, terms: &Terms, var: Term) -> Option<Value> {
        let entries = self.contents.get(&var)?;
        let (_, element) = terms.array_parts(terms.sort(var))?;
        let mut array = terms.constant_array(terms.sort(var), terms.default_value(element));
        for (index, element) in entries {
            array.store(index.clone(), element.clone());
        }
        Some(Value::Array(Arc::new(array)))
    }

    /// Forgets what depends on the SAT solver, which has been replaced.
    pub fn forget_clauses(&mut self) {
        self.active.clear();
    }
}

/// The indices that are written in arrays.
fn written_indices(terms: &Terms, sides: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut pending = sides.to_vec();
    while let Some(t) = pending.pop() {
        if !seen.insert(t) {
            continue;
        }
        let args = terms.args(t);
        match terms.op(t) {
            Op::Store => {
                found.push(args[1]);
                pending.push(args[0]);
            }
            Op::Ite => pending.extend_from_slice(&args[1..]),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

impl crate::encoding::Encoding {
    /// Gives variables of the SAT solver to all bits that a look at arrays in a model needs.
    pub(crate) fn encode_arrays(&mut self, own: &Terms) {
        if !self.blaster.bit_arrays {
            return;
        }
        let equalities = &self.blaster.array_equalities;
        if self.blaster.reads.is_empty() && equalities.is_empty() {
            return;
        }
        for at in self.arrays.equalities.len()..self.blaster.array_equalities.len() {
            let term = self.blaster.array_equalities[at];
            let written = written_indices(own, own.args(term));
            let equality = Equality { term, written, instances: Vec::new(), has_witness: false };
            self.arrays.equalities.push(equality);
        }
        self.activate(own);
    }

    /// A read counts if clauses mention its element; then its index counts, in which there may be reads.
    fn activate(&mut self, own: &Terms) {
        loop {
            let mut indices: Vec<Term> = Vec::new();
            for &read in &self.blaster.reads {
                let known = |&bit: &Lit| self.encoder.known(bit).is_some();
                if !self.arrays.active.contains(&read) && self.blaster.bits(own, read).iter().any(known) {
                    self.arrays.active.insert(read);
                    indices.push(own.args(read)[1]);
                }
            }
            for equality in &self.arrays.equalities {
                let mentioned = self.encoder.known(self.blaster.lit(own, equality.term)).is_some();
                if mentioned && self.arrays.active.insert(equality.term) {
                    indices.extend_from_slice(&equality.written);
                }
            }
            if indices.is_empty() {
                return;
            }
            // An exhausted budget shows in the search that follows.
            let _ = self.blaster.blast(own, &indices, &self.budget);
            for index in indices {
                let bits = self.blaster.find(own, index).map(<[Lit]>::to_vec);
                for bit in bits.into_iter().flatten() {
                    if bit.as_constant().is_none() {
                        self.literal(bit);
                    }
                }
            }
        }
    }

    /// Hands all arrays over to the theory of arrays, which is met with terms that nothing here decides.
    pub(crate) fn hand_over_arrays(&mut self) {
        self.blaster.bit_arrays = false;
        self.arrays.contents.clear();
        // Where a function has a read as its argument, the theories know it by its bits alone so far.
        for read in &self.blaster.reads {
            self.theories.table.by_term.remove(read);
        }
        let blaster = &mut self.blaster;
        blaster.foreign.append(&mut blaster.reads);
        blaster.foreign.append(&mut blaster.array_equalities);
    }

    /// The reads that count.
    fn active_reads(&self) -> Vec<Term> {
        self.blaster.reads.iter().copied().filter(|t| self.arrays.active.contains(t)).collect()
    }
}
