//! Dynamic reordering by sifting: each block, those with most nodes first, visits the places in the order in turn and
//! stays where the diagrams are smallest.
//!
//! A block moves as a whole, label by label: exchanging two neighbours in the order changes no function of the labels
//! taken as independent, whatever they say in the theory, and within a block the order never changes. Reductions that
//! were possible in one order may be lost in another; operations do without them.
//!
//! ## References
//! R. Rudell, *Dynamic variable ordering for ordered binary decision diagrams*, ICCAD 1993.

use super::labels::{BlockId, Label};
use super::manager::LinearDiagrams;
use super::nodes::{Edge, FREE, Nodes};
use rustc_hash::FxHashMap;

/// A block turns back when its journey has made the diagrams larger than this many percent of the smallest size met.
const MAX_GROWTH_PERCENT: usize = 120;

/// One reordering moves each node so many times on average and not more than so many in all, but for the last block's
/// journey.
const MAX_MOVES: usize = 50;
const MAX_MOVED: usize = 2_000_000;

/// An exchange of blocks with many labels can multiply the nodes. On the way out none is made that might leave more than so
/// many, or so many times those at the start.
const MAX_EXCHANGED: usize = 1 << 17;
const MAX_EXCHANGED_GROWTH: usize = 8;

impl LinearDiagrams {
    /// Looks for a better order of the blocks. All functions stay what they are.
    ///
    /// ```
    /// use tamis_diagram::linear::{Failure, LinearDiagrams};
    /// # fn main() -> Result<(), Failure> {
    /// let mut d = LinearDiagrams::new(100_000);
    /// let vars: Vec<_> = (0..12).map(|_| d.new_bool()).collect();
    /// let mut f = d.fals();
    /// for i in 0..6 {
    ///     let (a, b) = (d.var(vars[i])?, d.var(vars[i + 6])?);
    ///     let both = d.and(&a, &b)?;
    ///     f = d.or(&f, &both)?;
    /// }
    /// assert_eq!(d.node_count(&f), 126);
    /// d.reorder();
    /// assert_eq!(d.node_count(&f), 12);
    /// # Ok(()) }
    /// ```
    pub fn reorder(&mut self) {
        self.collect_garbage();
        let roots: Vec<u32> = self.roots.borrow().keys().copied().collect();
        Sifting::new(&mut self.nodes, &roots).run();
        self.collect_garbage();
    }

    /// [`reorder`](Self::reorder), if the order is not static.
    pub fn reorder_if_dynamic(&mut self) {
        if self.dynamic {
            self.reorder();
        }
    }

    /// From now on operations that make many nodes are given up and begun again in a better order.
    pub fn reorder_automatically(&mut self) {
        self.dynamic = true;
    }

    /// Moves the block at one position of the order to another. All functions stay what they are.
    #[doc(hidden)]
    pub fn move_block(&mut self, from: usize, to: usize) {
        self.collect_garbage();
        let roots: Vec<u32> = self.roots.borrow().keys().copied().collect();
        let last = self.nodes.labels.order.len().saturating_sub(1);
        let mut sifting = Sifting::new(&mut self.nodes, &roots);
        if let Some(&block) = sifting.nodes.labels.order.get(from) {
            let most = sifting.max_nodes;
            sifting.travel(block, to.min(last), most, |_, _| true);
        }
        drop(sifting);
        self.collect_garbage();
    }

    /// The number of blocks in the order.
    #[doc(hidden)]
    pub fn block_count(&self) -> usize {
        self.nodes.labels.order.len()
    }
}

/// One reordering. All nodes are alive at its start.
struct Sifting<'a> {
    nodes: &'a mut Nodes,
    /// How many edges and functions point to each node.
    uses: Vec<u32>,
    moved: usize,
    /// The node limit. Within an exchange of blocks, which cannot be left half done, there is none.
    max_nodes: usize,
}

impl Drop for Sifting<'_> {
    fn drop(&mut self) {
        self.nodes.max_nodes = self.max_nodes;
    }
}

impl<'a> Sifting<'a> {
    fn new(nodes: &'a mut Nodes, roots: &[u32]) -> Sifting<'a> {
        let mut uses = vec![0u32; nodes.nodes.len()];
        for node in nodes.nodes.iter().filter(|node| node.label != FREE) {
            uses[(node.hi >> 1) as usize] += 1;
            uses[(node.lo >> 1) as usize] += 1;
        }
        for &root in roots {
            uses[root as usize] += 1;
        }
        // The leaf is never freed.
        uses[0] = u32::MAX / 2;
        nodes.soft_limit = usize::MAX;
        let max_nodes = std::mem::replace(&mut nodes.max_nodes, usize::MAX);
        Sifting { nodes, uses, moved: 0, max_nodes }
    }

    fn run(mut self) {
        let max_moved = (MAX_MOVES * self.nodes.live).min(MAX_MOVED);
        let mut blocks: Vec<(usize, BlockId)> =
            self.nodes.labels.order.iter().map(|&block| (self.width(block), block)).collect();
        blocks.retain(|&(width, _)| width > 0);
        blocks.sort_unstable_by_key(|&(width, block)| (std::cmp::Reverse(width), block));
        for (_, block) in blocks {
            if self.moved < max_moved && !self.nodes.is_interrupted() {
                self.sift(block);
            }
        }
    }

    fn width(&self, block: BlockId) -> usize {
        let labels = &self.nodes.labels.blocks[block as usize].labels;
        labels.iter().map(|&label| self.nodes.unique.get(label as usize).map_or(0, FxHashMap::len)).sum()
    }

    fn sift(&mut self, block: BlockId) {
        let start = self.position(block);
        let last = self.nodes.labels.order.len() - 1;
        let mut best = (self.nodes.live, start);
        let most = self.max_nodes.min(MAX_EXCHANGED.max(MAX_EXCHANGED_GROWTH * self.nodes.live));
        let ends = if start > last / 2 { [last, 0] } else { [0, last] };
        for end in ends {
            self.travel(block, end, most, |size, position| {
                best = best.min((size, position));
                size * 100 <= best.0 * MAX_GROWTH_PERCENT
            });
        }
        self.travel(block, best.1, self.max_nodes, |_, _| true);
    }

    fn position(&self, block: BlockId) -> usize {
        self.nodes.labels.blocks[block as usize].position as usize
    }

    /// Exchanges a block with its neighbours until it is at `goal`, there is no room for another exchange among `most`
    /// nodes, or `go_on(size, position)` says no.
    fn travel(
        &mut self,
        block: BlockId,
        goal: usize,
        most: usize,
        mut go_on: impl FnMut(usize, usize) -> bool,
    ) {
        loop {
            let position = self.position(block);
            let upper = match position.cmp(&goal) {
                std::cmp::Ordering::Less => position,
                std::cmp::Ordering::Equal => return,
                std::cmp::Ordering::Greater => position - 1,
            };
            if !self.exchange(upper, most) || !go_on(self.nodes.live, self.position(block)) {
                return;
            }
        }
    }

    /// Exchanges the blocks at a position and the next; false if there might be more than `most` nodes, or nobody waits any
    /// more.
    fn exchange(&mut self, position: usize, most: usize) -> bool {
        let [upper, lower] = [position, position + 1].map(|at| self.nodes.labels.order[at]);
        let labels = |block: BlockId| self.nodes.labels.blocks[block as usize].labels.clone();
        let (above, below) = (labels(upper), labels(lower));
        let (width, under) = (self.width(upper), self.width(lower));
        if self.nodes.live + 2 * width * below.len() > most || self.nodes.is_interrupted() {
            return false;
        }
        self.moved += width + under + 1;
        if width > 0 && under > 0 {
            // The last label of the upper block sinks below all of the lower one, then the one before it, and so on.
            for &x in above.iter().rev() {
                for &y in &below {
                    self.exchange_labels(x, y);
                }
            }
        }
        self.nodes.labels.order.swap(position, position + 1);
        self.nodes.labels.renumber_from(position);
        true
    }

    /// Exchanges label `x` and the label `y` right below it.
    fn exchange_labels(&mut self, x: Label, y: Label) {
        let Some(table) = self.nodes.unique.get(x as usize) else { return };
        let has_y = |nodes: &Nodes, edge: Edge| edge > 1 && nodes.label(edge) == y;
        let changed: Vec<u32> = table
            .iter()
            .filter(|((hi, lo), _)| has_y(self.nodes, *hi) || has_y(self.nodes, *lo))
            .map(|(_, &id)| id)
            .collect();
        // All are taken out before one is made anew: what is made is under the old label x, and must not be mistaken.
        for &id in &changed {
            let node = self.nodes.nodes[id as usize];
            self.nodes.unique[x as usize].remove(&(node.hi, node.lo));
        }
        for id in changed {
            let node = self.nodes.nodes[id as usize];
            let split = |nodes: &Nodes, edge: Edge| {
                if has_y(nodes, edge) { nodes.children(edge) } else { (edge, edge) }
            };
            let (f11, f10) = split(self.nodes, node.hi);
            let (f01, f00) = split(self.nodes, node.lo);
            let hi = self.make(x, f11, f01);
            let lo = self.make(x, f10, f00);
            let new = &mut self.nodes.nodes[id as usize];
            (new.label, new.hi, new.lo) = (y, hi, lo);
            if self.nodes.unique.len() <= y as usize {
                self.nodes.unique.resize_with(y as usize + 1, FxHashMap::default);
            }
            self.nodes.unique[y as usize].insert((hi, lo), id);
            self.release(node.hi);
            self.release(node.lo);
        }
    }

    /// The node `if x then hi else lo`, with one use more.
    fn make(&mut self, x: Label, hi: Edge, lo: Edge) -> Edge {
        let before = self.nodes.live;
        let Ok(edge) = self.nodes.plain_node(x, hi, lo) else {
            unreachable!("there is no limit within an exchange")
        };
        let id = (edge >> 1) as usize;
        if self.uses.len() <= id {
            self.uses.resize(id + 1, 0);
        }
        if self.nodes.live > before {
            self.uses[id] = 0;
            self.uses[(hi >> 1) as usize] += 1;
            self.uses[(lo >> 1) as usize] += 1;
        }
        self.uses[id] += 1;
        edge
    }

    /// Takes a use away; frees what nobody uses any more.
    fn release(&mut self, edge: Edge) {
        let mut open = vec![edge >> 1];
        while let Some(id) = open.pop() {
            self.uses[id as usize] -= 1;
            if self.uses[id as usize] == 0 {
                let node = self.nodes.nodes[id as usize];
                self.nodes.unique[node.label as usize].remove(&(node.hi, node.lo));
                self.nodes.nodes[id as usize].label = FREE;
                self.nodes.free.push(id);
                self.nodes.live -= 1;
                open.extend([node.hi >> 1, node.lo >> 1]);
            }
        }
    }
}
