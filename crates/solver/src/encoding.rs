//! Terms as clauses: the circuit, its clauses in the SAT solver, and what theories and arrays know of them.
//!
//! [`Solver`](crate::Solver) has the questions, models and statistics; everything between its own terms and CaDiCaL's literals
//! is here. `assert` makes clauses of formulas, `rebuild` makes them again for a new SAT solver, and `dpll_t` gives meaning to
//! terms of theories (`register`, `numbers`, `equality`, `arrays`) and makes what a search asked for (`requests`).

use crate::bit_arrays::BitArrays;
use crate::blast::Blaster;
use crate::budget::{Budget, Stop};
use crate::circuit::Lit;
use crate::cnf::Encoder;
use crate::dpll_t::Theories;
use crate::rebuild::Asserted;
use crate::sat::{Sat, SatLit};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a solver's own terms are in the SAT solver and the theories.
pub(crate) struct Encoding {
    pub budget: Budget,
    pub blaster: Blaster,
    pub encoder: Encoder,
    pub sat: Sat,
    pub seed: u32,
    /// Whether the SAT solver is one for enumerations.
    pub enumerates: bool,
    /// What has been asserted, as clauses over the circuit.
    pub asserted: Asserted,
    /// Set when an assertion was cut short: what was asserted is not all there, so no answer can be given any more.
    pub stopped: Option<Stop>,
    /// The theories beside bit-vectors.
    pub theories: Theories,
    /// Arrays whose indices and elements have bits.
    pub arrays: BitArrays,
    /// Variables of atoms that are frozen already.
    pub frozen: FxHashSet<SatLit>,
    /// For a literal that has been important in an enumeration, a variable equal to it that is never eliminated.
    pub proxies: FxHashMap<SatLit, SatLit>,
}

impl Encoding {
    pub fn new(budget: &Budget) -> Encoding {
        Encoding {
            budget: budget.clone(),
            blaster: Blaster::new(),
            encoder: Encoder::new(),
            sat: Sat::new(budget, false, false, 0),
            seed: 0,
            enumerates: false,
            asserted: Asserted::default(),
            stopped: None,
            theories: Theories::default(),
            arrays: BitArrays::default(),
            frozen: FxHashSet::default(),
            proxies: FxHashMap::default(),
        }
    }

    pub(crate) fn literal(&mut self, lit: Lit) -> SatLit {
        self.encoder.literal(&self.blaster.circuit, &mut self.sat, lit)
    }

    /// Completes the clauses of the literals in use.
    pub(crate) fn flush(&mut self) -> Result<(), Stop> {
        self.encoder.flush(&self.blaster.circuit, &mut self.sat, &self.budget)
    }

    /// A literal equal to `lit` that is never eliminated.
    pub(crate) fn proxy(&mut self, lit: SatLit) -> SatLit {
        let variable = lit.abs();
        let proxy = match self.proxies.get(&variable) {
            Some(&proxy) => proxy,
            None => {
                let proxy = self.sat.fresh();
                self.sat.freeze(proxy);
                self.encoder.add(&mut self.sat, &[-proxy, variable]);
                self.encoder.add(&mut self.sat, &[proxy, -variable]);
                self.proxies.insert(variable, proxy);
                proxy
            }
        };
        if lit > 0 { proxy } else { -proxy }
    }
}
