//! Cubes: built from literals, joined into sets, picked from functions.

use crate::bdd::{Bdd, BddVar, Cube, Nodes, OutOfNodes, OwnEdge, is_constant};
use crate::manager::Diagrams;
use oxidd::bcdd::BCDDFunction;
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, LevelNo, Manager, ManagerRef};
use oxidd_core::DiagramRules;
use oxidd_core::util::EdgeDropGuard;

/// The node at `level` with the given cofactors, or what it reduces to.
pub(crate) fn node<'id>(
    nodes: &Nodes<'id>,
    level: LevelNo,
    then: OwnEdge<'id>,
    other: OwnEdge<'id>,
) -> AllocResult<OwnEdge<'id>> {
    <Nodes<'id> as Manager>::Rules::reduce(nodes, level, [then, other]).then_insert(nodes, level)
}

/// A cube as literals with distinct levels, from the top of the order to the bottom.
type Chain = Vec<(LevelNo, bool)>;

/// The literals of a cube by level. `None` if they contradict each other.
fn levels(nodes: &Nodes<'_>, cube: &[(BddVar, bool)]) -> Option<Chain> {
    let mut chain: Chain = cube.iter().map(|&(v, positive)| (nodes.var_to_level(v.0), positive)).collect();
    chain.sort_unstable();
    chain.dedup();
    chain.windows(2).all(|pair| pair[0].0 != pair[1].0).then_some(chain)
}

/// The conjunction of the literals of a chain, made bottom-up.
fn chain<'id>(nodes: &Nodes<'id>, literals: &[(LevelNo, bool)]) -> AllocResult<OwnEdge<'id>> {
    let mut below = BCDDFunction::t_edge(nodes);
    for &(level, positive) in literals.iter().rev() {
        let fals = BCDDFunction::f_edge(nodes);
        let (then, other) = if positive { (below, fals) } else { (fals, below) };
        below = node(nodes, level, then, other)?;
    }
    Ok(below)
}

/// The conjunction of variables, by which quantifiers name a set of them.
pub(crate) fn conjunction<'id>(nodes: &Nodes<'id>, vars: &[BddVar]) -> AllocResult<OwnEdge<'id>> {
    let mut literals: Chain = vars.iter().map(|v| (nodes.var_to_level(v.0), true)).collect();
    literals.sort_unstable();
    literals.dedup();
    chain(nodes, &literals)
}

/// What has a property, moved to the front, and the rest.
fn divided<T>(items: &mut [T], is_first: impl Fn(&T) -> bool) -> (&mut [T], &mut [T]) {
    let mut count = 0;
    for at in 0..items.len() {
        if is_first(&items[at]) {
            items.swap(at, count);
            count += 1;
        }
    }
    items.split_at_mut(count)
}

/// The union of cubes, by splitting them at the first variable that one of them has. As deep a recursion as there
/// are variables.
fn union<'id>(nodes: &Nodes<'id>, cubes: &mut [&[(LevelNo, bool)]]) -> AllocResult<OwnEdge<'id>> {
    match cubes {
        [] => return Ok(BCDDFunction::f_edge(nodes)),
        [cube] => return chain(nodes, cube),
        _ => {}
    }
    let Some(level) = cubes.iter().map(|cube| cube.first().map(|&(level, _)| level)).min().flatten() else {
        // A cube without literals is everything; it comes first in the order of options.
        return Ok(BCDDFunction::t_edge(nodes));
    };
    let sign_at =
        |cube: &&[(LevelNo, bool)]| cube.first().filter(|first| first.0 == level).map(|first| first.1);
    let (free, split) = divided(cubes, |cube| sign_at(cube).is_none());
    let (negative, positive) = divided(split, |cube| sign_at(cube) == Some(false));
    for cube in negative.iter_mut().chain(positive.iter_mut()) {
        *cube = &cube[1..];
    }
    let then = EdgeDropGuard::new(nodes, union(nodes, positive)?);
    let other = EdgeDropGuard::new(nodes, union(nodes, negative)?);
    let split = EdgeDropGuard::new(nodes, node(nodes, level, then.into_edge(), other.into_edge())?);
    if free.is_empty() {
        return Ok(split.into_edge());
    }
    let free = EdgeDropGuard::new(nodes, union(nodes, free)?);
    BCDDFunction::or_edge(nodes, split.borrowed(), free.borrowed())
}

impl Diagrams {
    /// The conjunction of literals, `false` if two contradict each other. Made bottom-up, one node a literal.
    pub fn cube(&self, literals: &[(BddVar, bool)]) -> Result<Bdd, OutOfNodes> {
        self.attempt(|nodes| match levels(nodes, literals) {
            Some(literals) => Bdd::made(nodes, chain(nodes, &literals)),
            None => Ok(self.fals()),
        })
    }

    /// The union of many cubes.
    ///
    /// Built by splitting the cubes at one variable after the other, so that cubes without a variable are the only
    /// ones that need an operation on diagrams: none do if all have the same variables.
    ///
    /// ```
    /// use tamis_diagram::{Diagrams, OutOfNodes};
    /// # fn main() -> Result<(), OutOfNodes> {
    /// let mut d = Diagrams::new(1000);
    /// let (a, b) = (d.new_var()?, d.new_var()?);
    /// let set = d.union_of_cubes(&[vec![(a, true)], vec![(a, false), (b, true)]])?;
    /// assert_eq!(set, d.or(&d.var(a), &d.var(b))?);
    /// # Ok(()) }
    /// ```
    pub fn union_of_cubes(&self, cubes: &[Cube]) -> Result<Bdd, OutOfNodes> {
        self.attempt(|nodes| {
            let chains: Vec<Chain> = cubes.iter().filter_map(|cube| levels(nodes, cube)).collect();
            let mut chains: Vec<&[(LevelNo, bool)]> = chains.iter().map(|chain| &chain[..]).collect();
            Bdd::made(nodes, union(nodes, &mut chains))
        })
    }

    /// Some cube inside `f`: the literals on a path to true. `None` if `f` is false.
    pub fn pick_cube(&self, f: &Bdd) -> Option<Cube> {
        self.manager.with_manager_shared(|nodes| {
            let mut edge = f.edge(nodes);
            if is_constant(nodes, edge, false) {
                return None;
            }
            let mut cube = Cube::new();
            while let Some((then, other)) = BCDDFunction::cofactors_edge(nodes, edge) {
                let positive = !is_constant(nodes, then, false);
                cube.push((BddVar(nodes.level_to_var(nodes.get_node(edge).level())), positive));
                edge = if positive { then } else { other };
            }
            Some(cube)
        })
    }

    /// Some assignment in `f`: a value for each of `vars`, and for what else the path depends on. `None` if `f` is
    /// false.
    pub fn pick_minterm(&self, f: &Bdd, vars: &[BddVar]) -> Option<Cube> {
        let mut minterm = self.pick_cube(f)?;
        minterm.sort_unstable();
        let mut free: Vec<BddVar> = vars.to_vec();
        free.sort_unstable();
        free.dedup();
        free.retain(|v| minterm.binary_search_by_key(v, |&(v, _)| v).is_err());
        minterm.extend(free.into_iter().map(|v| (v, false)));
        minterm.sort_unstable();
        Some(minterm)
    }
}
