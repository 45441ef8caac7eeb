//! Verdicts against what is expected of them.

use crate::verdict::ExitStatus;
use serde::{Deserialize, Serialize};

/// What a list or a task definition expects: `true`, `false`, or `false` of one property, as `false(valid-deref)`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Expected(String);

impl Expected {
    /// Reads it; `None` if it is no such thing.
    pub fn read(text: &str) -> Option<Expected> {
        matches!(answer(text), "true" | "false").then(|| Expected(text.to_owned()))
    }

    /// As it is written.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether a verdict says the same. Only if a property is expected, it counts which one is violated.
    fn is(&self, verdict: &str) -> bool {
        let said = if self.0.contains('(') { verdict } else { answer(verdict) };
        said == self.0
    }
}

/// What is to be thought of a result. The worst come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// The verdict is not the expected one.
    Wrong,
    /// A violation, where nothing is expected.
    Violated,
    /// An internal error, or an end without a verdict.
    Crash,
    /// The input cannot be read.
    Unreadable,
    /// Neither proved nor refuted.
    Unknown,
    /// A proof, where nothing is expected.
    Proved,
    /// The verdict is the expected one.
    Right,
}

impl Judgement {
    /// What is to be thought of a verdict, with the exit code that came with it.
    pub fn of(verdict: &str, exit: Option<i32>, expected: Option<&Expected>) -> Judgement {
        match (answer(verdict), expected) {
            ("true" | "false", Some(expected)) if expected.is(verdict) => Judgement::Right,
            ("true" | "false", Some(_)) => Judgement::Wrong,
            ("true", None) => Judgement::Proved,
            ("false", None) => Judgement::Violated,
            _ if exit == Some(ExitStatus::Unreadable as i32) => Judgement::Unreadable,
            _ if exit == Some(ExitStatus::Unknown as i32) => Judgement::Unknown,
            _ => Judgement::Crash,
        }
    }

    /// Whether the question has an answer that nobody contradicts.
    pub fn is_answer(self) -> bool {
        matches!(self, Judgement::Right | Judgement::Proved | Judgement::Violated)
    }

    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Judgement::Wrong => "WRONG",
            Judgement::Violated => "violated",
            Judgement::Crash => "CRASH",
            Judgement::Unreadable => "unreadable",
            Judgement::Unknown => "unknown",
            Judgement::Proved => "proved",
            Judgement::Right => "right",
        }
    }
}

/// `true`, `false` or `unknown`, without what is in parentheses.
pub fn answer(verdict: &str) -> &str {
    verdict.split('(').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_counts_where_it_is_expected() {
        let judge = |verdict, expected| Judgement::of(verdict, None, Expected::read(expected).as_ref());
        assert_eq!(judge("false(valid-free)", "false"), Judgement::Right);
        assert_eq!(judge("false(valid-free)", "false(valid-free)"), Judgement::Right);
        assert_eq!(judge("false(valid-free)", "false(valid-deref)"), Judgement::Wrong);
        assert_eq!(judge("true", "false(valid-deref)"), Judgement::Wrong);
        assert_eq!(judge("true", "-"), Judgement::Proved);
        assert_eq!(judge("false(x)", "-"), Judgement::Violated);
    }

    #[test]
    fn exit_codes_tell_unknowns_apart() {
        let judge = |exit| Judgement::of("unknown(x)", exit, None);
        assert_eq!(judge(Some(3)), Judgement::Unknown);
        assert_eq!(judge(Some(4)), Judgement::Unreadable);
        assert_eq!(judge(Some(5)), Judgement::Crash);
        assert_eq!(judge(None), Judgement::Crash);
    }
}
