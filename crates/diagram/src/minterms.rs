//! Minterms and products that are few: their diagram and its prime implicants, without a manager.
//!
//! A [`Diagrams`](crate::Diagrams) has tables, locks and threads for functions of any size. To make one takes longer than to
//! find a hundred minterms. What is here is plain: sorted minterms are cut in two by one variable after the other, and
//! nodes are never freed.

use crate::bdd::{BddVar, OutOfNodes};
use crate::isop::cover_between;
use crate::nodes::{FALSE, Function, Nodes, Operation, TRUE};

/// A set of minterms over at most 64 variables.
///
/// ```
/// use tamis_diagram::Minterms;
/// let mut minterms = Minterms::new(3);
/// for values in [[false, true, true], [true, true, true], [true, true, false]] {
///     minterms.add(&values);
/// }
/// let cover = minterms.cover(&[0, 1, 2], 10).unwrap();
/// // The first and the second, the second and the third.
/// assert_eq!(cover.cubes.unwrap().len(), 2);
/// assert_eq!(cover.support, [0, 1, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct Minterms {
    vars: usize,
    /// A bit for each variable's value, the first one's lowest.
    found: Vec<u64>,
    /// Sets of cubes, which are used more than once.
    factors: Vec<Vec<Literals>>,
    /// Cubes, and factors that restrict them.
    products: Vec<(Literals, Vec<usize>)>,
}

/// Variables, by bits, and the values that they have.
#[derive(Clone, Copy, Debug)]
struct Literals {
    vars: u64,
    values: u64,
}

impl Literals {
    fn new(cube: &[(usize, bool)]) -> Literals {
        let bits = |only: bool| {
            cube.iter().filter(|literal| literal.1 || !only).fold(0, |bits, literal| bits | 1 << literal.0)
        };
        Literals { vars: bits(false), values: bits(true) }
    }
}

/// What a set of minterms is as a sum of products.
pub struct Cover {
    /// Prime implicants none of which can be left out: variables with their values. None if there are too many.
    pub cubes: Option<Vec<Vec<(usize, bool)>>>,
    /// The variables that matter, ascending.
    pub support: Vec<usize>,
    /// The number of minterms.
    pub minterms: f64,
}

impl Minterms {
    /// The most variables that there can be.
    pub const MAX_VARS: usize = 64;

    /// No minterms over so many variables, at most [`MAX_VARS`](Minterms::MAX_VARS).
    pub fn new(vars: usize) -> Minterms {
        debug_assert!(vars <= Minterms::MAX_VARS);
        Minterms { vars, found: Vec::new(), factors: Vec::new(), products: Vec::new() }
    }

    /// Adds a minterm: the values of all variables.
    pub fn add(&mut self, values: &[bool]) {
        debug_assert_eq!(values.len(), self.vars);
        self.found.push(values.iter().rev().fold(0, |bits, &value| bits << 1 | u64::from(value)));
    }

    /// Takes cubes for a factor of products, and returns its number. A cube is a list of variables and their values.
    pub fn factor(&mut self, cubes: &[Vec<(usize, bool)>]) -> usize {
        self.factors.push(cubes.iter().map(|cube| Literals::new(cube)).collect());
        self.factors.len() - 1
    }

    /// Adds all minterms of a cube that are in one of the cubes of each of these factors.
    ///
    /// ```
    /// use tamis_diagram::Minterms;
    /// let mut minterms = Minterms::new(40);
    /// let differ = minterms.factor(&[vec![(1, true), (2, false)], vec![(1, false), (2, true)]]);
    /// minterms.add_product(&[(0, true)], &[differ]);
    /// let order: Vec<usize> = (0..40).collect();
    /// let cover = minterms.cover(&order, 10).unwrap();
    /// assert_eq!((cover.minterms, cover.support), (f64::from(1 << 19) * f64::from(1 << 19), vec![0, 1, 2]));
    /// ```
    pub fn add_product(&mut self, cube: &[(usize, bool)], factors: &[usize]) {
        self.products.push((Literals::new(cube), factors.to_vec()));
    }

    /// How often a minterm or a product has been added.
    pub fn len(&self) -> usize {
        self.found.len() + self.products.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.products.is_empty()
    }

    /// The minterms that were added one by one, each by the values of all variables, which are no longer here.
    pub fn take(&mut self) -> Vec<Vec<bool>> {
        let values = |bits: u64| (0..self.vars).map(|var| bits >> var & 1 == 1).collect();
        std::mem::take(&mut self.found).into_iter().map(values).collect()
    }

    /// The minterms as a sum of products, by the diagram in which the variables are in an `order`; of at most `limit` cubes.
    pub fn cover(&self, order: &[usize], limit: u64) -> Result<Cover, OutOfNodes> {
        // The first variable of the order is the highest bit.
        let sorted = |bits: &u64| order.iter().fold(0, |sorted, &var| sorted << 1 | bits >> var & 1);
        let mut minterms: Vec<u64> = self.found.iter().map(sorted).collect();
        minterms.sort_unstable();
        minterms.dedup();
        let mut nodes =
            Nodes::new(order, NODES_AT_START + NODES_PER_PRODUCT * self.products.len().min(NODES_AT_START));
        let mut whole = nodes.of(&minterms, 0)?;
        if !self.products.is_empty() {
            let products = self.union_of_products(&mut nodes, sorted)?;
            whole = nodes.apply(Operation::Or, whole, products)?;
        }
        let (minterms, levels) = nodes.measure(whole);
        let mut support: Vec<usize> = levels.iter().map(|&level| order[level as usize]).collect();
        support.sort_unstable();
        let literal = |(var, value): (BddVar, bool)| (var.index(), value);
        let cubes = cover_between(nodes, &whole, &whole, limit)?;
        let cubes = cubes.map(|cubes| cubes.into_iter().map(|cube| cube.into_iter().map(literal).collect()));
        Ok(Cover { cubes: cubes.map(Iterator::collect), support, minterms })
    }
}

impl Minterms {
    fn union_of_products(
        &self,
        nodes: &mut Nodes<'_>,
        sorted: impl Fn(&u64) -> u64,
    ) -> Result<Function, OutOfNodes> {
        let place =
            |&Literals { vars, values }: &Literals| Literals { vars: sorted(&vars), values: sorted(&values) };
        let mut factors = Vec::with_capacity(self.factors.len());
        for cubes in &self.factors {
            let cubes = cubes.iter().map(|cube| nodes.cube(place(cube)));
            let cubes = cubes.collect::<Result<Vec<Function>, OutOfNodes>>()?;
            factors.push(nodes.union(cubes)?);
        }
        let mut products = Vec::with_capacity(self.products.len());
        for (cube, of_product) in &self.products {
            let mut product = nodes.cube(place(cube))?;
            for &factor in of_product {
                product = nodes.apply(Operation::And, product, factors[factor])?;
            }
            products.push(product);
        }
        nodes.union(products)
    }
}

/// Nodes that room is made for at the start, and for each product.
const NODES_AT_START: usize = 448;
const NODES_PER_PRODUCT: usize = 32;

impl Nodes<'_> {
    /// The function of sorted minterms that agree on all variables above `level`.
    fn of(&mut self, minterms: &[u64], level: usize) -> Result<Function, OutOfNodes> {
        let below = self.order.len() - level;
        if minterms.is_empty() {
            return Ok(FALSE);
        }
        if below < 64 && minterms.len() as u64 == 1 << below {
            return Ok(TRUE);
        }
        let middle = minterms.partition_point(|bits| bits >> (below - 1) & 1 == 0);
        let negative = self.of(&minterms[..middle], level + 1)?;
        let positive = self.of(&minterms[middle..], level + 1)?;
        self.node(level as u32, negative, positive)
    }

    /// The function of a cube, the first variable of the order being the highest bit.
    fn cube(&mut self, Literals { vars, values }: Literals) -> Result<Function, OutOfNodes> {
        let mut function = TRUE;
        for bit in (0..self.order.len()).filter(|bit| vars >> bit & 1 == 1) {
            let level = (self.order.len() - 1 - bit) as u32;
            function = match values >> bit & 1 == 1 {
                true => self.node(level, FALSE, function)?,
                false => self.node(level, function, FALSE)?,
            };
        }
        Ok(function)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test fails by panicking.

    use super::*;
    use crate::{Cube, Diagrams};
    use tamis_testing::Random;

    /// Random sets, with the manager's diagrams as the reference.
    #[test]
    fn as_the_manager_has_it() {
        let mut source = Random::new(7);
        let mut random = |n: u64| source.below(n);
        // The last ones have more nodes than there is room for at first.
        for round in 0..64 {
            let count = if round < 60 { 1 + round % 7 } else { 12 };
            let mut diagrams = Diagrams::new(1 << 16);
            let vars: Vec<BddVar> = (0..count).map(|_| diagrams.new_var().unwrap()).collect();
            let mut order: Vec<usize> = (0..count).collect();
            (1..count).for_each(|i| order.swap(i, random(i as u64 + 1) as usize));
            let arranged: Vec<BddVar> = order.iter().map(|&var| vars[var]).collect();
            diagrams.arrange(&arranged);
            let mut minterms = Minterms::new(count);
            let mut cubes: Vec<Cube> = Vec::new();
            for _ in 0..random(1 << (count + 1)) {
                let values: Vec<bool> = (0..count).map(|_| random(2) == 1).collect();
                minterms.add(&values);
                cubes.push(vars.iter().copied().zip(values).collect());
            }
            let mut function = diagrams.union_of_cubes(&cubes).unwrap();
            let mut some = |most: u64| -> Vec<(usize, bool)> {
                (0..count)
                    .filter_map(|var| Some((var, random(2) == 1)).filter(|_| random(most) == 0))
                    .collect()
            };
            for _ in 0..round % 4 {
                let (cube, sets) = (some(4), [0, 1].map(|_| [some(2), some(3)]));
                let of = |cube: &[(usize, bool)]| -> Cube {
                    cube.iter().map(|&(var, value)| (vars[var], value)).collect()
                };
                let mut product = diagrams.union_of_cubes(&[of(&cube)]).unwrap();
                for set in &sets {
                    let union = diagrams.union_of_cubes(&[of(&set[0]), of(&set[1])]).unwrap();
                    product = diagrams.and(&product, &union).unwrap();
                }
                function = diagrams.or(&function, &product).unwrap();
                let factors = sets.map(|set| minterms.factor(&set));
                minterms.add_product(&cube, &factors);
            }
            let cover = minterms.cover(&order, u64::MAX).unwrap();
            assert_eq!(cover.minterms, diagrams.minterm_count(&function, &vars));
            let support: Vec<usize> = diagrams.support(&function).iter().map(|var| var.index()).collect();
            assert_eq!(cover.support, support);
            let sorted = |cubes: Vec<Vec<(usize, bool)>>| {
                let mut cubes = cubes;
                cubes.iter_mut().for_each(|cube| cube.sort_unstable());
                cubes.sort_unstable();
                cubes
            };
            let by_index = |cube: Cube| cube.into_iter().map(|(var, value)| (var.index(), value)).collect();
            let expected = diagrams.isop(&function).unwrap().into_iter().map(by_index).collect();
            assert_eq!(sorted(cover.cubes.unwrap()), sorted(expected));
        }
    }

    #[test]
    fn all_and_none() {
        let mut minterms = Minterms::new(2);
        assert!(minterms.cover(&[1, 0], 9).unwrap().cubes.unwrap().is_empty());
        for values in [[false, false], [true, false], [false, true], [true, true]] {
            minterms.add(&values);
            minterms.add(&values);
        }
        let cover = minterms.cover(&[1, 0], 9).unwrap();
        assert_eq!((cover.minterms, cover.cubes.unwrap()), (4.0, vec![vec![]]));
        assert_eq!(Minterms::new(0).cover(&[], 9).unwrap().minterms, 0.0);
        assert!(minterms.cover(&[1, 0], 0).unwrap().cubes.is_none());
    }
}
