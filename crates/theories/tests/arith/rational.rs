//! Rationals against fractions of big integers that are never reduced.

use dashu_int::IBig;
use tamis_testing::Random;
use tamis_theories::arith::{Delta, Rational};

/// Numerator and denominator, the latter positive.
type Fraction = (IBig, IBig);

fn equal(number: &Rational, fraction: &Fraction) -> bool {
    let canonical = Rational::big_ratio(number.numerator(), number.denominator()).unwrap();
    number.numerator() * &fraction.1 == &fraction.0 * number.denominator()
        && number.denominator() > IBig::ZERO
        && canonical == *number
        && canonical.is_small() == number.is_small()
}

/// Small, at the edge of machine words, or huge.
fn integer(random: &mut Random) -> IBig {
    let edges = [0, 1, -1, 2, i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1, 1 << 32, -(1 << 31)];
    match random.below(5) {
        0 | 1 => IBig::from(random.between(-12, 12)),
        2 => IBig::from(edges[random.below(edges.len())]),
        3 => IBig::from(random.next_u64() as i64),
        _ => {
            IBig::from(random.next_u64() as i64)
                * IBig::from(random.next_u64() as i64)
                * IBig::from(random.next_u64() as i64)
        }
    }
}

fn fraction(random: &mut Random) -> Fraction {
    let n = integer(random);
    let d = integer(random);
    if d == IBig::ZERO {
        (n, IBig::ONE)
    } else if d < IBig::ZERO {
        (-n, -d)
    } else {
        (n, d)
    }
}

#[test]
fn operations_agree_with_big_fractions() {
    let mut random = Random::new(1);
    for _ in 0..60_000 {
        let (a, b) = (fraction(&mut random), fraction(&mut random));
        let x = Rational::big_ratio(a.0.clone(), a.1.clone()).unwrap();
        let y = Rational::big_ratio(b.0.clone(), b.1.clone()).unwrap();
        assert!(equal(&x, &a) && equal(&y, &b));
        assert!(equal(&(&x + &y), &(&a.0 * &b.1 + &b.0 * &a.1, &a.1 * &b.1)), "{x} + {y}");
        assert!(equal(&(&x - &y), &(&a.0 * &b.1 - &b.0 * &a.1, &a.1 * &b.1)), "{x} - {y}");
        assert!(equal(&(&x * &y), &(&a.0 * &b.0, &a.1 * &b.1)), "{x} * {y}");
        assert!(equal(&-&x, &(-&a.0, a.1.clone())), "-{x}");
        if b.0 != IBig::ZERO {
            let (n, d) = (&a.0 * &b.1, &a.1 * &b.0);
            let quotient = if d < IBig::ZERO { (-n, -d) } else { (n, d) };
            assert!(equal(&(&x / &y), &quotient), "{x} / {y}");
        }
        assert_eq!(x.cmp(&y), (&a.0 * &b.1).cmp(&(&b.0 * &a.1)), "{x} against {y}");
        let floor = x.floor();
        assert!(floor.is_integer() && floor <= x && x < &floor + Rational::ONE);
        let ceil = x.ceil();
        assert!(ceil.is_integer() && ceil >= x && x > &ceil - Rational::ONE);
        assert_eq!(x.to_string().parse::<Rational>().unwrap(), x);
        assert_eq!(x.is_negative(), a.0 < IBig::ZERO);
        assert_eq!(x.is_positive(), a.0 > IBig::ZERO);
        assert_eq!(x.abs(), if x.is_negative() { -&x } else { x });
    }
}

#[test]
fn zero_denominators_and_other_texts_are_refused() {
    assert_eq!(Rational::ratio(1, 0), None);
    assert_eq!(Rational::ZERO.recip(), None);
    for text in ["", "1/0", "x", "1/", "/2", "1/2/3", "1.5"] {
        assert!(text.parse::<Rational>().is_err(), "{text}");
    }
}

#[test]
fn the_smallest_machine_number_can_be_negated_and_inverted() {
    let smallest = Rational::ratio(i64::MIN, i64::MIN + 1).unwrap();
    assert_eq!(-(-&smallest), smallest);
    assert_eq!(smallest.recip().unwrap().recip().unwrap(), smallest);
    assert_eq!(Rational::ratio(i64::MIN, i64::MIN), Some(Rational::ONE));
    assert_eq!(Rational::from(i64::MIN) / Rational::from(-1), Rational::from(-i128::from(i64::MIN)));
}

#[test]
fn strict_bounds_round_to_the_next_integer() {
    let three = Delta::from(Rational::from(3));
    assert_eq!(three.below().floor(), Rational::from(2));
    assert_eq!(three.below().ceil(), Rational::from(3));
    assert_eq!(three.above().floor(), Rational::from(3));
    assert_eq!(three.above().ceil(), Rational::from(4));
    let half = Delta::from(Rational::ratio(1, 2).unwrap()).below();
    assert_eq!((half.floor(), half.ceil()), (Rational::from(0), Rational::from(1)));
}
