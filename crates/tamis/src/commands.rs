//! `tamis completions` and `tamis man`: what shells and readers of manuals want of the command line.

use crate::arguments::{Arguments, CompletionsOptions, ManOptions};
use crate::verdict::ExitStatus;
use clap::CommandFactory;

/// Prints completions.
pub fn completions(options: &CompletionsOptions) -> ExitStatus {
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut Arguments::command(), "tamis", &mut text);
    print!("{}", String::from_utf8_lossy(&text));
    ExitStatus::True
}

/// Prints or writes manual pages.
pub fn manual(options: &ManOptions) -> ExitStatus {
    let Some(folder) = &options.folder else {
        let mut text = Vec::new();
        // Nothing is written but to memory.
        let _ = clap_mangen::Man::new(Arguments::command()).render(&mut text);
        print!("{}", String::from_utf8_lossy(&text));
        return ExitStatus::True;
    };
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Arguments::command(), folder));
    match written {
        Ok(()) => ExitStatus::True,
        Err(e) => {
            eprintln!("error: {} cannot be written: {e}", folder.display());
            ExitStatus::Unwritten
        }
    }
}
