//! `tamis abstract` as its users meet it: queries and their answers, engines, bad input, limits.

#[allow(dead_code)]
#[path = "../command_line/support.rs"]
mod support;

mod extract;

use support::{Folder, Run};

const QUERY: &str = "(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(define-fun negative () Bool (< x 0))
(define-fun two () Bool (= y 2))
(assert (! (or (< x (- y 2)) (> x y)) :named phi))
(declare-const |not four| Bool)
(assert (= |not four| (not (= x 4))))
(check-allsat (negative two |not four|))
";

/// The engines that are exact on integers.
const EXACT: [&str; 9] =
    ["min", "allsat", "cubes", "ldd", "ldd-static", "blackbox", "naive", "no-theory-propagation", "steps"];

fn ask(query: &str, options: &[&str]) -> Run {
    let arguments: Vec<&str> =
        ["abstract", "query.smt2"].into_iter().chain(options.iter().copied()).collect();
    Folder::with("query.smt2", query).run(&arguments)
}

fn json(run: &Run) -> serde_json::Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn every_exact_engine_prints_the_prime_implicants() {
    for engine in EXACT {
        let run = ask(QUERY, &["--engine", engine]);
        assert_eq!(
            (run.exit, &*run.stdout),
            (Some(0), "¬negative\n∨ |not four|\n"),
            "{engine}: {}",
            run.stderr
        );
        assert!(run.stderr.contains("G_P: exact, 6 minterms, 2 cubes, 2 of 3 predicates matter"), "{run:?}");
    }
}

#[test]
fn the_weakest_combination_implies_the_formula() {
    for engine in EXACT {
        let run = ask(QUERY, &["--engine", engine, "--weakest"]);
        let expected = "negative ∧ two\n∨ negative ∧ ¬|not four|\n∨ two ∧ ¬|not four|\n";
        assert_eq!((run.exit, &*run.stdout), (Some(0), expected), "{engine}: {}", run.stderr);
    }
}

#[test]
fn an_equivalence_of_predicates_is_no_definition() {
    let xor = "(declare-const p Bool)(declare-const q Bool)(assert (xor p q))(check-allsat (p q))";
    for engine in EXACT {
        let run = ask(xor, &["--engine", engine, "--weakest"]);
        assert_eq!((run.exit, &*run.stdout), (Some(0), "¬p ∧ q\n∨ p ∧ ¬q\n"), "{engine}: {}", run.stderr);
    }
    let both = "(declare-const x Int)(declare-const p Bool)(declare-const q Bool)(assert (> x 5))
        (assert (and (= p (> x 7)) (= q (> x 3))))(check-allsat (p q))";
    let run = ask(both, &["--weakest"]);
    // Numbers above 7 are above 3: without q there is no p.
    assert_eq!((run.exit, &*run.stdout), (Some(0), "p\n"), "{}", run.stderr);
}

#[test]
fn an_answer_with_too_many_cubes_is_a_term() {
    let names: Vec<String> = (0..20).map(|i| format!("a{i}")).collect();
    let declared: String = names.iter().map(|name| format!("(declare-const {name} Bool)")).collect();
    let odd = names.iter().fold("false".to_owned(), |odd, name| format!("(xor {odd} {name})"));
    let query = format!("{declared}(assert {odd})(check-allsat ({}))", names.join(" "));
    let document = json(&ask(&query, &["--engine", "ldd", "--json"]));
    assert_eq!(document["answer"]["minterms"], 524_288.0, "{document}");
    assert!(document["answer"]["cubes"].is_null(), "{document}");
    assert!(document["term"].as_str().is_some_and(|term| term.contains("a19")), "{document}");
}

#[test]
fn predicates_are_named_terms_definitions_or_declared_booleans() {
    let run = ask(QUERY, &["--predicates", "phi,not four", "--smtlib"]);
    assert_eq!((run.exit, &*run.stdout), (Some(0), "phi\n"), "{}", run.stderr);
}

#[test]
fn constants_are_answers() {
    let unsatisfiable = "(declare-const p Bool)(assert p)(assert (not p))(check-allsat (p))";
    let run = ask(unsatisfiable, &[]);
    assert_eq!((run.exit, &*run.stdout), (Some(0), "false\n"), "{}", run.stderr);
    let nothing = "(declare-const p Bool)(declare-const x Int)(assert (< 0 x))(check-allsat (p (< x x)))";
    let run = ask(nothing, &["--smtlib"]);
    assert_eq!((run.exit, &*run.stdout), (Some(0), "(not (< x x))\n"), "{}", run.stderr);
    let run = ask("(check-allsat ())", &[]);
    assert_eq!((run.exit, &*run.stdout), (Some(0), "true\n"), "{}", run.stderr);
}

#[test]
fn what_is_popped_does_not_count() {
    let query = "(declare-const p Bool)(declare-const q Bool)(push 1)(assert p)(pop 1)(assert (or p q))
        (check-allsat (p q))(assert (not q))";
    let run = ask(query, &["--json"]);
    assert_eq!(json(&run)["answer"]["minterms"], 3.0, "{run:?}");
}

#[test]
fn the_document_says_everything() {
    let run = ask(QUERY, &["--json", "--engine", "allsat"]);
    let document = json(&run);
    assert_eq!(document["status"], "answered");
    assert_eq!(document["operation"], "strongest");
    assert_eq!(document["predicates"], serde_json::json!(["negative", "two", "|not four|"]));
    let answer = &document["answer"];
    assert_eq!(answer["cubes"], serde_json::json!([{ "negative": false }, { "|not four|": true }]));
    assert_eq!((&answer["exact"], &answer["cube_count"]), (&true.into(), &2.into()));
    assert_eq!(answer["support"], serde_json::json!(["negative", "|not four|"]));
    assert!(answer["seconds"].is_f64() && answer["megabytes"].is_u64(), "{answer}");
}

#[test]
fn all_engines_are_compared() {
    for options in [&["--all-engines"][..], &["--all-engines", "--weakest"]] {
        let run = ask(QUERY, options);
        assert_eq!(run.exit, Some(0), "{run:?}");
        for engine in EXACT.into_iter().chain(["cartesian", "maxcube"]) {
            assert!(run.stdout.lines().any(|line| line.starts_with(engine)), "{engine}: {}", run.stdout);
        }
        assert_eq!(run.stdout.lines().last(), Some("the engines agree"));
    }
    let document = json(&ask(QUERY, &["--all-engines", "--json"]));
    assert_eq!(document["agree"], true);
    assert!(document["engines"].as_array().is_some_and(|engines| engines.len() > EXACT.len()));
}

#[test]
fn approximations_go_on_step_by_step() {
    for options in [&["--step", "1"][..], &["--step", "1", "--non-incremental", "--seed", "3"]] {
        let mut options = options.to_vec();
        options.push("--json");
        let answer = json(&ask(QUERY, &options))["answer"].clone();
        assert_eq!((&answer["engine"], &answer["exact"]), (&"steps".into(), &true.into()));
        let minterms: Vec<f64> = answer["steps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| step["minterms"].as_f64().unwrap())
            .collect();
        assert_eq!((minterms.len(), minterms.last()), (3, Some(&6.0)));
        assert!(minterms.is_sorted_by(|a, b| a >= b), "{minterms:?}");
    }
    let answer = json(&ask(QUERY, &["--step", "1", "--last", "1", "--json"]))["answer"].clone();
    assert_eq!(answer["exact"], false);
}

#[test]
fn many_minterms_in_three_cubes_are_found_at_once() {
    let mut query = String::from("(set-logic QF_LIA)\n");
    for i in 0..32 {
        query += &format!("(declare-const x{i} Int)(declare-const b{i} Bool)\n");
        query += &format!("(assert (= b{i} (< {i} x{i})))\n");
    }
    let all: Vec<String> = (0..32).map(|i| format!("b{i}")).collect();
    query += "(assert (or (and b0 b1) (and b2 (not b3)) (and (not b4) b5)))\n";
    query += &format!("(check-allsat ({}))\n", all.join(" "));
    for engine in ["cubes", "min"] {
        let run = ask(&query, &["--engine", engine, "--timeout", "30"]);
        assert_eq!(
            (run.exit, &*run.stdout),
            (Some(0), "b0 ∧ b1\n∨ b2 ∧ ¬b3\n∨ ¬b4 ∧ b5\n"),
            "{}",
            run.stderr
        );
    }
}

/// With few predicates there is room for few nodes at first. In this order of the pairs it takes 2^16.
#[test]
fn a_large_diagram_of_few_predicates_has_more_room() {
    let declared: String = (0..30).map(|i| format!("(declare-const a{i} Bool)")).collect();
    let pairs: String = (0..15).map(|i| format!("(and a{i} a{})", i + 15)).collect();
    let names: String = (0..30).map(|i| format!("a{i} ")).collect();
    let query = format!("{declared}(assert (or {pairs}))(check-allsat ({names}))");
    let small = ask(&query, &["--engine", "cubes", "--nodes", "65536"]);
    assert!(small.stderr.contains("decision diagrams outgrew their limit"), "{small:?}");
    let document = json(&ask(&query, &["--engine", "cubes", "--json"]));
    let expected = 4f64.powi(15) - 3f64.powi(15);
    assert_eq!(document["answer"]["minterms"], expected, "{document}");
    assert_eq!(document["answer"]["cube_count"], 15, "{document}");
}

#[test]
fn bad_input_is_located() {
    let refused = |query: &str, options: &[&str], message: &str, place: &str| {
        let run = ask(query, options);
        assert_eq!((run.exit, &*run.stdout), (Some(4), ""), "{run:?}");
        assert!(run.stderr.contains(message) && run.stderr.contains(place), "{run:?}");
        let document = json(&ask(query, &[options, &["--json"]].concat()));
        assert_eq!((&document["status"], &document["exit_code"]), (&"error".into(), &4.into()));
    };
    refused(QUERY, &["--predicates", "phi,psi"], "no predicate `psi`", "query.smt2");
    refused(QUERY, &["--predicates", "x"], "`x` is of sort Int, not Bool", "query.smt2:2:1");
    refused("(check-allsat (p))", &[], "no such symbol", "query.smt2:1:16");
    refused("(declare-const x Int)\n(check-allsat (x))", &[], "of sort Int", "query.smt2:2:16");
    refused("(declare-const x Int)\n(assert (= x true))", &[], "sort", "query.smt2:2:");
    refused("(declare-const p Bool)(assert p)", &[], "no predicates", "query.smt2");
    let run = Folder::new().run(&["abstract", "nowhere.smt2"]);
    assert_eq!(run.exit, Some(4), "{run:?}");
}

/// What is asserted by then counts, for each query; after a reset nothing is left of those before it.
#[test]
fn queries_are_answered_one_after_the_other() {
    let script = "(declare-const x Int)(declare-const p Bool)(assert (= p (< x 0)))(check-allsat (p))
        (push)(assert (< x 5))(assert (< 3 x))(check-allsat (p))(pop)
        (assert (< x (- 3)))(check-allsat (p))
        (reset)(declare-const p Bool)(declare-const q Bool)(assert (or p q))(check-allsat (p q))";
    for engine in EXACT {
        let run = ask(script, &["--engine", engine]);
        assert_eq!((run.exit, &*run.stdout), (Some(0), "true\n¬p\np\np\n∨ q\n"), "{engine}: {}", run.stderr);
    }
    let run = ask(script, &["--json"]);
    let documents: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("a document")).collect();
    assert_eq!(documents.iter().map(|d| d["query"].clone()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(
        documents.iter().map(|d| d["answer"]["minterms"].clone()).collect::<Vec<_>>(),
        [2.0, 1.0, 1.0, 3.0]
    );
    let folder = Folder::with("query.smt2", script);
    let written = folder.run(&["abstract", "query.smt2", "--json=out.json"]);
    assert_eq!(written.exit, Some(0), "{written:?}");
    assert_eq!(std::fs::read_to_string(folder.path.join("out.json")).expect("a file").lines().count(), 4);
}

/// One of them is unknown; the others are answered, and the exit code tells.
#[test]
fn a_query_without_an_answer_does_not_stop_the_others() {
    let script = "(declare-const x Int)(declare-const p Bool)(assert (= p (< x 0)))
        (push)(assert (= (* x x x) (+ (* 2 x x) 7)))(check-allsat (p))(pop)
        (assert (< x 0))(check-allsat (p))";
    let run = ask(script, &["--engine", "allsat", "--timeout", "20"]);
    assert_eq!((run.exit, &*run.stdout), (Some(3), "p\n"), "{run:?}");
    let run = ask("(declare-const p Bool)(check-allsat (p))\n(check-allsat (q))", &["--json"]);
    let documents: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("a document")).collect();
    assert_eq!(
        (run.exit, documents[0]["status"].as_str(), documents[1]["status"].as_str()),
        (Some(4), Some("answered"), Some("error")),
        "{run:?}"
    );
}

/// That x0 is not below x1 is learned before the first model is found. Cubes of the region hold by it, and then it restricts what
/// the predicates can be.
#[test]
fn a_cube_may_hold_by_what_has_been_learned() {
    let numbers: String = (0..5).map(|i| format!("(declare-const x{i} Int)")).collect();
    let truths: String =
        ["p", "b0", "b1", "b2", "b3", "b4"].map(|b| format!("(declare-const {b} Bool)")).concat();
    let query = format!(
        "{numbers}{truths}
        (assert (or (and (= x0 x1) (<= x1 x0)) (and (= x0 x1) (<= (- x4 x0) 1)) (and (= x0 x1) (<= x3 x4))
            (and (<= (- x0 x1) 0) (not (<= (- x4 x0) (- 1)))) (and (= x0 x1) (= x0 x2)) (and (= x0 x1) (<= x4 x3))
            (and (= x0 x1) p) (and (<= (- x0 x1) 0) (< x1 x3))))
        (assert (or (<= (- x1 x0) (- 2)) (and (<= (- x1 x0) 0) (<= x0 x3)) (and (<= (- x1 x0) 0) (= x4 x0))))
        (assert (= b0 (= x4 1)))
        (assert (= b1 (<= (- x1 x3) 1)))
        (assert (= b2 (<= (- x0 x4) (- 1))))
        (assert (= b3 (= x0 x1)))
        (assert (= b4 (<= (- x1 x0) (- 2))))
        (check-allsat (b0 b1 b2 b3 b4))"
    );
    for engine in EXACT {
        let run = ask(&query, &["--engine", engine]);
        assert!(run.stderr.contains("exact, 6 minterms"), "{engine}: {run:?}");
    }
}

/// Under `c` and without it, what is known of the numbers can be spelt by the same list of integers.
#[test]
fn parts_of_different_kinds_are_not_taken_for_each_other() {
    let numbers: String = ["v1", "v2", "v3"].map(|v| format!("(declare-const {v} Int)")).concat();
    let truths: String = ["c", "z", "q1", "q2", "q3", "b0", "b1", "b2", "b3", "b4", "b5"]
        .map(|b| format!("(declare-const {b} Bool)"))
        .concat();
    let query = format!(
        "{numbers}{truths}(declare-fun f (Int) Int)
        (assert (= b0 (> (- v1 v2) (- 4))))
        (assert (= b1 (ite c (and (<= (- v2 v3) 3) (>= (- v2 v3) 1)) q1)))
        (assert (= b2 (ite c q2 (< (f v1) (f (+ v2 3))))))
        (assert (= b3 (ite c q3 (< (f v1) (f v3)))))
        (assert (<= (- v1 v3) 5))
        (assert (or z (= v2 (+ v3 2))))
        (assert (= b4 (and c (not z))))
        (assert (= b5 z))
        (check-allsat (b0 b1 b2 b3 b4 b5))"
    );
    for engine in ["min", "allsat", "cubes", "naive"] {
        let run = ask(&query, &["--engine", engine]);
        assert!(run.stderr.contains("exact, 40 minterms"), "{engine}: {run:?}");
    }
}

#[test]
fn wrong_usage_is_refused() {
    for options in [&["--engine", "alsat"][..], &["--step", "x"], &["--engine", "allsat", "--all-engines"]] {
        assert_eq!(ask(QUERY, options).exit, Some(2), "{options:?}");
    }
}

#[test]
fn options_of_other_engines_are_refused() {
    for options in [
        &["--engine", "ldd", "--step", "2"][..],
        &["--last", "3"],
        &["--non-incremental"],
        &["--engine", "allsat", "--size", "2"],
        &["--json=no/such/folder"],
        &["--extract", "x.c", "--extract-predicates", "0-0"],
    ] {
        let run = ask(QUERY, options);
        assert_eq!(run.exit, Some(2), "{options:?}: {}", run.stderr);
    }
}

#[test]
fn names_of_predicates() {
    let query = "(set-logic QF_UF)(declare-const |a,b| Bool)(declare-const c Bool)(assert (or |a,b| c))
        (push 1)(declare-const d Bool)(pop 1)";
    let run = ask(query, &["--predicates", "|a,b|,c,c"]);
    assert_eq!((run.exit, &*run.stdout), (Some(0), "|a,b|\n∨ c\n"), "{}", run.stderr);
    assert_eq!(ask(query, &["--predicates", "c,d"]).exit, Some(4), "what is popped has no name");
    let global = format!("(set-option :global-declarations true){query}");
    assert_eq!(ask(&global, &["--predicates", "c,d"]).exit, Some(0));
}

#[test]
fn what_no_engine_decides_is_unknown() {
    let query = "(set-logic QF_NIA)\n(declare-const x Int)(declare-const y Int)\n(assert (= (* x x y) 7))
        (check-allsat ((< x y)))";
    for engine in ["allsat", "cubes", "min"] {
        let run = ask(query, &["--engine", engine]);
        assert_eq!((run.exit, &*run.stdout), (Some(3), ""), "{engine}: {run:?}");
        assert!(run.stderr.contains("unknown: line 3 column"), "{engine}: {run:?}");
    }
}

#[test]
fn an_exhausted_limit_is_unknown() {
    let mut query = String::from("(set-logic QF_LIA)\n");
    for i in 0..40 {
        query += &format!("(declare-const x{i} Int)\n");
    }
    let all: Vec<String> = (0..40).map(|i| format!("(< x{i} x{})", (i + 1) % 40)).collect();
    query += &format!("(check-allsat ({}))\n", all.join(" "));
    let run = ask(&query, &["--engine", "naive", "--timeout", "1"]);
    assert_eq!((run.exit, &*run.stdout), (Some(3), ""), "{run:?}");
    assert!(run.stderr.contains("timeout: 1 s"), "{run:?}");
    let document = json(&ask(&query, &["--engine", "naive", "--timeout", "1", "--json"]));
    assert_eq!((&document["status"], &document["reason"]), (&"unknown".into(), &"timeout: 1 s".into()));
}
