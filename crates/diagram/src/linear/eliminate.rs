//! Quantification of a numeric variable by Fourier–Motzkin elimination on the diagram.
//!
//! A walk from the root collects the bounds that a path sets to the variable; each lower bound is resolved with each
//! upper bound on the way down, and where nothing below mentions the variable any more, the resolvents stand for the
//! bounds. Paths that agree on the bounds share their work. Where the bounds meet, the variable has a value, and what
//! is below is substituted instead of walked through: in formulas of programs, most variables have one on every path.
//!
//! ## References
//! S. Chaki, A. Gurfinkel, O. Strichman, *Decision diagrams for linear arithmetic*, FMCAD 2009.

use super::expression::NumVar;
use super::feasibility::{CHECK, Feasibility};
use super::labels::{BlockId, Label};
use super::nodes::{Edge, FALSE, Halt, Made, Nodes, TRUE};
use super::substitute::{Dependence, Substitution};
use rustc_hash::FxHashMap;
use tamis_logic::RBig;

/// The bounds of one block on a path: a false atom and a true one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Interval {
    block: BlockId,
    lower: Option<Label>,
    upper: Option<Label>,
}

/// The bounds on a path, by block.
type Bounds = Vec<Interval>;

struct Context {
    bounds: Bounds,
    /// Literals that say what the bounds do, without the variable: none follows from the others.
    resolvents: Vec<(Label, bool)>,
    /// Their conjunction, once it was needed.
    conjunction: Option<Edge>,
}

type ContextId = u32;
/// In place of the number of a context that cannot be.
const CONTRADICTION: ContextId = ContextId::MAX;

/// What an atom's literal makes of a context.
enum Extended {
    Contradiction,
    Context(ContextId),
    /// The bounds meet in this atom's bound.
    Equal(ContextId, Label),
}

/// One elimination: `∃x. parts[0] ∧ parts[1] ∧ …`.
pub(super) struct Elimination {
    x: NumVar,
    parts: Vec<Edge>,
    contexts: Vec<Context>,
    ids: FxHashMap<Bounds, ContextId>,
    done: FxHashMap<(Edge, u32, ContextId), Edge>,
    dependence: Dependence,
    theory: Feasibility,
    substitutions: FxHashMap<Label, Substitution>,
    /// Whether the result is the projection itself, and not only implied by it.
    pub exact: bool,
}

impl Elimination {
    pub fn new(x: NumVar, parts: Vec<Edge>) -> Elimination {
        Elimination {
            x,
            parts,
            contexts: vec![Context { bounds: Vec::new(), resolvents: Vec::new(), conjunction: None }],
            ids: FxHashMap::from_iter([(Vec::new(), 0)]),
            done: FxHashMap::default(),
            dependence: Dependence::new(x),
            theory: Feasibility::new(),
            substitutions: FxHashMap::default(),
            exact: true,
        }
    }

    pub fn run(&mut self, nodes: &mut Nodes) -> Made {
        match self.parts.first() {
            Some(&first) => self.walk(nodes, first, 0, 0),
            None => Ok(TRUE),
        }
    }

    /// `∃x. f ∧ parts[part + 1] ∧ … ∧ bounds of the context`.
    fn walk(&mut self, nodes: &mut Nodes, f: Edge, part: u32, context: ContextId) -> Made {
        if f == FALSE {
            return Ok(FALSE);
        }
        if !self.dependence.of(nodes, f) {
            let rest = match self.parts.get(part as usize + 1) {
                Some(&next) => self.walk(nodes, next, part + 1, context)?,
                None => self.conjunction(nodes, context)?,
            };
            return nodes.and(f, rest);
        }
        if let Some(&done) = self.done.get(&(f, part, context)) {
            return Ok(done);
        }
        nodes.step()?;
        let label = nodes.label(f);
        let (hi, lo) = nodes.children(f);
        let result = if nodes.labels.mentions(label, self.x) {
            let yes = self.branch(nodes, label, true, hi, part, context)?;
            let no = self.branch(nodes, label, false, lo, part, context)?;
            nodes.or(yes, no)?
        } else {
            let yes = self.walk(nodes, hi, part, context)?;
            let no = self.walk(nodes, lo, part, context)?;
            let condition = nodes.literal(label, true)?;
            nodes.ite(condition, yes, no)?
        };
        self.done.insert((f, part, context), result);
        Ok(result)
    }

    /// As [`walk`](Self::walk), under a literal of an atom with the variable.
    fn branch(
        &mut self,
        nodes: &mut Nodes,
        label: Label,
        positive: bool,
        f: Edge,
        part: u32,
        context: ContextId,
    ) -> Made {
        match self.extend(nodes, context, label, positive)? {
            Extended::Contradiction => Ok(FALSE),
            Extended::Context(context) => self.walk(nodes, f, part, context),
            Extended::Equal(context, at) => {
                let mut result = self.conjunction(nodes, context)?;
                for i in part as usize..self.parts.len() {
                    let f = if i == part as usize { f } else { self.parts[i] };
                    let f = self.substitute(nodes, at, f)?;
                    result = nodes.and(result, f)?;
                    if result == FALSE {
                        break;
                    }
                }
                Ok(result)
            }
        }
    }

    /// `f` where the form of the label `at` is equal to its bound.
    fn substitute(&mut self, nodes: &mut Nodes, at: Label, f: Edge) -> Made {
        let x = self.x;
        let substitution = self.substitutions.entry(at).or_insert_with(|| {
            let (expression, _) = nodes.labels.inequality(at, true);
            let scale = RBig::from(-1) / expression.coefficient(x);
            Substitution::new(x, expression.without(x).times(&scale))
        });
        substitution.apply(nodes, &mut self.dependence, f)
    }

    fn extend(
        &mut self,
        nodes: &mut Nodes,
        context: ContextId,
        label: Label,
        positive: bool,
    ) -> Result<Extended, Halt> {
        let block = nodes.labels.block_of[label as usize];
        let rank = |nodes: &Nodes, label: Label| nodes.labels.rank[label as usize];
        let mut bounds = self.contexts[context as usize].bounds.clone();
        let at = match bounds.binary_search_by_key(&block, |interval| interval.block) {
            Ok(at) => at,
            Err(at) => {
                bounds.insert(at, Interval { block, lower: None, upper: None });
                at
            }
        };
        let here = rank(nodes, label);
        let interval = &mut bounds[at];
        let above_lower = interval.lower.is_none_or(|lower| rank(nodes, lower) < here);
        let below_upper = interval.upper.is_none_or(|upper| here < rank(nodes, upper));
        match (positive, above_lower, below_upper) {
            (true, false, _) | (false, _, false) => return Ok(Extended::Contradiction),
            // Said already.
            (true, _, false) | (false, false, _) => return Ok(Extended::Context(context)),
            (true, true, true) => interval.upper = Some(label),
            (false, true, true) => interval.lower = Some(label),
        }
        let interval = *interval;
        let id = match self.ids.get(&bounds) {
            Some(&id) => id,
            None => {
                let resolvents = self.resolve(nodes, context, &bounds, label, positive)?;
                let id = resolvents.as_ref().map_or(CONTRADICTION, |_| self.contexts.len() as ContextId);
                self.ids.insert(bounds.clone(), id);
                self.contexts.extend(resolvents.map(|resolvents| Context {
                    bounds,
                    resolvents,
                    conjunction: None,
                }));
                id
            }
        };
        if id == CONTRADICTION {
            return Ok(Extended::Contradiction);
        }
        Ok(match interval {
            Interval { lower: Some(lower), upper: Some(upper), .. } => {
                self.note_division(nodes, lower, upper);
                if meet(nodes, lower, upper) { Extended::Equal(id, upper) } else { Extended::Context(id) }
            }
            _ => Extended::Context(id),
        })
    }

    /// What the bounds of a context say about the other variables.
    fn conjunction(&mut self, nodes: &mut Nodes, context: ContextId) -> Made {
        let known = &self.contexts[context as usize];
        if let Some(conjunction) = known.conjunction {
            return Ok(conjunction);
        }
        let mut result = TRUE;
        for (label, positive) in known.resolvents.clone() {
            let literal = nodes.literal(label, positive)?;
            result = nodes.and(result, literal)?;
        }
        self.contexts[context as usize].conjunction = Some(result);
        Ok(result)
    }

    /// The resolvents of a context with those of a new literal and the bounds on the other side; `None` if the bounds
    /// contradict each other.
    fn resolve(
        &mut self,
        nodes: &mut Nodes,
        context: ContextId,
        bounds: &[Interval],
        label: Label,
        positive: bool,
    ) -> Result<Option<Vec<(Label, bool)>>, Halt> {
        let literals = bounds.iter().flat_map(|interval| {
            let lower = interval.lower.map(|label| (label, false));
            lower.into_iter().chain(interval.upper.map(|label| (label, true)))
        });
        nodes.work(CHECK)?;
        if self.theory.refutes(&nodes.labels, literals) {
            return Ok(None);
        }
        let mut resolvents = self.contexts[context as usize].resolvents.clone();
        nodes.hint = Some((nodes.labels.rank[label as usize] >> 32) as usize);
        let added = self.add_resolvents(nodes, bounds, label, positive, &mut resolvents);
        nodes.hint = None;
        if !added? {
            return Ok(None);
        }
        nodes.work(CHECK * resolvents.len() as u32)?;
        drop_redundant(nodes, &mut resolvents);
        Ok(Some(resolvents))
    }

    /// Adds the resolvents of a literal and the bounds on the other side; false if one of them is.
    fn add_resolvents(
        &mut self,
        nodes: &mut Nodes,
        bounds: &[Interval],
        label: Label,
        positive: bool,
        resolvents: &mut Vec<(Label, bool)>,
    ) -> Result<bool, Halt> {
        let block = nodes.labels.block_of[label as usize];
        let (new, new_strict) = nodes.labels.inequality(label, positive);
        let new_coefficient = new.coefficient(self.x);
        for interval in bounds.iter().filter(|interval| interval.block != block) {
            for (other, positive) in [(interval.lower, false), (interval.upper, true)] {
                let Some(other) = other else { continue };
                let (old, old_strict) = nodes.labels.inequality(other, positive);
                let old_coefficient = old.coefficient(self.x);
                if (new_coefficient > RBig::ZERO) == (old_coefficient > RBig::ZERO) {
                    continue;
                }
                self.note_pair(nodes, [label, other], [&new_coefficient, &old_coefficient]);
                let sum = new.times(&magnitude(&old_coefficient));
                let sum = sum.plus_multiple(&magnitude(&new_coefficient), &old);
                match nodes.inequality(&sum, new_strict || old_strict)? {
                    TRUE => {}
                    FALSE => return Ok(false),
                    atom => resolvents.push((nodes.label(atom), atom & 1 == 0)),
                }
            }
        }
        resolvents.sort_unstable();
        resolvents.dedup();
        Ok(true)
    }

    /// An integer lies between two bounds if a real does, provided that one of them is an integer: both are over
    /// integers, and one of the coefficients is a unit.
    fn note_pair(&mut self, nodes: &Nodes, labels: [Label; 2], coefficients: [&RBig; 2]) {
        let integral = labels.iter().all(|&label| nodes.labels.is_integral(label));
        let unit = coefficients.into_iter().any(|c| magnitude(c).is_one());
        if nodes.labels.is_integer(self.x) && !(integral && unit) {
            self.exact = false;
        }
    }

    /// A multiple of an integer is between two bounds of a form, or equal to an expression that may not be such a
    /// multiple. As many integers in a row as the coefficient says have a multiple of it among them.
    fn note_division(&mut self, nodes: &Nodes, lower: Label, upper: Label) {
        let (expression, _) = nodes.labels.inequality(upper, true);
        let [below, above] = [lower, upper].map(|label| nodes.labels.bounds[label as usize].value.clone());
        let enough = above - below >= magnitude(&expression.coefficient(self.x));
        if nodes.labels.is_integer(self.x) && !(enough && nodes.labels.is_integral(upper)) {
            self.exact = false;
        }
    }
}

/// Drops literals that follow from the others.
fn drop_redundant(nodes: &Nodes, literals: &mut Vec<(Label, bool)>) {
    let mut theory = Feasibility::new();
    let mut at = literals.len();
    while at > 0 && literals.len() > 1 {
        at -= 1;
        let (label, positive) = literals.swap_remove(at);
        let opposite = literals.iter().copied().chain([(label, !positive)]);
        if !theory.refutes(&nodes.labels, opposite) {
            literals.push((label, positive));
            let last = literals.len() - 1;
            literals.swap(at, last);
        }
    }
}

fn magnitude(c: &RBig) -> RBig {
    if *c < RBig::ZERO { -c.clone() } else { c.clone() }
}

/// Whether a false atom and a true one of a block leave one value to its form.
fn meet(nodes: &Nodes, lower: Label, upper: Label) -> bool {
    let (below, above) = (&nodes.labels.bounds[lower as usize], &nodes.labels.bounds[upper as usize]);
    if nodes.labels.is_integral(upper) {
        &below.value + RBig::ONE == above.value
    } else {
        below.value == above.value && below.strict && !above.strict
    }
}

impl Nodes {
    /// Whether `f` asks for both bounds of some value of `x`: then `f` is likely to say what `x` is.
    pub fn seems_to_define(&self, f: Edge, x: NumVar) -> bool {
        let mut labels: Vec<Label> =
            self.support(f).into_iter().filter(|&l| self.labels.mentions(l, x)).collect();
        labels.sort_by_key(|&label| self.labels.rank[label as usize]);
        labels.windows(2).any(|pair| {
            self.labels.block_of[pair[0] as usize] == self.labels.block_of[pair[1] as usize]
                && meet(self, pair[0], pair[1])
        })
    }
}
