//! Inline assembly whose instructions are all known, as assignments to variables that stand for its operands.

use super::instructions::{Act, Flag, Instruction, Operand, flag, read};
use super::lower::Lower;
use crate::tree::{
    ArithOp, BitCount, CompareOp, ExprId, ExprKind, ObjectId, PlaceId, Position, StmtId, StmtKind, Type,
};
use rucc_sema::{Asm, AsmOperand, Category};
use tamis_program::IntType;

/// The operands of a statement while its instructions are executed.
struct Machine {
    operands: Vec<Register>,
    carry: Option<ObjectId>,
    zero: Option<ObjectId>,
    body: Vec<StmtId>,
    /// Whether an output has been written that may be in the register of an input.
    written: bool,
    at: Position,
}

/// An operand.
struct Register {
    /// What holds its value. An input that is in the register of an output has that one's.
    holds: ObjectId,
    bits: u32,
    constraint: String,
    /// Where the value goes in the end.
    output: Option<PlaceId>,
    /// Whether the output is the truth of a condition.
    flag: Option<Flag>,
    /// Whether no input is in its register.
    apart: bool,
}

impl Lower<'_> {
    /// What a template of known instructions does, as a statement without assembly.
    pub(super) fn executed(&mut self, asm: Asm, at: Position) -> Option<StmtKind> {
        let tast = self.tast;
        let operands: Vec<AsmOperand> = tast[asm.outputs].iter().chain(&tast[asm.inputs]).copied().collect();
        let names: Vec<Option<String>> = operands.iter().map(|o| o.name.map(|n| self.name(n))).collect();
        let named = |name: &str| names.iter().position(|n| n.as_deref() == Some(name));
        let code = read(&self.text(asm.template), named)?;
        if code.is_empty() || !tast[asm.labels].is_empty() {
            return None;
        }
        let outputs = tast[asm.outputs].len();
        let mut machine =
            Machine { operands: Vec::new(), carry: None, zero: None, body: Vec::new(), written: false, at };
        // Everything is read before anything is written.
        let mut read = Vec::new();
        let mut values = Vec::new();
        for (index, operand) in operands.iter().enumerate() {
            let constraint = self.text(operand.constraint);
            let reads = index >= outputs || constraint.contains('+');
            let by_place =
                index < outputs || operand.memory && tast[operand.value].category == Category::Lvalue;
            let (place, value) = if by_place {
                let place = self.place(operand.value).ok()?;
                let address = self.address_of(place, at);
                if !self.is_pure(address) {
                    return None;
                }
                (Some(place), reads.then(|| self.load_place(place, at)))
            } else {
                (None, Some(self.expr(operand.value)))
            };
            let ty = place.map_or_else(|| value.map_or(Type::Void, |v| self.unit[v].ty), |p| self.unit[p].ty);
            let Type::Int(IntType { bits: bits @ (8 | 16 | 32 | 64), .. }) = ty else { return None };
            values.push((bits, constraint, place.filter(|_| index < outputs), value));
        }
        for index in 0..values.len() {
            let (bits, ref constraint, output, value) = values[index];
            let tied = (0..outputs).find(|&o| index >= outputs && is_tied(constraint, o, &values[o].1));
            if let Some(other) = tied {
                let holds = machine.operands[other].holds;
                let constraint = constraint.clone();
                machine.operands.push(Register { holds, bits, constraint, output, flag: None, apart: true });
                continue;
            }
            let own = Type::Int(IntType { bits, signed: false });
            let first = (outputs..values.len())
                .find(|&i| output.is_some() && is_tied(&values[i].1, index, constraint));
            let value = match first.and_then(|i| values[i].3).or(value) {
                Some(value) => self.convert(value, own),
                None => self.unspecified(&format!("asm{bits}"), own, at),
            };
            let holds = self.temporary("(operand)", value);
            read.push(holds);
            let condition = constraint.strip_prefix("=@cc").and_then(flag);
            if constraint.contains("@cc") && condition.is_none() {
                return None;
            }
            let apart = constraint.contains('&') || condition.is_some() || is_memory(constraint);
            let constraint = constraint.clone();
            machine.operands.push(Register { holds, bits, constraint, output, flag: condition, apart });
        }
        machine.body.push(self.add_stmt(StmtKind::Declare(read), at));
        for instruction in &code {
            self.execute(&mut machine, instruction)?;
        }
        for index in 0..outputs {
            let Register { holds, output, flag, .. } = machine.operands[index];
            let value = match flag {
                Some(flag) => self.flag(&machine, flag)?,
                None => self.load_object(holds, at),
            };
            let stored = self.store(output?, value, at);
            machine.body.push(self.add_stmt(StmtKind::Expr(stored), at));
        }
        Some(StmtKind::Block(machine.body))
    }

    fn execute(&mut self, m: &mut Machine, instruction: &Instruction) -> Option<()> {
        let Instruction { act, ref operands, .. } = *instruction;
        let destination = *operands.last()?;
        let bits = width(m, instruction)?;
        // An input may be in the register of an output that has changed.
        let input = |operand: &Operand| {
            matches!(*operand, Operand::Place(n, _) if m.operands.get(n).is_some_and(|r| r.output.is_none()))
                || *operand == Operand::Count
        };
        if m.written && operands.iter().any(input) {
            return None;
        }
        let word = Type::Int(IntType { bits, signed: false });
        let at = m.at;
        if let Act::Set(condition) = act {
            let value = self.flag(m, condition)?;
            return self.write(m, destination, 8, value);
        }
        let source = self.read_operand(m, operands[0], bits)?;
        let source = self.keep(m, source);
        let old = match act {
            Act::Move => source,
            _ => {
                let old = self.read_operand(m, destination, bits)?;
                self.keep(m, old)
            }
        };
        let of = |s: &mut Self, object: ObjectId| s.load_object(object, at);
        let arith = |s: &mut Self, op: ArithOp| {
            let (left, right) = (s.load_object(old, at), s.load_object(source, at));
            s.add_expr(ExprKind::Arith(op, left, right), word, at)
        };
        let number = |s: &mut Self, value: i128| s.add_expr(ExprKind::Const(value), word, at);
        let below = |s: &mut Self, a: ExprId, b: ExprId| s.compare(CompareOp::Lt, a, b, at);
        match act {
            Act::Move => {
                let value = of(self, source);
                self.write(m, destination, bits, value)
            }
            Act::Add | Act::Sub | Act::Compare | Act::And | Act::Or | Act::Xor | Act::Test => {
                let value = arith(
                    self,
                    match act {
                        Act::Add => ArithOp::Add,
                        Act::Sub | Act::Compare => ArithOp::Sub,
                        Act::Or => ArithOp::Or,
                        Act::Xor => ArithOp::Xor,
                        _ => ArithOp::And,
                    },
                );
                let value = self.keep(m, value);
                let carry = match act {
                    Act::Add => {
                        let (sum, other) = (of(self, value), of(self, source));
                        below(self, sum, other)
                    }
                    Act::Sub | Act::Compare => {
                        let (left, right) = (of(self, old), of(self, source));
                        below(self, left, right)
                    }
                    _ => {
                        let int = self.int();
                        self.add_expr(ExprKind::Const(0), int, at)
                    }
                };
                m.carry = Some(self.keep(m, carry));
                self.set_zero(m, value);
                let value = of(self, value);
                if matches!(act, Act::Compare | Act::Test) {
                    Some(())
                } else {
                    self.write(m, destination, bits, value)
                }
            }
            Act::AddCarry | Act::SubBorrow => {
                let add = act == Act::AddCarry;
                let carry = m.carry?;
                let op = if add { ArithOp::Add } else { ArithOp::Sub };
                let first = arith(self, op);
                let first = self.keep(m, first);
                let (left, more) = (of(self, first), of(self, carry));
                let more = self.convert(more, word);
                let second = self.add_expr(ExprKind::Arith(op, left, more), word, at);
                let second = self.keep(m, second);
                // One of the two steps carries, never both.
                let (a, b) = if add { (first, source) } else { (old, source) };
                let (a, b) = (of(self, a), of(self, b));
                let one = below(self, a, b);
                let (c, d) = if add { (second, first) } else { (first, second) };
                let (c, d) = (of(self, c), of(self, d));
                let other = below(self, c, d);
                let int = self.int();
                let carry = self.add_expr(ExprKind::Arith(ArithOp::Or, one, other), int, at);
                m.carry = Some(self.keep(m, carry));
                self.set_zero(m, second);
                let value = of(self, second);
                self.write(m, destination, bits, value)
            }
            Act::Multiply => {
                (m.carry, m.zero) = (None, None);
                let value = arith(self, ArithOp::Mul);
                self.write(m, destination, bits, value)
            }
            Act::Increment | Act::Decrement => {
                let (left, one) = (of(self, old), number(self, 1));
                let op = if act == Act::Increment { ArithOp::Add } else { ArithOp::Sub };
                let value = self.add_expr(ExprKind::Arith(op, left, one), word, at);
                let value = self.keep(m, value);
                self.set_zero(m, value);
                let value = of(self, value);
                self.write(m, destination, bits, value)
            }
            Act::Negate => {
                let (value, zero) = (of(self, old), number(self, 0));
                let carry = self.compare(CompareOp::Ne, value, zero, at);
                m.carry = Some(self.keep(m, carry));
                self.set_zero(m, old);
                let value = of(self, old);
                let value = self.add_expr(ExprKind::Neg(value), word, at);
                self.write(m, destination, bits, value)
            }
            Act::Not => {
                let value = of(self, old);
                let value = self.add_expr(ExprKind::BitNot(value), word, at);
                self.write(m, destination, bits, value)
            }
            Act::SwapBytes if bits >= 32 => {
                let value = of(self, old);
                let value = self.add_expr(ExprKind::SwapBytes(value), word, at);
                self.write(m, destination, bits, value)
            }
            Act::ShiftLeft | Act::ShiftRight | Act::ShiftSigned | Act::RotateLeft | Act::RotateRight
                if bits >= 32 =>
            {
                (m.carry, m.zero) = (None, None);
                let (amount, mask) = (of(self, source), number(self, i128::from(bits) - 1));
                let amount = self.add_expr(ExprKind::Arith(ArithOp::And, amount, mask), word, at);
                let amount = self.keep(m, amount);
                let value = self.shifted(act, old, amount, bits, at);
                self.write(m, destination, bits, value)
            }
            Act::HighestBit | Act::LowestBit | Act::LeadingZeros | Act::TrailingZeros | Act::CountBits
                if bits >= 32 =>
            {
                m.carry = None;
                let (tested, zero) = (of(self, source), number(self, 0));
                let is_zero = self.compare(CompareOp::Eq, tested, zero, at);
                let is_zero = self.keep(m, is_zero);
                m.zero = matches!(act, Act::HighestBit | Act::LowestBit).then_some(is_zero);
                let value = self.counted(act, source, is_zero, bits, at);
                self.write(m, destination, bits, value)
            }
            Act::Exchange | Act::ExchangeAdd => {
                let value = if act == Act::Exchange { of(self, source) } else { arith(self, ArithOp::Add) };
                let value = self.keep(m, value);
                if act == Act::ExchangeAdd {
                    let (sum, other) = (of(self, value), of(self, source));
                    let carry = below(self, sum, other);
                    m.carry = Some(self.keep(m, carry));
                    self.set_zero(m, value);
                }
                let before = of(self, old);
                self.write(m, operands[0], bits, before)?;
                let value = of(self, value);
                self.write(m, destination, bits, value)
            }
            Act::CompareExchange => {
                let accumulator = Operand::Place(lettered(m, 'a')?, Some(bits));
                let expected = self.read_operand(m, accumulator, bits)?;
                let expected = self.keep(m, expected);
                let (left, right) = (of(self, expected), of(self, old));
                let equal = self.compare(CompareOp::Eq, left, right, at);
                let equal = self.keep(m, equal);
                let (left, right) = (of(self, expected), of(self, old));
                let carry = below(self, left, right);
                (m.carry, m.zero) = (Some(self.keep(m, carry)), Some(equal));
                for (operand, then, otherwise) in [(accumulator, expected, old), (destination, source, old)] {
                    let (cond, then, otherwise) = (of(self, equal), of(self, then), of(self, otherwise));
                    let value = self.add_expr(ExprKind::Cond { cond, then, otherwise }, word, at);
                    self.write(m, operand, bits, value)?;
                }
                Some(())
            }
            Act::WideMultiply if bits >= 32 => {
                let (low, high) = (lettered(m, 'a')?, lettered(m, 'd')?);
                let factor = self.read_operand(m, Operand::Place(low, Some(bits)), bits)?;
                let wide = Type::Int(IntType { bits: 2 * bits, signed: false });
                let other = of(self, source);
                let (left, right) = (self.convert(factor, wide), self.convert(other, wide));
                let product = self.add_expr(ExprKind::Arith(ArithOp::Mul, left, right), wide, at);
                let product = self.keep(m, product);
                let whole = of(self, product);
                let half = self.convert(whole, word);
                let whole = of(self, product);
                let by = self.int();
                let by = self.add_expr(ExprKind::Const(i128::from(bits)), by, at);
                let above = self.add_expr(ExprKind::Arith(ArithOp::Shr, whole, by), wide, at);
                let above = self.convert(above, word);
                (m.carry, m.zero) = (None, None);
                self.write(m, Operand::Place(low, Some(bits)), bits, half)?;
                self.write(m, Operand::Place(high, Some(bits)), bits, above)
            }
            _ => None,
        }
    }

    fn shifted(&mut self, act: Act, value: ObjectId, amount: ObjectId, bits: u32, at: Position) -> ExprId {
        let word = Type::Int(IntType { bits, signed: false });
        let shift = |s: &mut Self, op: ArithOp, signed: bool, by: ExprId| {
            let ty = Type::Int(IntType { bits, signed });
            let value = s.load_object(value, at);
            let value = s.convert(value, ty);
            let shifted = s.add_expr(ExprKind::Arith(op, value, by), ty, at);
            s.convert(shifted, word)
        };
        let by = self.load_object(amount, at);
        match act {
            Act::ShiftLeft => shift(self, ArithOp::Shl, false, by),
            Act::ShiftRight => shift(self, ArithOp::Shr, false, by),
            Act::ShiftSigned => shift(self, ArithOp::Shr, true, by),
            _ => {
                let (there, back) = match act {
                    Act::RotateLeft => (ArithOp::Shl, ArithOp::Shr),
                    _ => (ArithOp::Shr, ArithOp::Shl),
                };
                let first = shift(self, there, false, by);
                let by = self.load_object(amount, at);
                let negated = self.add_expr(ExprKind::Neg(by), word, at);
                let mask = self.add_expr(ExprKind::Const(i128::from(bits) - 1), word, at);
                let rest = self.add_expr(ExprKind::Arith(ArithOp::And, negated, mask), word, at);
                let second = shift(self, back, false, rest);
                self.add_expr(ExprKind::Arith(ArithOp::Or, first, second), word, at)
            }
        }
    }

    /// A count of bits, which is open or a width for 0.
    fn counted(&mut self, act: Act, value: ObjectId, is_zero: ObjectId, bits: u32, at: Position) -> ExprId {
        let (word, int) = (Type::Int(IntType { bits, signed: false }), self.int());
        let operand = self.load_object(value, at);
        let count = match act {
            Act::HighestBit | Act::LeadingZeros => BitCount::LeadingZeros,
            Act::CountBits => BitCount::Ones,
            _ => BitCount::TrailingZeros,
        };
        let mut counted = self.add_expr(ExprKind::BitCount(count, operand), int, at);
        if act == Act::CountBits {
            return self.convert(counted, word);
        }
        if act == Act::HighestBit {
            let highest = self.add_expr(ExprKind::Const(i128::from(bits) - 1), int, at);
            counted = self.add_expr(ExprKind::Arith(ArithOp::Sub, highest, counted), int, at);
        }
        let otherwise = self.convert(counted, word);
        let then = match act {
            Act::HighestBit | Act::LowestBit => self.unspecified(&format!("asm{bits}"), word, at),
            _ => self.add_expr(ExprKind::Const(i128::from(bits)), word, at),
        };
        let cond = self.load_object(is_zero, at);
        self.add_expr(ExprKind::Cond { cond, then, otherwise }, word, at)
    }

    fn flag(&mut self, m: &Machine, flag: Flag) -> Option<ExprId> {
        let (holds, negated) = match flag {
            Flag::Carry => (m.carry?, false),
            Flag::NoCarry => (m.carry?, true),
            Flag::Zero => (m.zero?, false),
            Flag::NotZero => (m.zero?, true),
        };
        let value = self.load_object(holds, m.at);
        let int = self.int();
        Some(if negated { self.add_expr(ExprKind::Not(value), int, m.at) } else { value })
    }

    fn set_zero(&mut self, m: &mut Machine, value: ObjectId) {
        let (value, ty) = (self.load_object(value, m.at), self.unit[value].ty);
        let zero = self.add_expr(ExprKind::Const(0), ty, m.at);
        let is_zero = self.compare(CompareOp::Eq, value, zero, m.at);
        m.zero = Some(self.keep(m, is_zero));
    }

    /// A variable with a value, from here on.
    fn keep(&mut self, m: &mut Machine, value: ExprId) -> ObjectId {
        let kept = self.temporary("(register)", value);
        m.body.push(self.add_stmt(StmtKind::Declare(vec![kept]), m.at));
        kept
    }

    fn read_operand(&mut self, m: &Machine, operand: Operand, bits: u32) -> Option<ExprId> {
        let word = Type::Int(IntType { bits, signed: false });
        let value = match operand {
            Operand::Number(value) => return Some(self.add_expr(ExprKind::Const(value), word, m.at)),
            Operand::Count => self.load_object(m.operands.get(lettered(m, 'c')?)?.holds, m.at),
            Operand::Place(index, _) => {
                let register = m.operands.get(index)?;
                if register.bits < bits || register.flag.is_some() {
                    return None;
                }
                self.load_object(register.holds, m.at)
            }
        };
        Some(self.convert(value, word))
    }

    /// Writes to an output. 32 bits clear those above them, fewer leave them alone.
    fn write(&mut self, m: &mut Machine, operand: Operand, bits: u32, value: ExprId) -> Option<()> {
        let Operand::Place(index, _) = operand else { return None };
        let at = m.at;
        let register = m.operands.get(index)?;
        let holds = register.holds;
        // An input is written where it is in the register of an output.
        let owner = m.operands.iter().find(|r| r.holds == holds && r.output.is_some() && r.flag.is_none())?;
        let (own, apart) = (owner.bits, owner.apart);
        let ty = Type::Int(IntType { bits: own, signed: false });
        let low = Type::Int(IntType { bits: bits.min(own), signed: false });
        let value = self.convert(value, low);
        let mut value = self.convert(value, ty);
        if bits < 32 && bits < own {
            let before = self.load_object(holds, at);
            let above = ((1i128 << own) - 1) & !((1i128 << bits) - 1);
            let above = self.add_expr(ExprKind::Const(above), ty, at);
            let before = self.add_expr(ExprKind::Arith(ArithOp::And, before, above), ty, at);
            value = self.add_expr(ExprKind::Arith(ArithOp::Or, before, value), ty, at);
        }
        let place = self.object_place(holds, at);
        let stored = self.store(place, value, at);
        m.body.push(self.add_stmt(StmtKind::Expr(stored), at));
        m.written |= !apart;
        Some(())
    }
}

/// How many bits an instruction works on: as its name or an operand says, or as its operands have.
fn width(m: &Machine, instruction: &Instruction) -> Option<u32> {
    let written = instruction.operands.iter().filter_map(|o| match *o {
        Operand::Place(_, bits) => bits,
        _ => None,
    });
    let own = instruction.operands.iter().rev().filter_map(|o| match *o {
        Operand::Place(index, _) => m.operands.get(index).map(|r| r.bits),
        _ => None,
    });
    let all: Vec<u32> = instruction.bits.into_iter().chain(written).chain(own).collect();
    all.first().copied()
}

/// The operand that is in a register.
fn lettered(m: &Machine, letter: char) -> Option<usize> {
    m.operands
        .iter()
        .position(|r| r.constraint.trim_start_matches(['=', '+', '&', '%']) == letter.to_string())
}

/// Whether an input is in the register of an output: by its number, or by the register's letter.
fn is_tied(input: &str, output: usize, constraint: &str) -> bool {
    let letter = constraint.trim_start_matches(['=', '+', '&', '%']);
    input == output.to_string() || matches!(letter, "a" | "b" | "c" | "d" | "S" | "D") && input == letter
}

/// Whether an operand is in memory alone.
fn is_memory(constraint: &str) -> bool {
    constraint.trim_start_matches(['=', '+', '&', '%']) == "m"
}
