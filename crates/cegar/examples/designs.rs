//! Checks designs with one engine, and what it answers: `designs ENGINE SECONDS FILE…` prints for each file its verdict, the
//! time in seconds, and the file. Proofs are checked by direct questions, executions by replay.

use std::process::ExitCode;
use std::time::{Duration, Instant};
use tamis_cegar::{Outcome, Silent, Strategy, check, ic3};
use tamis_design::{Cycle, Design, DesignSystem, Run};
use tamis_front_rtl::{Options, load};
use tamis_logic::Terms;
use tamis_solver::{Answer, Budget, Solver};
use tamis_system::{Invariants, System};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, seconds, files @ ..] = &arguments[..] else {
        eprintln!("designs ENGINE SECONDS FILE…");
        return ExitCode::from(2);
    };
    let Ok(seconds) = seconds.parse() else {
        eprintln!("a number of seconds is expected");
        return ExitCode::from(2);
    };
    let mut wrong = false;
    for file in files {
        let began = Instant::now();
        let verdict = decide(engine, Duration::from_secs_f64(seconds), file);
        wrong |= verdict.starts_with("WRONG");
        println!("{verdict}\t{:.2}\t{file}", began.elapsed().as_secs_f64());
    }
    ExitCode::from(u8::from(wrong))
}

/// The verdict on all properties of a file.
fn decide(engine: &str, time: Duration, file: &str) -> String {
    let mut terms = Terms::new();
    let source = match load(&mut terms, &[file.into()], &Options::default()) {
        Ok(source) => source,
        Err(e) => return format!("unreadable: {e:?}"),
    };
    let budget = Budget::new(Instant::now().checked_add(time), Some(3 << 30));
    let mut verdict = "true".to_owned();
    for property in 0..source.design.properties.len() {
        let cone = source.design.cone(&terms, property);
        match one(engine, &mut terms, &cone, &budget) {
            v if v == "true" => {}
            v if v == "false" || v.starts_with("WRONG") => return v,
            v => verdict = v,
        }
    }
    verdict
}

fn one(engine: &str, terms: &mut Terms, design: &Design, budget: &Budget) -> String {
    let system = DesignSystem::new(terms, design, 0);
    let outcome = match engine {
        "ic3" => ic3(terms, &system, budget).unwrap_or_else(Outcome::Unknown),
        "loop" => {
            let strategy = Strategy { bounded_search: false, ..Strategy::default() };
            check(terms, &system, &strategy, budget, &mut Silent).0
        }
        _ => check(terms, &system, &Strategy::default(), budget, &mut Silent).0,
    };
    match outcome {
        Outcome::Safe(invariants) if is_proof(terms, &system, &invariants) => "true".to_owned(),
        Outcome::Safe(_) => "WRONG proof".to_owned(),
        Outcome::Exhausted(_) => "true".to_owned(),
        Outcome::Unsafe(trace) => match Run::new(terms, design, &DesignSystem::stimulus(&trace)) {
            Ok(run) if run.violates(terms, design, 0) => "false".to_owned(),
            _ => "WRONG execution".to_owned(),
        },
        Outcome::Unknown(why) => format!("unknown {why:?}"),
    }
}

/// Whether formulas are a proof: every step from where the formula of its start holds leads to where that of its end does.
fn is_proof(terms: &mut Terms, system: &DesignSystem<'_>, invariants: &Invariants) -> bool {
    let steps: Vec<_> = (0..).map(tamis_system::StepId).zip(system.steps()).collect();
    steps.into_iter().all(|(id, ends)| {
        let mut formula = system.encode(terms, id, &system.symbolic());
        let mut solver = Solver::new(&Budget::unlimited());
        solver.assert(terms, invariants[ends.from]);
        formula.constraints.iter().for_each(|&c| solver.assert(terms, c));
        let after = system.read(terms, &mut formula.post, invariants[ends.to]);
        let not = terms.not(after);
        solver.assert(terms, not);
        solver.check(terms, &[]) == Ok(Answer::Unsat)
    }) && system.only_path(tamis_system::StepId(0)) == Some(vec![Cycle::Reset])
}
