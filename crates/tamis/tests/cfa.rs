//! Snapshots of `tamis cfa`: a small program for each feature of the language, in a folder of `tests/cfa/`.
//!
//! `expected.txt` is what is printed of the program as it was translated, simplified, and summarised. With
//! `TAMIS_UPDATE_SNAPSHOTS=1` the files are written anew; read the difference before you commit it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn cfa(folder: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
    command.current_dir(folder).args(["cfa", "main.c"]).args(options);
    command.output().expect("tamis runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cfa");
    let entries = std::fs::read_dir(root).expect("the folder");
    let mut folders: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    folders.sort();
    folders
}

fn snapshot(folder: &Path) -> String {
    let mut text = String::new();
    for options in [&["--raw"][..], &["--simplified"], &["--simplified", "--summary", "cutset"]] {
        let output = cfa(folder, options);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{}: {errors}", folder.display());
        text += &format!("== {}\n{}\n", options.join(" "), stdout(&output));
    }
    text
}

#[test]
fn programs_look_as_expected() {
    let update = std::env::var_os("TAMIS_UPDATE_SNAPSHOTS").is_some();
    let mut different = Vec::new();
    for folder in folders() {
        let (found, file) = (snapshot(&folder), folder.join("expected.txt"));
        if update {
            std::fs::write(&file, &found).expect("a writable folder");
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        if expected != found {
            different.push(format!("{}:\n{found}", folder.display()));
        }
    }
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n"));
}

#[test]
fn summaries_have_fewer_and_fewer_locations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cfa/nested-loops");
    let locations = |options: &[&str]| -> usize {
        let text = stdout(&cfa(&folder, options));
        let number = text.split(' ').next().and_then(|n| n.parse().ok());
        number.unwrap_or_else(|| panic!("no count in {text}"))
    };
    let all = locations(&[]);
    let [sbe, rule, cutset] = ["sbe", "rule", "cutset"].map(|kind| locations(&["--summary", kind]));
    assert!(all > sbe && sbe > rule && rule >= cutset, "{all}, {sbe}, {rule}, {cutset}");
    // The entry, the error, and two loop heads.
    assert_eq!(cutset, 4);
}

#[test]
fn pictures_show_every_location_and_edge() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cfa/goto");
    let text = stdout(&cfa(&folder, &[]));
    let locations = text.lines().filter(|l| l.starts_with('L')).count();
    let edges = text.lines().filter(|l| l.starts_with("  -> ")).count();
    let dot = stdout(&cfa(&folder, &["--format", "dot", "--summary", "edges"]));
    assert!(dot.starts_with("digraph cfa {\n") && dot.ends_with("}\n"), "{dot}");
    assert_eq!(dot.lines().filter(|l| l.contains(" -> ")).count(), edges);
    assert_eq!(dot.lines().filter(|l| l.starts_with("  n") && !l.contains("->")).count() - 1, locations);
    let svg = stdout(&cfa(&folder, &["--format", "svg", "--summary", "edges"]));
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    // A box for each location and one for the background, a line to and from each edge's label and one for the tip.
    assert_eq!(svg.matches("<rect ").count(), locations + 1);
    assert_eq!(svg.matches("<path ").count(), 2 * edges + 1);
    // A jump back leads upwards.
    assert!(svg.contains("stroke-dasharray"));
}

/// A program of a page, with a table that is initialised byte by byte, is drawn on a screen.
#[test]
fn a_picture_of_a_page_fits_a_screen() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures/page.c");
    let text = std::fs::read_to_string(&page).expect("a program");
    assert_eq!(text.lines().count(), 64);
    let run = Command::new(env!("CARGO_BIN_EXE_tamis")).args(["cfa", "--format", "svg"]).arg(&page).output();
    let svg = stdout(&run.expect("the program runs"));
    let size = |name: &str| -> f64 {
        let (_, rest) = svg.split_once(&format!(" {name}=\"")).expect("a size");
        rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    assert!(size("width") <= 1920.0 && size("height") <= 1200.0, "{} x {}", size("width"), size("height"));
    assert!(svg.contains("table, 64 elements := 97"), "the table is folded");
}

#[test]
fn errors_are_those_of_check() {
    let folder = std::env::temp_dir().join(format!("tamis-cfa-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let with = |source: &str| {
        std::fs::write(folder.join("main.c"), source).expect("a file");
        let output = cfa(&folder, &[]);
        assert!(output.stdout.is_empty());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, message) = with("int main(void) { return 0 }\n");
    assert_eq!(code, Some(4));
    assert!(message.starts_with("error: ") && message.contains("main.c:1:"), "{message}");
    let twice = "int _setjmp(int *);\nint main(void) { int state[50]; return _setjmp(state) + 1; }\n";
    let (code, message) = with(twice);
    assert_eq!(code, Some(3));
    assert!(message.starts_with("unsupported: ") && message.contains("main.c:2:"), "{message}");
    std::fs::remove_dir_all(&folder).expect("the folder");
    let usage = Command::new(env!("CARGO_BIN_EXE_tamis")).args(["cfa", "x.c", "--format", "png"]).output();
    assert_eq!(usage.expect("tamis runs").status.code(), Some(2));
}
