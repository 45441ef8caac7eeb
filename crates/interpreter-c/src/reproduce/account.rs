//! What an execution of the C program did, for people.

use crate::interpreter::{Chosen, Event, Moment, Observer, Undefined, Value};
use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use tamis_front_c::tree::{FunctionId, Position};

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Happening {
    /// A function of the program was called.
    Call {
        /// The function.
        function: FunctionId,
        /// Its parameters and their values.
        parameters: Vec<(String, String)>,
    },
    /// A function returned.
    Return(FunctionId),
    /// A condition was decided.
    Branch(bool),
    /// A variable, or a part of one, got a value.
    Assign {
        /// As in `list.head[2]`.
        object: String,
        /// Its new value.
        value: String,
    },
    /// The program got a value from outside.
    Input {
        /// The function that gave it, or the variable that was never set.
        name: String,
        /// What it got.
        value: String,
    },
    /// A behaviour is undefined in C, and the execution went on.
    Undefined(Undefined, String),
    /// The property was violated.
    Violation(String),
}

/// Something that happened, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct Moved {
    /// The place in the source.
    pub at: Position,
    /// How many calls were active.
    pub depth: usize,
    /// What happened.
    pub what: Happening,
}

/// The course of an execution.
#[derive(Clone, Default, Debug)]
pub struct Account {
    first: Vec<Moved>,
    last: VecDeque<Moved>,
    left_out: usize,
    /// Statements that are not looked at, and whether they are over.
    skipped: Range<u64>,
    is_behind: bool,
    given: Vec<(String, Value)>,
    heap: Heap,
    used_unset: bool,
    arguments: usize,
}

/// The memory that an execution allocated.
#[derive(Clone, Default, Debug)]
pub struct Heap {
    /// The blocks that the program asked for, in that order: their addresses and sizes.
    pub blocks: Vec<(u64, u64)>,
    /// From the first to behind the last address of all blocks, also of those that nobody asked for.
    pub extent: Option<(u64, u64)>,
    /// What was found in it that was never set.
    pub found: Vec<Chosen>,
}

impl Heap {
    fn add(&mut self, address: u64, size: u64, asked: bool) {
        if asked {
            self.blocks.push((address, size));
        }
        if address != 0 {
            let (first, end) = self.extent.unwrap_or((address, address));
            self.extent = Some((first.min(address), end.max(address + size)));
        }
    }

    fn contains(&self, address: u64) -> bool {
        self.extent.is_some_and(|(first, end)| (first..end).contains(&address))
    }
}

/// So much is kept of the beginning, and of the end.
const KEPT: usize = 100_000;

/// An execution of more statements is only looked at where it begins and ends, for so many statements: to tell one takes
/// ten times as long as to execute it.
const LONG: u64 = 2_000_000;
const LOOKED_AT: u64 = 10_000;

impl Account {
    /// Of an execution that is known to have so many statements.
    pub(crate) fn of_length(steps: u64) -> Account {
        let skipped = if steps > LONG { LOOKED_AT..steps - LOOKED_AT } else { 0..0 };
        Account { left_out: (skipped.end - skipped.start) as usize, skipped, ..Account::default() }
    }

    /// What happened, in order. Of a long execution the middle is left out: the second part begins behind it.
    pub fn parts(&self) -> (&[Moved], usize, impl Iterator<Item = &Moved>) {
        (&self.first, self.left_out, self.last.iter())
    }

    /// The undefined behaviour that it met last.
    pub fn last_undefined(&self) -> Option<Undefined> {
        let kind = |moved: &Moved| match moved.what {
            Happening::Undefined(kind, _) => Some(kind),
            _ => None,
        };
        self.last.iter().rev().chain(self.first.iter().rev()).find_map(kind)
    }

    /// The inputs that the program got, with the functions that gave them, all of them.
    pub fn given(&self) -> &[(String, Value)] {
        &self.given
    }

    /// The memory that it allocated.
    pub fn heap(&self) -> &Heap {
        &self.heap
    }

    /// Whether it used what was never set, outside of memory that it allocated.
    pub fn used_unset(&self) -> bool {
        self.used_unset
    }

    /// How many arguments the program got, its name not counted.
    pub fn arguments(&self) -> usize {
        self.arguments
    }

    pub(super) fn set_arguments(&mut self, count: usize) {
        self.arguments = count;
    }

    pub(super) fn clear(&mut self) {
        *self = Account { arguments: self.arguments, ..Account::default() };
    }

    pub(super) fn note(&mut self, moment: &Moment, event: &Event<'_>) {
        self.is_behind |= !self.skipped.is_empty() && moment.steps >= self.skipped.end;
        let what = match event {
            Event::Statement | Event::Unspecified { .. } => return,
            Event::Allocation { address, size, asked } => {
                self.heap.add(*address, *size, *asked);
                return;
            }
            Event::Call { function, parameters } => {
                Happening::Call { function: *function, parameters: parameters.to_vec() }
            }
            Event::Return(function) => Happening::Return(*function),
            Event::Branch(taken) => Happening::Branch(*taken),
            Event::Assign { object, value, points_to, .. } => {
                Happening::Assign { object: (*object).to_owned(), value: shown(*value, points_to) }
            }
            Event::Input { name, value, points_to, chosen } => {
                match chosen {
                    None => self.given.push(((*name).to_owned(), *value)),
                    Some(chosen) if self.heap.contains(chosen.address) => self.heap.found.push(*chosen),
                    Some(_) => self.used_unset = true,
                }
                Happening::Input { name: (*name).to_owned(), value: shown(*value, points_to) }
            }
            Event::Undefined(kind, detail) => Happening::Undefined(*kind, (*detail).to_owned()),
            Event::Violation(what) => Happening::Violation((*what).to_owned()),
        };
        self.push(Moved { at: moment.at, depth: moment.depth, what });
    }

    pub(crate) fn push(&mut self, moved: Moved) {
        if self.first.len() < KEPT && !self.is_behind {
            self.first.push(moved);
            return;
        }
        if self.last.len() == KEPT {
            self.last.pop_front();
            self.left_out += 1;
        }
        self.last.push_back(moved);
    }
}

/// Takes note of a whole run.
impl Observer for Account {
    fn skips(&self) -> Range<u64> {
        self.skipped.clone()
    }

    fn event(&mut self, moment: &Moment, event: &Event<'_>) -> ControlFlow<()> {
        self.note(moment, event);
        ControlFlow::Continue(())
    }
}

fn shown(value: Value, points_to: &Option<String>) -> String {
    match points_to {
        Some(name) => name.clone(),
        None => value.to_string(),
    }
}
