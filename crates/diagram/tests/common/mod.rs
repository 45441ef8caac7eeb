//! The slow and obvious reference: functions as truth tables.
#![allow(dead_code)] // Each test file uses its part.

use tamis_diagram::{Bdd, BddVar, Diagrams, OutOfNodes};
pub use tamis_testing::Random;

/// The values of a function of `vars` variables; the `i`-th variable is bit `i` of the index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub vars: usize,
    pub rows: Vec<bool>,
}

impl Table {
    pub fn new(vars: usize, value: impl Fn(usize) -> bool) -> Table {
        Table { vars, rows: (0..1 << vars).map(value).collect() }
    }

    /// Sparse, dense and balanced functions alike.
    pub fn random(vars: usize, random: &mut Random) -> Table {
        let density = [1, 8, 16, 24, 31][random.below(5)];
        let rows = (0..1 << vars).map(|_| random.below(32) < density).collect();
        Table { vars, rows }
    }

    pub fn with(&self, g: &Table, op: impl Fn(bool, bool) -> bool) -> Table {
        Table::new(self.vars, |row| op(self.rows[row], g.rows[row]))
    }

    pub fn quantify(&self, bits: &[usize], op: impl Fn(bool, bool) -> bool + Copy) -> Table {
        bits.iter().fold(self.clone(), |f, &bit| {
            Table::new(f.vars, |row| op(f.rows[row | 1 << bit], f.rows[row & !(1 << bit)]))
        })
    }

    pub fn depends_on(&self, bit: usize) -> bool {
        (0..1 << self.vars).any(|row| self.rows[row] != self.rows[row ^ (1 << bit)])
    }
}

/// A manager with `count` variables, optionally in an order other than that of creation.
pub fn manager(count: usize, shuffled: bool) -> (Diagrams, Vec<BddVar>) {
    let mut d = Diagrams::new(100_000);
    let vars: Vec<BddVar> = (0..count).map(|_| d.new_var().unwrap()).collect();
    if shuffled {
        let half = count / 2;
        let mut f = d.fals();
        for i in 0..half {
            let pair = d.and(&d.var(vars[i]), &d.var(vars[i + half])).unwrap();
            f = d.or(&f, &pair).unwrap();
        }
        d.reorder();
        assert!(count < 4 || d.order() != vars, "the order should have changed");
    }
    (d, vars)
}

/// The diagram of a table, by Shannon expansion from the last variable down.
pub fn diagram(d: &Diagrams, vars: &[BddVar], table: &Table) -> Result<Bdd, OutOfNodes> {
    let mut layer: Vec<Bdd> = table.rows.iter().map(|&row| if row { d.tru() } else { d.fals() }).collect();
    for &v in vars {
        layer = layer.chunks(2).map(|pair| d.ite(&d.var(v), &pair[1], &pair[0])).collect::<Result<_, _>>()?;
    }
    Ok(layer.remove(0))
}

/// The table of a diagram, by evaluation.
pub fn table(d: &Diagrams, vars: &[BddVar], f: &Bdd) -> Table {
    Table::new(vars.len(), |row| {
        d.eval(f, |v| vars.iter().position(|&w| w == v).is_some_and(|bit| row >> bit & 1 == 1))
    })
}

/// Calls `check` on managers of each size up to eight variables in both orders.
pub fn on_managers(mut check: impl FnMut(&Diagrams, &[BddVar], &mut Random)) {
    let mut random = Random::new(0x7a31_5eed);
    for count in 1..=8 {
        for shuffled in [false, true] {
            let (d, vars) = manager(count, shuffled);
            for _ in 0..12 {
                check(&d, &vars, &mut random);
            }
        }
    }
}

/// A random subset of the variables, by position.
pub fn some_bits(vars: &[BddVar], random: &mut Random) -> Vec<usize> {
    (0..vars.len()).filter(|_| random.below(3) == 0).collect()
}
