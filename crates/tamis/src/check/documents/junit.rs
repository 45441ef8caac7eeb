//! The run as JUnit XML: a test case for each property, or for each check of it where they have verdicts of their own.

use crate::check::board::Board;
use crate::check::counterexample::Counterexample;
use crate::check::report::Report;
use crate::verdict::Verdict;
use std::fmt::Write;

/// What a test case says.
pub struct Case<'a> {
    /// What was tested.
    pub class: String,
    pub name: String,
    pub seconds: f64,
    /// What is wrong, if something is.
    pub trouble: Option<Trouble>,
    pub counterexample: Option<&'a Counterexample>,
}

/// Why a test case does not pass.
pub struct Trouble {
    pub kind: Kind,
    /// What it is called.
    pub name: &'static str,
    pub message: String,
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something was found.
    Failure,
    /// Nothing is shown.
    Error,
    /// Nothing is shown, and nobody minds.
    Skipped,
}

/// A violation is a failure; an unknown is an error, as nothing is shown.
fn trouble(verdict: &Verdict, counterexample: Option<&Counterexample>) -> Option<Trouble> {
    match verdict {
        Verdict::True => None,
        Verdict::False(_) => {
            let message =
                counterexample.and_then(Counterexample::violation).unwrap_or("a violation").to_owned();
            Some(Trouble { kind: Kind::Failure, name: "violation", message })
        }
        Verdict::Unknown(reason) => {
            Some(Trouble { kind: Kind::Error, name: "unknown", message: reason.clone() })
        }
    }
}

/// The test cases of a property.
fn cases<'a>(class: &str, report: &'a Report) -> Vec<Case<'a>> {
    let case = |name: String, seconds, verdict, counterexample: Option<&'a Counterexample>| Case {
        class: class.to_owned(),
        name,
        seconds,
        trouble: trouble(verdict, counterexample),
        counterexample,
    };
    if report.checks.is_empty() {
        let (seconds, counterexample) = (report.numbers.total.as_secs_f64(), report.counterexample.as_ref());
        return vec![case(report.property.clone(), seconds, &report.verdict, counterexample)];
    }
    let each = report.checks.iter().map(|check| {
        let name = format!("{}: {}", report.property, check.point);
        case(name, 0.0, &check.verdict, check.counterexample.as_ref())
    });
    each.collect()
}

/// The document of a run.
pub fn document(board: &Board, reports: &[Report]) -> String {
    let files: Vec<String> = board.options.input.files.iter().map(|f| f.display().to_string()).collect();
    let class = files.join(" ");
    let cases: Vec<Case<'_>> = reports.iter().flat_map(|report| cases(&class, report)).collect();
    let seconds = board.start.elapsed().as_secs_f64();
    text(&[("tamis".to_owned(), seconds, cases)])
}

/// The document of suites, each with its name and the seconds that it took.
pub fn text(suites: &[(String, f64, Vec<Case<'_>>)]) -> String {
    let all = suites.iter().flat_map(|(_, _, cases)| cases);
    let seconds: f64 = suites.iter().map(|(_, seconds, _)| seconds).sum();
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let _ = writeln!(text, "<testsuites {} time=\"{seconds:.3}\">", totals(all));
    for (name, seconds, cases) in suites {
        let (name, totals) = (escaped(name), totals(cases.iter()));
        let _ = writeln!(text, "  <testsuite name=\"{name}\" {totals} time=\"{seconds:.3}\">");
        cases.iter().for_each(|case| write_case(&mut text, case));
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn totals<'a>(cases: impl Iterator<Item = &'a Case<'a>> + Clone) -> String {
    let count =
        |kind| cases.clone().filter(|case| case.trouble.as_ref().is_some_and(|t| t.kind == kind)).count();
    let (tests, failures, errors) = (cases.clone().count(), count(Kind::Failure), count(Kind::Error));
    let totals = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    match count(Kind::Skipped) {
        0 => totals,
        skipped => format!("{totals} skipped=\"{skipped}\""),
    }
}

fn write_case(text: &mut String, case: &Case<'_>) {
    let (class, name, time) = (escaped(&case.class), escaped(&case.name), case.seconds);
    let _ = write!(text, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{time:.3}\"");
    let Some(Trouble { kind, name, message }) = &case.trouble else {
        text.push_str("/>\n");
        return;
    };
    let message = escaped(message);
    let element = match kind {
        Kind::Failure => "failure",
        Kind::Error => "error",
        Kind::Skipped => {
            let _ = write!(text, ">\n      <skipped message=\"{message}\"/>\n    </testcase>\n");
            return;
        }
    };
    let _ = write!(text, ">\n      <{element} type=\"{name}\" message=\"{message}\">");
    for (place, _, line) in case.counterexample.iter().flat_map(|c| c.text()) {
        let line = format!("{}:{}: {line}\n", place.file, place.line);
        let _ = write!(text, "{}", escaped(&line));
    }
    let _ = write!(text, "</{element}>\n    </testcase>\n");
}

/// Text as XML has it: what XML cannot say, not even escaped, becomes a mark.
pub fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\n' => xml.push_str("&#10;"),
            '\t' => xml.push('\t'),
            '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => xml.push('\u{fffd}'),
            c => xml.push(c),
        }
    }
    xml
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_breaks_the_document() {
        assert_eq!(escaped("a<b && \"c\"\u{1}"), "a&lt;b &amp;&amp; &quot;c&quot;\u{fffd}");
    }
}
