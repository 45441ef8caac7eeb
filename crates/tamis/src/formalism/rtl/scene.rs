//! What a page shows of a design: the words that the property depends on, and the conditions of a proof.

use super::model::Reduced;
use crate::cfa::{design, svg};
use crate::check::scene::{Automaton, Condition, MOST_CONDITIONS, Scene, Spot};
use crate::formalism::Answer;
use tamis_logic::Terms;

/// Of more words no picture is made.
const MOST_WORDS: usize = 120;

/// The scene of a search.
pub fn scene(terms: &mut Terms, model: &Reduced, found: &Answer<Reduced>) -> Scene {
    let (_, name, place) = model.named();
    let (file, line) = place.map_or((String::new(), 0), |place| (place.file.to_string(), place.line));
    let checks = vec![Spot { file, line, what: name.to_owned() }];
    let conditions = match found {
        Answer::Proof(proof) => model.conditions(terms, proof),
        _ => Vec::new(),
    };
    let conditions =
        conditions.into_iter().take(MOST_CONDITIONS).map(|(kind, says)| Condition { kind, says }).collect();
    Scene { checks, conditions, automaton: words(terms, model), ..Scene::default() }
}

/// Which words depend on which.
fn words(terms: &Terms, model: &Reduced) -> Option<Automaton> {
    let graph = design::graph(terms, &model.cone);
    (graph.nodes.len() <= MOST_WORDS).then(|| Automaton {
        counts: graph.counts.clone(),
        nodes: graph
            .nodes
            .iter()
            .map(|node| Spot { file: String::new(), line: 0, what: node.name.clone() })
            .collect(),
        arrows: vec![Vec::new(); graph.arrows.len()],
        path: Vec::new(),
        svg: svg::show(&graph.abridged()),
    })
}
