//! Tags and enumeration constants that an expression declares.
//!
//! `if (sizeof(enum { A = 5 }))` declares `A` up to the end of the `if` (C11 6.8.4p3, 6.8.5p5), but `rucc` opens a scope
//! for blocks and `for` alone: there the name would go on to mean 5 after the statement. Such a declaration is so rare
//! that it is refused, unless a block or a `for` is the innermost statement around it that is a scope.

use rucc_ast::{Ast, DeclSpecsId, Expr, ExprId, Member, Stmt, StmtId, TypeNameId, TypeSpec, TypeofArg};
use rucc_diag::Span;

/// The first type name in an expression that declares a tag or an enumeration constant in a scope that `rucc` does not
/// have.
pub(super) fn declared_in_expression(ast: &Ast) -> Option<Span> {
    (0..ast.counts().exprs)
        .flat_map(|i| type_names(ast, ast[ExprId::from_usize(i)]))
        .filter(|&name| declares(ast, ast[name].specs))
        .map(|name| ast[name].span)
        .find(|&span| is_in_another_scope(ast, span))
}

/// Whether the innermost statement with a scope of its own around some text is none to `rucc`.
fn is_in_another_scope(ast: &Ast, text: Span) -> bool {
    let mut innermost: Option<(u32, bool)> = None;
    for index in 0..ast.counts().stmts {
        let id = StmtId::from_usize(index);
        let unknown = match ast[id] {
            Stmt::Compound(_) | Stmt::For { .. } => false,
            Stmt::If { .. } | Stmt::Switch { .. } | Stmt::While { .. } | Stmt::DoWhile { .. } => true,
            _ => continue,
        };
        let span = ast.stmt_span(id);
        let length = span.hi.saturating_sub(span.lo);
        let inside = span.lo <= text.lo && text.hi <= span.hi;
        if inside && innermost.is_none_or(|(least, _)| length < least) {
            innermost = Some((length, unknown));
        }
    }
    innermost.is_some_and(|(_, unknown)| unknown)
}

/// The type names in an expression, not those of its operands.
fn type_names(ast: &Ast, expr: Expr) -> Vec<TypeNameId> {
    match expr {
        Expr::Cast { ty, .. }
        | Expr::CompoundLiteral { ty, .. }
        | Expr::SizeofType(ty)
        | Expr::AlignofType(ty)
        | Expr::Offsetof { ty, .. }
        | Expr::ClassifyType(ty)
        | Expr::HasAttributeType { ty, .. }
        | Expr::ConvertVector { ty, .. }
        | Expr::VaArg { ty, .. } => vec![ty],
        Expr::TypesCompatible { a, b } => vec![a, b],
        Expr::Generic { assocs, .. } => ast[assocs].iter().filter_map(|arm| arm.ty).collect(),
        _ => Vec::new(),
    }
}

/// Whether specifiers declare a name that outlives them. Parameters do not: they have a scope of their own.
fn declares(ast: &Ast, specs: DeclSpecsId) -> bool {
    match ast[specs].ty {
        TypeSpec::Enum { enumerators, .. } => enumerators.is_some(),
        TypeSpec::Record { tag, fields: Some(fields), .. } => {
            tag.is_some()
                || ast[fields].iter().any(|member| match member {
                    Member::Field(field) => declares(ast, field.specs),
                    Member::StaticAssert { .. } => false,
                })
        }
        TypeSpec::Typeof { operand: TypeofArg::Type(name), .. } | TypeSpec::Atomic(name) => {
            declares(ast, ast[name].specs)
        }
        _ => false,
    }
}
