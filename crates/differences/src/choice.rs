//! Disjunctions of cubes, of which one has to be chosen.
//!
//! A set of abstract states is a disjunction of hundreds of cubes. As clauses, each atom that is assigned would falsify the
//! literals of many cubes, again after each conflict. Here nothing is propagated from atoms to cubes. When the search decides a
//! choice, it takes a cube without false literals, which then implies its literals. If there is none, the conflict is a set
//! of false literals that has one of every cube.

use crate::Formulas;
use crate::clauses::Lit;
use crate::encode::Gate;
use crate::implicant::Needed;
use crate::limits;
use crate::rows::Rows;
use crate::search::Search;
use std::sync::Arc;

/// A disjunction of cubes.
pub(crate) struct Choice {
    /// For each cube the literal that chooses it, and its own.
    cubes: Vec<(Lit, Arc<[Lit]>)>,
    /// Which cube has which literal, unless that table would be too large.
    rows: Option<Rows>,
    /// For each cube a literal that was false when it was last visited: most often it still is.
    refuted_by: Vec<Lit>,
    /// The cube that was taken last.
    latest: usize,
}

/// What to do about a choice.
pub(crate) enum Choose {
    /// A cube holds.
    Made,
    Decide(Lit),
    /// Literals that are all false, one of which has to be true.
    Conflict(Vec<Lit>),
}

impl Formulas {
    /// Takes a clause for a choice, if most of its literals are conjunctions that nothing else needs.
    pub(crate) fn assert_choice(&mut self, clause: &[Lit]) -> bool {
        if clause.len() < limits::CUBES_OF_CHOICE {
            return false;
        }
        let cubes: Vec<(Lit, Arc<[Lit]>)> = clause.iter().map(|&lit| (lit, self.cube_of(lit))).collect();
        if 2 * cubes.iter().filter(|(_, cube)| cube.len() > 1).count() < cubes.len() {
            return false;
        }
        for (lit, cube) in &cubes {
            cube.iter().for_each(|&input| self.demand(input));
            if **cube != [*lit] {
                self.search.clauses.add_implications(*lit, cube);
            }
        }
        let rows = Rows::new(&cubes, self.search.variables());
        if let Some(rows) = &rows {
            self.add_common(rows);
        }
        let refuted_by = cubes.iter().map(|&(lit, _)| lit).collect();
        self.search.choices.push(Choice { cubes, rows, refuted_by, latest: 0 });
        true
    }

    /// Adds the clauses of one or two literals that every cube satisfies, so that they propagate before a cube is chosen.
    fn add_common(&mut self, rows: &Rows) {
        if rows.lits.len() > limits::LITERALS_OF_CHOICE {
            return;
        }
        let mut open: Vec<usize> = Vec::new();
        for (at, &lit) in rows.lits.iter().enumerate() {
            let row = rows.row(at);
            if row.iter().all(|&word| word == u64::MAX) {
                self.search.add_clause(&[lit]);
                continue;
            }
            let is_other = |&&other: &&usize| row.iter().zip(rows.row(other)).all(|(a, b)| a | b == u64::MAX);
            for &other in open.iter().filter(is_other) {
                self.search.add_clause(&[lit, rows.lits[other]]);
            }
            open.push(at);
        }
    }

    /// The literals that a literal is the conjunction of; itself if it is none.
    pub(crate) fn cube_of(&self, lit: Lit) -> Arc<[Lit]> {
        match self.gates.get(lit.var() as usize) {
            Some(Some(Gate::And(inputs))) if lit.is_positive() => inputs.clone(),
            _ => [lit].into(),
        }
    }

    /// Puts the choice first that has the most variables in common with the important literals: its cubes fix most of them.
    pub(crate) fn order_choices(&mut self, important: &[Lit]) {
        let mut marked = vec![false; self.search.variables()];
        let mut pending: Vec<u32> = important.iter().map(|lit| lit.var()).collect();
        while let Some(var) = pending.pop() {
            if std::mem::replace(&mut marked[var as usize], true) {
                continue;
            }
            match self.gates.get(var as usize) {
                Some(Some(Gate::And(inputs))) => pending.extend(inputs.iter().map(|lit| lit.var())),
                Some(Some(Gate::Ite(c, a, b))) => pending.extend([c, a, b].map(|lit| lit.var())),
                _ => {}
            }
        }
        let related = |choice: &Choice| {
            let mut open = marked.clone();
            let lits = choice.cubes.iter().flat_map(|(_, cube)| cube.iter());
            lits.filter(|lit| std::mem::take(&mut open[lit.var() as usize])).count()
        };
        // The first of those that are equally related.
        let best = self.search.choices.iter().enumerate().rev().max_by_key(|(_, choice)| related(choice));
        if let Some((best, _)) = best {
            self.search.choices[..=best].rotate_right(1);
        }
    }
}

impl Choice {
    /// The cubes all of whose literals are `allowed`.
    pub(crate) fn within(&self, allowed: impl Fn(Lit) -> bool) -> impl Iterator<Item = &[Lit]> {
        let is_within = |&place: &usize| self.cubes[place].1.iter().all(|&lit| allowed(lit));
        let places = match &self.rows {
            Some(rows) => rows.within(allowed),
            None => (0..self.cubes.len()).filter(is_within).collect(),
        };
        places.into_iter().map(|place| &self.cubes[place].1[..])
    }

    /// The literals of a cube that holds, if possible one whose literals are needed anyway.
    pub(crate) fn holding(&self, search: &Search, needed: &Needed) -> Option<&[Lit]> {
        let missing = |cube: &&[Lit]| cube.iter().filter(|&&input| !needed.has(input)).count();
        self.within(|lit| search.is_true(lit)).min_by_key(missing)
    }
}

impl Search {
    /// What to do about the choice at a place.
    pub(crate) fn choose(&mut self, at: usize) -> Choose {
        let values = &self.values;
        let is_false = |lit: Lit| values[lit.index()] < 0;
        let choice = &mut self.choices[at];
        // What has been chosen implies its literals.
        if values[choice.cubes[choice.latest].0.index()] > 0 {
            return Choose::Made;
        }
        let count = choice.cubes.len();
        let mut open = None;
        for (step, place) in (choice.latest..count).chain(0..choice.latest).enumerate() {
            if is_false(choice.refuted_by[place]) {
                continue;
            }
            let (lit, cube) = &choice.cubes[place];
            if let Some(&refuting) = cube.iter().chain([lit]).find(|&&lit| is_false(lit)) {
                choice.refuted_by[place] = refuting;
                continue;
            }
            if cube.iter().all(|&input| values[input.index()] > 0) {
                choice.latest = place;
                return Choose::Made;
            }
            if open.is_none() {
                open = Some((place, *lit));
            }
            // The first choice is made early: hardly ever does another cube hold already.
            if step == 0 || at == 0 {
                break;
            }
        }
        match open {
            Some((place, lit)) => {
                self.choices[at].latest = place;
                Choose::Decide(lit)
            }
            None => Choose::Conflict(self.refutation(at)),
        }
    }

    /// False literals of which each cube has one, few of them if possible.
    fn refutation(&self, at: usize) -> Vec<Lit> {
        let choice = &self.choices[at];
        let (mut taken, left) = match &choice.rows {
            Some(rows) => rows.covering(|lit| self.is_false(lit), |lit| self.level_of(lit)),
            None => (Vec::new(), (0..choice.cubes.len()).collect()),
        };
        for (lit, cube) in left.into_iter().map(|place| &choice.cubes[place]) {
            if taken.iter().any(|taken| cube.contains(taken) || taken == lit) {
                continue;
            }
            let refuted = cube.iter().chain([lit]).filter(|&&input| self.value(input) == Some(false));
            taken.extend(refuted.min_by_key(|&&input| self.level_of(input)));
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testing::Random;

    /// What follows from a disjunction of cubes is propagated before one of them is chosen, and nothing else.
    #[test]
    fn what_cubes_have_in_common_is_propagated() {
        let mut source = Random::new(5);
        let mut random = |n: u64| source.below(n);
        const VARS: u32 = 7;
        let (mut units, mut pairs) = (0, 0);
        for round in 0..100 {
            let mut formulas = Formulas::new();
            let vars: Vec<u32> = (0..VARS).map(|_| formulas.search.variable()).collect();
            // Few are enough for some to have something in common; 70 do not fit into a word.
            let count = if round % 2 == 0 { 8 } else { 70 };
            let cubes: Vec<Vec<Lit>> = (0..count)
                .map(|_| {
                    let values = random(1 << VARS) | random(1 << VARS);
                    let is_true = |at: usize| values >> at & 1 == 1;
                    (0..VARS as usize).map(|at| Lit::new(vars[at], is_true(at))).collect()
                })
                .collect();
            let clause: Vec<Lit> = cubes.iter().map(|cube| formulas.and(cube.clone())).collect();
            assert!(formulas.assert_choice(&clause));
            let lits: Vec<Lit> =
                vars.iter().flat_map(|&var| [true, false].map(|value| Lit::new(var, value))).collect();
            for &a in &lits {
                formulas.search.restart();
                assert!(formulas.search.propagate());
                let follows = cubes.iter().all(|cube| cube.contains(&a));
                units += usize::from(follows);
                assert_eq!(
                    formulas.search.value(a),
                    follows
                        .then_some(true)
                        .or_else(|| { cubes.iter().all(|cube| cube.contains(&!a)).then_some(false) })
                );
                if formulas.search.value(a).is_some() {
                    continue;
                }
                formulas.search.decide(Some(!a));
                if !formulas.search.propagate() {
                    continue;
                }
                for &b in lits.iter().filter(|b| b.var() != a.var()) {
                    if cubes.iter().all(|cube| cube.contains(&a) || cube.contains(&b)) {
                        pairs += 1;
                        assert!(formulas.search.is_true(b));
                    }
                }
            }
        }
        assert!(units > 10 && pairs > 100, "{units} {pairs}");
    }
}
