//! The language server, as an editor meets it.

mod client;

use client::Client;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const BUG: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int twice(int x) { return 2 * x; }
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 0 && n < 100 && twice(n) == 84)
        reach_error();
    return 0;
}
";

const PROOF: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    unsigned char level = 0;
    while (__VERIFIER_nondet_int()) {
        level++;
        if (level == 5)
            level = 0;
    }
    if (level > 4)
        reach_error();
    return 0;
}
";

/// The factors of a product of two large primes are not found in the time of a test.
const HARD: &str = "extern void reach_error(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
int main(void)
{
    for (;;) {
        unsigned __int128 x = __VERIFIER_nondet_ulonglong();
        unsigned __int128 y = __VERIFIER_nondet_ulonglong();
        if (x > 1 && y > 1 && x * y == (unsigned __int128)4294967291u * 18446744073709551557u)
            reach_error();
    }
}
";

fn all_lines(uri: &str) -> Value {
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 1000, "character": 0}});
    json!({"textDocument": {"uri": uri}, "range": range})
}

#[test]
fn a_violation_is_a_diagnostic_and_a_proof_a_hint() {
    let mut client = Client::new(&[], Value::Null);
    let (path, uri) = client.file("p.c", BUG);
    client.open(&path, &uri);
    client.save(&uri);
    let begin = client.progress("begin");
    assert_eq!(begin["value"]["title"], "Tamis checks p.c");
    assert_eq!(begin["value"]["cancellable"], true);
    let found = client.diagnostics(&uri);
    assert_eq!(found.len(), 1, "{found:#?}");
    let violation = &found[0];
    assert_eq!((&violation["severity"], &violation["source"]), (&1.into(), &"tamis".into()));
    assert_eq!(violation["code"], "unreach-call");
    assert_eq!(violation["message"], "call of reach_error");
    assert_eq!(violation["range"]["start"], json!({"line": 7, "character": 8}));
    assert_eq!(violation["range"]["end"], json!({"line": 7, "character": 22}));
    let way = violation["relatedInformation"].as_array().expect("the trace");
    assert_eq!(way[0]["location"]["range"]["start"]["line"], 5);
    assert_eq!(way[0]["message"], "n = __VERIFIER_nondet_int() = 42");
    assert_eq!(way.last().expect("an end")["location"]["uri"], uri);
    assert_eq!(client.progress("end")["value"]["message"], "false(unreach-call)");

    // Another save, of what is right now: the diagnostics go, and a hint comes.
    client.file("p.c", PROOF);
    client.save(&uri);
    assert!(client.diagnostics(&uri).is_empty());
    client.hear("workspace/inlayHint/refresh");
    let hints = client.request("textDocument/inlayHint", all_lines(&uri))["result"].clone();
    assert_eq!(hints[0]["label"], "always: level < 5", "{hints:#}");
    assert_eq!(hints[0]["position"], json!({"line": 5, "character": 37}));
    // While lines move, hints would stand at the wrong ones.
    let version = json!({"uri": uri, "version": 2});
    client.notify("textDocument/didChange", json!({"textDocument": version, "contentChanges": []}));
    assert_eq!(client.request("textDocument/inlayHint", all_lines(&uri))["result"], json!([]));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn what_is_not_taken_has_its_place() {
    let mut client = Client::new(&[], Value::Null);
    for (text, severity, start, message) in [
        ("int main(void)\n{\n    int x = ;\n}\n", 1, (2, 12), "expected an expression"),
        ("#include \"missing.h\"\nint main(void) { return 0; }\n", 1, (0, 9), "missing.h"),
        ("int f(void) { return 0; }\n", 1, (0, 0), "there is no definition of `main`"),
        (
            "extern void __VERIFIER_atomic_begin(void);\nint main(void)\n{\n    asm(\"wrmsr\");\n    return 0;\n}\n",
            0,
            (0, 0),
            "",
        ),
    ] {
        let (_, uri) = client.file("p.c", text);
        client.save(&uri);
        let found = client.diagnostics(&uri);
        if severity == 0 {
            continue;
        }
        assert_eq!(found.len(), 1, "{text}: {found:#?}");
        assert_eq!(found[0]["severity"], severity, "{found:#?}");
        let (line, character) = start;
        assert_eq!(found[0]["range"]["start"], json!({"line": line, "character": character}), "{found:#?}");
        assert!(found[0]["message"].as_str().is_some_and(|said| said.contains(message)), "{found:#?}");
    }
}

#[test]
fn a_check_is_ended_by_a_save_by_its_request_and_by_its_progress() {
    let mut client = Client::new(&["--timeout", "100s"], Value::Null);
    let (_, uri) = client.file("p.c", HARD);
    let cancelled = |client: &mut Client| {
        assert_eq!(client.progress("end")["value"]["message"], "cancelled");
        let end = Instant::now() + Duration::from_secs(20);
        while client.processes() > 0 {
            assert!(Instant::now() < end, "the check still runs");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    // A new save ends the check before, and its own is the only one left.
    client.save(&uri);
    let first = client.progress("begin");
    client.file("p.c", BUG);
    client.save(&uri);
    let end = client.progress("end");
    assert_eq!((&end["value"]["message"], &end["token"]), (&"cancelled".into(), &first["token"]));
    client.progress("begin");
    assert_eq!(client.diagnostics(&uri).len(), 1);
    assert_eq!(client.progress("end")["value"]["message"], "false(unreach-call)");
    // A request is cancelled by its number.
    client.file("p.c", HARD);
    let check = json!({"command": "tamis.check", "arguments": [uri]});
    let id = client.ask("workspace/executeCommand", check.clone());
    client.progress("begin");
    client.progress("report");
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.answer(id)["error"]["code"], -32800);
    cancelled(&mut client);
    // And by the token of its progress.
    let id = client.ask("workspace/executeCommand", check.clone());
    let token = client.progress("begin")["token"].clone();
    client.notify("window/workDoneProgress/cancel", json!({"token": token}));
    assert_eq!(client.answer(id)["error"]["code"], -32800);
    cancelled(&mut client);
    // Goodbye ends what runs.
    client.ask("workspace/executeCommand", check);
    client.progress("begin");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn limits_are_those_of_the_editor_or_of_the_configuration() {
    let mut client = Client::new(&["--timeout", "100s"], json!({"timeout": "1s"}));
    let (_, uri) = client.file("p.c", HARD);
    client.save(&uri);
    let found = client.diagnostics(&uri);
    assert_eq!(found[0]["severity"], 3, "{found:#?}");
    assert!(
        found[0]["message"].as_str().is_some_and(|m| m.starts_with("unknown: timeout: 1 s\n")),
        "{found:#?}"
    );
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"tamis": {"check": "never"}}}));
    client.file("tamis.toml", "timeout = \"2s\"\n");
    let check = json!({"command": "tamis.check", "arguments": [uri]});
    let answer = client.request("workspace/executeCommand", check);
    assert_eq!(answer["result"]["verdict"], "unknown(timeout: 2 s)", "{answer}");
    client.diagnostics(&uri);
    // Nothing is checked without being asked now.
    client.save(&uri);
    assert_eq!(client.request("textDocument/inlayHint", all_lines(&uri))["result"], json!([]));
    assert!(!client.has_heard(|message| message["params"]["value"]["kind"] == "begin"
        && message["params"]["token"] != "tamis-check-1"
        && message["params"]["token"].as_str().is_some_and(|token| token > "tamis-check-6")));
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"tamis": {"timeout": 5}}}));
    assert_eq!(client.hear("window/showMessage")["params"]["type"], 2);
}

#[test]
fn harnesses_and_tests_are_written() {
    let mut client = Client::new(&[], Value::Null);
    let (_, uri) = client.file("p.c", BUG);
    client.save(&uri);
    assert_eq!(client.diagnostics(&uri).len(), 1);
    let at = |line: u32| {
        let place = json!({"line": line, "character": 0});
        json!({"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}})
    };
    let offered = client.request("textDocument/codeAction", at(2))["result"].clone();
    let titles: Vec<&str> =
        offered.as_array().expect("a list").iter().filter_map(|a| a["title"].as_str()).collect();
    assert_eq!(
        titles,
        [
            "Tamis: write a harness for twice",
            "Tamis: write the violation as a test",
            "Tamis: show the report",
            "Tamis: check this file"
        ]
    );
    let execute = |client: &mut Client, action: &Value| {
        let Value::Object(command) = &action["command"] else { panic!("no command in {action}") };
        let params = json!({"command": command["command"], "arguments": command["arguments"]});
        client.request("workspace/executeCommand", params)
    };
    for (place, name, content) in
        [(0, "p_twice_harness.c", "twice("), (1, "p_violation.c", "__VERIFIER_nondet_int")]
    {
        let answer = execute(&mut client, &offered[place]);
        let written = client.folder.join(name);
        assert!(answer["result"]["uri"].as_str().is_some_and(|uri| uri.ends_with(name)), "{answer}");
        assert!(std::fs::read_to_string(&written).expect("a file").contains(content));
        let shown = client.hear("window/showDocument");
        assert!(shown["params"]["uri"].as_str().is_some_and(|uri| uri.ends_with(name)), "{shown}");
        // What somebody may have edited is not written over.
        let again = execute(&mut client, &offered[place]);
        assert!(
            again["error"]["message"].as_str().is_some_and(|m| m.ends_with("is there already")),
            "{again}"
        );
    }
    // The report is shown outside of the editor, or it is said that there is none.
    let report = execute(&mut client, &offered[2]);
    match report.get("result") {
        Some(result) => {
            assert!(result["uri"].as_str().is_some_and(|uri| uri.ends_with("report.html")), "{report}")
        }
        None => assert_eq!(report["error"]["message"], "this version of Tamis writes no reports"),
    }
    let elsewhere = client.request("textDocument/codeAction", at(5))["result"].clone();
    assert!(!elsewhere.to_string().contains("write a harness"), "{elsewhere}");
}

#[test]
fn nonsense_is_answered() {
    let mut client = Client::new(&[], json!({"timeout": 7}));
    assert_eq!(client.hear("window/showMessage")["params"]["type"], 2);
    assert_eq!(client.request("textDocument/hover", json!({}))["error"]["code"], -32601);
    assert_eq!(client.request("textDocument/inlayHint", json!({"x": 1}))["error"]["code"], -32602);
    for arguments in [json!([]), json!([5]), json!(["untitled:1"])] {
        let answer = client
            .request("workspace/executeCommand", json!({"command": "tamis.check", "arguments": arguments}));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    let unknown = json!({"command": "tamis.fly", "arguments": ["file:///tmp/x.c"]});
    assert_eq!(client.request("workspace/executeCommand", unknown)["error"]["code"], -32602);
    // A file that is not there.
    let missing = json!({"command": "tamis.check", "arguments": ["file:///nowhere/x.c"]});
    let answer = client.request("workspace/executeCommand", missing);
    assert!(
        answer["result"]["verdict"].as_str().is_some_and(|v| v.starts_with("unknown(input: ")),
        "{answer}"
    );
    assert_eq!(client.end(), Some(0));
}
