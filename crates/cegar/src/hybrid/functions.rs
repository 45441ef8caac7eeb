//! Terms of the design as functions of the abstract model's variables.
//!
//! A bit of a kept variable is its variable predicate. A formula predicate inside a term is its abstract variable: that is
//! `[P_j ← B_j]` of \[CTL\] section 3.2. Every other bit is an input of the abstract model, a variable of no state, the same
//! wherever the bit is read in one step.

use super::MAX_FUNCTION_NODES;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_diagram::{Bdd, BddVar, Diagrams, OutOfNodes};
use tamis_logic::{Sort, Term, Terms};
use tamis_paq::{Interrupted, Predicate};
use tamis_solver::{Algebra, Budget, evaluate};

/// The variables that stand for bits, and for formula predicates inside terms.
#[derive(Default)]
pub struct Functions {
    /// The variable predicate of a bit of a kept variable.
    bits: FxHashMap<(Term, u32), BddVar>,
    /// The input that a bit of another variable is.
    inputs: FxHashMap<(Term, u32), BddVar>,
    /// For a formula predicate, the Boolean that takes its place in terms.
    stand_ins: FxHashMap<Term, Term>,
}

impl Functions {
    /// From now on a variable predicate stands for a bit of a variable.
    pub fn stand_for(&mut self, variable: Term, bit: u32, var: BddVar) {
        self.bits.insert((variable, bit), var);
        self.inputs.remove(&(variable, bit));
    }

    /// The inputs.
    pub fn inputs(&self) -> Vec<BddVar> {
        let mut inputs: Vec<BddVar> = self.inputs.values().copied().collect();
        inputs.sort_unstable();
        inputs
    }

    /// The variables that have inputs, and how many.
    pub fn input_variables(&self) -> Vec<(Term, usize)> {
        let mut count: FxHashMap<Term, usize> = FxHashMap::default();
        self.inputs.keys().for_each(|&(variable, _)| *count.entry(variable).or_default() += 1);
        let mut count: Vec<(Term, usize)> = count.into_iter().collect();
        count.sort_unstable();
        count
    }

    /// Whether some bit of a variable is an input already.
    pub fn is_input(&self, variable: Term) -> bool {
        self.inputs.contains_key(&(variable, 0))
    }

    /// A term with formula predicates in it replaced by their Booleans.
    pub fn replace(&mut self, terms: &mut Terms, t: Term, formulas: &[Predicate]) -> Term {
        if formulas.is_empty() {
            return t;
        }
        for p in formulas {
            self.stand_ins.entry(p.formula).or_insert_with(|| terms.fresh("B", Sort::Bool));
        }
        let replaced: FxHashSet<Term> = formulas.iter().map(|p| p.formula).collect();
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for part in terms.post_order(&[t]) {
            let new = if replaced.contains(&part) {
                self.stand_ins[&part]
            } else {
                let args: Vec<Term> = terms.args(part).iter().map(|a| done[a]).collect();
                if args == terms.args(part) { part } else { terms.rebuild(part, &args) }
            };
            done.insert(part, new);
        }
        done[&t]
    }

    /// The variables that a replaced term reads and that are not its own, stand-ins or kept: what would be inputs.
    pub fn reads(&self, terms: &Terms, replaced: Term, is_visible: impl Fn(Term) -> bool) -> Vec<Term> {
        let stand_ins: FxHashSet<Term> = self.stand_ins.values().copied().collect();
        let outside = |v: &Term| !stand_ins.contains(v) && !is_visible(*v);
        terms.free_vars(replaced).into_iter().filter(outside).collect()
    }

    /// The bits of terms, the least significant first, with these formula predicates replaced; `None` if one has none, or if
    /// they take too many nodes.
    #[allow(clippy::type_complexity)]
    pub fn bits(
        &mut self,
        terms: &mut Terms,
        diagrams: &mut Diagrams,
        budget: &Budget,
        roots: &[Term],
        formulas: &[Predicate],
    ) -> Result<Option<Vec<Vec<Bdd>>>, Interrupted> {
        let replaced: Vec<Term> = roots.iter().map(|&t| self.replace(terms, t, formulas)).collect();
        let mut variables: FxHashMap<(Term, u32), BddVar> = FxHashMap::default();
        for p in formulas {
            variables.insert((self.stand_ins[&p.formula], 0), p.var);
        }
        let mut added = Vec::new();
        for v in terms.free_vars_of(&replaced) {
            let Some(width) = super::bits_of(terms, v) else { return Ok(None) };
            for bit in (0..width as u32).map(|i| (v, i)) {
                if variables.contains_key(&bit) {
                    continue;
                }
                let var = match self.bits.get(&bit).or_else(|| self.inputs.get(&bit)) {
                    Some(&var) => var,
                    None => {
                        let var = diagrams.new_var()?;
                        added.push(bit);
                        self.inputs.insert(bit, var);
                        var
                    }
                };
                variables.insert(bit, var);
            }
        }
        let most = diagrams.total_nodes() + MAX_FUNCTION_NODES;
        let mut algebra = Functional { diagrams, variables: &variables, most };
        match evaluate(terms, &replaced, budget, &mut algebra) {
            Err(Interrupted::OutOfNodes) => {
                added.iter().for_each(|bit| {
                    self.inputs.remove(bit);
                });
                Ok(None)
            }
            result => result,
        }
    }
}

/// Gates as diagrams.
pub struct Functional<'a> {
    diagrams: &'a Diagrams,
    variables: &'a FxHashMap<(Term, u32), BddVar>,
    /// So many nodes may there be.
    most: usize,
}

impl<'a> Functional<'a> {
    /// With as many nodes as the manager allows.
    pub fn unbounded(
        diagrams: &'a Diagrams,
        variables: &'a FxHashMap<(Term, u32), BddVar>,
    ) -> Functional<'a> {
        Functional { diagrams, variables, most: usize::MAX }
    }

    fn bounded(&self, f: Result<Bdd, OutOfNodes>) -> Result<Bdd, Interrupted> {
        let f = f?;
        if self.diagrams.total_nodes() > self.most { Err(Interrupted::OutOfNodes) } else { Ok(f) }
    }
}

impl Algebra for Functional<'_> {
    type Value = Bdd;
    type Error = Interrupted;

    fn constant(&mut self, value: bool) -> Bdd {
        if value { self.diagrams.tru() } else { self.diagrams.fals() }
    }

    fn input(&mut self, variable: Term, bit: u32) -> Result<Bdd, Interrupted> {
        Ok(self.diagrams.var(self.variables[&(variable, bit)]))
    }

    fn not(&mut self, a: &Bdd) -> Bdd {
        self.diagrams.not(a)
    }

    fn and(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Interrupted> {
        self.bounded(self.diagrams.and(a, b))
    }

    fn xor(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Interrupted> {
        self.bounded(self.diagrams.xor(a, b))
    }

    fn ite(&mut self, c: &Bdd, a: &Bdd, b: &Bdd) -> Result<Bdd, Interrupted> {
        self.bounded(self.diagrams.ite(c, a, b))
    }
}
