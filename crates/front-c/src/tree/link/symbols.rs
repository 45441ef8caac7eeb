//! Variables and functions under their external names.

use super::nodes::Shift;
use super::{LinkError, Linker, Symbol};
use crate::tree::{Function, FunctionId, Object, ObjectId, Storage, Type, Unit};

impl Linker {
    /// The variable of the program that a unit's variable is. One that other units can name may be there already.
    pub(super) fn resolve_object(
        &mut self,
        object: &Object,
        shift: &Shift,
    ) -> Result<ObjectId, Box<LinkError>> {
        if object.external {
            match self.symbols.get(&object.name) {
                Some(&Symbol::Object(known)) => return Ok(known),
                Some(&Symbol::Function(known)) => {
                    let other = self.place(self.unit[known].at);
                    return Err(self.clash(&object.name, object.at, shift, "is a function", &other));
                }
                None => {}
            }
        }
        let id = ObjectId(self.unit.objects.len() as u32);
        let placeholder = Object {
            name: object.name.clone(),
            ty: shift.types.get(object.ty),
            storage: Storage::Elsewhere,
            dynamic_size: None,
            at: shift.position(object.at),
            ..object.clone()
        };
        self.unit.objects.push(placeholder);
        if object.external {
            self.symbols.insert(object.name.clone(), Symbol::Object(id));
        }
        Ok(id)
    }

    /// Adds what a unit says of a variable, once all ids are known.
    pub(super) fn define_object(
        &mut self,
        object: &Object,
        own: ObjectId,
        shift: &Shift,
    ) -> Result<(), Box<LinkError>> {
        let new = shift.whole_object(object);
        let known = &self.unit[own];
        let Some(ty) = self.composite(known.ty, new.ty) else {
            let other = self.place(known.at);
            return Err(self.clash(&object.name, object.at, shift, "has another type", &other));
        };
        let merged =
            match (&known.storage, &new.storage) {
                // Of two definitions the first strong one counts, or the first if both are weak.
                (Storage::Static(_), Storage::Static(_)) if known.weak || new.weak => {
                    if known.weak && !new.weak { new } else { known.clone() }
                }
                (Storage::Static(Some(_)), Storage::Static(Some(_))) => {
                    let other = self.place(known.at);
                    return Err(self.twice(&object.name, object.at, shift, &other));
                }
                // A definition says more than a declaration, and one with a value more than a tentative one (C11 6.9.2).
                (Storage::Elsewhere, _) | (Storage::Static(None), Storage::Static(Some(_))) => new,
                _ => known.clone(),
            };
        let (refused, size) = (self.unit[own].refused.or(object.refused), self.unit[own].size);
        let size = merged.size.max(size).max(object.size);
        self.unit.objects[own.index()] = Object { ty, size, refused, ..merged };
        Ok(())
    }

    /// The type that two declarations of one variable give it: an array has a length if either says so.
    fn composite(&self, a: Type, b: Type) -> Option<Type> {
        match (a, b) {
            (a, b) if a == b => Some(a),
            (Type::Array(x), Type::Array(y)) => {
                let (x, y) = (self.unit[x], self.unit[y]);
                match (x.length, y.length) {
                    _ if x.element != y.element => None,
                    (None, _) => Some(b),
                    (_, None) => Some(a),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(super) fn resolve_function(
        &mut self,
        function: &Function,
        shift: &Shift,
    ) -> Result<FunctionId, Box<LinkError>> {
        if function.external {
            match self.symbols.get(&function.name) {
                Some(&Symbol::Function(known)) => return Ok(known),
                Some(&Symbol::Object(known)) => {
                    let other = self.place(self.unit[known].at);
                    return Err(self.clash(&function.name, function.at, shift, "is a variable", &other));
                }
                None => {}
            }
        }
        let id = FunctionId(self.unit.functions.len() as u32);
        let mut declared = shift.signature_of(function);
        declared.body = None;
        declared.params = Vec::new();
        self.unit.functions.push(declared);
        if function.external {
            self.symbols.insert(function.name.clone(), Symbol::Function(id));
        }
        Ok(id)
    }

    /// Adds what a unit says of a function, once all ids are known.
    pub(super) fn define_function(
        &mut self,
        function: &Function,
        own: FunctionId,
        shift: &Shift,
    ) -> Result<(), Box<LinkError>> {
        let new = shift.whole_function(function);
        let known = &self.unit[own];
        let (noreturn, mut refused) = (known.noreturn || new.noreturn, known.refused.or(new.refused));
        let two = known.body.is_some() && new.body.is_some();
        if two && !known.weak && !new.weak {
            let other = self.place(known.at);
            return Err(self.twice(&function.name, function.at, shift, &other));
        }
        if self.library && new.body.is_some() && known.body.is_none() && is_called_alike(known, &new) {
            let (body, params) = (new.body, new.params);
            let prototype = known.prototype.clone().or(new.prototype);
            self.unit.functions[own.index()] = Function { body, params, prototype, ..known.clone() };
            return Ok(());
        }
        if !agree(known, &new) {
            if known.body.is_some() || new.body.is_some() {
                let other = self.place(known.at);
                return Err(self.clash(&function.name, function.at, shift, "has another type", &other));
            }
            refused = Some("function declared with two types");
        }
        // A definition or a prototype says more.
        let better = (new.body.is_some() && (!two || known.weak && !new.weak))
            || (known.body.is_none() && known.prototype.is_none() && new.prototype.is_some());
        let merged = if better { new } else { known.clone() };
        self.unit.functions[own.index()] = Function { noreturn, refused, ..merged };
        Ok(())
    }

    /// What else the functions of a unit are called.
    pub(super) fn define_aliases(&mut self, from: &Unit, shift: &Shift) {
        for (name, function) in &from.aliases {
            let own = shift.functions[function.index()];
            self.unit.aliases.push((name.clone(), own));
            match self.symbols.get(name) {
                // An earlier unit calls it.
                Some(&Symbol::Function(known)) if self.unit[known].body.is_none() => {
                    self.unit.functions[known.index()].refused = Some("function that another unit aliases");
                }
                Some(_) => {}
                None => {
                    self.symbols.insert(name.clone(), Symbol::Function(own));
                }
            }
        }
    }

    /// Two definitions: the place of the first in the message, and that of the second as its place.
    fn twice(&self, name: &str, at: crate::tree::Position, shift: &Shift, first: &str) -> Box<LinkError> {
        self.error(shift.position(at), format!("`{name}` is defined twice: at {first} and here"))
    }

    fn clash(
        &self,
        name: &str,
        at: crate::tree::Position,
        shift: &Shift,
        what: &str,
        other: &str,
    ) -> Box<LinkError> {
        self.error(shift.position(at), format!("`{name}` {what} at {other}"))
    }
}

/// Whether a call by one declaration is one by the other: pointers are alike, whatever they point to.
fn is_called_alike(a: &Function, b: &Function) -> bool {
    let alike = |a: Type, b: Type| a == b || (a.is_pointer() && b.is_pointer());
    let params = match (&a.prototype, &b.prototype) {
        (Some(ours), Some(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(&a, &b)| alike(a, b))
        }
        _ => true,
    };
    params && a.variadic == b.variadic && alike(a.result, b.result)
}

/// Whether two declarations of a function agree, as far as a caller can tell.
fn agree(a: &Function, b: &Function) -> bool {
    let params = match (&a.prototype, &b.prototype) {
        (Some(ours), Some(theirs)) => ours == theirs && a.variadic == b.variadic,
        _ => true,
    };
    a.result == b.result && params
}
