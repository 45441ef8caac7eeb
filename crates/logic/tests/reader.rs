//! Scripts: what the reader makes of them, and what it refuses and where.

mod common;

use common::mixed::Mixed;
use common::script::{assertions, error, read_all};
use common::{Expressions, Random};
use tamis_logic::smtlib::{Command, ErrorKind, Reader};
use tamis_logic::{Term, Terms};

/// The assertions of a script, printed.
fn asserted(script: &str) -> Vec<String> {
    let mut terms = Terms::new();
    assertions(&mut terms, script).into_iter().map(|t| terms.to_smtlib(t)).collect()
}

const BITS: &str = "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const p Bool)";
const NUMBERS: &str = "(declare-const i Int) (declare-const j Int) (declare-const r Real)";

/// Bars make a symbol of what would be a number, a reserved word or nothing.
#[test]
fn symbols_in_bars_are_no_other_tokens() {
    let script = "(declare-const |5| Int) (declare-const |let| Int) (declare-const || Bool) (declare-fun |!| (Int) Bool)
        (assert (= 5 |5|)) (assert (let ((x |let|)) (< x 5))) (assert (or || (= #b1 #b0)))
        (assert (! (|!| 5) :named p)) (assert (and p (|!| |5|)))";
    let expected = ["(= |5| 5)", "(<= |let| 4)", "||", "(|!| 5)", "(and (|!| 5) (|!| |5|))"];
    assert_eq!(asserted(script), expected);
    let (kind, said) = error("(declare-const |x y| Int)\n(assert (= x 0))");
    assert_eq!((kind, &said[..5]), (ErrorKind::Undeclared, "2:12:"));
}

#[test]
fn printed_terms_are_read_back_as_themselves() {
    let mut random = Random::new(70);
    for _ in 0..1_500 {
        let mut terms = Terms::new();
        let all = Mixed::random(&mut terms, &mut random, 60);
        let built = all.terms(&mut terms);
        let before = terms.len();
        for &t in &built {
            let mut script = terms.declarations(&[t]);
            script.push_str(&format!(
                "(define-const it {} {})",
                terms.sort_text(terms.sort(t)),
                terms.to_smtlib(t)
            ));
            match read_all(&mut terms, &script).pop() {
                Some(Ok(Command::Define { term, .. })) => assert_eq!(term, Some(t), "{script}"),
                other => panic!("{other:?} for {script}"),
            }
        }
        assert!(terms.len() >= before);
    }
    for round in 0..1_500 {
        let mut terms = Terms::new();
        let all = Expressions::random(&mut random, 60, if round % 2 == 0 { 64 } else { 300 });
        for t in all.terms(&mut terms) {
            let mut script = terms.declarations(&[t]);
            script.push_str(&format!(
                "(define-const it {} {})",
                terms.sort_text(terms.sort(t)),
                terms.to_smtlib(t)
            ));
            match read_all(&mut terms, &script).pop() {
                Some(Ok(Command::Define { term, .. })) => assert_eq!(term, Some(t), "{script}"),
                other => panic!("{other:?} for {script}"),
            }
        }
    }
}

#[test]
fn let_binds_in_parallel_and_shadows() {
    let script = format!("{BITS} (assert (let ((x y) (y x)) (bvult x y)))");
    assert_eq!(asserted(&script), ["(bvult y x)"]);
    let script = format!("{BITS} (assert (and (let ((x y)) (bvult #x05 x)) (bvult x #x05)))");
    assert_eq!(asserted(&script), ["(and (not (bvult y #x06)) (bvult x #x05))"]);
}

#[test]
fn chains_and_associativity() {
    let same = |a: &str, b: &str| assert_same(&format!("{BITS} {NUMBERS}"), a, b);
    same("(< i j 5)", "(and (< i j) (< j 5))");
    same("(= i j 5)", "(and (= i j) (= j 5))");
    same("(distinct i j 5)", "(and (not (= i j)) (not (= i 5)) (not (= j 5)))");
    same("(=> p (= i 1) (= j 2))", "(=> p (=> (= i 1) (= j 2)))");
    same("(xor p (= i 1) (= j 2))", "(xor (xor p (= i 1)) (= j 2))");
    same("(= (- i j 5) 0)", "(= (- (- i j) 5) 0)");
    same("(= (- i) 3)", "(= i (- 3))");
    same("(= (bvadd x y #x01) x)", "(= (bvadd (bvadd x y) #x01) x)");
    same("(= (bvsub x y #x01) x)", "(= (bvsub (bvsub x y) #x01) x)");
    same("(= ((_ rotate_left 9) x) y)", "(= ((_ rotate_right 7) x) y)");
    same("((_ divisible 3) i)", "(= (mod i 3) 0)");
}

/// Two formulas are one term.
fn assert_same(declarations: &str, a: &str, b: &str) {
    let mut terms = Terms::new();
    let read = assertions(&mut terms, &format!("{declarations} (assert {a}) (assert {b})"));
    assert_eq!(read[0], read[1], "{} and {}", terms.to_smtlib(read[0]), terms.to_smtlib(read[1]));
}

#[test]
fn integers_become_reals_where_reals_are_needed() {
    assert_same(NUMBERS, "(< r 2)", "(< r 2.0)");
    assert_same(NUMBERS, "(= (+ r i) 2.5)", "(= (+ r (to_real i)) 2.5)");
    assert_same(NUMBERS, "(= r (/ 1 3))", "(= (* 3.0 r) 1.0)");
    // Without integers in the logic, numerals are reals.
    let script = "(set-logic QF_LRA) (declare-const r Real) (assert (= (* 2 r) 1))";
    assert_eq!(asserted(script), ["(= r (/ 1.0 2.0))"]);
}

#[test]
fn definitions_are_expanded_simultaneously() {
    let script = format!(
        "{NUMBERS} (define-fun sub ((a Int) (b Int)) Int (- a b)) (define-const two Int 2)
         (define-fun swapped ((b Int) (a Int)) Int (sub a b))
         (assert (= (swapped j two) i)) (assert (= (sub (sub i j) (sub j i)) 4))"
    );
    assert_eq!(asserted(&script), ["(= (+ i j) 2)", "(= (+ i (* (- 1) j)) 2)"]);
}

#[test]
fn sorts_are_defined_with_parameters() {
    let script = "(define-sort Map (K V) (Array K (Array K V))) (declare-sort U 0) (declare-sort Pair 2)
         (declare-const m (Map U Bool)) (declare-const u U) (declare-fun f (U (Pair U Int)) (Pair U Int))
         (declare-const q (Pair U Int)) (assert (select (select m u) u)) (assert (= q (f u q)))";
    assert_eq!(asserted(script), ["(select (select m u) u)", "(= q (f u q))"]);
}

#[test]
fn declarations_go_with_their_level() {
    let script = "(push 1) (declare-const x Int) (assert (= x 1)) (pop 1)
         (push) (declare-const x Bool) (declare-fun f (Int) Int) (assert x) (pop) (assert x)";
    assert_eq!(error(script), (ErrorKind::Undeclared, "2:91: no such symbol at `x`".into()));
    let script = "(set-option :global-declarations true) (push 1) (declare-const x Bool) (pop 1) (assert x)";
    assert_eq!(asserted(script), ["x"]);
    assert_eq!(error("(push 2) (pop 3)").0, ErrorKind::Level);
}

#[test]
fn named_terms_are_known_afterwards() {
    let script = format!(
        "{NUMBERS} (assert (! (let ((k (! (< i j) :named below))) (or k (= i 7))) :named top)) (assert (not below))"
    );
    let mut terms = Terms::new();
    let commands = read_all(&mut terms, &script);
    let Some(Ok(Command::Assert { formula, name: None, .. })) = commands.last() else {
        panic!("{commands:?}")
    };
    assert_eq!(terms.to_smtlib(*formula), "(not (<= (+ i (* (- 1) j)) (- 1)))");
    let Ok(Command::Assert { formula, name: Some(name), names }) = &commands[3] else {
        panic!("{commands:?}")
    };
    assert_eq!(name, "top");
    let given: Vec<(&str, bool)> = names.iter().map(|(name, t)| (&**name, t == formula)).collect();
    assert_eq!(given, [("below", false), ("top", true)]);
}

#[test]
fn commands_carry_what_they_ask() {
    let script = format!(
        "(set-logic QF_LIA) (set-info :status sat) (set-info :source |two
lines|) {NUMBERS} (check-sat-assuming ((= i 1) (not (= j 2)))) (get-value (i (+ i  j)))
         (check-allsat ((< i j))) (get-info :name) (get-option :verbosity) (echo \"a \"\"b\"\"\") (get-model)
         (get-unsat-core) (get-unsat-assumptions) (get-assertions) (reset-assertions) (reset) (check-sat) (exit)"
    );
    let mut terms = Terms::new();
    let commands: Vec<Command> = read_all(&mut terms, &script).into_iter().map(Result::unwrap).collect();
    assert_eq!(commands[0], Command::SetLogic("QF_LIA".into()));
    assert_eq!(commands[1], Command::SetInfo(":status".into(), "sat".into()));
    assert_eq!(commands[2], Command::SetInfo(":source".into(), "|two\nlines|".into()));
    let texts = |asked: &[(Term, String)]| asked.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>();
    let Command::CheckSatAssuming(assumed) = &commands[6] else { panic!("{:?}", commands[6]) };
    assert_eq!(texts(assumed), ["(= i 1)", "(not (= j 2))"]);
    let Command::GetValue(asked) = &commands[7] else { panic!("{:?}", commands[7]) };
    assert_eq!(texts(asked), ["i", "(+ i j)"]);
    let Command::CheckAllSat(important) = &commands[8] else { panic!("{:?}", commands[8]) };
    assert_eq!(texts(important), ["(< i j)"]);
    let rest = [
        Command::GetInfo(":name".into()),
        Command::GetOption(":verbosity".into()),
        Command::Echo("a \"b\"".into()),
        Command::GetModel,
        Command::GetUnsatCore,
        Command::GetUnsatAssumptions,
        Command::GetAssertions,
        Command::ResetAssertions,
        Command::Reset,
        Command::CheckSat,
        Command::Exit,
    ];
    assert_eq!(commands[9..], rest);
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("(assert", ErrorKind::Syntax, "1:8: a term expected at `end of input`"),
        ("(assert ())", ErrorKind::Syntax, "1:10: an operator expected at `)`"),
        ("(assert\n  (and true 5))", ErrorKind::Sort, "2:3: argument 2 is of sort Int, not Bool"),
        ("(assert 5)", ErrorKind::Sort, "1:9: a formula expected, this is of sort Int"),
        ("(assert (f true))", ErrorKind::Undeclared, "1:10: no such symbol at `f`"),
        (
            "(assert (forall ((x Int)) true))",
            ErrorKind::Unsupported,
            "1:10: `forall` is not supported at `forall`",
        ),
        ("(assert (= \"a\" \"b\"))", ErrorKind::Unsupported, "1:12: strings are not supported at `\"a\"`"),
        (
            "(declare-const s String)",
            ErrorKind::Unsupported,
            "1:18: a sort that is not supported at `String`",
        ),
        (
            "(declare-const f Float32)",
            ErrorKind::Unsupported,
            "1:18: a sort that is not supported at `Float32`",
        ),
        ("(declare-const f Foo)", ErrorKind::Undeclared, "1:18: no such sort at `Foo`"),
        (
            "(declare-const f (_ FloatingPoint 8 24))",
            ErrorKind::Unsupported,
            "1:18: a sort that is not supported at `FloatingPoint`",
        ),
        (
            "(assert (= RNE (fp.add RNE)))",
            ErrorKind::Unsupported,
            "1:12: an operator that is not supported at `RNE`",
        ),
        (
            "(get-interpolant A (< 1 2))",
            ErrorKind::Unsupported,
            "1:2: a command that is not supported at `get-interpolant`",
        ),
        (
            "(define-fun-rec f () Int 1)",
            ErrorKind::Unsupported,
            "1:2: a command that is not supported at `define-fun-rec`",
        ),
        (
            "(declare-datatypes () ())",
            ErrorKind::Unsupported,
            "1:2: a command that is not supported at `declare-datatypes`",
        ),
        (
            "(declare-const x (_ BitVec 99999999999))",
            ErrorKind::Limit,
            "1:28: a bit-vector of more than 1048576 bits",
        ),
        ("(declare-const x (_ BitVec 0))", ErrorKind::Sort, "1:28: a bit-vector sort without bits"),
        ("(assert (= (_ bv5 0) #b1))", ErrorKind::Sort, "1:19: a bit-vector without bits"),
        (
            "(assert (= (_ bv2 1) #b1))",
            ErrorKind::Sort,
            "1:12: a number that does not fit in 1 bits at `bv2`",
        ),
        (
            "(assert (= #b1 #b11))",
            ErrorKind::Sort,
            "1:9: argument 2 is of sort (_ BitVec 2), not (_ BitVec 1)",
        ),
        ("(assert (bvult #b1 #b11))", ErrorKind::Sort, "1:9: bit-vectors of 1 and 2 bits"),
        ("(assert (= ((_ extract 3 0) #b11) #b1))", ErrorKind::Sort, "1:12: bits 3 to 0 of 2"),
        (
            "(assert (= ((_ repeat 4000000000) #b11) #b1))",
            ErrorKind::Limit,
            "1:12: a bit-vector of more than 1048576 bits",
        ),
        ("(assert (extract #b11))", ErrorKind::Syntax, "1:10: an operator without its indices at `extract`"),
        ("(assert true))", ErrorKind::Syntax, "1:14: `(` expected at `)`"),
        ("(assert |x)", ErrorKind::Syntax, "1:9: a symbol without its closing bar"),
        ("(assert 007)", ErrorKind::Syntax, "1:9: a number with a leading zero at `007`"),
        ("(assert \u{7f})", ErrorKind::Syntax, "1:9: not a token of SMT-LIB at `\\u{7f}`"),
        ("(declare-const and Bool)", ErrorKind::Redeclared, "1:16: already declared at `and`"),
        (
            "(declare-const x Bool) (declare-const x Int)",
            ErrorKind::Redeclared,
            "1:39: already declared at `x`",
        ),
        ("(frobnicate)", ErrorKind::Unsupported, "1:2: no such command at `frobnicate`"),
        ("(push 99999999999999999999)", ErrorKind::Limit, "1:7: too many levels at `99999999999999999999`"),
    ];
    for (script, kind, text) in cases {
        assert_eq!(error(script), (kind, text.to_owned()), "{script}");
    }
}

#[test]
fn terms_outside_of_the_logics_are_noted() {
    let undecided = |script: &str| {
        let mut terms = Terms::new();
        let mut reader = Reader::new(script.as_bytes());
        while let Ok(Some(_)) = reader.next_command(&mut terms) {}
        reader.undecided().map(|u| (u.position.to_string(), u.what))
    };
    let declared = "(declare-const i Int)(declare-sort U 0)";
    let assertion = |formula: &str| undecided(&format!("{declared}\n(assert {formula})"));
    for linear in ["(= (* 2 i 3) 1)", "(= (div i 3) (mod i (- 3)))", "(= (/ i 2) 0.5)"] {
        assert_eq!(assertion(linear), None, "{linear}");
    }
    let product = Some(("2:14".to_owned(), "a product of terms that are no constants"));
    assert_eq!(assertion("(< 1 (* i 2 i) (* i i))"), product);
    assert_eq!(assertion("(= 1 (mod 7 i))").map(|u| u.1), Some("a division by a term that is no constant"));
    assert!(
        undecided(
            "(declare-sort U 0)(declare-const a (Array U Int))(assert (= a ((as const (Array U Int)) 1)))"
        )
        .is_some()
    );
}

#[test]
fn reading_goes_on_after_an_error() {
    let script = "(declare-const p Bool) (assert (let ((p false) (q 1)) (and p r (nothing)))) (assert p)";
    let commands = read_all(&mut Terms::new(), script);
    assert!(
        matches!(&commands[..], [Ok(_), Err(e), Ok(Command::Assert { .. })] if e.token.as_deref() == Some("r"))
    );
}

/// Names that SMT-LIB's symbols cannot have, or that mean something else, and names like those of `let`.
#[test]
fn awkward_names_are_printed_apart() {
    use tamis_logic::Sort;
    let names =
        ["x|y", "x\\y", "x%7Cy", "let", "", "0", "a b", "bvadd", "and", "select", "?0", "?1", "!", "λ"];
    let mut terms = Terms::new();
    let vars: Vec<Term> = names.iter().map(|name| terms.var(name, Sort::BitVec(8))).collect();
    let sums: Vec<Term> = vars.windows(2).map(|pair| terms.mul(pair[0], pair[1])).collect();
    let mut all = terms.fals();
    for pair in sums.windows(2) {
        let (product, less) = (terms.mul(pair[0], pair[1]), terms.ult(pair[0], pair[1]));
        let eq = terms.eq(product, pair[0]);
        all = terms.or(&[all, less, eq]);
    }
    let script = terms.to_smtlib_script(&[all]);
    let mut again = Terms::new();
    let read = assertions(&mut again, &script);
    assert_eq!(again.size(read[0]), terms.size(all), "{script}");
    assert_eq!(again.free_vars(read[0]).len(), names.len());
}
