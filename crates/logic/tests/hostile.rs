//! Scripts that are deep, large or broken: no stack overflow, no square, no panic, and an error where one is due.

mod common;

use common::Random;
use common::script::{assertions, error};
use tamis_logic::Terms;
use tamis_logic::smtlib::{ErrorKind, Reader};

/// Formulas that are chains of `depth` operators.
fn chains(depth: usize) -> Vec<String> {
    let nested = |open: &str, core: &str, close: &dyn Fn(usize) -> String| {
        let mut text = open.repeat(depth);
        text.push_str(core);
        (0..depth).for_each(|n| text.push_str(&close(n)));
        text
    };
    vec![
        nested("(and ", "p", &|n| format!(" (= i {n}))")),
        format!("(< 0 {})", nested("(+ ", "i", &|n| format!(" (f {n}))"))),
        format!("(= 0 {})", nested("(ite q 1 (f ", "i", &|_| "))".into())),
        format!("(= (select {} i) 0)", nested("(store ", "a", &|n| format!(" (f {n}) 1)"))),
        format!("(= x {})", nested("(bvadd (bvmul x ", "x", &|_| ") x)".into())),
        format!("(= #x05 {})", nested("(bvnot (bvneg ", "x", &|_| "))".into())),
        format!("(= #x05 {})", nested("(ite q #x00 (bvnot ", "x", &|_| "))".into())),
        format!("(= 5 {})", nested("(ite q 0 (+ 1 ", "i", &|_| "))".into())),
        nested("(let ((p (not (= p q)))) ", "p", &|_| ")".into()),
        nested("(not (=> q ", "p", &|_| "))".into()),
    ]
}

const DECLARATIONS: &str = "(declare-const p Bool) (declare-const q Bool) (declare-const i Int)
     (declare-const x (_ BitVec 8)) (declare-const a (Array Int Int)) (declare-fun f (Int) Int)";

/// A stack so small that whatever recurses on the depth of a term overflows it.
fn with_little_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(test).expect("a thread");
    assert!(thread.join().is_ok(), "the test failed");
}

fn read_and_evaluate(chain: &str) {
    let mut terms = Terms::new();
    let t = assertions(&mut terms, &format!("{DECLARATIONS} (assert {chain})"))[0];
    terms.eval(t, &tamis_logic::Model::new());
}

#[test]
fn terms_a_million_deep_are_read_and_evaluated() {
    with_little_stack(|| read_and_evaluate(&chains(1_000_000)[6]));
}

#[test]
fn deep_terms_are_read_and_evaluated() {
    with_little_stack(|| chains(30_000).iter().for_each(|chain| read_and_evaluate(chain)));
}

#[test]
fn deep_terms_are_printed_and_substituted() {
    with_little_stack(|| chains(20_000).iter().for_each(|chain| print_and_substitute(chain)));
}

fn print_and_substitute(chain: &str) {
    let mut terms = Terms::new();
    let t = assertions(&mut terms, &format!("{DECLARATIONS} (assert {chain})"))[0];
    let printed = format!("{}(assert {})", terms.declarations(&[t]), terms.to_smtlib(t));
    assert_eq!(assertions(&mut terms, &printed), [t]);
    let value = terms.eval(t, &tamis_logic::Model::new());
    let vars = terms.free_vars(t);
    let other = terms.fresh("other", terms.sort(vars[0]));
    let renamed = terms.substitute(t, &[(vars[0], other)].into_iter().collect());
    assert_eq!(terms.eval(renamed, &tamis_logic::Model::new()), value);
}

const SEEDS: [&str; 4] = [
    "(set-logic QF_AUFBV)(set-info :status sat)(declare-fun m () (Array (_ BitVec 32) (_ BitVec 8)))
     (declare-const x (_ BitVec 32))(define-fun g ((a (_ BitVec 8))) (_ BitVec 8) (bvmul a #x03))
     (assert (! (= (select (store m x #b00000001) (bvadd x (_ bv1 32))) (g ((_ extract 7 0) x))) :named n))
     (push 1)(assert (bvslt ((_ sign_extend 24) (g #xff)) x))(check-sat)(pop 1)(get-value (x (select m x)))(exit)",
    "(declare-sort U 0)(define-sort A (X) (Array X U))(declare-fun f (U Int) U)(declare-const a (A Int))
     (declare-const i Int)(assert (let ((i (+ i 1)) (b (store a i (f (select a 0) (- 5))))) (distinct (select b i)
     (f (select a i) (div i 2)) (as @1 U))))(check-sat-assuming ((< i 3)))(check-allsat ((= i 1) (>= i 2 1)))",
    "(set-logic QF_LRA)(declare-fun |a b| () Real)(assert (<= (* 2.50 |a b|) (/ 1 3) (- |a b|))); comment
     (echo \"say \"\"hi\"\"\")(set-option :produce-models true)(get-model)(reset)",
    "(declare-const p Bool)(assert (=> p (xor p (ite p (not p) ((_ divisible 2) 4)) false)))(get-unsat-core)
     (assert (= ((as const (Array Bool Int)) 1) (store ((as const (Array Bool Int)) 0) p (mod 7 (abs (- 2))))))",
];

/// Mutated scripts give commands or errors, and an end.
#[test]
fn any_bytes_are_read_without_a_panic() {
    let mut random = Random::new(71);
    let tokens = [
        "(",
        ")",
        "((",
        "|",
        "\"",
        "let ",
        "_ ",
        "as ",
        "! ",
        "#b",
        "99999999999",
        " 0 ",
        ":named ",
        "(_ bv",
        "x",
    ];
    let mut outcomes = [0u32; 2];
    for _ in 0..20_000 {
        let mut bytes = random.pick(&SEEDS).as_bytes().to_vec();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len() as u32 + 1) as usize;
            let end = (at + random.below(12) as usize).min(bytes.len());
            match random.below(6) {
                0 => bytes.truncate(at.max(1)),
                1 => drop(bytes.drain(at..end)),
                2 => drop(bytes.splice(at..at, random.pick(&tokens).bytes())),
                3 => drop(bytes.splice(at..end, random.pick(&tokens).bytes())),
                4 => drop(bytes.splice(at..end, [random.below(256) as u8])),
                _ => {
                    let copy = bytes[at..end].to_vec();
                    let to = random.below(bytes.len() as u32 + 1) as usize;
                    drop(bytes.splice(to..to, copy));
                }
            }
        }
        let mut terms = Terms::new();
        let mut reader = Reader::new(&bytes[..]);
        for _ in 0..=bytes.len() {
            match reader.next_command(&mut terms) {
                Ok(Some(_)) => outcomes[0] += 1,
                Ok(None) => break,
                Err(_) => outcomes[1] += 1,
            }
        }
        assert!(matches!(reader.next_command(&mut terms), Ok(None)));
    }
    assert!(outcomes.iter().all(|&n| n > 10_000), "{outcomes:?}");
}

/// Much of one thing is refused, or read, in memory that it is worth.
#[test]
fn large_nonsense_is_refused() {
    const MUCH: usize = 4_000_000;
    assert_eq!(error(&"(".repeat(MUCH)).0, ErrorKind::Syntax);
    assert_eq!(error(&format!("(assert {}", "(".repeat(MUCH))).0, ErrorKind::Syntax);
    assert_eq!(error(&format!("(assert {}", "(not ".repeat(MUCH))).0, ErrorKind::Limit);
    assert_eq!(error(&format!("(declare-const x {}", "(Array Int ".repeat(MUCH / 10))).0, ErrorKind::Limit);
    assert_eq!(error(&format!("(set-info :x {}", "(".repeat(MUCH))).0, ErrorKind::Syntax);
    assert_eq!(error(&format!("(assert (= 1 {}))", "9".repeat(MUCH))).0, ErrorKind::Limit);
    assert_eq!(error(&format!("(assert (= #b1 #x{}))", "9".repeat(MUCH))).0, ErrorKind::Limit);
    assert_eq!(error(&format!("(assert {})", "a".repeat(MUCH))).0, ErrorKind::Undeclared);
    assert_eq!(error(&")".repeat(1000)).0, ErrorKind::Syntax);
    assert_eq!(error(&format!("(check-sat-assuming ({}", "true ".repeat(MUCH / 2))).0, ErrorKind::Limit);
    let doubled: String =
        (1..60).map(|n| format!("(define-sort S{n} () (Array S{} S{}))", n - 1, n - 1)).collect();
    assert_eq!(error(&format!("(declare-sort S0 0){doubled}")).0, ErrorKind::Limit);
}

/// A part of a concatenation or repetition for each of its prefixes would be as large as the square.
#[test]
fn long_concatenations_are_small() {
    let width = 1 << 17;
    let mut terms = Terms::new();
    let script = format!(
        "(declare-const x (_ BitVec 1))(assert (= (concat {}) ((_ repeat {width}) x)))",
        "x ".repeat(width)
    );
    let t = assertions(&mut terms, &script)[0];
    assert!(terms.size(t) < 100, "{}", terms.size(t));
}
