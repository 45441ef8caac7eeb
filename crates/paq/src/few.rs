//! Enumeration for answers that most often have few minterms.

use crate::limits;
use crate::union::{Union, minterm};
use crate::{Interrupted, Predicate, order};
use std::cell::OnceCell;
use tamis_diagram::{Bdd, Diagrams, Minterms, OutOfNodes};
use tamis_logic::{Term, Terms};
use tamis_solver::{Cube, Solver};

/// The minterms of an answer.
pub enum Found {
    /// They are few: each by the values of the predicates.
    Few(Minterms),
    /// They are many, and the answer is a function.
    Many(Diagrams, Vec<Predicate>, Bdd),
}

/// Makes diagrams with a variable for each predicate.
type Make<'a> = &'a dyn Fn(&Terms) -> Result<(Diagrams, Vec<Predicate>), OutOfNodes>;

/// Enumerates as [`AllSat`](crate::AllSat) does what the solver holds, over at most [`Minterms::MAX_VARS`] formulas, and leaves
/// it open whether there have to be diagrams: they are made, with a variable for each formula, when minterms are many.
///
/// ```
/// use tamis_diagram::Diagrams;
/// use tamis_logic::{Sort, Terms};
/// use tamis_paq::{Found, few_or_many};
/// use tamis_solver::{Budget, Solver};
/// let mut terms = Terms::new();
/// let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::Int));
/// let predicates = [terms.lt(x, y), terms.lt(y, x)];
/// let mut solver = Solver::new(&Budget::unlimited());
/// let made = |_: &Terms| unreachable!("three minterms are few");
/// match few_or_many(&mut solver, &terms, &predicates, &made).unwrap() {
///     Found::Few(minterms) => assert_eq!(minterms.len(), 3),
///     Found::Many(..) => unreachable!(),
/// }
/// ```
pub fn few_or_many(
    solver: &mut Solver,
    terms: &Terms,
    predicates: &[Term],
    make: Make<'_>,
) -> Result<Found, Interrupted> {
    at_most(limits::LISTED_MINTERMS, solver, terms, predicates, make)
}

fn at_most(
    most: usize,
    solver: &mut Solver,
    terms: &Terms,
    predicates: &[Term],
    make: Make<'_>,
) -> Result<Found, Interrupted> {
    let mut few = Minterms::new(predicates.len());
    let made: OnceCell<(Diagrams, Vec<Predicate>)> = OnceCell::new();
    let mut many: Option<Union<'_>> = None;
    let mut full = false;
    solver.enumerate(terms, &[], predicates, &mut |values| {
        if many.is_none() && few.len() < most {
            few.add(values);
            return Cube::Minterm;
        }
        if many.is_none() {
            match make(terms) {
                Ok(new) => many = Some(Union::new(&made.get_or_init(|| new).0)),
                Err(OutOfNodes) => full = true,
            }
        }
        if let (Some(union), Some((_, vars))) = (&mut many, made.get()) {
            let moved = few.take().iter().all(|values| union.add(minterm(vars, values)));
            full |= !moved || !union.add(minterm(vars, values));
        }
        if full { Cube::Enough } else { Cube::Minterm }
    })?;
    let function = many.map(Union::finish).transpose()?;
    match (function, made.into_inner()) {
        _ if full => Err(Interrupted::OutOfNodes),
        (Some(function), Some((diagrams, predicates))) => Ok(Found::Many(diagrams, predicates, function)),
        _ => Ok(Found::Few(few)),
    }
}

/// Enumerates as [`Cubes`](crate::Cubes) does what the solver holds, over at most [`Minterms::MAX_VARS`] formulas, without any
/// diagrams. `None` if models alone do not tell few products: that takes the engine.
///
/// ```
/// use tamis_logic::{Sort, Terms};
/// use tamis_paq::few_products;
/// use tamis_solver::{Budget, Solver};
/// let mut terms = Terms::new();
/// let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::Int));
/// let predicates = [terms.lt(x, y), terms.lt(y, z), terms.lt(z, x)];
/// let mut solver = Solver::new(&Budget::unlimited());
/// let products = few_products(&mut solver, &terms, &predicates).unwrap().unwrap();
/// assert_eq!(products.cover(&[0, 1, 2], 10).unwrap().minterms, 7.0);
/// ```
pub fn few_products(
    solver: &mut Solver,
    terms: &Terms,
    predicates: &[Term],
) -> Result<Option<Minterms>, Interrupted> {
    let mut found = Minterms::new(predicates.len());
    // By their numbers, the factors that parts have become.
    let mut factors: Vec<Option<usize>> = Vec::new();
    let done = solver.enumerate_products(terms, &[], predicates, &mut |product| {
        let of_parts: Vec<usize> = product
            .parts
            .iter()
            .map(|part| {
                factors.resize(factors.len().max(part.number + 1), None);
                *factors[part.number].get_or_insert_with(|| found.factor(&part.cubes))
            })
            .collect();
        found.add_product(product.cube, &of_parts);
        found.len() < limits::LISTED_PRODUCTS
    })?;
    Ok(done.filter(|done| done.complete).map(|_| found))
}

/// An order of predicates in which diagrams of minterms tend to be small, by their places: that of [`strongest`](crate::strongest).
pub fn order_of_places(terms: &Terms, formula: &[Term], predicates: &[Term]) -> Vec<usize> {
    if predicates.len() < limits::PREDICATES_TO_ORDER {
        return (0..predicates.len()).collect();
    }
    order::places_by_affinity(terms, formula, predicates)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test fails by panicking.

    use super::*;
    use tamis_logic::Sort;
    use tamis_solver::Budget;

    /// The same minterms, whether they are kept one by one or in a diagram.
    #[test]
    fn few_and_many_are_the_same() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::Int));
        let predicates = [terms.lt(x, y), terms.lt(y, z), terms.lt(z, x), terms.le(x, z)];
        let make = |_: &Terms| {
            let mut diagrams = Diagrams::new(1 << 16);
            let mut vars = Vec::new();
            for formula in predicates {
                vars.push(Predicate { formula, var: diagrams.new_var()? });
            }
            Ok((diagrams, vars))
        };
        let found = |most: usize| {
            let mut solver = Solver::new(&Budget::unlimited());
            at_most(most, &mut solver, &terms, &predicates, &make).unwrap()
        };
        let Found::Few(mut few) = found(100) else { panic!("they are few") };
        let few = few.take();
        for most in [0, 1, few.len() - 1] {
            let Found::Many(diagrams, vars, function) = found(most) else { panic!("they are many") };
            let cubes: Vec<_> = few.iter().map(|values| minterm(&vars, values)).collect();
            assert_eq!(diagrams.union_of_cubes(&cubes).unwrap(), function);
        }
        assert!(matches!(found(few.len()), Found::Few(_)));
    }

    #[test]
    fn no_room() {
        let mut terms = Terms::new();
        let predicates = ["a", "b", "c"].map(|name| terms.var(name, Sort::Bool));
        let mut solver = Solver::new(&Budget::unlimited());
        let refused = at_most(2, &mut solver, &terms, &predicates, &|_| Err(OutOfNodes));
        assert!(matches!(refused, Err(Interrupted::OutOfNodes)));
    }
}
