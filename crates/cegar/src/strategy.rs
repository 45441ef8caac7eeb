//! How the loop works, as plain data: what a preset file says.

use crate::hybrid::CorrelationKind;
use serde::{Deserialize, Serialize};
use tamis_diagram::Diagrams;
use tamis_paq::{AllSat, Cartesian, Cubes, Engine, Implications, Ldd, Min, OrEnumerate};

/// A configuration of the loop. Every combination is sound; those that a paper describes have a
/// [preset](crate::preset).
///
/// ```
/// use tamis_cegar::{Keep, Strategy};
/// let strategy = Strategy::from_toml("summary = \"sbe\"\n[refinement]\nkeep = \"greedy\"").unwrap();
/// assert_eq!(strategy.refinement.keep, Keep::Greedy);
/// assert!(Strategy::from_toml("sumary = \"sbe\"").is_err());
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Strategy {
    /// What lies between two points at which regions are abstracted, by a name of the formalism that the system is of:
    /// for programs a kind of summary, \[SUM\] section 3. The loop takes the system as it is.
    pub summary: String,
    /// What solves the predicate abstraction queries. If it is not exact, an exact one takes over when no new predicate
    /// excludes a spurious counterexample.
    pub engine: EngineKind,
    /// How the abstract system is explored.
    pub exploration: ExplorationKind,
    /// How an abstract counterexample is tried on the system.
    pub trace_check: TraceCheckKind,
    /// What looks for an answer, side by side. The reason of the first is told if none finds one.
    pub searches: Vec<Search>,
    /// How many rounds of loops [`Search::Unwind`] follows; if it is not there, as many as it takes.
    pub rounds: Option<usize>,
    /// Whether [`Search::Bounded`] takes many rounds of simple loops as one step: for violations behind many rounds.
    pub many_rounds: bool,
    /// Where candidates for invariants come from: of [`Search::Invariants`].
    pub facts: Vec<FactSource>,
    /// The most nodes that the diagrams of regions may take.
    pub max_nodes: usize,
    /// The most literals of an implication before and after a step: of [`EngineKind::Implications`].
    pub literals: Literals,
    /// Which state variables are kept in the abstract model as they are; none if it is not there. For systems that tell of
    /// their variables one by one, explored as a Boolean program.
    pub hybrid: Option<HybridStrategy>,
    /// How predicates are found and kept.
    pub refinement: RefinementStrategy,
}

/// Limits on literals, \[CTL\] section 2.2: two before and one after in the paper's experiments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Literals {
    /// Before a step.
    pub before: usize,
    /// After it.
    pub after: usize,
}

impl Default for Literals {
    fn default() -> Literals {
        let Implications { before, after } = Implications::default();
        Literals { before, after }
    }
}

/// The hybrid model of \[CTL\] section 3: the thresholds that the paper leaves open.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct HybridStrategy {
    /// Two clusters of predicates are merged if they have this share of the larger one's bits in common (3.1).
    pub merge_share: f64,
    /// A cluster is one of control if it has so many predicates for each bit that they are about (3.1).
    pub predicates_per_bit: f64,
    /// The most bits of a control variable: what has a larger domain is data (3.1). Diagrams of words that are equal to each
    /// other grow with the power of their width.
    pub max_bits: usize,
    /// The most bits of inputs that the next value of a kept variable reads (3.2).
    pub max_inputs: usize,
    /// A predicate's definition is in the abstract model if this share of its bits is kept, or read by what is (3.3).
    pub known_share: f64,
    /// How it is found out which values predicates can have together (3.4).
    pub correlations: CorrelationKind,
}

impl Default for HybridStrategy {
    fn default() -> HybridStrategy {
        HybridStrategy {
            merge_share: 0.5,
            predicates_per_bit: 0.5,
            max_bits: 12,
            max_inputs: 32,
            known_share: 0.5,
            correlations: CorrelationKind::Bdd,
        }
    }
}

/// How predicates are found, and which are kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RefinementStrategy {
    /// Where predicates come from. What refutes a trace that a source finds nothing against is [`Source::CoreWp`].
    pub source: Source,
    /// How interpolants are made from proofs: of [`Source::Interpolants`].
    pub interpolation: Interpolation,
    /// Which are kept.
    pub keep: Keep,
    /// The most predicates that one branch contributes to a point: what ends *PredInfer* in loops (\[MIN\] section 2.1).
    pub inference_limit: usize,
    /// MAXSUB: the most combinations of predicates that are tried for one trace (\[MIN\] section 4).
    pub max_sub: usize,
    /// MAXELM: the most eliminating combinations that are looked for, for one trace (\[MIN\] section 4).
    pub max_elm: usize,
    /// The most predicates in a combination (\[MIN\] section 3.2, first item).
    pub max_size: usize,
    /// Whether no combination is tried that is larger than an eliminating one (\[MIN\] section 3.2, second item).
    pub stop_at_size: bool,
    /// Whether combinations are of predicates of one block of the program, a function's activation, while the choice
    /// in the others stays (\[MIN\] section 3.2, third item).
    pub within_blocks: bool,
    /// Whether only predicates are combined that share data with the reason why a trace is spurious (\[MIN\] section
    /// 3.2, fourth item).
    pub related_only: bool,
    /// How many minima of one size are tried before a sufficient set is looked for otherwise; and then before the search
    /// for a smaller one ends.
    pub patience: usize,
    /// Seed of the random orders of [`Keep::Greedy`].
    pub seed: u64,
}

/// A way to look for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// The loop: all else in a strategy is about it.
    Cegar,
    /// Executions to the error, longer and longer ones.
    Bounded,
    /// All executions together, in the order of the program.
    Unwind,
    /// k-induction, with the bounded search as its base case; that alone where the formalism cannot check such a proof.
    KInduction,
    /// Invariants that are guessed and checked. What holds is told to the loop and to k-induction.
    Invariants,
    /// IC3 over bits.
    #[serde(rename = "ic3")]
    Ic3,
    /// IC3 over predicates: the loop with [`ExplorationKind::Ic3`].
    #[serde(rename = "ic3-ia")]
    Ic3Ia,
    /// IC3 over bits and the gates that depend on them alone.
    #[serde(rename = "ic3-innards")]
    Ic3Innards,
    /// Random walks over single states, for violations behind many steps.
    Walks,
}

impl Search {
    /// The loop's strategy, if the search is the loop.
    pub(crate) fn strategy_of_loop(self, strategy: &Strategy) -> Option<Strategy> {
        let exploration = match self {
            Search::Cegar => strategy.exploration,
            Search::Ic3Ia => ExplorationKind::Ic3,
            Search::Bounded
            | Search::Unwind
            | Search::KInduction
            | Search::Invariants
            | Search::Ic3
            | Search::Ic3Innards
            | Search::Walks => return None,
        };
        Some(Strategy { exploration, ..strategy.clone() })
    }
}

impl std::fmt::Display for Search {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Search::Cegar => "cegar",
            Search::Bounded => "bounded",
            Search::Unwind => "unwind",
            Search::KInduction => "k-induction",
            Search::Invariants => "invariants",
            Search::Ic3 => "ic3",
            Search::Ic3Innards => "ic3-innards",
            Search::Ic3Ia => "ic3-ia",
            Search::Walks => "walks",
        })
    }
}

/// A source of candidates for invariants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactSource {
    /// Abstract interpretation: intervals and lowest bits of variables.
    Intervals,
    /// Abstract interpretation: differences between variables that meet.
    Zones,
    /// Executions: what fits the states that they pass. These also refute candidates of other sources.
    Samples,
    /// Linear relations, from states that steps lead to.
    Relations,
    /// Closed forms of rounds of loops: strides, rates and bounds of what moves, with inner loops as part of a round.
    Rounds,
    /// Conditions of the text and their weakest preconditions.
    Text,
    /// What loops read, compare and store at one index, for all indices that they have come by.
    Arrays,
}

/// An engine for predicate abstraction queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineKind {
    /// The strongest abstraction, by enumeration inside the search.
    #[serde(rename = "allsat")]
    AllSat,
    /// The strongest abstraction, by models that are widened to cubes.
    Cubes,
    /// Linear decision diagrams over a linear reading of machine integers, \[SUM\] section 4.3; enumeration where that is not exact.
    Ldd,
    /// The fastest of several: MIN of \[SUM\] section 5.
    Min,
    /// Each predicate by itself.
    Cartesian,
    /// Implications of few literals before and after a step: \[CTL\] section 2.2.
    Implications,
}

/// A way to explore the abstract system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExplorationKind {
    /// Abstract states one by one, with the admissible transitions between them: \[MIN\] section 2.1.
    Explicit,
    /// Reachability by BDDs over a relation for each step: SUMMARYPA, \[SUM\] Fig. 1, \[SMC\] sections 4.1 and 4.2.
    BooleanProgram,
    /// Lazy abstraction with an abstract reachability tree.
    Tree,
    /// Lazy abstraction, where what waits at a point is taken further together.
    Rings,
    /// IC3, whose literals are predicates: without images, by questions about one step.
    #[serde(rename = "ic3")]
    Ic3,
}

/// A way to try an abstract counterexample on the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TraceCheckKind {
    /// Backward, by weakest preconditions: `TC`, \[MIN\] Fig. 3.
    WeakestPrecondition,
    /// Forward, step by step: `Σ_i`, \[SMC\] section 4.3.
    Simulation,
    /// All steps at once.
    Blocks,
}

/// Where predicates come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Branch conditions and their weakest preconditions: *PredInfer*, \[MIN\] Fig. 2.
    PredInfer,
    /// Weakest preconditions, along the trace, of the guard at which its simulation fails: \[SMC\] section 4.3.
    FailingGuard,
    /// Weakest preconditions, at the points of the trace, of the guards in an unsat core.
    CoreWp,
    /// Strongest postconditions, at the points of the trace, of the statements that matter to an unsat core.
    CoreSp,
    /// Interpolants between the parts of the trace before and after its points, from a proof that it is spurious:
    /// \[SMC\] section 4.4.
    Interpolants,
    /// Candidate branch conditions whose values along the trace are determined and refute it: \[CTL\] section 4.2.
    BranchCandidates,
    /// Candidate branch conditions one after the other, the abstract model made anew with each, until the trace is gone: what
    /// \[CTL\] section 4.2 calls the naive algorithm.
    OrderedBranches,
}

/// How the parts of a proof are combined to interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Interpolation {
    /// McMillan's rules: close to what the executions up to a point have made.
    McMillan,
    /// Their dual: close to what the rest of the trace excludes.
    Dual,
}

/// Which predicates are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// All.
    Monotone,
    /// All but those without which all traces seen are still eliminated, tried in a random order: \[MIN\] Fig. 6.
    Greedy,
    /// A minimum that eliminates all traces seen: *Sample-and-Eliminate*, \[MIN\] Fig. 5.
    Minimize,
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy {
            summary: "cutset".to_owned(),
            engine: EngineKind::AllSat,
            exploration: ExplorationKind::Rings,
            trace_check: TraceCheckKind::Blocks,
            searches: vec![
                Search::Cegar,
                Search::Bounded,
                Search::Unwind,
                Search::Invariants,
                Search::KInduction,
                Search::Ic3Ia,
            ],
            rounds: None,
            many_rounds: true,
            facts: vec![
                FactSource::Intervals,
                FactSource::Zones,
                FactSource::Rounds,
                FactSource::Samples,
                FactSource::Relations,
                FactSource::Text,
                FactSource::Arrays,
            ],
            max_nodes: Diagrams::DEFAULT_MAX_NODES,
            literals: Literals::default(),
            hybrid: None,
            refinement: RefinementStrategy::default(),
        }
    }
}

impl Default for RefinementStrategy {
    fn default() -> RefinementStrategy {
        // The limits are those of the paper's experiments: 1,000 combinations, 20 eliminating ones.
        RefinementStrategy {
            source: Source::CoreWp,
            interpolation: Interpolation::McMillan,
            keep: Keep::Monotone,
            inference_limit: 8,
            max_sub: 1000,
            max_elm: 20,
            max_size: 5,
            stop_at_size: true,
            within_blocks: false,
            related_only: true,
            patience: 10,
            seed: 0,
        }
    }
}

impl Strategy {
    /// Reads a preset file. What it leaves out is as in the default.
    pub fn from_toml(text: &str) -> Result<Strategy, PresetError> {
        toml::from_str(text).map_err(|e| PresetError(e.to_string()))
    }

    /// The engine.
    pub fn engine(&self) -> Box<dyn Engine> {
        match self.engine {
            EngineKind::AllSat => Box::new(AllSat),
            EngineKind::Cubes => Box::new(Cubes),
            EngineKind::Ldd => Box::new(OrEnumerate(Ldd::default())),
            EngineKind::Min => Box::new(Min::default()),
            EngineKind::Cartesian => Box::new(Cartesian),
            EngineKind::Implications => {
                Box::new(Implications { before: self.literals.before, after: self.literals.after })
            }
        }
    }
}

/// A preset that cannot be read, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PresetError(String);

impl std::fmt::Display for PresetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

impl std::error::Error for PresetError {}
