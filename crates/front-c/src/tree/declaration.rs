//! Variables and functions.

use super::{BitField, ExprId, ObjectId, Position, SignatureId, StmtId, Type};

/// The initial value of an object.
#[derive(Clone, PartialEq, Debug)]
pub struct Init {
    /// The values, in the order of the initialiser: a later one overrides an earlier one at the same place. What no
    /// entry covers is 0.
    pub entries: Vec<InitEntry>,
}

/// One value of an initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InitEntry {
    /// Where it goes, in bytes from the start of the object.
    pub offset: u64,
    /// Which bits, for a bit-field.
    pub bits: Option<BitField>,
    /// The value, of the type of what is there: a scalar, or a whole struct or union. A string literal that
    /// initialises an array has an entry for each element.
    pub value: ExprId,
}

/// How long a variable lives, and what it holds at first.
#[derive(Clone, PartialEq, Debug)]
pub enum Storage {
    /// In an activation. The initial value is assigned where the declaration stands.
    Automatic(Option<Init>),
    /// In the whole run, and 0 at first, or the value of constant expressions.
    Static(Option<Init>),
    /// In the whole run, and defined in another translation unit.
    Elsewhere,
}

/// A variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its size in bytes, which a flexible array member's initialiser may extend; `None` where it is not constant.
    pub size: Option<u64>,
    /// Its alignment in bytes.
    pub align: u64,
    /// The size in bytes of a variable-length array, evaluated where the declaration stands.
    pub dynamic_size: Option<ExprId>,
    /// Its life.
    pub storage: Storage,
    /// Whether it is declared `const`, or its elements are.
    pub constant: bool,
    /// Whether it is declared `volatile`.
    pub volatile: bool,
    /// Whether other translation units can name it.
    pub external: bool,
    /// Whether a definition in another translation unit takes the place of this one.
    pub weak: bool,
    /// Why a use of it is not taken, if it is not.
    pub refused: Option<&'static str>,
    /// Why its very declaration is not taken, if it is not.
    pub declaration_refused: Option<&'static str>,
    /// Whether it is known in a block alone, as a variable of a function is, static or not.
    pub local: bool,
    /// Where it is declared.
    pub at: Position,
}

impl Object {
    /// Its initial value, if the declaration gives one.
    pub fn init(&self) -> Option<&Init> {
        match &self.storage {
            Storage::Automatic(init) | Storage::Static(init) => init.as_ref(),
            Storage::Elsewhere => None,
        }
    }

    /// Whether it lives in an activation.
    pub fn is_automatic(&self) -> bool {
        matches!(self.storage, Storage::Automatic(_))
    }

    /// Whether it stands for an operand or a length that the program does not name.
    pub fn is_temporary(&self) -> bool {
        self.name.starts_with('(')
    }
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name to the linker, which is the one in the program unless a declaration gives it another.
    pub name: String,
    /// Its type.
    pub signature: SignatureId,
    /// What it returns.
    pub result: Type,
    /// The parameters of the definition; empty without a body.
    pub params: Vec<ObjectId>,
    /// The parameter types of the prototype, if there is one.
    pub prototype: Option<Vec<Type>>,
    /// Whether it takes more arguments than its parameters.
    pub variadic: bool,
    /// Its body, if it is defined here.
    pub body: Option<StmtId>,
    /// Whether other translation units can name it.
    pub external: bool,
    /// Whether a definition in another translation unit takes the place of this one, and none need be there.
    pub weak: bool,
    /// Whether it is declared never to return.
    pub noreturn: bool,
    /// Why a call of it is not taken, if it is not.
    pub refused: Option<&'static str>,
    /// Where it is declared.
    pub at: Position,
}

/// How the type of a function is written: names of types as they stand in casts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spelling {
    /// What it returns.
    pub(crate) result: String,
    /// The parameters, where they are known.
    pub(crate) params: Option<Vec<String>>,
}
