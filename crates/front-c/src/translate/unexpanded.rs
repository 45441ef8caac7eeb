//! Calls that are not expanded: recursion, calls that would make the automaton too large, and callbacks.
//!
//! A cycle of calls is unfolded to a depth, and a call that is deeper is approximated by all that its cycle may do: change
//! what it writes, return anything, and violate the property. So is a call of a function that calls many others, in a
//! program that is too large to be expanded as a whole, and of a function that an undefined one may call.

use super::assumption::Assumption;
use super::effects::Effects;
use super::{Translator, Want};
use crate::memory::Thing;
use crate::options::Refinement;
use crate::tree::{ExprId, FunctionId, ObjectId, Position, Storage, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event, Havoc, Undefined};

/// What approximations of recursion begin with.
pub(crate) const RECURSION: &str = "recursion";

/// By default a cycle is not unfolded deeper, in rounds.
const DEPTH_LIMIT: usize = 16;

/// Nor as deep as to give more activations, with what they call outside of the cycle.
const ACTIVATION_LIMIT: u64 = 1024;

/// Where constant arguments say how deep a cycle goes, it is unfolded as deep as that, up to here.
const CONSTANT_DEPTH_LIMIT: usize = 1024;

/// Functions whose expansion has no more activations do not count as calling many others.
const SMALL_EXPANSION: u64 = 8;

/// How calls are expanded.
#[derive(Clone, Copy)]
pub(super) struct Expansion<'a> {
    /// How many times recursion is unfolded four times as deep.
    pub(super) refinement: Refinement,
    /// Where expanding calls takes too much, whether they are approximated, and from how many edges on.
    pub(super) frugal: Option<Frugality>,
    /// The number of the first variable.
    pub(super) first: usize,
    /// Where there were more edges than are taken, the number of the next variable.
    pub(super) outgrown: &'a Cell<Option<usize>>,
}

/// From how many edges on calls are approximated.
#[derive(Clone, Copy)]
pub(super) struct Frugality {
    /// Calls of functions that call many others.
    pub(super) large: usize,
    /// All calls.
    pub(super) all: usize,
}

/// In a program that is too large to be expanded as a whole.
pub(super) const TOO_LARGE: Frugality = Frugality { large: 200_000, all: 1_000_000 };

/// How far calls have been expanded, and where not.
pub(super) struct Unfolding<'a> {
    pub(super) limits: Expansion<'a>,
    /// How deep the calls of a function's cycle are unfolded, and the cycle.
    depths: FxHashMap<FunctionId, (usize, FxHashSet<FunctionId>)>,
    /// The functions of which a call was approximated.
    approximated: FxHashSet<FunctionId>,
}

impl<'a> Unfolding<'a> {
    pub(super) fn new(limits: Expansion<'a>) -> Unfolding<'a> {
        Unfolding { limits, depths: FxHashMap::default(), approximated: FxHashSet::default() }
    }

    /// How deep calls within the cycle of a function are unfolded, and the cycle.
    fn depth(&mut self, function: FunctionId, effects: &mut Effects<'_>) -> &(usize, FxHashSet<FunctionId>) {
        let more = 4usize.pow(self.limits.refinement.deepened);
        self.depths.entry(function).or_insert_with(|| {
            let cycle = effects.cycle(function);
            let calls = effects.calls_in_cycle(&cycle).max(1);
            let mut activations = effects.expansion(function);
            let mut depth = 1;
            while depth < DEPTH_LIMIT * more * cycle.len().max(1)
                && activations.saturating_mul(calls) <= ACTIVATION_LIMIT * more as u64
            {
                activations = if calls == 1 {
                    activations + effects.expansion(function)
                } else {
                    activations.saturating_mul(calls)
                };
                depth += 1;
            }
            (depth, cycle)
        })
    }

    /// Whether calls of a function are approximated in an automaton of `edges` edges.
    fn is_too_large(&self, function: FunctionId, edges: usize, effects: &mut Effects<'_>) -> bool {
        self.limits.frugal.is_some_and(|frugal| {
            edges >= frugal.all || edges >= frugal.large && effects.expansion(function) > SMALL_EXPANSION
        })
    }
}

impl Translator<'_> {
    /// Why a call of a function is not expanded here, if it is not.
    pub(super) fn not_expanded(&mut self, function: FunctionId, args: &[Option<Term>]) -> Option<String> {
        let name = &self.unit[function].name;
        let edges = self.cursor.graph.edge_count();
        if self.activations.contains(function) {
            let (limit, cycle) = self.unfolding.depth(function, &mut self.effects);
            let depth = self.activations.depth_in(cycle);
            // Constant arguments that come back say nothing.
            let counted = args.iter().any(Option::is_some)
                && depth < CONSTANT_DEPTH_LIMIT
                && edges < TOO_LARGE.large
                && !self.activations.repeats(function, args);
            if depth >= *limit && !counted {
                return Some(format!("{RECURSION} of {name} deeper than {limit}"));
            }
        }
        let large = self.unfolding.is_too_large(function, edges, &mut self.effects);
        large.then(|| format!("call of {name}: the program is too large"))
    }

    /// A call that is not expanded, for a reason.
    pub(super) fn approximate_call(
        &mut self,
        function: FunctionId,
        reason: String,
        args: &[ExprId],
        at: Position,
        want: Want,
    ) -> Result<(), Error> {
        for &arg in args {
            self.evaluate(arg)?;
        }
        let cause = self.may_call(function, reason, at)?;
        if self.unit[function].noreturn {
            self.cease(Assumption::Noreturn);
            return Ok(());
        }
        match want {
            Want::Nothing => Ok(()),
            want => self.arbitrary_result(function, cause, at, want, false),
        }
    }

    /// What any number of calls of a function may do, for a reason, which is what they are marked with.
    pub(super) fn may_call(
        &mut self,
        function: FunctionId,
        reason: String,
        at: Position,
    ) -> Result<Havoc, Error> {
        let name = &self.unit[function].name;
        let cause = Havoc::Approximated(reason);
        let mark = self.temporary("call", Type::Bool, at)?;
        self.havoc(mark, Type::Bool, cause.clone(), at)?;
        let footprint = self.effects.call(function);
        let violated = self.builder.term(mark);
        let violated = self.terms.nonzero(violated);
        if footprint.violates {
            self.violate_if(violated, format!("in {name}"), at)?;
        }
        Undefined::ALL.into_iter().for_each(|what| self.mark(what, violated, at));
        let is_there = |o: &ObjectId| {
            let object = &self.unit[*o];
            !object.is_automatic()
                && object.refused.is_none()
                && (self.memory.is_plain(*o) || self.effects.touches.objects.contains_key(o))
        };
        let mut written: Vec<_> = footprint.writes.iter().copied().filter(is_there).collect();
        written.sort_unstable();
        self.havoc_objects(&written, &cause, at)?;
        let mut stores: Vec<_> = footprint.stores.iter().copied().collect();
        stores.sort_unstable();
        for region in stores {
            let var = self.region_var(region);
            self.emit(Command::Havoc(var, cause.clone()), at, Event::Step)?;
        }
        // Its own objects have no address here, so pointers to them are like those into the heap. What lives in the whole
        // run has one.
        if self.unfolding.approximated.insert(function) {
            let below = self.effects.below(function);
            for thing in self.memory.things_of(&below) {
                if self.lasts(thing) {
                    self.base(thing, at)?;
                } else {
                    self.validity.loose.insert(thing);
                    self.addresses.dynamic.insert(thing);
                }
            }
        }
        Ok(cause)
    }

    /// Whether it is in memory during the whole run, and how large it is, is known.
    fn lasts(&self, thing: Thing) -> bool {
        match thing {
            Thing::Object(object) => {
                let data = &self.unit[object];
                matches!(data.storage, Storage::Static(_))
                    && data.size.is_some()
                    && data.refused.is_none()
                    && !self.memory.is_plain(object)
            }
            Thing::Literal(_) => true,
            _ => false,
        }
    }
}
