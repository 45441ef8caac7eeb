//! Arrays of bit-vectors, against trying all arrays: they are so small that they can be counted.

mod common;

use common::{Random, random_bits};
use std::collections::BTreeSet;
use std::sync::Arc;
use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};
use tamis_solver::{Answer, Budget, Cube, Solver, Strategy};

/// Random formulas over two arrays, two indices and an element.
struct Arrays<'a> {
    t: &'a mut Terms,
    random: &'a mut Random,
    index: u32,
    element: u32,
    arrays: Vec<Term>,
    indices: Vec<Term>,
    elements: Vec<Term>,
}

impl<'a> Arrays<'a> {
    /// Arrays with at most four bits each.
    fn new(t: &'a mut Terms, random: &'a mut Random) -> Arrays<'a> {
        let (index, element) = random.pick(&[(1, 1), (1, 2), (2, 1)]);
        let sort = t.array_sort(Sort::BitVec(index), Sort::BitVec(element));
        let arrays = ["a", "b"].map(|name| t.var(name, sort)).to_vec();
        let indices = ["i", "j"].map(|name| t.var(name, Sort::BitVec(index))).to_vec();
        let elements = vec![t.var("e", Sort::BitVec(element))];
        Arrays { t, random, index, element, arrays, indices, elements }
    }

    fn array(&mut self, depth: u32) -> Term {
        if depth == 0 || self.random.below(3) == 0 {
            return self.random.pick(&self.arrays);
        }
        if self.random.below(4) == 0 {
            let (c, a, b) = (self.atom(depth - 1), self.array(depth - 1), self.array(depth - 1));
            return self.t.ite(c, a, b);
        }
        let (a, i, e) = (self.array(depth - 1), self.place(depth - 1), self.cell(depth - 1));
        self.t.store(a, i, e)
    }

    fn place(&mut self, depth: u32) -> Term {
        match self.random.below(6) {
            0 => {
                let bits = random_bits(self.random, self.index);
                self.t.bits_value(bits)
            }
            1 if depth > 0 => {
                let e = self.cell(depth - 1);
                self.t.resize(self.index, false, e)
            }
            _ => self.random.pick(&self.indices),
        }
    }

    fn cell(&mut self, depth: u32) -> Term {
        match self.random.below(6) {
            0 => {
                let bits = random_bits(self.random, self.element);
                self.t.bits_value(bits)
            }
            1 => self.random.pick(&self.elements),
            2 if depth > 0 => {
                let (x, y) = (self.cell(depth - 1), self.cell(depth - 1));
                self.t.add(x, y)
            }
            _ => {
                let (a, i) = (self.array(depth), self.place(depth));
                self.t.select(a, i)
            }
        }
    }

    fn atom(&mut self, depth: u32) -> Term {
        match self.random.below(5) {
            0 => {
                let (a, b) = (self.array(depth), self.array(depth));
                self.t.eq(a, b)
            }
            1 => {
                let (i, j) = (self.place(depth), self.place(depth));
                self.t.eq(i, j)
            }
            2 => {
                let (x, y) = (self.cell(depth), self.cell(depth));
                self.t.ult(x, y)
            }
            _ => {
                let (x, y) = (self.cell(depth), self.cell(depth));
                self.t.eq(x, y)
            }
        }
    }

    /// A clause of atoms.
    fn formula(&mut self) -> Term {
        let mut literals = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let atom = self.atom(2);
            literals.push(if self.random.coin() { atom } else { self.t.not(atom) });
        }
        self.t.or(&literals)
    }

    /// Every model.
    fn models(&self) -> Vec<Model> {
        let cells = 1 << self.index;
        let sizes = [cells * self.element, cells * self.element, self.index, self.index, self.element];
        let vars = self.arrays.iter().chain(&self.indices).chain(&self.elements);
        let vars: Vec<Term> = vars.copied().collect();
        let model = |number: u32| {
            let mut rest = u128::from(number);
            let mut model = Model::new();
            for (&var, &size) in vars.iter().zip(&sizes) {
                model.set(var, self.value(var, size, rest & ((1 << size) - 1)));
                rest >>= size;
            }
            model
        };
        (0..1 << sizes.iter().sum::<u32>()).map(model).collect()
    }

    fn value(&self, var: Term, size: u32, mut number: u128) -> Value {
        let sort = self.t.sort(var);
        if sort == Sort::BitVec(size) {
            return Value::Bits(Bits::new(size, number));
        }
        let zero = Value::Bits(Bits::zero(self.element));
        let mut array = self.t.constant_array(sort, zero);
        for at in 0..1 << self.index {
            let element = Bits::new(self.element, number & ((1 << self.element) - 1));
            array.store(Value::Bits(Bits::new(self.index, at)), Value::Bits(element));
            number >>= self.element;
        }
        Value::Array(Arc::new(array))
    }
}

/// For every model, whether each formula holds.
fn truths(t: &Terms, models: &[Model], formulas: &[Term]) -> Vec<Vec<bool>> {
    let truth = |model: &Model| t.eval_all(formulas, model).iter().map(|value| value.as_bool()).collect();
    models.iter().map(truth).collect()
}

/// The combinations of values that `important` terms have in models of `formulas`.
fn combinations(t: &Terms, models: &[Model], formulas: &[Term], important: &[Term]) -> BTreeSet<Vec<bool>> {
    let both: Vec<Term> = formulas.iter().chain(important).copied().collect();
    let truths = truths(t, models, &both).into_iter();
    let models = truths.filter(|truth| truth[..formulas.len()].iter().all(|&holds| holds));
    models.map(|truth| truth[formulas.len()..].to_vec()).collect()
}

#[test]
fn answers_and_models_agree_with_trying_all_arrays() {
    let mut random = Random::new(31);
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..150 {
        let mut t = Terms::new();
        let mut arrays = Arrays::new(&mut t, &mut random);
        let formulas: Vec<Term> = (0..7).map(|_| arrays.formula()).collect();
        let models = arrays.models();
        let truths = truths(&t, &models, &formulas);
        let mut solver = Solver::new(&Budget::unlimited());
        // Lemmas of one question stay for the next: formulas are added one by one, half of them as assumptions.
        for (asserted, count) in [(1, 3), (2, 5), (4, 7)] {
            formulas[asserted / 2..asserted].iter().for_each(|&formula| solver.assert(&t, formula));
            let answer = solver.check(&t, &formulas[asserted..count]).unwrap();
            let expected = truths.iter().any(|truth| truth[..count].iter().all(|&holds| holds));
            assert_eq!(answer == Answer::Sat, expected, "round {round}, {count} formulas");
            if expected {
                sat += 1;
                let vars = t.free_vars_of(&formulas[..count]);
                let model = solver.model(&t, &vars);
                let values = t.eval_all(&formulas[..count], &model);
                assert!(values.iter().all(|value| value.as_bool()), "round {round}: no model");
            } else {
                unsat += 1;
                let core = solver.core().to_vec();
                assert_eq!(solver.check(&t, &core), Ok(Answer::Unsat), "round {round}: no core");
                break;
            }
        }
    }
    assert!(sat > 100 && unsat > 40, "{sat} sat, {unsat} unsat test too little");
}

#[test]
fn enumerations_agree_with_trying_all_arrays() {
    let mut random = Random::new(32);
    let mut found_models = 0;
    for round in 0..40 {
        let mut t = Terms::new();
        let mut arrays = Arrays::new(&mut t, &mut random);
        let formulas: Vec<Term> = (0..2).map(|_| arrays.formula()).collect();
        let important: Vec<Term> = (0..6).map(|_| arrays.atom(2)).collect();
        let models = arrays.models();
        let expected = combinations(&t, &models, &formulas, &important);
        for strategy in [Strategy::InSearch, Strategy::Naive, Strategy::BlackBox] {
            let mut solver = Solver::new(&Budget::unlimited());
            solver.assert(&t, formulas[0]);
            let mut found = BTreeSet::new();
            let done = solver.enumerate_by(strategy, &t, &formulas[1..], &important, &mut |model| {
                assert!(found.insert(model.to_vec()), "found twice");
                Cube::Minterm
            });
            assert_eq!(found, expected, "{strategy:?}, round {round}");
            assert_eq!(done.map(|d| (d.models, d.complete)), Ok((expected.len() as u64, true)));
        }
        found_models += expected.len();
    }
    assert!(found_models > 300, "{found_models} models test too little");
}
