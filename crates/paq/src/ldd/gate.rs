//! From control flow to values: the formula of a loop-free fragment, read backwards.
//!
//! \[SUM\] section 4.2 says of a location that it is reached by one of its ways, `B_ℓ ⇒ ⋁ (B_ℓ' ∧ guard ∧ x = v)`, where
//! `x = v` are φ-assignments. Two steps turn that into values, each of them exact:
//!
//! - `∃B. (B ⇒ θ) ∧ Ψ(B)` is `Ψ(θ)` if `Ψ` has `B` in positive positions only. In a topological order that eliminates
//!   the control variables, as section 4.3 does on diagrams; here the terms share what is common, so nothing grows.
//! - Where `⋁ (cᵢ ∧ x = vᵢ)` must hold and no two of the `cᵢ` can, `x` is `if c₁ then v₁ else …`. Ways that do not exclude
//!   each other are told apart by a new Boolean variable. What the ways have in common must then hold by itself, and
//!   so the step goes on with the location before.

use super::bounds::{Bounds, Interval, bound};
use crate::limits;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Op, Sort, Substitution, Term, Terms};
use tamis_solver::{Budget, Stop};

/// How the ways to a location become the values that variables have there. Which is best depends on the query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joining {
    /// They do not: control variables and φ-assignments go into diagrams as they are, one for each location, and are
    /// eliminated there, as in \[SUM\] section 4.3. What a location's values depend on is forgotten before the next is looked
    /// at, where a term that is made of them would take one large diagram.
    Late,
    /// Conditions are what the ways themselves exclude each other by, as far as that goes.
    Plain,
    /// Where conjuncts bound a variable, the ways say so of its values: then they tell each other apart more often, as those
    /// of a sum that may wrap around do, and the bounds of a chain of if-then-elses need no diagram. Ways that still do not
    /// exclude each other are told apart by new variables alone: values that depend on many ways then have small
    /// diagrams, provided that those variables are asked first.
    Bounded,
}

/// What is known and made while ways become values.
struct Joins {
    joining: Joining,
    /// Of variables, by the conjuncts, and of the values that others had: the conjuncts imply them.
    bounds: Bounds,
    /// The variables that tell ways apart, those of the last join of the fragment first.
    choices: Vec<Term>,
}

/// Replaces control variables by conditions and φ-variables by values, in a conjunction and in formulas beside it. Also
/// gives the variables that were made to tell ways apart and are to be asked first.
pub(super) fn replace_control(
    terms: &mut Terms,
    joining: Joining,
    mut conjuncts: Vec<Term>,
    others: &mut [Term],
    budget: &Budget,
) -> Result<(Vec<Term>, Vec<Term>), Stop> {
    replace_reached(terms, &mut conjuncts, others, budget)?;
    let mut factored = FxHashMap::default();
    let mut joins = Joins { joining, bounds: Bounds::default(), choices: Vec::new() };
    loop {
        budget.check()?;
        let mut open = std::mem::take(&mut conjuncts);
        for conjunct in &mut open {
            *conjunct = factor(terms, &mut factored, *conjunct);
        }
        conjuncts = terms.conjuncts(&open);
        if joining == Joining::Bounded {
            joins.bounds.learn(terms, &conjuncts);
        }
        let places = 0..conjuncts.len();
        let outer =
            places.clone().find_map(|at| joins.join(terms, conjuncts[at]).map(|found| (at, found, true)));
        let found = outer.or_else(|| {
            places.clone().find_map(|at| {
                joins.inner_join(terms, &conjuncts, at, others).map(|found| (at, found, false))
            })
        });
        let Some((at, (definitions, rest), holds)) = found else {
            let first = if joining == Joining::Bounded { joins.choices } else { Vec::new() };
            return Ok((conjuncts, first));
        };
        conjuncts[at] = rest;
        // What bounds the variables is said by the ways now.
        conjuncts.retain(|&c| !joins.is_bound_of(terms, c, &definitions));
        let values: Substitution = definitions.iter().copied().collect();
        for t in conjuncts.iter_mut().chain(others.iter_mut()) {
            *t = terms.substitute(*t, &values);
        }
        joins.bounds = joins.bounds.substituted(terms, &definitions, holds);
    }
}

/// Eliminates Boolean variables `B` for which there are conjuncts `B ⇒ θ`, the other occurrences being positive and in
/// conjuncts only.
fn replace_reached(
    terms: &mut Terms,
    conjuncts: &mut Vec<Term>,
    others: &[Term],
    budget: &Budget,
) -> Result<(), Stop> {
    let mut kept: FxHashSet<Term> = terms.free_vars_of(others).into_iter().collect();
    loop {
        budget.check()?;
        let found = conjuncts.iter().find_map(|&c| implication(terms, c).filter(|(b, _)| !kept.contains(b)));
        let Some((b, _)) = found else { return Ok(()) };
        let mut condition = Vec::new();
        let mut rest = Vec::new();
        for &conjunct in conjuncts.iter() {
            match implication(terms, conjunct) {
                Some((premise, theta)) if premise == b => condition.push(theta),
                _ => rest.push(conjunct),
            }
        }
        let theta = terms.and(&condition);
        if terms.free_vars(theta).contains(&b) || rest.iter().any(|&c| occurs_negatively(terms, c, b)) {
            kept.insert(b);
            continue;
        }
        let value: Substitution = [(b, theta)].into_iter().collect();
        *conjuncts = rest.into_iter().map(|c| terms.substitute(c, &value)).collect();
    }
}

/// `B` and `θ` of a conjunct `¬B ∨ θ`; the first such variable.
fn implication(terms: &mut Terms, conjunct: Term) -> Option<(Term, Term)> {
    if terms.op(conjunct) != Op::Or {
        return None;
    }
    let args = terms.args(conjunct).to_vec();
    let negated = |&t: &Term| terms.op(t) == Op::Not && terms.is_var(terms.args(t)[0]);
    let premise = args.iter().copied().find(negated)?;
    let rest: Vec<Term> = args.into_iter().filter(|&t| t != premise).collect();
    Some((terms.args(premise)[0], terms.or(&rest)))
}

/// Whether `b` occurs under a negation, or where its sign is not clear.
fn occurs_negatively(terms: &Terms, formula: Term, b: Term) -> bool {
    let mut seen: FxHashSet<(Term, bool)> = FxHashSet::default();
    let mut open = vec![(formula, true)];
    while let Some((t, positive)) = open.pop() {
        if t == b && !positive {
            return true;
        }
        if !seen.insert((t, positive)) {
            continue;
        }
        let args = terms.args(t);
        match terms.op(t) {
            Op::And | Op::Or => open.extend(args.iter().map(|&a| (a, positive))),
            Op::Not => open.push((args[0], !positive)),
            Op::Ite if terms.sort(t) == Sort::Bool => {
                open.extend([(args[0], true), (args[0], false), (args[1], positive), (args[2], positive)]);
            }
            _ => open.extend(args.iter().flat_map(|&a| [(a, true), (a, false)])),
        }
    }
    false
}

/// Whether a value can stand for a variable everywhere without making formulas larger.
pub(super) fn is_simple(terms: &Terms, value: Term) -> bool {
    terms.sort(value) != Sort::Bool || terms.is_var(value) || terms.is_constant(value)
}

/// The conjuncts of a formula.
fn conjuncts_of(terms: &Terms, t: Term) -> Vec<Term> {
    if terms.op(t) == Op::And { terms.args(t).to_vec() } else { vec![t] }
}

/// What all disjuncts of a disjunction have in common, taken out of it, inside out.
fn factor(terms: &mut Terms, done: &mut FxHashMap<Term, Term>, formula: Term) -> Term {
    for t in terms.post_order(&[formula]) {
        if done.contains_key(&t) {
            continue;
        }
        let new = match terms.op(t) {
            Op::And => {
                let args: Vec<Term> = terms.args(t).iter().map(|a| done[a]).collect();
                terms.and(&args)
            }
            Op::Or => {
                let ways: Vec<Vec<Term>> =
                    terms.args(t).to_vec().iter().map(|a| conjuncts_of(terms, done[a])).collect();
                let common: Vec<Term> =
                    ways[0].iter().copied().filter(|c| ways.iter().all(|way| way.contains(c))).collect();
                let mut rests = Vec::new();
                for way in ways {
                    let rest: Vec<Term> = way.into_iter().filter(|c| !common.contains(c)).collect();
                    rests.push(terms.and(&rest));
                }
                let mut all = common;
                all.push(terms.or(&rests));
                terms.and(&all)
            }
            _ => t,
        };
        done.insert(t, new);
    }
    done[&formula]
}

/// Variables with their values, and what is left of the disjunction that gave them.
type Joined = (Vec<(Term, Term)>, Term);

impl Joins {
    /// The values of variables that a disjunction gives in each of its ways, and what is left of it.
    fn join(&mut self, terms: &mut Terms, conjunct: Term) -> Option<Joined> {
        if terms.op(conjunct) != Op::Or {
            return None;
        }
        let mut ways: Vec<Vec<Term>> =
            terms.args(conjunct).to_vec().iter().map(|&way| conjuncts_of(terms, way)).collect();
        // For each variable, its equation and value in each way.
        let mut defined: FxHashMap<Term, Vec<(usize, Term, Term)>> = FxHashMap::default();
        for (i, way) in ways.iter().enumerate() {
            for &part in way {
                let equation = terms.op(part) == Op::Eq;
                let solutions = if equation { terms.solutions(part) } else { Vec::new() };
                for (var, value) in solutions.into_iter().filter(|found| is_simple(terms, found.1)) {
                    let found = defined.entry(var).or_default();
                    if found.last().is_none_or(|last| last.0 != i) {
                        found.push((i, part, value));
                    }
                }
            }
        }
        defined.retain(|_, found| found.len() == ways.len());
        // An equation may be solved for several variables: it is used for the latest, since values are made of earlier ones.
        let mut variables: Vec<Term> = defined.keys().copied().collect();
        variables.sort_unstable();
        let mut used: FxHashSet<(usize, Term)> = FxHashSet::default();
        let mut chosen: Vec<Term> = Vec::new();
        // Values are put in place all at once: none may mention a variable that has another.
        let mut mentioned: FxHashSet<Term> = FxHashSet::default();
        while let Some(var) = variables.pop() {
            let values: Vec<Term> = defined[&var].iter().map(|found| found.2).collect();
            let free = terms.free_vars_of(&values);
            let fresh = defined[&var].iter().all(|&(i, part, _)| !used.contains(&(i, part)));
            let apart = !mentioned.contains(&var) && !free.iter().any(|v| *v == var || chosen.contains(v));
            if fresh && apart {
                mentioned.extend(free);
                used.extend(defined[&var].iter().map(|&(i, part, _)| (i, part)));
                chosen.push(var);
            }
        }
        if chosen.is_empty() {
            return None;
        }
        for (i, way) in ways.iter_mut().enumerate() {
            way.retain(|&part| !used.contains(&(i, part)));
        }
        for (i, way) in ways.iter_mut().enumerate() {
            for &var in &chosen {
                self.bound_value(terms, &chosen, (var, defined[&var][i].2), way);
            }
        }
        let conditions = self.tell_apart(terms, &mut ways);
        // The conditions must not depend on what they define.
        if terms.free_vars_of(&conditions).iter().any(|v| chosen.contains(v)) {
            return None;
        }
        let mut definitions = Vec::new();
        for var in chosen {
            let values = &defined[&var];
            let mut value = values[values.len() - 1].2;
            for i in (0..values.len() - 1).rev() {
                value = terms.ite(conditions[i], values[i].2, value);
            }
            definitions.push((var, value));
        }
        let ways: Vec<Term> = ways.iter().map(|way| terms.and(way)).collect();
        Some((definitions, terms.or(&ways)))
    }

    /// Lets a way say that the value that it gives one of the variables that get one is within that variable's bounds, unless
    /// that follows from the bounds of other variables.
    fn bound_value(
        &self,
        terms: &mut Terms,
        defined: &[Term],
        (var, value): (Term, Term),
        way: &mut Vec<Term>,
    ) {
        let Some(Interval { low, high }) = self.bounds.get(var).cloned() else { return };
        let known = self.bounds.interval(terms, value, defined);
        if let Some(high) = high.filter(|high| known.high.as_ref().is_none_or(|known| known > high)) {
            let end = terms.int(high.floor());
            way.push(terms.le(value, end));
        }
        if let Some(low) = low.filter(|low| known.low.as_ref().is_none_or(|known| known < low)) {
            let end = terms.int(low.floor());
            way.push(terms.le(end, value));
        }
    }

    /// As [`join`], for a disjunction inside one of the two ways of another, that must hold. What it says of its variables is
    /// said on that way only: but if they occur elsewhere only where values depend on that way being taken, their value
    /// does not matter on the other.
    fn inner_join(
        &mut self,
        terms: &mut Terms,
        conjuncts: &[Term],
        at: usize,
        others: &[Term],
    ) -> Option<Joined> {
        let &[first, second] = terms.args(conjuncts[at]) else { return None };
        if terms.op(conjuncts[at]) != Op::Or {
            return None;
        }
        for (way, other) in [(first, second), (second, first)] {
            let (parts, other_parts) = (conjuncts_of(terms, way), conjuncts_of(terms, other));
            // Conditions of this way that the other excludes, and their complements.
            let mut conditions = Vec::new();
            for &part in &parts {
                let opposite = terms.not(part);
                if other_parts.contains(&opposite) {
                    conditions.push((part, opposite));
                }
            }
            if conditions.is_empty() {
                continue;
            }
            for &part in &parts {
                let Some((definitions, rest)) = self.join(terms, part) else { continue };
                // On the other way, any value within its bounds will do.
                if definitions.iter().any(|d| self.bounds.get(d.0).is_some_and(Interval::is_empty)) {
                    continue;
                }
                let mut roots = conjuncts.to_vec();
                roots.retain(|&c| c != conjuncts[at] && !self.is_bound_of(terms, c, &definitions));
                roots.extend(others);
                roots.push(other);
                let active = reachable(terms, roots, &conditions);
                if definitions.iter().any(|(var, _)| active.contains(var)) {
                    continue;
                }
                let replaced: Vec<Term> = parts.iter().map(|&p| if p == part { rest } else { p }).collect();
                let way = terms.and(&replaced);
                return Some((definitions, terms.or2(way, other)));
            }
        }
        None
    }

    /// Whether a conjunct bounds one of the variables and its ways are to say so.
    fn is_bound_of(&self, terms: &Terms, conjunct: Term, definitions: &[(Term, Term)]) -> bool {
        self.joining == Joining::Bounded
            && bound(terms, conjunct).is_some_and(|(x, _)| definitions.iter().any(|d| d.0 == x))
    }

    /// A condition for each way that it and none of those after it can satisfy; ways get a part more if they need it.
    fn tell_apart(&mut self, terms: &mut Terms, ways: &mut [Vec<Term>]) -> Vec<Term> {
        let mut conditions = Vec::new();
        for i in 0..ways.len() {
            let mut literals: Vec<Term> = Vec::new();
            let mut open: Vec<usize> = Vec::new();
            for j in i + 1..ways.len() {
                let excluding = ways[i].iter().copied().find(|&part| {
                    let opposite = terms.not(part);
                    ways[j].contains(&opposite)
                });
                match excluding {
                    Some(literal) if literals.contains(&literal) => {}
                    Some(literal) => literals.push(literal),
                    None => open.push(j),
                }
            }
            if self.joining == Joining::Bounded && (!open.is_empty() || literals.len() > limits::WAY_LITERALS)
            {
                literals.clear();
                open = (i + 1..ways.len()).collect();
            }
            if !open.is_empty() {
                let choice = terms.fresh("way", Sort::Bool);
                let other = terms.not(choice);
                open.into_iter().for_each(|j| ways[j].push(other));
                ways[i].push(choice);
                literals.push(choice);
                self.choices.push(choice);
            }
            conditions.push(terms.and(&literals));
        }
        conditions
    }
}

/// What the value of terms can depend on where all of some conditions are false; each comes with its complement.
fn reachable(terms: &Terms, roots: Vec<Term>, conditions: &[(Term, Term)]) -> FxHashSet<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut open = roots;
    while let Some(t) = open.pop() {
        if !seen.insert(t) {
            continue;
        }
        let args = terms.args(t);
        let test = if terms.op(t) == Op::Ite { Some(args[0]) } else { None };
        if conditions.iter().any(|&(condition, _)| test == Some(condition)) {
            open.extend([args[0], args[2]]);
        } else if conditions.iter().any(|&(_, opposite)| test == Some(opposite)) {
            open.extend([args[0], args[1]]);
        } else {
            open.extend_from_slice(args);
        }
    }
    seen
}
