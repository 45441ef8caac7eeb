//! Refutations by resolution, from what CaDiCaL tells of its proof.
//!
//! A derived clause comes with antecedents in the order in which unit propagation goes through them, when the clause is false,
//! until one of them is false too. From that one backward, each is resolved with on the literal that it propagated.

use crate::limits;
use crate::sat::SatLit;
use cadical_sys::ProofTracer;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// What CaDiCaL has told.
#[derive(Default)]
pub struct Log {
    /// Of which group of formulas the clauses are that are being added.
    pub group: u32,
    clauses: FxHashMap<i64, Recorded>,
    /// The empty clause.
    empty: Option<i64>,
    /// All literals and antecedents.
    size: usize,
    /// Whether a step is missing, or is no resolution.
    incomplete: bool,
}

struct Recorded {
    literals: Box<[SatLit]>,
    origin: Origin,
}

enum Origin {
    Group(u32),
    Derived(Box<[i64]>),
}

/// Listens to CaDiCaL.
pub struct Recorder {
    log: Rc<RefCell<Log>>,
}

impl Recorder {
    pub fn new() -> (Recorder, Rc<RefCell<Log>>) {
        let log = Rc::new(RefCell::new(Log::default()));
        (Recorder { log: log.clone() }, log)
    }
}

impl Log {
    fn record(&mut self, id: i64, literals: &[SatLit], origin: Origin) {
        self.size += literals.len();
        if let Origin::Derived(antecedents) = &origin {
            self.size += antecedents.len();
        }
        if self.size > limits::SIZE_OF_REFUTATION {
            self.incomplete = true;
            return;
        }
        if literals.is_empty() {
            self.empty.get_or_insert(id);
        }
        self.clauses.insert(id, Recorded { literals: literals.into(), origin });
    }
}

impl ProofTracer for Recorder {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], restored: bool) {
        let mut log = self.log.borrow_mut();
        let group = log.group;
        // What is restored is no longer known to be of a group.
        log.incomplete |= restored;
        log.record(id, clause, Origin::Group(group));
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _redundant: bool,
        witness: i32,
        clause: &[i32],
        antecedents: &[i64],
    ) {
        let mut log = self.log.borrow_mut();
        log.incomplete |= witness != 0;
        log.record(id, clause, Origin::Derived(antecedents.into()));
    }

    fn delete_clause(&mut self, _id: i64, _redundant: bool, _clause: &[i32]) {}
    fn weaken_minus(&mut self, _id: i64, _clause: &[i32]) {}
    fn strengthen(&mut self, _id: i64) {}
    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}
    fn add_assumption(&mut self, _lit: i32) {}
    fn add_constraint(&mut self, _clause: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _id: i64, _clause: &[i32], _antecedents: &[i64]) {}
    fn conclude_sat(&mut self, _conclusion_type: i32, _model: &[i32]) {}
    fn conclude_unsat(&mut self, _conclusion_type: i32, _clause_ids: &[i64]) {}
    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}

/// A refutation: each clause after those that it is resolved from. The last one is empty.
pub struct Refutation {
    pub steps: Vec<Step>,
    /// The first and the last group whose clauses have each variable.
    pub groups: Vec<Option<(u32, u32)>>,
}

/// A clause.
pub enum Step {
    /// Given, by a group.
    Given {
        /// Which group.
        group: u32,
        /// The clause.
        literals: Box<[SatLit]>,
    },
    /// A step resolved with others, one after the other.
    Resolved {
        /// The step that it starts from.
        first: usize,
        /// The others, each with the variable that is resolved on.
        others: Vec<(usize, SatLit)>,
    },
}

impl Refutation {
    /// What the empty clause comes from; `None` if that is not known whole.
    pub fn new(log: &Log, variables: usize) -> Option<Refutation> {
        if log.incomplete {
            return None;
        }
        let mut refutation = Refutation { steps: Vec::new(), groups: vec![None; variables] };
        let mut places: FxHashMap<i64, usize> = FxHashMap::default();
        let mut values = vec![0i8; variables];
        for id in needed(log)? {
            let recorded = &log.clauses[&id];
            let step = match &recorded.origin {
                Origin::Group(group) => {
                    refutation.occur(*group, &recorded.literals);
                    Step::Given { group: *group, literals: recorded.literals.clone() }
                }
                Origin::Derived(antecedents) => {
                    resolve(log, &recorded.literals, antecedents, &places, &mut values)?
                }
            };
            places.insert(id, refutation.steps.len());
            refutation.steps.push(step);
        }
        Some(refutation)
    }

    /// Takes note of a group's clause.
    fn occur(&mut self, group: u32, literals: &[SatLit]) {
        for literal in literals {
            let known = &mut self.groups[literal.unsigned_abs() as usize];
            let (first, last) = known.unwrap_or((group, group));
            *known = Some((first.min(group), last.max(group)));
        }
    }
}

/// The clauses that the empty one depends on, each after its antecedents.
fn needed(log: &Log) -> Option<Vec<i64>> {
    let mut pending = vec![log.empty?];
    let mut found: FxHashMap<i64, ()> = FxHashMap::default();
    while let Some(id) = pending.pop() {
        if found.insert(id, ()).is_none()
            && let Origin::Derived(antecedents) = &log.clauses.get(&id)?.origin
        {
            // Numbers grow with time.
            if antecedents.iter().any(|&antecedent| antecedent >= id) {
                return None;
            }
            pending.extend(antecedents);
        }
    }
    let mut ordered: Vec<i64> = found.into_keys().collect();
    ordered.sort_unstable();
    Some(ordered)
}

/// A derived clause as resolutions, by unit propagation through its antecedents; `None` if that finds no conflict.
/// `values` is 0 for every variable, before and after.
fn resolve(
    log: &Log,
    clause: &[SatLit],
    antecedents: &[i64],
    places: &FxHashMap<i64, usize>,
    values: &mut [i8],
) -> Option<Step> {
    let sign = |literal: SatLit| if literal > 0 { 1 } else { -1 };
    let at = |literal: SatLit| literal.unsigned_abs() as usize;
    let mut trail: Vec<SatLit> = Vec::new();
    for &literal in clause {
        values[at(literal)] = -sign(literal);
        trail.push(literal);
    }
    let mut propagated: Vec<(i64, SatLit)> = Vec::new();
    let mut conflict = None;
    'antecedents: for &id in antecedents {
        let mut unit = None;
        for &literal in &log.clauses[&id].literals {
            let value = values[at(literal)] * sign(literal);
            if value < 0 {
                continue;
            }
            if value > 0 || unit.replace(literal).is_some() {
                continue 'antecedents;
            }
        }
        let Some(literal) = unit else {
            conflict = Some(id);
            break;
        };
        values[at(literal)] = sign(literal);
        trail.push(literal);
        propagated.push((id, literal));
    }
    trail.iter().for_each(|&literal| values[at(literal)] = 0);
    let conflict = conflict?;
    // From here on `values` marks the variables of the resolvent.
    let mut marked: Vec<SatLit> = log.clauses[&conflict].literals.to_vec();
    marked.iter().for_each(|&literal| values[at(literal)] = 1);
    let mut others = Vec::new();
    for &(id, literal) in propagated.iter().rev() {
        if values[at(literal)] == 0 {
            continue;
        }
        others.push((places[&id], literal.abs()));
        for &other in &log.clauses[&id].literals {
            values[at(other)] = 1;
            marked.push(other);
        }
        values[at(literal)] = 0;
    }
    marked.iter().for_each(|&literal| values[at(literal)] = 0);
    Some(Step::Resolved { first: places[&conflict], others })
}
