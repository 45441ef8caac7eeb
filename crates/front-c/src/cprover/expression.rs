//! Expressions of CBMC's: implications, quantifiers, and functions whose arguments C could not type.

use super::words::{Kind, Words};
use super::{Refused, replaced};
use std::ops::Range;

/// Functions with other names in C.
const NAMES: [(&str, &str); 23] = [
    // As many bytes as CBMC lets an object have, with its 8 bits for the number of an object.
    ("__CPROVER_max_malloc_size", "(1UL << (8 * sizeof(void *) - 9))"),
    ("__CPROVER_abs", "__builtin_abs"),
    ("__CPROVER_labs", "__builtin_labs"),
    ("__CPROVER_llabs", "__builtin_llabs"),
    ("__CPROVER_fabs", "__builtin_fabs"),
    ("__CPROVER_fabsf", "__builtin_fabsf"),
    ("__CPROVER_fabsl", "__builtin_fabsl"),
    ("__CPROVER_isnanf", "__builtin_isnan"),
    ("__CPROVER_isnand", "__builtin_isnan"),
    ("__CPROVER_isnanld", "__builtin_isnan"),
    ("__CPROVER_isinff", "__builtin_isinf"),
    ("__CPROVER_isinfd", "__builtin_isinf"),
    ("__CPROVER_isinfld", "__builtin_isinf"),
    ("__CPROVER_isfinitef", "__builtin_isfinite"),
    ("__CPROVER_isfinited", "__builtin_isfinite"),
    ("__CPROVER_isfiniteld", "__builtin_isfinite"),
    ("__CPROVER_isnormalf", "__builtin_isnormal"),
    ("__CPROVER_isnormald", "__builtin_isnormal"),
    ("__CPROVER_isnormalld", "__builtin_isnormal"),
    ("__CPROVER_signf", "__builtin_signbit"),
    ("__CPROVER_signd", "__builtin_signbit"),
    ("__CPROVER_inf", "__builtin_inf"),
    ("__CPROVER_inff", "__builtin_inff"),
];

/// Overflow of an operation on two operands, by the operation as C writes it.
const OVERFLOW: [(&str, &str, &str); 3] = [
    ("__CPROVER_overflow_plus", "+", "__builtin_add_overflow"),
    ("__CPROVER_overflow_minus", "-", "__builtin_sub_overflow"),
    ("__CPROVER_overflow_mult", "*", "__builtin_mul_overflow"),
];

/// A text with C's expressions.
pub(super) fn as_c(text: &str) -> Result<String, Refused> {
    let words = Words::of(text);
    // What stands in brackets, or between marks of lists, is an expression of its own.
    let mut rewriter = Rewriter { words: &words, bound: 0 };
    let mut pieces = Vec::new();
    let mut i = 0;
    while i < words.words.len() {
        let end = match words.word(i) {
            "(" | "[" => words.closing(i),
            name if rewriter.is_ours(name) => Some(rewriter.end_of_call(i)),
            _ => None,
        };
        match end {
            Some(end) if rewriter.needs(i..end + 1) => {
                let new = rewriter.rewritten(i..end + 1)?;
                pieces.push((words.words[i].at.start..words.words[end].at.end, new));
                i = end + 1;
            }
            Some(end) if words.word(i) == "(" || words.word(i) == "[" => i = end + 1,
            _ => i += 1,
        }
    }
    Ok(replaced(text, &pieces))
}

/// What a comparison says of the variable of a quantifier.
#[derive(Clone, Copy)]
enum Bound {
    /// It is not below this.
    Low,
    /// It is below this, or equal to it.
    Below(bool),
}

struct Rewriter<'a, 'b> {
    words: &'b Words<'a>,
    /// How many names have been made up.
    bound: usize,
}

impl Rewriter<'_, '_> {
    fn is_ours(&self, name: &str) -> bool {
        matches!(
            name,
            "__CPROVER_forall"
                | "__CPROVER_exists"
                | "__CPROVER_r_ok"
                | "__CPROVER_w_ok"
                | "__CPROVER_rw_ok"
                | "__CPROVER_overflow_unary_minus"
                | "__CPROVER_overflow_shl"
                | "__CPROVER_allocate"
                | "__CPROVER_old"
                | "__CPROVER_loop_entry"
        ) || OVERFLOW.iter().any(|(known, ..)| *known == name)
            || NAMES.iter().any(|(known, _)| *known == name)
    }

    /// Whether anything in some words is CBMC's.
    fn needs(&self, range: Range<usize>) -> bool {
        range.into_iter().any(|i| {
            let word = self.words.word(i);
            matches!(word, "==>" | "<==>") || self.words.words[i].kind == Kind::Name && self.is_ours(word)
        })
    }

    /// The last word of a call.
    fn end_of_call(&self, name: usize) -> usize {
        match self.words.word(name + 1) {
            "(" | "{" => self.words.closing(name + 1).unwrap_or(name),
            _ => name,
        }
    }

    fn refuse<T>(&self, at: usize, message: String) -> Result<T, Refused> {
        Err((self.words.words.get(at).map_or(0, |word| word.at.start), message))
    }

    /// An expression, or several between commas, in C.
    fn rewritten(&mut self, range: Range<usize>) -> Result<String, Refused> {
        let lists = self.words.split(range.clone(), ";");
        if lists.len() > 1 {
            return self.joined(lists, "; ");
        }
        let parts = self.words.split(range.clone(), ",");
        if parts.len() > 1 {
            return self.joined(parts, ", ");
        }
        if !self.needs(range.clone()) {
            return Ok(self.words.span(range).to_owned());
        }
        for mark in ["<==>", "==>"] {
            let sides = self.words.split(range.clone(), mark);
            if sides.len() > 1 {
                // Implications group to the right.
                let (first, rest) = (sides[0].clone(), sides[1].start..range.end);
                let (first, rest) = (self.rewritten(first)?, self.rewritten(rest)?);
                return Ok(match mark {
                    "==>" => format!("(!({first}) || ({rest}))"),
                    _ => format!("(!({first}) == !({rest}))"),
                });
            }
        }
        let (mut out, mut i) = (String::new(), range.start);
        while i < range.end {
            if i > range.start {
                let (before, here) = (self.words.words[i - 1].at.end, self.words.words[i].at.start);
                out.push_str(&self.words.text[before..here]);
            }
            let word = self.words.word(i);
            if self.words.words[i].kind == Kind::Name && self.is_ours(word) {
                out.push_str(&self.call(i)?);
                i = self.end_of_call(i) + 1;
                continue;
            }
            if matches!(word, "(" | "[" | "{")
                && let Some(end) = self.words.closing(i).filter(|&end| end < range.end)
            {
                let inside = self.rewritten(i + 1..end)?;
                out.push_str(&format!("{word}{inside}{}", self.words.word(end)));
                i = end + 1;
                continue;
            }
            out.push_str(word);
            i += 1;
        }
        Ok(out)
    }

    fn joined(&mut self, parts: Vec<Range<usize>>, between: &str) -> Result<String, Refused> {
        let parts: Result<Vec<String>, Refused> =
            parts.into_iter().map(|part| self.rewritten(part)).collect();
        Ok(parts?.join(between))
    }

    /// A call of a function of CBMC's, by the place of its name.
    fn call(&mut self, name: usize) -> Result<String, Refused> {
        let (word, end) = (self.words.word(name), self.end_of_call(name));
        if let Some((_, c)) = NAMES.iter().find(|(known, _)| *known == word) {
            let rest = self.rewritten(name + 1..end + 1)?;
            return Ok(format!("{c}{rest}"));
        }
        if matches!(word, "__CPROVER_forall" | "__CPROVER_exists") && self.words.word(name + 1) == "{" {
            return self.quantifier(name, end);
        }
        if self.words.word(name + 1) != "(" || end <= name + 1 {
            return self.refuse(name, format!("`{word}` is not called here"));
        }
        let args: Result<Vec<String>, Refused> =
            self.words.split(name + 2..end, ",").into_iter().map(|arg| self.rewritten(arg)).collect();
        let args = args?;
        let overflow = OVERFLOW.iter().find(|(known, ..)| *known == word);
        Ok(match (word, &args[..]) {
            (_, [a, b]) if let Some((_, operator, builtin)) = overflow => {
                let result = self.fresh("exact");
                format!(
                    "({{ __typeof__(({a}) {operator} ({b})) {result}; {builtin}({a}, {b}, &{result}); }})"
                )
            }
            ("__CPROVER_overflow_unary_minus", [a]) => {
                let result = self.fresh("exact");
                format!("({{ __typeof__(-({a})) {result}; __builtin_sub_overflow(0, {a}, &{result}); }})")
            }
            ("__CPROVER_overflow_shl", [a, b]) => {
                let (value, by) = (self.fresh("value"), self.fresh("by"));
                format!(
                    "({{ __typeof__(({a}) << ({b})) {value} = ({a}); long long {by} = ({b}); {by} < 0 || {by} >= \
                     (long long)(8 * sizeof {value}) || {value} < 0 || \
                     ((({value} << {by}) >> {by}) != {value} || ({value} << {by}) < 0); }})"
                )
            }
            ("__CPROVER_allocate", [size, zero]) => {
                format!("(({zero}) ? __builtin_calloc(1, {size}) : __builtin_malloc({size}))")
            }
            ("__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok", [pointer]) => {
                format!("{word}({pointer}, sizeof(*({pointer})))")
            }
            ("__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok", args) => {
                // A declaration comes here as well.
                format!("{word}({})", args.join(", "))
            }
            _ => {
                return self
                    .refuse(name, format!("`{word}` with these arguments, or here, is not supported yet"));
            }
        })
    }

    fn fresh(&mut self, what: &str) -> String {
        self.bound += 1;
        format!("tamis_{what}_{}", self.bound)
    }

    /// A quantifier whose variable has a range, as a loop over it.
    fn quantifier(&mut self, name: usize, end: usize) -> Result<String, Refused> {
        let all = self.words.word(name) == "__CPROVER_forall";
        let unknown = format!(
            "`{}` without a range of its variable, as in {}, is not supported yet",
            self.words.word(name),
            if all {
                "`{ int i; (0 <= i && i < n) ==> … }`"
            } else {
                "`{ int i; 0 <= i && i < n && … }`"
            }
        );
        let parts = self.words.split(name + 2..end, ";");
        let [declaration, body] = match &parts[..] {
            [declaration, body] => [declaration.clone(), body.clone()],
            [declaration, body, rest] if rest.is_empty() => [declaration.clone(), body.clone()],
            _ => return self.refuse(name, unknown),
        };
        let variable = self.words.word(declaration.end.saturating_sub(1)).to_owned();
        let (guard, rest) = if all {
            match &self.words.split(body.clone(), "==>")[..] {
                [guard, rest] => (guard.clone(), Some(rest.clone())),
                [guard, next, ..] => (guard.clone(), Some(next.start..body.end)),
                _ => return self.refuse(name, unknown),
            }
        } else {
            (body.clone(), None)
        };
        // The conjuncts of the guard say the range and more.
        let (mut low, mut high, mut more) = (None, None, Vec::new());
        for part in self.conjuncts(guard) {
            match self.bound(&variable, part.clone()) {
                // The loop may start below the range: the bound is looked at again.
                Some((Bound::Low, text)) if low.is_none() => {
                    low = Some(text);
                    more.push(part);
                }
                Some((Bound::Below(last), text)) if high.is_none() => high = Some((last, text)),
                _ => more.push(part),
            }
        }
        let is_unsigned = self.words.span(declaration.clone()).contains("unsigned")
            || self.words.span(declaration.clone()).contains("size_t");
        let low = match low {
            None if is_unsigned => Some("0".to_owned()),
            low => low,
        };
        let (Some(low), Some((last, high))) = (low, high) else { return self.refuse(name, unknown) };
        let mut holds = Vec::new();
        for part in &more {
            holds.push(format!("({})", self.rewritten(part.clone())?));
        }
        let declaration = self.words.span(declaration);
        let found = self.fresh("found");
        let condition = if let Some(rest) = rest {
            let rest = self.rewritten(rest)?;
            holds.push(format!("!({rest})"));
            holds.join(" && ")
        } else if holds.is_empty() {
            "1".to_owned()
        } else {
            holds.join(" && ")
        };
        let negated = if all { "!" } else { "" };
        // Behind the greatest value of a type the variable would start again.
        let (relation, stop) =
            if last { ("<=", format!(" if ({variable} == ({high})) break;")) } else { ("<", String::new()) };
        Ok(format!(
            "({{ _Bool {found} = 0; for ({declaration} = {low}; {variable} {relation} {high}; {variable}++) \
             {{ if ({condition}) {found} = 1;{stop} }} {negated}{found}; }})"
        ))
    }

    /// The parts of a conjunction, without the brackets around them.
    fn conjuncts(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let parts = self.words.split(range.clone(), "&&");
        if parts.len() > 1 && self.words.split(range.clone(), "||").len() == 1 {
            return parts.into_iter().flat_map(|part| self.conjuncts(part)).collect();
        }
        if self.words.word(range.start) == "(" && self.words.closing(range.start) == range.end.checked_sub(1)
        {
            return self.conjuncts(range.start + 1..range.end - 1);
        }
        vec![range]
    }

    /// A bound of a variable, and the expression that it is compared with.
    fn bound(&self, variable: &str, range: Range<usize>) -> Option<(Bound, String)> {
        // A comparison of the variable with what does not mention it.
        let mark = range.clone().find(|&i| matches!(self.words.word(i), "<" | "<=" | ">" | ">="))?;
        let (left, right) = (range.start..mark, mark + 1..range.end);
        let mentions = |side: Range<usize>| side.into_iter().any(|i| self.words.word(i) == variable);
        let plain = |side: Range<usize>| side.len() == 1 && self.words.word(side.start) == variable;
        let is_one_comparison = range.clone().all(|i| {
            i == mark
                || !matches!(self.words.word(i), "<" | "<=" | ">" | ">=" | "==" | "!=" | "?" | "||" | "==>")
        });
        if !is_one_comparison || self.needs(range.clone()) {
            return None;
        }
        let (other, relation) = if plain(left.clone()) && !mentions(right.clone()) {
            (right, self.words.word(mark))
        } else if plain(right) && !mentions(left.clone()) {
            let turned = match self.words.word(mark) {
                "<" => ">",
                "<=" => ">=",
                ">" => "<",
                _ => "<=",
            };
            (left, turned)
        } else {
            return None;
        };
        let text = self.words.span(other);
        let bound = match relation {
            ">=" | ">" => Bound::Low,
            relation => Bound::Below(relation == "<="),
        };
        Some((bound, text.to_owned()))
    }
}
