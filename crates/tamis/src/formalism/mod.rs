//! Languages of what is checked, as `check` and `certify` see them.
//!
//! A [`Formalism`] reads an input for each of its properties into a [`Model`]; the model gives the loop a
//! [`System`], checks the evidence that the loop brings back, and tells of both in the words of the source. The rest of a
//! session is the same for all: limits, progress, reports, documents. [C programs](c::C) are one formalism,
//! [hardware designs](rtl::Rtl) another.

mod answer;
pub mod c;
pub mod certificate;
pub mod rtl;

pub use answer::{Answer, Check};

use crate::arguments::{CertifyOptions, CheckOptions, Preset};
use crate::certify::Finding;
use crate::check::proof as told;
use crate::check::report::Report;
use crate::check::scene::{Scene, Spot};
use crate::limits::Limits;
use crate::refusal::Refusal;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};
use tamis_cegar::{KInduction, Returns};
use tamis_logic::{Term, Terms};
use tamis_program::ErrorPoint;
use tamis_solver::{Budget, Stop};
use tamis_system::{ConcreteTrace, Invariants, Point, System};

/// What is asked of an input. Each property has a verdict of its own.
pub trait Property: Clone + PartialEq + fmt::Display + Send + 'static {
    /// The name in verdicts.
    fn name(&self) -> &str;

    /// Why it is not checked, if it is known by name only.
    fn unsupported(&self) -> Option<String>;

    /// What a report on this leaves to do.
    fn after(&self, _report: &Report) -> Next<Self> {
        Next::Done
    }
}

/// What is to be done after a verdict.
pub enum Next<P> {
    /// It is the answer.
    Done,
    /// Something else that answers the same is to be checked.
    Try(P),
    /// It is the answer, for a reason.
    Confirmed(String),
    /// There is no answer, for a reason.
    GiveUp(String),
}

/// What a session does, for people.
pub struct Phases {
    pub reading: &'static str,
    pub reducing: &'static str,
    pub replaying: &'static str,
    pub beside: &'static str,
}

/// What is to be checked, with what is expected of it.
pub type Wanted<P> = Vec<(P, Option<bool>)>;

/// A language of what is checked, with an input in it: files, and how they are read.
pub trait Formalism: Clone + Send + 'static {
    type Property: Property;
    /// The input as it was written.
    type Source;
    type Model: Model;
    /// A proof in words that outlive the store of its terms, as certificates have them.
    type Words;

    /// The name of the property that is meant where none is given.
    const USUAL_PROPERTY: &'static str;
    /// The preset that is meant where none is given.
    const USUAL_PRESET: &'static str;
    /// What a session does, for people.
    const PHASES: Phases;
    /// How documents name the formalism.
    const NAME: &'static str;

    /// The input that the options name, and what is to be checked of it.
    fn open(options: &mut CheckOptions) -> Result<(Self, Wanted<Self::Property>), Refusal>;

    /// Reads the input for a property.
    fn load(&self, property: &Self::Property, terms: &mut Terms) -> Result<Self::Source, Refusal>;

    /// What is searched, without what the property does not depend on.
    fn model(&self, source: Self::Source, terms: &mut Terms) -> Self::Model;

    /// The places at which the property may be violated, and the lines that execution may come to.
    fn points(&self, _: &Self::Property, _: &mut Terms) -> Result<Points, Refusal> {
        Ok(Points::default())
    }

    /// The same input, where something else is asked than whether the property holds.
    fn asking(&self, _: Question) -> Self {
        self.clone()
    }

    /// The point that a violation ends at, and all that it passes.
    fn passed(&self, _: &Self::Model, _: &<Self::Model as Model>::Violation) -> Passed {
        Passed::default()
    }

    /// Whether the input itself comes to a place, on the inputs of an execution of the model: all places that it passes.
    fn visited(
        &self,
        _: &Case<'_, Self::Property>,
        _: &Self::Model,
        _: &<Self::Model as Model>::Violation,
    ) -> Vec<(String, u32)> {
        Vec::new()
    }

    /// The same input, read more precisely, where that may do without the approximations that a counterexample passes.
    fn refined(&self, approximations: &[String]) -> Option<Self>;

    /// Starts what may know the answer beside the search, which it then cancels.
    fn beside<'a>(
        &self,
        case: Case<'a, Self::Property>,
        search: &Budget,
    ) -> Option<Box<dyn Beside<Self::Words> + 'a>>;

    /// A violation of the model is made an execution of the input itself, or it is not believed.
    fn reproduce(
        &self,
        case: &Case<'_, Self::Property>,
        terms: &Terms,
        model: &Self::Model,
        violation: &<Self::Model as Model>::Violation,
    ) -> Report;

    /// A violation that passes approximations, if an execution of the input itself shows it all the same.
    fn without_doubt(
        &self,
        _case: &Case<'_, Self::Property>,
        _model: &Self::Model,
        _violation: &<Self::Model as Model>::Violation,
    ) -> Option<Report> {
        None
    }

    /// A violation of the model that passes an approximation, for people.
    fn doubtful(
        &self,
        case: &Case<'_, Self::Property>,
        model: &Self::Model,
        violation: &<Self::Model as Model>::Violation,
    ) -> Report;

    /// What a page shows of the model and of what was found.
    fn scene(
        &self,
        case: &Case<'_, Self::Property>,
        terms: &mut Terms,
        model: &Self::Model,
        found: &Answer<Self::Model>,
    ) -> Scene;

    /// Writes a witness of a proof, which the search took some time for, if that is wanted: what is to be said about it.
    fn witness(
        &self,
        case: &Case<'_, Self::Property>,
        terms: &Terms,
        model: &Self::Model,
        proof: &<Self::Model as Model>::Proof,
        search: (&Budget, Duration),
    ) -> Vec<String>;

    /// What a proof tells about other properties of the same input is kept for them.
    fn learn(&self, _: &mut Terms, _: &Self::Model, _: &<Self::Model as Model>::Proof) {}

    /// A proof in words.
    fn words(terms: &Terms, model: &Self::Model, proof: &<Self::Model as Model>::Proof) -> Self::Words;

    /// Writes a certificate into an empty folder; without a proof, one that says so. What is in it, for people.
    fn write_certificate(
        &self,
        folder: &Path,
        property: &Self::Property,
        verdict: String,
        proof: Option<&Self::Words>,
        budget: &Budget,
    ) -> Result<String, Unwritten>;

    /// Checks evidence that was written before.
    fn certify(
        options: CertifyOptions,
        limits: Limits,
        budget: &Budget,
        start: Instant,
    ) -> Result<Finding, Refusal>;
}

/// Places of an input.
#[derive(Clone, Default)]
pub struct Points {
    /// Where, and how, the property may be violated.
    pub errors: Vec<ErrorPoint>,
    /// Where execution may be.
    pub lines: Vec<ErrorPoint>,
}

/// What is asked of an input for a property.
#[derive(Clone, Default)]
pub enum Question {
    /// Whether the property holds.
    #[default]
    Whole,
    /// Whether it holds at all points but these: executions end there.
    Except(Vec<ErrorPoint>),
    /// Whether it holds at this point; others end executions only if they are among these.
    Only(ErrorPoint, Vec<ErrorPoint>),
    /// Whether execution comes to one of these points or lines.
    Reaches(Vec<ErrorPoint>),
}

/// Where an execution of the model goes.
#[derive(Clone, Default)]
pub struct Passed {
    /// The point that it violates the property at.
    pub last: Option<ErrorPoint>,
    /// The points and lines that it passes.
    pub all: Vec<ErrorPoint>,
}

/// One property of a run.
pub struct Case<'a, P> {
    pub options: &'a CheckOptions,
    pub property: &'a P,
    /// How to search.
    pub preset: &'a Preset,
    /// Whether there is more than one property.
    pub several: bool,
    pub start: Instant,
    /// Of the whole check.
    pub budget: &'a Budget,
}

impl<P> Clone for Case<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Case<'_, P> {}

impl<P> Case<'_, P> {
    /// The time that is left.
    pub fn left(&self) -> Option<Duration> {
        self.options.limits.timeout.map(|limit| limit.saturating_sub(self.start.elapsed()))
    }
}

/// An input as it was read for a property: what is searched, and what a search's result is held against.
pub trait Model: Sized {
    type System<'a>: System<Edge = Self::Edge> + Sync
    where
        Self: 'a;
    type Edge: Copy + Eq + std::hash::Hash + Send;
    /// A proof that was accepted.
    type Proof;
    /// An execution that was replayed.
    type Violation;

    /// What the user is to be warned of.
    fn warnings(&self) -> &[String];

    /// The same, without executions that pass what is only approximated.
    fn exact(self, terms: &mut Terms) -> Self;

    /// What the loop searches.
    fn system<'a>(&'a self, terms: &mut Terms, preset: &Preset) -> Self::System<'a>;

    /// A place for people.
    fn place(&self, system: &Self::System<'_>, point: Point) -> String;

    /// The line of a point, and the place for people.
    fn spot(&self, system: &Self::System<'_>, point: Point) -> Spot {
        Spot { file: String::new(), line: 0, what: self.place(system, point) }
    }

    /// A formula at a point for people.
    fn formula(&self, terms: &Terms, system: &Self::System<'_>, point: Point, formula: Term) -> String;

    /// Checks invariants, after dropping what they can do without, if there is time for `tidying`.
    fn certify(
        &self,
        terms: &mut Terms,
        system: &Self::System<'_>,
        invariants: &Invariants,
        budget: &Budget,
        tidying: Option<Duration>,
    ) -> Result<Self::Proof, Rejected>;

    /// Checks that all executions end, within so many steps of the system, and none in a violation.
    fn certify_exhausted(
        &self,
        terms: &mut Terms,
        steps: usize,
        budget: &Budget,
    ) -> Result<Self::Proof, Rejected>;

    /// Checks that all executions end, followed in the order of the program, and none in a violation. A system without
    /// [control flow](tamis_system::System::control_flow) is not unwound.
    fn certify_unwound(
        &self,
        _terms: &mut Terms,
        _returns: Returns,
        _budget: &Budget,
    ) -> Result<Self::Proof, Rejected> {
        Err(Rejected::Fails("proofs by unwinding are not checked here".to_owned()))
    }

    /// Checks a proof by k-induction. A system that is offered one
    /// [says so](tamis_system::System::certifies_k_induction).
    fn certify_k_inductive(
        &self,
        _terms: &mut Terms,
        _system: &Self::System<'_>,
        _proof: KInduction,
        _budget: &Budget,
    ) -> Result<Self::Proof, Rejected> {
        Err(Rejected::Fails("proofs by k-induction are not checked here".to_owned()))
    }

    /// Executes a counterexample of the system again. `Err` says where it is none.
    fn replay(&self, terms: &Terms, trace: &ConcreteTrace<Self::Edge>) -> Result<Self::Violation, String>;

    /// Whether an execution passes what is only approximated.
    fn is_doubtful(violation: &Self::Violation) -> bool;

    /// In which ways a proof says less than it seems to.
    fn vacuity(&self, terms: &mut Terms, proof: &Self::Proof, budget: &Budget) -> Vec<String>;

    /// A proof for people.
    fn told(&self, terms: &mut Terms, proof: &Self::Proof, budget: &Budget) -> told::Proof;
}

/// Why a proof was not accepted.
pub enum Rejected {
    Stopped(Stop),
    /// It is none.
    Fails(String),
}

/// What may know the answer beside the search.
pub trait Beside<Words> {
    /// Whether the property holds, if that is known in time.
    fn answer(&mut self, patience: Duration) -> Option<bool>;

    /// What it knows, found out once more, with the proof in words.
    fn report(&mut self) -> Option<(Report, Option<Words>)>;
}

/// Why a certificate was not written.
pub enum Unwritten {
    Stopped(Stop),
    Because(String),
}

impl From<std::io::Error> for Unwritten {
    fn from(error: std::io::Error) -> Unwritten {
        Unwritten::Because(error.to_string())
    }
}
