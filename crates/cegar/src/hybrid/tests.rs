use super::clusters::{Cluster, clusters};
use super::correlations::{by_diagrams, by_solver};
use super::*;
use crate::cegar::Run;
use crate::progress::Silent;
use crate::strategy::Strategy;
use explore::{Explorer, valuations};
use random::Size;
use tamis_design::{Condition, Design, DesignSystem, Register, Signal};
use tamis_diagram::Diagrams;
use tamis_logic::Model;
use tamis_solver::Budget;
use tamis_testing::Random;

#[path = "../../../design/tests/support/explore.rs"]
mod explore;
#[path = "../../../design/tests/support/random.rs"]
mod random;

const RESET: StepId = StepId(0);
const NEXT: StepId = StepId(1);
const BAD: StepId = StepId(2);

fn strategy(more: &str) -> Strategy {
    let text = format!("engine = \"implications\"\nexploration = \"boolean-program\"\n[hybrid]\n{more}");
    Strategy::from_toml(&text).unwrap()
}

/// The example of section 3.3: `P1 = x ∨ y` and `P2 = x ∧ y` are replaced by `x` and `y`, which leaves `P3 = x ∨ y ∨ z` and
/// `P4 = x ∧ y ∧ w`. The next value of `x` is `¬z`.
#[test]
fn section_3_3_correlations_of_control_variables_and_predicates() {
    let mut terms = Terms::new();
    let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| terms.var(name, Sort::Bool));
    let [p1, p2] = [terms.or(&[x, y]), terms.and(&[x, y])];
    let [p3, p4] = [terms.or(&[x, y, z]), terms.and(&[x, y, w])];
    let not_z = terms.not(z);
    let register = |number, name: &str, term, next| Register {
        signal: Signal::new(number, name, term),
        init: None,
        next,
    };
    let design = Design {
        registers: vec![
            register(0, "x", x, Some(not_z)),
            register(1, "y", y, Some(y)),
            register(2, "z", z, None),
            register(3, "w", w, None),
        ],
        properties: vec![Condition::new(0, "property", p4)],
        ..Design::default()
    };
    let system = DesignSystem::new(&mut terms, &design, 0);
    let budget = Budget::unlimited();
    // P3 and P4 have two of three variables in common with P1 and P2: not enough to be in one cluster.
    let strategy = strategy("merge-share = 0.9\npredicates-per-bit = 1.0");
    let mut silent = Silent;
    let mut run = Run::new(&mut terms, &system, &strategy, &budget, &mut silent);
    let running = DesignSystem::RUNNING;
    run.abstraction.use_formulas(run.terms, running, &[p1, p2]).unwrap();
    let kept: Vec<Term> = run.abstraction.predicates.at(running).iter().map(|p| p.formula).collect();
    assert_eq!(kept, [x, y], "the control variables take the place of P1 and P2");

    run.abstraction.use_formulas(run.terms, running, &[p1, p2, p3, p4]).unwrap();
    let predicates = run.abstraction.predicates.at(running).clone();
    assert_eq!(predicates.iter().map(|p| p.formula).collect::<Vec<_>>(), [x, y, p3, p4]);
    let var = |formula| predicates.iter().find(|p| p.formula == formula).unwrap().var;
    let partition = run.partition(NEXT).unwrap();
    let primed_x = run.abstraction.primed(var(x)).unwrap();
    let d = &run.abstraction.diagrams;
    let pairs = partition.product(d, &d.tru(), &[], &[]).unwrap();
    let implies = |before: &[(BddVar, bool)], after: &[(BddVar, bool)]| {
        let before = d.and(&pairs, &d.cube(before).unwrap()).unwrap();
        assert!(!before.is_false());
        d.is_subset(&before, &d.cube(after).unwrap())
    };
    assert!(implies(&[(var(p3), false)], &[(var(x), false), (var(y), false)]));
    assert!(implies(&[(var(x), false)], &[(var(p4), false)]));
    assert!(implies(&[(var(p3), false)], &[(primed_x, true)]));
    assert!(!implies(&[(var(p3), true)], &[(primed_x, true)]));
    let report = run.abstraction.hybrid.as_ref().unwrap().report();
    assert!(matches!(report.variables[0], (v, Fate::Kept { inputs: 1, .. }) if v == x));
    assert_eq!(report.inputs, [(z, 1), (w, 1)]);
}

/// Eq. 10 and Eq. 11 are the same set.
#[test]
fn consistent_states_by_diagrams_and_by_the_solver_are_the_same() {
    let mut random = Random::new(7);
    let mut larger = 0;
    for seed in 0..300 {
        let mut terms = Terms::new();
        let words: Vec<Term> =
            (0..3).map(|i| terms.var(&format!("w{i}"), Sort::BitVec(1 + random.below(5u32)))).collect();
        let mut diagrams = Diagrams::new(1 << 16);
        let mut predicates: Vec<Predicate> = Vec::new();
        for _ in 0..2 + random.below(5) {
            let formula = random::condition(&mut random, &mut terms, &words, 2);
            predicates.push(Predicate { formula, var: diagrams.new_var().unwrap() });
        }
        let support = words.iter().copied().collect();
        let cluster = Cluster { predicates: predicates.clone(), support };
        let budget = Budget::unlimited();
        let one = by_diagrams(&terms, &diagrams, &budget, &cluster).unwrap().unwrap();
        let other = by_solver(&mut terms, &mut diagrams, &budget, &predicates).unwrap();
        assert_eq!(one, other, "cluster {seed}");
        larger += usize::from(!one.is_true());
    }
    assert!(larger > 100, "only {larger} clusters had anything to say");
}

#[test]
fn clusters_are_of_predicates_about_the_same() {
    let mut terms = Terms::new();
    let words: Vec<Term> = (0..4).map(|i| terms.var(&format!("w{i}"), Sort::BitVec(4))).collect();
    let mut diagrams = Diagrams::new(1 << 10);
    let about: Vec<(Predicate, Vec<Term>)> = [vec![0], vec![1], vec![0, 1], vec![2], vec![2, 3]]
        .iter()
        .map(|places: &Vec<usize>| {
            let support: Vec<Term> = places.iter().map(|&i| words[i]).collect();
            (Predicate { formula: terms.tru(), var: diagrams.new_var().unwrap() }, support)
        })
        .collect();
    let sizes = |share: f64| {
        let strategy = HybridStrategy { merge_share: share, ..HybridStrategy::default() };
        let mut sizes: Vec<usize> =
            clusters(&terms, &about, &strategy).iter().map(|c| c.predicates.len()).collect();
        sizes.sort_unstable();
        sizes
    };
    // The first is about half of what the third is about, and so are the second and what has grown from the two.
    assert_eq!(sizes(0.5), [2, 3]);
    assert_eq!(sizes(0.6), [1, 1, 1, 1, 1]);
}

/// The values of the model's predicates in a state.
fn abstracted(terms: &Terms, predicates: &[Predicate], state: &Model) -> Vec<(BddVar, bool)> {
    predicates.iter().map(|p| (p.var, terms.eval(p.formula, state).as_bool())).collect()
}

/// Every transition of a design has one of the abstract model, whatever the predicates are and whatever is kept.
#[test]
fn the_abstract_model_has_every_transition() {
    let options = [
        "",
        "merge-share = 0.1\npredicates-per-bit = 0.05",
        "max-inputs = 1",
        "correlations = \"sat\"\nknown-share = 0.0\npredicates-per-bit = 2.0",
    ];
    let mut kept = 0;
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let design = random::design(&mut random, &mut terms, &Size { state: 7, inputs: 4 });
        let state: Vec<Term> = design.state().collect();
        let mut formulas: Vec<Term> =
            (0..1 + random.below(5)).map(|_| random::condition(&mut random, &mut terms, &state, 2)).collect();
        formulas.retain(|&f| !terms.is_constant(f));
        let system = DesignSystem::new(&mut terms, &design, 0);
        let (budget, strategy) = (Budget::unlimited(), strategy(options[seed as usize % options.len()]));
        let mut silent = Silent;
        let mut run = Run::new(&mut terms, &system, &strategy, &budget, &mut silent);
        let running = DesignSystem::RUNNING;
        // In two rounds: what is kept in the first stays.
        let half = formulas.len() / 2;
        run.abstraction.use_formulas(run.terms, running, &formulas[..half]).unwrap();
        run.partition(NEXT).unwrap();
        run.abstraction.use_formulas(run.terms, running, &formulas).unwrap();
        let predicates = run.abstraction.predicates.at(running).clone();
        kept += run.abstraction.hybrid.as_ref().map_or(0, |h| h.kept.len());
        let mut pairs = Vec::new();
        for step in [RESET, NEXT, BAD] {
            let partition = run.partition(step).unwrap();
            let d = &run.abstraction.diagrams;
            pairs.push(partition.product(d, &d.tru(), &[], &[]).unwrap());
        }
        let primed: Vec<(BddVar, BddVar)> =
            predicates.iter().map(|p| (p.var, run.abstraction.primed(p.var).unwrap())).collect();
        let d = &run.abstraction.diagrams;
        let has = |pairs: &Bdd, before: &[(BddVar, bool)], after: &[(BddVar, bool)]| {
            let after =
                after.iter().map(|(v, value)| (primed.iter().find(|(u, _)| u == v).unwrap().1, *value));
            let all: Vec<(BddVar, bool)> = before.iter().copied().chain(after).collect();
            d.eval(pairs, |v| all.iter().any(|&(u, value)| u == v && value))
        };
        let explorer = Explorer::new(run.terms, &design);
        for first in explorer.first(run.terms) {
            let after = abstracted(run.terms, &predicates, &first);
            assert!(has(&pairs[0], &[], &after), "design {seed}: a first state is missing");
        }
        for state in valuations(run.terms, &state) {
            let before = abstracted(run.terms, &predicates, &state);
            for cycle in explorer.cycles(run.terms, &state) {
                let bad = run.terms.eval(design.properties[0].term, &cycle).as_bool();
                assert!(!bad || has(&pairs[2], &before, &[]), "design {seed}: a violation is missing");
                for next in explorer.next(run.terms, &cycle) {
                    let after = abstracted(run.terms, &predicates, &next);
                    assert!(has(&pairs[1], &before, &after), "design {seed}: a transition is missing");
                }
            }
        }
    }
    assert!(kept > 300, "only {kept} variables were kept");
}
