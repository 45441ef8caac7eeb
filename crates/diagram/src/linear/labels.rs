//! What nodes are labelled with, and in which order.
//!
//! The order is one of *blocks*: a block is a Boolean variable, or a linear form with all the bounds that atoms give
//! it, the strongest first. So atoms of one form are neighbours and each implies those below it.

use super::expression::{Bound, Domain, Form, NumVar};
use rustc_hash::FxHashMap;
use tamis_logic::RBig;

use super::expression::Expression;

/// A label: an atom or a Boolean variable.
pub(super) type Label = u32;
/// A block.
pub(super) type BlockId = u32;

/// What a block is about.
pub(super) enum Subject {
    Bool,
    Form {
        form: Form,
        /// Whether all variables are integers.
        integral: bool,
    },
}

pub(super) struct Block {
    pub subject: Subject,
    /// Ordered by bound.
    pub labels: Vec<Label>,
    /// Where the block stands in the order.
    pub position: u32,
}

/// The labels made so far.
#[derive(Default)]
pub(super) struct Labels {
    pub domains: Vec<Domain>,
    pub blocks: Vec<Block>,
    /// The blocks from the top to the bottom.
    pub order: Vec<BlockId>,
    pub bounds: Vec<Bound>,
    pub block_of: Vec<BlockId>,
    /// The place of each label in the order: the position of its block in the high half, its own in it in the low.
    pub rank: Vec<u64>,
    forms: FxHashMap<Form, BlockId>,
}

impl Labels {
    pub fn count(&self) -> usize {
        self.rank.len()
    }

    pub fn is_integer(&self, x: NumVar) -> bool {
        self.domains[x.0 as usize] == Domain::Integer
    }

    /// Makes a block at a position, those from there on moving down by one.
    fn insert_block(&mut self, subject: Subject, position: usize) -> BlockId {
        let id = self.blocks.len() as BlockId;
        let position = position.min(self.order.len());
        self.blocks.push(Block { subject, labels: Vec::new(), position: position as u32 });
        self.order.insert(position, id);
        self.renumber_from(position);
        id
    }

    /// Sets positions and ranks of the blocks from a position on.
    pub fn renumber_from(&mut self, position: usize) {
        for at in position..self.order.len() {
            let id = self.order[at];
            self.blocks[id as usize].position = at as u32;
            self.rank_block(id);
        }
    }

    fn rank_block(&mut self, id: BlockId) {
        let block = &self.blocks[id as usize];
        for (index, &label) in block.labels.iter().enumerate() {
            self.rank[label as usize] = (u64::from(block.position) << 32) | index as u64;
        }
    }

    fn push_label(&mut self, block: BlockId, at: usize, bound: Bound) -> Label {
        let label = self.rank.len() as Label;
        self.rank.push(0);
        self.bounds.push(bound);
        self.block_of.push(block);
        self.blocks[block as usize].labels.insert(at, label);
        self.rank_block(block);
        label
    }

    /// A new Boolean variable at a position of the order.
    pub fn new_bool(&mut self, position: usize) -> Label {
        let block = self.insert_block(Subject::Bool, position);
        self.push_label(block, 0, Bound::default())
    }

    /// The label of an atom, found or made; a new form gets the given position.
    pub fn atom(&mut self, form: Form, bound: Bound, position: usize) -> Label {
        let block = match self.forms.get(&form) {
            Some(&block) => block,
            None => {
                let integral = form.iter().all(|&(x, _)| self.is_integer(x));
                let block = self.insert_block(Subject::Form { form: form.clone(), integral }, position);
                self.forms.insert(form, block);
                block
            }
        };
        let labels = &self.blocks[block as usize].labels;
        match labels.binary_search_by(|&label| self.bounds[label as usize].cmp(&bound)) {
            Ok(at) => labels[at],
            Err(at) => self.push_label(block, at, bound),
        }
    }

    /// Whether `x` occurs in a label.
    pub fn mentions(&self, label: Label, x: NumVar) -> bool {
        match &self.blocks[self.block_of[label as usize] as usize].subject {
            Subject::Bool => false,
            Subject::Form { form, .. } => form.binary_search_by_key(&x, |term| term.0).is_ok(),
        }
    }

    /// A literal of an atom as an inequality: the expression that is at most 0, or below 0 if the second is true.
    pub fn inequality(&self, label: Label, positive: bool) -> (Expression, bool) {
        let bound = &self.bounds[label as usize];
        let Subject::Form { form, integral } = &self.blocks[self.block_of[label as usize] as usize].subject
        else {
            unreachable!("a Boolean variable is no inequality")
        };
        let terms = form.iter().map(|(x, c)| (*x, RBig::from(c.clone()))).collect();
        let below = Expression { terms, constant: -bound.value.clone() };
        match (positive, integral) {
            (true, _) => (below, bound.strict),
            // Not t ≤ k is k + 1 ≤ t for integers, k < t for reals.
            (false, true) => (Expression::constant(RBig::ONE).minus(&below), false),
            (false, false) => (below.times(&RBig::from(-1)), !bound.strict),
        }
    }

    pub fn is_integral(&self, label: Label) -> bool {
        let block = &self.blocks[self.block_of[label as usize] as usize];
        matches!(block.subject, Subject::Form { integral: true, .. })
    }
}
