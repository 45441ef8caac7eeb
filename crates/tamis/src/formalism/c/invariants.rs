//! Loop invariants as C expressions.

use crate::check::proof::Invariant;
use tamis_evidence::{Certificate, Ranged, readable};
use tamis_interpreter_c::{c_conditions, c_expression};
use tamis_logic::{Op, Sort, Term, Terms};
use tamis_program::{Program, back_edges};
use tamis_solver::Budget;

/// Invariants with longer texts are shown as SMT-LIB instead, which names what occurs more than once.
const MAX_LENGTH: usize = 10_000;

/// An invariant that says nothing.
pub const NOTHING: &str = "none needed";

/// The invariants at loop heads, made readable as far as there is time for that.
pub fn invariants(
    terms: &mut Terms,
    program: &Program,
    certificate: &Certificate,
    budget: &Budget,
) -> Vec<Invariant> {
    let heads: Vec<_> = back_edges(program).into_iter().map(|e| program.edge(e).to).collect();
    let loops = certificate.invariants.iter().filter(|(l, _)| heads.contains(l));
    let shown = loops.filter_map(|&(location, invariant)| {
        let &edge = program.outgoing(location).first()?;
        let source = program.edge(edge).source;
        let frame = program.frame_of(location);
        let values = values(terms, program, invariant);
        let invariant = readable(terms, invariant, &values, budget).unwrap_or(invariant);
        let conditions = match (terms.is_false(invariant), terms.is_true(invariant)) {
            (true, _) => vec!["never reached".to_owned()],
            (_, true) => vec![NOTHING.to_owned()],
            _ => c_conditions(terms, program, frame, invariant, MAX_LENGTH).unwrap_or_default(),
        };
        let text = match conditions.is_empty() {
            true => terms.to_smtlib(invariant),
            // Alone, a disjunction needs no parentheses.
            false if conditions.len() > 1 => conditions.join(" && "),
            false if terms.is_false(invariant) || terms.is_true(invariant) => conditions.concat(),
            false => c_expression(terms, program, frame, invariant, MAX_LENGTH)
                .unwrap_or_else(|| conditions.concat()),
        };
        Some(Invariant {
            file: program.file(source.file).to_owned(),
            line: source.line,
            function: Some(program.frame(frame).function.clone()),
            conditions: if conditions.is_empty() { vec![text.clone()] } else { conditions },
            invariant: text,
        })
    });
    shown.collect()
}

/// The values in a formula that a person thinks of as numbers: variables, and what is read from memory.
fn values(terms: &Terms, program: &Program, formula: Term) -> Vec<Ranged> {
    let ranged = |t: Term| match (program.var_of(t), terms.op(t), terms.sort(t)) {
        (Some(v), ..) => program.variable(v).ty.int().map(|int| Ranged { value: t, signed: int.signed }),
        // A byte is rarely negative, and what is wider is an int more often than not.
        (None, Op::Select, Sort::BitVec(width)) => Some(Ranged { value: t, signed: width > 8 }),
        _ => None,
    };
    terms.post_order(&[formula]).into_iter().filter_map(ranged).collect()
}
