//! The run as JUnit XML: a test case for each property.

use crate::check::board::Board;
use crate::check::report::Report;
use crate::verdict::Verdict;
use std::fmt::Write;

/// The document. A violation is a failure; an unknown is an error, as nothing is shown.
pub fn document(board: &Board, reports: &[Report]) -> String {
    let count = |wanted: fn(&Verdict) -> bool| reports.iter().filter(|r| wanted(&r.verdict)).count();
    let failures = count(|v| matches!(v, Verdict::False(_)));
    let errors = count(|v| matches!(v, Verdict::Unknown(_)));
    let files: Vec<String> = board.options.input.files.iter().map(|f| f.display().to_string()).collect();
    let class = escaped(&files.join(" "));
    let totals = format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"", reports.len());
    let seconds = board.start.elapsed().as_secs_f64();
    let mut text =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {totals} time=\"{seconds:.3}\">\n");
    let _ = writeln!(text, "  <testsuite name=\"tamis\" {totals} time=\"{seconds:.3}\">");
    for report in reports {
        let (name, time) = (escaped(&report.property), report.numbers.total.as_secs_f64());
        let _ = write!(text, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{time:.3}\"");
        let (element, message) = match &report.verdict {
            Verdict::True => {
                text.push_str("/>\n");
                continue;
            }
            Verdict::False(_) => ("failure", report.violation_text().unwrap_or("a violation")),
            Verdict::Unknown(reason) => ("error", reason.as_str()),
        };
        let kind = if element == "failure" { "violation" } else { "unknown" };
        let _ = write!(text, ">\n      <{element} type=\"{kind}\" message=\"{}\">", escaped(message));
        for (place, _, line) in report.counterexample.iter().flat_map(|c| c.text()) {
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
