//! What other theories are told, and tell.

use super::backtrack::{Late, Undo};
use super::proof::Reason;
use super::{CongruenceClosure, Node};
use crate::{Conflict, Literal};

impl CongruenceClosure {
    /// Notes that another theory knows `node`, and has to be told what shared nodes it is equal to.
    pub fn share(&mut self, node: Node) {
        if self.shared.insert(node) {
            self.enter_late(Late::Shared(node));
            self.attach_shared(node);
        }
    }

    /// Appends pairs of shared nodes that became equal and were not given before. Through them, all shared nodes that
    /// are equal are connected. What is given at a level is given again when it still holds after that level was closed.
    ///
    /// ```
    /// use tamis_theories::euf::CongruenceClosure;
    /// use tamis_theories::{Atom, Conflict, Literal};
    ///
    /// // Arithmetic knows f(x) and f(y), and finds that x = y because of its own atoms 7 and 8.
    /// let mut euf = CongruenceClosure::new();
    /// let (x, y) = (euf.constant(), euf.constant());
    /// let (fx, fy) = (euf.apply(0, &[x]), euf.apply(0, &[y]));
    /// for node in [x, y, fx, fy] {
    ///     euf.share(node);
    /// }
    /// let bounds = [Literal::new(Atom(7), true), Literal::new(Atom(8), false)];
    /// euf.assert_equality(x, y, &bounds)?;
    ///
    /// let (mut pairs, mut reasons) = (Vec::new(), Vec::new());
    /// euf.take_new_equalities(&mut pairs);
    /// assert_eq!(pairs.len(), 2);
    /// assert!(euf.same(fx, fy));
    /// euf.explain_equality(fx, fy, &mut reasons);
    /// assert_eq!(reasons, bounds);
    /// # Ok::<(), Conflict>(())
    /// ```
    pub fn take_new_equalities(&mut self, pairs: &mut Vec<(Node, Node)>) {
        pairs.extend_from_slice(self.new_equalities.take());
    }

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

    /// Makes `node` known to others in the present state, whose class had no part in it yet.
    pub(super) fn attach_shared(&mut self, node: Node) {
        match self.classes.shared(node) {
            None => {
                self.classes.set_shared(node, Some(node));
                self.record(Undo::Shared(node));
            }
            Some(other) if other == node => {}
            Some(other) => self.new_equalities.put((node, other)),
        }
    }
}
