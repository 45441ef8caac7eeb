//! The node limit is an error like any other.
#![allow(clippy::unwrap_used)] // A test fails by panicking.

mod common;

use common::{Random, Table, diagram, table};
use tamis_diagram::{BddVar, Cube, Diagrams, OutOfNodes};

/// Ors random cubes into a set until the nodes run out.
fn fill(d: &Diagrams, vars: &[BddVar], random: &mut Random) -> OutOfNodes {
    let mut set = d.fals();
    loop {
        let cube: Cube = vars.iter().map(|&v| (v, random.coin())).collect();
        let step = d.cube(&cube).and_then(|cube| d.or(&set, &cube));
        match step {
            Ok(larger) => {
                assert!(d.is_subset(&set, &larger) && d.eval(&larger, |v| cube[v.index()].1));
                set = larger;
            }
            Err(error) => return error,
        }
    }
}

#[test]
fn running_out_is_an_error_and_the_manager_stays_usable() {
    let mut random = Random::new(7);
    for max_nodes in [300, 1000, 5000, 20_000] {
        let mut d = Diagrams::new(max_nodes);
        let vars: Vec<BddVar> = (0..20).map(|_| d.new_var().unwrap()).collect();
        let expected = Table::random(5, &mut random);
        let kept = diagram(&d, &vars[..5], &expected).unwrap();
        for _ in 0..3 {
            assert_eq!(fill(&d, &vars, &mut random), OutOfNodes);
            assert_eq!(table(&d, &vars[..5], &kept), expected);
            // What failed is garbage by now, so there is room again.
            let again = diagram(&d, &vars[5..10], &expected).unwrap();
            let pairs: Vec<_> = (0..5).map(|i| (vars[i + 5], vars[i])).collect();
            assert_eq!(d.rename(&again, &pairs).unwrap(), kept);
            d.reorder();
            assert_eq!(table(&d, &vars[..5], &kept), expected);
        }
        d.collect_garbage();
        assert!(d.total_nodes() <= 20 + d.node_count(&kept));
    }
}

#[test]
fn every_operation_reports_running_out() {
    let mut d = Diagrams::new(200);
    let vars: Vec<BddVar> = (0..16).map(|_| d.new_var().unwrap()).collect();
    // Two functions that fit, whose combinations do not.
    let chain = |from: usize| {
        (from..from + 4).fold(d.fals(), |f, i| {
            let pair = d.cube(&[(vars[i], true), (vars[i + 8], true)]).unwrap();
            d.or(&f, &pair).unwrap()
        })
    };
    let (f, g) = (chain(0), chain(4));
    assert_eq!(d.or(&f, &g), Err(OutOfNodes));
    assert_eq!(d.and(&f, &g), Err(OutOfNodes));
    assert_eq!(d.xor(&f, &g), Err(OutOfNodes));
    assert_eq!(d.iff(&f, &g), Err(OutOfNodes));
    assert_eq!(d.implies(&f, &g), Err(OutOfNodes));
    assert_eq!(d.ite(&f, &d.not(&g), &g), Err(OutOfNodes));
    assert_eq!(d.and_exists(&f, &g, &[]), Err(OutOfNodes));
    assert_eq!(d.exists(&f, &[vars[0]]).map(|_| ()), Ok(()));
    let cubes: Vec<Cube> = (0..8).map(|i| vec![(vars[i], true), (vars[i + 8], true)]).collect();
    assert_eq!(d.union_of_cubes(&cubes), Err(OutOfNodes));
}

#[test]
fn a_variable_that_did_not_fit_can_be_asked_for_again() {
    let mut d = Diagrams::new(10);
    let vars: Vec<BddVar> = (0..6).map(|_| d.new_var().unwrap()).collect();
    let full = d.cube(&vars[1..].iter().map(|&v| (v, false)).collect::<Cube>()).unwrap();
    assert_eq!(d.new_var(), Err(OutOfNodes));
    assert_eq!(d.new_var(), Err(OutOfNodes));
    drop(full);
    let seventh = d.new_var().unwrap();
    assert_eq!((seventh.index(), d.var_count()), (6, 7));
    assert!(d.eval(&d.var(seventh), |v| v == seventh));
}

#[test]
fn garbage_does_not_fill_the_manager() {
    let mut random = Random::new(11);
    let mut d = Diagrams::new(1 << 20);
    let vars: Vec<BddVar> = (0..24).map(|_| d.new_var().unwrap()).collect();
    let mut most = 0;
    for _ in 0..3000 {
        let mut f = d.fals();
        for _ in 0..8 {
            let cube: Cube = vars.iter().map(|&v| (v, random.coin())).collect();
            f = d.or(&f, &d.cube(&cube).unwrap()).unwrap();
        }
        most = most.max(d.total_nodes());
    }
    assert!(most < 100_000, "{most} nodes for functions of at most 200");
}
