//! Executions, broken: `replay` accepts those of the automaton, and `reproduce` those whose inputs lead a compiled
//! program to the violation.

use super::programs::{Random, Subject, search, with_verdict};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tamis_cegar::Outcome;
use tamis_evidence::{Replay, replay};
use tamis_front_c::{DataModel, Options};
use tamis_interpreter_c::reproduce;
use tamis_logic::{Bits, Model, Substitution, Terms, Value};
use tamis_program::{Command as Step, EdgeId, Execution, Havoc, Program, executed};
use tamis_solver::{Answer, Budget, Solver};

/// An execution with one thing changed.
fn mutate(program: &Program, execution: &Execution, random: &mut Random) -> Execution {
    let mut changed = execution.clone();
    let at = random.below(changed.len());
    match random.below(6) {
        0 => drop(changed.remove(at)),
        1 => changed.insert(at, changed[at].clone()),
        2 => {
            let with = random.below(changed.len());
            changed.swap(at, with);
        }
        3 => {
            let edges: Vec<EdgeId> = program.edge_ids().collect();
            changed[at].0 = edges[random.below(edges.len())];
        }
        // The other way at a branch.
        4 => {
            let ways = program.outgoing(program.edge(changed[at].0).from);
            changed[at].0 = ways[random.below(ways.len())];
        }
        _ => change_value(&mut changed, random),
    }
    changed
}

/// Changes a value that was chosen.
fn change_value(execution: &mut Execution, random: &mut Random) {
    let chosen: Vec<usize> =
        (0..execution.len()).filter(|&i| matches!(execution[i].1, Some(Value::Bits(_)))).collect();
    let Some(&at) = chosen.get(random.below(chosen.len())) else { return };
    if let Some(Value::Bits(bits)) = &execution[at].1 {
        execution[at].1 = Some(Value::Bits(other(bits, random)));
    }
}

fn other(bits: &Bits, random: &mut Random) -> Bits {
    let old = bits.to_u128().unwrap_or_default();
    let new = match random.below(4) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => 0,
        _ => old ^ (1 << random.below(bits.width() as usize)),
    };
    Bits::new(bits.width(), new)
}

/// Whether an execution is one of the program: its edges hang together, and its path condition holds with these values, by a
/// solver.
fn is_execution(terms: &mut Terms, program: &Program, initial: &Model, execution: &Execution) -> bool {
    let mut at = program.entry();
    let mut solver = Solver::new(&Budget::unlimited());
    let mut values = Substitution::new();
    for variable in program.variables() {
        let value = initial.get(variable.term).cloned();
        let value = value.unwrap_or_else(|| terms.default_value(terms.sort(variable.term)));
        let value = terms.value(value);
        values.insert(variable.term, value);
    }
    for (e, input) in execution {
        let edge = program.edge(*e);
        if edge.from != at {
            return false;
        }
        at = edge.to;
        match &edge.command {
            Step::Assume(guard) => {
                let guard = terms.substitute(*guard, &values);
                solver.assert(terms, guard);
            }
            Step::Assign(v, value) => {
                let value = terms.substitute(*value, &values);
                values.insert(program.term(*v), value);
            }
            Step::Havoc(v, _) => {
                let Some(input) = input.as_ref().filter(|i| i.sort() == terms.sort(program.term(*v))) else {
                    return false;
                };
                let value = terms.value(input.clone());
                values.insert(program.term(*v), value);
            }
        }
    }
    at == program.error() && solver.check(terms, &[]) == Ok(Answer::Sat)
}

/// Searches a program for a violation, and tells it on the program before its simplification.
fn violation(file: &Path, options: &Options) -> Option<(Subject, Model, Execution)> {
    let subject = search(file, options, Duration::from_secs(5))?;
    let Outcome::Unsafe(trace) = &subject.outcome else { return None };
    let (initial, execution) = (trace.initial.clone(), executed(&trace.execution));
    let lifted = subject.simplified.lift(&subject.terms, &subject.original, &initial, &execution)?;
    Some((subject, initial, lifted))
}

#[test]
fn broken_executions_are_noticed() {
    let (mut accepted, mut rejected) = (0, 0);
    for (file, options) in with_verdict("false(unreach-call)").into_iter().step_by(3) {
        let Some((subject, initial, execution)) = violation(&file, &options) else { continue };
        let (mut terms, program) = (subject.terms, &subject.original);
        if execution.len() > 2000 {
            continue;
        }
        for seed in 0..30 {
            let mutant = mutate(program, &execution, &mut Random::new(seed));
            let answer = replay(&terms, program, &initial, &mutant).is_ok();
            let expected = is_execution(&mut terms, program, &initial, &mutant);
            assert_eq!(answer, expected, "{}, seed {seed}", file.display());
            if answer { accepted += 1 } else { rejected += 1 }
        }
    }
    println!("{accepted} accepted, {rejected} rejected");
    assert!(accepted > 20 && rejected > 200, "{accepted} accepted, {rejected} rejected");
}

/// The inputs of an execution, by the functions that give them.
fn inputs(program: &Program, replay: &Replay) -> Vec<(String, u128)> {
    let input = |step: &tamis_evidence::TraceStep| match (&program.edge(step.edge).command, &step.wrote) {
        (Step::Havoc(_, Havoc::Input(name)), Some((_, Value::Bits(bits)))) => {
            Some((name.clone(), bits.to_u128()?))
        }
        _ => None,
    };
    replay.steps.iter().filter_map(input).collect()
}

/// A program compiled to take its inputs from its command line: those for any function in order.
struct Compiled(PathBuf);

const VIOLATION: i32 = 97;

impl Compiled {
    /// `None` if it cannot be compiled so: it may define these functions itself, or have inputs of other types.
    fn new(file: &Path, options: &Options, number: usize) -> Option<Compiled> {
        const TYPES: [(&str, &str); 8] = [
            ("int", "int"),
            ("uint", "unsigned"),
            ("char", "char"),
            ("uchar", "unsigned char"),
            ("short", "short"),
            ("long", "long"),
            ("ulong", "unsigned long"),
            ("bool", "_Bool"),
        ];
        let mut text = String::from(
            "extern void exit(int); extern void _exit(int); extern unsigned long strtoul(const char *, char **, int);
            static char **next; static unsigned long given(void) { if (!next || !*next) _exit(98); return strtoul(*next++, 0, 10); }
            __attribute__((constructor)) static void start(int argc, char **argv) { next = argv + 1; }
            void __VERIFIER_assume(int c) { if (!c) _exit(99); }\n",
        );
        let _ = writeln!(text, "void reach_error(void) {{ _exit({VIOLATION}); }}");
        let _ = writeln!(
            text,
            "void __assert_fail(const char *a, const char *f, unsigned l, const char *n) {{ _exit({VIOLATION}); }}"
        );
        for (name, ty) in TYPES {
            let _ = writeln!(text, "{ty} __VERIFIER_nondet_{name}(void) {{ return ({ty})given(); }}");
        }
        let base = std::env::temp_dir().join(format!("tamis-mutations-{}-{number}", std::process::id()));
        let (stubs, program) = (base.with_extension("c"), base.with_extension("out"));
        std::fs::write(&stubs, text).expect("a file");
        let compiled = Compiled(program.clone());
        let data_model = if options.data_model == DataModel::Ilp32 { "-m32" } else { "-m64" };
        let arguments = ["-w", "-O0", "-fwrapv", "-fno-builtin", data_model, "-o"];
        let done = Command::new("cc").args(arguments).args([&program, &stubs]).arg(file).output();
        let _ = std::fs::remove_file(&stubs);
        done.is_ok_and(|done| done.status.success()).then_some(compiled)
    }

    /// Whether these inputs, and no more, lead to the violation.
    fn violates(&self, inputs: &[(String, u128)]) -> bool {
        let values = inputs.iter().map(|(_, value)| value.to_string());
        let done = Command::new("timeout").arg("5").arg(&self.0).args(values).output().expect("a run");
        done.status.code() == Some(VIOLATION)
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What `reproduce` believes, a compiled program does.
#[test]
fn broken_inputs_are_noticed() {
    let (mut confirmed, mut refuted) = (0, 0);
    for (number, (file, options)) in with_verdict("false(unreach-call)").into_iter().enumerate().step_by(3) {
        let Some((subject, initial, execution)) = violation(&file, &options) else { continue };
        // Each is run many times.
        if execution.len() > 20_000 {
            continue;
        }
        let (terms, program) = (&subject.terms, &subject.original);
        let Ok(good) = replay(terms, program, &initial, &execution) else { panic!("{}", file.display()) };
        let compiler = if options.data_model == DataModel::Ilp32 { "-m32" } else { "-m64" };
        if !tamis_testing::cc(compiler) {
            continue;
        }
        let Some(compiled) = Compiled::new(&file, &options, number) else { continue };
        let unit = tamis_front_c::read(std::slice::from_ref(&file), &options).expect("it was read before");
        let given = inputs(program, &good);
        // Where objects are in memory a compiled program does not take from us.
        let is_layout = |(name, _): &(String, u128)| !name.starts_with("__VERIFIER_nondet_");
        if given.is_empty() || given.iter().any(is_layout) || !compiled.violates(&given) {
            // It depends on what was never set: a compiled program has that from somewhere else.
            continue;
        }
        for seed in 0..12 {
            let (mut mutant, random) = (good.clone(), &mut Random::new(seed));
            let at: Vec<usize> = (0..mutant.steps.len())
                .filter(|&i| {
                    let step = &mutant.steps[i];
                    matches!(program.edge(step.edge).command, Step::Havoc(_, Havoc::Input(_)))
                        && matches!(step.wrote, Some((_, Value::Bits(_))))
                })
                .collect();
            let at = at[random.below(at.len())];
            if let Some((v, Value::Bits(bits))) = mutant.steps[at].wrote.clone() {
                mutant.steps[at].wrote = Some((v, Value::Bits(other(&bits, random))));
            }
            let believed = reproduce(terms, program, &unit, &mutant, &[], None).is_ok();
            let happens = compiled.violates(&inputs(program, &mutant));
            assert!(!believed || happens, "{}, seed {seed}: {:?}", file.display(), inputs(program, &mutant));
            if believed { confirmed += 1 } else { refuted += 1 }
        }
    }
    println!("{confirmed} confirmed, {refuted} refuted");
    assert!(confirmed > 20 && refuted > 50, "{confirmed} confirmed, {refuted} refuted");
}
