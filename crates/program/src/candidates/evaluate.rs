//! Terms and guards over ranges of variables.

use super::range::Range;
use rustc_hash::FxHashMap;
use tamis_logic::{Op, Sort, Term, Terms};

/// What is known of variables; of those that it does not have, nothing.
pub(super) type Environment = FxHashMap<Term, Range>;

/// A disjunction of more members says nothing, and nothing is looked at that is nested deeper.
const MOST_CASES: usize = 8;
const MOST_NESTED: usize = 12;

/// The range of a sort, if there is one. A truth value is one of one bit.
pub(super) fn any(sort: Sort) -> Option<Range> {
    match sort {
        Sort::Bool => Some(Range::any(1)),
        Sort::BitVec(width) if width <= 64 => Some(Range::any(width)),
        _ => None,
    }
}

fn truth(value: Option<bool>) -> Range {
    match value {
        Some(value) => Range::between_unsigned(1, i128::from(value), i128::from(value)),
        None => Range::any(1),
    }
}

/// The range of a term; `None` if it is not of bits.
pub(super) fn evaluate(terms: &Terms, environment: &Environment, t: Term) -> Option<Range> {
    if let Some(range) = environment.get(&t) {
        return Some(*range);
    }
    if terms.args(t).is_empty() {
        return leaf(terms, environment, t);
    }
    let mut known: FxHashMap<Term, Option<Range>> = FxHashMap::default();
    for s in terms.post_order(&[t]) {
        let args: Vec<Option<Range>> = terms.args(s).iter().map(|a| known[a]).collect();
        let range = if args.is_empty() { leaf(terms, environment, s) } else { node(terms, s, &args) };
        known.insert(s, range);
    }
    known[&t]
}

fn leaf(terms: &Terms, environment: &Environment, t: Term) -> Option<Range> {
    if let Some(range) = environment.get(&t) {
        return Some(*range);
    }
    if terms.is_true(t) || terms.is_false(t) {
        return Some(truth(Some(terms.is_true(t))));
    }
    match terms.bits_constant(t) {
        Some(bits) if bits.width() <= 64 => Some(Range::constant(&bits)),
        _ => any(terms.sort(t)),
    }
}

fn node(terms: &Terms, t: Term, args: &[Option<Range>]) -> Option<Range> {
    let unknown = any(terms.sort(t))?;
    let width = unknown.width();
    let decided = |r: &Option<Range>| r.and_then(|r| r.value()).map(|v| v == 1);
    if let (Op::Ite, [condition, a, b]) = (terms.op(t), args) {
        return Some(match (decided(condition), a, b) {
            (Some(true), Some(a), _) => *a,
            (Some(false), _, Some(b)) => *b,
            (None, Some(a), Some(b)) => a.join(b),
            _ => unknown,
        });
    }
    let connective = |whenever: bool| {
        let truths: Vec<Option<bool>> = args.iter().map(decided).collect();
        match truths.contains(&Some(whenever)) {
            true => truth(Some(whenever)),
            false if truths.iter().all(Option::is_some) => truth(Some(!whenever)),
            false => unknown,
        }
    };
    let range = match (terms.op(t), args) {
        (Op::And, _) => connective(false),
        (Op::Or, _) => connective(true),
        (Op::Not, [Some(a)]) | (Op::BvNot, [Some(a)]) => a.not(),
        (Op::Neg, [Some(a)]) => a.neg(),
        (Op::Eq, [Some(a), Some(b)]) => truth(match a.meet(b) {
            None => Some(false),
            Some(_) if a.value().is_some() && a.value() == b.value() => Some(true),
            Some(_) => None,
        }),
        (Op::Ult, [Some(a), Some(b)]) => truth(less(a.unsigned(), b.unsigned())),
        (Op::Slt, [Some(a), Some(b)]) => truth(less(a.signed(), b.signed())),
        (Op::Add, [Some(a), rest @ ..]) => fold(*a, rest, Range::add)?,
        (Op::Mul, [Some(a), rest @ ..]) => fold(*a, rest, Range::mul)?,
        (Op::BvAnd, [Some(a), rest @ ..]) => fold(*a, rest, Range::and)?,
        (Op::BvOr, [Some(a), rest @ ..]) => fold(*a, rest, Range::or)?,
        (Op::BvXor, [Some(a), rest @ ..]) => fold(*a, rest, Range::xor)?,
        (Op::Udiv, [Some(a), Some(b)]) => a.udiv(b),
        (Op::Urem, [Some(a), Some(b)]) => a.urem(b),
        (Op::Sdiv, [Some(a), Some(b)]) => a.sdiv(b),
        (Op::Srem, [Some(a), Some(b)]) => a.srem(b),
        (Op::Shl, [Some(a), Some(b)]) => a.shl(b),
        (Op::Lshr, [Some(a), Some(b)]) => a.lshr(b),
        (Op::Ashr, [Some(a), Some(b)]) => a.ashr(b),
        (Op::ZeroExtend, [Some(a)]) => a.zero_extended(width),
        (Op::SignExtend, [Some(a)]) => a.sign_extended(width),
        (Op::Extract { low: 0, .. }, [Some(a)]) => a.truncated(width),
        _ => unknown,
    };
    Some(range)
}

fn fold(first: Range, rest: &[Option<Range>], over: fn(&Range, &Range) -> Range) -> Option<Range> {
    rest.iter().try_fold(first, |range, next| next.as_ref().map(|next| over(&range, next)))
}

fn less(a: (i128, i128), b: (i128, i128)) -> Option<bool> {
    match (a.1 < b.0, a.0 >= b.1) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// What is known where a guard has the given value; `None` if it cannot have it.
pub(super) fn assume(
    terms: &Terms,
    environment: Environment,
    guard: Term,
    value: bool,
) -> Option<Environment> {
    assume_within(terms, environment, guard, value, MOST_NESTED)
}

fn assume_within(
    terms: &Terms,
    environment: Environment,
    guard: Term,
    value: bool,
    depth: usize,
) -> Option<Environment> {
    let Some(depth) = depth.checked_sub(1) else { return Some(environment) };
    let args = terms.args(guard);
    let inner = |environment: Environment, arg: Term| assume_within(terms, environment, arg, value, depth);
    match terms.op(guard) {
        Op::Bool(is) => (is == value).then_some(environment),
        Op::Not => assume_within(terms, environment, args[0], !value, depth),
        Op::And | Op::Or if (terms.op(guard) == Op::And) == value => {
            args.iter().try_fold(environment, |environment, &arg| inner(environment, arg))
        }
        Op::And | Op::Or if args.len() <= MOST_CASES => {
            let cases = args.iter().filter_map(|&arg| inner(environment.clone(), arg));
            cases.reduce(|a, b| join(&a, &b))
        }
        Op::Eq | Op::Ult | Op::Slt => compare(terms, environment, guard, value),
        _ if terms.sort(guard) == Sort::Bool => {
            let now = evaluate(terms, &environment, guard)?.meet(&truth(Some(value)))?;
            restrict(terms, environment, guard, &now)
        }
        _ => Some(environment),
    }
}

fn compare(terms: &Terms, environment: Environment, guard: Term, value: bool) -> Option<Environment> {
    let (x, y) = (terms.args(guard)[0], terms.args(guard)[1]);
    let (Some(a), Some(b)) = (evaluate(terms, &environment, x), evaluate(terms, &environment, y)) else {
        return Some(environment);
    };
    let width = a.width();
    let (a, b) = match (terms.op(guard), value) {
        (Op::Eq, true) => {
            let both = a.meet(&b)?;
            (both, both)
        }
        (Op::Eq, false) => (without(&a, &b)?, without(&b, &a)?),
        (Op::Ult, true) => {
            let (most, least) = (b.unsigned().1 - 1, a.unsigned().0 + 1);
            (at_most(&a, width, most, false)?, at_least(&b, width, least, false)?)
        }
        (Op::Ult, false) => {
            let (least, most) = (b.unsigned().0, a.unsigned().1);
            (at_least(&a, width, least, false)?, at_most(&b, width, most, false)?)
        }
        (Op::Slt, true) => {
            let (most, least) = (b.signed().1 - 1, a.signed().0 + 1);
            (at_most(&a, width, most, true)?, at_least(&b, width, least, true)?)
        }
        _ => {
            let (least, most) = (b.signed().0, a.signed().1);
            (at_least(&a, width, least, true)?, at_most(&b, width, most, true)?)
        }
    };
    restrict(terms, restrict(terms, environment, x, &a)?, y, &b)
}

fn at_most(range: &Range, width: u32, most: i128, signed: bool) -> Option<Range> {
    let any = Range::any(width);
    let least = if signed { any.signed().0 } else { 0 };
    if most < least {
        return None;
    }
    let bound = match signed {
        true => Range::between_signed(width, least, most.min(any.signed().1)),
        false => Range::between_unsigned(width, least, most.min(any.unsigned().1)),
    };
    range.meet(&bound)
}

fn at_least(range: &Range, width: u32, least: i128, signed: bool) -> Option<Range> {
    let any = Range::any(width);
    let most = if signed { any.signed().1 } else { any.unsigned().1 };
    if least > most {
        return None;
    }
    let bound = match signed {
        true => Range::between_signed(width, least.max(any.signed().0), most),
        false => Range::between_unsigned(width, least.max(0), most),
    };
    range.meet(&bound)
}

/// A range without what another is, if that is one value at an end.
fn without(range: &Range, other: &Range) -> Option<Range> {
    let Some(value) = other.value().map(i128::from) else { return Some(*range) };
    let width = range.width();
    let mut left = *range;
    if left.value().map(i128::from) == Some(value) {
        return None;
    }
    if left.unsigned().0 == value {
        left = at_least(&left, width, value + 1, false)?;
    } else if left.unsigned().1 == value {
        left = at_most(&left, width, value - 1, false)?;
    }
    let signed = other.signed().0;
    if left.signed().0 == signed {
        left = at_least(&left, width, signed + 1, true)?;
    } else if left.signed().1 == signed {
        left = at_most(&left, width, signed - 1, true)?;
    }
    Some(left)
}

/// What is known where a term is in a range: carried back to the variable that it is made of.
fn restrict(terms: &Terms, mut environment: Environment, mut t: Term, range: &Range) -> Option<Environment> {
    let mut range = *range;
    loop {
        let args = terms.args(t);
        match (terms.op(t), args) {
            (Op::Var(_), _) => {
                let now = evaluate(terms, &environment, t)?.meet(&range)?;
                environment.insert(t, now);
                return Some(environment);
            }
            (Op::Add, &[a, b]) => {
                let (inner, constant) = match (terms.bits_constant(a), terms.bits_constant(b)) {
                    (Some(c), _) => (b, c),
                    (_, Some(c)) => (a, c),
                    _ => return Some(environment),
                };
                range = range.add(&Range::constant(&constant.neg()));
                t = inner;
            }
            (Op::Not | Op::BvNot, &[a]) => {
                range = range.not();
                t = a;
            }
            (Op::Neg, &[a]) => {
                range = range.neg();
                t = a;
            }
            (Op::ZeroExtend | Op::SignExtend, &[a]) => {
                range = range.before_extension(terms.width(a), terms.op(t) == Op::SignExtend)?;
                t = a;
            }
            _ => return Some(environment),
        }
    }
}

/// What is known of either.
pub(super) fn join(a: &Environment, b: &Environment) -> Environment {
    let both = a.iter().filter_map(|(v, range)| Some((*v, range.join(b.get(v)?))));
    both.filter(|(_, range)| !range.is_any()).collect()
}
