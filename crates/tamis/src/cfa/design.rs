//! A design as a graph: its words, constraints and properties, with an arrow from a word to each that reads it.

use super::graph::{Arrow, Graph, Node, Role, count};
use rustc_hash::FxHashMap;
use tamis_design::{Design, Signal};
use tamis_logic::{Sort, Term, Terms};

/// The graph of a design.
pub fn graph(terms: &Terms, design: &Design) -> Graph {
    let mut graph = Graph { nodes: Vec::new(), arrows: Vec::new(), counts: counts(terms, design) };
    let mut words: FxHashMap<Term, usize> = FxHashMap::default();
    let mut node = |name: String, role: Role, detail: String| {
        graph.nodes.push(Node { name, role, detail, place: None });
        graph.nodes.len() - 1
    };
    for input in &design.inputs {
        words.insert(input.term, node(input.name.clone(), Role::Input, sort(terms, input)));
    }
    let mut readers: Vec<(usize, Vec<Term>)> = Vec::new();
    for register in &design.registers {
        let signal = &register.signal;
        let place = node(signal.name.clone(), Role::Register, sort(terms, signal));
        words.insert(signal.term, place);
        readers.push((place, register.init.into_iter().chain(register.next).collect()));
    }
    let constraints = design.constraints.iter().map(|c| (c, Role::Constraint));
    for (condition, role) in constraints.chain(design.properties.iter().map(|p| (p, Role::Property))) {
        let place = node(condition.name.clone(), role, String::new());
        readers.push((place, vec![condition.term]));
    }
    for justice in &design.justice {
        let place = node(justice.name.clone(), Role::Property, String::new());
        let fairness = design.fairness.iter().map(|f| f.term);
        readers.push((place, justice.conditions.iter().copied().chain(fairness).collect()));
    }
    for (to, read) in readers {
        for word in terms.free_vars_of(&read) {
            if let Some(&from) = words.get(&word) {
                graph.arrows.push(Arrow { from, to, lines: Vec::new(), notes: Vec::new() });
            }
        }
    }
    graph
}

/// How much there is of what.
pub fn counts(terms: &Terms, design: &Design) -> String {
    let memories = design.state().filter(|&r| matches!(terms.sort(r), Sort::Array(_))).count();
    let bits: u64 = design.state().filter_map(|r| terms.sort(r).width()).map(u64::from).sum();
    [
        count(design.inputs.len(), "input"),
        format!(
            "{} of {}",
            count(design.registers.len() - memories, "register"),
            count(bits as usize, "bit")
        ),
        format!("{memories} {}", if memories == 1 { "memory" } else { "memories" }),
        count(design.constraints.len(), "constraint"),
        match design.properties.len() + design.justice.len() {
            1 => "1 property".to_owned(),
            properties => format!("{properties} properties"),
        },
    ]
    .join(", ")
}

fn sort(terms: &Terms, signal: &Signal) -> String {
    let sort = terms.sort(signal.term);
    match (sort, terms.array_parts(sort)) {
        (_, Some((index, element))) => {
            let (index, element) = (index.width().unwrap_or(0), element.width().unwrap_or(0));
            format!("2^{index} x {}", count(element as usize, "bit"))
        }
        _ => count(sort.width().unwrap_or(1) as usize, "bit"),
    }
}
