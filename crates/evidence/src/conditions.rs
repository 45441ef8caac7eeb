//! The conditions of a proof, as data: formulas that must have no model, each with what it is for.
//!
//! They are made from the program by strongest postconditions, and from nothing else but the invariants. Who decides them
//! is another matter: [`certify`](crate::certify()) does, and so can any solver, from the text of each
//! ([`Condition::script`]).

use crate::certify::{Certificate, Rejection, acyclic_order, on_a_way_to_error};
use crate::instances::{instances, refuted};
use crate::place::Place;
use crate::strongest_post::{Arrival, strongest_post};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use std::hash::Hash;
use tamis_logic::{Substitution, Term, Terms};
use tamis_program::{Location, Program};

/// What a condition is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// The invariant at the entry holds of every state.
    Initiation,
    /// The invariant at a cutpoint holds after every way there from another, or from itself.
    Consecution,
    /// No way from a cutpoint leads to the error.
    Safety,
    /// No execution goes other ways than those that end.
    Exhaustion,
    /// No execution violates the property in its first cycles, or its first ways between cutpoints.
    Base,
    /// So many cycles that do not violate the property are not followed by one that does; so many ways between cutpoints do not
    /// end in the error.
    Step,
}

impl Purpose {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Initiation => "initiation",
            Purpose::Consecution => "consecution",
            Purpose::Safety => "safety",
            Purpose::Exhaustion => "exhaustion",
            Purpose::Base => "base",
            Purpose::Step => "step",
        }
    }
}

/// A condition of a proof: that formulas have no model in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition<P = Location> {
    /// What it is for.
    pub purpose: Purpose,
    /// Where the ways start that it is about.
    pub from: P,
    /// Where they end.
    pub to: P,
    /// What holds at the start.
    pub before: Term,
    /// The ways' condition, over the values at the start and those that are chosen on the way.
    pub way: Term,
    /// That the end is not as it should be, over the same values.
    pub failure: Term,
}

impl<P> Condition<P> {
    /// The formulas, whose conjunction has no model if the condition holds.
    pub fn formulas(&self) -> [Term; 3] {
        [self.before, self.way, self.failure]
    }

    /// The condition as a script: what it says, the formulas, and what each of them says.
    pub(crate) fn commented_script(&self, terms: &Terms, description: &str, says: [&str; 3]) -> String {
        let mut text = String::new();
        for line in wrapped(&format!("{}: {description}.", self.purpose.name())) {
            let _ = writeln!(text, "; {line}");
        }
        let _ = writeln!(text, "; It is so if the assertions below have no model in common.");
        let formulas = self.formulas();
        let _ = writeln!(text, "(set-info :smt-lib-version 2.6)");
        let _ = writeln!(text, "(set-logic {})", terms.logic_of(&formulas));
        let _ = writeln!(text, "(set-info :status unsat)");
        text.push_str(&terms.declarations(&formulas));
        let (definitions, formulas) = terms.to_smtlib_defined(&formulas);
        text.push_str(&definitions);
        for (says, formula) in std::iter::zip(says, formulas) {
            let _ = writeln!(text, "; {says}\n(assert {formula})");
        }
        text.push_str("(check-sat)\n");
        text
    }
}

impl Condition {
    /// The condition in words.
    pub fn describe(&self, program: &Program) -> String {
        let (from, to) = (Place::of(program, self.from), Place::of(program, self.to));
        match self.purpose {
            Purpose::Initiation => format!("the invariant at the entry, {to}, holds whatever the values are"),
            Purpose::Consecution => {
                format!(
                    "the invariant at {to} holds after every way there from {from}, where the invariant held"
                )
            }
            Purpose::Safety => {
                let violations = list(&Place::of_violations(program));
                format!("no way from {from}, where the invariant holds, leads to a violation ({violations})")
            }
            Purpose::Step => {
                let violations = list(&Place::of_violations(program));
                format!(
                    "so many ways one after the other from {from}, where the facts hold, do not end in a violation \
                     ({violations})"
                )
            }
            Purpose::Base => {
                let violations = list(&Place::of_violations(program));
                format!("the first ways of an execution do not end in a violation ({violations})")
            }
            Purpose::Exhaustion => {
                let violations = list(&Place::of_violations(program));
                format!("every execution ends, and none in a violation ({violations})")
            }
        }
    }

    /// The condition as an SMT-LIB script of its own, whose answer is `unsat` if it holds.
    ///
    /// The text depends on nothing but the terms in their store: a store into which the same program and the same
    /// invariants were read gives the same text.
    pub fn script(&self, terms: &Terms, program: &Program) -> String {
        let says = match self.purpose {
            Purpose::Exhaustion => [
                "executions are followed from the entry on, whatever the values are there",
                "one goes on in a loop where all are said to have ended, or comes to the violation",
                "whatever it comes to",
            ],
            Purpose::Base | Purpose::Step => [
                "the values at cutpoints, round by round: here@… says that execution is there; facts hold",
                "the violation is reached, in the last round or in one of the first",
                "whatever the values are",
            ],
            _ => ["what holds at the start", "the way is taken", "and its end is not as it should be"],
        };
        self.commented_script(terms, &self.describe(program), says)
    }
}

/// The first few of a list of places.
fn list(places: &[Place]) -> String {
    const SHOWN: usize = 4;
    let mut shown: Vec<String> = places.iter().take(SHOWN).map(Place::to_string).collect();
    if places.len() > SHOWN {
        shown.push(format!("{} more", places.len() - SHOWN));
    }
    shown.join(", ")
}

/// A text in lines that are not too long.
fn wrapped(text: &str) -> Vec<String> {
    const WIDTH: usize = 100;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.len() + word.len() < WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The conditions of a proof by invariants, from the program alone: initiation, consecution and safety. Only locations between
/// the entry and the error in the control flow matter: elsewhere nothing can go wrong.
///
/// Each is `inv(from) ∧ way(from, to) ∧ ¬inv(to)`, with the way's strongest postcondition. Variables of an invariant that are
/// none of the program's are meant for all their values: `inv(to)` is refuted at values that are new each time, and of
/// `inv(from)` there are instances. Those that hold whatever the
/// solver says, because simplification made a formula `false`, are among them. `Err` if a loop passes through no cutpoint.
///
/// ```
/// use tamis_evidence::{Certificate, Purpose, conditions};
/// use tamis_front_c::{Options, translate_source};
/// use tamis_logic::Terms;
/// let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
///     int main(void) { int x = __VERIFIER_nondet_int(); if (x != x) reach_error(); return 0; }";
/// let mut terms = Terms::new();
/// let program = translate_source("same.i", text, &Options::default(), &mut terms)?;
/// let conditions = conditions(&mut terms, &program, &Certificate::default()).expect("there is no loop");
/// assert!(conditions.iter().all(|c| matches!(c.purpose, Purpose::Initiation | Purpose::Safety)));
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn conditions(
    terms: &mut Terms,
    program: &Program,
    certificate: &Certificate,
) -> Result<Vec<Condition>, Rejection> {
    let ways = Ways::between(terms, program, certificate.invariants.iter().map(|&(l, _)| l))?;
    let is_state = |v: Term| program.var_of(v).is_some();
    Ok(ways.conditions(terms, (program.entry(), program.error()), certificate, &is_state))
}

/// All that lies between cutpoints.
pub(crate) struct Ways<P = Location> {
    /// Where each starts, and how it arrives; those from the same cutpoint stand together.
    pub all: Vec<(P, Arrival<P>)>,
}

impl Ways {
    /// The ways between these cutpoints, the entry and the error, as far as they matter.
    pub fn between(
        terms: &mut Terms,
        program: &Program,
        cutpoints: impl Iterator<Item = Location>,
    ) -> Result<Ways, Rejection> {
        let mut starts: Vec<Location> = Vec::new();
        let mut cut: FxHashSet<Location> = FxHashSet::default();
        for l in cutpoints {
            if cut.insert(l) {
                starts.push(l);
            }
        }
        if !cut.contains(&program.entry()) {
            starts.push(program.entry());
        }
        cut.insert(program.error());
        let is_cutpoint = |l: Location| cut.contains(&l);
        let matters = on_a_way_to_error(program);
        let order = acyclic_order(program, &matters, &is_cutpoint).map_err(Rejection::UncutLoop)?;
        let mut all = Vec::new();
        for from in starts.into_iter().filter(|&l| l != program.error() && matters[l.index()]) {
            let anywhere = (terms.tru(), Substitution::new());
            let ways = strongest_post(terms, program, from, anywhere, &order, &is_cutpoint);
            all.extend(ways.into_iter().filter(|way| matters[way.at.index()]).map(|way| (from, way)));
        }
        Ok(Ways { all })
    }
}

impl<P: Copy + Eq + Hash> Ways<P> {
    /// What invariants at the cutpoints have to fulfil.
    pub fn conditions(
        &self,
        terms: &mut Terms,
        (entry, error): (P, P),
        certificate: &Certificate<P>,
        is_state: &dyn Fn(Term) -> bool,
    ) -> Vec<Condition<P>> {
        let invariants: FxHashMap<P, Term> = certificate.invariants.iter().copied().collect();
        let (truth, falsum) = (terms.tru(), terms.fals());
        // The error location's invariant is false, whatever the certificate says.
        let invariant_at = |l: P| match invariants.get(&l) {
            _ if l == error => falsum,
            Some(&invariant) => invariant,
            None => truth,
        };
        let nothing = Substitution::new();
        let mut conditions = vec![Condition {
            purpose: Purpose::Initiation,
            from: entry,
            to: entry,
            before: truth,
            way: truth,
            failure: refuted(terms, invariant_at(entry), &nothing, is_state).0,
        }];
        for (from, way) in &self.all {
            let before = invariant_at(*from);
            if terms.is_false(before) {
                continue;
            }
            let (failure, own) = refuted(terms, invariant_at(way.at), &way.values, is_state);
            let before = instances(terms, before, &[way.condition, failure], &own, is_state);
            conditions.push(Condition {
                purpose: if way.at == error { Purpose::Safety } else { Purpose::Consecution },
                from: *from,
                to: way.at,
                before,
                way: way.condition,
                failure,
            });
        }
        conditions
    }
}
