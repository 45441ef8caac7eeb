//! A run: read queries, and let one engine or all of them solve each.

use super::answer::{self, Solved, StepTaken};
use super::report::{Report, Tried, rounded};
use super::script::{Queries, Script};
use crate::arguments::AbstractOptions;
use crate::limits::{Limits, peak_memory, reset_peak_memory};
use crate::solve::source::Source;
use crate::verdict::ExitStatus;
use std::any::Any;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;
use tamis_diagnostics::Diagnostic;
use tamis_diagram::Diagrams;
use tamis_logic::Term;
use tamis_paq::{
    Abstraction, Context, Interrupted, Parameters, Predicate, Query, Successive, engine_named, engine_names,
    negation, strongest, weakest,
};
use tamis_solver::{Budget, Solver, Stop};

/// The approximations of successive ones.
const STEPS: &str = "steps";

/// With so few predicates diagrams are small as a rule: so many nodes and cached operations will do. OxiDD uses memory for nodes
/// one by one where there are at most so many, and a megabyte at once where there are more, which takes longer than a small
/// query.
const FEW_PREDICATES: usize = 36;
const SMALL_CACHE: usize = 1 << 12;
const SMALL_TABLE: usize = 1 << 16;

pub struct Session {
    options: AbstractOptions,
    limits: Limits,
    budget: Budget,
    report: Arc<Report>,
    spent: Cell<Option<Box<dyn Any>>>,
}

impl Session {
    pub fn new(options: AbstractOptions, limits: Limits, budget: Budget, report: Arc<Report>) -> Session {
        Session { options, limits, budget, report, spent: Cell::new(None) }
    }

    /// Answers the queries of the script, one after the other.
    pub fn run(self) -> ExitStatus {
        let name = self.options.file.display().to_string();
        let source = match Source::open(&self.options.file) {
            Ok(source) => source,
            Err(error) => {
                let message = format!("cannot be read: {error}");
                tamis_diagnostics::print("error", &Diagnostic::about_file(name, message.clone()));
                return self.report.unreadable(&message);
            }
        };
        let mut queries = Queries::new(&name, source, &self.options.predicates);
        let mut worst = ExitStatus::True;
        loop {
            match queries.read_next() {
                Ok(true) => {}
                Ok(false) => break,
                Err(message) => return self.report.unreadable(&message),
            }
            let status = self.query(&mut queries.script);
            if status as u8 > worst as u8 {
                worst = status;
            }
            if self.budget.check().is_err() {
                break;
            }
            self.report.begin_next();
        }
        // The process ends now: to take all terms and diagrams apart would be time for nothing.
        std::mem::forget((queries, self.spent.take()));
        worst
    }

    /// Keeps something that has had its use until the next one has: the last one of them is left to the end of the process.
    fn retire(&self, spent: impl Any) {
        drop(self.spent.replace(Some(Box::new(spent))));
    }

    fn query(&self, script: &mut Script) -> ExitStatus {
        let nodes = self.nodes();
        let few = script.predicates.len() <= FEW_PREDICATES && self.options.enumerates();
        let mut size = if few { nodes.min(SMALL_TABLE) } else { nodes };
        loop {
            let mut diagrams = Diagrams::with_cache(size, if few { SMALL_CACHE } else { nodes / 8 });
            let mut predicates = Vec::with_capacity(script.predicates.len());
            for named in &script.predicates {
                let Ok(var) = diagrams.new_var() else { return self.report.unknown(OUT_OF_NODES) };
                predicates.push(Predicate { formula: named.formula, var });
            }
            if self.options.all_engines {
                return self.compare(script, &mut diagrams, &predicates);
            }
            let answer = self.answer(script, &mut diagrams, &predicates);
            let status = match answer {
                Err(why) if why == OUT_OF_NODES && size < nodes => {
                    size = nodes;
                    continue;
                }
                Err(why) => self.report.unknown(&why),
                Ok(status) => status,
            };
            self.retire(diagrams);
            return status;
        }
    }

    /// Solves the query with the engine that is asked for and reports the answer; if there is none, why.
    fn answer(
        &self,
        script: &mut Script,
        diagrams: &mut Diagrams,
        predicates: &[Predicate],
    ) -> Result<ExitStatus, String> {
        let asked = self.options.asked().unwrap_or(STEPS);
        let solved = self.solve(asked, script, diagrams, predicates, &self.budget)?;
        let formula = formula_of(script, diagrams, &solved, predicates);
        Ok(self.report.answered(&solved, &script.predicates, &formula))
    }

    /// The most nodes that diagrams may have.
    fn nodes(&self) -> usize {
        self.options.nodes.unwrap_or(Diagrams::DEFAULT_MAX_NODES)
    }

    fn parameters(&self) -> Parameters {
        Parameters {
            size: self.options.size.unwrap_or(Parameters::default().size),
            step: self.options.step.unwrap_or(1),
            incremental: !self.options.non_incremental,
            seed: self.options.seed,
            memory: self.options.limits.memory,
        }
    }

    /// Lets an engine solve the query; if there is no answer, why.
    fn solve(
        &self,
        engine: &str,
        script: &mut Script,
        diagrams: &mut Diagrams,
        predicates: &[Predicate],
        budget: &Budget,
    ) -> Result<Solved, String> {
        let Some(engine) = engine_named(engine, &self.parameters()) else {
            return Err(format!("no engine `{engine}`"));
        };
        if self.options.all_engines {
            reset_peak_memory();
        }
        let start = Instant::now();
        let mut steps = Vec::new();
        let answer = if engine.name() == STEPS {
            self.steps(script, diagrams, predicates, budget, &mut steps)
        } else {
            let terms = &mut script.terms;
            let mut query = Query { terms, diagrams, formula: &script.formula, predicates, budget };
            let operation = if self.options.weakest { weakest } else { strongest };
            operation(engine.as_ref(), &mut query)
        };
        let seconds = rounded(start.elapsed().as_secs_f64());
        let answer = answer.map_err(|why| self.reason(why, script))?;
        let mut solved = self.solved(engine.name(), answer, script, diagrams, predicates)?;
        (solved.seconds, solved.steps) = (seconds, steps);
        Ok(solved)
    }

    /// What there is to say of an answer.
    fn solved(
        &self,
        engine: &'static str,
        answer: Abstraction,
        script: &Script,
        diagrams: &Diagrams,
        predicates: &[Predicate],
    ) -> Result<Solved, String> {
        let megabytes = megabytes();
        let Abstraction { function, exact, engine: winner } = answer;
        let cubes = match answer::cubes(diagrams, &function, predicates, &script.predicates) {
            Ok(found) => found,
            Err(_) if diagrams.max_nodes() < self.nodes() => return Err(OUT_OF_NODES.to_owned()),
            // Without room to find its cubes, the answer is still known.
            Err(_) => None,
        };
        let vars: Vec<_> = predicates.iter().map(|p| p.var).collect();
        Ok(Solved {
            engine,
            winner: (winner != engine).then_some(winner),
            exact,
            cube_count: cubes.as_ref().map(|cubes| cubes.literals.len()),
            cubes,
            minterms: diagrams.minterm_count(&function, &vars),
            support: answer::support(diagrams, &function, predicates, &script.predicates),
            steps: Vec::new(),
            seconds: 0.0,
            megabytes,
            function: Some(function),
        })
    }

    /// Successive approximations, each of which is told.
    fn steps(
        &self,
        script: &mut Script,
        diagrams: &mut Diagrams,
        predicates: &[Predicate],
        budget: &Budget,
        steps: &mut Vec<StepTaken>,
    ) -> Result<Abstraction, Interrupted> {
        let start = Instant::now();
        let parameters = self.parameters();
        let engine = Successive {
            step: parameters.step,
            last: self.options.last,
            incremental: parameters.incremental,
            seed: parameters.seed,
        };
        let mut meanings = predicates.to_vec();
        let mut formula: Vec<Term> = script.formula.clone();
        if self.options.weakest {
            let (negation, defined) = negation(&mut script.terms, &formula, predicates);
            (formula, meanings) = (vec![negation], defined);
        }
        let mut solver = Solver::new(budget);
        formula.iter().for_each(|&conjunct| solver.assert(&script.terms, conjunct));
        let mut taken = Vec::new();
        let terms = &mut script.terms;
        let mut context = Context { terms, diagrams, solver: &mut solver, formula: &formula };
        let mut answer = engine.approximations(&mut context, &[], &meanings, &mut |step| {
            taken.push((step.clone(), start.elapsed().as_secs_f64()));
            true
        })?;
        let vars: Vec<_> = predicates.iter().map(|p| p.var).collect();
        for (step, seconds) in taken {
            let function = if self.options.weakest { diagrams.not(&step.function) } else { step.function };
            steps.push(StepTaken {
                size: step.size,
                cubes: step.cubes,
                minterms: diagrams.minterm_count(&function, &vars),
                seconds: rounded(seconds),
            });
        }
        if self.options.weakest {
            answer.function = diagrams.not(&answer.function);
        }
        Ok(answer)
    }

    /// Lets each engine solve the query by itself.
    fn compare(&self, script: &mut Script, diagrams: &mut Diagrams, predicates: &[Predicate]) -> ExitStatus {
        let mut tried: Vec<Tried> = Vec::new();
        for name in engine_names() {
            let budget = match self.limits.timeout {
                Some(timeout) => self.budget.child_with_timeout(timeout),
                None => self.budget.child(),
            };
            let start = Instant::now();
            let result = self.solve(name, script, diagrams, predicates, &budget);
            tried.push((name, result.map_err(|why| (why, rounded(start.elapsed().as_secs_f64())))));
        }
        let agree = self.agree(&tried, diagrams);
        self.report.compared(&tried, agree, &script.predicates)
    }

    /// Whether exact answers are the same, and implied by the others (for `F_P`: imply the others).
    fn agree(&self, tried: &[Tried], diagrams: &Diagrams) -> bool {
        let solved = || tried.iter().filter_map(|(_, result)| result.as_ref().ok());
        let Some(exact) = solved().find(|s| s.exact) else { return true };
        solved().all(|other| match (&exact.function, &other.function, self.options.weakest) {
            (exact, function, _) if other.exact => exact == function,
            (Some(exact), Some(function), false) => diagrams.is_subset(exact, function),
            (Some(exact), Some(function), true) => diagrams.is_subset(function, exact),
            _ => false,
        })
    }

    /// Why an engine has no answer.
    fn reason(&self, why: Interrupted, script: &Script) -> String {
        match why {
            Interrupted::Stopped(Stop::Unsupported) => match &script.undecided {
                Some(term) => format!(
                    "line {} column {}: {} is not decided",
                    term.position.line, term.position.column, term.what
                ),
                None => Stop::Unsupported.to_string(),
            },
            Interrupted::Stopped(stop) => self.limits.reason(stop),
            Interrupted::OutOfNodes => OUT_OF_NODES.to_owned(),
            Interrupted::Unsuitable(term, why) => format!("{why}: {}", script.terms.to_smtlib(term)),
        }
    }
}

const OUT_OF_NODES: &str = "decision diagrams outgrew their limit";

/// An answer with too many prime implicants to list, as a formula; of another, nothing.
fn formula_of(script: &mut Script, diagrams: &Diagrams, solved: &Solved, predicates: &[Predicate]) -> String {
    let (None, Some(function)) = (&solved.cubes, &solved.function) else { return String::new() };
    let formulas: std::collections::HashMap<_, _> = predicates.iter().map(|p| (p.var, p.formula)).collect();
    let term = diagrams.to_term(&mut script.terms, function, |var| formulas[&var]);
    script.terms.to_smtlib(term)
}

/// The most memory that the process has had.
fn megabytes() -> u64 {
    peak_memory().unwrap_or(0) / 1_000_000
}
