//! From linear decision diagrams over predicates alone to the answer.

use super::build::Built;
use crate::Predicate;
use crate::limits;
use tamis_diagram::linear::{BoolVar, Failure, LinearDiagrams};
use tamis_diagram::{Bdd, BddVar, Diagrams};

/// The conjunction of the parts, which only predicates are left in.
///
/// A predicate and the one that says the same of the next state are neighbours in the order of the linear diagrams, and
/// can be far apart in that of the predicates, in which the conjunction may be exponentially larger. So large answers give
/// diagrams that hold nothing else yet the order of the parts, one part after the other, and others only if
/// the answer does not fit otherwise.
pub(super) fn to_bdd(
    linear: &mut LinearDiagrams,
    built: Built,
    predicates: &[Predicate],
    diagrams: &mut Diagrams,
) -> Result<Bdd, Failure> {
    let Built { mut parts, predicates: variables } = built;
    let sizes = |linear: &LinearDiagrams| parts.iter().map(|part| linear.node_count(part)).sum::<usize>();
    let mut arranged = sizes(linear) > limits::NODES_TO_REORDER && diagrams.is_blank();
    parts.sort_by_key(|part| linear.node_count(part));
    let meaning = |b: BoolVar| {
        let at = variables.iter().position(|&p| p == b);
        at.map_or_else(|| unreachable!("only predicates are left"), |at| predicates[at].var)
    };
    let mut order: Vec<BddVar> = Vec::new();
    for part in &parts {
        for var in linear.bools_in_order(part).into_iter().map(meaning) {
            if !order.contains(&var) {
                order.push(var);
            }
        }
    }
    loop {
        if arranged {
            diagrams.arrange(&order);
        }
        let mut conjunction = || {
            let mut all = diagrams.tru();
            for part in &parts {
                let Some(part) = linear.to_bdd(part, diagrams, meaning)? else {
                    unreachable!("all numeric variables are gone")
                };
                all = diagrams.and(&all, &part).map_err(|_| Failure::OutOfNodes)?;
            }
            Ok(all)
        };
        match conjunction() {
            Err(Failure::OutOfNodes) if !arranged => arranged = true,
            made => return made,
        }
    }
}
