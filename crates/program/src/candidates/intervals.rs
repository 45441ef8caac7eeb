//! The abstract interpretation by ranges: intervals and lowest bits of variables, at all locations. What comes out should hold,
//! and is checked as any other guess.

use super::evaluate::{Environment, assume, evaluate, join};
use super::fixpoint::{Course, Domain, thresholds};
use super::range::Range;
use crate::automaton::{Command, Edge, Program};
use crate::system::ProgramSystem;
use tamis_logic::{Bits, Term, Terms};
use tamis_system::Point;

/// So many edges are followed; a larger program has no facts of this kind.
const MOST_EDGES: usize = 400_000;

/// What is known at each location; nothing is there where execution never is. `None` if it takes too long.
pub(super) fn known(
    terms: &Terms,
    course: &Course<'_>,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Option<Environment>>> {
    let thresholds = thresholds(terms, course.program);
    let domain = Intervals { terms, program: course.program, thresholds };
    let mut most = MOST_EDGES;
    course.run(&domain, &mut most, stop)
}

/// What is known of the live variables at each point, as formulas.
pub(super) fn facts(
    terms: &mut Terms,
    system: &ProgramSystem<'_>,
    known: &[Option<Environment>],
) -> Vec<Vec<Term>> {
    let mut facts = vec![Vec::new(); system.count()];
    for (p, facts) in facts.iter_mut().enumerate() {
        let location = system.location(Point(p as u32));
        let Some(environment) = &known[location.index()] else {
            facts.push(terms.fals());
            continue;
        };
        for v in system.live_at(location).collect::<Vec<_>>() {
            if let Some(range) = environment.get(&v) {
                facts.extend(told(terms, v, range));
            }
        }
    }
    facts
}

/// A range as formulas.
fn told(terms: &mut Terms, v: Term, range: &Range) -> Vec<Term> {
    let width = range.width();
    if terms.sort(v).width() != Some(width) {
        // A truth value.
        return match range.value() {
            Some(1) => vec![v],
            Some(_) => vec![terms.not(v)],
            None => Vec::new(),
        };
    }
    if let Some(value) = range.value() {
        let value = terms.bits(width, u128::from(value));
        return vec![terms.eq(v, value)];
    }
    let mut told = Vec::new();
    let (any, signed, unsigned) = (Range::any(width), range.signed(), range.unsigned());
    let mut number = |x: i128| terms.bits_value(Bits::from_signed(width, x));
    let [low, high, least, most] = [signed.0, signed.1, unsigned.0, unsigned.1].map(&mut number);
    if signed.0 > any.signed().0 {
        told.push(terms.sle(low, v));
    }
    if signed.1 < any.signed().1 {
        told.push(terms.sle(v, high));
    }
    // What is never negative has the same bounds as an unsigned number.
    if signed.0 < 0 {
        if unsigned.0 > 0 {
            told.push(terms.ule(least, v));
        }
        if unsigned.1 < any.unsigned().1 {
            told.push(terms.ule(v, most));
        }
    }
    let (bits, value) = range.low();
    if bits > 0 {
        let low = terms.extract(bits - 1, 0, v);
        let value = terms.bits(bits, u128::from(value));
        told.push(terms.eq(low, value));
    }
    told
}

/// Ranges of variables.
struct Intervals<'a> {
    terms: &'a Terms,
    program: &'a Program,
    thresholds: Vec<i128>,
}

impl Domain for Intervals<'_> {
    type State = Environment;

    fn initial(&self) -> Environment {
        Environment::default()
    }

    fn after(&self, edge: &Edge, before: &Environment) -> Option<Environment> {
        let mut environment = before.clone();
        match edge.command {
            Command::Assign(v, value) => {
                let value = evaluate(self.terms, &environment, value);
                set(&mut environment, self.program.term(v), value);
            }
            Command::Havoc(v, _) => {
                environment.remove(&self.program.term(v));
            }
            Command::Assume(guard) => environment = assume(self.terms, environment, guard, true)?,
        }
        Some(environment)
    }

    fn join(&self, a: &Environment, b: &Environment) -> Environment {
        join(a, b)
    }

    fn widened(&self, old: &Environment, mut grown: Environment) -> Environment {
        for (v, range) in &mut grown {
            if let Some(old) = old.get(v) {
                *range = old.widened(range, &self.thresholds);
            }
        }
        grown.retain(|_, range| !range.is_any());
        grown
    }

    fn unchanged(&self, old: &Environment, mut grown: Environment) -> Environment {
        grown.retain(|v, range| old.get(v) == Some(range));
        grown
    }
}

fn set(environment: &mut Environment, v: Term, value: Option<Range>) {
    match value.filter(|range| !range.is_any()) {
        Some(range) => environment.insert(v, range),
        None => environment.remove(&v),
    };
}
