//! Blocks the models of an enumeration.

use crate::dpll_t::OnModel;
use crate::enumerate::{Cube, Projection};
use crate::sat::SatLit;
use std::cell::Cell;
use std::mem::transmute;
use std::rc::Rc;

/// Turns every model into a call of the caller's function and a blocking clause.
pub(crate) struct Blocker<'a> {
    projection: Rc<Projection>,
    activation: SatLit,
    on_model: &'a mut dyn FnMut(&[bool]) -> Cube,
    /// How many models there were, and whether no more are wanted.
    progress: Rc<Progress>,
    values: Vec<bool>,
}

/// What is left of an enumeration's search when it is over.
#[derive(Default)]
pub(crate) struct Progress {
    pub models: Cell<u64>,
    pub enough: Cell<bool>,
}

impl<'a> Blocker<'a> {
    pub fn new(
        projection: Rc<Projection>,
        activation: SatLit,
        on_model: &'a mut dyn FnMut(&[bool]) -> Cube,
        progress: Rc<Progress>,
    ) -> Blocker<'a> {
        Blocker { projection, activation, on_model, progress, values: Vec::new() }
    }

    /// The same blocker, its borrow forgotten: CaDiCaL's binding wants to own its callbacks.
    ///
    /// # Safety
    /// The result must be dropped before `'a` ends.
    pub unsafe fn into_static(self) -> Blocker<'static> {
        // SAFETY: the types differ in a lifetime only, and the caller keeps to it.
        unsafe { transmute::<Blocker<'a>, Blocker<'static>>(self) }
    }
}

impl OnModel for Blocker<'_> {
    fn on_model(&mut self, value: &dyn Fn(SatLit) -> bool) -> Option<Vec<SatLit>> {
        let observed = &self.projection.observed;
        self.projection.values(|i| value(observed[i]), &mut self.values);
        self.progress.models.set(self.progress.models.get() + 1);
        let cube = (self.on_model)(&self.values);
        let mut clause = Vec::new();
        let blocked = self.projection.blocking_clause(self.activation, &self.values, &cube, &mut clause);
        self.progress.enough.set(blocked.is_none());
        blocked.map(|()| clause)
    }
}
