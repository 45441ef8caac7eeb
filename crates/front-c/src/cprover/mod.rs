//! CBMC's dialect of C, as C.
//!
//! Programs that were written for CBMC have types, quantifiers, contracts and operators that no C compiler knows, beside
//! calls of functions that it does not define. Here they become plain C, before the text is parsed: all that comes later, and the interpreter
//! as well, takes them for what they are. Lines keep their numbers.
//!
//! | dialect | here |
//! | --- | --- |
//! | `__CPROVER_bool`, `__CPROVER_size_t`, `__CPROVER_bitvector[32]` | C's types, of the same width |
//! | `a ==> b`, `a <==> b` | `(!(a) \|\| (b))`, `(!(a) == !(b))` |
//! | `__CPROVER_forall { int i; 0 <= i && i < n ==> p }`, `__CPROVER_exists { int i; 0 <= i && i < n && p }` | loops over the range, in an expression |
//! | `__CPROVER_overflow_plus(a, b)` and its kin | gcc's functions that tell of overflow |
//! | `__CPROVER_r_ok(p)` | with the size of what `p` points to |
//! | contracts of functions and loops | [functions and statements](contracts), or blanks: CBMC, too, looks at them only if it is asked to |
//!
//! What is a function with a type in C is none of this module's business: `tree::vocabulary` and `rucc/cprover.h` know
//! those. Any other name of CBMC's is refused where it stands or is called.

pub(crate) mod contracts;
mod expression;
mod types;
pub(crate) mod words;

use crate::lines::Lines;
use crate::options::DataModel;
use crate::tree::vocabulary::CPROVER;
use tamis_diagnostics::Error;

/// Something in a text that is not taken, by its first byte.
type Refused = (usize, String);

/// A text in plain C, and what to warn of.
#[derive(Debug, Default)]
pub(crate) struct Plain {
    pub(crate) text: String,
    pub(crate) warnings: Vec<String>,
}

/// A preprocessed text in plain C; `None` if it is that already.
pub(crate) fn plain(name: &str, text: &str, model: DataModel) -> Result<Option<Plain>, Error> {
    if !text.contains(CPROVER) {
        return Ok(None);
    }
    let refuse = |text: &str, (byte, message): Refused| {
        let (lines, _) = Lines::new(name, text);
        Error::Unsupported(lines.diagnostic(byte as u32, message))
    };
    let mut warnings = Vec::new();
    let (text, clauses) = contracts::without(text).map_err(|e| refuse(text, e))?;
    if clauses > 0 {
        let what = format!("{clauses} clause{} of contracts in {name}", if clauses == 1 { "" } else { "s" });
        let how = "--enforce-contract, --replace-call-with-contract and --loop-contracts do that";
        warnings.push(format!("{what} not used: they are neither assumed nor checked ({how})"));
    }
    let text = types::as_c(&text, model).map_err(|e| refuse(&text, e))?;
    let text = expression::as_c(&text).map_err(|e| refuse(&text, e))?;
    Ok(Some(Plain { text, warnings }))
}

/// Whether a text has a word.
pub(crate) fn mentions(text: &str, word: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_name) && !text[at + word.len()..].starts_with(is_name))
}

/// A text in which some pieces are replaced. What a piece had in lines, it keeps.
pub(crate) fn replaced(text: &str, pieces: &[(std::ops::Range<usize>, String)]) -> String {
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for (range, new) in pieces {
        if range.start < done {
            continue;
        }
        out.push_str(&text[done..range.start]);
        out.push_str(new);
        let lost = text[range.clone()].matches('\n').count().saturating_sub(new.matches('\n').count());
        out.extend(std::iter::repeat_n('\n', lost));
        done = range.end;
    }
    out.push_str(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn c(text: &str) -> String {
        let plain = plain("f.i", text, DataModel::Lp64).expect("it is taken");
        plain.map_or(text.to_owned(), |plain| plain.text)
    }

    fn refused(text: &str) -> (u32, String) {
        match plain("f.i", text, DataModel::Lp64) {
            Err(Error::Unsupported(d)) => (d.line, d.message),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn plain_text_is_left_alone() {
        assert!(plain("f.i", "int a = b ==> c;", DataModel::Lp64).expect("nothing to do").is_none());
    }

    #[test]
    fn types_are_of_the_same_width() {
        assert_eq!(c("__CPROVER_bool a; __CPROVER_size_t n;"), "_Bool a; unsigned long n;");
        assert_eq!(c("unsigned __CPROVER_bitvector[16] x;"), "unsigned short x;");
        assert_eq!(refused("\n__CPROVER_integer i;").0, 2);
        assert!(refused("__CPROVER_bitvector[7] i;").1.contains("__CPROVER_bitvector"));
    }

    #[test]
    fn implications_bind_weaker_than_or() {
        assert_eq!(c("__CPROVER_assume(a || b ==> c);"), "__CPROVER_assume((!(a || b) || (c)));");
        assert_eq!(c("__CPROVER_assume(a ==> b ==> c);"), "__CPROVER_assume((!(a) || ((!(b) || (c)))));");
        assert_eq!(
            c("__CPROVER_assert((a <==> b), \"==>\");"),
            "__CPROVER_assert(((!(a) == !(b))), \"==>\");"
        );
    }

    #[test]
    fn quantifiers_are_loops() {
        let text = c("__CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 10) ==> a[i] == 0 }, \"\");");
        assert!(text.contains("for (int i = 0; i < 10; i++)"), "{text}");
        assert!(!text.contains("forall"));
        let text = c("x = __CPROVER_exists { unsigned j; j >= 2 && j <= n && a[j] };");
        assert!(text.contains("for (unsigned j = 2; j <= n; j++)"), "{text}");
        assert!(text.contains("if (j == (n)) break;"), "{text}");
        assert!(refused("int x = __CPROVER_forall { int i; a[i] == 0 };").1.contains("range"));
    }

    #[test]
    fn contracts_are_blank_and_lines_stay() {
        let text = c(
            "int f(int *p)\n__CPROVER_requires(p != 0 ==>\n *p > 0)\n__CPROVER_assigns(*p)\n{ return 1; }\nint g;",
        );
        assert!(!text.contains("CPROVER"));
        assert_eq!(text.lines().position(|line| line.contains("int g")), Some(5));
    }

    #[test]
    fn sizes_are_those_of_what_is_pointed_to() {
        assert_eq!(c("__CPROVER_r_ok(p->q);"), "__CPROVER_r_ok(p->q, sizeof(*(p->q)));");
        assert_eq!(c("__CPROVER_w_ok(p, 3);"), "__CPROVER_w_ok(p, 3);");
    }
}
