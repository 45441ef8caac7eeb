//! Searches side by side, each on a thread of its own, with terms of its own. Who first knows the answer stops the others; who
//! gives up does not: what is too much for one may be little for another. If all do, the reason of the first in the list is
//! told, since it was to decide.

use crate::bounded::{BoundedSearch, Deeper};
use crate::facts::{Board, Facts, Seen, adopted};
use crate::ic3::{Ic3Counts, ic3};
use crate::k_induction::StepCase;
use crate::strategy::{Search, Strategy};
use crate::{Observer, Outcome, Silent, Statistics, refine_until_decided};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tamis_logic::Terms;
use tamis_paq::Interrupted;
use tamis_solver::{Budget, Stop};
use tamis_system::System;

/// An unrolling beside other searches, which need memory too, ends when it has made this many clauses.
const MAX_CLAUSES: u64 = 8_000_000;

/// That all executions end is not told before other searches have had this long, and as long again as it took: invariants say
/// more.
const OTHERS_FIRST: Duration = Duration::from_millis(200);

/// The stack of a thread.
const STACK: usize = 64 << 20;

/// Facts are guessed when the loop has not had an answer for so long: most programs it answers sooner.
const BEFORE_FACTS: Duration = Duration::from_millis(50);

/// Induction takes one of so many moments if there are other searches than its base case beside it, so that these have more.
const INDUCTION_SHARE: u32 = 3;

/// Between two looks at what another search has done.
const PAUSE: Duration = Duration::from_millis(2);

/// What searches know of each other.
struct Shared {
    /// Cancelled with the first answer.
    answered: Budget,
    /// The depth up to which there is no execution to the error.
    depth: AtomicUsize,
    ic3: Mutex<Ic3Counts>,
    /// How many searches there are that may have an answer of any kind.
    searches: usize,
    /// Facts that one search has shown.
    board: Board,
    /// How many there are.
    facts: AtomicUsize,
    /// Whether no more facts are to be expected.
    all_facts: AtomicBool,
}

/// What a search found, and what it took if that is counted.
type Found<E> = (Outcome<E>, Option<Statistics>);

/// Runs the searches of a strategy until one has an answer.
pub(crate) fn race<S: System + Sync>(
    terms: &mut Terms,
    system: &S,
    strategy: &Strategy,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> (Outcome<S::Edge>, Statistics)
where
    S::Edge: Send,
{
    let searches = offered(system, &strategy.searches);
    let shared = Shared {
        answered: budget.child(),
        depth: AtomicUsize::new(0),
        ic3: Mutex::default(),
        searches: searches.iter().filter(|&&s| s != Search::Invariants).count(),
        board: Board::default(),
        facts: AtomicUsize::new(0),
        all_facts: AtomicBool::new(!searches.contains(&Search::Invariants)),
    };
    let patient = searches.contains(&Search::Cegar);
    // The loop tells the observer of its progress, so that it stays on this thread.
    let here = [Search::Cegar, Search::Ic3Ia].iter().find_map(|of| searches.iter().position(|s| s == of));
    let here = here.unwrap_or(0);
    let mut found: Vec<Option<Found<S::Edge>>> = searches.iter().map(|_| None).collect();
    let mut first = None;
    std::thread::scope(|scope| {
        let (sender, answers) = std::sync::mpsc::channel();
        for (i, &search) in searches.iter().enumerate().filter(|&(i, _)| i != here) {
            let (mut terms, shared, sender) = (terms.clone(), &shared, sender.clone());
            let work = move || {
                let outcome = shared.run(search, &mut terms, system, (strategy, patient));
                // Nobody listens only if the whole run has panicked.
                let _ = sender.send((i, outcome, terms));
            };
            // Without another thread there are the others.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        drop(sender);
        let outcome = match searches[here].strategy_of_loop(strategy) {
            Some(strategy) => {
                let watching = (observer, &shared.board);
                let (outcome, counts) =
                    refine_until_decided(terms, system, &strategy, &shared.answered, watching);
                (outcome, Some(counts))
            }
            None => (shared.run(searches[here], terms, system, (strategy, patient)), None),
        };
        if !matches!(outcome.0, Outcome::Unknown(_)) {
            first = Some(here);
            shared.answered.cancel(Stop::Cancelled);
        }
        found[here] = Some(outcome);
        for (i, outcome, own) in answers {
            let outcome = match outcome {
                Outcome::Safe(invariants) => Outcome::Safe(adopted(terms, &own, &invariants)),
                Outcome::KInductive(mut proof) => {
                    proof.facts = proof.facts.map(|facts| adopted(terms, &own, &facts));
                    Outcome::KInductive(proof)
                }
                other => other,
            };
            if !matches!(outcome, Outcome::Unknown(_)) {
                first = first.or(Some(i));
            }
            found[i] = Some((outcome, None));
        }
    });
    let mut statistics = found.iter_mut().flatten().find_map(|(_, counts)| counts.take()).unwrap_or_default();
    (statistics.points, statistics.steps) = (system.points(), system.steps().len());
    statistics.bounded_depth = shared.depth.into_inner();
    statistics.facts = shared.facts.into_inner();
    statistics.ic3 = shared.ic3.into_inner().unwrap_or_else(PoisonError::into_inner);
    statistics.winner = first.map(|i| searches[i]);
    // Of searches without an answer, one tells why that had anything to say.
    let unfit = |found: &Option<(Outcome<S::Edge>, _)>| {
        matches!(found, Some((Outcome::Unknown(Interrupted::Stopped(Stop::Unsupported)), _)))
    };
    let decided = first.or_else(|| found.iter().position(|f| f.is_some() && !unfit(f))).unwrap_or(0);
    let outcome = found.into_iter().nth(decided).flatten().map(|(outcome, _)| outcome);
    (outcome.unwrap_or(Outcome::Unknown(Interrupted::Stopped(Stop::Cancelled))), statistics)
}

/// The searches of a list that a system can take, each once. Induction needs its base case.
fn offered<S: System>(system: &S, searches: &[Search]) -> Vec<Search> {
    let mut offered = Vec::new();
    for &search in searches {
        let needed: &[Search] = match search {
            Search::KInduction if !system.certifies_k_induction() => &[Search::Bounded],
            Search::KInduction => &[Search::KInduction, Search::Bounded],
            Search::Invariants if system.candidates().is_none() => &[],
            _ => std::slice::from_ref(&search),
        };
        for &search in needed {
            if !offered.contains(&search) {
                offered.push(search);
            }
        }
    }
    if offered.is_empty() {
        offered.push(Search::Cegar);
    }
    offered
}

/// Whether a search over bits is to be one over predicates where there are no bits: there is one in the end.
fn is_replaced(search: Search, searches: &[Search]) -> bool {
    let over_bits = searches.iter().find(|s| matches!(s, Search::Ic3 | Search::Ic3Innards));
    over_bits == Some(&search) && !searches.contains(&Search::Ic3Ia)
}

impl Shared {
    /// Runs a search that nobody watches; an answer stops the others.
    fn run<S: System>(
        &self,
        search: Search,
        terms: &mut Terms,
        system: &S,
        (strategy, patient): (&Strategy, bool),
    ) -> Outcome<S::Edge> {
        let outcome = match search {
            Search::Cegar | Search::Ic3Ia => {
                let strategy = search.strategy_of_loop(strategy).unwrap_or_else(|| strategy.clone());
                let watching: (&mut dyn Observer, _) = (&mut Silent, &self.board);
                Ok(refine_until_decided(terms, system, &strategy, &self.answered, watching).0)
            }
            Search::Bounded => self.bounded(terms, system),
            Search::KInduction => self.k_induction(terms, system),
            // What is not of bits has predicates.
            Search::Ic3 | Search::Ic3Innards => match self.ic3(terms, system, search == Search::Ic3Innards) {
                Err(Interrupted::Stopped(Stop::Unsupported)) if is_replaced(search, &strategy.searches) => {
                    return self.run(Search::Ic3Ia, terms, system, (strategy, patient));
                }
                outcome => outcome,
            },
            Search::Invariants => {
                let outcome = self.invariants(terms, system, strategy, patient);
                self.all_facts.store(true, Ordering::Release);
                outcome
            }
        };
        let outcome = outcome.unwrap_or_else(Outcome::Unknown);
        if !matches!(outcome, Outcome::Unknown(_)) {
            self.answered.cancel(Stop::Cancelled);
        }
        outcome
    }

    fn ic3<S: System>(
        &self,
        terms: &mut Terms,
        system: &S,
        innards: bool,
    ) -> Result<Outcome<S::Edge>, Interrupted> {
        let mut counts = Ic3Counts::default();
        let outcome = ic3(terms, system, innards, &self.answered, &mut counts);
        let mut told = self.ic3.lock().unwrap_or_else(PoisonError::into_inner);
        if outcome.is_ok() || *told == Ic3Counts::default() {
            *told = counts;
        }
        outcome
    }

    fn bounded<S: System>(&self, terms: &mut Terms, system: &S) -> Result<Outcome<S::Edge>, Interrupted> {
        let began = Instant::now();
        let mut search = BoundedSearch::new(terms, system, &self.answered);
        loop {
            match search.deepen(terms)? {
                Deeper::Found(trace) => return Ok(Outcome::Unsafe(trace)),
                Deeper::Exhausted => {
                    let end = Instant::now() + began.elapsed().max(OTHERS_FIRST);
                    while Instant::now() < end && self.answered.check().is_ok() {
                        std::thread::sleep(PAUSE);
                    }
                    return Ok(Outcome::Exhausted(search.depth()));
                }
                Deeper::Nothing => self.depth.store(search.depth(), Ordering::Relaxed),
            }
            if search.clauses() > MAX_CLAUSES {
                return Err(Stop::Memory.into());
            }
        }
    }

    /// Guesses and checks invariants, if `patient` not before others have had a while.
    fn invariants<S: System>(
        &self,
        terms: &mut Terms,
        system: &S,
        strategy: &Strategy,
        patient: bool,
    ) -> Result<Outcome<S::Edge>, Interrupted> {
        let start = Instant::now() + if patient { BEFORE_FACTS } else { Duration::ZERO };
        while Instant::now() < start {
            self.answered.check()?;
            std::thread::sleep(PAUSE);
        }
        let budget = &self.answered;
        let Some(mut facts) = Facts::new(terms, system, &strategy.facts, budget)? else {
            return Err(Interrupted::Unsuitable(terms.tru(), "there is nothing to guess from"));
        };
        loop {
            let invariants = facts.invariants(terms);
            self.facts.store(facts.count(), Ordering::Relaxed);
            let plain = facts.plain(terms);
            self.board.publish(terms, &plain);
            if facts.exclude_the_error(terms, budget)? {
                return Ok(Outcome::Safe(invariants));
            }
            if !facts.more(terms, budget)? {
                return Err(Interrupted::Unsuitable(terms.tru(), "no guess excludes the violation"));
            }
        }
    }

    fn k_induction<S: System>(&self, terms: &mut Terms, system: &S) -> Result<Outcome<S::Edge>, Interrupted> {
        while !self.all_facts.load(Ordering::Acquire) {
            self.answered.check()?;
            std::thread::sleep(PAUSE);
        }
        let facts = self.board.news(terms, &mut Seen::default());
        let (began, mut busy) = (Instant::now(), Duration::ZERO);
        let mut step = StepCase::new(terms, system, facts, &self.answered);
        let proof = loop {
            let asked = Instant::now();
            if let Some(proof) = step.deepen(terms)? {
                break proof;
            }
            busy += asked.elapsed();
            while self.searches > 2 && began.elapsed() < INDUCTION_SHARE * busy {
                self.answered.check()?;
                std::thread::sleep(PAUSE);
            }
            if step.clauses() > MAX_CLAUSES {
                return Err(Stop::Memory.into());
            }
        };
        while self.depth.load(Ordering::Relaxed) < proof.k {
            self.answered.check()?;
            std::thread::sleep(PAUSE);
        }
        Ok(Outcome::KInductive(proof))
    }
}
