//! The page of a batch: in a browser, and with names that would be script.

use crate::support::Folder;
use crate::{SAFE, UNSAFE, write};
use std::fs;
use std::process::Command;

const HOSTILE: &str = "</script><script>document.title=1<!--";

fn folder() -> (Folder, String) {
    let folder = Folder::new();
    for (name, text) in [("good.c", SAFE), ("bad.c", UNSAFE), ("broken.c", "int main(void) { return \n")] {
        write(&folder, name, text);
    }
    let suite = format!("{HOSTILE}\" onload=\"alert(1)");
    let table =
        format!("suite\tpath\texpected\n{suite}\tgood.c\ttrue\n{suite}\tbad.c\ttrue\n{suite}\tbroken.c\t-\n");
    write(&folder, "list.tsv", &table);
    let presets = ["--preset", "default", "--preset", "bounded"];
    let run = folder.run(&[&["batch", "list.tsv", "--report", "out"][..], &presets].concat());
    assert_eq!(run.exit, Some(1), "{run:?}");
    let page = fs::read_to_string(folder.path.join("out/index.html")).expect("it was written");
    (folder, page)
}

#[test]
fn names_are_no_script() {
    let (_folder, page) = folder();
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    assert!(!page.contains(HOSTILE));
    assert!(page.contains("Content-Security-Policy") && page.contains("default-src 'none'"));
    assert!(
        !page.contains("http://")
            || page.matches("http://").all(|_| page.contains("http://www.w3.org/2000/svg"))
    );
    assert!(!page.contains("https://"), "nothing is loaded");
    assert!(page.len() < 100_000, "{}", page.len());
}

/// What the browser makes of it.
#[test]
fn wrong_answers_come_first() {
    let (folder, _) = folder();
    let browser = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--virtual-time-budget=2000"])
        .arg(format!("--user-data-dir={}", folder.path.join("browser").display()))
        .arg(format!("file://{}", folder.path.join("out/index.html").display()))
        .output();
    let Ok(output) = browser else {
        return tamis_testing::missing("chromium", "there is no chromium to show a page");
    };
    let shown = String::from_utf8_lossy(&output.stdout);
    let (_, matrix) = shown.split_once("<tbody>").expect("the matrix has rows");
    let rows: Vec<&str> = matrix.split("<tr").skip(1).collect();
    assert_eq!(rows.len(), 3, "{matrix}");
    for (row, name) in rows.iter().zip(["bad.c", "broken.c", "good.c"]) {
        assert!(row.contains(name), "{name} in {row}");
    }
    assert!(rows[0].contains("wrong"), "{}", rows[0]);
    assert!(shown.contains("<title>list.tsv</title>"), "no other script ran");
    assert_eq!(shown.matches("<polyline").count(), 2, "a curve for each preset");
}
