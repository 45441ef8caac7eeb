//! Random programs, run as an automaton and as the compiler's machine code: both must end in the same way, with the
//! same checksum over all variables.

#[path = "support/generate.rs"]
mod generate;
#[path = "support/native.rs"]
mod native;
mod support;

use generate::Random;
use native::{PRELUDE, run_natively};
use support::{Outcome, run, try_translate};
use tamis_front_c::DataModel;

fn compare(model: DataModel, seed: u64, count: usize) {
    let mut random = Random::new(seed);
    let wide = model == DataModel::Lp64;
    let programs: Vec<String> = (0..count).map(|i| generate::program(&mut random, i, wide)).collect();
    let mut inputs: Vec<Vec<u64>> =
        vec![vec![0], vec![1, u64::MAX, 0x8000_0000], vec![3, 200, 0, 70_000, 17]];
    inputs.push((0..8).map(|_| random.next_u64()).collect());
    let Some(expected) = run_natively(&programs, &inputs, model) else { return };
    let mut compared = 0;
    for (i, program) in programs.iter().enumerate() {
        let text = format!("{PRELUDE}{program}\nint main(void) {{ return main_{i}(); }}\n");
        let translated = try_translate(&text, model).unwrap_or_else(|e| panic!("{e}\n{program}"));
        for (input, &expected) in inputs.iter().zip(&expected[i]) {
            match run(&translated, input) {
                Outcome::Approximated | Outcome::Unfinished => {}
                outcome => {
                    assert_eq!(outcome, expected, "inputs {input:?}\n{program}");
                    compared += 1;
                }
            }
        }
    }
    println!("{compared} runs compared");
    assert!(compared > 2 * count, "too few runs were compared: {compared}");
}

#[test]
fn random_64_bit_programs_run_as_compiled() {
    compare(DataModel::Lp64, 1, 300);
}

#[test]
fn random_32_bit_programs_run_as_compiled() {
    compare(DataModel::Ilp32, 2, 300);
}

#[test]
#[ignore = "takes minutes"]
fn many_more_random_programs_run_as_compiled() {
    for seed in 10..30 {
        compare(DataModel::Lp64, seed, 300);
        compare(DataModel::Ilp32, seed + 100, 300);
    }
}
