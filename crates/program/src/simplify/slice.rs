//! Slicing to the property, and dead variables.
//!
//! What cannot influence whether the error location is reached is left out: locations off every way to it, and values
//! that no guard depends on. A guard is never left out, and so no loop is: one that does not end keeps the error from
//! being reached, whatever it computes. A `havoc` that is [approximated](Havoc::Approximated) stays where it is, even
//! if its value is of no interest, for its mark.

use super::draft::Draft;
use crate::automaton::{Command, EdgeId, Havoc};
use crate::flow::{Flow, on_a_way};
use crate::liveness::{Liveness, Reads, guard_slice};
use tamis_logic::Terms;

/// Keeps the edges on ways from the entry to the error location.
pub(crate) fn restrict(draft: &mut Draft<'_>, terms: &mut Terms) {
    draft.retain(|_, edge| !matches!(edge.command, Command::Assume(g) if terms.is_false(g)));
    let relevant = on_a_way(draft);
    draft.retain(|_, edge| relevant[edge.from.index()] && relevant[edge.to.index()]);
}

/// Drops what is assigned to variables that no guard depends on, wherever it stands: cheap, and most of what
/// [`drop_dead`] would find.
pub(crate) fn slice(draft: &mut Draft<'_>, terms: &mut Terms) {
    let mut needed = vec![false; draft.variable_bound()];
    for v in guard_slice(draft, &mut Reads::new(terms)) {
        needed[v.index()] = true;
    }
    drop_writes(draft, terms, |draft, e| match writes(&draft.edge(e).command) {
        Some(v) => !needed[v.index()],
        None => false,
    });
}

/// A table of live variables with more bits is not made: it would take more memory than it saves.
const MOST_BITS: usize = 1 << 32;

/// Drops what is assigned to a variable where it is dead.
pub(crate) fn drop_dead(draft: &mut Draft<'_>, terms: &mut Terms) {
    let locations = draft.all_locations().filter(|&l| !draft.outgoing(l).is_empty()).count();
    if guard_slice(draft, &mut Reads::new(terms)).len().saturating_mul(locations) > MOST_BITS {
        return;
    }
    let live = Liveness::of(terms, draft);
    drop_writes(draft, terms, |draft, e| {
        let edge = draft.edge(e);
        writes(&edge.command).is_some_and(|v| !live.is_live(edge.to, v))
    });
}

/// The variable that a command writes and may be kept from writing.
fn writes(command: &Command) -> Option<crate::automaton::Var> {
    match command {
        Command::Havoc(_, Havoc::Approximated(_)) | Command::Assume(_) => None,
        Command::Assign(v, _) | Command::Havoc(v, _) => Some(*v),
    }
}

fn drop_writes(draft: &mut Draft<'_>, terms: &mut Terms, useless: impl Fn(&Draft<'_>, EdgeId) -> bool) {
    let skip = Command::Assume(terms.tru());
    for e in draft.edge_ids() {
        if useless(draft, e) {
            draft.set_command(e, skip.clone());
        }
    }
}
