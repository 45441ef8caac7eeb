//! A query over integers, with at most two variables per inequality.

use std::collections::HashMap;
use std::fmt::Write;
use tamis_logic::{Sort, Term, Terms};
use tamis_paq::{LinearReading, TwoVariables};
use tamis_program::Block;

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
    /// The reading of a block's formula and of predicates before and after it, over bit-vectors. Predicates whose
    /// reading is arbitrary are left out, and so are such that another one says already.
    pub fn new(terms: &mut Terms, block: &Block, formula: &[Term], sides: [&[Term]; 2]) -> Query {
        let mut over =
            Over { reading: LinearReading::new(), restriction: TwoVariables::new(), conjuncts: Vec::new() };
        for &part in formula {
            over.add(terms, part);
        }
        let mut predicates = Vec::new();
        for side in sides {
            let mut said: Vec<Term> = Vec::new();
            for &p in side {
                let read = over.read(terms, p);
                let otherwise = terms.not(read);
                if terms.is_constant(read) || said.contains(&read) || said.contains(&otherwise) {
                    continue;
                }
                said.push(read);
                let b = terms.fresh("b", Sort::Bool);
                over.conjuncts.push(terms.eq(b, read));
                predicates.push(b);
            }
        }
        let measures = Measures { predicates: predicates.len(), locations: block.inner.len() + 2 };
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

/// A script with its variables numbered in the order of their declarations.
pub fn without_names(script: &str) -> String {
    const DECLARE: &str = "(declare-const ";
    let declared = script.lines().filter_map(|line| line.strip_prefix(DECLARE)?.split(' ').next());
    let numbers: HashMap<&str, usize> = declared.enumerate().map(|(number, name)| (name, number)).collect();
    let words = script.split_inclusive([' ', '(', ')', '\n']).map(|word| {
        let name = word.trim_end_matches([' ', '(', ')', '\n']);
        match numbers.get(name) {
            Some(number) => format!("!{number}{}", &word[name.len()..]),
            None => word.to_owned(),
        }
    });
    words.collect()
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

#[cfg(test)]
mod tests {
    use super::without_names;

    #[test]
    fn names_do_not_matter_and_places_do() {
        let script = |x: &str, y: &str| {
            format!("(declare-const {x} Int)\n(declare-const {y} Int)\n(assert (<= {x} (+ {y} 1)))\n")
        };
        let swapped = "(declare-const x Int)\n(declare-const y Int)\n(assert (<= y (+ x 1)))\n";
        assert_eq!(without_names(&script("x", "y")), without_names(&script("i.6!12", "x")));
        assert_ne!(without_names(&script("x", "y")), without_names(swapped));
    }
}
