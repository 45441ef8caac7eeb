//! What there is in memory, once all is translated: the conditions that [`validity`](super::validity) waits for.

use super::addresses::MARGIN;
use super::graph::Graph;
use super::leaks;
use super::promote::{Known, extent, is_dynamic};
use super::queries::{Query, Question};
use super::validity::{Access, Arena, Block, BlockSize, Free, INSET, Living, Move, Validity, Way, inside};
use crate::memory::{Memory, Pointer, Thing};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tamis_logic::{Term, Terms};
use tamis_program::{Builder, Command, Var};

/// Of so many blocks it is looked whether their sizes can be said by what they were computed from.
const SAID: usize = 32;

/// Among more objects it is not told whether an address is in one of them.
const OBJECTS: usize = 128;

/// Where something may be.
enum Piece {
    /// An object with an address and a size.
    Object {
        base: Term,
        size: Term,
        live: Option<Term>,
        /// Whether it was ever allocated, for a block of the heap.
        had: Option<Term>,
        area: Option<usize>,
        heap: bool,
        address: Option<u64>,
    },
    Arena(Arena),
}

/// What the pointers of a node may point to.
struct Pieces {
    all: Rc<Vec<Piece>>,
    /// Whether there may be more.
    more: bool,
}

/// Conditions over what there is, now that all of it is known.
struct Settling<'a> {
    word: u32,
    terms: &'a mut Terms,
    builder: &'a Builder,
    validity: &'a Validity,
}

impl Settling<'_> {
    fn number(&mut self, value: u64) -> Term {
        self.terms.bits(self.word, u128::from(value))
    }

    /// Whether an address is in the slot of a piece; of an arena, in the slot of another address.
    fn shares_slot(&mut self, piece: &Piece, address: Term, other: Term) -> Term {
        match piece {
            Piece::Object { base, size, .. } => {
                let margin = self.number(MARGIN);
                let twice = self.number(2 * MARGIN);
                let t = &mut *self.terms;
                let start = t.sub(*base, margin);
                let length = t.add(*size, twice);
                let offset = t.sub(address, start);
                t.ult(offset, length)
            }
            Piece::Arena(arena) => {
                let t = &mut *self.terms;
                let (a, b) = (
                    t.extract(self.word - 1, arena.slot, address),
                    t.extract(self.word - 1, arena.slot, other),
                );
                t.eq(a, b)
            }
        }
    }

    fn in_arena(&mut self, arena: &Arena, address: Term) -> Term {
        let t = &mut *self.terms;
        let high = t.extract(self.word - 1, arena.bits, address);
        let here = t.bits(self.word - arena.bits, u128::from(arena.start >> arena.bits));
        t.eq(high, here)
    }

    /// Whether the block of an arena at an address is there and was not freed.
    fn is_block(&mut self, arena: &Arena, address: Term) -> Term {
        let (count, dead) = (self.builder.term(arena.count), self.builder.term(arena.dead));
        let there = self.in_arena(arena, address);
        let t = &mut *self.terms;
        let number = t.extract(arena.bits - 1, arena.slot, address);
        let taken = t.ult(number, count);
        let start = start_of(t, arena, self.word, address);
        let dead = t.select(dead, start);
        let dead = t.nonzero(dead);
        let lives = t.not(dead);
        t.and(&[there, taken, lives])
    }

    /// Whether an access is in a piece.
    fn holds(&mut self, piece: &Piece, access: &Access, alone: bool) -> Term {
        let Access { way: Way { root, address, near }, size, ref living, .. } = *access;
        let mut conditions = Vec::new();
        match piece {
            Piece::Object { base, size: length, live, area, address: fixed, .. } => {
                let is_over = area.is_some_and(|area| !living.areas.contains(&area))
                    || fixed.is_some_and(|fixed| !living.bases.contains(&fixed));
                if is_over {
                    return self.terms.fals();
                }
                conditions.push(inside(self.terms, (*base, *length), address, size));
                if let Some(live) = *live {
                    conditions.push(self.terms.nonzero(live));
                }
            }
            // The pointer says which block it is: how far the access is from it does not matter for that.
            Piece::Arena(arena) => {
                conditions.push(self.is_block(arena, root));
                let base = start_of(self.terms, arena, self.word, root);
                let length = match arena.size {
                    BlockSize::Fixed(size) => self.number(size),
                    BlockSize::Kept(sizes) => self.terms.select(self.builder.term(sizes), base),
                };
                conditions.push(inside(self.terms, (base, length), address, size));
            }
        }
        if root != address && !(alone || near) && matches!(piece, Piece::Object { .. }) {
            conditions.push(self.shares_slot(piece, root, address));
        }
        self.terms.and(&conditions)
    }

    /// Whether a move stays in the slot of some piece.
    fn stays(&mut self, pieces: &[Piece], step: &Move) -> Term {
        let Move { old, new, .. } = *step;
        let mut stays = Vec::new();
        for piece in pieces {
            let (was, is) = (self.shares_slot(piece, old, new), self.shares_slot(piece, new, old));
            let there = match piece {
                Piece::Object { had: Some(had), .. } => self.terms.nonzero(*had),
                Piece::Object { .. } => self.terms.tru(),
                Piece::Arena(arena) => self.in_arena(arena, old),
            };
            stays.push(self.terms.and(&[there, was, is]));
        }
        self.terms.or(&stays)
    }

    /// Whether a move comes into the slot of a piece. That of a block which is not there yet may be anywhere.
    fn enters(&mut self, piece: &Piece, step: &Move, stays: Term) -> Term {
        let Move { old, new, .. } = *step;
        match piece {
            Piece::Object { had, .. } => {
                let (was, is) = (self.shares_slot(piece, old, old), self.shares_slot(piece, new, new));
                let was_not = self.terms.not(was);
                let enters = self.terms.and2(is, was_not);
                match *had {
                    Some(had) => {
                        let (had, leaves) = (self.terms.nonzero(had), self.terms.not(stays));
                        self.terms.ite(had, enters, leaves)
                    }
                    None => enters,
                }
            }
            Piece::Arena(arena) => {
                let there = self.in_arena(arena, new);
                let same = self.shares_slot(piece, new, old);
                let other = self.terms.not(same);
                self.terms.and2(there, other)
            }
        }
    }

    /// The commands that answer a question.
    fn answered(&mut self, query: &Query, pieces: &Pieces) -> Vec<Command> {
        let Query { question, answer, pointer, address, size, ref living, ref before } = *query;
        let access = Access {
            outside: self.terms.fals(),
            pointer,
            way: Way::to(address),
            size,
            living: living.clone(),
        };
        let any = self.builder.term(answer);
        let mut value = if pieces.more { any } else { self.number(0) };
        for piece in pieces.all.iter() {
            let here = match (question, piece) {
                (Question::Accessible, piece) => self.holds(piece, &access, true),
                (_, piece @ Piece::Object { .. }) => self.shares_slot(piece, address, address),
                (_, Piece::Arena(arena)) => self.in_arena(arena, address),
            };
            let known = match (question, piece) {
                (Question::Accessible, _) => self.number(1),
                (Question::Size, Piece::Object { size, .. }) => *size,
                (Question::Size, Piece::Arena(arena)) => match arena.size {
                    BlockSize::Fixed(size) => self.number(size),
                    BlockSize::Kept(sizes) => {
                        let base = start_of(self.terms, arena, self.word, address);
                        self.terms.select(self.builder.term(sizes), base)
                    }
                },
                (Question::Dynamic, Piece::Object { heap, .. }) => self.number(u64::from(*heap)),
                (Question::Dynamic, Piece::Arena(_)) => self.number(1),
                (Question::New, piece) => self.is_new(piece, before.as_ref(), address),
                (_, Piece::Object { base, .. }) => *base,
                (_, Piece::Arena(arena)) => start_of(self.terms, arena, self.word, address),
            };
            value = self.terms.ite(here, known, value);
        }
        if !pieces.more {
            return vec![Command::Assign(answer, value)];
        }
        let cause = tamis_program::Havoc::Approximated(
            "a question about memory of which nothing is known".to_owned(),
        );
        // Null points to no object.
        let zero = self.number(0);
        let none = self.terms.eq(address, zero);
        let value = self.terms.ite(none, zero, value);
        vec![Command::Havoc(answer, cause), Command::Assign(answer, value)]
    }

    /// Whether a piece came into being since a function was entered, as a number.
    fn is_new(&mut self, piece: &Piece, before: Option<&(u64, Rc<Living>)>, address: Term) -> Term {
        let Some(&(number, ref living)) = before else { return self.number(0) };
        let kept = |settling: &Settling<'_>, var| settling.validity.at_entry(number, var, settling.builder);
        match piece {
            Piece::Object { area: Some(area), .. } => self.number(u64::from(!living.areas.contains(area))),
            Piece::Object { address: Some(base), .. } => self.number(u64::from(!living.bases.contains(base))),
            Piece::Object { live: Some(live), .. } => {
                let blocks = &self.validity.blocks;
                let mut vars = blocks.iter().filter_map(|block| block.live);
                let var = vars.find(|&var| self.builder.term(var) == *live);
                match var.and_then(|var| kept(self, var)) {
                    Some(lived) => {
                        let gone = self.terms.nonzero(lived);
                        let new = self.terms.not(gone);
                        self.terms.bool_to_bits(self.word, new)
                    }
                    None => self.number(0),
                }
            }
            Piece::Object { .. } => self.number(0),
            Piece::Arena(arena) => match kept(self, arena.count) {
                Some(count) => {
                    let slot = self.terms.extract(arena.bits - 1, arena.slot, address);
                    let old = self.terms.ult(slot, count);
                    let new = self.terms.not(old);
                    self.terms.bool_to_bits(self.word, new)
                }
                None => self.number(0),
            },
        }
    }

    /// Whether an address is that of a block that can be freed.
    fn can_be_freed(&mut self, piece: &Piece, address: Term) -> Term {
        match piece {
            Piece::Object { base, live, heap: true, .. } => {
                let is_it = self.terms.eq(address, *base);
                match *live {
                    Some(live) => {
                        let live = self.terms.nonzero(live);
                        self.terms.and2(is_it, live)
                    }
                    None => is_it,
                }
            }
            Piece::Object { .. } => self.terms.fals(),
            Piece::Arena(arena) => {
                let block = self.is_block(arena, address);
                let t = &mut *self.terms;
                let low = t.extract(arena.slot - 1, 0, address);
                let inset = t.bits(arena.slot, u128::from(INSET));
                let starts = t.eq(low, inset);
                t.and2(block, starts)
            }
        }
    }
}

/// Where the block begins that is in the slot of an address.
fn start_of(terms: &mut Terms, arena: &Arena, word: u32, address: Term) -> Term {
    let high = terms.extract(word - 1, arena.slot, address);
    let inset = terms.bits(arena.slot, u128::from(INSET));
    terms.concat(high, inset)
}

/// Puts the conditions of marks in the place of the variables that stand for them, and lets blocks end where they are
/// freed.
pub(super) fn settle(
    known: Known<'_>,
    memory: &mut Memory<'_>,
    validity: &mut Validity,
    builder: &Builder,
    graph: &mut Graph,
    terms: &mut Terms,
) {
    validity.blocks = with_sizes(&validity.blocks, builder, graph, terms);
    let validity = &*validity;
    let mut by_node: FxHashMap<_, (Rc<Vec<Piece>>, bool)> = FxHashMap::default();
    let mut settling = Settling { word: known.unit.word(), terms, builder, validity };
    let mut pieces_at = |memory: &mut Memory<'_>, pointer: Pointer, settling: &mut Settling<'_>| {
        let (all, more) = by_node
            .entry(memory.node(pointer))
            .or_insert_with(|| {
                let (things, external) = (memory.things_at(pointer), memory.is_external_at(pointer));
                let (all, more) = pieces(known, validity, &things, settling);
                (Rc::new(all), more || external)
            })
            .clone();
        Pieces { all, more }
    };
    let mut conditions: FxHashMap<Term, (Term, bool)> = FxHashMap::default();
    for access in &validity.accesses {
        let Pieces { all, more } = pieces_at(memory, access.pointer, &mut settling);
        let alone = all.len() == 1 && !more;
        let holds: Vec<Term> = all.iter().map(|piece| settling.holds(piece, access, alone)).collect();
        let valid = settling.terms.or(&holds);
        conditions.insert(access.outside, (settling.terms.not(valid), more));
    }
    for step in &validity.moves {
        let Pieces { all, more } = pieces_at(memory, step.pointer, &mut settling);
        let alone = all.len() == 1 && !more && matches!(all[0], Piece::Object { .. });
        let enters: Vec<Term> = match alone || all.is_empty() {
            true => Vec::new(),
            false => {
                let stays = settling.stays(&all, step);
                all.iter().map(|piece| settling.enters(piece, step, stays)).collect()
            }
        };
        conditions.insert(step.strays, (settling.terms.or(&enters), true));
    }
    let mut ends: FxHashMap<Var, Vec<Command>> = FxHashMap::default();
    for free in &validity.frees {
        let Pieces { all, more } = pieces_at(memory, free.pointer, &mut settling);
        let address = builder.term(free.address);
        let fine: Vec<Term> = all.iter().map(|piece| settling.can_be_freed(piece, address)).collect();
        let fine = settling.terms.or(&fine);
        conditions.insert(free.wrong, (settling.terms.not(fine), more));
        ends.insert(free.address, ended(&mut settling, validity, memory, free, address));
    }
    let mut answers: FxHashMap<Var, Vec<Command>> = validity.entered(builder);
    for query in &validity.queries {
        let pieces = pieces_at(memory, query.pointer, &mut settling);
        answers.insert(query.answer, settling.answered(query, &pieces));
    }
    let Settling { terms, .. } = settling;
    leaks::settle(known, memory, validity, builder, terms, &mut conditions);
    graph.for_marks(|mark| {
        let vars = terms.free_vars(mark.when);
        for var in vars {
            if let Some(&(condition, approximated)) = conditions.get(&var) {
                mark.when = terms.substitute_with(mark.when, |v| (v == var).then_some(condition));
                mark.approximated |= approximated;
            }
        }
        !terms.is_false(mark.when)
    });
    graph.rewrite(|command, _| match command {
        // What is freed is kept in a variable; where that is assigned to itself, blocks end.
        Command::Assign(var, value) if *value == builder.term(*var) => {
            answers.get(var).or_else(|| ends.get(var)).cloned().unwrap_or_else(|| vec![command.clone()])
        }
        _ => vec![command.clone()],
    });
}

/// Blocks whose sizes are said by what they were computed from, where that does not change afterwards: a proof needs no
/// predicate then that relates the two.
fn with_sizes(block_list: &[Block], builder: &Builder, graph: &mut Graph, terms: &Terms) -> Vec<Block> {
    let mut blocks = block_list.to_vec();
    for block in blocks.iter_mut().take(SAID) {
        if let Some(var) = block.measured
            && let Some(size) =
                graph.lasting_value(var, |value, other| terms.free_vars(value).contains(&builder.term(other)))
        {
            block.size = size;
        }
    }
    blocks
}

/// What becomes of blocks when one is freed.
fn ended(
    settling: &mut Settling<'_>,
    validity: &Validity,
    memory: &mut Memory<'_>,
    free: &Free,
    address: Term,
) -> Vec<Command> {
    let things: FxHashSet<Thing> = memory.things_at(free.pointer).into_iter().collect();
    let mut commands = Vec::new();
    for block in validity.blocks.iter().filter(|block| things.contains(&block.thing) && !block.on_stack) {
        let Some(live) = block.live else { continue };
        let t = &mut *settling.terms;
        let (is_it, no) = (t.eq(address, block.base), t.bits(1, 0));
        commands.push(Command::Assign(live, t.ite(is_it, no, settling.builder.term(live))));
    }
    let is_counted = |thing: &Thing| {
        matches!(thing, Thing::Allocated(_))
            && (validity.loose.contains(thing) || validity.arenas.iter().any(|arena| arena.thing == *thing))
    };
    if let Some(counter) = validity.counter.filter(|_| things.iter().any(is_counted)) {
        let t = &mut *settling.terms;
        let mut other = vec![t.nonzero(address)];
        for block in validity.blocks.iter().filter(|block| things.contains(&block.thing)) {
            let differs = t.ne(address, block.base);
            // The base of a block that was not allocated yet is any number.
            other.push(match block.had {
                Some(had) => {
                    let was_had = t.nonzero(settling.builder.term(had));
                    let not_had = t.not(was_had);
                    t.or2(not_had, differs)
                }
                None => differs,
            });
        }
        let (other, one) = (t.and(&other), t.bits(32, 1));
        let all = settling.builder.term(counter);
        let less = t.sub(all, one);
        commands.push(Command::Assign(counter, t.ite(other, less, all)));
    }
    for arena in validity.arenas.iter().filter(|arena| things.contains(&arena.thing)) {
        let dead = settling.builder.term(arena.dead);
        let yes = settling.terms.bits(8, 1);
        commands.push(Command::Assign(arena.dead, settling.terms.store(dead, address, yes)));
    }
    commands
}

/// What is known of the memory of some things, and whether there may be more.
fn pieces(
    known: Known<'_>,
    validity: &Validity,
    things: &[Thing],
    settling: &mut Settling<'_>,
) -> (Vec<Piece>, bool) {
    let unit = known.unit;
    let here: FxHashSet<Thing> = things.iter().copied().collect();
    // A temporary value lives only as long as the expression it is in.
    let is_loose = |thing: &Thing| {
        validity.loose.contains(thing) || matches!(thing, Thing::Result(_) | Thing::Value(_) | Thing::Unknown)
    };
    let (mut pieces, mut more) = (Vec::new(), things.iter().any(is_loose));
    for &(thing, base) in known.addresses.placed.iter().filter(|(thing, _)| here.contains(thing)) {
        if matches!(thing, Thing::Allocated(_)) || is_dynamic(unit, thing) || is_loose(&thing) {
            continue;
        }
        let Some((size, _)) = extent(known, thing, base) else {
            more = true;
            continue;
        };
        let automatic = matches!(thing, Thing::Object(object) if unit[object].is_automatic());
        let address = automatic.then_some(base);
        let (base, size) = (settling.number(base), settling.number(size));
        pieces.push(Piece::Object { base, size, live: None, had: None, area: None, heap: false, address });
    }
    more |= things.iter().any(|thing| matches!(thing, Thing::Object(o) if unit[*o].size.is_none() && unit[*o].dynamic_size.is_none()));
    for (index, block) in validity.blocks.iter().enumerate().filter(|(_, block)| here.contains(&block.thing))
    {
        let live = block.live.map(|live| settling.builder.term(live));
        let area = (block.on_stack && block.live.is_some()).then_some(index);
        let (base, size, heap) = (block.base, block.size, !block.on_stack);
        let had = block.had.map(|had| settling.builder.term(had));
        pieces.push(Piece::Object { base, size, live, had, area, heap, address: None });
    }
    let arenas = validity.arenas.iter().filter(|arena| here.contains(&arena.thing));
    pieces.extend(arenas.cloned().map(Piece::Arena));
    more |= pieces.len() > OBJECTS;
    pieces.truncate(OBJECTS);
    (pieces, more)
}
