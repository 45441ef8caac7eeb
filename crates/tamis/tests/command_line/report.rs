//! Pages: that their data follows the schema, and that nothing of the input can run in them. How they look and answer is tested in
//! a browser, by `tests/report`.

use crate::schema;
use crate::support::Folder;
use serde_json::Value;
use std::process::{Command, Stdio};

const DATA: &str = "<script type=\"application/json\" id=\"data\">";

/// Checks a file with some options, and gives the page and the run's own document.
fn page(name: &str, content: &str, options: &[&str]) -> (String, Value) {
    let folder = Folder::with(name, content);
    folder.run(&[&["check", name, "--report", "page.html", "--json=run.json"], options].concat());
    let read = |name: &str| std::fs::read_to_string(folder.path.join(name)).expect("it was written");
    (read("page.html"), serde_json::from_str(&read("run.json")).expect("JSON"))
}

/// The page's data, and what is before and after it.
fn parts(page: &str) -> (Value, &str, &str) {
    let (before, rest) = page.split_once(DATA).expect("data");
    let (data, after) = rest.split_once("</script>").expect("the data ends");
    assert!(!data.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "the data cannot end its element");
    (serde_json::from_str(data).expect("JSON"), before, after)
}

const LOOP: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void never(void) { reach_error(); }
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    while (i < n)
        i++;
    if (i > n)
        reach_error();
    return 0;
}
";

const BUG: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 12; i++)
        sum += __VERIFIER_nondet_int() == 7;
    if (sum == 12)
        reach_error();
    return 0;
}
";

const DESIGN: &str = "1 sort bitvec 4
2 zero 1
3 state 1 top.count
4 init 1 3 2
5 one 1
6 add 1 3 5
7 next 1 3 6
8 sort bitvec 1
9 constd 1 3
10 eq 8 3 9
11 bad 10 ; three
";

fn schema() -> Value {
    serde_json::from_str(include_str!("../../../../docs/check.schema.json")).expect("the schema is JSON")
}

#[test]
fn the_data_is_the_documented_one() {
    let inputs = [
        ("p.c", LOOP, vec!["--preset", "lbe-allsat"]),
        ("p.c", BUG, vec![]),
        ("p.c", BUG, vec!["--all", "--cover", "--property", "unreach-call", "--property", "no-overflow"]),
        ("p.c", "int main(void) { return 0 }", vec![]),
        ("d.btor2", DESIGN, vec![]),
    ];
    for (name, content, options) in inputs {
        let (page, mut document) = page(name, content, &options);
        let (mut data, _, _) = parts(&page);
        if let Err(why) = schema::valid(&schema(), &data) {
            panic!("{why} in {data:#}");
        }
        let report = data.as_object_mut().and_then(|data| data.remove("report")).expect("the report");
        assert_eq!(report["sources"][0]["text"], content);
        // Only the clock went on between the two.
        data["seconds"] = 0.into();
        document["seconds"] = 0.into();
        assert_eq!(data, document);
    }
}

#[test]
fn what_is_shown_of_a_proof() {
    let (page, _) = page("p.c", LOOP, &["--preset", "lbe-allsat"]);
    let (data, _, _) = parts(&page);
    let shown = &data["report"]["properties"][0];
    let lines = |key: &str| -> Vec<u64> {
        shown[key].as_array().expect("a list").iter().filter_map(|spot| spot["line"].as_u64()).collect()
    };
    assert_eq!((lines("checks"), lines("uncalled")), (vec![10], vec![3]));
    let conditions = shown["conditions"].as_array().expect("conditions");
    for kind in ["initiation", "consecution", "safety"] {
        assert!(conditions.iter().any(|condition| condition["kind"] == kind), "{conditions:?}");
    }
    // The loop's predicates are gained in an iteration whose counterexample is told.
    let frames = shown["film"]["frames"].as_array().expect("iterations");
    assert!(frames.len() >= 2, "{frames:#?}");
    assert!(frames[0]["counterexample"]["steps"].as_array().is_some_and(|steps| !steps.is_empty()));
    assert!(frames.iter().any(|frame| frame["gained"][0]["at"]["line"] == 7), "{frames:#?}");
    assert!(frames.last().is_some_and(|frame| frame.get("counterexample").is_none()));
    let nodes = shown["automaton"]["nodes"].as_array().expect("nodes");
    assert!(nodes.iter().any(|node| node["what"] == "loop head" && node["line"] == 7));
}

#[test]
fn what_is_shown_of_a_violation() {
    let (page, document) = page("p.c", BUG, &[]);
    let (data, _, _) = parts(&page);
    let shown = &data["report"]["properties"][0];
    let steps = document["properties"][0]["counterexample"]["steps"].as_array().expect("steps").len() as u64;
    let fold = &shown["folds"][0];
    let [start, count, times] = ["start", "count", "times"].map(|key| fold[key].as_u64().expect("a number"));
    assert!(times == 9 && count == 2 * times && start + count < steps, "{fold}");
    // The way through the automaton begins at its entry and goes on where it came to, to the error.
    let automaton = &shown["automaton"];
    let path: Vec<u64> =
        automaton["path"].as_array().expect("a path").iter().filter_map(Value::as_u64).collect();
    let lines = |arrow: &u64| automaton["arrows"][*arrow as usize].to_string();
    assert!(path.len() >= 13 && path.first().is_some_and(|arrow| lines(arrow).contains("\"first\":5")));
    // The first command is one that shows the violation again.
    let folder = Folder::with("p.c", BUG);
    let command = shown["recheck"][0]["command"].as_str().expect("a command");
    let command = command.replacen("tamis", env!("CARGO_BIN_EXE_tamis"), 1);
    let output =
        Command::new("sh").args(["-c", &command]).current_dir(&folder.path).stdin(Stdio::null()).output();
    let output = output.expect("a shell");
    assert_eq!(output.status.code(), Some(1), "{command}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_proof_is_checked_again_by_the_command_that_is_shown() {
    let folder = Folder::with("it's.c", LOOP);
    folder.run(&["check", "it's.c", "-D", "X='a b'", "--report", "page.html"]).ends_with(0, "true");
    let page = std::fs::read_to_string(folder.path.join("page.html")).expect("it was written");
    let (data, _, _) = parts(&page);
    let command =
        data["report"]["properties"][0]["recheck"][0]["command"].as_str().expect("a command").to_owned();
    let command =
        command.replace(" --solver z3", "").replace("tamis ", &format!("{} ", env!("CARGO_BIN_EXE_tamis")));
    let output =
        Command::new("sh").args(["-c", &command]).current_dir(&folder.path).output().expect("a shell");
    assert_eq!(output.status.code(), Some(0), "{command}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_page_runs_one_script_and_no_other() {
    // Names, texts and file names that would end the data, or begin a script of their own.
    let hostile = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
# 3 \"</script><script>alert(1)</script><img src=x onerror=alert(2)>.c\"
const char *text = \"</script><!--<script>alert(3)</script>\u{2028}<svg onload=alert(4)>\";
int main(void)
{
    if (__VERIFIER_nondet_int() == 42 && text[0] == '<')
        reach_error();
    return 0;
}
";
    let (page, _) = page("p<b>&.c", hostile, &[]);
    let (data, before, after) = parts(&page);
    assert_eq!(data["properties"][0]["verdict"], "false");
    assert!(data.to_string().contains("<script>alert(3)"), "the source is shown as it is");
    // Nothing of the input is outside of the data: the rest is the same for every input.
    let (plain, _) = self::page("p.c", BUG, &[]);
    let (_, plain_before, plain_after) = parts(&plain);
    assert_eq!((before, after), (plain_before, plain_after));
    assert_eq!(after.matches("<script").count(), 1);
    assert!(before.contains("default-src 'none'; script-src 'sha256-"));
    assert!(before.len() + after.len() <= 200_000, "{} bytes beside the data", before.len() + after.len());
}
