//! Calls that are not expanded.
//!
//! A cycle of calls is unfolded to a depth, and calls are expanded only up to a size of the program. A call beyond
//! that is approximated by all that the function and what it calls may do: change what they write, return anything,
//! and violate the property.

use super::{Translator, Want};
use crate::error::Error;
use crate::tree::{ExprId, FunctionId, ObjectId, Position, Type};
use tamis_program::{Command, Event, Havoc};

/// A cycle is never unfolded deeper.
const DEPTH_LIMIT: usize = 16;

/// Nor as deep as to give more activations, with what they call outside of the cycle.
const ACTIVATION_LIMIT: u64 = 1024;

/// In a program of more edges no call is expanded any longer.
const EXPANSION_LIMIT: usize = 500_000;

impl Translator<'_> {
    /// Why a call of a function is not expanded here.
    pub(super) fn unexpanded(&mut self, function: FunctionId) -> Option<String> {
        let name = &self.unit[function].name;
        if self.graph.edge_count() > EXPANSION_LIMIT {
            return Some(format!("call of {name}, in a program of more than {EXPANSION_LIMIT} steps"));
        }
        let active = self.activations.iter().filter(|a| a.function == function).count();
        if active == 0 {
            return None;
        }
        let depth = self.depth(function);
        (active >= depth).then(|| format!("recursion of {name} deeper than {depth}"))
    }

    /// How deep the cycle of a function is unfolded.
    fn depth(&mut self, function: FunctionId) -> usize {
        if let Some(&depth) = self.depths.get(&function) {
            return depth;
        }
        let calls = self.effects.calls_in_cycle(function).max(1);
        let mut activations = self.effects.expansion(function);
        let mut depth = 1;
        while depth < DEPTH_LIMIT && activations.saturating_mul(calls) <= ACTIVATION_LIMIT {
            activations = if calls == 1 {
                activations + self.effects.expansion(function)
            } else {
                activations.saturating_mul(calls)
            };
            depth += 1;
        }
        self.depths.insert(function, depth);
        depth
    }

    /// A call that is not expanded, for the given reason.
    pub(super) fn approximate_call(
        &mut self,
        function: FunctionId,
        args: &[ExprId],
        why: String,
        at: Position,
        want: Want,
    ) -> Result<(), Error> {
        for &arg in args {
            self.evaluate(arg)?;
        }
        let name = &self.unit[function].name;
        let cause = Havoc::Approximated(why);
        let mark = self.temporary("call", Type::Bool, at)?;
        self.havoc(mark, Type::Bool, cause.clone(), at)?;
        let footprint = self.effects.call(function);
        if footprint.violates {
            let violated = self.builder.term(mark);
            let violated = self.terms.nonzero(violated);
            let (yes, no) = (self.node(), self.node());
            self.fork(violated, yes, no, at, Event::Step, Event::Step)?;
            self.resume(yes);
            self.skip_to(self.error, at, Event::Violation(format!("in {name}")))?;
            self.here = None;
            self.resume(no);
        }
        let is_there = |o: &ObjectId| {
            let object = &self.unit[*o];
            !object.is_automatic()
                && object.refused.is_none()
                && (self.memory.is_plain(*o) || self.touches.objects.contains_key(o))
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
        // Its objects have no address here, so pointers to them are like those into the heap.
        let below = self.effects.below(function);
        self.dynamic.extend(self.memory.things_of(&below));
        if self.unit[function].noreturn {
            self.here = None;
            return Ok(());
        }
        match want {
            Want::Nothing => Ok(()),
            want => self.arbitrary_result(function, cause, at, want, false),
        }
    }
}
