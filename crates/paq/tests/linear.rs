//! The linear reading of bit-vectors against their meaning: over all values of small vectors.

use tamis_logic::{Model, Sort, Term, Terms, Value};
use tamis_paq::{LinearReading, TwoVariables};
use tamis_solver::{Answer, Budget, Solver};
use tamis_testing::Random;

const WIDTH: u32 = 3;

fn vector(terms: &mut Terms, random: &mut Random, vars: &[Term], depth: u32) -> Term {
    if depth == 0 || random.below(5) == 0 {
        return match random.below(3) {
            0 => terms.bits(WIDTH, random.below(8u128)),
            _ => vars[random.below(vars.len() as u64) as usize],
        };
    }
    let a = vector(terms, random, vars, depth - 1);
    let b = vector(terms, random, vars, depth - 1);
    let constant = terms.bits(WIDTH, 1 + random.below(7u128));
    match random.below(13) {
        0 | 1 => terms.add(a, b),
        2 => terms.sub(a, b),
        3 => terms.neg(a),
        4 => terms.mul(a, constant),
        5 => terms.bv_not(a),
        6 => terms.shl(a, constant),
        7 => terms.lshr(a, constant),
        8 => terms.udiv(a, constant),
        9 => terms.urem(a, constant),
        10 => {
            let low = terms.extract(1, 0, a);
            if random.below(2) == 0 {
                terms.resize(WIDTH, true, low)
            } else {
                terms.resize(WIDTH, false, low)
            }
        }
        11 => {
            let mask = terms.bits(WIDTH, 3);
            terms.bv_and(a, mask)
        }
        _ => {
            let condition = comparison(terms, random, a, b);
            terms.ite(condition, a, b)
        }
    }
}

fn comparison(terms: &mut Terms, random: &mut Random, a: Term, b: Term) -> Term {
    match random.below(3) {
        0 => terms.eq(a, b),
        1 => terms.ult(a, b),
        _ => terms.slt(a, b),
    }
}

fn formula(terms: &mut Terms, random: &mut Random, vars: &[Term], depth: u32) -> Term {
    if depth == 0 {
        let (a, b) = (vector(terms, random, vars, 2), vector(terms, random, vars, 2));
        return comparison(terms, random, a, b);
    }
    let (a, b) = (formula(terms, random, vars, depth - 1), formula(terms, random, vars, depth - 1));
    match random.below(3) {
        0 => terms.and2(a, b),
        1 => terms.or2(a, b),
        _ => terms.not(a),
    }
}

/// Whether some values of the variables satisfy a formula.
fn has_model(terms: &mut Terms, vars: &[Term], formula: Term) -> bool {
    (0..1u128 << (WIDTH * vars.len() as u32)).any(|n| {
        let mut model = Model::new();
        for (i, &var) in vars.iter().enumerate() {
            let bits = tamis_logic::Bits::new(WIDTH, n >> (WIDTH * i as u32));
            model.set(var, Value::Bits(bits));
        }
        terms.eval(formula, &model).as_bool()
    })
}

fn satisfiable(terms: &mut Terms, assertions: &[Term]) -> bool {
    let mut solver = Solver::new(&Budget::unlimited());
    for &a in assertions {
        solver.assert(terms, a);
    }
    matches!(solver.check(terms, &[]).expect("no limit"), Answer::Sat)
}

#[test]
fn a_reading_is_satisfiable_just_where_the_formula_is() {
    let (mut exact, mut satisfied) = (0, 0);
    for seed in 1..=1500 {
        let (mut terms, mut random) = (Terms::new(), Random::new(seed));
        let vars = ["x", "y"].map(|name| terms.var(name, Sort::BitVec(WIDTH)));
        let formula = formula(&mut terms, &mut random, &vars, 2);
        let expected = has_model(&mut terms, &vars, formula);
        let mut reading = LinearReading::new();
        let mut read = vec![reading.formula(&mut terms, formula)];
        read.extend(reading.take_constraints());
        let found = satisfiable(&mut terms, &read);
        if reading.is_exact() {
            assert_eq!(found, expected, "seed {seed}: {}", terms.to_smtlib(formula));
            exact += 1;
        }
        assert!(found || !expected, "seed {seed}: {}", terms.to_smtlib(formula));
        satisfied += usize::from(expected);
        let mut restriction = TwoVariables::new();
        let restricted: Vec<Term> = read.iter().map(|&part| restriction.formula(&mut terms, part)).collect();
        assert!(satisfiable(&mut terms, &restricted) || !found, "seed {seed}: {}", terms.to_smtlib(formula));
        assert!(restricted.iter().flat_map(|&r| terms.atoms(r)).all(|a| terms.free_vars(a).len() <= 2));
    }
    assert!(exact > 1200, "only {exact} exact readings");
    assert!(satisfied > 100 && satisfied < 1450, "{satisfied} satisfiable formulas");
}

#[test]
fn a_product_of_variables_is_any_number() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::BitVec(8)));
    let (product, three) = (terms.mul(x, y), terms.bits(8, 3));
    let formula = terms.ult(product, three);
    let mut reading = LinearReading::new();
    let read = reading.formula(&mut terms, formula);
    assert!(!reading.is_exact());
    let otherwise = terms.not(read);
    let constraints = reading.take_constraints();
    assert!(satisfiable(&mut terms, &[&constraints[..], &[read]].concat()));
    assert!(satisfiable(&mut terms, &[&constraints[..], &[otherwise]].concat()));
}
