"""The promotions of bit-fields of every type and width, and their values."""
import random
from .arithmetic import ENUMS, facts
from .judge import Question

def declared(word):
    """The types that a bit-field may have, and their widths."""
    long = word
    types = [('_Bool', 1), ('char', 8), ('signed char', 8), ('unsigned char', 8), ('short', 16), ('unsigned short', 16),
             ('int', 32), ('signed', 32), ('unsigned', 32), ('long', long), ('unsigned long', long), ('long long', 64),
             ('unsigned long long', 64), ('enum natural', 32), ('enum integer', 32), ('enum large', 64), ('enum largest', 64),
             ('enum negative', 64), ('enum tiny', 8), ('enum small', 16), ('name', 32), ('number', 64)]
    return types + ([('__int128', 128), ('unsigned __int128', 128)] if word == 64 else [])

def widths(width):
    return [w for w in range(1, width + 1) if width <= 33 or w in (1, 2, 7, 8, 15, 16, 17, 30, 31, 32, 33, 34, 39, 40, 48, 62, 63, 64, 65, 100, 127, 128)]

def prelude(word):
    return ENUMS + 'typedef enum { A0, A1 } name; typedef unsigned long long number;'

def passed(number, w):
    """A function that takes the bit-field as a variable argument, as wide as it is then."""
    wanted = 'int: 0, unsigned: 0u, long: 0l, unsigned long: 0ul, long long: 0ll, unsigned long long: 0ull, default: 0ll'
    return (f'static long long passed{number}(int n, ...) {{ __builtin_va_list l; __builtin_va_start(l, n); '
            f'__typeof__(_Generic((+b{number}.f), {wanted})) v = __builtin_va_arg(l, __typeof__(v)); __builtin_va_end(l); return v; }}')

def questions(word, seed):
    rng = random.Random(seed)
    fields = [(ty, w) for ty, width in declared(word) for w in widths(width)]
    for number, (ty, w) in enumerate(fields):
        f = f'b{number}.f'
        declaration = f'static struct {{ {ty} f : {w}; }} b{number};'
        typed = [f'+{f}', f'-{f}', f'~{f}', f'!{f}', f'{f} + 1', f'{f} + 1u', f'{f} + 1l', f'{f} + 1ul', f'{f} + 1ll', f'{f} + (char)1', f'{f} << 1',
                 f'1 << {f}', f'{f} < 1', f'1 ? {f} : 1u', f'1 ? {f} : {f}', f'{f} ?: {f}', f'{f} + {f}', f'{f} * 1.0f', f'{f} && 1',
                 f'(int){f}', f'{f} | {f}', f'({f} = 1) + 1', f'{f}++ + 0', f'(0, {f}) - 0', f'-({f} += 1)']
        yield Question(declaration, [fact for e in typed for fact in facts(e, word)])
        values = []
        for value in ('0', '1', '-1', '-2', '5', f'(__typeof__(+{f}))1 << ({w} - 1)' if w > 1 else '1'):
            values += [f'{f} = {value}', f, f'{f} - 1', f'{f} - 1 < 0', f'-{f} < 0', f'-{f}', f'~{f}', f'~{f} < 0', f'!{f}', f'{f} < -1', f'{f} > -1', f'{f} << 1',
                       f'{f} >> 1', f'{f} * {f}', f'1 ? {f} : 0', f'(0 ? 0u : {f}) < -1', f'{f} + 0u > 5', f'(0, {f}) < -1', f'{f} == -1', f'{f} ? 2 : 3',
                       f'({f} = {value}) - 1 < 0', f'({f} += 1)', f, f'{f}++', f, f'--{f}', f'{f} -= 3', f'{f} *= 7', f'{f} <<= 1', f'{f} >>= 1',
                       f'{f} ^= 5', f'{f} |= 2', f'{f} %= 3', f'{f} / 3',
                       f'({{ long long r = 0; switch ({f}) {{ case 0: r = 1; break; case 1: r = 2; break; case -1: r = 3; }} r; }})',
                       f'(float){f} < 0', f'({f}, (_Bool){f})']
        copy = declaration.replace(f' b{number};', f' b{number}v;')
        yield Question(copy, [e.replace(f'b{number}.', f'b{number}v.') for e in values])
        if w <= 32:
            copy = declaration.replace(f' b{number};', f' b{number}p;')
            yield Question(copy + passed(f'{number}p', w), [e for v in (0, 1, -1) for e in (f'b{number}p.f = {v}', f'passed{number}p(1, b{number}p.f)')])
    for number in range(1500):
        (a, i), (b, j) = rng.choice(fields), rng.choice(fields)
        x, y = f'p{number}.x', f'p{number}.y'
        pairs = [f'{x} + {y}', f'{x} & {y}', f'1 ? {x} : {y}', f'{x} << ({y} & 3)', f'{x} < {y}', f'{x} * {y}', f'({x}, {y}) + 0', f'({x} = {y}) + 0']
        values = [f'{x} = {rng.randint(-9, 9)}', f'{y} = {rng.randint(-9, 9)}', f'{x} + {y}', f'{x} - {y}', f'{x} < {y}', f'{x} - {y} < 0', f'{x} * {y} > 0', f'1 ? {x} : {y}',
                  f'(0 ? {x} : {y}) < 0', f'{x} += {y}', f'{x} ^ {y}', f'{x} == {y}', f'{x} >= {y}', f'{x} & ~{y}']
        yield Question(f'static struct {{ {a} x : {i}; {b} y : {j}; }} p{number};', [fact for e in pairs for fact in facts(e, word)] + values)
