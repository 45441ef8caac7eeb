//! Simplifying constructors of the bit-vector operators.
//!
//! A constant argument of a commutative operator stands last. Every rule is tried by the fuzzer in
//! `tests/simplify.rs`, which compares the built term with the operators applied to plain values.

use crate::eval::apply;
use crate::simplify_bool::sorted;
use crate::sort::{MAX_WIDTH, Sort};
use crate::store::{Op, Term, Terms};
use crate::value::{Bits, Value};

impl Terms {
    /// `op(args)` when every argument is a constant.
    fn fold(&mut self, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
        let values: Option<Vec<Value>> = args.iter().map(|&a| self.constant(a)).collect();
        let value = apply(op, sort.width().unwrap_or(0), &values?);
        Some(self.value(value))
    }

    fn same_width(&self, a: Term, b: Term) -> u32 {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "bit-vectors of two widths");
        width
    }

    /// A binary operator without rules of its own beyond constant folding.
    fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        self.fold(op, sort, &[a, b]).unwrap_or_else(|| self.intern(op, sort, &[a, b]))
    }

    /// The arguments of a commutative operator: a constant last, otherwise by id.
    fn commuted(&self, a: Term, b: Term) -> [Term; 2] {
        match (self.bits_constant(a), self.bits_constant(b)) {
            (Some(_), None) => [b, a],
            (None, Some(_)) => [a, b],
            _ => sorted(a, b),
        }
    }

    /// Both arguments of `t`, if it is a term with operator `op` whose second argument is a constant.
    fn with_constant(&self, op: Op, t: Term) -> Option<(Term, Bits)> {
        if self.op(t) != op {
            return None;
        }
        let args = self.args(t);
        Some((args[0], self.bits_constant(args[1])?))
    }

    /// `bvneg`.
    pub fn neg(&mut self, a: Term) -> Term {
        let sort = self.sort(a);
        if let Some(folded) = self.fold(Op::Neg, sort, &[a]) {
            return folded;
        }
        match self.op(a) {
            Op::Neg => self.args(a)[0],
            // -(x + c) = -x + -c keeps constants outermost.
            Op::Add if self.with_constant(Op::Add, a).is_some() => {
                let [x, c] = [self.args(a)[0], self.args(a)[1]];
                let (minus_x, minus_c) = (self.neg(x), self.neg(c));
                self.add(minus_x, minus_c)
            }
            _ => self.intern(Op::Neg, sort, &[a]),
        }
    }

    /// `bvadd`.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let [a, b] = self.commuted(a, b);
        if let Some(c) = self.bits_constant(b) {
            if c.is_zero() {
                return a;
            }
            if let Some((x, d)) = self.with_constant(Op::Add, a) {
                let sum = self.bits_value(c.add(d));
                return self.add(x, sum);
            }
            if let Some(lifted) = self.lift_into_ite(Op::Add, a, b) {
                return lifted;
            }
        } else {
            // (x + c) + y = (x + y) + c
            for (sum, other) in [(a, b), (b, a)] {
                if let Some((x, c)) = self.with_constant(Op::Add, sum) {
                    let inner = self.add(x, other);
                    let c = self.bits_value(c);
                    return self.add(inner, c);
                }
            }
            // x + -x, and (x + -y) + y
            if self.opposite(a, b) {
                return self.bits(width, 0);
            }
            for (x, y) in [(a, b), (b, a)] {
                if let (Op::Add, &[l, r]) = (self.op(x), self.args(x)) {
                    if self.opposite(l, y) {
                        return r;
                    }
                    if self.opposite(r, y) {
                        return l;
                    }
                }
            }
        }
        self.binary(Op::Add, a, b)
    }

    /// Whether one term is the negative of the other by its form.
    fn opposite(&self, a: Term, b: Term) -> bool {
        let negates = |x: Term, y: Term| self.op(x) == Op::Neg && self.args(x)[0] == y;
        negates(a, b) || negates(b, a)
    }

    /// `bvmul`.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.same_width(a, b);
        let [a, b] = self.commuted(a, b);
        if let Some(c) = self.bits_constant(b) {
            if c.is_zero() {
                return b;
            }
            if c.is_one() {
                return a;
            }
            if c.is_ones() {
                return self.neg(a);
            }
            if let Some((x, d)) = self.with_constant(Op::Mul, a) {
                let product = self.bits_value(c.mul(d));
                return self.mul(x, product);
            }
        }
        self.binary(Op::Mul, a, b)
    }

    /// `bvudiv`.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        match self.bits_constant(b).and_then(Bits::power_of_two) {
            Some(k) => {
                let k = self.bits(width, u128::from(k));
                self.lshr(a, k)
            }
            None => self.binary(Op::Udiv, a, b),
        }
    }

    /// `bvurem`.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        match self.bits_constant(b).and_then(Bits::power_of_two) {
            Some(0) => self.bits(width, 0),
            Some(k) => {
                let low = self.extract(k - 1, 0, a);
                self.zero_extend(width, low)
            }
            None => self.binary(Op::Urem, a, b),
        }
    }

    /// `bvsdiv`.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        self.same_width(a, b);
        match self.bits_constant(b) {
            // In one bit, 1 is also -1, and dividing by it negates: the same thing there.
            Some(c) if c.is_one() => a,
            Some(c) if c.is_ones() => self.neg(a),
            _ => self.binary(Op::Sdiv, a, b),
        }
    }

    /// `bvsrem`.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        match self.bits_constant(b) {
            Some(c) if c.is_one() || c.is_ones() => self.bits(width, 0),
            _ => self.binary(Op::Srem, a, b),
        }
    }

    /// `bvnot`.
    pub fn bv_not(&mut self, a: Term) -> Term {
        let sort = self.sort(a);
        match self.op(a) {
            Op::BvNot => self.args(a)[0],
            _ => self.fold(Op::BvNot, sort, &[a]).unwrap_or_else(|| self.intern(Op::BvNot, sort, &[a])),
        }
    }

    /// `bvand`.
    pub fn bv_and(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let [a, b] = self.commuted(a, b);
        if a == b {
            return a;
        }
        if self.complementary(a, b) {
            return self.bits(width, 0);
        }
        if let Some(c) = self.bits_constant(b) {
            if c.is_zero() {
                return b;
            }
            if c.is_ones() {
                return a;
            }
            if let Some((x, d)) = self.with_constant(Op::BvAnd, a) {
                let both = self.bits_value(c.and(d));
                return self.bv_and(x, both);
            }
            // A mask of low ones is a cut.
            let ones = c.unsigned().trailing_ones();
            if ones < width && c.unsigned() >> ones == 0 {
                let low = self.extract(ones - 1, 0, a);
                return self.zero_extend(width, low);
            }
            if let Some(lifted) = self.lift_into_ite(Op::BvAnd, a, b) {
                return lifted;
            }
        }
        self.binary(Op::BvAnd, a, b)
    }

    /// `bvor`.
    pub fn bv_or(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let [a, b] = self.commuted(a, b);
        if a == b {
            return a;
        }
        if self.complementary(a, b) {
            return self.bits_value(Bits::ones(width));
        }
        if let Some(c) = self.bits_constant(b) {
            if c.is_zero() {
                return a;
            }
            if c.is_ones() {
                return b;
            }
            if let Some((x, d)) = self.with_constant(Op::BvOr, a) {
                let both = self.bits_value(c.or(d));
                return self.bv_or(x, both);
            }
        }
        self.binary(Op::BvOr, a, b)
    }

    /// `bvxor`.
    pub fn bv_xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let [a, b] = self.commuted(a, b);
        if a == b {
            return self.bits(width, 0);
        }
        if let Some(c) = self.bits_constant(b) {
            if c.is_zero() {
                return a;
            }
            if c.is_ones() {
                return self.bv_not(a);
            }
            if let Some((x, d)) = self.with_constant(Op::BvXor, a) {
                let both = self.bits_value(c.xor(d));
                return self.bv_xor(x, both);
            }
        }
        self.binary(Op::BvXor, a, b)
    }

    fn complementary(&self, a: Term, b: Term) -> bool {
        let negates = |x: Term, y: Term| self.op(x) == Op::BvNot && self.args(x)[0] == y;
        negates(a, b) || negates(b, a)
    }

    /// `bvshl`.
    pub fn shl(&mut self, a: Term, by: Term) -> Term {
        self.shift(Op::Shl, a, by)
    }

    /// `bvlshr`.
    pub fn lshr(&mut self, a: Term, by: Term) -> Term {
        self.shift(Op::Lshr, a, by)
    }

    /// `bvashr`.
    pub fn ashr(&mut self, a: Term, by: Term) -> Term {
        self.shift(Op::Ashr, a, by)
    }

    fn shift(&mut self, op: Op, a: Term, by: Term) -> Term {
        let width = self.same_width(a, by);
        if let Some(c) = self.bits_constant(by) {
            if c.is_zero() {
                return a;
            }
            let out = c.unsigned() >= u128::from(width);
            match op {
                Op::Shl | Op::Lshr if out => return self.bits(width, 0),
                Op::Lshr => {
                    let high = self.extract(width - 1, c.unsigned() as u32, a);
                    return self.zero_extend(width, high);
                }
                Op::Ashr if out => {
                    let sign = self.extract(width - 1, width - 1, a);
                    return self.sign_extend(width, sign);
                }
                Op::Ashr => {
                    let high = self.extract(width - 1, c.unsigned() as u32, a);
                    return self.sign_extend(width, high);
                }
                _ => {}
            }
        }
        self.binary(op, a, by)
    }

    /// `concat`, with `a` as the high part.
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a) + self.width(b);
        assert!(width <= MAX_WIDTH, "bit-vector width {width} out of range");
        if self.bits_constant(a).is_some_and(Bits::is_zero) {
            return self.zero_extend(width, b);
        }
        // Neighbouring slices of one term are one slice.
        if let (Op::Extract { high, low }, Op::Extract { high: h, low: l }) = (self.op(a), self.op(b))
            && self.args(a) == self.args(b)
            && low == h + 1
        {
            let whole = self.args(a)[0];
            return self.extract(high, l, whole);
        }
        let sort = Sort::BitVec(width);
        self.fold(Op::Concat, sort, &[a, b]).unwrap_or_else(|| self.intern(Op::Concat, sort, &[a, b]))
    }

    /// `(_ extract high low)`.
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        let width = self.width(a);
        assert!(low <= high && high < width, "extract {high} {low} from {width} bits");
        if low == 0 && high == width - 1 {
            return a;
        }
        let (op, sort) = (Op::Extract { high, low }, Sort::BitVec(high - low + 1));
        if let Some(folded) = self.fold(op, sort, &[a]) {
            return folded;
        }
        let args = self.args(a).to_vec();
        match self.op(a) {
            Op::Extract { low: offset, .. } => return self.extract(high + offset, low + offset, args[0]),
            Op::Concat => {
                let split = self.width(args[1]);
                if high < split {
                    return self.extract(high, low, args[1]);
                }
                if low >= split {
                    return self.extract(high - split, low - split, args[0]);
                }
            }
            Op::ZeroExtend | Op::SignExtend => {
                let inner = self.width(args[0]);
                if high < inner {
                    return self.extract(high, low, args[0]);
                }
                if self.op(a) == Op::ZeroExtend && low >= inner {
                    return self.bits(high - low + 1, 0);
                }
                if low == 0 {
                    return self.resize(high + 1, self.op(a) == Op::SignExtend, args[0]);
                }
            }
            // The low bits of these depend on the low bits of their arguments alone.
            Op::Add | Op::Mul | Op::BvAnd | Op::BvOr | Op::BvXor if low == 0 && self.narrows(a) => {
                let (x, y) = (self.extract(high, 0, args[0]), self.extract(high, 0, args[1]));
                return self.rebuild_at(self.op(a), x, y);
            }
            Op::Neg if low == 0 && self.narrows(a) => {
                let x = self.extract(high, 0, args[0]);
                return self.neg(x);
            }
            Op::BvNot if self.narrows(a) => {
                let x = self.extract(high, low, args[0]);
                return self.bv_not(x);
            }
            Op::Ite if self.is_small_ite(a) => {
                let (x, y) = (self.extract(high, low, args[1]), self.extract(high, low, args[2]));
                return self.ite(args[0], x, y);
            }
            _ => {}
        }
        self.intern(op, sort, &[a])
    }

    /// Whether cutting low bits off `t` pays: a small tree of arithmetic over terms that are cheap to cut. The bound
    /// keeps the recursion shallow and a shared term from being cut once per path to it.
    fn narrows(&self, t: Term) -> bool {
        self.is_small_tree(t, |t, part| match t.op(part) {
            Op::Add | Op::Mul | Op::BvAnd | Op::BvOr | Op::BvXor | Op::Neg | Op::BvNot => Some(false),
            Op::Bits(_) | Op::ZeroExtend | Op::SignExtend | Op::Extract { .. } => Some(true),
            _ => None,
        })
    }

    /// Whether `t` is a small tree of if-then-elses, with a constant at one leaf at least.
    fn is_small_ite(&self, t: Term) -> bool {
        self.op(t) == Op::Ite && {
            let mut constant = false;
            let small = self.is_small_tree(t, |t, part| {
                constant |= t.bits_constant(part).is_some();
                Some(t.op(part) != Op::Ite)
            });
            small && constant
        }
    }

    /// Whether `t`, read as a tree, has few nodes down to its leaves. `leaf` says of each node whether it is a leaf,
    /// or `None` if it may not occur at all. The condition of an if-then-else is no part of the tree.
    fn is_small_tree(&self, t: Term, mut leaf: impl FnMut(&Terms, Term) -> Option<bool>) -> bool {
        const FEW: usize = 12;
        let mut pending = vec![t];
        let mut visited = 0;
        while let Some(part) = pending.pop() {
            visited += 1;
            match leaf(self, part) {
                _ if visited > FEW => return false,
                None => return false,
                Some(true) => {}
                Some(false) => {
                    let skip = usize::from(self.op(part) == Op::Ite);
                    pending.extend_from_slice(&self.args(part)[skip..]);
                }
            }
        }
        true
    }

    fn rebuild_at(&mut self, op: Op, x: Term, y: Term) -> Term {
        match op {
            Op::Add => self.add(x, y),
            Op::Mul => self.mul(x, y),
            Op::BvAnd => self.bv_and(x, y),
            Op::BvOr => self.bv_or(x, y),
            _ => self.bv_xor(x, y),
        }
    }

    /// Zero extension of `a` to `width` bits.
    pub fn zero_extend(&mut self, width: u32, a: Term) -> Term {
        self.extend(Op::ZeroExtend, width, a)
    }

    /// Sign extension of `a` to `width` bits.
    pub fn sign_extend(&mut self, width: u32, a: Term) -> Term {
        // What has been zero-extended is not negative.
        let op = if self.op(a) == Op::ZeroExtend { Op::ZeroExtend } else { Op::SignExtend };
        self.extend(op, width, a)
    }

    fn extend(&mut self, op: Op, width: u32, a: Term) -> Term {
        let old = self.width(a);
        assert!(old <= width && width <= MAX_WIDTH, "extension from {old} to {width} bits");
        if old == width {
            return a;
        }
        let sort = Sort::BitVec(width);
        if let Some(folded) = self.fold(op, sort, &[a]) {
            return folded;
        }
        if self.op(a) == op {
            let inner = self.args(a)[0];
            return self.extend(op, width, inner);
        }
        if self.is_small_ite(a) {
            let [cond, x, y] = [self.args(a)[0], self.args(a)[1], self.args(a)[2]];
            let (x, y) = (self.extend(op, width, x), self.extend(op, width, y));
            return self.ite(cond, x, y);
        }
        self.intern(op, sort, &[a])
    }

    /// `bvult`.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.fals();
        }
        if let Some(c) = self.bits_constant(b) {
            if c.is_zero() {
                return self.fals();
            }
            if c.is_one() {
                let zero = self.bits(width, 0);
                return self.eq(a, zero);
            }
            if c.is_ones() {
                return self.ne(a, b);
            }
        }
        if let Some(c) = self.bits_constant(a) {
            if c.is_ones() {
                return self.fals();
            }
            if c.is_zero() {
                return self.nonzero(b);
            }
        }
        self.compare(Op::Ult, a, b)
    }

    /// `bvslt`.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.fals();
        }
        if let Some(c) = self.bits_constant(b) {
            if c == Bits::min_signed(width) {
                return self.fals();
            }
            if c == Bits::max_signed(width) {
                return self.ne(a, b);
            }
        }
        if let Some(c) = self.bits_constant(a) {
            if c == Bits::max_signed(width) {
                return self.fals();
            }
            if c == Bits::min_signed(width) {
                return self.ne(a, b);
            }
        }
        self.compare(Op::Slt, a, b)
    }

    fn order(&mut self, op: Op, a: Term, b: Term) -> Term {
        if op == Op::Slt { self.slt(a, b) } else { self.ult(a, b) }
    }

    /// The rules that both orders share.
    fn compare(&mut self, op: Op, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold(op, Sort::Bool, &[a, b]) {
            return folded;
        }
        // c < b with c constant is ¬(b < c+1), since c is not the greatest: bounds from either side share an atom.
        if let Some(c) = self.bits_constant(a) {
            let next = self.bits_value(c.add(Bits::one(c.width())));
            let below = self.order(op, b, next);
            return self.not(below);
        }
        if let Some(lifted) = self.lift_into_ite(op, a, b) {
            return lifted;
        }
        if let Some(narrowed) = self.compare_extended(op, a, b) {
            return narrowed;
        }
        self.intern(op, Sort::Bool, &[a, b])
    }

    /// A comparison of an extended term with another or with a constant, at the width before the extension. Sign
    /// extension keeps both orders; zero extension keeps the unsigned one and turns the signed one into it.
    fn compare_extended(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let ext @ (Op::SignExtend | Op::ZeroExtend) = self.op(a) else { return None };
        let x = self.args(a)[0];
        let narrow_op = if ext == Op::ZeroExtend { Op::Ult } else { op };
        if self.op(b) == ext {
            let y = self.args(b)[0];
            return (self.width(x) == self.width(y)).then(|| self.order(narrow_op, x, y));
        }
        let c = self.bits_constant(b)?;
        if let Some(y) = self.narrow_constant(ext, self.width(x), c) {
            return Some(self.order(narrow_op, x, y));
        }
        // A constant outside the range of the extension is above or below all of it.
        match (ext, op) {
            (Op::ZeroExtend, Op::Ult) => Some(self.tru()),
            (_, Op::Slt) => Some(self.bool(!c.is_negative())),
            _ => None,
        }
    }

    /// The constant of `width` bits that extends to `c`, if there is one.
    fn narrow_constant(&mut self, ext: Op, width: u32, c: Bits) -> Option<Term> {
        let low = c.extract(width - 1, 0);
        let again =
            if ext == Op::ZeroExtend { low.zero_extend(c.width()) } else { low.sign_extend(c.width()) };
        (again == c).then(|| self.bits_value(low))
    }

    /// Equality of bit-vectors; neither the same term nor two constants.
    pub(crate) fn eq_bv(&mut self, a: Term, b: Term) -> Term {
        let [a, b] = self.commuted(a, b);
        if let Some(c) = self.bits_constant(b) {
            if let Some(simpler) = self.eq_constant(a, c) {
                return simpler;
            }
        } else if let (x, y, true) = self.cancel_common_addend(a, b) {
            return self.eq(x, y);
        } else if self.op(a) == self.op(b) && matches!(self.op(a), Op::ZeroExtend | Op::SignExtend) {
            let (x, y) = (self.args(a)[0], self.args(b)[0]);
            if self.width(x) == self.width(y) {
                return self.eq(x, y);
            }
        }
        self.intern(Op::Eq, Sort::Bool, &[a, b])
    }

    /// `x + c = y + d` as `x = y + (d - c)`; the flag says whether anything changed.
    fn cancel_common_addend(&mut self, a: Term, b: Term) -> (Term, Term, bool) {
        match (self.with_constant(Op::Add, a), self.with_constant(Op::Add, b)) {
            (Some((x, c)), Some((y, d))) => {
                let difference = self.bits_value(d.sub(c));
                let y = self.add(y, difference);
                (x, y, true)
            }
            _ => (a, b, false),
        }
    }

    /// `a = c` in simpler terms.
    fn eq_constant(&mut self, a: Term, c: Bits) -> Option<Term> {
        let args = self.args(a).to_vec();
        let constant = |t: &mut Terms, bits: Bits| t.bits_value(bits);
        match self.op(a) {
            Op::Add => {
                let d = self.bits_constant(args[1])?;
                let rest = constant(self, c.sub(d));
                Some(self.eq(args[0], rest))
            }
            Op::Neg => {
                let rest = constant(self, c.neg());
                Some(self.eq(args[0], rest))
            }
            Op::BvNot => {
                let rest = constant(self, c.not());
                Some(self.eq(args[0], rest))
            }
            Op::BvXor => {
                let d = self.bits_constant(args[1])?;
                let rest = constant(self, c.xor(d));
                Some(self.eq(args[0], rest))
            }
            ext @ (Op::ZeroExtend | Op::SignExtend) => {
                let inner = self.width(args[0]);
                Some(match self.narrow_constant(ext, inner, c) {
                    Some(low) => self.eq(args[0], low),
                    None => self.fals(),
                })
            }
            Op::Ite => {
                let c = constant(self, c);
                self.lift_into_ite(Op::Eq, a, c)
            }
            Op::Concat => {
                let split = self.width(args[1]);
                let high = constant(self, c.extract(c.width() - 1, split));
                let low = constant(self, c.extract(split - 1, 0));
                let (x, y) = (self.eq(args[0], high), self.eq(args[1], low));
                Some(self.and2(x, y))
            }
            // x & d = c is false when c has a bit that d has not.
            Op::BvAnd => {
                let d = self.bits_constant(args[1])?;
                (!c.and(d.not()).is_zero()).then(|| self.fals())
            }
            Op::BvOr => {
                let d = self.bits_constant(args[1])?;
                (!d.and(c.not()).is_zero()).then(|| self.fals())
            }
            _ => None,
        }
    }

    /// `op(ite, constant)` as an if-then-else between simpler terms, when a branch is a constant. C writes conditions
    /// as the numbers 1 and 0 and compares them with 0 again: this is what undoes it.
    fn lift_into_ite(&mut self, op: Op, ite: Term, constant: Term) -> Option<Term> {
        self.bits_constant(constant)?;
        if !self.is_small_ite(ite) {
            return None;
        }
        let [cond, x, y] = [self.args(ite)[0], self.args(ite)[1], self.args(ite)[2]];
        let mut branch = |t: Term| match op {
            Op::Eq => self.eq(t, constant),
            Op::Add => self.add(t, constant),
            Op::BvAnd => self.bv_and(t, constant),
            Op::Ult => self.ult(t, constant),
            _ => self.slt(t, constant),
        };
        let (x, y) = (branch(x), branch(y));
        Some(self.ite(cond, x, y))
    }
}
