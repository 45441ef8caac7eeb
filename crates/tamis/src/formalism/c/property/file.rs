//! Property files, as the competition on software verification has them.
//!
//! ```text
//! CHECK( init(main()), LTL(G ! call(reach_error())) )
//! CHECK( init(main()), LTL(G ! overflow) )
//! ```

use super::{Memory, Property};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use tamis_diagnostics::Diagnostic;
use tamis_front_c::Target;
use tamis_program::Undefined;
use tamis_specification::ltl::{self, Temporal};

/// The properties of a file, one for each `CHECK`; what is asked of test generators is left out.
pub fn read(path: &Path) -> Result<Vec<Property>, Diagnostic> {
    let name = path.display().to_string();
    let about = |message: String| Diagnostic::about_file(name.clone(), message);
    let text = std::fs::read_to_string(path).map_err(|e| about(format!("cannot be read: {e}")))?;
    parse(&name, &text)
}

/// The properties in the text of a file.
pub fn parse(name: &str, text: &str) -> Result<Vec<Property>, Diagnostic> {
    let mut scanner = Scanner { name, text, at: 0 };
    let (mut properties, mut others, mut formulas) = (Vec::new(), 0, 0);
    while !scanner.is_at_end() {
        if scanner.takes("COVER") {
            scanner.parenthesised()?;
            others += 1;
            continue;
        }
        scanner.expect("CHECK")?;
        scanner.expect("(")?;
        scanner.expect("init")?;
        let entry = scanner.parenthesised()?;
        scanner.expect(",")?;
        scanner.expect("LTL")?;
        scanner.skip_spaces();
        let start = scanner.at + 1;
        let formula = scanner.parenthesised()?;
        let part = start..scanner.at - 1;
        scanner.expect(")")?;
        properties.push(match (entry.as_str(), known(&formula)) {
            ("main()", Some(property)) => property,
            ("main()", None) => temporal(name, text, part, formulas, &formula)?,
            _ => unsupported(&entry),
        });
        formulas += 1;
    }
    let safety = [Memory::Deref, Memory::Free, Memory::Track].map(Property::Memory);
    if safety.iter().all(|part| properties.contains(part)) {
        // They are looked for together: an execution has one first violation.
        properties.retain(|property| !safety.contains(property));
        properties.push(Property::Memory(Memory::Safety));
    }
    match (properties.is_empty(), others) {
        (true, 0) => Err(scanner.error("there is no property in this file")),
        (true, _) => Ok(vec![Property::Unsupported("coverage".to_owned())]),
        _ => Ok(properties),
    }
}

/// The property that a formula of linear temporal logic says, if the competition has a meaning of its own for it.
pub fn of_formula(formula: &str) -> Property {
    known(formula).unwrap_or_else(|| unsupported(formula))
}

/// A formula as a monitor.
fn temporal(
    file: &str,
    text: &str,
    part: Range<usize>,
    number: usize,
    formula: &str,
) -> Result<Property, Diagnostic> {
    Ok(match ltl::formula(file, text, part, number)? {
        Temporal::Safety(specification) => Property::Specified(Arc::from(specification)),
        Temporal::Liveness => unsupported(&format!("liveness: {formula}")),
        Temporal::TooLarge => unsupported(&format!("a formula with too many states: {formula}")),
    })
}

fn known(formula: &str) -> Option<Property> {
    let words: String = formula.chars().filter(|c| !c.is_whitespace()).collect();
    let inside = |prefix: &str, suffix: &str| {
        words
            .strip_prefix(prefix)?
            .strip_suffix(suffix)
            .filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
    };
    if let Some(function) = inside("G!call(", "())") {
        return Some(Property::Unreachable(Target::Call(function.to_owned())));
    }
    Some(match words.as_str() {
        "G!label(ERROR)" => Property::Unreachable(Target::Label),
        "G!overflow" => Property::Defined(Undefined::SignedOverflow),
        "Gvalid-free" => Property::Memory(Memory::Free),
        "Gvalid-deref" => Property::Memory(Memory::Deref),
        "Gvalid-memtrack" => Property::Memory(Memory::Track),
        "Gvalid-memcleanup" => Property::Memory(Memory::Cleanup),
        "G!data-race" => unsupported("no-data-race"),
        "Gdef-behavior" => unsupported("def-behavior"),
        "Fend" => unsupported("termination"),
        _ => return None,
    })
}

fn unsupported(name: &str) -> Property {
    Property::Unsupported(name.to_owned())
}

struct Scanner<'a> {
    name: &'a str,
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        loop {
            self.at += self.rest().len() - self.rest().trim_start().len();
            if !self.rest().starts_with("//") && !self.rest().starts_with('#') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_spaces();
        self.rest().is_empty()
    }

    fn takes(&mut self, word: &str) -> bool {
        self.skip_spaces();
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), Diagnostic> {
        if self.takes(word) { Ok(()) } else { Err(self.error(&format!("`{word}` is expected here"))) }
    }

    /// What stands between a pair of parentheses.
    fn parenthesised(&mut self) -> Result<String, Diagnostic> {
        self.expect("(")?;
        let (start, mut depth) = (self.at, 1);
        for (i, c) in self.rest().char_indices() {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            if depth == 0 {
                self.at = start + i + 1;
                return Ok(self.text[start..start + i].trim().to_owned());
            }
        }
        self.at = start;
        Err(self.error("this parenthesis is not closed"))
    }

    fn error(&self, message: &str) -> Diagnostic {
        let before = &self.text[..self.at];
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        Diagnostic {
            message: message.to_owned(),
            file: self.name.to_owned(),
            line: before.matches('\n').count() as u32 + 1,
            column: before[start..].chars().count() as u32 + 1,
            source_line: self.text[start..].lines().next().map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas() {
        let of = |formula: &str| {
            let text = format!("CHECK( init(main()), LTL({formula}) )\n");
            parse("p.prp", &text).expect("a property")
        };
        let call = |name: &str| vec![Property::Unreachable(Target::Call(name.to_owned()))];
        assert_eq!(of("G ! call(reach_error())"), call("reach_error"));
        assert_eq!(of("G ! call(__VERIFIER_error())"), call("__VERIFIER_error"));
        assert_eq!(of("G ! label(ERROR)"), vec![Property::Unreachable(Target::Label)]);
        assert_eq!(of("G ! overflow"), vec![Property::Defined(Undefined::SignedOverflow)]);
        assert_eq!(of("F end"), vec![unsupported("termination")]);
        assert_eq!(of("F call(f())"), vec![unsupported("liveness: F call(f())")]);
        assert_eq!(of("G (call(f()) -> ap(x > 0))")[0].name(), "ltl");
        let wrong = parse("p.prp", "CHECK( init(main()), LTL(G (x > 0)) )").expect_err("wrong");
        assert_eq!((wrong.line, wrong.column), (1, 29));
    }

    #[test]
    fn several_in_a_file() {
        let text = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
        let two = vec![Property::Memory(Memory::Free), Property::Memory(Memory::Deref)];
        assert_eq!(parse("p.prp", text), Ok(two));
        let text = format!("{text}CHECK( init(main()), LTL(G valid-memtrack) )\n");
        assert_eq!(parse("p.prp", &text), Ok(vec![Property::Memory(Memory::Safety)]));
    }

    #[test]
    fn errors_have_a_place() {
        let wrong =
            parse("p.prp", "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( main )").expect_err("wrong");
        assert_eq!((wrong.line, wrong.column), (2, 8));
        let open = parse("p.prp", "CHECK( init(main()), LTL(G ! overflow").expect_err("wrong");
        assert_eq!((open.line, open.column), (1, 26));
        assert!(parse("p.prp", "\n\n").is_err());
    }
}
