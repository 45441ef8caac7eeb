//! Variables and functions.

use super::lower::Lower;
use crate::tree::{ExprKind, Function, FunctionId, Object, ObjectId, Storage, Type};
use rucc_sema::{Decl, DeclFlags, DeclId, DeclKind, Definition, Linkage, StorageDuration};
use rucc_types::{ArrayLen, TypeKind};

/// Functions that the compiler knows by name to return more than once.
const RETURNS_TWICE: [&str; 7] =
    ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "savectx", "vfork", "getcontext"];

impl Lower<'_> {
    /// All declarations at file scope.
    pub(super) fn declarations(&mut self) {
        let tast = self.tast;
        if let Some(asm) = tast.file_asms().first() {
            let at = self.position(asm.span);
            self.unit.refused = Some((at, "assembly at file scope"));
        }
        for &id in tast.top_level() {
            self.link(id);
        }
        for &id in tast.top_level() {
            match tast[id].kind {
                DeclKind::Object => {
                    self.object(id);
                }
                DeclKind::Function => self.define(id),
                DeclKind::Type => {}
            }
        }
    }

    /// Notes a declaration with linkage, if it says more than what is known of its name.
    fn link(&mut self, id: DeclId) {
        let tast = self.tast;
        let decl = &tast[id];
        let (Some(name), false) = (decl.name, decl.linkage == Linkage::None) else { return };
        let rank =
            |d: &Decl| (d.body.is_some(), d.state == Definition::Defined, d.state == Definition::Tentative);
        match self.linked.get(&name) {
            Some(&known) if rank(&tast[known]) >= rank(decl) => {}
            _ => {
                self.linked.insert(name, id);
            }
        }
    }

    /// The declaration that all declarations of one thing stand for.
    fn canonical(&mut self, id: DeclId) -> DeclId {
        let decl = &self.tast[id];
        match decl.name {
            Some(name) if decl.linkage != Linkage::None => *self.linked.entry(name).or_insert(id),
            _ => id,
        }
    }

    /// The variable of a declaration.
    pub(super) fn object(&mut self, id: DeclId) -> ObjectId {
        let id = self.canonical(id);
        if let Some(&object) = self.objects.get(&id) {
            return object;
        }
        let tast = self.tast;
        let decl = &tast[id];
        let ty = self.ty(decl.ty);
        let object = ObjectId(self.unit.objects.len() as u32);
        self.objects.insert(id, object);
        let automatic = decl.duration == StorageDuration::Automatic;
        let refused = if self.is_volatile(decl.ty) {
            Some("volatile variable")
        } else if decl.duration == StorageDuration::Thread {
            Some("thread-local variable")
        } else if decl.flags.contains(DeclFlags::WEAK) {
            Some("weak variable")
        } else if decl.register.is_some() || decl.asm_label.is_some() || decl.alias.is_some() {
            Some("variable with an assembler name")
        } else {
            None
        };
        let scalar = ty.int().is_some() || ty == Type::Other("floating-point arithmetic");
        let declaration_refused = if decl.cleanup.is_some() {
            Some("cleanup attribute")
        } else if self.is_variable_length(decl.ty)
            || tast.adjusted_from(id).is_some_and(|written| self.is_variable_length(written))
        {
            Some("variable-length array")
        } else if automatic && decl.init.is_some() && !scalar {
            Some("initialised local array, struct or union")
        } else {
            None
        };
        let at = self.position(tast.decl_span(id));
        let name = decl.name.map_or_else(|| "(unnamed)".to_owned(), |n| self.name(n));
        self.unit.objects.push(Object {
            name,
            ty,
            storage: Storage::Elsewhere,
            external: decl.linkage == Linkage::External,
            refused,
            declaration_refused,
            at,
        });
        let init = if scalar { self.scalar_init(id) } else { None };
        self.unit.objects[object.index()].storage = match decl.duration {
            StorageDuration::Automatic => Storage::Automatic(init),
            _ if decl.state == Definition::Declared => Storage::Elsewhere,
            _ => Storage::Static(init),
        };
        object
    }

    /// The initial value of a variable of scalar type, if the declaration has one.
    fn scalar_init(&mut self, id: DeclId) -> Option<crate::tree::ExprId> {
        let tast = self.tast;
        let entries = &tast[tast[id].init?];
        match entries.last() {
            Some(entry) => Some(self.expr(entry.value)),
            // `int x = {};`
            None => {
                let at = self.position(tast.decl_span(id));
                let ty = self.ty(tast[id].ty);
                Some(self.add_expr(ExprKind::Const(0), ty, at))
            }
        }
    }

    fn is_variable_length(&self, ty: rucc_types::TypeId) -> bool {
        match self.types.kind(self.types.canonical(ty)) {
            TypeKind::Array { elem, len } => {
                matches!(len, ArrayLen::Variable(_) | ArrayLen::Star) || self.is_variable_length(elem)
            }
            TypeKind::Pointer(to) => self.is_variable_length(to),
            _ => false,
        }
    }

    /// Gives a function its body, if this is the definition.
    fn define(&mut self, id: DeclId) {
        let function = self.function(id);
        let id = self.canonical(id);
        let tast = self.tast;
        let (Some(body), None) = (tast[id].body, self.unit[function].body) else { return };
        let params = tast[tast[id].params].iter().map(|&p| self.object(p)).collect();
        self.scope = None;
        let body = self.stmt(body);
        let definition = &mut self.unit.functions[function.index()];
        definition.params = params;
        definition.body = Some(body);
        if definition.name == "main" {
            self.unit.main = Some(function);
        }
    }

    /// The function of a declaration: the one that the linker finds under its name.
    pub(super) fn function(&mut self, id: DeclId) -> FunctionId {
        if let Some(&function) = self.functions.get(&id) {
            return function;
        }
        let tast = self.tast;
        let canonical = self.canonical(id);
        let label = tast[id].asm_label.or(tast[canonical].asm_label);
        let name = match (label, tast[id].name) {
            (Some(label), _) => self.text(label),
            (None, Some(name)) => self.name(name),
            (None, None) => "(unnamed)".to_owned(),
        };
        let (function, declared) = (self.symbols.get(&name).copied(), self.declared(canonical, name));
        let function = match function {
            None => {
                let function = FunctionId(self.unit.functions.len() as u32);
                self.symbols.insert(declared.name.clone(), function);
                self.unit.functions.push(declared);
                function
            }
            Some(function) => {
                let known = &mut self.unit.functions[function.index()];
                known.noreturn |= declared.noreturn;
                known.refused = known.refused.or(declared.refused);
                if !same_type(known, &declared) {
                    known.refused = Some("function declared with two types");
                }
                function
            }
        };
        // One declaration is enough to say so.
        self.unit.functions[function.index()].noreturn |= tast[id].flags.contains(DeclFlags::NORETURN);
        self.functions.insert(id, function);
        function
    }

    /// A function as one declaration has it.
    fn declared(&mut self, id: DeclId, name: String) -> Function {
        let tast = self.tast;
        let decl = &tast[id];
        let at = self.position(tast.decl_span(id));
        let (mut result, mut prototype, mut variadic) = (Type::Other("this function"), None, false);
        if let TypeKind::Function(signature) = self.types.kind(self.types.canonical(decl.ty)) {
            let signature = self.types.signature(signature);
            result = self.ty(signature.ret);
            variadic = signature.variadic;
            prototype = signature.prototyped.then(|| signature.params.iter().map(|&p| self.ty(p)).collect());
        }
        let refused = if decl.alias.is_some() || tast.is_ifunc(id) {
            Some("aliased function")
        } else if decl.flags.contains(DeclFlags::WEAK) && decl.body.is_some() {
            Some("weak function")
        } else if decl.flags.contains(DeclFlags::NAKED) {
            Some("naked function")
        } else if decl.flags.contains(DeclFlags::RETURNS_TWICE) || RETURNS_TWICE.contains(&name.as_str()) {
            Some("function that returns twice")
        } else {
            None
        };
        if decl.startup.asked() && decl.body.is_some() {
            self.unit.refused.get_or_insert((at, "constructor or destructor function"));
        }
        Function {
            name,
            result,
            params: Vec::new(),
            prototype,
            variadic,
            body: None,
            noreturn: decl.flags.contains(DeclFlags::NORETURN),
            refused,
            at,
        }
    }
}

/// Whether two declarations agree, as far as a caller can tell.
fn same_type(a: &Function, b: &Function) -> bool {
    let parameters_agree = match (&a.prototype, &b.prototype) {
        (Some(ours), Some(theirs)) => ours == theirs && a.variadic == b.variadic,
        _ => true,
    };
    a.result == b.result && parameters_agree
}
