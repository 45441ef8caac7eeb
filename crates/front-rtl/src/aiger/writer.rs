//! Designs of single bits as AIGER: for proofs as circuits.

use rustc_hash::FxHashMap;
use std::fmt::Write;
use tamis_design::{Design, Signal};
use tamis_logic::{Op, Sort, Term, Terms, Value};

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `aag`.
    Text,
    /// `aig`.
    Binary,
}

/// Writes a design whose words are single bits, its inputs and registers in their order: first all inputs, then all latches,
/// then the gates, as the binary form asks for. There are no names: tools read meanings of their own from them.
///
/// # Errors
/// A word of more than one bit, a register without a next value, or a first value that is not a constant: what AIGER cannot say.
///
/// ```
/// use tamis_front_rtl::aiger::{self, Form};
/// use tamis_logic::Terms;
/// let text = "aag 1 0 1 0 0 1\n2 3\n2\n";
/// let mut terms = Terms::new();
/// let source = aiger::read(&mut terms, "toggle.aag", text.as_bytes())?;
/// assert_eq!(aiger::write(&terms, &source.design, Form::Text), Ok(text.as_bytes().to_vec()));
/// # Ok::<(), tamis_diagnostics::Error>(())
/// ```
pub fn write(terms: &Terms, design: &Design, form: Form) -> Result<Vec<u8>, String> {
    let mut gates =
        Gates { terms, literals: FxHashMap::default(), known: FxHashMap::default(), all: vec![], first: 0 };
    for (i, signal) in design.signals().enumerate() {
        one_bit(terms, signal)?;
        gates.literals.insert(signal.term, 2 * (i + 1));
    }
    let (inputs, latches) = (design.inputs.len(), design.registers.len());
    gates.first = inputs + latches + 1;
    let mut lines = String::new();
    for (i, register) in design.registers.iter().enumerate() {
        let name = &register.signal.name;
        let own = 2 * (inputs + i + 1);
        let next = register.next.ok_or_else(|| format!("the latch {name} has no next value"))?;
        let next = gates.literal(next)?;
        let reset = match register.init {
            None => own,
            Some(init) => match gates.literal(init)? {
                constant @ (0 | 1) => constant,
                _ => return Err(format!("the first value of {name} is no constant")),
            },
        };
        if form == Form::Text {
            let _ = write!(lines, "{own} ");
        }
        let _ = match reset {
            0 => writeln!(lines, "{next}"),
            reset => writeln!(lines, "{next} {reset}"),
        };
    }
    let conditions = design.properties.iter().chain(&design.constraints);
    for condition in conditions.map(|c| c.term).collect::<Vec<Term>>() {
        let literal = gates.literal(condition)?;
        let _ = writeln!(lines, "{literal}");
    }
    for justice in &design.justice {
        let _ = writeln!(lines, "{}", justice.conditions.len());
    }
    let live = design.justice.iter().flat_map(|j| &j.conditions).copied();
    for condition in live.chain(design.fairness.iter().map(|c| c.term)).collect::<Vec<Term>>() {
        let literal = gates.literal(condition)?;
        let _ = writeln!(lines, "{literal}");
    }
    let counts = [gates.first - 1 + gates.all.len(), inputs, latches, 0, gates.all.len()];
    let more =
        [design.properties.len(), design.constraints.len(), design.justice.len(), design.fairness.len()];
    // Counts at the end that are 0 are left out.
    let more = &more[..more.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1)];
    let counts: Vec<String> = counts.iter().chain(more).map(usize::to_string).collect();
    let kind = if form == Form::Text { "aag" } else { "aig" };
    let mut text = format!("{kind} {}\n", counts.join(" "));
    if form == Form::Text {
        (1..=inputs).for_each(|i| text.push_str(&format!("{}\n", 2 * i)));
    }
    text.push_str(&lines);
    let mut bytes = text.into_bytes();
    for (i, &(a, b)) in gates.all.iter().enumerate() {
        let own = 2 * (gates.first + i);
        match form {
            Form::Text => bytes.extend(format!("{own} {a} {b}\n").bytes()),
            Form::Binary => [own - a, a - b].into_iter().for_each(|n| difference(&mut bytes, n)),
        }
    }
    Ok(bytes)
}

fn one_bit(terms: &Terms, signal: &Signal) -> Result<(), String> {
    match terms.sort(signal.term) {
        Sort::Bool | Sort::BitVec(1) => Ok(()),
        _ => Err(format!("{} is more than one bit", signal.name)),
    }
}

/// A number of seven bits a byte, the lowest first.
fn difference(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        bytes.push((number % 128) as u8 | 128);
        number /= 128;
    }
    bytes.push(number as u8);
}

/// The gates, each of two literals, the larger first.
struct Gates<'a> {
    terms: &'a Terms,
    literals: FxHashMap<Term, usize>,
    known: FxHashMap<(usize, usize), usize>,
    all: Vec<(usize, usize)>,
    /// The first gate's variable.
    first: usize,
}

impl Gates<'_> {
    /// The literal of a term.
    fn literal(&mut self, root: Term) -> Result<usize, String> {
        for t in self.terms.post_order_until(&[root], |t| self.literals.contains_key(&t)) {
            if !self.literals.contains_key(&t) {
                let literal = self.make(t)?;
                self.literals.insert(t, literal);
            }
        }
        Ok(self.literals[&root])
    }

    fn make(&mut self, t: Term) -> Result<usize, String> {
        let terms = self.terms;
        let args: Vec<usize> = terms.args(t).iter().map(|a| self.literals[a]).collect();
        let negated = |args: &[usize]| args.iter().map(|a| a ^ 1).collect::<Vec<usize>>();
        Ok(match (terms.op(t), &args[..]) {
            (Op::Bool(value), _) => value.into(),
            (Op::Const(_), _) => match terms.constant(t) {
                Some(Value::Bits(bits)) if bits.width() == 1 => usize::from(!bits.is_zero()),
                _ => return Err("a constant is more than one bit".to_owned()),
            },
            (Op::Not | Op::BvNot, [a]) => a ^ 1,
            (Op::And | Op::BvAnd | Op::Mul, args) => self.and_all(args),
            (Op::Or | Op::BvOr, args) => self.and_all(&negated(args)) ^ 1,
            (Op::BvXor | Op::Add, args) => args.iter().fold(0, |all, &a| self.xor(all, a)),
            (Op::Neg, [a]) => *a,
            (Op::Eq, &[a, b]) => self.xor(a, b) ^ 1,
            (Op::Ult, &[a, b]) => self.and(a ^ 1, b),
            (Op::Slt, &[a, b]) => self.and(a, b ^ 1),
            (Op::Ite, &[c, a, b]) => {
                let (then, otherwise) = (self.and(c, a), self.and(c ^ 1, b));
                self.and(then ^ 1, otherwise ^ 1) ^ 1
            }
            (Op::Var(_), _) => return Err(format!("{} is not of the design", terms.to_smtlib(t))),
            (other, _) => return Err(format!("there are no gates for {other:?} on single bits")),
        })
    }

    fn and_all(&mut self, args: &[usize]) -> usize {
        args.iter().fold(1, |all, &a| self.and(all, a))
    }

    fn xor(&mut self, a: usize, b: usize) -> usize {
        let (one, other) = (self.and(a, b ^ 1), self.and(a ^ 1, b));
        self.and(one ^ 1, other ^ 1) ^ 1
    }

    fn and(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = if a < b { (b, a) } else { (a, b) };
        match (a, b) {
            (_, 0) => 0,
            (a, 1) => a,
            (a, b) if a == b => a,
            (a, b) if a == b ^ 1 => 0,
            pair => *self.known.entry(pair).or_insert_with(|| {
                self.all.push(pair);
                2 * (self.first + self.all.len() - 1)
            }),
        }
    }
}
