//! A query is tried in two forms in turn, with more patience from round to round: either can be small where the other is
//! large, and it is not seen beforehand which.

use super::build::{self, Builder};
use super::gate::{Joining, replace_control};
use super::{Answer, Failure, Options, Order, Query, answer, define, schedule};
use crate::LinearReading;
use std::time::{Duration, Instant};
use tamis_diagram::linear::{self, LinearDiagrams};
use tamis_diagram::{Bdd, Diagrams};
use tamis_logic::{Term, Terms};
use tamis_solver::{Budget, Stop};

/// How long each form is tried in the first round, and how many times longer in each round after it. Steps on diagrams
/// take too different times in the two forms to count them instead.
const FIRST_ROUND: Duration = Duration::from_secs(1);
const NEXT_ROUND: u32 = 3;

/// The query as it goes into diagrams.
struct Form {
    /// Variables that are asked first.
    first: Vec<Term>,
    conjuncts: Vec<Term>,
    predicates: Vec<Term>,
    /// Whether this is the query itself, and not only implied by it.
    exact: bool,
    /// Diagrams of it are known to outgrow their limit.
    outgrown: bool,
}

impl Form {
    fn new(terms: &mut Terms, query: &Query<'_>, joining: Joining, budget: &Budget) -> Result<Form, Stop> {
        budget.check()?;
        let conjuncts: Vec<Term> = query.formula.iter().chain(query.assumptions).copied().collect();
        let predicates: Vec<Term> = query.predicates.iter().map(|p| p.formula).collect();
        let (conjuncts, mut predicates) = define::replace_defined(terms, conjuncts, predicates, budget)?;
        let (conjuncts, first) = replace_control(terms, joining, conjuncts, &mut predicates, budget)?;
        let (conjuncts, predicates) = define::replace_defined(terms, conjuncts, predicates, budget)?;
        let mut reading = LinearReading::new();
        let predicates: Vec<Term> = predicates.into_iter().map(|p| reading.formula(terms, p)).collect();
        let mut conjuncts: Vec<Term> = conjuncts.into_iter().map(|c| reading.formula(terms, c)).collect();
        conjuncts.extend(reading.take_constraints());
        let (conjuncts, predicates) = define::replace_defined(terms, conjuncts, predicates, budget)?;
        Ok(Form { first, conjuncts, predicates, exact: reading.is_exact(), outgrown: false })
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

/// See [`solve`](super::solve).
pub(super) fn solve(
    terms: &mut Terms,
    query: &Query<'_>,
    diagrams: &mut Diagrams,
    options: &Options,
    budget: &Budget,
) -> Result<Answer, Failure> {
    let joinings = match options.joining {
        Some(joining) => vec![joining],
        None => vec![Joining::Plain, Joining::Bounded],
    };
    let mut forms: Vec<Form> = Vec::new();
    let mut time = FIRST_ROUND;
    loop {
        let mut approximation: Option<Bdd> = None;
        for (i, &joining) in joinings.iter().enumerate() {
            if i == forms.len() {
                let form = Form::new(terms, query, joining, budget)?;
                // The same is not tried again as another.
                forms.push(Form { outgrown: forms.iter().any(|other| form.is_same(other)), ..form });
            }
            if forms[i].outgrown {
                continue;
            }
            // The last form has no other to make room for.
            let others =
                joinings.len() > forms.len() || forms.iter().filter(|form| !form.outgrown).count() > 1;
            let until = if others { Instant::now().checked_add(time) } else { None };
            match run(terms, query, &forms[i], until, diagrams, options, budget)? {
                Outcome::Answer(answer) if answer.exact => return Ok(answer),
                Outcome::Answer(answer) => {
                    let result = match approximation {
                        Some(other) => diagrams.and(&other, &answer.result).unwrap_or(other),
                        None => answer.result,
                    };
                    approximation = Some(result);
                }
                Outcome::OutOfNodes => forms[i].outgrown = true,
                Outcome::OutOfTime => {}
            }
        }
        if let Some(result) = approximation {
            return Ok(Answer { exact: result.is_false(), result });
        }
        if forms.iter().all(|form| form.outgrown) {
            return Err(Failure::OutOfNodes);
        }
        time = time.saturating_mul(NEXT_ROUND);
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
