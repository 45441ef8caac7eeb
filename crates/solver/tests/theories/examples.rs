//! Small formulas that show what is decided, and what is not.

use tamis_logic::{Sort, Terms, Value};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// A product of two variables is not decided, but what holds whatever it is, is; and so is what a model happens to
/// satisfy.
#[test]
fn products_are_not_decided_but_never_wrong() {
    let mut t = Terms::new();
    let (x, y) = (t.var("x", Sort::Int), t.var("y", Sort::Int));
    let (product, two) = (t.times(&[x, y]), t.int(2));
    let is_two = t.eq(product, two);
    let is_not_two = t.not(is_two);
    let mut solver = Solver::new(&Budget::unlimited());
    assert_eq!(solver.check(&t, &[is_two]), Err(Stop::Unsupported));
    assert_eq!(solver.check(&t, &[is_two, is_not_two]), Ok(Answer::Unsat));
    assert_eq!(
        solver.enumerate(&t, &[], &[is_two], &mut |_| tamis_solver::Cube::Minterm),
        Err(Stop::Unsupported)
    );
}

#[test]
fn a_function_has_a_table() {
    let mut t = Terms::new();
    let f = t.declare_function("f", &[Sort::Int], Sort::Int);
    let (x, one) = (t.var("x", Sort::Int), t.int(1));
    let fx = t.apply(f, &[x]);
    let ffx = t.apply(f, &[fx]);
    let next = t.plus(&[x, one]);
    let (steps, returns) = (t.eq(fx, next), t.eq(ffx, x));
    let mut solver = Solver::new(&Budget::unlimited());
    solver.assert(&t, steps);
    solver.assert(&t, returns);
    assert_eq!(solver.check(&t, &[]), Ok(Answer::Sat));
    let at = solver.value(&t, x);
    let model = solver.model(&t, &[x]);
    let image = model.function(f).unwrap().get(std::slice::from_ref(&at)).clone();
    assert_eq!(image.as_int(), &(at.as_int() + 1));
    assert_eq!(model.function(f).unwrap().get(&[image]), &at);
}

/// Memory as an array of bytes: what is written is read, elsewhere it stays.
#[test]
fn reads_and_writes_of_memory() {
    let mut t = Terms::new();
    let (address, byte) = (Sort::BitVec(32), Sort::BitVec(8));
    let memory = t.array_sort(address, byte);
    let (m, p, q) = (t.var("m", memory), t.var("p", address), t.var("q", address));
    let seven = t.bits(8, 7);
    let after = t.store(m, p, seven);
    let (old, new) = (t.select(m, q), t.select(after, q));
    let changed = t.ne(old, new);
    let apart = t.ne(p, q);
    let is_seven = t.eq(new, seven);
    let not_seven = t.not(is_seven);
    let mut solver = Solver::new(&Budget::unlimited());
    solver.assert(&t, changed);
    assert_eq!(solver.check(&t, &[apart]), Ok(Answer::Unsat));
    assert_eq!(solver.core(), [apart]);
    assert_eq!(solver.check(&t, &[not_seven]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&t, &[]), Ok(Answer::Sat));
    let (m, p, q) = (solver.value(&t, m), solver.value(&t, p), solver.value(&t, q));
    assert_eq!(p, q);
    assert_ne!(m.as_array().select(&p), &Value::Bits(tamis_logic::Bits::new(8, 7)));
}

/// No array with one element everywhere becomes another one by a write, if there are many indices; with two, it does.
#[test]
fn constant_arrays() {
    let mut t = Terms::new();
    for (index, writes, answer) in [
        (Sort::Int, 3, Answer::Unsat),
        (Sort::BitVec(32), 3, Answer::Unsat),
        (Sort::BitVec(1), 1, Answer::Unsat),
        (Sort::BitVec(1), 2, Answer::Sat),
        (Sort::Bool, 2, Answer::Sat),
    ] {
        let sort = t.array_sort(index, Sort::Int);
        let (one, two) = (t.int(1), t.int(2));
        let (mut array, all_two) = (t.const_array(sort, one), t.const_array(sort, two));
        for _ in 0..writes {
            let at = t.fresh("i", index);
            array = t.store(array, at, two);
        }
        let same = t.eq(array, all_two);
        assert_eq!(
            Solver::new(&Budget::unlimited()).check(&t, &[same]),
            Ok(answer),
            "{index:?}, {writes} writes"
        );
    }
}

/// A solver that has decided differences goes on with sums, and with all that was asserted before.
#[test]
fn sums_after_differences() {
    for sort in [Sort::Int, Sort::Real] {
        let mut t = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, sort));
        let (less, next) = (t.lt(x, y), t.lt(y, z));
        let mut solver = Solver::new(&Budget::unlimited());
        solver.assert(&t, less);
        solver.assert(&t, next);
        let back = t.lt(z, x);
        assert_eq!(solver.check(&t, &[back]), Ok(Answer::Unsat));
        assert_eq!(solver.core(), [back]);
        assert_eq!(solver.check(&t, &[]), Ok(Answer::Sat));
        // z + z ≤ x + y contradicts x < y < z.
        let (twice, sum) = (t.plus(&[z, z]), t.plus(&[x, y]));
        let small = t.le(twice, sum);
        assert_eq!(solver.check(&t, &[small]), Ok(Answer::Unsat));
        assert_eq!(solver.core(), [small]);
        assert_eq!(solver.check(&t, &[back]), Ok(Answer::Unsat));
        let large = t.lt(sum, twice);
        assert_eq!(solver.check(&t, &[large]), Ok(Answer::Sat));
    }
}

/// A function of a bit-vector that was part of a search on bits alone before: its bits may have been eliminated there.
#[test]
fn functions_of_words_that_are_known_already() {
    let mut t = Terms::new();
    let word = Sort::BitVec(16);
    let (x, y) = (t.var("x", word), t.var("y", word));
    let (product, limit) = (t.mul(x, y), t.bits(16, 40_000));
    let (large, ordered) = (t.ult(limit, product), t.ult(x, y));
    let mut solver = Solver::new(&Budget::unlimited());
    solver.assert(&t, large);
    solver.assert(&t, ordered);
    assert_eq!(solver.check(&t, &[]), Ok(Answer::Sat));
    let f = t.declare_function("f", &[word], word);
    let (fx, fy, fp) = (t.apply(f, &[x]), t.apply(f, &[y]), t.apply(f, &[product]));
    let (same, different) = (t.eq(fx, fy), t.ne(fx, fp));
    assert_eq!(solver.check(&t, &[same, different]), Ok(Answer::Sat));
    let is_product = t.eq(y, product);
    assert_eq!(solver.check(&t, &[same, different, is_product]), Ok(Answer::Unsat));
}

/// With one index, a write changes the whole array. Whether a declared sort has one element only is not decided, so this
/// is neither satisfiable nor unsatisfiable here.
#[test]
fn constant_arrays_over_a_declared_sort_are_not_decided() {
    let mut t = Terms::new();
    let u = t.declare_sort("U");
    let sort = t.array_sort(u, Sort::Int);
    let (one, two, at) = (t.int(1), t.int(2), t.var("u", u));
    let (ones, twos) = (t.const_array(sort, one), t.const_array(sort, two));
    let written = t.store(ones, at, two);
    let (same, read) = (t.eq(written, twos), t.select(twos, at));
    let wrong = t.eq(read, one);
    let mut solver = Solver::new(&Budget::unlimited());
    assert_eq!(solver.check(&t, &[same]), Err(Stop::Unsupported));
    assert_eq!(solver.check(&t, &[wrong]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&t, &[]), Ok(Answer::Sat));
}

/// Where integers and reals meet, branching alone would not end: the reals are eliminated.
#[test]
fn sums_of_integers_between_reals() {
    let mut t = Terms::new();
    let integers: Vec<_> = ["x", "y", "z"].iter().map(|name| t.var(name, Sort::Int)).collect();
    let sum = t.plus(&integers);
    let sum = t.to_real(sum);
    let double = t.plus(&[sum, sum]);
    let (r, s) = (t.var("r", Sort::Real), t.var("s", Sort::Real));
    let (zero, one) = (t.int(0), t.int(1));
    let (zero, one) = (t.to_real(zero), t.to_real(one));
    let both = t.plus(&[r, s]);
    let mut solver = Solver::new(&Budget::unlimited());
    let is_sum = t.eq(double, both);
    solver.assert(&t, is_sum);
    for part in [r, s] {
        let (above, below) = (t.le(zero, part), t.le(part, one));
        solver.assert(&t, above);
        solver.assert(&t, below);
    }
    // 2·(x + y + z) = r + s
    let (not_least, not_most) = (t.lt(zero, r), t.lt(r, one));
    let other = t.lt(s, one);
    assert_eq!(solver.check(&t, &[not_least]), Ok(Answer::Sat));
    assert_eq!(solver.check(&t, &[not_least, other]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&t, &[not_least, not_most]), Ok(Answer::Unsat));
    let core = solver.core().to_vec();
    assert_eq!(solver.minimize_core(&t, &core).map(|core| core.len()), Ok(2));
}
