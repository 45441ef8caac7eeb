//! Functions that gcc knows by itself.
//!
//! A call of an unknown name declares `int name()`. Of a function that gcc knows, and whose type is not compatible with
//! that, gcc takes the type that it knows, with a warning: `malloc(4)` is a `void *`, `strlen` gives a `size_t`. A
//! declaration in the program, also a wrong one, counts instead; what a call by another type does is not defined. In the same
//! way the functions that CBMC knows have its types, without a warning.

use crate::lines::Lines;
use crate::options::DataModel;
use crate::tree::{Function, FunctionId, Type, Unit, vocabulary};
use rustc_hash::FxHashMap;

/// The functions that gcc 12 knows in its GNU dialects, as it declares them.
const DECLARATIONS: &str = include_str!("built_in.h");

/// The functions that CBMC knows and that are known here, as it declares them.
const CPROVER: &str = include_str!("cprover.h");

/// The declaration of a built-in function that a file has called without one, if that is what a diagnostic says.
fn implicitly_declared(diagnostic: &rucc_diag::Diagnostic) -> Option<&'static str> {
    let name = diagnostic.message.strip_prefix("implicit declaration of function '")?.strip_suffix('\'')?;
    let gccs = declaration(DECLARATIONS, name).filter(|line| !is_int_function(line));
    gccs.or_else(|| declaration(CPROVER, name))
}

/// What to say of built-in functions that are called without a declaration.
pub(super) fn warnings(diagnostics: &[rucc_diag::Diagnostic], lines: &Lines) -> Vec<String> {
    let ours = |name: &str| name.starts_with(vocabulary::CPROVER) || name.starts_with("__VERIFIER_");
    let is_gccs = |line: &str| declared_name(line).is_some_and(|name| !ours(name));
    let implicit =
        diagnostics.iter().filter(|d| implicitly_declared(d).is_some_and(is_gccs) && !d.span.is_dummy());
    implicit
        .map(|d| {
            let message = format!("{}; gcc's own type for it is taken", d.message);
            lines.diagnostic(d.span.lo, message).to_string()
        })
        .collect()
}

/// The declarations of the built-in functions that a file has called without one; `None` if there are none.
pub(super) fn implicit(diagnostics: &[rucc_diag::Diagnostic], model: DataModel) -> Option<String> {
    let mut declared: Vec<&str> = diagnostics.iter().filter_map(implicitly_declared).collect();
    declared.sort_unstable();
    declared.dedup();
    (!declared.is_empty()).then(|| for_model(&declared.join("\n"), model))
}

/// Refuses the functions that a program declares with another type than the library has for them, and does not define.
/// Pointers are alike, and so are integers of one width.
pub(crate) fn refuse_mistyped(unit: &mut Unit, model: DataModel) {
    let is_theirs = |f: &Function| f.body.is_none() && f.refused.is_none();
    let known: Vec<(FunctionId, &str)> = unit
        .functions()
        .filter(|&f| is_theirs(&unit[f]))
        .filter_map(|f| Some((f, declaration(DECLARATIONS, &unit[f].name)?)))
        .collect();
    let text: Vec<&str> = known.iter().map(|&(_, line)| line).collect();
    let Ok((theirs, _)) = super::parse("<built-in>", &for_model(&text.join("\n"), model), model) else {
        return;
    };
    let by_name: FxHashMap<&str, &Function> =
        theirs.functions().map(|f| (theirs[f].name.as_str(), &theirs[f])).collect();
    for (function, _) in known {
        let data = &unit.functions[function.index()];
        if by_name.get(data.name.as_str()).is_some_and(|theirs| !is_called_alike(data, theirs)) {
            unit.functions[function.index()].refused =
                Some("library function that is declared with another type");
        }
    }
}

/// Whether a call by one declaration is one by the other: it passes the same bits and takes the same back.
fn is_called_alike(ours: &Function, theirs: &Function) -> bool {
    let alike = |ours: Type, theirs: Type| match (ours.int(), theirs.int()) {
        (Some(ours), Some(theirs)) => ours.bits == theirs.bits,
        _ => ours == theirs,
    };
    // The results of functions without a result, or that do not return, are not looked at.
    let never_returns = matches!(theirs.name.as_str(), "abort" | "exit" | "_exit" | "_Exit");
    let results = ours.result == Type::Void || never_returns || alike(ours.result, theirs.result);
    let parameters = match (&ours.prototype, &theirs.prototype) {
        (Some(ours), Some(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(&a, &b)| alike(a, b))
        }
        _ => true,
    };
    // Without a prototype, what is passed beyond the named parameters is promoted as well.
    let variadic = ours.prototype.is_none() || theirs.prototype.is_none() || ours.variadic == theirs.variadic;
    results && parameters && variadic
}

/// The line that declares a function.
fn declaration(among: &'static str, name: &str) -> Option<&'static str> {
    among.lines().find(|line| declared_name(line) == Some(name))
}

fn declared_name(line: &str) -> Option<&str> {
    line.split('(').next()?.rsplit([' ', '*']).next()
}

/// Whether a declaration is compatible with `int name()`. Reserved names are declared from the start.
fn is_int_function(line: &str) -> bool {
    line.starts_with("int ")
        && !line.starts_with("int __")
        && !line.contains("...")
        && !line.contains("float")
}

/// Declarations with the types of a data model in the place of gcc's names for them. What does not exist there is left
/// out.
fn for_model(text: &str, model: DataModel) -> String {
    let [size, difference, largest] = match model {
        DataModel::Lp64 => ["unsigned long", "long", "long"],
        DataModel::Ilp32 => ["unsigned int", "int", "long long"],
    };
    let exists = |line: &&str| model == DataModel::Lp64 || !line.contains("_Float16");
    let lines: Vec<&str> = text.lines().filter(exists).collect();
    let text = lines.join("\n").replace("__SIZE_TYPE__", size);
    text.replace("__PTRDIFF_TYPE__", difference).replace("__INTMAX_TYPE__", largest) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    /// What gcc says of a text.
    fn gcc(text: &str, model: &str) -> String {
        let mut gcc = Command::new("gcc")
            .args([model, "-x", "c", "-fsyntax-only", "-fno-diagnostics-show-caret", "-"])
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("gcc runs");
        gcc.stdin.take().expect("piped").write_all(text.as_bytes()).expect("gcc reads");
        let output = gcc.wait_with_output().expect("gcc ends");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    #[test]
    fn the_declarations_are_those_of_gcc() {
        for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
            let text = for_model(DECLARATIONS, model);
            assert_eq!(gcc(&text, flag), "");
            let wrong = text.replace("void *malloc(", "int malloc(");
            assert!(gcc(&wrong, flag).contains("malloc"), "gcc tells a wrong one");
        }
    }

    #[test]
    fn gcc_takes_its_own_types_where_they_are_not_compatible_with_int() {
        let names: Vec<_> = DECLARATIONS.lines().map(|l| declared_name(l).expect("a name")).collect();
        let calls: String =
            names.iter().map(|name| format!("void call_{name}(void) {{ {name}(); }}\n")).collect();
        let said = gcc(&calls, "-m64");
        for (name, line) in names.iter().zip(DECLARATIONS.lines()).filter(|(name, _)| !name.starts_with('_'))
        {
            let warning = format!("incompatible implicit declaration of built-in function '{name}'");
            assert_eq!(said.contains(&warning), !is_int_function(line), "{line}");
        }
    }

    #[test]
    fn each_line_declares_a_function_of_its_own() {
        let names: Vec<_> = DECLARATIONS.lines().map(|l| declared_name(l).expect("a name")).collect();
        let mut distinct = names.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(names.len(), distinct.len());
        assert_eq!(declaration(DECLARATIONS, "strlen"), Some("__SIZE_TYPE__ strlen(const char *);"));
        assert_eq!(declaration(DECLARATIONS, "main"), None);
    }
}
