//! The language of formulas.

use super::formula::{self, Formula};
use crate::scanner::{Fragment, Scanner};
use tamis_diagnostics::Diagnostic;

/// Larger bounds of operators are refused: each step is a part of the formula.
const MOST_STEPS: u32 = 64;

/// Deeper formulas are refused.
const DEEPEST: u32 = 128;

/// A proposition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proposition<'a> {
    /// This position is a call of a function.
    Call(&'a str),
    /// This position is a label.
    Label(&'a str),
    /// A condition in C holds here.
    Condition(Fragment<'a>),
}

/// A formula as it is written.
#[derive(Clone, PartialEq, Debug)]
enum Tree {
    Constant(bool),
    Proposition(usize),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Next(Box<Tree>),
    Always(Box<Tree>),
    Eventually(Box<Tree>),
    Until(Box<Tree>, Box<Tree>),
    Unless(Box<Tree>, Box<Tree>),
}

/// A formula that was read.
pub struct Parsed<'a> {
    pub propositions: Vec<Proposition<'a>>,
    /// `None` if it is no safety property.
    pub formula: Option<Formula>,
}

/// Reads a formula up to the end of the text.
pub fn parse<'a>(scanner: &mut Scanner<'a>) -> Result<Parsed<'a>, Diagnostic> {
    let mut parser = Parser { scanner, propositions: Vec::new(), depth: 0 };
    let tree = parser.equivalence()?;
    if !parser.scanner.is_at_end() {
        return Err(parser.scanner.error("the formula ends before this"));
    }
    Ok(Parsed { propositions: parser.propositions, formula: normal(&tree, true) })
}

struct Parser<'a, 's> {
    scanner: &'s mut Scanner<'a>,
    propositions: Vec<Proposition<'a>>,
    depth: u32,
}

impl<'a> Parser<'a, '_> {
    fn equivalence(&mut self) -> Result<Tree, Diagnostic> {
        let mut left = self.implication()?;
        while self.scanner.takes("<->") || self.scanner.takes("<==>") {
            let right = self.implication()?;
            let both = |a: Tree, b: Tree| Tree::And(Box::new(a), Box::new(b));
            let neither = both(not(left.clone()), not(right.clone()));
            left = Tree::Or(Box::new(both(left, right)), Box::new(neither));
        }
        Ok(left)
    }

    fn implication(&mut self) -> Result<Tree, Diagnostic> {
        let left = self.disjunction()?;
        if self.scanner.takes("->") || self.scanner.takes("==>") {
            let right = self.deeper(Self::implication)?;
            return Ok(Tree::Or(Box::new(not(left)), Box::new(right)));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Result<Tree, Diagnostic> {
        let mut left = self.conjunction()?;
        while self.scanner.takes("||") || self.scanner.takes("|") {
            left = Tree::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Tree, Diagnostic> {
        let mut left = self.binary()?;
        while self.scanner.takes("&&") || self.scanner.takes("&") {
            left = Tree::And(Box::new(left), Box::new(self.binary()?));
        }
        Ok(left)
    }

    fn binary(&mut self) -> Result<Tree, Diagnostic> {
        let left = self.unary()?;
        let word = self.scanner.peek().unwrap_or_default();
        if !matches!(word, "U" | "W" | "R") {
            return Ok(left);
        }
        self.scanner.takes_word(word);
        let right = self.deeper(Self::binary)?;
        let both = |a: Tree, b: Tree| Tree::And(Box::new(a), Box::new(b));
        Ok(match word {
            "U" => Tree::Until(Box::new(left), Box::new(right)),
            "W" => Tree::Unless(Box::new(left), Box::new(right)),
            // The right holds up to and with where the left does.
            _ => Tree::Unless(Box::new(right.clone()), Box::new(both(left, right))),
        })
    }

    fn deeper(&mut self, read: fn(&mut Self) -> Result<Tree, Diagnostic>) -> Result<Tree, Diagnostic> {
        if self.depth == DEEPEST {
            return Err(self.scanner.error(format!("formulas are nested at most {DEEPEST} deep")));
        }
        self.depth += 1;
        let tree = read(self);
        self.depth -= 1;
        tree
    }

    fn unary(&mut self) -> Result<Tree, Diagnostic> {
        if self.scanner.takes("!") {
            return Ok(not(self.deeper(Self::unary)?));
        }
        if self.scanner.takes("[]") {
            return Ok(Tree::Always(Box::new(self.deeper(Self::unary)?)));
        }
        if self.scanner.takes("<>") {
            return Ok(Tree::Eventually(Box::new(self.deeper(Self::unary)?)));
        }
        if self.scanner.takes("(") {
            let inner = self.deeper(Self::equivalence)?;
            self.scanner.expect(")")?;
            return Ok(inner);
        }
        let at = self.scanner.here();
        let word = self.scanner.name("a formula")?;
        match word {
            "true" => Ok(Tree::Constant(true)),
            "false" => Ok(Tree::Constant(false)),
            "X" => {
                let steps = if self.scanner.takes("[") { self.bound_end()? } else { 1 };
                let mut inner = self.deeper(Self::unary)?;
                for _ in 0..steps {
                    inner = Tree::Next(Box::new(inner));
                }
                Ok(inner)
            }
            "G" | "F" => {
                let bound = match self.scanner.takes("[") {
                    true => {
                        self.scanner.expect("<=")?;
                        Some(self.bound_end()?)
                    }
                    false => None,
                };
                let inner = self.deeper(Self::unary)?;
                Ok(match (word, bound) {
                    ("G", None) => Tree::Always(Box::new(inner)),
                    (_, None) => Tree::Eventually(Box::new(inner)),
                    (word, Some(steps)) => within(word == "G", steps, &inner),
                })
            }
            "call" | "label" => {
                let name = self.named(word)?;
                Ok(self.proposition(if word == "call" {
                    Proposition::Call(name)
                } else {
                    Proposition::Label(name)
                }))
            }
            "ap" | "AP" => {
                let condition = self.scanner.enclosed('(', ')')?;
                Ok(self.proposition(Proposition::Condition(condition)))
            }
            _ => {
                let message = format!(
                    "`{word}` is no proposition: there are call(f()), label(l) and ap(a condition in C)"
                );
                Err(self.scanner.error_at(at, message))
            }
        }
    }

    fn bound_end(&mut self) -> Result<u32, Diagnostic> {
        let at = self.scanner.here();
        let steps = self.scanner.number()?;
        if steps > MOST_STEPS {
            return Err(self.scanner.error_at(at, format!("a bound is at most {MOST_STEPS}")));
        }
        self.scanner.expect("]")?;
        Ok(steps)
    }

    /// `(name)` or `(name())`.
    fn named(&mut self, what: &str) -> Result<&'a str, Diagnostic> {
        self.scanner.expect("(")?;
        let name = self.scanner.name(if what == "call" { "a function" } else { "a label" })?;
        if self.scanner.takes("(") {
            self.scanner.expect(")")?;
        }
        self.scanner.expect(")")?;
        Ok(name)
    }

    fn proposition(&mut self, new: Proposition<'a>) -> Tree {
        let same = |known: &Proposition<'a>| match (known, &new) {
            (Proposition::Condition(a), Proposition::Condition(b)) => a.text == b.text,
            (a, b) => a == b,
        };
        let known = self.propositions.iter().position(same);
        Tree::Proposition(known.unwrap_or_else(|| {
            self.propositions.push(new);
            self.propositions.len() - 1
        }))
    }
}

fn not(tree: Tree) -> Tree {
    Tree::Not(Box::new(tree))
}

/// Here and in so many next positions, or in one of them.
fn within(all: bool, steps: u32, inner: &Tree) -> Tree {
    let mut tree = inner.clone();
    for _ in 0..steps {
        let later = Box::new(Tree::Next(Box::new(tree)));
        let here = Box::new(inner.clone());
        tree = if all { Tree::And(here, later) } else { Tree::Or(here, later) };
    }
    tree
}

/// The negation normal form of a formula or of its negation, if that is a safety property by its form.
fn normal(tree: &Tree, positive: bool) -> Option<Formula> {
    let both = |a: &Tree, b: &Tree| Some([normal(a, positive)?, normal(b, positive)?]);
    Some(match (tree, positive) {
        (Tree::Constant(value), _) => {
            if *value == positive {
                Formula::True
            } else {
                Formula::False
            }
        }
        (Tree::Proposition(p), _) => Formula::Literal(*p, positive),
        (Tree::Not(inner), _) => normal(inner, !positive)?,
        (Tree::And(a, b), true) | (Tree::Or(a, b), false) => formula::and(both(a, b)?),
        (Tree::Or(a, b), true) | (Tree::And(a, b), false) => formula::or(both(a, b)?),
        (Tree::Next(inner), _) => formula::next(normal(inner, positive)?),
        (Tree::Always(inner), true) | (Tree::Eventually(inner), false) => {
            formula::unless(normal(inner, positive)?, Formula::False)
        }
        (Tree::Unless(a, b), true) => {
            let [a, b] = both(a, b)?;
            formula::unless(a, b)
        }
        // The second does not hold up to and with where the first does not, or never.
        (Tree::Until(a, b), false) => {
            let [a, b] = both(a, b)?;
            formula::unless(b.clone(), formula::and([a, b]))
        }
        // Something must happen.
        (Tree::Eventually(_) | Tree::Until(..), true) | (Tree::Always(_) | Tree::Unless(..), false) => {
            return None;
        }
    })
}
