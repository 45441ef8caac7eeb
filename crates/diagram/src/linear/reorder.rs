//! Dynamic reordering: sifting of blocks.

use super::manager::LinearDiagrams;

impl LinearDiagrams {
    /// Looks for a better order of the blocks.
    pub fn reorder(&mut self) {
        self.collect_garbage();
    }

    /// [`reorder`](Self::reorder), if the order is not static.
    pub fn reorder_if_dynamic(&mut self) {
        if self.dynamic {
            self.reorder();
        }
    }

    /// From now on operations that make many nodes are given up and begun again in a better order.
    pub fn reorder_automatically(&mut self) {
        self.dynamic = true;
    }
}
