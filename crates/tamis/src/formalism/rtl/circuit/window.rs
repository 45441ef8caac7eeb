//! Witness circuits of induction over several cycles (Yu, Biere and Heljanko, CAV 2021; with Froleyks, FMCAD 2022).
//!
//! Beside the design the circuit keeps what its inputs and registers held in the cycles before, as many as the induction looks
//! back, and for each of them a bit that says whether there was such a cycle. Its property says that this is so: the
//! valid cycles are the last ones; each fulfils the constraints and not the violation, and leads to the next; and the
//! oldest, if there could be an older one, is one after a reset. That is inductive by itself: with all of
//! the window valid, the next cycle is good by the step; with less, by the base, since the window starts at the reset.
//!
//! Where all executions end, the window is as long as the longest, and always starts at the reset: no cycle follows a
//! full one.

use tamis_design::{Design, Register, Signal};
use tamis_logic::{Sort, Substitution, Term, Terms};

/// A circuit is not larger, in words: each cycle of a window is a copy of the design.
const MAX_WORDS: usize = 2_000_000;

/// What is remembered.
pub struct Window {
    /// How many cycles, the present one included.
    pub cycles: usize,
    /// What holds in every cycle.
    pub facts: Term,
    /// Whether a full window starts at the reset too.
    pub from_reset: bool,
}

impl Window {
    /// The registers that remember the cycles before, and what holds in every cycle. `design` is what the property depends on.
    pub fn registers_and_property(
        &self,
        terms: &mut Terms,
        design: &Design,
        bad: Term,
    ) -> Result<(Vec<Register>, Term), String> {
        let before = self.cycles.saturating_sub(1);
        if before.saturating_mul(design.signals().count() + 1) > MAX_WORDS {
            return Err(format!("a witness circuit over {} cycles of this design is too large", self.cycles));
        }
        let mut registers = Vec::new();
        let present = terms.bits(1, 1);
        // The words in each cycle of the window, the present one first, and whether there was that cycle.
        let (mut cycles, mut valid) = (vec![Substitution::new()], vec![present]);
        for age in 1..=before {
            let (mut values, later) = (Substitution::new(), &cycles[age - 1]);
            for signal in design.signals() {
                let newer = later.get(signal.term).unwrap_or(signal.term);
                let name = format!("{}@{age}", signal.name);
                let word = remember(terms, &mut registers, name, terms.sort(signal.term), (None, newer));
                values.insert(signal.term, word);
            }
            let first = terms.bits(1, 0);
            let was = (Some(first), valid[age - 1]);
            let is_valid = remember(terms, &mut registers, format!("valid@{age}"), Sort::BitVec(1), was);
            cycles.push(values);
            valid.push(is_valid);
        }
        let valid: Vec<Term> = valid.into_iter().map(|bit| terms.eq(bit, present)).collect();
        let fine = terms.not(bad);
        let mut all = vec![fine, self.facts];
        for age in 1..=before {
            let mut good = vec![valid[age - 1]];
            let holds: Vec<Term> =
                design.constraints.iter().map(|c| c.term).chain([fine, self.facts]).collect();
            good.extend(terms.substitute_all(&holds, &cycles[age]));
            good.push(leads_to(terms, design, &cycles[age], &cycles[age - 1]));
            let good = terms.and(&good);
            all.push(terms.implies(valid[age], good));
            let oldest = terms.not(valid[age]);
            let oldest = terms.and2(oldest, valid[age - 1]);
            let reset = is_reset(terms, design, &cycles[age - 1]);
            all.push(terms.implies(oldest, reset));
        }
        if self.from_reset {
            let reset = is_reset(terms, design, &cycles[before]);
            all.push(terms.implies(valid[before], reset));
        }
        Ok((registers, terms.and(&all)))
    }
}

/// A register with a first value, if it has one, and a next value.
fn remember(
    terms: &mut Terms,
    registers: &mut Vec<Register>,
    name: String,
    sort: Sort,
    (init, next): (Option<Term>, Term),
) -> Term {
    let word = terms.fresh(&name, sort);
    registers.push(Register { signal: Signal::new(registers.len(), name, word), init, next: Some(next) });
    word
}

/// That registers in one cycle have the values that another one gives them.
fn leads_to(terms: &mut Terms, design: &Design, from: &Substitution, to: &Substitution) -> Term {
    let known = design.registers.iter().filter_map(|r| Some((r.signal.term, r.next?)));
    let (words, nexts): (Vec<Term>, Vec<Term>) = known.unzip();
    let nexts = terms.substitute_all(&nexts, from);
    equal(terms, words, nexts, to)
}

/// That registers have their first values.
fn is_reset(terms: &mut Terms, design: &Design, cycle: &Substitution) -> Term {
    let known = design.registers.iter().filter_map(|r| Some((r.signal.term, r.init?)));
    let (words, inits): (Vec<Term>, Vec<Term>) = known.unzip();
    let inits = terms.substitute_all(&inits, cycle);
    equal(terms, words, inits, cycle)
}

fn equal(terms: &mut Terms, words: Vec<Term>, values: Vec<Term>, cycle: &Substitution) -> Term {
    let mut equal = Vec::with_capacity(words.len());
    for (word, value) in words.into_iter().zip(values) {
        let now = cycle.get(word).unwrap_or(word);
        equal.push(terms.eq(now, value));
    }
    terms.and(&equal)
}
