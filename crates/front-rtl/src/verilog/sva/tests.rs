//! Automata against the obvious semantics on finite traces, for random properties.

use super::automaton::{Automaton, Tree};
use super::lexer::tokens;
use super::lower::lower;
use super::parser::{Definitions, assertion};
use std::collections::BTreeSet;
use tamis_design::{Run, Stimulus};
use tamis_logic::{Bits, Model, Terms, Value};
use tamis_testing::Random;

/// Sequences and properties as they are written.
#[derive(Clone, Debug)]
enum S {
    Leaf(char, bool),
    Delay(Option<Box<S>>, usize, Option<usize>, Box<S>),
    Repeat(Box<S>, usize, Option<usize>),
    Goto(char, usize, Option<usize>, bool),
    Or(Box<S>, Box<S>),
    And(Box<S>, Box<S>),
    Intersect(Box<S>, Box<S>),
    Throughout(char, Box<S>),
    Within(Box<S>, Box<S>),
    First(Box<S>),
}

#[derive(Clone, Debug)]
enum P {
    Seq(S),
    Then(S, bool, Box<P>),
    Followed(S, bool, Box<P>),
    Not(Box<P>),
    And(Box<P>, Box<P>),
    Or(Box<P>, Box<P>),
    Implies(Box<P>, Box<P>),
    Iff(Box<P>, Box<P>),
    If(char, Box<P>, Box<P>),
    Next(usize, Box<P>),
    Always(Box<P>),
    Until(Box<P>, Box<P>, bool),
}

fn range(least: usize, most: Option<usize>) -> String {
    match most {
        Some(most) if most == least => least.to_string(),
        Some(most) => format!("{least}:{most}"),
        None => format!("{least}:$"),
    }
}

fn delay(least: usize, most: Option<usize>) -> String {
    if most == Some(least) { format!("##{least}") } else { format!("##[{}]", range(least, most)) }
}

impl S {
    fn text(&self) -> String {
        match self {
            S::Leaf(c, true) => c.to_string(),
            S::Leaf(c, false) => format!("!{c}"),
            S::Delay(None, l, m, s) => format!("({} {})", delay(*l, *m), s.text()),
            S::Delay(Some(a), l, m, s) => format!("({} {} {})", a.text(), delay(*l, *m), s.text()),
            S::Repeat(s, l, m) => format!("{}[*{}]", s.text(), range(*l, *m)),
            S::Goto(c, l, m, true) => format!("{c}[->{}]", range(*l, *m)),
            S::Goto(c, l, m, false) => format!("{c}[={}]", range(*l, *m)),
            S::Or(a, b) => format!("({} or {})", a.text(), b.text()),
            S::And(a, b) => format!("({} and {})", a.text(), b.text()),
            S::Intersect(a, b) => format!("({} intersect {})", a.text(), b.text()),
            S::Throughout(c, s) => format!("({c} throughout {})", s.text()),
            S::Within(a, b) => format!("({} within {})", a.text(), b.text()),
            S::First(s) => format!("first_match({})", s.text()),
        }
    }

    /// Whether two languages of different lengths may be cut: what cannot match may be found out later.
    fn cuts(&self) -> bool {
        match self {
            S::And(..) | S::Intersect(..) | S::Within(..) | S::Throughout(..) => true,
            S::Leaf(..) | S::Goto(..) => false,
            S::Delay(a, _, _, b) => a.as_ref().is_some_and(|a| a.cuts()) || b.cuts(),
            S::Repeat(s, ..) | S::First(s) => s.cuts(),
            S::Or(a, b) => a.cuts() || b.cuts(),
        }
    }
}

impl P {
    fn text(&self) -> String {
        let arrow = |overlap: &bool| if *overlap { "|->" } else { "|=>" };
        match self {
            P::Seq(s) => s.text(),
            P::Then(s, o, p) => format!("({} {} {})", s.text(), arrow(o), p.text()),
            P::Followed(s, o, p) => format!("({} {} {})", s.text(), if *o { "#-#" } else { "#=#" }, p.text()),
            P::Not(p) => format!("(not {})", p.text()),
            P::And(a, b) => format!("({} and {})", a.text(), b.text()),
            P::Or(a, b) => format!("({} or {})", a.text(), b.text()),
            P::Implies(a, b) => format!("({} implies {})", a.text(), b.text()),
            P::Iff(a, b) => format!("({} iff {})", a.text(), b.text()),
            P::If(c, a, b) => format!("(if ({c}) {} else {})", a.text(), b.text()),
            P::Next(n, p) => format!("(nexttime[{n}] {})", p.text()),
            P::Always(p) => format!("(always {})", p.text()),
            P::Until(a, b, with) => {
                format!("({} until{} {})", a.text(), if *with { "_with" } else { "" }, b.text())
            }
        }
    }

    fn cuts(&self) -> bool {
        match self {
            P::Seq(s) => s.cuts(),
            P::Then(s, _, p) | P::Followed(s, _, p) => s.cuts() || p.cuts(),
            P::Not(p) | P::Next(_, p) | P::Always(p) => p.cuts(),
            P::And(a, b)
            | P::Or(a, b)
            | P::Implies(a, b)
            | P::Iff(a, b)
            | P::If(_, a, b)
            | P::Until(a, b, _) => a.cuts() || b.cuts(),
        }
    }
}

/// A trace: the values of `a` to `d` in each cycle. What comes after it is not known.
struct Trace(Vec<u8>);

/// How far what is not known is looked at: longer than the shortest match of any sequence here.
const HORIZON: usize = 16;

type Ends = BTreeSet<usize>;

impl Trace {
    fn value(&self, c: char, at: usize) -> Option<bool> {
        self.0.get(at).map(|cycle| cycle >> (c as u8 - b'a') & 1 == 1)
    }

    /// The ends, behind their last cycle, of the matches from a cycle on: all that are certain, or all that are possible.
    fn ends(&self, s: &S, from: usize, certain: bool) -> Ends {
        let limit = self.0.len() + HORIZON;
        let letter = |c: char, value: bool, at: usize| match self.value(c, at) {
            Some(v) => v == value,
            None => !certain && at < limit,
        };
        match s {
            S::Leaf(c, value) => letter(*c, *value, from).then_some(from + 1).into_iter().collect(),
            S::Delay(a, least, most, b) => {
                let mut all = Ends::new();
                // `##n b` is `1 ##n b`.
                let before = a.as_ref().map_or(Ends::from([from + 1]), |a| self.ends(a, from, certain));
                for end in before {
                    for n in *least..=most.unwrap_or(limit) {
                        // `##1` starts in the cycle behind the end, `##0` in the last one, which both have.
                        if n == 0 && end == from {
                            continue;
                        }
                        let start = end + n - 1;
                        if start >= limit {
                            break;
                        }
                        all.extend(self.ends(b, start, certain).into_iter().filter(|&e| n > 0 || e > start));
                    }
                }
                all
            }
            S::Repeat(s, least, most) => {
                let mut all = Ends::new();
                let mut now = Ends::from([from]);
                if *least == 0 {
                    all.insert(from);
                }
                for n in 1..=most.unwrap_or(limit) {
                    now = now.iter().flat_map(|&at| self.ends(s, at, certain)).collect();
                    if n >= *least {
                        all.extend(&now);
                    }
                    if now.is_empty() || (most.is_none() && n > *least && n > limit) {
                        break;
                    }
                }
                all
            }
            S::Goto(c, least, most, exact) => {
                let mut all = Ends::new();
                let mut now = Ends::from([from]);
                let find = |at: usize| -> Ends {
                    let mut found = Ends::new();
                    for end in at..limit {
                        if letter(*c, true, end) {
                            found.insert(end + 1);
                        }
                        if !letter(*c, false, end) {
                            break;
                        }
                    }
                    found
                };
                for n in 1..=most.unwrap_or(limit) {
                    now = now.iter().flat_map(|&at| find(at)).collect();
                    if n >= *least {
                        all.extend(&now);
                    }
                    if now.is_empty() {
                        break;
                    }
                }
                if !exact {
                    let mut work: Vec<usize> = all.iter().copied().collect();
                    while let Some(at) = work.pop() {
                        if at < limit && letter(*c, false, at) && all.insert(at + 1) {
                            work.push(at + 1);
                        }
                    }
                }
                all
            }
            S::Or(a, b) => &self.ends(a, from, certain) | &self.ends(b, from, certain),
            S::Intersect(a, b) => &self.ends(a, from, certain) & &self.ends(b, from, certain),
            S::And(a, b) => {
                let (a, b) = (self.ends(a, from, certain), self.ends(b, from, certain));
                a.iter().flat_map(|&x| b.iter().map(move |&y| x.max(y))).collect()
            }
            S::Throughout(c, s) => {
                let ends = self.ends(s, from, certain);
                ends.into_iter().filter(|&end| (from..end).all(|at| letter(*c, true, at))).collect()
            }
            S::Within(a, b) => {
                let inside =
                    |end: usize| (from..end).any(|at| self.ends(a, at, certain).iter().any(|&e| e <= end));
                self.ends(b, from, certain).into_iter().filter(|&end| inside(end)).collect()
            }
            S::First(s) => {
                let (these, others) = (self.ends(s, from, certain), self.ends(s, from, !certain));
                let earliest = |ends: &Ends| ends.first().copied().unwrap_or(usize::MAX);
                // Certain: no other may come before. Possible: none is certain before.
                these.iter().copied().filter(|&end| end <= earliest(&others)).collect()
            }
        }
    }

    /// Whether a property holds from a cycle on, if that is certain.
    fn holds(&self, p: &P, from: usize) -> Option<bool> {
        let not = |value: Option<bool>| value.map(|v| !v);
        let or = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        let and = |a, b| not(or(not(a), not(b)));
        if from > self.0.len() + 2 {
            return None;
        }
        match p {
            P::Seq(s) if self.ends(s, from, false).is_empty() => Some(false),
            P::Seq(s) => (!self.ends(s, from, true).is_empty()).then_some(true),
            P::Then(s, overlap, p) => {
                let later = |end: usize| self.holds(p, if *overlap { end - 1 } else { end });
                let certain = self.ends(s, from, true);
                if certain.iter().any(|&end| later(end) == Some(false)) {
                    return Some(false);
                }
                self.ends(s, from, false).iter().all(|&end| later(end) == Some(true)).then_some(true)
            }
            P::Followed(s, overlap, p) => {
                not(self.holds(&P::Then(s.clone(), *overlap, Box::new(P::Not(p.clone()))), from))
            }
            P::Not(p) => not(self.holds(p, from)),
            P::And(a, b) => and(self.holds(a, from), self.holds(b, from)),
            P::Or(a, b) => or(self.holds(a, from), self.holds(b, from)),
            P::Implies(a, b) => or(not(self.holds(a, from)), self.holds(b, from)),
            P::Iff(a, b) => {
                let (a, b) = (self.holds(a, from), self.holds(b, from));
                or(and(a, b), and(not(a), not(b)))
            }
            P::If(c, a, b) => match self.value(*c, from) {
                Some(true) => self.holds(a, from),
                Some(false) => self.holds(b, from),
                None => None,
            },
            P::Next(n, p) => self.holds(p, from + n),
            P::Always(p) => {
                let fails = (from..self.0.len()).any(|at| self.holds(p, at) == Some(false));
                if fails { Some(false) } else { None }
            }
            P::Until(a, b, with) => {
                let rest = if from < self.0.len() { self.holds(p, from + 1) } else { None };
                match with {
                    false => or(self.holds(b, from), and(self.holds(a, from), rest)),
                    true => and(self.holds(a, from), or(self.holds(b, from), rest)),
                }
            }
        }
    }

    /// The first cycle after which it is certain that the attempt from the first cycle fails.
    fn fails(&self, p: &P) -> Option<usize> {
        (1..=self.0.len()).find(|&n| Trace(self.0[..n].to_vec()).holds(p, 0) == Some(false)).map(|n| n - 1)
    }
}

/// The cycles in which the automaton finds that the attempt from the first cycle fails. A part of a conjunction may fail
/// after another.
fn automaton_fails(automaton: &Automaton, leaves: &[String], trace: &Trace) -> BTreeSet<usize> {
    let mut fails = BTreeSet::new();
    if automaton.fails {
        fails.insert(0);
    }
    let mut marked: BTreeSet<usize> = automaton.start.iter().copied().collect();
    for at in 0..trace.0.len() {
        let holds = |leaf: usize| {
            let text = &leaves[leaf];
            let negated = text.starts_with('!');
            trace.value(text.chars().last().expect("a name"), at) != Some(negated)
        };
        let mut next = BTreeSet::new();
        for &state in &marked {
            let mut tree = &automaton.states[state];
            while let Tree::If(leaf, yes, no) = tree {
                tree = if holds(*leaf) { yes } else { no };
            }
            match tree {
                Tree::Then(Some(states)) => next.extend(states),
                _ => fails.extend([at]),
            }
        }
        marked = next;
    }
    fails
}

struct Maker {
    random: Random,
}

impl Maker {
    fn leaf(&mut self) -> char {
        self.random.pick(&['a', 'b', 'c', 'd'])
    }

    fn bounds(&mut self, least: i64, bounded: bool) -> (usize, Option<usize>) {
        let low = self.random.between(least, 2) as usize;
        match self.random.below(if bounded { 3 } else { 4 }) {
            0 => (low, Some(low)),
            1 | 2 => (low, Some(low + self.random.below(3usize))),
            _ => (low, None),
        }
    }

    fn sequence(&mut self, depth: u32, bounded: bool) -> S {
        if depth == 0 {
            return S::Leaf(self.leaf(), self.random.percent(80));
        }
        let inner = |maker: &mut Maker| Box::new(maker.sequence(depth - 1, bounded));
        match self.random.below(12) {
            0..4 => {
                let (least, most) = self.bounds(0, bounded);
                let first = if self.random.percent(70) { Some(inner(self)) } else { None };
                S::Delay(first, least, most, inner(self))
            }
            4 | 5 => {
                let (least, most) = self.bounds(0, bounded);
                S::Repeat(inner(self), least, most)
            }
            6 => S::Or(inner(self), inner(self)),
            7 => S::And(Box::new(self.sequence(depth - 1, true)), Box::new(self.sequence(depth - 1, true))),
            8 => S::Intersect(Box::new(self.sequence(depth - 1, true)), inner(self)),
            9 => S::Throughout(self.leaf(), inner(self)),
            10 if bounded => S::Within(inner(self), Box::new(self.sequence(depth - 1, true))),
            10 => {
                let (least, most) = self.bounds(1, false);
                S::Goto(self.leaf(), least, most, self.random.coin())
            }
            _ => S::First(inner(self)),
        }
    }

    fn property(&mut self, depth: u32, bounded: bool) -> P {
        if depth == 0 {
            let depth = self.random.below(3u32);
            return P::Seq(self.sequence(depth, bounded));
        }
        let inner = |maker: &mut Maker, bounded| Box::new(maker.property(depth - 1, bounded));
        let length = self.random.below(3u32);
        match self.random.below(14) {
            0..5 => P::Then(self.sequence(length, bounded), self.random.coin(), inner(self, bounded)),
            5 => P::Followed(self.sequence(length, true), self.random.coin(), inner(self, true)),
            6 => P::Not(inner(self, true)),
            7 => P::And(inner(self, bounded), inner(self, bounded)),
            8 => P::Or(inner(self, bounded), inner(self, bounded)),
            9 => P::Implies(inner(self, true), inner(self, bounded)),
            10 => P::Iff(inner(self, true), inner(self, true)),
            11 => P::If(self.leaf(), inner(self, bounded), inner(self, bounded)),
            12 => P::Next(self.random.below(3usize), inner(self, bounded)),
            _ if bounded => inner(self, true).as_ref().clone(),
            _ if self.random.coin() => P::Always(inner(self, false)),
            _ => P::Until(inner(self, false), inner(self, false), self.random.coin()),
        }
    }
}

#[test]
fn random_properties_fail_as_the_traces_say() {
    let mut maker = Maker { random: Random::new(16) };
    let (mut compared, mut failed, mut refused) = (0, 0, 0);
    while compared < 4_000 {
        let depth = maker.random.below(3u32);
        let property = maker.property(depth, false);
        let text = property.text();
        let parsed = match assertion(&tokens(&text), &Definitions::new(), text.len()) {
            Ok(parsed) => parsed,
            Err(refusal) => {
                let known = [
                    "no cycle matches",
                    "for ever",
                    "without bound",
                    "one side is bounded",
                    "is bounded",
                    "bounded sequences",
                ];
                assert!(known.iter().any(|k| refusal.message.contains(k)), "{text}: {refusal:?}");
                refused += 1;
                continue;
            }
        };
        let Ok(automaton) = Automaton::new(parsed.property) else { continue };
        for _ in 0..4 {
            // A trace that ends with cycles in which all is decided: long enough for what is bounded.
            let trace = Trace(maker.random.bytes(9).into_iter().map(|b| b & 15).collect());
            let expected = trace.fails(&property);
            let found = automaton_fails(&automaton, &parsed.leaves, &trace).first().copied();
            let agree = match (expected, found) {
                (Some(expected), Some(found)) => expected == found || (property.cuts() && expected < found),
                // What cannot match for its length is found out when the trace is longer.
                (Some(_), None) => property.cuts(),
                (expected, found) => expected == found,
            };
            assert!(agree, "{text} on {:?}: expected {expected:?}, found {found:?}\n{automaton:?}", trace.0);
            failed += usize::from(expected.is_some());
            compared += 1;
        }
    }
    assert!(failed > 800 && refused < 4_000, "{failed} fail, {refused} refused");
}

#[test]
fn what_is_not_taken_is_refused_at_its_place() {
    for (assertion, column, part) in [
        ("assert property (@(posedge clk) s_eventually a);", 33, "only safety"),
        ("assert property (@(posedge clk) a |-> strong(##[1:$] b));", 39, "liveness"),
        ("assert property (@(posedge clk) not (a ##[1:$] b));", 38, "for ever"),
        ("assert property (@(posedge clk) a |-> ##N b);", 41, "a number"),
        ("assert property (@(posedge clk) a[*0:2]);", 33, "no cycle matches"),
        ("assert property (@(posedge clk) (a, x = b) ##1 c);", 33, "local variables"),
        ("assert property (@(posedge clk) a |-> (b ##1 c) && d);", 42, "inside an expression"),
        ("assert property (@(clk) a |-> b);", 18, "the clock"),
        ("assert property (@(posedge clk) a ##1 @(posedge other) b);", 39, "several clocks"),
        ("assert property (a |-> b);", 1, "no clock"),
        ("always @(posedge clk) assert property (a |-> b);", 23, "inside of a process"),
        ("property p; int x; a ##1 b; endproperty", 18, "local variables"),
        ("assert property (@(posedge clk) a |->);", 38, "expression"),
        ("assert property (@(posedge clk) a ##[3:1] b);", 38, "empty"),
    ] {
        let text = format!("module m;\n{assertion}\nendmodule\n");
        let refusal = match lower(&text, "p", false) {
            Err(refusal) => refusal,
            Ok(lowered) => panic!("{assertion} is taken: {lowered:?}"),
        };
        let at = refusal.at - 10 + 1;
        assert!(
            refusal.message.contains(part) && (column == 0 || column == at),
            "{assertion}: {at}: {}",
            refusal.message
        );
    }
}

#[test]
fn the_rest_of_a_file_stays_where_it_is() {
    let text = "module m(input clk, a, b);\n  default clocking @(posedge clk);\n  endclocking\n  property p(x, y = b);\n    x |=>\n    y;\n  \
        endproperty : p\n  lab: assert property (p(a))\n    else $error(\"no; %d\", 3);\n  wire c = a; // here\n  \
        assert property (disable iff (a) b ##1 a);\n  always @(posedge clk) begin assert (a) else $error(\"x\"); end\nendmodule\n";
    let lowered = lower(text, "m0", false).expect("it is taken").expect("it changes");
    assert_eq!(lowered.text.lines().count(), text.lines().count());
    assert_eq!(lowered.text.lines().nth(9), Some("  wire c = a; // here"));
    assert_eq!(
        lowered.text.lines().nth(11),
        Some("  always @(posedge clk) begin assert (a) ;                 end")
    );
    let names: Vec<&str> = lowered.assertions.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["lab", "assert property (disable iff (a) b ##1 a)"]);
    assert!(lowered.text.contains("m0_0: assert"), "{}", lowered.text);
    assert!(lower("module m; assert property (a); endmodule", "p", false).expect("it is taken").is_none());
    let lowered =
        lower("module m; assert (a); x: assert final (b); endmodule", "p", false).expect("it is taken");
    let text = lowered.expect("it changes").text;
    assert_eq!(text, "module m; assert property (a); x: assert property (b); endmodule");
}

/// The monitors, as Yosys reads them, on random traces: an attempt that no reset ends fails when its automaton says so.
#[test]
fn monitors_fail_as_the_automata_do() {
    let Some(yosys) = tamis_testing::yosys() else { return };
    let mut maker = Maker { random: Random::new(17) };
    let mut properties = Vec::new();
    let mut text = "module m(input clk, a, b, c, d);\n".to_owned();
    while properties.len() < 120 {
        let depth = maker.random.below(3u32);
        let property = maker.property(depth, false).text();
        let Ok(parsed) = assertion(&tokens(&property), &Definitions::new(), 0) else { continue };
        let Ok(automaton) = Automaton::new(parsed.property) else { continue };
        // Every second has a reset.
        let reset = properties.len() % 2 == 1;
        let disable = if reset { "disable iff (d) " } else { "" };
        // Every third is about the first attempt alone.
        let once = properties.len() % 3 == 2;
        let initial = if once { "initial " } else { "" };
        text += &format!("{initial}assert property (@(posedge clk) {disable}{property});\n");
        properties.push((property, automaton, parsed.leaves, (reset, once)));
    }
    text += "endmodule\n";
    let file = std::env::temp_dir().join(format!("tamis-monitors-{}.sv", std::process::id()));
    std::fs::write(&file, text).expect("a file");
    let options = crate::Options { yosys: Some(yosys.into()), ..crate::Options::default() };
    let mut terms = Terms::new();
    let source = crate::load(&mut terms, std::slice::from_ref(&file), &options);
    std::fs::remove_file(&file).expect("the file goes");
    let design = source.unwrap_or_else(|e| panic!("{e}")).design;
    assert_eq!(design.properties.len(), properties.len());
    let mut failures = 0;
    for _ in 0..40 {
        let trace: Vec<u8> = maker.random.bytes(12).into_iter().map(|b| b & 15).collect();
        let cycles = trace.iter().map(|cycle| {
            let mut model = Model::new();
            for input in design.inputs.iter().filter(|i| i.name != "clk") {
                let bit = cycle >> (input.name.as_bytes()[0] - b'a') & 1;
                model.set(input.term, Value::Bits(Bits::new(1, bit.into())));
            }
            model
        });
        let stimulus = Stimulus { initial: Model::new(), cycles: cycles.collect() };
        let run = Run::new(&terms, &design, &stimulus).expect("there are no constraints");
        for ((property, automaton, leaves, (reset, once)), condition) in
            properties.iter().zip(&design.properties)
        {
            for now in 0..trace.len() {
                let attempt_fails = |start: usize| {
                    let part = &trace[start..=now];
                    let alive = !reset || part.iter().all(|cycle| cycle & 8 == 0);
                    alive
                        && automaton_fails(automaton, leaves, &Trace(part.to_vec())).contains(&(now - start))
                };
                let expected = (0..if *once { 1 } else { now + 1 }).any(attempt_fails);
                let found = run.value(&terms, now, condition.term).as_bool();
                assert_eq!(found, expected, "{property} in cycle {now} of {trace:?}");
                failures += usize::from(found);
            }
        }
    }
    assert!(failures > 500, "{failures}");
}
