//! Memory that comes into being at run time, and functions that work on pieces of memory.

use super::heap::Request;
use super::validity::Way;
use super::{Translator, Want};
use crate::memory::{Cell, Library, Pointer, SMALL_PIECE, Thing};
use crate::tree::{Callee, ExprId, ExprKind, FunctionId, Position, Type};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event, Havoc, IntType};

/// Copies of more cells are made by a loop.
const UNROLLED: usize = 64;

impl Translator<'_> {
    /// A call of a library function that allocates, copies or fills memory.
    pub(super) fn library_call(
        &mut self,
        library: Library,
        call: ExprId,
        at: Position,
        want: Want,
    ) -> Result<(), Error> {
        let unit = self.unit;
        let ExprKind::Call { callee: Callee::Function(function), ref args } = unit[call].kind else {
            return self.refuse(at, "this call");
        };
        self.check_order(args, at)?;
        let word = Type::Int(IntType { bits: unit.word(), signed: false });
        let mut values = Vec::new();
        for &arg in args {
            let value = self.value(arg)?;
            let value = self.convert(value, unit[arg].ty, word);
            values.push(self.settled(value, at)?);
        }
        let enough = match library {
            Library::Frees | Library::HavocsObject => 1,
            Library::Allocates => {
                if self.takes_two(function) {
                    2
                } else {
                    1
                }
            }
            Library::Reallocates | Library::Havocs => 2,
            Library::Copies | Library::Fills => 3,
        };
        if values.len() < enough {
            return self.refuse(at, "this declaration of a library function");
        }
        let result = match library {
            Library::Frees => {
                let pointer = self.pointer_of(args[0]);
                self.mark_free(pointer, values[0], at)?;
                return self.release(values[0], at);
            }
            Library::HavocsObject => {
                let pointer = self.pointer_of(args[0]);
                return self.havoc_object(pointer, values[0], at);
            }
            Library::Havocs => {
                let pointer = self.pointer_of(args[0]);
                self.mark_outside(pointer, Way::to(values[0]), values[1], at);
                self.skip(at)?;
                self.check_piece(pointer, values[0], values[1], at)?;
                return self.havoc_bytes(pointer, values[0], values[1], at);
            }
            Library::Allocates => {
                let result = self.allocate(call, function, &values, at)?;
                self.disturb_errno_where_null(result, at)?;
                result
            }
            Library::Reallocates => {
                let result = self.reallocate(call, args, &values, at)?;
                self.disturb_errno_where_null(result, at)?;
                result
            }
            Library::Copies => {
                let pointer = self.pointer_of(args[0]);
                if !self.follows_memory() {
                    self.mark_null_bytes(&values[..2], values[2], at);
                }
                self.mark_outside(pointer, Way::to(values[0]), values[2], at);
                self.mark_outside(pointer, Way::to(values[1]), values[2], at);
                let moves = unit[function].name.ends_with("memmove");
                if !moves {
                    self.mark_overlap(values[0], values[1], values[2], at);
                }
                self.skip(at)?;
                self.check_piece(pointer, values[0], values[2], at)?;
                self.check_piece(pointer, values[1], values[2], at)?;
                self.copy_bytes(pointer, values[0], values[1], values[2], (moves, at))?;
                if unit[function].name.ends_with("mempcpy") {
                    self.terms.add(values[0], values[2])
                } else {
                    values[0]
                }
            }
            Library::Fills => {
                let pointer = self.pointer_of(args[0]);
                if !self.follows_memory() {
                    self.mark_null_bytes(&values[..1], values[2], at);
                }
                self.mark_outside(pointer, Way::to(values[0]), values[2], at);
                self.skip(at)?;
                self.check_piece(pointer, values[0], values[2], at)?;
                let byte = self.terms.extract(7, 0, values[1]);
                self.fill_bytes(pointer, values[0], byte, values[2], at)?;
                values[0]
            }
        };
        self.deliver(result, unit[call].ty, want, at)
    }

    /// Whether an allocating function is given a number of elements, or an alignment, besides the size.
    fn takes_two(&self, function: FunctionId) -> bool {
        let name = self.unit[function].name.as_str();
        ["calloc", "aligned_alloc", "memalign"].iter().any(|f| name.ends_with(f))
    }

    /// What the pointer argument of a library function points to.
    pub(super) fn pointer_of(&mut self, arg: ExprId) -> Pointer {
        match self.memory.target(arg) {
            Some(pointer) => pointer,
            None => self.memory.thing(Thing::Unknown),
        }
    }

    /// `malloc` and its kin.
    fn allocate(
        &mut self,
        call: ExprId,
        function: FunctionId,
        values: &[Term],
        at: Position,
    ) -> Result<Term, Error> {
        let name = self.unit[function].name.clone();
        let zeroed = name.ends_with("calloc");
        let request = match *values {
            [count, size] if zeroed => {
                let t = &mut *self.terms;
                Request { size: t.mul(count, size), impossible: t.umulo(count, size), ..Request::of(t, size) }
            }
            // An alignment that is none may be refused.
            [alignment, size, ..] if self.takes_two(function) => {
                let power =
                    self.terms.bits_constant(alignment).is_some_and(|a| a.unsigned().is_power_of_two());
                Request { doubtful: !power, ..Request::of(self.terms, size) }
            }
            _ if name.ends_with("alloca") => Request { on_stack: true, ..Request::of(self.terms, values[0]) },
            _ => Request::of(self.terms, values[0]),
        };
        let address = self.block(call, request, at)?;
        if zeroed {
            let (some, join) = (self.node(), self.node());
            let is_some = self.terms.nonzero(address);
            self.fork(is_some, some, join, at, Event::Step, Event::Step)?;
            self.cursor.resume(some);
            if self.cursor.here.is_some() {
                let pointer = self.memory.thing(Thing::Allocated(call));
                let zero = self.terms.bits(8, 0);
                self.fill_bytes(pointer, address, zero, request.size, at)?;
            }
            self.cursor.join(join);
        }
        Ok(address)
    }

    /// `realloc`: a new block with the old contents, as many of them as both have room for. The old block is gone, unless
    /// there is no new one.
    fn reallocate(
        &mut self,
        call: ExprId,
        args: &[ExprId],
        values: &[Term],
        at: Position,
    ) -> Result<Term, Error> {
        let request = Request::of(self.terms, values[1]);
        let address = self.block(call, request, at)?;
        let is_null = self.terms.bits_constant(values[0]).is_some_and(|bits| bits.is_zero());
        if !is_null {
            let pointer = self.pointer_of(args[0]);
            // Where there is no new block, the old one stays.
            let (some, join) = (self.node(), self.node());
            let (moved, asked) = (self.terms.nonzero(address), self.terms.nonzero(values[1]));
            // Nothing is asked for to free the old one.
            let nothing = self.terms.not(asked);
            let moved = self.terms.or2(moved, nothing);
            self.fork(moved, some, join, at, Event::Step, Event::Step)?;
            self.cursor.resume(some);
            if self.cursor.here.is_some() {
                self.mark_free(pointer, values[0], at)?;
                self.move_contents(pointer, (address, values[0]), values[1], at)?;
                self.release(values[0], at)?;
            }
            self.cursor.join(join);
        }
        Ok(address)
    }

    /// Copies what was in a block to the one of `size` bytes that takes its place. What is behind that nothing has written.
    fn move_contents(
        &mut self,
        pointer: Pointer,
        (to, from): (Term, Term),
        size: Term,
        at: Position,
    ) -> Result<(), Error> {
        let Some(old) = self.size_of_block(from) else { return Ok(()) };
        let old = self.settled(old, at)?;
        let constant = self.terms.bits_constant(size).and_then(|bits| u64::try_from(bits.unsigned()).ok());
        let most = constant.or_else(|| self.memory.last_cell(pointer));
        if let Some(most) = most.filter(|&most| most <= 8 * UNROLLED as u64)
            && let Some(cells) = self.memory.cells(pointer, most)
            && cells.len() <= UNROLLED
        {
            let (word, t) = (self.unit.word(), &mut *self.terms);
            let shorter = t.ult(old, size);
            let kept = t.ite(shorter, old, size);
            self.copy_cells_if(&cells, to, from, at, |walk, cell| {
                let end = cell.offset + u64::from(walk.cell_width(cell.region).div_ceil(8));
                let end = walk.terms.bits(word, u128::from(end));
                walk.terms.ule(end, kept)
            })?;
            return self.seams(pointer, to, kept, at);
        }
        let t = &mut *self.terms;
        let shorter = t.ult(old, size);
        let kept = t.ite(shorter, old, size);
        let kept = self.kept(kept, at)?;
        self.copy_bytes(pointer, to, from, kept, (false, at))
    }

    /// So many cells are moved or filled one by one: all of a small piece that has no elements for a loop.
    pub(super) fn most_cells(&mut self, pointer: Pointer) -> usize {
        if self.memory.element_size(pointer).is_some() { UNROLLED } else { SMALL_PIECE as usize }
    }

    /// `memset`.
    fn fill_bytes(
        &mut self,
        pointer: Pointer,
        address: Term,
        byte: Term,
        size: Term,
        at: Position,
    ) -> Result<(), Error> {
        let constant = self.terms.bits_constant(size).and_then(|bits| u64::try_from(bits.unsigned()).ok());
        if let Some(size) = constant {
            let most = self.most_cells(pointer);
            let few = size <= 8 * UNROLLED as u64
                && self.memory.cells(pointer, size).is_some_and(|cells| cells.len() <= most);
            if few {
                return self.fill(pointer, address, size, byte, at);
            }
        }
        self.each_element(pointer, size, at, |walk, offset| {
            let element = walk.memory.element_size(pointer).unwrap_or(1);
            let here = walk.terms.add(address, offset);
            walk.fill(pointer, here, element, byte, at)
        })
    }

    /// `memcpy`, or `memmove`, whose pieces may overlap.
    fn copy_bytes(
        &mut self,
        pointer: Pointer,
        to: Term,
        from: Term,
        size: Term,
        (moves, at): (bool, Position),
    ) -> Result<(), Error> {
        self.copy_pieces(pointer, (to, from), size, (moves, at))?;
        self.seams(pointer, to, size, at)
    }

    fn copy_pieces(
        &mut self,
        pointer: Pointer,
        (to, from): (Term, Term),
        size: Term,
        (moves, at): (bool, Position),
    ) -> Result<(), Error> {
        let constant = self.terms.bits_constant(size).and_then(|bits| u64::try_from(bits.unsigned()).ok());
        let most = self.most_cells(pointer);
        if let Some(size) = constant
            && size <= 8 * UNROLLED as u64
            && let Some(cells) = self.memory.cells(pointer, size)
            && cells.len() <= most
        {
            return self.copy_cells(&cells, to, from, at);
        }
        // The pieces may overlap: a loop from the first element on reads what it has written if they are copied up.
        let upward = {
            let t = &mut *self.terms;
            let (to_end, from_end) = (t.add(to, size), t.add(from, size));
            let (before, after) = (t.ule(to_end, from), t.ule(from_end, to));
            let apart = t.or2(before, after);
            let down = t.ult(to, from);
            if moves { t.or2(apart, down) } else { apart }
        };
        let (fine, overlap, join) = (self.node(), self.node(), self.node());
        self.fork(upward, fine, overlap, at, Event::Step, Event::Step)?;
        self.cursor.resume(overlap);
        if self.cursor.here.is_some() {
            if moves {
                self.copy_elements(pointer, (to, from), (size, true), at)?;
            } else {
                self.approximate_regions(pointer, "copying between pieces of memory that overlap", at)?;
            }
            self.cursor.jump(join);
        }
        self.cursor.resume(fine);
        if self.cursor.here.is_some() {
            self.copy_elements(pointer, (to, from), (size, false), at)?;
            self.cursor.jump(join);
        }
        self.cursor.resume(join);
        Ok(())
    }

    /// Copies element by element, from the first or from the last one on.
    fn copy_elements(
        &mut self,
        pointer: Pointer,
        (to, from): (Term, Term),
        (size, last_first): (Term, bool),
        at: Position,
    ) -> Result<(), Error> {
        self.each_element(pointer, size, at, |walk, offset| {
            let element = walk.memory.element_size(pointer).unwrap_or(1);
            let Some(cells) = walk.memory.cells(pointer, element) else {
                return walk.approximate_regions(pointer, "copying a part of a value", at);
            };
            let offset = if last_first {
                let step = walk.terms.bits(walk.unit.word(), u128::from(element));
                let left = walk.terms.sub(size, offset);
                walk.terms.sub(left, step)
            } else {
                offset
            };
            let (to, from) = (walk.terms.add(to, offset), walk.terms.add(from, offset));
            walk.copy_cells(&cells, to, from, at)
        })
    }

    /// All values are read before any is written.
    fn copy_cells(&mut self, cells: &[Cell], to: Term, from: Term, at: Position) -> Result<(), Error> {
        self.copy_cells_if(cells, to, from, at, |walk, _| walk.terms.tru())
    }

    /// Likewise, of those cells for which a condition holds.
    fn copy_cells_if(
        &mut self,
        cells: &[Cell],
        to: Term,
        from: Term,
        at: Position,
        condition: impl Fn(&mut Self, &Cell) -> Term,
    ) -> Result<(), Error> {
        let mut values = Vec::with_capacity(cells.len());
        for cell in cells {
            let var = self.region_var(cell.region);
            let memory = self.builder.term(var);
            let source = self.offset(from, cell.offset as i64);
            let value = self.terms.select(memory, source);
            let is_copied = condition(self, cell);
            let target = self.offset(to, cell.offset as i64);
            let there = self.terms.select(memory, target);
            let value = self.terms.ite(is_copied, value, there);
            let int = IntType { bits: self.cell_width(cell.region), signed: false };
            let frame = self.activations.frame();
            let copied = self.builder.temporary(self.terms, "copied", int, frame);
            self.emit(Command::Assign(copied, value), at, Event::Step)?;
            self.note_moved(cell.region, self.builder.term(copied));
            values.push(self.builder.term(copied));
        }
        for (cell, value) in cells.iter().zip(values) {
            self.store_raw(cell.region, to, cell.offset, value, at)?;
        }
        Ok(())
    }

    /// A loop over the elements of a piece of memory; what is left over, less than an element, is not modelled.
    pub(super) fn each_element(
        &mut self,
        pointer: Pointer,
        size: Term,
        at: Position,
        body: impl FnOnce(&mut Self, Term) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let word = self.unit.word();
        let Some(element) = self.memory.element_size(pointer) else {
            return self.approximate_regions(pointer, "a piece of memory of unknown size", at);
        };
        let frame = self.activations.frame();
        let done = self.builder.temporary(self.terms, "done", IntType { bits: word, signed: false }, frame);
        let zero = self.terms.bits(word, 0);
        self.emit(Command::Assign(done, zero), at, Event::Step)?;
        let offset = self.builder.term(done);
        let (head, inside, exit) = (self.node(), self.node(), self.node());
        self.cursor.land(head);
        let t = &mut *self.terms;
        let step = t.bits(word, u128::from(element));
        let left = t.sub(size, offset);
        let more = t.ule(step, left);
        self.fork(more, inside, exit, at, Event::Step, Event::Step)?;
        self.cursor.resume(inside);
        body(self, offset)?;
        let next = self.terms.add(offset, step);
        self.emit(Command::Assign(done, next), at, Event::Step)?;
        self.cursor.jump(head);
        self.cursor.resume(exit);
        if element > 1 {
            let (rest, join) = (self.node(), self.node());
            let complete = self.terms.eq(offset, size);
            self.fork(complete, join, rest, at, Event::Step, Event::Step)?;
            self.cursor.resume(rest);
            if self.cursor.here.is_some() {
                self.approximate_regions(pointer, "a part of an element of an array", at)?;
                self.cursor.jump(join);
            }
            self.cursor.resume(join);
        }
        Ok(())
    }

    /// Gives the value of a call to whoever wants it.
    pub(super) fn deliver(&mut self, value: Term, ty: Type, want: Want, at: Position) -> Result<(), Error> {
        match want {
            Want::Nothing | Want::Struct(_) => Ok(()),
            Want::Into(var, types) => {
                let value = self.convert_through(value, ty, &types);
                self.emit(Command::Assign(var, value), at, Event::Step)
            }
        }
    }

    /// Makes what a call may reach arbitrary.
    pub(super) fn havoc_reachable(
        &mut self,
        call: ExprId,
        cause: &Havoc,
        at: Position,
    ) -> Result<bool, Error> {
        let regions = self.effects.touches.calls.get(&call).cloned().unwrap_or_default();
        for &region in &regions {
            let var = self.region_var(region);
            self.emit(Command::Havoc(var, cause.clone()), at, Event::Step)?;
        }
        Ok(!regions.is_empty())
    }
}
