//! The part of a model that suffices: [SMT §5]'s further work, to extend a minterm to a larger cube before the search goes on.
//!
//! Some important literals may be *spare*: Booleans of their own, and comparisons of two numbers, or what comes to one of them
//! under conditions that hold. A literal of every asserted clause, one cube of every choice, these conditions, and the other
//! important literals are justified down to atoms and variables. Whatever else is assigned, the assertions hold with the values
//! that numbers have. What this needs of the spare literals is kept. Of the rest,
//! - a Boolean can have both values, whatever other spare literals have;
//! - a comparison `x - y` can have both values if no other atom that counts is about `x`, which can then be any number.
//!   Comparisons are let go one after the other, so that what one of them says of `y` may be let go later: if the numbers
//!   `x` are given their values in the reverse order, each finds its `y` as it will be.
//!
//! So the cube without them has a model for each of its minterms. Where a function gives the Boolean or the number, no
//! other application may have the same arguments in these values; and such a number is no argument itself.

use super::Formulas;
use super::clauses::Lit;
use super::encode::Gate;
use super::graph::Vertex;
use super::number::{Given, NO_VERTEX, ZERO};
use super::search::Atom;

/// What an important literal is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A variable of its own.
    Boolean,
    /// Of two numbers.
    Comparison(Vertex, Vertex),
    /// A combination of others, or a fact.
    Other,
}

impl Formulas {
    /// The positions of important literals that suffice for the present model to be a cube of models. `None` if all are
    /// needed or that cannot be told.
    pub(super) fn sufficient(&self, important: &[Lit]) -> Option<Vec<usize>> {
        let mut pending = self.assumed.clone();
        let spare: Vec<Lit> = important.iter().map(|&lit| self.under_conditions(lit, &mut pending)).collect();
        let kinds: Vec<Kind> = spare.iter().map(|&lit| self.kind(lit)).collect();
        if kinds.iter().all(|&kind| kind == Kind::Other) {
            return None;
        }
        let others = spare.iter().zip(&kinds).filter(|(_, kind)| **kind == Kind::Other);
        pending.extend(others.map(|(&lit, _)| self.as_it_is(lit)));
        let mut needed = vec![false; self.search.variables()];
        self.justify(&mut needed, &mut pending)?;
        for choice in &self.search.choices {
            pending.extend_from_slice(choice.holding(&self.search, &needed)?);
            self.justify(&mut needed, &mut pending)?;
        }
        for clause in &self.asserted_clauses {
            let holds = |lit: &&Lit| self.search.value(**lit) == Some(true);
            if clause.iter().filter(holds).any(|lit| needed[lit.var() as usize]) {
                continue;
            }
            let other = clause.iter().filter(holds).find(|lit| spare.iter().all(|s| s.var() != lit.var()));
            pending.push(*other.or_else(|| clause.iter().find(holds))?);
            self.justify(&mut needed, &mut pending)?;
        }
        let kept = self.kept(&spare, &kinds, &needed);
        (kept.len() < important.len()).then_some(kept)
    }

    /// What a literal comes to under conditions that hold, and these conditions.
    fn under_conditions(&self, lit: Lit, conditions: &mut Vec<Lit>) -> Lit {
        let mut lit = lit;
        loop {
            let value = |lit: Lit| self.search.value(lit);
            let next = match self.gates.get(lit.var() as usize) {
                Some(Some(Gate::Ite(c, a, b))) => match value(*c) {
                    Some(true) => Some((*a, vec![*c])),
                    Some(false) => Some((*b, vec![!*c])),
                    None => None,
                },
                Some(Some(Gate::And(inputs))) if self.kind(lit) == Kind::Other => {
                    let is_spare = |at: usize| {
                        let others = (0..inputs.len()).filter(|&other| other != at);
                        let open = self.kind(inputs[at]) != Kind::Other || self.is_choice(inputs[at]);
                        open && others.map(|other| value(inputs[other])).all(|value| value == Some(true))
                    };
                    // Rather a comparison or something given by a function than a variable, which others depend on.
                    let preference = |&at: &usize| match self.kind(inputs[at]) {
                        Kind::Boolean if !self.results.contains(&inputs[at].var()) => 1,
                        _ => 0,
                    };
                    (0..inputs.len()).filter(|&at| is_spare(at)).min_by_key(preference).map(|at| {
                        let others = (0..inputs.len()).filter(|&other| other != at);
                        (inputs[at], others.map(|other| inputs[other]).collect())
                    })
                }
                _ => None,
            };
            let Some((inner, found)) = next else { return lit };
            conditions.extend(found);
            lit = inner.flip_if(!lit.is_positive());
        }
    }

    fn is_choice(&self, lit: Lit) -> bool {
        matches!(self.gates.get(lit.var() as usize), Some(Some(Gate::Ite(..))))
    }

    fn kind(&self, lit: Lit) -> Kind {
        if self.search.level_of(lit) == 0 {
            return Kind::Other;
        }
        match self.gates.get(lit.var() as usize) {
            Some(Some(Gate::And(inputs))) => self.interval(inputs).unwrap_or(Kind::Other),
            Some(Some(Gate::Ite(..))) => Kind::Other,
            _ => match self.search.atom(lit.var()) {
                Some(Atom { x, y, .. }) => Kind::Comparison(x, y),
                None => Kind::Boolean,
            },
        }
    }

    /// What a conjunction says, if that is bounds on one difference that some number satisfies. There is always one that does not.
    fn interval(&self, inputs: &[Lit]) -> Option<Kind> {
        let Atom { x, y, .. } = self.search.atom(inputs.first()?.var())?;
        let (mut least, mut most) = (i64::MIN, i64::MAX);
        for input in inputs {
            let atom = self.search.atom(input.var()).filter(|atom| (atom.x, atom.y) == (x, y))?;
            match input.is_positive() {
                true => most = most.min(atom.bound),
                false => least = least.max(atom.bound + 1),
            }
        }
        (least <= most).then_some(Kind::Comparison(x, y))
    }

    /// The positions that cannot be let go, ascending.
    fn kept(&self, spare: &[Lit], kinds: &[Kind], needed: &[bool]) -> Vec<usize> {
        let is_needed = |at: usize| {
            let var = spare[at].var();
            let inputs = match self.gates.get(var as usize) {
                Some(Some(Gate::And(inputs))) => &inputs[..],
                _ => &[],
            };
            needed[var as usize] || inputs.iter().any(|input| needed[input.var() as usize])
        };
        let mut fixed = self.fixed_vertices(needed);
        let (mut kept, mut open) = (Vec::new(), Vec::new());
        for (at, &kind) in kinds.iter().enumerate() {
            let once = || spare.iter().filter(|lit| lit.var() == spare[at].var()).count() == 1;
            match kind {
                Kind::Boolean if !is_needed(at) && once() && self.is_free_result(spare[at].var()) => {}
                Kind::Comparison(x, y) if !is_needed(at) => open.push((at, x, y)),
                Kind::Comparison(x, y) => {
                    kept.push(at);
                    fixed[x as usize] = true;
                    fixed[y as usize] = true;
                }
                _ => kept.push(at),
            }
        }
        let mut uses = vec![0u32; fixed.len()];
        for vertex in open.iter().flat_map(|&(_, x, y)| [x, y]) {
            uses[vertex as usize] += 1;
        }
        // One comparison after the other is let go, or kept if none can be.
        while !open.is_empty() {
            let alone = |vertex: Vertex| !fixed[vertex as usize] && uses[vertex as usize] == 1;
            let free = open.iter().position(|&(_, x, y)| alone(x) || alone(y));
            let (at, x, y) = open.swap_remove(free.unwrap_or(0));
            for vertex in [x, y] {
                uses[vertex as usize] -= 1;
                fixed[vertex as usize] |= free.is_none();
            }
            if free.is_none() {
                kept.push(at);
            }
        }
        kept.sort_unstable();
        kept
    }

    /// Numbers that cannot be changed without looking at anything else.
    fn fixed_vertices(&self, needed: &[bool]) -> Vec<bool> {
        let mut fixed = vec![false; self.search.graph.vertices()];
        fixed[ZERO as usize] = true;
        for (&(x, y), bounds) in &self.atoms {
            if bounds.iter().any(|(_, lit)| needed[lit.var() as usize]) {
                fixed[x as usize] = true;
                fixed[y as usize] = true;
            }
        }
        for (f, applications) in self.functions.iter().enumerate() {
            for (at, application) in applications.iter().enumerate() {
                for arg in application.args.iter().filter(|arg| arg.vertex != NO_VERTEX) {
                    fixed[arg.vertex as usize] = true;
                }
                if let Given::Number(vertex) = application.result
                    && (0..applications.len()).any(|other| other != at && self.same_arguments(f, at, other))
                {
                    fixed[vertex as usize] = true;
                }
            }
        }
        fixed
    }

    /// The literal of a variable that is true.
    fn as_it_is(&self, lit: Lit) -> Lit {
        lit.flip_if(self.search.value(lit) == Some(false))
    }

    /// Takes over what true literals need.
    fn justify(&self, needed: &mut [bool], pending: &mut Vec<Lit>) -> Option<()> {
        while let Some(lit) = pending.pop() {
            if std::mem::replace(&mut needed[lit.var() as usize], true) {
                continue;
            }
            let value = |lit: Lit| self.search.value(lit);
            match self.gates.get(lit.var() as usize) {
                Some(Some(Gate::And(inputs))) if lit.is_positive() => {
                    if inputs.iter().any(|&input| value(input) != Some(true)) {
                        return None;
                    }
                    pending.extend(inputs);
                }
                Some(Some(Gate::And(inputs))) => {
                    let mut refuted = inputs.iter().filter(|&&input| value(input) == Some(false));
                    if !refuted.clone().any(|input| needed[input.var() as usize]) {
                        pending.push(!*refuted.next()?);
                    }
                }
                Some(Some(Gate::Ite(c, a, b))) => {
                    let [a, b] = [a, b].map(|branch| branch.flip_if(!lit.is_positive()));
                    let branches = match value(*c) {
                        Some(true) => vec![*c, a],
                        Some(false) => vec![!*c, b],
                        None => vec![a, b],
                    };
                    if branches.iter().any(|&branch| value(branch) != Some(true)) {
                        return None;
                    }
                    pending.extend(branches);
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Whether a variable is given by no function, or by one that is not known at the same arguments otherwise.
    fn is_free_result(&self, var: u32) -> bool {
        let result = Given::Truth(Lit::new(var, true));
        self.functions.iter().enumerate().all(|(f, applications)| {
            let Some(at) = applications.iter().position(|application| application.result == result) else {
                return true;
            };
            (0..applications.len()).filter(|&other| other != at).all(|other| {
                let open = matches!(applications[other].result,
                    Given::Truth(lit) if self.search.value(lit).is_none());
                open || !self.same_arguments(f, at, other)
            })
        })
    }
}
