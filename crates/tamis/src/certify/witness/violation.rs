//! Violation sequences: whether some execution follows the waypoints to the target and violates the property there.
//!
//! The program counts the segments that it has passed ([`super::monitor`]), and only a violation at the target, after
//! all segments, counts as one. What is found is run again on the program as it is, without that.

use super::search::{Found, Search};
use super::{Conclusion, Subject};
use crate::input::Refusal;
use crate::property::Property;
use crate::witness::Segment;
use crate::witness::monitor::{self, Monitored, SEGMENT, is_inserted};
use std::ops::ControlFlow;
use tamis_evidence::account::{Account, Happening};
use tamis_evidence::interpreter::{
    Event, Inputs, Interpreter, Limits, Moment, Observer, Outcome, Undefined, parse_number,
};
use tamis_front_c::tree::Unit;
use tamis_front_c::{Sources, Spot};
use tamis_logic::Terms;
use tamis_program::{Edge, FrameId, Program, Source};

/// Decides about one sequence.
pub fn validate(
    subject: &Subject<'_>,
    search: &Search<'_>,
    segments: &[Segment],
) -> Result<Conclusion, Refusal> {
    let Monitored { program: sources, items, notes, first } =
        subject.monitored(|monitor| monitor.follow(segments))?;
    let told = |error| Refusal::from(monitor::told_about(&subject.witness.document, &items, error));
    notes.iter().for_each(|note| eprintln!("note: {note}"));
    let unit = sources.unit().map_err(told)?;
    if let Err((item, why)) = monitor::expressions_have_no_effect(&unit) {
        return Err(subject.about(&items[item], why));
    }
    let Some(target) = segments.last().map(|segment| &segment.follow) else {
        return Ok(Conclusion::Refuted("there is no target".to_owned()));
    };
    let Some(extent) = subject.finder.extent(&target.place) else {
        let message = format!("there is no statement at {}:{}", target.place.file, target.place.line);
        return Err(Refusal::unreadable(subject.witness.document.error(&target.node, message)));
    };
    let last = segments.len() - 1;
    let kinds = subject.property.undefined();
    let shape = |terms: &mut Terms, program: &Program| {
        let program = match kinds.is_empty() {
            true => program.clone(),
            false => {
                program.checked_where(|mark| kinds.contains(&mark.what) && !is_inserted(program, mark.source))
            }
        };
        let counter = program.variables().iter().find(|v| v.name == SEGMENT && v.frame.is_none());
        let passed = match counter.map(|v| v.term) {
            Some(counter) => {
                let all = terms.bits(32, last as u128);
                terms.eq(counter, all)
            }
            // Nothing moves it.
            None if first == last => terms.tru(),
            None => terms.fals(),
        };
        program.narrowed(terms, |edge| {
            is_within(&program, subject.finder.sources, edge, extent).then_some(passed)
        })
    };
    Ok(match search.decide(&sources, subject.property, &shape).map_err(told)? {
        Found::Safe => Conclusion::Refuted("no execution follows the sequence to a violation".to_owned()),
        Found::Unknown(why) => {
            Conclusion::Unknown(format!("no execution was found that follows the sequence: {why}"))
        }
        Found::Violation(run) => {
            let (account, unit) = *run;
            match repeated(subject, &account) {
                Some(false) => Conclusion::Unknown(
                    "evidence: the program without waypoints does something else".to_owned(),
                ),
                _ => {
                    subject.show(&account, &unit);
                    Conclusion::Confirmed(
                        "an execution follows the sequence and violates the property".to_owned(),
                    )
                }
            }
        }
    })
}

/// Whether what an edge does happens while a statement is executed.
fn is_within(program: &Program, sources: &Sources, edge: &Edge, (from, to): (Spot, Spot)) -> bool {
    let inside = |at: Source| {
        let spot = sources.spot_in(program.file(at.file), at.line, at.column);
        spot.is_some_and(|spot| from <= spot && spot < to)
    };
    let mut frame: FrameId = program.frame_of(edge.from);
    if inside(edge.source) {
        return true;
    }
    while let Some((caller, at)) = program.frame(frame).caller {
        if inside(at) {
            return true;
        }
        frame = caller;
    }
    false
}

/// Whether the program as it is violates the property on the same inputs; `None` if they cannot be given to it.
fn repeated(subject: &Subject<'_>, account: &Account) -> Option<bool> {
    let (first, left_out, last) = account.parts();
    if left_out > 0 {
        return None;
    }
    let mut inputs = Inputs::list([]).with_unset_bytes(0);
    for moved in first.iter().chain(last) {
        if let Happening::Input { name, value } = &moved.what {
            inputs.give(name, parse_number(value)?);
        }
    }
    Some(violates(subject.finder.unit, inputs, subject.property))
}

fn violates(unit: &Unit, inputs: Inputs, property: &Property) -> bool {
    let limits = Limits { steps: Some(100_000_000), ..Limits::default() };
    let mut watch = Watch { wanted: property.violations(), seen: false };
    match Interpreter::new(unit, inputs, limits).run(&mut watch, &mut Vec::new()) {
        Outcome::Violation { .. } => watch.wanted.is_empty(),
        Outcome::Undefined { kind, .. } => watch.seen || watch.wanted.contains(&kind),
        _ => watch.seen,
    }
}

/// Waits for undefined behaviour.
struct Watch {
    wanted: &'static [Undefined],
    seen: bool,
}

impl Observer for Watch {
    fn event(&mut self, _: &Moment, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Undefined(kind, _) if self.wanted.contains(kind) => {
                self.seen = true;
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }
}
