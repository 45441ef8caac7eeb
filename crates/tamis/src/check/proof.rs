//! Proofs for people: loop invariants as C expressions.

use serde::Serialize;
use tamis_evidence::Certificate;
use tamis_interpreter_c::c_expression;
use tamis_logic::Terms;
use tamis_program::{Program, back_edges};

/// Invariants with longer texts are shown as SMT-LIB instead, which names what occurs more than once.
const MAX_LENGTH: usize = 10_000;

/// What holds at a loop's head.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Invariant {
    pub file: String,
    pub line: u32,
    pub function: String,
    /// As a C expression, or in SMT-LIB where that would be too long.
    pub invariant: String,
}

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
            function: program.frame(frame).function.clone(),
            invariant: match (terms.is_false(invariant), terms.is_true(invariant)) {
                (true, _) => "never reached".to_owned(),
                (_, true) => "none needed".to_owned(),
                _ => text(),
            },
        })
    });
    shown.collect()
}

/// Prints the invariants to stderr.
pub fn print(invariants: &[Invariant]) {
    if invariants.is_empty() {
        eprintln!("proof: no loop is involved; every path to the error was refuted");
        return;
    }
    eprintln!("proof: invariants at loop heads");
    for Invariant { file, line, function, invariant } in invariants {
        eprintln!("  {file}:{line} in {function}: {invariant}");
    }
}
