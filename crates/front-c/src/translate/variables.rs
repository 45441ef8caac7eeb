//! The variables of the automaton.

use super::Translator;
use crate::memory::RegionId;
use crate::tree::{FunctionId, ObjectId, Position, Storage, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event, Havoc, Member, Var, VariableType};

/// Variables that do not belong to an activation.
pub(super) struct Variables {
    /// Those that live in the whole run, in the order of their first use.
    statics: Vec<(ObjectId, Var)>,
    static_vars: FxHashMap<ObjectId, Var>,
    /// Those of regions of memory.
    pub(super) regions: Vec<Option<Var>>,
    /// What regions hold, if always the same member of structures.
    pub(super) members: FxHashMap<RegionId, Option<Member>>,
    /// What an undefined function may change and the program looks at.
    pub(super) shared: Vec<ObjectId>,
    /// What specifications are about, by the functions that tell it.
    pub(super) objects: FxHashMap<FunctionId, Var>,
    /// Which number an address is where it is read as one.
    numbers: Option<Var>,
}

impl Variables {
    /// The variables of static storage that are on their own.
    pub(super) fn plain_statics(&self) -> impl Iterator<Item = (ObjectId, Var)> {
        self.statics.iter().copied()
    }

    pub(super) fn new(regions: usize, shared: Vec<ObjectId>) -> Variables {
        Variables {
            statics: Vec::new(),
            static_vars: FxHashMap::default(),
            regions: vec![None; regions],
            members: FxHashMap::default(),
            shared,
            objects: FxHashMap::default(),
            numbers: None,
        }
    }
}

impl Translator<'_> {
    /// The variable of an object that is used at a place.
    pub(super) fn var(&mut self, object: ObjectId, at: Position) -> Result<Var, Error> {
        let data = &self.unit[object];
        if let Some(what) = data.refused {
            return self.refuse(at, what);
        }
        if let Type::Other(what) = data.ty {
            return self.refuse(at, what);
        }
        self.local(object)
    }

    /// The variable of an object of integer type, static or of this activation.
    pub(super) fn local(&mut self, object: ObjectId) -> Result<Var, Error> {
        let data = &self.unit[object];
        let Some(int) = self.scalar(data.ty) else { return self.refuse(data.at, "variable of this type") };
        if !matches!(data.storage, Storage::Automatic(_)) {
            if let Some(&var) = self.variables.static_vars.get(&object) {
                return Ok(var);
            }
            let var = self.builder.variable(self.terms, &data.name, int, None);
            self.variables.static_vars.insert(object, var);
            self.variables.statics.push((object, var));
            return Ok(var);
        }
        if let Some(&var) = self.activations.current().locals.get(&object) {
            return Ok(var);
        }
        let frame = self.activations.frame();
        let var = self.builder.variable(self.terms, &data.name, int, Some(frame));
        self.activations.current().locals.insert(object, var);
        Ok(var)
    }

    /// The number that an address other than null is in memory: any but 0, and always the same one.
    pub(super) fn number_in_memory(&mut self, address: Term) -> Term {
        let word = self.unit.word();
        let var = match self.variables.numbers {
            Some(var) => var,
            None => {
                let ty = VariableType::memory(self.terms, word, word);
                let var = self.builder.variable(self.terms, "numbers of addresses", ty, None);
                *self.variables.numbers.insert(var)
            }
        };
        let t = &mut *self.terms;
        let number = t.select(self.builder.term(var), address);
        let (zero, one) = (t.bits(word, 0), t.bits(word, 1));
        let is_zero = t.eq(number, zero);
        t.ite(is_zero, one, number)
    }

    pub(super) fn temporary(&mut self, name: &str, ty: Type, at: Position) -> Result<Var, Error> {
        match self.scalar(ty) {
            Some(int) => {
                let frame = self.activations.frame();
                Ok(self.builder.temporary(self.terms, name, int, frame))
            }
            None => self.refuse(at, "value of this type"),
        }
    }

    /// What happens to static variables before `main`. The initial value of one may use others.
    pub(super) fn initialise_statics(&mut self) -> Result<(), Error> {
        let (mut next, mut done) = (0, FxHashSet::default());
        while let Some(&(object, _)) = self.variables.statics.get(next) {
            next += 1;
            self.initialise(object, &mut done)?;
        }
        Ok(())
    }

    /// Gives a static variable its initial value, and before it those that it is made of: gcc takes constant variables
    /// in a constant expression.
    fn initialise(&mut self, object: ObjectId, done: &mut FxHashSet<ObjectId>) -> Result<(), Error> {
        let data = &self.unit[object];
        if !done.insert(object) || !self.memory.is_plain(object) || data.refused.is_some() {
            return Ok(());
        }
        let initial = match &data.storage {
            Storage::Static(Some(init)) => init.entries.last().map(|entry| entry.value),
            _ => None,
        };
        if let Some(value) = initial {
            let mut reads: Vec<ObjectId> = self.effects.of(value).reads.into_iter().collect();
            reads.sort_unstable();
            for read in reads {
                self.initialise(read, done)?;
            }
        }
        let var = self.local(object)?;
        match (&data.storage, initial) {
            (Storage::Elsewhere, _) => self.havoc(var, data.ty, Havoc::Input(data.name.clone()), data.at),
            (_, Some(value)) => self.assign_value(var, data.ty, value, data.at),
            (_, None) => {
                let zero = self.terms.bits(self.terms.width(self.builder.term(var)), 0);
                self.emit(Command::Assign(var, zero), data.at, Event::Step)
            }
        }
    }
}
