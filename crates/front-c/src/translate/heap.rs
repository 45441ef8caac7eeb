//! Memory that comes into being at run time.
//!
//! A block that is allocated once, of a size that is known and small, has a fixed address. All others come from a heap
//! that only grows, so that blocks are apart. What an allocation may answer:
//!
//! | size | result |
//! | --- | --- |
//! | 1 byte to [`SURE`] | a block: that memory runs out before is not considered |
//! | 0, and from there to [`Addresses::largest`](super::addresses::Addresses::largest) | a block or null: approximated |
//! | more, and products that overflow | null |
//!
//! Where it matters what is done with memory, all that can be addressed is had: that there is enough is assumed.
//!
//! Addresses are finite, and memory that was freed can be had again: where the heap has grown to its limit, a block may be
//! anywhere in it or behind the limit, or there is none, and that is approximated. No execution ends here. What is behind
//! the limit nothing has written to, so such a block holds anything, as any new one does.

use super::Translator;
use super::assumption::Assumption;
use super::validity::{Arena, BlockSize, INSET};
use crate::memory::Thing;
use crate::options::Target;
use crate::tree::vocabulary::MALLOC_FAILS;
use crate::tree::{ExprId, Position};
use tamis_diagnostics::Error;
use tamis_logic::{Term, Terms};
use tamis_program::Undefined::{InvalidFree, Lost, NotFreed, OutOfBounds};
use tamis_program::{Command, Event, Havoc, IntType, Var, VariableType};

/// An allocation of at most this many bytes succeeds.
const SURE: u128 = 1 << 28;

/// A block of at most this many bytes has a fixed address if it is allocated once.
const FIXED: u64 = 1 << 24;

/// Why nothing is claimed of a block of a loop that is larger than the slots of its arena.
pub(crate) const LARGE_BLOCK: &str = "a large block that is allocated in a loop";

/// What is asked for.
#[derive(Clone, Copy)]
pub(super) struct Request {
    /// In bytes.
    pub(super) size: Term,
    /// When it cannot be had whatever the size says.
    pub(super) impossible: Term,
    /// Whether it may fail although the size is small.
    pub(super) doubtful: bool,
    /// Whether it comes from the stack, which overflows where the heap would say null.
    pub(super) on_stack: bool,
    /// Where a block is put that is not larger than the second number, if that is known.
    pub(super) place: Option<(u64, u64)>,
    /// The arena that it comes from, by its place among all.
    pub(super) arena: Option<usize>,
}

impl Request {
    /// For `size` bytes.
    pub(super) fn of(terms: &mut Terms, size: Term) -> Request {
        let impossible = terms.fals();
        Request { size, impossible, doubtful: false, on_stack: false, place: None, arena: None }
    }
}

impl Translator<'_> {
    /// Fresh memory, or none where that is an input.
    pub(super) fn block(&mut self, call: ExprId, request: Request, at: Position) -> Result<Term, Error> {
        if request.on_stack {
            return self.had_block(call, request, at);
        }
        if !self.unit.malloc_may_fail {
            let size = self.settled(request.size, at)?;
            let address = self.had_block(call, Request { size, ..request }, at)?;
            self.note_size(address, size, at)?;
            return Ok(address);
        }
        let frame = self.activations.frame();
        let bit = IntType { bits: 1, signed: false };
        let address = IntType { bits: self.unit.word(), signed: false };
        let size = self.settled(request.size, at)?;
        let fails = self.builder.temporary(self.terms, MALLOC_FAILS, bit, frame);
        let block = self.builder.temporary(self.terms, "block", address, frame);
        self.emit(Command::Havoc(fails, Havoc::Input(MALLOC_FAILS.to_owned())), at, Event::Step)?;
        let (none, some, join) = (self.node(), self.node(), self.node());
        let fails = self.terms.nonzero(self.builder.term(fails));
        self.fork(fails, none, some, at, Event::Step, Event::Step)?;
        self.cursor.resume(none);
        let null = self.terms.bits(self.unit.word(), 0);
        self.emit(Command::Assign(block, null), at, Event::Step)?;
        self.cursor.jump(join);
        self.cursor.resume(some);
        let address = self.had_block(call, Request { size, ..request }, at)?;
        self.note_size(address, size, at)?;
        self.emit(Command::Assign(block, address), at, Event::Step)?;
        self.cursor.join(join);
        Ok(self.builder.term(block))
    }

    /// Fresh memory: at a fixed address where it is allocated at most once.
    fn had_block(&mut self, call: ExprId, request: Request, at: Position) -> Result<Term, Error> {
        let thing = Thing::Allocated(call);
        let constant = self.terms.bits_constant(request.size);
        let constant = constant.and_then(|bits| u64::try_from(bits.unsigned()).ok());
        if let (Some(size), false, false) = (constant, self.activations.in_loop(), request.doubtful)
            && (size > 0 || request.on_stack)
            && size < FIXED
            && self.terms.is_false(request.impossible)
            && let Some(base) = self.addresses.place(thing, size, 16)
        {
            self.addresses.block_sizes.insert(base, size);
            let base = self.terms.bits(self.unit.word(), u128::from(base));
            self.follow_block(thing, (base, request.size), request.on_stack, at)?;
            return Ok(base);
        }
        self.addresses.dynamic.insert(thing);
        if !self.follows_memory() && !self.memory.is_divided(thing) {
            self.validity.loose.insert(thing);
            return self.heap_block(request, at);
        }
        if !self.activations.in_loop() {
            return self.single_block(thing, request, at);
        }
        let is_sure = self.terms.is_false(request.impossible) && !request.doubtful && !request.on_stack;
        if let Some(size) = constant.filter(|&size| is_sure && 0 < size && u128::from(size) <= SURE)
            && let Some(arena) = self.arena(thing, Some(size))
        {
            let address = self.arena_block(arena, request.size, at)?;
            self.count_block(address, at)?;
            return Ok(address);
        }
        if !request.on_stack
            && let Some(arena) = self.arena(thing, None)
        {
            let address = self.heap_block(Request { arena: Some(arena), ..request }, at)?;
            self.count_block(address, at)?;
            return Ok(address);
        }
        self.validity.loose.insert(thing);
        let address = self.heap_block(request, at)?;
        if !request.on_stack {
            self.count_block(address, at)?;
        }
        Ok(address)
    }

    /// Fresh memory that is there at most once at a time.
    pub(super) fn single_block(
        &mut self,
        thing: Thing,
        request: Request,
        at: Position,
    ) -> Result<Term, Error> {
        let place = if self.activations.in_loop() { None } else { self.addresses.piece() };
        let size = self.settled(request.size, at)?;
        let base = self.heap_block(Request { place, size, ..request }, at)?;
        self.follow_block(thing, (base, size), request.on_stack, at)?;
        Ok(base)
    }

    /// The arena that blocks of a size come from, or of any size.
    fn arena(&mut self, thing: Thing, size: Option<u64>) -> Option<usize> {
        let is_it = |arena: &Arena| {
            arena.thing == thing
                && match (arena.size, size) {
                    (BlockSize::Fixed(known), Some(size)) => known == size,
                    (BlockSize::Kept(_), None) => true,
                    _ => false,
                }
        };
        if let Some(known) = self.validity.arenas.iter().position(is_it) {
            return Some(known);
        }
        let (start, bits, slot) = match size {
            Some(size) => {
                let slot = (size + 2 * INSET).next_power_of_two().ilog2();
                let (start, bits) = self.addresses.arena().filter(|&(_, bits)| slot < bits)?;
                (start, bits, slot)
            }
            None => self.addresses.large_arena()?,
        };
        let (frame, word) = (self.activations.outermost(), self.unit.word());
        let numbers = IntType { bits: bits - slot, signed: false };
        let count = self.builder.temporary(self.terms, "blocks", numbers, frame);
        let freed = VariableType::memory(self.terms, word, 8);
        let dead = self.builder.temporary(self.terms, "freed blocks", freed, frame);
        let size = match size {
            Some(size) => BlockSize::Fixed(size),
            None => {
                let sizes = VariableType::memory(self.terms, word, word);
                BlockSize::Kept(self.builder.temporary(self.terms, "sizes of blocks", sizes, frame))
            }
        };
        self.validity.arenas.push(Arena { thing, size, start, bits, slot, count, dead });
        Some(self.validity.arenas.len() - 1)
    }

    /// The next block of an arena; where that has no room left, one that may be anywhere in it, or none.
    fn arena_block(&mut self, arena: usize, size: Term, at: Position) -> Result<Term, Error> {
        let arena = &self.validity.arenas[arena].clone();
        let word = self.unit.word();
        let (address, frame) = (IntType { bits: word, signed: false }, self.activations.frame());
        let block = self.builder.temporary(self.terms, "block", address, frame);
        let count = self.builder.term(arena.count);
        let t = &mut *self.terms;
        let (all, one) = (t.bits(arena.numbers(), arena.last()), t.bits(arena.numbers(), 1));
        let room = t.ult(count, all);
        let start = arena.block(t, word, count);
        let more = t.add(count, one);
        let (fresh, used_up, join) = (self.node(), self.node(), self.node());
        self.fork(room, fresh, used_up, at, Event::Step, Event::Step)?;
        self.cursor.resume(fresh);
        self.emit(Command::Assign(block, start), at, Event::Step)?;
        self.emit(Command::Assign(arena.count, more), at, Event::Step)?;
        self.note_end(block, size, at)?;
        self.cursor.jump(join);
        self.cursor.resume(used_up);
        let reused = "an allocation after the heap was used up";
        let number = IntType { bits: arena.numbers(), signed: false };
        let number = self.builder.temporary(self.terms, "used block", number, frame);
        self.emit(Command::Havoc(number, Havoc::Approximated(reused.to_owned())), at, Event::Step)?;
        let number = self.builder.term(number);
        let was_had = self.terms.ult(number, count);
        self.assume(was_had, Assumption::ReusedBlock, at)?;
        let start = arena.block(self.terms, word, number);
        self.emit(Command::Assign(block, start), at, Event::Step)?;
        self.cursor.join(join);
        let (dead, address) = (self.builder.term(arena.dead), self.builder.term(block));
        let no = self.terms.bits(8, 0);
        let lives = self.terms.store(dead, address, no);
        self.emit(Command::Assign(arena.dead, lives), at, Event::Step)?;
        if let BlockSize::Kept(sizes) = arena.size {
            let array = self.builder.term(sizes);
            let known = self.terms.store(array, address, size);
            self.emit(Command::Assign(sizes, known), at, Event::Step)?;
        }
        Ok(address)
    }

    /// Fresh memory from the heap.
    pub(super) fn heap_block(&mut self, request: Request, at: Position) -> Result<Term, Error> {
        let word = self.unit.word();
        let frame = self.activations.frame();
        let address = IntType { bits: word, signed: false };
        let block = self.builder.temporary(self.terms, "block", address, frame);
        let (possible, none) = (self.node(), self.node());
        let (had, join) = (self.node(), self.node());
        let t = &mut *self.terms;
        let largest = t.bits(word, u128::from(self.addresses.largest()));
        let fits = t.ule(request.size, largest);
        let may_be_had = t.not(request.impossible);
        let may_be_had = t.and2(fits, may_be_had);
        self.fork(may_be_had, possible, none, at, Event::Step, Event::Step)?;
        self.cursor.resume(possible);
        if self.cursor.here.is_some() {
            self.allot(request, had, none, at)?;
        }
        self.cursor.resume(had);
        if self.cursor.here.is_some() {
            self.take(block, request, at)?;
            self.cursor.jump(join);
        }
        self.cursor.resume(none);
        if self.cursor.here.is_some() {
            if request.on_stack {
                self.cease(Assumption::StackOverflow);
            } else {
                let null = self.terms.bits(word, 0);
                self.emit(Command::Assign(block, null), at, Event::Step)?;
                self.cursor.jump(join);
            }
        }
        self.cursor.resume(join);
        Ok(self.builder.term(block))
    }

    /// Decides whether there is memory for a request that is not impossible.
    fn allot(
        &mut self,
        request: Request,
        had: super::graph::Node,
        none: super::graph::Node,
        at: Position,
    ) -> Result<(), Error> {
        if request.on_stack {
            self.cursor.jump(had);
            return Ok(());
        }
        let word = self.unit.word();
        let t = &mut *self.terms;
        let (one, sure) = (t.bits(word, 1), t.bits(word, SURE));
        let below = t.sub(request.size, one);
        let sure = match (request.doubtful, self.unit.target == Target::Memory) {
            (true, _) => t.fals(),
            (false, true) => t.nonzero(request.size),
            (false, false) => t.ult(below, sure),
        };
        let maybe = self.node();
        self.fork(sure, had, maybe, at, Event::Step, Event::Step)?;
        self.cursor.resume(maybe);
        if self.cursor.here.is_some() {
            let bit = IntType { bits: 1, signed: false };
            let granted = self.approximate(bit, "whether an allocation succeeds", at)?;
            let granted = self.terms.nonzero(granted);
            self.fork(granted, had, none, at, Event::Step, Event::Step)?;
        }
        Ok(())
    }

    /// The next block of the heap; where that has no room left, one that may be anywhere in it, or none.
    fn take(&mut self, block: Var, request: Request, at: Position) -> Result<(), Error> {
        let (word, size) = (self.unit.word(), request.size);
        if let Some(arena) = request.arena {
            let slot = self.validity.arenas[arena].slot;
            let (small, large) = (self.node(), self.node());
            let capacity = self.terms.bits(word, (1u128 << slot) - 2 * u128::from(INSET));
            let fits = self.terms.ule(size, capacity);
            self.fork(fits, small, large, at, Event::Step, Event::Step)?;
            self.cursor.resume(large);
            if self.cursor.here.is_some() {
                // Nothing is claimed from here on, whatever is asked.
                for what in [OutOfBounds, InvalidFree, Lost, NotFreed] {
                    self.mark_doubt(what, at);
                }
                self.skip(at)?;
                let always = self.terms.tru();
                self.give_up_if(always, LARGE_BLOCK, at)?;
            }
            self.cursor.resume(small);
            if self.cursor.here.is_some() {
                let address = self.arena_block(arena, size, at)?;
                self.emit(Command::Assign(block, address), at, Event::Step)?;
            }
            return Ok(());
        }
        let join = self.node();
        if let Some((base, capacity)) = request.place {
            let (small, large) = (self.node(), self.node());
            let fits = if capacity >= self.addresses.largest() {
                self.terms.tru()
            } else {
                let capacity = self.terms.bits(word, u128::from(capacity));
                self.terms.ule(size, capacity)
            };
            self.fork(fits, small, large, at, Event::Step, Event::Step)?;
            self.cursor.resume(small);
            let base = self.terms.bits(word, u128::from(base));
            self.emit(Command::Assign(block, base), at, Event::Step)?;
            self.note_end(block, size, at)?;
            self.cursor.jump(join);
            self.cursor.resume(large);
            if self.cursor.here.is_none() {
                self.cursor.resume(join);
                return Ok(());
            }
        }
        let heap = self.heap_var();
        let next = self.builder.term(heap);
        let (first, limit, end) =
            (self.addresses.first_heap(), self.addresses.heap_limit(), self.addresses.heap_end());
        let t = &mut *self.terms;
        let (slack, mask) = (
            t.bits(word, u128::from(15 + self.addresses.gap)),
            t.bits(word, !15u128 & ((1u128 << word) - 1)),
        );
        let padded = t.add(size, slack);
        let padded = t.bv_and(padded, mask);
        let limit = t.bits(word, u128::from(limit));
        let left = t.sub(limit, next);
        let room = t.ule(padded, left);
        let (fresh, used_up) = (self.node(), self.node());
        self.fork(room, fresh, used_up, at, Event::Step, Event::Step)?;
        self.cursor.resume(fresh);
        self.emit(Command::Assign(block, next), at, Event::Step)?;
        let after = self.terms.add(next, padded);
        self.emit(Command::Assign(heap, after), at, Event::Step)?;
        self.note_end(block, size, at)?;
        self.cursor.jump(join);
        self.cursor.resume(used_up);
        if self.cursor.here.is_some() {
            let reused = "an allocation after the heap was used up";
            self.emit(Command::Havoc(block, Havoc::Approximated(reused.to_owned())), at, Event::Step)?;
            let address = self.builder.term(block);
            let t = &mut *self.terms;
            let (first, low, zero) = (t.bits(word, u128::from(first)), t.bits(word, 15), t.bits(word, 0));
            let end = t.bits(word, u128::from(end));
            let (starts, left) = (t.ule(first, address), t.sub(end, address));
            let (below, fits) = (t.ule(address, end), t.ule(size, left));
            let low = t.bv_and(address, low);
            let aligned = t.eq(low, zero);
            let inside = t.and(&[starts, below, fits, aligned]);
            let null = t.eq(address, zero);
            // Of memory it is assumed that there is enough.
            let enough = request.on_stack || self.unit.target == Target::Memory;
            let either = if enough { inside } else { t.or2(null, inside) };
            self.assume(either, Assumption::ReusedBlock, at)?;
            self.cursor.jump(join);
        }
        self.cursor.resume(join);
        Ok(())
    }

    /// The next address of the heap.
    fn heap_var(&mut self) -> Var {
        if let Some(var) = self.addresses.heap {
            return var;
        }
        let frame = self.activations.outermost();
        let int = IntType { bits: self.unit.word(), signed: false };
        let var = self.builder.temporary(self.terms, "heap", int, frame);
        self.addresses.heap = Some(var);
        var
    }

    /// What the heap is before `main`.
    pub(super) fn initialise_heap(&mut self) -> Result<(), Error> {
        self.initialise_identity()?;
        self.initialise_validity()?;
        let Some(heap) = self.addresses.heap else { return Ok(()) };
        let first = self.terms.bits(self.unit.word(), u128::from(self.addresses.first_heap()));
        self.emit(Command::Assign(heap, first), Position::default(), Event::Step)
    }
}
