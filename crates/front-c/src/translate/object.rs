//! Objects in memory: where they are, how they are filled, copied and forgotten.
//!
//! Every object of an activation has an address of its own, a constant. That is one layout of many; a program can
//! tell them apart only by turning addresses into numbers, which [`super::expose`] takes care of.

use super::Translator;
use super::facts::names_itself;
use super::heap::Request;
use crate::memory::{Layout, Pointer, RegionId, Thing, is_aggregate, width};
use crate::tree::{ExprId, FunctionId, ObjectId, Position, Type};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event, Havoc, IntType, Var};

/// Objects of more cells are initialised as a whole, or not tracked.
pub(super) const CELL_LIMIT: usize = 4096;

/// Objects of more cells that come into being again make their whole region arbitrary.
const FORGET_LIMIT: usize = 64;

impl Translator<'_> {
    /// The address of an object in this activation.
    pub(super) fn base(&mut self, thing: Thing, at: Position) -> Result<Term, Error> {
        let local = match thing {
            Thing::Object(object) => self.unit[object].is_automatic(),
            Thing::Literal(_) => false,
            _ => true,
        };
        let known = if local { &self.activations.current().bases } else { &self.addresses.static_bases };
        if let Some(&base) = known.get(&thing) {
            return Ok(self.terms.bits(self.unit.word(), u128::from(base)));
        }
        let (size, align) = self.extent(thing);
        let Some(base) = self.addresses.place(thing, size, align) else {
            return self.unsupported(at, "the program's objects do not fit into memory".to_owned());
        };
        if local {
            self.scopes_change();
            self.activations.current().bases.insert(thing, base);
        } else {
            self.addresses.static_bases.insert(thing, base);
            self.addresses.statics.push((thing, base));
        }
        Ok(self.terms.bits(self.unit.word(), u128::from(base)))
    }

    /// The size and alignment of an object.
    pub(super) fn extent(&self, thing: Thing) -> (u64, u64) {
        let unit = self.unit;
        let of_type = |ty: Type| (unit.size_of(ty).unwrap_or(1), 16);
        match thing {
            Thing::Object(object) => (unit[object].size.unwrap_or(4096), unit[object].align),
            Thing::Literal(literal) => of_type(unit[literal].ty),
            Thing::Result(function) => of_type(unit[function].result),
            Thing::Value(e) | Thing::Allocated(e) => of_type(unit[e].ty),
            Thing::Unknown => (1, 1),
        }
    }

    /// The variable that holds the address of a variable-length array.
    pub(super) fn dynamic_base(&mut self, object: ObjectId, at: Position) -> Result<Var, Error> {
        if let Some(&var) = self.activations.current().locals.get(&object) {
            return Ok(var);
        }
        let frame = self.activations.frame();
        let int = IntType { bits: self.unit.word(), signed: false };
        let _ = at;
        let var = self.builder.temporary(self.terms, &self.unit[object].name, int, frame);
        self.activations.current().locals.insert(object, var);
        Ok(var)
    }

    /// The address of a function.
    pub(super) fn function_address(&mut self, function: FunctionId) -> Term {
        let address = self.addresses.function(function);
        self.terms.bits(self.unit.word(), u128::from(address))
    }

    /// What to call a region: after the first named object in it.
    pub(super) fn region_name(&mut self, region: RegionId) -> String {
        let unit = self.unit;
        let named = self.memory.objects(region).iter().find_map(|(thing, _)| match *thing {
            Thing::Object(object) => Some(unit[object].name.clone()),
            _ => None,
        });
        format!("memory of {}", named.as_deref().unwrap_or("the heap"))
    }

    /// An automatic object in memory comes into being.
    pub(super) fn declare_memory(&mut self, object: ObjectId) -> Result<(), Error> {
        let data = &self.unit[object];
        let pointer = self.memory.thing(Thing::Object(object));
        if let Some(size) = data.dynamic_size {
            let size_type = self.unit[size].ty;
            let size = self.value(size)?;
            let size = self.terms.resize(self.unit.word(), size_type.extends_sign(), size);
            let request = Request { on_stack: true, ..Request::of(self.terms, size) };
            let address = if self.follows_memory() {
                let address = self.single_block(Thing::Object(object), request, data.at)?;
                let area = self.validity.blocks.len() - 1;
                self.activations.current().arrays.insert(object, area);
                address
            } else {
                self.heap_block(request, data.at)?
            };
            let var = self.dynamic_base(object, data.at)?;
            return self.emit(Command::Assign(var, address), data.at, Event::Step);
        }
        let base = self.base(Thing::Object(object), data.at)?;
        match data.init() {
            Some(init) => {
                if names_itself(self.unit, init, object) {
                    self.forget(pointer, base, data.size.unwrap_or(0), data.at)?;
                }
                self.initialise_memory(pointer, base, data.ty, data.size.unwrap_or(0), init, data.at)
            }
            None => self.forget(pointer, base, data.size.unwrap_or(0), data.at),
        }
    }

    /// Makes the contents of an object arbitrary, where it may have had others.
    pub(super) fn forget(
        &mut self,
        pointer: Pointer,
        base: Term,
        size: u64,
        at: Position,
    ) -> Result<(), Error> {
        // What nobody has written yet is arbitrary already.
        if !self.activations.in_loop() {
            return Ok(());
        }
        match self.memory.cells(pointer, size) {
            Some(cells) if cells.len() <= FORGET_LIMIT => {
                for cell in cells {
                    self.forget_cell(cell.region, base, cell.offset, at)?;
                }
                Ok(())
            }
            _ => {
                for region in self.memory.node_regions(pointer) {
                    let alone = self.memory.objects(region).len() == 1 && !self.memory.is_external(region);
                    let cause = if alone {
                        Havoc::Uninitialised
                    } else {
                        Havoc::Approximated("a large local variable without an initial value".to_owned())
                    };
                    let var = self.region_var(region);
                    self.emit(Command::Havoc(var, cause), at, Event::Step)?;
                }
                Ok(())
            }
        }
    }

    fn forget_cell(&mut self, region: RegionId, base: Term, offset: u64, at: Position) -> Result<(), Error> {
        let bits = self.cell_width(region);
        let frame = self.activations.frame();
        let any = self.builder.temporary(self.terms, "uninitialised", IntType { bits, signed: false }, frame);
        self.emit(Command::Havoc(any, Havoc::Uninitialised), at, Event::Step)?;
        let any = self.builder.term(any);
        self.store_raw(region, base, offset, any, at)
    }

    pub(super) fn cell_width(&self, region: RegionId) -> u32 {
        match self.memory.regions[region.index()].layout {
            Layout::Cells { width } => width,
            Layout::Bytes => 8,
        }
    }

    /// Writes one element of a region's array.
    pub(super) fn store_raw(
        &mut self,
        region: RegionId,
        base: Term,
        offset: u64,
        value: Term,
        at: Position,
    ) -> Result<(), Error> {
        let var = self.region_var(region);
        let address = self.offset(base, offset as i64);
        self.put(var, address, value, at)
    }

    /// Fills a piece of memory of known size with a byte.
    pub(super) fn fill(
        &mut self,
        pointer: Pointer,
        base: Term,
        size: u64,
        byte: Term,
        at: Position,
    ) -> Result<(), Error> {
        let cells = if size <= 8 * CELL_LIMIT as u64 { self.memory.cells(pointer, size) } else { None };
        let Some(cells) = cells.filter(|cells| cells.len() <= CELL_LIMIT) else {
            return self.approximate_regions(pointer, "filling a large piece of memory", at);
        };
        let (base, byte) = (self.settled(base, at)?, self.settled(byte, at)?);
        for cell in cells {
            let bits = self.cell_width(cell.region);
            let start = self.memory.regions[cell.region.index()].start.rem_euclid(8) as u32;
            let first =
                if self.memory.regions[cell.region.index()].layout == Layout::Bytes { 0 } else { start };
            let wide = self.terms.repeat((first + bits).div_ceil(8), byte);
            let value = self.terms.extract(first + bits - 1, first, wide);
            self.store_raw(cell.region, base, cell.offset, value, at)?;
        }
        Ok(())
    }

    /// Makes all that a pointer may point to arbitrary, and remembers it.
    pub(super) fn approximate_regions(
        &mut self,
        pointer: Pointer,
        what: &str,
        at: Position,
    ) -> Result<(), Error> {
        for region in self.memory.node_regions(pointer) {
            let var = self.region_var(region);
            let cause = Havoc::Approximated(what.to_owned());
            self.emit(Command::Havoc(var, cause), at, Event::Step)?;
        }
        Ok(())
    }

    /// Copies a struct, a union or an array.
    pub(super) fn copy(
        &mut self,
        to: Pointer,
        to_address: Term,
        from: Pointer,
        from_address: Term,
        ty: Type,
        at: Position,
    ) -> Result<(), Error> {
        if to_address == from_address {
            return Ok(());
        }
        let (to_address, from_address) = (self.settled(to_address, at)?, self.settled(from_address, at)?);
        let mut leaves = Vec::new();
        if !self.leaves(ty, 0, &mut leaves) {
            return self.approximate_regions(to, "copying a large struct", at);
        }
        for (offset, ty, bits) in leaves {
            let source = self.cell_at(from, from_address, offset, ty, bits);
            let target = self.cell_at(to, to_address, offset, ty, bits);
            // What is never accessed on one side is not there to be copied.
            if let (Some(source), Some(target)) = (source, target) {
                let value = self.load_cell(source);
                let value = self.as_moved(target.region, value, at)?;
                self.store_cell(target, value, at)?;
            }
        }
        if let Some(size) = self.unit.size_of(ty) {
            let size = self.terms.bits(self.unit.word(), u128::from(size));
            self.seams(to, to_address, size, at)?;
        }
        self.unpad(to, to_address, ty, at)
    }

    /// The scalars that a type is made of; a union's are its bytes. Whether they are few enough.
    fn leaves(
        &self,
        ty: Type,
        offset: u64,
        out: &mut Vec<(u64, Type, Option<crate::tree::BitField>)>,
    ) -> bool {
        let unit = self.unit;
        match ty {
            Type::Record(record) if unit[record].union => {
                let byte = Type::Int(IntType { bits: 8, signed: false });
                let size = unit[record].size.unwrap_or(0);
                out.extend((0..size.min(CELL_LIMIT as u64 + 1)).map(|i| (offset + i, byte, None)));
            }
            Type::Record(record) => {
                for field in &unit[record].fields {
                    if is_aggregate(field.ty) {
                        if !self.leaves(field.ty, offset + field.offset, out) {
                            return false;
                        }
                    } else if field.bits.is_none_or(|b| b.width > 0) {
                        out.push((offset + field.offset, field.ty, field.bits));
                    }
                }
            }
            Type::Array(array) => {
                let (element, length) = (unit[array].element, unit[array].length.unwrap_or(0));
                let size = unit.size_of(element).unwrap_or(0);
                for i in 0..length {
                    if out.len() > CELL_LIMIT || !self.leaves(element, offset + i * size, out) {
                        return false;
                    }
                }
            }
            _ if width(unit, ty) > 0 => out.push((offset, ty, None)),
            _ => {}
        }
        out.len() <= CELL_LIMIT
    }

    /// Evaluates a struct or union expression: the address of its value.
    pub(super) fn aggregate(&mut self, e: ExprId) -> Result<Term, Error> {
        use crate::tree::{Callee, ExprKind};
        let (unit, at) = (self.unit, self.at(e));
        match unit[e].kind {
            ExprKind::Load(place) => {
                let address = self.address(place)?;
                self.mark_access(place, address)?;
                self.check_strays(place, address)?;
                Ok(address)
            }
            ExprKind::Assign { place, value, .. } => {
                self.check_assignment(place, value, at)?;
                let (to, from) = (self.memory.place(place), self.memory.value(value));
                let to_address = self.address(place)?;
                if !self.follows_memory() {
                    self.mark_access(place, to_address)?;
                }
                self.check_strays(place, to_address)?;
                let to_address = self.steady(to_address, value, at)?;
                let from_address = self.aggregate(value)?;
                self.mark_after(place, to_address, value)?;
                self.copy(to, to_address, from, from_address, unit[e].ty, at)?;
                Ok(to_address)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.aggregate(second)
            }
            ExprKind::Convert(a) => self.aggregate(a),
            ExprKind::Block { ref body, value: Some(value) } => {
                let compounds = self.activations.current().compounds.len();
                body.iter().try_for_each(|&s| self.stmt(s))?;
                let address = self.aggregate(value)?;
                self.leave_scope(body, compounds);
                Ok(address)
            }
            ExprKind::Cond { cond, then, otherwise } => {
                let to = self.memory.value(e);
                let address = self.base(Thing::Value(e), at)?;
                let (yes, no, join) = (self.node(), self.node(), self.node());
                self.branch(cond, yes, no)?;
                for (node, side) in [(yes, then), (no, otherwise)] {
                    self.cursor.resume(node);
                    if self.cursor.here.is_some() {
                        let from = self.memory.value(side);
                        let from_address = self.aggregate(side)?;
                        self.copy(to, address, from, from_address, unit[e].ty, at)?;
                    }
                    self.cursor.jump(join);
                }
                self.cursor.resume(join);
                Ok(address)
            }
            ExprKind::Call { callee, .. } => {
                let thing = match callee {
                    Callee::Function(function) => Thing::Result(function),
                    Callee::Pointer(..) => Thing::Value(e),
                };
                let (size, align) = self.extent(thing);
                let Some(base) = self.addresses.place(thing, size, align) else {
                    return self.unsupported(at, "the program's objects do not fit into memory".to_owned());
                };
                let address = self.terms.bits(self.unit.word(), u128::from(base));
                self.call(e, super::Want::Struct(address))?;
                Ok(address)
            }
            ExprKind::Unsupported(ref what) => self.refuse(at, what),
            _ => self.refuse(at, "this struct or union value"),
        }
    }
}
