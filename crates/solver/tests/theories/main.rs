//! Every logic on random formulas: against z3, and against itself one question at a time.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

#[path = "../common/mod.rs"]
mod common;
mod enumeration;
mod examples;
mod generate;

use generate::{Generator, LOGICS, Logic, Random};
use std::process::Command;
use std::time::Duration;
use tamis_logic::{Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_testing::z3;

/// How many seconds a formula may take. Only mixed problems without bounds may take more: branching need not end there.
const PATIENCE: u64 = 5;

/// Checks random formulas of `logic` with z3; how many are unsatisfiable.
fn compare(z3: &str, logic: Logic, seed: u64, count: usize) -> usize {
    let mut random = Random::new(seed);
    let mut undecided = 0;
    let mut scripts = String::new();
    let mut answers: Vec<(&str, String)> = Vec::new();
    for _ in 0..count {
        let mut terms = Terms::new();
        let formulas = Generator::new(&mut terms, &mut random, logic).query();
        let budget = Budget::with_timeout(Duration::from_secs(PATIENCE));
        let answer = check_in_steps(&budget, &terms, &formulas, &mut random);
        if answer == Err(Stop::Timeout) && logic == Logic::Lira {
            undecided += 1;
            continue;
        }
        let answer = answer.unwrap();
        // The logic is left out: z3 is stricter about what belongs to one.
        let script = terms.to_smtlib_script(&formulas);
        let script: String =
            script.lines().filter(|l| !l.starts_with("(set-logic")).collect::<Vec<_>>().join("\n");
        scripts.push_str(&script);
        scripts.push_str("\n(reset)\n");
        answers.push((if answer == Answer::Sat { "sat" } else { "unsat" }, script));
    }
    let path = std::env::temp_dir().join(format!("tamis-{logic:?}-{seed}-{}.smt2", std::process::id()));
    std::fs::write(&path, scripts).unwrap();
    let out = Command::new(z3).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    let out = String::from_utf8(out.stdout).unwrap();
    let theirs: Vec<&str> = out.lines().collect();
    assert_eq!(theirs.len(), answers.len(), "{out}");
    for ((ours, script), theirs) in answers.iter().zip(theirs) {
        assert_eq!(ours, &theirs, "{logic:?}, seed {seed}:\n{script}");
    }
    assert!(undecided * 50 <= count, "{undecided} of {count} undecided");
    answers.iter().filter(|(ours, _)| *ours == "unsat").count()
}

/// The answer, asked in a random way: some formulas asserted, some assumed, some only later. Cores are checked.
fn check_in_steps(
    budget: &Budget,
    terms: &Terms,
    formulas: &[Term],
    random: &mut Random,
) -> Result<Answer, Stop> {
    let mut solver = Solver::new(budget);
    solver.set_theory_propagation(random.below(4) > 0);
    let (asserted, assumed) = formulas.split_at(random.below(formulas.len() + 1));
    for (i, &formula) in asserted.iter().enumerate() {
        solver.assert(terms, formula);
        if i % 3 == 1 && random.coin() && solver.check(terms, &[])? == Answer::Unsat {
            return Ok(Answer::Unsat);
        }
    }
    let answer = solver.check(terms, assumed)?;
    if answer == Answer::Sat {
        let vars = terms.free_vars_of(formulas);
        let model = solver.model(terms, &vars);
        assert!(terms.eval_all(formulas, &model).iter().all(|v| v.as_bool()), "not a model");
        for &formula in formulas {
            assert!(solver.value(terms, formula).as_bool());
        }
        return Ok(answer);
    }
    let core = solver.core().to_vec();
    assert_eq!(solver.check(terms, &core), Ok(Answer::Unsat), "the core is satisfiable");
    if random.below(4) == 0 {
        let minimal = solver.minimize_core(terms, &core)?;
        let mut fresh = Solver::new(&Budget::unlimited());
        asserted.iter().for_each(|&f| fresh.assert(terms, f));
        assert_eq!(fresh.check(terms, &minimal), Ok(Answer::Unsat), "the minimal core is satisfiable");
    }
    Ok(answer)
}

fn short(logic: Logic) {
    let Some(z3) = z3() else { return };
    let count = 250;
    let unsat = compare(&z3, logic, 1, count);
    assert!((count / 20..count - count / 20).contains(&unsat), "{unsat} of {count} unsatisfiable: one-sided");
}

macro_rules! short {
    ($($name:ident: $logic:ident,)*) => {
        $(#[test] fn $name() { short(Logic::$logic); })*
    };
}

short! {
    uf_agrees_with_z3: Uf,
    idl_agrees_with_z3: Idl,
    rdl_agrees_with_z3: Rdl,
    lia_agrees_with_z3: Lia,
    lra_agrees_with_z3: Lra,
    uflia_agrees_with_z3: UfLia,
    uflra_agrees_with_z3: UfLra,
    ax_agrees_with_z3: Ax,
    auflia_agrees_with_z3: AufLia,
    abv_agrees_with_z3: Abv,
    ufbv_agrees_with_z3: UfBv,
    aufbv_agrees_with_z3: AufBv,
    lira_agrees_with_z3: Lira,
    nested_arrays_agree_with_z3: Nested,
}

/// `TAMIS_LOGIC` names one logic, `TAMIS_COUNT` how many formulas, `TAMIS_SEED` where to begin.
#[test]
#[ignore = "long"]
fn many_formulas_agree_with_z3() {
    let Some(z3) = z3() else { return };
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let only = std::env::var("TAMIS_LOGIC").ok();
    let (count, first) = (number("TAMIS_COUNT", 20_000), number("TAMIS_SEED", 1000));
    for logic in LOGICS {
        if only.as_ref().is_some_and(|only| *only != format!("{logic:?}")) {
            continue;
        }
        let mut unsat = 0;
        for batch in 0..count / 200 {
            unsat += compare(&z3, logic, first + batch, 200);
        }
        println!("{logic:?}: {count} formulas from seed {first}, {unsat} unsatisfiable");
    }
}
