//! Automata against the obvious semantics on finite traces, for random properties.

mod files;
mod language;
mod monitors;
mod trace;

use super::automaton::{Automaton, Tree};
use super::lexer::tokens;
use super::parser::{Assertion, Context, Definitions, assertion};
use super::words::Refusal;
use language::Maker;
use std::collections::BTreeSet;
use tamis_testing::Random;
use trace::Trace;

/// The cycles in which the automaton finds that the attempt from the first cycle fails. A part of a conjunction may fail
/// after another.
fn automaton_fails(automaton: &Automaton, leaves: &[String], trace: &Trace) -> BTreeSet<usize> {
    let mut fails = BTreeSet::new();
    if automaton.fails {
        fails.insert(0);
    }
    let mut marked: BTreeSet<usize> = automaton.start.iter().copied().collect();
    for at in 0..trace.0.len() {
        let holds = |leaf: usize| {
            let text = &leaves[leaf];
            if let Some(case) = text.strip_prefix("(({") {
                // `(({a, b}) == (2'b10))`
                let names: Vec<char> = case.chars().filter(char::is_ascii_lowercase).take(2).collect();
                let wanted = if text.contains("2'b11") { [true, true] } else { [true, false] };
                return names.iter().zip(wanted).all(|(&c, wanted)| trace.value(c, at) == Some(wanted));
            }
            let negated = text.starts_with('!');
            trace.value(text.chars().last().expect("a name"), at) != Some(negated)
        };
        let mut next = BTreeSet::new();
        for &state in &marked {
            let mut tree = &automaton.states[state];
            while let Tree::If(leaf, yes, no) = tree {
                tree = if holds(*leaf) { yes } else { no };
            }
            match tree {
                Tree::Then(Some(states)) => next.extend(states),
                _ => fails.extend([at]),
            }
        }
        marked = next;
    }
    fails
}

/// What a property says, in a design with one clock.
fn parsed(text: &str) -> Result<Assertion, Refusal> {
    let definitions = Definitions::new();
    let context = Context { definitions: &definitions, values: None, asynchronous: false };
    assertion(&tokens(text), context, text.len())
}

#[test]
fn random_properties_fail_as_the_traces_say() {
    let mut maker = Maker { random: Random::new(16) };
    let (mut compared, mut failed, mut refused) = (0, 0, 0);
    while compared < 4_000 {
        let depth = maker.random.below(3u32);
        let property = maker.property(depth, false);
        let text = property.text();
        let parsed = match parsed(&text) {
            Ok(parsed) => parsed,
            Err(refusal) => {
                let known = [
                    "no cycle matches",
                    "for ever",
                    "without bound",
                    "one side is bounded",
                    "is bounded",
                    "bounded sequences",
                ];
                assert!(known.iter().any(|k| refusal.message.contains(k)), "{text}: {refusal:?}");
                refused += 1;
                continue;
            }
        };
        let Ok(automaton) = Automaton::new(parsed.property) else { continue };
        for _ in 0..4 {
            // A trace that ends with cycles in which all is decided: long enough for what is bounded.
            let trace = Trace(maker.random.bytes(9).into_iter().map(|b| b & 15).collect());
            let expected = trace.fails(&property);
            let found = automaton_fails(&automaton, &parsed.leaves, &trace).first().copied();
            let agree = match (expected, found) {
                (Some(expected), Some(found)) => expected == found || (property.cuts() && expected < found),
                // What cannot match for its length is found out when the trace is longer.
                (Some(_), None) => property.cuts(),
                (expected, found) => expected == found,
            };
            assert!(agree, "{text} on {:?}: expected {expected:?}, found {found:?}\n{automaton:?}", trace.0);
            failed += usize::from(expected.is_some());
            compared += 1;
        }
    }
    assert!(failed > 800 && refused < 4_000, "{failed} fail, {refused} refused");
}
