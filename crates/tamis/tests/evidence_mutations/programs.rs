//! Programs of the regression suite with their evidence.

use std::path::{Path, PathBuf};
use std::time::Duration;
use tamis_cegar::{Outcome, Silent, check, preset};
use tamis_front_c::{DataModel, Options};
use tamis_logic::{Term, Terms};
use tamis_program::{EdgeId, Location, Program, ProgramSystem, Simplified, simplify};
use tamis_solver::Budget;
pub use tamis_testing::Random;

/// The programs that have a verdict under the default property, with how they are read.
pub fn with_verdict(verdict: &str) -> Vec<(PathBuf, Options)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../regression");
    let mut folders = vec![root];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(&folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
        entries.sort();
        folders.extend(entries.into_iter().filter(|p| p.is_dir()));
        let Ok(description) = std::fs::read_to_string(folder.join("test.desc")) else { continue };
        let value = |key: &str| description.lines().find_map(|l| l.strip_prefix(key)).map(str::trim);
        let data_model = match value("options:") {
            None | Some("" | "--64") => DataModel::Lp64,
            Some("--32") => DataModel::Ilp32,
            Some(_) => continue,
        };
        let program = folder.join("main.c");
        if value("verdict:") == Some(verdict) && program.is_file() {
            found.push((program, Options { data_model, ..Options::default() }));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    assert!(found.len() > 20, "only {} programs", found.len());
    found
}

/// A program, and what the search finds.
pub struct Subject {
    pub terms: Terms,
    pub original: Program,
    pub simplified: Simplified,
    pub outcome: Outcome<EdgeId>,
    /// The invariants, if there is a proof.
    pub invariants: Vec<(Location, Term)>,
}

/// Searches a program; `None` if that takes long.
pub fn search(file: &Path, options: &Options, patience: Duration) -> Option<Subject> {
    let mut terms = Terms::new();
    let original = tamis_front_c::load(&[file.to_owned()], options, &mut terms).ok()?;
    let simplified = simplify(&original, &mut terms);
    let strategy = preset("default").expect("a preset").expect("that can be read");
    let budget = Budget::unlimited().child_with_timeout(patience);
    let kind = strategy.summary.parse().expect("a summary");
    let system = ProgramSystem::over(&terms, &simplified.program, kind);
    let (outcome, _) = check(&mut terms, &system, &strategy, &budget, &mut Silent);
    let invariants = match &outcome {
        Outcome::Safe(invariants) => system.at_locations(invariants),
        _ => Vec::new(),
    };
    drop(system);
    match outcome {
        Outcome::Unknown(_) => None,
        outcome => Some(Subject { terms, original, simplified, outcome, invariants }),
    }
}
