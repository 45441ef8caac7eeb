//! C programs: read by `front-c`, searched as automata of guarded commands, and run by the interpreter of C.

mod approximations;
mod beside;
pub mod certificate;
pub mod input;
mod invariants;
pub mod of_account;
pub mod of_replay;
pub mod property;
pub mod reproduction;
mod scene;
pub mod single;
pub mod task;
mod translation;
pub mod witness;

use super::certificate::counted;
use super::{Answer, Beside, Case, Formalism, Passed, Phases, Points, Question, Unwritten, Wanted};
use crate::arguments::{CertifyOptions, CheckOptions};
use crate::certify::Finding;
use crate::check::report::Report;
use crate::check::scene::Scene;
use crate::limits::Limits;
use crate::refusal::Refusal;
use beside::Run;
use certificate::{Proof as Words, Subject};
use property::Property;
use reproduction::Reproduction;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tamis_evidence::Replay;
use tamis_front_c::{Options, Refinement, Target};
use tamis_logic::Terms;
use tamis_program::{ErrorPoint, Mark, Program, Simplified, Undefined, simplify};
use tamis_solver::Budget;
use translation::{Proof, Translation};
use witness::make::Witnesses;

/// What a proof does not say, if it was not asked.
const UNASKED: &str = "note: accesses to memory were not checked; --property memory-safety does that";

/// A C program: its files, and how they are read.
#[derive(Clone)]
pub struct C {
    options: CheckOptions,
    refinement: Refinement,
    question: Question,
    /// The program as it was read last, without any question.
    read: Arc<Mutex<Option<Read>>>,
}

/// A program as it was read for a property.
struct Read {
    property: Property,
    refinement: Refinement,
    program: Program,
    terms: Terms,
}

impl C {
    /// A program as some options read it.
    pub fn new(options: CheckOptions) -> C {
        C { options, refinement: Refinement::default(), question: Question::Whole, read: Arc::default() }
    }

    fn reading(&self, property: &Property) -> Options {
        let reading = property.reading(input::reading(&self.options.input.reading));
        Options {
            physical: self.options.witness.is_some(),
            refinement: self.refinement,
            each_line: self.options.cover,
            ..reading
        }
    }
}

impl C {
    /// The program as it is, read once for all questions about a property.
    fn read(&self, property: &Property, terms: &mut Terms) -> Result<Program, Refusal> {
        let plain = matches!(self.question, Question::Whole) && !self.options.all && !self.options.cover;
        if plain {
            return input::load(&self.options.input, &self.reading(property), terms);
        }
        let mut kept = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(read) = kept.as_ref()
            && read.property == *property
            && read.refinement == self.refinement
        {
            *terms = read.terms.clone();
            return Ok(read.program.clone());
        }
        let program = input::load(&self.options.input, &self.reading(property), terms)?;
        let (property, refinement) = (property.clone(), self.refinement);
        *kept = Some(Read { property, refinement, program: program.clone(), terms: terms.clone() });
        Ok(program)
    }

    /// The program in which the error is what is asked for.
    fn asked(&self, property: &Property, program: &Program, terms: &mut Terms) -> Program {
        let undefined = property.undefined();
        let wanted = |mark: &Mark| undefined.contains(&mark.what);
        let errors = |program: &Program| match undefined.is_empty() {
            true => program.clone(),
            false => program.checked_where(wanted),
        };
        match &self.question {
            Question::Whole => errors(program),
            Question::Reaches(goals) => errors(program).with_goals(terms, |point| goals.contains(point)),
            Question::Except(out) => {
                let ended = self.ended(program, undefined, out, terms);
                errors(&ended).without_points(terms, |point| out.contains(point))
            }
            Question::Only(only, out) => {
                let ended = self.ended(program, undefined, out, terms);
                errors(&ended).without_points(terms, |point| point != only)
            }
        }
    }

    /// The program whose executions end where undefined behaviour is at some points.
    fn ended(
        &self,
        program: &Program,
        undefined: &[Undefined],
        out: &[ErrorPoint],
        terms: &mut Terms,
    ) -> Program {
        if undefined.is_empty() || out.is_empty() {
            return program.clone();
        }
        let is_out = |mark: &Mark| undefined.contains(&mark.what) && out.contains(&program.mark_point(mark));
        program.ended_at(terms, is_out)
    }
}

impl Formalism for C {
    type Property = Property;
    type Source = Program;
    type Model = Translation;
    type Words = Words;

    const USUAL_PROPERTY: &'static str = "unreach-call";
    const USUAL_PRESET: &'static str = "default";
    const NAME: &'static str = "C";
    const PHASES: Phases = Phases {
        reading: "reading the program",
        reducing: "simplifying the program",
        replaying: "running the program on the counterexample",
        beside: "running the program",
    };

    fn open(options: &mut CheckOptions) -> Result<(C, Wanted<Property>), Refusal> {
        only_c(options)?;
        let wanted = wanted(options)?;
        Ok((C::new(options.clone()), wanted))
    }

    fn load(&self, property: &Property, terms: &mut Terms) -> Result<Program, Refusal> {
        let program = self.read(property, terms)?;
        Ok(self.asked(property, &program, terms))
    }

    fn points(&self, property: &Property, terms: &mut Terms) -> Result<Points, Refusal> {
        let program = self.read(property, terms)?;
        let lines = program.line_points();
        let whole = C { question: Question::Whole, ..self.clone() }.asked(property, &program, terms);
        Ok(Points { errors: whole.error_points(), lines })
    }

    fn asking(&self, question: Question) -> C {
        C { question, ..self.clone() }
    }

    fn passed(&self, model: &Translation, violation: &Replay) -> Passed {
        let program = &model.original;
        let last = violation.steps.last().map(|step| program.error_point(step.edge));
        let all = program.passed(violation.steps.iter().map(|step| step.edge)).into_iter().collect();
        Passed { last, all }
    }

    fn visited(
        &self,
        case: &Case<'_, Property>,
        model: &Translation,
        violation: &Replay,
    ) -> Vec<(String, u32)> {
        let Ok(unit) = input::read(&case.options.input, case.property, false) else {
            return Vec::new();
        };
        tamis_interpreter_c::lines_of(&model.original, &unit, violation, case.left())
            .into_iter()
            .filter_map(|at| Some((unit.files().get(at.file as usize)?.clone(), at.line)))
            .collect()
    }

    fn model(&self, program: Program, terms: &mut Terms) -> Translation {
        let simplified = match self.options.no_simplify {
            true => Simplified::unchanged(&program),
            false => simplify(&program, terms),
        };
        Translation::new(program, simplified)
    }

    fn refined(&self, approximations: &[String]) -> Option<C> {
        let refinement = self.refinement.refined(approximations)?;
        Some(C { refinement, ..self.clone() })
    }

    fn beside<'a>(&self, case: Case<'a, Property>, search: &Budget) -> Option<Box<dyn Beside<Words> + 'a>> {
        Some(Box::new(Run::start(case, search)?))
    }

    fn reproduce(
        &self,
        case: &Case<'_, Property>,
        terms: &Terms,
        model: &Translation,
        violation: &Replay,
    ) -> Report {
        let reproduction = Reproduction { witnesses: Witnesses::of(case), left: case.left() };
        reproduction.report(terms, &model.original, violation)
    }

    fn without_doubt(
        &self,
        case: &Case<'_, Property>,
        model: &Translation,
        violation: &Replay,
    ) -> Option<Report> {
        let reproduction = Reproduction { witnesses: Witnesses::of(case), left: case.left() };
        reproduction.without_doubt(&model.original, violation)
    }

    fn doubtful(&self, case: &Case<'_, Property>, model: &Translation, violation: &Replay) -> Report {
        let files = &case.options.input.files;
        approximations::report(case.property.name(), &model.original, violation, files)
    }

    fn scene(
        &self,
        case: &Case<'_, Property>,
        terms: &mut Terms,
        model: &Translation,
        found: &Answer<Translation>,
    ) -> Scene {
        scene::scene(case, terms, model, found)
    }

    fn witness(
        &self,
        case: &Case<'_, Property>,
        terms: &Terms,
        model: &Translation,
        proof: &Proof,
        (budget, search): (&Budget, Duration),
    ) -> Vec<String> {
        let searched = &model.simplified.program;
        let mut notes = Witnesses::of(case).of_proof((terms, searched), &proof.invariants(), budget, search);
        let unasked = !matches!(case.property, Property::Memory(_)) && model.original.risks_accesses();
        notes.extend(unasked.then(|| UNASKED.to_owned()));
        notes
    }

    fn words(terms: &Terms, model: &Translation, proof: &Proof) -> Words {
        match proof {
            Proof::Invariants(certificate) => {
                Words::of_invariants(terms, &model.simplified.program, certificate)
            }
            Proof::Exhaustion(exhaustion) => Words::Exhaustion(exhaustion.clone()),
            Proof::KInduction(proof) => Words::of_k_induction(terms, &model.simplified.program, proof),
        }
    }

    fn write_certificate(
        &self,
        folder: &Path,
        property: &Property,
        verdict: String,
        proof: Option<&Words>,
        budget: &Budget,
    ) -> Result<String, Unwritten> {
        let simplified = !self.options.no_simplify;
        let subject = Subject { property: property.clone(), refinement: self.refinement, simplified };
        let conditions = certificate::write(folder, &self.options.input, &subject, verdict, proof, budget)?;
        Ok(match proof {
            Some(Words::Execution(execution)) => format!("the program's execution of {execution}"),
            _ => counted(conditions),
        })
    }

    fn certify(
        options: CertifyOptions,
        limits: Limits,
        budget: &Budget,
        start: Instant,
    ) -> Result<Finding, Refusal> {
        if options.evidence.is_dir() {
            return Ok(certificate::check(&options, limits, budget, start));
        }
        witness::validate::decide(options, limits, budget)
    }
}

/// What only designs have is not asked of a program.
fn only_c(options: &CheckOptions) -> Result<(), Refusal> {
    let design = &options.input.design;
    let given =
        [("--top", design.top.is_some()), ("-f", !design.lists.is_empty()), ("--vcd", options.vcd.is_some())];
    match given.iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            Err(Refusal::usage(format!("{option} is for hardware designs, not for C programs")))
        }
        None => Ok(()),
    }
}

/// The properties to check, with what is expected of them.
fn wanted(options: &mut CheckOptions) -> Result<Wanted<Property>, Refusal> {
    let task = input::resolve(&mut options.input)?;
    let mut wanted = Vec::new();
    wanted.extend(input::specifications(options)?.into_iter().map(|property| (property, None)));
    for choice in &options.property {
        wanted.extend(input::properties(choice)?.into_iter().map(|property| (property, None)));
    }
    if let Some(task) = task {
        if wanted.is_empty() {
            if !options.quiet {
                task.notes.iter().for_each(|note| eprintln!("note: {note}"));
            }
            wanted = task.properties;
        } else {
            for (property, expected) in &mut wanted {
                let same = |(known, _): &&(Property, _)| known.name() == property.name();
                *expected = task.properties.iter().find(same).and_then(|(_, expected)| *expected);
            }
        }
    }
    if wanted.is_empty() {
        wanted.push((Property::Unreachable(Target::Errors), None));
    }
    let mut distinct: Wanted<Property> = Vec::new();
    for (property, expected) in wanted {
        if !distinct.iter().any(|(known, _)| *known == property) {
            distinct.push((property, expected));
        }
    }
    Ok(distinct)
}
