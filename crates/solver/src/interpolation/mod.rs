//! Craig interpolants of words, from CaDiCaL's proof.
//!
//! Formulas `A_1 … A_n` that cannot hold together have for each `k` a formula `I_k` that follows from the first `k` of them,
//! cannot hold together with the others, and speaks only of what both sides speak of. Each group of formulas becomes a
//! circuit of its own, so that nothing is common to two groups but bits of variables; a refutation of all clauses is
//! recorded ([`proof`]), and each of its clauses gets a partial interpolant, by McMillan's rules or by their dual
//! ([`partial`]). All `I_k` come from one refutation, so they are inductive: `I_k ∧ A_{k+1}` implies `I_{k+1}`.
//!
//! ## References
//! K. L. McMillan: *Interpolation and SAT-Based Model Checking*, CAV 2003. V. D'Silva, D. Kroening, M. Purandare,
//! G. Weissenbacher: *Interpolant Strength*, VMCAI 2010 (the dual, and that both systems make sequences).

mod partial;
mod proof;

use crate::budget::{Budget, Stop};
use crate::circuit::{Circuit, Gate, Lit};
use crate::cnf::gate_clauses;
use crate::limits;
use crate::netlist::Netlist;
use crate::sat::{Sat, SatLit};
use crate::solver::Answer;
use partial::PartialInterpolants;
use proof::{Recorder, Refutation};
use rustc_hash::FxHashMap;
use tamis_logic::{Sort, Term, Terms};

/// How partial interpolants are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InterpolationSystem {
    /// McMillan's: the stronger one.
    McMillan,
    /// Its dual: the negation of McMillan's interpolant of the sides exchanged. It is the weaker one.
    Dual,
}

/// What became of a question for interpolants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Interpolated {
    /// An interpolant between each group and the next: one less than there are groups.
    Sequence(Vec<Term>),
    /// All formulas can hold together.
    Satisfiable,
    /// The refutation or an interpolant has more parts than is useful.
    TooLarge,
}

/// Interpolants between groups of formulas, over the bits of variables.
///
/// ```
/// use tamis_logic::{Sort, Terms};
/// use tamis_solver::{Budget, Interpolated, InterpolationSystem, interpolants};
/// let mut t = Terms::new();
/// let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::BitVec(4)));
/// let (one, two) = (t.bits(4, 1), t.bits(4, 2));
/// let double = t.mul(x, two);
/// let (even, odd) = (t.eq(y, double), t.extract(0, 0, y));
/// let odd = t.nonzero(odd);
/// let found = interpolants(&mut t, &[vec![even], vec![odd]], InterpolationSystem::McMillan, &Budget::unlimited());
/// assert_eq!(found, Ok(Interpolated::Sequence(vec![t.not(odd)])));
/// ```
///
/// # Errors
/// [`Stop::Unsupported`] if a variable is neither a truth value nor a word.
pub fn interpolants(
    terms: &mut Terms,
    groups: &[Vec<Term>],
    system: InterpolationSystem,
    budget: &Budget,
) -> Result<Interpolated, Stop> {
    let (recorder, log) = Recorder::new();
    let sat = Sat::traced(budget, recorder, limits::CONFLICTS_OF_REFUTATION);
    let mut clauses = Clauses { sat, bits: FxHashMap::default(), owners: vec![None] };
    for (group, formulas) in groups.iter().enumerate() {
        log.borrow_mut().group = group as u32;
        if !clauses.add(terms, formulas, budget)? {
            // The group alone cannot hold.
            let interpolant = |k: usize| terms.bool(k <= group);
            return Ok(Interpolated::Sequence((1..groups.len()).map(interpolant).collect()));
        }
    }
    match clauses.sat.solve(&[]) {
        Ok(Answer::Sat) => return Ok(Interpolated::Satisfiable),
        Ok(Answer::Unsat) => {}
        // The limit on conflicts, if it is not the budget.
        Err(stop) => return budget.check().map_or(Err(stop), |()| Ok(Interpolated::TooLarge)),
    }
    let Some(refutation) = Refutation::new(&log.borrow(), clauses.owners.len()) else {
        return Ok(Interpolated::TooLarge);
    };
    let mut partial = PartialInterpolants::new(&refutation, system);
    let mut roots = Vec::with_capacity(groups.len());
    for cut in 1..groups.len() {
        budget.check()?;
        match partial.interpolant(cut as u32) {
            Some(root) => roots.push(root),
            None => return Ok(Interpolated::TooLarge),
        }
    }
    let sizes_fit = roots
        .iter()
        .all(|&root| partial.circuit.cone(std::iter::once(root)).len() <= limits::GATES_OF_INTERPOLANT);
    if !sizes_fit {
        return Ok(Interpolated::TooLarge);
    }
    let literal = |terms: &mut Terms, variable: SatLit| {
        let (word, bit) =
            clauses.owners[variable as usize].expect("interpolants speak of variables' bits only");
        bit_of(terms, word, bit)
    };
    Ok(Interpolated::Sequence(to_terms(terms, &partial.circuit, &roots, &partial.inputs, literal)))
}

/// That a bit of a variable is set.
fn bit_of(terms: &mut Terms, variable: Term, bit: u32) -> Term {
    if terms.sort(variable) == Sort::Bool {
        return variable;
    }
    let bit = terms.extract(bit, bit, variable);
    terms.nonzero(bit)
}

/// The clauses of all groups.
struct Clauses {
    sat: Sat,
    /// The bits of the variables of formulas, in the SAT solver.
    bits: FxHashMap<Term, Vec<SatLit>>,
    /// Of which variable's bit each variable of the SAT solver is one; `None` for a gate.
    owners: Vec<Option<(Term, u32)>>,
}

impl Clauses {
    fn fresh(&mut self, owner: Option<(Term, u32)>) -> SatLit {
        self.owners.push(owner);
        self.sat.fresh()
    }

    /// Adds a group; `false` if it is false by itself, without a search.
    fn add(&mut self, terms: &Terms, formulas: &[Term], budget: &Budget) -> Result<bool, Stop> {
        let variables = terms.free_vars_of(formulas);
        if variables.iter().any(|&v| !matches!(terms.sort(v), Sort::Bool | Sort::BitVec(_))) {
            return Err(Stop::Unsupported);
        }
        // The circuit is not shared with other groups: a gate of two of them would be in their interpolants.
        let mut netlist = Netlist::default();
        let mut known: FxHashMap<usize, SatLit> = FxHashMap::default();
        let inputs = netlist.bits(terms, &variables, budget)?;
        for (&variable, bits) in variables.iter().zip(inputs) {
            if !self.bits.contains_key(&variable) {
                let made = (0..bits.len()).map(|bit| self.fresh(Some((variable, bit as u32)))).collect();
                self.bits.insert(variable, made);
            }
            known.extend(bits.iter().zip(&self.bits[&variable]).map(|(bit, &lit)| (bit.gate(), lit)));
        }
        let roots: Vec<Lit> =
            netlist.bits(terms, formulas, budget)?.into_iter().map(|bits| bits[0]).collect();
        if roots.contains(&Lit::FALSE) {
            return Ok(false);
        }
        let circuit = netlist.circuit();
        for gate in circuit.cone(roots.iter().copied()) {
            if gate == Lit::TRUE.gate() || known.contains_key(&gate) {
                continue;
            }
            known.insert(gate, self.fresh(None));
            gate_clauses(circuit, gate, |clause| {
                let clause: Vec<SatLit> = clause.iter().map(|&lit| literal(&known, lit)).collect();
                self.sat.clause(&clause);
            });
        }
        for &root in roots.iter().filter(|&&root| root != Lit::TRUE) {
            self.sat.clause(&[literal(&known, root)]);
        }
        Ok(true)
    }
}

fn literal(known: &FxHashMap<usize, SatLit>, lit: Lit) -> SatLit {
    let variable = known[&lit.gate()];
    if lit.is_complement() { -variable } else { variable }
}

/// A circuit of conjunctions as terms.
fn to_terms(
    terms: &mut Terms,
    circuit: &Circuit,
    roots: &[Lit],
    inputs: &FxHashMap<usize, SatLit>,
    mut literal: impl FnMut(&mut Terms, SatLit) -> Term,
) -> Vec<Term> {
    let mut made: FxHashMap<usize, Term> = FxHashMap::default();
    let of = |terms: &mut Terms, made: &FxHashMap<usize, Term>, lit: Lit| {
        let term = made[&lit.gate()];
        if lit.is_complement() { terms.not(term) } else { term }
    };
    for gate in circuit.cone(roots.iter().copied()) {
        let term = match circuit.gate(gate) {
            Gate::True => terms.tru(),
            Gate::Input => literal(terms, inputs[&gate]),
            Gate::And(a, b) => {
                let [a, b] = [a, b].map(|lit| of(terms, &made, lit));
                terms.and2(a, b)
            }
            Gate::AndMany { first, count } => {
                let inputs = circuit.inputs(first, count).to_vec();
                let inputs: Vec<Term> = inputs.into_iter().map(|lit| of(terms, &made, lit)).collect();
                terms.and(&inputs)
            }
            gate => unreachable!("interpolants are made of conjunctions: {gate:?}"),
        };
        made.insert(gate, term);
    }
    roots.iter().map(|&root| of(terms, &made, root)).collect()
}
