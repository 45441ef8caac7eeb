//! The external propagator that lets theories take part in the search.

use super::{Background, Verdict};
use crate::sat::SatLit;
use cadical_sys::ExternalPropagator;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

/// What happens to an assignment that the theories accept.
pub(crate) trait OnModel {
    /// A clause against the model, so that the search goes on; `None` to end it here.
    fn on_model(&mut self, value: &dyn Fn(SatLit) -> bool) -> Option<Vec<SatLit>>;

    /// Whether a variable is important. Those that are not may be decided first; all are if this is no enumeration.
    fn is_important(&self, _variable: SatLit) -> bool {
        true
    }
}

/// Every model will do.
impl OnModel for () {
    fn on_model(&mut self, _: &dyn Fn(SatLit) -> bool) -> Option<Vec<SatLit>> {
        None
    }
}

impl<M: OnModel> OnModel for Option<M> {
    fn on_model(&mut self, value: &dyn Fn(SatLit) -> bool) -> Option<Vec<SatLit>> {
        self.as_mut()?.on_model(value)
    }

    fn is_important(&self, variable: SatLit) -> bool {
        self.as_ref().is_none_or(|on_model| on_model.is_important(variable))
    }
}

/// What is left of a search when its propagator is gone.
#[derive(Clone, Default)]
pub(crate) struct Outcome {
    /// Whether the theories could not go on.
    interrupted: Rc<Cell<bool>>,
    panic: Rc<RefCell<Option<Box<dyn Any + Send>>>>,
}

impl Outcome {
    pub fn interrupted(&self) -> bool {
        self.interrupted.get()
    }

    /// Goes on with a panic, which must not unwind through CaDiCaL.
    pub fn resume_panic(&self) {
        let panic = self.panic.borrow_mut().take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

/// Connects [`Background`] theories to CaDiCaL.
///
/// The trail of assigned observed literals is kept here; theories are told of a literal, and of the levels below it,
/// when the search next asks something, so that nothing is asserted that is taken back at once. A conflict found while
/// literals are asserted waits until the search asks for a clause, or until it has backtracked over it.
pub(crate) struct TheoryPropagator<B, M> {
    /// `None` if there are no theories: then only complete assignments matter.
    theories: Option<Rc<RefCell<B>>>,
    on_model: M,
    outcome: Outcome,
    /// Observed literals in the order of their assignment.
    trail: Vec<SatLit>,
    /// How much of the trail the theories know.
    told: usize,
    /// The length of the trail at the start of each level above the root.
    levels: Vec<usize>,
    /// How many levels the theories have opened.
    pushed: usize,
    /// For each variable, the literal of it that is on the trail; 0 if none is.
    assigned: Vec<SatLit>,
    /// A conflict, and the length of the trail it was found with.
    conflict: Option<(Vec<SatLit>, usize)>,
    /// Literals that follow and have not been handed over.
    implied: VecDeque<SatLit>,
    /// Whether the theories have been asked since they were last told something.
    asked: bool,
    /// Clauses to be handed over, after the one that is under way.
    clauses: VecDeque<Vec<SatLit>>,
    /// The clause under way, from its end.
    clause: Vec<SatLit>,
    /// Variables to decide first, how many of them from the start are assigned, and that number at the start of each level.
    first: Vec<SatLit>,
    cursor: usize,
    cursors: Vec<usize>,
    /// For each variable the literal that was assigned last.
    saved: Vec<SatLit>,
    /// The reason under way: for which literal, and what is left of it, from its end.
    reason: Option<(SatLit, Vec<SatLit>)>,
}

impl<B: Background, M: OnModel> TheoryPropagator<B, M> {
    /// A propagator at the root of a search. `fixed` are the observed literals that hold for good already.
    pub fn new(theories: Option<Rc<RefCell<B>>>, on_model: M, outcome: Outcome, fixed: &[SatLit]) -> Self {
        let decided =
            theories.as_ref().map_or(Vec::new(), |theories| theories.borrow().decide_first().to_vec());
        let first = decided.into_iter().filter(|&variable| !on_model.is_important(variable)).collect();
        let mut propagator = TheoryPropagator {
            first,
            cursor: 0,
            cursors: Vec::new(),
            saved: Vec::new(),
            theories,
            on_model,
            outcome,
            trail: Vec::new(),
            told: 0,
            levels: Vec::new(),
            pushed: 0,
            assigned: Vec::new(),
            conflict: None,
            implied: VecDeque::new(),
            asked: false,
            clauses: VecDeque::new(),
            clause: Vec::new(),
            reason: None,
        };
        propagator.note(fixed);
        propagator
    }

    fn note(&mut self, lits: &[SatLit]) {
        for &lit in lits {
            let variable = lit.unsigned_abs() as usize;
            if self.assigned.len() <= variable {
                self.assigned.resize(variable + 1, 0);
            }
            // A literal fixed at the root may be told again.
            if self.assigned[variable] == 0 {
                self.assigned[variable] = lit;
                self.trail.push(lit);
            }
        }
    }

    fn value(&self, lit: SatLit) -> Option<bool> {
        match self.assigned.get(lit.unsigned_abs() as usize) {
            Some(&set) if set != 0 => Some(set == lit),
            _ => None,
        }
    }

    /// Tells the theories what they do not know yet, each literal at its level, up to a conflict.
    fn tell(&mut self) {
        let Some(theories) = &self.theories else { return };
        let mut theories = theories.borrow_mut();
        while self.conflict.is_none() && self.told < self.trail.len() {
            while self.pushed < self.levels.len() && self.levels[self.pushed] <= self.told {
                theories.push();
                self.pushed += 1;
            }
            let lit = self.trail[self.told];
            self.told += 1;
            self.asked = false;
            if let Err(conflict) = theories.assert(lit) {
                self.conflict = Some((conflict, self.told));
            }
        }
    }

    /// Asks the theories for what follows, once for each state of the trail.
    fn ask(&mut self) {
        self.tell();
        let Some(theories) = &self.theories else { return };
        if self.conflict.is_some() || self.asked {
            return;
        }
        self.asked = true;
        let mut implied = Vec::new();
        match theories.borrow_mut().propagate(&mut implied) {
            Ok(()) => self.implied.extend(implied),
            Err(conflict) => self.conflict = Some((conflict, self.told)),
        }
    }

    fn reasons(&self, lit: SatLit) -> Vec<SatLit> {
        let mut reasons = Vec::new();
        if let Some(theories) = &self.theories {
            theories.borrow_mut().explain(lit, &mut reasons);
        }
        reasons
    }

    /// The next literal that follows and is not assigned. One that is assigned otherwise is a conflict.
    fn next_implied(&mut self) -> Option<SatLit> {
        while let Some(lit) = self.implied.pop_front() {
            match self.value(lit) {
                Some(true) => {}
                None => return Some(lit),
                Some(false) => {
                    let mut conflict = self.reasons(lit);
                    conflict.push(-lit);
                    self.conflict = Some((conflict, self.told));
                    self.implied.clear();
                }
            }
        }
        None
    }

    /// Whether a complete assignment is accepted, which ends the search.
    fn accept(&mut self, model: &[SatLit]) -> bool {
        if self.theories.is_none() {
            // A lazy propagator is told of nothing but models, which have all observed variables.
            self.trail.clear();
            for lit in model {
                if let Some(set) = self.assigned.get_mut(lit.unsigned_abs() as usize) {
                    *set = 0;
                }
            }
        }
        self.note(model);
        if !self.clauses.is_empty() {
            return false;
        }
        self.ask();
        // A literal that follows and is assigned otherwise is a conflict; in a complete assignment there is no third.
        self.next_implied();
        if self.conflict.is_some() {
            return false;
        }
        let assigned = &self.assigned;
        let value = |lit: SatLit| assigned.get(lit.unsigned_abs() as usize) == Some(&lit);
        let verdict = match &self.theories {
            Some(theories) => theories.borrow_mut().complete(&value),
            None => Verdict::Consistent,
        };
        match verdict {
            Verdict::Lemmas(lemmas) => {
                self.clauses.extend(lemmas);
                false
            }
            Verdict::Interrupt => {
                self.outcome.interrupted.set(true);
                true
            }
            Verdict::Consistent => match self.on_model.on_model(&value) {
                Some(clause) => {
                    self.clauses.push_back(clause);
                    false
                }
                None => true,
            },
        }
    }

    /// Runs a callback; after a panic, which cannot pass through CaDiCaL, the propagator keeps still and accepts the
    /// next assignment.
    fn guarded<T>(&mut self, silent: T, f: impl FnOnce(&mut Self) -> T) -> T {
        if self.outcome.panic.borrow().is_some() {
            return silent;
        }
        match catch_unwind(AssertUnwindSafe(|| f(self))) {
            Ok(answer) => answer,
            Err(panic) => {
                *self.outcome.panic.borrow_mut() = Some(panic);
                silent
            }
        }
    }

    fn backtrack(&mut self, new_level: usize) {
        if self.levels.len() <= new_level {
            return;
        }
        let keep = self.levels[new_level];
        self.levels.truncate(new_level);
        self.saved.resize(self.assigned.len(), 0);
        for lit in self.trail.drain(keep..) {
            self.assigned[lit.unsigned_abs() as usize] = 0;
            self.saved[lit.unsigned_abs() as usize] = lit;
        }
        self.cursor = self.cursors.get(new_level).copied().unwrap_or(0);
        self.cursors.truncate(new_level);
        if self.pushed > new_level {
            if let Some(theories) = &self.theories {
                theories.borrow_mut().pop(self.pushed - new_level);
            }
            self.pushed = new_level;
        }
        self.told = self.told.min(keep);
        self.conflict.take_if(|(_, length)| *length > keep);
        self.implied.clear();
        self.asked = false;
    }

    fn next_of_reason(&mut self, propagated: SatLit) -> SatLit {
        if self.reason.as_ref().is_none_or(|(lit, _)| *lit != propagated) {
            let mut clause: Vec<SatLit> = self.reasons(propagated).into_iter().map(|lit| -lit).collect();
            clause.push(propagated);
            clause.sort_unstable();
            clause.dedup();
            self.reason = Some((propagated, clause));
        }
        let next = self.reason.as_mut().and_then(|(_, clause)| clause.pop());
        if next.is_none() {
            self.reason = None;
        }
        next.unwrap_or(0)
    }

    fn next_clause(&mut self) -> bool {
        self.tell();
        if let Some((conflict, _)) = self.conflict.take() {
            self.clauses.push_front(conflict.into_iter().map(|lit| -lit).collect());
        }
        let Some(mut clause) = self.clauses.pop_front() else { return false };
        clause.sort_unstable();
        clause.dedup();
        self.clause = clause;
        true
    }
}

impl<B: Background, M: OnModel> ExternalPropagator for TheoryPropagator<B, M> {
    fn is_lazy(&mut self) -> bool {
        self.theories.is_none()
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        self.note(lits);
    }

    fn notify_new_decision_level(&mut self) {
        self.levels.push(self.trail.len());
        self.cursors.push(self.cursor);
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        self.guarded((), |p| p.backtrack(new_level));
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        self.guarded(true, |p| p.accept(model))
    }

    fn cb_decide(&mut self) -> i32 {
        while let Some(&variable) = self.first.get(self.cursor) {
            if self.value(variable).is_none() {
                let saved = self.saved.get(variable as usize).is_some_and(|&lit| lit > 0);
                return if saved { variable } else { -variable };
            }
            self.cursor += 1;
        }
        0
    }

    fn cb_propagate(&mut self) -> i32 {
        self.guarded(0, |p| {
            p.ask();
            if p.conflict.is_some() { 0 } else { p.next_implied().unwrap_or(0) }
        })
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        self.guarded(0, |p| p.next_of_reason(propagated))
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = false;
        self.guarded(false, Self::next_clause)
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.clause.pop().unwrap_or(0)
    }
}
