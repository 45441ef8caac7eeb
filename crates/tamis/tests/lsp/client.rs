//! An editor, as far as the protocol sees one.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// After this the server counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server, with what it has said that nobody has looked at.
pub struct Client {
    child: Child,
    input: ChildStdin,
    said: Receiver<Value>,
    /// What was read while something else was waited for.
    kept: Vec<Value>,
    count: u64,
    pub folder: PathBuf,
}

impl Client {
    /// Starts a server for an editor that can do everything.
    pub fn new(arguments: &[&str], settings: Value) -> Client {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let unique =
            format!("tamis-lsp-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(unique);
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut child = Command::new(env!("CARGO_BIN_EXE_tamis"))
            .arg("lsp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, said) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut client = Client { child, input, said, kept: Vec::new(), count: 0, folder };
        let capabilities = json!({
            "window": {"workDoneProgress": true, "showDocument": {"support": true}},
            "workspace": {"inlayHint": {"refreshSupport": true}},
            "textDocument": {"publishDiagnostics": {"relatedInformation": true}},
        });
        let begin = json!({"processId": null, "rootUri": null, "capabilities": capabilities,
            "initializationOptions": settings});
        let begun = client.request("initialize", begin);
        assert!(begun["result"]["capabilities"]["inlayHintProvider"] == true, "{begun}");
        client.notify("initialized", json!({}));
        client
    }

    /// Writes a file; its name, and its reference.
    pub fn file(&self, name: &str, text: &str) -> (PathBuf, String) {
        let path = self.folder.join(name);
        std::fs::write(&path, text).expect("a file");
        let uri = format!("file://{}", path.display());
        (path, uri)
    }

    pub fn open(&mut self, path: &Path, uri: &str) {
        let text = std::fs::read_to_string(path).expect("a file");
        let document = json!({"uri": uri, "languageId": "c", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn save(&mut self, uri: &str) {
        self.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let sent = write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len());
        sent.and_then(|()| self.input.flush()).expect("the server reads");
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request without waiting for its answer: its number.
    pub fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.count += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}));
        self.count
    }

    /// Sends a request; its answer.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }

    pub fn answer(&mut self, id: u64) -> Value {
        self.wait("an answer", |message| message["id"] == id && message.get("method").is_none())
    }

    /// The next message of a method.
    pub fn hear(&mut self, method: &str) -> Value {
        self.wait(method, |message| message["method"] == method)
    }

    /// The next diagnostics of a file.
    pub fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        let method = "textDocument/publishDiagnostics";
        let of_file = |message: &Value| message["method"] == method && message["params"]["uri"] == uri;
        let message = self.wait("diagnostics", of_file);
        message["params"]["diagnostics"].as_array().cloned().expect("a list")
    }

    /// Progress of a kind.
    pub fn progress(&mut self, kind: &str) -> Value {
        let of_kind =
            |message: &Value| message["method"] == "$/progress" && message["params"]["value"]["kind"] == kind;
        self.wait(kind, of_kind)["params"].clone()
    }

    /// Whether something has been said until now.
    pub fn has_heard(&mut self, wanted: impl Fn(&Value) -> bool) -> bool {
        while let Ok(message) = self.said.try_recv() {
            self.kept.push(message);
        }
        self.kept.iter().any(wanted)
    }

    fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(place) = self.kept.iter().position(&wanted) {
            return self.kept.remove(place);
        }
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(message) = self.said.recv_timeout(left) else {
                panic!("no {what} among {:#?}", self.kept)
            };
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    /// The processes that the server has started and that still run.
    pub fn processes(&self) -> usize {
        let children = |thread: &Path| std::fs::read_to_string(thread.join("children")).unwrap_or_default();
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("the server runs");
        threads.flatten().map(|thread| children(&thread.path()).split_whitespace().count()).sum()
    }

    /// Says goodbye: the server's exit code.
    pub fn end(mut self) -> Option<i32> {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        let end = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait().expect("a child") {
                Some(status) => return status.code(),
                None => assert!(Instant::now() < end, "the server does not end"),
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Reads a message, framed as the protocol has it.
fn read(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "" => break,
            line => {
                if let Some(given) = line.strip_prefix("Content-Length: ") {
                    length = given.parse().ok()?;
                }
            }
        }
    }
    let mut text = vec![0; length];
    from.read_exact(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}
