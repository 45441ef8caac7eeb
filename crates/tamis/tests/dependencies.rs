//! The picture of the crates in ARCHITECTURE.md is what cargo builds: who must not use whom, also by way of others.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// A crate, what it must never come to depend on, and why.
const NEVER: [(&str, &[&str], &str); 11] = [
    ("logic", &["*"], "terms are the ground that everything stands on"),
    ("theories", &["*"], "the decision procedures know neither terms nor the SAT solver"),
    (
        "evidence",
        &["front-c", "front-rtl", "interpreter-c", "cegar", "paq", "diagram"],
        "what checks a verdict shares nothing with the search, and knows no language",
    ),
    (
        "system",
        &["program", "front-c", "solver", "cegar", "evidence"],
        "the loop and a formalism meet here, and nothing else",
    ),
    (
        "cegar",
        &["program", "design", "front-c", "front-rtl", "interpreter-c", "evidence"],
        "the loop knows neither programs nor designs",
    ),
    ("diagnostics", &["*"], "messages need no language"),
    ("program", &["front-c", "interpreter-c", "cegar", "paq", "evidence"], "all of C ends in front-c"),
    ("paq", &["program", "front-c", "cegar", "evidence"], "a query is a formula and predicates"),
    ("design", &["front-rtl", "solver", "cegar", "paq", "evidence"], "a design is what a front end leaves"),
    ("front-rtl", &["solver", "paq", "cegar", "evidence"], "a design means the same to whoever checks it"),
    ("front-c", &["solver", "paq", "cegar", "evidence"], "a program means the same to whoever checks it"),
];

/// The crates of the workspace, each with those that it is built from. What only tests use does not count.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--no-deps", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let own = |value: &Value| {
        let name = value.as_str().filter(|name| name.starts_with("tamis"))?;
        Some(name.strip_prefix("tamis-").unwrap_or(name).to_owned())
    };
    let used = |package: &Value| {
        let dependencies = list(&package["dependencies"]);
        dependencies.iter().filter(|d| d["kind"].is_null()).filter_map(|d| own(&d["name"])).collect()
    };
    list(&metadata["packages"]).iter().filter_map(|p| Some((own(&p["name"])?, used(p)))).collect()
}

#[test]
fn the_crates_use_each_other_as_they_may() {
    let direct = dependencies();
    for (name, forbidden, why) in NEVER {
        assert!(direct.contains_key(name), "there is no crate {name}");
        for other in forbidden.iter().filter(|other| **other != "*") {
            assert!(direct.contains_key(*other), "there is no crate {other}");
        }
        let mut open = vec![vec![name.to_owned()]];
        let mut seen = BTreeSet::new();
        while let Some(way) = open.pop() {
            for next in way.last().and_then(|last| direct.get(last)).into_iter().flatten() {
                let way: Vec<String> = way.iter().chain([next]).cloned().collect();
                let allowed = !forbidden.contains(&"*") && !forbidden.contains(&next.as_str());
                assert!(allowed, "{}: {why}", way.join(" uses "));
                if seen.insert(next.clone()) {
                    open.push(way);
                }
            }
        }
    }
}

/// The list in ARCHITECTURE.md has a line for each crate: its name, a colon, and what it uses.
#[test]
fn the_list_in_the_map_is_that_of_the_manifests() {
    let map = include_str!("../../../ARCHITECTURE.md");
    let (_, list) = map.split_once("What uses what").expect("the map has the list");
    let block = list.split("```").nth(1).expect("the list is a block");
    let drawn: BTreeMap<String, BTreeSet<String>> = block
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, used)| (name.trim().to_owned(), used.split_whitespace().map(str::to_owned).collect()))
        .collect();
    assert_eq!(drawn, dependencies());
}
