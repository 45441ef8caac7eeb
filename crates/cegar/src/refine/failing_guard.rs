//! Weakest preconditions of the guard at which the simulation fails: \[SMC\] section 4.3, "Refinement".
//!
//! The paper adds the predicates to a global set; here they are added at the points where they were computed, which is
//! the localisation that section 4.4 mentions.

use super::eliminate::state_predicates;
use super::path::Path;
use super::proposal::Located;
use tamis_logic::Terms;
use tamis_system::{GuardId, System};

/// The guard `failing`, in terms of the state at each cut before it.
pub fn failing_guard_predicates<S: System>(
    terms: &mut Terms,
    system: &S,
    path: &Path<S::Edge>,
    failing: GuardId,
) -> Vec<Located> {
    let mut located = Vec::new();
    for &(position, point) in path.cuts[1..].iter().filter(|&&(position, _)| position <= failing.edge) {
        let mut condition = system.guards(terms, &path.edges[position..=failing.edge]);
        condition.guards.retain(|&(id, _)| id.after(position) == failing);
        let found = state_predicates(terms, &condition);
        located.extend(found.predicates.into_iter().map(|p| (point, p)));
    }
    located
}
