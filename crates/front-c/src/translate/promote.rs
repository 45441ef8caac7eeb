//! Regions of few places become variables.
//!
//! Where every place of a region is known, and there are few, the array is not needed: each place is a variable of
//! its own. An access whose address is a constant is that variable; any other chooses among them. With a single place
//! there is nothing to choose: a pointer into the region points there, or the access is undefined.

use super::addresses::Addresses;
use super::graph::Graph;
use super::variables::Variables;
use crate::memory::{Layout, Memory, RegionId, Thing};
use crate::tree::{Type, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Op, Term, Terms};
use tamis_program::{Builder, Command, FrameId, IntType, Var};

/// Regions of more places stay arrays.
const PLACES: usize = 8;

/// What became of a region.
struct Promoted {
    memory: Term,
    places: Vec<(Term, Var)>,
}

/// What is known of the places of objects.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) unit: &'a Unit,
    pub(super) addresses: &'a Addresses,
    pub(super) variables: &'a Variables,
}

/// Replaces the arrays of small regions by variables.
pub(super) fn promote(
    known: Known<'_>,
    memory: &mut Memory<'_>,
    shadows: &[(Var, Var)],
    (builder, frame): (&mut Builder, FrameId),
    graph: &mut Graph,
    terms: &mut Terms,
) {
    let shadows: FxHashMap<Var, Var> = shadows.iter().copied().collect();
    let mut promoted: FxHashMap<Var, Promoted> = FxHashMap::default();
    for (index, var) in known.variables.regions.iter().enumerate() {
        let Some(var) = *var else { continue };
        let region = RegionId::at(index);
        let Some(places) = places(known, memory, region) else { continue };
        let bits = match memory.regions[index].layout {
            Layout::Cells { width } => width,
            Layout::Bytes => 8,
        };
        let (mut variables, mut parts) = (Vec::new(), Vec::new());
        for place in places {
            let int = IntType { bits, signed: place.signed };
            let address = terms.bits(known.unit.word(), u128::from(place.address));
            variables.push((address, builder.variable(terms, &place.name, int, None)));
            if shadows.contains_key(&var) {
                let byte = IntType { bits: 8, signed: false };
                parts.push((address, builder.temporary(terms, "part", byte, frame)));
            }
        }
        if let Some(&shadow) = shadows.get(&var) {
            promoted.insert(shadow, Promoted { memory: builder.term(shadow), places: parts });
        }
        promoted.insert(var, Promoted { memory: builder.term(var), places: variables });
    }
    if promoted.is_empty() {
        return;
    }
    let by_term: FxHashMap<Term, Var> = promoted.iter().map(|(&var, p)| (p.memory, var)).collect();
    let mut rewrite =
        Rewrite { terms, builder, frame, promoted: &promoted, by_term, known: FxHashMap::default() };
    graph.rewrite(|command, marks| {
        for mark in marks {
            mark.when = rewrite.term(mark.when);
        }
        rewrite.command(command)
    });
}

/// A place of a region.
struct Place {
    address: u64,
    name: String,
    signed: bool,
}

/// All places of a region, if they are known and few.
fn places(known: Known<'_>, memory: &mut Memory<'_>, region: RegionId) -> Option<Vec<Place>> {
    let Known { unit, addresses, variables } = known;
    if memory.is_external(region) {
        return None;
    }
    let objects = memory.objects(region).to_vec();
    if objects.iter().any(|(thing, _)| addresses.dynamic.contains(thing) || is_dynamic(unit, *thing)) {
        return None;
    }
    let things: FxHashSet<Thing> = objects.iter().map(|&(thing, _)| thing).collect();
    let mut places = Vec::new();
    for &(thing, base) in addresses.placed.iter().filter(|(thing, _)| things.contains(thing)) {
        let (size, ty) = extent(known, thing, base)?;
        // A large object has many places, or is padded by what nobody accesses.
        if size > 1 << 16 {
            return None;
        }
        let pointer = memory.thing(thing);
        let cells = memory.cells(pointer, size)?;
        for cell in cells.iter().filter(|cell| cell.region == region) {
            let name = match thing {
                Thing::Object(object) => unit[object].name.clone(),
                Thing::Allocated(_) => match variables.members.get(&region) {
                    Some(Some(member)) => format!("(*malloc).{}", member.path),
                    _ => "(*malloc)".to_owned(),
                },
                Thing::Result(function) => format!("{}()", unit[function].name),
                _ => "value".to_owned(),
            };
            let of_block = variables.members.get(&region).and_then(|m| m.as_ref().map(|m| m.signed));
            let untyped = (String::new(), of_block.unwrap_or(false));
            let (path, signed) = ty.map_or(untyped, |ty| member(unit, ty, cell.offset));
            places.push(Place { address: base + cell.offset, name: name + &path, signed });
            if places.len() > PLACES {
                return None;
            }
        }
    }
    (!places.is_empty()).then_some(places)
}

/// The size of what is at an address, and its type.
pub(super) fn extent(known: Known<'_>, thing: Thing, base: u64) -> Option<(u64, Option<Type>)> {
    let unit = known.unit;
    Some(match thing {
        Thing::Object(object) => (unit[object].size?, Some(unit[object].ty)),
        Thing::Allocated(_) => (*known.addresses.block_sizes.get(&base)?, None),
        Thing::Result(function) => (unit.size_of(unit[function].result)?, Some(unit[function].result)),
        Thing::Value(e) => (unit.size_of(unit[e].ty)?, Some(unit[e].ty)),
        Thing::Literal(literal) => (unit.size_of(unit[literal].ty)?, Some(unit[literal].ty)),
        Thing::Unknown => return None,
    })
}

pub(super) fn is_dynamic(unit: &Unit, thing: Thing) -> bool {
    match thing {
        Thing::Object(object) => unit[object].dynamic_size.is_some() || unit[object].size.is_none(),
        _ => false,
    }
}

/// What to call the scalar at an offset of an object, and whether it is signed.
fn member(unit: &Unit, ty: Type, offset: u64) -> (String, bool) {
    match ty {
        Type::Record(record) => {
            let holds = |f: &&crate::tree::Field| {
                f.offset <= offset && offset < f.offset + unit.size_of(f.ty).unwrap_or(0).max(1)
            };
            let Some(field) = unit[record].fields.iter().find(holds) else { return (String::new(), false) };
            let (path, signed) = member(unit, field.ty, offset - field.offset);
            match &field.name {
                Some(name) => (format!(".{name}{path}"), signed),
                None => (path, signed),
            }
        }
        Type::Array(array) => {
            let element = unit[array].element;
            let size = unit.size_of(element).unwrap_or(1).max(1);
            let (path, signed) = member(unit, element, offset % size);
            (format!("[{}]{path}", offset / size), signed)
        }
        Type::Int(int) => (String::new(), int.signed),
        _ => (String::new(), false),
    }
}

struct Rewrite<'a> {
    terms: &'a mut Terms,
    builder: &'a mut Builder,
    /// The activation that temporaries belong to.
    frame: FrameId,
    promoted: &'a FxHashMap<Var, Promoted>,
    by_term: FxHashMap<Term, Var>,
    known: FxHashMap<Term, Term>,
}

impl Rewrite<'_> {
    /// The commands that a command becomes.
    fn command(&mut self, command: &Command) -> Vec<Command> {
        match command {
            Command::Assume(guard) => vec![Command::Assume(self.term(*guard))],
            Command::Assign(var, value) => match self.promoted.get(var) {
                None => vec![Command::Assign(*var, self.term(*value))],
                Some(promoted) => self.assign(promoted, *value),
            },
            Command::Havoc(var, cause) => match self.promoted.get(var) {
                None => vec![command.clone()],
                Some(promoted) => {
                    promoted.places.iter().map(|&(_, place)| Command::Havoc(place, cause.clone())).collect()
                }
            },
        }
    }

    /// An array is assigned a constant one, or itself with one element changed.
    fn assign(&mut self, promoted: &Promoted, value: Term) -> Vec<Command> {
        if value == promoted.memory {
            return Vec::new();
        }
        let args = self.terms.args(value).to_vec();
        if self.terms.op(value) != Op::Store || args[0] != promoted.memory {
            let mut commands = Vec::new();
            for &(place, var) in &promoted.places {
                let element = self.terms.select(value, place);
                commands.push(Command::Assign(var, self.term(element)));
            }
            return commands;
        }
        let (address, value) = (self.term(args[1]), self.term(args[2]));
        if let [(_, only)] = promoted.places[..] {
            return vec![Command::Assign(only, value)];
        }
        if self.terms.bits_constant(address).is_some() {
            let there = promoted.places.iter().find(|&&(place, _)| place == address);
            return there.map(|&(_, var)| Command::Assign(var, value)).into_iter().collect();
        }
        // The places change one after the other: what all of them look at is read before.
        let mut commands = Vec::new();
        let address = self.hold("address", address, &mut commands);
        let value = self.hold("value", value, &mut commands);
        for &(place, var) in &promoted.places {
            let here = self.terms.eq(address, place);
            let old = self.builder.term(var);
            commands.push(Command::Assign(var, self.terms.ite(here, value, old)));
        }
        commands
    }

    /// A variable that keeps a value; a constant needs none.
    fn hold(&mut self, name: &str, value: Term, commands: &mut Vec<Command>) -> Term {
        if self.terms.is_constant(value) {
            return value;
        }
        let int = IntType { bits: self.terms.width(value), signed: false };
        let var = self.builder.temporary(self.terms, name, int, self.frame);
        commands.push(Command::Assign(var, value));
        self.builder.term(var)
    }

    /// A term in which promoted regions are variables. Arguments have smaller ids than their users.
    fn term(&mut self, root: Term) -> Term {
        let mut found = FxHashSet::default();
        let mut work = vec![root];
        while let Some(t) = work.pop() {
            if !self.known.contains_key(&t) && found.insert(t) {
                work.extend(self.terms.args(t));
            }
        }
        let mut order: Vec<Term> = found.into_iter().collect();
        order.sort_unstable_by_key(|t| t.index());
        for t in order {
            let args = self.terms.args(t).to_vec();
            let new = match self.terms.op(t) {
                Op::Select if self.by_term.contains_key(&args[0]) => self.read(args[0], self.known[&args[1]]),
                _ => {
                    let changed: Vec<Term> = args.iter().map(|a| self.known[a]).collect();
                    if changed == args { t } else { self.terms.rebuild(t, &changed) }
                }
            };
            self.known.insert(t, new);
        }
        self.known[&root]
    }

    /// What is at an address of a promoted region.
    fn read(&mut self, memory: Term, address: Term) -> Term {
        let promoted = self.promoted;
        let places = &promoted[&self.by_term[&memory]].places;
        if let Some(&(_, var)) = places.iter().find(|&&(place, _)| place == address) {
            return self.builder.term(var);
        }
        let mut value = None;
        for &(place, var) in places.iter().rev() {
            let here = self.builder.term(var);
            value = Some(match value {
                None => here,
                Some(elsewhere) => {
                    let is_here = self.terms.eq(address, place);
                    self.terms.ite(is_here, here, elsewhere)
                }
            });
        }
        value.unwrap_or(memory)
    }
}
