//! Monitors as Yosys reads them.

use super::super::automaton::Automaton;
use super::language::Maker;
use super::trace::Trace;
use super::{automaton_fails, parsed};
use tamis_design::{Run, Stimulus};
use tamis_logic::{Bits, Model, Terms, Value};
use tamis_testing::Random;

/// When attempts start.
#[derive(Clone, Copy)]
enum Starts {
    Each,
    Once,
    Reached,
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
        let Ok(parsed) = parsed(&property) else { continue };
        let Ok(automaton) = Automaton::new(parsed.property) else { continue };
        // Every second has a reset.
        let reset = properties.len() % 2 == 1;
        let disable = if reset { "disable iff (d) " } else { "" };
        // Every third is about the first attempt alone, every fifth about those where a process comes to.
        let (starts, head) = match properties.len() {
            n if n % 3 == 2 => (Starts::Once, "initial "),
            n if n % 5 == 4 => (Starts::Reached, "always @(posedge clk) if (c) "),
            _ => (Starts::Each, ""),
        };
        text += &format!("{head}assert property (@(posedge clk) {disable}{property});\n");
        properties.push((property, automaton, parsed.leaves, (reset, starts)));
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
        for ((property, automaton, leaves, (reset, starts)), condition) in
            properties.iter().zip(&design.properties)
        {
            for now in 0..trace.len() {
                let attempt_fails = |start: usize| {
                    let part = &trace[start..=now];
                    let alive = !reset || part.iter().all(|cycle| cycle & 8 == 0);
                    alive
                        && automaton_fails(automaton, leaves, &Trace(part.to_vec())).contains(&(now - start))
                };
                let expected = (0..=now)
                    .filter(|&start| match starts {
                        Starts::Each => true,
                        Starts::Once => start == 0,
                        Starts::Reached => trace[start] & 4 != 0,
                    })
                    .any(attempt_fails);
                let found = run.value(&terms, now, condition.term).as_bool();
                assert_eq!(found, expected, "{property} in cycle {now} of {trace:?}");
                failures += usize::from(found);
            }
        }
    }
    assert!(failures > 500, "{failures}");
}
