//! Documents for machines, and harnesses for compilers.

use crate::schema;
use crate::support::{Folder, Run};
use serde_json::Value;
use std::process::Command;

const BUG: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int twice(int x) { int y = 2 * x; return y; }
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 0 && n < 100 && twice(n) == 84)
        reach_error();
    return 0;
}
";

const LOOP: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
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

const FLOAT: &str = "extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void)
{
    long double x = __VERIFIER_nondet_float();
    if (x * x == 2.0L)
        reach_error();
    return 0;
}
";

fn document(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path.join(name)).expect("it was written")
}

fn json(program: &str, options: &[&str]) -> (Run, Value) {
    let folder = Folder::with("p.c", program);
    let run = folder.run(&[&["check", "p.c", "--json=run.json"], options].concat());
    let document: Value = serde_json::from_str(&document(&folder, "run.json")).expect("JSON");
    let schema = include_str!("../../../../docs/check.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    if let Err(why) = schema::valid(&schema, &document) {
        panic!("{why} in {document:#}");
    }
    (run, document)
}

#[test]
fn json_follows_its_schema() {
    let (run, bug) = json(BUG, &[]);
    run.ends_with(1, "false(unreach-call)");
    let property = &bug["properties"][0];
    assert_eq!(property["location"]["line"], 8);
    assert_eq!(property["evidence"]["kind"], "execution");
    assert_eq!(property["evidence"]["checked"], true);
    let (_, proof) = json(LOOP, &["--property", "unreach-call", "--property", "no-overflow"]);
    assert_eq!(proof["properties"][0]["evidence"]["kind"], "invariants");
    assert_eq!(proof["properties"].as_array().map(Vec::len), Some(2));
    let (_, doubt) = json(FLOAT, &[]);
    assert_eq!(doubt["properties"][0]["verdict"], "unknown");
    assert_eq!(doubt["properties"][0]["evidence"]["checked"], false);
    assert!(!doubt["properties"][0]["over_approximations"].as_array().expect("some").is_empty());
    let (run, unread) = json("int main(void) { return 0 }", &[]);
    assert_eq!(run.exit, Some(4));
    assert_eq!(unread["properties"][0]["exit_code"], 4);
}

#[test]
fn a_schema_that_takes_everything_would_be_none() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../../docs/check.schema.json")).expect("the schema is JSON");
    let (_, good) = json(BUG, &[]);
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut document = good.clone();
        change(&mut document);
        schema::valid(&schema, &document).is_err()
    };
    assert!(broken(&|d| d["format"] = 2.into()));
    assert!(broken(&|d| d["surprise"] = 1.into()));
    assert!(broken(&|d| d["properties"][0]["verdict"] = "maybe".into()));
    assert!(broken(&|d| d["properties"][0]["counterexample"]["steps"][0]["line"] = (-1).into()));
    assert!(broken(&|d| {
        d["properties"][0].as_object_mut().map(|p| p.remove("exit_code"));
    }));
}

#[test]
fn sarif_tells_the_way() {
    let folder = Folder::with("p q.c", BUG);
    folder.run(&["check", "p q.c", "--sarif", "run.sarif", "--quiet"]).ends_with(1, "false(unreach-call)");
    let sarif: Value = serde_json::from_str(&document(&folder, "run.sarif")).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!((&result["level"], &result["kind"]), (&"error".into(), &"fail".into()));
    assert_eq!(result["ruleId"], sarif["runs"][0]["tool"]["driver"]["rules"][0]["id"]);
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "p%20q.c");
    assert_eq!(place["region"]["startLine"], 8);
    let way = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a way");
    assert_eq!(way.last().expect("an end")["location"]["physicalLocation"]["region"]["startLine"], 8);
    assert!(way.iter().any(|step| step["nestingLevel"] == 1), "a call is nested");

    let folder = Folder::with("p.c", LOOP);
    folder.run(&["check", "p.c", "--sarif", "run.sarif"]).ends_with(0, "true");
    let sarif: Value = serde_json::from_str(&document(&folder, "run.sarif")).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["kind"], "pass");
}

#[test]
fn junit_counts() {
    let folder = Folder::with("p.c", BUG);
    let properties = ["--property", "unreach-call", "--property", "no-overflow", "--property", "termination"];
    folder.run(&[&["check", "p.c", "--junit", "run.xml"][..], &properties].concat());
    let xml = document(&folder, "run.xml");
    assert!(xml.contains("tests=\"3\" failures=\"1\" errors=\"1\""), "{xml}");
    assert!(xml.contains("<testcase classname=\"p.c\" name=\"no-overflow\""), "{xml}");
    assert!(xml.contains("n &gt; 0 &amp;&amp; n &lt; 100"), "{xml}");
    for element in ["testsuites", "testsuite", "testcase", "failure", "error"] {
        let open = xml.matches(&format!("<{element} ")).count();
        let closed = xml.matches(&format!("</{element}>")).count();
        let empty = if element == "testcase" { xml.matches("\"/>").count() } else { 0 };
        assert_eq!(open, closed + empty, "{element} in {xml}");
    }
}

#[test]
fn a_harness_makes_the_violation_happen() {
    // One error function is the program's own, and does nothing.
    for program in [BUG.to_owned(), BUG.replace("reach_error(void);\n", "reach_error(void) { }\n")] {
        let folder = Folder::with("p.c", &program);
        let run = folder.run(&["check", "p.c", "--harness", "harness.c", "--replay", "native"]);
        run.ends_with(1, "false(unreach-call)");
        assert!(run.stderr.contains("replay: the compiled program comes to the violation"), "{}", run.stderr);
        let compiled = Command::new("cc")
            .args(["-finstrument-functions", "-fwrapv", "p.c", "harness.c", "-o", "test"])
            .current_dir(&folder.path)
            .status();
        assert!(compiled.expect("there is a C compiler").success());
        let test = Command::new(folder.path.join("test")).output().expect("it runs");
        assert_eq!(test.status.code(), Some(101));
        assert_eq!(String::from_utf8_lossy(&test.stderr), "the violation is reached: reach_error\n");
    }
    let folder = Folder::with("p.c", LOOP);
    folder.run(&["check", "p.c", "--harness", "harness.c"]).ends_with(0, "true");
    assert!(!folder.path.join("harness.c").exists());
}

#[test]
fn what_cannot_be_written_is_said_at_once() {
    let folder = Folder::with("p.c", BUG);
    for option in
        ["json", "sarif", "junit", "report", "harness"].map(|option| format!("--{option}=no/such/x"))
    {
        let run = folder.run(&["check", "p.c", &option]);
        assert_eq!(run.exit, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("no/such/x cannot be written"), "{}", run.stderr);
        assert_eq!(run.stdout, "");
    }
}
