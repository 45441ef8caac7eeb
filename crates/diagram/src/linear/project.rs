//! Projection on the Boolean variables, all numeric ones at once.
//!
//! A walk through the parts of a conjunction keeps to paths that the theory does not refute. Of what it has decided,
//! only literals matter to the rest that share variables with it, directly or by way of others: walks that agree on
//! those share their work, so independent groups of variables cost their sum and not their product. No atoms are made,
//! where elimination of one variable after the other (`eliminate`) may make many;
//! but what the latter can forget one by one is here multiplied out. And integers are decided as such, whatever their
//! coefficients.

use super::expression::NumVar;
use super::feasibility::{CHECK, Decided, Feasibility};
use super::labels::{Label, Subject};
use super::nodes::{Edge, FALSE, Halt, Made, Nodes, TRUE};
use rustc_hash::FxHashMap;

/// A set of numeric variables, by their numbers in one projection.
type Vars = u128;

/// One projection: `∃ numbers. parts[0] ∧ parts[1] ∧ …`.
pub(super) struct Projecting {
    parts: Vec<Edge>,
    numbers: FxHashMap<NumVar, u32>,
    /// The variables of the parts from each one on.
    rest: Vec<Vars>,
    of_label: Vec<Vars>,
    of_node: FxHashMap<u32, Vars>,
    theory: Feasibility,
    path: Vec<(Label, bool)>,
    /// Atoms whose value on the path is known.
    values: Vec<Option<bool>>,
    done: FxHashMap<(u32, Vec<(Label, bool)>), Edge>,
    /// Whether the result is the projection itself, and not only implied by it.
    pub exact: bool,
}

impl Projecting {
    /// `None` if there are too many variables.
    pub fn new(nodes: &Nodes, parts: Vec<Edge>) -> Option<Projecting> {
        let mut projecting = Projecting {
            rest: vec![0; parts.len() + 1],
            parts,
            numbers: FxHashMap::default(),
            of_label: vec![0; nodes.labels.count()],
            of_node: FxHashMap::default(),
            theory: Feasibility::new(),
            path: Vec::new(),
            values: vec![None; nodes.labels.count()],
            done: FxHashMap::default(),
            exact: true,
        };
        for i in (0..projecting.parts.len()).rev() {
            for label in nodes.support(projecting.parts[i]) {
                projecting.learn_label(nodes, label)?;
            }
            projecting.rest[i] = projecting.rest[i + 1] | projecting.vars(nodes, projecting.parts[i]);
        }
        Some(projecting)
    }

    fn learn_label(&mut self, nodes: &Nodes, label: Label) -> Option<()> {
        let block = nodes.labels.block_of[label as usize];
        let mut vars = 0;
        if let Subject::Form { form, .. } = &nodes.labels.blocks[block as usize].subject {
            for (x, _) in form {
                let next = self.numbers.len() as u32;
                let number = *self.numbers.entry(*x).or_insert(next);
                vars |= 1u128.checked_shl(number)?;
            }
        }
        self.of_label[label as usize] = vars;
        Some(())
    }

    fn vars(&mut self, nodes: &Nodes, f: Edge) -> Vars {
        if f < 2 {
            return 0;
        }
        if let Some(&vars) = self.of_node.get(&(f >> 1)) {
            return vars;
        }
        let (hi, lo) = nodes.children(f);
        let vars = self.of_label[nodes.label(f) as usize] | self.vars(nodes, hi) | self.vars(nodes, lo);
        self.of_node.insert(f >> 1, vars);
        vars
    }

    pub fn run(&mut self, nodes: &mut Nodes) -> Made {
        self.part(nodes, 0)
    }

    /// The projection of `parts[i] ∧ parts[i + 1] ∧ …` under the path.
    fn part(&mut self, nodes: &mut Nodes, i: usize) -> Made {
        let Some(&f) = self.parts.get(i) else { return Ok(TRUE) };
        let key = (i as u32, self.relevant(nodes, i));
        if let Some(&done) = self.done.get(&key) {
            return Ok(done);
        }
        let result = self.walk(nodes, f, i, None)?;
        self.done.insert(key, result);
        Ok(result)
    }

    /// The projection of `f ∧ parts[i + 1] ∧ …` under the path; of `(b ⇔ f) ∧ …` if there is a `b`.
    fn walk(&mut self, nodes: &mut Nodes, f: Edge, i: usize, b: Option<Label>) -> Made {
        if f < 2 {
            return match b {
                None if f == FALSE => Ok(FALSE),
                None => self.part(nodes, i + 1),
                Some(b) => {
                    let rest = self.part(nodes, i + 1)?;
                    let literal = nodes.literal(b, f == TRUE)?;
                    nodes.and(literal, rest)
                }
            };
        }
        nodes.step()?;
        let label = nodes.label(f);
        let (hi, lo) = nodes.children(f);
        if self.of_label[label as usize] == 0 {
            // A predicate's value is what its formula says: that is walked through once, not once for each value.
            if hi == lo ^ 1 && b.is_none() {
                return self.walk(nodes, hi, i, Some(label));
            }
            let hi = self.walk(nodes, hi, i, b)?;
            let lo = self.walk(nodes, lo, i, b)?;
            let condition = nodes.literal(label, true)?;
            return nodes.ite(condition, hi, lo);
        }
        let known = self.values[label as usize];
        let value = match known {
            Some(value) => Some(value),
            None => self.decide(nodes, label)?,
        };
        match value {
            // What follows from the path need not be added to it, but need not be found out again either.
            Some(value) => {
                self.values[label as usize] = Some(value);
                let result = self.walk(nodes, if value { hi } else { lo }, i, b);
                self.values[label as usize] = known;
                result
            }
            None => {
                let hi = self.under(nodes, label, true, hi, i, b)?;
                if hi == TRUE {
                    return Ok(TRUE);
                }
                let lo = self.under(nodes, label, false, lo, i, b)?;
                nodes.or(hi, lo)
            }
        }
    }

    fn under(
        &mut self,
        nodes: &mut Nodes,
        label: Label,
        positive: bool,
        f: Edge,
        i: usize,
        b: Option<Label>,
    ) -> Made {
        self.theory.push();
        self.theory.contradicts(&nodes.labels, label, positive);
        self.path.push((label, positive));
        self.values[label as usize] = Some(positive);
        let result = self.walk(nodes, f, i, b);
        self.values[label as usize] = None;
        self.path.pop();
        self.theory.pop();
        result
    }

    /// The value of an atom under the path, if it has only one. The path itself is not contradictory.
    fn decide(&mut self, nodes: &mut Nodes, label: Label) -> Result<Option<bool>, Halt> {
        for positive in [true, false] {
            if self.refuted(nodes, label, positive)? {
                return Ok(Some(!positive));
            }
        }
        Ok(None)
    }

    fn refuted(&mut self, nodes: &mut Nodes, label: Label, positive: bool) -> Result<bool, Halt> {
        nodes.work(CHECK)?;
        self.theory.push();
        let refuted = self.theory.contradicts(&nodes.labels, label, positive)
            || match self.theory.decide() {
                Decided::Contradiction => true,
                Decided::Consistent => false,
                Decided::Unknown => {
                    self.exact = false;
                    false
                }
            };
        self.theory.pop();
        Ok(refuted)
    }

    /// The literals of the path that the parts from `i` on depend on, the strongest of each form.
    fn relevant(&self, nodes: &Nodes, i: usize) -> Vec<(Label, bool)> {
        let mut vars = self.rest[i];
        let mut found: Vec<(Label, bool)> = Vec::new();
        let mut others = self.path.clone();
        loop {
            let before = others.len();
            others.retain(|&(label, positive)| {
                let mine = self.of_label[label as usize];
                let shared = vars & mine != 0;
                if shared {
                    vars |= mine;
                    found.push((label, positive));
                }
                !shared
            });
            if others.len() == before {
                break;
            }
        }
        // Of the true atoms of a form the first counts, of the false ones the last.
        let strength = |&(label, positive): &(Label, bool)| {
            let rank = nodes.labels.rank[label as usize];
            (rank >> 32, positive, if positive { rank } else { !rank })
        };
        found.sort_unstable_by_key(strength);
        found.dedup_by_key(|literal| {
            let (block, positive, _) = strength(literal);
            (block, positive)
        });
        found
    }
}
