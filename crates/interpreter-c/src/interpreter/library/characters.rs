//! `<ctype.h>`, in the C locale.

use super::super::machine::Machine;
use super::super::outcome::Stop;
use super::{Answer, Args, Routine};

pub(super) fn routine(name: &str) -> Option<Routine> {
    Some(match name {
        "isalpha" => |m, a, pc| is(m, a, 10, pc),
        "isdigit" => |m, a, pc| is(m, a, 11, pc),
        "isalnum" => |m, a, pc| is(m, a, 3, pc),
        "isspace" => |m, a, pc| is(m, a, 13, pc),
        "isupper" => |m, a, pc| is(m, a, 8, pc),
        "islower" => |m, a, pc| is(m, a, 9, pc),
        "isxdigit" => |m, a, pc| is(m, a, 12, pc),
        "ispunct" => |m, a, pc| is(m, a, 2, pc),
        "isprint" => |m, a, pc| is(m, a, 14, pc),
        "isgraph" => |m, a, pc| is(m, a, 15, pc),
        "iscntrl" => |m, a, pc| is(m, a, 1, pc),
        "isblank" => |m, a, pc| is(m, a, 0, pc),
        "toupper" => |_, a, _| map(a, |b| b.to_ascii_uppercase()),
        "tolower" => |_, a, _| map(a, |b| b.to_ascii_lowercase()),
        "__ctype_b_loc" => |m, _, pc| m.table(0, pc),
        "__ctype_toupper_loc" => |m, _, pc| m.table(1, pc),
        "__ctype_tolower_loc" => |m, _, pc| m.table(2, pc),
        _ => return None,
    })
}

fn is(m: &mut Machine<'_>, args: &Args<'_>, bit: u32, pc: u32) -> Result<Answer, Stop> {
    let mask = 1 << bit;
    let holds = u8::try_from(args.int(0)).is_ok_and(|b| class(b) & mask != 0);
    let name = m.unit[args.function].name.clone();
    m.truth(&name, holds, mask.into(), pc)
}

fn map(args: &Args<'_>, map: fn(u8) -> u8) -> Result<Answer, Stop> {
    Ok(Answer::Int(mapped(args.int(0) as i32, map) as u64))
}

/// A character in the other case. Those below -1 are taken for what they are without a sign.
fn mapped(c: i32, map: fn(u8) -> u8) -> i32 {
    match u8::try_from(c) {
        Ok(byte) => map(byte).into(),
        Err(_) if (-128..-1).contains(&c) => c + 256,
        Err(_) => c,
    }
}

/// glibc's bits for a character, on a little-endian machine. The functions that test for a class give its bit.
fn class(b: u8) -> u16 {
    let bits = [
        (8, b.is_ascii_uppercase()),
        (9, b.is_ascii_lowercase()),
        (10, b.is_ascii_alphabetic()),
        (11, b.is_ascii_digit()),
        (12, b.is_ascii_hexdigit()),
        (13, matches!(b, b' ' | 9..=13)),
        (14, matches!(b, 32..=126)),
        (15, b.is_ascii_graphic()),
        (0, matches!(b, b' ' | b'\t')),
        (1, b.is_ascii_control()),
        (2, b.is_ascii_punctuation()),
        (3, b.is_ascii_alphanumeric()),
    ];
    bits.iter().filter(|(_, holds)| *holds).map(|(bit, _)| 1 << bit).sum()
}

impl Machine<'_> {
    /// The address of a pointer to one of the tables that glibc's macros read, for characters from -128 to 255.
    fn table(&mut self, which: usize, pc: u32) -> Result<Answer, Stop> {
        if let Some(address) = self.tables[which] {
            return Ok(Answer::Int(address));
        }
        let entry = |c: i32| -> Vec<u8> {
            let b = u8::try_from(c);
            match which {
                0 => b.map_or(0, class).to_le_bytes().to_vec(),
                1 => mapped(c, |b| b.to_ascii_uppercase()).to_le_bytes().to_vec(),
                _ => mapped(c, |b| b.to_ascii_lowercase()).to_le_bytes().to_vec(),
            }
        };
        let bytes: Vec<u8> = (-128..256).flat_map(entry).collect();
        let zero = bytes.len() as u64 / 3;
        let table = self.keep(&bytes, pc)? + zero;
        let pointer = self.keep(&[0; 8], pc)?;
        self.store_address(pointer, table, pc)?;
        self.tables[which] = Some(pointer);
        Ok(Answer::Int(pointer))
    }
}
