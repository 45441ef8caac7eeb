//! Addresses in memory that is also accessed byte by byte.
//!
//! What the bytes of an address are depends on where objects are, so a program does not get to see them: a read of one is
//! approximated. Yet memory in which addresses are somewhere holds other bytes too, as a block of a header and text, or a union of
//! a character and a pointer. Each region of bytes that may hold addresses has a *shadow*, an array that says of each byte
//! whether it is one of an address: 0 if not, otherwise which one, from 1 on. So
//!
//! - bytes are *plain*, and may be read, if all their shadows are 0;
//! - an address is *whole* if it is null, or its shadows are 1, 2, … in order: then it was stored there, or copied as a whole.
//!
//! The shadows are made when all is translated. What is stored as an address is known by the variable that keeps it; a value that is
//! only moved, in a structure or by `memcpy`, takes its shadow along; anything else is plain. Where a copy ends within an
//! address, the rest of another one may fit: there the shadow is spoilt ([`SPOILT`]), so that it is whole no longer.

use super::Translator;
use super::graph::Graph;
use super::place::Cell;
use crate::memory::{Layout, Pointer, RegionId, width};
use crate::tree::Position;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_diagnostics::Error;
use tamis_logic::{Op, Sort, Substitution, Term, Terms};
use tamis_program::{Builder, Command, Event, FrameId, IntType, Mark, Undefined, Var, VariableType};

/// The shadow of a byte of an address that is not whole.
const SPOILT: u128 = 0xff;

/// What is asked about bytes in memory, and what their shadows follow.
#[derive(Default)]
pub(super) struct Parts {
    questions: Vec<Question>,
    /// The variables that keep what is stored as an address.
    addresses: FxHashSet<Term>,
    /// Those that keep what is moved from one place in memory to another.
    moved: FxHashSet<Term>,
    /// Where copies begin and end, by variables whose assignments stand for the places in the automaton.
    seams: FxHashMap<Var, (Var, Term)>,
    /// Which regions have shadows, as far as that was asked.
    shadowed: FxHashMap<RegionId, bool>,
    /// The arrays of regions, each with its shadow.
    pub(super) shadows: Vec<(Var, Var)>,
}

/// A question about bytes, by the variable that stands for the answer.
struct Question {
    answer: Term,
    array: Var,
    bytes: Vec<Term>,
    /// Whether the address that they are is whole, otherwise whether they are plain.
    address: Option<Term>,
}

impl Translator<'_> {
    /// Whether a region has a shadow.
    pub(super) fn is_shadowed(&mut self, region: RegionId) -> bool {
        // What is only moved byte by byte is in cells of that width.
        if !matches!(self.memory.regions[region.index()].layout, Layout::Bytes | Layout::Cells { width: 8 }) {
            return false;
        }
        if let Some(&known) = self.parts.shadowed.get(&region) {
            return known;
        }
        let holds = self.memory.holds_addresses(region);
        self.parts.shadowed.insert(region, holds);
        holds
    }

    /// Whether bytes are plain, where that can be told.
    pub(super) fn are_plain(&mut self, cell: Cell) -> Option<Term> {
        self.is_shadowed(cell.region).then(|| self.ask_parts("plain", cell, None))
    }

    /// Marks an access through a pointer that was put together from parts of others.
    pub(super) fn mark_parts(&mut self, cell: Cell, address: Term, at: Position) {
        if !self.is_shadowed(cell.region) {
            self.mark_doubt(Undefined::OutOfBounds, at);
            return;
        }
        let whole = self.ask_parts("whole", cell, Some(address));
        let mut conditions = self.enclosing.under.clone();
        conditions.push(self.terms.not(whole));
        let when = self.terms.and(&conditions);
        let source = self.positions.source(at);
        self.cursor.marks.push(Mark { what: Undefined::OutOfBounds, when, source, approximated: true });
    }

    fn ask_parts(&mut self, name: &str, cell: Cell, address: Option<Term>) -> Term {
        let answer = self.terms.fresh(name, Sort::Bool);
        let array = self.region_var(cell.region);
        let bytes = self.cells_of(cell);
        self.parts.questions.push(Question { answer, array, bytes, address });
        answer
    }

    /// A value that is stored where it may be taken for an address.
    pub(super) fn as_address(&mut self, cell: Cell, value: Term, at: Position) -> Result<Term, Error> {
        if cell.bits.is_some()
            || width(self.unit, cell.ty) < self.unit.word()
            || !self.is_shadowed(cell.region)
        {
            return Ok(value);
        }
        let kept = self.kept(value, at)?;
        self.parts.addresses.insert(kept);
        Ok(kept)
    }

    /// A value that is moved to a place in memory.
    pub(super) fn as_moved(&mut self, to: RegionId, value: Term, at: Position) -> Result<Term, Error> {
        if !self.is_shadowed(to) {
            return Ok(value);
        }
        let kept = self.kept(value, at)?;
        self.parts.moved.insert(kept);
        Ok(kept)
    }

    /// A variable keeps what is moved to a place in memory.
    pub(super) fn note_moved(&mut self, to: RegionId, kept: Term) {
        if self.is_shadowed(to) {
            self.parts.moved.insert(kept);
        }
    }

    /// A piece of memory was copied: what was an address before, and lies across its ends, is whole no longer.
    pub(super) fn seams(
        &mut self,
        pointer: Pointer,
        start: Term,
        size: Term,
        at: Position,
    ) -> Result<(), Error> {
        let end = self.terms.add(start, size);
        self.seam(pointer, start, at)?;
        self.seam(pointer, end, at)
    }

    fn seam(&mut self, pointer: Pointer, address: Term, at: Position) -> Result<(), Error> {
        for region in self.memory.node_regions(pointer) {
            if !self.is_shadowed(region) {
                continue;
            }
            let address = self.settled(address, at)?;
            let array = self.region_var(region);
            let frame = self.activations.frame();
            let bit = IntType { bits: 1, signed: false };
            let place = self.builder.temporary(self.terms, "seam", bit, frame);
            self.parts.seams.insert(place, (array, address));
            let value = self.builder.term(place);
            self.emit(Command::Assign(place, value), at, Event::Step)?;
        }
        Ok(())
    }

    /// Before `main` there are no addresses in memory; those in static objects are stored there.
    pub(super) fn initialise_parts(&mut self, frame: FrameId) -> Result<(), Error> {
        if self.parts.questions.is_empty() {
            return Ok(());
        }
        let word = self.unit.word();
        for index in 0..self.variables.regions.len() {
            let Some(array) = self.variables.regions[index] else { continue };
            if !self.is_shadowed(RegionId::at(index)) {
                continue;
            }
            let ty = VariableType::memory(self.terms, word, 8);
            let shadow = self.builder.temporary(self.terms, "part", ty, frame);
            let sort = self.terms.sort(self.builder.term(shadow));
            let plain = self.terms.bits(8, 0);
            let none = self.terms.const_array(sort, plain);
            self.emit(Command::Assign(shadow, none), Position::default(), Event::Step)?;
            self.parts.shadows.push((array, shadow));
        }
        Ok(())
    }
}

/// What says which bytes of values are those of addresses: a byte for each.
struct Shadows<'a> {
    terms: &'a mut Terms,
    word: u32,
    arrays: FxHashMap<Term, Term>,
    addresses: &'a FxHashSet<Term>,
    moved: FxHashMap<Term, Term>,
}

impl Shadows<'_> {
    /// Of a value; nothing if it is plain.
    fn of(&mut self, value: Term) -> Option<Term> {
        if self.addresses.contains(&value) {
            return Some(self.of_address(value));
        }
        if let Some(&shadow) = self.moved.get(&value) {
            return Some(shadow);
        }
        let args = self.terms.args(value).to_vec();
        match self.terms.op(value) {
            Op::Select => match self.of_array(args[0]) {
                Some(shadow) => Some(self.terms.select(shadow, args[1])),
                // A cell as wide as an address.
                None => (self.terms.width(value) >= self.word).then(|| self.of_address(value)),
            },
            Op::Extract { high, low } => {
                let shadow = self.of(args[0])?;
                if low % 8 == 0 {
                    return Some(self.terms.extract(high / 8 * 8 + 7, low, shadow));
                }
                Some(self.spoilt_if(shadow, (high - low + 1).div_ceil(8)))
            }
            Op::Concat => {
                let parts: Vec<Option<Term>> = args.iter().map(|&part| self.of(part)).collect();
                if parts.iter().all(Option::is_none) {
                    return None;
                }
                let widths: Vec<u32> = args.iter().map(|&part| self.terms.width(part)).collect();
                if widths.iter().any(|width| width % 8 != 0) {
                    let known: Vec<Term> = parts.into_iter().flatten().collect();
                    let any = known.into_iter().reduce(|high, low| self.terms.concat(high, low))?;
                    return Some(self.spoilt_if(any, widths.iter().sum::<u32>().div_ceil(8)));
                }
                let bytes = parts.into_iter().zip(widths);
                let bytes: Vec<Term> =
                    bytes.map(|(part, width)| part.unwrap_or_else(|| self.terms.bits(width, 0))).collect();
                bytes.into_iter().reduce(|high, low| self.terms.concat(high, low))
            }
            Op::Ite => {
                let (then, otherwise) = (self.of(args[1]), self.of(args[2]));
                if then.is_none() && otherwise.is_none() {
                    return None;
                }
                let plain = self.plain(value);
                Some(self.terms.ite(args[0], then.unwrap_or(plain), otherwise.unwrap_or(plain)))
            }
            Op::ZeroExtend | Op::SignExtend => {
                let shadow = self.of(args[0])?;
                let wide = self.terms.width(value).div_ceil(8) * 8;
                Some(self.terms.resize(wide, false, shadow))
            }
            _ => None,
        }
    }

    /// Of an address that is stored: null has no parts.
    fn of_address(&mut self, value: Term) -> Term {
        let bytes = self.terms.width(value).div_ceil(8);
        let numbered = (0..bytes).map(|i| if i < self.word / 8 { u128::from(i + 1) } else { SPOILT });
        let numbers: Vec<Term> = numbered.map(|number| self.terms.bits(8, number)).collect();
        let parts = numbers.into_iter().reduce(|low, high| self.terms.concat(high, low));
        let plain = self.plain(value);
        let some = self.terms.nonzero(value);
        self.terms.ite(some, parts.unwrap_or(plain), plain)
    }

    fn plain(&mut self, value: Term) -> Term {
        let bits = self.terms.width(value).div_ceil(8) * 8;
        self.terms.bits(bits, 0)
    }

    /// Bytes that are spoilt if any of others is a part of an address.
    fn spoilt_if(&mut self, shadow: Term, bytes: u32) -> Term {
        let some = self.terms.nonzero(shadow);
        let spoilt = self.terms.bits(8, SPOILT);
        let spoilt = self.terms.repeat(bytes, spoilt);
        let plain = self.terms.bits(8 * bytes, 0);
        self.terms.ite(some, spoilt, plain)
    }

    /// Of the array of a region; nothing if it has none.
    fn of_array(&mut self, array: Term) -> Option<Term> {
        if let Some(&shadow) = self.arrays.get(&array) {
            return Some(shadow);
        }
        let args = self.terms.args(array).to_vec();
        match self.terms.op(array) {
            Op::Store => {
                let before = self.of_array(args[0])?;
                let byte = match self.of(args[2]) {
                    Some(byte) => byte,
                    None => self.plain(args[2]),
                };
                Some(self.terms.store(before, args[1], byte))
            }
            Op::Ite => {
                let (then, otherwise) = (self.of_array(args[1])?, self.of_array(args[2])?);
                Some(self.terms.ite(args[0], then, otherwise))
            }
            _ => None,
        }
    }

    /// A shadow in which no address goes on over the border before a place.
    fn cut(&mut self, shadow: Term, address: Term) -> Term {
        let word = self.word;
        let t = &mut *self.terms;
        let (one, none) = (t.bits(8, 1), t.bits(8, 0));
        let step = t.bits(word, 1);
        let before = t.sub(address, step);
        let (before, here) = (t.select(shadow, before), t.select(shadow, address));
        let next = t.add(before, one);
        let (part, goes_on) = (t.ne(before, none), t.eq(here, next));
        let goes_on = t.and2(part, goes_on);
        let spoilt = t.bits(8, SPOILT);
        let value = t.ite(goes_on, spoilt, here);
        t.store(shadow, address, value)
    }

    /// The answer to a question.
    fn answer(&mut self, question: &Question, shadow: Term) -> Term {
        let mut is_part = |number: usize, at: Term| {
            let byte = self.terms.select(shadow, at);
            let number = self.terms.bits(8, number as u128);
            self.terms.eq(byte, number)
        };
        match question.address {
            None => {
                let plain: Vec<Term> = question.bytes.iter().map(|&at| is_part(0, at)).collect();
                self.terms.and(&plain)
            }
            Some(address) => {
                let bytes = question.bytes.iter().enumerate();
                let parts: Vec<Term> = bytes.map(|(i, &at)| is_part(i + 1, at)).collect();
                let whole = self.terms.and(&parts);
                let some = self.terms.nonzero(address);
                let null = self.terms.not(some);
                self.terms.or2(null, whole)
            }
        }
    }
}

/// Makes the shadows, and puts the answers in the place of the variables that stand for them.
pub(super) fn settle(
    parts: &Parts,
    word: u32,
    (builder, frame): (&mut Builder, FrameId),
    graph: &mut Graph,
    terms: &mut Terms,
) {
    if parts.questions.is_empty() {
        return;
    }
    let shadow_of: FxHashMap<Var, Var> = parts.shadows.iter().copied().collect();
    let mut moved: Vec<Term> = parts.moved.iter().copied().collect();
    moved.sort_unstable();
    let mut by_term = FxHashMap::default();
    for &value in &moved {
        let int = IntType { bits: terms.width(value).div_ceil(8) * 8, signed: false };
        by_term.insert(value, builder.temporary(terms, "part", int, frame));
    }
    let arrays = parts.shadows.iter().map(|&(array, shadow)| (builder.term(array), builder.term(shadow)));
    let mut shadows = Shadows {
        arrays: arrays.collect(),
        moved: by_term.iter().map(|(&value, &shadow)| (value, builder.term(shadow))).collect(),
        terms,
        word,
        addresses: &parts.addresses,
    };
    let mut answers = Substitution::default();
    for question in &parts.questions {
        let answer = match shadow_of.get(&question.array) {
            Some(&shadow) => shadows.answer(question, builder.term(shadow)),
            None => shadows.terms.fals(),
        };
        answers.insert(question.answer, answer);
    }
    graph.rewrite(|command, marks| {
        marks.iter_mut().for_each(|mark| mark.when = shadows.terms.substitute(mark.when, &answers));
        let (shadow, command) = match command {
            Command::Assume(guard) => (None, Command::Assume(shadows.terms.substitute(*guard, &answers))),
            Command::Havoc(var, cause) => {
                let plain = shadow_of.get(var).map(|&shadow| {
                    let (byte, sort) = (shadows.terms.bits(8, 0), shadows.terms.sort(builder.term(shadow)));
                    Command::Assign(shadow, shadows.terms.const_array(sort, byte))
                });
                (plain, Command::Havoc(*var, cause.clone()))
            }
            Command::Assign(var, value) => {
                if let Some((array, address)) = parts.seams.get(var) {
                    let cut = shadow_of
                        .get(array)
                        .map(|&shadow| Command::Assign(shadow, shadows.cut(builder.term(shadow), *address)));
                    return cut.into_iter().collect();
                }
                let value = shadows.terms.substitute(*value, &answers);
                let shadow = if let Some(&shadow) = shadow_of.get(var) {
                    let sort = shadows.terms.sort(builder.term(shadow));
                    let new = shadows.of_array(value).unwrap_or_else(|| {
                        let byte = shadows.terms.bits(8, 0);
                        shadows.terms.const_array(sort, byte)
                    });
                    Some(Command::Assign(shadow, new))
                } else if let Some(&shadow) = by_term.get(&builder.term(*var)) {
                    let new = shadows.of(value).unwrap_or_else(|| shadows.plain(value));
                    Some(Command::Assign(shadow, new))
                } else {
                    None
                };
                (shadow, Command::Assign(*var, value))
            }
        };
        // The shadow first: the value may be computed from what is assigned.
        shadow.into_iter().chain([command]).collect()
    });
}
