//! Functions without jumps between them.

use super::survey::{Point, Save, Survey, is_declared};
use super::{Role, Roles};
use crate::tree::{
    Array, CompareOp, ExprId, ExprKind, Field, FunctionId, Growing, Init, InitEntry, LabelId, ObjectId,
    PlaceId, PlaceKind, Position, Record, StmtId, StmtKind, Storage, Type, Unit, vocabulary,
};
use rustc_hash::FxHashMap;
use tamis_program::IntType;

/// Where a function may be jumped to.
struct Landing {
    /// What `setjmp` writes into the buffer.
    number: i128,
    label: LabelId,
}

pub(super) struct Rewrite {
    tree: Growing,
    /// What each call is to jumps.
    roles: FxHashMap<ExprId, Role>,
    /// The number of the place that is looked for, or 0.
    jumping: ObjectId,
    /// What the call of `setjmp` there gives.
    value: ObjectId,
    /// How many places there are.
    places: i128,
}

impl Rewrite {
    pub(super) fn new(unit: Unit, roles: &Roles) -> Rewrite {
        let at = roles.saves.iter().next().map_or(Position::default(), |&f| unit[f].at);
        let roles = unit.exprs().filter_map(|e| Some((e, roles.role(&unit, e)?))).collect();
        let mut tree = Growing::new(unit);
        let int = Growing::int(32, true);
        let mut variable = |name: &str| {
            let object = tree.variable(name, int, at);
            tree.unit.objects[object.index()].storage = Storage::Static(None);
            object
        };
        let (jumping, value) = (variable("(jump)"), variable("(jump value)"));
        Rewrite { tree, roles, jumping, value, places: 0 }
    }

    pub(super) fn finished(mut self, roles: &Roles) -> Unit {
        for &function in &roles.passing {
            self.tree.unit.functions[function.index()].noreturn = false;
        }
        // How many places there are is known now.
        let places = self.places;
        for expr in &mut self.tree.unit.exprs {
            if expr.kind == ExprKind::Const(UNKNOWN) {
                expr.kind = ExprKind::Const(places);
            }
        }
        self.tree.unit
    }

    pub(super) fn function(&mut self, function: FunctionId, survey: Survey) {
        let Survey { saves, passes, changes } = survey;
        let mut landings = Vec::new();
        for save in &saves {
            let later = |point: &Point| save.point.again || point.time > save.point.time;
            let mut lost: Vec<ObjectId> =
                changes.iter().filter(|(_, point)| later(point)).map(|&(object, _)| object).collect();
            lost.sort_unstable();
            lost.dedup();
            landings.push(self.save(save, lost));
        }
        let is_main = self.tree.unit.main() == Some(function);
        for (call, point) in passes {
            match self.roles.get(&call) {
                Some(Role::Jump) => self.jump(call, point, function, is_main, &landings),
                _ => self.pass(call, point, function, is_main, &landings),
            }
        }
    }

    /// `*buffer = number; value = 0; label: if (value) …`, where all is lost that was changed since.
    fn save(&mut self, save: &Save, lost: Vec<ObjectId>) -> Landing {
        self.places += 1;
        let number = self.places;
        let at = self.tree.unit[save.call].at;
        let ExprKind::Call { ref args, .. } = self.tree.unit[save.call].kind else {
            unreachable!("it is a call")
        };
        let args = args.clone();
        let buffer = unconverted(&self.tree.unit, args[0]);
        let cell = self.cell(buffer, at);
        let ty = self.tree.unit[cell].ty;
        let int = Growing::int(self.tree.unit.word(), true);
        let stored = self.tree.expr(ExprKind::Const(number), int, at);
        let stored = self.tree.convert(stored, ty);
        let mut before = vec![self.assign(cell, stored, at)];
        for &arg in &args[1..] {
            before.push(self.effect(arg, at));
        }
        let zero = self.int(0, at);
        before.push(self.set(self.value, zero, at));
        self.tree.unit.labels.push(save.point.scope);
        let label = LabelId(self.tree.unit.labels.len() as u32 - 1);
        let empty = self.tree.stmt(StmtKind::Empty, at);
        before.push(self.tree.stmt(StmtKind::Label { label, body: empty }, at));
        if !lost.is_empty() {
            let cond = self.tree.load(self.value, at);
            let lost = lost.into_iter().map(|object| self.lose(object, at)).collect();
            let then = self.tree.stmt(StmtKind::Block(lost), at);
            before.push(self.tree.stmt(StmtKind::If { cond, then, otherwise: None }, at));
        }
        let together = match &self.tree.unit[save.statement].kind {
            StmtKind::Declare(objects) if objects.len() > 1 => {
                let own = objects.iter().position(|&object| is_declared(&self.tree.unit, object, save.call));
                own.map(|own| (objects.clone(), own))
            }
            _ => None,
        };
        let value = self.tree.load(self.value, at);
        self.tree.unit.exprs[save.call.index()].kind = self.tree.unit[value].kind.clone();
        self.divide(save.statement, together);
        self.put_before(save.statement, before);
        Landing { number, label }
    }

    /// Declares what a statement declares before and after a variable by statements of their own.
    fn divide(&mut self, statement: StmtId, objects: Option<(Vec<ObjectId>, usize)>) {
        let Some((before, after)) = objects.map(|(objects, own)| {
            self.tree.unit.stmts[statement.index()].kind = StmtKind::Declare(vec![objects[own]]);
            (objects[..own].to_vec(), objects[own + 1..].to_vec())
        }) else {
            return;
        };
        let at = self.tree.unit[statement].at;
        let (before, after) =
            (self.tree.stmt(StmtKind::Declare(before), at), self.tree.stmt(StmtKind::Declare(after), at));
        if let Some((body, place)) = self.around(statement) {
            body.splice(place + 1..place + 1, [after]);
            body.splice(place..place, [before]);
        }
    }

    /// The block that a statement is in, and where.
    fn around(&mut self, statement: StmtId) -> Option<(&mut Vec<StmtId>, usize)> {
        self.tree.unit.stmts.iter_mut().find_map(|stmt| match &mut stmt.kind {
            StmtKind::Block(body) => body.iter().position(|&s| s == statement).map(|place| (body, place)),
            _ => None,
        })
    }

    /// Puts statements before another; before each round of a loop.
    fn put_before(&mut self, statement: StmtId, mut before: Vec<StmtId>) {
        let at = self.tree.unit[statement].at;
        let kind = self.tree.unit[statement].kind.clone();
        if let StmtKind::While { cond, body } = kind {
            let out = self.tree.stmt(StmtKind::Break, at);
            let goes_on = self.tree.stmt(StmtKind::Empty, at);
            before.push(self.tree.stmt(StmtKind::If { cond, then: goes_on, otherwise: Some(out) }, at));
            before.push(body);
            let body = self.tree.stmt(StmtKind::Block(before), at);
            let cond = self.int(1, at);
            self.tree.unit.stmts[statement.index()].kind = StmtKind::While { cond, body };
            return;
        }
        if let Some((body, place)) = self.around(statement) {
            body.splice(place..place, before);
            return;
        }
        before.push(self.tree.stmt(kind, at));
        self.tree.unit.stmts[statement.index()].kind = StmtKind::Block(before);
    }

    /// `jumping = *buffer; value = v ? v : 1;`, and a jump to a place that there is.
    fn jump(
        &mut self,
        call: ExprId,
        point: Point,
        function: FunctionId,
        is_main: bool,
        landings: &[Landing],
    ) {
        let at = self.tree.unit[call].at;
        let ExprKind::Call { ref args, .. } = self.tree.unit[call].kind else { return };
        let mut args = args.clone();
        args[0] = unconverted(&self.tree.unit, args[0]);
        let operands: Vec<ObjectId> = args.iter().map(|&arg| self.variable(arg, at)).collect();
        let mut body = vec![self.tree.stmt(StmtKind::Declare(operands.clone()), at)];
        let buffer = self.tree.load(operands[0], at);
        let cell = self.cell(buffer, at);
        let ty = self.tree.unit[cell].ty;
        let number = self.tree.expr(ExprKind::Load(cell), ty, at);
        let number = self.tree.convert(number, Growing::int(self.tree.unit.word(), true));
        let number = self.tree.convert(number, Growing::int(32, true));
        body.push(self.set(self.jumping, number, at));
        let value = match operands.get(1) {
            Some(&value) => self.tree.load(value, at),
            None => self.int(1, at),
        };
        let value = self.tree.convert(value, Growing::int(32, true));
        body.push(self.set(self.value, value, at));
        let (value, zero) = (self.tree.load(self.value, at), self.int(0, at));
        let is_zero = self.compare(CompareOp::Eq, value, zero, at);
        let one = self.int(1, at);
        let one = self.set(self.value, one, at);
        body.push(self.tree.stmt(StmtKind::If { cond: is_zero, then: one, otherwise: None }, at));
        // Another number was never written by `setjmp`.
        let (number, one) = (self.tree.load(self.jumping, at), self.int(1, at));
        let low = self.compare(CompareOp::Lt, number, one, at);
        let (number, last) = (self.tree.load(self.jumping, at), self.int(UNKNOWN, at));
        let high = self.compare(CompareOp::Gt, number, last, at);
        let none = self.tree.expr(ExprKind::LogOr(low, high), Growing::int(32, true), at);
        let lost = self.lost(at);
        body.push(self.tree.stmt(StmtKind::If { cond: none, then: lost, otherwise: None }, at));
        body.extend(self.leave(point, function, is_main, landings, at));
        self.tree.unit.exprs[call.index()].kind = ExprKind::Block { body, value: None };
    }

    /// A call after which control goes on by a jump, or as usual.
    fn pass(
        &mut self,
        call: ExprId,
        point: Point,
        function: FunctionId,
        is_main: bool,
        landings: &[Landing],
    ) {
        let crate::tree::Expr { kind, ty, at } = self.tree.unit[call].clone();
        let noreturn = match kind {
            ExprKind::Call { callee: crate::tree::Callee::Function(f), .. } => self.tree.unit[f].noreturn,
            _ => false,
        };
        let own = self.tree.expr(kind, ty, at);
        let (first, value) = if ty == Type::Void {
            (self.tree.stmt(StmtKind::Expr(own), at), None)
        } else {
            let result = self.variable(own, at);
            let value = self.tree.load(result, at);
            (self.tree.stmt(StmtKind::Declare(vec![result]), at), Some(value))
        };
        let mut body = vec![first];
        let (number, zero) = (self.tree.load(self.jumping, at), self.int(0, at));
        let jumps = self.compare(CompareOp::Ne, number, zero, at);
        let leaving = self.leave(point, function, is_main, landings, at);
        let then = self.tree.stmt(StmtKind::Block(leaving), at);
        body.push(self.tree.stmt(StmtKind::If { cond: jumps, then, otherwise: None }, at));
        if noreturn {
            let name = "a function that is declared not to return";
            let undefined = self.tree.declare(name, Type::Void, Vec::new(), at);
            let returned = self.tree.call(undefined, Vec::new(), at);
            body.push(self.tree.stmt(StmtKind::Expr(returned), at));
            let trap = self.tree.expr(ExprKind::Trap, Type::Void, at);
            body.push(self.tree.stmt(StmtKind::Expr(trap), at));
        }
        self.tree.unit.exprs[call.index()].kind = ExprKind::Block { body, value };
    }

    /// To a place in this function, or out of it.
    fn leave(
        &mut self,
        point: Point,
        function: FunctionId,
        is_main: bool,
        landings: &[Landing],
        at: Position,
    ) -> Vec<StmtId> {
        let mut body = Vec::new();
        for landing in landings {
            let (number, own) = (self.tree.load(self.jumping, at), self.int(landing.number, at));
            let is_it = self.compare(CompareOp::Eq, number, own, at);
            let zero = self.int(0, at);
            let mut then = vec![self.set(self.jumping, zero, at)];
            then.push(self.tree.stmt(StmtKind::Goto { label: landing.label, scope: point.scope }, at));
            let then = self.tree.stmt(StmtKind::Block(then), at);
            body.push(self.tree.stmt(StmtKind::If { cond: is_it, then, otherwise: None }, at));
        }
        if is_main {
            body.push(self.lost(at));
        }
        let result = self.tree.unit[function].result;
        let value = match result {
            Type::Void => None,
            Type::Float(_) => Some(self.tree.expr(ExprKind::Float(0), result, at)),
            _ if result.int().is_some() => Some(self.tree.expr(ExprKind::Const(0), result, at)),
            _ => {
                let none = self.tree.variable("(nothing)", result, at);
                body.push(self.tree.stmt(StmtKind::Declare(vec![none]), at));
                Some(self.tree.load(none, at))
            }
        };
        body.push(self.tree.stmt(StmtKind::Return(value), at));
        body
    }

    /// A variable holds anything from now on.
    fn lose(&mut self, object: ObjectId, at: Position) -> StmtId {
        let ty = self.tree.unit[object].ty;
        let own = self.tree.place(PlaceKind::Object(object), ty, at);
        if let (Type::Int(_), false) = (ty, ty.is_pointer()) {
            return self.lose_number(own, at);
        }
        if let Some(elements) = self.numbers_of(ty) {
            let lost = (0..elements).map(|i| self.lose_element(object, i, at)).collect();
            return self.tree.stmt(StmtKind::Block(lost), at);
        }
        // Any other array is assigned as the only member of a structure.
        let (ty, place) = match ty {
            Type::Array(_) => {
                let address = self.tree.pointer(ty);
                let address = self.tree.expr(ExprKind::AddressOf(own), address, at);
                let ty = self.wrapper(ty);
                let pointer = self.tree.pointer(ty);
                let pointer = self.tree.convert(address, pointer);
                (ty, self.tree.place(PlaceKind::Deref(pointer), ty, at))
            }
            _ => (ty, own),
        };
        let any = self.tree.variable("(anything)", ty, at);
        let declared = self.tree.stmt(StmtKind::Declare(vec![any]), at);
        let any = self.tree.load(any, at);
        let set = self.assign(place, any, at);
        self.tree.stmt(StmtKind::Block(vec![declared, set]), at)
    }

    /// A number that C promises nothing of, put into an integer.
    fn lose_number(&mut self, place: PlaceId, at: Position) -> StmtId {
        let ty = self.tree.unit[place].ty;
        let int = ty.int().unwrap_or(IntType { bits: 32, signed: true });
        let sign = if int.signed { "int" } else { "uint" };
        let name = format!("{}after_a_jump_{sign}{}", vocabulary::UNSPECIFIED, int.bits);
        let function = self.tree.declare(&name, ty, Vec::new(), at);
        let any = self.tree.call(function, Vec::new(), at);
        self.assign(place, any, at)
    }

    /// How many elements an array has, if they are integers and not many.
    fn numbers_of(&self, ty: Type) -> Option<u64> {
        let Type::Array(array) = ty else { return None };
        let Array { element, length } = self.tree.unit[array];
        let few = length.filter(|&length| length <= ELEMENTS)?;
        matches!(element, Type::Int(_)).then_some(few)
    }

    fn lose_element(&mut self, object: ObjectId, index: u64, at: Position) -> StmtId {
        let ty = self.tree.unit[object].ty;
        let base = self.tree.place(PlaceKind::Object(object), ty, at);
        let Type::Array(array) = ty else { return self.lose_number(base, at) };
        let element = self.tree.unit[array].element;
        let number = Growing::int(self.tree.unit.word(), true);
        let index = self.tree.expr(ExprKind::Const(i128::from(index)), number, at);
        let place = self.tree.place(PlaceKind::Index { base, index }, element, at);
        self.lose_number(place, at)
    }

    /// A structure with one member.
    fn wrapper(&mut self, ty: Type) -> Type {
        let field = Field { name: None, ty, offset: 0, bits: None };
        let size = self.tree.unit.size_of(ty);
        self.tree.record(Record {
            name: "struct".to_owned(),
            union: false,
            size,
            align: 1,
            fields: vec![field],
        })
    }

    /// An access through null, for a jump to nowhere.
    fn lost(&mut self, at: Position) -> StmtId {
        let int = Growing::int(32, true);
        let pointer = self.tree.pointer(int);
        let null = self.tree.expr(ExprKind::Const(0), pointer, at);
        let place = self.tree.place(PlaceKind::Deref(null), int, at);
        let zero = self.int(0, at);
        self.assign(place, zero, at)
    }

    /// Where a buffer keeps the number.
    fn cell(&mut self, buffer: ExprId, at: Position) -> PlaceId {
        let unit = &self.tree.unit;
        let ty = unit.pointee(unit[buffer].ty).unwrap_or(Type::Void);
        let mut inner = ty;
        let mut steps = Vec::new();
        loop {
            inner = match inner {
                Type::Record(record) if !unit[record].fields.is_empty() => unit[record].fields[0].ty,
                Type::Array(array) => unit[array].element,
                _ => break,
            };
            steps.push(inner);
        }
        if !matches!(inner, Type::Int(_) | Type::Pointer { .. }) {
            let word = Growing::int(unit.word(), true);
            let pointer = self.tree.pointer(word);
            let buffer = self.tree.convert(buffer, pointer);
            return self.tree.place(PlaceKind::Deref(buffer), word, at);
        }
        let mut place = self.tree.place(PlaceKind::Deref(buffer), ty, at);
        for step in steps {
            let kind = match self.tree.unit[place].ty {
                Type::Record(_) => PlaceKind::Member { base: place, field: 0 },
                _ => {
                    let index = Growing::int(self.tree.unit.word(), true);
                    let index = self.tree.expr(ExprKind::Const(0), index, at);
                    PlaceKind::Index { base: place, index }
                }
            };
            place = self.tree.place(kind, step, at);
        }
        place
    }

    fn int(&mut self, value: i128, at: Position) -> ExprId {
        self.tree.expr(ExprKind::Const(value), Growing::int(32, true), at)
    }

    fn compare(&mut self, op: CompareOp, left: ExprId, right: ExprId, at: Position) -> ExprId {
        self.tree.expr(ExprKind::Compare(op, left, right), Growing::int(32, true), at)
    }

    fn set(&mut self, object: ObjectId, value: ExprId, at: Position) -> StmtId {
        let ty = self.tree.unit[object].ty;
        let place = self.tree.place(PlaceKind::Object(object), ty, at);
        self.assign(place, value, at)
    }

    fn assign(&mut self, place: PlaceId, value: ExprId, at: Position) -> StmtId {
        let ty = self.tree.unit[place].ty;
        let assigned = self.tree.expr(ExprKind::Assign { place, op: None, value }, ty, at);
        self.effect(assigned, at)
    }

    fn effect(&mut self, value: ExprId, at: Position) -> StmtId {
        let dropped = self.tree.convert(value, Type::Void);
        self.tree.stmt(StmtKind::Expr(dropped), at)
    }

    /// A new variable with a value.
    fn variable(&mut self, value: ExprId, at: Position) -> ObjectId {
        let object = self.tree.variable("(value)", self.tree.unit[value].ty, at);
        let entries = vec![InitEntry { offset: 0, bits: None, value }];
        self.tree.unit.objects[object.index()].storage = Storage::Automatic(Some(Init { entries }));
        object
    }
}

/// A buffer as what it is to the program.
fn unconverted(unit: &Unit, buffer: ExprId) -> ExprId {
    match unit[buffer].kind {
        ExprKind::Convert(own) if unit[own].ty.is_pointer() => own,
        _ => buffer,
    }
}

/// Of an array of no more integers, each is lost by itself.
const ELEMENTS: u64 = 64;

/// Stands for the number of places until it is known.
const UNKNOWN: i128 = i128::MIN;
