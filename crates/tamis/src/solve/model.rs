//! Models and assertions as text.

use super::assertions::{Assertions, Declared};
use super::output::symbol;
use tamis_logic::{Model, Term, Terms};

/// The declared constants.
pub fn constants(assertions: &Assertions) -> impl Iterator<Item = Term> {
    assertions.declared().filter_map(|declared| match declared {
        Declared::Constant(_, var) => Some(*var),
        Declared::Function(..) => None,
    })
}

/// What `get-model` prints: a definition for each declared symbol, in the order of the script.
pub fn model_text(terms: &Terms, assertions: &Assertions, model: &Model) -> String {
    let mut text = String::from("(\n");
    for declared in assertions.declared() {
        let (name, printed, definition) = match declared {
            Declared::Constant(name, var) => {
                let printed = terms.printed_name(terms.var_name(*var).unwrap_or_default());
                (name, printed, terms.definition_text(*var, model))
            }
            Declared::Function(name, f) => {
                (name, terms.printed_name(terms.function_name(*f)), terms.function_text(*f, model))
            }
        };
        // The printer of terms renames what has the name of an operator; the script knows it by its own name.
        let rest = definition.strip_prefix("(define-fun ").and_then(|rest| rest.strip_prefix(&*printed));
        match rest {
            Some(rest) => text.push_str(&format!("  (define-fun {}{rest}\n", symbol(name))),
            None => text.push_str(&format!("  {definition}\n")),
        }
    }
    text.push(')');
    text
}

/// What `get-assertions` prints: the assertions as they were understood, definitions expanded and simplified.
pub fn assertions_text(terms: &Terms, assertions: &Assertions) -> String {
    let mut text = String::from("(\n");
    for assertion in assertions.iter() {
        let formula = terms.to_smtlib(assertion.formula);
        match &assertion.name {
            Some(name) => text.push_str(&format!("  (! {formula} :named {})\n", symbol(name))),
            None => text.push_str(&format!("  {formula}\n")),
        }
    }
    text.push(')');
    text
}
