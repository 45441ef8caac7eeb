//! Reads of what was never set.
//!
//! Where that is what is looked for ([`Target::Values`]), each variable that can be without a value has another one that says
//! whether it has one, and each region of memory an array that says so of its cells. These shadows are made when all is
//! translated: a value that is only moved, by an assignment, in a structure or by `memcpy`, keeps what is known of it; any other
//! that is assigned is set. What is read for its value, and was not set, is marked. Static objects are set from the start.

use super::Translator;
use super::graph::Graph;
use super::place::{Cell, Spot};
use super::promote::{Known, extent};
use crate::memory::{Layout, Memory, Pointer};
use crate::options::Target;
use crate::tree::{ExprId, ExprKind, PlaceId, PlaceKind, Position, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_diagnostics::Error;
use tamis_logic::{Op, Sort, Substitution, Term, Terms};
use tamis_program::{Builder, Command, Event, FrameId, Havoc, Undefined, Var, VariableType};

/// Among more static objects it is not told whether an address is in one of them.
const STATICS: usize = 64;

/// What is read, and what of it is being copied without a look at it.
#[derive(Default)]
pub(super) struct Unset {
    reads: Vec<Read>,
    /// What a byte is copied from.
    copied: Option<PlaceId>,
    /// The arrays that say which cells of regions are set, by the arrays of the regions.
    arrays: Vec<(Var, Var)>,
}

/// A read, by the variable that stands for its being of what was never set.
struct Read {
    unset: Term,
    what: What,
}

enum What {
    Variable(Var),
    /// Cells of a region's array.
    Cells {
        array: Var,
        addresses: Vec<Term>,
        pointer: Pointer,
    },
}

impl Translator<'_> {
    /// Whether it matters what was never set.
    pub(super) fn follows_values(&self) -> bool {
        self.unit.target == Target::Values
    }

    /// Marks a read of a scalar for its value.
    pub(super) fn mark_unset(&mut self, place: PlaceId, spot: Spot, at: Position) {
        if !self.follows_values() || self.unset.copied == Some(place) {
            return;
        }
        let what = match spot {
            Spot::Variable(var) => What::Variable(var),
            Spot::Memory(cell) => {
                let array = self.region_var(cell.region);
                let addresses = self.cells_of(cell);
                What::Cells { array, addresses, pointer: self.memory.place(place) }
            }
        };
        let unset = self.terms.fresh("unset", Sort::Bool);
        self.unset.reads.push(Read { unset, what });
        self.mark(Undefined::Uninitialised, unset, at);
    }

    /// Marks that a function returns no value to who takes it for one.
    pub(super) fn mark_missing_result(&mut self, at: Position) {
        if self.follows_values() {
            let always = self.terms.tru();
            self.mark(Undefined::Uninitialised, always, at);
        }
    }

    /// Where the cells are that a scalar is in.
    pub(super) fn cells_of(&mut self, cell: Cell) -> Vec<Term> {
        if self.memory.regions[cell.region.index()].layout != Layout::Bytes {
            return vec![cell.address];
        }
        let bits = crate::memory::width(self.unit, cell.ty);
        let (first, wide) = cell.bits.map_or((0, bits), |b| (b.first, b.width));
        (0..(first + wide).div_ceil(8)).map(|byte| self.offset(cell.address, i64::from(byte))).collect()
    }

    /// Notes that an assignment only copies a byte, which is no use of its value.
    pub(super) fn note_copied_byte(&mut self, place: PlaceId, value: ExprId) {
        let byte = |ty: Type| matches!(ty, Type::Int(int) if int.bits == 8);
        let mut from = value;
        while let ExprKind::Convert(inner) = self.unit[from].kind {
            from = inner;
        }
        self.unset.copied = match self.unit[from].kind {
            ExprKind::Load(source) if byte(self.unit[place].ty) && byte(self.unit[source].ty) => Some(source),
            _ => None,
        };
        if matches!(self.unit[place].kind, PlaceKind::Member { .. })
            && crate::memory::field_of(self.unit, place).is_some()
        {
            self.unset.copied = None;
        }
    }

    /// The assignment is over.
    pub(super) fn forget_copied_byte(&mut self) {
        self.unset.copied = None;
    }

    /// Before `main` nothing is set; static objects are told apart where they are read.
    pub(super) fn initialise_unset(&mut self, frame: FrameId) -> Result<(), Error> {
        if !self.follows_values() {
            return Ok(());
        }
        let word = self.unit.word();
        for array in self.variables.regions.clone().into_iter().flatten() {
            let ty = VariableType::memory(self.terms, word, 8);
            let set = self.builder.temporary(self.terms, "set", ty, frame);
            let sort = self.terms.sort(self.builder.term(set));
            let no = self.terms.bits(8, 0);
            let none = self.terms.const_array(sort, no);
            self.emit(Command::Assign(set, none), Position::default(), Event::Step)?;
            self.unset.arrays.push((array, set));
        }
        Ok(())
    }
}

/// What says which values are set.
struct Shadows<'a> {
    terms: &'a mut Terms,
    /// Of variables, one bit.
    variables: FxHashMap<Term, Term>,
    /// Of the arrays of regions.
    arrays: FxHashMap<Term, Term>,
}

impl Shadows<'_> {
    /// Whether a value is set, as a bit; nothing if it is in any case.
    fn of(&mut self, value: Term) -> Option<Term> {
        if let Some(&shadow) = self.variables.get(&value) {
            return Some(shadow);
        }
        let args = self.terms.args(value).to_vec();
        match self.terms.op(value) {
            Op::Select => {
                let set = *self.arrays.get(&args[0])?;
                let cell = self.terms.select(set, args[1]);
                Some(self.terms.extract(0, 0, cell))
            }
            Op::Extract { .. } => self.of(args[0]),
            Op::Concat => {
                let parts: Vec<Term> = args.iter().filter_map(|&part| self.of(part)).collect();
                parts.into_iter().reduce(|a, b| self.terms.bv_and(a, b))
            }
            Op::Ite => {
                let (then, otherwise) = (self.of(args[1]), self.of(args[2]));
                if then.is_none() && otherwise.is_none() {
                    return None;
                }
                let yes = self.terms.bits(1, 1);
                Some(self.terms.ite(args[0], then.unwrap_or(yes), otherwise.unwrap_or(yes)))
            }
            _ => None,
        }
    }

    /// Which cells of an array are set.
    fn of_array(&mut self, array: Term, sort: Sort) -> Term {
        if let Some(&set) = self.arrays.get(&array) {
            return set;
        }
        let args = self.terms.args(array).to_vec();
        match self.terms.op(array) {
            Op::Store => {
                let before = self.of_array(args[0], sort);
                let yes = self.terms.bits(1, 1);
                let bit = self.of(args[2]).unwrap_or(yes);
                let byte = self.terms.resize(8, false, bit);
                self.terms.store(before, args[1], byte)
            }
            Op::Ite => {
                let (then, otherwise) = (self.of_array(args[1], sort), self.of_array(args[2], sort));
                self.terms.ite(args[0], then, otherwise)
            }
            // What static objects hold at first.
            _ => {
                let no = self.terms.bits(8, 0);
                self.terms.const_array(sort, no)
            }
        }
    }
}

/// Makes the shadows, and puts the conditions of marks in the place of the variables that stand for them.
pub(super) fn settle(
    known: Known<'_>,
    memory: &mut Memory<'_>,
    unset: &Unset,
    (builder, frame): (&mut Builder, FrameId),
    graph: &mut Graph,
    terms: &mut Terms,
) {
    if unset.reads.is_empty() {
        return;
    }
    let bit = tamis_program::IntType { bits: 1, signed: false };
    let arrays = unset.arrays.iter().map(|&(array, set)| (builder.term(array), builder.term(set))).collect();
    let mut shadows = Shadows { terms, variables: FxHashMap::default(), arrays };
    let mut by_var: FxHashMap<Var, Var> = FxHashMap::default();
    // What is moved to may be without a value as what it comes from.
    loop {
        let mut found: Vec<Var> = Vec::new();
        graph.rewrite(|command, _| {
            let may_be_unset = match command {
                Command::Havoc(_, Havoc::Uninitialised) => true,
                Command::Assign(_, value) => shadows.of(*value).is_some(),
                _ => false,
            };
            if let (true, Command::Assign(v, _) | Command::Havoc(v, _)) = (may_be_unset, command)
                && !shadows.arrays.contains_key(&builder.term(*v))
            {
                found.push(*v);
            }
            vec![command.clone()]
        });
        let before = by_var.len();
        for v in found {
            if !by_var.contains_key(&v) && shadows.terms.sort(builder.term(v)).width().is_some() {
                let set = builder.temporary(shadows.terms, "set", bit, frame);
                by_var.insert(v, set);
                shadows.variables.insert(builder.term(v), builder.term(set));
            }
        }
        if by_var.len() == before {
            break;
        }
    }
    let regions: FxHashMap<Var, Var> = unset.arrays.iter().copied().collect();
    graph.rewrite(|command, _| {
        let shadow = match command {
            Command::Assign(v, value) => match (by_var.get(v), regions.get(v)) {
                (Some(&set), _) => {
                    let yes = shadows.terms.bits(1, 1);
                    let value = shadows.of(*value).unwrap_or(yes);
                    Some(Command::Assign(set, value))
                }
                (None, Some(&set)) => {
                    let sort = shadows.terms.sort(builder.term(set));
                    Some(Command::Assign(set, shadows.of_array(*value, sort)))
                }
                (None, None) => None,
            },
            Command::Havoc(v, cause) => match (by_var.get(v), regions.get(v), cause) {
                (Some(&set), ..) => {
                    let bit = shadows.terms.bits(1, u128::from(*cause != Havoc::Uninitialised));
                    Some(Command::Assign(set, bit))
                }
                (None, Some(&set), Havoc::Approximated(_)) => Some(Command::Havoc(set, cause.clone())),
                (None, Some(&set), cause) => {
                    let byte = shadows.terms.bits(8, u128::from(*cause != Havoc::Uninitialised));
                    let sort = shadows.terms.sort(builder.term(set));
                    Some(Command::Assign(set, shadows.terms.const_array(sort, byte)))
                }
                (None, None, _) => None,
            },
            Command::Assume(_) => None,
        };
        // The shadow first: the value may be computed from what is assigned.
        shadow.into_iter().chain([command.clone()]).collect()
    });
    let mut conditions = Substitution::default();
    let mut doubtful = FxHashSet::default();
    for Read { unset, what } in &unset.reads {
        let (condition, doubt) = match what {
            What::Variable(var) => (shadows.variables.get(&builder.term(*var)).map(|&set| (set, 1)), false),
            What::Cells { .. } => (None, false),
        };
        let (condition, doubt) = match (condition, what) {
            (Some((set, _)), _) => {
                let is_set = shadows.terms.nonzero(set);
                (shadows.terms.not(is_set), doubt)
            }
            (None, What::Variable(_)) => (shadows.terms.fals(), false),
            (None, What::Cells { array, addresses, pointer }) => {
                let Some(&set) = regions.get(array) else { continue };
                let mut missing = Vec::new();
                for &address in addresses {
                    let cell = shadows.terms.select(builder.term(set), address);
                    let is_set = shadows.terms.nonzero(cell);
                    missing.push(shadows.terms.not(is_set));
                }
                let some = shadows.terms.or(&missing);
                let (not_static, many) =
                    outside_of_statics(known, memory, *pointer, addresses, shadows.terms);
                (shadows.terms.and2(some, not_static), many)
            }
        };
        conditions.insert(*unset, condition);
        if doubt {
            doubtful.insert(*unset);
        }
    }
    graph.for_marks(|mark| {
        if mark.what == Undefined::Uninitialised {
            mark.approximated |= shadows.terms.free_vars(mark.when).iter().any(|v| doubtful.contains(v));
            mark.when = shadows.terms.substitute(mark.when, &conditions);
        }
        !shadows.terms.is_false(mark.when)
    });
}

/// Whether an address is in no static object that a pointer may point to, and whether that is not known.
fn outside_of_statics(
    known: Known<'_>,
    memory: &mut Memory<'_>,
    pointer: Pointer,
    addresses: &[Term],
    terms: &mut Terms,
) -> (Term, bool) {
    let word = known.unit.word();
    let things: FxHashSet<_> = memory.things_at(pointer).into_iter().collect();
    let here = known.addresses.statics.iter().filter(|(thing, _)| things.contains(thing));
    let mut inside = Vec::new();
    for &(thing, base) in here.clone().take(STATICS) {
        let Some((size, _)) = extent(known, thing, base) else { continue };
        let Some(&address) = addresses.first() else { continue };
        let (base, size) = (terms.bits(word, u128::from(base)), terms.bits(word, u128::from(size)));
        let offset = terms.sub(address, base);
        inside.push(terms.ult(offset, size));
    }
    let any = terms.or(&inside);
    (terms.not(any), here.count() > STATICS || memory.is_external_at(pointer))
}
