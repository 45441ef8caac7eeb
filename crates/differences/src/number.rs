//! Numbers: trees of conditions with `x + c` at the leaves.
//!
//! Conditions are lifted out of comparisons and of the arguments of functions, so that the theories have nothing but plain
//! numbers: `f(if c then a else b) ≤ d` is `if c then f(a) ≤ d else f(b) ≤ d`.

use crate::clauses::Lit;
use crate::graph::Vertex;
use crate::limits;
use crate::search::Atom;
use crate::{Encoded, Formulas, Unfit};
use tamis_logic::{FunctionId, Op, Sort, Term, Terms};

/// A number, by its place in the table of them.
pub(crate) type Number = u32;

/// `vertex + offset`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Leaf {
    pub vertex: Vertex,
    pub offset: i64,
}

/// The vertex that is 0.
pub(crate) const ZERO: Vertex = 0;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Tree {
    Leaf(Leaf),
    Choice(Lit, Number, Number),
}

/// `positive - negative` beside `bound`; what is missing is 0.
#[derive(Clone, Copy)]
pub(crate) struct Compared {
    pub positive: Option<Number>,
    pub negative: Option<Number>,
    pub bound: i64,
}

/// An argument of a function.
#[derive(Clone, Copy)]
enum Argument {
    Number(Number),
    Truth(Lit),
}

/// What a function gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Given {
    Number(Vertex),
    Truth(Lit),
}

/// A function applied to leaves; a truth value as an argument is a number without a vertex.
pub(crate) struct Application {
    pub args: Box<[Leaf]>,
    pub result: Given,
}

/// The vertex of truth values as arguments.
pub(crate) const NO_VERTEX: Vertex = Vertex::MAX;

impl Formulas {
    pub(crate) fn vertex(&mut self) -> Result<Vertex, Unfit> {
        let vertex = self.search.graph.vertex();
        if vertex as usize > limits::VERTICES { Err(Unfit) } else { Ok(vertex) }
    }

    fn tree(&mut self, tree: Tree) -> Result<Number, Unfit> {
        if let Some(&known) = self.tree_ids.get(&tree) {
            return Ok(known);
        }
        let depth = match tree {
            Tree::Leaf(_) => 0,
            Tree::Choice(_, a, b) => 1 + self.depths[a as usize].max(self.depths[b as usize]),
        };
        if self.trees.len() >= limits::TREES || depth > limits::DEPTH {
            return Err(Unfit);
        }
        let number = self.trees.len() as Number;
        self.trees.push(tree);
        self.depths.push(depth);
        self.tree_ids.insert(tree, number);
        Ok(number)
    }

    pub(crate) fn leaf(&mut self, vertex: Vertex, offset: i64) -> Result<Number, Unfit> {
        if offset.abs() >= limits::CONSTANT {
            return Err(Unfit);
        }
        self.tree(Tree::Leaf(Leaf { vertex, offset }))
    }

    pub(crate) fn choice(&mut self, c: Lit, a: Number, b: Number) -> Result<Number, Unfit> {
        let (c, a, b) = if c.is_positive() { (c, a, b) } else { (!c, b, a) };
        if c == Lit::TRUE || a == b {
            return Ok(a);
        }
        let (a, b) = (self.restrict(a, c, true)?, self.restrict(b, c, false)?);
        if a == b { Ok(a) } else { self.tree(Tree::Choice(c, a, b)) }
    }

    /// The number where a condition is known.
    pub(crate) fn restrict(&mut self, number: Number, lit: Lit, value: bool) -> Result<Number, Unfit> {
        self.lift()?;
        match self.trees[number as usize] {
            Tree::Leaf(_) => Ok(number),
            Tree::Choice(c, a, b) if c == lit => self.restrict(if value { a } else { b }, lit, value),
            Tree::Choice(c, a, b) => {
                let (x, y) = (self.restrict(a, lit, value)?, self.restrict(b, lit, value)?);
                if (x, y) == (a, b) {
                    Ok(number)
                } else if x == y {
                    Ok(x)
                } else {
                    self.tree(Tree::Choice(c, x, y))
                }
            }
        }
    }

    fn lift(&mut self) -> Result<(), Unfit> {
        self.lifted += 1;
        if self.lifted > limits::LIFTED { Err(Unfit) } else { Ok(()) }
    }

    pub(crate) fn constant(&mut self, terms: &Terms, t: Term) -> Result<Number, Unfit> {
        let value = crate::encode::constant_of(terms, t)?;
        self.leaf(ZERO, value)
    }

    /// A sum with one number and constants, if it is that.
    pub(crate) fn sum(&mut self, terms: &Terms, t: Term) -> Option<Result<Number, Unfit>> {
        let (mut number, mut constant) = (None, 0i64);
        for &arg in terms.args(t) {
            if terms.is_constant(arg) {
                match crate::encode::constant_of(terms, arg) {
                    Ok(n) => constant += n,
                    Err(unfit) => return Some(Err(unfit)),
                }
            } else if number.replace(self.number(arg)?).is_some() {
                return None;
            }
        }
        number.map(|number| self.shift(number, constant))
    }

    fn shift(&mut self, number: Number, by: i64) -> Result<Number, Unfit> {
        self.lift()?;
        match self.trees[number as usize] {
            Tree::Leaf(leaf) => self.leaf(leaf.vertex, leaf.offset + by),
            Tree::Choice(c, a, b) => {
                let (a, b) = (self.shift(a, by)?, self.shift(b, by)?);
                self.tree(Tree::Choice(c, a, b))
            }
        }
    }

    fn both(&mut self, compared: Compared) -> Result<(Number, Number, i64), Unfit> {
        let zero = self.leaf(ZERO, 0)?;
        if compared.bound.abs() >= limits::CONSTANT {
            return Err(Unfit);
        }
        Ok((compared.positive.unwrap_or(zero), compared.negative.unwrap_or(zero), compared.bound))
    }

    /// `positive - negative ≤ bound`.
    pub(crate) fn at_most(&mut self, compared: Compared) -> Result<Lit, Unfit> {
        let (a, b, bound) = self.both(compared)?;
        self.compare(a, b, bound, false)
    }

    /// `positive - negative = bound`.
    pub(crate) fn equal(&mut self, compared: Compared) -> Result<Lit, Unfit> {
        let (a, b, bound) = self.both(compared)?;
        self.compare(a, b, bound, true)
    }

    /// `a - b = bound`, or at most that.
    pub(crate) fn compare(&mut self, a: Number, b: Number, bound: i64, equal: bool) -> Result<Lit, Unfit> {
        if let Some(&known) = self.comparisons.get(&(a, b, bound, equal)) {
            return Ok(known);
        }
        self.lift()?;
        let lit = match (self.trees[a as usize], self.trees[b as usize]) {
            (Tree::Leaf(x), Tree::Leaf(y)) => {
                let bound = bound - x.offset + y.offset;
                if equal {
                    self.equality(x.vertex, y.vertex, bound)
                } else {
                    self.atom(x.vertex, y.vertex, bound)
                }
            }
            (Tree::Choice(c, yes, no), _) => {
                let (b_yes, b_no) = (self.restrict(b, c, true)?, self.restrict(b, c, false)?);
                let yes = self.compare(yes, b_yes, bound, equal)?;
                let no = self.compare(no, b_no, bound, equal)?;
                self.ite(c, yes, no)
            }
            (_, Tree::Choice(c, yes, no)) => {
                let yes = self.compare(a, yes, bound, equal)?;
                let no = self.compare(a, no, bound, equal)?;
                self.ite(c, yes, no)
            }
        };
        self.comparisons.insert((a, b, bound, equal), lit);
        Ok(lit)
    }

    /// The literal of `x - y ≤ bound`.
    pub(crate) fn atom(&mut self, x: Vertex, y: Vertex, bound: i64) -> Lit {
        if x == y {
            return Lit::constant(bound >= 0);
        }
        if x > y {
            return !self.atom(y, x, -bound - 1);
        }
        let bounds = self.atoms.entry((x, y)).or_default();
        let place = match bounds.binary_search_by_key(&bound, |&(bound, _)| bound) {
            Ok(place) => return bounds[place].1,
            Err(place) => place,
        };
        let lit = Lit::new(self.search.variable(), true);
        bounds.insert(place, (bound, lit));
        let below = place.checked_sub(1).map(|place| bounds[place].1);
        let above = bounds.get(place + 1).map(|&(_, lit)| lit);
        self.search.set_atom(lit.var(), Atom { x, y, bound });
        // A bound implies those that are weaker.
        if let Some(below) = below {
            self.search.add_clause(&[!below, lit]);
        }
        if let Some(above) = above {
            self.search.add_clause(&[!lit, above]);
        }
        lit
    }

    /// The literal of `x - y = bound`.
    pub(crate) fn equality(&mut self, x: Vertex, y: Vertex, bound: i64) -> Lit {
        let (at_most, less) = (self.atom(x, y, bound), self.atom(x, y, bound - 1));
        self.and(vec![at_most, !less])
    }

    fn arguments(&self, args: &[Term]) -> Result<Vec<Argument>, Unfit> {
        let argument = |t: &Term| match self.encoded.get(t) {
            Some(&Encoded::Number(number)) => Ok(Argument::Number(number)),
            Some(&Encoded::Truth(lit)) => Ok(Argument::Truth(lit)),
            _ => Err(Unfit),
        };
        args.iter().map(argument).collect()
    }

    pub(crate) fn apply_number(
        &mut self,
        terms: &Terms,
        f: FunctionId,
        args: &[Term],
    ) -> Result<Number, Unfit> {
        let args = self.arguments(args)?;
        self.applied(terms, f, args)
    }

    pub(crate) fn apply_truth(&mut self, terms: &Terms, f: FunctionId, args: &[Term]) -> Result<Lit, Unfit> {
        let args = self.arguments(args)?;
        self.applied_truth(terms, f, args)
    }

    /// A condition that an argument depends on.
    fn condition(&self, args: &[Argument]) -> Option<Lit> {
        args.iter().find_map(|arg| match *arg {
            Argument::Truth(lit) if !lit.is_constant() => Some(Lit::new(lit.var(), true)),
            Argument::Truth(_) => None,
            Argument::Number(number) => match self.trees[number as usize] {
                Tree::Choice(c, ..) => Some(c),
                Tree::Leaf(_) => None,
            },
        })
    }

    fn restricted(&mut self, args: &[Argument], c: Lit, value: bool) -> Result<Vec<Argument>, Unfit> {
        let restrict = |arg: &Argument| match *arg {
            Argument::Truth(lit) if lit.var() == c.var() => {
                Ok(Argument::Truth(Lit::constant((lit == c) == value)))
            }
            Argument::Number(number) => Ok(Argument::Number(self.restrict(number, c, value)?)),
            other => Ok(other),
        };
        args.iter().map(restrict).collect()
    }

    fn applied(&mut self, terms: &Terms, f: FunctionId, args: Vec<Argument>) -> Result<Number, Unfit> {
        let Some(c) = self.condition(&args) else {
            return match self.application(terms, f, &args)? {
                Given::Number(vertex) => self.leaf(vertex, 0),
                Given::Truth(_) => Err(Unfit),
            };
        };
        let (yes, no) = (self.restricted(&args, c, true)?, self.restricted(&args, c, false)?);
        let (yes, no) = (self.applied(terms, f, yes)?, self.applied(terms, f, no)?);
        self.choice(c, yes, no)
    }

    fn applied_truth(&mut self, terms: &Terms, f: FunctionId, args: Vec<Argument>) -> Result<Lit, Unfit> {
        let Some(c) = self.condition(&args) else {
            return match self.application(terms, f, &args)? {
                Given::Truth(lit) => Ok(lit),
                Given::Number(_) => Err(Unfit),
            };
        };
        let (yes, no) = (self.restricted(&args, c, true)?, self.restricted(&args, c, false)?);
        let (yes, no) = (self.applied_truth(terms, f, yes)?, self.applied_truth(terms, f, no)?);
        Ok(self.ite(c, yes, no))
    }

    /// A function at leaves.
    fn application(&mut self, terms: &Terms, f: FunctionId, args: &[Argument]) -> Result<Given, Unfit> {
        let leaf = |arg: &Argument| match *arg {
            Argument::Truth(lit) => Ok(Leaf { vertex: NO_VERTEX, offset: i64::from(lit == Lit::TRUE) }),
            Argument::Number(number) => match self.trees[number as usize] {
                Tree::Leaf(leaf) => Ok(leaf),
                Tree::Choice(..) => Err(Unfit),
            },
        };
        let leaves: Box<[Leaf]> = args.iter().map(leaf).collect::<Result<_, Unfit>>()?;
        let key = (f, leaves);
        if let Some(&known) = self.application_ids.get(&key) {
            return Ok(known);
        }
        let result = match terms.signature(f).1 {
            Sort::Bool => Given::Truth(Lit::new(self.search.variable(), true)),
            Sort::Int | Sort::Uninterpreted(_) => Given::Number(self.vertex()?),
            _ => return Err(Unfit),
        };
        let place = match self.function_ids.get(&f) {
            Some(&place) => place,
            None => {
                self.functions.push(Vec::new());
                self.function_ids.insert(f, self.functions.len() - 1);
                self.functions.len() - 1
            }
        };
        if self.functions[place].len() >= limits::APPLICATIONS {
            return Err(Unfit);
        }
        if let Given::Truth(lit) = result {
            self.results.insert(lit.var(), (place, self.functions[place].len()));
        }
        self.functions[place].push(Application { args: key.1.clone(), result });
        self.application_ids.insert(key, result);
        Ok(result)
    }

    /// Whether a term can be the left side of a definition: a variable that nothing has been made of.
    pub(crate) fn is_new(&self, terms: &Terms, t: Term) -> bool {
        matches!(terms.op(t), Op::Var(_)) && !self.encoded.contains_key(&t)
    }
}
