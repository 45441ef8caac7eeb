//! A proof as invariants that C can say.
//!
//! What the search proves is about its automaton: after simplification, with calls expanded, over memory and variables of
//! its own. A witness is about the program as it is written. So what the proof says is only a proposal: each conjunct that is about
//! variables in scope is put into the program as C, and what is preserved there by induction is kept. Whether it
//! suffices for the property is checked as well.

use crate::formalism::c::property::Property;
use crate::formalism::c::witness::find::Finder;
use crate::formalism::c::witness::monitor::{
    self, Failing, Monitor, Monitored, REFUTED, is_inserted, item_of,
};
use crate::formalism::c::witness::{Expression, Invariant, InvariantKind, Place};
use crate::yaml::{Document, Node, Value};
use rustc_hash::FxHashSet;
use tamis_evidence::{Candidate, Certificate};
use tamis_front_c::tree::{StmtId, StmtKind};
use tamis_front_c::{Refinement, Sources, Target};
use tamis_interpreter_c::{c_expression, defined_c_expression};
use tamis_logic::{Op, Term, Terms};
use tamis_program::{FrameId, Location, LoopNest, Program, Source, Undefined, back_edges, simplify};
use tamis_solver::Budget;

/// Longer expressions are not proposed.
const LONGEST: usize = 20_000;

/// Proposals may be put into the program so many times.
const ROUNDS: usize = 40;

/// Invariants for a witness.
pub struct Invariants {
    pub entries: Vec<(InvariantKind, Place, String)>,
    /// Whether the property follows from them.
    pub suffice: bool,
}

/// What of a proof of `searched` can be said about the program as it is written.
pub fn invariants(
    finder: &Finder<'_>,
    property: &Property,
    (terms, searched): (&Terms, &Program),
    certificate: &Certificate,
    budget: &Budget,
) -> Option<Invariants> {
    let document = Document::parse("witness", "[]".to_owned()).ok()?;
    let context = Context { sources: finder.sources, finder, document: &document, property, budget };
    let proof = (terms, searched, certificate);
    let mut proposed = context.proposals(proof, c_expression);
    if !context.keep(&mut proposed) {
        // The proof takes arithmetic to wrap around, which C does not say of signed numbers.
        proposed = context.proposals(proof, defined_c_expression);
        if !context.keep(&mut proposed) {
            proposed.retain(|invariant| is_plain(&invariant.value.text));
            if !context.keep(&mut proposed) {
                proposed.clear();
            }
        }
    }
    let suffice = context.suffice(&proposed);
    Some(Invariants { entries: joined(proposed), suffice })
}

/// Whether an expression computes nothing that can be undefined.
fn is_plain(text: &str) -> bool {
    let computes = ["+", " - ", "*", "/", "%", "<<", ">>"];
    !computes.iter().any(|operator| text.contains(operator))
}

/// A way to write formulas.
type Write = fn(&Terms, &Program, FrameId, Term, usize) -> Option<String>;

struct Context<'a> {
    sources: &'a Sources,
    finder: &'a Finder<'a>,
    document: &'a Document,
    property: &'a Property,
    budget: &'a Budget,
}

impl Context<'_> {
    /// What the certificate says at the heads of loops, as far as it is about variables in scope.
    fn proposals(
        &self,
        (terms, program, certificate): (&Terms, &Program, &Certificate),
        write: Write,
    ) -> Vec<Invariant> {
        let heads: FxHashSet<Location> =
            back_edges(program).into_iter().map(|e| program.edge(e).to).collect();
        let nest = LoopNest::new(program);
        let mut loops: Vec<(InvariantKind, Place, Vec<Vec<String>>)> = Vec::new();
        for &(location, formula) in certificate.invariants.iter().filter(|(l, _)| heads.contains(l)) {
            let Some((kind, place)) = self.head(program, &nest, location) else { continue };
            let conjuncts = conjuncts(terms, formula);
            let frame = program.frame_of(location);
            let mut texts: Vec<String> =
                conjuncts.into_iter().filter_map(|c| said(terms, program, frame, c, write)).collect();
            texts.sort_by_key(|text| text.len());
            match loops.iter_mut().find(|(_, known, _)| *known == place) {
                Some((_, _, frames)) => frames.push(texts),
                None => loops.push((kind, place, vec![texts])),
            }
        }
        let mut proposed = Vec::new();
        for (kind, place, frames) in loops {
            let mut texts: Vec<String> = frames.iter().flatten().cloned().collect();
            if frames.len() > 1 && frames.iter().all(|texts| !texts.is_empty()) {
                let mut cases: Vec<String> = frames.iter().map(|texts| texts.join(" && ")).collect();
                cases.sort_by_key(String::len);
                cases.dedup();
                if cases.len() > 1 {
                    texts.push(cases.iter().map(|case| format!("({case})")).collect::<Vec<_>>().join(" || "));
                }
            }
            let mut known = FxHashSet::default();
            texts.retain(|text| known.insert(text.clone()));
            let node = Node { value: Value::Scalar(String::new()), line: 1, column: 1 };
            proposed.extend(texts.into_iter().map(|text| Invariant {
                kind,
                place: place.clone(),
                value: Expression { text, node: node.clone() },
            }));
        }
        proposed
    }

    /// The loop that a location of the searched program is most likely the head of: the innermost that begins before all
    /// that belongs to the loop there and is not in called functions.
    fn head(&self, program: &Program, nest: &LoopNest, location: Location) -> Option<(InvariantKind, Place)> {
        let frame = program.frame_of(location);
        let body = nest.loops().iter().filter(|l| l.heads.contains(&location)).flat_map(|l| &l.body);
        let edges = body.filter(|l| program.frame_of(**l) == frame).flat_map(|&l| program.outgoing(l));
        let spots = edges.filter_map(|&e| {
            let Source { file, line, column } = program.edge(e).source;
            self.sources.spot_in(program.file(file), line, column)
        });
        let unit = self.finder.unit;
        let name = &program.frame(frame).function;
        let function = unit.functions().find(|&f| unit[f].name == *name && unit[f].body.is_some())?;
        let function_begins = self.sources.spot(unit[unit[function].body?].at)?;
        // Edges that were merged with those of called functions stand elsewhere.
        let first = spots.filter(|spot| *spot >= function_begins).min()?;
        let is_loop = |s: &StmtId| {
            matches!(unit[*s].kind, StmtKind::While { .. } | StmtKind::For { .. } | StmtKind::DoWhile { .. })
        };
        let begins = |s: StmtId| self.sources.spot(unit[s].at).filter(|start| *start <= first);
        let (_, s) =
            unit.stmts().filter(is_loop).filter_map(|s| Some((begins(s)?, s))).max_by_key(|l| l.0)?;
        let function = Some(program.frame(program.frame_of(location)).function.clone());
        let place = |s: StmtId| {
            let at = unit[s].at;
            let file = unit.files().get(at.file as usize).cloned().unwrap_or_default();
            Place { file, line: at.line, column: Some(at.column), function }
        };
        match unit[s].kind {
            // The head of such a loop is where its body begins, and not where its condition is.
            StmtKind::DoWhile { body, .. } => match &unit[body].kind {
                StmtKind::Block(statements) => {
                    statements.first().map(|&first| (InvariantKind::Location, place(first)))
                }
                _ => Some((InvariantKind::Location, place(body))),
            },
            _ => Some((InvariantKind::Loop, place(s))),
        }
    }

    fn monitored(&self, invariants: &[Invariant], failing: Failing) -> Option<Monitored> {
        let mut monitor = Monitor::new(self.document, self.finder);
        for invariant in invariants {
            monitor.check(invariant, failing).ok()?;
        }
        Some(monitor.finish(self.sources))
    }

    /// Drops what is not preserved; `false` if what is left is not known to be, or may be undefined.
    fn keep(&self, invariants: &mut Vec<Invariant>) -> bool {
        self.keep_preserved(invariants) && self.are_defined(invariants)
    }

    /// Drops what is not preserved; `false` if what is left is not known to be.
    fn keep_preserved(&self, invariants: &mut Vec<Invariant>) -> bool {
        invariants.retain(|i| self.monitored(std::slice::from_ref(i), Failing::Refutes).is_some());
        for _ in 0..ROUNDS {
            if self.budget.check().is_err() {
                return false;
            }
            let Some(monitored) = self.monitored(invariants, Failing::Refutes) else { return false };
            let program = monitored.program.aimed(&Target::Call(REFUTED.to_owned()), Refinement::default());
            let mut terms = Terms::new();
            let program = match program.program(&mut terms) {
                Ok(program) => program,
                // A name that is not in scope, most likely.
                Err(error) => match monitor::item_of_error(&error) {
                    Some(item) if item < invariants.len() => {
                        invariants.remove(item);
                        continue;
                    }
                    _ => return false,
                },
            };
            let check = |edge: &tamis_program::Edge| item_of(&program, edge.source);
            let candidates = tamis_evidence::candidates(&mut terms, &program, &check);
            let all = candidates.clone();
            let Ok(kept) = tamis_evidence::inductive(&mut terms, &program, candidates, self.budget) else {
                return false;
            };
            let lost: FxHashSet<u32> = all.iter().filter(|c| !kept.contains(c)).map(|c| c.number).collect();
            if lost.is_empty() {
                let certificate = certificate(&mut terms, &program, &all);
                return tamis_evidence::certify(&mut terms, &program, &certificate, self.budget).is_ok();
            }
            let mut number = 0;
            invariants.retain(|_| {
                number += 1;
                !lost.contains(&number)
            });
        }
        false
    }

    /// Whether the evaluation of invariants is never undefined.
    fn are_defined(&self, invariants: &[Invariant]) -> bool {
        if invariants.iter().all(|invariant| is_plain(&invariant.value.text)) {
            return true;
        }
        let wrong = |mark: &tamis_program::Mark| mark.what != Undefined::OutOfBounds;
        self.holds(invariants, &Target::Nothing, &|program| {
            program.checked_where(|mark| wrong(mark) && is_inserted(program, mark.source))
        })
    }

    /// Whether the property follows from invariants.
    fn suffice(&self, invariants: &[Invariant]) -> bool {
        let kinds = self.property.undefined();
        self.holds(invariants, &self.property.target(), &|program| {
            program.checked_where(|mark| kinds.contains(&mark.what) && !is_inserted(program, mark.source))
        })
    }

    /// Whether a program is safe in which invariants hold.
    fn holds(&self, invariants: &[Invariant], target: &Target, shape: &dyn Fn(&Program) -> Program) -> bool {
        let Some(monitored) = self.monitored(invariants, Failing::Ends) else { return false };
        let mut terms = Terms::new();
        let Ok(program) = monitored.program.aimed(target, Refinement::default()).program(&mut terms) else {
            return false;
        };
        excludes(&mut terms, &shape(&program), self.budget)
    }
}

/// A formula as C, if it is about nothing but variables of the activation and globals.
fn said(terms: &Terms, program: &Program, frame: FrameId, formula: Term, write: Write) -> Option<String> {
    let in_scope = |t: Term| {
        let Some(v) = program.var_of(t) else { return false };
        let variable = program.variable(v);
        let named =
            !variable.name.is_empty() && variable.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        named
            && !variable.temporary
            && variable.ty.int().is_some()
            && variable.frame.is_none_or(|of| of == frame)
    };
    let sayable = terms.free_vars(formula).into_iter().all(in_scope);
    if sayable { write(terms, program, frame, formula, LONGEST) } else { None }
}

/// Whether no execution between loop heads comes to the error, whatever the values at them: of the program, or of what
/// simplification makes of it, which keeps constants.
pub fn excludes(terms: &mut Terms, program: &Program, budget: &Budget) -> bool {
    let mut holds = |program: &Program| {
        let nothing = certificate(terms, program, &[]);
        tamis_evidence::certify(terms, program, &nothing, budget).is_ok()
    };
    if holds(program) {
        return true;
    }
    let simplified = simplify(program, terms).program;
    let nothing = certificate(terms, &simplified, &[]);
    tamis_evidence::certify(terms, &simplified, &nothing, budget).is_ok()
}

/// What is claimed at the heads of all loops.
pub fn certificate(terms: &mut Terms, program: &Program, candidates: &[Candidate]) -> Certificate {
    let mut heads: Vec<Location> = back_edges(program).into_iter().map(|e| program.edge(e).to).collect();
    heads.sort_unstable();
    heads.dedup();
    let mut claim = |at: Location| {
        let all: Vec<Term> = candidates.iter().filter(|c| c.at == at).map(|c| c.formula).collect();
        (at, terms.and(&all))
    };
    Certificate { invariants: heads.into_iter().map(&mut claim).collect() }
}

fn conjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    match terms.op(formula) {
        Op::And => terms.args(formula).to_vec(),
        Op::Bool(_) => Vec::new(),
        _ => vec![formula],
    }
}

/// All that is said about a place, in one expression.
fn joined(invariants: Vec<Invariant>) -> Vec<(InvariantKind, Place, String)> {
    let mut joined: Vec<(InvariantKind, Place, Vec<String>)> = Vec::new();
    for Invariant { kind, place, value } in invariants {
        match joined.iter_mut().find(|(_, known, _)| *known == place) {
            Some((_, _, texts)) => texts.push(value.text),
            None => joined.push((kind, place, vec![value.text])),
        }
    }
    let together = |texts: Vec<String>| match &texts[..] {
        [one] => one.clone(),
        _ => {
            let part = |text: &String| {
                if text.contains("||") || text.contains('?') { format!("({text})") } else { text.clone() }
            };
            texts.iter().map(part).collect::<Vec<_>>().join(" && ")
        }
    };
    joined.into_iter().map(|(kind, place, texts)| (kind, place, together(texts))).collect()
}
