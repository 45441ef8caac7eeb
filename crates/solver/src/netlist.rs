//! Terms as circuits, for engines that search over bits by themselves.

use crate::blast::{Blaster, has_bits, sort_width};
use crate::budget::{Budget, Stop};
use crate::circuit::{Circuit, Gate, Lit};
use tamis_logic::{Op, Sort, Term, Terms};

/// The most bits that an array may have when all its elements are bits of a circuit.
const MAX_ARRAY_BITS: usize = 1 << 13;

/// The circuit of the terms that were asked for. An array is the word of all its elements, from the one at index 0 on.
///
/// ```
/// use tamis_logic::{Sort, Terms};
/// use tamis_solver::{Answer, Budget, ConeSolver, Netlist};
/// let mut t = Terms::new();
/// let x = t.var("x", Sort::BitVec(8));
/// let (three, nine) = (t.bits(8, 3), t.bits(8, 9));
/// let product = t.mul(x, three);
/// let is_nine = t.eq(product, nine);
/// let budget = Budget::unlimited();
/// let mut netlist = Netlist::default();
/// let bits = netlist.bits(&t, &[is_nine, x], &budget).unwrap();
/// let mut solver = ConeSolver::new(netlist.circuit(), &budget);
/// assert_eq!(solver.solve(&[bits[0][0]], &[]), Ok(Answer::Sat));
/// let ones: Vec<usize> = (0..8).filter(|&i| solver.value(bits[1][i]) == Some(true)).collect();
/// assert_eq!(ones, [0, 1]);
/// ```
pub struct Netlist {
    blaster: Blaster,
}

impl Default for Netlist {
    fn default() -> Netlist {
        Netlist { blaster: Blaster::with_explicit_arrays() }
    }
}

impl Netlist {
    /// The bits of terms, each from the least significant.
    ///
    /// # Errors
    /// [`Stop::Unsupported`] if a term is not made of bits, or an array has too many.
    pub fn bits(&mut self, terms: &Terms, roots: &[Term], budget: &Budget) -> Result<Vec<Vec<Lit>>, Stop> {
        let new = terms.post_order_until(roots, |t| self.blaster.find(terms, t).is_some());
        let is_small = |sort: Sort| match terms.array_parts(sort) {
            Some((index, element)) => {
                has_bits(index)
                    && has_bits(element)
                    && sort_width(index) < usize::BITS as usize
                    && sort_width(element) <= MAX_ARRAY_BITS >> sort_width(index)
            }
            None => has_bits(sort),
        };
        if new.iter().any(|&t| !is_small(terms.sort(t)) || matches!(terms.op(t), Op::Apply(_))) {
            return Err(Stop::Unsupported);
        }
        self.blaster.blast(terms, roots, budget)?;
        Ok(roots.iter().map(|&t| self.blaster.bits(terms, t).to_vec()).collect())
    }

    /// The circuit.
    pub fn circuit(&self) -> &Circuit {
        &self.blaster.circuit
    }
}

/// A circuit that was copied in part.
pub struct Copied {
    /// The circuit with the copy.
    pub circuit: Circuit,
    /// What each gate became, if it was copied.
    images: Vec<Option<Lit>>,
}

impl Copied {
    /// What a literal became, if it was copied.
    pub fn image(&self, lit: Lit) -> Option<Lit> {
        self.images[lit.gate()].map(|image| image.flip_if(lit.is_complement()))
    }
}

impl Circuit {
    /// The gates that some literals depend on, each after its inputs.
    pub fn cone(&self, roots: impl Iterator<Item = Lit>) -> Vec<usize> {
        let mut needed = vec![false; self.len()];
        roots.for_each(|root| needed[root.gate()] = true);
        for gate in (0..self.len()).rev() {
            if needed[gate] {
                self.for_each_input(gate, |lit| needed[lit.gate()] = true);
            }
        }
        (0..self.len()).filter(|&gate| needed[gate]).collect()
    }

    /// A circuit of what `roots` depend on, in which some inputs are replaced: `constant` tells the value of those that
    /// are known.
    pub fn copy(&self, roots: &[Lit], mut constant: impl FnMut(Lit) -> Option<bool>) -> Copied {
        self.copy_onto(Circuit::new(), roots, |circuit, lit| match constant(lit) {
            Some(value) => Lit::constant(value),
            None => circuit.input(),
        })
    }

    /// Adds what `roots` depend on to another circuit; `input` tells what becomes of an input.
    pub fn copy_onto(
        &self,
        other: Circuit,
        roots: &[Lit],
        mut input: impl FnMut(&mut Circuit, Lit) -> Lit,
    ) -> Copied {
        let mut copied = Copied { circuit: other, images: vec![None; self.len()] };
        for gate in self.cone(roots.iter().copied()) {
            let image = self.copy_gate(gate, &mut copied, &mut input);
            copied.images[gate] = Some(image);
        }
        copied
    }

    fn copy_gate(
        &self,
        gate: usize,
        copied: &mut Copied,
        input: &mut impl FnMut(&mut Circuit, Lit) -> Lit,
    ) -> Lit {
        let of = |copied: &Copied, lit: Lit| copied.image(lit).expect("a gate's inputs are older than it");
        match self.gate(gate) {
            Gate::True => Lit::TRUE,
            Gate::Input => input(&mut copied.circuit, Lit::output(gate)),
            Gate::And(a, b) => {
                let [a, b] = [a, b].map(|lit| of(copied, lit));
                copied.circuit.and(a, b)
            }
            Gate::AndMany { first, count } => {
                let inputs = self.inputs(first, count);
                let mut inputs: Vec<Lit> = inputs.iter().map(|&lit| of(copied, lit)).collect();
                copied.circuit.and_many(&mut inputs)
            }
            Gate::Xor(a, b) => {
                let [a, b] = [a, b].map(|lit| of(copied, lit));
                copied.circuit.xor(a, b)
            }
            Gate::Xor3(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|lit| of(copied, lit));
                copied.circuit.xor3(a, b, c)
            }
            Gate::Majority(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|lit| of(copied, lit));
                copied.circuit.majority(a, b, c)
            }
            Gate::Ite(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|lit| of(copied, lit));
                copied.circuit.ite(c, a, b)
            }
        }
    }

    /// The values of all gates, `None` where it is not determined by the inputs that `input` knows: ternary simulation.
    pub fn simulate(&self, mut input: impl FnMut(Lit) -> Option<bool>) -> Vec<Option<bool>> {
        let mut values: Vec<Option<bool>> = Vec::with_capacity(self.len());
        for gate in 0..self.len() {
            let of = |lit: Lit| values[lit.gate()].map(|value| value != lit.is_complement());
            let value = match self.gate(gate) {
                Gate::True => Some(true),
                Gate::Input => input(Lit::output(gate)),
                Gate::And(a, b) => all(&mut [a, b].into_iter().map(of)),
                Gate::AndMany { first, count } => all(&mut self.inputs(first, count).iter().map(|&l| of(l))),
                Gate::Xor(a, b) => of(a).zip(of(b)).map(|(a, b)| a != b),
                Gate::Xor3(a, b, c) => of(a).zip(of(b)).zip(of(c)).map(|((a, b), c)| a ^ b ^ c),
                Gate::Majority(a, b, c) => match [of(a), of(b), of(c)] {
                    [x, y, _] | [x, _, y] | [_, x, y] if x.is_some() && x == y => x,
                    _ => None,
                },
                Gate::Ite(c, a, b) => match of(c) {
                    Some(true) => of(a),
                    Some(false) => of(b),
                    None => of(a).filter(|_| of(a) == of(b)),
                },
            };
            values.push(value);
        }
        values
    }
}

/// Conjunction of three-valued bits.
fn all(values: &mut dyn Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for value in values {
        match value {
            Some(false) => return Some(false),
            Some(true) => {}
            None => result = None,
        }
    }
    result
}
