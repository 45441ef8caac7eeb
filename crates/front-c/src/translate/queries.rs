//! Questions about memory that programs ask: CBMC's `__CPROVER_r_ok` and its kin.
//!
//! The answer depends on what objects there are, which is known when all is translated: until then it is a variable, to
//! which [`settle`](super::pieces::settle) assigns what is known of the pieces. Where a pointer may point to memory that nothing is
//! known of, the answer there is any, and approximated.

use super::validity::Living;
use super::{Translator, Want};
use crate::memory::{Cell, Pointer, RegionId, Thing};
use crate::options::Target;
use crate::tree::{Callee, ExprId, ExprKind, FunctionId, Position, Type, Unit};
use std::rc::Rc;
use tamis_diagnostics::Error;
use tamis_logic::{Term, Terms};
use tamis_program::{Command, Event, Havoc, IntType, Undefined, Var, VariableType};

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    /// Whether so many bytes are there, in one object that lives.
    Accessible,
    /// Where the object begins; 0 for none.
    Object,
    /// How many bytes it has.
    Size,
    /// How far into it the pointer points.
    Offset,
    /// Whether two pointers are to one object.
    Same,
    /// Whether it is a block of the heap.
    Dynamic,
    /// Whether it came into being since a function was entered.
    New,
}

/// The question that a function of a name asks.
pub(crate) fn question(name: &str) -> Option<Question> {
    Some(match name {
        "__CPROVER_r_ok"
        | "__CPROVER_w_ok"
        | "__CPROVER_rw_ok"
        | "__CPROVER_LIVE_OBJECT"
        | "__CPROVER_WRITEABLE_OBJECT" => Question::Accessible,
        "__CPROVER_POINTER_OBJECT" => Question::Object,
        "__CPROVER_OBJECT_SIZE" => Question::Size,
        "__CPROVER_POINTER_OFFSET" => Question::Offset,
        "__CPROVER_same_object" => Question::Same,
        "__CPROVER_DYNAMIC_OBJECT" => Question::Dynamic,
        "__VERIFIER_new_in_contract" => Question::New,
        _ => return None,
    })
}

/// Whether a program asks about memory, or makes whole objects arbitrary.
pub(super) fn asks(unit: &Unit) -> bool {
    unit.expressions().any(|e| match unit[e].kind {
        ExprKind::Call { callee: Callee::Function(function), .. } => {
            let data = &unit[function];
            data.body.is_none() && (question(&data.name).is_some() || data.name == "__CPROVER_havoc_object")
        }
        _ => false,
    })
}

/// A question that waits for its answer.
pub(super) struct Query {
    pub(super) question: Question,
    /// What the answer is assigned to.
    pub(super) answer: Var,
    pub(super) pointer: Pointer,
    pub(super) address: Term,
    pub(super) size: Term,
    pub(super) living: Rc<Living>,
    /// The function that was entered, and what lived then.
    pub(super) before: Option<(u64, Rc<Living>)>,
}

impl Translator<'_> {
    /// The answer to a question, as a number as wide as an address.
    fn ask(
        &mut self,
        question: Question,
        (pointer, address, size): (Pointer, Term, Term),
        at: Position,
    ) -> Result<Term, Error> {
        let int = IntType { bits: self.unit.word(), signed: false };
        let frame = self.activations.frame();
        let answer = self.builder.temporary(self.terms, "answer", int, frame);
        let (address, size) = (self.settled(address, at)?, self.settled(size, at)?);
        let living = self.living();
        let before = self.validity.asked_of.take();
        let query = Query { question, answer, pointer, address, size, living, before };
        self.validity.queries.push(query);
        // What is asked is put here when all is known; until then the answer is itself.
        let unknown = self.builder.term(answer);
        self.emit(Command::Assign(answer, unknown), at, Event::Step)?;
        Ok(self.builder.term(answer))
    }

    /// A call of a function that asks about memory.
    pub(super) fn question(
        &mut self,
        question: Question,
        args: &[ExprId],
        result: Type,
        want: Want,
        at: Position,
    ) -> Result<(), Error> {
        let word = Type::Int(IntType { bits: self.unit.word(), signed: false });
        let mut asked = Vec::new();
        let (of, args) = match (question, args) {
            (Question::New, [number, rest @ ..]) => (self.before(*number), rest),
            _ => (None, args),
        };
        for &arg in args {
            let value = self.value(arg)?;
            let value = self.convert(value, self.unit[arg].ty, word);
            let value = self.settled(value, at)?;
            let pointer = self.pointer_of(arg);
            asked.push((pointer, value));
        }
        let zero = self.terms.bits(self.unit.word(), 0);
        let Some(&(pointer, address)) = asked.first() else {
            return self.refuse(at, "a question about memory without an argument");
        };
        let second = asked.get(1).copied();
        let answer = match question {
            Question::Accessible => {
                let size = second.map_or(zero, |(_, size)| size);
                self.ask(question, (pointer, address, size), at)?
            }
            Question::Offset => {
                let base = self.ask(Question::Object, (pointer, address, zero), at)?;
                self.terms.sub(address, base)
            }
            Question::Same => {
                let Some((other, there)) = second else {
                    return self.refuse(at, "a question about two pointers with one argument");
                };
                let a = self.ask(Question::Object, (pointer, address, zero), at)?;
                let b = self.ask(Question::Object, (other, there, zero), at)?;
                let same = self.terms.eq(a, b);
                self.terms.bool_to_bits(self.unit.word(), same)
            }
            _ => {
                self.validity.asked_of = of;
                self.ask(question, (pointer, address, zero), at)?
            }
        };
        let value = self.convert(answer, word, result);
        self.deliver(value, result, want, at)
    }

    /// Marks an order or a difference of pointers that are not into one object, or just behind it.
    pub(super) fn mark_unrelated(
        &mut self,
        (a, b): (ExprId, ExprId),
        (here, there): (Term, Term),
        at: Position,
    ) -> Result<(), Error> {
        if self.unit.target != Target::Pointers || !self.unit[a].ty.is_pointer() {
            return Ok(());
        }
        let zero = self.terms.bits(self.unit.word(), 0);
        let mut objects = [zero; 2];
        for (object, (e, value)) in objects.iter_mut().zip([(a, here), (b, there)]) {
            let pointer = self.pointer_of(e);
            *object = self.ask(Question::Object, (pointer, value, zero), at)?;
        }
        let [a, b] = objects;
        let when = self.terms.ne(a, b);
        self.mark(Undefined::Unrelated, when, at);
        self.skip(at)
    }

    /// The object that a pointer points into: where it begins, and its size.
    pub(super) fn object_around(
        &mut self,
        pointer: Pointer,
        address: Term,
        at: Position,
    ) -> Result<(Term, Term), Error> {
        let zero = self.terms.bits(self.unit.word(), 0);
        let base = self.ask(Question::Object, (pointer, address, zero), at)?;
        let size = self.ask(Question::Size, (pointer, address, zero), at)?;
        Ok((base, size))
    }

    /// Makes a piece of memory arbitrary.
    pub(super) fn havoc_bytes(
        &mut self,
        pointer: Pointer,
        address: Term,
        size: Term,
        at: Position,
    ) -> Result<(), Error> {
        if let Some(regions) = self.all_of(pointer, Some((address, size))) {
            return self.havoc_regions(regions, at);
        }
        let constant = self.terms.bits_constant(size).and_then(|bits| u64::try_from(bits.unsigned()).ok());
        if let Some(size) = constant
            && size <= 512
            && let Some(cells) = self.memory.cells(pointer, size)
            && cells.len() <= self.most_cells(pointer)
        {
            return self.havoc_cells(&cells, address, at);
        }
        self.each_element(pointer, size, at, |walk, offset| {
            let element = walk.memory.element_size(pointer).unwrap_or(1);
            let Some(cells) = walk.memory.cells(pointer, element) else {
                return walk.approximate_regions(pointer, "a part of a value that is made arbitrary", at);
            };
            let here = walk.terms.add(address, offset);
            walk.havoc_cells(&cells, here, at)
        })
    }

    fn havoc_cells(&mut self, cells: &[Cell], address: Term, at: Position) -> Result<(), Error> {
        let address = self.settled(address, at)?;
        for cell in cells {
            let int = IntType { bits: self.cell_width(cell.region), signed: false };
            let frame = self.activations.frame();
            let any = self.builder.temporary(self.terms, "any", int, frame);
            self.emit(Command::Havoc(any, Havoc::Uninitialised), at, Event::Step)?;
            let value = self.builder.term(any);
            self.store_raw(cell.region, address, cell.offset, value, at)?;
        }
        Ok(())
    }

    /// The regions of a pointer, if there is one object only in them, and the piece, of a size that is constant, is all of
    /// it; without a piece, the object is meant.
    fn all_of(&mut self, pointer: Pointer, piece: Option<(Term, Term)>) -> Option<Vec<RegionId>> {
        let [thing] = self.memory.things_at(pointer)[..] else { return None };
        if self.memory.things_around(pointer).len() > 1 {
            return None;
        }
        let mut placed = self.addresses.placed.iter().filter(|(known, _)| *known == thing);
        let (&(_, base), None) = (placed.next()?, placed.next()) else { return None };
        if self.memory.is_external_at(pointer) {
            return None;
        }
        let number = |terms: &Terms, term: Term| {
            terms.bits_constant(term).and_then(|bits| u64::try_from(bits.unsigned()).ok())
        };
        if let Some((address, size)) = piece {
            let (address, size) = (number(self.terms, address)?, number(self.terms, size)?);
            let whole = match thing {
                Thing::Object(object) => self.unit[object].size == Some(size),
                Thing::Allocated(_) => self.addresses.block_sizes.get(&base) == Some(&size),
                _ => false,
            };
            if !whole || address != base {
                return None;
            }
        }
        let known = matches!(thing, Thing::Object(_)) || self.addresses.block_sizes.contains_key(&base);
        known.then(|| self.memory.node_regions(pointer))
    }

    fn havoc_regions(&mut self, regions: Vec<RegionId>, at: Position) -> Result<(), Error> {
        for region in regions {
            let var = self.region_var(region);
            self.emit(Command::Havoc(var, Havoc::Uninitialised), at, Event::Step)?;
        }
        Ok(())
    }

    /// Makes the object that a pointer points into arbitrary.
    pub(super) fn havoc_object(
        &mut self,
        pointer: Pointer,
        address: Term,
        at: Position,
    ) -> Result<(), Error> {
        if let Some(regions) = self.all_of(pointer, None) {
            return self.havoc_regions(regions, at);
        }
        let (base, size) = self.object_around(pointer, address, at)?;
        self.havoc_bytes(pointer, base, size, at)
    }

    /// A call of a function of which nothing is known but that it is one: equal arguments give equal results.
    pub(super) fn uninterpreted(
        &mut self,
        function: FunctionId,
        args: &[ExprId],
        want: Want,
        at: Position,
    ) -> Result<(), Error> {
        let data = &self.unit[function];
        let (name, result) = (data.name.clone(), data.result);
        let Some(int) = self.scalar(result) else {
            return self.refuse(at, "an uninterpreted function of this type");
        };
        let mut index: Option<Term> = None;
        for &arg in args {
            if self.scalar(self.unit[arg].ty).is_none() {
                return self.refuse(at, "an argument of this type of an uninterpreted function");
            }
            let value = self.value(arg)?;
            let value = self.settled(value, at)?;
            index = Some(match index {
                Some(before) => self.terms.concat(before, value),
                None => value,
            });
        }
        let index = match index {
            Some(index) => index,
            None => self.terms.bits(8, 0),
        };
        let width = self.terms.width(index);
        let frame = self.activations.outermost();
        let key = (name.clone(), width);
        let (known, table) = match self.validity.functions.get(&key) {
            Some(&vars) => vars,
            None => {
                let is_known = VariableType::memory(self.terms, width, 8);
                let values = VariableType::memory(self.terms, width, int.bits);
                let known = self.builder.temporary(self.terms, "arguments", is_known, frame);
                let table = self.builder.temporary(self.terms, &name, values, frame);
                self.validity.functions.insert(key, (known, table));
                (known, table)
            }
        };
        let result_var = self.temporary(&name, result, at)?;
        let (fresh, old, join) = (self.node(), self.node(), self.node());
        let seen = self.builder.term(known);
        let seen = self.terms.select(seen, index);
        let seen = self.terms.nonzero(seen);
        self.fork(seen, old, fresh, at, Event::Step, Event::Step)?;
        self.cursor.resume(old);
        if self.cursor.here.is_some() {
            let values = self.builder.term(table);
            let value = self.terms.select(values, index);
            self.emit(Command::Assign(result_var, value), at, Event::Step)?;
            self.cursor.jump(join);
        }
        self.cursor.resume(fresh);
        if self.cursor.here.is_some() {
            self.havoc(result_var, result, Havoc::Input(name), at)?;
            let (values, seen) = (self.builder.term(table), self.builder.term(known));
            let (value, yes) = (self.builder.term(result_var), self.terms.bits(8, 1));
            let values = self.terms.store(values, index, value);
            let seen = self.terms.store(seen, index, yes);
            self.emit(Command::Assign(table, values), at, Event::Step)?;
            self.emit(Command::Assign(known, seen), at, Event::Step)?;
            self.cursor.jump(join);
        }
        self.cursor.resume(join);
        let value = self.builder.term(result_var);
        self.deliver(value, result, want, at)
    }
}
