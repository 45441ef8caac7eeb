//! Proofs as witness circuits, as Certifaiger checks them for AIGER and Cerbtora for BTOR2 (Yu, Froleyks, Biere, Heljanko and
//! others, CAV 2021 and after).
//!
//! A witness circuit is a design that simulates the one that is checked, with a property that implies the checked one and is
//! inductive by itself. Ours begin with all inputs and registers of the design, in their order, which are its own: so resets
//! and transitions are the same. With R, F, C and P for first values, next values, constraints and property, primed for the
//! circuit, and K for what the two share, the checks are
//!
//! | check | says |
//! | --- | --- |
//! | reset | `R{K} ∧ C → R'{K} ∧ C'` |
//! | transition | `F{K} ∧ C₀ ∧ C₁ ∧ C'₀ → F'{K} ∧ C'₁` |
//! | property | `C ∧ C' ∧ P' → P` |
//! | base | `R' ∧ C' → P'` |
//! | step | `P'₀ ∧ F' ∧ C'₀ ∧ C'₁ → P'₁` |
//!
//! An invariant strengthens the property. For induction over several cycles see [`window`].

mod window;

use super::model::Reduced;
use super::property::{Kind, Property};
use crate::formalism::{Case, Model};
use crate::output::of_property;
use std::path::Path;
use std::time::Duration;
use tamis_cegar::{Outcome, Silent};
use tamis_design::{Condition, Design};
use tamis_evidence::design::Proof;
use tamis_front_rtl::{aiger, btor2};
use tamis_logic::{Term, Terms};
use tamis_solver::Budget;
use window::Window;

/// Another search, for an invariant, takes so long at least.
const SEARCHING: Duration = Duration::from_secs(5);

/// Writes the witness circuit of a proof, if that is asked for: what is to be said about it.
pub fn write(
    case: &Case<'_, Property>,
    terms: &Terms,
    model: &Reduced,
    proof: &Proof,
    search: (&Budget, Duration),
) -> Vec<String> {
    let Some(file) = &case.options.witness else { return Vec::new() };
    let file = of_property(file, &case.property.name, case.several);
    let mut terms = terms.clone();
    let source = case.options.input.files.first().and_then(|f| f.extension()).unwrap_or_default();
    let is_aiger = source.eq_ignore_ascii_case("aig") || source.eq_ignore_ascii_case("aag");
    let written = circuit(&mut terms, model, proof, search)
        .and_then(|design| if is_aiger { bits(&terms, &design, &file) } else { words(&terms, &design) })
        .map(|text| crate::output::write(&file, text));
    let name = file.display();
    vec![match written {
        // That is said.
        Ok(false) => return Vec::new(),
        Ok(true) if model.whole.properties.len() + model.whole.justice.len() > 1 => {
            format!("written: {name}, of this property alone")
        }
        Ok(true) => format!("written: {name}"),
        Err(why) => format!("{name} is not written: {why}"),
    }]
}

/// As AIGER, in text if the file's name says so.
fn bits(terms: &Terms, design: &Design, file: &Path) -> Result<Vec<u8>, String> {
    let text = file.extension().is_some_and(|e| e.eq_ignore_ascii_case("aag"));
    aiger::write(terms, design, if text { aiger::Form::Text } else { aiger::Form::Binary })
}

/// As BTOR2. A name that starts with `=` would say which word of the design is meant.
fn words(terms: &Terms, design: &Design) -> Result<Vec<u8>, String> {
    let mut design = design.clone();
    let registers = design.registers.iter_mut().map(|r| &mut r.signal);
    for signal in design.inputs.iter_mut().chain(registers).filter(|s| s.name.starts_with('=')) {
        signal.name.insert(0, '_');
    }
    btor2::write(terms, &design).map(String::into_bytes)
}

fn circuit(
    terms: &mut Terms,
    model: &Reduced,
    proof: &Proof,
    search: (&Budget, Duration),
) -> Result<Design, String> {
    let Kind::Safety(number) = model.property else {
        return Err("there are no witness circuits for liveness".to_owned());
    };
    let property = &model.whole.properties[number];
    let (bad, truth) = (property.term, terms.tru());
    let with = |registers, good: Term, terms: &mut Terms| Design {
        registers,
        properties: vec![Condition { term: terms.not(good), ..property.clone() }],
        justice: Vec::new(),
        fairness: Vec::new(),
        ..model.whole.clone()
    };
    let window = match *proof {
        Proof::Invariant(invariant) => {
            let fine = terms.not(bad);
            let good = terms.and2(invariant, fine);
            return Ok(with(model.whole.registers.clone(), good, terms));
        }
        Proof::KInduction { k, facts, simple_path } => {
            let plain = Proof::KInduction { k, simple_path: false, facts };
            if simple_path && !model.holds(terms, &plain, &search.0.child_with_timeout(patience(search.1))) {
                // The states of a window need not differ, so that this proof does not make the circuit inductive.
                let invariant = invariant(terms, model, search).ok_or(
                    "the proof is by induction over states that differ, which has no witness circuit, and no \
                     invariant was found instead",
                )?;
                return circuit(terms, model, &invariant, search);
            }
            Window { cycles: k, facts, from_reset: false }
        }
        Proof::Exhaustion(cycles) => Window { cycles, facts: truth, from_reset: true },
    };
    let (more, good) = window.registers_and_property(terms, &model.cone, bad)?;
    let mut registers = model.whole.registers.clone();
    registers.extend(more);
    Ok(with(registers, good, terms))
}

/// How long is looked for something else than what a search found after some time.
fn patience(search: Duration) -> Duration {
    search.max(SEARCHING)
}

/// An invariant, by IC3.
fn invariant(terms: &mut Terms, model: &Reduced, (budget, spent): (&Budget, Duration)) -> Option<Proof> {
    let budget = budget.child_with_timeout(patience(spent));
    let preset = crate::arguments::parse_preset("ic3").ok()?;
    let system = model.system(terms, &preset);
    match tamis_cegar::check(terms, &system, &preset.strategy, &budget, &mut Silent).0 {
        Outcome::Safe(invariants) => model.certify(terms, &system, &invariants, &budget, None).ok(),
        _ => None,
    }
}
