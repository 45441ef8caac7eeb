//! Properties of a design: what it calls `bad` or `justice`, each by itself.

use std::fmt;

/// A property of a design.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    pub name: String,
    pub kind: Kind,
    why_unchecked: Option<String>,
}

impl Property {
    /// One that can be checked.
    pub fn checked(name: &str, kind: Kind) -> Property {
        Property { name: name.to_owned(), kind, why_unchecked: None }
    }

    /// One that cannot, for a reason.
    pub fn unchecked(name: &str, why: &str) -> Property {
        Property { name: name.to_owned(), kind: Kind::Unchecked, why_unchecked: Some(why.to_owned()) }
    }
}

/// What a property asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// That no cycle is bad, by the property's place in the design.
    Safety(usize),
    /// That some conditions do not all hold again and again, by the property's place in the design.
    Liveness(usize),
    /// Something that the front end does not take.
    Unchecked,
}

impl crate::formalism::Property for Property {
    fn name(&self) -> &str {
        &self.name
    }

    fn unsupported(&self) -> Option<String> {
        self.why_unchecked.clone()
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
