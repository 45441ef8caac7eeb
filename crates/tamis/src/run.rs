//! `tamis run`: executes a program on given inputs.

use crate::arguments::RunOptions;
use crate::run_trace::Tracer;
use crate::verdict::ExitStatus;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tamis_diagnostics::{Diagnostic, Error};
use tamis_front_c::Options;
use tamis_front_c::tree::{Position, Unit};
use tamis_interpreter_c::interpreter::{self, Console, Inputs, Interpreter, Outcome, parse_number};
use tamis_solver::Budget;

/// Bytes of memory that a program may take if nothing else is said.
const MEMORY: u64 = 2 << 30;

/// Runs the program and tells how it ended.
pub fn run(options: RunOptions) -> ExitStatus {
    let start = Instant::now();
    let ended = Arc::new(AtomicBool::new(false));
    let limits = options.limits;
    let watched = ended.clone();
    limits.watch(start, Budget::unlimited(), move |stop| {
        let last = !watched.swap(true, Ordering::SeqCst);
        if last {
            eprintln!("stopped: {}", limits.reason(stop));
        }
        last
    });
    let worker = std::thread::Builder::new().spawn(move || execute(&options, start));
    let status = match worker.map(|w| w.join()) {
        Ok(Ok(result)) => result,
        // The panic's message is on stderr already.
        Ok(Err(_)) => Err((ExitStatus::Internal, "internal error: please report this program".to_owned())),
        Err(error) => Err((ExitStatus::Internal, format!("internal error: no thread: {error}"))),
    };
    if ended.swap(true, Ordering::SeqCst) {
        // The watchdog has had the last word, and is ending the process.
        return ExitStatus::Unknown;
    }
    let (status, message) = status.unwrap_or_else(|failed| failed);
    eprintln!("{message}");
    status
}

type Ending = (ExitStatus, String);

fn execute(options: &RunOptions, start: Instant) -> Result<Ending, Ending> {
    let inputs = inputs(options)?;
    let unit = load(options)?;
    let limits = interpreter::Limits {
        steps: options.max_steps,
        memory: options.limits.memory.unwrap_or(MEMORY),
        time: options.limits.timeout.map(|t| t.saturating_sub(start.elapsed())),
        trap: options.trap_ub,
        ..interpreter::Limits::default()
    };
    let name = options.program.files.first().map(|f| f.display().to_string()).unwrap_or_default();
    let arguments = std::iter::once(name).chain(options.arguments.iter().cloned()).collect();
    let mut tracer = Tracer::new(&unit, options.trace);
    // What the program printed is out before what is said about it.
    let mut output = Console::default();
    let mut interpreter = Interpreter::new(&unit, inputs, limits).with_arguments(arguments);
    if options.determined {
        interpreter = interpreter.determined();
    }
    let outcome = interpreter.run(&mut tracer, &mut output);
    drop(output);
    tracer.finish();
    Ok(ending(&unit, &outcome))
}

fn inputs(options: &RunOptions) -> Result<Inputs, Ending> {
    let wrong = |message: String| (ExitStatus::Unreadable, format!("error: {message}"));
    if let Some(file) = &options.inputs {
        let text = std::fs::read_to_string(file)
            .map_err(|e| wrong(format!("{} cannot be read: {e}", file.display())))?;
        return Inputs::parse(&text).map_err(|e| wrong(format!("{}: {e}", file.display())));
    }
    if let Some(seed) = options.seed {
        return Ok(Inputs::seed(seed));
    }
    let values = options.input.iter().map(|word| {
        parse_number(word).ok_or((ExitStatus::Usage, format!("error: --input: `{word}` is no integer")))
    });
    Ok(Inputs::list(values.collect::<Result<Vec<_>, _>>()?))
}

fn load(options: &RunOptions) -> Result<Unit, Ending> {
    let mut program = options.program.clone();
    crate::formalism::c::input::resolve(&mut program).map_err(|refusal| {
        refusal.print();
        (refusal.status(), format!("stopped: {}", refusal.reason()))
    })?;
    let unit = read(&program.files, &crate::formalism::c::input::reading(&program.reading))?;
    if unit.main().is_none() {
        return Err((ExitStatus::Unreadable, "error: there is no main".to_owned()));
    }
    Ok(unit)
}

fn read(files: &[PathBuf], options: &Options) -> Result<Unit, Ending> {
    let stopped = |d: &Diagnostic| format!("stopped: {}", d.message);
    tamis_front_c::read(files, options).map_err(|error| match &error {
        Error::Unreadable(d) => {
            tamis_diagnostics::print("error", d);
            (ExitStatus::Unreadable, stopped(d))
        }
        Error::Unsupported(d) => {
            tamis_diagnostics::print("unsupported", d);
            (ExitStatus::Unknown, stopped(d))
        }
    })
}

/// A place as `file:line:column`.
pub fn place(unit: &Unit, at: Position) -> String {
    match unit.files().get(at.file as usize) {
        Some(file) if at.line > 0 => format!("{file}:{}:{}", at.line, at.column),
        Some(file) => file.clone(),
        None => String::new(),
    }
}

fn ending(unit: &Unit, outcome: &Outcome) -> Ending {
    let stopped =
        |what: &str, at: Position| (ExitStatus::Unknown, format!("stopped: {what}, {}", place(unit, at)));
    match outcome {
        Outcome::Exit(status) => (ExitStatus::True, format!("exit status: {}", status & 0xff)),
        Outcome::Violation { what, at } => {
            (ExitStatus::False, format!("VIOLATION: {what}, {}", place(unit, *at)))
        }
        Outcome::Undefined { kind, detail, at, .. } if detail.is_empty() => {
            stopped(&format!("undefined behaviour: {kind}"), *at)
        }
        Outcome::Undefined { kind, detail, at, .. } => {
            stopped(&format!("undefined behaviour: {kind}: {detail}"), *at)
        }
        Outcome::AssumeFailed { at } => stopped("an assumption does not hold", *at),
        Outcome::Aborted { at } => (ExitStatus::True, format!("aborted, {}", place(unit, *at))),
        Outcome::OutOfInputs { function, at } => {
            stopped(&format!("no input left for {function} (--input, --inputs, --seed)"), *at)
        }
        Outcome::Limit(limit, at) => stopped(&limit.to_string(), *at),
        Outcome::Undetermined { what, at } => stopped(&format!("C does not say what follows: {what}"), *at),
        Outcome::Stopped(at) => stopped("by the observer", *at),
        Outcome::Unsupported { what, at } => stopped(&format!("unsupported: {what}"), *at),
    }
}
