//! Accesses through pointers that may be outside of every object.
//!
//! Which objects a pointer may point to, and where they are, is known only when all is translated: until then a variable
//! stands for the condition of the mark.

use super::Translator;
use super::graph::Graph;
use super::promote::{Known, extent, is_dynamic};
use crate::memory::{Memory, Pointer, Thing};
use crate::tree::Position;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Sort, Term, Terms};
use tamis_program::Undefined;

/// Among more objects it is not told whether an address is in one of them.
const OBJECTS: usize = 32;

/// An access, by the variable that stands for its being outside.
pub(super) struct Access {
    outside: Term,
    pointer: Pointer,
    address: Term,
    /// In bytes, as wide as an address.
    size: Term,
}

/// What is known of the objects of a node.
#[derive(Clone)]
struct Objects {
    /// Address and size of each.
    ranges: Vec<(u64, u64)>,
    /// Whether there may be others.
    more: bool,
}

impl Translator<'_> {
    /// Marks accesses of `size` bytes through null pointers.
    pub(super) fn mark_null_bytes(&mut self, pointers: &[Term], size: Term, at: Position) {
        let some = self.terms.nonzero(size);
        self.enclosing.under.push(some);
        pointers.iter().for_each(|&pointer| self.mark_null(pointer, at));
        self.enclosing.under.pop();
    }

    /// Marks an access of `size` bytes that is outside of what the pointer may point to.
    pub(super) fn mark_outside(&mut self, pointer: Pointer, address: Term, size: Term, at: Position) {
        if !self.all_is_computed() {
            return;
        }
        let outside = self.terms.fresh("outside", Sort::Bool);
        self.lvalues.accesses.push(Access { outside, pointer, address, size });
        self.mark(Undefined::OutOfBounds, outside, at);
    }
}

/// Puts the conditions of marks in the place of the variables that stand for them.
pub(super) fn settle(
    known: Known<'_>,
    memory: &mut Memory<'_>,
    accesses: &[Access],
    graph: &mut Graph,
    terms: &mut Terms,
) {
    let mut by_node = FxHashMap::default();
    let mut conditions: FxHashMap<Term, (Term, bool)> = FxHashMap::default();
    for access in accesses {
        let things = memory.things_at(access.pointer);
        let objects = by_node
            .entry(memory.node(access.pointer))
            .or_insert_with(|| objects(known, memory.is_external_at(access.pointer), &things))
            .clone();
        let inside: Vec<Term> =
            objects.ranges.iter().map(|&range| inside(known, access, range, terms)).collect();
        let inside = terms.or(&inside);
        let outside = terms.not(inside);
        conditions.insert(access.outside, (outside, objects.more));
    }
    graph.for_marks(|mark| {
        let vars = terms.free_vars(mark.when);
        for var in vars {
            if let Some(&(condition, more)) = conditions.get(&var) {
                mark.when = terms.substitute_with(mark.when, |v| (v == var).then_some(condition));
                mark.approximated |= more;
            }
        }
        !terms.is_false(mark.when)
    });
}

fn objects(known: Known<'_>, external: bool, things: &[Thing]) -> Objects {
    let is_loose = |thing: &Thing| known.addresses.dynamic.contains(thing) || is_dynamic(known.unit, *thing);
    let things_here: FxHashSet<Thing> = things.iter().copied().collect();
    let mut objects = Objects { ranges: Vec::new(), more: external || things.iter().any(is_loose) };
    for &(thing, base) in known.addresses.placed.iter().filter(|(thing, _)| things_here.contains(thing)) {
        match extent(known, thing, base) {
            Some((size, _)) if objects.ranges.len() < OBJECTS => objects.ranges.push((base, size)),
            _ => objects.more = true,
        }
    }
    objects
}

/// Whether an access lies in an object.
fn inside(known: Known<'_>, access: &Access, (base, length): (u64, u64), terms: &mut Terms) -> Term {
    let word = known.unit.word();
    let (base, length) = (terms.bits(word, u128::from(base)), terms.bits(word, u128::from(length)));
    let offset = terms.sub(access.address, base);
    let starts = terms.ule(offset, length);
    let left = terms.sub(length, offset);
    let ends = terms.ule(access.size, left);
    terms.and(&[starts, ends])
}
