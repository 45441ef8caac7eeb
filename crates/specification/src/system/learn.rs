//! A machine that allows all that a program does, and little more.
//!
//! L\* (Angluin, *Learning regular sets from queries and counterexamples*, 1987) for languages that have all beginnings of their words, as
//! assume-guarantee reasoning uses it (Cobleigh, Giannakopoulou and Păsăreanu, TACAS 2003). Whether the program does a word is one
//! check of the program, whether it does no more than a machine another; a word on which they differ adds its endings to those that
//! tell states apart.

use super::Process;
use rustc_hash::FxHashMap;

/// What a check says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer<W> {
    /// It is so.
    Yes,
    /// It is not, with what shows it.
    No(W),
    /// It is not known, for a reason.
    Unknown(String),
}

/// Questions about a program.
pub trait Oracle {
    /// Whether the program never does a word; that it does needs no more showing here.
    fn never_does(&mut self, word: &[usize]) -> Answer<()>;

    /// Whether all words of the program are a process's; one that is not.
    fn does_no_more(&mut self, process: &Process) -> Answer<Vec<usize>>;
}

/// A table of what is known of a program.
pub struct Learned {
    alphabet: Vec<usize>,
    /// Words that tell states.
    prefixes: Vec<Vec<usize>>,
    /// Words that tell states apart.
    suffixes: Vec<Vec<usize>>,
    known: FxHashMap<Vec<usize>, bool>,
}

impl Learned {
    /// Nothing is known yet.
    pub fn new(alphabet: &[usize]) -> Learned {
        Learned {
            alphabet: alphabet.to_vec(),
            prefixes: vec![Vec::new()],
            suffixes: vec![Vec::new()],
            known: FxHashMap::default(),
        }
    }

    /// What tells a word's state from others.
    fn row(&mut self, word: &[usize], oracle: &mut impl Oracle) -> Result<Vec<bool>, String> {
        let suffixes = self.suffixes.clone();
        suffixes.iter().map(|suffix| self.does(&[word, suffix].concat(), oracle)).collect()
    }

    /// Whether the program does a word. Of words that it does, it does all beginnings.
    pub fn does(&mut self, word: &[usize], oracle: &mut impl Oracle) -> Result<bool, String> {
        if word.is_empty() {
            return Ok(true);
        }
        if let Some(&known) = self.known.get(word) {
            return Ok(known);
        }
        let possible = self.does(&word[..word.len() - 1], oracle)?;
        let does = possible
            && match oracle.never_does(word) {
                Answer::Yes => false,
                Answer::No(()) => true,
                Answer::Unknown(why) => return Err(why),
            };
        self.known.insert(word.to_vec(), does);
        Ok(does)
    }

    /// A word on which program and machine differ: all its endings tell states apart. Whether that is new.
    pub fn differ(&mut self, word: &[usize]) -> bool {
        let before = self.suffixes.len();
        for start in 0..word.len() {
            let suffix = word[start..].to_vec();
            if !self.suffixes.contains(&suffix) {
                self.suffixes.push(suffix);
            }
        }
        self.suffixes.len() > before
    }

    /// The machine of the table, once it is closed; its states are at most so many.
    fn machine(&mut self, most: usize, oracle: &mut impl Oracle) -> Result<Process, String> {
        let mut next = 0;
        let mut rows: Vec<Vec<bool>> = Vec::new();
        let mut moves = Vec::new();
        // Words with the same row are one state: only the first stays.
        let mut prefixes = vec![Vec::new()];
        rows.push(self.row(&[], oracle)?);
        while next < prefixes.len() {
            let prefix = prefixes[next].clone();
            for action in self.alphabet.clone() {
                let word = [&prefix[..], &[action]].concat();
                if !self.does(&word, oracle)? {
                    continue;
                }
                let row = self.row(&word, oracle)?;
                let to = match rows.iter().position(|known| *known == row) {
                    Some(known) => known,
                    None if rows.len() == most => return Err(format!("more than {most} states")),
                    None => {
                        rows.push(row);
                        prefixes.push(word);
                        rows.len() - 1
                    }
                };
                moves.push((next, Some(action), to));
            }
            next += 1;
        }
        self.prefixes = prefixes;
        Ok(Process { states: rows.len(), moves, alphabet: self.alphabet.clone() })
    }
}

/// A machine with at most so many states that allows all that a program does; `Err` says why there is none.
pub fn learn(learned: &mut Learned, most: usize, oracle: &mut impl Oracle) -> Result<Process, String> {
    loop {
        let process = learned.machine(most, oracle)?;
        match oracle.does_no_more(&process) {
            Answer::Yes => return Ok(process),
            Answer::Unknown(why) => return Err(why),
            Answer::No(word) => {
                if process.does(&word) {
                    return Err("a word that shows nothing".to_owned());
                }
                for end in 1..=word.len() {
                    learned.known.insert(word[..end].to_vec(), true);
                }
                if !learned.differ(&word) {
                    return Err("nothing is learned from a word".to_owned());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::product::Process;
    use super::*;

    /// A program that is a process.
    struct Known(Process);

    impl Oracle for Known {
        fn never_does(&mut self, word: &[usize]) -> Answer<()> {
            if self.0.does(word) { Answer::No(()) } else { Answer::Yes }
        }

        fn does_no_more(&mut self, process: &Process) -> Answer<Vec<usize>> {
            let found = super::super::product::violation(std::slice::from_ref(&self.0), process, 10_000);
            match found {
                Ok(None) => Answer::Yes,
                Ok(Some(word)) => Answer::No(word),
                Err(_) => Answer::Unknown("too many states".to_owned()),
            }
        }
    }

    #[test]
    fn a_process_is_learned_exactly_where_words_are_told_that_it_does_not_do() {
        let mut random = tamis_testing::Random::new(3);
        for _ in 0..300 {
            let states = 1 + random.below(4usize);
            let moves = (0..1 + random.below(8usize))
                .map(|_| {
                    let action = (random.below(5u64) > 0).then(|| random.below(2usize));
                    (random.below(states), action, random.below(states))
                })
                .collect();
            let program = Process { states, moves, alphabet: vec![0, 1] };
            let mut oracle = Known(program.clone());
            let mut learned = Learned::new(&[0, 1]);
            let process = loop {
                let process = learn(&mut learned, 100, &mut oracle).expect("it is regular");
                let more = super::super::product::violation(std::slice::from_ref(&process), &program, 10_000);
                match more.expect("few states") {
                    None => break process,
                    Some(word) => assert!(learned.differ(&word)),
                }
            };
            let less = super::super::product::violation(std::slice::from_ref(&program), &process, 10_000);
            assert_eq!(less, Ok(None), "{program:?} {process:?}");
        }
    }
}
