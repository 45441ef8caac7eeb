//! Which variables meet.

use crate::automaton::Command;
use crate::candidates::fixpoint::Course;
use rustc_hash::FxHashMap;
use tamis_logic::{Op, Sort, Term, Terms};

/// A pack has no more variables, and there are no more packs.
const MOST_VARIABLES: usize = 10;
const MOST_PACKS: usize = 24;

/// Terms over more variables say little about two of them.
const MOST_MEETING: usize = 4;

/// Packs of at least two variables, and whether their values are read as signed numbers, as unsigned ones, or as both.
pub(super) fn packs(terms: &Terms, course: &Course<'_>) -> Vec<(Vec<Term>, Vec<bool>)> {
    let mut packs = Packs { terms, of: FxHashMap::default(), packs: Vec::new() };
    let guards: Vec<Term> = course
        .edges()
        .filter_map(|e| if let Command::Assume(g) = e.command { Some(g) } else { None })
        .collect();
    for t in terms.post_order(&guards) {
        match terms.op(t) {
            Op::Slt => packs.meet(&[t], &[true]),
            Op::Ult => packs.meet(&[t], &[false]),
            Op::Eq if matches!(terms.sort(terms.args(t)[0]), Sort::BitVec(_)) => packs.meet(&[t], &[]),
            _ => {}
        }
    }
    for edge in course.edges() {
        if let Command::Assign(v, value) = edge.command {
            packs.meet(&[course.program.term(v), value], &[]);
        }
    }
    let mut packs: Vec<_> = packs.packs.into_iter().filter(|(variables, _)| variables.len() > 1).collect();
    packs.truncate(MOST_PACKS);
    for (_, views) in &mut packs {
        if views.is_empty() {
            views.push(true);
        }
    }
    packs
}

struct Packs<'a> {
    terms: &'a Terms,
    of: FxHashMap<Term, usize>,
    packs: Vec<(Vec<Term>, Vec<bool>)>,
}

impl Packs<'_> {
    /// The variables of some terms are in one pack from now on, if that does not get too large.
    fn meet(&mut self, roots: &[Term], views: &[bool]) {
        let is_number = |v: &Term| self.terms.sort(*v).width().is_some_and(|w| (2..=64).contains(&w));
        let variables = self.terms.free_vars_of(roots);
        if variables.is_empty() || variables.len() > MOST_MEETING || !variables.iter().all(is_number) {
            return;
        }
        let mut places: Vec<usize> = variables.iter().filter_map(|v| self.of.get(v).copied()).collect();
        places.sort_unstable();
        places.dedup();
        let fresh: Vec<Term> = variables.into_iter().filter(|v| !self.of.contains_key(v)).collect();
        let size = fresh.len() + places.iter().map(|&p| self.packs[p].0.len()).sum::<usize>();
        if size > MOST_VARIABLES {
            return;
        }
        let home = places.first().copied().unwrap_or_else(|| {
            self.packs.push((Vec::new(), Vec::new()));
            self.packs.len() - 1
        });
        let (mut all, mut seen) = (fresh, views.to_vec());
        for &place in places.iter().filter(|&&p| p != home) {
            all.append(&mut self.packs[place].0);
            seen.append(&mut self.packs[place].1);
        }
        self.of.extend(all.iter().map(|&v| (v, home)));
        let (variables, views) = &mut self.packs[home];
        variables.extend(all);
        seen.into_iter().for_each(|view| {
            if !views.contains(&view) {
                views.push(view)
            }
        });
    }
}
