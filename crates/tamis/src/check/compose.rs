//! Systems of components: C programs and machines that share actions.
//!
//! The loop of two levels, [`tamis_specification::system`], with checks of programs as its oracle. What is proved rests on a machine
//! for each program and a proof that the program does no more, which is printed as one could check it again (`--spec`). What is
//! violated is shown by a word of actions, and for each program an execution that was replayed.

use super::board::Board;
use super::counterexample::{Counterexample, Note};
use super::report::Report;
use super::session::Session;
use super::{Running, Subject, framed};
use crate::arguments::{CheckOptions, Preset, parse_preset};
use crate::formalism::c::C;
use crate::formalism::c::property::Property;
use crate::formalism::{Case, Formalism};
use crate::refusal::Refusal;
use crate::verdict::{ExitStatus, Verdict};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tamis_diagnostics::Diagnostic;
use tamis_front_c::{Act, StandIn, Way, Weaving};
use tamis_specification::system::{
    Answer, Component, Kind, Learned, Oracle, Process, System, all_but, as_machine, learn, system, violation,
};
use tamis_specification::{Specification, machines};

/// Larger machines of programs are not looked for.
const MOST_STATES: usize = 40;

/// More states of all components together are not looked at.
const MOST_TOGETHER: usize = 1_000_000;

/// The machine that a program is held against.
const MACHINE: &str = "actions";

/// Whether the input is a system of components.
pub fn is_system(files: &[PathBuf]) -> bool {
    matches!(files, [file] if file.extension().is_some_and(|e| e == "system"))
}

/// Checks a system.
pub fn run(options: CheckOptions) -> ExitStatus {
    framed(Subject { formalism: C::NAME, property: "system" }, options, check)
}

fn check(options: CheckOptions, running: &Running<'_>) -> Result<(), Refusal> {
    let file = options.input.files[0].clone();
    let name = file.display().to_string();
    let text = std::fs::read_to_string(&file)
        .map_err(|e| Refusal::unreadable(Diagnostic::about_file(&*name, format!("cannot be read: {e}"))))?;
    let system = system(&name, &text).map_err(Refusal::unreadable)?;
    let preset = parse_preset(C::USUAL_PRESET).map_err(Refusal::usage)?;
    let preset = options.preset.clone().unwrap_or(preset);
    let property = system.satisfies.0.clone();
    let wanted = vec![(property.clone(), None)];
    let board = running.board.get_or_init(|| Board::new(C::NAME, options.clone(), wanted, running.start));
    board.begin(&property);
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    let mut parts = Vec::new();
    for component in &system.components {
        parts.push(Part::new(component, &system, &folder, (&options, &preset, running)));
    }
    let report = decide(&system, &mut parts);
    let report = match report {
        Ok(Outcome::Satisfied) => Report::new(&property, Verdict::True, ExitStatus::True),
        Ok(Outcome::Violated(word)) => {
            tell(&system, &word, &parts, &options);
            Report::new(&property, Verdict::False(property.clone()), ExitStatus::False)
        }
        Err(why) => Report::unknown(&property, why, ExitStatus::Unknown),
    };
    if report.status == ExitStatus::True && !options.quiet {
        eprintln!("proof: each program does no more than a machine, and together these satisfy {property}");
        for (part, component) in parts.iter().zip(&system.components) {
            if matches!(component.kind, Kind::Program(_)) {
                eprint!("{}", as_machine(&component.name, &part.process, &system.actions));
            }
        }
    }
    board.finish(report);
    Ok(())
}

enum Outcome {
    Satisfied,
    Violated(Vec<usize>),
}

/// Machines for the programs are made finer until the system satisfies its machine or has a real violation.
fn decide(system: &System, parts: &mut [Part<'_>]) -> Result<Outcome, String> {
    loop {
        let processes: Vec<Process> = parts.iter().map(|part| part.process.clone()).collect();
        let found = violation(&processes, &system.satisfies.1, MOST_TOGETHER);
        let found =
            found.map_err(|limit| format!("the components have more than {limit} states together"))?;
        let Some(word) = found else { return Ok(Outcome::Satisfied) };
        let mut spurious = false;
        for part in parts.iter_mut() {
            let own: Vec<usize> =
                word.iter().copied().filter(|action| part.component.alphabet.contains(action)).collect();
            spurious |= part.refine(&own)?;
        }
        if !spurious {
            return Ok(Outcome::Violated(word));
        }
    }
}

/// A component, and what is known of it.
struct Part<'a> {
    component: &'a Component,
    /// What it does at most.
    process: Process,
    learned: Learned,
    asked: Asked<'a>,
}

impl<'a> Part<'a> {
    fn new(
        component: &'a Component,
        system: &'a System,
        folder: &Path,
        (options, preset, running): (&CheckOptions, &'a Preset, &'a Running<'a>),
    ) -> Part<'a> {
        let (process, files) = match &component.kind {
            Kind::Machine(process) => (process.clone(), Vec::new()),
            Kind::Program(files) => {
                (Process::anything(&component.alphabet), files.iter().map(|file| folder.join(file)).collect())
            }
        };
        let mut own = options.clone();
        own.input.files = files;
        own.quiet = true;
        (own.json, own.sarif, own.junit, own.report) = (None, None, None, None);
        (own.harness, own.certificate, own.witness) = (None, None, None);
        let asked = Asked { options: own, preset, running, component, actions: &system.actions, shown: None };
        Part { component, process, learned: Learned::new(&component.alphabet), asked }
    }

    /// Makes the machine of a program finer if the program does not do a word, and says whether that is so.
    fn refine(&mut self, word: &[usize]) -> Result<bool, String> {
        if matches!(self.component.kind, Kind::Machine(_)) || word.is_empty() {
            return Ok(false);
        }
        let of = |why| format!("component {}: {why}", self.component.name);
        if self.learned.does(word, &mut self.asked).map_err(of)? {
            // It is shown once more: the last question may have been another.
            return match self.asked.never_does(word) {
                Answer::No(()) => Ok(false),
                Answer::Yes => Err(of("two answers to one question".to_owned())),
                Answer::Unknown(why) => Err(of(why)),
            };
        }
        if self.process.states > 1 || self.process.moves.len() != self.component.alphabet.len() {
            self.learned.differ(word);
        }
        let process = learn(&mut self.learned, MOST_STATES, &mut self.asked).map_err(of)?;
        if process.does(word) {
            self.learned.differ(word);
            self.process = learn(&mut self.learned, MOST_STATES, &mut self.asked).map_err(of)?;
            return match self.process.does(word) {
                true => Err(of("its machine still does what the program does not".to_owned())),
                false => Ok(true),
            };
        }
        self.process = process;
        Ok(true)
    }
}

/// Checks of a program.
struct Asked<'a> {
    options: CheckOptions,
    preset: &'a Preset,
    running: &'a Running<'a>,
    component: &'a Component,
    actions: &'a [String],
    /// The last execution that was shown.
    shown: Option<Counterexample>,
}

impl Asked<'_> {
    /// Holds the program against a process.
    fn check(&mut self, process: &Process) -> Result<Report, String> {
        let text = as_machine(MACHINE, process, self.actions);
        let found = machines(&format!("{}.lts", self.component.name), &text).map_err(|e| e.to_string())?;
        let specification = found.into_iter().next().ok_or("there is no machine")?;
        let mut weaving = Weaving::clone(&specification.weaving);
        weaving.stand_ins.extend(process.alphabet.iter().map(|&action| stub(&self.actions[action])));
        weaving.hooks.iter_mut().for_each(|hook| hook.certain = false);
        let specification = Specification { weaving: Arc::new(weaving), ..specification };
        let property = Property::Specified(Arc::new(specification));
        let Running { budget, limits, start, .. } = *self.running;
        budget.check().map_err(|stop| limits.reason(stop))?;
        let board = Board::new(C::NAME, self.options.clone(), Vec::new(), start);
        let case = Case {
            options: &self.options,
            property: &property,
            preset: self.preset,
            several: false,
            start,
            budget,
        };
        Ok(Session::new(C::new(self.options.clone()), case, limits, &board).run())
    }
}

/// A function of an action, where the program has no body for it.
fn stub(function: &str) -> StandIn {
    StandIn {
        function: function.to_owned(),
        place: Diagnostic::about_file(function, "an action"),
        states: vec![vec![Way { act: Act::Return(None), to: 0 }]],
        only_if_undefined: true,
    }
}

impl Oracle for Asked<'_> {
    fn never_does(&mut self, word: &[usize]) -> Answer<()> {
        match self.check(&all_but(word, &self.component.alphabet)) {
            Err(why) => Answer::Unknown(why),
            Ok(report) => match report.verdict {
                Verdict::True => Answer::Yes,
                Verdict::False(_) => {
                    self.shown = report.counterexample;
                    Answer::No(())
                }
                Verdict::Unknown(why) => Answer::Unknown(why),
            },
        }
    }

    fn does_no_more(&mut self, process: &Process) -> Answer<Vec<usize>> {
        let report = match self.check(process) {
            Err(why) => return Answer::Unknown(why),
            Ok(report) => report,
        };
        match (report.verdict, report.counterexample) {
            (Verdict::True, _) => Answer::Yes,
            (Verdict::Unknown(why), _) => Answer::Unknown(why),
            (Verdict::False(_), Some(Counterexample::Lines(rows))) => {
                let mut word = Vec::new();
                for note in rows.iter().flat_map(|row| &row.does) {
                    match note {
                        Note::Omitted(_) => return Answer::Unknown("an execution is too long".to_owned()),
                        Note::Call { function, .. } => {
                            let action = self.actions.iter().position(|action| action == function);
                            word.extend(action.filter(|action| self.component.alphabet.contains(action)));
                        }
                        _ => {}
                    }
                }
                Answer::No(word)
            }
            (Verdict::False(_), _) => Answer::Unknown("an execution that is not told".to_owned()),
        }
    }
}

/// Tells what the components do together.
fn tell(system: &System, word: &[usize], parts: &[Part<'_>], options: &CheckOptions) {
    if options.quiet {
        return;
    }
    let names: Vec<&str> = word.iter().map(|&action| system.actions[action].as_str()).collect();
    eprintln!("counterexample: {}", names.join(", "));
    eprintln!("  {} does not allow this", system.satisfies.0);
    for part in parts {
        if let Some(shown) = &part.asked.shown {
            eprintln!("component {}", part.component.name);
            shown.print(true, options.full_trace);
        }
    }
}
