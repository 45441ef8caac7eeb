//! What a model says of arrays, and which lemmas it violates.

use super::{Bit, BitArrays};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Bits, Op, Term, Terms, Value};

/// A lemma that a model violates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lemma {
    /// Two reads of one variable.
    Congruence(Term, Term),
    /// An equality, by its number, at an index.
    Instance(usize, Term),
}

struct Read {
    term: Term,
    array: Term,
    index: Vec<Bit>,
    element: Vec<Bit>,
}

/// An array that is written or chosen, by the numbers of its parts in the view.
enum Node {
    Variable(Term),
    Store { before: usize, index: Vec<Bit> },
    Choice(usize, usize),
}

struct Sides {
    /// The equality's number.
    number: usize,
    holds: Bit,
    sides: [usize; 2],
    written: Vec<Term>,
    instances: Vec<Term>,
}

/// The reads and equalities that count, over the SAT solver's literals: all that a look at a model needs.
#[derive(Default)]
pub(crate) struct View {
    reads: Vec<Read>,
    nodes: Vec<Node>,
    equalities: Vec<Sides>,
    /// The bits of indices in equalities and in reads of the variables there.
    indices: FxHashMap<Term, Vec<Bit>>,
}

type Values<'a> = &'a mut dyn FnMut(Bit) -> bool;

fn bits_value(bits: &[Bit], value: Values<'_>) -> Bits {
    let bits: Vec<bool> = bits.iter().map(|&bit| value(bit)).collect();
    Bits::from_bits(&bits)
}

impl View {
    /// A view of `reads` and of the equalities in `active`; `word` tells the bits of a term.
    pub fn new(
        terms: &Terms,
        arrays: &BitArrays,
        reads: &[Term],
        active: impl Fn(Term) -> bool,
        word: &mut dyn FnMut(Term) -> Vec<Bit>,
    ) -> View {
        let mut view = View::default();
        for &term in reads {
            let &[array, index] = terms.args(term) else { continue };
            view.reads.push(Read { term, array, index: word(index), element: word(term) });
        }
        let mut numbers: FxHashMap<Term, usize> = FxHashMap::default();
        for (number, equality) in arrays.equalities.iter().enumerate() {
            if !active(equality.term) {
                continue;
            }
            let sides = [0, 1].map(|i| view.node(terms, terms.args(equality.term)[i], &mut numbers, word));
            for &index in equality.written.iter().chain(&equality.instances) {
                view.indices.entry(index).or_insert_with(|| word(index));
            }
            view.equalities.push(Sides {
                number,
                holds: word(equality.term).first().copied().unwrap_or(Err(false)),
                sides,
                written: equality.written.clone(),
                instances: equality.instances.clone(),
            });
        }
        if !view.equalities.is_empty() {
            for read in &view.reads {
                view.indices.entry(terms.args(read.term)[1]).or_insert_with(|| read.index.clone());
            }
        }
        view
    }

    /// The number of an array, its parts having smaller ones.
    fn node(
        &mut self,
        terms: &Terms,
        root: Term,
        numbers: &mut FxHashMap<Term, usize>,
        word: &mut dyn FnMut(Term) -> Vec<Bit>,
    ) -> usize {
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![root];
        while let Some(t) = pending.pop() {
            if numbers.contains_key(&t) || !seen.insert(t) {
                continue;
            }
            order.push(t);
            match terms.op(t) {
                Op::Store => pending.push(terms.args(t)[0]),
                Op::Ite => pending.extend_from_slice(&terms.args(t)[1..]),
                _ => {}
            }
        }
        order.sort_unstable();
        for t in order {
            let args = terms.args(t);
            let node = match terms.op(t) {
                Op::Store => Node::Store { before: numbers[&args[0]], index: word(args[1]) },
                Op::Ite => Node::Choice(numbers[&args[1]], numbers[&args[2]]),
                _ => Node::Variable(t),
            };
            numbers.insert(t, self.nodes.len());
            self.nodes.push(node);
        }
        numbers[&root]
    }

    /// The lemmas that a model violates, `value` telling its bits.
    pub fn violated(&self, value: Values<'_>) -> Vec<Lemma> {
        let mut places: FxHashMap<(Term, Bits), (usize, Bits)> = FxHashMap::default();
        let mut found = Vec::new();
        for (at, read) in self.reads.iter().enumerate() {
            let (index, element) = (bits_value(&read.index, value), bits_value(&read.element, value));
            match places.get(&(read.array, index.clone())) {
                None => {
                    places.insert((read.array, index), (at, element));
                }
                Some((_, same)) if *same == element => {}
                Some((first, _)) => {
                    found.push(Lemma::Congruence(self.reads[*first].term, read.term));
                }
            }
        }
        if found.is_empty() && !self.equalities.is_empty() {
            self.violated_instances(&places, value, &mut found);
        }
        found
    }

    /// The elements of variables in a model that violates nothing: index and element.
    pub fn contents(&self, value: Values<'_>) -> FxHashMap<Term, Vec<(Bits, Bits)>> {
        let mut contents: FxHashMap<Term, Vec<(Bits, Bits)>> = FxHashMap::default();
        for read in &self.reads {
            let (index, element) = (bits_value(&read.index, value), bits_value(&read.element, value));
            contents.entry(read.array).or_default().push((index, element));
        }
        contents
    }

    /// The equalities that do not hold in a model, by their numbers.
    pub fn disequal(&self, value: Values<'_>) -> Vec<usize> {
        self.equalities.iter().filter(|e| !value(e.holds)).map(|e| e.number).collect()
    }

    /// Every equality that holds has to be instantiated at each index that is written in its sides, and at each index
    /// that a variable of it is read at. An instance reads further variables, so indices spread along equalities.
    fn violated_instances(
        &self,
        places: &FxHashMap<(Term, Bits), (usize, Bits)>,
        value: Values<'_>,
        found: &mut Vec<Lemma>,
    ) {
        let holding: Vec<&Sides> = self.equalities.iter().filter(|e| value(e.holds)).collect();
        if holding.is_empty() {
            return;
        }
        let values: FxHashMap<Term, Bits> =
            self.indices.iter().map(|(&index, bits)| (index, bits_value(bits, value))).collect();
        let written: Vec<Option<Bits>> = self
            .nodes
            .iter()
            .map(|node| match node {
                Node::Store { index, .. } => Some(bits_value(index, value)),
                _ => None,
            })
            .collect();
        let term_of: FxHashMap<&Bits, Term> = values.iter().map(|(&term, value)| (value, term)).collect();
        // Where each variable is in an equality that holds.
        let mut users: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
        for (at, equality) in holding.iter().enumerate() {
            for var in self.variables(equality) {
                users.entry(var).or_default().push(at);
            }
        }
        let mut pending: Vec<(usize, Bits)> = Vec::new();
        for (at, equality) in holding.iter().enumerate() {
            pending.extend(equality.written.iter().map(|index| (at, values[index].clone())));
        }
        for (var, index) in places.keys() {
            for &at in users.get(var).into_iter().flatten() {
                pending.push((at, index.clone()));
            }
        }
        let mut done: FxHashSet<(usize, Bits)> = FxHashSet::default();
        while let Some((at, index)) = pending.pop() {
            if !done.insert((at, index.clone())) {
                continue;
            }
            let equality = holding[at];
            if !equality.instances.iter().any(|i| values[i] == index)
                && let Some(&term) = term_of.get(&index)
            {
                found.push(Lemma::Instance(equality.number, term));
            }
            for var in self.variables_at(equality, &index, &written) {
                for &other in users.get(&var).into_iter().flatten() {
                    pending.push((other, index.clone()));
                }
            }
        }
    }

    fn variables(&self, equality: &Sides) -> Vec<Term> {
        self.reached(equality, |_| false)
    }

    /// The variables that an instance at `index` reads: those below no write at that index.
    fn variables_at(&self, equality: &Sides, index: &Bits, written: &[Option<Bits>]) -> Vec<Term> {
        self.reached(equality, |node| written[node].as_ref() == Some(index))
    }

    fn reached(&self, equality: &Sides, stop: impl Fn(usize) -> bool) -> Vec<Term> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = equality.sides.to_vec();
        while let Some(at) = pending.pop() {
            if !seen.insert(at) {
                continue;
            }
            match &self.nodes[at] {
                Node::Variable(var) => found.push(*var),
                Node::Store { .. } if stop(at) => {}
                Node::Store { before, .. } => pending.push(*before),
                Node::Choice(a, b) => pending.extend([*a, *b]),
            }
        }
        found
    }
}

/// The bits as a value of an index or element sort.
pub(super) fn as_value(sort: tamis_logic::Sort, bits: Bits) -> Value {
    if sort == tamis_logic::Sort::Bool { Value::Bool(bits.bit(0)) } else { Value::Bits(bits) }
}
