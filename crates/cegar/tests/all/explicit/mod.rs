//! Exploration of every state of a tiny program, one by one, on plain numbers.

use crate::generate::{Action, CELLS, Cond, Expr, TinyProgram};

/// The most variables.
const VARIABLES: usize = 3;

/// The values of the variables, and then those of the cells of memory.
pub type State = [u8; VARIABLES + CELLS];

/// Whether some execution, from any initial values, reaches the error location.
pub fn reaches_error(p: &TinyProgram) -> bool {
    let states = count(p);
    let mut seen = vec![false; p.locations * states];
    let mut pending: Vec<(usize, State)> = all_states(p).map(|s| (0, s)).collect();
    while let Some((l, s)) = pending.pop() {
        if l == p.locations - 1 {
            return true;
        }
        if !std::mem::replace(&mut seen[l * states + encode(p, s)], true) {
            pending.extend(successors(p, l, &s));
        }
    }
    false
}

/// Where execution can be after one edge.
pub fn successors(p: &TinyProgram, l: usize, s: &State) -> Vec<(usize, State)> {
    let mut found = Vec::new();
    for (_, to, action) in p.edges.iter().filter(|(from, ..)| *from == l) {
        let mut next = *s;
        match action {
            Action::Assume(c) => {
                if holds(p, c, s) {
                    found.push((*to, next));
                }
            }
            Action::Assign(v, e) => {
                next[*v] = eval(p, e, s);
                found.push((*to, next));
            }
            Action::Havoc(v) => {
                for value in 0..=mask(p) {
                    next[*v] = value as u8;
                    found.push((*to, next));
                }
            }
            Action::Write(address, e) => {
                next[cell(p, address, s)] = eval(p, e, s);
                found.push((*to, next));
            }
            Action::HavocMemory => {
                for cells in 0..1usize << (p.width as usize * CELLS) {
                    for (i, slot) in next[VARIABLES..].iter_mut().enumerate() {
                        *slot = (cells >> (i as u32 * p.width) & mask(p)) as u8;
                    }
                    found.push((*to, next));
                }
            }
        }
    }
    found
}

/// The places in a state that have values.
fn places(p: &TinyProgram) -> impl Iterator<Item = usize> + use<> {
    (0..p.variables).chain(VARIABLES..VARIABLES + if p.memory { CELLS } else { 0 })
}

fn count(p: &TinyProgram) -> usize {
    1 << (p.width as usize * places(p).count())
}

/// Every combination of values.
pub fn all_states(p: &TinyProgram) -> impl Iterator<Item = State> + '_ {
    (0..count(p)).map(|i| decode(p, i))
}

fn decode(p: &TinyProgram, index: usize) -> State {
    let mut s = State::default();
    for (i, place) in places(p).enumerate() {
        s[place] = ((index >> (i as u32 * p.width)) & mask(p)) as u8;
    }
    s
}

fn encode(p: &TinyProgram, s: State) -> usize {
    places(p).enumerate().map(|(i, place)| usize::from(s[place]) << (i as u32 * p.width)).sum()
}

/// The place of the cell at an address.
fn cell(p: &TinyProgram, address: &Expr, s: &State) -> usize {
    VARIABLES + usize::from(eval(p, address, s)) % CELLS
}

fn mask(p: &TinyProgram) -> usize {
    (1 << p.width) - 1
}

fn eval(p: &TinyProgram, e: &Expr, s: &State) -> u8 {
    match e {
        Expr::Const(c) => *c,
        Expr::Var(v) => s[*v],
        Expr::Cell(address) => s[cell(p, address, s)],
        Expr::Binary(op, a, b) => {
            let (a, b) = (usize::from(eval(p, a, s)), usize::from(eval(p, b, s)));
            let result = match *op {
                "+" => a + b,
                "-" => a.wrapping_sub(b),
                "*" => a * b,
                "&" => a & b,
                "|" => a | b,
                "^" => a ^ b,
                // Division as SMT-LIB defines it by zero.
                "/" => a.checked_div(b).unwrap_or(mask(p)),
                "%" => a.checked_rem(b).unwrap_or(a),
                _ => a.checked_shr(b as u32).unwrap_or(0),
            };
            (result & mask(p)) as u8
        }
    }
}

/// Whether a condition holds in a state.
pub fn holds(p: &TinyProgram, c: &Cond, s: &State) -> bool {
    match c {
        Cond::Compare(op, a, b) => {
            let (a, b) = (eval(p, a, s), eval(p, b, s));
            let signed = |x: u8| i32::from(x) - if x >> (p.width - 1) == 1 { 1 << p.width } else { 0 };
            match *op {
                "==" => a == b,
                "<" => a < b,
                _ => signed(a) < signed(b),
            }
        }
        Cond::Not(c) => !holds(p, c, s),
        Cond::And(a, b) => holds(p, a, s) && holds(p, b, s),
    }
}
