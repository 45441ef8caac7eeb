//! Hardware designs: read by `front-rtl`, searched as transition systems, and executed on values.

mod certificate;
mod circuit;
mod files;
pub mod input;
mod model;
pub mod property;
mod scene;
mod table;
mod trace;
mod validate;
mod waves;
mod witness;

pub use input::{is_design, is_design_evidence};

use super::certificate::{counted, read_formulas};
use super::{Answer, Beside, Case, Formalism, Phases, Unwritten, Wanted};
use crate::arguments::{CertifyOptions, CheckOptions, InputOptions};
use crate::certify::Finding;
use crate::check::counterexample::Counterexample;
use crate::check::report::Report;
use crate::check::scene::Scene;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::verdict::{ExitStatus, Verdict};
use certificate::Words;
use model::{Reduced, Violation};
use property::{Kind, Property};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tamis_diagnostics::Diagnostic;
use tamis_evidence::design::Proof;
use tamis_front_rtl::Source;
use tamis_logic::{Term, Terms};
use tamis_solver::Budget;

/// A design, which is read once: each property is searched over terms of its own.
#[derive(Clone)]
pub struct Rtl {
    input: InputOptions,
    read: Arc<(Terms, Source)>,
    /// The invariants that properties were proved with, in SMT-LIB: what holds for one property helps with the next.
    known: Arc<Mutex<Vec<String>>>,
}

/// Longer invariants are not used for other properties, in characters: they would be asserted in every query.
const MAX_KNOWN: usize = 1 << 17;

impl Formalism for Rtl {
    type Property = Property;
    type Source = (Source, Kind);
    type Model = Reduced;
    type Words = Words;

    const USUAL_PROPERTY: &'static str = "safety";
    const USUAL_PRESET: &'static str = "hardware";
    const NAME: &'static str = "RTL";
    const PHASES: Phases = Phases {
        reading: "reading the design",
        reducing: "reducing the design",
        replaying: "executing the design on the counterexample",
        beside: "waiting",
    };

    fn open(options: &mut CheckOptions) -> Result<(Rtl, Wanted<Property>), Refusal> {
        input::only_designs(options)?;
        input::resolve(&mut options.input)?;
        let mut terms = Terms::new();
        let deadline = options.limits.timeout.and_then(|time| Instant::now().checked_add(time));
        let source = input::load(&options.input, &mut terms, deadline)?;
        let properties = input::properties(&source, &options.property)?;
        if properties.is_empty() {
            let file = options.input.files.first().map(|f| f.display().to_string()).unwrap_or_default();
            let message = "the design has no property";
            return Err(Refusal::unreadable(Diagnostic::about_file(file, message)));
        }
        let wanted = properties.into_iter().map(|property| (property, None)).collect();
        let rtl =
            Rtl { input: options.input.clone(), read: Arc::new((terms, source)), known: Arc::default() };
        Ok((rtl, wanted))
    }

    fn load(&self, property: &Property, terms: &mut Terms) -> Result<(Source, Kind), Refusal> {
        let (read, source) = &*self.read;
        *terms = read.clone();
        Ok((source.clone(), property.kind))
    }

    fn model(&self, (source, property): (Source, Kind), terms: &mut Terms) -> Reduced {
        let variables: Vec<Term> = source.design.signals().map(|signal| signal.term).collect();
        let texts = self.known.lock().map(|known| known.clone()).unwrap_or_default();
        // What cannot be read again is not known.
        let known = read_formulas(terms, &variables, texts.iter().map(String::as_str)).unwrap_or_default();
        Reduced::new(terms, source.design, property, &known, source.warnings)
    }

    fn learn(&self, terms: &mut Terms, model: &Reduced, proof: &Proof) {
        let Some(invariant) = model.invariant(terms, proof) else { return };
        let text = terms.to_smtlib(invariant);
        if let Ok(mut known) = self.known.lock()
            && text != "true"
            && !known.contains(&text)
            && known.iter().map(String::len).sum::<usize>() + text.len() <= MAX_KNOWN
        {
            known.push(text);
        }
    }

    fn refined(&self, _: &[String]) -> Option<Rtl> {
        None
    }

    fn beside<'a>(&self, _: Case<'a, Property>, _: &Budget) -> Option<Box<dyn Beside<Words> + 'a>> {
        None
    }

    /// The execution was one of the design as it was read already.
    fn reproduce(
        &self,
        case: &Case<'_, Property>,
        terms: &Terms,
        model: &Reduced,
        violation: &Violation,
    ) -> Report {
        let name = case.property.name.as_str();
        Report {
            advice: files::write(case, terms, model, violation),
            counterexample: Some(Counterexample::Cycles(table::table(terms, model, violation))),
            ..Report::new(name, Verdict::False(name.to_owned()), ExitStatus::False)
        }
    }

    fn doubtful(&self, case: &Case<'_, Property>, _: &Reduced, _: &Violation) -> Report {
        Report::internal(&case.property.name, "internal error: nothing of a design is approximated")
    }

    fn scene(
        &self,
        _: &Case<'_, Property>,
        terms: &mut Terms,
        model: &Reduced,
        found: &Answer<Reduced>,
    ) -> Scene {
        scene::scene(terms, model, found)
    }

    fn witness(
        &self,
        case: &Case<'_, Property>,
        terms: &Terms,
        model: &Reduced,
        proof: &Proof,
        search: (&Budget, Duration),
    ) -> Vec<String> {
        circuit::write(case, terms, model, proof, search)
    }

    fn words(terms: &Terms, _: &Reduced, proof: &Proof) -> Words {
        Words::of(terms, proof)
    }

    fn write_certificate(
        &self,
        folder: &Path,
        property: &Property,
        verdict: String,
        proof: Option<&Words>,
        budget: &Budget,
    ) -> Result<String, Unwritten> {
        let named = (property.name.as_str(), property.kind);
        let conditions = certificate::write(folder, &self.input, named, verdict, proof, budget)?;
        Ok(counted(conditions))
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
        validate::decide(&options)
    }
}
