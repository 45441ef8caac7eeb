//! The Boolean structure of a formula, and the literals that a model of it needs.

use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Op, Sort, Term, Terms};

#[derive(Debug)]
enum Node {
    Constant(bool),
    /// The number of the atom.
    Atom(usize),
    Not(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    Ite(usize, usize, usize),
    Iff(usize, usize),
}

/// A formula over atoms. The conditions of if-then-elses inside atoms are part of it.
pub(super) struct Skeleton {
    nodes: Vec<Node>,
    places: FxHashMap<Term, usize>,
    roots: Vec<usize>,
    pub atoms: Vec<Term>,
    /// Whether the atoms have conditions inside.
    conditional: Vec<bool>,
    values: Vec<bool>,
    needed: Vec<bool>,
    pending: Vec<usize>,
}

impl Skeleton {
    pub fn new(terms: &Terms, conjuncts: &[Term]) -> Skeleton {
        let mut skeleton = Skeleton {
            nodes: Vec::new(),
            places: FxHashMap::default(),
            roots: Vec::new(),
            atoms: Vec::new(),
            conditional: Vec::new(),
            values: Vec::new(),
            needed: Vec::new(),
            pending: Vec::new(),
        };
        let conditions: Vec<Term> = terms
            .post_order(conjuncts)
            .into_iter()
            .filter(|&t| terms.op(t) == Op::Ite && terms.sort(t) != Sort::Bool)
            .map(|t| terms.args(t)[0])
            .collect();
        let roots: Vec<Term> = conjuncts.iter().chain(&conditions).copied().collect();
        for t in terms.post_order_until(&roots, |t| !terms.is_connective(t)) {
            if terms.sort(t) == Sort::Bool {
                skeleton.add(terms, t);
            }
        }
        skeleton.roots = conjuncts.iter().map(|t| skeleton.places[t]).collect();
        skeleton
    }

    fn add(&mut self, terms: &Terms, t: Term) {
        let inputs: Vec<usize> = match terms.is_connective(t) {
            true => terms.args(t).iter().map(|a| self.places[a]).collect(),
            false => Vec::new(),
        };
        let node = match (terms.op(t), &inputs[..]) {
            (Op::Bool(value), _) => Node::Constant(value),
            (Op::Not, &[a]) => Node::Not(a),
            (Op::And, _) => Node::And(inputs),
            (Op::Or, _) => Node::Or(inputs),
            (Op::Ite, &[c, a, b]) => Node::Ite(c, a, b),
            (Op::Eq, &[a, b]) => Node::Iff(a, b),
            _ => {
                let conditional = |&part: &Term| terms.op(part) == Op::Ite && terms.sort(part) != Sort::Bool;
                self.conditional.push(terms.post_order(&[t]).iter().any(conditional));
                self.atoms.push(t);
                Node::Atom(self.atoms.len() - 1)
            }
        };
        self.places.insert(t, self.nodes.len());
        self.nodes.push(node);
    }

    /// Literals that make the formula true, given the values of all atoms in a model of it; ascending.
    pub fn implicant(&mut self, terms: &Terms, atoms: &[bool]) -> Vec<(usize, bool)> {
        self.evaluate(atoms);
        self.needed.clear();
        self.needed.resize(self.nodes.len(), false);
        for at in 0..self.roots.len() {
            self.need(self.roots[at]);
        }
        while let Some(node) = self.pending.pop() {
            self.justify(terms, node);
        }
        let mut found: Vec<(usize, bool)> = Vec::new();
        for (node, _) in self.nodes.iter().zip(&self.needed).filter(|(_, needed)| **needed) {
            if let Node::Atom(atom) = *node {
                found.push((atom, atoms[atom]));
            }
        }
        found.sort_unstable();
        found
    }

    /// Whether an atom has conditions inside.
    pub fn is_conditional(&self, atom: usize) -> bool {
        self.conditional[atom]
    }

    /// The branch that an if-then-else inside an atom takes in the latest model.
    pub fn branch(&self, terms: &Terms, t: Term) -> Option<Term> {
        if terms.op(t) != Op::Ite || terms.sort(t) == Sort::Bool {
            return None;
        }
        let args = terms.args(t);
        let condition = self.values[*self.places.get(&args[0])?];
        Some(if condition { args[1] } else { args[2] })
    }

    fn evaluate(&mut self, atoms: &[bool]) {
        self.values.clear();
        for node in &self.nodes {
            let value = |&at: &usize| self.values[at];
            let truth = match node {
                Node::Constant(truth) => *truth,
                Node::Atom(atom) => atoms[*atom],
                Node::Not(a) => !value(a),
                Node::And(inputs) => inputs.iter().all(value),
                Node::Or(inputs) => inputs.iter().any(value),
                Node::Ite(c, a, b) => value(if value(c) { a } else { b }),
                Node::Iff(a, b) => value(a) == value(b),
            };
            self.values.push(truth);
        }
    }

    fn need(&mut self, node: usize) {
        if !std::mem::replace(&mut self.needed[node], true) {
            self.pending.push(node);
        }
    }

    /// Of several that would do, one that is needed anyway, or else the first.
    fn need_one(&mut self, among: &[usize], truth: bool) {
        let fitting = |&&node: &&usize| self.values[node] == truth;
        let known = among.iter().filter(fitting).any(|&node| self.needed[node]);
        if let (false, Some(&node)) = (known, among.iter().find(fitting)) {
            self.need(node);
        }
    }

    fn justify(&mut self, terms: &Terms, node: usize) {
        let truth = self.values[node];
        let nodes = std::mem::take(&mut self.nodes);
        match &nodes[node] {
            Node::Constant(_) => {}
            Node::Atom(atom) if self.conditional[*atom] => self.need_conditions(terms, *atom),
            Node::Atom(_) => {}
            Node::Not(a) => self.need(*a),
            Node::And(inputs) if !truth => self.need_one(inputs, false),
            Node::Or(inputs) if truth => self.need_one(inputs, true),
            Node::And(inputs) | Node::Or(inputs) => inputs.iter().for_each(|&input| self.need(input)),
            Node::Ite(c, a, b) => {
                self.need(*c);
                self.need(if self.values[*c] { *a } else { *b });
            }
            Node::Iff(a, b) => {
                self.need(*a);
                self.need(*b);
            }
        }
        self.nodes = nodes;
    }

    /// The conditions on the way to the values that an atom compares.
    fn need_conditions(&mut self, terms: &Terms, atom: usize) {
        let mut seen = FxHashSet::default();
        let mut open = vec![self.atoms[atom]];
        while let Some(t) = open.pop() {
            if !seen.insert(t) {
                continue;
            }
            match self.branch(terms, t) {
                Some(branch) => {
                    self.need(self.places[&terms.args(t)[0]]);
                    open.push(branch);
                }
                None => open.extend_from_slice(terms.args(t)),
            }
        }
    }
}
