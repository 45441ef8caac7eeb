//! Every way in which an execution can end in the automaton, and every restriction of what is chosen.
//!
//! An execution that vanishes from the automaton without a reason makes proofs vacuous. So nothing ends one, and nothing
//! assumes anything, but by an [`Assumption`]: `docs/semantics.md` says of each why it is sound, and a test holds the list
//! there against the one here.

use super::Translator;
use crate::tree::Position;
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event};

/// Why an execution goes no further, or a value is not just any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Assumption {
    /// `main` returns.
    EndOfMain,
    /// The program ends itself: `exit`, `abort`, a trap, a failing `assert` that is not what is looked for.
    Exit,
    /// A function that is declared not to return was called.
    Noreturn,
    /// The property is violated, which is as far as anybody looks.
    Violation,
    /// The user's `__VERIFIER_assume` does not hold.
    User,
    /// An access through a null pointer, which traps.
    NullAccess,
    /// A call through a pointer that is null or points to no function.
    NoFunction,
    /// A computed `goto` to what is no label of the function.
    NoLabel,
    /// More memory is taken from the stack than there are addresses.
    StackOverflow,
    /// A `_Bool` holds 0 or 1.
    Bool,
    /// A comparison gives 0 or 1.
    Comparison,
    /// The number of arguments of `main` is not negative.
    ArgumentCount,
    /// Memory that is had again is in the heap and aligned, or there is none.
    ReusedBlock,
    /// Objects whose addresses are looked at are apart, aligned, and in the addresses of a process.
    Layout,
    /// An argument is the object that a specification is about, or it is not.
    Object,
}

impl Assumption {
    /// All of them.
    #[cfg(test)]
    pub(crate) const ALL: [Assumption; 15] = [
        Assumption::EndOfMain,
        Assumption::Exit,
        Assumption::Noreturn,
        Assumption::Violation,
        Assumption::User,
        Assumption::NullAccess,
        Assumption::NoFunction,
        Assumption::NoLabel,
        Assumption::StackOverflow,
        Assumption::Bool,
        Assumption::Comparison,
        Assumption::ArgumentCount,
        Assumption::ReusedBlock,
        Assumption::Layout,
        Assumption::Object,
    ];
}

impl Translator<'_> {
    /// Goes on only where a guard holds.
    pub(super) fn assume(&mut self, guard: Term, why: Assumption, at: Position) -> Result<(), Error> {
        if self.terms.is_true(guard) {
            return Ok(());
        }
        if self.terms.is_false(guard) {
            // One of the user's has its edge all the same: a proof that rests on it should say so.
            if why == Assumption::User {
                let nowhere = self.node();
                self.emit_to(nowhere, Command::Assume(guard), at, Event::Assumption)?;
            }
            self.cease(why);
            return Ok(());
        }
        let event = if why == Assumption::User { Event::Assumption } else { Event::Step };
        self.emit(Command::Assume(guard), at, event)
    }

    /// Ends the execution here, after what was computed.
    pub(super) fn cease(&mut self, _why: Assumption) {
        let nowhere = self.node();
        self.cursor.jump(nowhere);
    }
}

#[cfg(test)]
mod tests {
    use super::Assumption;
    use std::path::Path;

    fn folder() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR"))
    }

    /// The files of the translation, by name.
    fn sources() -> Vec<(String, String)> {
        let entries = std::fs::read_dir(folder().join("src/translate")).expect("it is there");
        let paths = entries.map(|entry| entry.expect("it can be read").path());
        paths
            .map(|path| {
                let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
                (name, std::fs::read_to_string(&path).expect("it can be read"))
            })
            .collect()
    }

    /// The rows of the table, by the names in their first column.
    fn documented() -> Vec<String> {
        let page = std::fs::read_to_string(folder().join("../../docs/semantics.md")).expect("it is there");
        let (_, section) = page.split_once("## Where an execution ends").expect("the section is there");
        let section = section.split("\n## ").next().unwrap_or(section);
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
        rows.filter_map(|row| row.split('`').next()).map(str::to_owned).collect()
    }

    #[test]
    fn each_is_documented_and_no_other() {
        let names: Vec<String> = Assumption::ALL.iter().map(|why| format!("{why:?}")).collect();
        assert_eq!(documented(), names);
    }

    /// Guards come from conditions with both their branches, from cases, and from here. A new place where an edge with a
    /// guard is made belongs into this count, and its reason to believe that no execution vanishes there next to it.
    #[test]
    fn edges_with_guards_are_made_in_few_places() {
        let counts = [
            ("assumption.rs", 2), // the assumptions
            ("condition.rs", 2),  // a fork: one guard and its negation
            ("cursor.rs", 1),     // a guard that always holds
            ("emit.rs", 2),       // likewise
            ("graph.rs", 3),      // likewise, and two that only look at one
            ("identity.rs", 1),   // a guard that was there
            ("layout.rs", 1),     // a guard that was there
            ("library.rs", 1),    // an assertion that fails; that it holds is assumed next
            ("parts.rs", 1),      // a guard that was there
            ("pieces.rs", 2),     // looks at one, and puts conditions in a guard that was there
            ("promote.rs", 1),    // a guard that was there
            ("statement.rs", 3),  // the cases of a switch, and none of them
            ("tables.rs", 1),     // a guard that was there
            ("unset.rs", 1),      // none is made: what a command sets is looked at
        ];
        for (name, text) in sources() {
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(&text);
            let made = code.lines().filter(|line| line.contains("Command::Assume(")).count();
            let expected = counts.iter().find(|(file, _)| *file == name).map_or(0, |&(_, n)| n);
            assert_eq!(made, expected, "{name}");
        }
    }

    /// A walk that is nowhere has jumped, returned, gone to the error, or forked: nothing else forgets where it is.
    #[test]
    fn executions_end_by_assumptions_alone() {
        let counts = [
            ("call.rs", 1),      // a return
            ("condition.rs", 1), // a fork
            ("emit.rs", 2),      // a violation, and one that stands for anything that may happen
            ("library.rs", 1),   // a violation
            ("statement.rs", 3), // a loop whose body is never left, cases that are all there are, a return
        ];
        for (name, text) in sources() {
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(&text);
            let lost = code.lines().filter(|line| line.contains(".here = None")).count();
            let expected = counts.iter().find(|(file, _)| *file == name).map_or(0, |&(_, n)| n);
            assert_eq!(lost, expected, "{name}");
        }
    }
}
