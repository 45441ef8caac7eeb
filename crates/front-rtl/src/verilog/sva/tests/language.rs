//! Random sequences and properties, as they are written.

use tamis_testing::Random;

/// A sequence.
#[derive(Clone, Debug)]
pub enum S {
    Leaf(char, bool),
    Delay(Option<Box<S>>, usize, Option<usize>, Box<S>),
    Repeat(Box<S>, usize, Option<usize>),
    Goto(char, usize, Option<usize>, bool),
    Or(Box<S>, Box<S>),
    And(Box<S>, Box<S>),
    Intersect(Box<S>, Box<S>),
    Throughout(char, Box<S>),
    Within(Box<S>, Box<S>),
    First(Box<S>),
}

/// A property.
#[derive(Clone, Debug)]
pub enum P {
    Seq(S),
    Then(S, bool, Box<P>),
    Followed(S, bool, Box<P>),
    Not(Box<P>),
    And(Box<P>, Box<P>),
    Or(Box<P>, Box<P>),
    Implies(Box<P>, Box<P>),
    Iff(Box<P>, Box<P>),
    If(char, Box<P>, Box<P>),
    Next(usize, Box<P>),
    Always(Box<P>),
    /// In all cycles of a range, or in one of them.
    Range(bool, usize, usize, Box<P>),
    Until(Box<P>, Box<P>, bool),
    /// `accept_on`, `reject_on`.
    Abort(char, bool, Box<P>),
    /// By the values of two expressions: both, the first alone, or else.
    Case(char, char, Box<P>, Box<P>, Box<P>),
}

fn range(least: usize, most: Option<usize>) -> String {
    match most {
        Some(most) if most == least => least.to_string(),
        Some(most) => format!("{least}:{most}"),
        None => format!("{least}:$"),
    }
}

fn delay(least: usize, most: Option<usize>) -> String {
    if most == Some(least) { format!("##{least}") } else { format!("##[{}]", range(least, most)) }
}

impl S {
    pub fn text(&self) -> String {
        match self {
            S::Leaf(c, true) => c.to_string(),
            S::Leaf(c, false) => format!("!{c}"),
            S::Delay(None, l, m, s) => format!("({} {})", delay(*l, *m), s.text()),
            S::Delay(Some(a), l, m, s) => format!("({} {} {})", a.text(), delay(*l, *m), s.text()),
            S::Repeat(s, l, m) => format!("{}[*{}]", s.text(), range(*l, *m)),
            S::Goto(c, l, m, true) => format!("{c}[->{}]", range(*l, *m)),
            S::Goto(c, l, m, false) => format!("{c}[={}]", range(*l, *m)),
            S::Or(a, b) => format!("({} or {})", a.text(), b.text()),
            S::And(a, b) => format!("({} and {})", a.text(), b.text()),
            S::Intersect(a, b) => format!("({} intersect {})", a.text(), b.text()),
            S::Throughout(c, s) => format!("({c} throughout {})", s.text()),
            S::Within(a, b) => format!("({} within {})", a.text(), b.text()),
            S::First(s) => format!("first_match({})", s.text()),
        }
    }

    /// Whether two languages of different lengths may be cut: what cannot match may be found out later.
    pub fn cuts(&self) -> bool {
        match self {
            S::And(..) | S::Intersect(..) | S::Within(..) | S::Throughout(..) => true,
            S::Leaf(..) | S::Goto(..) => false,
            S::Delay(a, _, _, b) => a.as_ref().is_some_and(|a| a.cuts()) || b.cuts(),
            S::Repeat(s, ..) | S::First(s) => s.cuts(),
            S::Or(a, b) => a.cuts() || b.cuts(),
        }
    }
}

impl P {
    pub fn text(&self) -> String {
        let arrow = |overlap: &bool| if *overlap { "|->" } else { "|=>" };
        match self {
            P::Seq(s) => s.text(),
            P::Then(s, o, p) => format!("({} {} {})", s.text(), arrow(o), p.text()),
            P::Followed(s, o, p) => format!("({} {} {})", s.text(), if *o { "#-#" } else { "#=#" }, p.text()),
            P::Not(p) => format!("(not {})", p.text()),
            P::And(a, b) => format!("({} and {})", a.text(), b.text()),
            P::Or(a, b) => format!("({} or {})", a.text(), b.text()),
            P::Implies(a, b) => format!("({} implies {})", a.text(), b.text()),
            P::Iff(a, b) => format!("({} iff {})", a.text(), b.text()),
            P::If(c, a, b) => format!("(if ({c}) {} else {})", a.text(), b.text()),
            P::Next(n, p) => format!("(nexttime[{n}] {})", p.text()),
            P::Always(p) => format!("(always {})", p.text()),
            P::Range(true, l, m, p) => format!("(always [{l}:{m}] {})", p.text()),
            P::Range(false, l, m, p) => format!("(eventually [{l}:{m}] {})", p.text()),
            P::Abort(c, true, p) => format!("(accept_on ({c}) {})", p.text()),
            P::Abort(c, false, p) => format!("(sync_reject_on ({c}) {})", p.text()),
            P::Case(a, b, x, y, z) => {
                format!(
                    "(case ({{{a}, {b}}}) 2'b11: {}; 2'b10: {}; default: {}; endcase)",
                    x.text(),
                    y.text(),
                    z.text()
                )
            }
            P::Until(a, b, with) => {
                format!("({} until{} {})", a.text(), if *with { "_with" } else { "" }, b.text())
            }
        }
    }

    pub fn cuts(&self) -> bool {
        match self {
            P::Seq(s) => s.cuts(),
            P::Then(s, _, p) | P::Followed(s, _, p) => s.cuts() || p.cuts(),
            P::Not(p) | P::Next(_, p) | P::Always(p) | P::Range(_, _, _, p) | P::Abort(_, _, p) => p.cuts(),
            P::Case(_, _, x, y, z) => x.cuts() || y.cuts() || z.cuts(),
            P::And(a, b)
            | P::Or(a, b)
            | P::Implies(a, b)
            | P::Iff(a, b)
            | P::If(_, a, b)
            | P::Until(a, b, _) => a.cuts() || b.cuts(),
        }
    }
}

/// Makes random ones.
pub struct Maker {
    pub random: Random,
}

impl Maker {
    fn leaf(&mut self) -> char {
        self.random.pick(&['a', 'b', 'c', 'd'])
    }

    fn bounds(&mut self, least: i64, bounded: bool) -> (usize, Option<usize>) {
        let low = self.random.between(least, 2) as usize;
        match self.random.below(if bounded { 3 } else { 4 }) {
            0 => (low, Some(low)),
            1 | 2 => (low, Some(low + self.random.below(3usize))),
            _ => (low, None),
        }
    }

    fn sequence(&mut self, depth: u32, bounded: bool) -> S {
        if depth == 0 {
            return S::Leaf(self.leaf(), self.random.percent(80));
        }
        let inner = |maker: &mut Maker| Box::new(maker.sequence(depth - 1, bounded));
        match self.random.below(12) {
            0..4 => {
                let (least, most) = self.bounds(0, bounded);
                let first = if self.random.percent(70) { Some(inner(self)) } else { None };
                S::Delay(first, least, most, inner(self))
            }
            4 | 5 => {
                let (least, most) = self.bounds(0, bounded);
                S::Repeat(inner(self), least, most)
            }
            6 => S::Or(inner(self), inner(self)),
            7 => S::And(Box::new(self.sequence(depth - 1, true)), Box::new(self.sequence(depth - 1, true))),
            8 => S::Intersect(Box::new(self.sequence(depth - 1, true)), inner(self)),
            9 => S::Throughout(self.leaf(), inner(self)),
            10 if bounded => S::Within(inner(self), Box::new(self.sequence(depth - 1, true))),
            10 => {
                let (least, most) = self.bounds(1, false);
                S::Goto(self.leaf(), least, most, self.random.coin())
            }
            _ => S::First(inner(self)),
        }
    }

    pub fn property(&mut self, depth: u32, bounded: bool) -> P {
        if depth == 0 {
            let depth = self.random.below(3u32);
            return P::Seq(self.sequence(depth, bounded));
        }
        let inner = |maker: &mut Maker, bounded| Box::new(maker.property(depth - 1, bounded));
        let length = self.random.below(3u32);
        match self.random.below(17) {
            14 => {
                let least = self.random.below(3usize);
                P::Range(self.random.coin(), least, least + self.random.below(3usize), inner(self, bounded))
            }
            // What cannot match for its length is found out late, and may be aborted before.
            15 => {
                let aborted = inner(self, bounded);
                if aborted.cuts() { *aborted } else { P::Abort(self.leaf(), self.random.coin(), aborted) }
            }
            16 => P::Case(
                self.leaf(),
                self.leaf(),
                inner(self, bounded),
                inner(self, bounded),
                inner(self, bounded),
            ),
            0..5 => P::Then(self.sequence(length, bounded), self.random.coin(), inner(self, bounded)),
            5 => P::Followed(self.sequence(length, true), self.random.coin(), inner(self, true)),
            6 => P::Not(inner(self, true)),
            7 => P::And(inner(self, bounded), inner(self, bounded)),
            8 => P::Or(inner(self, bounded), inner(self, bounded)),
            9 => P::Implies(inner(self, true), inner(self, bounded)),
            10 => P::Iff(inner(self, true), inner(self, true)),
            11 => P::If(self.leaf(), inner(self, bounded), inner(self, bounded)),
            12 => P::Next(self.random.below(3usize), inner(self, bounded)),
            _ if bounded => inner(self, true).as_ref().clone(),
            _ if self.random.coin() => P::Always(inner(self, false)),
            _ => P::Until(inner(self, false), inner(self, false), self.random.coin()),
        }
    }
}
