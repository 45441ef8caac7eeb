//! Floating-point operations: all numbers of small formats against exact rational arithmetic, random ones of C's formats against
//! the processor.

use tamis_logic::{FloatFormat, IBig, RBig, Rounded, Term, Terms, UBig};

const SMALL: [FloatFormat; 3] = [
    FloatFormat { exponent: 3, fraction: 3 },
    FloatFormat { exponent: 2, fraction: 4 },
    FloatFormat { exponent: 4, fraction: 1 },
];

#[derive(Clone, PartialEq, Debug)]
enum Number {
    None,
    Infinite(bool),
    Finite(bool, RBig),
}

fn rational(value: i128) -> RBig {
    RBig::from(IBig::from(value))
}

fn power(exponent: i32) -> RBig {
    let two = RBig::from(IBig::from(UBig::ONE << exponent.unsigned_abs() as usize));
    if exponent < 0 { rational(1) / two } else { two }
}

fn decoded(format: FloatFormat, bits: u128) -> Number {
    let FloatFormat { exponent, fraction } = format;
    let sign = bits >> (exponent + fraction) & 1 == 1;
    let stored = bits >> fraction & ((1 << exponent) - 1);
    let rest = bits & ((1 << fraction) - 1);
    if stored == (1 << exponent) - 1 {
        return if rest == 0 { Number::Infinite(sign) } else { Number::None };
    }
    let bias = (1 << (exponent - 1)) - 1;
    let significand = if stored == 0 { rest } else { rest | 1 << fraction };
    let scale = stored.max(1) as i32 - bias - fraction as i32;
    let magnitude = rational(significand as i128) * power(scale);
    Number::Finite(sign, if sign { -magnitude } else { magnitude })
}

/// The numbers of a format that are not negative, by their bits, with the power of two that stands for infinity.
fn ascending(format: FloatFormat) -> Vec<RBig> {
    let infinity = ((1u128 << format.exponent) - 1) << format.fraction;
    let mut all: Vec<RBig> = (0..infinity)
        .map(|bits| match decoded(format, bits) {
            Number::Finite(_, value) => value,
            other => unreachable!("{other:?}"),
        })
        .collect();
    all.push(power(1 << (format.exponent - 1)));
    all
}

/// The bits of the number nearest to a value; of zero the one with the sign.
fn nearest(format: FloatFormat, all: &[RBig], value: &RBig, zero_sign: bool) -> u128 {
    let negative = if *value == rational(0) { zero_sign } else { *value < rational(0) };
    let magnitude = if *value < rational(0) { -value.clone() } else { value.clone() };
    let above = all.partition_point(|v| *v < magnitude);
    let index = if above == all.len() {
        above - 1
    } else if above == 0 || all[above] == magnitude {
        above
    } else {
        let (down, up) = (&magnitude - &all[above - 1], &all[above] - &magnitude);
        if down < up || down == up && above % 2 == 1 { above - 1 } else { above }
    };
    index as u128 | u128::from(negative) << (format.width() - 1)
}

fn constant(t: &Terms, term: Term) -> u128 {
    t.bits_constant(term).and_then(|bits| bits.to_u128()).expect("a constant")
}

/// The bits of a result, or nothing where it is no number.
fn result(t: &Terms, rounded: Rounded) -> Option<u128> {
    assert!(t.is_true(rounded.nan) || t.is_false(rounded.nan));
    (!t.is_true(rounded.nan)).then(|| constant(t, rounded.value))
}

fn expected(op: char, format: FloatFormat, all: &[RBig], a: &Number, b: &Number) -> Option<u128> {
    use Number::{Finite, Infinite, None as Nothing};
    let infinity = |sign: bool| {
        ((1u128 << format.exponent) - 1) << format.fraction | u128::from(sign) << (format.width() - 1)
    };
    let near = |value: RBig, sign: bool| nearest(format, all, &value, sign);
    let zero = rational(0);
    match (op, a, b) {
        (_, Nothing, _) | (_, _, Nothing) => None,
        ('+', Infinite(s), Infinite(r)) => (s == r).then(|| infinity(*s)),
        ('+', Infinite(s), _) | ('+', _, Infinite(s)) => Some(infinity(*s)),
        ('+', Finite(s, x), Finite(r, y)) => Some(near(x + y, *s && *r)),
        ('*', Infinite(s), Infinite(r)) => Some(infinity(s != r)),
        ('*', Infinite(s), Finite(r, y)) | ('*', Finite(r, y), Infinite(s)) => {
            (*y != zero).then(|| infinity(s != r))
        }
        ('*', Finite(s, x), Finite(r, y)) => Some(near(x * y, s != r)),
        ('/', Infinite(_), Infinite(_)) => None,
        ('/', Infinite(s), Finite(r, _)) => Some(infinity(s != r)),
        ('/', Finite(s, _), Infinite(r)) => Some(near(zero, s != r)),
        ('/', Finite(s, x), Finite(r, y)) if *y == zero => (*x != zero).then(|| infinity(s != r)),
        ('/', Finite(s, x), Finite(r, y)) => Some(near(x / y, s != r)),
        _ => unreachable!("{op}"),
    }
}

#[test]
fn all_numbers_of_small_formats() {
    for format in SMALL {
        let all = ascending(format);
        let count = 1u128 << format.width();
        for left in 0..count {
            let mut t = Terms::new();
            let a = t.bits(format.width(), left);
            let x = decoded(format, left);
            for right in 0..count {
                let b = t.bits(format.width(), right);
                let y = decoded(format, right);
                let (sum, product, quotient) =
                    (t.float_add(format, a, b), t.float_mul(format, a, b), t.float_div(format, a, b));
                for (op, got) in [('+', sum), ('*', product), ('/', quotient)] {
                    let wanted = expected(op, format, &all, &x, &y);
                    assert_eq!(result(&t, got), wanted, "{x:?} {op} {y:?} in {format:?}");
                }
                let value = |n: &Number| match n {
                    Number::Finite(_, v) => Some(v.clone()),
                    Number::Infinite(sign) => Some(if *sign { -power(100) } else { power(100) }),
                    Number::None => None,
                };
                let order = value(&x).zip(value(&y)).map(|(x, y)| x.cmp(&y));
                let (lt, le, eq) =
                    (t.float_lt(format, a, b), t.float_le(format, a, b), t.float_eq(format, a, b));
                assert_eq!(t.is_true(lt), order.is_some_and(|o| o.is_lt()), "{x:?} < {y:?}");
                assert_eq!(t.is_true(le), order.is_some_and(|o| o.is_le()), "{x:?} <= {y:?}");
                assert_eq!(t.is_true(eq), order.is_some_and(|o| o.is_eq()), "{x:?} == {y:?}");
            }
        }
    }
}

#[test]
fn conversions_of_small_formats() {
    for format in SMALL {
        let all = ascending(format);
        let mut t = Terms::new();
        for value in -128..128i128 {
            for signed in [true, false] {
                let value = if signed { value } else { value + 128 };
                let bits = t.bits(8, value as u128 & 0xff);
                let got = t.float_from_bits(format, signed, bits);
                assert_eq!(constant(&t, got), nearest(format, &all, &rational(value), false), "{value}");
            }
        }
        for bits in 0..1u128 << format.width() {
            let a = t.bits(format.width(), bits);
            let number = decoded(format, bits);
            for (signed, width) in [(true, 4u32), (false, 4), (true, 8), (false, 8), (true, 1), (false, 3)] {
                let (got, fits) = t.float_to_bits(format, signed, width, a);
                let (low, high) =
                    if signed { (-(1i128 << (width - 1)), 1i128 << (width - 1)) } else { (0, 1 << width) };
                let whole = match &number {
                    Number::Finite(_, v) => {
                        i128::try_from(v.trunc()).ok().filter(|v| (low..high).contains(v))
                    }
                    _ => None,
                };
                assert_eq!(t.is_true(fits), whole.is_some(), "{number:?} to {width} bits, {signed}");
                if let Some(whole) = whole {
                    assert_eq!(
                        constant(&t, got),
                        whole as u128 & ((1 << width) - 1),
                        "{number:?} to {width} bits"
                    );
                }
            }
            for to in SMALL {
                let into = ascending(to);
                let got = t.float_to_float(format, to, a);
                let wanted = match &number {
                    Number::None => None,
                    Number::Infinite(sign) => Some(
                        ((1u128 << to.exponent) - 1) << to.fraction | u128::from(*sign) << (to.width() - 1),
                    ),
                    Number::Finite(sign, v) => Some(nearest(to, &into, v, *sign)),
                };
                assert_eq!(result(&t, got), wanted, "{number:?} from {format:?} to {to:?}");
            }
        }
    }
}

/// Numbers with exponents and fractions that matter, as well as any.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn double(&mut self) -> f64 {
        let bits = self.next();
        let fraction = bits & ((1 << 52) - 1);
        let near = 1023 + self.next() % 120 - 60;
        match self.next() % 8 {
            0 => f64::from_bits(bits),
            1 => f64::from_bits(fraction | (self.next() % 2) << 63),
            2 => f64::from_bits((0x7fe << 52) | fraction),
            3 => (self.next() % 2000) as f64 - 1000.0,
            4 => f64::from_bits(near << 52 | fraction >> 30 << 30 | (bits >> 63) << 63),
            5 => [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0, 0.5, 1.5]
                [self.next() as usize % 8],
            _ => f64::from_bits(near << 52 | fraction | (bits >> 63) << 63),
        }
    }

    fn single(&mut self) -> f32 {
        match self.next() % 3 {
            0 => f32::from_bits(self.next() as u32),
            _ => self.double() as f32,
        }
    }
}

#[test]
fn as_the_processor_computes() {
    const DOUBLE: FloatFormat = FloatFormat::DOUBLE;
    const SINGLE: FloatFormat = FloatFormat::SINGLE;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let double = |x: f64| (!x.is_nan()).then_some(u128::from(x.to_bits()));
    let single = |x: f32| (!x.is_nan()).then_some(u128::from(x.to_bits()));
    for _ in 0..4_000 {
        let mut t = Terms::new();
        let (x, y) = (random.double(), random.double());
        let (a, b) = (t.bits(64, x.to_bits().into()), t.bits(64, y.to_bits().into()));
        for (got, wanted) in [
            (t.float_add(DOUBLE, a, b), x + y),
            (t.float_sub(DOUBLE, a, b), x - y),
            (t.float_mul(DOUBLE, a, b), x * y),
            (t.float_div(DOUBLE, a, b), x / y),
        ] {
            assert_eq!(result(&t, got), double(wanted), "{x:e} {y:e}");
        }
        let (lt, le, eq) = (t.float_lt(DOUBLE, a, b), t.float_le(DOUBLE, a, b), t.float_eq(DOUBLE, a, b));
        assert_eq!([lt, le, eq].map(|c| t.is_true(c)), [x < y, x <= y, x == y], "{x:e} {y:e}");
        let narrow = t.float_to_float(DOUBLE, SINGLE, a);
        assert_eq!(result(&t, narrow), single(x as f32), "{x:e}");
        for (signed, width, wanted) in [
            (true, 32, x as i32 as u32 as u128),
            (false, 32, (x as u32).into()),
            (true, 64, x as i64 as u64 as u128),
            (false, 64, (x as u64).into()),
        ] {
            let (got, fits) = t.float_to_bits(DOUBLE, signed, width, a);
            if t.is_true(fits) {
                assert_eq!(constant(&t, got), wanted, "{x:e} to {width} bits");
            }
        }

        let (x, y) = (random.single(), random.single());
        let (a, b) = (t.bits(32, x.to_bits().into()), t.bits(32, y.to_bits().into()));
        for (got, wanted) in [
            (t.float_add(SINGLE, a, b), x + y),
            (t.float_sub(SINGLE, a, b), x - y),
            (t.float_mul(SINGLE, a, b), x * y),
            (t.float_div(SINGLE, a, b), x / y),
        ] {
            assert_eq!(result(&t, got), single(wanted), "{x:e} {y:e}");
        }
        let wide = t.float_to_float(SINGLE, DOUBLE, a);
        assert_eq!(result(&t, wide), double(x.into()), "{x:e}");

        let (n, shift) = (random.next(), random.next() % 64);
        let n = n >> shift;
        let bits = t.bits(64, n.into());
        let (of_unsigned, of_signed) =
            (t.float_from_bits(DOUBLE, false, bits), t.float_from_bits(DOUBLE, true, bits));
        assert_eq!(Some(constant(&t, of_unsigned)), double(n as f64), "{n}");
        assert_eq!(Some(constant(&t, of_signed)), double(n as i64 as f64), "{n}");
        let (of_unsigned, of_signed) =
            (t.float_from_bits(SINGLE, false, bits), t.float_from_bits(SINGLE, true, bits));
        assert_eq!(Some(constant(&t, of_unsigned)), single(n as f32), "{n}");
        assert_eq!(Some(constant(&t, of_signed)), single(n as i64 as f32), "{n}");
    }
}
