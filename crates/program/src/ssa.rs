//! Static single assignment with φ on edges: \[SUM\] section 4.1.
//!
//! The paper's SSA program has assignments `Act(ℓ)` at locations, guards `G` and φ-assignments `φ` on edges. Here an
//! edge has one command, so `Act` is a map from edges too. A φ stands at a location where different definitions of a
//! variable that is live there meet (Cytron et al., by iterated dominance frontiers); it is written as one assignment
//! on each edge into the location.

use crate::automaton::{Command, EdgeId, Location, Program, Var};
use crate::dominators::Dominators;
use crate::liveness::Liveness;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Substitution, Term, Terms};

/// A program in SSA form: a view of the program, whose edges and locations it shares.
#[derive(Debug)]
pub struct Ssa<'a> {
    program: &'a Program,
    dominators: Dominators,
    /// The name of a variable that a φ defines at a location, and whether it is live there: if not, nothing is said
    /// about it.
    phi: FxHashMap<Location, Vec<(Var, Term, bool)>>,
    /// The name that an edge's command defines.
    defined: FxHashMap<EdgeId, (Var, Term)>,
    act: FxHashMap<EdgeId, Term>,
    guards: FxHashMap<EdgeId, Term>,
}

impl<'a> Ssa<'a> {
    /// Puts a program into SSA form. Before the first definition a variable has its own term as its name.
    pub fn new(terms: &mut Terms, program: &'a Program, live: &Liveness) -> Ssa<'a> {
        let dominators = Dominators::new(program);
        let mut ssa = Ssa {
            program,
            phi: FxHashMap::default(),
            defined: FxHashMap::default(),
            act: FxHashMap::default(),
            guards: FxHashMap::default(),
            dominators,
        };
        ssa.place_phi(terms, live);
        ssa.rename(terms);
        ssa
    }

    fn place_phi(&mut self, terms: &mut Terms, live: &Liveness) {
        let mut definitions: FxHashMap<Var, Vec<EdgeId>> = FxHashMap::default();
        for e in self.program.edge_ids().filter(|&e| self.dominators.is_reachable(self.program.edge(e).from))
        {
            if let Command::Assign(v, _) | Command::Havoc(v, _) = &self.program.edge(e).command {
                definitions.entry(*v).or_default().push(e);
                let name = fresh(terms, self.program, *v);
                self.defined.insert(e, (*v, name));
            }
        }
        let frontiers = self.dominators.frontiers(self.program);
        for v in self.program.vars() {
            let mut placed: FxHashSet<Location> = FxHashSet::default();
            let mut pending: Vec<Location> = Vec::new();
            for e in definitions.remove(&v).unwrap_or_default() {
                // A definition on an edge into a meeting point meets others right there.
                let to = self.program.edge(e).to;
                let meets = self.program.incoming(to).len() > 1 || to == self.program.entry();
                let places = if meets { std::slice::from_ref(&to) } else { &frontiers[to.index()] };
                pending.extend(places);
            }
            while let Some(l) = pending.pop() {
                if placed.insert(l) {
                    pending.extend(&frontiers[l.index()]);
                    // The program starts with the variable's own name.
                    let at_entry = l == self.program.entry();
                    let name = if at_entry { self.program.term(v) } else { fresh(terms, self.program, v) };
                    self.phi.entry(l).or_default().push((v, name, live.is_live(l, v)));
                }
            }
        }
    }

    fn rename(&mut self, terms: &mut Terms) {
        let program = self.program;
        for e in program.edge_ids() {
            let edge = program.edge(e);
            if !self.dominators.is_reachable(edge.from) {
                continue;
            }
            match &edge.command {
                Command::Assign(_, value) => {
                    let value = self.read(terms, edge.from, *value);
                    self.act.insert(e, value);
                }
                Command::Assume(guard) => {
                    let guard = self.read(terms, edge.from, *guard);
                    self.guards.insert(e, guard);
                }
                Command::Havoc(..) => {}
            }
        }
    }

    /// The name of a variable at a location: of its definition there, or of the one that dominates it.
    pub fn name(&self, l: Location, v: Var) -> Term {
        let mut at = l;
        loop {
            let phi = self.phi.get(&at).and_then(|here| here.iter().find(|(of, ..)| *of == v));
            if let Some(&(_, name, _)) = phi {
                return name;
            }
            if let &[e] = self.program.incoming(at)
                && let Some(&(of, name)) = self.defined.get(&e)
                && of == v
            {
                return name;
            }
            match self.dominators.immediate(at) {
                Some(above) => at = above,
                None => return self.program.term(v),
            }
        }
    }

    /// A term over the program's variables, in the names of a location.
    pub fn read(&self, terms: &mut Terms, l: Location, t: Term) -> Term {
        let names: Substitution = terms
            .free_vars(t)
            .into_iter()
            .filter_map(|var| self.program.var_of(var).map(|v| (var, self.name(l, v))))
            .collect();
        terms.substitute(t, &names)
    }

    /// The assignment of an edge: the name that it defines and its value; `None` for the value that a `havoc` leaves
    /// open.
    pub fn act(&self, e: EdgeId) -> Option<(Term, Option<Term>)> {
        self.defined.get(&e).map(|&(_, name)| (name, self.act.get(&e).copied()))
    }

    /// The guard `G` of an edge; `None` for an edge that always passes.
    pub fn guard(&self, e: EdgeId) -> Option<Term> {
        self.guards.get(&e).copied()
    }

    /// The φ-assignments of an edge: names that its target defines, each with the name it takes on this edge.
    pub fn phi(&self, e: EdgeId) -> Vec<(Term, Term)> {
        let edge = self.program.edge(e);
        let value = |v: Var| match self.defined.get(&e) {
            Some(&(of, name)) if of == v => name,
            _ => self.name(edge.from, v),
        };
        let here = self.phi.get(&edge.to).map(Vec::as_slice).unwrap_or_default();
        here.iter().filter(|(.., live)| *live).map(|&(v, name, _)| (name, value(v))).collect()
    }

    /// The names that φ-assignments define at a location.
    pub fn phi_names(&self, l: Location) -> impl Iterator<Item = Term> + '_ {
        self.phi.get(&l).into_iter().flatten().map(|&(_, name, _)| name)
    }

    /// The dominators of the program.
    pub fn dominators(&self) -> &Dominators {
        &self.dominators
    }

    /// The program.
    pub fn program(&self) -> &'a Program {
        self.program
    }
}

fn fresh(terms: &mut Terms, program: &Program, v: Var) -> Term {
    let data = program.variable(v);
    terms.fresh(&data.name, terms.sort(data.term))
}
