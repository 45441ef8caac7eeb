//! Calls: expanded at each call site, with variables of their own.

use super::library::known;
use super::{Activation, Translator, Want};
use crate::error::Error;
use crate::tree::{ExprId, FunctionId, Position, Type};
use tamis_program::{Command, Event, Havoc, Var};

impl Translator<'_> {
    /// A call, whose value goes where `want` says.
    pub(super) fn call(
        &mut self,
        function: FunctionId,
        args: &[ExprId],
        at: Position,
        want: Want,
    ) -> Result<(), Error> {
        if self.here.is_none() {
            return Ok(());
        }
        if let Some(what) = self.unit[function].refused {
            return self.refuse(at, &format!("call of {what}"));
        }
        if let Some(known) = known(self.unit, function) {
            return self.known_call(known, function, args, at, want);
        }
        self.check_order(args, at)?;
        if self.unit[function].body.is_some() {
            self.expand(function, args, at, want)
        } else {
            self.external(function, args, at, want)
        }
    }

    /// A call of a function that is defined elsewhere: it may change what it can name, and return anything. What it
    /// may do beyond that, such as call back, is left out. It may as well not return, so a path through the call is
    /// always marked.
    fn external(
        &mut self,
        function: FunctionId,
        args: &[ExprId],
        at: Position,
        want: Want,
    ) -> Result<(), Error> {
        let data = &self.unit[function];
        for &arg in args {
            self.plain_argument(arg)?;
        }
        if data.noreturn {
            self.here = None;
            return Ok(());
        }
        let cause = Havoc::Approximated(format!("call of undefined function {}", data.name));
        for object in self.shared.clone() {
            let var = self.local(object)?;
            self.havoc(var, self.unit[object].ty, cause.clone(), at)?;
        }
        if let (Type::Other(what), Want::Into(..)) = (data.result, &want) {
            return self.refuse(at, what);
        }
        if self.shared.is_empty() && (data.result == Type::Void || matches!(want, Want::Nothing)) {
            let mark = self.temporary(&data.name, Type::Bool, at)?;
            return self.havoc(mark, Type::Bool, cause, at);
        }
        self.arbitrary_result(function, cause, at, want, false)
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
        if let Some(start) = self.activations.iter().position(|a| a.function == function) {
            let cycle = self.activations[start..].iter().map(|a| unit[a.function].name.as_str());
            let cycle: Vec<&str> = cycle.chain([data.name.as_str()]).collect();
            return self
                .unsupported(at, format!("recursion is not supported yet: {}", cycle.join(" calls ")));
        }
        let fits =
            if data.variadic { args.len() >= data.params.len() } else { args.len() == data.params.len() };
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
        let source = self.source(at);
        let caller = self.frame();
        let frame = self.builder.frame(&data.name, Some((caller, source)));
        let exit = self.node();
        let mut callee = Activation::new(function, frame, Some(exit), want);
        let mut passed: Vec<(Var, tamis_logic::Term)> = Vec::new();
        for (i, &arg) in args.iter().enumerate() {
            let Some(param) =
                data.params.get(i).map(|&p| (p, &unit[p])).filter(|(_, p)| p.ty.int().is_some())
            else {
                self.evaluate(arg)?;
                continue;
            };
            let from = self.int_type(arg)?;
            let to = param.1.ty;
            if !agrees(from.bits, to) {
                let message = format!("`{}` is called with an argument of another width", data.name);
                return self.unsupported(self.at(arg), message);
            }
            let value = self.value(arg)?;
            let value = self.convert(value, unit[arg].ty, to);
            if let Some(int) = to.int() {
                let var = self.builder.variable(self.terms, &param.1.name, int, Some(frame));
                callee.locals.insert(param.0, var);
                passed.push((var, value));
            }
        }
        let start = self.graph.node(frame);
        let call = Event::Call(data.name.clone());
        match passed.pop() {
            None => self.skip_to(start, at, call)?,
            Some((last, value)) => {
                for (var, value) in passed {
                    self.emit(Command::Assign(var, value), at, Event::Step)?;
                }
                self.emit_to(start, Command::Assign(last, value), at, call)?;
            }
        }
        self.resume(start);
        self.activations.push(callee);
        if let Some(body) = data.body {
            self.stmt(body)?;
        }
        self.fall_off(function)?;
        self.activations.pop();
        self.resume(exit);
        if data.noreturn && self.here.is_some() {
            return self.refuse(at, "return from a function that is declared not to return");
        }
        Ok(())
    }

    /// The end of a body without `return`.
    fn fall_off(&mut self, function: FunctionId) -> Result<(), Error> {
        let at = self.unit[function].at;
        let (Some(exit), want) = (self.activation().exit, self.activation().want.clone()) else {
            return Ok(());
        };
        let event = Event::Return(self.unit[function].name.clone());
        if let Want::Into(var, types) = want {
            let ty = types.last().copied().unwrap_or(Type::Void);
            self.havoc(var, ty, Havoc::Uninitialised, at)?;
        }
        self.skip_to(exit, at, event)?;
        self.here = None;
        Ok(())
    }
}

/// Whether an argument of that width may be passed for a parameter of that type: without a prototype it is passed as
/// it was promoted.
fn agrees(bits: u32, to: Type) -> bool {
    to.int().is_some_and(|to| to.bits == bits || (to.bits < 32 && bits == 32))
}
