//! Candidates of certain shapes, at one point: linear relations, bounds and orders that hold of all samples.

use super::fit::{mask, normalised, relations};
use tamis_logic::{Bits, Model, Term, Terms, Value};

/// The most variables among which linear relations are looked for, and orders.
const MOST_RELATED: usize = 32;
const MOST_ORDERED: usize = 10;

/// Products of so many variables are looked at.
const MOST_MULTIPLIED: usize = 5;

/// Relations with larger coefficients are coincidences.
const LARGEST_COEFFICIENT: u64 = 1 << 20;
const LARGEST_OF_PRODUCTS: u64 = 16;

/// A relation of so many variables is a coincidence.
const MOST_IN_RELATION: usize = 6;

/// More samples than there are variables, by so many: fewer fit anything.
const MORE_SAMPLES: usize = 3;

/// The values of variables of one width in samples.
pub(super) struct Table {
    width: u32,
    variables: Vec<Term>,
    rows: Vec<Vec<u64>>,
}

impl Table {
    /// One for each width, of the variables that have values in all samples, in their order.
    pub fn of(terms: &Terms, variables: &[Term], samples: &[&Model]) -> Vec<Table> {
        let mut tables: Vec<Table> = Vec::new();
        for &v in variables {
            let Some(width) = terms.sort(v).width().filter(|w| (2..=64).contains(w)) else { continue };
            let value = |model: &&Model| match model.get(v) {
                Some(Value::Bits(bits)) => Some(bits.unsigned() as u64),
                _ => None,
            };
            let Some(column) = samples.iter().map(value).collect::<Option<Vec<u64>>>() else { continue };
            let table = match tables.iter().position(|t| t.width == width) {
                Some(i) => &mut tables[i],
                None => {
                    tables.push(Table {
                        width,
                        variables: Vec::new(),
                        rows: vec![Vec::new(); samples.len()],
                    });
                    tables.last_mut().expect("one was pushed")
                }
            };
            if table.variables.len() < MOST_RELATED {
                table.variables.push(v);
                table.rows.iter_mut().zip(column).for_each(|(row, x)| row.push(x));
            }
        }
        tables
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn variables(&self) -> &[Term] {
        &self.variables
    }

    /// Another sample; one without a value for each variable is left out.
    pub fn push(&mut self, sample: &Model) {
        let value = |v: &Term| match sample.get(*v) {
            Some(Value::Bits(bits)) => Some(bits.unsigned() as u64),
            _ => None,
        };
        self.rows.extend(self.variables.iter().map(value).collect::<Option<Vec<u64>>>());
    }

    fn column(&self, i: usize) -> impl Iterator<Item = u64> + '_ {
        self.rows.iter().map(move |row| row[i])
    }

    fn signed(&self, x: u64) -> i64 {
        let unused = 64 - self.width;
        ((x << unused) as i64) >> unused
    }

    fn varies(&self, i: usize) -> bool {
        let first = self.column(i).next();
        self.column(i).any(|x| Some(x) != first)
    }

    /// Linear relations between the variables.
    pub fn linear(&self, terms: &mut Terms) -> Vec<Term> {
        let monomials: Vec<Vec<usize>> = (0..self.variables.len()).map(|i| vec![i]).collect();
        self.relations(terms, &monomials, LARGEST_COEFFICIENT)
    }

    /// All linear relations between the variables, however few samples there are.
    pub fn all_linear(&self, terms: &mut Terms) -> Vec<Term> {
        let monomials: Vec<Vec<usize>> = (0..self.variables.len()).map(|i| vec![i]).collect();
        let rows: Vec<Vec<u64>> =
            self.rows.iter().map(|row| std::iter::once(1).chain(row.iter().copied()).collect()).collect();
        let found = relations(self.width, monomials.len() + 1, &rows);
        let normalised = found.into_iter().map(|relation| normalised(self.width, relation));
        normalised.map(|(relation, common)| self.relation(terms, &monomials, &relation, common)).collect()
    }

    /// Relations between the variables that change, and their products.
    pub fn quadratic(&self, terms: &mut Terms) -> Vec<Term> {
        let vary: Vec<usize> =
            (0..self.variables.len()).filter(|&i| self.varies(i)).take(MOST_MULTIPLIED).collect();
        let mut monomials: Vec<Vec<usize>> = Vec::new();
        for (n, &i) in vary.iter().enumerate() {
            monomials.extend(vary[n..].iter().map(|&j| vec![i, j]));
        }
        monomials.extend(vary.iter().map(|&i| vec![i]));
        let found = self.relations(terms, &monomials, LARGEST_OF_PRODUCTS);
        let linear = self.linear(terms);
        found.into_iter().filter(|f| !linear.contains(f)).collect()
    }

    fn relations(&self, terms: &mut Terms, monomials: &[Vec<usize>], largest: u64) -> Vec<Term> {
        if self.rows.len() < monomials.len() + MORE_SAMPLES {
            return Vec::new();
        }
        let product = |row: &[u64], m: &[usize]| m.iter().fold(1u64, |p, &i| p.wrapping_mul(row[i]));
        let rows: Vec<Vec<u64>> = self
            .rows
            .iter()
            .map(|row| std::iter::once(1).chain(monomials.iter().map(|m| product(row, m))).collect())
            .collect();
        let mut found = Vec::new();
        for relation in relations(self.width, monomials.len() + 1, &rows) {
            let (relation, common) = normalised(self.width, relation);
            let used = relation[1..].iter().filter(|&&c| c != 0).count();
            // That products are even says little.
            let has_products = monomials.iter().any(|m| m.len() > 1);
            let size = |c: u64| (c >> common).min((c.wrapping_neg() & mask(self.width)) >> common);
            let is_small = relation[1..].iter().all(|&c| size(c) <= largest);
            if (1..=MOST_IN_RELATION).contains(&used) && is_small && !(has_products && common > 0) {
                found.push(self.relation(terms, monomials, &relation, common));
            }
        }
        found
    }

    /// Σ cᵢ·mᵢ = 0, in width - `common` bits, with what is negative on the other side.
    fn relation(&self, terms: &mut Terms, monomials: &[Vec<usize>], relation: &[u64], common: u32) -> Term {
        let mut sides = [terms.bits(self.width, 0); 2];
        let width = self.width - common;
        for (i, &c) in relation.iter().enumerate().filter(|&(_, &c)| c != 0) {
            let c = c >> common;
            let minus = c.wrapping_neg() & mask(width);
            let (side, c) = if minus < c { (1, minus) } else { (0, c) };
            let mut product = terms.bits(self.width, u128::from(c));
            if i > 0 {
                for &j in &monomials[i - 1] {
                    product = terms.mul(product, self.variables[j]);
                }
            }
            sides[side] = terms.add(sides[side], product);
        }
        if common > 0 {
            sides = sides.map(|side| terms.extract(width - 1, 0, side));
        }
        terms.eq(sides[0], sides[1])
    }

    /// Bounds of the variables, by numbers of the text and by what samples have at least and at most.
    pub fn bounds(&self, terms: &mut Terms, numbers: &[Bits]) -> Vec<Term> {
        let mut known: Vec<u64> =
            numbers.iter().filter(|n| n.width() == self.width).map(|n| n.unsigned() as u64).collect();
        known.push(0);
        for i in 0..known.len() {
            known.extend([known[i].wrapping_add(1), known[i].wrapping_sub(1)].map(|x| x & mask(self.width)));
        }
        let mut found = Vec::new();
        for (i, &v) in self.variables.iter().enumerate() {
            if !self.varies(i) {
                continue;
            }
            let signed = |x: &u64| self.signed(*x);
            let (Some(low), Some(high)) =
                (self.column(i).min_by_key(signed), self.column(i).max_by_key(signed))
            else {
                continue;
            };
            let (Some(least), Some(most)) = (self.column(i).min(), self.column(i).max()) else { continue };
            let above = known.iter().copied().filter(|x| signed(x) >= signed(&high)).min_by_key(signed);
            let below = known.iter().copied().filter(|x| signed(x) <= signed(&low)).max_by_key(signed);
            let over = known.iter().copied().filter(|&x| x >= most).min();
            let under = known.iter().copied().filter(|&x| x <= least).max();
            let mut number = |x: u64| terms.bits(self.width, u128::from(x));
            let [above, below, over, under, low, least] =
                [above, below, over, under, Some(low), Some(least)].map(|x| x.map(&mut number));
            let high = number(high);
            found.extend(above.map(|x| terms.sle(v, x)));
            found.extend(below.map(|x| terms.sle(x, v)));
            found.extend(over.map(|x| terms.ule(v, x)));
            found.extend(under.map(|x| terms.ule(x, v)));
            found.extend(low.map(|x| terms.sle(x, v)));
            found.extend(least.map(|x| terms.ule(x, v)));
            found.push(terms.sle(v, high));
        }
        found
    }

    /// Orders between two variables that change.
    pub fn orders(&self, terms: &mut Terms) -> Vec<Term> {
        let some: Vec<usize> = (0..self.variables.len()).take(MOST_ORDERED).collect();
        let mut found = Vec::new();
        for &i in &some {
            for &j in some.iter().filter(|&&j| j != i) {
                if !self.varies(i) && !self.varies(j) {
                    continue;
                }
                let (x, y) = (self.variables[i], self.variables[j]);
                let pairs = || self.rows.iter().map(|row| (row[i], row[j]));
                if pairs().all(|(a, b)| a <= b) {
                    found.push(terms.ule(x, y));
                }
                if pairs().all(|(a, b)| self.signed(a) < self.signed(b)) {
                    found.push(terms.slt(x, y));
                }
                if pairs().all(|(a, b)| self.signed(a) <= self.signed(b)) {
                    found.push(terms.sle(x, y));
                } else if pairs().all(|(a, b)| i128::from(self.signed(a)) <= i128::from(self.signed(b)) + 1) {
                    let one = terms.bits(self.width, 1);
                    let next = terms.add(y, one);
                    found.push(terms.sle(x, next));
                }
            }
        }
        found
    }
}
