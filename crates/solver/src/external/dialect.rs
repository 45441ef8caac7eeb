//! How each solver is called.

/// The arguments of a solver. `{}` in an argument stands for the number concerned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    name: &'static str,
    /// What makes it read an incremental script in SMT-LIB 2 from its standard input.
    arguments: &'static [&'static str],
    /// What limits its memory, in megabytes; empty if it has no such option.
    memory: &'static [&'static str],
    /// What sets its seed; empty if that is up to the script's `:random-seed`.
    seed: &'static [&'static str],
}

const DIALECTS: [Dialect; 5] = [
    Dialect {
        name: "z3",
        arguments: &["-smt2", "-in"],
        memory: &["-memory:{}"],
        seed: &["smt.random_seed={}", "sat.random_seed={}"],
    },
    Dialect {
        name: "cvc5",
        arguments: &["--lang=smt2", "--incremental", "-q"],
        memory: &[],
        seed: &["--seed={}", "--sat-random-seed={}"],
    },
    Dialect {
        name: "bitwuzla",
        arguments: &["--lang=smt2"],
        memory: &["--memory-limit={}"],
        seed: &["--seed={}"],
    },
    Dialect { name: "yices-smt2", arguments: &["--incremental"], memory: &[], seed: &[] },
    Dialect { name: "mathsat", arguments: &["-input=smt2"], memory: &[], seed: &["-random_seed={}"] },
];

const UNKNOWN: Dialect = Dialect { name: "", arguments: &[], memory: &[], seed: &[] };

impl Dialect {
    /// The dialect of a program, by its file name: `z3-4.13` is a z3.
    pub fn of(file_name: &str) -> Dialect {
        DIALECTS.into_iter().find(|dialect| file_name.starts_with(dialect.name)).unwrap_or(UNKNOWN)
    }

    /// All arguments, with a limit of memory in bytes and a seed.
    pub fn arguments(&self, memory: Option<u64>, seed: Option<u32>) -> Vec<String> {
        let with = |number: Option<u64>, arguments: &[&str]| -> Vec<String> {
            let fill = |n: u64| arguments.iter().map(|a| a.replace("{}", &n.to_string())).collect();
            number.map(fill).unwrap_or_default()
        };
        let mut all: Vec<String> = self.arguments.iter().map(|&a| a.to_owned()).collect();
        all.extend(with(memory.map(|bytes| bytes.div_ceil(1_000_000)), self.memory));
        all.extend(with(seed.map(u64::from), self.seed));
        all
    }

    /// Whether the solver limits its memory itself.
    pub fn limits_memory(&self) -> bool {
        !self.memory.is_empty()
    }

    /// The command that sets the seed of a solver without an argument for it.
    pub fn seed_command(&self, seed: u32) -> String {
        if self.seed.is_empty() { format!("(set-option :random-seed {seed})\n") } else { String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_are_known_by_their_names() {
        let z3 = Dialect::of("z3-4.13.0").arguments(Some(500_000_000), Some(7));
        assert_eq!(z3, ["-smt2", "-in", "-memory:500", "smt.random_seed=7", "sat.random_seed=7"]);
        let bitwuzla = Dialect::of("bitwuzla").arguments(Some(1), Some(0));
        assert_eq!(bitwuzla, ["--lang=smt2", "--memory-limit=1", "--seed=0"]);
        assert_eq!(Dialect::of("cvc5").arguments(None, None), ["--lang=smt2", "--incremental", "-q"]);
        assert_eq!(Dialect::of("yices-smt2").arguments(Some(1), Some(3)), ["--incremental"]);
        assert_eq!(Dialect::of("yices-smt2").seed_command(3), "(set-option :random-seed 3)\n");
        assert_eq!(Dialect::of("mathsat").seed_command(3), "");
        assert!(Dialect::of("my-solver").arguments(Some(1), Some(1)).is_empty());
    }
}
