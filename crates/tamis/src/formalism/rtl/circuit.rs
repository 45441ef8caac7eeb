//! Proofs as witness circuits, as Cerbtora checks them (Yu, Froleyks, Biere, Heljanko and others, CAV 2021 and after).
//!
//! The circuit is the design with one property, which is inductive by itself: that the invariant holds and nothing is bad. Its
//! inputs and states are those of the design, in their order, so it simulates the design; base and step follow from the
//! invariant's conditions.

use super::model::Reduced;
use super::property::Property;
use crate::formalism::Case;
use crate::output::of_property;
use tamis_design::{Condition, Design};
use tamis_evidence::design::Proof;
use tamis_front_rtl::btor2;
use tamis_logic::Terms;

/// Writes the witness circuit of a proof, if that is asked for: what is to be said about it.
pub fn write(case: &Case<'_, Property>, terms: &Terms, model: &Reduced, proof: &Proof) -> Vec<String> {
    let Some(file) = &case.options.witness else { return Vec::new() };
    let file = of_property(file, &case.property.name, case.several);
    let written = circuit(terms, model, proof)
        .and_then(|text| std::fs::write(&file, text).map_err(|error| error.to_string()));
    let name = file.display();
    vec![match written {
        Ok(()) if model.whole.properties.len() > 1 => {
            format!("written: {name}, of this property alone")
        }
        Ok(()) => format!("written: {name}"),
        Err(why) => format!("{name} is not written: {why}"),
    }]
}

/// The circuit as BTOR2.
fn circuit(terms: &Terms, model: &Reduced, proof: &Proof) -> Result<String, String> {
    let Proof::Invariant(invariant) = proof else {
        return Err("a witness circuit is made of an invariant, and the proof is another".to_owned());
    };
    let mut terms = terms.clone();
    let property = &model.whole.properties[model.property];
    let lost = terms.not(*invariant);
    let term = terms.or2(property.term, lost);
    let strengthened = Condition { term, ..property.clone() };
    btor2::write(&terms, &Design { properties: vec![strengthened], ..model.whole.clone() })
}
