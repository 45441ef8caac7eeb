//! Formulas that stand in a manifest as text. Index variables are bound there: `(forall ((j%32 (_ BitVec 32))) …)`.

use tamis_logic::smtlib::{Command, Reader};
use tamis_logic::{Substitution, Term, Terms};

/// No index is wider.
const MAX_INDEX_WIDTH: u32 = 1024;

/// The start of a formula that is meant for all values of index variables.
const FOR_ALL: &str = "(forall (";

/// A formula as text, which [`read_formulas`] reads.
pub fn formula_text(terms: &Terms, formula: Term) -> String {
    let text = terms.to_smtlib(formula);
    let bound = terms
        .index_variables(formula)
        .into_iter()
        .map(|v| format!("({} {})", terms.var_name(v).unwrap_or_default(), terms.sort_text(terms.sort(v))));
    let bound: Vec<String> = bound.collect();
    if bound.is_empty() { text } else { format!("{FOR_ALL}{}) {text})", bound.join(" ")) }
}

/// The index variables that a text binds, and what it says of them; nothing if it binds others.
fn unbound<'a>(terms: &mut Terms, text: &'a str) -> Option<(Vec<Term>, &'a str)> {
    let Some(mut rest) = text.strip_prefix(FOR_ALL) else { return Some((Vec::new(), text)) };
    let mut bound = Vec::new();
    while let Some(binding) = rest.strip_prefix('(') {
        let (name, after) = binding.split_once(" (_ BitVec ")?;
        let (width, after) = after.split_once("))")?;
        let width = width.parse().ok().filter(|width| (1..=MAX_INDEX_WIDTH).contains(width))?;
        let all = (0..Terms::INDEX_VARIABLES).map(|n| terms.index_variable(n, width)).collect::<Vec<_>>();
        bound.push(all.into_iter().find(|&v| terms.var_name(v) == Some(name))?);
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    let body = rest.strip_prefix(')')?.strip_suffix(')')?;
    Some((bound, body))
}

/// Reads formulas over variables, and over index variables where they are bound.
pub fn read_formulas<'a>(
    terms: &mut Terms,
    variables: &[Term],
    texts: impl Iterator<Item = &'a str>,
) -> Result<Vec<Term>, String> {
    let mut variables = variables.to_vec();
    let (mut assertions, mut count) = (String::new(), 0);
    for text in texts {
        let (bound, text) = unbound(terms, text).ok_or("an invariant is not one formula")?;
        for variable in bound {
            if !variables.contains(&variable) {
                variables.push(variable);
            }
        }
        assertions.push_str(&format!("(assert {text}\n)\n"));
        count += 1;
    }
    let script = terms.declarations(&variables) + &assertions;
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
    let names = terms.free_vars_of(&variables);
    if declared.len() != names.len() || formulas.len() != count {
        return Err("an invariant is not one formula".to_owned());
    }
    let meant: Substitution = std::iter::zip(declared, names).collect();
    Ok(terms.substitute_all(&formulas, &meant))
}
