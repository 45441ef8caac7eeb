//! Accesses that fail, values that were never set, and what an observer is told about stores.

use super::super::code::FunctionCode;
use super::super::memory::{Fault, GAP, LIVE, SET};
use super::super::observer::{Chosen, Event, Unset, Value};
use super::super::outcome::{Limit, Outcome, Stop, Undefined};
use super::super::scalar::{Format, Kind};
use super::Machine;
use tamis_front_c::tree::{FunctionId, Storage, Type};

/// Addresses below this are those of a null pointer's members.
const NULL_PAGE: u64 = 4096;

/// An address is told by an object that is so many bytes away.
const NEIGHBOURHOOD: u64 = 1 << 16;

/// How large a piece of memory is that an uninitialised pointer points to.
const UNKNOWN_OBJECT: u64 = 1 << 14;

impl Machine<'_> {
    /// What an access did wrong.
    #[cold]
    pub fn fault(&self, fault: Fault, access: &str, pc: u32) -> Stop {
        let (address, kind) = match fault {
            Fault::Unset(address) => (address, Undefined::Uninitialised),
            Fault::ReadOnly(address) => (address, Undefined::ReadOnly),
            Fault::NotLive(address) => (address, self.miss(address)),
        };
        let detail = format!("{} is {access}", self.missed(address));
        Box::new(Outcome::Undefined { kind, detail, at: self.position(pc), address: Some(address) })
    }

    /// What an access was to: of a block, also how large it is.
    fn missed(&self, address: u64) -> String {
        match self.memory.blocks.block_near(address) {
            Some((base, block)) if address - base >= block.size => {
                format!("byte {} of the {} of allocation {}", address - base, block.size, block.number)
            }
            Some((_, block)) if block.freed => {
                format!("{}, which was freed with its {} bytes,", self.describe(address), block.size)
            }
            _ => {
                let name = self.describe(address);
                let beside = name.starts_with("address ").then(|| self.beside(address)).flatten();
                beside.unwrap_or(name)
            }
        }
    }

    /// An address at which nothing is, told by the object that is nearest.
    fn beside(&self, address: u64) -> Option<String> {
        let (start, end) = self.memory.nearest(address, NEIGHBOURHOOD)?;
        let (size, name) = (end - start, self.describe_start(start));
        if start.saturating_sub(address).max(address.saturating_sub(end)) < u64::from(GAP) {
            let offset = i128::from(address) - i128::from(start);
            return Some(format!("byte {offset} of the {size} of {name}"));
        }
        let (far, side) =
            if address < start { (start - address, "before") } else { (address - end, "behind") };
        Some(format!("address {address:#x}, {far} bytes {side} the {size} of {name},"))
    }

    /// Notes that addresses are not into one object, or just behind it.
    pub(super) fn check_related(&mut self, a: u64, b: u64, pc: u32) -> Result<(), Stop> {
        // Objects are further apart than a byte.
        let [x, y] = [a, b].map(|at| self.memory.nearest(at, 1).filter(|&(start, _)| start <= at));
        if a == b || (x.is_some() && x == y) {
            return Ok(());
        }
        let told = format!("{} and {}", self.describe(a), self.describe(b));
        self.note(Undefined::Unrelated, &told, pc)
    }

    /// Fails where an access would be to another object than the one that its address was computed in: the bytes between them
    /// belong to none, but no access is to these.
    #[inline(always)]
    pub(super) fn reach(&self, from: u64, to: u64, pc: u32) -> Result<(), Stop> {
        if from.abs_diff(to) > u64::from(GAP) { self.reach_far(from, to, pc) } else { Ok(()) }
    }

    fn reach_far(&self, from: u64, to: u64, pc: u32) -> Result<(), Stop> {
        let lives = |at: u64| self.memory.shadow(at) & LIVE != 0;
        let Some((start, size)) = self.extent_at(from).filter(|_| lives(to)) else { return Ok(()) };
        let end = start + size;
        if size == 0 || !(start..=end).contains(&from) || (start..=end).contains(&to) {
            return Ok(());
        }
        let apart = if to < start { start - 1 } else { end };
        if lives(apart) {
            return Ok(());
        }
        let (far, side) = if to < start { (start - to, "before") } else { (to - end, "behind") };
        let detail = format!(
            "{}, {far} bytes {side} the {size} of {},",
            self.describe(to),
            self.describe_start(start)
        );
        let (kind, at) = (Undefined::OutOfBounds, self.position(pc));
        Err(Box::new(Outcome::Undefined { kind, detail, at, address: Some(to) }))
    }

    /// Why no living object is at an address.
    fn miss(&self, address: u64) -> Undefined {
        if address < NULL_PAGE {
            return Undefined::NullAccess;
        }
        if let Some((_, block)) = self.memory.blocks.block_near(address) {
            return if block.freed { Undefined::UseAfterFree } else { Undefined::OutOfBounds };
        }
        let stack = &self.memory.stack;
        if address >= stack.base && address < stack.end() {
            let above = address - stack.base >= u64::from(self.stack_top + GAP);
            if above || self.local_at(address).is_some() {
                return Undefined::Dangling;
            }
        }
        Undefined::OutOfBounds
    }

    /// Gives values to the bytes of an object that were never set.
    pub(super) fn choose(&mut self, address: u64, size: usize, pc: u32) -> Result<(), Stop> {
        if self.choose_padding(address, size, pc)? {
            return Ok(());
        }
        let name = self.describe(address);
        let object = self.object_at(address);
        let elsewhere = object.is_some_and(|id| matches!(self.unit[id].storage, Storage::Elsewhere));
        if !elsewhere {
            self.note(Undefined::Uninitialised, &name, pc)?;
        }
        let value = self.unset(&name, size as u32 * 8, pc)?;
        for (i, byte) in value.to_le_bytes().into_iter().take(size).enumerate() {
            let at = address + i as u64;
            if self.memory.shadow(at) & SET == 0 {
                self.memory.choose(at, byte);
            }
        }
        let kept = self.memory.load(address, size).unwrap_or_default();
        let bits = size as u32 * 8;
        let kept = if bits >= 64 { kept } else { kept & ((1 << bits) - 1) };
        let ty = object.map(|id| self.unit[id].ty).filter(|&ty| self.unit.size_of(ty) == Some(size as u64));
        let value = ty.and_then(|ty| self.value_of(ty, (self.extended(ty, kept), 0)));
        let value = value.unwrap_or(Value::Unsigned(kept.into()));
        let points_to = ty.and_then(|ty| self.points_to(ty, value));
        let chosen = Some(Chosen { address, size: size.min(8) as u8, bytes: kept });
        self.tell(pc, &Event::Input { name: &name, value, points_to, chosen })
    }

    /// What something holds that was never set.
    pub(super) fn unset(&mut self, name: &str, bits: u32, pc: u32) -> Result<u128, Stop> {
        let moment = self.moment(pc);
        match self.observer.unset(&moment, name, bits) {
            Some(Unset::Value(value)) => Ok(value),
            Some(Unset::Object(number)) => self.unknown_object(number, pc),
            None => Ok(self.inputs.unset(name, bits)),
        }
    }

    /// An address in the middle of a piece of memory that nobody has set: the same one for the same number.
    pub fn unknown_object(&mut self, number: u128, pc: u32) -> Result<u128, Stop> {
        if let Some(&address) = self.unknown_objects.get(&number) {
            return Ok(address.into());
        }
        let address = self.memory.allocate(UNKNOWN_OBJECT, 16, false, self.limits.memory);
        let address = address.ok_or_else(|| self.limit(Limit::Memory, pc))?;
        self.tell(pc, &Event::Allocation { address, size: UNKNOWN_OBJECT, asked: false })?;
        let address = address + UNKNOWN_OBJECT / 2;
        self.unknown_objects.insert(number, address);
        Ok(address.into())
    }

    /// Tells the observer about a store.
    #[cold]
    pub(super) fn stored(
        &mut self,
        value: (u64, u64),
        address: u64,
        index: u32,
        pc: u32,
    ) -> Result<(), Stop> {
        let Some(&(place, ty)) = self.code.stored.get(index as usize) else { return Ok(()) };
        if let Some(record @ Type::Record(_)) = self.unit.pointee(ty)
            && let Some((base, _)) = self.memory.blocks.block_near(value.0)
            && base == value.0
        {
            self.block_types.entry(base).or_insert(record);
        }
        let object = self.describe_place(place, address, ty);
        let Some(value) = self.value_of(ty, value) else { return Ok(()) };
        let points_to = self.points_to(ty, value);
        self.tell(pc, &Event::Assign { object: &object, address, value, points_to })
    }

    /// The bytes of a value in memory as a register has them.
    fn extended(&self, ty: Type, bytes: u64) -> u64 {
        match Kind::of(self.unit, ty) {
            Ok(Kind::Int(k)) if !k.is_wide() => k.normal(bytes),
            _ => bytes,
        }
    }

    /// The scalar parameters of a function whose frame begins at `base`, with their values.
    pub(super) fn parameters(
        &self,
        id: FunctionId,
        target: &FunctionCode,
        base: u32,
    ) -> Vec<(String, String)> {
        let parameters = self.unit[id].params.iter().zip(&target.params);
        let shown = parameters.filter_map(|(&object, &(off, _))| {
            let object = &self.unit[object];
            let size = self.unit.size_of(object.ty).filter(|&size| size <= 8)?;
            let bytes =
                self.memory.load(self.memory.stack.base + u64::from(base + off), size as usize).ok()?;
            let value = self.value_of(object.ty, (self.extended(object.ty, bytes), 0))?;
            let value = self.points_to(object.ty, value).unwrap_or_else(|| value.to_string());
            Some((object.name.clone(), value))
        });
        shown.collect()
    }

    /// A value in registers, as its type shows it.
    pub fn value_of(&self, ty: Type, (low, high): (u64, u64)) -> Option<Value> {
        Some(match Kind::of(self.unit, ty).ok()? {
            Kind::Int(_) if ty.is_pointer() => Value::Address(low),
            Kind::Int(k) => {
                let bits = if k.is_wide() { u128::from(low) | u128::from(high) << 64 } else { k.widen(low) };
                if k.signed() { Value::Int(bits as i128) } else { Value::Unsigned(bits) }
            }
            Kind::Float(Format::Single) => Value::Float(f32::from_bits(low as u32).into()),
            Kind::Float(Format::Double) => Value::Float(f64::from_bits(low)),
            Kind::Float(Format::Extended) => {
                Value::Float(super::super::extended::Extended::new(low, high).to_f64())
            }
            Kind::Void | Kind::Record { .. } => return None,
        })
    }

    /// The property is violated.
    pub fn violation(&mut self, what: String, pc: u32) -> Stop {
        match self.tell(pc, &Event::Violation(&what)) {
            Ok(()) => Box::new(Outcome::Violation { what, at: self.position(pc) }),
            Err(stop) => stop,
        }
    }
}
