//! The functions of `<math.h>` whose results are exact, or rounded to the nearest.

use super::super::machine::Machine;
use super::super::outcome::Stop;
use super::super::scalar::{Format, Kind};
use super::{Answer, Args, Routine};

pub(super) fn routine(name: &str) -> Option<Routine> {
    // Of a function of `double`, there are forms for `float` with an f; those for `long double` are not known.
    let plain = match name.strip_suffix('f') {
        Some(plain) if !matches!(name, "modf" | "erf") => plain,
        _ => name,
    };
    Some(match plain {
        "fabs" => |m, a, pc| one(m, a, f64::abs, pc),
        "sqrt" => |m, a, pc| one(m, a, f64::sqrt, pc),
        "floor" => |m, a, pc| one(m, a, f64::floor, pc),
        "ceil" => |m, a, pc| one(m, a, f64::ceil, pc),
        "trunc" => |m, a, pc| one(m, a, f64::trunc, pc),
        "round" => |m, a, pc| one(m, a, f64::round, pc),
        "rint" | "nearbyint" => |m, a, pc| one(m, a, f64::round_ties_even, pc),
        "fmod" => |m, a, pc| two(m, a, |x, y| x % y, pc),
        "fmin" => |m, a, pc| two(m, a, f64::min, pc),
        "fmax" => |m, a, pc| two(m, a, f64::max, pc),
        "fdim" => |m, a, pc| two(m, a, |x, y| if x <= y { 0.0 } else { x - y }, pc),
        "copysign" => |m, a, pc| two(m, a, f64::copysign, pc),
        "lround" | "llround" => |m, a, pc| whole(m, a, f64::round, pc),
        "lrint" | "llrint" => |m, a, pc| whole(m, a, f64::round_ties_even, pc),
        _ => match name {
            "isnan" | "__isnan" | "__isnanf" | "isnanf" => |m, a, pc| test(m, a, f64::is_nan, pc),
            "isinf" | "isinf_sign" => |m, a, pc| infinite(m, a, pc),
            "__isinf" | "__isinff" => |m, a, pc| infinite(m, a, pc),
            "isfinite" | "finite" | "__finite" | "__finitef" => |m, a, pc| test(m, a, f64::is_finite, pc),
            "signbit" | "__signbit" | "__signbitf" => sign_bit,
            "__fpclassify" | "__fpclassifyf" => classify,
            "inf" | "huge_val" | "inff" | "huge_valf" => |_, _, _| Ok(Answer::Float(f64::INFINITY)),
            "nan" | "nanf" => |_, _, _| Ok(Answer::Float(f64::NAN)),
            _ => return None,
        },
    })
}

/// Fails on `long double`, of which only a rounded value would be seen.
fn check(m: &Machine<'_>, args: &Args<'_>, pc: u32) -> Result<(), Stop> {
    match args.kinds.iter().any(|k| matches!(k, Kind::Float(Format::Extended))) {
        true => Err(m.unsupported("a library function of long double", pc)),
        false => Ok(()),
    }
}

fn one(m: &mut Machine<'_>, args: &Args<'_>, f: fn(f64) -> f64, pc: u32) -> Result<Answer, Stop> {
    check(m, args, pc)?;
    Ok(Answer::Float(f(args.float(0))))
}

fn two(m: &mut Machine<'_>, args: &Args<'_>, f: fn(f64, f64) -> f64, pc: u32) -> Result<Answer, Stop> {
    check(m, args, pc)?;
    Ok(Answer::Float(f(args.float(0), args.float(1))))
}

/// A number that is rounded to an integer, which has to fit.
fn whole(m: &mut Machine<'_>, args: &Args<'_>, f: fn(f64) -> f64, pc: u32) -> Result<Answer, Stop> {
    check(m, args, pc)?;
    let value = f(args.float(0));
    let limit = if m.unit.word() == 32 { 2f64.powi(31) } else { 2f64.powi(63) };
    match value >= -limit && value < limit {
        true => Ok(Answer::Int(value as i64 as u64)),
        false => Err(m.unsupported("a number that does not fit into the integer that it is rounded to", pc)),
    }
}

fn test(m: &mut Machine<'_>, args: &Args<'_>, f: fn(f64) -> bool, pc: u32) -> Result<Answer, Stop> {
    check(m, args, pc)?;
    Ok(Answer::Int(f(args.float(0)).into()))
}

fn sign_bit(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    check(m, args, pc)?;
    m.truth("signbit", args.float(0).is_sign_negative(), 128, pc)
}

fn infinite(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    check(m, args, pc)?;
    let value = args.float(0);
    Ok(Answer::Int(if value.is_infinite() { value.signum() as i64 as u64 } else { 0 }))
}

/// glibc's numbers for the classes.
fn classify(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    check(m, args, pc)?;
    let single = matches!(args.kinds.first(), Some(Kind::Float(Format::Single)));
    let value = args.float(0);
    let class = if single { (value as f32).classify() } else { value.classify() };
    Ok(Answer::Int(match class {
        std::num::FpCategory::Nan => 0,
        std::num::FpCategory::Infinite => 1,
        std::num::FpCategory::Zero => 2,
        std::num::FpCategory::Subnormal => 3,
        std::num::FpCategory::Normal => 4,
    }))
}
