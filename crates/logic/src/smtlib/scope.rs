//! What names mean, level by level.

use super::operators::operator;
use super::sorts::SortDefinition;
use crate::op::FunctionId;
use crate::store::Term;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a symbol stands for.
#[derive(Clone)]
pub(crate) enum Binding {
    /// A declared constant, a definition without parameters, a named term, or what `let` bound.
    Term(Term),
    Function(FunctionId),
    Macro(Rc<Macro>),
}

/// A definition with parameters.
pub(crate) struct Macro {
    /// The parameters, as variables that occur nowhere else.
    pub params: Vec<Term>,
    pub body: Term,
    /// The number of terms in the body.
    pub size: usize,
}

/// Symbols and sorts in scope, with what they hid.
#[derive(Default)]
pub(crate) struct Scopes {
    /// By the bytes of their names.
    symbols: FxHashMap<Rc<[u8]>, Binding>,
    sorts: FxHashMap<Rc<str>, Rc<SortDefinition>>,
    /// What to undo, the latest last.
    log: Vec<Undo>,
    /// The length of the log at each `push`.
    levels: Vec<usize>,
    /// How often symbols have changed their meaning.
    generation: u64,
}

enum Undo {
    Symbol(Rc<[u8]>, Option<Binding>),
    Sort(Rc<str>, Option<Rc<SortDefinition>>),
}

impl Scopes {
    /// A number that is another one as soon as symbols mean something else.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Something changes what texts mean.
    pub fn change(&mut self) {
        self.generation += 1;
    }

    pub fn symbol(&self, name: &str) -> Option<&Binding> {
        self.symbol_of(name.as_bytes())
    }

    /// The same, for a name as it stands in a script.
    pub fn symbol_of(&self, name: &[u8]) -> Option<&Binding> {
        self.symbols.get(name)
    }

    pub fn sort(&self, name: &str) -> Option<&Rc<SortDefinition>> {
        self.sorts.get(name)
    }

    /// Binds a symbol, until the level ends.
    pub fn bind(&mut self, name: &str, binding: Binding) {
        let key: Rc<[u8]> = name.as_bytes().into();
        let hidden = self.symbols.insert(key.clone(), binding);
        self.bound(name, hidden.is_some());
        self.log.push(Undo::Symbol(key, hidden));
    }

    /// Binds a symbol, for good.
    pub fn bind_globally(&mut self, name: &str, binding: Binding) {
        let hidden = self.symbols.insert(name.as_bytes().into(), binding);
        self.bound(name, hidden.is_some());
    }

    /// A symbol that meant nothing before is in no text that could be read.
    fn bound(&mut self, name: &str, hides: bool) {
        if hides || matches!(name, "true" | "false") || operator(name).is_some() {
            self.change();
        }
    }

    /// Binds a sort, for good if `global`, or else until the level ends.
    pub fn bind_sort(&mut self, name: &str, definition: SortDefinition, global: bool) {
        self.change();
        let name: Rc<str> = name.into();
        let hidden = self.sorts.insert(name.clone(), Rc::new(definition));
        if !global {
            self.log.push(Undo::Sort(name, hidden));
        }
    }

    /// The state to which [`undo`](Scopes::undo) goes back.
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    pub fn undo(&mut self, mark: usize) {
        while self.log.len() > mark {
            self.generation += 1;
            match self.log.pop() {
                Some(Undo::Symbol(name, Some(hidden))) => drop(self.symbols.insert(name, hidden)),
                Some(Undo::Symbol(name, None)) => drop(self.symbols.remove(&name)),
                Some(Undo::Sort(name, Some(hidden))) => drop(self.sorts.insert(name, hidden)),
                Some(Undo::Sort(name, None)) => drop(self.sorts.remove(&name)),
                None => {}
            }
        }
    }

    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    pub fn push(&mut self, levels: usize) {
        self.levels.extend(std::iter::repeat_n(self.log.len(), levels));
    }

    /// Closes levels; there are as many.
    pub fn pop(&mut self, levels: usize) {
        let kept = self.levels.len().saturating_sub(levels);
        if let Some(&mark) = self.levels.get(kept) {
            self.undo(mark);
            self.levels.truncate(kept);
        }
    }

    /// Closes all levels, and forgets everything unless `keep_symbols`.
    pub fn reset(&mut self, keep_symbols: bool) {
        self.pop(self.levels.len());
        if !keep_symbols {
            *self = Scopes { generation: self.generation + 1, ..Scopes::default() };
        }
    }
}
