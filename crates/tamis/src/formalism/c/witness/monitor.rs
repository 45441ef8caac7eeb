//! What a witness says, as code in the program.
//!
//! An invariant becomes a check where it is to hold. A sequence of waypoints becomes a variable that counts the segments
//! that an execution has passed, and code at each waypoint that moves it on. All that is inserted has one of two file
//! names: that of our own code and that of the witness's expressions, and the line is the number of the item.

use super::find::{Call, Condition, Finder, Shape, Statement};
use super::text::expression_stays_inside;
use super::{Expression, Invariant, InvariantKind, Place, Segment, Waypoint, WaypointKind};
use crate::yaml::Document;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tamis_diagnostics::{Diagnostic, Error};
use tamis_front_c::tree::{ExprKind, FloatType, Type, Unit};
use tamis_front_c::{Insertion, Piece, Sources, Spot};
use tamis_program::{IntType, Program, Source};

/// The file name of our own code.
const OURS: &str = "<monitor>";

/// The file name of expressions in witnesses.
const THEIRS: &str = "<witness>";

/// No program has such names.
pub const PREFIX: &str = "__tamis_";

/// The function that is called where an invariant does not hold.
pub const REFUTED: &str = "__tamis_refuted";

/// The variable that counts segments.
pub const SEGMENT: &str = "__tamis_segment";

/// What a check does where an invariant does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failing {
    /// It is an error.
    Refutes,
    /// The execution ends.
    Ends,
    /// The execution goes on.
    Passes,
}

/// Code to be inserted, with what each item of the witness stands for.
pub struct Monitor<'a> {
    document: &'a Document,
    finder: &'a Finder<'a>,
    insertions: Vec<((Spot, Order), Vec<Piece>)>,
    /// The expressions, by their numbers.
    items: Vec<Expression>,
    /// Functions before the program.
    helpers: Vec<Helper>,
    /// What stands around which code, and what it does, one thing after the other.
    wraps: BTreeMap<(Spot, Spot, Wrapped, Around), usize>,
    /// What could not be inserted.
    notes: Vec<String>,
    /// The first segment that an execution is in.
    first: usize,
}

/// Where an insertion stands: at one place, what ends there comes first, then what stands by itself, then what begins
/// there, the outermost first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Ends,
    Stands,
    Begins(Reverse<Spot>, Wrapped, Reverse<usize>),
}

fn ours(text: impl Into<String>, item: usize) -> Piece {
    Piece { text: text.into(), file: OURS.to_owned(), line: item as u32 + 1 }
}

/// A function that gives back its argument, and does something if that passes tests.
struct Helper {
    ty: &'static str,
    does: String,
}

/// How code stands around other code. There is one of a kind at a place, however many segments end there: a bracket for each would be
/// more than C's parsers take.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Around {
    /// As the call of a function with a truth value.
    Truth,
    /// As the call of a function with the value.
    Value,
    /// Before it.
    Before,
}

/// What code stands around: a condition, or an argument, may be nothing but a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Wrapped {
    Condition,
    Argument,
    Call,
}

impl<'a> Monitor<'a> {
    pub fn new(document: &'a Document, finder: &'a Finder<'a>) -> Monitor<'a> {
        let (insertions, items) = (Vec::new(), Vec::new());
        let (helpers, wraps, notes) = (Vec::new(), BTreeMap::new(), Vec::new());
        Monitor { document, finder, insertions, items, helpers, wraps, notes, first: 0 }
    }

    fn wrong<T>(&self, expression: &Expression, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(self.document.error(&expression.node, message))
    }

    /// A new item.
    fn item(&mut self, expression: &Expression) -> Result<(usize, Piece), Diagnostic> {
        if let Err(why) = expression_stays_inside(&expression.text) {
            return self.wrong(expression, why);
        }
        self.items.push(expression.clone());
        let number = self.items.len() - 1;
        Ok((
            number,
            Piece { text: expression.text.clone(), file: THEIRS.to_owned(), line: number as u32 + 1 },
        ))
    }

    /// A check of an invariant.
    pub fn check(&mut self, invariant: &Invariant, failing: Failing) -> Result<(), Diagnostic> {
        let (number, expression) = self.item(&invariant.value)?;
        let fails = match failing {
            Failing::Refutes => format!("{REFUTED}()"),
            Failing::Ends => "__builtin_trap()".to_owned(),
            Failing::Passes => "0".to_owned(),
        };
        match invariant.kind {
            InvariantKind::Loop => {
                let Some(Condition { from, empty, .. }) = self.finder.loop_condition(&invariant.place) else {
                    return self.wrong(&invariant.value, no_such("loop", &invariant.place));
                };
                let end =
                    if empty { format!(") || ({fails}, 0), 1") } else { format!(") || ({fails}, 0), ") };
                self.insert(from, vec![ours("(", number), expression, ours(end, number)]);
            }
            InvariantKind::Location => {
                let Some(Statement { at, shape, .. }) = self.finder.free_statement(&invariant.place) else {
                    return self.wrong(&invariant.value, no_such("statement", &invariant.place));
                };
                let (begin, end) = match shape {
                    Shape::Declaration => ("if (!(", format!(")) {fails}; ")),
                    Shape::Other => ("if (!(", format!(")) {fails}; else ")),
                    Shape::Expression => ("(", format!(") || ({fails}, 0), ")),
                };
                self.insert(at, vec![ours(begin, number), expression, ours(end, number)]);
            }
        }
        Ok(())
    }

    fn insert(&mut self, at: Spot, pieces: Vec<Piece>) {
        self.insertions.push(((at, Order::Stands), pieces));
    }

    /// The segments of a sequence, but for the target.
    pub fn follow(&mut self, segments: &[Segment]) -> Result<(), Diagnostic> {
        let mut next = segments.len().saturating_sub(1);
        // At one place an execution passes the end of one segment at most: later segments are looked at first.
        for (number, segment) in segments.iter().enumerate().rev() {
            let is_target = segment.follow.kind == WaypointKind::Target;
            if !is_target && !self.waypoint(&segment.follow, number, &format!("{SEGMENT} = {next}"))? {
                // What cannot be told from the rest of the execution is passed at once.
                self.notes.push(format!("segment {} of the sequence is passed over", number + 1));
                continue;
            }
            for waypoint in &segment.avoid {
                self.waypoint(waypoint, number, "__builtin_trap()")?;
            }
            next = number;
        }
        self.first = next;
        Ok(())
    }

    /// Code that does something where a waypoint is passed in a segment; `false` if there is none for it.
    fn waypoint(&mut self, waypoint: &Waypoint, segment: usize, does: &str) -> Result<bool, Diagnostic> {
        let place = &waypoint.place;
        let unknown = |what: &str| Err(self.document.error(&waypoint.node, no_such(what, place)));
        let now = format!("{SEGMENT} == {segment}");
        match &waypoint.kind {
            WaypointKind::Assumption(expression) => {
                let Some(Statement { at, shape, .. }) = self.finder.free_statement(place) else {
                    return unknown("statement");
                };
                let (number, piece) = self.item(expression)?;
                let (begin, end) = match shape {
                    Shape::Declaration => ("if (", ") ; "),
                    Shape::Other => ("if (", ") ; else "),
                    Shape::Expression => ("(", "), "),
                };
                let begin = ours(format!("{begin}{now} && ("), number);
                self.insert(at, vec![begin, piece, ours(format!(") ? ({does}, 0) : 0{end}"), number)]);
            }
            WaypointKind::Branching(taken) => {
                let Some(condition) = self.finder.branch_condition(place, false) else {
                    self.notes.push(no_such("if, while, for or do", place));
                    return Ok(false);
                };
                let test = if *taken { "value" } else { "!value" };
                let int = Type::Int(IntType { bits: 32, signed: true });
                let Some(ty) = c_type(int) else { return Ok(false) };
                let around = (Wrapped::Condition, Around::Truth);
                let one = if condition.empty { "1" } else { "" };
                let does = format!("if ({now} && {test}) {does}; ");
                self.pass(around, (condition.from, condition.to), ty, &does, one);
            }
            WaypointKind::Case(case) => {
                let condition = self.finder.branch_condition(place, true);
                let known = condition.zip(*case).and_then(|(condition, case)| {
                    let ty = c_type(condition.switch?)?;
                    Some((condition, ty, format!("if ({now} && value == {case}) {does}; ")))
                });
                let Some((condition, ty, does)) = known else {
                    self.notes.push(format!("the switch at line {} is left out", place.line));
                    return Ok(false);
                };
                let around = (Wrapped::Condition, Around::Value);
                self.pass(around, (condition.from, condition.to), ty, &does, "");
            }
            WaypointKind::FunctionEnter => {
                let Some(Call { from, to, last_argument, .. }) = self.finder.call(place) else {
                    return unknown("call");
                };
                // It is passed when all arguments have been evaluated.
                match last_argument.and_then(|(at, ty)| Some((at, c_type(ty)?))) {
                    Some((at, ty)) => {
                        let around = (Wrapped::Argument, Around::Value);
                        self.pass(around, (at, to.before(1)), ty, &format!("if ({now}) {does}; "), "");
                    }
                    None => self.enter((from, to), &format!("{now} ? ({does}, 0) : 0, ")),
                }
            }
            WaypointKind::FunctionReturn(expression) => {
                let Some(Call { from, to, result, .. }) = self.finder.call(place) else {
                    return unknown("call");
                };
                let Some(test) = result_test(&expression.text) else {
                    return self
                        .wrong(expression, "`\\result`, a comparison and a constant are expected here");
                };
                let Some(ty) = c_type(result) else {
                    return self.wrong(expression, "the call at this place gives no number");
                };
                let does = format!("if ({now} && {test}) {does}; ");
                self.pass((Wrapped::Call, Around::Value), (from, to), ty, &does, "");
            }
            WaypointKind::Target => {}
        }
        Ok(true)
    }

    fn wrap(&mut self, what: Wrapped, (from, to): (Spot, Spot), before: String, after: &str) -> usize {
        // Of two around the same text, the earlier segment is outside, which comes later here.
        let number = self.insertions.len();
        self.insertions.push(((to, Order::Ends), vec![ours(after, 0)]));
        self.insertions
            .push(((from, Order::Begins(Reverse(to), what, Reverse(number))), vec![ours(before, 0)]));
        number + 1
    }

    /// What is done with the value of a piece of text, after what is done with it already.
    fn pass(
        &mut self,
        (what, around): (Wrapped, Around),
        (from, to): (Spot, Spot),
        ty: &'static str,
        does: &str,
        empty: &str,
    ) {
        let next = self.helpers.len();
        let helper = *self.wraps.entry((from, to, what, around)).or_insert(next);
        if helper == next {
            self.helpers.push(Helper { ty, does: String::new() });
            let function = format!("{PREFIX}pass_{next}");
            match around {
                Around::Truth => self.wrap(what, (from, to), format!("{function}(0 != ({empty}"), "))"),
                _ => self.wrap(what, (from, to), format!("{function}("), ")"),
            };
        }
        self.helpers[helper].does += does;
    }

    /// What is done before a call, after what is done there already.
    fn enter(&mut self, (from, to): (Spot, Spot), does: &str) {
        let key = (from, to, Wrapped::Call, Around::Before);
        let begin = match self.wraps.get(&key) {
            Some(&begin) => begin,
            None => {
                let begin = self.wrap(Wrapped::Call, (from, to), "(".to_owned(), ")");
                self.wraps.insert(key, begin);
                begin
            }
        };
        self.insertions[begin].1.push(ours(does, 0));
    }

    /// The program with the code in it.
    pub fn finish(mut self, sources: &Sources) -> Monitored {
        let helpers = self.helpers.iter().enumerate().map(|(number, Helper { ty, does })| {
            format!("static {ty} {PREFIX}pass_{number}({ty} value) {{ {does}return value; }} ")
        });
        let prelude: String = helpers.collect();
        for (number, at) in sources.beginnings().enumerate() {
            let counter = match number {
                0 => format!("unsigned int {SEGMENT} = {};", self.first),
                _ => format!("extern unsigned int {SEGMENT};"),
            };
            let text = format!("extern void {REFUTED}(void); {counter} {prelude}");
            self.insertions.push(((at, Order::Ends), vec![ours(text, 0)]));
        }
        self.insertions.sort_by_key(|&(order, _)| order);
        let insertion = |((at, _), pieces)| Insertion { at, pieces };
        let program = sources.with(self.insertions.into_iter().map(insertion).collect());
        Monitored { program, items: self.items, notes: self.notes, first: self.first }
    }
}

/// A program with the code in it.
pub struct Monitored {
    pub program: Sources,
    /// The expressions of the witness, by their numbers.
    pub items: Vec<Expression>,
    /// What is left out.
    pub notes: Vec<String>,
    /// The first segment that an execution is in.
    pub first: usize,
}

fn no_such(what: &str, place: &Place) -> String {
    let column = place.column.map_or(String::new(), |column| format!(":{column}"));
    format!("there is no {what} at {}:{}{column}", place.file, place.line)
}

/// A comparison of `\result` with a constant, as one of `value`.
pub fn result_test(text: &str) -> Option<String> {
    let rest = text.trim().strip_prefix("\\result")?.trim_start();
    let operators = ["==", "!=", "<=", ">=", "<", ">"];
    let operator = operators.into_iter().find(|o| rest.starts_with(o))?;
    let constant = rest[operator.len()..].trim();
    // One number: a name could be anything, a call among them.
    let inner = constant.strip_prefix('(').and_then(|c| c.strip_suffix(')')).unwrap_or(constant).trim();
    let number = inner.strip_prefix(['+', '-']).unwrap_or(inner).trim_start();
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) && number.chars().all(fits);
    is_number.then(|| format!("value {operator} ({inner})"))
}

/// A type that has the values of another.
fn c_type(ty: Type) -> Option<&'static str> {
    Some(match ty {
        Type::Bool => "_Bool",
        Type::Int(IntType { bits, signed }) => match (bits, signed) {
            (8, true) => "signed char",
            (8, false) => "unsigned char",
            (16, true) => "short",
            (16, false) => "unsigned short",
            (32, true) => "int",
            (32, false) => "unsigned int",
            (64, true) => "long long",
            (64, false) => "unsigned long long",
            _ => return None,
        },
        Type::Float(FloatType::Single) => "float",
        Type::Float(FloatType::Double) => "double",
        Type::Pointer { .. } => "void *",
        _ => return None,
    })
}

/// Whether a file's name is that of inserted code.
pub fn is_inserted_file(name: &str) -> bool {
    matches!(name, OURS | THEIRS)
}

/// Whether a place is in inserted code.
pub fn is_inserted(program: &Program, source: Source) -> bool {
    is_inserted_file(program.file(source.file))
}

/// The item that an edge checks.
pub fn item_of(program: &Program, source: Source) -> Option<u32> {
    (is_inserted(program, source) && source.line > 0).then_some(source.line)
}

/// Whether an expression of a witness does nothing but give a value: what is wrong, if it does not.
pub fn expressions_have_no_effect(unit: &Unit) -> Result<bool, (usize, &'static str)> {
    let mut risky = false;
    for e in unit.exprs() {
        let data = &unit[e];
        if unit.files().get(data.at.file as usize).map(String::as_str) != Some(THEIRS) {
            continue;
        }
        let why = match data.kind {
            ExprKind::Assign { .. } | ExprKind::Step { .. } => "an expression of a witness assigns nothing",
            ExprKind::Call { .. } => "an expression of a witness calls no function",
            ExprKind::Unsupported(_) => "this expression is not supported",
            ExprKind::Block { .. }
            | ExprKind::Overflow { .. }
            | ExprKind::VaStart(_)
            | ExprKind::VaArg(_)
            | ExprKind::VaEnd(_)
            | ExprKind::VaCopy(..)
            | ExprKind::Alloca(_)
            | ExprKind::Trap
            | ExprKind::Unreachable => "an expression of a witness does nothing but give a value",
            ExprKind::Load(_) | ExprKind::Arith(..) => {
                risky = true;
                continue;
            }
            _ => continue,
        };
        return Err(((data.at.line as usize).saturating_sub(1), why));
    }
    Ok(risky)
}

/// The item that an error is about.
pub fn item_of_error(error: &Error) -> Option<usize> {
    let d = error.diagnostic();
    is_inserted_file(&d.file).then(|| (d.line as usize).saturating_sub(1))
}

/// A refusal of the program with its insertions, told about the witness if an insertion is the reason.
pub fn told_about(document: &Document, items: &[Expression], error: Error) -> Error {
    let d = error.diagnostic();
    match item_of_error(&error).and_then(|item| items.get(item)) {
        Some(expression) => Error::Unreadable(document.error(&expression.node, d.message.clone())),
        None => error,
    }
}
