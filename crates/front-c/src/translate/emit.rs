//! Edges, and where the walk is: what all of the translation is made with.

use super::assumption::Assumption;
use super::graph::Node;
use super::{EDGE_LIMIT, Translator};
use crate::memory::Thing;
use crate::tree::{Position, ScopeId, Type};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event, Havoc, IntType, Mark, Undefined, Var};

impl Translator<'_> {
    pub(super) fn node(&mut self) -> Node {
        let frame = self.activations.frame();
        self.cursor.graph.node(frame)
    }

    /// An edge from here to a new place.
    pub(super) fn emit(&mut self, command: Command, at: Position, event: Event) -> Result<(), Error> {
        let to = self.node();
        self.emit_to(to, command, at, event)?;
        self.cursor.follow(to);
        Ok(())
    }

    /// An edge from here; the walk stays here.
    pub(super) fn emit_to(
        &mut self,
        to: Node,
        command: Command,
        at: Position,
        event: Event,
    ) -> Result<(), Error> {
        if self.cursor.here.is_some() && self.cursor.graph.edge_count() >= EDGE_LIMIT {
            return self.too_large(at);
        }
        self.cursor.edge(to, command, self.positions.source(at), event);
        Ok(())
    }

    /// Gives a variable any value of its type.
    pub(super) fn havoc(&mut self, var: Var, ty: Type, cause: Havoc, at: Position) -> Result<(), Error> {
        self.emit(Command::Havoc(var, cause), at, Event::Step)?;
        if ty == Type::Bool {
            let two = self.terms.bits(8, 2);
            let term = self.builder.term(var);
            let guard = self.terms.ult(term, two);
            self.assume(guard, Assumption::Bool, at)?;
        }
        Ok(())
    }

    /// Violates the property where a guard holds.
    pub(super) fn violate_if(&mut self, guard: Term, how: String, at: Position) -> Result<(), Error> {
        let (yes, no) = (self.node(), self.node());
        self.fork(guard, yes, no, at, Event::Step, Event::Step)?;
        self.cursor.resume(yes);
        self.skip_to(self.cursor.error, at, Event::Violation(how))?;
        self.cursor.here = None;
        self.cursor.resume(no);
        Ok(())
    }

    /// Gives up where a guard holds: anything may happen from there, whatever the property.
    pub(super) fn give_up_if(&mut self, guard: Term, what: &str, at: Position) -> Result<(), Error> {
        let (yes, no) = (self.node(), self.node());
        self.fork(guard, yes, no, at, Event::Step, Event::Step)?;
        self.cursor.resume(yes);
        if self.cursor.here.is_some() {
            let bit = IntType { bits: 1, signed: false };
            let frame = self.activations.frame();
            let any = self.builder.temporary(self.terms, "unknown", bit, frame);
            self.emit(Command::Havoc(any, Havoc::Approximated(what.to_owned())), at, Event::Step)?;
            self.skip_to(self.cursor.error, at, Event::Violation(what.to_owned()))?;
            self.cursor.here = None;
        }
        self.cursor.resume(no);
        Ok(())
    }

    /// Notes that what is computed here can run into undefined behaviour, if that is asked for.
    pub(super) fn mark(&mut self, what: Undefined, when: Term, at: Position) {
        if !self.all_is_computed() {
            return;
        }
        let mut conditions = self.enclosing.under.clone();
        conditions.push(when);
        let when = self.terms.and(&conditions);
        if !self.terms.is_false(when) {
            let source = self.positions.source(at);
            self.cursor.marks.push(Mark { what, when, source, approximated: false });
        }
    }

    /// Notes that what is done here may use memory wrongly, and that nobody knows whether it does.
    pub(super) fn mark_doubt(&mut self, what: Undefined, at: Position) {
        if self.follows_memory() || self.follows_values() {
            let conditions = self.enclosing.under.clone();
            let when = self.terms.and(&conditions);
            let source = self.positions.source(at);
            self.cursor.marks.push(Mark { what, when, source, approximated: true });
        }
    }

    /// Jumps between two points of the function: what comes into scope on the way is uninitialised.
    pub(super) fn jump_into(
        &mut self,
        to: Node,
        from_scope: Option<ScopeId>,
        to_scope: Option<ScopeId>,
        at: Position,
    ) -> Result<(), Error> {
        if self.cursor.here.is_some() {
            for object in self.unit.entered(from_scope, to_scope) {
                if self.unit[object].refused.is_some() || matches!(self.unit[object].ty, Type::Other(_)) {
                    continue;
                }
                if !self.memory.is_plain(object) {
                    let pointer = self.memory.thing(Thing::Object(object));
                    let Some(size) = self.unit[object].size else {
                        return self.refuse(at, "jump into the scope of a variable-length array");
                    };
                    let placed = self.activations.current().bases.contains_key(&Thing::Object(object));
                    let base = self.base(Thing::Object(object), at)?;
                    if !placed {
                        // It lives there, and not here.
                        self.note_life(object, false);
                    }
                    self.forget(pointer, base, size, at)?;
                } else {
                    let var = self.local(object)?;
                    self.havoc(var, self.unit[object].ty, Havoc::Uninitialised, at)?;
                }
            }
        }
        self.cursor.jump(to);
        Ok(())
    }

    /// An edge that does nothing, for what is marked to stand on.
    pub(super) fn skip(&mut self, at: Position) -> Result<(), Error> {
        let always = self.terms.tru();
        self.emit(Command::Assume(always), at, Event::Step)
    }

    /// An edge that does nothing but say something to a reader.
    pub(super) fn skip_to(&mut self, to: Node, at: Position, event: Event) -> Result<(), Error> {
        let always = self.terms.tru();
        self.emit_to(to, Command::Assume(always), at, event)
    }
}
