//! Queries out of C programs.

use super::support::Folder;

const PROGRAM: &str = "int other(void); int *memory;
int search(int n, int key) {
    int low = 0, high = n, steps = 0;
    while (low < high) {
        int middle = low + 1;
        if (*memory < key) low = middle;
        else if (steps > 10 && high > key) high = low + 2;
        else high = high - 1;
        if (steps >= n) break;
        steps = steps + 1;
        if (other()) key = key + 1;
    }
    return low == key ? steps : high;
}
int straight(int a) { return a + 1; }
";

#[test]
fn functions_give_queries_that_the_engines_agree_on() {
    let folder = Folder::with("search.c", PROGRAM);
    let run =
        folder.run(&["abstract", "--extract", "search.c", "--output", "out", "--extract-predicates", "4-12"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(run.stdout.ends_with(" from 2 functions, 0 not translated\n"), "{run:?}");
    let written: Vec<_> = std::fs::read_dir(folder.path.join("out"))
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("a name"))
        .collect();
    assert!(written.len() > 1 && written.iter().all(|name| name.starts_with("search-")), "{written:?}");
    for name in written {
        let query = format!("out/{name}");
        let run = folder.run(&["abstract", &query, "--all-engines", "--timeout", "60"]);
        assert_eq!(run.exit, Some(0), "{name}: {run:?}");
        assert!(run.stdout.contains("the engines agree"), "{name}: {run:?}");
    }
}

#[test]
fn functions_of_one_name_have_files_of_their_own() {
    let folder = Folder::with("a.c", PROGRAM.replace("int search", "static int search"));
    let other = PROGRAM.replace("int search", "static int search").replace("steps > 10", "steps > 20");
    std::fs::write(folder.path.join("b.c"), other.replace("int straight", "int other_straight"))
        .expect("a file");
    let count = |files: &[&str], output: &str| {
        let options = ["--output", output, "--extract-predicates", "4-12"];
        let arguments: Vec<&str> =
            ["abstract", "--extract"].iter().chain(files).chain(&options).copied().collect();
        let run = folder.run(&arguments);
        assert_eq!(run.exit, Some(0), "{run:?}");
        let files = std::fs::read_dir(folder.path.join(output)).expect("the folder is there").count();
        assert_eq!(run.stdout.split(' ').next(), Some(&*files.to_string()), "{run:?}");
        files
    };
    assert!(count(&["a.c", "b.c"], "both") > count(&["a.c"], "one"));
}

#[test]
fn what_cannot_be_read_is_said() {
    let folder = Folder::with("broken.c", "int f( {");
    let run = folder.run(&["abstract", "--extract", "broken.c"]);
    assert_eq!(run.exit, Some(4), "{run:?}");
    assert!(run.stderr.contains("broken.c:1"), "{run:?}");
    let run = folder.run(&["abstract", "--extract", "broken.c", "--extract-predicates", "5-3"]);
    assert_eq!(run.exit, Some(2), "{run:?}");
}
