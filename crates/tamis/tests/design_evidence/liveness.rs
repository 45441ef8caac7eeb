//! Liveness of random designs against all loops of all states, by enumeration.

use crate::explore::Explorer;
use crate::{Folder, random, small};
use std::collections::HashMap;
use tamis_design::{Design, Justice};
use tamis_front_rtl::{aiger, btor2};
use tamis_logic::{Model, Term, Terms, Value};
use tamis_testing::{Random, aigsim};

/// Whether an execution without an end fulfils all conditions of the first liveness property again and again: whether, among
/// steps between states that reach each other, each condition holds in one.
fn has_fair_loop(terms: &Terms, design: &Design) -> bool {
    let conditions = design.conditions();
    let steps = steps(terms, design);
    let reach: Vec<Vec<bool>> = (0..steps.len()).map(|from| reached(&steps, from)).collect();
    (0..steps.len()).any(|state| {
        let together = |other: usize| reach[state][other] && reach[other][state];
        let inside: Vec<&Vec<bool>> = (0..steps.len())
            .filter(|&from| together(from))
            .flat_map(|from| &steps[from])
            .filter(|(to, _)| together(*to))
            .map(|(_, held)| held)
            .collect();
        !inside.is_empty() && (0..conditions.len()).all(|c| inside.iter().any(|held| held[c]))
    })
}

/// The states that are reached from one by one or more steps.
fn reached(steps: &[Vec<(usize, Vec<bool>)>], from: usize) -> Vec<bool> {
    let mut found = vec![false; steps.len()];
    let mut work = vec![from];
    while let Some(state) = work.pop() {
        for (to, _) in &steps[state] {
            if !std::mem::replace(&mut found[*to], true) {
                work.push(*to);
            }
        }
    }
    found
}

/// For each state that executions reach, its steps: to which state, and which conditions hold.
fn steps(terms: &Terms, design: &Design) -> Vec<Vec<(usize, Vec<bool>)>> {
    let (explorer, conditions) = (Explorer::new(terms, design), design.conditions());
    let mut known: HashMap<Vec<Value>, usize> = HashMap::new();
    let mut states: Vec<Model> = Vec::new();
    let mut number = |states: &mut Vec<Model>, state: Model| {
        let next = states.len();
        let number = *known.entry(explorer.key(terms, &state)).or_insert(next);
        if number == next {
            states.push(state);
        }
        number
    };
    for state in explorer.first(terms) {
        number(&mut states, state);
    }
    let mut steps = Vec::new();
    while steps.len() < states.len() {
        let mut own = Vec::new();
        for cycle in explorer.cycles(terms, &states[steps.len()]) {
            let held: Vec<bool> = terms.eval_all(&conditions, &cycle).iter().map(Value::as_bool).collect();
            for next in explorer.next(terms, &cycle) {
                own.push((number(&mut states, next), held.clone()));
            }
        }
        steps.push(own);
    }
    steps
}

/// A design with one liveness property and perhaps a fairness condition.
fn live(seed: u64) -> (Terms, Design) {
    let (mut terms, random) = (Terms::new(), &mut Random::new(seed));
    let mut design = random::design(random, &mut terms, &random::Size { state: 5, inputs: 2 });
    let mut conditions: Vec<Term> = design.properties.drain(..).map(|p| p.term).collect();
    // Conditions of bad states seldom hold; their complements often do.
    for condition in &mut conditions {
        if random.coin() {
            *condition = terms.not(*condition);
        }
    }
    if conditions.len() > 1 && random.percent(40) {
        let term = conditions.pop().expect("a condition");
        design.fairness.push(tamis_design::Condition::new(0, "f0", term));
    }
    design.justice.push(Justice { number: 0, name: "again".to_owned(), conditions, place: None });
    (terms, design)
}

#[test]
fn liveness_of_words_is_never_wrong() {
    let folder = Folder::new("live-words");
    let mut seen = [0, 0];
    for seed in 0..130 {
        let (terms, design) = live(seed);
        let Ok(text) = btor2::write(&terms, &design) else { continue };
        let violated = has_fair_loop(&terms, &design);
        folder.write("design.btor2", &text);
        let arguments = ["check", "design.btor2", "--witness", "w.wit", "--certificate", "proof"];
        let expected = if violated { "false(again)" } else { "true" };
        assert_eq!(folder.verdict(&arguments), expected, "design {seed}\n{text}");
        let evidence = if violated { "w.wit" } else { "proof" };
        let again = folder.verdict(&["certify", evidence, "design.btor2"]);
        assert_eq!(again, expected, "design {seed}\n{text}");
        seen[usize::from(violated)] += 1;
    }
    assert!(seen.iter().all(|&n| n > 25), "{seen:?}");
}

#[test]
fn liveness_of_bits_is_never_wrong() {
    let (folder, aigsim) = (Folder::new("live-bits"), aigsim());
    let mut seen = [0, 0];
    for seed in 500..630 {
        let text = small::circuit(seed, true);
        let mut terms = Terms::new();
        let design = aiger::read(&mut terms, "design.aag", text.as_bytes()).expect("AIGER").design;
        let violated = has_fair_loop(&terms, &design);
        folder.write("design.aag", &text);
        let run = folder.verdict(&["check", "design.aag", "--witness", "w.wit"]);
        assert_eq!(run, if violated { "false(j0)" } else { "true" }, "design {seed}\n{text}");
        seen[usize::from(violated)] += 1;
        if !violated {
            continue;
        }
        assert_eq!(folder.verdict(&["certify", "w.wit", "design.aag"]), "false(j0)", "design {seed}\n{text}");
        if let Some(aigsim) = &aigsim {
            let run = folder.run(aigsim, &["-c", "-w", "design.aag", "w.wit"]);
            let said = String::from_utf8_lossy(&run.stdout).into_owned();
            let witness = folder.text("w.wit");
            assert!(
                run.status.success(),
                "{seed}: {said}{}\n{text}\n{witness}",
                String::from_utf8_lossy(&run.stderr)
            );
        }
    }
    assert!(seen.iter().all(|&n| n > 25), "{seen:?}");
}

/// A request waits for ever: the loop has one cycle, and starts after some.
const WAITS: &str = "1 sort bitvec 1\n2 input 1 stall\n3 zero 1\n4 state 1 waits\n5 init 1 4 3\n6 state 1 late\n\
    7 init 1 6 3\n8 next 1 6 4\n9 one 1\n10 next 1 4 9\n11 and 1 6 2\n12 justice 1 11 starved\n";

#[test]
fn a_loop_is_told_and_drawn() {
    let folder = Folder::new("loop");
    folder.write("waits.btor2", WAITS);
    let run =
        folder.tamis(&["check", "waits.btor2", "--json=r.json", "--vcd", "w.vcd", "--witness", "w.wit"]);
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.contains("\n>     2      1      1     1\n"), "{said}");
    assert!(said.contains("after cycle 2 comes cycle 2 again: starved, waits.btor2:12"), "{said}");
    let json: serde_json::Value = serde_json::from_str(&folder.text("r.json")).expect("JSON");
    assert_eq!(json["properties"][0]["counterexample"]["loop_start"], 2);
    assert!(folder.text("w.vcd").contains("violates starved: after cycle 2 comes cycle 2 again"));
    let witness = folder.text("w.wit");
    assert!(witness.starts_with("sat\nj0\n#0\n") && witness.contains("@2\n0 1 stall@2\n.\n"), "{witness}");
    // One cycle less does not come back, and without the input nothing waits.
    folder.write("short.wit", witness.replace("@2\n0 1 stall@2\n", ""));
    let short = folder.verdict(&["certify", "short.wit", "waits.btor2"]);
    assert!(short.contains("does not lead back"), "{short}");
    folder.write("other.wit", witness.replace("@2\n0 1", "@2\n0 0"));
    let other = folder.verdict(&["certify", "other.wit", "waits.btor2"]);
    assert!(other.contains("condition 0 does not hold in the loop"), "{other}");
}

#[test]
fn constraints_hold_in_the_whole_loop() {
    let folder = Folder::new("constrained-loop");
    // Some time after, nobody may stall.
    let counted = WAITS.replace("12 justice 1 11 starved\n", "")
        + "12 sort bitvec 3\n13 zero 12\n14 state 12 time\n15 init 12 14 13\n16 inc 12 14\n17 ones 12\n\
           18 eq 1 14 17\n19 ite 12 18 14 16\n20 next 12 14 19\n21 and 1 18 2\n22 constraint -21\n23 justice 1 11 starved\n";
    folder.write("waits.btor2", counted);
    let arguments = ["check", "waits.btor2", "--certificate", "proof", "--witness", "w.btor2"];
    let run = folder.tamis(&arguments);
    assert_eq!(run.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&run.stderr).contains("there are no witness circuits for liveness"));
    assert_eq!(folder.verdict(&["certify", "proof", "waits.btor2"]), "true");
    // The proof is of this property, and not of one of safety.
    let manifest = folder.text("proof/certificate.json");
    assert!(manifest.contains("\"liveness\": true"), "{manifest}");
    folder.write("proof/certificate.json", manifest.replace("\"liveness\": true", "\"liveness\": false"));
    assert_ne!(folder.verdict(&["certify", "proof", "waits.btor2"]), "true");
}
