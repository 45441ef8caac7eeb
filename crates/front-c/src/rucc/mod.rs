//! Parsing and typing C with the `rucc` crates.
//!
//! Those crates are young and their API changes without notice: nothing outside this folder names them. What comes
//! out is the tree of [`crate::tree`].

mod alignof;
mod atomic;
mod call;
mod classify;
mod constant;
mod declaration;
mod depth;
mod expression;
mod initialiser;
mod length;
mod lower;
mod nesting;
mod operator;
mod overrides;
mod place;
mod quiet;
mod statement;
mod tags;
mod types;

use crate::error::{Diagnostic, Error};
use crate::lines::Lines;
use crate::options::DataModel;
use crate::tree::Unit;
use lower::Lower;
use overrides::Braces;
use rucc_ast::Ast;
use rucc_base::{Interner, Symbol};
use rucc_lex::{Convert, Keywords, PpToken, PpTokenKind, Punct, convert, tokenize};
use rucc_sema::{Checked, Checker};
use rucc_session::Std;
use rucc_target::{TargetInfo, Triple};
use rustc_hash::FxHashSet;

/// The dialect `cc` takes by default, and the one its preprocessor announces to the headers.
const DIALECT: Std = Std::C17;

/// The typed tree of a preprocessed text.
///
/// A panic in the parser becomes an error: it is a limit of ours and not a fault of the user's.
pub(crate) fn parse(name: &str, text: &str, model: DataModel) -> Result<(Unit, Lines), Error> {
    quiet::catch(|| parse_text(name, text, model)).unwrap_or_else(|| {
        let message = "the C parser failed on this file".to_owned();
        Err(Error::Unsupported(Diagnostic::about_file(name, message)))
    })
}

fn parse_text(name: &str, text: &str, model: DataModel) -> Result<(Unit, Lines), Error> {
    let triple = match model {
        DataModel::Lp64 => "x86_64-unknown-linux-gnu",
        DataModel::Ilp32 => "i686-unknown-linux-gnu",
    };
    let target = triple.parse::<Triple>().map(TargetInfo::new).map_err(|_| {
        Error::Unsupported(Diagnostic::about_file(name, format!("the C parser does not know {triple}")))
    })?;
    let (lines, bytes) = Lines::new(name, text);
    let mut interner = Interner::new();
    let keywords = Keywords::new(&mut interner, DIALECT, true);
    let options = rucc_lex::Options::for_dialect(DIALECT, true, false);
    let (mut raw, diagnostics) = tokenize(&bytes, 0, options, &mut interner);
    report(&diagnostics, &lines)?;
    if model == DataModel::Ilp32 {
        match alignof::preferred(&raw, &mut interner) {
            Ok(Some(changed)) => raw = changed,
            Ok(None) => {}
            Err(span) => {
                let message = "the alignment that gcc prefers here is not known".to_owned();
                return Err(Error::Unsupported(lines.diagnostic(span.lo, message)));
            }
        }
    }
    if let Some(span) = depth::too_deep(&raw, &interner) {
        let message = format!("expression or statement nested more than {} deep", depth::LIMIT);
        return Err(Error::Unsupported(lines.diagnostic(span.lo, message)));
    }
    let context = Convert {
        keywords: &keywords,
        interner: &interner,
        target: &target,
        std: DIALECT,
        gnu: true,
        pedantic: false,
    };
    let shallow = nesting::without_double_braces(&raw);
    let (tokens, diagnostics) = convert(shallow.as_deref().unwrap_or(&raw), &context);
    report(&diagnostics, &lines)?;
    let names: Vec<Symbol> = target.type_names().iter().filter_map(|(name, _)| interner.find(name)).collect();
    let context = rucc_parse::Context { type_names: &names, ..rucc_parse::Context::new(&interner, DIALECT) };
    let parsed = rucc_parse::parse(&tokens, context);
    report(&parsed.diagnostics, &lines)?;
    if let Some(span) = tags::declared_in_expression(&parsed.ast) {
        let message = "a type that is declared in an expression is not supported yet".to_owned();
        return Err(Error::Unsupported(lines.diagnostic(span.lo, message)));
    }
    let mut checked = check(&parsed.ast, &interner, &target, &[]);
    let implicit = implicit_library_functions(&checked.diagnostics);
    if !implicit.is_empty() {
        // A library function that is called before it is declared has the type the library gives it. All other names
        // stay the program's.
        let called = called_names(&raw, &interner).filter(|n| !implicit.contains(n)).collect::<Vec<_>>();
        checked = check(&parsed.ast, &interner, &target, &called);
    }
    report(&checked.diagnostics, &lines)?;
    let unit = Lower::new(&checked, &target, &interner, &lines, Braces::new(&raw)).unit(model);
    Ok((unit, lines))
}

/// Resolves and types a parsed file. A library function under its plain name is what the program makes of it; with
/// `not_library`, that holds for those names alone.
fn check(ast: &Ast, interner: &Interner, target: &TargetInfo, not_library: &[String]) -> Checked {
    let mut context = rucc_sema::Context::new(interner, target, DIALECT);
    // As gcc 12: implicit declarations and incompatible pointers are warnings.
    context.permissive = true;
    context.gnuc = 12;
    context.builtins = !not_library.is_empty();
    context.no_builtin = not_library;
    let mut checker = Checker::new(ast, context);
    checker.check_unit();
    checker.finish()
}

/// The functions that have another type where they are declared than where they were called before.
fn implicit_library_functions(diagnostics: &[rucc_diag::Diagnostic]) -> Vec<String> {
    let conflict = |d: &rucc_diag::Diagnostic| {
        let rest = d.message.strip_prefix("conflicting types for '")?;
        let (name, _) = rest.split_once('\'')?;
        Some(name.to_owned())
    };
    diagnostics.iter().filter(|d| d.severity.is_fatal()).filter_map(conflict).collect()
}

/// The identifiers before an opening parenthesis.
fn called_names(tokens: &[PpToken], interner: &Interner) -> impl Iterator<Item = String> {
    let names: FxHashSet<Symbol> = tokens
        .windows(2)
        .filter(|pair| pair[1].kind == PpTokenKind::Punct(Punct::LParen))
        .filter_map(|pair| pair[0].value.filter(|_| pair[0].kind == PpTokenKind::Ident))
        .collect();
    names.into_iter().map(|name| interner.resolve(name).to_owned())
}

/// The parser's limit on nested brackets, which C does not have.
const TOO_DEEP: &str = "E0402";

/// Whether gcc only warns about an error, and means what the parser makes of it.
fn is_warning(diagnostic: &rucc_diag::Diagnostic) -> bool {
    diagnostic.message == "pointer/integer type mismatch in conditional expression"
}

/// Fails with the first diagnostic that is an error.
fn report(diagnostics: &[rucc_diag::Diagnostic], lines: &Lines) -> Result<(), Error> {
    let Some(first) = diagnostics.iter().find(|d| d.severity.is_fatal() && !is_warning(d)) else {
        return Ok(());
    };
    let byte = if first.span.is_dummy() { 0 } else { first.span.lo };
    let diagnostic = lines.diagnostic(byte, first.message.clone());
    if first.code == Some(TOO_DEEP) {
        return Err(Error::Unsupported(diagnostic));
    }
    Err(Error::Unreadable(diagnostic))
}
