//! The abstract interpretation by zones: bounds of differences between variables that meet in a guard or an assignment.
//!
//! Variables that meet are in one pack, up to a size, and each pack is interpreted by itself. A variable is there as the signed
//! number that it stands for, as the unsigned one, or as both. That a command does not wrap around is what the intervals say, but
//! for constants that are added, where it is guessed.

mod forms;
mod packs;
mod told;
mod zone;

use super::evaluate::{Environment, evaluate};
use super::fixpoint::{Course, Domain, thresholds};
use crate::automaton::{Command, Edge};
use crate::system::ProgramSystem;
use forms::{Form, ends};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tamis_logic::{Op, Sort, Term, Terms};
use tamis_system::Point;
use zone::Zone;

/// Of larger programs, and if more edges have to be followed for all packs together, there are no facts of this kind.
const LARGEST: usize = 20_000;
const MOST_EDGES: usize = 200_000;

/// A disjunction of more members says nothing, and nothing is looked at that is nested deeper.
const MOST_CASES: usize = 8;
const MOST_NESTED: usize = 12;

/// Differences of live variables at each point, given the ranges at each location.
pub(super) fn facts(
    terms: &mut Terms,
    system: &ProgramSystem<'_>,
    course: &Course<'_>,
    known: &[Option<Environment>],
    stop: &dyn Fn() -> bool,
) -> Vec<Vec<Term>> {
    let mut facts = vec![Vec::new(); system.count()];
    if course.edges().count() > LARGEST {
        return facts;
    }
    let thresholds = differences(&thresholds(terms, course.program));
    let mut most = MOST_EDGES;
    for (variables, views) in packs::packs(terms, course) {
        let pack = Pack::new(terms, course, known, &thresholds, &variables, &views);
        let Some(zones) = course.run(&pack, &mut most, stop) else { break };
        let numbers = pack.numbers;
        for (p, facts) in facts.iter_mut().enumerate() {
            let location = system.location(Point(p as u32));
            if let (Some(zone), Some(environment)) = (&zones[location.index()], &known[location.index()]) {
                let live: Vec<Term> = system.live_at(location).collect();
                facts.extend(told::differences(terms, &numbers, zone, environment, &live));
            }
        }
    }
    facts
}

/// What bounds of differences are widened to: the numbers of the text in both directions.
fn differences(thresholds: &[i128]) -> Vec<i128> {
    let mut all: Vec<i128> = thresholds.iter().flat_map(|&t| [t, -t]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Variables that meet.
struct Pack<'a> {
    terms: &'a Terms,
    course: &'a Course<'a>,
    known: &'a [Option<Environment>],
    thresholds: &'a [i128],
    /// The numbers of the zone but zero: variables, and whether they are read as signed numbers.
    numbers: Vec<(Term, bool)>,
    places: FxHashMap<(Term, bool), usize>,
}

impl<'a> Pack<'a> {
    fn new(
        terms: &'a Terms,
        course: &'a Course<'a>,
        known: &'a [Option<Environment>],
        thresholds: &'a [i128],
        variables: &[Term],
        views: &[bool],
    ) -> Pack<'a> {
        let numbers: Vec<(Term, bool)> =
            variables.iter().flat_map(|&v| views.iter().map(move |&view| (v, view))).collect();
        let places = numbers.iter().enumerate().map(|(i, &number)| (number, i + 1)).collect();
        Pack { terms, course, known, thresholds, numbers, places }
    }

    /// The place of a variable, read as a signed number or not, in the zone.
    fn number(&self, v: Term, signed: bool) -> Option<usize> {
        self.places.get(&(v, signed)).copied()
    }

    /// What is known after a variable has got a value.
    fn assign(&self, environment: &Environment, zone: &mut Zone, v: Term, value: Term) -> Option<()> {
        let own = |f: &Form| self.numbers.get(f.number.wrapping_sub(1)).is_some_and(|(w, _)| *w == v);
        let views = [true, false].map(|view| (view, self.number(v, view)));
        let mut after = Vec::new();
        for (view, place) in views {
            after.extend(place.map(|place| (place, self.forms((environment, zone), value, view))));
        }
        for (place, forms) in &after {
            match forms.iter().find(|f| f.number == *place) {
                Some(by) => zone.shift(*place, by.low, by.high),
                None => zone.forget(*place),
            }
        }
        for (place, forms) in &after {
            for f in forms.iter().filter(|f| !own(f)) {
                self.between(zone, (*place, f.number), f.low, f.high)?;
            }
        }
        if let [(_, Some(signed)), (_, Some(unsigned))] = views
            && evaluate(self.terms, environment, value).is_some_and(|range| ends(&range, true).0 >= 0)
        {
            self.between(zone, (signed, unsigned), 0, 0)?;
        }
        Some(())
    }

    fn between(&self, zone: &mut Zone, (a, b): (usize, usize), low: i128, high: i128) -> Option<()> {
        (zone.require(a, b, high) && zone.require(b, a, -low)).then_some(())
    }

    /// What is known where a guard has the given value; `None` if it cannot have it.
    fn assume(
        &self,
        environment: &Environment,
        mut zone: Zone,
        guard: Term,
        value: bool,
        depth: usize,
    ) -> Option<Zone> {
        let Some(depth) = depth.checked_sub(1) else { return Some(zone) };
        let args = self.terms.args(guard);
        match self.terms.op(guard) {
            Op::Not => return self.assume(environment, zone, args[0], !value, depth),
            op @ (Op::And | Op::Or) if (op == Op::And) == value => {
                return args
                    .iter()
                    .try_fold(zone, |zone, &arg| self.assume(environment, zone, arg, value, depth));
            }
            Op::And | Op::Or if args.len() <= MOST_CASES => {
                let cases =
                    args.iter().filter_map(|&arg| self.assume(environment, zone.clone(), arg, value, depth));
                return cases.reduce(|a, b| a.join(&b));
            }
            op @ (Op::Slt | Op::Ult) => {
                let (less, more) = if value { (args[0], args[1]) } else { (args[1], args[0]) };
                self.ordered(environment, &mut zone, (less, more), op == Op::Slt, value)?;
            }
            Op::Eq if matches!(self.terms.sort(args[0]), Sort::BitVec(_)) => {
                for view in [true, false] {
                    if value {
                        self.ordered(environment, &mut zone, (args[0], args[1]), view, false)?;
                        self.ordered(environment, &mut zone, (args[1], args[0]), view, false)?;
                    } else {
                        self.apart(environment, &mut zone, (args[0], args[1]), view)?;
                    }
                }
            }
            _ => {}
        }
        Some(zone)
    }

    /// That a term is at most another one, or less.
    fn ordered(
        &self,
        environment: &Environment,
        zone: &mut Zone,
        (less, more): (Term, Term),
        signed: bool,
        strictly: bool,
    ) -> Option<()> {
        for a in self.forms((environment, zone), less, signed) {
            for b in self.forms((environment, zone), more, signed) {
                let most = b.high - a.low - i128::from(strictly);
                if a.number == b.number {
                    if most < 0 {
                        return None;
                    }
                } else if !zone.require(a.number, b.number, most) {
                    return None;
                }
            }
        }
        Some(())
    }

    /// That two terms differ: what is at most another one is less.
    fn apart(
        &self,
        environment: &Environment,
        zone: &mut Zone,
        (x, y): (Term, Term),
        signed: bool,
    ) -> Option<()> {
        let exact = |zone: &Zone, t: Term| {
            let forms = self.forms((environment, zone), t, signed);
            forms.into_iter().filter(|f| f.low == f.high).collect::<Vec<Form>>()
        };
        for a in exact(zone, x) {
            for b in exact(zone, y).into_iter().filter(|b| b.number != a.number) {
                let difference = b.low - a.low;
                for (i, j, most) in [(a.number, b.number, difference), (b.number, a.number, -difference)] {
                    if zone.bound(i, j) == Some(most) && !zone.require(i, j, most - 1) {
                        return None;
                    }
                }
            }
        }
        Some(())
    }
}

impl Domain for Pack<'_> {
    /// Most edges leave a zone as it is.
    type State = Rc<Zone>;

    fn initial(&self) -> Rc<Zone> {
        Rc::new(Zone::any(self.numbers.len()))
    }

    fn after(&self, edge: &Edge, before: &Rc<Zone>) -> Option<Rc<Zone>> {
        let environment = self.known[edge.from.index()].as_ref()?;
        let has = |v: Term| [true, false].iter().any(|&view| self.number(v, view).is_some());
        match edge.command {
            Command::Assign(v, value) => {
                let variable = self.course.program.term(v);
                if !has(variable) {
                    return Some(before.clone());
                }
                let mut zone = Zone::clone(before);
                self.assign(environment, &mut zone, variable, value)?;
                Some(Rc::new(zone))
            }
            Command::Havoc(v, _) => {
                let variable = self.course.program.term(v);
                if !has(variable) {
                    return Some(before.clone());
                }
                let mut zone = Zone::clone(before);
                let places = [true, false].into_iter().filter_map(|view| self.number(variable, view));
                places.for_each(|place| zone.forget(place));
                Some(Rc::new(zone))
            }
            Command::Assume(guard) => {
                if !self.terms.free_vars(guard).into_iter().any(has) {
                    return Some(before.clone());
                }
                Some(Rc::new(self.assume(environment, Zone::clone(before), guard, true, MOST_NESTED)?))
            }
        }
    }

    fn join(&self, a: &Rc<Zone>, b: &Rc<Zone>) -> Rc<Zone> {
        if Rc::ptr_eq(a, b) { a.clone() } else { Rc::new(a.join(b)) }
    }

    fn widened(&self, old: &Rc<Zone>, grown: Rc<Zone>) -> Rc<Zone> {
        Rc::new(old.widened(&grown, self.thresholds))
    }

    fn unchanged(&self, old: &Rc<Zone>, grown: Rc<Zone>) -> Rc<Zone> {
        Rc::new(old.widened(&grown, &[]))
    }
}
