//! Strongest postconditions over loop-free parts of a program, as guarded values.
//!
//! From a cutpoint with symbolic values, execution is followed edge by edge in topological order. Where paths meet,
//! values become if-then-else terms over the conditions of the arriving edges. This is on purpose another encoding
//! than the one the search uses: the two share no code.

use rustc_hash::FxHashMap;
use tamis_logic::{Sort, Substitution, Term, Terms};
use tamis_program::{Command, EdgeId, Location, Program};

/// How a cutpoint is reached from another: the condition on the values before, and the values after.
pub(crate) struct Arrival<P = Location> {
    pub at: P,
    pub condition: Term,
    pub values: Substitution,
}

/// Every way from `from`, reached under a condition with some values, to a cutpoint over locations that are none, all ways
/// to one cutpoint joined.
///
/// `order` is a topological order of the locations that are no cutpoints, and `is_cutpoint` tells those that are.
pub(crate) fn strongest_post(
    terms: &mut Terms,
    program: &Program,
    from: Location,
    start: (Term, Substitution),
    order: &[Location],
    is_cutpoint: &dyn Fn(Location) -> bool,
) -> Vec<Arrival> {
    let mut arriving: FxHashMap<Location, Vec<(Term, Substitution)>> = FxHashMap::default();
    let mut ends: Vec<Location> = Vec::new();
    let mut follow = |terms: &mut Terms,
                      arriving: &mut FxHashMap<Location, Vec<(Term, Substitution)>>,
                      l: Location,
                      (reached, values): (Term, Substitution)| {
        for (edge, chosen) in choices(terms, program, l) {
            let edge = program.edge(edge);
            let mut condition = terms.and2(reached, chosen);
            let mut values = values.clone();
            match &edge.command {
                Command::Assign(v, value) => {
                    let value = terms.substitute(*value, &values);
                    values.insert(program.term(*v), value);
                }
                Command::Havoc(v, _) => {
                    let name = format!("{}@{}", program.variable(*v).name, edge.source.line);
                    let any = terms.fresh(&name, terms.sort(program.term(*v)));
                    values.insert(program.term(*v), any);
                }
                Command::Assume(guard) => {
                    let guard = terms.substitute(*guard, &values);
                    condition = terms.and2(condition, guard);
                }
            }
            if terms.is_false(condition) {
                continue;
            }
            if is_cutpoint(edge.to) && !ends.contains(&edge.to) {
                ends.push(edge.to);
            }
            arriving.entry(edge.to).or_default().push((condition, values));
        }
    };
    follow(terms, &mut arriving, from, start);
    for &l in order {
        if let Some(ways) = arriving.remove(&l) {
            let joined = join(terms, program, ways);
            follow(terms, &mut arriving, l, joined);
        }
    }
    ends.into_iter()
        .map(|at| {
            let ways = arriving.remove(&at).unwrap_or_default();
            let (condition, values) = join(terms, program, ways);
            Arrival { at, condition, values }
        })
        .collect()
}

/// The edges out of a location, each with the condition under which it is the one followed. Guards may overlap, so the
/// choice among several edges is a fresh one; a branch on a condition and its complement needs none.
fn choices(terms: &mut Terms, program: &Program, l: Location) -> Vec<(EdgeId, Term)> {
    let edges = program.outgoing(l);
    if let [a, b] = edges
        && let (Command::Assume(g), Command::Assume(h)) =
            (&program.edge(*a).command, &program.edge(*b).command)
        && terms.not(*g) == *h
    {
        let truth = terms.tru();
        return vec![(*a, truth), (*b, truth)];
    }
    let mut left = terms.tru();
    let mut result = Vec::with_capacity(edges.len());
    for (i, &e) in edges.iter().enumerate() {
        let last = i + 1 == edges.len();
        let line = program.edge(e).source.line;
        let this = if last { terms.tru() } else { terms.fresh(&format!("choice@{line}"), Sort::Bool) };
        result.push((e, terms.and2(left, this)));
        let not_this = terms.not(this);
        left = terms.and2(left, not_this);
    }
    result
}

/// Joins ways whose conditions exclude each other.
pub(crate) fn join(
    terms: &mut Terms,
    program: &Program,
    ways: Vec<(Term, Substitution)>,
) -> (Term, Substitution) {
    let mut ways = ways.into_iter().rev();
    let Some((mut condition, mut values)) = ways.next() else {
        return (terms.fals(), Substitution::new());
    };
    for (other, other_values) in ways {
        for variable in program.variables() {
            let var = variable.term;
            let (a, b) = (other_values.get(var).unwrap_or(var), values.get(var).unwrap_or(var));
            if a != b {
                let value = terms.ite(other, a, b);
                values.insert(var, value);
            }
        }
        condition = terms.or2(condition, other);
    }
    (condition, values)
}
