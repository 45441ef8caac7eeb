//! Witnesses from files, of any tool. Keys that are not known are passed over; what is there must have its form.

use super::{
    Content, Expression, Invariant, InvariantKind, Place, Segment, Task, Waypoint, WaypointKind, Witness,
};
use crate::yaml::{Document, Node, Value};
use std::path::Path;
use tamis_diagnostics::Diagnostic;
use tamis_front_c::DataModel;
use tamis_interpreter_c::interpreter::parse_number;

/// Reads a witness.
pub fn read(path: &Path) -> Result<Witness, Diagnostic> {
    of_document(Document::read(path)?)
}

fn of_document(document: Document) -> Result<Witness, Diagnostic> {
    let reader = Reader { document: &document };
    let mut task = None;
    let (mut sequences, mut invariants, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    let Value::Sequence(entries) = &document.root.value else {
        return Err(document.error(&document.root, "a witness is a list of entries"));
    };
    for entry in entries {
        let kind = reader.text(entry, "entry_type")?;
        let metadata = reader.get(entry, "metadata")?;
        let version = reader.get(metadata, "format_version")?;
        match version.scalar() {
            Some("0.1" | "2.0" | "2.1") => {}
            _ => return Err(document.error(version, "this version of the format is not known")),
        }
        let about = reader.get(metadata, "task")?;
        match &task {
            None => task = Some(reader.task(about)?),
            Some(first) if !first.is_the_same(&reader.task(about)?) => {
                return Err(document.error(about, "all entries of a witness are about the same task"));
            }
            Some(_) => {}
        }
        match kind {
            "violation_sequence" => sequences.push(reader.sequence(reader.get(entry, "content")?)?),
            "invariant_set" => {
                for item in reader.list(reader.get(entry, "content")?)? {
                    match item.get("invariant") {
                        Some(invariant) => match reader.invariant(invariant)? {
                            Ok(invariant) => invariants.push(invariant),
                            Err(kind) => skipped.push(kind),
                        },
                        None => skipped.push("an item that is no invariant".to_owned()),
                    }
                }
            }
            "loop_invariant" | "location_invariant" => invariants.push(reader.old_invariant(entry, kind)?),
            other => skipped.push(format!("an entry of type {other}")),
        }
    }
    let Some(task) = task else {
        return Err(document.error(&document.root, "a witness has at least one entry"));
    };
    let content = match (sequences.is_empty(), invariants.is_empty()) {
        (false, true) => Content::Violation(sequences),
        (true, _) => Content::Correctness(invariants),
        (false, false) => {
            return Err(
                document.error(&document.root, "a witness is of a violation or of a proof, not of both")
            );
        }
    };
    Ok(Witness { task, content, skipped, document })
}

struct Reader<'a> {
    document: &'a Document,
}

impl<'a> Reader<'a> {
    fn wrong<T>(&self, node: &Node, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(self.document.error(node, message))
    }

    fn get(&self, node: &'a Node, key: &str) -> Result<&'a Node, Diagnostic> {
        match node.get(key) {
            Some(node) => Ok(node),
            None => self.wrong(node, format!("`{key}` is missing here")),
        }
    }

    fn text(&self, node: &'a Node, key: &str) -> Result<&'a str, Diagnostic> {
        let node = self.get(node, key)?;
        match node.scalar() {
            Some(text) => Ok(text),
            None => self.wrong(node, format!("`{key}` is a text")),
        }
    }

    fn list(&self, node: &'a Node) -> Result<&'a [Node], Diagnostic> {
        match &node.value {
            Value::Sequence(items) => Ok(items),
            // Nothing at all is an empty list.
            Value::Scalar(text) if text.is_empty() || text == "~" || text == "null" => Ok(&[]),
            _ => self.wrong(node, "a list is expected here"),
        }
    }

    fn number(&self, node: &Node) -> Result<u32, Diagnostic> {
        match node.scalar().map(str::parse) {
            Some(Ok(number)) => Ok(number),
            _ => self.wrong(node, "a number of a line or a column is expected here"),
        }
    }

    fn task(&self, node: &'a Node) -> Result<Task, Diagnostic> {
        let hashes = self.get(node, "input_file_hashes")?;
        let Value::Mapping(hashes) = &hashes.value else {
            return self.wrong(hashes, "`input_file_hashes` has a hash for each file");
        };
        let mut files = Vec::new();
        for file in self.get(node, "input_files")?.items() {
            let Some(name) = file.scalar() else { return self.wrong(file, "a file is expected here") };
            let hash = hashes.iter().find(|(key, _)| key == name).map(|(_, hash)| hash.clone());
            files.push((file.clone(), hash));
        }
        let language = self.get(node, "language")?;
        if language.scalar() != Some("C") {
            return self.wrong(language, "only programs in C are taken");
        }
        let data_model = match node.get("data_model") {
            None => None,
            Some(model) => match model.scalar() {
                Some("ILP32") => Some((DataModel::Ilp32, model.clone())),
                Some("LP64") => Some((DataModel::Lp64, model.clone())),
                _ => return self.wrong(model, "the data model is ILP32 or LP64"),
            },
        };
        Ok(Task { files, specification: node.get("specification").cloned(), data_model })
    }

    fn place(&self, node: &'a Node) -> Result<Place, Diagnostic> {
        let column = node.get("column").map(|column| self.number(column)).transpose()?;
        Ok(Place {
            file: self.text(node, "file_name")?.to_owned(),
            line: self.number(self.get(node, "line")?)?,
            column: column.filter(|&column| column > 0),
            function: node.get("function").and_then(Node::scalar).map(str::to_owned),
        })
    }

    /// An expression of C, or of a little more.
    fn expression(&self, node: &'a Node, key: &str, formats: &[&str]) -> Result<Expression, Diagnostic> {
        if let Some(format) = node.get("format")
            && !format.scalar().is_some_and(|format| formats.contains(&format))
        {
            return self.wrong(format, format!("expressions have the format {} here", formats.join(" or ")));
        }
        let text = self.text(node, key)?.to_owned();
        Ok(Expression { text, node: self.get(node, key)?.clone() })
    }

    fn invariant(&self, node: &'a Node) -> Result<Result<Invariant, String>, Diagnostic> {
        let kind = match self.text(node, "type")? {
            "loop_invariant" => InvariantKind::Loop,
            "location_invariant" => InvariantKind::Location,
            other => return Ok(Err(format!("an invariant of type {other}"))),
        };
        let place = self.place(self.get(node, "location")?)?;
        let value = self.expression(node, "value", &["c_expression"])?;
        Ok(Ok(Invariant { kind, place, value }))
    }

    /// An invariant of format 0.1, where columns count from 0.
    fn old_invariant(&self, entry: &'a Node, kind: &str) -> Result<Invariant, Diagnostic> {
        let at = self.get(entry, "location")?;
        let column = at.get("column").map(|column| self.number(column)).transpose()?;
        let place = Place { column: column.map(|column| column.saturating_add(1)), ..self.place(at)? };
        let value = self.expression(self.get(entry, kind)?, "string", &["C", "c_expression"])?;
        let kind = if kind == "loop_invariant" { InvariantKind::Loop } else { InvariantKind::Location };
        Ok(Invariant { kind, place, value })
    }

    fn sequence(&self, content: &'a Node) -> Result<Vec<Segment>, Diagnostic> {
        let mut segments: Vec<Segment> = Vec::new();
        for item in self.list(content)? {
            let segment = self.get(item, "segment")?;
            let (mut avoid, mut follow) = (Vec::new(), None);
            for item in self.list(segment)? {
                let node = self.get(item, "waypoint")?;
                if follow.is_some() {
                    return self.wrong(node, "a segment ends with the waypoint to follow");
                }
                let waypoint = self.waypoint(node)?;
                let action = self.get(node, "action")?;
                match action.scalar() {
                    Some("follow") => follow = Some(waypoint),
                    Some("avoid") if waypoint.kind == WaypointKind::Target => {
                        return self.wrong(action, "the target is to be followed");
                    }
                    Some("avoid") => avoid.push(waypoint),
                    _ => return self.wrong(action, "the action is follow or avoid"),
                }
            }
            let Some(follow) = follow else {
                return self.wrong(segment, "a segment has a waypoint to follow");
            };
            if segments.last().is_some_and(|last| last.follow.kind == WaypointKind::Target) {
                return self.wrong(segment, "the target is in the last segment");
            }
            segments.push(Segment { avoid, follow });
        }
        if !segments.last().is_some_and(|last| last.follow.kind == WaypointKind::Target) {
            return self.wrong(content, "the last segment ends with the target");
        }
        Ok(segments)
    }

    fn waypoint(&self, node: &'a Node) -> Result<Waypoint, Diagnostic> {
        let constraint = || self.get(node, "constraint");
        let kind = match self.text(node, "type")? {
            "assumption" => {
                WaypointKind::Assumption(self.expression(constraint()?, "value", &["c_expression"])?)
            }
            "branching" => {
                let value = self.get(constraint()?, "value")?;
                match value.scalar() {
                    Some("true") => WaypointKind::Branching(true),
                    Some("false") => WaypointKind::Branching(false),
                    Some("default") => WaypointKind::Case(None),
                    Some(text) if parse_number(text).is_some() => WaypointKind::Case(parse_number(text)),
                    _ => return self.wrong(value, "a branching is true, false, a number or default"),
                }
            }
            "function_enter" => WaypointKind::FunctionEnter,
            "function_return" => {
                let formats = ["acsl_expression", "ext_c_expression", "c_expression"];
                WaypointKind::FunctionReturn(self.expression(constraint()?, "value", &formats)?)
            }
            "target" => WaypointKind::Target,
            _ => return self.wrong(self.get(node, "type")?, "this type of waypoints is not known"),
        };
        Ok(Waypoint { kind, place: self.place(self.get(node, "location")?)?, node: node.clone() })
    }
}
