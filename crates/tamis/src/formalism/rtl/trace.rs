//! Witnesses of violations as they are written: of BTOR2, and of AIGER.
//!
//! Both say which properties are violated (`b0` for the first bad state, `j0` for the first justice property), and
//! what the environment chooses, cycle by cycle. In BTOR2 each value has a line, `number value name`, below `#cycle` for states
//! and `@cycle` for inputs; of memories, `number [index] value name`. In AIGER the bits stand side by side, the latches of
//! the first cycle and then the inputs of each. A dot ends a witness; more may follow.

use tamis_diagnostics::Diagnostic;

/// What one witness says.
#[derive(Debug, Default)]
pub struct Trace {
    /// The properties that are violated: `b` or `j`, by number.
    pub claims: Vec<(char, usize)>,
    pub cycles: Vec<Cycle>,
}

/// What a witness says of one cycle.
#[derive(Debug, Default)]
pub struct Cycle {
    pub registers: Vec<Assignment>,
    pub inputs: Vec<Assignment>,
}

/// The value of a word, or of an element of a memory.
#[derive(Debug)]
pub struct Assignment {
    pub line: u32,
    /// Which input or register it is.
    pub number: usize,
    /// The element, in binary, or `*` for all that are not named.
    pub index: Option<String>,
    /// In binary; an `x` is a bit that does not matter.
    pub value: String,
}

/// The lines of a file that say something, with their numbers.
struct Lines<'a> {
    file: &'a str,
    left: Vec<(u32, &'a str)>,
    last: u32,
}

impl<'a> Lines<'a> {
    fn new(file: &'a str, text: &'a str, comment: char) -> Lines<'a> {
        let numbered = (1..).zip(text.lines().map(|line| line.trim_end_matches('\r')));
        let mut left: Vec<(u32, &str)> = numbered.filter(|(_, line)| !line.starts_with(comment)).collect();
        let last = left.last().map_or(1, |(number, _)| *number);
        left.reverse();
        Lines { file, left, last }
    }

    fn next(&mut self, what: &str) -> Result<(u32, &'a str), Diagnostic> {
        self.left
            .pop()
            .ok_or_else(|| self.error((self.last, ""), format!("the file ends, and {what} is missing")))
    }

    fn error(&self, (line, text): (u32, &str), message: impl Into<String>) -> Diagnostic {
        let source_line = (!text.is_empty()).then(|| text.to_owned());
        Diagnostic { file: self.file.to_owned(), line, column: 1, message: message.into(), source_line }
    }

    /// Passes over blank lines, and says whether anything is left.
    fn are_left(&mut self) -> bool {
        while self.left.last().is_some_and(|(_, line)| line.trim().is_empty()) {
            self.left.pop();
        }
        !self.left.is_empty()
    }

    /// The line that names the properties.
    fn claims(&mut self) -> Result<Vec<(char, usize)>, Diagnostic> {
        let line = self.next("which property is violated")?;
        let claim = |word: &str| {
            let kind = word.chars().next().filter(|kind| "bj".contains(*kind))?;
            Some((kind, word.get(1..)?.parse().ok()?))
        };
        let claims: Option<Vec<(char, usize)>> = line.1.split_whitespace().map(claim).collect();
        match claims.filter(|claims| !claims.is_empty()) {
            Some(claims) => Ok(claims),
            None => {
                Err(self.error(line, "the properties that are violated are expected here, as `b0` or `j0`"))
            }
        }
    }
}

/// Reads witnesses of BTOR2.
pub fn btor2(file: &str, text: &str) -> Result<Vec<Trace>, Diagnostic> {
    let mut lines = Lines::new(file, text, ';');
    let mut traces = Vec::new();
    while lines.are_left() {
        let first = lines.next("`sat`")?;
        if first.1.trim() != "sat" {
            return Err(lines.error(first, "a witness of a violation in BTOR2 starts with `sat`"));
        }
        let mut trace = Trace { claims: lines.claims()?, cycles: Vec::new() };
        // Whether values are those of states: then the cycle's inputs are still to come.
        let mut states = false;
        loop {
            let line = lines.next("the end of the witness, a dot")?;
            match line.1.trim() {
                "." if states => return Err(lines.error(line, "the last cycle has no inputs, below `@`")),
                "." => break,
                header if header.starts_with(['#', '@']) => {
                    let (here, said) = (trace.cycles.len(), header[1..].parse().ok());
                    let inputs = header.starts_with('@');
                    if said == Some(here) && !states {
                        trace.cycles.push(Cycle::default());
                    } else if !(inputs && states && here > 0 && said == Some(here - 1)) {
                        return Err(lines.error(line, "cycles follow each other, from 0"));
                    }
                    states = !inputs;
                }
                "" => {}
                _ => {
                    let assignment = assignment(line.0, line.1)
                        .ok_or_else(|| lines.error(line, "a value is `number value name`, in binary"))?;
                    let Some(cycle) = trace.cycles.last_mut() else {
                        return Err(lines.error(line, "a value stands below its cycle, `#0` or `@0`"));
                    };
                    if states { &mut cycle.registers } else { &mut cycle.inputs }.push(assignment);
                }
            }
        }
        traces.push(trace);
    }
    Ok(traces)
}

fn assignment(line: u32, text: &str) -> Option<Assignment> {
    let mut words = text.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let mut value = words.next()?;
    let mut index = None;
    if let Some(element) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let is_index = element == "*" || (!element.is_empty() && element.chars().all(|c| "01".contains(c)));
        index = Some(element.to_owned()).filter(|_| is_index);
        index.as_ref()?;
        value = words.next()?;
    }
    let is_value = value.chars().all(|c| "01x".contains(c));
    is_value.then(|| Assignment { line, number, index, value: value.to_owned() })
}

/// Reads witnesses of AIGER for a design with so many latches and inputs.
pub fn aiger(file: &str, text: &str, (latches, inputs): (usize, usize)) -> Result<Vec<Trace>, Diagnostic> {
    let mut lines = Lines::new(file, text, 'c');
    let mut traces = Vec::new();
    while lines.are_left() {
        let first = lines.next("`1`")?;
        match first.1.trim() {
            "1" => {}
            "0" | "2" => return Err(lines.error(first, "this says of no property that it is violated")),
            // How far a search got.
            bound if bound.starts_with('u') => continue,
            _ => return Err(lines.error(first, "a witness of a violation in AIGER starts with `1`")),
        }
        let claims = lines.claims()?;
        let registers = row(&mut lines, latches, "the first values of the latches")?.unwrap_or_default();
        let mut trace = Trace { claims, cycles: Vec::new() };
        while let Some(inputs) = row(&mut lines, inputs, "the inputs of a cycle")? {
            trace.cycles.push(Cycle { registers: Vec::new(), inputs });
        }
        if let Some(cycle) = trace.cycles.first_mut() {
            cycle.registers = registers;
        }
        traces.push(trace);
    }
    Ok(traces)
}

/// A line of so many bits; `None` if it is the dot at the end.
fn row(lines: &mut Lines<'_>, bits: usize, what: &str) -> Result<Option<Vec<Assignment>>, Diagnostic> {
    let line = lines.next(what)?;
    let text = line.1.trim();
    if text == "." {
        return Ok(None);
    }
    if text.chars().count() != bits || !text.chars().all(|c| "01x".contains(c)) {
        return Err(lines.error(line, format!("{what} are {bits} bits, each `0`, `1` or `x`")));
    }
    let bit =
        |(number, bit): (usize, char)| Assignment { line: line.0, number, index: None, value: bit.into() };
    Ok(Some(text.chars().enumerate().map(bit).collect()))
}
