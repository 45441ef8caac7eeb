//! Reading whole scripts.

use tamis_logic::smtlib::{Command, Error, ErrorKind, Reader};
use tamis_logic::{Term, Terms};

/// All commands and errors.
pub fn read_all(terms: &mut Terms, script: &str) -> Vec<Result<Command, Error>> {
    let mut reader = Reader::new(script.as_bytes());
    let mut found = Vec::new();
    loop {
        match reader.next_command(terms) {
            Ok(Some((command, _))) => found.push(Ok(command)),
            Ok(None) => return found,
            Err(error) => found.push(Err(error)),
        }
    }
}

/// The assertions of a script without errors.
pub fn assertions(terms: &mut Terms, script: &str) -> Vec<Term> {
    let formula = |command: Result<Command, Error>| match command {
        Ok(Command::Assert { formula, .. }) => Some(formula),
        Ok(_) => None,
        Err(error) => panic!("{error} in {script}"),
    };
    read_all(terms, script).into_iter().filter_map(formula).collect()
}

/// The first error of a script: its kind and its text.
pub fn error(script: &str) -> (ErrorKind, String) {
    let error = read_all(&mut Terms::new(), script).into_iter().find_map(Result::err);
    let error = error.unwrap_or_else(|| panic!("no error in {script}"));
    (error.kind, error.to_string())
}
