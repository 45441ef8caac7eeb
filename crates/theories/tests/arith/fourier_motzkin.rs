//! Fourier–Motzkin elimination: the reference for the reals.

use tamis_theories::arith::Rational;

/// `Σ coefficients·x ≤ constant`, or `<`.
#[derive(Clone, PartialEq, Debug)]
pub struct Inequality {
    pub coefficients: Vec<Rational>,
    pub constant: Rational,
    pub strict: bool,
}

/// Whether the inequalities have a common real solution.
pub fn satisfiable(mut system: Vec<Inequality>) -> bool {
    let variables = system.first().map_or(0, |first| first.coefficients.len());
    for var in 0..variables {
        let (with, mut rest): (Vec<_>, Vec<_>) =
            system.into_iter().partition(|inequality| !inequality.coefficients[var].is_zero());
        let (upper, lower): (Vec<_>, Vec<_>) =
            with.into_iter().partition(|inequality| inequality.coefficients[var].is_positive());
        for above in &upper {
            for below in &lower {
                let (p, q) = (-&below.coefficients[var], &above.coefficients[var]);
                let sum = |a: &Rational, b: &Rational| a * &p + b * q;
                let combined = Inequality {
                    coefficients: above
                        .coefficients
                        .iter()
                        .zip(&below.coefficients)
                        .map(|(a, b)| sum(a, b))
                        .collect(),
                    constant: sum(&above.constant, &below.constant),
                    strict: above.strict || below.strict,
                };
                if !rest.contains(&combined) {
                    rest.push(combined);
                }
            }
        }
        system = rest;
    }
    system.iter().all(
        |left| {
            if left.strict { left.constant.is_positive() } else { !left.constant.is_negative() }
        },
    )
}
