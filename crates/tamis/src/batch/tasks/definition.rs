//! Task definitions (`.yml`): each property of each is a task.

use super::{Question, Sources, Task, about};
use crate::batch::judge::Expected;
use crate::formalism::c::property::Property;
use crate::formalism::c::task::{self, is_task};
use crate::refusal::Refusal;
use std::path::{Path, PathBuf};
use tamis_front_c::DataModel;

/// Folders may lie so deep in each other: a link to a folder above would lead round and round.
const DEPTH: usize = 32;

/// The tasks of a definition, one for each property; what is asked of test generators is left out.
pub fn read(name: String, path: &Path) -> Result<Vec<Task>, Refusal> {
    let (program, properties) = task::listed(path).map_err(Refusal::unreadable)?;
    let data_model = program.data_model.map(|model| match model {
        DataModel::Ilp32 => "--32",
        DataModel::Lp64 => "--64",
    });
    let suite = path.parent().and_then(Path::file_name).map(|folder| folder.to_string_lossy().into_owned());
    let whole = Task {
        name,
        suite,
        sources: Sources::Files(program.files),
        data_model,
        property: None,
        expected: None,
    };
    if properties.is_empty() {
        return Ok(vec![whole]);
    }
    let asked = properties.into_iter().filter(|listed| !listed.name.starts_with("coverage-"));
    let of = |listed: task::Listed| {
        let property = match listed.file.is_file() || Property::named(&listed.name).is_none() {
            true => Question::File(listed.name, listed.file),
            false => Question::Named(listed.name),
        };
        let expected = listed.expected.as_deref().and_then(Expected::read);
        Task { property: Some(property), expected, ..whole.clone() }
    };
    Ok(asked.map(of).collect())
}

/// The tasks of all definitions in a folder and those below it.
pub fn folder(path: &Path) -> Result<Vec<Task>, Refusal> {
    let mut files = Vec::new();
    gather(path, DEPTH, &mut files)?;
    files.sort();
    let name = |file: &Path| file.strip_prefix(path).unwrap_or(file).display().to_string();
    let mut tasks = Vec::new();
    for file in files {
        tasks.extend(read(name(&file), &file)?);
    }
    match tasks.is_empty() {
        true => Err(about(path, "there is no task definition (.yml) in this folder")),
        false => Ok(tasks),
    }
}

fn gather(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Refusal> {
    let unreadable = |e: std::io::Error| about(folder, format!("cannot be read: {e}"));
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        match path.is_dir() {
            true if depth > 0 => gather(&path, depth - 1, files)?,
            false if is_task(&path) => files.push(path),
            _ => {}
        }
    }
    Ok(())
}
