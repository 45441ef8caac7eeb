//! Early quantification: in which order variables are eliminated from a conjunction of diagrams.
//!
//! A variable is eliminated from the conjunction of the parts that mention it alone (bucket elimination), the
//! cheapest variable first. On the queries of [SUM] section 4.2 this eliminates the control variables along the
//! program's edges, as section 4.3 does, and the numeric ones with them.

use super::build::Built;
use rustc_hash::FxHashMap;
use tamis_diagram::linear::{BoolVar, Failure, Ldd, LinearDiagrams, NumVar};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Variable {
    Bool(BoolVar),
    Number(NumVar),
}

struct Part {
    function: Ldd,
    size: usize,
    variables: Vec<Variable>,
}

/// Eliminates all variables but those of predicates; says whether the result is exact.
pub(super) fn eliminate_all(diagrams: &mut LinearDiagrams, built: &mut Built) -> Result<bool, Failure> {
    let mut exact = true;
    let mut parts: Vec<Part> = Vec::new();
    for function in std::mem::take(&mut built.parts) {
        parts.push(part(diagrams, &built.predicates, function));
    }
    while let Some(variable) = cheapest(&parts) {
        let (mut bucket, rest): (Vec<Part>, Vec<Part>) =
            parts.into_iter().partition(|part| part.variables.contains(&variable));
        parts = rest;
        bucket.sort_by_key(|part| part.size);
        let functions: Vec<Ldd> = bucket.into_iter().map(|part| part.function).collect();
        let result = match variable {
            Variable::Bool(b) => without_bool(diagrams, b, &functions)?,
            Variable::Number(x) => {
                let projection = diagrams.eliminate(x, &functions)?;
                exact &= projection.exact;
                projection.result
            }
        };
        drop(functions);
        if result.is_false() {
            built.parts = vec![result];
            // What is implied by an over-approximation that is empty is exact.
            return Ok(true);
        }
        if !result.is_true() {
            parts.push(part(diagrams, &built.predicates, result));
        }
    }
    built.parts = parts.into_iter().map(|part| part.function).collect();
    Ok(exact)
}

fn part(diagrams: &LinearDiagrams, predicates: &[BoolVar], function: Ldd) -> Part {
    let (bools, numbers) = diagrams.support(&function);
    let bools = bools.into_iter().filter(|b| !predicates.contains(b)).map(Variable::Bool);
    let variables = bools.chain(numbers.into_iter().map(Variable::Number)).collect();
    Part { size: diagrams.node_count(&function), function, variables }
}

/// The variable whose parts are smallest together.
fn cheapest(parts: &[Part]) -> Option<Variable> {
    let mut costs: FxHashMap<Variable, usize> = FxHashMap::default();
    for part in parts {
        for &variable in &part.variables {
            *costs.entry(variable).or_default() += part.size;
        }
    }
    costs.into_iter().min_by_key(|&(variable, cost)| (cost, variable)).map(|(variable, _)| variable)
}

/// `∃b. ⋀ functions`.
fn without_bool(diagrams: &mut LinearDiagrams, b: BoolVar, functions: &[Ldd]) -> Result<Ldd, Failure> {
    let Some((last, others)) = functions.split_last() else { return Ok(diagrams.tru()) };
    let mut all = diagrams.tru();
    for f in others {
        all = diagrams.and(&all, f)?;
    }
    diagrams.and_exists(&all, last, &[b])
}
