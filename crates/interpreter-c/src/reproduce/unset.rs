//! Where an execution of the automaton reads what was never set.

use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Bits, Model, Op, Term, Terms, Value};
use tamis_program::{Command, Havoc, Program, Var};

/// A read of something that was never set.
#[derive(Clone, Debug)]
pub(super) struct UnsetRead {
    pub name: String,
    pub value: Bits,
}

/// What is known of the elements of an array: all are set but for the exceptions, or the other way round.
#[derive(Clone, Debug)]
struct Elements {
    set: bool,
    exceptions: FxHashSet<Bits>,
}

/// A state, and what in it was never set.
pub(super) struct Shadow<'a> {
    terms: &'a Terms,
    program: &'a Program,
    pub state: Model,
    scalars: FxHashSet<Var>,
    arrays: FxHashMap<Var, Elements>,
}

impl<'a> Shadow<'a> {
    /// At the start nothing is set.
    pub fn new(terms: &'a Terms, program: &'a Program, initial: &Model) -> Shadow<'a> {
        let mut shadow = Shadow {
            terms,
            program,
            state: initial.clone(),
            scalars: FxHashSet::default(),
            arrays: FxHashMap::default(),
        };
        program.vars().for_each(|v| shadow.unset(v));
        shadow
    }

    fn unset(&mut self, v: Var) {
        match self.program.variable(v).ty.int() {
            Some(_) => {
                self.scalars.insert(v);
            }
            None => {
                self.arrays.insert(v, Elements { set: false, exceptions: FxHashSet::default() });
            }
        }
    }

    /// Executes a command, whose `havoc` has `chosen` a value, and gives what it read that was never set.
    pub fn execute(&mut self, command: &Command, chosen: Option<&Value>) -> Vec<UnsetRead> {
        let mut reads = Vec::new();
        match command {
            Command::Assume(guard) => self.reads(*guard, &mut reads),
            Command::Havoc(v, why) => {
                // What another translation unit defines is set there, if at all.
                let elsewhere = matches!(why, Havoc::Input(name) if *name == self.program.variable(*v).name);
                if matches!(why, Havoc::Uninitialised) || elsewhere {
                    self.unset(*v);
                } else {
                    self.set(*v);
                }
                if let Some(value) = chosen {
                    self.state.set(self.program.term(*v), value.clone());
                }
            }
            Command::Assign(v, term) => {
                self.reads(*term, &mut reads);
                match self.arrays.contains_key(v) {
                    true => self.assign_array(*v, *term),
                    false => {
                        // A copy of what was never set is not set either, unless a variable of the user has it.
                        let variable = self.program.variable(*v);
                        let copied = (variable.temporary || variable.frame.is_none()) && self.is_unset(*term);
                        if copied { self.unset(*v) } else { self.set(*v) }
                    }
                }
                let value = self.terms.eval(*term, &self.state);
                self.state.set(self.program.term(*v), value);
            }
        }
        reads
    }

    fn set(&mut self, v: Var) {
        self.scalars.remove(&v);
        if let Some(elements) = self.arrays.get_mut(&v) {
            *elements = Elements { set: true, exceptions: FxHashSet::default() };
        }
    }

    /// What is known of an array's elements after an assignment.
    fn assign_array(&mut self, v: Var, term: Term) {
        let elements = self.elements(term);
        self.arrays.insert(v, elements);
    }

    fn elements(&self, term: Term) -> Elements {
        let mut stores = Vec::new();
        let mut at = term;
        let mut elements = loop {
            let args = self.terms.args(at);
            match self.terms.op(at) {
                Op::Store => {
                    stores.push((args[1], args[2]));
                    at = args[0];
                }
                Op::Ite => at = args[if self.terms.eval(args[0], &self.state).as_bool() { 1 } else { 2 }],
                _ => {
                    let known = self.program.var_of(at).and_then(|v| self.arrays.get(&v));
                    break known.cloned().unwrap_or(Elements { set: true, exceptions: FxHashSet::default() });
                }
            }
        };
        for (index, value) in stores.into_iter().rev() {
            let index = self.terms.eval(index, &self.state).as_bits().clone();
            if self.is_unset(value) == elements.set {
                elements.exceptions.insert(index);
            } else {
                elements.exceptions.remove(&index);
            }
        }
        elements
    }

    /// Whether a term is nothing but the value of something that was never set.
    fn is_unset(&self, term: Term) -> bool {
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::Select => self.is_unset_element(args[0], args[1]).is_some(),
            Op::Ite => {
                self.is_unset(args[if self.terms.eval(args[0], &self.state).as_bool() { 1 } else { 2 }])
            }
            _ => self.program.var_of(term).is_some_and(|v| self.scalars.contains(&v)),
        }
    }

    /// The array whose element is read, if that was never set.
    fn is_unset_element(&self, array: Term, index: Term) -> Option<Var> {
        let index = self.terms.eval(index, &self.state).as_bits().clone();
        let mut at = array;
        loop {
            let args = self.terms.args(at);
            match self.terms.op(at) {
                Op::Store if *self.terms.eval(args[1], &self.state).as_bits() == index => return None,
                Op::Store => at = args[0],
                Op::Ite => at = args[if self.terms.eval(args[0], &self.state).as_bool() { 1 } else { 2 }],
                _ => {
                    let v = self.program.var_of(at)?;
                    let elements = self.arrays.get(&v)?;
                    return (elements.set == elements.exceptions.contains(&index)).then_some(v);
                }
            }
        }
    }

    /// What the value of a term depends on that was never set, from left to right.
    fn reads(&self, root: Term, out: &mut Vec<UnsetRead>) {
        let mut seen = FxHashSet::default();
        let mut work = vec![root];
        while let Some(t) = work.pop() {
            if !seen.insert(t) {
                continue;
            }
            let args = self.terms.args(t);
            match self.terms.op(t) {
                Op::Ite => {
                    work.push(args[if self.terms.eval(args[0], &self.state).as_bool() { 1 } else { 2 }]);
                    work.push(args[0]);
                }
                Op::Select => {
                    if let Some(v) = self.is_unset_element(args[0], args[1]) {
                        self.report(v, t, out);
                    }
                    work.push(args[1]);
                }
                Op::Store => work.extend([args[2], args[1]]),
                _ => match self.program.var_of(t) {
                    Some(v) if self.scalars.contains(&v) => self.report(v, t, out),
                    _ => work.extend(args.iter().rev()),
                },
            }
        }
    }

    fn report(&self, v: Var, term: Term, out: &mut Vec<UnsetRead>) {
        if let Value::Bits(value) = self.terms.eval(term, &self.state) {
            out.push(UnsetRead { name: self.program.variable(v).name.clone(), value });
        }
    }
}
