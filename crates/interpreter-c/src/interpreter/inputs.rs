//! Where a program's inputs come from.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use tamis_front_c::tree::vocabulary::MALLOC_FAILS;

/// The values that `__VERIFIER_nondet_…` gives, and those of variables that were never set.
///
/// ```
/// use tamis_interpreter_c::interpreter::Inputs;
/// let inputs = Inputs::parse("5\n-1\n# a value for one function only\n__VERIFIER_nondet_char 0x41\n")?;
/// assert_eq!(inputs.remaining(), 3);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Inputs {
    any: VecDeque<i128>,
    named: FxHashMap<String, VecDeque<i128>>,
    /// Where values come from that no list has.
    random: Random,
    /// Whether calls beyond the lists are answered as well.
    endless: bool,
    /// What every byte is that was never set, if all are the same.
    fill: Option<u8>,
    /// Which value is taken where C leaves it open.
    alternative: Option<Alternative>,
    /// What is known of the objects that specifications are about.
    objects: FxHashMap<String, Told>,
}

/// What has been told of the object that a specification is about.
#[derive(Clone, PartialEq, Debug, Default)]
struct Told {
    is: Option<u64>,
    is_not: FxHashSet<u64>,
}

/// A value where C leaves it open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alternative {
    /// One of those that are usual, by its number below [`Inputs::ALTERNATIVES`].
    Usual(usize),
    /// This one, where it is possible.
    Value(i64),
}

impl Inputs {
    /// The values in the order in which they are asked for; a run that asks for more stops.
    pub fn list(values: impl IntoIterator<Item = i128>) -> Inputs {
        Inputs {
            any: values.into_iter().collect(),
            named: FxHashMap::default(),
            random: Random::new(0),
            endless: false,
            fill: None,
            alternative: None,
            objects: FxHashMap::default(),
        }
    }

    /// One more value for the function of that name.
    pub fn give(&mut self, function: &str, value: i128) {
        self.named.entry(function.to_owned()).or_default().push_back(value);
    }

    /// The same inputs, where every byte that was never set has the value `byte`, unless a name has values of its own.
    pub fn with_unset_bytes(mut self, byte: u8) -> Inputs {
        self.fill = Some(byte);
        self
    }

    /// The same inputs, where an alternative is taken wherever C leaves a value open, whatever the lists say.
    pub fn with_alternative(mut self, alternative: Alternative) -> Inputs {
        self.alternative = Some(alternative);
        self
    }

    /// Whether an alternative is taken where C leaves a value open.
    pub(super) fn has_alternative(&self) -> bool {
        self.alternative.is_some()
    }

    /// How many values that are usual there are where C leaves a value open: what gcc or the C library gives, and others
    /// that do not look like them.
    pub const ALTERNATIVES: usize = 6;

    /// As many random values as are asked for. Small and extreme ones are frequent.
    pub fn seed(seed: u64) -> Inputs {
        Inputs { random: Random::new(seed), endless: true, ..Inputs::list([]) }
    }

    /// A text with one value in a line, decimal or hexadecimal. A line `name value` is for the function or the unset
    /// variable of that name alone. Empty lines and what follows a `#` are passed over.
    pub fn parse(text: &str) -> Result<Inputs, String> {
        let mut inputs = Inputs::list([]);
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = line.split_whitespace().collect();
            let queue = match words[..] {
                [] => continue,
                [_] => &mut inputs.any,
                [name, _] => inputs.named.entry(name.to_owned()).or_default(),
                _ => return Err(format!("line {}: a value, or a name and a value, is expected", number + 1)),
            };
            let word = words[words.len() - 1];
            let value =
                parse_number(word).ok_or_else(|| format!("line {}: `{word}` is no integer", number + 1))?;
            queue.push_back(value);
        }
        Ok(inputs)
    }

    /// How many values are left in the lists.
    pub fn remaining(&self) -> usize {
        self.any.len() + self.named.values().map(VecDeque::len).sum::<usize>()
    }

    /// The next value for a function, modulo the width of what it returns.
    pub(super) fn next(&mut self, function: &str, bits: u32) -> Option<u128> {
        if let Some(value) = self.named.get_mut(function).and_then(VecDeque::pop_front) {
            return Some(value as u128);
        }
        match self.any.pop_front() {
            Some(value) => Some(value as u128),
            None if self.endless => Some(self.random.interesting(bits)),
            None => None,
        }
    }

    /// Whether something may be the object that a specification is about, or not be it, after all that was told.
    pub(super) fn tells(&mut self, function: &str, object: u64, is_it: bool) -> bool {
        let told = self.objects.entry(function.to_owned()).or_default();
        if !is_it {
            told.is_not.insert(object);
            return told.is != Some(object);
        }
        let agrees = told.is.is_none_or(|known| known == object) && !told.is_not.contains(&object);
        told.is = Some(object);
        agrees
    }

    /// The next value that is for one function alone.
    pub(super) fn named(&mut self, function: &str) -> Option<i128> {
        self.named.get_mut(function).and_then(VecDeque::pop_front)
    }

    /// A value that C leaves open: the one that the list of the name has, if it is a possible one, or one that is usual.
    pub(super) fn unspecified(
        &mut self,
        name: &str,
        possible: impl Fn(i64) -> bool,
        usual: [i64; Inputs::ALTERNATIVES],
    ) -> i64 {
        let listed = self.named.get_mut(name).and_then(VecDeque::pop_front).map(|value| value as i64);
        match self.alternative {
            Some(Alternative::Usual(number)) => usual[number % usual.len()],
            Some(Alternative::Value(value)) if possible(value) => value,
            Some(Alternative::Value(_)) => usual[0],
            None => listed.filter(|&value| possible(value)).unwrap_or(usual[0]),
        }
    }

    /// Whether the next allocation fails, if a list of that name says so, or all values are random.
    pub(super) fn allocation_fails(&mut self) -> Option<bool> {
        match self.named.get_mut(MALLOC_FAILS).and_then(VecDeque::pop_front) {
            Some(value) => Some(value & 1 != 0),
            None => self.endless.then(|| self.random.next().is_multiple_of(8)),
        }
    }

    /// The value of an object that was never set.
    pub(super) fn unset(&mut self, name: &str, bits: u32) -> u128 {
        match self.named.get_mut(name).and_then(VecDeque::pop_front) {
            Some(value) => value as u128,
            None => match self.fill {
                Some(byte) => u128::from_le_bytes([byte; 16]),
                None => self.random.interesting(bits),
            },
        }
    }
}

/// An integer as C writes it: decimal or hexadecimal, with a sign.
pub fn parse_number(word: &str) -> Option<i128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u128::from_str_radix(hex, 16).ok()?,
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse::<u128>().ok()?,
        None => return None,
    };
    Some(if negative { (value as i128).wrapping_neg() } else { value as i128 })
}

/// A generator of random numbers: splitmix64.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A value that is often small, near a power of two, or extreme: there the bugs are.
    fn interesting(&mut self, bits: u32) -> u128 {
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        match self.next() % 8 {
            0 | 1 => any % 4,
            2 => any % 256,
            3 => (any % 256).wrapping_neg(),
            4 => (1u128 << (self.next() % u64::from(bits.clamp(1, 128)))).wrapping_sub(any % 3),
            _ => any,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(parse_number("-12"), Some(-12));
        assert_eq!(parse_number("0xffu"), Some(255));
        assert_eq!(parse_number("+7"), Some(7));
        for wrong in ["", "-", "0x", "x", "1.5", "--1", "- 1"] {
            assert_eq!(parse_number(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_name_has_values_of_its_own() {
        let mut inputs = Inputs::parse("1\nf 2 # two\n\n3\n").unwrap();
        assert_eq!(inputs.next("f", 32), Some(2));
        assert_eq!(inputs.next("f", 32), Some(1));
        assert_eq!(inputs.next("g", 32), Some(3));
        assert_eq!(inputs.next("g", 32), None);
        assert!(Inputs::parse("1 2 3").is_err());
        assert!(Inputs::parse("f x").is_err());
    }

    #[test]
    fn a_seed_is_repeatable() {
        let take = |seed| {
            let mut inputs = Inputs::seed(seed);
            (0..50).map(|_| inputs.next("f", 32)).collect::<Vec<_>>()
        };
        assert_eq!(take(3), take(3));
        assert_ne!(take(3), take(4));
    }
}
