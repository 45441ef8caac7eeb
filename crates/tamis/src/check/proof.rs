//! Proofs for people: invariants in the source's language.

use crate::color;
use serde::Serialize;

/// Why a property holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// What holds at loop heads.
    Loops(Vec<Invariant>),
    /// What holds in every cycle.
    Cycles(Vec<Invariant>),
    /// So many cycles that do not violate the property are not followed by one that does; so many steps do not end in the
    /// violation.
    KInduction {
        k: usize,
        /// What is counted.
        steps: Steps,
        /// Whether only cycles are looked at in which the state is another each time.
        simple_path: bool,
        /// What holds in every cycle, and was used.
        facts: Vec<Invariant>,
    },
    /// All executions end, and none in a violation.
    Exhaustion,
    /// The program has one execution, of so many statements.
    Execution(u64),
}

/// What an induction is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Steps {
    /// Clock cycles.
    Cycles,
    /// Ways from one loop head to the next.
    Rounds,
}

/// What holds somewhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Invariant {
    pub file: String,
    pub line: u32,
    /// The function of a loop's head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// As an expression of the source's language, or in SMT-LIB where that would be too long.
    pub invariant: String,
    /// Its conjuncts, for people.
    #[serde(skip)]
    pub conditions: Vec<String>,
}

impl Proof {
    /// The invariants, if there are any.
    pub fn invariants(&self) -> Option<&[Invariant]> {
        match self {
            Proof::Loops(invariants) | Proof::Cycles(invariants) => Some(invariants),
            Proof::KInduction { facts, .. } => Some(facts),
            Proof::Exhaustion | Proof::Execution(_) => None,
        }
    }

    /// Prints the proof to stderr; what is more than a screen is folded unless all is wanted.
    pub fn print(&self, full: bool) {
        let proof = color::good("proof");
        match self {
            Proof::Loops(invariants) if invariants.is_empty() => {
                eprintln!("{proof}: no loop is involved; every path to the error was refuted");
            }
            Proof::Loops(invariants) => {
                eprintln!("{proof}: invariants at loop heads");
                print_loops(invariants, full);
            }
            Proof::Cycles(invariants) if invariants.is_empty() => {
                eprintln!("{proof}: no cycle violates the property, whatever the registers hold");
            }
            Proof::Cycles(invariants) => {
                eprintln!("{proof}: in every cycle");
                print_conjuncts(invariants, full);
            }
            Proof::KInduction { k, steps, simple_path, facts } => {
                let unit = match steps {
                    Steps::Cycles => "cycle",
                    Steps::Rounds => "step",
                };
                let plural = if *k == 1 { "" } else { "s" };
                let between = if *steps == Steps::Rounds { " between loop heads" } else { "" };
                let different = if *simple_path { " with different states" } else { "" };
                eprintln!("{proof}: by induction over {k} {unit}{plural}{between}{different}");
                match steps {
                    _ if facts.is_empty() => {}
                    Steps::Cycles => {
                        eprintln!("in every cycle");
                        print_conjuncts(facts, full);
                    }
                    Steps::Rounds => print_loops(facts, full),
                }
            }
            Proof::Exhaustion => eprintln!("{proof}: every execution was followed to its end"),
            Proof::Execution(_) => eprintln!("{proof}: the program has one execution"),
        }
    }
}

/// So many lines are printed of all invariants together: a screen.
const SCREEN: usize = 30;

/// So many conditions are printed of one loop, where there are several loops.
const CONDITIONS: usize = 10;

/// Longer texts are broken into conditions, and longer conditions are cut.
const LONGEST: usize = 120;

fn print_loops(invariants: &[Invariant], full: bool) {
    invariant_lines(invariants, full).iter().for_each(|line| eprintln!("  {line}"));
}

fn invariant_lines(invariants: &[Invariant], full: bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let most = if invariants.len() == 1 { SCREEN - 2 } else { CONDITIONS };
    for (place, Invariant { file, line, function, invariant, conditions }) in invariants.iter().enumerate() {
        if !full && lines.len() >= SCREEN {
            lines.push(format!("… and at {} more; --full-trace shows all", loops(invariants.len() - place)));
            break;
        }
        let head = format!("{file}:{line} in {}:", function.as_deref().unwrap_or_default());
        if conditions.len() < 2 && (full || invariant.chars().count() <= LONGEST)
            || conditions.len() > 1 && invariant.chars().count() <= LONGEST
        {
            lines.push(format!("{head} {invariant}"));
            continue;
        }
        lines.push(head);
        // One line says how many are left out, or is the last of them.
        let shown = if full || conditions.len() <= most + 1 { conditions.len() } else { most };
        for (i, condition) in conditions[..shown].iter().enumerate() {
            let and = if i == 0 { "   " } else { "&& " };
            lines.push(format!("  {and}{}", if full { condition.clone() } else { cut(condition) }));
        }
        if shown < conditions.len() {
            let left = conditions.len() - shown;
            lines.push(format!("  && … {left} more conditions; --full-trace shows all"));
        }
    }
    lines
}

fn loops(number: usize) -> String {
    format!("{number} loop{}", if number == 1 { "" } else { "s" })
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}

fn print_conjuncts(invariants: &[Invariant], full: bool) {
    let most = if full || invariants.len() <= SCREEN + 1 { invariants.len() } else { SCREEN };
    for invariant in &invariants[..most] {
        let text = &invariant.invariant;
        eprintln!("  {}", if full { text.clone() } else { cut(text) });
    }
    if most < invariants.len() {
        eprintln!("  … and {} more; --full-trace shows all", invariants.len() - most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invariant(line: u32, conditions: usize) -> Invariant {
        let conditions: Vec<String> = (0..conditions).map(|i| format!("variable_{i} < {i}")).collect();
        let invariant = conditions.join(" && ");
        Invariant { file: "a.c".to_owned(), line, function: Some("main".to_owned()), invariant, conditions }
    }

    #[test]
    fn what_is_short_is_a_line_and_what_is_long_is_folded() {
        let short = [invariant(3, 2)];
        assert_eq!(invariant_lines(&short, false), ["a.c:3 in main: variable_0 < 0 && variable_1 < 1"]);
        let long: Vec<Invariant> = (0..20).map(|line| invariant(line, 50)).collect();
        let lines = invariant_lines(&long, false);
        assert!(lines.len() <= SCREEN + CONDITIONS + 3, "{lines:#?}");
        assert!(
            lines.iter().any(|line| line == "  && … 40 more conditions; --full-trace shows all"),
            "{lines:#?}"
        );
        assert!(lines.last().is_some_and(|line| line.starts_with("… and at ")), "{lines:#?}");
        let lines = invariant_lines(&long, true);
        assert_eq!(lines.len(), 20 * 51);
        // Alone it has the whole screen.
        assert!(invariant_lines(&long[..1], false).len() <= SCREEN);
    }
}
