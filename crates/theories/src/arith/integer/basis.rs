//! Coordinates in which the solutions lie in a narrow box.

use super::system::{Halt, Range, System};
use crate::arith::stop::Watch;
use crate::arith::{LinearForm, Rational, Var};

/// Weights of ranges are at most this: a range that is so much wider than the narrowest has no say.
const WEIGHT: i64 = 1 << 20;

/// Columns of a unimodular matrix: `x = Σ yⱼ · columnⱼ`.
pub(super) struct Coordinates {
    columns: Vec<Vec<Rational>>,
    variables: usize,
}

impl Coordinates {
    /// The values of the variables at a point.
    pub(super) fn values(&self, point: &[Rational]) -> Vec<Rational> {
        let mut values = vec![Rational::ZERO; self.variables];
        for (column, y) in self.columns.iter().zip(point) {
            for (value, entry) in values.iter_mut().zip(column) {
                *value += &(entry * y);
            }
        }
        values
    }
}

impl System {
    /// The bounds over coordinates instead of variables.
    pub(super) fn in_coordinates(&self, coordinates: &Coordinates) -> Result<System, Halt> {
        let mut system = System::new(coordinates.columns.len() as u32, Watch::default());
        system.watch = self.watch.clone();
        system.ranges.extend(self.ranges.iter().map(|range| {
            let coefficient = |column: &Vec<Rational>| range.form.evaluate(|var| column[var.index()].clone());
            let terms = coordinates.columns.iter().enumerate();
            let form: LinearForm = terms.map(|(at, column)| (Var(at as u32), coefficient(column))).collect();
            Range { form, ..range.clone() }
        }));
        system.normalise()?;
        Ok(system)
    }
}

/// Coordinates for a system of bounded ranges. The directions along which no form changes are left out.
///
/// The lattice is that of the vectors `(form₁(x), form₂(x), …)` for integer `x`, where a form counts the more the narrower its
/// range is. A short basis vector is a direction in which all forms change slowly, compared to their ranges.
pub(super) fn reduced_coordinates(system: &System) -> Result<Coordinates, Halt> {
    let mut used: Vec<Var> =
        system.ranges.iter().flat_map(|range| range.form.terms().iter().map(|(var, _)| *var)).collect();
    used.sort_unstable();
    used.dedup();
    let weights = weights(&system.ranges);
    let column = |var: Var| -> Vec<Rational> {
        let entry = |(range, weight): (&Range, &Rational)| {
            range.form.coefficient(var).map_or(Rational::ZERO, |coefficient| coefficient * weight)
        };
        system.ranges.iter().zip(&weights).map(entry).collect()
    };
    let vectors: Vec<Vec<Rational>> = used.iter().map(|&var| column(var)).collect();
    let mut reduction = Reduction::new(&vectors);
    reduction.run(&system.watch)?;
    let mut columns = Vec::new();
    for (at, combination) in reduction.transform.iter().enumerate() {
        if reduction.gram[at][at].is_zero() {
            continue;
        }
        let mut column = vec![Rational::ZERO; system.variables as usize];
        for (var, entry) in used.iter().zip(combination) {
            column[var.index()] = entry.clone();
        }
        columns.push(column);
    }
    Ok(Coordinates { columns, variables: system.variables as usize })
}

/// A factor for each form: the widest range has about 1.
fn weights(ranges: &[Range]) -> Vec<Rational> {
    let width = |range: &Range| match (&range.lower, &range.upper) {
        (Some(lower), Some(upper)) if lower.value < upper.value => &upper.value - &lower.value,
        _ => Rational::ONE,
    };
    let widths: Vec<Rational> = ranges.iter().map(width).collect();
    let widest = widths.iter().max().cloned().unwrap_or(Rational::ONE).min(Rational::from(WEIGHT));
    widths.iter().map(|width| (&widest / width).floor().max(Rational::ONE)).collect()
}

/// The reduction of Lenstra, Lenstra and Lovász, exact, of vectors that may depend on each other.
///
/// Only the products of the vectors are kept. A vector that depends on those before it has nothing orthogonal to them, so
/// that the exchange condition fails as long as there is another before it: dependent ones end as zeros in front.
struct Reduction {
    /// The products of the vectors.
    gram: Vec<Vec<Rational>>,
    /// The vectors as combinations of those that were given.
    transform: Vec<Vec<Rational>>,
    /// The Gram-Schmidt coefficients, and the squared lengths of the orthogonal vectors.
    mu: Vec<Vec<Rational>>,
    lengths: Vec<Rational>,
}

impl Reduction {
    fn new(vectors: &[Vec<Rational>]) -> Reduction {
        let product = |a: &[Rational], b: &[Rational]| {
            a.iter().zip(b).fold(Rational::ZERO, |sum, (x, y)| if x.is_zero() { sum } else { sum + x * y })
        };
        let gram: Vec<Vec<Rational>> =
            vectors.iter().map(|a| vectors.iter().map(|b| product(a, b)).collect()).collect();
        let zeros = vec![vec![Rational::ZERO; vectors.len()]; vectors.len()];
        let mut transform = zeros.clone();
        for (at, row) in transform.iter_mut().enumerate() {
            row[at] = Rational::ONE;
        }
        Reduction { gram, transform, mu: zeros, lengths: vec![Rational::ZERO; vectors.len()] }
    }

    fn run(&mut self, watch: &Watch) -> Result<(), Halt> {
        let three_quarters = Rational::ratio(3, 4).unwrap_or(Rational::ONE);
        let mut k = 1;
        while k < self.gram.len() {
            if watch.stops_now() {
                return Err(Halt::Stopped);
            }
            self.orthogonalise(k - 1);
            self.orthogonalise(k);
            for j in (0..k).rev() {
                self.shorten(k, j);
            }
            let mu = &self.mu[k][k - 1];
            if self.lengths[k] >= (&three_quarters - mu * mu) * &self.lengths[k - 1] {
                k += 1;
            } else {
                self.exchange(k);
                k = (k - 1).max(1);
            }
        }
        Ok(())
    }

    /// Computes the coefficients of a vector; those of the vectors before it are known.
    fn orthogonalise(&mut self, k: usize) {
        let mut length = self.gram[k][k].clone();
        let mut parts: Vec<Rational> = Vec::with_capacity(k);
        for j in 0..k {
            let part = (0..j).fold(self.gram[k][j].clone(), |sum, i| sum - &self.mu[j][i] * &parts[i]);
            let coefficient =
                if self.lengths[j].is_zero() { Rational::ZERO } else { &part / &self.lengths[j] };
            length = length - &coefficient * &part;
            self.mu[k][j] = coefficient;
            parts.push(part);
        }
        self.lengths[k] = length;
    }

    /// Subtracts from vector `k` the multiple of vector `j` that makes it shortest.
    fn shorten(&mut self, k: usize, j: usize) {
        let half = Rational::ratio(1, 2).unwrap_or(Rational::ZERO);
        let times = (&self.mu[k][j] + &half).floor();
        if times.is_zero() {
            return;
        }
        for at in 0..self.gram.len() {
            let (change, entry) = (&times * &self.gram[j][at], &times * &self.transform[j][at]);
            self.gram[k][at] -= &change;
            self.transform[k][at] -= &entry;
        }
        for at in 0..self.gram.len() {
            let change = &times * &self.gram[at][j];
            self.gram[at][k] -= &change;
        }
        for at in 0..j {
            let change = &times * &self.mu[j][at];
            self.mu[k][at] -= &change;
        }
        self.mu[k][j] -= &times;
    }

    /// Exchanges vector `k` with the one before it.
    fn exchange(&mut self, k: usize) {
        self.transform.swap(k, k - 1);
        self.gram.swap(k, k - 1);
        for row in &mut self.gram {
            row.swap(k, k - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(terms: &[(u32, i64)]) -> LinearForm {
        terms.iter().map(|&(var, c)| (Var(var), Rational::from(c))).collect()
    }

    /// Determinant by expansion.
    fn determinant(rows: &[Vec<Rational>]) -> Rational {
        let Some(first) = rows.first() else { return Rational::ONE };
        let mut sum = Rational::ZERO;
        for (at, entry) in first.iter().enumerate() {
            let minor: Vec<Vec<Rational>> = rows[1..]
                .iter()
                .map(|row| row.iter().enumerate().filter(|(j, _)| *j != at).map(|(_, v)| v.clone()).collect())
                .collect();
            let part = entry * determinant(&minor);
            sum = if at % 2 == 0 { sum + part } else { sum - part };
        }
        sum
    }

    #[test]
    fn the_transformation_is_unimodular_and_drops_what_does_not_matter() {
        let mut system = System::new(4, Watch::default());
        system.ranges.push(Range::free(form(&[(0, 6), (1, 10), (2, -15), (3, 1)]), 0, 100));
        system.ranges.push(Range::free(form(&[(0, 2), (1, 3), (2, 5), (3, 7)]), 0, 3));
        let vectors: Vec<Vec<Rational>> = (0..4)
            .map(|var| {
                let entry = |range: &Range| range.form.coefficient(Var(var)).cloned().unwrap_or_default();
                system.ranges.iter().map(entry).collect()
            })
            .collect();
        let mut reduction = Reduction::new(&vectors);
        reduction.run(&Watch::default()).unwrap();
        assert_eq!(determinant(&reduction.transform).abs(), Rational::ONE);
        // Four vectors in a plane: two of them become 0.
        assert_eq!((0..4).filter(|&at| reduction.gram[at][at].is_zero()).count(), 2);
        assert_eq!(reduced_coordinates(&system).unwrap().columns.len(), 2);
    }

    #[test]
    fn a_skewed_lattice_gets_short_vectors() {
        let vectors = [[1, 0, 1000], [0, 1, 1001], [0, 0, 100_003]].map(|v| v.map(Rational::from).to_vec());
        let mut reduction = Reduction::new(&vectors);
        reduction.run(&Watch::default()).unwrap();
        // The product of the lengths is at most 2^(n(n-1)/4) times the determinant.
        let squares = (0..3).fold(Rational::ONE, |product, at| product * &reduction.gram[at][at]);
        assert!(squares <= Rational::from(8 * 100_003_i64 * 100_003));
        assert_eq!(reduction.gram[0][0], Rational::from(3));
    }
}
