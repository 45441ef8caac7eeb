//! What the reader of BTOR2 takes, and what it refuses and where.

use std::fmt::Write;
use tamis_design::{Run, Stimulus};
use tamis_diagnostics::Error;
use tamis_front_rtl::{Source, btor2};
use tamis_logic::Terms;
use tamis_testing::{Random, missing};

fn read(text: &str) -> Result<(Terms, Source), Error> {
    let mut terms = Terms::new();
    let source = btor2::read(&mut terms, "f.btor2", text.as_bytes())?;
    Ok((terms, source))
}

/// The place and the message of what is wrong with a text.
fn refused(text: &str) -> (u32, u32, String) {
    match read(text) {
        Ok(_) => panic!("this is taken:\n{text}"),
        Err(e) => {
            let d = e.diagnostic();
            let line = text.split('\n').nth(d.line as usize - 1);
            assert_eq!(d.source_line.as_deref(), line, "the line for the caret");
            (d.line, d.column, d.message.clone())
        }
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let word = "1 sort bitvec 8\n2 input 1 a\n3 sort bitvec 1\n";
    for (text, line, column, part) in [
        ("x sort bitvec 8\n", 1, 1, "starts with its number"),
        ("-1 sort bitvec 8\n", 1, 1, "starts with its number"),
        ("0 sort bitvec 8\n", 1, 1, "starts with its number"),
        ("1\n", 1, 2, "a keyword is missing"),
        ("1 sort\n", 1, 7, "a kind of sort is missing"),
        ("1 sort bitvec\n", 1, 14, "the width is missing"),
        ("1 sort bitvec 0\n", 1, 15, "at least one bit"),
        ("1 sort bitvec 4294967296\n", 1, 15, "at most"),
        ("1 sort bitvec 99999999999999999999999\n", 1, 15, "a number"),
        ("1 sort bitvec -3\n", 1, 15, "a number"),
        ("1 sort word 3\n", 1, 8, "no kind of sort"),
        ("1 sort bitvec 8\n1 input 1\n", 2, 1, "numbers increase"),
        ("5 sort bitvec 8\n4 input 5\n", 2, 1, "numbers increase"),
        ("1 sort bitvec 8\n2 inputt 1\n", 2, 3, "no operator is called `inputt`"),
        ("1 input 2\n2 sort bitvec 8\n", 1, 9, "no sort has the number 2"),
        ("1 sort bitvec 8\n2 input 1 a b\n", 2, 13, "ends before `b`"),
        ("1 sort bitvec 8\n2 zero 1\n3 inc 1 1\n", 3, 9, "a sort, not a node"),
        (&format!("{word}4 add 1 2 5\n5 zero 1\n"), 4, 11, "no node before this line"),
        (&format!("{word}4 add 1 2 4\n"), 4, 11, "no node before this line"),
        (&format!("{word}4 add 3 2 2\n"), 4, 3, "do not fit"),
        (&format!("{word}4 eq 1 2 2\n"), 4, 3, "do not fit"),
        (&format!("{word}4 add 1 2\n"), 4, 10, "a node's number is missing"),
        (&format!("{word}4 add 1 2 --2\n"), 4, 11, "a node's number"),
        (&format!("{word}4 add 1 2 +2\n"), 4, 11, "a node's number"),
        (&format!("{word}4 slice 1 2 8 1\n"), 4, 13, "bits 8 to 1"),
        (&format!("{word}4 slice 1 2 0 7\n"), 4, 13, "bits 0 to 7"),
        (&format!("{word}4 uext 1 2 1\n"), 4, 12, "not a word of 8"),
        (&format!("{word}4 concat 1 2 2\n"), 4, 3, "do not fit"),
        (&format!("{word}4 const 1 0101\n"), 4, 11, "not of 8 bits"),
        (&format!("{word}4 const 1 0102\n"), 4, 11, "base 2"),
        (&format!("{word}4 constd 1 256\n"), 4, 12, "does not fit"),
        (&format!("{word}4 constd 1 -129\n"), 4, 12, "does not fit"),
        (&format!("{word}4 constd 1 -\n"), 4, 12, "base 10"),
        (&format!("{word}4 consth 1 1ff\n"), 4, 12, "does not fit"),
        (&format!("{word}4 bad 2\n"), 4, 7, "one bit"),
        (&format!("{word}4 constraint 2\n"), 4, 14, "one bit"),
        (&format!("{word}4 justice 0\n"), 4, 11, "at least one"),
        (&format!("{word}4 justice 18446744073709551615 2\n"), 4, 32, "one bit"),
        (&format!("{word}4 next 1 2 2\n"), 4, 10, "no state has the number 2"),
        (&format!("{word}4 state 1\n5 next 1 4 2\n6 next 1 4 4\n"), 6, 3, "an `next` already"),
        (&format!("{word}4 state 3\n5 next 3 4 2\n"), 5, 12, "do not fit together"),
        (&format!("{word}4 state 1\n5 init 1 4 2\n"), 5, 12, "reads no input"),
        (&format!("{word}4 state 1\n5 init 1 4 4\n"), 5, 12, "declared before its own"),
        (&format!("{word}4 state 1\n5 state 1\n6 inc 1 5\n7 init 1 4 6\n"), 7, 12, "declared before its own"),
        (&format!("{word}4 sort array 1 1\n5 state 4\n6 not 4 5\n"), 6, 3, "do not fit"),
        (&format!("{word}4 sort array 1 1\n5 state 4\n6 eq 3 -5 5\n"), 6, 8, "no complement"),
        (&format!("{word}4 sort array 1 1\n5 state 4\n6 read 1 5 3\n"), 6, 12, "a sort, not a node"),
        (&format!("{word}4 sort array 1 3\n5 state 4\n6 read 1 5 2\n"), 6, 3, "do not fit"),
        (&format!("{word}4 sort array 1 1\n5 zero 4\n"), 5, 8, "not a memory"),
        (&format!("{word}4 sort array 1 1\n5 sort array 4 1\n"), 5, 8, "memories of memories"),
        ("1 sort bitvec 8 ; größe\n2 add 1 ä ö\n", 2, 9, "a node's number"),
    ] {
        let (at, col, message) = refused(text);
        assert!((at, col) == (line, column) && message.contains(part), "{at}:{col}: {message}\n{text}");
    }
}

#[test]
fn names_comments_blanks_and_line_ends() {
    let text = "; a comment\n\n  1 sort bitvec 4 ; width\r\n2 state 1 a;b ; the name is a;b\n3 state 1 ; none\n\
        \t4 sort bitvec 1\n5 redor 4 2 named\n6 bad 5\n7 bad -5 second\n8 output 2 o\n9 fair 5\n10 justice 2 5 -5 live";
    let (_, source) = read(text).expect("this is BTOR2");
    let names: Vec<&str> = source.design.signals().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["a;b", "state3"]);
    let properties: Vec<&str> = source.design.properties.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(properties, ["b0", "second"]);
    let [live] = &source.design.justice[..] else { panic!("{:?}", source.design.justice) };
    assert_eq!((&*live.name, live.conditions.len(), source.design.fairness.len()), ("live", 2, 1));
}

/// Yosys names the outputs of a module, and not the registers behind them.
#[test]
fn a_register_without_a_name_has_that_of_its_output() {
    let head = "1 sort bitvec 8\n2 state 1\n3 state 1 own\n4 state 1\n5 state 1\n";
    let (_, source) =
        read(&format!("{head}6 output 2 shown\n7 output 3 other\n8 output -4 not\n9 output 5 own\n"))
            .expect("BTOR2");
    let names: Vec<&str> = source.design.registers.iter().map(|r| r.signal.name.as_str()).collect();
    assert_eq!(names, ["shown", "own", "state4", "state5"]);
}

#[test]
fn text_in_any_encoding_is_read() {
    let text = b"1 sort bitvec 1 ; \xe4\n2 input 1 na\xefve\n3 bad 2\n";
    let source = btor2::read(&mut Terms::new(), "f", text).expect("this is BTOR2");
    assert_eq!(source.design.inputs.len(), 1);
}

/// Memories: first values of all elements and of some, equality, choice, copies.
#[test]
fn memories_keep_their_elements() {
    let text = "1 sort bitvec 2\n2 sort bitvec 8\n3 sort array 1 2\n4 sort bitvec 1\n5 consth 2 2a\n6 one 1\n\
        7 state 3 filled\n8 init 3 7 5\n9 one 2\n10 write 3 7 6 9\n11 state 3 written\n12 init 3 11 10\n\
        13 eq 4 7 11\n14 neq 4 7 11\n15 ite 3 13 7 11\n16 read 2 15 6\n17 eq 4 16 9\n18 and 4 14 17\n19 bad 18\n\
        20 next 3 11 7\n21 next 3 7 7\n22 bad 13\n";
    let (terms, source) = read(text).expect("this is BTOR2");
    let run = |cycles: usize| {
        let stimulus = Stimulus { cycles: vec![Default::default(); cycles], ..Stimulus::default() };
        Run::new(&terms, &source.design, &stimulus).expect("an execution")
    };
    let violates = |cycles, property| run(cycles).violates(&terms, &source.design, property);
    assert!(violates(1, 0) && !violates(1, 1), "the memories differ in the first cycle");
    assert!(!violates(2, 0) && violates(2, 1), "and are equal in the second");
}

/// As many as the largest designs have, each starting as the one before it: linear, and no deep recursion.
#[test]
fn a_million_states_are_read() {
    let count = 1_000_000u64;
    let mut text = String::from("1 sort bitvec 8\n2 zero 1\n3 state 1\n4 init 1 3 2\n");
    let (mut last, mut id) = (3, 4);
    for _ in 1..count {
        let state = id + 1;
        write!(
            text,
            "{state} state 1\n{} init 1 {state} {last}\n{} inc 1 {last}\n{} next 1 {state} {}\n",
            id + 2,
            id + 3,
            id + 4,
            id + 3
        )
        .expect("text grows");
        (last, id) = (state, id + 4);
    }
    let (_, source) = read(&text).expect("this is BTOR2");
    assert_eq!(source.design.registers.len() as u64, count);
}

/// A chain of operators, which every first value reads.
#[test]
fn a_deep_term_is_read() {
    let mut text = String::from("1 sort bitvec 8\n2 state 1\n");
    for id in 3..200_000 {
        let operator = if id % 2 == 0 { "add" } else { "xor" };
        writeln!(text, "{id} {operator} 1 {} 2", id - 1).expect("text grows");
    }
    for id in (200_000..240_000).step_by(2) {
        writeln!(text, "{id} state 1\n{} init 1 {id} 199999", id + 1).expect("text grows");
    }
    let (_, source) = read(&text).expect("this is BTOR2");
    assert_eq!(source.design.registers.len(), 20_001);
}

/// A file with most of the constructs, for mutations.
const SEED: &str = "1 sort bitvec 8 ; width\n2 sort bitvec 1\n3 sort array 1 1\n4 input 1 in\n5 state 1 count\n\
    6 zero 1\n7 init 1 5 6\n8 add 1 5 4\n9 next 1 5 8\n10 state 3 mem\n11 init 3 10 6\n12 write 3 10 4 -5\n\
    13 next 3 10 12\n14 read 1 10 5\n15 slice 2 14 7 7\n16 consth 1 fe\n17 ugt 2 14 16\n18 and 2 15 -17\n\
    19 bad 18 p\n20 constraint -15\n21 uext 1 15 7\n22 concat 1 21 2\n23 justice 2 15 17\n24 fair 15\n25 output 8\n\
    26 ite 1 17 8 -8\n27 rol 1 26 8\n28 constd 1 -3\n29 const 2 1\n30 redxor 2 27\n31 bad 30\n";

#[test]
fn mutations_are_read_or_refused() {
    let mut random = Random::new(4);
    let seed = SEED.replace("22 concat 1 21 2\n", "").into_bytes();
    read(std::str::from_utf8(&seed).expect("text")).expect("the seed is BTOR2");
    for _ in 0..30_000 {
        let mut text = seed.clone();
        for _ in 0..random.between(1, 4) {
            let (at, to) = (random.below(text.len().max(1)), random.below(text.len().max(1)));
            match random.below(5) {
                0 => text.truncate(at),
                1 if !text.is_empty() => text[at] = random.pick(b"0123456789 -;\n\xffsz"),
                2 if at < to => drop(text.drain(at..to.min(at + 9))),
                3 => text.insert(at.min(text.len()), random.pick(b"0123456789 -\n")),
                _ if at < to => text.extend_from_within(at..to),
                _ => {}
            }
        }
        // Whatever comes, it is no panic.
        let _ = btor2::read(&mut Terms::new(), "mutated", &text);
    }
}

/// The tests of btor2tools' own parser, from a clone that `TAMIS_BTOR2TOOLS` names: what that refuses is refused, but for
/// matters of blanks, and the rest is read.
#[test]
fn btor2tools_parser_tests() {
    let Ok(clone) = std::env::var("TAMIS_BTOR2TOOLS") else {
        return missing("btor2tools", "TAMIS_BTOR2TOOLS names no clone of btor2tools");
    };
    let folder = std::path::Path::new(&clone).join("test/tests");
    let blanks = [
        "expected space",
        "white-space",
        "empty symbol",
        "tab character",
        "end-of-file",
        "expected new-line",
    ];
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the clone has tests") {
        let file = entry.expect("a file").path();
        if file.extension().is_none_or(|e| e != "in") {
            continue;
        }
        let theirs = std::fs::read_to_string(file.with_extension("out")).unwrap_or_default();
        let text = std::fs::read(&file).expect("a file");
        let ours = btor2::read(&mut Terms::new(), "f", &text);
        let name = file.display();
        match (ours, theirs.contains("parse error")) {
            (Ok(_), false) | (Err(_), true) => {}
            (Ok(_), true) => assert!(blanks.iter().any(|b| theirs.contains(b)), "{name} is read: {theirs}"),
            (Err(Error::Unsupported(_)), false) => {}
            (Err(e), false) => panic!("{name} is refused: {e}"),
        }
        count += 1;
    }
    assert!(count > 50, "only {count} tests");
}
