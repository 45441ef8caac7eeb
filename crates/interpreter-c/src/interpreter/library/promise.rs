//! What the C library promises about its functions, for a run that must be the only one.

use super::super::code::Call;
use super::super::machine::Machine;
use super::super::outcome::Stop;
use super::super::scalar::Kind;
use super::{Answer, Args, plain};
use tamis_front_c::Target;
use tamis_front_c::tree::vocabulary::is_input;
use tamis_front_c::tree::{FunctionId, Type};

/// An allocation of at most so many bytes succeeds.
const SURE: u64 = 1 << 28;

/// What is promised about a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Promise {
    /// All of it.
    Exact,
    /// How it compares with 0.
    Sign,
    /// That it is the address of new memory, if that can be had.
    Memory,
    /// Nothing: writing may fail.
    Output,
}

fn promise(name: &str) -> Option<Promise> {
    Some(match name {
        "malloc" | "calloc" | "realloc" | "strdup" | "__strdup" | "strndup" | "__strndup" => Promise::Memory,
        "memcmp" | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" => Promise::Sign,
        "isalpha" | "isdigit" | "isalnum" | "isspace" | "isupper" | "islower" | "isxdigit" | "ispunct"
        | "isprint" | "isgraph" | "iscntrl" | "isblank" => Promise::Sign,
        "free" | "abort" | "exit" | "_exit" | "_Exit" => Promise::Exact,
        "__assert_fail" | "__assert_perror_fail" | "__assert" | "assert" => Promise::Exact,
        "reach_error" | "__VERIFIER_error" | "__VERIFIER_assert" | "__VERIFIER_assume" => Promise::Exact,
        "memcpy" | "mempcpy" | "__mempcpy" | "memmove" | "bcopy" | "memset" | "bzero" => Promise::Exact,
        "memchr" | "strlen" | "strnlen" | "strcpy" | "stpcpy" | "__stpcpy" | "strncpy" => Promise::Exact,
        "strcat" | "strncat" | "strchr" | "index" | "strrchr" | "rindex" | "strstr" => Promise::Exact,
        "strspn" | "strcspn" | "strpbrk" | "strtok" | "toupper" | "tolower" => Promise::Exact,
        "__ctype_b_loc" | "__ctype_toupper_loc" | "__ctype_tolower_loc" => Promise::Exact,
        "abs" | "labs" | "llabs" | "imaxabs" | "atoi" | "atol" | "atoll" | "strtod" => Promise::Exact,
        "strtol" | "strtoll" | "strtoimax" | "__isoc23_strtol" | "__isoc23_strtoll" => Promise::Exact,
        "strtoul" | "strtoull" | "strtoumax" | "__isoc23_strtoul" | "__isoc23_strtoull" => Promise::Exact,
        "sprintf" | "snprintf" | "vsprintf" | "vsnprintf" => Promise::Exact,
        "printf" | "fprintf" | "vprintf" | "vfprintf" | "puts" | "fputs" => Promise::Output,
        "putchar" | "putc" | "fputc" | "fwrite" | "fflush" => Promise::Output,
        "fabs" | "sqrt" | "floor" | "ceil" | "trunc" | "copysign" | "round" | "rint" => Promise::Exact,
        "fabsf" | "sqrtf" | "floorf" | "ceilf" | "truncf" | "copysignf" | "roundf" | "rintf" => {
            Promise::Exact
        }
        _ => return None,
    })
}

/// Whether compilers know what a function of a name does, whatever a program defines it to be.
pub(in super::super) fn is_builtin(name: &str) -> bool {
    const MATH: [&str; 28] = [
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cbrt",
        "cos",
        "cosh",
        "exp",
        "exp2",
        "expm1",
        "fdim",
        "fma",
        "hypot",
        "ldexp",
        "lgamma",
        "log",
        "log10",
        "log1p",
        "log2",
        "pow",
        "remainder",
        "sin",
        "sinh",
        "tan",
        "tanh",
    ];
    let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
    let vocabulary = ["assert", "reach_error", "__assert", "__assert_fail", "__assert_perror_fail"];
    if vocabulary.contains(&name) || name.starts_with("__VERIFIER_") {
        return false;
    }
    MATH.contains(&name) || MATH.contains(&stem) || super::find(name, false, &Target::Nothing).is_some()
}

/// Whether a function that is declared without a prototype returns what it does in the C library.
fn returns(name: &str, result: Type) -> bool {
    match name {
        "exit" | "_exit" | "_Exit" | "abort" | "free" | "bzero" | "bcopy" => {
            matches!(result, Type::Void) || is_int(result)
        }
        "memcmp" | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "puts" | "fputs" | "abs"
        | "atoi" | "printf" | "fprintf" | "sprintf" | "snprintf" | "putchar" | "toupper" | "tolower" => {
            is_int(result)
        }
        "malloc" | "calloc" | "realloc" | "memcpy" | "memmove" | "memset" | "strcpy" | "strncpy"
        | "strcat" | "strncat" | "strchr" | "strrchr" | "strstr" | "memchr" => result.is_pointer(),
        _ => name.starts_with("is") && is_int(result),
    }
}

fn is_int(ty: Type) -> bool {
    matches!(ty, Type::Int(int) if int.bits == 32 && int.signed)
}

impl Machine<'_> {
    /// Fails before a call about which too little is promised.
    pub(super) fn check_promise(&self, function: FunctionId, args: &Args<'_>, pc: u32) -> Result<(), Stop> {
        if self.determined.is_none() {
            return Ok(());
        }
        let declared = &self.unit[function];
        let name = plain(&declared.name);
        if is_input(name) || self.unit.target().is_call_of(&declared.name) {
            return Ok(());
        }
        let Some(promise) = promise(name) else {
            return Err(self.open("a function about which the C library promises nothing", pc));
        };
        // The compiler knows what arguments these have.
        if declared.prototype.is_none() && !returns(name, declared.result) {
            return Err(self.open("a function of the C library that is declared with another type", pc));
        }
        // Whether nothing has an address is not said.
        let empty = |i: usize| self.size_arg(args, i) == 0;
        let (nothing, size) = match name {
            "malloc" => (empty(0), self.size_arg(args, 0)),
            "calloc" => {
                let size = self.size_arg(args, 0).saturating_mul(self.size_arg(args, 1));
                (empty(0) || empty(1), size)
            }
            "realloc" => (empty(1), self.size_arg(args, 1)),
            _ => (false, 0),
        };
        if promise == Promise::Memory && nothing {
            return Err(self.open("an allocation of nothing", pc));
        }
        if promise == Promise::Memory && size > SURE {
            return Err(self.open("a large allocation", pc));
        }
        Ok(())
    }

    /// Fails if more of an answer is used than is promised.
    pub(super) fn check_answer(
        &self,
        function: FunctionId,
        call: &Call,
        answer: Answer,
        pc: u32,
    ) -> Result<(), Stop> {
        let Answer::Int(value) = answer else { return Ok(()) };
        match promise(plain(&self.unit[function].name)) {
            Some(Promise::Sign) if value != 0 && call.used && !call.tested => {
                Err(self.open("a value of which the C library promises the sign alone", pc))
            }
            Some(Promise::Output) if call.used => Err(self.open("whether output succeeds", pc)),
            Some(Promise::Memory) if value == 0 => Err(self.open("an allocation that fails", pc)),
            _ => match call.result {
                Kind::Int(k) if !k.is_address() && self.memory.bases.contains(value) => {
                    Err(self.open("an address as a number", pc))
                }
                _ => Ok(()),
            },
        }
    }
}
