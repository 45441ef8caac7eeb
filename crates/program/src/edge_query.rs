//! EDGEQUERY as the paper writes it: \[SUM\] section 4.2.
//!
//! `A` holds all assignments of a fragment, `R_ℓ` says how a location inside it is reached, `R̂_ℓ` how its end is, and
//! `Src` and `Dst` relate Boolean variables to the predicates before and after. Control and data stay apart, which is
//! what an engine needs that eliminates the control variables `B_ℓ` early (section 4.3), and what `tamis abstract
//! --extract` writes. The search asks the same with [`encode`](crate::encode()), which substitutes assignments away and can
//! tell executions from models; both are held against the relation of the block.
//!
//! As in the paper the cutset must have the property BACK-EDGE-AT-END (section 4), as the cutsets from back-edges and
//! of rule and small-block summaries do: a name that the fragment defines must not be one that its start uses.

use crate::automaton::{EdgeId, Location};
use crate::ssa::Ssa;
use crate::summary::Block;
use rustc_hash::FxHashMap;
use tamis_logic::{Sort, Substitution, Term, Terms};

/// The query of a fragment: `∃V, V', V_ℓ. A ∧ CFG ∧ Src ∧ Dst`.
#[derive(Clone, Debug)]
pub struct EdgeQuery {
    /// `A`: all assignments of the fragment at once.
    pub a: Term,
    /// `B_ℓ` of the fragment's locations: its start first, its end last, those between in topological order. Start
    /// and end have one variable if they are one location.
    pub b: Vec<(Location, Term)>,
    /// `R_ℓ` of the locations strictly inside, in topological order.
    pub r: Vec<(Location, Term)>,
    /// `R̂_ℓ` of the fragment's end, whose φ-assignments are to primed names.
    pub r_hat: Term,
    /// `Src`: each predicate's Boolean variable and the predicate at the start.
    pub src: Vec<(Term, Term)>,
    /// `Dst`: each predicate's Boolean variable and the predicate at the end, `Φ(p)`.
    pub dst: Vec<(Term, Term)>,
}

impl EdgeQuery {
    /// `CFG`: the end is reached, and everything is that must be for it.
    pub fn cfg(&self, terms: &mut Terms) -> Term {
        let mut parts: Vec<Term> = self.r.iter().map(|&(_, r)| r).collect();
        parts.push(self.r_hat);
        parts.extend(self.b.last().map(|&(_, end)| end));
        terms.and(&parts)
    }

    /// `A ∧ CFG ∧ Src ∧ Dst`.
    pub fn formula(&self, terms: &mut Terms) -> Term {
        let mut parts = vec![self.a, self.cfg(terms)];
        for &(b, p) in self.src.iter().chain(&self.dst) {
            parts.push(terms.eq(b, p));
        }
        terms.and(&parts)
    }
}

/// The query of `block` with the predicates `p1` at its start and `p2` at its end, over the program's variables;
/// `None` if the cutset lacks BACK-EDGE-AT-END for this block.
pub fn edge_query(
    terms: &mut Terms,
    ssa: &Ssa<'_>,
    block: &Block,
    p1: &[Term],
    p2: &[Term],
) -> Option<EdgeQuery> {
    if block.inner.iter().any(|&(l, _)| ssa.dominators().dominates(l, block.from)) {
        return None;
    }
    let mut assignments = Vec::new();
    for e in block.edges() {
        if let Some((name, Some(value))) = ssa.act(e) {
            assignments.push(terms.eq(name, value));
        }
    }
    let mut control: FxHashMap<Location, Term> = FxHashMap::default();
    let inside = block.inner.iter().map(|&(l, _)| l);
    let b: Vec<(Location, Term)> = std::iter::once(block.from)
        .chain(inside)
        .chain([block.to])
        .map(|l| (l, *control.entry(l).or_insert_with(|| terms.fresh("B", Sort::Bool))))
        .collect();
    // Names that the end defines are primed: the fragment may still use what they were before.
    let primed: Substitution = ssa
        .phi_names(block.to)
        .map(|name| {
            (name, {
                let sort = terms.sort(name);
                terms.fresh("next", sort)
            })
        })
        .collect();
    let reached = |terms: &mut Terms, l: Location, edges: &[EdgeId], prime: bool| {
        let mut ways = Vec::with_capacity(edges.len());
        for &e in edges {
            let mut way = vec![control[&ssa.program().edge(e).from]];
            way.extend(ssa.guard(e));
            for (name, value) in ssa.phi(e) {
                let name = if prime { primed.get(name).unwrap_or(name) } else { name };
                way.push(terms.eq(name, value));
            }
            ways.push(terms.and(&way));
        }
        let some_way = terms.or(&ways);
        terms.implies(control[&l], some_way)
    };
    let r = block.inner.iter().map(|(l, edges)| (*l, reached(terms, *l, edges, false))).collect();
    let r_hat = reached(terms, block.to, &block.last, true);
    let src = p1.iter().map(|&p| (terms.fresh("b", Sort::Bool), ssa.read(terms, block.from, p))).collect();
    let dst = p2
        .iter()
        .map(|&p| {
            let at_end = ssa.read(terms, block.to, p);
            (terms.fresh("b", Sort::Bool), terms.substitute(at_end, &primed))
        })
        .collect();
    Some(EdgeQuery { a: terms.and(&assignments), b, r, r_hat, src, dst })
}
