//! `tamis certify WITNESS DESIGN`: witnesses of violations, ours and others, right and wrong.

use crate::{Folder, explore, random, small};
use tamis_front_rtl::{aiger, btor2};
use tamis_logic::Terms;
use tamis_testing::{Random, aigsim, btorsim};

/// A counter that may be stopped, up to 3.
const COUNTER: &str = "1 sort bitvec 2\n2 sort bitvec 1\n3 input 2 stop\n4 zero 1\n5 state 1 count\n6 init 1 5 4\n7 inc 1 5\n\
    8 ite 1 3 5 7\n9 next 1 5 8\n10 ones 1\n11 eq 2 5 10\n12 bad 11 three\n13 state 2 open\n14 and 2 13 3\n15 constraint -14\n";

const WITNESS: &str = "sat\nb0\n#0\n1 1 open\n@0\n0 0 stop\n@1\n0 0\n@2\n0 0\n@3\n0 0\n.\n";

#[test]
fn right_and_wrong_witnesses_are_told_apart() {
    let folder = Folder::new("right-and-wrong");
    folder.write("counter.btor2", COUNTER);
    let mut cases = vec![
        (WITNESS.to_owned(), "false(three)"),
        // An `x` does not matter, what is not given is 0, and one dot may be followed by another witness.
        (WITNESS.replace("0 0\n", "0 x\n"), "false(three)"),
        (WITNESS.replace("@2\n0 0\n", "@2\n"), "false(three)"),
        (format!("; found by hand\n{WITNESS}\n{WITNESS}"), "false(three)"),
        (WITNESS.replace("#0\n", "#0\n0 00 count\n"), "false(three)"),
        // Longer than it need be.
        (WITNESS.replace(".\n", "@4\n0 0\n.\n"), "false(three)"),
    ];
    let wrong = [
        ("@3\n0 0\n", "", "no cycle violates three"),
        ("0 0 stop", "0 1 stop", "constraint 0 does not hold in cycle 0"),
        ("@1\n0 0", "@1\n0 1", "no cycle violates three"),
        ("1 1 open", "1 0 open", ""),
        ("#0\n", "#0\n0 01 count\n", "line 4: count is 00 in cycle 0, not 01"),
        ("b0", "b1", "the design has no property b1"),
        ("b0", "j0", "the design has no property j0"),
        ("0 0 stop", "7 0 stop", "line 6: the design has no input of number 7"),
        ("0 0 stop", "0 00 stop", "line 6: the value is not of the word's sort"),
        ("0 0 stop", "0 [0] 0 stop", "line 6: the value is not of the word's sort"),
    ];
    let refuted: Vec<String> =
        wrong.iter().map(|(_, _, why)| format!("unknown(witness refuted: {why})")).collect();
    for ((from, to, why), refuted) in std::iter::zip(&wrong, &refuted) {
        // With the other value the state forbids nothing, and the witness is right.
        let expected = if why.is_empty() { "false(three)" } else { refuted };
        cases.push((WITNESS.replacen(from, to, 1), expected));
    }
    for (text, expected) in cases {
        folder.write("w.wit", &text);
        assert_eq!(folder.verdict(&["certify", "w.wit", "counter.btor2"]), expected, "{text}");
    }
}

#[test]
fn what_is_no_witness_is_refused_by_place() {
    let folder = Folder::new("no-witness");
    folder.write("counter.btor2", COUNTER);
    folder.write("toggle.aag", "aag 2 1 1 0 0 1\n2\n4 5\n4\n");
    let cases = [
        ("counter.btor2", "unsat\n", "w.wit:1:1|a witness of a violation in BTOR2 starts with `sat`"),
        ("counter.btor2", "sat\n", "w.wit:1:1|the file ends, and which property is violated is missing"),
        ("counter.btor2", "sat\nbad\n", "w.wit:2:1|the properties that are violated are expected here"),
        ("counter.btor2", "sat\nb0\n#0\n.\n", "w.wit:4:1|the last cycle has no inputs, below `@`"),
        ("counter.btor2", "sat\nb0\n#0\n#1\n@1\n.\n", "w.wit:4:1|cycles follow each other, from 0"),
        ("counter.btor2", "sat\nb0\n#0\n@0\n", "the end of the witness, a dot is missing"),
        ("counter.btor2", "sat\nb0\n#0\n@2\n.\n", "w.wit:4:1|cycles follow each other, from 0"),
        ("counter.btor2", "sat\nb0\n#0\n@0\n0 2\n.\n", "w.wit:5:1|a value is `number value name`"),
        ("counter.btor2", "sat\nb0\n0 1\n.\n", "w.wit:3:1|a value stands below its cycle"),
        ("counter.btor2", "", "the witness is not about this property"),
        ("toggle.aag", "0\n", "w.wit:1:1|this says of no property that it is violated"),
        ("toggle.aag", "1\nb0\n00\n.\n", "w.wit:3:1|the first values of the latches are 1 bits"),
        ("toggle.aag", "1\nb0\n0\n2\n.\n", "w.wit:4:1|the inputs of a cycle are 1 bits"),
        ("toggle.aag", "1\nb0\n0\n0\n", "the inputs of a cycle is missing"),
    ];
    for (design, text, message) in cases {
        folder.write("w.wit", text);
        let run = folder.tamis(&["certify", "w.wit", design]);
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(4), "{text}: {said}");
        // The message, and below it the place, which stand in one here.
        let (place, message) = message.split_once('|').unwrap_or(("", message));
        assert!(said.contains(message) && said.contains(place), "{text}: {said}");
    }
    let run = folder.tamis(&["certify", "none.wit", "counter.btor2"]);
    assert_eq!(run.status.code(), Some(4));
}

/// One bit of a witness is changed: it is right if the design does what it says, as the formats' simulators judge.
#[test]
fn changed_witnesses_are_judged_as_simulators_do() {
    let folder = Folder::new("changed-witnesses");
    let (btorsim, aigsim) = (btorsim(), aigsim());
    let (mut right, mut wrong) = (0, 0);
    for seed in 4000..4080 {
        let words = seed % 2 == 0;
        let mut terms = Terms::new();
        let (name, text, design) = if words {
            let mut design =
                random::design(&mut Random::new(seed), &mut terms, &random::Size { state: 6, inputs: 3 });
            design.properties.truncate(1);
            let Ok(text) = btor2::write(&terms, &design) else { continue };
            ("design.btor2", text, design)
        } else {
            let text = small::circuit(seed, false);
            let design = aiger::read(&mut terms, "design.aag", text.as_bytes()).expect("AIGER").design;
            ("design.aag", text, design)
        };
        if explore::violations(&terms, &design)[0].is_none() {
            continue;
        }
        folder.write(name, &text);
        let verdict = folder.verdict(&["check", name, "--witness", "w.wit"]);
        assert!(verdict.starts_with("false"), "design {seed}\n{text}");
        let witness = folder.text("w.wit");
        assert_eq!(folder.verdict(&["certify", "w.wit", name]), verdict, "design {seed}\n{text}\n{witness}");
        let random = &mut Random::new(seed);
        for _ in 0..3 {
            let changed = changed(random, &witness, words);
            folder.write("w.wit", &changed);
            let accepted = folder.verdict(&["certify", "w.wit", name]).starts_with("false");
            let simulator = if words { &btorsim } else { &aigsim };
            if let Some(simulator) = simulator {
                let arguments: &[&str] =
                    if words { &["-c", name, "w.wit"] } else { &["-c", "-w", name, "w.wit"] };
                let run = folder.run(simulator, arguments);
                let said = String::from_utf8_lossy(&run.stdout).into_owned();
                assert_eq!(accepted, run.status.success(), "{seed}: {said}\n{text}\n{changed}");
            }
            *if accepted { &mut right } else { &mut wrong } += 1;
        }
    }
    assert!(right > 10 && wrong > 10, "{right} right, {wrong} wrong");
}

/// A witness with another bit, in a line with values.
fn changed(random: &mut Random, witness: &str, words: bool) -> String {
    let mut lines: Vec<String> = witness.lines().map(str::to_owned).collect();
    let (first, last) = (2, lines.len() - 1);
    let is_value = |line: &str| !line.starts_with(['#', '@']) && !line.is_empty();
    let values: Vec<usize> = (first..last).filter(|&i| is_value(&lines[i])).collect();
    if values.is_empty() {
        lines.remove(last - 1);
        return lines.join("\n") + "\n";
    }
    let line = random.pick(&values);
    // Of words, the second column.
    let from = if words { lines[line].find(' ').expect("a value") + 1 } else { 0 };
    let bits: Vec<usize> =
        lines[line].char_indices().skip(from).take_while(|(_, c)| *c != ' ').map(|(i, _)| i).collect();
    let at = random.pick(&bits);
    let flipped = match &lines[line][at..=at] {
        "0" => "1",
        "1" => "0",
        other => other,
    }
    .to_owned();
    lines[line].replace_range(at..=at, &flipped);
    lines.join("\n") + "\n"
}
