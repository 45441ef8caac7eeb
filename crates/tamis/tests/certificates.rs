//! Certificates through the command line: what `check` writes, `certify` accepts, and whatever else is in a folder it
//! refuses.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use tamis_evidence::{Certificate, conditions};
use tamis_front_c::Options;
use tamis_logic::Terms;
use tamis_program::simplify;

const PROGRAM: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        x++;
        y++;
    }
    if (x != y)
        reach_error();
    return 0;
}
";

/// A folder of its own for a test, gone at its end.
struct Place(PathBuf);

impl Place {
    fn new() -> Place {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("tamis-certificates-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Place(path)
    }

    /// A place with a program and the certificate of its proof.
    fn with_proof(text: &str, options: &[&str]) -> Place {
        let place = Place::new();
        fs::write(place.0.join("main.c"), text).expect("a program");
        let (code, out) = place.run(&[&["check", "main.c", "--certificate", "proof"], options].concat());
        assert!(code == 0 && out.ends_with("VERDICT: true\n"), "{out}");
        place
    }

    fn run(&self, arguments: &[&str]) -> (i32, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_tamis"))
            .current_dir(&self.0)
            .args(arguments)
            .output()
            .expect("a run");
        let text = [output.stderr, output.stdout].concat();
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
    }

    fn proof(&self) -> PathBuf {
        self.0.join("proof")
    }

    fn manifest(&self) -> serde_json::Value {
        let text = fs::read_to_string(self.proof().join("certificate.json")).expect("a manifest");
        serde_json::from_str(&text).expect("JSON")
    }

    fn set_manifest(&self, manifest: &serde_json::Value) {
        fs::write(self.proof().join("certificate.json"), manifest.to_string()).expect("a manifest");
    }

    /// The files of the conditions.
    fn conditions(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.proof()).expect("a folder").map(|e| e.expect("an entry").path());
        let mut found: Vec<PathBuf> =
            entries.filter(|p| p.extension().is_some_and(|e| e == "smt2")).collect();
        found.sort();
        found
    }

    /// Changes a condition, and its hash in the manifest.
    fn forge(&self, index: usize, change: impl Fn(&str) -> String) {
        let file = &self.conditions()[index];
        let text = change(&fs::read_to_string(file).expect("a condition"));
        fs::write(file, &text).expect("a condition");
        let mut manifest = self.manifest();
        manifest["conditions"][index]["sha256"] = sha256(&text).into();
        self.set_manifest(&manifest);
    }

    /// `certify` refuses, for this reason.
    fn is_refused(&self, arguments: &[&str], reason: &str) {
        let (code, out) = self.run(&[&["certify", "proof"], arguments].concat());
        assert_eq!(code, 4, "{out}");
        assert!(out.contains(reason), "{out} lacks `{reason}`");
        assert!(out.lines().last().is_some_and(|l| l.starts_with("VERDICT: unknown(input: ")), "{out}");
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn sha256(text: &str) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn proofs_are_written_and_accepted() {
    let place = Place::with_proof(PROGRAM, &[]);
    let manifest = place.manifest();
    let kinds: Vec<&str> = manifest["conditions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|c| c["kind"].as_str().expect("a kind"))
        .collect();
    assert_eq!(kinds[0], "initiation");
    assert!(kinds.contains(&"consecution") && kinds.contains(&"safety"), "{kinds:?}");
    assert!(manifest["invariants"].to_string().contains("x == y"), "{manifest}");
    for file in place.conditions() {
        let text = fs::read_to_string(&file).expect("a condition");
        assert!(text.starts_with("; ") && text.contains("main.c:"), "{text}");
        assert!(text.contains("(set-info :status unsat)") && text.ends_with("(check-sat)\n"), "{text}");
        let (code, out) = place.run(&["solve", &file.display().to_string()]);
        assert_eq!((code, &*out), (0, "unsat\n"));
    }
    let (code, out) = place.run(&["certify", "proof"]);
    assert!(code == 0 && out.contains("not checked: ") && out.ends_with("VERDICT: true\n"), "{out}");
    let (code, out) = place.run(&["certify", "proof", "main.c"]);
    assert!(code == 0 && !out.contains("not checked: ") && out.ends_with("VERDICT: true\n"), "{out}");
}

#[test]
fn every_way_to_read_a_program_is_remembered() {
    let options: [&[&str]; 4] =
        [&["--32"], &["--no-simplify"], &["--property", "no-overflow"], &["-D", "N=3"]];
    let text = PROGRAM.replace("x++;", "if (x == 7) break; x++;").replace("int x = 0", "int n = N, x = 0");
    for option in options {
        let mut given = option.to_vec();
        if !given.contains(&"-D") {
            given.extend(["-D", "N=1"]);
        }
        let place = Place::with_proof(&text, &given);
        let definition = if option[0] == "-D" { "N=3" } else { "N=1" };
        let (code, out) = place.run(&["certify", "proof", "main.c", "-D", definition]);
        assert!(code == 0, "{option:?}: {out}");
    }
}

#[test]
fn proofs_by_exhaustion_have_conditions_too() {
    // Forty values are soon followed to their end, and an invariant would have to name each of them.
    let text = "extern void reach_error(void);
int main(void) {
    unsigned a = 1;
    for (int i = 0; i < 40; i++)
        a = a * 1664525u + 1013904223u;
    if (a != 3055474921u)
        reach_error();
    return 0;
}
";
    let place = Place::with_proof(text, &[]);
    let good = place.manifest();
    let returns = good["exhaustion"]["returns"].as_u64();
    assert_eq!((returns, good["conditions"].as_array().map(Vec::len)), (Some(40), Some(1)), "{good}");
    let (code, out) = place.run(&["certify", "proof", "main.c"]);
    assert!(code == 0, "{out}");
    let mut manifest = good.clone();
    manifest["exhaustion"]["last"] = serde_json::json!([39]);
    place.set_manifest(&manifest);
    place.is_refused(&["main.c"], "not the conditions of the program");
    manifest["exhaustion"] = serde_json::json!({ "last": [], "returns": 7 });
    place.set_manifest(&manifest);
    place.is_refused(&["main.c"], "longer executions");
    manifest["exhaustion"] = good["exhaustion"].clone();
    manifest["conditions"] = serde_json::json!([]);
    place.conditions().iter().for_each(|file| fs::remove_file(file).expect("a file"));
    place.set_manifest(&manifest);
    place.is_refused(&["main.c"], "a proof without conditions");
}

#[test]
fn proofs_by_induction_have_conditions_of_their_own() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../regression/invariants/induction-rotation-safe/main.c");
    let text = fs::read_to_string(program).expect("a program");
    let place = Place::with_proof(&text, &["--preset", "k-induction"]);
    let good = place.manifest();
    assert_eq!(good["induction"], serde_json::json!({ "k": 8, "simple_path": false }), "{good}");
    let kinds: Vec<&str> =
        good["conditions"].as_array().expect("a list").iter().filter_map(|c| c["kind"].as_str()).collect();
    assert!(kinds.contains(&"base") && kinds.contains(&"step") && !kinds.contains(&"safety"), "{kinds:?}");
    for file in place.conditions() {
        let (code, out) = place.run(&["solve", &file.display().to_string()]);
        assert_eq!((code, &*out), (0, "unsat\n"));
    }
    let (code, out) = place.run(&["certify", "proof", "main.c"]);
    assert!(code == 0 && out.ends_with("VERDICT: true\n"), "{out}");
    // Fewer steps are not enough, and have other conditions.
    for (k, why) in [(7, "not the conditions of the program"), (100_000, "induction over more than")] {
        let mut manifest = good.clone();
        manifest["induction"]["k"] = k.into();
        place.set_manifest(&manifest);
        place.is_refused(&["main.c"], why);
    }
    let mut manifest = good.clone();
    manifest["exhaustion"] = serde_json::json!({ "last": [], "returns": 1 });
    place.set_manifest(&manifest);
    place.is_refused(&["main.c"], "of more than one kind");
    let mut manifest = good.clone();
    manifest["induction"] = serde_json::Value::Null;
    place.set_manifest(&manifest);
    place.is_refused(&["main.c"], "not the conditions of the program");
    let mut manifest = good.clone();
    manifest["invariants"][1]["smtlib"] = "false".into();
    place.set_manifest(&manifest);
    place.is_refused(&["main.c"], "is not what it says");
    let step = kinds.iter().position(|kind| *kind == "step").expect("a step");
    place.set_manifest(&good);
    place.forge(step, |text| text.replace("(check-sat)", "(assert false)\n(check-sat)"));
    place.is_refused(&["main.c"], "not the conditions of the program");
}

/// What holds of all elements of an array is a proof on disk like any other: its conditions have explicit instances, so that any solver
/// can decide them, and what is changed is refused.
#[test]
fn proofs_about_all_elements_are_written_too() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../regression/arrays/fill-safe/main.c");
    let text = fs::read_to_string(program).expect("a program");
    let place = Place::with_proof(&text, &["--preset", "invariants"]);
    let good = place.manifest();
    let stated = good["invariants"].to_string();
    assert!(stated.contains("(forall ((") && stated.contains("for all j in [0, i): a[j] == 42"), "{stated}");
    for file in place.conditions() {
        let text = fs::read_to_string(&file).expect("a condition");
        assert!(!text.contains("forall"), "a quantifier: {text}");
        let (code, out) = place.run(&["solve", &file.display().to_string()]);
        assert_eq!((code, &*out), (0, "unsat\n"));
    }
    let (code, out) = place.run(&["certify", "proof", "main.c"]);
    assert!(code == 0 && out.ends_with("VERDICT: true\n"), "{out}");
    if let Some(z3) = tamis_testing::z3() {
        let (code, out) = place.run(&["certify", "proof", "main.c", "--solver", &z3]);
        assert!(code == 0 && out.ends_with("VERDICT: true\n"), "{out}");
    }
    let changes =
        [("#x0000002a", "#x0000002b"), ("(bvslt j%32 i", "(bvslt #x00000000 i"), ("(forall", "(exists")];
    for (from, to) in changes {
        let mut manifest = good.clone();
        for invariant in manifest["invariants"].as_array_mut().expect("a list") {
            let formula = invariant["smtlib"].as_str().expect("a formula").replace(from, to);
            invariant["smtlib"] = formula.into();
        }
        assert_ne!(manifest, good, "{from}");
        place.set_manifest(&manifest);
        place.is_refused(&["main.c"], "invariant");
    }
    // A program in which it does not hold has other conditions, and the claim is about this one.
    place.set_manifest(&good);
    fs::write(place.0.join("main.c"), text.replace("= 42;", "= i;")).expect("a program");
    place.is_refused(&["main.c"], "");
}

#[test]
fn the_only_execution_is_run_again() {
    // The search approximates long double.
    let text = "extern void reach_error(void);
int main(void) {
    long double x = 1;
    for (int i = 0; i < 10; i++)
        x *= 0.5L;
    if (x != 1.0L / 1024)
        reach_error();
    return 0;
}
";
    let place = Place::with_proof(text, &[]);
    assert!(place.conditions().is_empty());
    let good = place.manifest();
    assert!(good["execution"]["statements"].as_u64().is_some_and(|n| n > 20), "{good}");
    let (code, out) = place.run(&["certify", "proof", "main.c"]);
    assert!(code == 0 && out.contains("checked: the program was run"), "{out}");
    place.is_refused(&[], "is checked with the program's files");
    for (key, value) in [("statements", serde_json::json!(7)), ("course", serde_json::json!("0123"))] {
        let mut manifest = good.clone();
        manifest["execution"][key] = value;
        place.set_manifest(&manifest);
        place.is_refused(&["main.c"], "it has another execution");
    }
    let mut manifest = good.clone();
    manifest["exhaustion"] = serde_json::json!({ "last": [], "returns": 0 });
    place.set_manifest(&manifest);
    place.is_refused(&["main.c"], "more than one kind");
    // A certificate for another program, with the hash put right.
    let other = text.replace("1.0L / 1024", "0.0L / x");
    fs::write(place.0.join("main.c"), &other).expect("a program");
    place.set_manifest(&good);
    place.is_refused(&["main.c"], "hash");
}

#[test]
fn other_verdicts_have_no_conditions() {
    let place = Place::new();
    fs::write(place.0.join("main.c"), PROGRAM.replace("y++;", "")).expect("a program");
    let (code, out) = place.run(&["check", "main.c", "--certificate", "proof"]);
    assert!(code == 1 && out.contains("certificate: none"), "{out}");
    assert!(place.conditions().is_empty());
    let (code, out) = place.run(&["certify", "proof"]);
    assert!(
        code == 3 && out.ends_with("VERDICT: unknown(no proof: the verdict was false(unreach-call))\n"),
        "{out}"
    );
}

#[test]
fn only_certificates_are_replaced() {
    let place = Place::with_proof(PROGRAM, &[]);
    let (code, out) = place.run(&["check", "main.c", "--certificate", "proof"]);
    assert!(code == 0, "{out}");
    fs::write(place.proof().join("notes.txt"), "mine").expect("a file");
    let (code, out) = place.run(&["check", "main.c", "--certificate", "proof"]);
    assert!(code == 4 && out.contains("holds other things") && out.contains("notes.txt"), "{out}");
    assert!(place.proof().join("certificate.json").is_file() && place.proof().join("notes.txt").is_file());
    fs::write(place.0.join("file"), "").expect("a file");
    let (code, out) = place.run(&["check", "main.c", "--certificate", "file"]);
    assert!(code == 4 && out.contains("VERDICT: unknown(certificate: "), "{out}");
}

#[test]
fn several_properties_have_a_folder_each() {
    let place =
        Place::with_proof(PROGRAM, &["--property", "unreach-call", "--property", "no-division-by-zero"]);
    for property in ["unreach-call", "no-division-by-zero"] {
        let folder = format!("proof/{property}");
        let (code, out) = place.run(&["certify", &folder, "main.c", "--property", property]);
        assert!(code == 0, "{out}");
        let other = if property == "unreach-call" { "no-overflow" } else { "unreach-call" };
        let (code, out) = place.run(&["certify", &folder, "main.c", "--property", other]);
        assert!(code == 4 && out.contains("another property"), "{out}");
    }
}

#[test]
fn property_files_say_which_property() {
    let place = Place::new();
    fs::write(place.0.join("main.c"), PROGRAM).expect("a program");
    fs::write(place.0.join("p.prp"), "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
        .expect("a file");
    let (code, out) = place.run(&["check", "main.c", "--property", "p.prp", "--certificate", "proof"]);
    assert_eq!(code, 0, "{out}");
    let (code, out) = place.run(&["certify", "proof", "main.c", "--property", "p.prp"]);
    assert!(code == 0 && out.contains("target: call reach_error"), "{out}");
    // Failing assertions are violations too where only the name is given.
    place.is_refused(
        &["main.c", "--property", "unreach-call"],
        "another property, unreach-call (call reach_error)",
    );
    place.is_refused(&["main.c", "--property", "none.prp"], "none.prp");
}

#[test]
fn conditions_that_do_not_hold_are_told() {
    let place = Place::with_proof(PROGRAM, &[]);
    let last = place.conditions().len() - 1;
    place.forge(last, |_| "(set-logic QF_BV)(declare-const x Bool)(assert x)(check-sat)".to_owned());
    let (code, out) = place.run(&["certify", "proof"]);
    let name = place.conditions()[last].file_name().expect("a name").display().to_string();
    assert_eq!(code, 5, "{out}");
    assert!(out.contains(&format!("{name}: satisfiable")), "{out}");
    assert!(
        out.ends_with(&format!("VERDICT: unknown(evidence: condition {name} is satisfiable)\n")),
        "{out}"
    );
    // Held against the program, it is not its condition in the first place.
    place.is_refused(&["main.c"], "not the conditions of the program");
}

#[test]
fn forged_conditions_are_refused_with_the_program() {
    let place = Place::with_proof(PROGRAM, &[]);
    place.forge(1, |text| text.replace("(check-sat)", "(assert false)\n(check-sat)"));
    let (code, _) = place.run(&["certify", "proof"]);
    assert_eq!(code, 0, "without the program, only what was changed by accident can be found");
    place.is_refused(&["main.c"], "not the conditions of the program");
}

#[test]
fn invariants_that_are_none_are_refused() {
    let mutations: [(&str, &str); 5] = [
        ("true", "is not what it says"),
        ("false", "is not what it says"),
        ("(= x z)", "an invariant: "),
        ("true) (assert false", "an invariant is not one formula"),
        ("(", "an invariant: "),
    ];
    for (formula, reason) in mutations {
        let place = Place::with_proof(PROGRAM, &[]);
        let mut manifest = place.manifest();
        for invariant in manifest["invariants"].as_array_mut().expect("a list") {
            invariant["smtlib"] = formula.into();
        }
        place.set_manifest(&manifest);
        place.is_refused(&["main.c"], reason);
    }
    let place = Place::with_proof(PROGRAM, &[]);
    let mut manifest = place.manifest();
    for invariant in manifest["invariants"].as_array_mut().expect("a list") {
        (invariant["smtlib"], invariant["c"]) = ("true".into(), "1".into());
    }
    place.set_manifest(&manifest);
    place.is_refused(&["main.c"], "not the conditions of the program");
}

/// Invariants and conditions that go together, and are no proof: the conditions are the program's, and fail.
#[test]
fn proofs_that_go_together_and_fail_are_told() {
    let place = Place::with_proof(PROGRAM, &[]);
    let mut terms = Terms::new();
    let program = tamis_front_c::load(&[place.0.join("main.c")], &Options::default(), &mut terms).expect("C");
    let program = simplify(&program, &mut terms).program;
    let mut manifest = place.manifest();
    let mut certificate = Certificate::default();
    for invariant in manifest["invariants"].as_array_mut().expect("a list") {
        let index = invariant["at"]["location"].as_u64().expect("a number") as usize;
        certificate.invariants.push((program.locations().nth(index).expect("a location"), terms.tru()));
        invariant["smtlib"] = "true".into();
    }
    for invariant in manifest["invariants"].as_array_mut().expect("a list") {
        invariant["c"] = "1".into();
    }
    let conditions = conditions(&mut terms, &program, &certificate).expect("all loops are cut");
    place.set_manifest(&manifest);
    assert_eq!(conditions.len(), place.conditions().len());
    for (i, condition) in conditions.iter().enumerate() {
        place.forge(i, |_| condition.script(&terms, &program));
    }
    let (code, out) = place.run(&["certify", "proof", "main.c"]);
    assert_eq!(code, 5, "{out}");
    assert!(out.contains("-safety.smt2: satisfiable"), "{out}");
    assert!(
        out.lines().last().is_some_and(|l| l.starts_with("VERDICT: unknown(evidence: condition ")),
        "{out}"
    );
}

#[test]
fn programs_may_move() {
    let place = Place::with_proof(PROGRAM, &[]);
    fs::create_dir(place.0.join("sources")).expect("a folder");
    fs::rename(place.0.join("main.c"), place.0.join("sources/pair.c")).expect("a file");
    let (code, out) = place.run(&["certify", "proof", "sources/pair.c"]);
    assert!(code == 0, "{out}");
}

#[test]
fn the_program_must_be_the_one() {
    let place = Place::with_proof(PROGRAM, &[]);
    fs::write(place.0.join("other.c"), PROGRAM.replace("y++", "y += 2")).expect("a program");
    place.is_refused(&["other.c"], "does not have the hash");
    place.is_refused(&["main.c", "other.c"], "is of 1 files, not of 2");
    place.is_refused(&["main.c", "--32"], "the certificate is for LP64");
    place.is_refused(&["nothing.c"], "nothing.c: cannot be read");
    // A forged hash does not help: the conditions are others.
    let mut manifest = place.manifest();
    manifest["files"][0]["sha256"] =
        sha256(&fs::read_to_string(place.0.join("other.c")).expect("a text")).into();
    place.set_manifest(&manifest);
    place.is_refused(&["other.c"], "not the conditions of the program");
}

#[test]
fn folders_are_read_without_trust() {
    let place = Place::with_proof(PROGRAM, &[]);
    let good = place.manifest();
    let with = |change: &dyn Fn(&mut serde_json::Value), reason: &str| {
        let mut manifest = good.clone();
        change(&mut manifest);
        place.set_manifest(&manifest);
        place.is_refused(&[], reason);
        place.is_refused(&["main.c"], reason);
        place.set_manifest(&good);
    };
    for name in
        ["../main.c", "/etc/passwd", "a/0001-safety.smt2", "", "certificate.json", "0001-safety.smt2\u{0}"]
    {
        with(&|m| m["conditions"][0]["file"] = name.into(), "is no name of a condition's file");
    }
    with(&|m| m["conditions"][0]["file"] = "0099-safety.smt2".into(), "not a part of the certificate");
    with(&|m| m["conditions"][1]["file"] = m["conditions"][0]["file"].clone(), "is named twice");
    with(&|m| m["conditions"] = serde_json::json!([]), "not a part of the certificate");
    with(&|m| m["version"] = 2.into(), "version 2 of the format is not known");
    with(&|m| m["format"] = "zip".into(), "the format is not");
    with(&|m| m["property"] = "termination".into(), "is no property with proofs");
    with(&|m| m["target"] = "nothing at all".into(), "is no target");
    with(&|m| m["data_model"] = "LP128".into(), "is no data model");
    with(&|m| m["unfolding"] = 1_000_000.into(), "never unfolded");
    with(&|m| m["more"] = 1.into(), "unknown field");
    with(
        &|m| m["invariants"][1]["at"]["location"] = m["invariants"][0]["at"]["location"].clone(),
        "two invariants",
    );
    with(&|m| m["conditions"][0]["sha256"] = "0".into(), "does not have the hash");
    let mut manifest = good.clone();
    manifest["invariants"][0]["at"]["location"] = 1_000_000.into();
    place.set_manifest(&manifest);
    place.is_refused(&["main.c"], "no location 1000000");
    for text in ["", "{", "[]", "null", &"[".repeat(100_000), "\u{feff}{}"] {
        fs::write(place.proof().join("certificate.json"), text).expect("a file");
        place.is_refused(&[], "certificate.json: ");
    }
    fs::write(place.proof().join("certificate.json"), [0xff, 0xfe]).expect("a file");
    place.is_refused(&[], "not a text in UTF-8");
    fs::remove_file(place.proof().join("certificate.json")).expect("a file");
    place.is_refused(&[], "certificate.json: cannot be read");
}

#[test]
fn files_are_read_without_trust() {
    let replace = |with: &dyn Fn(&Path), reason: &str| {
        let place = Place::with_proof(PROGRAM, &[]);
        let file = place.conditions().remove(0);
        fs::rename(&file, place.0.join("elsewhere")).expect("a file");
        with(&file);
        place.is_refused(&[], reason);
        place.is_refused(&["main.c"], reason);
    };
    replace(&|file| symlink("../elsewhere", file).expect("a link"), "a symbolic link");
    replace(&|file| symlink("/dev/zero", file).expect("a link"), "a symbolic link");
    replace(&|file| fs::create_dir(file).expect("a folder"), "not a plain file");
    replace(&|_| {}, "cannot be read");
    replace(&|file| fs::write(file, "(check-sat)").expect("a file"), "does not have the hash");
    let pipe = |file: &Path| assert!(Command::new("mkfifo").arg(file).status().expect("a run").success());
    replace(&pipe, "not a plain file");
    let huge = |file: &Path| fs::File::create(file).and_then(|f| f.set_len(1 << 33)).expect("a file");
    replace(&huge, "larger than");
    let place = Place::with_proof(PROGRAM, &[]);
    fs::write(place.proof().join("0000-safety.smt2"), "(check-sat)").expect("a file");
    place.is_refused(&[], "0000-safety.smt2: not a part of the certificate");
    let (code, out) = place.run(&["certify", "main.c"]);
    assert!(code == 4 && out.contains("VERDICT: unknown(input: "), "{out}");
    let (code, out) = place.run(&["certify", "nowhere"]);
    assert!(code == 4 && out.contains("cannot be read"), "{out}");
    let (code, out) = place.run(&["certify", "proof", "--solver", "no-such-solver"]);
    assert!(code == 2 && out.contains("no-such-solver"), "{out}");
}

#[test]
fn scripts_that_ask_something_else_are_refused() {
    for extra in
        ["(push 1)", "(exit)", "(check-sat)", "(reset)", "(set-option :timeout 1)", "(echo \"unsat\")"]
    {
        let place = Place::with_proof(PROGRAM, &[]);
        place.forge(1, |text| text.replace("(check-sat)", &format!("{extra}\n(check-sat)")));
        let (code, out) = place.run(&["certify", "proof"]);
        assert!(code == 4 && out.contains("VERDICT: unknown(input: "), "{extra}: {out}");
    }
    let place = Place::with_proof(PROGRAM, &[]);
    place.forge(1, |text| text.replace("(assert", "(assert (((("));
    place.is_refused(&[], "0002-");
}

#[test]
fn other_solvers_decide() {
    let place = Place::with_proof(PROGRAM, &[]);
    let solver = |says: &str| {
        let file = place.0.join("solver");
        fs::write(&file, format!("#!/bin/sh\nscript=$(cat)\n{says}\n")).expect("a script");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("a script");
        place.run(&["certify", "proof", "main.c", "--solver", "./solver"])
    };
    let (code, out) = solver("echo unsat");
    assert!(code == 0 && out.ends_with("VERDICT: true\n"), "{out}");
    // As z3 answers a script whose status it contradicts.
    let contradicts = "echo sat; case \"$script\" in *:status*) echo '(error \"line 1 column 1: check annotation\")';; esac";
    let (code, out) = solver(contradicts);
    assert!(
        code == 5
            && out.contains("VERDICT: unknown(evidence: condition 0001-initiation.smt2 is satisfiable)"),
        "{out}"
    );
    for says in [
        "echo unknown",
        "echo unsat; echo unsat",
        "echo hello",
        "exit 1",
        "echo '(error \"no\")'; echo unsat",
        ":",
    ] {
        let (code, out) = solver(says);
        assert!(code == 3 && out.contains("VERDICT: unknown(0001-initiation.smt2: "), "{says}: {out}");
    }
}
