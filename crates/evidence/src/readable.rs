//! The same formula, as a person would say it.
//!
//! IC3 speaks of single bits, and an abstract state of every predicate that was ever tried. What is told is made of three steps,
//! none of which changes what the formula means: the least and the greatest value of a variable that it allows are found by
//! asking, and join it as conjuncts; what the other conjuncts imply goes, bits first; and so do the members of disjunctions, and
//! literals in these, that make no difference. Certificates keep the formula as it was found.

use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use tamis_logic::{Bits, Op, Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// Formulas of more nodes are told as they are.
const LARGEST: usize = 4_000;

/// So many values are asked for their ranges.
const MOST_VALUES: usize = 24;

/// A value of a formula whose range may be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranged {
    /// A bit-vector.
    pub value: Term,
    /// How it is read.
    pub signed: bool,
}

/// An equivalent formula that is easier to read, where there is one; ranges are told of `values` alone.
///
/// # Errors
/// If the budget is exhausted. The formula itself is then what there is to tell.
pub fn readable(terms: &mut Terms, formula: Term, values: &[Ranged], budget: &Budget) -> Result<Term, Stop> {
    if is_plain(terms, formula) || terms.size(formula) > LARGEST {
        return Ok(formula);
    }
    let given = terms.conjuncts(&[formula]);
    let mut telling = Telling { terms, budget };
    let mut parts = telling.ranges(&given, values)?;
    parts.retain(|range| !given.contains(range));
    let ranges: FxHashSet<Term> = parts.iter().copied().collect();
    parts.extend(&given);
    // What is hardest to read is tried first, ranges last.
    let mut tried = parts.clone();
    tried.sort_by_key(|&part| (ranges.contains(&part), Reverse(telling.difficulty(part))));
    for part in tried {
        let rest: Vec<Term> = parts.iter().copied().filter(|&other| other != part).collect();
        if telling.implies(&rest, part)? {
            parts = rest;
        }
    }
    for place in 0..parts.len() {
        let rest: Vec<Term> =
            parts.iter().enumerate().filter(|&(other, _)| other != place).map(|(_, &part)| part).collect();
        parts[place] = telling.shorter(parts[place], &rest)?;
    }
    let told = telling.terms.and(&parts);
    // Each step keeps the meaning; this holds whatever a step does.
    let same = telling.implies(&[formula], told)? && telling.implies(&[told], formula)?;
    Ok(if same { told } else { formula })
}

/// Whether there is nothing to gain, or what is said is said of all elements of arrays.
fn is_plain(terms: &Terms, formula: Term) -> bool {
    if !terms.index_variables(formula).is_empty() {
        return true;
    }
    let mut hard = false;
    let nodes = terms.post_order_until(&[formula], |t| {
        hard |= matches!(terms.op(t), Op::Or | Op::Extract { .. } | Op::Ite);
        hard
    });
    !hard && nodes.len() < 40
}

struct Telling<'a> {
    terms: &'a mut Terms,
    budget: &'a Budget,
}

impl Telling<'_> {
    fn implies(&mut self, by: &[Term], what: Term) -> Result<bool, Stop> {
        let mut solver = Solver::new(self.budget);
        for &part in by {
            solver.assert(self.terms, part);
        }
        let not = self.terms.not(what);
        solver.assert(self.terms, not);
        Ok(solver.check(self.terms, &[])? == Answer::Unsat)
    }

    /// How hard a formula is to read: single bits are worse than long arithmetic.
    fn difficulty(&self, formula: Term) -> usize {
        let weight = |&t: &Term| match self.terms.op(t) {
            Op::Extract { high, low } if high == low => 40,
            Op::Extract { .. } | Op::Ite => 20,
            Op::Or => 5,
            _ => 1,
        };
        self.terms.post_order(&[formula]).iter().map(weight).sum()
    }

    /// The ranges that formulas leave to some of their values, as far as these are restricted.
    fn ranges(&mut self, given: &[Term], values: &[Ranged]) -> Result<Vec<Term>, Stop> {
        let inside: FxHashSet<Term> = self.terms.post_order(given).into_iter().collect();
        let mut solver = Solver::new(self.budget);
        for &part in given {
            solver.assert(self.terms, part);
        }
        let mut ranges = Vec::new();
        let asked = values.iter().filter(|ranged| inside.contains(&ranged.value)).take(MOST_VALUES);
        for &Ranged { value, signed } in asked {
            let Sort::BitVec(width @ 1..=64) = self.terms.sort(value) else { continue };
            let mut asking = Asking { terms: self.terms, solver: &mut solver, value, signed, width };
            let (least, greatest) = asking.ends();
            let Some(low) = asking.extreme(least, greatest)? else { return Ok(Vec::new()) };
            let Some(high) = asking.extreme(greatest, least)? else { return Ok(Vec::new()) };
            if low == high {
                ranges.push(asking.equals(low));
                continue;
            }
            if low != least {
                let below = asking.below(low);
                ranges.push(self.terms.not(below));
            }
            if high != greatest {
                let mut asking = Asking { terms: self.terms, solver: &mut solver, value, signed, width };
                ranges.push(asking.below(high + 1));
            }
        }
        Ok(ranges)
    }

    /// A disjunction without the members, and these without the literals, that make no difference where the rest holds.
    fn shorter(&mut self, part: Term, rest: &[Term]) -> Result<Term, Stop> {
        if self.terms.op(part) != Op::Or {
            return Ok(part);
        }
        let mut members: Vec<Vec<Term>> =
            self.terms.args(part).to_vec().into_iter().map(|member| self.literals(member)).collect();
        members.sort_by_key(|member| Reverse(member.iter().map(|&l| self.difficulty(l)).sum::<usize>()));
        let mut place = 0;
        while place < members.len() && members.len() > 1 {
            let others: Vec<Vec<Term>> =
                members.iter().enumerate().filter(|&(i, _)| i != place).map(|(_, m)| m.clone()).collect();
            let without = self.any(&others);
            if self.implies(&[rest, members[place].as_slice()].concat(), without)? {
                members = others;
            } else {
                place += 1;
            }
        }
        for place in 0..members.len() {
            let mut literals = members[place].clone();
            literals.sort_by_key(|&literal| Reverse(self.difficulty(literal)));
            for literal in literals {
                let fewer: Vec<Term> = members[place].iter().copied().filter(|&l| l != literal).collect();
                let whole = self.any(&members);
                if !fewer.is_empty() && self.implies(&[rest, fewer.as_slice()].concat(), whole)? {
                    members[place] = fewer;
                }
            }
        }
        Ok(self.any(&members))
    }

    fn literals(&self, formula: Term) -> Vec<Term> {
        match self.terms.op(formula) {
            Op::And => self.terms.args(formula).to_vec(),
            _ => vec![formula],
        }
    }

    fn any(&mut self, members: &[Vec<Term>]) -> Term {
        let members: Vec<Term> = members.iter().map(|member| self.terms.and(member)).collect();
        self.terms.or(&members)
    }
}

/// Questions about one value.
struct Asking<'a> {
    terms: &'a mut Terms,
    solver: &'a mut Solver,
    value: Term,
    signed: bool,
    width: u32,
}

impl Asking<'_> {
    /// The least and the greatest number of the width.
    fn ends(&self) -> (i128, i128) {
        match self.signed {
            true => (-(1 << (self.width - 1)), (1 << (self.width - 1)) - 1),
            false => (0, (1 << self.width) - 1),
        }
    }

    fn constant(&mut self, number: i128) -> Term {
        let bits = Bits::from_signed(self.width, number).unsigned();
        self.terms.bits(self.width, bits)
    }

    fn below(&mut self, number: i128) -> Term {
        let number = self.constant(number);
        match self.signed {
            true => self.terms.slt(self.value, number),
            false => self.terms.ult(self.value, number),
        }
    }

    fn equals(&mut self, number: i128) -> Term {
        let number = self.constant(number);
        self.terms.eq(self.value, number)
    }

    /// The possible number that is nearest to an end, by halving the numbers that may be; `None` if there is none at all.
    fn extreme(&mut self, end: i128, other: i128) -> Result<Option<i128>, Stop> {
        // Most values may be anything.
        let at_end = self.equals(end);
        if self.solver.check(self.terms, &[at_end])? == Answer::Sat {
            return Ok(Some(end));
        }
        if self.solver.check(self.terms, &[])? == Answer::Unsat {
            return Ok(None);
        }
        let least = end < other;
        // The number that is looked for is not before `open`, and not behind `known`, which is possible.
        let (mut open, mut known) = (end, self.seen().unwrap_or(other));
        while open != known {
            let middle = open + (known - open) / 2;
            let question = match least {
                true => self.below(middle + 1),
                false => {
                    let below = self.below(middle);
                    self.terms.not(below)
                }
            };
            if self.solver.check(self.terms, &[question])? == Answer::Sat {
                known = self.seen().unwrap_or(middle);
            } else {
                open = if least { middle + 1 } else { middle - 1 };
            }
        }
        Ok(Some(known))
    }

    /// The value in the model.
    fn seen(&mut self) -> Option<i128> {
        match self.solver.value(self.terms, self.value) {
            tamis_logic::Value::Bits(bits) if self.signed => Some(bits.signed()),
            tamis_logic::Value::Bits(bits) => i128::try_from(bits.unsigned()).ok(),
            _ => None,
        }
    }
}
