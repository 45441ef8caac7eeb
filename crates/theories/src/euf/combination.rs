//! What other theories tell.

use super::proof::Reason;
use super::{CongruenceClosure, Node};
use crate::{Conflict, Literal};

impl CongruenceClosure {
    /// Asserts an equality that another theory concluded from `reasons`, literals that are asserted there.
    pub fn assert_equality(&mut self, a: Node, b: Node, reasons: &[Literal]) -> Result<(), Conflict> {
        self.state()?;
        if !self.same(a, b) {
            let start = self.external.len() as u32;
            self.external.extend_from_slice(reasons);
            self.enqueue(a, b, Reason::External(start, self.external.len() as u32));
            self.close();
        }
        self.state()
    }
}
