//! Random programs over at most three variables of 4 to 8 bits: the verdict of the loop, with its evidence checked,
//! against the exploration of all states by a separate, direct interpreter.

mod explicit;
mod generate;

use explicit::reaches_error;
use generate::{Rng, TinyProgram};
use tamis_cegar::{Configuration, Outcome, Point, ProgramSystem, Silent};
use tamis_evidence::{Certificate, certify, replay};
use tamis_logic::Terms;
use tamis_paq::{AllSat, Cartesian, Engine};
use tamis_solver::{Budget, Stop};

/// How many programs are tried.
const PROGRAMS: u64 = 2000;

/// The loop's verdict on a program and how many abstractions it took; `None` if it did not reach one in time.
fn verdict(tiny: &TinyProgram, engine: Box<dyn Engine>) -> Option<(bool, usize)> {
    let mut terms = Terms::new();
    let program = tiny.build(&mut terms);
    let system = ProgramSystem::new(&terms, &program);
    let budget = Budget::with_timeout(std::time::Duration::from_secs(60));
    let configuration = Configuration { engine, ..Configuration::default() };
    let (outcome, statistics) = tamis_cegar::check(&mut terms, &system, &configuration, &budget, &mut Silent);
    match outcome {
        Outcome::Safe(invariants) => {
            let at = |i: usize| system.location(Point(i as u32));
            let invariants = invariants.into_iter().enumerate().map(|(i, inv)| (at(i), inv)).collect();
            let certificate = Certificate { invariants };
            certify(&mut terms, &program, &certificate, &budget).expect("a proof is certified");
            Some((true, statistics.iterations))
        }
        Outcome::Unsafe(trace) => {
            replay(&terms, &program, &trace.initial, &trace.execution).expect("a counterexample is replayed");
            Some((false, statistics.iterations))
        }
        Outcome::Unknown(tamis_cegar::GaveUp::Interrupted(tamis_paq::Interrupted::Stopped(
            Stop::Timeout,
        ))) => None,
        Outcome::Unknown(why) => panic!("gave up on a small program: {why:?}"),
    }
}

#[test]
fn verdicts_agree_with_explicit_exploration() {
    let (mut safe, mut unsafe_, mut late, mut refined) = (0, 0, 0, 0);
    for seed in 0..PROGRAMS {
        let rng = &mut Rng::new(seed);
        let tiny = if seed % 2 == 0 { TinyProgram::random(rng) } else { TinyProgram::looping(rng) };
        let engine: Box<dyn Engine> = if seed % 8 > 5 { Box::new(Cartesian) } else { Box::new(AllSat) };
        let expected = !reaches_error(&tiny);
        match verdict(&tiny, engine) {
            Some((found, iterations)) => {
                assert_eq!(found, expected, "seed {seed}: {tiny:#?}");
                refined += u64::from(iterations > 1);
            }
            None => late += 1,
        }
        if expected { safe += 1 } else { unsafe_ += 1 }
    }
    println!("{safe} safe, {unsafe_} unsafe, {refined} refined, {late} without a verdict in time");
    // The generator is of no use if one verdict hardly occurs, and the loop of none if it does not end.
    assert!(safe > PROGRAMS / 5 && unsafe_ > PROGRAMS / 5 && refined > PROGRAMS / 5);
    assert_eq!(late, 0, "programs without a verdict");
}
