//! A table of clock cycles: what words hold in each.

use serde::{Deserialize, Serialize};

/// What words of a design hold, cycle by cycle, up to a violation in the last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// Where the property stands.
    pub file: String,
    pub line: u32,
    /// What is violated.
    pub violation: String,
    pub words: Vec<Word>,
    /// What each word holds in each cycle.
    pub cycles: Vec<Vec<String>>,
    /// The cycle that comes again after the last, where an execution without an end is the violation.
    pub loop_start: Option<usize>,
}

/// A word of a design.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Word {
    pub name: String,
    pub kind: Kind,
}

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Chosen by the environment in each cycle.
    Input,
    /// Kept from cycle to cycle.
    Register,
}

/// A table is not wider, in characters; otherwise changes are listed instead.
const WIDEST: usize = 100;

/// Of a longer execution the first and the last cycles are shown.
const LONGEST: usize = 40;
const FIRST: usize = 15;
const LAST: usize = 20;

/// Of what changes in a cycle so many words are shown.
const MOST_CHANGES: usize = 24;

impl Table {
    /// The table for people, all of it or folded.
    pub fn lines(&self, full: bool) -> Vec<String> {
        let count = self.cycles.len();
        let cycles = if count == 1 { "1 cycle".to_owned() } else { format!("{count} cycles") };
        let mut lines = vec![match self.loop_start {
            None => format!("counterexample: {cycles}"),
            Some(start) => format!("counterexample: {cycles}, those from cycle {start} on again and again"),
        }];
        let width = |i: usize| {
            let values = self.cycles.iter().map(|cycle| cycle[i].chars().count());
            values.chain([self.words[i].name.chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.words.len()).map(width).collect();
        let fits = widths.iter().map(|width| width + 2).sum::<usize>() + "  cycle".len() <= WIDEST;
        let rows = if fits { self.rows(&widths) } else { self.listed(full) };
        // The first line of a table has the names.
        let head = usize::from(fits);
        let left_out = if full || count <= LONGEST { 0 } else { count - FIRST - LAST };
        for (i, row) in rows.into_iter().enumerate() {
            if left_out > 0 && i == FIRST + head {
                lines.push(format!("  … {left_out} more cycles; --full-trace shows them"));
            }
            if left_out == 0 || i < FIRST + head || i >= FIRST + head + left_out {
                lines.push(row);
            }
        }
        let place =
            if self.file.is_empty() { String::new() } else { format!(", {}:{}", self.file, self.line) };
        let (last, violation) = (count.saturating_sub(1), &self.violation);
        lines.push(match self.loop_start {
            None => format!("  VIOLATION in cycle {last}: {violation}{place}"),
            Some(start) => {
                format!("  VIOLATION: after cycle {last} comes cycle {start} again: {violation}{place}")
            }
        });
        lines
    }

    /// What stands before a cycle: a mark, if it is part of a loop.
    fn mark(&self, cycle: usize) -> &'static str {
        if self.loop_start.is_some_and(|start| cycle >= start) { "> " } else { "  " }
    }

    /// A line with the names, and one for each cycle.
    fn rows(&self, widths: &[usize]) -> Vec<String> {
        let row = |mark: &str, first: &str, cells: Vec<&str>| {
            let cells = std::iter::zip(cells, widths).map(|(cell, width)| format!("  {cell:>width$}"));
            format!("{mark}{first:>5}{}", cells.collect::<String>())
        };
        let names = row("  ", "cycle", self.words.iter().map(|word| word.name.as_str()).collect());
        let cycle = |(i, cells): (usize, &Vec<String>)| {
            row(self.mark(i), &i.to_string(), cells.iter().map(String::as_str).collect())
        };
        std::iter::once(names).chain(self.cycles.iter().enumerate().map(cycle)).collect()
    }

    /// A line for each cycle, with what changes.
    fn listed(&self, full: bool) -> Vec<String> {
        let most = if full { usize::MAX } else { MOST_CHANGES };
        (0..self.cycles.len()).map(|i| format!("{}{i:>5}  {}", self.mark(i), self.change(i, most))).collect()
    }

    /// What changes in each cycle.
    pub fn changes(&self) -> Vec<String> {
        (0..self.cycles.len()).map(|i| format!("cycle {i}: {}", self.change(i, usize::MAX))).collect()
    }

    fn change(&self, cycle: usize, most: usize) -> String {
        let before = cycle.checked_sub(1).map(|before| &self.cycles[before]);
        let now = std::iter::zip(&self.words, &self.cycles[cycle]).enumerate();
        let changed = now.filter(|(i, (_, value))| before.is_none_or(|before| before[*i] != **value));
        let mut texts: Vec<String> =
            changed.map(|(_, (word, value))| format!("{} = {value}", word.name)).collect();
        if texts.is_empty() {
            return "nothing changes".to_owned();
        }
        if texts.len() > most {
            let more = texts.len() - most;
            texts.truncate(most);
            texts.push(format!("and {more} more"));
        }
        texts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(names: &[&str], cycles: usize) -> Table {
        let word = |name: &&str| Word { name: (*name).to_owned(), kind: Kind::Register };
        let cycle = |i: usize| vec![(i / 2).to_string(); names.len()];
        Table {
            file: "a.btor2".to_owned(),
            line: 3,
            violation: "bad".to_owned(),
            words: names.iter().map(word).collect(),
            cycles: (0..cycles).map(cycle).collect(),
            loop_start: None,
        }
    }

    #[test]
    fn a_long_execution_is_folded() {
        let table = table(&["a"], 100);
        let (folded, full) = (table.lines(false), table.lines(true));
        assert_eq!((folded.len(), full.len()), (FIRST + LAST + 4, 103 - 1 + 1));
        assert!(folded.iter().any(|line| line.contains("… 65 more cycles")), "{folded:#?}");
        assert!(folded.last().is_some_and(|line| line.contains("VIOLATION in cycle 99: bad")));
    }

    #[test]
    fn a_loop_is_marked() {
        let table = Table { loop_start: Some(2), ..table(&["a"], 4) };
        let lines = table.lines(false);
        assert_eq!(lines[3..5], ["      1  0", ">     2  1"]);
        assert!(lines[6].contains("after cycle 3 comes cycle 2 again: bad, a.btor2:3"), "{lines:#?}");
    }

    #[test]
    fn many_words_are_told_by_their_changes() {
        let name = "a_rather_long_name";
        let table = table(&[name; 8], 3);
        let lines = table.lines(false);
        assert_eq!(lines[2], "      1  nothing changes");
        assert!(lines[3].contains("a_rather_long_name = 1"), "{lines:#?}");
    }
}
