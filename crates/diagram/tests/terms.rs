//! Functions as formulas.
#![allow(clippy::unwrap_used)] // A test fails by panicking.

mod common;

use common::{Table, diagram, on_managers};
use tamis_diagram::{BddVar, Diagrams};
use tamis_logic::{Model, Sort, Term, Terms, Value};

#[test]
fn formulas_have_the_value_of_the_function() {
    on_managers(|d, vars, random| {
        let f = Table::random(vars.len(), random);
        let mut terms = Terms::new();
        let predicates: Vec<Term> =
            (0..vars.len()).map(|i| terms.var(&format!("p{i}"), Sort::Bool)).collect();
        let diagram = diagram(d, vars, &f).unwrap();
        let formula = d.to_term(&mut terms, &diagram, |v| predicates[v.index()]);
        for (row, &expected) in f.rows.iter().enumerate() {
            let mut model = Model::new();
            for (bit, &predicate) in predicates.iter().enumerate() {
                model.set(predicate, Value::Bool(row >> bit & 1 == 1));
            }
            assert_eq!(terms.eval(formula, &model).as_bool(), expected);
        }
    });
}

#[test]
fn formulas_are_as_small_as_diagrams_and_depth_costs_no_stack() {
    let mut d = Diagrams::new(100_000);
    let vars: Vec<BddVar> = (0..2000).map(|_| d.new_var().unwrap()).collect();
    let mut terms = Terms::new();
    let predicates: Vec<Term> = (0..2000).map(|i| terms.var(&format!("p{i}"), Sort::Bool)).collect();
    // A parity has exponentially many paths; built from the bottom, where it is cheap.
    let mut parity = d.fals();
    for &v in vars.iter().rev() {
        parity = d.ite(&d.var(v), &d.not(&parity), &parity).unwrap();
    }
    let formula = d.to_term(&mut terms, &parity, |v| predicates[v.index()]);
    assert!(terms.size(formula) <= 3 * 2000, "{}", terms.size(formula));
}
