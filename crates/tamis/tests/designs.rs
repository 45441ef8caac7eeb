//! Random designs from the command line to evidence: verdicts against the enumeration of all states, witnesses through
//! btorsim, certificates through `tamis certify`, by another solver and after they were changed.

#[path = "../../design/tests/support/explore.rs"]
mod explore;
#[path = "../../design/tests/support/random.rs"]
mod random;

use random::Size;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tamis_design::Design;
use tamis_evidence::design::{Proof, certify};
use tamis_front_rtl::btor2;
use tamis_logic::Terms;
use tamis_solver::Budget;
use tamis_testing::{Random, btorsim, z3};

/// A folder that is gone after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tamis-designs-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a file");
    }

    fn tamis(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_tamis"))
            .current_dir(&self.0)
            .args(arguments)
            .output()
            .expect("a run")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

/// A design as BTOR2, and for each property whether it is violated, by the text itself.
fn written(seed: u64) -> Option<(String, Vec<bool>)> {
    let mut terms = Terms::new();
    let design = random::design(&mut Random::new(seed), &mut terms, &Size { state: 8, inputs: 3 });
    // Constant memories can be first values alone.
    let text = btor2::write(&terms, &design).ok()?;
    let violated = explore::violations(&terms, &design).iter().map(Option::is_some).collect();
    // What was written is what is read.
    let mut again = Terms::new();
    let source = btor2::read(&mut again, "again", text.as_bytes()).expect("BTOR2");
    let read: Vec<bool> = explore::violations(&again, &source.design).iter().map(Option::is_some).collect();
    assert_eq!(read, violated, "design {seed} is another when it is written:\n{text}");
    Some((text, violated))
}

#[test]
fn witnesses_are_executions_to_btorsim() {
    let Some(btorsim) = btorsim() else { return };
    let folder = Folder::new("witness");
    let mut checked = 0;
    for seed in 0..120 {
        let Some((text, violated)) = written(seed) else { continue };
        folder.write("design.btor2", &text);
        for (property, violated) in violated.iter().enumerate() {
            let name = format!("p{property}");
            let run = folder.tamis(&["check", "design.btor2", "--property", &name, "--witness", "w.wit"]);
            let verdict =
                if *violated { format!("VERDICT: false({name})") } else { "VERDICT: true".to_owned() };
            assert_eq!(last_line(&run), verdict, "design {seed}\n{text}");
            if *violated {
                accepts(&btorsim, &folder.0, &format!("design {seed}\n{text}"));
                checked += 1;
            }
        }
    }
    assert!(checked > 30, "only {checked} witnesses");
}

fn accepts(btorsim: &str, folder: &Path, what: &str) {
    let run = Command::new(btorsim).current_dir(folder).args(["-c", "-v", "design.btor2", "w.wit"]).output();
    let run = run.expect("btorsim runs");
    let witness = std::fs::read_to_string(folder.join("w.wit")).unwrap_or_default();
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}\n{witness}\n{what}");
}

#[test]
fn certificates_are_checked_again_and_changed_ones_refused() {
    let (folder, z3) = (Folder::new("certificate"), z3());
    let mut changed = 0;
    for seed in 1000..1060 {
        let Some((text, violated)) = written(seed) else { continue };
        folder.write("design.btor2", &text);
        for property in (0..violated.len()).filter(|&p| !violated[p]) {
            let name = format!("p{property}");
            let run = folder.tamis(&["check", "design.btor2", "--property", &name, "--certificate", "proof"]);
            assert_eq!(last_line(&run), "VERDICT: true", "design {seed}\n{text}");
            let own = folder.tamis(&["certify", "proof", "design.btor2"]);
            assert_eq!(own.status.code(), Some(0), "{}", String::from_utf8_lossy(&own.stderr));
            if let Some(z3) = z3.as_ref().filter(|_| seed % 5 == 0) {
                let other = folder.tamis(&["certify", "proof", "design.btor2", "--solver", z3]);
                assert_eq!(other.status.code(), Some(0), "{}", String::from_utf8_lossy(&other.stderr));
            }
            mutated_is_refused(&folder, seed);
            changed += 1;
        }
    }
    assert!(changed > 20, "only {changed} certificates were changed");
}

/// Changes the proof in a manifest: then the conditions are others, or the design is.
fn mutated_is_refused(folder: &Folder, seed: u64) {
    let file = folder.0.join("proof/certificate.json");
    let text = std::fs::read_to_string(&file).expect("a manifest");
    let mut manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let proof = manifest["proof"].as_object_mut().expect("a proof");
    if let Some(invariant) = proof.get_mut("invariant") {
        let formula = invariant.as_str().expect("a formula");
        *invariant = if formula == "true" { "false".into() } else { format!("(or {formula} true)").into() };
    } else if let Some(cycles) = proof.get_mut("exhaustion") {
        *cycles = (cycles.as_u64().expect("a number") + 1).into();
    } else {
        let cycles = &mut proof.get_mut("induction").expect("an induction")["cycles"];
        *cycles = (cycles.as_u64().expect("a number") + 1).into();
    }
    std::fs::write(&file, manifest.to_string()).expect("a file");
    let run = folder.tamis(&["certify", "proof", "design.btor2"]);
    assert_ne!(run.status.code(), Some(0), "design {seed}: a changed certificate is accepted");
    std::fs::write(&file, text).expect("a file");
    // Of another design it is no proof either.
    let design = std::fs::read_to_string(folder.0.join("design.btor2")).expect("a design");
    folder.write("other.btor2", &format!("{design}; another\n"));
    let run = folder.tamis(&["certify", "proof", "other.btor2"]);
    assert_eq!(run.status.code(), Some(4), "design {seed}: a certificate of another design is accepted");
}

/// The property of a witness circuit is inductive by itself, and about the same inputs and states.
#[test]
fn witness_circuits_are_inductive() {
    let folder = Folder::new("circuit");
    let mut checked = 0;
    for seed in 2000..2060 {
        let Some((text, violated)) = written(seed) else { continue };
        folder.write("design.btor2", &text);
        let Some(property) = violated.iter().position(|violated| !violated) else { continue };
        let name = format!("p{property}");
        let file = folder.0.join("w.btor2");
        let _ = std::fs::remove_file(&file);
        folder.tamis(&["check", "design.btor2", "--property", &name, "--witness", "w.btor2"]);
        // Proofs by induction over several cycles have none.
        let Ok(circuit) = std::fs::read(&file) else { continue };
        let mut terms = Terms::new();
        let witness = btor2::read(&mut terms, "w.btor2", &circuit).expect("BTOR2").design;
        let model = btor2::read(&mut Terms::new(), "design.btor2", text.as_bytes()).expect("BTOR2").design;
        let count = |design: &Design| (design.inputs.len(), design.registers.len());
        assert_eq!(count(&witness), count(&model), "design {seed}");
        let facts = terms.tru();
        let proof = Proof::KInduction { k: 1, simple_path: false, facts };
        let inductive = certify(&mut terms, &witness, 0, &proof, &Budget::unlimited());
        assert!(inductive.is_ok(), "design {seed}: {inductive:?}");
        checked += 1;
    }
    assert!(checked > 10, "only {checked} witness circuits");
}

const COUNTER: &str = "1 sort bitvec 3\n2 sort bitvec 1\n3 zero 1\n4 state 1 top.count\n5 init 1 4 3\n6 inc 1 4\n\
    7 next 1 4 6\n8 constd 1 5\n9 eq 2 4 8\n10 bad 9 five\n";

#[test]
fn waveforms_have_names_values_and_a_marker() {
    let folder = Folder::new("waves");
    folder.write("counter.btor2", COUNTER);
    let run = folder.tamis(&["check", "counter.btor2", "--vcd", "w.vcd"]);
    assert_eq!(run.status.code(), Some(1));
    let file = std::fs::File::open(folder.0.join("w.vcd")).expect("waveforms");
    let mut parser = vcd::Parser::new(std::io::BufReader::new(file));
    let header = parser.parse_header().expect("a header");
    let count = header.find_var(&["design", "top", "count"]).expect("the register").code;
    let marker = header.find_var(&["design", "violation_of_five"]).expect("the marker").code;
    let (mut time, mut values, mut marked) = (0, Vec::new(), Vec::new());
    for command in parser {
        match command.expect("a command") {
            vcd::Command::Timestamp(now) => time = now,
            vcd::Command::ChangeVector(code, value) if code == count => values.push(value.to_string()),
            vcd::Command::ChangeScalar(code, vcd::Value::V1) if code == marker => marked.push(time),
            _ => {}
        }
    }
    assert_eq!(values, ["000", "001", "010", "011", "100", "101"]);
    assert_eq!(marked, [50]);
}

#[test]
fn options_of_the_other_formalism_are_wrong_usage() {
    let folder = Folder::new("usage");
    folder.write("counter.btor2", COUNTER);
    folder.write("main.c", "int main(void) { return 0; }\n");
    let cases: [(&[&str], &str); 6] = [
        (&["check", "counter.btor2", "main.c"], "they cannot be checked together"),
        (&["check", "counter.btor2", "--32"], "--32 is for C programs"),
        (&["check", "counter.btor2", "--harness", "h.c"], "--harness is for C programs"),
        (&["check", "counter.btor2", "--property", "six"], "six: no such property; the design has five"),
        (&["check", "main.c", "--top", "main"], "--top is for hardware designs"),
        (&["check", "main.c", "--vcd", "w.vcd"], "--vcd is for hardware designs"),
    ];
    for (arguments, message) in cases {
        let run = folder.tamis(arguments);
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!((run.status.code(), &*run.stdout), (Some(2), &[][..]), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
}

/// The scripts for SymbiYosys and the competition speak their protocols: words, exit codes, witnesses.
#[test]
fn scripts_for_other_tools_answer_in_their_words() {
    let folder = Folder::new("scripts");
    folder.write("bad.btor", COUNTER);
    folder.write("good.btor", &COUNTER.replace("9 eq 2 4 8", "9 neq 2 4 4"));
    let contrib = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib");
    let run = |script: &str, arguments: &[&str]| {
        let mut command = Command::new(contrib.join(script));
        let command = command.current_dir(&folder.0).env("TAMIS", env!("CARGO_BIN_EXE_tamis"));
        let output = command.args(arguments).output().expect("a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, said) = run("sby-tamis", &["--witness", "bad.btor"]);
    assert!(code == Some(10) && said.starts_with("sat\nb0\n") && said.ends_with(".\n"), "{said}");
    assert_eq!(run("sby-tamis", &["--witness", "good.btor"]), (Some(20), "UNSAT\n".to_owned()));
    // What is not known is no pass: in the bounded mode it would be taken for one.
    assert_eq!(run("sby-tamis", &["-e", "bmc", "--end", "3", "none.btor"]), (Some(1), String::new()));
    assert_eq!(run("sby-tamis", &["none.btor"]), (Some(30), "UNKNOWN\n".to_owned()));
    assert_eq!(run("hwmcc-tamis", &["bad.btor", "b.wit"]), (Some(10), "sat\n".to_owned()));
    assert_eq!(run("hwmcc-tamis", &["good.btor", "g.wit", "--quiet"]), (Some(20), "unsat\n".to_owned()));
    assert!(folder.0.join("b.wit").is_file());
}

#[test]
fn lists_of_files_are_read() {
    let folder = Folder::new("lists");
    folder.write("counter.btor2", COUNTER);
    folder.write("all.f", "// the design\ncounter.btor2\n");
    let run = folder.tamis(&["check", "-f", "all.f"]);
    assert_eq!(last_line(&run), "VERDICT: false(five)");
    folder.write("endless.f", "-f endless.f\n");
    assert_eq!(folder.tamis(&["check", "-f", "endless.f"]).status.code(), Some(4));
}

#[test]
fn documents_tell_of_cycles() {
    let folder = Folder::new("documents");
    folder.write("counter.btor2", COUNTER);
    let arguments = ["check", "counter.btor2", "--json=r.json", "--sarif", "r.sarif", "--junit", "r.xml"];
    assert_eq!(folder.tamis(&arguments).status.code(), Some(1));
    let read = |name: &str| std::fs::read_to_string(folder.0.join(name)).expect("a document");
    let json: serde_json::Value = serde_json::from_str(&read("r.json")).expect("JSON");
    assert_eq!((&json["formalism"], &json["data_model"]), (&"RTL".into(), &serde_json::Value::Null));
    let counterexample = &json["properties"][0]["counterexample"];
    assert_eq!(counterexample["words"][0]["name"], "top.count");
    assert_eq!(counterexample["cycles"][5][0], "5");
    assert!(read("r.sarif").contains("cycle 5: top.count = 5"));
    assert!(read("r.xml").contains("cycle 5: top.count = 5"));
}
