//! With [`CHECKED`](super::CHECKED), whatever is found on the way is held against its definition.

use super::Names;
use crate::cegar::Run;
use crate::refine::generate::{Random, TinyProgram};
use crate::{Interpolation, Silent, Source, Strategy, preset};
use std::time::Duration;
use tamis_logic::Terms;
use tamis_paq::Interrupted;
use tamis_program::ProgramSystem;
use tamis_solver::{Budget, Stop};

/// Runs the loop on random programs; tells how many of them have been refined.
fn run_all(strategy: &Strategy, make: impl Fn(&mut Random) -> TinyProgram, programs: u64) -> usize {
    let mut refined = 0;
    for seed in 0..programs {
        let mut terms = Terms::new();
        let program = make(&mut Random::new(seed)).build(&mut terms);
        let system = ProgramSystem::over(&terms, &program, strategy.summary.parse().expect("a summary"));
        let (budget, mut silent) = (Budget::with_timeout(Duration::from_secs(20)), Silent);
        let mut run = Run::new(&mut terms, &system, strategy, &budget, &mut silent);
        match run.cegar(strategy) {
            Ok(_) | Err(Interrupted::Stopped(Stop::Timeout)) => {}
            Err(why) => panic!("{why:?}"),
        }
        refined += usize::from(run.statistics().iterations > 1);
    }
    refined
}

#[test]
fn interpolants_of_random_programs() {
    for interpolation in [Interpolation::McMillan, Interpolation::Dual] {
        let mut strategy = preset("interpolation").expect("a preset").expect("it can be read");
        assert_eq!(strategy.refinement.source, Source::Interpolants);
        strategy.refinement.interpolation = interpolation;
        for summary in ["cutset", "sbe"] {
            strategy.summary = summary.to_owned();
            assert!(run_all(&strategy, TinyProgram::looping, 60) > 12);
            assert!(run_all(&strategy, TinyProgram::with_memory, 60) > 12);
        }
    }
}

/// The names of words are the same for all paths.
#[test]
fn names_are_kept() {
    let mut terms = Terms::new();
    let p = terms.var("p", tamis_logic::Sort::Bool);
    let mut names = Names::default();
    let first = names.literal(&mut terms, 1, p);
    assert_eq!(names.literal(&mut terms, 1, p), first);
    assert_ne!(names.literal(&mut terms, 2, p), first);
}
