//! Designs that cannot be read, or say too little: a message with a place and an exit code, or a verdict with a warning.

use crate::Folder;

const BASE: &str = "1 sort bitvec 4\n2 sort bitvec 1\n3 zero 1\n4 state 1 count\n5 init 1 4 3\n6 inc 1 4\n7 next 1 4 6\n\
    8 ones 1\n9 eq 2 4 8\n10 bad 9\n";

#[test]
fn broken_btor2_is_refused_by_place() {
    let folder = Folder::new("broken-btor2");
    let broken = [
        ("4 state 1 count", "4 state", "d.btor2:4:8|a sort's number is missing"),
        ("9 eq 2 4 8", "9 eq 2 4", "d.btor2:9:9|a node's number is missing"),
        ("5 init", "4 init", "d.btor2:5:1|line numbers increase: 4 comes after 4"),
        ("9 eq 2 4 8", "9 eq 2 4 18", "d.btor2:9:10|"),
        ("6 inc 1 4", "6 inc 1 7", "d.btor2:6:9|"),
        ("7 next 1 4 6", "7 next 1 14 6", "d.btor2:7:10|"),
        ("9 eq 2 4 8", "9 eq 1 4 8", "d.btor2:9:3|the arguments of `eq` and its sort do not fit"),
        ("10 bad 9", "10 bad 4", "d.btor2:10:8|what is `bad` is one bit"),
        ("10 bad 9", "10 justice 0", "d.btor2:10:12|a justice property has at least one condition"),
        ("10 bad 9", "10 justice 4294967296 9", "d.btor2:10:24|a node's number is missing"),
        ("10 bad 9", "10 fair 4", "d.btor2:10:9|what is `fair` is one bit"),
        ("bitvec 4", "bitvec 0", "d.btor2:1:15|a word has at least one bit"),
        ("bitvec 4", "bitvec 4294967296", "d.btor2:1:15|words have at most"),
        ("bitvec 4", "bitvec 18446744073709551616", "d.btor2:1:15|the width is to be a number"),
        ("3 zero 1", "3 const 1 00000", "d.btor2:3:11|"),
        ("10 bad 9", "10 output 9", "d.btor2|the design has no property"),
    ];
    for (from, to, message) in broken {
        folder.write("d.btor2", BASE.replacen(from, to, 1));
        let run = folder.tamis(&["check", "d.btor2"]);
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(4), "{to}: {said}");
        let (place, message) = message.split_once('|').expect("a place and a message");
        assert!(said.contains(message) && said.contains(place), "{to}: {said}");
    }
}

/// Each beginning of a file is read, or refused, and none is a panic.
#[test]
fn truncated_designs_do_no_harm() {
    let folder = Folder::new("truncated");
    let aiger = "aag 3 1 1 0 1 1 1 1 1\n2\n4 6 4\n4\n2\n1\n6\n4\n6 4 2\ni0 in\nl0 held\nc\ncomment\n";
    for (name, text) in [("d.btor2", BASE), ("d.aag", aiger)] {
        for length in 0..text.len() {
            folder.write(name, &text[..length]);
            let code = folder.tamis(&["check", name, "--timeout", "5s"]).status.code();
            // Numbers and names may be cut without harm.
            assert!(matches!(code, Some(0 | 1 | 4)), "{name} up to {length}: {code:?}\n{}", &text[..length]);
        }
    }
}

#[test]
fn constraints_that_exclude_all_are_warned_of() {
    let folder = Folder::new("vacuous");
    for (constraint, warning) in [
        ("11 zero 2\n12 constraint 11\n", "there is no execution"),
        ("11 eq 2 4 3\n12 constraint 11\n", "no execution has a second cycle"),
    ] {
        folder.write("d.btor2", format!("{BASE}{constraint}"));
        let run = folder.tamis(&["check", "d.btor2"]);
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(0), "{said}");
        assert!(said.contains(warning), "{said}");
    }
}

/// Registers that the property does not depend on, and those that it does, of any number: within a limit of time.
#[test]
fn many_states_end_with_a_verdict() {
    let folder = Folder::new("many");
    let mut text = BASE.to_owned();
    for i in 0..100_000 {
        text.push_str(&format!("{} state 1\n{} next 1 {} 6\n", 11 + 2 * i, 12 + 2 * i, 11 + 2 * i));
    }
    folder.write("d.btor2", &text);
    assert_eq!(folder.verdict(&["check", "d.btor2"]), "false(b0)");
    // A chain in which each register reads the one before.
    let mut chain = "1 sort bitvec 1\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 next 1 3 3\n".to_owned();
    let mut before = 3;
    for i in 0..20_000 {
        let own = 6 + 3 * i;
        chain.push_str(&format!(
            "{own} state 1\n{} init 1 {own} 2\n{} next 1 {own} {before}\n",
            own + 1,
            own + 2
        ));
        before = own;
    }
    chain.push_str(&format!("{} bad {before}\n", before + 3));
    folder.write("d.btor2", chain);
    let verdict = folder.verdict(&["check", "d.btor2", "--timeout", "5s"]);
    assert!(verdict == "true" || verdict.starts_with("unknown("), "{verdict}");
}
