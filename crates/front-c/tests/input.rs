//! Files: what can be read, and what is said about what cannot.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use support::{options, translate, try_translate};
use tamis_front_c::{DataModel, Diagnostic, Error, Options, load};
use tamis_logic::Terms;
use tamis_testing::Random;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the test");
        Folder(folder)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).expect("a file for the test");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn unreadable(result: Result<tamis_program::Program, Error>) -> Diagnostic {
    match result {
        Err(Error::Unreadable(d)) => d,
        Err(e) => panic!("not unreadable: {e}"),
        Ok(_) => panic!("taken"),
    }
}

fn load_it(path: &Path) -> Result<tamis_program::Program, Error> {
    load(&[path], &Options::default(), &mut Terms::new())
}

#[test]
fn a_missing_file_and_a_folder() {
    let folder = Folder::new("missing");
    assert!(unreadable(load_it(&folder.0.join("no.c"))).message.starts_with("cannot be read"));
    assert_eq!(unreadable(load_it(&folder.0)).message, "is a folder");
}

#[test]
fn garbage() {
    let folder = Folder::new("garbage");
    assert_eq!(unreadable(load_it(&folder.file("zero.i", b"int main\0"))).message, "is not a text file");
    unreadable(load_it(&folder.file("bytes.i", b"\xff\xfe\x80")));
    let mut random = Random::new(1);
    for i in 0..50 {
        let bytes: Vec<u8> = (0..400).map(|_| 31 + random.below(96u8)).collect();
        let d = load_it(&folder.file(&format!("{i}.i"), bytes));
        assert!(matches!(d, Err(Error::Unreadable(_))), "{d:?}");
    }
}

#[test]
fn an_empty_file_has_no_main() {
    let folder = Folder::new("empty");
    for (name, text) in
        [("empty.i", ""), ("other.i", "int f(void) { return 0; }"), ("declared.i", "int main(void);")]
    {
        assert_eq!(unreadable(load_it(&folder.file(name, text))).message, "there is no definition of `main`");
    }
}

#[test]
fn syntax_and_type_errors_are_located() {
    let cases = [
        ("int main(void) {\n  int x = ;\n}\n", 2, 11),
        ("int main(void) {\n  return y;\n}\n", 2, 10),
        ("int main(void) {\n  return 0\n}\n", 2, 11),
        ("int main(void) {\n", 1, 18),
    ];
    for (text, line, column) in cases {
        let Err(Error::Unreadable(d)) = try_translate(text, DataModel::Lp64) else { panic!("taken: {text}") };
        assert_eq!((d.line, d.column), (line, column), "{d}");
    }
}

#[test]
fn errors_follow_line_markers() {
    let text = "# 1 \"user.c\"\nint main(void) {\n# 70 \"user.h\" 1\n  int x = ;\n}\n";
    let Err(Error::Unreadable(d)) = try_translate(text, DataModel::Lp64) else { panic!("taken") };
    assert_eq!((d.file.as_str(), d.line), ("user.h", 70));
    assert_eq!(d.source_line.as_deref(), Some("  int x = ;"));
}

#[test]
fn macros_are_expanded_and_the_user_sees_his_own_line() {
    if !tamis_testing::cc("-m64") {
        return;
    }
    let folder = Folder::new("macros");
    folder.file("header.h", "#define NEVER() __builtin_frame_address(0)\n");
    let path = folder.file("user.c", "#include \"header.h\"\nint main(void) {\n  NEVER();\n}\n");
    let Err(Error::Unsupported(d)) = load_it(&path) else { panic!("taken") };
    assert_eq!(d.line, 3);
    assert_eq!(d.file, path.display().to_string());
    assert_eq!(d.source_line.as_deref(), Some("  NEVER();"));
}

#[test]
fn include_folders_and_macros_come_from_the_options() {
    if !tamis_testing::cc("-m64") {
        return;
    }
    let folder = Folder::new("options");
    fs::create_dir_all(folder.0.join("inc")).unwrap();
    folder.file("inc/there.h", "int there;\n");
    let path = folder.file("user.c", "#include <there.h>\nint main(void) { return there + MORE; }\n");
    assert!(unreadable(load_it(&path)).message.contains("there.h"));
    let options = Options { include: vec![folder.0.join("inc")], ..Options::default() }.define(["MORE=2"]);
    assert!(load(&[&path], &options, &mut Terms::new()).is_ok());
}

#[test]
fn the_preprocessor_s_error_is_located() {
    if !tamis_testing::cc("-m64") {
        return;
    }
    let folder = Folder::new("cpp");
    let path = folder.file("user.c", "int a;\n#error no way\nint main(void) { return 0; }\n");
    let d = unreadable(load_it(&path));
    assert_eq!((d.line, d.message.as_str()), (2, "#error no way"));
    assert_eq!(d.source_line.as_deref(), Some("#error no way"));
}

#[test]
fn system_headers_are_taken_in_both_data_models() {
    if !tamis_testing::cc("-m64") {
        return;
    }
    let folder = Folder::new("headers");
    let text = "#include <assert.h>\n#include <stdlib.h>\n#include <stdio.h>\n#include <string.h>\n\
        #include <stdint.h>\n#include <limits.h>\n#include <math.h>\n#include <pthread.h>\n\
        int main(void) { uint8_t x = rand(); assert(x <= 254);\n if (x > 3) { printf(\"%d\\n\", x); exit(EXIT_FAILURE); }\n return 0; }\n";
    let path = folder.file("headers.c", text);
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let mut terms = Terms::new();
        match load(&[&path], &options(model), &mut terms) {
            Ok(program) => assert_eq!(program.incoming(program.error()).len(), 1),
            // Without the 32-bit headers of this machine, there is nothing to test.
            Err(e) if model == DataModel::Ilp32 && e.to_string().contains("No such file") => {
                tamis_testing::missing("cc-m32", "there are no headers for 32 bits");
            }
            Err(e) => panic!("{e}"),
        }
    }
}

#[test]
fn what_only_the_compiler_takes_is_unsupported() {
    if !tamis_testing::cc("-m64") {
        return;
    }
    let folder = Folder::new("deep");
    let deep = format!("int main(void) {{ return {}1{}; }}\n", "(".repeat(5000), ")".repeat(5000));
    let Err(Error::Unsupported(d)) = load_it(&folder.file("deep.c", deep)) else { panic!("taken") };
    assert!(d.message.contains("nested"), "{d}");
}

#[test]
fn depth_that_is_not_of_brackets_costs_no_more_than_stack() {
    let sum = format!("int main(void) {{ int x = 1; return {}0; }}\n", "x + ".repeat(20_000));
    translate(&sum);
    let conjunction =
        format!("int main(void) {{ int x = 1; if ({}1) return 1; return 0; }}\n", "x && ".repeat(20_000));
    translate(&conjunction);
    let chain =
        format!("int main(void) {{ int x = 1; {} return 0; }}\n", "if (x == 1) x = 2; else ".repeat(5_000));
    translate(&chain);
    let long = format!("int main(void) {{ int x = 1; {} return 0; }}\n", "x = x + 1;\n".repeat(50_000));
    translate(&long);
}

#[test]
fn old_comments_in_another_encoding_do_not_matter() {
    if !tamis_testing::cc("-m64") {
        return;
    }
    let folder = Folder::new("latin");
    let path = folder.file("latin.c", b"/* caf\xe9 */ int main(void) { return 0; }\n");
    assert!(load_it(&path).is_ok());
}
