//! What the two runs did to the variables of the program.

use crate::automaton::{End, Run};
use crate::record::Record;
use tamis_interpreter_c::alignment::{PlainNames, same_value};
use tamis_interpreter_c::interpreter::Outcome;
use tamis_logic::Bits;
use tamis_program::Program;

/// How far two runs agree.
pub enum Agreement {
    /// To the end, or to where one of them was cut off.
    Full,
    /// To where the automaton over-approximates.
    UntilApproximation,
    Disagreement(String),
}

/// An assignment of the automaton to a variable of the program.
struct Write<'a> {
    step: usize,
    name: &'a str,
    value: &'a Bits,
    line: u32,
}

/// Compares the values that variables get, in their order, and how the runs end.
pub fn compare(program: &Program, plain: &PlainNames, record: &Record, run: &Run) -> Agreement {
    let writes = writes(program, plain, run);
    let excused = |step: usize| run.approximated.is_some_and(|first| first <= step);
    let here = |line: u32| format!("line {line}");
    let mut next = 0;
    for assigned in &record.assigned {
        let write = writes.get(next);
        if write.is_some_and(|w| w.name == assigned.name && same_value(assigned.value, w.value)) {
            next += 1;
            continue;
        }
        // What changes nothing may have no edge.
        if assigned.unchanged {
            continue;
        }
        let Some(write) = write else {
            if run.end == End::Limit {
                return Agreement::Full;
            }
            if excused(run.steps.len()) {
                return Agreement::UntilApproximation;
            }
            let last = run.steps.last().map_or(0, |s| program.edge(s.edge).source.line);
            return Agreement::Disagreement(format!(
                "{}: {} = {}, and the automaton ended in {:?} after line {last}",
                here(assigned.line),
                assigned.name,
                assigned.value,
                run.end
            ));
        };
        if excused(write.step) {
            return Agreement::UntilApproximation;
        }
        return Agreement::Disagreement(format!(
            "{}: {} = {}, and in the automaton at {}: {} = {:?}",
            here(assigned.line),
            assigned.name,
            assigned.value,
            here(write.line),
            write.name,
            write.value
        ));
    }
    if excused(run.steps.len()) {
        return Agreement::UntilApproximation;
    }
    ends(record, run, writes.get(next).map(|w| format!("{} at {}", w.name, here(w.line))))
}

/// Compares the ends of runs that agree until the interpreter's. `more` is the automaton's next assignment.
fn ends(record: &Record, run: &Run, more: Option<String>) -> Agreement {
    let fine = match (&record.outcome, run.end) {
        // One of them did not come to its end.
        (Outcome::Limit(..) | Outcome::Unsupported { .. } | Outcome::Undefined { .. }, _) => true,
        (_, End::Limit) => more.is_none(),
        (Outcome::Violation { .. }, end) => end == End::Error && more.is_none(),
        (Outcome::Exit(_) | Outcome::Aborted { .. } | Outcome::AssumeFailed { .. }, End::Stuck(_)) => {
            more.is_none()
        }
        _ => false,
    };
    if fine {
        return Agreement::Full;
    }
    let more = more.map_or(String::new(), |more| format!(", having written {more}"));
    Agreement::Disagreement(format!("{:?}, and the automaton ended in {:?}{more}", record.outcome, run.end))
}

/// The automaton's assignments that the interpreter reports too.
fn writes<'a>(program: &'a Program, plain: &PlainNames, run: &'a Run) -> Vec<Write<'a>> {
    let start = plain.before_main(program, run.steps.iter().map(|step| program.edge(step.edge)));
    let mut writes = Vec::new();
    for (i, step) in run.steps.iter().enumerate().skip(start) {
        let (edge, Some((v, value))) = (program.edge(step.edge), &step.wrote) else { continue };
        if plain.is_assignment(program, edge, *v) {
            let name = &program.variable(*v).name;
            writes.push(Write { step: i, name, value, line: edge.source.line });
        }
    }
    writes
}
