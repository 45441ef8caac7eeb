//! Built-in functions that a program calls without a declaration.
//!
//! A call of an unknown name declares `int name()`. Of a function that gcc knows by itself, and whose type is not
//! compatible with that, gcc takes the type that it knows, with a warning: `malloc(4)` is a `void *`, `strlen` gives a
//! `size_t`. A declaration in the program, also a wrong one, counts instead.

use crate::options::DataModel;

/// The functions that gcc 12 knows in its GNU dialects, as it declares them.
const BUILT_IN: &str = include_str!("implicit.h");

/// The declarations of the built-in functions that a file has called without one; `None` if there are none.
pub(super) fn declarations(diagnostics: &[rucc_diag::Diagnostic], model: DataModel) -> Option<String> {
    let implicit = |d: &rucc_diag::Diagnostic| {
        let name = d.message.strip_prefix("implicit declaration of function '")?.strip_suffix('\'')?;
        declaration(name)
    };
    let mut declared: Vec<&str> = diagnostics.iter().filter_map(implicit).collect();
    declared.sort_unstable();
    declared.dedup();
    // That type does not exist there.
    declared.retain(|line| model == DataModel::Lp64 || !line.contains("_Float16"));
    (!declared.is_empty()).then(|| for_model(&declared.join("\n"), model))
}

/// The line that declares a function.
fn declaration(name: &str) -> Option<&'static str> {
    BUILT_IN.lines().find(|line| declared_name(line) == Some(name))
}

fn declared_name(line: &str) -> Option<&str> {
    line.split('(').next()?.rsplit([' ', '*']).next()
}

/// The declarations with the types of a data model in the place of gcc's names for them.
fn for_model(text: &str, model: DataModel) -> String {
    let [size, difference, largest] = match model {
        DataModel::Lp64 => ["unsigned long", "long", "long"],
        DataModel::Ilp32 => ["unsigned int", "int", "long long"],
    };
    text.replace("__SIZE_TYPE__", size)
        .replace("__PTRDIFF_TYPE__", difference)
        .replace("__INTMAX_TYPE__", largest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    /// gcc's warnings on the declarations: it says of each that is not its own.
    fn warnings(text: &str, model: &str) -> String {
        let mut gcc = Command::new("gcc")
            .args([model, "-x", "c", "-fsyntax-only", "-Wbuiltin-declaration-mismatch", "-"])
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
        let narrow: String =
            BUILT_IN.lines().filter(|l| !l.contains("_Float16")).map(|l| l.to_owned() + "\n").collect();
        for (text, model, flag) in [(BUILT_IN, DataModel::Lp64, "-m64"), (&narrow, DataModel::Ilp32, "-m32")]
        {
            assert_eq!(warnings(&for_model(text, model), flag), "");
            let wrong = for_model(text, model).replace("void *malloc(", "char *malloc(");
            assert!(warnings(&wrong, flag).contains("malloc"), "gcc tells a wrong one");
        }
    }

    #[test]
    fn each_line_declares_a_function_of_its_own() {
        let names: Vec<_> = BUILT_IN.lines().map(|l| declared_name(l).expect("a name")).collect();
        let mut distinct = names.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(names.len(), distinct.len());
        assert_eq!(declaration("strlen"), Some("__SIZE_TYPE__ strlen(const char *);"));
        assert_eq!(declaration("main"), None);
    }
}
