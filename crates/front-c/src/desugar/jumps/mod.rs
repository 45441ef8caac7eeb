//! `setjmp` and `longjmp` as returns.
//!
//! `setjmp` writes a number into its buffer, one for each place where it is called. `longjmp` keeps the number that its buffer
//! holds and returns, and so does whoever called the function that did, until a function is reached that has called
//! `setjmp` with this number: there control goes to that call, which has the value that `longjmp` was given. Cleanups are not
//! run on the way, as C has it. What is left is plain C, so both readings of the tree are of one meaning.
//!
//! A jump that finds nobody, because the activation is over or the buffer was never filled, is undefined; it is an access
//! through null here. A variable that may have been changed after `setjmp` and is not volatile holds anything
//! after the jump (C11 7.13.2.1p3). What an address was given to that compilers do not follow (`setjmp` itself, an undefined
//! function, a global) they have to keep in memory, where it has its last value; a function of the program may be expanded, and
//! its store be one that nobody reads.
//!
//! Not taken, and refused where it stands: `setjmp` within an expression other than those of C11 7.13.1.1p4 and an assignment, in a
//! recursive function, and a jump out of a function that the C library may call.

mod rewrite;
mod survey;

use crate::translate::facts::operands;
use crate::tree::{Callee, ExprId, ExprKind, FunctionId, Type, Unit};
use rewrite::Rewrite;
use rustc_hash::FxHashSet;
use survey::Survey;

/// Functions that may return a second time.
const SAVES: [&str; 5] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp"];

/// Functions that go back there.
const JUMPS: [&str; 5] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "__builtin_longjmp"];

/// What an expression is to jumps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Save,
    Jump,
    /// A call that may come back by a jump.
    Passes,
}

/// A program without jumps between functions, where they are taken; otherwise the same program.
pub(crate) fn made_returns(unit: Unit) -> Unit {
    let Some(roles) = Roles::of(&unit) else { return unit };
    let mut surveys = Vec::new();
    for function in unit.functions() {
        let Some(body) = unit[function].body else { continue };
        match Survey::of(&unit, &roles, function, body) {
            Some(survey) => surveys.push((function, survey)),
            None => return unit,
        }
    }
    let mut rewrite = Rewrite::new(unit, &roles);
    for (function, survey) in surveys {
        rewrite.function(function, survey);
    }
    rewrite.finished(&roles)
}

/// Which functions jump.
struct Roles {
    saves: FxHashSet<FunctionId>,
    jumps: FxHashSet<FunctionId>,
    /// The defined functions that may end by a jump.
    passing: FxHashSet<FunctionId>,
    /// Whether one of them may be called through a pointer.
    by_pointer: bool,
    /// The functions that may be called again before they have returned.
    recursive: FxHashSet<FunctionId>,
    /// The functions that write nothing but variables of their own.
    silent: FxHashSet<FunctionId>,
}

impl Roles {
    /// The roles in a program that calls `setjmp`, and in which all that jumps is seen.
    fn of(unit: &Unit) -> Option<Roles> {
        let named = |names: &[&str]| -> FxHashSet<FunctionId> {
            unit.functions()
                .filter(|&f| unit[f].body.is_none() && names.contains(&unit[f].name.as_str()))
                .collect()
        };
        let (saves, jumps) = (named(&SAVES), named(&JUMPS));
        let called = |e: ExprId| match unit[e].kind {
            ExprKind::Call { callee: Callee::Function(f), .. } => Some(f),
            _ => None,
        };
        if !unit.exprs().any(|e| called(e).is_some_and(|f| saves.contains(&f))) {
            return None;
        }
        let taken: FxHashSet<FunctionId> = unit
            .exprs()
            .filter_map(|e| match unit[e].kind {
                ExprKind::FunctionAddress(f) => Some(f),
                _ => None,
            })
            .collect();
        if taken.iter().any(|f| saves.contains(f) || jumps.contains(f)) {
            return None;
        }
        let calls = survey::calls(unit);
        let mut passing: FxHashSet<FunctionId> = FxHashSet::default();
        loop {
            let by_pointer = passing.iter().any(|f| taken.contains(f));
            let may = |f: &FunctionId| jumps.contains(f) || passing.contains(f);
            let more: Vec<FunctionId> = calls
                .iter()
                .filter(|(f, called)| {
                    !passing.contains(f)
                        && (called.functions.iter().any(may) || by_pointer && called.through_pointers)
                })
                .map(|(&f, _)| f)
                .collect();
            if more.is_empty() {
                break;
            }
            passing.extend(more);
        }
        let by_pointer = passing.iter().any(|f| taken.contains(f));
        // A function of the library that calls back is not left by a jump here.
        let hands_over = |e: ExprId| match &unit[e].kind {
            ExprKind::Call { callee: Callee::Function(f), args } if unit[*f].body.is_none() => {
                args.iter().any(|&arg| matches!(unit.pointee(unit[arg].ty), Some(Type::Function(_))))
            }
            _ => false,
        };
        if by_pointer && unit.exprs().any(hands_over) {
            return None;
        }
        let recursive = survey::recursive(unit, &calls, &taken);
        let silent = survey::silent(&calls);
        Some(Roles { saves, jumps, passing, by_pointer, recursive, silent })
    }

    /// Whether C leaves open if something happens before a jump out of an expression, as in `f() + x++`. Two operands that may
    /// jump are in conflict as any others.
    fn cross(&self, unit: &Unit, e: ExprId) -> bool {
        let kind = &unit[e].kind;
        let unordered = matches!(
            kind,
            ExprKind::Arith(..)
                | ExprKind::Compare(..)
                | ExprKind::PointerAdd { .. }
                | ExprKind::PointerDiff { .. }
                | ExprKind::Overflow { .. }
                | ExprKind::Assign { .. }
                | ExprKind::Call { .. }
        );
        let parts = if unordered { operands(unit, kind) } else { Vec::new() };
        if parts.len() < 2 {
            return false;
        }
        let jumps: Vec<bool> =
            parts.iter().map(|&part| survey::any(unit, part, |e| self.role(unit, e).is_some())).collect();
        let writes = |e: ExprId| match unit[e].kind {
            ExprKind::Assign { .. }
            | ExprKind::Step { .. }
            | ExprKind::Overflow { .. }
            | ExprKind::VaArg(_) => true,
            ExprKind::Call { callee: Callee::Function(f), .. } => !self.silent.contains(&f),
            ExprKind::Call { .. } => true,
            _ => false,
        };
        jumps.contains(&true)
            && parts.iter().zip(&jumps).any(|(&part, jumps)| !jumps && survey::any(unit, part, writes))
    }

    fn role(&self, unit: &Unit, e: ExprId) -> Option<Role> {
        match unit[e].kind {
            ExprKind::Call { callee: Callee::Function(f), .. } if self.saves.contains(&f) => Some(Role::Save),
            ExprKind::Call { callee: Callee::Function(f), .. } if self.jumps.contains(&f) => Some(Role::Jump),
            ExprKind::Call { callee: Callee::Function(f), .. } => {
                self.passing.contains(&f).then_some(Role::Passes)
            }
            ExprKind::Call { callee: Callee::Pointer(..), .. } => self.by_pointer.then_some(Role::Passes),
            _ => None,
        }
    }
}
