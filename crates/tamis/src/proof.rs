//! Proofs for people: loop invariants as C expressions.

use tamis_evidence::{Certificate, c_expression};
use tamis_logic::Terms;
use tamis_program::{Program, back_edges};

/// Invariants with longer texts are shown as SMT-LIB instead, which names what occurs more than once.
const MAX_LENGTH: usize = 10_000;

/// Prints the invariants at loop heads to stderr.
pub fn print(terms: &Terms, program: &Program, certificate: &Certificate) {
    let heads: Vec<_> = back_edges(program).into_iter().map(|e| program.edge(e).to).collect();
    let loops: Vec<_> = certificate.invariants.iter().filter(|(l, _)| heads.contains(l)).collect();
    if loops.is_empty() {
        eprintln!("proof: no loop is involved; every path to the error was refuted");
        return;
    }
    eprintln!("proof: invariants at loop heads");
    for &&(location, invariant) in &loops {
        let Some(&edge) = program.outgoing(location).first() else { continue };
        let source = program.edge(edge).source;
        let frame = program.frame_of(location);
        let function = &program.frame(frame).function;
        let text = if terms.is_false(invariant) {
            "never reached".to_owned()
        } else if terms.is_true(invariant) {
            "none needed".to_owned()
        } else {
            c_expression(terms, program, frame, invariant, MAX_LENGTH)
                .unwrap_or_else(|| terms.to_smtlib(invariant))
        };
        eprintln!("  {}:{} in {function}: {text}", program.file(source.file), source.line);
    }
}
