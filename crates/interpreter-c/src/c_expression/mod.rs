//! Formulas as C expressions over the program's variables.

mod elements;
mod memory;

use tamis_logic::{Bits, Op, Sort, Term, Terms};
use tamis_program::{FrameId, Program};

/// A formula over the program's variables as a C expression, to be read where activation `frame` is running: a variable
/// of another activation is written with its function's name. `None` if the text would be longer than `max_length`,
/// which a formula with much sharing can be without being large itself.
///
/// Orders of signed and unsigned values are written as C compares them, with casts where a value is read at another
/// signedness or width than its variable's. Arithmetic wraps around, as everywhere in Tamis. What has index variables is written
/// as `for all j in [0, n): a[j] == 0`, which is no C.
pub fn c_expression(
    terms: &Terms,
    program: &Program,
    frame: FrameId,
    formula: Term,
    max_length: usize,
) -> Option<String> {
    let mut printer = Printer { terms, program, frame, left: max_length as isize, defined: false };
    if !terms.index_variables(formula).is_empty() {
        return Some(printer.for_all(formula)?.text);
    }
    Some(printer.boolean(formula)?.text)
}

/// The conjuncts of a formula, each as [`c_expression`] writes it where `&&` follows. `None` if they were too long together.
pub fn c_conditions(
    terms: &Terms,
    program: &Program,
    frame: FrameId,
    formula: Term,
    max_length: usize,
) -> Option<Vec<String>> {
    let mut printer = Printer { terms, program, frame, left: max_length as isize, defined: false };
    if terms.op(formula) != Op::And || !terms.index_variables(formula).is_empty() {
        return Some(vec![c_expression(terms, program, frame, formula, max_length)?]);
    }
    printer.parts(terms.args(formula), AND)
}

/// As [`c_expression`], with casts to unsigned types where signed arithmetic might overflow, which is undefined in C: for
/// those who do not take it to wrap around.
pub fn defined_c_expression(
    terms: &Terms,
    program: &Program,
    frame: FrameId,
    formula: Term,
    max_length: usize,
) -> Option<String> {
    let mut printer = Printer { terms, program, frame, left: max_length as isize, defined: true };
    Some(printer.boolean(formula)?.text)
}

/// A number or an address over the program's variables as a C expression, as [`c_expression`] writes formulas; `signed`
/// is how it is to be read.
pub fn c_value(
    terms: &Terms,
    program: &Program,
    frame: FrameId,
    value: Term,
    signed: bool,
    max_length: usize,
) -> Option<String> {
    let mut printer = Printer { terms, program, frame, left: max_length as isize, defined: false };
    Some(printer.number(value, signed)?.text)
}

/// A text and how tightly its outermost operator binds, by C's table.
struct Text {
    text: String,
    binds: u8,
}

const CONDITIONAL: u8 = 3;
const OR: u8 = 4;
const AND: u8 = 5;
const BIT_OR: u8 = 6;
const BIT_XOR: u8 = 7;
const BIT_AND: u8 = 8;
const EQUALITY: u8 = 9;
const ORDER: u8 = 10;
const SHIFT: u8 = 11;
const SUM: u8 = 12;
const PRODUCT: u8 = 13;
const UNARY: u8 = 14;
const PRIMARY: u8 = 15;

impl Text {
    /// The text as an operand of something that binds `as_tightly_as` this.
    fn operand(self, as_tightly_as: u8) -> String {
        // && inside || is legal without parentheses, and hard to read.
        let confusing = self.binds == AND && as_tightly_as == OR + 1;
        if self.binds < as_tightly_as || confusing { format!("({})", self.text) } else { self.text }
    }
}

struct Printer<'a> {
    terms: &'a Terms,
    program: &'a Program,
    frame: FrameId,
    /// How much text may still be made. Each part counts once, by its own characters and not by its operands'.
    left: isize,
    /// Whether signed arithmetic is written so that it cannot overflow.
    defined: bool,
}

impl Printer<'_> {
    fn text(&mut self, text: String, binds: u8) -> Option<Text> {
        self.left -= if binds == PRIMARY { text.len() as isize } else { 4 };
        (self.left >= 0).then_some(Text { text, binds })
    }

    fn boolean(&mut self, t: Term) -> Option<Text> {
        self.left -= 1;
        if self.left < 0 {
            return None;
        }
        let args = self.terms.args(t).to_vec();
        match self.terms.op(t) {
            Op::Bool(b) => self.text(u8::from(b).to_string(), PRIMARY),
            Op::Not => self.negation(args[0]),
            Op::And => self.junction(&args, "&&", AND),
            Op::Or => self.junction(&args, "||", OR),
            Op::Ite => {
                let [c, a, b] = [self.boolean(args[0])?, self.boolean(args[1])?, self.boolean(args[2])?];
                self.conditional(c, a, b)
            }
            Op::Eq if self.terms.sort(args[0]) == Sort::Bool => {
                let [a, b] = [self.boolean(args[0])?, self.boolean(args[1])?];
                let text = format!("{} == {}", a.operand(ORDER), b.operand(ORDER));
                self.text(text, EQUALITY)
            }
            Op::Eq => self.comparison(&args, "==", None, EQUALITY),
            Op::Ult => self.comparison(&args, "<", Some(false), ORDER),
            Op::Slt => self.comparison(&args, "<", Some(true), ORDER),
            _ => {
                let name = self.terms.var_name(t)?.to_owned();
                self.text(name, PRIMARY)
            }
        }
    }

    fn negation(&mut self, t: Term) -> Option<Text> {
        let args = self.terms.args(t).to_vec();
        match self.terms.op(t) {
            Op::Eq if self.terms.sort(args[0]) != Sort::Bool => self.comparison(&args, "!=", None, EQUALITY),
            Op::Ult => self.comparison(&args, ">=", Some(false), ORDER),
            Op::Slt => self.comparison(&args, ">=", Some(true), ORDER),
            _ => {
                let inner = self.boolean(t)?.operand(UNARY);
                self.text(format!("!{inner}"), UNARY)
            }
        }
    }

    fn junction(&mut self, args: &[Term], operator: &str, binds: u8) -> Option<Text> {
        let parts = self.parts(args, binds)?;
        self.text(parts.join(&format!(" {operator} ")), binds)
    }

    /// The operands of a junction.
    fn parts(&mut self, args: &[Term], binds: u8) -> Option<Vec<String>> {
        let mut parts = Vec::with_capacity(args.len());
        let mut told = vec![false; args.len()];
        for (i, &a) in args.iter().enumerate() {
            if told[i] {
                continue;
            }
            // `x < c || x == c`, and its negation.
            let partner = (0..args.len()).find(|&k| !told[k] && self.bound(a, args[k], binds == OR));
            let part = match partner {
                Some(k) => {
                    told[k] = true;
                    self.loose_bound(a, binds == OR)?
                }
                None if (0..args.len())
                    .any(|k| k != i && !told[k] && self.bound(args[k], a, binds == OR)) =>
                {
                    continue;
                }
                None => self.boolean(a)?,
            };
            told[i] = true;
            parts.push(part.operand(binds + 1));
        }
        Some(parts)
    }

    /// An order `x < y`; the negation of one unless `positive`.
    fn order(&self, t: Term, positive: bool) -> Option<(bool, Term, Term)> {
        let t = match (positive, self.terms.op(t)) {
            (true, _) => t,
            (false, Op::Not) => self.terms.args(t)[0],
            _ => return None,
        };
        match (self.terms.op(t), self.terms.args(t)) {
            (Op::Slt, &[a, b]) => Some((true, a, b)),
            (Op::Ult, &[a, b]) => Some((false, a, b)),
            _ => None,
        }
    }

    /// Whether `order` and `equality` are `x < y` and `x == y`, or both negated unless `positive`.
    fn bound(&self, order: Term, equality: Term, positive: bool) -> bool {
        let Some((_, a, b)) = self.order(order, positive) else { return false };
        let equality = match (positive, self.terms.op(equality)) {
            (true, _) => equality,
            (false, Op::Not) => self.terms.args(equality)[0],
            _ => return false,
        };
        match (self.terms.op(equality), self.terms.args(equality)) {
            (Op::Eq, &[c, d]) => (a, b) == (c, d) || (a, b) == (d, c),
            _ => false,
        }
    }

    fn loose_bound(&mut self, order: Term, positive: bool) -> Option<Text> {
        let (signed, a, b) = self.order(order, positive)?;
        self.comparison(&[a, b], if positive { "<=" } else { ">" }, Some(signed), ORDER)
    }

    fn conditional(&mut self, c: Text, a: Text, b: Text) -> Option<Text> {
        let text = format!("{} ? {} : {}", c.operand(OR), a.operand(OR), b.operand(CONDITIONAL));
        self.text(text, CONDITIONAL)
    }

    fn comparison(&mut self, args: &[Term], operator: &str, signed: Option<bool>, binds: u8) -> Option<Text> {
        let signed = signed.or_else(|| self.signedness(args[0])).or_else(|| self.signedness(args[1]));
        let signed = signed.unwrap_or(true);
        // A constant stands on the right.
        let flipped = self.terms.is_constant(args[0]) && !self.terms.is_constant(args[1]);
        let (args, operator) = match operator {
            _ if !flipped => ([args[0], args[1]], operator),
            "<" => ([args[1], args[0]], ">"),
            ">" => ([args[1], args[0]], "<"),
            "<=" => ([args[1], args[0]], ">="),
            ">=" => ([args[1], args[0]], "<="),
            same => ([args[1], args[0]], same),
        };
        let a = self.number(args[0], signed)?.operand(SHIFT);
        let b = self.number(args[1], signed)?.operand(SHIFT);
        self.text(format!("{a} {operator} {b}"), binds)
    }

    /// How a term's value would naturally be read; `None` if that is open.
    fn signedness(&self, t: Term) -> Option<bool> {
        match self.terms.op(t) {
            Op::Var(_) => {
                let int = self.program.var_of(t).and_then(|v| self.program.variable(v).ty.int());
                Some(int.is_none_or(|int| int.signed))
            }
            Op::Const(_) => None,
            Op::Select => self.element_signedness(self.terms.args(t)[0]),
            Op::Udiv | Op::Urem | Op::Lshr | Op::ZeroExtend | Op::Extract { .. } | Op::Concat => Some(false),
            Op::Sdiv | Op::Srem | Op::Ashr | Op::SignExtend => Some(true),
            Op::Ite => self.terms.args(t)[1..].iter().find_map(|&a| self.shallow_signedness(a)),
            _ => self.terms.args(t).iter().find_map(|&a| self.shallow_signedness(a)),
        }
    }

    /// As [`signedness`](Self::signedness) but without looking further down than variables: it is called per level.
    fn shallow_signedness(&self, t: Term) -> Option<bool> {
        match self.terms.op(t) {
            Op::Var(_) | Op::Select | Op::ZeroExtend | Op::SignExtend => self.signedness(t),
            _ => None,
        }
    }

    /// A bit-vector term, read as signed or not.
    fn number(&mut self, t: Term, signed: bool) -> Option<Text> {
        self.left -= 1;
        if self.left < 0 {
            return None;
        }
        // C has no wider type, and none for the other theories.
        let width = self.terms.sort(t).width().filter(|&width| width <= 128)?;
        let args = self.terms.args(t).to_vec();
        let overflows = matches!(self.terms.op(t), Op::Neg | Op::Add | Op::Mul | Op::Shl);
        if self.defined && signed && width >= 32 && overflows {
            let unsigned = self.number(t, false)?;
            return self.cast(unsigned, width, true);
        }
        match self.terms.op(t) {
            Op::Const(_) => {
                let bits = self.terms.bits_constant(t)?;
                match self.object_at(&bits).filter(|_| !signed && !self.defined) {
                    Some(object) => self.text(object, UNARY),
                    None => self.text(constant(&bits, signed), PRIMARY),
                }
            }
            Op::Var(_) => self.variable(t, signed),
            Op::Neg => self.unary("-", args[0], width, signed),
            Op::BvNot => self.unary("~", args[0], width, signed),
            Op::Add => self.sum(&args, width, signed),
            Op::Mul => self.binary(&args, "*", PRODUCT, width, signed, signed),
            Op::Udiv => self.binary(&args, "/", PRODUCT, width, false, signed),
            Op::Sdiv => self.binary(&args, "/", PRODUCT, width, true, signed),
            Op::Urem => self.binary(&args, "%", PRODUCT, width, false, signed),
            Op::Srem => self.binary(&args, "%", PRODUCT, width, true, signed),
            Op::BvAnd => self.binary(&args, "&", BIT_AND, width, signed, signed),
            Op::BvOr => self.binary(&args, "|", BIT_OR, width, signed, signed),
            Op::BvXor => self.binary(&args, "^", BIT_XOR, width, signed, signed),
            Op::Shl if self.terms.is_constant(args[0]) => {
                // Alone, the number would be an `int`.
                let number = self.number(args[0], signed)?;
                let number = self.cast(number, width, signed)?.operand(SHIFT);
                let amount = self.number(args[1], false)?.operand(SUM);
                self.text(format!("{number} << {amount}"), SHIFT)
            }
            Op::Shl => self.binary(&args, "<<", SHIFT, width, signed, signed),
            Op::Lshr => self.binary(&args, ">>", SHIFT, width, false, signed),
            Op::Ashr => self.binary(&args, ">>", SHIFT, width, true, signed),
            Op::Ite => {
                let c = self.boolean(args[0])?;
                let [a, b] = [self.number(args[1], signed)?, self.number(args[2], signed)?];
                self.conditional(c, a, b)
            }
            Op::Extract { high, low } => self.extract(high, low, args[0], signed),
            Op::ZeroExtend => {
                let inner = self.number(args[0], false)?;
                if width <= 32 { Some(inner) } else { self.cast(inner, width, signed) }
            }
            Op::SignExtend => {
                let from = self.terms.width(args[0]);
                if !is_c_width(from) {
                    return self.odd_sign_extension(args[0], from, width);
                }
                let inner = self.number(args[0], true)?;
                if width <= 32 && signed { Some(inner) } else { self.cast(inner, width, signed) }
            }
            Op::Concat => {
                let low_width = self.terms.width(args[1]);
                let high = self.number(args[0], false)?;
                let high = self.cast(high, width, false)?.operand(SHIFT);
                let low = self.number(args[1], false)?.operand(BIT_OR);
                self.text(format!("{high} << {low_width} | {low}"), BIT_OR)
            }
            Op::Select => self.memory_read(args[0], args[1], width, signed),
            _ => self.boolean(t),
        }
    }

    fn variable(&mut self, t: Term, signed: bool) -> Option<Text> {
        let Some(v) = self.program.var_of(t) else {
            let is_index = self.terms.is_index_variable(t);
            let name = if is_index { self.index_name(t) } else { self.terms.var_name(t)?.to_owned() };
            return self.text(name, PRIMARY);
        };
        let variable = self.program.variable(v);
        let name = match variable.frame {
            Some(frame) if frame != self.frame => {
                format!("{}::{}", self.program.frame(frame).function, variable.name)
            }
            _ => variable.name.clone(),
        };
        let text = self.text(name, PRIMARY)?;
        match variable.ty.int() {
            Some(int) if int.signed != signed => self.cast(text, int.bits, signed),
            _ => Some(text),
        }
    }

    fn cast(&mut self, inner: Text, width: u32, signed: bool) -> Option<Text> {
        let text = format!("({}){}", c_type(width, signed), inner.operand(UNARY));
        self.text(text, UNARY)
    }

    fn unary(&mut self, operator: &str, arg: Term, width: u32, signed: bool) -> Option<Text> {
        let inner = self.number(arg, signed)?.operand(UNARY);
        let space = if inner.starts_with(operator) { " " } else { "" };
        let text = self.text(format!("{operator}{space}{inner}"), UNARY)?;
        self.wrapped(text, width, signed)
    }

    fn sum(&mut self, args: &[Term], width: u32, signed: bool) -> Option<Text> {
        let [mut a, mut b] = [args[0], args[1]];
        let minus = |t: &Terms, x: Term| t.op(x) == Op::Neg;
        if minus(self.terms, a) {
            std::mem::swap(&mut a, &mut b);
        }
        let first = self.summand(a, signed)?.operand(SUM);
        let text = match self.terms.op(b) {
            Op::Neg => {
                let inner = self.terms.args(b)[0];
                format!("{first} - {}", self.number(inner, signed)?.operand(PRODUCT))
            }
            _ => match self.terms.bits_constant(b) {
                Some(c) if c.is_negative() && !c.neg().is_negative() => {
                    format!("{first} - {}", constant(&c.neg(), signed))
                }
                _ => format!("{first} + {}", self.summand(b, signed)?.operand(SUM)),
            },
        };
        let text = self.text(text, SUM)?;
        self.wrapped(text, width, signed)
    }

    /// An operand of a sum. To an address, bytes are added.
    fn summand(&mut self, t: Term, signed: bool) -> Option<Text> {
        let object = self.terms.bits_constant(t).and_then(|bits| self.object_at(&bits));
        match object.filter(|_| !signed && !self.defined) {
            Some(object) => self.text(format!("(char *){object}"), UNARY),
            None => self.number(t, signed),
        }
    }

    /// A binary operator over arguments read as `args_signed`, the result as `signed`.
    fn binary(
        &mut self,
        args: &[Term],
        operator: &str,
        binds: u8,
        width: u32,
        args_signed: bool,
        signed: bool,
    ) -> Option<Text> {
        let a = self.number(args[0], args_signed)?.operand(binds);
        let b = self.number(args[1], args_signed)?.operand(binds + 1);
        let text = self.text(format!("{a} {operator} {b}"), binds)?;
        if args_signed != signed { self.cast(text, width, signed) } else { self.wrapped(text, width, signed) }
    }

    /// C computes what is narrower than `int` as `int`: the result is cut back.
    fn wrapped(&mut self, text: Text, width: u32, signed: bool) -> Option<Text> {
        if width < 32 { self.cast(text, width, signed) } else { Some(text) }
    }

    fn extract(&mut self, high: u32, low: u32, from: Term, signed: bool) -> Option<Text> {
        let width = high - low + 1;
        let inner = self.number(from, false)?;
        let shifted = if low == 0 {
            inner
        } else {
            let text = format!("{} >> {low}", inner.operand(SHIFT));
            self.text(text, SHIFT)?
        };
        if is_c_width(width) {
            return self.cast(shifted, width, signed);
        }
        let mask = Bits::ones(width).unsigned();
        let text = format!("{} & {mask}", shifted.operand(BIT_AND));
        self.text(text, BIT_AND)
    }

    /// Sign extension from a width that no C type has, by flipping the sign bit and subtracting it.
    fn odd_sign_extension(&mut self, inner: Term, from: u32, width: u32) -> Option<Text> {
        let sign = Bits::min_signed(from).unsigned();
        let inner = self.number(inner, false)?;
        let inner = self.cast(inner, width, true)?.operand(BIT_XOR);
        self.text(format!("({inner} ^ {sign}) - {sign}"), SUM)
    }
}

fn is_c_width(width: u32) -> bool {
    matches!(width, 8 | 16 | 32 | 64 | 128)
}

/// A number. One that fits into `int` needs no suffix: what it meets has its own type.
fn constant(bits: &Bits, signed: bool) -> String {
    if !signed && is_c_width(bits.width()) && bits.unsigned() <= i32::MAX as u128 {
        return bits.unsigned().to_string();
    }
    let long = if bits.width() > 32 { "LL" } else { "" };
    if signed && is_c_width(bits.width()) {
        format!("{}{long}", bits.signed())
    } else if bits.width() >= 32 {
        format!("{}U{long}", bits.unsigned())
    } else {
        bits.unsigned().to_string()
    }
}

fn c_type(width: u32, signed: bool) -> String {
    let name = match width {
        0..=8 => "char",
        9..=16 => "short",
        17..=32 => "int",
        33..=64 => "long long",
        _ => "__int128",
    };
    match (signed, width) {
        (true, 0..=8) => "signed char".into(),
        (true, _) => name.into(),
        (false, _) => format!("unsigned {name}"),
    }
}
