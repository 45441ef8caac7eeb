//! Properties of a design: what it calls `bad` or `justice`, each by itself.

use std::fmt;

/// A property of a design.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    pub name: String,
    pub kind: Kind,
}

/// What a property asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// That no cycle is bad, by the property's place in the design.
    Safety(usize),
    /// That some conditions do not all hold again and again, by the property's place in the design.
    Liveness(usize),
    /// Liveness of Verilog, which is not checked.
    Unchecked,
}

impl crate::formalism::Property for Property {
    fn name(&self) -> &str {
        &self.name
    }

    fn unsupported(&self) -> Option<String> {
        match self.kind {
            Kind::Safety(_) | Kind::Liveness(_) => None,
            Kind::Unchecked => Some("unsupported: liveness".to_owned()),
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
