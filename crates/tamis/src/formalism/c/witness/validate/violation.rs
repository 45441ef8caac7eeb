//! Violation sequences: whether some execution follows the waypoints to the target and violates the property there.
//!
//! The program counts the segments that it has passed ([`super::monitor`]), and only a violation at the target, after
//! all segments, counts as one. What is found is run again on the program as it is, without that.

use super::search::{Found, Search};
use super::{Conclusion, Subject, execution};
use crate::formalism::c::witness::Segment;
use crate::formalism::c::witness::monitor::{self, Monitored, SEGMENT, is_inserted};
use crate::refusal::Refusal;
use tamis_front_c::{Refinement, Sources, Spot};
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
    if !subject.quiet {
        notes.iter().for_each(|note| eprintln!("note: {note}"));
    }
    let unit = sources.aimed(&subject.property.target(), Refinement::default()).unit().map_err(told)?;
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
    // An execution that passes what could not be looked at may not follow the sequence.
    let confirmed = |how: &str| match notes.first() {
        None => Conclusion::Confirmed(how.to_owned()),
        Some(note) => Conclusion::Unknown(format!("{how}, as far as it was looked at: {note}")),
    };
    if let Some(account) = execution::follow(subject, &unit, segments, extent, first) {
        subject.show(&account, &unit);
        return Ok(confirmed("the execution on its inputs follows it to the violation"));
    }
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
            match execution::repeated(subject, &account) {
                Some(false) => Conclusion::Unknown(
                    "evidence: the program without waypoints does something else".to_owned(),
                ),
                // Where the inputs cannot be given to the program again, the run with waypoints counts, whose code has no
                // effect on the rest of the program.
                _ => {
                    subject.show(&account, &unit);
                    confirmed("an execution follows the sequence and violates the property")
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
