//! How to add many cubes to a set: one by one, or in batches joined first.
//!
//! `cargo run --release --example minterms [cubes] [variables] [literals per cube]`

use std::time::Instant;
use tamis_diagram::{BddVar, Cube, Diagrams, OutOfNodes};
use tamis_testing::Random;

fn main() -> Result<(), OutOfNodes> {
    let mut arguments = std::env::args().skip(1).filter_map(|a| a.parse::<usize>().ok());
    let count = arguments.next().unwrap_or(50_000);
    let variables = arguments.next().unwrap_or(40);
    let literals = arguments.next().unwrap_or(variables);
    let mut random = Random::new(1);
    println!("resident before: {} MB", resident());
    let mut d = Diagrams::new(1 << 23);
    println!("resident with an empty manager: {} MB", resident());
    let vars: Vec<BddVar> = (0..variables).map(|_| d.new_var()).collect::<Result<_, _>>()?;
    let cubes: Vec<Cube> = (0..count)
        .map(|_| {
            let mut cube: Cube = vars.iter().map(|&v| (v, random.coin())).collect();
            while cube.len() > literals {
                cube.swap_remove(random.below(cube.len()));
            }
            cube
        })
        .collect();
    let mut results = Vec::new();
    for batch in [1, 16, 256, 4096, count] {
        d.collect_garbage();
        let start = Instant::now();
        let mut set = d.fals();
        for batch in cubes.chunks(batch) {
            set = d.or(&set, &d.union_of_cubes(batch)?)?;
        }
        let seconds = start.elapsed().as_secs_f64();
        let nodes = d.node_count(&set);
        println!("batches of {batch:5}: {seconds:7.3} s, {nodes} nodes, resident {} MB", resident());
        results.push(set);
    }
    assert!(results.iter().all(|set| *set == results[0]));
    Ok(())
}

/// Resident memory in megabytes, on Linux; zero elsewhere.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<usize>().ok()).unwrap_or(0) / 1024
}
