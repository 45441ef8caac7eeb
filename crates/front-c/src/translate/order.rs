//! Operands that C evaluates in any order.
//!
//! They are evaluated from left to right unless another order could give another result. Where each of two such operands
//! does a single thing, both orders are taken, which are all there are. Elsewhere any order may violate the property.
//! Either way what follows is approximated: a violation in one order is none in another.

use super::Translator;
use super::effects::Footprint;
use super::facts::{is_total, operands, place_operands};
use super::place::{Cell, Spot};
use crate::tree::{Callee, ExprId, ExprKind, Init, InitEntry, ObjectId, PlaceId, PlaceKind, Position, Type};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event, Havoc, IntType};

/// Both orders are taken for operands within operands up to this depth, calls included: each doubles what is inside.
const DEPTH_LIMIT: usize = 2;

const OPEN: &str = "the order of evaluation, which C leaves open";

/// The two sides of an assignment, evaluated.
pub(super) struct Sides {
    /// Where the left side is.
    pub(super) spot: Spot,
    /// What it held, where that was read before the right side was evaluated.
    pub(super) old: Option<Term>,
    /// The value of the right side.
    pub(super) right: Term,
}

impl Translator<'_> {
    /// The values of two operands that C evaluates in any order.
    pub(super) fn operands(&mut self, a: ExprId, b: ExprId, at: Position) -> Result<(Term, Term), Error> {
        if !self.in_conflict(&[a, b]) {
            let first = self.value(a)?;
            let first = self.steady(first, b, at)?;
            return Ok((first, self.value(b)?));
        }
        let other = self.open_choice(at)?;
        let (of_a, of_b) = (self.effects.of(a), self.effects.of(b));
        if self.enclosing.orders >= DEPTH_LIMIT || !self.is_single(a, &of_b) || !self.is_single(b, &of_a) {
            self.violate_if(other, format!("by {OPEN}"), at)?;
            return Ok((self.value(a)?, self.value(b)?));
        }
        let vars =
            [self.temporary("left", self.unit[a].ty, at)?, self.temporary("right", self.unit[b].ty, at)?];
        self.both_orders(other, at, |this, reversed| {
            let mut steps = [(vars[0], a), (vars[1], b)];
            if reversed {
                steps.reverse();
            }
            steps.into_iter().try_for_each(|(var, e)| this.assign_value(var, this.unit[e].ty, e, at))
        })?;
        Ok((self.builder.term(vars[0]), self.builder.term(vars[1])))
    }

    /// The operands of something that evaluates them from left to right, where C leaves the order open.
    pub(super) fn check_order(&mut self, operands: &[ExprId], at: Position) -> Result<(), Error> {
        if self.in_conflict(operands) {
            self.any_order(at)?;
        }
        Ok(())
    }

    /// Whether it matters in which order operands are evaluated.
    fn in_conflict(&mut self, operands: &[ExprId]) -> bool {
        if operands.len() < 2 || !operands.iter().any(|&e| self.facts.writes(e)) {
            return false;
        }
        let mut before = Footprint::default();
        operands.iter().any(|&e| {
            let footprint = self.effects.of(e);
            let conflict = before.conflicts(&footprint);
            before.absorb(&footprint);
            conflict
        })
    }

    /// The entries of an initialiser, which may be evaluated in any order; whether one that another one replaces is
    /// evaluated at all is open.
    pub(super) fn check_entries(&mut self, init: &Init, at: Position) -> Result<(), Error> {
        let values: Vec<ExprId> = init.entries.iter().map(|entry| entry.value).collect();
        let unit = self.unit;
        let end = |entry: &InitEntry| entry.offset + unit.size_of(unit[entry.value].ty).unwrap_or(1);
        let replaces = |later: &InitEntry, entry: &InitEntry| {
            later.offset < end(entry)
                && entry.offset < end(later)
                && (later.bits.is_none() || later.bits == entry.bits)
        };
        let replaced = init.entries.iter().enumerate().any(|(i, entry)| {
            self.facts.writes(entry.value) && init.entries[i + 1..].iter().any(|later| replaces(later, entry))
        });
        if replaced {
            self.any_order(at)?;
        }
        self.check_order(&values, at)
    }

    /// Declares objects. Lengths and operands that the language does not name are evaluated in any order.
    pub(super) fn declare_all(&mut self, objects: &[ObjectId]) -> Result<(), Error> {
        let unit = self.unit;
        for group in objects.chunk_by(|&a, &b| unit[a].is_temporary() && unit[b].is_temporary()) {
            let values = group.iter().filter_map(|&o| unit[o].init()).flat_map(|init| &init.entries);
            let values: Vec<ExprId> = values.map(|entry| entry.value).collect();
            if group.len() > 1 {
                self.check_order(&values, unit[group[0]].at)?;
            }
            group.iter().try_for_each(|&object| self.declare(object))?;
        }
        Ok(())
    }

    /// `place = value`, or `op=` where the place is read too, up to the store.
    pub(super) fn sides(
        &mut self,
        place: PlaceId,
        value: ExprId,
        reads: bool,
        at: Position,
    ) -> Result<Sides, Error> {
        if let Some(of_value) = self.unordered_parts(place, reads, value) {
            let other = self.open_choice(at)?;
            if self.enclosing.orders < DEPTH_LIMIT && self.are_single(place, reads, value, &of_value) {
                return self.sides_in_both_orders(other, place, value, reads, at);
            }
            self.violate_if(other, format!("by {OPEN}"), at)?;
        }
        let mut spot = self.spot_before(place, value)?;
        if let Spot::Memory(cell) = &mut spot {
            cell.address = self.steady(cell.address, value, at)?;
        }
        let right = self.value(value)?;
        if let Spot::Memory(cell) = spot {
            self.mark_after(place, cell.address, value)?;
        }
        Ok(Sides { spot, old: None, right })
    }

    /// Whether the two sides of an assignment to memory are in conflict by a single load or call each.
    fn are_single(&mut self, place: PlaceId, reads: bool, value: ExprId, of_value: &Footprint) -> bool {
        let mut finding = Footprint::default();
        self.effects.find(place, &mut finding);
        let parts = place_operands(self.unit, place);
        if parts.iter().any(|&part| self.has_block(part)) || !self.is_found_by_parts(place) {
            return false;
        }
        if reads {
            let mut reading = finding.clone();
            self.effects.reads(place, &mut reading);
            apart(&finding, of_value) && self.is_single(value, &reading)
        } else {
            matches!(parts[..], [part] if self.is_single(part, of_value)) && self.is_single(value, &finding)
        }
    }

    fn sides_in_both_orders(
        &mut self,
        other: Term,
        place: PlaceId,
        value: ExprId,
        reads: bool,
        at: Position,
    ) -> Result<Sides, Error> {
        let ty = self.unit[value].ty;
        let word = IntType { bits: self.unit.word(), signed: false };
        let frame = self.activations.frame();
        let address = self.builder.temporary(self.terms, "address", word, frame);
        let right = self.temporary("right", ty, at)?;
        let old = if reads { Some(self.temporary("old", self.unit[place].ty, at)?) } else { None };
        let mut found = None;
        self.both_orders(other, at, |this, reversed| {
            if reversed {
                this.assign_value(right, ty, value, at)?;
            }
            let spot = this.spot(place)?;
            if let Some(old) = old {
                let value = this.read(place, spot, at)?;
                this.emit(Command::Assign(old, value), at, Event::Step)?;
            }
            if let Spot::Memory(cell) = spot {
                this.emit(Command::Assign(address, cell.address), at, Event::Step)?;
            }
            found = Some(spot);
            if !reversed {
                this.assign_value(right, ty, value, at)?;
            }
            Ok(())
        })?;
        let spot = match found {
            Some(Spot::Memory(cell)) => Spot::Memory(Cell { address: self.builder.term(address), ..cell }),
            Some(spot) => spot,
            // Nothing leads here.
            None => self.spot(place)?,
        };
        let old = old.map(|old| self.builder.term(old));
        Ok(Sides { spot, old, right: self.builder.term(right) })
    }

    /// An assignment to a variable.
    pub(super) fn check_assignment(
        &mut self,
        place: PlaceId,
        value: ExprId,
        at: Position,
    ) -> Result<(), Error> {
        if self.unordered_parts(place, false, value).is_some() {
            self.any_order(at)?;
        }
        Ok(())
    }

    /// What the right side of an assignment does, if it matters which side is first.
    fn unordered_parts(&mut self, place: PlaceId, reads: bool, value: ExprId) -> Option<Footprint> {
        let parts = place_operands(self.unit, place);
        if !self.facts.writes(value) && !parts.iter().any(|&e| self.facts.writes(e)) {
            return None;
        }
        let mut finding = Footprint::default();
        self.effects.find(place, &mut finding);
        if reads {
            self.effects.reads(place, &mut finding);
        }
        let of_value = self.effects.of(value);
        // The store comes after the value, but not after all that its evaluation does.
        let overwritten = matches!(self.unit[place].kind,
            PlaceKind::Object(object) if of_value.pending.contains(&object));
        (overwritten || finding.conflicts(&of_value)).then_some(of_value)
    }

    /// Some order is taken, which may violate the property.
    fn any_order(&mut self, at: Position) -> Result<(), Error> {
        let other = self.open_choice(at)?;
        self.violate_if(other, format!("by {OPEN}"), at)
    }

    /// Any truth value, which makes what follows approximated.
    fn open_choice(&mut self, at: Position) -> Result<Term, Error> {
        let choice = self.temporary("order", Type::Bool, at)?;
        self.havoc(choice, Type::Bool, Havoc::Approximated(OPEN.to_owned()), at)?;
        let choice = self.builder.term(choice);
        Ok(self.terms.nonzero(choice))
    }

    fn both_orders(
        &mut self,
        other: Term,
        at: Position,
        mut evaluate: impl FnMut(&mut Self, bool) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (reversed, forward, join) = (self.node(), self.node(), self.node());
        self.fork(other, reversed, forward, at, Event::Step, Event::Step)?;
        self.enclosing.orders += 1;
        for (node, is_reversed) in [(reversed, true), (forward, false)] {
            self.cursor.resume(node);
            if self.cursor.here.is_some() {
                evaluate(self, is_reversed)?;
            }
            self.cursor.jump(join);
        }
        self.enclosing.orders -= 1;
        self.cursor.resume(join);
        Ok(())
    }

    /// Whether all of an operand that conflicts with another is a single load or call, so that nothing of the other can
    /// come in between. What is evaluated twice must have no labels.
    fn is_single(&mut self, e: ExprId, other: &Footprint) -> bool {
        let unit = self.unit;
        if self.scalar(unit[e].ty).is_none() || self.has_block(e) {
            return false;
        }
        let parts = operands(unit, &unit[e].kind);
        let unordered: Vec<_> =
            parts.into_iter().filter(|&part| !apart(&self.effects.of(part), other)).collect();
        let alone = match &unit[e].kind {
            ExprKind::Load(place) => {
                let mut load = Footprint::default();
                self.effects.reads(*place, &mut load);
                apart(&load, other)
            }
            ExprKind::Convert(_)
            | ExprKind::Neg(_)
            | ExprKind::BitNot(_)
            | ExprKind::Compare(..)
            | ExprKind::PointerAdd { .. } => true,
            // A division may end the execution.
            &ExprKind::Arith(op, left, right) => is_total(unit, op, left, right),
            ExprKind::Call { callee: Callee::Function(_), .. } => false,
            _ => return apart(&self.effects.of(e), other),
        };
        match unordered[..] {
            [] => true,
            [part] => alone && self.is_single(part, other),
            _ => false,
        }
    }

    /// Whether there are statements or compound literals in an expression.
    fn has_block(&self, e: ExprId) -> bool {
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            let kind = &self.unit[e].kind;
            match kind {
                ExprKind::Block { .. } => return true,
                ExprKind::Load(place)
                | ExprKind::AddressOf(place)
                | ExprKind::Step { place, .. }
                | ExprKind::Assign { place, .. }
                    if !self.is_found_by_parts(*place) =>
                {
                    return true;
                }
                _ => work.extend(operands(self.unit, kind)),
            }
        }
        false
    }

    /// Whether a place is not within a compound literal, whose initialisers are no operands.
    pub(super) fn is_found_by_parts(&self, mut place: PlaceId) -> bool {
        loop {
            match self.unit[place].kind {
                PlaceKind::Compound(_) => return false,
                PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => place = base,
                _ => return true,
            }
        }
    }
}

/// Whether it does not matter which is first, whichever is.
fn apart(one: &Footprint, other: &Footprint) -> bool {
    !one.conflicts(other) && !other.conflicts(one)
}
