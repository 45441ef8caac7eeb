//! The search for functions and differences against one question for each minterm, which other procedures answer.

use std::collections::BTreeSet;
use tamis_logic::{FunctionId, Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Cube, Part, Product, Solver, Strategy};

/// Random queries of the shape that image computations have.
struct Queries {
    random: tamis_testing::Random,
    terms: Terms,
    numbers: Vec<Term>,
    elements: Vec<Term>,
    truths: Vec<Term>,
    f: FunctionId,
    g: FunctionId,
    h: FunctionId,
    k: FunctionId,
}

impl Queries {
    fn new(seed: u64) -> Queries {
        let mut terms = Terms::new();
        let sort = terms.declare_sort("U");
        let numbers = ["x", "y", "z"].map(|name| terms.var(name, Sort::Int)).to_vec();
        let elements = ["u", "v"].map(|name| terms.var(name, sort)).to_vec();
        let truths = ["p", "q"].map(|name| terms.var(name, Sort::Bool)).to_vec();
        let f = terms.declare_function("f", &[Sort::Int], Sort::Int);
        let g = terms.declare_function("g", &[Sort::Int], Sort::Bool);
        let h = terms.declare_function("h", &[Sort::Bool, Sort::Int], Sort::Int);
        let k = terms.declare_function("k", &[sort], sort);
        Queries { random: tamis_testing::Random::new(seed), terms, numbers, elements, truths, f, g, h, k }
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn number(&mut self, depth: usize) -> Term {
        let at = self.below(self.numbers.len());
        let plain = self.numbers[at];
        match self.below(if depth == 0 { 3 } else { 8 }) {
            0 => {
                let constant = self.below(3) as i64;
                self.terms.int(constant)
            }
            3 => {
                let (t, by) = (self.number(depth - 1), self.below(4) as i64 - 2);
                let by = self.terms.int(by);
                self.terms.plus(&[t, by])
            }
            4 => {
                let (c, a, b) = (self.atom(depth - 1), self.number(depth - 1), self.number(depth - 1));
                self.terms.ite(c, a, b)
            }
            5 | 6 => {
                let arg = self.number(depth - 1);
                self.terms.apply(self.f, &[arg])
            }
            7 => {
                let (c, a) = (self.atom(depth - 1), self.number(depth - 1));
                self.terms.apply(self.h, &[c, a])
            }
            _ => plain,
        }
    }

    fn element(&mut self, depth: usize) -> Term {
        if depth == 0 || self.below(2) == 0 {
            let at = self.below(self.elements.len());
            return self.elements[at];
        }
        let arg = self.element(depth - 1);
        self.terms.apply(self.k, &[arg])
    }

    fn atom(&mut self, depth: usize) -> Term {
        match self.below(7) {
            0 => {
                let at = self.below(self.truths.len());
                self.truths[at]
            }
            1 => {
                let arg = self.number(depth);
                self.terms.apply(self.g, &[arg])
            }
            2 => {
                let (a, b) = (self.element(depth), self.element(depth));
                self.terms.eq(a, b)
            }
            3 | 4 => {
                let (a, b) = (self.number(depth), self.number(depth));
                self.terms.eq(a, b)
            }
            _ => {
                let (a, b) = (self.number(depth), self.number(depth));
                self.terms.le(a, b)
            }
        }
    }

    fn literal(&mut self, depth: usize) -> Term {
        let atom = self.atom(depth);
        if self.below(2) == 0 { atom } else { self.terms.not(atom) }
    }

    fn formula(&mut self) -> Term {
        let parts: Vec<Term> = (0..3).map(|_| self.literal(1)).collect();
        match self.below(3) {
            0 => self.terms.or(&parts),
            1 => self.terms.and(&parts[..2]),
            _ => self.terms.ite(parts[0], parts[1], parts[2]),
        }
    }

    /// Comparisons that depend on each other, and a truth value.
    fn related(&mut self) -> Vec<Term> {
        let [x, y, z] = [self.numbers[0], self.numbers[1], self.numbers[2]];
        let by = self.below(3) as i64;
        let by = self.terms.int(by);
        let beyond = self.terms.plus(&[z, by]);
        let fx = self.terms.apply(self.f, &[x]);
        let t = &mut self.terms;
        vec![t.eq(x, y), t.eq(y, z), t.le(x, beyond), t.eq(x, z), t.lt(fx, y), self.truths[0]]
    }

    /// A region, commands that assign, and predicates.
    fn query(&mut self) -> (Vec<Term>, Vec<Term>) {
        let mut formula = Vec::new();
        let pool: Vec<Term> = match self.below(2) {
            0 => (0..4).map(|_| self.atom(1)).collect(),
            _ => self.related(),
        };
        let mut cubes = Vec::new();
        for _ in 0..8 + self.below(4 * pool.len() - 12) {
            let mut cube = Vec::new();
            for &atom in &pool {
                match self.below(3) {
                    0 => cube.push(atom),
                    1 => cube.push(self.terms.not(atom)),
                    _ => {}
                }
            }
            cubes.push(self.terms.and(&cube));
        }
        formula.push(self.terms.or(&cubes));
        let commands = ["c", "d"].map(|name| self.terms.var(name, Sort::Bool));
        formula.push(self.terms.or(&commands));
        let next = self.terms.var("next", Sort::Int);
        for c in commands {
            let value = self.number(1);
            let (assigned, not) = (self.terms.eq(next, value), self.terms.not(c));
            formula.push(self.terms.or2(not, assigned));
        }
        self.numbers.push(next);
        formula.push(self.formula());
        // Facts about the numbers that are compared.
        for _ in 0..self.below(3) {
            let at = self.below(3);
            let (a, b) = (self.numbers[at], self.numbers[(at + 1) % 3]);
            let by = self.below(3) as i64 - 1;
            let by = self.terms.int(by);
            let beyond = self.terms.plus(&[b, by]);
            formula.push(self.terms.le(a, beyond));
        }
        // Some predicates are of the region, as they are or under a command.
        let mut important = vec![pool[0]];
        let mut meanings = Vec::new();
        for &atom in pool.iter().skip(1).take(self.below(4)) {
            match self.below(2) {
                0 => important.push(atom),
                _ => {
                    let other = self.literal(1);
                    meanings.push(self.terms.ite(commands[0], atom, other));
                }
            }
        }
        meanings.push(self.formula());
        meanings.extend((0..1 + self.below(3)).map(|_| self.atom(2)));
        for (i, meaning) in meanings.into_iter().enumerate() {
            let name = self.terms.var(&format!("b{i}"), Sort::Bool);
            formula.push(self.terms.eq(name, meaning));
            important.push(name);
        }
        (formula, important)
    }
}

fn solver(terms: &Terms, formula: &[Term]) -> Solver {
    let mut solver = Solver::new(&Budget::unlimited());
    formula.iter().for_each(|&conjunct| solver.assert(terms, conjunct));
    solver
}

/// One question for each minterm.
fn by_questions(terms: &mut Terms, formula: &[Term], important: &[Term]) -> BTreeSet<Vec<bool>> {
    let mut solver = solver(terms, formula);
    let mut found = BTreeSet::new();
    for bits in 0..1u32 << important.len() {
        let minterm: Vec<bool> = (0..important.len()).map(|i| bits >> i & 1 == 1).collect();
        let literals: Vec<Term> =
            important.iter().zip(&minterm).map(|(&t, &value)| if value { t } else { terms.not(t) }).collect();
        if solver.check(terms, &literals) == Ok(Answer::Sat) {
            found.insert(minterm);
        }
    }
    found
}

#[test]
fn models_are_those_that_questions_find() {
    let mut sizes = BTreeSet::new();
    for seed in 1..120 {
        let mut random = Queries::new(seed);
        let (formula, important) = random.query();
        let terms = &mut random.terms;
        let expected = by_questions(terms, &formula, &important);
        sizes.insert(expected.len());
        let mut solver = solver(terms, &formula);
        // Twice, with what was learned: nothing stays blocked.
        for _ in 0..2 {
            let mut found = BTreeSet::new();
            let done = solver.enumerate(terms, &[], &important, &mut |model| {
                assert!(found.insert(model.to_vec()), "seed {seed}: a model is given twice");
                Cube::Minterm
            });
            assert_eq!(found, expected, "seed {seed}");
            assert_eq!(done.map(|done| done.complete), Ok(true));
        }
        // What is known is not visited, and assumptions count.
        let known: Vec<Vec<(usize, bool)>> =
            expected.iter().take(3).map(|minterm| minterm.iter().copied().enumerate().collect()).collect();
        let mut found = BTreeSet::new();
        let mut keep = |model: &[bool]| {
            found.insert(model.to_vec());
            Cube::Minterm
        };
        let assumed = [important[1]];
        let strategy = Strategy::InSearch;
        solver.enumerate_beyond(strategy, terms, &assumed, &important, &known, &mut keep).expect("an answer");
        let rest: BTreeSet<Vec<bool>> = expected.iter().skip(3).filter(|m| m[1]).cloned().collect();
        assert_eq!(found, rest, "seed {seed}");
    }
    assert!(sizes.len() > 4, "{sizes:?}");
}

/// All combinations of values that a product has.
fn minterms(product: &Product<'_>, count: usize) -> Vec<Vec<bool>> {
    let in_cube =
        |bits: u32, cube: &[(usize, bool)]| cube.iter().all(|&(at, value)| (bits >> at & 1 == 1) == value);
    let in_part = |bits: u32, part: &Part| part.cubes.iter().any(|cube| in_cube(bits, cube));
    (0..1u32 << count)
        .filter(|&bits| in_cube(bits, product.cube) && product.parts.iter().all(|part| in_part(bits, part)))
        .map(|bits| (0..count).map(|i| bits >> i & 1 == 1).collect())
        .collect()
}

#[test]
fn products_hold_models_alone_and_all_of_them() {
    compare_products(1..400);
}

#[test]
#[ignore = "a minute"]
fn products_of_many_queries() {
    compare_products(400..20_000);
}

fn compare_products(seeds: std::ops::Range<u64>) {
    let (mut wide, mut parts) = (0, 0);
    for seed in seeds {
        let mut random = Queries::new(1000 + seed);
        let (formula, important) = random.query();
        let terms = &mut random.terms;
        let expected = by_questions(terms, &formula, &important);
        let mut solver = solver(terms, &formula);
        let mut found = BTreeSet::new();
        let done = solver.enumerate_products(terms, &[], &important, &mut |product| {
            wide += usize::from(product.cube.len() < important.len());
            parts += product.parts.len();
            found.extend(minterms(product, important.len()));
            true
        });
        if done.expect("an answer").is_some() {
            assert_eq!(found, expected, "seed {seed}");
        }
    }
    assert!(wide > 150, "{wide} products are no minterms");
    assert!(parts > 50, "{parts} parts");
}

/// Bounds that contradict each other are a comparison too, but one that never holds.
#[test]
fn what_never_holds_is_not_let_go() {
    let mut t = Terms::new();
    let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::Int));
    let a = t.var("a", Sort::Bool);
    let (two, five) = (t.int(2), t.int(5));
    let (above, below) = (t.plus(&[x, two]), t.plus(&[y, five]));
    let (more, less) = (t.le(above, y), t.le(below, x));
    let chosen = t.ite(a, more, less);
    let never = t.and(&[more, less]);
    let mut solver = solver(&t, &[chosen]);
    let mut found = Vec::new();
    let done = solver.enumerate_products(&t, &[], &[a, never], &mut |product| {
        found.extend(minterms(product, 2));
        true
    });
    assert!(done.expect("an answer").is_some());
    assert!(found.iter().all(|minterm| !minterm[1]), "{found:?}");
}
