//! Linear decision diagrams against evaluation at all points of a small box.

#![allow(clippy::unwrap_used)]

mod common;

use common::Random;
use tamis_diagram::linear::{BoolVar, Domain, Expression, Failure, Ldd, LinearDiagrams, NumVar};
use tamis_logic::RBig;

/// Numbers are tried from `-SIDE` to `SIDE`.
const SIDE: i64 = 4;

struct Setting {
    diagrams: LinearDiagrams,
    numbers: Vec<NumVar>,
    bools: Vec<BoolVar>,
}

impl Setting {
    fn new(domain: Domain) -> Setting {
        let mut diagrams = LinearDiagrams::new(1 << 20);
        let numbers = (0..3).map(|_| diagrams.new_number(domain)).collect();
        let bools = (0..2).map(|_| diagrams.new_bool()).collect();
        Setting { diagrams, numbers, bools }
    }

    fn expression(&self, random: &mut Random, max: usize) -> Expression {
        let mut sum = Expression::constant(random.below(7) as i64 - 3);
        for _ in 0..random.below(3) {
            let c = (1 + random.below(max)) as i64 * if random.coin() { 1 } else { -1 };
            sum = sum.plus_multiple(&RBig::from(c), &Expression::var(self.numbers[random.below(3)]));
        }
        sum
    }

    fn formula(&mut self, random: &mut Random, depth: u32, max: usize) -> Ldd {
        if depth == 0 {
            let (a, b) = (self.expression(random, max), self.expression(random, max));
            return match random.below(5) {
                0 => self.diagrams.var(self.bools[random.below(2)]),
                1 => self.diagrams.less(&a, &b),
                2 => self.diagrams.equal(&a, &b),
                _ => self.diagrams.at_most(&a, &b),
            }
            .unwrap();
        }
        let a = self.formula(random, depth - 1, max);
        let b = self.formula(random, depth - 1, max);
        match random.below(5) {
            0 => self.diagrams.and(&a, &b),
            1 => self.diagrams.or(&a, &b),
            2 => self.diagrams.iff(&a, &b),
            3 => Ok(self.diagrams.not(&a)),
            _ => {
                let c = self.formula(random, depth - 1, max);
                self.diagrams.ite(&a, &b, &c)
            }
        }
        .unwrap()
    }

    fn value(&self, f: &Ldd, point: &[i64; 3], bits: usize) -> bool {
        let bool_value = |b| self.bools.iter().position(|&v| v == b).is_some_and(|i| bits >> i & 1 == 1);
        let number = |x| self.numbers.iter().position(|&v| v == x).map_or(RBig::ZERO, |i| point[i].into());
        self.diagrams.eval(f, bool_value, number)
    }

    fn table(&self, f: &Ldd) -> Vec<bool> {
        points(SIDE)
            .flat_map(|point| (0..4).map(move |bits| (point, bits)))
            .map(|(p, b)| self.value(f, &p, b))
            .collect()
    }
}

fn points(side: i64) -> impl Iterator<Item = [i64; 3]> {
    let range = move || -side..=side;
    range().flat_map(move |x| range().flat_map(move |y| range().map(move |z| [x, y, z])))
}

#[test]
fn operations_are_those_of_values() {
    let random = &mut Random::new(17);
    for round in 0..300 {
        let mut s = Setting::new(if round % 2 == 0 { Domain::Integer } else { Domain::Real });
        let (f, g, h) = (s.formula(random, 2, 3), s.formula(random, 2, 3), s.formula(random, 1, 3));
        let and = s.diagrams.and(&f, &g).unwrap();
        let or = s.diagrams.or(&f, &g).unwrap();
        let iff = s.diagrams.iff(&f, &g).unwrap();
        let ite = s.diagrams.ite(&f, &g, &h).unwrap();
        let not = s.diagrams.not(&f);
        let without = s.diagrams.exists(&f, &s.bools).unwrap();
        let product = s.diagrams.and_exists(&f, &g, &s.bools[..1]).unwrap();
        for point in points(2) {
            let some = (0..4).any(|bits| s.value(&f, &point, bits));
            for bits in 0..4 {
                let [a, b, c] = [&f, &g, &h].map(|f| s.value(f, &point, bits));
                assert_eq!(s.value(&and, &point, bits), a && b);
                assert_eq!(s.value(&or, &point, bits), a || b);
                assert_eq!(s.value(&iff, &point, bits), a == b);
                assert_eq!(s.value(&ite, &point, bits), if a { b } else { c });
                assert_eq!(s.value(&not, &point, bits), !a);
                assert_eq!(s.value(&without, &point, bits), some);
                let both =
                    [bits | 1, bits & !1].map(|bits| s.value(&f, &point, bits) && s.value(&g, &point, bits));
                assert_eq!(s.value(&product, &point, bits), both[0] || both[1]);
            }
        }
    }
}

#[test]
fn substitution_is_that_of_values() {
    let random = &mut Random::new(99);
    for _ in 0..200 {
        let mut s = Setting::new(Domain::Integer);
        let f = s.formula(random, 3, 3);
        let (x, y) = (s.numbers[0], s.numbers[1]);
        let value = Expression::var(y).times(&RBig::from(2)).plus(&Expression::constant(-1));
        let g = s.diagrams.substitute(&f, x, &value).unwrap();
        for point in points(2) {
            let moved = [2 * point[1] - 1, point[1], point[2]];
            for bits in 0..4 {
                assert_eq!(s.value(&g, &point, bits), s.value(&f, &moved, bits));
            }
        }
    }
}

/// Bounds every number by `-SIDE` and `SIDE`.
fn in_box(s: &mut Setting, f: &Ldd) -> Ldd {
    let mut all = f.clone();
    for x in s.numbers.clone() {
        let x = Expression::var(x);
        let low = s.diagrams.at_most(&Expression::constant(-SIDE), &x).unwrap();
        let high = s.diagrams.at_most(&x, &Expression::constant(SIDE)).unwrap();
        for bound in [low, high] {
            all = s.diagrams.and(&all, &bound).unwrap();
        }
    }
    all
}

#[test]
fn elimination_is_projection() {
    let random = &mut Random::new(5);
    let mut exact = 0;
    for round in 0..400 {
        let mut s = Setting::new(Domain::Integer);
        let f = s.formula(random, 2, 1 + round % 3);
        let g = s.formula(random, 1, 1 + round % 3);
        let f = in_box(&mut s, &f);
        let projection = s.diagrams.eliminate(s.numbers[0], &[f.clone(), g.clone()]).unwrap();
        exact += usize::from(projection.exact);
        let both = s.diagrams.and(&f, &g).unwrap();
        for y in -SIDE..=SIDE {
            for z in -SIDE..=SIDE {
                for bits in 0..4 {
                    let expected = (-SIDE..=SIDE).any(|x| s.value(&both, &[x, y, z], bits));
                    let found = s.value(&projection.result, &[77, y, z], bits);
                    assert!(found || !expected, "round {round}: unsound");
                    assert!(found == expected || !projection.exact, "round {round}: not exact");
                }
            }
        }
        assert!(!s.diagrams.support(&projection.result).1.contains(&s.numbers[0]));
    }
    assert!(exact > 200, "{exact}");
}

#[test]
fn projection_of_all_numbers_is_exact() {
    let random = &mut Random::new(23);
    for round in 0..300 {
        let mut s = Setting::new(Domain::Integer);
        let f = s.formula(random, 2, 3);
        let g = s.formula(random, 2, 3);
        let f = in_box(&mut s, &f);
        let projection = s.diagrams.project_within(1 << 24, &[f.clone(), g.clone()]).unwrap().unwrap();
        assert!(projection.exact);
        let both = s.diagrams.and(&f, &g).unwrap();
        for bits in 0..4 {
            let expected = points(SIDE).any(|point| s.value(&both, &point, bits));
            assert_eq!(s.value(&projection.result, &[0; 3], bits), expected, "round {round}");
        }
    }
}

#[test]
fn strict_bounds_of_reals_are_kept() {
    let mut d = LinearDiagrams::new(1000);
    let [x, y, z] = [0; 3].map(|_| Expression::var(d.new_number(Domain::Real)));
    let (low, high) = (d.less(&x, &y).unwrap(), d.at_most(&y, &z).unwrap());
    let y = y.vars().next().unwrap();
    let projection = d.eliminate(y, &[low, high]).unwrap();
    assert!(projection.exact);
    assert_eq!(projection.result, d.less(&x, &z).unwrap());
}

#[test]
fn any_order_has_the_same_functions() {
    let random = &mut Random::new(41);
    for _ in 0..150 {
        let mut s = Setting::new(Domain::Integer);
        let functions: Vec<Ldd> = (0..3).map(|_| s.formula(random, 3, 2)).collect();
        let before: Vec<Vec<bool>> = functions.iter().map(|f| s.table(f)).collect();
        for _ in 0..4 {
            let blocks = s.diagrams.block_count();
            if random.below(4) == 0 {
                s.diagrams.reorder();
            } else {
                s.diagrams.move_block(random.below(blocks), random.below(blocks));
            }
            let after: Vec<Vec<bool>> = functions.iter().map(|f| s.table(f)).collect();
            assert!(before == after);
            let (and, both) =
                (s.diagrams.and(&functions[0], &functions[1]).unwrap(), (&before[0], &before[1]));
            assert!(s.table(&and).into_iter().eq(both.0.iter().zip(both.1).map(|(&a, &b)| a && b)));
        }
    }
}

#[test]
fn too_many_nodes_and_interrupts_are_errors() {
    let mut d = LinearDiagrams::new(50);
    let vars: Vec<BoolVar> = (0..40).map(|_| d.new_bool()).collect();
    let mut parity = d.fals();
    let mut last = Ok(());
    for &v in &vars {
        match d.var(v).and_then(|v| d.iff(&parity, &v)) {
            Ok(next) => parity = next,
            Err(failure) => last = Err(failure),
        }
    }
    assert_eq!(last, Err(Failure::OutOfNodes));

    let mut s = Setting::new(Domain::Integer);
    s.diagrams.set_interrupt(|| true);
    let random = &mut Random::new(3);
    let interrupted = (0..100).any(|_| {
        let mut all = s.diagrams.tru();
        (0..200).any(|_| {
            let (a, b) = (s.expression(random, 3), s.expression(random, 3));
            let part = s.diagrams.at_most(&a, &b);
            match part.and_then(|part| s.diagrams.iff(&all, &part)) {
                Ok(next) => {
                    all = next;
                    false
                }
                Err(failure) => failure == Failure::Interrupted,
            }
        })
    });
    assert!(interrupted);
}
