//! Conditions as jumps.

use super::super::instr::{Instr, Reg};
use super::super::scalar::Kind;
use super::Compiler;
use tamis_front_c::tree::{CompareOp, ExprId, ExprKind};

/// Which outcomes satisfy a comparison: bit 0 less, 1 equal, 2 greater, 3 unordered.
pub(super) fn compare_mask(op: CompareOp) -> u8 {
    match op {
        CompareOp::Lt => 0b0001,
        CompareOp::Le => 0b0011,
        CompareOp::Gt => 0b0100,
        CompareOp::Ge => 0b0110,
        CompareOp::Eq => 0b0010,
        CompareOp::Ne => 0b1101,
    }
}

impl Compiler<'_> {
    /// Code that jumps if the truth of a condition is `sense`, and goes on otherwise. Gives the jumps to patch.
    pub(super) fn jump_if(&mut self, e: ExprId, d: Reg, sense: bool) -> Vec<usize> {
        let mut jumps = Vec::new();
        self.nested(self.unit[e].at, d, |c| jumps = c.jump_if_inner(e, d, sense));
        jumps
    }

    fn jump_if_inner(&mut self, e: ExprId, d: Reg, sense: bool) -> Vec<usize> {
        match self.unit[e].kind {
            ExprKind::Not(a) => self.jump_if(a, d, !sense),
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                let or = matches!(self.unit[e].kind, ExprKind::LogOr(..));
                if or == sense {
                    // Either operand alone decides for the jump.
                    let mut jumps = self.jump_if(a, d, sense);
                    jumps.extend(self.jump_if(b, d, sense));
                    jumps
                } else {
                    let past = self.jump_if(a, d, !sense);
                    let jumps = self.jump_if(b, d, sense);
                    self.patch_all(past);
                    jumps
                }
            }
            _ => {
                self.only_sign_of(e);
                self.value(e, d);
                match self.kind_of(e) {
                    Kind::Int(k) if !k.is_wide() => self.test_address(k, d),
                    kind => self.truth(kind, d),
                }
                let jump =
                    if sense { Instr::JumpIf { a: d, to: 0 } } else { Instr::JumpIfNot { a: d, to: 0 } };
                vec![self.emit(jump)]
            }
        }
    }

    /// Only how an integer compares with 0 matters: if it comes from a call, that has to promise no more.
    pub(super) fn only_sign_of(&mut self, mut e: ExprId) {
        let unit = self.unit;
        let bits = |e: ExprId| unit[e].ty.int().filter(|int| int.signed).map(|int| int.bits);
        while let ExprKind::Convert(inner) = unit[e].kind
            && bits(e).is_some()
            && bits(inner) <= bits(e)
        {
            e = inner;
        }
        if matches!(unit[e].kind, ExprKind::Call { .. }) {
            self.tested.insert(e);
        }
    }

    /// Lets a jump go to the next instruction.
    pub(super) fn patch(&mut self, jump: usize) {
        let here = self.here();
        self.patch_to(jump, here);
    }

    pub(super) fn patch_all(&mut self, jumps: Vec<usize>) {
        for jump in jumps {
            self.patch(jump);
        }
    }

    pub(super) fn patch_to(&mut self, jump: usize, target: u32) {
        match &mut self.code.instrs[jump] {
            Instr::Jump { to } | Instr::JumpIf { to, .. } | Instr::JumpIfNot { to, .. } => *to = target,
            other => unreachable!("{other:?} is no jump"),
        }
    }
}
