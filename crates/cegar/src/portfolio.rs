//! Searches side by side, each on a thread of its own, with terms of its own. Who first knows the answer stops the others; who
//! gives up does not: what is too much for one may be little for another. If all do, the reason of the first in the list is
//! told, since it was to decide.
//!
//! There may be more searches than processors. They [take turns](crate::turns): each has its [share](Share), and those that seldom
//! answer first what another can answer begin later.

use crate::bounded::{BoundedSearch, Deeper};
use crate::facts::{Board, Facts, Seen, adopted};
use crate::ic3::{Ic3Counts, has_straight_steps, ic3, straight_to_the_error};
use crate::k_induction::StepCase;
use crate::strategy::{Search, Strategy};
use crate::turns::{Turn, Turns, UntilEnd};
use crate::unwind::unwind;
use crate::walks::walks;
use crate::{Observer, Outcome, Silent, Statistics, refine_until_decided};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tamis_logic::Terms;
use tamis_paq::Interrupted;
use tamis_solver::{Budget, Stop, release_memory};
use tamis_system::System;

/// An unrolling beside other searches, which need memory too, ends when it has made this many clauses.
const MAX_CLAUSES: u64 = 8_000_000;

/// That all executions end is not told before other searches have had this long: invariants say more. The bounded search, which
/// comes to that later than most, waits as long again as it took.
const OTHERS_FIRST: Duration = Duration::from_millis(200);

/// Who waits for facts does not wait longer: in most programs there are some by then.
const FACTS_FIRST: Duration = Duration::from_millis(500);

/// The stack of a thread.
const STACK: usize = 64 << 20;

/// What a search gets of the processors.
struct Share {
    /// How much it gets, compared with others.
    weight: u32,
    /// How long others go before it, if there is one among them that need not wait.
    after: Duration,
}

/// What is known of a system before it is searched.
struct Nature {
    /// Whether arrays live at points.
    has_arrays: bool,
    /// Whether steps are so large that hardly anything happens between them.
    has_giant_steps: bool,
}

/// With more places than this in a step, on average, a system has giant steps.
const GIANT: usize = 4000;

impl Nature {
    fn of<S: System>(terms: &Terms, system: &S) -> Nature {
        let places = system.control_flow().map_or(0, |flow| flow.places());
        Nature {
            has_arrays: system.candidates().is_some_and(|c| c.has_arrays(terms)),
            has_giant_steps: places > GIANT * system.steps().len(),
        }
    }
}

impl Share {
    /// The share of a search. The loop has about one of two processors, and an answer for most programs in less than half a second.
    /// Of arrays hardly anything but a guess is a proof. Where steps are giant the loop has little to abstract, and all but unwinding, which
    /// knows the values on its way, have long to go before their first question.
    fn of(search: Search, beside: &[Search], nature: &Nature) -> Share {
        let (weight, after) = match search {
            Search::Cegar => (10, 0),
            Search::Bounded => (2, 0),
            Search::Unwind if nature.has_giant_steps => (15, 0),
            Search::Unwind => (3, 0),
            Search::Invariants if nature.has_arrays => (8, 50),
            Search::Invariants => (4, 50),
            Search::KInduction => (1, 50),
            Search::Ic3 | Search::Ic3Ia | Search::Ic3Innards if beside.contains(&Search::Cegar) => (2, 500),
            Search::Ic3 | Search::Ic3Ia | Search::Ic3Innards => (2, 0),
            Search::Walks => (2, 500),
        };
        Share { weight, after: Duration::from_millis(after) }
    }
}

/// Where a search works.
struct Place {
    turn: Arc<Turn>,
    /// Ends with the run, with an answer of another search, and is looked at when it is the search's turn.
    budget: Budget,
}

impl Place {
    fn sleep_until(&self, done: impl FnMut() -> bool) -> Result<(), Stop> {
        self.turn.sleep_until(&self.budget, done)
    }
}

/// What searches know of each other.
struct Shared {
    /// Cancelled with the first answer.
    answered: Budget,
    /// The depth up to which there is no execution to the error.
    depth: AtomicUsize,
    /// Whether no search looks deeper.
    deepest: AtomicBool,
    ic3: Mutex<Ic3Counts>,
    /// Lets all see that there is an answer.
    turns: Arc<Turns>,
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
    let began = Instant::now();
    let searches = offered(system, &strategy.searches);
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    let nature = Nature::of(terms, system);
    let shares: Vec<Share> = searches.iter().map(|&s| Share::of(s, &searches, &nature)).collect();
    let (turns, all) = Turns::new(shares.iter().map(|share| share.weight), processors, budget);
    let shared = Shared {
        answered: budget.child(),
        depth: AtomicUsize::new(0),
        deepest: AtomicBool::new(!searches.contains(&Search::Bounded)),
        ic3: Mutex::default(),
        turns,
        board: Board::default(),
        facts: AtomicUsize::new(0),
        all_facts: AtomicBool::new(!searches.contains(&Search::Invariants)),
    };
    let place =
        |turn: &Arc<Turn>| Place { budget: shared.answered.child_behind(turn.clone()), turn: turn.clone() };
    let mut places: Vec<Option<Place>> = all.iter().map(|turn| Some(place(turn))).collect();
    // Somebody has to begin.
    let earliest = shares.iter().map(|share| share.after).min().unwrap_or_default();
    // The loop tells the observer of its progress, so that it stays on this thread.
    let here = [Search::Cegar, Search::Ic3Ia].iter().find_map(|of| searches.iter().position(|s| s == of));
    let here = here.unwrap_or(0);
    let mut found: Vec<Option<Found<S::Edge>>> = searches.iter().map(|_| None).collect();
    let mut first = None;
    std::thread::scope(|scope| {
        let (sender, answers) = std::sync::mpsc::channel();
        let original = Arc::new(terms.clone());
        for (i, &search) in searches.iter().enumerate().filter(|&(i, _)| i != here) {
            let (original, shared, sender) = (original.clone(), &shared, sender.clone());
            let place = places[i].take().expect("each search has a place");
            let wait = shares[i].after - earliest;
            let work = move || {
                let _end = UntilEnd(&place.turn);
                let start = Instant::now() + wait;
                let begun = place.sleep_until(|| Instant::now() >= start);
                // Only who begins needs terms, and only an answer is worth keeping them.
                let mut own = None;
                let outcome = begun.map_err(Interrupted::from).and_then(|()| {
                    let terms = own.insert(Arc::unwrap_or_clone(original));
                    shared.search(search, terms, system, strategy, &place)
                });
                let outcome = shared.ended(search, outcome);
                let own = own.filter(|_| outcome.is_answer());
                if place.turn.is_dismissed() {
                    release_memory();
                }
                // Nobody listens only if the whole run has panicked.
                let _ = sender.send((i, outcome, own));
            };
            // Without another thread there are the others.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        drop((sender, original));
        let place = places[here].take().expect("each search has a place");
        let end = UntilEnd(&place.turn);
        let outcome = match searches[here].strategy_of_loop(strategy) {
            Some(strategy) => {
                // If the run has ended meanwhile, the loop sees it at once.
                let _ = shared.let_facts_go_first(searches[here], began, &place);
                let watching = (observer, &shared.board);
                let (outcome, counts) =
                    refine_until_decided(terms, system, &strategy, &place.budget, watching);
                (outcome, Some(counts))
            }
            None => {
                let outcome = shared.search(searches[here], terms, system, strategy, &place);
                (shared.ended(searches[here], outcome), None)
            }
        };
        if outcome.0.is_answer() {
            first = Some(here);
            shared.end();
        } else if place.turn.is_dismissed() {
            release_memory();
        }
        drop(end);
        found[here] = Some(outcome);
        for (i, outcome, own) in answers {
            let outcome = match (outcome, own) {
                (Outcome::Safe(invariants), Some(own)) => Outcome::Safe(adopted(terms, &own, &invariants)),
                (Outcome::KInductive(mut proof), Some(own)) => {
                    proof.facts = proof.facts.map(|facts| adopted(terms, &own, &facts));
                    Outcome::KInductive(proof)
                }
                (other, _) => other,
            };
            if outcome.is_answer() {
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
    statistics.worked = searches.iter().copied().zip(shared.turns.worked()).collect();
    // Of searches without an answer, one tells why that had anything to say.
    let is_fit = |(turn, found): (&Arc<Turn>, &Option<Found<S::Edge>>)| match found {
        None | Some((Outcome::Unknown(Interrupted::Stopped(Stop::Unsupported)), _)) => false,
        Some(_) => !turn.is_dismissed(),
    };
    let decided = first.or_else(|| all.iter().zip(&found).position(is_fit)).unwrap_or(0);
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
            Search::Unwind if system.control_flow().is_none() => &[],
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
    /// Ends all searches.
    fn end(&self) {
        self.answered.cancel(Stop::Cancelled);
        self.turns.open();
    }

    /// IC3 over predicates keeps the clauses that it has found, so that facts are worth more to it before than later.
    fn let_facts_go_first(&self, search: Search, began: Instant, place: &Place) -> Result<(), Stop> {
        let is_over = || self.all_facts.load(Ordering::Acquire) || began.elapsed() >= FACTS_FIRST;
        if search == Search::Ic3Ia { place.sleep_until(is_over) } else { Ok(()) }
    }

    /// What a search has come to; an answer stops the others.
    fn ended<E>(&self, search: Search, outcome: Result<Outcome<E>, Interrupted>) -> Outcome<E> {
        match search {
            Search::Invariants => self.all_facts.store(true, Ordering::Release),
            Search::Bounded => self.deepest.store(true, Ordering::Release),
            _ => {}
        }
        let outcome = outcome.unwrap_or_else(Outcome::Unknown);
        if outcome.is_answer() {
            self.end();
        }
        outcome
    }

    /// Runs a search that nobody watches.
    fn search<S: System>(
        &self,
        search: Search,
        terms: &mut Terms,
        system: &S,
        strategy: &Strategy,
        place: &Place,
    ) -> Result<Outcome<S::Edge>, Interrupted> {
        match search {
            Search::Cegar | Search::Ic3Ia => {
                let strategy = search.strategy_of_loop(strategy).unwrap_or_else(|| strategy.clone());
                let watching: (&mut dyn Observer, _) = (&mut Silent, &self.board);
                Ok(refine_until_decided(terms, system, &strategy, &place.budget, watching).0)
            }
            Search::Bounded => self.bounded(terms, system, strategy, place),
            Search::Unwind => self.unwind(terms, system, strategy, place),
            Search::KInduction => self.k_induction(terms, system, place),
            // What is not of bits has predicates.
            Search::Ic3 | Search::Ic3Innards => {
                match self.ic3(terms, system, search == Search::Ic3Innards, place) {
                    Err(Interrupted::Stopped(Stop::Unsupported))
                        if is_replaced(search, &strategy.searches) =>
                    {
                        self.search(Search::Ic3Ia, terms, system, strategy, place)
                    }
                    outcome => outcome,
                }
            }
            Search::Invariants => self.invariants(terms, system, strategy, place),
            Search::Walks => match self.straight_to_the_error(terms, system, place)? {
                Some(outcome) => Ok(outcome),
                None => walks(terms, system, &place.budget),
            },
        }
    }

    /// The answer, if steps from the initial point to the error say it. The bounded search asks that first, and it may be a large question:
    /// if it is there, its word is waited for.
    fn straight_to_the_error<S: System>(
        &self,
        terms: &mut Terms,
        system: &S,
        place: &Place,
    ) -> Result<Option<Outcome<S::Edge>>, Interrupted> {
        if has_straight_steps(system) {
            let is_known = || self.depth.load(Ordering::Relaxed) > 0;
            place.sleep_until(|| is_known() || self.deepest.load(Ordering::Acquire))?;
            if is_known() {
                return Ok(None);
            }
        }
        Ok(straight_to_the_error(terms, system, &place.budget)?)
    }

    fn ic3<S: System>(
        &self,
        terms: &mut Terms,
        system: &S,
        innards: bool,
        place: &Place,
    ) -> Result<Outcome<S::Edge>, Interrupted> {
        if let Some(outcome) = self.straight_to_the_error(terms, system, place)? {
            return Ok(outcome);
        }
        let mut counts = Ic3Counts::default();
        let outcome = ic3(terms, system, innards, &place.budget, &mut counts);
        let mut told = self.ic3.lock().unwrap_or_else(PoisonError::into_inner);
        if outcome.is_ok() || *told == Ic3Counts::default() {
            *told = counts;
        }
        outcome
    }

    fn bounded<S: System>(
        &self,
        terms: &mut Terms,
        system: &S,
        strategy: &Strategy,
        place: &Place,
    ) -> Result<Outcome<S::Edge>, Interrupted> {
        let began = Instant::now();
        let new = if strategy.many_rounds { BoundedSearch::accelerated } else { BoundedSearch::new };
        let mut search = new(terms, system, &place.budget);
        loop {
            match search.deepen(terms)? {
                Deeper::Found(trace) => return Ok(Outcome::Unsafe(trace)),
                Deeper::Exhausted => {
                    let end = Instant::now() + began.elapsed().max(OTHERS_FIRST);
                    place.sleep_until(|| Instant::now() >= end)?;
                    return Ok(Outcome::Exhausted(search.depth()));
                }
                Deeper::Nothing => self.depth.store(search.depth(), Ordering::Relaxed),
            }
            if search.clauses() > MAX_CLAUSES {
                return Err(Stop::Memory.into());
            }
        }
    }

    /// Unwinds the system in the order of the program.
    fn unwind<S: System>(
        &self,
        terms: &mut Terms,
        system: &S,
        strategy: &Strategy,
        place: &Place,
    ) -> Result<Outcome<S::Edge>, Interrupted> {
        let began = Instant::now();
        let outcome = unwind(terms, system, strategy.rounds, &place.budget, &mut |_| {})?;
        if let Outcome::Unwound(_) = outcome {
            place.sleep_until(|| began.elapsed() >= OTHERS_FIRST)?;
        }
        Ok(outcome)
    }

    /// Guesses and checks invariants.
    fn invariants<S: System>(
        &self,
        terms: &mut Terms,
        system: &S,
        strategy: &Strategy,
        place: &Place,
    ) -> Result<Outcome<S::Edge>, Interrupted> {
        let budget = &place.budget;
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

    fn k_induction<S: System>(
        &self,
        terms: &mut Terms,
        system: &S,
        place: &Place,
    ) -> Result<Outcome<S::Edge>, Interrupted> {
        place.sleep_until(|| self.all_facts.load(Ordering::Acquire))?;
        let facts = self.board.news(terms, &mut Seen::default());
        let mut step = StepCase::new(terms, system, facts, &place.budget);
        let proof = loop {
            if let Some(proof) = step.deepen(terms)? {
                break proof;
            }
            if step.clauses() > MAX_CLAUSES {
                return Err(Stop::Memory.into());
            }
        };
        place.sleep_until(|| self.depth.load(Ordering::Relaxed) >= proof.k)?;
        Ok(Outcome::KInductive(proof))
    }
}
