//! Variables and functions.

use crate::op::{FunctionId, Op, Symbol};
use crate::sort::Sort;
use crate::store::{Term, Terms};
use rustc_hash::FxHashMap;

/// Names and signatures.
#[derive(Clone, Default)]
pub(crate) struct Symbols {
    vars: Vec<Variable>,
    /// The variables of each name: more than one only if they differ in sort.
    by_name: FxHashMap<String, Vec<Symbol>>,
    functions: Vec<Function>,
    function_ids: FxHashMap<String, Vec<FunctionId>>,
    fresh: u64,
}

#[derive(Clone)]
struct Variable {
    name: String,
    sort: Sort,
    term: Term,
}

#[derive(Clone)]
struct Function {
    name: String,
    args: Vec<Sort>,
    result: Sort,
}

impl Symbols {
    /// Whether a variable or a function has this name.
    pub fn is_used(&self, name: &str) -> bool {
        self.by_name.contains_key(name) || self.function_ids.contains_key(name)
    }
}

impl Terms {
    /// The variable called `name`, found or made.
    ///
    /// # Panics
    /// If a variable of that name exists with another sort: see [`var_at`](Terms::var_at).
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        if let Some(found) = self.symbols.by_name.get(name) {
            let first = &self.symbols.vars[found[0].0 as usize];
            assert_eq!(first.sort, sort, "variable {name} used at two sorts");
            return first.term;
        }
        self.var_at(name, sort)
    }

    /// The variable called `name` of sort `sort`, found or made, where others of that name may have other sorts: in a
    /// script, a declaration that was popped may come back with another sort.
    pub fn var_at(&mut self, name: &str, sort: Sort) -> Term {
        let symbols = &self.symbols;
        let found = symbols.by_name.get(name).into_iter().flatten();
        if let Some(variable) = found.map(|s| &symbols.vars[s.0 as usize]).find(|v| v.sort == sort) {
            return variable.term;
        }
        let symbol = Symbol(self.symbols.vars.len() as u32);
        let term = self.intern(Op::Var(symbol), sort, &[]);
        self.symbols.vars.push(Variable { name: name.to_owned(), sort, term });
        self.symbols.by_name.entry(name.to_owned()).or_default().push(symbol);
        term
    }

    /// A variable that did not exist before, called after `prefix`.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let name = format!("{prefix}!{}", self.symbols.fresh);
            self.symbols.fresh += 1;
            if !self.symbols.is_used(&name) {
                return self.var(&name, sort);
            }
        }
    }

    /// The name of a variable; `None` if the term is not one, or a variable of another store ([`Terms::adopt`]).
    pub fn var_name(&self, t: Term) -> Option<&str> {
        match self.op(t) {
            Op::Var(symbol) => self.symbols.vars.get(symbol.0 as usize).map(|v| &*v.name),
            _ => None,
        }
    }

    /// Whether the term is a variable.
    pub fn is_var(&self, t: Term) -> bool {
        matches!(self.op(t), Op::Var(_))
    }

    /// The function called `name` with this signature, found or made.
    ///
    /// # Panics
    /// If there are no arguments: a constant is a variable.
    ///
    /// ```
    /// use tamis_logic::{Sort, Terms};
    /// let mut t = Terms::new();
    /// let f = t.declare_function("f", &[Sort::Int], Sort::Int);
    /// let x = t.var("x", Sort::Int);
    /// let fx = t.apply(f, &[x]);
    /// assert_eq!(t.to_smtlib(fx), "(f x)");
    /// ```
    pub fn declare_function(&mut self, name: &str, args: &[Sort], result: Sort) -> FunctionId {
        assert!(!args.is_empty(), "a function without arguments is a variable");
        let symbols = &mut self.symbols;
        let ids = symbols.function_ids.entry(name.to_owned()).or_default();
        let same = |f: &Function| f.args == args && f.result == result;
        if let Some(&found) = ids.iter().find(|id| same(&symbols.functions[id.0 as usize])) {
            return found;
        }
        let id = FunctionId(symbols.functions.len() as u32);
        ids.push(id);
        symbols.functions.push(Function { name: name.to_owned(), args: args.to_vec(), result });
        id
    }

    /// The name of a function. A [division by zero](Terms::division_by_zero) is called after its operator.
    pub fn function_name(&self, f: FunctionId) -> &str {
        match by_zero(f) {
            Some((_, name, _)) => name,
            None => &self.symbols.functions[f.0 as usize].name,
        }
    }

    /// The argument sorts and the result sort of a function.
    pub fn signature(&self, f: FunctionId) -> (&[Sort], Sort) {
        if let Some((_, _, sort)) = by_zero(f) {
            return (std::slice::from_ref(sort), *sort);
        }
        let function = &self.symbols.functions[f.0 as usize];
        (&function.args, function.result)
    }

    /// The function that gives `(div x 0)`, `(mod x 0)` or `(/ x 0)` its value, for [`Op::IntDiv`], [`Op::Mod`] and
    /// [`Op::Divide`].
    ///
    /// SMT-LIB makes these operators total but says nothing about a zero divisor: any function of the dividend will
    /// do. The constructors build a division by the constant 0 as an application of this function, and evaluation asks
    /// the model for it when a divisor turns out to be 0.
    ///
    /// # Panics
    /// For another operator.
    pub fn division_by_zero(&self, op: Op) -> FunctionId {
        find_by_zero(op).expect("a division")
    }

    /// The division whose value for a zero divisor this function is; `None` for a declared function.
    pub fn divides_by_zero(&self, f: FunctionId) -> Option<Op> {
        by_zero(f).map(|(op, _, _)| *op)
    }

    /// Makes the sorts and functions of `other` known here, by the same ids. All that are known here already are of
    /// `other` too.
    pub(crate) fn adopt_symbols(&mut self, other: &Terms) {
        for parts in &other.arrays[self.arrays.len()..] {
            self.array_sort(parts.index, parts.element);
        }
        for name in &other.sorts[self.sorts.len()..] {
            self.declare_sort(name);
        }
        for f in &other.symbols.functions[self.symbols.functions.len()..] {
            self.declare_function(&f.name, &f.args, f.result);
        }
    }
}

/// The functions that give divisions by zero their values: the same ids in every store, from the top.
const BY_ZERO: [(Op, &str, Sort); 3] =
    [(Op::IntDiv, "div", Sort::Int), (Op::Mod, "mod", Sort::Int), (Op::Divide, "/", Sort::Real)];

fn by_zero(f: FunctionId) -> Option<&'static (Op, &'static str, Sort)> {
    BY_ZERO.get((u32::MAX - f.0) as usize)
}

/// The function for a division, `None` for another operator.
pub(crate) fn find_by_zero(op: Op) -> Option<FunctionId> {
    let slot = BY_ZERO.iter().position(|(division, _, _)| *division == op)?;
    Some(FunctionId(u32::MAX - slot as u32))
}
