//! Formulas in negation normal form, and what is left of them after one position of a trace.

use std::fmt;

/// A formula of the safety fragment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    True,
    False,
    /// A proposition by its number, or its negation.
    Literal(usize, bool),
    /// Sorted, without duplicates, at least two.
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Next(Box<Formula>),
    /// The first holds for ever, or up to where the second does.
    Unless(Box<Formula>, Box<Formula>),
}

/// Wider products stay as they are.
const WIDEST: usize = 256;

use Formula::{And, False, Literal, Next, Or, True, Unless};

/// A value of a proposition is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needed(pub usize);

/// A conjunction, as a disjunction of conjunctions: so there are finitely many remainders of a formula.
pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let combined = combine(parts, True, False, |formula| match formula {
        And(parts) => Ok(parts),
        other => Err(other),
    });
    let all = match combined {
        Ok(all) => all,
        Err(one) => return one,
    };
    let Some(at) = all.iter().position(|part| matches!(part, Or(_))) else { return And(all) };
    let width: usize = all
        .iter()
        .map(|part| if let Or(inner) = part { inner.len() } else { 1 })
        .fold(1, usize::saturating_mul);
    if width > WIDEST {
        return And(all);
    }
    let mut rest = all;
    let Or(chosen) = rest.remove(at) else { return And(rest) };
    or(chosen.into_iter().map(|one| and(rest.iter().cloned().chain([one]))))
}

pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let combined = combine(parts, False, True, |formula| match formula {
        Or(parts) => Ok(parts),
        other => Err(other),
    });
    absorbed(combined, Or, |formula| match formula {
        And(parts) => Some(parts),
        _ => None,
    })
}

/// `a || (a && b)` is `a`.
fn absorbed(
    combined: Result<Vec<Formula>, Formula>,
    make: impl Fn(Vec<Formula>) -> Formula,
    dual: impl Fn(&Formula) -> Option<&Vec<Formula>>,
) -> Formula {
    let all = match combined {
        Ok(all) => all,
        Err(one) => return one,
    };
    let implies = |strong: &Formula, weak: &Formula| {
        let Some(weak) = dual(weak) else { return false };
        match dual(strong) {
            Some(strong) => strong.len() < weak.len() && strong.iter().all(|part| weak.contains(part)),
            None => weak.contains(strong),
        }
    };
    let mut kept: Vec<Formula> =
        all.iter().filter(|weak| !all.iter().any(|strong| implies(strong, weak))).cloned().collect();
    if kept.len() == 1 { kept.remove(0) } else { make(kept) }
}

/// The parts of a conjunction or disjunction, or what it is otherwise.
fn combine(
    parts: impl IntoIterator<Item = Formula>,
    neutral: Formula,
    dominant: Formula,
    inner: impl Fn(Formula) -> Result<Vec<Formula>, Formula>,
) -> Result<Vec<Formula>, Formula> {
    let mut all = Vec::new();
    for part in parts {
        match inner(part) {
            Ok(parts) => all.extend(parts),
            Err(part) if part == dominant => return Err(dominant),
            Err(part) if part == neutral => {}
            Err(part) => all.push(part),
        }
    }
    all.sort();
    all.dedup();
    let opposite = |f: &Formula| matches!(f, Literal(p, sign) if all.contains(&Literal(*p, !sign)));
    if all.iter().any(opposite) {
        return Err(dominant);
    }
    match all.len() {
        0 => Err(neutral),
        1 => Err(all.remove(0)),
        _ => Ok(all),
    }
}

pub fn next(formula: Formula) -> Formula {
    match formula {
        True | False => formula,
        other => Next(Box::new(other)),
    }
}

pub fn unless(first: Formula, second: Formula) -> Formula {
    match (first, second) {
        (True, _) | (_, True) => True,
        (False, second) => second,
        (first, second) => Unless(Box::new(first), Box::new(second)),
    }
}

impl Formula {
    /// What is left to hold from the next position on, if the propositions have the values that are known here.
    pub fn progress(&self, value: &impl Fn(usize) -> Option<bool>) -> Result<Formula, Needed> {
        Ok(match self {
            True | False => self.clone(),
            Literal(p, sign) => match value(*p) {
                Some(value) if value == *sign => True,
                Some(_) => False,
                None => return Err(Needed(*p)),
            },
            And(parts) => and(parts.iter().map(|f| f.progress(value)).collect::<Result<Vec<_>, _>>()?),
            Or(parts) => or(parts.iter().map(|f| f.progress(value)).collect::<Result<Vec<_>, _>>()?),
            Next(formula) => Formula::clone(formula),
            Unless(first, second) => {
                or([second.progress(value)?, and([first.progress(value)?, self.clone()])])
            }
        })
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, parts: &[Formula], mark: &str| {
            let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
            write!(f, "({})", parts.join(mark))
        };
        match self {
            True => f.write_str("true"),
            False => f.write_str("false"),
            Literal(p, true) => write!(f, "p{p}"),
            Literal(p, false) => write!(f, "!p{p}"),
            And(parts) => list(f, parts, " && "),
            Or(parts) => list(f, parts, " || "),
            Next(formula) => write!(f, "X {formula}"),
            Unless(first, second) => write!(f, "({first} W {second})"),
        }
    }
}
