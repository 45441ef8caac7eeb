//! Approximations by cubes of growing size: [SMT] section 3.2.
//!
//! `G^k_P(φ)` is the union of `restr(c, k)`, a subcube of size `k`, over all minterms `c` that `φ` allows; a cube that was
//! collected is blocked as a whole, so that the minterms in it need not be found. Each approximation implies the one
//! before, because `restr(c, k)` is chosen to contain a cube that was collected there (Theorem 1, condition 2). Which
//! literals are added is random, as in the paper.
//!
//! Minterms and what the search has learned are kept from step to step if `incremental`. A minterm remembers the cube that
//! covers it, so that the next step has to look only at cubes made from that one. Beyond the paper, after each step as many
//! more minterms are looked for as are known. As soon as all are, the other steps need no search: the whole sequence costs
//! little more than the last approximation alone.

use crate::union::Union;
use crate::{Abstraction, Context, Engine, Interrupted, Predicate};
use tamis_diagram::{Bdd, Diagrams};
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
        let mut restr = Restr { state: self.seed.wrapping_mul(2).wrapping_add(0x9E37_79B9_7F4A_7C15) | 1 };
        let mut minterms: Vec<Minterm> = Vec::new();
        // At first, the cube without literals.
        let mut cubes: Vec<Partial> = vec![Partial::default()];
        let mut size = 0;
        // Whether all minterms are known.
        let mut all = false;
        loop {
            size = (size + self.step.max(1)).min(last);
            let full = size == important.len();
            let mut made = Vec::new();
            let mut children: Vec<Vec<usize>> = vec![Vec::new(); cubes.len()];
            let mut take = |c: &mut Minterm, made: &mut Vec<Partial>| {
                // Minterms cover nothing but themselves.
                let children = &mut children[c.cube];
                let covering =
                    children.iter().copied().find(|&child| !full && made[child].contains(&c.values));
                c.cube = covering.unwrap_or_else(|| {
                    made.push(restr.extend(&cubes[c.cube], &c.values, size));
                    children.push(made.len() - 1);
                    made.len() - 1
                });
            };
            if !self.incremental {
                minterms.clear();
            }
            for c in &mut minterms {
                take(c, &mut made);
            }
            let mut fresh = (!self.incremental).then(|| anew(context));
            let solver = fresh.as_mut().unwrap_or(context.solver);
            let assumed = if self.incremental { assumptions } else { &[] };
            let known: Vec<Vec<(usize, bool)>> = made.iter().map(Partial::literals).collect();
            let mut on_model = |values: &[bool]| {
                let place = cubes.iter().position(|cube| cube.contains(values)).unwrap_or(0);
                let mut c = Minterm { values: values.into(), cube: place };
                take(&mut c, &mut made);
                let positions = made[c.cube].positions();
                minterms.push(c);
                if full { Cube::Minterm } else { Cube::Positions(positions) }
            };
            if !all {
                let in_search = Strategy::InSearch;
                let terms = &context.terms;
                solver.enumerate_beyond(in_search, terms, assumed, &important, &known, &mut on_model)?;
            }
            let function = union(context.diagrams, predicates, &made)?;
            let step = Step { size, cubes: made.len(), function };
            cubes = made;
            let wanted = on_step(&step);
            // Without a minterm there is nothing to restrict.
            if size == last || !wanted || cubes.is_empty() {
                let exact = size == important.len() || cubes.is_empty();
                return Ok(Abstraction { function: step.function, exact, engine: self.name() });
            }
            if self.incremental && !all {
                all = more(context, assumptions, &important, &cubes, &mut minterms)?;
            }
        }
    }
}

/// Looks for as many minterms more as are known; whether there are no others.
fn more(
    context: &mut Context<'_>,
    assumptions: &[Term],
    important: &[Term],
    cubes: &[Partial],
    minterms: &mut Vec<Minterm>,
) -> Result<bool, Interrupted> {
    let literals = |c: &Minterm| c.values.iter().copied().enumerate().collect();
    let known: Vec<Vec<(usize, bool)>> = minterms.iter().map(literals).collect();
    let wanted = 2 * known.len() + 1;
    let done = context.solver.enumerate_beyond(
        Strategy::InSearch,
        context.terms,
        assumptions,
        important,
        &known,
        &mut |values| {
            let cube = cubes.iter().position(|cube| cube.contains(values)).unwrap_or(0);
            minterms.push(Minterm { values: values.into(), cube });
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

fn union(
    diagrams: &Diagrams,
    predicates: &[Predicate],
    cubes: &[Partial],
) -> Result<Bdd, tamis_diagram::OutOfNodes> {
    let mut union = Union::new(diagrams);
    for cube in cubes {
        union.add(cube.literals().into_iter().map(|(p, value)| (predicates[p].var, value)).collect());
    }
    union.finish()
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

/// A minterm that was found, and the latest cube that covers it.
struct Minterm {
    values: Box<[bool]>,
    cube: usize,
}

/// A cube: positions with their values, ascending.
#[derive(Clone, Default, Debug)]
struct Partial(Vec<(usize, bool)>);

impl Partial {
    fn contains(&self, values: &[bool]) -> bool {
        self.0.iter().all(|&(position, value)| values[position] == value)
    }

    fn positions(&self) -> Vec<usize> {
        self.0.iter().map(|&(position, _)| position).collect()
    }

    fn literals(&self) -> Vec<(usize, bool)> {
        self.0.clone()
    }
}

/// The random function `restr`.
struct Restr {
    state: u64,
}

impl Restr {
    fn below(&mut self, n: usize) -> usize {
        // Marsaglia's xorshift.
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 32) % n as u64) as usize
    }

    /// A cube of `size` literals of the minterm that has those of `cube`.
    fn extend(&mut self, cube: &Partial, minterm: &[bool], size: usize) -> Partial {
        let mut free: Vec<usize> = (0..minterm.len()).collect();
        free.retain(|position| cube.0.binary_search_by_key(position, |&(p, _)| p).is_err());
        let mut literals = cube.0.clone();
        while literals.len() < size && !free.is_empty() {
            let position = free.swap_remove(self.below(free.len()));
            literals.push((position, minterm[position]));
        }
        literals.sort_unstable();
        Partial(literals)
    }
}
