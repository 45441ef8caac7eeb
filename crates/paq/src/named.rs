//! Engines by name.

use crate::{AllSat, Baseline, Cartesian, Cubes, Engine, Ldd, MaxCube, Min, Successive};

/// The numbers that some engines can be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// The most literals of a clause of `maxcube`.
    pub size: usize,
    /// How much `steps` lets cubes grow at a time.
    pub step: usize,
    /// Whether `steps` keeps what it has found from step to step.
    pub incremental: bool,
    /// The seed of random choices.
    pub seed: u64,
    /// How many bytes there are, for `min`, which shares them out.
    pub memory: Option<u64>,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters { size: 2, step: 1, incremental: true, seed: 0, memory: None }
    }
}

type Make = fn(&Parameters) -> Box<dyn Engine>;

const ENGINES: [(&str, Make); 11] = [
    ("min", |p| Box::new(Min::within(p.memory))),
    ("allsat", |_| Box::new(AllSat)),
    ("blackbox", |_| Box::new(Baseline::BlackBox)),
    ("naive", |_| Box::new(Baseline::Naive)),
    ("no-theory-propagation", |_| Box::new(Baseline::NoTheoryPropagation)),
    ("cubes", |_| Box::new(Cubes)),
    ("cartesian", |_| Box::new(Cartesian)),
    ("maxcube", |p| Box::new(MaxCube { size: p.size })),
    ("ldd", |_| Box::new(Ldd::default())),
    ("ldd-static", |_| Box::new(Ldd::in_static_order())),
    ("steps", |p| {
        Box::new(Successive {
            step: p.step,
            incremental: p.incremental,
            seed: p.seed,
            ..Successive::default()
        })
    }),
];

/// The names of the engines.
pub fn engine_names() -> impl Iterator<Item = &'static str> {
    ENGINES.iter().map(|&(name, _)| name)
}

/// The engine of a name, if there is one.
///
/// ```
/// use tamis_paq::{Parameters, engine_named};
/// assert!(engine_named("allsat", &Parameters::default()).unwrap().is_exact());
/// assert!(engine_named("allsats", &Parameters::default()).is_none());
/// ```
pub fn engine_named(name: &str, parameters: &Parameters) -> Option<Box<dyn Engine>> {
    ENGINES.iter().find(|&&(n, _)| n == name).map(|(_, make)| make(parameters))
}
