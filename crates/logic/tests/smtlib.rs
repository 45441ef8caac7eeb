//! What the printer writes means to another solver what the expression meant: for every random expression, z3 finds no
//! values at which its own text and the printed, simplified term differ.
//!
//! z3 is looked for in the path, or under the name in `TAMIS_Z3`; without it nothing is tested, and a note says so.

mod common;

use common::{Expressions, Node, Random, Shape};
use std::fmt::Write;
use std::process::Command;
use tamis_logic::{Sort, Terms};
use tamis_testing::z3;

fn sort_text(sort: Sort) -> String {
    Terms::new().sort_text(sort)
}

/// A node in SMT-LIB, its arguments by name.
fn text(node: &Node, nodes: &[Node]) -> String {
    let width = |i: usize| nodes[i].sort.width().unwrap_or(0);
    let extra = || node.sort.width().unwrap_or(0) - width(node.args[0]);
    let head = match &node.shape {
        Shape::Var(number) => return format!("v{number}"),
        Shape::Bool(b) => return b.to_string(),
        Shape::Bits(bits) => return format!("(_ bv{} {})", bits.to_ubig(), bits.width()),
        Shape::Not => "not".into(),
        Shape::And => "and".into(),
        Shape::Or => "or".into(),
        Shape::Implies => "=>".into(),
        Shape::Eq => "=".into(),
        Shape::Ne => "distinct".into(),
        Shape::Ite => "ite".into(),
        Shape::Neg => "bvneg".into(),
        Shape::BvNot => "bvnot".into(),
        Shape::Concat => "concat".into(),
        Shape::Extract(high, low) => format!("(_ extract {high} {low})"),
        Shape::ZeroExtend => format!("(_ zero_extend {})", extra()),
        Shape::SignExtend => format!("(_ sign_extend {})", extra()),
        Shape::Relation(relation) => format!("bv{}", format!("{relation:?}").to_lowercase()),
        Shape::Vector(op) => format!("bv{}", format!("{op:?}").to_lowercase()),
    };
    let args: Vec<String> = node.args.iter().map(|i| format!("n{i}")).collect();
    format!("({head} {})", args.join(" "))
}

/// A script that asks whether some term differs from its expression.
fn script(all: &Expressions) -> String {
    let mut terms = Terms::new();
    let built = all.terms(&mut terms);
    let mut s = String::from("(reset)\n");
    let mut differences = String::new();
    for node in &all.nodes {
        if let Shape::Var(number) = node.shape {
            let _ = writeln!(s, "(declare-const v{number} {})", sort_text(node.sort));
        }
    }
    for (i, node) in all.nodes.iter().enumerate() {
        let _ = writeln!(s, "(define-fun n{i} () {} {})", sort_text(node.sort), text(node, &all.nodes));
        let _ = writeln!(differences, " (distinct n{i} {})", terms.to_smtlib(built[i]));
    }
    let _ = writeln!(s, "(assert (or{differences}))\n(check-sat)");
    s
}

#[test]
fn printed_terms_mean_the_expression() {
    let Some(z3) = z3() else { return };
    let mut random = Random::new(40);
    let mut scripts = String::new();
    let rounds = 120;
    for _ in 0..rounds {
        scripts.push_str(&script(&Expressions::random(&mut random, 30, 5)));
    }
    let path = std::env::temp_dir().join(format!("tamis-printed-{}.smt2", std::process::id()));
    std::fs::write(&path, scripts).unwrap();
    let out = Command::new(z3).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    let answers = String::from_utf8(out.stdout).unwrap();
    assert_eq!(answers.lines().collect::<Vec<_>>(), vec!["unsat"; rounds]);
}

/// Names that are not SMT-LIB symbols, and scripts with several assertions.
#[test]
fn scripts_are_read_by_z3() {
    let Some(z3) = z3() else { return };
    let mut t = Terms::new();
    let names = ["main::x", "let", "0", "", "a b", "x|y", "!", "f(x)[3]->p"];
    let vars: Vec<_> = names.iter().map(|name| t.var(name, Sort::BitVec(8))).collect();
    let assertions: Vec<_> = vars.windows(2).map(|pair| t.ult(pair[0], pair[1])).collect();
    let path = std::env::temp_dir().join(format!("tamis-script-{}.smt2", std::process::id()));
    std::fs::write(&path, t.to_smtlib_script(&assertions)).unwrap();
    let out = Command::new(z3).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(String::from_utf8(out.stdout).unwrap().trim(), "sat");
}
