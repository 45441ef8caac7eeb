//! Calls and variable arguments.

use super::super::code::{Call, Callee as Code};
use super::super::instr::{Instr, Reg};
use super::super::library::is_builtin;
use super::super::scalar::{Format, Kind};
use super::Compiler;
use super::place::{Loc, Where};
use tamis_front_c::tree::{Callee, ExprId, ExprKind};

impl Compiler<'_> {
    /// A call; its result goes to `d` if it is used.
    pub(super) fn call(&mut self, e: ExprId, callee: Callee, args: &[ExprId], d: Reg, used: bool) {
        let unit = self.unit;
        let forked = if self.determined {
            let pointer = if let Callee::Pointer(p, _) = callee { Some(p) } else { None };
            let facts: Vec<_> = pointer.iter().chain(args).map(|&operand| self.facts(operand)).collect();
            self.fork(&facts)
        } else {
            self.fork(&[])
        };
        let (first, target, noreturn) = match callee {
            Callee::Function(f) => {
                let function = &unit[f];
                if let Some(why) = function.refused {
                    self.unsupported(format!("a call of `{}`: {why}", function.name));
                }
                if self.determined && function.body.is_some() && is_builtin(&function.name) {
                    self.open("a function of the C library that the program defines");
                }
                let target = match super::super::library::find(
                    &function.name,
                    function.body.is_some(),
                    self.unit.target(),
                ) {
                    Some(library) => Code::Library(library, f),
                    None => Code::Function(f),
                };
                (d, target, function.noreturn)
            }
            Callee::Pointer(pointer, _) => {
                self.value(pointer, d);
                self.side(forked);
                (d + 1, Code::Unknown, false)
            }
        };
        let mut next = first;
        let mut kinds = Vec::with_capacity(args.len());
        for (i, &arg) in args.iter().enumerate() {
            self.value(arg, next);
            let kind = self.kind_of(arg);
            if let Kind::Record { size, align } = kind {
                // Later arguments must not change what was evaluated.
                if args[i + 1..].iter().any(|&a| !self.is_simple(a)) || self.is_forked(forked) {
                    self.copy_to_temporary(size, align, next);
                }
            }
            kinds.push(kind);
            next += kind.registers();
            self.side(forked);
        }
        self.join(forked);
        let result_type = unit[e].ty;
        let result = self.kind(result_type);
        let result_slot = match result {
            Kind::Record { size, align } => self.temporary(size, align),
            _ => 0,
        };
        let tested = self.tested.contains(&e);
        self.code.calls.push(Call {
            callee: target,
            args: kinds,
            result,
            result_type,
            result_slot,
            used,
            tested,
        });
        let call = self.code.calls.len() as u32 - 1;
        self.take(next, 4);
        match target {
            Code::Unknown => self.emit(Instr::CallPointer { d, p: d, args: first, call }),
            _ => self.emit(Instr::Call { d, args: first, call }),
        };
        if noreturn {
            self.emit(Instr::Unreachable);
        }
        if let Kind::Record { .. } = result {
            self.unpad(result_type, false, d);
        }
    }

    /// Whether an expression changes nothing and its evaluation can wait.
    fn is_simple(&self, e: ExprId) -> bool {
        match &self.unit[e].kind {
            ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::Load(_) | ExprKind::AddressOf(_) => true,
            ExprKind::FunctionAddress(_) => true,
            ExprKind::Convert(a) => matches!(self.unit[*a].kind, ExprKind::Const(_) | ExprKind::Load(_)),
            _ => false,
        }
    }

    /// Copies the record whose address is in `d` to a place of its own, whose address is then in `d`.
    pub(super) fn copy_to_temporary(&mut self, size: u32, align: u32, d: Reg) {
        let off = self.temporary(size, align);
        self.emit(Instr::LocalAddress { d: d + 1, off });
        self.emit(Instr::Copy { p: d + 1, a: d, size });
        self.emit(Instr::Move { d, a: d + 1 });
    }

    /// `va_arg`.
    pub(super) fn va_arg(&mut self, e: ExprId, list: ExprId, d: Reg) {
        self.value(list, d);
        let kind = self.kind_of(e);
        let (size, align) = kind.argument_layout(u64::from(self.unit.word() / 8));
        self.emit(Instr::VaNext { d, p: d, size: size as u32, align: align as u16 });
        if self.determined {
            self.code.kinds.push(kind);
            let kind = self.code.kinds.len() as u32 - 1;
            self.emit(Instr::Taken { p: d, kind });
        }
        let place = Where { loc: Loc::At(d), bits: None, private: false };
        match kind {
            // The list may have no next argument: whoever reads the copy is told so here.
            Kind::Record { size, align } => self.copy_to_temporary(size, align, d),
            Kind::Float(Format::Single) => self.unsupported("va_arg of float, which no argument is"),
            _ => self.load(place, kind, d),
        }
    }
}
