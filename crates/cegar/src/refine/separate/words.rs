//! What a formula depends on of a state: words, array elements, and how they hang together.

use super::MAX_COMPARED;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{ArrayValue, Bits, Model, Op, Sort, Term, Terms, Value};

/// An index at which two arrays differ: one that either has an entry for, or one that neither has.
pub fn differing_index(terms: &Terms, a: &ArrayValue, b: &ArrayValue) -> Option<Value> {
    let mut entries = a.entries().chain(b.entries()).map(|(index, _)| index.clone());
    let (index_sort, _) = terms.array_parts(a.sort())?;
    let count = (a.entries().len() + b.entries().len()) as u128;
    let others = (0..=count).filter_map(|i| match index_sort {
        Sort::BitVec(width) => Some(Value::Bits(Bits::new(width, i))),
        Sort::Bool => Some(Value::Bool(i % 2 == 1)),
        _ => None,
    });
    let differs = |i: &Value| a.select(i) != b.select(i);
    entries.find(differs).or_else(|| others.into_iter().find(differs))
}

/// How two words compare in a state.
pub fn comparison(terms: &mut Terms, state: &Model, a: Term, b: Term, signed: bool) -> Term {
    let (equal, less) = (terms.eq(a, b), if signed { terms.slt(a, b) } else { terms.ult(a, b) });
    if terms.eval(equal, state).as_bool() {
        equal
    } else if terms.eval(less, state).as_bool() {
        less
    } else if signed {
        terms.slt(b, a)
    } else {
        terms.ult(b, a)
    }
}

/// Where a formula reads variables that are arrays, be it through writes to them.
pub fn reads_of(terms: &Terms, formula: Term) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    let mut once = FxHashSet::default();
    for read in terms.post_order(&[formula]).into_iter().filter(|&t| terms.op(t) == Op::Select) {
        let (array, index) = (terms.args(read)[0], terms.args(read)[1]);
        let mut pending = vec![array];
        while let Some(array) = pending.pop() {
            if !once.insert((array, index)) {
                continue;
            }
            match terms.op(array) {
                Op::Store => pending.push(terms.args(array)[0]),
                Op::Ite => pending.extend(&terms.args(array)[1..]),
                Op::Var(_) => found.push((array, index)),
                _ => {}
            }
        }
    }
    found
}

/// Numbers that memory holds in parts, and formulas put together, are words instead of their parts.
pub fn join_parts(terms: &mut Terms, formulas: &[Term], words: &mut Vec<Term>) {
    let mut parts_of_others = FxHashSet::default();
    let mut joined = FxHashSet::default();
    for t in terms.post_order(formulas).into_iter().rev() {
        if terms.op(t) != Op::Concat {
            continue;
        }
        parts_of_others.extend(terms.args(t).to_vec());
        if parts_of_others.contains(&t) {
            continue;
        }
        let (mut pending, mut parts) = (vec![t], Vec::new());
        while let Some(part) = pending.pop() {
            match terms.op(part) {
                Op::Concat => pending.extend(terms.args(part)),
                Op::Select => parts.push((written_array(terms, part), terms.args(part)[1])),
                _ => parts.push((part, part)),
            }
        }
        let held: Vec<Term> = parts
            .into_iter()
            .map(|(array, index)| if array == index { array } else { terms.select(array, index) })
            .collect();
        if held.iter().all(|part| words.contains(part)) {
            // The last part was found first.
            let whole = held.iter().copied().reduce(|low, high| terms.concat(high, low));
            joined.extend(held);
            words.extend(whole);
        }
    }
    words.retain(|w| !joined.contains(w));
}

/// The array that a read is of, less what has been written to it.
fn written_array(terms: &Terms, read: Term) -> Term {
    let mut array = terms.args(read)[0];
    while terms.op(array) == Op::Store {
        array = terms.args(array)[0];
    }
    array
}

/// The parts of a term that its value in a model is made from: of an if-then-else the branch that is taken.
pub fn taken(terms: &Terms, t: Term, model: &Model) -> FxHashSet<Term> {
    let choices = terms.post_order(&[t]).into_iter().filter(|&t| terms.op(t) == Op::Ite);
    let conditions: Vec<Term> = choices.map(|t| terms.args(t)[0]).collect();
    let values = terms.eval_all(&conditions, model);
    let holds: FxHashMap<Term, bool> =
        conditions.iter().copied().zip(values.iter().map(Value::as_bool)).collect();
    let mut found = FxHashSet::default();
    let mut pending = vec![t];
    while let Some(t) = pending.pop() {
        if found.insert(t) {
            match (terms.op(t), terms.args(t)) {
                (Op::Ite, &[condition, a, b]) => pending.push(if holds[&condition] { a } else { b }),
                (_, args) => pending.extend(args),
            }
        }
    }
    found
}

/// The conditions inside of the atoms of formulas: of if-then-else, and whether what is read is what was written.
pub fn conditions(terms: &mut Terms, formulas: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    let mut written = Vec::new();
    for t in terms.post_order(formulas) {
        match terms.op(t) {
            Op::Ite => found.push(terms.args(t)[0]),
            Op::Select => {
                let mut array = terms.args(t)[0];
                while terms.op(array) == Op::Store {
                    written.push((terms.args(array)[1], terms.args(t)[1]));
                    array = terms.args(array)[0];
                }
            }
            _ => {}
        }
    }
    found.extend(written.into_iter().map(|(at, read)| terms.eq(at, read)));
    found
}

/// The pairs of words of the same width that occur in one small atom of formulas, and whether as signed numbers.
pub fn compared(terms: &Terms, formulas: &[Term], words: &[Term]) -> Vec<(Term, Term, bool)> {
    let mut found = Vec::new();
    let words: FxHashSet<Term> =
        words.iter().copied().filter(|&w| matches!(terms.sort(w), Sort::BitVec(_))).collect();
    for atom in formulas.iter().flat_map(|&f| terms.atoms(f)) {
        let mut inside = terms.post_order_until(&[atom], |t| words.contains(&t));
        inside.retain(|t| words.contains(t));
        if inside.len() <= MAX_COMPARED {
            found.extend(pairs(terms, &inside, terms.op(atom) == Op::Slt));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The pairs of numbers of the same width.
pub fn pairs(terms: &Terms, words: &[Term], signed: bool) -> Vec<(Term, Term, bool)> {
    let mut found = Vec::new();
    for (i, &a) in words.iter().enumerate().filter(|(_, a)| matches!(terms.sort(**a), Sort::BitVec(_))) {
        let others = words[i + 1..].iter().filter(|&&b| b != a && terms.sort(a) == terms.sort(b));
        found.extend(others.map(|&b| (a, b, signed)));
    }
    found
}
