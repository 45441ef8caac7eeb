//! Constant tables.
//!
//! Static objects of many elements that nothing writes hold what their initialisers say. A region of such objects is not filled
//! element by element: what is read there is one of its constants, chosen by the bits of the address, in which equal parts are
//! one term. As a chain of stores, a table of 64 KB took minutes to be searched.
//!
//! A choice among too many constants is approximated by a number between the least and the greatest of them.

use super::Translator;
use super::graph::Graph;
use crate::memory::{RegionId, Thing};
use crate::tree::Position;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use tamis_diagnostics::Error;
use tamis_logic::{Op, Term, Terms};
use tamis_program::{Command, Event, Havoc, Var};

/// What holds no more initial values than this is filled one by one.
const FEW: usize = 64;

/// Of elements of a longer table it is said that they are between the least and the greatest.
const LONG: usize = 1024;

/// Of a longer table no element is chosen.
const LONGEST: usize = 1 << 17;

/// Nor of one where all choices together would be among more constants.
const CHOSEN: usize = 1 << 21;

/// The regions that are tables.
#[derive(Default)]
pub(super) struct Tables {
    tables: FxHashMap<Var, Table>,
    /// What was written before static objects got their values.
    written: FxHashSet<Var>,
}

/// A table.
struct Table {
    memory: Term,
    /// Of an element, in bits.
    width: u32,
    /// The elements with a value, by their addresses; all others are 0.
    elements: BTreeMap<u64, Term>,
    /// The size of all objects in it, in bytes.
    size: u64,
    /// Whether a choice would be too large.
    is_large: bool,
}

impl Table {
    fn zero(&self, terms: &mut Terms) -> Term {
        terms.bits(self.width, 0)
    }

    /// The element at an address.
    fn read(&self, terms: &mut Terms, address: Term) -> Term {
        let (Some((&first, _)), Some((&last, _))) =
            (self.elements.first_key_value(), self.elements.last_key_value())
        else {
            return self.zero(terms);
        };
        if let Some(address) = terms.bits_constant(address) {
            let element = u64::try_from(address.unsigned()).ok().and_then(|at| self.elements.get(&at));
            return element.copied().unwrap_or_else(|| self.zero(terms));
        }
        if self.is_large {
            let any = terms.select(self.memory, address);
            return self.between(terms, any);
        }
        let word = terms.width(address);
        let start = terms.bits(word, u128::from(first));
        let offset = terms.sub(address, start);
        let bits = (last - first).checked_ilog2().map_or(0, |highest| highest + 1);
        let chosen = self.choice(terms, offset, first, bits);
        let end = terms.bits(word, u128::from(last - first));
        let (inside, zero) = (terms.ule(offset, end), self.zero(terms));
        let element = terms.ite(inside, chosen, zero);
        // What is said of all elements need not be looked for in each.
        if self.elements.len() > LONG { self.between(terms, element) } else { element }
    }

    /// The element at an offset from an address, of which the lowest bits are not yet looked at.
    fn choice(&self, terms: &mut Terms, offset: Term, from: u64, bits: u32) -> Term {
        let end = from.saturating_add(1u64.checked_shl(bits).map_or(u64::MAX, |length| length - 1));
        let mut here = self.elements.range(from..=end);
        let Some((&only, &element)) = here.next() else { return self.zero(terms) };
        if bits == 0 {
            debug_assert_eq!(only, from);
            return element;
        }
        let low = self.choice(terms, offset, from, bits - 1);
        let high = self.choice(terms, offset, from + (1 << (bits - 1)), bits - 1);
        let bit = terms.extract(bits - 1, bits - 1, offset);
        let is_high = terms.nonzero(bit);
        terms.ite(is_high, high, low)
    }

    /// A number, if it is between the least element and the greatest.
    fn between(&self, terms: &mut Terms, any: Term) -> Term {
        let of = |terms: &Terms, t: Term| terms.bits_constant(t).map_or(0, |bits| bits.unsigned());
        let values: Vec<u128> = self.elements.values().map(|&t| of(terms, t)).collect();
        let is_full = self.elements.len() as u64 * u64::from(self.width.div_ceil(8)) >= self.size;
        // What lies between objects is 0.
        let least = if is_full { values.iter().copied().min().unwrap_or(0) } else { 0 };
        let greatest = values.iter().copied().max().unwrap_or(0);
        let (least, greatest) = (terms.bits(self.width, least), terms.bits(self.width, greatest));
        let (below, above) = (terms.ult(any, least), terms.ult(greatest, any));
        let upper = terms.ite(above, greatest, any);
        terms.ite(below, least, upper)
    }
}

impl Translator<'_> {
    /// Static objects get their values from here on.
    pub(super) fn begin_tables(&mut self) {
        self.tables.written = self.cursor.graph.written();
    }

    /// Whether a region of static objects is a table, of which another object is filled.
    pub(super) fn is_table(&mut self, region: RegionId, size: u64) -> bool {
        let var = self.region_var(region);
        if let Some(table) = self.tables.tables.get_mut(&var) {
            table.size += size;
            return true;
        }
        let unit = self.unit;
        let values = self.memory.objects(region).iter().map(|&(thing, _)| match thing {
            Thing::Object(object) => unit[object].init().map_or(0, |init| init.entries.len()),
            Thing::Literal(literal) => unit[literal].elements.len(),
            _ => 0,
        });
        let many = values.sum::<usize>() > FEW;
        if !many || self.tables.written.contains(&var) || self.is_shadowed(region) {
            return false;
        }
        let (memory, width) = (self.builder.term(var), self.cell_width(region));
        let table = Table { memory, width, elements: BTreeMap::new(), size, is_large: false };
        self.tables.tables.insert(var, table);
        true
    }

    /// Puts a value into the array of a region, or into its table.
    pub(super) fn put(&mut self, var: Var, address: Term, value: Term, at: Position) -> Result<(), Error> {
        if let Some(table) = self.tables.tables.get_mut(&var) {
            let constant =
                self.terms.bits_constant(address).and_then(|bits| u64::try_from(bits.unsigned()).ok());
            if let (Some(address), true) = (constant, self.terms.is_constant(value)) {
                table.elements.insert(address, value);
                return Ok(());
            }
            self.spill(var, at)?;
        }
        let stored = self.terms.store(self.builder.term(var), address, value);
        self.emit(Command::Assign(var, stored), at, Event::Step)
    }

    /// A table is none: it is filled as other regions are.
    fn spill(&mut self, var: Var, at: Position) -> Result<(), Error> {
        let Some(table) = self.tables.tables.remove(&var) else { return Ok(()) };
        self.tables.written.insert(var);
        let (sort, zero) = (self.terms.sort(table.memory), table.zero(self.terms));
        let zeros = self.terms.const_array(sort, zero);
        self.emit(Command::Assign(var, zeros), at, Event::Step)?;
        for (address, value) in table.elements {
            let address = self.terms.bits(self.unit.word(), u128::from(address));
            let stored = self.terms.store(table.memory, address, value);
            self.emit(Command::Assign(var, stored), at, Event::Step)?;
        }
        Ok(())
    }

    /// All tables are filled: those of which choices would be too large hold anything, which is remembered.
    pub(super) fn end_tables(&mut self) -> Result<(), Error> {
        if self.tables.tables.is_empty() {
            return Ok(());
        }
        // What was written otherwise meanwhile holds anything.
        let written = self.cursor.graph.written();
        let mut others: Vec<Var> =
            self.tables.tables.keys().copied().filter(|var| written.contains(var)).collect();
        others.sort_unstable();
        for var in others {
            self.tables.tables.remove(&var);
            let cause = Havoc::Approximated("the initial value of a static object".to_owned());
            self.emit(Command::Havoc(var, cause), Position::default(), Event::Step)?;
        }
        let by_memory: FxHashMap<Term, Var> =
            self.tables.tables.iter().map(|(&var, t)| (t.memory, var)).collect();
        let mut counts: FxHashMap<Var, usize> = FxHashMap::default();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut work = self.cursor.graph.terms();
        while let Some(t) = work.pop() {
            if !seen.insert(t) {
                continue;
            }
            let args = self.terms.args(t);
            work.extend(args);
            if let (Op::Select, &[memory, address]) = (self.terms.op(t), args)
                && let Some(&var) = by_memory.get(&memory)
                && !self.terms.is_constant(address)
            {
                *counts.entry(var).or_default() += 1;
            }
        }
        let mut large = Vec::new();
        for (&var, table) in &mut self.tables.tables {
            let chosen = counts.get(&var).copied().unwrap_or(0).saturating_mul(table.elements.len());
            table.is_large = chosen > CHOSEN || table.elements.len() > LONGEST;
            large.extend(table.is_large.then_some(var));
        }
        large.sort_unstable();
        for var in large {
            let cause = Havoc::Approximated("an element of a large table".to_owned());
            self.emit(Command::Havoc(var, cause), Position::default(), Event::Step)?;
        }
        Ok(())
    }
}

/// Puts what tables hold in the place of what is read from them.
pub(super) fn settle(tables: &Tables, graph: &mut Graph, terms: &mut Terms) {
    if tables.tables.is_empty() {
        return;
    }
    let by_memory: FxHashMap<Term, &Table> = tables.tables.values().map(|t| (t.memory, t)).collect();
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    let mut settled = |terms: &mut Terms, root: Term| {
        let mut found = FxHashSet::default();
        let mut work = vec![root];
        while let Some(t) = work.pop() {
            if !known.contains_key(&t) && found.insert(t) {
                work.extend(terms.args(t));
            }
        }
        // Arguments have smaller ids than their users.
        let mut order: Vec<Term> = found.into_iter().collect();
        order.sort_unstable_by_key(|t| t.index());
        for t in order {
            let args = terms.args(t).to_vec();
            let new = match by_memory.get(args.first().unwrap_or(&t)) {
                Some(table) if terms.op(t) == Op::Select => table.read(terms, known[&args[1]]),
                _ => {
                    let changed: Vec<Term> = args.iter().map(|a| known[a]).collect();
                    if changed == args { t } else { terms.rebuild(t, &changed) }
                }
            };
            known.insert(t, new);
        }
        known[&root]
    };
    graph.rewrite(|command, marks| {
        marks.iter_mut().for_each(|mark| mark.when = settled(terms, mark.when));
        vec![match command {
            Command::Assume(guard) => Command::Assume(settled(terms, *guard)),
            Command::Assign(var, value) => Command::Assign(*var, settled(terms, *value)),
            Command::Havoc(..) => command.clone(),
        }]
    });
}
