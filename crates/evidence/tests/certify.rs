//! The certificate checker against a direct check on all states of tiny programs: it accepts exactly what is inductive.

#[path = "../../cegar/tests/all/explicit/mod.rs"]
#[allow(dead_code)]
mod explicit;
#[path = "../../cegar/tests/all/generate/mod.rs"]
mod generate;

use generate::{Action, Cond, Random, TinyProgram};
use tamis_evidence::{Certificate, Exhaustion, Rejection, certify, decide, exhaust};
use tamis_front_c::{Options, translate_source};
use tamis_logic::Terms;
use tamis_program::{Location, Program, back_edges};
use tamis_solver::Budget;

/// Claims at some of the locations.
type Claims = Vec<Option<Cond>>;

fn always() -> Cond {
    Cond::Compare("==", generate::Expr::Const(0), generate::Expr::Const(0))
}

/// Random claims: nothing at some locations, something simple, always true or never true at others.
fn claims(random: &mut Random, tiny: &TinyProgram) -> Claims {
    (0..tiny.locations)
        .map(|l| match random.below(6) {
            _ if l == tiny.locations - 1 => None,
            0 => None,
            1 | 2 => Some(tiny.condition(random, 1)),
            3 => Some(Cond::Not(Box::new(always()))),
            _ => Some(always()),
        })
        .collect()
}

/// Whether the claims prove the program safe, by going through all states; `None` if an uncut loop is in the way.
fn proves(tiny: &TinyProgram, claims: &Claims) -> Option<bool> {
    let error = tiny.locations - 1;
    let matters = matters(tiny);
    let cut = |l: usize| l == error || claims[l].is_some();
    if uncut_loop(tiny, &matters, &cut) {
        return None;
    }
    let holds =
        |l: usize, s: &explicit::State| claims[l].as_ref().is_none_or(|c| explicit::holds(tiny, c, s));
    for state in explicit::all_states(tiny) {
        if !holds(0, &state) {
            return Some(false);
        }
    }
    for from in (0..error).filter(|&l| (l == 0 || claims[l].is_some()) && matters[l]) {
        for start in explicit::all_states(tiny).filter(|s| holds(from, s)) {
            let mut pending = explicit::successors(tiny, from, &start);
            while let Some((l, s)) = pending.pop() {
                if !matters[l] {
                    continue;
                }
                if l == error || !holds(l, &s) {
                    return Some(false);
                }
                if claims[l].is_none() {
                    pending.extend(explicit::successors(tiny, l, &s));
                }
            }
        }
    }
    Some(true)
}

/// The locations between the entry and the error.
fn matters(tiny: &TinyProgram) -> Vec<bool> {
    let mut forward = vec![false; tiny.locations];
    let mut backward = forward.clone();
    forward[0] = true;
    backward[tiny.locations - 1] = true;
    for _ in 0..tiny.locations {
        for &(from, to, _) in &tiny.edges {
            forward[to] |= forward[from];
            backward[from] |= backward[to];
        }
    }
    forward.into_iter().zip(backward).map(|(f, b)| f && b).collect()
}

/// Whether a cycle avoids all cutpoints: some location without a claim reaches itself over such locations.
fn uncut_loop(tiny: &TinyProgram, matters: &[bool], cut: &dyn Fn(usize) -> bool) -> bool {
    let inner = |l: usize| matters[l] && !cut(l);
    (0..tiny.locations).filter(|&l| inner(l)).any(|l| {
        let mut reached = vec![false; tiny.locations];
        for _ in 0..tiny.locations {
            for &(from, to, _) in &tiny.edges {
                if inner(from) && inner(to) && (from == l || reached[from]) {
                    reached[to] = true;
                }
            }
        }
        reached[l]
    })
}

fn certificate(terms: &mut Terms, tiny: &TinyProgram, program: &Program, claims: &Claims) -> Certificate {
    let locations: Vec<Location> = program.locations().collect();
    let values: Vec<_> = program.variables().iter().map(|v| v.term).collect();
    let invariants = claims
        .iter()
        .enumerate()
        .filter_map(|(l, c)| c.as_ref().map(|c| (locations[l], tiny.formula(terms, &values, c))))
        .collect();
    Certificate { invariants }
}

#[test]
fn accepts_exactly_what_is_inductive() {
    let (mut accepted, mut rejected, mut uncut) = (0, 0, 0);
    for seed in 0..1500 {
        let random = &mut Random::new(seed);
        let tiny = if seed % 2 == 0 { TinyProgram::random(random) } else { TinyProgram::looping(random) };
        if tiny.width as usize * tiny.variables > 8 {
            continue;
        }
        for _ in 0..4 {
            let claims = claims(random, &tiny);
            let mut terms = Terms::new();
            let program = tiny.build(&mut terms);
            let certificate = certificate(&mut terms, &tiny, &program, &claims);
            let answer = certify(&mut terms, &program, &certificate, &Budget::unlimited());
            match proves(&tiny, &claims) {
                None => {
                    uncut += 1;
                    assert!(matches!(answer, Err(Rejection::UncutLoop(_))), "seed {seed}: {answer:?}");
                }
                Some(expected) => {
                    assert_eq!(answer.is_ok(), expected, "seed {seed}: {answer:?}\n{claims:?}\n{tiny:#?}");
                    if expected { accepted += 1 } else { rejected += 1 }
                }
            }
        }
    }
    println!("{accepted} accepted, {rejected} rejected, {uncut} with an uncut loop");
    assert!(accepted > 100 && rejected > 100 && uncut > 20);
}

#[test]
fn no_claim_is_needed_for_what_control_flow_excludes() {
    let tiny = TinyProgram {
        width: 4,
        variables: 1,
        memory: false,
        locations: 3,
        edges: vec![(0, 1, Action::Havoc(0)), (1, 1, Action::Havoc(0))],
    };
    let mut terms = Terms::new();
    let program = tiny.build(&mut terms);
    assert_eq!(certify(&mut terms, &program, &Certificate::default(), &Budget::unlimited()), Ok(()));
}

/// Programs whose executions end soon: the condition of a proof by exhaustion holds, and that of one that lets a loop end too soon
/// does not.
#[test]
fn exhaustion_lets_no_loop_end_too_soon() {
    let (mut proofs, mut shortened) = (0, 0);
    for seed in 0..1500 {
        let random = &mut Random::new(seed);
        let tiny = match seed % 3 {
            0 => TinyProgram::random(random),
            1 => TinyProgram::looping(random),
            _ => TinyProgram::with_memory(random),
        };
        let mut terms = Terms::new();
        let program = tiny.build(&mut terms);
        let budget = Budget::unlimited();
        let Ok(proof) = exhaust(&mut terms, &program, 8, &budget) else { continue };
        let holds = |terms: &mut Terms, proof: &Exhaustion| {
            let conditions = proof.conditions(terms, &program, &budget);
            conditions.map(|c| decide(terms, &c, &budget).expect("an answer").is_none())
        };
        assert_eq!(holds(&mut terms, &proof), Ok(true), "seed {seed}: {proof:?}");
        proofs += 1;
        for claimed in (0..proof.returns).filter(|number| proof.last.binary_search(number).is_err()) {
            let mut less = proof.clone();
            less.last.push(claimed);
            less.last.sort_unstable();
            assert_eq!(holds(&mut terms, &less), Ok(false), "seed {seed}: {claimed} too many in {proof:?}");
            shortened += 1;
        }
    }
    println!("{proofs} proofs, {shortened} shortened");
    assert!(proofs > 300 && shortened > 20, "{proofs} proofs, {shortened} shortened");
}

/// Who is told that a proof was rejected learns which condition fails, and where its ends are.
#[test]
fn rejections_say_where() {
    let text = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int())
        x += 2;
    if (x == 7)
        reach_error();
    return 0;
}";
    let mut terms = Terms::new();
    let program = translate_source("even.i", text, &Options::default(), &mut terms).expect("C");
    let head = program.edge(back_edges(&program)[0]).to;
    let x = program.variables().iter().find(|v| v.name == "x").expect("a variable").term;
    let zero = terms.bits(32, 0);
    let (is_zero, falsum, truth) = (terms.eq(x, zero), terms.fals(), terms.tru());
    let mut told = |at: Location, claim| {
        let certificate = Certificate { invariants: vec![(head, truth), (at, claim)] };
        let rejected = certify(&mut terms, &program, &certificate, &Budget::unlimited());
        rejected.expect_err("it is no proof").describe(&program)
    };
    let told = [told(head, is_zero), told(head, truth), told(program.entry(), falsum)];
    assert_eq!(
        told,
        [
            "an invariant is not preserved: that at even.i:5 in main is not, on the way from even.i:5 in main",
            "the invariants do not exclude the violation: there is a way to one from even.i:5 in main",
            "the invariant at the entry does not hold initially, even.i:4 in main",
        ]
    );
    let nothing = certify(&mut terms, &program, &Certificate::default(), &Budget::unlimited());
    let told = nothing.expect_err("a loop is not cut").describe(&program);
    assert!(told.starts_with("a loop has no invariant, even.i:") && told.ends_with(" in main"), "{told}");
}
