//! Edges, and where the walk is: what all of the translation is made with.

use super::assumption::Assumption;
use super::graph::Node;
use super::{EDGE_LIMIT, Translator};
use crate::memory::Thing;
use crate::tree::{Position, ScopeId, Type};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event, Havoc, Mark, Undefined, Var};

impl Translator<'_> {
    pub(super) fn node(&mut self) -> Node {
        let frame = self.frame();
        self.graph.node(frame)
    }

    /// An edge from here to a new place.
    pub(super) fn emit(&mut self, command: Command, at: Position, event: Event) -> Result<(), Error> {
        let to = self.node();
        self.emit_to(to, command, at, event)?;
        self.marks.clear();
        if self.here.is_some() {
            self.here = Some(to);
        }
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
        let Some(from) = self.here else { return Ok(()) };
        if self.graph.edge_count() >= EDGE_LIMIT {
            return self.too_large(at);
        }
        let source = self.source(at);
        self.last_source = source;
        self.graph.edge(from, to, command, source, event, self.marks.clone());
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

    /// Goes on at another place: here is that place from now on.
    pub(super) fn jump(&mut self, to: Node) {
        let marks = std::mem::take(&mut self.marks);
        if let Some(from) = self.here.take() {
            if marks.is_empty() {
                self.graph.merge(from, to);
            } else {
                // What was computed on this way says nothing of others that come here.
                let (always, source) = (self.terms.tru(), self.last_source);
                self.graph.edge(from, to, Command::Assume(always), source, Event::Step, marks);
            }
        }
    }

    /// Violates the property where a guard holds.
    pub(super) fn violate_if(&mut self, guard: Term, how: String, at: Position) -> Result<(), Error> {
        let (yes, no) = (self.node(), self.node());
        self.fork(guard, yes, no, at, Event::Step, Event::Step)?;
        self.resume(yes);
        self.skip_to(self.error, at, Event::Violation(how))?;
        self.here = None;
        self.resume(no);
        Ok(())
    }

    /// Notes that what is computed here can run into undefined behaviour, if that is asked for.
    pub(super) fn mark(&mut self, what: Undefined, when: Term, at: Position) {
        if !self.all_is_computed() {
            return;
        }
        let mut conditions = self.under.clone();
        conditions.push(when);
        let when = self.terms.and(&conditions);
        if !self.terms.is_false(when) {
            let source = self.source(at);
            self.marks.push(Mark { what, when, source, approximated: false });
        }
    }

    /// Goes on at a place, if anything led to it.
    pub(super) fn resume(&mut self, at: Node) {
        self.marks.clear();
        self.here = self.graph.is_reached(at).then_some(at);
    }

    /// Goes on at a place that others may have jumped to.
    pub(super) fn join(&mut self, at: Node) {
        self.jump(at);
        self.resume(at);
    }

    /// Goes on at a place that others may jump to later.
    pub(super) fn land(&mut self, at: Node) {
        self.jump(at);
        self.here = Some(at);
    }

    /// Jumps between two points of the function: what comes into scope on the way is uninitialised.
    pub(super) fn jump_into(
        &mut self,
        to: Node,
        from_scope: Option<ScopeId>,
        to_scope: Option<ScopeId>,
        at: Position,
    ) -> Result<(), Error> {
        if self.here.is_some() {
            for object in self.unit.entered(from_scope, to_scope) {
                if self.unit[object].refused.is_some() || matches!(self.unit[object].ty, Type::Other(_)) {
                    continue;
                }
                if !self.memory.is_plain(object) {
                    let pointer = self.memory.thing(Thing::Object(object));
                    let Some(size) = self.unit[object].size else {
                        return self.refuse(at, "jump into the scope of a variable-length array");
                    };
                    let base = self.base(Thing::Object(object), at)?;
                    self.forget(pointer, base, size, at)?;
                } else {
                    let var = self.local(object)?;
                    self.havoc(var, self.unit[object].ty, Havoc::Uninitialised, at)?;
                }
            }
        }
        self.jump(to);
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
