//! Concurrent assertions.

use super::super::automaton::{Automaton, MAX_LEAVES, MAX_STATES};
use super::super::lexer::{Kind, join};
use super::super::monitor::{Monitor, Start, is_sampled};
use super::super::parser::{Assertion, Context, assertion, is_expression};
use super::super::words::{Clock, Refusal, closing};
use super::constants::{MAX_VALUES, Probe, choice};
use super::{Defaults, File, Named, Place};
use std::ops::Range;

/// An assertion, as far as words tell.
struct Statement {
    /// The word that it starts with: `assert`, `assume`, `cover`, `restrict`.
    start: usize,
    /// What stands in its parentheses.
    inside: Range<usize>,
    /// What is replaced, its label included.
    whole: Range<usize>,
    named: Named,
}

/// How an assertion is monitored.
struct Setting<'a> {
    label: &'a str,
    kind: &'a str,
    clock: Option<&'a Clock>,
    disable: Option<&'a str>,
    start: Start,
    asynchronous: bool,
}

impl File<'_> {
    /// One `assert property (…) …;`. Returns where it ends.
    pub(super) fn concurrent(
        &mut self,
        start: usize,
        limit: usize,
        mut place: Place,
        defaults: &Defaults,
    ) -> Result<usize, Refusal> {
        let open = start + 2;
        let Some(close) = (self.word(open) == "(").then(|| closing(self.tokens, open)).flatten() else {
            return self.refused(open, "a parenthesis is expected, and one that closes it");
        };
        let mut end = close;
        if self.word(end) != "else" {
            end = self.statement(end, limit);
        }
        if self.word(end) == "else" {
            end = self.statement(end + 1, limit);
        }
        let inside = &self.tokens[open + 1..close - 1];
        let plain = is_expression(inside, &defaults.definitions);
        let in_process = matches!(place, Place::Process(_));
        let stays = plain && (in_process || !self.is_clocked(open + 1..close - 1, &place, defaults));
        if stays && self.word(start) != "cover" {
            if start < self.generated {
                self.unlabelled(start);
            }
            if self.word(close) != ";" {
                self.replace(close..end, ";".to_owned());
            }
            return Ok(end);
        }
        let labelled = start >= 2 && self.word(start - 1) == ":" && self.tokens[start - 2].kind == Kind::Name;
        let whole = match place {
            Place::Initial(initial) => initial..end,
            _ if labelled => start - 2..end,
            _ => start..end,
        };
        let label = format!("{}_{}", self.manner.prefix, self.met);
        self.met += 1;
        // A module with nothing in it would be a black box to Yosys.
        let nothing = if in_process { ";".to_owned() } else { format!("wire {label}_n = 0;") };
        if self.word(start) == "cover" {
            self.lowered.covers += 1;
            self.replace(whole, nothing);
            return Ok(end);
        }
        let name = if labelled { self.word(start - 2).to_owned() } else { join(&self.tokens[start..close]) };
        let named = Named { label, name, at: self.at(whole.start) };
        let statement = Statement { start, inside: open + 1..close - 1, whole, named };
        match self.monitored(&statement, &mut place, defaults) {
            Ok((text, sampled)) => {
                self.replace(statement.whole, text);
                self.lowered.assertions.push((statement.named, sampled));
            }
            Err(refusal) if self.word(start) == "assert" => {
                self.replace(statement.whole, nothing);
                self.lowered.refused.push((statement.named, refusal));
            }
            Err(refusal) => return Err(refusal),
        }
        Ok(end)
    }

    /// Whether a plain expression is one at the edges of a clock, and not in each step.
    fn is_clocked(&self, inside: Range<usize>, place: &Place, defaults: &Defaults) -> bool {
        let sampled = self.tokens[inside].iter().any(|t| is_sampled(&t.text));
        sampled || matches!(place, Place::Initial(_)) || defaults.clock.is_some()
    }

    /// What stands in the place of an assertion, and whether a clock samples it.
    fn monitored(
        &mut self,
        statement: &Statement,
        place: &mut Place,
        defaults: &Defaults,
    ) -> Result<(String, bool), Refusal> {
        let Statement { start, inside, named, .. } = statement;
        let label = named.label.as_str();
        let (tokens, end) = (&self.tokens[inside.clone()], self.at(inside.end));
        let context = Context {
            definitions: &defaults.definitions,
            values: None,
            asynchronous: self.manner.asynchronous,
        };
        let parsed = assertion(tokens, context, end)?;
        let starts = match place {
            Place::Module => Start::Each,
            Place::Initial(_) => Start::First,
            Place::Process(_) => Start::Reached,
        };
        let (clock, inferred) = self.clock_of(*start, parsed.clock.as_ref(), place, defaults)?;
        let setting = Setting {
            label,
            kind: if self.word(*start) == "assert" { "assert" } else { "assume" },
            clock: clock.as_ref(),
            disable: parsed.disable.as_deref().or(defaults.disable.as_deref()),
            start: starts,
            asynchronous: self.manner.asynchronous,
        };
        let text = if parsed.constants.is_empty() {
            setting.text(&parsed, self.at(*start), place)?
        } else if starts == Start::Reached {
            return self.refused(*start, "delays that are parameters are not taken inside of a process");
        } else {
            let (probe, probed) = Probe::new(label, &parsed.constants);
            match self.manner.values {
                None => {
                    self.lowered.probes.push(probe);
                    probed
                }
                Some(known) => {
                    let values = known.get(&probe.wire).cloned().unwrap_or_default();
                    if values.len() > MAX_VALUES {
                        return self.refused(*start, "its delays have too many values in instances");
                    }
                    let mut texts = Vec::new();
                    for values in values {
                        let parsed = assertion(tokens, Context { values: Some(&values), ..context }, end)?;
                        let text = setting.text(&parsed, self.at(*start), place)?;
                        texts.push((values, text));
                    }
                    choice(label, &parsed.constants, &texts)
                }
            }
        };
        if inferred {
            self.lowered.inferred.push(self.at(*start));
        }
        let sampled = setting.clock.is_some();
        self.lowered.resets |= setting.disable.is_some() && sampled;
        Ok((text, sampled))
    }

    /// The clock of an assertion, and whether it was inferred from the module's processes.
    fn clock_of(
        &self,
        start: usize,
        own: Option<&Clock>,
        place: &Place,
        defaults: &Defaults,
    ) -> Result<(Option<Clock>, bool), Refusal> {
        if let Place::Process(process) = place {
            let Some(around) = &process.clock else {
                let message = "an assertion with sequences is taken in processes that one clock alone starts";
                return self.refused(start, message);
            };
            if self.is_repeated(process, start) {
                return self.refused(start, "an assertion with sequences is not taken inside of a loop");
            }
            if own.is_some_and(|own| own != around) {
                return self.refused(start, "the assertion has another clock than the process around");
            }
            return Ok((Some(around.clone()), false));
        }
        Ok(match (own, &defaults.clock, &defaults.inferred) {
            (Some(clock), ..) | (None, Some(clock), _) => (Some(clock.clone()), false),
            (None, None, Some(clock)) => (Some(clock.clone()), true),
            _ => (None, false),
        })
    }
}

impl Setting<'_> {
    /// The monitor of an assertion that stands at a place.
    fn text(&self, parsed: &Assertion, at: usize, place: &mut Place) -> Result<String, Refusal> {
        let automaton = Automaton::new(parsed.property.clone()).map_err(|_| Refusal {
            at,
            message: format!(
                "the property is too large: it has more than {MAX_STATES} states, or decides by more than {MAX_LEAVES} \
                 expressions in one cycle"
            ),
        })?;
        let leaves: Vec<String> = parsed.leaves.iter().map(|l| l.replace("$sampled", "")).collect();
        // Without a clock the edge is not used.
        let step = Clock { edge: String::new(), signal: String::new() };
        let monitor = Monitor {
            name: self.label,
            kind: self.kind,
            clock: self.clock.unwrap_or(&step),
            disable: self.disable,
            leaves: &leaves,
            automaton: &automaton,
            asynchronous: self.asynchronous,
            start: self.start,
        };
        if self.clock.is_none() {
            if !automaton.is_one_cycle() || leaves.iter().any(|leaf| is_sampled(leaf)) {
                let message = "the assertion has no clock: write `@(posedge name)` before the property";
                return Err(Refusal { at, message: message.to_owned() });
            }
            return Ok(monitor.unclocked());
        }
        Ok(match place {
            Place::Process(process) => {
                let reached = format!("{}_go", self.label);
                let set = format!("{reached} = 1;");
                process.monitor(reached, monitor.parts());
                set
            }
            _ => monitor.verilog(),
        })
    }
}
