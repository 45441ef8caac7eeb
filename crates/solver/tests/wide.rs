//! Bit-vectors wider than a machine word, and terms that the solver does not decide.

use tamis_logic::{Bits, Sort, Terms, UBig, Value};
use tamis_solver::{Answer, Budget, Solver, Stop};

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

/// A product of two variables is beyond linear arithmetic. That 7 is no product of greater numbers is not found out, but
/// nothing else is claimed either.
#[test]
fn nonlinear_arithmetic_is_not_guessed_about() {
    let mut t = Terms::new();
    let (i, j) = (t.var("i", Sort::Int), t.var("j", Sort::Int));
    let (product, two, seven) = (t.times(&[i, j]), t.int(2), t.int(7));
    let conjuncts = [t.eq(product, seven), t.ge(i, two), t.ge(j, two)];
    let mut solver = Solver::new(&Budget::unlimited());
    conjuncts.iter().for_each(|&c| solver.assert(&t, c));
    assert_eq!(solver.check(&t, &[]), Err(Stop::Unsupported));
}
