//! What a page shows of a program: its automaton with the way of a counterexample, its checks, and the conditions of a proof.

use super::input;
use super::property::Property;
use super::translation::{Proof, Translation};
use crate::cfa::graph::{Graph, Node};
use crate::cfa::svg;
use crate::check::scene::{Automaton, Condition, Lines, MOST_CONDITIONS, Scene, Spot};
use crate::formalism::{Answer, Case};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::time::Duration;
use tamis_evidence::Replay;
use tamis_front_c::tree::{Callee, ExprKind, FunctionId, StmtId, StmtKind, Unit};
use tamis_interpreter_c::lines_of_runs;
use tamis_logic::Terms;
use tamis_program::{Block, Location, Program, Summary, SummaryKind};
use tamis_solver::Budget;

/// Of larger graphs no picture is made: nobody finds anything in it.
const MOST_NODES: usize = 150;
/// Larger automata are summarised at once.
const MOST_EDGES: usize = 20_000;

/// The scene of a search.
pub fn scene(
    case: &Case<'_, Property>,
    terms: &mut Terms,
    model: &Translation,
    found: &Answer<Translation>,
) -> Scene {
    let program = &model.original;
    let (replay, proof) = match found {
        Answer::Proof(proof) => (None, Some(proof)),
        Answer::Violation(replay) | Answer::Doubtful(replay) => (Some(replay), None),
        Answer::Stopped(_) | Answer::Failed(_) => (None, None),
    };
    let checks = program.error_points().into_iter().map(Spot::from).collect();
    let unit = input::read(&case.options.input, case.property, false).unwrap_or_default();
    Scene {
        checks,
        uncalled: uncalled(&unit, program),
        reached: if replay.is_some() { Vec::new() } else { reached(&unit) },
        globals: globals(&unit),
        conditions: proof.map(|proof| conditions(terms, model, proof, case.budget)).unwrap_or_default(),
        automaton: automaton(terms, program, replay),
    }
}

/// The automaton in blocks; a large one from one loop to the next.
fn automaton(terms: &mut Terms, program: &Program, replay: Option<&Replay>) -> Option<Automaton> {
    let kinds = match program.edges().len() {
        0..=MOST_EDGES => [SummaryKind::Sbe, SummaryKind::Cutset].as_slice(),
        _ => &[SummaryKind::Cutset],
    };
    let small = |kind: &&SummaryKind| Summary::of_kind(program, **kind).cutpoints().len() <= MOST_NODES;
    let kind = *kinds.iter().find(small)?;
    let summary = Summary::of_kind(program, kind);
    let graph = Graph::of_summary(terms, program, kind);
    let path = replay.map(|replay| path(program, &summary, replay)).unwrap_or_default();
    let node = |node: &Node| {
        let (file, line) = node.place.clone().unwrap_or_default();
        Spot { file, line, what: node.role.name().to_owned() }
    };
    Some(Automaton {
        counts: graph.counts.clone(),
        nodes: graph.nodes.iter().map(node).collect(),
        arrows: summary.blocks().iter().map(|block| lines(program, block)).collect(),
        path,
        svg: svg::show(&graph.abridged()),
    })
}

/// The blocks that an execution passes, from one cutpoint to the next.
fn path(program: &Program, summary: &Summary, replay: &Replay) -> Vec<usize> {
    let blocks: FxHashMap<(Location, Location), usize> =
        summary.blocks().iter().enumerate().map(|(i, block)| ((block.from, block.to), i)).collect();
    let cutpoints: FxHashSet<Location> = summary.cutpoints().iter().copied().collect();
    let mut path = Vec::new();
    let mut from = program.entry();
    for step in &replay.steps {
        let to = program.edge(step.edge).to;
        if cutpoints.contains(&to) {
            path.extend(blocks.get(&(from, to)));
            from = to;
        }
    }
    path
}

/// The lines of a block.
fn lines(program: &Program, block: &Block) -> Vec<Lines> {
    let sources = block.edges().map(|edge| program.edge(edge).source).filter(|source| source.line > 0);
    together(sources.map(|source| (program.file(source.file), source.line)).collect())
}

/// Lines that follow one another as one.
fn together(places: BTreeSet<(&str, u32)>) -> Vec<Lines> {
    let mut found: Vec<Lines> = Vec::new();
    for (file, line) in places {
        match found.last_mut() {
            Some(lines) if lines.file == file && lines.last + 1 == line => lines.last = line,
            _ => found.push(Lines { file: file.to_owned(), first: line, last: line }),
        }
    }
    found
}

/// What had to be shown for a proof, which is made once more from the program.
fn conditions(terms: &mut Terms, model: &Translation, proof: &Proof, budget: &Budget) -> Vec<Condition> {
    let program = model.searched();
    let found = match proof {
        Proof::Invariants(certificate) => tamis_evidence::conditions(terms, program, certificate),
        Proof::KInduction(proof) => proof.conditions(terms, program, budget),
        Proof::Exhaustion(exhaustion) => exhaustion.conditions(terms, program, budget),
    };
    let told = |condition: &tamis_evidence::Condition| Condition {
        kind: condition.purpose.name(),
        says: condition.describe(program),
    };
    found.iter().flatten().take(MOST_CONDITIONS).map(told).collect()
}

/// The lines of functions that have no activation, and that no expression names: some calls have a meaning of their own, and no
/// activation.
fn uncalled(unit: &Unit, program: &Program) -> Vec<Spot> {
    let called: FxHashSet<&str> =
        program.locations().map(|l| program.frame(program.frame_of(l)).function.as_str()).collect();
    let named: FxHashSet<FunctionId> = unit
        .expressions()
        .filter_map(|id| match unit[id].kind {
            ExprKind::FunctionAddress(function) => Some(function),
            ExprKind::Call { callee: Callee::Function(function), .. } => Some(function),
            _ => None,
        })
        .collect();
    let mut lines = Vec::new();
    for id in unit.functions() {
        let function = &unit[id];
        let is_called = called.contains(function.name.as_str()) || named.contains(&id);
        let Some(body) = function.body.filter(|_| !is_called) else { continue };
        let mut open = vec![body];
        while let Some(id) = open.pop() {
            let statement = &unit[id];
            let file = unit.files().get(statement.at.file as usize).cloned().unwrap_or_default();
            if is_own(&file) && !matches!(statement.kind, StmtKind::Block(_)) {
                lines.push(Spot { file, line: statement.at.line, what: function.name.clone() });
            }
            open.extend(inner(&statement.kind));
        }
    }
    lines.sort();
    lines.dedup();
    lines
}

/// So many runs on random inputs are tried, for so long, to see which lines are reached.
const RUNS: u64 = 20;
const RUNNING: Duration = Duration::from_millis(300);

/// The lines that some runs pass.
fn reached(unit: &Unit) -> Vec<Lines> {
    let name = |file: u32| unit.files().get(file as usize).map_or("", String::as_str);
    let lines = lines_of_runs(unit, RUNS, RUNNING);
    let own = lines.iter().map(|at| (name(at.file), at.line)).filter(|(file, _)| is_own(file));
    together(own.collect())
}

/// Whether a file is the user's: what is made up has none, and headers of the system are not looked at.
fn is_own(file: &str) -> bool {
    !file.is_empty() && !file.starts_with('<') && !file.starts_with("/usr/")
}

/// The variables that live as long as the program.
fn globals(unit: &Unit) -> Vec<String> {
    let lasting =
        unit.objects().map(|id| &unit[id]).filter(|object| !object.is_automatic() && !object.is_temporary());
    let names: BTreeSet<String> = lasting.map(|object| object.name.clone()).collect();
    names.into_iter().collect()
}

/// The statements in a statement.
fn inner(kind: &StmtKind) -> Vec<StmtId> {
    match kind {
        StmtKind::Block(statements) => statements.clone(),
        StmtKind::If { then, otherwise, .. } => otherwise.iter().copied().chain([*then]).collect(),
        StmtKind::For { init, body, .. } => init.iter().copied().chain([*body]).collect(),
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::Case { body, .. }
        | StmtKind::Default { body }
        | StmtKind::Label { body, .. } => vec![*body],
        _ => Vec::new(),
    }
}
