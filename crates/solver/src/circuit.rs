//! Circuits of structurally hashed gates: what terms become before they become clauses.
//!
//! A gate is made once for each combination of inputs, after constants, repeated and complementary inputs have been
//! simplified away. Making a gate costs no clause: [`crate::cnf`] encodes the gates that are used and no others, so
//! the blaster may build a whole word and let a cut of it pay for its own bits alone.

use rustc_hash::FxHashMap;
use std::ops::Not;

/// A gate's output or its complement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(u32);

impl Lit {
    /// The constant true: gate 0.
    pub const TRUE: Lit = Lit(0);
    /// The constant false.
    pub const FALSE: Lit = Lit(1);

    /// A constant.
    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// The truth value of a constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(self == Lit::TRUE)
    }

    /// The gate whose output this is, or whose output's complement.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the complement of a gate's output.
    pub fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    /// The output of a gate, by its index.
    pub fn output(gate: usize) -> Lit {
        Lit((gate as u32) << 1)
    }

    /// The literal of an [index](Lit::index).
    pub(crate) fn from_index(index: u32) -> Lit {
        Lit(index)
    }

    /// The literal as an index: a gate's output and its complement are neighbours.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    fn positive(self) -> Lit {
        Lit(self.0 & !1)
    }

    /// This literal, complemented if `flip`.
    pub fn flip_if(self, flip: bool) -> Lit {
        Lit(self.0 ^ u32::from(flip))
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// How a gate's output depends on its inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// Constant true.
    True,
    /// An unconstrained bit.
    Input,
    /// Conjunction of two.
    And(Lit, Lit),
    /// Conjunction of three or more: a run in the pool of inputs.
    AndMany {
        /// Where the run starts.
        first: u32,
        /// How long it is.
        count: u32,
    },
    /// Exclusive or.
    Xor(Lit, Lit),
    /// Parity of three: the sum of a full adder.
    Xor3(Lit, Lit, Lit),
    /// At least two of three: the carry of a full adder, or one step of a comparison.
    Majority(Lit, Lit, Lit),
    /// If the first then the second else the third.
    Ite(Lit, Lit, Lit),
}

/// A growing circuit. A gate's inputs are older than it.
#[derive(Clone)]
pub struct Circuit {
    gates: Vec<Gate>,
    pool: Vec<Lit>,
    table: FxHashMap<Gate, Lit>,
    conjunctions: FxHashMap<Box<[Lit]>, Lit>,
}

impl Circuit {
    /// A circuit without gates but the constant.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Circuit {
        Circuit {
            gates: vec![Gate::True],
            pool: Vec::new(),
            table: FxHashMap::default(),
            conjunctions: FxHashMap::default(),
        }
    }

    /// How many gates there are. The constant is the first.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// A gate.
    pub fn gate(&self, index: usize) -> Gate {
        self.gates[index]
    }

    /// The inputs of a conjunction of many.
    pub fn inputs(&self, first: u32, count: u32) -> &[Lit] {
        &self.pool[first as usize..][..count as usize]
    }

    /// Calls `f` with each input of a gate.
    pub fn for_each_input(&self, gate: usize, mut f: impl FnMut(Lit)) {
        match self.gates[gate] {
            Gate::True | Gate::Input => {}
            Gate::And(a, b) | Gate::Xor(a, b) => [a, b].into_iter().for_each(f),
            Gate::Xor3(a, b, c) | Gate::Majority(a, b, c) | Gate::Ite(a, b, c) => {
                [a, b, c].into_iter().for_each(f);
            }
            Gate::AndMany { first, count } => self.inputs(first, count).iter().for_each(|&lit| f(lit)),
        }
    }

    fn push(&mut self, gate: Gate) -> Lit {
        let index = u32::try_from(self.gates.len()).ok().filter(|&i| i < 1 << 31);
        self.gates.push(gate);
        Lit(index.expect("memory ends before 2^31 gates are made") << 1)
    }

    fn find_or_push(&mut self, gate: Gate) -> Lit {
        if let Some(&lit) = self.table.get(&gate) {
            return lit;
        }
        let lit = self.push(gate);
        self.table.insert(gate, lit);
        lit
    }

    /// A bit that nothing constrains yet.
    pub fn input(&mut self) -> Lit {
        self.push(Gate::Input)
    }

    /// Conjunction.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b || a == Lit::TRUE {
            return b;
        }
        if a == !b || a == Lit::FALSE {
            return Lit::FALSE;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(simpler) = self.and_with_conjunction(x, y) {
                return simpler;
            }
        }
        self.find_or_push(Gate::And(a, b))
    }

    /// `x ∧ y` where `x` is a conjunction of two or the complement of one, and `y` one of its inputs or the
    /// complement of one.
    fn and_with_conjunction(&mut self, x: Lit, y: Lit) -> Option<Lit> {
        let Gate::And(p, q) = self.gates[x.gate()] else { return None };
        if !x.is_complement() {
            if y == p || y == q {
                return Some(x);
            }
            return (y == !p || y == !q).then_some(Lit::FALSE);
        }
        if y == !p || y == !q {
            return Some(y);
        }
        // ¬(p ∧ q) ∧ p = p ∧ ¬q; the new conjunction's inputs are older gates, so this ends.
        if y == p {
            return Some(self.and(p, !q));
        }
        (y == q).then(|| self.and(q, !p))
    }

    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Conjunction of any number of literals; the order of `lits` is lost.
    pub fn and_many(&mut self, lits: &mut Vec<Lit>) -> Lit {
        lits.sort_unstable();
        lits.dedup();
        if lits.first() == Some(&Lit::TRUE) {
            lits.remove(0);
        }
        // A literal and its complement are neighbours in the order.
        if lits.first() == Some(&Lit::FALSE) || lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::FALSE;
        }
        match lits[..] {
            [] => Lit::TRUE,
            [a] => a,
            [a, b] => self.and(a, b),
            _ => {
                if let Some(&lit) = self.conjunctions.get(&lits[..]) {
                    return lit;
                }
                let first = self.pool.len() as u32;
                self.pool.extend_from_slice(lits);
                let lit = self.push(Gate::AndMany { first, count: lits.len() as u32 });
                self.conjunctions.insert(lits.as_slice().into(), lit);
                lit
            }
        }
    }

    /// Disjunction of any number of literals; the order of `lits` is lost.
    pub fn or_many(&mut self, lits: &mut Vec<Lit>) -> Lit {
        for lit in lits.iter_mut() {
            *lit = !*lit;
        }
        !self.and_many(lits)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flip = a.is_complement() != b.is_complement();
        let (a, b) = (a.positive(), b.positive());
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b {
            return Lit::FALSE.flip_if(flip);
        }
        if a == Lit::TRUE {
            return !b.flip_if(flip);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Gate::Xor(p, q) = self.gates[x.gate()] {
                if y == p {
                    return q.flip_if(flip);
                }
                if y == q {
                    return p.flip_if(flip);
                }
            }
        }
        self.find_or_push(Gate::Xor(a, b)).flip_if(flip)
    }

    /// Equality.
    pub fn xnor(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `if c then a else b`.
    pub fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let (c, a, b) = if c.is_complement() { (!c, b, a) } else { (c, a, b) };
        if c == Lit::TRUE || a == b {
            return a;
        }
        if a == !b {
            return self.xnor(c, a);
        }
        if a == Lit::TRUE || a == c {
            return self.or(c, b);
        }
        if a == Lit::FALSE || a == !c {
            return self.and(!c, b);
        }
        if b == Lit::TRUE || b == !c {
            return self.or(!c, a);
        }
        if b == Lit::FALSE || b == c {
            return self.and(c, a);
        }
        let flip = a.is_complement();
        self.find_or_push(Gate::Ite(c, a.flip_if(flip), b.flip_if(flip))).flip_if(flip)
    }

    /// The parity of three bits.
    pub fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let flip = a.is_complement() ^ b.is_complement() ^ c.is_complement();
        let mut lits = [a.positive(), b.positive(), c.positive()];
        lits.sort_unstable();
        let [a, b, c] = lits;
        if a == Lit::TRUE || a == b {
            let rest = if a == b { c } else { self.xnor(b, c) };
            return rest.flip_if(flip);
        }
        if b == c {
            return a.flip_if(flip);
        }
        self.find_or_push(Gate::Xor3(a, b, c)).flip_if(flip)
    }

    /// Whether at least two of three bits are set.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort_unstable();
        let [a, b, c] = lits;
        match a {
            Lit::TRUE => return self.or(b, c),
            Lit::FALSE => return self.and(b, c),
            _ => {}
        }
        if a == b {
            return a;
        }
        if b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        // The gate is its own dual: complementing every input complements the output.
        let flip = a.is_complement();
        self.find_or_push(Gate::Majority(a.flip_if(flip), b.flip_if(flip), c.flip_if(flip))).flip_if(flip)
    }
}
