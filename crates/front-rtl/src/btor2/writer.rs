//! Designs as BTOR2: for witnesses about designs that came in another format, and for proofs as circuits.

use rustc_hash::FxHashMap;
use std::fmt::Write;
use tamis_design::Design;
use tamis_logic::{Op, Sort, Term, Terms, Value};

/// Writes a design as BTOR2, its inputs, registers, constraints and properties in their order. `Err` names what BTOR2 cannot say.
///
/// ```
/// use tamis_front_rtl::btor2;
/// use tamis_logic::Terms;
/// let text = "1 sort bitvec 8\n2 state 1 count\n3 inc 1 2\n4 next 1 2 3\n5 sort bitvec 1\n6 redand 5 2\n7 bad 6 full\n";
/// let mut terms = Terms::new();
/// let source = btor2::read(&mut terms, "count.btor2", text.as_bytes())?;
/// let written = btor2::write(&terms, &source.design).expect("BTOR2 can say it");
/// let again = btor2::read(&mut Terms::new(), "again.btor2", written.as_bytes())?;
/// assert_eq!(again.design.registers[0].signal.name, "count");
/// assert_eq!(again.design.properties[0].name, "full");
/// # Ok::<(), tamis_diagnostics::Error>(())
/// ```
///
/// # Errors
/// An operator that BTOR2 does not have: arrays that hold the same value everywhere, outside of first values.
pub fn write(terms: &Terms, design: &Design) -> Result<String, String> {
    let mut writer = Writer {
        terms,
        text: String::new(),
        last: 0,
        sorts: FxHashMap::default(),
        nodes: FxHashMap::default(),
    };
    writer.design(design)?;
    Ok(writer.text)
}

struct Writer<'a> {
    terms: &'a Terms,
    text: String,
    /// The last line's number.
    last: u64,
    sorts: FxHashMap<Sort, u64>,
    nodes: FxHashMap<Term, u64>,
}

/// A name as a symbol: a word without spaces that does not look like a comment.
fn symbol(name: &str) -> String {
    let plain = |c: char| if c.is_whitespace() || c.is_control() || c == ';' { '_' } else { c };
    name.chars().map(plain).collect()
}

impl Writer<'_> {
    fn line(&mut self, text: &str) -> u64 {
        self.last += 1;
        let _ = writeln!(self.text, "{} {text}", self.last);
        self.last
    }

    fn design(&mut self, design: &Design) -> Result<(), String> {
        for input in &design.inputs {
            let sort = self.sort(self.terms.sort(input.term))?;
            let id = self.line(&format!("input {sort} {}", symbol(&input.name)));
            self.nodes.insert(input.term, id);
        }
        for register in &design.registers {
            let sort = self.sort(self.terms.sort(register.signal.term))?;
            // What a first value is made of stands before its state.
            let init = register.init.map(|init| self.first_value(init)).transpose()?;
            let id = self.line(&format!("state {sort} {}", symbol(&register.signal.name)));
            self.nodes.insert(register.signal.term, id);
            if let Some(init) = init {
                self.line(&format!("init {sort} {id} {init}"));
            }
        }
        for register in &design.registers {
            let Some(next) = register.next else { continue };
            let sort = self.sort(self.terms.sort(register.signal.term))?;
            let next = self.node(next)?;
            let id = self.nodes[&register.signal.term];
            self.line(&format!("next {sort} {id} {next}"));
        }
        for constraint in &design.constraints {
            let id = self.node(constraint.term)?;
            self.line(&format!("constraint {id} {}", symbol(&constraint.name)));
        }
        for property in &design.properties {
            let id = self.node(property.term)?;
            self.line(&format!("bad {id} {}", symbol(&property.name)));
        }
        for fairness in &design.fairness {
            let id = self.node(fairness.term)?;
            self.line(&format!("fair {id} {}", symbol(&fairness.name)));
        }
        for justice in &design.justice {
            let ids: Vec<u64> = justice.conditions.iter().map(|&c| self.node(c)).collect::<Result<_, _>>()?;
            let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
            let name = symbol(&justice.name);
            self.line(&format!("justice {} {} {name}", ids.len(), ids.join(" ")));
        }
        Ok(())
    }

    /// A first value: of a memory, it may be a word that every element holds.
    fn first_value(&mut self, init: Term) -> Result<u64, String> {
        match self.terms.op(init) {
            Op::ConstArray => self.node(self.terms.args(init)[0]),
            _ => self.node(init),
        }
    }

    fn sort(&mut self, sort: Sort) -> Result<u64, String> {
        // Truth values are words of one bit.
        let sort = if sort == Sort::Bool { Sort::BitVec(1) } else { sort };
        if let Some(&id) = self.sorts.get(&sort) {
            return Ok(id);
        }
        let text = match (sort, self.terms.array_parts(sort)) {
            (Sort::BitVec(width), _) => format!("sort bitvec {width}"),
            (_, Some((index, element))) => {
                let (index, element) = (self.sort(index)?, self.sort(element)?);
                format!("sort array {index} {element}")
            }
            _ => return Err(format!("BTOR2 has no sort {}", self.terms.sort_text(sort))),
        };
        let id = self.line(&text);
        self.sorts.insert(sort, id);
        Ok(id)
    }

    fn node(&mut self, root: Term) -> Result<u64, String> {
        let new = self.terms.post_order_until(&[root], |t| self.nodes.contains_key(&t));
        for t in new {
            if !self.nodes.contains_key(&t) {
                let id = self.make(t)?;
                self.nodes.insert(t, id);
            }
        }
        Ok(self.nodes[&root])
    }

    fn make(&mut self, t: Term) -> Result<u64, String> {
        let terms = self.terms;
        let sort = self.sort(terms.sort(t))?;
        let args: Vec<u64> = terms.args(t).iter().map(|a| self.nodes[a]).collect();
        let name = match terms.op(t) {
            Op::Bool(value) => return Ok(self.line(&format!("const {sort} {}", u8::from(value)))),
            Op::Const(_) => match terms.constant(t) {
                Some(Value::Bits(bits)) => {
                    let width = bits.width() as usize;
                    return Ok(self.line(&format!("const {sort} {:0width$b}", bits.to_ubig())));
                }
                _ => return Err("BTOR2 has no constant memories".to_owned()),
            },
            Op::Var(_) => return Err(format!("{} is not of the design", terms.to_smtlib(t))),
            Op::Extract { high, low } => {
                return Ok(self.line(&format!("slice {sort} {} {high} {low}", args[0])));
            }
            Op::ZeroExtend | Op::SignExtend => {
                let more = terms.width(t) - terms.width(terms.args(t)[0]);
                let name = if terms.op(t) == Op::ZeroExtend { "uext" } else { "sext" };
                return Ok(self.line(&format!("{name} {sort} {} {more}", args[0])));
            }
            Op::Not | Op::BvNot => "not",
            Op::And | Op::BvAnd => "and",
            Op::Or | Op::BvOr => "or",
            Op::BvXor => "xor",
            Op::Eq => "eq",
            Op::Ite => "ite",
            Op::Neg => "neg",
            Op::Add => "add",
            Op::Mul => "mul",
            Op::Udiv => "udiv",
            Op::Urem => "urem",
            Op::Sdiv => "sdiv",
            Op::Srem => "srem",
            Op::Shl => "sll",
            Op::Lshr => "srl",
            Op::Ashr => "sra",
            Op::Concat => "concat",
            Op::Ult => "ult",
            Op::Slt => "slt",
            Op::Select => "read",
            Op::Store => "write",
            other => return Err(format!("BTOR2 has no operator for {other:?}")),
        };
        let chained =
            matches!(terms.op(t), Op::And | Op::Or | Op::BvAnd | Op::BvOr | Op::BvXor | Op::Add | Op::Mul);
        if !chained || args.len() <= 2 {
            let args: Vec<String> = args.iter().map(u64::to_string).collect();
            return Ok(self.line(&format!("{name} {sort} {}", args.join(" "))));
        }
        let mut id = args[0];
        for arg in &args[1..] {
            id = self.line(&format!("{name} {sort} {id} {arg}"));
        }
        Ok(id)
    }
}
