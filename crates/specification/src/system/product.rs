//! Processes side by side.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A process: its first state is 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// How many states it has.
    pub states: usize,
    /// From, the action, to; without an action the step is silent.
    pub moves: Vec<(usize, Option<usize>, usize)>,
    /// The actions that do not happen without it.
    pub alphabet: Vec<usize>,
}

impl Process {
    /// The process that does anything.
    pub fn anything(alphabet: &[usize]) -> Process {
        let moves = alphabet.iter().map(|&action| (0, Some(action), 0)).collect();
        Process { states: 1, moves, alphabet: alphabet.to_vec() }
    }

    fn silently(&self, mut states: Vec<usize>) -> Vec<usize> {
        let mut next = 0;
        while let Some(&state) = states.get(next) {
            next += 1;
            for &(from, action, to) in &self.moves {
                if from == state && action.is_none() && !states.contains(&to) {
                    states.push(to);
                }
            }
        }
        states.sort_unstable();
        states
    }

    /// All states that it may be in at first.
    fn start(&self) -> Vec<usize> {
        self.silently(vec![0])
    }

    /// All states after an action; none if it cannot happen.
    fn after(&self, states: &[usize], action: usize) -> Vec<usize> {
        let mut next = Vec::new();
        for &(from, moved, to) in &self.moves {
            if moved == Some(action) && states.contains(&from) && !next.contains(&to) {
                next.push(to);
            }
        }
        self.silently(next)
    }

    /// Whether it can do a word.
    pub fn does(&self, word: &[usize]) -> bool {
        let mut states = self.start();
        word.iter().all(|&action| {
            states = self.after(&states, action);
            !states.is_empty()
        })
    }
}

/// A shortest word that all processes can do together, each its actions, and that a machine does not allow. `None` also where there
/// are more than `limit` states to look at.
pub fn violation(
    processes: &[Process],
    allowed: &Process,
    limit: usize,
) -> Result<Option<Vec<usize>>, usize> {
    let mut actions: Vec<usize> = processes.iter().flat_map(|p| p.alphabet.iter().copied()).collect();
    actions.sort_unstable();
    actions.dedup();
    let start: (Vec<Vec<usize>>, Vec<usize>) =
        (processes.iter().map(Process::start).collect(), allowed.start());
    let mut numbers = FxHashMap::default();
    numbers.insert(start.clone(), 0);
    // Each state with the one before it and the action between them.
    let mut before: Vec<Option<(usize, usize)>> = vec![None];
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some(((states, spec), number)) = queue.pop_front() {
        for &action in &actions {
            let step = |(process, states): (&Process, &Vec<usize>)| match process.alphabet.contains(&action) {
                true => process.after(states, action),
                false => states.clone(),
            };
            let next: Vec<Vec<usize>> = processes.iter().zip(&states).map(step).collect();
            if next.iter().any(Vec::is_empty) {
                continue;
            }
            let next_spec = match allowed.alphabet.contains(&action) {
                true => allowed.after(&spec, action),
                false => spec.clone(),
            };
            if next_spec.is_empty() {
                let mut word = vec![action];
                let mut at = number;
                while let Some((earlier, action)) = before[at] {
                    word.push(action);
                    at = earlier;
                }
                word.reverse();
                return Ok(Some(word));
            }
            let next = (next, next_spec);
            if !numbers.contains_key(&next) {
                if before.len() == limit {
                    return Err(limit);
                }
                numbers.insert(next.clone(), before.len());
                queue.push_back((next, before.len()));
                before.push(Some((number, action)));
            }
        }
    }
    Ok(None)
}
