//! A graph in the DOT language of Graphviz.

use super::graph::{Arrow, Graph, Role};
use std::fmt::Write;

pub fn show(graph: &Graph) -> String {
    let mut out = String::from("digraph cfa {\n");
    let _ = writeln!(out, "  label={};", quoted(&graph.counts));
    out.push_str("  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n");
    for (i, node) in graph.nodes.iter().enumerate() {
        let style = match node.role {
            Role::Plain | Role::Register => "",
            Role::Entry => ", style=bold",
            Role::LoopHead | Role::Input => ", style=rounded",
            Role::Constraint => ", style=dashed",
            Role::Error | Role::Property => ", color=red, peripheries=2",
        };
        let _ = writeln!(out, "  n{i} [label={}{style}];", quoted(&node.label()));
    }
    for arrow in &graph.arrows {
        let _ = writeln!(out, "  n{} -> n{} [label={}];", arrow.from, arrow.to, quoted(&label(arrow)));
    }
    out.push_str("}\n");
    out
}

fn label(arrow: &Arrow) -> String {
    let notes = arrow.notes.join(", ");
    arrow.lines.iter().chain([&notes]).map(String::as_str).collect::<Vec<_>>().join("\n")
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
