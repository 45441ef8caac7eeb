//! Conditions on single elements of arrays, from the text.

use super::counters::Counter;
use super::{reads, unless};
use crate::candidates::ways::Way;
use crate::system::ProgramSystem;
use rustc_hash::FxHashSet;
use tamis_logic::{Op, Substitution, Term, Terms};
use tamis_system::{Point, System};

/// More conditions are not looked at.
const MOST: usize = 48;

/// So often what an assertion takes is carried over a way.
const MOST_CARRIED: usize = 200;

/// A condition on elements, and the index variables in it, those first that move its reads furthest.
pub(super) struct Condition {
    pub formula: Term,
    pub indices: Vec<Term>,
}

/// Conditions that may hold of elements: those that the property takes, and if `all` those that the text compares and stores.
pub(super) fn conditions(
    terms: &mut Terms,
    system: &ProgramSystem<'_>,
    ways: &[Way],
    counters: &[Counter],
    all: bool,
    stop: &dyn Fn() -> bool,
) -> Vec<Condition> {
    let mut found = Conditions { system, ways, counters, all: Vec::new(), seen: FxHashSet::default() };
    for way in ways.iter().filter(|way| way.to == system.error()) {
        found.asserted(terms, way);
    }
    found.close(terms, 0, stop);
    if all {
        let asserted = found.all.len();
        for way in ways.iter().filter(|way| way.to != system.error()) {
            found.stored(terms, way);
            found.compared(terms, way);
        }
        found.close(terms, asserted, stop);
    }
    found.all
}

struct Conditions<'a, 'p> {
    system: &'a ProgramSystem<'p>,
    ways: &'a [Way],
    counters: &'a [Counter],
    all: Vec<Condition>,
    seen: FxHashSet<Term>,
}

/// The guards of a way by what they are about; without those on what is chosen.
struct Guards {
    /// Elements of arrays.
    elements: Vec<Term>,
    /// Neither elements nor counters.
    others: Vec<Term>,
    counters: Vec<Term>,
}

impl Conditions<'_, '_> {
    /// Adds what conditions from some place on take before stores.
    fn close(&mut self, terms: &mut Terms, from: usize, stop: &dyn Fn() -> bool) {
        let mut next = from;
        while next < self.all.len() && !stop() {
            self.before_stores(terms, next);
            next += 1;
        }
    }

    fn guards(&self, terms: &Terms, way: &Way) -> Guards {
        let mut guards = Guards { elements: Vec::new(), others: Vec::new(), counters: Vec::new() };
        for &guard in way.guards.iter().filter(|&&g| !way.is_chosen(terms, g)) {
            let counts = |v: &Term| self.counters.iter().any(|c| c.variable == *v);
            if reads(terms, guard) {
                guards.elements.push(guard);
            } else if terms.free_vars(guard).iter().any(counts) {
                guards.counters.push(guard);
            } else {
                guards.others.push(guard);
            }
        }
        guards
    }

    /// What an assertion requires.
    fn asserted(&mut self, terms: &mut Terms, way: &Way) {
        let falsum = terms.fals();
        let guards = self.guards(terms, way);
        if guards.elements.is_empty() {
            let required = unless(terms, &[guards.others, guards.counters].concat(), falsum);
            return self.carry(terms, required, way.from);
        }
        self.clauses(terms, &guards, falsum);
        let all = [guards.elements, guards.others, guards.counters].concat();
        let clause = unless(terms, &all, falsum);
        self.add(terms, clause);
    }

    /// What comparisons of elements must not give, so that something holds at a point.
    fn carry(&mut self, terms: &mut Terms, required: Term, at: Point) {
        let mut open = vec![(required, at)];
        let mut seen: FxHashSet<(Term, Point)> = open.iter().copied().collect();
        let mut carried = 0;
        while let Some((required, at)) = open.pop() {
            for way in self.ways.iter().filter(|way| way.to == at) {
                carried += 1;
                let before = way.read(terms, self.system, required);
                if way.is_chosen(terms, before) || terms.is_true(before) || carried > MOST_CARRIED {
                    continue;
                }
                if before != required {
                    let guards = self.guards(terms, way);
                    if !guards.elements.is_empty() || reads(terms, before) {
                        self.clauses(terms, &guards, before);
                        continue;
                    }
                }
                if seen.insert((before, way.from)) && !terms.is_false(before) {
                    open.push((before, way.from));
                }
            }
        }
    }

    /// What a way stores.
    fn stored(&mut self, terms: &mut Terms, way: &Way) {
        let mut arrays: Vec<Term> = self.system.live_at(self.system.location(way.to)).collect();
        arrays.retain(|&v| terms.array_parts(terms.sort(v)).is_some());
        let program = self.system.program();
        let mut changed = Vec::new();
        for array in arrays {
            let v = program.var_of(array).expect("a variable of the program");
            let after = way.after(terms, self.system, v);
            if after != array {
                changed.push((array, after));
            }
        }
        let guards = self.guards(terms, way);
        for &(array, after) in &changed {
            for (index, value) in way.stores(terms, array, after) {
                let depends = |v: &Term| changed.iter().any(|(a, _)| a == v);
                if way.is_chosen(terms, index)
                    || way.is_chosen(terms, value)
                    || terms.free_vars(value).iter().any(depends)
                {
                    continue;
                }
                let element = terms.select(array, index);
                let stored = terms.eq(element, value);
                self.clauses(terms, &guards, stored);
            }
        }
    }

    /// What a way compares.
    fn compared(&mut self, terms: &mut Terms, way: &Way) {
        for guard in self.guards(terms, way).elements {
            self.add(terms, guard);
        }
    }

    /// What a condition takes before a store to an element that it reads.
    fn before_stores(&mut self, terms: &mut Terms, place: usize) {
        let (formula, indices) = (self.all[place].formula, self.all[place].indices.clone());
        let program = self.system.program();
        let ways = self.ways;
        for way in ways.iter().filter(|way| way.to != self.system.error()) {
            for (array, pattern) in terms.reads(formula) {
                let Some(v) = program.var_of(array) else { continue };
                let after = way.after(terms, self.system, v);
                if after == array {
                    continue;
                }
                for (index, _) in way.stores(terms, array, after) {
                    if way.is_chosen(terms, index) {
                        continue;
                    }
                    for binding in terms.solve_index(pattern, index, &indices) {
                        let before = way.read(terms, self.system, formula);
                        let before = terms.substitute(before, &binding);
                        if reads(terms, before) && !way.is_chosen(terms, before) {
                            let guards = self.guards(terms, way);
                            self.clauses(terms, &guards, before);
                        }
                    }
                }
            }
        }
    }

    /// A consequence by itself, where elements compare so, and where other variables do too.
    fn clauses(&mut self, terms: &mut Terms, guards: &Guards, consequence: Term) {
        let both = [guards.elements.as_slice(), &guards.others].concat();
        // Which elements are left out, but not that the loop goes on.
        let is_order = |t: Term| {
            let atom = if terms.op(t) == Op::Not { terms.args(t)[0] } else { t };
            matches!(terms.op(atom), Op::Slt | Op::Ult)
        };
        let picked: Vec<Term> = guards.counters.iter().copied().filter(|&g| !is_order(g)).collect();
        let all = [both.as_slice(), &picked].concat();
        for premises in [&[][..], &guards.elements, &both, &all] {
            let clause = unless(terms, premises, consequence);
            self.add(terms, clause);
        }
    }

    /// Takes in a condition, with index variables for the counters in its indices.
    fn add(&mut self, terms: &mut Terms, formula: Term) {
        if terms.is_constant(formula) || !reads(terms, formula) {
            return;
        }
        let together = self.by_one_counter(terms, formula);
        for formula in together.into_iter().chain([formula]) {
            let Some((formula, indices)) = self.generalised(terms, formula) else { continue };
            let flat = flattened(terms, formula, &indices).map(|(formula, index)| (formula, vec![index]));
            for (formula, indices) in flat.into_iter().chain([(formula, indices)]) {
                if self.all.len() < MOST && self.seen.insert(formula) {
                    self.all.push(Condition { formula, indices });
                }
            }
        }
    }

    /// The counters in indices, those first that move them furthest.
    fn counted(&self, terms: &Terms, formula: Term) -> Vec<Term> {
        let all: Vec<Term> = self.counters.iter().map(|c| c.variable).collect();
        let mut found: Vec<Term> = Vec::new();
        for (_, index) in terms.reads(formula) {
            for v in terms.by_stride(index, &all) {
                if !found.contains(&v) {
                    found.push(v);
                }
            }
        }
        found
    }

    /// The same where counters in indices move together: in terms of the first of them.
    fn by_one_counter(&self, terms: &mut Terms, formula: Term) -> Option<Term> {
        let counted = self.counted(terms, formula);
        let counter = |v: &Term| self.counters.iter().find(|c| c.variable == *v);
        let counters: Vec<&Counter> = counted.iter().filter_map(counter).collect();
        let mut substitution = Substitution::new();
        for (n, &c) in counters.iter().enumerate() {
            for &d in &counters[..n] {
                // The slower one says what the faster one is.
                for (slow, fast) in [(d, c), (c, d)] {
                    let (&[.., s], &[.., f]) = (&slow.starts[..], &fast.starts[..]) else { continue };
                    let (a, b) = (slow.step.signed(), fast.step.signed());
                    let same = terms.sort(slow.variable) == terms.sort(fast.variable)
                        && slow.at.iter().any(|p| fast.at.contains(p));
                    let done = [slow, fast].iter().any(|c| substitution.get(c.variable).is_some());
                    if !same || done || b % a != 0 {
                        continue;
                    }
                    let ratio = terms.bits_value(tamis_logic::Bits::from_signed(terms.width(s), b / a));
                    let moved = terms.sub(slow.variable, s);
                    let moved = terms.mul(moved, ratio);
                    let value = terms.add(moved, f);
                    substitution.insert(fast.variable, value);
                }
            }
        }
        (!substitution.is_empty()).then(|| terms.substitute(formula, &substitution))
    }

    /// Counters in indices become index variables; `None` if there are too many.
    fn generalised(&self, terms: &mut Terms, formula: Term) -> Option<(Term, Vec<Term>)> {
        let counted = self.counted(terms, formula);
        let mut taken = terms.index_variables(formula);
        let mut substitution = Substitution::new();
        for counter in counted {
            let width = terms.width(counter);
            let free =
                (0..Terms::INDEX_VARIABLES).map(|n| terms.index_variable(n, width)).collect::<Vec<_>>();
            let variable = free.into_iter().find(|v| !taken.contains(v))?;
            substitution.insert(counter, variable);
            taken.push(variable);
        }
        let formula = terms.substitute(formula, &substitution);
        let all = terms.index_variables(formula);
        let mut indices: Vec<Term> = Vec::new();
        for (_, index) in terms.reads(formula) {
            for v in terms.by_stride(index, &all) {
                if !indices.contains(&v) {
                    indices.push(v);
                }
            }
        }
        (indices.len() == all.len()).then_some((formula, indices))
    }
}

/// A condition on rows and columns as one on elements one after the other, if it says nothing of rows and columns but where it
/// reads, and reads all arrays in the same order.
fn flattened(terms: &mut Terms, formula: Term, indices: &[Term]) -> Option<(Term, Term)> {
    let (&last, outer) = indices.split_last().filter(|(_, outer)| !outer.is_empty())?;
    let outside = terms.post_order_until(&[formula], |t| terms.op(t) == Op::Select);
    if outside.iter().any(|t| indices.contains(t)) {
        return None;
    }
    let zero = terms.bits(terms.width(last), 0);
    let first_row: Substitution = outer.iter().map(|&j| (j, zero)).collect();
    let mut position = None;
    for (_, pattern) in terms.reads(formula) {
        let flat = terms.substitute(pattern, &first_row);
        let solutions = terms.solve_index(flat, pattern, &[last]);
        let here = solutions.first()?.get(last)?;
        if *position.get_or_insert(here) != here {
            return None;
        }
    }
    let formula = terms.substitute(formula, &first_row);
    Some((formula, last))
}
