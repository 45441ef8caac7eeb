//! The script's options.

use tamis_solver::Strategy;

/// The names of the ways to enumerate, for `:tamis-enumeration`.
const STRATEGIES: [(&str, Strategy); 3] =
    [("in-search", Strategy::InSearch), ("naive", Strategy::Naive), ("black-box", Strategy::BlackBox)];

/// The value of each option that means something here.
#[derive(Clone, Debug)]
pub struct Settings {
    pub print_success: bool,
    pub produce_models: bool,
    pub produce_unsat_cores: bool,
    pub produce_unsat_assumptions: bool,
    pub produce_assertions: bool,
    pub produce_assignments: bool,
    /// Whether every combination of an enumeration is confirmed, not only some.
    pub check_models: bool,
    pub global_declarations: bool,
    pub random_seed: u32,
    pub verbosity: u32,
    /// `:tamis-enumeration`: how `check-allsat` goes from one model to the next ([SMT §4.3]).
    pub enumeration: Strategy,
    /// `:tamis-theory-propagation`: whether theories tell the search what follows, or conflicts only ([SMT §4.3]).
    pub theory_propagation: bool,
}

impl Settings {
    /// The values at the start. Unlike the standard has it, models, assignments, unsatisfiable assumptions and
    /// assertions can be asked for without an option, since they cost nothing; a core does cost.
    pub fn new(seed: Option<u32>) -> Settings {
        Settings {
            print_success: false,
            produce_models: true,
            produce_unsat_cores: false,
            produce_unsat_assumptions: true,
            produce_assertions: true,
            produce_assignments: true,
            check_models: false,
            global_declarations: false,
            random_seed: seed.unwrap_or(0),
            verbosity: 0,
            enumeration: Strategy::default(),
            theory_propagation: true,
        }
    }

    /// Takes an option; `false` if it or its value is not supported.
    pub fn set(&mut self, keyword: &str, value: &str) -> bool {
        if let Some(place) = self.switch(keyword) {
            match value {
                "true" => *place = true,
                "false" => *place = false,
                _ => return false,
            }
            return true;
        }
        let number = value.parse();
        match (keyword, number) {
            (":random-seed", Ok(seed)) => self.random_seed = seed,
            (":verbosity", Ok(level)) => self.verbosity = level,
            (":tamis-enumeration", _) => match STRATEGIES.iter().find(|(name, _)| *name == value) {
                Some(&(_, strategy)) => self.enumeration = strategy,
                None => return false,
            },
            (":regular-output-channel", _) => return value == "\"stdout\"",
            (":diagnostic-output-channel", _) => return value == "\"stderr\"",
            _ => return false,
        }
        true
    }

    /// The value of an option as text.
    pub fn get(&mut self, keyword: &str) -> Option<String> {
        if let Some(place) = self.switch(keyword) {
            return Some(place.to_string());
        }
        match keyword {
            ":random-seed" => Some(self.random_seed.to_string()),
            ":verbosity" => Some(self.verbosity.to_string()),
            ":tamis-enumeration" => {
                let named = STRATEGIES.iter().find(|(_, strategy)| *strategy == self.enumeration);
                named.map(|(name, _)| (*name).to_owned())
            }
            ":regular-output-channel" => Some("\"stdout\"".to_owned()),
            ":diagnostic-output-channel" => Some("\"stderr\"".to_owned()),
            _ => None,
        }
    }

    fn switch(&mut self, keyword: &str) -> Option<&mut bool> {
        match keyword {
            ":print-success" => Some(&mut self.print_success),
            ":produce-models" => Some(&mut self.produce_models),
            ":produce-unsat-cores" => Some(&mut self.produce_unsat_cores),
            ":produce-unsat-assumptions" => Some(&mut self.produce_unsat_assumptions),
            ":produce-assertions" | ":interactive-mode" => Some(&mut self.produce_assertions),
            ":produce-assignments" => Some(&mut self.produce_assignments),
            ":check-models" => Some(&mut self.check_models),
            ":global-declarations" => Some(&mut self.global_declarations),
            ":tamis-theory-propagation" => Some(&mut self.theory_propagation),
            _ => None,
        }
    }
}
