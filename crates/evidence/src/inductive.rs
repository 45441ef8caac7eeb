//! Candidates for invariants: which of them hold together by induction.
//!
//! A candidate is a check that the program makes itself at a loop's head, before anything else happens there. What
//! it checks is read off the automaton. Candidates that are not preserved are dropped until all that are left are
//! preserved together, which leaves the largest such set whatever the order (as Houdini does, Flanagan and Leino 2001).

use crate::certify::{Rejection, acyclic_order, on_a_way_to_error};
use crate::strongest_post::{join, strongest_post};
use rustc_hash::FxHashMap;
use tamis_logic::{Substitution, Term, Terms};
use tamis_program::{Command, Edge, Location, Program, back_edges};
use tamis_solver::{Answer, Budget, Solver};

/// What is checked at a loop's head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The head.
    pub at: Location,
    /// Which check it is.
    pub number: u32,
    /// What it checks, over the program's variables.
    pub formula: Term,
}

/// The checks at the heads of loops. `check` tells the edges that belong to one, by its number; a check that fails leads
/// to the error location.
///
/// What a check computes otherwise than from the program's variables, as by an approximation, makes it no candidate.
pub fn candidates(
    terms: &mut Terms,
    program: &Program,
    check: &dyn Fn(&Edge) -> Option<u32>,
) -> Vec<Candidate> {
    let mut heads: Vec<Location> = back_edges(program).into_iter().map(|e| program.edge(e).to).collect();
    heads.sort_unstable();
    heads.dedup();
    let mut found = Vec::new();
    for head in heads {
        let mut at = head;
        // One check after the other, as long as there is one.
        while let Some(number) = program.outgoing(at).iter().find_map(|&e| check(program.edge(e))) {
            let Some((formula, next)) = formula(terms, program, at, &|edge| check(edge) == Some(number))
            else {
                break;
            };
            found.push(Candidate { at: head, number, formula });
            match next {
                Some(next) if next != head => at = next,
                _ => break,
            }
        }
    }
    found
}

/// What a check tests that starts at a location, and where it ends if it succeeds.
fn formula(
    terms: &mut Terms,
    program: &Program,
    from: Location,
    belongs: &dyn Fn(&Edge) -> bool,
) -> Option<(Term, Option<Location>)> {
    let mut arriving: FxHashMap<Location, Vec<(Term, Substitution)>> = FxHashMap::default();
    let mut order = inner_order(program, from, belongs)?;
    order.reverse();
    arriving.insert(from, vec![(terms.tru(), Substitution::new())]);
    let mut end: Option<Location> = None;
    for l in order {
        let ways = arriving.remove(&l)?;
        let (reached, values) = join(terms, program, ways);
        let edges: Vec<Edge> = program.outgoing(l).iter().map(|&e| program.edge(e).clone()).collect();
        let guards: Option<Vec<Term>> = edges
            .iter()
            .map(|edge| match edge.command {
                Command::Assume(guard) => Some(guard),
                _ => None,
            })
            .collect();
        // Which edge is taken must be decided by the state.
        match guards.as_deref() {
            Some(&[g, h]) if terms.not(g) == h => {}
            _ if edges.len() == 1 => {}
            _ => return None,
        }
        for edge in &edges {
            let (mut condition, mut values) = (reached, values.clone());
            match &edge.command {
                Command::Assume(guard) => {
                    let guard = terms.substitute(*guard, &values);
                    condition = terms.and2(condition, guard);
                }
                Command::Assign(v, value) => {
                    let value = terms.substitute(*value, &values);
                    values.insert(program.term(*v), value);
                }
                Command::Havoc(..) => return None,
            }
            let inside =
                edge.to != from && program.outgoing(edge.to).iter().any(|&e| belongs(program.edge(e)));
            if edge.to != program.error() && !inside && *end.get_or_insert(edge.to) != edge.to {
                return None;
            }
            arriving.entry(edge.to).or_default().push((condition, values));
        }
    }
    let fails = match arriving.remove(&program.error()) {
        Some(ways) => join(terms, program, ways).0,
        None => terms.fals(),
    };
    Some((terms.not(fails), end))
}

/// The locations that edges of a check start at, each before those that lead to it; `None` if they are on a cycle.
fn inner_order(program: &Program, from: Location, belongs: &dyn Fn(&Edge) -> bool) -> Option<Vec<Location>> {
    let mut order = Vec::new();
    // Locations on the way, with how many of their edges were followed.
    let mut open = vec![(from, 0)];
    while let Some((l, next)) = open.pop() {
        let edges = program.outgoing(l);
        if next == edges.len() {
            order.push(l);
            continue;
        }
        open.push((l, next + 1));
        let to = program.edge(edges[next]).to;
        let inside = program.outgoing(to).iter().any(|&e| belongs(program.edge(e)));
        if to == from || !inside || order.contains(&to) {
            continue;
        }
        if open.iter().any(|&(o, _)| o == to) {
            return None;
        }
        open.push((to, 0));
    }
    Some(order)
}

/// The candidates that hold together by induction.
///
/// ```
/// use tamis_evidence::{candidates, inductive};
/// use tamis_front_c::{Options, translate_source};
/// use tamis_logic::Terms;
/// use tamis_solver::Budget;
/// let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
///     int main(void) { int i = 0; while (
///         (i % 2 == 0) || (reach_error(), 0),
///         (i < 6) || (reach_error(), 0),
///         __VERIFIER_nondet_int()) i += 2; return 0; }";
/// let mut terms = Terms::new();
/// let program = translate_source("even.i", text, &Options::default(), &mut terms)?;
/// let on_line = |line: u32| matches!(line, 3 | 4).then_some(line);
/// let all = candidates(&mut terms, &program, &|edge| on_line(edge.source.line));
/// assert_eq!(all.iter().map(|c| c.number).collect::<Vec<_>>(), [3, 4]);
/// let kept = inductive(&mut terms, &program, all, &Budget::unlimited()).expect("no limit");
/// assert_eq!(kept.iter().map(|c| c.number).collect::<Vec<_>>(), [3]);
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn inductive(
    terms: &mut Terms,
    program: &Program,
    mut candidates: Vec<Candidate>,
    budget: &Budget,
) -> Result<Vec<Candidate>, Rejection> {
    let mut cutpoints: Vec<Location> =
        back_edges(program).into_iter().map(|e| program.edge(e).to).chain([program.entry()]).collect();
    cutpoints.sort_unstable();
    cutpoints.dedup();
    let is_cutpoint = |l: Location| l == program.error() || cutpoints.contains(&l);
    let matters = on_a_way_to_error(program);
    let order = acyclic_order(program, &matters, &is_cutpoint).map_err(Rejection::UncutLoop)?;
    let mut ways = Vec::new();
    for &from in cutpoints.iter().filter(|l| matters[l.index()]) {
        let anywhere = (terms.tru(), Substitution::new());
        let all = strongest_post(terms, program, from, anywhere, &order, &is_cutpoint);
        ways.extend(all.into_iter().map(|way| (from, way)));
    }
    // Elsewhere nothing is known to hold.
    candidates.retain(|c| matters[c.at.index()]);
    loop {
        let before = candidates.len();
        for (from, way) in &ways {
            if !candidates.iter().any(|c| c.at == way.at) {
                continue;
            }
            budget.check()?;
            let mut solver = Solver::new(budget);
            solver.assert(terms, way.condition);
            for c in candidates.iter().filter(|c| c.at == *from) {
                solver.assert(terms, c.formula);
            }
            let mut failed = Vec::new();
            for c in candidates.iter().filter(|c| c.at == way.at) {
                let after = terms.substitute(c.formula, &way.values);
                let violated = terms.not(after);
                if solver.check(terms, &[violated])? == Answer::Sat {
                    failed.push(c.clone());
                }
            }
            candidates.retain(|c| !failed.contains(c));
        }
        if candidates.len() == before {
            return Ok(candidates);
        }
    }
}
