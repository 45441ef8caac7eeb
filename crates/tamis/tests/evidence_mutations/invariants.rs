//! Invariants, broken: `certify` accepts a set exactly if another solver, or another way to the same formulas, does.

use super::programs::{Random, Subject, search, with_verdict};
use std::path::Path;
use std::time::Duration;
use tamis_cegar::Outcome;
use tamis_evidence::{Certificate, Rejection, certify, conditions};
use tamis_logic::smtlib::{Command, Reader};
use tamis_logic::{Op, Sort, Substitution, Term, Terms};
use tamis_program::{Block, EdgeId, Location, Program};
use tamis_solver::external::{External, ExternalAnswer};
use tamis_solver::{Answer, Budget, Solver};

/// A formula's conjuncts.
fn conjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    match terms.op(formula) {
        Op::And => terms.args(formula).to_vec(),
        _ => vec![formula],
    }
}

/// A certificate with one thing changed.
fn mutate(
    terms: &mut Terms,
    program: &Program,
    certificate: &Certificate,
    random: &mut Random,
) -> Certificate {
    let mut invariants = certificate.invariants.clone();
    // Where something is claimed there is something to break; elsewhere sometimes.
    let claims: Vec<usize> =
        (0..invariants.len()).filter(|&i| !terms.is_true(invariants[i].1) || random.below(4) == 0).collect();
    let i = claims.get(random.below(claims.len())).copied().unwrap_or(0);
    let parts = conjuncts(terms, invariants[i].1);
    let chosen = random.below(parts.len());
    let others = |parts: &[Term]| -> Vec<Term> {
        parts.iter().enumerate().filter(|&(k, _)| k != chosen).map(|(_, &t)| t).collect()
    };
    invariants[i].1 = match random.below(9) {
        0 | 1 => terms.and(&others(&parts)),
        2 => terms.not(invariants[i].1),
        3 => {
            let mut parts = parts;
            parts[chosen] = terms.not(parts[chosen]);
            terms.and(&parts)
        }
        4 | 5 => shifted(terms, invariants[i].1, random),
        6 => {
            let with = random.below(invariants.len());
            let (a, b) = (invariants[i].1, invariants[with].1);
            invariants[with].1 = a;
            b
        }
        7 => terms.bool(random.below(3) == 0),
        // Something that nobody claimed.
        _ => {
            let variables = program.variables();
            let ints: Vec<Term> = variables
                .iter()
                .map(|v| v.term)
                .filter(|&t| matches!(terms.sort(t), Sort::BitVec(_)))
                .collect();
            match ints.get(random.below(ints.len())) {
                Some(&v) => {
                    let bound = terms.bits(terms.width(v), random.below(4) as u128);
                    let claim = terms.ult(v, bound);
                    terms.and2(invariants[i].1, claim)
                }
                None => terms.fals(),
            }
        }
    };
    Certificate { invariants }
}

/// A formula about a variable that is one larger, or with all constants it is compared with one smaller.
fn shifted(terms: &mut Terms, formula: Term, random: &mut Random) -> Term {
    let variables = terms.free_vars(formula);
    let ints: Vec<Term> =
        variables.into_iter().filter(|&v| matches!(terms.sort(v), Sort::BitVec(_))).collect();
    let Some(&v) = ints.get(random.below(ints.len())) else { return terms.not(formula) };
    let by = terms.bits(terms.width(v), [1, 2, 255][random.below(3)]);
    let sum = terms.add(v, by);
    let shift: Substitution = [(v, sum)].into_iter().collect();
    terms.substitute(formula, &shift)
}

/// Whether every condition, as it would be written, is unsatisfiable: by another solver, if there is one.
fn written_conditions_hold(
    terms: &mut Terms,
    program: &Program,
    certificate: &Certificate,
    other: Option<&External>,
) -> bool {
    let conditions = conditions(terms, program, certificate).expect("all loops are cut");
    conditions.iter().all(|condition| {
        let script = condition.script(terms, program);
        match other {
            Some(solver) => {
                let run = solver.run(&script.replace(":status unsat", ":status unknown")).expect("an answer");
                assert!(run.errors.is_empty(), "{:?}\n{script}", run.errors);
                assert_ne!(run.answers, [ExternalAnswer::Unknown]);
                run.answers == [ExternalAnswer::Unsat]
            }
            None => {
                let mut terms = Terms::new();
                let mut reader = Reader::new(script.as_bytes());
                let mut solver = Solver::new(&Budget::unlimited());
                while let Some((command, _)) = reader.next_command(&mut terms).expect("SMT-LIB") {
                    if let Command::Assert { formula, .. } = command {
                        solver.assert(&terms, formula);
                    }
                }
                solver.check(&terms, &[]) == Ok(Answer::Unsat)
            }
        }
    })
}

/// Whether a path of a block breaks what is claimed at its ends, by following single paths: slow and obvious. `None` if there are
/// too many, or if one takes too long.
fn some_path_breaks(
    terms: &mut Terms,
    program: &Program,
    block: &Block,
    (before, after): (Term, Term),
) -> Option<bool> {
    const MOST: usize = 200;
    let mut into: std::collections::HashMap<Location, Vec<EdgeId>> = block.inner.iter().cloned().collect();
    let mut pending: Vec<Vec<EdgeId>> = block.last.iter().map(|&e| vec![e]).collect();
    let mut paths = Vec::new();
    into.remove(&block.from);
    while let Some(path) = pending.pop() {
        if pending.len() + paths.len() > MOST {
            return None;
        }
        let start = program.edge(path[0]).from;
        if start == block.from {
            paths.push(path);
        } else {
            let edges = into.get(&start).into_iter().flatten();
            pending.extend(edges.map(|&e| [&[e], &path[..]].concat()));
        }
    }
    for path in &paths {
        let mut values = Substitution::new();
        let mut solver = Solver::new(&Budget::with_timeout(PATIENCE));
        solver.assert(terms, before);
        for &e in path {
            match &program.edge(e).command {
                tamis_program::Command::Assign(v, value) => {
                    let value = terms.substitute(*value, &values);
                    values.insert(program.term(*v), value);
                }
                tamis_program::Command::Havoc(v, _) => {
                    let any = terms.fresh("any", terms.sort(program.term(*v)));
                    values.insert(program.term(*v), any);
                }
                tamis_program::Command::Assume(guard) => {
                    let guard = terms.substitute(*guard, &values);
                    solver.assert(terms, guard);
                }
            }
        }
        let after = terms.substitute(after, &values);
        let broken = terms.not(after);
        match solver.check(terms, &[broken]) {
            Ok(Answer::Sat) => return Some(true),
            Ok(_) => {}
            Err(_) => return None,
        }
    }
    Some(false)
}

/// Whether the claims are a proof, path by path; `None` if there are too many paths, or if a claim about all elements of an array is
/// broken when it is only assumed of the same elements: other elements may be what it takes.
fn proves(
    terms: &mut Terms,
    program: &Program,
    summary: &tamis_program::Summary,
    claims: &Certificate,
) -> Option<bool> {
    let claim = |terms: &mut Terms, l: Location| match claims.invariants.iter().find(|(at, _)| *at == l) {
        _ if l == program.error() => terms.fals(),
        Some(&(_, formula)) => formula,
        None => terms.tru(),
    };
    let initially = claim(terms, program.entry());
    let fails = terms.not(initially);
    if Solver::new(&Budget::unlimited()).check(terms, &[fails]) == Ok(Answer::Sat) {
        return Some(false);
    }
    for block in summary.blocks() {
        let ends = (claim(terms, block.from), claim(terms, block.to));
        if some_path_breaks(terms, program, block, ends)? {
            return terms.index_variables(ends.0).is_empty().then_some(false);
        }
    }
    Some(true)
}

/// How many mutations were accepted, were rejected, were also decided path by path, and were not decided in time.
#[derive(Default, Debug)]
struct Counts {
    accepted: usize,
    rejected: usize,
    by_paths: usize,
    stopped: usize,
}

/// So long one question of a proof may take.
const PATIENCE: Duration = Duration::from_secs(10);

fn break_invariants(subject: Subject, name: &str, seeds: u64, other: Option<&External>, counts: &mut Counts) {
    let Subject { mut terms, simplified, outcome: Outcome::Safe(_), invariants, .. } = subject else {
        return;
    };
    let (terms, program) = (&mut terms, &simplified.program);
    let certificate = Certificate { invariants };
    let certificate =
        match tamis_evidence::tidy(terms, program, &certificate, &Budget::with_timeout(PATIENCE)) {
            Ok(Some(tidy)) => tidy,
            _ => certificate,
        };
    match certify(terms, program, &certificate, &Budget::with_timeout(PATIENCE)) {
        Ok(()) => {}
        Err(Rejection::Stopped(_)) => return,
        Err(why) => panic!("{name}: {why:?}"),
    }
    let strategy = tamis_cegar::preset("default").expect("a preset").expect("that can be read");
    let kind = strategy.summary.parse().expect("a summary");
    let summary = tamis_program::Summary::of_kind(program, kind);
    for seed in 0..seeds {
        let mutant = mutate(terms, program, &certificate, &mut Random::new(seed));
        let accepted = match certify(terms, program, &mutant, &Budget::with_timeout(PATIENCE)) {
            Ok(()) => true,
            // What was broken may be what made it easy.
            Err(Rejection::Stopped(_)) => {
                counts.stopped += 1;
                continue;
            }
            Err(Rejection::Initiation | Rejection::Consecution { .. } | Rejection::Safety(_)) => false,
            Err(why) => panic!("{name}, seed {seed}: {why:?}"),
        };
        let expected = written_conditions_hold(terms, program, &mutant, other);
        assert_eq!(accepted, expected, "{name}, seed {seed}: {mutant:?}");
        if let Some(expected) = proves(terms, program, &summary, &mutant) {
            assert_eq!(accepted, expected, "{name}, seed {seed}, path by path: {mutant:?}");
            counts.by_paths += 1;
        }
        *(if accepted { &mut counts.accepted } else { &mut counts.rejected }) += 1;
    }
}

/// Breaks the proofs of about every nth program.
fn break_all(every: usize, seeds: u64) -> Counts {
    // Another solver decides, where there is one.
    let other = tamis_testing::z3().map(|path| External::find(&path).expect("a solver"));
    let mut counts = Counts::default();
    let chosen = |file: &Path| {
        let folder = file.parent().and_then(Path::file_name).expect("a folder").to_string_lossy();
        tamis_testing::is_sampled(&folder, every)
    };
    for (file, options) in with_verdict("true").into_iter().filter(|(file, _)| chosen(file)) {
        if let Some(subject) = search(&file, &options, Duration::from_secs(2)) {
            break_invariants(subject, &file.display().to_string(), seeds, other.as_ref(), &mut counts);
        }
    }
    counts
}

#[test]
fn broken_invariants_are_noticed() {
    let counts = break_all(4, 12);
    println!("{counts:?}");
    assert!(counts.accepted > 20 && counts.rejected > 100 && counts.by_paths > 200, "{counts:?}");
    assert!(counts.stopped < counts.rejected / 10, "{counts:?}");
}

#[test]
#[ignore = "takes minutes: for changes of the checker"]
fn many_broken_invariants_are_noticed() {
    let counts = break_all(1, 100);
    println!("{counts:?}");
    assert!(counts.rejected > 2000, "{counts:?}");
}
