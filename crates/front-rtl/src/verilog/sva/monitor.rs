//! The monitor of an assertion, as Verilog in one line.
//!
//! At each edge of the clock a register takes over whether an attempt fails; a plain assertion is about that register.
//! A register has a bit for each state of the automaton but those that are marked in every cycle; with one attempt alone, those of
//! its start are marked at first; where a process has to come to the assertion, in the cycles in which it does. The expressions are read before
//! the clock's edge, as IEEE 1800 samples them, since all is computed in a process of that edge. `disable iff` ends all
//! attempts: in a step of one edge its condition is a signal like others; where a step is a moment, it may hold between two
//! edges, and a register remembers that.

use super::automaton::{Automaton, Tree};
use super::words::Clock;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Functions that look at other cycles. Yosys knows them, in processes.
const SAMPLED: &[&str] = &["$past", "$rose", "$fell", "$stable", "$changed"];

/// Whether an expression looks at other cycles.
pub fn is_sampled(expression: &str) -> bool {
    SAMPLED.iter().any(|function| expression.contains(function))
}

/// When attempts start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// With each edge.
    Each,
    /// With the first edge, as in an `initial` process.
    First,
    /// With those at which the process around comes to the assertion.
    Reached,
}

/// A monitor as Verilog.
pub struct Verilog {
    /// Declarations, and what stands beside processes.
    pub declared: String,
    /// Statements of the process.
    pub process: String,
}

/// What the name of a monitor's wire ends with that says that nothing has failed.
pub const OK: &str = "_ok";

/// An assertion about a wire, which is how it is known again: Yosys takes no labels in loops of `generate`.
fn asserted(name: &str, kind: &str, condition: &str) -> String {
    format!("wire {name}{OK} = {condition}; {kind} property ({name}{OK}); ")
}

/// What is monitored.
pub struct Monitor<'a> {
    /// A name that all of its own names start with.
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
    /// When attempts start.
    pub start: Start,
}

impl Monitor<'_> {
    /// The text with a process of its own.
    pub fn verilog(&self) -> String {
        let Verilog { declared, process } = self.parts();
        format!("{declared}always @({} {}) begin {process}end", self.clock.edge, self.clock.signal)
    }

    /// The text of a property of one cycle in each step, where there is no clock.
    pub fn unclocked(&self) -> String {
        let Monitor { name, kind, .. } = self;
        let mut declared = String::new();
        for (i, leaf) in self.leaves.iter().enumerate() {
            let _ = write!(declared, "wire {name}_e{i} = !(!({leaf})); ");
        }
        let (_, fails) = self.transitions(&BTreeMap::new(), "s");
        let off = self.disable.map_or(String::new(), |condition| format!("!(!({condition})) | "));
        let later = if self.start == Start::First { "!$initstate | " } else { "" };
        declared + &asserted(name, kind, &format!("{later}{off}~({fails})"))
    }

    /// The text for a process at the clock's edge. If attempts start where a process comes to, it sets `NAME_go` there,
    /// before these statements.
    pub fn parts(&self) -> Verilog {
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
        let _ = write!(process, "{name}_bad <= ~({off}~({fails})); ");
        let _ = write!(declared, "reg {name}_bad = 0; {}", asserted(name, kind, &format!("~{name}_bad")));
        if self.start == Start::Reached {
            let _ = write!(declared, "reg {name}_go; ");
        }
        Verilog { declared, process }
    }

    /// The bit of each state that has one.
    fn bits(&self) -> BTreeMap<usize, usize> {
        let states = 0..self.automaton.states.len();
        let kept = states.filter(|s| self.start != Start::Each || !self.automaton.start.contains(s));
        kept.enumerate().map(|(bit, state)| (state, bit)).collect()
    }

    /// Whether a state is marked in the first cycle, and not since an attempt starts in every one.
    fn starts_once(&self, state: usize) -> bool {
        self.start == Start::First && self.automaton.start.contains(&state)
    }

    /// When each bit is set, the highest first, and when an attempt fails.
    fn transitions(&self, bits: &BTreeMap<usize, usize>, marked: &str) -> (Vec<String>, String) {
        let name = self.name;
        let mut next: Vec<Vec<String>> = vec![Vec::new(); bits.len()];
        let mut fails: Vec<String> = Vec::new();
        if self.automaton.fails {
            // Every attempt fails at once.
            fails.push(match self.start {
                Start::Each | Start::First => "1'b1".to_owned(),
                Start::Reached => format!("{name}_go"),
            });
        }
        for (state, tree) in self.automaton.states.iter().enumerate() {
            let starts = self.start == Start::Reached && self.automaton.start.contains(&state);
            let when = |condition: String| match bits.get(&state) {
                Some(bit) if starts => format!("({name}_{marked}[{bit}] | {name}_go) & {condition}"),
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
