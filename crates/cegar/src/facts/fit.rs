//! Linear relations of samples, exact modulo a power of two: what holds of all samples as Σ cᵢ·xᵢ = 0 in so many bits.
//!
//! The vectors of coefficients that fit are a module, and a sample cuts it down: of a basis, the vector whose value at the sample
//! is divisible by the smallest power of two makes the values of all others 0, and becomes 0 there itself when it is multiplied
//! by what its value lacks to 2^width. What is left are equations, and, where a multiple by 2^a is left, congruences in
//! width - a bits: that `x` is even is 2^(width-1)·x = 0.

/// A basis of the relations that hold of all rows, each over the columns of the rows. Where there is a choice, relations
/// are solved for later columns.
pub(super) fn relations(width: u32, columns: usize, rows: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let mask = mask(width);
    let mut basis: Vec<Vec<u64>> =
        (0..columns).map(|i| (0..columns).map(|j| u64::from(i == j)).collect()).collect();
    for row in rows {
        let value = |b: &Vec<u64>| {
            b.iter().zip(row).fold(0u64, |sum, (c, x)| sum.wrapping_add(c.wrapping_mul(*x))) & mask
        };
        let values: Vec<u64> = basis.iter().map(value).collect();
        let Some(pivot) =
            (0..basis.len()).filter(|&i| values[i] != 0).min_by_key(|&i| values[i].trailing_zeros())
        else {
            continue;
        };
        let shift = values[pivot].trailing_zeros();
        let inverse = inverse(values[pivot] >> shift);
        let divisor = basis[pivot].clone();
        for (i, b) in basis.iter_mut().enumerate().filter(|&(i, _)| i != pivot && values[i] != 0) {
            let factor = (values[i] >> shift).wrapping_mul(inverse);
            for (c, d) in b.iter_mut().zip(&divisor) {
                *c = c.wrapping_sub(factor.wrapping_mul(*d)) & mask;
            }
        }
        // Its value has the factor 2^shift, so 2^(width - shift) times it is 0.
        let lacks = width - shift;
        for c in &mut basis[pivot] {
            *c = if lacks >= 64 { 0 } else { (*c << lacks) & mask };
        }
        basis.retain(|b| b.iter().any(|&c| c != 0));
    }
    basis
}

pub(super) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    for _ in 0..5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

/// A relation whose last coefficient is a power of two, and by which power of two all are divisible.
pub(super) fn normalised(width: u32, mut relation: Vec<u64>) -> (Vec<u64>, u32) {
    let mask = mask(width);
    let common = relation.iter().filter(|&&c| c != 0).map(|c| c.trailing_zeros()).min().unwrap_or(0);
    if let Some(&last) = relation.iter().rev().find(|&&c| c != 0 && c.trailing_zeros() == common) {
        let unit = inverse(last >> common);
        for c in &mut relation {
            *c = c.wrapping_mul(unit) & mask;
        }
    }
    (relation, common)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(of: impl Fn(u64) -> Vec<u64>) -> Vec<Vec<u64>> {
        (0..40).map(|i| of(i * i + 2 * i)).collect()
    }

    #[test]
    fn lines_and_strides_are_found() {
        // y = 3x + 7, and x is a multiple of 4.
        let rows = rows(|i| vec![1, 4 * i, 12 * i + 7]);
        let found: Vec<_> = relations(32, 3, &rows).into_iter().map(|r| normalised(32, r)).collect();
        assert!(found.contains(&(vec![(1 << 32) - 7, (1 << 32) - 3, 1], 0)), "{found:?}");
        assert!(found.iter().any(|(r, common)| *common == 30 && r[1] == 1 << 30), "{found:?}");
    }

    #[test]
    fn relations_hold_of_all_rows() {
        let mut x: u64 = 1;
        for width in [8, 13, 32, 64] {
            for columns in 2..6 {
                let rows: Vec<Vec<u64>> = (0..columns as u64 + 3)
                    .map(|_| {
                        (0..columns)
                            .map(|_| {
                                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                                (x >> 40) & mask(width)
                            })
                            .collect()
                    })
                    .collect();
                for relation in relations(width, columns, &rows[..columns - 1]) {
                    for row in &rows[..columns - 1] {
                        let sum = relation
                            .iter()
                            .zip(row)
                            .fold(0u64, |s, (c, x)| s.wrapping_add(c.wrapping_mul(*x)));
                        assert_eq!(sum & mask(width), 0);
                    }
                }
                assert!(!relations(width, columns, &rows[..columns - 1]).is_empty());
            }
        }
    }
}
