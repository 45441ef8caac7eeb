//! The abstract domain: differences between numbers. A zone bounds `xᵢ - xⱼ` for all pairs of its numbers, of which the first is
//! zero, and always says all that follows from its bounds (Dill, *Timing Assumptions and Verification of Finite-State Concurrent
//! Systems*, 1989; Miné, *A New Numerical Abstract Domain Based on Difference-Bound Matrices*, 2001).

/// No bound.
const NONE: i128 = i128::MAX;

/// Bounds of differences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Zone {
    size: usize,
    /// At `i * size + j` the most that `xᵢ - xⱼ` can be.
    bounds: Vec<i128>,
}

fn sum(a: i128, b: i128) -> i128 {
    if a == NONE || b == NONE { NONE } else { a + b }
}

impl Zone {
    /// Any numbers, so many and zero.
    pub fn any(numbers: usize) -> Zone {
        let size = numbers + 1;
        let mut bounds = vec![NONE; size * size];
        (0..size).for_each(|i| bounds[i * size + i] = 0);
        Zone { size, bounds }
    }

    /// The most that `xᵢ - xⱼ` can be, if there is a bound.
    pub fn bound(&self, i: usize, j: usize) -> Option<i128> {
        Some(self.bounds[i * self.size + j]).filter(|&b| b != NONE)
    }

    /// Requires that `xᵢ - xⱼ` is at most a bound; `false` if there are no such numbers.
    #[must_use]
    pub fn require(&mut self, i: usize, j: usize, most: i128) -> bool {
        let size = self.size;
        if sum(most, self.bounds[j * size + i]) < 0 {
            return false;
        }
        if self.bounds[i * size + j] <= most {
            return true;
        }
        for a in 0..size {
            let first = sum(self.bounds[a * size + i], most);
            if first == NONE {
                continue;
            }
            for b in 0..size {
                let way = sum(first, self.bounds[j * size + b]);
                let bound = &mut self.bounds[a * size + b];
                *bound = way.min(*bound);
            }
        }
        true
    }

    /// Nothing is known of a number any more.
    pub fn forget(&mut self, i: usize) {
        for j in (0..self.size).filter(|&j| j != i) {
            self.bounds[i * self.size + j] = NONE;
            self.bounds[j * self.size + i] = NONE;
        }
    }

    /// A number becomes at least so much more, and at most so much.
    pub fn shift(&mut self, i: usize, low: i128, high: i128) {
        for j in (0..self.size).filter(|&j| j != i) {
            let above = &mut self.bounds[i * self.size + j];
            *above = sum(*above, high);
            let below = &mut self.bounds[j * self.size + i];
            *below = sum(*below, -low);
        }
    }

    /// What both say.
    pub fn join(&self, other: &Zone) -> Zone {
        let bounds = std::iter::zip(&self.bounds, &other.bounds).map(|(&a, &b)| a.max(b)).collect();
        Zone { size: self.size, bounds }
    }

    /// Bounds that have grown go to the next of some thresholds, in order; without thresholds, they are given up. What follows from the bounds
    /// that are left is not added, so that this comes to an end.
    pub fn widened(&self, grown: &Zone, thresholds: &[i128]) -> Zone {
        let next = |bound: i128| {
            let at = thresholds.partition_point(|&t| t < bound);
            thresholds.get(at).copied().unwrap_or(NONE)
        };
        let pairs = std::iter::zip(&self.bounds, &grown.bounds);
        let bounds = pairs.map(|(&old, &new)| if new <= old { old } else { next(new) }).collect();
        Zone { size: self.size, bounds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testing::Random;

    const NUMBERS: usize = 3;
    const VALUES: std::ops::Range<i128> = -3..4;

    fn points() -> impl Iterator<Item = [i128; NUMBERS + 1]> {
        VALUES.flat_map(|x| VALUES.flat_map(move |y| VALUES.map(move |z| [0, x, y, z])))
    }

    fn has(zone: &Zone, point: &[i128; NUMBERS + 1]) -> bool {
        let pairs = (0..=NUMBERS).flat_map(|i| (0..=NUMBERS).map(move |j| (i, j)));
        pairs.into_iter().all(|(i, j)| zone.bound(i, j).is_none_or(|most| point[i] - point[j] <= most))
    }

    /// Whatever is done to points is done to the zones that have them.
    #[test]
    fn operations_hold_of_all_points() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let mut below = |n: usize| random.below(n);
            let mut zones = [Zone::any(NUMBERS), Zone::any(NUMBERS)];
            let mut left: [Vec<_>; 2] = [points().collect(), points().collect()];
            for (zone, left) in std::iter::zip(&mut zones, &mut left) {
                for _ in 0..6 {
                    let (i, j, most) = (below(NUMBERS + 1), below(NUMBERS + 1), below(7) as i128 - 2);
                    if i == j {
                        continue;
                    }
                    let before = zone.clone();
                    if zone.require(i, j, most) {
                        left.retain(|p| p[i] - p[j] <= most);
                    } else {
                        assert!(left.iter().all(|p| p[i] - p[j] > most));
                        *zone = before;
                    }
                }
                assert!(points().all(|p| has(zone, &p) == left.contains(&p)), "{zone:?}");
            }
            let [a, b] = &zones;
            let joined = a.join(b);
            let thresholds = [-1, 0, 5];
            let widened = a.widened(&joined, &thresholds);
            assert!(left.iter().flatten().all(|p| has(&joined, p) && has(&widened, p)));
            let (i, low, high) = (1 + below(NUMBERS), -1, below(3) as i128);
            let (mut moved, mut forgotten) = (a.clone(), a.clone());
            moved.shift(i, low, high);
            forgotten.forget(i);
            for p in &left[0] {
                for by in low..=high {
                    let mut q = *p;
                    q[i] += by;
                    assert!(has(&moved, &q) && has(&forgotten, &q));
                }
            }
        }
    }
}
