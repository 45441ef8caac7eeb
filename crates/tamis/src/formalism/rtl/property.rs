//! Properties of a design: what it calls `bad`, each by itself.

use std::fmt;

/// A property of a design.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    pub name: String,
    pub kind: Kind,
}

/// What a property asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// That no cycle is bad, by the property's place in the design.
    Safety(usize),
    /// That something happens again and again, which is not checked.
    Liveness,
    /// Something that the front end does not take, for a reason.
    Unchecked(String),
}

impl crate::formalism::Property for Property {
    fn name(&self) -> &str {
        &self.name
    }

    fn unsupported(&self) -> Option<String> {
        match &self.kind {
            Kind::Safety(_) => None,
            Kind::Unchecked(why) => Some(why.clone()),
            Kind::Liveness => Some("unsupported: liveness".to_owned()),
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
