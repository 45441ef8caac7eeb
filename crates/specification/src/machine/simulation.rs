//! Weak simulation: the machine answers each action by a move of its own, silent steps before it included, when it does not know
//! yet what comes. Silent steps behind it can wait until the next action: a state simulates what those behind its silent steps do.
//!
//! A machine that simulates a function allows all of its traces, so trace containment is looked at first, and where the machine
//! has no choice that matters it is the same. Of two answers one does not matter if the other leads to a state that simulates its
//! own, in the machine alone.
//!
//! Otherwise the machine needs a *strategy*. MAGIC finds one by a game on the abstract model, in which a choice may depend on the
//! abstract state. Here it may depend on the machine's state, the action and which call in the program's text the action is: which of the
//! answers is tried first whose condition holds. A strategy is a monitor like any other: it is searched, its proof has invariants,
//! and where it gets stuck, an execution shows the choices that it made. These are not made together again ([`Tried`]):
//! counterexample-guided synthesis. Executions that are the same up to a choice, in which every answer gets stuck, are how the program
//! wins the game: then the machine does not simulate it. A function that is simulated only by choices which depend on more
//! gets no answer; conditions on moves can say what a choice depends on.

use super::{Machine, Move, read_all};
use crate::monitor::{Monitor, ours, variable, violated};
use crate::scanner::{Fragment, Scanner};
use crate::{Language, Specification};
use std::collections::{BTreeMap, BTreeSet};
use tamis_diagnostics::Diagnostic;
use tamis_front_c::{Event, Piece, Weaving};

/// More strategies are not tried.
const MOST_STRATEGIES: usize = 64;

/// The search for a strategy that avoids what was tried gives up after so many steps.
const MOST_STEPS: usize = 100_000;

/// The machines of a file, as what simulates their functions.
pub fn simulations(file: &str, text: &str) -> Result<Vec<Specification>, Diagnostic> {
    let mut scanner = Scanner::new(file, text);
    let machines = read_all(&mut scanner)?;
    let specification = |machine: &Machine<'_>| {
        let traces = machine.specification(&scanner, text)?;
        if machine.states.len() * machine.actions().len() >= WHATS || machine.most_answers() >= ANSWERS {
            return Err(scanner.error_at(machine.at, "this machine has too many choices for simulation"));
        }
        Ok(Specification { language: Language::Simulations, ..traces })
    };
    machines.iter().map(specification).collect()
}

/// The variable that an execution tells its choices by.
pub fn choice(machine: &str) -> String {
    format!("{machine}$$choice")
}

/// What is woven for a strategy of a machine; `None` if the machine has no choices.
pub fn weaving_of(specification: &Specification, strategy: &Strategy) -> Option<Weaving> {
    let mut scanner = Scanner::new(&specification.file, &specification.text);
    let machines = read_all(&mut scanner).ok()?;
    let machine = machines.iter().find(|machine| machine.name == specification.name)?;
    (machine.most_answers() > 1).then(|| machine.strategy(&scanner, strategy))
}

/// Where a machine chooses: at a call of the program (0 for what is no call in its text), in a state, for an action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Choice {
    /// The call, by its number.
    pub site: usize,
    /// The state and the action, as one number.
    pub what: usize,
    /// How many answers there are.
    pub answers: usize,
    /// Whether some of them have conditions.
    pub conditional: bool,
}

/// How a machine chooses: which answer it tries first. Where nothing is said it is the first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Strategy(pub BTreeMap<(usize, usize), usize>);

impl Strategy {
    fn answer(&self, choice: Choice) -> usize {
        self.0.get(&(choice.site, choice.what)).copied().unwrap_or(0)
    }
}

/// An execution in which a strategy got stuck.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stuck {
    /// What it did up to each choice since the one before, and the choice as the code of the monitor numbers it.
    pub choices: Vec<(String, usize)>,
    /// Whether nothing was left out of that: the same then is the same state of the program.
    pub complete: bool,
}

/// What is known of strategies that get stuck.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tried {
    /// Choices that together lead to where the machine is stuck, each with its answer.
    conflicts: Vec<Vec<(Choice, usize)>>,
    /// The executions, with the answers to their choices.
    runs: Vec<Run>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Run {
    choices: Vec<(String, Choice, usize)>,
    complete: bool,
}

impl Tried {
    /// A strategy was stuck in an execution.
    pub fn add(&mut self, strategy: &Strategy, stuck: Stuck) {
        let choices = stuck.choices.into_iter().filter_map(|(story, code)| Some((story, decoded(code)?)));
        let choices: Vec<_> = choices.map(|(story, c)| (story, c, strategy.answer(c))).collect();
        let made: BTreeSet<(Choice, usize)> =
            choices.iter().map(|(_, choice, answer)| (*choice, *answer)).collect();
        self.conflicts.push(made.into_iter().collect());
        self.runs.push(Run { choices, complete: stuck.complete });
    }

    /// Whether no strategy is right, however much it knows: each answer to a choice in one state of the program was seen to lead to
    /// where the machine is stuck, or to another such choice. This is the tree that wins the game for the program.
    pub fn refutes(&self) -> bool {
        wins(&self.runs.iter().filter(|run| run.complete).collect::<Vec<_>>(), 0)
    }

    /// The next strategy to try, if there is one.
    pub fn next(&self) -> Option<Strategy> {
        if self.conflicts.len() == MOST_STRATEGIES {
            return None;
        }
        let all: BTreeSet<Choice> = self.conflicts.iter().flatten().map(|&(choice, _)| choice).collect();
        let all: Vec<Choice> = all.into_iter().collect();
        let mut chosen = BTreeMap::new();
        let mut steps = 0;
        self.avoid(&all, &mut chosen, &mut steps).then(|| {
            let others = chosen.into_iter().filter(|(_, answer)| *answer > 0);
            Strategy(others.map(|(c, answer)| ((c.site, c.what), answer)).collect())
        })
    }

    /// Gives each choice an answer so that no conflict has all of its own.
    fn avoid(&self, open: &[Choice], chosen: &mut BTreeMap<Choice, usize>, steps: &mut usize) -> bool {
        *steps += 1;
        let stuck = |conflict: &Vec<(Choice, usize)>| {
            conflict.iter().all(|(choice, answer)| chosen.get(choice) == Some(answer))
        };
        if *steps > MOST_STEPS || self.conflicts.iter().any(stuck) {
            return false;
        }
        let Some((&choice, rest)) = open.split_first() else { return true };
        for answer in 0..choice.answers {
            chosen.insert(choice, answer);
            if self.avoid(rest, chosen, steps) {
                return true;
            }
        }
        chosen.remove(&choice);
        false
    }
}

/// Whether executions that were the same up to their choice with this number show that no answer to it is right.
fn wins(runs: &[&Run], number: usize) -> bool {
    let mut next: BTreeMap<(&str, Choice), BTreeMap<usize, Vec<&Run>>> = BTreeMap::new();
    for &run in runs {
        match run.choices.get(number) {
            None => return true,
            Some((story, choice, answer)) => {
                next.entry((story.as_str(), *choice)).or_default().entry(*answer).or_default().push(run);
            }
        }
    }
    next.iter().any(|((_, choice), by_answer)| {
        let lost = |answer| by_answer.get(&answer).is_some_and(|runs| wins(runs, number + 1));
        // With conditions, what was tried first may not be what was taken.
        !choice.conditional && (0..choice.answers).all(lost)
    })
}

/// How many answers the code of a monitor can tell apart, and how many states with actions.
const ANSWERS: usize = 128;
const WHATS: usize = 1 << 12;

fn decoded(code: usize) -> Option<Choice> {
    let (conditional, code) = (code % 2 == 1, code / 2);
    let (answers, code) = (code % ANSWERS, code / ANSWERS);
    (answers > 1).then_some(Choice { site: code / WHATS, what: code % WHATS, answers, conditional })
}

/// A move with silent steps before it.
#[derive(Clone, Copy)]
struct Weak<'a, 'm> {
    when: &'m Option<Fragment<'a>>,
    to: usize,
}

impl<'a> Weak<'a, '_> {
    /// Whether this can be taken wherever the other can.
    fn covers(&self, other: &Weak<'a, '_>) -> bool {
        match (self.when, other.when) {
            (None, _) => true,
            (Some(own), Some(other)) => own.text == other.text,
            (Some(_), None) => false,
        }
    }
}

impl<'a> Machine<'a> {
    /// All that a state can answer to an action with.
    fn all_answers(&self, from: usize, event: &Event) -> Vec<Weak<'a, '_>> {
        let closure = self.silently();
        let mut answers = Vec::new();
        for Move { from: own, action, to, .. } in &self.moves {
            let Some(action) = action.as_ref().filter(|action| action.event == *event) else { continue };
            if closure[from].contains(own) {
                answers.push(Weak { when: &action.when, to: *to });
            }
        }
        answers
    }

    /// Which state simulates which, whatever the program is: the greatest relation in which each answer of the one has one of the
    /// other that can be taken wherever it can.
    fn preorder(&self) -> Vec<Vec<bool>> {
        let (states, actions) = (self.states.len(), self.actions());
        let mut simulates = vec![vec![true; states]; states];
        let answers = |state: usize| -> Vec<Vec<Weak<'a, '_>>> {
            actions.iter().map(|(event, _)| self.all_answers(state, event)).collect()
        };
        let answers: Vec<_> = (0..states).map(answers).collect();
        loop {
            let mut changed = false;
            for strong in 0..states {
                for weak in 0..states {
                    let kept = answers[weak].iter().zip(&answers[strong]).all(|(of_weak, of_strong)| {
                        of_weak.iter().all(|w| of_strong.iter().any(|s| s.covers(w) && simulates[s.to][w.to]))
                    });
                    if simulates[strong][weak] && !kept {
                        simulates[strong][weak] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return simulates;
            }
        }
    }

    /// The answers of a state to an action that matter.
    fn answers(&self, from: usize, event: &Event, simulates: &[Vec<bool>]) -> Vec<Weak<'a, '_>> {
        let all = self.all_answers(from, event);
        let better = |i: usize, j: usize| all[i].covers(&all[j]) && simulates[all[i].to][all[j].to];
        let matters =
            |&j: &usize| !(0..all.len()).any(|i| i != j && better(i, j) && (i < j || !better(j, i)));
        (0..all.len()).filter(matters).map(|j| all[j]).collect()
    }

    /// The most answers that a state has to an action.
    fn most_answers(&self) -> usize {
        let (actions, simulates) = (self.actions(), self.preorder());
        let of = |from: usize| actions.iter().map(move |(event, _)| (from, event));
        let all = (0..self.states.len()).flat_map(of);
        all.map(|(from, event)| self.answers(from, event, &simulates).len()).max().unwrap_or(0)
    }

    /// The monitor of a strategy.
    fn strategy(&self, scanner: &Scanner<'_>, strategy: &Strategy) -> Weaving {
        let mut monitor = Monitor::new(self.name);
        let (runs, inside, state) = (self.named("runs"), self.named("inside"), self.named("state"));
        let (site, choice) = (self.named("site"), choice(self.name));
        for name in [&runs, &state, &site] {
            monitor.variable(variable("int", name.clone(), None));
        }
        monitor.variable(variable("unsigned int", inside.clone(), None));
        monitor.variable(variable("long long", choice.clone(), None));
        monitor.site(site.clone());
        let (actions, simulates) = (self.actions(), self.preorder());
        for (number, (event, at)) in actions.iter().enumerate() {
            let outermost = match *event == Event::Return(self.function.to_owned()) {
                true => format!("&& {inside} == 1"),
                false => String::new(),
            };
            let mut code = vec![ours(format!("if ({runs} {outermost}) {{"))];
            if !matches!(event, Event::Call(_)) {
                code.push(ours(format!("{site} = 0;")));
            }
            for from in 0..self.states.len() {
                code.push(ours(format!("if ({state} == {from}) {{")));
                let answers = self.answers(from, event, &simulates);
                let what = from * actions.len() + number;
                if answers.len() > 1 {
                    // An execution tells of its choices by this variable.
                    let conditional = usize::from(answers.iter().any(|answer| answer.when.is_some()));
                    let here = (what * ANSWERS + answers.len()) * 2 + conditional;
                    let told = format!("{choice} = {site} * {}ll + {here};", ANSWERS * WHATS * 2);
                    code.push(scanner.piece(*at, told));
                }
                let own = strategy.0.iter().filter(|((_, known), _)| *known == what);
                let own = own.map(|(&(at_site, _), &preferred)| (Some(at_site), preferred));
                for (at_site, preferred) in own.chain([(None, 0)]) {
                    let here = at_site.map_or("1".to_owned(), |number| format!("{site} == {number}"));
                    code.push(ours(format!("if ({here}) {{")));
                    for answer in
                        answers.iter().cycle().skip(preferred % answers.len().max(1)).take(answers.len())
                    {
                        code.extend(answered(scanner, answer, &state));
                    }
                    code.push(scanner.piece(*at, format!("{}();", violated(self.name))));
                    code.push(ours("} else"));
                }
                code.push(ours(";} else"));
            }
            code.push(ours("; }"));
            monitor.hook(event.clone(), scanner.error_at(*at, ""), code, true);
        }
        let place = || scanner.error_at(self.at, "");
        let mut begin = vec![ours(format!("if ({inside}++ == 0"))];
        if let Some(when) = &self.when {
            begin.extend([ours("&& ("), scanner.piece(when.at, when.text.to_owned()), ours(")")]);
        }
        begin.push(ours(format!(") {{ {runs} = 1; {state} = 0; }}")));
        monitor.hook(Event::Call(self.function.to_owned()), place(), begin, true);
        let end = vec![ours(format!("if ({inside} && !--{inside}) {runs} = 0;"))];
        monitor.hook(Event::Return(self.function.to_owned()), place(), end, true);
        monitor.finish()
    }
}

fn answered(scanner: &Scanner<'_>, answer: &Weak<'_, '_>, state: &str) -> Vec<Piece> {
    let mut code = vec![ours("if (1")];
    if let Some(when) = answer.when {
        code.extend([ours("&& ("), scanner.piece(when.at, when.text.to_owned()), ours(")")]);
    }
    code.push(ours(format!(") {state} = {}; else", answer.to)));
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of a choice between two answers without conditions.
    fn code(site: usize, what: usize) -> usize {
        ((site * WHATS + what) * ANSWERS + 2) * 2
    }

    fn stuck(choices: &[(&str, usize)]) -> Stuck {
        let choices = choices.iter().map(|&(story, code)| (story.to_owned(), code)).collect();
        Stuck { choices, complete: true }
    }

    #[test]
    fn choices_that_get_stuck_together_are_not_made_together() {
        let mut tried = Tried::default();
        let mut strategy = Strategy::default();
        // Right is the second answer at the first call and the first one at the second.
        let mut rounds = 0;
        while strategy.answer(decoded(code(1, 3)).expect("it is one")) == 0
            || strategy.0.contains_key(&(2, 3))
        {
            tried.add(&strategy, stuck(&[("one way", code(1, 3)), ("another", code(2, 3))]));
            strategy = tried.next().expect("there is another");
            rounds += 1;
            assert!(rounds < 4, "{tried:?}");
        }
        assert!(!tried.refutes());
    }

    #[test]
    fn what_gets_stuck_in_every_way_in_one_state_is_refuted() {
        let second = Strategy([((1, 3), 1)].into());
        let mut tried = Tried::default();
        tried.add(&Strategy::default(), stuck(&[("so", code(1, 3))]));
        assert!(!tried.refutes());
        // In another state it shows nothing.
        tried.add(&second, stuck(&[("otherwise", code(1, 3))]));
        assert!(!tried.refutes());
        // With the second answer there is another choice, of which one answer is open.
        tried.add(&second, stuck(&[("so", code(1, 3)), ("and on", code(2, 4))]));
        assert!(!tried.refutes());
        tried.add(
            &Strategy([((1, 3), 1), ((2, 4), 1)].into()),
            stuck(&[("so", code(1, 3)), ("and on", code(2, 4))]),
        );
        assert!(tried.refutes());
        assert_eq!(tried.next(), None);
    }

    #[test]
    fn an_answer_that_another_one_simulates_does_not_matter() {
        let text = "machine m for f { A: call g -> B, call g -> C, call g -> D; B: call h -> A; C: call h -> A, tau -> D; D: ; }";
        let mut scanner = Scanner::new("m.lts", text);
        let machines = read_all(&mut scanner).expect("it is a machine");
        let answers = machines[0].answers(0, &Event::Call("g".to_owned()), &machines[0].preorder());
        assert_eq!(answers.iter().map(|answer| answer.to).collect::<Vec<_>>(), [1]);
    }
}
