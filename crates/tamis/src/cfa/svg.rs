//! A graph as a picture, without any other program.

use super::graph::{Graph, Role};
use super::layout::{Item, Line, layout};
use std::fmt::Write;

const CHARACTER: f64 = 6.7;
const LINE_HEIGHT: f64 = 14.0;
const PADDING: f64 = 6.0;
/// A picture shows no longer lines.
const LONGEST: usize = 40;
/// And no more of them at one edge.
const MOST_LINES: usize = 8;
/// The distance between lines that lead upwards, at the right margin.
const LANE: f64 = 10.0;

struct Shape {
    texts: Vec<String>,
    /// `None` for the label of an edge.
    role: Option<Role>,
}

/// A picture that is scaled to the window it is looked at in.
pub fn to_window(graph: &Graph) -> String {
    picture(graph, " style=\"max-width:100%;max-height:100vh\"")
}

/// A picture to stand in a page, whose policy allows no styles but its own.
pub fn show(graph: &Graph) -> String {
    picture(graph, "")
}

fn picture(graph: &Graph, attributes: &str) -> String {
    let mut shapes: Vec<Shape> =
        graph.nodes.iter().map(|node| Shape { texts: vec![node.label()], role: Some(node.role) }).collect();
    let mut lines = Vec::new();
    for arrow in &graph.arrows {
        // Folders are known to whoever asks for the picture.
        let notes = arrow.notes.iter().map(|note| note.rsplit('/').next().unwrap_or(note));
        let notes = notes.collect::<Vec<_>>().join(", ");
        let texts: Vec<String> =
            shown(&arrow.lines).into_iter().chain([cut(&notes)]).filter(|t| !t.is_empty()).collect();
        shapes.push(Shape { texts, role: None });
        let label = shapes.len() - 1;
        lines.push(Line { from: arrow.from, to: label });
        lines.push(Line { from: label, to: arrow.to });
    }
    let items: Vec<Item> = shapes.iter().map(size).collect();
    let start = graph.nodes.iter().position(|n| n.role == Role::Entry).unwrap_or(0);
    let layout = layout(&items, &lines, start);
    let is_upward = |line: &Line| layout.centres[line.from].1 >= layout.centres[line.to].1;
    let lanes = lines.iter().filter(|l| is_upward(l)).count() as f64;
    let width = layout.width + (lanes + 2.0) * LANE;

    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{0:.0}\" \
         viewBox=\"0 0 {width:.0} {0:.0}\"{attributes} \
         font-family=\"monospace\" font-size=\"11\">",
        layout.height
    );
    out.push_str(
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
    );
    let _ = writeln!(out, "<text x=\"8\" y=\"16\">{}</text>", escaped(&graph.counts));
    let mut lane = layout.width;
    for (i, line) in lines.iter().enumerate() {
        let (from, to) = (layout.centres[line.from], layout.centres[line.to]);
        let tip = if shapes[line.to].role.is_some() { " marker-end=\"url(#tip)\"" } else { "" };
        let path = if is_upward(line) {
            lane += LANE;
            let (right, end) = (from.0 + items[line.from].width / 2.0, to.0 + items[line.to].width / 2.0);
            format!("M{right:.0} {:.0} H{lane:.0} V{:.0} H{end:.0}", from.1, to.1)
        } else {
            let bottom = (from.0, from.1 + items[line.from].height / 2.0);
            let top = (to.0, to.1 - items[line.to].height / 2.0);
            let points = std::iter::once(bottom).chain(layout.bends[i].iter().copied()).chain([top]);
            let text: Vec<String> = points.map(|(x, y)| format!("{x:.0} {y:.0}")).collect();
            format!("M{}", text.join(" L"))
        };
        let dash = if is_upward(line) { " stroke-dasharray=\"4 3\"" } else { "" };
        // Each arrow has a line to its label and one from there.
        let arrow = i / 2;
        let _ = writeln!(
            out,
            "<path data-arrow=\"{arrow}\" d=\"{path}\" fill=\"none\" stroke=\"#555\"{dash}{tip}/>"
        );
    }
    let nodes = graph.nodes.len();
    for (i, ((shape, item), centre)) in shapes.iter().zip(&items).zip(&layout.centres).enumerate() {
        let of = match i.checked_sub(nodes) {
            None => format!("data-node=\"{i}\""),
            Some(arrow) => format!("data-arrow=\"{arrow}\""),
        };
        let _ = writeln!(out, "<g {of}>");
        draw(&mut out, shape, item, *centre);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// The lines of an edge as a picture has room for them.
fn shown(lines: &[String]) -> Vec<String> {
    let most = if lines.len() > MOST_LINES { MOST_LINES - 1 } else { lines.len() };
    let mut shown: Vec<String> = lines[..most].iter().map(|line| cut(line)).collect();
    if most < lines.len() {
        shown.push(format!("… {} more", lines.len() - most));
    }
    shown
}

fn cut(text: &str) -> String {
    match text.chars().count() > LONGEST {
        true => text.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

fn size(shape: &Shape) -> Item {
    if shape.texts.is_empty() {
        // The line passes through.
        return Item { width: 0.0, height: 0.0 };
    }
    let longest = shape.texts.iter().map(|t| t.chars().count()).max().unwrap_or(0);
    Item {
        width: longest as f64 * CHARACTER + 2.0 * PADDING,
        height: shape.texts.len() as f64 * LINE_HEIGHT + PADDING,
    }
}

fn draw(out: &mut String, shape: &Shape, item: &Item, (x, y): (f64, f64)) {
    let (left, top) = (x - item.width / 2.0, y - item.height / 2.0);
    if let Some(role) = shape.role {
        let (stroke, thickness, radius) = match role {
            Role::Plain | Role::Register => ("black", 1, 0),
            Role::Entry => ("black", 2, 0),
            Role::LoopHead | Role::Input => ("black", 1, 10),
            Role::Constraint => ("gray", 1, 0),
            Role::Error | Role::Property => ("red", 2, 0),
        };
        let _ = writeln!(
            out,
            "<rect x=\"{left:.0}\" y=\"{top:.0}\" width=\"{:.0}\" height=\"{:.0}\" rx=\"{radius}\" \
             fill=\"#f4f4f4\" stroke=\"{stroke}\" stroke-width=\"{thickness}\"/>",
            item.width, item.height
        );
    }
    for (i, text) in shape.texts.iter().enumerate() {
        let baseline = top + PADDING / 2.0 + (i as f64 + 0.8) * LINE_HEIGHT;
        let _ = writeln!(
            out,
            "<text x=\"{x:.0}\" y=\"{baseline:.0}\" text-anchor=\"middle\">{}</text>",
            escaped(text)
        );
    }
}

/// Text as XML has it: what XML cannot say, not even escaped, becomes a mark.
fn escaped(text: &str) -> String {
    let plain = |c: char| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c };
    let text: String = text.chars().map(plain).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
