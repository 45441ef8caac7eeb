//! The race of engines: who wins, who is stopped, who steps aside.

#![allow(clippy::unwrap_used)]

use tamis_diagram::Diagrams;
use tamis_logic::{Sort, Term, Terms};
use tamis_paq::{Abstraction, AllSat, Context, Engine, Interrupted, Min, Predicate, Query, strongest};
use tamis_solver::{Budget, Stop};

/// Ends when it is stopped.
struct Endless;

impl Engine for Endless {
    fn name(&self) -> &'static str {
        "endless"
    }

    fn abstraction(
        &self,
        context: &mut Context<'_>,
        _: &[Term],
        _: &[Predicate],
    ) -> Result<Abstraction, Interrupted> {
        loop {
            context.solver.budget().check()?;
        }
    }

    fn is_exact(&self) -> bool {
        true
    }
}

/// Takes no query, or says less than it could.
struct Aside {
    refuses: bool,
}

impl Engine for Aside {
    fn name(&self) -> &'static str {
        "aside"
    }

    fn abstraction(
        &self,
        context: &mut Context<'_>,
        _: &[Term],
        predicates: &[Predicate],
    ) -> Result<Abstraction, Interrupted> {
        match self.refuses {
            true => Err(Interrupted::Unsuitable(predicates[0].formula, "not for me")),
            false => Ok(Abstraction { function: context.diagrams.tru(), exact: false, engine: self.name() }),
        }
    }

    fn is_exact(&self) -> bool {
        false
    }
}

fn race(
    engines: Vec<Box<dyn Engine>>,
    max_nodes: usize,
    budget: &Budget,
) -> Result<&'static str, Interrupted> {
    let (mut terms, mut diagrams) = (Terms::new(), Diagrams::new(1 << 12));
    let bits: Vec<Term> = (0..4).map(|i| terms.var(&format!("b{i}"), Sort::Bool)).collect();
    let formula = [terms.or(&bits)];
    // The variables are not the first ones, nor in the same order as in the race.
    diagrams.new_var().unwrap();
    let mut predicates: Vec<Predicate> =
        bits.iter().map(|&formula| Predicate { formula, var: diagrams.new_var().unwrap() }).collect();
    predicates.reverse();
    let mut query = Query {
        terms: &mut terms,
        diagrams: &mut diagrams,
        formula: &formula,
        predicates: &predicates,
        budget,
    };
    let answer = strongest(&Min { engines, max_nodes, head_start: 0 }, &mut query)?;
    let none: Vec<_> = predicates.iter().map(|p| (p.var, false)).collect();
    assert_eq!(answer.function, diagrams.not(&diagrams.cube(&none).unwrap()));
    assert!(answer.exact);
    Ok(answer.engine)
}

#[test]
fn the_first_exact_answer_wins_and_the_others_are_stopped() {
    let engines: Vec<Box<dyn Engine>> = vec![Box::new(Endless), Box::new(AllSat), Box::new(Endless)];
    assert_eq!(race(engines, 1 << 12, &Budget::unlimited()), Ok("allsat"));
}

#[test]
fn engines_step_aside() {
    let aside = |refuses| Box::new(Aside { refuses });
    let engines: Vec<Box<dyn Engine>> = vec![aside(true), aside(false), Box::new(AllSat)];
    assert_eq!(race(engines, 1 << 12, &Budget::unlimited()), Ok("allsat"));
    let nobody = race(vec![aside(true), aside(false)], 1 << 12, &Budget::unlimited());
    assert_eq!(nobody, Err(Interrupted::Stopped(Stop::Unsupported)));
}

#[test]
fn limits_are_those_of_an_engine_and_of_the_run() {
    assert_eq!(race(vec![Box::new(AllSat)], 2, &Budget::unlimited()), Err(Interrupted::OutOfNodes));
    let short = Budget::with_timeout(std::time::Duration::from_millis(50));
    assert_eq!(race(vec![Box::new(Endless)], 1 << 12, &short), Err(Interrupted::Stopped(Stop::Timeout)));
}
