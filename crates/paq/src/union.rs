//! Minterms and cubes as they come, collected in a BDD.

use crate::Predicate;
use crate::limits;
use tamis_diagram::{Bdd, Cube, Diagrams, OutOfNodes};

/// The union of the cubes found so far.
pub(crate) struct Union<'a> {
    diagrams: &'a Diagrams,
    result: Result<Bdd, OutOfNodes>,
    batch: Vec<Cube>,
    functions: Vec<Bdd>,
}

impl<'a> Union<'a> {
    pub fn new(diagrams: &'a Diagrams) -> Union<'a> {
        Union { diagrams, result: Ok(diagrams.fals()), batch: Vec::new(), functions: Vec::new() }
    }

    /// Adds a cube; `false` if there is no room for more.
    pub fn add(&mut self, cube: Cube) -> bool {
        self.batch.push(cube);
        if self.batch.len() == limits::CUBES_PER_MERGE {
            self.merge();
        }
        self.result.is_ok()
    }

    /// Adds a function, if it could be made; `false` if there is no room for more.
    pub fn add_function(&mut self, function: Result<Bdd, OutOfNodes>) -> bool {
        match (function, &self.result) {
            (Ok(function), Ok(_)) => self.functions.push(function),
            (Err(full), Ok(_)) => self.result = Err(full),
            _ => {}
        }
        if self.functions.len() == limits::CUBES_PER_MERGE {
            self.merge();
        }
        self.result.is_ok()
    }

    fn merge(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        if let (Ok(old), false) = (&self.result, batch.is_empty()) {
            self.result = self.diagrams.union_of_cubes(&batch).and_then(|new| self.diagrams.or(old, &new));
        }
        // Small ones are united with small ones.
        let mut functions = std::mem::take(&mut self.functions);
        while functions.len() > 1 && self.result.is_ok() {
            let pairs = functions.chunks(2).map(|pair| match pair {
                [a, b] => self.diagrams.or(a, b),
                _ => Ok(pair[0].clone()),
            });
            match pairs.collect() {
                Ok(united) => functions = united,
                Err(full) => self.result = Err(full),
            }
        }
        if let (Ok(old), Some(new)) = (&self.result, functions.first()) {
            self.result = self.diagrams.or(old, new);
        }
    }

    /// The union.
    pub fn finish(mut self) -> Result<Bdd, OutOfNodes> {
        self.merge();
        self.result
    }
}

/// The minterm in which predicates have these values.
pub(crate) fn minterm(predicates: &[Predicate], values: &[bool]) -> Cube {
    predicates.iter().zip(values).map(|(p, &value)| (p.var, value)).collect()
}
