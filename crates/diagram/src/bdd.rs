//! The values: functions, variables, cubes.

use oxidd::bcdd::BCDDFunction;
use oxidd::util::AllocResult;
use oxidd::{Edge, Function};
use oxidd_core::Manager;
use oxidd_core::function::{EdgeOfFunc, OwnEdgeOfFunc};
use oxidd_core::util::Ref;
use std::fmt;

/// OxiDD's manager of complement-edge BDDs, inside one locked access.
pub(crate) type Nodes<'id> = <BCDDFunction as Function>::Manager<'id>;
/// A counted reference to a node, which must be given back to its manager.
pub(crate) type OwnEdge<'id> = OwnEdgeOfFunc<'id, BCDDFunction>;
/// The uncounted value of an edge: a key for tables that live no longer than one locked access.
pub(crate) type RawEdge<'id> = EdgeOfFunc<'id, BCDDFunction>;
/// A borrowed edge.
pub(crate) type EdgeRef<'a, 'id> = Ref<'a, RawEdge<'id>>;

/// A Boolean function over the variables of one [`Diagrams`](crate::Diagrams).
///
/// Equality and hashing are by function (diagrams are canonical) and take constant time; so does cloning. A `Bdd`
/// keeps its manager's memory alive by itself. Giving it to an operation of another manager is a programming error
/// and panics.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(pub(crate) BCDDFunction);

impl Bdd {
    /// The function of an edge that an operation made.
    pub(crate) fn made<'id>(nodes: &Nodes<'id>, edge: AllocResult<OwnEdge<'id>>) -> AllocResult<Bdd> {
        edge.map(|edge| Bdd(BCDDFunction::from_edge(nodes, edge)))
    }

    pub(crate) fn edge<'a, 'id>(&'a self, nodes: &Nodes<'id>) -> EdgeRef<'a, 'id> {
        self.0.as_edge(nodes)
    }

    /// Is this the function that is true everywhere?
    pub fn is_true(&self) -> bool {
        self.0.with_manager_shared(|nodes, edge| is_constant(nodes, edge, true))
    }

    /// Is this the function that is false everywhere?
    pub fn is_false(&self) -> bool {
        self.0.with_manager_shared(|nodes, edge| is_constant(nodes, edge, false))
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.with_manager_shared(|_, edge| {
            let sign = if is_complemented(edge) { "¬" } else { "" };
            write!(f, "Bdd({sign}{})", edge.node_id())
        })
    }
}

/// Is `edge` the constant `value`?
pub(crate) fn is_constant<'id>(nodes: &Nodes<'id>, edge: EdgeRef<'_, 'id>, value: bool) -> bool {
    is_complemented(edge) != value && nodes.get_node(edge).is_any_terminal()
}

/// Does `edge` stand for the negation of the node it points to?
pub(crate) fn is_complemented<E: Edge>(edge: Ref<'_, E>) -> bool {
    edge.tag() != E::Tag::default()
}

/// A variable of a [`Diagrams`](crate::Diagrams), by order of creation. Reordering does not change it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct BddVar(pub(crate) u32);

impl BddVar {
    /// The number of variables created before this one.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A conjunction of literals: variables with the value that they must have.
pub type Cube = Vec<(BddVar, bool)>;

/// The manager's node limit does not allow the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfNodes;

impl fmt::Display for OutOfNodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the decision diagrams exceed their node limit")
    }
}

impl std::error::Error for OutOfNodes {}
