//! `tamis abstract --extract`: predicate abstraction queries out of C functions, by the five steps of \[SUM\] section 5.
//!
//! (1) Each function is translated by itself, with small calls expanded, and simplified. (2) Its loop heads are the
//! cutset of a summary. (3) What is not linear in at most two variables is over-approximated; loads from memory and
//! other calls give anything. (4) The predicates at a cutpoint are the atoms of the weakest preconditions of the
//! branches that can be reached from there. (5) Each block of the summary gives a query.
//!
//! \[SUM\]: *Efficient Predicate Abstraction of Program Summaries*.

mod query;

use crate::arguments::AbstractOptions;
use crate::formalism::c::input;
use crate::verdict::ExitStatus;
use query::{Measures, Query};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use tamis_logic::{Term, Terms};
use tamis_paq::TwoVariables;
use tamis_program::{Liveness, Program, Summary, branch_atoms, edge_query, simplify};

/// Calls in a function are expanded while it has fewer edges.
const MAX_EDGES: usize = 2_000;

/// Larger functions are left out: weakest preconditions of all their branches are not worth the time.
const MAX_SIMPLIFIED_EDGES: usize = 5_000;

/// Writes the queries of all functions, one file each, and tells how many there are.
pub fn run(options: &AbstractOptions) -> ExitStatus {
    if let Err(error) = std::fs::create_dir_all(&options.output) {
        eprintln!("error: {}: {error}", options.output.display());
        return ExitStatus::Unreadable;
    }
    let mut writer =
        Writer { options, named: HashMap::new(), seen: HashSet::new(), written: 0, failed: None };
    let (mut functions, mut refused) = (0, 0);
    let done = input::functions(&options.extract, &options.reading, MAX_EDGES, |name, program, mut terms| {
        functions += 1;
        match program {
            Ok(program) => writer.function(name, &program, &mut terms),
            Err(_) => refused += 1,
        }
    });
    if let Err(refusal) = done {
        refusal.print();
        return refusal.status();
    }
    if let Some((path, error)) = writer.failed {
        eprintln!("error: {}: {error}", path.display());
        return ExitStatus::Unreadable;
    }
    println!("{} queries from {functions} functions, {refused} not translated", writer.written);
    ExitStatus::True
}

struct Writer<'a> {
    options: &'a AbstractOptions,
    /// How many functions there were of each name: files may have their own.
    named: HashMap<String, usize>,
    /// What was written, whatever its variables are called: a function that several files define, or that is expanded
    /// in another, counts once.
    seen: HashSet<String>,
    written: usize,
    failed: Option<(PathBuf, std::io::Error)>,
}

impl Writer<'_> {
    fn function(&mut self, name: &str, program: &Program, terms: &mut Terms) {
        let namesakes = self.named.entry(name.to_owned()).or_default();
        *namesakes += 1;
        let name = if *namesakes == 1 { name.to_owned() } else { format!("{name}.{namesakes}") };
        let simplified = simplify(program, terms);
        let program = &simplified.program;
        if program.edges().len() > MAX_SIMPLIFIED_EDGES {
            return;
        }
        let (least, most) = self.options.extract_predicates;
        let atoms = branch_atoms(terms, program, (most / 2, 3), &|| false, TwoVariables::takes);
        let live = Liveness::new(terms, program);
        for (number, block) in Summary::new(program).blocks().iter().enumerate() {
            let at = |l: tamis_program::Location| -> &[Term] { &atoms[l.index()] };
            let (before, after) = (at(block.from), at(block.to));
            if before.len() + after.len() < least {
                continue;
            }
            let mut encoded = edge_query(terms, program, &live, block);
            let after: Vec<Term> = after.iter().map(|&p| encoded.post.read(terms, program, p)).collect();
            let query = Query::new(terms, block, &encoded.constraints, [before, &after]);
            if query.measures.predicates >= least && query.measures.predicates <= most {
                self.write(&format!("{name}-{number}"), &query, terms);
            }
        }
    }

    fn write(&mut self, name: &str, query: &Query, terms: &Terms) {
        let text = query.text(terms);
        if self.failed.is_some() || !self.seen.insert(query::without_names(&text)) {
            return;
        }
        let path = self.options.output.join(format!("{name}.smt2"));
        let Measures { predicates, locations, .. } = query.measures;
        let head = format!("; {name}: {predicates} predicates, {locations} locations\n");
        match std::fs::write(&path, head + &text) {
            Ok(()) => self.written += 1,
            Err(error) => self.failed = Some((path, error)),
        }
    }
}
