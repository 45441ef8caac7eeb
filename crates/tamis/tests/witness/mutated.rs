//! Witnesses of ours, broken: what is still confirmed is right by execution.

use crate::schema;
use crate::support::Folder;

/// A safe program and one that is not, of several shapes.
const SAFE: [&str; 4] = [
    "int x = 0, y = 7;\n  while (x < 7) { x++; y--; }\n  if (x + y != 7) reach_error();",
    "unsigned int s = 1;\n  for (int i = 0; i < 50000; i++) s = s * 3;\n  if (s % 2 == 0) reach_error();",
    "int lock = 0, n = 0;\n  while (__VERIFIER_nondet_int()) {\n    if (n % 2 == 0) lock = 1; else lock = 0;\n    n = n ^ 1;\n  }\n  if (lock != n) reach_error();",
    "int a = 0, b = 100000;\n  do {\n    a++;\n    b--;\n  } while (a < b);\n  if (a + b != 100000) reach_error();",
];

fn program(body: &str) -> String {
    format!(
        "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  {body}\n  return 0;\n}}\n"
    )
}

/// The texts that come of a text by changing each of its numbers by one.
fn changed_numbers(text: &str) -> Vec<String> {
    let mut changed = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        let in_name = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        if length > 0 && !in_name {
            let number: u64 = text[at..at + length].parse().expect("a number");
            for other in [number + 1, number.wrapping_sub(1)].into_iter().filter(|&n| n < u64::MAX) {
                changed.push(format!("{}{other}{}", &text[..at], &text[at + length..]));
            }
        }
        at += length.max(1);
    }
    changed
}

/// A program that checks an expression where a witness says that it holds.
fn checking(program: &str, invariant: &schema::Invariant, value: &str) -> String {
    let mut lines: Vec<String> = program.lines().map(str::to_owned).collect();
    let line = &mut lines[invariant.location.line as usize - 1];
    let column = invariant.location.column.expect("a column") as usize - 1;
    let here = &line[column..];
    let check = format!("({value}) || (reach_error(), 0)");
    let (at, text) = match invariant.kind {
        schema::InvariantType::LocationInvariant => (0, format!("if (!({value})) reach_error(); ")),
        _ if here.starts_with("while") => (here.find('(').expect("a condition") + 1, format!("{check}, ")),
        _ => (here.find(';').expect("a condition") + 1, format!("{check}, ")),
    };
    line.insert_str(column + at, &text);
    lines.join("\n")
}

#[test]
fn invariants() {
    let (mut refused, mut confirmed) = (0, 0);
    for body in SAFE {
        let text = program(body);
        let folder = Folder::with("main.c", &text);
        folder.run(&["check", "main.c", "--witness", "w.yml"]).ends_with(0, "true");
        let witness = std::fs::read_to_string(folder.path.join("w.yml")).expect("a witness");
        let entries = schema::valid(&witness);
        let invariant = entries[0].content[0].invariant.as_ref().expect("an invariant");
        let written = format!("value: {:?}", invariant.value);
        let mut values = changed_numbers(&invariant.value);
        values.push(format!("!({})", invariant.value));
        for value in values {
            let mutated = witness.replace(&written, &format!("value: {value:?}"));
            assert_ne!(mutated, witness);
            std::fs::write(folder.path.join("m.yml"), mutated).expect("a written file");
            let run = folder.run(&["certify", "m.yml", "main.c", "--timeout", "50"]);
            assert!(matches!(run.exit, Some(0 | 3)), "{value}: {}", run.stderr);
            if run.exit == Some(3) {
                refused += 1;
                continue;
            }
            confirmed += 1;
            std::fs::write(folder.path.join("c.c"), checking(&text, invariant, &value)).expect("a file");
            for seed in 0..10 {
                let seed = seed.to_string();
                let run = folder.run(&["run", "c.c", "--seed", &seed, "--max-steps", "1000000"]);
                assert_ne!(run.exit, Some(1), "{value} was confirmed, and does not hold in {text}");
            }
        }
    }
    assert!(refused >= 8, "{refused} refused and {confirmed} confirmed");
}

#[test]
fn values_and_targets() {
    let body = "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n  int s = 0;\n  if (a > 100) s = a - 90;\n  for (int i = 0; i < 2; i++)\n    s += b;\n  if (s > 40 && s < 44)\n    reach_error();";
    let folder = Folder::with("main.c", program(body));
    folder.run(&["check", "main.c", "--witness", "w.yml"]).ends_with(1, "false(unreach-call)");
    let witness = std::fs::read_to_string(folder.path.join("w.yml")).expect("a witness");
    let certify = |text: &str| {
        std::fs::write(folder.path.join("m.yml"), text).expect("a written file");
        folder.run(&["certify", "m.yml", "main.c", "--timeout", "50"])
    };
    certify(&witness).ends_with(1, "false(unreach-call)");
    let value = |text: &str| -> Vec<i64> {
        let values = text.lines().filter_map(|line| line.split_once("\\\\result == "));
        values.map(|(_, rest)| rest.trim_end_matches('"').parse().expect("a number")).collect()
    };
    let values = value(&witness);
    assert_eq!(values.len(), 2);
    for old in &values {
        for change in [-60, -2, -1, 1, 2, 7, 1 << 20] {
            let with = |n: i64| format!("\\\\result == {n}\"");
            let mutated = witness.replacen(&with(*old), &with(old + change), 1);
            let run = certify(&mutated);
            if run.exit == Some(1) {
                let inputs: Vec<String> = value(&mutated).iter().map(i64::to_string).collect();
                let inputs = inputs.join(",");
                assert_eq!(folder.run(&["run", "main.c", "--input", &inputs]).exit, Some(1), "{inputs}");
            } else {
                assert_eq!(run.exit, Some(3), "{}", run.stderr);
            }
        }
    }
    let target = witness.rfind("line: ").expect("a target");
    let (before, line) = witness.split_at(target);
    for other in 3..10 {
        let moved = format!(
            "{before}{}",
            line.replacen("line: 10", &format!("line: {other}"), 1).replace("column: 5\n", "column: 3\n")
        );
        assert_ne!(moved, witness);
        let run = certify(&moved);
        assert!(matches!(run.exit, Some(3 | 4)), "{other}: {}", run.stderr);
    }
    let other = if witness.contains("value: \"true\"") { "\"true\"" } else { "\"false\"" };
    let flipped = if other == "\"true\"" { "\"false\"" } else { "\"true\"" };
    let run = certify(&witness.replacen(&format!("value: {other}"), &format!("value: {flipped}"), 1));
    assert_eq!(run.exit, Some(3), "{}", run.stderr);
}
