//! Approximations by cubes of growing size: \[SMT\] section 3.2.
//!
//! `G^k_P(φ)` is the union of `restr(c, k)`, a subcube of size `k`, over all minterms `c` that `φ` allows; a cube that was
//! collected is blocked as a whole, so that the minterms in it need not be found. Each approximation implies the one
//! before, because `restr(c, k)` contains `restr(c, k - n)` (Theorem 1, condition 2). Which literals are added is random, as
//! in the paper, but the same predicates are added to one cube for all its minterms: the cubes are the leaves of a
//! tree, disjoint, and far fewer than if each minterm had literals of its own.
//!
//! Minterms and what the search has learned are kept from step to step if `incremental`. Beyond the paper, after each step
//! as many more minterms are looked for as are known, and some more. As soon as all are, the other steps need no
//! search: the whole sequence costs little more than the last approximation alone.

use crate::limits;
use crate::{Abstraction, Context, Engine, Interrupted, Predicate};
use rustc_hash::FxHashMap;
use tamis_diagram::{Bdd, BddVar, Diagrams, OutOfNodes};
use tamis_logic::Term;
use tamis_solver::{Cube, Solver, Strategy};

/// A sequence of approximations, each stronger than the one before.
#[derive(Clone, Copy, Debug)]
pub struct Successive {
    /// How much cubes grow from one approximation to the next.
    pub step: usize,
    /// The size of the last cubes, if they are not to be minterms.
    pub last: Option<usize>,
    /// Whether minterms and lemmas are kept from one approximation to the next.
    pub incremental: bool,
    /// The seed of `restr`.
    pub seed: u64,
}

impl Default for Successive {
    fn default() -> Successive {
        Successive { step: 1, last: None, incremental: true, seed: 0 }
    }
}

/// One of the approximations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The size of the cubes.
    pub size: usize,
    /// How many there are.
    pub cubes: usize,
    /// Their union, `G^k_P(φ)`.
    pub function: Bdd,
}

impl Successive {
    /// Computes the approximations one after the other. `on_step` sees each and says whether the next one is wanted; the
    /// last one is the answer.
    ///
    /// ```
    /// use tamis_diagram::Diagrams;
    /// use tamis_logic::{Sort, Terms};
    /// use tamis_paq::{Context, Predicate, Successive};
    /// use tamis_solver::{Budget, Solver};
    /// let (mut terms, mut diagrams) = (Terms::new(), Diagrams::new(1 << 16));
    /// let formulas = ["a", "b", "c"].map(|name| terms.var(name, Sort::Bool));
    /// let some = terms.or(&formulas);
    /// let p = formulas.map(|formula| Predicate { formula, var: diagrams.new_var().unwrap() });
    /// let mut solver = Solver::new(&Budget::unlimited());
    /// solver.assert(&terms, some);
    /// let mut context =
    ///     Context { terms: &mut terms, diagrams: &mut diagrams, solver: &mut solver, formula: &[some] };
    /// let mut sizes = Vec::new();
    /// let answer = Successive::default().approximations(&mut context, &[], &p, &mut |step| {
    ///     sizes.push(step.size);
    ///     true
    /// });
    /// assert_eq!(sizes, [1, 2, 3]);
    /// let exact = answer.unwrap().function;
    /// assert_eq!(diagrams.minterm_count(&exact, &p.map(|p| p.var)), 7.0);
    /// ```
    pub fn approximations(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
        on_step: &mut dyn FnMut(&Step) -> bool,
    ) -> Result<Abstraction, Interrupted> {
        let important: Vec<Term> = predicates.iter().map(|p| p.formula).collect();
        let last = self.last.map_or(important.len(), |last| last.min(important.len()));
        let mut tree = Tree::new(self.seed);
        let mut minterms: Vec<Minterm> = Vec::new();
        let mut size = 0;
        // Whether all minterms are known.
        let mut all = false;
        loop {
            let by = self.step.max(1).min(last - size);
            size += by;
            tree.grow();
            if !self.incremental {
                minterms.clear();
            }
            minterms.iter_mut().for_each(|c| c.leaf = tree.child(c.leaf, &c.values, by));
            let mut fresh = (!self.incremental).then(|| anew(context));
            let solver = fresh.as_mut().unwrap_or(context.solver);
            let assumed = if self.incremental { assumptions } else { &[] };
            if !all {
                let known: Vec<Vec<(usize, bool)>> = tree.leaves().map(|leaf| tree.literals(leaf)).collect();
                let mut on_model = |values: &[bool]| {
                    let parent = tree.parent_of(values);
                    let leaf = tree.child(parent, values, by);
                    minterms.push(Minterm { values: values.into(), leaf });
                    Cube::Positions(tree.literals(leaf).into_iter().map(|(position, _)| position).collect())
                };
                let in_search = Strategy::InSearch;
                let terms = &context.terms;
                solver.enumerate_beyond(in_search, terms, assumed, &important, &known, &mut on_model)?;
            }
            let function = tree.union(context.diagrams, predicates)?;
            let cubes = tree.leaves().count();
            let step = Step { size, cubes, function };
            let wanted = on_step(&step);
            // Without a minterm there is nothing to restrict.
            if size == last || !wanted || cubes == 0 {
                let exact = size == important.len() || cubes == 0;
                return Ok(Abstraction { function: step.function, exact, engine: self.name() });
            }
            if self.incremental && !all {
                all = more(context, assumptions, &important, &tree, &mut minterms)?;
            }
        }
    }
}

/// Looks for as many minterms more as are known; whether there are no others.
fn more(
    context: &mut Context<'_>,
    assumptions: &[Term],
    important: &[Term],
    tree: &Tree,
    minterms: &mut Vec<Minterm>,
) -> Result<bool, Interrupted> {
    let literals = |c: &Minterm| c.values.iter().copied().enumerate().collect();
    let known: Vec<Vec<(usize, bool)>> = minterms.iter().map(literals).collect();
    let wanted = known.len() + known.len().max(limits::MINTERMS_PER_STEP);
    let done = context.solver.enumerate_beyond(
        Strategy::InSearch,
        context.terms,
        assumptions,
        important,
        &known,
        &mut |values| {
            minterms.push(Minterm { values: values.into(), leaf: tree.leaf_of(values) });
            if minterms.len() < wanted { Cube::Minterm } else { Cube::Enough }
        },
    )?;
    Ok(done.complete)
}

/// A solver with nothing but the formula.
fn anew(context: &Context<'_>) -> Solver {
    let mut solver = Solver::new(context.solver.budget());
    context.formula.iter().for_each(|&conjunct| solver.assert(context.terms, conjunct));
    solver
}

impl Engine for Successive {
    fn name(&self) -> &'static str {
        "steps"
    }

    fn abstraction(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Abstraction, Interrupted> {
        self.approximations(context, assumptions, predicates, &mut |_| true)
    }

    fn is_exact(&self) -> bool {
        self.last.is_none()
    }
}

/// A minterm that was found, and the leaf of the tree that covers it.
struct Minterm {
    values: Box<[bool]>,
    leaf: usize,
}

/// Cubes that grow by the same literals for all their minterms.
struct Tree {
    nodes: Vec<Node>,
    /// How many times it has grown.
    depth: usize,
    order: Vec<usize>,
    /// The state of Marsaglia's xorshift.
    random: u64,
}

#[derive(Default)]
struct Node {
    parent: Option<usize>,
    /// The literals that it has more than its parent.
    added: Vec<(usize, bool)>,
    depth: usize,
    /// The predicates that its children are told apart by.
    asks: Vec<usize>,
    children: FxHashMap<Box<[bool]>, usize>,
}

impl Tree {
    fn new(seed: u64) -> Tree {
        let random = seed.wrapping_mul(2).wrapping_add(0x9E37_79B9_7F4A_7C15) | 1;
        Tree { nodes: vec![Node::default()], depth: 0, order: Vec::new(), random }
    }

    /// From now on the leaves are one step deeper.
    fn grow(&mut self) {
        self.depth += 1;
    }

    fn below(&mut self, n: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        ((self.random >> 32) % n as u64) as usize
    }

    /// The order in which most branches ask for predicates: a random one.
    fn order(&mut self, count: usize) -> &[usize] {
        if self.order.is_empty() {
            self.order = (0..count).collect();
            for at in (1..count).rev() {
                let other = self.below(at + 1);
                self.order.swap(at, other);
            }
        }
        &self.order
    }

    /// The child of a node that covers a minterm, found or made; the children have `by` literals more.
    fn child(&mut self, node: usize, minterm: &[bool], by: usize) -> usize {
        if self.nodes[node].asks.is_empty() {
            let mut is_taken = vec![false; minterm.len()];
            self.path(node).for_each(|&(position, _)| is_taken[position] = true);
            let mut open: Vec<usize> = self.order(minterm.len()).to_vec();
            open.retain(|&position| !is_taken[position]);
            for _ in 0..by {
                let at = if self.below(limits::OUT_OF_TURN) == 0 { self.below(open.len()) } else { 0 };
                self.nodes[node].asks.push(open.remove(at));
            }
        }
        let answers: Box<[bool]> = self.nodes[node].asks.iter().map(|&position| minterm[position]).collect();
        if let Some(&child) = self.nodes[node].children.get(&answers) {
            return child;
        }
        let child = self.nodes.len();
        let added = self.nodes[node].asks.iter().copied().zip(answers.iter().copied()).collect();
        let depth = self.nodes[node].depth + 1;
        self.nodes.push(Node { parent: Some(node), added, depth, ..Node::default() });
        self.nodes[node].children.insert(answers, child);
        child
    }

    /// The deepest node that covers a minterm, no deeper than so many steps.
    fn covering(&self, minterm: &[bool], depth: usize) -> usize {
        let mut node = 0;
        while self.nodes[node].depth < depth {
            let answers: Box<[bool]> =
                self.nodes[node].asks.iter().map(|&position| minterm[position]).collect();
            match self.nodes[node].children.get(&answers) {
                Some(&child) => node = child,
                None => break,
            }
        }
        node
    }

    fn leaf_of(&self, minterm: &[bool]) -> usize {
        self.covering(minterm, self.depth)
    }

    /// What was the leaf of a minterm before the tree grew.
    fn parent_of(&self, minterm: &[bool]) -> usize {
        self.covering(minterm, self.depth - 1)
    }

    /// The nodes that are as deep as the tree.
    fn leaves(&self) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(|&node| self.nodes[node].depth == self.depth)
    }

    /// The literals of a node's cube, the latest first.
    fn path(&self, node: usize) -> impl Iterator<Item = &(usize, bool)> {
        let above = |&node: &usize| self.nodes[node].parent;
        std::iter::successors(Some(node), above).flat_map(|node| &self.nodes[node].added)
    }

    /// The same, ascending.
    fn literals(&self, node: usize) -> Vec<(usize, bool)> {
        let mut literals: Vec<(usize, bool)> = self.path(node).copied().collect();
        literals.sort_unstable();
        literals
    }

    /// The union of the leaves' cubes.
    fn union(&self, diagrams: &Diagrams, predicates: &[Predicate]) -> Result<Bdd, OutOfNodes> {
        let cube = |leaf: usize| {
            let mut cube = Vec::with_capacity(predicates.len());
            cube.extend(self.path(leaf).map(|&(position, value)| (predicates[position].var, value)));
            cube
        };
        let cubes: Vec<Vec<(BddVar, bool)>> = self.leaves().map(cube).collect();
        diagrams.union_of_cubes(&cubes)
    }
}
