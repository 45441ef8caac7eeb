//! A query is tried in several forms in turn, with more time from round to round: each can be small where the others
//! are large, and it is not seen beforehand which.

use super::build::{self, Builder};
use super::gate::{Joining, is_simple, replace_control};
use super::{Answer, Failure, Options, Order, Query, answer, schedule};
use crate::LinearReading;
use crate::define::replace_defined;
use crate::limits;
use std::time::Instant;
use tamis_diagram::linear::{self, LinearDiagrams};
use tamis_diagram::{Bdd, Diagrams};
use tamis_logic::{Term, Terms};
use tamis_solver::{Budget, Stop};

/// The query as it goes into diagrams.
struct Form {
    /// Variables that are asked first.
    first: Vec<Term>,
    conjuncts: Vec<Term>,
    predicates: Vec<Term>,
    /// Whether this is the query itself, and not only implied by it.
    exact: bool,
    /// There is no more to be had from it: diagrams of it outgrow their limit, or an answer was not exact.
    done: bool,
}

impl Form {
    fn new(terms: &mut Terms, query: &Query<'_>, joining: Joining, budget: &Budget) -> Result<Form, Stop> {
        budget.check()?;
        let mut conjuncts: Vec<Term> = query.formula.iter().chain(query.assumptions).copied().collect();
        let mut predicates: Vec<Term> = query.predicates.iter().map(|p| p.formula).collect();
        replace_defined(terms, &mut conjuncts, &mut predicates, is_simple);
        budget.check()?;
        let (mut conjuncts, first) = match joining {
            Joining::Late => (conjuncts, Vec::new()),
            Joining::Plain | Joining::Bounded => {
                replace_control(terms, joining, conjuncts, &mut predicates, budget)?
            }
        };
        replace_defined(terms, &mut conjuncts, &mut predicates, is_simple);
        budget.check()?;
        let mut reading = LinearReading::new();
        let mut predicates: Vec<Term> = predicates.into_iter().map(|p| reading.formula(terms, p)).collect();
        let mut conjuncts: Vec<Term> = conjuncts.into_iter().map(|c| reading.formula(terms, c)).collect();
        conjuncts.extend(reading.take_constraints());
        replace_defined(terms, &mut conjuncts, &mut predicates, is_simple);
        Ok(Form { first, conjuncts, predicates, exact: reading.is_exact(), done: false })
    }

    fn is_same(&self, other: &Form) -> bool {
        self.conjuncts == other.conjuncts && self.predicates == other.predicates
    }
}

/// What an attempt came to.
enum Outcome {
    Answer(Answer),
    OutOfNodes,
    OutOfTime,
}

/// The forms that take turns. Between them they have small diagrams for nearly all queries.
const IN_TURN: [Joining; 2] = [Joining::Late, Joining::Bounded];

/// The form that is tried when those came to no exact answer.
const AT_LAST: Joining = Joining::Plain;

/// See [`solve`](super::solve).
pub(super) fn solve(
    terms: &mut Terms,
    query: &Query<'_>,
    diagrams: &mut Diagrams,
    options: &Options,
    budget: &Budget,
) -> Result<Answer, Failure> {
    let (in_turn, at_last) = match options.joining {
        Some(joining) => (vec![joining], None),
        None => (IN_TURN.to_vec(), Some(AT_LAST)),
    };
    let mut forms: Vec<Form> = Vec::new();
    let mut time = limits::FIRST_ROUND;
    let mut approximation: Option<Bdd> = None;
    loop {
        let last = approximation.is_some();
        for (i, &joining) in in_turn.iter().enumerate() {
            if i == forms.len() {
                add_form(terms, query, joining, &mut forms, budget)?;
            }
            if forms[i].done {
                continue;
            }
            // A form that has no other to make room for is tried to its end.
            let others = in_turn.len() > forms.len() || forms.iter().filter(|form| !form.done).count() > 1;
            let limited = others || approximation.is_some();
            let until = if limited { Instant::now().checked_add(time) } else { None };
            let outcome = run(terms, query, &forms[i], until, diagrams, options, budget)?;
            forms[i].done = !matches!(outcome, Outcome::OutOfTime);
            match outcome {
                Outcome::Answer(answer) if answer.exact => return Ok(answer),
                Outcome::Answer(answer) => approximation = Some(meet(diagrams, approximation, answer)),
                Outcome::OutOfNodes | Outcome::OutOfTime => {}
            }
        }
        // Where there is an answer, a better one is waited for one round longer.
        if last || forms.iter().all(|form| form.done) {
            break;
        }
        time = time.saturating_mul(limits::ROUND_GROWTH);
    }
    if let Some(joining) = at_last {
        let form = add_form(terms, query, joining, &mut forms, budget)?;
        let until = approximation.as_ref().and_then(|_| Instant::now().checked_add(time));
        if !form.done
            && let Outcome::Answer(answer) = run(terms, query, form, until, diagrams, options, budget)?
        {
            if answer.exact {
                return Ok(answer);
            }
            approximation = Some(meet(diagrams, approximation, answer));
        }
    }
    let result = approximation.ok_or(Failure::OutOfNodes)?;
    Ok(Answer { exact: result.is_false(), result })
}

/// Makes a form; what is the same as another is not tried again.
fn add_form<'a>(
    terms: &mut Terms,
    query: &Query<'_>,
    joining: Joining,
    forms: &'a mut Vec<Form>,
    budget: &Budget,
) -> Result<&'a Form, Stop> {
    let form = Form::new(terms, query, joining, budget)?;
    let done = forms.iter().any(|other| form.is_same(other));
    forms.push(Form { done, ..form });
    Ok(&forms[forms.len() - 1])
}

/// What an approximation and another have in common, or one of them if that is too large.
fn meet(diagrams: &mut Diagrams, one: Option<Bdd>, other: Answer) -> Bdd {
    match one {
        Some(one) => diagrams.and(&one, &other.result).unwrap_or(one),
        None => other.result,
    }
}

/// Tries one form until then.
fn run(
    terms: &mut Terms,
    query: &Query<'_>,
    form: &Form,
    until: Option<Instant>,
    diagrams: &mut Diagrams,
    options: &Options,
    budget: &Budget,
) -> Result<Outcome, Failure> {
    let mut linear = LinearDiagrams::new(options.max_nodes);
    if options.order == Order::Dynamic {
        linear.reorder_automatically();
    }
    let watched = budget.clone();
    let over = move || until.is_some_and(|until| Instant::now() >= until);
    linear.set_interrupt(move || watched.check().is_err() || over());
    let mut attempt = || {
        let mut built =
            Builder::new(terms, &mut linear).build(&form.first, &form.conjuncts, &form.predicates)?;
        let exact = schedule::eliminate_all(&mut linear, &mut built)?;
        let result = answer::to_bdd(&mut linear, built, query.predicates, diagrams)?;
        // An over-approximation that is empty is exact.
        let exact = (exact && form.exact) || result.is_false();
        Ok(Answer { result, exact })
    };
    match attempt() {
        Ok(answer) => Ok(Outcome::Answer(answer)),
        Err(build::Failure::NotLinear(t)) => Err(Failure::NotLinear(t)),
        Err(build::Failure::Diagram(failure)) => {
            budget.check()?;
            match failure {
                linear::Failure::OutOfNodes => Ok(Outcome::OutOfNodes),
                linear::Failure::Interrupted => Ok(Outcome::OutOfTime),
            }
        }
    }
}
