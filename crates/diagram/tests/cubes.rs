//! Cubes: made, joined, picked, and sums of products.
#![allow(clippy::unwrap_used)] // A test fails by panicking.

mod common;

use common::{Random, Table, diagram, on_managers, table};
use tamis_diagram::{Bdd, BddVar, Cube, Diagrams};

fn random_cube(vars: &[BddVar], random: &mut Random) -> Cube {
    let mut cube = Cube::new();
    for &v in vars {
        if random.below(3) > 0 {
            cube.push((v, random.coin()));
        }
    }
    // In any order, and with repetitions.
    for i in 1..cube.len() {
        cube.swap(i, random.below(i + 1));
    }
    if random.coin() {
        cube.extend(cube.first().copied());
    }
    cube
}

fn matches(vars: &[BddVar], cube: &[(BddVar, bool)], row: usize) -> bool {
    cube.iter().all(|(v, value)| {
        let bit = vars.iter().position(|w| w == v).unwrap();
        (row >> bit & 1 == 1) == *value
    })
}

#[test]
fn a_cube_is_the_conjunction_of_its_literals() {
    on_managers(|d, vars, random| {
        let cube = random_cube(vars, random);
        let expected = Table::new(vars.len(), |row| matches(vars, &cube, row));
        assert_eq!(table(d, vars, &d.cube(&cube).unwrap()), expected);
    });
}

#[test]
fn contradictory_literals_make_false() {
    let (d, vars) = common::manager(3, false);
    let cube = [(vars[0], true), (vars[1], false), (vars[0], false)];
    assert!(d.is_false(&d.cube(&cube).unwrap()));
    assert!(d.is_true(&d.cube(&[]).unwrap()));
}

#[test]
fn cubes_one_by_one_and_at_once_are_the_same_set() {
    on_managers(|d, vars, random| {
        let mut cubes: Vec<Cube> = (0..random.below(40)).map(|_| random_cube(vars, random)).collect();
        if let Some(&(v, value)) = cubes.first().and_then(|cube| cube.first()) {
            cubes.push(vec![(v, value), (v, !value)]);
        }
        let expected = Table::new(vars.len(), |row| cubes.iter().any(|cube| matches(vars, cube, row)));
        let mut set = d.fals();
        for cube in &cubes {
            set = d.or(&set, &d.cube(cube).unwrap()).unwrap();
        }
        assert_eq!(table(d, vars, &set), expected);
        assert_eq!(d.union_of_cubes(&cubes).unwrap(), set);
    });
}

#[test]
fn picked_cubes_and_minterms_are_inside() {
    on_managers(|d, vars, random| {
        let f = diagram(d, vars, &Table::random(vars.len(), random)).unwrap();
        let (Some(cube), Some(minterm)) = (d.pick_cube(&f), d.pick_minterm(&f, vars)) else {
            assert!(d.is_false(&f));
            assert_eq!((d.pick_cube(&f), d.pick_minterm(&f, vars)), (None, None));
            return;
        };
        assert!(d.is_subset(&d.cube(&cube).unwrap(), &f));
        assert!(d.is_subset(&d.cube(&minterm).unwrap(), &f));
        assert_eq!(minterm.iter().map(|&(v, _)| v).collect::<Vec<_>>(), vars);
    });
}

fn union(d: &Diagrams, cubes: impl Iterator<Item = Cube>) -> Bdd {
    cubes.fold(d.fals(), |set, cube| d.or(&set, &d.cube(&cube).unwrap()).unwrap())
}

#[test]
fn sums_of_products_are_exact_prime_and_irredundant() {
    on_managers(|d, vars, random| {
        let f = diagram(d, vars, &Table::random(vars.len(), random)).unwrap();
        let cubes = d.isop(&f).unwrap();
        assert_eq!(union(d, cubes.iter().cloned()), f);
        for (i, cube) in cubes.iter().enumerate() {
            for j in 0..cube.len() {
                let mut larger = cube.clone();
                larger.remove(j);
                assert!(!d.is_subset(&d.cube(&larger).unwrap(), &f), "{cube:?} is not prime");
            }
            let others = cubes.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, c)| c.clone());
            assert_ne!(union(d, others), f, "{cube:?} is redundant");
        }
        let count = cubes.len() as u64;
        assert_eq!(d.isop_at_most(&f, count).unwrap(), Some(cubes));
        if count > 0 {
            assert_eq!(d.isop_at_most(&f, count - 1).unwrap(), None);
        }
    });
}

#[test]
fn too_many_products_are_not_listed() {
    // The parity of 80 variables has 2^79 prime implicants and 80 nodes.
    let mut d = Diagrams::new(10_000);
    let mut parity = d.fals();
    for _ in 0..80 {
        let v = d.new_var().unwrap();
        parity = d.xor(&parity, &d.var(v)).unwrap();
    }
    assert_eq!(d.isop_at_most(&parity, 1_000_000).unwrap(), None);
}
