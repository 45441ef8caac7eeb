//! Terms whose text has been read before.
//!
//! Scripts that tools write spell the same small terms out thousands of times. The same text means the same term as long
//! as symbols mean the same, so that it need not be read again.

use crate::store::Term;
use rustc_hash::FxHashMap;

/// The terms of texts, without the `(` that they begin with.
#[derive(Default)]
pub(super) struct Repeated {
    terms: FxHashMap<Box<[u8]>, Term>,
    /// What symbols meant when they were read: see [`Scopes::generation`](super::scope::Scopes::generation).
    generation: u64,
    hits: u64,
    misses: u64,
}

/// Texts are not kept any more after this many that were new, unless enough have come again.
const MISSES_AT_START: u64 = 4096;

/// Texts that room is made for at the start.
const TERMS_AT_START: usize = 448;

impl Repeated {
    /// Whether texts are worth looking up.
    pub fn is_worthwhile(&self) -> bool {
        self.misses < MISSES_AT_START + 4 * self.hits
    }

    /// The term of a text.
    pub fn find(&mut self, text: &[u8], generation: u64) -> Option<Term> {
        if self.generation != generation {
            self.generation = generation;
            self.terms.clear();
        }
        let found = self.terms.get(text).copied();
        *(if found.is_some() { &mut self.hits } else { &mut self.misses }) += 1;
        found
    }

    /// Keeps the term of a text that was looked up before.
    pub fn keep(&mut self, text: Box<[u8]>, term: Term, generation: u64) {
        if self.generation == generation {
            // To grow by and by would mean to hash all texts again and again.
            if self.terms.capacity() == 0 {
                self.terms.reserve(TERMS_AT_START);
            }
            self.terms.insert(text, term);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Terms;
    use crate::smtlib::{Command, Reader};

    /// A symbol that is new changes no meaning, unless it hides an operator.
    #[test]
    fn operators_may_be_hidden() {
        let script =
            "(declare-const x Int) (declare-const a Bool) (assert (or (< x (abs x)) a)) (declare-const y Int)
            (assert (or (< x (abs x)) a)) (declare-fun abs (Int) Int) (assert (or (< x (abs x)) a))
            (declare-fun f (Int) Int) (assert (or (< x (abs x)) a))";
        let mut terms = Terms::new();
        let mut reader = Reader::new(script.as_bytes());
        let mut formulas = Vec::new();
        while let Ok(Some((command, _))) = reader.next_command(&mut terms) {
            if let Command::Assert { formula, .. } = command {
                formulas.push(formula);
            }
        }
        assert_eq!(formulas[0], formulas[1]);
        assert_ne!(formulas[1], formulas[2]);
        assert_eq!(formulas[2], formulas[3]);
    }

    /// What a text means changes with what its symbols mean.
    #[test]
    fn symbols_may_change_their_meaning() {
        let script = "(declare-const x Int) (declare-const y Int) (declare-fun f (Int) Bool)
            (assert (or (f (+ x 1)) (f (+ x 1)))) (assert (or (not (f (+ x 1))) (let ((x y)) (f (+ x 1)))))
            (push 1) (declare-const z Int) (assert (f (+ z 1))) (pop 1) (define-fun z () Int 5) (assert (f (+ z 1)))
            (assert (or (! (f (+ x 1)) :named p) p)) (assert (and p (f (+ x 1))))";
        let mut terms = Terms::new();
        let mut reader = Reader::new(script.as_bytes());
        let mut formulas = Vec::new();
        while let Ok(Some((command, _))) = reader.next_command(&mut terms) {
            if let Command::Assert { formula, .. } = command {
                formulas.push(terms.to_smtlib(formula));
            }
        }
        let expected = [
            "(f (+ x 1))",
            "(or (not (f (+ x 1))) (f (+ y 1)))",
            "(f (+ z 1))",
            "(f 6)",
            "(f (+ x 1))",
            "(f (+ x 1))",
        ];
        assert_eq!(formulas, expected);
    }
}
