//! Compilation databases (`compile_commands.json`): each file that is compiled is a task of its own.

use super::{Sources, Task, about, contents};
use crate::refusal::Refusal;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files of the database, each with its entry. A file that comes several times is taken as it comes first.
pub fn read(path: &Path) -> Result<Vec<Task>, Refusal> {
    let text = contents(path)?;
    let database: Value =
        serde_json::from_str(&text).map_err(|e| about(path, format!("is not JSON: {e}")))?;
    let Some(entries) = database.as_array() else {
        return Err(about(path, "is not a list of compiler commands"));
    };
    let (mut tasks, mut seen) = (Vec::new(), BTreeSet::new());
    for entry in entries {
        let Some(named) = entry["file"].as_str() else {
            return Err(about(path, "has an entry without a file"));
        };
        let folder = Path::new(entry["directory"].as_str().unwrap_or_default());
        let file = folder.join(named);
        if !is_c(&file) || !seen.insert(file.clone()) {
            continue;
        }
        tasks.push(Task {
            name: short(&file, path),
            suite: None,
            sources: Sources::Compiled { file, entry: entry.clone() },
            data_model: None,
            property: None,
            expected: None,
        });
    }
    Ok(tasks)
}

/// Projects are compiled from other languages too.
fn is_c(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "c" || ending == "i")
}

/// A file's name for people: below the folder of the database, or the folder above it, as build folders lie in the project's.
fn short(file: &Path, database: &Path) -> String {
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let whole = std::path::absolute(folder).ok();
    let above = whole.as_deref().into_iter().flat_map(|folder| [Some(folder), folder.parent()]).flatten();
    let below = above.filter_map(|folder| file.strip_prefix(folder).ok().map(PathBuf::from)).next();
    below.as_deref().unwrap_or(file).display().to_string()
}

/// The database of one entry, for one check. A folder that is said relative to this process's stays where it is.
pub fn alone(entry: &Value) -> String {
    let mut entry = entry.clone();
    let folder = PathBuf::from(entry["directory"].as_str().unwrap_or_default());
    if let Ok(folder) =
        std::path::absolute(if folder.as_os_str().is_empty() { Path::new(".") } else { &folder })
    {
        entry["directory"] = folder.display().to_string().into();
    }
    Value::Array(vec![entry]).to_string()
}
