//! Candidates about room: what a loop has yet to do fits into what is left of an object.
//!
//! A pointer `p` that walks through an object is checked by an order such as `p - base < size`. That the walk ends in time is
//! said by something else: a counter that counts down, or another pointer that comes to its own end as soon. So candidates
//! are `p - base <= size`, `n <= size - (p - base)` for variables `n`, of bytes and of larger elements, and the order of what is left for
//! two pointers.

use rustc_hash::FxHashSet;
use tamis_logic::{Op, Term, Terms};

/// So many walks are looked at, and so many counters.
const MOST: usize = 8;

/// Elements of 1, 4 and 8 bytes, as powers of two.
const SCALES: [u128; 3] = [0, 2, 3];

/// How far something is, and where it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Walk {
    far: Term,
    end: Term,
}

/// Candidates by the orders among the conditions of a text.
pub(super) fn candidates(terms: &mut Terms, conditions: &[Term], variables: &[Term]) -> Vec<Term> {
    let walks = walks(terms, conditions);
    let mut found = Vec::new();
    for &Walk { far, end } in &walks {
        found.push(terms.ule(far, end));
        let room = terms.sub(end, far);
        let known: FxHashSet<Term> = terms.free_vars_of(&[far, end]).into_iter().collect();
        for counter in counters(terms, variables, &known, terms.width(far)) {
            for scale in SCALES {
                let by = terms.bits(terms.width(far), scale);
                let elements = terms.lshr(room, by);
                found.push(terms.ule(counter, elements));
            }
        }
        for &other in &walks {
            if terms.width(other.far) == terms.width(far) {
                let left = terms.sub(other.end, other.far);
                found.push(terms.ule(left, room));
            }
        }
    }
    found.retain(|&candidate| !terms.is_constant(candidate));
    found
}

fn walks(terms: &mut Terms, conditions: &[Term]) -> Vec<Walk> {
    let mut walks: Vec<Walk> = Vec::new();
    for &condition in conditions {
        let (Op::Ult, &[a, b]) = (terms.op(condition), terms.args(condition)) else { continue };
        let one = terms.bits(terms.width(a), 1);
        let next = terms.add(a, one);
        // It is before `b`, or it is not behind `a`.
        for walk in [Walk { far: a, end: b }, Walk { far: b, end: next }] {
            if is_distance(terms, walk.far) && walks.len() < MOST && !walks.contains(&walk) {
                walks.push(walk);
            }
        }
    }
    walks
}

/// Whether a term is how far something is from something else.
fn is_distance(terms: &Terms, term: Term) -> bool {
    terms.op(term) == Op::Add && !terms.free_vars(term).is_empty()
}

/// The variables that may say how much is to be done, as wide as a distance.
fn counters(terms: &mut Terms, variables: &[Term], known: &FxHashSet<Term>, width: u32) -> Vec<Term> {
    let narrower = |w: u32| w < width && w >= 32;
    let fitting = |terms: &Terms, v: Term| match terms.sort(v).width() {
        Some(w) => (w == width || narrower(w)) && !known.contains(&v),
        None => false,
    };
    let some: Vec<Term> = variables.iter().copied().filter(|&v| fitting(terms, v)).take(MOST).collect();
    some.into_iter().map(|v| terms.zero_extend(width, v)).collect()
}
