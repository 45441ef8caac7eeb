//! From one model to a product: which values the comparisons that it does not need can have.
//!
//! The bounds that a model needs and the comparisons that it does not need are the edges of a graph between numbers.
//! Bounds contradict each other along cycles, and every simple cycle lies in one biconnected component, so the
//! [`blocks`](crate::blocks) are independent. For each block, the combinations of its comparisons that bounds allow are
//! enumerated once and kept as a *part*. A model stands for the product of a cube with such parts.
//!
//! Congruence must hold in the whole product. So arguments that are equal in the model stay equal, with their results, and
//! arguments that differ stay different, unless their results are equal anyway. Where enumerating this is too
//! expensive, numbers that differ keep the order that they have in the model.

use crate::Formulas;
use crate::blocks::Blocks;
use crate::clauses::Lit;
use crate::feasible::{Apart, Bound, Closure, Comparison, feasible};
use crate::graph::Vertex;
use crate::implicant::{Inside, Kind, Memory, Needed, Spare, Sufficient};
use crate::limits;
use crate::number::{Application, Given, Leaf, NO_VERTEX};
use crate::table::Table;
use rustc_hash::FxHashMap;

/// Important terms that depend on each other: the values that they can have, as a union of cubes.
#[derive(Clone, Debug)]
pub struct Part {
    /// Parts of one enumeration are numbered from 0 on, and are the same if their numbers are.
    pub number: usize,
    /// Each cube is a list of positions of important terms, and their values.
    pub cubes: Vec<Vec<(usize, bool)>>,
}

/// The parts that have been met.
#[derive(Default)]
pub(crate) struct Parts {
    pub all: Vec<Part>,
    /// By comparisons and what is known of their numbers.
    known: FxHashMap<Vec<i64>, Counted>,
    by_table: FxHashMap<(Vec<usize>, Table), usize>,
    division: Division,
    pub memory: Memory,
}

/// Buffers for the division of one model into blocks.
#[derive(Default)]
struct Division {
    open: Vec<Open>,
    bounds: Vec<Bound>,
    /// The literals of those bounds that have one, which come first.
    because: Vec<Lit>,
    apart: Vec<Apart>,
    edges: Vec<(Vertex, Vertex)>,
    blocks: Blocks,
    /// Of one block.
    inside: Vec<Open>,
    around: Vec<Bound>,
    distinct: Vec<Apart>,
    /// By vertex, and by application.
    used: Vec<bool>,
    matters: Vec<bool>,
}

/// The combinations of the comparisons of a block.
#[derive(Clone, Copy)]
enum Counted {
    /// They can have any values.
    Free,
    /// A part has this number.
    Part(usize),
    /// A limit was reached before all combinations were found.
    Never,
}

/// An important literal that a model does not need, at a position.
type Open = (usize, Comparison);

impl Parts {
    /// The part of some comparisons.
    fn part(&mut self, open: &[Open], bounds: &[Bound], apart: &[Apart]) -> Counted {
        let mut ends: Vec<Vertex> = Vec::with_capacity(2 * (open.len() + apart.len()));
        ends.extend(open.iter().flat_map(|(_, c)| [c.x, c.y]));
        ends.sort_unstable();
        ends.dedup();
        let pairs = apart.iter().flat_map(|pair| [pair.x, pair.y]);
        let closure = Closure::new(bounds, ends.iter().copied().chain(pairs));
        let apart = closure.open(apart, &ends);
        if apart.len() > limits::PAIRS_OF_BLOCK {
            return Counted::Never;
        }
        ends.extend(apart.iter().flat_map(|pair| [pair.x, pair.y]));
        ends.sort_unstable();
        ends.dedup();
        let closure = closure.restricted(&ends);
        let described = open.iter().flat_map(|&(at, c)| {
            let end = |end: Option<i64>| end.unwrap_or(i64::MAX);
            [at as i64, i64::from(c.x), i64::from(c.y), end(c.least), end(c.most), i64::from(c.negated)]
        });
        let pairs = apart.iter().flat_map(|pair| [i64::from(pair.x), i64::from(pair.y), pair.difference]);
        let lengths = [open.len() as i64, apart.len() as i64];
        let count = lengths.len() + 6 * open.len() + 3 * apart.len() + closure.bounds().len();
        let mut key: Vec<i64> = Vec::with_capacity(count);
        key.extend(lengths);
        key.extend(described);
        key.extend(pairs);
        key.extend(closure.bounds());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let comparisons: Vec<Comparison> = open.iter().map(|&(_, comparison)| comparison).collect();
        let positions: Vec<usize> = open.iter().map(|&(at, _)| at).collect();
        let counted = match feasible(&closure, &comparisons, &apart) {
            None => Counted::Never,
            Some(table) if table.is_true() => Counted::Free,
            Some(table) => Counted::Part(self.of_table(positions, table)),
        };
        self.known.insert(key, counted);
        counted
    }

    /// The part of the values that a table has.
    fn of_table(&mut self, positions: Vec<usize>, table: Table) -> usize {
        let all = &mut self.all;
        *self.by_table.entry((positions, table)).or_insert_with_key(|(positions, table)| {
            let placed =
                |cube: Vec<(usize, bool)>| cube.iter().map(|&(at, value)| (positions[at], value)).collect();
            numbered(all, table.cover().into_iter().map(placed).collect())
        })
    }
}

/// Adds a part, and returns its number.
fn numbered(all: &mut Vec<Part>, cubes: Vec<Vec<(usize, bool)>>) -> usize {
    all.push(Part { number: all.len(), cubes });
    all.len() - 1
}

impl Formulas {
    /// What of the spare literals is kept, and the parts that comparisons are in.
    pub(crate) fn divide(&self, spare: &Spare<'_>, needed: &Needed, parts: &mut Parts) -> Sufficient {
        let mut division = std::mem::take(&mut parts.division);
        let Division { open, bounds, because, apart, edges, blocks, inside, around, distinct, used, matters } =
            &mut division;
        let mut kept: Vec<usize> = Vec::with_capacity(spare.lits.len());
        open.clear();
        for (at, (&lit, &kind)) in spare.lits.iter().zip(spare.kinds).enumerate() {
            match kind {
                _ if needed.has(lit) => kept.push(at),
                Kind::Boolean if spare.open[at] => {}
                Kind::Comparison(comparison) => open.push((at, comparison)),
                _ => kept.push(at),
            }
        }
        bounds.clear();
        because.clear();
        for (lit, bound) in needed.vars.iter().filter_map(|&var| self.bound_of(var)) {
            because.push(lit);
            bounds.push(bound);
        }
        apart.clear();
        self.find_used(spare, open, needed, bounds, (used, matters));
        self.keep_functions(matters, needed, bounds, apart);
        apart.sort_unstable();
        apart.dedup();
        let (first_open, first_apart) = (bounds.len(), bounds.len() + open.len());
        edges.clear();
        edges.extend(bounds.iter().map(|b| (b.x, b.y)));
        edges.extend(open.iter().map(|(_, c)| (c.x, c.y)));
        edges.extend(apart.iter().map(|a| (a.x, a.y)));
        blocks.find(self.search.graph.vertices(), edges, first_open..first_apart);
        let mut found = Vec::new();
        for block in blocks.iter() {
            let of_block = |edge: &&usize| (first_open..first_apart).contains(*edge);
            inside.clear();
            inside.extend(block.iter().filter(of_block).map(|&edge| open[edge - first_open]));
            // A comparison on no cycle can have both values.
            if inside.is_empty() || block.len() == 1 {
                continue;
            }
            inside.sort_unstable_by_key(|&(at, _)| at);
            around.clear();
            around.extend(block.iter().filter_map(|&edge| bounds.get(edge)));
            if around.len() > limits::BOUNDS_OF_BLOCK {
                kept.extend(inside.iter().map(|&(at, _)| at));
                continue;
            }
            let mut by_literals = inside.len() <= limits::COMPARISONS_OF_BLOCK;
            for (at, comparison) in inside.drain(inside.len().min(limits::COMPARISONS_OF_BLOCK)..) {
                kept.push(at);
                around.extend(self.as_in_model(comparison));
            }
            distinct.clear();
            distinct.extend(block.iter().filter_map(|&edge| apart.get(edge.checked_sub(first_apart)?)));
            distinct.sort_unstable();
            let mut counted = parts.part(inside, around, distinct);
            if let (Counted::Never, false) = (counted, distinct.is_empty()) {
                // As in the model, where the first one is smaller.
                around.extend(distinct.iter().map(|&Apart { x, y, difference }| Bound {
                    x,
                    y,
                    most: difference - 1,
                }));
                counted = parts.part(inside, around, &[]);
            }
            let number = match counted {
                Counted::Free => continue,
                Counted::Part(number) => number,
                Counted::Never => {
                    kept.extend(inside.iter().map(|&(at, _)| at));
                    continue;
                }
            };
            by_literals &= distinct.is_empty();
            let edges = block.iter().filter(|&&edge| edge < bounds.len());
            by_literals &= edges.clone().all(|&edge| edge < because.len());
            let conditions =
                spare.conditions.iter().filter(|(at, _)| inside.iter().any(|(other, _)| other == at));
            let because = by_literals
                .then(|| edges.map(|&edge| because[edge]).chain(conditions.map(|&(_, lit)| lit)).collect());
            found.push(Inside { part: number, because });
        }
        parts.division = division;
        kept.sort_unstable();
        Sufficient { kept, parts: found }
    }

    /// What an atom that is needed says, and its literal.
    fn bound_of(&self, var: u32) -> Option<(Lit, Bound)> {
        let atom = self.search.atom(var)?;
        let holds = self.search.value(Lit::new(var, true))?;
        let bound = match holds {
            true => Bound { x: atom.x, y: atom.y, most: atom.bound },
            false => Bound { x: atom.y, y: atom.x, most: -atom.bound - 1 },
        };
        Some((Lit::new(var, holds), bound))
    }

    /// The bounds by which a comparison is what it is in the model.
    fn as_in_model(&self, Comparison { x, y, least, most, .. }: Comparison) -> Vec<Bound> {
        let difference = self.search.graph.value(x) - self.search.graph.value(y);
        let above = |least: i64| Bound { x: y, y: x, most: -least };
        let below = |most: i64| Bound { x, y, most };
        match (least, most) {
            (Some(least), _) if difference < least => vec![below(least - 1)],
            (_, Some(most)) if difference > most => vec![above(most + 1)],
            _ => least.map(above).into_iter().chain(most.map(below)).collect(),
        }
    }

    /// Which vertices and which applications matter.
    fn find_used(
        &self,
        spare: &Spare<'_>,
        open: &[Open],
        needed: &Needed,
        bounds: &[Bound],
        (used, matters): (&mut Vec<bool>, &mut Vec<bool>),
    ) {
        used.clear();
        used.resize(self.search.graph.vertices(), false);
        bounds.iter().flat_map(|b| [b.x, b.y]).for_each(|vertex| used[vertex as usize] = true);
        open.iter().flat_map(|(_, c)| [c.x, c.y]).for_each(|vertex| used[vertex as usize] = true);
        matters.clear();
        matters.resize(self.functions.iter().map(Vec::len).sum(), false);
        loop {
            let mut changed = false;
            for (application, matters) in self.functions.iter().flatten().zip(&mut *matters) {
                let is_used = match application.result {
                    Given::Number(vertex) => used[vertex as usize],
                    Given::Truth(lit) => needed.has(lit) || spare.uses[lit.var() as usize] > 0,
                };
                if is_used && !std::mem::replace(matters, true) {
                    changed = true;
                    for arg in application.args.iter().filter(|arg| arg.vertex != NO_VERTEX) {
                        used[arg.vertex as usize] = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// Adds what keeps functions as they are, of the applications that matter.
    fn keep_functions(
        &self,
        matters: &[bool],
        needed: &Needed,
        bounds: &mut Vec<Bound>,
        apart: &mut Vec<Apart>,
    ) {
        let mut chosen: Vec<&Application> = Vec::with_capacity(matters.len());
        let mut rest = matters;
        for applications in &self.functions {
            let (matters, others) = rest.split_at(applications.len());
            rest = others;
            chosen.clear();
            chosen.extend(applications.iter().zip(matters).filter(|(_, matters)| **matters).map(|(a, _)| a));
            self.keep_function(&chosen, needed, bounds, apart);
        }
    }

    /// Equal arguments stay equal, with their results, and others stay apart unless the results are the same anyway.
    fn keep_function(
        &self,
        chosen: &[&Application],
        needed: &Needed,
        bounds: &mut Vec<Bound>,
        apart: &mut Vec<Apart>,
    ) {
        for (i, a) in chosen.iter().enumerate() {
            let mut joined = false;
            for b in &chosen[i + 1..] {
                let pairs = a.args.iter().copied().zip(b.args.iter().copied());
                let mut different = pairs.clone().filter(|&(x, y)| self.value_of(x) != self.value_of(y));
                let first = different.next();
                let by_offset = |(x, y): (Leaf, Leaf)| x.vertex == y.vertex;
                if first.is_some_and(by_offset) || different.any(by_offset) {
                    continue;
                }
                let Some((x, y)) = first else {
                    // The next one with the same arguments is enough.
                    if !std::mem::replace(&mut joined, true) {
                        let results = match (a.result, b.result) {
                            (Given::Number(x), Given::Number(y)) => Some((x, y, 0)),
                            _ => None,
                        };
                        let args = pairs.map(|(x, y)| (x.vertex, y.vertex, y.offset - x.offset));
                        for (x, y, most) in args.chain(results).filter(|(x, y, _)| x != y) {
                            bounds.extend([Bound { x, y, most }, Bound { x: y, y: x, most: -most }]);
                        }
                    }
                    continue;
                };
                let same = match (a.result, b.result) {
                    (Given::Truth(x), Given::Truth(y)) => {
                        needed.has(x) && needed.has(y) && self.search.value(x) == self.search.value(y)
                    }
                    _ => false,
                };
                if !same {
                    // The smaller one first: that side is tried first when they are kept apart.
                    let (x, y) = if self.value_of(x) < self.value_of(y) { (x, y) } else { (y, x) };
                    apart.push(Apart { x: x.vertex, y: y.vertex, difference: y.offset - x.offset });
                }
            }
        }
    }
}
