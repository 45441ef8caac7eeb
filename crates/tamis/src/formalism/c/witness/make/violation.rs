//! An execution as a sequence of waypoints: the values of inputs, the branches, the calls, and the violation.
//!
//! Inputs alone decide what an execution does. Branches and calls are for those who read a witness; in a long execution
//! there would be too many of them, and only the inputs are told.

use crate::formalism::c::witness::find::Finder;
use crate::formalism::c::witness::text::closing;
use crate::formalism::c::witness::{Place, WrittenWaypoint as Waypoint};
use rustc_hash::FxHashMap;
use tamis_front_c::tree::vocabulary::is_input;
use tamis_front_c::tree::{FunctionId, Position, StmtId, StmtKind, Unit};
use tamis_interpreter_c::account::{Account, Happening, Moved};
use tamis_interpreter_c::interpreter::{Undefined, parse_number};

/// More branches and calls are not told.
const MAX_TOLD: usize = 40;

/// The waypoints of an execution that ends in a violation; `None` if the place of the violation is not known.
pub fn waypoints(finder: &Finder<'_>, account: &Account, wanted: &[Undefined]) -> Option<Vec<Waypoint>> {
    let (first, left_out, last) = account.parts();
    let all: Vec<&Moved> = first.iter().chain(last).collect();
    let teller = Teller::new(finder);
    let told: Vec<(bool, Waypoint)> = match left_out {
        0 => all.iter().filter_map(|moved| teller.waypoint(moved)).collect(),
        // What is known of the beginning is true of more executions than one.
        _ => Vec::new(),
    };
    let brief = told.iter().filter(|(input, _)| !input).count() > MAX_TOLD;
    let mut waypoints: Vec<Waypoint> = Vec::new();
    for (_, waypoint) in told.into_iter().filter(|(input, _)| *input || !brief) {
        // At one place there is one waypoint at a time.
        match (waypoints.last_mut(), &waypoint) {
            (Some(("assumption", place, Some((known, _)))), ("assumption", same, Some((more, _))))
                if place == same =>
            {
                *known += &format!(" && {more}");
            }
            _ => waypoints.push(waypoint),
        }
    }
    let violates = |moved: &&&Moved| match &moved.what {
        Happening::Violation(_) => true,
        Happening::Undefined(kind, _) => wanted.contains(kind),
        _ => false,
    };
    let violation = all.iter().rev().find(violates)?;
    waypoints.push(("target", teller.statement(violation.at)?, None));
    Some(waypoints)
}

struct Teller<'a> {
    finder: &'a Finder<'a>,
    unit: &'a Unit,
    /// The statements with conditions, by the places of either.
    conditions: FxHashMap<Key, StmtId>,
    /// The statements in the order of their places.
    statements: Vec<(Key, StmtId)>,
    /// Where functions begin.
    functions: Vec<(Key, FunctionId)>,
}

type Key = (u32, u32, u32);

fn key(at: Position) -> Key {
    (at.file, at.line, at.column)
}

impl<'a> Teller<'a> {
    fn new(finder: &'a Finder<'a>) -> Teller<'a> {
        let unit = finder.unit;
        let condition = |s: StmtId| match unit[s].kind {
            StmtKind::If { cond, .. } | StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } => {
                Some([(key(unit[cond].at), s), (key(unit[s].at), s)])
            }
            StmtKind::For { cond: Some(cond), .. } => Some([(key(unit[cond].at), s), (key(unit[s].at), s)]),
            _ => None,
        };
        let stands_alone = |s: &StmtId| !matches!(unit[*s].kind, StmtKind::Block(_) | StmtKind::Label { .. });
        let mut statements: Vec<(Key, StmtId)> =
            unit.stmts().filter(stands_alone).map(|s| (key(unit[s].at), s)).collect();
        statements.sort_unstable_by_key(|&(at, _)| at);
        let body = |f: FunctionId| unit[f].body.map(|body| (key(unit[body].at), f));
        let mut functions: Vec<(Key, FunctionId)> = unit.functions().filter_map(body).collect();
        functions.sort_unstable_by_key(|&(at, _)| at);
        let conditions = unit.stmts().filter_map(condition).flatten().collect();
        Teller { finder, unit, conditions, statements, functions }
    }

    /// A waypoint, and whether it is an input.
    fn waypoint(&self, moved: &Moved) -> Option<(bool, Waypoint)> {
        match &moved.what {
            Happening::Input { name, value } if is_input(name) => {
                let place = self.parenthesis(moved.at, name)?;
                let constraint = (format!("\\result == {}", constant(value)?), "acsl_expression");
                Some((true, ("function_return", place, Some(constraint))))
            }
            Happening::Input { name, value } => {
                // A variable that was never set: it has the value wherever it is used first.
                let place = self.statement(moved.at)?;
                self.finder.free_statement(&place)?;
                let constraint = (format!("{name} == {}", constant(value)?), "c_expression");
                is_identifier(name).then_some((true, ("assumption", place, Some(constraint))))
            }
            Happening::Branch(taken) => {
                let s = *self.conditions.get(&key(moved.at))?;
                let place = self.written(self.unit[s].at, &["if", "while", "for", "do"])?;
                Some((false, ("branching", place, Some((taken.to_string(), "")))))
            }
            Happening::Call { function, .. } => {
                let place = self.parenthesis(moved.at, &self.unit[*function].name)?;
                Some((false, ("function_enter", place, None)))
            }
            _ => None,
        }
    }

    /// A place in the user's file, if one of the words stands there.
    fn written(&self, at: Position, words: &[&str]) -> Option<Place> {
        let rest = self.finder.written_from(at)?;
        words.iter().any(|word| rest.starts_with(word)).then(|| self.place(at))
    }

    /// The last parenthesis of a call that begins at a position.
    fn parenthesis(&self, at: Position, name: &str) -> Option<Place> {
        let text = self.finder.written_from(at)?;
        let rest = text.strip_prefix(name)?.trim_start();
        let last = text.len() - rest.len() + closing(rest)?;
        let before = &text[..last];
        let at = match before.rfind('\n') {
            None => Position { column: at.column + last as u32, ..at },
            Some(end) => Position {
                line: at.line + before.matches('\n').count() as u32,
                column: (last - end) as u32,
                ..at
            },
        };
        Some(self.place(at))
    }

    /// The statement that a position is in: of several that a macro is made of, the one that begins where the macro
    /// stands.
    fn statement(&self, at: Position) -> Option<Place> {
        let index = self.statements.partition_point(|&(start, _)| start <= key(at));
        let around = self.statements[..index].iter().rev().map(|&(_, s)| self.finder.beginning(s));
        let (innermost, mut others) = (around.clone().next()?, around);
        if innermost.file != at.file {
            return None;
        }
        let here = others.find(|start| self.finder.has_its_column(*start));
        match here.filter(|start| (start.file, start.line) == (innermost.file, innermost.line)) {
            Some(start) => Some(self.place(Position { column: self.finder.column(start), ..start })),
            None => Some(Place { column: None, ..self.place(innermost) }),
        }
    }

    fn place(&self, at: Position) -> Place {
        let index = self.functions.partition_point(|&(start, _)| start <= key(at)).checked_sub(1);
        let function = index.map(|index| self.functions[index]).filter(|&((file, ..), _)| file == at.file);
        Place {
            file: self.unit.files().get(at.file as usize).cloned().unwrap_or_default(),
            line: at.line,
            column: Some(at.column),
            function: function.map(|(_, f)| self.unit[f].name.clone()),
        }
    }
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A value as a constant of C.
fn constant(value: &str) -> Option<String> {
    let number = parse_number(value)?;
    Some(if number == i128::from(i64::MIN) {
        "(-9223372036854775807LL - 1)".to_owned()
    } else if number > i128::from(i64::MAX) {
        format!("{number}ULL")
    } else {
        number.to_string()
    })
}
