//! Random sequences of push, pop, assert, propagate, explain and check, with every answer compared with a reference.

use tamis_testing::Random;
use tamis_theories::{Atom, Check, Conflict, Literal, Theory};

/// A theory under test, and what is true of its literals.
pub trait Subject {
    type Theory: Theory;

    fn theory(&mut self) -> &mut Self::Theory;

    /// How many atoms there can be.
    fn atoms(&self) -> u32;

    /// Gives an atom its meaning.
    fn create(&mut self, atom: Atom);

    /// Whether literals hold together.
    fn consistent(&self, literals: &[Literal]) -> bool;

    /// Asserts that the theory's model satisfies literals.
    fn check_model(&self, literals: &[Literal]);

    /// What to do about a check that wants to split.
    fn split(&mut self, literals: &[Literal]);

    /// Whether an assertion that is accepted is consistent with the others.
    const ASSERT_IS_COMPLETE: bool;
    /// Whether propagation finds every atom that follows.
    const PROPAGATION_IS_COMPLETE: bool;

    /// Whether no literal of a conflict can be left out.
    fn conflicts_are_minimal(&self) -> bool;
}

/// What happened, so that a test can tell that it was not empty.
#[derive(Default, Debug)]
pub struct Counts {
    pub conflicts: usize,
    pub implied: usize,
    pub models: usize,
    pub splits: usize,
}

struct Run<'a, S: Subject> {
    subject: &'a mut S,
    asserted: Vec<Literal>,
    levels: Vec<usize>,
    /// Implied literals, and how many were asserted then.
    implied: Vec<(Literal, usize)>,
    implied_levels: Vec<usize>,
    counts: Counts,
}

/// Runs random steps after the assertion of `base`, the first atoms.
pub fn drive<S: Subject>(subject: &mut S, random: &mut Random, steps: usize, base: &[Literal]) -> Counts {
    let mut created = 0;
    for &literal in base {
        subject.create(literal.atom);
        subject.theory().assert(literal).unwrap();
        created += 1;
    }
    let mut run = Run {
        subject,
        asserted: base.to_vec(),
        levels: Vec::new(),
        implied: Vec::new(),
        implied_levels: Vec::new(),
        counts: Counts::default(),
    };
    for _ in 0..steps {
        let atoms = run.subject.atoms();
        if created < atoms && (created == 0 || random.percent(30)) {
            run.subject.create(Atom(created));
            created += 1;
        }
        let alive = match random.below(10) {
            0 | 1 => {
                run.push();
                true
            }
            2 => {
                let levels = random.below(run.levels.len() + 1);
                run.pop(levels);
                true
            }
            3..=7 => {
                run.assert(Literal::new(Atom(random.below(created as usize) as u32), random.percent(50)))
            }
            8 => run.propagate(created, random),
            _ => run.check(),
        };
        run.explain_again(random);
        if !alive {
            if run.levels.is_empty() {
                break;
            }
            let levels = 1 + random.below(run.levels.len());
            run.pop(levels);
        }
    }
    run.counts
}

impl<S: Subject> Run<'_, S> {
    fn push(&mut self) {
        self.subject.theory().push();
        self.levels.push(self.asserted.len());
        self.implied_levels.push(self.implied.len());
    }

    fn pop(&mut self, levels: usize) {
        self.subject.theory().pop(levels);
        for _ in 0..levels {
            self.asserted.truncate(self.levels.pop().unwrap());
            self.implied.truncate(self.implied_levels.pop().unwrap());
        }
    }

    fn is_decided(&self, atom: Atom) -> bool {
        self.asserted.iter().any(|literal| literal.atom == atom)
    }

    fn assert(&mut self, literal: Literal) -> bool {
        if self.is_decided(literal.atom) {
            return true;
        }
        self.asserted.push(literal);
        match self.subject.theory().assert(literal) {
            Ok(()) => {
                if S::ASSERT_IS_COMPLETE {
                    assert!(self.subject.consistent(&self.asserted), "missed conflict: {:?}", self.asserted);
                }
                true
            }
            Err(conflict) => {
                assert!(conflict.0.contains(&literal), "{conflict:?} is not about {literal:?}");
                self.conflict(&conflict)
            }
        }
    }

    /// Conflicts consist of asserted literals, each once, that do not hold together.
    fn conflict(&mut self, Conflict(literals): &Conflict) -> bool {
        self.counts.conflicts += 1;
        for (at, literal) in literals.iter().enumerate() {
            assert!(self.asserted.contains(literal), "{literal:?} of {literals:?} is not asserted");
            assert!(!literals[..at].contains(literal), "{literals:?}");
        }
        assert!(!self.subject.consistent(literals), "{literals:?} hold together");
        if self.subject.conflicts_are_minimal() {
            for at in 0..literals.len() {
                let mut fewer = literals.clone();
                fewer.remove(at);
                assert!(self.subject.consistent(&fewer), "{literals:?} needs less");
            }
        }
        false
    }

    fn propagate(&mut self, created: u32, random: &mut Random) -> bool {
        let mut implied = Vec::new();
        if let Err(conflict) = self.subject.theory().propagate(&mut implied) {
            return self.conflict(&conflict);
        }
        self.counts.implied += implied.len();
        for &literal in &implied {
            assert!(!self.is_decided(literal.atom), "{literal:?} is asserted already");
            assert!(self.implied.iter().all(|(other, _)| other.atom != literal.atom), "{literal:?} again");
            self.implied.push((literal, self.asserted.len()));
            self.explain(literal, self.asserted.len());
        }
        if S::PROPAGATION_IS_COMPLETE {
            for atom in (0..created).map(Atom).filter(|&atom| !self.is_decided(atom)) {
                for literal in [Literal::new(atom, true), Literal::new(atom, false)] {
                    let mut with = self.asserted.clone();
                    with.push(!literal);
                    let known = self.implied.iter().any(|(other, _)| *other == literal);
                    assert!(
                        known || self.subject.consistent(&with),
                        "missed {literal:?} of {:?}",
                        self.asserted
                    );
                }
            }
        }
        for literal in implied {
            if random.percent(70) && !self.assert(literal) {
                return false;
            }
        }
        true
    }

    fn explain(&mut self, literal: Literal, asserted: usize) {
        let mut reasons = Vec::new();
        self.subject.theory().explain(literal, &mut reasons);
        for reason in &reasons {
            assert!(
                self.asserted[..asserted].contains(reason),
                "{reason:?} was not asserted before {literal:?}"
            );
        }
        reasons.push(!literal);
        assert!(!self.subject.consistent(&reasons), "{literal:?} does not follow from {reasons:?}");
    }

    fn explain_again(&mut self, random: &mut Random) {
        if !self.implied.is_empty() {
            let (literal, asserted) = self.implied[random.below(self.implied.len())];
            self.explain(literal, asserted);
        }
    }

    fn check(&mut self) -> bool {
        match self.subject.theory().check() {
            Check::Consistent => {
                self.counts.models += 1;
                self.subject.check_model(&self.asserted);
                true
            }
            Check::Conflict(conflict) => self.conflict(&conflict),
            Check::Split => {
                self.counts.splits += 1;
                self.subject.split(&self.asserted);
                true
            }
        }
    }
}
