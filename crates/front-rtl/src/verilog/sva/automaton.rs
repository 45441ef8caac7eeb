//! The automaton of a property: a state for each property that may be left of an attempt.
//!
//! In each cycle some states are marked. A marked state stands for the attempts of which this property is left, however many they
//! are: as the failure of any is a failure of the whole, attempts that have the same to fulfil need not be told apart.
//! A conjunction is all of its parts marked; choices and negations stay inside a state. So it is deterministic, and exact.

use super::property::Property;
use super::sequence::Leaf;
use std::collections::{BTreeMap, BTreeSet};

/// The most states of an automaton: a register each. `##[0:1000]` is not far from this.
pub const MAX_STATES: usize = 1024;

/// The most expressions that one cycle decides a state by: all combinations of their values are tried.
pub const MAX_LEAVES: usize = 10;

/// An automaton.
#[derive(Debug)]
pub struct Automaton {
    /// What each state does in a cycle.
    pub states: Vec<Tree>,
    /// The states that are marked in every cycle: attempts that start.
    pub start: Vec<usize>,
    /// Whether every attempt fails at once.
    pub fails: bool,
}

/// What a state does in a cycle, by the values of expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// The states to mark for the next cycle; `None` if the attempt fails.
    Then(Option<Vec<usize>>),
    /// It depends on an expression: what if it holds, what if it does not.
    If(Leaf, Box<Tree>, Box<Tree>),
}

/// That an automaton would be too large.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl Automaton {
    /// The automaton of a property.
    pub fn new(property: Property) -> Result<Automaton, TooLarge> {
        let mut numbers: BTreeMap<Property, usize> = BTreeMap::new();
        let mut work: Vec<Property> = Vec::new();
        let mut number = |property: Property, work: &mut Vec<Property>| -> Result<usize, TooLarge> {
            let next = numbers.len();
            let known = *numbers.entry(property.clone()).or_insert(next);
            if known == next {
                work.push(property);
            }
            if next > MAX_STATES { Err(TooLarge) } else { Ok(known) }
        };
        let mut automaton =
            Automaton { states: Vec::new(), start: Vec::new(), fails: property == Property::False };
        if automaton.fails {
            return Ok(automaton);
        }
        for part in property.parts() {
            automaton.start.push(number(part, &mut work)?);
        }
        while automaton.states.len() < work.len() {
            let property = work[automaton.states.len()].clone();
            let mut leaves = BTreeSet::new();
            property.asks(&mut leaves);
            let leaves: Vec<Leaf> = leaves.into_iter().collect();
            if leaves.len() > MAX_LEAVES {
                return Err(TooLarge);
            }
            let mut values = BTreeMap::new();
            let tree = tree(&property, &leaves, &mut values, &mut |left| match left {
                Property::False => Ok(None),
                left => left
                    .parts()
                    .into_iter()
                    .map(|p| number(p, &mut work))
                    .collect::<Result<Vec<_>, _>>()
                    .map(Some),
            })?;
            automaton.states.push(tree);
        }
        Ok(automaton)
    }

    /// Whether every attempt ends in the cycle that it starts in.
    pub fn is_one_cycle(&self) -> bool {
        fn ends(tree: &Tree) -> bool {
            match tree {
                Tree::Then(then) => then.as_ref().is_none_or(Vec::is_empty),
                Tree::If(_, yes, no) => ends(yes) && ends(no),
            }
        }
        self.states.iter().all(ends)
    }
}

/// What is left of a property for all values of the leaves, those equal merged.
fn tree(
    property: &Property,
    leaves: &[Leaf],
    values: &mut BTreeMap<Leaf, bool>,
    states: &mut impl FnMut(Property) -> Result<Option<Vec<usize>>, TooLarge>,
) -> Result<Tree, TooLarge> {
    let Some((&leaf, rest)) = leaves.split_first() else {
        let left = property.after(&|leaf| values.get(&leaf).copied().unwrap_or(false));
        return states(left).map(Tree::Then);
    };
    values.insert(leaf, true);
    let yes = tree(property, rest, values, states)?;
    values.insert(leaf, false);
    let no = tree(property, rest, values, states)?;
    Ok(if yes == no { yes } else { Tree::If(leaf, Box::new(yes), Box::new(no)) })
}
