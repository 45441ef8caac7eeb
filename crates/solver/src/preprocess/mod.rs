//! Formulas before they become circuits: the solver's own copy of them, simplified by what is asserted for good.
//!
//! The caller's store of terms is not changed. Terms are taken over into a store of the solver's own ([`Terms::adopt`])
//! when they are first needed, and there
//! - variables that an assertion defines are replaced by their definition (`define`, `eliminate`),
//! - atoms that are asserted are replaced by their truth value,
//! - reads over writes and signed divisions are expressed by simpler operators (`lower`).
//!
//! Assertions wait until the next question, so that those of one batch define variables for each other. What makes this
//! fit a solver that is asked again and again:
//! - Only assertions without activation define anything. They hold for good, so a definition does.
//! - Only variables that no circuit has yet are replaced (`used` has the others). So nothing that was built is ever
//!   rebuilt, and a question over known terms costs a look into a table.
//! - Assumptions, important terms and terms whose value is asked are translated by the same table. A variable that was
//!   replaced has the value of its definition in every model.

mod define;
mod eliminate;
mod facts;
mod lower;
mod values;

pub use lower::Reads;
pub(crate) use lower::{Lowering, is_of_bits};

use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Op, Sort, Term, Terms};

/// Terms of the caller's store to terms of the solver's.
#[derive(Default)]
struct Memo {
    /// The caller's terms.
    image: FxHashMap<Term, Term>,
    /// The solver's terms, without variables that are replaced.
    resolved: FxHashMap<Term, Term>,
}

/// The solver's terms, and what is known of them for good.
#[derive(Default)]
pub(crate) struct Preprocessor {
    pub terms: Terms,
    memo: Memo,
    /// Variables that are replaced, and by what. The definition may have variables that were replaced later.
    definitions: FxHashMap<Term, Term>,
    /// The variables of definitions that models were asked about.
    parts: FxHashMap<Term, Vec<Term>>,
    /// Variables that circuits have, or may have soon.
    used: FxHashSet<Term>,
    /// Atoms that are asserted for good, and whether as they are or negated.
    known: FxHashMap<Term, bool>,
    pub lowering: Lowering,
    /// How many variables have been made here.
    hidden: u32,
}

/// How terms are translated: with the table that stays, so that their variables are used from now on, or with one that is
/// thrown away.
struct Translation<'a> {
    terms: &'a mut Terms,
    definitions: &'a FxHashMap<Term, Term>,
    known: &'a FxHashMap<Term, bool>,
    lasting: &'a mut Memo,
    passing: Option<&'a mut Memo>,
    /// Atoms that hold by other assertions of this batch.
    units: Option<&'a FxHashMap<Term, bool>>,
    used: Option<&'a mut FxHashSet<Term>>,
    /// Set when a term is met that is to be expressed by others.
    lowers: &'a mut bool,
}

impl Translation<'_> {
    fn find_image(&self, t: Term) -> Option<Term> {
        let passing = self.passing.as_ref().and_then(|memo| memo.image.get(&t));
        passing.or_else(|| self.lasting.image.get(&t)).copied()
    }

    fn find_resolved(&self, t: Term) -> Option<Term> {
        let passing = self.passing.as_ref().and_then(|memo| memo.resolved.get(&t));
        passing.or_else(|| self.lasting.resolved.get(&t)).copied()
    }

    fn memo(&mut self) -> &mut Memo {
        match &mut self.passing {
            Some(memo) => memo,
            None => self.lasting,
        }
    }

    /// The truth value of an atom that is asserted.
    fn if_known(&mut self, t: Term) -> Term {
        if self.terms.sort(t) != Sort::Bool {
            return t;
        }
        let unit = self.units.and_then(|units| units.get(&t)).or_else(|| self.known.get(&t));
        match unit {
            Some(&truth) => self.terms.bool(truth),
            None => t,
        }
    }

    /// Translates terms of `original`.
    fn adopt(&mut self, original: &Terms, roots: &[Term]) {
        let order = original.post_order_until(roots, |t| self.find_image(t).is_some());
        let mut args = Vec::new();
        for t in order {
            if self.find_image(t).is_some() {
                continue;
            }
            *self.lowers |= lower::is_lowered(original.op(t));
            args.clear();
            args.extend(original.args(t).iter().filter_map(|&a| self.find_image(a)));
            let mut new = self.terms.adopt(original, t, &args);
            if self.terms.is_var(new) {
                new = self.resolve(new);
            }
            let new = self.if_known(new);
            self.memo().image.insert(t, new);
        }
    }

    /// A term of the solver's without variables that are replaced.
    fn resolve(&mut self, root: Term) -> Term {
        let mut pending = vec![root];
        let mut args = Vec::new();
        while let Some(&t) = pending.last() {
            if self.find_resolved(t).is_some() {
                pending.pop();
                continue;
            }
            let new = if self.terms.is_var(t) {
                match self.definitions.get(&t) {
                    None => {
                        if let Some(used) = &mut self.used {
                            used.insert(t);
                        }
                        self.if_known(t)
                    }
                    Some(&definition) => match self.find_resolved(definition) {
                        Some(resolved) => resolved,
                        None => {
                            pending.push(definition);
                            continue;
                        }
                    },
                }
            } else {
                let missing = pending.len();
                for i in 0..self.terms.args(t).len() {
                    let arg = self.terms.args(t)[i];
                    if self.find_resolved(arg).is_none() {
                        pending.push(arg);
                    }
                }
                if pending.len() > missing {
                    continue;
                }
                let new = self.rebuilt(t, &mut args);
                self.if_known(new)
            };
            pending.pop();
            self.memo().resolved.insert(t, new);
        }
        self.find_resolved(root).unwrap_or(root)
    }

    /// The term over the resolved arguments, which are there.
    fn rebuilt(&mut self, t: Term, args: &mut Vec<Term>) -> Term {
        args.clear();
        args.extend(self.terms.args(t).iter().filter_map(|&a| self.find_resolved(a)));
        if args == self.terms.args(t) { t } else { self.terms.rebuild(t, args) }
    }

    /// As [`resolve`](Translation::resolve), for a term that is asserted itself: an atom is not replaced by its own truth.
    fn resolve_fact(&mut self, fact: Term) -> Term {
        let (atom, negated) = match self.terms.op(fact) {
            Op::Not => (self.terms.args(fact)[0], true),
            _ => (fact, false),
        };
        if !is_atom(self.terms, atom) {
            return self.resolve(fact);
        }
        if self.terms.is_var(atom) {
            // A variable that another fact defines; one that is in use stays.
            let new = if self.definitions.contains_key(&atom) { self.resolve(atom) } else { atom };
            return if negated { self.terms.not(new) } else { new };
        }
        for i in 0..self.terms.args(atom).len() {
            let arg = self.terms.args(atom)[i];
            self.resolve(arg);
        }
        let new = self.rebuilt(atom, &mut Vec::new());
        if negated { self.terms.not(new) } else { new }
    }
}

/// Whether a `Bool` term is no combination of others.
fn is_atom(terms: &Terms, t: Term) -> bool {
    !terms.is_connective(t) && !terms.is_constant(t)
}

impl Preprocessor {
    fn translation(&mut self) -> Translation<'_> {
        Translation {
            terms: &mut self.terms,
            definitions: &self.definitions,
            known: &self.known,
            lasting: &mut self.memo,
            passing: None,
            units: None,
            used: Some(&mut self.used),
            lowers: &mut self.lowering.active,
        }
    }

    /// The solver's terms for `roots` of the caller's store, ready to become circuits.
    pub fn images(&mut self, original: &Terms, roots: &[Term]) -> Vec<Term> {
        self.terms.adopt_sorts(original);
        self.translation().adopt(original, roots);
        let images: Vec<Term> = roots.iter().map(|t| self.memo.image[t]).collect();
        self.lower(&images)
    }

    /// The solver's term for `t`, if it has been needed before.
    pub fn find(&self, t: Term) -> Option<Term> {
        self.memo.image.get(&t).map(|&image| self.lowering.find(image))
    }

    /// A variable of the solver's own.
    pub fn hidden(&mut self, sort: Sort) -> Term {
        self.hidden += 1;
        self.terms.hidden(self.hidden - 1, sort)
    }
}
