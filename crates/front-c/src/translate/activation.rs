//! The functions that are being expanded, one in the other.

use super::Want;
use super::graph::Node;
use crate::memory::Thing;
use crate::tree::{CaseId, FunctionId, LabelId, ObjectId};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::Term;
use tamis_program::{FrameId, Var};

/// What is known of an activation while its body is translated.
pub(super) struct Activation {
    pub(super) function: FunctionId,
    pub(super) frame: FrameId,
    pub(super) locals: FxHashMap<ObjectId, Var>,
    /// The values of variables that have a constant value all the time.
    pub(super) constants: FxHashMap<ObjectId, Term>,
    /// The arguments, where they are constant.
    pub(super) args: Vec<Option<Term>>,
    /// Where its objects in memory are.
    pub(super) bases: FxHashMap<Thing, u64>,
    /// What it took from the stack beside its variables, by places among blocks.
    pub(super) areas: Vec<usize>,
    /// The areas of its arrays of variable length.
    pub(super) arrays: FxHashMap<ObjectId, usize>,
    /// Its compound literals.
    pub(super) compounds: Vec<ObjectId>,
    /// How many loops are open.
    pub(super) loops: u32,
    /// Whether a label has been passed.
    pub(super) labelled: bool,
    pub(super) labels: FxHashMap<LabelId, Node>,
    pub(super) cases: FxHashMap<CaseId, Node>,
    pub(super) defaults: Vec<Node>,
    pub(super) breaks: Vec<Node>,
    pub(super) continues: Vec<Node>,
    /// Where a `return` goes; `None` in `main`, where it ends the execution.
    pub(super) exit: Option<Node>,
    pub(super) want: Want,
}

impl Activation {
    pub(super) fn new(function: FunctionId, frame: FrameId, exit: Option<Node>, want: Want) -> Activation {
        Activation {
            function,
            frame,
            locals: FxHashMap::default(),
            constants: FxHashMap::default(),
            args: Vec::new(),
            bases: FxHashMap::default(),
            areas: Vec::new(),
            arrays: FxHashMap::default(),
            compounds: Vec::new(),
            loops: 0,
            labelled: false,
            labels: FxHashMap::default(),
            cases: FxHashMap::default(),
            defaults: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            exit,
            want,
        }
    }
}

/// The activations from that of `main` to the one whose body is translated.
pub(super) struct Activations {
    stack: Vec<Activation>,
}

impl Activations {
    pub(super) fn new(main: Activation) -> Activations {
        Activations { stack: vec![main] }
    }

    pub(super) fn push(&mut self, called: Activation) {
        self.stack.push(called);
    }

    pub(super) fn pop(&mut self) {
        self.stack.pop();
    }

    pub(super) fn current(&mut self) -> &mut Activation {
        self.stack.last_mut().unwrap_or_else(|| unreachable!("`main` is never left"))
    }

    pub(super) fn frame(&self) -> FrameId {
        self.stack.last().unwrap_or_else(|| unreachable!("`main` is never left")).frame
    }

    /// The frame of `main`.
    pub(super) fn outermost(&self) -> FrameId {
        self.stack[0].frame
    }

    /// Whether what is translated now may be executed more than once.
    pub(super) fn in_loop(&self) -> bool {
        self.stack.iter().any(|a| a.loops > 0 || a.labelled)
    }

    /// Whether what is translated now may be executed more than once in the current activation.
    pub(super) fn repeats_here(&self) -> bool {
        self.stack.last().is_some_and(|a| a.loops > 0 || a.labelled)
    }

    /// Whether a function is being expanded within itself.
    pub(super) fn is_nested(&self, function: FunctionId) -> bool {
        self.stack.iter().filter(|a| a.function == function).count() > 1
    }

    /// Whether a function is being expanded.
    pub(super) fn contains(&self, function: FunctionId) -> bool {
        self.stack.iter().any(|a| a.function == function)
    }

    /// How many functions of a cycle of calls are being expanded.
    pub(super) fn depth_in(&self, cycle: &FxHashSet<FunctionId>) -> usize {
        self.stack.iter().filter(|a| cycle.contains(&a.function)).count()
    }

    /// Whether a function is being expanded that was given the same constants.
    pub(super) fn repeats(&self, function: FunctionId, args: &[Option<Term>]) -> bool {
        self.stack.iter().any(|a| a.function == function && a.args == args)
    }

    /// What all activations took from the stack beside their variables.
    pub(super) fn areas(&self) -> impl Iterator<Item = usize> {
        self.stack.iter().flat_map(|a| a.areas.iter().copied())
    }

    /// The variables of all activations.
    pub(super) fn locals(&self) -> impl Iterator<Item = (ObjectId, Var)> {
        self.stack.iter().flat_map(|a| a.locals.iter().map(|(&object, &var)| (object, var)))
    }

    /// The addresses of the objects of all activations.
    pub(super) fn bases(&self) -> impl Iterator<Item = u64> {
        self.stack.iter().flat_map(|a| a.bases.values().copied())
    }
}
