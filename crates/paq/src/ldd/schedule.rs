//! Early quantification: in which order variables are eliminated from a conjunction of diagrams.
//!
//! A variable is eliminated from the conjunction of the parts that mention it alone (bucket elimination), the
//! cheapest variable first. On the queries of \[SUM\] section 4.2 this eliminates the control variables along the
//! program's edges, as section 4.3 does, and the numeric ones with them. Eliminations that turn out to be expensive, or
//! not to be exact, are put off; when there are no others, all numeric variables of a connected group of parts are
//! projected out at once, and if that is expensive too, all are tried again with more steps.

use super::build::Built;
use crate::limits;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_diagram::linear::{BoolVar, Failure, Ldd, LinearDiagrams, NumVar};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Variable {
    Bool(BoolVar),
    Number(NumVar),
}

struct Part {
    function: Ldd,
    size: usize,
    variables: Vec<Variable>,
    /// Whether predicates are among its variables.
    predicates: bool,
}

/// Eliminates all variables but those of predicates; says whether the result is exact.
pub(super) fn eliminate_all(diagrams: &mut LinearDiagrams, built: &mut Built) -> Result<bool, Failure> {
    let parts = std::mem::take(&mut built.parts);
    let mut schedule = Schedule {
        diagrams,
        predicates: built.predicates.iter().copied().collect(),
        parts: Vec::new(),
        put_off: FxHashSet::default(),
        steps: limits::FIRST_STEPS,
        exact: true,
    };
    for part in parts {
        schedule.add(part);
    }
    built.parts = match schedule.run()? {
        // An over-approximation that is empty is exact.
        false => vec![schedule.diagrams.fals()],
        true => schedule.parts.iter().map(|part| part.function.clone()).collect(),
    };
    Ok(schedule.exact || built.parts.iter().any(Ldd::is_false))
}

struct Schedule<'a> {
    diagrams: &'a mut LinearDiagrams,
    predicates: FxHashSet<BoolVar>,
    parts: Vec<Part>,
    put_off: FxHashSet<Variable>,
    /// The most steps of an elimination in this round.
    steps: u64,
    exact: bool,
}

impl Schedule<'_> {
    /// Eliminates everything; false if nothing is left.
    fn run(&mut self) -> Result<bool, Failure> {
        loop {
            if self.parts.iter().any(|part| part.function.is_false()) {
                return Ok(false);
            }
            if let Some(variable) = self.cheapest() {
                if !self.eliminate(variable)? {
                    self.put_off.insert(variable);
                }
            } else if self.put_off.is_empty() {
                return Ok(true);
            } else if !self.project_a_group()? {
                self.steps = self.steps.saturating_mul(limits::STEPS_GROWTH);
                self.put_off.clear();
                self.diagrams.reorder_if_dynamic();
            }
        }
    }

    /// Adds a part; eliminations of its variables are no longer what they were.
    fn add(&mut self, function: Ldd) {
        if function.is_true() {
            return;
        }
        let (bools, numbers) = self.diagrams.support(&function);
        let predicates = bools.iter().any(|b| self.predicates.contains(b));
        let bools = bools.into_iter().filter(|b| !self.predicates.contains(b)).map(Variable::Bool);
        let variables: Vec<Variable> = bools.chain(numbers.into_iter().map(Variable::Number)).collect();
        for variable in &variables {
            self.put_off.remove(variable);
        }
        self.parts.push(Part { size: self.diagrams.node_count(&function), function, variables, predicates });
    }

    /// The variable whose parts are smallest together, of those that are not put off.
    fn cheapest(&self) -> Option<Variable> {
        let mut costs: FxHashMap<Variable, usize> = FxHashMap::default();
        for part in &self.parts {
            for &variable in &part.variables {
                *costs.entry(variable).or_default() += part.size;
            }
        }
        costs.retain(|variable, _| !self.put_off.contains(variable));
        costs.into_iter().min_by_key(|&(variable, cost)| (cost, variable)).map(|(variable, _)| variable)
    }

    /// Takes the parts that `wanted` accepts, the smallest first.
    fn take(&mut self, wanted: impl Fn(&Part) -> bool) -> Vec<Part> {
        let (mut taken, rest): (Vec<Part>, Vec<Part>) = self.parts.drain(..).partition(wanted);
        self.parts = rest;
        taken.sort_by_key(|part| part.size);
        taken
    }

    /// Eliminates a variable; false if it is better put off.
    fn eliminate(&mut self, variable: Variable) -> Result<bool, Failure> {
        let bucket = self.take(|part| part.variables.contains(&variable));
        let functions: Vec<Ldd> = bucket.iter().map(|part| part.function.clone()).collect();
        let result = match variable {
            Variable::Bool(b) => self.diagrams.and_exists_within(self.steps, &functions, &[b])?,
            Variable::Number(x) => match self.diagrams.eliminate_within(self.steps, x, &functions)? {
                Some(projection) if projection.exact || self.steps >= limits::STEPS_BEFORE_INEXACT => {
                    self.exact &= projection.exact;
                    Some(projection.result)
                }
                _ => None,
            },
        };
        Ok(self.replace(bucket, result))
    }

    /// Puts a result in the place of parts, or the parts back if there is none.
    fn replace(&mut self, bucket: Vec<Part>, result: Option<Ldd>) -> bool {
        match result {
            Some(result) => {
                drop(bucket);
                self.add(result);
                true
            }
            None => {
                self.parts.extend(bucket);
                false
            }
        }
    }

    /// Projects out the numeric variables of a group of parts that share them; false if that takes too long for each.
    fn project_a_group(&mut self) -> Result<bool, Failure> {
        let mut tried: FxHashSet<Variable> = FxHashSet::default();
        let is_number = |v: &&Variable| matches!(v, Variable::Number(_));
        while let Some(&first) =
            self.parts.iter().flat_map(|part| &part.variables).find(|v| is_number(v) && !tried.contains(v))
        {
            let mut group = FxHashSet::from_iter([first]);
            loop {
                let before = group.len();
                for part in &self.parts {
                    if part.variables.iter().any(|v| group.contains(v)) {
                        group.extend(part.variables.iter().filter(is_number));
                    }
                }
                if group.len() == before {
                    break;
                }
            }
            let bucket = self.take(|part| part.variables.iter().any(|v| group.contains(v)));
            tried.extend(group);
            let mut bucket = bucket;
            // Conditions come before what depends on them.
            bucket.sort_by_key(|part| (part.predicates, part.size));
            let functions: Vec<Ldd> = bucket.iter().map(|part| part.function.clone()).collect();
            let projection =
                self.diagrams.project_within(limits::PROJECTION_STEPS * self.steps, &functions)?;
            if let Some(projection) = &projection {
                self.exact &= projection.exact;
            }
            if self.replace(bucket, projection.map(|projection| projection.result)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
