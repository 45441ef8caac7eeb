//! Accesses to memory that is not there, and memory that is freed wrongly.
//!
//! An access is valid if all its bytes are in one object that lives, the one that the pointer was made for. Which object
//! that is the address alone tells: the addresses around an object, its *slot*, belong to no other one, and a pointer
//! stays in its slot. Where one would come into a slot from outside, which depends on where objects happen to be, that is
//! marked as well, as approximated: C leaves such a move undefined, and a proof holds only without it.
//!
//! - An object with a fixed address has its size, and its slot, from the layout. Whether an automatic one lives is known
//!   where the access is translated: calls are expanded, so its scope is open there or not.
//! - A block that is allocated at most once, of any size, has variables for its address, its size and whether it lives
//!   ([`Block`]).
//! - Blocks that are allocated again and again at one place come from an [`Arena`]: their slots have one size, a power of
//!   two, so that the bits of an address say where its block begins. Where the blocks are of different sizes, an array has
//!   them; what is larger than a slot is not followed: nothing is claimed from there on.
//! - Of all other memory nothing is known, and an access that may be to it is approximated.
//!
//! Which objects there are is known only when all is translated: until then variables stand for the conditions.

use super::Translator;
use super::leaks::Ending;
use super::novelty::Entries;
use super::queries::Query;
use super::strays::Stray;
use crate::memory::{Pointer, Thing};
use crate::tree::Position;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tamis_diagnostics::Error;
use tamis_logic::{Sort, Term, Terms};
use tamis_program::{Command, Event, IntType, Undefined, Var};

/// How far from the start of its slot a block of an arena is.
pub(super) const INSET: u64 = 64;

/// What is known of memory that is accessed, moved to and freed.
#[derive(Default)]
pub(super) struct Validity {
    pub(super) accesses: Vec<Access>,
    pub(super) moves: Vec<Move>,
    pub(super) frees: Vec<Free>,
    pub(super) strays: Vec<Stray>,
    pub(super) blocks: Vec<Block>,
    pub(super) arenas: Vec<Arena>,
    /// What is somewhere that nothing is known of.
    pub(super) loose: FxHashSet<Thing>,
    /// How many blocks are allocated that have no variables of their own.
    pub(super) counter: Option<Var>,
    pub(super) endings: Vec<Ending>,
    pub(super) queries: Vec<Query>,
    /// Functions whose contracts are enforced.
    pub(super) entries: Entries,
    /// The function that the next question is about, and what lived when it was entered.
    pub(super) asked_of: Option<(u64, Rc<Living>)>,
    /// Uninterpreted functions by their names and the width of their arguments: which arguments were given, and the results.
    pub(super) functions: FxHashMap<(String, u32), (Var, Var)>,
    /// What of the automatic objects lives where the walk is.
    living: Option<Rc<Living>>,
}

/// How an address was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The pointer that it was computed from.
    pub(super) root: Term,
    pub(super) address: Term,
    /// Whether the two are less than a margin apart.
    pub(super) near: bool,
}

impl Way {
    /// To where a pointer points.
    pub(super) fn to(address: Term) -> Way {
        Way { root: address, address, near: true }
    }
}

/// An access through a pointer, by the variable that stands for its being outside.
pub(super) struct Access {
    pub(super) outside: Term,
    pub(super) pointer: Pointer,
    pub(super) way: Way,
    /// In bytes, as wide as an address.
    pub(super) size: Term,
    pub(super) living: Rc<Living>,
}

/// A pointer that is computed from another one, by the variable that stands for its coming into another slot.
pub(super) struct Move {
    pub(super) strays: Term,
    pub(super) pointer: Pointer,
    pub(super) old: Term,
    pub(super) new: Term,
}

/// A block that is freed, by the variable that stands for its being none.
pub(super) struct Free {
    pub(super) wrong: Term,
    pub(super) pointer: Pointer,
    /// The variable that holds the address.
    pub(super) address: Var,
}

/// What of the automatic objects lives.
#[derive(Default)]
pub(super) struct Living {
    /// Addresses of variables.
    pub(super) bases: FxHashSet<u64>,
    /// Pieces of the stack, by their places among blocks.
    pub(super) areas: FxHashSet<usize>,
}

/// A piece of memory that is allocated at most once, or again only when it is gone.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) thing: Thing,
    pub(super) base: Term,
    pub(super) size: Term,
    /// The variable that keeps the size.
    pub(super) measured: Option<Var>,
    /// 1 while it lives.
    pub(super) live: Option<Var>,
    /// 1 once it was allocated.
    pub(super) had: Option<Var>,
    pub(super) on_stack: bool,
}

/// How large the blocks of an arena are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockSize {
    /// All alike.
    Fixed(u64),
    /// As an array says for the start of each.
    Kept(Var),
}

/// Blocks that are allocated again and again.
#[derive(Clone, Debug)]
pub(super) struct Arena {
    pub(super) thing: Thing,
    pub(super) size: BlockSize,
    /// Its first address, a multiple of its length.
    pub(super) start: u64,
    /// The number of the low bits of an address that are those of a place in the arena.
    pub(super) bits: u32,
    /// Likewise, of a place in a slot.
    pub(super) slot: u32,
    /// How many blocks were had: so many slots are taken, from the first on.
    pub(super) count: Var,
    /// Not 0 at the start of a block that was freed.
    pub(super) dead: Var,
}

impl Arena {
    /// How many bits the number of a slot has.
    pub(super) fn numbers(&self) -> u32 {
        self.bits - self.slot
    }

    /// The last slot's number, which stays unused.
    pub(super) fn last(&self) -> u128 {
        (1 << self.numbers()) - 1
    }

    /// The address of the block in a slot. What tells slot and arena of an address apart finds them without a search.
    pub(super) fn block(&self, terms: &mut Terms, word: u32, number: Term) -> Term {
        let high = terms.bits(word - self.bits, u128::from(self.start >> self.bits));
        let inset = terms.bits(self.slot, u128::from(INSET));
        let low = terms.concat(number, inset);
        terms.concat(high, low)
    }
}

impl Translator<'_> {
    /// Whether it matters what is done with memory.
    pub(super) fn follows_memory(&self) -> bool {
        self.follows_memory
    }

    /// Marks accesses of `size` bytes through null pointers.
    pub(super) fn mark_null_bytes(&mut self, pointers: &[Term], size: Term, at: Position) {
        let some = self.terms.nonzero(size);
        self.enclosing.under.push(some);
        pointers.iter().for_each(|&pointer| self.mark_null(pointer, at));
        self.enclosing.under.pop();
    }

    /// Marks an access of `size` bytes that is outside of what the pointer may point to.
    pub(super) fn mark_outside(&mut self, pointer: Pointer, way: Way, size: Term, at: Position) {
        if !self.all_is_computed() {
            return;
        }
        let outside = self.terms.fresh("outside", Sort::Bool);
        let living = self.living();
        self.validity.accesses.push(Access { outside, pointer, way, size, living });
        let some = self.terms.nonzero(size);
        let when = self.terms.and2(some, outside);
        self.mark(Undefined::OutOfBounds, when, at);
    }

    /// Marks a copy between two pieces of memory that overlap. One onto itself is what compilers make of an assignment.
    pub(super) fn mark_overlap(&mut self, to: Term, from: Term, size: Term, at: Position) {
        if !self.follows_memory() {
            return;
        }
        let t = &mut *self.terms;
        let (forth, back) = (t.sub(to, from), t.sub(from, to));
        let (behind, before) = (t.ult(forth, size), t.ult(back, size));
        let (overlap, moved) = (t.or2(behind, before), t.ne(to, from));
        let when = t.and2(overlap, moved);
        self.mark(Undefined::OutOfBounds, when, at);
    }

    /// Marks an access to a known object that is not inside of it.
    pub(super) fn mark_outside_object(
        &mut self,
        (base, length): (Term, Term),
        address: Term,
        size: u64,
        at: Position,
    ) {
        if !self.follows_memory() || size == 0 {
            return;
        }
        let size = self.terms.bits(self.unit.word(), u128::from(size));
        let inside = inside(self.terms, (base, length), address, size);
        let outside = self.terms.not(inside);
        self.mark(Undefined::OutOfBounds, outside, at);
    }

    /// Marks a pointer that is computed from another one and comes into another slot.
    pub(super) fn mark_move(&mut self, pointer: Option<Pointer>, old: Term, new: Term, at: Position) {
        let Some(pointer) = pointer.filter(|_| self.follows_memory() && old != new) else { return };
        let strays = self.terms.fresh("strays", Sort::Bool);
        self.validity.moves.push(Move { strays, pointer, old, new });
        self.mark(Undefined::OutOfBounds, strays, at);
    }

    /// Likewise, of a number that may be an address.
    pub(super) fn mark_number(&mut self, pointer: Option<Pointer>, old: Term, new: Term, at: Position) {
        let word = self.unit.word();
        match pointer.filter(|_| self.follows_memory()) {
            Some(_) if self.terms.width(old) < word || self.terms.width(new) < word => {}
            Some(pointer) if self.terms.width(old) == word && self.terms.width(new) == word => {
                self.mark_move(Some(pointer), old, new, at);
            }
            Some(pointer) if self.memory.holds_objects(pointer) => {
                self.mark_doubt(Undefined::OutOfBounds, at);
            }
            _ => {}
        }
    }

    /// Marks that a block is freed that is none. It lives no longer.
    pub(super) fn mark_free(&mut self, pointer: Pointer, address: Term, at: Position) -> Result<(), Error> {
        if !self.follows_memory() {
            return Ok(());
        }
        let word = IntType { bits: self.unit.word(), signed: false };
        let frame = self.activations.frame();
        let freed = self.builder.temporary(self.terms, "freed", word, frame);
        let wrong = self.terms.fresh("wrong", Sort::Bool);
        // The state that the mark is about is the one before the edge.
        let some = self.terms.nonzero(address);
        let when = self.terms.and2(some, wrong);
        self.emit(Command::Assign(freed, address), at, Event::Step)?;
        self.mark(Undefined::InvalidFree, when, at);
        self.validity.frees.push(Free { wrong, pointer, address: freed });
        let address = self.builder.term(freed);
        self.emit(Command::Assign(freed, address), at, Event::Step)
    }

    /// A block has come into being at an address, unless that is null.
    pub(super) fn follow_block(
        &mut self,
        thing: Thing,
        (base, size): (Term, Term),
        on_stack: bool,
        at: Position,
    ) -> Result<(), Error> {
        if !self.follows_memory() {
            let block = Block { thing, base, size, measured: None, live: None, had: None, on_stack };
            self.validity.blocks.push(block);
            return Ok(());
        }
        let frame = self.activations.outermost();
        let bit = IntType { bits: 1, signed: false };
        let live = self.builder.temporary(self.terms, "live", bit, frame);
        let had = self.builder.temporary(self.terms, "allocated", bit, frame);
        let mut measured = None;
        let size = if self.terms.is_constant(size) {
            size
        } else {
            let int = IntType { bits: self.unit.word(), signed: false };
            let var = self.builder.temporary(self.terms, "size", int, frame);
            self.emit(Command::Assign(var, size), at, Event::Step)?;
            measured = Some(var);
            self.builder.term(var)
        };
        let some = self.terms.nonzero(base);
        let some = self.terms.bool_to_bits(1, some);
        self.emit(Command::Assign(live, some), at, Event::Step)?;
        self.emit(Command::Assign(had, some), at, Event::Step)?;
        if on_stack {
            let index = self.validity.blocks.len();
            self.activations.current().areas.push(index);
            self.scopes_change();
        }
        self.validity.blocks.push(Block {
            thing,
            base,
            size,
            measured,
            live: Some(live),
            had: Some(had),
            on_stack,
        });
        Ok(())
    }

    /// Where a piece of the stack is, and its size.
    pub(super) fn area(&self, index: usize) -> (Term, Term) {
        let block = &self.validity.blocks[index];
        (block.base, block.size)
    }

    /// What an activation took from the stack is gone after it.
    pub(super) fn leave_areas(&mut self, areas: &[usize], at: Position) -> Result<(), Error> {
        for &area in areas {
            if let Some(live) = self.validity.blocks[area].live {
                let no = self.terms.bits(1, 0);
                self.emit(Command::Assign(live, no), at, Event::Step)?;
            }
        }
        Ok(())
    }

    /// Objects have come into being or are gone.
    pub(super) fn scopes_change(&mut self) {
        self.validity.living = None;
    }

    pub(super) fn living(&mut self) -> Rc<Living> {
        if let Some(living) = &self.validity.living {
            return living.clone();
        }
        let left = &self.identity.left;
        let bases = self.activations.bases().filter(|base| !left.contains(base)).collect();
        let living = Rc::new(Living { bases, areas: self.activations.areas().collect() });
        self.validity.living = Some(living.clone());
        living
    }

    /// Before `main` no block lives.
    pub(super) fn initialise_validity(&mut self) -> Result<(), Error> {
        let at = Position::default();
        if let Some(counter) = self.validity.counter {
            let none = self.terms.bits(32, 0);
            self.emit(Command::Assign(counter, none), at, Event::Step)?;
        }
        let lives = self.validity.blocks.iter().flat_map(|block| [block.live, block.had]);
        let lives: Vec<Var> = lives.flatten().collect();
        for live in lives {
            let no = self.terms.bits(1, 0);
            self.emit(Command::Assign(live, no), at, Event::Step)?;
        }
        let mut functions: Vec<Var> = self.validity.functions.values().map(|&(known, _)| known).collect();
        functions.sort_unstable();
        for known in functions {
            let sort = self.builder.variable_data(known).ty.sort;
            let none = self.terms.default_value(sort);
            let none = self.terms.value(none);
            self.emit(Command::Assign(known, none), at, Event::Step)?;
        }
        for arena in self.validity.arenas.clone() {
            let Arena { count, dead, size, .. } = arena;
            let none = self.terms.bits(arena.numbers(), 0);
            self.emit(Command::Assign(count, none), at, Event::Step)?;
            let kept = if let BlockSize::Kept(sizes) = size { Some(sizes) } else { None };
            for array in std::iter::once(dead).chain(kept) {
                let sort = self.builder.variable_data(array).ty.sort;
                let none = self.terms.default_value(sort);
                let none = self.terms.value(none);
                self.emit(Command::Assign(array, none), at, Event::Step)?;
            }
        }
        Ok(())
    }
}

/// Whether `size` bytes at an address lie in an object.
pub(super) fn inside(terms: &mut Terms, (base, length): (Term, Term), address: Term, size: Term) -> Term {
    let offset = terms.sub(address, base);
    let last = terms.sub(length, size);
    let (fits, starts) = (terms.ule(size, length), terms.ule(offset, last));
    terms.and2(fits, starts)
}
