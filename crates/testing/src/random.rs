//! Random numbers for tests.

/// Numbers that look random and are the same in every run: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), which any
/// seed serves, 0 included.
///
/// ```
/// let mut random = tamis_testing::Random::new(7);
/// let colour = random.pick(&["red", "green"]);
/// assert!(random.below(10) < 10 && colour.len() > 2);
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Numbers that a seed decides.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// Any number.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a bound, or 0 if that is 0.
    pub fn below<N: Number>(&mut self, bound: N) -> N {
        N::of(self.next_u64() % bound.as_u64().max(1))
    }

    /// A number between two, which both may come.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below(high.abs_diff(low) + 1) as i64
    }

    /// So many bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| (self.next_u64() >> 56) as u8).collect()
    }

    /// Heads or tails.
    pub fn coin(&mut self) -> bool {
        self.next_u64() >> 63 == 1
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100u64) < chance
    }

    /// One of several. It panics if there is none.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

/// The types of bounds.
pub trait Number: Copy {
    /// The bound as a number.
    fn as_u64(self) -> u64;
    /// A number below the bound.
    fn of(value: u64) -> Self;
}

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            fn as_u64(self) -> u64 {
                self as u64
            }
            fn of(value: u64) -> $ty {
                value as $ty
            }
        }
    )*};
}

numbers!(u8, u32, u64, u128, usize, i32, i64);
