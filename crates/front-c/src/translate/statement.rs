//! Statements.

use super::assumption::Assumption;
use super::facts::names_itself;
use super::graph::Node;
use super::leaks::End;
use super::place::{Cell, Spot};
use super::{Translator, Want};
use crate::memory::{Thing, is_aggregate};
use crate::tree::{
    CaseId, ExprId, ExprKind, LabelId, ObjectId, PlaceId, Position, ScopeId, StmtId, StmtKind, Storage, Type,
};
use tamis_diagnostics::Error;
use tamis_logic::{Bits, Term};
use tamis_program::{Command, Event, Havoc, IntType, Undefined};

impl Translator<'_> {
    /// A statement. Where control cannot be, only the labels in it matter.
    pub(super) fn stmt(&mut self, s: StmtId) -> Result<(), Error> {
        if self.cursor.here.is_none() && !self.facts.enterable(s) {
            return Ok(());
        }
        let unit = self.unit;
        let at = unit[s].at;
        if unit.each_line
            && self.cursor.here.is_some()
            && !matches!(unit[s].kind, StmtKind::Empty | StmtKind::Block(_))
        {
            self.skip(at)?;
        }
        match unit[s].kind {
            StmtKind::Empty => Ok(()),
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Block(ref body) => {
                let compounds = self.activations.current().compounds.len();
                body.iter().try_for_each(|&s| self.stmt(s))?;
                self.leave_scope(body, compounds);
                Ok(())
            }
            StmtKind::Declare(ref objects) => self.declare_all(objects),
            StmtKind::If { cond, then, otherwise } => {
                self.within_block(|walk| walk.if_statement(cond, then, otherwise))
            }
            StmtKind::While { cond, body } => {
                self.within_block(|walk| walk.while_loop(Some(cond), None, body))
            }
            StmtKind::For { init, cond, step, body } => {
                let compounds = self.activations.current().compounds.len();
                if let Some(init) = init {
                    self.stmt(init)?;
                }
                self.while_loop(cond, step, body)?;
                self.leave_scope(init.as_slice(), compounds);
                Ok(())
            }
            StmtKind::DoWhile { body, cond } => self.within_block(|walk| walk.do_while(body, cond)),
            StmtKind::Switch { cond, body, ref cases, default, scope } => {
                self.within_block(|walk| walk.switch(cond, body, cases, default, scope, at))
            }
            StmtKind::Case { case, body } => {
                match self.activations.current().cases.get(&case) {
                    Some(&node) => self.cursor.join(node),
                    None => return self.refuse(at, "case outside of a switch"),
                }
                self.stmt(body)
            }
            StmtKind::Default { body } => {
                match self.activations.current().defaults.last() {
                    Some(&node) => self.cursor.join(node),
                    None => return self.refuse(at, "default outside of a switch"),
                }
                self.stmt(body)
            }
            StmtKind::Label { label, body } => {
                let node = self.label(label);
                self.cursor.land(node);
                // A jump back may repeat all that follows.
                self.activations.current().labelled = true;
                self.stmt(body)
            }
            StmtKind::Goto { label, scope } => {
                let node = self.label(label);
                self.jump_into(node, scope, unit.label_scope(label), at)
            }
            StmtKind::Break => self.leave(|a| a.breaks.last().copied(), at),
            StmtKind::Continue => self.leave(|a| a.continues.last().copied(), at),
            StmtKind::Return(value) => self.return_statement(value, at),
            StmtKind::IndirectGoto { address, scope } => self.computed_goto(address, scope, at),
            StmtKind::Asm { ref outputs, ref inputs, memory, ref labels } => {
                self.assembly(outputs, inputs, memory, labels, at)
            }
            StmtKind::Unsupported(ref what) => self.refuse(at, what),
        }
    }

    /// A statement that is a block, though nothing is declared in it: so are those with conditions, and their parts (C11 6.8.4p3,
    /// 6.8.5p5). The compound literals in it are gone after it.
    fn within_block(&mut self, translate: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        let compounds = self.activations.current().compounds.len();
        translate(self)?;
        self.leave_scope(&[], compounds);
        Ok(())
    }

    /// The variables of a block are gone after it.
    pub(super) fn leave_scope(&mut self, body: &[StmtId], compounds: usize) {
        for &s in body {
            if let StmtKind::Declare(objects) = &self.unit[s].kind {
                objects.iter().for_each(|&object| self.note_life(object, false));
            }
        }
        let gone = self.activations.current().compounds.split_off(compounds);
        gone.into_iter().for_each(|object| self.note_life(object, false));
    }

    /// A jump to one of the labels whose address is taken. Any other address is none that a program may jump to.
    fn computed_goto(&mut self, address: ExprId, scope: Option<ScopeId>, at: Position) -> Result<(), Error> {
        let target = self.value(address)?;
        let target = if self.terms.is_constant(target) { target } else { self.kept(target, at)? };
        for label in self.memory.labels() {
            let address = self.label_address(label, at)?;
            let is_it = self.terms.eq(target, address);
            let (yes, no) = (self.node(), self.node());
            self.fork(is_it, yes, no, at, Event::Step, Event::Step)?;
            self.cursor.resume(yes);
            if self.cursor.here.is_some() {
                let node = self.label(label);
                self.jump_into(node, scope, self.unit.label_scope(label), at)?;
            }
            self.cursor.resume(no);
        }
        self.mark_doubt(Undefined::OutOfBounds, at);
        self.cease(Assumption::NoLabel);
        Ok(())
    }

    /// The address of a label, the same in all activations.
    pub(super) fn label_address(&mut self, label: LabelId, at: Position) -> Result<Term, Error> {
        match self.addresses.label(label) {
            Some(address) => Ok(self.terms.bits(self.unit.word(), u128::from(address))),
            None => self.unsupported(at, "too many labels whose address is taken".to_owned()),
        }
    }

    fn label(&mut self, label: LabelId) -> Node {
        if let Some(&node) = self.activations.current().labels.get(&label) {
            return node;
        }
        let node = self.node();
        self.activations.current().labels.insert(label, node);
        node
    }

    fn leave(
        &mut self,
        target: impl Fn(&super::Activation) -> Option<Node>,
        at: Position,
    ) -> Result<(), Error> {
        match target(self.activations.current()) {
            Some(node) => {
                self.cursor.jump(node);
                Ok(())
            }
            None => self.refuse(at, "break or continue outside of a loop"),
        }
    }

    /// A variable comes into being.
    pub(super) fn declare(&mut self, object: ObjectId) -> Result<(), Error> {
        let data = &self.unit[object];
        let Storage::Automatic(init) = &data.storage else { return Ok(()) };
        if self.cursor.here.is_none() {
            return Ok(());
        }
        if let Some(what) = data.declaration_refused {
            return self.refuse(data.at, what);
        }
        if data.refused.is_some() || matches!(data.ty, Type::Other(_) | Type::Void) {
            let entries = init.iter().flat_map(|init| &init.entries);
            return entries.map(|entry| entry.value).try_for_each(|value| self.evaluate(value));
        }
        if !self.memory.is_plain(object) {
            self.renew(object, data.at)?;
            self.note_life(object, true);
            return self.declare_memory(object);
        }
        let var = self.local(object)?;
        if init.as_ref().is_some_and(|init| names_itself(self.unit, init, object)) {
            self.havoc(var, data.ty, Havoc::Uninitialised, data.at)?;
        }
        match init {
            Some(init) => match init.entries.last() {
                Some(entry) => {
                    self.assign_value(var, data.ty, entry.value, data.at)?;
                    // A jump may leave out the initial value.
                    let function = self.activations.current().function;
                    let labels = self.unit[function].body.is_none_or(|body| self.facts.jumps(body));
                    if !labels
                        && self.facts.is_fixed(object)
                        && let Some(value) = self.constant_value(entry.value)?
                    {
                        let value = self.convert(value, self.unit[entry.value].ty, data.ty);
                        self.activations.current().constants.insert(object, value);
                    }
                    Ok(())
                }
                None => {
                    let zero = self.terms.bits(self.terms.width(self.builder.term(var)), 0);
                    self.emit(Command::Assign(var, zero), data.at, Event::Step)
                }
            },
            None => self.havoc(var, data.ty, Havoc::Uninitialised, data.at),
        }
    }

    fn if_statement(&mut self, cond: ExprId, then: StmtId, otherwise: Option<StmtId>) -> Result<(), Error> {
        let (yes, no) = (self.node(), self.node());
        if self.cursor.here.is_some() {
            self.branch(cond, yes, no)?;
        }
        self.cursor.resume(yes);
        self.within_block(|walk| walk.stmt(then))?;
        let Some(otherwise) = otherwise else {
            self.cursor.join(no);
            return Ok(());
        };
        let join = self.node();
        self.cursor.jump(join);
        self.cursor.resume(no);
        self.within_block(|walk| walk.stmt(otherwise))?;
        self.cursor.join(join);
        Ok(())
    }

    /// `while` and `for`. Something may jump into the body, so the head counts as reached even where it is not.
    fn while_loop(&mut self, cond: Option<ExprId>, step: Option<ExprId>, body: StmtId) -> Result<(), Error> {
        let (head, inside, exit) = (self.node(), self.node(), self.node());
        let next = if step.is_some() { self.node() } else { head };
        self.cursor.land(head);
        self.activations.current().loops += 1;
        match cond {
            Some(cond) => self.branch(cond, inside, exit)?,
            None => self.cursor.jump(inside),
        }
        self.cursor.resume(inside);
        self.loop_body(body, exit, next)?;
        self.cursor.join(next);
        if let Some(step) = step {
            self.effect(step)?;
            self.cursor.jump(head);
        } else {
            self.cursor.here = None;
        }
        self.activations.current().loops -= 1;
        self.cursor.resume(exit);
        Ok(())
    }

    fn do_while(&mut self, body: StmtId, cond: ExprId) -> Result<(), Error> {
        let (head, test, exit) = (self.node(), self.node(), self.node());
        self.cursor.land(head);
        self.activations.current().loops += 1;
        self.loop_body(body, exit, test)?;
        self.cursor.join(test);
        if self.cursor.here.is_some() {
            self.branch(cond, head, exit)?;
        }
        self.activations.current().loops -= 1;
        self.cursor.resume(exit);
        Ok(())
    }

    fn loop_body(&mut self, body: StmtId, exit: Node, next: Node) -> Result<(), Error> {
        self.activations.current().breaks.push(exit);
        self.activations.current().continues.push(next);
        self.within_block(|walk| walk.stmt(body))?;
        self.activations.current().breaks.pop();
        self.activations.current().continues.pop();
        Ok(())
    }

    fn switch(
        &mut self,
        cond: ExprId,
        body: StmtId,
        cases: &[CaseId],
        default: Option<Option<ScopeId>>,
        scope: Option<ScopeId>,
        at: Position,
    ) -> Result<(), Error> {
        let (exit, default_node) = (self.node(), self.node());
        for &case in cases {
            let node = self.node();
            self.activations.current().cases.insert(case, node);
        }
        if self.cursor.here.is_some() {
            let int = self.int_type(cond)?;
            let value = self.value(cond)?;
            self.dispatch(value, int, cases, scope, at)?;
            match default {
                Some(default) => self.jump_into(default_node, scope, default, at)?,
                None => self.cursor.jump(exit),
            }
        }
        self.activations.current().breaks.push(exit);
        self.activations.current().defaults.push(default_node);
        self.within_block(|walk| walk.stmt(body))?;
        self.activations.current().breaks.pop();
        self.activations.current().defaults.pop();
        self.cursor.join(exit);
        Ok(())
    }

    /// An edge to each case; what is left goes on to the default.
    fn dispatch(
        &mut self,
        value: Term,
        int: IntType,
        cases: &[CaseId],
        scope: Option<ScopeId>,
        at: Position,
    ) -> Result<(), Error> {
        let mut guards = Vec::with_capacity(cases.len());
        for &case in cases {
            guards.push(self.case_guard(value, int, case));
        }
        for (&case, &guard) in cases.iter().zip(&guards) {
            if self.terms.is_false(guard) {
                continue;
            }
            let Some(&node) = self.activations.current().cases.get(&case) else { continue };
            let case_scope = self.unit[case].scope;
            if self.unit.entered(scope, case_scope).is_empty() {
                self.emit_to(node, Command::Assume(guard), at, Event::Branch(true))?;
            } else {
                let (from, entered) = (self.cursor.here, self.node());
                self.emit_to(entered, Command::Assume(guard), at, Event::Branch(true))?;
                self.cursor.resume(entered);
                self.jump_into(node, scope, case_scope, at)?;
                self.cursor.here = from;
            }
        }
        let any = self.terms.or(&guards);
        let none = self.terms.not(any);
        if self.terms.is_false(none) {
            self.cursor.here = None;
        } else if !self.terms.is_true(none) {
            self.emit(Command::Assume(none), at, Event::Branch(false))?;
        }
        Ok(())
    }

    fn case_guard(&mut self, value: Term, int: IntType, case: CaseId) -> Term {
        let case = self.unit[case];
        let low = self.terms.bits_value(Bits::from_signed(int.bits, case.low));
        if case.low == case.high {
            return self.terms.eq(value, low);
        }
        if case.low > case.high {
            return self.terms.fals();
        }
        let high = self.terms.bits_value(Bits::from_signed(int.bits, case.high));
        let t = &mut *self.terms;
        let (above, below) = if int.signed {
            (t.sle(low, value), t.sle(value, high))
        } else {
            (t.ule(low, value), t.ule(value, high))
        };
        t.and2(above, below)
    }

    fn return_statement(&mut self, value: Option<ExprId>, at: Position) -> Result<(), Error> {
        if self.cursor.here.is_none() {
            return Ok(());
        }
        let Some(exit) = self.activations.current().exit else {
            if let Some(value) = value {
                self.evaluate(value)?;
            }
            self.mark_end(End::Main, at);
            self.cease(Assumption::EndOfMain);
            return Ok(());
        };
        let name = self.unit[self.activations.current().function].name.clone();
        let event = Event::Return(name);
        match (self.activations.current().want.clone(), value) {
            (Want::Struct(to), Some(value)) if is_aggregate(self.unit[value].ty) => {
                let function = self.activations.current().function;
                let from = self.memory.value(value);
                let from_address = self.aggregate(value)?;
                let target = self.memory.thing(Thing::Result(function));
                self.copy(target, to, from, from_address, self.unit[value].ty, at)?;
                self.skip_to(exit, at, event)?;
            }
            (Want::Into(var, types), Some(value)) => {
                // The value is computed as the last thing of the callee: it may go where the caller wants it at once.
                if self.arrives_by_paths(value) {
                    self.assign_through(var, types, value, at)?;
                    self.skip_to(exit, at, event)?;
                } else {
                    let term = self.value(value)?;
                    let term = self.convert_through(term, self.unit[value].ty, &types);
                    self.emit_to(exit, Command::Assign(var, term), at, event)?;
                }
            }
            (Want::Into(var, types), None) => {
                let ty = types.last().copied().unwrap_or(Type::Void);
                self.mark_missing_result(at);
                self.havoc(var, ty, Havoc::Uninitialised, at)?;
                self.skip_to(exit, at, event)?;
            }
            (Want::Nothing | Want::Struct(_), value) => {
                if let Some(value) = value {
                    self.evaluate(value)?;
                }
                self.skip_to(exit, at, event)?;
            }
        }
        self.cursor.here = None;
        Ok(())
    }

    /// Whether a value comes out of a call or of several paths: then it is already where it belongs.
    fn arrives_by_paths(&self, e: ExprId) -> bool {
        match self.unit[e].kind {
            ExprKind::Convert(a) => self.arrives_by_paths(a),
            ExprKind::Call { .. } => true,
            ExprKind::Cond { then, otherwise, .. } => self.facts.edges(then) || self.facts.edges(otherwise),
            ExprKind::Elvis { otherwise: last, .. }
            | ExprKind::LogAnd(_, last)
            | ExprKind::LogOr(_, last) => self.facts.edges(last),
            _ => false,
        }
    }

    /// Inline assembly: what it may write is arbitrary afterwards, and a path through it is marked.
    fn assembly(
        &mut self,
        outputs: &[PlaceId],
        inputs: &[ExprId],
        memory: bool,
        labels: &[LabelId],
        at: Position,
    ) -> Result<(), Error> {
        if self.cursor.here.is_none() {
            return Ok(());
        }
        if !labels.is_empty() {
            return self.refuse(at, "assembly that jumps");
        }
        let cause = Havoc::Approximated("inline assembly".to_owned());
        let mut pointers = Vec::new();
        // All operands are evaluated before anything is written, and one that is read and written only once.
        let mut spots = Vec::new();
        for &output in outputs {
            let spot = match self.spot(output)? {
                Spot::Memory(cell) => Spot::Memory(Cell { address: self.kept(cell.address, at)?, ..cell }),
                variable => variable,
            };
            spots.push(spot);
        }
        for &input in inputs {
            if !matches!(self.unit[input].kind, ExprKind::Load(place) if outputs.contains(&place)) {
                self.evaluate(input)?;
            }
            pointers.extend(self.memory.target(input));
        }
        if memory {
            for region in self.memory.reachable(pointers) {
                let var = self.region_var(region);
                self.emit(Command::Havoc(var, cause.clone()), at, Event::Step)?;
            }
        }
        for (&output, spot) in outputs.iter().zip(spots) {
            let Some(int) = self.scalar(self.unit[output].ty) else {
                return self.refuse(at, "assembly that writes more than a number");
            };
            let any = self.approximate(int, "inline assembly", at)?;
            self.store(spot, any, at)?;
        }
        let mark = self.temporary("asm", Type::Bool, at)?;
        self.havoc(mark, Type::Bool, cause, at)
    }
}
