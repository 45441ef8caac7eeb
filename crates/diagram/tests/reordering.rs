//! Reordering changes sizes and nothing else.
#![allow(clippy::unwrap_used)] // A test fails by panicking.

mod common;

use common::{Random, Table, diagram, table};
use tamis_diagram::{Bdd, BddVar, Diagrams};

/// `(a1 ∧ b1) ∨ … ∨ (an ∧ bn)` with all `a` before all `b`: exponential until they are interleaved.
fn pairs(n: usize, max_nodes: usize) -> (Diagrams, Vec<BddVar>, Bdd) {
    let mut d = Diagrams::new(max_nodes);
    let vars: Vec<BddVar> = (0..2 * n).map(|_| d.new_var().unwrap()).collect();
    let mut f = d.fals();
    for i in 0..n {
        let pair = d.cube(&[(vars[i], true), (vars[i + n], true)]).unwrap();
        f = d.or(&f, &pair).unwrap();
    }
    (d, vars, f)
}

#[test]
fn functions_stay_the_same() {
    let mut random = Random::new(0x0dd5);
    for round in 0..40 {
        let mut d = Diagrams::new(100_000);
        let vars: Vec<BddVar> = (0..8).map(|_| d.new_var().unwrap()).collect();
        let tables: Vec<Table> = (0..1 + round % 5).map(|_| Table::random(8, &mut random)).collect();
        let functions: Vec<Bdd> = tables.iter().map(|t| diagram(&d, &vars, t).unwrap()).collect();
        for _ in 0..2 {
            let before = d.total_nodes();
            d.reorder();
            assert!(d.total_nodes() <= before);
            for (t, f) in tables.iter().zip(&functions) {
                assert_eq!(table(&d, &vars, f), *t);
                // Still canonical: built again, it is the same value.
                assert_eq!(diagram(&d, &vars, t).unwrap(), *f);
            }
        }
        let mut order = d.order();
        order.sort();
        assert_eq!(order, vars);
    }
}

#[test]
fn exponential_becomes_linear() {
    let (mut d, vars, f) = pairs(14, 1_000_000);
    assert_eq!(d.node_count(&f), (1 << 15) - 2);
    d.reorder();
    assert_eq!(d.node_count(&f), 28);
    for i in 0..14 {
        assert!(d.eval(&f, |v| v == vars[i] || v == vars[i + 14]));
        assert!(!d.eval(&f, |v| v != vars[i] && v.index() < 14));
    }
}

#[test]
fn reordering_starts_by_itself_when_diagrams_grow() {
    let (mut d, _, f) = pairs(14, 1_000_000);
    assert!(d.maybe_reorder());
    assert_eq!(d.node_count(&f), 28);
    assert!(!d.maybe_reorder(), "nothing has grown since");
    let (mut small, _, _) = pairs(4, 1_000_000);
    assert!(!small.maybe_reorder());
}

#[test]
fn dead_nodes_do_not_cause_a_reordering() {
    let (mut d, _, f) = pairs(14, 1_000_000);
    drop(f);
    assert!(!d.maybe_reorder());
    assert_eq!(d.total_nodes(), 28, "only the variables are live");
}

#[test]
fn reordering_in_a_full_manager_neither_aborts_nor_changes_anything() {
    // As few nodes as the function needs, so that hardly any exchange has room.
    for spare in [0, 1, 10, 100, 300] {
        let (d, _, f) = pairs(9, 1_000_000);
        let needed = d.node_count(&f) + 18 + spare;
        drop((d, f));
        let mut d = Diagrams::new(needed);
        let vars: Vec<BddVar> = (0..18).map(|_| d.new_var().unwrap()).collect();
        let mut f = d.fals();
        for i in (0..9).rev() {
            let pair = d.cube(&[(vars[i], true), (vars[i + 9], true)]).unwrap();
            f = match d.or(&f, &pair) {
                Ok(f) => f,
                Err(_) => break,
            };
        }
        let before = table(&d, &vars, &f);
        d.reorder();
        assert_eq!(table(&d, &vars, &f), before);
    }
}

#[test]
fn variables_can_be_added_after_reordering() {
    let (mut d, vars, f) = pairs(6, 100_000);
    d.reorder();
    let v = d.new_var().unwrap();
    assert_eq!(d.order().last(), Some(&v));
    let g = d.and(&f, &d.var(v)).unwrap();
    assert_eq!(d.exists(&g, &[v]).unwrap(), f);
    assert_eq!(d.rename(&d.var(v), &[(v, vars[3])]).unwrap(), d.var(vars[3]));
}

#[test]
fn an_order_can_be_asked_for() {
    let (mut d, vars, f) = pairs(7, 100_000);
    let interleaved: Vec<BddVar> = (0..7).flat_map(|i| [vars[i], vars[i + 7]]).collect();
    d.arrange(&interleaved);
    assert_eq!((d.order(), d.node_count(&f)), (interleaved, 14));
    d.arrange(&vars);
    assert_eq!((d.order(), d.node_count(&f)), (vars, (1 << 8) - 2));
}

#[test]
fn an_order_without_room_on_the_way_is_not_taken() {
    let mut d = Diagrams::new(100);
    let vars: Vec<BddVar> = (0..14).map(|_| d.new_var().unwrap()).collect();
    assert!(d.is_blank());
    d.arrange(&(0..7).flat_map(|i| [vars[i], vars[i + 7]]).collect::<Vec<_>>());
    let mut f = d.fals();
    for i in (0..7).rev() {
        let pair = d.cube(&[(vars[i], true), (vars[i + 7], true)]).unwrap();
        f = d.or(&f, &pair).unwrap();
    }
    assert!(!d.is_blank());
    // The function has 254 nodes in the order asked for.
    d.arrange(&vars);
    assert!(d.order() != vars && d.total_nodes() <= 100);
    for i in 0..7 {
        assert!(d.eval(&f, |v| v == vars[i] || v == vars[i + 7]));
        assert!(!d.eval(&f, |v| v != vars[i] && v.index() < 7));
    }
}
