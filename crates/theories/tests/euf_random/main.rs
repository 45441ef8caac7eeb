//! Random runs of the congruence closure against a closure that is computed from scratch by iterating to a fixpoint.

mod reference;

use reference::{External, Meaning, Reference, Term};
use tamis_testing::Random;
use tamis_theories::euf::{CongruenceClosure, Node};
use tamis_theories::{Atom, Check, Conflict, Literal, Theory};

/// A literal that was propagated, and when.
#[derive(Clone, Copy)]
struct Propagated {
    literal: Literal,
    level: usize,
    asserted: usize,
    externals: usize,
}

/// What was asserted when a level was opened.
struct Level {
    asserted: usize,
    externals: usize,
}

/// The closure, and beside it everything that the reference and a search would know.
struct Run {
    random: Random,
    euf: CongruenceClosure,
    nodes: Vec<Node>,
    terms: Vec<Term>,
    atoms: Vec<Meaning>,
    asserted: Vec<Literal>,
    externals: Vec<External>,
    levels: Vec<Level>,
    propagated: Vec<Propagated>,
    /// How often anything interesting happened.
    conflicts: usize,
    explanations: usize,
}

impl Run {
    fn new(seed: u64) -> Run {
        let euf = CongruenceClosure::new();
        let nodes = vec![euf.truth(false), euf.truth(true)];
        let terms = vec![Term::Truth(false), Term::Truth(true)];
        let mut run = Run {
            random: Random::new(seed),
            euf,
            nodes,
            terms,
            atoms: vec![],
            asserted: vec![],
            externals: vec![],
            levels: vec![],
            propagated: vec![],
            conflicts: 0,
            explanations: 0,
        };
        for _ in 0..3 {
            run.add(Term::Constant);
        }
        run
    }

    fn add(&mut self, term: Term) {
        let node = match &term {
            Term::Constant => self.euf.constant(),
            Term::Value(tag) => self.euf.value(*tag),
            Term::Truth(truth) => self.euf.truth(*truth),
            Term::Apply(function, arguments) => {
                let arguments: Vec<Node> = arguments.iter().map(|&a| self.nodes[a]).collect();
                self.euf.apply(*function, &arguments)
            }
        };
        match self.terms.iter().position(|other| *other == term && term != Term::Constant) {
            Some(old) => assert_eq!(self.nodes[old], node, "hash-consing"),
            None => {
                assert!(!self.nodes.contains(&node));
                self.terms.push(term);
                self.nodes.push(node);
            }
        }
    }

    fn any_term(&mut self) -> usize {
        self.random.below(self.terms.len())
    }

    /// A non-truth term, so that not every run dies of merging truth and falsity.
    fn some_term(&mut self) -> usize {
        2 + self.random.below(self.terms.len() - 2)
    }

    fn add_something(&mut self) {
        if self.terms.len() > 24 {
            return;
        }
        let term = match self.random.below(8) {
            0 => Term::Constant,
            1 => Term::Value(self.random.below(3) as u64),
            2..=5 => Term::Apply(self.random.below(3) as u32, vec![self.some_term()]),
            _ => Term::Apply(self.random.below(2) as u32, vec![self.some_term(), self.some_term()]),
        };
        self.add(term);
    }

    fn add_atom(&mut self) {
        if self.atoms.len() > 20 {
            return;
        }
        let atom = Atom(self.atoms.len() as u32);
        if self.random.below(4) == 0 {
            let a = self.some_term();
            self.euf.predicate(atom, self.nodes[a]);
            self.atoms.push(Meaning::Predicate(a));
        } else {
            let a = self.some_term();
            let b = if self.random.below(20) == 0 { self.any_term() } else { self.some_term() };
            self.euf.equality(atom, self.nodes[a], self.nodes[b]);
            self.atoms.push(Meaning::Equality(a, b));
        }
    }

    fn push(&mut self) {
        self.euf.push();
        self.levels.push(Level { asserted: self.asserted.len(), externals: self.externals.len() });
    }

    fn pop(&mut self, levels: usize) {
        self.euf.pop(levels);
        let target = self.levels.len() - levels;
        self.asserted.truncate(self.levels[target].asserted);
        self.externals.truncate(self.levels[target].externals);
        self.levels.truncate(target);
        self.propagated.retain(|propagated| propagated.level <= target);
    }

    fn pop_some(&mut self, at_most: usize) {
        let levels = 1 + self.random.below(self.levels.len().min(at_most));
        self.pop(levels);
    }

    fn reference(&self, literals: &[Literal], externals: usize) -> Reference {
        Reference::new(&self.terms, &self.atoms, literals, &self.externals[..externals])
    }

    fn assert_something(&mut self) -> Result<(), Conflict> {
        let free: Vec<Atom> = (0..self.atoms.len() as u32)
            .map(Atom)
            .filter(|atom| self.asserted.iter().all(|literal| literal.atom != *atom))
            .collect();
        if free.is_empty() {
            return Ok(());
        }
        let mut literal = Literal::new(free[self.random.below(free.len())], self.random.below(2) == 0);
        // A search mostly takes the propagated literals up.
        if let Some(known) = self.propagated.iter().find(|known| known.literal.atom == literal.atom)
            && self.random.below(10) > 0
        {
            literal = known.literal;
        }
        self.asserted.push(literal);
        self.euf.assert(literal)
    }

    fn conclude_something(&mut self) -> Result<(), Conflict> {
        let (a, b) = (self.some_term(), self.some_term());
        let mut reasons = Vec::new();
        for literal in &self.asserted {
            if self.random.below(3) == 0 {
                reasons.push(*literal);
            }
        }
        self.externals.push(External { a, b, reasons: reasons.clone() });
        self.euf.assert_equality(self.nodes[a], self.nodes[b], &reasons)
    }

    /// Everything that must hold when there is no conflict.
    fn check_state(&mut self) {
        let reference = self.reference(&self.asserted, self.externals.len());
        assert!(reference.is_consistent, "missed conflict");
        assert_eq!(self.euf.check(), Check::Consistent);
        for (a, &node_a) in self.nodes.iter().enumerate() {
            let mut class: Vec<Node> = self.euf.class(node_a).collect();
            class.sort();
            let mut expected = Vec::new();
            for (b, &node_b) in self.nodes.iter().enumerate() {
                assert_eq!(self.euf.same(node_a, node_b), reference.same(a, b), "same {a} {b}");
                assert_eq!(self.euf.disequal(node_a, node_b), reference.disequal(a, b), "disequal {a} {b}");
                assert_eq!(
                    self.euf.representative(node_a) == self.euf.representative(node_b),
                    reference.same(a, b)
                );
                expected.extend(reference.same(a, b).then_some(node_b));
            }
            expected.sort();
            assert_eq!(class, expected);
            assert!(expected.contains(&self.euf.representative(node_a)));
        }
        for (number, &meaning) in self.atoms.iter().enumerate() {
            assert_eq!(self.euf.truth_of(Atom(number as u32)), reference.truth(meaning));
        }
        let (a, b) = (self.any_term(), self.any_term());
        let mut reasons = Vec::new();
        if reference.same(a, b) {
            self.euf.explain_equality(self.nodes[a], self.nodes[b], &mut reasons);
            assert!(self.reference(&reasons, self.externals.len()).same(a, b));
        } else if reference.disequal(a, b) {
            self.euf.explain_disequality(self.nodes[a], self.nodes[b], &mut reasons);
            assert!(self.reference(&reasons, self.externals.len()).disequal(a, b));
        }
        assert!(reasons.iter().all(|reason| self.asserted.contains(reason)));
        self.check_explanations();
        if self.random.below(10) < 7 {
            self.check_propagation();
        }
    }

    fn check_propagation(&mut self) {
        let mut implied = Vec::new();
        assert_eq!(self.euf.propagate(&mut implied), Ok(()));
        for literal in implied {
            assert!(self.asserted.iter().all(|other| other.atom != literal.atom), "asserted already");
            self.propagated.push(Propagated {
                literal,
                level: self.levels.len(),
                asserted: self.asserted.len(),
                externals: self.externals.len(),
            });
        }
        let reference = self.reference(&self.asserted, self.externals.len());
        for (number, &meaning) in self.atoms.iter().enumerate() {
            let atom = Atom(number as u32);
            if let Some(truth) = reference.truth(meaning) {
                let literal = Literal::new(atom, truth);
                assert!(
                    self.asserted.contains(&literal) || self.propagated.iter().any(|p| p.literal == literal),
                    "{literal:?} follows but is not propagated"
                );
            }
        }
        self.check_explanations();
    }

    /// Explains everything that was ever propagated and still stands.
    fn check_explanations(&mut self) {
        for at in 0..self.propagated.len() {
            let Propagated { literal, asserted, externals, .. } = self.propagated[at];
            let mut reasons = Vec::new();
            self.euf.explain(literal, &mut reasons);
            for reason in &reasons {
                assert!(self.asserted[..asserted].contains(reason), "{reason:?} came after {literal:?}");
            }
            let meaning = self.atoms[literal.atom.0 as usize];
            assert_eq!(self.reference(&reasons, externals).truth(meaning), Some(literal.positive));
            self.explanations += 1;
        }
    }

    /// Checks a conflict and backtracks over it. Whether there was a level to go back to.
    fn recover(&mut self, Conflict(conflict): Conflict) -> bool {
        self.conflicts += 1;
        for literal in &conflict {
            assert!(self.asserted.contains(literal), "{literal:?} is not asserted");
        }
        assert!(!self.reference(&conflict, self.externals.len()).is_consistent, "no conflict");
        assert_eq!(self.euf.check(), Check::Conflict(Conflict(conflict)));
        assert!(self.euf.propagate(&mut Vec::new()).is_err());
        while self.random.below(3) == 0 {
            self.add_something();
            self.add_atom();
        }
        if self.random.below(4) == 0 {
            self.push();
            self.add_something();
            self.pop(1);
            assert!(self.euf.propagate(&mut Vec::new()).is_err(), "the conflict stays with its level");
        }
        if self.levels.is_empty() {
            return false;
        }
        self.pop_some(usize::MAX);
        true
    }

    fn run(mut self, steps: usize) -> Run {
        for _ in 0..steps {
            let result = match self.random.below(16) {
                0 | 1 => {
                    self.add_something();
                    Ok(())
                }
                2..5 => {
                    self.add_atom();
                    Ok(())
                }
                5 => self.conclude_something(),
                6 | 7 if !self.levels.is_empty() => {
                    self.pop_some(usize::MAX);
                    Ok(())
                }
                8 => {
                    self.push();
                    Ok(())
                }
                9 => self.assert_something(),
                _ => {
                    self.push();
                    self.assert_something()
                }
            };
            if let Err(conflict) = result
                && !self.recover(conflict)
            {
                break;
            }
            self.check_state();
        }
        self
    }
}

fn run_seeds(seeds: std::ops::Range<u64>, steps: usize) {
    let (mut conflicts, mut explanations) = (0, 0);
    for seed in seeds {
        let run = Run::new(seed + 1).run(steps);
        conflicts += run.conflicts;
        explanations += run.explanations;
    }
    assert!(conflicts > 100 && explanations > 1000, "the runs reach conflicts and propagations");
}

#[test]
fn short_runs_agree_with_the_reference() {
    run_seeds(0..3000, 25);
}

#[test]
fn long_runs_agree_with_the_reference() {
    run_seeds(10_000..10_300, 200);
}

/// Without external equalities at level 0, runs last longer and go deeper.
#[test]
fn runs_over_a_fixed_set_of_terms_agree_with_the_reference() {
    let mut conflicts = 0;
    for seed in 0..300 {
        let mut run = Run::new(1_000_000 + seed);
        for _ in 0..30 {
            run.add_something();
            run.add_atom();
        }
        for _ in 0..150 {
            let result = if run.random.below(4) == 0 && !run.levels.is_empty() {
                run.pop_some(3);
                Ok(())
            } else {
                run.push();
                run.assert_something()
            };
            if let Err(conflict) = result {
                assert!(run.recover(conflict), "nothing is asserted at level 0");
            }
            run.check_state();
        }
        conflicts += run.conflicts;
    }
    assert!(conflicts > 1000);
}
