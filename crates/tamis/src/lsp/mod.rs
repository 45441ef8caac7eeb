//! `tamis lsp`: a language server over standard input and output.
//!
//! Each check is a process of its own ([`job`]), whose JSON document becomes diagnostics and hints ([`answer`]); what it costs is
//! limited, and it can be ended at any time. One thread has all the state: what the editor says and what processes come to are
//! events, which it takes one after the other. A file has at most one check: a new one ends the one before.

mod actions;
mod answer;
mod functions;
mod job;
mod lines;
mod settings;

use crate::arguments::LspOptions;
use crate::uri;
use crate::verdict::ExitStatus;
use answer::{Answer, Hint, Reader};
use job::{Ending, Stop};
use lines::Lines;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, ExecuteCommandOptions, InlayHint,
    InlayHintLabel, InlayHintParams, InlayHintTooltip, OneOf, PublishDiagnosticsParams, SaveOptions,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri, WorkDoneProgressOptions,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use settings::{Settings, When};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::mpsc::{Sender, channel};

/// Longer invariants are cut beside a loop; their tooltip has all of it.
const HINT_LENGTH: usize = 100;

/// Serves one editor until it says goodbye, or goes away.
pub fn run(options: LspOptions) -> ExitStatus {
    let (connection, threads) = Connection::stdio();
    let capabilities = serde_json::to_value(capabilities()).unwrap_or_default();
    let begun = match connection.initialize(capabilities) {
        Ok(begun) => begun,
        Err(e) => {
            eprintln!("error: no language client speaks on standard input: {e}");
            return ExitStatus::Usage;
        }
    };
    let (events, happening) = channel();
    let (messages, forward) = (connection.receiver.clone(), events.clone());
    std::thread::spawn(move || {
        for message in messages {
            if forward.send(Event::Said(message)).is_err() {
                return;
            }
        }
        // Without an editor there is nobody to check for.
        let _ = forward.send(Event::Gone);
    });
    let mut server = Server::new(options, &connection, events, &begun);
    let polite = loop {
        match happening.recv() {
            Ok(Event::Gone) | Err(_) => break false,
            Ok(event) => {
                if let Some(polite) = server.take(event) {
                    break polite;
                }
            }
        }
    };
    server.end();
    drop(server);
    drop(connection);
    if polite {
        // All that was said has arrived.
        let _ = threads.join();
        ExitStatus::True
    } else {
        ExitStatus::False
    }
}

fn capabilities() -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        // Only that something has changed is of interest: what is checked is what is saved.
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
        ..TextDocumentSyncOptions::default()
    };
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::EMPTY, CodeActionKind::SOURCE]),
            ..CodeActionOptions::default()
        })),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: actions::COMMANDS.map(str::to_owned).to_vec(),
            work_done_progress_options: WorkDoneProgressOptions { work_done_progress: Some(true) },
        }),
        ..ServerCapabilities::default()
    }
}

/// What the server acts on.
enum Event {
    Said(Message),
    /// The editor has gone away.
    Gone,
    /// A check runs since so many seconds.
    Running(u64, u64),
    /// A check has ended.
    Checked(u64, Ending),
    /// A process of a command has ended.
    Done(RequestId, actions::After, Ending),
}

/// A check that runs.
struct Check {
    number: u64,
    stop: Stop,
    /// The request that waits for it.
    request: Option<RequestId>,
}

/// What the editor can do.
struct Client {
    progress: bool,
    refresh: bool,
    show: bool,
    related: bool,
}

struct Server<'a> {
    options: LspOptions,
    connection: &'a Connection,
    events: Sender<Event>,
    client: Client,
    settings: Settings,
    /// The checks that run, by the files that are checked.
    checks: HashMap<PathBuf, Check>,
    answers: HashMap<PathBuf, Answer>,
    /// The files that have changed since they were saved: hints would stand beside other lines.
    changed: HashSet<PathBuf>,
    /// Where processes leave their files.
    folder: PathBuf,
    /// Numbers checks, and our requests.
    count: u64,
    leaving: bool,
}

impl<'a> Server<'a> {
    fn new(
        options: LspOptions,
        connection: &'a Connection,
        events: Sender<Event>,
        begun: &Value,
    ) -> Server<'a> {
        let can = |path: &str| begun.pointer(&format!("/capabilities/{path}")).and_then(Value::as_bool);
        let can = |path| can(path).unwrap_or(false);
        let client = Client {
            progress: can("window/workDoneProgress"),
            refresh: can("workspace/inlayHint/refreshSupport"),
            show: can("window/showDocument/support"),
            related: can("textDocument/publishDiagnostics/relatedInformation"),
        };
        let folder = std::env::temp_dir().join(format!("tamis-lsp-{}", std::process::id()));
        let mut server = Server {
            options,
            connection,
            events,
            client,
            settings: Settings::default(),
            checks: HashMap::new(),
            answers: HashMap::new(),
            changed: HashSet::new(),
            folder,
            count: 0,
            leaving: false,
        };
        server.set(begun.get("initializationOptions").unwrap_or(&Value::Null));
        server
    }

    fn set(&mut self, value: &Value) {
        match Settings::read(value) {
            Ok(settings) => self.settings = settings,
            Err(why) => self.show_message(2, &why),
        }
    }

    /// Ends all that runs, and leaves nothing.
    fn end(&mut self) {
        self.checks.drain().for_each(|(_, check)| check.stop.stop());
        let _ = std::fs::remove_dir_all(&self.folder);
    }

    /// Acts on an event; at the end, whether the editor has said goodbye first.
    fn take(&mut self, event: Event) -> Option<bool> {
        match event {
            Event::Said(Message::Request(request)) => self.asked(request),
            Event::Said(Message::Notification(said)) if said.method == "exit" => return Some(self.leaving),
            Event::Said(Message::Notification(said)) => self.told(said),
            // Answers to what was asked of the editor: it does what it can.
            Event::Said(Message::Response(_)) | Event::Gone => {}
            Event::Running(number, seconds) => self.running(number, seconds),
            Event::Checked(number, ending) => self.checked(number, ending),
            Event::Done(request, after, ending) => self.done(request, after, ending),
        }
        None
    }

    fn send(&self, message: impl Into<Message>) {
        // An editor that has gone away is noticed where it is read from.
        let _ = self.connection.sender.send(message.into());
    }

    fn notify(&self, method: &str, params: impl Serialize) {
        self.send(Notification::new(method.to_owned(), params));
    }

    fn request(&mut self, method: &str, params: impl Serialize) {
        self.count += 1;
        let id = RequestId::from(format!("tamis-{}", self.count));
        self.send(Request::new(id, method.to_owned(), params));
    }

    /// Shows a message: 1 is an error, 2 a warning, 3 for information.
    fn show_message(&self, kind: u8, message: &str) {
        self.notify("window/showMessage", json!({"type": kind, "message": message}));
    }

    fn asked(&mut self, request: Request) {
        let Request { id, method, params, .. } = request;
        if self.leaving {
            let refused = "the server is shutting down".to_owned();
            return self.send(Response::new_err(id, ErrorCode::InvalidRequest as i32, refused));
        }
        match method.as_str() {
            "shutdown" => {
                self.leaving = true;
                self.checks.drain().for_each(|(_, check)| check.stop.stop());
                self.send(Response::new_ok(id, Value::Null));
            }
            "textDocument/inlayHint" => match read::<InlayHintParams>(params) {
                Ok(params) => self.send(Response::new_ok(id, self.hints(&params))),
                Err(why) => self.send(Response::new_err(id, ErrorCode::InvalidParams as i32, why)),
            },
            "textDocument/codeAction" => match read(params) {
                Ok(params) => self.send(Response::new_ok(id, self.actions(&params))),
                Err(why) => self.send(Response::new_err(id, ErrorCode::InvalidParams as i32, why)),
            },
            "workspace/executeCommand" => match read(params) {
                Ok(params) => self.execute(id, params),
                Err(why) => self.send(Response::new_err(id, ErrorCode::InvalidParams as i32, why)),
            },
            _ => {
                let unknown = format!("{method} is not offered");
                self.send(Response::new_err(id, ErrorCode::MethodNotFound as i32, unknown));
            }
        }
    }

    fn told(&mut self, said: Notification) {
        let file = || {
            let uri = said.params.pointer("/textDocument/uri")?.as_str()?;
            uri::to_path(uri)
        };
        match said.method.as_str() {
            "textDocument/didSave" => {
                let Some(file) = file() else { return };
                self.changed.remove(&file);
                if self.settings.check != When::Never {
                    self.check(&file, None);
                }
            }
            "textDocument/didOpen" => {
                if let (Some(file), When::Open) = (file(), self.settings.check) {
                    self.check(&file, None);
                }
            }
            "textDocument/didChange" => {
                if let Some(file) = file()
                    && self.changed.insert(file)
                {
                    self.refresh_hints();
                }
            }
            "textDocument/didClose" => {
                if let Some(file) = file() {
                    self.changed.remove(&file);
                    self.cancel(&file);
                }
            }
            "workspace/didChangeConfiguration" => {
                let settings = said.params.get("settings").unwrap_or(&Value::Null).clone();
                // Editors that are asked for their settings say nothing here.
                if !settings.is_null() {
                    self.set(&settings);
                }
            }
            "$/cancelRequest" => {
                let id =
                    said.params.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
                let waiting = |check: &Check| id.is_some() && check.request == id;
                let file = self.checks.iter().find(|(_, check)| waiting(check)).map(|(file, _)| file.clone());
                file.iter().for_each(|file| self.cancel(file));
            }
            "window/workDoneProgress/cancel" => {
                let token = said.params.get("token").and_then(Value::as_str).unwrap_or_default();
                let named = |check: &Check| token_of(check.number) == token;
                let file = self.checks.iter().find(|(_, check)| named(check)).map(|(file, _)| file.clone());
                file.iter().for_each(|file| self.cancel(file));
            }
            _ => {}
        }
    }

    /// Checks a file, for a request or without one.
    fn check(&mut self, file: &Path, request: Option<RequestId>) {
        self.cancel(file);
        self.count += 1;
        let number = self.count;
        let command = match actions::check_command(file, self.folder_of(file), &self.settings, &self.options)
        {
            Ok(command) => command,
            Err(why) => return self.refuse(request, &why),
        };
        if self.client.progress {
            self.request("window/workDoneProgress/create", json!({"token": token_of(number)}));
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let begin =
                json!({"kind": "begin", "title": format!("Tamis checks {name}"), "cancellable": true});
            self.progress(number, begin);
        }
        let (each_second, ended) = (self.events.clone(), self.events.clone());
        let stop = job::start(
            command,
            move |seconds| {
                let _ = each_second.send(Event::Running(number, seconds));
            },
            move |ending| {
                let _ = ended.send(Event::Checked(number, ending));
            },
        );
        self.checks.insert(file.to_owned(), Check { number, stop, request });
    }

    /// Where the processes of a file leave theirs.
    fn folder_of(&self, file: &Path) -> PathBuf {
        self.folder.join(crate::output::file_name(&file.display().to_string()))
    }

    /// Ends the check of a file, if one runs.
    fn cancel(&mut self, file: &Path) {
        let Some(Check { number, stop, request }) = self.checks.remove(file) else { return };
        stop.stop();
        self.progress(number, json!({"kind": "end", "message": "cancelled"}));
        if let Some(request) = request {
            let why = "the check was cancelled".to_owned();
            self.send(Response::new_err(request, ErrorCode::RequestCanceled as i32, why));
        }
    }

    fn progress(&self, number: u64, value: Value) {
        if self.client.progress {
            self.notify("$/progress", json!({"token": token_of(number), "value": value}));
        }
    }

    fn running(&mut self, number: u64, seconds: u64) {
        if self.checks.values().any(|check| check.number == number) {
            self.progress(number, json!({"kind": "report", "message": format!("{seconds} s")}));
        }
    }

    fn refuse(&self, request: Option<RequestId>, why: &str) {
        match request {
            Some(id) => self.send(Response::new_err(id, ErrorCode::RequestFailed as i32, why.to_owned())),
            None => self.show_message(1, why),
        }
    }

    /// A check has ended: what it found is shown.
    fn checked(&mut self, number: u64, ending: Ending) {
        let file = self.checks.iter().find(|(_, check)| check.number == number).map(|(file, _)| file.clone());
        // One that was cancelled is not there any more.
        let Some(file) = file else { return };
        let Some(Check { request, .. }) = self.checks.remove(&file) else { return };
        let read = match &ending {
            Ending::Ended { stdout, stderr, .. } => {
                let reader = Reader {
                    file: &file,
                    folder: file.parent().unwrap_or(Path::new("")),
                    related: self.client.related,
                };
                let document = stdout.lines().find(|line| line.starts_with('{')).unwrap_or_default();
                reader.read(document).ok_or_else(|| format!("Tamis: {}", stderr.trim()))
            }
            Ending::Stopped => Err("Tamis: the check was cancelled".to_owned()),
            Ending::Failed(why) => Err(format!("Tamis cannot be started: {why}")),
        };
        match read {
            Ok(answer) => {
                self.progress(number, json!({"kind": "end", "message": &answer.verdict}));
                if let Some(id) = request {
                    self.send(Response::new_ok(id, json!({"verdict": &answer.verdict})));
                }
                self.publish(&file, answer);
            }
            Err(why) => {
                self.progress(number, json!({"kind": "end", "message": "no verdict"}));
                self.refuse(request, &why);
            }
        }
    }

    /// Shows an answer in the place of the one before.
    fn publish(&mut self, file: &Path, answer: Answer) {
        let mut touched: HashSet<PathBuf> = answer.diagnostics.keys().cloned().collect();
        if let Some(before) = self.answers.insert(file.to_owned(), answer) {
            touched.extend(before.diagnostics.into_keys());
        }
        for file in touched {
            let Ok(uri) = Uri::from_str(&uri::of_path(&file)) else { continue };
            // A header may have something from several checks.
            let of_file = self.answers.values().filter_map(|answer| answer.diagnostics.get(&file));
            let diagnostics = of_file.flatten().cloned().collect();
            self.notify(
                "textDocument/publishDiagnostics",
                PublishDiagnosticsParams::new(uri, diagnostics, None),
            );
        }
        self.refresh_hints();
    }

    fn refresh_hints(&mut self) {
        if self.client.refresh {
            self.request("workspace/inlayHint/refresh", Value::Null);
        }
    }

    /// The invariants at the loops of a file.
    fn hints(&self, params: &InlayHintParams) -> Vec<InlayHint> {
        let Some(file) = uri::to_path(params.text_document.uri.as_str()) else { return Vec::new() };
        if self.changed.contains(&file) {
            return Vec::new();
        }
        let mut lines = Lines::default();
        let wanted = params.range.start.line..=params.range.end.line;
        let hints = self.answers.values().flat_map(|answer| &answer.hints);
        let here = hints.filter(|hint| hint.file == file && wanted.contains(&hint.line));
        here.map(|hint| inlay(hint, &mut lines)).collect()
    }
}

fn inlay(hint: &Hint, lines: &mut Lines) -> InlayHint {
    let text = match hint.text.chars().count() > HINT_LENGTH {
        true => hint.text.chars().take(HINT_LENGTH - 1).chain(['…']).collect(),
        false => hint.text.clone(),
    };
    InlayHint {
        position: lines.end(&hint.file, hint.line),
        label: InlayHintLabel::String(format!("always: {text}")),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(format!("holds whenever execution is here: {}", hint.text))),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

/// The token of a check's progress.
fn token_of(number: u64) -> String {
    format!("tamis-check-{number}")
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|e| e.to_string())
}
