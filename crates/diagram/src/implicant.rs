//! A prime implicant around an assignment.

use crate::bdd::{Bdd, BddVar, Cube, EdgeRef, Nodes, RawEdge, is_complemented, is_constant};
use crate::manager::Diagrams;
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, LevelNo, Manager, ManagerRef};
use rustc_hash::FxHashSet;

impl Diagrams {
    /// A prime implicant of `f` that has the given assignment, which must not itself run operations of this manager; `None`
    /// if the assignment is not in `f`.
    ///
    /// ```
    /// use tamis_diagram::{Diagrams, OutOfNodes};
    /// # fn main() -> Result<(), OutOfNodes> {
    /// let mut d = Diagrams::new(1000);
    /// let (a, b) = (d.new_var()?, d.new_var()?);
    /// let f = d.or(&d.var(a), &d.var(b))?;
    /// assert_eq!(d.implicant(&f, |_| true), Some(vec![(a, true)]));
    /// assert_eq!(d.implicant(&f, |_| false), None);
    /// # Ok(()) }
    /// ```
    pub fn implicant(&self, f: &Bdd, assignment: impl Fn(BddVar) -> bool) -> Option<Cube> {
        self.manager.with_manager_shared(|nodes| {
            let mut edge = f.edge(nodes);
            let mut path: Vec<(LevelNo, bool)> = Vec::new();
            while let Some((then, other)) = BCDDFunction::cofactors_edge(nodes, edge) {
                let level = nodes.get_node(edge).level();
                let value = assignment(BddVar(nodes.level_to_var(level)));
                path.push((level, value));
                edge = if value { then } else { other };
            }
            if is_complemented(edge) {
                return None;
            }
            // What is not on the path does not matter; of what is, literals are dropped from the top.
            let mut at = 0;
            while at < path.len() {
                let literal = path.remove(at);
                if !is_implicant(nodes, f.edge(nodes), &path) {
                    path.insert(at, literal);
                    at += 1;
                }
            }
            Some(path.into_iter().map(|(level, value)| (BddVar(nodes.level_to_var(level)), value)).collect())
        })
    }
}

/// Whether a cube, its literals ordered by level, implies `f`.
fn is_implicant<'id>(nodes: &Nodes<'id>, f: EdgeRef<'_, 'id>, cube: &[(LevelNo, bool)]) -> bool {
    let mut seen: FxHashSet<RawEdge<'_>> = FxHashSet::default();
    let mut open = vec![f];
    while let Some(edge) = open.pop() {
        if is_constant(nodes, edge, false) {
            return false;
        }
        let Some((then, other)) = BCDDFunction::cofactors_edge(nodes, edge) else { continue };
        if !seen.insert(edge.raw()) {
            continue;
        }
        let level = nodes.get_node(edge).level();
        match cube.binary_search_by_key(&level, |&(level, _)| level) {
            Ok(at) => open.push(if cube[at].1 { then } else { other }),
            Err(_) => open.extend([then, other]),
        }
    }
    true
}
