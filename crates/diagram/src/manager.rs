//! The manager: variables, constants, the node limit and garbage collection.

use crate::bdd::{Bdd, BddVar, Nodes, OutOfNodes};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, Manager, ManagerRef};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// Fewer dead nodes than this are not worth a collection, which also empties the cache of operations.
const MIN_COLLECTION: usize = 1 << 16;

/// Entries of the cache of operations, 20 bytes each, allocated at once.
const MIN_CACHE: usize = 1 << 12;
const MAX_CACHE: usize = 1 << 18;

/// How long to wait at most for another thread to give nodes back, and in which steps.
const MAX_WAITS: usize = 200;
const WAIT: Duration = Duration::from_micros(100);

/// A manager of binary decision diagrams: its variables, their order, and at most so many nodes.
///
/// Operations take `&self` and may collect dead nodes; only [`new_var`](Diagrams::new_var) and reordering need
/// `&mut self`, so the variable order is fixed while an algorithm runs on `&self`.
///
/// ```
/// use tamis_diagram::{Diagrams, OutOfNodes};
/// # fn main() -> Result<(), OutOfNodes> {
/// let mut d = Diagrams::new(1000);
/// let (a, b) = (d.new_var()?, d.new_var()?);
/// let f = d.or(&d.cube(&[(a, true), (b, false)])?, &d.cube(&[(a, true), (b, true)])?)?;
/// assert_eq!(f, d.var(a));
/// assert_eq!(d.minterm_count(&f, &[a, b]), 2.0);
/// # Ok(()) }
/// ```
pub struct Diagrams {
    pub(crate) manager: BCDDManagerRef,
    pub(crate) max_nodes: usize,
    tru: Bdd,
    fals: Bdd,
    /// The variables as functions. Held here so that a literal never has to be allocated again.
    vars: Vec<Bdd>,
    /// Collect when so many nodes exist, dead ones included.
    collect_at: AtomicUsize,
    /// How often an operation ran out of nodes.
    failures: AtomicUsize,
    /// Reorder when so many nodes are live.
    pub(crate) reorder_at: usize,
}

impl Diagrams {
    /// A node limit that fits a small memory limit: about 80 MB when exhausted, a few megabytes before.
    pub const DEFAULT_MAX_NODES: usize = 1 << 21;

    /// A manager without variables, for at most `max_nodes` nodes.
    ///
    /// Address space for the nodes is reserved now but used only as they are made: 16 bytes each, and about as much
    /// again for the table that keeps them unique. OxiDD starts two threads, which sleep; see
    /// [`use_small_worker_stacks`] for the address space of one of them.
    pub fn new(max_nodes: usize) -> Diagrams {
        Diagrams::with_cache(max_nodes, max_nodes / 8)
    }

    /// As [`new`](Diagrams::new), with a cache for about so many operations: it is allocated now, and a large one takes longer
    /// than most queries.
    pub fn with_cache(max_nodes: usize, operations: usize) -> Diagrams {
        let max_nodes = max_nodes.clamp(1, 1 << 30);
        let cache = operations.next_power_of_two().clamp(MIN_CACHE, MAX_CACHE);
        let manager = new_manager(max_nodes, cache, 1);
        let (tru, fals) =
            manager.with_manager_shared(|nodes| (Bdd(BCDDFunction::t(nodes)), Bdd(BCDDFunction::f(nodes))));
        Diagrams {
            manager,
            max_nodes,
            tru,
            fals,
            vars: Vec::new(),
            collect_at: AtomicUsize::new(MIN_COLLECTION),
            failures: AtomicUsize::new(0),
            reorder_at: crate::reorder::FIRST_REORDERING,
        }
    }

    /// A new variable, last in the order.
    pub fn new_var(&mut self) -> Result<BddVar, OutOfNodes> {
        let index = self.vars.len() as u32;
        self.manager.with_manager_exclusive(|nodes| {
            // There is a variable too many if the last call ran out of nodes.
            if nodes.num_vars() == index {
                nodes.add_vars(1);
            }
        });
        let var = self.attempt(|nodes| BCDDFunction::var(nodes, index).map(Bdd))?;
        self.vars.push(var);
        Ok(BddVar(index))
    }

    /// The most nodes that there may be.
    pub fn max_nodes(&self) -> usize {
        self.max_nodes
    }

    /// The number of variables.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// The variables from the top of the order to the bottom.
    pub fn order(&self) -> Vec<BddVar> {
        self.manager.with_manager_shared(|nodes| {
            (0..self.vars.len() as u32).map(|level| BddVar(nodes.level_to_var(level))).collect()
        })
    }

    /// The function that is true everywhere.
    pub fn tru(&self) -> Bdd {
        self.tru.clone()
    }

    /// The function that is false everywhere.
    pub fn fals(&self) -> Bdd {
        self.fals.clone()
    }

    /// The function that is true where `v` is.
    pub fn var(&self, v: BddVar) -> Bdd {
        self.vars[v.index()].clone()
    }

    /// The function that is true where `v` has the value `positive`.
    pub fn literal(&self, v: BddVar, positive: bool) -> Bdd {
        if positive { self.var(v) } else { self.not(&self.vars[v.index()]) }
    }

    /// The number of nodes in the manager, those included that died since the last collection.
    pub fn total_nodes(&self) -> usize {
        self.manager.with_manager_shared(|nodes| nodes.num_inner_nodes())
    }

    /// Frees the nodes that no [`Bdd`] uses any more. Operations do this by themselves when it pays.
    pub fn collect_garbage(&mut self) {
        self.collect();
    }

    /// Runs `op`, once more after a collection if it ran out of nodes.
    pub(crate) fn attempt<T>(
        &self,
        op: impl for<'id> Fn(&Nodes<'id>) -> AllocResult<T>,
    ) -> Result<T, OutOfNodes> {
        let first = self.manager.with_manager_shared(|nodes| {
            if nodes.approx_num_inner_nodes() >= self.collect_at.load(Relaxed) {
                self.collect_in(nodes);
            }
            op(nodes)
        });
        first.or_else(|_| {
            self.failures.fetch_add(1, Relaxed);
            self.collect();
            self.wait_for_nodes_in_transit();
            self.manager.with_manager_shared(|nodes| op(nodes)).map_err(|_| {
                self.failures.fetch_add(1, Relaxed);
                OutOfNodes
            })
        })
    }

    /// Collects with exclusive access: while OxiDD's own thread collects, a request for another collection does
    /// nothing.
    fn collect(&self) {
        self.manager.with_manager_exclusive(|nodes| self.collect_in(nodes));
    }

    fn collect_in(&self, nodes: &Nodes<'_>) {
        nodes.gc();
        self.collect_at.store(2 * nodes.num_inner_nodes().max(MIN_COLLECTION / 2), Relaxed);
    }

    /// At least the number of nodes that OxiDD's own collecting thread has freed and not yet given back: they are
    /// still in one of two counts. That count also grows by one each time that nodes run out.
    pub(crate) fn in_transit(&self, nodes: &Nodes<'_>) -> usize {
        nodes.approx_num_inner_nodes().saturating_sub(nodes.num_inner_nodes())
    }

    /// Lets OxiDD's thread give back what it freed, which it does at the end of its collection: otherwise nodes
    /// would seem to have run out when they have not.
    fn wait_for_nodes_in_transit(&self) {
        for _ in 0..MAX_WAITS {
            let in_transit = self.manager.with_manager_shared(|nodes| self.in_transit(nodes));
            if in_transit <= self.failures.load(Relaxed) {
                return;
            }
            std::thread::sleep(WAIT);
        }
    }
}

/// Lets the managers made from now on reserve little address space for OxiDD's worker thread.
///
/// Each manager has one, which never runs anything because operations run in the caller's thread; yet its stack takes
/// 1 GiB of address space, though no memory. Where address space is limited (`ulimit -v`) the thread cannot start and
/// [`Diagrams::new`] panics. OxiDD takes the size from the environment only, hence this function: it sets
/// `OXIDD_STACK_SIZE` unless that is set already.
///
/// # Safety
/// As for [`std::env::set_var`]: no other thread may read the environment at the same time. Call it at the start of
/// the program.
pub unsafe fn use_small_worker_stacks() {
    const VARIABLE: &str = "OXIDD_STACK_SIZE";
    if std::env::var_os(VARIABLE).is_none() {
        // SAFETY: the caller's obligation.
        unsafe { std::env::set_var(VARIABLE, "65536") };
    }
}
