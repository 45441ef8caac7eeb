//! Connectives, quantifiers, cofactors and renaming.

use crate::bdd::{Bdd, BddVar, OutOfNodes};
use crate::manager::Diagrams;
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, Subst, Substitution};
use oxidd_core::util::EdgeDropGuard;

/// A simultaneous renaming of variables, made once by [`Diagrams::renaming`] and used many times: results are
/// remembered between uses of the same `Renaming`.
pub struct Renaming(Subst<BCDDFunction>);

impl Diagrams {
    /// `¬f`, in constant time.
    pub fn not(&self, f: &Bdd) -> Bdd {
        // Negation sets a mark on the edge and makes no node: the error cannot occur.
        Bdd(f.0.not().unwrap_or_else(|_| unreachable!("negation allocates nothing")))
    }

    /// `f ∧ g`.
    pub fn and(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.attempt(|nodes| Bdd::made(nodes, BCDDFunction::and_edge(nodes, f.edge(nodes), g.edge(nodes))))
    }

    /// `f ∨ g`.
    pub fn or(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.attempt(|nodes| Bdd::made(nodes, BCDDFunction::or_edge(nodes, f.edge(nodes), g.edge(nodes))))
    }

    /// `f ⊕ g`.
    pub fn xor(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.attempt(|nodes| Bdd::made(nodes, BCDDFunction::xor_edge(nodes, f.edge(nodes), g.edge(nodes))))
    }

    /// `f ↔ g`.
    pub fn iff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.attempt(|nodes| Bdd::made(nodes, BCDDFunction::equiv_edge(nodes, f.edge(nodes), g.edge(nodes))))
    }

    /// `f → g`. To learn only whether it is valid, ask [`is_subset`](Self::is_subset).
    pub fn implies(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.attempt(|nodes| Bdd::made(nodes, BCDDFunction::imp_edge(nodes, f.edge(nodes), g.edge(nodes))))
    }

    /// `f ∧ ¬g`.
    pub fn minus(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.and(f, &self.not(g))
    }

    /// `if c then f else g`.
    pub fn ite(&self, c: &Bdd, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.attempt(|nodes| {
            Bdd::made(nodes, BCDDFunction::ite_edge(nodes, c.edge(nodes), f.edge(nodes), g.edge(nodes)))
        })
    }

    /// `∃ vars. f`.
    pub fn exists(&self, f: &Bdd, vars: &[BddVar]) -> Result<Bdd, OutOfNodes> {
        self.attempt(|nodes| {
            let vars = EdgeDropGuard::new(nodes, crate::cube::conjunction(nodes, vars)?);
            Bdd::made(nodes, BCDDFunction::exists_edge(nodes, f.edge(nodes), vars.borrowed()))
        })
    }

    /// `∀ vars. f`.
    pub fn forall(&self, f: &Bdd, vars: &[BddVar]) -> Result<Bdd, OutOfNodes> {
        self.attempt(|nodes| {
            let vars = EdgeDropGuard::new(nodes, crate::cube::conjunction(nodes, vars)?);
            Bdd::made(nodes, BCDDFunction::forall_edge(nodes, f.edge(nodes), vars.borrowed()))
        })
    }

    /// The relational product `∃ vars. f ∧ g`, without building the conjunction.
    pub fn and_exists(&self, f: &Bdd, g: &Bdd, vars: &[BddVar]) -> Result<Bdd, OutOfNodes> {
        self.attempt(|nodes| {
            let vars = EdgeDropGuard::new(nodes, crate::cube::conjunction(nodes, vars)?);
            let and = BooleanOperator::And;
            Bdd::made(
                nodes,
                BCDDFunction::apply_exists_edge(nodes, and, f.edge(nodes), g.edge(nodes), vars.borrowed()),
            )
        })
    }

    /// `f` with `v` fixed to `value`.
    pub fn cofactor(&self, f: &Bdd, v: BddVar, value: bool) -> Result<Bdd, OutOfNodes> {
        self.restrict(f, &[(v, value)])
    }

    /// `f` with each variable of `cube` fixed to its value there. Of contradictory literals the first counts.
    pub fn restrict(&self, f: &Bdd, cube: &[(BddVar, bool)]) -> Result<Bdd, OutOfNodes> {
        let mut literals = cube.to_vec();
        literals.sort_by_key(|&(v, _)| v);
        literals.dedup_by_key(|&mut (v, _)| v);
        let cube = self.cube(&literals)?;
        self.attempt(|nodes| {
            Bdd::made(nodes, BCDDFunction::restrict_edge(nodes, f.edge(nodes), cube.edge(nodes)))
        })
    }

    /// `f` with each variable replaced simultaneously: in `(from, to)`, `from` by `to`. Two variables may go to the
    /// same one, and may be swapped. Of several pairs for one variable the first counts.
    pub fn rename(&self, f: &Bdd, pairs: &[(BddVar, BddVar)]) -> Result<Bdd, OutOfNodes> {
        self.apply_renaming(f, &self.renaming(pairs))
    }

    /// Prepares a renaming for repeated use. See [`rename`](Self::rename) for the meaning.
    pub fn renaming(&self, pairs: &[(BddVar, BddVar)]) -> Renaming {
        let mut pairs = pairs.to_vec();
        pairs.sort_by_key(|&(from, _)| from);
        pairs.dedup_by_key(|&mut (from, _)| from);
        pairs.retain(|(from, to)| from != to);
        let from = pairs.iter().map(|&(from, _)| from.0).collect();
        let to = pairs.iter().map(|&(_, to)| self.var(to).0).collect();
        Renaming(Subst::new(from, to))
    }

    /// `f` under a prepared renaming.
    pub fn apply_renaming(&self, f: &Bdd, renaming: &Renaming) -> Result<Bdd, OutOfNodes> {
        use oxidd::Function;
        self.attempt(|nodes| {
            let pairs = &renaming.0;
            let pairs = pairs.map(|(v, to): (u32, &BCDDFunction)| (v, to.as_edge(nodes)));
            Bdd::made(nodes, BCDDFunction::substitute_edge(nodes, f.edge(nodes), pairs))
        })
    }
}
