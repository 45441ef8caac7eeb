//! The congruence closure on examples whose answers are known.

use tamis_theories::euf::{CongruenceClosure, Node};
use tamis_theories::{Atom, Check, Conflict, Literal, Theory};

fn yes(atom: u32) -> Literal {
    Literal::new(Atom(atom), true)
}

fn no(atom: u32) -> Literal {
    Literal::new(Atom(atom), false)
}

fn constants<const N: usize>(euf: &mut CongruenceClosure) -> [Node; N] {
    std::array::from_fn(|_| euf.constant())
}

/// Registers the pairs as the atoms 0, 1, …
fn equalities(euf: &mut CongruenceClosure, pairs: &[(Node, Node)]) {
    for (atom, &(a, b)) in pairs.iter().enumerate() {
        euf.equality(Atom(atom as u32), a, b);
    }
}

fn propagate(euf: &mut CongruenceClosure) -> Vec<Literal> {
    let mut implied = Vec::new();
    assert_eq!(euf.propagate(&mut implied), Ok(()));
    implied.sort();
    implied
}

fn explain(euf: &mut CongruenceClosure, literal: Literal) -> Vec<Literal> {
    let mut reasons = Vec::new();
    euf.explain(literal, &mut reasons);
    reasons
}

#[test]
fn applications_are_shared_and_constants_are_not() {
    let mut euf = CongruenceClosure::new();
    let [a, b] = constants(&mut euf);
    assert_ne!(a, b);
    assert_eq!(euf.apply(0, &[a, b]), euf.apply(0, &[a, b]));
    assert_ne!(euf.apply(0, &[a, b]), euf.apply(0, &[b, a]));
    assert_ne!(euf.apply(0, &[a, b]), euf.apply(1, &[a, b]));
    assert_ne!(euf.apply(0, &[a]), euf.apply(0, &[a, a]));
    assert_eq!(euf.apply(2, &[]), euf.apply(2, &[]));
    assert_eq!(euf.value(7), euf.value(7));
    assert_ne!(euf.value(7), euf.value(1));
    assert_ne!(euf.value(1), euf.truth(true));
}

/// f³(a) = a and f⁵(a) = a give f(a) = a.
#[test]
fn three_and_five_give_one() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let mut powers = vec![euf.constant()];
    for i in 0..5 {
        powers.push(euf.apply(0, &[powers[i]]));
    }
    equalities(&mut euf, &[(powers[3], powers[0]), (powers[5], powers[0]), (powers[1], powers[0])]);
    euf.assert(yes(0))?;
    assert_eq!(propagate(&mut euf), []);
    euf.push();
    assert_eq!(euf.assert(yes(1)), Ok(()));
    assert_eq!(propagate(&mut euf), [yes(2)]);
    assert_eq!(explain(&mut euf, yes(2)), [yes(0), yes(1)]);
    euf.pop(1);
    euf.assert(no(2))?;
    euf.push();
    assert_eq!(euf.assert(yes(1)), Err(Conflict(vec![yes(0), yes(1), no(2)])));
    Ok(())
}

#[test]
fn an_explanation_leaves_out_what_is_beside_the_point() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b, c, d, e] = constants(&mut euf);
    let (fa, fb) = (euf.apply(0, &[a, c]), euf.apply(0, &[b, c]));
    equalities(&mut euf, &[(a, b), (c, d), (d, e), (fa, e), (fb, fa)]);
    for atom in [1, 2, 3, 0] {
        euf.assert(yes(atom))?;
    }
    assert_eq!(propagate(&mut euf), [yes(4)]);
    assert_eq!(explain(&mut euf, yes(4)), [yes(0)]);
    Ok(())
}

#[test]
fn disequalities_follow_their_classes() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b, c, d] = constants(&mut euf);
    equalities(&mut euf, &[(a, b), (a, c), (b, d), (d, c)]);
    euf.assert(no(0))?;
    assert!(euf.disequal(b, a));
    euf.push();
    euf.assert(yes(1))?;
    assert!(euf.disequal(c, b) && !euf.disequal(c, d));
    assert_eq!(propagate(&mut euf), []);
    euf.push();
    euf.assert(yes(2))?;
    assert_eq!(propagate(&mut euf), [no(3)]);
    assert_eq!(explain(&mut euf, no(3)), [no(0), yes(1), yes(2)]);
    let mut reasons = Vec::new();
    euf.explain_disequality(b, c, &mut reasons);
    assert_eq!(reasons, [no(0), yes(1)]);
    assert_eq!(euf.assert(yes(3)), Err(Conflict(vec![no(0), yes(1), yes(2), yes(3)])));
    euf.pop(2);
    assert!(euf.disequal(a, b) && !euf.disequal(b, c));
    assert_eq!(euf.check(), Check::Consistent);
    Ok(())
}

/// Equalities are nodes inside, but not to be seen.
#[test]
fn classes_consist_of_what_the_caller_made() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b, c, p] = constants(&mut euf);
    equalities(&mut euf, &[(a, b), (b, c), (a, c)]);
    euf.predicate(Atom(3), p);
    for literal in [yes(0), no(1), no(3)] {
        euf.assert(literal)?;
    }
    let falsity = euf.truth(false);
    let mut class: Vec<Node> = euf.class(p).collect();
    class.sort();
    assert_eq!(class, [falsity, p]);
    assert!(class.contains(&euf.representative(p)));
    assert_eq!(euf.representative(p), euf.representative(falsity));
    Ok(())
}

#[test]
fn distinct_values_are_disequal() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b, c] = constants(&mut euf);
    let (one, two) = (euf.value(1), euf.value(2));
    equalities(&mut euf, &[(a, one), (b, two), (a, b), (b, c), (one, two)]);
    assert_eq!(propagate(&mut euf), [no(4)]);
    assert_eq!(explain(&mut euf, no(4)), []);
    euf.push();
    euf.assert(yes(0))?;
    euf.assert(yes(3))?;
    euf.push();
    euf.assert(yes(1))?;
    assert_eq!(propagate(&mut euf), [no(2)]);
    assert_eq!(explain(&mut euf, no(2)), [yes(0), yes(1)]);
    assert_eq!(euf.value_of(c), Some(two));
    let mut reasons = Vec::new();
    euf.explain_disequality(a, c, &mut reasons);
    assert_eq!(reasons, [yes(0), yes(1), yes(3)]);
    euf.pop(1);
    assert_eq!(euf.value_of(c), None);
    assert_eq!(euf.assert(yes(2)), Ok(()));
    assert_eq!(propagate(&mut euf), [no(1)]);
    Ok(())
}

#[test]
fn predicates_follow_by_congruence() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b, c] = constants(&mut euf);
    euf.equality(Atom(0), a, b);
    euf.equality(Atom(4), b, c);
    for (atom, argument) in [(1, a), (2, b), (3, c)] {
        let application = euf.apply(0, &[argument]);
        euf.predicate(Atom(atom), application);
    }
    euf.assert(no(1))?;
    euf.assert(yes(3))?;
    euf.push();
    euf.assert(yes(0))?;
    assert_eq!(propagate(&mut euf), [no(2)]);
    assert_eq!(explain(&mut euf, no(2)), [yes(0), no(1)]);
    assert_eq!(euf.truth_of(Atom(2)), Some(false));
    assert_eq!(euf.assert(yes(4)), Err(Conflict(vec![yes(0), no(1), yes(3), yes(4)])));
    euf.pop(1);
    assert_eq!(euf.assert(yes(4)), Ok(()));
    assert_eq!(propagate(&mut euf), [yes(2)]);
    Ok(())
}

/// What is asserted after a propagation could explain it too, and more shortly, but must not.
#[test]
fn explanations_do_not_look_ahead() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b, c, d] = constants(&mut euf);
    equalities(&mut euf, &[(a, b), (b, c), (a, c), (a, d), (b, d), (c, d)]);
    euf.assert(yes(0))?;
    euf.assert(yes(1))?;
    assert_eq!(propagate(&mut euf), [yes(2)]);
    euf.assert(no(3))?;
    assert_eq!(propagate(&mut euf), [no(4), no(5)]);
    euf.push();
    euf.assert(yes(2))?;
    euf.assert(no(4))?;
    euf.assert(no(5))?;
    assert_eq!(explain(&mut euf, yes(2)), [yes(0), yes(1)]);
    assert_eq!(explain(&mut euf, no(4)), [yes(0), no(3)]);
    assert_eq!(explain(&mut euf, no(5)), [yes(0), yes(1), no(3)]);
    Ok(())
}

/// `a = b` and `c = d` become congruent crosswise. In the conflict that makes all four equal, the straight reading holds
/// too, but only because of what the conflict is about.
#[test]
fn crossed_equalities_are_explained_crosswise() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b, c, d] = constants(&mut euf);
    equalities(&mut euf, &[(a, b), (c, d), (a, d), (b, c), (a, c)]);
    euf.assert(no(0))?;
    euf.assert(yes(2))?;
    euf.assert(yes(3))?;
    assert_eq!(propagate(&mut euf), [no(1), no(4)]);
    assert_eq!(explain(&mut euf, no(1)), [no(0), yes(2), yes(3)]);
    assert_eq!(euf.assert(yes(4)), Err(Conflict(vec![no(0), yes(3), yes(4)])));
    Ok(())
}

#[test]
fn a_term_made_above_a_level_is_congruent_below_it() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b, c] = constants(&mut euf);
    equalities(&mut euf, &[(a, b), (b, c)]);
    let fa = euf.apply(0, &[a]);
    euf.push();
    euf.assert(yes(0))?;
    euf.push();
    euf.assert(yes(1))?;
    euf.push();
    let (fb, fc) = (euf.apply(0, &[b]), euf.apply(0, &[c]));
    euf.equality(Atom(2), fa, fb);
    euf.equality(Atom(3), fa, fc);
    assert!(euf.same(fa, fb) && euf.same(fa, fc));
    assert_eq!(propagate(&mut euf), [yes(2), yes(3)]);
    euf.pop(2);
    assert!(euf.same(fa, fb) && !euf.same(fa, fc));
    assert_eq!(propagate(&mut euf), [yes(2)]);
    assert_eq!(explain(&mut euf, yes(2)), [yes(0)]);
    euf.pop(1);
    assert!(!euf.same(fa, fb) && !euf.same(fb, fc));
    euf.assert(yes(1))?;
    assert!(!euf.same(fa, fb) && euf.same(fb, fc));
    euf.push();
    euf.assert(yes(0))?;
    assert!(euf.same(fa, fc));
    Ok(())
}

#[test]
fn an_atom_made_above_a_level_is_propagated_again_below_it() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b] = constants(&mut euf);
    euf.equality(Atom(0), a, b);
    euf.assert(yes(0))?;
    euf.push();
    euf.push();
    euf.equality(Atom(1), b, a);
    assert_eq!(propagate(&mut euf), [yes(1)]);
    euf.pop(1);
    assert_eq!(propagate(&mut euf), [yes(1)]);
    assert_eq!(propagate(&mut euf), []);
    euf.pop(1);
    assert_eq!(propagate(&mut euf), [yes(1)]);
    Ok(())
}

/// A literal that was implied early but handed out late is handed out again when the search forgets it.
#[test]
fn late_propagation_is_repeated_after_backtracking() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b, c] = constants(&mut euf);
    equalities(&mut euf, &[(a, b), (b, c), (a, c)]);
    euf.assert(yes(0))?;
    euf.assert(yes(1))?;
    euf.push();
    assert_eq!(propagate(&mut euf), [yes(2)]);
    euf.pop(1);
    assert_eq!(propagate(&mut euf), [yes(2)]);
    Ok(())
}

#[test]
fn without_propagation_there_are_only_conflicts() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b, c] = constants(&mut euf);
    equalities(&mut euf, &[(a, b), (b, c), (a, c)]);
    euf.set_propagation(false);
    euf.assert(yes(0))?;
    euf.assert(yes(1))?;
    assert_eq!(propagate(&mut euf), []);
    euf.push();
    assert_eq!(euf.assert(no(2)), Err(Conflict(vec![yes(0), yes(1), no(2)])));
    euf.pop(1);
    euf.push();
    euf.set_propagation(true);
    assert_eq!(propagate(&mut euf), [yes(2)]);
    euf.pop(1);
    assert_eq!(propagate(&mut euf), [yes(2)]);
    Ok(())
}

#[test]
fn equalities_from_elsewhere_bring_their_reasons() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b] = constants(&mut euf);
    let (fa, fb) = (euf.apply(0, &[a]), euf.apply(0, &[b]));
    equalities(&mut euf, &[(fa, fb)]);
    let (lower, upper) = (yes(100), no(101));
    euf.push();
    euf.assert_equality(a, b, &[lower, upper])?;
    assert_eq!(propagate(&mut euf), [yes(0)]);
    assert_eq!(explain(&mut euf, yes(0)), [lower, upper]);
    euf.pop(1);
    assert!(!euf.same(fa, fb));
    euf.assert(no(0))?;
    euf.push();
    assert_eq!(euf.assert_equality(a, b, &[upper]), Err(Conflict(vec![no(0), upper])));
    assert!(euf.assert(no(0)).is_err(), "nothing is taken before backtracking");
    euf.pop(1);
    assert_eq!(euf.assert_equality(a, a, &[]), Ok(()));
    Ok(())
}

/// Four pigeons in three holes, by hand: with all pigeons different and each in a hole, the closure alone says nothing;
/// with the holes chosen, it finds the two in one hole.
#[test]
fn pigeons_share_a_hole() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let holes: Vec<Node> = (0..3).map(|hole| euf.value(hole)).collect();
    let pigeons: [Node; 4] = constants(&mut euf);
    // Atom 3p + h: pigeon p is in hole h. Atoms from 12 on: pigeons are in the same hole.
    for (p, &pigeon) in pigeons.iter().enumerate() {
        for (h, &hole) in holes.iter().enumerate() {
            euf.equality(Atom((3 * p + h) as u32), pigeon, hole);
        }
    }
    let mut atom = 12;
    for p in 0..4 {
        for q in 0..p {
            euf.equality(Atom(atom), pigeons[p], pigeons[q]);
            euf.assert(no(atom))?;
            atom += 1;
        }
    }
    assert_eq!(propagate(&mut euf), []);
    euf.assert(yes(0))?;
    assert_eq!(propagate(&mut euf), [1, 2, 3, 6, 9].map(no));
    euf.assert(yes(4))?;
    euf.assert(yes(8))?;
    // The last pigeon finds every hole taken.
    assert!([9, 10, 11].iter().all(|&atom| euf.truth_of(Atom(atom)) == Some(false)));
    let Err(Conflict(conflict)) = euf.assert(yes(10)) else { panic!("two pigeons in one hole") };
    assert_eq!(conflict, [yes(4), yes(10), no(16)]);
    Ok(())
}

/// xᵢ = yᵢ = xᵢ₊₁ or xᵢ = zᵢ = xᵢ₊₁: whatever side of each diamond is taken, the ends are equal, because of that side.
#[test]
fn diamonds_chain_their_ends() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let n = 50;
    let x: Vec<Node> = (0..=n).map(|_| euf.constant()).collect();
    let mut pairs = Vec::new();
    for i in 0..n {
        for side in [euf.constant(), euf.constant()] {
            pairs.extend([(x[i], side), (side, x[i + 1])]);
        }
    }
    pairs.push((x[0], x[n]));
    equalities(&mut euf, &pairs);
    let ends = 4 * n as u32;
    for pattern in [0u64, u64::MAX, 0x5555_5555_5555_5555, 0x1234_5678_9abc_def0] {
        euf.push();
        let mut expected = Vec::new();
        for i in 0..n as u32 {
            let side = 4 * i + 2 * (pattern >> i & 1) as u32;
            expected.extend([yes(side), yes(side + 1)]);
        }
        for &literal in expected.iter().rev() {
            euf.assert(literal)?;
        }
        assert_eq!(propagate(&mut euf), [yes(ends)]);
        assert_eq!(explain(&mut euf, yes(ends)), expected);
        euf.pop(1);
        assert!(!euf.same(x[0], x[n]));
    }
    Ok(())
}

/// Nothing recurses along the depth of terms: not making them, not the closure, not the explanation.
#[test]
fn a_million_nested_applications() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let [a, b] = constants(&mut euf);
    let (mut fa, mut fb) = (a, b);
    for _ in 0..1_000_000 {
        fa = euf.apply(0, &[fa]);
        fb = euf.apply(0, &[fb]);
    }
    let f = euf.apply(0, &[a]);
    equalities(&mut euf, &[(a, b), (fa, fb), (f, a), (fa, a)]);
    euf.push();
    euf.assert(yes(0))?;
    assert_eq!(propagate(&mut euf), [yes(1)]);
    assert_eq!(explain(&mut euf, yes(1)), [yes(0)]);
    euf.pop(1);
    assert!(!euf.same(fa, fb));
    euf.assert(yes(2))?;
    assert_eq!(propagate(&mut euf), [yes(3)]);
    assert_eq!(explain(&mut euf, yes(3)), [yes(2)]);
    assert_eq!(euf.class(a).count(), 1_000_001);
    Ok(())
}

/// A hundred thousand terms over a thousand constants, merged one constant after the other, and taken back.
#[test]
fn a_hundred_thousand_terms() -> Result<(), Conflict> {
    let mut euf = CongruenceClosure::new();
    let c: Vec<Node> = (0..1000).map(|_| euf.constant()).collect();
    let mut terms = Vec::new();
    for i in 0..100_000 {
        terms.push(euf.apply((i % 5) as u32, &[c[i % 1000], c[i * 7 % 997]]));
    }
    for i in 0..999 {
        euf.equality(Atom(i), c[i as usize], c[(i as usize * 31 + 1) % 1000]);
    }
    for round in 0..3 {
        for i in 0..999 {
            euf.push();
            euf.assert(yes((i * 7 + round) % 999))?;
            propagate(&mut euf);
        }
        let mut reasons = Vec::new();
        if euf.same(c[0], c[1]) {
            euf.explain_equality(terms[0], euf.representative(terms[0]), &mut reasons);
        }
        assert_eq!(euf.check(), Check::Consistent);
        euf.pop(999);
        assert!(terms.windows(2).all(|pair| !euf.same(pair[0], pair[1]) || pair[0] == pair[1]));
    }
    Ok(())
}
