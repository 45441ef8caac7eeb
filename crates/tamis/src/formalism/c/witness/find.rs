//! The places of a witness in a program: statements, conditions, calls.

use super::Place;
use super::text::{after_word, closing, find_outside};
use rustc_hash::FxHashSet;
use std::path::Path;
use tamis_front_c::tree::{Callee, ExprId, ExprKind, FunctionId, Position, StmtId, StmtKind, Type, Unit};
use tamis_front_c::{Sources, Spot};

/// A program to look for places in.
pub struct Finder<'a> {
    pub sources: &'a Sources,
    pub unit: &'a Unit,
    /// The statements that stand where no other can be put before them: the first part of a `for`.
    in_headers: FxHashSet<StmtId>,
    /// What the user wrote: the files of the program, where they can be read, and where their lines begin.
    files: Vec<Option<(String, Vec<usize>)>>,
}

/// A statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statement {
    pub id: StmtId,
    pub at: Spot,
    pub shape: Shape,
}

/// How something can be put before a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Declaration,
    /// An expression, which may be the value of the block that it is in.
    Expression,
    /// Anything else, which may be a part of another statement.
    Other,
}

/// A condition, between two places; `empty` if there is none where one could be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    pub from: Spot,
    pub to: Spot,
    pub empty: bool,
    pub switch: Option<Type>,
}

/// A call, from its first character to behind its last parenthesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    pub from: Spot,
    pub to: Spot,
    pub result: Type,
    /// The function, where it is named.
    pub function: Option<FunctionId>,
    /// Where the last argument begins, and its type.
    pub last_argument: Option<(Spot, Type)>,
}

/// The last part of a path.
fn base(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end.max(1).min(text.len())]
}

/// The names in a line and where they stand, those in comments and strings included.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts = line.char_indices().scan(false, move |inside, (at, c)| {
        let starts = is_part(c) && !*inside;
        *inside = is_part(c);
        Some((at, starts))
    });
    let named = starts.filter(|(_, starts)| *starts).map(|(at, _)| (at, first_word(&line[at..])));
    named.filter(|(_, word)| !word.starts_with(|c: char| c.is_ascii_digit()))
}

impl<'a> Finder<'a> {
    pub fn new(sources: &'a Sources, unit: &'a Unit) -> Finder<'a> {
        let header = |s: StmtId| match unit[s].kind {
            StmtKind::For { init, .. } => init,
            _ => None,
        };
        let in_headers = unit.stmts().filter_map(header).collect();
        let read = |name: &String| {
            let bytes = std::fs::read(name).ok()?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
            Some((text, lines))
        };
        let files = unit.files().iter().map(read).collect();
        Finder { sources, unit, in_headers, files }
    }

    fn is_at(&self, at: Position, place: &Place) -> bool {
        let file = self.unit.files().get(at.file as usize).map_or("", String::as_str);
        at.line == place.line && base(file) == base(&place.file) && self.is_meant(file, &place.file)
    }

    /// Whether a file is the one that a place names, among those with the same last part of their paths.
    fn is_meant(&self, file: &str, named: &str) -> bool {
        let mut alike = self.unit.files().iter().filter(|other| base(other) == base(named));
        file == named || (alike.all(|other| other == file) && !self.unit.files().iter().any(|f| f == named))
    }

    /// Of the candidates on a line, the one at the column; without a column, or if there is only one, the leftmost.
    fn choose<T: Copy>(&self, place: &Place, all: impl Iterator<Item = (Position, T)>) -> Option<T> {
        let mut here: Vec<(u32, Position, T)> = all
            .filter(|(at, _)| self.is_at(*at, place))
            .map(|(at, found)| (self.column(at), at, found))
            .collect();
        here.sort_by_key(|&(column, ..)| column);
        let first = here.first()?;
        let same = here.iter().all(|(column, ..)| *column == first.0);
        if let Some(exact) = here.iter().find(|(column, ..)| Some(*column) == place.column) {
            // Behind a macro columns are not those of the file: of several things there, none is meant for certain.
            return (same || self.has_its_column(exact.1)).then_some(exact.2);
        }
        let before = place.column.is_none_or(|column| column <= first.0);
        (before || same).then_some(first.2)
    }

    /// The column of what stands at a position in the user's file: the preprocessor may leave less space before a macro
    /// than there was, and more or less text in its place.
    pub fn column(&self, at: Position) -> u32 {
        if let Some(column) = self.column_of_word(at) {
            return column;
        }
        let Some(written) = self.written_from(at) else { return at.column };
        let line = written.lines().next().unwrap_or_default();
        let space = line.len() - line.trim_start().len();
        if space < line.len() { at.column + space as u32 } else { at.column }
    }

    /// Whether a statement stands in the user's file as it is read, and does not come from a macro.
    pub fn is_written(&self, s: StmtId) -> bool {
        let at = self.beginning(s);
        let written = self.written_from(at);
        let read = self.sources.spot(at).map(|spot| self.sources.text_from(spot));
        written.zip(read).is_some_and(|(written, read)| first_word(written) == first_word(read))
    }

    /// Whether the column of what stands at a position is known in the user's file.
    pub fn has_its_column(&self, at: Position) -> bool {
        self.is_unchanged_before(at) || self.column_of_word(at).is_some()
    }

    /// Whether all that stands before a position in its line is read as it was written.
    fn is_unchanged_before(&self, at: Position) -> bool {
        let written = self.written_from(Position { column: 1, ..at });
        let read = self.sources.spot(at).map(|spot| self.sources.line_before(spot));
        written.zip(read).is_some_and(|(written, read)| written.starts_with(read))
    }

    /// Behind a macro: where the name at a position stands, if it is in the line once, as it is read and as it was written.
    fn column_of_word(&self, at: Position) -> Option<u32> {
        if self.is_unchanged_before(at) {
            return None;
        }
        let spot = self.sources.spot(at)?;
        let name = first_word(self.sources.text_from(spot));
        let start = spot.before(self.sources.line_before(spot).len());
        let only = |text: &str| {
            let line = text.lines().next().unwrap_or_default();
            let mut found = words(line).filter(|(_, word)| *word == name).map(|(column, _)| column);
            found.next().filter(|_| found.next().is_none())
        };
        only(self.sources.text_from(start))?;
        let column = only(self.written_from(Position { column: 1, ..at })?)?;
        Some(column as u32 + 1)
    }

    /// What the user wrote from a position on: before macros were expanded, if the file can be read again.
    pub fn written_from(&self, at: Position) -> Option<&str> {
        let (text, lines) = self.files.get(at.file as usize)?.as_ref()?;
        let start = lines.get(at.line.checked_sub(1)? as usize)?;
        text.get(start + at.column.checked_sub(1)? as usize..)
    }

    /// The statement at a place, without its labels.
    pub fn statement(&self, place: &Place) -> Option<Statement> {
        let unit = self.unit;
        let stands_alone = |s: &StmtId| {
            !self.in_headers.contains(s)
                && !matches!(unit[*s].kind, StmtKind::Block(_) | StmtKind::Unsupported(_))
        };
        let candidates = unit.stmts().filter(stands_alone).map(|s| (self.beginning(s), s));
        let mut s = self.choose(place, candidates)?;
        while let StmtKind::Label { body, .. } | StmtKind::Case { body, .. } | StmtKind::Default { body } =
            unit[s].kind
        {
            s = body;
        }
        let shape = match unit[s].kind {
            StmtKind::Declare(_) => Shape::Declaration,
            StmtKind::Expr(_) => Shape::Expression,
            _ => Shape::Other,
        };
        let at = self.sources.spot(unit[s].at)?;
        let inside = unit[s].at.column - self.beginning(s).column;
        Some(Statement { id: s, at: at.before(inside as usize), shape })
    }

    /// Where a statement begins: before the parentheses that its first expression is in.
    pub fn beginning(&self, s: StmtId) -> Position {
        let at = self.unit[s].at;
        let Some(spot) = self.sources.spot(at) else { return at };
        let before = self.sources.line_before(spot);
        let outside = before.trim_end_matches(|c: char| c == '(' || c.is_whitespace());
        let opened = before[outside.len()..].find('(');
        // What is in the parentheses of a condition or a call is no statement.
        match opened {
            Some(open) if !outside.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') => {
                Position { column: at.column - (before.len() - outside.len() - open) as u32, ..at }
            }
            _ => at,
        }
    }

    /// The statement at a place, if something can be put before it.
    pub fn free_statement(&self, place: &Place) -> Option<Statement> {
        let found = self.statement(place)?;
        // The value of a block may have a label, and is no statement in the tree.
        let text = self.sources.text_from(found.at);
        let labelled = text[first_word(text).len()..].trim_start().starts_with(':');
        (!labelled).then_some(found)
    }

    /// What is evaluated by the statement at a place itself, and not by the statements in it.
    pub fn extent(&self, place: &Place) -> Option<(Spot, Spot)> {
        let Statement { id, at: from, .. } = self.statement(place)?;
        let text = self.sources.text_from(from);
        let header = |word: &str| {
            let rest = after_word(text, word)?;
            Some((from, from.behind(text.len() - rest.len() + closing(rest)?)))
        };
        if !self.is_written(id) {
            // A macro may be made of many statements, on one line.
            return Some((from, from.behind(text.find('\n').unwrap_or(text.len()))));
        }
        match self.unit[id].kind {
            StmtKind::If { .. } => header("if"),
            StmtKind::While { .. } => header("while"),
            StmtKind::For { .. } => header("for"),
            StmtKind::Switch { .. } => header("switch"),
            StmtKind::DoWhile { .. } => self.condition_of(id).map(|condition| (condition.from, condition.to)),
            _ => {
                let end = find_outside(text, b";{}").map_or(text.len(), |end| end + 1);
                Some((from, from.behind(end)))
            }
        }
    }

    /// The condition of the loop at a place.
    pub fn loop_condition(&self, place: &Place) -> Option<Condition> {
        let is_loop = |s: &StmtId| {
            matches!(
                self.unit[*s].kind,
                StmtKind::While { .. } | StmtKind::For { .. } | StmtKind::DoWhile { .. }
            )
        };
        self.condition(place, is_loop)
    }

    /// The condition of the statement at a place that branches.
    pub fn branch_condition(&self, place: &Place, switch: bool) -> Option<Condition> {
        self.condition(place, |s| match self.unit[*s].kind {
            StmtKind::Switch { .. } => switch,
            StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::For { .. }
            | StmtKind::DoWhile { .. } => !switch,
            _ => false,
        })
    }

    fn condition(&self, place: &Place, wanted: impl Fn(&StmtId) -> bool) -> Option<Condition> {
        let s = self.choose(place, self.unit.stmts().filter(wanted).map(|s| (self.unit[s].at, s)))?;
        self.condition_of(s)
    }

    /// Where the condition of a statement stands.
    pub fn condition_of(&self, s: StmtId) -> Option<Condition> {
        let at = self.sources.spot(self.unit[s].at)?;
        let text = self.sources.text_from(at);
        let behind = |rest: &str| at.behind(text.len() - rest.len());
        let parenthesised = |rest: &str, switch| {
            let from = behind(rest).behind(1);
            let to = behind(rest).behind(closing(rest)?);
            Some(Condition { from, to, empty: false, switch })
        };
        match self.unit[s].kind {
            StmtKind::If { .. } => parenthesised(after_word(text, "if")?, None),
            StmtKind::While { .. } => parenthesised(after_word(text, "while")?, None),
            StmtKind::Switch { cond, .. } => {
                parenthesised(after_word(text, "switch")?, Some(self.unit[cond].ty))
            }
            StmtKind::For { cond, .. } => {
                let header = after_word(text, "for")?.strip_prefix('(')?;
                let condition = &header[find_outside(header, b";")? + 1..];
                let end = find_outside(condition, b";")?;
                let (from, to) = (behind(condition), behind(&condition[end..]));
                Some(Condition { from, to, empty: cond.is_none(), switch: None })
            }
            StmtKind::DoWhile { cond, .. } => {
                let before = self.sources.text_between(at, self.sources.spot(self.unit[cond].at)?);
                let keyword = before.rfind("while")?;
                parenthesised(after_word(&text[keyword..], "while")?, None)
            }
            _ => None,
        }
    }

    /// The call whose last parenthesis is at a place.
    pub fn call(&self, place: &Place) -> Option<Call> {
        let calls = self.unit.exprs().filter_map(|e| self.call_of(e)).filter(|(_, _, at)| {
            let file = self.unit.files().get(at.file as usize).map_or("", String::as_str);
            base(file) == base(&place.file)
        });
        let mut here: Vec<(u32, u32, Call)> = calls
            .filter_map(|(call, last, at)| {
                // The parenthesis may be some lines below the beginning of the call.
                let text = self.sources.text_between(call.from, last);
                let (line, column) = match text.rfind('\n') {
                    None => (at.line, at.column + text.len() as u32),
                    Some(end) => (at.line + text.matches('\n').count() as u32, (text.len() - end) as u32),
                };
                (line == place.line).then_some((column, at.column, call))
            })
            .collect();
        here.sort_by_key(|&(column, ..)| column);
        let exact = here.iter().find(|(last, ..)| Some(*last) == place.column);
        // Other tools point to the beginning of the call.
        let first = || here.iter().find(|(_, first, _)| Some(*first) == place.column);
        let only = || here.first().filter(|_| here.len() == 1 || place.column.is_none());
        exact.or_else(first).or_else(only).map(|&(_, _, call)| call)
    }

    /// Where a call of a named function stands, where its last parenthesis is, and its position.
    pub fn call_of(&self, e: ExprId) -> Option<(Call, Spot, Position)> {
        let ExprKind::Call { callee, ref args } = self.unit[e].kind else { return None };
        let from = self.sources.spot(self.unit[e].at)?;
        let text = self.sources.text_from(from);
        let name = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|&end| end > 0)?;
        let rest = text[name..].trim_start();
        let last = from.behind(text.len() - rest.len() + closing(rest)?);
        let mut argument = from.behind(text.len() - rest.len() + 1);
        while let Some(comma) = find_outside(self.sources.text_between(argument, last), b",") {
            argument = argument.behind(comma + 1);
        }
        let last_argument = args.last().map(|&a| (argument, self.unit[a].ty));
        let function = match callee {
            Callee::Function(function) => Some(function),
            Callee::Pointer(..) => None,
        };
        let (to, result) = (last.behind(1), self.unit[e].ty);
        Some((Call { from, to, result, function, last_argument }, last, self.unit[e].at))
    }
}
