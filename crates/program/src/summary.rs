//! Summaries: \[SUM\] section 3, Definitions 1 to 3.
//!
//! A summary has the cutpoints as locations and, between any two that a cutpoint-free path connects, one block: the
//! loop-free fragment of all such paths. The summary's transition relation is never built; [`encode`](crate::encode)
//! makes the formula of a block straight from the program's edges.

use crate::automaton::{EdgeId, Location, Program};
use crate::cutset::{back_edge_cutset, relevant_locations};
use crate::minimum::minimum_cutset;
use crate::rule::{basic_block_locations, rule_locations};

/// A block of a summary, by its place in [`Summary::blocks`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub(crate) u32);

impl BlockId {
    /// The id as an index, for tables beside the summary.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The cutpoint-free fragment between two cutpoints.
#[derive(Clone, Debug)]
pub struct Block {
    /// The cutpoint it starts at.
    pub from: Location,
    /// The cutpoint it ends at, which may be the same.
    pub to: Location,
    /// The locations strictly inside, in topological order, each with its incoming edges of the fragment.
    pub inner: Vec<(Location, Vec<EdgeId>)>,
    /// The edges that end the fragment.
    pub last: Vec<EdgeId>,
}

impl Block {
    /// All edges of the fragment.
    pub fn edges(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.inner.iter().flat_map(|(_, incoming)| incoming).chain(&self.last).copied()
    }
}

/// Which locations a summary keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SummaryKind {
    /// Small blocks (SBE): every basic block is one.
    Sbe,
    /// The rule summary, by SEQ and CHOICE.
    Rule,
    /// The loop-cutset summary over the destinations of back-edges.
    #[default]
    Cutset,
    /// The loop-cutset summary over a minimum cutset, where one can be found: otherwise as [`Cutset`](Self::Cutset).
    MinimumCutset,
}

impl SummaryKind {
    /// The kinds, by the names that preset files give them.
    const NAMED: [(&str, SummaryKind); 4] = [
        ("sbe", SummaryKind::Sbe),
        ("rule", SummaryKind::Rule),
        ("cutset", SummaryKind::Cutset),
        ("minimum-cutset", SummaryKind::MinimumCutset),
    ];
}

impl std::str::FromStr for SummaryKind {
    type Err = String;

    fn from_str(name: &str) -> Result<SummaryKind, String> {
        let named = SummaryKind::NAMED.iter().find(|(known, _)| *known == name);
        named.map(|&(_, kind)| kind).ok_or_else(|| {
            let names = SummaryKind::NAMED.map(|(known, _)| known).join(", ");
            format!("no such summary as '{name}'; there are {names}")
        })
    }
}

/// A summary of a program: every kind is a loop-cutset summary.
#[derive(Clone, Debug)]
pub struct Summary {
    cutpoints: Vec<Location>,
    blocks: Vec<Block>,
}

impl Summary {
    /// The summary over the back-edge cutset.
    pub fn new(program: &Program) -> Summary {
        Summary::of_kind(program, SummaryKind::Cutset)
    }

    /// A summary of the given kind.
    pub fn of_kind(program: &Program, kind: SummaryKind) -> Summary {
        let relevant = relevant_locations(program);
        let cutpoints = match kind {
            SummaryKind::Sbe => basic_block_locations(program, &relevant),
            SummaryKind::Rule => rule_locations(program, &relevant),
            SummaryKind::Cutset => back_edge_cutset(program, &relevant),
            SummaryKind::MinimumCutset => {
                minimum_cutset(program, &relevant).unwrap_or_else(|| back_edge_cutset(program, &relevant))
            }
        };
        let mut is_cutpoint = vec![false; relevant.len()];
        for l in &cutpoints {
            is_cutpoint[l.index()] = true;
        }
        let fragments = Fragments { program, relevant, is_cutpoint };
        let blocks = cutpoints.iter().flat_map(|&from| fragments.from(from)).collect();
        Summary { cutpoints, blocks }
    }

    /// The cutpoints: the entry first, the error location last.
    pub fn cutpoints(&self) -> &[Location] {
        &self.cutpoints
    }

    /// The blocks.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// One block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The ids of the blocks.
    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }
}

struct Fragments<'a> {
    program: &'a Program,
    relevant: Vec<bool>,
    is_cutpoint: Vec<bool>,
}

impl Fragments<'_> {
    /// The blocks that start at `from`, by the cutpoint they end at.
    fn from(&self, from: Location) -> Vec<Block> {
        let order = self.topological_order(from);
        let mut inside = vec![false; self.relevant.len()];
        inside[from.index()] = true;
        for l in &order {
            inside[l.index()] = true;
        }
        let mut ends: Vec<Location> = std::iter::once(from)
            .chain(order.iter().copied())
            .flat_map(|l| self.program.outgoing(l))
            .map(|&e| self.program.edge(e).to)
            .filter(|to| self.is_cutpoint[to.index()] && self.relevant[to.index()])
            .collect();
        ends.sort_unstable();
        ends.dedup();
        ends.into_iter().map(|to| self.between(from, to, &order, &inside)).collect()
    }

    /// The locations that a cutpoint-free path from `from` visits, `from` itself and the path's end apart, each after
    /// all that lead to it.
    fn topological_order(&self, from: Location) -> Vec<Location> {
        let mut seen = vec![false; self.relevant.len()];
        let mut finished = Vec::new();
        let mut stack = vec![(from, 0)];
        while let Some((l, followed)) = stack.last_mut() {
            let l = *l;
            match self.program.outgoing(l).get(*followed) {
                None => {
                    finished.push(l);
                    stack.pop();
                }
                Some(&edge) => {
                    *followed += 1;
                    let to = self.program.edge(edge).to;
                    let enters = self.relevant[to.index()] && !self.is_cutpoint[to.index()];
                    if enters && !std::mem::replace(&mut seen[to.index()], true) {
                        stack.push((to, 0));
                    }
                }
            }
        }
        finished.pop();
        finished.reverse();
        finished
    }

    fn between(&self, from: Location, to: Location, order: &[Location], inside: &[bool]) -> Block {
        let of_fragment = |&e: &EdgeId| inside[self.program.edge(e).from.index()];
        let last: Vec<EdgeId> = self.program.incoming(to).iter().copied().filter(of_fragment).collect();
        // Backwards from the end: a location belongs to the fragment if an edge into the fragment leaves it.
        let mut reaches = vec![false; self.relevant.len()];
        for &e in &last {
            reaches[self.program.edge(e).from.index()] = true;
        }
        let mut inner = Vec::new();
        for &l in order.iter().rev() {
            if reaches[l.index()] {
                let incoming: Vec<EdgeId> =
                    self.program.incoming(l).iter().copied().filter(of_fragment).collect();
                for &e in &incoming {
                    reaches[self.program.edge(e).from.index()] = true;
                }
                inner.push((l, incoming));
            }
        }
        inner.reverse();
        Block { from, to, inner, last }
    }
}
