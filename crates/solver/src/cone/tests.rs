//! Against all assignments to the inputs.

use super::*;
use crate::circuit::Gate;
use tamis_testing::Random;

fn random_lit(random: &mut Random, circuit: &Circuit) -> Lit {
    Lit::output(random.below(circuit.len())).flip_if(random.coin())
}

fn random_circuit(random: &mut Random, inputs: usize) -> Circuit {
    let mut circuit = Circuit::new();
    (0..inputs).for_each(|_| {
        circuit.input();
    });
    for _ in 0..random.below(30u32) {
        let [a, b, c] = [0; 3].map(|_| random_lit(random, &circuit));
        match random.below(6u32) {
            0 => circuit.and(a, b),
            1 => circuit.xor(a, b),
            2 => circuit.xor3(a, b, c),
            3 => circuit.majority(a, b, c),
            4 => circuit.ite(a, b, c),
            _ => {
                let d = random_lit(random, &circuit);
                circuit.and_many(&mut vec![a, b, c, d])
            }
        };
    }
    circuit
}

/// The values of the gates for every assignment to the inputs.
fn tables(circuit: &Circuit, inputs: usize) -> Vec<Vec<bool>> {
    let table = |n: usize| {
        let values = circuit.simulate(|lit| {
            let place = (1..lit.gate()).filter(|&g| circuit.gate(g) == Gate::Input).count();
            Some(n >> place & 1 == 1)
        });
        values.into_iter().map(|v| v.expect("all inputs are known")).collect()
    };
    (0..1 << inputs).map(table).collect()
}

fn holds(values: &[bool], lit: Lit) -> bool {
    values[lit.gate()] != lit.is_complement()
}

#[test]
fn answers_are_those_of_all_assignments() {
    let mut unsat = 0;
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let inputs = 1 + random.below(6usize);
        let circuit = random_circuit(&mut random, inputs);
        let tables = tables(&circuit, inputs);
        let mut solver = ConeSolver::new(&circuit, &Budget::unlimited());
        let mut asserted: Vec<Vec<Lit>> = Vec::new();
        let fits = |asserted: &[Vec<Lit>], values: &[bool]| {
            asserted.iter().all(|c| c.iter().any(|&lit| holds(values, lit)))
        };
        for _ in 0..20 {
            if random.below(4u32) == 0 {
                let clause: Vec<Lit> =
                    (0..1 + random.below(3u32)).map(|_| random_lit(&mut random, &circuit)).collect();
                solver.assert(&clause);
                asserted.push(clause);
            }
            let assumptions: Vec<Lit> =
                (0..random.below(5u32)).map(|_| random_lit(&mut random, &circuit)).collect();
            let clause: Vec<Lit> =
                (0..random.below(4u32)).map(|_| random_lit(&mut random, &circuit)).collect();
            let possible = |assumptions: &[Lit]| {
                tables.iter().any(|values| {
                    fits(&asserted, values)
                        && assumptions.iter().all(|&lit| holds(values, lit))
                        && (clause.is_empty() || clause.iter().any(|&lit| holds(values, lit)))
                })
            };
            let answer = solver.solve(&assumptions, &clause).expect("no limit");
            assert_eq!(answer == Answer::Sat, possible(&assumptions), "seed {seed}");
            if answer == Answer::Sat {
                let agrees = tables.iter().any(|values| {
                    let same = |g: usize| solver.value(Lit::output(g)).is_none_or(|v| v == values[g]);
                    (0..circuit.len()).all(same) && fits(&asserted, values)
                });
                assert!(agrees, "seed {seed}");
                assert!(assumptions.iter().all(|&lit| solver.value(lit) == Some(true)));
            } else {
                unsat += 1;
                let core: Vec<Lit> = assumptions.iter().copied().filter(|&lit| solver.failed(lit)).collect();
                assert!(!possible(&core), "seed {seed}");
            }
        }
    }
    assert!(unsat > 1000, "only {unsat} questions without an assignment");
}
