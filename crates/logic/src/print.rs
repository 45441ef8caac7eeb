//! SMT-LIB 2 output that keeps sharing.

use crate::store::{Op, Term, Terms};
use rustc_hash::FxHashMap;
use std::fmt::Write;

impl Terms {
    /// The term in SMT-LIB 2 syntax. A part used more than once is bound by a `let`, so the text is linear in the
    /// number of distinct parts.
    pub fn to_smtlib(&self, t: Term) -> String {
        let order = self.post_order(&[t]);
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for &part in &order {
            for &arg in self.args(part) {
                *uses.entry(arg).or_default() += 1;
            }
        }
        let mut text: FxHashMap<Term, String> = FxHashMap::default();
        let mut lets = String::new();
        let mut open = 0;
        for &part in &order {
            let mut s = self.write_node(part, &text);
            let shared = uses.get(&part).is_some_and(|&n| n > 1);
            if (shared || s.len() > LONG) && !self.args(part).is_empty() {
                let name = format!("?{open}");
                let _ = write!(lets, "(let (({name} {s})) ");
                open += 1;
                s = name;
            }
            text.insert(part, s);
        }
        let body = text.remove(&t).unwrap_or_default();
        format!("{lets}{body}{}", ")".repeat(open))
    }

    fn write_node(&self, t: Term, text: &FxHashMap<Term, String>) -> String {
        let args = self.args(t);
        let extra = |arg: Term| self.width(t) - self.width(arg);
        let head = match self.op(t) {
            Op::Bool(b) => return b.to_string(),
            Op::Bits(bits) => return bits.to_string(),
            Op::Var(_) => return quoted(self.var_name(t).unwrap_or_default()),
            Op::Not => "not".into(),
            Op::And => "and".into(),
            Op::Or => "or".into(),
            Op::Eq => "=".into(),
            Op::Ite => "ite".into(),
            Op::Neg => "bvneg".into(),
            Op::Add => "bvadd".into(),
            Op::Mul => "bvmul".into(),
            Op::Udiv => "bvudiv".into(),
            Op::Urem => "bvurem".into(),
            Op::Sdiv => "bvsdiv".into(),
            Op::Srem => "bvsrem".into(),
            Op::BvNot => "bvnot".into(),
            Op::BvAnd => "bvand".into(),
            Op::BvOr => "bvor".into(),
            Op::BvXor => "bvxor".into(),
            Op::Shl => "bvshl".into(),
            Op::Lshr => "bvlshr".into(),
            Op::Ashr => "bvashr".into(),
            Op::Concat => "concat".into(),
            Op::Extract { high, low } => format!("(_ extract {high} {low})"),
            Op::ZeroExtend => format!("(_ zero_extend {})", extra(args[0])),
            Op::SignExtend => format!("(_ sign_extend {})", extra(args[0])),
            Op::Ult => "bvult".into(),
            Op::Slt => "bvslt".into(),
        };
        let mut s = format!("({head}");
        for arg in args {
            s.push(' ');
            s.push_str(&text[arg]);
        }
        s.push(')');
        s
    }

    /// A whole SMT-LIB 2 script that asks whether the conjunction of `assertions` is satisfiable.
    pub fn to_smtlib_script(&self, assertions: &[Term]) -> String {
        let mut s = String::from("(set-logic QF_BV)\n");
        for var in self.free_vars_of(assertions) {
            let name = quoted(self.var_name(var).unwrap_or_default());
            let _ = writeln!(s, "(declare-const {name} {})", self.sort(var));
        }
        for &a in assertions {
            let _ = writeln!(s, "(assert {})", self.to_smtlib(a));
        }
        s.push_str("(check-sat)\n");
        s
    }
}

/// Texts longer than this get a name even when used once: copied into each user's text in turn, the text of a deep
/// term would cost its depth squared.
const LONG: usize = 400;

/// A name as an SMT-LIB symbol, in bars where it is not a simple one.
fn quoted(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let plain = !name.is_empty()
        && name.chars().all(simple)
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !RESERVED.contains(&name);
    if plain { name.to_owned() } else { format!("|{}|", name.replace(['|', '\\'], "_")) }
}

/// Words that stand for something else in an SMT-LIB script when they are not in bars.
const RESERVED: [&str; 14] =
    ["let", "forall", "exists", "match", "par", "true", "false", "not", "and", "or", "ite", "as", "_", "!"];
