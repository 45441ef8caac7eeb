//! What an editor can ask for at a place: a harness of the function there, a test that makes a violation happen, the report.

use super::functions::functions;
use super::job::{self, Ending};
use super::settings::Settings;
use super::{Event, Server};
use crate::arguments::{Arguments, LspOptions, configuration};
use crate::uri;
use clap::CommandFactory;
use lsp_server::{ErrorCode, RequestId, Response};
use lsp_types::{CodeAction, CodeActionKind, CodeActionParams, Command as Named, ExecuteCommandParams};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const CHECK: &str = "tamis.check";
const WRITE_HARNESS: &str = "tamis.writeHarness";
const WRITE_TEST: &str = "tamis.writeTest";
const SHOW_REPORT: &str = "tamis.showReport";

/// The commands that editors may execute.
pub const COMMANDS: [&str; 4] = [CHECK, WRITE_HARNESS, WRITE_TEST, SHOW_REPORT];

/// What follows the end of a command's process.
pub enum After {
    /// The file that it has written is shown.
    Show(PathBuf),
}

/// Where a check leaves the test of a violation, and the report.
fn test_in(folder: &Path) -> PathBuf {
    folder.join("test.c")
}

fn report_in(folder: &Path) -> PathBuf {
    folder.join("report.html")
}

/// Whether checks take an option.
fn takes(option: &str) -> bool {
    let command = Arguments::command();
    let check = command.find_subcommand("check");
    check.is_some_and(|check| check.get_arguments().any(|argument| argument.get_long() == Some(option)))
}

/// The check of a file, which leaves its files in a folder.
pub fn check_command(
    file: &Path,
    folder: PathBuf,
    settings: &Settings,
    options: &LspOptions,
) -> Result<Command, String> {
    std::fs::create_dir_all(&folder).map_err(|e| format!("{} cannot be made: {e}", folder.display()))?;
    let mut command = ourselves("check", file)?;
    command.args(["--json", "--quiet"]);
    let (time, memory) = configuration::limits_of(file);
    match &settings.timeout {
        Some(timeout) => command.args(["--timeout", timeout]),
        None if time => &mut command,
        None => command.arg("--timeout").arg(format!("{}s", options.timeout.as_secs_f64())),
    };
    match &settings.memory {
        Some(size) => command.args(["--memory", size]),
        None if memory => &mut command,
        None => command.arg("--memory").arg(format!("{}MB", (options.memory / 1_000_000).max(1))),
    };
    command.args(settings.property.iter().flat_map(|name| ["--property", name]));
    let further = || options.check.iter().chain(&settings.arguments);
    if !further().any(|argument| argument == "--all") {
        command.arg("--harness").arg(test_in(&folder));
    }
    if takes("report") {
        command.arg("--report").arg(report_in(&folder));
    }
    command.args(further()).arg(file);
    Ok(command)
}

/// This executable, in the folder of a file.
fn ourselves(command: &str, file: &Path) -> Result<Command, String> {
    let executable = std::env::current_exe().map_err(|e| format!("Tamis does not find itself: {e}"))?;
    let mut process = Command::new(executable);
    process.arg(command);
    if let Some(folder) = file.parent().filter(|folder| folder.is_dir()) {
        process.current_dir(folder);
    }
    Ok(process)
}

impl Server<'_> {
    /// What is offered at a place.
    pub(super) fn actions(&self, params: &CodeActionParams) -> Vec<CodeAction> {
        let name = params.text_document.uri.as_str();
        let Some(file) = uri::to_path(name) else { return Vec::new() };
        let mut offered = Vec::new();
        let mut offer = |title: String, command: &str, arguments: Vec<Value>| {
            let named =
                Named { title: title.clone(), command: command.to_owned(), arguments: Some(arguments) };
            offered.push(CodeAction {
                title,
                kind: Some(CodeActionKind::EMPTY),
                command: Some(named),
                ..CodeAction::default()
            });
        };
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let line = params.range.start.line;
        let here = functions(&text).into_iter().find(|f| (f.first..=f.last).contains(&line));
        if let Some(function) = here.filter(|function| function.name != "main") {
            let title = format!("Tamis: write a harness for {}", function.name);
            offer(title, WRITE_HARNESS, vec![json!(name), json!(function.name)]);
        }
        if test_in(&self.folder_of(&file)).is_file() {
            offer("Tamis: write the violation as a test".to_owned(), WRITE_TEST, vec![json!(name)]);
        }
        if self.answers.contains_key(&file) {
            offer("Tamis: show the report".to_owned(), SHOW_REPORT, vec![json!(name)]);
        }
        offer("Tamis: check this file".to_owned(), CHECK, vec![json!(name)]);
        offered
    }

    pub(super) fn execute(&mut self, id: RequestId, params: ExecuteCommandParams) {
        let text = |i: usize| params.arguments.get(i).and_then(Value::as_str).map(str::to_owned);
        let Some(file) = text(0).as_deref().and_then(uri::to_path) else {
            let why = "the first argument is to be the reference of a file".to_owned();
            return self.send(Response::new_err(id, ErrorCode::InvalidParams as i32, why));
        };
        let fail = |server: &Server<'_>, id, why: String| {
            server.show_message(1, &why);
            server.send(Response::new_err(id, ErrorCode::RequestFailed as i32, why));
        };
        match params.command.as_str() {
            CHECK => self.check(&file, Some(id)),
            WRITE_HARNESS => match text(1) {
                Some(function) => {
                    if let Err((id, why)) = self.write_harness(id, &file, &function) {
                        fail(self, id, why);
                    }
                }
                None => fail(self, id, "the second argument is to be the name of a function".to_owned()),
            },
            WRITE_TEST => {
                let test = beside(&file, "violation");
                let copied = if test.exists() {
                    Err(format!("{} is there already", test.display()))
                } else {
                    let from = test_in(&self.folder_of(&file));
                    std::fs::copy(from, &test)
                        .map_err(|e| format!("{} cannot be written: {e}", test.display()))
                };
                match copied {
                    Ok(_) => self.show(id, &test, false),
                    Err(why) => fail(self, id, why),
                }
            }
            SHOW_REPORT => {
                let report = report_in(&self.folder_of(&file));
                if report.is_file() {
                    self.show(id, &report, true);
                } else if takes("report") {
                    fail(
                        self,
                        id,
                        "there is no report yet: save the file, and wait for the check".to_owned(),
                    );
                } else {
                    fail(self, id, "this version of Tamis writes no reports".to_owned());
                }
            }
            other => {
                let why = format!("{other} is no command of Tamis");
                self.send(Response::new_err(id, ErrorCode::InvalidParams as i32, why));
            }
        }
    }

    /// Starts to write a harness beside a file.
    fn write_harness(
        &mut self,
        id: RequestId,
        file: &Path,
        function: &str,
    ) -> Result<(), (RequestId, String)> {
        let harness = beside(file, &format!("{function}_harness"));
        if harness.exists() {
            return Err((id, format!("{} is there already", harness.display())));
        }
        let mut command = match ourselves("harness", file) {
            Ok(command) => command,
            Err(why) => return Err((id, why)),
        };
        command.arg(function).arg(file).arg("--output").arg(&harness);
        let events = self.events.clone();
        job::start(
            command,
            |_| {},
            move |ending| {
                let _ = events.send(Event::Done(id, After::Show(harness), ending));
            },
        );
        Ok(())
    }

    /// The process of a command has ended.
    pub(super) fn done(&mut self, id: RequestId, After::Show(file): After, ending: Ending) {
        let why = match ending {
            Ending::Ended { code: Some(0), .. } => return self.show(id, &file, false),
            Ending::Ended { stderr, .. } => stderr.trim().to_owned(),
            Ending::Stopped => "cancelled".to_owned(),
            Ending::Failed(why) => why,
        };
        self.show_message(1, &why);
        self.send(Response::new_err(id, ErrorCode::RequestFailed as i32, why));
    }

    /// Shows a file in the editor, or in a browser, and answers the request that led to it.
    fn show(&mut self, id: RequestId, file: &Path, outside: bool) {
        let name = uri::of_path(file);
        if self.client.show {
            let focus = json!({"uri": name, "external": outside, "takeFocus": true});
            self.request("window/showDocument", focus);
        } else {
            self.show_message(3, &format!("written: {}", file.display()));
        }
        self.send(Response::new_ok(id, json!({"uri": name})));
    }
}

/// A file beside another one: of its name, with a word at the end.
fn beside(file: &Path, word: &str) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}_{}.c", crate::output::file_name(word)))
}
