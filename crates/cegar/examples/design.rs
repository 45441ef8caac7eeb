//! Checks a property of a design under a preset, with the work that it took: the answer, seconds of the processor, iterations,
//! predicates, the longest counterexample in steps.
//!
//! `design FILE PRESET [--timeout S] [--property N] [--top MODULE] [--include FOLDER] [--trace]`

use std::path::PathBuf;
use std::time::{Duration, Instant};
use tamis_cegar::{Iteration, Observer, Outcome, Statistics, Strategy, check, preset};
use tamis_design::DesignSystem;
use tamis_diagram::Bdd;
use tamis_logic::Terms;
use tamis_solver::{Answer, Budget, Solver};
use tamis_system::{Invariants, StepId, System};

struct Tell(bool);

impl Observer for Tell {
    fn image(&mut self, _: &Bdd) {}

    fn iteration(&mut self, terms: &Terms, statistics: &Statistics, iteration: &Iteration) {
        if !self.0 {
            return;
        }
        let steps = iteration.counterexample.as_ref().map_or(0, |c| c.steps.len());
        eprintln!(
            "iteration {}: {} predicates, trace of {steps} steps",
            statistics.iterations, statistics.predicates
        );
        for (point, formulas) in &iteration.predicates {
            for &f in formulas {
                let text = terms.to_smtlib(f);
                eprintln!("  at {}: {}", point.0, text.chars().take(150).collect::<String>());
            }
        }
        if let Some(control) = &iteration.control {
            for (variable, fate) in &control.variables {
                eprintln!("  {}: {fate}", terms.to_smtlib(*variable));
            }
        }
    }
}

/// Whether formulas are inductive and false at the error.
fn is_proof(terms: &mut Terms, system: &DesignSystem<'_>, proof: &Invariants) -> bool {
    (0..system.steps().len()).all(|i| {
        let ends = system.steps()[i];
        let mut formula = system.encode(terms, StepId(i as u32), &system.symbolic());
        let mut solver = Solver::new(&Budget::unlimited());
        formula.constraints.iter().for_each(|&c| solver.assert(terms, c));
        solver.assert(terms, proof[ends.from]);
        let after = system.read(terms, &mut formula.post, proof[ends.to]);
        let not = terms.not(after);
        solver.assert(terms, not);
        solver.check(terms, &[]) == Ok(Answer::Unsat)
    })
}

/// The seconds of the processor that this process has taken; wall-clock time where the system does not tell.
fn processor_time(start: Instant) -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks: Vec<f64> =
        stat.rsplit(')').next().unwrap_or("").split(' ').filter_map(|t| t.parse().ok()).collect();
    match ticks.get(10..12) {
        Some([user, system]) => (user + system) / TICKS_PER_SECOND,
        _ => start.elapsed().as_secs_f64(),
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1));
    let number =
        |name: &str, otherwise: usize| value(name).map_or(otherwise, |v| v.parse().expect("a number"));
    let (file, name) = (PathBuf::from(&args[0]), &args[1]);
    let strategy = match preset(name) {
        Some(strategy) => strategy.expect("a preset that can be read"),
        None => Strategy::from_toml(&std::fs::read_to_string(name).expect("a preset")).expect("a preset"),
    };
    let mut terms = Terms::new();
    let options = tamis_front_rtl::Options {
        top: value("--top").cloned(),
        include: value("--include").map(PathBuf::from).into_iter().collect(),
        ..Default::default()
    };
    let source = tamis_front_rtl::load(&mut terms, &[file], &options).expect("a design");
    let property = number("--property", 0);
    let design = source.design.cone(&terms, property);
    let system = DesignSystem::new(&mut terms, &design, 0);
    let bits: u32 = design.state().map(|v| terms.sort(v).width().unwrap_or(1)).sum();
    let start = Instant::now();
    let before = processor_time(start);
    let budget = Budget::with_timeout(Duration::from_secs(number("--timeout", 60) as u64));
    let mut tell = Tell(args.iter().any(|a| a == "--trace"));
    let (outcome, statistics) = check(&mut terms, &system, &strategy, &budget, &mut tell);
    let time = processor_time(start) - before;
    let answer = match outcome {
        Outcome::Safe(proof) if is_proof(&mut terms, &system, &proof) => "true".to_owned(),
        Outcome::Safe(_) => "WRONG".to_owned(),
        Outcome::Exhausted(_) | Outcome::KInductive(_) => "exhausted".to_owned(),
        Outcome::Unsafe(trace) => {
            let run = tamis_design::Run::new(&terms, &design, &DesignSystem::stimulus(&trace));
            let real = run.is_ok_and(|run| run.violates(&terms, &design, 0));
            if real { "false".to_owned() } else { "WRONG".to_owned() }
        }
        Outcome::Unknown(why) => format!("{why:?}"),
    };
    println!(
        "{answer}\t{time:.2}\t{}\t{}\t{}\tregisters {} ({bits})",
        statistics.iterations,
        statistics.predicates,
        statistics.longest_trace,
        design.registers.len()
    );
}
