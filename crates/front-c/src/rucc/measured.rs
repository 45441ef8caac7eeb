//! Questions about types that `rucc` does not answer as gcc does.
//!
//! What is assigned to a bit-field, or steps it, has in gcc an integer type of exactly the field's width: with
//! `unsigned long a : 3`, `sizeof(s.a = 1)` is 1. In `rucc` such a value has the declared type. Operators promote it in
//! both, so that it matters only where a type is asked for: there it is not taken. Neither is the alignment of a member,
//! which to `rucc` is that of its type.

use crate::options::DataModel;
use rucc_ast::{Ast, Expr, ExprId, Stmt, UnaryOp};
use rucc_base::{Interner, Symbol};
use rucc_diag::Span;
use rucc_lex::{PpToken, PpTokenKind, Punct};
use rucc_types::{IntKind, TypeKind, Types};
use rustc_hash::FxHashSet;

/// The first place where a file asks for something that `rucc` does not answer as gcc does, and what.
pub(super) fn not_known(
    ast: &Ast,
    tokens: &[PpToken],
    types: &Types,
    names: &Interner,
    model: DataModel,
) -> Option<(Span, &'static str)> {
    let word = |token: &PpToken| token.value.map_or("", |value| names.resolve(value));
    if has_hidden_long(types, model) {
        let by_type = |t: &&PpToken| matches!(word(t), "_Generic" | "__builtin_types_compatible_p");
        if let Some(token) = tokens.iter().find(by_type) {
            return Some((
                token.span,
                "a selection by types beside a bit-field that is as wide as another type",
            ));
        }
    }
    let exprs = || (0..ast.counts().exprs).map(ExprId::from_usize);
    let aligned = |id: &ExprId| matches!(ast[*id], Expr::AlignofExpr(operand) if is_part(ast, operand));
    if let Some(id) = exprs().find(aligned) {
        return Some((ast.expr_span(id), "the alignment of this expression"));
    }
    let fields = types.records().flat_map(|(_, record)| &record.fields);
    let bit_fields: FxHashSet<Symbol> = fields.filter(|f| f.bits.is_some()).filter_map(|f| f.name).collect();
    if bit_fields.is_empty() {
        return None;
    }
    let is_asked = |id: &ExprId| match ast[*id] {
        Expr::SizeofExpr(operand) | Expr::AlignofExpr(operand) | Expr::ClassifyExpr(operand) => {
            is_value(ast, operand, &bit_fields)
        }
        Expr::Generic { control, .. } => is_value(ast, control, &bit_fields),
        _ => false,
    };
    // Which expression is the operand of a `typeof` is not looked for: any in its parentheses may be.
    let operands = operands_of_typeof(tokens, names);
    let inside = |span: Span| operands.iter().any(|o| o.lo <= span.lo && span.hi <= o.hi);
    let is_typeof = |id: &ExprId| inside(ast.expr_span(*id)) && is_value(ast, *id, &bit_fields);
    let asked = exprs().find(is_asked).or_else(|| exprs().find(is_typeof))?;
    Some((ast.expr_span(asked), "the type of this value of a bit-field"))
}

/// Whether a bit-field is a `long` to gcc and another type of the same width to `rucc`, which does the same wherever types
/// are not compared: one of all 32 bits of a `long`, or of 64 bits of an `__int128`.
fn has_hidden_long(types: &Types, model: DataModel) -> bool {
    let is_hidden = |f: &rucc_types::Field| match (types.kind(types.canonical(f.ty)), f.bits) {
        (TypeKind::Int(IntKind::Long | IntKind::ULong), Some(32)) => model == DataModel::Ilp32,
        (TypeKind::Int(IntKind::Int128 | IntKind::UInt128), Some(64)) => true,
        _ => false,
    };
    types.records().any(|(_, record)| record.fields.iter().any(is_hidden))
}

/// Whether an operand of `__alignof__` has, to gcc, the alignment of what it is in: of the member with its attributes, or
/// of what a pointer was cast from.
fn is_part(ast: &Ast, id: ExprId) -> bool {
    match ast[id] {
        Expr::Member { .. } | Expr::Index { .. } => true,
        Expr::Unary { op: UnaryOp::Deref, operand } => !matches!(ast[operand], Expr::Name(_)),
        Expr::Extension(operand) => is_part(ast, operand),
        _ => false,
    }
}

/// Whether an expression is a value of a bit-field, other than the bit-field itself, going by the name of the member.
fn is_value(ast: &Ast, id: ExprId, bit_fields: &FxHashSet<Symbol>) -> bool {
    let of_place = |place| names_bit_field(ast, place, bit_fields);
    match ast[id] {
        Expr::Assign { lhs, .. } => of_place(lhs),
        Expr::Unary { op, operand } if is_step(op) => of_place(operand),
        Expr::Comma { rhs, .. } => of_place(rhs) || is_value(ast, rhs, bit_fields),
        Expr::Extension(operand) => is_value(ast, operand, bit_fields),
        Expr::ChooseExpr { then, otherwise, .. } => {
            [then, otherwise].iter().any(|&e| of_place(e) || is_value(ast, e, bit_fields))
        }
        Expr::Generic { assocs, .. } => {
            ast[assocs].iter().any(|a| of_place(a.value) || is_value(ast, a.value, bit_fields))
        }
        Expr::StmtExpr(body) => {
            last_value(ast, body).is_some_and(|value| of_place(value) || is_value(ast, value, bit_fields))
        }
        _ => false,
    }
}

fn names_bit_field(ast: &Ast, id: ExprId, bit_fields: &FxHashSet<Symbol>) -> bool {
    match ast[id] {
        Expr::Member { name, .. } => bit_fields.contains(&name),
        Expr::Extension(operand) => names_bit_field(ast, operand, bit_fields),
        _ => false,
    }
}

fn is_step(op: UnaryOp) -> bool {
    matches!(op, UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec)
}

fn last_value(ast: &Ast, body: rucc_ast::StmtId) -> Option<ExprId> {
    match ast[body] {
        Stmt::Compound(list) => last_value(ast, *ast[list].last()?),
        Stmt::Expr(value) => Some(value),
        _ => None,
    }
}

/// What stands in the parentheses after each `typeof`.
fn operands_of_typeof(tokens: &[PpToken], names: &Interner) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open: Vec<Option<u32>> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            PpTokenKind::Punct(Punct::LParen) => {
                let before = index.checked_sub(1).and_then(|i| tokens[i].value);
                let asks = before.map(|name| names.resolve(name)).is_some_and(|word| {
                    matches!(word, "typeof" | "__typeof" | "__typeof__" | "typeof_unqual")
                });
                open.push(asks.then_some(token.span.lo));
            }
            PpTokenKind::Punct(Punct::RParen) => {
                if let Some(Some(lo)) = open.pop() {
                    found.push(Span { lo, hi: token.span.hi });
                }
            }
            _ => {}
        }
    }
    found
}
