//! Two variables per inequality: the logic that \[SUM\] section 5 restricts its queries to.

use super::LinearReading;
use rustc_hash::FxHashMap;
use tamis_logic::{Op, Sort, Term, Terms};

/// Over-approximates linear formulas by such with at most two variables per inequality: a comparison of more becomes
/// arbitrary, the same comparison always the same.
///
/// ```
/// use tamis_logic::{Sort, Terms};
/// use tamis_paq::TwoVariables;
/// let mut terms = Terms::new();
/// let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::Int));
/// let sum = terms.plus(&[y, z]);
/// let (two, three) = (terms.le(x, y), terms.le(x, sum));
/// let mut restriction = TwoVariables::new();
/// assert_eq!(restriction.formula(&mut terms, two), two);
/// assert_ne!(restriction.formula(&mut terms, three), three);
/// assert!(!restriction.is_exact());
/// ```
#[derive(Debug, Default)]
pub struct TwoVariables {
    arbitrary: FxHashMap<Term, Term>,
}

impl TwoVariables {
    /// A restriction of nothing yet.
    pub fn new() -> TwoVariables {
        TwoVariables::default()
    }

    /// Whether all formulas so far were within the restriction.
    pub fn is_exact(&self) -> bool {
        self.arbitrary.is_empty()
    }

    /// Whether a formula of bit-vectors is read as one within the restriction.
    pub fn takes(terms: &mut Terms, formula: Term) -> bool {
        let (mut reading, mut restriction) = (LinearReading::new(), TwoVariables::new());
        let read = reading.formula(terms, formula);
        for part in reading.take_constraints().into_iter().chain([read]) {
            restriction.formula(terms, part);
        }
        reading.is_exact() && restriction.is_exact()
    }

    /// The formula, or what it implies within the restriction.
    pub fn formula(&mut self, terms: &mut Terms, formula: Term) -> Term {
        let mut replaced = FxHashMap::default();
        for atom in terms.atoms(formula) {
            if is_linear(terms, atom) && variables(terms, atom) <= 2 {
                continue;
            }
            let any = *self.arbitrary.entry(atom).or_insert_with(|| terms.fresh("any", Sort::Bool));
            replaced.insert(atom, any);
        }
        if replaced.is_empty() { formula } else { self.replace(terms, formula, &replaced) }
    }

    fn replace(&self, terms: &mut Terms, formula: Term, atoms: &FxHashMap<Term, Term>) -> Term {
        let mut done = atoms.clone();
        for t in terms.post_order_until(&[formula], |t| !terms.is_connective(t)) {
            if done.contains_key(&t) {
                continue;
            }
            let args: Vec<Term> = terms.args(t).iter().map(|a| *done.get(a).unwrap_or(a)).collect();
            let new = match terms.op(t) {
                Op::Not => terms.not(args[0]),
                Op::And => terms.and(&args),
                Op::Or => terms.or(&args),
                Op::Ite if terms.is_connective(t) => terms.ite(args[0], args[1], args[2]),
                Op::Eq if terms.is_connective(t) => terms.eq(args[0], args[1]),
                _ => t,
            };
            done.insert(t, new);
        }
        done[&formula]
    }
}

/// Whether an atom is a Boolean variable or a comparison of sums.
fn is_linear(terms: &Terms, atom: Term) -> bool {
    match terms.op(atom) {
        Op::Var(_) => true,
        Op::Le | Op::Eq => terms.post_order(&[atom]).into_iter().all(|t| match terms.op(t) {
            Op::Var(_) | Op::Const(_) | Op::Plus | Op::Le | Op::Eq => true,
            Op::Times => terms.args(t).len() == 2 && terms.is_constant(terms.args(t)[0]),
            _ => false,
        }),
        _ => false,
    }
}

fn variables(terms: &Terms, atom: Term) -> usize {
    terms.free_vars(atom).len()
}
