//! Lists: a table with a header, as `bench/run` takes them, or a path on each line.

use super::{Question, Sources, Task, about_line, contents, of_file};
use crate::batch::judge::Expected;
use crate::refusal::Refusal;
use std::path::Path;

/// These properties are what is checked where none is named, whatever it is called.
const USUAL: [&str; 2] = ["unreach-call", "assert"];

/// Nothing is said here.
const NOTHING: [&str; 2] = ["", "-"];

/// A table: tabs between columns, which its first line names. `path` has to be there; `property`, `expected`, `bits` and
/// `suite` may be; others do not matter.
pub fn table(path: &Path, root: Option<&Path>) -> Result<Vec<Task>, Refusal> {
    let text = contents(path)?;
    let mut lines = text.lines().enumerate();
    let names: Vec<&str> = lines.next().map_or("", |(_, line)| line).split('\t').map(str::trim).collect();
    let Some(of_path) = names.iter().position(|&name| name == "path") else {
        return Err(about_line(
            path,
            &text,
            1,
            "the first line names the columns, and one of them is `path`",
        ));
    };
    let mut tasks = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
        let wrong = |message: &str| about_line(path, &text, number + 1, message);
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let cell = |name: &str| {
            let cell = names.iter().position(|&known| known == name).and_then(|i| cells.get(i).copied());
            cell.filter(|cell| !NOTHING.contains(cell))
        };
        let Some(&file) = cells.get(of_path).filter(|file| !file.is_empty()) else {
            return Err(wrong("there is no path"));
        };
        let expected = match cell("expected").map(Expected::read) {
            Some(None) => return Err(wrong("true or false is expected, or -")),
            expected => expected.flatten(),
        };
        let data_model = match cell("bits") {
            None => None,
            Some("32") => Some("--32"),
            Some("64") => Some("--64"),
            Some(_) => return Err(wrong("the bits are 32 or 64, or -")),
        };
        let property = cell("property").map(|name| match USUAL.contains(&name) {
            true => Question::Usual(name.to_owned()),
            false => Question::Named(name.to_owned()),
        });
        let suite = cell("suite").map(str::to_owned);
        let sources = Sources::Files(vec![below(path, root, file)]);
        tasks.push(Task { name: file.to_owned(), suite, sources, data_model, property, expected });
    }
    Ok(tasks)
}

/// A path on each line, that of a task definition too. `#` begins a comment.
pub fn lines(path: &Path, root: Option<&Path>) -> Result<Vec<Task>, Refusal> {
    let text = contents(path)?;
    let mut tasks = Vec::new();
    for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
        if !line.is_empty() {
            tasks.extend(of_file(line.to_owned(), &below(path, root, line))?);
        }
    }
    Ok(tasks)
}

fn below(list: &Path, root: Option<&Path>, file: &str) -> std::path::PathBuf {
    root.or(list.parent()).unwrap_or(Path::new("")).join(file)
}
