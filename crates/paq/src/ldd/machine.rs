//! Machine integers read as integers: [SUM] section 5, step 3, but sound for wrap-around.
//!
//! A bit-vector becomes an integer in its range, signed or unsigned as it is compared. Sums, differences and multiples
//! by constants are what they are among integers, less a multiple of `2^w` that brings them back into the range: few
//! multiples are cases, many are an integer of their own. Parts of words, extensions, shifts and divisions by
//! constants are quotients and remainders. What has no linear reading (products, bitwise operations without a mask,
//! arrays, functions) is any integer in its range, the same for the same term: then the reading says less than the
//! formula, and that is remembered.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tamis_logic::{Bits, IBig, Op, RBig, Sort, Term, Terms};

/// A sum that may have to be brought back by more multiples than this gets an integer for the multiple.
const MAX_CASES: usize = 4;

/// Formulas read over the integers.
pub(super) struct Reading {
    pub conjuncts: Vec<Term>,
    pub predicates: Vec<Term>,
    /// Whether the reading says as much as the formulas.
    pub exact: bool,
}

/// Reads conjuncts and predicates, if there is anything in them but Booleans, integers and reals.
pub(super) fn read(terms: &mut Terms, conjuncts: Vec<Term>, predicates: Vec<Term>) -> Reading {
    let mut roots = conjuncts.clone();
    roots.extend(&predicates);
    let order = terms.post_order(&roots);
    let known = |&t: &Term| matches!(terms.sort(t), Sort::Bool | Sort::Int | Sort::Real);
    if order.iter().all(known) {
        return Reading { conjuncts, predicates, exact: true };
    }
    let signed = votes(terms, &order);
    let mut reader = Reader {
        terms,
        signed,
        formulas: FxHashMap::default(),
        values: FxHashMap::default(),
        bases: FxHashMap::default(),
        ranges: Vec::new(),
        exact: true,
    };
    let predicates = predicates.into_iter().map(|p| reader.formula(p)).collect();
    let mut read: Vec<Term> = conjuncts.into_iter().map(|c| reader.formula(c)).collect();
    read.append(&mut reader.ranges);
    Reading { conjuncts: read, predicates, exact: reader.exact }
}

/// How much more often a term is compared as a signed number than as an unsigned one.
fn votes(terms: &Terms, order: &[Term]) -> FxHashMap<Term, i64> {
    let mut votes: FxHashMap<Term, i64> = FxHashMap::default();
    for &t in order.iter().rev() {
        let vote = match terms.op(t) {
            Op::Slt => 1,
            Op::Ult => -1,
            // Comparisons come before what they compare, going down.
            Op::Add | Op::Neg | Op::Ite | Op::Mul | Op::Eq => votes.get(&t).copied().unwrap_or(0).signum(),
            _ => 0,
        };
        for &arg in terms.args(t) {
            *votes.entry(arg).or_default() += vote;
        }
    }
    votes
}

struct Reader<'a> {
    terms: &'a mut Terms,
    signed: FxHashMap<Term, i64>,
    formulas: FxHashMap<Term, Term>,
    /// The integer that a bit-vector is, unsigned or signed.
    values: FxHashMap<(Term, bool), Term>,
    /// The integers that stand for terms without a reading, and whether they are signed.
    bases: FxHashMap<Term, (Term, bool)>,
    ranges: Vec<Term>,
    exact: bool,
}

fn power(exponent: u32) -> IBig {
    IBig::ONE << exponent as usize
}

/// The least number of a width, and the number after the greatest.
fn range(width: u32, signed: bool) -> (IBig, IBig) {
    if signed { (-power(width - 1), power(width - 1)) } else { (IBig::ZERO, power(width)) }
}

impl Reader<'_> {
    fn formula(&mut self, t: Term) -> Term {
        if let Some(&known) = self.formulas.get(&t) {
            return known;
        }
        let args = self.terms.args(t).to_vec();
        let read = match self.terms.op(t) {
            Op::Ult | Op::Slt => {
                let signed = self.terms.op(t) == Op::Slt;
                let (a, b) = (self.value(args[0], signed), self.value(args[1], signed));
                self.terms.lt(a, b)
            }
            Op::Eq if self.terms.sort(args[0]).width().is_some() => {
                let signed = self.is_signed(args[0]);
                let (a, b) = (self.value(args[0], signed), self.value(args[1], signed));
                self.terms.eq(a, b)
            }
            Op::Var(_) | Op::Bool(_) | Op::Const(_) => t,
            _ if args.iter().all(|&a| matches!(self.terms.sort(a), Sort::Bool | Sort::Int | Sort::Real)) => {
                let args: Vec<Term> = args.iter().map(|&a| self.formula(a)).collect();
                self.terms.rebuild(t, &args)
            }
            _ => {
                self.exact = false;
                let sort = self.terms.sort(t);
                self.terms.fresh("any", sort)
            }
        };
        self.formulas.insert(t, read);
        read
    }

    fn is_signed(&self, t: Term) -> bool {
        self.signed.get(&t).is_none_or(|&votes| votes >= 0)
    }

    /// The integer that a bit-vector is.
    fn value(&mut self, t: Term, signed: bool) -> Term {
        if let Some(&known) = self.values.get(&(t, signed)) {
            return known;
        }
        let value = self.read_value(t, signed);
        self.values.insert((t, signed), value);
        value
    }

    fn read_value(&mut self, t: Term, signed: bool) -> Term {
        if let Some(bits) = self.terms.bits_constant(t) {
            return self.terms.int(number(&bits, signed));
        }
        let args = self.terms.args(t).to_vec();
        let width = self.terms.width(t);
        let amount =
            |reader: &Self, i: usize| reader.terms.bits_constant(args[i]).map(|bits| number(&bits, false));
        match self.terms.op(t) {
            Op::Ite => {
                let c = self.formula(args[0]);
                let (a, b) = (self.value(args[1], signed), self.value(args[2], signed));
                self.terms.ite(c, a, b)
            }
            Op::Add | Op::Neg | Op::BvNot => self.sum(t, signed),
            Op::Mul if args.iter().any(|&a| self.terms.is_constant(a)) => self.sum(t, signed),
            Op::Shl if amount(self, 1).is_some() => self.sum(t, signed),
            Op::ZeroExtend => self.value(args[0], false),
            Op::SignExtend => {
                let value = self.value(args[0], true);
                self.seen_as(value, width, true, signed)
            }
            Op::Concat => {
                let low_width = self.terms.width(args[1]);
                let (high, low) = (self.value(args[0], signed), self.value(args[1], false));
                let high = self.terms.multiple(RBig::from(power(low_width)), high);
                self.terms.plus(&[high, low])
            }
            Op::Extract { low, .. } => {
                let whole = self.value(args[0], false);
                let (divisor, modulus) = (self.terms.int(power(low)), self.terms.int(power(width)));
                let shifted = self.terms.int_div(whole, divisor);
                let part = self.terms.modulo(shifted, modulus);
                self.seen_as(part, width, false, signed)
            }
            Op::Lshr | Op::Ashr => match amount(self, 1).and_then(|k| u32::try_from(k).ok()) {
                Some(k) if k < width => {
                    let arithmetic = self.terms.op(t) == Op::Ashr;
                    let whole = self.value(args[0], arithmetic);
                    let divisor = self.terms.int(power(k));
                    let shifted = self.terms.int_div(whole, divisor);
                    self.seen_as(shifted, width, arithmetic, signed)
                }
                _ => self.base(t, signed),
            },
            Op::Udiv | Op::Urem => match amount(self, 1) {
                Some(divisor) if divisor != IBig::ZERO => {
                    let whole = self.value(args[0], false);
                    let divisor = self.terms.int(divisor);
                    let result = match self.terms.op(t) {
                        Op::Udiv => self.terms.int_div(whole, divisor),
                        _ => self.terms.modulo(whole, divisor),
                    };
                    self.seen_as(result, width, false, signed)
                }
                _ => self.base(t, signed),
            },
            Op::BvAnd => match self.low_mask(&args) {
                Some((bits, whole)) => {
                    let whole = self.value(whole, false);
                    let modulus = self.terms.int(power(bits));
                    let low = self.terms.modulo(whole, modulus);
                    self.seen_as(low, width, false, signed)
                }
                None => self.base(t, signed),
            },
            _ => self.base(t, signed),
        }
    }

    /// A conjunction with a constant whose ones are the lowest bits: their number, and the other argument.
    fn low_mask(&self, args: &[Term]) -> Option<(u32, Term)> {
        [(args[0], args[1]), (args[1], args[0])].into_iter().find_map(|(mask, whole)| {
            let mask = self.terms.bits_constant(mask)?;
            let ones = mask.trailing_ones();
            (number(&mask, false) == power(ones) - IBig::ONE).then_some((ones, whole))
        })
    }

    /// An integer for a term that has no other reading.
    fn base(&mut self, t: Term, signed: bool) -> Term {
        let width = self.terms.width(t);
        let (base, base_signed) = match self.bases.get(&t) {
            Some(&known) => known,
            None => {
                self.exact &= self.terms.is_var(t);
                let as_signed = self.is_signed(t);
                let base = self.bounded("value", width, as_signed);
                self.bases.insert(t, (base, as_signed));
                (base, as_signed)
            }
        };
        self.seen_as(base, width, base_signed, signed)
    }

    /// A new integer in the range of a width.
    fn bounded(&mut self, name: &str, width: u32, signed: bool) -> Term {
        let new = self.terms.fresh(name, Sort::Int);
        let (low, above) = range(width, signed);
        let (low, above) = (self.terms.int(low), self.terms.int(above));
        let bounds = [self.terms.le(low, new), self.terms.lt(new, above)];
        self.ranges.extend(bounds);
        new
    }

    /// A number of one range, signed or not, as the number of the other with the same bits.
    fn seen_as(&mut self, value: Term, width: u32, is_signed: bool, signed: bool) -> Term {
        if is_signed == signed {
            return value;
        }
        let (_, above) = range(width, true);
        let bound = self.terms.int(if is_signed { IBig::ZERO } else { above });
        let small = self.terms.lt(value, bound);
        let turn = self.terms.int(if is_signed { power(width) } else { -power(width) });
        let turned = self.terms.plus(&[value, turn]);
        if is_signed { self.terms.ite(small, turned, value) } else { self.terms.ite(small, value, turned) }
    }

    /// The value of a sum of multiples.
    fn sum(&mut self, t: Term, signed: bool) -> Term {
        let width = self.terms.width(t);
        let (multiples, constant) = self.multiples(t);
        let (least, above) = range(width, signed);
        let (mut low, mut high) = (constant.clone(), constant.clone());
        let mut parts = vec![self.terms.int(constant)];
        for (base, c) in multiples {
            let value = self.value(base, signed);
            let (first, last) = (&c * &least, &c * (&above - IBig::ONE));
            low += (&first).min(&last);
            high += first.max(last);
            parts.push(self.terms.multiple(RBig::from(c), value));
        }
        let sum = self.terms.plus(&parts);
        let modulus = power(width);
        let turns = |n: IBig| RBig::from_parts(n - &least, tamis_logic::UBig::ONE << width as usize).floor();
        let (first, last) = (turns(low), turns(high));
        if &last - &first >= IBig::from(MAX_CASES) {
            let turns = self.terms.fresh("turns", Sort::Int);
            let back = self.terms.multiple(RBig::from(-modulus), turns);
            let value = self.terms.plus(&[sum, back]);
            let (least, above) = (self.terms.int(least), self.terms.int(above));
            let bounds = [self.terms.le(least, value), self.terms.lt(value, above)];
            self.ranges.extend(bounds);
            return value;
        }
        let turned = |terms: &mut Terms, k: &IBig| {
            let back = terms.int(-(k * &modulus));
            terms.plus(&[sum, back])
        };
        let mut value = turned(self.terms, &last);
        let mut k = last;
        while k > first {
            k -= IBig::ONE;
            let end = self.terms.int(&above + &k * &modulus);
            let within = self.terms.lt(sum, end);
            let case = turned(self.terms, &k);
            value = self.terms.ite(within, case, value);
        }
        value
    }

    /// A term as a constant and multiples of others, the coefficients as small as they can be.
    fn multiples(&mut self, t: Term) -> (Vec<(Term, IBig)>, IBig) {
        let width = self.terms.width(t);
        let centred = |c: IBig| Bits::from_ibig(width, &c);
        let mut constant = IBig::ZERO;
        let mut pending: BTreeMap<Term, IBig> = BTreeMap::from([(t, IBig::ONE)]);
        let mut done: BTreeMap<Term, IBig> = BTreeMap::new();
        // What a term is made of is earlier than the term, so each is taken apart once.
        while let Some((t, c)) = pending.pop_last() {
            let c = number(&centred(c), true);
            if c == IBig::ZERO {
                continue;
            }
            let args = self.terms.args(t).to_vec();
            let constants: Vec<Option<Bits>> = args.iter().map(|&a| self.terms.bits_constant(a)).collect();
            let mut add = |t: Term, c: IBig| *pending.entry(t).or_insert(IBig::ZERO) += c;
            match (self.terms.op(t), &constants[..]) {
                (Op::Const(_), _) => {
                    let bits = self.terms.bits_constant(t);
                    constant += c * bits.map_or(IBig::ZERO, |bits| number(&bits, true));
                }
                (Op::Add, _) => args.iter().for_each(|&a| add(a, c.clone())),
                (Op::Neg, _) => add(args[0], -c),
                (Op::BvNot, _) => {
                    add(args[0], -&c);
                    constant -= c;
                }
                (Op::Mul, [Some(k), _]) => add(args[1], c * number(k, true)),
                (Op::Mul, [_, Some(k)]) => add(args[0], c * number(k, true)),
                (Op::Shl, [_, Some(k)]) => {
                    let by = u32::try_from(number(k, false)).unwrap_or(width).min(width);
                    add(args[0], c * power(by));
                }
                _ => *done.entry(t).or_insert(IBig::ZERO) += c,
            }
        }
        let constant = number(&centred(constant), true);
        (done.into_iter().filter(|(_, c)| *c != IBig::ZERO).collect(), constant)
    }
}

fn number(bits: &Bits, signed: bool) -> IBig {
    let unsigned = IBig::from(bits.to_ubig());
    if signed && bits.is_negative() { unsigned - power(bits.width()) } else { unsigned }
}
