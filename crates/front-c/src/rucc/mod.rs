//! Parsing and typing C with the `rucc` crates.
//!
//! Those crates are young and their API changes without notice: nothing outside this folder names them. What comes
//! out is the tree of [`crate::tree`].

mod alignof;
mod assembly;
mod atomic;
mod built_in;
mod call;
mod classify;
mod constant;
mod declaration;
mod depth;
mod enum_bit_fields;
mod executed;
mod expression;
mod initialiser;
mod instructions;
mod length;
mod lower;
mod measured;
mod members;
mod nesting;
mod operator;
mod overrides;
mod place;
mod placed;
mod pragma;
mod quiet;
mod statement;
mod tags;
mod types;
mod unspecified;
mod vector;
mod volatile;
mod wide;

use crate::lines::Lines;
use crate::options::DataModel;
use crate::tree::Unit;
pub(crate) use built_in::refuse_mistyped;
use lower::Lower;
use overrides::Braces;
use rucc_ast::Ast;
use rucc_base::{Interner, Symbol};
use rucc_diag::Span;
use rucc_lex::{Convert, Keywords, PpToken, convert, tokenize};
use rucc_sema::{Checked, Checker};
use rucc_session::Std;
use rucc_target::{TargetInfo, Triple};
use tamis_diagnostics::{Diagnostic, Error};

/// The dialect `cc` takes by default, and the one its preprocessor announces to the headers.
const DIALECT: Std = Std::C17;

/// The typed tree of a preprocessed text.
///
/// A panic in the parser becomes an error: it is a limit of ours and not a fault of the user's.
pub(crate) fn parse(name: &str, text: &str, model: DataModel) -> Result<(Unit, Lines), Error> {
    parse_with(name, text, model, false)
}

/// The typed tree of a preprocessed text, where what is read from `volatile` objects may be inputs.
pub(crate) fn parse_with(
    name: &str,
    text: &str,
    model: DataModel,
    volatile_inputs: bool,
) -> Result<(Unit, Lines), Error> {
    quiet::catch(|| parse_text(name, text, model, volatile_inputs)).unwrap_or_else(|| {
        let message = "the C parser failed on this file".to_owned();
        Err(Error::Unsupported(Diagnostic::about_file(name, message)))
    })
}

fn parse_text(
    name: &str,
    text: &str,
    model: DataModel,
    volatile_inputs: bool,
) -> Result<(Unit, Lines), Error> {
    let triple = match model {
        DataModel::Lp64 => "x86_64-unknown-linux-gnu",
        DataModel::Ilp32 => "i686-unknown-linux-gnu",
    };
    let target = triple.parse::<Triple>().map(TargetInfo::new).map_err(|_| {
        Error::Unsupported(Diagnostic::about_file(name, format!("the C parser does not know {triple}")))
    })?;
    let (lines, bytes) = Lines::new(name, text);
    if let Some((byte, what)) = pragma::renaming(text) {
        return Err(Error::Unsupported(lines.diagnostic(byte, format!("{what} is not supported yet"))));
    }
    let mut interner = Interner::new();
    let keywords = Keywords::new(&mut interner, DIALECT, true);
    let (mut raw, diagnostics) = tokenize(&bytes, 0, lexer_options(), &mut interner);
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
    if model == DataModel::Ilp32 {
        match wide::as_int(&raw, &mut interner) {
            Ok(Some(changed)) => raw = changed,
            Ok(None) => {}
            Err(span) => {
                let message = "a selection by types beside wide characters is not supported in 32 bits yet";
                return Err(Error::Unsupported(lines.diagnostic(span.lo, message.to_owned())));
            }
        }
    }
    if let Some(span) = depth::too_deep(&raw, &interner) {
        let message = format!("expression or statement nested more than {} deep", depth::LIMIT);
        return Err(Error::Unsupported(lines.diagnostic(span.lo, message)));
    }
    let parser = Parser { target: &target, keywords: &keywords, lines: &lines };
    let (mut ast, mut checked) = parser.typed(&raw, &interner)?;
    if let Some(span) = tags::declared_in_expression(&ast) {
        let message = "a type that is declared in an expression is not supported yet".to_owned();
        return Err(Error::Unsupported(lines.diagnostic(span.lo, message)));
    }
    // What gcc means by the text is said in C, and the text typed again.
    let declared = built_in::implicit(&checked.diagnostics, model);
    let warnings = built_in::warnings(&checked.diagnostics, &lines);
    let enum_bit_fields = enum_bit_fields::has_any(&checked.types);
    if declared.is_some() || enum_bit_fields {
        if enum_bit_fields {
            raw = enum_bit_fields::rewritten(&raw, &mut interner);
        }
        if let Some(declared) = declared {
            raw.splice(0..0, inserted(&declared, Span::DUMMY, &mut interner));
        }
        (ast, checked) = parser.typed(&raw, &interner)?;
    }
    report(&checked.diagnostics, &lines)?;
    if enum_bit_fields::has_any(&checked.types) {
        let message = "a bit-field of an enumeration type is not supported here yet".to_owned();
        return Err(Error::Unsupported(Diagnostic::about_file(name, message)));
    }
    if let Some((span, what)) = measured::not_known(&ast, &raw, &checked.types, &interner, model) {
        return Err(Error::Unsupported(lines.diagnostic(span.lo, format!("{what} is not supported yet"))));
    }
    let text_of_members = members::Text { tokens: &raw, names: &interner };
    if let Some((span, what)) = placed::otherwise(text_of_members, pragma::packs(text)) {
        return Err(Error::Unsupported(lines.diagnostic(span.lo, format!("{what} is not supported yet"))));
    }
    let answered = unspecified::answered(&ast, &interner);
    let mut lower = Lower::new(&checked, &target, &interner, &lines, Braces::new(&raw, &interner), answered);
    lower.volatile_inputs = volatile_inputs;
    let mut unit = lower.unit(model);
    unit.warnings.splice(0..0, warnings);
    Ok((unit, lines))
}

fn lexer_options() -> rucc_lex::Options {
    rucc_lex::Options::for_dialect(DIALECT, true, false)
}

/// The tokens of a text that is put into another, at a place of it.
fn inserted(text: &str, at: Span, interner: &mut Interner) -> Vec<PpToken> {
    let (mut tokens, _) = tokenize(text.as_bytes(), 0, lexer_options(), interner);
    tokens.retain(|token| !token.is_eof());
    tokens.iter_mut().for_each(|token| token.span = at);
    tokens
}

/// What the steps from tokens to a typed file share.
struct Parser<'a> {
    target: &'a TargetInfo,
    keywords: &'a Keywords,
    lines: &'a Lines,
}

impl Parser<'_> {
    /// Parses and types a file. That it has no type errors is left to the caller.
    fn typed(&self, raw: &[PpToken], interner: &Interner) -> Result<(Ast, Checked), Error> {
        let context = Convert {
            keywords: self.keywords,
            interner,
            target: self.target,
            std: DIALECT,
            gnu: true,
            pedantic: false,
        };
        let shallow = nesting::without_double_braces(raw);
        let (tokens, diagnostics) = convert(shallow.as_deref().unwrap_or(raw), &context);
        report(&diagnostics, self.lines)?;
        let names: Vec<Symbol> =
            self.target.type_names().iter().filter_map(|(name, _)| interner.find(name)).collect();
        let context =
            rucc_parse::Context { type_names: &names, ..rucc_parse::Context::new(interner, DIALECT) };
        let parsed = rucc_parse::parse(&tokens, context);
        report(&parsed.diagnostics, self.lines)?;
        let mut context = rucc_sema::Context::new(interner, self.target, DIALECT);
        // As gcc 12: implicit declarations and incompatible pointers are warnings.
        context.permissive = true;
        context.gnuc = 12;
        // A library function under its plain name is what the program makes of it.
        context.builtins = false;
        let mut checker = Checker::new(&parsed.ast, context);
        checker.check_unit();
        let checked = checker.finish();
        Ok((parsed.ast, checked))
    }
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
