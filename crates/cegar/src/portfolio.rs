//! Searches side by side, each on a thread of its own, with terms of its own. Who first knows the answer stops the others; who
//! gives up does not: what is too much for one may be little for another. If all do, the reason of the first in the list is
//! told, since it was to decide.

use crate::bounded::{BoundedSearch, Deeper};
use crate::ic3::{Ic3Counts, ic3};
use crate::k_induction::StepCase;
use crate::strategy::{Search, Strategy};
use crate::{Observer, Outcome, Silent, Statistics, refine_until_decided};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tamis_logic::{Term, Terms};
use tamis_paq::Interrupted;
use tamis_solver::{Budget, Stop};
use tamis_system::{Invariants, System};

/// An unrolling beside other searches, which need memory too, ends when it has made this many clauses.
const MAX_CLAUSES: u64 = 8_000_000;

/// That all executions end is not told before other searches have had this long, and as long again as it took: invariants say
/// more.
const OTHERS_FIRST: Duration = Duration::from_millis(200);

/// The stack of a thread.
const STACK: usize = 64 << 20;

/// Induction takes one of so many moments if there are other searches than its base case beside it: where it has an answer, that
/// is mostly found soon.
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
    /// How many searches there are.
    searches: usize,
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
        searches: searches.len(),
    };
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
                let outcome = shared.run(search, &mut terms, system, strategy);
                // Nobody listens only if the whole run has panicked.
                let _ = sender.send((i, outcome, terms));
            };
            // Without another thread there are the others.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        drop(sender);
        let outcome = match searches[here].strategy_of_loop(strategy) {
            Some(strategy) => {
                let (outcome, counts) =
                    refine_until_decided(terms, system, &strategy, &shared.answered, observer);
                (outcome, Some(counts))
            }
            None => (shared.run(searches[here], terms, system, strategy), None),
        };
        if !matches!(outcome.0, Outcome::Unknown(_)) {
            first = Some(here);
            shared.answered.cancel(Stop::Cancelled);
        }
        found[here] = Some(outcome);
        for (i, outcome, own) in answers {
            let outcome = match outcome {
                Outcome::Safe(invariants) => Outcome::Safe(adopted(terms, &own, &invariants)),
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

/// Invariants over terms of another store, which was made from this one.
fn adopted(terms: &mut Terms, original: &Terms, invariants: &Invariants) -> Invariants {
    let roots: Vec<Term> = invariants.iter().map(|(_, formula)| formula).collect();
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    for t in original.post_order(&roots) {
        let args: Vec<Term> = original.args(t).iter().map(|a| known[a]).collect();
        known.insert(t, terms.adopt(original, t, &args));
    }
    roots.iter().map(|t| known[t]).collect()
}

/// The searches of a list that a system can take, each once. Induction needs its base case.
fn offered<S: System>(system: &S, searches: &[Search]) -> Vec<Search> {
    let mut offered = Vec::new();
    for &search in searches {
        let needed: &[Search] = match search {
            Search::KInduction if !system.certifies_k_induction() => &[Search::Bounded],
            Search::KInduction => &[Search::KInduction, Search::Bounded],
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
        strategy: &Strategy,
    ) -> Outcome<S::Edge> {
        let outcome = match search {
            Search::Cegar | Search::Ic3Ia => {
                let strategy = search.strategy_of_loop(strategy).unwrap_or_else(|| strategy.clone());
                Ok(refine_until_decided(terms, system, &strategy, &self.answered, &mut Silent).0)
            }
            Search::Bounded => self.bounded(terms, system),
            Search::KInduction => self.k_induction(terms, system),
            // What is not of bits has predicates.
            Search::Ic3 | Search::Ic3Innards => match self.ic3(terms, system, search == Search::Ic3Innards) {
                Err(Interrupted::Stopped(Stop::Unsupported)) if is_replaced(search, &strategy.searches) => {
                    return self.run(Search::Ic3Ia, terms, system, strategy);
                }
                outcome => outcome,
            },
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

    fn k_induction<S: System>(&self, terms: &mut Terms, system: &S) -> Result<Outcome<S::Edge>, Interrupted> {
        let (began, mut busy) = (Instant::now(), Duration::ZERO);
        let mut step = StepCase::new(terms, system, &self.answered);
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
