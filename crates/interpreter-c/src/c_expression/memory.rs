//! Reads of memory as C expressions: members, elements, or at least an access through a pointer.

use super::{EQUALITY, PRIMARY, Printer, SUM, Text, UNARY, c_type};
use tamis_logic::{Bits, Op, Term};
use tamis_program::Object;

/// An address that is further from an object is none in it.
const FAR: u64 = 1 << 31;

/// What is added to something, with its sign.
fn signed_offset(offset: i64) -> String {
    match offset {
        0 => String::new(),
        1.. => format!(" + {offset}"),
        _ => format!(" - {}", offset.unsigned_abs()),
    }
}

impl Printer<'_> {
    /// What a part of memory holds at an address.
    pub(super) fn memory_read(
        &mut self,
        memory: Term,
        address: Term,
        width: u32,
        signed: bool,
    ) -> Option<Text> {
        if let (Op::Store, &[before, at, value]) = (self.terms.op(memory), self.terms.args(memory)) {
            if at == address {
                return self.number(value, signed);
            }
            if self.terms.is_constant(at) && self.terms.is_constant(address) {
                return self.memory_read(before, address, width, signed);
            }
            let same = self.comparison(&[address, at], "==", Some(false), EQUALITY)?;
            let [new, old] = [self.number(value, signed)?, self.memory_read(before, address, width, signed)?];
            return self.conditional(same, new, old);
        }
        let variable = self.program.variable(self.program.var_of(memory)?);
        if let Some(member) = variable.member.clone()
            && let Some(pointer) = self.pointer_before(address, member.offset)
        {
            let pointer = self.number(pointer, false)?.operand(PRIMARY);
            let text = self.text(format!("{pointer}->{}", member.path), PRIMARY)?;
            return if member.signed == signed { Some(text) } else { self.cast(text, width, signed) };
        }
        let name = variable.name.clone();
        if let Some((object, offset, rest)) = self.object_in(&name, address) {
            let member = object.members.iter().find(|(member, size)| {
                rest.is_none() && u64::try_from(offset) == Ok(member.offset) && size * 8 == width.into()
            });
            if let Some((member, _)) = member {
                let text = self.text(format!("{}.{}", object.name, member.path), PRIMARY)?;
                return if member.signed == signed { Some(text) } else { self.cast(text, width, signed) };
            }
            if let Some((size, element_signed)) = object.element.filter(|&(size, _)| size * 8 == width.into())
                && let Some(text) = self.element(&object, offset, rest, size)?
            {
                return if element_signed == signed { Some(text) } else { self.cast(text, width, signed) };
            }
            let rest = match rest {
                Some(rest) => format!(" + {}", self.number(rest, true)?.operand(SUM + 1)),
                None => String::new(),
            };
            let place = format!("((char *)&{}{}{rest})", object.name, signed_offset(offset));
            return self.text(format!("*({} *){place}", c_type(width, signed)), UNARY);
        }
        let address = self.number(address, false)?.operand(UNARY);
        self.text(format!("*({} *){address}", c_type(width, signed)), UNARY)
    }

    /// The object, or its element, that begins at an address. Addresses are so high that numbers of 64 bits are not taken for them.
    pub(super) fn object_at(&self, address: &Bits) -> Option<String> {
        if address.width() != 64 {
            return None;
        }
        let address = u64::try_from(address.unsigned()).ok()?;
        let holds = |object: &&Object| address.wrapping_sub(object.base) < object.size;
        let object = self.program.objects().iter().find(holds)?;
        match (address - object.base, object.element) {
            (offset, Some((size, _))) if size > 0 && offset % size == 0 => {
                Some(format!("&{}[{}]", object.name, offset / size))
            }
            (0, _) => Some(format!("&{}", object.name)),
            _ => None,
        }
    }

    /// How what is in a part of memory is read; `None` if that is open.
    pub(super) fn element_signedness(&self, memory: Term) -> Option<bool> {
        let variable = self.program.variable(self.program.var_of(memory)?);
        if let Some(member) = &variable.member {
            return Some(member.signed);
        }
        let name = variable.name.strip_prefix("memory of ")?;
        let object = self.program.objects().iter().find(|o| o.name == name)?;
        object.element.map(|(_, signed)| signed)
    }

    /// The pointer that an address is so many bytes behind.
    fn pointer_before(&self, address: Term, offset: u64) -> Option<Term> {
        let (constant, rest) = self.constant_part(address);
        match rest {
            Some(rest) if constant == offset => Some(rest),
            _ => None,
        }
    }

    /// An address as a constant and what is added to it.
    fn constant_part(&self, address: Term) -> (u64, Option<Term>) {
        if let Some(bits) = self.terms.bits_constant(address) {
            return (bits.unsigned() as u64, None);
        }
        if let (Op::Add, &[a, b]) = (self.terms.op(address), self.terms.args(address)) {
            for (constant, rest) in [(a, b), (b, a)] {
                if let Some(bits) = self.terms.bits_constant(constant) {
                    return (bits.unsigned() as u64, Some(rest));
                }
            }
        }
        (0, Some(address))
    }

    /// The object that an address lies in by its constant part, how far in that is, and what is added to it. Where
    /// something is added, the constant part may lie beside the object: the name of the memory tells which one is meant.
    fn object_in(&self, memory: &str, address: Term) -> Option<(Object, i64, Option<Term>)> {
        let (constant, rest) = self.constant_part(address);
        let distance = |o: &&Object| constant.wrapping_sub(o.base) as i64;
        let holds = |o: &&Object| (0..o.size as i64).contains(&distance(o));
        let named = |o: &&Object| memory.strip_prefix("memory of ") == Some(&o.name);
        let objects = || self.program.objects().iter();
        let object = match rest {
            None => objects().find(holds),
            Some(_) => objects().filter(named).min_by_key(|o| distance(o).unsigned_abs()),
        }?;
        let offset = distance(&object);
        (offset.unsigned_abs() < FAR).then(|| (object.clone(), offset, rest))
    }

    /// An element of an array whose index is not scaled otherwise than by the size of elements.
    fn element(
        &mut self,
        array: &Object,
        offset: i64,
        rest: Option<Term>,
        size: u64,
    ) -> Option<Option<Text>> {
        let elements = i64::try_from(size).unwrap_or(1).max(1);
        if offset % elements != 0 {
            return Some(None);
        }
        let first = offset / elements;
        let index = match rest {
            None => first.to_string(),
            Some(rest) => {
                let Some(index) = self.divided(rest, size) else { return Some(None) };
                // Addresses are extended from what indexes them.
                let index = match self.terms.op(index) {
                    Op::SignExtend | Op::ZeroExtend => self.terms.args(index)[0],
                    _ => index,
                };
                let signed = self.signedness(index).unwrap_or(true);
                let text = self.number(index, signed)?;
                if first == 0 { text.text } else { format!("{}{}", text.operand(SUM), signed_offset(first)) }
            }
        };
        Some(Some(self.text(format!("{}[{index}]", array.name), PRIMARY)?))
    }

    /// What a term is a multiple of the size of.
    fn divided(&self, t: Term, size: u64) -> Option<Term> {
        if size == 1 {
            return Some(t);
        }
        let args = self.terms.args(t);
        let is =
            |t: Term, value: u64| self.terms.bits_constant(t).is_some_and(|c| c.unsigned() == value.into());
        match (self.terms.op(t), args) {
            (Op::Mul, &[a, b]) if is(b, size) => Some(a),
            (Op::Mul, &[a, b]) if is(a, size) => Some(b),
            (Op::Shl, &[a, b]) if size.is_power_of_two() && is(b, size.trailing_zeros().into()) => Some(a),
            _ => None,
        }
    }
}
