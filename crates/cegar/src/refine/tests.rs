use super::relation::has_trace;
use super::*;
use crate::progress::Silent;
use crate::strategy::Strategy;
use tamis_design::{Condition, Cycle, Design, DesignSystem, Register, Signal};
use tamis_diagram::BddVar;
use tamis_logic::{Sort, Terms};
use tamis_solver::Budget;
use tamis_system::StepId;

/// A design for the counterexample of \[CTL\] Fig. 2: `P1 = b1`, `P2 = b2`, and the candidates are `c3`, `c4`, `c5`. Both
/// predicates hold together only after `P2` alone and without `c3`, which is the complement of `c4` before. `c4` is any
/// value, and `c5` its own complement.
fn figure_2(terms: &mut Terms) -> (Design, [Term; 5]) {
    let [b1, b2, c3, c4, c5] = ["b1", "b2", "c3", "c4", "c5"].map(|name| terms.var(name, Sort::Bool));
    let inputs = ["i1", "i2", "i4"].map(|name| terms.var(name, Sort::Bool));
    let [i1, i2, i4] = inputs;
    let only_b2 = {
        let not_b1 = terms.not(b1);
        terms.and2(not_b1, b2)
    };
    let blocked = terms.and2(c3, i1);
    let free = terms.not(blocked);
    let not_i1 = terms.not(i1);
    let without = terms.and2(i2, not_i1);
    let next_b2 = terms.ite(only_b2, free, without);
    let (not_c4, not_c5) = (terms.not(c4), terms.not(c5));
    let (one, zero) = (terms.tru(), terms.fals());
    let bad = terms.and2(b1, b2);
    let registers = [
        ("b1", b1, one, i1),
        ("b2", b2, zero, next_b2),
        ("c3", c3, one, not_c4),
        ("c4", c4, zero, i4),
        ("c5", c5, zero, not_c5),
    ];
    let register = |(number, &(name, term, init, next)): (usize, &(&str, Term, Term, Term))| Register {
        signal: Signal::new(number, name, term),
        init: Some(init),
        next: Some(next),
    };
    let design = Design {
        inputs: inputs.iter().enumerate().map(|(i, &t)| Signal::new(i, format!("i{i}"), t)).collect(),
        registers: registers.iter().enumerate().map(register).collect(),
        properties: vec![Condition::new(0, "not both", bad)],
        branches: [c3, c4, c5].iter().enumerate().map(|(i, &c)| Condition::new(i, "branch", c)).collect(),
        ..Design::default()
    };
    (design, [b1, b2, c3, c4, c5])
}

/// The counterexample of Fig. 2: the values of `P1` and `P2` from time 0 to 2.
fn counterexample(b1: BddVar, b2: BddVar, precision: &crate::abstraction::Precision) -> AbstractTrace<Cycle> {
    let mut trace = AbstractTrace::empty();
    let none = crate::abstraction::Precision::from([]);
    let values = [None, Some((true, false)), Some((false, true)), Some((true, true))];
    for (i, values) in values.into_iter().enumerate() {
        let (step, cycle) = match i {
            0 => (0, Cycle::Reset),
            3 => (2, Cycle::Bad),
            _ => (1, Cycle::Next),
        };
        trace.steps.push(StepId(step));
        trace.paths.push(vec![cycle]);
        trace.states.push(values.map_or_else(Vec::new, |(p1, p2)| vec![(b1, p1), (b2, p2)]));
        trace.precisions.push(if values.is_some() { precision.clone() } else { none.clone() });
    }
    trace
}

/// Refines against the counterexample of Fig. 2; the predicates after that.
fn refine_figure_2(source: &str, before: usize, after: usize) -> Vec<String> {
    let mut terms = Terms::new();
    let (design, [b1, b2, ..]) = figure_2(&mut terms);
    let system = DesignSystem::new(&mut terms, &design, 0);
    let text = format!(
        "engine = \"implications\"\nexploration = \"boolean-program\"\n\
         [literals]\nbefore = {before}\nafter = {after}\n[refinement]\nsource = \"{source}\""
    );
    let strategy = Strategy::from_toml(&text).unwrap();
    let (budget, mut silent) = (Budget::unlimited(), Silent);
    let mut run = Run::new(&mut terms, &system, &strategy, &budget, &mut silent);
    let mut refinement = Refinement::new(&system, strategy.refinement.clone());
    refinement.start(&mut run).unwrap();
    let precision = run.abstraction.predicates.at(DesignSystem::RUNNING).clone();
    let var = |t: Term| precision.iter().find(|p| p.formula == t).unwrap().var;
    let trace = counterexample(var(b1), var(b2), &precision);
    let given: Vec<_> = trace.states.clone();
    assert!(has_trace(&mut run, &trace, &given).unwrap());
    assert!(matches!(refinement.refine(&mut run, &trace, &Spurious::default()), Ok(Refined::Relation)));
    assert!(!has_trace(&mut run, &trace, &given).unwrap(), "the refined model has the counterexample");
    let in_use = run.abstraction.predicates.at(DesignSystem::RUNNING).clone();
    in_use.iter().map(|p| run.terms.var_name(p.formula).unwrap_or("?").to_owned()).collect()
}

/// \[CTL\] Fig. 2 with Eq. 12 and 13: of the candidates, `cp_3` and `cp_4` invalidate the counterexample.
#[test]
fn figure_2_lazy_refinement() {
    assert_eq!(refine_figure_2("branch-candidates", 2, 1), ["b1", "b2", "c3", "c4"]);
}

/// The naive algorithm adds at least these. It looks at the new abstract model alone, which must be precise enough to show what
/// they do: three literals before a cycle and two after it.
#[test]
fn figure_2_naive_refinement() {
    let found = refine_figure_2("ordered-branches", 3, 2);
    assert!(["b1", "b2", "c3", "c4"].iter().all(|p| found.iter().any(|f| f == p)), "{found:?}");
}
