//! Calls: expanded at each call site, with variables of their own.

use super::assumption::Assumption;
use super::labels::labels_in;
use super::library::{is_local, is_undefined, known, refused};
use super::place::Spot;
use super::{Activation, Translator, Want};
use crate::memory::{Callees, Thing, is_aggregate, library};
use crate::tree::{Callee, ExprId, ExprKind, FunctionId, LabelId, ObjectId, Position, Type};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event, Havoc, Undefined};

impl Translator<'_> {
    /// A call, whose value goes where `want` says.
    pub(super) fn call(&mut self, call: ExprId, want: Want) -> Result<(), Error> {
        if self.cursor.here.is_none() {
            return Ok(());
        }
        let unit = self.unit;
        let ExprKind::Call { callee, ref args } = unit[call].kind else {
            return self.refuse(self.at(call), "this call");
        };
        match callee {
            Callee::Function(function) => self.call_of(call, function, args, want),
            Callee::Pointer(pointer, _) => self.call_through(call, pointer, args, want),
        }
    }

    /// A call of a function that is known.
    fn call_of(
        &mut self,
        call: ExprId,
        function: FunctionId,
        args: &[ExprId],
        want: Want,
    ) -> Result<(), Error> {
        let at = self.at(call);
        if let Some(what) = self.unit[function].refused {
            return self.refuse(at, &format!("call of {what}"));
        }
        if let Some(what) = refused(self.unit, function) {
            return self.refuse(at, &what);
        }
        if let Some(known) = known(self.unit, function) {
            return self.known_call(known, function, args, at, want);
        }
        if let Some(library) = library(self.unit, function) {
            return self.library_call(library, call, at, want);
        }
        self.check_order(args, at)?;
        if self.unit[function].body.is_some() {
            self.expand(function, args, at, want)
        } else {
            self.external(call, function, args, at, want)
        }
    }

    /// A call through a pointer: a case for each function that it may point to. Any other address is no function, and
    /// the execution ends; where the pointer may come from outside, it may be any function.
    fn call_through(
        &mut self,
        call: ExprId,
        pointer: ExprId,
        args: &[ExprId],
        want: Want,
    ) -> Result<(), Error> {
        let at = self.at(call);
        let Callees { functions, others, mistyped } = self.memory.callees(call);
        let mut parts = vec![pointer];
        parts.extend(args);
        self.check_order(&parts, at)?;
        let target = self.value(pointer)?;
        let target = if self.terms.is_constant(target) { target } else { self.kept(target, at)? };
        let null = self.terms.bits(self.unit.word(), 0);
        let null = self.terms.eq(target, null);
        if !self.follows_memory() {
            self.mark(Undefined::NullAccess, null, at);
        }
        let join = self.node();
        // The arguments are translated for each function, with labels of their own.
        let labels = labels_in(self.unit, args);
        for function in functions {
            self.activations.current().labels.retain(|label, _| !labels.contains(label));
            let address = self.function_address(function);
            let is_it = self.terms.eq(target, address);
            let (yes, no) = (self.node(), self.node());
            self.fork(is_it, yes, no, at, Event::Step, Event::Step)?;
            self.cursor.resume(yes);
            if self.cursor.here.is_some() {
                // The value of the call is in one place, whichever function gives it.
                let own = match want {
                    Want::Struct(_) => {
                        let thing = Thing::Result(function);
                        let size = self.unit.size_of(self.unit[function].result).unwrap_or(1);
                        let Some(base) = self.addresses.place(thing, size, 16) else {
                            let message = "the program's objects do not fit into memory".to_owned();
                            return self.unsupported(at, message);
                        };
                        Want::Struct(self.terms.bits(self.unit.word(), u128::from(base)))
                    }
                    _ => want.clone(),
                };
                self.call_of(call, function, args, own.clone())?;
                if let (Want::Struct(from), Want::Struct(to)) = (&own, &want)
                    && self.cursor.here.is_some()
                {
                    let source = self.memory.thing(Thing::Result(function));
                    let value = self.memory.thing(Thing::Value(call));
                    self.copy(value, *to, source, *from, self.unit[call].ty, at)?;
                }
                self.cursor.jump(join);
            }
            self.cursor.resume(no);
        }
        for function in mistyped {
            let address = self.function_address(function);
            let is_it = self.terms.eq(target, address);
            let (yes, no) = (self.node(), self.node());
            self.fork(is_it, yes, no, at, Event::Step, Event::Step)?;
            self.cursor.resume(yes);
            if self.cursor.here.is_some() {
                self.evaluate_again(args, &labels)?;
                self.mistyped(call, function, &want, at)?;
                self.cursor.jump(join);
            }
            self.cursor.resume(no);
        }
        // Whatever is called, its arguments are evaluated before.
        if others || args.iter().any(|&arg| self.facts.writes(arg)) {
            self.evaluate_again(args, &labels)?;
        }
        if others && self.cursor.here.is_some() {
            let some = self.terms.not(null);
            self.assume(some, Assumption::NoFunction, at)?;
            let cause = Havoc::Approximated("call of an unknown function".to_owned());
            self.call_back(call, "an unknown function", at)?;
            self.mark_handed(args, at)?;
            self.havoc_shared(&cause, at)?;
            self.arbitrary_call(call, &cause, &want, at)?;
            self.cursor.jump(join);
        }
        if self.follows_memory() && self.cursor.here.is_some() {
            let always = self.terms.tru();
            self.mark(Undefined::OutOfBounds, always, at);
            self.skip(at)?;
        }
        self.cease(Assumption::NoFunction);
        self.cursor.resume(join);
        Ok(())
    }

    /// A call of a function by another type than it has: it may do all that its calls may do, with any arguments.
    fn mistyped(
        &mut self,
        call: ExprId,
        function: FunctionId,
        want: &Want,
        at: Position,
    ) -> Result<(), Error> {
        if let Some(what) = refused(self.unit, function) {
            return self.refuse(at, &what);
        }
        let reason = format!("call of {} through a pointer of another type", self.unit[function].name);
        if is_undefined(self.unit, function) {
            self.call_back(call, &self.unit[function].name, at)?;
        }
        self.approximate_call(function, reason.clone(), &[], at, Want::Nothing)?;
        if self.cursor.here.is_none() {
            return Ok(());
        }
        self.mark_doubt(Undefined::OutOfBounds, at);
        self.arbitrary_call(call, &Havoc::Approximated(reason), want, at)
    }

    /// Makes arbitrary what the arguments of a call lead to, and its result.
    fn arbitrary_call(
        &mut self,
        call: ExprId,
        cause: &Havoc,
        want: &Want,
        at: Position,
    ) -> Result<(), Error> {
        self.havoc_reachable(call, cause, at)?;
        let mark = self.temporary("call", Type::Bool, at)?;
        self.havoc(mark, Type::Bool, cause.clone(), at)?;
        match want {
            Want::Nothing => Ok(()),
            Want::Into(var, types) => {
                self.havoc(*var, types.last().copied().unwrap_or(Type::Void), cause.clone(), at)
            }
            Want::Struct(_) => {
                let value = self.memory.thing(Thing::Value(call));
                for region in self.memory.node_regions(value) {
                    let var = self.region_var(region);
                    self.emit(Command::Havoc(var, cause.clone()), at, Event::Step)?;
                }
                Ok(())
            }
        }
    }

    /// Evaluates arguments for another case of a call, with labels of their own.
    fn evaluate_again(&mut self, args: &[ExprId], labels: &[LabelId]) -> Result<(), Error> {
        self.activations.current().labels.retain(|label, _| !labels.contains(label));
        args.iter().try_for_each(|&arg| self.evaluate(arg))
    }

    /// Makes arbitrary what other translation units can name.
    fn havoc_shared(&mut self, cause: &Havoc, at: Position) -> Result<bool, Error> {
        let shared = self.variables.shared.clone();
        self.havoc_objects(&shared, cause, at)?;
        Ok(!shared.is_empty())
    }

    /// Makes variables arbitrary, and what can be reached from them.
    pub(super) fn havoc_objects(
        &mut self,
        objects: &[ObjectId],
        cause: &Havoc,
        at: Position,
    ) -> Result<(), Error> {
        for &object in objects {
            if self.memory.is_plain(object) {
                let var = self.local(object)?;
                self.havoc(var, self.unit[object].ty, cause.clone(), at)?;
            }
            for region in self.memory.reached_from(object) {
                let var = self.region_var(region);
                self.emit(Command::Havoc(var, cause.clone()), at, Event::Step)?;
            }
        }
        Ok(())
    }

    /// A call of a function that is defined elsewhere: it may change what it can name or reach, and return anything.
    /// It may call the functions that it is handed, and is taken to call no others of the program. It may as well not
    /// return, so a path through the call is always marked.
    fn external(
        &mut self,
        call: ExprId,
        function: FunctionId,
        args: &[ExprId],
        at: Position,
        want: Want,
    ) -> Result<(), Error> {
        let data = &self.unit[function];
        for &arg in args {
            self.evaluate(arg)?;
        }
        self.call_back(call, &data.name, at)?;
        self.mark_handed(args, at)?;
        if data.noreturn {
            self.cease(Assumption::Noreturn);
            return Ok(());
        }
        let cause = Havoc::Approximated(format!("call of undefined function {}", data.name));
        let marked = if is_local(&data.name) {
            self.disturb_errno(&cause, at)?;
            false
        } else {
            self.havoc_shared(&cause, at)?
        };
        let marked = self.havoc_reachable(call, &cause, at)? | marked;
        if let (Type::Other(what), Want::Into(..)) = (data.result, &want) {
            return self.refuse(at, what);
        }
        if !marked && (data.result == Type::Void || !matches!(want, Want::Into(..))) {
            let mark = self.temporary(&data.name, Type::Bool, at)?;
            return self.havoc(mark, Type::Bool, cause, at);
        }
        self.arbitrary_result(function, cause, at, want, false)
    }

    /// What a function that nobody knows does with the memory that it is handed is not known.
    fn mark_handed(&mut self, args: &[ExprId], at: Position) -> Result<(), Error> {
        if !self.follows_memory() || !args.iter().any(|&arg| self.memory.points(arg)) {
            return Ok(());
        }
        self.mark_doubt(Undefined::OutOfBounds, at);
        self.mark_doubt(Undefined::InvalidFree, at);
        self.skip(at)
    }

    /// An undefined function calls the functions that it is handed, any number of times, with any arguments.
    fn call_back(&mut self, call: ExprId, caller: &str, at: Position) -> Result<(), Error> {
        let unit = self.unit;
        let functions = self.effects.touches.callbacks.get(&call).cloned().unwrap_or_default();
        for function in functions.into_iter().filter(|&f| !is_undefined(unit, f)) {
            if self.cursor.here.is_none() {
                break;
            }
            if let Some(what) = unit[function].refused {
                return self.refuse(at, &format!("call of {what}"));
            }
            let reason = format!("call of {} by {caller}", unit[function].name);
            self.may_call(function, reason, at)?;
        }
        Ok(())
    }

    fn expand(
        &mut self,
        function: FunctionId,
        args: &[ExprId],
        at: Position,
        want: Want,
    ) -> Result<(), Error> {
        let unit = self.unit;
        let data = &unit[function];
        let constants: Vec<_> = args.iter().map(|&arg| self.constant_value(arg)).collect::<Result<_, _>>()?;
        if let Some(reason) = self.not_expanded(function, &constants) {
            return self.approximate_call(function, reason, args, at, want);
        }
        // A function that is defined without a prototype does not look at further arguments.
        let more = data.variadic || data.prototype.is_none();
        let fits = if more { args.len() >= data.params.len() } else { args.len() == data.params.len() };
        if !fits {
            let message = format!(
                "`{}` has {} parameters and is called with {} arguments",
                data.name,
                data.params.len(),
                args.len()
            );
            return self.unsupported(at, message);
        }
        if let Some(what) = data.params.iter().find_map(|&p| unit[p].declaration_refused) {
            return self.refuse(data.at, what);
        }
        let source = self.positions.source(at);
        let caller = self.activations.frame();
        let frame = self.builder.frame(&data.name, Some((caller, source)));
        let exit = self.node();
        let mut callee = Activation::new(function, frame, Some(exit), want);
        callee.args = constants;
        let mut passed: Vec<(Spot, Term)> = Vec::new();
        for (i, &arg) in args.iter().enumerate() {
            let Some((param, to)) = data.params.get(i).map(|&p| (p, unit[p].ty)) else {
                self.evaluate(arg)?;
                continue;
            };
            if is_aggregate(to) {
                let size = unit.size_of(to).unwrap_or(1);
                let pointer = self.memory.thing(Thing::Object(param));
                let base = self.place_param(param, size, &mut callee, at)?;
                let from = self.memory.value(arg);
                let from_address = self.aggregate(arg)?;
                self.copy(pointer, base, from, from_address, to, at)?;
                continue;
            }
            let Some(int) = self.scalar(to) else {
                self.evaluate(arg)?;
                continue;
            };
            let from = self.int_type(arg)?;
            if !agrees(from.bits, int.bits) || self.is_float(arg) != matches!(to, Type::Float(_)) {
                let message = format!("`{}` is called with an argument of another width", data.name);
                return self.unsupported(self.at(arg), message);
            }
            let value = self.value(arg)?;
            let mut value = self.convert(value, unit[arg].ty, to);
            for &later in &args[i + 1..] {
                value = self.steady(value, later, at)?;
            }
            if self.memory.is_plain(param) {
                let var = self.builder.variable(self.terms, &unit[param].name, int, Some(frame));
                callee.locals.insert(param, var);
                if self.terms.is_constant(value) && self.facts.is_fixed(param) {
                    callee.constants.insert(param, value);
                }
                passed.push((Spot::Variable(var), value));
            } else {
                let base = self.place_param(param, u64::from(int.bits.div_ceil(8)), &mut callee, at)?;
                let pointer = self.memory.thing(Thing::Object(param));
                if let Some(cell) = self.cell_at(pointer, base, 0, to, None) {
                    passed.push((Spot::Memory(cell), value));
                }
            }
        }
        let start = self.cursor.graph.node(frame);
        let call = Event::Call(data.name.clone());
        // Arguments that read memory are read before parameters in memory are written.
        if passed.iter().any(|(spot, _)| matches!(spot, Spot::Memory(_))) {
            for (_, value) in &mut passed {
                if self.reads_memory(*value) {
                    *value = self.kept(*value, at)?;
                }
            }
        }
        match passed.pop() {
            Some((Spot::Variable(last), value)) => {
                for (spot, value) in passed {
                    self.store(spot, value, at)?;
                }
                self.emit_to(start, Command::Assign(last, value), at, call)?;
            }
            last => {
                for (spot, value) in passed.into_iter().chain(last) {
                    self.store(spot, value, at)?;
                }
                self.skip_to(start, at, call)?;
            }
        }
        self.cursor.resume(start);
        self.activations.push(callee);
        self.scopes_change();
        for &param in data.params.iter().filter(|&&param| !self.memory.is_plain(param)).collect::<Vec<_>>() {
            self.renew(param, at)?;
        }
        if let Some(body) = data.body {
            self.stmt(body)?;
        }
        self.fall_off(function)?;
        let areas = std::mem::take(&mut self.activations.current().areas);
        self.activations.pop();
        self.scopes_change();
        self.cursor.resume(exit);
        self.leave_areas(&areas, at)?;
        if data.noreturn && self.cursor.here.is_some() {
            return self.refuse(at, "return from a function that is declared not to return");
        }
        Ok(())
    }

    /// Gives a parameter in memory its place in the called activation.
    fn place_param(
        &mut self,
        param: ObjectId,
        size: u64,
        callee: &mut Activation,
        at: Position,
    ) -> Result<Term, Error> {
        let thing = Thing::Object(param);
        let Some(base) = self.addresses.place(thing, size, 16) else {
            return self.unsupported(at, "the program's objects do not fit into memory".to_owned());
        };
        callee.bases.insert(thing, base);
        Ok(self.terms.bits(self.unit.word(), u128::from(base)))
    }

    /// The end of a body without `return`.
    fn fall_off(&mut self, function: FunctionId) -> Result<(), Error> {
        let at = self.unit[function].at;
        let (Some(exit), want) = (self.activations.current().exit, self.activations.current().want.clone())
        else {
            return Ok(());
        };
        let event = Event::Return(self.unit[function].name.clone());
        if let Want::Into(var, types) = want {
            let ty = types.last().copied().unwrap_or(Type::Void);
            self.mark_missing_result(at);
            self.havoc(var, ty, Havoc::Uninitialised, at)?;
        }
        self.skip_to(exit, at, event)?;
        self.cursor.here = None;
        Ok(())
    }
}

/// Whether an argument of that width may be passed for a parameter of that width: without a prototype it is passed as
/// it was promoted.
fn agrees(bits: u32, to: u32) -> bool {
    to == bits || (to < 32 && bits == 32)
}
