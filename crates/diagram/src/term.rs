//! Functions as formulas.

use crate::bdd::{Bdd, BddVar, EdgeRef, Nodes, RawEdge, is_complemented};
use crate::inspect::bottom_up;
use crate::manager::Diagrams;
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, LevelNo, Manager, ManagerRef};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Term, Terms};

impl Diagrams {
    /// `f` as a formula, each variable replaced by the predicate that it stands for.
    ///
    /// A node becomes an if-then-else, or a conjunction or disjunction if one of its cofactors is constant; negations
    /// are pushed through the latter so that cubes and clauses are read as such. Shared nodes stay shared: there are
    /// at most two formulas for a node, one for each sign.
    ///
    /// ```
    /// use tamis_diagram::{Diagrams, OutOfNodes};
    /// use tamis_logic::{Sort, Terms};
    /// # fn main() -> Result<(), OutOfNodes> {
    /// let mut terms = Terms::new();
    /// let predicates = [terms.var("p", Sort::Bool), terms.var("q", Sort::Bool)];
    /// let mut d = Diagrams::new(1000);
    /// let (p, q) = (d.new_var()?, d.new_var()?);
    /// let f = d.and(&d.var(p), &d.literal(q, false))?;
    /// let formula = d.to_term(&mut terms, &f, |v| predicates[v.index()]);
    /// let not_q = terms.not(predicates[1]);
    /// assert_eq!(formula, terms.and2(predicates[0], not_q));
    /// # Ok(()) }
    /// ```
    pub fn to_term(&self, terms: &mut Terms, f: &Bdd, mut meaning: impl FnMut(BddVar) -> Term) -> Term {
        let predicates: FxHashMap<BddVar, Term> =
            self.support(f).into_iter().map(|v| (v, meaning(v))).collect();
        self.manager.with_manager_shared(|nodes| {
            let root = f.edge(nodes);
            let order = bottom_up(nodes, root);
            let wanted = wanted_edges(nodes, root, &order);
            let mut formulas: FxHashMap<RawEdge<'_>, Term> = FxHashMap::default();
            let (tru, fals) = (BCDDFunction::t_edge(nodes), BCDDFunction::f_edge(nodes));
            formulas.extend([(tru.raw(), terms.tru()), (fals.raw(), terms.fals())]);
            nodes.drop_edge(tru);
            nodes.drop_edge(fals);
            for &(level, edge) in &order {
                let predicate = predicates[&BddVar(nodes.level_to_var(level))];
                for signed in [edge, negated(edge)] {
                    if wanted.contains(&signed.raw()) {
                        let formula = match parts(nodes, signed) {
                            Some((then, other)) => {
                                terms.ite(predicate, formulas[&then.raw()], formulas[&other.raw()])
                            }
                            None => terms.not(formulas[&edge.raw()]),
                        };
                        formulas.insert(signed.raw(), formula);
                    }
                }
            }
            formulas[&root.raw()]
        })
    }
}

/// The edges whose formulas that of `root` is made of, where `order` has the nodes below `root` bottom-up.
fn wanted_edges<'a, 'id>(
    nodes: &'a Nodes<'id>,
    root: EdgeRef<'a, 'id>,
    order: &[(LevelNo, EdgeRef<'a, 'id>)],
) -> FxHashSet<RawEdge<'id>> {
    let mut wanted = FxHashSet::from_iter([root.raw()]);
    for &(_, edge) in order.iter().rev() {
        // The negated edge first, because it may want the other.
        for signed in [negated(edge), edge] {
            if wanted.contains(&signed.raw()) {
                match parts(nodes, signed) {
                    Some((then, other)) => wanted.extend([then.raw(), other.raw()]),
                    None => wanted.extend([edge.raw()]),
                }
            }
        }
    }
    wanted
}

/// The cofactors to build the formula of an inner edge from; none if it is to be the negation of the regular edge's.
fn parts<'a, 'id>(
    nodes: &'a Nodes<'id>,
    edge: EdgeRef<'a, 'id>,
) -> Option<(EdgeRef<'a, 'id>, EdgeRef<'a, 'id>)> {
    let (then, other) = BCDDFunction::cofactors_edge(nodes, edge)?;
    let junction = nodes.get_node(then).is_any_terminal() || nodes.get_node(other).is_any_terminal();
    (junction || !is_complemented(edge)).then_some((then, other))
}

fn negated<'a, 'id>(edge: EdgeRef<'a, 'id>) -> EdgeRef<'a, 'id> {
    edge.with_tag(!edge.tag())
}
