//! Initialisers that override parts of themselves.
//!
//! `rucc` gives the values of an initialiser and where they go, but not its braces. They matter where an initialiser comes
//! back to a struct or array that it has already been in: braces make it 0 again before they set anything (C11 6.7.9p19),
//! a designator alone does not. What is meant is found from where the values stand between the braces of the text; in
//! doubt, the initialiser is not taken.

use crate::tree::{Array, BitField, Type, Unit};
use rucc_base::Interner;
use rucc_lex::{PpToken, PpTokenKind, Punct};
use std::collections::BTreeMap;

/// The braces of a text.
#[derive(Default)]
pub(super) struct Braces {
    /// After each brace, by its place, the innermost brace that is open, by its index here plus one.
    after: Vec<(u32, usize)>,
    /// For each brace, if it is an opening one, the one around it, and the designator before it.
    opened: Vec<(usize, Vec<Step>)>,
}

/// A step of a designator: a member, or an element.
enum Step {
    Member(String),
    Element,
}

impl Braces {
    pub(super) fn new(tokens: &[PpToken], interner: &Interner) -> Braces {
        let mut braces = Braces::default();
        let mut open: Vec<usize> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let parent = open.last().copied().unwrap_or(0);
            match token.kind {
                PpTokenKind::Punct(Punct::LBrace) => {
                    open.push(braces.after.len() + 1);
                    braces.opened.push((parent, steps(&tokens[..index], interner)));
                    braces.after.push((token.span.lo, braces.after.len() + 1));
                }
                PpTokenKind::Punct(Punct::RBrace) => {
                    open.pop();
                    braces.opened.push((0, Vec::new()));
                    braces.after.push((token.span.lo, open.last().copied().unwrap_or(0)));
                }
                _ => {}
            }
        }
        braces
    }

    /// The braces that are open at a byte and were opened after another, outermost first.
    fn around(&self, byte: u32, since: u32) -> Vec<usize> {
        let index = self.after.partition_point(|&(place, _)| place < byte);
        let mut open = index.checked_sub(1).map_or(0, |i| self.after[i].1);
        let mut braces = Vec::new();
        while open > 0 && self.after[open - 1].0 >= since {
            braces.push(open - 1);
            open = self.opened[open - 1].0;
        }
        braces.reverse();
        braces
    }
}

/// The designator at the end of some tokens, if there is one.
fn steps(before: &[PpToken], interner: &Interner) -> Vec<Step> {
    let punct = |i: usize| match before.get(i).map(|t| t.kind) {
        Some(PpTokenKind::Punct(punct)) => Some(punct),
        _ => None,
    };
    let mut steps = Vec::new();
    let mut end = before.len();
    if end == 0 || punct(end - 1) != Some(Punct::Eq) {
        return steps;
    }
    end -= 1;
    loop {
        if end >= 2 && punct(end - 2) == Some(Punct::Dot) {
            let name = before[end - 1].value.map_or("", |name| interner.resolve(name));
            steps.push(Step::Member(name.to_owned()));
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
            steps.push(Step::Element);
        } else {
            steps.reverse();
            return steps;
        }
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
    last: Vec<usize>,
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
        let clear = (around == self.last || self.is_clear(unit, object, offset, braces, &around))
            && (start >= self.end || self.agrees(start, end, ty));
        self.set.insert(start, (end, ty));
        self.end = self.end.max(end);
        self.last = around;
        clear
    }

    /// Whether braces that are new open something that nothing was set in. Where braces are left out they go down further
    /// than they seem to, and where it is not known which part they open it is taken to be all around it: what is looked at
    /// then is more than what they open.
    fn is_clear(
        &self,
        unit: &Unit,
        (mut ty, mut from): (Type, u64),
        offset: u64,
        braces: &Braces,
        around: &[usize],
    ) -> bool {
        let mut is_known = true;
        for (level, &brace) in around.iter().enumerate().skip(1) {
            let designator = &braces.opened[brace].1;
            for i in 0..designator.len().max(1) {
                match part(unit, ty, offset - from, designator.get(i)).filter(|_| is_known) {
                    Some((inner, at)) => (ty, from) = (inner, from + at),
                    None => is_known = false,
                }
            }
            if self.last.get(level) != Some(&brace) && !self.is_empty(unit, ty, from) {
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

/// The member or element of an object that an offset is in, and where it begins. Of a union it is the one that a designator
/// names, and the first one without.
fn part(unit: &Unit, ty: Type, offset: u64, step: Option<&Step>) -> Option<(Type, u64)> {
    match ty {
        Type::Array(array) => {
            let Array { element, .. } = unit[array];
            let size = unit.size_of(element).filter(|&s| s > 0)?;
            Some((element, offset / size * size))
        }
        Type::Record(record) => {
            let mut fields = unit[record].fields.iter().filter(|f| f.bits.is_none());
            let named = |name: &str| fields.clone().find(|f| f.name.as_deref() == Some(name));
            let field = match (step, unit[record].union) {
                (Some(Step::Member(name)), true) => named(name),
                (Some(Step::Element), true) => None,
                (None, true) => fields.next(),
                (_, false) => fields.rfind(|f| f.offset <= offset),
            };
            field.map(|f| (f.ty, f.offset))
        }
        _ => None,
    }
}
