//! `Bits` against arithmetic on integers, for all values of up to four bits.

mod common;

use common::{VECTOR_OPS, VectorOp, vector_value};
use tamis_logic::Bits;

/// The two's complement reading of `a`.
fn signed(width: u32, a: i64) -> i64 {
    if a >= 1 << (width - 1) { a - (1 << width) } else { a }
}

/// SMT-LIB's definitions, on integers: unsigned readings in, any integer out, to be taken modulo 2^width.
fn reference(op: VectorOp, width: u32, a: i64, b: i64) -> i64 {
    let all_ones = (1 << width) - 1;
    let (x, y) = (signed(width, a), signed(width, b));
    match op {
        VectorOp::Add => a + b,
        VectorOp::Sub => a - b,
        VectorOp::Mul => a * b,
        VectorOp::Udiv => {
            if b == 0 {
                all_ones
            } else {
                a / b
            }
        }
        VectorOp::Urem => {
            if b == 0 {
                a
            } else {
                a % b
            }
        }
        // Rust's division truncates and its remainder has the sign of the dividend, as SMT-LIB's.
        VectorOp::Sdiv if y == 0 => {
            if x < 0 {
                1
            } else {
                -1
            }
        }
        VectorOp::Sdiv => x / y,
        VectorOp::Srem => {
            if y == 0 {
                x
            } else {
                x % y
            }
        }
        // The sign of the divisor.
        VectorOp::Smod if y == 0 => x,
        VectorOp::Smod => x - y * (x as f64 / y as f64).floor() as i64,
        VectorOp::Nand => !(a & b),
        VectorOp::Nor => !(a | b),
        VectorOp::Xnor => !(a ^ b),
        VectorOp::And => a & b,
        VectorOp::Or => a | b,
        VectorOp::Xor => a ^ b,
        VectorOp::Shl => a << b,
        VectorOp::Lshr => a >> b,
        VectorOp::Ashr => x >> b,
    }
}

fn all_pairs() -> impl Iterator<Item = (u32, i64, i64)> {
    (1..=4).flat_map(|width| {
        let values = move || 0..1i64 << width;
        values().flat_map(move |a| values().map(move |b| (width, a, b)))
    })
}

#[test]
fn binary_operators() {
    for (width, a, b) in all_pairs() {
        let (x, y) = (Bits::new(width, a as u128), Bits::new(width, b as u128));
        for op in VECTOR_OPS {
            let expected = Bits::from_signed(width, reference(op, width, a, b).into());
            assert_eq!(vector_value(op, &x, &y), expected, "{op:?} of {x:?} and {y:?}");
        }
    }
}

#[test]
fn orders_and_readings() {
    for (width, a, b) in all_pairs() {
        let (x, y) = (Bits::new(width, a as u128), Bits::new(width, b as u128));
        assert_eq!(x.ult(&y), a < b);
        assert_eq!(x.slt(&y), signed(width, a) < signed(width, b));
        assert_eq!(x.unsigned(), a as u128);
        assert_eq!(x.signed(), signed(width, a).into());
        assert_eq!(x.is_negative(), signed(width, a) < 0);
    }
}

#[test]
fn unary_operators_and_structure() {
    for (width, a, b) in all_pairs() {
        let (x, y) = (Bits::new(width, a as u128), Bits::new(width, b as u128));
        assert_eq!(x.neg(), Bits::from_signed(width, (-a).into()));
        assert_eq!(x.not(), Bits::from_signed(width, (-a - 1).into()));
        assert_eq!(x.concat(&y), Bits::new(2 * width, (a << width | b) as u128));
        assert_eq!(x.zero_extend(9), Bits::new(9, a as u128));
        assert_eq!(x.sign_extend(9), Bits::from_signed(9, signed(width, a).into()));
        for low in 0..width {
            assert_eq!(x.bit(low), (a >> low) & 1 == 1);
            for high in low..width {
                assert_eq!(x.extract(high, low), Bits::new(high - low + 1, (a >> low) as u128));
            }
        }
    }
}

/// Corner values at the widths where a machine word ends.
#[test]
fn wide_corners() {
    for width in [63, 64, 65, 127, 128, 129, 191, 192, 1000] {
        let (min, max, ones) = (Bits::min_signed(width), Bits::max_signed(width), Bits::ones(width));
        let zero = Bits::zero(width);
        assert_eq!(min.neg(), min);
        assert_eq!(min.sdiv(&ones), min, "the quotient that does not fit wraps around");
        assert_eq!(min.srem(&ones), zero);
        assert_eq!(max.add(&Bits::one(width)), min);
        assert_eq!(min.ashr(&Bits::new(width, u128::from(width) - 1)), ones);
        assert_eq!(min.ashr(&ones), ones);
        assert_eq!(max.ashr(&ones), zero);
        assert_eq!(ones.lshr(&Bits::new(width, u128::from(width) - 1)), Bits::one(width));
        assert_eq!(ones.lshr(&Bits::new(width, u128::from(width))), zero);
        assert_eq!(ones.shl(&Bits::new(width, u128::from(width))), zero);
        assert_eq!(ones.udiv(&zero), ones);
        assert_eq!(min.sdiv(&zero), Bits::one(width));
        assert_eq!(max.sdiv(&zero), ones);
        assert_eq!(max.srem(&zero), max);
        assert!(min.slt(&max) && max.ult(&min));
    }
}
