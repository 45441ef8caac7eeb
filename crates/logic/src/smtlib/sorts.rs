//! Sorts in scripts.

use super::Reader;
use super::error::{Error, ErrorKind, Position};
use super::lexer::Token;
use crate::sort::Sort;
use crate::store::Terms;
use std::rc::Rc;

/// What the name of a sort stands for.
pub(crate) enum SortDefinition {
    /// `declare-sort`, with so many parameters.
    Declared(usize),
    /// `define-sort`.
    Defined { params: usize, body: SortExpr },
}

/// A sort that may have parameters in it.
#[derive(Clone)]
pub(crate) enum SortExpr {
    Sort(Sort),
    Param(usize),
    Array(Box<(SortExpr, SortExpr)>),
    Declared(Rc<str>, Vec<SortExpr>),
}

/// Sorts nest no deeper in a script.
const MAX_DEPTH: usize = 200;

/// No sort has more parts.
const MAX_SIZE: u64 = 1000;

/// No name of a declared sort, with its parameters, is longer.
const MAX_TEXT: usize = 10_000;

/// The widest bit-vector.
pub(crate) const MAX_WIDTH: u32 = 1 << 20;

/// Sorts of theories that are SMT-LIB's, but not ours.
const UNSUPPORTED: [&str; 16] = [
    "String",
    "RegLan",
    "RoundingMode",
    "FloatingPoint",
    "Float16",
    "Float32",
    "Float64",
    "Float128",
    "Seq",
    "Set",
    "Bag",
    "Tuple",
    "UnicodeString",
    "FiniteField",
    "->",
    "Relation",
];

impl Reader<'_> {
    pub(super) fn sort(&mut self, terms: &mut Terms) -> Result<Sort, Error> {
        let mut size = 0;
        match self.sort_expr(terms, &[], 0, &mut size)? {
            (SortExpr::Sort(sort), _) => Ok(sort),
            (_, position) => Err(Error::new(ErrorKind::Syntax, position, "a sort with parameters")),
        }
    }

    /// A sort in which `params` stand for others; `size` counts its parts.
    pub(super) fn sort_expr(
        &mut self,
        terms: &mut Terms,
        params: &[String],
        depth: usize,
        size: &mut u64,
    ) -> Result<(SortExpr, Position), Error> {
        let (token, position) = self.lexer.next()?;
        *size += 1;
        if depth > MAX_DEPTH || *size > MAX_SIZE {
            return Err(Error::new(ErrorKind::Limit, position, "a sort that is nested too deeply"));
        }
        let (name, args) = match token {
            Token::Symbol(name) | Token::Quoted(name) => (name, Vec::new()),
            Token::Open => match self.lexer.next()? {
                (Token::Symbol(s), _) if s == "_" => return Ok((self.indexed_sort(position)?, position)),
                (Token::Symbol(name) | Token::Quoted(name), _) => {
                    let mut args = Vec::new();
                    while *self.lexer.peek()? != Token::Close {
                        args.push(self.sort_expr(terms, params, depth + 1, size)?.0);
                    }
                    self.lexer.next()?;
                    (name, args)
                }
                (token, at) => return Err(expected_sort(&token, at)),
            },
            token => return Err(expected_sort(&token, position)),
        };
        Ok((self.named_sort(terms, params, &name, args, size, position)?, position))
    }

    fn indexed_sort(&mut self, position: Position) -> Result<SortExpr, Error> {
        let name = self.symbol()?;
        if name != "BitVec" {
            let unsupported = UNSUPPORTED.contains(&&*name);
            let (kind, message) = if unsupported {
                (ErrorKind::Unsupported, "a sort that is not supported")
            } else {
                (ErrorKind::Undeclared, "no such sort")
            };
            return Err(Error::new(kind, position, message).at_token(&name));
        }
        let (width, at) = self.numeral()?;
        self.close()?;
        let width: u32 = width.parse().unwrap_or(u32::MAX);
        if width == 0 {
            return Err(Error::new(ErrorKind::Sort, at, "a bit-vector sort without bits"));
        }
        check_width(u64::from(width), at)?;
        Ok(SortExpr::Sort(Sort::BitVec(width)))
    }

    fn named_sort(
        &mut self,
        terms: &mut Terms,
        params: &[String],
        name: &str,
        args: Vec<SortExpr>,
        size: &mut u64,
        position: Position,
    ) -> Result<SortExpr, Error> {
        let fail = |kind, message: String| Err(Error::new(kind, position, message).at_token(name));
        let wrong = |wanted: usize| {
            fail(ErrorKind::Sort, format!("a sort with {wanted} parameters is given {}", args.len()))
        };
        if let (Some(param), true) = (params.iter().position(|p| p == name), args.is_empty()) {
            return Ok(SortExpr::Param(param));
        }
        if let Some(definition) = self.scopes.sort(name).cloned() {
            return match &*definition {
                SortDefinition::Declared(n) | SortDefinition::Defined { params: n, .. }
                    if *n != args.len() =>
                {
                    wrong(*n)
                }
                SortDefinition::Declared(_) => declared(terms, name.into(), args, position),
                SortDefinition::Defined { body, .. } => instantiate(terms, body, &args, size, position),
            };
        }
        match (name, args.len()) {
            ("Bool", 0) => Ok(SortExpr::Sort(Sort::Bool)),
            ("Int", 0) => Ok(SortExpr::Sort(Sort::Int)),
            ("Real", 0) => Ok(SortExpr::Sort(Sort::Real)),
            ("Array", 2) => {
                let mut args = args.into_iter();
                match (args.next(), args.next()) {
                    (Some(index), Some(element)) => array(terms, index, element, position),
                    _ => fail(ErrorKind::Sort, "an array sort without parts".into()),
                }
            }
            ("Bool" | "Int" | "Real", _) => wrong(0),
            ("Array", _) => wrong(2),
            (name, _) if UNSUPPORTED.contains(&name) => {
                fail(ErrorKind::Unsupported, "a sort that is not supported".into())
            }
            _ => fail(ErrorKind::Undeclared, "no such sort".into()),
        }
    }
}

/// Puts `args` in the place of the parameters.
fn instantiate(
    terms: &mut Terms,
    body: &SortExpr,
    args: &[SortExpr],
    size: &mut u64,
    position: Position,
) -> Result<SortExpr, Error> {
    *size += 1;
    if *size > MAX_SIZE {
        return Err(Error::new(ErrorKind::Limit, position, "a sort with too many parts"));
    }
    match body {
        SortExpr::Sort(sort) => Ok(SortExpr::Sort(*sort)),
        SortExpr::Param(i) => {
            *size += parts(terms, &args[*i]);
            Ok(args[*i].clone())
        }
        SortExpr::Array(both) => {
            let index = instantiate(terms, &both.0, args, size, position)?;
            let element = instantiate(terms, &both.1, args, size, position)?;
            array(terms, index, element, position)
        }
        SortExpr::Declared(name, inner) => {
            let inner: Result<Vec<_>, _> =
                inner.iter().map(|s| instantiate(terms, s, args, size, position)).collect();
            declared(terms, name.clone(), inner?, position)
        }
    }
}

fn parts(terms: &Terms, sort: &SortExpr) -> u64 {
    match sort {
        SortExpr::Sort(sort) => terms.sort_size(*sort),
        SortExpr::Param(_) => 1,
        SortExpr::Array(both) => 1 + parts(terms, &both.0) + parts(terms, &both.1),
        SortExpr::Declared(_, args) => 1 + args.iter().map(|s| parts(terms, s)).sum::<u64>(),
    }
}

fn array(
    terms: &mut Terms,
    index: SortExpr,
    element: SortExpr,
    position: Position,
) -> Result<SortExpr, Error> {
    let (SortExpr::Sort(index), SortExpr::Sort(element)) = (&index, &element) else {
        return Ok(SortExpr::Array(Box::new((index, element))));
    };
    if terms.sort_size(*index) + terms.sort_size(*element) >= MAX_SIZE {
        return Err(Error::new(ErrorKind::Limit, position, "a sort with too many parts"));
    }
    Ok(SortExpr::Sort(terms.array_sort(*index, *element)))
}

/// An instance of a declared sort with parameters is a sort of its own, called after its parts.
fn declared(
    terms: &mut Terms,
    name: Rc<str>,
    args: Vec<SortExpr>,
    position: Position,
) -> Result<SortExpr, Error> {
    let mut text = name.to_string();
    for arg in &args {
        let SortExpr::Sort(sort) = arg else { return Ok(SortExpr::Declared(name, args)) };
        text = format!("{text} {}", terms.sort_text(*sort));
    }
    if text.len() > MAX_TEXT {
        return Err(Error::new(ErrorKind::Limit, position, "a sort with too many parts"));
    }
    let text = if args.is_empty() { text } else { format!("({text})") };
    Ok(SortExpr::Sort(terms.declare_sort(&text)))
}

pub(super) fn check_width(width: u64, position: Position) -> Result<(), Error> {
    if width <= u64::from(MAX_WIDTH) {
        return Ok(());
    }
    let message = format!("a bit-vector of more than {MAX_WIDTH} bits");
    Err(Error::new(ErrorKind::Limit, position, message))
}

fn expected_sort(token: &Token, position: Position) -> Error {
    Error::new(ErrorKind::Syntax, position, "a sort expected").at_token(&token.text())
}
