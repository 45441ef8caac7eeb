//! Every operator of BTOR2 against arithmetic by hand, which `btorsim` judges where it is there.

use std::fmt::Write;
use std::process::Command;
use tamis_logic::{Bits, Model, Terms, Value};
use tamis_testing::{Random, missing};

/// An operator on words `a` and `b` of a width: the width of the result, and the result.
type Meaning = fn(u32, u64, u64) -> (u32, u64);

const fn mask(width: u32) -> u64 {
    (1 << width) - 1
}

fn signed(width: u32, a: u64) -> i64 {
    if a >> (width - 1) & 1 == 1 { a as i64 - (1 << width) } else { a as i64 }
}

/// Whether a signed number is none of this width.
fn leaves(width: u32, a: i64) -> u64 {
    u64::from(a < -(1 << (width - 1)) || a >= 1 << (width - 1))
}

fn truncated(width: u32, a: i64) -> u64 {
    a as u64 & mask(width)
}

fn udiv(width: u32, a: u64, b: u64) -> u64 {
    a.checked_div(b).unwrap_or(mask(width))
}

fn urem(a: u64, b: u64) -> u64 {
    a.checked_rem(b).unwrap_or(a)
}

/// A signed division by 0 gives 1 for what is negative and -1 for the rest, as SMT-LIB has it.
fn sdiv(width: u32, a: u64, b: u64) -> u64 {
    let (a, b) = (signed(width, a), signed(width, b));
    truncated(width, if b == 0 { if a < 0 { 1 } else { -1 } } else { a / b })
}

fn srem(width: u32, a: u64, b: u64) -> u64 {
    let (a, b) = (signed(width, a), signed(width, b));
    truncated(width, if b == 0 { a } else { a % b })
}

fn smod(width: u32, a: u64, b: u64) -> u64 {
    let (a, b) = (signed(width, a), signed(width, b));
    truncated(width, if b == 0 { a } else { ((a % b) + b) % b })
}

fn shifted(width: u32, a: u64, by: u64, left: bool) -> u64 {
    match by {
        by if by >= u64::from(width) => 0,
        by if left => a << by & mask(width),
        by => a >> by,
    }
}

fn rotated(width: u32, a: u64, by: u64) -> u64 {
    let by = by % u64::from(width);
    (a << by | a >> (u64::from(width) - by)) & mask(width)
}

const UNARY: &[(&str, Meaning)] = &[
    ("not", |w, a, _| (w, !a & mask(w))),
    ("inc", |w, a, _| (w, (a + 1) & mask(w))),
    ("dec", |w, a, _| (w, a.wrapping_sub(1) & mask(w))),
    ("neg", |w, a, _| (w, a.wrapping_neg() & mask(w))),
    ("redand", |w, a, _| (1, u64::from(a == mask(w)))),
    ("redor", |_, a, _| (1, u64::from(a != 0))),
    ("redxor", |_, a, _| (1, u64::from(a.count_ones() % 2))),
];

const BINARY: &[(&str, Meaning)] = &[
    ("eq", |_, a, b| (1, u64::from(a == b))),
    ("neq", |_, a, b| (1, u64::from(a != b))),
    ("ugt", |_, a, b| (1, u64::from(a > b))),
    ("ugte", |_, a, b| (1, u64::from(a >= b))),
    ("ult", |_, a, b| (1, u64::from(a < b))),
    ("ulte", |_, a, b| (1, u64::from(a <= b))),
    ("sgt", |w, a, b| (1, u64::from(signed(w, a) > signed(w, b)))),
    ("sgte", |w, a, b| (1, u64::from(signed(w, a) >= signed(w, b)))),
    ("slt", |w, a, b| (1, u64::from(signed(w, a) < signed(w, b)))),
    ("slte", |w, a, b| (1, u64::from(signed(w, a) <= signed(w, b)))),
    ("and", |w, a, b| (w, a & b)),
    ("nand", |w, a, b| (w, !(a & b) & mask(w))),
    ("nor", |w, a, b| (w, !(a | b) & mask(w))),
    ("or", |w, a, b| (w, a | b)),
    ("xnor", |w, a, b| (w, !(a ^ b) & mask(w))),
    ("xor", |w, a, b| (w, a ^ b)),
    ("sll", |w, a, b| (w, shifted(w, a, b, true))),
    ("srl", |w, a, b| (w, shifted(w, a, b, false))),
    ("sra", |w, a, b| (w, truncated(w, signed(w, a) >> b.min(63)))),
    ("add", |w, a, b| (w, (a + b) & mask(w))),
    ("sub", |w, a, b| (w, a.wrapping_sub(b) & mask(w))),
    ("mul", |w, a, b| (w, (a * b) & mask(w))),
    ("udiv", |w, a, b| (w, udiv(w, a, b))),
    ("urem", |w, a, b| (w, urem(a, b))),
    ("sdiv", |w, a, b| (w, sdiv(w, a, b))),
    ("srem", |w, a, b| (w, srem(w, a, b))),
    ("smod", |w, a, b| (w, smod(w, a, b))),
    ("concat", |w, a, b| (2 * w, a << w | b)),
];

/// By any amount, modulo the width; `btorsim` rotates only by amounts below the width.
const ROTATIONS: &[(&str, Meaning)] = &[
    ("rol", |w, a, b| (w, rotated(w, a, b))),
    ("ror", |w, a, b| (w, rotated(w, a, u64::from(w) - b % u64::from(w)))),
];

/// Those that `btorsim` does not know.
const OVERFLOWS: &[(&str, Meaning)] = &[
    ("uaddo", |w, a, b| (1, u64::from(a + b > mask(w)))),
    ("umulo", |w, a, b| (1, u64::from(a * b > mask(w)))),
    ("usubo", |_, a, b| (1, u64::from(a < b))),
    ("udivo", |_, _, _| (1, 0)),
    ("saddo", |w, a, b| (1, leaves(w, signed(w, a) + signed(w, b)))),
    ("smulo", |w, a, b| (1, leaves(w, signed(w, a) * signed(w, b)))),
    ("ssubo", |w, a, b| (1, leaves(w, signed(w, a) - signed(w, b)))),
    ("sdivo", |w, a, b| (1, u64::from(b == mask(w) && a == 1 << (w - 1)))),
];

/// On words of one bit alone.
const LOGICAL: &[(&str, Meaning)] =
    &[("iff", |_, a, b| (1, u64::from(a == b))), ("implies", |_, a, b| (1, u64::from(a <= b)))];

/// A file of nodes over two words, whose arguments may be complemented, with what each is to be.
struct Nodes {
    text: String,
    /// Whether the words are inputs, and not constants.
    inputs: bool,
    /// The line, the width, and the value of each node.
    expected: Vec<(u64, u32, u64)>,
    last: u64,
    sorts: Vec<(u32, u64)>,
}

impl Nodes {
    fn new(width: u32, a: u64, b: u64, inputs: bool) -> Nodes {
        let mut nodes =
            Nodes { text: String::new(), inputs, expected: Vec::new(), last: 0, sorts: Vec::new() };
        let sort = nodes.sort(width);
        for (name, value) in [("a", a), ("b", b)] {
            match nodes.inputs {
                true => nodes.line(format_args!("input {sort} {name}")),
                false => nodes.line(format_args!("const {sort} {value:0w$b}", w = width as usize)),
            };
        }
        nodes
    }

    fn line(&mut self, rest: std::fmt::Arguments) -> u64 {
        self.last += 1;
        writeln!(self.text, "{} {rest}", self.last).expect("text grows");
        self.last
    }

    fn sort(&mut self, width: u32) -> u64 {
        if let Some(&(_, id)) = self.sorts.iter().find(|(w, _)| *w == width) {
            return id;
        }
        let id = self.line(format_args!("sort bitvec {width}"));
        self.sorts.push((width, id));
        id
    }

    fn node(&mut self, name: &str, args: &str, (width, value): (u32, u64)) {
        let sort = self.sort(width);
        let blank = if args.is_empty() { "" } else { " " };
        let id = self.line(format_args!("{name} {sort}{blank}{args}"));
        self.expected.push((id, width, value));
    }

    /// All operators on `a` and `b`, which are lines 2 and 3.
    fn all(&mut self, random: &mut Random, width: u32, a: u64, b: u64, operators: &[&[(&str, Meaning)]]) {
        for (arity, &(name, meaning)) in
            operators.iter().enumerate().flat_map(|(i, l)| l.iter().map(move |o| (i, o)))
        {
            let complement = [random.percent(30), random.percent(30)];
            let value = |i: usize, v: u64| if complement[i] { !v & mask(width) } else { v };
            let sign = |i: usize| if complement[i] { "-" } else { "" };
            let args = match arity {
                0 => format!("{}2", sign(0)),
                _ => format!("{}2 {}3", sign(0), sign(1)),
            };
            self.node(name, &args, meaning(width, value(0, a), value(1, b)));
        }
        let more = random.below(5u32);
        self.node("uext", &format!("2 {more}"), (width + more, a));
        self.node("sext", &format!("2 {more}"), (width + more, truncated(width + more, signed(width, a))));
        let (low, high) = (random.below(width), random.below(width));
        let (low, high) = (low.min(high), low.max(high));
        self.node("slice", &format!("3 {high} {low}"), (high - low + 1, b >> low & mask(high - low + 1)));
        self.node("consth", &format!("{a:x}"), (width, a));
        self.node("constd", &format!("{a}"), (width, a));
        self.node("constd", &format!("{}", signed(width, b)), (width, b));
        self.node("one", "", (width, 1));
        self.node("ones", "", (width, mask(width)));
        self.node("zero", "", (width, 0));
        let bit = self.sort(1);
        let smaller = self.line(format_args!("ult {bit} 2 3"));
        self.node("ite", &format!("-{smaller} 2 3"), (width, if a < b { b } else { a }));
    }
}

/// The values of nodes by our reader and evaluator: each is the next value of a register of its own.
fn evaluated(nodes: &Nodes, a: &Bits, b: &Bits) -> Vec<u64> {
    let mut text = nodes.text.clone();
    let mut last = nodes.last;
    for &(id, width, _) in &nodes.expected {
        let sort = nodes.sorts.iter().find(|(w, _)| *w == width).expect("a sort").1;
        let state = last + 1;
        writeln!(text, "{state} state {sort}\n{} next {sort} {state} {id}", last + 2).expect("text grows");
        last += 2;
    }
    let mut terms = Terms::new();
    let source = tamis_front_rtl::btor2::read(&mut terms, "nodes", text.as_bytes())
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut model = Model::new();
    for (input, value) in source.design.inputs.iter().zip([a, b]) {
        model.set(input.term, Value::Bits(value.clone()));
    }
    let next = source.design.registers.iter().map(|r| terms.eval(r.next.expect("a next value"), &model));
    next.map(|value| value.as_bits().unsigned() as u64).collect()
}

#[test]
fn every_operator_means_what_the_format_says() {
    let mut random = Random::new(21);
    for round in 0..2_000 {
        let width = if round % 4 == 0 { 1 } else { random.between(2, 9) as u32 };
        let (a, b) = (random.below(mask(width) + 1), random.below(mask(width) + 1));
        let mut nodes = Nodes::new(width, a, b, round % 2 == 0);
        let logical = if width == 1 { LOGICAL } else { &[] };
        nodes.all(&mut random, width, a, b, &[UNARY, BINARY, ROTATIONS, OVERFLOWS, logical]);
        let values = evaluated(&nodes, &Bits::new(width, a.into()), &Bits::new(width, b.into()));
        for (&(id, _, expected), value) in nodes.expected.iter().zip(values) {
            assert_eq!(value, expected, "node {id} with a = {a}, b = {b} in\n{}", nodes.text);
        }
    }
}

#[test]
fn btorsim_agrees_with_arithmetic_by_hand() {
    if Command::new("btorsim").arg("-h").output().is_err() {
        return missing("btorsim", "there is no btorsim in the path");
    }
    let mut random = Random::new(22);
    let folder = std::env::temp_dir().join(format!("tamis-operators-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (file, witness) = (folder.join("nodes.btor2"), folder.join("witness"));
    std::fs::write(&witness, "sat\nb0\n@0\n.\n").expect("a file");
    for _ in 0..100 {
        let width = random.between(1, 9) as u32;
        let (a, b) = (random.below(mask(width) + 1), random.below(mask(width) + 1));
        let mut nodes = Nodes::new(width, a, b, false);
        let small = b.max(!b & mask(width)) < u64::from(width);
        let rotations = if small { ROTATIONS } else { &[] };
        let logical = if width == 1 { LOGICAL } else { &[] };
        nodes.all(&mut random, width, a, b, &[UNARY, BINARY, rotations, logical]);
        let bit = nodes.sort(1);
        let mut all = nodes.line(format_args!("one {bit}"));
        for (id, width, value) in nodes.expected.clone() {
            let sort = nodes.sort(width);
            let constant = nodes.line(format_args!("const {sort} {value:0w$b}", w = width as usize));
            let equal = nodes.line(format_args!("eq {bit} {id} {constant}"));
            all = nodes.line(format_args!("and {bit} {all} {equal}"));
        }
        nodes.line(format_args!("bad {all}"));
        std::fs::write(&file, &nodes.text).expect("a file");
        let checked =
            Command::new("btorsim").arg("-c").args([&file, &witness]).output().expect("btorsim runs");
        assert!(checked.status.success(), "a = {a}, b = {b} in\n{}\n{checked:?}", nodes.text);
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}
