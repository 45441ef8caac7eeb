//! What is shown, in whatever format: locations and labelled edges, or words and who reads them.

use super::command_text::{command, event};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Sort, Terms};
use tamis_program::{Block, EdgeId, Location, LoopNest, Program, Source, Summary, SummaryKind};

/// What a location is, or a node of a design.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Plain,
    Entry,
    LoopHead,
    Error,
    Input,
    Register,
    Constraint,
    Property,
}

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Role::Plain => "",
            Role::Entry => "entry",
            Role::LoopHead => "loop head",
            Role::Error => "error",
            Role::Input => "input",
            Role::Register => "register",
            Role::Constraint => "constraint",
            Role::Property => "property",
        }
    }
}

/// A location of the graph.
pub struct Node {
    pub name: String,
    pub role: Role,
    /// The function it is in, or how wide a word is.
    pub detail: String,
    /// Its file and line, where it has some.
    pub place: Option<(String, u32)>,
}

impl Node {
    /// All of it on one line.
    pub fn label(&self) -> String {
        [self.name.as_str(), &self.detail, self.role.name()].join(" ").trim_end().to_owned()
    }

    /// What stands over it and others of its kind in a text: the function, or what kind of word it is.
    pub fn heading(&self) -> String {
        match self.role {
            Role::Plain | Role::Entry | Role::LoopHead | Role::Error => format!("in {}", self.detail),
            Role::Input => "inputs".to_owned(),
            Role::Register => "registers".to_owned(),
            Role::Constraint => "constraints".to_owned(),
            Role::Property => "properties".to_owned(),
        }
    }

    /// What else is to be said of it under its heading.
    pub fn remark(&self) -> &str {
        match self.role {
            Role::Plain | Role::Entry | Role::LoopHead | Role::Error => self.role.name(),
            Role::Input | Role::Register | Role::Constraint | Role::Property => &self.detail,
        }
    }
}

/// An edge of the graph, by the places of its ends among the nodes.
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    /// What it does, one command a line.
    pub lines: Vec<String>,
    /// What it means to a reader, and the place in the source.
    pub notes: Vec<String>,
}

/// An automaton or a summary of one.
pub struct Graph {
    pub nodes: Vec<Node>,
    pub arrows: Vec<Arrow>,
    /// How much there is of what.
    pub counts: String,
}

impl Graph {
    /// The automaton, edge by edge.
    pub fn of_program(terms: &mut Terms, program: &Program) -> Graph {
        let locations = reading_order(program);
        let (mut graph, places) = Graph::with_nodes(program, &locations, counts_of(program, None));
        for &l in &locations {
            for &e in program.outgoing(l) {
                let edge = program.edge(e);
                let text = command(terms, program, program.frame_of(l), &edge.command);
                let mut notes = vec![event(&edge.event), place(program, edge.source)];
                notes.retain(|n| !n.is_empty());
                let lines = vec![text].into_iter().filter(|t| !t.is_empty()).collect();
                graph.arrows.push(Arrow { from: places[&edge.from], to: places[&edge.to], lines, notes });
            }
        }
        graph
    }

    /// A summary, block by block: a block that is one path with its commands, another with its measures.
    pub fn of_summary(terms: &mut Terms, program: &Program, kind: SummaryKind) -> Graph {
        let summary = Summary::of_kind(program, kind);
        let counts = counts_of(program, Some(kind));
        let (mut graph, places) = Graph::with_nodes(program, summary.cutpoints(), counts);
        for block in summary.blocks() {
            let edges: Vec<EdgeId> = block.edges().collect();
            let paths = paths(program, block);
            let lines = if paths == Some(1) {
                let show = |&e: &EdgeId| {
                    let edge = program.edge(e);
                    command(terms, program, program.frame_of(edge.from), &edge.command)
                };
                folded(edges.iter().map(show).filter(|t| !t.is_empty()).collect())
            } else {
                let paths = paths.map_or("very many paths".to_owned(), |n| format!("{n} paths"));
                vec![format!("{} edges, {paths}", edges.len())]
            };
            let notes = vec![lines_of(program, &edges)];
            graph.arrows.push(Arrow { from: places[&block.from], to: places[&block.to], lines, notes });
        }
        graph
    }

    fn with_nodes(
        program: &Program,
        locations: &[Location],
        counts: String,
    ) -> (Graph, FxHashMap<Location, usize>) {
        let heads: FxHashSet<Location> =
            LoopNest::new(program).loops().iter().flat_map(|found| found.heads.clone()).collect();
        let role = |l: Location| {
            if l == program.entry() {
                Role::Entry
            } else if l == program.error() {
                Role::Error
            } else if heads.contains(&l) {
                Role::LoopHead
            } else {
                Role::Plain
            }
        };
        let nodes = locations
            .iter()
            .map(|&l| Node {
                name: format!("L{}", l.index()),
                role: role(l),
                detail: program.frame(program.frame_of(l)).function.clone(),
                place: program.outgoing(l).first().map(|&e| {
                    let source = program.edge(e).source;
                    (program.file(source.file).to_owned(), source.line)
                }),
            })
            .collect();
        let graph = Graph { nodes, arrows: Vec::new(), counts };
        (graph, locations.iter().enumerate().map(|(i, &l)| (l, i)).collect())
    }

    /// The arrows, those of each node together and the nodes in their order.
    pub fn arrows_by_node(&self) -> Vec<Vec<&Arrow>> {
        let mut leaving = vec![Vec::new(); self.nodes.len()];
        for arrow in &self.arrows {
            leaving[arrow.from].push(arrow);
        }
        leaving
    }
}

/// How much there is in a program, without a graph of it.
pub fn counts_of(program: &Program, summary: Option<SummaryKind>) -> String {
    let (nodes, edges) = match summary {
        None => (reading_order(program).len(), (program.edges().len(), "edge")),
        Some(kind) => {
            let summary = Summary::of_kind(program, kind);
            (summary.cutpoints().len(), (summary.blocks().len(), "block"))
        }
    };
    counts(nodes, edges, program.variables().len(), regions(program))
}

fn counts(nodes: usize, (edges, edge_name): (usize, &str), variables: usize, regions: usize) -> String {
    [
        count(nodes, "location"),
        count(edges, edge_name),
        count(variables, "variable"),
        count(regions, "memory region") + " among them",
    ]
    .join(", ")
}

/// A number of things.
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn regions(program: &Program) -> usize {
    program.variables().iter().filter(|v| matches!(v.ty.sort, Sort::Array(_))).count()
}

/// The locations that the entry leads to, in the order in which one reads a program: what a branch leads to first
/// comes first, and what lies behind a loop comes after it. The error location comes last.
fn reading_order(program: &Program) -> Vec<Location> {
    let mut seen = vec![false; program.locations().count()];
    let mut finished = Vec::new();
    let mut stack = vec![(program.entry(), 0)];
    seen[program.entry().index()] = true;
    seen[program.error().index()] = true;
    while let Some((l, followed)) = stack.last_mut() {
        let outgoing = program.outgoing(*l);
        // The last edge is followed first, as the order is that of finishing, reversed.
        let Some(at) = outgoing.len().checked_sub(*followed + 1) else {
            finished.push(*l);
            stack.pop();
            continue;
        };
        *followed += 1;
        let to = program.edge(outgoing[at]).to;
        if !std::mem::replace(&mut seen[to.index()], true) {
            stack.push((to, 0));
        }
    }
    finished.reverse();
    finished.push(program.error());
    finished
}

fn place(program: &Program, source: Source) -> String {
    if source.line == 0 { String::new() } else { format!("{}:{}", program.file(source.file), source.line) }
}

/// The number of paths through a block; `None` if they are too many to count.
fn paths(program: &Program, block: &Block) -> Option<u64> {
    let mut ways: FxHashMap<Location, u64> = [(block.from, 1)].into_iter().collect();
    let arriving = |ways: &FxHashMap<Location, u64>, edges: &[EdgeId]| {
        let from = edges.iter().map(|&e| ways.get(&program.edge(e).from).copied().unwrap_or(0));
        from.into_iter().try_fold(0u64, u64::checked_add)
    };
    for (l, edges) in &block.inner {
        let number = arriving(&ways, edges)?;
        ways.insert(*l, number);
    }
    arriving(&ways, &block.last)
}

/// So many elements of one object that are set one after the other are told in one line.
const FOLDED: usize = 3;

/// Lines in which elements of one object are set to numbers, one after the other, as one: `table, 52 elements := 104, 101, …`. So
/// are those that set the element at an address: `a[0] := address == &a[0] ? x : a[0]` and so on.
fn folded(lines: Vec<String>) -> Vec<String> {
    let element = |line: &str| {
        let (target, value) = line.split_once(" := ")?;
        // What stands in brackets may be an address, with brackets of its own.
        let (object, index) = target.strip_suffix(']')?.split_once('[')?;
        if index == "all" {
            return None;
        }
        let chosen =
            value.strip_suffix(target).and_then(|value| value.strip_suffix(" : ")?.split_once(" ? "));
        if let Some((_, chosen)) = chosen {
            return Some((object.to_owned(), chosen.to_owned(), true));
        }
        let is_number = value.strip_prefix('-').unwrap_or(value).starts_with(|c: char| c.is_ascii_digit());
        is_number.then(|| (object.to_owned(), value.to_owned(), false))
    };
    let mut folded = Vec::new();
    let mut rest = lines.as_slice();
    while let Some(first) = rest.first() {
        let Some((object, value, is_chosen)) = element(first) else {
            folded.push(first.clone());
            rest = &rest[1..];
            continue;
        };
        let same = |line: &&String| {
            element(line).is_some_and(|(other, new, chosen)| {
                other == object && chosen == is_chosen && (new == value || !chosen)
            })
        };
        let run = rest.iter().take_while(same).count();
        if run < FOLDED {
            folded.extend_from_slice(&rest[..run]);
        } else if is_chosen {
            folded.push(format!("{object}, one of {run} elements := {value}"));
        } else {
            let second = element(&rest[1]).map_or(String::new(), |(_, value, _)| value);
            folded.push(format!("{object}, {run} elements := {value}, {second}, …"));
        }
        rest = &rest[run..];
    }
    folded
}

/// The source lines of edges, from the first to the last in each file.
fn lines_of(program: &Program, edges: &[EdgeId]) -> String {
    let mut files: Vec<(&str, u32, u32)> = Vec::new();
    for &e in edges {
        let source = program.edge(e).source;
        if source.line == 0 {
            continue;
        }
        let name = program.file(source.file);
        match files.iter_mut().find(|(file, ..)| *file == name) {
            Some((_, first, last)) => (*first, *last) = ((*first).min(source.line), (*last).max(source.line)),
            None => files.push((name, source.line, source.line)),
        }
    }
    let show = |&(file, first, last): &(&str, u32, u32)| {
        if first == last { format!("{file}:{first}") } else { format!("{file}:{first}-{last}") }
    };
    files.iter().map(show).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn elements_that_are_set_in_a_row_are_one_line() {
        let lines = |text: &[&str]| text.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        let given = lines(&[
            "x := 1",
            "t[all] := 0",
            "t[&t[4]] := 7",
            "t[&t[5]] := -8",
            "t[&t[6]] := 9",
            "u[0] := 1",
            "u[1] := 2",
            "[t[3] == 1]",
        ]);
        let wanted =
            ["x := 1", "t[all] := 0", "t, 3 elements := 7, -8, …", "u[0] := 1", "u[1] := 2", "[t[3] == 1]"];
        assert_eq!(folded(given), wanted);
        let given = lines(&[
            "t[0] := at == &t ? x : t[0]",
            "t[1] := at == 4 ? x : t[1]",
            "t[2] := at == 8 ? x : t[2]",
            "t[3] := 0",
        ]);
        assert_eq!(folded(given), ["t, one of 3 elements := x", "t[3] := 0"]);
        // What is not a number may matter.
        let given = lines(&["t[0] := x", "t[1] := x", "t[2] := x"]);
        assert_eq!(folded(given.clone()), given);
    }
}
