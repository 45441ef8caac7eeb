//! Initialisers that override parts of themselves.
//!
//! `rucc` gives the values of an initialiser and where they go, but not its braces. They matter where an initialiser comes
//! back to a struct or array that it has already been in: braces make it 0 again before they set anything (C11 6.7.9p19),
//! a designator alone does not. What is meant is found from where the values stand between the braces of the text; in
//! doubt, the initialiser is not taken.

use crate::tree::{Array, BitField, Type, Unit};
use rucc_lex::{PpToken, PpTokenKind, Punct};
use std::collections::BTreeMap;

/// The braces of a text.
#[derive(Default)]
pub(super) struct Braces {
    /// After each brace, by its place, the innermost brace that is open, by its index here plus one.
    after: Vec<(u32, usize)>,
    /// For each opening brace, the one around it, and the steps of the designator before it.
    opened: Vec<(usize, usize)>,
}

impl Braces {
    pub(super) fn new(tokens: &[PpToken]) -> Braces {
        let mut braces = Braces::default();
        let mut open: Vec<usize> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let parent = open.last().copied().unwrap_or(0);
            match token.kind {
                PpTokenKind::Punct(Punct::LBrace) => {
                    open.push(braces.after.len() + 1);
                    braces.opened.push((parent, steps(&tokens[..index])));
                    braces.after.push((token.span.lo, braces.after.len() + 1));
                }
                PpTokenKind::Punct(Punct::RBrace) => {
                    open.pop();
                    braces.opened.push((0, 0));
                    braces.after.push((token.span.lo, open.last().copied().unwrap_or(0)));
                }
                _ => {}
            }
        }
        braces
    }

    /// The braces that are open at a byte and were opened after another, outermost first: where they are, and the steps
    /// of the designator before each.
    fn around(&self, byte: u32, since: u32) -> Vec<(u32, usize)> {
        let index = self.after.partition_point(|&(place, _)| place < byte);
        let mut open = index.checked_sub(1).map_or(0, |i| self.after[i].1);
        let mut places = Vec::new();
        while open > 0 && self.after[open - 1].0 >= since {
            let (parent, steps) = self.opened[open - 1];
            places.push((self.after[open - 1].0, steps));
            open = parent;
        }
        places.reverse();
        places
    }
}

/// How many steps the designator at the end of some tokens has, or 0 if there is none.
fn steps(before: &[PpToken]) -> usize {
    let punct = |i: usize| match before.get(i).map(|t| t.kind) {
        Some(PpTokenKind::Punct(punct)) => Some(punct),
        _ => None,
    };
    let mut end = before.len();
    if end == 0 || punct(end - 1) != Some(Punct::Eq) {
        return 0;
    }
    end -= 1;
    let mut steps = 0;
    loop {
        if end >= 2 && punct(end - 2) == Some(Punct::Dot) {
            end -= 2;
        } else if end >= 1 && punct(end - 1) == Some(Punct::RBracket) {
            let mut depth = 0usize;
            while end > 0 {
                end -= 1;
                match punct(end) {
                    Some(Punct::RBracket) => depth += 1,
                    Some(Punct::LBracket) => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        } else {
            return steps;
        }
        steps += 1;
    }
}

/// What an initialiser has set so far.
pub(super) struct Cover {
    /// Where the declaration begins.
    since: u32,
    /// The bits that have a value: from the first on to the one after the last, of which type.
    set: BTreeMap<u64, (u64, Type)>,
    /// The end of the highest bits.
    end: u64,
    /// The braces that the last value stood in.
    last: Vec<(u32, usize)>,
}

impl Cover {
    pub(super) fn new(since: u32) -> Cover {
        Cover { since, set: BTreeMap::new(), end: 0, last: Vec::new() }
    }

    /// Takes note of a value of a type that goes to an offset in an object of a type, which begins at an offset itself;
    /// the value stands at a byte of the text. Whether it is clear what the initialiser means.
    pub(super) fn add(
        &mut self,
        unit: &Unit,
        object: (Type, u64),
        value: (Type, u64, Option<BitField>),
        braces: &Braces,
        byte: u32,
    ) -> bool {
        let (ty, offset, bits) = value;
        let start = offset * 8 + bits.map_or(0, |b| u64::from(b.first));
        let end = start + bits.map_or_else(|| unit.size_of(ty).unwrap_or(0) * 8, |b| u64::from(b.width));
        let around = braces.around(byte, self.since);
        let clear = (around == self.last || self.is_clear(unit, object, offset, &around))
            && (start >= self.end || self.agrees(start, end, ty));
        self.set.insert(start, (end, ty));
        self.end = self.end.max(end);
        self.last = around;
        clear
    }

    /// Whether braces that are new open something that nothing was set in. Where braces are left out they go down further
    /// than they seem to: what is looked at then is more than what they open.
    fn is_clear(
        &self,
        unit: &Unit,
        (mut ty, mut from): (Type, u64),
        offset: u64,
        around: &[(u32, usize)],
    ) -> bool {
        for (level, brace) in around.iter().enumerate().skip(1) {
            let designated = brace.1 > 0;
            for _ in 0..brace.1.max(1) {
                let Some((inner, at)) = part(unit, ty, offset - from, designated) else { break };
                (ty, from) = (inner, from + at);
            }
            if self.last.get(level) != Some(brace) && !self.is_empty(unit, ty, from) {
                return false;
            }
        }
        true
    }

    /// Whether nothing is set in an object of a type at an offset.
    fn is_empty(&self, unit: &Unit, ty: Type, from: u64) -> bool {
        let (from, to) = (from * 8, (from + unit.size_of(ty).unwrap_or(0)) * 8);
        let before = self.set.range(..from).next_back().is_none_or(|(_, &(end, _))| end <= from);
        before && self.set.range(from..to.max(from)).next().is_none()
    }

    /// Whether a value takes the place of another one, or of none.
    fn agrees(&self, start: u64, end: u64, ty: Type) -> bool {
        if self.set.get(&start) == Some(&(end, ty)) {
            return true;
        }
        let before = self.set.range(..start).next_back().is_none_or(|(_, &(end, _))| end <= start);
        before && self.set.range(start..end.max(start)).next().is_none()
    }
}

/// The member or element of an object that an offset is in, and where it begins. Of a union it is the first member, unless
/// a designator says which one.
fn part(unit: &Unit, ty: Type, offset: u64, designated: bool) -> Option<(Type, u64)> {
    match ty {
        Type::Array(array) => {
            let Array { element, .. } = unit[array];
            let size = unit.size_of(element).filter(|&s| s > 0)?;
            Some((element, offset / size * size))
        }
        Type::Record(record) if unit[record].union && designated => None,
        Type::Record(record) => {
            let mut fields = unit[record].fields.iter().filter(|f| f.bits.is_none());
            let field = match unit[record].union {
                true => fields.next(),
                false => fields.rfind(|f| f.offset <= offset),
            };
            field.map(|f| (f.ty, f.offset))
        }
        _ => None,
    }
}
