//! A C file that gives a program the inputs of a violation.

use super::memory;
use super::{ASSUMPTION, MEMORY, MISSING, OUT_OF_INPUTS, VIOLATION};
use crate::interpreter::{Undefined, Value, is_known};
use crate::reproduce::account::Account;
use rustc_hash::FxHashSet;
use std::fmt::{self, Write};
use tamis_front_c::Target;
use tamis_front_c::tree::vocabulary::{ASSERTIONS, ASSUMPTIONS, IDLE, is_input};
use tamis_front_c::tree::{
    Callee, ERROR_LABEL_REACHED, ExprKind, FloatType, Function, FunctionId, Object, Position, Storage, Type,
    Unit,
};

/// Why there is no harness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoHarness {
    /// The violation is a label, which another file cannot see.
    Label,
    /// An input has a type that the harness cannot write.
    Input(String),
}

impl fmt::Display for NoHarness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoHarness::Label => write!(f, "a label is the violation, which another file cannot see"),
            NoHarness::Input(function) => write!(f, "`{function}` gives what the harness cannot write"),
        }
    }
}

/// The bytes of a variable whose size is not known.
const UNKNOWN_SIZE: u64 = 1 << 16;

/// A test harness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Harness {
    /// The C file.
    pub text: String,
    /// What the compiler is to be told.
    pub options: Vec<String>,
}

/// Writes a test harness for an execution that violates the property: a C file of its own that, compiled together with the
/// program, makes that execution. The violation is undefined behaviour of one of the `wanted` kinds, if there are any.
///
/// Its functions are weak: what the program defines itself counts. With `-finstrument-functions` the harness also sees
/// the calls of an error function that the program defines.
pub fn harness(unit: &Unit, account: &Account, wanted: &[Undefined]) -> Result<Harness, NoHarness> {
    let used = used_functions(unit);
    let functions = |wanted: &dyn Fn(&Function) -> bool| -> Vec<&Function> {
        unit.functions().filter(|f| used.contains(f)).map(|f| &unit[f]).filter(|f| wanted(f)).collect()
    };
    if !functions(&|f| f.name == ERROR_LABEL_REACHED).is_empty() && wanted.is_empty() {
        return Err(NoHarness::Label);
    }
    let mut text = String::new();
    let mut options = vec!["-finstrument-functions".to_owned()];
    if unit.word() == 32 {
        options.push("-m32".to_owned());
    }
    options.extend(super::compile::sanitizers(wanted).into_iter().map(str::to_owned));
    let uses_addresses =
        account.given().iter().any(|(_, value)| matches!(value, Value::Address(a) if *a != 0));
    if memory::matters(account, uses_addresses) {
        let is_used = |name: &str| !functions(&|f| f.name == name && f.body.is_none()).is_empty();
        options.extend(memory::write(&mut text, account, &is_used));
    }
    for function in functions(&|f| f.body.is_none() && is_input(&f.name)) {
        input(&mut text, function, account)?;
    }
    let mut errors = functions(&|f| unit.target().is_call_of(&f.name));
    errors.dedup_by(|a, b| a.name == b.name);
    for function in &errors {
        let name = &function.name;
        let _ = write!(text, "\nHARNESS void {name}(void)\n{{\n    violation(\"{name}\");\n}}\n");
    }
    watch(&mut text, &errors);
    for function in functions(&|f| f.body.is_none() && !unit.target().is_call_of(&f.name)) {
        if let Some(definition) = vocabulary(&function.name, unit.target()) {
            let _ = write!(text, "\n{definition}");
        } else if !function.name.starts_with("__builtin_")
            && !is_input(&function.name)
            && !is_known(unit, function)
            && !of_the_system(unit, function.at)
        {
            let name = &function.name;
            let _ = write!(text, "\nHARNESS void {name}(void)\n{{\n    missing(\"{name}\");\n}}\n");
        }
    }
    for object in unit.objects().map(|o| &unit[o]).filter(|o| matches!(o.storage, Storage::Elsewhere)) {
        storage(&mut text, unit, object);
    }
    if wanted.iter().any(|&kind| super::is_of_memory(kind)) {
        let _ = write!(
            text,
            "\n// What the address sanitizer does.\nHARNESS const char *__asan_default_options(void)\n{{\n    return \
             \"detect_leaks=0:detect_stack_use_after_return=1:symbolize=0:exitcode={MEMORY}\";\n}}\n"
        );
    }
    let text = preamble(wanted, &options, account.arguments()) + &text;
    Ok(Harness { text, options })
}

/// The functions that are called or whose address is taken.
fn used_functions(unit: &Unit) -> FxHashSet<FunctionId> {
    let used = |kind: &ExprKind| match kind {
        ExprKind::FunctionAddress(function) => Some(*function),
        ExprKind::Call { callee: Callee::Function(function), .. } => Some(*function),
        _ => None,
    };
    unit.exprs().filter_map(|e| used(&unit[e].kind)).collect()
}

fn preamble(wanted: &[Undefined], options: &[String], arguments: usize) -> String {
    let options = options.join(" ");
    let arguments = " \"\"".repeat(arguments);
    let shows = match wanted.first() {
        None => format!("ends with the status {VIOLATION} and says so"),
        Some(kind) => format!("is stopped at the {kind}"),
    };
    format!(
        "// A test harness: compiled together with the program, it makes an execution that violates the property.
//
//     cc {options} PROGRAM.c HARNESS.c -o test && ./test{arguments}
//
// {shows}.

#define HARNESS __attribute__((weak, no_instrument_function))

extern void _exit(int) __attribute__((noreturn));
extern long write(int, const void *, __SIZE_TYPE__);

__attribute__((noreturn, no_instrument_function)) static void end(int status, const char *what, const char *name)
{{
    write(2, what, __builtin_strlen(what));
    write(2, name, __builtin_strlen(name));
    write(2, \"\\n\", 1);
    _exit(status);
}}

#define violation(name) end({VIOLATION}, \"the violation is reached: \", name)
#define assumption(name) end({ASSUMPTION}, \"an assumption does not hold: \", name)
#define no_more_inputs(name) end({OUT_OF_INPUTS}, \"there are no more inputs: \", name)
#define missing(name) end({MISSING}, \"this function has no body: \", name)
"
    )
}

/// A function that gives its inputs one by one.
fn input(text: &mut String, function: &Function, account: &Account) -> Result<(), NoHarness> {
    let name = &function.name;
    let Some(ty) = type_name(function.result) else { return Err(NoHarness::Input(name.clone())) };
    let given: Vec<Value> = account.given().iter().filter(|(f, _)| f == name).map(|(_, v)| *v).collect();
    let _ = write!(text, "\nHARNESS {ty} {name}(void)\n{{\n");
    if !given.is_empty() && function.result != Type::Void {
        let values: Vec<String> = given.iter().map(|value| constant(*value)).collect();
        let count = values.len();
        let constant = if function.result.is_pointer() { "" } else { "const " };
        let _ = writeln!(text, "    static {constant}{ty} values[] = {{{}}};", wrapped(&values));
        let _ = writeln!(
            text,
            "    static unsigned next;\n    if (next < {count})\n        return values[next++];"
        );
    }
    let _ = writeln!(text, "    no_more_inputs(\"{name}\");\n}}");
    Ok(())
}

/// Values, some on a line.
fn wrapped(values: &[String]) -> String {
    const LINE: usize = 100;
    let (mut text, mut length) = (String::new(), LINE);
    for (i, value) in values.iter().enumerate() {
        let last = i + 1 == values.len();
        if values.len() > 8 && length + value.len() + 2 > LINE {
            text.push_str("\n        ");
            length = 0;
        } else if i > 0 {
            text.push(' ');
        }
        text.push_str(value);
        if !last {
            text.push(',');
        }
        length += value.len() + 2;
    }
    text
}

/// A value as a constant of C.
fn constant(value: Value) -> String {
    match value {
        Value::Int(i) if i == i128::from(i64::MIN) => format!("{}LL - 1", i + 1),
        Value::Int(i) if i64::try_from(i).is_ok() && i32::try_from(i).is_err() => format!("{i}LL"),
        Value::Int(i) if i64::try_from(i).is_err() => wide(i as u128),
        Value::Unsigned(u) if u64::try_from(u).is_err() => wide(u),
        Value::Unsigned(u) if u > u128::from(u32::MAX) => format!("{u}ULL"),
        Value::Unsigned(u) => format!("{u}U"),
        Value::Float(f) if f.is_nan() => "__builtin_nan(\"\")".to_owned(),
        Value::Float(f) if f.is_infinite() => {
            format!("{}__builtin_inf()", if f < 0.0 { "-" } else { "" })
        }
        Value::Float(f) => format!("{f:?}"),
        Value::Address(address) => format!("(void *){address:#x}"),
        Value::Int(i) => i.to_string(),
    }
}

fn wide(bits: u128) -> String {
    format!("(unsigned __int128){}ULL << 64 | {}ULL", (bits >> 64) as u64, bits as u64)
}

/// The name of a scalar type.
fn type_name(ty: Type) -> Option<String> {
    Some(match ty {
        Type::Void => "void".to_owned(),
        Type::Bool => "_Bool".to_owned(),
        Type::Int(int) => {
            let name = match int.bits {
                8 => "char",
                16 => "short",
                32 => "int",
                64 => "long long",
                128 => "__int128",
                _ => return None,
            };
            format!("{} {name}", if int.signed { "signed" } else { "unsigned" })
        }
        Type::Float(FloatType::Single) => "float".to_owned(),
        Type::Float(FloatType::Double) => "double".to_owned(),
        Type::Float(FloatType::Extended) => "long double".to_owned(),
        Type::Pointer { .. } => "void *".to_owned(),
        _ => return None,
    })
}

/// Sees calls of error functions that the program defines, if it is compiled for that.
fn watch(text: &mut String, errors: &[&Function]) {
    if errors.is_empty() {
        return;
    }
    text.push_str(
        "\nHARNESS void __cyg_profile_func_enter(void *function, void *caller)\n{\n    (void)caller;\n",
    );
    for error in errors {
        let name = &error.name;
        let _ = writeln!(text, "    if (function == (void *){name})\n        violation(\"{name}\");");
    }
    text.push_str("}\n\nHARNESS void __cyg_profile_func_exit(void *function, void *caller)\n{\n");
    text.push_str("    (void)function;\n    (void)caller;\n}\n");
}

/// The functions of verification tasks and of `assert`, where the program has no definition of them.
fn vocabulary(name: &str, target: &Target) -> Option<String> {
    let errors = *target == Target::Errors;
    Some(match name {
        _ if ASSUMPTIONS.contains(&name) => format!(
            "HARNESS void {name}(int holds)\n{{\n    if (!holds)\n        assumption(\"{name}\");\n}}\n"
        ),
        _ if IDLE.contains(&name) => format!("HARNESS void {name}(void)\n{{\n}}\n"),
        _ if ASSERTIONS.contains(&name) && errors => {
            format!(
                "HARNESS void {name}(int holds)\n{{\n    if (!holds)\n        violation(\"{name}\");\n}}\n"
            )
        }
        _ if ASSERTIONS.contains(&name) => {
            format!("HARNESS void {name}(int holds)\n{{\n    if (!holds)\n        __builtin_abort();\n}}\n")
        }
        "__assert_fail" | "__assert_perror_fail" | "__assert" if errors => {
            format!("HARNESS void {name}(const char *text)\n{{\n    violation(text);\n}}\n")
        }
        "reach_error" | "__VERIFIER_error" => {
            format!("HARNESS void {name}(void)\n{{\n    __builtin_abort();\n}}\n")
        }
        _ => return None,
    })
}

/// Whether something is declared in a header of the system, which then has it.
fn of_the_system(unit: &Unit, at: Position) -> bool {
    unit.files().get(at.file as usize).is_some_and(|file| file.starts_with("/usr/"))
}

/// A variable that is defined nowhere.
fn storage(text: &mut String, unit: &Unit, object: &Object) {
    if of_the_system(unit, object.at) || !object.external || object.name.starts_with('(') {
        return;
    }
    let (name, size) = (&object.name, object.size.unwrap_or(UNKNOWN_SIZE));
    let _ = write!(text, "\n__attribute__((weak, aligned(16))) char {name}[{size}];\n");
}
