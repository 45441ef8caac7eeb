//! The operators: what sorts they take and the terms they make.

use tamis_logic::{Sort, Term, Terms};

/// An operator over nodes alone.
pub struct Operator {
    /// How many arguments it has.
    pub arity: usize,
    /// Makes the term of its arguments and the sort that the line names, if they fit; that the result is of this sort is
    /// checked by the caller.
    pub make: fn(&mut Terms, &[Term], Sort) -> Option<Term>,
}

/// The operator of this name.
pub fn operator(name: &str) -> Option<Operator> {
    let unary = |make| Some(Operator { arity: 1, make });
    let binary = |make| Some(Operator { arity: 2, make });
    let ternary = |make| Some(Operator { arity: 3, make });
    match name {
        "not" => unary(|t, a, _| word(t, a).then(|| t.bv_not(a[0]))),
        "inc" => unary(|t, a, _| {
            let one = t.bits(word(t, a).then(|| t.width(a[0]))?, 1);
            Some(t.add(a[0], one))
        }),
        "dec" => unary(|t, a, _| {
            let one = t.bits(word(t, a).then(|| t.width(a[0]))?, 1);
            Some(t.sub(a[0], one))
        }),
        "neg" => unary(|t, a, _| word(t, a).then(|| t.neg(a[0]))),
        "redand" => unary(|t, a, _| word(t, a).then(|| t.bv_redand(a[0]))),
        "redor" => unary(|t, a, _| word(t, a).then(|| t.bv_redor(a[0]))),
        "redxor" => unary(|t, a, _| word(t, a).then(|| t.bv_redxor(a[0]))),

        "iff" => binary(|t, a, _| bit(t, a).then(|| t.eq(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "implies" => binary(|t, a, _| {
            let not = bit(t, a).then(|| t.bv_not(a[0]))?;
            Some(t.bv_or(not, a[1]))
        }),
        "eq" => binary(|t, a, _| same(t, a).then(|| t.eq(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "neq" => binary(|t, a, _| same(t, a).then(|| t.ne(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "ugt" => binary(|t, a, _| words(t, a).then(|| t.ult(a[1], a[0])).map(|b| t.bool_to_bits(1, b))),
        "ugte" => binary(|t, a, _| words(t, a).then(|| t.ule(a[1], a[0])).map(|b| t.bool_to_bits(1, b))),
        "ult" => binary(|t, a, _| words(t, a).then(|| t.ult(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "ulte" => binary(|t, a, _| words(t, a).then(|| t.ule(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "sgt" => binary(|t, a, _| words(t, a).then(|| t.slt(a[1], a[0])).map(|b| t.bool_to_bits(1, b))),
        "sgte" => binary(|t, a, _| words(t, a).then(|| t.sle(a[1], a[0])).map(|b| t.bool_to_bits(1, b))),
        "slt" => binary(|t, a, _| words(t, a).then(|| t.slt(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "slte" => binary(|t, a, _| words(t, a).then(|| t.sle(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "and" => binary(|t, a, _| words(t, a).then(|| t.bv_and(a[0], a[1]))),
        "nand" => binary(|t, a, _| words(t, a).then(|| t.bv_nand(a[0], a[1]))),
        "nor" => binary(|t, a, _| words(t, a).then(|| t.bv_nor(a[0], a[1]))),
        "or" => binary(|t, a, _| words(t, a).then(|| t.bv_or(a[0], a[1]))),
        "xnor" => binary(|t, a, _| words(t, a).then(|| t.bv_xnor(a[0], a[1]))),
        "xor" => binary(|t, a, _| words(t, a).then(|| t.bv_xor(a[0], a[1]))),
        "rol" => binary(|t, a, _| words(t, a).then(|| rotate(t, a[0], a[1], true))),
        "ror" => binary(|t, a, _| words(t, a).then(|| rotate(t, a[0], a[1], false))),
        "sll" => binary(|t, a, _| words(t, a).then(|| t.shl(a[0], a[1]))),
        "sra" => binary(|t, a, _| words(t, a).then(|| t.ashr(a[0], a[1]))),
        "srl" => binary(|t, a, _| words(t, a).then(|| t.lshr(a[0], a[1]))),
        "add" => binary(|t, a, _| words(t, a).then(|| t.add(a[0], a[1]))),
        "mul" => binary(|t, a, _| words(t, a).then(|| t.mul(a[0], a[1]))),
        "sdiv" => binary(|t, a, _| words(t, a).then(|| t.sdiv(a[0], a[1]))),
        "udiv" => binary(|t, a, _| words(t, a).then(|| t.udiv(a[0], a[1]))),
        "smod" => binary(|t, a, _| words(t, a).then(|| t.smod(a[0], a[1]))),
        "srem" => binary(|t, a, _| words(t, a).then(|| t.srem(a[0], a[1]))),
        "urem" => binary(|t, a, _| words(t, a).then(|| t.urem(a[0], a[1]))),
        "sub" => binary(|t, a, _| words(t, a).then(|| t.sub(a[0], a[1]))),
        "saddo" => binary(|t, a, _| words(t, a).then(|| t.saddo(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "uaddo" => binary(|t, a, _| words(t, a).then(|| t.uaddo(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "sdivo" => binary(|t, a, _| words(t, a).then(|| t.sdivo(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        // An unsigned quotient never overflows.
        "udivo" => binary(|t, a, _| words(t, a).then(|| t.bits(1, 0))),
        "smulo" => binary(|t, a, _| words(t, a).then(|| t.smulo(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "umulo" => binary(|t, a, _| words(t, a).then(|| t.umulo(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "ssubo" => binary(|t, a, _| words(t, a).then(|| t.ssubo(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "usubo" => binary(|t, a, _| words(t, a).then(|| t.usubo(a[0], a[1])).map(|b| t.bool_to_bits(1, b))),
        "concat" => binary(|t, a, sort| {
            let total = word(t, a).then(|| u64::from(t.width(a[0])) + u64::from(t.width(a[1])))?;
            (sort.width().map(u64::from) == Some(total)).then(|| t.concat(a[0], a[1]))
        }),
        "read" => binary(|t, a, _| {
            let (index, _) = t.array_parts(t.sort(a[0]))?;
            (t.sort(a[1]) == index).then(|| t.select(a[0], a[1]))
        }),

        "ite" => ternary(|t, a, _| {
            let fits = bit(t, &a[..1]) && same(t, &a[1..]);
            let condition = fits.then(|| is_one(t, a[0]))?;
            Some(t.ite(condition, a[1], a[2]))
        }),
        "write" => ternary(|t, a, _| {
            let (index, element) = t.array_parts(t.sort(a[0]))?;
            (t.sort(a[1]) == index && t.sort(a[2]) == element).then(|| t.store(a[0], a[1], a[2]))
        }),
        _ => None,
    }
}

/// The condition that a word of one bit is 1.
pub fn is_one(terms: &mut Terms, word: Term) -> Term {
    let one = terms.bits(1, 1);
    terms.eq(word, one)
}

/// All are words.
fn word(terms: &Terms, args: &[Term]) -> bool {
    args.iter().all(|&a| matches!(terms.sort(a), Sort::BitVec(_)))
}

/// All are words of one bit.
fn bit(terms: &Terms, args: &[Term]) -> bool {
    args.iter().all(|&a| terms.sort(a) == Sort::BitVec(1))
}

/// All are of one sort.
fn same(terms: &Terms, args: &[Term]) -> bool {
    args.windows(2).all(|pair| terms.sort(pair[0]) == terms.sort(pair[1]))
}

/// All are words of one width.
fn words(terms: &Terms, args: &[Term]) -> bool {
    word(terms, args) && same(terms, args)
}

/// `a`, rotated by a word of the same width: `a << r | a >> (w - r)` with `r = by mod w`. Where `r` is 0, the right shift
/// is by the whole width, and gives 0, unless the width is no number of that many bits: then it is 1, where nothing rotates.
fn rotate(terms: &mut Terms, a: Term, by: Term, left: bool) -> Term {
    let width = terms.width(a);
    if width == 1 {
        return a;
    }
    let whole = terms.bits(width, width.into());
    let by = terms.urem(by, whole);
    let rest = terms.sub(whole, by);
    let (out, back) =
        if left { (terms.shl(a, by), terms.lshr(a, rest)) } else { (terms.lshr(a, by), terms.shl(a, rest)) };
    terms.bv_or(out, back)
}
