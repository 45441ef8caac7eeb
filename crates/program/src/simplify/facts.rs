//! What is known of variables at a location: constants and copies.

use crate::annotations::FrameId;
use crate::automaton::{Program, Var};
use rustc_hash::FxHashMap;
use tamis_logic::{Op, Term, Terms};

/// What a variable is known to equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fact {
    Constant(Term),
    /// Another variable, of which itself nothing is known.
    Copy(Var),
}

/// Facts about variables that all hold at once.
#[derive(Clone, Default, Debug)]
pub(crate) struct Facts {
    of: FxHashMap<Var, Fact>,
    /// For each variable that others are copies of, those.
    copies: FxHashMap<Var, Vec<Var>>,
    /// Variables that a guard has said to equal a constant. This tells which edges can be passed, and is not put into
    /// terms: a guard `x + y = 0` behind `x = 0` is a better predicate than `y = 0`.
    learned: FxHashMap<Var, Term>,
}

impl Facts {
    /// `t` with what is known put in.
    pub fn read(&self, terms: &mut Terms, program: &Program, t: Term) -> Term {
        if self.of.is_empty() {
            return t;
        }
        terms.substitute_with(t, |var| match self.of.get(&program.var_of(var)?)? {
            Fact::Constant(c) => Some(*c),
            Fact::Copy(v) => Some(program.term(*v)),
        })
    }

    /// Whether `guard`, as [`read`](Facts::read) gives it, cannot hold.
    pub fn refute(&self, terms: &mut Terms, program: &Program, guard: Term) -> bool {
        let guard = if self.learned.is_empty() {
            guard
        } else {
            terms.substitute_with(guard, |var| self.learned.get(&program.var_of(var)?).copied())
        };
        terms.is_false(guard)
    }

    /// Forgets `v`, whose value changes. Its copies stay copies of each other.
    pub fn forget(&mut self, program: &Program, v: Var) {
        self.learned.remove(&v);
        if let Some(Fact::Copy(of)) = self.of.remove(&v)
            && let Some(copies) = self.copies.get_mut(&of)
        {
            copies.retain(|&c| c != v);
        }
        if let Some(mut rest) = self.copies.remove(&v) {
            rest.sort_unstable_by_key(|&c| rank(program, c));
            if let Some((&first, others)) = rest.split_first() {
                self.of.remove(&first);
                self.make_copies(first, others);
            }
        }
    }

    fn make_copies(&mut self, of: Var, copies: &[Var]) {
        for &c in copies {
            self.of.insert(c, Fact::Copy(of));
        }
        if !copies.is_empty() {
            self.copies.entry(of).or_default().extend(copies);
        }
    }

    /// Takes note of `v := value`, where `value` is as [`read`](Facts::read) gives it.
    pub fn assign(&mut self, terms: &Terms, program: &Program, v: Var, value: Term) {
        if program.term(v) == value {
            return;
        }
        let source = program.var_of(value);
        self.forget(program, v);
        if terms.bits_constant(value).is_some() {
            self.of.insert(v, Fact::Constant(value));
        } else if let Some(source) = source {
            // If `source` was a copy of `v`'s old value, it may have got another representative just now.
            let source = match self.of.get(&source) {
                Some(Fact::Copy(of)) => *of,
                _ => source,
            };
            if rank(program, v) < rank(program, source) {
                let others = self.copies.remove(&source).unwrap_or_default();
                self.make_copies(v, &others);
                self.make_copies(v, &[source]);
            } else {
                self.make_copies(source, &[v]);
            }
        }
    }

    /// Takes note that `guard`, as [`read`](Facts::read) gives it, holds: equations with constants in it.
    pub fn assume(&mut self, terms: &Terms, program: &Program, guard: Term) {
        let conjuncts = if terms.op(guard) == Op::And { terms.args(guard) } else { &[guard] };
        for &conjunct in conjuncts {
            if terms.op(conjunct) != Op::Eq {
                continue;
            }
            let &[a, b] = terms.args(conjunct) else { continue };
            for (x, c) in [(a, b), (b, a)] {
                if let (Some(v), Some(_)) = (program.var_of(x), terms.bits_constant(c)) {
                    self.learned.insert(v, c);
                }
            }
        }
    }

    /// Keeps what `other` knows too; whether anything was lost.
    pub fn meet(&mut self, other: &Facts) -> bool {
        let before = (self.of.len(), self.learned.len());
        self.of.retain(|v, fact| other.of.get(v) == Some(fact));
        self.learned.retain(|v, constant| other.learned.get(v) == Some(constant));
        if self.of.len() != before.0 {
            self.index();
        }
        (self.of.len(), self.learned.len()) != before
    }

    /// Keeps what concerns globals and the activations that `in_scope` accepts: what is known of others is of no use,
    /// as they are over.
    pub fn retain(&mut self, program: &Program, in_scope: impl Fn(FrameId) -> bool) {
        self.of.retain(|&v, _| program.variable(v).frame.is_none_or(&in_scope));
        self.learned.retain(|&v, _| program.variable(v).frame.is_none_or(&in_scope));
        self.index();
    }

    fn index(&mut self) {
        self.copies.clear();
        for (&v, fact) in &self.of {
            if let Fact::Copy(of) = fact {
                self.copies.entry(*of).or_default().push(v);
            }
        }
    }
}

/// Of copies the one with the least rank is used: the user's variables before those that the translation made.
fn rank(program: &Program, v: Var) -> (bool, Var) {
    (program.variable(v).temporary, v)
}
