//! Loop invariants as C expressions.

use crate::check::proof::Invariant;
use tamis_evidence::Certificate;
use tamis_interpreter_c::c_expression;
use tamis_logic::Terms;
use tamis_program::{Program, back_edges};

/// Invariants with longer texts are shown as SMT-LIB instead, which names what occurs more than once.
const MAX_LENGTH: usize = 10_000;

/// An invariant that says nothing.
pub const NOTHING: &str = "none needed";

/// The invariants at loop heads.
pub fn invariants(terms: &Terms, program: &Program, certificate: &Certificate) -> Vec<Invariant> {
    let heads: Vec<_> = back_edges(program).into_iter().map(|e| program.edge(e).to).collect();
    let loops = certificate.invariants.iter().filter(|(l, _)| heads.contains(l));
    let shown = loops.filter_map(|&(location, invariant)| {
        let &edge = program.outgoing(location).first()?;
        let source = program.edge(edge).source;
        let frame = program.frame_of(location);
        let text = || {
            c_expression(terms, program, frame, invariant, MAX_LENGTH)
                .unwrap_or_else(|| terms.to_smtlib(invariant))
        };
        Some(Invariant {
            file: program.file(source.file).to_owned(),
            line: source.line,
            function: Some(program.frame(frame).function.clone()),
            invariant: match (terms.is_false(invariant), terms.is_true(invariant)) {
                (true, _) => "never reached".to_owned(),
                (_, true) => NOTHING.to_owned(),
                _ => text(),
            },
        })
    });
    shown.collect()
}
