//! The run as JUnit XML: a test case for each property, or for each check of it where they have verdicts of their own.

use crate::check::board::Board;
use crate::check::counterexample::Counterexample;
use crate::check::report::Report;
use crate::verdict::Verdict;
use std::fmt::Write;

/// What a test case says.
struct Case<'a> {
    name: String,
    seconds: f64,
    verdict: &'a Verdict,
    counterexample: Option<&'a Counterexample>,
}

/// The test cases of a property.
fn cases(report: &Report) -> Vec<Case<'_>> {
    let seconds = report.numbers.total.as_secs_f64();
    if report.checks.is_empty() {
        let counterexample = report.counterexample.as_ref();
        let (name, verdict) = (report.property.clone(), &report.verdict);
        return vec![Case { name, seconds, verdict, counterexample }];
    }
    let each = report.checks.iter().map(|check| Case {
        name: format!("{}: {}", report.property, check.point),
        seconds: 0.0,
        verdict: &check.verdict,
        counterexample: check.counterexample.as_ref(),
    });
    each.collect()
}

/// The document. A violation is a failure; an unknown is an error, as nothing is shown.
pub fn document(board: &Board, reports: &[Report]) -> String {
    let cases: Vec<Case<'_>> = reports.iter().flat_map(cases).collect();
    let count = |wanted: fn(&Verdict) -> bool| cases.iter().filter(|case| wanted(case.verdict)).count();
    let failures = count(|v| matches!(v, Verdict::False(_)));
    let errors = count(|v| matches!(v, Verdict::Unknown(_)));
    let files: Vec<String> = board.options.input.files.iter().map(|f| f.display().to_string()).collect();
    let class = escaped(&files.join(" "));
    let totals = format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"", cases.len());
    let seconds = board.start.elapsed().as_secs_f64();
    let mut text =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {totals} time=\"{seconds:.3}\">\n");
    let _ = writeln!(text, "  <testsuite name=\"tamis\" {totals} time=\"{seconds:.3}\">");
    for case in &cases {
        let (name, time) = (escaped(&case.name), case.seconds);
        let _ = write!(text, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{time:.3}\"");
        let (element, message) = match case.verdict {
            Verdict::True => {
                text.push_str("/>\n");
                continue;
            }
            Verdict::False(_) => {
                let violation = case.counterexample.and_then(Counterexample::violation);
                ("failure", violation.unwrap_or("a violation"))
            }
            Verdict::Unknown(reason) => ("error", reason.as_str()),
        };
        let kind = if element == "failure" { "violation" } else { "unknown" };
        let _ = write!(text, ">\n      <{element} type=\"{kind}\" message=\"{}\">", escaped(message));
        for (place, _, line) in case.counterexample.iter().flat_map(|c| c.text()) {
            let line = format!("{}:{}: {line}\n", place.file, place.line);
            let _ = write!(text, "{}", escaped(&line));
        }
        let _ = write!(text, "</{element}>\n    </testcase>\n");
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// Text as XML has it: what XML cannot say, not even escaped, becomes a mark.
fn escaped(text: &str) -> String {
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
