//! Partial interpolants of the clauses of a refutation.
//!
//! `A` are the groups before a cut, `B` the others. A variable is local to a side if no clause of the other has it.
//!
//! | | McMillan | dual |
//! | --- | --- | --- |
//! | clause of `A` | its literals that are not local to `A` | false |
//! | clause of `B` | true | the negation of its literals that are not local to `B` |
//! | resolution on a variable local to `A` | or | or |
//! | on one local to `B` | and | and |
//! | on any other | and | or |

use super::InterpolationSystem;
use super::proof::{Refutation, Step};
use crate::circuit::{Circuit, Lit};
use crate::limits;
use crate::sat::SatLit;
use rustc_hash::FxHashMap;

/// The interpolants of one refutation, in one circuit.
pub struct PartialInterpolants<'a> {
    refutation: &'a Refutation,
    system: InterpolationSystem,
    /// Has conjunctions and inputs only.
    pub circuit: Circuit,
    /// Which variable each input is.
    pub inputs: FxHashMap<usize, SatLit>,
    gates: FxHashMap<SatLit, Lit>,
}

/// Where a variable is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    A,
    B,
    Both,
}

impl<'a> PartialInterpolants<'a> {
    pub fn new(refutation: &'a Refutation, system: InterpolationSystem) -> PartialInterpolants<'a> {
        let (inputs, gates) = (FxHashMap::default(), FxHashMap::default());
        PartialInterpolants { refutation, system, circuit: Circuit::new(), inputs, gates }
    }

    /// The interpolant between the groups before number `cut` and the others; `None` if it is too large.
    pub fn interpolant(&mut self, cut: u32) -> Option<Lit> {
        let refutation = self.refutation;
        let mut partial: Vec<Lit> = Vec::with_capacity(refutation.steps.len());
        for step in &refutation.steps {
            let lit = match step {
                Step::Given { group, literals } => self.given(literals, *group < cut, cut),
                Step::Resolved { first, others } => {
                    let mut lit = partial[*first];
                    for &(other, variable) in others {
                        lit = self.resolved(lit, partial[other], variable, cut);
                    }
                    lit
                }
            };
            partial.push(lit);
            if self.circuit.len() > limits::GATES_OF_INTERPOLANTS {
                return None;
            }
        }
        partial.last().copied()
    }

    fn given(&mut self, literals: &[SatLit], is_a: bool, cut: u32) -> Lit {
        match (self.system, is_a) {
            (InterpolationSystem::McMillan, false) => Lit::TRUE,
            (InterpolationSystem::Dual, true) => Lit::FALSE,
            (system, _) => {
                let shared = literals.iter().filter(|&&l| self.side(l, cut) == Side::Both);
                let shared: Vec<SatLit> = shared.copied().collect();
                let mut lits: Vec<Lit> = shared.into_iter().map(|l| self.input(l)).collect();
                let any = self.circuit.or_many(&mut lits);
                any.flip_if(system == InterpolationSystem::Dual)
            }
        }
    }

    fn resolved(&mut self, x: Lit, y: Lit, variable: SatLit, cut: u32) -> Lit {
        match (self.side(variable, cut), self.system) {
            (Side::A, _) | (Side::Both, InterpolationSystem::Dual) => self.circuit.or(x, y),
            (Side::B, _) | (Side::Both, InterpolationSystem::McMillan) => self.circuit.and(x, y),
        }
    }

    fn side(&self, literal: SatLit, cut: u32) -> Side {
        let groups = self.refutation.groups[literal.unsigned_abs() as usize];
        let (first, last) = groups.expect("a variable of the refutation is in a clause");
        match (first < cut, last >= cut) {
            (true, true) => Side::Both,
            (true, false) => Side::A,
            _ => Side::B,
        }
    }

    fn input(&mut self, literal: SatLit) -> Lit {
        let variable = literal.abs();
        let (circuit, inputs) = (&mut self.circuit, &mut self.inputs);
        let input = *self.gates.entry(variable).or_insert_with(|| {
            let input = circuit.input();
            inputs.insert(input.gate(), variable);
            input
        });
        input.flip_if(literal < 0)
    }
}
