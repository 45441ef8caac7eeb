//! What a function looks like: size, support, values, number of models. Nothing here makes nodes.

use crate::bdd::{Bdd, BddVar, EdgeRef, Nodes, is_complemented, is_constant};
use crate::manager::Diagrams;
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, HasLevel, InnerNode, LevelNo, Manager, ManagerRef, Node, NodeID};
use rustc_hash::{FxHashMap, FxHashSet};

/// The inner nodes of `root`, each with its level, those further down in the order first: a node comes after its
/// cofactors.
pub(crate) fn bottom_up<'a, 'id>(
    nodes: &'a Nodes<'id>,
    root: EdgeRef<'a, 'id>,
) -> Vec<(LevelNo, EdgeRef<'a, 'id>)> {
    let mut seen: FxHashSet<NodeID> = FxHashSet::default();
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(edge) = open.pop() {
        if let Node::Inner(node) = nodes.get_node(edge)
            && seen.insert(edge.node_id())
        {
            found.push((node.level(), edge.with_tag(Default::default())));
            open.extend(node.children());
        }
    }
    found.sort_unstable_by_key(|&(level, _)| std::cmp::Reverse(level));
    found
}

impl Diagrams {
    /// Is `f` true everywhere?
    pub fn is_true(&self, f: &Bdd) -> bool {
        self.manager.with_manager_shared(|nodes| is_constant(nodes, f.edge(nodes), true))
    }

    /// Is `f` false everywhere?
    pub fn is_false(&self, f: &Bdd) -> bool {
        self.manager.with_manager_shared(|nodes| is_constant(nodes, f.edge(nodes), false))
    }

    /// The number of nodes of `f`, the constant not counted.
    pub fn node_count(&self, f: &Bdd) -> usize {
        self.manager.with_manager_shared(|nodes| bottom_up(nodes, f.edge(nodes)).len())
    }

    /// The variables that `f` depends on, by order of creation.
    pub fn support(&self, f: &Bdd) -> Vec<BddVar> {
        self.manager.with_manager_shared(|nodes| {
            let mut levels: Vec<LevelNo> =
                bottom_up(nodes, f.edge(nodes)).into_iter().map(|(level, _)| level).collect();
            levels.dedup();
            let mut vars: Vec<BddVar> = levels.into_iter().map(|l| BddVar(nodes.level_to_var(l))).collect();
            vars.sort_unstable();
            vars
        })
    }

    /// The value of `f` under an assignment, which must not itself run operations of this manager.
    pub fn eval(&self, f: &Bdd, assignment: impl Fn(BddVar) -> bool) -> bool {
        self.manager.with_manager_shared(|nodes| {
            let mut edge = f.edge(nodes);
            while let Some((then, other)) = BCDDFunction::cofactors_edge(nodes, edge) {
                let v = BddVar(nodes.level_to_var(nodes.get_node(edge).level()));
                edge = if assignment(v) { then } else { other };
            }
            !is_complemented(edge)
        })
    }

    /// The number of assignments in `f` over `vars` and the support of `f`. Exact below 2⁵³; too large for `f64`
    /// beyond about a thousand variables.
    pub fn minterm_count(&self, f: &Bdd, vars: &[BddVar]) -> f64 {
        let mut domain = self.support(f);
        domain.extend_from_slice(vars);
        domain.sort_unstable();
        domain.dedup();
        self.share_of_models(f) * 2f64.powi(domain.len() as i32)
    }

    /// Which part of all assignments is in `f`. Kept for both signs of a node, because one minus the other would
    /// lose the models of a sparse function to rounding.
    fn share_of_models(&self, f: &Bdd) -> f64 {
        self.manager.with_manager_shared(|nodes| {
            let mut shares: FxHashMap<NodeID, [f64; 2]> = FxHashMap::default();
            let share_of = |shares: &FxHashMap<NodeID, [f64; 2]>, edge: EdgeRef<'_, '_>| {
                let [models, others] = shares.get(&edge.node_id()).copied().unwrap_or([1.0, 0.0]);
                if is_complemented(edge) { [others, models] } else { [models, others] }
            };
            for (_, edge) in bottom_up(nodes, f.edge(nodes)) {
                if let Some((then, other)) = BCDDFunction::cofactors_edge(nodes, edge) {
                    let (then, other) = (share_of(&shares, then), share_of(&shares, other));
                    let average = |sign: usize| (then[sign] + other[sign]) / 2.0;
                    shares.insert(edge.node_id(), [average(0), average(1)]);
                }
            }
            share_of(&shares, f.edge(nodes))[0]
        })
    }
}
