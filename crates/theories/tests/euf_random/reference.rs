//! The slow and obvious closure.

use tamis_theories::Literal;

/// The reference's view of a term; arguments are positions in the list of terms.
#[derive(Clone, PartialEq)]
pub enum Term {
    Constant,
    Value(u64),
    Truth(bool),
    Apply(u32, Vec<usize>),
}

#[derive(Clone, Copy)]
pub enum Meaning {
    Equality(usize, usize),
    Predicate(usize),
}

/// An equality that another theory concluded from literals.
#[derive(Clone)]
pub struct External {
    pub a: usize,
    pub b: usize,
    pub reasons: Vec<Literal>,
}

/// The classes of all terms, and the pairs of classes that are disequal.
pub struct Reference {
    class: Vec<usize>,
    disequal: Vec<(usize, usize)>,
    pub is_consistent: bool,
}

const FALSE: usize = 0;
const TRUE: usize = 1;

impl Reference {
    pub fn new(terms: &[Term], atoms: &[Meaning], literals: &[Literal], externals: &[External]) -> Reference {
        let mut class: Vec<usize> = (0..terms.len()).collect();
        let mut unequal = Vec::new();
        let merge = |class: &mut Vec<usize>, a: usize, b: usize| {
            let (a, b) = (class[a], class[b]);
            class.iter_mut().filter(|c| **c == a).for_each(|c| *c = b);
            a != b
        };
        for literal in literals {
            match (atoms[literal.atom.0 as usize], literal.positive) {
                (Meaning::Equality(a, b), true) => _ = merge(&mut class, a, b),
                (Meaning::Equality(a, b), false) => unequal.push((a, b)),
                (Meaning::Predicate(a), positive) => _ = merge(&mut class, a, usize::from(positive)),
            }
        }
        for external in externals {
            if external.reasons.iter().all(|reason| literals.contains(reason)) {
                merge(&mut class, external.a, external.b);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for a in 0..terms.len() {
                for b in 0..a {
                    if let (Term::Apply(f, x), Term::Apply(g, y)) = (&terms[a], &terms[b])
                        && f == g
                        && x.len() == y.len()
                        && x.iter().zip(y).all(|(&x, &y)| class[x] == class[y])
                    {
                        changed |= merge(&mut class, a, b);
                    }
                }
            }
        }
        let is_value = |a: usize| matches!(terms[a], Term::Value(_) | Term::Truth(_));
        for a in (0..terms.len()).filter(|&a| is_value(a)) {
            unequal.extend((0..a).filter(|&b| is_value(b)).map(|b| (a, b)));
        }
        let disequal: Vec<_> = unequal.into_iter().map(|(a, b)| (class[a], class[b])).collect();
        let is_consistent = disequal.iter().all(|(a, b)| a != b);
        Reference { class, disequal, is_consistent }
    }

    pub fn same(&self, a: usize, b: usize) -> bool {
        self.class[a] == self.class[b]
    }

    pub fn disequal(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.class[a], self.class[b]);
        self.disequal.iter().any(|&pair| pair == (a, b) || pair == (b, a))
    }

    /// The truth value of an atom that must be propagated.
    pub fn truth(&self, meaning: Meaning) -> Option<bool> {
        match meaning {
            Meaning::Equality(a, b) if self.same(a, b) => Some(true),
            Meaning::Equality(a, b) if self.disequal(a, b) => Some(false),
            Meaning::Predicate(a) if self.same(a, TRUE) => Some(true),
            Meaning::Predicate(a) if self.same(a, FALSE) => Some(false),
            _ => None,
        }
    }
}
