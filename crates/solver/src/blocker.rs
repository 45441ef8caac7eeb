//! Blocks the models of an enumeration.

use crate::dpll_t::OnModel;
use crate::enumerate::Projection;
use crate::sat::SatLit;
use std::cell::Cell;
use std::mem::transmute;
use std::rc::Rc;
use tamis_differences::Cube;

/// Turns every model into a call of the caller's function and a blocking clause.
pub(crate) struct Blocker<'a> {
    projection: Rc<Projection>,
    activation: SatLit,
    on_model: &'a mut dyn FnMut(&[bool]) -> Cube,
    /// How many models there were.
    models: Rc<Cell<u64>>,
    values: Vec<bool>,
}

impl<'a> Blocker<'a> {
    pub fn new(
        projection: Rc<Projection>,
        activation: SatLit,
        on_model: &'a mut dyn FnMut(&[bool]) -> Cube,
        models: Rc<Cell<u64>>,
    ) -> Blocker<'a> {
        Blocker { projection, activation, on_model, models, values: Vec::new() }
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
        self.models.set(self.models.get() + 1);
        let cube = (self.on_model)(&self.values);
        let mut clause = Vec::new();
        self.projection.blocking_clause(self.activation, &self.values, &cube, &mut clause).map(|()| clause)
    }

    fn is_important(&self, variable: SatLit) -> bool {
        self.projection.observed.binary_search(&variable).is_ok()
    }
}
