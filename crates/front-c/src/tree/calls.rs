//! Calls of functions whose parameters are not known where the call stands.
//!
//! A call without a prototype in scope passes promoted arguments as they are (C11 6.5.2.2p6). Once all declarations and
//! units are together, the definition may be known: where the arguments fit its parameters they are converted as the
//! standard allows, and where they do not, the call has no defined meaning and is not taken.

use super::{Callee, Expr, ExprId, ExprKind, FloatType, Type, Unit};

impl Unit {
    /// Brings every call of a named function in line with what is known of the function.
    pub(crate) fn settle_calls(&mut self) {
        for index in 0..self.exprs.len() {
            let ExprKind::Call { callee: Callee::Function(function), args } = &self.exprs[index].kind else {
                continue;
            };
            let function = &self[*function];
            let defined = || function.params.iter().map(|&p| self[p].ty).collect::<Vec<_>>();
            let params = match (&function.prototype, function.body) {
                (Some(params), _) => params.clone(),
                (None, Some(_)) if function.params.len() == args.len() => defined(),
                (None, _) => continue,
            };
            let counted =
                if function.variadic { args.len() >= params.len() } else { args.len() == params.len() };
            if counted && args.iter().zip(&params).all(|(&a, &p)| self[a].ty == p) {
                continue;
            }
            if function.refused.is_some() {
                continue;
            }
            let fit = counted
                && args
                    .iter()
                    .zip(&params)
                    .all(|(&a, &p)| fits(self[a].ty, p) || matches!(self[a].kind, ExprKind::Unsupported(_)));
            let args = args.clone();
            if fit {
                self.convert_arguments(index, args, &params);
            } else {
                let what = "call with other arguments than the function takes".to_owned();
                self.exprs[index].kind = ExprKind::Unsupported(what);
            }
        }
    }

    fn convert_arguments(&mut self, call: usize, mut args: Vec<ExprId>, params: &[Type]) {
        for (arg, &param) in args.iter_mut().zip(params) {
            let Expr { ty, at, .. } = self[*arg];
            if ty != param {
                self.exprs.push(Expr { kind: ExprKind::Convert(*arg), ty: param, at });
                *arg = ExprId(self.exprs.len() as u32 - 1);
            }
        }
        if let ExprKind::Call { args: own, .. } = &mut self.exprs[call].kind {
            *own = args;
        }
    }
}

/// Whether an argument that was promoted, or is a pointer to something else, arrives as the parameter.
fn fits(arg: Type, param: Type) -> bool {
    match (arg, param) {
        (arg, param) if arg == param => true,
        (Type::Pointer { .. }, Type::Pointer { .. }) => true,
        // A parameter that is narrower than `int` is passed as an `int`.
        (Type::Int(arg), Type::Int(param)) => arg.bits == param.bits || (arg.bits == 32 && param.bits < 32),
        (Type::Int(arg), Type::Bool) => arg.bits == 32,
        (Type::Float(FloatType::Double), Type::Float(FloatType::Single)) => true,
        _ => false,
    }
}
