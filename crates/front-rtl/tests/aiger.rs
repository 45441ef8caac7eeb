//! AIGER, in text and in binary, against a small simulator.

use std::fmt::Write;
use tamis_design::{Run, Stimulus};
use tamis_front_rtl::aiger::read;
use tamis_logic::{Bits, Model, Terms, Value};
use tamis_testing::Random;

/// A circuit: inputs, then latches, then gates.
struct Circuit {
    inputs: usize,
    /// Next literal and reset; none for any.
    latches: Vec<(usize, Option<bool>)>,
    gates: Vec<(usize, usize)>,
    outputs: Vec<usize>,
    bad: Vec<usize>,
    constraints: Vec<usize>,
}

impl Circuit {
    fn random(random: &mut Random) -> Circuit {
        let (inputs, latches, gates) =
            (random.below(4usize), 1 + random.below(4usize), random.below(12usize));
        let first = 1 + inputs + latches;
        let gates: Vec<_> =
            (0..gates).map(|g| (random.below(2 * (first + g)), random.below(2 * (first + g)))).collect();
        let count = first + gates.len();
        let mut literals = |most: usize| -> Vec<usize> {
            (0..random.below(most)).map(|_| random.below(2 * count)).collect()
        };
        let (outputs, bad, constraints) = (literals(3), literals(3), literals(2));
        let reset = |random: &mut Random| random.pick(&[Some(false), Some(true), None]);
        let latches = (0..latches).map(|_| (random.below(2 * count), reset(random))).collect();
        Circuit { inputs, latches, gates, outputs, bad, constraints }
    }

    fn header(&self, kind: &str) -> String {
        let largest = self.inputs + self.latches.len() + self.gates.len();
        format!(
            "{kind} {largest} {} {} {} {} {} {}\n",
            self.inputs,
            self.latches.len(),
            self.outputs.len(),
            self.gates.len(),
            self.bad.len(),
            self.constraints.len()
        )
    }

    fn latch(&self, i: usize, own: bool) -> String {
        let (next, reset) = self.latches[i];
        let literal = 2 * (1 + self.inputs + i);
        let reset = match reset {
            Some(false) => String::new(),
            Some(true) => " 1".to_owned(),
            None => format!(" {literal}"),
        };
        if own { format!("{literal} {next}{reset}\n") } else { format!("{next}{reset}\n") }
    }

    fn rest(&self) -> String {
        let literals = self.outputs.iter().chain(&self.bad).chain(&self.constraints);
        literals.fold(String::new(), |text, literal| text + &format!("{literal}\n"))
    }

    /// In text, gates in any order.
    fn ascii(&self, random: &mut Random) -> Vec<u8> {
        let mut text = self.header("aag");
        (0..self.inputs).for_each(|i| writeln!(text, "{}", 2 * (i + 1)).expect("text grows"));
        (0..self.latches.len()).for_each(|i| text += &self.latch(i, true));
        text += &self.rest();
        let first = 1 + self.inputs + self.latches.len();
        let mut gates: Vec<String> = self
            .gates
            .iter()
            .enumerate()
            .map(|(g, (a, b))| format!("{} {a} {b}\n", 2 * (first + g)))
            .collect();
        while !gates.is_empty() {
            text += &gates.swap_remove(random.below(gates.len()));
        }
        text += "l0 first\nc\na comment\n";
        text.into_bytes()
    }

    fn binary(&self) -> Vec<u8> {
        let mut bytes = self.header("aig").into_bytes();
        (0..self.latches.len()).for_each(|i| bytes.extend(self.latch(i, false).into_bytes()));
        bytes.extend(self.rest().into_bytes());
        let first = 1 + self.inputs + self.latches.len();
        for (g, &(a, b)) in self.gates.iter().enumerate() {
            let (high, low) = (a.max(b), a.min(b));
            for mut difference in [2 * (first + g) - high, high - low] {
                while difference >= 128 {
                    bytes.push(difference as u8 | 128);
                    difference >>= 7;
                }
                bytes.push(difference as u8);
            }
        }
        bytes.extend(b"l0 first\n");
        bytes
    }

    /// The values of all variables in a cycle.
    fn values(&self, inputs: &[bool], latches: &[bool]) -> Vec<bool> {
        let mut values = vec![false];
        values.extend(inputs.iter().chain(latches));
        for &(a, b) in &self.gates {
            values.push(literal(&values, a) && literal(&values, b));
        }
        values
    }
}

fn literal(values: &[bool], literal: usize) -> bool {
    values[literal / 2] != (literal % 2 == 1)
}

fn bit(value: bool) -> Value {
    Value::Bits(Bits::new(1, value.into()))
}

#[test]
fn both_forms_run_as_the_simulator_does() {
    let mut random = Random::new(19);
    for _ in 0..2_000 {
        let circuit = Circuit::random(&mut random);
        for bytes in [circuit.ascii(&mut random), circuit.binary()] {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let mut terms = Terms::new();
            let source = read(&mut terms, "f", &bytes).unwrap_or_else(|e| panic!("{e}\n{text}"));
            let design = source.design;
            assert_eq!(design.registers[0].signal.name, "first");
            let old = circuit.bad.is_empty();
            let properties = if old { &circuit.outputs } else { &circuit.bad };
            assert_eq!(design.properties.len(), properties.len());
            let mut initial = Model::new();
            let mut latches: Vec<bool> =
                circuit.latches.iter().map(|l| l.1.unwrap_or_else(|| random.coin())).collect();
            design.registers.iter().zip(&latches).for_each(|(r, &v)| initial.set(r.signal.term, bit(v)));
            let inputs: Vec<Vec<bool>> =
                (0..6).map(|_| (0..circuit.inputs).map(|_| random.coin()).collect()).collect();
            let cycles = inputs.iter().map(|cycle| {
                let mut model = Model::new();
                design.inputs.iter().zip(cycle).for_each(|(i, &v)| model.set(i.term, bit(v)));
                model
            });
            let run = Run::new(&terms, &design, &Stimulus { initial, cycles: cycles.collect() });
            for (cycle, now) in inputs.iter().enumerate() {
                let values = circuit.values(now, &latches);
                if !circuit.constraints.iter().all(|&c| literal(&values, c)) {
                    assert_eq!(run.as_ref().expect_err("a constraint fails").cycle, cycle);
                    break;
                }
                if let Ok(run) = &run {
                    for (condition, &p) in design.properties.iter().zip(properties) {
                        let found = run.value(&terms, cycle, condition.term).as_bool();
                        assert_eq!(found, literal(&values, p), "cycle {cycle} of\n{text}");
                    }
                }
                latches = circuit.latches.iter().map(|&(next, _)| literal(&values, next)).collect();
            }
        }
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, line, part) in [
        ("", 1, "starts with"),
        ("aig\n", 1, ""),
        ("btor\n", 1, "starts with"),
        ("aag 1 99999999999 0 0 0\n", 2, "a literal"),
        ("aag 99999999999999999999999 0 0 0 0\n", 1, "a number"),
        ("aig 18446744073709551615 0 0 0 18446744073709551615\n", 1, "more variables"),
        ("aag 1 1 0 1 0\n2\n", 3, ""),
        ("aag 1 1 0 1 0\n2\n9\n", 3, ""),
        ("aag 2 1 1 0 0\n2\n4 2 3\n", 3, "first value"),
        ("aag 3 1 0 1 1\n2\n6\n6 4 2\n", 4, "not defined"),
        ("aag 3 1 0 1 2\n2\n6\n6 4 2\n4 6 2\n", 6, "cycle"),
        ("aag 2 1 0 1 1\n2\n2\n2 3 3\n", 5, "defined twice"),
    ] {
        let error = read(&mut Terms::new(), "f", text.as_bytes()).expect_err(text);
        let d = error.diagnostic();
        assert!(d.line == line && d.message.contains(part), "{text}: {d:?}");
    }
}

#[test]
fn liveness_is_counted() {
    let text = "aag 1 1 0 1 0 0 0 1 1\n2\n2\n2\n2\n3\n2\nj0 live\n";
    let source = read(&mut Terms::new(), "f", text.as_bytes()).expect("this is AIGER");
    let [live] = &source.design.justice[..] else { panic!("{:?}", source.design.justice) };
    assert_eq!((&*live.name, live.conditions.len(), source.design.fairness.len()), ("live", 2, 1));
    assert!(source.design.properties.is_empty(), "an output is no property beside justice");
}

#[test]
fn mutations_are_read_or_refused() {
    let mut random = Random::new(20);
    for _ in 0..20_000 {
        let circuit = Circuit::random(&mut random);
        let mut bytes = if random.coin() { circuit.ascii(&mut random) } else { circuit.binary() };
        for _ in 0..random.between(1, 4) {
            let at = random.below(bytes.len().max(1));
            match random.below(4) {
                0 => bytes.truncate(at),
                1 if !bytes.is_empty() => bytes[at] = random.pick(b"0123456789 \n\x80\xffax"),
                2 if !bytes.is_empty() => drop(bytes.remove(at)),
                _ => bytes.insert(at.min(bytes.len()), random.pick(b"0123456789 \n")),
            }
        }
        // Whatever comes, it is no panic.
        let _ = read(&mut Terms::new(), "mutated", &bytes);
    }
}
