//! The conditions of clauses as C: what a contract's own functions mean where it is assumed, and where it is checked.
//!
//! | function | assumed | checked |
//! | --- | --- | --- |
//! | `__CPROVER_is_fresh(p, n)` | `p` becomes a block of `n` bytes | `n` bytes are there, in no other object of the same contract; behind a call of the function, in one that came into being in it |
//! | `__CPROVER_pointer_equals(p, q)` | `p` becomes `q` | `p == q` |
//! | `__CPROVER_pointer_in_range_dfcc(a, p, b)` | `p` becomes a place between | it is one |
//! | `__CPROVER_old(e)`, `__CPROVER_loop_entry(e)` | a variable that kept the value | the same |
//! | `__CPROVER_is_freeable(p)`, `__CPROVER_was_freed(p)` | `p` is the start of a block; it is freed | it is; it is gone |

use crate::cprover::Refused;
use crate::cprover::words::{Kind, Words};
use std::ops::Range;

/// What is done with a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// Executions without it are of no interest.
    Assumed,
    /// It must hold.
    Checked,
    /// It must hold, behind a call of the function with this number.
    CheckedBehind(usize),
}

/// The conditions of a contract, and what they need.
pub(super) struct Conditions<'a, 'b> {
    words: &'b Words<'a>,
    /// What names that are made up begin with.
    prefix: String,
    /// Values before the call, in the order of their variables.
    pub(super) old: Vec<String>,
    /// How many objects must be apart.
    pub(super) apart: usize,
    /// Whether what is fresh holds values, and not just anything.
    set: bool,
    /// Whether a condition may be about pointers to nothing.
    doubted: bool,
}

impl<'a, 'b> Conditions<'a, 'b> {
    pub(super) fn new(words: &'b Words<'a>, prefix: &str, set: bool) -> Conditions<'a, 'b> {
        Conditions { words, prefix: prefix.to_owned(), old: Vec::new(), apart: 0, set, doubted: false }
    }

    /// Another contract's clause is looked at: what it says in some cases alone may be about pointers to nothing in the others.
    pub(super) fn look_at(&mut self, range: Range<usize>) {
        self.doubted |= range.into_iter().any(|i| matches!(self.words.word(i), "==>" | "||" | "?"));
    }

    /// Declarations of the variables that keep old values. What is no value at the call, as it is read through a pointer to
    /// nothing, is anything.
    pub(super) fn kept(&self) -> String {
        let keep = |(i, value): (usize, &String)| {
            let name = self.kept_name(i);
            match self.doubted && lvalue(value) {
                true => format!(
                    "__typeof__({value}) {name}; if (__CPROVER_r_ok(&({value}), sizeof({value}))) {name} = {value}; "
                ),
                false => format!("__auto_type {name} = ({value}); "),
            }
        };
        self.old.iter().enumerate().map(keep).collect()
    }

    fn kept_name(&self, number: usize) -> String {
        format!("{}old_{}", self.prefix, number + 1)
    }

    /// Declarations of the pointers to objects that must be apart.
    pub(super) fn pointers(&self) -> String {
        (1..=self.apart).map(|i| format!("const void *{}fresh_{i} = 0; ", self.prefix)).collect()
    }

    /// Some words in C, but for operators and quantifiers, which are none of a contract's.
    pub(super) fn condition(&mut self, range: Range<usize>, used: Use) -> Result<String, Refused> {
        let (mut out, mut i, mut done) = (String::new(), range.start, None);
        while i < range.end {
            let word = &self.words.words[i];
            if let Some(done) = done {
                // What stands between words is a blank, so that a condition is one line.
                out.push_str(if word.at.start > done { " " } else { "" });
            }
            let name = self.words.word(i);
            if word.kind == Kind::Name && name.starts_with(crate::tree::vocabulary::CPROVER) {
                if name == "__CPROVER_return_value" {
                    out.push_str(&format!("{}return", self.prefix));
                } else if self.words.word(i + 1) == "("
                    && let Some(end) = self.words.closing(i + 1)
                    && let Some(text) = self.call(i, end, used)?
                {
                    out.push_str(&text);
                    i = end;
                } else {
                    out.push_str(name);
                }
            } else {
                out.push_str(name);
            }
            done = Some(self.words.words[i].at.end);
            i += 1;
        }
        Ok(out)
    }

    /// A call of a function of contracts' own.
    fn call(&mut self, name: usize, end: usize, used: Use) -> Result<Option<String>, Refused> {
        let word = self.words.word(name);
        let parts = self.words.split(name + 2..end, ",");
        let checked = used != Use::Assumed;
        let known = [
            "__CPROVER_is_fresh",
            "__CPROVER_pointer_equals",
            "__CPROVER_pointer_in_range_dfcc",
            "__CPROVER_old",
            "__CPROVER_loop_entry",
            "__CPROVER_is_freeable",
            "__CPROVER_was_freed",
        ];
        if !known.contains(&word) {
            return Ok(None);
        }
        let mut args = Vec::new();
        for part in parts {
            args.push(self.condition(part, used)?);
        }
        Ok(Some(match (word, &args[..]) {
            ("__CPROVER_is_fresh", [p, n]) if !checked => {
                let set = if self.set { format!(" __CPROVER_havoc_slice({p}, {n});") } else { String::new() };
                format!("({{ {p} = __builtin_malloc({n}); __CPROVER_assume({p} != 0);{set} 1; }})")
            }
            ("__CPROVER_is_fresh", [p, n]) => {
                let apart: String = (1..=self.apart)
                    .map(|i| format!(" && !__CPROVER_same_object({p}, {}fresh_{i})", self.prefix))
                    .collect();
                let new = match used {
                    Use::CheckedBehind(frame) => format!(" && __VERIFIER_new_in_contract({frame}, {p})"),
                    _ => String::new(),
                };
                self.apart += 1;
                let own = format!("{}fresh_{}", self.prefix, self.apart);
                format!("(__CPROVER_rw_ok({p}, {n}){new}{apart} && ({own} = ({p}), 1))")
            }
            ("__CPROVER_pointer_equals", [p, q]) if !checked => format!("(({p} = ({q})), 1)"),
            ("__CPROVER_pointer_equals", [p, q]) => format!("(({p}) == ({q}))"),
            ("__CPROVER_pointer_in_range_dfcc", [a, p, b]) if !checked => {
                let far = format!("{}far", self.prefix);
                format!(
                    "({{ __CPROVER_size_t {far} = __VERIFIER_nondet_size(); __CPROVER_assume({far} <= \
                     (__CPROVER_size_t)((char *)({b}) - (char *)({a}))); {p} = (void *)((char *)({a}) + {far}); 1; }})"
                )
            }
            ("__CPROVER_pointer_in_range_dfcc", [a, p, b]) => {
                format!(
                    "({{ _Bool {0}in = __CPROVER_same_object({a}, {p}); {0}in = {0}in && __CPROVER_same_object({p}, {b}); \
                     __CPROVER_size_t {0}low = __CPROVER_POINTER_OFFSET({a}), {0}at = __CPROVER_POINTER_OFFSET({p}), \
                     {0}high = __CPROVER_POINTER_OFFSET({b}); {0}in && {0}low <= {0}at && {0}at <= {0}high; }})",
                    self.prefix
                )
            }
            ("__CPROVER_old" | "__CPROVER_loop_entry", [e]) => {
                let number = self.old.iter().position(|known| known == e).unwrap_or(self.old.len());
                if number == self.old.len() {
                    self.old.push(e.clone());
                }
                self.kept_name(number)
            }
            ("__CPROVER_is_freeable", [p]) => format!(
                "(({p}) == 0 || (__CPROVER_DYNAMIC_OBJECT({p}) && __CPROVER_LIVE_OBJECT({p}) && \
                 __CPROVER_POINTER_OFFSET({p}) == 0))"
            ),
            ("__CPROVER_was_freed", [p]) if !checked => format!("({{ __builtin_free({p}); 1; }})"),
            ("__CPROVER_was_freed", [p]) => format!("(!__CPROVER_LIVE_OBJECT({p}))"),
            _ => {
                let at = self.words.words[name].at.start;
                return Err((at, format!("`{word}` with these arguments is not supported yet")));
            }
        }))
    }
}

/// Whether the text of an expression is that of an lvalue that is read through a pointer.
fn lvalue(text: &str) -> bool {
    let words = Words::of(text);
    let plain = |i: usize| {
        matches!(words.word(i), "*" | "." | "->" | "(" | ")" | "[" | "]") || words.words[i].kind == Kind::Name
    };
    let through = (0..words.words.len()).any(|i| matches!(words.word(i), "*" | "->" | "["));
    // A product is none.
    let product =
        (1..words.words.len()).any(|i| words.word(i) == "*" && !matches!(words.word(i - 1), "*" | "(" | "["));
    let call = (1..words.words.len())
        .any(|i| words.word(i) == "(" && (words.words[i - 1].kind == Kind::Name || words.word(i - 1) == ")"));
    let index = (0..words.words.len()).all(|i| plain(i) || words.words[i].kind == Kind::Number);
    let cast = (1..words.words.len())
        .any(|i| words.word(i - 1) == ")" && (words.words[i].kind == Kind::Name || words.word(i) == "("));
    through
        && index
        && !product
        && !call
        && !cast
        && words.words.last().is_some_and(|w| w.kind != Kind::Number)
}
