//! Variables and functions.

use super::lower::Lower;
use crate::tree::{Function, FunctionId, Object, ObjectId, Signature, Spelling, StmtKind, Storage, Type};
use rucc_sema::{Decl, DeclFlags, DeclId, DeclKind, Definition, Linkage, Priority, StorageDuration};
use rucc_types::{Qualifiers, TypeId, TypeKind, align, element};

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
            if let (Some(name), Some(_)) = (tast[id].name, tast[id].body) {
                self.defined.insert(self.name(name));
            }
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
        let mut ty = self.ty(decl.ty);
        let extent = tast.extent(id);
        if decl.state == Definition::Tentative {
            ty = self.completed(ty);
        }
        let object = ObjectId(self.unit.objects.len() as u32);
        self.objects.insert(id, object);
        // There is one thread: a thread-local variable is like any other.
        let refused = if decl.flags.contains(DeclFlags::WEAK) && decl.state == Definition::Declared {
            // Nothing may define it, and its address is null then.
            Some("weak variable")
        } else if decl.register.is_some() || decl.asm_label.is_some() || decl.alias.is_some() {
            Some("variable with an assembler name")
        } else {
            None
        };
        let at = self.position(tast.decl_span(id));
        let name = match decl.name {
            Some(name) => self.name(name),
            None => "(unnamed)".to_owned(),
        };
        let natural = align(self.types, decl.ty, self.target).unwrap_or(1);
        self.unit.objects.push(Object {
            name,
            ty,
            size: self.unit.size_of(ty).or_else(|| self.layout_size(decl.ty).ok()).map(|s| s.max(extent)),
            align: decl.alignment.map_or(natural, u64::from),
            dynamic_size: None,
            storage: Storage::Elsewhere,
            constant: self.is_constant(decl.ty),
            volatile: self.is_volatile_type(decl.ty),
            external: decl.linkage == Linkage::External,
            weak: decl.flags.contains(DeclFlags::WEAK),
            refused,
            declaration_refused: decl.cleanup.is_some().then_some("cleanup attribute"),
            local: decl.linkage == Linkage::None,
            at,
        });
        let automatic = decl.duration == StorageDuration::Automatic;
        if self.is_variable_length(decl.ty) {
            match self.size_expr(decl.ty, at) {
                Ok(size) => self.unit.objects[object.index()].dynamic_size = Some(size),
                Err(_) => {
                    self.unit.objects[object.index()].declaration_refused =
                        Some("variable-length object of this type");
                }
            }
        }
        if let Some(function) = decl.cleanup.filter(|_| automatic) {
            let function = self.function(function);
            self.cleanups.push((object, function));
        }
        let init = self.initialiser(id, !automatic);
        self.unit.objects[object.index()].storage = match decl.state {
            _ if automatic => Storage::Automatic(init),
            Definition::Declared => Storage::Elsewhere,
            _ => Storage::Static(init),
        };
        object
    }

    /// Whether a type, or that of an array's elements, is `const`.
    fn is_constant(&self, id: TypeId) -> bool {
        let mut id = self.types.canonical(id);
        while !self.types.quals(id).has(Qualifiers::CONST) {
            match element(self.types, id) {
                Some(inner) => id = self.types.canonical(inner),
                None => return false,
            }
        }
        true
    }

    /// Gives a function its body, if this is the definition.
    fn define(&mut self, id: DeclId) {
        let function = self.function(id);
        let id = self.canonical(id);
        let tast = self.tast;
        let (Some(body), None) = (tast[id].body, self.unit[function].body) else { return };
        let params: Vec<ObjectId> = tast[tast[id].params].iter().map(|&p| self.object(p)).collect();
        self.scope = None;
        let mut lengths = Vec::new();
        for &param in &tast[tast[id].params] {
            // The length of an array parameter is computed, though the parameter is a pointer.
            if let Some(written) = tast.adjusted_from(param) {
                self.bind_lengths(written, &mut lengths);
            }
            self.bind_lengths(tast[param].ty, &mut lengths);
        }
        let mut body = self.stmt(body);
        if !lengths.is_empty() {
            let at = self.unit[body].at;
            let declared = self.add_stmt(StmtKind::Declare(lengths), at);
            body = self.add_stmt(StmtKind::Block(vec![declared, body]), at);
        }
        let definition = &mut self.unit.functions[function.index()];
        definition.params = params;
        definition.body = Some(body);
        let startup = tast[id].startup;
        let order = |priority: Priority| match priority {
            Priority::Numbered(number) => number.into(),
            Priority::Unnumbered => u32::MAX,
        };
        if self.starts_alone(id) {
            self.unit.constructors.extend(startup.before.map(|p| (order(p), function)));
            self.unit.destructors.extend(startup.after.map(|p| (order(p), function)));
        }
        let definition = &mut self.unit.functions[function.index()];
        if definition.name == "main" {
            self.unit.main = Some(function);
        }
    }

    /// Whether a function needs no arguments.
    fn starts_alone(&self, id: DeclId) -> bool {
        self.tast[self.tast[id].params].is_empty()
    }

    /// The function of a declaration: the one that the linker finds under its name.
    pub(super) fn function(&mut self, id: DeclId) -> FunctionId {
        if let Some(&function) = self.functions.get(&id) {
            return function;
        }
        let tast = self.tast;
        let canonical = self.canonical(id);
        if let Some(target) = self.aliased(canonical) {
            let function = self.function(target);
            self.functions.insert(id, function);
            if let (Some(name), Linkage::External) = (tast[id].name, tast[canonical].linkage) {
                let name = self.name(name);
                if !self.unit.aliases.iter().any(|(known, _)| *known == name) {
                    self.unit.aliases.push((name, function));
                }
            }
            return function;
        }
        let label = tast[id].asm_label.or(tast[canonical].asm_label);
        let label = label.map(|label| self.text(label));
        let name = match (label.filter(|label| !self.is_inline_of_another(label, id)), tast[id].name) {
            (Some(label), _) => label,
            (None, Some(name)) => {
                let name = self.name(name);
                // `__builtin_memcpy` is the library's `memcpy`.
                rucc_sema::library_name(&name).map_or(name, str::to_owned)
            }
            (None, None) => "(unnamed)".to_owned(),
        };
        let (function, declared) = (self.symbols.get(&name).copied(), self.declared(canonical, name));
        let function = match function {
            None => {
                let function = FunctionId(self.unit.functions.len() as u32);
                self.symbols.insert(declared.name.clone(), function);
                self.unit.functions.push(declared);
                if let Some(spelling) = self.spelling(canonical) {
                    self.unit.spellings.insert(function, spelling);
                }
                function
            }
            Some(function) => {
                let known = &mut self.unit.functions[function.index()];
                let renamed =
                    self.functions.iter().any(|(&d, &f)| f == function && tast[d].name != tast[id].name);
                if renamed && known.noreturn != declared.noreturn {
                    known.refused = Some("function that returns under one of its names alone");
                }
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
        self.unit.functions[function.index()].weak |= tast[id].flags.contains(DeclFlags::WEAK);
        self.functions.insert(id, function);
        function
    }

    /// How the type of a function is written.
    fn spelling(&self, id: DeclId) -> Option<Spelling> {
        let decl = &self.tast[id];
        let function = self.types.signature(self.called_type(decl.ty)?);
        let spell = |ty| self.spelled(ty);
        let params = match decl.body {
            Some(_) => Some(self.tast[decl.params].iter().map(|&param| spell(self.tast[param].ty)).collect()),
            None => function.prototyped.then(|| function.params.iter().map(|&param| spell(param)).collect()),
        };
        Some(Spelling { result: spell(function.ret), params })
    }

    /// A type as it stands in a cast. What has no tag has the name of a `typedef`, if there is one.
    fn spelled(&self, ty: TypeId) -> String {
        const UNTAGGED: [&str; 3] = ["struct <anonymous>", "union <anonymous>", "enum <anonymous>"];
        let text = rucc_types::spell(self.types, self.names, ty);
        let Some(untagged) = UNTAGGED.iter().find(|untagged| text.contains(**untagged)) else { return text };
        let mut base = self.types.canonical(ty);
        while let TypeKind::Pointer(inner) | TypeKind::Array { elem: inner, .. } = self.types.kind(base) {
            base = self.types.canonical(inner);
        }
        let named = |alias: &&rucc_types::Alias| {
            self.types.kind(self.types.canonical(alias.of)) == self.types.kind(base)
        };
        match self.types.aliases().iter().find(named) {
            Some(alias) => text.replacen(untagged, &self.name(alias.name), 1),
            None => text,
        }
    }

    /// The definition in this unit that a declaration gives another name.
    fn aliased(&self, id: DeclId) -> Option<DeclId> {
        let alias = self.tast[id].alias.filter(|_| !self.tast.is_ifunc(id))?;
        let target = *self.linked.get(&self.names.find(&self.text(alias))?)?;
        let defined = self.tast[target].body.is_some() && self.tast[target].asm_label.is_none();
        (defined && self.tast[target].ty == self.tast[id].ty).then_some(target)
    }

    /// Whether the assembler name of a declaration is that of another function, which is defined inline and not seen by
    /// the linker: it means the one that is elsewhere, as that of `error` in glibc's header.
    fn is_inline_of_another(&self, label: &str, id: DeclId) -> bool {
        let named = self.names.find(label).and_then(|name| self.linked.get(&name));
        named.is_some_and(|&other| {
            let (other, own) = (&self.tast[other], &self.tast[id]);
            other.name != own.name && other.body.is_some() && !other.inline.emits()
        })
    }

    /// A function as one declaration has it.
    fn declared(&mut self, id: DeclId, name: String) -> Function {
        let tast = self.tast;
        let decl = &tast[id];
        let at = self.position(tast.definition_span(id));
        let signature = match self.called_type(decl.ty) {
            Some(function) => self.signature(function),
            None => {
                let none = Signature { result: Type::Void, params: None, variadic: false };
                self.type_ids.signature(&mut self.unit, none)
            }
        };
        let Signature { result, params: prototype, variadic } = self.unit[signature].clone();
        let refused = if decl.alias.is_some() || tast.is_ifunc(id) {
            Some("aliased function")
        } else if decl.flags.contains(DeclFlags::NAKED) {
            Some("naked function")
        } else if decl.flags.contains(DeclFlags::RETURNS_TWICE) || RETURNS_TWICE.contains(&name.as_str()) {
            Some("function that returns twice")
        } else if decl.linkage == Linkage::None {
            Some("function that is defined in another")
        } else {
            None
        };
        if decl.startup.asked() && decl.body.is_some() && !self.starts_alone(id) {
            self.unit.refused.get_or_insert((at, "constructor or destructor function with parameters"));
        }
        Function {
            name,
            signature,
            result,
            params: Vec::new(),
            prototype,
            variadic,
            body: None,
            external: decl.linkage == Linkage::External && decl.inline.emits(),
            weak: decl.flags.contains(DeclFlags::WEAK),
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
