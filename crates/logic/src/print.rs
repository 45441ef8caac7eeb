//! SMT-LIB 2 output that keeps sharing.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
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
        let mut next_name = 0;
        for &part in &order {
            let mut s = self.node_text(part, &text);
            let shared = uses.get(&part).is_some_and(|&n| n > 1);
            if (shared || s.len() > NAMED_LENGTH) && !self.args(part).is_empty() {
                let name = self.let_name(&mut next_name);
                let _ = write!(lets, "(let (({name} {s})) ");
                open += 1;
                s = name;
            }
            text.insert(part, s);
        }
        let body = text.remove(&t).unwrap_or_default();
        format!("{lets}{body}{}", ")".repeat(open))
    }

    /// The terms in SMT-LIB 2 syntax, after the commands that define what they use more than once, among them or in one: for
    /// scripts, whose readers need not nest as deeply then as with `let`.
    ///
    /// ```
    /// use tamis_logic::{Sort, Terms};
    /// let mut t = Terms::new();
    /// let (x, y) = (t.var("x", Sort::BitVec(8)), t.var("y", Sort::BitVec(8)));
    /// let sum = t.add(x, y);
    /// let (less, more) = (t.ult(sum, x), t.ult(y, sum));
    /// let (definitions, texts) = t.to_smtlib_defined(&[less, more]);
    /// assert_eq!(definitions, "(define-fun ?0 () (_ BitVec 8) (bvadd x y))\n");
    /// assert_eq!(texts, ["(bvult ?0 x)", "(bvult y ?0)"]);
    /// ```
    pub fn to_smtlib_defined(&self, roots: &[Term]) -> (String, Vec<String>) {
        let order = self.post_order(roots);
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for &part in order.iter().flat_map(|&part| self.args(part)).chain(roots) {
            *uses.entry(part).or_default() += 1;
        }
        let mut text: FxHashMap<Term, String> = FxHashMap::default();
        let (mut definitions, mut next_name) = (String::new(), 0);
        for &part in &order {
            let mut s = self.node_text(part, &text);
            let shared = uses.get(&part).is_some_and(|&n| n > 1);
            if (shared || s.len() > NAMED_LENGTH) && !self.args(part).is_empty() {
                let name = self.let_name(&mut next_name);
                let sort = self.sort_text(self.sort(part));
                let _ = writeln!(definitions, "(define-fun {name} () {sort} {s})");
                s = name;
            }
            text.insert(part, s);
        }
        (definitions, roots.iter().map(|root| text[root].clone()).collect())
    }

    /// The next name that no symbol has.
    fn let_name(&self, next: &mut u64) -> String {
        loop {
            let name = format!("?{next}");
            *next += 1;
            if !self.symbols.is_used(&name) {
                return name;
            }
        }
    }

    fn node_text(&self, t: Term, text: &FxHashMap<Term, String>) -> String {
        let args = self.args(t);
        let extra = |arg: Term| self.width(t) - self.width(arg);
        let mut s = String::from("(");
        let _ = match self.op(t) {
            Op::Bool(b) => return b.to_string(),
            Op::Const(_) => return self.constant(t).map(|v| self.value_text(&v)).unwrap_or_default(),
            Op::Var(_) => return self.printed_name(self.var_name(t).unwrap_or_default()),
            Op::Extract { high, low } => write!(s, "(_ extract {high} {low})"),
            Op::ZeroExtend => write!(s, "(_ zero_extend {})", extra(args[0])),
            Op::SignExtend => write!(s, "(_ sign_extend {})", extra(args[0])),
            Op::ConstArray => write!(s, "(as const {})", self.sort_text(self.sort(t))),
            Op::Apply(f) => match self.divides_by_zero(f) {
                Some(op) => {
                    let zero = if op == Op::Divide { "0.0" } else { "0" };
                    return format!("({} {} {zero})", name(op), text[&args[0]]);
                }
                None => write!(s, "{}", self.printed_name(self.function_name(f))),
            },
            op => write!(s, "{}", name(op)),
        };
        for arg in args {
            s.push(' ');
            s.push_str(&text[arg]);
        }
        s.push(')');
        s
    }

    /// A whole SMT-LIB 2 script that asks whether the conjunction of `assertions` is satisfiable.
    pub fn to_smtlib_script(&self, assertions: &[Term]) -> String {
        let mut s = format!("(set-logic {})\n{}", self.logic_of(assertions), self.declarations(assertions));
        for &a in assertions {
            let _ = writeln!(s, "(assert {})", self.to_smtlib(a));
        }
        s.push_str("(check-sat)\n");
        s
    }

    /// The commands that declare the sorts, variables and functions in `roots`.
    pub fn declarations(&self, roots: &[Term]) -> String {
        let mut s = String::new();
        for sort in self.declared_sorts(roots) {
            let _ = writeln!(s, "(declare-sort {} 0)", self.printed_sort_name(sort));
        }
        for var in self.free_vars_of(roots) {
            let name = self.printed_name(self.var_name(var).unwrap_or_default());
            let _ = writeln!(s, "(declare-const {name} {})", self.sort_text(self.sort(var)));
        }
        for f in self.functions_of(roots) {
            let (args, result) = self.signature(f);
            let args: Vec<String> = args.iter().map(|&sort| self.sort_text(sort)).collect();
            let name = self.printed_name(self.function_name(f));
            let _ = writeln!(s, "(declare-fun {name} ({}) {})", args.join(" "), self.sort_text(result));
        }
        s
    }

    /// The sorts in `roots`, those of functions' arguments and those inside array sorts included.
    fn sorts_of(&self, roots: &[Term]) -> FxHashSet<Sort> {
        let mut pending: Vec<Sort> = self.post_order(roots).into_iter().map(|t| self.sort(t)).collect();
        let mut found = FxHashSet::default();
        while let Some(sort) = pending.pop() {
            if found.insert(sort)
                && let Some((index, element)) = self.array_parts(sort)
            {
                pending.extend([index, element]);
            }
        }
        found
    }

    fn declared_sorts(&self, roots: &[Term]) -> Vec<Sort> {
        let is_declared = |sort: &Sort| matches!(sort, Sort::Uninterpreted(_));
        let mut found: Vec<Sort> = self.sorts_of(roots).into_iter().filter(is_declared).collect();
        found.sort_unstable();
        found
    }

    /// The smallest of SMT-LIB's logics, roughly, that has these terms.
    pub fn logic_of(&self, roots: &[Term]) -> String {
        let sorts = self.sorts_of(roots);
        let (int, real) = (sorts.contains(&Sort::Int), sorts.contains(&Sort::Real));
        let bits = sorts.iter().any(|sort| matches!(sort, Sort::BitVec(_)));
        let arrays = sorts.iter().any(|sort| matches!(sort, Sort::Array(_)));
        let free = sorts.iter().any(|sort| matches!(sort, Sort::Uninterpreted(_)));
        if free && arrays || bits && (int || real) {
            return "ALL".into();
        }
        let nonlinear = self.post_order(roots).iter().any(|&t| match self.op(t) {
            Op::Times => self.number_constant(self.args(t)[0]).is_none() || self.args(t).len() > 2,
            Op::IntDiv | Op::Mod => self.number_constant(self.args(t)[1]).is_none(),
            Op::Divide => true,
            _ => false,
        });
        let functions = self.post_order(roots).iter().any(|&t| matches!(self.op(t), Op::Apply(_)));
        let mut logic = String::from("QF_");
        let plain = !bits && !int && !real && !arrays;
        let parts = [
            (arrays && (bits || int || real), "A"),
            (arrays && !(bits || int || real), "AX"),
            (functions || free || plain, "UF"),
            (bits, "BV"),
            (int || real, if nonlinear { "N" } else { "L" }),
            (int, "I"),
            (real, "R"),
            (int || real, "A"),
        ];
        parts.iter().filter(|(present, _)| *present).for_each(|(_, part)| logic.push_str(part));
        logic
    }
}

/// Texts longer than this get a name even when used once: copied into each user's text in turn, the text of a deep
/// term would cost its depth squared.
const NAMED_LENGTH: usize = 400;

/// An operator that is written by its name alone.
fn name(op: Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::Neg => "bvneg",
        Op::Add => "bvadd",
        Op::Mul => "bvmul",
        Op::Udiv => "bvudiv",
        Op::Urem => "bvurem",
        Op::Sdiv => "bvsdiv",
        Op::Srem => "bvsrem",
        Op::BvNot => "bvnot",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::Shl => "bvshl",
        Op::Lshr => "bvlshr",
        Op::Ashr => "bvashr",
        Op::Concat => "concat",
        Op::Ult => "bvult",
        Op::Slt => "bvslt",
        Op::Plus => "+",
        Op::Times => "*",
        Op::Le => "<=",
        Op::IntDiv => "div",
        Op::Mod => "mod",
        Op::Divide => "/",
        Op::ToReal => "to_real",
        Op::ToInt => "to_int",
        Op::IsInt => "is_int",
        Op::Select => "select",
        Op::Store => "store",
        Op::Bool(_) | Op::Const(_) | Op::Var(_) | Op::Apply(_) | Op::ConstArray => "",
        Op::Extract { .. } | Op::ZeroExtend | Op::SignExtend => "",
    }
}
