//! What came into being since a function was entered, which is what it may write to whatever its contract says.
//!
//! Calls are expanded, so it is known of an automatic object whether it lived at the entry. Of blocks of the heap, variables
//! keep what there was: whether each one lived, and how many blocks an arena had.

use super::Translator;
use super::validity::{Living, Validity};
use crate::tree::{ExprId, ExprKind, Position, Unit};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tamis_diagnostics::Error;
use tamis_logic::{Term, Terms};
use tamis_program::{Builder, Command, Event, FrameId, IntType, Var};

/// Functions that were entered, by their numbers.
#[derive(Default)]
pub(super) struct Entries {
    /// Where: a variable that is assigned to itself stands for what is kept there.
    marks: Vec<(u64, Var)>,
    /// What lived at the last entry that was translated.
    living: FxHashMap<u64, Rc<Living>>,
    /// For each function, the variable that keeps what another one held at the entry.
    kept: FxHashMap<(u64, Var), Var>,
}

/// A number that a call gives.
fn number(unit: &Unit, e: ExprId) -> Option<u64> {
    match unit[e].kind {
        ExprKind::Const(value) => u64::try_from(value).ok(),
        ExprKind::Convert(e) => number(unit, e),
        _ => None,
    }
}

impl Translator<'_> {
    /// A call that says that a function is entered.
    pub(super) fn enter_contract(&mut self, args: &[ExprId], at: Position) -> Result<(), Error> {
        let Some(number) = args.first().and_then(|&arg| number(self.unit, arg)) else {
            return self.refuse(at, "an entry of a function without a number");
        };
        let frame = self.activations.frame();
        let mark = self.builder.temporary(self.terms, "entry", IntType { bits: 1, signed: false }, frame);
        let living = self.living();
        self.validity.entries.marks.push((number, mark));
        self.validity.entries.living.insert(number, living);
        let unknown = self.builder.term(mark);
        self.emit(Command::Assign(mark, unknown), at, Event::Step)
    }

    /// What lived when a function was entered that a question is about.
    pub(super) fn before(&self, arg: ExprId) -> Option<(u64, Rc<Living>)> {
        let number = number(self.unit, arg)?;
        Some((number, self.validity.entries.living.get(&number)?.clone()))
    }
}

impl Validity {
    /// Variables for all that is kept at entries, now that all blocks are known.
    pub(super) fn keep_at_entries(&mut self, builder: &mut Builder, frame: FrameId, terms: &mut Terms) {
        let lives = self.blocks.iter().filter_map(|block| block.live);
        let watched: Vec<Var> = lives.chain(self.arenas.iter().map(|arena| arena.count)).collect();
        let numbers: Vec<u64> = self.entries.marks.iter().map(|&(number, _)| number).collect();
        for number in numbers {
            for &var in &watched {
                self.entries.kept.entry((number, var)).or_insert_with(|| {
                    let ty = builder.variable_data(var).ty;
                    builder.temporary(terms, "before", ty, frame)
                });
            }
        }
    }

    /// What is kept at each entry, by its mark.
    pub(super) fn entered(&self, builder: &Builder) -> FxHashMap<Var, Vec<Command>> {
        let watched = |number: u64| {
            let mut kept: Vec<(Var, Var)> = self
                .entries
                .kept
                .iter()
                .filter(|((of, _), _)| *of == number)
                .map(|(&(_, var), &kept)| (kept, var))
                .collect();
            kept.sort_unstable();
            kept.into_iter().map(|(kept, var)| Command::Assign(kept, builder.term(var))).collect()
        };
        self.entries.marks.iter().map(|&(number, mark)| (mark, watched(number))).collect()
    }

    /// What a variable held at the last entry.
    pub(super) fn at_entry(&self, number: u64, var: Var, builder: &Builder) -> Option<Term> {
        self.entries.kept.get(&(number, var)).map(|&kept| builder.term(kept))
    }
}
