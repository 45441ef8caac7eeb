//! Parsing and typing C with the `rucc` crates.
//!
//! Those crates are young and their API changes without notice: nothing outside this folder names them. What comes
//! out is the tree of [`crate::tree`].

mod declaration;
mod expression;
mod lower;
mod quiet;
mod statement;
mod tags;

use crate::error::{Diagnostic, Error};
use crate::lines::Lines;
use crate::options::DataModel;
use crate::tree::Unit;
use lower::Lower;
use rucc_base::Interner;
use rucc_lex::{Convert, Keywords, convert, tokenize};
use rucc_sema::Checker;
use rucc_session::Std;
use rucc_target::{TargetInfo, Triple};

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
    let (raw, diagnostics) = tokenize(&bytes, 0, options, &mut interner);
    report(&diagnostics, &lines)?;
    let context = Convert {
        keywords: &keywords,
        interner: &interner,
        target: &target,
        std: DIALECT,
        gnu: true,
        pedantic: false,
    };
    let (tokens, diagnostics) = convert(&raw, &context);
    report(&diagnostics, &lines)?;
    let parsed = rucc_parse::parse(&tokens, rucc_parse::Context::new(&interner, DIALECT));
    report(&parsed.diagnostics, &lines)?;
    if let Some(span) = tags::declared_in_expression(&parsed.ast) {
        let message = "a type that is declared in an expression is not supported yet".to_owned();
        return Err(Error::Unsupported(lines.diagnostic(span.lo, message)));
    }
    let mut context = rucc_sema::Context::new(&interner, &target, DIALECT);
    // As gcc 12: implicit declarations and incompatible pointers are warnings.
    context.permissive = true;
    // A library function under its plain name is what the program defines it as.
    context.builtins = false;
    let mut checker = Checker::new(&parsed.ast, context);
    checker.check_unit();
    let checked = checker.finish();
    report(&checked.diagnostics, &lines)?;
    let unit = Lower::new(&checked, &target, &interner, &lines).unit(model);
    Ok((unit, lines))
}

/// The parser's limit on nested brackets, which C does not have.
const TOO_DEEP: &str = "E0402";

/// Fails with the first diagnostic that is an error.
fn report(diagnostics: &[rucc_diag::Diagnostic], lines: &Lines) -> Result<(), Error> {
    let Some(first) = diagnostics.iter().find(|d| d.severity.is_fatal()) else { return Ok(()) };
    let byte = if first.span.is_dummy() { 0 } else { first.span.lo };
    let diagnostic = lines.diagnostic(byte, first.message.clone());
    if first.code == Some(TOO_DEEP) {
        return Err(Error::Unsupported(diagnostic));
    }
    Err(Error::Unreadable(diagnostic))
}
