//! The integers of `<stdlib.h>`.

use super::super::machine::Machine;
use super::super::outcome::{Stop, Undefined};
use super::super::scalar::{Int, Kind};
use super::{Answer, Args, Routine};
use std::collections::VecDeque;
use tamis_front_c::tree::vocabulary::INPUT;

pub(super) fn routine(name: &str) -> Option<Routine> {
    Some(match name {
        "abs" | "labs" | "llabs" | "imaxabs" => abs,
        "atoi" | "atol" | "atoll" => atoi,
        "strtol" | "strtoll" | "strtoimax" | "__isoc23_strtol" | "__isoc23_strtoll" => strtol,
        "strtoul" | "strtoull" | "strtoumax" | "__isoc23_strtoul" | "__isoc23_strtoull" => strtoul,
        "strtod" | "strtof" | "strtold" => strtod,
        "atof" => atof,
        "rand" | "random" => rand,
        "srand" | "srandom" => srand,
        "__errno_location" => errno_location,
        "getenv" => null,
        _ => return None,
    })
}

fn abs(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let value = args.int(0) as i64;
    if matches!(args.kinds.first(), Some(Kind::Int(k)) if i128::from(value) == k.min()) {
        m.note(Undefined::SignedOverflow, "magnitude", pc)?;
    }
    Ok(Answer::Int(value.wrapping_abs() as u64))
}

/// A number at the start of a text: sign, magnitude, how far it goes, and whether it is there at all.
fn scan(text: &[u8], base: u32) -> (bool, u128, usize) {
    let mut at = text.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0x0b).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let digit = |i: usize| text.get(i).and_then(|&b| char::from(b).to_digit(36));
    let hex = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && digit(at + 2).is_some_and(|d| d < 16);
    let base = match base {
        0 if hex => 16,
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    if base == 16 && hex {
        at += 2;
    }
    let start = at;
    let mut value = 0u128;
    while let Some(d) = digit(at).filter(|&d| d < base) {
        value = value.saturating_mul(base.into()).saturating_add(d.into());
        at += 1;
    }
    if at == start { (false, 0, 0) } else { (negative, value, at) }
}

fn parse(
    m: &mut Machine<'_>,
    args: &Args<'_>,
    base: u32,
    end: u64,
    signed: bool,
    pc: u32,
) -> Result<Answer, Stop> {
    let text = m.string_at(args.int(0), pc)?;
    let (negative, magnitude, length) = scan(&text, base);
    if end != 0 {
        m.store_address(end, args.int(0) + length as u64, pc)?;
    }
    let k = match Kind::of(m.unit, args.result_type) {
        Ok(Kind::Int(k)) => Int::new(k.bits(), signed),
        _ => Int::I64,
    };
    let most = if signed { (1u128 << (k.bits() - 1)) - 1 } else { (1u128 << k.bits()) - 1 };
    let limit = if signed && negative { most + 1 } else { most };
    let clipped = magnitude.min(limit);
    if magnitude > limit {
        set_errno(m, 34, pc)?;
    }
    let value = if magnitude > limit && !signed {
        most
    } else if negative {
        clipped.wrapping_neg()
    } else {
        clipped
    };
    Ok(Answer::Int(value as u64))
}

fn atoi(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    // The C library's is strtol, cut off.
    let text = m.string_at(args.int(0), pc)?;
    let (negative, magnitude, _) = scan(&text, 10);
    let k = if m.unit[args.function].name.ends_with("ll") { Int::I64 } else { Int::new(m.unit.word(), true) };
    let most = (1u128 << (k.bits() - 1)) - 1;
    let clipped = magnitude.min(if negative { most + 1 } else { most });
    if clipped != magnitude {
        m.leave_open("a number that does not fit", pc)?;
    }
    let value = if negative { clipped.wrapping_neg() } else { clipped };
    Ok(Answer::Int(value as u64))
}

fn strtol(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    parse(m, args, args.int(2) as u32, args.int(1), true, pc)
}

fn strtoul(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    parse(m, args, args.int(2) as u32, args.int(1), false, pc)
}

/// The longest prefix that is a decimal floating-point number, and its length.
fn scan_float(text: &[u8]) -> (f64, usize) {
    let skip = text.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let rest: String = text[skip..].iter().map(|&b| char::from(b)).take_while(char::is_ascii).collect();
    let plausible = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let longest = rest.find(|c| !plausible(c)).unwrap_or(rest.len());
    for end in (1..=longest).rev() {
        let part = &rest[..end];
        if part.ends_with(|c: char| c.is_ascii_digit() || c == '.')
            && part.contains(|c: char| c.is_ascii_digit())
            && let Ok(value) = part.parse::<f64>()
        {
            return (value, skip + end);
        }
    }
    (0.0, 0)
}

fn strtod(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let text = m.string_at(args.int(0), pc)?;
    let lower = text.to_ascii_lowercase();
    if [&b"0x"[..], b"inf", b"nan"].iter().any(|special| lower.windows(special.len()).any(|w| w == *special))
    {
        return Err(m.unsupported("strtod of a number that is not decimal", pc));
    }
    let (value, length) = scan_float(&text);
    if args.int(1) != 0 {
        m.store_address(args.int(1), args.int(0) + length as u64, pc)?;
    }
    Ok(Answer::Float(value))
}

fn atof(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let text = m.string_at(args.int(0), pc)?;
    Ok(Answer::Float(scan_float(&text).0))
}

/// The last 31 numbers of glibc's generator, each the sum of those 3 and 31 before.
fn seeded(seed: u32) -> VecDeque<u32> {
    let mut state = vec![i64::from(if seed == 0 { 1 } else { seed as i32 })];
    for i in 1..31 {
        state.push((16_807 * state[i - 1]).rem_euclid(2_147_483_647));
    }
    let mut state: VecDeque<u32> = state.into_iter().map(|v| v as u32).collect();
    // The first three are taken over as they are.
    state.rotate_left(3);
    for _ in 0..310 {
        advance(&mut state);
    }
    state
}

fn advance(state: &mut VecDeque<u32>) -> u32 {
    let next = state[0].wrapping_add(state[28]);
    state.rotate_left(1);
    state[30] = next;
    next >> 1
}

fn rand(m: &mut Machine<'_>, args: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    // A counterexample has chosen the numbers.
    let name = format!("{INPUT}{}", m.unit[args.function].name);
    if let Some(number) = m.inputs.named(&name) {
        return Ok(Answer::Int(number as u64));
    }
    let state = m.random.get_or_insert_with(|| seeded(1));
    Ok(Answer::Int(advance(state).into()))
}

fn srand(m: &mut Machine<'_>, args: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    m.random = Some(seeded(args.int(0) as u32));
    Ok(Answer::Nothing)
}

/// Where `errno` is.
fn errno(m: &mut Machine<'_>, pc: u32) -> Result<u64, Stop> {
    if let Some(address) = m.errno {
        return Ok(address);
    }
    let address = m.keep(&[0; 4], pc)?;
    m.errno = Some(address);
    Ok(address)
}

fn set_errno(m: &mut Machine<'_>, value: u64, pc: u32) -> Result<(), Stop> {
    let address = errno(m, pc)?;
    m.store(address, 4, value, pc)
}

fn errno_location(m: &mut Machine<'_>, _: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    errno(m, pc).map(Answer::Int)
}

fn null(_: &mut Machine<'_>, _: &Args<'_>, _: u32) -> Result<Answer, Stop> {
    Ok(Answer::Int(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_random_numbers_are_those_of_glibc() {
        let mut state = seeded(1);
        assert_eq!([advance(&mut state), advance(&mut state)], [1_804_289_383, 846_930_886]);
    }

    #[test]
    fn scanning() {
        assert_eq!(scan(b"  -12x", 10), (true, 12, 5));
        assert_eq!(scan(b"0x1Fg", 0), (false, 31, 4));
        assert_eq!(scan(b"0xg", 16), (false, 0, 1));
        assert_eq!(scan(b"0778", 0), (false, 0o77, 3));
        assert_eq!(scan(b"abc", 10), (false, 0, 0));
        assert_eq!(scan(b"zz", 36), (false, 35 * 36 + 35, 2));
        assert_eq!(scan_float(b" 1.5e3x"), (1500.0, 6));
        assert_eq!(scan_float(b"1e"), (1.0, 1));
        assert_eq!(scan_float(b".").1, 0);
    }
}
