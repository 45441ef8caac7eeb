//! The scripts in `scripts/`: each `NAME.smt2` is answered by exactly what is in `NAME.out`, whose last line is the
//! exit code.

use crate::support::Folder;
use std::fs;
use std::path::Path;

#[track_caller]
fn answered(name: &str) {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/solve/scripts");
    let script = fs::read(scripts.join(format!("{name}.smt2"))).expect("a script");
    let expected = fs::read_to_string(scripts.join(format!("{name}.out"))).expect("its answers");
    let run = Folder::with("script.smt2", script).run(&["solve", "script.smt2"]);
    let exit = run.exit.map_or("a signal".to_owned(), |code| code.to_string());
    assert_eq!(format!("{}exit {exit}\n", run.stdout), expected, "{}", run.stderr);
}

#[test]
fn levels_forget_assertions_and_declarations() {
    answered("levels");
}

#[test]
fn cores_are_minimal_and_named() {
    answered("cores");
}

#[test]
fn definitions_and_lets_are_expanded() {
    answered("definitions");
}

#[test]
fn all_models_over_some_formulas() {
    answered("allsat");
}

#[test]
fn the_way_of_enumerating_is_an_option() {
    answered("enumeration_options");
}

#[test]
fn values_of_every_bit_vector_operator() {
    answered("values");
}

#[test]
fn models_define_what_is_declared() {
    answered("models");
}

#[test]
fn queries_without_an_answer_are_errors_and_the_script_goes_on() {
    answered("refusals");
}

#[test]
fn a_command_that_is_not_understood_ends_the_script() {
    answered("misunderstood");
}

#[test]
fn options_and_information() {
    answered("options");
}

#[test]
fn assignments_have_all_names_of_assertions() {
    answered("assignment");
}

#[test]
fn reset_forgets_everything() {
    answered("reset");
}

#[test]
fn predicates_about_indices_of_arrays() {
    answered("integer_arrays");
}
