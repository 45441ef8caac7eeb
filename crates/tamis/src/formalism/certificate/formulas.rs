//! Formulas that stand in a manifest as text.

use tamis_logic::smtlib::{Command, Reader};
use tamis_logic::{Substitution, Term, Terms};

/// Reads formulas over variables.
pub fn read_formulas<'a>(
    terms: &mut Terms,
    variables: &[Term],
    texts: impl Iterator<Item = &'a str>,
) -> Result<Vec<Term>, String> {
    let mut script = terms.declarations(variables);
    let mut count = 0;
    for text in texts {
        script.push_str(&format!("(assert {text}\n)\n"));
        count += 1;
    }
    let mut reader = Reader::new(script.as_bytes());
    let (mut declared, mut formulas) = (Vec::new(), Vec::new());
    while let Some((command, _)) = reader.next_command(terms).map_err(|e| format!("an invariant: {e}"))? {
        match command {
            Command::Declare { var, .. } if formulas.is_empty() => declared.push(var),
            Command::Assert { formula, .. } => formulas.push(formula),
            _ => return Err("an invariant is not one formula".to_owned()),
        }
    }
    // Names are printed otherwise where SMT-LIB means something else by them.
    let names = terms.free_vars_of(variables);
    if declared.len() != names.len() || formulas.len() != count {
        return Err("an invariant is not one formula".to_owned());
    }
    let meant: Substitution = std::iter::zip(declared, names).collect();
    Ok(terms.substitute_all(&formulas, &meant))
}
