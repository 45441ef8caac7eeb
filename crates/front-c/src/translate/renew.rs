//! Variables that come into being again where they were before.
//!
//! A variable of a block that is repeated has one address in all rounds, as it has on the machine. A pointer to it that was kept
//! from an earlier round points to nothing that lives, though the address is that of a variable. Where the variable
//! comes into being again, such pointers are found and made arbitrary, which is approximated: C gives them no certain
//! value. Of pointers in memory that lasts longer than the variable, none can be found: there it is not known whether an
//! access is wrong.

use super::Translator;
use super::addresses::MARGIN;
use crate::memory::Thing;
use crate::tree::{ObjectId, Position, StmtKind};
use tamis_diagnostics::Error;
use tamis_program::{Command, Event, Havoc, Undefined, Var};

const STALE: &str = "a pointer to a variable whose life is over";

impl Translator<'_> {
    /// A variable in memory comes into being, perhaps again.
    pub(super) fn renew(&mut self, object: ObjectId, at: Position) -> Result<(), Error> {
        if !self.follows_memory() || !self.activations.in_loop() || self.unit[object].dynamic_size.is_some() {
            return Ok(());
        }
        let node = self.memory.thing(Thing::Object(object));
        for holder in self.memory.holders(node) {
            match holder {
                Thing::Object(other) if self.memory.is_plain(other) => {
                    for var in self.survivors(other, object)? {
                        self.forget_stale(var, object, at)?;
                    }
                }
                Thing::Object(other) if !self.outlasts(other, object) => {}
                Thing::Value(_) | Thing::Result(_) => {}
                _ => {
                    self.mark_doubt(Undefined::OutOfBounds, at);
                    self.skip(at)?;
                }
            }
        }
        Ok(())
    }

    /// The variables that stand for a pointer and keep their values while another variable is gone.
    fn survivors(&mut self, pointer: ObjectId, object: ObjectId) -> Result<Vec<Var>, Error> {
        if !self.unit[pointer].ty.is_pointer() || !self.outlasts(pointer, object) {
            return Ok(Vec::new());
        }
        let mut found: Vec<Var> =
            self.activations.locals().filter(|&(other, _)| other == pointer).map(|(_, var)| var).collect();
        if found.is_empty() && !self.unit[pointer].is_automatic() {
            found.push(self.local(pointer)?);
        }
        Ok(found)
    }

    /// Whether a variable may be there all the time while another one is gone and comes back.
    fn outlasts(&mut self, other: ObjectId, object: ObjectId) -> bool {
        if other == object {
            return false;
        }
        if !self.unit[other].is_automatic() {
            return true;
        }
        let Some(home) = self.memory.home(other) else { return true };
        if home != self.activations.current().function {
            return self.activations.contains(home);
        }
        if self.activations.is_nested(home) {
            return true;
        }
        // The activation is over between two rounds, unless they are rounds of a loop in it.
        if !self.activations.repeats_here() || self.unit[home].params.contains(&object) {
            return false;
        }
        self.unit[home].params.contains(&other)
            || !(self.shares_block(other, object) || self.unit.is_within(other, object))
    }

    /// Whether two variables are declared in one block.
    fn shares_block(&self, a: ObjectId, b: ObjectId) -> bool {
        let declares = |body: &[crate::tree::StmtId], object: ObjectId| {
            body.iter().any(
                |&s| matches!(&self.unit[s].kind, StmtKind::Declare(objects) if objects.contains(&object)),
            )
        };
        self.unit.stmts.iter().any(|stmt| match &stmt.kind {
            StmtKind::Block(body) => declares(body, a) && declares(body, b),
            _ => false,
        })
    }

    /// A pointer into a variable that is gone has no certain value.
    fn forget_stale(&mut self, pointer: Var, object: ObjectId, at: Position) -> Result<(), Error> {
        let word = self.unit.word();
        let base = self.base(Thing::Object(object), at)?;
        let (size, _) = self.extent(Thing::Object(object));
        let start = self.offset(base, -(MARGIN as i64));
        let value = self.builder.term(pointer);
        let t = &mut *self.terms;
        let offset = t.sub(value, start);
        let length = t.bits(word, u128::from(size + 2 * MARGIN));
        let stale = t.ult(offset, length);
        let (yes, join) = (self.node(), self.node());
        self.fork(stale, yes, join, at, Event::Step, Event::Step)?;
        self.cursor.resume(yes);
        self.emit(Command::Havoc(pointer, Havoc::Approximated(STALE.to_owned())), at, Event::Step)?;
        self.cursor.join(join);
        Ok(())
    }
}
