//! Verdicts on random loops, against every state that the compiled loop body reaches.
//!
//! A program is a step over two or three small variables, repeated without a bound. Compiled by `cc`, the step is
//! run on every state and every choice of inputs until no new state comes up: that is the truth, and no bound is
//! involved. A value that the observed expression takes must be found, and a neighbour that it never takes must be
//! proved away.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use tamis_testing::Random;

/// A loop body over its variables.
struct Machine {
    /// Type, name and initial value of each variable.
    variables: Vec<(&'static str, &'static str, usize)>,
    step: String,
    observed: String,
}

struct Generator {
    random: Random,
    names: Vec<&'static str>,
    /// Constants are mostly at most this.
    limit: usize,
    locals: usize,
}

impl Generator {
    fn machine(seed: u64) -> Machine {
        let mut random = Random::new(seed);
        let names = ["a", "b", "c"][..2 + random.below(2)].to_vec();
        let limit = [3, 5, 8, 10, 20][random.below(5)];
        let mut g = Generator { random, names, limit, locals: 0 };
        let mut variables = Vec::new();
        for name in g.names.clone() {
            let ty = g.random.pick(&["unsigned char", "unsigned char", "signed char", "_Bool"]);
            let value = if ty == "_Bool" { g.random.below(2) } else { g.constant() };
            variables.push((ty, name, value));
        }
        let mut step = String::new();
        for _ in 0..1 + g.random.below(4) {
            g.statement(2, &mut step);
        }
        let (x, y) = (g.name(), g.name());
        let observed = match g.random.below(4) {
            0 => format!("{x} + {y}"),
            1 => format!("{x} * 2 - {y}"),
            _ => x.to_owned(),
        };
        Machine { variables, step, observed }
    }

    fn name(&mut self) -> &'static str {
        self.names[self.random.below(self.names.len())]
    }

    fn constant(&mut self) -> usize {
        match self.random.below(6) {
            0 => 0,
            1 | 2 => 1,
            3 => self.limit,
            _ => self.random.below(self.limit + 1),
        }
    }

    fn local(&mut self) -> String {
        self.locals += 1;
        format!("t{}", self.locals)
    }

    fn condition(&mut self, depth: usize) -> String {
        let (x, y, k) = (self.name(), self.name(), self.constant());
        let relation = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        match self.random.below(10) {
            0..=3 => format!("{x} {relation} {k}"),
            4 | 5 => format!("{x} {relation} {y}"),
            6 | 7 => "input()".to_owned(),
            8 if depth > 0 => {
                let operator = self.random.pick(&["&&", "||"]);
                format!("({}) {operator} ({})", self.condition(depth - 1), self.condition(depth - 1))
            }
            _ => format!("{x}{} {relation} {k}", self.random.pick(&["++", "--"])),
        }
    }

    fn value(&mut self) -> String {
        let (x, y, k) = (self.name(), self.name(), self.constant());
        match self.random.below(13) {
            0 | 1 => k.to_string(),
            2 => x.to_owned(),
            3..=5 => format!("{x} {} {}", self.random.pick(&["+", "-"]), 1 + self.random.below(3)),
            6 => format!("{x} {} {y}", self.random.pick(&["+", "-", "^", "&", "|"])),
            7 => format!("{x} % {}", 2 + self.random.below(4)),
            8 => format!("{x} {} 1", self.random.pick(&["<<", ">>"])),
            9 => format!("{} ? {x} : {y}", self.condition(0)),
            10 => format!("{x} ?: {y} + 1"),
            11 => format!("({}){x} >> 3", self.random.pick(&["unsigned", "long", "unsigned long long"])),
            _ => format!("{}{x}", self.random.pick(&["-", "~", "!"])),
        }
    }

    fn block(&mut self, depth: usize, out: &mut String) {
        out.push_str("{\n");
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth, out);
        }
        out.push_str("}\n");
    }

    fn statement(&mut self, depth: usize, out: &mut String) {
        let (x, y) = (self.name(), self.name());
        let kind = if depth == 0 { self.random.below(4) } else { self.random.below(12) };
        match kind {
            0 | 1 => writeln!(out, "{x} = {};", self.value()),
            2 => writeln!(out, "{x}{};", self.random.pick(&["++", "--"])),
            3 => writeln!(out, "{x} {} {y};", self.random.pick(&["+=", "-=", "^="])),
            4..=6 => {
                write!(out, "if ({}) ", self.condition(1)).expect("a text");
                self.block(depth - 1, out);
                if self.random.below(2) == 0 {
                    out.push_str("else ");
                    self.block(depth - 1, out);
                }
                Ok(())
            }
            7 => {
                writeln!(out, "switch ({x}) {{").expect("a text");
                let first = self.random.below(self.limit);
                for case in first..first + 3 {
                    writeln!(out, "case {case}:").expect("a text");
                    self.statement(0, out);
                    out.push_str(self.random.pick(&["break;\n", ""]));
                }
                writeln!(out, "default: ;\n}}")
            }
            8 => writeln!(out, "if ({}) return;", self.condition(1)),
            9 => writeln!(out, "__VERIFIER_assume({});", self.condition(0)),
            10 => {
                let i = self.local();
                write!(out, "for (int {i} = 0; {i} < {}; {i}++) ", 2 + self.random.below(2)).expect("a text");
                self.block(depth - 1, out);
                Ok(())
            }
            _ => {
                let t = self.local();
                let ty = self.random.pick(&["int", "unsigned", "short", "long long"]);
                writeln!(out, "{{ {ty} {t} = {}; {x} = {t} - {y}; }}", self.value())
            }
        }
        .expect("a text");
    }
}

/// Explores each machine in turn and prints a line of what is observed; `-` if there are too many states.
const EXPLORER: &str = "
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
static jmp_buf stopped;
static int choices[64], chosen, known;
static int input(void) {
  if (chosen == 64) { puts(\"too many inputs\"); longjmp(stopped, 1); }
  if (chosen == known) choices[known++] = 0;
  return choices[chosen++];
}
#define __VERIFIER_assume(condition) do { if (!(condition)) longjmp(stopped, 1); } while (0)
enum { MOST = 1 << 18 };
static unsigned char seen[1 << 24], values[4096];
static unsigned queue[MOST];
static void explore(void (*step)(void), unsigned (*pack)(void), void (*unpack)(unsigned), int (*observed)(void)) {
  static unsigned first, last;
  memset(seen, 0, sizeof seen); memset(values, 0, sizeof values);
  first = last = 0;
  queue[last++] = pack(); seen[pack()] = 1;
  while (first < last) {
    static unsigned state; state = queue[first++];
    unpack(state); values[observed() + 2048] = 1; known = 0;
    for (;;) {
      unpack(state); chosen = 0;
      if (!setjmp(stopped)) {
        step();
        if (!seen[pack()]) {
          if (last == MOST) { puts(\"-\"); return; }
          seen[pack()] = 1; queue[last++] = pack();
        }
      }
      while (chosen > 0 && choices[chosen - 1]) chosen--;
      if (chosen == 0) break;
      choices[chosen - 1] = 1; known = chosen;
    }
  }
  for (int i = 0; i < 4096; i++) if (values[i]) printf(\"%d \", i - 2048);
  puts(\"\");
}
";

impl Machine {
    fn declarations(&self) -> String {
        self.variables.iter().map(|(ty, name, value)| format!("static {ty} {name} = {value};\n")).collect()
    }

    /// The machine as part of the explorer; `i` keeps the names apart.
    fn native(&self, i: usize) -> String {
        let names = || self.variables.iter().map(|v| v.1);
        let define: String = names().map(|n| format!("#define {n} {n}_{i}\n")).collect();
        let undefine: String = names().map(|n| format!("#undef {n}\n")).collect();
        let pack: Vec<String> =
            names().zip(0..).map(|(n, at)| format!("(unsigned)(unsigned char){n} << {}", 8 * at)).collect();
        let unpack: String =
            names().zip(0..).map(|(n, at)| format!("{n} = (unsigned char)(state >> {});", 8 * at)).collect();
        format!(
            "{define}{}static void step_{i}(void) {{\n{}}}\n\
             static unsigned pack_{i}(void) {{ return {}; }}\n\
             static void unpack_{i}(unsigned state) {{ {unpack} }}\n\
             static int observed_{i}(void) {{ return {}; }}\n{undefine}",
            self.declarations(),
            self.step,
            pack.join(" | "),
            self.observed
        )
    }

    /// The machine as a program whose error is that `value` is observed.
    fn program(&self, value: i32) -> String {
        format!(
            "extern void reach_error(void);\nextern void __VERIFIER_assume(int);\n\
             extern _Bool __VERIFIER_nondet_bool(void);\n\
             static int input(void) {{ return __VERIFIER_nondet_bool(); }}\n\
             {}static void step(void) {{\n{}}}\n\
             int main(void) {{\nfor (;;) {{\nif ({} == {value}) reach_error();\nstep();\n}}\n}}\n",
            self.declarations(),
            self.step,
            self.observed
        )
    }
}

/// What each machine shows, or nothing for one with too many states.
fn explore(machines: &[Machine], folder: &Path) -> Vec<Option<BTreeSet<i32>>> {
    let mut text = EXPLORER.to_owned();
    let mut calls = String::new();
    for (i, machine) in machines.iter().enumerate() {
        text += &machine.native(i);
        writeln!(calls, "explore(step_{i}, pack_{i}, unpack_{i}, observed_{i});").expect("a text");
    }
    writeln!(text, "int main(void) {{\n{calls}return 0;\n}}").expect("a text");
    let (source, binary) = (folder.join("explore.c"), folder.join("explore"));
    std::fs::write(&source, text).expect("a writable folder");
    let compiled = Command::new("cc").args(["-O1", "-w", "-fwrapv", "-o"]).arg(&binary).arg(&source).output();
    let compiled = compiled.expect("the compiler runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&binary).output().expect("an explorer that runs");
    assert!(output.status.success(), "the explorer failed: {:?}", output.status);
    let lines = String::from_utf8(output.stdout).expect("text");
    let values = |line: &str| line.split_whitespace().map(|v| v.parse().expect("a number")).collect();
    let seen: Vec<_> = lines.lines().map(|line| (line != "-").then(|| values(line))).collect();
    assert_eq!(seen.len(), machines.len());
    seen
}

fn verdict(program: &str, file: &Path, options: &[&str]) -> String {
    std::fs::write(file, program).expect("a writable folder");
    let output = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .args(["check", "--timeout", "3"])
        .args(options)
        .arg(file)
        .output()
        .expect("tamis runs");
    let last = String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    last.strip_prefix("VERDICT: ").unwrap_or_else(|| panic!("no verdict: {stderr}\n{program}")).to_owned()
}

fn compare(name: &str, seeds: std::ops::Range<u64>, options: &[&str]) {
    if !tamis_testing::cc("-m64") {
        return;
    }
    let folder: PathBuf = [env!("CARGO_TARGET_TMPDIR"), name].iter().collect();
    std::fs::create_dir_all(&folder).expect("a writable folder");
    let machines: Vec<Machine> = seeds.map(Generator::machine).collect();
    let seen = explore(&machines, &folder);
    let file = folder.join("program.c");
    let (mut proofs, mut bugs, mut open) = (0, 0, 0);
    for (i, (machine, seen)) in machines.iter().zip(&seen).enumerate() {
        let Some(seen) = seen else { continue };
        let reached = seen.iter().nth(i % seen.len()).copied().expect("at least the initial state");
        let missed: Vec<i32> =
            seen.iter().flat_map(|v| [v - 1, v + 1]).filter(|v| !seen.contains(v)).collect();
        for (value, expected) in [(reached, "false(unreach-call)"), (missed[i % missed.len()], "true")] {
            let program = machine.program(value);
            let verdict = verdict(&program, &file, options);
            if verdict.starts_with("unknown(timeout") || verdict.contains("order of evaluation") {
                open += 1;
                continue;
            }
            assert_eq!(verdict, expected, "\n{program}");
            *(if expected == "true" { &mut proofs } else { &mut bugs }) += 1;
        }
    }
    println!("{proofs} proofs, {bugs} bugs, {open} open");
    assert!(proofs + bugs > 2 * open, "too few verdicts: {proofs} proofs, {bugs} bugs, {open} open");
    assert!(proofs > 0 && bugs > 0, "one-sided: {proofs} proofs, {bugs} bugs");
}

#[test]
fn random_loops_have_the_verdict_of_their_states() {
    compare("random-exact", 0..60, &[]);
}

#[test]
fn random_loops_have_the_verdict_of_their_states_under_cartesian_abstraction() {
    compare("random-cartesian", 1000..1060, &["--abstraction", "cartesian"]);
}

#[test]
#[ignore = "takes many minutes"]
fn many_random_loops_have_the_verdict_of_their_states() {
    compare("random-many", 10_000..13_000, &[]);
}
