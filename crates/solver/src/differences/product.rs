//! What comparisons can be together, apart from what a model needs.
//!
//! The bounds that a model needs and the comparisons that it does not are the edges of a graph between numbers. Its
//! [`blocks`] have nothing to do with each other. In a block, the comparisons that can hold together are counted out once
//! and remembered: they are a *part*, and models stand for the product of a cube with parts.
//!
//! Functions are kept as they are: as long as the arguments that matter are ordered as in the model, results are equal
//! where they have to be if they are in the model, and so these orders and equalities are among the bounds.

use super::Formulas;
use super::blocks::blocks;
use super::clauses::Lit;
use super::cover::cover;
use super::feasible::{Bound, Closure, Comparison, feasible};
use super::graph::Vertex;
use super::implicant::{Inside, Kind, Needed, Spare, Sufficient};
use super::number::{Given, NO_VERTEX};
use rustc_hash::FxHashMap;

/// More comparisons of one block are not counted out; the others stay as they are in the model.
const MAX_OPEN: usize = 13;
/// Nor are those of blocks with more bounds.
const MAX_BOUNDS: usize = 96;

/// Important terms that depend on each other and on none outside: the values that they can have, as a union of cubes.
#[derive(Clone, Debug)]
pub struct Part {
    /// Parts of one enumeration are numbered from 0 on, and are the same if their numbers are.
    pub number: usize,
    /// Each cube is a list of positions of important terms, and their values.
    pub cubes: Vec<Vec<(usize, bool)>>,
}

/// The parts that have been met.
#[derive(Default)]
pub(super) struct Parts {
    pub all: Vec<Part>,
    /// By comparisons and what is known of their numbers.
    known: FxHashMap<Vec<i64>, Counted>,
    by_table: FxHashMap<(Vec<usize>, Vec<bool>), usize>,
}

/// What comparisons of a block are.
#[derive(Clone, Copy)]
enum Counted {
    /// They can have any values.
    Free,
    /// A part has this number.
    Part(usize),
    /// To find out takes too long.
    Never,
}

/// An important literal that a model does not need, at a position.
type Open = (usize, Comparison);

impl Parts {
    /// The part of some comparisons.
    fn part(&mut self, open: &[Open], bounds: &[Bound]) -> Counted {
        let mut ends: Vec<Vertex> = open.iter().flat_map(|(_, c)| [c.x, c.y]).collect();
        ends.sort_unstable();
        ends.dedup();
        let closure = Closure::new(bounds.iter().copied(), ends.iter().copied()).restricted(&ends);
        let described = open.iter().flat_map(|&(at, c)| {
            let end = |end: Option<i64>| end.unwrap_or(i64::MAX);
            [at as i64, i64::from(c.x), i64::from(c.y), end(c.least), end(c.most), i64::from(c.negated)]
        });
        let key: Vec<i64> = described.chain(closure.bounds().iter().copied()).collect();
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let comparisons: Vec<Comparison> = open.iter().map(|&(_, comparison)| comparison).collect();
        let positions: Vec<usize> = open.iter().map(|&(at, _)| at).collect();
        let counted = match feasible(&closure, &comparisons) {
            None => Counted::Never,
            Some(table) if !table.contains(&false) => Counted::Free,
            Some(table) => Counted::Part(self.numbered(positions, table)),
        };
        self.known.insert(key, counted);
        counted
    }

    fn numbered(&mut self, positions: Vec<usize>, table: Vec<bool>) -> usize {
        let all = &mut self.all;
        *self.by_table.entry((positions, table)).or_insert_with_key(|(positions, table)| {
            let placed =
                |cube: Vec<(usize, bool)>| cube.iter().map(|&(at, value)| (positions[at], value)).collect();
            let cubes = cover(table).into_iter().map(placed).collect();
            all.push(Part { number: all.len(), cubes });
            all.len() - 1
        })
    }
}

impl Formulas {
    /// What of the spare literals is kept, and the parts that comparisons are in.
    pub(super) fn divide(&self, spare: &Spare<'_>, needed: &Needed, parts: &mut Parts) -> Sufficient {
        let (mut kept, mut open): (Vec<usize>, Vec<Open>) = (Vec::new(), Vec::new());
        for (at, (&lit, &kind)) in spare.lits.iter().zip(spare.kinds).enumerate() {
            let once = spare.uses[lit.var() as usize] == 1;
            match kind {
                _ if needed.has(lit) => kept.push(at),
                Kind::Boolean if once && self.is_free_result(lit.var()) => {}
                Kind::Comparison(comparison) => open.push((at, comparison)),
                _ => kept.push(at),
            }
        }
        let (because, mut bounds): (Vec<Lit>, Vec<Bound>) =
            needed.vars.iter().filter_map(|&var| self.bound_of(var)).unzip();
        self.keep_functions(spare, &open, needed, &mut bounds);
        let between = bounds.iter().map(|b| (b.x, b.y)).chain(open.iter().map(|(_, c)| (c.x, c.y)));
        let edges: Vec<(Vertex, Vertex)> = between.collect();
        let mut found = Vec::new();
        for block in blocks(self.search.graph.vertices(), &edges) {
            let of_block = |edge: &&usize| **edge >= bounds.len();
            let mut inside: Vec<Open> =
                block.iter().filter(of_block).map(|&edge| open[edge - bounds.len()]).collect();
            // A comparison that is not on any cycle can be what it likes.
            if inside.is_empty() || block.len() == 1 {
                continue;
            }
            inside.sort_unstable_by_key(|&(at, _)| at);
            let mut around: Vec<Bound> = block.iter().filter_map(|&edge| bounds.get(edge).copied()).collect();
            if around.len() > MAX_BOUNDS {
                kept.extend(inside.iter().map(|&(at, _)| at));
                continue;
            }
            let mut by_literals = inside.len() <= MAX_OPEN;
            for (at, comparison) in inside.split_off(inside.len().min(MAX_OPEN)) {
                kept.push(at);
                around.extend(self.as_in_model(comparison));
            }
            let number = match parts.part(&inside, &around) {
                Counted::Free => continue,
                Counted::Part(number) => number,
                Counted::Never => {
                    kept.extend(inside.iter().map(|&(at, _)| at));
                    continue;
                }
            };
            let edges = block.iter().filter(|&&edge| edge < bounds.len());
            by_literals &= edges.clone().all(|&edge| edge < because.len());
            let conditions = inside.iter().flat_map(|&(at, _)| &spare.conditions[at]);
            let because =
                by_literals.then(|| edges.map(|&edge| because[edge]).chain(conditions.copied()).collect());
            found.push(Inside { part: number, because });
        }
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

    /// Adds the bounds that keep the order of arguments, and equal results equal, of the applications that matter.
    fn keep_functions(&self, spare: &Spare<'_>, open: &[Open], needed: &Needed, bounds: &mut Vec<Bound>) {
        let mut used = vec![false; self.search.graph.vertices()];
        for vertex in bounds.iter().flat_map(|b| [b.x, b.y]).chain(open.iter().flat_map(|(_, c)| [c.x, c.y]))
        {
            used[vertex as usize] = true;
        }
        let mut matters: Vec<Vec<bool>> = self.functions.iter().map(|f| vec![false; f.len()]).collect();
        loop {
            let mut changed = false;
            for (applications, matters) in self.functions.iter().zip(&mut matters) {
                for (application, matters) in applications.iter().zip(matters) {
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
            }
            if !changed {
                break;
            }
        }
        for (f, matters) in matters.iter().enumerate() {
            let chosen: Vec<usize> = (0..matters.len()).filter(|&at| matters[at]).collect();
            if chosen.len() > 1 {
                self.keep_function(f, &chosen, bounds);
            }
        }
    }

    fn keep_function(&self, f: usize, chosen: &[usize], bounds: &mut Vec<Bound>) {
        let applications = &self.functions[f];
        for place in 0..applications[chosen[0]].args.len() {
            let mut args: Vec<_> = chosen.iter().map(|&at| applications[at].args[place]).collect();
            if args.iter().any(|arg| arg.vertex == NO_VERTEX) {
                continue;
            }
            args.sort_unstable_by_key(|&arg| (self.value_of(arg), arg.vertex, arg.offset));
            args.dedup();
            for pair in args.windows(2).filter(|pair| pair[0].vertex != pair[1].vertex) {
                let [a, b] = [pair[0], pair[1]];
                let distance = b.offset - a.offset;
                if self.value_of(a) == self.value_of(b) {
                    bounds.push(Bound { x: a.vertex, y: b.vertex, most: distance });
                    bounds.push(Bound { x: b.vertex, y: a.vertex, most: -distance });
                } else {
                    bounds.push(Bound { x: a.vertex, y: b.vertex, most: distance - 1 });
                }
            }
        }
        for (i, &a) in chosen.iter().enumerate() {
            let Given::Number(x) = applications[a].result else { continue };
            // The next one with the same arguments is enough.
            let next = chosen[i + 1..].iter().find(|&&b| self.same_arguments(f, a, b));
            if let Some(Given::Number(y)) = next.map(|&b| applications[b].result) {
                bounds.push(Bound { x, y, most: 0 });
                bounds.push(Bound { x: y, y: x, most: 0 });
            }
        }
    }
}
