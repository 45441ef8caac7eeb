//! Liveness: executions that fulfil conditions again and again, and how a search for bad states finds them.
//!
//! A design has finitely many states, so if there is an execution without an end that fulfils some conditions again and
//! again, then there is one that comes back to a state and has fulfilled all of them in between: a [`Lasso`].
//! [`Design::with_saved_loop`] makes it a bad state (Biere, Artho and Schuppan, *Liveness Checking as Safety Checking*, FMICS
//! 2002): in some cycle, which an input chooses, the registers are saved; from then on it is remembered which conditions
//! have held; a cycle is bad if the registers are as they were saved and all conditions have held.
//!
//! The constraints hold in all cycles up to the bad one. So they hold in the loop, and the execution can go on with it.

use crate::design::{Condition, Design, Register, Signal};
use crate::run::{NotAnExecution, Run, Stimulus};
use std::fmt;
use tamis_logic::{Model, Sort, Term, Terms, Value};

/// The variables with which a loop is looked for.
#[derive(Clone, Debug)]
pub struct SavedLoop {
    /// The input that chooses the cycle in which the loop starts.
    pub save: Term,
    /// Whether the loop has started before.
    pub saved: Term,
    /// What each register held when the loop started, in the registers' order.
    pub copies: Vec<Term>,
    /// Which conditions have held in the loop: those of the property, then those of fairness.
    pub seen: Vec<Term>,
}

impl SavedLoop {
    /// Variables for the first liveness property of a design, by names that depend on the design alone, and that none of
    /// its own words has.
    pub fn new(terms: &mut Terms, design: &Design) -> SavedLoop {
        let mut prefix = "loop".to_owned();
        let is_taken = |prefix: &str| {
            design.signals().any(|s| terms.var_name(s.term).is_some_and(|name| name.starts_with(prefix)))
        };
        while is_taken(&prefix) {
            prefix.push('_');
        }
        let names: Vec<String> =
            design.state().map(|r| terms.var_name(r).unwrap_or_default().to_owned()).collect();
        let bit = Sort::BitVec(1);
        let mut copies = Vec::with_capacity(names.len());
        for (name, register) in names.iter().zip(design.state()) {
            copies.push(terms.var_at(&format!("{prefix}.{name}"), terms.sort(register)));
        }
        // With a colon, where the names of copies have a dot.
        let mut own = |what: String| terms.var_at(&format!("{prefix}:{what}"), bit);
        let count = design.conditions().len();
        SavedLoop {
            save: own("starts".to_owned()),
            saved: own("started".to_owned()),
            seen: (0..count).map(|i| own(format!("seen{i}"))).collect(),
            copies,
        }
    }

    /// The cycle in which a loop is saved, as a stimulus of [`Design::with_saved_loop`] chooses it.
    pub fn start(&self, stimulus: &Stimulus) -> Option<usize> {
        let chosen = |cycle: &Model| cycle.get(self.save).is_some_and(|v| !v.as_bits().is_zero());
        stimulus.cycles.iter().position(chosen)
    }
}

impl Design {
    /// What the first liveness property forbids to hold again and again: its conditions, then those of fairness.
    pub fn conditions(&self) -> Vec<Term> {
        let own = self.justice.first().into_iter().flat_map(|j| &j.conditions).copied();
        own.chain(self.fairness.iter().map(|c| c.term)).collect()
    }

    /// The design with one property: that it has no loop that fulfils the conditions of its first liveness property.
    pub fn with_saved_loop(&self, terms: &mut Terms, vocabulary: &SavedLoop) -> Design {
        let one = terms.bits(1, 1);
        let zero = terms.bits(1, 0);
        let save = terms.eq(vocabulary.save, one);
        let saved = terms.eq(vocabulary.saved, one);
        let inside = terms.or2(saved, save);
        let mut design = Design { justice: Vec::new(), fairness: Vec::new(), ..self.clone() };
        design.inputs.push(named(terms, self.inputs.len(), vocabulary.save));
        let register = |terms: &Terms, design: &mut Design, word, init, next| {
            let signal = named(terms, design.registers.len(), word);
            design.registers.push(Register { signal, init, next: Some(next) });
        };
        let starts = terms.bool_to_bits(1, inside);
        register(terms, &mut design, vocabulary.saved, Some(zero), starts);
        let mut bad = vec![saved];
        for (now, &copy) in self.state().zip(&vocabulary.copies) {
            let keep = terms.ite(save, now, copy);
            let next = terms.ite(saved, copy, keep);
            register(terms, &mut design, copy, None, next);
            bad.push(terms.eq(now, copy));
        }
        for (condition, &seen) in self.conditions().into_iter().zip(&vocabulary.seen) {
            let before = terms.eq(seen, one);
            let before = terms.and2(saved, before);
            let now = terms.and2(inside, condition);
            let either = terms.or2(before, now);
            let next = terms.bool_to_bits(1, either);
            register(terms, &mut design, seen, Some(zero), next);
            bad.push(terms.eq(seen, one));
        }
        let term = terms.and(&bad);
        design.properties = self
            .justice
            .first()
            .map(|j| Condition { number: j.number, name: j.name.clone(), term, place: j.place.clone() })
            .into_iter()
            .collect();
        design
    }
}

fn named(terms: &Terms, number: usize, term: Term) -> Signal {
    Signal::new(number, terms.var_name(term).unwrap_or_default(), term)
}

/// An execution that goes on with a loop for ever, and fulfils conditions in it.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// The way to the loop, and the loop once. After its last cycle comes that in which the loop starts.
    pub run: Run,
    /// The cycle in which the loop starts.
    pub start: usize,
}

/// Why there is no lasso.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoLasso {
    /// A constraint does not hold.
    NotAnExecution(NotAnExecution),
    /// After the last cycle the registers are not as they were at the start of the loop.
    DoesNotReturn,
    /// A condition does not hold in the loop: by its place among those of the property, then those of fairness.
    Unfulfilled(usize),
}

impl fmt::Display for NoLasso {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoLasso::NotAnExecution(why) => why.fmt(f),
            NoLasso::DoesNotReturn => write!(f, "the last cycle does not lead back to the start of the loop"),
            NoLasso::Unfulfilled(which) => write!(f, "condition {which} does not hold in the loop"),
        }
    }
}

impl Lasso {
    /// Executes a design, and goes through the loop so many times at most until all registers are as they were in one of its
    /// first cycles: those that the conditions do not depend on may take longer to return. Registers without a next value
    /// return with the others.
    ///
    /// # Errors
    /// If the loop is none, or does not fulfil the conditions of the design's first liveness property.
    pub fn new(
        terms: &Terms,
        design: &Design,
        stimulus: &Stimulus,
        start: usize,
        times: usize,
    ) -> Result<Lasso, NoLasso> {
        let (Some(length), true) = (stimulus.cycles.len().checked_sub(start), times > 0) else {
            return Err(NoLasso::DoesNotReturn);
        };
        if length == 0 {
            return Err(NoLasso::DoesNotReturn);
        }
        let once = Run::new(terms, design, stimulus).map_err(NoLasso::NotAnExecution)?;
        let mut repeated = stimulus.clone();
        if times > 1 {
            // What is open after the loop is as it was before.
            let last = repeated.cycles.len() - 1;
            for word in design.registers.iter().filter(|r| r.next.is_none()).map(|r| r.signal.term) {
                repeated.cycles[last].set(word, terms.eval(word, &once.cycles[start]));
            }
            let body = repeated.cycles[start..].to_vec();
            (1..times).for_each(|_| repeated.cycles.extend_from_slice(&body));
        }
        let run = match times {
            1 => once,
            _ => Run::new(terms, design, &repeated).map_err(NoLasso::NotAnExecution)?,
        };
        for round in 1..=times {
            let end = start + round * length;
            let after = run.after(terms, design, end - 1);
            let mut starts = (0..round).map(|before| start + before * length);
            let returned = starts.find(|&first| run.holds(terms, &after, first));
            if let Some(first) = returned {
                let cycles = run.cycles[..end].to_vec();
                return Lasso { run: Run { cycles }, start: first }.fulfilling(terms, design);
            }
        }
        Err(NoLasso::DoesNotReturn)
    }

    /// Executes a design, and takes the longest loop that the last cycle closes.
    ///
    /// # Errors
    /// If there is none, or it does not fulfil the conditions of the design's first liveness property.
    pub fn find(terms: &Terms, design: &Design, stimulus: &Stimulus) -> Result<Lasso, NoLasso> {
        let run = Run::new(terms, design, stimulus).map_err(NoLasso::NotAnExecution)?;
        let Some(last) = run.cycles.len().checked_sub(1) else { return Err(NoLasso::DoesNotReturn) };
        let after = run.after(terms, design, last);
        match (0..=last).find(|&first| run.holds(terms, &after, first)) {
            Some(start) => Lasso { run, start }.fulfilling(terms, design),
            None => Err(NoLasso::DoesNotReturn),
        }
    }

    /// The same, if it fulfils all conditions.
    fn fulfilling(self, terms: &Terms, design: &Design) -> Result<Lasso, NoLasso> {
        let cycles = &self.run.cycles[self.start..];
        let holds = |c: Term| cycles.iter().any(|cycle| terms.eval(c, cycle).as_bool());
        match design.conditions().iter().position(|&c| !holds(c)) {
            Some(which) => Err(NoLasso::Unfulfilled(which)),
            None => Ok(self),
        }
    }
}

impl Run {
    /// What the registers that have a next value hold after a cycle.
    fn after(&self, terms: &Terms, design: &Design, cycle: usize) -> Vec<(Term, Value)> {
        let known = design.registers.iter().filter_map(|r| Some((r.signal.term, r.next?)));
        let (words, nexts): (Vec<Term>, Vec<Term>) = known.unzip();
        words.into_iter().zip(terms.eval_all(&nexts, &self.cycles[cycle])).collect()
    }

    /// Whether words hold these values in a cycle.
    fn holds(&self, terms: &Terms, values: &[(Term, Value)], cycle: usize) -> bool {
        values.iter().all(|(word, value)| terms.eval(*word, &self.cycles[cycle]) == *value)
    }
}
