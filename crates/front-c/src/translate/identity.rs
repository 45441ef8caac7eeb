//! Addresses that differ in the automaton and may be equal in the compiled program.
//!
//! Every object has an address of its own here, apart from all others, for the whole run. Where C or the system allows two
//! addresses to be equal nevertheless, a comparison that finds them different is approximated:
//!
//! - one past the end of an object, and the start of another one (C11 6.5.9p6);
//! - the address of memory that was freed, or of a variable whose life is over, and any other: memory is had again, and
//!   a pointer to what is gone has no certain value (C11 6.2.4p2);
//! - the address of an object, and a number that the program gives: something may be there.
//!
//! Where objects end and which are gone is known of those with fixed addresses once all is translated: until then a
//! variable stands for the condition. For blocks of the heap variables keep it, which are there only if a comparison
//! looks at them.

use super::Translator;
use super::expose::beyond;
use super::graph::Graph;
use super::promote::{Known, extent};
use crate::memory::{Library, Memory, Pointer, Thing, constant, library};
use crate::tree::{Callee, CompareOp, ExprId, ExprKind, ObjectId, Position, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_diagnostics::Error;
use tamis_logic::{Sort, Substitution, Term, Terms};
use tamis_program::{Command, Event, IntType, Var, VariableType};

const ADJACENT: &str = "whether an object follows another in memory";
const GONE: &str = "the address of memory that is no longer there";
const NUMBER: &str = "whether an object is at a fixed address";

/// Among more pairs of objects it is not told which one ends where the other begins.
const PAIRS: usize = 256;

/// No object is in the first page.
const LOWEST: i128 = 4096;

/// A pointer may have been computed from a number of the program if it is less than this many bytes above it.
const NEAR: u128 = 1 << 16;

/// With more numbers every pointer may be one.
const NUMBERS: usize = 16;

/// What is known about the identity of addresses.
#[derive(Default)]
pub(super) struct Identity {
    /// The start of the block that ends at an address, or 0.
    ends: Option<Var>,
    /// 1 if a block was freed: as long as none was, simplification finds that out, and there is nothing to ask.
    any_freed: Option<Var>,
    /// 1 at the start of every block that was freed.
    freed: Option<Var>,
    /// The size of each block that was allocated, at its start.
    sizes: Option<Var>,
    /// The numbers that the program takes for addresses.
    numbers: Vec<u128>,
    /// Comparisons that wait for all objects to be known.
    waiting: Vec<Waiting>,
    /// Where variables are whose blocks have been left.
    pub(super) left: FxHashSet<u64>,
}

/// A condition on fixed addresses, by the variable that stands for it.
struct Waiting {
    condition: Term,
    what: Question,
}

enum Question {
    /// Whether an address is the end of an object, and another the start of a different one.
    Adjacent { end: (Term, Pointer), start: (Term, Pointer) },
    /// Whether an address is one of a variable that is not among the living.
    Gone { address: (Term, Pointer), living: FxHashSet<u64> },
}

impl Identity {
    /// Decides what has to be kept about blocks of the heap.
    pub(super) fn new(unit: &Unit, memory: &mut Memory<'_>, needed: impl FnMut(Kept) -> Var) -> Identity {
        let mut needed = needed;
        let mut identity = Identity::default();
        let (mut compares, mut compares_starts) = (false, false);
        for e in unit.expressions() {
            let number = constant(unit, e).filter(|&c| unit[e].ty.is_pointer() && c >= LOWEST);
            if let Some(number) = number.filter(|&c| !beyond(unit, c)).map(|c| c as u128)
                && !identity.numbers.contains(&number)
            {
                identity.numbers.push(number);
            }
            let ExprKind::Compare(CompareOp::Eq | CompareOp::Ne, a, b) = unit[e].kind else { continue };
            let (Some(a), Some(b)) = (memory.compared(a), memory.compared(b)) else { continue };
            for side in [a, b].into_iter().filter(|&side| memory.has_blocks(side)).collect::<Vec<_>>() {
                compares = true;
                compares_starts |= memory.offset_in_block(side).is_some();
            }
            let adjacent = |memory: &mut Memory<'_>, a, b| {
                memory.has_blocks(a) && memory.may_end(a) && memory.may_start(b)
            };
            if identity.ends.is_none() && (adjacent(memory, a, b) || adjacent(memory, b, a)) {
                identity.ends = Some(needed(Kept::Ends));
            }
        }
        let frees = |e: ExprId| match unit[e].kind {
            ExprKind::Call { callee: Callee::Function(f), .. } => {
                matches!(library(unit, f), Some(Library::Frees | Library::Reallocates))
            }
            _ => false,
        };
        if compares && unit.expressions().any(frees) {
            identity.any_freed = Some(needed(Kept::AnyFreed));
            identity.freed = compares_starts.then(|| needed(Kept::Freed));
        }
        let reallocates = |e: ExprId| match unit[e].kind {
            ExprKind::Call { callee: Callee::Function(f), ref args } => {
                library(unit, f) == Some(Library::Reallocates)
                    && args.first().is_some_and(|&old| constant(unit, old) != Some(0))
            }
            _ => false,
        };
        identity.sizes = unit.expressions().any(reallocates).then(|| needed(Kept::Sizes));
        identity
    }
}

/// What is kept of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    Ends,
    AnyFreed,
    Freed,
    Sizes,
}

impl Kept {
    /// The name and type of the variable.
    pub(super) fn variable(self, terms: &mut Terms, word: u32) -> (&'static str, VariableType) {
        match self {
            Kept::Sizes => ("sizes", VariableType::memory(terms, word, word)),
            Kept::Ends => ("ends", VariableType::memory(terms, word, word)),
            Kept::AnyFreed => ("any freed", IntType { bits: 1, signed: false }.into()),
            Kept::Freed => ("freed", VariableType::memory(terms, word, 8)),
        }
    }
}

impl Translator<'_> {
    /// The truth of a comparison for equality, given what it is in the automaton.
    pub(super) fn open_identity(
        &mut self,
        truth: Term,
        (left, right): (ExprId, ExprId),
        (a, b): (Term, Term),
        at: Position,
    ) -> Result<Term, Error> {
        let mut truth = truth;
        for (when, what) in self.may_coincide((left, right), (a, b)) {
            let t = &mut *self.terms;
            let (differ, some_a, some_b) = (t.ne(a, b), t.nonzero(a), t.nonzero(b));
            let open = t.and(&[differ, some_a, some_b, when]);
            let certain = t.not(open);
            let value = t.bool_to_bits(1, truth);
            let bit = IntType { bits: 1, signed: false };
            let value = self.unless_undefined(certain, value, bit, what, at)?;
            truth = self.terms.nonzero(value);
        }
        Ok(truth)
    }

    /// When two addresses that differ here may be equal, and why.
    fn may_coincide(
        &mut self,
        (left, right): (ExprId, ExprId),
        (a, b): (Term, Term),
    ) -> Vec<(Term, &'static str)> {
        let mut found = Vec::new();
        if !self.identity.numbers.is_empty() && (self.memory.points(left) || self.memory.points(right)) {
            let (a, b) = (self.is_number(a), self.is_number(b));
            found.push((self.terms.or2(a, b), NUMBER));
        }
        let (Some(left), Some(right)) = (self.memory.compared(left), self.memory.compared(right)) else {
            return found;
        };
        let sides = [((a, left), (b, right)), ((b, right), (a, left))];
        let adjacent: Vec<Term> =
            sides.iter().filter_map(|&(end, start)| self.adjacent(end, start)).collect();
        if !adjacent.is_empty() {
            found.push((self.terms.or(&adjacent), ADJACENT));
        }
        let gone: Vec<Term> = sides.iter().flat_map(|&(side, _)| self.gone(side)).collect();
        if !gone.is_empty() {
            found.push((self.terms.or(&gone), GONE));
        }
        found
    }

    /// When an address may be one that the program gives as a number.
    fn is_number(&mut self, address: Term) -> Term {
        if self.identity.numbers.len() > NUMBERS {
            return self.terms.tru();
        }
        let (word, t) = (self.unit.word(), &mut *self.terms);
        let near = t.bits(word, NEAR);
        let mut cases = Vec::new();
        for &number in &self.identity.numbers {
            let number = t.bits(word, number);
            let distance = t.sub(address, number);
            cases.push(t.ult(distance, near));
        }
        t.or(&cases)
    }

    /// When an address is the end of an object and another the start of a different one.
    fn adjacent(&mut self, end: (Term, Pointer), start: (Term, Pointer)) -> Option<Term> {
        if !self.memory.may_end(end.1)
            || !self.memory.may_start(start.1)
            || self.memory.is_one(end.1, start.1)
        {
            return None;
        }
        let condition = self.terms.fresh("adjacent", Sort::Bool);
        self.identity.waiting.push(Waiting { condition, what: Question::Adjacent { end, start } });
        let Some(ends) = self.identity.ends.filter(|_| self.memory.has_blocks(end.1)) else {
            return Some(condition);
        };
        let ends = self.builder.term(ends);
        let t = &mut *self.terms;
        let block = t.select(ends, end.0);
        let is_end = t.nonzero(block);
        let (from, to) = (t.ule(block, start.0), t.ule(start.0, end.0));
        let inside = t.and2(from, to);
        let outside = t.not(inside);
        let starts = is_aligned(t, start.0);
        let on_heap = t.and(&[is_end, outside, starts]);
        Some(t.or2(condition, on_heap))
    }

    /// When an address is one of memory that is no longer there.
    fn gone(&mut self, (address, pointer): (Term, Pointer)) -> Vec<Term> {
        let mut found = Vec::new();
        if let Some(any) = self.identity.any_freed.filter(|_| self.memory.has_blocks(pointer)) {
            let any = self.builder.term(any);
            let mut is_freed = self.terms.nonzero(any);
            if let (Some(freed), Some(offset)) = (self.identity.freed, self.memory.offset_in_block(pointer)) {
                let (freed, start) = (self.builder.term(freed), self.offset(address, -offset));
                let this_one = self.terms.select(freed, start);
                let this_one = self.terms.nonzero(this_one);
                is_freed = self.terms.and2(is_freed, this_one);
            }
            found.push(is_freed);
        }
        let unit = self.unit;
        let things = self.memory.things_at(pointer);
        let is_variable = |thing: &Thing| match *thing {
            Thing::Object(object) => unit[object].is_automatic() && unit[object].dynamic_size.is_none(),
            _ => false,
        };
        if things.iter().any(is_variable) {
            let bases = self.activations.bases();
            let living = bases.filter(|base| !self.identity.left.contains(base)).collect();
            let condition = self.terms.fresh("gone", Sort::Bool);
            let what = Question::Gone { address: (address, pointer), living };
            self.identity.waiting.push(Waiting { condition, what });
            found.push(condition);
        }
        found
    }

    /// Notes that the block of a variable is left, or entered.
    pub(super) fn note_life(&mut self, object: ObjectId, lives: bool) {
        if let Some(area) = self.activations.current().arrays.get(&object).copied().filter(|_| !lives) {
            self.activations.current().areas.retain(|&other| other != area);
            self.scopes_change();
        }
        let Some(&base) = self.activations.current().bases.get(&Thing::Object(object)) else { return };
        self.scopes_change();
        if lives {
            self.identity.left.remove(&base);
        } else {
            self.identity.left.insert(base);
        }
    }

    /// Keeps where a block of the heap ends.
    pub(super) fn note_end(&mut self, block: Var, size: Term, at: Position) -> Result<(), Error> {
        let Some(ends) = self.identity.ends else { return Ok(()) };
        let (start, array) = (self.builder.term(block), self.builder.term(ends));
        let end = self.terms.add(start, size);
        let value = self.terms.store(array, end, start);
        self.emit(Command::Assign(ends, value), at, Event::Step)
    }

    /// Keeps how large a block of the heap is.
    pub(super) fn note_size(&mut self, block: Term, size: Term, at: Position) -> Result<(), Error> {
        let Some(sizes) = self.identity.sizes else { return Ok(()) };
        let value = self.terms.store(self.builder.term(sizes), block, size);
        self.emit(Command::Assign(sizes, value), at, Event::Step)
    }

    /// The size of the block at an address; of null, 0.
    pub(super) fn size_of_block(&mut self, block: Term) -> Option<Term> {
        let sizes = self.builder.term(self.identity.sizes?);
        let (size, some) = (self.terms.select(sizes, block), self.terms.nonzero(block));
        let none = self.terms.bits(self.unit.word(), 0);
        Some(self.terms.ite(some, size, none))
    }

    /// Memory is freed: other blocks may have its address from now on.
    pub(super) fn release(&mut self, address: Term, at: Position) -> Result<(), Error> {
        if let Some(any) = self.identity.any_freed {
            let one = self.terms.bits(1, 1);
            self.emit(Command::Assign(any, one), at, Event::Step)?;
        }
        let Some(freed) = self.identity.freed else { return Ok(()) };
        let (array, yes) = (self.builder.term(freed), self.terms.bits(8, 1));
        let value = self.terms.store(array, address, yes);
        self.emit(Command::Assign(freed, value), at, Event::Step)
    }

    /// Before `main` no block has been allocated or freed.
    pub(super) fn initialise_identity(&mut self) -> Result<(), Error> {
        let Identity { ends, any_freed, freed, sizes, .. } = self.identity;
        for var in [ends, any_freed, freed, sizes].into_iter().flatten() {
            let sort = self.builder.variable_data(var).ty.sort;
            let none = self.terms.default_value(sort);
            let none = self.terms.value(none);
            self.emit(Command::Assign(var, none), Position::default(), Event::Step)?;
        }
        Ok(())
    }
}

/// Objects begin at multiples of 16 here.
fn is_aligned(terms: &mut Terms, address: Term) -> Term {
    let low = terms.extract(3, 0, address);
    let zero = terms.bits(4, 0);
    terms.eq(low, zero)
}

/// Puts the conditions in the place of the variables that stand for them.
pub(super) fn settle(
    known: Known<'_>,
    memory: &mut Memory<'_>,
    identity: &Identity,
    graph: &mut Graph,
    terms: &mut Terms,
) {
    if identity.waiting.is_empty() {
        return;
    }
    let mut settled = Substitution::default();
    for waiting in &identity.waiting {
        let condition = match &waiting.what {
            Question::Adjacent { end, start } => adjacent(known, memory, *end, *start, terms),
            Question::Gone { address, living } => gone(known, memory, *address, living, terms),
        };
        settled.insert(waiting.condition, condition);
    }
    let mut once: FxHashMap<Term, Term> = FxHashMap::default();
    graph.rewrite(|command, marks| {
        let mut settle = |t: Term| *once.entry(t).or_insert_with(|| terms.substitute(t, &settled));
        marks.iter_mut().for_each(|mark| mark.when = settle(mark.when));
        vec![match command {
            Command::Assume(guard) => Command::Assume(settle(*guard)),
            Command::Assign(var, value) => Command::Assign(*var, settle(*value)),
            Command::Havoc(..) => command.clone(),
        }]
    });
}

/// Start and end of the objects with fixed addresses that a pointer may point to.
fn ranges(known: Known<'_>, memory: &mut Memory<'_>, pointer: Pointer) -> Vec<(Thing, u64, u64)> {
    let things: FxHashSet<Thing> = memory.things_at(pointer).into_iter().collect();
    let placed = known.addresses.placed.iter().filter(|(thing, _)| things.contains(thing));
    placed.filter_map(|&(thing, base)| Some((thing, base, base + extent(known, thing, base)?.0))).collect()
}

fn adjacent(
    known: Known<'_>,
    memory: &mut Memory<'_>,
    (end, end_of): (Term, Pointer),
    (start, start_of): (Term, Pointer),
    terms: &mut Terms,
) -> Term {
    let word = known.unit.word();
    let ending = ranges(known, memory, end_of);
    let starting = ranges(known, memory, start_of);
    let loose = memory.has_blocks(start_of) || memory.is_external_at(start_of);
    let exactly = !loose && ending.len() * starting.len() <= PAIRS;
    let mut cases = Vec::new();
    for &(_, base, limit) in &ending {
        let (from, to) = (terms.bits(word, u128::from(base)), terms.bits(word, u128::from(limit)));
        let ends = terms.eq(end, to);
        let other = if exactly {
            let others: Vec<Term> = starting
                .iter()
                .filter(|other| other.1 != base)
                .map(|other| {
                    let there = terms.bits(word, u128::from(other.1));
                    terms.eq(start, there)
                })
                .collect();
            terms.or(&others)
        } else {
            let (above, below) = (terms.ule(from, start), terms.ule(start, to));
            let inside = terms.and2(above, below);
            let outside = terms.not(inside);
            let starts = is_aligned(terms, start);
            terms.and2(outside, starts)
        };
        cases.push(terms.and2(ends, other));
    }
    terms.or(&cases)
}

fn gone(
    known: Known<'_>,
    memory: &mut Memory<'_>,
    (address, pointer): (Term, Pointer),
    living: &FxHashSet<u64>,
    terms: &mut Terms,
) -> Term {
    let word = known.unit.word();
    let is_automatic = |thing: Thing| matches!(thing, Thing::Object(o) if known.unit[o].is_automatic());
    let dead: Vec<Term> = ranges(known, memory, pointer)
        .into_iter()
        .filter(|&(thing, base, _)| is_automatic(thing) && !living.contains(&base))
        .map(|(_, base, limit)| {
            let (from, to) = (terms.bits(word, u128::from(base)), terms.bits(word, u128::from(limit)));
            let (above, below) = (terms.ule(from, address), terms.ule(address, to));
            terms.and2(above, below)
        })
        .collect();
    terms.or(&dead)
}
