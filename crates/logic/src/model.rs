//! Models: values of variables and tables of functions.

use crate::op::FunctionId;
use crate::store::Term;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Values of variables and functions; what has none has [`Terms::default_value`](crate::Terms::default_value) of its
/// sort.
#[derive(Clone, Default, Debug)]
pub struct Model {
    values: FxHashMap<Term, Value>,
    functions: FxHashMap<FunctionId, FunctionTable>,
}

impl Model {
    /// A model in which every variable has its default value.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives variable `var` the value `value`.
    pub fn set(&mut self, var: Term, value: Value) {
        self.values.insert(var, value);
    }

    /// The value given to `var`, if one was.
    pub fn get(&self, var: Term) -> Option<&Value> {
        self.values.get(&var)
    }

    /// The variables that were given a value, with it.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &Value)> + '_ {
        self.values.iter().map(|(&var, value)| (var, value))
    }

    /// Gives function `f` its values.
    pub fn set_function(&mut self, f: FunctionId, table: FunctionTable) {
        self.functions.insert(f, table);
    }

    /// The values given to function `f`, if any were.
    pub fn function(&self, f: FunctionId) -> Option<&FunctionTable> {
        self.functions.get(&f)
    }

    /// The functions that were given values, with them.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, &FunctionTable)> + '_ {
        self.functions.iter().map(|(&f, table)| (f, table))
    }
}

impl FromIterator<(Term, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (Term, Value)>>(pairs: I) -> Model {
        Model { values: pairs.into_iter().collect(), functions: FxHashMap::default() }
    }
}

/// The values of a function: one for each of finitely many tuples of arguments, and one for all others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionTable {
    default: Value,
    entries: BTreeMap<Vec<Value>, Value>,
}

impl FunctionTable {
    /// The function that is `default` everywhere.
    pub fn new(default: Value) -> FunctionTable {
        FunctionTable { default, entries: BTreeMap::new() }
    }

    /// Gives the function another value at `args`.
    pub fn set(&mut self, args: Vec<Value>, value: Value) {
        self.entries.insert(args, value);
    }

    /// The value at `args`.
    pub fn get(&self, args: &[Value]) -> &Value {
        self.entries.get(args).unwrap_or(&self.default)
    }

    /// The value where no other was given.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The arguments at which a value was given, with it.
    pub fn entries(&self) -> impl Iterator<Item = (&[Value], &Value)> {
        self.entries.iter().map(|(args, value)| (args.as_slice(), value))
    }
}
