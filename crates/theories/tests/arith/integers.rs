//! Integer problems that need branching, decided inside the theory and by a search that uses its splits.

use tamis_testing::Random;
use tamis_theories::arith::{LinearForm, Outcome, Rational, Relation, Simplex, Sort, Split, Var};
use tamis_theories::{Atom, Check, Literal, Theory};

/// Makes atoms as it goes, and asserts them.
struct Search {
    theory: Simplex,
    atoms: u32,
    cuts: usize,
}

impl Search {
    fn new(dive: usize, effort: usize) -> Search {
        let mut theory = Simplex::new();
        theory.set_dive(dive);
        theory.set_effort(effort);
        Search { theory, atoms: 0, cuts: 0 }
    }

    fn atom(&mut self, form: &LinearForm, relation: Relation, constant: Rational) -> Atom {
        let atom = Atom(self.atoms);
        self.atoms += 1;
        self.theory.bound(atom, form, relation, constant);
        atom
    }

    fn require(&mut self, form: &LinearForm, relation: Relation, constant: i64) {
        let atom = self.atom(form, relation, Rational::from(constant));
        self.theory.assert(Literal::new(atom, true)).unwrap();
    }

    /// What a DPLL(T) search would do with the splits: assert cuts, decide branches.
    fn satisfiable(&mut self) -> bool {
        match self.theory.check() {
            Check::Consistent => return true,
            Check::Conflict(_) => return false,
            Check::Split => {}
        }
        let mut branch = None;
        for split in self.theory.take_splits() {
            match split {
                Split::Branch { var, at } => branch = Some((var, at)),
                Split::Cut { form, bound, .. } => {
                    self.cuts += 1;
                    let atom = self.atom(&form, Relation::Ge, bound);
                    if self.theory.assert(Literal::new(atom, true)).is_err() {
                        return false;
                    }
                }
            }
        }
        let (var, at) = branch.expect("a branch");
        let atom = self.atom(&LinearForm::from(var), Relation::Le, at);
        for positive in [true, false] {
            self.theory.push();
            if self.theory.assert(Literal::new(atom, positive)).is_ok() && self.satisfiable() {
                return true;
            }
            self.theory.pop(1);
        }
        false
    }
}

/// Equations over 0 and 1 with random weights (market split): the relaxation says nothing about them.
#[test]
fn weighted_sums_of_bits_agree_with_enumeration() {
    let (mut yes, mut no, mut cuts) = (0, 0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let size = 4 + random.below(4);
        let equations: Vec<(Vec<i64>, i64)> = (0..2)
            .map(|_| {
                let weights: Vec<i64> = (0..size).map(|_| random.between(1, 12)).collect();
                let goal = weights.iter().sum::<i64>() / 2;
                (weights, goal)
            })
            .collect();
        let expected = (0..1u32 << size).any(|bits| {
            equations.iter().all(|(weights, goal)| {
                let chosen = weights.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
                chosen.map(|(_, weight)| weight).sum::<i64>() == *goal
            })
        });
        for (dive, effort) in [(0, 0), (3, 0), (100_000, 0), (0, 100), (0, 100_000)] {
            let mut search = Search::new(dive, effort);
            let vars: Vec<Var> = (0..size).map(|_| search.theory.variable(Sort::Int)).collect();
            for &var in &vars {
                search.require(&LinearForm::from(var), Relation::Ge, 0);
                search.require(&LinearForm::from(var), Relation::Le, 1);
            }
            let mut immediate = false;
            for (weights, goal) in &equations {
                let form: LinearForm =
                    vars.iter().zip(weights).map(|(var, weight)| (*var, Rational::from(*weight))).collect();
                for relation in [Relation::Le, Relation::Ge] {
                    let atom = search.atom(&form, relation, Rational::from(*goal));
                    immediate |= search.theory.assert(Literal::new(atom, true)).is_err();
                }
            }
            if immediate {
                assert!(!expected, "seed {seed}");
                continue;
            }
            let outcome = search.theory.clone().solve_integers(100_000);
            assert_eq!(outcome == Outcome::Model, expected, "seed {seed}");
            assert_ne!(outcome, Outcome::Unknown, "seed {seed}");
            assert_eq!(search.satisfiable(), expected, "seed {seed}, dive {dive}, effort {effort}");
            cuts += search.cuts;
        }
        if expected { yes += 1 } else { no += 1 }
    }
    assert!(yes > 5 && no > 5 && cuts > 5, "{yes} have solutions, {no} have none, {cuts} cuts");
}

/// `2x - 2y = 1` by way of a third variable, unbounded: only divisibility refutes it.
#[test]
fn divisibility_refutes_unbounded_equations() {
    let mut search = Search::new(8, 0);
    let [x, y, z] = [(); 3].map(|()| search.theory.variable(Sort::Int));
    for relation in [Relation::Le, Relation::Ge] {
        search.require(&LinearForm::from([(x, 4), (y, -6), (z, -1)]), relation, 0);
        search.require(&LinearForm::from(z), relation, 7);
    }
    let Check::Conflict(conflict) = search.theory.check() else { panic!("an even number is not 7") };
    assert_eq!(conflict.0.len(), 4);
}

/// A budget that is used up leaves the question open, and the theory as it was.
#[test]
fn an_unbounded_search_ends_with_its_budget() {
    let mut search = Search::new(0, 0);
    let [x, y] = [(); 2].map(|()| search.theory.variable(Sort::Int));
    // 1 ≤ 3x - 3y ≤ 2 has no integer solution, but x and y may grow for ever; two forms hide the divisor.
    let z = search.theory.variable(Sort::Int);
    let w = search.theory.variable(Sort::Int);
    search.require(&LinearForm::from([(x, 3), (z, -1)]), Relation::Ge, 0);
    search.require(&LinearForm::from([(x, 3), (z, -1)]), Relation::Le, 0);
    search.require(&LinearForm::from([(y, 3), (w, -1)]), Relation::Ge, 0);
    search.require(&LinearForm::from([(y, 3), (w, -1)]), Relation::Le, 0);
    search.require(&LinearForm::from([(z, 1), (w, -1)]), Relation::Ge, 1);
    search.require(&LinearForm::from([(z, 1), (w, -1)]), Relation::Le, 2);
    let first = search.theory.solve_integers(50);
    assert_ne!(first, Outcome::Model);
    assert_eq!(search.theory.solve_integers(50), first);
}
