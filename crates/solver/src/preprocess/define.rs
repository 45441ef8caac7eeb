//! What a fact says about a variable: solved forms.

use super::Preprocessor;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Op, Sort, Term, Terms};

fn is_free(terms: &Terms, used: &FxHashSet<Term>, defined: &FxHashMap<Term, Term>, t: Term) -> bool {
    let sort = matches!(terms.sort(t), Sort::Bool | Sort::BitVec(_) | Sort::Array(_));
    sort && terms.is_var(t) && !used.contains(&t) && !defined.contains_key(&t)
}

impl Preprocessor {
    /// Whether a term is a variable that may be replaced. Numbers are left to arithmetic, which eliminates by itself.
    pub(super) fn is_free(&self, t: Term) -> bool {
        is_free(&self.terms, &self.used, &self.definitions, t)
    }

    /// A variable and the term that a fact says it is. The term may have the variable in it.
    pub(super) fn solved(&mut self, fact: Term) -> Option<(Term, Term)> {
        if self.terms.args(fact).first().is_some_and(|&a| self.terms.sort(a).is_arithmetic()) {
            return None;
        }
        let Preprocessor { terms, used, definitions, .. } = self;
        let (found, value) = terms.solve(fact, |terms, t| {
            let part = matches!(terms.op(t), Op::Extract { .. });
            is_free(terms, used, definitions, if part { terms.args(t)[0] } else { t })
        })?;
        match self.terms.op(found) {
            Op::Extract { high, low } => {
                let x = self.terms.args(found)[0];
                Some((x, self.around(x, high, low, value)))
            }
            _ => Some((found, value)),
        }
    }

    /// `x` whose bits `high` to `low` are `slice`: what is around them gets new variables.
    fn around(&mut self, x: Term, high: u32, low: u32, slice: Term) -> Term {
        let width = self.terms.width(x);
        let mut whole = slice;
        if low > 0 {
            let below = self.hidden(Sort::BitVec(low));
            whole = self.terms.concat(whole, below);
        }
        if high + 1 < width {
            let above = self.hidden(Sort::BitVec(width - 1 - high));
            whole = self.terms.concat(above, whole);
        }
        whole
    }
}
