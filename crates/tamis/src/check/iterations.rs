//! Every iteration of the loop, for `--trace-iterations`.

use super::board::Board;
use super::progress::Progress;
use super::scene::{AbstractState, Frame, Gained, Spurious};
use crate::formalism::Model;
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// The predicates that each point has had, if iterations are kept.
    known: FxHashSet<(Point, Term)>,
    added: VecDeque<Vec<(Point, usize)>>,
}

/// So many iterations say where the search is busy.
const LATELY: usize = 20;

/// A page shows so many steps of an abstract counterexample, and so much of a predicate.
const MOST_STEPS: usize = 200;
const MOST_CHARACTERS: usize = 400;

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
        let (predicates, known, added) = (FxHashMap::default(), FxHashSet::default(), VecDeque::new());
        Iterations { progress, board, model, system, shown, predicates, known, added }
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
        if self.board.options.report.is_some() {
            let frame = self.frame(terms, statistics, iteration);
            self.board.iteration(frame);
        }
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

    /// The iteration for a page.
    fn frame(&mut self, terms: &Terms, statistics: &Statistics, iteration: &Iteration) -> Frame {
        let mut gained = Vec::new();
        for (point, formulas) in &iteration.predicates {
            let new: Vec<Term> =
                formulas.iter().copied().filter(|&f| self.known.insert((*point, f))).collect();
            if !new.is_empty() {
                let predicates = new.iter().map(|&f| self.short(terms, *point, f)).collect();
                gained.push(Gained { at: self.model.spot(self.system, *point), predicates });
            }
        }
        let state = |step: &TraceStep| AbstractState {
            at: self.model.spot(self.system, step.point),
            predicates: step
                .values
                .iter()
                .map(|&(f, value)| (self.short(terms, step.point, f), value))
                .collect(),
        };
        let counterexample = iteration.counterexample.as_ref().map(|trace| Spurious {
            steps: trace.steps.iter().take(MOST_STEPS).map(state).collect(),
            failing_step: trace.failing_step.filter(|&step| step < MOST_STEPS),
            failing_guard: trace.failing_guard.clone(),
        });
        let Statistics { iterations, predicates, states, .. } = *statistics;
        Frame { iteration: iterations, predicates, states, gained, counterexample }
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

    /// A predicate for a page, which has room for so much.
    fn short(&self, terms: &Terms, point: Point, formula: Term) -> String {
        let mut text = self.formula(terms, point, formula);
        if let Some((end, _)) = text.char_indices().nth(MOST_CHARACTERS) {
            text.truncate(end);
            text.push('…');
        }
        text
    }

    fn formula(&self, terms: &Terms, point: Point, formula: Term) -> String {
        self.model.formula(terms, self.system, point, formula)
    }
}
