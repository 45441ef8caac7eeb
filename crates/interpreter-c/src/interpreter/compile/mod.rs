//! From the typed tree to the instructions of the register machine.
//!
//! Expressions are compiled for a target register `d`: the value goes to `d` (and `d + 1`, if it takes two), and all
//! registers from `d` on are free for the operands on the way. What the interpreter does not know becomes an
//! instruction that stops the run, for it may never be reached.

mod assign;
mod call;
mod condition;
mod convert;
mod expression;
mod initial;
mod jump;
mod layout;
mod order;
mod padding;
mod place;
mod statement;

use super::code::{Code, FunctionCode};
use super::instr::{Instr, Reg};
use super::memory::Bases;
use super::scalar::Kind;
use layout::Slot;
use order::Facts;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_front_c::tree::{
    CaseId, ExprId, ExprKind, FunctionId, LabelId, ObjectId, PlaceId, PlaceKind, Position, ScopeId, StringId,
    Type, Unit,
};

/// How deep expressions and statements may nest: the compiler recurses as deep.
const MAX_DEPTH: u32 = 100_000;
/// Registers beyond this are not handed out.
const MAX_REGISTERS: Reg = 60_000;
/// The stack that compiling to [`MAX_DEPTH`] takes.
const STACK_BYTES: usize = 1 << 30;

/// Compiles a unit. With `observed`, the code also reports what an observer sees; with `determined`, it stops where C
/// leaves open what follows.
pub(super) fn compile(unit: &Unit, observed: bool, determined: bool) -> Result<Code, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("compile".to_owned()).stack_size(STACK_BYTES);
        match thread.spawn_scoped(scope, || Compiler::new(unit, observed, determined).run()) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => Err(format!("no thread to compile in: {error}")),
        }
    })
}

/// Where `break` and `continue` go.
struct Target {
    /// How many variables are in scope outside.
    scope: usize,
    /// Jumps to the end.
    breaks: Vec<usize>,
    /// Jumps to the next round; `None` for a `switch`.
    continues: Option<Vec<usize>>,
}

/// What is known of the function that is being compiled.
#[derive(Default)]
struct Frame {
    id: Option<FunctionId>,
    code: FunctionCode,
    slots: FxHashMap<ObjectId, Slot>,
    /// The variables in scope, in the order of their declarations.
    scope: Vec<ObjectId>,
    targets: Vec<Target>,
    /// The place of `default` in each enclosing `switch`.
    defaults: Vec<Option<u32>>,
    cases: FxHashMap<CaseId, u32>,
    labels: FxHashMap<LabelId, u32>,
    gotos: Vec<(usize, LabelId)>,
    computed: Vec<ComputedGoto>,
    /// The tested values of the enclosing `?:` without a middle.
    bound: Vec<Reg>,
}

/// A `goto *`, and where it stands.
struct ComputedGoto {
    table: usize,
    /// What its address is.
    kind: Kind,
    /// Where to go with an address that is no label's.
    default: u32,
    from: Option<ScopeId>,
    at: Position,
}

struct Compiler<'u> {
    unit: &'u Unit,
    observed: bool,
    determined: bool,
    bases: Bases,
    code: Code,
    /// Whether an object's address is taken, or it is accessed through one as arrays are.
    exposed: Vec<bool>,
    /// Where the static objects are.
    statics: FxHashMap<ObjectId, u32>,
    strings: FxHashMap<StringId, u32>,
    at: Position,
    depth: u32,
    /// How many expressions around have operands that are evaluated in any order.
    forks: u32,
    facts: FxHashMap<ExprId, Facts>,
    /// Calls of which only the sign of the result is used.
    tested: FxHashSet<ExprId>,
    frame: Frame,
}

impl<'u> Compiler<'u> {
    fn new(unit: &'u Unit, observed: bool, determined: bool) -> Compiler<'u> {
        Compiler {
            unit,
            observed,
            determined,
            bases: Bases::new(unit.word()),
            code: Code::default(),
            exposed: vec![false; unit.objects().count()],
            statics: FxHashMap::default(),
            strings: FxHashMap::default(),
            at: Position::default(),
            depth: 0,
            forks: 0,
            facts: FxHashMap::default(),
            tested: FxHashSet::default(),
            frame: Frame::default(),
        }
    }

    fn run(mut self) -> Result<Code, String> {
        self.find_exposed();
        self.lay_out_statics()?;
        self.start();
        for id in self.unit.functions() {
            let function = &self.unit[id];
            let library = super::library::find(&function.name, function.body.is_some(), self.unit.target());
            self.code.library.push(library);
            if function.body.is_none() {
                self.code.functions.push(None);
            } else {
                let compiled = self.function(id);
                self.code.functions.push(Some(compiled));
            }
        }
        if self.code.instrs.len() > u32::MAX as usize / 2 {
            return Err("the program is too large".to_owned());
        }
        Ok(self.code)
    }

    /// Marks the objects whose address some expression takes.
    fn find_exposed(&mut self) {
        for id in self.unit.expressions() {
            if let ExprKind::AddressOf(place) = self.unit[id].kind {
                self.expose(place);
            }
        }
    }

    fn expose(&mut self, mut place: PlaceId) {
        loop {
            match self.unit[place].kind {
                PlaceKind::Object(object) | PlaceKind::Compound(object) => {
                    self.exposed[object.index()] = true;
                    return;
                }
                PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => place = base,
                PlaceKind::String(_) | PlaceKind::Deref(_) | PlaceKind::Value(_) => return,
            }
        }
    }

    fn emit(&mut self, instr: Instr) -> usize {
        self.code.instrs.push(instr);
        self.code.positions.push(self.at);
        self.code.instrs.len() - 1
    }

    fn here(&self) -> u32 {
        self.code.instrs.len() as u32
    }

    /// Notes that registers from `d` on are used.
    fn take(&mut self, d: Reg, count: u16) {
        self.frame.code.registers = self.frame.code.registers.max(d + count);
    }

    /// Code that stops the run with a message.
    fn unsupported(&mut self, what: impl Into<String>) {
        self.code.messages.push(what.into());
        let message = self.code.messages.len() as u32 - 1;
        self.emit(Instr::Unsupported { message });
    }

    /// Code that stops a run that must be the only one.
    fn open(&mut self, what: &'static str) {
        if self.determined {
            self.code.open.push(what);
            let what = self.code.open.len() as u32 - 1;
            self.emit(Instr::Open { what });
        }
    }

    /// How values of a type sit in registers; a type without values stops the run where they are used.
    fn kind(&mut self, ty: Type) -> Kind {
        match Kind::of(self.unit, ty) {
            Ok(kind) => kind,
            Err(what) => {
                self.unsupported(what);
                Kind::Void
            }
        }
    }

    fn kind_of(&mut self, e: ExprId) -> Kind {
        self.kind(self.unit[e].ty)
    }

    /// Does a part of the work that may nest, unless it nests too deep.
    fn nested(&mut self, at: Position, d: Reg, work: impl FnOnce(&mut Self)) {
        if self.depth >= MAX_DEPTH || d >= MAX_REGISTERS {
            self.at = at;
            self.unsupported("an expression or statement that is nested too deep");
            return;
        }
        let outer = std::mem::replace(&mut self.at, at);
        self.depth += 1;
        self.take(d, 8);
        work(self);
        self.depth -= 1;
        self.at = outer;
    }
}
