//! The fastest of several engines, whichever it is: MIN of \[SUM\] section 5.

use crate::all_sat::attempt;
use crate::copy::Copied;
use crate::limits;
use crate::{Abstraction, AllSat, Context, Cubes, Engine, Interrupted, Ldd, Predicate, Query, strongest};
use std::sync::mpsc;
use std::time::Instant;
use tamis_diagram::{Bdd, BddVar, Diagrams, OutOfNodes};
use tamis_logic::Term;
use tamis_solver::{Budget, Stop};

/// Lets engines race on threads, each with terms, a solver and diagrams of its own. The first exact answer wins, and the
/// others are stopped. An engine that does not take the query, or outgrows its limits, leaves the race.
///
/// Most queries are answered before threads have started: so long the caller's own solver enumerates.
///
/// ```
/// use tamis_diagram::Diagrams;
/// use tamis_logic::{Sort, Terms};
/// use tamis_paq::{Min, Predicate, Query, strongest};
/// use tamis_solver::Budget;
/// let (mut terms, mut diagrams) = (Terms::new(), Diagrams::new(1 << 16));
/// let bits: Vec<_> = (0..30).map(|i| terms.var(&format!("b{i}"), Sort::Bool)).collect();
/// let formula = [terms.or(&bits)];
/// let p: Vec<_> = bits.iter().map(|&formula| Predicate { formula, var: diagrams.new_var().unwrap() }).collect();
/// let budget = Budget::unlimited();
/// let mut query =
///     Query { terms: &mut terms, diagrams: &mut diagrams, formula: &formula, predicates: &p, budget: &budget };
/// let answer = strongest(&Min::default(), &mut query).unwrap();
/// assert_eq!(diagrams.minterm_count(&answer.function, &[]), (1u64 << 30) as f64 - 1.0);
/// ```
pub struct Min {
    /// The engines in the race.
    pub engines: Vec<Box<dyn Engine>>,
    /// The most nodes that the diagrams of an engine's answer may have.
    pub max_nodes: usize,
    /// For how many minterms the caller's solver enumerates before the race, as long as that does not take longer than a
    /// moment.
    pub head_start: usize,
}

impl Default for Min {
    fn default() -> Min {
        Min::within(None)
    }
}

impl Min {
    /// Enumeration by cubes, which leaves what does not become cubes to enumeration by minterms, and linear decision
    /// diagrams; enumeration by minterms too where there are processors enough.
    ///
    /// Where memory is limited, linear decision diagrams get a part of it: if they outgrow that, the others go on.
    pub fn within(memory: Option<u64>) -> Min {
        let mut engines: Vec<Box<dyn Engine>> =
            vec![Box::new(Cubes), Box::new(Ldd::within(memory.map(|m| m / 3)))];
        if std::thread::available_parallelism().is_ok_and(|n| n.get() > 2) {
            engines.push(Box::new(AllSat));
        }
        Min { engines, max_nodes: Diagrams::DEFAULT_MAX_NODES, head_start: 1024 }
    }
}

/// An engine's answer in its own diagrams.
type Answer = Result<(Diagrams, Abstraction), Interrupted>;

/// The query in a store of its own.
struct Entry {
    copied: Copied,
    formula: Vec<Term>,
    predicates: Vec<Term>,
}

impl Entry {
    fn new(context: &Context<'_>, predicates: &[Predicate]) -> Entry {
        let mut copied = Copied::new(context.terms);
        let formula = context.formula.iter().map(|&t| copied.take(context.terms, t)).collect();
        let predicates = predicates.iter().map(|p| copied.take(context.terms, p.formula)).collect();
        Entry { copied, formula, predicates }
    }

    fn solve(mut self, engine: &dyn Engine, max_nodes: usize, budget: &Budget) -> Answer {
        let mut diagrams = Diagrams::new(max_nodes);
        let mut predicates = Vec::with_capacity(self.predicates.len());
        for formula in self.predicates {
            predicates.push(Predicate { formula, var: diagrams.new_var()? });
        }
        let mut query = Query {
            terms: &mut self.copied.terms,
            diagrams: &mut diagrams,
            formula: &self.formula,
            predicates: &predicates,
            budget,
        };
        let answer = strongest(engine, &mut query)?;
        Ok((diagrams, answer))
    }
}

impl Min {
    /// The first exact answer.
    fn race(&self, context: &Context<'_>, predicates: &[Predicate]) -> Answer {
        let budget = context.solver.budget().child();
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel::<Answer>();
            for engine in &self.engines {
                let (entry, sender, budget) = (Entry::new(context, predicates), sender.clone(), &budget);
                let run = move || {
                    // Nobody listens any more if another one has won.
                    let _ = sender.send(entry.solve(engine.as_ref(), self.max_nodes, budget));
                };
                if std::thread::Builder::new()
                    .stack_size(limits::ENGINE_STACK)
                    .spawn_scoped(scope, run)
                    .is_err()
                {
                    break;
                }
            }
            drop(sender);
            let mut why = Interrupted::Stopped(Stop::Unsupported);
            for answer in receiver {
                match answer {
                    Ok((diagrams, answer)) if answer.exact => {
                        budget.cancel(Stop::Cancelled);
                        return Ok((diagrams, answer));
                    }
                    Ok(_) | Err(Interrupted::Unsuitable(..)) => {}
                    Err(reason) => why = reason,
                }
            }
            Err(why)
        })
    }
}

/// The function of another manager here. If it is large, and nothing else is here yet or it does not fit, the order becomes
/// that of the other one.
fn take_over(
    diagrams: &mut Diagrams,
    theirs: &Diagrams,
    function: &Bdd,
    predicates: &[Predicate],
) -> Result<Bdd, OutOfNodes> {
    // Their variables are the predicates in order.
    let meaning = |var: BddVar| predicates[var.index()].var;
    let order: Vec<BddVar> = theirs.order().into_iter().map(meaning).collect();
    let arranged = theirs.node_count(function) > limits::NODES_TO_REORDER && diagrams.is_blank();
    if arranged {
        diagrams.arrange(&order);
    }
    match diagrams.transfer(theirs, function, meaning) {
        Err(OutOfNodes) if !arranged => {
            diagrams.arrange(&order);
            diagrams.transfer(theirs, function, meaning)
        }
        made => made,
    }
}

impl Engine for Min {
    fn name(&self) -> &'static str {
        "min"
    }

    fn abstraction(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Abstraction, Interrupted> {
        let until = Instant::now() + limits::RACE_HEAD_START;
        match attempt(context, assumptions, predicates, until, self.head_start) {
            Ok(Some(function)) => {
                return Ok(Abstraction { function, exact: true, engine: AllSat.name() });
            }
            // What enumeration does not decide may be decided otherwise.
            Ok(None) | Err(Interrupted::Stopped(Stop::Unsupported) | Interrupted::OutOfNodes) => {}
            Err(why) => return Err(why),
        }
        let (theirs, answer) = self.race(context, predicates)?;
        let function = take_over(context.diagrams, &theirs, &answer.function, predicates)?;
        Ok(Abstraction { function, ..answer })
    }

    fn is_exact(&self) -> bool {
        true
    }
}
