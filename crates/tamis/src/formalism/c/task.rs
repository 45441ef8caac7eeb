//! Task definitions: a program with properties and their expected verdicts, as benchmark sets have them (`.yml`).

use crate::formalism::c::property::{self, Property};
use crate::yaml::{Document, Node, Value};
use std::path::{Path, PathBuf};
use tamis_diagnostics::Diagnostic;
use tamis_front_c::DataModel;

/// A task.
#[derive(Clone, Debug)]
pub struct Task {
    /// The files of the program.
    pub files: Vec<PathBuf>,
    pub data_model: Option<DataModel>,
    /// The properties, and whether they are expected to hold.
    pub properties: Vec<(Property, Option<bool>)>,
    /// What is to be said about them.
    pub notes: Vec<String>,
}

/// A property of a task definition as it is written.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The name of the property file, without folder and ending.
    pub name: String,
    pub file: PathBuf,
    /// `true`, `false`, or `false(subproperty)`.
    pub expected: Option<String>,
}

/// Whether a file is a task definition.
pub fn is_task(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "yml" || e == "yaml")
}

/// Reads a task definition, of format 1.0 or 2.x.
pub fn read(path: &Path) -> Result<Task, Diagnostic> {
    let document = Document::read(path)?;
    Reader { document: &document, folder: path.parent().unwrap_or(Path::new("")) }.task()
}

/// Reads a task definition without its property files: the properties as they are listed, and the task without them.
pub fn listed(path: &Path) -> Result<(Task, Vec<Listed>), Diagnostic> {
    let document = Document::read(path)?;
    let reader = Reader { document: &document, folder: path.parent().unwrap_or(Path::new("")) };
    let task = reader.program()?;
    let listed = reader.properties().map(|node| reader.listed(node)).collect::<Result<_, _>>()?;
    Ok((task, listed))
}

struct Reader<'a> {
    document: &'a Document,
    folder: &'a Path,
}

impl Reader<'_> {
    fn task(&self) -> Result<Task, Diagnostic> {
        let mut task = self.program()?;
        for node in self.properties() {
            self.property(node, &mut task)?;
        }
        Ok(task)
    }

    fn properties(&self) -> impl Iterator<Item = &Node> {
        self.document.root.get("properties").map_or(&[][..], Node::items).iter()
    }

    /// The task without its properties.
    fn program(&self) -> Result<Task, Diagnostic> {
        let root = &self.document.root;
        match root.get("format_version").map(|node| (node, node.scalar())) {
            Some((_, Some("1.0" | "1.1" | "2.0" | "2.1"))) => {}
            Some((node, _)) => {
                return Err(self.error(node, "this format of task definitions is not known"));
            }
            None => return Err(self.error(root, "a task definition has a `format_version`")),
        }
        let Some(files) = root.get("input_files") else {
            return Err(self.error(root, "a task definition has `input_files`"));
        };
        let files = files.items().iter().map(|node| self.path(node)).collect::<Result<Vec<_>, _>>()?;
        Ok(Task { files, data_model: self.data_model(root)?, properties: Vec::new(), notes: Vec::new() })
    }

    fn data_model(&self, root: &Node) -> Result<Option<DataModel>, Diagnostic> {
        let Some(options) = root.get("options") else { return Ok(None) };
        if let Some(language) = options.get("language")
            && language.scalar() != Some("C")
        {
            return Err(self.error(language, "only tasks in C are taken"));
        }
        match options.get("data_model").map(|node| (node.scalar(), node)) {
            None => Ok(None),
            Some((Some("ILP32"), _)) => Ok(Some(DataModel::Ilp32)),
            Some((Some("LP64"), _)) => Ok(Some(DataModel::Lp64)),
            Some((_, node)) => Err(self.error(node, "the data model is ILP32 or LP64")),
        }
    }

    fn listed(&self, node: &Node) -> Result<Listed, Diagnostic> {
        let Value::Mapping(_) = node.value else {
            return Err(self.error(node, "a property has a `property_file`"));
        };
        let Some(file) = node.get("property_file") else {
            return Err(self.error(node, "a property has a `property_file`"));
        };
        let subproperty = node.get("subproperty").and_then(Node::scalar);
        let expected = match node.get("expected_verdict").map(|node| (node.scalar(), node)) {
            None => None,
            Some((Some("true"), _)) => Some("true".to_owned()),
            Some((Some("false"), _)) => {
                Some(subproperty.map_or("false".to_owned(), |part| format!("false({part})")))
            }
            Some((_, node)) => return Err(self.error(node, "the expected verdict is true or false")),
        };
        let file = self.path(file)?;
        let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Listed { name, file, expected })
    }

    fn property(&self, node: &Node, task: &mut Task) -> Result<(), Diagnostic> {
        let Listed { name, file: path, expected } = self.listed(node)?;
        let expected = expected.map(|expected| expected == "true");
        if name.starts_with("coverage-") {
            task.notes.push(format!("{name} is a property for test generators, and is left out"));
            return Ok(());
        }
        let properties = match (path.is_file(), Property::named(&name)) {
            (false, Some(property)) => {
                task.notes.push(format!("{} does not exist; its name says {name}", path.display()));
                vec![property]
            }
            _ => property::read(&path)?,
        };
        task.properties.extend(properties.into_iter().map(|property| (property, expected)));
        Ok(())
    }

    fn path(&self, node: &Node) -> Result<PathBuf, Diagnostic> {
        match node.scalar() {
            Some(text) if !text.is_empty() => Ok(self.folder.join(text)),
            _ => Err(self.error(node, "a file is expected here")),
        }
    }

    fn error(&self, node: &Node, message: &str) -> Diagnostic {
        self.document.error(node, message)
    }
}
