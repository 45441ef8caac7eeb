//! `tamis cfa`: what the front end made of a program or a design.

mod command_text;
pub mod design;
mod dot;
pub mod graph;
mod layout;
pub mod short;
pub mod svg;
mod text;

use crate::arguments::{CfaOptions, GraphFormat};
use crate::formalism::c::input;
use crate::formalism::rtl;
use crate::refusal::Refusal;
use crate::verdict::ExitStatus;
use graph::Graph;
use tamis_logic::Terms;
use tamis_program::{SummaryKind, simplify};

/// Stack for the run: the C parser recurses on nesting.
const STACK: usize = 512 << 20;

/// Prints the automaton to stdout.
pub fn run(options: CfaOptions) -> ExitStatus {
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || show(&options));
    match worker.map(|w| w.join()) {
        Ok(Ok(status)) => status,
        // The panic's message is on stderr already.
        Ok(Err(_)) => ExitStatus::Internal,
        Err(error) => {
            eprintln!("error: no thread: {error}");
            ExitStatus::Internal
        }
    }
}

fn show(options: &CfaOptions) -> ExitStatus {
    let shown = match rtl::is_design(&options.input) {
        Ok(true) => show_design(options),
        Ok(false) => show_program(options),
        Err(refusal) => Err(refusal),
    };
    let shown = match shown {
        Ok(shown) => shown,
        Err(refusal) => {
            refusal.print();
            return refusal.status();
        }
    };
    // A reader that has gone away has seen enough.
    print!("{shown}");
    ExitStatus::True
}

/// The words of a design, and who reads them.
fn show_design(options: &CfaOptions) -> Result<String, Refusal> {
    if options.summary.is_some() || options.simplified {
        return Err(Refusal::usage(
            "--summary and --simplified are for C programs, not for hardware designs",
        ));
    }
    let mut terms = Terms::new();
    let mut files = options.input.clone();
    rtl::input::resolve(&mut files)?;
    let design = rtl::input::load(&files, &mut terms, None)?.design;
    let graph = || design::graph(&terms, &design);
    Ok(match options.format {
        GraphFormat::Text => text::show(&graph()),
        GraphFormat::Dot => dot::show(&graph()),
        GraphFormat::Svg => svg::to_window(&graph()),
        GraphFormat::Count => design::counts(&terms, &design) + "\n",
    })
}

fn show_program(options: &CfaOptions) -> Result<String, Refusal> {
    let mut terms = Terms::new();
    let mut files = options.input.clone();
    input::resolve(&mut files)?;
    let mut program = input::load(&files, &input::reading(&files.reading), &mut terms)?;
    if options.simplified {
        program = simplify(&program, &mut terms).program;
    }
    // A picture is to be looked at as a whole: what follows each other is one block there.
    let drawn = matches!(options.format, GraphFormat::Svg | GraphFormat::Dot);
    let summary = match options.summary {
        Some(choice) => choice.kind(),
        None => drawn.then_some(SummaryKind::Sbe),
    };
    let mut graph = || match summary {
        None => Graph::of_program(&mut terms, &program),
        Some(kind) => Graph::of_summary(&mut terms, &program, kind),
    };
    Ok(match options.format {
        GraphFormat::Text => text::show(&graph()),
        GraphFormat::Dot => dot::show(&graph()),
        GraphFormat::Svg => svg::to_window(&graph()),
        GraphFormat::Count => graph::counts_of(&program, summary) + "\n",
    })
}
