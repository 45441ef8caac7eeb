//! Inline assembly: templates that are known to do nothing, or one thing, and what others may touch.
//!
//! An empty template is what programs keep the compiler from moving or guessing by. What it leaves in an output is what the
//! input with the same register has, or nobody knows what.

use super::lower::Lower;
use crate::tree::{ExprId, ExprKind, PlaceId, Position, StmtKind, Type, vocabulary};
use rucc_sema::{Asm, Category};

/// What a template does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Idiom {
    /// Nothing that can be seen in one thread.
    Nothing,
    /// The bytes of the first operand change places.
    SwapBytes,
    /// The outputs are what the machine says, by its name.
    Machine(&'static str),
}

/// Instructions that change nothing that one thread can see.
const NOTHING: [&str; 12] = [
    "nop", "pause", "rep nop", "rep; nop", "mfence", "lfence", "sfence", "cld", "emms", "endbr64", "endbr32",
    "wait",
];

/// What the machine answers: counters, and what processor it is.
const MACHINE: [&str; 5] = ["rdtsc", "rdtscp", "cpuid", "rdpmc", "xgetbv"];

fn idiom(template: &str) -> Option<Idiom> {
    let instructions: Vec<String> = template
        .split(['\n', ';'])
        .map(|line| line.split('#').next().unwrap_or_default())
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|line| !line.is_empty() && line != "rep")
        .collect();
    if instructions.iter().all(|line| NOTHING.contains(&line.as_str())) {
        return Some(Idiom::Nothing);
    }
    let [one] = instructions.as_slice() else { return None };
    if ["bswap", "bswapl", "bswapq"].iter().any(|name| {
        one.strip_prefix(name).is_some_and(|operand| ["%0", "%q0", "%k0"].contains(&operand.trim()))
    }) {
        return Some(Idiom::SwapBytes);
    }
    MACHINE.iter().find(|name| *name == one).map(|name| Idiom::Machine(name))
}

impl Lower<'_> {
    /// A template that is known, as a statement without assembly.
    fn idiom(&mut self, asm: Asm, at: Position) -> Option<StmtKind> {
        let tast = self.tast;
        let idiom = idiom(&self.text(asm.template)).filter(|_| tast[asm.labels].is_empty())?;
        let mut outputs: Vec<(PlaceId, String)> = Vec::new();
        for operand in &tast[asm.outputs] {
            outputs.push((self.place(operand.value).ok()?, self.text(operand.constraint)));
        }
        let mut inputs: Vec<(Option<ExprId>, String)> = Vec::new();
        for operand in &tast[asm.inputs] {
            let in_memory = operand.memory && tast[operand.value].category == Category::Lvalue;
            let value = if in_memory {
                let place = self.place(operand.value).ok()?;
                let address = self.address_of(place, at);
                inputs.push((None, String::new()));
                if !self.is_pure(address) {
                    return None;
                }
                continue;
            } else {
                self.expr(operand.value)
            };
            inputs.push((Some(value), self.text(operand.constraint)));
        }
        // Everything is read before anything is written.
        let temporaries: Vec<_> =
            inputs.iter().map(|(value, _)| value.map(|value| self.temporary("(operand)", value))).collect();
        let mut stores = Vec::new();
        for (index, &(place, ref constraint)) in outputs.iter().enumerate() {
            let ty = self.unit[place].ty;
            let value = match idiom {
                Idiom::Nothing if constraint.contains('+') => {
                    // The operand keeps its value, but what finds its place happens.
                    let address = self.address_of(place, at);
                    if !self.is_pure(address) {
                        stores.push(address);
                    }
                    continue;
                }
                Idiom::Nothing | Idiom::SwapBytes if constraint.contains('+') => {
                    let address = self.address_of(place, at);
                    if !self.is_pure(address) {
                        return None;
                    }
                    self.load_place(place, at)
                }
                Idiom::Nothing | Idiom::SwapBytes => {
                    let tied = inputs.iter().position(|(_, input)| is_tied(input, index, constraint));
                    match tied.and_then(|i| temporaries[i]) {
                        Some(temporary) => self.load_object(temporary, at),
                        None => {
                            let bits = ty.int().filter(|_| !ty.is_pointer())?.bits;
                            self.unspecified(&format!("asm{bits}"), ty, at)
                        }
                    }
                }
                Idiom::Machine(name) => {
                    let bits = ty.int().filter(|_| !ty.is_pointer())?.bits;
                    self.any(&format!("{}{name}{bits}", vocabulary::INPUT), ty, at)
                }
            };
            let value = match idiom {
                Idiom::SwapBytes if index == 0 && outputs.len() == 1 => {
                    let from = self.unit[value].ty;
                    if !matches!(from, Type::Int(int) if int.bits == 32 || int.bits == 64) {
                        return None;
                    }
                    self.add_expr(ExprKind::SwapBytes(value), from, at)
                }
                Idiom::SwapBytes => return None,
                _ => value,
            };
            let from = self.unit[value].ty;
            if from != ty && (matches!(from, Type::Record(_)) || matches!(ty, Type::Record(_))) {
                return None;
            }
            stores.push(self.store(place, value, at));
        }
        let temporaries = temporaries.into_iter().flatten().collect();
        let mut body = vec![self.add_stmt(StmtKind::Declare(temporaries), at)];
        for store in stores {
            body.push(self.add_stmt(StmtKind::Expr(store), at));
        }
        Some(StmtKind::Block(body))
    }

    /// What inline assembly may touch.
    pub(super) fn asm(&mut self, asm: Asm, at: Position) -> StmtKind {
        let tast = self.tast;
        if let Some(kind) = self.idiom(asm, at) {
            return kind;
        }
        if let Some(kind) = self.executed(asm, at) {
            return kind;
        }
        let mut memory = tast[asm.clobbers].iter().any(|&c| self.text(c) == "memory");
        let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
        for operand in &tast[asm.outputs] {
            let at = self.position(tast.expr_span(operand.value));
            let place = match self.place(operand.value) {
                Ok(place) => place,
                Err(what) => return StmtKind::Unsupported(what),
            };
            if self.text(operand.constraint).contains('+') {
                inputs.push(self.load_place(place, at));
            }
            outputs.push(place);
        }
        for operand in &tast[asm.inputs] {
            if operand.memory && tast[operand.value].category == Category::Lvalue {
                let at = self.position(tast.expr_span(operand.value));
                match self.place(operand.value) {
                    Ok(place) if matches!(self.unit[place].ty, Type::Array(_) | Type::Void) => {
                        memory = true;
                        inputs.push(self.address_of(place, at));
                    }
                    Ok(place) => inputs.push(self.load_place(place, at)),
                    Err(what) => return StmtKind::Unsupported(what),
                }
            } else {
                inputs.push(self.expr(operand.value));
            }
        }
        let labels = tast[asm.labels].iter().map(|&l| self.label(l)).collect();
        StmtKind::Asm { outputs, inputs, memory, labels }
    }
}

/// Whether an input is in the register of an output.
fn is_tied(input: &str, output: usize, constraint: &str) -> bool {
    let register = |text: &str| text.trim_start_matches(['=', '&', '%']).to_owned();
    let named = |text: &str| matches!(text, "a" | "b" | "c" | "d" | "S" | "D");
    input == output.to_string() || (named(&register(constraint)) && register(input) == register(constraint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates() {
        for nothing in ["", "\n\t", "# barrier", "rep; nop", "pause", "mfence\n\tlfence"] {
            assert_eq!(idiom(nothing), Some(Idiom::Nothing), "{nothing}");
        }
        assert_eq!(idiom("bswapl %0"), Some(Idiom::SwapBytes));
        assert_eq!(idiom("rdtsc"), Some(Idiom::Machine("rdtsc")));
        for other in ["bswap %1", "addl $1, %0", "nop; inc %0", "cpuid; nop"] {
            assert_eq!(idiom(other), None, "{other}");
        }
    }
}
