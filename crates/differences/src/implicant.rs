//! The part of a model that suffices: [SMT §5]'s further work, to extend a minterm to a larger cube before the search goes on.
//!
//! An important literal is *spare* if it may be possible to change it: it is a Boolean variable or a comparison of two
//! numbers, or equal to one under conditions that hold in the model. The model is justified: one true literal of every
//! asserted clause, one cube of every choice, the conditions, and all important literals that are not spare, down to atoms
//! and variables. Every assignment with these literals satisfies the assertions. Spare literals among them keep their value.
//! Every other spare Boolean can have both values, if no function gives it or no other application has the same arguments.
//! The values that the other comparisons can have are found in [`product`](crate::product).

use crate::Formulas;
use crate::clauses::Lit;
use crate::encode::Gate;
use crate::feasible::Comparison;
use crate::number::Given;
use crate::product::Parts;
use crate::search::Atom;

/// What an important literal is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A variable of its own.
    Boolean,
    /// Of two numbers.
    Comparison(Comparison),
    /// A combination of others, or a fact.
    Other,
}

/// The variables that a model needs.
#[derive(Default)]
pub(crate) struct Needed {
    has: Vec<bool>,
    pub vars: Vec<u32>,
}

impl Needed {
    pub fn has(&self, lit: Lit) -> bool {
        self.has[lit.var() as usize]
    }

    /// Adds a literal's variable; `false` if it was there.
    fn insert(&mut self, lit: Lit) -> bool {
        let is_new = !std::mem::replace(&mut self.has[lit.var() as usize], true);
        if is_new {
            self.vars.push(lit.var());
        }
        is_new
    }
}

/// Buffers for the justification of one model.
#[derive(Default)]
pub(crate) struct Memory {
    lits: Vec<Lit>,
    kinds: Vec<Kind>,
    conditions: Vec<(usize, Lit)>,
    open: Vec<bool>,
    uses: Vec<u8>,
    needed: Needed,
    pending: Vec<Lit>,
}

impl Memory {
    /// Makes room for so many variables.
    fn begin(&mut self, variables: usize) {
        self.uses.resize(variables, 0);
        self.needed.has.resize(variables, false);
    }

    /// Empties it.
    fn end(&mut self) {
        for lit in self.lits.drain(..) {
            self.uses[lit.var() as usize] = 0;
        }
        self.needed.vars.drain(..).for_each(|var| self.needed.has[var as usize] = false);
        self.kinds.clear();
        self.conditions.clear();
        self.open.clear();
        self.pending.clear();
    }
}

/// Important literals that may not be needed.
pub(crate) struct Spare<'a> {
    pub lits: &'a [Lit],
    pub kinds: &'a [Kind],
    /// For the literal at a place, a condition under which it equals the important literal.
    pub conditions: &'a [(usize, Lit)],
    /// By variable: how many of the literals are its own.
    pub uses: &'a [u8],
    /// Whether each can have both values, as far as the justification is concerned.
    pub open: &'a [bool],
}

/// What a model stands for: the important literals at these places, and parts.
pub(crate) struct Sufficient {
    pub kept: Vec<usize>,
    pub parts: Vec<Inside>,
}

/// A part that a model is in, by its number.
pub(crate) struct Inside {
    pub part: usize,
    /// True literals that imply the part, if it follows from literals alone.
    pub because: Option<Vec<Lit>>,
}

impl Formulas {
    /// The important literals that suffice for the present model to be a set of models. `None` if all are needed or that
    /// cannot be told.
    pub(crate) fn sufficient(&self, important: &[Lit], parts: &mut Parts) -> Option<Sufficient> {
        let mut memory = std::mem::take(&mut parts.memory);
        memory.begin(self.search.variables());
        let found = self.sufficient_with(important, parts, &mut memory);
        memory.end();
        parts.memory = memory;
        found
    }

    fn sufficient_with(
        &self,
        important: &[Lit],
        parts: &mut Parts,
        memory: &mut Memory,
    ) -> Option<Sufficient> {
        let Memory { lits, kinds, conditions, open, uses, needed, pending } = memory;
        lits.extend(
            important.iter().enumerate().map(|(at, &lit)| self.under_conditions(at, lit, conditions)),
        );
        pending.extend(conditions.iter().map(|&(_, lit)| lit));
        pending.extend_from_slice(&self.assumed);
        kinds.extend(lits.iter().map(|&lit| self.kind(lit)));
        if kinds.iter().all(|&kind| kind == Kind::Other) {
            return None;
        }
        for lit in &*lits {
            let uses = &mut uses[lit.var() as usize];
            *uses = uses.saturating_add(1);
        }
        let others = lits.iter().zip(&*kinds).filter(|(_, kind)| **kind == Kind::Other);
        pending.extend(others.map(|(&lit, _)| self.as_it_is(lit)));
        self.justify(needed, pending)?;
        self.find_open(lits, kinds, uses, open);
        let spare = Spare { lits, kinds, uses, conditions, open };
        for choice in &self.search.choices {
            pending.extend_from_slice(choice.holding(&self.search, needed)?);
            self.justify(needed, pending)?;
        }
        for clause in &self.asserted_clauses {
            let holds = |lit: &&Lit| self.search.is_true(**lit);
            if clause.iter().filter(holds).any(|&lit| needed.has(lit)) {
                continue;
            }
            let other = clause.iter().filter(holds).find(|lit| uses[lit.var() as usize] == 0);
            pending.push(*other.or_else(|| clause.iter().find(holds))?);
            self.justify(needed, pending)?;
        }
        let found = self.divide(&spare, needed, parts);
        (found.kept.len() < important.len()).then_some(found)
    }

    /// Whether each spare literal is free, or restricted by comparisons alone.
    fn find_open(&self, lits: &[Lit], kinds: &[Kind], uses: &[u8], open: &mut Vec<bool>) {
        let is_open = |(lit, kind): (&Lit, &Kind)| match kind {
            Kind::Other => false,
            Kind::Comparison(_) => uses[lit.var() as usize] == 1,
            Kind::Boolean => uses[lit.var() as usize] == 1 && self.is_free_result(lit.var()),
        };
        open.extend(lits.iter().zip(kinds).map(is_open));
    }

    /// What the literal at a place comes to under conditions that hold, and these conditions.
    fn under_conditions(&self, at: usize, lit: Lit, conditions: &mut Vec<(usize, Lit)>) -> Lit {
        let mut lit = lit;
        loop {
            let value = |lit: Lit| self.search.value(lit);
            let inner = match self.gates.get(lit.var() as usize) {
                Some(&Some(Gate::Ite(c, a, b))) => match value(c) {
                    Some(true) => {
                        conditions.push((at, c));
                        a
                    }
                    Some(false) => {
                        conditions.push((at, !c));
                        b
                    }
                    None => return lit,
                },
                Some(Some(Gate::And(inputs))) if self.kind(lit) == Kind::Other => {
                    let Some(spare) = self.spare_input(inputs) else { return lit };
                    conditions
                        .extend(inputs.iter().filter(|&&other| other != spare).map(|&other| (at, other)));
                    spare
                }
                _ => return lit,
            };
            lit = inner.flip_if(!lit.is_positive());
        }
    }

    /// Of the inputs of a conjunction one that may be spare while the others are true.
    fn spare_input(&self, inputs: &[Lit]) -> Option<Lit> {
        let mut others = inputs.iter().filter(|&&input| !self.search.is_true(input));
        let (open, more) = (others.next(), others.next());
        if more.is_some() {
            return None;
        }
        let mut variable = None;
        for &input in inputs.iter().filter(|&&input| open.is_none_or(|&open| open == input)) {
            match self.kind(input) {
                Kind::Other if !self.is_choice(input) => {}
                // Rather a comparison or something given by a function than a variable, which others depend on.
                Kind::Boolean if !self.results.contains_key(&input.var()) => {
                    variable = variable.or(Some(input));
                }
                _ => return Some(input),
            }
        }
        variable
    }

    fn is_choice(&self, lit: Lit) -> bool {
        matches!(self.gates.get(lit.var() as usize), Some(Some(Gate::Ite(..))))
    }

    fn kind(&self, lit: Lit) -> Kind {
        if self.search.level_of(lit) == 0 {
            return Kind::Other;
        }
        match (self.comparison(lit), self.gates.get(lit.var() as usize)) {
            (Some(comparison), _) => Kind::Comparison(comparison),
            (None, Some(Some(_))) => Kind::Other,
            (None, _) => Kind::Boolean,
        }
    }

    /// What a literal says of two numbers, if that is all.
    pub(crate) fn comparison(&self, lit: Lit) -> Option<Comparison> {
        let negated = !lit.is_positive();
        match self.gates.get(lit.var() as usize) {
            Some(Some(Gate::And(inputs))) => self.interval(inputs, negated),
            Some(Some(Gate::Ite(..))) => None,
            _ => {
                let Atom { x, y, bound } = self.search.atom(lit.var())?;
                Some(Comparison { x, y, least: None, most: Some(bound), negated })
            }
        }
    }

    /// What a conjunction says, if that is bounds on one difference that some number satisfies. There is always one that does not.
    fn interval(&self, inputs: &[Lit], negated: bool) -> Option<Comparison> {
        let Atom { x, y, .. } = self.search.atom(inputs.first()?.var())?;
        let (mut least, mut most): (Option<i64>, Option<i64>) = (None, None);
        for input in inputs {
            let atom = self.search.atom(input.var()).filter(|atom| (atom.x, atom.y) == (x, y))?;
            match input.is_positive() {
                true => most = Some(most.map_or(atom.bound, |most| most.min(atom.bound))),
                false => least = Some(least.map_or(atom.bound + 1, |least| least.max(atom.bound + 1))),
            }
        }
        let is_empty = least.zip(most).is_some_and(|(least, most)| least > most);
        (!is_empty).then_some(Comparison { x, y, least, most, negated })
    }

    /// The literal of a variable that is true.
    fn as_it_is(&self, lit: Lit) -> Lit {
        lit.flip_if(self.search.value(lit) == Some(false))
    }

    /// Takes over what true literals need.
    fn justify(&self, needed: &mut Needed, pending: &mut Vec<Lit>) -> Option<()> {
        while let Some(lit) = pending.pop() {
            if !needed.insert(lit) {
                continue;
            }
            let value = |lit: Lit| self.search.value(lit);
            match self.gates.get(lit.var() as usize) {
                Some(Some(Gate::And(inputs))) if lit.is_positive() => {
                    if inputs.iter().any(|&input| value(input) != Some(true)) {
                        return None;
                    }
                    pending.extend(inputs.iter());
                }
                Some(Some(Gate::And(inputs))) => {
                    let mut refuted = inputs.iter().filter(|&&input| value(input) == Some(false));
                    if !refuted.clone().any(|&input| needed.has(input)) {
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
    pub(crate) fn is_free_result(&self, var: u32) -> bool {
        let Some(&(f, at)) = self.results.get(&var) else { return true };
        let applications = &self.functions[f];
        (0..applications.len()).filter(|&other| other != at).all(|other| {
            let open = matches!(applications[other].result,
                Given::Truth(lit) if self.search.value(lit).is_none());
            open || !self.same_arguments(f, at, other)
        })
    }
}
