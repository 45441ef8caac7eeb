//! The external propagator that blocks the models of an enumeration.

use crate::enumerate::{Cube, Projection};
use crate::sat::SatLit;
use cadical_sys::ExternalPropagator;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::mem::transmute;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

/// What is left of an enumeration when its propagator is gone.
#[derive(Clone, Default)]
pub(crate) struct Shared {
    models: Rc<Cell<u64>>,
    panic: Rc<RefCell<Option<Box<dyn Any + Send>>>>,
}

impl Shared {
    pub fn models(&self) -> u64 {
        self.models.get()
    }

    /// Goes on with a panic of the caller's function, which must not unwind through CaDiCaL.
    pub fn resume_panic(&self) {
        let panic = self.panic.borrow_mut().take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

/// Turns every complete assignment into a call of the caller's function and a blocking clause.
pub(crate) struct Blocker<'a> {
    projection: Projection,
    activation: SatLit,
    on_model: &'a mut dyn FnMut(&[bool]) -> Cube,
    shared: Shared,
    observed: Vec<bool>,
    values: Vec<bool>,
    /// The clause to be handed over, from its end; CaDiCaL takes it literal by literal.
    clause: Vec<SatLit>,
    waiting: bool,
}

impl<'a> Blocker<'a> {
    pub fn new(
        projection: Projection,
        activation: SatLit,
        on_model: &'a mut dyn FnMut(&[bool]) -> Cube,
        shared: Shared,
    ) -> Blocker<'a> {
        let (observed, values, clause) = (Vec::new(), Vec::new(), Vec::new());
        Blocker { projection, activation, on_model, shared, observed, values, clause, waiting: false }
    }

    /// The same propagator, its borrow forgotten: CaDiCaL's binding wants to own its callbacks.
    ///
    /// # Safety
    /// The result must be dropped before `'a` ends.
    pub unsafe fn into_static(self) -> Blocker<'static> {
        // SAFETY: the types differ in a lifetime only, and the caller keeps to it.
        unsafe { transmute::<Blocker<'a>, Blocker<'static>>(self) }
    }

    /// Asks the caller about the model in `observed`; whether there is a clause against it.
    fn block(&mut self) -> bool {
        let Blocker { projection, observed, values, .. } = self;
        projection.values(|i| observed[i], values);
        self.shared.models.set(self.shared.models.get() + 1);
        let cube = (self.on_model)(&self.values);
        self.projection.blocking_clause(self.activation, &self.values, &cube, &mut self.clause).is_some()
    }
}

impl ExternalPropagator for Blocker<'_> {
    fn is_lazy(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, _: &[i32]) {}

    fn notify_new_decision_level(&mut self) {}

    fn notify_backtrack(&mut self, _: usize) {}

    /// `model` has a literal for each observed variable, in ascending order: the important ones, and the activation.
    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        self.observed.clear();
        let activation = self.activation;
        self.observed.extend(model.iter().filter(|lit| lit.abs() != activation).map(|&lit| lit > 0));
        let blocked = catch_unwind(AssertUnwindSafe(|| self.block()));
        match blocked {
            Ok(true) => self.waiting = true,
            // Accepting the model ends the search.
            Ok(false) => return true,
            Err(panic) => {
                *self.shared.panic.borrow_mut() = Some(panic);
                return true;
            }
        }
        false
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = false;
        std::mem::take(&mut self.waiting)
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.clause.pop().unwrap_or(0)
    }
}
