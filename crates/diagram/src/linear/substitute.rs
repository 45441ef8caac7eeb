//! Substitution of an expression for a numeric variable.

use super::expression::{Expression, NumVar};
use super::nodes::{Edge, Halt, Made, Nodes};
use rustc_hash::FxHashMap;

/// Which nodes depend on a variable.
pub(super) struct Dependence {
    x: NumVar,
    known: FxHashMap<u32, bool>,
}

impl Dependence {
    pub fn new(x: NumVar) -> Dependence {
        Dependence { x, known: FxHashMap::default() }
    }

    pub fn of(&mut self, nodes: &Nodes, edge: Edge) -> bool {
        if edge < 2 {
            return false;
        }
        if let Some(&known) = self.known.get(&(edge >> 1)) {
            return known;
        }
        let (hi, lo) = nodes.children(edge);
        let depends =
            nodes.labels.mentions(nodes.label(edge), self.x) || self.of(nodes, hi) || self.of(nodes, lo);
        self.known.insert(edge >> 1, depends);
        depends
    }
}

/// `f[x := value]` for several `f`, results shared.
pub(super) struct Substitution {
    x: NumVar,
    value: Expression,
    atoms: FxHashMap<u32, Edge>,
    done: FxHashMap<u32, Edge>,
}

impl Substitution {
    pub fn new(x: NumVar, value: Expression) -> Substitution {
        Substitution { x, value, atoms: FxHashMap::default(), done: FxHashMap::default() }
    }

    pub fn apply(&mut self, nodes: &mut Nodes, dependence: &mut Dependence, f: Edge) -> Made {
        if !dependence.of(nodes, f) {
            return Ok(f);
        }
        if let Some(&done) = self.done.get(&(f >> 1)) {
            return Ok(done ^ (f & 1));
        }
        let regular = f & !1;
        let (hi, lo) = nodes.children(regular);
        let hi = self.apply(nodes, dependence, hi)?;
        let lo = self.apply(nodes, dependence, lo)?;
        let condition = self.atom(nodes, nodes.label(regular))?;
        let result = nodes.ite(condition, hi, lo)?;
        self.done.insert(f >> 1, result);
        Ok(result ^ (f & 1))
    }

    /// A label after the substitution. A form that is new comes to stand beside the old one, so that the order of
    /// the old nodes is likely to do for the new.
    fn atom(&mut self, nodes: &mut Nodes, label: u32) -> Result<Edge, Halt> {
        if !nodes.labels.mentions(label, self.x) {
            return nodes.literal(label, true);
        }
        if let Some(&atom) = self.atoms.get(&label) {
            return Ok(atom);
        }
        let (expression, strict) = nodes.labels.inequality(label, true);
        nodes.hint = Some((nodes.labels.rank[label as usize] >> 32) as usize);
        let atom = nodes.inequality(&expression.substitute(self.x, &self.value), strict);
        nodes.hint = None;
        let atom = atom?;
        self.atoms.insert(label, atom);
        Ok(atom)
    }
}
