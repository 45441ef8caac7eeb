//! Numbers and strings as `printf` writes them.

use super::super::extended::{Extended, Parts};

/// What stands between `%` and the end of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Spec {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternative: bool,
    pub zero: bool,
    pub width: usize,
    pub precision: Option<usize>,
}

impl Spec {
    /// Puts a sign or prefix and a body into the field.
    pub fn pad(&self, prefix: &str, body: &[u8], zeros: bool) -> Vec<u8> {
        let length = prefix.len() + body.len();
        let fill = self.width.saturating_sub(length);
        let mut out = Vec::with_capacity(length + fill);
        let zeros = zeros && self.zero && !self.left;
        if !self.left && !zeros {
            out.extend(std::iter::repeat_n(b' ', fill));
        }
        out.extend(prefix.as_bytes());
        if zeros {
            out.extend(std::iter::repeat_n(b'0', fill));
        }
        out.extend(body);
        if self.left {
            out.extend(std::iter::repeat_n(b' ', fill));
        }
        out
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    /// `%d`.
    pub fn signed(&self, value: i128) -> Vec<u8> {
        self.digits(self.sign(value < 0), value.unsigned_abs().to_string(), value == 0)
    }

    /// `%u`, `%o`, `%x` and `%X`.
    pub fn unsigned(&self, value: u128, conversion: u8) -> Vec<u8> {
        let (prefix, digits) = match conversion {
            b'o' => ("", format!("{value:o}")),
            b'x' => ("0x", format!("{value:x}")),
            b'X' => ("0X", format!("{value:X}")),
            _ => ("", value.to_string()),
        };
        let mut spec = *self;
        if conversion == b'o' && self.alternative && value != 0 {
            spec.precision = Some(self.precision.unwrap_or(0).max(digits.len() + 1));
        }
        let octal_zero = conversion == b'o' && self.alternative;
        let prefix = if self.alternative && value != 0 { prefix } else { "" };
        spec.digits(prefix, digits, value == 0 && !octal_zero)
    }

    fn digits(&self, prefix: &str, digits: String, empty_if_zero: bool) -> Vec<u8> {
        let digits = match self.precision {
            Some(0) if empty_if_zero => String::new(),
            Some(precision) => format!("{digits:0>precision$}"),
            None => digits,
        };
        self.pad(prefix, digits.as_bytes(), self.precision.is_none())
    }

    /// `%f`, `%e`, `%g` and their upper-case forms.
    pub fn float(&self, value: Extended, conversion: u8) -> Vec<u8> {
        let negative = value.head >> 15 != 0;
        let sign = self.sign(negative);
        let upper = conversion.is_ascii_uppercase();
        let number = match value.parts() {
            Parts::NaN | Parts::Infinite(_) => {
                let text = if value.parts() == Parts::NaN { "nan" } else { "inf" };
                let text = if upper { text.to_uppercase() } else { text.to_owned() };
                return self.pad(sign, text.as_bytes(), false);
            }
            Parts::Zero(_) => Decimal { digits: vec![0], point: 1 },
            Parts::Finite { exponent, significand, .. } => Decimal::new(significand, exponent - 63),
        };
        let precision = self.precision.unwrap_or(6);
        let body = match conversion.to_ascii_lowercase() {
            b'f' => number.fixed(precision, self.alternative),
            b'e' => number.scientific(precision, self.alternative),
            _ => number.general(precision.max(1), self.alternative),
        };
        let body = if upper { body.to_uppercase() } else { body };
        self.pad(sign, body.as_bytes(), true)
    }
}

/// A positive number, exactly: `0.d1d2d3… * 10^point`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Decimal {
    digits: Vec<u8>,
    point: i32,
}

const LIMB: u64 = 1_000_000_000;

fn multiply(limbs: &mut Vec<u32>, by: u32) {
    let mut carry = 0;
    for limb in limbs.iter_mut() {
        let product = u64::from(*limb) * u64::from(by) + carry;
        *limb = (product % LIMB) as u32;
        carry = product / LIMB;
    }
    while carry > 0 {
        limbs.push((carry % LIMB) as u32);
        carry /= LIMB;
    }
}

impl Decimal {
    /// `significand * 2^exponent`.
    fn new(significand: u64, exponent: i32) -> Decimal {
        let zeros = significand.trailing_zeros();
        let (mut rest, exponent) = (significand >> zeros, exponent + zeros as i32);
        let mut limbs = Vec::new();
        while rest > 0 {
            limbs.push((rest % LIMB) as u32);
            rest /= LIMB;
        }
        // A power of two below is a power of five above and a power of ten below.
        let (base, chunk) = if exponent < 0 { (5u32, 13) } else { (2, 31) };
        let mut power = exponent.unsigned_abs();
        while power > 0 {
            let now = power.min(chunk);
            multiply(&mut limbs, base.pow(now));
            power -= now;
        }
        let mut text = String::new();
        for (i, limb) in limbs.iter().rev().enumerate() {
            text += &if i == 0 { limb.to_string() } else { format!("{limb:09}") };
        }
        let digits: Vec<u8> = text.bytes().map(|b| b - b'0').collect();
        let point = digits.len() as i32 + exponent.min(0);
        Decimal { digits, point }
    }

    /// The number with at most so many digits, rounded to the nearest, ties to even.
    fn rounded(&self, count: i32) -> Decimal {
        if count >= self.digits.len() as i32 {
            return self.clone();
        }
        if count < 0 {
            return Decimal { digits: Vec::new(), point: self.point };
        }
        let (kept, rest) = self.digits.split_at(count as usize);
        let mut digits = kept.to_vec();
        let odd = digits.last().is_some_and(|d| d % 2 == 1);
        let up = rest[0] > 5 || (rest[0] == 5 && (odd || rest[1..].iter().any(|&d| d != 0)));
        let mut point = self.point;
        if up {
            match digits.iter().rposition(|&d| d < 9) {
                Some(i) => {
                    digits[i] += 1;
                    digits[i + 1..].fill(0);
                }
                None => {
                    digits.fill(0);
                    digits.insert(0, 1);
                    point += 1;
                }
            }
        }
        Decimal { digits, point }
    }

    fn is_zero(&self) -> bool {
        self.digits.iter().all(|&d| d == 0)
    }

    /// The digit at a place: 0 is the first after the point, -1 the one before it.
    fn at(&self, place: i32) -> char {
        let index = usize::try_from(place + self.point).ok();
        let digit = index.and_then(|i| self.digits.get(i)).copied().unwrap_or(0);
        char::from(b'0' + digit)
    }

    fn fixed(&self, precision: usize, point: bool) -> String {
        let number = self.rounded(self.point + precision as i32);
        let before: String = (-number.point.max(1)..0).map(|i| number.at(i)).collect();
        let after: String = (0..precision as i32).map(|i| number.at(i)).collect();
        join(before, &after, point)
    }

    fn scientific(&self, precision: usize, point: bool) -> String {
        let number = self.rounded(precision as i32 + 1);
        let exponent = if number.is_zero() { 0 } else { number.point - 1 };
        let shifted = Decimal { digits: number.digits, point: 1 };
        let after: String = (0..precision as i32).map(|i| shifted.at(i)).collect();
        let mantissa = join(shifted.at(-1).to_string(), &after, point);
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}e{sign}{:02}", exponent.abs())
    }

    fn general(&self, precision: usize, keep_zeros: bool) -> String {
        let rounded = self.rounded(precision as i32);
        let exponent = if rounded.is_zero() { 0 } else { rounded.point - 1 };
        let precision = precision as i32;
        let trim = |text: String| match text.contains('.') && !keep_zeros {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        };
        if (-4..precision).contains(&exponent) {
            return trim(self.fixed((precision - 1 - exponent) as usize, keep_zeros));
        }
        let text = self.scientific(precision as usize - 1, keep_zeros);
        match text.split_once('e') {
            Some((mantissa, exponent)) => format!("{}e{exponent}", trim(mantissa.to_owned())),
            None => text,
        }
    }
}

fn join(before: String, after: &str, point: bool) -> String {
    if after.is_empty() && !point { before } else { format!("{before}.{after}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testing::Random;

    fn text(spec: Spec, value: f64, conversion: u8) -> String {
        String::from_utf8(spec.float(Extended::from_f64(value), conversion)).unwrap()
    }

    #[test]
    fn floats_as_rust_prints_them() {
        let mut random = Random::new(1);
        for _ in 0..500 {
            let value = f64::from_bits(random.next_u64());
            if !value.is_finite() {
                continue;
            }
            for precision in [0, 1, 6, 20] {
                let spec = Spec { precision: Some(precision), ..Spec::default() };
                assert_eq!(text(spec, value, b'f'), format!("{value:.precision$}"));
                let theirs = format!("{value:.precision$e}");
                let ours = text(spec, value, b'e');
                let (mantissa, exponent) = ours.split_once('e').unwrap();
                assert_eq!(format!("{mantissa}e{}", exponent.parse::<i32>().unwrap()), theirs);
            }
        }
    }

    #[test]
    fn general_form() {
        let spec = Spec::default();
        let cases = [
            (0.0, "0"),
            (100_000.0, "100000"),
            (1e6, "1e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (2.5, "2.5"),
        ];
        for (value, expected) in cases {
            assert_eq!(text(spec, value, b'g'), expected);
        }
        assert_eq!(text(spec, 999_999.5, b'g'), "1e+06");
        assert_eq!(text(Spec { alternative: true, ..spec }, 1.0, b'g'), "1.00000");
        assert_eq!(text(Spec { precision: Some(0), ..spec }, 0.5, b'f'), "0");
        assert_eq!(text(Spec { precision: Some(0), ..spec }, 1.5, b'f'), "2");
        assert_eq!(text(Spec { precision: Some(0), ..spec }, 0.75, b'f'), "1");
        assert_eq!(text(Spec { width: 8, zero: true, precision: Some(1), ..spec }, -1.25, b'f'), "-00001.2");
    }

    #[test]
    fn integers() {
        let spec = Spec::default();
        let show = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        assert_eq!(show(Spec { width: 6, zero: true, ..spec }.signed(-42)), "-00042");
        assert_eq!(show(Spec { precision: Some(3), width: 6, zero: true, ..spec }.signed(7)), "   007");
        assert_eq!(show(Spec { precision: Some(0), ..spec }.signed(0)), "");
        assert_eq!(show(Spec { alternative: true, ..spec }.unsigned(8, b'o')), "010");
        assert_eq!(
            show(Spec { alternative: true, width: 8, zero: true, ..spec }.unsigned(255, b'x')),
            "0x0000ff"
        );
        assert_eq!(show(Spec { alternative: true, ..spec }.unsigned(0, b'x')), "0");
        assert_eq!(show(Spec { left: true, width: 4, plus: true, ..spec }.signed(3)), "+3  ");
    }
}
