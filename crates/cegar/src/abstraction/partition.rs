//! Relations as conjunctions: images over partitioned transition relations.
//!
//! A relation over many predicates is rarely needed as one diagram. It is a conjunction of parts, and a variable can be
//! quantified as soon as no part that follows has it: parts are ordered so that many go early. Inputs are of no state, so that
//! they are quantified once and for all where the parts that have them are small together.

use rustc_hash::{FxHashMap, FxHashSet};
use tamis_diagram::{Bdd, BddVar, Diagrams, OutOfNodes};

/// A relation between the states before and after a step, and inputs.
#[derive(Clone, Debug)]
pub struct Partition {
    parts: Vec<Bdd>,
    /// For each variable before the step, and each input, the last part that has it.
    last: FxHashMap<BddVar, usize>,
    /// The inputs that are left in parts.
    inputs: Vec<BddVar>,
}

/// Neighbours are joined while the result has no more nodes than this: a product with one small part more costs more than
/// the part does.
const MAX_JOINED: usize = 1 << 10;

impl Partition {
    /// The conjunction of `parts`, of whose variables `before` are those of the state before the step and `inputs` none of a
    /// state.
    pub fn new(
        diagrams: &Diagrams,
        mut parts: Vec<Bdd>,
        before: &[BddVar],
        inputs: &[BddVar],
    ) -> Result<Partition, OutOfNodes> {
        if parts.iter().any(Bdd::is_false) {
            let last = FxHashMap::default();
            return Ok(Partition { parts: vec![diagrams.fals()], last, inputs: Vec::new() });
        }
        parts.retain(|part| !part.is_true());
        let parts = without_inputs(diagrams, parts, inputs)?;
        let quantified: FxHashSet<BddVar> = before.iter().chain(inputs).copied().collect();
        let parts = joined(diagrams, ordered(diagrams, parts, &quantified))?;
        let mut last = FxHashMap::default();
        for (i, part) in parts.iter().enumerate() {
            let support = diagrams.support(part);
            last.extend(support.into_iter().filter(|v| quantified.contains(v)).map(|v| (v, i)));
        }
        let inputs = inputs.iter().copied().filter(|v| last.contains_key(v)).collect();
        Ok(Partition { parts, last, inputs })
    }

    /// Whether it is known to have no pair.
    pub fn is_false(&self) -> bool {
        self.parts.iter().any(Bdd::is_false)
    }

    /// The parts.
    pub fn parts(&self) -> &[Bdd] {
        &self.parts
    }

    /// `∃ before, inputs. region ∧ ⋀ parts`, where `before` are some variables before the step, and each part has the variables of
    /// `fixed` fixed.
    pub fn product(
        &self,
        diagrams: &Diagrams,
        region: &Bdd,
        before: &[BddVar],
        fixed: &[(BddVar, bool)],
    ) -> Result<Bdd, OutOfNodes> {
        let (mut later, now): (Vec<BddVar>, Vec<BddVar>) =
            before.iter().partition(|v| self.last.contains_key(v));
        later.extend(&self.inputs);
        let mut product = diagrams.exists(region, &now)?;
        for (i, part) in self.parts.iter().enumerate() {
            if product.is_false() {
                break;
            }
            let done: Vec<BddVar> = later.iter().copied().filter(|v| self.last[v] == i).collect();
            let part = if fixed.is_empty() { part.clone() } else { diagrams.restrict(part, fixed)? };
            product = diagrams.and_exists(&product, &part, &done)?;
        }
        Ok(product)
    }
}

/// Parts without the inputs that can be quantified: those of few parts first.
fn without_inputs(diagrams: &Diagrams, parts: Vec<Bdd>, inputs: &[BddVar]) -> Result<Vec<Bdd>, OutOfNodes> {
    let mut parts: Vec<(Bdd, Vec<BddVar>)> = parts
        .into_iter()
        .map(|part| {
            let support = diagrams.support(&part);
            (part, support)
        })
        .collect();
    let mut open: Vec<BddVar> = inputs.to_vec();
    loop {
        let uses = |v: &BddVar| parts.iter().filter(|(_, support)| support.contains(v)).count();
        open.retain(|v| uses(v) > 0);
        let Some(at) = (0..open.len()).min_by_key(|&i| uses(&open[i])) else { break };
        let input = open.swap_remove(at);
        let (having, rest): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|(_, support)| support.contains(&input));
        let mut product = diagrams.tru();
        let mut is_small = true;
        for (i, (part, _)) in having.iter().enumerate() {
            let done: &[BddVar] = if i + 1 == having.len() { &[input] } else { &[] };
            product = diagrams.and_exists(&product, part, done)?;
            is_small = diagrams.node_count(&product) <= MAX_JOINED;
            if !is_small {
                break;
            }
        }
        parts = rest;
        if is_small {
            let support = diagrams.support(&product);
            parts.push((product, support));
        } else {
            parts.extend(having);
        }
    }
    Ok(parts.into_iter().map(|(part, _)| part).collect())
}

/// Parts in an order in which variables can be quantified early: always the one next that frees the most for the fewest new.
fn ordered(diagrams: &Diagrams, parts: Vec<Bdd>, quantified: &FxHashSet<BddVar>) -> Vec<Bdd> {
    let mut open: Vec<(Bdd, Vec<BddVar>)> = parts
        .into_iter()
        .map(|part| {
            let support = diagrams.support(&part);
            (part, support)
        })
        .collect();
    let mut uses: FxHashMap<BddVar, usize> = FxHashMap::default();
    open.iter().flat_map(|(_, support)| support).for_each(|&v| *uses.entry(v).or_default() += 1);
    let mut seen: FxHashSet<BddVar> = FxHashSet::default();
    let mut order = Vec::with_capacity(open.len());
    while !open.is_empty() {
        let gain = |support: &[BddVar]| {
            let freed = support.iter().filter(|v| quantified.contains(v) && uses[v] == 1).count();
            let new = support.iter().filter(|v| !seen.contains(v)).count();
            freed as isize - new as isize
        };
        let gains = open.iter().enumerate().map(|(i, (_, support))| (gain(support), std::cmp::Reverse(i)));
        let Some((_, std::cmp::Reverse(best))) = gains.max() else { break };
        let (part, support) = open.remove(best);
        for v in support {
            seen.insert(v);
            uses.entry(v).and_modify(|n| *n -= 1);
        }
        order.push(part);
    }
    order
}

fn joined(diagrams: &Diagrams, parts: Vec<Bdd>) -> Result<Vec<Bdd>, OutOfNodes> {
    let mut joined: Vec<Bdd> = Vec::new();
    for part in parts {
        if let Some(last) = joined.last_mut()
            && diagrams.node_count(&part) <= MAX_JOINED
        {
            let both = diagrams.and(last, &part)?;
            if diagrams.node_count(&both) <= MAX_JOINED {
                *last = both;
                continue;
            }
        }
        joined.push(part);
    }
    Ok(joined)
}
