//! What the format asks of a witness, as types: keys, values, and which of them must be there.

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub entry_type: EntryType,
    pub metadata: Metadata,
    pub content: Vec<Item>,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum EntryType {
    ViolationSequence,
    InvariantSet,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    pub format_version: String,
    pub uuid: String,
    pub creation_time: String,
    pub producer: Producer,
    pub task: Task,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Producer {
    pub name: String,
    pub version: String,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Task {
    pub input_files: Vec<String>,
    pub input_file_hashes: BTreeMap<String, String>,
    pub specification: String,
    pub data_model: DataModel,
    pub language: String,
}

#[derive(Deserialize, PartialEq, Debug)]
pub enum DataModel {
    #[serde(rename = "ILP32")]
    Ilp32,
    #[serde(rename = "LP64")]
    Lp64,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub struct Item {
    pub segment: Option<Vec<Step>>,
    pub invariant: Option<Invariant>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    #[serde(rename = "type")]
    pub kind: InvariantType,
    pub location: Location,
    pub value: String,
    pub format: String,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum InvariantType {
    LoopInvariant,
    LocationInvariant,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Location {
    pub file_name: String,
    pub line: u32,
    pub column: Option<u32>,
    pub function: Option<String>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub waypoint: Waypoint,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Waypoint {
    #[serde(rename = "type")]
    pub kind: WaypointType,
    pub action: Action,
    pub constraint: Option<Constraint>,
    pub location: Location,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum WaypointType {
    Assumption,
    Branching,
    FunctionEnter,
    FunctionReturn,
    Target,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Follow,
    Avoid,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    pub value: String,
    pub format: Option<String>,
}

/// Reads a witness and checks all that the format asks of it.
pub fn valid(text: &str) -> Vec<Entry> {
    let entries: Vec<Entry> = serde_saphyr::from_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert!(!entries.is_empty());
    for entry in &entries {
        metadata(&entry.metadata);
        match entry.entry_type {
            EntryType::InvariantSet => {
                for item in &entry.content {
                    let invariant = item.invariant.as_ref().expect("an invariant");
                    assert!(item.segment.is_none());
                    assert_eq!(invariant.format, "c_expression");
                    assert!(!invariant.value.is_empty() && !invariant.value.contains("::"));
                    location(&invariant.location, &entry.metadata.task);
                }
            }
            EntryType::ViolationSequence => sequence(entry),
        }
    }
    entries
}

fn metadata(metadata: &Metadata) {
    assert_eq!(metadata.format_version, "2.0");
    let groups: Vec<usize> = metadata.uuid.split('-').map(str::len).collect();
    assert_eq!(groups, [8, 4, 4, 4, 12], "{}", metadata.uuid);
    assert!(metadata.uuid.chars().all(|c| c == '-' || c.is_ascii_hexdigit()));
    let shape: String =
        metadata.creation_time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(shape, "0000-00-00T00:00:00Z");
    assert!(!metadata.producer.name.is_empty() && !metadata.producer.version.is_empty());
    let task = &metadata.task;
    assert_eq!(task.language, "C");
    assert!(!task.input_files.is_empty());
    for file in &task.input_files {
        let hash = &task.input_file_hashes[file];
        assert!(hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{hash}");
    }
    assert!(task.specification.starts_with("CHECK( init(main()), LTL(G ! "), "{}", task.specification);
}

fn location(location: &Location, task: &Task) {
    assert!(task.input_files.contains(&location.file_name), "{location:?}");
    assert!(location.line > 0 && location.column != Some(0), "{location:?}");
    assert!(location.function.as_ref().is_none_or(|name| !name.is_empty()));
}

fn sequence(entry: &Entry) {
    let last = entry.content.len().checked_sub(1).expect("a segment");
    for (i, item) in entry.content.iter().enumerate() {
        let segment = item.segment.as_ref().expect("a segment");
        assert!(item.invariant.is_none());
        let (follow, avoid) = segment.split_last().expect("a waypoint");
        assert!(avoid.iter().all(|step| step.waypoint.action == Action::Avoid));
        assert_eq!(follow.waypoint.action, Action::Follow);
        assert_eq!(follow.waypoint.kind == WaypointType::Target, i == last, "the target is last");
        for Step { waypoint } in segment {
            location(&waypoint.location, &entry.metadata.task);
            let constraint = waypoint.constraint.as_ref().map(|c| (c.value.as_str(), c.format.as_deref()));
            match waypoint.kind {
                WaypointType::Assumption => {
                    assert!(matches!(constraint, Some((_, None | Some("c_expression")))));
                }
                WaypointType::Branching => {
                    assert!(matches!(constraint, Some(("true" | "false", None))), "{constraint:?}");
                }
                WaypointType::FunctionReturn => {
                    let (value, format) = constraint.expect("a constraint");
                    assert!(value.starts_with("\\result "), "{value}");
                    assert_eq!(format, Some("acsl_expression"));
                }
                WaypointType::FunctionEnter | WaypointType::Target => assert_eq!(constraint, None),
            }
        }
    }
}
