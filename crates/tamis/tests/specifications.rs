//! Random rules, machines and formulas over random programs, against explicit exploration.
//!
//! A program is a graph: at each node it may call `a`, `b` or `c` with a small number, changes one variable of two bits, and goes on,
//! by a condition or by a choice. So its executions can be explored here without any C. `SPECIFICATIONS` says how many of each.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::process::Command;
use tamis_testing::Random;

const NAMES: [&str; 3] = ["a", "b", "c"];

#[derive(Clone, Copy)]
enum Argument {
    X,
    Number(u8),
}

#[derive(Clone, Copy)]
enum Branch {
    Always(usize),
    Choice(usize, usize),
    Below(u8, usize, usize),
}

#[derive(Clone)]
struct Node {
    call: Option<(usize, Argument)>,
    add: u8,
    branch: Branch,
}

/// A program; the node behind the last is its end.
struct Graph(Vec<Node>);

/// Events, each with the variable then.
type Trace = Vec<(Event, u8)>;

/// What happens at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    Start,
    Call(usize, u8),
    Assign,
    End,
}

impl Graph {
    /// A random program; one without loops goes to later nodes only.
    fn random(random: &mut Random, loops: bool) -> Graph {
        let count = 2 + random.below(4) as usize;
        let nodes = (0..count).map(|at| {
            let mut to = || {
                let low = if loops { 0 } else { at + 1 };
                low + random.below((count + 1 - low) as u64) as usize
            };
            let (first, second) = (to(), to());
            Node {
                call: (random.below(4) > 0).then(|| {
                    let argument = match random.below(3) {
                        0 => Argument::Number(random.below(4) as u8),
                        _ => Argument::X,
                    };
                    (random.below(3) as usize, argument)
                }),
                add: random.below(3) as u8,
                branch: match random.below(3) {
                    0 => Branch::Always(first),
                    1 => Branch::Choice(first, second),
                    _ => Branch::Below(1 + random.below(3) as u8, first, second),
                },
            }
        });
        Graph(nodes.collect())
    }

    fn c(&self) -> String {
        let mut text = "extern int __VERIFIER_nondet_int(void);\nunsigned x;\nvoid a(unsigned n) { }\nvoid b(unsigned n) { }\n\
                        unsigned c(unsigned n) { return n; }\nint main(void) {\n    goto n0;\n"
            .to_owned();
        for (at, node) in self.0.iter().enumerate() {
            text += &format!("n{at}: ;\n");
            if let Some((name, argument)) = node.call {
                let argument = match argument {
                    Argument::X => "x".to_owned(),
                    Argument::Number(n) => n.to_string(),
                };
                text += &format!("    {}({argument});\n", NAMES[name]);
            }
            text += &format!("    x = (x + {}) & 3;\n", node.add);
            text += &match node.branch {
                Branch::Always(to) => format!("    goto n{to};\n"),
                Branch::Choice(a, b) => {
                    format!("    if (__VERIFIER_nondet_int()) goto n{a}; else goto n{b};\n")
                }
                Branch::Below(k, a, b) => format!("    if (x < {k}) goto n{a}; else goto n{b};\n"),
            };
        }
        text + &format!("n{}: return 0;\n}}\n", self.0.len())
    }

    /// The events of a node, each with the variable then, and where it goes on with which value.
    fn run(&self, at: usize, x: u8) -> (Trace, Vec<(usize, u8)>) {
        let Some(node) = self.0.get(at) else { return (vec![(Event::End, x)], Vec::new()) };
        let mut events = Vec::new();
        if let Some((name, argument)) = node.call {
            let value = match argument {
                Argument::X => x,
                Argument::Number(n) => n,
            };
            events.push((Event::Call(name, value), x));
        }
        let x = (x + node.add) & 3;
        events.push((Event::Assign, x));
        let next = match node.branch {
            Branch::Always(to) => vec![to],
            Branch::Choice(a, b) => vec![a, b],
            Branch::Below(k, a, b) => vec![if x < k { a } else { b }],
        };
        (events, next.into_iter().map(|to| (to, x)).collect())
    }

    /// Whether a monitor is violated in some execution.
    fn violates<S: Ord + Clone>(&self, start: S, step: impl Fn(&S, Event, u8) -> Option<S>) -> bool {
        let Some(start) = step(&start, Event::Start, 0) else { return true };
        let mut seen = BTreeSet::from([(0, 0, start.clone())]);
        let mut queue = VecDeque::from([(0, 0, start)]);
        while let Some((at, x, mut state)) = queue.pop_front() {
            let (events, next) = self.run(at, x);
            for (event, x) in events {
                match step(&state, event, x) {
                    Some(next) => state = next,
                    None => return true,
                }
            }
            for (to, x) in next {
                if seen.insert((to, x, state.clone())) {
                    queue.push_back((to, x, state.clone()));
                }
            }
        }
        false
    }
}

/// A condition on an argument.
#[derive(Clone, Copy)]
struct Condition {
    below: bool,
    number: u8,
}

impl Condition {
    fn random(random: &mut Random) -> Option<Condition> {
        (random.below(2) == 0)
            .then(|| Condition { below: random.below(2) == 0, number: random.below(4) as u8 })
    }

    fn holds(self, value: u8) -> bool {
        if self.below { value < self.number } else { value == self.number }
    }

    fn c(self) -> String {
        format!(" when ($1 {} {})", if self.below { "<" } else { "==" }, self.number)
    }
}

fn shown(condition: Option<Condition>) -> String {
    condition.map_or(String::new(), Condition::c)
}

/// A transition of a rule: on which function's call (or the end), from where, if what, to where; an error without.
struct Transition {
    event: usize,
    from: usize,
    when: Option<Condition>,
    to: Option<usize>,
}

fn rule(random: &mut Random, graph: &Graph) -> (String, bool) {
    let states = 2 + random.below(2) as usize;
    let transitions: Vec<Transition> = (0..2 + random.below(6))
        .map(|_| {
            let event = random.below(4) as usize;
            Transition {
                event,
                from: random.below(states as u64) as usize,
                when: Condition::random(random).filter(|_| event < 3),
                to: (random.below(4) > 0).then(|| random.below(states as u64) as usize),
            }
        })
        .collect();
    let mut text = format!("rule r {{\n    state {};\n", ["A", "B", "C"][..states].join(", "));
    for t in &transitions {
        let event = NAMES.get(t.event).map_or("exit".to_owned(), |name| format!("call {name}"));
        let to = t.to.map_or("error \"wrong\"".to_owned(), |to| ["A", "B", "C"][to].to_owned());
        text += &format!("    {event}{} {{ {} -> {to}; }}\n", shown(t.when), ["A", "B", "C"][t.from]);
    }
    let step = |state: &usize, event: Event, _: u8| {
        let (event, value) = match event {
            Event::Call(name, value) => (name, value),
            Event::End => (3, 0),
            _ => return Some(*state),
        };
        let fits = |t: &&Transition| {
            t.event == event && t.from == *state && t.when.is_none_or(|when| when.holds(value))
        };
        transitions.iter().find(fits).map_or(Some(*state), |t| t.to)
    };
    (text + "}\n", graph.violates(0, step))
}

/// A transition of a machine; without an event it is silent.
#[derive(Clone, Copy)]
struct Move {
    from: usize,
    event: Option<usize>,
    when: Option<Condition>,
    to: usize,
}

/// A machine for the calls of a program, and whether these are traces of it.
fn machine(random: &mut Random, graph: &Graph) -> (String, bool) {
    let (text, _, moves) = written(random, graph);
    let traces = violates(&moves, graph);
    (text, traces)
}

/// The same, and whether the machine simulates the program, if it has all traces.
fn simulation(random: &mut Random, graph: &Graph) -> (String, &'static [&'static str]) {
    let (text, states, moves) = written(random, graph);
    let accepted: &[&str] = match (violates(&moves, graph), simulates(states, &moves, graph)) {
        (true, _) => &["false("],
        (false, true) => &["true", "unknown(simulation"],
        (false, false) => &["false(", "unknown(simulation"],
    };
    (text, accepted)
}

fn written(random: &mut Random, graph: &Graph) -> (String, usize, Vec<Move>) {
    let (states, moves) = match random.below(3) {
        0 => anything(random),
        _ => split(random, graph),
    };
    let mut text = "machine m for main {\n    alphabet call a;\n".to_owned();
    for from in 0..states {
        let own: Vec<String> = moves
            .iter()
            .filter(|m| m.from == from)
            .map(|m| match m.event {
                Some(event) => format!("call {}{} -> S{}", NAMES[event], shown(m.when), m.to),
                None => format!("tau -> S{}", m.to),
            })
            .collect();
        text += &format!("    S{from}: {};\n", own.join(", "));
    }
    (text + "}\n", states, moves)
}

/// A machine that has nothing to do with the program.
fn anything(random: &mut Random) -> (usize, Vec<Move>) {
    let states = 1 + random.below(3) as usize;
    let moves = (0..3 + random.below(7)).map(|_| {
        let event = (random.below(5) > 0).then(|| random.below(2) as usize);
        Move {
            from: random.below(states as u64) as usize,
            event,
            when: event.and_then(|_| Condition::random(random)),
            to: random.below(states as u64) as usize,
        }
    });
    (states, moves.collect())
}

/// A machine that does what the program does, with states cut in two that share what follows: the same traces, but early choices.
/// Sometimes a move is missing.
fn split(random: &mut Random, graph: &Graph) -> (usize, Vec<Move>) {
    let hidden = random.below(4) as usize;
    let mut moves = Vec::new();
    for (from, node) in graph.0.iter().enumerate() {
        let event = node.call.map(|(name, _)| name).filter(|&name| name != hidden);
        let next = match node.branch {
            Branch::Always(to) => vec![to],
            Branch::Choice(a, b) | Branch::Below(_, a, b) => vec![a, b],
        };
        moves.extend(next.into_iter().map(|to| Move { from, event, when: None, to }));
    }
    let mut states = graph.0.len() + 1;
    for _ in 0..random.below(4) {
        let cut = 1 + random.below(states as u64 - 1) as usize;
        for index in 0..moves.len() {
            let Move { from, event, when, to } = moves[index];
            if to == cut {
                moves.push(Move { from, event, when, to: states });
            }
        }
        moves.iter_mut().filter(|m| m.from == cut && random.below(2) == 0).for_each(|m| m.from = states);
        states += 1;
    }
    if random.below(3) == 0 {
        moves.remove(random.below(moves.len() as u64) as usize);
    }
    (states, moves)
}

/// Whether the program does what is no trace of a machine.
fn violates(moves: &[Move], graph: &Graph) -> bool {
    let speaks_of = |name: usize| name == 0 || moves.iter().any(|m| m.event == Some(name));
    let silently = |mut set: BTreeSet<usize>| loop {
        let more: BTreeSet<usize> = moves
            .iter()
            .filter(|m| m.event.is_none() && set.contains(&m.from) && !set.contains(&m.to))
            .map(|m| m.to)
            .collect();
        if more.is_empty() {
            return set;
        }
        set.extend(more);
    };
    let step = |set: &BTreeSet<usize>, event: Event, _: u8| match event {
        Event::Call(name, value) if speaks_of(name) => {
            let allowed = moves.iter().filter(|m| {
                m.event == Some(name) && set.contains(&m.from) && m.when.is_none_or(|when| when.holds(value))
            });
            let next = silently(allowed.map(|m| m.to).collect());
            (!next.is_empty()).then_some(next)
        }
        _ => Some(set.clone()),
    };
    graph.violates(silently(BTreeSet::from([0])), step)
}

/// Whether a machine simulates the program weakly: the greatest relation between nodes with values and states of the machine in
/// which each call has an answer, silent steps before it included, that is right for all that may follow.
fn simulates(states: usize, moves: &[Move], graph: &Graph) -> bool {
    let speaks_of = |name: usize| name == 0 || moves.iter().any(|m| m.event == Some(name));
    let mut reach: Vec<BTreeSet<usize>> = (0..states).map(|state| BTreeSet::from([state])).collect();
    for _ in 0..states {
        for m in moves.iter().filter(|m| m.event.is_none()) {
            reach.iter_mut().filter(|r| r.contains(&m.from)).for_each(|r| _ = r.insert(m.to));
        }
    }
    let mut related: BTreeSet<(usize, u8, usize)> = (0..=graph.0.len())
        .flat_map(|at| (0..4).flat_map(move |x| (0..states).map(move |q| (at, x, q))))
        .collect();
    loop {
        let holds = |&(at, x, q): &(usize, u8, usize)| {
            let (events, next) = graph.run(at, x);
            let follow = |q: usize| next.iter().all(|&(at, x)| related.contains(&(at, x, q)));
            let called = events.iter().find_map(|&(event, _)| match event {
                Event::Call(name, value) if speaks_of(name) => Some((name, value)),
                _ => None,
            });
            match called {
                None => follow(q),
                Some((name, value)) => moves.iter().any(|m| {
                    let fits = m.event == Some(name) && m.when.is_none_or(|when| when.holds(value));
                    fits && reach[q].contains(&m.from) && follow(m.to)
                }),
            }
        };
        let kept: BTreeSet<_> = related.iter().copied().filter(holds).collect();
        if kept.len() == related.len() {
            return kept.contains(&(0, 0, 0));
        }
        related = kept;
    }
}

enum Ltl {
    Call(usize),
    X(u8),
    Not(Box<Ltl>),
    And(Box<Ltl>, Box<Ltl>),
    Or(Box<Ltl>, Box<Ltl>),
    Next(Box<Ltl>),
    Always(Box<Ltl>),
    Unless(Box<Ltl>, Box<Ltl>),
}

impl Ltl {
    fn random(random: &mut Random, depth: u32) -> Ltl {
        let mut inner = || Box::new(Ltl::random(random, depth.saturating_sub(1)));
        let (a, b) = if depth > 0 { (Some(inner()), Some(inner())) } else { (None, None) };
        match (random.below(if depth > 0 { 8 } else { 2 }), a, b) {
            (2, Some(a), _) => Ltl::Not(a),
            (3, Some(a), Some(b)) => Ltl::And(a, b),
            (4, Some(a), Some(b)) => Ltl::Or(a, b),
            (5, Some(a), _) => Ltl::Next(a),
            (6, Some(a), _) => Ltl::Always(a),
            (7, Some(a), Some(b)) => Ltl::Unless(a, b),
            (0, ..) => Ltl::Call(random.below(3) as usize),
            _ => Ltl::X(random.below(4) as u8),
        }
    }

    fn text(&self) -> String {
        match self {
            Ltl::Call(f) => format!("call({}())", NAMES[*f]),
            Ltl::X(k) => format!("ap(x == {k})"),
            Ltl::Not(a) => format!("!({})", a.text()),
            Ltl::And(a, b) => format!("({} && {})", a.text(), b.text()),
            Ltl::Or(a, b) => format!("({} || {})", a.text(), b.text()),
            Ltl::Next(a) => format!("X ({})", a.text()),
            Ltl::Always(a) => format!("G ({})", a.text()),
            Ltl::Unless(a, b) => format!("(({}) W ({}))", a.text(), b.text()),
        }
    }

    fn mentions(&self, what: &impl Fn(&Ltl) -> bool) -> bool {
        what(self)
            || match self {
                Ltl::Call(_) | Ltl::X(_) => false,
                Ltl::Not(a) | Ltl::Next(a) | Ltl::Always(a) => a.mentions(what),
                Ltl::And(a, b) | Ltl::Or(a, b) | Ltl::Unless(a, b) => a.mentions(what) || b.mentions(what),
            }
    }

    /// Whether the formula (or its negation) holds at a position, where all that is behind the end of the trace is well.
    fn holds(&self, positive: bool, trace: &[(Event, u8)], at: usize) -> bool {
        let Some(&(event, x)) = trace.get(at) else { return true };
        match (self, positive) {
            (Ltl::Call(f), _) => matches!(event, Event::Call(g, _) if g == *f) == positive,
            (Ltl::X(k), _) => (x == *k) == positive,
            (Ltl::Not(a), _) => a.holds(!positive, trace, at),
            (Ltl::And(a, b), true) | (Ltl::Or(a, b), false) => {
                a.holds(positive, trace, at) && b.holds(positive, trace, at)
            }
            (Ltl::Or(a, b), true) | (Ltl::And(a, b), false) => {
                a.holds(positive, trace, at) || b.holds(positive, trace, at)
            }
            (Ltl::Next(a), _) => a.holds(positive, trace, at + 1),
            (Ltl::Always(a), true) => (at..trace.len()).all(|i| a.holds(true, trace, i)),
            (Ltl::Unless(a, b), true) => {
                for i in at..trace.len() {
                    if b.holds(true, trace, i) {
                        return true;
                    }
                    if !a.holds(true, trace, i) {
                        return false;
                    }
                }
                true
            }
            (Ltl::Always(_) | Ltl::Unless(..), false) => unreachable!("these are liveness"),
        }
    }

    fn is_safety(&self, positive: bool) -> bool {
        match self {
            Ltl::Call(_) | Ltl::X(_) => true,
            Ltl::Not(a) => a.is_safety(!positive),
            Ltl::And(a, b) | Ltl::Or(a, b) => a.is_safety(positive) && b.is_safety(positive),
            Ltl::Next(a) => a.is_safety(positive),
            Ltl::Always(a) => positive && a.is_safety(true),
            Ltl::Unless(a, b) => positive && a.is_safety(true) && b.is_safety(true),
        }
    }
}

/// All traces of a program without loops.
fn traces(graph: &Graph, at: usize, x: u8, before: &[(Event, u8)], found: &mut Vec<Trace>) {
    let (events, next) = graph.run(at, x);
    let trace: Vec<_> = before.iter().copied().chain(events).collect();
    if next.is_empty() {
        found.push(trace.clone());
    }
    for (to, x) in next {
        traces(graph, to, x, &trace, found);
    }
}

/// A formula of safety, and whether some beginning of an execution violates it.
fn formula(random: &mut Random, graph: &Graph) -> (String, bool) {
    let ltl = loop {
        let ltl = Ltl::random(random, 3);
        if ltl.is_safety(true) {
            break ltl;
        }
    };
    let mut all = Vec::new();
    traces(graph, 0, 0, &[(Event::Start, 0)], &mut all);
    let is_position = |event: Event| match event {
        Event::Start | Event::End => true,
        Event::Call(f, _) => ltl.mentions(&|l| matches!(l, Ltl::Call(g) if *g == f)),
        Event::Assign => ltl.mentions(&|l| matches!(l, Ltl::X(_))),
    };
    let violated = all.iter().any(|trace| {
        let trace: Vec<_> = trace.iter().copied().filter(|&(event, _)| is_position(event)).collect();
        (1..=trace.len()).any(|end| !ltl.holds(true, &trace[..end], 0))
    });
    (format!("CHECK( init(main()), LTL({}) )\n", ltl.text()), violated)
}

fn folder(kind: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("specifications-{kind}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A specification that is made for a program, with the verdicts that are right.
type Made = (String, &'static [&'static str]);

/// Checks many, and says how often there was which of the verdicts.
fn check(
    kind: &str,
    options: &[&str],
    extension: &str,
    loops: bool,
    make: impl Fn(&mut Random, &Graph) -> Made,
) {
    let count = std::env::var("SPECIFICATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(60_u64);
    let folder = folder(kind);
    let (program, specification) = (folder.join("main.c"), folder.join(format!("s.{extension}")));
    let mut verdicts = BTreeMap::new();
    for seed in 0..count {
        let mut random = Random::new(seed);
        let graph = Graph::random(&mut random, loops);
        let (text, accepted) = make(&mut random, &graph);
        std::fs::write(&program, graph.c()).expect("a file");
        std::fs::write(&specification, &text).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_tamis"))
            .args(["check", "--timeout", "60", "--quiet"])
            .arg(&program)
            .args(options)
            .arg(&specification)
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        let verdict = said.trim().trim_start_matches("VERDICT: ");
        let right = accepted.iter().find(|right| verdict.starts_with(**right));
        assert!(right.is_some(), "seed {seed}, not {accepted:?}: {said}{why}\n{text}\n{}", graph.c());
        *verdicts.entry((accepted.to_vec(), right)).or_insert(0) += 1;
    }
    println!("{kind}: {verdicts:?}");
    let of = |wanted: &str| -> u64 {
        let such = verdicts.iter().filter(|((_, right), _)| right.is_some_and(|right| *right == wanted));
        such.map(|(_, n)| n).sum()
    };
    assert!(
        ["true", "false("].iter().all(|wanted| of(wanted) > count / 10),
        "hardly ever both: {verdicts:?}"
    );
}

/// The verdict that is right where a specification is violated, or not.
fn decided((text, violated): (String, bool)) -> Made {
    (text, if violated { &["false("] } else { &["true"] })
}

#[test]
fn rules() {
    check("rules", &["--rule"], "rule", true, |random, graph| decided(rule(random, graph)));
}

#[test]
fn machines() {
    check("machines", &["--spec"], "lts", true, |random, graph| decided(machine(random, graph)));
}

#[test]
fn simulations() {
    check("simulations", &["--simulation", "--spec"], "lts", true, simulation);
}

#[test]
fn formulas() {
    check("formulas", &["--property"], "prp", false, |random, graph| decided(formula(random, graph)));
}

/// What is put into texts to spoil them: marks of the languages, and C that does not fit.
const BITS: [&str; 30] = [
    "(",
    ")",
    "{",
    "}",
    ";",
    "->",
    "\"",
    "'",
    "when",
    "é",
    "\\",
    "/*",
    "0",
    "$",
    "[<=",
    "X",
    "\n",
    "#",
    "$9",
    "$return",
    "x",
    "=",
    "++",
    "(void)",
    "error",
    "* ",
    "struct s ",
    "sizeof ",
    "({",
    "__typeof__(",
];

/// A specification of some language that is changed at random, with the end of its file's name.
fn spoilt(seed: u64, random: &mut Random) -> (String, &'static str) {
    let mut source = Random::new(seed);
    let graph = Graph::random(&mut source, false);
    let (mut text, extension) = match seed % 3 {
        0 => (rule(&mut source, &graph).0, "rule"),
        1 => (machine(&mut source, &graph).0, "lts"),
        _ => (formula(&mut source, &graph).0, "prp"),
    };
    for _ in 0..1 + random.below(3) {
        let at = random.below(text.len() as u64 + 1) as usize;
        match random.below(3) {
            0 if random.below(4) == 0 => text.truncate(at),
            1 if at < text.len() => _ = text.remove(at),
            _ => text.insert_str(at, BITS[random.below(BITS.len() as u64) as usize]),
        }
        if !text.is_ascii() {
            break;
        }
    }
    (text, extension)
}

/// Texts that are changed at random are read, or told to be wrong with a place; nothing else happens.
#[test]
fn malformed_texts_are_told_with_their_place() {
    use tamis_specification::{ltl, machines, rules, simulations, stand_ins};
    let mut random = Random::new(1);
    for seed in 0..3000 {
        let (text, _) = spoilt(seed, &mut random);
        let mut told = Vec::new();
        told.extend(rules("f", &text).err());
        told.extend(machines("f", &text).err());
        told.extend(simulations("f", &text).err());
        told.extend(stand_ins("f", &text).err());
        told.extend(ltl::formulas("f", &text).err());
        let lines = text.split('\n').count() as u32;
        assert!(told.iter().all(|d| d.line <= lines && !d.message.is_empty()), "{told:?}\n{text}");
    }
}

/// The same with the program around them: what is no C is told with its place too, with exit code 4.
#[test]
fn malformed_c_in_specifications_is_told_with_its_place() {
    let count = std::env::var("SPECIFICATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(60_u64);
    let folder = folder("malformed");
    let program = folder.join("main.c");
    let mut random = Random::new(2);
    let mut refused = 0;
    for seed in 0..count {
        let (text, extension) = spoilt(seed, &mut random);
        let graph = Graph::random(&mut Random::new(seed), false);
        let specification = folder.join(format!("s.{extension}"));
        std::fs::write(&program, graph.c()).expect("a file");
        std::fs::write(&specification, &text).expect("a file");
        let option = match extension {
            "rule" => "--rule",
            "lts" => "--spec",
            _ => "--property",
        };
        let output = Command::new(env!("CARGO_BIN_EXE_tamis"))
            .args(["check", "--timeout", "20"])
            .arg(&program)
            .arg(option)
            .arg(&specification)
            .output()
            .expect("it runs");
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0 | 1 | 3) => {}
            Some(4) => {
                let place = format!("s.{extension}:");
                // An empty file has no place in it.
                let placed = why.contains(&place) || text.trim().is_empty();
                assert!(placed, "seed {seed}, no place: {why}\n{text}");
                refused += 1;
            }
            code => panic!("seed {seed}, exit code {code:?}: {why}\n{text}"),
        }
    }
    assert!(refused > count / 4, "hardly ever refused: {refused}");
}
