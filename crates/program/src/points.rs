//! Where a program comes to the error location: each place, and each way to violate the property there, by itself.

use crate::automaton::{Command, Edge, EdgeId, Event, Location, Program};
use crate::marks::Mark;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use tamis_logic::{Term, Terms};

/// A place where the property may be violated, and how.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ErrorPoint {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// How, as a violation is told.
    pub what: String,
}

impl fmt::Display for ErrorPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

impl Program {
    /// The point that an edge to the error location stands for.
    pub fn error_point(&self, id: EdgeId) -> ErrorPoint {
        let edge = self.edge(id);
        let what = match &edge.event {
            Event::Violation(what) => what.clone(),
            _ => "the property is violated".to_owned(),
        };
        ErrorPoint { file: self.file(edge.source.file).to_owned(), line: edge.source.line, what }
    }

    /// All points, in the order of the source.
    pub fn error_points(&self) -> Vec<ErrorPoint> {
        let mut points: Vec<ErrorPoint> =
            self.incoming(self.error()).iter().map(|&id| self.error_point(id)).collect();
        points.sort();
        points.dedup();
        points
    }

    /// The point of a mark.
    pub fn mark_point(&self, mark: &Mark) -> ErrorPoint {
        let source = mark.source;
        ErrorPoint { file: self.file(source.file).to_owned(), line: source.line, what: mark.what.to_string() }
    }

    /// The same program, in which executions do not come to the error at some points: they end there.
    pub fn without_points(&self, terms: &mut Terms, out: impl Fn(&ErrorPoint) -> bool) -> Program {
        let left_out: Vec<EdgeId> =
            self.incoming(self.error()).iter().copied().filter(|&id| out(&self.error_point(id))).collect();
        self.with_commands(left_out, Command::Assume(terms.fals()))
    }

    /// The same program, in which executions end where a mark that is `wanted` says that its behaviour happens. Marks
    /// that are approximated end nothing.
    pub fn ended_at(&self, terms: &mut Terms, wanted: impl Fn(&Mark) -> bool) -> Program {
        let mut ended = self.clone();
        for from in self.locations() {
            let mut conditions: Vec<Term> = Vec::new();
            for &id in self.outgoing(from) {
                let marks = self.marks(id).iter().filter(|mark| !mark.approximated && wanted(mark));
                conditions.extend(marks.map(|mark| mark.when));
            }
            if conditions.is_empty() {
                continue;
            }
            conditions.sort_unstable();
            conditions.dedup();
            let happens = terms.or(&conditions);
            let goes_on = Command::Assume(terms.not(happens));
            ended.delay(from, goes_on);
        }
        ended
    }

    /// The places of the source that have edges: a line of a file each.
    pub fn line_points(&self) -> Vec<ErrorPoint> {
        let mut points: Vec<ErrorPoint> = self
            .edges()
            .iter()
            .filter(|edge| edge.source.line > 0 && edge.to != self.error())
            .map(|edge| self.line_point(edge))
            .collect();
        points.sort();
        points.dedup();
        points
    }

    fn line_point(&self, edge: &Edge) -> ErrorPoint {
        let file = self.file(edge.source.file).to_owned();
        ErrorPoint { file, line: edge.source.line, what: LINE.to_owned() }
    }

    /// Where it is decided whether an edge to the error is taken: at the branch that leads to it and nowhere else, if there is one. So an
    /// assertion is reached where its condition is looked at, whether it is a guard of the edge or a branch before a call.
    fn decided_at(&self, error: EdgeId) -> Location {
        let from = self.edge(error).from;
        let mut at = from;
        while self.outgoing(at).len() == 1 {
            let [before] = *self.incoming(at) else { return from };
            at = self.edge(before).from;
        }
        at
    }

    /// The same program, whose error is that execution comes to one of the given places: a line, or where a point is
    /// checked.
    pub fn with_goals(&self, terms: &mut Terms, wanted: impl Fn(&ErrorPoint) -> bool) -> Program {
        let errors: Vec<EdgeId> = self.incoming(self.error()).to_vec();
        let mut goals = self.with_commands(errors.clone(), Command::Assume(terms.fals()));
        let mut seen = FxHashSet::default();
        let mut goal = |from, point: ErrorPoint, source| {
            if seen.insert((from, point.clone())) {
                let (command, event) = (Command::Assume(terms.tru()), Event::Violation(point.what));
                goals.add(Edge { from, to: self.error(), command, source, event });
            }
        };
        for id in self.edge_ids() {
            let edge = self.edge(id);
            if edge.source.line == 0 {
                continue;
            }
            let (point, from) = if edge.to == self.error() {
                (self.error_point(id), self.decided_at(id))
            } else {
                (self.line_point(edge), edge.from)
            };
            if wanted(&point) {
                goal(from, point, edge.source);
            }
        }
        goals
    }

    /// The places that an execution passes: its lines, and the points that it comes to.
    pub fn passed(&self, steps: impl Iterator<Item = EdgeId>) -> FxHashSet<ErrorPoint> {
        let mut checked: FxHashMap<Location, Vec<EdgeId>> = FxHashMap::default();
        for &id in self.incoming(self.error()) {
            checked.entry(self.decided_at(id)).or_default().push(id);
        }
        let mut passed = FxHashSet::default();
        for id in steps {
            let here = checked.get(&self.edge(id).from).into_iter().flatten();
            passed.extend(here.map(|&check| self.error_point(check)));
            if self.edge(id).source.line > 0 && self.edge(id).to != self.error() {
                passed.insert(self.line_point(self.edge(id)));
            }
        }
        passed
    }
}

/// What a line is called that execution is to come to.
const LINE: &str = "line";
