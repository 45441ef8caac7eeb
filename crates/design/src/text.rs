//! Formulas over a design in its own names, in the manner of Verilog.

use rustc_hash::FxHashMap;
use tamis_logic::{Bits, Op, Sort, Term, Terms, Value};

/// A formula as an expression; `None` if that would be longer than `limit` characters, or is nothing that designs say.
///
/// ```
/// use tamis_logic::{Sort, Terms};
/// let mut terms = Terms::new();
/// let count = terms.var("count", Sort::BitVec(4));
/// let nine = terms.bits(4, 9);
/// let below = terms.ult(count, nine);
/// assert_eq!(tamis_design::expression(&terms, below, 80).as_deref(), Some("count < 4'd9"));
/// ```
pub fn expression(terms: &Terms, formula: Term, limit: usize) -> Option<String> {
    let mut texts: FxHashMap<Term, Text> = FxHashMap::default();
    for t in terms.post_order(&[formula]) {
        let text = text(terms, t, &texts)?;
        if text.text.len() > limit {
            return None;
        }
        texts.insert(t, text);
    }
    texts.remove(&formula).map(|text| text.text)
}

/// A value as people read it: short words as decimal numbers.
pub fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(b) => u8::from(*b).to_string(),
        Value::Bits(bits) => match bits.to_u128() {
            Some(number) if bits.width() <= 64 => number.to_string(),
            _ => format!("0x{:x}", bits.to_ubig()),
        },
        Value::Array(array) => {
            let entries: Vec<String> =
                array.entries().map(|(i, v)| format!("{}: {}", value_text(i), value_text(v))).collect();
            match entries.is_empty() {
                true => format!("{{all: {}}}", value_text(array.default())),
                false => format!("{{{}, others: {}}}", entries.join(", "), value_text(array.default())),
            }
        }
        other => format!("{other:?}"),
    }
}

/// An expression and how tightly it binds.
struct Text {
    text: String,
    binds: u8,
}

/// How tightly operators bind, as in Verilog.
const ATOM: u8 = 12;
const UNARY: u8 = 11;
const MULTIPLY: u8 = 10;
const ADD: u8 = 9;
const SHIFT: u8 = 8;
const COMPARE: u8 = 7;
const EQUAL: u8 = 6;
const BIT_AND: u8 = 5;
const BIT_XOR: u8 = 4;
const BIT_OR: u8 = 3;
const AND: u8 = 2;
const OR: u8 = 1;
const CHOICE: u8 = 0;

fn text(terms: &Terms, t: Term, texts: &FxHashMap<Term, Text>) -> Option<Text> {
    let args = terms.args(t);
    let at_least = |a: Term, binds: u8| {
        let Text { text, binds: own } = &texts[&a];
        if *own >= binds { text.clone() } else { format!("({text})") }
    };
    let joined = |operator: &str, binds: u8| {
        let parts: Vec<String> = args.iter().map(|&a| at_least(a, binds + 1)).collect();
        Some(Text { text: parts.join(&format!(" {operator} ")), binds })
    };
    let atom = |text: String| Some(Text { text, binds: ATOM });
    let signed = |operator: &str| {
        let [a, b] = [args[0], args[1]].map(|a| at_least(a, CHOICE));
        Some(Text { text: format!("$signed({a}) {operator} $signed({b})"), binds: COMPARE })
    };
    match terms.op(t) {
        Op::Bool(value) => atom(format!("1'b{}", u8::from(value))),
        Op::Const(_) => match terms.constant(t)? {
            Value::Bits(bits) => atom(constant(&bits)),
            other => atom(value_text(&other)),
        },
        Op::Var(_) => atom(terms.var_name(t)?.to_owned()),
        Op::Not => negation(terms, args[0], &at_least),
        Op::And => joined("&&", AND),
        Op::Or => joined("||", OR),
        Op::Eq => match one_bit(terms, t) {
            Some((word, true)) => Some(Text { text: at_least(word, COMPARE), binds: COMPARE }),
            Some((word, false)) => Some(Text { text: format!("!{}", at_least(word, UNARY)), binds: UNARY }),
            None => joined("==", EQUAL),
        },
        Op::Ite => {
            let [c, a, b] = [args[0], args[1], args[2]].map(|a| at_least(a, CHOICE + 1));
            Some(Text { text: format!("{c} ? {a} : {b}"), binds: CHOICE })
        }
        Op::Neg => Some(Text { text: format!("-{}", at_least(args[0], UNARY)), binds: UNARY }),
        Op::BvNot => Some(Text { text: format!("~{}", at_least(args[0], UNARY)), binds: UNARY }),
        Op::Add => joined("+", ADD),
        Op::Mul => joined("*", MULTIPLY),
        Op::Udiv => joined("/", MULTIPLY),
        Op::Urem => joined("%", MULTIPLY),
        Op::Sdiv => signed("/"),
        Op::Srem => signed("%"),
        Op::BvAnd => joined("&", BIT_AND),
        Op::BvOr => joined("|", BIT_OR),
        Op::BvXor => joined("^", BIT_XOR),
        Op::Shl => joined("<<", SHIFT),
        Op::Lshr => joined(">>", SHIFT),
        Op::Ashr => joined(">>>", SHIFT),
        Op::Concat => {
            let parts: Vec<String> = args.iter().map(|&a| at_least(a, CHOICE)).collect();
            atom(format!("{{{}}}", parts.join(", ")))
        }
        Op::Extract { high, low } => {
            let word = at_least(args[0], ATOM);
            atom(if high == low { format!("{word}[{high}]") } else { format!("{word}[{high}:{low}]") })
        }
        Op::ZeroExtend => {
            let more = terms.width(t) - terms.width(args[0]);
            atom(format!("{{{more}'d0, {}}}", at_least(args[0], CHOICE)))
        }
        Op::SignExtend => {
            let (width, own) = (terms.width(t), terms.width(args[0]));
            let word = at_least(args[0], ATOM);
            atom(format!("{{{{{}{{{word}[{}]}}}}, {word}}}", width - own, own - 1))
        }
        Op::Ult => joined("<", COMPARE),
        Op::Slt => signed("<"),
        Op::Select => atom(format!("{}[{}]", at_least(args[0], ATOM), at_least(args[1], CHOICE))),
        Op::Store => {
            let [memory, index, value] = [args[0], args[1], args[2]].map(|a| at_least(a, CHOICE));
            atom(format!("({memory} with [{index}] = {value})"))
        }
        Op::ConstArray => atom(format!("'{{default: {}}}", at_least(args[0], CHOICE))),
        _ => None,
    }
}

/// The negation of a comparison is another.
fn negation(terms: &Terms, a: Term, at_least: &dyn Fn(Term, u8) -> String) -> Option<Text> {
    let args = terms.args(a);
    let compared = |left: Term, operator: &str, right: Term, binds: u8| {
        let text = format!("{} {operator} {}", at_least(left, binds + 1), at_least(right, binds + 1));
        Some(Text { text, binds })
    };
    match terms.op(a) {
        Op::Eq => match one_bit(terms, a) {
            Some((word, false)) => Some(Text { text: at_least(word, COMPARE), binds: COMPARE }),
            Some((word, true)) => Some(Text { text: format!("!{}", at_least(word, UNARY)), binds: UNARY }),
            None => compared(args[0], "!=", args[1], EQUAL),
        },
        Op::Ult => compared(args[0], ">=", args[1], COMPARE),
        _ => Some(Text { text: format!("!{}", at_least(a, UNARY)), binds: UNARY }),
    }
}

/// A word of one bit that is compared with a constant, and that constant.
fn one_bit(terms: &Terms, equation: Term) -> Option<(Term, bool)> {
    let [a, b] = *terms.args(equation) else { return None };
    if terms.sort(a) != Sort::BitVec(1) {
        return None;
    }
    let constant = |t: Term| terms.bits_constant(t).map(|bits| !bits.is_zero());
    constant(b).map(|bit| (a, bit)).or_else(|| constant(a).map(|bit| (b, bit)))
}

fn constant(bits: &Bits) -> String {
    match bits.to_u128() {
        Some(number) if bits.width() <= 64 => format!("{}'d{number}", bits.width()),
        _ => format!("{}'h{:x}", bits.width(), bits.to_ubig()),
    }
}
