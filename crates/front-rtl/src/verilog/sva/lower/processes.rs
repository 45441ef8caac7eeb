//! Assertions with sequences inside of processes (IEEE 1800-2017, 16.14.6).
//!
//! The process with the clock of the assertion says in a register that it came to it, and goes on with the statements of the
//! monitor at its end: there it is known whether an attempt starts at this edge.

use super::super::lexer::Kind;
use super::super::monitor::Verilog;
use super::super::words::{Clock, clock_event};
use super::File;

/// A process.
pub struct Process {
    /// The word that it starts with.
    keyword: usize,
    /// The first word of its statement.
    body: usize,
    /// The word behind its last one.
    pub end: usize,
    /// The only event that starts it, if it is the edge of a clock.
    pub clock: Option<Clock>,
    /// The monitors of its assertions, with the names of the registers that say that these are reached.
    monitors: Vec<(String, Verilog)>,
}

impl Process {
    /// What has no clock and ends here.
    pub fn none(end: usize) -> Process {
        Process { keyword: end, body: end, end, clock: None, monitors: Vec::new() }
    }

    /// Adds a monitor that starts where the process sets this register.
    pub fn monitor(&mut self, reached: String, verilog: Verilog) {
        self.monitors.push((reached, verilog));
    }
}

impl File<'_> {
    /// The process that starts with a word.
    pub(super) fn process(&self, keyword: usize, limit: usize) -> Process {
        let end = self.statement(keyword + 1, limit);
        let mut body = keyword + 2;
        let has_clock =
            ["always", "always_ff"].contains(&self.word(keyword)) && self.word(keyword + 1) == "@";
        let clock = if has_clock { clock_event(self.tokens, &mut body) } else { None };
        Process { keyword, body, end, clock, monitors: Vec::new() }
    }

    /// Puts parentheses around an event that is a name alone, `@a`, which Yosys does not read.
    pub(super) fn bare_event(&mut self, at: usize) {
        let is_name = self.tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Name);
        if self.word(at) == "@" && is_name && self.word(at + 2) != "." {
            self.insert(at + 1, "(".to_owned());
            self.append(at + 2, ")".to_owned());
        }
    }

    /// Whether a statement of a process may be executed several times in one run of it, or is of a block of its own.
    pub(super) fn is_repeated(&self, process: &Process, statement: usize) -> bool {
        let loops = ["for", "while", "repeat", "foreach", "forever", "fork", "do"];
        (process.body..statement)
            .any(|i| loops.contains(&self.word(i)) && self.statement(i, process.end) > statement)
    }

    /// Writes the monitors of a process into it.
    pub(super) fn finish(&mut self, process: Process) {
        if process.monitors.is_empty() {
            return;
        }
        let (mut declared, mut before, mut behind) = (String::new(), " begin ".to_owned(), String::new());
        for (reached, verilog) in &process.monitors {
            declared += &verilog.declared;
            before += &format!("{reached} = 0; ");
            behind += &format!(" {}", verilog.process);
        }
        self.insert(process.keyword, declared);
        self.insert(process.body, before);
        self.append(process.end, behind + "end");
    }
}
