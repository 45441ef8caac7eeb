//! A graph as text: each location with its edges.

use super::graph::Graph;
use std::fmt::Write;

/// The column after the command, where it is not longer.
const COMMAND_WIDTH: usize = 44;

pub fn show(graph: &Graph) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", graph.counts);
    let mut heading = None;
    for (node, arrows) in graph.nodes.iter().zip(graph.arrows_by_node()) {
        if heading.replace(node.heading()) != Some(node.heading()) {
            let _ = writeln!(out, "\n{}", node.heading());
        }
        let _ = writeln!(out, "{}", format!("{} {}", node.name, node.remark()).trim_end());
        for arrow in arrows {
            let to = format!("  -> {:<6}", graph.nodes[arrow.to].name);
            let notes = arrow.notes.join(", ");
            let (first, rest) = match arrow.lines.split_first() {
                Some((first, rest)) => (first.as_str(), rest),
                None => ("", &[][..]),
            };
            let line = match arrow.lines.is_empty() && notes.is_empty() {
                true => to,
                false => format!("{to} {first:<COMMAND_WIDTH$}  // {notes}"),
            };
            let _ = writeln!(out, "{}", line.trim_end());
            for line in rest {
                let _ = writeln!(out, "            {line}");
            }
        }
    }
    out
}
