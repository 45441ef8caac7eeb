//! A C program as an automaton, as the user sees it and as it is searched.

use super::invariants;
use crate::arguments::Preset;
use crate::check::proof as told;
use crate::check::scene::Spot;
use crate::formalism::{Model, Rejected};
use crate::refusal::one_line;
use std::borrow::Cow;
use std::time::Duration;
use tamis_cegar::Returns;
use tamis_evidence::{Certificate, Exhaustion, KInduction, Rejection, Replay};
use tamis_interpreter_c::c_expression;
use tamis_logic::{Term, Terms};
use tamis_program::{EdgeId, Program, ProgramSystem, Simplified, executed};
use tamis_solver::Budget;
use tamis_system::{ConcreteTrace, Invariants, Point, System};

/// Predicates with longer texts are shown as SMT-LIB.
const MAX_LENGTH: usize = 400;

/// So long it is tried to check a proof by k-induction without its facts.
const WITHOUT_FACTS: Duration = Duration::from_millis(500);

/// A translated program.
pub struct Translation {
    /// As it was translated.
    pub original: Program,
    pub simplified: Simplified,
    /// The simplified program without its approximations, if that is what is searched.
    exact: Option<Program>,
}

/// A proof that was accepted.
pub enum Proof {
    Invariants(Certificate),
    /// All executions were followed to their ends.
    Exhaustion(Exhaustion),
    KInduction(KInduction),
}

impl Proof {
    /// The invariants, if there are any.
    pub fn invariants(&self) -> Cow<'_, Certificate> {
        match self {
            Proof::Invariants(certificate) => Cow::Borrowed(certificate),
            Proof::KInduction(proof) => Cow::Borrowed(&proof.facts),
            Proof::Exhaustion(_) => Cow::Owned(Certificate::default()),
        }
    }
}

impl Translation {
    pub fn new(original: Program, simplified: Simplified) -> Translation {
        Translation { original, simplified, exact: None }
    }

    pub fn searched(&self) -> &Program {
        self.exact.as_ref().unwrap_or(&self.simplified.program)
    }

    fn rejected(&self, rejection: Rejection) -> Rejected {
        match rejection {
            Rejection::Stopped(stop) => Rejected::Stopped(stop),
            rejection => Rejected::Fails(one_line(&rejection.describe(self.searched()))),
        }
    }
}

impl Model for Translation {
    type System<'a> = ProgramSystem<'a>;
    type Edge = EdgeId;
    type Proof = Proof;
    type Violation = Replay;

    fn warnings(&self) -> &[String] {
        self.original.warnings()
    }

    fn exact(self, terms: &mut Terms) -> Translation {
        Translation { exact: Some(self.simplified.program.without_approximations(terms)), ..self }
    }

    fn system<'a>(&'a self, terms: &mut Terms, preset: &Preset) -> ProgramSystem<'a> {
        ProgramSystem::over(terms, self.searched(), preset.summary)
    }

    fn place(&self, system: &ProgramSystem<'_>, point: Point) -> String {
        let Spot { file, line, what } = self.spot(system, point);
        if line == 0 { what } else { format!("{file}:{line} in {what}") }
    }

    fn spot(&self, system: &ProgramSystem<'_>, point: Point) -> Spot {
        let (program, location) = (self.searched(), system.location(point));
        let function = &program.frame(program.frame_of(location)).function;
        match program.outgoing(location).first() {
            Some(&edge) => {
                let source = program.edge(edge).source;
                let file = program.file(source.file).to_owned();
                Spot { file, line: source.line, what: function.clone() }
            }
            None => Spot { file: String::new(), line: 0, what: format!("the end of {function}") },
        }
    }

    fn formula(&self, terms: &Terms, system: &ProgramSystem<'_>, point: Point, formula: Term) -> String {
        let program = self.searched();
        let frame = program.frame_of(system.location(point));
        c_expression(terms, program, frame, formula, MAX_LENGTH).unwrap_or_else(|| terms.to_smtlib(formula))
    }

    fn certify(
        &self,
        terms: &mut Terms,
        system: &ProgramSystem<'_>,
        invariants: &Invariants,
        budget: &Budget,
        tidying: Option<Duration>,
    ) -> Result<Proof, Rejected> {
        let program = self.searched();
        let certificate = Certificate { invariants: system.at_locations(invariants) };
        let limited = tidying.map(|time| budget.child_with_timeout(time));
        let tidy = limited.map(|budget| tamis_evidence::tidy(terms, program, &certificate, &budget));
        if let Some(Ok(Some(tidy))) = tidy
            && tamis_evidence::certify(terms, program, &tidy, budget).is_ok()
        {
            return Ok(Proof::Invariants(tidy));
        }
        let checked = tamis_evidence::certify(terms, program, &certificate, budget);
        checked.map(|()| Proof::Invariants(certificate)).map_err(|rejection| self.rejected(rejection))
    }

    fn certify_exhausted(&self, terms: &mut Terms, steps: usize, budget: &Budget) -> Result<Proof, Rejected> {
        let program = self.searched();
        // Each step may pass several loop heads.
        let rounds = steps.saturating_mul(program.locations().count());
        let checked = tamis_evidence::exhaust(terms, program, rounds, budget);
        checked.map(Proof::Exhaustion).map_err(|rejection| self.rejected(rejection))
    }

    /// Terms that were made in another order may be simplified otherwise, so that more is decided here, or less. Then the
    /// executions are followed without knowing where they end.
    fn certify_unwound(
        &self,
        terms: &mut Terms,
        returns: Returns,
        budget: &Budget,
    ) -> Result<Proof, Rejected> {
        let program = self.searched();
        let proof = Exhaustion { last: returns.last, returns: returns.count };
        match tamis_evidence::certify_exhausted(terms, program, &proof, budget) {
            Ok(()) => Ok(Proof::Exhaustion(proof)),
            Err(rejection @ Rejection::Stopped(_)) => Err(self.rejected(rejection)),
            Err(_) => self.certify_exhausted(terms, usize::MAX, budget),
        }
    }

    /// If it holds without the facts, there is less to read.
    fn certify_k_inductive(
        &self,
        terms: &mut Terms,
        system: &ProgramSystem<'_>,
        proof: tamis_cegar::KInduction,
        budget: &Budget,
    ) -> Result<Proof, Rejected> {
        let program = self.searched();
        let tamis_cegar::KInduction { k, simple_path, facts } = proof;
        let truth = terms.tru();
        let cutpoints = (0..system.points() as u32).map(|p| system.location(Point(p)));
        let nothing = cutpoints.map(|l| (l, truth)).collect();
        let facts = facts.map_or_else(|| Vec::clone(&nothing), |facts| system.at_locations(&facts));
        let with = |invariants| KInduction { k, simple_path, facts: Certificate { invariants } };
        if facts != nothing {
            let (alone, limited) = (with(nothing), budget.child_with_timeout(WITHOUT_FACTS));
            if tamis_evidence::certify_k_inductive(terms, program, &alone, &limited).is_ok() {
                return Ok(Proof::KInduction(alone));
            }
        }
        let proof = with(facts);
        let checked = tamis_evidence::certify_k_inductive(terms, program, &proof, budget);
        checked.map(|()| Proof::KInduction(proof)).map_err(|rejection| self.rejected(rejection))
    }

    /// Re-runs an execution on the program that was searched, and then on the original: no simplification can make up
    /// a violation.
    fn replay(&self, terms: &Terms, found: &ConcreteTrace<EdgeId>) -> Result<Replay, String> {
        let execution = executed(&found.execution);
        tamis_evidence::replay(terms, self.searched(), &found.initial, &execution)
            .map_err(|divergence| divergence.to_string())?;
        let Some(execution) = self.simplified.lift(terms, &self.original, &found.initial, &execution) else {
            return Err("the trace is none of the program before its simplification".to_owned());
        };
        tamis_evidence::replay(terms, &self.original, &found.initial, &execution)
            .map_err(|divergence| divergence.to_string())
    }

    fn is_doubtful(violation: &Replay) -> bool {
        !violation.approximated.is_empty()
    }

    fn vacuity(&self, terms: &mut Terms, proof: &Proof, budget: &Budget) -> Vec<String> {
        let certificate = proof.invariants();
        let found =
            tamis_evidence::vacuity(terms, &self.original, &self.simplified, &certificate.invariants, budget);
        found.iter().map(|vacuity| one_line(&vacuity.to_string())).collect()
    }

    fn told(&self, terms: &mut Terms, proof: &Proof, budget: &Budget) -> told::Proof {
        let program = &self.simplified.program;
        match proof {
            Proof::Invariants(certificate) => {
                told::Proof::Loops(invariants::invariants(terms, program, certificate, budget))
            }
            Proof::Exhaustion(_) => told::Proof::Exhaustion,
            Proof::KInduction(KInduction { k, simple_path, facts }) => {
                let mut facts = invariants::invariants(terms, program, facts, budget);
                facts.retain(|fact| fact.invariant != invariants::NOTHING);
                told::Proof::KInduction {
                    k: *k,
                    simple_path: *simple_path,
                    steps: told::Steps::Rounds,
                    facts,
                }
            }
        }
    }
}
