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
//! Addresses are finite, and memory that was freed can be had again: where the heap has grown to its limit, a block may be
//! anywhere in it or behind the limit, or there is none, and that is approximated. No execution ends here. What is behind
//! the limit nothing has written to, so such a block holds anything, as any new one does.

use super::Translator;
use super::assumption::Assumption;
use crate::memory::Thing;
use crate::tree::{ExprId, Position};
use tamis_diagnostics::Error;
use tamis_logic::{Term, Terms};
use tamis_program::{Command, Event, Havoc, IntType, Var};

/// An allocation of at most this many bytes succeeds.
const SURE: u128 = 1 << 28;

/// A block of at most this many bytes has a fixed address if it is allocated once.
const FIXED: u64 = 1 << 24;

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
}

impl Request {
    /// For `size` bytes.
    pub(super) fn of(terms: &mut Terms, size: Term) -> Request {
        Request { size, impossible: terms.fals(), doubtful: false, on_stack: false }
    }
}

impl Translator<'_> {
    /// Fresh memory: at a fixed address where it is allocated at most once.
    pub(super) fn block(&mut self, call: ExprId, request: Request, at: Position) -> Result<Term, Error> {
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
            return Ok(self.terms.bits(self.unit.word(), u128::from(base)));
        }
        self.addresses.dynamic.insert(thing);
        self.heap_block(request, at)
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
            self.take(block, request.size, at)?;
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
        let sure = if request.doubtful { t.fals() } else { t.ult(below, sure) };
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
    fn take(&mut self, block: Var, size: Term, at: Position) -> Result<(), Error> {
        let word = self.unit.word();
        let heap = self.heap_var();
        let next = self.builder.term(heap);
        let (first, limit, end) =
            (self.addresses.first_heap(), self.addresses.heap_limit(), self.addresses.heap_end());
        let t = &mut *self.terms;
        let (slack, mask) = (t.bits(word, 31), t.bits(word, !15u128 & ((1u128 << word) - 1)));
        let padded = t.add(size, slack);
        let padded = t.bv_and(padded, mask);
        let limit = t.bits(word, u128::from(limit));
        let left = t.sub(limit, next);
        let room = t.ule(padded, left);
        let (fresh, used_up, join) = (self.node(), self.node(), self.node());
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
            let either = t.or2(null, inside);
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
        let Some(heap) = self.addresses.heap else { return Ok(()) };
        let first = self.terms.bits(self.unit.word(), u128::from(self.addresses.first_heap()));
        self.emit(Command::Assign(heap, first), Position::default(), Event::Step)
    }
}
