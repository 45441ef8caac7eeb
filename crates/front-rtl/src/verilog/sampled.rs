//! Assertions that a clock samples, back in the cycle that they are about.
//!
//! `always @(posedge clk) assert (e)` looks at `e` at the edge. For Yosys it is an assertion about two registers, which take over
//! at the edge the value of `e` and whether the statement is reached: what it says of a cycle is known in the one
//! after it. Then an assumption without a clock would have to hold in one cycle more, and could hide the violation if it cannot;
//! an assumption with a clock would come a cycle late for an assertion without. So the condition is read from what these registers
//! take over: a violation over registers, which is none at the start, is there after a cycle exactly if it is there in the cycle
//! with the next values for the registers.

use tamis_design::{Condition, Design};
use tamis_logic::{Substitution, Terms};

/// Moves a violation that registers of Yosys sample to the cycle that it is about.
pub fn move_back(terms: &mut Terms, design: &Design, condition: &mut Condition) {
    let reads = terms.free_vars(condition.term);
    let registers = design.registers.iter().filter(|r| reads.contains(&r.signal.term));
    let first: Substitution = registers.clone().filter_map(|r| Some((r.signal.term, r.init?))).collect();
    let next: Substitution = registers.filter_map(|r| Some((r.signal.term, r.next?))).collect();
    let start = terms.substitute(condition.term, &first);
    if terms.is_false(start) && reads.iter().all(|&v| next.get(v).is_some()) {
        condition.term = terms.substitute(condition.term, &next);
    }
}
