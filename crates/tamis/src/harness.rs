//! `tamis harness`: a function as a program, to be edited.

use crate::arguments::HarnessOptions;
use crate::formalism::c::input;
use crate::refusal::Refusal;
use crate::verdict::ExitStatus;

/// Writes the harness.
pub fn run(options: &HarnessOptions) -> ExitStatus {
    let mut reading = options.reading.clone();
    reading.function = Some(options.name.clone());
    let text = match tamis_front_c::harness(&options.files, &input::reading(&reading)) {
        Ok(text) => text,
        Err(error) => {
            let refusal = Refusal::from(error);
            refusal.print();
            return refusal.status();
        }
    };
    let Some(file) = &options.output else {
        print!("{text}");
        return ExitStatus::True;
    };
    crate::output::write(file, text);
    ExitStatus::True
}
