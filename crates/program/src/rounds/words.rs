//! What executions repeat: words of paths from cutpoint to cutpoint.
//!
//! An execution with inputs chosen at random is told as the paths that it takes between cutpoints, and a path that is taken several times
//! in a row is told once, with how often. Wherever that has the same part twice in a row, the part is a word that may be repeated more
//! often. A counter that goes from 0 to 9 and is reset gives the word "nine times up, once back", in whose rounds the
//! counter does not change at all.

use crate::automaton::EdgeId;
use crate::candidates::executions::{Running, numbers};
use crate::cutset::relevant_locations;
use crate::system::ProgramSystem;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use tamis_logic::Terms;

/// A path between cutpoints, taken so many times in a row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Passed {
    pub path: Rc<[EdgeId]>,
    pub times: usize,
}

/// Several of them.
pub(super) type Word = Vec<Passed>;

/// So many executions, each over so many edges, and all together over so many.
const EXECUTIONS: u64 = 24;
const MAX_EDGES: usize = 20_000;
const ALL_EDGES: usize = 120_000;

/// Words of so many parts, with so many edges in all.
const LONGEST: usize = 8;
const MOST_EDGES: usize = 1 << 14;

/// So many words.
const MOST: usize = 24;

/// The words that executions repeat.
pub(super) fn repeated(terms: &Terms, system: &ProgramSystem<'_>, stop: &dyn Fn() -> bool) -> Vec<Word> {
    let program = system.program();
    let (numbers, relevant) = (numbers(terms, program), relevant_locations(program));
    let mut known: FxHashSet<Word> = FxHashSet::default();
    let mut words = Vec::new();
    let mut edges = 0;
    for seed in 0..EXECUTIONS {
        if edges > ALL_EDGES || words.len() >= MOST {
            break;
        }
        let mut running = Running::new(terms, program, &numbers, seed);
        let (mut told, mut path): (Word, Vec<EdgeId>) = (Vec::new(), Vec::new());
        for _ in 0..MAX_EDGES {
            if !relevant[running.at.index()] {
                break;
            }
            if edges % 64 == 0 && stop() {
                return words;
            }
            edges += 1;
            let Some(edge) = running.step() else { break };
            path.push(edge);
            if system.point(running.at).is_some() {
                pass(&mut told, &std::mem::take(&mut path));
            }
        }
        for word in repeated_in(&told) {
            if words.len() < MOST && known.insert(word.to_vec()) {
                words.push(word.to_vec());
            }
        }
    }
    words
}

/// Tells one more path.
fn pass(told: &mut Word, path: &[EdgeId]) {
    match told.last_mut() {
        Some(last) if *last.path == *path => last.times += 1,
        _ => told.push(Passed { path: path.into(), times: 1 }),
    }
}

/// The parts that are told twice in a row, of several paths.
fn repeated_in(told: &[Passed]) -> impl Iterator<Item = &[Passed]> {
    let size = |word: &[Passed]| word.iter().map(|p| p.path.len() * p.times).sum::<usize>();
    (0..told.len())
        .flat_map(move |at| (2..=LONGEST).filter_map(move |long| told.get(at..at + 2 * long)))
        .filter(|twice| twice[..twice.len() / 2] == twice[twice.len() / 2..])
        .map(|twice| &twice[..twice.len() / 2])
        .filter(move |word| size(word) <= MOST_EDGES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reset_counter_repeats_a_word() {
        let (up, back) = ([EdgeId(0), EdgeId(1)], [EdgeId(2)]);
        let mut told = Vec::new();
        for round in 0..33 {
            match round % 10 {
                9 => pass(&mut told, &back),
                _ => pass(&mut told, &up),
            }
        }
        let words: FxHashSet<Word> = repeated_in(&told).map(<[Passed]>::to_vec).collect();
        let expected = vec![
            Passed { path: up.as_slice().into(), times: 9 },
            Passed { path: back.as_slice().into(), times: 1 },
        ];
        assert!(words.contains(&expected), "{words:?}");
        assert!(words.iter().all(|word| word.iter().map(|p| p.times).sum::<usize>() % 10 == 0));
    }
}
