//! Memory that is allocated when the program ends.
//!
//! A block that has variables of its own is lost if it lives, and nothing that lasts points into it. Where `main` returns, only
//! variables of static storage last; where the program ends otherwise, those of all functions that are active do too.
//! What pointers in memory point to is not followed: where one of them may lead to a block, it is approximated whether
//! that is lost. Blocks of arenas are counted, so it is known whether there is one.

use super::Translator;
use super::promote::Known;
use super::validity::{Validity, inside};
use crate::memory::{Lasting, Layout, Memory, Pointer, Thing};
use crate::tree::{ObjectId, Position};
use rustc_hash::FxHashMap;
use tamis_diagnostics::Error;
use tamis_logic::{Sort, Term, Terms};
use tamis_program::{Builder, Command, Event, IntType, Undefined, Var};

/// How the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// `main` returns.
    Main,
    /// By `exit`, `abort` and the like.
    Call,
}

/// An end of the program, by the variables that stand for its conditions.
pub(super) struct Ending {
    /// Memory is lost, and it may be.
    lost: Term,
    doubtful: Term,
    /// Memory is not freed.
    kept: Term,
    end: End,
    /// The pointers of active functions.
    locals: Vec<(ObjectId, Var)>,
}

impl Translator<'_> {
    /// Marks what is allocated where the program ends.
    pub(super) fn mark_end(&mut self, end: End, at: Position) {
        if !self.follows_memory() || self.cursor.here.is_none() {
            return;
        }
        let [lost, doubtful, kept] =
            ["lost", "perhaps lost", "not freed"].map(|name| self.terms.fresh(name, Sort::Bool));
        let unit = self.unit;
        let locals = self.activations.locals().filter(|&(object, _)| unit[object].ty.is_pointer()).collect();
        self.validity.endings.push(Ending { lost, doubtful, kept, end, locals });
        self.mark(Undefined::Lost, lost, at);
        self.mark(Undefined::Lost, doubtful, at);
        self.mark(Undefined::NotFreed, kept, at);
    }

    /// A block that has no variables of its own was allocated, unless its address is null.
    pub(super) fn count_block(&mut self, address: Term, at: Position) -> Result<(), Error> {
        let counter = match self.validity.counter {
            Some(counter) => counter,
            None => {
                let int = IntType { bits: 32, signed: false };
                let frame = self.activations.outermost();
                let counter = self.builder.temporary(self.terms, "allocated", int, frame);
                self.validity.counter = Some(counter);
                counter
            }
        };
        let all = self.builder.term(counter);
        let some = self.terms.nonzero(address);
        let some = self.terms.bool_to_bits(32, some);
        let more = self.terms.add(all, some);
        self.emit(Command::Assign(counter, more), at, Event::Step)
    }
}

/// The pointers in static variables in memory: what they point to, and their values. Those that cannot be read are left
/// with what may be pointed to.
fn values(
    known: Known<'_>,
    memory: &mut Memory<'_>,
    builder: &Builder,
    terms: &mut Terms,
    lasting: &mut Lasting,
) -> Vec<(Pointer, Term)> {
    let word = known.unit.word();
    let mut found = Vec::new();
    for (object, offset, target) in std::mem::take(&mut lasting.cells) {
        let thing = Thing::Object(object);
        // What nothing has used holds what it held at first.
        let Some(&base) = known.addresses.static_bases.get(&thing) else {
            lasting.pointed.extend(memory.family(target));
            continue;
        };
        let pointer = memory.thing(thing);
        let (cells, _) = memory.cells_within(pointer, known.unit[object].size.unwrap_or(0));
        let cell = cells.into_iter().find(|cell| {
            cell.offset == offset
                && memory.regions[cell.region.index()].layout == Layout::Cells { width: word }
        });
        let var = cell.and_then(|cell| known.variables.regions[cell.region.index()]);
        match var {
            Some(var) => {
                let address = terms.bits(word, u128::from(base + offset));
                found.push((target, terms.select(builder.term(var), address)));
            }
            None => {
                lasting.pointed.extend(memory.family(target));
            }
        }
    }
    found
}

/// The conditions of the ends of the program.
pub(super) fn settle(
    known: Known<'_>,
    memory: &mut Memory<'_>,
    validity: &Validity,
    builder: &Builder,
    terms: &mut Terms,
    conditions: &mut FxHashMap<Term, (Term, bool)>,
) {
    if validity.endings.is_empty() {
        return;
    }
    let statics: Vec<(ObjectId, Var)> =
        known.variables.plain_statics().filter(|&(object, _)| known.unit[object].ty.is_pointer()).collect();
    let mut lasting = memory.lasting();
    let kept = values(known, memory, builder, terms, &mut lasting);
    let lasting = lasting.pointed;
    let is_counted = |thing: Thing| {
        validity.loose.contains(&thing) || validity.arenas.iter().any(|arena| arena.thing == thing)
    };
    let mut counted = Vec::new();
    for thing in memory.allocated().into_iter().filter(|&thing| is_counted(thing)) {
        counted.push(memory.thing(thing));
    }
    for ending in &validity.endings {
        let roots = match ending.end {
            End::Main => statics.clone(),
            End::Call => statics.iter().chain(&ending.locals).copied().collect(),
        };
        let targets: Vec<(Pointer, Term)> = roots
            .iter()
            .filter_map(|&(object, var)| Some((memory.pointed_from_object(object)?, builder.term(var))))
            .chain(kept.iter().copied())
            .collect();
        let (mut lost, mut doubtful, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        for block in validity.blocks.iter().filter(|block| !block.on_stack) {
            let Some(live) = block.live else { continue };
            let live = terms.nonzero(builder.term(live));
            kept.push(live);
            let node = memory.thing(block.thing);
            let node = memory.node(node);
            let mut loses = vec![live];
            for &(target, value) in &targets {
                if memory.family(target).contains(&node) {
                    let one = terms.bits(known.unit.word(), 1);
                    let points = inside(terms, (block.base, block.size), value, one);
                    loses.push(terms.not(points));
                }
            }
            let lose = terms.and(&loses);
            let hidden = ending.end != End::Main || lasting.contains(&node);
            if hidden { doubtful.push(lose) } else { lost.push(lose) }
        }
        if let Some(counter) = validity.counter {
            let some = terms.nonzero(builder.term(counter));
            kept.push(some);
            let mut hidden = ending.end != End::Main;
            for &at in &counted {
                let node = memory.node(at);
                hidden |= lasting.contains(&node)
                    || targets.iter().any(|&(target, _)| memory.family(target).contains(&node));
            }
            if hidden { doubtful.push(some) } else { lost.push(some) }
        }
        conditions.insert(ending.lost, (terms.or(&lost), false));
        conditions.insert(ending.doubtful, (terms.or(&doubtful), true));
        conditions.insert(ending.kept, (terms.or(&kept), false));
    }
}
