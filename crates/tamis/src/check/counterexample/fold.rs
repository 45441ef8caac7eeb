//! What a long execution does again and again is told once.

use super::{Note, Row};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::mem::{Discriminant, discriminant};

/// A row, or what stands for many of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Item<'a> {
    Row(&'a Row),
    /// The lines from `first` to `last` were executed in the same way again.
    Again {
        first: u32,
        last: u32,
        times: usize,
        depth: usize,
        /// How many rows these are.
        rows: usize,
    },
}

/// Rows that are shown as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Fold {
    /// The first of the rows, and how many they are.
    pub start: usize,
    pub count: usize,
    /// How many rounds of a loop they are.
    pub times: usize,
    /// The lines of the loop.
    pub first: u32,
    pub last: u32,
}

/// Where rows are folded.
pub fn folds(rows: &[Row]) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut start = 0;
    for item in fold(rows) {
        if let Item::Again { first, last, times, rows: count, .. } = item {
            folds.push(Fold { start, count, times, first, last });
        }
        start += item.rows();
    }
    folds
}

impl Item<'_> {
    /// How many rows it stands for.
    fn rows(&self) -> usize {
        match self {
            Item::Row(_) => 1,
            Item::Again { rows, .. } => *rows,
        }
    }
}

/// The longest round of a loop that is looked for, in rows.
const LONGEST: usize = 60;

/// The first rounds that are told, and the last ones.
const FIRST: usize = 2;
const LAST: usize = 1;

/// Loops in loops are folded from the inside.
const NESTING: usize = 3;

/// Folds rounds of loops that take the same way through the program, whatever the values, but for the first ones and the
/// last one.
pub fn fold(rows: &[Row]) -> Vec<Item<'_>> {
    let mut items: Vec<Item<'_>> = rows.iter().map(Item::Row).collect();
    for _ in 0..NESTING {
        let folded = pass(&items);
        if folded.len() == items.len() {
            break;
        }
        items = folded;
    }
    items
}

fn pass<'a>(items: &[Item<'a>]) -> Vec<Item<'a>> {
    let (mut folded, shapes) = (Vec::new(), shapes(items));
    let mut at = 0;
    while at < items.len() {
        let found = (1..=LONGEST.min(items.len() - at)).find_map(|period| {
            // What was folded is not folded once more by itself.
            let is_fold = period == 1 && matches!(items[at], Item::Again { .. });
            let rounds = if is_fold { 1 } else { rounds(&shapes[at..], period) };
            (rounds > FIRST + LAST + 1).then_some((period, rounds))
        });
        let Some((period, rounds)) = found else {
            folded.push(items[at]);
            at += 1;
            continue;
        };
        let round = &items[at..at + period];
        let (lines, depth) = extent(round);
        folded.extend_from_slice(&items[at..at + FIRST * period]);
        let hidden = &items[at + FIRST * period..at + (rounds - LAST) * period];
        let (times, rows) = (rounds - FIRST - LAST, hidden.iter().map(Item::rows).sum());
        folded.push(Item::Again { first: lines.0, last: lines.1, times, depth, rows });
        folded.extend_from_slice(&items[at + (rounds - LAST) * period..at + rounds * period]);
        at += rounds * period;
    }
    folded
}

/// How often the first `period` items are repeated, themselves counted, by their shapes.
fn rounds(shapes: &[u32], period: usize) -> usize {
    shapes.chunks_exact(period).take_while(|&chunk| chunk == &shapes[..period]).count()
}

/// What items do whatever the values are: of those that are alike it is the same.
#[derive(PartialEq, Eq, Hash)]
enum Shape<'a> {
    Row { line: u32, depth: usize, file: &'a str, does: Vec<(Discriminant<Note>, bool)> },
    Again { first: u32, last: u32 },
}

/// The shapes of items, by numbers.
fn shapes<'a>(items: &[Item<'a>]) -> Vec<u32> {
    let mut known: FxHashMap<Shape<'a>, u32> = FxHashMap::default();
    let mut numbers = Vec::with_capacity(items.len());
    for (fresh, item) in (0..).zip(items) {
        numbers.push(match item {
            Item::Row(row) if row.does.iter().any(is_told) => fresh,
            item => *known.entry(shape(item)).or_insert(fresh),
        });
    }
    numbers
}

/// What is told each time that it happens.
fn is_told(note: &Note) -> bool {
    matches!(note, Note::Violation(_) | Note::Undefined(_) | Note::Omitted(_))
}

fn shape<'a>(item: &Item<'a>) -> Shape<'a> {
    match item {
        Item::Row(row) => {
            let does = row.does.iter().map(|note| (discriminant(note), matches!(note, Note::Branch(true))));
            Shape::Row { line: row.line, depth: row.depth, file: &row.file, does: does.collect() }
        }
        Item::Again { first, last, .. } => Shape::Again { first: *first, last: *last },
    }
}

/// The lines of a round, and its depth.
fn extent(round: &[Item<'_>]) -> ((u32, u32), usize) {
    let depth_of = |item: &Item<'_>| match item {
        Item::Row(row) => row.depth,
        Item::Again { depth, .. } => *depth,
    };
    let depth = round.iter().map(depth_of).min().unwrap_or(0);
    let here = round.iter().filter(|item| depth_of(item) == depth);
    let lines = here.flat_map(|item| match item {
        Item::Row(row) => [row.line, row.line],
        Item::Again { first, last, .. } => [*first, *last],
    });
    let (mut first, mut last) = (u32::MAX, 0);
    lines.for_each(|line| (first, last) = (first.min(line), last.max(line)));
    ((first, last), depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: u32, note: Note) -> Row {
        Row { file: "f.c".to_owned(), line, depth: 0, source: String::new(), does: vec![note] }
    }

    fn value(n: usize) -> Note {
        Note::Assign { object: "x".to_owned(), value: n.to_string() }
    }

    #[test]
    fn a_long_loop() {
        let mut rows: Vec<Row> = Vec::new();
        for n in 0..1000 {
            rows.extend([row(3, Note::Branch(true)), row(4, value(n))]);
        }
        rows.push(row(3, Note::Branch(false)));
        let items = fold(&rows);
        assert_eq!(items.len(), 2 * 2 + 1 + 2 + 1);
        assert_eq!(items[4], Item::Again { first: 3, last: 4, times: 997, depth: 0, rows: 1994 });
        assert_eq!(items[6], Item::Row(&rows[1999]));
        assert_eq!(folds(&rows), [Fold { start: 4, count: 1994, times: 997, first: 3, last: 4 }]);
    }

    #[test]
    fn loops_in_loops() {
        let mut rows: Vec<Row> = Vec::new();
        for n in 0..10 {
            rows.push(row(1, value(n)));
            (0..5 + n).for_each(|i| rows.push(row(2, value(i))));
        }
        let items = fold(&rows);
        // The rounds are of different length, and alike when the inner loop is folded.
        assert!(items.len() < 20, "{items:?}");
        assert_eq!(items.iter().map(Item::rows).sum::<usize>(), rows.len());
    }

    #[test]
    fn short_loops_stay() {
        let rows: Vec<Row> = (0..4).map(|n| row(1, value(n))).collect();
        assert_eq!(fold(&rows).len(), 4);
    }

    #[test]
    fn another_way_is_told() {
        let mut rows: Vec<Row> = (0..9).map(|_| row(1, Note::Branch(true))).collect();
        rows.push(row(1, Note::Branch(false)));
        assert_eq!(fold(&rows).last(), Some(&Item::Row(&rows[9])));
    }
}
