//! The operators of the theories: their names, and what they take.

use super::error::{Error, ErrorKind, Position};
use super::heads::Indices;
use super::sorts::check_width;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use dashu_int::IBig;

/// How an operator is built from arguments that have been checked.
#[derive(Clone, Copy)]
pub(super) enum Operator {
    Not,
    And,
    Or,
    Implies,
    Xor,
    Equal,
    Distinct,
    Ite,
    /// On one bit-vector, giving one of the same width.
    Vector1(fn(&mut Terms, Term) -> Term),
    /// On one bit-vector, giving another width or a truth value.
    Reduce(fn(&mut Terms, Term) -> Term),
    /// On two bit-vectors of one width.
    Vector2(fn(&mut Terms, Term, Term) -> Term),
    /// On two or more bit-vectors of one width, from the left.
    VectorN(fn(&mut Terms, Term, Term) -> Term),
    /// On two bit-vectors of one width, building one of twice the width.
    Doubling(fn(&mut Terms, Term, Term) -> Term),
    Concat,
    Extract,
    ZeroExtend,
    SignExtend,
    Rotate(fn(&mut Terms, u64, Term) -> Term),
    Repeat,
    Plus,
    Minus,
    Times,
    /// On two or more numbers, pair by pair.
    Compare(fn(&mut Terms, Term, Term) -> Term),
    /// On two or more integers, from the left.
    Integer2(fn(&mut Terms, Term, Term) -> Term),
    Divide,
    Abs,
    ToReal,
    ToInt,
    IsInt,
    Divisible,
    Select,
    Store,
}

/// The operator called `name`, and how many indices it has.
pub(super) fn operator(name: &str) -> Option<(Operator, u8)> {
    use Operator::*;
    let found = match name {
        "not" => Not,
        "and" => And,
        "or" => Or,
        "=>" => Implies,
        "xor" => Xor,
        "=" => Equal,
        "distinct" => Distinct,
        "ite" => Ite,
        "bvneg" => Vector1(Terms::neg),
        "bvnot" => Vector1(Terms::bv_not),
        "bvredor" => Reduce(Terms::bv_redor),
        "bvredxor" => Reduce(Terms::bv_redxor),
        "bvredand" => Reduce(Terms::bv_redand),
        "bvnego" => Reduce(Terms::nego),
        "bvadd" => VectorN(Terms::add),
        "bvmul" => VectorN(Terms::mul),
        "bvand" => VectorN(Terms::bv_and),
        "bvor" => VectorN(Terms::bv_or),
        "bvxor" => VectorN(Terms::bv_xor),
        "bvxnor" => VectorN(Terms::bv_xnor),
        "bvsub" => VectorN(Terms::sub),
        "bvnand" => Vector2(Terms::bv_nand),
        "bvnor" => Vector2(Terms::bv_nor),
        "bvcomp" => Vector2(Terms::bv_comp),
        "bvudiv" => Vector2(Terms::udiv),
        "bvurem" => Vector2(Terms::urem),
        "bvsdiv" => Vector2(Terms::sdiv),
        "bvsrem" => Vector2(Terms::srem),
        "bvsmod" => Vector2(Terms::smod),
        "bvshl" => Vector2(Terms::shl),
        "bvlshr" => Vector2(Terms::lshr),
        "bvashr" => Vector2(Terms::ashr),
        "bvult" => Vector2(Terms::ult),
        "bvule" => Vector2(Terms::ule),
        "bvugt" => Vector2(Terms::ugt),
        "bvuge" => Vector2(Terms::uge),
        "bvslt" => Vector2(Terms::slt),
        "bvsle" => Vector2(Terms::sle),
        "bvsgt" => Vector2(Terms::sgt),
        "bvsge" => Vector2(Terms::sge),
        "bvuaddo" => Vector2(Terms::uaddo),
        "bvsaddo" => Vector2(Terms::saddo),
        "bvusubo" => Vector2(Terms::usubo),
        "bvssubo" => Vector2(Terms::ssubo),
        "bvsdivo" => Vector2(Terms::sdivo),
        "bvumulo" => Doubling(Terms::umulo),
        "bvsmulo" => Doubling(Terms::smulo),
        "concat" => Concat,
        "extract" => return Some((Extract, 2)),
        "zero_extend" => return Some((ZeroExtend, 1)),
        "sign_extend" => return Some((SignExtend, 1)),
        "rotate_left" => return Some((Rotate(Terms::rotate_left), 1)),
        "rotate_right" => return Some((Rotate(Terms::rotate_right), 1)),
        "repeat" => return Some((Repeat, 1)),
        "divisible" => return Some((Divisible, 1)),
        "+" => Plus,
        "-" => Minus,
        "*" => Times,
        "<=" => Compare(Terms::le),
        "<" => Compare(Terms::lt),
        ">=" => Compare(Terms::ge),
        ">" => Compare(Terms::gt),
        "div" => Integer2(Terms::int_div),
        "mod" => Integer2(Terms::modulo),
        "/" => Divide,
        "abs" => Abs,
        "to_real" => ToReal,
        "to_int" => ToInt,
        "is_int" => IsInt,
        "select" => Select,
        "store" => Store,
        _ => return None,
    };
    Some((found, 0))
}

/// A `distinct` of more arguments would become too many disequalities.
const MAX_DISTINCT: usize = 4096;

/// An application whose arguments are being checked.
struct Application<'t> {
    terms: &'t mut Terms,
    args: Vec<Term>,
    position: Position,
}

impl Operator {
    /// What an application is, if no theory here decides it.
    pub(super) fn undecided(self, terms: &Terms, args: &[Term]) -> Option<&'static str> {
        let is_constant = |&t: &Term| terms.number_constant(t).is_some();
        match self {
            Operator::Times if args.iter().filter(|t| !is_constant(t)).count() > 1 => {
                Some("a product of terms that are no constants")
            }
            Operator::Integer2(_) | Operator::Divide if !args.iter().skip(1).all(is_constant) => {
                Some("a division by a term that is no constant")
            }
            _ => None,
        }
    }

    pub(super) fn build(
        self,
        terms: &mut Terms,
        (indices, _): Indices,
        args: Vec<Term>,
        position: Position,
    ) -> Result<Term, Error> {
        let mut a = Application { terms, args, position };
        match self {
            Operator::Not | Operator::And | Operator::Or | Operator::Implies | Operator::Xor => self.core(a),
            Operator::Equal | Operator::Distinct | Operator::Ite => self.at_any_sort(a),
            Operator::Vector1(f) | Operator::Reduce(f) => {
                a.count(1, 1)?;
                a.vector(0)?;
                Ok(f(a.terms, a.args[0]))
            }
            Operator::Vector2(f) => {
                a.count(2, 2)?;
                a.same_width()?;
                Ok(f(a.terms, a.args[0], a.args[1]))
            }
            Operator::VectorN(f) => {
                a.count(2, usize::MAX)?;
                a.same_width()?;
                Ok(a.fold_left(f))
            }
            Operator::Doubling(f) => {
                a.count(2, 2)?;
                let width = a.same_width()?;
                check_width(2 * u64::from(width), position)?;
                Ok(f(a.terms, a.args[0], a.args[1]))
            }
            Operator::Concat => {
                a.count(2, usize::MAX)?;
                let mut width = 0;
                for i in 0..a.args.len() {
                    width += u64::from(a.vector(i)?);
                }
                check_width(width, position)?;
                Ok(a.concat())
            }
            Operator::Extract
            | Operator::ZeroExtend
            | Operator::SignExtend
            | Operator::Rotate(_)
            | Operator::Repeat => self.indexed(a, indices),
            Operator::Select => {
                a.count(2, 2)?;
                let (index, _) = a.array()?;
                a.needs(1, index)?;
                Ok(a.terms.select(a.args[0], a.args[1]))
            }
            Operator::Store => {
                a.count(3, 3)?;
                let (index, element) = a.array()?;
                a.needs(1, index)?;
                a.needs(2, element)?;
                Ok(a.terms.store(a.args[0], a.args[1], a.args[2]))
            }
            _ => self.arithmetic(a, indices[0]),
        }
    }

    fn core(self, mut a: Application) -> Result<Term, Error> {
        let least = if matches!(self, Operator::Implies | Operator::Xor) { 2 } else { 1 };
        a.count(least, if matches!(self, Operator::Not) { 1 } else { usize::MAX })?;
        a.all(Sort::Bool)?;
        let terms = a.terms;
        Ok(match self {
            Operator::Not => terms.not(a.args[0]),
            Operator::And => terms.and(&a.args),
            Operator::Or => terms.or(&a.args),
            Operator::Xor => a.args[1..].iter().fold(a.args[0], |x, &y| terms.xor(x, y)),
            // From the right: a => b => c is a => (b => c), and that (¬a ∨ ¬b ∨ c).
            _ => {
                let last = a.args.len() - 1;
                for arg in &mut a.args[..last] {
                    *arg = terms.not(*arg);
                }
                terms.or(&a.args)
            }
        })
    }

    fn at_any_sort(self, mut a: Application) -> Result<Term, Error> {
        if let Operator::Ite = self {
            a.count(3, 3)?;
            a.needs(0, Sort::Bool)?;
            a.one_sort(1)?;
            return Ok(a.terms.ite(a.args[0], a.args[1], a.args[2]));
        }
        a.count(2, usize::MAX)?;
        a.one_sort(0)?;
        if let Operator::Equal = self {
            return Ok(a.chain(Terms::eq));
        }
        if a.args.len() > MAX_DISTINCT {
            let message = format!("`distinct` of more than {MAX_DISTINCT} terms");
            return Err(Error::new(ErrorKind::Limit, a.position, message));
        }
        Ok(a.terms.distinct(&a.args))
    }

    fn indexed(self, a: Application, indices: [u32; 2]) -> Result<Term, Error> {
        a.count(1, 1)?;
        let width = a.vector(0)?;
        let (arg, terms) = (a.args[0], a.terms);
        let [index, low] = indices;
        let wide = |width: u64| check_width(width, a.position);
        Ok(match self {
            Operator::Extract => {
                if low > index || index >= width {
                    let message = format!("bits {index} to {low} of {width}");
                    return Err(Error::new(ErrorKind::Sort, a.position, message));
                }
                terms.extract(index, low, arg)
            }
            Operator::ZeroExtend => {
                wide(u64::from(width) + u64::from(index))?;
                terms.zero_extend(width + index, arg)
            }
            Operator::SignExtend => {
                wide(u64::from(width) + u64::from(index))?;
                terms.sign_extend(width + index, arg)
            }
            Operator::Rotate(f) => f(terms, u64::from(index), arg),
            _ => {
                wide(u64::from(width) * u64::from(index))?;
                if index == 0 {
                    return Err(Error::new(ErrorKind::Sort, a.position, "a term repeated no times"));
                }
                terms.repeat(index, arg)
            }
        })
    }

    fn arithmetic(self, mut a: Application, index: u32) -> Result<Term, Error> {
        match self {
            Operator::Plus | Operator::Times => {
                a.count(1, usize::MAX)?;
                a.numbers()?;
                Ok(if let Operator::Plus = self { a.terms.plus(&a.args) } else { a.terms.times(&a.args) })
            }
            Operator::Minus => {
                a.count(1, usize::MAX)?;
                a.numbers()?;
                if let [only] = a.args[..] {
                    return Ok(a.terms.negate(only));
                }
                for arg in &mut a.args[1..] {
                    *arg = a.terms.negate(*arg);
                }
                Ok(a.terms.plus(&a.args))
            }
            Operator::Compare(f) => {
                a.count(2, usize::MAX)?;
                a.numbers()?;
                Ok(a.chain(f))
            }
            Operator::Integer2(f) => {
                a.count(2, usize::MAX)?;
                a.all(Sort::Int)?;
                Ok(a.fold_left(f))
            }
            Operator::Divide => {
                a.count(2, usize::MAX)?;
                a.all(Sort::Real)?;
                Ok(a.fold_left(Terms::divide))
            }
            Operator::Divisible => {
                a.count(1, 1)?;
                a.all(Sort::Int)?;
                if index == 0 {
                    return Err(Error::new(ErrorKind::Sort, a.position, "divisible by 0"));
                }
                let (n, zero) = (a.terms.int(IBig::from(index)), a.terms.int(0));
                let remainder = a.terms.modulo(a.args[0], n);
                Ok(a.terms.eq(remainder, zero))
            }
            _ => {
                a.count(1, 1)?;
                match self {
                    Operator::Abs => a.numbers()?,
                    // Of an integer, it is the integer as a real already: needs() has seen to that.
                    _ => a.all(Sort::Real)?,
                }
                Ok(match self {
                    Operator::Abs => a.terms.abs(a.args[0]),
                    Operator::ToReal => a.args[0],
                    Operator::ToInt => a.terms.to_int(a.args[0]),
                    _ => a.terms.is_int(a.args[0]),
                })
            }
        }
    }
}

impl Application<'_> {
    fn fail<T>(&self, message: String) -> Result<T, Error> {
        Err(Error::new(ErrorKind::Sort, self.position, message))
    }

    fn count(&self, least: usize, most: usize) -> Result<(), Error> {
        let n = self.args.len();
        if (least..=most).contains(&n) {
            return Ok(());
        }
        let wanted = if least == most { least.to_string() } else { format!("at least {least}") };
        self.fail(format!("{wanted} arguments expected, not {n}"))
    }

    /// The width of an argument that has to be a bit-vector.
    fn vector(&self, i: usize) -> Result<u32, Error> {
        match self.terms.sort(self.args[i]) {
            Sort::BitVec(width) => Ok(width),
            other => {
                let text = self.terms.sort_text(other);
                self.fail(format!("argument {} is of sort {text}, not a bit-vector", i + 1))
            }
        }
    }

    fn same_width(&self) -> Result<u32, Error> {
        let width = self.vector(0)?;
        for i in 1..self.args.len() {
            let other = self.vector(i)?;
            if other != width {
                return self.fail(format!("bit-vectors of {width} and {other} bits"));
            }
        }
        Ok(width)
    }

    /// Argument `i` has to be of this sort; an integer becomes a real.
    fn needs(&mut self, i: usize, wanted: Sort) -> Result<(), Error> {
        let sort = self.terms.sort(self.args[i]);
        if sort == wanted {
            return Ok(());
        }
        if sort == Sort::Int && wanted == Sort::Real {
            self.args[i] = self.terms.to_real(self.args[i]);
            return Ok(());
        }
        let (sort, wanted) = (self.terms.sort_text(sort), self.terms.sort_text(wanted));
        self.fail(format!("argument {} is of sort {sort}, not {wanted}", i + 1))
    }

    fn all(&mut self, wanted: Sort) -> Result<(), Error> {
        let terms = &self.terms;
        if self.args.iter().all(|&t| terms.sort(t) == wanted) {
            return Ok(());
        }
        (0..self.args.len()).try_for_each(|i| self.needs(i, wanted))
    }

    /// The arguments from `first` on have to be of one sort; integers beside reals become reals.
    fn one_sort(&mut self, first: usize) -> Result<(), Error> {
        let terms = &self.terms;
        let real = self.args[first..].iter().any(|&t| terms.sort(t) == Sort::Real);
        let sort = if real { Sort::Real } else { terms.sort(self.args[first]) };
        (first..self.args.len()).try_for_each(|i| self.needs(i, sort))
    }

    fn numbers(&mut self) -> Result<(), Error> {
        self.one_sort(0)?;
        let sort = self.terms.sort(self.args[0]);
        if sort.is_arithmetic() {
            return Ok(());
        }
        let text = self.terms.sort_text(sort);
        self.fail(format!("argument 1 is of sort {text}, not a number"))
    }

    fn array(&self) -> Result<(Sort, Sort), Error> {
        let sort = self.terms.sort(self.args[0]);
        match self.terms.array_parts(sort) {
            Some(parts) => Ok(parts),
            None => self.fail(format!("argument 1 is of sort {}, not an array", self.terms.sort_text(sort))),
        }
    }

    /// The concatenation, half by half: from the left, the parts of a long one would be as large as its square.
    fn concat(mut self) -> Term {
        while self.args.len() > 1 {
            let terms = &mut *self.terms;
            let join = |pair: &[Term]| match *pair {
                [high, low] => terms.concat(high, low),
                _ => pair[0],
            };
            self.args = self.args.chunks(2).map(join).collect();
        }
        self.args[0]
    }

    fn fold_left(self, f: fn(&mut Terms, Term, Term) -> Term) -> Term {
        let terms = self.terms;
        self.args[1..].iter().fold(self.args[0], |a, &b| f(terms, a, b))
    }

    /// All neighbours have to be in the relation.
    fn chain(self, f: fn(&mut Terms, Term, Term) -> Term) -> Term {
        let terms = self.terms;
        let links: Vec<Term> = self.args.windows(2).map(|pair| f(terms, pair[0], pair[1])).collect();
        terms.and(&links)
    }
}
