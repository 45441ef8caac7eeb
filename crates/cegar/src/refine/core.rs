//! Predicates from an unsat core of a path: weakest preconditions and strongest postconditions at its cuts.
//!
//! The guards in a minimal unsat core of a path's condition are why it is infeasible. At each point that the path
//! passes, the weakest preconditions of the core's later guards, over the path's rest, are atoms from which an
//! inductive sequence of assertions can be combined that refutes the path: `I_m = ¬⋀ guards after m`. With those atoms
//! as predicates, an exact abstraction no longer has the path (\[SMC\] section 4.3; cf. \[MIN\] Fig. 2). Where a guard
//! speaks of a value chosen later in the path, the value is eliminated as far as possible; see
//! [`eliminate`](super::eliminate).
//!
//! The strongest postconditions go the other way: what the statements before a cut, as far as the core's later guards
//! depend on them, say of the variables that those guards read. They cannot always be written without a quantifier, so
//! they may miss what is needed.

use super::eliminate::state_predicates;
use super::path::{Core, Path};
use super::proposal::Located;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Op, Term, Terms};
use tamis_system::System;

/// Weakest preconditions of the core's guards at the cuts after its start, and whether the path is refuted by them for
/// certain.
pub fn weakest_preconditions<S: System>(
    terms: &mut Terms,
    system: &S,
    path: &Path<S::Edge>,
    core: &Core,
) -> (Vec<Located>, bool) {
    let mut located = Vec::new();
    let mut certain = true;
    for &(position, point) in &path.cuts[core.start + 1..] {
        let condition = core.rest(terms, system, path, position);
        let found = state_predicates(terms, &condition);
        certain &= found.exact;
        located.extend(found.predicates.into_iter().map(|p| (point, p)));
    }
    (located, certain)
}

/// Strongest postconditions at the cuts after the core's start.
///
/// The path is executed from its state at the core's start, symbolically. A value that some variable still has, or a
/// constant, can be written over the state at the cut; guards and values in terms of such are predicates. Variables
/// that no later guard of the core depends on are left out.
pub fn strongest_postconditions<S: System>(
    terms: &mut Terms,
    system: &S,
    path: &Path<S::Edge>,
    core: &Core,
) -> Vec<Located> {
    let mut located = Vec::new();
    let first = path.cuts[core.start].0;
    let variables = system.state_variables();
    for &(position, point) in &path.cuts[core.start + 1..] {
        let later: Vec<Term> = core.rest(terms, system, path, position).terms().collect();
        let matters: FxHashSet<Term> = terms.free_vars_of(&later).into_iter().collect();

        let mut followed = system.follow(terms, &path.edges[first..position], &system.symbolic());
        let mut holder: FxHashMap<Term, Term> = FxHashMap::default();
        let mut values = Vec::new();
        for &v in variables.iter().filter(|v| matters.contains(v)) {
            let value = system.read(terms, &mut followed.post, v);
            if terms.is_var(value) {
                holder.entry(value).or_insert(v);
            }
            values.push((v, value));
        }
        let mut found = Vec::new();
        for &(v, value) in &values {
            if let Some(value) = over_holders(terms, value, &holder)
                && value != v
            {
                found.push(terms.eq(v, value));
            }
        }
        for &(id, guard) in &followed.condition.guards {
            if core.guards.contains(&id.after(first))
                && let Some(guard) = over_holders(terms, guard, &holder)
            {
                found.extend(terms.atoms(guard));
            }
        }
        for p in found {
            let p = if terms.op(p) == Op::Not { terms.args(p)[0] } else { p };
            if terms.constant(p).is_none() {
                located.push((point, p));
            }
        }
    }
    located
}

/// A term over the state before, rewritten over variables that hold what it reads; `None` if something is held by none.
fn over_holders(terms: &mut Terms, t: Term, holder: &FxHashMap<Term, Term>) -> Option<Term> {
    let all_held = terms.free_vars(t).iter().all(|v| holder.contains_key(v));
    all_held.then(|| terms.substitute_with(t, |v| holder.get(&v).copied()))
}
