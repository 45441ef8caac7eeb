//! Functions of one manager in another.

use crate::bdd::{Bdd, BddVar, EdgeRef, OutOfNodes, is_complemented};
use crate::inspect::bottom_up;
use crate::manager::Diagrams;
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, Manager, ManagerRef, NodeID};
use rustc_hash::FxHashMap;

impl Diagrams {
    /// The function `f` of `other` here, each variable replaced by the one that `meaning` gives. The orders may differ.
    ///
    /// ```
    /// use tamis_diagram::{Diagrams, OutOfNodes};
    /// # fn main() -> Result<(), OutOfNodes> {
    /// let (mut here, mut there) = (Diagrams::new(1000), Diagrams::new(1000));
    /// let (a, b, x, y) = (here.new_var()?, here.new_var()?, there.new_var()?, there.new_var()?);
    /// let f = there.and(&there.var(x), &there.literal(y, false))?;
    /// let same = here.transfer(&there, &f, |v| if v == x { b } else { a })?;
    /// assert_eq!(same, here.and(&here.var(b), &here.literal(a, false))?);
    /// # Ok(()) }
    /// ```
    pub fn transfer(
        &self,
        other: &Diagrams,
        f: &Bdd,
        meaning: impl Fn(BddVar) -> BddVar,
    ) -> Result<Bdd, OutOfNodes> {
        other.manager.with_manager_shared(|nodes| {
            let root = f.edge(nodes);
            // By node, without complement; the constant is true.
            let mut made: FxHashMap<NodeID, Bdd> = FxHashMap::default();
            let signed = |made: &FxHashMap<NodeID, Bdd>, edge: EdgeRef<'_, '_>| {
                let function = made.get(&edge.node_id()).cloned().unwrap_or_else(|| self.tru());
                if is_complemented(edge) { self.not(&function) } else { function }
            };
            for (level, edge) in bottom_up(nodes, root) {
                if let Some((then, other)) = BCDDFunction::cofactors_edge(nodes, edge) {
                    let var = self.var(meaning(BddVar(nodes.level_to_var(level))));
                    let function = self.ite(&var, &signed(&made, then), &signed(&made, other))?;
                    made.insert(edge.node_id(), function);
                }
            }
            Ok(signed(&made, root))
        })
    }
}
