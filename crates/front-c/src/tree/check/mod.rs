//! Whether a tree keeps what its documentation promises.
//!
//! Whoever reads a tree relies on its types: the operands of an addition have one, what a place loads is what the place
//! holds, a member lies inside its struct. A front end that breaks one of these would make the readers compute something
//! else than the program does, so the tests check every tree they build.

mod expression;
mod object;
mod place;
mod statement;

use super::{ExprId, PlaceId, Position, Type, Unit};
use std::fmt;

/// A place where a tree contradicts itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inconsistency {
    /// Where the node stands in the source.
    pub at: Position,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.at.line, self.at.column, self.what)
    }
}

impl std::error::Error for Inconsistency {}

type Checked = Result<(), String>;

impl Unit {
    /// Checks every node of the tree.
    ///
    /// ```
    /// use tamis_front_c::{Options, parse};
    /// let unit = parse("f.i", "struct { int a[3]; } s; int main(void) { return s.a[1]; }", &Options::default())?;
    /// assert_eq!(unit.check(), Ok(()));
    /// # Ok::<(), tamis_front_c::Error>(())
    /// ```
    pub fn check(&self) -> Result<(), Inconsistency> {
        let located = |at: Position, checked: Checked| checked.map_err(|what| Inconsistency { at, what });
        for record in &self.records {
            located(Position::default(), self.check_record(record))?;
        }
        for string in &self.strings {
            located(Position::default(), self.check_string(string))?;
        }
        for place in &self.places {
            located(place.at, self.check_place(place))?;
        }
        for expr in &self.exprs {
            located(expr.at, self.check_expr(expr))?;
        }
        for stmt in &self.stmts {
            located(stmt.at, self.check_stmt(stmt))?;
        }
        for object in &self.objects {
            located(object.at, self.check_object(object))?;
        }
        for function in &self.functions {
            located(function.at, self.check_function(function))?;
            if let Some(body) = function.body {
                self.check_returns(body, function.result)?;
            }
        }
        Ok(())
    }

    fn type_of(&self, expr: ExprId) -> Type {
        self[expr].ty
    }

    fn is_scalar(&self, expr: ExprId) -> bool {
        let ty = self.type_of(expr);
        ty.int().is_some() || matches!(ty, Type::Float(_)) || self.is_unsupported(expr)
    }

    fn is_int(&self, expr: ExprId) -> bool {
        matches!(self.type_of(expr), Type::Bool | Type::Int(_)) || self.is_unsupported(expr)
    }

    /// What is not taken may have any type.
    fn is_unsupported(&self, expr: ExprId) -> bool {
        matches!(self[expr].kind, super::ExprKind::Unsupported(_))
    }

    fn is_bit_field(&self, place: PlaceId) -> bool {
        match self[place].kind {
            super::PlaceKind::Member { base, field } => match self[base].ty {
                Type::Record(record) => {
                    self[record].fields.get(field as usize).is_some_and(|f| f.bits.is_some())
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// A type in words, for a message.
    fn spell(&self, ty: Type) -> String {
        match ty {
            Type::Pointer { to, .. } => match self[to] {
                to @ (Type::Pointer { .. } | Type::Array(_)) => format!("pointer to {}", self.spell(to)),
                Type::Function(_) => "pointer to a function".to_owned(),
                to => format!("{}*", self.spell(to)),
            },
            Type::Array(array) => format!("{}[{:?}]", self.spell(self[array].element), self[array].length),
            Type::Record(record) => self[record].name.clone(),
            Type::Int(int) => format!("{}{}", if int.signed { "i" } else { "u" }, int.bits),
            other => format!("{other:?}"),
        }
    }
}

fn ensure(condition: bool, what: impl FnOnce() -> String) -> Checked {
    if condition { Ok(()) } else { Err(what()) }
}
