//! What stands at the head of an application.

use super::Reader;
use super::error::{Error, ErrorKind, Position, Undecided};
use super::lexer::Token;
use super::operators::{Operator, operator};
use super::scope::{Binding, Macro, Scopes};
use super::sorts::check_width;
use crate::bits::Bits;
use crate::op::FunctionId;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use crate::value::Value;
use dashu_int::UBig;
use std::rc::Rc;

/// A function or an operator, with its indices.
pub(super) enum Head {
    Operator(Operator, Indices),
    Function(FunctionId),
    Macro(Rc<Macro>),
    /// `(as const sort)`.
    Constant(Sort),
}

impl Head {
    /// What a symbol is at the head of an application: a function, a definition, or an operator without indices.
    pub fn of(scopes: &Scopes, name: &[u8]) -> Option<Head> {
        match scopes.symbol_of(name) {
            Some(Binding::Function(f)) => Some(Head::Function(*f)),
            Some(Binding::Macro(definition)) => Some(Head::Macro(definition.clone())),
            Some(Binding::Term(_)) => None,
            None => match operator(std::str::from_utf8(name).ok()?)? {
                (operator, 0) => Some(Head::Operator(operator, ([0; 2], 0))),
                _ => None,
            },
        }
    }
}

/// The numbers of an indexed operator, none to two.
pub(super) type Indices = ([u32; 2], u8);

/// The definitions that a command uses expand to no more terms than this; fewer in tests, which are to be short.
const MAX_EXPANDED: usize = if cfg!(test) { 1 << 12 } else { 1 << 22 };

/// Operators and constants that are SMT-LIB's, but not ours, or prefixes of them.
const UNSUPPORTED: [&str; 32] = [
    "str.",
    "re.",
    "seq.",
    "fp.",
    "fp",
    "to_fp",
    "set.",
    "bag.",
    "int2bv",
    "int_to_bv",
    "bv2nat",
    "bv2int",
    "ubv_to_int",
    "sbv_to_int",
    "ext_rotate",
    "is",
    "+oo",
    "-oo",
    "+zero",
    "-zero",
    "NaN",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
    "roundNearestTiesToEven",
    "roundNearestTiesToAway",
    "roundTowardPositive",
    "roundTowardNegative",
    "roundTowardZero",
    "char",
];

impl Reader<'_> {
    pub(super) fn no_such_symbol(&self, name: &str, position: Position) -> Error {
        let known = |known: &str| name == known || known.ends_with(['.', '_']) && name.starts_with(known);
        let error = if UNSUPPORTED.iter().any(|prefix| known(prefix)) {
            Error::new(ErrorKind::Unsupported, position, "an operator that is not supported")
        } else {
            Error::new(ErrorKind::Undeclared, position, "no such symbol")
        };
        error.at_token(name)
    }

    pub(super) fn named_head(&self, name: &str, position: Position) -> Result<Head, Error> {
        if let Some(head) = Head::of(&self.scopes, name.as_bytes()) {
            return Ok(head);
        }
        let (kind, message) = match (self.scopes.symbol(name), operator(name)) {
            (Some(_), _) => (ErrorKind::Sort, "a constant is given arguments"),
            (None, Some(_)) => (ErrorKind::Syntax, "an operator without its indices"),
            (None, None) => return Err(self.no_such_symbol(name, position)),
        };
        Err(Error::new(kind, position, message).at_token(name))
    }

    /// After `((`: `(_ operator index…)` or `(as symbol sort)`, to its end.
    pub(super) fn compound_head(&mut self, terms: &mut Terms, position: Position) -> Result<Head, Error> {
        match self.lexer.next()? {
            (Token::Symbol(word), _) if word == "_" => {
                let (name, at) = self.symbol_at()?;
                let Some((operator, wanted)) = operator(&name) else {
                    return Err(self.no_such_symbol(&name, at));
                };
                let mut indices = [0; 2];
                let mut count = 0;
                while *self.lexer.peek()? != Token::Close {
                    let (digits, at) = self.numeral()?;
                    let too_large =
                        |_| Error::new(ErrorKind::Limit, at, "an index too large").at_token(&digits);
                    let index = digits.parse().map_err(too_large)?;
                    if let Some(place) = indices.get_mut(count) {
                        *place = index;
                    }
                    count += 1;
                }
                self.close()?;
                if count != usize::from(wanted) || count == 0 {
                    let message = format!("{wanted} indices expected, not {count}");
                    return Err(Error::new(ErrorKind::Syntax, position, message).at_token(&name));
                }
                Ok(Head::Operator(operator, (indices, wanted)))
            }
            (Token::Symbol(word), _) if word == "as" => {
                let (name, at) = self.symbol_at()?;
                let sort = self.sort(terms)?;
                self.close()?;
                if name != "const" || self.scopes.symbol(&name).is_some() {
                    return self.ascribed(terms, &name, sort, at);
                }
                if terms.array_parts(sort).is_none() {
                    return Err(Error::new(ErrorKind::Sort, at, "a constant array of a sort that is none"));
                }
                Ok(Head::Constant(sort))
            }
            (token, at) => Err(self.unexpected(&token, at, "`_` or `as`")),
        }
    }

    /// `(as f sort)` for a declared function, whose result has that sort.
    fn ascribed(&self, terms: &Terms, name: &str, sort: Sort, at: Position) -> Result<Head, Error> {
        let head = self.named_head(name, at)?;
        let result = match &head {
            Head::Function(f) => Some(terms.signature(*f).1),
            Head::Macro(definition) => Some(terms.sort(definition.body)),
            Head::Operator(..) | Head::Constant(_) => None,
        };
        if result == Some(sort) {
            return Ok(head);
        }
        Err(Error::new(ErrorKind::Sort, at, "a function ascribed another sort than it has").at_token(name))
    }

    /// After `(_`: `bv5 32`, to its end.
    pub(super) fn indexed_constant(&mut self, terms: &mut Terms, position: Position) -> Result<Term, Error> {
        let (name, at) = self.symbol_at()?;
        let digits =
            name.strip_prefix("bv").filter(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()));
        let Some(digits) = digits else {
            if operator(&name).is_some() {
                let error = Error::new(ErrorKind::Syntax, at, "an operator without arguments");
                return Err(error.at_token(&name));
            }
            return Err(self.no_such_symbol(&name, at));
        };
        let (width, width_at) = self.numeral()?;
        self.close()?;
        let width: u32 = width.parse().unwrap_or(u32::MAX);
        check_width(u64::from(width), width_at)?;
        if width == 0 {
            return Err(Error::new(ErrorKind::Sort, width_at, "a bit-vector without bits"));
        }
        // A number of so many digits does not fit in any width that is allowed.
        let fits = digits.len() <= 400_000;
        let value = fits.then(|| UBig::from_str_radix(digits, 10).ok()).flatten();
        let value = value.filter(|v| dashu_int::ops::BitTest::bit_len(v) <= width as usize);
        match value {
            Some(value) => Ok(terms.bits_value(Bits::from_ubig(width, value))),
            None => {
                let message = format!("a number that does not fit in {width} bits");
                Err(Error::new(ErrorKind::Sort, position, message).at_token(&name))
            }
        }
    }

    /// After `(as`: a constant and its sort, to the end. `@n` is element `n` of a declared sort.
    pub(super) fn qualified_constant(
        &mut self,
        terms: &mut Terms,
        position: Position,
    ) -> Result<Term, Error> {
        let (name, at) = self.symbol_at()?;
        let sort = self.sort(terms)?;
        self.close()?;
        let element = name.strip_prefix('@').and_then(|digits| digits.parse().ok());
        match (self.scopes.symbol(&name), sort, element) {
            (Some(&Binding::Term(t)), sort, _) if terms.sort(t) == sort => Ok(t),
            (None, Sort::Uninterpreted(sort), Some(index)) => {
                Ok(terms.value(Value::Uninterpreted { sort, index }))
            }
            (Some(_), ..) => {
                let message = "a constant ascribed another sort than it has";
                Err(Error::new(ErrorKind::Sort, position, message).at_token(&name))
            }
            _ => Err(self.no_such_symbol(&name, at)),
        }
    }

    /// The application of `head` to `args`.
    pub(super) fn build(
        &mut self,
        terms: &mut Terms,
        head: &Head,
        mut args: Vec<Term>,
        position: Position,
    ) -> Result<Term, Error> {
        if args.is_empty() {
            return Err(Error::new(ErrorKind::Sort, position, "an application without arguments"));
        }
        match head {
            Head::Operator(operator, indices) => {
                if let Some(what) = operator.undecided(terms, &args) {
                    self.undecided.get_or_insert(Undecided { position, what });
                }
                operator.build(terms, *indices, args, position)
            }
            Head::Function(f) => {
                let sorts = terms.signature(*f).0.to_vec();
                convert(terms, &sorts, &mut args, position)?;
                Ok(terms.apply(*f, &args))
            }
            Head::Macro(definition) => {
                let sorts: Vec<Sort> = definition.params.iter().map(|&p| terms.sort(p)).collect();
                convert(terms, &sorts, &mut args, position)?;
                self.expanded += definition.size;
                if self.expanded > MAX_EXPANDED {
                    return Err(Error::new(
                        ErrorKind::Limit,
                        position,
                        "definitions expand to too many terms",
                    ));
                }
                let values = definition.params.iter().copied().zip(args).collect();
                Ok(terms.substitute(definition.body, &values))
            }
            Head::Constant(sort) => {
                let element = terms.array_parts(*sort).map(|(_, element)| element);
                let sorts: Vec<Sort> = element.into_iter().collect();
                convert(terms, &sorts, &mut args, position)?;
                if let Some((Sort::Uninterpreted(_) | Sort::Array(_), _)) = terms.array_parts(*sort) {
                    let what = "a constant array whose indices are arrays or of a declared sort";
                    self.undecided.get_or_insert(Undecided { position, what });
                }
                Ok(terms.const_array(*sort, args[0]))
            }
        }
    }
}

/// Checks that the arguments have these sorts; an integer becomes a real where that is what is needed.
fn convert(terms: &mut Terms, sorts: &[Sort], args: &mut [Term], position: Position) -> Result<(), Error> {
    if sorts.len() != args.len() {
        let message = format!("{} arguments expected, not {}", sorts.len(), args.len());
        return Err(Error::new(ErrorKind::Sort, position, message));
    }
    for (i, (&wanted, arg)) in sorts.iter().zip(args).enumerate() {
        let sort = terms.sort(*arg);
        if wanted == Sort::Real && sort == Sort::Int {
            *arg = terms.to_real(*arg);
        } else if wanted != sort {
            let (wanted, sort) = (terms.sort_text(wanted), terms.sort_text(sort));
            let message = format!("argument {} is of sort {sort}, not {wanted}", i + 1);
            return Err(Error::new(ErrorKind::Sort, position, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Definitions that double what they are given, 40 times.
    #[test]
    fn definitions_do_not_explode() {
        let mut script = "(declare-fun g (Int Int) Int)(define-fun f0 ((a Int)) Int (g a 1))".to_owned();
        for n in 1..40 {
            script.push_str(&format!("(define-fun f{n} ((a Int)) Int (f{} (f{} a)))", n - 1, n - 1));
        }
        let mut terms = Terms::new();
        let mut reader = Reader::new(script.as_bytes());
        let mut read = 0;
        let error = loop {
            match reader.next_command(&mut terms) {
                Ok(Some(_)) => read += 1,
                Ok(None) => panic!("no error"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind, ErrorKind::Limit);
        assert!((10..15).contains(&read), "{read} commands");
    }
}
