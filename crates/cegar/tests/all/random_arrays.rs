//! Random loops over arrays of four elements, with indices of two bits that wrap around: what is proved of all elements, with its
//! evidence checked, against the exploration of all states.

use rustc_hash::FxHashSet;
use std::time::Duration;
use tamis_cegar::{Outcome, Silent, preset};
use tamis_evidence::{Certificate, certify, replay, tidy};
use tamis_logic::{ArrayValue, Model, Sort, Term, Terms, Value};
use tamis_program::{Builder, Command, Event, Havoc, Location, Program, ProgramSystem, Var, executed};
use tamis_solver::Budget;
use tamis_testing::Random;

const WIDTH: u32 = 2;

struct Making<'a> {
    terms: &'a mut Terms,
    random: &'a mut Random,
    b: Builder,
    a: [Var; 2],
    n: Var,
    m: Var,
    error: Location,
    at: Location,
}

impl Making<'_> {
    fn step(&mut self, command: Command) {
        let next = self.b.location(None);
        self.b.edge(self.at, next, command, None, Event::Step);
        self.at = next;
    }

    fn number(&mut self, value: u64) -> Term {
        self.terms.bits(WIDTH, value.into())
    }

    /// A place in an array, near a counter.
    fn index(&mut self, i: Term) -> Term {
        let one = self.number(1);
        match self.random.below(8) {
            0 => self.terms.add(i, one),
            1 => {
                let n = self.b.term(self.n);
                let before = self.terms.sub(n, i);
                self.terms.sub(before, one)
            }
            2 => self.terms.add(i, i),
            _ => i,
        }
    }

    fn element(&mut self, i: Term) -> Term {
        let array = self.b.term(self.a[self.random.below(2) as usize]);
        let index = self.index(i);
        self.terms.select(array, index)
    }

    fn value(&mut self, i: Term) -> Term {
        match self.random.below(6) {
            0 => i,
            1 | 2 => self.element(i),
            3 => self.b.term(self.m),
            _ => {
                let value = self.random.below(4);
                self.number(value)
            }
        }
    }

    fn condition(&mut self, i: Term) -> Term {
        let (element, value) = (self.element(i), self.value(i));
        match self.random.below(4) {
            0 => self.terms.ult(element, value),
            1 => self.terms.ule(element, value),
            2 => self.terms.ne(element, value),
            _ => self.terms.eq(element, value),
        }
    }

    /// What a loop does at one index.
    fn body(&mut self, i: Term) {
        let array = self.a[self.random.below(2) as usize];
        let store = |this: &mut Self, value: Term| {
            let (term, index) = (this.b.term(array), this.index(i));
            let stored = this.terms.store(term, index, value);
            this.step(Command::Assign(array, stored));
        };
        match self.random.below(6) {
            0 => {
                // Something new.
                let any = self.b.variable(self.terms, "any", Sort::BitVec(WIDTH), None);
                self.step(Command::Havoc(any, Havoc::Input("any".into())));
                let any = self.b.term(any);
                store(self, any);
            }
            1..=3 => {
                let value = self.value(i);
                store(self, value);
            }
            kind => {
                // On a condition, to memory or to the scalar.
                let condition = self.condition(i);
                let (start, end) = (self.at, self.b.location(None));
                let otherwise = self.terms.not(condition);
                self.b.edge(start, end, Command::Assume(otherwise), None, Event::Step);
                self.step(Command::Assume(condition));
                let value = self.value(i);
                if kind == 4 {
                    store(self, value);
                } else {
                    self.step(Command::Assign(self.m, value));
                }
                let truth = self.terms.tru();
                self.b.edge(self.at, end, Command::Assume(truth), None, Event::Step);
                self.at = end;
            }
        }
    }

    /// A loop over elements; the last one asserts.
    fn round(&mut self, asserts: bool) {
        let i = self.b.variable(self.terms, "i", Sort::BitVec(WIDTH), None);
        let (term, n, one) = (self.b.term(i), self.b.term(self.n), self.number(1));
        let down = self.random.below(5) == 0;
        let start = match (down, self.random.below(5)) {
            (true, _) => self.terms.sub(n, one),
            (_, 0) => one,
            _ => self.number(0),
        };
        let three = self.number(3);
        let guard = match (down, self.random.below(6)) {
            // Down through 0.
            (true, _) => self.terms.ne(term, three),
            (_, 0) => self.terms.ne(term, n),
            (_, 1) => self.terms.ult(term, three),
            (_, 2) => self.terms.slt(term, n),
            _ => self.terms.ult(term, n),
        };
        self.step(Command::Assign(i, start));
        let head = self.at;
        self.step(Command::Assume(guard));
        if asserts {
            let condition = self.condition(term);
            let (fails, error, at) = (self.terms.not(condition), self.error, self.at);
            self.b.edge(at, error, Command::Assume(fails), None, Event::Step);
            self.step(Command::Assume(condition));
        } else {
            self.body(term);
        }
        let two = self.number(2);
        let next = match (down, self.random.below(8)) {
            (true, _) => self.terms.sub(term, one),
            (_, 0) => self.terms.add(term, two),
            _ => self.terms.add(term, one),
        };
        self.b.edge(self.at, head, Command::Assign(i, next), None, Event::Step);
        let done = self.terms.not(guard);
        let after = self.b.location(None);
        self.b.edge(head, after, Command::Assume(done), None, Event::Step);
        self.at = after;
    }
}

fn program(terms: &mut Terms, random: &mut Random) -> Program {
    let sort = terms.array_sort(Sort::BitVec(WIDTH), Sort::BitVec(WIDTH));
    let mut b = Builder::new();
    let a = ["a", "b"].map(|name| b.variable(terms, name, sort, None));
    let [n, m] = ["n", "m"].map(|name| b.variable(terms, name, Sort::BitVec(WIDTH), None));
    let [start, error] = [(); 2].map(|()| b.location(None));
    let mut making = Making { terms, random, b, a, n, m, error, at: start };
    making.step(Command::Havoc(n, Havoc::Input("n".into())));
    let first = making.number(0);
    making.step(Command::Assign(m, first));
    for _ in 0..1 + making.random.below(2) {
        making.round(false);
    }
    making.round(true);
    making.b.finish(start, error)
}

/// Whether the error can be reached, by all states; `None` if there are too many.
fn reaches_error(terms: &Terms, program: &Program) -> Option<bool> {
    const MOST: usize = 60_000;
    let variables: Vec<Term> = program.variables().iter().map(|v| v.term).collect();
    let values = |sort: Sort| -> Vec<Value> {
        match sort {
            Sort::BitVec(width) => {
                (0..1u128 << width).map(|v| Value::Bits(tamis_logic::Bits::new(width, v))).collect()
            }
            sort => vec![terms.default_value(sort)],
        }
    };
    // What elements are at the start must be forgotten soon: a few arrays stand for all.
    let mut initial: Vec<Vec<Value>> = vec![Vec::new()];
    for &v in &variables {
        let mut choices = values(terms.sort(v)).into_iter().take(1).collect::<Vec<_>>();
        if terms.array_parts(terms.sort(v)).is_some() {
            choices = arrays(terms, terms.sort(v));
        }
        initial = initial
            .iter()
            .flat_map(|state| {
                choices.iter().map(move |c| [state.as_slice(), std::slice::from_ref(c)].concat())
            })
            .collect();
    }
    let mut seen: FxHashSet<(Location, String)> = FxHashSet::default();
    let mut open: Vec<(Location, Vec<Value>)> = initial.into_iter().map(|s| (program.entry(), s)).collect();
    while let Some((at, state)) = open.pop() {
        if at == program.error() {
            return Some(true);
        }
        if !seen.insert((at, format!("{state:?}"))) {
            continue;
        }
        if seen.len() > MOST {
            return None;
        }
        let model: Model = std::iter::zip(variables.iter().copied(), state.iter().cloned()).collect();
        let place = |v: Var| variables.iter().position(|&t| t == program.term(v)).expect("a variable");
        for &e in program.outgoing(at) {
            let edge = program.edge(e);
            let mut next = vec![state.clone()];
            match &edge.command {
                Command::Assume(guard) if !terms.eval(*guard, &model).as_bool() => continue,
                Command::Assume(_) => {}
                Command::Assign(v, value) => next[0][place(*v)] = terms.eval(*value, &model),
                Command::Havoc(v, _) => {
                    let all = values(terms.sort(program.term(*v)));
                    let set = |value: Value| {
                        let mut state = state.clone();
                        state[place(*v)] = value;
                        state
                    };
                    next = all.into_iter().map(set).collect();
                }
            }
            open.extend(next.into_iter().map(|state| (edge.to, state)));
        }
    }
    Some(false)
}

/// Some arrays: all elements alike, or one unlike the others.
fn arrays(terms: &Terms, sort: Sort) -> Vec<Value> {
    let bits = |v: u128| Value::Bits(tamis_logic::Bits::new(WIDTH, v));
    let alike = |v: u128| terms.constant_array(sort, bits(v));
    let mut found: Vec<ArrayValue> = (0..4).map(alike).collect();
    for place in 0..4 {
        let mut array = alike(0);
        array.store(bits(place), bits(3));
        found.push(array);
    }
    found.into_iter().map(|a| Value::Array(a.into())).collect()
}

/// Tries programs; how many were safe, and how many proved to be by what holds of all elements.
fn try_programs(seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut safe, mut proved) = (0, 0);
    for seed in seeds {
        let mut terms = Terms::new();
        let program = program(&mut terms, &mut Random::new(seed));
        let Some(is_wrong) = reaches_error(&terms, &program) else { continue };
        safe += usize::from(!is_wrong);
        let strategy = preset("invariants").expect("a preset").expect("it is read");
        let system = ProgramSystem::new(&terms, &program);
        let budget = Budget::with_timeout(Duration::from_secs(20));
        let (outcome, _) = tamis_cegar::check(&mut terms, &system, &strategy, &budget, &mut Silent);
        match outcome {
            Outcome::Safe(invariants) => {
                assert!(!is_wrong, "program {seed} is not safe");
                let invariants = system.at_locations(&invariants);
                let about_all = |t: &Term| !terms.index_variables(*t).is_empty();
                proved += usize::from(invariants.iter().any(|(_, t)| about_all(t)));
                let certificate = Certificate { invariants };
                let checked = certify(&mut terms, &program, &certificate, &Budget::unlimited());
                assert_eq!(checked, Ok(()), "program {seed}");
                let tidied = tidy(&mut terms, &program, &certificate, &Budget::unlimited());
                if let Ok(Some(tidied)) = tidied {
                    // It may lack what called for instances.
                    let _ = certify(&mut terms, &program, &tidied, &Budget::unlimited());
                }
            }
            Outcome::Unsafe(trace) => {
                assert!(is_wrong, "program {seed} is safe");
                replay(&terms, &program, &trace.initial, &executed(&trace.execution)).expect("replayed");
            }
            _ => {}
        }
    }
    (safe, proved)
}

#[test]
fn what_is_proved_of_all_elements_holds() {
    let (safe, proved) = try_programs(0..60);
    assert!(proved * 10 >= safe, "{proved} of {safe} were proved");
}

#[test]
#[ignore = "takes an hour"]
fn what_is_proved_of_all_elements_holds_of_thousands() {
    for from in (60..5060).step_by(100) {
        let (safe, proved) = try_programs(from..from + 100);
        eprintln!("{from}: {safe} of 100 safe, {proved} proved by what holds of all elements");
    }
}
