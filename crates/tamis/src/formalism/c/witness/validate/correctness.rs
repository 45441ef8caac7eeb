//! Invariants of a witness: whether they hold, and whether the property follows.
//!
//! First as they are, as a proof: if what is checked at the heads of loops is preserved from one to the next, and no
//! other check can fail between them, all hold. The property follows if no execution that satisfies them violates it.
//! Where they do not suffice by themselves, the search decides: it finds predicates of its own beside them, or an
//! execution in which an invariant does not hold.

use super::search::{Found, Search};
use super::{Conclusion, Subject};
use crate::formalism::c::property::Property;
use crate::formalism::c::witness::make::{certificate, excludes};
use crate::formalism::c::witness::monitor::{
    self, Failing, Monitor, Monitored, REFUTED, is_inserted, item_of,
};
use crate::formalism::c::witness::{Expression, Invariant};
use crate::refusal::Refusal;
use tamis_front_c::tree::Unit;
use tamis_front_c::{Refinement, Target};
use tamis_interpreter_c::account::{Account, Happening};
use tamis_logic::Terms;
use tamis_program::{Program, Undefined};
use tamis_solver::Budget;

/// Decides about a set of invariants.
pub fn validate(
    subject: &Subject<'_>,
    search: &Search<'_>,
    invariants: &[Invariant],
) -> Result<Conclusion, Refusal> {
    let checking = Target::Call(REFUTED.to_owned());
    let monitored = subject.monitored(|monitor| check_all(monitor, invariants, Failing::Refutes))?;
    let told = |error| Refusal::from(monitor::told_about(&subject.witness.document, &monitored.items, error));
    let unit = monitored.program.aimed(&checking, Refinement::default()).unit().map_err(told)?;
    let risky = match monitor::expressions_have_no_effect(&unit) {
        Ok(risky) => risky,
        Err((item, why)) => return Err(subject.about(&monitored.items[item], why)),
    };
    let mut terms = Terms::new();
    let program =
        monitored.program.aimed(&checking, Refinement::default()).program(&mut terms).map_err(told)?;
    let as_proof = preserved(&mut terms, &program, search.budget);
    if !as_proof {
        let found = search
            .decide(&monitored.program, &Property::Unreachable(checking), &|_, program| program.clone())
            .map_err(told)?;
        match found {
            Found::Safe => {}
            Found::Violation(run) => return Ok(refuted(subject, &monitored.items, &run.0, &run.1)),
            Found::Unknown(why) => {
                return Ok(Conclusion::Unknown(format!(
                    "the invariants were neither proved nor refuted: {why}"
                )));
            }
        }
    }
    if risky
        && !invariants.is_empty()
        && let Some(conclusion) = undefined(subject, search, invariants)?
    {
        return Ok(conclusion);
    }
    let how = match (invariants.is_empty(), as_proof) {
        (true, _) => "there are no invariants",
        (_, true) => "the invariants are preserved",
        (_, false) => "the invariants hold in every execution",
    };
    follows(subject, search, invariants, how)
}

fn check_all(
    monitor: &mut Monitor<'_>,
    invariants: &[Invariant],
    failing: Failing,
) -> Result<(), tamis_diagnostics::Diagnostic> {
    invariants.iter().try_for_each(|invariant| monitor.check(invariant, failing))
}

/// Whether all checks of a program hold by induction.
fn preserved(terms: &mut Terms, program: &Program, budget: &Budget) -> bool {
    let check = |edge: &tamis_program::Edge| item_of(program, edge.source);
    let candidates = tamis_evidence::candidates(terms, program, &check);
    let certificate = certificate(terms, program, &candidates);
    tamis_evidence::certify(terms, program, &certificate, budget).is_ok()
}

/// Whether the evaluation of the invariants may be undefined.
fn undefined(
    subject: &Subject<'_>,
    search: &Search<'_>,
    invariants: &[Invariant],
) -> Result<Option<Conclusion>, Refusal> {
    let Monitored { program, items, .. } =
        subject.monitored(|monitor| check_all(monitor, invariants, Failing::Passes))?;
    // Operators that are not there cannot be undefined.
    let written = |operators: &[&str]| {
        invariants.iter().any(|i| operators.iter().any(|operator| i.value.text.contains(operator)))
    };
    for (kind, operators) in [
        (Undefined::NullAccess, &["*", "->", "["][..]),
        (Undefined::DivisionByZero, &["/", "%"]),
        (Undefined::ShiftOutOfRange, &["<<", ">>"]),
    ] {
        if !written(operators) {
            continue;
        }
        let shape = |_: &mut Terms, program: &Program| {
            program.checked_where(|mark| mark.what == kind && is_inserted(program, mark.source))
        };
        let found = search
            .decide(&program, &Property::Defined(kind), &shape)
            .map_err(|error| Refusal::from(monitor::told_about(&subject.witness.document, &items, error)))?;
        match found {
            Found::Safe => {}
            Found::Violation(_) => {
                let why = format!("the value of an invariant is undefined in some execution: {kind}");
                return Ok(Some(Conclusion::Refuted(why)));
            }
            Found::Unknown(why) => {
                let why = format!("whether the invariants are defined was not decided: {why}");
                return Ok(Some(Conclusion::Unknown(why)));
            }
        }
    }
    Ok(None)
}

/// Whether the property follows from invariants that hold.
fn follows(
    subject: &Subject<'_>,
    search: &Search<'_>,
    invariants: &[Invariant],
    how: &str,
) -> Result<Conclusion, Refusal> {
    let Monitored { program: sources, items, .. } =
        subject.monitored(|monitor| check_all(monitor, invariants, Failing::Ends))?;
    let told = |error| Refusal::from(monitor::told_about(&subject.witness.document, &items, error));
    let kinds = subject.property.undefined();
    let shape = |_: &mut Terms, program: &Program| {
        if kinds.is_empty() {
            return program.clone();
        }
        program.checked_where(|mark| kinds.contains(&mark.what) && !is_inserted(program, mark.source))
    };
    let mut terms = Terms::new();
    let program =
        sources.aimed(&subject.property.target(), Refinement::default()).program(&mut terms).map_err(told)?;
    let program = shape(&mut terms, &program);
    if excludes(&mut terms, &program, search.budget) {
        return Ok(Conclusion::Confirmed(format!("{how}, and the property follows from them alone")));
    }
    drop(terms);
    Ok(match search.decide(&sources, subject.property, &shape).map_err(told)? {
        Found::Safe => Conclusion::Confirmed(format!("{how}, and the property was proved with them")),
        Found::Violation(run) => {
            subject.show(&run.0, &run.1);
            Conclusion::Refuted("the program violates the property".to_owned())
        }
        Found::Unknown(why) => Conclusion::Unknown(format!("{how}, but the property was not proved: {why}")),
    })
}

/// The invariant that an execution violates.
fn refuted(subject: &Subject<'_>, items: &[Expression], account: &Account, unit: &Unit) -> Conclusion {
    subject.show(account, unit);
    let (first, _, last) = account.parts();
    let violation = first.iter().chain(last).find(|moved| matches!(moved.what, Happening::Violation(_)));
    let item = violation.and_then(|moved| items.get((moved.at.line as usize).saturating_sub(1)));
    Conclusion::Refuted(match item {
        Some(expression) => {
            let line = expression.node.line;
            format!("invariant `{}`, line {line}, does not hold in some execution", expression.text)
        }
        None => "an invariant does not hold in some execution".to_owned(),
    })
}
