//! Interpolants against their definition, on random sequences of formulas that cannot hold together.

mod common;

use common::{Generator, Random};
use tamis_logic::{Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Interpolated, InterpolationSystem, Solver, Stop, interpolants};

fn satisfiable(terms: &Terms, formulas: &[Term]) -> bool {
    let mut solver = Solver::new(&Budget::unlimited());
    formulas.iter().for_each(|&f| solver.assert(terms, f));
    solver.check(terms, &[]) == Ok(Answer::Sat)
}

/// Groups of formulas as the parts of a path are: each is about a state, what it makes of it, and variables of its own. Sometimes
/// a variable goes through all of them. None is false by itself.
fn groups(terms: &mut Terms, random: &mut Random) -> Vec<Vec<Term>> {
    let count = 2 + random.below(4) as usize;
    let widths = [1 + random.below(4) as u32, 1 + random.below(4) as u32];
    let state = |terms: &mut Terms, k: usize| {
        [0, 1].map(|i| terms.var(&format!("{}{k}", ["x", "y"][i]), Sort::BitVec(widths[i])))
    };
    let everywhere = terms.var("everywhere", Sort::BitVec(2));
    let mut groups = Vec::new();
    while groups.len() < count {
        let k = groups.len();
        let (before, after) = (state(terms, k), state(terms, k + 1));
        let mut vectors = before.to_vec();
        vectors.push(terms.var(&format!("own{k}"), Sort::BitVec(3)));
        if random.below(3) == 0 {
            vectors.push(everywhere);
        }
        let bools =
            vec![terms.var(&format!("flag{k}"), Sort::Bool), terms.var(&format!("choice{k}"), Sort::Bool)];
        let mut generator = Generator { terms, random, vectors, bools, widest: 5 };
        let mut group: Vec<Term> = (0..generator.random.below(4)).map(|_| generator.formula(3)).collect();
        for (next, width) in after.into_iter().zip(widths) {
            let value = generator.vector(width, 2);
            group.push(generator.terms.eq(next, value));
        }
        if satisfiable(terms, &group) {
            groups.push(group);
        }
    }
    groups
}

fn is_sequence_of_interpolants(terms: &mut Terms, groups: &[Vec<Term>], found: &[Term]) {
    assert_eq!(found.len(), groups.len() - 1);
    let variables = |part: &[Vec<Term>]| terms.free_vars_of(&part.concat());
    for (k, &interpolant) in found.iter().enumerate() {
        let (before, after) = (variables(&groups[..=k]), variables(&groups[k + 1..]));
        for v in terms.free_vars(interpolant) {
            assert!(before.contains(&v) && after.contains(&v), "a variable of one side only");
        }
    }
    for (k, &interpolant) in found.iter().enumerate() {
        let not = terms.not(interpolant);
        let mut before = groups[..=k].concat();
        before.push(not);
        assert!(!satisfiable(terms, &before), "it does not follow");
        let mut after = groups[k + 1..].concat();
        after.push(interpolant);
        assert!(!satisfiable(terms, &after), "it can hold with the other side");
        let mut step = groups[k].clone();
        step.push(not);
        if k > 0 {
            step.push(found[k - 1]);
        }
        assert!(!satisfiable(terms, &step), "it does not follow from the one before");
    }
}

#[test]
fn random_sequences() {
    let mut random = Random::new(7);
    let (mut refuted, mut of_bits, mut differ) = (0, 0, 0);
    while refuted < 500 {
        let mut terms = Terms::new();
        let groups = groups(&mut terms, &mut random);
        let mut both = Vec::new();
        for system in [InterpolationSystem::McMillan, InterpolationSystem::Dual] {
            let found = interpolants(&mut terms, &groups, system, &Budget::unlimited()).expect("words only");
            let is_satisfiable = satisfiable(&terms, &groups.concat());
            match found {
                Interpolated::Satisfiable => assert!(is_satisfiable),
                Interpolated::TooLarge => panic!("they are small"),
                Interpolated::Sequence(found) => {
                    assert!(!is_satisfiable);
                    is_sequence_of_interpolants(&mut terms, &groups, &found);
                    of_bits += found.iter().filter(|&&i| terms.constant(i).is_none()).count();
                    both.push(found);
                }
            }
        }
        if let [strong, weak] = &both[..] {
            refuted += 1;
            differ += usize::from(strong != weak);
            for (&strong, &weak) in strong.iter().zip(weak) {
                let not_weak = terms.not(weak);
                assert!(!satisfiable(&terms, &[strong, not_weak]), "McMillan's is the stronger one");
            }
        }
    }
    assert!(of_bits > 700 && differ > 30, "{of_bits} interpolants, {differ} pairs that differ");
}

#[test]
fn a_multiplication_that_takes_a_search() {
    let mut t = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| t.var(name, Sort::BitVec(7)));
    let product = t.mul(a, b);
    // c is a product of two odd numbers, and even.
    let bit = |t: &mut Terms, x, set| {
        let bit = t.extract(0, 0, x);
        let set_bit = t.nonzero(bit);
        if set { set_bit } else { t.not(set_bit) }
    };
    let first = vec![t.eq(c, product), bit(&mut t, a, true), bit(&mut t, b, true)];
    let second = vec![bit(&mut t, c, false)];
    for system in [InterpolationSystem::McMillan, InterpolationSystem::Dual] {
        let groups = [first.clone(), second.clone()];
        match interpolants(&mut t, &groups, system, &Budget::unlimited()) {
            Ok(Interpolated::Sequence(found)) => is_sequence_of_interpolants(&mut t, &groups, &found),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_has_no_bits_is_not_supported() {
    let mut t = Terms::new();
    let n = t.var("n", Sort::Int);
    let zero = t.int(0);
    let (is, is_not) = (t.eq(n, zero), t.ne(n, zero));
    let groups = [vec![is], vec![is_not]];
    let found = interpolants(&mut t, &groups, InterpolationSystem::McMillan, &Budget::unlimited());
    assert_eq!(found, Err(Stop::Unsupported));
}

#[test]
fn a_group_that_is_false_by_itself() {
    let mut t = Terms::new();
    let (x, never) = (t.var("x", Sort::Bool), t.fals());
    let found = interpolants(
        &mut t,
        &[vec![x], vec![never], vec![x]],
        InterpolationSystem::Dual,
        &Budget::unlimited(),
    );
    assert_eq!(found, Ok(Interpolated::Sequence(vec![t.tru(), t.fals()])));
}
