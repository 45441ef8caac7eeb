//! Dynamic reordering of variables by sifting.
//!
//! Each variable, those with most nodes first, visits the levels in turn and stays where the diagrams are smallest.
//! OxiDD gives the exchange of two adjacent levels; the policy is ours.
//!
//! ## References
//! R. Rudell, *Dynamic variable ordering for ordered binary decision diagrams*, ICCAD 1993.

use crate::bdd::{BddVar, Nodes};
use crate::manager::Diagrams;
use oxidd::{LevelNo, Manager, ManagerRef, VarNo};
use oxidd_core::LevelView;

/// Fewer live nodes than this are left in the order they have.
pub(crate) const FIRST_REORDERING: usize = 1 << 13;

/// A variable turns back when its journey has made the diagrams larger than this many percent of the smallest size
/// met.
const MAX_GROWTH_PERCENT: usize = 120;

/// Reordering gives up when this many variables in a row have together saved less than one percent: diagrams of
/// irregular sets are large in every order, and looking at all of them for one costs seconds.
const VARIABLES_WITHOUT_GAIN: usize = 12;

/// One reordering moves each node at most this many times on average, and at most this many nodes in all (one or two million a
/// second), but for the last variable's journey.
const MAX_MOVES: usize = 100;
const MAX_MOVED: usize = 6_000_000;

/// Diagrams may grow to this many times their size on the way to an order that was asked for.
const MAX_ARRANGED_GROWTH: usize = 8;

impl Diagrams {
    /// Looks for a better order of the variables. All functions stay what they are.
    ///
    /// ```
    /// use tamis_diagram::{Diagrams, OutOfNodes};
    /// # fn main() -> Result<(), OutOfNodes> {
    /// let mut d = Diagrams::new(100_000);
    /// let vars = (0..16).map(|_| d.new_var()).collect::<Result<Vec<_>, _>>()?;
    /// let mut f = d.fals();
    /// for i in 0..8 {
    ///     let pair = d.cube(&[(vars[i], true), (vars[i + 8], true)])?;
    ///     f = d.or(&f, &pair)?;
    /// }
    /// assert_eq!(d.node_count(&f), 510);
    /// d.reorder();
    /// assert_eq!(d.node_count(&f), 16);
    /// # Ok(()) }
    /// ```
    pub fn reorder(&mut self) {
        let (before, live) = self.manager.with_manager_exclusive(|nodes| {
            let available = self.max_nodes.saturating_sub(self.in_transit(nodes));
            nodes.reorder(|nodes| {
                nodes.gc();
                (nodes.num_inner_nodes(), Sifting::new(nodes, available).run())
            })
        });
        // Where a new order helped little, the next attempt is put off.
        let factor = if live > before / 10 * 9 { 4 } else { 2 };
        self.reorder_at = (factor * live).max(FIRST_REORDERING);
    }

    /// Gives the variables of `order` that sequence; together they stand where they stood before. All functions stay
    /// what they are. Where the way to that order leads through diagrams that are too large, it is not gone to its end.
    ///
    /// For functions whose good order is known from elsewhere: of a manager that holds none yet, this costs next to nothing.
    ///
    /// ```
    /// use tamis_diagram::{Diagrams, OutOfNodes};
    /// # fn main() -> Result<(), OutOfNodes> {
    /// let mut d = Diagrams::new(1000);
    /// let (a, b, c) = (d.new_var()?, d.new_var()?, d.new_var()?);
    /// d.arrange(&[c, a]);
    /// assert_eq!(d.order(), [c, b, a]);
    /// # Ok(()) }
    /// ```
    pub fn arrange(&mut self, order: &[BddVar]) {
        let mut goal = self.order();
        let mut next = order.iter();
        for place in goal.iter_mut().filter(|var| order.contains(var)) {
            next.next().into_iter().for_each(|&var| *place = var);
        }
        self.manager.with_manager_exclusive(|nodes| {
            let available = self.max_nodes.saturating_sub(self.in_transit(nodes));
            nodes.reorder(|nodes| {
                nodes.gc();
                let mut sifting = Sifting::new(nodes, available);
                let most = (MAX_ARRANGED_GROWTH * sifting.size).max(FIRST_REORDERING);
                for (level, var) in goal.iter().enumerate() {
                    sifting.travel(var.0, level as LevelNo, |size, _| size <= most);
                }
            });
        });
    }

    /// Whether no function but constants and variables is in use. Not found out where it would take long.
    pub fn is_blank(&mut self) -> bool {
        if self.total_nodes() > self.var_count() && self.total_nodes() <= FIRST_REORDERING {
            self.collect_garbage();
        }
        self.total_nodes() <= self.var_count()
    }

    /// Reorders if the number of live nodes has doubled since the last time, or grown to the fourfold if that brought
    /// little. To be called between algorithms: cheap
    /// when there is nothing to do. Says whether it reordered.
    pub fn maybe_reorder(&mut self) -> bool {
        if self.total_nodes() < self.reorder_at {
            return false;
        }
        self.collect_garbage();
        let due = self.total_nodes() >= self.reorder_at;
        if due {
            self.reorder();
        }
        due
    }
}

/// One reordering.
struct Sifting<'a, 'id: 'a> {
    nodes: &'a Nodes<'id>,
    max_nodes: usize,
    /// Live nodes.
    size: usize,
    /// Nodes at the levels exchanged so far.
    moved: usize,
}

impl<'a, 'id: 'a> Sifting<'a, 'id> {
    /// Exclusive access is asked for because exchanging levels needs it.
    fn new(nodes: &'a mut Nodes<'id>, max_nodes: usize) -> Self {
        let size = nodes.num_inner_nodes();
        Sifting { nodes, max_nodes, size, moved: 0 }
    }

    /// Sifts the variables and returns the number of live nodes.
    fn run(mut self) -> usize {
        let max_moved = (MAX_MOVES * self.size.max(FIRST_REORDERING)).min(MAX_MOVED);
        let mut vars: Vec<VarNo> = (0..self.nodes.num_vars()).collect();
        vars.sort_by_key(|&v| std::cmp::Reverse(self.width(self.nodes.var_to_level(v))));
        for few in vars.chunks(VARIABLES_WITHOUT_GAIN) {
            let before = self.size;
            for &v in few {
                if self.moved < max_moved {
                    self.sift(v);
                }
            }
            if before.saturating_sub(self.size) <= before / 100 {
                break;
            }
        }
        self.size
    }

    /// Moves `v` to its best level: to the nearer end of the order, to the other end, and back to the best.
    fn sift(&mut self, v: VarNo) {
        let start = self.nodes.var_to_level(v);
        let last = self.nodes.num_levels() - 1;
        let mut best = (self.size, start);
        let ends = if start > last / 2 { [last, 0] } else { [0, last] };
        for end in ends {
            self.travel(v, end, |size, level| {
                best = best.min((size, level));
                size * 100 <= best.0 * MAX_GROWTH_PERCENT
            });
        }
        self.travel(v, best.1, |_, _| true);
    }

    /// Exchanges `v` with its neighbours until it is at `goal`, there is no room for another exchange, or
    /// `go_on(size, level)` says no.
    fn travel(&mut self, v: VarNo, goal: LevelNo, mut go_on: impl FnMut(usize, LevelNo) -> bool) {
        loop {
            let level = self.nodes.var_to_level(v);
            let moved = match level.cmp(&goal) {
                std::cmp::Ordering::Less => self.exchange(level),
                std::cmp::Ordering::Equal => return,
                std::cmp::Ordering::Greater => self.exchange(level - 1),
            };
            if !moved || !go_on(self.size, self.nodes.var_to_level(v)) {
                return;
            }
        }
    }

    /// Exchanges `upper` and the level below, unless the nodes might run out, which OxiDD answers by aborting: each
    /// node of the upper level makes at most two new ones before an old one is freed.
    fn exchange(&mut self, upper: LevelNo) -> bool {
        let width = self.width(upper);
        if self.size + 2 * width > self.max_nodes {
            return false;
        }
        let before = width + self.width(upper + 1);
        // SAFETY: `new` took the manager by exclusive reference, inside `reorder`, and this thread is the only one
        // to touch its levels.
        unsafe { oxidd_reorder::level_down(self.nodes, upper) };
        self.size = self.size - before + self.width(upper) + self.width(upper + 1);
        self.moved += before + 1;
        true
    }

    /// The number of nodes at a level.
    fn width(&self, level: LevelNo) -> usize {
        self.nodes.level(level).len()
    }
}
