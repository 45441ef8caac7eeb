//! `tamis certify WITNESS DESIGN`: whether a witness of a violation, of any tool, is right.
//!
//! The design is executed on the values that the witness gives; what it does not give, or says does not matter, is 0. The
//! witness is right if all constraints hold in all cycles, each property that it names is violated, and each value that the
//! design determines is as the witness says.

use super::input;
use super::trace::{self, Assignment, Cycle, Trace};
use crate::arguments::{CertifyOptions, InputOptions, PropertyChoice};
use crate::certify::Finding;
use crate::refusal::Refusal;
use crate::verdict::{ExitStatus, Verdict};
use tamis_design::{Design, Lasso, Run, Signal, Stimulus};
use tamis_diagnostics::Diagnostic;
use tamis_logic::{Bits, Model, Sort, Term, Terms, UBig, Value};

/// Checks a witness.
pub fn decide(options: &CertifyOptions) -> Result<Finding, Refusal> {
    let name = options.evidence.display().to_string();
    let unreadable = |message: &str| Refusal::unreadable(Diagnostic::about_file(&*name, message));
    let mut input = InputOptions {
        files: options.files.clone(),
        reading: options.reading.clone(),
        design: options.design.clone(),
    };
    if input.files.is_empty() && input.design.lists.is_empty() {
        return Err(unreadable("a witness is checked against its design, which is not given"));
    }
    input::resolve(&mut input)?;
    let bytes = std::fs::read(&options.evidence).map_err(|e| unreadable(&format!("cannot be read: {e}")))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut terms = Terms::new();
    let design = input::load(&input, &mut terms, None)?.design;
    let extension = input.files.first().and_then(|f| f.extension()).unwrap_or_default();
    let is = |kinds: &[&str]| kinds.iter().any(|kind| extension.eq_ignore_ascii_case(kind));
    let traces = match is(&["aig", "aag"]) {
        true => trace::aiger(&name, &text, (design.registers.len(), design.inputs.len())),
        false => trace::btor2(&name, &text),
    }
    .map_err(Refusal::unreadable)?;
    // A witness about Verilog counts words as the BTOR2 file that was written with it does.
    let by_place = !is(&["aig", "aag", "btor", "btor2"]);
    let checker = Checker { terms: &terms, design: &design, by_place };
    let mut confirmed: Vec<String> = Vec::new();
    for trace in &traces {
        for &(kind, number) in &trace.claims {
            match checker.check(trace, kind, number) {
                Ok((property, how)) => {
                    if !options.quiet {
                        eprintln!("confirmed: {property} is violated {how}");
                    }
                    confirmed.push(property);
                }
                Err(why) => {
                    if !options.quiet {
                        eprintln!("refuted: {why}");
                    }
                    let reason = format!("witness refuted: {why}");
                    return Ok(Finding::unknown(reason, ExitStatus::Unknown));
                }
            }
        }
    }
    let wanted = match &options.property {
        Some(PropertyChoice::Named(name)) => confirmed.into_iter().find(|property| property == name),
        Some(PropertyChoice::File(_)) => None,
        None => confirmed.into_iter().next(),
    };
    match wanted {
        Some(property) => Ok(Finding { verdict: Verdict::False(property), status: ExitStatus::False }),
        None => Ok(Finding::refused(format!("{name}: the witness is not about this property"))),
    }
}

struct Checker<'a> {
    terms: &'a Terms,
    design: &'a Design,
    /// Whether words are counted by their place in the design, and not as the source does.
    by_place: bool,
}

impl Checker<'_> {
    /// Whether a trace violates a property: the property's name, and how it is violated.
    fn check(&self, trace: &Trace, kind: char, number: usize) -> Result<(String, String), String> {
        let (terms, design) = (self.terms, self.design);
        let stimulus = self.stimulus(trace)?;
        let run = Run::new(terms, design, &stimulus).map_err(|e| e.to_string())?;
        self.agrees(trace, &run)?;
        let missing = || format!("the design has no property {kind}{number}");
        if kind == 'b' {
            let property = design.properties.iter().find(|p| p.number == number).ok_or_else(missing)?;
            let is_bad = |cycle: &Model| terms.eval(property.term, cycle).as_bool();
            return match run.cycles.iter().position(is_bad) {
                Some(cycle) => Ok((property.name.clone(), format!("in cycle {cycle}"))),
                None => Err(format!("no cycle violates {}", property.name)),
            };
        }
        let place = design.justice.iter().position(|j| j.number == number).ok_or_else(missing)?;
        // Registers that the property does not depend on need not return to the start of the loop.
        let cone = design.cone_of_justice(terms, place);
        let lasso = Lasso::find(terms, &cone, &stimulus).map_err(|e| e.to_string())?;
        let last = run.cycles.len() - 1;
        let name = design.justice[place].name.clone();
        Ok((name, format!("by the loop from cycle {} to cycle {last}", lasso.start)))
    }

    /// The values that the environment chooses. Those of a register without a next value are chosen in the cycle before.
    fn stimulus(&self, trace: &Trace) -> Result<Stimulus, String> {
        let mut stimulus = Stimulus::default();
        for (i, Cycle { registers, inputs }) in trace.cycles.iter().enumerate() {
            stimulus.cycles.push(Model::new());
            for assignment in inputs {
                let signal = self.input(assignment)?;
                self.assign(&mut stimulus.cycles[i], signal.term, assignment)?;
            }
            for assignment in registers {
                let signal = self.register(assignment)?;
                let chosen = match i {
                    0 => &mut stimulus.initial,
                    later => &mut stimulus.cycles[later - 1],
                };
                self.assign(chosen, signal.term, assignment)?;
            }
        }
        Ok(stimulus)
    }

    fn input(&self, assignment: &Assignment) -> Result<&Signal, String> {
        self.word(self.design.inputs.iter(), assignment, "input")
    }

    fn register(&self, assignment: &Assignment) -> Result<&Signal, String> {
        self.word(self.design.registers.iter().map(|r| &r.signal), assignment, "register")
    }

    fn word<'a>(
        &self,
        mut words: impl Iterator<Item = &'a Signal>,
        &Assignment { number, line, .. }: &Assignment,
        what: &str,
    ) -> Result<&'a Signal, String> {
        let found = match self.by_place {
            true => words.nth(number),
            false => words.find(|signal| signal.number == number),
        };
        found.ok_or_else(|| format!("line {line}: the design has no {what} of number {number}"))
    }

    /// Sets a word, or an element of a memory.
    fn assign(&self, model: &mut Model, word: Term, assignment: &Assignment) -> Result<(), String> {
        let sort = self.terms.sort(word);
        let value = match self.terms.array_parts(sort) {
            None if assignment.index.is_some() => return Err(misfit(assignment)),
            None => bits(sort, &assignment.value, assignment)?,
            Some((indices, elements)) => {
                let element = bits(elements, &assignment.value, assignment)?;
                match assignment.index.as_deref() {
                    Some("*") => Value::Array(self.terms.constant_array(sort, element).into()),
                    Some(index) => {
                        let index = bits(indices, index, assignment)?;
                        let before = model.get(word).cloned();
                        let before = before.unwrap_or_else(|| self.terms.default_value(sort));
                        let Value::Array(memory) = before else { return Err(misfit(assignment)) };
                        let mut memory = (*memory).clone();
                        memory.store(index, element);
                        Value::Array(memory.into())
                    }
                    None => return Err(misfit(assignment)),
                }
            }
        };
        model.set(word, value);
        Ok(())
    }

    /// That the run has the values that the witness says.
    fn agrees(&self, trace: &Trace, run: &Run) -> Result<(), String> {
        for (i, cycle) in trace.cycles.iter().enumerate() {
            for assignment in &cycle.registers {
                let signal = self.register(assignment)?;
                let mut held = run.value(self.terms, i, signal.term);
                if let Value::Array(memory) = &held {
                    let indices = self.terms.array_parts(memory.sort()).map(|(index, _)| index);
                    let element = match (assignment.index.as_deref(), indices) {
                        // That of all other elements is a way to write the others shorter.
                        (Some("*"), _) | (None, _) | (_, None) => continue,
                        (Some(index), Some(indices)) => {
                            memory.select(&bits(indices, index, assignment)?).clone()
                        }
                    };
                    held = element;
                }
                let held = super::witness::binary(&held);
                let differs = held.chars().zip(assignment.value.chars()).any(|(a, b)| b != 'x' && a != b);
                if differs {
                    let Assignment { line, value, .. } = assignment;
                    return Err(format!("line {line}: {} is {held} in cycle {i}, not {value}", signal.name));
                }
            }
        }
        Ok(())
    }
}

fn misfit(assignment: &Assignment) -> String {
    format!("line {}: the value is not of the word's sort", assignment.line)
}

/// A word in binary.
fn bits(sort: Sort, digits: &str, assignment: &Assignment) -> Result<Value, String> {
    let width =
        sort.width().filter(|width| digits.len() == *width as usize).ok_or_else(|| misfit(assignment))?;
    let number = UBig::from_str_radix(&digits.replace('x', "0"), 2).map_err(|_| misfit(assignment))?;
    Ok(Value::Bits(Bits::from_ubig(width, number)))
}
