//! Instructions that read and write memory.

use super::super::memory::LIVE;
use super::super::outcome::{Stop, Undefined};
use super::super::scalar::Int;
use super::Machine;

impl Machine<'_> {
    /// The address of what is at an offset of the stack.
    #[inline(always)]
    pub(super) fn local_address(&self, offset: usize) -> u64 {
        self.memory.stack.base + offset as u64
    }

    #[inline(always)]
    pub(super) fn load_local(&mut self, offset: usize, k: Int, pc: u32) -> Result<u64, Stop> {
        let value = match self.memory.stack.load(offset, k.size()) {
            Ok(value) => value,
            Err(_) => self.load(self.local_address(offset), k.size(), pc)?,
        };
        Ok(k.normal(value))
    }

    #[inline(always)]
    pub(super) fn load_static(&mut self, offset: u32, k: Int, pc: u32) -> Result<u64, Stop> {
        let value = match self.memory.statics.load(offset as usize, k.size()) {
            Ok(value) => value,
            Err(_) => self.load(self.memory.statics.base + u64::from(offset), k.size(), pc)?,
        };
        Ok(k.normal(value))
    }

    /// The two halves of what is wider than a register.
    pub(super) fn load_halves(&mut self, address: u64, size: u8, pc: u32) -> Result<(u64, u64), Stop> {
        self.load(address, size.min(8).into(), pc)?;
        if size > 8 {
            self.load(address + 8, usize::from(size) - 8, pc)?;
        }
        let pair = self.memory.load_pair(address, size.into());
        pair.map_err(|fault| self.fault(fault, "read", pc))
    }

    #[inline(always)]
    pub(super) fn store_local(&mut self, offset: usize, k: Int, value: u64, pc: u32) -> Result<(), Stop> {
        let stored = self.memory.stack.store(offset, k.size(), value);
        stored.map_err(|fault| self.fault(fault, "written", pc))
    }

    #[inline(always)]
    pub(super) fn store_static(&mut self, offset: u32, k: Int, value: u64, pc: u32) -> Result<(), Stop> {
        let stored = self.memory.statics.store(offset as usize, k.size(), value);
        stored.map_err(|fault| self.fault(fault, "written", pc))
    }

    pub(super) fn store_halves(
        &mut self,
        address: u64,
        size: u8,
        (low, high): (u64, u64),
        pc: u32,
    ) -> Result<(), Stop> {
        self.store(address, size.min(8).into(), low, pc)?;
        if size > 8 {
            self.store(address.wrapping_add(8), usize::from(size) - 8, high, pc)?;
        }
        Ok(())
    }

    /// The assignment of a record.
    pub(super) fn copy_record(&mut self, to: u64, from: u64, size: u64, pc: u32) -> Result<(), Stop> {
        if to != from && to.abs_diff(from) < size {
            self.leave_open("an assignment between overlapping objects", pc)?;
        }
        self.copy(to, from, size, pc)
    }

    pub(super) fn clear(&mut self, address: u64, size: u64, pc: u32) -> Result<(), Stop> {
        self.record(address, size, true);
        let filled = self.memory.fill(address, size, 0);
        filled.map_err(|fault| self.fault(fault, "written", pc))
    }

    /// A variable comes into being.
    #[inline(always)]
    pub(super) fn begin(&mut self, offset: usize, size: u32) {
        self.memory.stack.shade(offset, size as usize, LIVE);
    }

    /// The life of a variable is over.
    #[inline(always)]
    pub(super) fn end(&mut self, offset: usize, size: u32) {
        self.memory.stack.shade(offset, size as usize, 0);
    }

    pub(super) fn allocate_on_stack(&mut self, size: u64, align: u32, pc: u32) -> Result<u64, Stop> {
        if size > u64::from(u32::MAX) {
            return Err(self.undefined(Undefined::ArrayLength, "", pc));
        }
        self.push_stack(size, align, pc)
    }

    /// Gives back the stack down to the address that is kept at an offset of it.
    pub(super) fn release(&mut self, offset: usize, pc: u32) -> Result<(), Stop> {
        let address = self.load(self.local_address(offset), self.word_bytes(), pc)?;
        let address = Int::new(self.unit.word(), false).normal(address);
        self.pop_stack((address - self.memory.stack.base) as u32);
        Ok(())
    }
}
