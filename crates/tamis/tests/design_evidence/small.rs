//! Small random circuits in AIGER.

use std::fmt::Write;
use tamis_testing::Random;

/// A circuit with a bad state, or with a justice property and perhaps a fairness condition.
pub fn circuit(seed: u64, live: bool) -> String {
    let random = &mut Random::new(seed);
    let (inputs, latches, gates) =
        (random.below(3usize), 1 + random.below(4usize), 1 + random.below(14usize));
    let mut known: Vec<usize> = (1..=inputs + latches).map(|v| 2 * v).collect();
    let literal = |random: &mut Random, known: &[usize]| random.pick(known) ^ usize::from(random.coin());
    let mut gate_lines = String::new();
    for gate in 0..gates {
        let own = 2 * (inputs + latches + 1 + gate);
        let (a, b) = (literal(random, &known), literal(random, &known));
        let _ = writeln!(gate_lines, "{own} {} {}", a.max(b), a.min(b));
        known.push(own);
    }
    let constraints = usize::from(random.percent(35));
    let justice = if live { 1 + random.below(2usize) } else { 0 };
    let fairness = usize::from(live && random.percent(35));
    let (variables, bad) = (inputs + latches + gates, usize::from(!live));
    let live = usize::from(live);
    let mut text =
        format!("aag {variables} {inputs} {latches} 0 {gates} {bad} {constraints} {live} {fairness}\n");
    (1..=inputs).for_each(|i| text.push_str(&format!("{}\n", 2 * i)));
    for latch in 0..latches {
        let own = 2 * (inputs + latch + 1);
        let reset = random.pick(&[0, 0, 0, 1, own]);
        let _ = writeln!(text, "{own} {} {reset}", literal(random, &known));
    }
    // The last gates are those that seldom have one of the values.
    let last = &known[known.len().saturating_sub(4)..];
    for _ in 0..bad {
        let _ = writeln!(text, "{}", literal(random, last));
    }
    for _ in 0..constraints {
        let _ = writeln!(text, "{}", literal(random, &known));
    }
    if live == 1 {
        let _ = writeln!(text, "{justice}");
    }
    for _ in 0..justice + fairness {
        let _ = writeln!(text, "{}", literal(random, &known));
    }
    text + &gate_lines
}
