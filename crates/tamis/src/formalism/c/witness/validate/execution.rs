//! Violation sequences that say all inputs: one execution decides about them.

use super::Subject;
use crate::formalism::c::property::Property;
use crate::formalism::c::witness::monitor::{SEGMENT, is_inserted_file};
use crate::formalism::c::witness::{Segment, WaypointKind};
use std::ops::ControlFlow;
use tamis_front_c::Spot;
use tamis_front_c::tree::vocabulary::is_input;
use tamis_front_c::tree::{Position, Unit};
use tamis_interpreter_c::account::{Account, Happening};
use tamis_interpreter_c::interpreter::{
    Event, Inputs, Interpreter, Limits, Moment, Observer, Outcome, Undefined, Value, parse_number,
};

/// So many statements are executed at most.
const STATEMENTS: u64 = 20_000_000;

/// Runs the program with its monitor on the inputs that a sequence says: what it did, if it followed the sequence to a
/// violation at the target. The program as it is must come to a violation too.
pub fn follow(
    subject: &Subject<'_>,
    unit: &Unit,
    segments: &[Segment],
    extent: (Spot, Spot),
    first: usize,
) -> Option<Account> {
    let inputs = inputs(subject, segments)?;
    let mut watch = Watch::new(subject, unit, Some(extent), first);
    if !watch.violates(inputs.clone()) || watch.segment != segments.len() - 1 || !watch.at_target {
        return None;
    }
    let account = watch.account;
    let mut again = Watch::new(subject, subject.finder.unit, None, first);
    again.violates(inputs).then_some(account)
}

/// The inputs that a sequence says, in their order.
fn inputs(subject: &Subject<'_>, segments: &[Segment]) -> Option<Inputs> {
    let mut inputs = Inputs::list([]).with_unset_bytes(0);
    for segment in segments {
        let WaypointKind::FunctionReturn(expression) = &segment.follow.kind else { continue };
        let constant = expression.text.trim().strip_prefix("\\result")?.trim_start().strip_prefix("==")?;
        let call = subject.finder.call(&segment.follow.place)?;
        let name = &subject.finder.unit[call.function?].name;
        if is_input(name) {
            inputs.give(name, parse_number(constant.trim())?);
        }
    }
    Some(inputs)
}

/// Whether the program as it is violates the property on the inputs of an execution; `None` if they cannot be given to
/// it.
pub fn repeated(subject: &Subject<'_>, account: &Account) -> Option<bool> {
    let (first, left_out, last) = account.parts();
    let unit = subject.finder.unit;
    if left_out > 0 || unit.main().is_some_and(|main| !unit[main].params.is_empty()) {
        return None;
    }
    let mut inputs = Inputs::list([]).with_unset_bytes(0);
    for moved in first.iter().chain(last) {
        if let Happening::Input { name, value } = &moved.what {
            // What was never set is asked for by others than those who can be told.
            let asked = is_input(name);
            inputs.give(name, parse_number(value).filter(|_| asked)?);
        }
    }
    Some(Watch::new(subject, unit, None, 0).violates(inputs))
}

/// Watches a run for its violation.
struct Watch<'a> {
    subject: &'a Subject<'a>,
    unit: &'a Unit,
    wanted: &'static [Undefined],
    extent: Option<(Spot, Spot)>,
    account: Account,
    /// The segment that the run is in.
    segment: usize,
    /// Where the active calls are.
    calls: Vec<Position>,
    /// Whether the violation is at the target.
    at_target: bool,
}

impl<'a> Watch<'a> {
    fn new(
        subject: &'a Subject<'a>,
        unit: &'a Unit,
        extent: Option<(Spot, Spot)>,
        segment: usize,
    ) -> Watch<'a> {
        let wanted = Property::violations(subject.property);
        let (account, calls) = (Account::default(), Vec::new());
        Watch { subject, unit, wanted, extent, account, segment, calls, at_target: false }
    }

    fn violates(&mut self, inputs: Inputs) -> bool {
        let limits = Limits { steps: Some(STATEMENTS), ..Limits::default() };
        match Interpreter::new(self.unit, inputs, limits).run(self, &mut Vec::new()) {
            Outcome::Violation { at, .. } => {
                self.violated(at);
                self.wanted.is_empty()
            }
            Outcome::Undefined { kind, at, .. } if self.wanted.contains(&kind) => {
                self.violated(at);
                !self.is_inserted(at)
            }
            Outcome::Stopped(_) => true,
            _ => false,
        }
    }

    fn is_inserted(&self, at: Position) -> bool {
        self.unit.files().get(at.file as usize).is_some_and(|file| is_inserted_file(file))
    }

    fn violated(&mut self, at: Position) {
        let Some((from, to)) = self.extent else { return };
        let inside = |at: &Position| {
            let file = self.unit.files().get(at.file as usize).map_or("", String::as_str);
            let spot = self.subject.finder.sources.spot_in(file, at.line, at.column);
            spot.is_some_and(|spot| from <= spot && spot < to)
        };
        // The first call is that of `main`, which no statement makes.
        self.at_target = inside(&at) || self.calls.iter().skip(1).any(inside);
    }
}

impl Observer for Watch<'_> {
    fn event(&mut self, moment: &Moment, event: &Event<'_>) -> ControlFlow<()> {
        let _ = self.account.event(moment, event);
        match event {
            Event::Assign { object, value: Value::Unsigned(value), .. } if *object == SEGMENT => {
                self.segment = *value as usize;
            }
            Event::Call { .. } => self.calls.push(moment.at),
            Event::Return(_) => {
                self.calls.pop();
            }
            // What a witness says is not the program's doing.
            Event::Undefined(kind, _) if self.wanted.contains(kind) && !self.is_inserted(moment.at) => {
                self.violated(moment.at);
                return ControlFlow::Break(());
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
