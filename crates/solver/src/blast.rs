//! Terms to circuits, each term once.

use crate::budget::{Budget, Stop};
use crate::circuit::{Circuit, Lit};
use crate::limits;
use crate::preprocess::is_of_bits;
use crate::word::Word;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Op, Sort, Term, Terms};

/// The bits of the terms seen so far.
pub(crate) struct Blaster {
    pub circuit: Circuit,
    /// Where a term's bits start in `bits`; a `Bool` has one, a bit-vector as many as its width.
    starts: FxHashMap<Term, u32>,
    bits: Vec<Lit>,
    /// Quotient and remainder for each pair of operands: `bvudiv` and `bvurem` share their divider.
    dividers: FxHashMap<(Word, Word), (Word, Word)>,
    /// Terms of other theories that are `Bool` or bit-vectors: their bits are inputs here, for a theory to constrain.
    pub foreign: Vec<Term>,
    /// Whether arrays of bits are decided by `bit_arrays`.
    pub bit_arrays: bool,
    /// Whether an array has bits: those of all its elements, from the one at index 0 on.
    explicit_arrays: bool,
    /// Reads of array variables, whose bits are inputs that `bit_arrays` constrains.
    pub reads: Vec<Term>,
    /// Equalities of arrays, for `bit_arrays`.
    pub array_equalities: Vec<Term>,
}

impl Blaster {
    pub fn new() -> Blaster {
        Blaster {
            circuit: Circuit::new(),
            starts: FxHashMap::default(),
            bits: Vec::new(),
            dividers: FxHashMap::default(),
            foreign: Vec::new(),
            bit_arrays: true,
            explicit_arrays: false,
            reads: Vec::new(),
            array_equalities: Vec::new(),
        }
    }

    /// A blaster for which an array is the word of all its elements.
    pub fn with_explicit_arrays() -> Blaster {
        Blaster { explicit_arrays: true, ..Blaster::new() }
    }

    /// Whether terms of a sort have bits.
    fn has_bits(&self, sort: Sort) -> bool {
        has_bits(sort) || self.explicit_arrays && matches!(sort, Sort::Array(_))
    }

    /// The number of bits of a term.
    fn width(&self, terms: &Terms, t: Term) -> usize {
        match terms.array_parts(terms.sort(t)) {
            Some((index, element)) => sort_width(element) << sort_width(index),
            None => width(terms, t),
        }
    }

    /// Makes the bits of `roots` and of all below them.
    pub fn blast(&mut self, terms: &Terms, roots: &[Term], budget: &Budget) -> Result<(), Stop> {
        let order =
            terms.post_order_until(roots, |t| self.starts.contains_key(&t) || self.is_foreign(terms, t));
        for (i, &t) in order.iter().enumerate() {
            if i % limits::TERMS_BETWEEN_POLLS == limits::TERMS_BETWEEN_POLLS - 1 {
                budget.check()?;
            }
            // An array that is read has no bits.
            if !self.starts.contains_key(&t) && self.has_bits(terms.sort(t)) {
                let word = self.word_of(terms, t);
                debug_assert_eq!(word.len(), self.width(terms, t));
                self.starts.insert(t, self.bits.len() as u32);
                self.bits.extend(word);
            }
        }
        Ok(())
    }

    /// The bits of a term that has been blasted; `None` for any other.
    pub fn find(&self, terms: &Terms, t: Term) -> Option<&[Lit]> {
        let start = *self.starts.get(&t)? as usize;
        Some(&self.bits[start..start + self.width(terms, t)])
    }

    /// The bits of a term that has been blasted.
    pub fn bits(&self, terms: &Terms, t: Term) -> &[Lit] {
        self.find(terms, t).expect("a term that has been blasted")
    }

    /// The literal of a `Bool` term that has been blasted.
    pub fn lit(&self, terms: &Terms, t: Term) -> Lit {
        self.bits(terms, t)[0]
    }

    fn word(&self, terms: &Terms, t: Term) -> Word {
        self.bits(terms, t).to_vec()
    }

    /// The bits of `t`, whose arguments have theirs.
    fn word_of(&mut self, terms: &Terms, t: Term) -> Word {
        if self.is_foreign(terms, t) || terms.op(t) == Op::Select && !self.explicit_arrays {
            let list = match terms.op(t) {
                Op::Select if !self.is_foreign(terms, t) => &mut self.reads,
                Op::Eq if self.bit_arrays && compares_variables(terms, t) => &mut self.array_equalities,
                _ => &mut self.foreign,
            };
            list.push(t);
            return (0..width(terms, t)).map(|_| self.circuit.input()).collect();
        }
        let args = terms.args(t);
        match terms.op(t) {
            Op::Bool(value) => vec![Lit::constant(value)],
            Op::Const(_) => match terms.bits_constant(t) {
                Some(value) => (0..value.width()).map(|i| Lit::constant(value.bit(i))).collect(),
                None => unreachable!("a constant of another sort is foreign"),
            },
            Op::Var(_) => (0..self.width(terms, t)).map(|_| self.circuit.input()).collect(),
            Op::Select => {
                let (array, index) = (self.word(terms, args[0]), self.word(terms, args[1]));
                self.circuit.select_word(array, &index)
            }
            Op::Store => {
                let [array, index, element] = [args[0], args[1], args[2]].map(|a| self.word(terms, a));
                self.circuit.store_word(&array, &index, &element)
            }
            Op::ConstArray => self.word(terms, args[0]).repeat(self.width(terms, t) / width(terms, args[0])),
            Op::Not | Op::BvNot => self.bits(terms, args[0]).iter().map(|&bit| !bit).collect(),
            Op::And => {
                let mut lits: Vec<Lit> = args.iter().map(|&a| self.lit(terms, a)).collect();
                vec![self.circuit.and_many(&mut lits)]
            }
            Op::Or => {
                let mut lits: Vec<Lit> = args.iter().map(|&a| self.lit(terms, a)).collect();
                vec![self.circuit.or_many(&mut lits)]
            }
            Op::Ite => {
                let c = self.lit(terms, args[0]);
                let (a, b) = (self.word(terms, args[1]), self.word(terms, args[2]));
                self.circuit.ite_word(c, &a, &b)
            }
            Op::Neg => {
                let a = self.word(terms, args[0]);
                self.circuit.negate_if(Lit::TRUE, &a)
            }
            Op::Add => self.sum(terms, args[0], args[1]),
            Op::Extract { high, low } => self.bits(terms, args[0])[low as usize..=high as usize].to_vec(),
            Op::ZeroExtend | Op::SignExtend => {
                let mut word = self.word(terms, args[0]);
                let sign = word[word.len() - 1];
                let fill = if terms.op(t) == Op::SignExtend { sign } else { Lit::FALSE };
                word.resize(width(terms, t), fill);
                word
            }
            op => {
                let (a, b) = (self.word(terms, args[0]), self.word(terms, args[1]));
                self.binary(op, a, b)
            }
        }
    }

    /// A sum. Subtraction comes as `x + -y`, and `-y` as an input would cost a carry chain of its own.
    fn sum(&mut self, terms: &Terms, x: Term, y: Term) -> Word {
        let (x, y) = if terms.op(x) == Op::Neg { (y, x) } else { (x, y) };
        let a = self.word(terms, x);
        if terms.op(y) == Op::Neg {
            let minus = self.bits(terms, terms.args(y)[0]);
            let complement: Word = minus.iter().map(|&bit| !bit).collect();
            return self.circuit.add_word(&a, &complement, Lit::TRUE);
        }
        let b = self.word(terms, y);
        self.circuit.add_word(&a, &b, Lit::FALSE)
    }

    /// Whether a term is made by another theory, though it may have bits itself.
    fn is_foreign(&self, terms: &Terms, t: Term) -> bool {
        let args = terms.args(t);
        match terms.op(t) {
            Op::Select | Op::Eq if self.explicit_arrays => !self.has_bits(terms.sort(args[0])),
            Op::Select => !(self.bit_arrays && terms.is_var(args[0]) && is_of_bits(terms, args[0])),
            Op::Le | Op::IsInt | Op::Apply(_) => true,
            Op::Eq => !has_bits(terms.sort(args[0])),
            _ => !self.has_bits(terms.sort(t)),
        }
    }

    /// Whether the theories know a term by its bits alone.
    pub fn is_circuit(&self, terms: &Terms, t: Term) -> bool {
        has_bits(terms.sort(t))
            && match terms.op(t) {
                Op::Apply(_) => false,
                Op::Select => !self.is_foreign(terms, t),
                _ => true,
            }
    }

    fn binary(&mut self, op: Op, a: Word, b: Word) -> Word {
        let circuit = &mut self.circuit;
        let sign = a[a.len() - 1];
        let bitwise = |f: &mut dyn FnMut(Lit, Lit) -> Lit| a.iter().zip(&b).map(|(&x, &y)| f(x, y)).collect();
        match op {
            Op::Eq => vec![circuit.equal(&a, &b)],
            Op::Ult => vec![circuit.less(&a, &b)],
            Op::Slt => vec![circuit.less_signed(&a, &b)],
            Op::BvAnd => bitwise(&mut |x, y| circuit.and(x, y)),
            Op::BvOr => bitwise(&mut |x, y| circuit.or(x, y)),
            Op::BvXor => bitwise(&mut |x, y| circuit.xor(x, y)),
            Op::Mul => circuit.multiply(&a, &b),
            Op::Shl => circuit.shift_left(&a, &b),
            Op::Lshr => circuit.shift_right(&a, &b, Lit::FALSE),
            Op::Ashr => circuit.shift_right(&a, &b, sign),
            Op::Concat => b.iter().chain(&a).copied().collect(),
            Op::Udiv => self.divide(a, b).0,
            Op::Urem => self.divide(a, b).1,
            Op::Sdiv => {
                let (quotient, _, negative) = self.divide_signed(a, b);
                self.circuit.negate_if(negative, &quotient)
            }
            Op::Srem => {
                let (_, remainder, _) = self.divide_signed(a, b);
                self.circuit.negate_if(sign, &remainder)
            }
            op => unreachable!("foreign, or has a case of its own: {op:?}"),
        }
    }

    fn divide(&mut self, a: Word, b: Word) -> (Word, Word) {
        let key = (a, b);
        if let Some(found) = self.dividers.get(&key) {
            return found.clone();
        }
        let result = self.circuit.divide(&key.0, &key.1);
        self.dividers.insert(key, result.clone());
        result
    }

    /// Quotient and remainder of the absolute values, and whether the signs differ.
    fn divide_signed(&mut self, a: Word, b: Word) -> (Word, Word, Lit) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (a, b) = (self.circuit.negate_if(sign_a, &a), self.circuit.negate_if(sign_b, &b));
        let (quotient, remainder) = self.divide(a, b);
        let negative = self.circuit.xor(sign_a, sign_b);
        (quotient, remainder, negative)
    }
}

/// Whether a term is of a sort that has bits.
pub(crate) fn has_bits(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::BitVec(_))
}

/// Whether an equality of arrays is between arrays made from variables that are arrays of bits.
fn compares_variables(terms: &Terms, t: Term) -> bool {
    let args = terms.args(t);
    if !is_of_bits(terms, args[0]) {
        return false;
    }
    let is_made = |t: Term| matches!(terms.op(t), Op::Store | Op::Ite);
    let array = |&t: &Term| matches!(terms.sort(t), Sort::Array(_));
    let mut pending = args.to_vec();
    let mut seen = FxHashSet::default();
    while let Some(t) = pending.pop() {
        if !terms.is_var(t) && !is_made(t) {
            return false;
        }
        if seen.insert(t) {
            pending.extend(terms.args(t).iter().filter(|t| array(t)));
        }
    }
    true
}

/// The number of bits of a term, 1 for a `Bool`.
pub(crate) fn width(terms: &Terms, t: Term) -> usize {
    sort_width(terms.sort(t))
}

/// The number of bits of a sort that is `Bool` or of bit-vectors.
pub(crate) fn sort_width(sort: Sort) -> usize {
    sort.width().unwrap_or(1) as usize
}
