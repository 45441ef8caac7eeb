//! The manager and its functions: who uses which nodes, when dead ones go, when the order changes.

use super::eliminate::Elimination;
use super::expression::{Domain, Expression, NumVar};
use super::feasibility::Pruning;
use super::labels::Label;
use super::nodes::{Edge, FALSE, FREE, Failure, Halt, Nodes, TRUE};
use super::project::Projecting;
use super::substitute::{Dependence, Substitution};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// Nodes in use, with how many functions use them.
type Roots = Rc<RefCell<FxHashMap<u32, u32>>>;

/// A Boolean combination of linear inequalities and Boolean variables, over the variables of one
/// [`LinearDiagrams`].
///
/// Equal functions may be different diagrams, since atoms of different forms can contradict or imply each other; over
/// Boolean variables alone, equality is that of functions.
pub struct Ldd {
    pub(super) edge: Edge,
    roots: Roots,
}

impl Ldd {
    /// Is this the constant that is true everywhere?
    pub fn is_true(&self) -> bool {
        self.edge == TRUE
    }

    /// Is this the constant that is false everywhere?
    pub fn is_false(&self) -> bool {
        self.edge == FALSE
    }
}

impl Clone for Ldd {
    fn clone(&self) -> Ldd {
        *self.roots.borrow_mut().entry(self.edge >> 1).or_default() += 1;
        Ldd { edge: self.edge, roots: self.roots.clone() }
    }
}

impl Drop for Ldd {
    fn drop(&mut self) {
        let mut roots = self.roots.borrow_mut();
        if let Some(count) = roots.get_mut(&(self.edge >> 1)) {
            *count -= 1;
            if *count == 0 {
                roots.remove(&(self.edge >> 1));
            }
        }
    }
}

impl PartialEq for Ldd {
    fn eq(&self, other: &Ldd) -> bool {
        self.edge == other.edge
    }
}

impl Eq for Ldd {}

impl fmt::Debug for Ldd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ldd({}{})", if self.edge & 1 == 1 { "¬" } else { "" }, self.edge >> 1)
    }
}

/// A Boolean variable of a [`LinearDiagrams`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BoolVar(pub(super) Label);

/// The result of eliminating numeric variables.
#[derive(Clone, Debug)]
pub struct Projection {
    /// Implied by the projection of the argument.
    pub result: Ldd,
    /// Whether it is the projection itself.
    pub exact: bool,
}

/// An operation may make so many nodes before the order is held to be bad.
const FIRST_REORDERING: usize = 1 << 13;

/// How many literals are looked at to remove contradictory paths from the result of an elimination.
const CHECKS: usize = 2000;

/// Fewer dead nodes than this are not worth a collection.
const MIN_COLLECTION: usize = 1 << 14;

/// A manager of linear decision diagrams: BDDs whose nodes are labelled with Boolean variables or with linear
/// inequalities over integers and reals.
///
/// ```
/// use tamis_diagram::linear::{Domain, Expression, LinearDiagrams, Failure};
/// # fn main() -> Result<(), Failure> {
/// let mut d = LinearDiagrams::new(1000);
/// let (x, y) = (d.new_number(Domain::Integer), d.new_number(Domain::Integer));
/// let (x_, y_) = (Expression::var(x), Expression::var(y));
/// // x < y and y < 4 leave x < 3 when y is gone.
/// let below = d.less(&x_, &y_)?;
/// let small = d.less(&y_, &Expression::constant(4))?;
/// let both = d.and(&below, &small)?;
/// let projection = d.eliminate(y, &[both])?;
/// assert!(projection.exact);
/// assert_eq!(projection.result, d.less(&x_, &Expression::constant(3))?);
/// # Ok(()) }
/// ```
pub struct LinearDiagrams {
    pub(super) nodes: Nodes,
    pub(super) roots: Roots,
    collect_at: usize,
    /// Whether the order changes by itself.
    pub(super) dynamic: bool,
}

impl LinearDiagrams {
    /// A manager without variables, for at most `max_nodes` nodes of about 40 bytes, in a static order.
    pub fn new(max_nodes: usize) -> LinearDiagrams {
        LinearDiagrams {
            nodes: Nodes::new(max_nodes.clamp(1, 1 << 30)),
            roots: Roots::default(),
            collect_at: MIN_COLLECTION,
            dynamic: false,
        }
    }

    /// Gives up operations when `interrupt` says true. It is asked often.
    pub fn set_interrupt(&mut self, interrupt: impl FnMut() -> bool + 'static) {
        self.nodes.interrupt = Some(Box::new(interrupt));
    }

    /// A new numeric variable.
    pub fn new_number(&mut self, domain: Domain) -> NumVar {
        self.nodes.labels.domains.push(domain);
        NumVar(self.nodes.labels.domains.len() as u32 - 1)
    }

    /// A new Boolean variable, last in the order.
    pub fn new_bool(&mut self) -> BoolVar {
        let end = self.nodes.labels.order.len();
        BoolVar(self.nodes.labels.new_bool(end))
    }

    /// A new Boolean variable that stands right above the top of `f` in the order.
    pub fn new_bool_above(&mut self, f: &Ldd) -> BoolVar {
        let end = self.nodes.labels.order.len();
        let position = end.min((self.nodes.rank(f.edge) >> 32) as usize);
        BoolVar(self.nodes.labels.new_bool(position))
    }

    pub(super) fn made(&self, edge: Edge) -> Ldd {
        *self.roots.borrow_mut().entry(edge >> 1).or_default() += 1;
        Ldd { edge, roots: self.roots.clone() }
    }

    /// Runs an operation, again after a collection if it ran out of nodes, and again in a new order if it made too
    /// many.
    pub(super) fn attempt<T>(
        &mut self,
        mut operation: impl FnMut(&mut Nodes) -> Result<T, Halt>,
    ) -> Result<T, Failure> {
        if self.nodes.live >= self.collect_at {
            self.collect_garbage();
        }
        let mut failed = false;
        let soft_limit = if self.dynamic { FIRST_REORDERING.max(2 * self.nodes.live) } else { usize::MAX };
        self.nodes.soft_limit = soft_limit;
        loop {
            match operation(&mut self.nodes) {
                Ok(result) => return Ok(result),
                Err(Halt::Fail(failure)) if failed || failure != Failure::OutOfNodes => return Err(failure),
                Err(Halt::Fail(_)) => {
                    self.collect_garbage();
                    failed = true;
                }
                // What the operation works on is reordered once; it may be dead nodes that there are too many of.
                Err(Halt::Grown) => {
                    if self.nodes.soft_limit == soft_limit {
                        self.collect_garbage();
                        self.nodes.soft_limit = 8 * soft_limit;
                    } else {
                        self.reorder();
                        self.nodes.soft_limit = usize::MAX;
                    }
                }
            }
        }
    }

    /// As [`attempt`](Self::attempt), but gives up with `None` after so many steps.
    fn attempt_within<T>(
        &mut self,
        steps: u64,
        mut operation: impl FnMut(&mut Nodes) -> Result<T, Halt>,
    ) -> Result<Option<T>, Failure> {
        if self.nodes.live >= self.collect_at {
            self.collect_garbage();
        }
        let mut failed = false;
        loop {
            self.nodes.soft_limit = usize::MAX;
            self.nodes.work_left = steps;
            let result = operation(&mut self.nodes);
            self.nodes.work_left = u64::MAX;
            match result {
                Ok(result) => return Ok(Some(result)),
                Err(Halt::Grown) => return Ok(None),
                Err(Halt::Fail(Failure::OutOfNodes)) if !failed => {
                    self.collect_garbage();
                    failed = true;
                }
                Err(Halt::Fail(failure)) => return Err(failure),
            }
        }
    }

    fn function(&mut self, operation: impl FnMut(&mut Nodes) -> Result<Edge, Halt>) -> Result<Ldd, Failure> {
        let edge = self.attempt(operation)?;
        Ok(self.made(edge))
    }

    /// The function that is true everywhere.
    pub fn tru(&self) -> Ldd {
        self.made(TRUE)
    }

    /// The function that is false everywhere.
    pub fn fals(&self) -> Ldd {
        self.made(FALSE)
    }

    /// A Boolean variable as a function.
    pub fn var(&mut self, b: BoolVar) -> Result<Ldd, Failure> {
        self.function(|nodes| nodes.literal(b.0, true))
    }

    /// `a ≤ b`.
    pub fn at_most(&mut self, a: &Expression, b: &Expression) -> Result<Ldd, Failure> {
        self.function(|nodes| nodes.inequality(&a.minus(b), false))
    }

    /// `a < b`.
    pub fn less(&mut self, a: &Expression, b: &Expression) -> Result<Ldd, Failure> {
        self.function(|nodes| nodes.inequality(&a.minus(b), true))
    }

    /// `a = b`.
    pub fn equal(&mut self, a: &Expression, b: &Expression) -> Result<Ldd, Failure> {
        self.function(|nodes| {
            let below = nodes.inequality(&a.minus(b), false)?;
            let above = nodes.inequality(&b.minus(a), false)?;
            nodes.and(below, above)
        })
    }

    /// `¬f`, in constant time.
    pub fn not(&self, f: &Ldd) -> Ldd {
        self.made(f.edge ^ 1)
    }

    /// `f ∧ g`.
    pub fn and(&mut self, f: &Ldd, g: &Ldd) -> Result<Ldd, Failure> {
        self.function(|nodes| nodes.and(f.edge, g.edge))
    }

    /// `f ∨ g`.
    pub fn or(&mut self, f: &Ldd, g: &Ldd) -> Result<Ldd, Failure> {
        self.function(|nodes| nodes.or(f.edge, g.edge))
    }

    /// `f ↔ g`.
    pub fn iff(&mut self, f: &Ldd, g: &Ldd) -> Result<Ldd, Failure> {
        self.ite(f, g, &self.not(g))
    }

    /// `if c then f else g`.
    pub fn ite(&mut self, c: &Ldd, f: &Ldd, g: &Ldd) -> Result<Ldd, Failure> {
        self.function(|nodes| nodes.ite(c.edge, f.edge, g.edge))
    }

    /// `∃ vars. f` for Boolean variables.
    pub fn exists(&mut self, f: &Ldd, vars: &[BoolVar]) -> Result<Ldd, Failure> {
        let tru = self.tru();
        self.and_exists(f, &tru, vars)
    }

    /// `∃ vars. f ∧ g` for Boolean variables, without building the conjunction.
    pub fn and_exists(&mut self, f: &Ldd, g: &Ldd, vars: &[BoolVar]) -> Result<Ldd, Failure> {
        let vars: Vec<Label> = vars.iter().map(|v| v.0).collect();
        self.function(|nodes| nodes.and_exists(f.edge, g.edge, &vars))
    }

    /// `f[x := value]`, where `value` does not mention `x`.
    pub fn substitute(&mut self, f: &Ldd, x: NumVar, value: &Expression) -> Result<Ldd, Failure> {
        self.function(|nodes| {
            Substitution::new(x, value.clone()).apply(nodes, &mut Dependence::new(x), f.edge)
        })
    }

    /// `∃x. f₁ ∧ f₂ ∧ …` by Fourier–Motzkin elimination: exact for a real `x`, and for an integer if of each pair of a
    /// lower and an upper bound one has a unit coefficient; otherwise an over-approximation, and said to be one.
    ///
    /// Parts that define `x` are walked through first and their values substituted in the others, without building
    /// the conjunction.
    pub fn eliminate(&mut self, x: NumVar, parts: &[Ldd]) -> Result<Projection, Failure> {
        let (result, exact) = self.attempt(|nodes| eliminated(nodes, x, parts))?;
        Ok(Projection { result: self.made(result), exact })
    }

    /// [`eliminate`](Self::eliminate), or `None` if that takes more than so many steps.
    pub fn eliminate_within(
        &mut self,
        steps: u64,
        x: NumVar,
        parts: &[Ldd],
    ) -> Result<Option<Projection>, Failure> {
        let made = self.attempt_within(steps, |nodes| eliminated(nodes, x, parts))?;
        Ok(made.map(|(result, exact)| Projection { result: self.made(result), exact }))
    }

    /// `∃ all numeric variables. f₁ ∧ f₂ ∧ …`, or `None` if that takes more than so many steps or there are too many
    /// variables. Goes through what the theory allows, and makes no new atoms. Inexact only if a conjunction over integers could not be decided.
    pub fn project_within(&mut self, steps: u64, parts: &[Ldd]) -> Result<Option<Projection>, Failure> {
        let made = self.attempt_within(steps, |nodes| {
            let parts = parts.iter().map(|part| part.edge).collect();
            let Some(mut projecting) = Projecting::new(nodes, parts) else { return Err(Halt::Grown) };
            Ok((projecting.run(nodes)?, projecting.exact))
        })?;
        Ok(made.map(|(result, exact)| Projection { result: self.made(result), exact }))
    }

    /// `∃ vars. f₁ ∧ f₂ ∧ …` for Boolean variables, or `None` if that takes more than so many steps.
    pub fn and_exists_within(
        &mut self,
        steps: u64,
        parts: &[Ldd],
        vars: &[BoolVar],
    ) -> Result<Option<Ldd>, Failure> {
        let vars: Vec<Label> = vars.iter().map(|v| v.0).collect();
        let made = self.attempt_within(steps, |nodes| {
            let Some((last, others)) = parts.split_last() else { return Ok(TRUE) };
            let mut all = TRUE;
            for part in others {
                all = nodes.and(all, part.edge)?;
            }
            nodes.and_exists(all, last.edge, &vars)
        })?;
        Ok(made.map(|edge| self.made(edge)))
    }

    /// The number of nodes, those included that died since the last collection.
    pub fn total_nodes(&self) -> usize {
        self.nodes.live
    }

    /// Frees the nodes that no [`Ldd`] uses any more. Operations do this by themselves when it pays.
    pub fn collect_garbage(&mut self) {
        let mut marked = vec![false; self.nodes.nodes.len()];
        marked[0] = true;
        let mut open: Vec<u32> = self.roots.borrow().keys().copied().collect();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut marked[id as usize], true) {
                let node = &self.nodes.nodes[id as usize];
                open.extend([node.hi >> 1, node.lo >> 1]);
            }
        }
        let nodes = &mut self.nodes;
        for (id, marked) in marked.iter().enumerate() {
            let node = nodes.nodes[id];
            if !marked && node.label != FREE {
                nodes.unique[node.label as usize].remove(&(node.hi, node.lo));
                nodes.nodes[id].label = FREE;
                nodes.free.push(id as u32);
                nodes.live -= 1;
            }
        }
        nodes.cache.clear(nodes.live);
        self.collect_at = (2 * nodes.live).max(MIN_COLLECTION);
    }
}

/// See [`LinearDiagrams::eliminate`].
fn eliminated(nodes: &mut Nodes, x: NumVar, parts: &[Ldd]) -> Result<(Edge, bool), Halt> {
    let (mut first, others): (Vec<Edge>, Vec<Edge>) =
        parts.iter().map(|part| part.edge).partition(|&part| nodes.seems_to_define(part, x));
    first.sort_by_key(|&part| nodes.size(part));
    if first.is_empty() {
        let mut all = TRUE;
        for part in others {
            all = nodes.and(all, part)?;
        }
        first.push(all);
    } else {
        first.extend(others);
    }
    let mut elimination = Elimination::new(x, first);
    let result = elimination.run(nodes)?;
    let result = Pruning::new(CHECKS).run(nodes, result)?;
    Ok((result, elimination.exact))
}
