//! A way through the program, executed symbolically, and what going it many times does.

use super::motion::{MAX_ROUNDS, Motion};
use super::words::Word;
use crate::automaton::{Command, EdgeId};
use crate::encode::State;
use crate::system::ProgramSystem;
use tamis_logic::{Term, Terms};
use tamis_system::{Accelerated, Followed, Point, Rounds, System};

/// All rounds of one step have so many edges at most: they are taken one by one when the execution is told.
const MAX_TOLD: usize = 1 << 24;

/// More conditions are not looked at.
const MAX_GUARDS: usize = 512;

/// A path without a closed form is repeated so often in a word.
const UNROLLED: usize = 16;

/// A way, from the state in which each variable stands for itself.
pub(super) struct Course {
    guards: Vec<Term>,
    post: State,
    path: Vec<EdgeId>,
    /// What each edge chooses.
    chosen: Vec<Vec<(Term, Term)>>,
}

impl Course {
    /// The way to where it begins.
    pub fn new(system: &ProgramSystem<'_>) -> Course {
        Course { guards: Vec::new(), post: system.symbolic(), path: Vec::new(), chosen: Vec::new() }
    }

    /// A word; `None` if it is too long.
    pub fn of_word(terms: &mut Terms, system: &ProgramSystem<'_>, word: &Word) -> Option<Course> {
        let mut course = Course::new(system);
        for passed in word {
            let alone = Course::new(system).then(terms, system, &passed.path);
            let point = system.point(system.program().edge(passed.path[0]).from)?;
            let rounds = if passed.times > 2 { alone.again(terms, system, point) } else { None };
            course = match rounds {
                Some(rounds) => course.then_rounds(terms, system, &rounds, passed.times),
                None if passed.times > UNROLLED => return None,
                None => (0..passed.times).fold(course, |course, _| course.then(terms, system, &passed.path)),
            };
        }
        Some(course)
    }

    /// Goes on by a path.
    pub fn then(mut self, terms: &mut Terms, system: &ProgramSystem<'_>, path: &[EdgeId]) -> Course {
        let program = system.program();
        let Followed { condition, post } = system.follow(terms, path, &self.post);
        let mut inputs = condition.inputs.into_iter();
        for &edge in path {
            let chosen = match program.edge(edge).command {
                Command::Havoc(v, _) => inputs.next().map(|input| (program.term(v), input)),
                _ => None,
            };
            self.chosen.push(chosen.into_iter().collect());
        }
        self.guards.extend(condition.guards.iter().map(|&(_, guard)| guard));
        self.path.extend(path);
        self.post = post;
        self
    }

    /// Goes on by so many rounds at once.
    fn then_rounds(
        mut self,
        terms: &mut Terms,
        system: &ProgramSystem<'_>,
        rounds: &Rounds<EdgeId>,
        times: usize,
    ) -> Course {
        let count = terms.bits(terms.width(rounds.count), times as u128);
        let mut before = self.post.clone();
        let mut read = |terms: &mut Terms, t: Term| {
            let t = terms.substitute_with(t, |v| (v == rounds.count).then_some(count));
            system.read(terms, &mut before, t)
        };
        for &c in &rounds.condition {
            let guard = read(terms, c);
            self.guards.push(guard);
        }
        for &(v, value) in &rounds.after {
            let value = read(terms, value);
            system.assign(&mut self.post, v, value);
        }
        for _ in 0..times {
            self.path.extend(&rounds.path);
            self.chosen.extend(rounds.chosen.iter().cloned());
        }
        self
    }

    /// What going this way many times does, if it leads back to where it began and that can be said.
    pub fn again(
        mut self,
        terms: &mut Terms,
        system: &ProgramSystem<'_>,
        point: Point,
    ) -> Option<Rounds<EdgeId>> {
        let live: Vec<Term> = system.live_at(system.location(point)).collect();
        let after: Vec<(Term, Term)> =
            live.iter().map(|&v| (v, system.read(terms, &mut self.post, v))).collect();
        self.guards.retain(|&guard| !terms.is_true(guard));
        self.guards.sort_unstable();
        self.guards.dedup();
        if self.guards.len() > MAX_GUARDS {
            return None;
        }
        let most = MAX_ROUNDS.min(MAX_TOLD / self.path.len().max(1));
        let motion = Motion::new(terms, &after, &self.guards)?;
        let condition = motion.condition(terms, &self.guards, most)?;
        let Course { path, chosen, .. } = self;
        Some(Rounds { point, path, chosen, count: motion.count, condition, after: motion.after(terms) })
    }
}
