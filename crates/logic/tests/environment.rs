//! Executions followed together, with values chosen and paths joined, against executions one by one.

use tamis_logic::{Environment, Model, Path, Sort, Term, Terms, Value};
use tamis_testing::Random;

const WIDTH: u32 = 4;
const NUMBERS: usize = 3;
const ARRAYS: usize = 2;
const INPUTS: usize = 3;

enum Statement {
    Assign(Term, Term),
    Assume(Term),
    /// A branch; either side may give up.
    If(Term, Vec<Statement>, Vec<Statement>),
}

struct World {
    terms: Terms,
    numbers: Vec<Term>,
    arrays: Vec<Term>,
    inputs: Vec<Term>,
}

impl World {
    fn new() -> World {
        let mut terms = Terms::new();
        let word = Sort::BitVec(WIDTH);
        let memory = terms.array_sort(word, word);
        let mut named = |name: &str, count, sort| -> Vec<Term> {
            (0..count).map(|i| terms.var(&format!("{name}{i}"), sort)).collect()
        };
        let (numbers, arrays, inputs) =
            (named("x", NUMBERS, word), named("m", ARRAYS, memory), named("i", INPUTS, word));
        World { terms, numbers, arrays, inputs }
    }

    fn number(&mut self, random: &mut Random, depth: usize) -> Term {
        match if depth == 0 { random.below(3) } else { random.below(9) } {
            0 => self.terms.bits(WIDTH, random.below(16) as u128),
            1 => self.numbers[random.below(NUMBERS)],
            2 => self.inputs[random.below(INPUTS)],
            3 | 4 => {
                let (array, index) = (self.array(random, depth - 1), self.number(random, depth - 1));
                self.terms.select(array, index)
            }
            5 => {
                let condition = self.condition(random);
                let (a, b) = (self.number(random, depth - 1), self.number(random, depth - 1));
                self.terms.ite(condition, a, b)
            }
            7 => {
                let (a, b) = (self.number(random, depth - 1), self.number(random, depth - 1));
                self.terms.add(a, b)
            }
            // As a pointer to one of few objects is.
            6 => {
                let ends: Vec<Term> =
                    (0..3).map(|_| self.terms.bits(WIDTH, random.below(4) as u128)).collect();
                let (c, d) = (self.condition(random), self.condition(random));
                let choice = self.terms.ite(c, ends[0], ends[1]);
                self.terms.ite(d, choice, ends[2])
            }
            _ => {
                let (a, three) = (self.number(random, depth - 1), self.terms.bits(WIDTH, 3));
                self.terms.bv_and(a, three)
            }
        }
    }

    fn array(&mut self, random: &mut Random, depth: usize) -> Term {
        let array = self.arrays[random.below(ARRAYS)];
        if depth == 0 || random.below(3) == 0 {
            return array;
        }
        if random.below(4) == 0 {
            let condition = self.condition(random);
            let (a, b) = (self.array(random, depth - 1), self.array(random, depth - 1));
            return self.terms.ite(condition, a, b);
        }
        let (index, element) = (self.number(random, depth - 1), self.number(random, depth - 1));
        self.terms.store(array, index, element)
    }

    fn condition(&mut self, random: &mut Random) -> Term {
        let (a, b) = (self.number(random, 1), self.number(random, 0));
        match random.below(3) {
            0 => self.terms.eq(a, b),
            1 => self.terms.ult(a, b),
            _ => {
                let equal = self.terms.eq(a, b);
                let other = self.terms.ult(b, a);
                self.terms.or2(equal, other)
            }
        }
    }

    fn statements(&mut self, random: &mut Random, depth: usize) -> Vec<Statement> {
        let count = 1 + random.below(4);
        (0..count)
            .map(|_| match random.below(8) {
                0 | 1 => Statement::Assign(self.arrays[random.below(ARRAYS)], self.array(random, 2)),
                2 if random.below(3) == 0 => Statement::Assume(self.condition(random)),
                3..=5 if depth > 0 => {
                    let condition = self.condition(random);
                    let yes = self.statements(random, depth - 1);
                    Statement::If(condition, yes, self.statements(random, depth - 1))
                }
                _ => Statement::Assign(self.numbers[random.below(NUMBERS)], self.number(random, 2)),
            })
            .collect()
    }

    /// All executions together; where the sides of a branch are not joined at once, they are later.
    fn together(
        &mut self,
        random: &mut Random,
        statements: &[Statement],
        path: Path,
        values: Environment,
    ) -> Vec<(Path, Environment)> {
        let mut here = vec![(path, values)];
        for statement in statements {
            if random.below(3) > 0 {
                here = Path::join(&mut self.terms, here).into_iter().collect();
            }
            let mut next = Vec::new();
            for (path, mut values) in here {
                match statement {
                    Statement::Assign(var, value) => {
                        values.assign(&mut self.terms, &path, *var, *value);
                        next.push((path, values));
                    }
                    Statement::Assume(condition) => {
                        let met = values.read(&mut self.terms, &path, *condition);
                        let path = path.pass(&mut self.terms, &values, *condition, met);
                        next.extend(path.map(|path| (path, values)));
                    }
                    Statement::If(condition, yes, no) => {
                        let otherwise = self.terms.not(*condition);
                        for (condition, side) in [(*condition, yes), (otherwise, no)] {
                            let met = values.read(&mut self.terms, &path, condition);
                            if let Some(path) = path.pass(&mut self.terms, &values, condition, met) {
                                next.extend(self.together(random, side, path, values.clone()));
                            }
                        }
                    }
                }
            }
            here = next;
        }
        here
    }

    /// One execution; whether it comes to the end.
    fn alone(&self, statements: &[Statement], model: &mut Model) -> bool {
        statements.iter().all(|statement| match statement {
            Statement::Assign(var, value) => {
                let value = self.terms.eval(*value, model);
                model.set(*var, value);
                true
            }
            Statement::Assume(condition) => self.terms.eval(*condition, model).as_bool(),
            Statement::If(condition, yes, no) => {
                let side = if self.terms.eval(*condition, model).as_bool() { yes } else { no };
                self.alone(side, model)
            }
        })
    }
}

#[test]
fn together_is_as_one_by_one() {
    let (mut ended, mut stuck) = (0, 0);
    for seed in 0..600 {
        let random = &mut Random::new(seed);
        let mut world = World::new();
        let statements = world.statements(random, 3);
        let ends = world.together(random, &statements, Path::default(), Environment::default());
        let end = Path::join(&mut world.terms, ends);
        let variables = [world.numbers.clone(), world.arrays.clone()].concat();
        let (reached, values): (Term, Vec<Term>) = match &end {
            None => (world.terms.fals(), variables.clone()),
            Some((path, values)) => (
                path.term(&mut world.terms),
                variables.iter().map(|&v| values.read(&mut world.terms, path, v)).collect(),
            ),
        };
        for _ in 0..20 {
            let mut model = Model::new();
            for &word in world.numbers.iter().chain(&world.inputs) {
                model.set(word, Value::Bits(tamis_logic::Bits::new(WIDTH, random.below(16) as u128)));
            }
            for &array in &world.arrays {
                let sort = world.terms.sort(array);
                let zero = Value::Bits(tamis_logic::Bits::zero(WIDTH));
                let mut value = world.terms.constant_array(sort, zero);
                for index in 0..16 {
                    let element = Value::Bits(tamis_logic::Bits::new(WIDTH, random.below(16) as u128));
                    value.store(Value::Bits(tamis_logic::Bits::new(WIDTH, index)), element);
                }
                model.set(array, Value::Array(std::sync::Arc::new(value)));
            }
            let together = world.terms.eval_all(&values, &model);
            let comes_to_the_end = world.terms.eval(reached, &model).as_bool();
            let alone = world.alone(&statements, &mut model);
            assert_eq!(comes_to_the_end, alone, "seed {seed}");
            if alone {
                ended += 1;
                let one_by_one = world.terms.eval_all(&variables, &model);
                assert_eq!(together, one_by_one, "seed {seed}");
            } else {
                stuck += 1;
            }
        }
    }
    assert!(ended > 2000 && stuck > 200, "{ended} ended, {stuck} stuck");
}
