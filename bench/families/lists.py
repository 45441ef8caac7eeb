"""Programs on linked lists. Reachability is told by ranks: `rank(n)` is the distance of a node to the end of its list."""
from .guarded import Model, conj, disj, eq, ite, le, lt, ne, neg, plus, update

NIL = '0'


def ranked(s, *nodes):
    """A node's successor is one nearer to the end, whose rank is 0."""
    return [disj(eq(n, NIL), eq(s.rank(n), plus(s.rank(s.next(n)), 1))) for n in nodes] + [eq(s.rank(NIL), '0')]


# while (x) { t = x->next; x->next = y; y = x; x = t; }
REVERSE_ACYCLIC = Model(
    'reverse_acyclic',
    state={'pc': 'Int', 'x': 'Int', 'y': 'Int', 't': 'Int', 'next': ('Int', 'Int'), 'rank': ('Int', 'Int'),
           'reversed': ('Int', 'Bool')},
    rigid=('n', 'first'), instances=(('n',), ('x',), ('y',), ('(next x)',)),
    start=lambda s: conj(eq(s.pc, '0'), eq(s.x, 'first'), eq(s.y, NIL), eq(s.t, NIL), neg(s.reversed('n')),
                         neg(s.reversed('first')), le('0', s.rank('n')), le('0', s.rank(s.x)), neg(s.reversed(NIL)),
                         *ranked(s, 'n', 'x')),
    commands=[
        lambda s: (conj(eq(s.pc, '0'), ne(s.x, NIL)), {'pc': '1', 't': s.next(s.x)}),
        lambda s: (eq(s.pc, '1'), {'pc': '2', 'next': update(s.next, s.x, s.y),
                                   'rank': update(s.rank, s.x, plus(s.rank(s.y), 1)),
                                   'reversed': update(s.reversed, s.x, 'true')}),
        lambda s: (eq(s.pc, '2'), {'pc': '0', 'y': s.x, 'x': s.t}),
        lambda s: (conj(eq(s.pc, '0'), eq(s.x, NIL)), {'pc': '3'}),
    ],
    predicates=[
        lambda s, n: eq(s.pc, '0'), lambda s, n: eq(s.pc, '1'), lambda s, n: eq(s.pc, '2'), lambda s, n: eq(s.x, NIL),
        lambda s, n: eq(s.y, NIL), lambda s, n: eq(n, s.x), lambda s, n: eq(n, s.y), lambda s, n: s.reversed(n),
        lambda s, n: s.reversed(s.next(n)), lambda s, n: eq(s.rank(n), plus(s.rank(s.next(n)), 1)),
        lambda s, n: lt(s.rank(n), s.rank(s.y)), lambda s, n: eq(n, NIL), lambda s, n: eq(s.next(n), NIL),
        lambda s, n: eq(s.t, s.next(s.x)), lambda s, n: eq(n, 'first'), lambda s, n: eq(s.x, s.y)],
    steps=7)

# Two sets are lists with a representative; the second is appended to the first, node by node.
SET_UNION = Model(
    'set_union',
    state={'pc': 'Int', 'x': 'Int', 'last': 'Int', 'next': ('Int', 'Int'), 'rank': ('Int', 'Int'), 'head': ('Int', 'Int')},
    rigid=('n', 'a', 'b'), instances=(('n',), ('x',), ('last',), ('(next x)',)),
    start=lambda s: conj(eq(s.pc, '0'), eq(s.x, 'b'), eq(s.last, 'a'), ne('a', 'b'), ne('a', NIL), ne('b', NIL),
                         eq(s.head('a'), 'a'), eq(s.head('b'), 'b'), le('0', s.rank('n')), disj(eq(s.head('n'), 'a'),
                         eq(s.head('n'), 'b'), eq('n', NIL)), eq(s.head(NIL), NIL), *ranked(s, 'n', 'x', 'last')),
    commands=[
        lambda s: (conj(eq(s.pc, '0'), ne(s.next(s.last), NIL)), {'last': s.next(s.last)}),
        lambda s: (conj(eq(s.pc, '0'), eq(s.next(s.last), NIL)), {'pc': '1'}),
        lambda s: (conj(eq(s.pc, '1'), ne(s.x, NIL)), {'head': update(s.head, s.x, 'a'), 'pc': '2'}),
        lambda s: (eq(s.pc, '2'), {'x': s.next(s.x), 'pc': '1'}),
        lambda s: (conj(eq(s.pc, '1'), eq(s.x, NIL)), {'next': update(s.next, s.last, 'b'), 'pc': '3'}),
    ],
    predicates=[
        lambda s, n: eq(s.pc, '0'), lambda s, n: eq(s.pc, '1'), lambda s, n: eq(s.pc, '2'), lambda s, n: eq(s.pc, '3'),
        lambda s, n: eq(n, NIL), lambda s, n: eq(s.head(n), 'a'), lambda s, n: eq(s.head(n), 'b'),
        lambda s, n: eq(s.head(s.next(n)), 'a'), lambda s, n: eq(s.head(s.next(n)), 'b'), lambda s, n: eq(n, s.x),
        lambda s, n: eq(n, s.last), lambda s, n: eq(s.x, NIL), lambda s, n: eq(s.x, 'b'), lambda s, n: eq(s.last, 'a'),
        lambda s, n: eq(s.next(s.last), NIL), lambda s, n: lt(s.rank(n), s.rank(s.x)),
        lambda s, n: lt(s.rank(n), s.rank(s.last)), lambda s, n: eq(s.head(s.x), 'b'), lambda s, n: eq(s.head(s.last), 'a'),
        lambda s, n: eq(n, 'a'), lambda s, n: eq(n, 'b'), lambda s, n: eq(s.next(n), NIL), lambda s, n: eq(s.next(n), s.x),
        lambda s, n: le('0', s.rank(n))],
    steps=6)

# x = head; do { visit(x); x = x->next; } while (x != head); the list is a circle, ranks count up to the head.
SIMPLE_CYCLIC = Model(
    'simple_cyclic',
    state={'pc': 'Int', 'x': 'Int', 'next': ('Int', 'Int'), 'rank': ('Int', 'Int'), 'visited': ('Int', 'Bool')},
    rigid=('n', 'head'), instances=(('n',), ('x',), ('(next n)',)),
    axioms=lambda s: [disj(eq(s.next(m), 'head'), eq(s.rank(s.next(m)), plus(s.rank(m), 1))) for m in ('n', 'x')] +
                     [eq(s.rank('head'), '0'), le('0', s.rank('n')), le('0', s.rank(s.x)),
                      *(disj(eq(m, 'head'), lt('0', s.rank(m))) for m in ('n', 'x', '(next x)', '(next n)'))],
    start=lambda s: conj(eq(s.pc, '0'), eq(s.x, 'head'), neg(s.visited('n')), neg(s.visited('head'))),
    commands=[
        lambda s: (eq(s.pc, '0'), {'visited': update(s.visited, s.x, 'true'), 'pc': '1'}),
        lambda s: (conj(eq(s.pc, '1'), ne(s.next(s.x), 'head')), {'x': s.next(s.x), 'pc': '0'}),
        lambda s: (conj(eq(s.pc, '1'), eq(s.next(s.x), 'head')), {'pc': '2'}),
    ],
    predicates=[
        lambda s, n: eq(s.pc, '0'), lambda s, n: eq(s.pc, '1'), lambda s, n: eq(s.pc, '2'), lambda s, n: s.visited(n),
        lambda s, n: s.visited(s.next(n)), lambda s, n: eq(n, s.x), lambda s, n: eq(s.x, 'head'), lambda s, n: eq(n, 'head'),
        lambda s, n: eq(s.next(n), 'head'), lambda s, n: eq(s.next(s.x), 'head'), lambda s, n: lt(s.rank(n), s.rank(s.x)),
        lambda s, n: le(s.rank(n), s.rank(s.x)), lambda s, n: lt(s.rank(s.next(n)), s.rank(s.x)),
        lambda s, n: eq(s.next(n), s.x), lambda s, n: eq(s.rank(n), plus(s.rank(s.x), 1))],
    steps=5)

# Insertion of v into a sorted list, statement by statement: prev and cur walk until cur's value is not below v.
SORTED_INT = Model(
    'sorted_int',
    state={'pc': 'Int', 'prev': 'Int', 'cur': 'Int', 'new': 'Int', 'v': 'Int', 'head': 'Int', 'next': ('Int', 'Int'),
           'data': ('Int', 'Int')},
    rigid=('n',), instances=(('n',), ('cur',), ('prev',), ('(next n)',)),
    start=lambda s: conj(eq(s.pc, '0'), eq(s.cur, s.head), eq(s.prev, NIL), ne(s.new, NIL), eq(s.next(s.new), NIL),
                         eq(s.data(s.new), '0'), eq(s.next(NIL), NIL), eq(s.data(NIL), '0'), lt('0', s.v),
                         ne(s.head, NIL), ne(s.head, s.new),
                         *(disj(eq(s.next(m), NIL), le(s.data(m), s.data(s.next(m)))) for m in ('n', s.head))),
    commands=[
        lambda s: (conj(eq(s.pc, '0'), ne(s.cur, NIL), lt(s.data(s.cur), s.v)), {'pc': '1', 'prev': s.cur}),
        lambda s: (eq(s.pc, '1'), {'pc': '0', 'cur': s.next(s.cur)}),
        lambda s: (conj(eq(s.pc, '0'), disj(eq(s.cur, NIL), le(s.v, s.data(s.cur)))), {'pc': '2'}),
        lambda s: (eq(s.pc, '2'), {'pc': '3', 'data': update(s.data, s.new, s.v)}),
        lambda s: (eq(s.pc, '3'), {'pc': '4', 'next': update(s.next, s.new, s.cur)}),
        lambda s: (conj(eq(s.pc, '4'), ne(s.prev, NIL)), {'pc': '5', 'next': update(s.next, s.prev, s.new)}),
        lambda s: (conj(eq(s.pc, '4'), eq(s.prev, NIL)), {'pc': '5', 'head': s.new}),
    ],
    predicates=[lambda s, n, at=at: eq(s.pc, at) for at in '012345'] + [
        lambda s, n: eq(s.cur, NIL), lambda s, n: eq(s.prev, NIL), lambda s, n: lt(s.data(s.prev), s.v),
        lambda s, n: le(s.v, s.data(s.cur)), lambda s, n: le(s.data(n), s.data(s.next(n))), lambda s, n: eq(n, s.head),
        lambda s, n: eq(n, s.new), lambda s, n: eq(n, s.prev), lambda s, n: eq(n, s.cur),
        lambda s, n: eq(s.next(s.prev), s.cur), lambda s, n: le(s.data(n), s.v), lambda s, n: lt(s.data(n), s.data(s.cur)),
        lambda s, n: eq(s.data(s.new), s.v), lambda s, n: eq(s.next(s.new), s.cur), lambda s, n: eq(s.head, s.new)],
    steps=10)

MODELS = [REVERSE_ACYCLIC, SET_UNION, SIMPLE_CYCLIC, SORTED_INT]
