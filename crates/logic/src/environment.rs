//! Values of variables, as execution goes on: cheap to copy, to change and to join.

use crate::cells::Cells;
use crate::op::Op;
use crate::path::Path;
use crate::persistent::PersistentMap;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use rustc_hash::FxHashMap;

/// A term for the value of each variable; one that has none stands for itself.
///
/// ```
/// use tamis_logic::{Environment, Path, Sort, Terms};
/// let (mut t, path) = (Terms::new(), Path::default());
/// let (x, c) = (t.var("x", Sort::BitVec(8)), t.var("c", Sort::Bool));
/// let (one, five) = (t.bits(8, 1), t.bits(8, 5));
/// let more = t.add(x, one);
/// let mut first = Environment::default();
/// first.assign(&mut t, &path, x, five);
/// let mut second = first.clone();
/// second.assign(&mut t, &path, x, more);
/// let joined = Environment::choose(&mut t, c, &first, &second);
/// let six = t.bits(8, 6);
/// assert_eq!(joined.read(&mut t, &path, x), t.ite(c, five, six));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// By the index of the variable.
    values: PersistentMap<Value>,
}

#[derive(Clone, Debug)]
enum Value {
    Term(Term),
    Array(Cells),
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Term(a), Value::Term(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => a.is_same(b),
            _ => false,
        }
    }
}

fn key(var: Term) -> u64 {
    var.index() as u64
}

impl Environment {
    /// `var := value` on a path, the value being over the variables as they are before.
    pub fn assign(&mut self, terms: &mut Terms, on: &Path, var: Term, value: Term) {
        let value = self.evaluate(terms, on, value, &mut |_, _| {});
        self.values.insert(key(var), value);
    }

    /// The value of a term on a path.
    pub fn read(&self, terms: &mut Terms, on: &Path, t: Term) -> Term {
        self.evaluate(terms, on, t, &mut |_, _| {}).term(terms)
    }

    /// What variables and elements of arrays in a term are on a path, where that is a choice among few constants.
    pub(crate) fn choices(&self, terms: &mut Terms, on: &Path, t: Term) -> Vec<Term> {
        let mut found = Vec::new();
        self.evaluate(terms, on, t, &mut |terms, value| {
            if terms.ends(value).is_some() && !found.contains(&value) {
                found.push(value);
            }
        });
        found
    }

    /// The values that are those of one environment if a condition holds, and else those of another.
    pub fn choose(terms: &mut Terms, condition: Term, one: &Environment, other: &Environment) -> Environment {
        let values = one.values.merge(&other.values, &mut |key, a, b| {
            let var = Term(key as u32);
            match (a, b) {
                (Some(Value::Term(a)), Some(Value::Term(b))) => Value::Term(terms.choose(condition, *a, *b)),
                _ => {
                    let own = Value::of(terms, var);
                    let (a, b) = (a.unwrap_or(&own).clone(), b.unwrap_or(&own).clone());
                    Value::choose(terms, condition, a, b)
                }
            }
        });
        Environment { values }
    }

    fn variable(&self, terms: &Terms, var: Term) -> Value {
        self.values.get(key(var)).cloned().unwrap_or_else(|| Value::of(terms, var))
    }

    /// The value of a term; `see` is told what its variables and elements of arrays are.
    fn evaluate(&self, terms: &mut Terms, on: &Path, t: Term, see: &mut dyn FnMut(&Terms, Term)) -> Value {
        let mut narrowed = |terms: &mut Terms, value: Value| match value {
            Value::Term(value) => {
                let value = on.narrowed(terms, value);
                see(terms, value);
                Value::Term(value)
            }
            array => array,
        };
        if terms.is_constant(t) {
            return Value::Term(t);
        }
        if terms.is_var(t) {
            let value = self.variable(terms, t);
            return narrowed(terms, value);
        }
        let mut done: FxHashMap<Term, Value> = FxHashMap::default();
        for part in terms.post_order(&[t]) {
            let value = if terms.is_constant(part) {
                Value::Term(part)
            } else if terms.is_var(part) {
                let value = self.variable(terms, part);
                narrowed(terms, value)
            } else {
                let args: Vec<Value> = terms.args(part).iter().map(|a| done[a].clone()).collect();
                let value = Value::apply(terms, part, args);
                if terms.op(part) == Op::Select { narrowed(terms, value) } else { value }
            };
            done.insert(part, value);
        }
        done.remove(&t).expect("the term itself comes last")
    }
}

impl Value {
    fn of(terms: &Terms, t: Term) -> Value {
        match terms.sort(t) {
            Sort::Array(_) => Value::Array(Cells::of(terms, t)),
            _ => Value::Term(t),
        }
    }

    fn term(self, terms: &mut Terms) -> Term {
        match self {
            Value::Term(t) => t,
            Value::Array(cells) => cells.term(terms),
        }
    }

    fn choose(terms: &mut Terms, condition: Term, one: Value, other: Value) -> Value {
        match (one, other) {
            (Value::Array(a), Value::Array(b)) => Value::Array(Cells::choose(terms, condition, &a, &b)),
            (one, other) => {
                let (a, b) = (one.term(terms), other.term(terms));
                Value::Term(terms.choose(condition, a, b))
            }
        }
    }

    /// The value of a term with these values of its arguments.
    fn apply(terms: &mut Terms, like: Term, mut args: Vec<Value>) -> Value {
        match (terms.op(like), &mut args[..]) {
            (Op::Select, [Value::Array(array), Value::Term(index)]) => {
                let element = array.select(terms, *index);
                Value::of(terms, element)
            }
            (Op::Store, [Value::Array(array), Value::Term(index), element]) => {
                let element = element.clone().term(terms);
                array.store(terms, *index, element);
                Value::Array(array.clone())
            }
            (Op::Ite, [Value::Term(condition), a @ Value::Array(_), b @ Value::Array(_)]) => {
                if terms.is_constant(*condition) {
                    return if terms.is_true(*condition) { a.clone() } else { b.clone() };
                }
                Value::choose(terms, *condition, a.clone(), b.clone())
            }
            _ => {
                let args: Vec<Term> = args.into_iter().map(|a| a.term(terms)).collect();
                let built = terms.rebuild_over_choices(like, &args);
                Value::of(terms, built)
            }
        }
    }
}
