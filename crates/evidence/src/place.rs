//! Where a location is, for people.

use std::fmt;
use tamis_program::{Location, Program, Source};

/// A line of the source, and the function it is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file, as the user or a line marker wrote it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The function whose activation is running there.
    pub function: String,
}

impl Place {
    /// The place of a location: of what is executed next there, or of what leads there if nothing is.
    pub fn of(program: &Program, location: Location) -> Place {
        let next = program.outgoing(location).first().or_else(|| program.incoming(location).first());
        let function = program.frame(program.frame_of(location)).function.clone();
        match next {
            Some(&edge) => Place::at(program, program.edge(edge).source, function),
            None => Place { file: String::new(), line: 0, function },
        }
    }

    pub(crate) fn at(program: &Program, source: Source, function: String) -> Place {
        // A line marker can put anything into a file's name, and places stand in comments that end with the line.
        let plain = |c: char| if c.is_control() { '?' } else { c };
        Place { file: program.file(source.file).chars().map(plain).collect(), line: source.line, function }
    }

    /// The places of all violations, each once.
    pub fn of_violations(program: &Program) -> Vec<Place> {
        let mut found: Vec<Place> = Vec::new();
        for &e in program.incoming(program.error()) {
            let edge = program.edge(e);
            let function = program.frame(program.frame_of(edge.from)).function.clone();
            let place = Place::at(program, edge.source, function);
            if !found.contains(&place) {
                found.push(place);
            }
        }
        found
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 if self.function.is_empty() => write!(f, "a location without a place"),
            0 => write!(f, "the end of {}", self.function),
            line => write!(f, "{}:{line} in {}", self.file, self.function),
        }
    }
}
