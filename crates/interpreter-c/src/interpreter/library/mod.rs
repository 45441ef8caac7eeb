//! Functions without a body that the interpreter knows.

mod allocate;
mod characters;
mod format;
mod math;
mod numbers;
mod print;
mod promise;
mod questions;
mod string;
mod verifier;

pub(super) use promise::is_builtin;

use super::code::Call;
use super::instr::Reg;
use super::machine::Machine;
use super::outcome::Stop;
use super::scalar::{Format, Int, Kind};
use std::fmt;
use tamis_front_c::Target;
use tamis_front_c::tree::{FunctionId, Type};

/// What a function does.
type Routine = fn(&mut Machine<'_>, &Args<'_>, u32) -> Result<Answer, Stop>;

/// A function that the interpreter knows.
#[derive(Clone, Copy)]
pub(super) struct Library(Routine);

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Library")
    }
}

/// What a function gives back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Answer {
    Nothing,
    Int(u64),
    Wide(u128),
    Float(f64),
}

/// The arguments of a call.
pub(super) struct Args<'a> {
    pub function: FunctionId,
    pub kinds: &'a [Kind],
    pub values: Vec<(u64, u64)>,
    pub result_type: Type,
}

impl Args<'_> {
    /// An argument that is an integer or an address; 0 if it is missing.
    pub fn int(&self, i: usize) -> u64 {
        self.values.get(i).map_or(0, |v| v.0)
    }

    /// Whether an argument is not 0, whatever its type; a missing one is 0.
    pub fn is_true(&self, i: usize) -> bool {
        let value = self.values.get(i).copied().unwrap_or_default();
        match self.kinds.get(i) {
            // The sign of a zero is not looked at, nor what a register holds above 80 bits.
            Some(Kind::Float(Format::Extended)) => value.0 != 0 || value.1 & 0x7fff != 0,
            Some(Kind::Float(from)) => {
                f64::from_bits(super::machine::convert(value, *from, Format::Double).0) != 0.0
            }
            Some(Kind::Int(k)) if k.is_wide() => value != (0, 0),
            _ => value.0 != 0,
        }
    }

    /// An argument that is a floating-point number.
    pub fn float(&self, i: usize) -> f64 {
        let value = self.values.get(i).copied().unwrap_or_default();
        match self.kinds.get(i) {
            Some(Kind::Float(from)) => {
                f64::from_bits(super::machine::convert(value, *from, Format::Double).0)
            }
            Some(Kind::Int(k)) => k.widen(value.0) as i128 as f64,
            _ => 0.0,
        }
    }
}

/// The function of a name, unless the program's own definition counts.
pub(super) fn find(name: &str, defined: bool, target: &Target) -> Option<Library> {
    // These are violations whatever a program defines them to be.
    if target.is_call_of(name) {
        return Some(Library(verifier::error));
    }
    if defined {
        return None;
    }
    if *target != Target::Errors
        && let Some(routine) = verifier::ending(name)
    {
        return Some(Library(routine));
    }
    let plain = plain(name);
    let sources: [fn(&str) -> Option<Routine>; 8] = [
        questions::routine,
        verifier::routine,
        allocate::routine,
        string::routine,
        print::routine,
        numbers::routine,
        characters::routine,
        math::routine,
    ];
    sources.iter().find_map(|source| source(plain)).map(Library)
}

/// The name of a function, without what tells that the compiler knows it.
fn plain(name: &str) -> &str {
    let checked = name.strip_prefix("__builtin___").and_then(|n| n.strip_suffix("_chk"));
    checked.or_else(|| name.strip_prefix("__builtin_")).unwrap_or(name)
}

impl Machine<'_> {
    /// Calls a function of the library.
    #[expect(clippy::too_many_arguments, reason = "the parts of a call instruction")]
    pub(super) fn call_library(
        &mut self,
        library: Library,
        function: FunctionId,
        call: &Call,
        base: usize,
        d: Reg,
        args: Reg,
        pc: u32,
    ) -> Result<(), Stop> {
        let mut at = base + args as usize;
        let mut values = Vec::with_capacity(call.args.len());
        for kind in &call.args {
            values.push(self.register_pair(at));
            at += usize::from(kind.registers());
        }
        let args = Args { function, kinds: &call.args, values, result_type: call.result_type };
        self.check_promise(function, &args, pc)?;
        let answer = library.0(self, &args, pc)?;
        if self.determined.is_some() {
            self.check_answer(function, call, answer, pc)?;
        }
        let value = match (answer, call.result) {
            (Answer::Nothing, _) | (_, Kind::Void) => return Ok(()),
            (Answer::Int(v), Kind::Int(k)) if !k.is_wide() => (k.normal(v), 0),
            (Answer::Int(v), Kind::Int(_)) => (v, if (v as i64) < 0 { u64::MAX } else { 0 }),
            (Answer::Wide(v), Kind::Int(k)) => {
                let v = k.normal_wide(v);
                (v as u64, (v >> 64) as u64)
            }
            (Answer::Wide(v), Kind::Float(_)) => (v as u64, (v >> 64) as u64 & 0xffff),
            (Answer::Float(v), Kind::Float(to)) => {
                super::machine::convert((v.to_bits(), 0), Format::Double, to)
            }
            _ => {
                let name = &self.unit[function].name;
                return Err(self.unsupported(format!("`{name}` with such a result"), pc));
            }
        };
        self.set_register_pair(base + d as usize, value, call.result.registers() == 2);
        Ok(())
    }

    /// The bytes of a string, without its end.
    pub(super) fn string_at(&mut self, address: u64, pc: u32) -> Result<Vec<u8>, Stop> {
        self.string_up_to(address, u64::MAX, pc)
    }

    /// At most `limit` bytes of a string, without its end.
    pub(super) fn string_up_to(&mut self, address: u64, limit: u64, pc: u32) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < limit {
            let byte = self.load(address.wrapping_add(bytes.len() as u64), 1, pc)? as u8;
            if byte == 0 {
                break;
            }
            bytes.push(byte);
        }
        Ok(bytes)
    }

    /// Some bytes.
    pub(super) fn bytes_at(&mut self, address: u64, size: u64, pc: u32) -> Result<Vec<u8>, Stop> {
        self.memory.check(address, size, false).map_err(|fault| self.fault(fault, "read", pc))?;
        (0..size).map(|i| self.load(address + i, 1, pc).map(|b| b as u8)).collect()
    }

    pub(super) fn write_bytes(&mut self, address: u64, bytes: &[u8], pc: u32) -> Result<(), Stop> {
        self.record(address, bytes.len() as u64, true);
        self.memory.write(address, bytes).map_err(|fault| self.fault(fault, "written", pc))
    }

    /// The format of a size.
    pub(super) fn size_format(&self) -> Int {
        Int::new(self.unit.word(), false)
    }

    /// An argument that is a size.
    pub(super) fn size_arg(&self, args: &Args<'_>, i: usize) -> u64 {
        self.size_format().normal(args.int(i))
    }
}

#[cfg(test)]
mod tests {
    use super::find;
    use tamis_front_c::{Target, knows};

    /// The files that name the functions which the interpreter knows.
    const SOURCES: [&str; 9] = [
        include_str!("allocate.rs"),
        include_str!("characters.rs"),
        include_str!("math.rs"),
        include_str!("numbers.rs"),
        include_str!("print.rs"),
        include_str!("questions.rs"),
        include_str!("string.rs"),
        include_str!("verifier.rs"),
        include_str!("promise.rs"),
    ];

    /// What the translation has in other ways: operations on the bits of floating-point numbers, which are none of its functions;
    /// the tables of characters, by what is read from them.
    const OTHERWISE: [&str; 14] = [
        "__ctype_b_loc",
        "__ctype_tolower_loc",
        "__ctype_toupper_loc",
        "__signbit",
        "__signbitf",
        "huge_val",
        "huge_valf",
        "inf",
        "inff",
        "isfinite",
        "isinf_sign",
        "nan",
        "nanf",
        "signbit",
    ];

    /// What is approximated there as a function of which nothing is known.
    const APPROXIMATED: [&str; 7] =
        ["__mempcpy", "getenv", "malloc_usable_size", "posix_memalign", "setbuf", "setvbuf", "vsprintf"];

    /// What is in quotation marks and no more than a name.
    fn names() -> Vec<&'static str> {
        let words = SOURCES.iter().flat_map(|source| source.split('"'));
        let is_name =
            |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let mut names: Vec<&str> = words.filter(is_name).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().filter(|name| find(name, false, &Target::Errors).is_some()).collect()
    }

    #[test]
    fn the_translation_knows_what_the_interpreter_knows() {
        let names = names();
        assert!(names.len() > 100, "{}", names.len());
        let unknown: Vec<&str> = names.into_iter().filter(|name| !knows(name)).collect();
        let mut expected = [&OTHERWISE[..], &APPROXIMATED].concat();
        expected.sort_unstable();
        assert_eq!(unknown, expected);
    }
}
