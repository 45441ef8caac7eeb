//! A script's run: one command after the other.

use super::assertions::{Assertions, Declared};
use super::checks::Last;
use super::information;
use super::model;
use super::output::Output;
use super::settings::Settings;
use super::source::Source;
use crate::arguments::SolveOptions;
use crate::limits::Limits;
use crate::verdict::ExitStatus;
use std::sync::Arc;
use std::time::Instant;
use tamis_diagnostics::Diagnostic;
use tamis_logic::Terms;
use tamis_logic::smtlib::{Command, Error, Position, Reader, Undecided};
use tamis_solver::{Budget, Solver, Stats, Stop, resident_memory};

/// Everything that commands read and change.
pub struct Session {
    pub(super) terms: Terms,
    pub(super) solver: Solver,
    pub(super) assertions: Assertions,
    pub(super) settings: Settings,
    /// What the latest check has left for later commands.
    pub(super) last: Last,
    /// What `:status` says about the next check.
    pub(super) expected: Option<String>,
    /// The first term so far that no theory decides.
    pub(super) undecided: Option<Undecided>,
    pub(super) output: Arc<Output>,
    pub(super) limits: Limits,
    pub(super) budget: Budget,
    options: SolveOptions,
    start: Instant,
    /// Of solvers that were given up.
    before: Stats,
    status: ExitStatus,
}

/// Why a command has no answer.
pub enum Failure {
    /// It asks for something that is not there; the run goes on.
    Refused(String),
    /// It asks for what a check would have left that ended without an answer; the run goes on.
    Unknown(String),
    /// A limit is exhausted.
    Stopped(Stop),
    /// A bug.
    Internal(String),
}

impl Session {
    pub fn new(
        options: SolveOptions,
        limits: Limits,
        budget: Budget,
        output: Arc<Output>,
        start: Instant,
    ) -> Session {
        let settings = Settings::new(options.seed);
        let mut solver = Solver::new(&budget);
        solver.set_seed(settings.random_seed);
        Session {
            terms: Terms::new(),
            solver,
            assertions: Assertions::new(),
            settings,
            last: Last::Nothing,
            expected: None,
            undecided: None,
            output,
            limits,
            budget,
            options,
            start,
            before: Stats::default(),
            status: ExitStatus::True,
        }
    }

    /// Answers the whole script.
    pub fn run(mut self, source: Source, file: &str) -> ExitStatus {
        let text = source.text();
        let mut reader = Reader::new(source);
        loop {
            if let Err(stop) = self.budget.check() {
                self.stopped(stop);
                break;
            }
            let (command, position) = match reader.next_command(&mut self.terms) {
                Ok(None) => break,
                Ok(Some((Command::Exit, _))) => {
                    self.success();
                    break;
                }
                Ok(Some(found)) => found,
                // What follows a command that was not understood may not mean what its author meant.
                Err(error) => {
                    let source_line = text.line(error.position.line);
                    self.unreadable(&error, file, source_line);
                    break;
                }
            };
            self.undecided = reader.undecided();
            if let Err(failure) = self.answer(command)
                && self.failed(failure, position)
            {
                break;
            }
        }
        if self.options.stats {
            self.print_statistics();
        }
        self.status
    }

    fn answer(&mut self, command: Command) -> Result<(), Failure> {
        match command {
            Command::SetLogic(_)
            | Command::DeclareSort(_)
            | Command::DefineSort(_)
            | Command::Define { .. } => {
                self.success();
            }
            Command::SetOption(keyword, value) => {
                if self.settings.set(&keyword, &value) {
                    self.solver.set_seed(self.settings.random_seed);
                    self.success();
                } else {
                    self.output.line("unsupported");
                }
            }
            Command::SetInfo(keyword, value) => {
                if keyword == ":status" {
                    self.expected = Some(value);
                }
                self.success();
            }
            Command::Declare { name, var } => {
                self.assertions.declare(Declared::Constant(name, var), self.settings.global_declarations);
                self.success();
            }
            Command::DeclareFunction { name, function } => {
                let declared = Declared::Function(name, function);
                self.assertions.declare(declared, self.settings.global_declarations);
                self.success();
            }
            Command::Assert { formula, name, names } => {
                self.last = Last::Nothing;
                let tracked = self.settings.produce_unsat_cores;
                self.assertions.assert(&mut self.terms, &mut self.solver, formula, (name, names), tracked);
                self.success();
            }
            Command::Push(count) => {
                self.last = Last::Nothing;
                self.assertions.push(count);
                self.success();
            }
            Command::Pop(count) => {
                self.last = Last::Nothing;
                self.assertions.pop(&mut self.terms, &mut self.solver, count);
                self.success();
            }
            Command::CheckSat => self.check(Vec::new())?,
            Command::CheckSatAssuming(assumptions) => self.check(assumptions)?,
            Command::CheckAllSat(important) => self.check_allsat(&important)?,
            Command::GetModel => self.get_model()?,
            Command::GetValue(wanted) => self.get_value(&wanted)?,
            Command::GetUnsatCore => self.get_unsat_core()?,
            Command::GetUnsatAssumptions => self.get_unsat_assumptions()?,
            Command::GetAssertions => self.get_assertions()?,
            Command::GetAssignment => self.get_assignment()?,
            Command::GetInfo(keyword) => information::get_info(self, &keyword),
            Command::GetOption(keyword) => {
                let value = self.settings.get(&keyword);
                self.output.line(value.as_deref().unwrap_or("unsupported"));
            }
            Command::Echo(text) => {
                self.output.line(&super::output::string(&text));
            }
            Command::Reset => {
                self.settings = Settings::new(self.options.seed);
                self.new_solver();
                self.assertions = Assertions::new();
                self.expected = None;
                self.success();
            }
            Command::ResetAssertions => {
                self.new_solver();
                self.assertions.clear();
                self.success();
            }
            Command::Exit => {}
        }
        Ok(())
    }

    fn get_assertions(&mut self) -> Result<(), Failure> {
        if !self.settings.produce_assertions {
            return Err(Failure::Refused(":produce-assertions is off".to_owned()));
        }
        self.output.line(&model::assertions_text(&self.terms, &self.assertions));
        Ok(())
    }

    fn new_solver(&mut self) {
        self.before.add(self.solver.stats());
        self.solver = Solver::new(&self.budget);
        self.solver.set_seed(self.settings.random_seed);
        self.last = Last::Nothing;
    }

    fn success(&self) {
        if self.settings.print_success {
            self.output.line("success");
        }
    }

    /// Notes how the run will end, unless it will end worse.
    pub(super) fn worsen(&mut self, status: ExitStatus) {
        if status as u8 > self.status as u8 {
            self.status = status;
        }
    }

    /// Reports a failure; whether it ends the run.
    fn failed(&mut self, failure: Failure, position: Position) -> bool {
        let at = |message: &str| format!("line {} column {}: {message}", position.line, position.column);
        match failure {
            Failure::Refused(message) => {
                self.output.error(&at(&message));
                self.worsen(ExitStatus::Unreadable);
                false
            }
            Failure::Unknown(message) => {
                self.output.error(&at(&message));
                self.worsen(ExitStatus::Unknown);
                false
            }
            Failure::Stopped(stop) => {
                self.stopped(stop);
                true
            }
            Failure::Internal(message) => {
                let status = self.output.internal_error(&at(&message));
                self.worsen(status);
                true
            }
        }
    }

    fn stopped(&mut self, stop: Stop) {
        eprintln!("unknown: {}", self.limits.reason(stop));
        self.worsen(ExitStatus::Unknown);
    }

    fn unreadable(&mut self, error: &Error, file: &str, source_line: Option<String>) {
        let Position { line, column } = error.position;
        let token = error.token.as_ref().map(|token| format!(" at `{token}`")).unwrap_or_default();
        let message = format!("{}{token}", error.message);
        self.output.error(&format!("line {line} column {column}: {message}"));
        let number = |n: u64| u32::try_from(n).unwrap_or(0);
        let diagnostic = Diagnostic {
            file: file.to_owned(),
            line: number(line),
            column: number(column),
            message,
            source_line,
        };
        tamis_diagnostics::print("error", &diagnostic);
        self.worsen(ExitStatus::Unreadable);
    }

    /// The counters of all solvers of this run.
    pub(super) fn statistics(&self) -> Vec<(&'static str, String)> {
        let mut stats = self.before.clone();
        stats.add(self.solver.stats());
        vec![
            ("searches", stats.solves.to_string()),
            ("models", stats.models.to_string()),
            ("conflicts", stats.conflicts.to_string()),
            ("decisions", stats.decisions.to_string()),
            ("propagations", stats.propagations.to_string()),
            ("clauses", stats.clauses.to_string()),
            ("variables", stats.variables.to_string()),
            ("terms", self.terms.len().to_string()),
            ("search-seconds", format!("{:.3}", stats.time.as_secs_f64())),
            ("seconds", format!("{:.3}", self.start.elapsed().as_secs_f64())),
            ("megabytes", (resident_memory().unwrap_or(0) / 1_000_000).to_string()),
        ]
    }

    fn print_statistics(&self) {
        eprintln!("statistics:");
        for (name, value) in self.statistics() {
            eprintln!("  {name:<16} {value:>12}");
        }
    }
}
