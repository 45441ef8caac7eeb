"""Queries at the edges: as many minterms as can be in few cubes, as few cubes as can be for many predicates, and none."""


def query(lines, predicates):
    """A script: each predicate has a Boolean."""
    names = [f'b{i}' for i in range(len(predicates))]
    out = ['(set-logic QF_LIA)', *lines]
    for name, predicate in zip(names, predicates):
        out += [f'(declare-const {name} Bool)', f'(assert (= {name} {predicate}))']
    return '\n'.join([*out, f'(check-allsat ({" ".join(names)}))', ''])


def integers(count):
    return [f'(declare-const x{i} Int)' for i in range(count)]


def positive(i):
    return f'(< 0 x{i})'


def negated(i):
    return f'(not {positive(i)})'


def three_cubes():
    """2^30 minterms over 32 predicates: x0 x1 x2, not x0 x3 x4 x5, and x0 not x1 x6 x7."""
    cubes = [f'(and {positive(0)} {positive(1)} {positive(2)})',
             f'(and {negated(0)} {positive(3)} {positive(4)} {positive(5)})',
             f'(and {positive(0)} {negated(1)} {positive(6)} {positive(7)})']
    return query([*integers(32), f'(assert (or {" ".join(cubes)}))'], [positive(i) for i in range(32)])


def parity():
    """Every cube is a minterm: 2^11 of 12 predicates."""
    odd = 'false'
    for i in range(12):
        odd = f'(xor {odd} {positive(i)})'
    return query([*integers(12), f'(assert {odd})'], [positive(i) for i in range(12)])


def unsatisfiable():
    """No minterm: a cycle of differences."""
    lines = integers(20) + [f'(assert (< x{i} x{(i + 1) % 20}))' for i in range(20)]
    return query(lines, [positive(i) for i in range(20)])


def one_minterm():
    """A chain fixes them all."""
    lines = integers(30) + ['(assert (= x0 1))'] + [f'(assert (= x{i + 1} (+ x{i} 1)))' for i in range(29)]
    return query(lines, [f'(< {i // 2 * 3} x{i})' for i in range(30)])


def five_of_forty():
    """Of 40 predicates, 35 are about integers that nothing is said of."""
    related = ' '.join(f'(and (< x{i} x{(i + 1) % 5}) (< 0 x{i}))' for i in range(5))
    return query([*integers(40), f'(assert (or {related}))'], [positive(i) for i in range(40)])


def ranges():
    """Two predicates an integer, which exclude each other, over 14 integers that hang together: 3^14 minterms at most."""
    predicates = [p for i in range(14) for p in (f'(< x{i} (- 5))', f'(< 5 x{i})')]
    lines = integers(14) + ['(assert (or (and ' + ' '.join(f'(<= x{i} x{i + 1})' for i in range(13)) + '))) ']
    return query(lines, predicates)


EXTREMES = {'three-cubes': three_cubes, 'parity': parity, 'unsatisfiable': unsatisfiable, 'one-minterm': one_minterm,
            'five-of-forty': five_of_forty, 'ordered-ranges': ranges}
