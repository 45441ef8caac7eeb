//! Commands that check a verdict again, to be copied.

use crate::arguments::ReadingOptions;
use crate::check::board::Board;
use crate::check::counterexample::{Counterexample, Note, Row};
use crate::check::report::Report;
use crate::formalism::Formalism;
use crate::formalism::c::C;
use crate::verdict::Verdict;
use serde::Serialize;
use std::path::Path;

/// A command, and what it does.
#[derive(Serialize)]
pub struct Recheck {
    says: &'static str,
    command: String,
}

/// More inputs are not written into a command line.
const MOST_INPUTS: usize = 200;

/// What checks the evidence of a property's verdict again.
pub fn commands(board: &Board, report: &Report) -> Vec<Recheck> {
    let options = &board.options;
    let (reading, design) = (reading(&options.input.reading), designs(board));
    let files =
        || options.input.files.iter().map(|file| path(file)).chain(reading.clone()).chain(design.clone());
    let line = |words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned()).chain(files());
        words.map(|word| quoted(&word)).collect::<Vec<_>>().join(" ")
    };
    let asked = asked(board, report);
    let is_c = board.formalism == C::NAME;
    let check = |more: &str| format!("{}{asked} {more}", line(&["tamis", "check"]));
    let mut found = Vec::new();
    match &report.verdict {
        Verdict::True => {
            found.push(Recheck {
                says: "write the proof as SMT-LIB, and let another solver decide it",
                command: format!(
                    "{} && {} --solver z3",
                    check("--certificate proof"),
                    line(&["tamis", "certify", "proof"])
                ),
            });
            if is_c {
                let more = check("--witness witness.yml");
                let says = "write the invariants as a witness, and validate it";
                let command = format!("{more} && {}", line(&["tamis", "certify", "witness.yml"]));
                found.push(Recheck { says, command });
            }
        }
        Verdict::False(_) if is_c => {
            if let Some(inputs) = inputs(report) {
                let inputs = if inputs.is_empty() { String::new() } else { format!(" --input {inputs}") };
                found.push(Recheck {
                    says: "run the program on these inputs, line by line",
                    command: format!("{}{inputs} --trace", line(&["tamis", "run"])),
                });
            }
            found.push(Recheck {
                says: "compile the program, and replay the violation in a sandbox",
                command: check("--replay native"),
            });
            found.push(Recheck {
                says: "write a harness that makes it happen, for a debugger",
                command: check("--harness harness.c"),
            });
        }
        Verdict::False(_) => {
            found.push(Recheck {
                says: "write a witness, and execute it again",
                command: format!(
                    "{} && {}",
                    check("--witness violation.witness"),
                    line(&["tamis", "certify", "violation.witness"])
                ),
            });
            found.push(Recheck {
                says: "write waveforms for a viewer",
                command: check("--vcd violation.vcd"),
            });
        }
        Verdict::Unknown(_) => {
            found.push(Recheck {
                says: "see how the search goes",
                command: check("--trace-iterations --stats"),
            });
        }
    }
    found
}

/// The options that say what is checked, with a space before each.
fn asked(board: &Board, report: &Report) -> String {
    let options = &board.options;
    let mut words: Vec<String> = Vec::new();
    let mut with = |option: &str, value: &str| words.extend([option.to_owned(), value.to_owned()]);
    options.rule.iter().for_each(|rule| with("--rule", rule));
    options.spec.iter().for_each(|spec| with("--spec", &path(spec)));
    let specified = !options.rule.is_empty() || !options.spec.is_empty();
    if !specified && (board.is_one_of_several() || !options.property.is_empty()) {
        with("--property", &report.property);
    }
    if options.simulation {
        words.push("--simulation".to_owned());
    }
    words.iter().map(|word| format!(" {}", quoted(word))).collect()
}

/// The options that say how C is read.
fn reading(said: &ReadingOptions) -> Vec<String> {
    let mut words = Vec::new();
    let mut flag = |given: bool, option: &str| words.extend(given.then(|| option.to_owned()));
    flag(said.ilp32, "--32");
    flag(said.malloc_may_fail, "--malloc-may-fail");
    flag(said.fill.function_null, "--function-null");
    flag(said.fill.function_strings, "--function-strings");
    flag(said.fill.function_initial, "--function-initial");
    let mut with = |option: &str, value: &str| words.extend([option.to_owned(), value.to_owned()]);
    said.include.iter().for_each(|folder| with("-I", &path(folder)));
    said.define.iter().for_each(|name| with("-D", name));
    said.undefine.iter().for_each(|name| with("-U", name));
    said.before.iter().for_each(|header| with("--include", &path(header)));
    said.stand_in.iter().for_each(|machine| with("--stand-in", &path(machine)));
    said.remove_body.iter().for_each(|name| with("--remove-body", name));
    if let Some(function) = &said.function {
        with("--function", function);
        with("--function-depth", &said.fill.function_depth.to_string());
        with("--function-elements", &said.fill.function_elements.to_string());
    }
    words
}

/// The options that say how designs are read.
fn designs(board: &Board) -> Vec<String> {
    let design = &board.options.input.design;
    let top = design.top.iter().flat_map(|top| ["--top".to_owned(), top.clone()]);
    // The lists of files have become files.
    top.collect()
}

fn path(file: &Path) -> String {
    file.display().to_string()
}

/// The inputs of an execution, if they are all that it depends on.
fn inputs(report: &Report) -> Option<String> {
    let Some(Counterexample::Lines(rows)) = &report.counterexample else { return None };
    let mut inputs = Vec::new();
    for note in rows.iter().flat_map(|row: &Row| &row.does) {
        match note {
            Note::Input { value, .. } => inputs.push(value.as_str()),
            Note::Unset { .. } | Note::Omitted(_) => return None,
            _ => {}
        }
    }
    let number = |text: &&str| text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    (inputs.len() <= MOST_INPUTS && inputs.iter().all(number)).then(|| inputs.join(","))
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_shell_reads_the_word_again() {
        for word in ["a.c", "", "a b", "it's", "$(rm -rf x)", "`x`", "a\nb", "\\", "\"", "-x;y"] {
            let script = format!("printf %s {}", quoted(word));
            let output = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
            assert_eq!(String::from_utf8_lossy(&output.stdout), word);
        }
    }
}
