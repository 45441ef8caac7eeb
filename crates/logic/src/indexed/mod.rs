//! Formulas about all elements of arrays: index variables, and instances of such formulas.
//!
//! A formula may have free *index variables*, and is then meant for all their values: indexed predicates, Lahiri and Bryant,
//! *Constructing Quantified Invariants via Predicate Abstraction*, VMCAI 2004. Where such a formula is assumed, finitely many of
//! its instances are, so that questions stay free of quantifiers. Every instance follows from the formula, whatever terms are
//! chosen: which ones are chosen decides only whether a question can be answered.
//!
//! They are chosen by what is read and written: a formula that reads an array at `p(j)` says something of the element at `t`
//! if `p(j) = t`, and that is solved for `j` ([`Terms::solve_index`]). What an instance reads elsewhere calls for further instances, for a few
//! rounds.

mod sites;
mod solve;

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use crate::substitute::Substitution;
use rustc_hash::FxHashSet;
use sites::Sites;

/// So often instances call for instances.
const ROUNDS: usize = 3;

/// A formula has no more instances.
const MOST_INSTANCES: usize = 24;

/// So many values are gone through one by one.
const MOST_CASES: usize = 4;

/// The letters that index variables are called by, in their order.
const LETTERS: [&str; 3] = ["j", "k", "l"];

/// What stands in the names of index variables, and in no name of C's.
const MARK: char = '%';

impl Terms {
    /// How many index variables there are of each width.
    pub const INDEX_VARIABLES: usize = LETTERS.len();

    /// An index variable of a width, by its number, below [`INDEX_VARIABLES`](Terms::INDEX_VARIABLES). It is the same each time.
    ///
    /// ```
    /// use tamis_logic::{Sort, Terms};
    /// let mut t = Terms::new();
    /// let sort = t.array_sort(Sort::BitVec(8), Sort::BitVec(8));
    /// let (a, i, j) = (t.var("a", sort), t.var("i", Sort::BitVec(8)), t.index_variable(0, 8));
    /// let (four, seven) = (t.bits(8, 4), t.bits(8, 7));
    /// // All elements at 4·j are 7; element 4·i + 4 is read.
    /// let (at_j, at_i) = (t.mul(j, four), t.mul(i, four));
    /// let element = t.select(a, at_j);
    /// let all = t.eq(element, seven);
    /// let index = t.add(at_i, four);
    /// let read = t.select(a, index);
    /// let instances = t.instances(&[(all, vec![j])], &[read], &Default::default());
    /// // The element at 4·(i + 1).
    /// assert_eq!(t.to_smtlib(instances[0][0]), "(= (select a (bvmul (bvadd i #x01) #x04)) #x07)");
    /// ```
    pub fn index_variable(&mut self, number: usize, width: u32) -> Term {
        self.var_at(&format!("{}{MARK}{width}", LETTERS[number]), Sort::BitVec(width))
    }

    /// Whether a term is an index variable, by its name.
    pub fn is_index_variable(&self, t: Term) -> bool {
        self.var_name(t).is_some_and(|name| name.contains(MARK))
    }

    /// The index variables of a formula.
    pub fn index_variables(&self, formula: Term) -> Vec<Term> {
        let mut variables = self.free_vars(formula);
        variables.retain(|&v| self.is_index_variable(v));
        variables
    }

    /// What an index variable is called in texts.
    pub fn index_letter(&self, variable: Term) -> &str {
        self.var_name(variable).map_or("", |name| name.split(MARK).next().unwrap_or(name))
    }

    /// Instances of formulas, each given with the variables that it is meant for all values of, for a question over `roots`.
    /// Each formula has its instance at `own` too, where that maps its variables.
    pub fn instances(
        &mut self,
        formulas: &[(Term, Vec<Term>)],
        roots: &[Term],
        own: &Substitution,
    ) -> Vec<Vec<Term>> {
        let mut sites = Sites::default();
        sites.add(self, roots);
        let mut found: Vec<Vec<Term>> = vec![Vec::new(); formulas.len()];
        let mut seen: Vec<FxHashSet<Term>> = vec![FxHashSet::default(); formulas.len()];
        for round in 0..ROUNDS {
            let mut new = Vec::new();
            for (n, (formula, variables)) in formulas.iter().enumerate() {
                let mut bindings = self.bindings(*formula, variables, &sites);
                if round == 0 && variables.iter().all(|&v| own.get(v).is_some()) {
                    bindings.push(own.clone());
                }
                for binding in bindings {
                    if found[n].len() >= MOST_INSTANCES {
                        break;
                    }
                    let instance = self.substitute(*formula, &binding);
                    if seen[n].insert(instance) && !self.is_true(instance) {
                        found[n].push(instance);
                        new.push(instance);
                    }
                }
            }
            if new.is_empty() {
                break;
            }
            sites.add(self, &new);
        }
        found
    }

    /// Values of all variables of a formula, without these, that make it read where it stores: the values that a proof of it goes
    /// through one by one.
    pub fn index_cases(&mut self, formula: Term, variables: &[Term]) -> Vec<Substitution> {
        let mut stores: Vec<(Term, Term)> = Vec::new();
        let parts = if variables.is_empty() { Vec::new() } else { self.post_order(&[formula]) };
        for t in parts {
            if let (Op::Store, &[_, index, _]) = (self.op(t), self.args(t)) {
                stores.push((t, index));
            }
        }
        let mut cases: Vec<Vec<Term>> = Vec::new();
        for (array, pattern) in self.reads(formula) {
            for &(stored, index) in &stores {
                if self.sort(stored) != self.sort(array) {
                    continue;
                }
                for solution in self.solve_index(pattern, index, variables) {
                    let values: Option<Vec<Term>> = variables.iter().map(|&v| solution.get(v)).collect();
                    let Some(values) = values else { continue };
                    let is_closed = self.free_vars_of(&values).iter().all(|v| !variables.contains(v));
                    if is_closed && !cases.contains(&values) && cases.len() < MOST_CASES {
                        cases.push(values);
                    }
                }
            }
        }
        let case = |values: Vec<Term>| std::iter::zip(variables.iter().copied(), values).collect();
        cases.into_iter().map(case).collect()
    }

    /// What makes the reads of a formula be at sites.
    fn bindings(&mut self, formula: Term, variables: &[Term], sites: &Sites) -> Vec<Substitution> {
        let mut found = Vec::new();
        for (array, pattern) in self.reads(formula) {
            if !self.free_vars(pattern).iter().any(|v| variables.contains(v)) {
                continue;
            }
            for target in sites.of(self, array) {
                found.extend(self.solve_index(pattern, target, variables));
            }
        }
        found
    }
}
