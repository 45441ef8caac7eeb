//! The vocabulary of verification tasks, and the ends of a program.

use super::super::inputs::Inputs;
use super::super::machine::Machine;
use super::super::observer::{Event, Value};
use super::super::outcome::{Outcome, Stop};
use super::super::scalar::{Format, Int, Kind};
use super::{Answer, Args, Routine};
use tamis_front_c::tree::vocabulary::{
    ASSERTIONS, ASSUMPTIONS, CPROVER, IDLE, OBJECT, UNSPECIFIED, is_input,
};
use tamis_front_c::tree::{ERROR_LABEL_REACHED, Type};

pub(super) fn routine(name: &str) -> Option<Routine> {
    Some(match name {
        "__assert_fail" | "__assert_perror_fail" | "__assert" => assert_fail,
        _ if ASSERTIONS.contains(&name) => assert,
        _ if ASSUMPTIONS.contains(&name) => assume,
        _ if IDLE.contains(&name) => nothing,
        "abort" => abort,
        "exit" | "_exit" | "_Exit" => exit,
        _ if is_input(name) => nondet,
        _ if name.starts_with(UNSPECIFIED) => unspecified,
        _ => return None,
    })
}

/// What is a violation elsewhere, in a program where something else is one: it ends the execution.
pub(super) fn ending(name: &str) -> Option<Routine> {
    Some(match name {
        "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert_perror_fail" | "__assert" => abort,
        _ if ASSERTIONS.contains(&name) => abort_unless,
        _ => return None,
    })
}

fn abort_unless(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    if args.is_true(0) { Ok(Answer::Nothing) } else { abort(m, args, pc) }
}

pub(super) fn error(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let name = &m.unit[args.function].name;
    let what =
        if name == ERROR_LABEL_REACHED { format!("{name} is reached") } else { format!("call of {name}") };
    Err(m.violation(what, pc))
}

fn assert_fail(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let what = match m.string_at(args.int(0), pc) {
        Ok(text) => format!("assertion `{}` fails", String::from_utf8_lossy(&text)),
        Err(_) => "an assertion fails".to_owned(),
    };
    Err(m.violation(what, pc))
}

fn assert(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    if args.is_true(0) {
        return Ok(Answer::Nothing);
    }
    // CBMC's say what they are about.
    let name = &m.unit[args.function].name;
    let text = name.starts_with(CPROVER) && args.values.len() > 1;
    let text = text.then(|| m.string_at(args.int(1), pc).ok()).flatten().filter(|text| !text.is_empty());
    let what = match text {
        Some(text) => format!("an assertion fails: {}", String::from_utf8_lossy(&text)),
        None => "an assertion fails".to_owned(),
    };
    Err(m.violation(what, pc))
}

fn assume(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    if !args.is_true(0) {
        return Err(Box::new(Outcome::AssumeFailed { at: m.position(pc) }));
    }
    Ok(Answer::Nothing)
}

fn abort(m: &mut Machine<'_>, _: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    Err(Box::new(Outcome::Aborted { at: m.position(pc) }))
}

fn exit(_: &mut Machine<'_>, args: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    Err(Box::new(Outcome::Exit(args.int(0) as i32)))
}

fn nothing(_: &mut Machine<'_>, _: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    Ok(Answer::Nothing)
}

/// A value that C leaves open, of any kind.
fn unspecified(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let name = m.unit[args.function].name.clone();
    let usual = [0, 1, -1, 128, i64::from(i32::MIN), 512];
    m.unspecified(&name, |_| true, usual, pc).map(|value| Answer::Int(value as u64))
}

impl Machine<'_> {
    /// A value that C leaves open, and tells so.
    pub(in super::super) fn unspecified(
        &mut self,
        name: &str,
        possible: impl Fn(i64) -> bool,
        usual: [i64; Inputs::ALTERNATIVES],
        pc: u32,
    ) -> Result<i64, Stop> {
        let value = self.inputs.unspecified(name, possible, usual);
        self.tell(pc, &Event::Unspecified { name, value: Value::Int(value.into()) })?;
        Ok(value)
    }

    /// The result of a function that compares, of which C promises the sign alone.
    pub(super) fn sign(&mut self, function: &str, difference: i64, pc: u32) -> Result<Answer, Stop> {
        if difference == 0 {
            return Ok(Answer::Int(0));
        }
        let usual = [1, difference.abs(), 2, 0x5a5a_5a5a, 256, i32::MAX.into()];
        let usual = usual.map(|magnitude| magnitude * difference.signum());
        let possible = |value: i64| i64::from(value as i32).signum() == difference.signum();
        let value = self.unspecified(&format!("{UNSPECIFIED}{function}"), possible, usual, pc)?;
        Ok(Answer::Int(value as u64))
    }

    /// The result of a function that tests something, of which C promises only whether it is 0. `glibc` is what the C
    /// library gives.
    pub(super) fn truth(&mut self, function: &str, holds: bool, glibc: i64, pc: u32) -> Result<Answer, Stop> {
        if !holds {
            return Ok(Answer::Int(0));
        }
        let usual = [1, glibc, -1, 2, 0x5a5a_5a5a, i32::MIN.into()];
        let possible = |value: i64| value as i32 != 0;
        let value = self.unspecified(&format!("{UNSPECIFIED}{function}"), possible, usual, pc)?;
        Ok(Answer::Int(value as u64))
    }
}

fn nondet(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let unit = m.unit;
    let name = &unit[args.function].name;
    let ty = args.result_type;
    let k = match Kind::of(unit, ty) {
        Ok(Kind::Int(k)) => k,
        Ok(Kind::Float(Format::Single)) => Int::U32,
        Ok(Kind::Float(Format::Double)) => Int::U64,
        Ok(Kind::Float(Format::Extended)) => Int::new(80, false),
        Ok(Kind::Void) => return Ok(Answer::Nothing),
        _ => return Err(m.unsupported(format!("an input of the type that `{name}` returns"), pc)),
    };
    let Some(input) = m.inputs.next(name, k.bits()) else {
        return Err(Box::new(Outcome::OutOfInputs { function: name.clone(), at: m.position(pc) }));
    };
    if name.starts_with(OBJECT) && !m.inputs.tells(name, args.int(0), input & 1 == 1) {
        return Err(m.unsupported("two answers about the object of a specification", pc));
    }
    let mut bits = if ty == Type::Bool { input & 1 } else { k.normal_wide(input) };
    if ty.is_pointer()
        && let Some(number) = m.observer.object(bits, k.bits())
    {
        bits = m.unknown_object(number, pc)?;
    }
    if let Some(value) = m.value_of(ty, (bits as u64, (bits >> 64) as u64)) {
        let points_to = m.points_to(ty, value);
        m.tell(pc, &Event::Input { name, value, points_to, chosen: None })?;
    }
    match Kind::of(unit, ty) {
        Ok(Kind::Float(Format::Single)) => Ok(Answer::Float(f32::from_bits(bits as u32).into())),
        Ok(Kind::Float(Format::Double)) => Ok(Answer::Float(f64::from_bits(bits as u64))),
        _ => Ok(Answer::Wide(bits)),
    }
}
