//! Inclusion of one function in another.

use crate::bdd::{Bdd, EdgeRef, Nodes, RawEdge, is_constant};
use crate::manager::Diagrams;
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, LevelNo, Manager, ManagerRef};
use rustc_hash::FxHashSet;

impl Diagrams {
    /// Is `f → g` valid? Stops at the first counterexample and makes no nodes, unlike building `f ∧ ¬g`.
    pub fn is_subset(&self, f: &Bdd, g: &Bdd) -> bool {
        self.manager.with_manager_shared(|nodes| {
            let mut seen: FxHashSet<(RawEdge<'_>, RawEdge<'_>)> = FxHashSet::default();
            let mut open = vec![(f.edge(nodes), g.edge(nodes))];
            while let Some((f, g)) = open.pop() {
                if f == g || is_constant(nodes, f, false) || is_constant(nodes, g, true) {
                    continue;
                }
                // Here f has a model and g a countermodel: constants and complements decide.
                if is_constant(nodes, f, true) || is_constant(nodes, g, false) || f.node_id() == g.node_id() {
                    return false;
                }
                if !seen.insert((f.raw(), g.raw())) {
                    continue;
                }
                let level = nodes.get_node(f).level().min(nodes.get_node(g).level());
                let (f_then, f_else) = cofactors_at(nodes, f, level);
                let (g_then, g_else) = cofactors_at(nodes, g, level);
                open.push((f_then, g_then));
                open.push((f_else, g_else));
            }
            true
        })
    }
}

/// The cofactors by the variable at `level`, which is not below the top of `edge`.
fn cofactors_at<'a, 'id>(
    nodes: &'a Nodes<'id>,
    edge: EdgeRef<'a, 'id>,
    level: LevelNo,
) -> (EdgeRef<'a, 'id>, EdgeRef<'a, 'id>) {
    match BCDDFunction::cofactors_edge(nodes, edge) {
        Some(cofactors) if nodes.get_node(edge).level() == level => cofactors,
        _ => (edge, edge),
    }
}
