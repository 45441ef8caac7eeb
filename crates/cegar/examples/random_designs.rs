//! Asks every preset, or those that are named, about random designs, and compares with the enumeration of all states; all evidence
//! is checked.
//!
//! `random_designs FIRST COUNT [--state BITS] [--inputs BITS] [--milliseconds N] [PRESET]…` takes designs of up to so many bits, and
//! gives each answer so much time. Prints a line for each preset, and what is wrong at once; exits with 1 if anything is.

#[path = "../tests/judged_designs/mod.rs"]
mod judged_designs;

use judged_designs::{Counts, Said, Size, judged};
use std::process::ExitCode;
use std::time::Duration;
use tamis_cegar::{Search, Strategy, preset, preset_names};

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let mut size = Size { state: 12, inputs: 4 };
    let (mut milliseconds, mut numbers, mut presets) = (500, Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        let mut value = || words.next().and_then(|v| v.parse::<u32>().ok());
        match (word.as_str(), word.parse::<u64>()) {
            ("--state", _) => size.state = value().unwrap_or(size.state),
            ("--inputs", _) => size.inputs = value().unwrap_or(size.inputs),
            ("--milliseconds", _) => milliseconds = value().unwrap_or(milliseconds),
            (_, Ok(number)) => numbers.push(number),
            _ => presets.push(word),
        }
    }
    let [first, count] = numbers[..] else {
        eprintln!("random_designs FIRST COUNT [--state BITS] [--inputs BITS] [--milliseconds N] [PRESET]…");
        return ExitCode::from(2);
    };
    if presets.is_empty() {
        presets = preset_names().map(str::to_owned).collect();
    }
    let mut asked: Vec<(String, Strategy, Counts)> = Vec::new();
    for name in presets {
        match preset(&name) {
            Some(Ok(strategy)) => asked.push((name, strategy, Counts::default())),
            _ => {
                eprintln!("there is no preset {name}");
                return ExitCode::from(2);
            }
        }
    }
    let mut wrong = 0;
    for seed in first..first + count {
        let judged = judged(seed, &size);
        for (name, strategy, counts) in &mut asked {
            for property in 0..judged.holds.len() {
                // A search for violations alone has nothing to say where there is none.
                if judged.holds[property] && strategy.searches == [Search::Bounded] {
                    continue;
                }
                match judged.ask(property, strategy, Duration::from_millis(milliseconds.into())) {
                    Said::Holds => counts.holds += 1,
                    Said::Violated => counts.violated += 1,
                    Said::Late => counts.late += 1,
                    Said::Wrong(how) => {
                        println!("WRONG {name}, design {seed}, property {property}: {how}");
                        wrong += 1;
                    }
                }
            }
        }
    }
    for (name, _, Counts { holds, violated, late }) in asked {
        println!("{name:16} {holds:6} hold {violated:6} violated {late:6} late");
    }
    println!("designs {first} to {}: {wrong} wrong", first + count - 1);
    ExitCode::from(u8::from(wrong > 0))
}
