//! Names of signals as names of variables.

use rustc_hash::FxHashMap;
use tamis_logic::{Sort, Term, Terms};

/// Sources may give one name to many signals; variables of one name are one.
#[derive(Default)]
pub struct Names {
    used: FxHashMap<String, u32>,
}

impl Names {
    /// A variable of its own, called after the signal.
    pub fn variable(&mut self, terms: &mut Terms, name: &str, sort: Sort) -> Term {
        loop {
            let uses = self.used.entry(name.to_owned()).or_insert(0);
            *uses += 1;
            let candidate = if *uses == 1 { name.to_owned() } else { format!("{name}#{uses}") };
            if *uses == 1 || !self.used.contains_key(&candidate) {
                self.used.entry(candidate.clone()).or_insert(1);
                return terms.var_at(&candidate, sort);
            }
        }
    }
}
