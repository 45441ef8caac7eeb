//! Looking at models, and making the lemmas that they violate.

use super::view::{Lemma, View, as_value};
use super::{Bit, Equality};
use crate::blast::has_bits;
use crate::budget::Stop;
use crate::circuit::Lit;
use crate::dpll_t::OnModel;
use crate::encoding::Encoding;
use crate::limits;
use crate::preprocess::is_of_bits;
use crate::sat::SatLit;
use crate::solver::Solver;
use std::cell::RefCell;
use std::rc::Rc;
use tamis_logic::{Model, Op, Term, Terms};

/// The lemmas that an enumeration's last model violates.
pub(crate) type Found = Rc<RefCell<Vec<Lemma>>>;

/// Ends a search whose model violates lemmas about arrays; other models go to `inner`.
pub(crate) struct ArrayGuard<M> {
    pub view: View,
    pub found: Found,
    pub inner: M,
}

impl<M: OnModel> OnModel for ArrayGuard<M> {
    fn on_model(&mut self, value: &dyn Fn(SatLit) -> bool) -> Option<Vec<SatLit>> {
        let violated = self.view.violated(&mut |bit: Bit| bit.map_or_else(|constant| constant, value));
        if violated.is_empty() {
            return self.inner.on_model(value);
        }
        *self.found.borrow_mut() = violated;
        None
    }

    fn is_important(&self, variable: SatLit) -> bool {
        self.inner.is_important(variable)
    }
}

impl Solver {
    /// Whether there are arrays to be looked at.
    pub(crate) fn has_arrays(&self) -> bool {
        self.encoding.blaster.bit_arrays && !self.encoding.arrays.is_empty()
    }

    /// A view over literals that CaDiCaL can be asked about after a search.
    fn array_view(&mut self) -> View {
        let reads = self.encoding.active_reads();
        self.with_own_terms(|solver, own| {
            let Encoding { blaster, encoder, arrays, .. } = &solver.encoding;
            let bit = |lit: &Lit| match lit.as_constant() {
                Some(constant) => Err(constant),
                None => encoder.known(*lit).ok_or(false),
            };
            let mut word = |t: Term| -> Vec<Bit> {
                blaster.find(own, t).map_or_else(Vec::new, |lits| lits.iter().map(bit).collect())
            };
            View::new(own, arrays, &reads, |t| arrays.active.contains(&t), &mut word)
        })
    }

    /// A view over literals that can be observed in a search.
    pub(crate) fn observed_array_view(&mut self) -> (View, Vec<SatLit>) {
        let reads = self.encoding.active_reads();
        let arrays = std::mem::take(&mut self.encoding.arrays);
        let mut observed = Vec::new();
        let view = self.with_own_terms(|solver, own| {
            let mut word = |t: Term| -> Vec<Bit> {
                let lits = solver.encoding.blaster.find(own, t).map_or_else(Vec::new, <[Lit]>::to_vec);
                let mut bits = Vec::with_capacity(lits.len());
                for lit in lits {
                    bits.push(match lit.as_constant() {
                        Some(constant) => Err(constant),
                        None => {
                            let literal = solver.encoding.literal(lit);
                            let proxy = solver.encoding.proxy(literal);
                            observed.push(proxy.abs());
                            Ok(proxy)
                        }
                    });
                }
                bits
            };
            View::new(own, &arrays, &reads, |t| arrays.active.contains(&t), &mut word)
        });
        self.encoding.arrays = arrays;
        (view, observed)
    }

    /// After a search that found a model: adds the lemmas about arrays that it violates; whether there were any. If not,
    /// the arrays of the model are noted.
    pub(crate) fn refine_arrays(&mut self, scratch: Option<&mut crate::sat::Sat>) -> Result<bool, Stop> {
        if !self.has_arrays() {
            return Ok(false);
        }
        let view = self.array_view();
        let sat = scratch.unwrap_or(&mut self.encoding.sat);
        let mut value = |bit: Bit| match bit {
            Ok(lit) => sat.value(lit).unwrap_or(false),
            Err(constant) => constant,
        };
        let violated = view.violated(&mut value);
        if !violated.is_empty() {
            self.add_array_lemmas(&violated)?;
            return Ok(true);
        }
        let (contents, disequal) = (view.contents(&mut value), view.disequal(&mut value));
        self.note_contents(contents);
        let unseen: Vec<usize> =
            disequal.into_iter().filter(|&at| !self.encoding.arrays.equalities[at].has_witness).collect();
        if unseen.is_empty() {
            return Ok(false);
        }
        let equal = self.equal_in_model(&unseen);
        for &at in &equal {
            self.add_witness(at)?;
        }
        Ok(!equal.is_empty())
    }

    fn note_contents(
        &mut self,
        contents: rustc_hash::FxHashMap<Term, Vec<(tamis_logic::Bits, tamis_logic::Bits)>>,
    ) {
        let own = &self.front.terms;
        self.encoding.arrays.contents.clear();
        for (var, entries) in contents {
            let Some((index, element)) = own.array_parts(own.sort(var)) else { continue };
            let entries = entries.into_iter().map(|(i, e)| (as_value(index, i), as_value(element, e)));
            self.encoding.arrays.contents.insert(var, entries.collect());
        }
    }

    /// Those of the equalities whose sides are equal in the model that has just been found, or may be: what theories
    /// have a say in is not evaluated here.
    fn equal_in_model(&mut self, equalities: &[usize]) -> Vec<usize> {
        let terms: Vec<Term> =
            equalities.iter().map(|&at| self.encoding.arrays.equalities[at].term).collect();
        self.with_own_terms(|solver, own| {
            let foreign = |&t: &Term| {
                let of_theory = matches!(own.op(t), Op::Apply(_));
                of_theory || !has_bits(own.sort(t)) && !is_of_bits(own, t)
            };
            if own.post_order(&terms).iter().any(foreign) {
                return equalities.to_vec();
            }
            let vars = own.free_vars_of(&terms);
            let values: Vec<_> = vars.iter().map(|&var| (var, solver.own_value(own, var))).collect();
            let model: Model = values.into_iter().collect();
            let values = own.eval_all(&terms, &model);
            equalities.iter().zip(values).filter(|(_, equal)| equal.as_bool()).map(|(&at, _)| at).collect()
        })
    }

    /// Adds lemmas about arrays.
    pub(crate) fn add_array_lemmas(&mut self, lemmas: &[Lemma]) -> Result<(), Stop> {
        self.encoding.sat.forget();
        self.stats.lemmas += lemmas.len() as u64;
        for &lemma in lemmas {
            match lemma {
                Lemma::Congruence(a, b) => self.add_congruence(a, b),
                Lemma::Instance(equality, index) => self.add_instance(equality, index)?,
            }
        }
        self.encoding.arrays.rounds += 1;
        let instances = lemmas.iter().any(|lemma| matches!(lemma, Lemma::Instance(..)));
        if instances && self.encoding.arrays.rounds >= limits::ROUNDS_BEFORE_THEORY {
            self.encoding.hand_over_arrays();
            return self.encoding.blast(&self.front.terms, &[]);
        }
        if self.encoding.arrays.rounds >= limits::ROUNDS_BEFORE_CONGRUENCE {
            self.add_all_congruences(lemmas);
        }
        Ok(())
    }

    /// Once a question has been asked a few times again, every read of a variable that lemmas are about is made
    /// congruent to all others: another round costs more than a few hundred clauses.
    fn add_all_congruences(&mut self, lemmas: &[Lemma]) {
        let array = |solver: &Solver, read: Term| solver.front.terms.args(read)[0];
        let mut arrays: Vec<Term> = Vec::new();
        for &lemma in lemmas {
            if let Lemma::Congruence(read, _) = lemma {
                arrays.push(array(self, read));
            }
        }
        arrays.sort_unstable();
        arrays.dedup();
        for var in arrays {
            let reads: Vec<Term> =
                self.encoding.active_reads().into_iter().filter(|&read| array(self, read) == var).collect();
            if reads.len() > limits::READS_MADE_CONGRUENT {
                continue;
            }
            for (i, &a) in reads.iter().enumerate() {
                for &b in &reads[i + 1..] {
                    self.add_congruence(a, b);
                }
            }
        }
    }

    fn add_congruence(&mut self, a: Term, b: Term) {
        if !self.encoding.arrays.congruent.insert((a.min(b), a.max(b))) {
            return;
        }
        self.with_own_terms(|solver, own| {
            let word = |solver: &Solver, t: Term| solver.encoding.blaster.bits(own, t).to_vec();
            let (i, j) = (word(solver, own.args(a)[1]), word(solver, own.args(b)[1]));
            let same = solver.encoding.blaster.circuit.equal(&i, &j);
            let (x, y) = (word(solver, a), word(solver, b));
            for (&x, &y) in x.iter().zip(&y) {
                solver.encoding.add_equality(&[!same], x, y);
            }
        });
    }

    /// The elements of both sides of an equality at an index, and the equality's literal.
    fn sides_at(&mut self, equality: Term, index: Term) -> Result<([Vec<Lit>; 2], Lit), Stop> {
        let sides = [0, 1].map(|i| self.front.terms.args(equality)[i]);
        let elements = sides.map(|side| self.front.lowering.reads.read(&mut self.front.terms, side, index));
        self.with_own_terms(|solver, own| {
            solver.encoding.blast(own, &elements)?;
            let words = elements.map(|t| solver.encoding.blaster.bits(own, t).to_vec());
            Ok((words, solver.encoding.blaster.lit(own, equality)))
        })
    }

    fn add_instance(&mut self, at: usize, index: Term) -> Result<(), Stop> {
        let Equality { term, instances, .. } = &mut self.encoding.arrays.equalities[at];
        instances.push(index);
        let term = *term;
        let ([x, y], equal) = self.sides_at(term, index)?;
        for (&x, &y) in x.iter().zip(&y) {
            self.encoding.add_equality(&[!equal], x, y);
        }
        Ok(())
    }

    fn add_witness(&mut self, at: usize) -> Result<(), Stop> {
        let equality = &mut self.encoding.arrays.equalities[at];
        equality.has_witness = true;
        let term = equality.term;
        let array = self.front.terms.args(term)[0];
        let own: &Terms = &self.front.terms;
        let Some((index, _)) = own.array_parts(own.sort(array)) else { return Ok(()) };
        let index = self.front.hidden(index);
        let ([x, y], equal) = self.sides_at(term, index)?;
        let same = self.encoding.blaster.circuit.equal(&x, &y);
        self.encoding.sat.forget();
        self.encoding.add_clause(&[equal, !same]);
        Ok(())
    }

    /// Gives every disequality its witness: during an enumeration, no model is looked at as a whole.
    pub(crate) fn add_witnesses(&mut self) -> Result<(), Stop> {
        for at in 0..self.encoding.arrays.equalities.len() {
            if !self.encoding.arrays.equalities[at].has_witness {
                self.add_witness(at)?;
            }
        }
        Ok(())
    }
}
