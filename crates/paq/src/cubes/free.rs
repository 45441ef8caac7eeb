//! Parts of formulas that can take any value, whatever the rest is.
//!
//! A variable that occurs once can make the term around it anything, if the operator can be inverted: `x + t` for every
//! `t`. Then that term is as good as a variable that occurs once, and so on, up to a formula that is free as a whole.

use rustc_hash::FxHashMap;
use tamis_logic::{Bits, FunctionId, Op, Sort, Term, Terms};

/// What a term can be made by what occurs in it alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Reach {
    /// Nothing is known.
    Some,
    /// A number above and below every other.
    Unbounded,
    /// Every value of its sort.
    All,
}

/// How often terms are used.
struct Uses {
    terms: FxHashMap<Term, u32>,
    functions: FxHashMap<FunctionId, u32>,
    constant_arrays: bool,
}

impl Uses {
    fn of(terms: &Terms, roots: &[Term]) -> (Uses, Vec<Term>) {
        let order = terms.post_order(roots);
        let constant_arrays = order.iter().any(|&t| terms.op(t) == Op::ConstArray);
        let (counts, functions) = (FxHashMap::default(), FxHashMap::default());
        let mut uses = Uses { terms: counts, functions, constant_arrays };
        for &t in &order {
            if let Op::Apply(f) = terms.op(t) {
                *uses.functions.entry(f).or_default() += 1;
            }
            for &arg in terms.args(t) {
                *uses.terms.entry(arg).or_default() += 1;
            }
        }
        roots.iter().for_each(|&root| *uses.terms.entry(root).or_default() += 1);
        (uses, order)
    }
}

/// Replaces parts of `roots` that can take any value by variables of their own, numbered from `hidden` on. A root that is
/// such a variable then says nothing, if it is a fact, and is independent of everything, if it is a predicate.
pub(super) fn release(terms: &mut Terms, roots: &mut [Term], hidden: &mut u32) {
    let (uses, order) = Uses::of(terms, roots);
    let mut reaches: FxHashMap<Term, Reach> = FxHashMap::default();
    let mut released: FxHashMap<Term, Term> = FxHashMap::default();
    for t in order {
        let once = uses.terms.get(&t) == Some(&1);
        let reach = if once { reach(terms, &uses, &reaches, t) } else { Reach::Some };
        reaches.insert(t, reach);
        let new = if reach == Reach::All && !terms.is_var(t) {
            *hidden += 1;
            terms.hidden(*hidden, terms.sort(t))
        } else {
            let args: Vec<Term> = terms.args(t).iter().map(|a| released[a]).collect();
            if args == terms.args(t) { t } else { terms.rebuild(t, &args) }
        };
        released.insert(t, new);
    }
    roots.iter_mut().for_each(|root| *root = released[root]);
}

fn reach(terms: &Terms, uses: &Uses, reaches: &FxHashMap<Term, Reach>, t: Term) -> Reach {
    let args = terms.args(t);
    let all = |arg: Term| reaches[&arg] == Reach::All;
    let unbounded = |arg: Term| reaches[&arg] >= Reach::Unbounded;
    let any = |yes: bool| if yes { Reach::All } else { Reach::Some };
    match terms.op(t) {
        Op::Var(_) => Reach::All,
        Op::Not | Op::Neg | Op::BvNot | Op::Extract { .. } => any(all(args[0])),
        Op::And | Op::Or | Op::Concat => any(args.iter().all(|&a| all(a))),
        // A constant array can say how many elements a declared sort has.
        Op::Eq if uses.constant_arrays && !is_builtin(terms.sort(args[0])) => Reach::Some,
        Op::Eq | Op::Add | Op::BvXor => any(all(args[0]) || all(args[1])),
        Op::Ite => any(all(args[1]) && all(args[2]) || all(args[0]) && (all(args[1]) || all(args[2]))),
        Op::Mul => any((0..2).any(|i| all(args[i]) && is_odd(terms, args[1 - i]))),
        Op::Ult | Op::Slt => any(all(args[0]) && all(args[1]) || is_comparable(terms, t, &all)),
        Op::Plus if args.iter().any(|&a| all(a)) => Reach::All,
        Op::Plus if args.iter().any(|&a| unbounded(a)) => Reach::Unbounded,
        Op::Times => match (terms.number_constant(args[0]).is_some(), args.len(), terms.sort(t)) {
            (true, 2, Sort::Real) if all(args[1]) => Reach::All,
            (true, 2, _) if unbounded(args[1]) => Reach::Unbounded,
            _ => Reach::Some,
        },
        Op::Le => any(unbounded(args[0]) || unbounded(args[1])),
        Op::Select => any(all(args[0])),
        // The only application of its function.
        Op::Apply(f) if terms.divides_by_zero(f).is_none() => any(uses.functions.get(&f) == Some(&1)),
        _ => Reach::Some,
    }
}

fn is_builtin(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real)
}

fn is_odd(terms: &Terms, t: Term) -> bool {
    terms.bits_constant(t).is_some_and(|bits| bits.bit(0))
}

/// Whether one side of an order can be anything, and the other is a constant that is not at the end where no value is.
fn is_comparable(terms: &Terms, t: Term, all: &dyn Fn(Term) -> bool) -> bool {
    let (signed, args) = (terms.op(t) == Op::Slt, terms.args(t));
    let width = terms.width(args[0]);
    let least = if signed { Bits::min_signed(width) } else { Bits::zero(width) };
    let greatest = if signed { Bits::max_signed(width) } else { Bits::ones(width) };
    let other = |t: Term, end: Bits| terms.bits_constant(t).is_some_and(|bits| bits != end);
    all(args[0]) && other(args[1], least) || all(args[1]) && other(args[0], greatest)
}
