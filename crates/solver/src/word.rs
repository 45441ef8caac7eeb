//! Arithmetic on words of literals, the least significant bit first.
//!
//! All operators follow SMT-LIB's `FixedSizeBitVectors`, division by zero and shifts beyond the width included; the
//! circuits give those cases by construction, and say where.

use crate::circuit::{Circuit, Lit};

/// A bit-vector's bits, the least significant first.
pub(crate) type Word = Vec<Lit>;

impl Circuit {
    /// `a + b + carry`, a ripple of full adders.
    pub fn add_word(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Word {
        let mut sum = Word::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            sum.push(self.xor3(x, y, carry));
            carry = self.majority(x, y, carry);
        }
        sum
    }

    /// `-a` if `negate`, else `a`: the bits are flipped and 1 is added, or nothing is.
    pub fn negate_if(&mut self, negate: Lit, a: &[Lit]) -> Word {
        let mut carry = negate;
        let mut result = Word::with_capacity(a.len());
        for &x in a {
            let flipped = self.xor(x, negate);
            result.push(self.xor(flipped, carry));
            carry = self.and(flipped, carry);
        }
        result
    }

    /// `a < b`, unsigned: the borrow of `a - b`, bit by bit from the lowest.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = Lit::FALSE;
        for (&x, &y) in a.iter().zip(b) {
            less = self.majority(!x, y, less);
        }
        less
    }

    /// `a < b`, signed: the unsigned order with the sign bits exchanged.
    pub fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let top = a.len() - 1;
        let below = self.less(&a[..top], &b[..top]);
        self.majority(a[top], !b[top], below)
    }

    /// Whether two words are the same.
    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut same: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| self.xnor(x, y)).collect();
        self.and_many(&mut same)
    }

    /// `if c then a else b`, bit by bit.
    pub fn ite_word(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&x, &y)| self.ite(c, x, y)).collect()
    }

    /// `a · b`, by shifted additions, as many as the operand with fewer possible ones has.
    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let rows = |w: &[Lit]| w.iter().filter(|&&bit| bit != Lit::FALSE).count();
        let is_constant = |w: &[Lit]| w.iter().all(|bit| bit.as_constant().is_some());
        let (a, b) = if is_constant(a) || (!is_constant(b) && rows(a) < rows(b)) { (b, a) } else { (a, b) };
        if is_constant(b) {
            return self.multiply_by_constant(a, b);
        }
        let width = a.len();
        let mut sum = vec![Lit::FALSE; width];
        for (shift, &bit) in b.iter().enumerate() {
            if bit == Lit::FALSE {
                continue;
            }
            let row: Word = a[..width - shift].iter().map(|&x| self.and(x, bit)).collect();
            let high = self.add_word(&sum[shift..], &row, Lit::FALSE);
            sum.truncate(shift);
            sum.extend(high);
        }
        sum
    }

    /// `a · b` for a constant `b`: in its non-adjacent form, with digits -1, 0 and 1, at most every other digit is
    /// not 0, so there are at most half as many additions and subtractions as bits.
    fn multiply_by_constant(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len();
        let mut sum = vec![Lit::FALSE; width];
        let bit = |i: usize| usize::from(b.get(i) == Some(&Lit::TRUE));
        let mut carry = 0;
        for shift in 0..width {
            let total = bit(shift) + carry;
            // An odd remainder takes the digit that leaves an even number of pairs: -1 before another one.
            let negative = total == 1 && bit(shift + 1) == 1;
            carry = usize::from(total == 2 || negative);
            if total != 1 {
                continue;
            }
            let flip = Lit::constant(negative);
            let row: Word = a[..width - shift].iter().map(|&x| x.flip_if(negative)).collect();
            let high = self.add_word(&sum[shift..], &row, flip);
            sum.truncate(shift);
            sum.extend(high);
        }
        sum
    }

    /// Quotient and remainder of unsigned division, by a restoring divider.
    ///
    /// After k steps the remainder is at most the k top bits of `a`, so step k compares and subtracts k bits. A zero
    /// divisor is subtracted in every step and leaves the remainder alone: the quotient is all ones and the remainder
    /// `a`, as SMT-LIB wants it.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        // high_zero[k]: bits k and above of the divisor are 0.
        let mut high_zero = vec![Lit::TRUE; width + 1];
        for k in (0..width).rev() {
            high_zero[k] = self.and(high_zero[k + 1], !b[k]);
        }
        let mut quotient = vec![Lit::FALSE; width];
        let mut remainder = Word::new();
        for step in 1..=width {
            remainder.insert(0, a[width - step]);
            let divisor = &b[..step];
            let less = self.less(&remainder, divisor);
            let fits = self.and(high_zero[step], !less);
            quotient[width - step] = fits;
            let complement: Word = divisor.iter().map(|&bit| !bit).collect();
            let difference = self.add_word(&remainder, &complement, Lit::TRUE);
            remainder = self.ite_word(fits, &difference, &remainder);
        }
        (quotient, remainder)
    }

    /// `a` shifted up by `by`, zeros coming in.
    pub fn shift_left(&mut self, a: &[Lit], by: &[Lit]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&reversed, by, Lit::FALSE);
        shifted.reverse();
        shifted
    }

    /// `a` shifted down by `by`, copies of `fill` coming in: one row of selectors for each bit of the amount that is
    /// worth less than the width; any higher bit makes it all `fill`.
    pub fn shift_right(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut beyond = Vec::new();
        for (i, &bit) in by.iter().enumerate() {
            if i >= 32 || 1 << i >= width {
                beyond.push(bit);
                continue;
            }
            let from = |j: usize| word.get(j + (1 << i)).copied().unwrap_or(fill);
            let moved: Word = (0..width).map(from).collect();
            word = self.ite_word(bit, &moved, &word);
        }
        let beyond = self.or_many(&mut beyond);
        let filled = vec![fill; width];
        self.ite_word(beyond, &filled, &word)
    }

    /// The element at `index` of an array of as many elements as there are indices: the low half or the high half of the
    /// array for the index's top bit, and so on.
    pub fn select_word(&mut self, mut array: Word, index: &[Lit]) -> Word {
        for &bit in index.iter().rev() {
            let high = array.split_off(array.len() / 2);
            array = self.ite_word(bit, &high, &array);
        }
        array
    }

    /// The array with `element` at `index`.
    pub fn store_word(&mut self, array: &[Lit], index: &[Lit], element: &[Lit]) -> Word {
        let mut written = Word::with_capacity(array.len());
        for (at, old) in array.chunks(element.len()).enumerate() {
            let bits = index.iter().enumerate();
            let mut same: Vec<Lit> = bits.map(|(i, &bit)| bit.flip_if(at >> i & 1 == 0)).collect();
            let here = self.and_many(&mut same);
            written.extend(self.ite_word(here, element, old));
        }
        written
    }
}
