//! Every operation against truth tables.
#![allow(clippy::unwrap_used)] // A test fails by panicking.

mod common;

use common::{Table, diagram, on_managers, some_bits, table};
use tamis_diagram::BddVar;

#[test]
fn equal_functions_are_equal_values() {
    on_managers(|d, vars, random| {
        let f = Table::random(vars.len(), random);
        let built = diagram(d, vars, &f).unwrap();
        assert_eq!(table(d, vars, &built), f);
        // The same function by another way: a union of its minterms.
        let mut union = d.fals();
        for row in (0..1 << vars.len()).filter(|&row| f.rows[row]) {
            let literals: Vec<_> = (0..vars.len()).map(|bit| (vars[bit], row >> bit & 1 == 1)).collect();
            union = d.or(&union, &d.cube(&literals).unwrap()).unwrap();
        }
        assert_eq!(union, built);
        assert_eq!(d.is_true(&built), f.rows.iter().all(|&row| row));
        assert_eq!(built.is_true(), d.is_true(&built));
        assert_eq!(d.is_false(&built), !f.rows.iter().any(|&row| row));
        assert_eq!(built.is_false(), d.is_false(&built));
    });
}

#[test]
fn connectives() {
    on_managers(|d, vars, random| {
        let [f, g, h] = std::array::from_fn(|_| Table::random(vars.len(), random));
        let [bf, bg, bh] = [&f, &g, &h].map(|t| diagram(d, vars, t).unwrap());
        let of = |b| table(d, vars, &b);
        assert_eq!(of(d.not(&bf)), f.with(&f, |a, _| !a));
        assert_eq!(of(d.and(&bf, &bg).unwrap()), f.with(&g, |a, b| a && b));
        assert_eq!(of(d.or(&bf, &bg).unwrap()), f.with(&g, |a, b| a || b));
        assert_eq!(of(d.xor(&bf, &bg).unwrap()), f.with(&g, |a, b| a != b));
        assert_eq!(of(d.iff(&bf, &bg).unwrap()), f.with(&g, |a, b| a == b));
        assert_eq!(of(d.implies(&bf, &bg).unwrap()), f.with(&g, |a, b| !a || b));
        assert_eq!(of(d.minus(&bf, &bg).unwrap()), f.with(&g, |a, b| a && !b));
        let ite = Table::new(vars.len(), |row| if f.rows[row] { g.rows[row] } else { h.rows[row] });
        assert_eq!(of(d.ite(&bf, &bg, &bh).unwrap()), ite);
    });
}

#[test]
fn inclusion() {
    let (mut included, mut not_included) = (0, 0);
    on_managers(|d, vars, random| {
        let (f, mut g) = (Table::random(vars.len(), random), Table::random(vars.len(), random));
        if random.coin() {
            g = f.with(&g, |a, b| a || b);
        }
        if random.below(4) == 0 {
            let row = random.below(g.rows.len());
            g.rows[row] = false;
        }
        let (bf, bg) = (diagram(d, vars, &f).unwrap(), diagram(d, vars, &g).unwrap());
        let expected = (0..g.rows.len()).all(|row| !f.rows[row] || g.rows[row]);
        assert_eq!(d.is_subset(&bf, &bg), expected);
        *if expected { &mut included } else { &mut not_included } += 1;
    });
    assert!(included > 20 && not_included > 20, "{included} {not_included}");
}

#[test]
fn quantifiers() {
    on_managers(|d, vars, random| {
        let (f, g) = (Table::random(vars.len(), random), Table::random(vars.len(), random));
        let (bf, bg) = (diagram(d, vars, &f).unwrap(), diagram(d, vars, &g).unwrap());
        let bits = some_bits(vars, random);
        let quantified: Vec<BddVar> = bits.iter().rev().map(|&bit| vars[bit]).collect();
        let (or, and) = (|a, b| a || b, |a, b| a && b);
        assert_eq!(table(d, vars, &d.exists(&bf, &quantified).unwrap()), f.quantify(&bits, or));
        assert_eq!(table(d, vars, &d.forall(&bf, &quantified).unwrap()), f.quantify(&bits, and));
        let product = d.and_exists(&bf, &bg, &quantified).unwrap();
        assert_eq!(table(d, vars, &product), f.with(&g, and).quantify(&bits, or));
    });
}

#[test]
fn renaming_is_simultaneous() {
    on_managers(|d, vars, random| {
        let f = Table::random(vars.len(), random);
        let bf = diagram(d, vars, &f).unwrap();
        // Any map: permutations, merged variables, cycles.
        let to: Vec<usize> =
            (0..vars.len()).map(|bit| if random.coin() { bit } else { random.below(vars.len()) }).collect();
        let pairs: Vec<_> = (0..vars.len()).map(|bit| (vars[bit], vars[to[bit]])).collect();
        let expected = Table::new(vars.len(), |row| {
            let image = (0..vars.len()).fold(0, |image, bit| image | (row >> to[bit] & 1) << bit);
            f.rows[image]
        });
        assert_eq!(table(d, vars, &d.rename(&bf, &pairs).unwrap()), expected);
        let renaming = d.renaming(&pairs);
        for _ in 0..2 {
            assert_eq!(table(d, vars, &d.apply_renaming(&bf, &renaming).unwrap()), expected);
        }
    });
}

#[test]
fn cofactors() {
    on_managers(|d, vars, random| {
        let f = Table::random(vars.len(), random);
        let bf = diagram(d, vars, &f).unwrap();
        let fixed: Vec<(usize, bool)> =
            some_bits(vars, random).into_iter().map(|bit| (bit, random.coin())).collect();
        let cube: Vec<_> = fixed.iter().map(|&(bit, value)| (vars[bit], value)).collect();
        let expected = Table::new(vars.len(), |row| {
            let set = |row, &(bit, value): &(usize, bool)| {
                if value { row | 1 << bit } else { row & !(1 << bit) }
            };
            f.rows[fixed.iter().fold(row, set)]
        });
        assert_eq!(table(d, vars, &d.restrict(&bf, &cube).unwrap()), expected);
        if let [(v, value)] = cube[..] {
            assert_eq!(table(d, vars, &d.cofactor(&bf, v, value).unwrap()), expected);
        }
    });
}

#[test]
fn support_and_number_of_models() {
    on_managers(|d, vars, random| {
        let bits = some_bits(vars, random);
        let f = Table::random(vars.len(), random).quantify(&bits, |a, b| a != b);
        let bf = diagram(d, vars, &f).unwrap();
        let support: Vec<_> = (0..vars.len()).filter(|&bit| f.depends_on(bit)).map(|bit| vars[bit]).collect();
        assert_eq!(d.support(&bf), support);
        let models = f.rows.iter().filter(|&&row| row).count() as f64;
        assert_eq!(d.minterm_count(&bf, vars), models);
        let free = (vars.len() - support.len()) as i32;
        assert_eq!(d.minterm_count(&bf, &[]), models / 2f64.powi(free));
    });
}

#[test]
fn one_model_among_many_variables_is_counted() {
    let mut d = tamis_diagram::Diagrams::new(10_000);
    let vars: Vec<_> = (0..300).map(|_| d.new_var().unwrap()).collect();
    let cube: Vec<_> = vars.iter().map(|&v| (v, v.index() % 3 == 0)).collect();
    let minterm = d.cube(&cube).unwrap();
    assert_eq!(d.minterm_count(&minterm, &vars), 1.0);
    assert_eq!(d.minterm_count(&d.not(&minterm), &vars), 2f64.powi(300));
    assert_eq!(d.node_count(&minterm), 300);
}
