//! A query over integers, with at most two variables per inequality.

use std::fmt::Write;
use tamis_logic::{Term, Terms};
use tamis_paq::{LinearReading, TwoVariables};
use tamis_program::EdgeQuery;

/// How large a query is.
pub struct Measures {
    pub predicates: usize,
    pub locations: usize,
}

/// `∃V, V', V_ℓ. A ∧ CFG ∧ Src ∧ Dst`, conjunct by conjunct.
pub struct Query {
    conjuncts: Vec<Term>,
    predicates: Vec<Term>,
    pub measures: Measures,
}

impl Query {
    /// The reading of a query over bit-vectors. Predicates whose reading is arbitrary are left out, and so are such
    /// that another one says already.
    pub fn new(terms: &mut Terms, query: &EdgeQuery) -> Query {
        let mut over =
            Over { reading: LinearReading::new(), restriction: TwoVariables::new(), conjuncts: Vec::new() };
        let parts = if terms.op(query.a) == tamis_logic::Op::And {
            terms.args(query.a).to_vec()
        } else {
            vec![query.a]
        };
        for part in parts {
            over.add(terms, part);
        }
        for &(_, r) in &query.r {
            over.add(terms, r);
        }
        over.add(terms, query.r_hat);
        if let Some(&(_, end)) = query.b.last() {
            over.add(terms, end);
        }
        let mut predicates = Vec::new();
        for pairs in [&query.src, &query.dst] {
            let mut said: Vec<Term> = Vec::new();
            for &(b, p) in pairs {
                let read = over.read(terms, p);
                let otherwise = terms.not(read);
                if terms.is_constant(read) || said.contains(&read) || said.contains(&otherwise) {
                    continue;
                }
                said.push(read);
                over.conjuncts.push(terms.eq(b, read));
                predicates.push(b);
            }
        }
        let measures = Measures { predicates: predicates.len(), locations: query.b.len() };
        let tru = terms.tru();
        let mut conjuncts = over.conjuncts;
        conjuncts.retain(|&c| c != tru);
        Query { conjuncts, predicates, measures }
    }

    /// The query as a script.
    pub fn text(&self, terms: &Terms) -> String {
        let mut text = String::from("(set-logic QF_LIA)\n");
        let roots: Vec<Term> = self.conjuncts.iter().chain(&self.predicates).copied().collect();
        text.push_str(&terms.declarations(&roots));
        for &c in &self.conjuncts {
            let _ = writeln!(text, "(assert {})", terms.to_smtlib(c));
        }
        let names: Vec<String> = self.predicates.iter().map(|&p| terms.to_smtlib(p)).collect();
        let _ = writeln!(text, "(check-allsat ({}))", names.join(" "));
        text
    }
}

/// What over-approximates the query so far.
struct Over {
    reading: LinearReading,
    restriction: TwoVariables,
    conjuncts: Vec<Term>,
}

impl Over {
    fn add(&mut self, terms: &mut Terms, formula: Term) {
        let read = self.read(terms, formula);
        self.conjuncts.push(read);
    }

    /// The reading of a formula; what has to hold beside it becomes conjuncts.
    fn read(&mut self, terms: &mut Terms, formula: Term) -> Term {
        let read = self.reading.formula(terms, formula);
        for constraint in self.reading.take_constraints() {
            let constraint = self.restriction.formula(terms, constraint);
            self.conjuncts.push(constraint);
        }
        self.restriction.formula(terms, read)
    }
}
