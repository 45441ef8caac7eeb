"""Constant expressions: literals, operators, casts, and where a constant must stand."""
import random
from .arithmetic import ENUMS, integers, kind
from .judge import Question

LITERALS = ['0', '1', '7', '0x7f', '255', '256', '0x7fff', '0xffff', '65536', '0x7fffffff', '0x80000000', '2147483648', '0xffffffff', '4294967295',
            '4294967296', '0x7fffffffffffffff', '0x8000000000000000', '0xffffffffffffffff', '9223372036854775807', '017777777777', '037777777777',
            "'a'", "'\\377'", "'\\0'", "'ab'", "L'a'", "u'a'", "U'a'", "u'\\xffff'", "L'\\xffffffff'", "'\\x80'"]
SUFFIXES = ['', 'u', 'l', 'ul', 'll', 'ull', 'LU']

def literal(rng):
    text = rng.choice(LITERALS)
    return text if "'" in text else text + rng.choice(SUFFIXES)

def expression(rng, depth, types):
    if depth == 0 or rng.random() < 0.15:
        choice = rng.random()
        if choice < 0.12:
            return f'sizeof({rng.choice(types)})'
        if choice < 0.2:
            return rng.choice(['N1', 'I0', 'I1', 'L0', 'M0', 'G0', 'T1', 'S0'])
        return literal(rng)
    a, b = expression(rng, depth - 1, types), expression(rng, depth - 1, types)
    op = rng.randrange(14)
    if op < 5:
        return f'({a} {rng.choice("+-*&|^")} {b})'
    if op == 5:
        return f'({a} {rng.choice("/%")} (({b}) | 1 ? (({b}) & 0x3f) + 3 : 3))'
    if op == 6:
        return f'({a} {rng.choice(["<<", ">>"])} (({b}) & 7))'
    if op == 7:
        return f'({a} {rng.choice(["<", ">", "<=", ">=", "==", "!="])} {b})'
    if op == 8:
        return f'({a} ? {b} : {expression(rng, depth - 1, types)})'
    if op == 9:
        return f'({a} {rng.choice(["&&", "||"])} {b})'
    if op == 10:
        return rng.choice(['(-', '(~', '(!', '(+']) + f' {a})'
    if op == 11:
        return f'__builtin_choose_expr(({a}) != 0, {b}, {expression(rng, depth - 1, types)})'
    return f'(({rng.choice(types)}){a})'

def prelude(word):
    return ENUMS

def questions(word, seed, count):
    rng = random.Random(seed * 1000 + word)
    yield Question('', [fact for text in LITERALS for suffix in (SUFFIXES if "'" not in text else ['']) for fact in (kind(text + suffix, word), text + suffix)])
    strings = ['"ab"', 'L"ab"', 'u"ab"', 'U"ab"', 'u8"ab"', '"a" "b"', 'L"a" "b"', '"\\xff"', 'u"\\U0001F600"', 'L"\\U0001F600"', '"\\u00e4"']
    yield Question('', [e for s in strings for e in (f'sizeof({s})', f'sizeof(({s})[0])', f'({s})[0]', kind(f'({s})[0]', word))])
    floats = ['1.5', '1.5f', '1.5l', '1e10', '0x1p3', '.5', '1.', '1e400', '3.99', '-2.5']
    yield Question('', [e for f in floats for e in (kind(f, word), f'sizeof({f})', f'({f}) * 4 > 6')])
    types = [ty for ty in integers(word)] + ['enum natural', 'enum integer']
    for number in range(count):
        e = expression(rng, rng.randint(1, 4), types)
        yield Question(f'static const long long c{number} = (long long)({e}); enum {{ e{number} = (int)(({e}) & 0x7fff) }};\n'
                       f'static char a{number}[(({e}) & 15) + 1]; static struct {{ long long f : (int)(((({e}) & 31)) + 1); }} s{number} = {{ -1 }};',
                       [f'c{number}', f'e{number}', f'sizeof(a{number})', kind(e, word), f'sizeof({e})', e, f's{number}.f',
                        f'(s{number}.f = ~0ull >> 1)', f'({{ long long r = 0; switch ({rng.randint(0, 3)}) {{ case ({e}) & 3: r = 1; }} r; }})'])
