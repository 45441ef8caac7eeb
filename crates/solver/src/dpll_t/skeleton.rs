//! The Boolean part of an enumeration, and which atoms a model of it needs.
//!
//! An assignment gives every atom a value, also those of an alternative that was not taken. A part of it suffices to
//! make the assertions true; whatever the other atoms are, it remains a model of the Boolean part. Atoms that stand on
//! one side of an equality and nowhere else are what the other side is, and are needed when something needs them.

use super::free::{Free, Uses};
use super::table::{Kind, Meaning};
use crate::circuit::{Gate, Lit};
use crate::sat::SatLit;
use crate::solver::Solver;
use rustc_hash::FxHashMap;
use tamis_theories::{Atom, Literal};

/// A node's number and whether its complement is meant.
type Signed = (u32, bool);

#[derive(Debug)]
enum Node {
    /// With the variable that tells its value, and the bound that it is.
    Input {
        variable: SatLit,
        bound: Option<Atom>,
        defined: Option<Signed>,
    },
    /// Of all of these.
    And(Vec<Signed>),
    Ite(Signed, Signed, Signed),
    /// Any other function of these, with its truth table.
    Other(Vec<Signed>, u8),
}

/// The Boolean part.
#[derive(Debug, Default)]
pub(crate) struct Skeleton {
    /// Inputs before outputs.
    nodes: Vec<Node>,
    clauses: Vec<Vec<Signed>>,
    /// Nodes whose values have to stay as they are.
    kept: Vec<u32>,
    values: Vec<bool>,
    needed: Vec<bool>,
    pending: Vec<u32>,
}

impl Skeleton {
    fn value(&self, (node, negative): Signed) -> bool {
        self.values[node as usize] != negative
    }

    fn evaluate(&mut self, value: &dyn Fn(SatLit) -> bool) {
        self.values.clear();
        for at in 0..self.nodes.len() {
            let truth = match &self.nodes[at] {
                Node::Input { variable, .. } => value(*variable),
                Node::And(inputs) => inputs.iter().all(|&input| self.value(input)),
                Node::Ite(c, a, b) => self.value(if self.value(*c) { *a } else { *b }),
                Node::Other(inputs, table) => {
                    let row =
                        inputs.iter().rev().fold(0, |row, &input| row << 1 | u8::from(self.value(input)));
                    table >> row & 1 == 1
                }
            };
            self.values.push(truth);
        }
    }

    fn need(&mut self, node: u32) {
        if !std::mem::replace(&mut self.needed[node as usize], true) {
            self.pending.push(node);
        }
    }

    /// Of several that would do, one that is needed anyway, or else the first.
    fn need_one(&mut self, among: &[Signed], truth: bool) {
        let fitting = |skeleton: &Skeleton, &signed: &Signed| skeleton.value(signed) == truth;
        let known = among.iter().any(|signed| self.needed[signed.0 as usize] && fitting(self, signed));
        if let (false, Some(&(node, _))) = (known, among.iter().find(|signed| fitting(self, signed))) {
            self.need(node);
        }
    }

    /// The bounds that a model needs, ascending.
    pub(super) fn needed_bounds(&mut self, value: &dyn Fn(SatLit) -> bool) -> Vec<Literal> {
        self.evaluate(value);
        self.needed.clear();
        self.needed.resize(self.nodes.len(), false);
        for at in 0..self.kept.len() {
            self.need(self.kept[at]);
        }
        self.justify();
        let clauses = std::mem::take(&mut self.clauses);
        for clause in &clauses {
            self.need_one(clause, true);
            self.justify();
        }
        self.clauses = clauses;
        let mut bounds = Vec::new();
        for (node, (&needed, &truth)) in self.nodes.iter().zip(self.needed.iter().zip(&self.values)) {
            if let (Node::Input { bound: Some(atom), .. }, true) = (node, needed) {
                bounds.push(Literal::new(*atom, truth));
            }
        }
        bounds.sort_unstable();
        bounds
    }

    /// The literals that the latest model needs: whatever has them is a model of the Boolean part, and has the same values
    /// of all that is kept.
    pub(super) fn needed_inputs(&self) -> Vec<SatLit> {
        let mut literals = Vec::new();
        for (node, (&needed, &truth)) in self.nodes.iter().zip(self.needed.iter().zip(&self.values)) {
            if let (Node::Input { variable, .. }, true) = (node, needed) {
                literals.push(if truth { *variable } else { -*variable });
            }
        }
        literals
    }

    /// Takes over what the nodes need that are needed.
    fn justify(&mut self) {
        while let Some(node) = self.pending.pop() {
            let truth = self.values[node as usize];
            let nodes = std::mem::take(&mut self.nodes);
            match &nodes[node as usize] {
                Node::Input { defined, .. } => {
                    if let Some((by, _)) = *defined {
                        self.need(by);
                    }
                }
                Node::And(inputs) if !truth => self.need_one(inputs, false),
                Node::Ite(c, a, b) => {
                    self.need(c.0);
                    self.need(if self.value(*c) { a.0 } else { b.0 });
                }
                Node::And(inputs) | Node::Other(inputs, _) => {
                    for &(input, _) in inputs {
                        self.need(input);
                    }
                }
            }
            self.nodes = nodes;
        }
    }
}

/// What is known of the gates while a skeleton is built.
struct Builder {
    skeleton: Skeleton,
    places: FxHashMap<usize, u32>,
}

impl Solver {
    /// The Boolean part of the assertions, `assumed` and `important` literals, where the values of free predicates do
    /// not matter. Variables whose values it needs are added to `observed`.
    pub(crate) fn skeleton(
        &mut self,
        important: &[Lit],
        free: &Free,
        assumed: &[Lit],
        observed: &mut Vec<SatLit>,
    ) -> Skeleton {
        let uses = self.uses(important, assumed);
        let atoms: FxHashMap<usize, Atom> = (0..)
            .map(Atom)
            .zip(&self.theories.atoms)
            .map(|(number, atom)| (atom.lit.gate(), number))
            .collect();
        let defined = self.definitions(&uses, &atoms);
        let mut builder = Builder { skeleton: Skeleton::default(), places: FxHashMap::default() };
        let clauses: Vec<Vec<Lit>> = self.asserted.clauses().map(<[Lit]>::to_vec).collect();
        for clause in clauses {
            // What is equal to a free predicate follows it, and nothing else depends on it.
            if clause.iter().any(|lit| free.gates.contains(&lit.gate())) {
                continue;
            }
            let is_definition = |x: Lit, y: Lit| {
                defined.get(&x.gate()).is_some_and(|&by| by.flip_if(x.is_complement()) == !y)
            };
            if let &[a, b] = &clause[..]
                && (is_definition(a, b) || is_definition(b, a))
            {
                continue;
            }
            let clause =
                clause.into_iter().map(|lit| self.node(&mut builder, lit, &atoms, &defined, observed));
            let clause = clause.collect();
            builder.skeleton.clauses.push(clause);
        }
        // What other theories know, and what is asked for, stays as it is.
        let mut kept: Vec<Lit> = assumed.to_vec();
        kept.extend(
            important.iter().zip(&free.bounds).filter(|(_, free)| free.is_none()).map(|(&lit, _)| lit),
        );
        for entry in &self.theories.table.entries {
            match &entry.kind {
                Kind::Word(word) => kept.extend(word),
                Kind::Truth(lit) => kept.push(*lit),
                _ => {}
            }
        }
        // Equalities that no assertion has were asked for where theories meet. Among numbers arithmetic finds them.
        let arranged = |meaning| meaning == Meaning::Equality && !free.numeric;
        let equalities = self.theories.atoms.iter().filter(|atom| arranged(atom.meaning));
        kept.extend(equalities.map(|atom| atom.lit).filter(|lit| uses.count[lit.gate()] <= 2));
        for lit in kept.into_iter().filter(|lit| lit.as_constant().is_none()) {
            let (node, _) = self.node(&mut builder, lit, &atoms, &defined, observed);
            builder.skeleton.kept.push(node);
        }
        builder.skeleton
    }

    /// Inputs that an assertion makes equal to something made of atoms alone: variables of the formula, and equalities
    /// of numbers, which are conjunctions of bounds.
    pub(super) fn definitions(&self, uses: &Uses, atoms: &FxHashMap<usize, Atom>) -> FxHashMap<usize, Lit> {
        let meaning = |gate: usize| atoms.get(&gate).map(|atom| self.theories.atoms[atom.0 as usize].meaning);
        let mut defined = FxHashMap::default();
        for (&gate, equal) in &uses.equal {
            let fits = |input: usize| match meaning(gate) {
                None => meaning(input).is_some(),
                Some(Meaning::Equality) => meaning(input) == Some(Meaning::Bound),
                Some(_) => false,
            };
            if self.blaster.circuit.gate(gate) == Gate::Input
                && let Some(&by) =
                    equal.iter().find(|by| self.inputs_of(**by).iter().all(|&input| fits(input)))
            {
                defined.insert(gate, by);
            }
        }
        defined
    }

    /// The inputs that a literal depends on.
    fn inputs_of(&self, lit: Lit) -> Vec<usize> {
        let circuit = &self.blaster.circuit;
        let mut inputs = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut pending = vec![lit.gate()];
        while let Some(gate) = pending.pop() {
            if seen.insert(gate) {
                if circuit.gate(gate) == Gate::Input {
                    inputs.push(gate);
                }
                circuit.for_each_input(gate, |lit| pending.push(lit.gate()));
            }
        }
        inputs
    }

    /// The node of a literal, made with all that it depends on.
    fn node(
        &mut self,
        builder: &mut Builder,
        root: Lit,
        atoms: &FxHashMap<usize, Atom>,
        defined: &FxHashMap<usize, Lit>,
        observed: &mut Vec<SatLit>,
    ) -> Signed {
        let mut pending = vec![root.gate()];
        while let Some(&gate) = pending.last() {
            if builder.places.contains_key(&gate) {
                pending.pop();
                continue;
            }
            let mut missing = Vec::new();
            let mut inputs = Vec::new();
            let mut look = |lit: Lit| match builder.places.get(&lit.gate()) {
                Some(&place) => inputs.push((place, lit.is_complement())),
                None => missing.push(lit.gate()),
            };
            self.blaster.circuit.for_each_input(gate, &mut look);
            defined.get(&gate).into_iter().for_each(|&by| look(by));
            if !missing.is_empty() {
                pending.extend(missing);
                continue;
            }
            let node = match self.blaster.circuit.gate(gate) {
                // The constant: a conjunction of nothing.
                Gate::True => Node::And(Vec::new()),
                Gate::Input => {
                    let lit = Lit::positive_of(gate);
                    let (variable, bound) = match atoms.get(&gate) {
                        Some(&atom) => {
                            let is_bound = self.theories.atoms[atom.0 as usize].meaning == Meaning::Bound;
                            (self.observable(lit), is_bound.then_some(atom))
                        }
                        None => {
                            let literal = self.literal(lit);
                            (self.proxy(literal), None)
                        }
                    };
                    observed.push(variable.abs());
                    Node::Input { variable, bound, defined: inputs.first().copied() }
                }
                Gate::And(..) | Gate::AndMany { .. } => Node::And(inputs),
                Gate::Ite(..) => Node::Ite(inputs[0], inputs[1], inputs[2]),
                Gate::Xor(..) => Node::Other(inputs, 0b0110),
                Gate::Xor3(..) => Node::Other(inputs, 0b1001_0110),
                Gate::Majority(..) => Node::Other(inputs, 0b1110_1000),
            };
            builder.places.insert(gate, builder.skeleton.nodes.len() as u32);
            builder.skeleton.nodes.push(node);
            pending.pop();
        }
        (builder.places[&root.gate()], root.is_complement())
    }
}
