//! Properties: what is checked, by name or from a property file.

mod file;

pub use file::{of_formula, parse, read};

use crate::check::report::Report;
use crate::formalism::Next;
use crate::verdict::Verdict;
use std::fmt;
use std::sync::Arc;
use tamis_front_c::{Options, Target, Weaving};
use tamis_interpreter_c::interpreter;
use tamis_program::Undefined;
use tamis_specification::{Language, Specification, Strategy, Stuck};

/// A property of programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// No error is reached: [`Target::Errors`], or what a property file says.
    Unreachable(Target),
    /// No execution has undefined behaviour of a kind.
    Defined(Undefined),
    /// Memory is used as it may be.
    Memory(Memory),
    /// A specification is kept: its monitor is woven into the program.
    Specified(Arc<Specification>),
    /// One that is known by name, and not checked.
    Unsupported(String),
}

/// What may not be done with memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// Accesses are to objects that live.
    Deref,
    /// What is freed is allocated.
    Free,
    /// What is allocated is pointed to.
    Track,
    /// All that was allocated is freed in the end.
    Cleanup,
    /// The first three.
    Safety,
}

impl Memory {
    /// What must not happen on any edge.
    const fn undefined(self) -> &'static [Undefined] {
        use Undefined::{InvalidFree, Lost, NotFreed, NullAccess, OutOfBounds};
        match self {
            Memory::Deref => &[NullAccess, OutOfBounds],
            Memory::Free => &[InvalidFree],
            Memory::Track => &[Lost],
            Memory::Cleanup => &[NotFreed],
            Memory::Safety => &[NullAccess, OutOfBounds, InvalidFree, Lost],
        }
    }

    /// What the interpreter of C calls a violation.
    const fn violations(self) -> &'static [interpreter::Undefined] {
        use interpreter::Undefined::{
            Dangling, DoubleFree, InvalidCall, InvalidFree, Lost, NotFreed, NullAccess, OutOfBounds, Overlap,
            UseAfterFree,
        };
        match self {
            Memory::Deref => &[NullAccess, OutOfBounds, Dangling, UseAfterFree, Overlap, InvalidCall],
            Memory::Free => &[DoubleFree, InvalidFree],
            Memory::Track => &[Lost],
            Memory::Cleanup => &[NotFreed],
            Memory::Safety => &[
                NullAccess,
                OutOfBounds,
                Dangling,
                UseAfterFree,
                Overlap,
                InvalidCall,
                DoubleFree,
                InvalidFree,
                Lost,
            ],
        }
    }

    const fn formula(self) -> Option<&'static str> {
        match self {
            Memory::Deref => Some("G valid-deref"),
            Memory::Free => Some("G valid-free"),
            Memory::Track => Some("G valid-memtrack"),
            Memory::Cleanup => Some("G valid-memcleanup"),
            Memory::Safety => None,
        }
    }
}

/// The properties with a name that are checked.
const NAMES: [(&str, Property); 12] = [
    ("unreach-call", Property::Unreachable(Target::Errors)),
    ("no-overflow", Property::Defined(Undefined::SignedOverflow)),
    ("no-division-by-zero", Property::Defined(Undefined::DivisionByZero)),
    ("no-shift-out-of-range", Property::Defined(Undefined::ShiftOutOfRange)),
    ("no-null-dereference", Property::Defined(Undefined::NullAccess)),
    ("no-uninitialised-read", Property::Defined(Undefined::Uninitialised)),
    ("no-unrelated-comparison", Property::Defined(Undefined::Unrelated)),
    ("valid-deref", Property::Memory(Memory::Deref)),
    ("valid-free", Property::Memory(Memory::Free)),
    ("valid-memtrack", Property::Memory(Memory::Track)),
    ("valid-memcleanup", Property::Memory(Memory::Cleanup)),
    ("memory-safety", Property::Memory(Memory::Safety)),
];

/// Other names that properties have elsewhere.
const ALIASES: [(&str, &str); 2] =
    [("valid-memsafety", "memory-safety"), ("no-uninitialized-read", "no-uninitialised-read")];

/// Those that other tools check.
const UNSUPPORTED: [&str; 4] = ["termination", "no-data-race", "def-behavior", "no-out-of-bounds"];

impl Property {
    /// The property of a name.
    pub fn named(name: &str) -> Option<Property> {
        let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
        let found = NAMES.iter().find(|(known, _)| *known == name).map(|(_, property)| property.clone());
        found.or_else(|| UNSUPPORTED.contains(&name).then(|| Property::Unsupported(name.to_owned())))
    }

    /// Assertions, memory, and arithmetic: what should hold of every program.
    pub fn all() -> Vec<Property> {
        vec![
            Property::Unreachable(Target::Errors),
            Property::Memory(Memory::Safety),
            Property::Defined(Undefined::SignedOverflow),
            Property::Defined(Undefined::DivisionByZero),
            Property::Defined(Undefined::ShiftOutOfRange),
        ]
    }

    /// The names of the properties that are checked.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// The name in verdicts.
    pub fn name(&self) -> &str {
        match self {
            Property::Unreachable(_) => "unreach-call",
            Property::Specified(specification) => &specification.name,
            Property::Unsupported(name) => name,
            other => NAMES.iter().find(|(_, known)| known == other).map_or("", |(name, _)| name),
        }
    }

    /// What the program must not reach.
    pub fn target(&self) -> Target {
        match self {
            Property::Unreachable(target) => target.clone(),
            Property::Memory(_) => Target::Memory,
            Property::Defined(Undefined::Uninitialised) => Target::Values,
            Property::Defined(Undefined::Unrelated) => Target::Pointers,
            Property::Specified(specification) => specification.target(),
            _ => Target::Nothing,
        }
    }

    /// How a program is read for the property, if it is read with some options otherwise.
    pub fn reading(&self, options: Options) -> Options {
        let weaving = match (self.specification(), &options.weaving) {
            (Some(specification), Some(others)) => {
                let mut weaving = Weaving::clone(&specification.weaving);
                weaving.stand_ins.extend(others.stand_ins.iter().cloned());
                Some(Arc::new(weaving))
            }
            (Some(specification), None) => Some(specification.weaving.clone()),
            (None, others) => others.clone(),
        };
        Options { target: self.target(), weaving, ..options }
    }

    /// The specification that is to be kept.
    pub fn specification(&self) -> Option<&Specification> {
        match self {
            Property::Specified(specification) => Some(specification),
            _ => None,
        }
    }

    /// What must not happen on any edge, if the property is about that.
    pub fn undefined(&self) -> &[Undefined] {
        match self {
            Property::Defined(kind) => std::slice::from_ref(kind),
            Property::Memory(memory) => memory.undefined(),
            _ => &[],
        }
    }

    /// The property as the competition on software verification writes it; `None` for one that it does not
    /// have. Of the errors that a program may reach, it is about one: `asserts` tells whether that is a failing assertion.
    pub fn competition(&self, asserts: bool) -> Option<String> {
        let formula = match self {
            Property::Unreachable(Target::Errors) if asserts => "G ! call(__assert_fail())".to_owned(),
            Property::Unreachable(Target::Errors) => "G ! call(reach_error())".to_owned(),
            Property::Unreachable(Target::Call(name)) => format!("G ! call({name}())"),
            Property::Unreachable(Target::Label) => "G ! label(ERROR)".to_owned(),
            Property::Defined(Undefined::SignedOverflow) => "G ! overflow".to_owned(),
            Property::Memory(memory) => memory.formula()?.to_owned(),
            _ => return None,
        };
        Some(format!("CHECK( init(main()), LTL({formula}) )"))
    }

    /// What the interpreter of C calls a violation of the property, if it is about undefined behaviour.
    pub fn violations(&self) -> &'static [interpreter::Undefined] {
        use interpreter::Undefined as Seen;
        match self {
            Property::Unreachable(_) | Property::Specified(_) | Property::Unsupported(_) => &[],
            Property::Defined(Undefined::SignedOverflow) => &[Seen::SignedOverflow, Seen::DivisionOverflow],
            Property::Defined(Undefined::DivisionByZero) => &[Seen::DivisionByZero],
            Property::Defined(Undefined::ShiftOutOfRange) => &[Seen::ShiftOutOfRange],
            Property::Defined(Undefined::NullAccess) => &[Seen::NullAccess],
            Property::Defined(Undefined::Uninitialised) => &[Seen::Uninitialised],
            Property::Defined(Undefined::Unrelated) => &[Seen::Unrelated],
            // The other kinds are parts of properties of memory.
            Property::Defined(_) => &[],
            Property::Memory(memory) => memory.violations(),
        }
    }

    /// The name of the property that a behaviour violates: of several together, the one.
    pub fn violated_by(&self, kind: interpreter::Undefined) -> &str {
        let parts = [Memory::Deref, Memory::Free, Memory::Track];
        let part = parts.into_iter().find(|part| part.violations().contains(&kind));
        match (self, part) {
            (Property::Memory(Memory::Safety), Some(part)) => {
                let part = Property::Memory(part);
                NAMES.iter().find(|(_, known)| *known == part).map_or(self.name(), |(name, _)| name)
            }
            _ => self.name(),
        }
    }
}

impl crate::formalism::Property for Property {
    fn name(&self) -> &str {
        Property::name(self)
    }

    fn unsupported(&self) -> Option<String> {
        match self {
            Property::Unsupported(what) => Some(format!("unsupported property: {what}")),
            _ => None,
        }
    }

    /// A machine that allows all traces simulates the program if one of its strategies never gets stuck. One that does not allow
    /// them simulates it in no way.
    fn after(&self, report: &Report) -> Next<Property> {
        let Property::Specified(specification) = self else { return Next::Done };
        if specification.language != Language::Simulations {
            return Next::Done;
        }
        let mut tried = specification.tried.clone();
        let next = match (&report.verdict, &specification.strategy) {
            (Verdict::True, None) => match specification.with_strategy(Strategy::default()) {
                Some(first) => return Next::Try(Property::Specified(Arc::new(first))),
                None => return Next::Done,
            },
            (Verdict::False(_), Some(strategy)) => {
                let Some(shown) = &report.counterexample else { return Next::Done };
                let (choices, complete) = shown.stories(&specification.choice());
                let choices =
                    choices.into_iter().filter_map(|(story, value)| Some((story, value.parse().ok()?)));
                // What stands in for functions is told in no story.
                let complete = complete && specification.weaving.stand_ins.is_empty();
                tried.add(strategy, Stuck { choices: choices.collect(), complete });
                if tried.refutes() {
                    return Next::Confirmed(
                        "whatever the machine answers where it has a choice, an execution like this one gets it stuck"
                            .to_owned(),
                    );
                }
                tried.next()
            }
            _ => return Next::Done,
        };
        match next.and_then(|next| specification.with_strategy(next)) {
            Some(next) => Next::Try(Property::Specified(Arc::new(Specification { tried, ..next }))),
            None => Next::GiveUp(
                "simulation: the machine allows all traces, but no choices by its state, the action and the call in the text follow \
                 the program"
                    .to_owned(),
            ),
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_properties_go_together() {
        for name in Property::names() {
            assert_eq!(Property::named(name).expect("it is known").name(), name);
        }
        assert_eq!(Property::named("termination"), Some(Property::Unsupported("termination".to_owned())));
        assert_eq!(Property::named("no-such-thing"), None);
    }
}
