//! The two semantics of C against each other: along random executions of the interpreter, the automaton computes the same
//! values of the program's variables, edge by edge, and every summary's formula contains the composed steps.
//!
//! The programs are those of `regression/` and `examples/`. `lists_of_tasks` is for more of them: `TAMIS_TASKS` is a
//! file with a line `BITS PATH` for each program, `TAMIS_RUNS` the number of runs of each.

mod automaton;
mod compare;
mod record;
mod summaries;

use automaton::{ByPlace, run};
use compare::{Agreement, compare};
use std::path::{Path, PathBuf};
use tamis_front_c::{DataModel, Options, Target};
use tamis_interpreter_c::alignment::PlainNames;
use tamis_interpreter_c::interpreter::{Outcome, Value};
use tamis_logic::Terms;
use tamis_program::{Undefined, simplify};

#[derive(Default, Debug)]
struct Counts {
    runs: usize,
    steps: usize,
    full: usize,
    approximated: usize,
    blocks: usize,
    refused: usize,
    marked: usize,
    wrong: Vec<String>,
}

/// Runs a program several times in both ways.
fn program(path: &Path, model: DataModel, runs: u64, steps: u64, blocks: usize, counts: &mut Counts) {
    let options = Options { data_model: model, ..Options::default() };
    let mut terms = Terms::new();
    let Ok(lowered) = tamis_front_c::load(&[path], &options, &mut terms) else {
        counts.refused += 1;
        return;
    };
    let unit = tamis_front_c::read(&[path], &options).expect("it was read before");
    let plain = PlainNames::new(&unit);
    let simplified = simplify(&lowered, &mut terms).program;
    for seed in 0..runs {
        let fill = (seed % 2) as u8;
        let record = record::record(&unit, &plain, seed, fill, steps);
        let mut inputs = record.inputs.clone();
        if let Some(main) = unit.main()
            && let Some(&argc) = unit[main].params.first()
        {
            inputs.entry(unit[argc].name.clone()).or_default().push_front(Value::Int(1));
        }
        let limit = steps as usize * 6;
        let execution = run(&terms, &lowered, &mut inputs, fill, limit);
        counts.runs += 1;
        counts.steps += execution.steps.len();
        let mut wrong = |what: String| counts.wrong.push(format!("{}, seed {seed}: {what}", path.display()));
        match compare(&lowered, &plain, &record, &execution) {
            Agreement::Full => counts.full += 1,
            Agreement::UntilApproximation => counts.approximated += 1,
            Agreement::Disagreement(what) => wrong(what),
        }
        match summaries::check(&mut terms, &lowered, &execution, blocks) {
            Ok(number) => counts.blocks += number,
            Err(what) => wrong(what),
        }
        let shorter = run(&terms, &simplified, &mut ByPlace::of(&lowered, &execution), fill, limit);
        let same = std::mem::discriminant(&shorter.end) == std::mem::discriminant(&execution.end);
        if !same && execution.end != automaton::End::Limit && execution.approximated.is_none() {
            wrong(format!("{:?}, and {:?} after simplification", execution.end, shorter.end));
        }
        match summaries::check(&mut terms, &simplified, &shorter, blocks) {
            Ok(number) => counts.blocks += number,
            Err(what) => wrong(format!("simplified: {what}")),
        }
    }
}

/// Undefined behaviour that the interpreter meets is marked on the automaton's way, and the other way round.
fn marks(path: &Path, model: DataModel, runs: u64, steps: u64, counts: &mut Counts) {
    let options = Options { data_model: model, target: Target::Nothing, ..Options::default() };
    let mut terms = Terms::new();
    let Ok(lowered) = tamis_front_c::load(&[path], &options, &mut terms) else { return };
    let unit = tamis_front_c::read(&[path], &options).expect("it was read before");
    let plain = PlainNames::new(&unit);
    for seed in 0..runs {
        let fill = (seed % 2) as u8;
        let record = record::record(&unit, &plain, seed, fill, steps);
        let mut inputs = record.inputs.clone();
        if let Some(main) = unit.main()
            && let Some(&argc) = unit[main].params.first()
        {
            inputs.entry(unit[argc].name.clone()).or_default().push_front(Value::Int(1));
        }
        let execution = run(&terms, &lowered, &mut inputs, fill, steps as usize * 12);
        let limited = matches!(record.outcome, Outcome::Limit(..) | Outcome::Unsupported { .. });
        if limited || execution.end == automaton::End::Limit || execution.approximated.is_some() {
            continue;
        }
        counts.marked += record.undefined.len();
        let missed: Vec<_> = record.undefined.difference(&execution.undefined).collect();
        let extra: Vec<_> = execution.undefined.difference(&record.undefined).collect();
        // The interpreter stops where an access fails.
        let stopped = matches!(record.outcome, Outcome::Undefined { .. });
        let extra = extra.into_iter().filter(|&&kind| !stopped && kind != Undefined::OutOfBounds).count();
        if !missed.is_empty() || extra > 0 {
            let (seen, marked) = (&record.undefined, &execution.undefined);
            counts
                .wrong
                .push(format!("{}, seed {seed}: {seen:?} is seen, {marked:?} marked", path.display()));
        }
    }
}

fn sources(below: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(below).expect("a readable folder").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

#[test]
fn regression_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    sources(&root.join("regression"), &mut found);
    sources(&root.join("examples"), &mut found);
    let mut counts = Counts::default();
    for path in &found {
        program(path, DataModel::Lp64, 4, 300, 12, &mut counts);
        marks(path, DataModel::Lp64, 4, 300, &mut counts);
    }
    println!("{} programs: {counts:?}", found.len());
    assert!(counts.wrong.is_empty(), "{}", counts.wrong.join("\n"));
    assert!(counts.full > found.len() * 2, "too few runs say something: {counts:?}");
    assert!(counts.blocks > counts.runs, "too few blocks: {counts:?}");
}

#[test]
#[ignore = "needs a list of programs, and time"]
fn lists_of_tasks() {
    let list = std::env::var("TAMIS_TASKS").expect("TAMIS_TASKS names a file");
    let runs = std::env::var("TAMIS_RUNS").map_or(3, |n| n.parse().expect("a number"));
    let mut all = Counts::default();
    let text = std::fs::read_to_string(list).expect("the list");
    for line in text.lines() {
        let (bits, path) = line.split_once(' ').expect("BITS PATH");
        let model = if bits == "32" { DataModel::Ilp32 } else { DataModel::Lp64 };
        let mut counts = Counts::default();
        program(Path::new(path), model, runs, 1000, 20, &mut counts);
        marks(Path::new(path), model, runs, 1000, &mut counts);
        println!("{path}: {counts:?}");
        all.runs += counts.runs;
        all.steps += counts.steps;
        all.full += counts.full;
        all.approximated += counts.approximated;
        all.blocks += counts.blocks;
        all.refused += counts.refused;
        all.marked += counts.marked;
        all.wrong.extend(counts.wrong);
    }
    println!("{} programs: {all:?}", text.lines().count());
    assert!(all.wrong.is_empty(), "{}", all.wrong.join("\n"));
}
