//! How products are blocked.
//!
//! A model that is new is outside the cube of a product or outside one of its parts. A variable for each part says that
//! the latter is so; the cubes of the part are then excluded, each by a clause. A part that is met again has its
//! variable already. Nothing has to decide these variables: once the important literals are assigned, that of a part is false if
//! these are in the part, and can be true if they are not.

use crate::clauses::{Lit, Reason};
use crate::enumerate::{Found, Literals, Next, OnProduct, Product, Run};
use crate::implicant::{Inside, Sufficient};
use crate::product::{Part, Parts};

/// A literal that follows from a clause whose other literals are false since a level. It was noticed at a later one, and
/// going back to a level in between must not lose it.
pub(crate) struct Following {
    lit: Lit,
    clause: u32,
    since: usize,
}

/// The products that have been found.
#[derive(Default)]
pub(crate) struct Blocked {
    parts: Parts,
    /// By part: the literal that says that the model is outside, and the number of each cube's clause.
    outside: Vec<(Lit, Vec<u32>)>,
}

impl Run<'_> {
    /// Gives the product that the model is in to the caller and blocks it.
    pub(crate) fn give_product(&mut self, on_product: OnProduct<'_>, blocked: &mut Blocked) -> Next {
        let search = &self.formulas.search;
        let values: Vec<bool> = self.important.iter().map(|&lit| search.value(lit) == Some(true)).collect();
        self.models += 1;
        let sufficient = self.formulas.sufficient(&self.important, &mut blocked.parts);
        // Of each part the cube that the model is in.
        let inner = |sufficient: Sufficient| -> Option<(Sufficient, Vec<usize>)> {
            let holds = |cube: &Literals| cube.iter().all(|&(at, value)| values[at] == value);
            let cube_of = |inside: &Inside| blocked.parts.all[inside.part].cubes.iter().position(holds);
            let cubes = sufficient.parts.iter().map(cube_of).collect::<Option<Vec<usize>>>()?;
            Some((sufficient, cubes))
        };
        let minterm = || (Sufficient { kept: (0..values.len()).collect(), parts: Vec::new() }, Vec::new());
        let (Sufficient { kept, parts }, inner) = sufficient.and_then(inner).unwrap_or_else(minterm);
        let cube: Literals = kept.iter().map(|&at| (at, values[at])).collect();
        let met: Vec<&Part> = parts.iter().map(|inside| &blocked.parts.all[inside.part]).collect();
        if !on_product(&Product { cube: &cube, parts: &met }) {
            return Next::End(Found::Done(self.done(false)));
        }
        for part in blocked.outside.len()..blocked.parts.all.len() {
            let outside = self.exclude(&blocked.parts.all[part]);
            blocked.outside.push(outside);
        }
        let literals: Vec<Lit> = parts.iter().map(|inside| blocked.outside[inside.part].0).collect();
        self.block_product(&cube, &literals);
        let mut conflict = self.excluding(&cube);
        let mut reasons: Vec<(Lit, u32)> = Vec::new();
        for (Inside { part, because }, &at) in parts.iter().zip(&inner) {
            let (outside, clauses) = &blocked.outside[*part];
            // What is known to be inside is said by the variable: else the clause could stay false after going back.
            if self.formulas.search.is_false(*outside) {
                conflict.push(*outside);
                continue;
            }
            let reason = because.as_ref().and_then(|because| self.never_outside(*outside, because));
            let reason = reason.unwrap_or(clauses[at]);
            conflict.extend(&self.formulas.search.clauses.lits(reason)[1..]);
            // After going back one may still hold where the other does not.
            reasons.extend([(!*outside, reason), (!*outside, clauses[at])]);
        }
        self.formulas.search.set_conflict(&conflict);
        if !self.resolve() {
            return Next::End(Found::Done(self.done(true)));
        }
        for (lit, reason) in reasons {
            self.follow_from(lit, reason);
        }
        Next::Go
    }

    /// Adds a clause that true literals leave nothing outside a part, and returns its number; none if there are no such literals.
    fn never_outside(&mut self, outside: Lit, because: &[Lit]) -> Option<u32> {
        let search = &mut self.formulas.search;
        let mut clause: Vec<Lit> = because.iter().map(|&lit| !lit).collect();
        clause.push(!self.activation);
        clause.sort_unstable();
        clause.dedup();
        clause.sort_by_key(|&lit| std::cmp::Reverse(search.level_of(lit)));
        clause.insert(0, !outside);
        (clause.len() > 2).then(|| search.block_as_it_is(&clause))
    }

    /// A variable that is true only outside a part.
    fn exclude(&mut self, part: &Part) -> (Lit, Vec<u32>) {
        let outside = Lit::new(self.formulas.search.variable(), true);
        let mut clause: Vec<Lit> = Vec::new();
        let clauses = part.cubes.iter().map(|cube| {
            clause.clear();
            clause.push(!outside);
            clause.extend(self.against(cube));
            clause[1..].sort_unstable();
            clause.dedup();
            let search = &mut self.formulas.search;
            // What is not false, or was false last, is watched beside the new variable.
            let rank = |&lit: &Lit| match search.is_false(lit) {
                false => usize::MAX,
                true => search.level_of(lit),
            };
            let watched = (1..clause.len()).max_by_key(|&at| rank(&clause[at])).unwrap_or(1);
            clause.swap(1, watched);
            search.block_as_it_is(&clause)
        });
        (outside, clauses.collect())
    }

    /// Excludes a cube inside of parts.
    fn block_product(&mut self, cube: &[(usize, bool)], outside: &[Lit]) {
        let mut clause = self.excluding(cube);
        if outside.is_empty() {
            self.formulas.search.block(&clause);
            return;
        }
        clause.extend_from_slice(outside);
        clause.sort_unstable();
        clause.dedup();
        let search = &mut self.formulas.search;
        let (open, mut others): (Vec<Lit>, Vec<Lit>) =
            clause.into_iter().partition(|&lit| search.value(lit).is_none());
        others.sort_by_key(|&lit| std::cmp::Reverse(search.level_of(lit)));
        search.add_passing(&[open, others].concat());
    }

    /// Notes that a clause says a literal if all its other literals are still false.
    fn follow_from(&mut self, lit: Lit, clause: u32) {
        let search = &self.formulas.search;
        let lits = search.clauses.lits(clause);
        if lits.first() == Some(&lit) && lits[1..].iter().all(|&other| search.is_false(other)) {
            let since = lits[1..].iter().map(|&other| search.level_of(other)).max().unwrap_or(0);
            self.following.push(Following { lit, clause, since });
        }
        self.assign_following();
    }

    /// After going back: assigns again what has followed since an earlier level than the one at which it was noticed.
    pub(crate) fn assign_following(&mut self) {
        let search = &mut self.formulas.search;
        self.following.retain(|following| following.since <= search.level());
        for &Following { lit, clause, .. } in &self.following {
            if search.value(lit).is_none() {
                search.assign(lit, Reason::Clause(clause));
            }
        }
    }
}
