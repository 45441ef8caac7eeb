//! What a batch writes for other programs.

use crate::support::Folder;
use crate::{SAFE, UNSAFE, write};
use serde_json::Value;
use std::fs;
use std::process::Command;

const DESIGN: &str = "1 sort bitvec 1\n2 input 1 <i>\n3 bad 2 both&\n";

fn folder() -> Folder {
    let folder = Folder::new();
    let table = "suite\tpath\texpected\n\
                 good & <bad>\ta.c\ttrue\n\
                 good & <bad>\tb.c\tfalse\n\
                 other\tc.c\ttrue\n\
                 other\td.btor2\t-\n\
                 other\te.c\t-\n";
    write(&folder, "list.tsv", table);
    write(&folder, "a.c", SAFE);
    write(&folder, "b.c", UNSAFE);
    write(&folder, "c.c", UNSAFE);
    write(&folder, "d.btor2", DESIGN);
    write(&folder, "e.c", "int main(void) { return \n");
    let files = ["--junit", "x.xml", "--sarif", "x.sarif", "--benchexec", "b.xml"];
    let run = folder.run(&[&["batch", "list.tsv", "--timeout", "30"][..], &files].concat());
    assert_eq!(run.exit, Some(1), "{run:?}");
    folder
}

fn text(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path.join(name)).expect("it was written")
}

/// XML is read by Python's parser, which takes nothing else.
fn is_xml(folder: &Folder, name: &str) {
    let script = "import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])";
    match Command::new("python3").args(["-c", script, name]).current_dir(&folder.path).output() {
        Ok(parsed) => assert!(parsed.status.success(), "{}", String::from_utf8_lossy(&parsed.stderr)),
        Err(_) => tamis_testing::missing("python3", "there is no python3 to read XML"),
    }
}

#[test]
fn documents() {
    let folder = folder();
    let junit = text(&folder, "x.xml");
    is_xml(&folder, "x.xml");
    assert!(junit.contains("<testsuites tests=\"5\" failures=\"2\" errors=\"1\""), "{junit}");
    assert!(
        junit.contains("<testsuite name=\"good &amp; &lt;bad&gt;\" tests=\"2\" failures=\"0\""),
        "{junit}"
    );
    assert!(junit.contains("type=\"wrong\" message=\"false(unreach-call), expected true\""), "{junit}");
    assert!(junit.contains("__VERIFIER_nondet_int() = 42"), "the way to the violation is told: {junit}");
    assert!(junit.contains("type=\"violation\""), "{junit}");

    let sarif: Value = serde_json::from_str(&text(&folder, "x.sarif")).expect("JSON");
    assert_eq!(sarif["runs"].as_array().map(Vec::len), Some(1));
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 5);
    let failed: Vec<&Value> = results.iter().filter(|result| result["kind"] == "fail").collect();
    assert_eq!(failed.len(), 3);
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    for result in results {
        assert_eq!(rules.iter().filter(|rule| rule["id"] == result["ruleId"]).count(), 1, "{result}");
        assert!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].is_string());
    }
    assert!(failed.iter().all(|result| result["codeFlows"][0]["threadFlows"][0]["locations"].is_array()));

    let xml = text(&folder, "b.xml");
    is_xml(&folder, "b.xml");
    for (column, value) in [("status", "false(unreach-call)"), ("category", "wrong"), ("category", "correct")]
    {
        assert!(xml.contains(&format!("<column title=\"{column}\" value=\"{value}\"")), "{xml}");
    }
    assert_eq!(xml.matches("<run ").count(), 5);
    assert!(xml.contains("expectedVerdict=\"false\""), "{xml}");
}
