//! The interpreter follows an execution of the automaton, as far as that says what was never set.

use super::account::Account;
use super::alignment::{PlainNames, same_value};
use super::unset::{Shadow, UnsetRead};
use crate::interpreter::{Event, Moment, Observer, Undefined, Unset, Value as CValue};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::ops::ControlFlow;
use tamis_evidence::Replay;
use tamis_front_c::tree::Position;
use tamis_front_c::tree::vocabulary::SHIFT;
use tamis_logic::{Bits, Terms, Value};
use tamis_program::{Command, Event as Passing, Havoc, Program};

/// A read of the automaton that the interpreter may ask about.
struct Read {
    line: u32,
    read: UnsetRead,
    told: bool,
}

/// An answer.
#[derive(Clone, Copy)]
struct Told {
    value: u128,
    bits: u32,
    /// Whether it is from the automaton's execution.
    known: bool,
}

/// How far from a pointer an access is still one through it.
const REACH: u128 = 1 << 13;

/// Watches a run of the interpreter and answers what things hold that were never set.
pub(super) struct Guide<'a> {
    names: &'a PlainNames,
    /// The automaton's assignments.
    assigned: Vec<(&'a str, Bits)>,
    /// Its reads of what was never set, by the number of assignments before.
    reads: Vec<Vec<Read>>,
    /// How many assignments the interpreter has made.
    now: usize,
    /// What each object was assigned last.
    last: FxHashMap<u64, CValue>,
    /// The answers that were given, and the inputs that are addresses.
    told: Vec<Told>,
    /// Those answers that are pointers, to objects of their own: by their numbers, and by their values.
    pointers: FxHashSet<usize>,
    targets: FxHashSet<u128>,
    /// Whether something was used that was never set, or an input was taken for a pointer to an object of its own.
    pub asked: bool,
    /// What the run got that C leaves open, if it did.
    pub unspecified: Option<String>,
    /// Whether one of them is what gcc knows of the size of an object.
    pub sizes_objects: bool,
    /// The undefined behaviour that the run is to come to, if that is the violation.
    wanted: &'a [Undefined],
    /// Whether it did.
    pub found: bool,
    /// How many calls are active.
    pub depth: usize,
    /// What the run did.
    pub account: Account,
    /// Whether the automaton's execution chose where objects are.
    pub placed: bool,
    /// Where it first assigned something that the automaton's execution does not.
    pub parted: Option<(Position, String)>,
}

impl<'a> Guide<'a> {
    pub fn new(
        terms: &Terms,
        program: &'a Program,
        names: &'a PlainNames,
        replay: &Replay,
        wanted: &'a [Undefined],
    ) -> Guide<'a> {
        let edges = || replay.steps.iter().map(|step| program.edge(step.edge));
        let start = names.before_main(program, edges());
        let mut shadow = Shadow::new(terms, program, &replay.initial);
        let (mut assigned, mut reads) = (Vec::new(), vec![Vec::new()]);
        for (i, step) in replay.steps.iter().enumerate() {
            let edge = program.edge(step.edge);
            let mut found = shadow.execute(&edge.command, step.wrote.as_ref().map(|(_, value)| value));
            let next = replay.steps.get(i + 1).map(|s| &program.edge(s.edge).event);
            if let (Command::Havoc(_, Havoc::Uninitialised), Some((_, Value::Bits(value)))) =
                (&edge.command, &step.wrote)
                && matches!(next, Some(Passing::Return(_)))
            {
                // A function that returns no value is asked for it by its name.
                let name = program.frame(program.frame_of(edge.from)).function.clone();
                found.push(UnsetRead { name, value: value.clone() });
            }
            let now = reads.last_mut().into_iter();
            let line = edge.source.line;
            now.for_each(|now| now.extend(found.drain(..).map(|read| Read { line, read, told: false })));
            if let Some((v, Value::Bits(value))) = &step.wrote
                && i >= start
                && names.is_assignment(program, edge, *v)
            {
                assigned.push((program.variable(*v).name.as_str(), value.clone()));
                reads.push(Vec::new());
            }
        }
        Guide {
            names,
            assigned,
            reads,
            now: 0,
            last: FxHashMap::default(),
            told: Vec::new(),
            pointers: FxHashSet::default(),
            targets: FxHashSet::default(),
            asked: false,
            unspecified: None,
            sizes_objects: false,
            wanted,
            found: false,
            depth: 0,
            account: Account::default(),
            parted: None,
            placed: edges()
                .any(|edge| matches!(&edge.command, Command::Havoc(_, Havoc::Input(name)) if name == SHIFT)),
        }
    }

    /// Before another run.
    pub fn rewind(&mut self) {
        self.reads.iter_mut().flatten().for_each(|read| read.told = false);
        self.last.clear();
        self.told.clear();
        self.account.clear();
        self.parted = None;
        self.found = false;
        self.now = 0;
    }

    /// Takes the answer by which an access to an address was made, most likely, for a pointer to an object of its own in
    /// the next run. A pointer that was never set points to something, if anything is to be said of what follows.
    pub fn suspect(&mut self, address: u128, word: u32) -> bool {
        // Addresses wrap around.
        let distance = |told: &Told| {
            let up = address.wrapping_sub(told.value) & ((1 << word) - 1);
            up.min((1 << word) - up)
        };
        let candidates = self.told.iter().enumerate().filter(|(number, told)| {
            told.bits == word
                && distance(told) < REACH
                && !self.pointers.contains(number)
                && !self.targets.contains(&told.value)
        });
        let nearest = candidates.min_by_key(|&(number, told)| (distance(told), Reverse(number)));
        let Some((number, told)) = nearest.map(|(number, &told)| (number, told)) else { return false };
        self.pointers.insert(number);
        if told.known && told.value != 0 {
            self.targets.insert(told.value);
        }
        true
    }

    /// Notes an answer. If it is a pointer: the number of its object, the same for the same value.
    fn tell(&mut self, told: Told) -> Option<u128> {
        let number = self.told.len();
        self.told.push(told);
        if told.known && self.targets.contains(&told.value) {
            Some(told.value)
        } else {
            self.pointers.contains(&number).then(|| (1 << 64) + number as u128)
        }
    }

    /// The next read of so many bits that fits, told once.
    fn take(&mut self, fits: impl Fn(&Read) -> bool) -> Option<Bits> {
        let read = self.reads.get_mut(self.now)?.iter_mut().find(|read| !read.told && fits(read))?;
        read.told = true;
        Some(read.read.value.clone())
    }

    /// Bytes that are read one by one.
    fn take_bytes(&mut self, line: u32, count: u32) -> Option<u128> {
        let fits = |read: &&Read| !read.told && read.line == line && read.read.value.width() == 8;
        if self.reads.get(self.now)?.iter().filter(fits).count() < count as usize {
            return None;
        }
        let mut value = 0;
        for i in 0..count {
            let byte = self.take(|read| read.line == line && read.read.value.width() == 8)?;
            value |= byte.unsigned() << (8 * i);
        }
        Some(value)
    }
}

impl Observer for Guide<'_> {
    fn event(&mut self, moment: &Moment, event: &Event<'_>) -> ControlFlow<()> {
        self.account.note(moment, event);
        self.depth = moment.depth;
        if let Event::Unspecified { name, .. } = event {
            self.unspecified.get_or_insert_with(|| (*name).to_owned());
            self.sizes_objects |= name.ends_with("object_size");
        }
        if let Event::Undefined(kind, _) = event
            && self.wanted.contains(kind)
        {
            self.found = true;
            return ControlFlow::Break(());
        }
        let Event::Assign { object, address, value, .. } = *event else { return ControlFlow::Continue(()) };
        if self.names.is_told(object, moment.function) {
            let unchanged = self.last.insert(address, value) == Some(value);
            let expected = self.assigned.get(self.now);
            let as_expected = expected.is_some_and(|(name, bits)| *name == object && same_value(value, bits));
            // What changes nothing may have no edge.
            if as_expected || !unchanged {
                self.now += 1;
            }
            if !as_expected && !unchanged && self.parted.is_none() {
                let expected = expected
                    .map_or("nothing".to_owned(), |(name, bits)| format!("{name} = {}", bits.to_ubig()));
                self.parted =
                    Some((moment.at, format!("{object} = {value} where the counterexample has {expected}")));
            }
        }
        ControlFlow::Continue(())
    }

    fn object(&mut self, input: u128, bits: u32) -> Option<u128> {
        // What it points to is at another address here, which a comparison with another pointer shows.
        self.asked |= input != 0;
        self.tell(Told { value: input, bits, known: true })
    }

    fn unset(&mut self, moment: &Moment, object: &str, bits: u32) -> Option<Unset> {
        self.asked = true;
        let line = moment.at.line;
        let named = self.take(|read| read.read.name == object);
        let value = named.or_else(|| self.take(|read| read.line == line && read.read.value.width() == bits));
        let value = value.and_then(|value| value.to_u128()).or_else(|| self.take_bytes(line, bits / 8));
        let told = Told { value: value.unwrap_or_default(), bits, known: value.is_some() };
        Some(self.tell(told).map_or(Unset::Value(told.value), Unset::Object))
    }
}
