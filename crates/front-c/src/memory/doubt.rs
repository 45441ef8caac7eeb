//! Comparisons of addresses whose result is not the same in every build of a program.

use super::analysis::Thing;
use super::nodes::{NodeId, Pointer};
use super::regions::Memory;
use crate::tree::{ExprId, ExprKind, Storage, StringId, Type};

/// More string literals than this are not compared one by one.
const LITERALS: usize = 64;

/// Why it is not known whether two addresses are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Doubt {
    /// They may be those of string literals that share their memory, or do not (C11 6.4.5p7).
    Literals,
    /// One comes from outside of the program, and may be the address of one of its objects.
    Outside,
}

impl Memory<'_> {
    /// Whether there is doubt about a comparison of two addresses.
    pub(crate) fn doubt(&mut self, a: ExprId, b: ExprId) -> Option<Doubt> {
        let (a, b) = (self.unconverted(a)?, self.unconverted(b)?);
        let (left, right) = (self.target(a)?, self.target(b)?);
        let nodes = (self.node(left), self.node(right));
        if let Some(&known) = self.doubts.get(&nodes) {
            return known;
        }
        let doubt = if self.share_literals(left, right) {
            Some(Doubt::Literals)
        } else {
            (nodes.0 == nodes.1 && self.may_come_from_outside(nodes.0)).then_some(Doubt::Outside)
        };
        self.doubts.insert(nodes, doubt);
        doubt
    }

    /// What the two sides of a comparison point to is asked only where both are addresses that the program computes.
    pub(crate) fn compared(&mut self, e: ExprId) -> Option<Pointer> {
        let e = self.unconverted(e)?;
        self.analysis.visited(e)
    }

    /// Whether a pointer may be one past the end of an object.
    pub(crate) fn may_end(&mut self, at: Pointer) -> bool {
        let at = self.analysis.nodes.resolve(at);
        let unit = self.analysis.unit;
        let folded = self.analysis.nodes.is_folded(at.node);
        let data = self.analysis.nodes.data(at.node);
        // The size of a block is not known here.
        let size = |thing: Thing| match thing {
            Thing::Object(object) => unit[object].size.filter(|_| unit[object].dynamic_size.is_none()),
            Thing::Literal(literal) => unit.size_of(unit[literal].ty),
            Thing::Result(function) => unit.size_of(unit[function].result),
            Thing::Value(e) => unit.size_of(unit[e].ty),
            Thing::Allocated(_) | Thing::Unknown => None,
        };
        let ends = |&(thing, start): &(Thing, i64)| match size(thing) {
            Some(size) => at.offset == start + size as i64,
            None => at.offset > start,
        };
        folded && !data.objects.is_empty() || data.objects.iter().any(ends)
    }

    /// Whether a pointer may point to the start of an object.
    pub(crate) fn may_start(&mut self, at: Pointer) -> bool {
        let at = self.analysis.nodes.resolve(at);
        let folded = self.analysis.nodes.is_folded(at.node);
        let data = self.analysis.nodes.data(at.node);
        folded && !data.objects.is_empty() || data.objects.iter().any(|&(_, start)| at.offset == start)
    }

    /// Whether both pointers point to the same object that there is once.
    pub(crate) fn is_one(&mut self, a: Pointer, b: Pointer) -> bool {
        let unit = self.analysis.unit;
        let (a, b) = (self.node(a), self.node(b));
        let data = self.analysis.nodes.data(a);
        let there_once = |thing: Thing| match thing {
            Thing::Object(object) => !unit[object].is_automatic() && unit[object].dynamic_size.is_none(),
            Thing::Literal(_) => true,
            _ => false,
        };
        a == b && matches!(data.objects[..], [(thing, _)] if there_once(thing)) && !data.is_elsewhere()
    }

    /// Whether a pointer may point to memory that is allocated at run time.
    pub(crate) fn has_blocks(&mut self, at: Pointer) -> bool {
        let unit = self.analysis.unit;
        let is_block = |thing: &Thing| match *thing {
            Thing::Allocated(_) => true,
            Thing::Object(object) => unit[object].dynamic_size.is_some(),
            _ => false,
        };
        self.things_at(at).iter().any(is_block)
    }

    /// How far a pointer is from the start of the allocated block that it points into, if that is always the same.
    pub(crate) fn offset_in_block(&mut self, at: Pointer) -> Option<i64> {
        let at = self.analysis.nodes.resolve(at);
        let folded = self.analysis.nodes.is_folded(at.node);
        let data = self.analysis.nodes.data(at.node);
        let mut starts = data.objects.iter().map(|&(_, start)| start);
        let first = starts.next()?;
        (!folded && starts.all(|start| start == first)).then_some(at.offset - first)
    }

    /// The address that is converted to a number of the same width, or stays one.
    fn unconverted(&self, e: ExprId) -> Option<ExprId> {
        let unit = self.analysis.unit;
        let wide = |e: ExprId| unit[e].ty.int().is_some_and(|int| int.bits >= unit.word());
        match unit[e].kind {
            _ if unit[e].ty.is_pointer() => Some(e),
            ExprKind::Convert(a) if wide(e) => self.unconverted(a),
            _ => None,
        }
    }

    /// Whether two pointers may point to different string literals of which one may be the end of the other.
    fn share_literals(&mut self, left: Pointer, right: Pointer) -> bool {
        let (left, right) = (self.literals_at(left), self.literals_at(right));
        if left.len().max(right.len()) > LITERALS {
            return true;
        }
        left.iter().any(|&a| right.iter().any(|&b| self.may_overlap(a, b)))
    }

    fn may_overlap(&self, a: StringId, b: StringId) -> bool {
        let unit = self.analysis.unit;
        let element = |literal: StringId| match unit[literal].ty {
            Type::Array(array) => unit.size_of(unit[array].element),
            _ => None,
        };
        if a == b {
            return self.analysis.repeated.contains(&a);
        }
        let (long, short) = (&unit[a].elements, &unit[b].elements);
        element(a) == element(b) && (long.ends_with(short) || short.ends_with(long))
    }

    fn literals_at(&mut self, at: Pointer) -> Vec<StringId> {
        let literals = self.things_at(at).into_iter().filter_map(|thing| match thing {
            Thing::Literal(literal) => Some(literal),
            _ => None,
        });
        literals.collect()
    }

    /// Whether pointers to a node may come from outside although there is something of the program.
    fn may_come_from_outside(&mut self, node: NodeId) -> bool {
        let unit = self.analysis.unit;
        let exact = self.exact_numbers;
        let data = self.analysis.nodes.data(node);
        let is_own = |thing: &Thing| match *thing {
            Thing::Object(object) => unit[object].storage != Storage::Elsewhere,
            Thing::Literal(_) | Thing::Allocated(_) => true,
            Thing::Result(_) | Thing::Value(_) | Thing::Unknown => false,
        };
        let own = !data.functions.is_empty() || data.objects.iter().any(|(thing, _)| is_own(thing));
        own && (data.is_elsewhere() || !exact && (data.number || data.guessed))
    }
}
