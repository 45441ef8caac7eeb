//! Instructions of x86 that programs write by hand, in AT&T syntax: a table of what they do to their operands and flags.
//!
//! Only templates without jumps, labels, addresses and registers by name are read; the operands are those of the statement.
//! There is one thread, so `lock` means nothing.

/// An operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    /// An operand of the statement by its number, and how many bits of it are meant, where that is written.
    Place(usize, Option<u32>),
    /// A number.
    Number(i128),
    /// The register `cl`, by which shifts shift.
    Count,
}

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Act {
    Move,
    Add,
    Sub,
    AddCarry,
    SubBorrow,
    And,
    Or,
    Xor,
    Multiply,
    /// Subtracts, and keeps only the flags.
    Compare,
    /// The same for `and`.
    Test,
    Increment,
    Decrement,
    Negate,
    Not,
    SwapBytes,
    ShiftLeft,
    ShiftRight,
    ShiftSigned,
    RotateLeft,
    RotateRight,
    /// The number of the highest bit that is 1; of 0, anything.
    HighestBit,
    LowestBit,
    LeadingZeros,
    TrailingZeros,
    CountBits,
    Exchange,
    /// `xadd`: the sum goes to the destination, what was there to the source.
    ExchangeAdd,
    /// `cmpxchg`, with the accumulator.
    CompareExchange,
    /// `d:a = a * source`
    WideMultiply,
    /// 1 or 0 by the flags.
    Set(Flag),
}

/// A condition on the flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flag {
    Carry,
    NoCarry,
    Zero,
    NotZero,
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Instruction {
    pub(super) act: Act,
    /// How many bits it works on, where its name says so.
    pub(super) bits: Option<u32>,
    /// The operands, the destination last.
    pub(super) operands: Vec<Operand>,
}

/// The instructions by their names without the letter of the width, and how many operands they have.
const TABLE: [(&str, Act, usize); 31] = [
    ("mov", Act::Move, 2),
    ("add", Act::Add, 2),
    ("sub", Act::Sub, 2),
    ("adc", Act::AddCarry, 2),
    ("sbb", Act::SubBorrow, 2),
    ("and", Act::And, 2),
    ("or", Act::Or, 2),
    ("xor", Act::Xor, 2),
    ("imul", Act::Multiply, 2),
    ("cmp", Act::Compare, 2),
    ("test", Act::Test, 2),
    ("inc", Act::Increment, 1),
    ("dec", Act::Decrement, 1),
    ("neg", Act::Negate, 1),
    ("not", Act::Not, 1),
    ("bswap", Act::SwapBytes, 1),
    ("shl", Act::ShiftLeft, 2),
    ("sal", Act::ShiftLeft, 2),
    ("shr", Act::ShiftRight, 2),
    ("sar", Act::ShiftSigned, 2),
    ("rol", Act::RotateLeft, 2),
    ("ror", Act::RotateRight, 2),
    ("bsr", Act::HighestBit, 2),
    ("bsf", Act::LowestBit, 2),
    ("lzcnt", Act::LeadingZeros, 2),
    ("tzcnt", Act::TrailingZeros, 2),
    ("popcnt", Act::CountBits, 2),
    ("xchg", Act::Exchange, 2),
    ("xadd", Act::ExchangeAdd, 2),
    ("cmpxchg", Act::CompareExchange, 2),
    ("mul", Act::WideMultiply, 1),
];

/// Conditions by the letters that follow `set` and `=@cc`.
pub(super) fn flag(letters: &str) -> Option<Flag> {
    Some(match letters {
        "c" | "b" | "nae" => Flag::Carry,
        "nc" | "ae" | "nb" => Flag::NoCarry,
        "z" | "e" => Flag::Zero,
        "nz" | "ne" => Flag::NotZero,
        _ => return None,
    })
}

/// A template as instructions, if all of them are known. `named` finds an operand by its name.
pub(super) fn read(template: &str, named: impl Fn(&str) -> Option<usize>) -> Option<Vec<Instruction>> {
    let mut all = Vec::new();
    for line in template.split(['\n', ';']) {
        let line = line.split('#').next().unwrap_or_default().trim();
        let line = line.strip_prefix("lock").map_or(line, str::trim_start);
        if line.is_empty() {
            continue;
        }
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let operands: Option<Vec<Operand>> =
            rest.split(',').map(str::trim).filter(|o| !o.is_empty()).map(|o| operand(o, &named)).collect();
        all.push(instruction(name, operands?)?);
    }
    Some(all)
}

fn instruction(name: &str, mut operands: Vec<Operand>) -> Option<Instruction> {
    if let Some(flag) = name.strip_prefix("set").and_then(flag) {
        return (operands.len() == 1).then_some(Instruction { act: Act::Set(flag), bits: Some(8), operands });
    }
    let find = |name: &str| TABLE.iter().find(|(known, ..)| *known == name);
    let (&(_, act, count), bits) = match find(name) {
        Some(row) => (row, None),
        None => {
            let bits = match name.as_bytes().last()? {
                b'b' => 8,
                b'w' => 16,
                b'l' => 32,
                b'q' => 64,
                _ => return None,
            };
            (find(&name[..name.len() - 1])?, Some(bits))
        }
    };
    let shifts = matches!(
        act,
        Act::ShiftLeft | Act::ShiftRight | Act::ShiftSigned | Act::RotateLeft | Act::RotateRight
    );
    // A shift with one operand is by 1.
    if shifts && operands.len() == 1 {
        operands.insert(0, Operand::Number(1));
    }
    let counts = operands.contains(&Operand::Count);
    (operands.len() == count && (shifts || !counts)).then_some(Instruction { act, bits, operands })
}

fn operand(text: &str, named: &impl Fn(&str) -> Option<usize>) -> Option<Operand> {
    if let Some(number) = text.strip_prefix('$') {
        let (sign, digits) = number.strip_prefix('-').map_or((1, number), |digits| (-1, digits));
        let value = match digits.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16),
            None => digits.parse(),
        };
        return value.ok().map(|value| Operand::Number(sign * value));
    }
    let text = text.strip_prefix('%')?;
    if text == "%cl" {
        return Some(Operand::Count);
    }
    let (bits, text) = match text.chars().next()? {
        'b' => (Some(8), &text[1..]),
        'w' => (Some(16), &text[1..]),
        'k' => (Some(32), &text[1..]),
        'q' => (Some(64), &text[1..]),
        _ => (None, text),
    };
    let number = match text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        Some(name) => named(name)?,
        None => text.parse().ok()?,
    };
    Some(Operand::Place(number, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates() {
        let read = |text: &str| read(text, |name| (name == "x").then_some(3));
        let one = |act, bits, operands: &[Operand]| {
            Some(vec![Instruction { act, bits, operands: operands.to_vec() }])
        };
        let place = |n| Operand::Place(n, None);
        assert_eq!(read("addl %1, %0"), one(Act::Add, Some(32), &[place(1), place(0)]));
        assert_eq!(
            read("lock; xaddq %[x], %0 # all"),
            one(Act::ExchangeAdd, Some(64), &[place(3), place(0)])
        );
        assert_eq!(
            read("rol $0x8, %w0"),
            one(Act::RotateLeft, None, &[Operand::Number(8), Operand::Place(0, Some(16))])
        );
        assert_eq!(read("shrl %%cl, %0"), one(Act::ShiftRight, Some(32), &[Operand::Count, place(0)]));
        assert_eq!(read("setc %b1"), one(Act::Set(Flag::Carry), Some(8), &[Operand::Place(1, Some(8))]));
        for unknown in
            ["jmp 1f", "1: addl %1, %0", "movl (%1), %0", "addl %%eax, %0", "addl %0", "mulps %1, %0"]
        {
            assert_eq!(read(unknown), None, "{unknown}");
        }
    }
}
