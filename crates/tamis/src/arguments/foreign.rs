//! Options as other verifiers call them: a user who comes from there is told ours.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Names without their dashes, and what there is here: of CBMC, CPAchecker, ESBMC, Ultimate, compilers, and what one might guess.
const SAME: [(&[&str], &str); 36] = [
    (
        &["unwindset", "bound", "depth", "k", "max-k-step", "unlimited-k-steps"],
        "'--unwind N' for bugs alone; no bound is needed, since loops are proved for any number of rounds",
    ),
    (
        &["unwinding-assertions", "no-unwinding-assertions", "partial-loops"],
        "nothing: a proof holds for any number of rounds, and what --unwind leaves out is no proof",
    ),
    (&["bounds-check", "pointer-check", "pointer-overflow-check"], "'--property memory-safety'"),
    (&["memory-leak-check"], "'--property valid-memtrack'"),
    (&["memory-cleanup-check"], "'--property valid-memcleanup'"),
    (&["signed-overflow-check", "overflow-check", "unsigned-overflow-check"], "'--property no-overflow'"),
    (&["div-by-zero-check"], "'--property no-division-by-zero'"),
    (&["undefined-shift-check", "ub-shift-check"], "'--property no-shift-out-of-range'"),
    (&["null-pointer-check"], "'--property no-null-dereference'"),
    (&["uninitialized-check", "uninitialised-check"], "'--property no-uninitialised-read'"),
    (
        &["spec", "specification", "prp", "property-file", "propertyfile", "prop"],
        "'--property FILE.prp' (and '--spec FILE.lts' for machines)",
    ),
    (&["properties", "checks", "check"], "'--property NAME', several times if need be"),
    (
        &["timelimit", "time-limit", "time", "max-time", "cputime", "walltime", "timeout-seconds", "limit"],
        "'--timeout TIME'",
    ),
    (&["memlimit", "memory-limit", "mem", "max-memory", "heap", "memout"], "'--memory SIZE'"),
    (&["entry", "entry-function", "entryfunction", "entry-point"], "'--function NAME'"),
    (&["arch", "data-model", "machine-model", "machinemodel", "m32", "m64"], "'--32' or '--64'"),
    (&["i386-linux", "ilp32", "16", "linux32"], "'--32'"),
    (&["lp64", "linux64", "x86_64"], "'--64'"),
    (&["preprocess"], "nothing: .c files are always preprocessed"),
    (&["malloc-fail-null", "malloc-can-fail", "force-malloc-success"], "'--malloc-may-fail'"),
    (&["k-induction", "kinduction", "k-induction-parallel"], "'--preset k-induction'"),
    (&["bmc", "incremental-bmc", "falsification"], "'--preset bounded'"),
    (&["ic3", "pdr"], "'--preset ic3'"),
    (
        &[
            "config",
            "strategy",
            "engine",
            "algorithm",
            "analysis",
            "predicateAnalysis",
            "svcomp",
            "heuristic",
        ],
        "'--preset NAME'",
    ),
    (&["predicate-abstraction", "cegar"], "'--preset default', which is what there is if nothing is said"),
    (
        &["trace", "show-trace", "error-trace", "cex", "counterexample"],
        "'--full-trace': a counterexample is shown anyway",
    ),
    (&["witness-output", "graphml-witness", "witness-output-yaml", "yaml-witness"], "'--witness FILE.yml'"),
    (&["show-properties", "show-claims", "multi-property", "stop-on-fail"], "'--all'"),
    (&["json-ui", "xml-ui", "output-json"], "'--json' or '--junit FILE'"),
    (&["sarif-output"], "'--sarif FILE'"),
    (&["html", "html-report", "generate-html-report"], "'--report FILE.html'"),
    (&["verbosity", "verbose", "v", "debug", "log", "show-loops"], "'--trace-iterations'"),
    (&["statistics", "stat", "show-stats"], "'--stats'"),
    (
        &["z3", "boolector", "bitwuzla", "cvc5", "mathsat", "smt2", "solver", "smt-solver"],
        "'tamis certify --solver NAME' for a second opinion: a check uses the solver that is built in",
    ),
    (&["show-goto-functions", "show-cfa", "goto-functions-only", "dot"], "'tamis cfa FILE'"),
    (&["silent", "no-output"], "'--quiet'"),
];

/// An error about an unknown option, with the option that means the same.
pub fn with_advice(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let given = std::env::args().skip(1).take_while(|argument| argument != "--");
    let Some((option, ours)) = given.filter(|argument| argument.starts_with('-')).find_map(|argument| {
        let ours = ours(&argument)?;
        Some((argument.split('=').next().unwrap_or_default().to_owned(), ours))
    }) else {
        return error;
    };
    error.insert(ContextKind::InvalidArg, ContextValue::String(option));
    // What is spelled alike means something else.
    error.remove(ContextKind::SuggestedArg);
    let tip = clap::builder::StyledStr::from(format!("here this is {ours}"));
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    error
}

/// What there is here for an option of another tool.
fn ours(argument: &str) -> Option<&'static str> {
    let name = argument.trim_start_matches('-').split('=').next()?;
    // A short option with its value, such as -I, is ours.
    let theirs = argument.starts_with("--") || name.len() > 1;
    let same = |(names, _): &&(&[&str], &str)| theirs && names.contains(&name);
    SAME.iter().find(same).map(|&(_, ours)| ours)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::CommandFactory;

    /// An option that is taken is none that one must be told of, and what is told of is there.
    #[test]
    fn the_table_fits_the_options() {
        let mut command = Arguments::command();
        command.build();
        let check = command.find_subcommand("check").expect("there is one");
        let known: Vec<&str> = check.get_arguments().filter_map(|argument| argument.get_long()).collect();
        for (names, ours) in SAME {
            for name in names {
                assert!(!known.contains(name) || *name == "spec", "--{name} is one of ours");
            }
            for word in ours.split('\'').filter(|word| word.starts_with("--")) {
                let option = word.trim_start_matches('-').split(' ').next().unwrap_or_default();
                assert!(known.contains(&option) || option == "report", "{word} is no option");
            }
        }
    }

    #[test]
    fn names_are_found_with_values_and_one_dash() {
        assert!(ours("--bound=5").is_some_and(|ours| ours.contains("--unwind N")));
        assert_eq!(ours("-timelimit"), Some("'--timeout TIME'"));
        assert_eq!(ours("-v"), None);
        assert_eq!(ours("--property"), None);
    }
}
