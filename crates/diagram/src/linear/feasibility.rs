//! What the theory says about the literals on a path.
//!
//! The reductions of the unique table see only atoms of one form. Conjunctions over several forms are decided by the
//! simplex method, over the reals with bounds rounded for integers: what it refutes is contradictory, what it does not
//! refute may still be.

use super::expression::NumVar;
use super::labels::{Label, Labels, Subject};
use super::nodes::{Edge, FALSE, Made, Nodes};
use rustc_hash::FxHashMap;
use tamis_theories::arith::{LinearForm, Rational, Relation, Simplex, Sort, Var};
use tamis_theories::{Atom, Check, Literal, Theory};

/// How many steps a question to the theory counts for.
pub(super) const CHECK: u32 = 16;

/// What a conjunction of literals was found to be.
pub(super) enum Decided {
    Consistent,
    Contradiction,
    Unknown,
}

/// Conjunctions of literals, built up and taken back.
pub(super) struct Feasibility {
    simplex: Simplex,
    vars: FxHashMap<NumVar, Var>,
}

impl Feasibility {
    pub fn new() -> Feasibility {
        let mut simplex = Simplex::new();
        simplex.set_propagation(false);
        Feasibility { simplex, vars: FxHashMap::default() }
    }

    pub fn push(&mut self) {
        self.simplex.push();
    }

    pub fn pop(&mut self) {
        self.simplex.pop(1);
    }

    /// Adds a literal; says whether it contradicts the others, as far as that is seen at once. Then it must be taken
    /// back.
    pub fn contradicts(&mut self, labels: &Labels, label: Label, positive: bool) -> bool {
        let atom = Atom(label);
        if !self.simplex.knows(atom) {
            let Subject::Form { form, .. } = &labels.blocks[labels.block_of[label as usize] as usize].subject
            else {
                return false;
            };
            let mut sum = LinearForm::new();
            for (x, c) in form {
                let sort = if labels.is_integer(*x) { Sort::Int } else { Sort::Real };
                let var = *self.vars.entry(*x).or_insert_with(|| self.simplex.variable(sort));
                sum.add(&Rational::from(c.clone()), var);
            }
            let bound = &labels.bounds[label as usize];
            let relation = if bound.strict { Relation::Lt } else { Relation::Le };
            let value = &bound.value;
            let Some(value) =
                Rational::big_ratio(value.numerator().clone(), value.denominator().clone().into())
            else {
                return false;
            };
            self.simplex.bound(atom, &sum, relation, value);
        }
        self.simplex.assert(Literal::new(atom, positive)).is_err()
    }

    /// Whether the literals are found to contradict each other.
    pub fn is_contradictory(&mut self) -> bool {
        self.simplex.propagate(&mut Vec::new()).is_err()
    }

    /// Decides whether the literals contradict each other, integers included.
    pub fn decide(&mut self) -> Decided {
        match self.simplex.check() {
            Check::Consistent => Decided::Consistent,
            Check::Conflict(_) => Decided::Contradiction,
            Check::Split => Decided::Unknown,
        }
    }

    /// Whether these literals, with those added before, are found to contradict each other.
    pub fn refutes(&mut self, labels: &Labels, literals: impl IntoIterator<Item = (Label, bool)>) -> bool {
        self.push();
        let mut refuted = false;
        for (label, positive) in literals {
            refuted = self.contradicts(labels, label, positive);
            if refuted {
                break;
            }
        }
        let refuted = refuted || self.is_contradictory();
        self.pop();
        refuted
    }
}

/// Removes contradictory paths from a function, as many as `checks` allow.
pub(super) struct Pruning {
    theory: Feasibility,
    checks: usize,
}

impl Pruning {
    pub fn new(checks: usize) -> Pruning {
        Pruning { theory: Feasibility::new(), checks }
    }

    pub fn run(&mut self, nodes: &mut Nodes, f: Edge) -> Made {
        if f < 2 || self.checks == 0 {
            return Ok(f);
        }
        nodes.step()?;
        let label = nodes.label(f);
        let (hi, lo) = nodes.children(f);
        let block = nodes.labels.block_of[label as usize];
        if matches!(nodes.labels.blocks[block as usize].subject, Subject::Bool) {
            let hi = self.run(nodes, hi)?;
            let lo = self.run(nodes, lo)?;
            return nodes.node(label, hi, lo);
        }
        let mut branches = [None; 2];
        for (positive, child) in [(true, hi), (false, lo)] {
            self.checks = self.checks.saturating_sub(1);
            nodes.work(CHECK)?;
            self.theory.push();
            let refuted =
                self.theory.contradicts(&nodes.labels, label, positive) || self.theory.is_contradictory();
            let pruned = if refuted { Ok(None) } else { self.run(nodes, child).map(Some) };
            self.theory.pop();
            branches[usize::from(positive)] = pruned?;
        }
        match branches {
            [Some(lo), Some(hi)] => nodes.node(label, hi, lo),
            [lo, hi] => Ok(hi.or(lo).unwrap_or(FALSE)),
        }
    }
}
