//! An earlier run beside this one.

use super::judge::Judgement;
use super::ledger::Record;
use std::collections::HashMap;

/// What takes less processor time than this is not called slower: it is lost among what else the machine does.
const NEGLIGIBLE: f64 = 2.0;

/// How a check changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// It had an answer, and has none, or a wrong one.
    Lost,
    /// It is wrong, or a violation, and was not before.
    Worse,
    /// It has the same answer, later.
    Slower,
    /// It had no answer, or a wrong one, and has one.
    Gained,
    /// It is new.
    New,
}

impl Change {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Change::Lost => "lost",
            Change::Worse => "worse",
            Change::Slower => "slower",
            Change::Gained => "gained",
            Change::New => "new",
        }
    }

    /// Whether the run fails for it.
    pub fn is_bad(self) -> bool {
        matches!(self, Change::Lost | Change::Worse | Change::Slower)
    }
}

/// How a check of this run changed, with what it was.
#[derive(Clone, Copy, Debug)]
pub struct Changed<'a> {
    pub change: Change,
    pub before: Option<&'a Record>,
    pub now: &'a Record,
}

/// What changed, the worst first. Checks are the same if task, property and preset have the same names. Where an earlier run
/// has several results of one check, as after a change of its file, the last line counts.
pub fn compare<'a>(before: &'a [Record], now: &[&'a Record], slower: f64) -> Vec<Changed<'a>> {
    let known: HashMap<_, _> = before.iter().map(|record| (record.name(), record)).collect();
    let mut changes = Vec::new();
    for &now in now {
        let before = known.get(&now.name()).copied();
        let change = match before {
            None => Some(Change::New),
            Some(before) => change(before, now, slower),
        };
        changes.extend(change.map(|change| Changed { change, before, now }));
    }
    changes.sort_by_key(|changed| changed.change);
    changes
}

fn change(before: &Record, now: &Record, slower: f64) -> Option<Change> {
    let bad = |record: &Record| {
        matches!(record.judgement, Judgement::Wrong | Judgement::Crash | Judgement::Violated)
    };
    match (before.judgement.is_answer(), now.judgement.is_answer()) {
        (true, false) => Some(Change::Lost),
        (_, _) if bad(now) && !bad(before) => Some(Change::Worse),
        (false, true) => Some(Change::Gained),
        (true, true) => {
            let (then, now) = (before.processor_seconds, now.processor_seconds);
            (now > NEGLIGIBLE && now > slower * then).then_some(Change::Slower)
        }
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(task: &str, judgement: Judgement, processor_seconds: f64) -> Record {
        let text = serde_json::json!({
            "format": 1, "key": "", "task": task, "verdict": "", "judgement": judgement, "seconds": 0.0,
            "processor_seconds": processor_seconds, "memory_mb": 0.0
        });
        serde_json::from_value(text).expect("a record")
    }

    #[test]
    fn changes() {
        use Judgement::{Crash, Proved, Right, Unknown, Violated, Wrong};
        for (before, after, times, change) in [
            (Right, Right, (1.0, 1.9), None),
            (Right, Right, (1.0, 2.1), Some(Change::Slower)),
            (Right, Right, (0.1, 1.0), None),
            (Right, Right, (9.0, 1.0), None),
            (Right, Unknown, (1.0, 1.0), Some(Change::Lost)),
            (Right, Wrong, (1.0, 1.0), Some(Change::Lost)),
            (Unknown, Right, (1.0, 9.0), Some(Change::Gained)),
            (Wrong, Right, (1.0, 1.0), Some(Change::Gained)),
            (Unknown, Unknown, (1.0, 9.0), None),
            (Unknown, Wrong, (1.0, 1.0), Some(Change::Worse)),
            (Unknown, Crash, (1.0, 1.0), Some(Change::Worse)),
            (Wrong, Wrong, (1.0, 1.0), None),
            (Proved, Violated, (1.0, 1.0), Some(Change::Worse)),
            (Violated, Violated, (1.0, 1.0), None),
        ] {
            let (old, new) = ([record("t", before, times.0)], record("t", after, times.1));
            let found = compare(&old, &[&new], 2.0);
            assert_eq!(found.first().map(|c| c.change), change, "{before:?} {after:?} {times:?}");
        }
        let new = record("u", Right, 0.0);
        assert_eq!(compare(&[], &[&new], 2.0)[0].change, Change::New);
    }
}
