//! The monitor of an assertion, as Verilog in one line.
//!
//! A register has a bit for each state of the automaton but those that are marked in every cycle; with one attempt alone, those of
//! its start are marked at first. The expressions are read before
//! the clock's edge, as IEEE 1800 samples them, since all is computed in a process of that edge. `disable iff` ends all
//! attempts: in a step of one edge its condition is a signal like others; where a step is a moment, it may hold between two
//! edges, and a register remembers that.

use super::automaton::{Automaton, Tree};
use super::parser::Clock;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Functions that look at other cycles. Yosys knows them, in processes.
const SAMPLED: &[&str] = &["$past", "$rose", "$fell", "$stable", "$changed"];

/// Whether an expression looks at other cycles.
pub fn is_sampled(expression: &str) -> bool {
    SAMPLED.iter().any(|function| expression.contains(function))
}

/// What is monitored.
pub struct Monitor<'a> {
    /// A name that all of its own names start with; also the label of the assertion.
    pub name: &'a str,
    /// `assert` or `assume`.
    pub kind: &'a str,
    /// The clock.
    pub clock: &'a Clock,
    /// The condition of `disable iff`.
    pub disable: Option<&'a str>,
    /// The expressions.
    pub leaves: &'a [String],
    /// The property.
    pub automaton: &'a Automaton,
    /// Whether resets may come between two edges.
    pub asynchronous: bool,
    /// Whether an attempt starts with the first edge alone, as in an `initial` process.
    pub once: bool,
}

impl Monitor<'_> {
    /// The text.
    pub fn verilog(&self) -> String {
        let Monitor { name, kind, disable, .. } = self;
        let edge = format!("{} {}", self.clock.edge, self.clock.signal);
        let mut declared = String::new();
        let mut process = String::new();
        for (i, leaf) in self.leaves.iter().enumerate() {
            // A double negation makes any number a bit.
            let _ = match is_sampled(leaf) {
                true => write!(declared, "reg {name}_e{i}; ")
                    .and_then(|()| write!(process, "{name}_e{i} = !(!({leaf})); ")),
                false => write!(declared, "wire {name}_e{i} = !(!({leaf})); "),
            };
        }
        let bits = self.bits();
        let count = bits.len();
        let marked = if disable.is_some() && self.asynchronous && count > 0 { "t" } else { "s" };
        let (next, fails) = self.transitions(&bits, marked);
        if let Some(condition) = disable {
            let _ = write!(declared, "wire {name}_off = !(!({condition})); ");
        }
        if count > 0 {
            let first: String =
                bits.keys().rev().map(|&s| if self.starts_once(s) { '1' } else { '0' }).collect();
            let _ = write!(declared, "reg [{}:0] {name}_s = {count}'b{first}; ", count - 1);
            let on = if disable.is_some() { format!("{{{count}{{~{name}_off}}}} & ") } else { String::new() };
            let _ = write!(process, "{name}_s <= {on}{{{}}}; ", next.join(", "));
        }
        if marked == "t" {
            let _ = write!(
                declared,
                "reg {name}_killed = 0; always @({edge} or posedge {name}_off) if ({name}_off) {name}_killed <= 1; \
                 else {name}_killed <= 0; wire [{}:0] {name}_t = {name}_s & {{{count}{{~{name}_killed}}}}; ",
                count - 1
            );
        }
        let off = if disable.is_some() { format!("{name}_off | ") } else { String::new() };
        format!("{declared}always @({edge}) begin {process}{name}: {kind} ({off}~({fails})); end")
    }

    /// The bit of each state that has one.
    fn bits(&self) -> BTreeMap<usize, usize> {
        let states = 0..self.automaton.states.len();
        let kept = states.filter(|s| self.once || !self.automaton.start.contains(s));
        kept.enumerate().map(|(bit, state)| (state, bit)).collect()
    }

    /// Whether a state is marked in the first cycle, and not since an attempt starts in every one.
    fn starts_once(&self, state: usize) -> bool {
        self.once && self.automaton.start.contains(&state)
    }

    /// When each bit is set, the highest first, and when an attempt fails.
    fn transitions(&self, bits: &BTreeMap<usize, usize>, marked: &str) -> (Vec<String>, String) {
        let name = self.name;
        let mut next: Vec<Vec<String>> = vec![Vec::new(); bits.len()];
        let mut fails: Vec<String> = Vec::new();
        if self.automaton.fails {
            fails.push("1'b1".to_owned());
        }
        for (state, tree) in self.automaton.states.iter().enumerate() {
            let when = |condition: String| match bits.get(&state) {
                Some(bit) => format!("{name}_{marked}[{bit}] & {condition}"),
                None => condition,
            };
            fails.extend(self.condition(tree, &|then| then.is_none()).map(&when));
            for (target, &bit) in bits {
                let goes =
                    |then: &Option<Vec<usize>>| then.as_ref().is_some_and(|states| states.contains(target));
                next[bit].extend(self.condition(tree, &goes).map(&when));
            }
        }
        let any = |conditions: Vec<String>| match conditions.is_empty() {
            true => "1'b0".to_owned(),
            false => conditions.join(" | "),
        };
        (next.into_iter().rev().map(any).collect(), any(fails))
    }

    /// When a tree ends in a leaf of this kind; none if never.
    fn condition(&self, tree: &Tree, ends: &impl Fn(&Option<Vec<usize>>) -> bool) -> Option<String> {
        match tree {
            Tree::Then(then) => ends(then).then(|| "1'b1".to_owned()),
            Tree::If(leaf, yes, no) => {
                let leaf = format!("{}_e{leaf}", self.name);
                let with = |literal: String, rest: String| match rest.as_str() {
                    "1'b1" => literal,
                    _ => format!("({literal} & {rest})"),
                };
                match (self.condition(yes, ends), self.condition(no, ends)) {
                    (None, None) => None,
                    (Some(yes), None) => Some(with(leaf, yes)),
                    (None, Some(no)) => Some(with(format!("~{leaf}"), no)),
                    (Some(yes), Some(no)) if yes == no => Some(yes),
                    (Some(yes), Some(no)) => {
                        Some(format!("({} | {})", with(leaf.clone(), yes), with(format!("~{leaf}"), no)))
                    }
                }
            }
        }
    }
}
