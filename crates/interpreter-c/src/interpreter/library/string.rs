//! `<string.h>`.

use super::super::machine::Machine;
use super::super::outcome::{Stop, Undefined};
use super::{Answer, Args, Routine};

pub(super) fn routine(name: &str) -> Option<Routine> {
    Some(match name {
        "memcpy" => memcpy,
        "mempcpy" | "__mempcpy" => mempcpy,
        "memmove" => memmove,
        "bcopy" => bcopy,
        "memset" => memset,
        "bzero" => bzero,
        "memcmp" => memcmp,
        "bcmp" => bcmp,
        "memchr" => memchr,
        "strlen" => strlen,
        "strnlen" => strnlen,
        "strcpy" => strcpy,
        "stpcpy" | "__stpcpy" => stpcpy,
        "strncpy" => strncpy,
        "strcat" => strcat,
        "strncat" => strncat,
        "strcmp" | "strcoll" => strcmp,
        "strncmp" => strncmp,
        "strcasecmp" => strcasecmp,
        "strncasecmp" => strncasecmp,
        "strchr" | "index" => strchr,
        "strrchr" | "rindex" => strrchr,
        "strstr" => strstr,
        "strspn" => strspn,
        "strcspn" => strcspn,
        "strpbrk" => strpbrk,
        "strtok" => strtok,
        _ => return None,
    })
}

/// Stops at a copy between pieces of memory that overlap.
fn apart(m: &Machine<'_>, to: u64, from: u64, size: u64, pc: u32) -> Result<(), Stop> {
    let overlap = size > 0 && to < from.saturating_add(size) && from < to.saturating_add(size);
    // A copy onto itself is what compilers make of an assignment, and does no harm.
    if overlap && to != from {
        return Err(m.undefined(Undefined::Overlap, format!("{size} bytes"), pc));
    }
    Ok(())
}

fn memcpy(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let (to, from, size) = (args.int(0), args.int(1), m.size_arg(args, 2));
    apart(m, to, from, size, pc)?;
    m.copy(to, from, size, pc)?;
    Ok(Answer::Int(to))
}

fn mempcpy(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    memcpy(m, args, pc)?;
    Ok(Answer::Int(args.int(0).wrapping_add(m.size_arg(args, 2))))
}

fn memmove(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    m.copy(args.int(0), args.int(1), m.size_arg(args, 2), pc)?;
    Ok(Answer::Int(args.int(0)))
}

fn bcopy(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    m.copy(args.int(1), args.int(0), m.size_arg(args, 2), pc)?;
    Ok(Answer::Nothing)
}

fn fill(m: &mut Machine<'_>, to: u64, size: u64, value: u8, pc: u32) -> Result<(), Stop> {
    m.record(to, size, true);
    m.memory.fill(to, size, value).map_err(|fault| m.fault(fault, "written", pc))
}

fn memset(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    fill(m, args.int(0), m.size_arg(args, 2), args.int(1) as u8, pc)?;
    Ok(Answer::Int(args.int(0)))
}

fn bzero(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    fill(m, args.int(0), m.size_arg(args, 1), 0, pc)?;
    Ok(Answer::Nothing)
}

/// How two sequences of bytes differ where they first do.
fn difference(a: &[u8], b: &[u8]) -> i64 {
    let first = a.iter().zip(b).find(|(a, b)| a != b);
    first.map_or(0, |(&a, &b)| i64::from(a) - i64::from(b))
}

fn memcmp(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let size = m.size_arg(args, 2);
    let (a, b) = (m.bytes_at(args.int(0), size, pc)?, m.bytes_at(args.int(1), size, pc)?);
    m.sign("memcmp", difference(&a, &b), pc)
}

fn bcmp(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let size = m.size_arg(args, 2);
    let (a, b) = (m.bytes_at(args.int(0), size, pc)?, m.bytes_at(args.int(1), size, pc)?);
    m.truth("bcmp", a != b, difference(&a, &b), pc)
}

fn found(base: u64, at: Option<usize>) -> Result<Answer, Stop> {
    Ok(Answer::Int(at.map_or(0, |i| base + i as u64)))
}

fn memchr(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    // Only bytes up to the one that is found are read.
    let (base, byte, size) = (args.int(0), args.int(1) as u8, m.size_arg(args, 2));
    for i in 0..size {
        if m.load(base.wrapping_add(i), 1, pc)? as u8 == byte {
            return Ok(Answer::Int(base + i));
        }
    }
    Ok(Answer::Int(0))
}

fn strlen(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    Ok(Answer::Int(m.string_at(args.int(0), pc)?.len() as u64))
}

fn strnlen(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    Ok(Answer::Int(m.string_up_to(args.int(0), m.size_arg(args, 1), pc)?.len() as u64))
}

/// Writes a string and its end.
fn write_string(m: &mut Machine<'_>, to: u64, mut text: Vec<u8>, pc: u32) -> Result<(), Stop> {
    text.push(0);
    m.write_bytes(to, &text, pc)
}

fn strcpy(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let text = m.string_at(args.int(1), pc)?;
    apart(m, args.int(0), args.int(1), text.len() as u64 + 1, pc)?;
    write_string(m, args.int(0), text, pc)?;
    Ok(Answer::Int(args.int(0)))
}

fn stpcpy(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let text = m.string_at(args.int(1), pc)?;
    apart(m, args.int(0), args.int(1), text.len() as u64 + 1, pc)?;
    let length = text.len() as u64;
    write_string(m, args.int(0), text, pc)?;
    Ok(Answer::Int(args.int(0) + length))
}

fn strncpy(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let size = m.size_arg(args, 2);
    let text = m.string_up_to(args.int(1), size, pc)?;
    apart(m, args.int(0), args.int(1), text.len() as u64, pc)?;
    m.write_bytes(args.int(0), &text, pc)?;
    fill(m, args.int(0) + text.len() as u64, size - text.len() as u64, 0, pc)?;
    Ok(Answer::Int(args.int(0)))
}

fn strcat(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let end = args.int(0) + m.string_at(args.int(0), pc)?.len() as u64;
    let text = m.string_at(args.int(1), pc)?;
    apart(m, end, args.int(1), text.len() as u64 + 1, pc)?;
    write_string(m, end, text, pc)?;
    Ok(Answer::Int(args.int(0)))
}

fn strncat(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let end = args.int(0) + m.string_at(args.int(0), pc)?.len() as u64;
    let text = m.string_up_to(args.int(1), m.size_arg(args, 2), pc)?;
    apart(m, end, args.int(1), text.len() as u64, pc)?;
    write_string(m, end, text, pc)?;
    Ok(Answer::Int(args.int(0)))
}

/// Compares strings byte by byte, reading no further than where they differ.
fn compare(m: &mut Machine<'_>, args: &Args<'_>, limit: u64, fold: bool, pc: u32) -> Result<Answer, Stop> {
    for i in 0..limit {
        let mut a = m.load(args.int(0).wrapping_add(i), 1, pc)? as u8;
        let mut b = m.load(args.int(1).wrapping_add(i), 1, pc)? as u8;
        if fold {
            (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
        }
        if a != b || a == 0 {
            let name = m.unit[args.function].name.clone();
            return m.sign(&name, i64::from(a) - i64::from(b), pc);
        }
    }
    Ok(Answer::Int(0))
}

fn strcmp(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    compare(m, args, u64::MAX, false, pc)
}

fn strncmp(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    compare(m, args, m.size_arg(args, 2), false, pc)
}

fn strcasecmp(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    compare(m, args, u64::MAX, true, pc)
}

fn strncasecmp(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    compare(m, args, m.size_arg(args, 2), true, pc)
}

fn strchr(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let (base, byte) = (args.int(0), args.int(1) as u8);
    for i in 0.. {
        let here = m.load(base.wrapping_add(i), 1, pc)? as u8;
        if here == byte {
            return Ok(Answer::Int(base + i));
        }
        if here == 0 {
            break;
        }
    }
    Ok(Answer::Int(0))
}

fn strrchr(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let mut text = m.string_at(args.int(0), pc)?;
    text.push(0);
    found(args.int(0), text.iter().rposition(|&b| b == args.int(1) as u8))
}

fn strstr(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let (text, part) = (m.string_at(args.int(0), pc)?, m.string_at(args.int(1), pc)?);
    let at = (0..=text.len().saturating_sub(part.len())).find(|&i| text[i..].starts_with(&part));
    found(args.int(0), at)
}

fn strspn(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let (text, set) = (m.string_at(args.int(0), pc)?, m.string_at(args.int(1), pc)?);
    Ok(Answer::Int(text.iter().take_while(|b| set.contains(b)).count() as u64))
}

fn strcspn(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let (text, set) = (m.string_at(args.int(0), pc)?, m.string_at(args.int(1), pc)?);
    Ok(Answer::Int(text.iter().take_while(|b| !set.contains(b)).count() as u64))
}

fn strpbrk(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let (text, set) = (m.string_at(args.int(0), pc)?, m.string_at(args.int(1), pc)?);
    found(args.int(0), text.iter().position(|b| set.contains(b)))
}

/// Stands for what `strtok` remembers: no object is there.
const TOKEN: u64 = 8;

fn strtok(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    // What it keeps is no memory of the program.
    m.record(TOKEN, 8, true);
    let start = if args.int(0) != 0 { args.int(0) } else { m.token };
    if start == 0 {
        return Ok(Answer::Int(0));
    }
    let (text, set) = (m.string_at(start, pc)?, m.string_at(args.int(1), pc)?);
    let Some(first) = text.iter().position(|b| !set.contains(b)) else {
        m.token = 0;
        return Ok(Answer::Int(0));
    };
    let end = text[first..].iter().position(|b| set.contains(b)).map(|n| first + n);
    m.token = 0;
    if let Some(end) = end {
        m.store(start + end as u64, 1, 0, pc)?;
        m.token = start + end as u64 + 1;
    }
    Ok(Answer::Int(start + first as u64))
}
