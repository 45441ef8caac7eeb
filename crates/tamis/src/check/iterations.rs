//! Every iteration of the loop, for `--trace-iterations`.

use super::board::Board;
use super::progress::Progress;
use crate::formalism::Model;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tamis_cegar::{ControlReport, Iteration, Observer, SpuriousTrace, Statistics, TraceStep};
use tamis_diagram::Bdd;
use tamis_logic::{Term, Terms};
use tamis_system::Point;

/// Passes what the loop tells on to the progress line and, if that is wanted, tells of each iteration on stderr.
pub struct Iterations<'a, 's, M: Model> {
    progress: &'a mut Progress,
    board: &'a Board,
    model: &'s M,
    system: &'a M::System<'s>,
    shown: bool,
    /// How many predicates each point had, and how many were added there in each of the last iterations.
    predicates: FxHashMap<Point, usize>,
    added: VecDeque<Vec<(Point, usize)>>,
}

/// So many iterations say where the search is busy.
const LATELY: usize = 20;

/// So many loops are named.
const LOOPS: usize = 3;

impl<'a, 's, M: Model> Iterations<'a, 's, M> {
    /// `shown`: whether each iteration is told of.
    pub fn new(
        progress: &'a mut Progress,
        board: &'a Board,
        model: &'s M,
        system: &'a M::System<'s>,
        shown: bool,
    ) -> Iterations<'a, 's, M> {
        let (predicates, added) = (FxHashMap::default(), VecDeque::new());
        Iterations { progress, board, model, system, shown, predicates, added }
    }

    /// Tells the board how far the search is.
    pub fn update(&self, statistics: &Statistics) {
        let mut sums: FxHashMap<Point, usize> = FxHashMap::default();
        for &(point, new) in self.added.iter().flatten() {
            *sums.entry(point).or_default() += new;
        }
        let mut sums: Vec<(usize, Point)> = sums.into_iter().map(|(point, new)| (new, point)).collect();
        sums.sort_by_key(|&(new, point)| (std::cmp::Reverse(new), point.0));
        let iterations = self.added.len();
        let place = |&(new, point): &(usize, Point)| {
            let all = self.predicates.get(&point).copied().unwrap_or_default();
            format!(
                "{} ({new} of its {all} predicates are from the last {iterations} iterations)",
                self.place(point)
            )
        };
        self.board.update(statistics, sums.iter().take(LOOPS).map(place).collect());
    }

    fn count(&mut self, iteration: &Iteration) {
        let mut added = Vec::new();
        for (point, formulas) in &iteration.predicates {
            let before = self.predicates.insert(*point, formulas.len()).unwrap_or_default();
            if formulas.len() > before {
                added.push((*point, formulas.len() - before));
            }
        }
        self.added.push_back(added);
        if self.added.len() > LATELY {
            self.added.pop_front();
        }
    }
}

impl<M: Model> Observer for Iterations<'_, '_, M> {
    fn image(&mut self, region: &Bdd) {
        self.progress.image(region);
    }

    fn iteration(&mut self, terms: &Terms, statistics: &Statistics, iteration: &Iteration) {
        self.progress.iteration(terms, statistics, iteration);
        self.count(iteration);
        self.update(statistics);
        if self.shown {
            self.progress.suspend(|| self.tell(terms, statistics, iteration));
        }
    }
}

impl<M: Model> Iterations<'_, '_, M> {
    fn tell(&self, terms: &Terms, statistics: &Statistics, iteration: &Iteration) {
        let Statistics { iterations, predicates, states, .. } = statistics;
        eprintln!(
            "iteration {iterations}: {predicates} predicates, {states} abstract states or sets of them"
        );
        for (point, formulas) in &iteration.predicates {
            let formulas: Vec<String> = formulas.iter().map(|&f| self.formula(terms, *point, f)).collect();
            eprintln!("  at {}: {}", self.place(*point), formulas.join(", "));
        }
        if let Some(control) = &iteration.control {
            self.tell_control(terms, control);
        }
        match &iteration.counterexample {
            Some(trace) => self.tell_trace(terms, trace),
            None => eprintln!("  no abstract counterexample"),
        }
    }

    /// What the abstract model keeps beside predicates, why, and what it takes for inputs.
    fn tell_control(&self, terms: &Terms, control: &ControlReport) {
        let name = |variable: Term| terms.var_name(variable).unwrap_or("a variable").to_owned();
        for (variable, fate) in &control.variables {
            eprintln!("  control variable {}: {fate}", name(*variable));
        }
        if !control.inputs.is_empty() {
            let inputs = control.inputs.iter().map(|&(v, bits)| format!("{} ({bits} bits)", name(v)));
            eprintln!("  inputs of the abstract model: {}", inputs.collect::<Vec<_>>().join(", "));
        }
    }

    fn tell_trace(&self, terms: &Terms, trace: &SpuriousTrace) {
        eprintln!("  abstract counterexample, {} blocks:", trace.steps.len());
        for (i, TraceStep { point, values, .. }) in trace.steps.iter().enumerate() {
            let literal = |&(formula, value): &(Term, bool)| {
                let text = self.formula(terms, *point, formula);
                if value { text } else { format!("!({text})") }
            };
            let values: Vec<String> = values.iter().map(literal).collect();
            let failing = if trace.failing_step == Some(i) { "   <- cannot be executed" } else { "" };
            eprintln!("    {}: {}{failing}", self.place(*point), values.join(", "));
        }
        match &trace.failing_guard {
            Some(guard) => eprintln!("  spurious: no execution passes {guard}"),
            None => eprintln!("  spurious: no execution follows it"),
        }
    }

    fn place(&self, point: Point) -> String {
        self.model.place(self.system, point)
    }

    fn formula(&self, terms: &Terms, point: Point, formula: Term) -> String {
        self.model.formula(terms, self.system, point, formula)
    }
}
