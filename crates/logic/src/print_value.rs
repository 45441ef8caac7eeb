//! Values and names in SMT-LIB 2 syntax.

use crate::model::{FunctionTable, Model};
use crate::op::FunctionId;
use crate::smtlib::{is_operator_name, is_reserved};
use crate::sort::Sort;
use crate::store::{Term, Terms};
use crate::value::Value;
use dashu_int::IBig;
use dashu_int::ops::Abs;
use dashu_ratio::RBig;

impl Terms {
    /// The value in SMT-LIB 2 syntax: `(- 5)`, `(/ 1.0 3.0)`, `#x0f`, `(store ((as const …) …) … …)`. Element `n` of a
    /// declared sort `S` is written `(as @n S)`.
    ///
    /// ```
    /// use tamis_logic::{IBig, RBig, Terms, Value};
    /// let t = Terms::new();
    /// assert_eq!(t.value_text(&Value::Int(IBig::from(-5))), "(- 5)");
    /// assert_eq!(t.value_text(&Value::Real(RBig::from(-3) / RBig::from(2))), "(- (/ 3.0 2.0))");
    /// ```
    pub fn value_text(&self, value: &Value) -> String {
        match value {
            Value::Bool(b) => b.to_string(),
            Value::Bits(bits) => bits.to_string(),
            Value::Int(n) if *n < IBig::ZERO => format!("(- {})", n.abs()),
            Value::Int(n) => n.to_string(),
            Value::Real(n) if *n < RBig::ZERO => format!("(- {})", real_text(&-n)),
            Value::Real(n) => real_text(n),
            Value::Uninterpreted { sort, index } => {
                format!("(as @{index} {})", self.sort_text(Sort::Uninterpreted(*sort)))
            }
            Value::Array(array) => {
                let default = self.value_text(array.default());
                let mut text = "(store ".repeat(array.entries().len());
                text.push_str(&format!("((as const {}) {default})", self.sort_text(array.sort())));
                for (index, element) in array.entries() {
                    text.push_str(&format!(" {} {})", self.value_text(index), self.value_text(element)));
                }
                text
            }
        }
    }

    /// A model's value of a variable as SMT-LIB's `get-model` writes it.
    pub fn definition_text(&self, var: Term, model: &Model) -> String {
        let name = self.printed_name(self.var_name(var).unwrap_or_default());
        let sort = self.sort(var);
        let value = model.get(var).cloned().unwrap_or_else(|| self.default_value(sort));
        format!("(define-fun {name} () {} {})", self.sort_text(sort), self.value_text(&value))
    }

    /// A model's table of a function as SMT-LIB's `get-model` writes it.
    pub fn function_text(&self, f: FunctionId, model: &Model) -> String {
        let (sorts, result) = self.signature(f);
        let nothing = FunctionTable::new(self.default_value(result));
        let table = model.function(f).unwrap_or(&nothing);
        let params: Vec<String> =
            sorts.iter().enumerate().map(|(i, &s)| format!("(x!{i} {})", self.sort_text(s))).collect();
        let mut body = String::new();
        let mut open = 0;
        for (args, value) in table.entries() {
            let equal = |(i, arg)| format!("(= x!{i} {})", self.value_text(arg));
            let equalities: Vec<String> = args.iter().enumerate().map(equal).collect();
            let at = if equalities.len() == 1 {
                equalities[0].clone()
            } else {
                format!("(and {})", equalities.join(" "))
            };
            body.push_str(&format!("(ite {at} {} ", self.value_text(value)));
            open += 1;
        }
        body.push_str(&self.value_text(table.default()));
        body.push_str(&")".repeat(open));
        let name = self.printed_name(self.function_name(f));
        format!("(define-fun {name} ({}) {} {body})", params.join(" "), self.sort_text(result))
    }

    /// A name as an SMT-LIB symbol, in bars where it is not a simple one.
    ///
    /// Bars and backslashes are in no symbol, and a name that means an operator would mean it in bars too: such names
    /// are changed into one that nothing in the store has.
    pub fn printed_name(&self, name: &str) -> String {
        let readable = !name.contains(['|', '\\']) && !is_operator_name(name);
        if readable {
            return quoted(name);
        }
        let mut other = without_bars(name);
        while is_operator_name(&other) || self.symbols.is_used(&other) {
            other.push('%');
        }
        quoted(&other)
    }

    /// The name of a declared sort as an SMT-LIB symbol.
    pub(crate) fn printed_sort_name(&self, sort: Sort) -> String {
        let name = self.sort_name(sort).unwrap_or_default();
        let built_in = |name: &str| ["Bool", "Int", "Real", "Array", "BitVec"].contains(&name);
        if !name.contains(['|', '\\']) && !built_in(name) {
            return quoted(name);
        }
        let mut other = without_bars(name);
        while built_in(&other) || self.sort_ids.contains_key(&other) {
            other.push('%');
        }
        quoted(&other)
    }
}

fn real_text(n: &RBig) -> String {
    if n.is_int() {
        format!("{}.0", n.numerator())
    } else {
        format!("(/ {}.0 {}.0)", n.numerator(), n.denominator())
    }
}

/// Different names stay different: a `%` that is not part of a code is only ever at the end.
fn without_bars(name: &str) -> String {
    name.replace('%', "%25").replace('|', "%7C").replace('\\', "%5C")
}

/// A name without bars and backslashes as a symbol.
fn quoted(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let plain = !name.is_empty()
        && name.chars().all(simple)
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !is_reserved(name.as_bytes());
    if plain { name.to_owned() } else { format!("|{name}|") }
}
