//! Bit-vectors wider than a machine word, and terms of theories that the solver does not decide.

use tamis_logic::{Bits, Sort, Terms, UBig, Value};
use tamis_solver::{Answer, Budget, Cube, Solver, Stop};

#[test]
fn wide_bit_vectors_are_solved() {
    let mut t = Terms::new();
    let width = 200;
    let (x, y) = (t.var("x", Sort::BitVec(width)), t.var("y", Sort::BitVec(width)));
    let power = t.bits_value(Bits::power(width, 150));
    let (sum, three) = (t.add(x, y), t.bits(width, 3));
    let (is_power, is_three) = (t.eq(sum, power), t.eq(y, three));
    let mut solver = Solver::new(&Budget::unlimited());
    solver.assert(&t, is_power);
    solver.assert(&t, is_three);
    assert_eq!(solver.check(&t, &[]), Ok(Answer::Sat));
    let expected = Bits::from_ubig(width, (UBig::ONE << 150) - UBig::from(3u8));
    assert_eq!(solver.value(&t, x), Value::Bits(expected.clone()));
    let small = t.ult(x, three);
    assert_eq!(solver.check(&t, &[small]), Ok(Answer::Unsat));
    assert_eq!(solver.core(), [small]);
    // The quotient by 3, whose circuit divides 200 bits.
    let quotient = t.udiv(x, three);
    let wanted = t.bits_value(expected.udiv(&Bits::new(width, 3)));
    let differs = t.ne(quotient, wanted);
    assert_eq!(solver.check(&t, &[differs]), Ok(Answer::Unsat));
}

/// Whatever the atoms of another theory are, a contradiction of the rest is one; but a model of the rest is none.
#[test]
fn foreign_theories_are_not_guessed_about() {
    let mut t = Terms::new();
    let (i, p) = (t.var("i", Sort::Int), t.var("p", Sort::Bool));
    let five = t.int(5);
    let sort = t.array_sort(Sort::Int, Sort::BitVec(8));
    let a = t.var("a", sort);
    let (read, small, is_five) = (t.select(a, i), t.le(i, five), t.eq(i, five));
    let zero = t.bits(8, 0);
    let is_zero = t.eq(read, zero);
    let formula = t.or(&[small, is_five, is_zero]);
    let mut solver = Solver::new(&Budget::unlimited());
    solver.assert(&t, formula);
    assert_eq!(solver.check(&t, &[p]), Err(Stop::Unsupported));
    assert_eq!(solver.enumerate(&t, &[], &[p], &mut |_| Cube::Minterm), Err(Stop::Unsupported));
    let mut foreign = solver.foreign_terms().to_vec();
    foreign.sort();
    let mut expected = vec![small, is_five, read];
    expected.sort();
    assert_eq!(foreign, expected);
    let (not_p, none) = (t.not(p), t.not(formula));
    assert_eq!(solver.check(&t, &[p, not_p]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&t, &[none]), Ok(Answer::Unsat));
}
