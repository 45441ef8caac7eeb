//! Writes a design as a circuit in binary AIGER, for tools that take nothing else: one output, which is 1 in a cycle that
//! violates one of the properties while all constraints have held so far. All latches start at 0: what starts otherwise is
//! chosen by a latch that tells the first cycle from the others.
//!
//! `aiger DESIGN OUT.aig`

use std::path::PathBuf;
use tamis_logic::{Sort, Substitution, Term, Terms};
use tamis_solver::{Budget, Circuit, Gate, Lit, Netlist};

/// An and-inverter graph. Literals are as in AIGER: twice the variable, and 1 more for its complement.
struct Graph {
    ands: Vec<(u32, u32)>,
    /// The first variable that is a conjunction.
    first: u32,
}

impl Graph {
    fn and(&mut self, a: u32, b: u32) -> u32 {
        match (a.min(b), a.max(b)) {
            (0, _) => 0,
            (1, b) => b,
            (a, b) if a == b => a,
            (a, b) if a == b ^ 1 => 0,
            (a, b) => {
                self.ands.push((b, a));
                2 * (self.first + self.ands.len() as u32 - 1)
            }
        }
    }

    fn or(&mut self, a: u32, b: u32) -> u32 {
        self.and(a ^ 1, b ^ 1) ^ 1
    }

    fn ite(&mut self, c: u32, a: u32, b: u32) -> u32 {
        let (then, otherwise) = (self.and(c, a), self.and(c ^ 1, b));
        self.or(then, otherwise)
    }

    fn xor(&mut self, a: u32, b: u32) -> u32 {
        self.ite(a, b ^ 1, b)
    }

    /// The literals of all gates of a circuit, whose inputs have literals already.
    fn copy(&mut self, circuit: &Circuit, leaves: &[u32]) -> Vec<u32> {
        let mut images: Vec<u32> = Vec::with_capacity(circuit.len());
        for (gate, &leaf) in leaves.iter().enumerate() {
            let of = |lit: Lit| images[lit.gate()] ^ u32::from(lit.is_complement());
            let image = match circuit.gate(gate) {
                Gate::True => 1,
                Gate::Input => leaf,
                Gate::And(a, b) => self.and(of(a), of(b)),
                Gate::AndMany { first, count } => {
                    let inputs: Vec<u32> = circuit.inputs(first, count).iter().map(|&lit| of(lit)).collect();
                    inputs.into_iter().fold(1, |all, lit| self.and(all, lit))
                }
                Gate::Xor(a, b) => self.xor(of(a), of(b)),
                Gate::Xor3(a, b, c) => {
                    let two = self.xor(of(a), of(b));
                    self.xor(two, of(c))
                }
                Gate::Majority(a, b, c) => {
                    let (both, some) = (self.and(of(a), of(b)), self.or(of(a), of(b)));
                    self.ite(of(c), some, both)
                }
                Gate::Ite(c, a, b) => self.ite(of(c), of(a), of(b)),
            };
            images.push(image);
        }
        images
    }
}

/// A number as binary AIGER has it: seven bits a byte, the lowest first.
fn write_delta(out: &mut Vec<u8>, mut delta: u32) {
    while delta >= 128 {
        out.push(delta as u8 | 128);
        delta >>= 7;
    }
    out.push(delta as u8);
}

/// In which bits two words differ.
fn differs(terms: &mut Terms, a: Term, b: Term) -> Term {
    if terms.sort(a) == Sort::Bool { terms.xor(a, b) } else { terms.bv_xor(a, b) }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, out] = &args[..] else { panic!("usage: aiger DESIGN OUT.aig") };
    let mut terms = Terms::new();
    let source = tamis_front_rtl::load(&mut terms, &[PathBuf::from(file)], &Default::default());
    let design = source.expect("a design").design;

    let t = &mut terms;
    let (started, failed_before) = (t.fresh("started", Sort::Bool), t.fresh("failed", Sort::Bool));
    let mut words: Vec<(Term, Term)> = Vec::new();
    let mut views = Substitution::new();
    for register in &design.registers {
        let (v, sort) = (register.signal.term, t.sort(register.signal.term));
        let latch = t.fresh("latch", sort);
        let next = register.next.unwrap_or_else(|| t.fresh("any", sort));
        let constant = register.init.filter(|&init| t.is_constant(init) && t.array_parts(sort).is_none());
        if let Some(init) = constant {
            // A latch is 0 where the register has its first value.
            let view = differs(t, latch, init);
            views.insert(v, view);
            words.push((latch, differs(t, next, init)));
            continue;
        }
        let first = match register.init {
            Some(init) => t.substitute(init, &views),
            None => t.fresh("first", sort),
        };
        let view = t.ite(started, latch, first);
        views.insert(v, view);
        words.push((latch, next));
    }
    let all: Vec<Term> = design.constraints.iter().map(|c| c.term).collect();
    let constraint = t.and(&all);
    let all: Vec<Term> = design.properties.iter().map(|p| p.term).collect();
    let violated = t.or(&all);
    let mut roots: Vec<Term> = words.iter().map(|&(_, next)| next).collect();
    roots.extend([constraint, violated]);
    let mut roots = t.substitute_all(&roots, &views);
    let (violated, constraint) = (roots.pop().expect("a root"), roots.pop().expect("a root"));
    let failed = t.not(constraint);
    let failed = t.or2(failed_before, failed);
    let not_failed = t.not(failed);
    let bad = t.and2(violated, not_failed);
    let yes = t.tru();
    let latches: Vec<Term> = words.iter().map(|&(latch, _)| latch).chain([started, failed_before]).collect();
    let next: Vec<Term> = roots.into_iter().chain([yes, failed]).collect();

    let (mut netlist, budget) = (Netlist::default(), Budget::unlimited());
    let mut bits = |roots: &[Term]| netlist.bits(t, roots, &budget).expect("a design of bits").concat();
    let (now, next, bad) = (bits(&latches), bits(&next), bits(&[bad])[0]);
    let circuit = netlist.circuit();
    let mut leaves = vec![0; circuit.len()];
    let is_latch: std::collections::HashSet<usize> = now.iter().map(|lit| lit.gate()).collect();
    let inputs: Vec<usize> =
        (0..circuit.len()).filter(|&g| circuit.gate(g) == Gate::Input && !is_latch.contains(&g)).collect();
    let order = inputs.iter().copied().chain(now.iter().map(|lit| lit.gate()));
    for (variable, gate) in (1..).zip(order) {
        leaves[gate] = 2 * variable;
    }
    let mut graph = Graph { ands: Vec::new(), first: (inputs.len() + now.len()) as u32 + 1 };
    let images = graph.copy(circuit, &leaves);
    let of = |lit: Lit| images[lit.gate()] ^ u32::from(lit.is_complement());
    let variables = inputs.len() + now.len() + graph.ands.len();
    let mut bytes =
        format!("aig {variables} {} {} 1 {}\n", inputs.len(), now.len(), graph.ands.len()).into_bytes();
    for lit in next.into_iter().chain([bad]) {
        bytes.extend(format!("{}\n", of(lit)).bytes());
    }
    for (variable, &(a, b)) in (graph.first..).zip(&graph.ands) {
        write_delta(&mut bytes, 2 * variable - a);
        write_delta(&mut bytes, a - b);
    }
    std::fs::write(out, bytes).expect("a file that can be written");
}
