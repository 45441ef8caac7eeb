//! Checks designs with some engines, and what they answer: `designs ENGINE[,ENGINE…] SECONDS FILE…` prints for each file its verdict, the
//! processor time in seconds, and the file. So many seconds may be used on each of two cores. Proofs are checked by direct questions, executions by replay.

use std::process::ExitCode;
use std::time::Duration;
use tamis_cegar::{Outcome, Search, Silent, Statistics, Strategy, check};
use tamis_design::{Cycle, Design, DesignSystem, Run};
use tamis_front_rtl::{Options, load};
use tamis_logic::Terms;
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_system::{Invariants, System};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engines, seconds, files @ ..] = &arguments[..] else {
        eprintln!("designs ENGINE[,ENGINE…] SECONDS FILE…");
        return ExitCode::from(2);
    };
    let engines: Vec<String> = engines.split(',').map(|e| format!("\"{e}\"")).collect();
    let engines = engines.join(",");
    let Ok(Strategy { searches, .. }) = Strategy::from_toml(&format!("searches = [{engines}]")) else {
        eprintln!("searches as in a preset are expected");
        return ExitCode::from(2);
    };
    let Ok(seconds) = seconds.parse() else {
        eprintln!("a number of seconds is expected");
        return ExitCode::from(2);
    };
    let mut wrong = false;
    for file in files {
        let began = processor_time();
        let verdict = decide(&searches, Duration::from_secs_f64(seconds), file);
        wrong |= verdict.starts_with("WRONG");
        println!("{verdict}\t{:.2}\t{file}", (processor_time() - began).as_secs_f64());
    }
    ExitCode::from(u8::from(wrong))
}

/// The verdict on all properties of a file.
fn decide(searches: &[Search], time: Duration, file: &str) -> String {
    let mut terms = Terms::new();
    let source = match load(&mut terms, &[file.into()], &Options::default()) {
        Ok(source) => source,
        Err(e) => return format!("unreadable: {e:?}"),
    };
    let budget = Budget::new(None, Some(3 << 30));
    let limit = processor_time() + time * searches.len().min(2) as u32;
    let watched = budget.clone();
    std::thread::spawn(move || {
        while processor_time() < limit && watched.check().is_ok() {
            std::thread::sleep(Duration::from_millis(20));
        }
        watched.cancel(Stop::Timeout);
    });
    let mut verdict = "true".to_owned();
    for property in 0..source.design.properties.len() {
        let cone = source.design.cone(&terms, property);
        match one(searches, &mut terms, &cone, &budget) {
            v if v == "true" => {}
            v if v == "false" || v.starts_with("WRONG") => return v,
            v => verdict = v,
        }
    }
    budget.cancel(Stop::Cancelled);
    verdict
}

/// The processor time that this process has used: what a run takes on a machine that has other things to do as well.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = fields.get(11..13).into_iter().flatten().filter_map(|f| f.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

fn one(searches: &[Search], terms: &mut Terms, design: &Design, budget: &Budget) -> String {
    let system = DesignSystem::new(terms, design, 0);
    let strategy = Strategy { searches: searches.to_vec(), ..Strategy::default() };
    let (outcome, statistics) = check(terms, &system, &strategy, budget, &mut Silent);
    let Statistics { winner, bounded_depth, ic3, .. } = statistics;
    eprintln!("answered by {winner:?}; {bounded_depth} steps searched; {ic3:?}");
    match outcome {
        Outcome::Safe(invariants) if is_proof(terms, &system, &invariants) => "true".to_owned(),
        Outcome::Safe(_) => "WRONG proof".to_owned(),
        Outcome::Exhausted(_) | Outcome::KInductive(_) => "true".to_owned(),
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
