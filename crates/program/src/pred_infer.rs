//! *PredInfer*: from branches to predicates at every location. \[MIN\] section 2.1, Fig. 2.
//!
//! The paper visits all statements until nothing changes; here only what is new is carried further, which has the same
//! result. It forces termination by limiting the size of any `P_s`: predicates that are fewer statements away from
//! their branch come first, so the limit cuts off the most distant ones. Weakest preconditions that have become much more
//! complex than the condition that they are of, by one multiplication or division on top of the other, are left out too:
//! no solver would be of use with them. Two things are not in the paper's language:
//! `havoc v` has no weakest precondition without a quantifier, so predicates over `v` end there; and a branch's ways
//! out may have guards that are not each other's complement, all of which are conditions of the branch.

use crate::automaton::{Command, Location, Program};
use crate::wp::weakest_precondition;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tamis_logic::{Op, Term, Terms};

/// `P_s` for each location that has one: the conditions of `branches` and their weakest preconditions, at most `limit`
/// at a location. A predicate and its complement are one; constants are none.
///
/// ```
/// use tamis_logic::Terms;
/// use tamis_program::{Builder, Command, Event, IntType, Source, pred_infer};
/// // y = 1; if (x == y) …
/// let (mut terms, mut b) = (Terms::new(), Builder::new());
/// let (file, main) = (b.file("f.c"), b.frame("main", None));
/// let at = Source { file, line: 1, column: 1 };
/// let int = IntType { bits: 32, signed: true };
/// let (x, y) = (b.variable(&mut terms, "x", int, None), b.variable(&mut terms, "y", int, None));
/// let [l1, l2, l3] = std::array::from_fn(|_| b.location(main));
/// let one = terms.bits(32, 1);
/// let equal = terms.eq(b.term(x), b.term(y));
/// b.edge(l1, l2, Command::Assign(y, one), at, Event::Step);
/// b.edge(l2, l3, Command::Assume(equal), at, Event::Branch(true));
/// let x_is_1 = terms.eq(b.term(x), one);
/// let program = b.finish(l1, l3);
/// let inferred = pred_infer(&mut terms, &program, &[l2], 10);
/// assert_eq!(inferred[&l2], [equal]);
/// assert_eq!(inferred[&l1], [x_is_1]);
/// ```
pub fn pred_infer(
    terms: &mut Terms,
    program: &Program,
    branches: &[Location],
    limit: usize,
) -> FxHashMap<Location, Vec<Term>> {
    let conditions: Vec<(Location, Term)> = branches
        .iter()
        .flat_map(|&s| program.outgoing(s).iter().map(move |&e| (s, e)))
        .filter_map(|(s, e)| match program.edge(e).command {
            Command::Assume(c) => Some((s, c)),
            _ => None,
        })
        .collect();
    let most = conditions.iter().map(|&(_, c)| complexity(terms, c)).max().unwrap_or(0) + MAX_GROWTH;
    let mut inferred = Inferred { limit, most, at: FxHashMap::default(), pending: VecDeque::new() };
    for (s, c) in conditions {
        inferred.add(terms, s, c);
    }
    while let Some((successor, p)) = inferred.pending.pop_front() {
        for &e in program.incoming(successor) {
            let edge = program.edge(e);
            if let Some(before) = weakest_precondition(terms, program, &edge.command, p) {
                inferred.add(terms, edge.from, before);
            }
        }
    }
    inferred.at
}

/// By how much a weakest precondition may be more complex than a condition.
const MAX_GROWTH: usize = 40;

/// The operators of a term, those that make large circuits counted as many.
fn complexity(terms: &Terms, t: Term) -> usize {
    const LARGE_CIRCUIT: usize = 24;
    let cost = |&t: &Term| match terms.op(t) {
        Op::Mul | Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem => LARGE_CIRCUIT,
        _ => 1,
    };
    terms.post_order(&[t]).iter().map(cost).sum()
}

struct Inferred {
    limit: usize,
    most: usize,
    at: FxHashMap<Location, Vec<Term>>,
    pending: VecDeque<(Location, Term)>,
}

impl Inferred {
    fn add(&mut self, terms: &Terms, s: Location, p: Term) {
        let p = if terms.op(p) == Op::Not { terms.args(p)[0] } else { p };
        if terms.constant(p).is_some() {
            return;
        }
        let here = self.at.entry(s).or_default();
        if here.len() < self.limit && !here.contains(&p) && complexity(terms, p) <= self.most {
            here.push(p);
            self.pending.push_back((s, p));
        }
    }
}
