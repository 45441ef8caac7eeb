//! Blocks the models of an enumeration.

use crate::dpll_t::{FreeValues, Next, OnModel, Surroundings};
use crate::enumerate::Projection;
use crate::sat::SatLit;
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};
use std::mem::transmute;
use std::rc::Rc;
use tamis_differences::Cube;
use tamis_theories::Literal;

/// How many neighbours that were seen before are looked at for each one that is new, and how many in any case. To come
/// upon one costs a fraction of what the search needs for a model.
const OLD_PER_NEW: u64 = 4;
const OLD: u64 = 200;

/// A neighbour that the theories do not accept costs as much as so many others.
const REJECTED: u64 = 4;

/// After neighbours without a new one, so many models are passed over at most.
const PATIENCE: u32 = 64;

/// Turns every model into a call of the caller's function and a blocking clause.
pub(crate) struct Blocker<'a> {
    projection: Rc<Projection>,
    activation: SatLit,
    on_model: &'a mut dyn FnMut(&[bool]) -> Cube,
    /// For each important term the free bound that it is, if it is one.
    free: Vec<Option<Literal>>,
    /// How many models there were, and whether no more are wanted.
    progress: Rc<Progress>,
    values: Vec<bool>,
    /// New ones among the neighbours of the present model, and others.
    new: u64,
    old: u64,
    /// The new ones.
    neighbours: Vec<(Box<[bool]>, Cube)>,
    /// How many models to pass over before neighbours are looked at again, and how many after the next failure.
    pass: u32,
    pause: u32,
}

/// What is left of an enumeration's search when it is over.
#[derive(Default)]
pub(crate) struct Progress {
    pub models: Cell<u64>,
    pub enough: Cell<bool>,
    /// New ones among the neighbours, and others.
    new: Cell<u64>,
    old: Cell<u64>,
    /// The models, if neighbours are looked at.
    seen: RefCell<FxHashSet<Box<[u64]>>>,
    /// Whether a cube was larger than its minterm: from then on the models do not say what is blocked.
    cubes: Cell<bool>,
}

impl Progress {
    /// With cubes over `count` important terms that are blocked from the start: models that were seen if all are minterms;
    /// otherwise the models do not say what is blocked.
    pub fn with_known(known: &[Vec<(usize, bool)>], count: usize) -> Progress {
        let minterms = known.iter().all(|cube| cube.len() == count);
        let progress = Progress { cubes: Cell::new(!minterms), ..Progress::default() };
        if minterms {
            let values = |cube: &Vec<(usize, bool)>| {
                let mut values = vec![false; count];
                cube.iter().for_each(|&(position, value)| values[position] = value);
                packed(&values)
            };
            *progress.seen.borrow_mut() = known.iter().map(values).collect();
        }
        progress
    }
}

/// Truth values as bits.
fn packed(values: &[bool]) -> Box<[u64]> {
    let word = |chunk: &[bool]| chunk.iter().rev().fold(0, |word, &value| word << 1 | u64::from(value));
    values.chunks(64).map(word).collect()
}

impl<'a> Blocker<'a> {
    pub fn new(
        projection: Rc<Projection>,
        activation: SatLit,
        on_model: &'a mut dyn FnMut(&[bool]) -> Cube,
        free: Vec<Option<Literal>>,
        progress: Rc<Progress>,
    ) -> Blocker<'a> {
        Blocker {
            projection,
            activation,
            on_model,
            free,
            progress,
            values: Vec::new(),
            new: 0,
            old: 0,
            neighbours: Vec::new(),
            pass: 0,
            pause: 1,
        }
    }

    /// The same blocker, its borrow forgotten: CaDiCaL's binding wants to own its callbacks.
    ///
    /// # Safety
    /// The result must be dropped before `'a` ends.
    pub unsafe fn into_static(self) -> Blocker<'static> {
        // SAFETY: the types differ in a lifetime only, and the caller keeps to it.
        unsafe { transmute::<Blocker<'a>, Blocker<'static>>(self) }
    }

    /// Whether models are remembered.
    fn remembers(&self) -> bool {
        !self.progress.cubes.get() && self.free.iter().any(Option::is_some)
    }

    /// Gives the present values to the caller; the cube around them that is not to be visited again.
    fn give(&mut self) -> Option<Cube> {
        let progress = &self.progress;
        progress.models.set(progress.models.get() + 1);
        let cube = (self.on_model)(&self.values);
        progress.cubes.set(progress.cubes.get() || cube != Cube::Minterm);
        progress.enough.set(cube == Cube::Enough);
        (cube != Cube::Enough).then_some(cube)
    }

    fn clause(&self, values: &[bool], cube: &Cube) -> Option<Vec<SatLit>> {
        let mut clause = Vec::new();
        self.projection.blocking_clause(self.activation, values, cube, &mut clause).map(|()| clause)
    }
}

impl OnModel for Blocker<'_> {
    fn on_model(&mut self, value: &dyn Fn(SatLit) -> bool) -> Option<Vec<SatLit>> {
        let observed = &self.projection.observed;
        self.projection.values(|i| value(observed[i]), &mut self.values);
        let remembered = self.remembers() || !self.progress.seen.borrow().is_empty();
        if remembered && !self.progress.seen.borrow_mut().insert(packed(&self.values)) {
            // A region that was blocked as a whole had it too.
            return self.clause(&self.values, &Cube::Minterm);
        }
        let cube = self.give()?;
        self.clause(&self.values, &cube)
    }

    fn wants_neighbours(&mut self) -> bool {
        let passed = self.pass > 0;
        self.pass = self.pass.saturating_sub(1);
        (self.new, self.old) = (0, 0);
        !passed && self.remembers()
    }

    fn on_neighbour(&mut self, value: Option<FreeValues>) -> Option<Next> {
        if let Some(value) = value {
            for (place, free) in self.values.iter_mut().zip(&self.free) {
                if let Some((literal, value)) = free.and_then(|literal| Some((literal, value(literal.atom)?)))
                {
                    *place = value == literal.positive;
                }
            }
        }
        if value.is_none() || !self.progress.seen.borrow_mut().insert(packed(&self.values)) {
            self.old += 1;
            let (new, old) = (&self.progress.new, &self.progress.old);
            old.set(old.get() + if value.is_none() { REJECTED } else { 1 });
            let too_many = old.get() > OLD + OLD_PER_NEW * new.get();
            return Some(if too_many { Next::Stop } else { Next::Another });
        }
        self.new += 1;
        self.progress.new.set(self.progress.new.get() + 1);
        let cube = self.give()?;
        self.neighbours.push((self.values.as_slice().into(), cube));
        Some(if self.progress.cubes.get() { Next::Stop } else { Next::Another })
    }

    fn end_neighbours(&mut self, region: Surroundings) -> Vec<Vec<SatLit>> {
        if matches!(region, Surroundings::Visited(_)) || self.new > self.old / 4 {
            self.pause = 1;
        } else {
            self.pass = self.pause;
            self.pause = (2 * self.pause).min(PATIENCE);
        }
        let neighbours = std::mem::take(&mut self.neighbours);
        match region {
            // One clause for all of them. Should another region have some of them too, they are blocked there.
            Surroundings::Visited(literals) => {
                let negated = literals.into_iter().map(|lit| -lit);
                vec![std::iter::once(-self.activation).chain(negated).collect()]
            }
            Surroundings::Open => {
                neighbours.iter().filter_map(|(values, cube)| self.clause(values, cube)).collect()
            }
        }
    }

    fn is_important(&self, variable: SatLit) -> bool {
        self.projection.observed.binary_search(&variable).is_ok()
    }
}
