//! Several translation units as one program.

use std::fs;
use std::path::PathBuf;
use tamis_front_c::tree::{ExprKind, LinkError, Storage, Unit, link};
use tamis_front_c::{DataModel, Error, Macro, Options, parse, read};

fn unit(name: &str, text: &str) -> Unit {
    parse(name, text, &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn together(texts: &[&str]) -> Result<Unit, Box<LinkError>> {
    let units = texts.iter().enumerate().map(|(i, text)| unit(&format!("{i}.i"), text)).collect();
    let linked = link(units);
    if let Ok(linked) = &linked {
        assert_eq!(linked.check(), Ok(()));
    }
    linked
}

fn linked(texts: &[&str]) -> Unit {
    together(texts).unwrap_or_else(|e| panic!("{e}"))
}

fn refused(texts: &[&str]) -> LinkError {
    *together(texts).expect_err("they do not go together")
}

#[test]
fn external_names_are_one_thing() {
    let program = linked(&[
        "extern int x; int f(int); int main(void) { return f(x); }",
        "int x = 3; int f(int a) { return a + x; }",
    ]);
    let named = |name: &str| program.objects().filter(|&o| program[o].name == name).collect::<Vec<_>>();
    assert_eq!(named("x").len(), 1);
    assert!(matches!(program[named("x")[0]].storage, Storage::Static(Some(_))));
    assert_eq!(
        program.functions().filter(|&f| program[f].name == "f" && program[f].body.is_some()).count(),
        1
    );
    assert_eq!(program.functions().count(), 2);
    let main = program.main().expect("there is one");
    assert_eq!(program.files()[program[main].at.file as usize], "0.i");
    let f = program.functions().find(|&f| program[f].name == "f").expect("there is one");
    assert_eq!(program.files()[program[f].at.file as usize], "1.i");
}

#[test]
fn static_names_are_kept_apart() {
    let program = linked(&[
        "static int x = 1; static int f(void) { return x; } int g(void); int main(void) { return f() + g(); }",
        "static int x = 2; static int f(void) { return x; } int g(void) { return f(); }",
        "static long x; struct f { int y; } f;",
    ]);
    assert_eq!(program.objects().filter(|&o| program[o].name == "x").count(), 3);
    assert_eq!(program.functions().filter(|&f| program[f].name == "f").count(), 2);
}

#[test]
fn inline_definitions_do_not_clash() {
    let text = "inline int twice(int x) { return 2 * x; }";
    let program = linked(&[
        &format!("{text} int main(void) {{ return twice(1); }}"),
        &format!("{text} extern inline int twice(int);"),
    ]);
    assert!(program.functions().all(|f| program[f].body.is_some()));
}

#[test]
fn tentative_definitions_are_merged() {
    let program = linked(&[
        "int x; extern int a[]; int main(void) { return x; }",
        "int x = 5; int a[4]; int x;",
        "int x;",
    ]);
    let object = program.objects().find(|&o| program[o].name == "x").expect("there is one");
    let init = program[object].init().expect("it has a value");
    assert_eq!(program[init.entries[0].value].kind, ExprKind::Const(5));
}

#[test]
fn two_definitions_are_refused_where_the_second_is() {
    let e = refused(&["int x = 1;\nint main(void) { return 0; }", "\n  int x = 2;"]);
    assert_eq!((e.file.as_str(), e.at.line, e.at.column), ("1.i", 2, 7));
    assert!(e.message.contains("`x` is defined twice: at 0.i:1:5"), "{}", e.message);
    let e = refused(&["int main(void) { return 0; }", "int main(void) { return 1; }"]);
    assert_eq!((e.file.as_str(), e.at.line), ("1.i", 1));
    assert!(e.message.contains("`main`"), "{}", e.message);
}

#[test]
fn other_types_are_refused() {
    for (a, b) in [
        ("extern int x; int main(void) { return x; }", "long x = 1;"),
        ("int f(int); int main(void) { return f(1); }", "int f(char *p) { return *p; }"),
        ("extern int f; int main(void) { return f; }", "int f(void) { return 0; }"),
        ("int f(void); int main(void) { return f(); }", "int f;"),
        ("struct s { int a; }; extern struct s x; int main(void) { return x.a; }", "struct s { long a; } x;"),
        ("extern int a[3]; int main(void) { return a[0]; }", "int a[4];"),
    ] {
        let e = refused(&[a, b]);
        assert_eq!(e.file, "1.i", "{a} {b}");
        assert!(e.at.line == 1 && e.at.column > 0);
    }
}

#[test]
fn types_are_matched_by_their_structure() {
    let list = "struct list { int value; struct list *next; struct tree *up; };";
    let tree = "struct tree { struct list *items; struct tree *left, *right; union { int i; float f; } u; };";
    let program = linked(&[
        &format!(
            "{list} {tree} extern struct tree root; int sum(struct list *); int main(void) {{ return sum(root.items); }}"
        ),
        &format!(
            "{tree} {list} struct tree root; int sum(struct list *l) {{ return l ? l->value + sum(l->next) : 0; }}"
        ),
        "struct tree; struct tree *other(struct tree *t) { return t; } struct list { char quite, different; } *mine;",
        &format!("struct opaque; extern struct opaque *o; {list} struct tree {{ char c; }} here;"),
        "struct opaque { int x; }; struct opaque *o;",
    ]);
    assert!(program.functions().all(|f| program[f].refused.is_none()));
}

/// A call that sees no prototype passes what it has; the definition decides what that means.
#[test]
fn calls_without_a_prototype_meet_the_definition() {
    let taken = linked(&[
        "int f(); int main(void) { char c = 1; return f(c, 2.5f, (void *)0) + g(1u); } int g();",
        "int f(char c, double d, int *p) { return c + !p; } int g(x) int x; { return x; }",
    ]);
    assert!(!taken.exprs().any(|e| matches!(taken[e].kind, ExprKind::Unsupported(_))));
    for (a, b) in [
        ("int f(); int main(void) { return f(1.0); }", "int f(int x) { return x; }"),
        ("int f(); int main(void) { return f(1, 2); }", "int f(int x) { return x; }"),
        ("int f(); int main(void) { return f(1L); }", "int f(int x) { return x; }"),
    ] {
        let program = linked(&[a, b]);
        assert!(program.exprs().any(|e| matches!(program[e].kind, ExprKind::Unsupported(_))), "{a} {b}");
    }
}

#[test]
fn files_and_databases() {
    if !tamis_testing::cc("-m64") {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("linking-{}", std::process::id()));
    fs::create_dir_all(folder.join("inc")).expect("a folder for the test");
    let file = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("a file for the test");
        folder.join(name)
    };
    file("inc/api.h", "int answer(void);\n");
    file("before.h", "#define TEN 10\n");
    let a = file("a.c", "#include \"api.h\"\nint main(void) { return answer(); }\n");
    let b = file("b.c", "#include <api.h>\nint answer(void) { return TEN + MORE + sizeof(long); }\n");
    let options = Options {
        include: vec![folder.join("inc")],
        macros: vec![Macro::Define("MORE=2".into()), Macro::Undefine("OTHER".into())],
        before: vec![folder.join("before.h")],
        ..Options::default()
    };
    let unit = read(&[&a, &b], &options).unwrap_or_else(|e| panic!("{e}"));
    assert!(unit.functions().all(|f| unit[f].body.is_some()));
    let database = format!(
        r#"[{{"directory": {0:?}, "file": "a.c", "command": "cc -m32 -Iinc -c a.c"}},
            {{"directory": {0:?}, "file": "b.c", "arguments": ["cc", "-m32", "-I", "inc", "-include", "before.h", "-DMORE=1", "-c", "b.c"]}}]"#,
        folder.display().to_string()
    );
    let database = file("compile_commands.json", &database);
    let unit = read(&[&database], &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(unit.word(), 32);
    let e = read(&[&a, &b, &a], &options).expect_err("main is there twice");
    assert_eq!((e.diagnostic().line, e.diagnostic().column), (2, 5));
    assert_eq!(e.diagnostic().source_line.as_deref(), Some("int main(void) { return answer(); }"));
    let mixed = [file("m.i", "int main(void) { return 0; }")];
    assert!(read(&mixed, &Options { data_model: DataModel::Ilp32, ..Options::default() }).is_ok());
    assert!(matches!(read(&[] as &[PathBuf], &Options::default()), Err(Error::Unreadable(_))));
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn weak_definitions_give_way() {
    let weak = "__attribute__((weak)) int f(void) { return 1; } __attribute__((weak)) int v = 1;
        __attribute__((weak)) int t;";
    let strong = "int f(void) { return 2; } int v = 2; int t;";
    let user = "int f(void); extern int v, t; int main(void) { return f() + v + t; }";
    let file = |program: &Unit, name: &str| {
        let function = program.functions().find(|&f| program[f].name == name).map(|f| program[f].at.file);
        let object = program.objects().find(|&o| program[o].name == name).map(|o| program[o].at.file);
        function.or(object).expect("it is defined")
    };
    for (texts, definition) in [
        ([user, weak, strong], 2),
        ([user, strong, weak], 1),
        // Of two weak ones the linker takes the first.
        ([user, weak, weak], 1),
    ] {
        let program = linked(&texts);
        for name in ["f", "v", "t"] {
            assert_eq!(file(&program, name), definition, "{name}");
        }
    }
    assert!(refused(&[weak, strong, strong]).message.contains("is defined twice"));
}
