//! Irredundant sums of products, by the algorithm of Minato and Morreale.
//!
//! ## References
//! S. Minato, *Fast generation of prime-irredundant covers from binary decision diagrams*, IEICE Transactions 1993;
//! E. Morreale, *Recursive operators for prime implicant and irredundant normal form determination*, IEEE
//! Transactions on Computers 1970.

use crate::bdd::{Bdd, BddVar, Cube, OutOfNodes};
use crate::manager::Diagrams;
use oxidd::{BooleanFunction, Function, LevelNo, Manager, ManagerRef};
use rustc_hash::FxHashMap;

/// A set of cubes, shared: an index into [`Covers::nodes`].
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cover(u32);

/// No cube.
const EMPTY: Cover = Cover(0);
/// The cube without literals.
const UNIT: Cover = Cover(1);

/// `¬var · without  ∪  var · with  ∪  free`.
struct Split {
    var: BddVar,
    without: Cover,
    with: Cover,
    free: Cover,
}

/// The covers met so far. They are kept as a graph because the sum of products may be exponentially larger.
struct Covers<'a> {
    diagrams: &'a Diagrams,
    nodes: Vec<Split>,
    /// The number of cubes by cover, saturating.
    counts: Vec<u64>,
    /// For bounds (lower, upper): the cover between them and its function.
    found: FxHashMap<(Bdd, Bdd), (Cover, Bdd)>,
}

/// Why there is no cover.
enum Halt {
    OutOfNodes,
    /// It has more cubes than wanted.
    TooMany,
}

impl From<OutOfNodes> for Halt {
    fn from(_: OutOfNodes) -> Halt {
        Halt::OutOfNodes
    }
}

impl Diagrams {
    /// `f` as a sum of products: every cube is a prime implicant, and none can be left out.
    ///
    /// There may be exponentially many: [`isop_at_most`](Self::isop_at_most) does not look for more than wanted.
    pub fn isop(&self, f: &Bdd) -> Result<Vec<Cube>, OutOfNodes> {
        // More than can be counted have no room anywhere.
        self.isop_at_most(f, u64::MAX)?.ok_or(OutOfNodes)
    }

    /// [`isop`](Self::isop), or `None` if it has more than `limit` cubes.
    pub fn isop_at_most(&self, f: &Bdd, limit: u64) -> Result<Option<Vec<Cube>>, OutOfNodes> {
        self.isop_between(f, f, limit)
    }

    /// An irredundant cover of some function between `lower` and `upper`, which `lower` implies: what is above the one
    /// and below the other may be covered or not. `None` if it has more than `limit` cubes.
    pub fn isop_between(
        &self,
        lower: &Bdd,
        upper: &Bdd,
        limit: u64,
    ) -> Result<Option<Vec<Cube>>, OutOfNodes> {
        let mut covers =
            Covers { diagrams: self, nodes: Vec::new(), counts: vec![0, 1], found: FxHashMap::default() };
        match covers.between(lower, upper, limit) {
            Ok((cover, _)) => Ok(Some(covers.cubes(cover))),
            Err(Halt::TooMany) => Ok(None),
            Err(Halt::OutOfNodes) => Err(OutOfNodes),
        }
    }

    /// The level of the first variable that matters; that of a constant is below all.
    fn top_level(&self, f: &Bdd) -> LevelNo {
        f.0.with_manager_shared(|nodes, edge| nodes.get_node(edge).level())
    }

    /// The cofactors (negative, positive) by the variable at `level`, which is not below the first that matters.
    fn split_at(&self, f: &Bdd, level: LevelNo) -> (Bdd, Bdd) {
        match f.0.cofactors() {
            Some((then, other)) if self.top_level(f) == level => (Bdd(other), Bdd(then)),
            _ => (f.clone(), f.clone()),
        }
    }
}

impl Covers<'_> {
    /// An irredundant cover of some function between `lower` and `upper`, and that function. As deep a recursion as
    /// there are variables.
    ///
    /// The cubes of a cover are all among those of the whole, with literals more: what has no `room` has none there.
    fn between(&mut self, lower: &Bdd, upper: &Bdd, room: u64) -> Result<(Cover, Bdd), Halt> {
        let d = self.diagrams;
        if d.is_false(lower) {
            return Ok((EMPTY, d.fals()));
        }
        if d.is_true(upper) {
            self.within(UNIT, room)?;
            return Ok((UNIT, d.tru()));
        }
        let key = (lower.clone(), upper.clone());
        if let Some((cover, function)) = self.found.get(&key) {
            self.within(*cover, room)?;
            return Ok((*cover, function.clone()));
        }
        let level = d.top_level(lower).min(d.top_level(upper));
        let (lower0, lower1) = d.split_at(lower, level);
        let (upper0, upper1) = d.split_at(upper, level);
        // What only a cube with the literal can cover, then what is left, by cubes without it.
        let only0 = d.minus(&lower0, &upper1)?;
        let only1 = d.minus(&lower1, &upper0)?;
        let (without, function0) = self.between(&only0, &upper0, room)?;
        let room = self.within(without, room)?;
        let (with, function1) = self.between(&only1, &upper1, room)?;
        let room = self.within(with, room)?;
        let (left0, left1) = (d.minus(&lower0, &function0)?, d.minus(&lower1, &function1)?);
        let (left, both) = (d.or(&left0, &left1)?, d.and(&upper0, &upper1)?);
        let (free, function) = self.between(&left, &both, room)?;
        let var = d.manager.with_manager_shared(|nodes| BddVar(nodes.level_to_var(level)));
        let joined = d.ite(&d.var(var), &function1, &function0)?;
        let function = d.or(&joined, &function)?;
        let cover = self.add(Split { var, without, with, free });
        self.found.insert(key, (cover, function.clone()));
        Ok((cover, function))
    }

    /// The room that a cover leaves.
    fn within(&self, cover: Cover, room: u64) -> Result<u64, Halt> {
        room.checked_sub(self.counts[cover.0 as usize]).ok_or(Halt::TooMany)
    }

    fn add(&mut self, split: Split) -> Cover {
        if split.without == EMPTY && split.with == EMPTY {
            return split.free;
        }
        let count = |cover: Cover| self.counts[cover.0 as usize];
        let total = count(split.without).saturating_add(count(split.with)).saturating_add(count(split.free));
        self.counts.push(total);
        self.nodes.push(split);
        Cover(self.counts.len() as u32 - 1)
    }

    fn cubes(&self, cover: Cover) -> Vec<Cube> {
        let (mut cubes, mut path) = (Vec::new(), Cube::new());
        // With each the literals of the path that it shares, and its own.
        let mut open = vec![(cover, 0, None)];
        while let Some((cover, shared, literal)) = open.pop() {
            path.truncate(shared);
            path.extend(literal);
            if cover == UNIT {
                cubes.push(path.clone());
            } else if cover != EMPTY {
                let split = &self.nodes[cover.0 as usize - 2];
                let with = |value: bool| Some((split.var, value));
                let parts = [(split.free, None), (split.with, with(true)), (split.without, with(false))];
                open.extend(parts.map(|(part, literal)| (part, path.len(), literal)));
            }
        }
        cubes
    }
}
