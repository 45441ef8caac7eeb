//! Constant and copy propagation along feasible edges.
//!
//! The facts at a location are those that hold on every edge into it, by iteration from "everything" down to the
//! greatest fixed point, where an edge whose guard is false under the facts before it does not count. They are kept at
//! locations where edges meet; between those they are carried along.

use super::draft::Draft;
use super::facts::Facts;
use crate::annotations::FrameId;
use crate::automaton::{Command, EdgeId, Location};
use crate::flow::{Flow, depth_first};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_logic::Terms;

/// Puts known values in place of variables, and removes edges that cannot be passed. Executions stay what they are.
pub(crate) fn propagate(draft: &mut Draft<'_>, terms: &mut Terms) {
    let order = depth_first(draft, |_| true).order;
    let mut place = vec![usize::MAX; draft.location_bound()];
    for (i, l) in order.iter().enumerate() {
        place[l.index()] = i;
    }
    let mut at_joins: FxHashMap<Location, Facts> = FxHashMap::default();
    at_joins.insert(draft.entry(), Facts::default());
    let mut pending: BTreeSet<usize> = [place[draft.entry().index()]].into_iter().collect();
    while let Some(next) = pending.pop_first() {
        let join = order[next];
        let facts = at_joins[&join].clone();
        carry(draft, terms, join, facts, &mut |draft, _, edge, facts| {
            let to = draft.edge(edge).to;
            if !is_join(draft, to) {
                return;
            }
            let changed = match at_joins.get_mut(&to) {
                Some(known) => known.meet(facts),
                None => {
                    let scope = scope(draft, to);
                    let mut facts = facts.clone();
                    facts.retain(draft.original, |frame| scope.contains(&frame));
                    at_joins.insert(to, facts);
                    true
                }
            };
            if changed {
                pending.insert(place[to.index()]);
            }
        });
    }
    rewrite(draft, terms, at_joins);
}

fn is_join(draft: &Draft<'_>, l: Location) -> bool {
    l == draft.entry() || draft.incoming(l).len() > 1
}

/// The activations that are under way at a location.
fn scope(draft: &Draft<'_>, l: Location) -> FxHashSet<FrameId> {
    let frames = std::iter::successors(Some(draft.original.frame_of(l)), |&frame| {
        draft.original.frame(frame).caller.map(|(caller, _)| caller)
    });
    frames.collect()
}

/// Carries facts from a join along every feasible edge up to the next joins, and calls `visit` with each edge, its
/// command with known values put in, and the facts behind it.
fn carry(
    draft: &Draft<'_>,
    terms: &mut Terms,
    from: Location,
    facts: Facts,
    visit: &mut dyn FnMut(&Draft<'_>, Command, EdgeId, &Facts),
) {
    let mut pending = vec![(from, facts)];
    while let Some((l, mut before)) = pending.pop() {
        for (i, &e) in draft.outgoing(l).iter().enumerate() {
            let last = i + 1 == draft.outgoing(l).len();
            let mut facts = if last { std::mem::take(&mut before) } else { before.clone() };
            let edge = draft.edge(e);
            let command = match &edge.command {
                Command::Assign(v, value) => {
                    let value = facts.read(terms, draft.original, *value);
                    facts.assign(terms, draft.original, *v, value);
                    Command::Assign(*v, value)
                }
                Command::Havoc(v, why) => {
                    facts.forget(draft.original, *v);
                    Command::Havoc(*v, why.clone())
                }
                Command::Assume(guard) => {
                    let guard = facts.read(terms, draft.original, *guard);
                    if facts.refute(terms, draft.original, guard) {
                        continue;
                    }
                    facts.assume(terms, draft.original, guard);
                    Command::Assume(guard)
                }
            };
            visit(draft, command, e, &facts);
            if !is_join(draft, edge.to) {
                pending.push((edge.to, facts));
            }
        }
    }
}

fn rewrite(draft: &mut Draft<'_>, terms: &mut Terms, at_joins: FxHashMap<Location, Facts>) {
    let mut commands: FxHashMap<EdgeId, Command> = FxHashMap::default();
    for (join, facts) in at_joins {
        carry(draft, terms, join, facts, &mut |_, command, e, _| {
            commands.insert(e, command);
        });
    }
    for (&e, command) in &commands {
        let command = match command {
            Command::Assign(v, value) if draft.original.term(*v) == *value => Command::Assume(terms.tru()),
            command => command.clone(),
        };
        draft.set_command(e, command);
    }
    // What was not visited cannot be passed.
    draft.retain(|e, _| commands.contains_key(&e));
}
