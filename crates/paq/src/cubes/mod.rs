//! Exact abstraction by cubes: what \[SMT\] section 5 names as further work, to extend a minterm to a larger cube before the
//! search for the next one.
//!
//! Where models alone tell products of cubes, and there are few, these are taken ([`Solver::enumerate_products`]). Otherwise
//! the search enumerates models projected on the predicates and on the atoms of the formula. Of a model, those literals
//! over atoms are taken that make the formula true ([`skeleton`]): whatever satisfies them satisfies the formula. Under
//! these literals the predicates fall apart ([`parts`]): variables that are defined by others are replaced
//! ([`replace_defined`]), predicates that can have both values whatever the others are, are let go ([`free`]), and the rest falls
//! into groups that share no symbol. What the predicates of a group can be is enumerated for the group alone, and the
//! combinations of all groups are allowed together. The cube around the model, a prime implicant in each group, is blocked, and
//! the search goes on.
//!
//! Irrelevant predicates are never enumerated that way, which \[SUM\] section 5 could only do with an oracle (MSAT2). Where
//! models do not become larger cubes, the rest is left to [`AllSat`](crate::AllSat).

mod free;
mod parts;
mod skeleton;
mod widen;

use crate::define::replace_defined;
use crate::limits;
use crate::union::Union;
use crate::{Abstraction, AllSat, Context, Engine, Interrupted, Predicate};
use rustc_hash::FxHashMap;
use skeleton::Skeleton;
use std::collections::hash_map::Entry;
use tamis_diagram::{Bdd, BddVar, Diagrams};
use tamis_logic::{Op, Sort, Term, Terms};
use tamis_solver::{Cube, Solver};
use widen::Widening;

/// Enumerates cubes of predicates that the formula allows, each found as a model and widened.
///
/// ```
/// use tamis_diagram::Diagrams;
/// use tamis_logic::{Sort, Terms};
/// use tamis_paq::{Cubes, Predicate, Query, strongest};
/// use tamis_solver::Budget;
/// // Of forty predicates x_i < y_i, the formula is about the first two only: 3 · 2^38 minterms.
/// let (mut terms, mut diagrams) = (Terms::new(), Diagrams::new(1 << 16));
/// let mut less = |i: usize| {
///     let [x, y] = ["x", "y"].map(|name| terms.var(&format!("{name}{i}"), Sort::Int));
///     terms.lt(x, y)
/// };
/// let formulas: Vec<_> = (0..40).map(&mut less).collect();
/// let formula = [terms.or2(formulas[0], formulas[1])];
/// let p: Vec<_> = formulas.iter().map(|&formula| Predicate { formula, var: diagrams.new_var().unwrap() }).collect();
/// let budget = Budget::unlimited();
/// let mut query =
///     Query { terms: &mut terms, diagrams: &mut diagrams, formula: &formula, predicates: &p, budget: &budget };
/// let answer = strongest(&Cubes, &mut query).unwrap();
/// let expected = diagrams.or(&diagrams.var(p[0].var), &diagrams.var(p[1].var)).unwrap();
/// assert_eq!(answer.function, expected);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Cubes;

/// How an enumeration ended.
enum End {
    /// Everything was found.
    Complete,
    /// A region is to be excluded as a whole.
    Exclude(Bdd),
    /// Cubes are no larger than minterms.
    Hopeless,
}

impl Engine for Cubes {
    fn name(&self) -> &'static str {
        "cubes"
    }

    fn abstraction(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Abstraction, Interrupted> {
        if let Some(function) = by_models(context, assumptions, predicates)? {
            return Ok(Abstraction { function, exact: true, engine: self.name() });
        }
        let mut conjuncts = context.formula.to_vec();
        let mut formulas: Vec<Term> = predicates.iter().map(|p| p.formula).collect();
        replace_defined(context.terms, &mut conjuncts, &mut formulas, is_plain);
        let Context { terms, diagrams, solver, .. } = &mut *context;
        let diagrams: &Diagrams = diagrams;
        let mut skeleton = Skeleton::new(terms, &conjuncts);
        let mut widening = Widening::new(terms, diagrams, predicates, &formulas, solver.budget());
        let mut found = diagrams.fals();
        let mut assumed = assumptions.to_vec();
        loop {
            let mut search = Search { solver, terms, skeleton: &mut skeleton, widening: &mut widening };
            let (more, end) = search.run(diagrams, &assumed, predicates, &formulas)?;
            found = diagrams.or(&found, &more)?;
            match &end {
                End::Complete => break,
                End::Exclude(region) => found = diagrams.or(&found, region)?,
                End::Hopeless => {}
            }
            // What was found is excluded as a formula: its cubes may be many, its diagram is not.
            let meaning: FxHashMap<BddVar, Term> = predicates.iter().map(|p| (p.var, p.formula)).collect();
            let others = diagrams.to_term(terms, &diagrams.not(&found), |var| meaning[&var]);
            assumed = assumptions.iter().copied().chain([others]).collect();
            if let End::Hopeless = end {
                drop(widening);
                let rest = AllSat.abstraction(context, &assumed, predicates)?.function;
                found = context.diagrams.or(&found, &rest)?;
                break;
            }
        }
        Ok(Abstraction { function: found, exact: true, engine: self.name() })
    }

    fn is_exact(&self) -> bool {
        true
    }
}

/// The union of products that each come from one model, if there are few.
fn by_models(
    context: &mut Context<'_>,
    assumptions: &[Term],
    predicates: &[Predicate],
) -> Result<Option<Bdd>, Interrupted> {
    let important: Vec<Term> = predicates.iter().map(|p| p.formula).collect();
    let diagrams: &Diagrams = context.diagrams;
    let mut found = Union::new(diagrams);
    let mut parts: FxHashMap<usize, Bdd> = FxHashMap::default();
    let mut count = 0;
    let in_variables = |cube: &[(usize, bool)]| -> tamis_diagram::Cube {
        cube.iter().map(|&(place, value)| (predicates[place].var, value)).collect()
    };
    let done = context.solver.enumerate_products(context.terms, assumptions, &important, &mut |product| {
        count += 1;
        let cube = in_variables(product.cube);
        if product.parts.is_empty() {
            return found.add(cube) && count < limits::LISTED_PRODUCTS;
        }
        let function = diagrams.union_of_cubes(&[cube]).and_then(|cube| {
            product.parts.iter().try_fold(cube, |function, part| {
                let known = match parts.entry(part.number) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => {
                        let cubes: Vec<_> = part.cubes.iter().map(|cube| in_variables(cube)).collect();
                        new.insert(diagrams.union_of_cubes(&cubes)?)
                    }
                };
                diagrams.and(&function, known)
            })
        });
        found.add_function(function) && count < limits::LISTED_PRODUCTS
    })?;
    let found = found.finish()?;
    Ok(done.filter(|done| done.complete).map(|_| found))
}

/// Whether a definition is worth using in place of a variable everywhere: conditions are better decided one by one.
fn is_plain(terms: &Terms, definition: Term) -> bool {
    let conditional = |&t: &Term| terms.op(t) == Op::Ite && terms.sort(t) != Sort::Bool;
    terms.sort(definition) == Sort::Bool || !terms.post_order(&[definition]).iter().any(conditional)
}

/// What a search for cubes works with.
struct Search<'a, 'w> {
    solver: &'a mut Solver,
    terms: &'a Terms,
    skeleton: &'a mut Skeleton,
    widening: &'a mut Widening<'w>,
}

impl Search<'_, '_> {
    /// One search: the cubes that it found, and why it ended.
    fn run(
        &mut self,
        diagrams: &Diagrams,
        assumed: &[Term],
        predicates: &[Predicate],
        formulas: &[Term],
    ) -> Result<(Bdd, End), Interrupted> {
        let Search { solver, terms, skeleton, widening } = self;
        let important: Vec<Term> = formulas.iter().chain(&skeleton.atoms).copied().collect();
        let mut found = Union::new(diagrams);
        let (mut end, mut failure) = (End::Complete, None);
        let (mut models, mut weight, mut review) = (0, 0.0, limits::MODELS_BEFORE_REVIEW);
        solver.enumerate(terms, assumed, &important, &mut |values| {
            let (values, atoms) = values.split_at(predicates.len());
            let (kept, literals, known) = match widening.cube(terms, skeleton, atoms, values) {
                Ok(found) => found,
                Err(why) => {
                    failure = Some(why);
                    return Cube::Enough;
                }
            };
            models += 1;
            // No more than a number can hold.
            weight += ((values.len() - kept.len()) as f64).min(20.0).exp2();
            if !found.add(kept.iter().map(|&place| (predicates[place].var, values[place])).collect()) {
                return Cube::Enough;
            }
            if models == review {
                if weight < limits::MINTERMS_PER_CUBE * f64::from(models) {
                    end = End::Hopeless;
                    return Cube::Enough;
                }
                (models, weight, review) = (0, 0.0, 2 * review);
            }
            if known.is_multiple_of(limits::MODELS_BEFORE_EXCLUSION) {
                match widening.region(&literals, values) {
                    Ok(region) => end = End::Exclude(region),
                    Err(why) => failure = Some(why),
                }
                return Cube::Enough;
            }
            Cube::Positions(kept)
        })?;
        match failure {
            Some(why) => Err(why),
            None => Ok((found.finish()?, end)),
        }
    }
}
